// A closed convex surface of triangles around the origin that grows corner by corner: what the expanding polytope expands. Internal to the queries.
//
// What usually breaks here is the surface: a face seen from a point by one test and not by another leaves a hole. The corners
// are doubles, so whether a face sees a point has an exact answer, and orient3d gives it. A point that no face sees is never added; where
// one sees it strictly, no new triangle is degenerate. So the surface stays closed and convex whatever the input.
//
// New faces take the places of those that a new corner removes, so that there are never gaps: a surface of n corners has 2 n - 4 faces, few enough to look at all of them, eight at a
// time, for the nearest and for those that see a point. No heap, no walk from neighbour to neighbour.
#pragma once

#include "carom/query/core_pair.h"
#include "carom/query/face_lanes.h"

#include <algorithm>
#include <array>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

class PolytopeSurface {
public:
  using Corner = CorePair::Corner;
  using Index = std::uint32_t;

  /// A face as it is now: another may stand at its index after the next expansion.
  struct Face {
    Index index = 0;
    Vec3 normal; ///< a unit vector, outward
    /// Of its plane from the origin, negative where the origin is outside; to within slack().
    double distance = 0;
    double reach = INFINITY; ///< of A - B along the normal, once looked for
  };

  /// A tetrahedron of four corners that do not lie in a plane, in any order. `size` is the length that rounding errors are relative to.
  void start(const std::array<Corner, 4>& corners, double size);

  /// How much the distance of a face may be off.
  [[nodiscard]] double slack() const { return slack_; }

  /// The face nearest to the origin of those that were not taken before, the one of least index of equals. False where all were.
  bool take_nearest(Face& face);
  /// Replaces the faces that see a corner by a fan of triangles from there to their rim. False where none sees it: it is inside.
  bool expand(const Corner& corner);

  /// The least distance of a face, and of a face that was taken and is still there. Infinity where there is none.
  [[nodiscard]] double least_distance() const;
  [[nodiscard]] double least_taken_distance() const;

  /// A point of a face, by the corners and their weights.
  struct Mixture {
    std::array<const Corner*, 3> corner;
    std::array<double, 3> weight;
  };
  /// The point of face f's plane below the origin, in the triangle that has it. A face of A - B is many triangles in one plane; the point is in the
  /// one found first, or in another: toward it, from neighbour to neighbour. (It is in one of them. It belongs to A - B; were
  /// it outside of the polytope, the way to it would leave through a face nearer than f.)
  [[nodiscard]] Mixture below_origin(const Face& f) const;

private:
  /// Side i of a face runs from vertex[i] to vertex[i + 1]. Sides are numbered 4 * face + i.
  struct Topology {
    std::array<Index, 3> vertex; ///< counter-clockwise seen from outside
    std::array<Index, 3> twin;   ///< per side: the same edge as a side of the neighbour
  };
  struct Edge {
    Index from, to;
    Index beyond; ///< the side of the face that stays
  };
  struct Weighted {
    Index face;
    std::array<double, 3> weight;
  };

  [[nodiscard]] const Vec3& point(Index i) const { return corners_[i].difference; }
  [[nodiscard]] Vec3 normal(Index f) const {
    const FaceBlock& b = blocks_[f / 8];
    return {b.x[f % 8], b.y[f % 8], b.z[f % 8]};
  }
  [[nodiscard]] double distance(Index f) const { return blocks_[f / 8].distance[f % 8]; }
  [[nodiscard]] bool is_visible(Index f) const { return visible_[f / 8] >> (f % 8) & 1; }

  /// Coordinates so small that orient3d is not made for them become 0, which nothing else feels.
  [[nodiscard]] Corner without_dust(const Corner& c) const;
  /// Sets visible_ to the faces that p is strictly outside of. False where there is none.
  bool find_visible(const Vec3& p);
  /// Finds the rim of the visible faces, whose places are free then.
  void find_rim();
  /// Whether the rim is one loop. It is, as long as signs are exact; they are not for numbers beyond 1e90, which only a user's support function can bring.
  bool is_loop();
  /// Makes the faces from the rim to the last corner.
  void add_fan();
  /// Fills a gap with the last face.
  void move_last_to(Index gap);
  void set_plane(Index f, const Vec3& normal, double distance);
  /// Eight or fewer rim edges, from number `first` on.
  void set_planes(std::size_t first, std::size_t count);
  [[nodiscard]] Weighted weights_at(Index f, const Vec3& n, const Vec3& p) const;

  const FaceLanes lanes_ = FaceLanes::widest();
  double slack_ = 0;
  double nothing_ = 0; ///< coordinates below this count as 0
  std::vector<Corner> corners_;
  std::vector<Topology> topology_; ///< one per face
  std::vector<FaceBlock> blocks_;  ///< the planes of the faces
  std::vector<std::uint8_t> visible_, unsure_;
  // Of the expansion that goes on; the lists keep their length, so that nothing is cleared each time.
  std::vector<Edge> rim_; ///< around the faces that see the new corner
  std::vector<Index>
      places_; ///< per rim edge: where the new face goes. The first are those of the faces removed
  std::vector<Index> starts_; ///< per corner of the rim: the new face whose edge begins there
  std::size_t rim_edges_ = 0, removed_ = 0;
};

} // namespace carom
