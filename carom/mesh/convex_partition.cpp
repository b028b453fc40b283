// A piece is a cycle of half-edges. Leaving out a diagonal, two half-edges, links the cycles on its sides into one; only the corners at its
// two ends change, and each must still turn no further than half a turn. A corner of two pieces that are less than half a turn each is
// convex where the outer two edges turn the right way, or not at all.
//
// Why so few pieces remain: each diagonal kept is needed at one of its ends, which is a reflex corner; and at a reflex corner no more than two are
// needed, since of three in a row the middle one could go.
#include "carom/mesh/convex_partition.h"

#include "carom/math/predicates.h"

#include <algorithm>
#include <numeric>

namespace carom {
namespace {

using Index = std::uint32_t;
constexpr Index none = 0xffffffffu;

/// Half-edge 3 t + k goes from corner k of triangle t to corner k + 1.
class Cycles {
public:
  Cycles(std::span<const Vec2> points, std::span<const IndexTriple> triangles)
      : points_(points), size_(static_cast<Index>(3 * triangles.size())), next_(size_),
        previous_(size_), twin_(size_, none), origin_(size_), piece_(triangles.size()) {
    std::iota(piece_.begin(), piece_.end(), Index{0});
    for (Index h = 0; h < size_; ++h) {
      const Index first = h - h % 3;
      next_[h] = first + (h + 1) % 3;
      previous_[h] = first + (h + 2) % 3;
      origin_[h] = triangles[h / 3][h % 3];
    }
    find_way();
    match();
  }

  void join_all() {
    for (Index h = 0; h < size_; ++h) {
      const Index t = twin_[h];
      if (t >= left_out || t < h || piece(h) == piece(t)) continue;
      if (!proper(h / 3) || !proper(t / 3)) continue;
      if (!convex(previous_[h], next_[t]) || !convex(previous_[t], next_[h])) continue;
      piece_[piece(h)] = piece(t);
      link(previous_[h], next_[t]);
      link(previous_[t], next_[h]);
      twin_[h] = twin_[t] = left_out;
    }
  }

  [[nodiscard]] ConvexPieces pieces() const {
    ConvexPieces result;
    std::vector<bool> done(size_);
    for (Index h = 0; h < size_; ++h) {
      if (done[h] || twin_[h] == left_out) continue;
      for (Index e = h; !done[e]; e = next_[e]) {
        done[e] = true;
        result.corners.push_back(origin_[e]);
      }
      result.piece_begin.push_back(static_cast<Index>(result.corners.size()));
    }
    return result;
  }

private:
  static constexpr Index left_out = none - 1; ///< in place of the twin, as is none

  [[nodiscard]] const Vec2& from(Index h) const { return points_[origin_[h]]; }
  [[nodiscard]] int turn(Index triangle) const {
    const Index h = 3 * triangle;
    return orient2d(points_[origin_[h]], points_[origin_[h + 1]], points_[origin_[h + 2]]);
  }
  [[nodiscard]] bool proper(Index triangle) const { return turn(triangle) == way_; }

  /// 1 where more triangles are counter-clockwise than clockwise, else -1.
  void find_way() {
    std::int64_t sum = 0;
    for (Index t = 0; t < size_ / 3; ++t) sum += turn(t);
    way_ = sum >= 0 ? 1 : -1;
  }

  /// Pairs of opposite half-edges. Where points coincide, or loops cross, an edge may be there more than once: the first with the first.
  void match() {
    struct Edge {
      Index low, high, half_edge;
    };
    std::vector<Edge> up, down;
    for (Index h = 0; h < size_; ++h) {
      const Index a = origin_[h], b = origin_[next_[h]];
      if (a < b) up.push_back({a, b, h});
      if (b < a) down.push_back({b, a, h});
    }
    const auto less = [](const Edge& a, const Edge& b) {
      return a.low != b.low     ? a.low < b.low
             : a.high != b.high ? a.high < b.high
                                : a.half_edge < b.half_edge;
    };
    std::sort(up.begin(), up.end(), less);
    std::sort(down.begin(), down.end(), less);
    for (std::size_t i = 0, j = 0; i < up.size() && j < down.size();) {
      if (up[i].low == down[j].low && up[i].high == down[j].high) {
        twin_[up[i].half_edge] = down[j].half_edge;
        twin_[down[j].half_edge] = up[i].half_edge;
        ++i;
        ++j;
      } else if (std::pair(up[i].low, up[i].high) < std::pair(down[j].low, down[j].high)) {
        ++i;
      } else {
        ++j;
      }
    }
  }

  /// Whether `in`, which ends where `out` begins, may be followed by it.
  [[nodiscard]] bool convex(Index in, Index out) const {
    return orient2d(from(in), from(out), from(next_[out])) * way_ >= 0;
  }
  void link(Index in, Index out) {
    next_[in] = out;
    previous_[out] = in;
  }
  /// The triangle that stands for the piece with half-edge h.
  [[nodiscard]] Index piece(Index h) {
    Index p = h / 3;
    while (piece_[p] != p) p = piece_[p] = piece_[piece_[p]];
    return p;
  }

  std::span<const Vec2> points_;
  Index size_;
  std::vector<Index> next_, previous_, twin_, origin_, piece_;
  int way_ = 1;
};

} // namespace

ConvexPieces join_convex(std::span<const Vec2> points, std::span<const IndexTriple> triangles) {
  Cycles cycles(points, triangles);
  cycles.join_all();
  return cycles.pieces();
}

} // namespace carom
