// Points and rays against shapes that are not convex; all triangles that a ray meets, counted in rational numbers.
#include "carom/query/closest_point.h"
#include "carom/query/ray_cast_all.h"
#include "tests/query/composite_cases.h"
#include "tests/support/property.h"

#include <gmpxx.h>

#include <array>

namespace carom {
namespace {

using test::Source;

TEST(CompositePoint, ClosestPointsAreProved) {
  test::for_each_seed(test::fewer_when_sanitized(4000), [](Source& source) {
    const test::OneCase c = test::one_case(source);
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
    const test::OneCase c = test::one_case(source);
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

} // namespace
} // namespace carom
