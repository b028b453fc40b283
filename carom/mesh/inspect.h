// What is wrong with a mesh: counted, with the first few places, and in sentences. Nothing is changed; repair is in the headers named below.
#pragma once

#include "carom/mesh/mesh_edges.h"
#include "carom/mesh/polygon_mesh.h"
#include "carom/mesh/self_intersections.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// How many of a kind there are, and the first of them in ascending order.
template<class T>
struct Findings {
  static constexpr std::size_t listed = 8; ///< at most this many in `first`

  std::size_t count = 0;
  std::vector<T> first;

  void add(const T& item) {
    if (count++ < listed) first.push_back(item);
  }
  explicit operator bool() const { return count > 0; }
};
using VertexFindings = Findings<std::uint32_t>;
using FaceFindings = Findings<std::uint32_t>;
using EdgeFindings = Findings<MeshEdges::Ends>; ///< an edge by its vertices

/// A vertex in the inside of an open edge (t_junctions.h).
struct TJunctionFinding {
  std::uint32_t vertex = 0;
  MeshEdges::Ends edge;
};

/// One piece of the surface: faces joined by common edges.
struct ComponentReport {
  std::uint32_t first_face = 0; ///< the lowest
  std::size_t vertices = 0, edges = 0, faces = 0;
  std::size_t boundary_loops = 0;
  /// No edge has a third face, and every vertex has one fan of this component's faces.
  bool manifold = true;
  /// Along every edge as many faces run one way as the other.
  bool closed = true;
  /// The faces can be wound consistently, and whether they are. (Edges of three faces or more have no say.)
  bool orientable = true, consistent = true;
  /// Where closed, the exact sign of the volume: 1 counter-clockwise from outside, -1 inside out, 0 flat. Else 0, or where a coordinate is
  /// out of range.
  int volume_sign = 0;

  /// vertices - edges + faces: 2 for a sphere, 0 for a torus, 1 for a disc.
  [[nodiscard]] std::int64_t euler() const {
    return static_cast<std::int64_t>(vertices) - static_cast<std::int64_t>(edges) +
           static_cast<std::int64_t>(faces);
  }
  /// Where manifold: the number of handles, or of cross-caps where it is not orientable (Moebius strip 1, Klein bottle 2). By
  /// Euler's formula, each boundary loop closed with a disc.
  [[nodiscard]] std::optional<std::int64_t> genus() const {
    if (!manifold) return std::nullopt;
    const std::int64_t missing = 2 - euler() - static_cast<std::int64_t>(boundary_loops);
    return orientable ? missing / 2 : missing;
  }
};

struct MeshReport {
  std::size_t vertices = 0, faces = 0, corners = 0, edges = 0;
  std::size_t triangles = 0; ///< faces of three corners

  /// Empty, or the sentence of check_indices: the arrays do not fit together. All that follows is then about the usable faces.
  std::string misfit;
  FaceFindings unusable_faces; ///< corners that are not there

  VertexFindings not_finite;         ///< a coordinate is NaN or infinite
  VertexFindings out_of_range;       ///< a coordinate is finite, and not 0 nor 1e-30 <= |x| <= 1e30
  VertexFindings duplicate_vertices; ///< exactly equal to a lower one. weld.h
  VertexFindings unreferenced_vertices; ///< corner of no face. clean.h

  FaceFindings few_corners;      ///< fewer than three different vertices. clean.h
  FaceFindings repeated_corners; ///< a vertex more than once
  FaceFindings on_a_line;        ///< three vertices or more, exactly on a line. clean.h
  FaceFindings duplicate_faces;  ///< the corners of a lower face, wound the same way. clean.h
  FaceFindings
      opposite_faces; ///< the corners of a lower face, wound the other way, and no duplicate. clean.h
  FaceFindings not_flat;      ///< a corner off the face's plane by more than the tolerance
  double greatest_height = 0; ///< of any face: its greatest distance of a corner from its plane
  std::uint32_t highest_face = 0;

  EdgeFindings open_edges;                ///< of one face
  EdgeFindings crowded_edges;             ///< of three faces or more: not a manifold there
  EdgeFindings inconsistent_edges;        ///< of two faces that run along it the same way. orient.h
  VertexFindings crowded_vertices;        ///< of two fans or more: not a manifold there
  Findings<TJunctionFinding> t_junctions; ///< stitch.h
  /// Faces that cut into each other, touch, or are folded onto each other: self_intersections.h.
  Findings<FacePair> self_intersections;
  bool all_intersections =
      true; ///< false where the search for them was given up: there may be more
  std::size_t boundary_loops = 0;  ///< chains of open edges
  std::size_t unclosed_chains = 0; ///< those of them that do not close, at edges of three faces

  std::vector<ComponentReport> components; ///< in the order of their first faces
  bool closed = false;                     ///< there are faces, and every component is closed
  int volume_sign = 0;                     ///< where closed: of all faces together, exactly

  /// Whether every function that measures accepts the mesh: check_usable succeeds, on the surface.
  [[nodiscard]] bool usable() const { return misfit.empty() && !not_finite && !out_of_range; }
  /// Whether it bounds a solid in the strict sense: usable, closed, manifold, consistent, its volume positive, nothing degenerate or double, and it does not
  /// pass through itself.
  [[nodiscard]] bool solid() const;
};

struct InspectOptions {
  /// A length: vertices this close to the inside of an open edge are T-junctions, faces with corners farther than this from their plane are not
  /// flat. 0: exact T-junctions, and flat up to rounding (16 epsilon times the greatest |coordinate| of the face, which is always allowed).
  double tolerance = 0;
};

/// The report. Any content is accepted. O(n log n), and what there is of self-intersections.
[[nodiscard]] MeshReport inspect(const PolygonMesh& mesh, const InspectOptions& options = {});

/// The report for people: what it is, then a line for each kind of fault there is.
[[nodiscard]] std::string describe(const MeshReport& report);

} // namespace carom
