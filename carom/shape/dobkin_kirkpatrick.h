// The hierarchy of Dobkin and Kirkpatrick: the farthest vertex of a convex hull in O(log n) steps, whatever its form.
//
// From the hull, take away many vertices of which no two are neighbours, each with few neighbours; the hull of the rest is simpler and lies
// inside. Again, until a handful is left. A query starts there and goes back out, level by level. Its key: let w be farthest on a level. If
// something on the next finer level is farther, one of w's neighbours there is, it is one of those taken away, and since all neighbours
// of that one stay, it is the farthest of its level. So each step looks at a few vertices.
//
// That is so in real numbers. In rounded ones w may be second best by a last bit, and then so may be all that follows; on hulls with dense
// clusters of vertices the loss can grow from level to level. So a climb (geometry/hull_climb.h) finishes: mostly it looks at the answer's
// neighbours and is done.
//
// A Polytope's cells are quicker, at a hundred bytes or so a vertex. This is the classic, with a bound for the worst case.
#pragma once

#include "carom/geometry/hull_climb.h"
#include "carom/mesh/convex_hull.h"
#include "carom/shape/climb.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

class DobkinKirkpatrick {
public:
  /// Expected time O(n log n): a hull a level, each smaller by a constant factor.
  explicit DobkinKirkpatrick(const ConvexHull& hull);

  /// A farthest vertex of the hull: no other has a d . v that is greater, computed or exact, by more than 4 epsilon times the greatest |coordinate| times the sum
  /// of the |components| of d. The same one each time. Some vertex where d is not finite; 0 for a hull without any.
  /// The climber keeps the marks of the last steps, so that nothing is allocated once it is warm; one a thread, and any will do.
  [[nodiscard]] std::uint32_t farthest(const Vec3& d, HullClimber& climber) const;

  /// How many hulls there are, the given one included.
  [[nodiscard]] std::size_t levels() const { return finer_.size() + 1; }
  /// How many vertices the simplest hull has: at most 8 unless the rest would be flat. They are all looked at.
  [[nodiscard]] std::size_t top_size() const { return top_size_; }

private:
  // Vertices are numbered anew here: those of the simplest hull first, then those taken away last, and so on. A hull is then a first part
  // of the array.
  std::vector<Vec3> vertices_;
  std::vector<std::uint32_t> number_; ///< in the given hull
  std::size_t top_size_ = 0;
  std::vector<Neighbors>
      finer_; ///< per level, the simplest first: a vertex's neighbours on the next finer level that are not on this one
  Neighbors edges_; ///< of the given hull
};

} // namespace carom
