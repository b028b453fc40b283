#include "carom/geometry/plane_intersection.h"

#include "carom/math/tolerance.h"
#include "tests/geometry/exact_oracle.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/property.h"

using namespace carom;
using namespace carom::test;

namespace {

constexpr double eps = tolerance::epsilon;

/// A plane in a turned frame, with a normal of some length: rounded like any real one.
struct Turned {
  Mat3 m;
  Vec3 origin;
  double length;

  [[nodiscard]] Plane operator()(const Vec3& n, double d) const {
    const Vec3 normal = m * n * length;
    return {normal, d * length + dot(normal, origin)};
  }
};
Turned turned(Source& source) {
  const Mat3 m = axes(source);
  const Vec3 o = offset(source);
  return {m, o, source.chance(2) ? 1 : positive(source)};
}

double off(const Plane& p, const Vec3& x) {
  const mpq_class v = dot(exact(p.normal), exact(x)) - mpq_class(p.offset);
  return std::fabs(v.get_d()) / length(p.normal);
}

} // namespace

TEST(TwoPlanes, LineLiesOnBoth) {
  for_each_seed(20'000, [](Source& source) {
    Plane p = plane(source), q = plane(source);
    if (source.chance(3))
      q.normal = p.normal + halved_direction(source, 45) * (0.5 * length(p.normal));
    const TwoPlanes r = intersect(p, q);
    const Vec3 m = normalized(p.normal), n = normalized(q.normal), c = cross(m, n);
    if (r.kind != TwoPlanesKind::line) {
      ASSERT_LE(length(c), 20 * eps);
      return;
    }
    const double slack = 8 * eps *
                         (length(r.line.origin) + std::fabs(p.offset) / length(p.normal) +
                          std::fabs(q.offset) / length(q.normal));
    ASSERT_LE(off(p, r.line.origin), slack);
    ASSERT_LE(off(q, r.line.origin), slack);
    ASSERT_NEAR(length(r.line.direction), 1, 4 * eps);
    ASSERT_NEAR(dot(m, r.line.direction), 0, 4 * eps);
    ASSERT_NEAR(dot(n, r.line.direction), 0, 4 * eps);
    ASSERT_NEAR(dot(r.line.origin, r.line.direction), 0, slack); // nearest to the origin
    ASSERT_GE(dot(c, r.line.direction), 0);
  });
}

TEST(TwoPlanes, TwoPlaneLineNeedsDivision) {
  const Plane p{{1, 0, 0}, 3};
  const Plane q{normalized(Vec3{1, 1, 0}), 5}; // both of unit length, at 45 degrees
  const Vec3 d = cross(p.normal, q.normal);
  const Vec3 undivided = cross(q.normal * p.offset - p.normal * q.offset, d);
  EXPECT_GT(std::fabs(p.signed_distance(undivided)), 1)
      << "without the division it is not on the plane";
  EXPECT_NEAR(p.signed_distance(undivided / dot(d, d)), 0, 1e-14);
  const TwoPlanes r = intersect(p, q);
  ASSERT_EQ(r.kind, TwoPlanesKind::line);
  EXPECT_NEAR(p.signed_distance(r.line.origin), 0, 8 * eps * 5);
  EXPECT_NEAR(q.signed_distance(r.line.origin), 0, 8 * eps * 5);
}

TEST(TwoPlanes, ParallelAndCoincident) {
  for_each_seed(5'000, [](Source& source) {
    const Turned t = turned(source), u{t.m, t.origin, -3 * t.length};
    const double size = max_abs(t.origin) + 4;
    const Vec3 n = direction(source);
    EXPECT_EQ(intersect(t(n, 1), u(n, 1), size).kind, TwoPlanesKind::coincident);
    EXPECT_EQ(intersect(t(n, 1), u(n, 1 + 1e-6), size).kind, TwoPlanesKind::parallel);
  });
  EXPECT_EQ(intersect({{0, 0, 0}, 1}, {{0, 0, 1}, 1}).kind, TwoPlanesKind::degenerate);
  const Plane level{{0, 0, 1}, 1};
  for (const Plane& p : {Plane{{0, 0, 1}, NAN}, Plane{{0, 0, NAN}, 1}, Plane{{INFINITY, 0, 0}, 1},
                         Plane{{0, 0, 1}, INFINITY}}) {
    EXPECT_EQ(intersect(p, level).kind, TwoPlanesKind::degenerate);
    EXPECT_EQ(intersect(level, p).kind, TwoPlanesKind::degenerate);
  }
}

