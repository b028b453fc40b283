#include "carom/geometry/triangle_triangle.h"

#include "carom/math/tolerance.h"
#include "carom/verify/check.h"
#include "tests/geometry/exact_feasibility.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/property.h"

#include <cmath>

using namespace carom;
using namespace carom::test;
using Kind = TriangleIntersection::Kind;

namespace {

double size_of(const Triangle& a, const Triangle& b) {
  double size = 0;
  for (const Triangle& t : {a, b}) {
    for (const Vec3& v : {t.a, t.b, t.c}) size = std::max(size, max_abs(v));
  }
  return size;
}

struct Pair {
  Triangle a, b;
};

Vec3 lattice(Source& source) {
  const int x = source.index(5) - 2;
  const int y = source.index(5) - 2;
  return Vec3{double(x), double(y), double(source.index(5) - 2)};
}

Triangle lattice_triangle(Source& source) {
  const Vec3 a = lattice(source);
  const Vec3 b = lattice(source);
  return {a, b, lattice(source)};
}

/// Small integers: shared vertices and edges, coplanar, collinear, degenerate pairs come up all the time.
Pair lattice_pair(Source& source) {
  const Triangle a = lattice_triangle(source);
  Triangle b = lattice_triangle(source);
  if (source.chance(3)) { // into one plane
    Triangle c = a;
    for (int i = 0; i < 3; ++i) c[i].z = c[i].x - c[i].y;
    for (int i = 0; i < 3; ++i) b[i].z = b[i].x - b[i].y;
    return {c, b};
  }
  if (source.chance(4)) b[source.index(3)] = a[source.index(3)];
  return {a, b};
}

/// A point of the triangle: a corner, on an edge, inside, on the line of an edge, in the plane; rounded.
Vec3 point_of(const Triangle& t, Source& source) {
  const int i = source.index(3);
  switch (source.index(5)) {
  case 0:
    return t[i];
  case 1:
    return lerp(t[i], t[(i + 1) % 3], source.index(5) * 0.25);
  case 2:
    return lerp(t[i], t[(i + 1) % 3], source.uniform(-0.5, 1.5));
  case 3: {
    const Vec3 opposite = lerp(t[(i + 1) % 3], t[(i + 2) % 3], source.unit());
    return lerp(t[i], opposite, source.uniform(0, 1.1));
  }
  default:
    return (t.a + t.b + t.c) / 3;
  }
}

void nudge(Vec3& p, Source& source) {
  double& x = p[source.index(3)];
  x = std::nextafter(x, source.index(2) ? 10.0 : -10.0);
  if (x != 0 && std::fabs(x) < 1e-30) x = 0; // within Carom's range
}

/// Built to touch, up to rounding, then perhaps an ulp off; perhaps slivers, of different sizes, far away.
Pair touching_pair(Source& source) {
  const Triangle a = triangle(source);
  Triangle b = triangle(source);
  if (source.chance(3)) {
    const double small = std::ldexp(1.0, -source.index(60));
    for (int i = 0; i < 3; ++i) b[i] = b[i] * small;
  }
  const Vec3 target = point_of(a, source);
  const Vec3 from = point_of(b, source);
  for (int i = 0; i < 3; ++i) b[i] = b[i] - from + target;
  switch (source.index(4)) {
  case 0:
    b[0] = target;
    break;
  case 1:
    b[0] = point_of(a, source);
    b[1] = point_of(a, source);
    break;
  case 2:
    for (int i = 0; i < 3; ++i) b[i] = point_of(a, source);
    break;
  default:
    break;
  }
  Pair p{a, b};
  const double s = scale(source);
  const Vec3 o = offset(source);
  for (int i = 0; i < 3; ++i) {
    p.a[i] = (p.a[i] + o) * s;
    p.b[i] = (p.b[i] + o) * s;
    for (Vec3* v : {&p.a[i], &p.b[i]}) {
      for (int k = 0; k < 3; ++k) {
        if (std::fabs((*v)[k]) < 1e-30) (*v)[k] = 0;
      }
    }
  }
  for (int i = source.index(4); i > 0; --i) nudge(p.b[source.index(3)], source);
  return p;
}

Triangle permuted(const Triangle& t, int k) {
  const Triangle r{t[k % 3], t[(k + 1) % 3], t[(k + 2) % 3]};
  return k < 3 ? r : Triangle{r.a, r.c, r.b};
}

/// The exact oracle, symmetry, all permutations, the kind, and the proof.
void check_pair(const Pair& p) {
  const bool expected = exactly_meet(p.a, p.b);
  ASSERT_EQ(overlaps(p.a, p.b), expected);
  ASSERT_EQ(overlaps(p.b, p.a), expected);
  const TriangleIntersection i = intersect(p.a, p.b);
  ASSERT_EQ(i.kind != Kind::none, expected);
  ASSERT_EQ(i.count, i.kind == Kind::none      ? 0
                     : i.kind == Kind::point   ? 1
                     : i.kind == Kind::segment ? 2
                                               : std::clamp(i.count, 3, 6));
  for (int k = 1; k < 6; ++k) {
    const TriangleIntersection other = intersect(permuted(p.b, k), permuted(p.a, 5 - k));
    ASSERT_EQ(overlaps(permuted(p.a, k), p.b), expected);
    ASSERT_EQ(other.kind, i.kind);
    ASSERT_EQ(other.count, i.count);
  }
  // Projections in doubles, in the axis and in the checker: 8 epsilon each. (A point off by 8 in each component is off by 14.)
  const double bound = 16 * tolerance::epsilon * size_of(p.a, p.b);
  const Overlap o = overlap(p.a, p.b);
  ASSERT_EQ(o.hit, expected);
  const verify::Verdict v = verify::check_overlap(p.a, p.b, o, bound);
  if (v.ok) return;
  // The checker's distance from a sliver is uncertain by its width; then exactly.
  ASSERT_TRUE(o.hit) << v.why;
  ASSERT_LE(exact_distance(o.point, p.a), bound);
  ASSERT_LE(exact_distance(o.point, p.b), bound);
}

/// The points' reach in some directions against that of the exact intersection.
void check_reach(const Pair& p) {
  const TriangleIntersection i = intersect(p.a, p.b);
  static constexpr std::array<std::array<int, 3>, 5> directions{
      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, -1}, {1, -2, 3}}};
  bool is_point = true;
  for (const auto& d : directions) {
    const CommonRange exact = common_range(corners(p.a), corners(p.b), d);
    ASSERT_EQ(exact.any, i.kind != Kind::none);
    if (!exact.any) return;
    is_point = is_point && exact.low == exact.high;
    mpq_class low, high;
    for (int k = 0; k < i.count; ++k) {
      const Vec3& q = i.points[static_cast<std::size_t>(k)];
      const mpq_class x = d[0] * mpq_class(q.x) + d[1] * mpq_class(q.y) + d[2] * mpq_class(q.z);
      if (k == 0 || x < low) low = x;
      if (k == 0 || x > high) high = x;
    }
    const int weight = std::abs(d[0]) + std::abs(d[1]) + std::abs(d[2]);
    const double bound = 8 * tolerance::epsilon * size_of(p.a, p.b) * weight; // as the header says
    ASSERT_LE(std::fabs(mpq_class(low - exact.low).get_d()), bound);
    ASSERT_LE(std::fabs(mpq_class(high - exact.high).get_d()), bound);
  }
  ASSERT_EQ(i.kind == Kind::point, is_point);
}

