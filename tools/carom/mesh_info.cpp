// carom info: what is in a mesh file, and what is wrong with it.
#include "tools/carom/answer.h"
#include "tools/carom/file_parts.h"
#include "tools/carom/progress.h"
#include "tools/carom/text.h"
#include "tools/carom/verbs.h"

#include "carom/geometry/fit_aabb.h"
#include "carom/mesh/inspect.h"
#include "carom/mesh/mesh_check.h"
#include "carom/mesh/solid_mass.h"
#include "carom/mesh/triangulate.h"

namespace carom::tool {
namespace {

double area_of(const PolygonMesh& mesh) {
  const PolygonMesh triangles = triangulated(mesh);
  double area = 0;
  for (std::size_t f = 0; f < triangles.face_count(); ++f) {
    const auto c = triangles.face(f);
    const Vec3& a = triangles.vertices[c[0]];
    area += length(cross(triangles.vertices[c[1]] - a, triangles.vertices[c[2]] - a)) / 2;
  }
  return area;
}

std::string format_of(const MeshInput& input) {
  if (!input.report) return "read by Assimp";
  return std::string(name_of(input.report->format)) +
         (input.report->binary ? ", binary" : ", text");
}

/// The lines of describe(): counts, whether it is closed, what is wrong, components.
std::vector<std::string> faults(const MeshReport& report) {
  std::vector<std::string> lines;
  const std::string text = describe(report);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

Json info(const MeshInput& input, std::string& text) {
  const PolygonMesh& mesh = input.mesh;
  const MeshReport report = inspect(mesh);
  const bool usable = report.usable();
  Json out{{"file", input.path},
           {"format", format_of(input)},
           {"vertices", report.vertices},
           {"faces", report.faces},
           {"triangles", report.triangles},
           {"parts", Json::array()},
           {"usable", usable},
           {"closed", report.closed},
           {"solid", report.solid()},
           {"components", report.components.size()}};
  std::vector<std::vector<std::string>> rows = {{"  format", format_of(input)}};
  const std::vector<FilePart> parts = file_parts(input, Split::automatic); // as carom clash has it
  for (const FilePart& part : parts) out["parts"].push_back(part.name);
  if (parts.size() > 1) rows.push_back({"  parts", std::to_string(parts.size())});
  if (usable) {
    const Aabb box = fit_aabb(mesh.vertices);
    const double area = area_of(mesh);
    out["bounds"] = {{"min", to_json(box.min)}, {"max", to_json(box.max)}};
    out["area"] = area;
    rows.push_back({"  bounds", show(box.min) + "  to  " + show(box.max)});
    rows.push_back({"  size", show(box.max - box.min)});
    rows.push_back({"  area", show(area)});
    if (const Result<MassProperties> mass = solid_mass(mesh)) {
      out["volume"] = mass->volume;
      out["centroid"] = to_json(mass->centroid);
      rows.push_back({"  volume", show(mass->volume)});
      rows.push_back({"  centroid", show(mass->centroid)});
    } else {
      out["volume"] = nullptr;
      rows.push_back({"  volume", "none: " + mass.error().message});
    }
  }
  if (input.report && input.report->unknown_lines > 0) {
    rows.push_back({"  unknown", counted(input.report->unknown_lines, "line") +
                                     " left out, the first is line " +
                                     std::to_string(input.report->first_unknown_line)});
    out["unknown_lines"] = input.report->unknown_lines;
  }
  const std::vector<std::string> said = faults(report);
  out["report"] = said;
  // What is wrong stands before the measures, and what it is made of.
  text += input.path + "\n";
  for (const std::string& line : said) text += "  " + line + "\n";
  text += table(rows);
  return out;
}

} // namespace

void add_info(CLI::App& app, Session& session) {
  const auto files = std::make_shared<std::vector<std::string>>();
  CLI::App& verb = add_verb(app, session,
                            {"info", "What is in a mesh file, and what is wrong with it?",
                             "  carom info rock.obj\n  carom info *.stl --json\n",
                             "Counts, bounds, area, volume; whether it is closed."});
  verb.add_option("FILE", *files, "mesh files")->required()->expected(1, -1);
  verb.callback([files, &session] {
    Json all = Json::array();
    for (const std::string& file : *files) {
      std::string text;
      {
        const Progress progress("reading and inspecting");
        all.push_back(info(read_mesh_file(file), text));
      }
      if (!session.json) print(text);
    }
    if (session.json) print(Json{{"verb", "info"}, {"files", all}});
  });
}

} // namespace carom::tool
