#include "carom/geometry/barycentric.h"

#include "carom/math/tolerance.h"
#include "tests/geometry/exact_oracle.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/property.h"

using namespace carom;
using namespace carom::test;

namespace {

/// Weights in rationals; empty for a degenerate triangle.
std::vector<mpq_class> oracle(const Vec3& point, const Triangle& t) {
  const Q3 a = exact(t.a), b = exact(t.b), c = exact(t.c), p = exact(point);
  const Q3 n = cross(b - a, c - a);
  const mpq_class square = dot(n, n);
  if (square == 0) return {};
  return {dot(n, cross(b - p, c - p)) / square, dot(n, cross(c - p, a - p)) / square,
          dot(n, cross(a - p, b - p)) / square};
}

double shortest_edge(const Triangle& t) {
  return std::min({distance(t.a, t.b), distance(t.b, t.c), distance(t.c, t.a)});
}

} // namespace

TEST(Barycentric, TriangleAgreesWithRationals) {
  int slivers = 0;
  for_each_seed(10'000, [&](Source& source) {
    const Triangle t = triangle(source);
    const Vec3 p =
        source.chance(2) ? vec3(source) : t.at({real(source), real(source), real(source)});
    const TriangleWeights w = barycentric(p, t);
    const std::vector<mpq_class> truth = oracle(p, t);
    ASSERT_EQ(w.degenerate, truth.empty());
    if (truth.empty()) return;
    const Vec3 ab = t.b - t.a, ac = t.c - t.a;
    const bool sliver =
        length_squared(cross(ab, ac)) <= length_squared(ab) * length_squared(ac) / 16.5;
    slivers += sliver;
    for (int i = 0; i < 3; ++i) {
      const double e = std::fabs(
          mpq_class(mpq_class(w.weights[i]) - truth[static_cast<std::size_t>(i)]).get_d());
      if (sliver) { // summed exactly: relative, and the sign
        const double size = std::fabs(truth[static_cast<std::size_t>(i)].get_d());
        ASSERT_LE(e, 4 * tolerance::epsilon * size);
      } else {
        ASSERT_LE(e, 64 * tolerance::epsilon * (1 + distance(p, t.a) / shortest_edge(t)));
      }
    }
  });
  EXPECT_GT(slivers, 500);
}

// In plain double a sliver's weights are noise: this one's were off by more than a tenth.
TEST(Barycentric, SliverTriangle) {
  const Triangle t{{0.1, 0.2, 0.3}, {1.1, 1.2, 1.3}, {0.6, 0.7 + 1e-15, 0.8}};
  const Vec3 p{0.7, 0.9, 0.8};
  const Vec3 n = cross(t.b - t.a, t.c - t.a);
  const double plain = dot(cross(p - t.a, t.c - t.a), n) / dot(n, n);
  const std::vector<mpq_class> truth = oracle(p, t);
  ASSERT_FALSE(truth.empty());
  const double size = std::fabs(truth[1].get_d());
  EXPECT_GT(std::fabs(plain - truth[1].get_d()), 1e-3 * size) << "the plain formula is wrong here";
  EXPECT_NEAR(barycentric(p, t).weights.y, truth[1].get_d(), 4 * tolerance::epsilon * size);
}

TEST(Barycentric, DegenerateTriangle) {
  const TriangleWeights line = barycentric({1, 5, 0}, Triangle{{0, 0, 0}, {4, 0, 0}, {3, 0, 0}});
  EXPECT_TRUE(line.degenerate);
  EXPECT_EQ(line.weights, (Vec3{0.75, 0.25, 0}));
  const TriangleWeights other = barycentric({1, 5, 0}, Triangle{{1, 0, 0}, {0, 0, 0}, {4, 0, 0}});
  EXPECT_EQ(other.weights, (Vec3{0, 0.75, 0.25}));
  const TriangleWeights point = barycentric({1, 5, 0}, Triangle{{2, 2, 2}, {2, 2, 2}, {2, 2, 2}});
  EXPECT_TRUE(point.degenerate);
  EXPECT_EQ(point.weights, (Vec3{1, 0, 0}));
  for_each_seed(5'000, [](Source& source) {
    const Vec3 a = vec3(source), d = vec3(source);
    const Triangle t{a, a + d * static_cast<double>(source.index(3)), a + d * 2};
    const TriangleWeights w = barycentric(vec3(source), t);
    ASSERT_TRUE(is_finite(w.weights));
    ASSERT_NEAR(w.weights.x + w.weights.y + w.weights.z, 1, 1e-9 * (1 + max_abs(w.weights)));
  });
}

TEST(Barycentric, PlaneDistance) {
  for_each_seed(5'000, [](Source& source) {
    const Triangle t = triangle(source);
    const Vec3 p = vec3(source);
    const Q3 a = exact(t.a), n = cross(exact(t.b) - a, exact(t.c) - a);
    if (dot(n, n) == 0) {
      ASSERT_EQ(plane_distance(p, t), 0);
      return;
    }
    const mpq_class v = dot(n, exact(p) - a);
    const double truth = std::sqrt(mpq_class(v * v / dot(n, n)).get_d());
    ASSERT_NEAR(plane_distance(p, t), truth, 8 * tolerance::epsilon * truth);
  });
}

TEST(Barycentric, TetrahedronAgreesWithRationals) {
  for_each_seed(10'000, [](Source& source) {
    const Tetrahedron t = tetrahedron(source);
    const Vec3 p = vec3(source);
    const TetrahedronWeights w = barycentric(p, t);
    const Q3 q[] = {exact(t.a), exact(t.b), exact(t.c), exact(t.d)};
    const mpq_class whole = volume(q[0], q[1], q[2], q[3]);
    ASSERT_EQ(w.degenerate, whole == 0);
    double sum = 0, reach = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      sum += w.weights[i];
      reach = std::max(reach, std::fabs(w.weights[i]));
      ASSERT_TRUE(std::isfinite(w.weights[i]));
      if (whole == 0) continue;
      Q3 r[] = {q[0], q[1], q[2], q[3]};
      r[i] = exact(p);
      const double truth = mpq_class(volume(r[0], r[1], r[2], r[3]) / whole).get_d();
      ASSERT_NEAR(w.weights[i], truth, 4 * tolerance::epsilon * std::fabs(truth));
    }
    ASSERT_NEAR(sum, 1, 16 * tolerance::epsilon * (1 + reach));
  });
}

TEST(Barycentric, FlatTetrahedron) {
  const TetrahedronWeights w =
      barycentric({1, 1, 7}, Tetrahedron{{1, 1, 0}, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}});
  EXPECT_TRUE(w.degenerate);
  EXPECT_EQ(w.weights, (std::array<double, 4>{0, 0.5, 0.25, 0.25}));
  EXPECT_EQ(barycentric({1, 1, 7}, Tetrahedron{}).weights[1], 1); // all corners in a point
}
