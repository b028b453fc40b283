#include "carom/geometry/separating_axis.h"

#include "carom/math/tolerance.h"
#include "carom/verify/check.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/property.h"

#include <gmpxx.h>

#include <array>
#include <cmath>
#include <vector>

using namespace carom;
using namespace carom::test;

namespace {

/// A polytope that owns its lists.
struct Polytope {
  std::vector<Vec3> vertices, normals, edges;

  [[nodiscard]] PolytopeView view() const { return {vertices, normals, edges}; }
};

Polytope polytope(const Obb& b) {
  Polytope p;
  for (int i = 0; i < 8; ++i) p.vertices.push_back(b.corner(i));
  for (int i = 0; i < 3; ++i) p.normals.push_back(b.axes[i]);
  p.edges = p.normals;
  return p;
}

Polytope polytope(const Tetrahedron& t) {
  Polytope p;
  for (int i = 0; i < 4; ++i) {
    p.vertices.push_back(t[i]);
    p.normals.push_back(cross(t[(i + 2) % 4] - t[(i + 1) % 4], t[(i + 3) % 4] - t[(i + 1) % 4]));
    for (int j = 0; j < i; ++j) p.edges.push_back(t[i] - t[j]);
  }
  return p;
}

Polytope polytope(const Triangle& t) {
  Polytope p;
  const Vec3 n = t.normal();
  p.normals.push_back(n);
  for (int i = 0; i < 3; ++i) {
    p.vertices.push_back(t[i]);
    p.edges.push_back(t[(i + 1) % 3] - t[i]);
    p.normals.push_back(cross(n, p.edges.back()));
  }
  return p;
}

Polytope random_solid(Source& source) {
  const auto unit = [&] { return source.uniform(-1, 1); };
  if (source.index(2)) {
    const Quat q = normalized(Quat{unit(), unit(), unit(), source.uniform(0.1, 1)});
    return polytope(Obb{{unit(), unit(), unit()},
                        to_matrix(q),
                        {source.uniform(0.2, 1), source.uniform(0.2, 1), source.uniform(0.2, 1)}});
  }
  const auto v = [&] { return Vec3{unit(), unit(), unit()}; };
  return polytope(Tetrahedron{v(), v(), v(), v()});
}

double reach(const Polytope& p, const Vec3& d) {
  double best = -INFINITY;
  for (const Vec3& v : p.vertices) best = std::max(best, dot(v, d));
  return best;
}

double depth_along(const Polytope& a, const Polytope& b, const Vec3& d) {
  return reach(a, d) + reach(b, -d);
}

double size_of(const Polytope& p) {
  double size = 0;
  for (const Vec3& v : p.vertices) size = std::max(size, max_abs(v));
  return size;
}

/// Directions all over the sphere, no point of it farther than about 2 / sqrt(n) from one.
std::vector<Vec3> dense_directions(int n) {
  std::vector<Vec3> result;
  for (int i = 0; i < n; ++i) {
    const double z = 1 - (2 * i + 1.0) / n;
    const double angle = 2.399963229728653 * i;
    const double r = std::sqrt(1 - z * z);
    result.push_back({r * std::cos(angle), r * std::sin(angle), z});
  }
  return result;
}

} // namespace

TEST(SeparatingAxis, AgainstDenseAxes) {
  const int n = 4000;
  const std::vector<Vec3> directions = dense_directions(n);
  int overlapping = 0;
  for_each_seed(400, [&](Source& source) {
    const Polytope a = random_solid(source);
    const Polytope b = random_solid(source);
    const SeparatingAxis s = find_separating_axis(a.view(), b.view());
    double least = INFINITY;
    for (const Vec3& d : directions) least = std::min(least, depth_along(a, b, d));
    const double size = size_of(a) + size_of(b);
    EXPECT_NEAR(length(s.axis), 1, 4 * tolerance::epsilon);
    EXPECT_NEAR(depth_along(a, b, s.axis), s.depth, 8 * tolerance::epsilon * size);
    if (s.separated) return; // proved by the line above
    ++overlapping;
    // No direction is less deep, and the nearest of the dense ones is hardly deeper: depth changes by at most 2 sqrt(3) sizes a radian.
    EXPECT_GE(least, s.depth - 8 * tolerance::epsilon * size);
    EXPECT_LE(least, s.depth + 2 / std::sqrt(double(n)) * 2 * std::sqrt(3.0) * size);
  });
  EXPECT_GT(overlapping, 100);
}

