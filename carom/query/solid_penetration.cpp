// Cells are cubes, halved along all axes. A cell is covered by a ball around its centre that is in one P - Q. Their centres and sides are whole multiples of powers of two, so nothing of them is rounded.
#include "carom/query/solid_penetration.h"

#include "carom/query/piece_differences.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace carom {
namespace {

/// Above the rounding of a length, or of a sum of a few.
constexpr double hair = 0x1p-40;
/// Relative to the size: so near counts as touching. A hundred times what rounding leaves open.
constexpr double touching = 0x1p-44;

/// A translation, and how it separates.
struct Way {
  Vec3 t;
  double length = INFINITY;
  Separation at;

  [[nodiscard]] bool separates() const { return at.lower > 0; }
};

/// Ways out, and shorter ones: back toward the origin until B touches, then along what it touches.
class Ways {
public:
  explicit Ways(const SolidPair& pair) : pair_(pair), least_(touching * pair.size) {}

  /// Of t, or of t without components that are nothing but rounding.
  [[nodiscard]] Way at(Vec3 t, double relative_error = 0.1) const {
    for (int k = 0; k < 3; ++k)
      if (std::fabs(t[k]) < 0x1p-60 * max_abs(t)) t[k] = 0;
    return {t, length(t), pair_.apart(t, relative_error)};
  }
  /// Beyond all of A along some directions, and back from there: the shortest.
  [[nodiscard]] Way first(const Vec3& hint) const {
    struct Direction {
      Vec3 n;
      double way;
    };
    std::vector<Direction> directions = {{hint, pair_.way_out(hint)}};
    constexpr double sides[] = {-1, 0, 1};
    for (std::size_t k = 0; k < 27; ++k) {
      if (k == 13) continue; // zero
      const Vec3 n = normalized(Vec3{sides[k % 3], sides[k / 3 % 3], sides[k / 9]});
      directions.push_back({n, pair_.way_out(n)});
    }
    std::stable_sort(directions.begin(), directions.end(),
                     [](const Direction& x, const Direction& y) { return x.way < y.way; });
    constexpr std::size_t tried = 4;
    Way best;
    for (std::size_t k = 0; k < tried; ++k) {
      Way way = beyond(directions[k].n, directions[k].way);
      if (way.separates()) shorten(way);
      if (!best.separates() || (way.separates() && way.length < best.length)) best = way;
    }
    return best;
  }
  /// As far back as it goes. Each step is as long as A and B are apart, so nothing is passed over.
  void back(Way& way, int steps, double accept) const {
    if (!(way.length > 0)) return;
    const Vec3 n = way.t * (1 / way.length);
    for (int i = 0; i < steps && way.at.lower > accept * way.length + least_; ++i) {
      const double shorter = way.length - (way.at.lower - least_ / 2);
      if (!(shorter > 0)) break;
      const Way next = at(n * shorter, accept > 0 ? 0.1 : 0);
      if (!next.separates()) break;
      way = next;
    }
  }
  void shorten(Way& way) const {
    for (int i = 0; i < 6; ++i) {
      back(way, 12, 0x1p-6);
      if (!aside(way)) return;
    }
  }

private:
  /// Out along n, as far as said or a little more.
  [[nodiscard]] Way beyond(const Vec3& n, double far) const {
    Way way;
    double more = 16 * least_;
    for (int i = 0; i < 10 && !way.separates(); ++i, more *= 16)
      way = at(n * (std::max(far, 0.0) + more));
    return way;
  }
  /// Along the plane between A and B where they are nearest, to its point nearest to the origin. Whether that is shorter.
  bool aside(Way& way) const {
    const Vec3 foot = way.at.normal * dot(way.at.normal, way.t);
    for (const double part : {1.0, 0.5, 0.25, 0.125}) {
      const Vec3 t = way.t + (foot - way.t) * part;
      if (!(length(t) < way.length * (1 - 0x1p-8))) return false;
      const Way next = at(t);
      if (!next.separates()) continue;
      way = next;
      return true;
    }
    return false;
  }

  const SolidPair& pair_;
  double least_;
};

struct Ball {
  Vec3 center;
  double radius = 0;
};

struct Cell {
  double distance; ///< of its nearest point from the origin
  std::uint32_t id;
  Vec3 center;
  double half;
  std::uint32_t hint;
  Ball covered;

  bool operator<(const Cell& other) const { // the nearest first out of a heap
    return distance != other.distance ? distance > other.distance : id > other.id;
  }
};

Vec3 cube(double half) { return {half, half, half}; }

bool is_covered(const Vec3& center, double half, const Ball& ball) {
  return length(abs(center - ball.center) + cube(half)) * (1 + hair) <= ball.radius;
}

class Search {
public:
  Search(const SolidPair& pair, const SolidPenetrationOptions& options, DepthProof* proof)
      : pair_(pair), options_(options), proof_(proof), differences_(pair.pieces_a, pair.pieces_b),
        ways_(pair) {}

