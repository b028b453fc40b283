#include "carom/geometry/containment.h"

#include "carom/geometry/hull2.h"
#include "tests/geometry/exact_oracle.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/property.h"

#include <map>

using namespace carom;
using namespace carom::test;

namespace {

constexpr Containment in = Containment::inside, on = Containment::boundary,
                      out = Containment::outside;

bool on_outline(const Q2& p, const std::vector<Vec2>& polygon) {
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    if (on_segment(p, exact(polygon[i]), exact(polygon[(i + 1) % polygon.size()]))) return true;
  }
  return false;
}

/// Even-odd by a ray that meets no corner, in rationals: its slope is tried until that is so.
Containment oracle(const Vec2& point, const std::vector<Vec2>& polygon) {
  const Q2 p = exact(point);
  if (on_outline(p, polygon)) return on;
  for (int k = 1;; ++k) {
    const Q2 direction{mpq_class(k % 2 ? 1000 : -1000), mpq_class(7 * k * k + 11)};
    bool generic = true, inside = false;
    for (std::size_t i = 0; i < polygon.size() && generic; ++i) {
      const Q2 a = exact(polygon[i]) - p, b = exact(polygon[(i + 1) % polygon.size()]) - p;
      const int sa = sgn(cross(direction, a)), sb = sgn(cross(direction, b));
      generic = sa != 0 && sb != 0;
      // The ray meets the edge where the ends are on its two sides, and the edge passes ahead.
      if (sa * sb < 0 && sgn(cross(a, b)) * sb > 0) inside = !inside;
    }
    if (generic) return inside ? in : out;
  }
}

std::vector<Vec2> probes(Source& source, const std::vector<Vec2>& polygon) {
  std::vector<Vec2> result{vec2(source), lattice_point(source, 4)};
  const auto i = static_cast<std::size_t>(source.index(static_cast<int>(polygon.size())));
  const auto j = static_cast<std::size_t>(source.index(static_cast<int>(polygon.size())));
  result.push_back(polygon[i]);
  result.push_back(lerp(polygon[i], polygon[j], 0.5));
  result.push_back(lerp(polygon[i], polygon[j], source.index(13) * 0.25 - 1));
  result.push_back({polygon[i].x, polygon[j].y});
  return result;
}

} // namespace

TEST(LocateInTriangle, AgreesWithRationals2D) {
  for_each_seed(6'000, [](Source& source) {
    const std::vector<Vec2> t = points2(source, 3);
    for (const Vec2& p : probes(source, t))
      ASSERT_EQ(locate_in_triangle(p, t[0], t[1], t[2]), oracle(p, t));
  });
}

TEST(LocateInTriangle, AgreesWithRationals3D) {
  int counts[3] = {};
  for_each_seed(20'000, [&](Source& source) {
    const Triangle t = triangle(source);
    const Vec3 w{source.index(9) * 0.25 - 0.5, source.index(5) * 0.25 - 0.25, 0};
    const Vec3 p = source.chance(3) ? vec3(source) : t.at({w.x, w.y, 1 - w.x - w.y});
    const Q3 a = exact(t.a), b = exact(t.b), c = exact(t.c), q = exact(p);
    const Q3 n = cross(b - a, c - a);
    Containment truth = out;
    if (dot(n, n) != 0 && dot(n, q - a) == 0) {
      const mpq_class least =
          std::min({mpq_class(dot(n, cross(b - a, q - a))), mpq_class(dot(n, cross(c - b, q - b))),
                    mpq_class(dot(n, cross(a - c, q - c)))});
      truth = least > 0 ? in : least == 0 ? on : out;
    } else if (dot(n, n) == 0) {
      const auto between = [&](const Q3& u, const Q3& v) {
        const Q3 x = cross(u - q, v - q);
        return dot(x, x) == 0 && dot(u - q, v - q) <= 0;
      };
      truth = between(a, b) || between(b, c) || between(c, a) ? on : out;
    }
    ASSERT_EQ(locate_in_triangle(p, t), truth);
    ++counts[static_cast<int>(truth)];
  });
  EXPECT_GT(counts[static_cast<int>(in)], 200);
  EXPECT_GT(counts[static_cast<int>(on)], 200);
}

