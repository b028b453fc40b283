#include "carom/mesh/ear_cutting.h"

#include "tests/mesh/polygon_cases.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::fewer_when_sanitized;
using test::for_each_seed;
using test::Loops;
using test::Source;

int turn(const Loops& loops, const IndexTriple& t) {
  return orient2d(loops.points[t[0]], loops.points[t[1]], loops.points[t[2]]);
}
std::size_t turned_over(const Loops& loops, const PolygonTriangles& result, int way) {
  return static_cast<std::size_t>(
      std::count_if(result.triangles.begin(), result.triangles.end(),
                    [&](const IndexTriple& t) { return turn(loops, t) == -way; }));
}
std::size_t degenerate(const Loops& loops, const PolygonTriangles& result) {
  return static_cast<std::size_t>(
      std::count_if(result.triangles.begin(), result.triangles.end(),
                    [&](const IndexTriple& t) { return turn(loops, t) == 0; }));
}

/// All triangles strictly the same way round, and all promises kept: with exact areas that add up, they cannot overlap.
void expect_perfect(const Loops& loops, int way) {
  const PolygonTriangles result = cut_ears(loops.view());
  EXPECT_EQ(test::broken_promise(loops, result), "");
  EXPECT_EQ(result.forced, 0u);
  EXPECT_EQ(turned_over(loops, result, way), 0u);
  EXPECT_EQ(degenerate(loops, result), 0u);
}

TEST(EarCutting, SimplePolygonsArePerfect) {
  std::size_t tried = 0;
  for_each_seed(fewer_when_sanitized(1'200), [&](Source& source) {
    const int n = 3 + source.index(14);
    const int grid = source.index(2) ? 0 : 3 + source.index(6);
    std::vector<Vec2> p = test::random_simple(source, n, grid);
    if (p.empty()) return;
    ++tried;
    const double scale = test::scale(source);
    for (Vec2& v : p) v = v * scale;
    Loops loops;
    loops.add(p);
    expect_perfect(loops, test::doubled_area(p) > 0 ? 1 : -1);
  });
  EXPECT_GT(tried, fewer_when_sanitized(700));
}

TEST(EarCutting, LargeSimplePolygonsArePerfect) {
  for_each_seed(fewer_when_sanitized(20), [](Source& source) {
    const std::vector<Vec2> p = test::random_simple(source, 150, 0);
    if (p.empty()) return;
    Loops loops;
    loops.add(p);
    expect_perfect(loops, test::doubled_area(p) > 0 ? 1 : -1);
  });
}

/// Every point inside is covered once, every point outside by none.
void expect_cover(const Loops& loops, const PolygonTriangles& result, const test::Cells& cells) {
  for (int y = -1; y <= cells.size; ++y) {
    for (int x = -1; x <= cells.size; ++x) {
      const Vec2 p{x + 0.3125,
                   y + 0.4140625}; // on no line through two integer points that are near
      int covered = 0;
      for (const IndexTriple& t : result.triangles) {
        const Vec2 corners[] = {loops.points[t[0]], loops.points[t[1]], loops.points[t[2]]};
        covered += test::winding_number(corners, p);
      }
      EXPECT_EQ(covered, cells.has(x, y) ? 1 : 0) << x << ' ' << y;
    }
  }
}

