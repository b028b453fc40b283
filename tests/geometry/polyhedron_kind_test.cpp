#include "carom/geometry/polyhedron_kind.h"

#include "carom/math/tolerance.h"
#include "tests/geometry/exact_oracle.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/property.h"

using namespace carom;
using namespace carom::test;

namespace {

struct Solid {
  std::vector<Vec3> vertices;
  std::vector<std::vector<std::uint32_t>> faces;

  [[nodiscard]] PolyhedronKind kind(double tolerance = 0) const {
    std::vector<FaceIndices> views(faces.begin(), faces.end());
    return polyhedron_kind(vertices, views, tolerance);
  }
};

Solid box() {
  Solid s;
  for (int i = 0; i < 8; ++i)
    s.vertices.push_back({i & 1 ? 1.0 : 0, i & 2 ? 1.0 : 0, i & 4 ? 1.0 : 0});
  s.faces = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  return s;
}

Solid join(Solid a, const Solid& b) {
  const auto first = static_cast<std::uint32_t>(a.vertices.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (auto f : b.faces) {
    for (auto& i : f) i += first;
    a.faces.push_back(f);
  }
  return a;
}

/// A star of n points (every `step`-th is next), extruded.
Solid extruded(std::uint32_t n, std::uint32_t step) {
  Solid s;
  for (int z = 0; z < 2; ++z)
    for (std::uint32_t i = 0; i < n; ++i) {
      const double a = 6.283185307179586 * (i * step % n) / n;
      s.vertices.push_back({std::cos(a), std::sin(a), z * 1.0});
    }
  std::vector<std::uint32_t> top, bottom;
  for (std::uint32_t i = 0; i < n; ++i) {
    top.push_back(n + i);
    bottom.push_back(n - 1 - i);
    s.faces.push_back({i, (i + 1) % n, n + (i + 1) % n, n + i});
  }
  s.faces.push_back(top);
  s.faces.push_back(bottom);
  return s;
}

/// Two apexes over a ring that goes around `turns` times.
Solid bipyramid(std::uint32_t n, std::uint32_t turns) {
  Solid s;
  const Vec2 square[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  for (std::uint32_t i = 0; i < n * turns; ++i) {
    const Vec2 p = square[i % n];
    s.vertices.push_back({p.x, p.y, 0});
  }
  const std::uint32_t up = n * turns, down = up + 1;
  s.vertices.push_back({0, 0, 1});
  s.vertices.push_back({0, 0, -1});
  for (std::uint32_t i = 0; i < up; ++i) {
    s.faces.push_back({i, (i + 1) % up, up});
    s.faces.push_back({(i + 1) % up, i, down});
  }
  return s;
}

/// Across each edge the neighbour's corners are behind: the test that looks at neighbours only.
bool locally_convex(const Solid& s) {
  for (const auto& f : s.faces) {
    if (f.size() > 4) continue; // the caps are level
    const Vec3 &a = s.vertices[f[0]], n = cross(s.vertices[f[1]] - a, s.vertices[f[2]] - a);
    for (const auto& g : s.faces) {
      int shared = 0;
      for (const auto i : f) shared += static_cast<int>(std::count(g.begin(), g.end(), i));
      if (&f == &g || shared != 2 || g.size() > 4) continue;
      for (const auto i : g)
        if (dot(n, s.vertices[i] - a) > 1e-12) return false;
    }
  }
  return true;
}

/// All triangles with every other point behind them; for points in general position, the hull.
Solid brute_hull(const std::vector<Vec3>& points) {
  Solid s{points, {}};
  const auto n = static_cast<std::uint32_t>(points.size());
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < n; ++j)
      for (std::uint32_t k = 0; k < n; ++k) {
        if (i == j || j == k || k == i || i > j || i > k) continue;
        bool face = true;
        for (std::uint32_t l = 0; l < n && face; ++l)
          face = l == i || l == j || l == k ||
                 volume(exact(points[i]), exact(points[j]), exact(points[k]), exact(points[l])) < 0;
        if (face) s.faces.push_back({i, j, k});
      }
  return s;
}

} // namespace

TEST(PolyhedronKind, Box) {
  EXPECT_EQ(box().kind(), PolyhedronKind::convex);
  for_each_seed(300, [](Source& source) {
    Solid s = box();
    const Mat3 m = axes(source);
    const Vec3 o = offset(source);
    for (Vec3& v : s.vertices) v = o + m * v;
    // Corners rounded to half an epsilon of their size; a plane through three of them at the far corners: a few times that.
    EXPECT_EQ(s.kind(8 * tolerance::epsilon * (max_abs(o) + 2)), PolyhedronKind::convex);
    s.vertices[7] += m * Vec3{-0.01, -0.01, -0.01} *
                     source.uniform(1, 50); // the far corner pushed in: three faces bend
    EXPECT_EQ(s.kind(8 * tolerance::epsilon * (max_abs(o) + 2)), PolyhedronKind::not_convex);
  });
}

/// A box whose top is cut into squares through the middle; with `bent`, three of the four are one face, in the form of an L.
Solid box_with_parted_top(bool bent) {
  Solid s = box(); // the top is 4, 5, 7, 6
  for (const Vec2& p : {Vec2{0.5, 0}, {1, 0.5}, {0.5, 1}, {0, 0.5}, {0.5, 0.5}})
    s.vertices.push_back({p.x, p.y, 1}); // 8 to 12
  s.faces = {{0, 2, 3, 1},     {0, 1, 5, 8, 4}, {2, 6, 10, 7, 3},
             {0, 4, 11, 6, 2}, {1, 3, 7, 9, 5}, {12, 9, 7, 10}};
  if (bent) {
    s.faces.push_back({4, 8, 5, 9, 12, 10, 6, 11});
  } else {
    s.faces.insert(s.faces.end(), {{4, 8, 12, 11}, {8, 5, 9, 12}, {11, 12, 10, 6}});
  }
  return s;
}

// Straight corners and coplanar neighbours are legal; a bent face is not, though it bounds nothing else than a box.
TEST(PolyhedronKind, StraightCornersAndBentFaces) {
  EXPECT_EQ(box_with_parted_top(false).kind(), PolyhedronKind::convex);
  EXPECT_EQ(box_with_parted_top(true).kind(), PolyhedronKind::not_convex);
  for_each_seed(300, [](Source& source) {
    const Mat3 m = axes(source);
    const Vec3 o = offset(source);
    const double tolerance = 8 * tolerance::epsilon * (max_abs(o) + 2);
    Solid whole = box_with_parted_top(false), bent = box_with_parted_top(true);
    for (Solid* s : {&whole, &bent})
      for (Vec3& v : s->vertices) v = o + m * v;
    EXPECT_EQ(whole.kind(tolerance), PolyhedronKind::convex); // corners that rounding moved inward
    EXPECT_EQ(bent.kind(tolerance), PolyhedronKind::not_convex);
    // A dent of a hundred tolerances is no rounding.
    whole.vertices[12] -= m * Vec3{0, 0, 100 * tolerance};
    EXPECT_EQ(whole.kind(tolerance), PolyhedronKind::not_convex);
  });
}

// Each corner is straight to within the tolerance between its two neighbours, and all together are a circle.
TEST(PolyhedronKind, ManyNearlyStraightCorners) {
  EXPECT_EQ(extruded(400, 1).kind(1e-3), PolyhedronKind::convex);
}

// The first three corners of the caps are nearly on a line, and their plane is far less certain than that of three far ones, as is one with
// two of them.
TEST(PolyhedronKind, PlanesOfFarCorners) {
  for_each_seed(4, [](Source& source) {
    Solid s = extruded(1000, 1);
    const Mat3 m = axes(source);
    for (Vec3& v : s.vertices) v = m * v;
    EXPECT_EQ(s.kind(16 * tolerance::epsilon), PolyhedronKind::convex);
  });
}

// One ulp thick: along two axes, no double lies inside a face's shadow. Along the third there is one; with all three edges that short there is none.
TEST(PolyhedronKind, ThinAsAnUlp) {
  const double e = tolerance::epsilon;
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 lengths{1, 1, 1};
    lengths[axis] = e;
    Solid s{{{1, 1, 1}, {1 + lengths.x, 1, 1}, {1, 1 + lengths.y, 1}, {1, 1, 1 + lengths.z}},
            {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
    EXPECT_EQ(s.kind(), PolyhedronKind::convex) << axis;
    for (auto& f : s.faces) std::swap(f[0], f[1]);
    EXPECT_EQ(s.kind(), PolyhedronKind::not_convex) << axis;
  }
  const Solid speck{{{1, 1, 1}, {1 + e, 1, 1}, {1, 1 + e, 1}, {1, 1, 1 + e}},
                    {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  EXPECT_EQ(speck.kind(), PolyhedronKind::flat);
}

// A box whose top is cut in two, along a line with a corner in its middle that is moved within the top: one of the two faces is bent inward there.
TEST(PolyhedronKind, AsStraightAsTheTolerance) {
  const auto kind = [](double moved) {
    Solid s = box();
    s.vertices.insert(s.vertices.end(), {{0.5, 0, 1}, {0.5, 1, 1}, {0.5 + moved, 0.5, 1}});
    s.faces = {{4, 8, 10, 9, 6}, {8, 5, 7, 9, 10}, {0, 2, 3, 1}, {0, 1, 5, 8, 4},
               {2, 6, 9, 7, 3},  {0, 4, 6, 2},     {1, 3, 7, 5}};
    return s.kind(0x1p-20);
  };
  for (const double sign : {1.0, -1.0}) {
    EXPECT_EQ(kind(sign * 0.5 * 0x1p-20), PolyhedronKind::convex);
    EXPECT_EQ(kind(sign * 1.5 * 0x1p-20), PolyhedronKind::not_convex);
  }
}

// An edge that goes forth, back and forth again is not straight.
TEST(PolyhedronKind, ZigzagAlongAnEdge) {
  const auto kind = [](std::uint32_t first, std::uint32_t second) {
    Solid s = box();
    s.vertices.insert(s.vertices.end(), {{0.25, 0, 1}, {0.75, 0, 1}}); // 8 and 9, from 4 to 5
    s.faces[1] = {4, first, second, 5, 7, 6};
    s.faces[2] = {0, 1, 5, second, first, 4};
    return s.kind(0x1p-20);
  };
  EXPECT_EQ(kind(8, 9), PolyhedronKind::convex);
  EXPECT_EQ(kind(9, 8), PolyhedronKind::not_convex);
}

// Four points in a plane but for rounding: with tolerance 0 the exact sign counts, whatever doubles make of it.
TEST(PolyhedronKind, ExactSignsOfThinTetrahedra) {
  int thin = 0;
  for_each_seed(2'000, [&](Source& source) {
    const Vec3 a = vec3(source), b = vec3(source), c = vec3(source);
    const Vec3 d = a + (b - a) * 0.3125 + (c - a) * 0.4375;
    const auto v = volume(exact(a), exact(b), exact(c), exact(d));
    if (v == 0) return;
    ++thin;
    // Of a, b, c seen from the side that d is not on.
    Solid s{{a, b, c, d}, {{0, 1, 2}, {1, 0, 3}, {2, 1, 3}, {0, 2, 3}}};
    EXPECT_EQ(s.kind(), v < 0 ? PolyhedronKind::convex : PolyhedronKind::not_convex);
  });
  EXPECT_GT(thin, 500);
}

// A vertex that no face uses may lie anywhere.
TEST(PolyhedronKind, UnusedVertices) {
  Solid s = box();
  s.vertices.push_back({5, 5, 5});
  EXPECT_EQ(s.kind(), PolyhedronKind::convex);
}

TEST(PolyhedronKind, ExtrudedPentagram) {
  EXPECT_TRUE(locally_convex(extruded(5, 2))) << "the test of neighbours is fooled";
  EXPECT_EQ(extruded(5, 2).kind(1e-12), PolyhedronKind::not_convex);
  EXPECT_EQ(extruded(5, 1).kind(1e-12), PolyhedronKind::convex);
  EXPECT_EQ(extruded(60, 1).kind(1e-12), PolyhedronKind::convex);
  // Its caps closed by fans of triangles around a middle point: now every face is convex, and the middle winds twice.
  Solid s = extruded(5, 2);
  s.faces.resize(5);
  s.vertices.push_back({0, 0, 0});
  s.vertices.push_back({0, 0, 1});
  for (std::uint32_t i = 0; i < 5; ++i) {
    s.faces.push_back({(i + 1) % 5, i, 10});
    s.faces.push_back({5 + i, 5 + (i + 1) % 5, 11});
  }
  EXPECT_TRUE(locally_convex(s));
  EXPECT_EQ(s.kind(1e-12), PolyhedronKind::not_convex);
}

// Every vertex is behind every face, Euler's formula holds (V - E + F = 10 - 24 + 16), and yet the surface covers the octahedron twice.
TEST(PolyhedronKind, CoveredTwice) {
  EXPECT_EQ(bipyramid(4, 1).kind(), PolyhedronKind::convex);
  EXPECT_EQ(bipyramid(4, 2).kind(), PolyhedronKind::not_convex);
}

TEST(PolyhedronKind, Defects) {
  Solid s = box();
  s.faces.pop_back();
  EXPECT_EQ(s.kind(), PolyhedronKind::open);
  s = box();
  std::reverse(s.faces[0].begin(), s.faces[0].end());
  EXPECT_EQ(s.kind(), PolyhedronKind::open); // runs along its neighbours
  s = box();
  for (auto& f : s.faces) std::reverse(f.begin(), f.end());
  EXPECT_EQ(s.kind(), PolyhedronKind::not_convex); // inside out
  s = box();
  s.faces.push_back(s.faces[0]);
  EXPECT_EQ(s.kind(), PolyhedronKind::not_manifold);
  // Three faces, or two, that all run along their common edge the same way.
  s = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 1, 1}}, {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}}};
  EXPECT_EQ(s.kind(), PolyhedronKind::not_manifold);
  s.faces.pop_back();
  EXPECT_EQ(s.kind(), PolyhedronKind::open);
  EXPECT_EQ(join(box(), box()).kind(), PolyhedronKind::disconnected);
  s = join(box(), box()); // two boxes that share corner 7
  for (std::size_t i = 8; i < 16; ++i) s.vertices[i] += Vec3{1, 1, 1};
  for (auto& f : s.faces)
    for (auto& i : f) i = i == 8 ? 7 : i;
  EXPECT_EQ(s.kind(), PolyhedronKind::not_manifold);
  for (const std::uint32_t beyond : {8u, 99u}) { // there are eight vertices
    s = box();
    s.faces[0][0] = beyond;
    EXPECT_EQ(s.kind(), PolyhedronKind::bad_face);
  }
  s = box();
  s.faces[0] = {0, 2, 0, 1};
  EXPECT_EQ(s.kind(), PolyhedronKind::bad_face);
  s.faces[0] = {0, 2};
  EXPECT_EQ(s.kind(), PolyhedronKind::bad_face);
  EXPECT_EQ(Solid{}.kind(), PolyhedronKind::disconnected);
  EXPECT_EQ((Solid{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {2, 1, 0}}}).kind(),
            PolyhedronKind::flat);
}

TEST(PolyhedronKind, HullsByBruteForceAndDents) {
  int dents = 0;
  for_each_seed(40, [&](Source& source) {
    std::vector<Vec3> points;
    for (int i = 0; i < 10; ++i)
      points.push_back({source.uniform(-1, 1), source.uniform(-1, 1), source.uniform(-1, 1)});
    Solid s = brute_hull(points);
    ASSERT_EQ(s.kind(), PolyhedronKind::convex);
    // A corner drawn to the mean of the others leaves the hull's surface bent inward, or it was a corner of degree 3 and the mean is in front.
    const auto i = s.faces[0][0];
    Vec3 mean;
    for (const Vec3& p : points) mean += p / 10;
    s.vertices[i] = lerp(s.vertices[i], mean, 0.9);
    bool behind = true;
    for (const auto& f : s.faces)
      for (const auto& face : s.faces)
        for (const auto v : face)
          behind = behind && volume(exact(s.vertices[f[0]]), exact(s.vertices[f[1]]),
                                    exact(s.vertices[f[2]]), exact(s.vertices[v])) <= 0;
    ASSERT_EQ(s.kind() == PolyhedronKind::convex, behind);
    dents += !behind;
  });
  EXPECT_GT(dents, 20);
}
