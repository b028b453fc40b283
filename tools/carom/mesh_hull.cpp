// carom hull and carom decompose: one convex piece around a mesh, or several.
#include "tools/carom/answer.h"
#include "tools/carom/drawing.h"
#include "tools/carom/mesh_input.h"
#include "tools/carom/output.h"
#include "tools/carom/progress.h"
#include "tools/carom/text.h"
#include "tools/carom/verbs.h"

#include "carom/mesh/convex_decomposition.h"
#include "carom/mesh/mass_properties.h"

#include <array>
#include <cstdio>
#include <filesystem>

namespace carom::tool {
namespace {

struct HullOptions {
  std::string in, out, vertices;
};

void make_hull(const HullOptions& options, const Session& session) {
  check_mesh_name(options.out);
  check_writable(options.out);
  const unsigned limit =
      options.vertices.empty() ? 0 : parse_count("--vertices", options.vertices, 4, 1U << 30);
  const Result<ConvexHull> hull = [&] {
    const Progress progress("wrapping");
    return convex_hull(read_mesh_file(options.in).mesh.vertices, {.vertex_limit = limit});
  }();
  if (!hull) fail(options.in, hull.error().message);
  if (hull->dimension < 2) fail(options.in, "its points lie on one line: the hull has no face");
  write_file(options.out, mesh_bytes(options.out, polygons_of(*hull)));

  Answer answer("hull");
  const MassProperties mass = mass_properties(*hull);
  answer.headline(options.out + ": " + std::to_string(hull->vertices.size()) + " vertices" + ", " +
                  counted(hull->face_count(), "face"));
  answer.json("in", options.in);
  answer.json("out", options.out);
  answer.json("vertices", hull->vertices.size());
  answer.json("faces", hull->face_count());
  answer.json("dimension", hull->dimension);
  answer.number("volume", "volume", mass.volume);
  answer.number("growth", "growth", hull->growth);
  answer.words("proof", "proof",
               limit == 0 ? "exact: the vertices are points of the mesh, no other is outside"
                          : "every point of the mesh is inside; no point of the hull is farther "
                            "than 'growth' from the exact one");
  answer.print(session);
}

struct PieceOptions {
  std::string in, out, pieces = "16", tolerance = "0", vertices;
};

std::string piece_name(std::size_t number) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "piece_%03zu.obj", number);
  return text.data();
}

void decompose(const PieceOptions& options, const Session& session) {
  check_writable_folder(options.out);
  const DecompositionOptions wanted{
      .max_pieces = parse_count("--pieces", options.pieces, 1, 1024),
      .tolerance = parse_number_from("--tolerance", options.tolerance, 0),
      .vertex_limit =
          options.vertices.empty() ? 0 : parse_count("--vertices", options.vertices, 4, 1U << 30)};
  const Result<ConvexDecomposition> pieces = [&] {
    const Progress progress("cutting");
    return approximate_convex_pieces(read_mesh_file(options.in).mesh, wanted);
  }();
  if (!pieces) fail(options.in, pieces.error().message);
  std::vector<std::pair<std::string, std::string>> files;
  Json list = Json::array();
  for (const ConvexHull& piece : pieces->pieces) {
    const std::string name = piece_name(files.size());
    files.emplace_back(name, mesh_bytes(name, polygons_of(piece)));
    list.push_back({{"file", (std::filesystem::path(options.out) / name).string()},
                    {"vertices", piece.vertices.size()},
                    {"volume", mass_properties(piece).volume}});
  }
  write_folder(options.out, files);

  Answer answer("decompose");
  answer.headline(options.out + ": " + counted(files.size(), "convex piece") + ", " +
                  files.front().first + (files.size() > 1 ? " to " + files.back().first : ""));
  answer.json("in", options.in);
  answer.json("out", options.out);
  answer.json("pieces", list);
  answer.number("volume", "piece_volume", pieces->piece_volume);
  answer.json("patches", pieces->patches.size() / 3);
  if (!pieces->patches.empty()) {
    answer.line("holes", "closed first, by " + counted(pieces->patches.size() / 3, "triangle") +
                             ": they count as part of the mesh below");
  }
  if (pieces->solid) answer.number("of the mesh", "mesh_volume", pieces->mesh_volume);
  answer.number("error", "error", pieces->error);
  if (pieces->gap > 0) answer.number("gap", "gap", pieces->gap);
  answer.words(
      "proof", "proof",
      std::string("every point of the mesh is in a piece (checked exactly), and no point of a "
                  "piece is farther than 'error' from it") +
          (pieces->solid ? "" : "; the mesh is not closed: it has no inside"));
  answer.print(session);
}

} // namespace

void add_hull(CLI::App& app, Session& session) {
  const auto options = std::make_shared<HullOptions>();
  CLI::App& verb = add_verb(app, session,
                            {"hull", "The convex hull of a mesh, exact, as a mesh.",
                             "  carom hull rock.obj hull.obj\n"
                             "  carom hull rock.obj hull.stl --vertices 32\n"});
  verb.add_option("IN", options->in, "a mesh file; faces do not matter")->required();
  verb.add_option("OUT", options->out, "where the hull goes: .obj, .stl, .ply or .off")->required();
  verb.add_option("--vertices", options->vertices,
                  "at most so many, 4 or more: a larger hull around it, and by how much (default: "
                  "no limit)")
      ->type_name("N");
  verb.callback([options, &session] { make_hull(*options, session); });
}

void add_decompose(CLI::App& app, Session& session) {
  const auto options = std::make_shared<PieceOptions>();
  CLI::App& verb =
      add_verb(app, session,
               {"decompose", "Convex pieces around a mesh, one file each, with a proven error.",
                "  carom decompose chair.obj pieces/\n"
                "  carom decompose chair.obj pieces/ --pieces 8 --vertices 32 --json\n"});
  verb.add_option("IN", options->in, "a mesh file")->required();
  verb.add_option("OUTDIR", options->out, "a new folder, or an empty one")->required();
  verb.add_option("--pieces", options->pieces, "at most so many, 1 to 1024 (default 16)")
      ->type_name("N");
  verb.add_option("--tolerance", options->tolerance,
                  "pieces whose points are all so near to the mesh are not cut on (default 0)")
      ->type_name("LENGTH");
  verb.add_option("--vertices", options->vertices,
                  "at most so many a piece, 4 or more (default: no limit)")
      ->type_name("N");
  verb.callback([options, &session] { decompose(*options, session); });
}

} // namespace carom::tool
