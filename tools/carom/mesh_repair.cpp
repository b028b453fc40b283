// carom repair: the usual mending, in the usual order (docs/mesh-preparation.md), each step with what it did.
#include "tools/carom/answer.h"
#include "tools/carom/mesh_input.h"
#include "tools/carom/output.h"
#include "tools/carom/progress.h"
#include "tools/carom/text.h"
#include "tools/carom/verbs.h"

#include "carom/geometry/fit_aabb.h"
#include "carom/mesh/clean.h"
#include "carom/mesh/inspect.h"
#include "carom/mesh/orient.h"
#include "carom/mesh/stitch.h"
#include "carom/mesh/weld.h"

#include <optional>

namespace carom::tool {
namespace {

struct Options {
  std::string in, out, tolerance;
  bool keep_winding = false;
};

/// Takes the value of a step, or fails with its error.
template<class T>
T done(const std::string& path, Result<T>&& result) {
  if (!result) fail(path, result.error().message);
  return std::move(*result);
}

/// A millionth of the size: far below any detail, far above the rounding of floats.
double usual_tolerance(const PolygonMesh& mesh) {
  const Aabb box = fit_aabb(mesh.vertices);
  return 1e-6 * length(box.max - box.min);
}

class Repair {
public:
  Repair(const std::string& path, PolygonMesh mesh) : path_(path), mesh_(std::move(mesh)) {}

  void run(const Options& options) {
    UsableMesh usable = done(path_, make_usable(mesh_));
    count("unusable faces removed", usable.dropped_faces);
    count("unusable vertices removed", usable.dropped_vertices);
    mesh_ = std::move(usable.mesh);
    if (mesh_.face_count() == 0) fail(path_, "no face is left of it: there is nothing to repair");
    tolerance_ = options.tolerance.empty() ? usual_tolerance(mesh_)
                                           : parse_number_from("--tolerance", options.tolerance, 0);
    WeldedMesh welded = done(path_, weld(mesh_, tolerance_));
    count("vertices welded", welded.merged_vertices);
    count("faces that welding made flat removed", welded.dropped_faces);
    mesh_ = std::move(welded.mesh);
    count("degenerate faces removed", done(path_, remove_degenerate_faces(mesh_)));
    count("duplicate faces removed", done(path_, remove_duplicate_faces(mesh_)));
    StitchedMesh stitched = done(path_, stitch(mesh_, tolerance_));
    count("border vertices stitched", stitched.welded_vertices);
    count("T-junctions resolved", stitched.inserted_corners);
    count("thin faces removed", stitched.dropped_faces);
    mesh_ = std::move(stitched.mesh);
    OrientedMesh oriented = done(path_, orient(mesh_, {.outward = !options.keep_winding}));
    count("faces turned over", oriented.turned_faces);
    mesh_ = std::move(oriented.mesh);
    count("unused vertices removed", done(path_, remove_unreferenced_vertices(mesh_)));
  }

  [[nodiscard]] const PolygonMesh& mesh() const { return mesh_; }
  [[nodiscard]] double tolerance() const { return tolerance_; }
  [[nodiscard]] const std::vector<std::pair<std::string, std::size_t>>& steps() const {
    return steps_;
  }

private:
  void count(const char* what, std::size_t number) { steps_.emplace_back(what, number); }

  std::string path_;
  PolygonMesh mesh_;
  double tolerance_ = 0;
  std::vector<std::pair<std::string, std::size_t>> steps_;
};

void repair(const Options& options, const Session& session) {
  check_mesh_name(options.out);
  check_writable(options.out);
  if (!options.tolerance.empty()) {
    static_cast<void>(parse_number_from("--tolerance", options.tolerance, 0));
  }
  std::optional<Progress> progress(std::in_place, "repairing");
  Repair repair(options.in, read_mesh_file(options.in).mesh);
  repair.run(options);
  const MeshReport report = inspect(repair.mesh());
  progress.reset();
  write_file(options.out, mesh_bytes(options.out, repair.mesh()));

  Answer answer("repair");
  const bool changed = std::any_of(repair.steps().begin(), repair.steps().end(),
                                   [](const auto& step) { return step.second > 0; });
  answer.headline(options.out + ": " + counted(report.faces, "face") + ", " +
                  (report.solid()  ? "a solid"
                   : report.closed ? "closed, but no clean solid"
                                   : "not closed") +
                  (changed ? "" : "; nothing had to be repaired"));
  answer.json("in", options.in);
  answer.json("out", options.out);
  answer.number("tolerance", "tolerance", repair.tolerance());
  Json steps = Json::object();
  for (const auto& [what, number] : repair.steps()) {
    steps[what] = number;
    if (number > 0) answer.line(what, std::to_string(number));
  }
  answer.json("steps", steps);
  answer.json("closed", report.closed);
  answer.json("solid", report.solid());
  if (!report.solid()) answer.line("left", "see carom info " + options.out);
  answer.print(session);
}

} // namespace

void add_repair(CLI::App& app, Session& session) {
  const auto options = std::make_shared<Options>();
  CLI::App& verb =
      add_verb(app, session,
               {"repair", "Mend a mesh: drop bad faces, weld, stitch cracks, wind outward.",
                "  carom repair scan.stl clean.obj\n"
                "  carom repair scan.stl clean.ply --tolerance 0.001 --keep-winding\n",
                "Says what each step did."});
  verb.add_option("IN", options->in, "a mesh file")->required();
  verb.add_option("OUT", options->out, "where the mended mesh goes: .obj, .stl, .ply or .off")
      ->required();
  verb.add_option("--tolerance", options->tolerance,
                  "vertices and borders so close become one (default: a millionth of the size)")
      ->type_name("LENGTH");
  verb.add_flag("--keep-winding", options->keep_winding,
                "do not turn closed parts outward: cavities stay cavities");
  verb.callback([options, &session] { repair(*options, session); });
}

} // namespace carom::tool
