#include "carom/mesh/convex_partition.h"

#include "carom/geometry/convexity.h"
#include "tests/mesh/polygon_cases.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::fewer_when_sanitized;
using test::for_each_seed;
using test::Loops;
using test::Source;

std::vector<Vec2> points_of(const Loops& loops, std::span<const std::uint32_t> piece) {
  std::vector<Vec2> points;
  for (const std::uint32_t c : piece) points.push_back(loops.points[c]);
  return points;
}

/// Reflex corners of the loops; the outline goes `way` round, holes the other way.
std::size_t reflex_corners(const Loops& loops) {
  std::size_t count = 0;
  for (std::size_t l = 0; l < loops.count(); ++l) {
    const auto loop = loops.loop(l);
    const int way = (test::doubled_area(loop) > 0) == (l == 0) ? 1 : -1;
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const std::size_t n = loop.size();
      count += orient2d(loop[(i + n - 1) % n], loop[i], loop[(i + 1) % n]) == -way ? 1 : 0;
    }
  }
  return count;
}

/// Convex pieces whose areas add up to that of the triangles; few, and none that could still be joined.
void expect_convex_pieces(const Loops& loops, const PolygonTriangles& cut) {
  const ConvexPieces pieces = join_convex(loops.points, cut.triangles);
  ASSERT_EQ(pieces.piece_begin.back(), pieces.corners.size());
  mpq_class area = 0;
  for (const IndexTriple& t : cut.triangles) area -= test::doubled_area(points_of(loops, t));
  const int way = area < 0 ? 1 : -1;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const std::vector<Vec2> points = points_of(loops, pieces.piece(p));
    const PolygonConvexity c = convexity(points);
    ASSERT_TRUE(c.convex());
    ASSERT_EQ(c.winding, way);
    area += test::doubled_area(points);
  }
  ASSERT_EQ(area, 0);
  ASSERT_LE(pieces.size(), 2 * reflex_corners(loops) + 1);
  // Diagonals left out: each join has two corners less, and one piece less.
  ASSERT_EQ(3 * cut.triangles.size() - pieces.corners.size(),
            2 * (cut.triangles.size() - pieces.size()));
}

TEST(ConvexPartition, SimplePolygons) {
  std::size_t joined = 0;
  for_each_seed(fewer_when_sanitized(1'000), [&](Source& source) {
    const int n = 3 + source.index(14);
    const int grid = source.index(2) ? 0 : 3 + source.index(6);
    Loops loops;
    loops.add(test::random_simple(source, n, grid));
    if (loops.points.empty()) return;
    const PolygonTriangles cut = cut_ears(loops.view());
    expect_convex_pieces(loops, cut);
    joined += join_convex(loops.points, cut.triangles).size() < cut.triangles.size() ? 1 : 0;
  });
  EXPECT_GT(joined, fewer_when_sanitized(500));
}

TEST(ConvexPartition, CellsWithHoles) {
  for_each_seed(fewer_when_sanitized(1'000), [](Source& source) {
    const test::Cells cells = test::random_cells(source, 3 + source.index(5));
    const Loops loops = test::border(cells, source.index(2) == 1, true);
    if (loops.count() > 1 && test::doubled_area(loops.loop(1)) > 0) return; // fallen apart
    const PolygonTriangles cut = cut_ears(loops.view());
    for (const IndexTriple& t : cut.triangles) {
      if (test::doubled_area(points_of(loops, t)) == 0) return; // touching itself
    }
    expect_convex_pieces(loops, cut);
  });
}

TEST(ConvexPartition, AConvexPolygonIsOnePiece) {
  Loops loops;
  loops.add({{0, 0}, {1, 0}, {2, 0}, {3, 1}, {3, 2}, {2, 3}, {0, 3}, {0, 1}});
  const ConvexPieces pieces = join_convex(loops.points, cut_ears(loops.view()).triangles);
  EXPECT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces.corners.size(), 8u);
  // Clockwise too.
  std::reverse(loops.points.begin(), loops.points.end());
  EXPECT_EQ(join_convex(loops.points, cut_ears(loops.view()).triangles).size(), 1u);
  EXPECT_EQ(join_convex(loops.points, {}).size(), 0u);
}

// Triangles of crossing outlines: nothing is promised but that it ends, with all corners in place.
TEST(ConvexPartition, AnythingAtAll) {
  for_each_seed(fewer_when_sanitized(5'000), [](Source& source) {
    Loops loops;
    std::vector<Vec2> loop;
    const int n = source.index(12);
    for (int i = 0; i < n; ++i) loop.push_back(test::vec2(source));
    loops.add(loop);
    const PolygonTriangles cut = cut_ears(loops.view());
    const ConvexPieces pieces = join_convex(loops.points, cut.triangles);
    mpq_class area = 0;
    for (const IndexTriple& t : cut.triangles) area += test::doubled_area(points_of(loops, t));
    for (std::size_t p = 0; p < pieces.size(); ++p) {
      area -= test::doubled_area(points_of(loops, pieces.piece(p)));
    }
    EXPECT_EQ(area, 0);
  });
}

} // namespace
} // namespace carom
