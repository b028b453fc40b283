#include "carom/geometry/cast_flat.h"

#include "tests/geometry/cast_cases.h"

#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace carom {
namespace {

using test::expect_casts;
using test::for_each_seed;
using test::Source;

// In epsilon of the size, slivers included. The worst of 100,000 triangles was off its plane by 113, the worst tetrahedron by 126; nearly all stay
// below 32.
constexpr double flat_limit = 128;

TEST(CastFlat, Triangle) {
  expect_casts(20'000, flat_limit, [](Source& s) { return test::triangle(s); });
}
TEST(CastFlat, Quad) {
  expect_casts(20'000, flat_limit, [](Source& s) { return test::quad(s); });
}
TEST(CastFlat, Rectangle) {
  expect_casts(20'000, 16, [](Source& s) { return test::rectangle(s); });
}
TEST(CastFlat, Polygon) {
  expect_casts(10'000, flat_limit, [](Source& s) { return test::polygon(s); });
  EXPECT_FALSE(cast(Line{{}, {1, 0, 0}}, Polygon{}));
}

// ---- exact hits and misses

using Q = mpq_class;
struct Q3 {
  Q x, y, z;
};
Q3 exact(const Vec3& v) { return {v.x, v.y, v.z}; }
Q3 operator-(const Q3& a, const Q3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Q dot(const Q3& a, const Q3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Q3 cross(const Q3& a, const Q3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

struct ExactHit {
  bool defined = false; // the line crosses the plane
  bool hit = false;     // within the triangle
  Q t;
};

// By the crossing point with the plane, and its barycentric coordinates: not the method under test.
ExactHit exact_hit(const Q3& o, const Q3& d, const Triangle& triangle) {
  const Q3 a = exact(triangle.a), u = exact(triangle.b) - a, v = exact(triangle.c) - a;
  const Q3 n = cross(u, v);
  const Q speed = dot(n, d), nn = dot(n, n);
  if (speed == 0) return {};
  const Q t = dot(n, a - o) / speed;
  const Q3 r{o.x + t * d.x - a.x, o.y + t * d.y - a.y, o.z + t * d.z - a.z};
  const Q beta = dot(n, cross(r, v)), gamma = dot(n, cross(u, r));
  return {true, beta >= 0 && gamma >= 0 && beta + gamma <= nn, t};
}

TEST(CastFlat, TriangleAgainstRationals) {
  int edges = 0;
  for_each_seed(10'000, [&](Source& source) {
    const Triangle t = test::triangle(source);
    const Line line = test::aimed_line(source, test::marks(t, source));
    const Ray ray{line.origin, line.direction};
    const Segment segment{line.origin, line.origin + line.direction};
    const ExactHit by_ray = exact_hit(exact(ray.origin), exact(ray.direction), t);
    if (by_ray.defined) {
      const TriangleHit hit = cast(ray, t);
      ASSERT_EQ(cast(line, t).hit, by_ray.hit);
      ASSERT_EQ(hit.hit, by_ray.hit && by_ray.t >= 0);
      if (hit.hit) {
        const double expected = by_ray.t.get_d();
        // 256 for the conditioning that is left to doubles, times the roundings of n, its products with A, and the quotient; the
        // distance of the origin from the first corner stands for the size of n . A.
        const double size = length(t.a - ray.origin) / length(ray.direction);
        EXPECT_NEAR(hit.t, expected, 1e-13 * (size + std::fabs(expected)));
        edges += hit.barycentric.x == 0 || hit.barycentric.y == 0 || hit.barycentric.z == 0;
        if (length(t.normal()) > 0.1 * length(t.b - t.a) * length(t.c - t.a)) {
          EXPECT_LE(distance(t.at(hit.barycentric), hit.point),
                    1e3 * tolerance::epsilon * (max_abs(ray.origin) + max_abs(hit.point) + 4));
        }
      }
    }
    const Q3 a = exact(segment.a);
    const ExactHit by_segment = exact_hit(a, exact(segment.b) - a, t);
    if (by_segment.defined) {
      ASSERT_EQ(cast(segment, t).hit, by_segment.hit && by_segment.t >= 0 && by_segment.t <= 1);
    }
  });
  EXPECT_GT(edges, 25); // the hard cases were there
}

// ---- watertight

// An icosahedron, each face cut in four `levels` times, corners pushed in and out at random: closed and star-shaped.
struct ClosedMesh {
  std::vector<Vec3> corners;
  std::vector<std::array<int, 3>> faces;

  [[nodiscard]] Triangle face(std::size_t i) const {
    const auto& f = faces[i];
    const auto at = [&](int k) {
      return corners[static_cast<std::size_t>(f[static_cast<std::size_t>(k)])];
    };
    return {at(0), at(1), at(2)};
  }
};

ClosedMesh star(int levels, Random& random) {
  ClosedMesh m;
  const double g = (1 + std::sqrt(5.0)) / 2;
  m.corners = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
               {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  m.faces = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
             {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
             {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  for (int level = 0; level < levels; ++level) {
    std::vector<std::array<int, 3>> finer;
    std::vector<std::array<int, 3>> middles; // of edge (low, high): its index
    const auto middle = [&](int i, int j) {
      const int low = std::min(i, j), high = std::max(i, j);
      for (const auto& e : middles) {
        if (e[0] == low && e[1] == high) return e[2];
      }
      const auto at = [&](int k) { return m.corners[static_cast<std::size_t>(k)]; };
      m.corners.push_back(normalized(at(low) + at(high)) * length(at(low)));
      middles.push_back({low, high, static_cast<int>(m.corners.size()) - 1});
      return middles.back()[2];
    };
    for (const auto& f : m.faces) {
      const int ab = middle(f[0], f[1]), bc = middle(f[1], f[2]), ca = middle(f[2], f[0]);
      finer.insert(finer.end(), {{f[0], ab, ca}, {f[1], bc, ab}, {f[2], ca, bc}, {ab, bc, ca}});
    }
    m.faces = finer;
  }
  for (Vec3& c : m.corners) c *= random.uniform(0.6, 1.4);
  return m;
}

// Rays from inside, aimed at points on edges (rounded) and at corners, must leave the mesh. CAROM_WATERTIGHT_RAYS sets how many.
TEST(CastFlat, NoRaySlipsThroughAClosedMesh) {
  const char* text = std::getenv("CAROM_WATERTIGHT_RAYS");
  const std::uint64_t rays = text ? std::strtoull(text, nullptr, 10) : 100'000;
  Random random(5);
  std::uint64_t misses = 0, several = 0;
  ClosedMesh mesh;
  for (std::uint64_t i = 0; i < rays; ++i) {
    if (i % 10'000 == 0) mesh = star(0, random);
    const Triangle f = mesh.face(random.below(mesh.faces.size()));
    const double along = random.uniform(0, 1);
    const int corner = static_cast<int>(random.below(3));
    const bool at_corner = random.below(4) == 0;
    const Vec3 target = at_corner ? f[corner] : lerp(f[corner], f[(corner + 1) % 3], along);
    const Vec3 toward = random.direction();
    const Vec3 start = random.below(8) == 0 ? Vec3{} : toward * random.uniform(0, 0.2);
    const Ray ray{start, target - start};
    int hits = 0;
    for (std::size_t k = 0; k < mesh.faces.size(); ++k) hits += cast(ray, mesh.face(k)).hit ? 1 : 0;
    misses += hits == 0 ? 1 : 0;
    several += hits > 1 ? 1 : 0;
  }
  EXPECT_EQ(misses, 0u);
  EXPECT_GT(several, rays / 50); // many did go through an edge or a corner exactly
}

// A random line in general position crosses a closed surface as often inward as outward.
TEST(CastFlat, LinesCrossAClosedMeshInAndOut) {
  Random random(6);
  for (int i = 0; i < 20'000; ++i) {
    static ClosedMesh mesh;
    if (i % 2'000 == 0) mesh = star(1, random);
    const Line line{random.direction() * 2, random.direction()};
    int in = 0, out = 0;
    for (std::size_t k = 0; k < mesh.faces.size(); ++k) {
      const TriangleHit hit = cast(line, mesh.face(k));
      in += hit.hit && hit.front ? 1 : 0;
      out += hit.hit && !hit.front ? 1 : 0;
    }
    EXPECT_EQ(in, out);
  }
}

// ---- special cases

constexpr Triangle corner{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};

TEST(CastFlat, FrontAndBack) {
  const TriangleHit front = cast(Ray{{0.25, 0.5, 1}, {0, 0, -1}}, corner);
  ASSERT_TRUE(front);
  EXPECT_TRUE(front.front);
  EXPECT_EQ(front.normal, (Vec3{0, 0, 1}));
  EXPECT_EQ(front.barycentric, (Vec3{0.25, 0.25, 0.5}));
  const TriangleHit back = cast(Ray{{0.25, 0.5, -1}, {0, 0, 1}}, corner);
  ASSERT_TRUE(back);
  EXPECT_FALSE(back.front);
  EXPECT_EQ(back.normal, (Vec3{0, 0, -1}));
}

TEST(CastFlat, RangeOfATriangleIsExact) {
  EXPECT_TRUE(cast(Ray{{0.25, 0.25, 0}, {0, 0, -1}}, corner)); // from the surface
  EXPECT_FALSE(cast(Ray{{0.25, 0.25, -1e-30}, {0, 0, -1}}, corner));
  EXPECT_TRUE(cast(Segment{{0.25, 0.25, 1}, {0.25, 0.25, 0}}, corner));
  EXPECT_FALSE(cast(Segment{{0.25, 0.25, 1}, {0.25, 0.25, 1e-30}}, corner));
  EXPECT_FALSE(cast(Ray{{0.25, 0.25, 1}, {0, 0, -1}}, corner, 0.5));
  EXPECT_FALSE(cast(Ray{{0.25, 0.25, 1}, {0, 0, -1}}, corner, -1));
}

TEST(CastFlat, InThePlaneOfATriangle) {
  const TriangleHit through = cast(Ray{{-1, 0.25, 0}, {1, 0, 0}}, corner);
  ASSERT_TRUE(through);
  EXPECT_EQ(through.t, 1);
  EXPECT_EQ(clip(Line{{-1, 0.25, 0}, {1, 0, 0}}, corner).exit, 1.75);
  EXPECT_TRUE(cast(Ray{{-1, 1, 0}, {1, 0, 0}}, corner)); // touching a corner
  EXPECT_TRUE(cast(Ray{{-1, 0, 0}, {1, 0, 0}}, corner)); // along an edge
  EXPECT_FALSE(cast(Ray{{-1, 1.5, 0}, {1, 0, 0}}, corner));
  EXPECT_FALSE(cast(Ray{{-1, 0.25, 1e-20}, {1, 0, 0}}, corner)); // parallel, above
  EXPECT_TRUE(cast(Ray{{0.25, 0.25, 0}, {1, 0, 0}}, corner).inside);
  EXPECT_FALSE(cast(Ray{{2, 0.25, 0}, {1, 0, 0}}, corner));
}

TEST(CastFlat, DegenerateTrianglesAreSegmentsAndPoints) {
  const Triangle segment{{0, 0, 0}, {2, 0, 0}, {1, 0, 0}};
  EXPECT_EQ(cast(Ray{{1.5, -1, 0}, {0, 1, 0}}, segment).t, 1);
  EXPECT_FALSE(cast(Ray{{2.5, -1, 0}, {0, 1, 0}}, segment));
  EXPECT_EQ(cast(Ray{{-1, 0, 0}, {1, 0, 0}}, segment).t, 1);
  const Triangle point{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
  EXPECT_EQ(cast(Ray{{0, 0, 0}, {0.5, 1, 1.5}}, point).t, 2);
  EXPECT_FALSE(cast(Ray{{0, 0, 0}, {0.5, 1, 1.25}}, point));
  EXPECT_TRUE(cast(Ray{{1, 2, 3}, {}}, point).inside);
}

TEST(CastFlat, PointsAgainstATriangle) {
  EXPECT_TRUE(cast(Ray{{0.5, 0.5, 0}, {}}, corner).inside); // on its edge
  EXPECT_FALSE(cast(Ray{{0.75, 0.5, 0}, {}}, corner));
  EXPECT_FALSE(cast(Ray{{0.25, 0.25, 1e-20}, {}}, corner));
}

TEST(CastFlat, PlaneParallelAndInPlane) {
  const Plane ground{{0, 0, 1}, 1};
  EXPECT_EQ(cast(Ray{{0, 0, 3}, {0, 0, -1}}, ground).t, 2);
  EXPECT_EQ(cast(Ray{{0, 0, 3}, {0, 0, -1}}, ground).normal, (Vec3{0, 0, 1}));
  EXPECT_EQ(cast(Ray{{0, 0, -1}, {0, 0, 1}}, ground).normal, (Vec3{0, 0, -1}));
  EXPECT_FALSE(cast(Ray{{0, 0, 3}, {0, 0, 1}}, ground));
  EXPECT_FALSE(cast(Ray{{0, 0, 3}, {1, 0, 0}}, ground));
  EXPECT_TRUE(cast(Ray{{5, 5, 1}, {1, 0, 0}}, ground).inside);
  EXPECT_FALSE(cast(Segment{{0, 0, 3}, {0, 0, 2}}, ground));
  EXPECT_EQ(cast(Segment{{0, 0, 3}, {0, 0, 1}}, ground).t, 1);
}

} // namespace
} // namespace carom
