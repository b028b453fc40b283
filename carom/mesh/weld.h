// Welding: vertices closer together than a given length become one.
//
// The rule. Vertices are taken in the order of their coordinates (by x, then y, then z). Each goes to the nearest vertex kept so far that is within
// epsilon of it (of equally near ones, the first kept); where there is none, it is kept itself, where it stands. So
//   no two kept vertices are within epsilon of each other;
//   no vertex moves farther than epsilon (along a row of vertices, others' methods let them drift without bound);
//   the result depends on where the vertices are, and not on how they are numbered.
// Two vertices within epsilon of each other may still go to different ones, each within epsilon: a row has to be cut somewhere.
#pragma once

#include "carom/math/result.h"
#include "carom/mesh/polygon_mesh.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct Welding {
  std::vector<std::uint32_t> kept; ///< per vertex: the vertex it goes to; itself where it is kept
  std::size_t merged = 0;          ///< vertices that go to another
  double greatest_move = 0;        ///< the farthest that any goes, a length
};

/// Which vertices become one. Epsilon 0: those that are exactly equal (0 and -0 are). Touching counts: a distance of epsilon, as computed in double, is
/// within it. By a grid of cells with sides of epsilon, sorted: O(n log n), however the vertices are spread.
///
/// Errors: not_finite, out_of_range for the coordinates; out_of_range where epsilon is negative, not a number, above 1e30, or too small: below 4 spacings of
/// doubles at the greatest |coordinate| (2^-50 times it) two vertices that mean the same point may be farther apart by rounding alone.
[[nodiscard]] Result<Welding> weld_vertices(std::span<const Vec3> vertices, double epsilon);
/// The same for chosen vertices only; the others are kept, and nothing goes to them. `chosen` ascends.
[[nodiscard]] Result<Welding> weld_vertices(std::span<const Vec3> vertices, double epsilon,
                                            std::span<const std::uint32_t> chosen);

struct WeldedMesh {
  PolygonMesh mesh;
  std::vector<std::uint32_t> vertex_of; ///< per vertex of the old mesh: its vertex in the new one
  std::vector<std::uint32_t> face_of;   ///< per face of the new mesh: the old face it comes from
  std::size_t merged_vertices = 0;
  double greatest_move = 0;
  std::size_t dropped_corners =
      0; ///< of faces that are still there: corners that became one, and spikes (out to a corner and back)
  std::size_t dropped_faces = 0; ///< faces that are left with fewer than three different corners
};

/// The mesh with its vertices welded. Vertices without a face are kept. Vertices are numbered in the order of the lowest that goes to each; faces keep
/// their order, materials and parts. Faces that become flat, double or pinched (the same vertex at two places) stay: inspect() counts them.
/// Faces that had fewer than three different corners before go, too, and count as dropped.
/// Errors: as above, and out_of_range where the arrays do not fit together (check_indices).
[[nodiscard]] Result<WeldedMesh> weld(const PolygonMesh& mesh, double epsilon);

/// The mesh after a welding of its vertices, which fits it.
[[nodiscard]] WeldedMesh apply_welding(const PolygonMesh& mesh, const Welding& welding);

} // namespace carom
