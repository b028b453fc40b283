// The features of polyhedral shapes, and the coarser levels of their hulls.
#include "carom/shape/feature_hull.h"

#include "carom/math/random.h"
#include "carom/math/tolerance.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace carom {
namespace {

FeatureHull features_of(const Shape& shape) { return FeatureHull::of(shape).value(); }

TEST(FeatureHull, HasTheFeaturesOfABox) {
  const FeatureHull box = features_of(Shape::box({1, 2, 3}).value());
  const FeatureLevel& level = box.levels()[0];
  ASSERT_EQ(level.vertices.size(), 8u);
  ASSERT_EQ(level.sides.size(), 24u);
  ASSERT_EQ(level.normals.size(), 6u);
  for (std::uint32_t k = 0; k < level.sides.size(); ++k) {
    const FeatureSide& side = level.sides[k];
    EXPECT_EQ(level.sides[side.twin].twin, k);
    EXPECT_EQ(level.sides[side.twin].origin, side.target);
    EXPECT_GE(k, level.star_begin[side.origin]);
    EXPECT_LT(k, level.star_begin[side.origin + 1]);
    EXPECT_EQ(length(side.along), 1);
    EXPECT_EQ(length(side.outward), 1);
    EXPECT_EQ(dot(side.along, side.outward), 0);
    EXPECT_EQ(dot(level.normals[side.face], side.outward), 0);
    // The whole face is behind the plane through the side.
    for (const std::uint32_t other : level.sides_of(side.face)) {
      const Vec3& corner = level.vertices[level.sides[other].origin];
      EXPECT_LE(dot(corner - level.vertices[side.origin], side.outward), 0);
    }
  }
}

// Corners of a turned box may lie below the range of coordinates, and still be far apart beside its size.
TEST(FeatureHull, KeepsTheCornersOfATinyTurnedBox) {
  const Vec3 x = normalized(Vec3{1, 2, 3});
  const Vec3 y = perpendicular(x);
  const Obb box{{}, {x, y, cross(x, y)}, {3e-30, 2e-30, 1e-29}};
  const FeatureHull hull = features_of(Shape::of(box).value());
  const FeatureLevel& level = hull.levels()[0];
  ASSERT_EQ(level.vertices.size(), 8u);
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner = box.corner(i);
    EXPECT_NE(std::find(level.vertices.begin(), level.vertices.end(), corner),
              level.vertices.end());
  }
}

TEST(FeatureHull, RefusesWhatIsNotPolyhedral) {
  const Shape shapes[] = {
      Shape::cylinder(1, 1).value(), Shape::ellipsoid({1, 2, 3}).value(),
      Shape::half_space({0, 0, 1}, 0).value(),
      Shape::sum(Shape::box({1, 1, 1}).value(), Shape::box({1, 1, 1}).value()).value()};
  for (const Shape& shape : shapes) {
    const auto hull = FeatureHull::of(shape);
    ASSERT_FALSE(hull);
    EXPECT_EQ(hull.error().code, ErrorCode::degenerate);
  }
}

TEST(FeatureHull, LevelsAreHullsOfAQuarter) {
  Random random(8);
  std::vector<Vec3> points;
  for (int i = 0; i < 1024; ++i) points.push_back(random.direction());
  const FeatureHull hull = FeatureHull::of(Shape::hull(points).value(), {.levels = true}).value();
  ASSERT_EQ(hull.levels().size(), 4u);
  for (std::size_t i = 1; i < hull.levels().size(); ++i) {
    const FeatureLevel& level = hull.levels()[i];
    const FeatureLevel& finer = hull.levels()[i - 1];
    EXPECT_EQ(level.vertices.size(), finer.vertices.size() / 4);
    ASSERT_EQ(level.finer.size(), level.vertices.size());
    for (std::size_t v = 0; v < level.vertices.size(); ++v)
      EXPECT_EQ(level.vertices[v], finer.vertices[level.finer[v]]);
  }
}

TEST(FeatureHull, FindsTheFarthestVertex) {
  const Shape shapes[] = {Shape::box({1, 2, 3}).value(), Shape::point({1, 1, 1}).value(),
                          Shape::triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0}).value()};
  Random random(9);
  for (const Shape& shape : shapes) {
    const FeatureHull hull = features_of(shape);
    for (int i = 0; i < 100; ++i) {
      const Vec3 d = random.direction();
      const Vec3& far = hull.levels()[0].vertices[hull.farthest(d)];
      for (const Vec3& v : hull.levels()[0].vertices) EXPECT_LE(dot(d, v), dot(d, far));
    }
  }
}

} // namespace
} // namespace carom