/// In order around: no three neighbours turn against the others, to within rounding.
bool is_in_order(const TriangleIntersection& i, double slack) {
  Vec3 normal;
  for (int k = 1; k + 1 < i.count; ++k) {
    normal +=
        cross(i.points[std::size_t(k)] - i.points[0], i.points[std::size_t(k + 1)] - i.points[0]);
  }
  for (int k = 0; k < i.count; ++k) {
    const Vec3& a = i.points[std::size_t(k)];
    const Vec3& b = i.points[std::size_t((k + 1) % i.count)];
    const Vec3& c = i.points[std::size_t((k + 2) % i.count)];
    if (dot(cross(b - a, c - b), normal) < -slack) return false;
  }
  return true;
}

const Triangle base{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};

} // namespace

TEST(TriangleTriangle, AgreesWithTheExactOracleOnTheLattice) {
  for_each_seed(15'000, [](Source& source) { check_pair(lattice_pair(source)); });
}

TEST(TriangleTriangle, AgreesWithTheExactOracleWhereTouchingUpToRounding) {
  for_each_seed(7'500, [](Source& source) { check_pair(touching_pair(source)); });
}

TEST(TriangleTriangle, AgreesWithTheExactOracleAtRandom) {
  for_each_seed(10'000, [](Source& source) {
    const Triangle a = triangle(source);
    check_pair({a, triangle(source)});
  });
}

TEST(TriangleTriangle, ReachesAsFarAsTheExactIntersection) {
  for_each_seed(2'000, [](Source& source) {
    check_reach(lattice_pair(source));
    check_reach(touching_pair(source));
  });
}

