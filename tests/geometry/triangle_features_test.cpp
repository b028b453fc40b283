#include "carom/geometry/triangle_features.h"

#include "carom/math/tolerance.h"
#include "tests/geometry/exact_oracle.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/property.h"

#include <algorithm>
#include <bit>
#include <optional>

using namespace carom;
using namespace carom::test;
using Kind = TriangleIntersection::Kind;

namespace {

struct Pair {
  Triangle a, b;
};

Vec3 lattice(Source& source) {
  const int x = source.index(5) - 2;
  const int y = source.index(5) - 2;
  const int z = source.index(5) - 2;
  return {double(x), double(y), double(z)};
}

/// Small integers: common vertices and edges, coplanar, collinear, degenerate pairs come up all the time.
Pair lattice_pair(Source& source) {
  Pair p;
  const bool flat = source.chance(3);
  for (Triangle* t : {&p.a, &p.b}) {
    for (int i = 0; i < 3; ++i) {
      (*t)[i] = lattice(source);
      if (flat) (*t)[i].z = (*t)[i].x - (*t)[i].y;
    }
  }
  if (source.chance(4)) {
    const int from = source.index(3);
    p.b[source.index(3)] = p.a[from];
  }
  return p;
}

/// Corners of B on features of A, up to rounding or exactly.
Pair touching_pair(Source& source) {
  Pair p{triangle(source), triangle(source)};
  for (int i = 0; i < 3; ++i) {
    if (source.chance(3)) continue;
    const int k = source.index(3);
    const double along = source.index(5) * 0.25;
    const double up = source.index(5) * 0.25;
    p.b[i] = lerp(lerp(p.a[k], p.a[(k + 1) % 3], along), p.a[(k + 2) % 3], up);
  }
  return p;
}

// The oracle: a feature's points are the means of its corners with positive weights, one equation a coordinate, in rational numbers.

/// The only solution, where there is just one.
std::optional<std::vector<mpq_class>> solve(std::vector<std::vector<mpq_class>> rows) {
  const std::size_t n = rows[0].size() - 1;
  std::size_t rank = 0;
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = rank;
    while (pivot < rows.size() && rows[pivot][c] == 0) ++pivot;
    if (pivot == rows.size()) return std::nullopt;
    std::swap(rows[rank], rows[pivot]);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (r == rank || rows[r][c] == 0) continue;
      const mpq_class by = rows[r][c] / rows[rank][c];
      for (std::size_t k = c; k <= n; ++k) rows[r][k] -= by * rows[rank][k];
    }
    ++rank;
  }
  std::vector<mpq_class> x(n);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (r >= rank && rows[r][n] != 0) return std::nullopt;
    if (r < rank) x[r] = rows[r][n] / rows[r][r];
  }
  return x;
}

std::vector<Vec3> spanned(const Triangle& t, unsigned bits) {
  std::vector<Vec3> result;
  for (int i = 0; i < 3; ++i)
    if ((bits >> i & 1U) != 0) result.push_back(t[i]);
  return result;
}

/// The only point that the two features, without their ends and edges, have in common; nothing where there is none, or more.
std::optional<std::array<mpq_class, 3>> common_point(const Pair& p, const FeaturePair& f) {
  const auto a = spanned(p.a, f.on_a), b = spanned(p.b, f.on_b);
  std::vector<std::vector<mpq_class>> rows(5, std::vector<mpq_class>(a.size() + b.size() + 1));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (int k = 0; k < 3; ++k) rows[std::size_t(k)][i] = a[i][k];
    rows[3][i] = 1;
  }
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (int k = 0; k < 3; ++k) rows[std::size_t(k)][a.size() + i] = -b[i][k];
    rows[4][a.size() + i] = 1;
  }
  rows[3].back() = rows[4].back() = 1;
  const auto weights = solve(rows);
  if (!weights) return std::nullopt;
  for (const mpq_class& w : *weights)
    if (w <= 0) return std::nullopt;
  std::array<mpq_class, 3> point;
  for (int k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < a.size(); ++i)
      point[std::size_t(k)] += (*weights)[i] * mpq_class(a[i][k]);
  return point;
}

