// Two ways, by what A is.
//
// Corners. The signed distance from a convex B is a convex function. So over a polyhedron it is greatest at a corner. A rounding of A adds its radius to that, outside and inside alike: what is left of it above 0 is the answer.
//
// Directions. A point a is outside of B by the greatest n . a - h_B(n) over all unit vectors n, where h is how far a set reaches along n, if that is positive. So the farthest one of A is outside by the greatest of
// f(n) = h_A(n) - h_B(n): a search over directions. Between three directions v_i, n = sum of w_i v_i with w_i >= 0, h_A(n) <= sum of w_i h_A(v_i), and h_B(n) >= n . b for any point b of B. So
// f(n) <= sum of w_i (h_A(v_i) - v_i . b), which is g . n with g . v_i = h_A(v_i) - v_i . b; with b farthest in B along the middle of the three, it errs by the square of their distance. From a direction found to be good the search goes on
// to the one in which the farthest point along it is nearest to B: that is no worse.
#include "carom/query/convex_hausdorff.h"

#include "carom/query/closest_point.h"
#include "carom/query/core_pair.h"
#include "carom/query/direction_cells.h"
#include "carom/query/distance.h"
#include "carom/query/hausdorff_points.h"
#include "carom/query/point_shape.h"
#include "carom/shape/support.h"

#include <array>
#include <cmath>
#include <span>
#include <variant>

namespace carom {
namespace {

// --- Corners.

/// Calls body(corner) for all corners of a polyhedral core.
template<class Body>
struct ForEachCorner {
  Body body;

  void operator()(const Vec3& p) { body(p); }
  void operator()(const Segment& s) { several(std::array{s.a, s.b}); }
  void operator()(const Triangle& t) { several(std::array{t.a, t.b, t.c}); }
  void operator()(const Obb& box) {
    for (int i = 0; i < 8; ++i) body(box.corner(i));
  }
  void operator()(const Polytope& p) { several(p.vertices()); }
  void operator()(const BrushCore& b) { several(b.corners.vertices()); }
  template<class Curved>
  void operator()(const Curved&) {}

private:
  void several(std::span<const Vec3> corners) {
    for (const Vec3& p : corners) body(p);
  }
};

void search_corners(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                    HausdorffBounds& bounds) {
  const Frame frame = pose_a.frame();
  const double radius = a.rounding();
  PairCache cache;
  const auto look = [&](const Vec3& corner) {
    const Vec3 p = askable(frame.to_world(corner));
    if (radius == 0) {
      const Distance d = distance(point_shape(), Pose::at(p), b, pose_b, {}, &cache);
      bounds.add(d.lower_bound, [&] { return std::pair{p, d.on_b}; });
      bounds.put_aside(d.value);
      return;
    }
    const SurfacePoint s = closest_point(p, b, pose_b, &cache);
    const double lower = s.lower_bound + radius;
    const Vec3 outer = p + s.normal * radius;
    bounds.add(lower, [&] { return std::pair{outer, lower > 0 ? s.point : outer}; });
    bounds.put_aside(s.upper_bound + radius);
  };
  std::visit(ForEachCorner<decltype(look)>{look}, a.core());
}

// --- Directions.

class DirectionSearch {
public:
  struct Corner {
    Vec3 direction;
    Vec3 a, b; ///< the farthest points of the cores along it, in A's frame
  };

  DirectionSearch(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                  HausdorffBounds& bounds)
      : pair_(a, pose_a, b, pose_b), b_(b), pose_b_(pose_b), radius_a_(a.rounding()),
        radius_(a.rounding() - b.rounding()), bounds_(bounds) {}

  /// What search_directions asks.
  [[nodiscard]] double best() const { return bounds_.found(); }
  [[nodiscard]] static double ceiling() { return INFINITY; }
  Corner corner(const Vec3& n) {
    const Corner c = look(n);
    if (worth(c) > bounds_.found() + 0.125 * bounds_.allowed()) climb(c);
    return c;
  }
  [[nodiscard]] double bound(const std::array<Corner, 3>& corners) const {
    const auto& [u, v, w] = corners;
    const DirectionCap cap = cap_around(u.direction, v.direction, w.direction);
    const Vec3 b = pair_.b_in_a().to_world(pair_.support_b(cap.axis));
    // Each term is 0 or more where A is B: small numbers, whose roundings are small.
    const double scale = 1 / triple(u.direction, v.direction, w.direction);
    const Vec3 g = (cross(v.direction, w.direction) * dot(u.direction, u.a - b) +
                    cross(w.direction, u.direction) * dot(v.direction, v.a - b) +
                    cross(u.direction, v.direction) * dot(w.direction, w.a - b)) *
                   scale;
    return greatest_along(g, cap) + radius_;
  }

  Corner look(const Vec3& n) const {
    return {n, pair_.support_a(n), pair_.b_in_a().to_world(pair_.support_b(n))};
  }
  [[nodiscard]] double worth(const Corner& c) const {
    return dot(c.direction, c.a - c.b) + radius_;
  }

  void climb(Corner c) {
    for (int i = 0; i < most_climbing_steps && bounds_.has_budget(); ++i) {
      const double before = bounds_.found();
      const Vec3 outward = pair_.frame_a().direction_to_world(c.direction);
      const Vec3 p = askable(pair_.frame_a().to_world(c.a) + outward * radius_a_);
      const Distance d = distance(point_shape(), Pose::at(p), b_, pose_b_, {}, &cache_);
      bounds_.add(d.lower_bound, [&] { return std::pair{p, d.on_b}; });
      if (!(bounds_.found() > before)) return;
      c = look(normalized_or(pair_.frame_a().direction_to_local(-d.normal), c.direction));
    }
  }

private:
  static constexpr int most_climbing_steps = 32;

  CorePair pair_;
  const Shape& b_;
  const Pose& pose_b_;
  double radius_a_, radius_;
  HausdorffBounds& bounds_;
  PairCache cache_;
};

void search_all_directions(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                           HausdorffBounds& bounds) {
  DirectionSearch search(a, pose_a, b, pose_b, bounds);
  for (int i = 0; i < 6; ++i) (void)search.corner(unit_axis(i / 2) * (i % 2 == 0 ? 1 : -1));
  int cells = 0;
  bounds.put_aside(search_directions(search, bounds.allowed(), bounds.budget(), cells));
  bounds.add_others(cells);
}

/// Only along the normal of a half-space does it end.
void search_one_direction(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                          HausdorffBounds& bounds) {
  const Vec3 n =
      normalized(pose_b.frame().direction_to_world(std::get<HalfSpace>(b.core()).normal));
  const Frame frame = pose_a.frame();
  const Vec3 p = askable(frame.to_world(support_point(a, frame.direction_to_local(n))));
  const Distance d = distance(point_shape(), Pose::at(p), b, pose_b);
  bounds.add(d.lower_bound, [&] { return std::pair{p, d.on_b}; });
  bounds.put_aside(d.value);
}

} // namespace

void search_convex(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                   HausdorffBounds& bounds) {
  if (!b.bounded())
    search_one_direction(a, pose_a, b, pose_b, bounds);
  else if (a.polyhedral())
    search_corners(a, pose_a, b, pose_b, bounds);
  else
    search_all_directions(a, pose_a, b, pose_b, bounds);
}

} // namespace carom