// 16 epsilon, as a sine and as a part of the greatest distance, is still parallel and still the same; all these numbers are exact.
TEST(TwoPlanes, LimitsToTheBit) {
  EXPECT_EQ(intersect({{1, 0, 0}, 1}, {{1, 16 * eps, 0}, 1}).kind, TwoPlanesKind::coincident);
  EXPECT_EQ(intersect({{1, 0, 0}, 1}, {{1, 17 * eps, 0}, 1}).kind, TwoPlanesKind::line);
  for (const double facing : {1.0, -1.0}) {
    for (const double sign : {1.0, -1.0}) {
      const Plane far{{1, 0, 0}, sign}, near{{facing, 0, 0}, facing * sign * (1 - 16 * eps)},
          apart{{facing, 0, 0}, facing * sign * (1 - 17 * eps)};
      EXPECT_EQ(intersect(far, near).kind, TwoPlanesKind::coincident);
      EXPECT_EQ(intersect(near, far).kind, TwoPlanesKind::coincident);
      EXPECT_EQ(intersect(far, apart).kind, TwoPlanesKind::parallel);
      EXPECT_EQ(intersect(apart, far).kind, TwoPlanesKind::parallel);
    }
  }
}

TEST(ThreePlanes, FivePlaneConfigurations) {
  for_each_seed(5'000, [](Source& source) {
    const Turned t = turned(source);
    const double size = max_abs(t.origin) + 4;
    const Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, xy{0.6, 0.8, 0};
    const auto kind = [&](Plane a, Plane b, Plane c) { // in every order
      const ThreePlanesKind k = intersect(a, b, c, size).kind;
      EXPECT_EQ(intersect(b, c, a, size).kind, k);
      EXPECT_EQ(intersect(c, b, a, size).kind, k);
      return k;
    };
    EXPECT_EQ(kind(t(x, 1), t(y, 2), t(z, 3)), ThreePlanesKind::point);
    EXPECT_EQ(kind(t(x, 1), t(y, 2), t(xy, 2.2)), ThreePlanesKind::line);
    EXPECT_EQ(kind(t(x, 1), t(y, 2), t(xy, 2.3)), ThreePlanesKind::prism);
    EXPECT_EQ(kind(t(x, 1), t(-x, 2), t(xy, 3)), ThreePlanesKind::two_parallel);
    EXPECT_EQ(kind(t(x, 1), t(-x, -1), t(xy, 3)), ThreePlanesKind::line); // two coincide
    EXPECT_EQ(kind(t(x, 1), t(-x, 2), t(x, 3)), ThreePlanesKind::all_parallel);
    EXPECT_EQ(kind(t(x, 1), t(-x, -1), t(x, 3)), ThreePlanesKind::all_parallel); // two coincide
    EXPECT_EQ(kind(t(x, 1), t(-x, -1), t(x, 1)), ThreePlanesKind::coincident);
    const ThreePlanes point = intersect(t(x, 1), t(y, 2), t(z, 3));
    EXPECT_LE(length(point.point - (t.origin + t.m * Vec3{1, 2, 3})), 32 * eps * size);
    const ThreePlanes line = intersect(t(x, 1), t(y, 2), t(xy, 2.2), size);
    EXPECT_NEAR(std::fabs(dot(line.line.direction, t.m * z)), 1, 8 * eps);
  });
  EXPECT_EQ(intersect({{0, 0, 0}, 1}, {{0, 0, 1}, 1}, {{1, 0, 0}, 1}).kind,
            ThreePlanesKind::degenerate);
}