double size_of(const Pair& p) {
  double size = 0;
  for (const Triangle& t : {p.a, p.b})
    for (int i = 0; i < 3; ++i) size = std::max(size, max_abs(t[i]));
  return size;
}

/// The features meet in one point each; these are different, and those of `intersect`, as many as there are.
void check(const Pair& p) {
  const TriangleFeatures f = meeting_features(p.a, p.b);
  const TriangleIntersection i = intersect(p.a, p.b);
  ASSERT_EQ(f.kind, i.kind);
  ASSERT_EQ(f.count, i.count);
  std::vector<std::array<mpq_class, 3>> points;
  for (int k = 0; k < f.count; ++k) {
    const auto point = common_point(p, f.corners[std::size_t(k)]);
    ASSERT_TRUE(point) << "the features have no point in common, or more than one";
    ASSERT_EQ(std::find(points.begin(), points.end(), *point), points.end()) << "twice";
    points.push_back(*point);
    const Vec3 rounded{(*point)[0].get_d(), (*point)[1].get_d(), (*point)[2].get_d()};
    double nearest = INFINITY;
    for (int c = 0; c < i.count; ++c)
      nearest = std::min(nearest, max_abs(rounded - i.points[std::size_t(c)]));
    ASSERT_LE(nearest, 9 * tolerance::epsilon * size_of(p)); // 8 of intersect's, and a rounding
  }
}

Triangle permuted(const Triangle& t, int k) {
  const Triangle r{t[k % 3], t[(k + 1) % 3], t[(k + 2) % 3]};
  return k < 3 ? r : Triangle{r.a, r.c, r.b};
}

/// Neighbours among the corners of a polygon are on one edge.
bool is_in_order(const TriangleFeatures& f) {
  for (int i = 0; i < f.count; ++i) {
    const FeaturePair &one = f.corners[std::size_t(i)],
                      &next = f.corners[std::size_t((i + 1) % f.count)];
    if (std::popcount(unsigned(one.on_a | next.on_a)) > 2 &&
        std::popcount(unsigned(one.on_b | next.on_b)) > 2)
      return false;
  }
  return true;
}

constexpr Triangle base{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};

} // namespace

TEST(TriangleFeatures, AreWhatRationalNumbersSay) {
  for_each_seed(fewer_when_sanitized(12'000), [](Source& source) {
    check(lattice_pair(source));
    check(touching_pair(source));
  });
}

PROPERTY(TriangleFeatures, DoNotDependOnTheOrderOfCorners) {
  const Pair p = source.index(2) == 0 ? lattice_pair(source) : touching_pair(source);
  check(p);
  REQUIRE(!::testing::Test::HasFailure());
  const TriangleFeatures f = meeting_features(p.a, p.b);
  for (int k = 1; k < 6; ++k) {
    check({permuted(p.b, k), permuted(p.a, 5 - k)});
    REQUIRE(meeting_features(permuted(p.b, k), permuted(p.a, 5 - k)).kind == f.kind);
  }
  REQUIRE(!::testing::Test::HasFailure());
}

TEST(TriangleFeatures, PolygonsAreInOrder) {
  int polygons = 0;
  for_each_seed(20'000, [&](Source& source) {
    const Pair p = lattice_pair(source);
    const TriangleFeatures f = meeting_features(p.a, p.b);
    if (f.kind != Kind::polygon) return;
    ++polygons;
    EXPECT_TRUE(is_in_order(f));
  });
  EXPECT_GT(polygons, 500);
}

