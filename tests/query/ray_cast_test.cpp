// Every kind, every answer through the checker; and the same as a shape cast of a point.
#include "carom/query/ray_cast.h"

#include "carom/query/shape_cast.h"
#include "carom/shape/support.h"
#include "carom/verify/check_ray_cast.h"
#include "tests/query/pair_cases.h"
#include "tests/support/property.h"

#include <vector>

namespace carom {
namespace {

using test::Source;
using verify::PlacedShape;

struct RayCase {
  PlacedShape placed;
  Ray ray;
  double max_t;
  double size; ///< of the shape, its position and the ray's: what rounding errors are relative to
};

/// Toward a point of the shape, past it along its surface, along an axis, from inside, none.
Ray ray_for(Source& source, const PlacedShape& placed, double scale) {
  const Vec3 target = test::point_of(source, placed);
  const Vec3 d = test::direction(source);
  const double away = std::ldexp(1.0, source.index(10) - 3);
  const double speed = std::ldexp(1.0, source.index(12) - 6);
  switch (source.index(5)) {
  case 1: { // a tangent: at a farthest point, at right angles to its direction
    const Frame frame = placed.pose.frame();
    const Vec3 top = frame.to_world(support_point(placed.shape, frame.direction_to_local(d)));
    const Vec3 along = normalized_or(cross(d, test::direction(source)), {});
    return {top - along * (away * scale), along * speed};
  }
  case 2: // from a point of the shape
    return {target, d * speed};
  case 3: { // anywhere
    const Vec3 from = target + test::vec3(source) * (away * scale);
    return {from, source.chance(8) ? Vec3{} : d * speed};
  }
  default:
    return {target - d * (away * scale), d * (speed * scale)};
  }
}

RayCase ray_case(Source& source, ShapeKind kind) {
  const double scale = test::scale(source);
  const Shape shape = test::ShapeGenerator(source, scale).of_kind(kind);
  RayCase c{{shape, test::shape_pose(source, scale)}, {}, INFINITY, 0};
  const Ray ray = ray_for(source, c.placed, scale);
  c.ray = {test::coordinates(ray.origin), ray.direction};
  static constexpr double lengths[] = {INFINITY, INFINITY, 1, 4, 1e9};
  c.max_t = lengths[source.index(5)];
  c.size = shape.size() + max_abs(c.placed.pose.position) + max_abs(c.ray.origin);
  return c;
}

bool has(const RayCase& c, ShapeKind kind) {
  return test::PairCase{c.placed, c.placed, 0}.has(kind);
}

/// What the header promises; the corners of a brush are rounded, and a hit far away is as exact as its distance.
double allowed(const RayCase& c, const RayHit& h) {
  const bool endless = !c.placed.shape.bounded() && c.max_t < INFINITY;
  const double reach = max_abs(c.ray.direction) * (h.hit ? h.t : endless ? c.max_t : 0);
  const double brush = has(c, ShapeKind::brush) ? 10 * tolerance::coordinate_min : 0;
  const bool exact = c.placed.shape.polyhedral() || h.iterations == 0;
  return (exact ? 1e-13 : 1e-11) * (c.size + reach) + brush;
}

class RayCasts : public testing::TestWithParam<int> {
protected:
  template<class Check>
  void for_each_case(std::uint64_t cases, Check&& check) {
    test::for_each_seed(test::fewer_when_sanitized(cases), [&](Source& source) {
      check(ray_case(source, static_cast<ShapeKind>(GetParam())));
    });
  }
};
INSTANTIATE_TEST_SUITE_P(Kinds, RayCasts, testing::Range(0, convex_kinds),
                         [](const testing::TestParamInfo<int>& kind) {
                           return std::string(name_of(static_cast<ShapeKind>(kind.param)));
                         });

TEST_P(RayCasts, AreProved) {
  int hits = 0;
  int misses = 0;
  for_each_case(800, [&](const RayCase& c) {
    const RayHit h =
        ray_cast(c.placed.shape, c.placed.pose, c.ray, {.max_t = c.max_t, .prove_misses = true});
    const auto verdict = verify::check_ray_cast(c.placed, c.ray, c.max_t, h, allowed(c, h));
    EXPECT_TRUE(verdict) << verdict.why << ", size " << c.size << ", hit " << h.hit << ", t " << h.t
                         << ", inside " << h.inside << ", iterations " << h.iterations;
    if (!has(c, ShapeKind::custom)) {
      EXPECT_EQ(h.status, Status::ok) << "iterations " << h.iterations;
    }
    ++(h.hit ? hits : misses);
  });
  EXPECT_GT(misses, 0);
  EXPECT_GT(hits, 0);
}

// Without a proof of misses the answer is the same, and the checker's own search finds nothing that was missed.
TEST_P(RayCasts, MissesNeedNoProofToBeRight) {
  for_each_case(100, [&](const RayCase& c) {
    const RayHit h = ray_cast(c.placed.shape, c.placed.pose, c.ray, {.max_t = c.max_t});
    const auto verdict = verify::check_ray_cast(c.placed, c.ray, c.max_t, h, allowed(c, h));
    EXPECT_TRUE(verdict) << verdict.why << ", size " << c.size << ", hit " << h.hit;
    if (h.hit || !c.placed.shape.bounded()) return;
    RayHit plain = h; // the same answer, its proof withheld
    plain.normal = {};
    const auto search = verify::check_ray_cast(c.placed, c.ray, c.max_t, plain, allowed(c, h));
    EXPECT_TRUE(search) << search.why << ", size " << c.size;
  });
}

// A ray is a point that moves.
TEST_P(RayCasts, AreShapeCastsOfAPoint) {
  const Shape point = Shape::point({}).value();
  for_each_case(200, [&](const RayCase& c) {
    const Vec3 way = c.ray.direction * 4;
    const RayHit h = ray_cast(c.placed.shape, c.placed.pose, c.ray, {.max_t = 4});
    const ShapeCast s =
        shape_cast(point, Pose::at(c.ray.origin), way, c.placed.shape, c.placed.pose);
    if (has(c, ShapeKind::custom)) return;
    // Each is proved not to be late, by a plane that it comes to at this speed; tangents may go either way.
    const double late = 2 * allowed(c, h) + 1e-11 * max_abs(way);
    const double t_ray = h.hit ? h.t / 4 : 1;
    const double t_shape = s.hit ? s.t : 1;
    if (h.hit && !h.inside) {
      EXPECT_GE(t_shape - t_ray, late / dot(h.normal, way)) << t_shape << " " << t_ray;
    }
    if (s.hit && !s.initial_overlap) {
      EXPECT_GE(t_ray - t_shape, -late / dot(s.normal, way)) << t_shape << " " << t_ray;
    }
  });
}

RayHit checked(const Shape& shape, const Ray& ray, const RayCastOptions& options = {}) {
  const RayHit h = ray_cast(shape, {}, ray, options);
  const auto verdict =
      verify::check_ray_cast(verify::PlacedShape{shape, {}}, ray, options.max_t, h, 1e-11);
  EXPECT_TRUE(verdict) << verdict.why;
  EXPECT_EQ(h.status, Status::ok);
  return h;
}

/// Solids that reach from -1 to 1 along x and y, in every way that is searched or has a formula.
std::vector<Shape> round_and_flat() {
  const Shape ball = Shape::sphere(1).value();
  const Shape box = Shape::box({1, 1, 1}).value();
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back({i % 2 * 2 - 1.0, i / 2 % 2 * 2 - 1.0, i / 4 * 2 - 1.0});
  return {ball,
          box,
          Shape::cylinder(1, 1).value(),
          Shape::ellipsoid({1, 1, 2}).value(),
          Shape::hull(corners).value(),
          Shape::box({0.5, 0.5, 0.5}).value().rounded(0.5).value(),
          Shape::sum(Shape::sphere(0.5).value(), Shape::box({0.5, 0.5, 0}).value()).value(),
          Shape::hull_of_two(ball, Shape::point({0, 0, 2}).value()).value(),
          Shape::tapered_capsule({0, 0, 0}, 1, {0, 0, 2}, 0.5).value(),
          Shape::sphere(2).value().scaled({0.5, 0.5, 1}).value()};
}

TEST(RayCast, StraightThrough) {
  for (const Shape& shape : round_and_flat()) {
    SCOPED_TRACE(name_of(shape.kind()));
    const RayHit h = checked(shape, {{-9, 0, 0}, {2, 0, 0}});
    ASSERT_TRUE(h.hit);
    EXPECT_NEAR(h.t, 4, 1e-11);
    EXPECT_NEAR(h.normal.x, -1, 1e-5);
    EXPECT_FALSE(h.inside);
    EXPECT_FALSE(checked(shape, {{-9, 0, 0}, {-2, 0, 0}}).hit);
    EXPECT_FALSE(checked(shape, {{-9, 0, 0}, {2, 0, 0}}, {.max_t = 3.999}).hit);
    EXPECT_TRUE(checked(shape, {{-9, 0, 0}, {2, 0, 0}}, {.max_t = 4 + 1e-11}).hit);
    EXPECT_FALSE(checked(shape, {{-9, 0, 0}, {2, 0, 0}}, {.max_t = -1}).hit);
  }
}

TEST(RayCast, TangentsHit) {
  for (const Shape& shape : round_and_flat()) {
    SCOPED_TRACE(name_of(shape.kind()));
    EXPECT_TRUE(checked(shape, {{-9, 1, 0}, {1, 0, 0}}).hit);
    EXPECT_FALSE(checked(shape, {{-9, 1 + 1e-9, 0}, {1, 0, 0}}).hit);
    EXPECT_TRUE(checked(shape, {{-9, 1 - 1e-9, 0}, {1, 0, 0}}).hit);
  }
}

TEST(RayCast, FromInside) {
  for (const Shape& shape : round_and_flat()) {
    SCOPED_TRACE(name_of(shape.kind()));
    const RayHit h = checked(shape, {{0.1, 0.2, 0.3}, {0, 0, 1}});
    EXPECT_TRUE(h.inside);
    EXPECT_EQ(h.t, 0);
    EXPECT_EQ(h.normal, Vec3{});
    EXPECT_TRUE(checked(shape, {{0.1, 0.2, 0.3}, {}}).inside); // a point
    EXPECT_FALSE(checked(shape, {{5, 0, 0}, {}}).hit);
  }
}

TEST(RayCast, InThePlaneOfATriangle) {
  const Shape triangle = Shape::triangle({0, -1, 0}, {1, 0, 0}, {0, 1, 0}).value();
  const RayHit h = checked(triangle, {{-5, 0, 0}, {1, 0, 0}});
  EXPECT_NEAR(h.t, 5, 1e-12);
  EXPECT_LT(h.normal.x, -0.7); // one that proves it, not the triangle's own
  EXPECT_TRUE(checked(triangle, {{-5, 1, 0}, {1, 0, 0}}).hit);
  EXPECT_FALSE(checked(triangle, {{-5, 1.001, 0}, {1, 0, 0}}).hit);
}

TEST(RayCast, HalfSpaces) {
  const Shape ground = Shape::half_space({0, 3, 0}, 6).value(); // y <= 2
  EXPECT_NEAR(checked(ground, {{0, 10, 0}, {1, -2, 0}}).t, 4, 1e-15);
  EXPECT_TRUE(checked(ground, {{0, 1, 0}, {0, 1, 0}}).inside);
  EXPECT_FALSE(checked(ground, {{0, 10, 0}, {1, 0, 0}}).hit);
  EXPECT_TRUE(checked(ground, {{0, 2, 0}, {1, 0, 0}}).hit);
}

TEST(RayCast, NonsenseIsSaidToBe) {
  for (const Shape& shape : round_and_flat()) {
    for (const double x : {static_cast<double>(NAN), static_cast<double>(INFINITY), 1e31}) {
      const Ray ray{{-5, 0, 0}, {1, 0, 0}};
      EXPECT_EQ(ray_cast(shape, Pose::at({0, x, 0}), ray).status, Status::bad_input);
      EXPECT_EQ(ray_cast(shape, {}, {{x, 0, 0}, {1, 0, 0}}).status, Status::bad_input);
      EXPECT_EQ(ray_cast(shape, {}, {{5, 0, 0}, {1, x, 0}}).status, Status::bad_input);
    }
    EXPECT_EQ(ray_cast(shape, {}, {{5, 0, 0}, {1, 0, 0}}, {.max_t = NAN}).status,
              Status::bad_input);
  }
}

} // namespace
} // namespace carom
