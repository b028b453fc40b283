// A ray out of the difference of the shapes.
//
// Let both be placed with their centres at the origin, and w lead from A's centre to B's in the world. c_a + s (a - c_a) = c_b + s (b - c_b) says that w / s = a - b: so s is the
// least for which w / s lies in A - B, and 1 / s says how far along w the ray from the origin leaves A - B, which contains the origin. Seen from outside:
// B comes from afar along -w, toward coinciding centres; it touches A when it is still w / s away. That is a first contact: with t = -1 / s, A moves by t w from
// minus infinity on. The axis w itself is a bound to start from: along it, no point of A - B is farther than both extents.
//
// Every axis n with n . w > 0 gives a lower bound of s: n . w over the extent of A - B along n. The contact's points give the upper one.
#include "carom/query/growth_distance.h"

#include "carom/geometry/overlap.h"
#include "carom/query/distance.h"
#include "carom/query/first_contact.h"
#include "carom/query/half_space_pair.h"
#include "carom/query/point_shape.h"
#include "carom/query/rounded.h"

#include <algorithm>

namespace carom {
namespace {

/// A shape and its centre, in the world.
struct Grown {
  const Shape& shape;
  const Pose& pose;
  Vec3 center;

  Grown(const Shape& given, const Pose& given_pose, const Vec3& local)
      : shape(given), pose(given_pose), center(given_pose.frame().to_world(local)) {}