// A test by cross products of the corners seen from p compares all with b x c, which is zero on the line of BC, and accepts.
TEST(LocateInTriangle, PointOnExtensionOfBC) {
  const Triangle t{{0, 4, 0}, {0, 0, 0}, {2, 0, 0}};
  const Vec3 p{5, 0, 0};
  const Vec3 u = cross(t.b - p, t.c - p), v = cross(t.c - p, t.a - p), w = cross(t.a - p, t.b - p);
  EXPECT_TRUE(!(dot(u, v) < 0) && !(dot(u, w) < 0)) << "the wrong formula accepts";
  EXPECT_EQ(locate_in_triangle(p, t), out);
  EXPECT_FALSE(near_triangle(p, t, 0.5));
  EXPECT_EQ(locate_in_triangle({2, 0}, {0, 4}, {0, 0}, {1, 0}), out);
  for (int i = -8; i <= 8; ++i) {
    const Vec3 q{i * 0.5, 0, 0};
    EXPECT_EQ(near_triangle(q, t, 0), i >= 0 && i <= 4) << i;
  }
}

TEST(NearTriangle, ToleranceIsTheDistanceFromThePlane) {
  const Triangle t{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  EXPECT_TRUE(near_triangle({1, 1, 0.5}, t, 0.5));
  EXPECT_FALSE(near_triangle({1, 1, 0.5}, t, 0.499));
  EXPECT_FALSE(near_triangle({-0.001, 1, 0}, t, 0.5)); // beside it, however near
  const Triangle flat{{0, 0, 0}, {4, 0, 0}, {2, 0, 0}};
  EXPECT_TRUE(near_triangle({1, 0.5, 0}, flat, 0.5));
  EXPECT_FALSE(near_triangle({1, 0.5, 0}, flat, 0.49));
  EXPECT_TRUE(near_triangle({4.5, 0, 0}, flat, 0.5));
  EXPECT_FALSE(near_triangle({4.5, 0, 0}, flat, 0.49));
}

TEST(LocateInConvex, LogarithmicAgreesWithLinearAndRationals) {
  for_each_seed(4'000, [](Source& source) {
    std::vector<Vec2> hull;
    const bool keep = source.chance(2);
    convex_hull(points2(source, 1 + source.index(12)), hull,
                keep ? StraightPoints::keep : StraightPoints::drop);
    // From any corner on, perhaps a straight one; perhaps with coincident corners.
    std::rotate(hull.begin(), hull.begin() + source.index(static_cast<int>(hull.size())),
                hull.end());
    if (source.chance(6)) {
      const int i = source.index(static_cast<int>(hull.size()));
      const Vec2 twice = hull[static_cast<std::size_t>(i)];
      hull.insert(hull.begin() + i, twice);
    }
    for (const Vec2& p : probes(source, hull)) {
      const Containment truth = oracle(p, hull);
      ASSERT_EQ(locate_in_convex_linear(p, hull), truth);
      ASSERT_EQ(locate_in_convex(p, hull), truth);
    }
  });
}

// Thousands of corners on a circle: each is on the boundary, halfway between neighbours is inside or on it, a bit outward is outside.
TEST(LocateInConvex, Cocircular) {
  std::vector<Vec2> points, hull;
  for (int i = 0; i < 5000; ++i)
    points.push_back({std::cos(i * 1e-3 * 1.2566), std::sin(i * 1e-3 * 1.2566)});
  convex_hull(points, hull);
  for (const Vec2& p : hull) {
    ASSERT_EQ(locate_in_convex(p, hull), on);
    ASSERT_EQ(locate_in_convex(p * (1 - 1e-6), hull), in);
    ASSERT_EQ(locate_in_convex(p * (1 + 1e-15), hull),
              locate_in_convex_linear(p * (1 + 1e-15), hull));
    ASSERT_EQ(locate_in_convex(p * (1 + 1e-6), hull), out);
  }
}

TEST(LocateInPolygon, AgreesWithRationals) {
  for_each_seed(4'000, [](Source& source) {
    const std::vector<Vec2> polygon = points2(source, 1 + source.index(9)); // it may cross itself
    for (const Vec2& p : probes(source, polygon))
      ASSERT_EQ(locate_in_polygon(p, polygon), oracle(p, polygon));
  });
}