// Parallel but for rounding: multiples of one normal, each rounded.
TEST(ThreePlanes, ParallelUpToRounding) {
  for_each_seed(2'000, [](Source& source) {
    const Turned t = turned(source), u{t.m, t.origin, -3 * t.length},
                 v{t.m, t.origin, 0.7 * t.length};
    const double size = max_abs(t.origin) + 4;
    const Vec3 n = direction(source);
    EXPECT_EQ(intersect(t(n, 1), u(n, 1), v(n, 1), size).kind, ThreePlanesKind::coincident);
    EXPECT_EQ(intersect(t(n, 1), u(n, 1), v(n, 1.001), size).kind, ThreePlanesKind::all_parallel);
  });
}

// How near is near: in proportion to the planes' own distances, or to the size where that is given, and to 1 / sine.
TEST(ThreePlanes, NearInProportion) {
  const Vec3 x{1, 0, 0}, y{0, 1, 0}, xy{0.6, 0.8, 0};
  EXPECT_EQ(intersect({x, 1e6}, {x * 3, 3e6 * (1 + 2 * eps)}).kind, TwoPlanesKind::coincident);
  EXPECT_EQ(intersect({x, 1}, {x * 3, 3 + 1e-9}).kind, TwoPlanesKind::parallel);
  EXPECT_EQ(intersect({x, 0}, {y, 0}, {xy, 1e-12}).kind, ThreePlanesKind::prism);
  EXPECT_EQ(intersect({x, 0}, {y, 0}, {xy, 1e-12}, 1e6).kind, ThreePlanesKind::line);
  EXPECT_EQ(intersect({x, 1}, {y, 2}, {xy, 2.2 + 1e-10}).kind, ThreePlanesKind::prism);
  for_each_seed(2'000, [&](Source& source) { // through one line, at angles down to 2^-20
    const Turned t = turned(source);
    const double angle = std::ldexp(1.0, -source.index(20));
    const Plane a = t(x, 1), b = t(x + y * angle, 1 + angle), c = t(x - y * angle, 1 - angle);
    EXPECT_EQ(intersect(a, b, c, max_abs(t.origin) + 4).kind, ThreePlanesKind::line);
  });
}

// The same limits for three; the third normal is (3, 4, 5 h) / 5.
TEST(ThreePlanes, LimitsToTheBit) {
  const Vec3 x{1, 0, 0}, y{0, 1, 0}, xy{3, 4, 0};
  EXPECT_EQ(intersect({x, 0}, {y, 0}, {{3, 4, 80 * eps}, 0}).kind, ThreePlanesKind::line);
  EXPECT_EQ(intersect({x, 0}, {y, 0}, {{3, 4, 85 * eps}, 0}).kind, ThreePlanesKind::point);
  // Off the common line by some epsilon: of 1.4, 1 and 1, the distances of the third, the first and the second.
  const auto kind = [&](double on_x, double on_y, double off) {
    const double offset = 0.6 * on_x + 0.8 * on_y + off * eps;
    return intersect({x, on_x}, {y, on_y}, {xy / 5, offset}).kind;
  };
  EXPECT_EQ(kind(1, 0, 16), ThreePlanesKind::line);
  EXPECT_EQ(kind(1, 0, 17), ThreePlanesKind::prism);
  EXPECT_EQ(kind(0, 1, 16), ThreePlanesKind::line);
  EXPECT_EQ(kind(0, 1, 17), ThreePlanesKind::prism);
  EXPECT_EQ(kind(1, 1, 20), ThreePlanesKind::line);
  EXPECT_EQ(kind(1, 1, 25), ThreePlanesKind::prism);
  // Each two next to each other are the same, but not the first and the last.
  const Plane one{x, 1}, two{x, 1 + 12 * eps}, three{x, 1 + 24 * eps};
  EXPECT_EQ(intersect(one, two, three).kind, ThreePlanesKind::all_parallel);
  EXPECT_EQ(intersect(one, three, two).kind, ThreePlanesKind::all_parallel);
  EXPECT_EQ(intersect(two, one, three).kind, ThreePlanesKind::all_parallel);
  // Parallel within the limit, and apart: not a prism.
  const Plane turned{{1, 8 * eps, 0}, 2}, across{y, 0};
  EXPECT_EQ(intersect(one, turned, across).kind, ThreePlanesKind::two_parallel);
  EXPECT_EQ(intersect(turned, across, one).kind, ThreePlanesKind::two_parallel);
  EXPECT_EQ(intersect(across, one, turned).kind, ThreePlanesKind::two_parallel);
}

