#include "carom/shape/rounded_points.h"

#include "carom/math/tolerance.h"
#include "carom/mesh/convex_hull.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

namespace carom {
namespace {

constexpr std::size_t most_points = 100'000;

using Found = std::optional<RoundedPoints>;

/// What vanishes beside the rest is 0: convex_hull takes no coordinate below the range.
Vec3 in_range(Vec3 p) {
  for (int i = 0; i < 3; ++i) {
    if (std::fabs(p[i]) < tolerance::coordinate_min) p[i] = 0;
  }
  return p;
}

/// What one rounding of each coordinate comes to.
double rounding_of(std::span<const Vec3> points) {
  double size = 0;
  for (const Vec3& p : points) size = std::max(size, max_abs(p));
  return 2 * tolerance::epsilon * size;
}

Found from_points(std::span<const Vec3> points) {
  RoundedPoints result;
  result.origin = points[0];
  result.points.reserve(points.size());
  for (const Vec3& p : points) result.points.push_back(in_range(p - points[0]));
  result.error = rounding_of(result.points);
  return result;
}

/// Only the corners of their hull, so that sums of sums stay small. The last operation rounded each point.
Found pruned(RoundedPoints found) {
  for (Vec3& p : found.points) p = in_range(p);
  found.error += rounding_of(found.points);
  Result<ConvexHull> hull = convex_hull(found.points);
  if (!hull) return std::nullopt;
  found.points = std::move(hull->vertices);
  return found;
}

/// A segment around its middle, or a point.
Found from_middle(const Vec3& middle, const Vec3& half) {
  RoundedPoints result;
  result.origin = middle;
  result.points.push_back(in_range(half));
  if (half != Vec3{}) result.points.push_back(in_range(-half));
  result.error = rounding_of(result.points);
  return result;
}

/// The core's rounding is added by the caller.
struct PointsOf {
  Found operator()(const Vec3& p) const { return from_middle(p, {}); }
  Found operator()(const Segment& s) const { return from_points(std::array{s.a, s.b}); }
  Found operator()(const Triangle& t) const { return from_points(std::array{t.a, t.b, t.c}); }
  Found operator()(const Obb& b) const {
    RoundedPoints result;
    result.origin = b.center;
    const Obb centered{{}, b.axes, b.half};
    for (int i = 0; i < 8; ++i) result.points.push_back(in_range(centered.corner(i)));
    result.error = 4 * rounding_of(result.points);
    return result;
  }
  Found operator()(const Cylinder& c) const {
    return c.radius > 0 ? Found() : from_middle(c.center, c.axis * c.half_height);
  }
  Found operator()(const Cone& c) const {
    const Vec3 half = c.axis * (c.height / 2);
    return c.radius > 0 ? Found() : from_middle(c.apex + half, half);
  }
  Found operator()(const TaperedCapsule& c) const {
    if (c.radius_a != c.radius_b) return std::nullopt;
    Found result = from_points(std::array{c.a, c.b});
    result->rounding = c.radius_a;
    return result;
  }
  Found operator()(const Ellipsoid& e) const {
    if (e.radii.x != e.radii.y || e.radii.y != e.radii.z) return std::nullopt;
    Found result = from_middle(e.center, {});
    result->rounding = e.radii.x;
    return result;
  }
  Found operator()(const Polytope& p) const {
    return p.vertices().size() <= most_points ? from_points(p.vertices()) : Found();
  }
  Found operator()(const HalfSpace&) const { return std::nullopt; }
  Found operator()(const BrushCore& b) const { return (*this)(b.corners); }
  Found operator()(const CustomCore&) const { return std::nullopt; }

  Found operator()(const SumCore& s) const {
    const Found a = rounded_points(*s.a);
    const Found b = a ? rounded_points(*s.b) : Found();
    if (!b || a->points.size() * b->points.size() > most_points) return std::nullopt;
    RoundedPoints sum{{}, a->origin + b->origin, a->rounding + b->rounding, a->error + b->error, 0};
    sum.origin_error = a->origin_error + b->origin_error + rounding_of(std::array{sum.origin});
    for (const Vec3& p : a->points) {
      for (const Vec3& q : b->points) sum.points.push_back(p + q);
    }
    return pruned(std::move(sum));
  }
  Found operator()(const HullOfTwoCore& h) const {
    Found a = rounded_points(*h.a);
    const Found b = a ? rounded_points(*h.b) : Found();
    if (!b || a->rounding != b->rounding || a->points.size() + b->points.size() > most_points)
      return std::nullopt;
    const Vec3 apart = b->origin - a->origin;
    for (const Vec3& p : b->points) a->points.push_back(apart + p);
    a->error = std::max(a->error, b->error) + a->origin_error + b->origin_error +
               rounding_of(std::array{apart});
    return pruned(std::move(*a));
  }
  Found operator()(const ScaledCore& s) const {
    Found found = rounded_points(*s.shape);
    const Vec3 size = abs(s.factors);
    const bool uniform = size.x == size.y && size.y == size.z;
    if (!found || (found->rounding > 0 && !uniform)) return std::nullopt;
    for (Vec3& p : found->points) p = mul(p, s.factors);
    found->origin = mul(found->origin, s.factors);
    found->rounding *= size.x;
    found->error *= max_abs(size);
    found->origin_error =
        found->origin_error * max_abs(size) + rounding_of(std::array{found->origin});
    return pruned(std::move(*found));
  }
};

} // namespace

std::optional<RoundedPoints> rounded_points(const Shape& shape) {
  Found found = std::visit(PointsOf{}, shape.core());
  if (found) found->rounding += shape.rounding();
  return found;
}

} // namespace carom
