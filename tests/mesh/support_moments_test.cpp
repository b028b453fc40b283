#include "carom/mesh/support_moments.h"

#include "carom/geometry/support.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/moments.h"
#include "tests/support/property.h"

namespace carom::test {
namespace {

constexpr double epsilon = 0x1p-52;

template<class Solid>
auto support_of(const Solid& solid, double rounding = 0) {
  return
      [=](const Vec3& d) { return support_point(solid, d) + normalized_or(d, Vec3{}) * rounding; };
}

/// The volume is within the bound, and the bound within what was asked for. Centroid and second moments have no bound of their own: they are
/// those of a solid within the same bounds, so not off by more than a few times as much.
void expect_bounded(const BoundedMoments& m, const Moments& expected, double size,
                    double accuracy) {
  EXPECT_LE(m.relative_error, accuracy);
  EXPECT_LE(std::fabs(m.moments.volume - expected.volume), m.relative_error * expected.volume);
  EXPECT_TRUE(are_close(m.moments, expected, size, 4 * accuracy));
}

TEST(SupportMoments, OfRoundThings) {
  const Ellipsoid ball{{1, 2, 3}, {}, {1, 1, 1}};
  expect_bounded(support_moments(support_of(ball)), moments(ball), 1, 1e-3);
  const Cylinder can{{1, 2, 3}, {0, 0.6, 0.8}, 1, 0.5};
  expect_bounded(support_moments(support_of(can, 0.25)), moments(can, 0.25), 1.25, 1e-3);
  // In fact an order better.
  EXPECT_NEAR(support_moments(support_of(ball)).moments.volume / moments(ball).volume, 1, 2e-4);
}

// Aspect ratios up to a million, all sizes, far from the origin.
TEST(SupportMoments, OfEllipsoidsOfAllProportions) {
  for_each_seed(fewer_when_sanitized(60), [](Source& source) {
    const double s = scale(source);
    const auto proportion = [&] { return std::ldexp(s, -source.index(21)); };
    const Vec3 center = vec3(source) * s;
    const double x = proportion();
    const double y = proportion();
    const Ellipsoid e{center, axes(source), {x, y, s}};
    const BoundedMoments m = support_moments(support_of(e), 0.02);
    expect_bounded(m, moments(e), s, 0.02);
  });
}

TEST(SupportMoments, OfSolidsWithFlatSidesAndEdges) {
  for_each_seed(fewer_when_sanitized(150), [](Source& source) {
    const double s = scale(source);
    const auto length = [&] { return s * std::ldexp(1.0, -source.index(12)); };
    const Vec3 at = vec3(source) * s;
    const Vec3 axis = direction(source);
    const double h = length();
    const double r = length();
    const bool round = source.index(2) > 0;
    const double rounding = round ? length() : 0;
    switch (source.index(3)) {
    case 0: {
      const Cylinder c{at, axis, h, r};
      expect_bounded(support_moments(support_of(c, rounding), 0.02), moments(c, rounding),
                     2 * h + r + rounding, 0.02);
      break;
    }
    case 1: {
      const Cone c{at, axis, h, r};
      expect_bounded(support_moments(support_of(c, rounding), 0.02), moments(c, rounding),
                     h + r + rounding, 0.02);
      break;
    }
    default: {
      const Obb b{at, axes(source), {h, r, s}};
      expect_bounded(support_moments(support_of(b, rounding), 0.02), moments(b, rounding),
                     2 * s + rounding, 0.02);
    }
    }
  });
}

// Nothing but flat faces: found to rounding after a few rounds.
TEST(SupportMoments, OfPolytopesAreExact) {
  for_each_seed(100, [](Source& source) {
    const Obb b{vec3(source), axes(source), {1, source.uniform(0.01, 1), 1}};
    const BoundedMoments m = support_moments(support_of(b), 1e-9);
    EXPECT_LE(m.relative_error, 1e-9);
    EXPECT_TRUE(are_close(m.moments, moments(b), 3, m.relative_error + 64 * epsilon));
  });
}

TEST(SupportMoments, OfFlatThings) {
  for_each_seed(200, [](Source& source) {
    const double s = scale(source);
    const Vec3 center = vec3(source) * s;
    const Mat3 basis = axes(source);
    Vec3 radii{s, s * (1 + source.index(2)) / 2, 0};
    if (source.chance(2)) radii.y = 0;
    if (source.chance(5)) radii.x = 0;
    const int turn = source.index(3);
    const Vec3 turned{radii[turn], radii[(turn + 1) % 3], radii[(turn + 2) % 3]};
    const BoundedMoments m = support_moments(support_of(Ellipsoid{center, basis, turned}));
    EXPECT_EQ(m.moments.volume, 0);
    EXPECT_EQ(m.relative_error, 0);
    EXPECT_EQ(m.moments.second, Mat3::zero());
    EXPECT_LE(max_abs(m.moments.centroid - center), 1e-5 * s);
  });
  // A half disc's centroid is 4 / (3 pi) from the middle of its side.
  const BoundedMoments half_disc = support_moments([](const Vec3& d) {
    const double l = std::sqrt(d.x * d.x + d.y * d.y);
    if (d.y >= 0 && l > 0) return Vec3{d.x / l, d.y / l, 0};
    return Vec3{d.x < 0 ? -1.0 : 1.0, 0, 0};
  });
  EXPECT_EQ(half_disc.moments.volume, 0);
  EXPECT_LE(max_abs(half_disc.moments.centroid - Vec3{0, 4 / (3 * M_PI), 0}), 1e-5);
}

// Answers that are no set, no numbers, or out of range: the search ends and says that it knows nothing.
TEST(SupportMoments, OfNonsense) {
  const auto hopeless = [](const std::function<Vec3(const Vec3&)>& support) {
    const BoundedMoments m = support_moments(support);
    EXPECT_EQ(m.relative_error, INFINITY);
    EXPECT_TRUE(std::isfinite(m.moments.volume));
  };
  hopeless([](const Vec3&) { return Vec3{NAN, 0, 0}; });
  hopeless([](const Vec3& d) { return d * INFINITY; });
  hopeless([](const Vec3& d) { return normalized(d) * 1e40; });
  hopeless([](const Vec3& d) { return d.x != 0 && d.y != 0 ? Vec3{NAN, NAN, NAN} : d; });
  // Far beyond the box that the axes tell of.
  hopeless([](const Vec3& d) { return d.x * d.y * d.z > 0 ? d * 100 : normalized(d); });
  // Points of a ball, in the wrong places: whatever comes out is finite.
  const BoundedMoments m = support_moments([](const Vec3& d) {
    return normalized(cross(d, {1, 2, 3})) - normalized(d);
  });
  EXPECT_TRUE(std::isfinite(m.moments.volume));
}

} // namespace
} // namespace carom::test
