// Cells are cubes, halved along all axes; a cell is covered by the ball around its centre that is in one P - Q: its radius is the depth of P and Q there, which the convex query proves.
#include "carom/query/solid_penetration.h"

#include "carom/math/tolerance.h"
#include "carom/query/signed_distance.h"
#include "carom/shape/support.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace carom {
namespace {

Pose moved(const Pose& pose, const Vec3& t) { return {pose.rotation, pose.position + t}; }

/// All P - Q.
class Differences {
public:
  Differences(const SolidOperand& a, const SolidOperand& b) : a_(a), b_(b) {
    const Frame fa = a.pose.frame();
    const Frame fb = b.pose.frame();
    std::vector<Aabb> boxes_b;
    for (const Shape& q : b.pieces) boxes_b.push_back(bounds(q, b.pose));
    for (std::uint32_t i = 0; i < a.pieces.size(); ++i) {
      const Aabb box = bounds(a.pieces[i], a.pose);
      const Sphere& inner = a.pieces[i].inner_ball();
      for (std::uint32_t j = 0; j < b.pieces.size(); ++j) {
        const Sphere& other = b.pieces[j].inner_ball();
        pairs_.push_back({i, j, {box.min - boxes_b[j].max, box.max - boxes_b[j].min},
                          fa.to_world(inner.center) - fb.to_world(other.center),
                          inner.radius + other.radius + a.pieces[i].rounding() + b.pieces[j].rounding()});
      }
    }
  }

  struct Depth {
    double value = 0; ///< the ball of this radius is in the interior of one P - Q, or its border
    std::uint32_t pair = 0;
    Vec3 normal{1, 0, 0};
  };
  /// The greatest ball around t in one P - Q that a few tries find; `enough` is large enough. `hint` is tried first.
  Depth depth(const Vec3& t, double enough, std::uint32_t hint) {
    Depth best{0, hint, {}};
    if (hint < pairs_.size()) measure(t, hint, best);
    open_.clear();
    for (std::uint32_t k = 0; k < pairs_.size() && best.value < enough; ++k) {
      const Vec3 in = min(t - pairs_[k].box.min, pairs_[k].box.max - t);
      const double most = std::min({in.x, in.y, in.z});
      if (k == hint || !(most > best.value)) continue;
      if ((pairs_[k].a & ball) != 0) {
        measure(t, k, best);
      } else {
        // Between what the balls inside are sure to give, and what the boxes allow.
        const double least = pairs_[k].radius - length(t - pairs_[k].center);
        open_.push_back({least + most, most, k});
      }
    }
    std::sort(open_.begin(), open_.end(), [](const Candidate& x, const Candidate& y) {
      return x.worth != y.worth ? x.worth > y.worth : x.pair < y.pair;
    });
    int tries = 12;
    for (const Candidate& c : open_) {
      if (best.value >= enough || tries == 0) break;
      if (!(c.most > best.value)) continue;
      measure(t, c.pair, best);
      --tries;
    }
    return best;
  }
  /// Two more sets, which meet each other and the pieces there were at first.
  void add(const BallPair& balls) {
    balls_.push_back(balls);
    const auto k = static_cast<std::uint32_t>(balls_.size() - 1);
    const auto box = [](const Sphere& s) {
      const Vec3 r{s.radius, s.radius, s.radius};
      return Aabb{s.center - r, s.center + r};
    };
    const auto add_pair = [&](std::uint32_t i, std::uint32_t j, const Sphere& x, const Sphere& y) {
      const Aabb bx = box(x);
      const Aabb by = box(y);
      pairs_.push_back({i, j, {bx.min - by.max, bx.max - by.min}, x.center - y.center, x.radius + y.radius});
    };
    for (std::uint32_t i = 0; i < balls_.size(); ++i) {
      add_pair(ball | i, ball | k, balls_[i].a, balls.b);
      if (i != k) add_pair(ball | k, ball | i, balls.a, balls_[i].b);
    }
  }
  int queries = 0;

private:
  static constexpr std::uint32_t ball = 0x80000000U; ///< in the number of a piece: it is a ball
  struct Pair {
    std::uint32_t a, b;
    Aabb box;
    Vec3 center;
    double radius; ///< a ball inside
  };
  struct Candidate {
    double worth, most;
    std::uint32_t pair;
  };
  void measure(const Vec3& t, std::uint32_t k, Depth& best) {
    const Pair& pair = pairs_[k];
    if ((pair.a & ball) != 0) {
      const double depth = (pair.radius - length(t - pair.center)) - 16 * tolerance::epsilon * (pair.radius + length(pair.center) + length(t));
      if (depth > best.value) best = {depth, k, {}};
      return;
    }
    const SignedDistance s = signed_distance(a_.pieces[pair.a], a_.pose, b_.pieces[pair.b],
                                             moved(b_.pose, t), {.limit = 0});
    ++queries;
    if (s.status == Status::bad_input || !(-s.upper_bound > best.value)) return;
    best = {-s.upper_bound, k, s.normal};
  }