TEST(TriangleTriangle, PolygonsAreInOrder) {
  int polygons = 0;
  for_each_seed(20'000, [&](Source& source) {
    const Pair p = lattice_pair(source);
    const TriangleIntersection i = intersect(p.a, p.b);
    if (i.kind != Kind::polygon) return;
    ++polygons;
    EXPECT_TRUE(is_in_order(i, 1e-12));
  });
  EXPECT_GT(polygons, 500);
}

PROPERTY(TriangleTriangle, IsExactAndProvesItself) {
  const Pair p = source.index(2) == 0 ? lattice_pair(source) : touching_pair(source);
  check_pair(p);
  REQUIRE(!::testing::Test::HasFailure());
}

TEST(TriangleTriangle, Hexagon) {
  const Triangle star{{3, 3, 0}, {-1, 3, 0}, {3, -1, 0}};
  const TriangleIntersection i = intersect(base, star);
  EXPECT_EQ(i.kind, Kind::polygon);
  EXPECT_EQ(i.count, 6);
  EXPECT_TRUE(is_in_order(i, 0));
}

TEST(TriangleTriangle, SharedEdge) {
  const Triangle fold{{0, 0, 0}, {4, 0, 0}, {0, 4, 1}};
  EXPECT_EQ(intersect(base, fold).kind, Kind::segment);
  const Triangle flat{{0, 0, 0}, {4, 0, 0}, {2, -4, 0}};
  EXPECT_EQ(intersect(base, flat).kind, Kind::segment);
}

TEST(TriangleTriangle, SharedVertex) {
  EXPECT_EQ(intersect(base, {{0, 0, 0}, {-1, 0, 1}, {0, -1, 1}}).kind, Kind::point);
  EXPECT_EQ(intersect(base, {{0, 0, 0}, {-1, 0, 0}, {0, -1, 0}}).kind, Kind::point);
}

TEST(TriangleTriangle, OneUlpOff) {
  const Triangle touching{{1, 1, 0}, {1, 2, 1}, {2, 1, 1}};
  EXPECT_EQ(intersect(base, touching).kind, Kind::point);
  Triangle above = touching;
  above.a.z = 1e-30;
  EXPECT_FALSE(overlaps(base, above));
  EXPECT_EQ(overlap(base, above).axis, (Vec3{0, 0, 1}));
  above.a.z = -1e-30;
  EXPECT_EQ(intersect(base, above).kind, Kind::segment);
}

TEST(TriangleTriangle, NeedleThroughAPlateMissesItsEdges) {
  // The needle's edges pierce the plate; no edge of the plate comes near the needle. Testing only the plate's edges would miss it.
  const Triangle needle{{1, 1, -1}, {1, 1, 1}, {1 + 1e-9, 1, 1}};
  EXPECT_TRUE(overlaps(base, needle));
  EXPECT_TRUE(overlaps(needle, base));
}

TEST(TriangleTriangle, DegenerateToSegmentsAndPoints) {
  const Triangle segment{{1, 1, -1}, {1, 1, 0}, {1, 1, 1}};
  const Triangle point{{1, 1, 0}, {1, 1, 0}, {1, 1, 0}};
  const Triangle cross_segment{{0, 1, 0}, {2, 1, 0}, {1, 1, 0}};
  EXPECT_EQ(intersect(base, segment).kind, Kind::point);
  EXPECT_EQ(intersect(base, point).kind, Kind::point);
  EXPECT_EQ(intersect(base, cross_segment).kind, Kind::segment);
  EXPECT_EQ(intersect(segment, cross_segment).kind, Kind::point);
  EXPECT_EQ(intersect(point, cross_segment).kind, Kind::point);
  EXPECT_EQ(intersect(point, point).kind, Kind::point);
  EXPECT_EQ(intersect(segment, segment).kind, Kind::segment);
  const Triangle beside{{1, 1, 2}, {1, 1, 3}, {1, 1, 2}};
  EXPECT_FALSE(overlaps(segment, beside));
  EXPECT_EQ(overlap(segment, beside).axis, (Vec3{0, 0, 1}));
}

TEST(TriangleTriangle, ReturnsOnNanAndInfinity) {
  // Whatever the numbers, an answer has one kind of proof.
  const auto expect_one_proof = [](const Overlap& o) {
    EXPECT_EQ(o.hit ? o.axis : o.point, Vec3{});
  };
  const Triangle bad{{NAN, 0, 0}, {INFINITY, 1, 0}, {0, -INFINITY, 1e300}};
  expect_one_proof(overlap(base, bad));
  expect_one_proof(overlap(bad, base));
  expect_one_proof(overlap(bad, bad));
  static_cast<void>(intersect(bad, bad));
}
