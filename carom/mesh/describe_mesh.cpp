// Sentences of inspect.h's report.
#include "carom/mesh/inspect.h"

#include <map>
#include <sstream>
#include <vector>

namespace carom {
namespace {

/// '1 face', '2 faces'.
std::string counted(std::size_t n, const std::string& one, const std::string& many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

std::string place(std::uint32_t index) { return std::to_string(index); }
std::string place(const MeshEdges::Ends& edge) {
  return std::to_string(edge.low) + "-" + std::to_string(edge.high);
}
std::string place(const TJunctionFinding& t) {
  return std::to_string(t.vertex) + " in " + place(t.edge);
}

std::string place(const FacePair& pair) {
  return std::to_string(pair.a) + " and " + std::to_string(pair.b);
}

/// The lines about faults, one for each kind that was found.
class Faults {
public:
  explicit Faults(std::ostringstream& text) : text_(text) {}

  template<class T>
  void line(const Findings<T>& findings, const char* one, const char* many) {
    if (!findings) return;
    text_ << counted(findings.count, one, many) << ": ";
    for (std::size_t i = 0; i < findings.first.size(); ++i) {
      text_ << (i > 0 ? ", " : "") << place(findings.first[i]);
    }
    text_ << (findings.count > findings.first.size() ? ", ...\n" : ".\n");
  }

private:
  std::ostringstream& text_;
};

void describe_whole(const MeshReport& report, std::ostringstream& text) {
  text << counted(report.vertices, "vertex", "vertices") << ", "
       << counted(report.faces, "face", "faces") << " ("
       << counted(report.triangles, "triangle", "triangles") << "), "
       << counted(report.edges, "edge", "edges") << ", "
       << counted(report.components.size(), "component", "components") << ".\n";
  if (!report.misfit.empty()) text << "The arrays do not fit together: " << report.misfit << ".\n";
  if (report.closed) {
    text << "Closed; "
         << (report.volume_sign > 0   ? "encloses a positive volume"
             : report.volume_sign < 0 ? "inside out: encloses a negative volume"
                                      : "encloses no volume")
         << ".\n";
  } else if (report.boundary_loops > 0) {
    text << "Open: " << counted(report.open_edges.count, "open edge", "open edges") << " in "
         << counted(report.boundary_loops, "boundary loop", "boundary loops") << ".\n";
  } else if (report.edges > 0) {
    text << "Not closed: some faces are wound against their neighbours.\n";
  }
}

/// What there is to say of a component, but for its place.
std::string describe_component(const ComponentReport& c) {
  std::ostringstream text;
  text << counted(c.faces, "face", "faces") << ", Euler characteristic " << c.euler();
  if (const auto genus = c.genus()) {
    text << ", "
         << counted(static_cast<std::size_t>(*genus), c.orientable ? "handle" : "cross-cap",
                    c.orientable ? "handles" : "cross-caps");
  } else {
    text << ", not a manifold";
  }
  if (c.boundary_loops > 0) {
    text << ", " << counted(c.boundary_loops, "boundary loop", "boundary loops");
  }
  if (!c.orientable) text << ", cannot be wound consistently";
  if (c.closed && c.volume_sign < 0) text << ", inside out";
  return text.str();
}

/// A line for those that are alike, in the order of the first of them.
void describe_components(const MeshReport& report, std::ostringstream& text) {
  struct Alike {
    std::string what;
    std::vector<std::uint32_t> faces; ///< the first of each component
  };
  std::vector<Alike> kinds;
  std::map<std::string, std::size_t> known;
  for (const ComponentReport& c : report.components) {
    const auto [at, is_new] = known.emplace(describe_component(c), kinds.size());
    if (is_new) kinds.push_back({at->first, {}});
    kinds[at->second].faces.push_back(c.first_face);
  }
  constexpr std::size_t listed = VertexFindings::listed;
  for (std::size_t k = 0; k < kinds.size() && k < listed; ++k) {
    const std::vector<std::uint32_t>& faces = kinds[k].faces;
    if (faces.size() == 1) {
      text << "Component of face " << faces[0] << ": ";
    } else {
      text << counted(faces.size(), "component", "components") << " alike, of faces ";
      for (std::size_t i = 0; i < faces.size() && i < listed; ++i) {
        text << (i > 0 ? ", " : "") << faces[i];
      }
      text << (faces.size() > listed ? ", ...: each " : ": each ");
    }
    text << kinds[k].what << ".\n";
  }
  if (kinds.size() > listed) {
    text << "And " << counted(kinds.size() - listed, "kind", "kinds") << " of components more.\n";
  }
}

void describe_faults(const MeshReport& r, std::ostringstream& text) {
  Faults faults(text);
  faults.line(r.unusable_faces, "face has corners that do not exist",
              "faces have corners that do not exist");
  faults.line(r.not_finite, "vertex is not finite", "vertices are not finite");
  faults.line(r.out_of_range, "vertex is out of range", "vertices are out of range");
  faults.line(r.duplicate_vertices, "vertex equals a lower one", "vertices equal a lower one");
  faults.line(r.unreferenced_vertices, "vertex has no face", "vertices have no face");
  faults.line(r.few_corners, "face has fewer than three vertices",
              "faces have fewer than three vertices");
  faults.line(r.repeated_corners, "face repeats a vertex", "faces repeat a vertex");
  faults.line(r.on_a_line, "face has no area", "faces have no area");
  faults.line(r.duplicate_faces, "face repeats a lower one", "faces repeat a lower one");
  faults.line(r.opposite_faces, "face is a lower one turned over",
              "faces are lower ones turned over");
  faults.line(r.not_flat, "face is not flat", "faces are not flat");
  if (r.not_flat) {
    text << "The least flat is face " << r.highest_face << ": a corner is " << r.greatest_height
         << " off its plane.\n";
  }
  faults.line(r.open_edges, "edge has one face only", "edges have one face only");
  faults.line(r.crowded_edges, "edge has three faces or more", "edges have three faces or more");
  faults.line(r.inconsistent_edges, "edge has faces wound against each other",
              "edges have faces wound against each other");
  faults.line(r.crowded_vertices, "vertex joins separate fans of faces",
              "vertices join separate fans of faces");
  faults.line(r.t_junctions, "T-junction", "T-junctions");
  faults.line(r.self_intersections, "pair of faces cuts into each other",
              "pairs of faces cut into each other");
  if (!r.all_intersections) {
    text << "There may be more faces that cut into each other: the search for them was given up.\n";
  }
  if (r.unclosed_chains > 0) {
    text << counted(r.unclosed_chains, "chain of open edges does", "chains of open edges do")
         << " not close.\n";
  }
}

} // namespace

std::string describe(const MeshReport& report) {
  std::ostringstream text;
  describe_whole(report, text);
  describe_faults(report, text);
  describe_components(report, text);
  return text.str();
}

} // namespace carom