PROPERTY(SeparatingAxis, StoppingEarlySaysTheSame) {
  const Polytope a = polytope(obb(source));
  const Polytope b = source.index(2) ? polytope(obb(source)) : polytope(triangle(source));
  const SeparatingAxis all = find_separating_axis(a.view(), b.view());
  const SeparatingAxis first =
      find_separating_axis(a.view(), b.view(), {.stop_at_first = true, .start = direction(source)});
  REQUIRE(first.separated == all.separated || std::fabs(all.depth) < 1e-14);
  const double bound = 16 * tolerance::epsilon * (size_of(a) + size_of(b));
  REQUIRE(std::fabs(depth_along(a, b, first.axis) - first.depth) <= bound);
  // Of solids that overlap no axis is less deep, the caller's included. (Of disjoint ones, the caller's may show a wider gap.)
  if (!all.separated) REQUIRE(all.depth <= first.depth + bound);
}

TEST(SeparatingAxis, CachedAxisIsTriedFirst) {
  const Polytope a = polytope(Obb{{}, {}, {1, 1, 1}});
  const Polytope b = polytope(Obb{{5, 1, 0}, {}, {1, 1, 1}});
  const SeparatingAxis s =
      find_separating_axis(a.view(), b.view(), {.stop_at_first = true, .start = {-2, 0, 0}});
  EXPECT_TRUE(s.separated);
  EXPECT_EQ(s.kind, AxisKind::start);
  EXPECT_EQ(s.axis, (Vec3{1, 0, 0})); // from A toward B, whichever way the cache pointed
  EXPECT_EQ(s.depth, -3);
}

TEST(SeparatingAxis, LeastDepthOfTwoBoxes) {
  const Polytope a = polytope(Obb{{}, {}, {1, 1, 1}});
  const Polytope b = polytope(Obb{{0.25, 1.5, 0}, {}, {1, 1, 1}});
  const SeparatingAxis s = find_separating_axis(a.view(), b.view());
  EXPECT_FALSE(s.separated);
  EXPECT_EQ(s.axis, (Vec3{0, 1, 0}));
  EXPECT_EQ(s.depth, 0.5);
  EXPECT_EQ(s.kind, AxisKind::face_a);
  EXPECT_EQ(s.feature_a, 1);
}

TEST(SeparatingAxis, OnlyTheEdgesSeparate) {
  const double r = std::sqrt(0.5);
  const Polytope a = polytope(Obb{{}, {{1, 0, 0}, {0, r, r}, {0, -r, r}}, {4, 1, 1}});
  const Polytope b = polytope(Obb{{0.1, 0.1, 2.9}, {{r, 0, -r}, {0, 1, 0}, {r, 0, r}}, {1, 4, 1}});
  const SeparatingAxis s = find_separating_axis(a.view(), b.view());
  EXPECT_TRUE(s.separated);
  EXPECT_EQ(s.kind, AxisKind::edges);
  EXPECT_NEAR(s.depth, 2 * std::sqrt(2.0) - 2.9, 1e-14);
}

TEST(SeparatingAxis, ParallelEdges) {
  // All edges parallel, exactly or up to rounding: no false separation, at any distance above touching an answer.
  for_each_seed(2'000, [](Source& source) {
    const Obb a = obb(source);
    Obb b = obb(source);
    b.axes = a.axes;
    const Vec3 tilt = halved_direction(source, 12) * 0x1p-45;
    b.axes = to_matrix(normalized(Quat{tilt.x, tilt.y, tilt.z, 1})) * b.axes;
    const Polytope p = polytope(a);
    const Polytope q = polytope(b);
    const SeparatingAxis s = find_separating_axis(p.view(), q.view());
    const double size = size_of(p) + size_of(q);
    // Of boxes with the same axes the slabs decide.
    const Vec3 apart = abs(transpose_mul(a.axes, b.center - a.center)) - a.half - b.half;
    const double slab = std::max({apart.x, apart.y, apart.z});
    if (std::fabs(slab) > 1e-12 * size) {
      EXPECT_EQ(s.separated, slab > 0);
    }
    EXPECT_NEAR(depth_along(p, q, s.axis), s.depth, 8 * tolerance::epsilon * size);
  });
}

TEST(SeparatingAxis, NearlyParallelEdgesNeedAnAccurateCrossProduct) {
  // Two long bars on edge, crossing at an angle of 2^-k, a little apart: only the edges' cross product shows the gap.
  for (int k = 2; k <= 30; ++k) {
    // In a general position: along the axes of the world, plain products would be exact.
    const Mat3 world = to_matrix(normalized(Quat{0.3, -0.5, 0.2, 0.7}));
    const Mat3 on_edge = to_matrix(normalized(Quat{std::sqrt(2.0) - 1, 0, 0, 1}));
    const Mat3 turn = to_matrix(normalized(Quat{0, 0, std::ldexp(1.0, -k), 1}));
    const Obb a{{}, world * on_edge, {10, 1, 1}};
    Obb b{{}, world * (turn * on_edge), {10, 1, 1}};
    const Vec3 up = normalized(accurate_cross({}, a.axes.x, {}, b.axes.x));
    b.center = up * (verify::support(a, up) + verify::support(b, -up) + 1e-13);
    b.center += b.axes.x * 5; // still crossing, and the line through the centers is no help
    const Polytope p = polytope(a);
    const Polytope q = polytope(b);
    EXPECT_TRUE(find_separating_axis(p.view(), q.view()).separated) << k;
  }
}

