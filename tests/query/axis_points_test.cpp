// Where the equations are solved, they hold.
#include "carom/query/axis_points.h"

#include "carom/math/random.h"
#include "carom/math/vec3.h"

#include <gtest/gtest.h>

namespace carom {
namespace {

struct Lines {
  Vec3 u, v, w;

  [[nodiscard]] AxisPoints points() const {
    return {length_squared(w), dot(w, u), dot(w, v), dot(u, v)};
  }
  [[nodiscard]] Vec3 line(const AxisPoints& at) const { return w + u * at.p + v * at.q; }
};

/// Two axes, two to four apart: radii up to 0.8 are well below that.
Lines lines(Random& random) {
  Lines l;
  l.u = random.direction();
  l.v = random.direction();
  const Vec3 d = random.direction();
  l.w = d * random.uniform(2, 4);
  return l;
}

double across(const Vec3& n, const Vec3& axis) { return length(n - axis * dot(n, axis)); }

/// How much of an equation may be left: roundings of its terms, and the square of a last step of 3e-8 of the length.
double left(const AxisPoints& at) { return 4e-14 * (at.ww + at.p * at.p + at.q * at.q); }

TEST(AxisPoints, OfTwoRims) {
  Random random(1);
  int found = 0;
  for (int k = 0; k < 1000; ++k) {
    const Lines l = lines(random);
    const double ra = random.uniform(0, 0.8);
    const double rb = random.uniform(0, 0.8);
    AxisPoints at = l.points();
    if (!at.solve_rims(ra, rb)) continue;
    ++found;
    const Vec3 n = l.line(at);
    EXPECT_NEAR(at.along_u(), dot(n, l.u), left(at));
    EXPECT_NEAR(at.along_v(), dot(n, l.v), left(at));
    EXPECT_NEAR(at.p * across(n, l.u), ra * dot(n, l.u), left(at));
    EXPECT_NEAR(at.q * across(n, l.v), rb * dot(n, l.v), left(at));
  }
  EXPECT_GE(found, 900);
}

TEST(AxisPoints, OfASideAndARim) {
  Random random(2);
  int found = 0;
  for (int k = 0; k < 1000; ++k) {
    const Lines l = lines(random);
    const double r = random.uniform(0, 0.8);
    // Where the line across u is short, a radius may be beyond it.
    if (across(l.w, l.u) < 1.5) continue;
    AxisPoints at = l.points();
    if (!at.solve_side(r)) continue;
    ++found;
    const Vec3 n = l.line(at);
    EXPECT_NEAR(dot(n, l.u), 0, left(at));
    EXPECT_NEAR(at.q * across(n, l.v), r * dot(n, l.v), left(at));
    // The same with the names exchanged.
    AxisPoints flipped{at.ww, at.wv, at.wu, at.cosine};
    EXPECT_TRUE(flipped.solve_side_of_b(r));
    EXPECT_EQ(flipped.p, at.q);
    EXPECT_EQ(flipped.q, at.p);
  }
  EXPECT_GE(found, 500);
}

} // namespace
} // namespace carom