  void run() {
    const PieceDifferences::Depth here = depth({}, INFINITY, 0);
    best_ = ways_.first(here.normal);
    if (!best_.separates()) return;
    lower_ = here.value;
    double half = 1;
    while (half < best_.length) half *= 2;
    while (half / 2 >= best_.length) half /= 2;
    cells_ = {{0, 0, {}, half, here.pair, {}}};
    while (!cells_.empty() && looked_ < options_.most_cells && !near_enough()) {
      std::pop_heap(cells_.begin(), cells_.end());
      const Cell cell = cells_.back();
      cells_.pop_back();
      raise(cell.distance);
      if (near_enough()) return;
      if (cell.half < 0x1p-12 * best_.length) {
        limit_ = std::min(limit_, lower_); // it is given up; a shorter way may be found still
      } else {
        look(cell);
      }
    }
    // The nearest that is left over bounds all that are.
    raise(cells_.empty() ? best_.length : cells_.front().distance);
  }
  [[nodiscard]] double lower() const { return std::min(lower_, best_.length); }
  [[nodiscard]] const Way& best() const { return best_; }
  [[nodiscard]] const Ways& ways() const { return ways_; }
  [[nodiscard]] int looked() const { return looked_; }
  [[nodiscard]] const PieceDifferences& differences() const { return differences_; }

private:
  void raise(double distance) {
    lower_ = std::max(lower_, std::min(distance * (1 - hair), limit_));
  }
  [[nodiscard]] bool near_enough() const {
    return lower_ * options_.ratio >= best_.length || best_.length <= touching * pair_.size;
  }
  PieceDifferences::Depth depth(const Vec3& t, double enough, std::uint32_t hint) {
    const PieceDifferences::Depth found = differences_.depth(t, enough, hint);
    if (proof_ && found.value > 0) {
      proof_->claims.push_back(
          {t, found.value, differences_.piece_a(found.pair), differences_.piece_b(found.pair)});
    }
    return found;
  }
  /// Whether the centre separates; where it does not and no piece says so, pieces that do are looked for.
  void try_center(const Cell& cell, double radius, PieceDifferences::Depth& found) {
    Way way = ways_.at(cell.center);
    if (way.separates()) {
      ways_.shorten(way);
      if (way.length < best_.length) best_ = way;
    } else if (asked_ < options_.most_pairs) {
      ++asked_;
      const auto pair = pair_.inner_pair(cell.center, 1.0625 * radius);
      if (!pair) return;
      differences_.add(pair->a, pair->b);
      found = depth(cell.center, radius * (1 + hair), found.pair);
    }
  }
  void look(const Cell& cell) {
    ++looked_;
    const double radius = length(cube(cell.half));
    PieceDifferences::Depth found = depth(cell.center, radius * (1 + hair), cell.hint);
    if (is_covered(cell.center, cell.half, {cell.center, found.value})) return;
    if (found.value < cell.half / 2 && length(cell.center) < best_.length)
      try_center(cell, radius, found);
    const Ball covered = found.value > 0 ? Ball{cell.center, found.value} : cell.covered;
    const double half = cell.half / 2;
    for (int k = 0; k < 8; ++k) {
      const Vec3 side{k & 1 ? half : -half, k & 2 ? half : -half, k & 4 ? half : -half};
      const Vec3 center = cell.center + side;
      const double distance = length(max(abs(center) - cube(half), Vec3{}));
      if (distance * (1 - hair) >= best_.length) continue;
      if (is_covered(center, half, covered) || is_covered(center, half, cell.covered)) continue;
      cells_.push_back({distance, ++ids_, center, half, found.pair, covered});
      std::push_heap(cells_.begin(), cells_.end());
    }
  }

  const SolidPair& pair_;
  const SolidPenetrationOptions& options_;
  DepthProof* proof_;
  PieceDifferences differences_;
  Ways ways_;
  std::vector<Cell> cells_;
  Way best_;
  double lower_ = 0;
  double limit_ = INFINITY; ///< of the lower bound, by cells that were given up
  int looked_ = 0, asked_ = 0;
  std::uint32_t ids_ = 0;
};

} // namespace

Penetration solid_penetration(const SolidPair& pair, const SolidPenetrationOptions& options,
                              DepthProof* proof) {
  Penetration p;
  if (const Separation here = pair.apart({}, 0.1); here.lower > 0) {
    p.normal = here.normal;
    return p;
  }
  Search search(pair, options, proof);
  search.run();
  Way way = search.best();
  search.ways().back(way, 40, 0);
  p.depth = p.upper_bound = way.length;
  p.lower_bound = std::min(search.lower(), way.length);
  p.normal = way.length > 0 ? way.t * (1 / way.length) : way.at.normal;
  p.on_a = way.at.on_a;
  p.on_b = way.at.on_b - way.t;
  p.status = p.upper_bound - p.lower_bound <= 1e-12 * pair.size ? Status::ok : Status::wide;
  p.iterations = search.looked();
  if (proof) {
    proof->pieces_a = search.differences().pieces_a();
    proof->pieces_b = search.differences().pieces_b();
    proof->bound = p.lower_bound;
  }
  return p;
}

} // namespace carom