TEST(SeparatingAxis, IsScaleFree) {
  for_each_seed(500, [](Source& source) {
    const Polytope a = random_solid(source);
    const Polytope b = random_solid(source);
    const SeparatingAxis one = find_separating_axis(a.view(), b.view());
    for (const double s : {0x1p-90, 0x1p90}) {
      Polytope c = a;
      Polytope d = b;
      for (Polytope* p : {&c, &d}) {
        for (auto* list : {&p->vertices, &p->normals, &p->edges}) {
          for (Vec3& v : *list) v *= s;
        }
      }
      const SeparatingAxis other = find_separating_axis(c.view(), d.view());
      EXPECT_EQ(other.separated, one.separated);
      EXPECT_EQ(other.axis, one.axis); // powers of two round nothing
      EXPECT_EQ(other.depth, one.depth * s);
    }
  });
}

TEST(SeparatingAxis, PointsAndEmptySets) {
  const std::array<Vec3, 1> p{{{1, 2, 3}}};
  const std::array<Vec3, 1> q{{{1, 2, 5}}};
  const SeparatingAxis s = find_separating_axis({p, {}, {}}, {q, {}, {}});
  EXPECT_TRUE(s.separated);
  EXPECT_EQ(s.axis, (Vec3{0, 0, 1}));
  EXPECT_EQ(s.depth, -2);
  const SeparatingAxis same = find_separating_axis({p, {}, {}}, {p, {}, {}});
  EXPECT_FALSE(same.separated);
  EXPECT_EQ(same.depth, 0);
  const SeparatingAxis empty = find_separating_axis({p, {}, {}}, {});
  EXPECT_TRUE(empty.separated);
  EXPECT_EQ(empty.depth, -INFINITY);
}

TEST(SeparatingAxis, ReturnsOnNanAndInfinity) {
  const std::array<Vec3, 2> bad{{{NAN, 0, 0}, {INFINITY, 0, -INFINITY}}};
  const SeparatingAxis s = find_separating_axis({bad, bad, bad}, {bad, bad, bad});
  EXPECT_FALSE(s.separated && s.depth > 0); // a gap is a negative depth
}

// Sides that differ in the bits of their low halves only, down to the last: the product is lost in numbers of twice the length.
TEST(AccurateCross, ParallelBeyondTwiceTheLength) {
  int tiny = 0;
  for_each_seed(2'000, [&](Source& source) {
    Vec3 from;
    Vec3 to;
    Vec3 other_from;
    const double change = std::ldexp(1.0, -108 + source.index(60));
    for (int i = 0; i < 3; ++i) {
      from[i] = source.uniform(-1, 1) * 0x1p-55;
      to[i] = source.uniform(-1, 1);
      other_from[i] = from[i] + (source.index(9) - 4) * change;
    }
    const Vec3 c = accurate_cross(from, to, other_from, to);
    mpq_class exact[3], longest = 0;
    for (int i = 0; i < 3; ++i) {
      const int l = (i + 1) % 3;
      const int k = (i + 2) % 3;
      const auto side = [&](const Vec3& f, int j) { return mpq_class(mpq_class(to[j]) - f[j]); };
      exact[i] = side(from, l) * side(other_from, k) - side(from, k) * side(other_from, l);
      if (abs(exact[i]) > longest) longest = abs(exact[i]);
    }
    if (longest > 0 && longest < mpq_class(0x1p-100)) ++tiny;
    for (int i = 0; i < 3; ++i) {
      const mpq_class error = abs(mpq_class(c[i]) - exact[i]);
      const mpq_class allowed = longest * mpq_class(0x1p-60) + abs(exact[i]) * mpq_class(0x1p-52);
      EXPECT_LE(error, allowed) << i;
    }
  });
  EXPECT_GT(tiny, 200);
}

TEST(AccurateCross, EachComponentIsRightToTheLastBits) {
  for_each_seed(3'000, [](Source& source) {
    const Triangle t = triangle(source); // often a sliver: the cross product cancels
    const Vec3 c = accurate_cross(t.a, t.b, t.a, t.c);
    for (int i = 0; i < 3; ++i) {
      const int l = (i + 1) % 3;
      const int k = (i + 2) % 3;
      const auto side = [](double to, double from) { return mpq_class(mpq_class(to) - from); };
      const mpq_class exact =
          side(t.b[l], t.a[l]) * side(t.c[k], t.a[k]) - side(t.b[k], t.a[k]) * side(t.c[l], t.a[l]);
      const mpq_class error = mpq_class(c[i]) - exact;
      EXPECT_LE(std::fabs(error.get_d()), 0x1p-50 * std::fabs(exact.get_d()));
    }
  });
}
