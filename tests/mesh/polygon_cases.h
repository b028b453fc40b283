// Polygons for tests of triangulation: simple by construction, touching themselves, with holes, and wild. And the exact oracles for their triangles.
#pragma once

#include "carom/math/predicates.h"
#include "carom/mesh/ear_cutting.h"
#include "tests/support/generate.h"

#include <gmpxx.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace carom::test {

/// Loops that own their points. The first is the outline.
struct Loops {
  std::vector<Vec2> points;
  std::vector<std::uint32_t> loop_begin = {0};

  void add(const std::vector<Vec2>& loop) {
    points.insert(points.end(), loop.begin(), loop.end());
    loop_begin.push_back(static_cast<std::uint32_t>(points.size()));
  }
  [[nodiscard]] std::size_t count() const { return loop_begin.size() - 1; }
  [[nodiscard]] std::span<const Vec2> loop(std::size_t l) const {
    return std::span(points).subspan(loop_begin[l], loop_begin[l + 1] - loop_begin[l]);
  }
  [[nodiscard]] PolygonLoops view() const { return {points, loop_begin}; }
};

/// Twice the signed area, exactly.
inline mpq_class doubled_area(std::span<const Vec2> loop) {
  mpq_class sum = 0;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec2 &a = loop[i], &b = loop[(i + 1) % loop.size()];
    sum += mpq_class(a.x) * mpq_class(b.y) - mpq_class(a.y) * mpq_class(b.x);
  }
  return sum;
}

/// How often the loop winds around p, which lies on none of its edges. Counts crossings of the ray to the right.
inline int winding_number(std::span<const Vec2> loop, const Vec2& p) {
  int winding = 0;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec2 &a = loop[i], &b = loop[(i + 1) % loop.size()];
    if (a.y <= p.y && b.y > p.y && orient2d(a, b, p) > 0) ++winding;
    if (b.y <= p.y && a.y > p.y && orient2d(a, b, p) < 0) --winding;
  }
  return winding;
}
inline bool on_an_edge(std::span<const Vec2> loop, const Vec2& p) {
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec2 &a = loop[i], &b = loop[(i + 1) % loop.size()];
    if (orient2d(a, b, p) == 0) return true;
  }
  return false;
}

/// Cells of a grid, and the loops around them: all corners at integers, mostly straight; loops touch at corners.
struct Cells {
  int size;
  std::vector<bool> in; ///< size * size

  [[nodiscard]] bool has(int x, int y) const {
    return x >= 0 && y >= 0 && x < size && y < size && in[static_cast<std::size_t>(y * size + x)];
  }
};

/// A connected set of cells, grown from the middle, with holes dug into it, by which it may fall apart.
inline Cells random_cells(Source& source, int size) {
  Cells cells{size, std::vector<bool>(static_cast<std::size_t>(size * size))};
  const int middle = size / 2;
  cells.in[static_cast<std::size_t>(middle * size + middle)] = true;
  const int tries = 1 + source.index(size * size * 3);
  for (int i = 0; i < tries; ++i) {
    const int x = source.index(size), y = source.index(size);
    if (cells.has(x - 1, y) || cells.has(x + 1, y) || cells.has(x, y - 1) || cells.has(x, y + 1)) {
      cells.in[static_cast<std::size_t>(y * size + x)] = true;
    }
  }
  // Holes: cells with most of their neighbours, in the order of the grid, so that some come to touch by a corner.
  for (int y = 1; y + 1 < size; ++y) {
    for (int x = 1; x + 1 < size; ++x) {
      const bool inner = cells.has(x - 1, y) && cells.has(x + 1, y) && cells.has(x, y - 1) &&
                         cells.has(x, y + 1) && cells.has(x + 1, y + 1) && cells.has(x + 1, y - 1);
      if (inner && source.index(2)) cells.in[static_cast<std::size_t>(y * size + x)] = false;
    }
  }
  return cells;
}

/// The loops of its border, with the inside on the left. Where two pieces of border meet at a corner, each turns so that cells that only touch there
/// stay apart (left) or together (right).
inline Loops border(const Cells& cells, bool straight_corners, bool turn_left) {
  using Point = std::pair<int, int>;
  std::map<std::pair<Point, Point>, bool> edges; // directed, whether used
  for (int y = 0; y < cells.size; ++y) {
    for (int x = 0; x < cells.size; ++x) {
      if (!cells.has(x, y)) continue;
      if (!cells.has(x, y - 1)) edges[{{x, y}, {x + 1, y}}] = false;
      if (!cells.has(x + 1, y)) edges[{{x + 1, y}, {x + 1, y + 1}}] = false;
      if (!cells.has(x, y + 1)) edges[{{x + 1, y + 1}, {x, y + 1}}] = false;
      if (!cells.has(x - 1, y)) edges[{{x, y + 1}, {x, y}}] = false;
    }
  }
  std::vector<std::vector<Vec2>> loops;
  for (const auto& edge : edges) {
    if (edge.second) continue;
    const std::pair<Point, Point> start = edge.first;
    std::vector<Point> loop;
    Point from = start.first, to = start.second;
    for (;;) {
      edges[{from, to}] = true;
      loop.push_back(from);
      const int dx = to.first - from.first, dy = to.second - from.second;
      const Point left{to.first - dy, to.second + dx}, ahead{to.first + dx, to.second + dy},
          right{to.first + dy, to.second - dx};
      const auto open = [&](const Point& p) {
        const auto e = edges.find({to, p});
        return e != edges.end() && (!e->second || e->first == start);
      };
      const Point next = open(turn_left ? left : right) ? (turn_left ? left : right)
                         : open(ahead)                  ? ahead
                                                        : (turn_left ? right : left);
      from = to;
      to = next;
      if (std::pair(from, to) == start) break;
    }
    std::vector<Vec2> points;
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Point &a = loop[(i + loop.size() - 1) % loop.size()], &b = loop[i],
                  &c = loop[(i + 1) % loop.size()];
      const bool straight =
          b.first - a.first == c.first - b.first && b.second - a.second == c.second - b.second;
      if (straight_corners || !straight) {
        points.push_back({static_cast<double>(b.first), static_cast<double>(b.second)});
      }
    }
    loops.push_back(points);
  }
  // Outlines first: there is one if cells hang together by their sides.
  std::stable_partition(loops.begin(), loops.end(),
                        [](const std::vector<Vec2>& l) { return doubled_area(l) > 0; });
  Loops result;
  for (const std::vector<Vec2>& l : loops) result.add(l);
  return result;
}

