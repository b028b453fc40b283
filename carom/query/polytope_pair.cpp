#include "carom/query/polytope_pair.h"

#include "carom/math/tolerance.h"
#include "carom/query/relative_frame.h"

#include <algorithm>

namespace carom {
namespace {

/// The roundings of a gap: two frames into one, a direction and a point through it, the products, the unit vector. As for cores (core_pair.cpp).
constexpr double gap_roundings = 16;

double extent(const Polytope& p) {
  return std::max(max_abs(p.bounds().min), max_abs(p.bounds().max));
}

/// The sides of a pair as the slow search sees them, both in A's frame.
struct SideA {
  const PolytopePair& pair;
};
struct SideB {
  const PolytopePair& pair;
  Vec3 move;
};
Vec3 support_point(const SideA& a, const Vec3& d) {
  return a.pair.a().vertices()[a.pair.a().farthest(d)];
}
Vec3 support_point(const SideB& b, const Vec3& d) {
  const Frame& frame = b.pair.b_in_a();
  const std::uint32_t i = b.pair.b().farthest(frame.direction_to_local(d));
  return frame.to_world(b.pair.b().vertices()[i]) + b.move;
}

} // namespace

PolytopePair::PolytopePair(const Polytope& a, const Pose& pose_a, const Polytope& b,
                           const Pose& pose_b)
    : a_(a), b_(b), frame_a_(pose_a.frame()), frame_b_(pose_b.frame()),
      b_in_a_(seen_from(frame_a_, frame_b_)),
      size_(extent(a) + extent(b) + max_abs(b_in_a_.origin)),
      rounding_(gap_roundings * tolerance::epsilon * size_) {}

PolytopePair::Points PolytopePair::points(std::span<const Corner> corners,
                                          std::span<const double> weights) const {
  Vec3 on_a;
  Vec3 on_b;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    on_a += a_.vertices()[corners[i].a] * weights[i];
    on_b += b_.vertices()[corners[i].b] * weights[i];
  }
  return {frame_a_.to_world(on_a), frame_b_.to_world(on_b)};
}

GjkResult search_slowly(const PolytopePair& pair, double question, const Vec3& move) {
  const SideA a{pair};
  const SideB b{pair, move};
  return gjk(ConvexView(a), ConvexView(b), question);
}

ShapeOverlap settled_overlap(const PolytopePair& pair, int iterations, MethodTrace* trace) {
  if (trace) trace->settled = true;
  const GjkResult r = search_slowly(pair, pair.rounding());
  const Frame& frame = pair.frame_a();
  iterations += r.iterations;
  if (pair.gap(r.axis) > pair.rounding())
    return {Overlap::separated(frame.direction_to_world(r.axis)), Status::ok, iterations};
  const Vec3 middle = (r.closest.on_a + r.closest.on_b) * 0.5;
  const bool touching = r.closest.distance <= 2 * pair.rounding();
  return {Overlap::at(frame.to_world(middle)), touching ? Status::ok : Status::wide, iterations};
}

Distance settled_distance(const PolytopePair& pair, int iterations, MethodTrace* trace) {
  if (trace) trace->settled = true;
  const GjkResult r = search_slowly(pair);
  const Frame& frame = pair.frame_a();
  Distance d;
  d.iterations = iterations + r.iterations;
  d.on_a = frame.to_world(r.closest.on_a);
  d.on_b = frame.to_world(r.closest.on_b);
  if (r.closest.distance <= pair.rounding()) {
    d.on_a = d.on_b = (d.on_a + d.on_b) * 0.5;
    return d;
  }
  d.value = r.closest.distance;
  // Along the line between the points, if that proves as much; else the search's own axis, which differs by the root of an epsilon at most.
  Vec3 axis = normalized(r.closest.on_b - r.closest.on_a);
  if (d.value - pair.gap(axis) > pair.agreement()) axis = r.axis;
  d.lower_bound = std::clamp(pair.gap(axis) - pair.rounding(), 0.0, d.value);
  d.normal = frame.direction_to_world(axis);
  if (d.value - d.lower_bound > pair.agreement() + pair.rounding()) d.status = Status::wide;
  return d;
}

} // namespace carom