TEST(TriangleFeatures, PiercingPointsAreRightToRounding) {
  int pierced = 0;
  for_each_seed(fewer_when_sanitized(20'000), [&](Source& source) {
    Pair p = source.chance(2) ? lattice_pair(source) : touching_pair(source);
    // Nearly parallel: an end is moved by a hair from where it was.
    const int end = source.index(3);
    const Vec3 hair = halved_vec3(source, 50);
    p.a[end] += hair;
    for (int k = 0; k < 3; ++k)
      if (std::fabs(p.a[end][k]) < 1e-30) p.a[end][k] = 0;
    const TriangleFeatures f = meeting_features(p.a, p.b);
    for (int i = 0; i < f.count; ++i) {
      const FeaturePair& c = f.corners[std::size_t(i)];
      const auto edge = spanned(p.a, c.on_a);
      if (edge.size() != 2 || c.on_b != 7) continue;
      ++pierced;
      const Vec3 found = piercing_point(edge[0], edge[1], p.b);
      const auto expected = common_point(p, c);
      ASSERT_TRUE(expected);
      for (int k = 0; k < 3; ++k) {
        const mpq_class error = mpq_class(found[k]) - (*expected)[std::size_t(k)];
        ASSERT_LE(std::fabs(error.get_d()), 8 * tolerance::epsilon * size_of(p));
      }
    }
  });
  EXPECT_GT(pierced, int(fewer_when_sanitized(2'000)));
}

TEST(TriangleFeatures, EdgesThroughInsides) {
  const Triangle across{{1, 1, -1}, {1, 1, 1}, {-9, -9, 0.5}};
  const TriangleFeatures f = meeting_features(base, across);
  ASSERT_EQ(f.kind, Kind::segment);
  // B's edge from its first corner to its second goes up through A. B leaves A in A's corner 0, since both contain the diagonal.
  EXPECT_EQ(f.corners[0], (FeaturePair{1, 7}));
  EXPECT_EQ(f.corners[1], (FeaturePair{7, 3}));
}

TEST(TriangleFeatures, AVertexOnAnEdgeAndAVertexInside) {
  const TriangleFeatures edge = meeting_features(base, {{2, 0, 0}, {2, -1, 1}, {3, -1, 1}});
  ASSERT_EQ(edge.count, 1);
  EXPECT_EQ(edge.corners[0], (FeaturePair{3, 1}));
  const TriangleFeatures inside = meeting_features(base, {{1, -1, 1}, {1, 1, 0}, {3, -1, 1}});
  ASSERT_EQ(inside.count, 1);
  EXPECT_EQ(inside.corners[0], (FeaturePair{7, 2}));
  const TriangleFeatures corner = meeting_features(base, {{-1, -1, 1}, {-1, 1, 1}, {0, 4, 0}});
  ASSERT_EQ(corner.count, 1);
  EXPECT_EQ(corner.corners[0], (FeaturePair{4, 4}));
}

TEST(TriangleFeatures, AnEdgeInsideOfATriangle) {
  const TriangleFeatures f = meeting_features(base, {{1, 1, 0}, {-1, 1, 0}, {0, 0, 3}});
  ASSERT_EQ(f.kind, Kind::segment);
  EXPECT_EQ(f.corners[0], (FeaturePair{7, 1}));
  EXPECT_EQ(f.corners[1], (FeaturePair{5, 3}));
}

TEST(TriangleFeatures, SixEdgesCrossInAHexagon) {
  const TriangleFeatures f = meeting_features(base, {{3, 3, 0}, {-1, 3, 0}, {3, -1, 0}});
  ASSERT_EQ(f.count, 6);
  for (const FeaturePair& c : f.corners) {
    EXPECT_EQ(std::popcount(unsigned(c.on_a)), 2);
    EXPECT_EQ(std::popcount(unsigned(c.on_b)), 2);
  }
  EXPECT_TRUE(is_in_order(f));
}

TEST(TriangleFeatures, WithoutAreaTheyAreSegmentsAndPoints) {
  const Triangle segment{{1, 1, 0}, {1, 1, -1}, {1, 1, 1}};
  const TriangleFeatures through = meeting_features(base, segment);
  ASSERT_EQ(through.count, 1);
  EXPECT_EQ(through.corners[0], (FeaturePair{7, 6})); // the corner in between is no vertex of it
  const Triangle point{{4, 0, 0}, {4, 0, 0}, {4, 0, 0}};
  const TriangleFeatures at = meeting_features(base, point);
  ASSERT_EQ(at.count, 1);
  EXPECT_EQ(at.corners[0], (FeaturePair{2, 1}));
  EXPECT_EQ(meeting_features(segment, segment).kind, Kind::segment);
}

TEST(TriangleFeatures, ReturnOnNanAndInfinity) {
  const Triangle bad{{NAN, 0, 0}, {INFINITY, 1, 0}, {0, -INFINITY, 1e300}};
  for (const Pair& p : {Pair{base, bad}, Pair{bad, base}, Pair{bad, bad}})
    EXPECT_LE(meeting_features(p.a, p.b).count, 6);
}
