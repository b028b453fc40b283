// The farthest point of every kind of shape lies in the shape, by the checker's distance, and reaches as far as the shape does, by the oracle.
#include "carom/shape/support.h"

#include "carom/math/tolerance.h"
#include "carom/verify/shape.h"
#include "tests/shape/precise_support.h"
#include "tests/support/generate_shape.h"
#include "tests/support/property.h"

#include <cmath>
#include <cstring>

namespace carom {
namespace {

using test::Source;
using tolerance::epsilon;
using verify::PlacedShape;

/// To a hundred digits: how much farther than p the shape reaches in the direction d of any length, as a length.
double shortfall(const Shape& shape, const Vec3& d, const Vec3& p) {
  const test::Precise3 e = test::precise(d);
  const test::Precise off =
      (test::precise_support(shape, e) - test::dot(e, test::precise(p))) / test::length(e);
  return off.get_d();
}

void require_farthest(const Shape& shape, const Vec3& d) {
  const Vec3 p = support_point(shape, d);
  const double t = test::rounding_of(shape);
  const double off = verify::distance(p, PlacedShape{shape, {}});
  const double missing = shortfall(shape, d, p);
  test::note() << name_of(shape.kind()) << " depth " << shape.depth() << " rounding "
               << shape.rounding() << " size " << shape.size() << "\nd " << d.x << ' ' << d.y << ' '
               << d.z << "\np " << p.x << ' ' << p.y << ' ' << p.z << "\noff the shape by "
               << off / (epsilon * shape.size()) << " eps, short by "
               << missing / (epsilon * shape.size()) << " eps\n";
  REQUIRE(is_finite(p));
  REQUIRE(off <= t);
  REQUIRE(missing <= t);
  REQUIRE(missing >= -t);
  const Vec3 again = support_point(shape, d);
  REQUIRE(std::memcmp(&p, &again, sizeof p) == 0);
}

void require_same_reach(const Shape& shape, const Vec3& d) {
  const test::Precise3 e = test::precise(d);
  const test::Precise off = (test::precise_support(shape, e) -
                             test::precise(verify::support(PlacedShape{shape, {}}, d))) /
                            test::length(e);
  test::note() << "the checker's support is off by " << off.get_d() / (epsilon * shape.size())
               << " eps\n";
  REQUIRE(std::fabs(off.get_d()) <= test::rounding_of(shape));
}

void support_property(Source& source, ShapeKind kind) {
  const double scale = test::scale(source);
  const Shape shape = test::ShapeGenerator(source, scale).of_kind(kind);
  // The checker's distance of nested shapes is a search: fewer directions.
  const int directions = kind < ShapeKind::sum ? 4 : 1;
  for (int i = 0; i < directions; ++i) {
    const Vec3 d = test::any_direction(source);
    require_farthest(shape, d);
    // A reach is a product of lengths: it must not overflow or vanish.
    if (max_abs(d) > 1e-100 && max_abs(d) < 1e100) require_same_reach(shape, d);
  }
}

#define SUPPORT(name, kind)                                                                        \
  PROPERTY(ShapeSupport, name) { support_property(source, ShapeKind::kind); }
SUPPORT(Point, point)
SUPPORT(Segment, segment)
SUPPORT(Triangle, triangle)
SUPPORT(Sphere, sphere)
SUPPORT(Capsule, capsule)
SUPPORT(Box, box)
SUPPORT(Cylinder, cylinder)
SUPPORT(Cone, cone)
SUPPORT(TaperedCapsule, tapered_capsule)
SUPPORT(Ellipsoid, ellipsoid)
SUPPORT(Hull, hull)
SUPPORT(Brush, brush)
SUPPORT(Sum, sum)
SUPPORT(HullOfTwo, hull_of_two)
SUPPORT(Custom, custom)
SUPPORT(Scaled, scaled)

PROPERTY(ShapeSupport, DeeplyNested) {
  if (!source.chance(8)) return; // slow
  const double scale = test::scale(source);
  const Shape shape = test::ShapeGenerator(source, scale).tower(Shape::max_depth);
  require_farthest(shape, test::any_direction(source));
}

// Without a direction: some point of the shape.
PROPERTY(ShapeSupport, ZeroAndNotFinite) {
  const Shape shape = test::ShapeGenerator(source, test::scale(source)).bounded();
  static constexpr double odd[] = {0, NAN, INFINITY, -INFINITY, 1, -0.0};
  const Vec3 d{odd[source.index(6)], odd[source.index(6)], odd[source.index(6)]};
  const Vec3 p = support_point(shape, d);
  const double off = verify::distance(p, PlacedShape{shape, {}});
  test::note() << name_of(shape.kind()) << " depth " << shape.depth() << " d " << d.x << ' ' << d.y
               << ' ' << d.z << " off by " << off << " of " << shape.size() << '\n';
  REQUIRE(off <= test::rounding_of(shape));
}

// A shape is its core and a ball.
PROPERTY(ShapeSupport, OfTheCore) {
  const Shape shape = test::ShapeGenerator(source, test::scale(source)).bounded();
  const Vec3 d = test::any_direction(source);
  const Vec3 e = d / max_abs(d);
  const Vec3 p = support_point(shape, d);
  const Vec3 q = shape.core_support()(e) + e * (shape.rounding() / length(e));
  // Of two points that are as far to within rounding, it may be either: they reach equally far. (e is up to sqrt(3) long.)
  REQUIRE(std::fabs(dot(p - q, e)) <= 16 * epsilon * shape.size());
}

// The point of the border nearest to the origin, whatever the direction.
PROPERTY(ShapeSupport, HalfSpace) {
  const Shape shape =
      test::ShapeGenerator(source, test::scale(source)).of_kind(ShapeKind::half_space);
  const HalfSpace& h = std::get<HalfSpace>(shape.core());
  const Vec3 p = shape.core_support()(test::any_direction(source));
  const Vec3 nearest = h.normal * (h.offset / length_squared(h.normal));
  REQUIRE(distance(p, nearest) <= 4 * epsilon * shape.size());
}

// Axes a bit off unit length and right angles are taken as they are.
PROPERTY(ShapeSupport, AxesAsGiven) {
  Mat3 m = test::axes(source);
  for (int i = 0; i < 3; ++i) m[i] += test::vec3(source) * 1e-13;
  const Vec3 half{test::radius(source), test::radius(source), test::radius(source)};
  const Vec3 center = test::vec3(source);
  const Vec3 d = test::any_direction(source);
  require_farthest(Shape::of(Obb{center, m, half}).value(), d);
  require_farthest(Shape::of(Ellipsoid{center, m, half}).value(), d);
  require_farthest(Shape::of(Cylinder{center, m.x, half.x, half.y}).value(), d);
  require_farthest(Shape::of(Cone{center, m.x, half.x, half.y}).value(), d);
}

} // namespace
} // namespace carom
