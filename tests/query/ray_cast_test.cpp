// Every kind, every answer through the checker; and the same as a shape cast of a point.
#include "carom/query/ray_cast.h"

#include "carom/query/shape_cast.h"
#include "carom/shape/support.h"
#include "carom/verify/check_ray_cast.h"
#include "tests/query/pair_cases.h"
#include "tests/support/property.h"

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
INSTANTIATE_TEST_SUITE_P(Kinds, RayCasts, testing::Range(0, shape_kinds),
                         [](const testing::TestParamInfo<int>& kind) {
                           return std::string(name_of(static_cast<ShapeKind>(kind.param)));
                         });

TEST_P(RayCasts, AreProved) {
  const std::uint64_t count = std::getenv("COUNT") ? std::strtoull(std::getenv("COUNT"), nullptr, 10) : 2000;
  int hits = 0, misses = 0, inside = 0;
  for_each_case(count, [&](const RayCase& c) {
    const RayHit h = ray_cast(c.placed.shape, c.placed.pose, c.ray,
                              {.max_t = c.max_t, .prove_misses = true});
    const auto verdict = verify::check_ray_cast(c.placed, c.ray, c.max_t, h, allowed(c, h));
    EXPECT_TRUE(verdict) << verdict.why << ", size " << c.size << ", hit " << h.hit << ", t "
                         << h.t << ", inside " << h.inside << ", iterations " << h.iterations;
    if (!has(c, ShapeKind::custom)) {
      EXPECT_EQ(h.status, Status::ok) << "iterations " << h.iterations;
    }
    ++(h.inside ? inside : h.hit ? hits : misses);
  });
  EXPECT_GT(misses, 0);
  EXPECT_GT(hits, 0);
  if (std::getenv("CAROM_FIGURES")) std::printf("hits %d misses %d inside %d\n", hits, misses, inside);
}

} // namespace
} // namespace carom
