// Every lane of a batch equals the scalar form, to the bit.
#include "carom/geometry/batch.h"

#include "carom/geometry/cast_box.h"
#include "carom/geometry/cast_flat.h"
#include "carom/geometry/overlap.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/property.h"

#include <bit>
#include <utility>
#include <vector>

namespace carom {
namespace {

using test::Source;

template<class Item, class Generate>
std::vector<Item> up_to_nine(Source& source, Generate&& generate) {
  std::vector<Item> items;
  for (int i = source.index(10); i > 0; --i) items.push_back(generate(source));
  return items;
}

Aabb any_box(Source& source) {
  Aabb box = test::aabb(source);
  if (source.chance(8)) return Aabb{};
  if (source.chance(8)) std::swap(box.min.x, box.max.x); // empty too, unless flat
  return box;
}

Ray any_ray(Source& source) {
  Ray r = test::ray(source);
  if (source.chance(8)) r.direction = {};
  if (source.chance(3)) r.direction.x = -0.0;
  return r;
}

TEST(Batch, BoxesEqualTheScalarForm) {
  test::for_each_seed(20000, [](Source& source) {
    const Aabb box = any_box(source);
    const auto boxes = up_to_nine<Aabb>(source, any_box);
    const std::uint8_t bits = overlaps(box, Aabb8(boxes));
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_EQ((bits >> i & 1) != 0, i < boxes.size() && overlaps(box, boxes[i]));
    }
  });
}

TEST(Batch, SpheresEqualTheScalarForm) {
  test::for_each_seed(20000, [](Source& source) {
    const Sphere sphere = test::sphere(source);
    auto spheres = up_to_nine<Sphere>(source, test::sphere);
    for (Sphere& s : spheres) { // touching, to the last bit or nearly
      const double gap = distance(s.center, sphere.center) - sphere.radius;
      if (gap >= 0 && source.chance(2)) s.radius = gap;
    }
    const std::uint8_t bits = overlaps(sphere, Sphere8(spheres));
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_EQ((bits >> i & 1) != 0, i < spheres.size() && overlaps(sphere, spheres[i]));
    }
  });
}

TEST(Batch, RaysAgainstBoxesEqualTheScalarForm) {
  test::for_each_seed(20000, [](Source& source) {
    const Ray line = any_ray(source);
    const RaySlabs ray(line, source.chance(3) ? test::positive(source) : INFINITY);
    const auto boxes = up_to_nine<Aabb>(source, any_box);
    const RayBoxes8 batch = enter(ray, Aabb8(boxes));
    for (std::size_t i = 0; i < 8; ++i) {
      const double t = i < boxes.size() ? enter(ray, boxes[i]) : INFINITY;
      EXPECT_EQ(std::bit_cast<std::uint64_t>(batch.t[i]), std::bit_cast<std::uint64_t>(t));
      EXPECT_EQ((batch.hit >> i & 1) != 0, t < INFINITY);
    }
  });
}

TEST(Batch, RaysAgainstTrianglesEqualTheScalarForm) {
  test::for_each_seed(20000, [](Source& source) {
    const auto triangles = up_to_nine<Triangle>(source, test::triangle);
    Ray ray = any_ray(source);
    if (!triangles.empty() && source.chance(2)) { // at an edge or a corner of one of them
      const Triangle& t = triangles[0];
      ray.direction = lerp(t.a, t.b, source.index(3) * 0.5) - ray.origin;
    }
    const double t_max = source.chance(3) ? test::positive(source) : INFINITY;
    const RayTriangles8 batch = cast(ray, Triangle8(triangles), t_max);
    for (std::size_t i = 0; i < 8; ++i) {
      const TriangleHit scalar =
          i < triangles.size() ? cast(ray, triangles[i], t_max) : TriangleHit{};
      EXPECT_EQ((batch.hit >> i & 1) != 0, scalar.hit);
      EXPECT_EQ(std::bit_cast<std::uint64_t>(batch.t[i]),
                std::bit_cast<std::uint64_t>(scalar.hit ? scalar.t : INFINITY));
    }
  });
}

// The quick slab test may say yes too often, by rounding, but never no where the exact cast hits.
TEST(RaySlabs, NeverMissesWhatTheCastHits) {
  test::for_each_seed(100000, [](Source& source) {
    const Aabb box = test::aabb(source);
    Ray ray = any_ray(source);
    if (source.chance(2)) ray.direction = box.corner(source.index(8)) - ray.origin;
    if (ray.direction == Vec3{}) return;
    const double quick = enter(RaySlabs(ray), box);
    const Cast exact = cast(ray, box);
    if (exact.hit) {
      EXPECT_LE(quick, exact.t * (1 + 1e-14) + 1e-14);
      EXPECT_LT(enter(RaySlabs(ray, exact.t), box), INFINITY); // it ends where it touches
    }
    if (quick < INFINITY) { // a yes is right to within rounding
      const Aabb fat{box.min - Vec3{1e-13, 1e-13, 1e-13}, box.max + Vec3{1e-13, 1e-13, 1e-13}};
      EXPECT_TRUE(cast(ray, fat).hit);
    }
  });
}

// 6888 * (1 / 984) is more than 7.
TEST(RaySlabs, ABoxTouchedExactlyAtTheEndOfTheRay) {
  const Ray ray{{0, 0, 0}, {984, 0, 0}};
  EXPECT_LT(enter(RaySlabs(ray, 7), Aabb{{6888, -1, -1}, {7000, 1, 1}}), INFINITY);
}

} // namespace
} // namespace carom
