#include "carom/mesh/rounded_hull.h"

#include "carom/mesh/mass_properties.h"
#include "tests/geometry/exact_oracle.h"
#include "tests/mesh/hull_cases.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/moments.h"
#include "tests/support/property.h"

#include <array>
#include <vector>

namespace carom::test {
namespace {

constexpr double epsilon = 0x1p-52;

ConvexHull hull_of(const std::vector<Vec3>& points) { return convex_hull(points).value(); }

std::vector<Vec3> corners_of(const Obb& box) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) corners.push_back(box.corner(i));
  into_range(corners);
  return corners;
}

double extent(const ConvexHull& hull) {
  Vec3 low = hull.vertices[0];
  Vec3 high = low;
  for (const Vec3& v : hull.vertices) {
    low = min(low, v);
    high = max(high, v);
  }
  return max_abs(high - low);
}
double reach(const ConvexHull& hull) {
  double most = 0;
  for (const Vec3& v : hull.vertices) most = std::max(most, max_abs(v));
  return most;
}

/// The moments as rationals: of the tetrahedra between the origin and the triangles of the faces.
struct ExactMoments {
  mpq_class volume = 0;
  std::array<mpq_class, 3> centroid;
  std::array<std::array<mpq_class, 3>, 3> second; ///< about the centroid
};
ExactMoments exact_moments(const ConvexHull& hull) {
  ExactMoments m;
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const auto c = hull.corners(f);
    for (std::size_t k = 2; k < c.size(); ++k) {
      const std::array<Q3, 3> q{exact(hull.vertices[c[0]]), exact(hull.vertices[c[k - 1]]),
                                exact(hull.vertices[c[k]])};
      const mpq_class v = dot(q[0], cross(q[1], q[2])) / 6;
      std::array<std::array<mpq_class, 3>, 3> p;
      for (std::size_t n = 0; n < 3; ++n) p[n] = {q[n].x, q[n].y, q[n].z};
      m.volume += v;
      for (std::size_t i = 0; i < 3; ++i) {
        const mpq_class si = p[0][i] + p[1][i] + p[2][i];
        m.centroid[i] += v * si / 4;
        for (std::size_t j = 0; j < 3; ++j) {
          const mpq_class sj = p[0][j] + p[1][j] + p[2][j];
          m.second[i][j] +=
              v * (p[0][i] * p[0][j] + p[1][i] * p[1][j] + p[2][i] * p[2][j] + si * sj) / 20;
        }
      }
    }
  }
  if (m.volume == 0) return m;
  for (mpq_class& x : m.centroid) x /= m.volume;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) m.second[i][j] -= m.volume * m.centroid[i] * m.centroid[j];
  }
  return m;
}

// Slivers, needles, plates of thickness 1e-16, far from the origin: the volume is right to its own size, and the bound holds.
TEST(HullMoments, AgreeWithRationals) {
  int solid = 0;
  for_each_seed(fewer_when_sanitized(1000), [&](Source& source) {
    const ConvexHull hull = hull_of(hull_points(source, 20));
    const BoundedMoments m = hull_moments(hull);
    if (hull.dimension < 3) {
      EXPECT_EQ(m.moments.volume, 0);
      EXPECT_EQ(m.relative_error, 0);
      EXPECT_EQ(m.moments.second, Mat3::zero());
      return;
    }
    ++solid;
    const ExactMoments expected = exact_moments(hull);
    const mpq_class off = abs(mpq_class(m.moments.volume) - expected.volume);
    EXPECT_LE(off, expected.volume * mpq_class(m.relative_error));
    EXPECT_EQ(m.relative_error, 64 * epsilon);
    const double volume = expected.volume.get_d();
    const double size = extent(hull);
    for (int i = 0; i < 3; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double c = mpq_class(mpq_class(m.moments.centroid[i]) - expected.centroid[at]).get_d();
      EXPECT_LE(std::fabs(c), epsilon * reach(hull) + 16 * epsilon * size);
      for (int j = 0; j < 3; ++j) {
        const double e = mpq_class(mpq_class(m.moments.second[j][i]) -
                                   expected.second[at][static_cast<std::size_t>(j)])
                             .get_d();
        EXPECT_LE(std::fabs(e), 32 * epsilon * volume * size * size);
      }
    }
  });
  EXPECT_GT(solid, 100);
}

