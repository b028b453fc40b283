// A search through all vertices that can be reached without going below the best one found by more than rounding.
//
// On a convex hull there is a way up, never down, from every vertex to a farthest one. In rounded numbers 'never down' is 'not
// down by more than the error of two dot products'; the vertices in that band are all tried, each once. A vertex that is passed over
// lies below the best for good, since the best only rises. So the answer is the farthest up to the band. The last found is tried
// first, which makes it a plain climb where there is no level stretch.
#include "carom/geometry/hull_climb.h"

#include "carom/math/tolerance.h"

#include <algorithm>

namespace carom {

std::uint32_t HullClimber::farthest(const HullGraph& hull, const Vec3& direction,
                                    std::uint32_t start) {
  const std::size_t n = hull.vertices.size();
  seen_ = 0;
  slack_ = 0;
  if (n == 0) return 0;
  if (mark_.size() != n || ++stamp_ == 0) {
    mark_.assign(n, 0);
    stamp_ = 1;
  }
  std::uint32_t best = start < n ? start : 0;
  const double direction_1 =
      std::fabs(direction.x) + std::fabs(direction.y) + std::fabs(direction.z);
  // A dot product is off by at most 2 epsilon of its terms; twice that between two.
  const auto band = [&](double size) { return 4 * tolerance::epsilon * size * direction_1; };
  double top = dot(hull.vertices[best], direction);
  double size = max_abs(hull.vertices[best]);
  open_.clear();
  open_.push_back(best);
  mark_[best] = stamp_;
  while (!open_.empty()) {
    const std::uint32_t v = open_.back();
    open_.pop_back();
    if (v + std::size_t{1} >= hull.first.size()) continue;
    // Left behind since it was found: no way to the top needs it.
    if (dot(hull.vertices[v], direction) < top - band(size)) continue;
    const std::size_t end = std::min<std::size_t>(hull.first[v + 1], hull.neighbors.size());
    for (std::size_t i = hull.first[v]; i < end; ++i) {
      const std::uint32_t w = hull.neighbors[i];
      if (w >= n || mark_[w] == stamp_) continue;
      const double height = dot(hull.vertices[w], direction);
      size = std::max(size, max_abs(hull.vertices[w]));
      if (!(height >= top - band(size))) continue;
      mark_[w] = stamp_;
      ++seen_;
      open_.push_back(w);
      if (height > top) {
        top = height;
        best = w;
      }
    }
  }
  slack_ = 32 * tolerance::epsilon * size * direction_1;
  return best;
}

} // namespace carom
