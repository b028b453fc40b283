// Shapes that are not convex: points, rays, options, caches, input out of range, agreement with the convex queries.
#include "carom/query/closest_point.h"
#include "carom/query/distance.h"
#include "carom/query/overlap.h"
#include "carom/query/ray_cast_all.h"
#include "carom/query/shape_cast.h"
#include "carom/query/span.h"
#include "tests/query/composite_cases.h"
#include "tests/support/property.h"

#include <gmpxx.h>

#include <array>
#include <limits>

namespace carom {
namespace {

using test::CompositeCase;
using test::Source;

constexpr std::array composite_list = {ShapeKind::mesh, ShapeKind::height_field,
                                       ShapeKind::compound, ShapeKind::point_cloud};

ShapeKind composite_kind(Source& source) {
  return composite_list[source.below(composite_list.size())];
}

/// Of any two kinds, not both convex.
CompositeCase any_case(Source& source) {
  const ShapeKind composite = composite_kind(source);
  const auto other = static_cast<ShapeKind>(source.index(shape_kinds));
  return source.index(2) ? test::composite_case(source, composite, other)
                         : test::composite_case(source, other, composite);
}

/// One shape that is not convex, placed, and how large it is all together.
struct OneCase {
  verify::PlacedShape placed;
  double scale, size;
  bool searched;
};
OneCase one_case(Source& source) {
  const double scale = test::modest_scale(source);
  const ShapeKind kind = composite_kind(source);
  const Shape shape = test::CompositeGenerator(source, scale).of_kind(kind);
  const verify::PlacedShape placed{shape, test::shape_pose(source, scale)};
  CompositeCase parts{placed, placed};
  test::look_at_parts(parts, placed);
  return {placed, scale, shape.size() + max_abs(placed.pose.position), !parts.exact};
}

TEST(CompositePoint, ClosestPointsAreProved) {
  test::for_each_seed(test::fewer_when_sanitized(4000), [](Source& source) {
    const OneCase c = one_case(source);
    const Vec3 p = test::coordinates(test::point_for(source, c.placed, c.scale));
    const SurfacePoint s = closest_point(p, c.placed.shape, c.placed.pose);
    const double size = c.size + max_abs(p);
    const double band = (c.searched ? 1e-10 : 1e-13) * size;
    const auto verdict = verify::check_composite_closest_point(p, c.placed, s, band);
    EXPECT_TRUE(verdict) << verdict.why << ", " << name_of(c.placed.shape.kind()) << " size "
                         << size << " value " << s.value;
    EXPECT_LE(s.upper_bound - s.lower_bound, (c.searched ? 1e-10 : 1e-12) * size);
  });
}

TEST(CompositeRay, HitsAndMissesAreProved) {
  test::for_each_seed(test::fewer_when_sanitized(4000), [](Source& source) {
    const OneCase c = one_case(source);
    const Vec3 from = test::coordinates(test::point_for(source, c.placed, c.scale));
    const Vec3 to = test::coordinates(test::point_for(source, c.placed, c.scale));
    const Vec3 d = test::direction(source);
    Ray ray{from, source.index(2) ? to - from : d * c.scale};
    if (source.chance(8)) ray.direction = {};
    const double max_t = source.chance(4) ? 0.5 : INFINITY;
    const RayHit h = ray_cast(c.placed.shape, c.placed.pose, ray, {.max_t = max_t});
    if (h.status == Status::wide || h.status == Status::bad_input) return;
    const double size = c.size + max_abs(from) + (h.hit ? max_abs(h.point) : 0);
    const double band = (c.searched ? 1e-10 : 1e-13) * size;
    const auto verdict = verify::check_composite_ray_cast(c.placed, ray, max_t, h, band);
    EXPECT_TRUE(verdict) << verdict.why << ", " << name_of(c.placed.shape.kind()) << " size "
                         << size << " hit " << h.hit << " t " << h.t;
    // Any hit: one where there is one, and of the shape.
    const RayHit any = ray_cast(c.placed.shape, c.placed.pose, ray, {.max_t = max_t, .any = true});
    EXPECT_EQ(any.hit, h.hit);
    if (any.hit) {
      EXPECT_GE(any.t, h.t);
      EXPECT_LE(verify::distance(any.point, c.placed), band);
    }
    std::vector<RayHit> all;
    ray_cast_all(c.placed.shape, c.placed.pose, ray, all, {.max_t = max_t});
    EXPECT_EQ(all.empty(), !h.hit);
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_LE(verify::distance(all[i].point, c.placed), band);
      EXPECT_TRUE(i == 0 || all[i - 1].t <= all[i].t);
    }
    if (!all.empty()) {
      EXPECT_EQ(all[0].t, h.t);
    }
  });
}

// ---- all triangles that a ray meets, in rational numbers ----

using Exact = std::array<mpq_class, 3>;
Exact exact(const Vec3& v) { return {mpq_class(v.x), mpq_class(v.y), mpq_class(v.z)}; }
Exact operator-(const Exact& a, const Exact& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Exact cross(const Exact& a, const Exact& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
mpq_class dot(const Exact& a, const Exact& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// -1: in its plane, or degenerate: not counted here.
int meets(const Ray& ray, const Triangle& t) {
  const Exact a = exact(t.a), b = exact(t.b), c = exact(t.c), o = exact(ray.origin),
              d = exact(ray.direction);
  const Exact n = cross(b - a, c - a);
  const mpq_class along = dot(n, d);
  if (along == 0) return -1;
  const mpq_class at = dot(n, a - o) / along;
  if (at < 0) return 0;
  Exact p;
  for (std::size_t i = 0; i < 3; ++i) p[i] = o[i] + d[i] * at;
  const auto left = [&](const Exact& from, const Exact& to) {
    return sgn(dot(n, cross(to - from, p - from))) >= 0;
  };
  return left(a, b) && left(b, c) && left(c, a) ? 1 : 0;
}

TEST(CompositeRay, AllTrianglesThatAreMetExactly) {
  test::for_each_seed(test::fewer_when_sanitized(1500), [](Source& source) {
    const Shape shape = test::CompositeGenerator(source, 1).mesh();
    if (shape.rounding() > 0) return;
    const auto& mesh = *body_of<TriangleMesh>(shape);
    const Vec3 from = test::vec3(source) * 2;
    // Often at a vertex, so that it runs through several triangles.
    const Vec3 vertex = mesh.vertices()[source.below(mesh.vertices().size())];
    const Vec3 d = test::direction(source);
    const Ray ray{from, source.index(2) ? vertex - from : d};
    if (ray.direction == Vec3{}) return;
    int count = 0;
    for (std::size_t i = 0; i < mesh.surface().size(); ++i) {
      const int m = meets(ray, mesh.surface()[i]);
      if (m < 0) return;
      count += m;
    }
    std::vector<RayHit> hits;
    ray_cast_all(shape, {}, ray, hits);
    int found = 0;
    for (const RayHit& h : hits) found += h.inside ? 0 : 1;
    EXPECT_EQ(found, count);
    // Of both sides together as many.
    std::size_t sides = 0;
    for (const Faces faces : {Faces::front, Faces::back}) {
      ray_cast_all(shape, {}, ray, hits, {.faces = faces});
      for (const RayHit& h : hits) {
        if (h.inside) continue;
        ++sides;
        EXPECT_EQ(h.front, faces == Faces::front);
        const Triangle t = mesh.surface()[h.part.element];
        const Vec3& w = h.barycentric;
        EXPECT_LE(max_abs(t.a * w.x + t.b * w.y + t.c * w.z - h.point), 1e-13 * (4 + h.t));
        EXPECT_EQ(h.part.material, mesh.material(h.part.element));
      }
    }
    EXPECT_EQ(sides, static_cast<std::size_t>(count));
  });
}

// ---- agreement ----

TEST(CompositeAgreement, ExchangedTheAnswersAreTheSame) {
  test::for_each_seed(test::fewer_when_sanitized(3000), [](Source& source) {
    const CompositeCase c = any_case(source);
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
    const CompositeCase c = any_case(source);
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

TEST(CompositeOptions, CachesOnlySaveTime) {
  PairCache cache; // of whatever pair came before
  test::for_each_seed(test::fewer_when_sanitized(600), [&](Source& source) {
    const CompositeCase c = any_case(source);
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
    const CompositeCase c = any_case(source);
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
        EXPECT_TRUE(small || ray_cast(c.a.shape, c.a.pose, Ray{v, {1, 0, 0}}).status ==
                                 Status::bad_input);
        EXPECT_TRUE(small ||
                    ray_cast(c.a.shape, c.a.pose, Ray{{}, v}).status == Status::bad_input);
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
    const Shape a = test::CompositeGenerator(source, scale).of_kind(composite_kind(source));
    const Shape b = test::CompositeGenerator(source, scale).of_kind(composite_kind(source));
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