/// A simple polygon: random points in a random order, uncrossed. (While two edges meet, what lies between them is turned round, which makes it shorter.)
/// Empty where that takes too long, or points coincide or lie on edges.
inline std::vector<Vec2> random_simple(Source& source, int n, int grid) {
  std::vector<Vec2> p;
  for (int i = 0; i < n; ++i) {
    const double x = grid > 0 ? source.index(grid) : source.uniform(-1, 1);
    const double y = grid > 0 ? source.index(grid) : source.uniform(-1, 1);
    p.push_back({x, y});
  }
  const auto count = p.size();
  const auto edge_meets = [&](std::size_t i, std::size_t j) { // edges i and j, not neighbours
    const Vec2 &a = p[i], &b = p[(i + 1) % count], &c = p[j], &d = p[(j + 1) % count];
    const int abc = orient2d(a, b, c), abd = orient2d(a, b, d), cda = orient2d(c, d, a),
              cdb = orient2d(c, d, b);
    if (abc == 0 && abd == 0) {
      return !(std::max(a.x, b.x) < std::min(c.x, d.x) || std::max(c.x, d.x) < std::min(a.x, b.x) ||
               std::max(a.y, b.y) < std::min(c.y, d.y) || std::max(c.y, d.y) < std::min(a.y, b.y));
    }
    return abc * abd <= 0 && cda * cdb <= 0;
  };
  for (int round = 0; round < 400; ++round) {
    bool crossed = false;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 2; j < count; ++j) {
        if (i == 0 && j == count - 1) continue;
        if (!edge_meets(i, j)) continue;
        std::reverse(p.begin() + static_cast<std::ptrdiff_t>(i + 1),
                     p.begin() + static_cast<std::ptrdiff_t>(j + 1));
        crossed = true;
      }
    }
    if (crossed) continue;
    // Neighbours: no corner turns back on itself.
    for (std::size_t i = 0; i < count; ++i) {
      const Vec2 &a = p[(i + count - 1) % count], &b = p[i], &c = p[(i + 1) % count];
      if (a == b || (orient2d(a, b, c) == 0 && dot(a - b, c - b) > 0)) return {};
    }
    return p;
  }
  return {};
}

/// Why the triangles break the promises made for any polygon; empty where they keep them.
inline std::string broken_promise(const Loops& loops, const PolygonTriangles& result) {
  std::size_t expected = loops.points.size();
  std::size_t filled = 0;
  for (std::size_t l = 0; l < loops.count(); ++l) filled += loops.loop(l).empty() ? 0 : 1;
  if (filled == 0) return result.triangles.empty() ? "" : "triangles of nothing";
  expected += 2 * (filled - 1);
  expected = expected < 2 ? 0 : expected - 2;
  if (result.triangles.size() != expected) return "wrong number of triangles";
  // Directed edges: those of triangles less their opposites are those of the loops.
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  const auto add = [&](std::uint32_t a, std::uint32_t b, int times) {
    if (a < b) edges[{a, b}] += times;
    if (b < a) edges[{b, a}] -= times;
  };
  for (const IndexTriple& t : result.triangles) {
    for (std::size_t k = 0; k < 3; ++k) add(t[k], t[(k + 1) % 3], 1);
  }
  mpq_class area = 0;
  int outline = 0;
  for (std::size_t l = 0; l < loops.count(); ++l) {
    const std::uint32_t begin = loops.loop_begin[l], end = loops.loop_begin[l + 1];
    if (begin == end) continue;
    // The loop's own way round, or the other: whichever the triangles have.
    int times = 0;
    for (std::uint32_t i = begin; i < end && times == 0; ++i) {
      const std::uint32_t j = i + 1 < end ? i + 1 : begin;
      const auto found = edges.find({std::min(i, j), std::max(i, j)});
      if (found != edges.end() && found->second != 0)
        times = i < j ? found->second : -found->second;
    }
    if (end - begin < 3) times = 1;
    if (times != 1 && times != -1) return "an edge of a loop is not there once";
    if (outline == 0) {
      outline = times;
      if (times != 1 && end - begin >= 3) return "triangles go round otherwise than the outline";
    }
    for (std::uint32_t i = begin; i < end; ++i) add(i, i + 1 < end ? i + 1 : begin, -times);
    area += times * doubled_area(loops.loop(l));
  }
  for (const auto& [edge, times] : edges) {
    if (times != 0) return "an edge is not matched";
  }
  for (const IndexTriple& t : result.triangles) {
    const Vec2 corners[] = {loops.points[t[0]], loops.points[t[1]], loops.points[t[2]]};
    area -= doubled_area(corners);
  }
  return area == 0 ? "" : "the areas do not add up";
}

} // namespace carom::test