  const SolidOperand& a_;
  const SolidOperand& b_;
  std::vector<Pair> pairs_;
  std::vector<Candidate> open_;
  std::vector<BallPair> balls_;
};

/// A translation that separates.
struct Way {
  Vec3 t;
  double length = INFINITY;
  Separation at;
};

/// Shortens a way: back toward the origin until B touches, then along what it touches.
class Shortener {
public:
  Shortener(const SeparationAt& apart, double least) : apart_(apart), least_(least) {}

  /// As far back as it goes. Each step is as long as A and B are apart, so nothing is passed over.
  void back(Way& way, int steps, double accept) {
    const Vec3 n = way.t * (1 / way.length);
    for (int i = 0; i < steps && way.at.lower > accept * way.length + least_; ++i) {
      const double length = way.length - (way.at.lower - least_ / 2);
      if (!(length > 0)) break;
      const Way next = at(n * length, accept > 0 ? 0.1 : 0);
      if (!(next.at.lower > 0)) break;
      way = next;
    }
  }
  /// Along the plane between A and B where they are nearest, to its point nearest to the origin. Whether that is shorter.
  bool aside(Way& way) {
    const Vec3 foot = way.at.normal * dot(way.at.normal, way.t);
    for (const double part : {1.0, 0.5, 0.25, 0.125}) {
      Vec3 t = way.t + (foot - way.t) * part;
      if (!(length(t) < way.length * (1 - 0x1p-8))) return false;
      const Way next = at(t, 0.1);
      if (next.at.lower > 0) {
        way = next;
        return true;
      }
    }
    return false;
  }
  void shorten(Way& way) {
    for (int i = 0; i < 6; ++i) {
      back(way, 12, 0x1p-6);
      if (!aside(way)) return;
    }
  }
  Way at(const Vec3& t, double relative_error) {
    ++calls;
    return {t, length(t), apart_(t, relative_error)};
  }
  int calls = 0;

private:
  const SeparationAt& apart_;
  double least_; ///< so near counts as touching
};

struct Cell {
  double distance; ///< of its nearest point from the origin
  std::uint32_t id;
  Vec3 center;
  double half;
  std::uint32_t hint;
  Vec3 ball;         ///< covered: around this point,
  double radius = 0; ///< so far

  bool operator<(const Cell& other) const { // the nearest first out of a heap
    return distance != other.distance ? distance > other.distance : id > other.id;
  }
};

double nearest_of(const Vec3& center, double half) {
  const Vec3 c = abs(center);
  return length(max(c - Vec3{half, half, half}, Vec3{}));
}
/// How far a point of the cube is from p, at most.
double farthest_from(const Vec3& p, const Vec3& center, double half) {
  return length(abs(center - p) + Vec3{half, half, half});
}

class Search {
public:
  Search(const SolidOperand& a, const SolidOperand& b, const SeparationAt& apart, const BallsAt& balls,
         const SolidPenetrationOptions& options, double size)
      : options_(options), balls_(balls), differences_(a, b), shortener_(apart, 0x1p-44 * size) {}