// The line is that of the two planes at the widest angle, also where two of the three are one plane.
TEST(ThreePlanes, LineLiesOnAll) {
  for_each_seed(5'000, [](Source& source) {
    const Turned t = turned(source);
    const double size = max_abs(t.origin) + 4, angle = std::ldexp(1.0, -source.index(20));
    const Vec3 x{1, 0, 0}, y{0, 1, 0};
    const Plane a = t(x, 1), b = t(x + y * angle, 1 + angle);
    const Plane same = t(-x, -1), third = t(x - y * angle, 1 - angle);
    for (const ThreePlanes& r :
         {intersect(a, b, same, size), intersect(b, a, same, size), intersect(same, a, b, size),
          intersect(a, b, third, size), intersect(b, third, a, size)}) {
      ASSERT_EQ(r.kind, ThreePlanesKind::line);
      // As for two planes; the third passes by at 16 epsilon of the size over the sine, at most.
      const double slack = 32 * eps * (size + length(r.line.origin)) / angle;
      for (const Plane& p : {a, b}) {
        ASSERT_LE(off(p, r.line.origin), slack);
        ASSERT_NEAR(dot(normalized(p.normal), r.line.direction), 0, 8 * eps);
      }
    }
  });
}

// Through one line as far away as the angles are small: the rounding of the normals counts there.
TEST(ThreePlanes, ThroughAFarLine) {
  for_each_seed(2'000, [&](Source& source) {
    const Turned t = turned(source);
    const double angle = std::ldexp(1.0, -source.index(20));
    const Vec3 x{1, 0, 0}, y{0, 1, 0};
    const Plane a = t(x, 1), b = t(x + y * angle, 2), c = t(x - y * angle, 0);
    EXPECT_EQ(intersect(a, b, c, max_abs(t.origin) + 4).kind, ThreePlanesKind::line);
  });
}

// Angles of 2^-40: the determinant is 2^-80, and yet the point is as well determined as their sines.
TEST(ThreePlanes, PointOfNearlyParallelPlanes) {
  const double h = 0x1p-40;
  const ThreePlanes r = intersect({{1, 0, 0}, 1}, {{1, h, 0}, 1 + 2 * h}, {{1, 0, h}, 1 + 3 * h});
  ASSERT_EQ(r.kind, ThreePlanesKind::point);
  EXPECT_EQ(r.point, (Vec3{1, 2, 3}));
}

// Cramer's rule in rationals; the angles go down to 2^-40.
TEST(ThreePlanes, PointAgreesWithRationals) {
  int points = 0;
  for_each_seed(10'000, [&](Source& source) {
    const Plane p = plane(source);
    Plane q = plane(source), r = plane(source);
    if (source.chance(2)) r.normal = p.normal + halved_direction(source, 40) * length(p.normal);
    const ThreePlanes a = intersect(p, q, r);
    if (a.kind != ThreePlanesKind::point) return;
    ++points;
    const Q3 n[] = {exact(p.normal), exact(q.normal), exact(r.normal)};
    const mpq_class d[] = {p.offset, q.offset, r.offset}, whole = dot(n[0], cross(n[1], n[2]));
    const Q3 c[] = {cross(n[1], n[2]), cross(n[2], n[0]), cross(n[0], n[1])};
    const mpq_class truth[] = {(d[0] * c[0].x + d[1] * c[1].x + d[2] * c[2].x) / whole,
                               (d[0] * c[0].y + d[1] * c[1].y + d[2] * c[2].y) / whole,
                               (d[0] * c[0].z + d[1] * c[1].z + d[2] * c[2].z) / whole};
    for (int i = 0; i < 3; ++i) // two sums rounded to an epsilon or so, one division
      ASSERT_NEAR(a.point[i], truth[i].get_d(), 4 * eps * std::fabs(truth[i].get_d()));
  });
  EXPECT_GT(points, 4000);
}