// The centroid of what is flat: of a polygon's triangles, weighed in rationals by their projected areas.
TEST(HullMoments, OfFlatHulls) {
  const Vec3 far{1e6, -2e6, 3e6};
  const ConvexHull flat = hull_of(
      {far, far + Vec3{3, 0, 0}, far + Vec3{0, 3, 3}, far + Vec3{3, 3, 3}, far + Vec3{9, 0, 0}});
  ASSERT_EQ(flat.dimension, 2);
  // A rectangle 3 by 3 sqrt(2) and a triangle of twice its width and the same height, in the plane y = z.
  const BoundedMoments m = hull_moments(flat, far);
  EXPECT_LE(max_abs(m.moments.centroid - Vec3{(1.5 + 5) / 2, (1.5 + 1) / 2, (1.5 + 1) / 2}),
            8 * epsilon);
  EXPECT_EQ(hull_moments(hull_of({{1, 1, 1}, {3, 5, 1}})).moments.centroid, (Vec3{2, 3, 1}));
  EXPECT_EQ(hull_moments(hull_of({{1, 1, 1}})).moments.centroid, (Vec3{1, 1, 1}));
  EXPECT_EQ(hull_moments(ConvexHull{}).moments.volume, 0);
}

PROPERTY(RoundedHull, OfABoxIsARoundedBox) {
  const Obb box = obb(source);
  const double r = radius(source);
  const ConvexHull hull = hull_of(corners_of(box));
  const double size = max_abs(box.half) + r;
  ASSUME(size > 0);
  const Moments expected = moments(box, r);
  // The corners are rounded, by an epsilon of where they are, all around.
  const double moved_by = 4 * epsilon * (max_abs(box.center) + max_abs(box.half));
  const double grown = moments(box, r + 1e-6 * size).volume - expected.volume;
  const double corner_error = grown / (1e-6 * size) * moved_by / expected.volume;
  ASSUME(expected.volume > 0 && corner_error < 1e-6);
  const BoundedMoments m = rounded_hull_moments(hull, r);
  note() << are_close(m.moments, expected, size, 64 * epsilon).message() << "\n";
  // The centroid and the moments notice a corner that is off, as much as the volume; and a face that is broken into slivers not at all.
  REQUIRE(
      close(m.moments, expected, size, m.relative_error + 8 * corner_error + 4 * moved_by / size));
}

/// A convex set K of points, and what a plane cuts it into: `upper` and `lower`, which share the polygon `middle`.
struct Cut {
  std::vector<Vec3> all, upper, lower, middle;
};
Cut cut(Source& source) {
  // The polygon contains the square of the corners (+-2, +-2, 0). Points above and below stand over that square, so a segment between them passes through it: the
  // union is convex.
  std::vector<Vec3> polygon{{2, 2, 0}, {-2, 2, 0}, {2, -2, 0}, {-2, -2, 0}};
  for (int i = source.index(6); i > 0; --i) {
    polygon.push_back({source.index(17) - 8.0, source.index(17) - 8.0, 0});
  }
  std::vector<Vec3> above{{real(source), real(source), positive(source)}};
  std::vector<Vec3> below{{real(source), real(source), -positive(source)}};
  for (int i = source.index(5); i > 0; --i)
    above.push_back({real(source), real(source), positive(source)});
  for (int i = source.index(5); i > 0; --i)
    below.push_back({real(source), real(source), -positive(source)});
  const Frame frame = pose(source).frame();
  const Vec3 factors =
      source.chance(3) ? Vec3{1, 1, 1} : Vec3{positive(source), positive(source), positive(source)};
  const auto place = [&](std::vector<Vec3>& points) {
    for (Vec3& p : points) p = frame.to_world(mul(p, factors));
    into_range(points);
  };
  place(polygon);
  place(above);
  place(below);
  Cut result{polygon, polygon, polygon, polygon};
  for (const Vec3& p : above) {
    result.all.push_back(p);
    result.upper.push_back(p);
  }
  for (const Vec3& p : below) {
    result.all.push_back(p);
    result.lower.push_back(p);
  }
  return result;
}

// K rounded and the middle rounded are together as much as both parts rounded: the middle is what these have in common. So
// every angle at every edge and vertex that the cut makes must be right, those of flat hulls too.
PROPERTY(RoundedHull, IsAsMuchAsItsParts) {
  const Cut c = cut(source);
  const double r = positive(source);
  const ConvexHull all = hull_of(c.all);
  const auto rounded = [&](const std::vector<Vec3>& points) {
    return rounded_hull_moments(hull_of(points), r).moments;
  };
  const Moments left = rounded(c.all) + rounded(c.middle);
  const Moments right = rounded(c.upper) + rounded(c.lower);
  const double size = extent(all) + r;
  // Rounded corners and a polygon that is no longer quite flat: an epsilon of their coordinates, against a thickness of at least r.
  const double corners = 16 * epsilon * (reach(all) + r) / r;
  ASSUME(corners < 1e-6);
  note() << "radius " << r << ", size " << size << "\n"
         << are_close(left, right, size, 128 * epsilon + corners).message() << "\n";
  REQUIRE(close(left, right, size, 128 * epsilon + corners));
}

