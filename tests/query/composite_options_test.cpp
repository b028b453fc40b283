// Shapes that are not convex: options, caches, input out of range, agreement with the convex queries.
#include "carom/query/closest_point.h"
#include "carom/query/distance.h"
#include "carom/query/overlap.h"
#include "carom/query/ray_cast_all.h"
#include "carom/query/shape_cast.h"
#include "carom/query/span.h"
#include "tests/query/composite_cases.h"
#include "tests/support/property.h"

#include <limits>

namespace carom {
namespace {

using test::CompositeCase;
using test::Source;

// ---- agreement ----

TEST(CompositeAgreement, ExchangedTheAnswersAreTheSame) {
  test::for_each_seed(test::fewer_when_sanitized(3000), [](Source& source) {
    const CompositeCase c = test::any_case(source);
    const Distance d = distance(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
    const Distance e = distance(c.b.shape, c.b.pose, c.a.shape, c.a.pose);
    if (c.searched) return;
    EXPECT_NEAR(d.value, e.value, c.promised());
    const bool o = overlap(c.a.shape, c.a.pose, c.b.shape, c.b.pose).hit;
    const bool p = overlap(c.b.shape, c.b.pose, c.a.shape, c.a.pose).hit;
    // Within the band it may go either way.
    if (d.value > c.promised() || d.value == 0) {
      EXPECT_TRUE(o == p || d.value == 0);
    }
    if (d.lower_bound > c.band()) {
      EXPECT_FALSE(o || p);
    }
    if (c.a.shape.bounded() && c.b.shape.bounded()) {
      const double s = span(c.a.shape, c.a.pose, c.b.shape, c.b.pose).value;
      EXPECT_NEAR(s, span(c.b.shape, c.b.pose, c.a.shape, c.a.pose).value, c.promised());
      EXPECT_GE(s, d.lower_bound);
    }
  });
}

TEST(CompositeAgreement, OneConvexPartIsAsTheConvexShape) {
  test::for_each_seed(test::fewer_when_sanitized(3000), [](Source& source) {
    const double scale = test::modest_scale(source);
    const Shape part = test::ShapeGenerator(source, scale).bounded(0);
    const Shape other = test::ShapeGenerator(source, scale).bounded(0);
    const Shape one = Shape::compound(std::vector<CompoundPart>{{part, {}, 7}}).value();
    const test::PairCase c = test::placed(source, part, other, scale);
    const Pose& pose = c.a.pose;
    const Pose& at = c.b.pose;
    const Distance d = distance(one, pose, other, at);
    const Distance e = distance(part, pose, other, at);
    EXPECT_EQ(d.value, e.value);
    EXPECT_EQ(d.on_a, e.on_a);
    EXPECT_LE(d.lower_bound, e.lower_bound);
    EXPECT_GE(d.lower_bound, e.lower_bound - 1e-13 * c.size);
    EXPECT_EQ(d.part_a, (PartId{PartId::none, 0, 7}));
    EXPECT_EQ(overlap(other, at, one, pose).hit, overlap(other, at, part, pose).hit);
    const Vec3 p = test::coordinates(test::point_for(source, c.a, scale));
    EXPECT_EQ(closest_point(p, one, pose).value, closest_point(p, part, pose).value);
    const Vec3 v = test::direction(source);
    EXPECT_EQ(ray_cast(one, pose, Ray{p, v}).t, ray_cast(part, pose, Ray{p, v}).t);
    EXPECT_EQ(shape_cast(one, pose, v * scale, other, at).t,
              shape_cast(part, pose, v * scale, other, at).t);
    EXPECT_EQ(span(one, pose, other, at).value, span(part, pose, other, at).value);
  });
}

TEST(CompositeAgreement, OneTriangleAndOnePointAreAsTheirShapes) {
  test::for_each_seed(test::fewer_when_sanitized(3000), [](Source& source) {
    const Triangle t = test::triangle(source);
    PolygonMesh mesh;
    mesh.vertices = {t.a, t.b, t.c};
    test::add_face(mesh, {0, 1, 2});
    const double r = source.index(2) ? test::radius(source) : 0;
    const Shape one = Shape::mesh(mesh).value().rounded(r).value();
    const Shape triangle = Shape::triangle(t.a, t.b, t.c).value().rounded(r).value();
    const Shape cloud = Shape::point_cloud(std::vector{t.a}, r).value();
    const Shape ball = Shape::sphere(r, t.a).value();
    const Shape other = test::ShapeGenerator(source, 1).bounded(0);
    const test::PairCase c = test::placed(source, one, other, 1);
    const Pose& pose = c.a.pose;
    const Pose& at = c.b.pose;
    EXPECT_EQ(distance(one, pose, other, at).value, distance(triangle, pose, other, at).value);
    EXPECT_EQ(distance(other, at, cloud, pose).value, distance(other, at, ball, pose).value);
    const Vec3 v = test::direction(source);
    EXPECT_EQ(shape_cast(one, pose, v, other, at).t, shape_cast(triangle, pose, v, other, at).t);
    EXPECT_EQ(overlap(cloud, pose, other, at).hit, overlap(ball, pose, other, at).hit);
    const Vec3 p = test::point_for(source, c.a, 1);
    const double size = c.size + max_abs(p);
    EXPECT_NEAR(closest_point(p, one, pose).value, closest_point(p, triangle, pose).value,
                1e-13 * size);
    EXPECT_EQ(closest_point(p, cloud, pose).value, closest_point(p, ball, pose).value);
  });
}

// ---- options ----

TEST(CompositeOptions, DistancesKeepTheirPromises) {
  test::for_each_seed(test::fewer_when_sanitized(3000), [](Source& source) {
    const CompositeCase c = test::any_case(source);
    if (c.searched) return;
    const Distance exact = distance(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
    DistanceOptions options;
    const double part = std::ldexp(1.0, -source.index(20));
    switch (source.index(4)) {
    case 0:
      options.absolute_error = exact.value * part;
      break;
    case 1:
      options.relative_error = part;
      break;
    case 2:
      options.threshold = exact.value * source.uniform(0.5, 1.5);
      break;
    default:
      options.limit = exact.value * source.uniform(0.5, 1.5);
      break;
    }
    const Distance d = distance(c.a.shape, c.a.pose, c.b.shape, c.b.pose, options);
    const double slack = c.promised() + c.band();
    EXPECT_LE(d.lower_bound, exact.value);
    EXPECT_GE(d.value, exact.lower_bound);
    const auto verdict = verify::check_composite_distance(c.a, c.b, d, c.band());
    EXPECT_TRUE(verdict) << verdict.why;
    const double open = d.value - d.lower_bound;
    if (options.threshold > 0) {
      EXPECT_TRUE(d.value < options.threshold || d.lower_bound >= options.threshold ||
                  open <= slack)
          << d.value << " " << d.lower_bound << " " << options.threshold;
    } else if (options.limit < INFINITY) {
      EXPECT_TRUE(d.lower_bound > options.limit || open <= slack);
    } else {
      EXPECT_LE(open, std::max(options.absolute_error, options.relative_error * d.value) + slack);
    }
  });
}

TEST(CompositeOptions, CastsThatMayStopShortDoNotStopLate) {
  test::for_each_seed(test::fewer_when_sanitized(1500), [](Source& source) {
    const CompositeCase c = test::any_case(source);
    if (c.searched) return;
    const Vec3 toward = c.b.pose.position - c.a.pose.position;
    const Vec3 d = test::direction(source);
    const Vec3 v = toward * 1.5 + d * (0.5 * c.a.shape.size());
    const double error = c.a.shape.size() * std::ldexp(1.0, -source.index(20));
    const ShapeCast exact = shape_cast(c.a.shape, c.a.pose, v, c.b.shape, c.b.pose);
    const ShapeCast near =
        shape_cast(c.a.shape, c.a.pose, v, c.b.shape, c.b.pose, {.absolute_error = error});
    const double size = c.size + max_abs(v);
    if (exact.hit) {
      EXPECT_TRUE(near.hit);
      EXPECT_LE(near.t * length(v), exact.t * length(v) + 1e-10 * size);
    }
    if (near.hit && !near.initial_overlap) {
      EXPECT_LE(length(near.on_a - near.on_b), error + 1e-10 * size);
      EXPECT_LE(verify::distance(near.on_a - v * near.t, c.a), c.band() + 2e-14 * max_abs(v));
      EXPECT_LE(verify::distance(near.on_b, c.b), c.band());
    }
    // One that ends before the contact misses it.
    if (exact.hit && exact.t > 1e-6 && exact.status == Status::ok) {
      const double before = exact.t * (1 - 1e-6);
      EXPECT_FALSE(shape_cast(c.a.shape, c.a.pose, v, c.b.shape, c.b.pose, {.max_t = before}).hit);
    }
  });
}

TEST(CompositeOptions, CachesOnlySaveTime) {
  PairCache cache; // of whatever pair came before
  test::for_each_seed(test::fewer_when_sanitized(600), [&](Source& source) {
    const CompositeCase c = test::any_case(source);
    if (c.searched) return;
    Pose moved = c.b.pose;
    for (int i = 0; i < 6; ++i) {
      const Distance with = distance(c.a.shape, c.a.pose, c.b.shape, moved, {}, &cache);
      const Distance without = distance(c.a.shape, c.a.pose, c.b.shape, moved);
      EXPECT_NEAR(with.value, without.value, c.promised());
      EXPECT_LE(with.lower_bound, without.value);
      const auto verdict =
          verify::check_composite_distance(c.a, {c.b.shape, moved}, with, c.band());
      EXPECT_TRUE(verdict) << verdict.why;
      const bool hit = overlap(c.a.shape, c.a.pose, c.b.shape, moved, &cache).hit;
      EXPECT_EQ(hit, overlap(c.a.shape, c.a.pose, c.b.shape, moved).hit);
      const Vec3 d = test::direction(source);
      const double far = i == 3 ? 1 : 0.01; // a jump
      moved.position = test::coordinates(moved.position + d * (far * c.b.shape.size()));
      moved.rotation = i == 4 ? Quat{} : moved.rotation;
    }
  });
}

// ---- out of range ----

TEST(CompositeInput, BadNumbersAreSaidToBe) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  test::for_each_seed(30, [&](Source& source) {
    const CompositeCase c = test::any_case(source);
    const double bad[] = {nan, INFINITY, -INFINITY, 1e31, 1e300, 1e-31};
    for (const double x : bad) {
      for (int axis = 0; axis < 3; ++axis) {
        Pose pose = c.a.pose;
        pose.position[axis] = x;
        EXPECT_EQ(distance(c.a.shape, pose, c.b.shape, c.b.pose).status, Status::bad_input);
        EXPECT_EQ(distance(c.b.shape, c.b.pose, c.a.shape, pose).status, Status::bad_input);
        EXPECT_EQ(overlap(c.a.shape, pose, c.b.shape, c.b.pose).status, Status::bad_input);
        EXPECT_EQ(span(c.a.shape, pose, c.b.shape, c.b.pose).status, Status::bad_input);
        EXPECT_EQ(shape_cast(c.a.shape, pose, {1, 0, 0}, c.b.shape, c.b.pose).status,
                  Status::bad_input);
        EXPECT_EQ(closest_point({}, c.a.shape, pose).status, Status::bad_input);
        EXPECT_EQ(ray_cast(c.a.shape, pose, Ray{{}, {1, 0, 0}}).status, Status::bad_input);
        std::vector<RayHit> hits;
        ray_cast_all(c.a.shape, pose, Ray{{}, {1, 0, 0}}, hits);
        ASSERT_EQ(hits.size(), 1U);
        EXPECT_TRUE(!hits[0].hit && hits[0].status == Status::bad_input);
        Vec3 v{1, 2, 3};
        v[axis] = x;
        const bool small = std::fabs(x) < 1;
        const auto cast = shape_cast(c.a.shape, c.a.pose, v, c.b.shape, c.b.pose);
        EXPECT_TRUE(small || cast.status == Status::bad_input);
        EXPECT_EQ(closest_point(v, c.a.shape, c.a.pose).status, Status::bad_input);
        EXPECT_TRUE(small ||
                    ray_cast(c.a.shape, c.a.pose, Ray{v, {1, 0, 0}}).status == Status::bad_input);
        EXPECT_TRUE(small || ray_cast(c.a.shape, c.a.pose, Ray{{}, v}).status == Status::bad_input);
        ray_cast_all(c.a.shape, c.a.pose, Ray{{}, v}, hits);
        EXPECT_TRUE(small || (hits.size() == 1 && hits[0].status == Status::bad_input));
        ray_cast_all(c.a.shape, c.a.pose, Ray{v, {1, 0, 0}}, hits);
        EXPECT_TRUE(small || (hits.size() == 1 && hits[0].status == Status::bad_input));
      }
      Pose turned = c.a.pose;
      turned.rotation = {x, 0, 0, 1};
      const Distance d = distance(c.a.shape, turned, c.b.shape, c.b.pose);
      EXPECT_TRUE(d.status == Status::bad_input || std::isfinite(d.value));
    }
    EXPECT_EQ(ray_cast(c.a.shape, c.a.pose, Ray{{}, {1, 0, 0}}, {.max_t = nan}).status,
              Status::bad_input);
    EXPECT_FALSE(ray_cast(c.a.shape, c.a.pose, Ray{{}, {1, 0, 0}}, {.max_t = -1}).hit);
    const DistanceOptions odd{nan, nan, nan, nan};
    EXPECT_GE(distance(c.a.shape, c.a.pose, c.b.shape, c.b.pose, odd).value, 0);
    const DistanceOptions negative{-1, -1, -1, -1};
    EXPECT_GE(distance(c.a.shape, c.a.pose, c.b.shape, c.b.pose, negative).value, 0);
  });
}

TEST(CompositeInput, AtTheEndsOfTheRangeNothingIsNan) {
  test::for_each_seed(test::fewer_when_sanitized(300), [](Source& source) {
    static constexpr double scales[] = {1e-29, 1e-25, 1e25, 1e28};
    const double scale = scales[source.index(4)];
    const Shape a = test::CompositeGenerator(source, scale).any();
    const Shape b = test::CompositeGenerator(source, scale).any();
    Pose pose = test::shape_pose(source, 1);
    if (source.chance(3)) pose.position = {1e30, 0, -1e30};
    const Distance d = distance(a, {}, b, pose);
    EXPECT_TRUE(d.value >= 0);
    const double size = a.size() + b.size() + max_abs(pose.position);
    if (d.status != Status::bad_input) {
      const auto verdict = verify::check_composite_distance(
          {a, {}}, {b, pose}, d, 4e-14 * size + 10 * tolerance::coordinate_min);
      EXPECT_TRUE(verdict) << verdict.why;
    }
    const ShapeOverlap o = overlap(a, {}, b, pose);
    EXPECT_TRUE(is_finite(o.point));
    EXPECT_EQ(o.status == Status::bad_input, d.status == Status::bad_input);
    EXPECT_TRUE(is_finite(shape_cast(a, {}, {1, 0, 0}, b, pose).point));
    EXPECT_TRUE(is_finite(closest_point(pose.position, a, {}).point));
    EXPECT_TRUE(span(a, {}, b, pose).value >= 0);
    const RayHit h = ray_cast(a, {}, Ray{pose.position, {1, 2, 3}});
    EXPECT_FALSE(std::isnan(h.t));
  });
}

} // namespace
} // namespace carom
