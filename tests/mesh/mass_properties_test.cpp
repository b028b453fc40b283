#include "carom/mesh/mass_properties.h"

#include "tests/geometry/exact_oracle.h"
#include "tests/mesh/hull_cases.h"
#include "tests/support/property.h"

#include <algorithm>
#include <array>

namespace carom::test {
namespace {

constexpr double epsilon = 0x1p-52;

double size_of(const Mat3& m) { return std::max({max_abs(m.x), max_abs(m.y), max_abs(m.z)}); }

void expect_near(const Vec3& a, const Vec3& b, double tolerance) {
  EXPECT_LE(max_abs(a - b), tolerance);
}
void expect_near(const Mat3& a, const Mat3& b, double tolerance) {
  EXPECT_LE(size_of(a - b), tolerance);
}

/// The same integrals in rationals, by the corners of each tetrahedron with the origin.
struct Exact {
  mpq_class volume = 0;
  std::array<mpq_class, 3> centroid;
  std::array<std::array<mpq_class, 3>, 3> inertia;
};

mpq_class component(const Q3& v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

Exact exact_mass(const ConvexHull& hull) {
  Exact mass;
  std::array<mpq_class, 3> first;
  std::array<std::array<mpq_class, 3>, 3> second;
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const auto corners = hull.corners(f);
    for (std::size_t k = 2; k < corners.size(); ++k) {
      const std::array<Q3, 3> p{exact(hull.vertices[corners[0]]),
                                exact(hull.vertices[corners[k - 1]]),
                                exact(hull.vertices[corners[k]])};
      const mpq_class v = dot(p[0], cross(p[1], p[2])) / 6;
      mass.volume += v;
      for (std::size_t i = 0; i < 3; ++i) {
        const auto at = [&](std::size_t n, std::size_t axis) {
          return component(p[n], static_cast<int>(axis));
        };
        first[i] += v * (at(0, i) + at(1, i) + at(2, i)) / 4;
        for (std::size_t j = 0; j < 3; ++j) {
          // The mean of x_i x_j over a tetrahedron: 1/10 for a corner with itself, 1/20 for two corners.
          mpq_class sum = 0;
          for (std::size_t m = 0; m < 3; ++m) {
            for (std::size_t n = 0; n < 3; ++n) sum += at(m, i) * at(n, j) * (m == n ? 2 : 1);
          }
          second[i][j] += v * sum / 20;
        }
      }
    }
  }
  if (mass.volume == 0) return mass;
  for (std::size_t i = 0; i < 3; ++i) mass.centroid[i] = first[i] / mass.volume;
  const auto about = [&](std::size_t i, std::size_t j) {
    return mpq_class(second[i][j] - mass.volume * mass.centroid[i] * mass.centroid[j]);
  };
  const mpq_class trace = about(0, 0) + about(1, 1) + about(2, 2);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      mass.inertia[i][j] = (i == j ? trace : mpq_class(0)) - about(i, j);
    }
  }
  return mass;
}

// For a convex solid no sum cancels, so that each number is off by the roundings of one term: of the differences (relative to the size of
// the solid, since middle and centroid are doubles themselves) and of the products. A solid thin beside its distance from the origin, and
// slivers, have tetrahedra whose volumes cancel within: their error is that of the products of the edges.
TEST(MassProperties, OfHullsAgreeWithRationals) {
  for_each_seed(fewer_when_sanitized(1000), [](Source& source) {
    const Result<ConvexHull> hull = convex_hull(hull_points(source, 25));
    ASSERT_TRUE(hull.has_value());
    const MassProperties mass = mass_properties(*hull);
    const Exact expected = exact_mass(*hull);
    Vec3 low = hull->vertices[0];
    Vec3 high = low;
    double reach = 0;
    for (const Vec3& v : hull->vertices) {
      low = min(low, v);
      high = max(high, v);
      reach = std::max(reach, max_abs(v));
    }
    const double size = max_abs(high - low);
    const auto faces = static_cast<double>(hull->face_count());
    const double volume = expected.volume.get_d();
    const double rounding = 8 * epsilon * faces * size * size * size;
    EXPECT_LE(std::fabs(mass.volume - volume), rounding);
    EXPECT_GE(mass.volume, -rounding);
    if (!(volume > 1e-3 * size * size * size)) return;
    EXPECT_LE(std::fabs(mass.volume - volume), 64 * epsilon * volume);
    for (int i = 0; i < 3; ++i) {
      const double c = expected.centroid[static_cast<std::size_t>(i)].get_d();
      // The centroid is a double: rounded where it is.
      EXPECT_LE(std::fabs(mass.centroid[i] - c), epsilon * reach + 64 * epsilon * size);
      for (int j = 0; j < 3; ++j) {
        const double e =
            expected.inertia[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)].get_d();
        // About the rounded centroid: that counts by the square.
        EXPECT_LE(std::fabs(mass.inertia[j][i] - e),
                  256 * epsilon * volume * size * size +
                      volume * epsilon * reach * epsilon * reach);
      }
    }
  });
}

