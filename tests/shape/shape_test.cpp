// Building shapes: what is refused and why, what is kept as given, and what rounding and scaling make of each kind.
#include "carom/shape/shape.h"

#include "carom/math/predicates.h"
#include "carom/math/tolerance.h"
#include "carom/verify/shape.h"
#include "tests/shape/precise_support.h"
#include "tests/support/generate_shape.h"
#include "tests/support/property.h"

#include <array>
#include <cfloat>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace carom {
namespace {

using test::Source;
using tolerance::epsilon;

/// The code of the error, which must come with a sentence; nothing where it is a shape.
std::optional<ErrorCode> error_of(const Result<Shape>& result) {
  if (result) return std::nullopt;
  EXPECT_GT(result.error().message.size(), 8u);
  return result.error().code;
}

// ---- what builders refuse ----

using Numbers = std::vector<double>;

/// A builder as a function of all its numbers, an example, and which of the numbers are lengths and must not be negative.
struct Builder {
  const char* name;
  Numbers example;
  std::vector<std::size_t> lengths;
  std::function<Result<Shape>(const Numbers&)> build;
};

Vec3 vec(const Numbers& n, std::size_t i) { return {n[i], n[i + 1], n[i + 2]}; }

std::vector<Builder> builders() {
  const Shape cube = Shape::box({1, 1, 1}).value();
  return {
      {"point", {1, 2, 3}, {}, [](const Numbers& n) { return Shape::point(vec(n, 0)); }},
      {"segment",
       {1, 2, 3, 4, 5, 6},
       {},
       [](const Numbers& n) { return Shape::segment(vec(n, 0), vec(n, 3)); }},
      {"triangle",
       {0, 0, 0, 1, 0, 0, 0, 1, 0},
       {},
       [](const Numbers& n) { return Shape::triangle(vec(n, 0), vec(n, 3), vec(n, 6)); }},
      {"sphere",
       {1, 2, 3, 4},
       {0},
       [](const Numbers& n) { return Shape::sphere(n[0], vec(n, 1)); }},
      {"capsule",
       {1, 2, 3, 4, 5, 6, 7},
       {6},
       [](const Numbers& n) { return Shape::capsule(vec(n, 0), vec(n, 3), n[6]); }},
      {"tapered capsule",
       {1, 2, 3, 4, 5, 6, 7, 8},
       {3, 7},
       [](const Numbers& n) { return Shape::tapered_capsule(vec(n, 0), n[3], vec(n, 4), n[7]); }},
      {"box", {1, 2, 3}, {0, 1, 2}, [](const Numbers& n) { return Shape::box(vec(n, 0)); }},
      {"placed box",
       {1, 2, 3, 4, 5, 6},
       {3, 4, 5},
       [](const Numbers& n) {
         return Shape::of(Obb{vec(n, 0), Mat3::identity(), vec(n, 3)});
       }},
      {"cylinder", {1, 2}, {0, 1}, [](const Numbers& n) { return Shape::cylinder(n[0], n[1]); }},
      {"placed cylinder",
       {1, 2, 3, 4, 5},
       {3, 4},
       [](const Numbers& n) {
         return Shape::of(Cylinder{vec(n, 0), {0, 0, 1}, n[3], n[4]});
       }},
      {"cone", {1, 2}, {0, 1}, [](const Numbers& n) { return Shape::cone(n[0], n[1]); }},
      {"placed cone",
       {1, 2, 3, 4, 5},
       {3, 4},
       [](const Numbers& n) {
         return Shape::of(Cone{vec(n, 0), {0, 0, 1}, n[3], n[4]});
       }},
      {"ellipsoid",
       {1, 2, 3},
       {0, 1, 2},
       [](const Numbers& n) { return Shape::ellipsoid(vec(n, 0)); }},
      {"placed ellipsoid",
       {1, 2, 3, 4, 5, 6},
       {3, 4, 5},
       [](const Numbers& n) {
         return Shape::of(Ellipsoid{vec(n, 0), Mat3::identity(), vec(n, 3)});
       }},
      {"hull",
       {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1},
       {},
       [](const Numbers& n) {
         return Shape::hull(std::array{vec(n, 0), vec(n, 3), vec(n, 6), vec(n, 9)});
       }},
      {"half-space",
       {1, 2, 3, 4},
       {},
       [](const Numbers& n) { return Shape::half_space(vec(n, 0), n[3]); }},
      {"brush",
       {-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0, 1, 1, 1, 1},
       {},
       [](const Numbers& n) {
         std::vector<HalfSpace> faces;
         for (std::size_t i = 0; i < n.size(); i += 4) faces.push_back({vec(n, i), n[i + 3]});
         return Shape::brush(faces);
       }},
      {"custom",
       {1, 2, 3},
       {},
       [](const Numbers& n) { return Shape::custom([p = vec(n, 0)](const Vec3&) { return p; }); }},
      {"rounded", {1}, {0}, [=](const Numbers& n) { return cube.rounded(n[0]); }},
      {"scaled", {1, 2, 3}, {}, [=](const Numbers& n) { return cube.scaled(vec(n, 0)); }},
  };
}

TEST(ShapeBuilding, EveryNumberIsChecked) {
  for (const Builder& b : builders()) {
    SCOPED_TRACE(b.name);
    ASSERT_EQ(error_of(b.build(b.example)), std::nullopt);
    for (std::size_t i = 0; i < b.example.size(); ++i) {
      SCOPED_TRACE(i);
      const auto with = [&](double x) {
        Numbers n = b.example;
        n[i] = x;
        return error_of(b.build(n));
      };
      for (const double x : {double{NAN}, double{INFINITY}, -double{INFINITY}}) {
        EXPECT_EQ(with(x), ErrorCode::not_finite) << x;
      }
      for (const double x : {0.99e-30, -1e-31, 1.01e30, -1e31, DBL_MAX, DBL_MIN, 4.9e-324}) {
        EXPECT_EQ(with(x), ErrorCode::out_of_range) << x;
      }
    }
    for (const std::size_t i : b.lengths) {
      Numbers n = b.example;
      n[i] = -1;
      EXPECT_EQ(error_of(b.build(n)), ErrorCode::out_of_range);
      n[i] = 0;
      EXPECT_EQ(error_of(b.build(n)), std::nullopt);
      n[i] = -0.0;
      EXPECT_EQ(error_of(b.build(n)), std::nullopt);
      n[i] = 1e-30;
      EXPECT_EQ(error_of(b.build(n)), std::nullopt);
    }
  }
}

TEST(ShapeBuilding, AxesAreUnitVectorsAtRightAngles) {
  const auto box = [](const Mat3& m) { return error_of(Shape::of(Obb{{}, m, {1, 2, 3}})); };
  const auto ellipsoid = [](const Mat3& m) {
    return error_of(Shape::of(Ellipsoid{{}, m, {1, 2, 3}}));
  };
  const auto cylinder = [](const Mat3& m) { return error_of(Shape::of(Cylinder{{}, m.x, 1, 2})); };
  const auto cone = [](const Mat3& m) { return error_of(Shape::of(Cone{{}, m.x, 1, 2})); };

  for (const double off : {1e-11, -1e-11, 1.0, -1.0, -0.5}) {
    const Mat3 longer{{1 + off, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    EXPECT_EQ(box(longer), ErrorCode::out_of_range) << off;
    EXPECT_EQ(ellipsoid(longer), ErrorCode::out_of_range) << off;
    EXPECT_EQ(cylinder(longer), ErrorCode::out_of_range) << off;
    EXPECT_EQ(cone(longer), ErrorCode::out_of_range) << off;
  }
  for (int i = 0; i < 3; ++i) {
    Mat3 skew;
    skew[i] = normalized(skew[i] + unit_axis((i + 1) % 3) * 1e-11);
    EXPECT_EQ(box(skew), ErrorCode::out_of_range) << i;
    EXPECT_EQ(ellipsoid(skew), ErrorCode::out_of_range) << i;
    skew = {};
    skew[i] = normalized(skew[i] + unit_axis((i + 1) % 3) * 1e-13);
    EXPECT_EQ(box(skew), std::nullopt) << i;
    EXPECT_EQ(ellipsoid(skew), std::nullopt) << i;
    skew[i][i] = NAN;
    EXPECT_EQ(box(skew), ErrorCode::not_finite) << i;
    EXPECT_EQ(ellipsoid(skew), ErrorCode::not_finite) << i;
  }
  EXPECT_EQ(cylinder({{1 + 1e-13, 0, 0}, {}, {}}), std::nullopt);
  EXPECT_EQ(cylinder({{INFINITY, 0, 0}, {}, {}}), ErrorCode::not_finite);
  EXPECT_EQ(cone({{0, NAN, 0}, {}, {}}), ErrorCode::not_finite);
  // Left-handed axes are as good.
  EXPECT_EQ(box({{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), std::nullopt);
}

TEST(ShapeBuilding, ZeroNormalsAndFactors) {
  EXPECT_EQ(error_of(Shape::half_space({}, 1)), ErrorCode::degenerate);
  EXPECT_EQ(error_of(Shape::half_space({0, -0.0, 0}, 1)), ErrorCode::degenerate);
  const Shape cube = Shape::box({1, 1, 1}).value();
  for (int i = 0; i < 3; ++i) {
    Vec3 factors{1, 1, 1};
    factors[i] = 0;
    EXPECT_EQ(error_of(cube.scaled(factors)), ErrorCode::degenerate);
  }
}

TEST(ShapeBuilding, Hulls) {
  EXPECT_EQ(error_of(Shape::hull({})), ErrorCode::too_few);
  const std::vector<Vec3> cube = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                  {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
  EXPECT_EQ(error_of(Shape::hull(cube, {.vertex_limit = 3})), ErrorCode::out_of_range);
  const Shape limited = Shape::hull(cube, {.vertex_limit = 5}).value();
  EXPECT_LE(std::get<Polytope>(limited.core()).vertices().size(), 5u);
  for (const Vec3& v : cube) EXPECT_EQ(verify::distance(v, verify::PlacedShape{limited, {}}), 0);
}

TEST(ShapeBuilding, Brushes) {
  const auto brush = [](std::vector<HalfSpace> faces) { return error_of(Shape::brush(faces)); };
  std::vector<HalfSpace> cube;
  for (int i = 0; i < 3; ++i) {
    cube.push_back({unit_axis(i), 1});
    cube.push_back({-unit_axis(i), 1});
  }
  EXPECT_EQ(brush(cube), std::nullopt);
  EXPECT_EQ(brush({}), ErrorCode::unbounded);
  EXPECT_EQ(brush({cube[0]}), ErrorCode::unbounded);
  EXPECT_EQ(brush({cube.begin(), cube.begin() + 5}), ErrorCode::unbounded);
  auto with = [&](const HalfSpace& more) {
    std::vector<HalfSpace> faces = cube;
    faces.push_back(more);
    return brush(faces);
  };
  EXPECT_EQ(with({{1, 1, 1}, 100}), std::nullopt);           // bounds nothing
  EXPECT_EQ(with({{1, 1, 1}, 3}), std::nullopt);             // touches a corner
  EXPECT_EQ(with({{1, 0, 0}, -1.5}), ErrorCode::degenerate); // empty
  EXPECT_EQ(with({{1, 0, 0}, -1}), ErrorCode::degenerate);   // a square
  EXPECT_EQ(with({{1, 1, 0}, -2}), ErrorCode::degenerate);   // an edge
  EXPECT_EQ(with({{1, 1, 1}, -3}), ErrorCode::degenerate);   // a corner
  EXPECT_TRUE(with({{}, 1}));
}

TEST(ShapeBuilding, PartsAreBounded) {
  const Shape cube = Shape::box({1, 1, 1}).value();
  const Shape ground = Shape::half_space({0, 0, 1}, 0).value();
  const Shape rounded = ground.rounded(1).value();
  for (const Shape& half_space : {ground, rounded}) {
    EXPECT_FALSE(half_space.bounded());
    EXPECT_EQ(error_of(Shape::sum(cube, half_space)), ErrorCode::unbounded);
    EXPECT_EQ(error_of(Shape::sum(half_space, cube)), ErrorCode::unbounded);
    EXPECT_EQ(error_of(Shape::hull_of_two(cube, half_space)), ErrorCode::unbounded);
    EXPECT_EQ(error_of(Shape::hull_of_two(half_space, cube)), ErrorCode::unbounded);
  }
  EXPECT_TRUE(cube.bounded());
}

TEST(ShapeBuilding, CustomSupportsAreTried) {
  EXPECT_EQ(error_of(Shape::custom({})), ErrorCode::too_few);
  // Wrong in one of the six directions only.
  for (int i = 0; i < 3; ++i) {
    for (const double sign : {1.0, -1.0}) {
      const auto broken = [=](double value) {
        return error_of(Shape::custom([=](const Vec3& d) {
          return d[i] * sign > 0 ? Vec3{0, value, 0} : Vec3{};
        }));
      };
      EXPECT_EQ(broken(NAN), ErrorCode::not_finite);
      EXPECT_EQ(broken(INFINITY), ErrorCode::not_finite);
      EXPECT_EQ(broken(1e31), ErrorCode::out_of_range);
      EXPECT_EQ(broken(1), std::nullopt);
    }
  }
}

TEST(ShapeBuilding, NestedToTheLimit) {
  const Shape ball = Shape::sphere(1).value();
  const auto sum = [&](const Shape& s) { return Shape::sum(ball, s); };
  const auto hull = [&](const Shape& s) { return Shape::hull_of_two(s, ball); };
  const auto scaled = [&](const Shape& s) { return s.rounded(1).value().scaled({1, 2, 3}); };
  using Step = std::function<Result<Shape>(const Shape&)>;
  for (const Step& step : {Step(sum), Step(hull), Step(scaled)}) {
    Shape tower = Shape::box({1, 1, 1}).value();
    EXPECT_EQ(tower.depth(), 0);
    for (int i = 1; i <= Shape::max_depth; ++i) {
      tower = step(tower).value();
      EXPECT_EQ(tower.depth(), i);
    }
    EXPECT_EQ(error_of(step(tower)), ErrorCode::out_of_range);
    EXPECT_EQ(tower.rounded(1).value().depth(), Shape::max_depth);
  }
  // The deeper part counts.
  const Shape deep = sum(sum(ball).value()).value();
  EXPECT_EQ(Shape::sum(ball, deep).value().depth(), 3);
  EXPECT_EQ(Shape::hull_of_two(deep, ball).value().depth(), 3);
}

// ---- what is kept ----

template<class Core>
const Core& core(const Shape& shape) {
  return std::get<Core>(shape.core());
}

TEST(ShapeKept, KindCoreAndRounding) {
  const Vec3 a{1, 2, 3}, b{0.1, -5, 7}, c{-1, 0, 1e-30};
  const auto expect = [](const Shape& s, ShapeKind kind, double rounding) {
    EXPECT_EQ(s.kind(), kind) << name_of(s.kind());
    EXPECT_EQ(s.rounding(), rounding);
  };
  const Shape point = Shape::point(a).value();
  expect(point, ShapeKind::point, 0);
  EXPECT_EQ(core<Vec3>(point), a);
  const Shape segment = Shape::segment(a, b).value();
  expect(segment, ShapeKind::segment, 0);
  EXPECT_EQ(core<Segment>(segment).a, a);
  EXPECT_EQ(core<Segment>(segment).b, b);
  const Shape triangle = Shape::triangle(a, b, c).value();
  expect(triangle, ShapeKind::triangle, 0);
  EXPECT_EQ(core<Triangle>(triangle).c, c);
  const Shape sphere = Shape::sphere(0.3, a).value();
  expect(sphere, ShapeKind::sphere, 0.3);
  EXPECT_EQ(core<Vec3>(sphere), a);
  const Shape capsule = Shape::capsule(a, b, 0.7).value();
  expect(capsule, ShapeKind::capsule, 0.7);
  EXPECT_EQ(core<Segment>(capsule).b, b);
  const Shape box = Shape::box({1, 0, 0.1}).value();
  expect(box, ShapeKind::box, 0);
  EXPECT_EQ(core<Obb>(box).half, (Vec3{1, 0, 0.1}));
  EXPECT_EQ(core<Obb>(box).center, Vec3{});
  const Shape cylinder = Shape::cylinder(2, 0.1).value();
  expect(cylinder, ShapeKind::cylinder, 0);
  EXPECT_EQ(core<Cylinder>(cylinder).axis, (Vec3{0, 0, 1}));
  EXPECT_EQ(core<Cylinder>(cylinder).half_height, 2);
  EXPECT_EQ(core<Cylinder>(cylinder).radius, 0.1);
  const Shape cone = Shape::cone(2, 0.1).value();
  expect(cone, ShapeKind::cone, 0);
  EXPECT_EQ(core<Cone>(cone).apex, (Vec3{0, 0, 2}));
  EXPECT_EQ(core<Cone>(cone).base_center(), Vec3{});
  EXPECT_EQ(core<Cone>(cone).radius, 0.1);
  const Shape tapered = Shape::tapered_capsule(a, 1, b, 2).value();
  expect(tapered, ShapeKind::tapered_capsule, 0);
  EXPECT_EQ(core<TaperedCapsule>(tapered).radius_a, 1);
  EXPECT_EQ(core<TaperedCapsule>(tapered).radius_b, 2);
  EXPECT_EQ(core<TaperedCapsule>(tapered).b, b);
  const Shape ellipsoid = Shape::ellipsoid(a).value();
  expect(ellipsoid, ShapeKind::ellipsoid, 0);
  EXPECT_EQ(core<Ellipsoid>(ellipsoid).radii, a);
  const Shape half_space = Shape::half_space(a, -2).value();
  expect(half_space, ShapeKind::half_space, 0);
  EXPECT_EQ(core<HalfSpace>(half_space).normal, a); // not normalised
  EXPECT_EQ(core<HalfSpace>(half_space).offset, -2);
  const Shape hull = Shape::hull(std::array{a, b, c, a}).value();
  expect(hull, ShapeKind::hull, 0);
  EXPECT_EQ(core<Polytope>(hull).hull().dimension, 2);
  EXPECT_EQ(core<Polytope>(hull).vertices().size(), 3u);
  const Shape sum = Shape::sum(box, sphere).value();
  expect(sum, ShapeKind::sum, 0);
  EXPECT_EQ(*core<SumCore>(sum).a, box);
  EXPECT_EQ(*core<SumCore>(sum).b, sphere);
  const Shape both = Shape::hull_of_two(box, sphere).value();
  expect(both, ShapeKind::hull_of_two, 0);
  EXPECT_EQ(*core<HullOfTwoCore>(both).a, box);
  EXPECT_EQ(*core<HullOfTwoCore>(both).b, sphere);
}

TEST(ShapeKept, Names) {
  std::set<std::string> names;
  for (int i = 0; i < shape_kinds; ++i) names.insert(name_of(static_cast<ShapeKind>(i)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(shape_kinds));
  EXPECT_STREQ(name_of(ShapeKind::point), "point");
  EXPECT_STREQ(name_of(ShapeKind::hull_of_two), "hull_of_two");
  EXPECT_STREQ(name_of(ShapeKind::scaled), "scaled");
}

TEST(ShapeKept, HandlesAreCopied) {
  const Shape a = Shape::sphere(1).value();
  const Shape b = Shape::sphere(1).value();
  Shape c = a;
  EXPECT_TRUE(c == a);
  EXPECT_EQ(&c.core(), &a.core());
  EXPECT_EQ(c.id(), a.id());
  EXPECT_FALSE(a == b);
  EXPECT_NE(a.id(), b.id());
  EXPECT_NE(a.id(), 0u);
  c = b;
  EXPECT_TRUE(c == b);
  // A part outlives its own handle.
  Shape sum = Shape::sum(Shape::sphere(1).value(), Shape::box({1, 1, 1}).value()).value();
  EXPECT_EQ(core<SumCore>(sum).b->kind(), ShapeKind::box);
}

// At least as large as the shape, and not much more; so that epsilon times it is a rounding.
PROPERTY(ShapeKept, Size) {
  const Shape shape = test::ShapeGenerator(source, test::scale(source)).bounded();
  test::Precise most = 0;
  for (int i = 0; i < 3; ++i) {
    for (const double sign : {1.0, -1.0}) {
      const test::Precise reach =
          abs(test::precise_support(shape, test::precise(unit_axis(i) * sign)));
      most = std::max(most, reach);
    }
  }
  test::note() << name_of(shape.kind()) << " size " << shape.size() << " of " << most.get_d()
               << '\n';
  REQUIRE(test::precise(shape.size() * (1 + 4 * epsilon)) >= most);
  if (shape.depth() == 0) REQUIRE(shape.size() <= 3 * most.get_d());
}

PROPERTY(ShapeKept, Polyhedral) {
  const Shape shape = test::shape(source);
  const ShapeCore& c = shape.core();
  const bool corners = std::holds_alternative<Vec3>(c) || std::holds_alternative<Segment>(c) ||
                       std::holds_alternative<Triangle>(c) || std::holds_alternative<Obb>(c) ||
                       std::holds_alternative<Polytope>(c) || std::holds_alternative<BrushCore>(c);
  REQUIRE(shape.polyhedral() == corners);
}

} // namespace
} // namespace carom
