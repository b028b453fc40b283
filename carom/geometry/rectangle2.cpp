// A rectangle of least area has a side along an edge of the hull (Freeman and Shapira 1975). While the edge goes around, the three
// corners that touch the other sides go around too, so they are all found in one turn (Toussaint 1983).
//
// Whether a touching corner has to step on is asked of the edge that leaves it: does it still climb in the direction? Edges
// are differences of corners, right to an epsilon of their own length, and turn one way. So a wrong 'no' happens only where an edge is
// within a few epsilon of level, and all that follow climb no more than that: the loss is a few epsilon times the perimeter.
#include "carom/geometry/rectangle2.h"

#include <algorithm>
#include <cstddef>

namespace carom {
namespace {

struct Extent {
  double low = INFINITY, high = -INFINITY;

  void add(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
};

/// Around all corners, along a unit axis. Measured from the first corner: far from the origin that loses less.
Rectangle2 around(std::span<const Vec2> hull, const Vec2& axis) {
  Extent u;
  Extent v;
  for (const Vec2& p : hull) {
    u.add(dot(p - hull[0], axis));
    v.add(dot(p - hull[0], left(axis)));
  }
  const Vec2 center =
      hull[0] + axis * (0.5 * (u.low + u.high)) + left(axis) * (0.5 * (v.low + v.high));
  return {center, axis, 0.5 * (u.high - u.low), 0.5 * (v.high - v.low)};
}

class Calipers {
public:
  explicit Calipers(std::span<const Vec2> hull) : hull_(hull) {}

  /// The area of the rectangle with a side along the edge from corner i. To be called for i = 0, 1, 2, ... in turn.
  double area(std::size_t i, const Vec2& axis) {
    const Vec2 up = left(axis);
    right_ = climb(std::max(right_, i + 1), axis, i);
    top_ = climb(std::max(top_, right_), up, i);
    back_ = climb(std::max(back_, top_), -axis, i);
    return dot(at(right_) - at(back_), axis) * dot(at(top_) - at(i), up);
  }

private:
  [[nodiscard]] const Vec2& at(std::size_t i) const { return hull_[i % hull_.size()]; }

  /// Steps on while the next edge climbs; never past the edge's own start, one turn later.
  [[nodiscard]] std::size_t climb(std::size_t from, const Vec2& direction, std::size_t i) const {
    while (from < i + hull_.size() && dot(at(from + 1) - at(from), direction) > 0) ++from;
    return from;
  }

  std::span<const Vec2> hull_;
  std::size_t right_ = 0, top_ = 0, back_ = 0;
};

} // namespace

Rectangle2 min_area_rectangle(std::span<const Vec2> hull) {
  if (hull.empty()) return {};
  if (hull.size() < 3) return around(hull, normalized_or(hull.back() - hull[0], {1, 0}));
  Calipers calipers(hull);
  double least = INFINITY;
  Vec2 best{1, 0};
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const Vec2 axis = normalized_or(hull[(i + 1) % hull.size()] - hull[i], {1, 0});
    const double area = calipers.area(i, axis);
    if (area < least) {
      least = area;
      best = axis;
    }
  }
  return around(hull, best);
}

} // namespace carom
