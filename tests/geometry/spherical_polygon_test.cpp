#include "carom/geometry/spherical_polygon.h"

#include "carom/math/trig.h"
#include "tests/support/generate.h"
#include "tests/support/moments.h"
#include "tests/support/property.h"

#include <vector>

namespace carom::test {
namespace {

constexpr double epsilon = 0x1p-52;
constexpr double few = 32 * epsilon;

/// The polygon with these corners, which are neither equal nor opposite to their neighbours.
std::vector<SphericalSide> polygon_of(const std::vector<Vec3>& corners) {
  std::vector<SphericalSide> sides;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec3& next = corners[(i + 1) % corners.size()];
    sides.push_back({corners[i], normalized(cross(corners[i], next))});
  }
  return sides;
}

bool close(const SphericalMoments& a, const SphericalMoments& b, double tolerance) {
  return std::fabs(a.area - b.area) <= tolerance && max_abs(a.first - b.first) <= tolerance &&
         size_of(a.second - b.second) <= tolerance;
}

SphericalMoments operator+(const SphericalMoments& a, const SphericalMoments& b) {
  return {a.area + b.area, a.first + b.first, a.second + b.second};
}

TEST(SphericalPolygon, OfAnOctant) {
  const SphericalMoments m = spherical_moments(polygon_of({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
  const double third = 1.0 / 3;
  const Mat3 second{{pi / 6, third, third}, {third, pi / 6, third}, {third, third, pi / 6}};
  EXPECT_TRUE(close(m, {pi / 2, Vec3{1, 1, 1} * (pi / 4), second}, few));
}

// From z down to -z along half circles at the angles 0 and t.
TEST(SphericalPolygon, OfLunes) {
  for (const double t : {pi, 3.0, half_pi, 1.0, 1e-3, 1e-8, 1e-12}) {
    const SinCos at = sin_cos(t);
    const std::vector<SphericalSide> sides{{{0, 0, 1}, {0, 1, 0}},
                                           {{0, 0, -1}, {at.sin, -at.cos, 0}}};
    const SphericalMoments m = spherical_moments(sides);
    // The integrals of sin^2 and sin^3 over the polar angle are pi / 2 and 4 / 3.
    const double c2 = (t + at.sin * at.cos) / 2;
    const double s2 = (t - at.sin * at.cos) / 2;
    const double sc = at.sin * at.sin / 2;
    const Mat3 second =
        Mat3{{c2 * 4 / 3, sc * 4 / 3, 0}, {sc * 4 / 3, s2 * 4 / 3, 0}, {0, 0, t * 2 / 3}};
    EXPECT_TRUE(close(m, {2 * t, Vec3{at.sin, 1 - at.cos, 0} * half_pi, second}, few)) << t;
    EXPECT_NEAR(m.area, 2 * t, few * t);
  }
}

/// By the flat triangle of the corners, cut into small ones: u = p / |p|, and an area dA at p is seen under normal . p / |p|^3 dA.
SphericalMoments integrated(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 normal = cross(b - a, c - a);
  const double height = dot(normal, a);
  SphericalMoments m;
  for_each_node(0, 1, 8, [&](long double s, long double ws) {
    for_each_node(0, 1, 8, [&](long double t, long double wt) {
      const auto u = static_cast<double>(s);
      const auto v = static_cast<double>(t);
      const Vec3 p = a + (b - a) * u + (c - b) * (u * v);
      const double l = length(p);
      const double weight = static_cast<double>(ws * wt) * u * height / (l * l * l);
      m = m + SphericalMoments{weight, p * (weight / l), outer(p, p) * (weight / (l * l))};
    });
  });
  return m;
}

PROPERTY(SphericalPolygon, OfTrianglesAgreeWithQuadrature) {
  Vec3 a = direction(source);
  Vec3 b = direction(source);
  Vec3 c = direction(source);
  if (triple(a, b, c) < 0) std::swap(b, c);
  // The flat triangle stays away from the middle of the sphere, where the integrand has no bound.
  const Vec3 normal = cross(b - a, c - a);
  ASSUME(dot(normal, a) > 0.5 * length(normal));
  const SphericalMoments m = spherical_moments(polygon_of({a, b, c}));
  const SphericalMoments expected = integrated(a, b, c);
  note() << "area " << m.area << ", off by " << m.area - expected.area << ", "
         << max_abs(m.first - expected.first) << ", " << size_of(m.second - expected.second)
         << "\n";
  // The quadrature's own error, at worst 2e-10.
  REQUIRE(close(m, expected, 1e-9));
}

// Cut along a diagonal: small and large polygons, many corners, corners that nearly coincide.
PROPERTY(SphericalPolygon, IsTheSumOfItsParts) {
  const Vec3 axis = direction(source);
  const Vec3 u = perpendicular(axis);
  const Vec3 v = cross(axis, u);
  const double opening =
      source.chance(3) ? std::ldexp(1.0, -source.index(40)) : source.uniform(0.1, 1.5);
  const double ratio = source.chance(2) ? 1 : std::ldexp(1.0, -source.index(20));
  std::vector<double> angles;
  const int n = 4 + source.index(12);
  for (int i = 0; i < n; ++i) angles.push_back(source.uniform(0, two_pi));
  std::sort(angles.begin(), angles.end());
  std::vector<Vec3> corners;
  std::vector<Vec3> first;
  std::vector<Vec3> second;
  for (int i = 0; i < n; ++i) {
    const SinCos t = sin_cos(angles[static_cast<std::size_t>(i)]);
    // An ellipse on the plane that touches the sphere: convex there, and so here.
    const double size = sin(opening) / cos(opening);
    const Vec3 p = normalized(axis + (u * t.cos + v * (t.sin * ratio)) * size);
    if (!corners.empty() && distance(p, corners.back()) < 1e-6 * opening * ratio) continue;
    corners.push_back(p);
  }
  ASSUME(corners.size() >= 4 && distance(corners.front(), corners.back()) > 1e-6 * opening * ratio);
  const std::size_t cut = corners.size() / 2;
  for (std::size_t i = 0; i <= cut; ++i) first.push_back(corners[i]);
  for (std::size_t i = cut; i < corners.size(); ++i) second.push_back(corners[i]);
  second.push_back(corners[0]);
  const SphericalMoments whole = spherical_moments(polygon_of(corners));
  const SphericalMoments parts =
      spherical_moments(polygon_of(first)) + spherical_moments(polygon_of(second));
  REQUIRE(close(whole, parts, static_cast<double>(n) * few));
  // The trace of u u^T is 1 everywhere.
  const double trace = whole.second.x.x + whole.second.y.y + whole.second.z.z;
  REQUIRE(std::fabs(trace - whole.area) <= static_cast<double>(n) * few);
  REQUIRE(whole.area >= 0);
}

TEST(SphericalPolygon, WithoutInsideIsNothing) {
  const Vec3 x{1, 0, 0};
  const Vec3 y{0, 1, 0};
  const SphericalMoments arc =
      spherical_moments(std::vector<SphericalSide>{{x, {0, 0, 1}}, {y, {0, 0, -1}}});
  EXPECT_TRUE(close(arc, {}, 2 * epsilon));
  EXPECT_EQ(spherical_moments(std::vector<SphericalSide>{{x, y}, {x, -y}}).area, 0);
  EXPECT_EQ(spherical_moments({}).area, 0);
}

} // namespace
} // namespace carom::test