TEST(LocateInPolygon, RayThroughVertex) {
  const std::vector<Vec2> diamond{{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
  const std::vector<Vec2> teeth{{0, 0}, {6, 0}, {6, 2}, {5, 1}, {4, 2},
                                {3, 1}, {2, 2}, {1, 1}, {0, 2}};
  const auto naive = [](const Vec2& p,
                        const std::vector<Vec2>& v) { // counts both edges at a corner
    bool inside = false;
    for (std::size_t i = 0; i < v.size(); ++i) {
      const Vec2 a = v[i], b = v[(i + 1) % v.size()];
      if (a.y == b.y || p.y < std::min(a.y, b.y) || p.y > std::max(a.y, b.y)) continue;
      if (a.x + (b.x - a.x) * ((p.y - a.y) / (b.y - a.y)) > p.x) inside = !inside;
    }
    return inside;
  };
  EXPECT_FALSE(naive({0, 0}, diamond)) << "the wrong formula says outside";
  EXPECT_EQ(locate_in_polygon({0, 0}, diamond), in);
  EXPECT_EQ(locate_in_polygon({-2, 0}, diamond), out); // through two corners
  EXPECT_EQ(locate_in_polygon({-2, 1}, diamond), out); // touches the top
  EXPECT_EQ(locate_in_polygon({-1, 1}, teeth), out);
  EXPECT_EQ(locate_in_polygon({0.5, 1}, teeth), in);
  EXPECT_EQ(locate_in_polygon({1, 1}, teeth), on);
  EXPECT_EQ(locate_in_polygon({2, 1}, teeth), in);
  EXPECT_EQ(locate_in_polygon({-1, 0}, teeth), out); // along an edge
  EXPECT_EQ(locate_in_polygon({3, 0}, teeth), on);
}

TEST(LocateInTetrahedron, AgreesWithRationals) {
  int counts[3] = {};
  for_each_seed(20'000, [&](Source& source) {
    const Tetrahedron t = tetrahedron(source);
    const double w[] = {source.index(5) * 0.25, source.index(5) * 0.25 - 0.25,
                        source.index(3) * 0.25};
    const Vec3 p = source.chance(3)
                       ? vec3(source)
                       : t.a * w[0] + t.b * w[1] + t.c * w[2] + t.d * (1 - w[0] - w[1] - w[2]);
    const Q3 a = exact(t.a), b = exact(t.b), c = exact(t.c), d = exact(t.d), q = exact(p);
    const mpq_class v = volume(a, b, c, d);
    if (v == 0) {
      bool any = false;
      for (const Triangle& f :
           {Triangle{t.a, t.b, t.c}, {t.a, t.b, t.d}, {t.a, t.c, t.d}, {t.b, t.c, t.d}})
        any = any || locate_in_triangle(p, f) != out;
      ASSERT_EQ(locate_in_tetrahedron(p, t), any ? on : out);
      return;
    }
    const mpq_class least =
        std::min({mpq_class(volume(q, b, c, d) / v), mpq_class(volume(a, q, c, d) / v),
                  mpq_class(volume(a, b, q, d) / v), mpq_class(volume(a, b, c, q) / v)});
    const Containment truth = least > 0 ? in : least == 0 ? on : out;
    ASSERT_EQ(locate_in_tetrahedron(p, t), truth);
    ++counts[static_cast<int>(truth)];
  });
  for (const int n : counts) EXPECT_GT(n, 200);
}

TEST(LocateInPolyhedron, AgreesWithRationals) {
  for_each_seed(10'000, [](Source& source) {
    const OwnedPolyhedron unit = convex_polyhedron(source);
    const OwnedPolyhedron h = stretched(source, unit);
    const Vec3 p = vec3(source);
    mpq_class most = -1;
    for (const HalfSpace& f : h.faces)
      most = std::max(most, mpq_class(dot(exact(f.normal), exact(p)) - mpq_class(f.offset)));
    ASSERT_EQ(locate_in_polyhedron(p, h.view()), most < 0 ? in : most == 0 ? on : out);
  });
  EXPECT_EQ(locate_in_polyhedron({1, 2, 3}, {}), in);
}

namespace {

/// The boundary of some cubes of a grid of 3 x 3 x 3, as triangles; edges may have four of them.
struct Voxels {
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  bool filled[5][5][5] = {}; ///< with a rim of empty ones

