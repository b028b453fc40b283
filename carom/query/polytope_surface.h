// A closed convex surface of triangles around the origin that grows corner by corner: what the expanding polytope expands. Internal to the queries.
//
// What usually breaks here is the surface: a face seen from a point by one test and not by another leaves a hole. The corners
// are doubles, so whether a face sees a point has an exact answer, and orient3d gives it. A point that a face does not see is never added; where
// the face sees it strictly, no new triangle is degenerate. So the surface stays closed and convex whatever the input.
#pragma once

#include "carom/query/core_pair.h"

#include <algorithm>
#include <array>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

class PolytopeSurface {
public:
  using Corner = CorePair::Corner;
  using Index = std::uint32_t;

  struct Face {
    std::array<Index, 3> vertex{};   ///< counter-clockwise seen from outside
    std::array<Index, 3> neighbor{}; ///< across the edge from vertex[i] to vertex[i + 1]
    Vec3 normal;                     ///< a unit vector, outward
    double distance = 0;     ///< of its plane from the origin, negative where the origin is outside; to within slack()
    double reach = INFINITY; ///< of A - B along the normal, once looked for
    Index seen = 0;          ///< the last expansion in which the new corner was found to be outside
    bool alive = true;
  };

  /// A tetrahedron of four corners that do not lie in a plane, in any order. `size` is the length that rounding errors are relative to.
  void start(const std::array<Corner, 4>& corners, double size);

  /// How much the distance of a face may be off.
  [[nodiscard]] double slack() const { return slack_; }
  /// Faces farther than this need not be listed any more: they are not the nearest.
  void forget_beyond(double distance) { limit_ = std::min(limit_, distance + slack_); }

  [[nodiscard]] std::vector<Face>& faces() { return faces_; }
  [[nodiscard]] const Corner& corner(Index i) const { return corners_[i]; }

  /// Takes the face nearest to the origin off the list, the oldest of equals. False where none is left.
  bool take_nearest(Index& face);
  /// Whether p is strictly outside of the face's plane.
  [[nodiscard]] bool sees(Index face, const Vec3& p) const;
  /// Any face that sees p. False where p is inside.
  [[nodiscard]] bool find_seeing(const Vec3& p, Index& face) const;
  /// Replaces the faces that see w by a fan of triangles from w to their rim. `first` sees it.
  void expand(Index first, const Corner& w);

  /// A point of a face, by the weights of its corners.
  struct Weighted {
    Index face;
    std::array<double, 3> weight;
  };
  /// The point of face f's plane below the origin, in the triangle that has it. A face of A - B is many triangles in one plane; the point is in the
  /// one found first, or in another: toward it, from neighbour to neighbour. (It is in one of them. It belongs to A - B; were
  /// it outside of the polytope, the way to it would leave through a face nearer than f.)
  [[nodiscard]] Weighted below_origin(Index f) const;

private:
  struct Edge {
    Index from, to; ///< as the visible face has it
    Index face;     ///< beyond, and which of its edges this is
    std::size_t side;
  };
  /// Faces, nearest first; of equals, the older.
  struct Entry {
    double distance;
    Index face;

    bool operator<(const Entry& other) const {
      return distance != other.distance ? distance > other.distance : face > other.face;
    }
  };

  [[nodiscard]] const Vec3& point(Index i) const { return corners_[i].difference; }
  void make_face(Index a, Index b, Index c, const std::array<Index, 3>& neighbors);
  void collect_visible(Index first, const Vec3& p);
  [[nodiscard]] Weighted weights_at(Index f, const Vec3& n, const Vec3& p) const;

  double slack_ = 0;
  double limit_ = INFINITY;
  std::vector<Corner> corners_;
  std::vector<Face> faces_;
  std::vector<Entry> heap_;
  std::vector<Index> stack_, starts_;
  std::vector<Edge> rim_;
  Index expansions_ = 0;
};

} // namespace carom
