#include "carom/shape/mass.h"

#include "carom/math/trig.h"
#include "carom/mesh/support_moments.h"
#include "carom/shape/support.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/generate_shape.h"
#include "tests/support/moments.h"
#include "tests/support/property.h"

#include <vector>

namespace carom::test {
namespace {

constexpr double epsilon = 0x1p-52;

/// All tolerances relative: of the volume, of the size, of volume * size^2.
::testing::AssertionResult close(const MassProperties& a, const MassProperties& b, double size,
                                 double tolerance) {
  if (std::fabs(a.volume - b.volume) <= tolerance * b.volume &&
      max_abs(a.centroid - b.centroid) <= tolerance * size &&
      size_of(a.inertia - b.inertia) <= tolerance * b.volume * size * size)
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "volumes " << a.volume << " and " << b.volume << " (off by "
         << std::fabs(a.volume / b.volume - 1) << "), centroids apart by "
         << max_abs(a.centroid - b.centroid) / size << ", inertias by "
         << size_of(a.inertia - b.inertia) / (b.volume * size * size) << "; allowed " << tolerance;
}

ShapeMass mass_of(const Result<Shape>& shape) { return mass_properties(shape.value()); }

Shape sphere(double r, const Vec3& at = {}) { return Shape::sphere(r, at).value(); }
Shape box(const Vec3& half) { return Shape::box(half).value(); }

MassProperties of(const Moments& m) { return {m.volume, m.centroid, inertia(m)}; }

double length_in(Source& source) {
  return source.chance(3)   ? 1
         : source.chance(2) ? source.uniform(0.1, 2)
                            : std::ldexp(1.0, -source.index(10));
}

/// Solid, except for cores that are rounded.
Shape simple_shape(Source& source) {
  const Vec3 at = vec3(source);
  const Vec3 axis = direction(source);
  const double a = length_in(source);
  const double b = length_in(source);
  const double c = length_in(source);
  switch (source.index(11)) {
  case 0:
    return sphere(a, at);
  case 1:
    return Shape::capsule(at, at + axis * a, b).value();
  case 2: {
    const Vec3 second = vec3(source);
    return Shape::triangle(at, second, vec3(source)).value().rounded(a).value();
  }
  case 3:
    return Shape::of(Obb{at, axes(source), {a, b, c}}).value();
  case 4:
    return Shape::of(Cylinder{at, axis, a, b}).value();
  case 5:
    return Shape::of(Cone{at, axis, a, b}).value();
  case 6:
    return Shape::tapered_capsule(at, a, at + axis * b, c).value();
  case 7:
    return Shape::of(Ellipsoid{at, axes(source), {a, b, c}}).value();
  case 8: {
    std::vector<Vec3> points;
    for (int i = 6 + source.index(10); i > 0; --i) points.push_back(vec3(source));
    return Shape::hull(points).value().rounded(a / 4).value();
  }
  case 9: {
    std::vector<HalfSpace> faces;
    for (int i = 0; i < 6; ++i)
      faces.push_back({unit_axis(i / 2) * (i % 2 ? -1.0 : 1.0), i < 2 ? a : b});
    faces.push_back({axis * 2, c});
    return Shape::brush(faces).value();
  }
  default: {
    const double sign = source.index(2) ? 1.0 : -1.0;
    return Shape::of(Cone{at, axis, a, b})
        .value()
        .rounded(c / 2)
        .value()
        .scaled({a, b * sign, c})
        .value();
  }
  }
}

Shape any_shape(Source& source) {
  const Shape first = simple_shape(source);
  switch (source.index(6)) {
  case 0:
    return first.rounded(length_in(source) / 2).value();
  case 1:
    return first.scaled({length_in(source), -length_in(source), length_in(source)}).value();
  case 2:
    return Shape::sum(first, simple_shape(source)).value();
  case 3:
    return Shape::hull_of_two(first, simple_shape(source)).value();
  default:
    return first;
  }
}

// Closed forms and numerical ones, of every kind, rounded, scaled, summed: against a search that knows nothing but support points, and whose bound is proved.
TEST(Mass, OfEveryKindIsWithinTheBoundsOfItsSupportPoints) {
  for_each_seed(fewer_when_sanitized(120), [](Source& source) {
    const Shape shape = any_shape(source);
    const ShapeMass m = mass_properties(shape);
    constexpr double accuracy = 0.02;
    const BoundedMoments searched =
        support_moments([&](const Vec3& d) { return support_point(shape, d); }, accuracy);
    SCOPED_TRACE(name_of(shape.kind()));
    EXPECT_LE(m.relative_error, 1e-3);
    EXPECT_LE(searched.relative_error, accuracy);
    EXPECT_LE(std::fabs(m.volume - searched.moments.volume),
              (m.relative_error + searched.relative_error) * m.volume);
    const Aabb around = bounds(shape);
    const double size = max_abs(around.max - around.min);
    EXPECT_TRUE(close(m, of(searched.moments), size, 4 * accuracy));
    EXPECT_EQ(m.inertia, transpose(m.inertia));
    // No principal inertia is greater than the sum of the others: along the axes at least, up to rounding.
    const Vec3 d{m.inertia.x.x, m.inertia.y.y, m.inertia.z.z};
    for (int i = 0; i < 3; ++i)
      EXPECT_LE(d[i], (d[(i + 1) % 3] + d[(i + 2) % 3]) * (1 + 16 * epsilon));
  });
}

// Whatever can be built, at any scale, flat or nested: numbers that can be, and a centroid within the shape's box.
TEST(Mass, OfAnythingIsANumber) {
  for_each_seed(fewer_when_sanitized(80), [](Source& source) {
    const double s = scale(source);
    const Shape shape = ShapeGenerator(source, s).bounded(1);
    const ShapeMass m = mass_properties(shape);
    SCOPED_TRACE(name_of(shape.kind()));
    EXPECT_TRUE(m.volume >= 0 && m.volume < INFINITY);
    EXPECT_TRUE(m.relative_error >= 0);
    const Aabb around = bounds(shape);
    const double slack = 64 * epsilon * shape.size();
    for (int i = 0; i < 3; ++i) {
      EXPECT_GE(m.centroid[i], around.min[i] - slack);
      EXPECT_LE(m.centroid[i], around.max[i] + slack);
      EXPECT_TRUE(is_finite(m.inertia[i]));
      EXPECT_GE(m.inertia[i][i], 0);
    }
  });
}

TEST(Mass, OfTheSimpleKinds) {
  const double few = 64 * epsilon;
  const Vec3 at{1, 2, 3};
  const double ball = 4 * pi / 3 * 8;
  EXPECT_TRUE(close(mass_of(Shape::sphere(2, at)), {ball, at, Mat3::identity() * (0.4 * ball * 4)},
                    2, few));
  EXPECT_TRUE(
      close(mass_of(Shape::box(Vec3{1, 2, 3})), {48, {}, Mat3::diagonal({208, 160, 80})}, 3, few));
  const double can = pi * 4 * 6;
  EXPECT_TRUE(close(mass_of(Shape::cylinder(3, 2)),
                    {can, {}, Mat3::diagonal(Vec3{1 + 3, 1 + 3, 2} * can)}, 3, few));
  const double cone = pi * 4 * 6 / 3;
  EXPECT_TRUE(close(mass_of(Shape::cone(6, 2)),
                    {cone, {0, 0, 1.5}, Mat3::diagonal(Vec3{0.6 + 1.35, 0.6 + 1.35, 1.2} * cone)},
                    6, few));
  const double egg = 8 * pi;
  EXPECT_TRUE(close(mass_of(Shape::ellipsoid(Vec3{1, 2, 3})),
                    {egg, {}, Mat3::diagonal(Vec3{13, 10, 5} * (egg / 5))}, 3, few));
  const double tube = pi * 2; // radius 1, length 2
  const double caps = 4 * pi / 3;
  // Two half balls, whose centroids are 3/8 of the radius beyond the ends.
  const double end = 0.4 * caps + caps * (1 + 2 * 0.375);
  EXPECT_TRUE(close(mass_of(Shape::capsule({0, 0, -1}, {0, 0, 1}, 1)),
                    {tube + caps,
                     {},
                     Mat3::diagonal({tube * (0.25 + 1.0 / 3) + end, tube * (0.25 + 1.0 / 3) + end,
                                     tube / 2 + 0.4 * caps})},
                    2, few));
  for (const Shape& s : {sphere(2, at), box({1, 2, 3}), Shape::cylinder(3, 2).value()}) {
    EXPECT_EQ(mass_properties(s).relative_error, 64 * epsilon);
  }
}

TEST(Mass, OfFlatAndUnboundedShapes) {
  const auto expect_flat = [](const Result<Shape>& shape, const Vec3& centroid) {
    const ShapeMass m = mass_of(shape);
    EXPECT_EQ(m.volume, 0);
    EXPECT_LE(max_abs(m.centroid - centroid), 4 * epsilon * (1 + max_abs(centroid)));
    EXPECT_EQ(m.inertia, Mat3::zero());
    EXPECT_EQ(m.relative_error, 0);
  };
  const Vec3 a{1, 2, 3};
  const Vec3 b{3, 2, 3};
  const Vec3 c{2, 5, 6};
  expect_flat(Shape::point(a), a);
  expect_flat(Shape::segment(a, b), {2, 2, 3});
  expect_flat(Shape::triangle(a, b, c), {2, 3, 4});
  expect_flat(Shape::triangle(a, a, b), {2, 2, 3});
  expect_flat(Shape::sphere(0, a), a);
  expect_flat(Shape::box(Vec3{1, 0, 1}), {});
  expect_flat(Shape::cylinder(0, 1), {});
  expect_flat(Shape::cone(2, 0), {0, 0, 1});
  expect_flat(Shape::ellipsoid(Vec3{1, 1, 0}), {});
  expect_flat(Shape::hull(std::vector<Vec3>{a, b, c}), {2, 3, 4});
  expect_flat(
      Shape::sum(Shape::segment({}, {2, 0, 0}).value(), Shape::segment({}, {0, 2, 2}).value()),
      {1, 1, 1});
  expect_flat(Shape::hull_of_two(Shape::segment(a, b).value(), Shape::point(c).value()), {2, 3, 4});
  expect_flat(Shape::triangle(a, b, c).value().scaled({2, -1, 3}), {4, -3, 12});
  // Two discs in one plane are flat as well; their hull's centroid is found numerically.
  const Shape disc = Shape::cylinder(0, 1).value();
  const ShapeMass m =
      mass_of(Shape::hull_of_two(disc, Shape::of(Cylinder{{4, 0, 0}, {0, 0, 1}, 0, 1}).value()));
  EXPECT_EQ(m.volume, 0);
  EXPECT_LE(max_abs(m.centroid - Vec3{2, 0, 0}), 1e-5);

  const ShapeMass half_space = mass_of(Shape::half_space({1, 2, 3}, 4));
  EXPECT_EQ(half_space.volume, INFINITY);
  EXPECT_EQ(half_space.centroid, Vec3{});
  EXPECT_EQ(half_space.inertia, Mat3::zero());
  EXPECT_EQ(half_space.relative_error, 0);
}

TEST(Mass, OfSums) {
  const double few = 128 * epsilon;
  const auto sum = [](const Shape& a, const Shape& b) { return mass_of(Shape::sum(a, b)); };
  EXPECT_TRUE(close(sum(box({1, 2, 3}), box({2, 1, 1})), mass_properties(box({3, 3, 4})), 4, few));
  // A ball added rounds, whatever it is added to, and from either side.
  const Shape ball = sphere(0.5, {10, 0, 0});
  for (const Shape& s : {box({1, 2, 3}), Shape::cylinder(1, 2).value(), Shape::cone(1, 2).value(),
                         Shape::tapered_capsule({}, 1, {0, 3, 0}, 0.5).value(), sphere(1)}) {
    const MassProperties expected = moved(mass_of(s.rounded(0.5)), {Mat3::identity(), {10, 0, 0}});
    EXPECT_TRUE(close(sum(s, ball), expected, 12, few)) << name_of(s.kind());
    EXPECT_TRUE(close(sum(ball, s), expected, 12, few)) << name_of(s.kind());
    EXPECT_LE(sum(s, ball).relative_error, 1e-12);
    // And the sum rounded further.
    EXPECT_TRUE(close(mass_of(Shape::sum(s, ball).value().rounded(0.25)),
                      moved(mass_of(s.rounded(0.75)), {Mat3::identity(), {10, 0, 0}}), 12, few));
  }
  // Three segments make a parallelepiped, its volume the determinant.
  const Vec3 u{1, 2, 3};
  const Vec3 v{-1, 1, 0.5};
  const Vec3 w{0.25, 4, -1};
  const auto segment = [](const Vec3& to) { return Shape::segment({}, to).value(); };
  const ShapeMass m = sum(Shape::sum(segment(u), segment(v)).value(), segment(w));
  EXPECT_NEAR(m.volume, std::fabs(triple(u, v, w)), few * 20);
  EXPECT_LE(max_abs(m.centroid - (u + v + w) * 0.5), few * 4);
  EXPECT_LE(m.relative_error, 1e-12);
}

// In a plane that no double is in, the sum of flat shapes is flat but for rounding: then it is flat.
TEST(Mass, OfSumsThatAreFlatButForRounding) {
  for_each_seed(50, [](Source& source) {
    const Mat3 basis = to_matrix(
        normalized(Quat{source.uniform(-1, 1), source.uniform(-1, 1), source.uniform(-1, 1), 1}));
    const auto in_plane = [&] {
      const double x = source.uniform(-1, 1);
      return basis.x * x + basis.y * source.uniform(-1, 1);
    };
    const Vec3 a = in_plane();
    const Vec3 b = in_plane();
    const Vec3 c = in_plane();
    const Vec3 d = in_plane();
    const Shape segment = Shape::segment({}, d).value();
    const ShapeMass m = mass_of(Shape::sum(Shape::triangle(a, b, c).value(), segment));
    EXPECT_EQ(m.volume, 0);
    EXPECT_EQ(m.relative_error, 0);
    EXPECT_EQ(m.inertia, Mat3::zero());
    EXPECT_LE(std::fabs(dot(m.centroid, basis.z)), 1e-12);
    const Aabb around = bounds(Shape::sum(Shape::triangle(a, b, c).value(), segment).value());
    EXPECT_EQ(m.centroid, min(max(m.centroid, around.min), around.max));
  });
}

// Far away, sums and hulls of two lose what the places themselves lose by rounding, no more.
TEST(Mass, OfSumsFarFromTheOrigin) {
  const auto box_at = [](const Vec3& at) { return Shape::of(Obb{at, {}, {1, 2, 3}}).value(); };
  const Vec3 far{1e9, -1e9, 1e9};
  const ShapeMass m = mass_of(Shape::sum(box_at(far), box_at(far)));
  EXPECT_NEAR(m.volume, 48 * 8, 64 * epsilon * 48 * 8);
  EXPECT_EQ(m.centroid, far * 2);
  EXPECT_LE(size_of(m.inertia - mass_properties(box({2, 4, 6})).inertia),
            128 * epsilon * m.volume * 36);
  const ShapeMass hull = mass_of(Shape::hull_of_two(box_at(far), box_at(far + Vec3{2, 0, 0})));
  EXPECT_NEAR(hull.volume, 96, 64 * epsilon * 96);
  EXPECT_LE(size_of(hull.inertia - mass_properties(box({2, 2, 3})).inertia),
            128 * epsilon * hull.volume * 36);
  EXPECT_LE(hull.relative_error, 1e-12);
}

TEST(Mass, OfHullsOfTwo) {
  const double few = 128 * epsilon;
  const auto hull = [](const Shape& a, const Shape& b) {
    return mass_of(Shape::hull_of_two(a, b));
  };
  const Vec3 a{1, 2, 3};
  const Vec3 b{3, -1, 0};
  EXPECT_TRUE(close(hull(sphere(1, a), sphere(0.25, b)),
                    mass_of(Shape::tapered_capsule(a, 1, b, 0.25)), 5, few));
  EXPECT_TRUE(close(hull(sphere(1, a), sphere(1, b)), mass_of(Shape::capsule(a, b, 1)), 5, few));
  EXPECT_TRUE(close(hull(sphere(9, a), sphere(1, b)), mass_properties(sphere(9, a)), 9, few));
  // Rounded alike: the hull of the cores, rounded.
  const Shape one = box({1, 1, 1}).rounded(0.25).value();
  const Shape two = Shape::of(Obb{{2, 0, 0}, {}, {1, 1, 1}}).value().rounded(0.25).value();
  EXPECT_TRUE(close(hull(one, two),
                    mass_of(Shape::of(Obb{{1, 0, 0}, {}, {2, 1, 1}}).value().rounded(0.25)), 3,
                    few));
  EXPECT_TRUE(close(hull(one, one), mass_properties(one), 3, few));
  EXPECT_LE(hull(one, two).relative_error, 1e-12);
  // A cone is the hull of a disc and a point; this is found numerically, and says so.
  const ShapeMass cone = hull(Shape::cylinder(0, 2).value(), Shape::point({0, 0, 6}).value());
  EXPECT_GT(cone.relative_error, 1e-6);
  EXPECT_LE(cone.relative_error, 1e-3);
  EXPECT_TRUE(close(cone, mass_of(Shape::cone(6, 2)), 6, 1e-3));
}

TEST(Mass, OfScaledShapes) {
  const double few = 128 * epsilon;
  // An elliptic cylinder.
  const double volume = pi * 2 * 3 * 2 * 4;
  EXPECT_TRUE(
      close(mass_of(Shape::cylinder(1, 1).value().scaled({2, -3, 4})),
            {volume, {}, Mat3::diagonal(Vec3{9.0 / 4 + 16.0 / 3, 1 + 16.0 / 3, 13.0 / 4} * volume)},
            4, few));
  // A scaling that keeps the form, and a rounding after it.
  const Shape sum = Shape::sum(Shape::cylinder(1, 1).value(), sphere(0.5)).value();
  EXPECT_TRUE(close(mass_of(sum.scaled({2, -2, 2}).value().rounded(1)),
                    mass_of(Shape::cylinder(2, 2).value().rounded(2)), 4, few));
  // Polytopes stay such.
  const Shape boxes = Shape::sum(box({1, 1, 1}), box({0.5, 1, 2})).value();
  EXPECT_TRUE(close(mass_of(boxes.scaled({2, 3, -1}).value().rounded(0.5)),
                    mass_of(box({3, 6, 3}).rounded(0.5)), 6, few));
  EXPECT_TRUE(close(mass_of(boxes.scaled({2, -2, 2}).value().rounded(0.5)),
                    mass_of(box({3, 4, 6}).rounded(0.5)), 6, few));
  // Also inside of another sum, with its rounding.
  const Shape round_box =
      Shape::sum(box({1, 1, 1}), sphere(0.25)).value().scaled({2, 2, 2}).value();
  EXPECT_TRUE(close(mass_of(Shape::sum(round_box, box({1, 2, 4}))),
                    mass_of(box({3, 4, 6}).rounded(0.5)), 6, few));
  // A rounding that is scaled by different factors is no rounding any more.
  const Shape pill = box({1, 1, 1}).rounded(0.5).value().scaled({1, 2, 3}).value();
  EXPECT_NEAR(mass_properties(pill).volume, 6 * mass_of(box({1, 1, 1}).rounded(0.5)).volume,
              few * 200);
  const ShapeMass rounded = mass_of(pill.rounded(0.5));
  EXPECT_GT(rounded.relative_error, 1e-6);
  EXPECT_LE(rounded.relative_error, 1e-3);
}

// A shape built where a pose puts it has the moved mass properties.
PROPERTY(Mass, MovesWithThePose) {
  const Pose pose_ = pose(source);
  const Frame frame = pose_.frame();
  const double a = length_in(source);
  const double b = length_in(source);
  const double c = length_in(source);
  const bool round = source.index(2) > 0;
  const double r = round ? length_in(source) : 0;
  const auto check = [&](const Result<Shape>& still, const Result<Shape>& there) {
    const MassProperties expected = moved(mass_of(still->rounded(r)), frame);
    const double size = 2 * (a + b + c + r) + max_abs(pose_.position);
    // The corners of a hull are rounded where they are put; the thinnest is 1e-3 thick.
    return static_cast<bool>(close(mass_of(there->rounded(r)), expected, size, 1e5 * epsilon));
  };
  const Vec3 o = pose_.position;
  const Vec3 z = frame.basis.z;
  REQUIRE(check(Shape::box(Vec3{a, b, c}), Shape::of(Obb{o, frame.basis, {a, b, c}})));
  REQUIRE(check(Shape::cylinder(a, b), Shape::of(Cylinder{o, z, a, b})));
  REQUIRE(check(Shape::cone(a, b), Shape::of(Cone{o + z * a, -z, a, b})));
  REQUIRE(check(Shape::capsule({}, {0, 0, a}, b), Shape::capsule(o, o + z * a, b)));
  REQUIRE(check(Shape::tapered_capsule({}, b, {0, 0, a}, c),
                Shape::tapered_capsule(o, b, o + z * a, c)));
  std::vector<Vec3> points;
  std::vector<Vec3> placed;
  for (int i = 0; i < 12; ++i) points.push_back(mul(vec3(source), {a, b, c}));
  points.push_back({a, 0, 0});
  points.push_back({0, b, 0});
  points.push_back({0, 0, c});
  points.push_back({});
  for (const Vec3& p : points) placed.push_back(frame.to_world(p));
  REQUIRE(check(Shape::hull(points), Shape::hull(placed)));
}

TEST(Mass, OfBrushesKnowsThatCornersAreRounded) {
  std::vector<HalfSpace> faces;
  for (int i = 0; i < 6; ++i)
    faces.push_back({unit_axis(i / 2) * (i % 2 ? -3.0 : 3.0), i < 2 ? 3e-6 : 3});
  const ShapeMass m = mass_of(Shape::brush(faces));
  EXPECT_LE(std::fabs(m.volume - 8e-6), m.relative_error * 8e-6);
  EXPECT_GT(m.relative_error, 1e6 * epsilon); // a plate of 1e-6
  EXPECT_LT(m.relative_error, 1e8 * epsilon);
  EXPECT_TRUE(close(m, mass_properties(box({1e-6, 1, 1})), 1, m.relative_error));
}

TEST(Mass, OfAUsersOwnShape) {
  const ShapeMass m = mass_of(Shape::custom([](const Vec3& d) { return normalized(d); }));
  EXPECT_LE(m.relative_error, 1e-3);
  EXPECT_LE(std::fabs(m.volume - 4 * pi / 3), m.relative_error * 4 * pi / 3);
  EXPECT_TRUE(
      close(mass_of(Shape::custom([](const Vec3& d) { return normalized(d); }).value().rounded(1)),
            mass_properties(sphere(2)), 2, 1e-3));
}

} // namespace
} // namespace carom::test
