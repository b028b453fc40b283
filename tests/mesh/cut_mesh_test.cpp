#include "carom/mesh/cut_mesh.h"

#include "carom/mesh/convex_hull.h"
#include "tests/support/generate.h"
#include "tests/support/property.h"

#include <gmpxx.h>

#include <array>

namespace carom::test {
namespace {

using Exact = std::array<mpq_class, 3>;

Exact exact(const Vec3& v) { return {mpq_class(v.x), mpq_class(v.y), mpq_class(v.z)}; }

int orient(const Exact& a, const Exact& b, const Exact& c, const Exact& d) {
  std::array<Exact, 3> r;
  for (std::size_t k = 0; k < 3; ++k) {
    r[0][k] = b[k] - a[k];
    r[1][k] = c[k] - a[k];
    r[2][k] = d[k] - a[k];
  }
  const mpq_class det = r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) +
                        r[0][1] * (r[1][2] * r[2][0] - r[1][0] * r[2][2]) +
                        r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
  return sgn(det);
}

/// In rationals. A flat hull holds what is in its plane, and within its border: seen against a point off the plane.
bool holds(const ConvexHull& hull, const Exact& p) {
  const auto at = [&](std::uint32_t i) { return exact(hull.vertices[i]); };
  for (std::size_t f = 0; f < hull.face_count() && hull.dimension >= 2; ++f) {
    const auto c = hull.corners(f);
    if (orient(at(c[0]), at(c[1]), at(c[2]), p) > 0) return false;
  }
  if (hull.dimension == 3) return true;
  if (hull.dimension < 2) return false;
  const auto c = hull.corners(0);
  Exact off = at(c[0]);
  for (std::size_t k = 0; k < 3; ++k) {
    Exact tip = at(c[0]);
    tip[k] += 1;
    if (orient(at(c[0]), at(c[1]), at(c[2]), tip) != 0) off = tip;
  }
  const int side = orient(at(c[0]), at(c[1]), at(c[2]), off);
  for (std::size_t i = 0; i < c.size(); ++i) {
    // The wall through the edge and the tip has the polygon on one side.
    if (orient(at(c[i]), at(c[(i + 1) % c.size()]), off, p) * side > 0) return false;
  }
  return true;
}

Plane any_plane(Source& source, const Vec3& through) {
  const int kind = source.index(3);
  const Vec3 direction = vec3(source);
  const int axis = source.index(3);
  const Vec3 n = kind == 0 ? unit_axis(axis) : normalized(direction);
  return {n, dot(n, through)};
}

// A triangle cut again and again: each of its points, as a rational, is in the hull of one of the parts, exactly. Points of its sides are the hard ones: a rounded cut
// is beside them.
TEST(CutMesh, NothingIsLostToRounding) {
  for_each_seed(fewer_when_sanitized(300), [](Source& source) {
    std::vector<Vec3> corners;
    for (int i = 0; i < 3; ++i) corners.push_back(vec3(source));
    CutMesh mesh(corners, {0, 1, 2});
    std::vector<CutPart> parts = {mesh.whole()};
    const int cuts = 1 + source.index(3);
    for (int i = 0; i < cuts; ++i) {
      const double t = source.unit();
      const double s = source.unit() * (1 - t);
      const Vec3 in = corners[0] + (corners[1] - corners[0]) * t + (corners[2] - corners[0]) * s;
      const Plane plane = any_plane(source, in);
      std::vector<CutPart> next;
      for (const CutPart& part : parts) {
        for (CutPart& half : mesh.cut(part, plane)) {
          if (half.polygon_count() > 0) next.push_back(std::move(half));
        }
      }
      parts = std::move(next);
    }
    std::vector<ConvexHull> hulls;
    for (const CutPart& part : parts) {
      hulls.push_back(convex_hull(mesh.hull_points(part)).value());
    }
    for (int i = 0; i < 8; ++i) {
      // Three weights, at times only two.
      std::array<mpq_class, 3> weight;
      for (mpq_class& w : weight) w = source.index(1000);
      if (source.chance(2)) weight[static_cast<std::size_t>(source.index(3))] = 0;
      const mpq_class sum = weight[0] + weight[1] + weight[2];
      if (sum == 0) continue;
      Exact p;
      for (std::size_t c = 0; c < 3; ++c) {
        const Exact v = exact(corners[c]);
        for (std::size_t k = 0; k < 3; ++k) p[k] += v[k] * weight[c] / sum;
      }
      bool covered = false;
      for (const ConvexHull& hull : hulls) covered = covered || holds(hull, p);
      // Hulls that are segments or points come of triangles without area.
      for (const ConvexHull& hull : hulls) covered = covered || hull.dimension < 2;
      EXPECT_TRUE(covered);
    }
  });
}

// A face in the plane of a cut belongs to what is behind it, whichever way the last bit goes.
TEST(CutMesh, AFaceInThePlaneIsOnOneSide) {
  const std::vector<Vec3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
  CutMesh mesh(corners, {0, 1, 2, 0, 2, 1, 0, 1, 3});
  const std::array<CutPart, 2> halves = mesh.cut(mesh.whole(), {{0, 0, 1}, 1e-16});
  ASSERT_EQ(halves[0].triangle, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(halves[1].triangle, (std::vector<std::uint32_t>{1}));
}

} // namespace
} // namespace carom::test
