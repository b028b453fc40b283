#include "carom/mesh/piece_merge.h"

#include "carom/geometry/box.h"
#include "carom/geometry/fit_aabb.h"
#include "carom/mesh/cut_search.h"

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace carom {
namespace {

struct Piece {
  ConvexHull hull;
  Aabb box;
  double measure = 0, volume = 0;
  bool gone = false;
  std::vector<std::uint32_t> parts; ///< which of those given
};

struct Pair {
  std::size_t a = 0, b = 0; ///< a < b
  double added = 0;         ///< what their common hull has more than both, in measure
  double volume = 0;        ///< and in volume
};

bool near(const Aabb& a, const Aabb& b) {
  const Vec3 margin = (a.max - a.min + b.max - b.min) * 1e-3;
  for (int k = 0; k < 3; ++k) {
    if (a.min[k] > b.max[k] + margin[k] || b.min[k] > a.max[k] + margin[k]) return false;
  }
  return true;
}

class Merger {
public:
  Merger(std::vector<ConvexHull> hulls, const MergeLimits& limits) : limits_(limits) {
    for (std::uint32_t i = 0; i < hulls.size(); ++i) {
      Piece piece = made_of(std::move(hulls[i]));
      piece.parts = {i};
      pieces_.push_back(std::move(piece));
    }
    left_ = pieces_.size();
    consider_all(true);
  }

  Result<MergedPieces> run() {
    const std::size_t given = pieces_.size();
    while (left_ > 1) {
      const std::optional<std::size_t> best = least(left_ <= limits_.most);
      if (!best) {
        if (left_ <= limits_.most) break;
        consider_all(false);
        if (pairs_.empty()) break;
        continue;
      }
      if (left_ <= limits_.most && !is_free(pairs_[*best])) break;
      if (Result<void> done = merge(pairs_[*best]); !done) return tl::unexpected(done.error());
    }
    MergedPieces out;
    out.of.resize(given);
    for (Piece& piece : pieces_) {
      if (piece.gone) continue;
      for (const std::uint32_t part : piece.parts) {
        out.of[part] = static_cast<std::uint32_t>(out.hulls.size());
      }
      out.hulls.push_back(std::move(piece.hull));
    }
    return out;
  }

private:
  [[nodiscard]] Piece made_of(ConvexHull hull) const {
    Piece piece;
    piece.hull = std::move(hull);
    piece.box = fit_aabb(piece.hull.vertices);
    piece.measure = hull_measure(piece.hull, limits_.padding);
    piece.volume = hull_measure(piece.hull, 0);
    return piece;
  }
  static Result<ConvexHull> common(const Piece& a, const Piece& b) {
    std::vector<Vec3> points = a.hull.vertices;
    points.insert(points.end(), b.hull.vertices.begin(), b.hull.vertices.end());
    return convex_hull(points);
  }
  void consider(std::size_t a, std::size_t b) {
    const Result<ConvexHull> hull = common(pieces_[a], pieces_[b]);
    if (!hull) return;
    const double measure = hull_measure(*hull, limits_.padding);
    const double volume = hull_measure(*hull, 0);
    pairs_.push_back({a, b, measure - pieces_[a].measure - pieces_[b].measure,
                      volume - pieces_[a].volume - pieces_[b].volume});
  }
  void consider_all(bool only_near) {
    for (std::size_t b = 0; b < pieces_.size(); ++b) {
      for (std::size_t a = 0; a < b; ++a) {
        if (pieces_[a].gone || pieces_[b].gone) continue;
        if (!only_near || near(pieces_[a].box, pieces_[b].box)) consider(a, b);
      }
    }
  }
  /// A union that is convex, to within rounding.
  [[nodiscard]] bool is_free(const Pair& pair) const {
    return pair.added <= limits_.free && pair.volume <= limits_.free;
  }
  /// The pair that adds least, of equals the first; or only of those that add nothing.
  [[nodiscard]] std::optional<std::size_t> least(bool only_free) const {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (only_free && !is_free(pairs_[i])) continue;
      if (!best || pairs_[i].added < pairs_[*best].added) best = i;
    }
    return best;
  }
  Result<void> merge(const Pair& pair) {
    const std::size_t a = pair.a;
    const std::size_t b = pair.b;
    Result<ConvexHull> hull = common(pieces_[a], pieces_[b]);
    if (!hull) return tl::unexpected(hull.error());
    Piece piece = made_of(std::move(*hull));
    for (const std::size_t i : {a, b}) {
      pieces_[i].gone = true;
      piece.parts.insert(piece.parts.end(), pieces_[i].parts.begin(), pieces_[i].parts.end());
    }
    pieces_.push_back(std::move(piece));
    --left_;
    std::erase_if(pairs_, [&](const Pair& p) { return pieces_[p.a].gone || pieces_[p.b].gone; });
    const std::size_t last = pieces_.size() - 1;
    for (std::size_t i = 0; i < last; ++i) {
      if (!pieces_[i].gone && near(pieces_[i].box, pieces_[last].box)) consider(i, last);
    }
    return {};
  }

  MergeLimits limits_;
  std::vector<Piece> pieces_;
  std::vector<Pair> pairs_;
  std::size_t left_ = 0;
};

} // namespace

Result<MergedPieces> merge_pieces(std::vector<ConvexHull> hulls, const MergeLimits& limits) {
  return Merger(std::move(hulls), limits).run();
}

} // namespace carom