MassProperties mass_of(const std::vector<Vec3>& points) {
  return mass_properties(convex_hull(points).value());
}

std::vector<Vec3> box_points(const Vec3& low, const Vec3& high) {
  std::vector<Vec3> points;
  for (int i = 0; i < 8; ++i) {
    points.push_back({i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z});
  }
  return points;
}

TEST(MassProperties, OfABoxFarAway) {
  for (const double away : {0.0, 1e3, 1e9}) {
    const Vec3 low{away, -away, away};
    const MassProperties mass = mass_of(box_points(low, low + Vec3{2, 4, 6}));
    EXPECT_EQ(mass.volume, 48);
    EXPECT_EQ(mass.centroid, (low + Vec3{1, 2, 3}));
    // m / 12 (b^2 + c^2)
    expect_near(mass.inertia, Mat3::diagonal({4 * 52, 4 * 40, 4 * 20}), 8 * epsilon * 208);
  }
}

TEST(MassProperties, OfATetrahedron) {
  const MassProperties mass = mass_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  EXPECT_NEAR(mass.volume, 1.0 / 6, epsilon);
  expect_near(mass.centroid, {0.25, 0.25, 0.25}, epsilon);
  // About the corner: x^2 over it is 1/60, x y is 1/120.
  constexpr double p = -1.0 / 120;
  const Mat3 corner{{2.0 / 60, p, p}, {p, 2.0 / 60, p}, {p, p, 2.0 / 60}};
  expect_near(inertia_about(mass, {}), corner, epsilon);
}

TEST(MassProperties, OfAFlatHullIsNothing) {
  const MassProperties square = mass_of({{1, 1, 7}, {3, 1, 7}, {3, 5, 7}, {1, 5, 7}});
  EXPECT_EQ(square.volume, 0);
  EXPECT_EQ(square.inertia, Mat3::zero());
  expect_near(square.centroid, {2, 3, 7}, 8 * epsilon);
  expect_near(mass_of({{1, 1, 1}, {3, 3, 3}}).centroid, {2, 2, 2}, 0);
  expect_near(mass_of({{1, 2, 3}}).centroid, {1, 2, 3}, 0);
  EXPECT_EQ(mass_properties(PolygonSurface{}).centroid, Vec3{});
}

/// The surface as triangles, with its vertices.
std::vector<std::uint32_t> triangles_of(const ConvexHull& hull) {
  std::vector<std::uint32_t> triangles;
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const auto c = hull.corners(f);
    for (std::size_t i = 2; i < c.size(); ++i)
      triangles.insert(triangles.end(), {c[0], c[i - 1], c[i]});
  }
  return triangles;
}

/// Random solids that are not thin.
std::vector<Vec3> solid_points(Source& source) {
  std::vector<Vec3> points = box_points({-1, -1, -1}, {1, 1, 1});
  for (int i = source.index(12); i > 0; --i) points.push_back(direction(source) * 2);
  return points;
}