  /// With the centre at the origin.
  [[nodiscard]] Pose centered(const Vec3& local) const {
    return {pose.rotation, -pose.frame().direction_to_world(local)};
  }
};

bool is_center(const Vec3& center, const Shape& shape) {
  constexpr double border = 1e-12;
  const double slack = border * (shape.size() + max_abs(center));
  const Distance d = distance(point_shape(), Pose::at(center), shape, {}, {.threshold = slack});
  return d.status != Status::bad_input && d.value <= slack;
}

/// Where both centres stand, and what the value is without any search.
GrowthDistance at_centers(const Grown& a, const Grown& b, double value, const Vec3& normal) {
  GrowthDistance g;
  g.value = g.lower_bound = g.upper_bound = value;
  g.on_a = a.center;
  g.on_b = b.center;
  g.normal = normal;
  return g;
}

/// The difference of the shapes has no extent along the normal that could be told from none. `least`: the value is not less. That says something only where the centres are apart along the
/// normal; where they are not, to within rounding, nothing is known.
GrowthDistance never(const Grown& a, const Grown& b, const Vec3& normal, double least) {
  GrowthDistance g = at_centers(a, b, INFINITY, normal);
  const Vec3 between = b.center - a.center;
  const bool apart = dot(normal, between) > 8 * tolerance::epsilon * length(between);
  g.lower_bound = apart ? least : 0;
  g.status = apart ? Status::ok : Status::wide;
  return g;
}

/// A few operations.
constexpr double rounded_down = 1 - 8 * tolerance::epsilon;
constexpr double rounded_up = 1 + 8 * tolerance::epsilon;
/// Extents below so many roundings count as none.
constexpr double least_extent = 4;

/// The half-space through the centre, which a half-space shrinks to.
HalfSpace shrunk(const Grown& g) {
  const Vec3 n = normalized(std::get<HalfSpace>(g.shape.core()).normal);
  const Vec3 world = normalized(g.pose.frame().direction_to_world(n));
  return {world, dot(world, g.center)};
}

/// Shrunk to nothing, a half-space still has the other's centre in it, or a point in common with another half-space.
GrowthDistance within_border(const Grown& a, const Grown& b, const Vec3& normal) {
  GrowthDistance g = at_centers(a, b, 0, normal);
  if (!a.shape.bounded() && !b.shape.bounded()) {
    g.on_a = overlap(shrunk(a), shrunk(b)).point;
  } else if (!a.shape.bounded()) {
    g.on_a = b.center;
  }
  g.on_b = g.on_a;
  return g;
}

/// Only along its own normal has a half-space an end. `touch` is the pair with both centres at the origin.
GrowthDistance grow_half_space(const Grown& a, const Grown& b, const HalfSpaceAnswer& touch) {
  const SignedDistance& s = touch.distance;
  const double apart = dot(s.normal, b.center - a.center);
  if (s.value == -INFINITY || !(apart > 0)) return within_border(a, b, s.normal);
  const double extent = -s.value;
  const double rounding = s.value - s.lower_bound;
  // A centre may be outside of its shape by a hair: then there is less than no extent.
  const double most = extent + rounding;
  const double least = most > 0 ? apart / most * rounded_down : INFINITY;
  if (!(extent > least_extent * rounding)) return never(a, b, s.normal, least);
  GrowthDistance g;
  g.value = apart / extent;
  g.lower_bound = least;
  g.upper_bound = apart / (extent - rounding) * rounded_up;
  // The border has a point wherever it is wanted: where the other shape is lowest.
  g.on_a = a.shape.bounded() ? a.center + s.on_a * g.value : b.center + s.on_b * g.value;
  g.on_b = g.on_a;
  g.normal = s.normal;
  g.iterations = s.iterations;
  return g;
}

GrowthDistance grow(const Grown& a, const Grown& b, const CorePair& pair, PairCache& cache) {
  const Frame& frame = pair.frame_a();
  const Vec3 w = frame.direction_to_local(b.center - a.center);
  CoreMotion motion{.velocity = w,
                    .radius = a.shape.rounding() + b.shape.rounding(),
                    .until = 0,
                    .axis = normalized(w)};
  motion.from = std::min(kept_apart_until(pair, motion, motion.axis), 0.0);
  const FirstContact found = first_contact(pair, motion, cache);
  const Vec3 normal = frame.direction_to_world(found.axis);
  const double extent = dot(found.axis, pair.corner_toward(found.axis).difference) + motion.radius;
  const bool ends = found.kind != FirstContact::Kind::miss && found.t < 0;
  const double least = ends ? -1 / found.t * rounded_down : INFINITY;
  if (!ends || !(extent > least_extent * pair.rounding())) return never(a, b, normal, least);

  const CoreDistance& cores = found.cores;
  const Vec3 toward_b = frame.direction_to_world(normalized_or(cores.between, found.axis));
  const Vec3 on_a = frame.to_world(cores.on_a) + toward_b * a.shape.rounding();
  const Vec3 on_b = pair.frame_b().to_world(cores.on_b) - toward_b * b.shape.rounding();
  const double reached = dot(normal, on_a - on_b) - pair.rounding();
  GrowthDistance g;
  g.value = -1 / found.t; // rounded down, as the contact is; the points touch at this scale
  g.lower_bound = least;
  g.upper_bound = reached > 0 ? dot(found.axis, w) / reached * rounded_up : INFINITY;
  g.upper_bound = std::max(g.upper_bound, g.value);
  g.on_a = a.center + on_a * g.value;
  g.on_b = b.center + on_b * g.value;
  g.normal = normal;
  g.status = found.kind == FirstContact::Kind::unknown ? Status::wide : Status::ok;
  g.iterations = found.iterations;
  return g;
}

} // namespace

GrowthDistance growth_distance(const Shape& shape_a, const Pose& pose_a, const Vec3& center_a,
                               const Shape& shape_b, const Pose& pose_b, const Vec3& center_b,
                               PairCache* cache) {
  if (!shape_a.convex() || !shape_b.convex()) return {.status = Status::bad_input};
  if (!in_range(pose_a) || !in_range(pose_b) || !is_center(center_a, shape_a) ||
      !is_center(center_b, shape_b)) {
    return {.status = Status::bad_input};
  }
  const Grown a(shape_a, pose_a, center_a);
  const Grown b(shape_b, pose_b, center_b);
  if (a.center == b.center) return at_centers(a, b, 0, {1, 0, 0});
  const Pose centered_a = a.centered(center_a);
  const Pose centered_b = b.centered(center_b);
  if (!shape_a.bounded() || !shape_b.bounded())
    return grow_half_space(a, b, half_space_pair(shape_a, centered_a, shape_b, centered_b));
  PairCache own;
  return grow(a, b, CorePair(shape_a, centered_a, shape_b, centered_b), cache ? *cache : own);
}

} // namespace carom
