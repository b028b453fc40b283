// The answers of a space are those of the query layer, each with its proof: through the checker, by brute force over all parts.
#include "tests/query/composite_cases.h"
#include "tests/space/twins.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::Source;
using verify::PlacedShape;

/// A space in one scale, whose shapes all have a checker that is exact.
class Checked {
public:
  explicit Checked(Source& source) {
    static constexpr ShapeKind kinds[] = {
        ShapeKind::box,      ShapeKind::hull,       ShapeKind::triangle, ShapeKind::capsule,
        ShapeKind::mesh,     ShapeKind::sphere,     ShapeKind::segment,  ShapeKind::height_field,
        ShapeKind::compound, ShapeKind::point_cloud};
    const int count = 4 + source.index(8);
    for (int i = 0; i < count; ++i) {
      const ShapeKind kind = kinds[source.index(10)];
      const Shape shape = test::CompositeGenerator(source, 1).of_kind(kind);
      const Vec3 at = test::vec3(source) * 2;
      const Pose pose{test::rotation(source), test::coordinates(at)};
      (void)space.add({.shape = shape, .pose = pose});
    }
  }
  [[nodiscard]] PlacedShape placed(ObjectId id) const {
    return {space.find(id)->shape, space.find(id)->pose};
  }
  [[nodiscard]] test::CompositeCase pair(ObjectPair p) const {
    return test::case_of(placed(p.a), placed(p.b));
  }

  Space space;
};

TEST(SpaceVerify, PairsAreProved) {
  test::for_each_seed(test::fewer_when_sanitized(60), [](Source& source) {
    const Checked c(source);
    std::vector<SpaceOverlapPair> overlaps;
    overlapping_pairs(c.space, overlaps);
    for (const SpaceOverlapPair& p : overlaps) {
      const auto k = c.pair(p.pair);
      const auto verdict = verify::check_composite_overlap(k.a, k.b, p.overlap, k.band());
      EXPECT_TRUE(verdict) << verdict.why;
    }
    std::vector<SpaceDistancePair> near;
    ASSERT_EQ(pairs_within(c.space, 0.5, near), Status::ok);
    EXPECT_GE(near.size(), overlaps.size());
    for (const SpaceDistancePair& p : near) {
      const auto k = c.pair(p.pair);
      if (k.searched) continue;
      const auto verdict = verify::check_composite_distance(k.a, k.b, p.distance, k.band());
      EXPECT_TRUE(verdict) << verdict.why;
      EXPECT_LE(p.distance.value - p.distance.lower_bound, k.promised());
    }
  });
}

TEST(SpaceVerify, NearestAndCastsAreProved) {
  test::for_each_seed(test::fewer_when_sanitized(60), [](Source& source) {
    const Checked c(source);
    const Shape shape = test::CompositeGenerator(source, 1).of_kind(ShapeKind::hull);
    const Vec3 from = test::vec3(source) * 4;
    const Vec3 toward = test::vec3(source) - from;
    const PlacedShape asked{shape, {test::rotation(source), test::coordinates(from)}};

    const SpaceDistance d = nearest(c.space, asked.shape, asked.pose);
    ASSERT_TRUE(d);
    const auto k = test::case_of(asked, c.placed(d.id));
    auto verdict = verify::check_composite_distance(k.a, k.b, d.distance, k.band());
    EXPECT_TRUE(verdict) << verdict.why;

    const SpaceShapeCast s = shape_cast(c.space, asked.shape, asked.pose, toward);
    if (s && s.cast.status == Status::ok) {
      const auto m = test::case_of(asked, c.placed(s.id));
      const double size = m.size + max_abs(toward);
      verdict = verify::check_composite_shape_cast(m.a, toward, m.b, 1, s.cast,
                                                   m.band() + 2e-14 * max_abs(toward),
                                                   (m.exact ? 1e-13 : 1e-10) * size);
      EXPECT_TRUE(verdict) << verdict.why;
    }
    const Ray ray{from, toward};
    std::vector<SpaceRayHit> hits;
    ASSERT_EQ(ray_cast_all(c.space, ray, hits), Status::ok);
    for (const SpaceRayHit& h : hits) {
      const PlacedShape object = c.placed(h.id);
      const double size = object.shape.size() + max_abs(object.pose.position) + max_abs(from) +
                          max_abs(h.hit.point);
      if (h.hit.status != Status::ok) continue;
      verdict = verify::check_composite_ray_cast(object, ray, INFINITY, h.hit, 1e-11 * size);
      EXPECT_TRUE(verdict) << verdict.why;
    }
    const SpaceNearPoint n = nearest(c.space, from);
    ASSERT_TRUE(n);
    const PlacedShape object = c.placed(n.id);
    const double size = object.shape.size() + max_abs(object.pose.position) + max_abs(from);
    verdict = verify::check_composite_closest_point(from, object, n.surface, 1e-10 * size);
    EXPECT_TRUE(verdict) << verdict.why;
    std::vector<SpaceOverlap> overlaps;
    ASSERT_EQ(overlapping(c.space, asked.shape, asked.pose, overlaps), Status::ok);
    for (const SpaceOverlap& o : overlaps) {
      const auto m = test::case_of(asked, c.placed(o.id));
      verdict = verify::check_composite_overlap(m.a, m.b, o.overlap, m.band());
      EXPECT_TRUE(verdict) << verdict.why;
    }
  });
}

} // namespace
} // namespace carom