// Holes, straight corners, holes that touch each other and the outline at corners.
TEST(EarCutting, BordersOfCells) {
  std::size_t touching = 0, with_holes = 0;
  for_each_seed(fewer_when_sanitized(3'000), [&](Source& source) {
    const test::Cells cells = test::random_cells(source, 3 + source.index(6));
    const bool straight = source.index(2) == 1, left = source.index(2) == 1;
    const Loops loops = test::border(cells, straight, left);
    if (loops.count() > 1 && test::doubled_area(loops.loop(1)) > 0) return; // fallen apart
    const PolygonTriangles result = cut_ears(loops.view());
    ASSERT_EQ(test::broken_promise(loops, result), "");
    ASSERT_EQ(turned_over(loops, result, 1), 0u);
    ASSERT_EQ(result.forced, 0u);
    std::vector<Vec2> sorted = loops.points;
    std::sort(sorted.begin(), sorted.end(),
              [](const Vec2& a, const Vec2& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
    const bool touches = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
    touching += touches ? 1 : 0;
    with_holes += loops.count() > 1 ? 1 : 0;
    if (!touches) {
      EXPECT_EQ(degenerate(loops, result), 0u);
    }
    expect_cover(loops, result, cells);
  });
  EXPECT_GT(touching, fewer_when_sanitized(100));
  EXPECT_GT(with_holes, fewer_when_sanitized(300));
}

// Wild: crossing, coincident, collinear points; holes anywhere. It ends, and keeps the promises.
TEST(EarCutting, AnythingAtAll) {
  for_each_seed(fewer_when_sanitized(20'000), [](Source& source) {
    Loops loops;
    const int count = source.chance(3) ? 1 + source.index(4) : 1;
    for (int l = 0; l < count; ++l) {
      const int n = source.index(l == 0 ? 12 : 6);
      std::vector<Vec2> loop;
      for (int i = 0; i < n; ++i) loop.push_back(test::vec2(source));
      loops.add(loop);
    }
    const PolygonTriangles result = cut_ears(loops.view());
    if (loops.count() == 1) {
      ASSERT_EQ(test::broken_promise(loops, result), "");
      const Vec2 p = test::vec2(source) + Vec2{0.0078125, 0.00390625};
      if (loops.points.size() < 3 || test::on_an_edge(loops.points, p)) return;
      int covered = 0;
      for (const IndexTriple& t : result.triangles) {
        const Vec2 corners[] = {loops.points[t[0]], loops.points[t[1]], loops.points[t[2]]};
        covered += std::abs(test::winding_number(corners, p));
      }
      const int winding = test::winding_number(loops.points, p);
      ASSERT_GE(covered, std::abs(winding));
    } else {
      std::size_t filled = 0;
      for (std::size_t l = 0; l < loops.count(); ++l) filled += loops.loop(l).empty() ? 0 : 1;
      const std::size_t corners = loops.points.size() + (filled > 0 ? 2 * (filled - 1) : 0);
      ASSERT_EQ(result.triangles.size(), corners < 2 ? 0 : corners - 2);
    }
  });
}

TEST(EarCutting, NamedCases) {
  const auto triangles = [](const std::vector<Vec2>& p) { return cut_ears(p); };
  EXPECT_EQ(triangles({}).triangles.size(), 0u);
  EXPECT_EQ(triangles({{0, 0}}).triangles.size(), 0u);
  EXPECT_EQ(triangles({{0, 0}, {1, 0}}).triangles.size(), 0u);
  EXPECT_EQ(triangles({{0, 0}, {1, 0}, {0, 1}}).triangles, (std::vector<IndexTriple>{{2, 0, 1}}));
  // Clockwise in, clockwise out.
  const std::vector<Vec2> clockwise = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
  Loops square;
  square.add(clockwise);
  EXPECT_EQ(turned_over(square, triangles(clockwise), -1), 0u);
  // A bowtie: both lobes are covered, one of them by a triangle turned over.
  const PolygonTriangles bowtie = triangles({{0, 0}, {2, 2}, {2, 0}, {0, 2}});
  EXPECT_EQ(bowtie.triangles.size(), 2u);
  EXPECT_GT(bowtie.forced, 0u);
  // All collinear, all coincident.
  EXPECT_EQ(triangles({{0, 0}, {1, 0}, {2, 0}, {3, 0}}).triangles.size(), 2u);
  EXPECT_EQ(triangles({{1, 1}, {1, 1}, {1, 1}, {1, 1}}).forced, 0u);
  // Not numbers: it ends.
  EXPECT_EQ(triangles({{NAN, 0}, {1, NAN}, {0, 1}, {INFINITY, 3}, {1, 1}}).triangles.size(), 3u);
}

// A hole that is a point, one that is a segment, and one that touches the outline with a corner on an edge.
TEST(EarCutting, DegenerateHoles) {
  Loops loops;
  loops.add({{0, 0}, {8, 0}, {8, 8}, {0, 8}});
  loops.add({{2, 2}});
  loops.add({{5, 2}, {6, 3}});
  loops.add({{4, 8}, {5, 6}, {3, 6}});
  const PolygonTriangles result = cut_ears(loops.view());
  EXPECT_EQ(test::broken_promise(loops, result), "");
  EXPECT_EQ(result.forced, 0u);
  EXPECT_EQ(turned_over(loops, result, 1), 0u);
}

// A bridge of no length joins two holes at a common point; the third hole's bridge must know on which side of it to end.
TEST(EarCutting, BridgesOfNoLength) {
  Loops loops;
  loops.add({{0, 0}, {13, 0}, {16.25, 13}, {3.25, 13}});
  loops.add({{5.375, 1.5}, {5, 2}, {4.375, 1.5}});
  loops.add({{6.625, 2.5}, {5.25, 3}, {3.625, 2.5}});
  loops.add({{3.625, 2.5}, {3, 4}, {1.625, 2.5}});
  const PolygonTriangles result = cut_ears(loops.view());
  EXPECT_EQ(test::broken_promise(loops, result), "");
  EXPECT_EQ(result.forced, 0u);
  EXPECT_EQ(turned_over(loops, result, 1), 0u);
}

// Diamonds in boxes of a grid that do not overlap: they touch each other and the outline, corner to corner and corner to edge, and fence parts in.
TEST(EarCutting, HolesThatTouchAtPoints) {
  for_each_seed(fewer_when_sanitized(1'500), [](Source& source) {
    const int size = 6 + source.index(10);
    const double n = size, slant = source.index(2) ? 0.25 : 0, slope = source.index(2);
    const auto at = [&](double x, double y) { return Vec2{x + slant * y, y - slope * x}; };
    Loops loops;
    loops.add({at(0, 0), at(n, 0), at(n, n), at(0, n)});
    std::vector<bool> taken(static_cast<std::size_t>(size * size));
    for (int tries = source.index(20); tries > 0; --tries) {
      const int x = source.index(size), y = source.index(size);
      const int w = std::min(1 + source.index(3), size - x),
                h = std::min(1 + source.index(3), size - y);
      bool free = true;
      for (int i = 0; i < w * h; ++i) {
        free = free && !taken[static_cast<std::size_t>((y + i / w) * size + x + i % w)];
      }
      if (!free) continue;
      for (int i = 0; i < w * h; ++i) {
        taken[static_cast<std::size_t>((y + i / w) * size + x + i % w)] = true;
      }
      loops.add(
          {at(x + w / 2.0, y), at(x + w, y + h / 2.0), at(x + w / 2.0, y + h), at(x, y + h / 2.0)});
    }
    const PolygonTriangles result = cut_ears(loops.view());
    ASSERT_EQ(test::broken_promise(loops, result), "");
    ASSERT_EQ(result.forced, 0u);
    ASSERT_EQ(turned_over(loops, result, 1), 0u);
  });
}

TEST(EarCutting, ManyHoles) {
  Loops loops;
  loops.add({{0, 0}, {80, 0}, {80, 80}, {0, 80}});
  for (int y = 0; y < 10; ++y) {
    for (int x = 0; x < 10; ++x) {
      const double cx = 4 + 8 * x, cy = 4 + 8 * y;
      loops.add({{cx - 2, cy}, {cx, cy - 2}, {cx + 2, cy}, {cx, cy + 2}});
    }
  }
  expect_perfect(loops, 1);
}

// A spiral and a comb, each of thousands of corners: quadratic time, not cubic.
TEST(EarCutting, LongOutlines) {
  Loops comb;
  std::vector<Vec2> p;
  const int teeth = static_cast<int>(fewer_when_sanitized(1'000));
  for (int i = 0; i < teeth; ++i) {
    p.push_back({2.0 * i, 0});
    p.push_back({2.0 * i + 1, 100.0 + i % 7});
  }
  p.push_back({2.0 * teeth, 0});
  p.push_back({2.0 * teeth, 200});
  p.push_back({0, 200});
  comb.add(p);
  expect_perfect(comb, 1);
}

} // namespace
} // namespace carom