  explicit Voxels(Source& source) {
    for (int i = 1; i < 4; ++i)
      for (int j = 1; j < 4; ++j)
        for (int k = 1; k < 4; ++k) filled[i][j][k] = source.chance(2);
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 5; ++j)
        for (int k = 0; k < 5; ++k) vertices.push_back({i * 1.0, j * 1.0, k * 1.0});
    const auto id = [](const int(&c)[3]) {
      return static_cast<std::uint32_t>(c[0] * 25 + c[1] * 5 + c[2]);
    };
    for (int axis = 0; axis < 3; ++axis)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          for (int k = 0; k < 4; ++k) {
            int c[3] = {i, j, k};
            int next[3] = {i, j, k};
            ++next[axis];
            // Cube (i, j, k) reaches from (i, j, k) to (i + 1, j + 1, k + 1).
            if (filled[i][j][k] == filled[next[0]][next[1]][next[2]]) continue;
            std::uint32_t corner[4];
            for (int q = 0; q < 4; ++q) {
              int p[3] = {next[0], next[1], next[2]};
              p[(axis + 1) % 3] = c[(axis + 1) % 3] + (q == 1 || q == 2);
              p[(axis + 2) % 3] = c[(axis + 2) % 3] + (q >= 2);
              corner[q] = id(p);
            }
            const bool other = source.chance(2); // either diagonal
            triangles.push_back({corner[0], corner[1], corner[other ? 3 : 2]});
            triangles.push_back({corner[other ? 1 : 0], corner[2], corner[3]});
          }
  }

  /// p in halves: inside where all cubes around it are filled, outside where none is.
  [[nodiscard]] Containment truth(const Vec3& p) const {
    int full = 0, all = 0;
    const auto cubes = [](double x) {
      const int f = static_cast<int>(std::floor(x));
      return f == x ? std::vector<int>{f - 1, f} : std::vector<int>{f};
    };
    for (const int i : cubes(p.x))
      for (const int j : cubes(p.y))
        for (const int k : cubes(p.z)) {
          ++all;
          full += i >= 0 && j >= 0 && k >= 0 && i < 5 && j < 5 && k < 5 && filled[i][j][k];
        }
    return full == all ? in : full == 0 ? out : on;
  }
};

} // namespace

// Every probe's ray goes through vertices, along edges and within faces.
TEST(LocateInMesh, VoxelsAtTheirCornersEdgesAndFaces) {
  for_each_seed(1'000, [](Source& source) {
    Voxels v(source);
    // A shear in small integers is exact, keeps the truth, and leaves faces aslant.
    const double a = source.index(3), b = source.index(3), c = source.index(3),
                 s = source.chance(2) ? 1 : 0x1p-40;
    const auto shear = [&](const Vec3& p) {
      return Vec3{p.x + a * p.z, p.y + b * p.x, p.z + c * p.y} * s;
    };
    std::vector<Vec3> vertices;
    for (const Vec3& p : v.vertices) vertices.push_back(shear(p));
    for (int i = 0; i < 100; ++i) {
      const Vec3 p{source.index(9) * 0.5 + 0.5, source.index(9) * 0.5 + 0.5,
                   source.index(9) * 0.5 + 0.5};
      ASSERT_EQ(locate_in_mesh(shear(p), vertices, v.triangles), v.truth(p));
    }
  });
}

// A ray up the axis of an octahedron passes through a vertex of four triangles: counting closed triangles gives 4, or 0 if open.
TEST(LocateInMesh, RayThroughVertex) {
  const std::vector<Vec3> v{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  const std::vector<TriangleIndices> t{{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                       {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  int closed = 0;
  for (const TriangleIndices& f : t) {
    const auto flat = [&](std::uint32_t i) { return Vec2{v[i].x, v[i].y}; };
    closed +=
        v[f[2]].z > 0 && locate_in_triangle({0, 0}, flat(f[0]), flat(f[1]), flat(f[2])) != out;
  }
  EXPECT_EQ(closed % 2, 0) << "the wrong count says outside";
  EXPECT_EQ(locate_in_mesh({0, 0, 0}, v, t), in);
  EXPECT_EQ(locate_in_mesh({0, 0, -2}, v, t), out);
  EXPECT_EQ(locate_in_mesh({0, 0, 1}, v, t), on);
  EXPECT_EQ(locate_in_mesh({0.5, 0, 0}, v, t), in); // up through an edge
  EXPECT_EQ(locate_in_mesh({1, 0, -1}, v, t), out); // touches a vertex from outside
  EXPECT_EQ(locate_in_mesh({0, 0, 0}, v, std::vector<TriangleIndices>{{0, 1, 99}}), out);
}

TEST(Containment, NotANumberIsHarmless) {
  const double nan = std::nan("");
  const std::vector<Vec2> v{{0, 0}, {nan, 1}, {INFINITY, 2}};
  (void)locate_in_polygon({nan, 0}, v);
  (void)locate_in_convex({nan, 0}, v);
  EXPECT_FALSE(near_triangle({nan, 0, 0}, {}, 1));
  (void)locate_in_tetrahedron({nan, 0, INFINITY}, {});
}
