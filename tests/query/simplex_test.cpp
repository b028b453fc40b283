// Whether an overlap is sure, by more than rounding: what saves the exact decision.
#include "carom/query/simplex.h"

#include "carom/query/inner_difference.h"

#include <gtest/gtest.h>

namespace carom {
namespace {

/// Corners of a box against a point: a tetrahedron of A - B.
PairCache corners_of(const Vec3& point) {
  PairCache cache;
  cache.count = 4;
  cache.corners = {
      {{{1, 1, 1}, point}, {{-1, -1, 1}, point}, {{-1, 1, -1}, point}, {{1, -1, -1}, point}}};
  return cache;
}

struct Case {
  Shape box = Shape::box({1, 1, 1}).value();
  Shape point = Shape::point({}).value();

  [[nodiscard]] CorePair pair(const Vec3& at) const { return {box, {}, point, Pose::at(at)}; }
  [[nodiscard]] bool is_deep(const Vec3& at) const {
    const CorePair p = pair(at);
    Simplex simplex;
    simplex.take(corners_of({}), p);
    EXPECT_EQ(simplex.count(), 4);
    return simplex.is_deep(simplex.weights(), p);
  }
};

// The face opposite to (1, 1, 1) is x + y + z = -1.
TEST(Simplex, IsDeepByMoreThanRounding) {
  const Case c;
  const auto above_face = [](double height) { return Vec3{1, 1, 1} * (height - 1.0 / 3); };
  EXPECT_TRUE(c.is_deep({}));
  EXPECT_TRUE(c.is_deep({0.1, -0.2, 0.15}));
  EXPECT_TRUE(c.is_deep(above_face(1e-9)));
  EXPECT_FALSE(c.is_deep(above_face(1e-15)));
  EXPECT_FALSE(c.is_deep(above_face(4e-15))); // a rounding here
}

TEST(InnerDifference, IsSureByMoreThanRounding) {
  const Case c;
  const auto sure = [&](const Vec3& at) {
    const CorePair pair = c.pair(at);
    const InnerDifference inner(pair, 0);
    const CorePair::Corner w = pair.corner({1, 1, 1}, {});
    CoreDistance found;
    const bool by_ball = inner.contains_origin();
    EXPECT_TRUE(by_ball || inner.contains_origin_toward(w.difference));
    EXPECT_TRUE(inner.take_points(by_ball ? nullptr : &w, found));
    EXPECT_EQ(found.upper, 0);
    return found.sure;
  };
  EXPECT_TRUE(sure({}));
  EXPECT_TRUE(sure({0.3, 0.2, 0.4}));
  EXPECT_TRUE(sure({0.6, 0.6, 0.6}));
  EXPECT_FALSE(sure({0.95, 0.95, 0.95})); // little is left of the ball there
}

} // namespace
} // namespace carom
