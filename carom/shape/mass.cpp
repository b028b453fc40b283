// One visitor over the kinds of core, with the rounding in hand. All is done with Moments, which scale; the inertia is made of them at the end.
#include "carom/shape/mass.h"

#include "carom/geometry/moments.h"
#include "carom/math/tolerance.h"
#include "carom/mesh/rounded_hull.h"
#include "carom/mesh/support_moments.h"
#include "carom/shape/composite_mass.h"
#include "carom/shape/rounded_points.h"
#include "carom/shape/support.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace carom {
namespace {

/// Closed forms are sums of a few dozen positive terms.
constexpr double closed_form_error = 64 * tolerance::epsilon;

/// How far a brush may reach beyond its corners, or fall short of them, in the worst case (mesh/half_space_intersection.h).
constexpr double corner_error = 64 * tolerance::epsilon;

BoundedMoments closed_form(const Moments& m) { return {m, m.volume > 0 ? closed_form_error : 0}; }

BoundedMoments moved(const BoundedMoments& m, const Vec3& by) {
  return {carom::moved(m.moments, by), m.relative_error};
}

/// The hull of corners that are off by at most `error` each. The volume then is off by the error times the surface's area, which is below the
/// growth of the volume per length of a further rounding.
BoundedMoments inexact_hull_moments(const ConvexHull& hull, double rounding, double size,
                                    double error) {
  BoundedMoments m = rounded_hull_moments(hull, rounding);
  if (!(m.moments.volume > 0)) return m;
  const double further = 0x1p-20 * (size + rounding);
  const double grown = rounded_hull_moments(hull, rounding + further).moments.volume;
  m.relative_error += (grown - m.moments.volume) / further * error / m.moments.volume;
  return m;
}

double greatest_coordinate(std::span<const Vec3> points) {
  double size = 0;
  for (const Vec3& p : points) size = std::max(size, max_abs(p));
  return size;
}

/// The shape's moments when it is rounded further by `rounding`.
BoundedMoments moments_of(const Shape& shape, double rounding);

BoundedMoments numerical(const Shape& shape, double rounding) {
  return support_moments([&](const Vec3& d) {
    const Vec3 p = support_point(shape, d);
    return rounding > 0 ? p + normalized_or(d, Vec3{}) * rounding : p;
  });
}

/// Where the shape is a polytope with a rounding, and its volume more than the rounding of its corners.
std::optional<BoundedMoments> polytope_moments(const Shape& shape, double rounding) {
  const auto found = rounded_points(shape);
  if (!found) return std::nullopt;
  const Result<ConvexHull> hull = convex_hull(found->points);
  if (!hull) return std::nullopt;
  const double size = greatest_coordinate(found->points);
  const BoundedMoments m =
      inexact_hull_moments(*hull, found->rounding + rounding, size, found->error);
  constexpr double nothing_known = 0.01;
  if (m.relative_error > nothing_known) return std::nullopt;
  return moved(m, found->origin);
}

struct Ball {
  Vec3 center;
  double radius;
};
std::optional<Ball> as_ball(const Shape& shape) {
  const auto found = rounded_points(shape);
  if (!found || found->points.size() != 1) return std::nullopt;
  return Ball{found->origin + found->points[0], found->rounding};
}

/// Of each kind of core. `shape` is the shape without `rounding`, which includes its own.
struct MomentsOf {
  const Shape& shape;
  double further; ///< how much of the rounding is not the shape's own
  double rounding;

  BoundedMoments operator()(const Vec3& p) const {
    return closed_form(moments(Sphere{p, rounding}));
  }
  BoundedMoments operator()(const Segment& s) const {
    return closed_form(moments(Capsule{s.a, s.b, rounding}));
  }
  BoundedMoments operator()(const Triangle& t) const {
    const Result<ConvexHull> hull = convex_hull(std::array{t.a, t.b, t.c});
    return hull ? rounded_hull_moments(*hull, rounding) : numerical(shape, further);
  }
  BoundedMoments operator()(const Obb& b) const { return closed_form(moments(b, rounding)); }
  BoundedMoments operator()(const Cylinder& c) const { return closed_form(moments(c, rounding)); }
  BoundedMoments operator()(const Cone& c) const { return closed_form(moments(c, rounding)); }
  BoundedMoments operator()(const TaperedCapsule& c) const {
    return closed_form(
        moments(TaperedCapsule{c.a, c.b, c.radius_a + rounding, c.radius_b + rounding}));
  }
  BoundedMoments operator()(const Ellipsoid& e) const {
    if (rounding == 0) return closed_form(moments(e));
    if (e.radii.x == e.radii.y && e.radii.y == e.radii.z)
      return closed_form(moments(Sphere{e.center, e.radii.x + rounding}));
    return numerical(shape, further);
  }
  BoundedMoments operator()(const Polytope& p) const {
    return rounded_hull_moments(p.hull(), rounding);
  }
  BoundedMoments operator()(const HalfSpace&) const {
    return {{std::numeric_limits<double>::infinity(), {}, Mat3::zero()}, 0};
  }
  BoundedMoments operator()(const BrushCore& b) const {
    const double size = greatest_coordinate(b.corners.vertices());
    return inexact_hull_moments(b.corners.hull(), rounding, size, corner_error * size);
  }
  BoundedMoments operator()(const SumCore& s) const {
    if (const auto m = polytope_moments(shape, further)) return *m;
    if (const auto ball = as_ball(*s.b))
      return moved(moments_of(*s.a, rounding + ball->radius), ball->center);
    if (const auto ball = as_ball(*s.a))
      return moved(moments_of(*s.b, rounding + ball->radius), ball->center);
    return numerical(shape, further);
  }
  BoundedMoments operator()(const HullOfTwoCore& h) const {
    if (*h.a == *h.b) return moments_of(*h.a, rounding);
    if (const auto m = polytope_moments(shape, further)) return *m;
    const auto a = as_ball(*h.a);
    const auto b = as_ball(*h.b);
    if (!a || !b) return numerical(shape, further);
    return closed_form(
        moments(TaperedCapsule{a->center, b->center, a->radius + rounding, b->radius + rounding}));
  }
  BoundedMoments operator()(const CustomCore&) const { return numerical(shape, further); }
  BoundedMoments operator()(const ScaledCore& s) const {
    const Vec3 size = abs(s.factors);
    const bool uniform = size.x == size.y && size.y == size.z;
    if (rounding == 0 || uniform) {
      // Rounded after a uniform scaling is as much less rounded before.
      const BoundedMoments inside = moments_of(*s.shape, rounding / size.x);
      return {scaled(inside.moments, s.factors), inside.relative_error};
    }
    if (const auto m = polytope_moments(shape, further)) return *m;
    return numerical(shape, further);
  }
};

BoundedMoments moments_of(const Shape& shape, double rounding) {
  return std::visit(MomentsOf{shape, rounding, shape.rounding() + rounding}, shape.core());
}

} // namespace

ShapeMass mass_properties(const Shape& shape) {
  if (!shape.convex()) return composite_mass(shape);
  const BoundedMoments m = moments_of(shape, 0);
  return {{m.moments.volume, m.moments.centroid, inertia(m.moments)}, m.relative_error};
}

} // namespace carom
