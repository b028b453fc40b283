// What every search for the Hausdorff distance shares: a set A is covered by parts, each with an upper bound of how far its points are from B; the part with the greatest bound is
// taken next and divided, until no part can be much farther from B than the farthest point seen.
//
// The numbers in here are computed as if nothing were rounded. What rounding may have done to each, all in all, is `slack`; it comes in where the search becomes an answer.
#pragma once

#include "carom/query/answer.h"

#include <algorithm>
#include <vector>

namespace carom {

/// How near the bounds should come to each other.
struct HausdorffOptions {
  /// upper_bound - lower_bound should be at most the greater of absolute_error and relative_error * value. Below 1e-12 of the shapes' size it cannot be.
  double absolute_error = 0, relative_error = 0.01;
  /// So many points of a shape may be asked for their distance from the other; then the answer is what is known, and its status `wide`. A point costs about a microsecond for surfaces of
  /// triangles, ten times that and more for solids of several kinds.
  int max_points = 1'000'000;
};

/// The points seen and the bounds of what was put aside: what the answer is made of.
class HausdorffBounds {
public:
  HausdorffBounds(const HausdorffOptions& options, double slack)
      : absolute_(options.absolute_error), relative_(options.relative_error),
        points_left_(options.max_points), slack_(slack) {}

  /// Whether points that may be so far from B have to be looked at. If not, they are put aside, and the bound is kept.
  [[nodiscard]] bool matters(double upper) {
    if (upper > found_ + allowed()) return true;
    put_aside(upper);
    return false;
  }
  /// Points of A that will not be looked at any more, none of them farther from B than this.
  void put_aside(double upper) { put_aside_ = std::max(put_aside_, upper); }
  /// A point of A, its nearest of B, and how far that is: counts as one of the points asked.
  void add(const Vec3& on_a, const Vec3& on_b, double distance) {
    ++iterations_;
    if (!(distance > found_) && seen_) return;
    seen_ = true;
    found_ = distance;
    on_a_ = on_a;
    on_b_ = on_b;
  }
  /// The same for a point that is perhaps none of A.
  void add_other() { ++iterations_; }
  [[nodiscard]] bool has_budget() const { return iterations_ < points_left_; }

  /// rest: the greatest bound of the parts that were not looked at any more, or 0. The points are as they were given.
  [[nodiscard]] OneSidedHausdorff answer(double rest) const {
    OneSidedHausdorff result;
    result.value = found_;
    result.lower_bound = std::max(found_ - slack_, 0.0);
    const double upper = std::max({found_, put_aside_, rest});
    result.upper_bound = upper + slack_;
    result.on_a = on_a_;
    result.on_b = on_b_;
    result.status = upper > found_ + allowed() ? Status::wide : Status::ok;
    result.iterations = iterations_;
    return result;
  }

private:
  /// What the bounds may differ by before slack is added on both sides.
  [[nodiscard]] double allowed() const {
    return std::max(std::max(absolute_, relative_ * found_) - 2 * slack_, 2 * slack_);
  }

  double absolute_, relative_;
  int points_left_;
  double slack_;
  double found_ = 0, put_aside_ = 0;
  bool seen_ = false;
  Vec3 on_a_, on_b_;
  int iterations_ = 0;
};

/// The parts of A that wait, the one with the greatest bound first. Part has `upper`. Of equal ones, that which came first.
template<class Part>
class HausdorffQueue {
public:
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] double greatest() const { return heap_.empty() ? 0 : heap_.front().part.upper; }

  void push(const Part& part) {
    heap_.push_back({part, pushed_++});
    std::push_heap(heap_.begin(), heap_.end(), before);
  }
  [[nodiscard]] Part pop() {
    std::pop_heap(heap_.begin(), heap_.end(), before);
    const Part part = heap_.back().part;
    heap_.pop_back();
    return part;
  }

private:
  struct Waiting {
    Part part;
    std::uint64_t number;
  };
  static bool before(const Waiting& a, const Waiting& b) {
    if (a.part.upper != b.part.upper) return a.part.upper < b.part.upper;
    return a.number > b.number;
  }

  std::vector<Waiting> heap_;
  std::uint64_t pushed_ = 0;
};

} // namespace carom