  void run(const Way& first) {
    best_ = first;
    cells_ = {{0, 0, {}, best_.length, 0, {}, 0}};
    while (!cells_.empty() && looked_ < options_.most_cells) {
      std::pop_heap(cells_.begin(), cells_.end());
      const Cell cell = cells_.back();
      cells_.pop_back();
      lower_ = std::max(lower_, cell.distance);
      if (lower_ * options_.ratio >= best_.length) return;
      if (cell.half < 0x1p-12 * best_.length) return;
      look(cell);
    }
    lower_ = cells_.empty() ? best_.length : std::max(lower_, cells_.front().distance);
  }
  [[nodiscard]] double lower() const { return std::min(lower_, best_.length); }
  [[nodiscard]] const Way& best() const { return best_; }
  [[nodiscard]] int iterations() const { return differences_.queries; }
  [[nodiscard]] int looked() const { return looked_; }
  Shortener& shortener() { return shortener_; }
  Way& best() { return best_; }

private:
  void look(const Cell& cell) {
    ++looked_;
    const double radius = cell.half * 1.7320508075688774;
    Differences::Depth depth = differences_.depth(cell.center, radius * (1 + 0x1p-40), cell.hint);
    if (depth.value > radius) return;
    if (depth.value < cell.half / 2 && length(cell.center) < best_.length) {
      Way way = shortener_.at(cell.center, 0.1);
      if (way.at.lower > 0 && way.length > 0) {
        shortener_.shorten(way);
        if (way.length < best_.length) best_ = way;
      } else if (balls_ && asked_ < options_.most_balls) {
        ++asked_;
        if (const auto pair = balls_(cell.center, 1.0625 * radius)) {
          differences_.add(*pair);
          depth = differences_.depth(cell.center, radius * (1 + 0x1p-40), cell.hint);
        }
      }
    }
    const bool better = depth.value > 0;
    for (int k = 0; k < 8; ++k) {
      const double h = cell.half / 2;
      const Vec3 center = cell.center + Vec3{k & 1 ? h : -h, k & 2 ? h : -h, k & 4 ? h : -h};
      const Cell child{nearest_of(center, h), ++ids_, center, h, depth.pair,
                       better ? cell.center : cell.ball, better ? depth.value : cell.radius};
      if (child.distance >= best_.length) continue;
      if (farthest_from(child.ball, center, h) < child.radius * (1 - 0x1p-40)) continue;
      if (farthest_from(cell.ball, center, h) < cell.radius * (1 - 0x1p-40)) continue;
      cells_.push_back(child);
      std::push_heap(cells_.begin(), cells_.end());
    }
  }

  const SolidPenetrationOptions& options_;
  const BallsAt& balls_;
  Differences differences_;
  Shortener shortener_;
  std::vector<Cell> cells_;
  Way best_;
  double lower_ = 0;
  int looked_ = 0, asked_ = 0;
  std::uint32_t ids_ = 0;
};

} // namespace

Penetration solid_penetration(const SolidOperand& a, const SolidOperand& b,
                              const SeparationAt& apart, const BallsAt& balls,
                              const SolidPenetrationOptions& options) {
  Penetration p;
  const double size = a.hull.size() + b.hull.size() + length(a.pose.position) + length(b.pose.position);
  const SignedDistance hulls = signed_distance(a.hull, a.pose, b.hull, b.pose, {.limit = 0});
  p.normal = hulls.normal;
  p.status = hulls.status;
  if (hulls.status == Status::bad_input || hulls.lower_bound >= 0) return p;
  Search search(a, b, apart, balls, options, size);
  const Way here = search.shortener().at({}, 0.1);
  if (here.at.lower > 0) {
    p.normal = here.at.normal;
    p.status = Status::ok;
    return p;
  }
  const double out = -hulls.lower_bound + 0x1p-40 * size;
  Way first = search.shortener().at(hulls.normal * out, 0.1);
  search.shortener().shorten(first);
  search.run(first);
  Way way = search.best();
  search.shortener().back(way, 40, 0);
  p.depth = p.upper_bound = way.length;
  p.lower_bound = search.lower();
  p.normal = way.t * (1 / way.length);
  p.on_a = way.at.on_a;
  p.on_b = way.at.on_b - way.t;
  p.status = Status::wide;
  p.iterations = search.looked();
  return p;
}

} // namespace carom
