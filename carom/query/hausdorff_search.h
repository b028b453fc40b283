// What every search for the Hausdorff distance shares. Internal.
//
// A is covered by parts, each with an upper bound of how far its points are from B. The part with the greatest bound is taken next and divided, until no part can be much farther
// from B than the farthest point seen.
//
// Distances here are as they were computed. What rounding may have done to them, all in all, is `slack`: it comes in where the search becomes an answer.
#pragma once

#include "carom/geometry/box.h"
#include "carom/query/hausdorff.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// The farthest point seen, and the bounds of what was put aside: what the answer is made of.
class HausdorffBounds {
public:
  HausdorffBounds(const HausdorffOptions& options, double slack)
      : absolute_(options.absolute_error), relative_(options.relative_error),
        most_points_(options.max_points), slack_(slack) {}

  /// Whether points that may be so far from B have to be looked at. If not, they are put aside.
  [[nodiscard]] bool matters(double upper) {
    if (upper > found_ + allowed()) return true;
    put_aside(upper);
    return false;
  }
  /// Points of A that will not be looked at any more, none of them farther from B than this.
  void put_aside(double upper) { put_aside_ = std::max(put_aside_, upper); }

  /// A point of A was asked for its distance, which is not less than `lower`. points() gives it and its nearest point of B, in the world: called where it is the farthest so far.
  template<class Points>
  void add(double lower, Points&& points) {
    ++iterations_;
    if (seen_ && !(lower > found_)) return;
    seen_ = true;
    found_ = std::max(lower, 0.0);
    std::tie(on_a_, on_b_) = std::pair<Vec3, Vec3>(points());
  }
  /// Another point was asked, which is perhaps none of A.
  void add_other() { ++iterations_; }
  void add_others(int count) { iterations_ += count; }
  [[nodiscard]] bool has_budget() const { return iterations_ < most_points_; }
  [[nodiscard]] int budget() const { return std::max(most_points_ - iterations_, 0); }

  [[nodiscard]] double found() const { return found_; }
  [[nodiscard]] double slack() const { return slack_; }
  /// What the bounds may differ by before slack is added on both sides.
  [[nodiscard]] double allowed() const {
    const double asked = std::max(absolute_, relative_ * found_);
    return std::max(asked * (1 - 0x1p-40) - 2 * slack_, 2 * slack_);
  }

  [[nodiscard]] OneSidedHausdorff answer() const {
    OneSidedHausdorff result;
    const double upper = std::max(found_, put_aside_);
    result.value = found_;
    result.lower_bound = std::max(found_ - slack_, 0.0);
    result.upper_bound = upper + slack_;
    result.on_a = on_a_;
    result.on_b = on_b_;
    result.status = upper <= found_ + allowed() ? Status::ok : Status::wide;
    result.iterations = iterations_;
    return result;
  }

private:
  double absolute_, relative_;
  int most_points_;
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
  void push(const Part& part) {
    heap_.push_back({part, pushed_++});
    std::push_heap(heap_.begin(), heap_.end(), before);
  }

  /// Takes part after part and calls divide(part), which pushes what is left of it; until none matters, or the budget is spent. What is left then is put aside.
  template<class Divide>
  void run(HausdorffBounds& bounds, Divide&& divide) {
    while (!heap_.empty() && bounds.matters(heap_.front().part.upper)) {
      if (!bounds.has_budget()) return bounds.put_aside(heap_.front().part.upper);
      std::pop_heap(heap_.begin(), heap_.end(), before);
      const Part part = heap_.back().part;
      heap_.pop_back();
      divide(part);
    }
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

/// A box along the axes of A, whose points of A are searched.
struct HausdorffCell {
  double upper;
  Vec3 center, half;
};

/// Searches the box: add(cell) looks at a cell, and pushes it into the queue where it still matters. Cells are halved along their longest sides.
template<class Add>
void search_cells(HausdorffQueue<HausdorffCell>& queue, HausdorffBounds& bounds, const Aabb& box,
                  Add&& add) {
  add(HausdorffCell{INFINITY, box.center(), box.half()});
  queue.run(bounds, [&](const HausdorffCell& cell) {
    const int axis = largest_axis(cell.half);
    HausdorffCell half = cell;
    half.half[axis] *= 0.5;
    half.center[axis] = cell.center[axis] - half.half[axis];
    add(half);
    half.center[axis] = cell.center[axis] + half.half[axis];
    add(half);
  });
}

} // namespace carom