TEST(MassProperties, TrianglesPolygonsAndInsideOut) {
  for_each_seed(200, [](Source& source) {
    const ConvexHull hull = convex_hull(solid_points(source)).value();
    const MassProperties mass = mass_properties(hull);
    std::vector<std::uint32_t> triangles = triangles_of(hull);
    const MassProperties same = mass_properties(hull.vertices, triangles);
    EXPECT_EQ(mass.volume, same.volume);
    EXPECT_EQ(mass.inertia, same.inertia);
    std::reverse(triangles.begin(), triangles.end());
    const MassProperties inside_out = mass_properties(hull.vertices, triangles);
    EXPECT_NEAR(inside_out.volume, -mass.volume, 16 * epsilon * std::fabs(mass.volume));
  });
  // A number out of range: its face is left out.
  const std::vector<Vec3> two{{0, 0, 0}, {1, 0, 0}};
  EXPECT_EQ(mass_properties(two, std::vector<std::uint32_t>{0, 1, 2}).volume, 0);
}

PROPERTY(MassProperties, AddUpWhenTheSolidIsSplit) {
  // Cut at the plane z = 0, which the hull of both halves' points crosses.
  const ConvexHull hull = convex_hull(solid_points(source)).value();
  std::vector<Vec3> above;
  std::vector<Vec3> below;
  for (const Vec3& v : hull.vertices) (v.z > 0 ? above : below).push_back(v);
  for (std::uint32_t h = 0; h < hull.origin.size(); ++h) {
    const Vec3 p = hull.vertices[hull.origin[h]];
    const Vec3 q = hull.vertices[hull.target(h)];
    if (!(p.z > 0 && q.z < 0)) continue;
    Vec3 cut = lerp(p, q, p.z / (p.z - q.z));
    cut.z = 0;
    above.push_back(cut);
    below.push_back(cut);
  }
  for (const Vec3& v : hull.vertices) {
    if (v.z == 0) above.push_back(v);
  }
  for (auto* half : {&above, &below}) into_range(*half);
  const MassProperties whole = mass_properties(hull);
  const MassProperties sum = mass_of(above) + mass_of(below);
  // The cut's corners are rounded: an ulp of the size times the area.
  const double tolerance = 256 * epsilon * whole.volume;
  REQUIRE(std::fabs(whole.volume - sum.volume) <= tolerance);
  REQUIRE(max_abs(whole.centroid - sum.centroid) <= 256 * epsilon);
  REQUIRE(size_of(whole.inertia - sum.inertia) <= 8 * tolerance);
}

PROPERTY(MassProperties, MoveWithTheSolid) {
  const std::vector<Vec3> points = solid_points(source);
  const Frame frame = pose(source).frame();
  std::vector<Vec3> placed;
  for (const Vec3& p : points) placed.push_back(frame.to_world(p));
  into_range(placed);
  const MassProperties there = mass_of(placed);
  const MassProperties moved_there = moved(mass_of(points), frame);
  REQUIRE(std::fabs(there.volume - moved_there.volume) <= 64 * epsilon * there.volume);
  REQUIRE(max_abs(there.centroid - moved_there.centroid) <= 64 * epsilon);
  REQUIRE(size_of(there.inertia - moved_there.inertia) <= 512 * epsilon * there.volume);
  REQUIRE(moved_there.inertia == transpose(moved_there.inertia));
}

// A shell: what a surface turned inward takes away.
TEST(MassProperties, OfABoxWithAHole) {
  const MassProperties outer = mass_of(box_points({-2, -2, -2}, {2, 2, 2}));
  const ConvexHull hole = convex_hull(box_points({-1, -1, -1}, {1, 1, 1})).value();
  std::vector<std::uint32_t> triangles = triangles_of(hole);
  std::reverse(triangles.begin(), triangles.end());
  const MassProperties both = outer + mass_properties(hole.vertices, triangles);
  EXPECT_EQ(both.volume, 64 - 8);
  EXPECT_EQ(both.centroid, Vec3{});
  constexpr double i = 64 * 32 / 12.0 - 8 * 8 / 12.0;
  expect_near(both.inertia, Mat3::diagonal({i, i, i}), 8 * epsilon * i);
}

} // namespace
} // namespace carom::test