PROPERTY(RoundedHull, WithATinyRadiusIsTheHull) {
  std::vector<Vec3> points = hull_points(source, 12);
  const ConvexHull hull = hull_of(points);
  const BoundedMoments core = hull_moments(hull);
  const BoundedMoments none = rounded_hull_moments(hull, 0);
  REQUIRE(none.moments.volume == core.moments.volume && none.moments.second == core.moments.second);
  ASSUME(hull.dimension == 3);
  const double size = extent(hull);
  ASSUME(core.moments.volume > 1e-3 * size * size * size);
  const BoundedMoments m = rounded_hull_moments(hull, size * 1e-20);
  REQUIRE(close(m.moments, core.moments, size, 64 * epsilon + epsilon * reach(hull) / size));
}

/// A segment and a point are capsules and balls, a rectangle a box without height.
TEST(RoundedHull, OfFlatHulls) {
  const Vec3 a{1, 2, 3};
  const Vec3 b{4, -2, 5};
  EXPECT_TRUE(are_close(rounded_hull_moments(hull_of({a, b, lerp(a, b, 0.5)}), 0.5).moments,
                        moments(Capsule{a, b, 0.5}), 6, 8 * epsilon));
  EXPECT_TRUE(are_close(rounded_hull_moments(hull_of({a}), 0.5).moments, moments(Sphere{a, 0.5}), 1,
                        8 * epsilon));
  const Obb rectangle{{1, 2, 3}, {}, {2, 0, 1}};
  for (const double r : {1e-9, 0.5, 1.0, 1e6}) {
    EXPECT_TRUE(are_close(rounded_hull_moments(hull_of(corners_of(rectangle)), r).moments,
                          moments(rectangle, r), 3 + r, 32 * epsilon))
        << r;
  }
}

// The faces' normals are within rounding of each other or opposite: a plate, a needle, a knife.
TEST(RoundedHull, OfThinSolids) {
  for (const double thin : {1e-3, 1e-8, 1e-14}) {
    for (const double r : {1e-9, 1e-3, 1.0}) {
      const Mat3 basis = to_matrix(normalized(Quat{0.3, -0.5, 0.2, 0.7}));
      const Obb plate{{}, basis, {1, 2, thin}};
      const Obb needle{{}, basis, {thin, thin, 1}};
      for (const Obb& box : {plate, needle}) {
        const BoundedMoments m = rounded_hull_moments(hull_of(corners_of(box)), r);
        // The corners of the turned box are off by an epsilon.
        const double corners = 16 * epsilon / (thin + r);
        EXPECT_TRUE(are_close(m.moments, moments(box, r), 2 + r, 64 * epsilon + corners));
      }
      // A knife: two faces meet at a small angle.
      const std::vector<Vec3> knife{{-1, 0, 0},   {1, 0, 0},      {-1, 1, thin},
                                    {1, 1, thin}, {-1, 1, -thin}, {1, 1, -thin}};
      const double length_ = std::sqrt(1 + thin * thin);
      const double area = 2 * 2 * length_ + 2 * 2 * thin + 2 * thin;
      const double tip = std::atan2(thin, 1.0); // half the angle at the edge
      const double pi_ = 3.14159265358979323846;
      const double edges =
          2 * ((pi_ - 2 * tip) + 2 * (pi_ / 2 + tip)) + (4 * length_ + 4 * thin) * (pi_ / 2);
      const double volume = 2 * thin + area * r + edges / 2 * r * r + 4 * pi_ / 3 * r * r * r;
      EXPECT_NEAR(rounded_hull_moments(hull_of(knife), r).moments.volume / volume, 1, 16 * epsilon);
    }
  }
}

// A hull of many points on a sphere, rounded, is nearly a larger ball; and many faces cost no digits.
TEST(RoundedHull, OfManyFaces) {
  RandomSource source(1);
  std::vector<Vec3> points;
  for (int i = 0; i < 4000; ++i) {
    points.push_back(
        normalized(Vec3{source.uniform(-1, 1), source.uniform(-1, 1), source.uniform(-1, 1)}));
  }
  const ConvexHull hull = hull_of(points);
  const BoundedMoments m = rounded_hull_moments(hull, 0.5);
  EXPECT_LT(m.relative_error, 1e-12);
  EXPECT_TRUE(are_close(m.moments, moments(Sphere{{}, 1.5}), 1.5, 5e-3));
  const MassProperties mass = mass_properties(hull);
  const BoundedMoments core = hull_moments(hull);
  EXPECT_NEAR(core.moments.volume, mass.volume, 8 * epsilon * mass.volume);
  EXPECT_LE(max_abs(core.moments.centroid - mass.centroid), 32 * epsilon);
  EXPECT_LE(size_of(inertia(core.moments) - mass.inertia), 256 * epsilon * mass.volume);
}

} // namespace
} // namespace carom::test
