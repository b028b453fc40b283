// First the faces whose corners exist are set apart; then each question is asked of those by the function that answers it, and the answers
// are counted.
#include "carom/mesh/inspect.h"

#include "carom/geometry/convexity.h"
#include "carom/math/tolerance.h"
#include "carom/mesh/boundary_loops.h"
#include "carom/mesh/degenerate_faces.h"
#include "carom/mesh/face_turns.h"
#include "carom/mesh/mesh_check.h"
#include "carom/mesh/mesh_components.h"
#include "carom/mesh/mesh_duplicates.h"
#include "carom/mesh/t_junctions.h"

#include <algorithm>

namespace carom {
namespace {

/// The faces whose corners exist, and which they are in the mesh.
struct UsableFaces {
  std::vector<std::uint32_t> face_begin = {0};
  std::vector<std::uint32_t> corners;
  std::vector<std::uint32_t> number;
};

UsableFaces usable_faces(const PolygonMesh& mesh, MeshReport& report) {
  UsableFaces usable;
  const PolygonSurface surface = mesh.surface();
  for (std::uint32_t f = 0; f < mesh.face_count(); ++f) {
    // Ranges that overlap can make more corners than there are: no more than the mesh has are taken.
    if (!face_is_usable(surface, f) ||
        usable.corners.size() + corners_of(surface, f).size() > mesh.corners.size()) {
      report.unusable_faces.add(f);
      continue;
    }
    const auto corners = corners_of(surface, f);
    usable.corners.insert(usable.corners.end(), corners.begin(), corners.end());
    usable.face_begin.push_back(static_cast<std::uint32_t>(usable.corners.size()));
    usable.number.push_back(f);
  }
  return usable;
}

void inspect_vertices(const PolygonSurface& surface, const MeshEdges& edges, MeshReport& report) {
  const auto first = first_equal_vertices(surface.vertices);
  for (std::uint32_t v = 0; v < surface.vertices.size(); ++v) {
    const Vec3& p = surface.vertices[v];
    if (!is_finite(p)) {
      report.not_finite.add(v);
    } else if (!in_range(p)) {
      report.out_of_range.add(v);
    }
    if (first[v] != v) report.duplicate_vertices.add(v);
    if (edges.corners_at(v).empty()) report.unreferenced_vertices.add(v);
  }
}

/// How far the corners are from the face's plane, beyond rounding: 0 where that is all.
double height_of(const PolygonSurface& surface, std::size_t f, std::vector<Vec3>& polygon) {
  const auto corners = corners_of(surface, f);
  if (corners.size() < 4) return 0;
  polygon.clear();
  double size = 0;
  for (const std::uint32_t c : corners) {
    if (!in_range(surface.vertices[c])) return 0;
    polygon.push_back(surface.vertices[c]);
    size = std::max(size, max_abs(surface.vertices[c]));
  }
  const double height = flatness(polygon).height;
  return height > 16 * tolerance::epsilon * size ? height : 0;
}

void inspect_faces(const PolygonSurface& surface, const UsableFaces& usable, double allowed,
                   MeshReport& report) {
  const auto equal = first_equal_faces(surface);
  std::vector<Vec3> polygon;
  for (std::uint32_t f = 0; f < face_count(surface); ++f) {
    const std::uint32_t number = usable.number[f];
    const FaceFaults faults = face_faults(surface, f);
    if (corners_of(surface, f).size() == 3) ++report.triangles;
    if (faults.few_corners) report.few_corners.add(number);
    if (faults.repeated_corners) report.repeated_corners.add(number);
    if (faults.on_a_line && !faults.few_corners) report.on_a_line.add(number);
    if (equal[f].first != f) {
      (equal[f].repeated ? report.duplicate_faces : report.opposite_faces).add(number);
    }
    const double height = height_of(surface, f, polygon);
    if (height > allowed) report.not_flat.add(number);
    if (height > report.greatest_height) {
      report.greatest_height = height;
      report.highest_face = number;
    }
  }
}

void inspect_edges(const MeshEdges& edges, MeshReport& report) {
  report.edges = edges.edge_count();
  for (std::size_t e = 0; e < edges.edge_count(); ++e) {
    if (edges.is_open(e)) {
      report.open_edges.add(edges.ends[e]);
    } else if (!edges.is_manifold(e)) {
      report.crowded_edges.add(edges.ends[e]);
    } else if (edges.excess(e) != 0) {
      report.inconsistent_edges.add(edges.ends[e]);
    }
  }
}

/// Counts per component; its faces are numbered as in the mesh.
std::vector<ComponentReport> count_components(const MeshEdges& edges, const MeshFans& fans,
                                              const MeshComponents& components,
                                              const UsableFaces& usable) {
  std::vector<ComponentReport> reports(components.count);
  for (std::uint32_t f = 0; f < edges.face_count(); ++f) {
    ComponentReport& report = reports[components.of_face[f]];
    if (report.faces++ == 0) report.first_face = usable.number[f];
  }
  for (std::size_t e = 0; e < edges.edge_count(); ++e) {
    ComponentReport& report = reports[components.of_face[edges.face_of[edges.half_edges(e)[0]]]];
    ++report.edges;
    const bool pair = edges.is_manifold(e);
    if (!pair && !edges.is_open(e)) report.manifold = false;
    if (pair && edges.excess(e) != 0) report.consistent = false;
    if (edges.excess(e) != 0) report.closed = false;
  }
  // A fan is of one component. A component with two fans at one vertex is no manifold there.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> at; // (component, fan)
  for (std::size_t v = 0; v < edges.vertex_count(); ++v) {
    at.clear();
    for (const std::uint32_t c : edges.corners_at(v)) {
      at.emplace_back(components.of_face[edges.face_of[c]], fans.of_corner[c]);
    }
    std::sort(at.begin(), at.end());
    at.erase(std::unique(at.begin(), at.end()), at.end());
    for (std::size_t i = 0; i < at.size(); ++i) {
      const bool again = i > 0 && at[i].first == at[i - 1].first;
      if (again) {
        reports[at[i].first].manifold = false;
      } else {
        ++reports[at[i].first].vertices;
      }
    }
  }
  return reports;
}

void inspect_borders(const MeshEdges& edges, const MeshFans& fans, const MeshComponents& components,
                     MeshReport& report) {
  const BoundaryLoops loops = boundary_loops(edges, fans);
  report.boundary_loops = loops.count();
  for (std::size_t i = 0; i < loops.count(); ++i) {
    if (!loops.closed[i]) ++report.unclosed_chains;
    ++report.components[components.of_face[edges.face_of[loops.loop(i)[0]]]].boundary_loops;
  }
}

void inspect_winding(const MeshEdges& edges, const MeshComponents& components, MeshReport& report) {
  const FaceTurns turns = face_turns(edges);
  for (std::uint32_t f = 0; f < edges.face_count(); ++f) {
    if (!turns.orientable[turns.patches.of_face[f]]) {
      report.components[components.of_face[f]].orientable = false;
    }
  }
}

/// Of the closed components, and of all together where all are closed.
void inspect_volumes(const PolygonSurface& surface, const MeshComponents& components,
                     MeshReport& report) {
  std::vector<std::vector<std::uint32_t>> faces(components.count);
  std::vector<bool> measurable(components.count, true);
  for (std::uint32_t f = 0; f < face_count(surface); ++f) {
    const std::uint32_t component = components.of_face[f];
    faces[component].push_back(f);
    for (const std::uint32_t c : corners_of(surface, f)) {
      if (!in_range(surface.vertices[c])) measurable[component] = false;
    }
  }
  report.closed = report.edges > 0;
  bool all_measurable = true;
  std::vector<std::uint32_t> all;
  for (std::size_t i = 0; i < components.count; ++i) {
    ComponentReport& component = report.components[i];
    report.closed = report.closed && component.closed;
    all_measurable = all_measurable && measurable[i];
    if (!component.closed || !measurable[i]) continue;
    component.volume_sign = volume_sign(surface, faces[i]);
    all.insert(all.end(), faces[i].begin(), faces[i].end());
  }
  if (report.closed && all_measurable) report.volume_sign = volume_sign(surface, all);
}

} // namespace

bool MeshReport::solid() const {
  const bool faultless = !few_corners && !repeated_corners && !on_a_line && !duplicate_faces &&
                         !opposite_faces && !crowded_edges && !crowded_vertices &&
                         !inconsistent_edges && !self_intersections && all_intersections;
  return usable() && closed && faultless && volume_sign > 0;
}

MeshReport inspect(const PolygonMesh& mesh, const InspectOptions& options) {
  MeshReport report;
  report.vertices = mesh.vertices.size();
  report.faces = mesh.face_count();
  report.corners = mesh.corners.size();
  if (const Result<void> fit = check_indices(mesh); !fit) report.misfit = fit.error().message;

  const UsableFaces usable = usable_faces(mesh, report);
  const PolygonSurface surface{mesh.vertices, usable.face_begin, usable.corners};
  const Result<MeshEdges> edges = mesh_edges(surface);
  if (!edges) return report; // more vertices than can be numbered: misfit says so
  const MeshFans fans = mesh_fans(*edges);
  const MeshComponents components = mesh_components(*edges, Connection::edge);

  inspect_vertices(surface, *edges, report);
  inspect_faces(surface, usable, options.tolerance > 0 ? options.tolerance : 0, report);
  inspect_edges(*edges, report);
  for (std::uint32_t v = 0; v < report.vertices; ++v) {
    if (fans.fans_at(v) > 1) report.crowded_vertices.add(v);
  }
  for (const TJunction& t : find_t_junctions(*edges, mesh.vertices, options.tolerance)) {
    report.t_junctions.add({t.vertex, edges->ends[edges->edge_of[t.half_edge]]});
  }
  const SelfIntersections crossing = self_intersections(surface);
  report.all_intersections = crossing.complete;
  for (const FacePair& pair : crossing.pairs) {
    report.self_intersections.add({usable.number[pair.a], usable.number[pair.b]});
  }
  report.components = count_components(*edges, fans, components, usable);
  inspect_borders(*edges, fans, components, report);
  inspect_winding(*edges, components, report);
  inspect_volumes(surface, components, report);
  return report;
}

} // namespace carom
