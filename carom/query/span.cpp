// The farthest points of A and B differ by the point of A - B that is farthest from the origin.
//
// It is a corner of A - B, or on a curved part of it. Each core is the hull of parts (ball_sums.h): corners, rims, balls, ellipsoids. The farthest points lie in one part of each, so pairs of
// parts are searched. Pairs of whole groups are left out where the distance of the groups' centres and both their extents come to no more than what is known already. Two corners need no
// search, for the rest see farthest_in_sum.cpp.
//
// A user's own support function has no parts. There, and for sums of very many, only the support function of A - B is used, over triangles of directions (direction_cells.h). With p the farthest point along one
// of the corners v_i of the triangle, and n = sum of w_i v_i, convexity says h(n) <= p . n + sum of w_i rise_i, rise_i = h(v_i) - p . v_i: a bound that errs by the square of the triangle's width, and not at all
// where one corner of A - B is farthest along all three.
//
// Both start from directions that were improved by going to and fro: the farthest point along n lies along a direction that is no worse.
#include "carom/query/span.h"

#include "carom/query/ball_sums.h"
#include "carom/query/composite_queries.h"
#include "carom/query/core_pair.h"
#include "carom/query/direction_cells.h"
#include "carom/query/farthest_in_sum.h"
#include "carom/query/rounded.h"

#include <algorithm>
#include <numeric>

namespace carom {
namespace {

/// Of the promise of 1e-10 of the size. The bounds of polytopes agree to within rounding.
constexpr double accepted = 1e-11;
/// Some 20 milliseconds.
constexpr int most_steps = 1 << 17;
/// A user's function may be slow, and equally good directions never end.
constexpr int most_support_cells = 1 << 12;

// ---- by supports alone ----

/// |p|, p the points of A - B, along directions in A's frame.
class DifferenceSearch {
public:
  struct Corner {
    Vec3 direction, point;
  };

  DifferenceSearch(const CorePair& pair, Farthest& found) : pair_(pair), found_(found) {}

  [[nodiscard]] double best() const { return found_.value; }
  [[nodiscard]] static double ceiling() { return INFINITY; }
  Corner corner(const Vec3& n) {
    const Vec3 p = look(n);
    if (length(p) >= found_.value) climb(p);
    return {n, p};
  }
  /// As the head of this file has it: the sum of w_i rise_i is x . n, where x is the point with x . v_i = rise_i.
  [[nodiscard]] static double bound(const std::array<Corner, 3>& corners) {
    const auto& [u, v, w] = corners;
    const double rise_v = std::max(0.0, dot(v.point - u.point, v.direction));
    const double rise_w = std::max(0.0, dot(w.point - u.point, w.direction));
    const Vec3 x =
        (cross(w.direction, u.direction) * rise_v + cross(u.direction, v.direction) * rise_w) *
        (1 / triple(u.direction, v.direction, w.direction));
    return greatest_along(u.point + x, cap_around(u.direction, v.direction, w.direction));
  }

  void climb(Vec3 p) {
    for (int i = 0; i < most_climbing_steps; ++i) {
      const double reached = length(p);
      if (!(reached > found_.value)) return;
      found_.value = reached;
      found_.direction = normalized(p);
      p = look(found_.direction);
    }
  }

  Vec3 look(const Vec3& n) {
    ++found_.steps;
    return pair_.corner_toward(n).difference;
  }

private:
  static constexpr int most_climbing_steps = 64;

  const CorePair& pair_;
  Farthest& found_;
};

/// Directions to start from: along the axes, and from middle to middle.
void start(const CorePair& pair, Farthest& found) {
  DifferenceSearch search(pair, found);
  for (int i = 0; i < 3; ++i) {
    (void)search.corner(unit_axis(i));
    (void)search.corner(-unit_axis(i));
  }
  const Vec3 between = normalized(pair.inner_difference());
  (void)search.corner(between);
  (void)search.corner(-between);
}

// ---- by parts ----

/// The parts of a core in groups of near ones, each cut in two down to a few.
class PartTree {
public:
  struct Group {
    Vec3 center;
    double reach = 0; ///< no point of its parts is farther from the centre
    std::uint32_t first = 0, count = 0;
    std::uint32_t children = 0; ///< the first of two groups; 0 for none
  };

  explicit PartTree(BallSums sums) : sums_(std::move(sums)), order_(sums_.parts.size()) {
    std::iota(order_.begin(), order_.end(), 0U);
    groups_.push_back(group(0, static_cast<std::uint32_t>(order_.size())));
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (groups_[i].count > few) split(i);
    }
  }

  [[nodiscard]] const Group& operator[](std::uint32_t i) const { return groups_[i]; }
  [[nodiscard]] std::span<const std::uint32_t> parts(const Group& g) const {
    return std::span(order_).subspan(g.first, g.count);
  }
  [[nodiscard]] const BallSum& part(std::uint32_t i) const { return sums_.parts[i]; }
  [[nodiscard]] std::span<const Mat3> images_of(const BallSum& p) const {
    return sums_.images_of(p);
  }

private:
  static constexpr std::uint32_t few = 8;

  Group group(std::uint32_t first, std::uint32_t count) const {
    Vec3 low{INFINITY, INFINITY, INFINITY};
    Vec3 high = -low;
    const auto members = std::span(order_).subspan(first, count);
    for (const std::uint32_t i : members) {
      low = min(low, part(i).center);
      high = max(high, part(i).center);
    }
    Group g{low + (high - low) * 0.5, 0, first, count, 0};
    for (const std::uint32_t i : members)
      g.reach = std::max(g.reach, distance(part(i).center, g.center) + part(i).reach);
    return g;
  }

  /// In halves along the widest side of the box around the centres. The order is total, so the halves are the same everywhere.
  void split(std::size_t i) {
    const Group g = groups_[i];
    const auto begin = order_.begin() + g.first;
    const auto end = begin + g.count;
    Vec3 spread;
    for (auto k = begin; k != end; ++k) spread = max(spread, abs(part(*k).center - g.center));
    const int axis = largest_axis(spread);
    const std::uint32_t half = g.count / 2;
    std::nth_element(begin, begin + half, end, [&](std::uint32_t x, std::uint32_t y) {
      const double at_x = part(x).center[axis];
      const double at_y = part(y).center[axis];
      return at_x != at_y ? at_x < at_y : x < y;
    });
    std::sort(begin, begin + half);
    std::sort(begin + half, end);
    groups_[i].children = static_cast<std::uint32_t>(groups_.size());
    groups_.push_back(group(g.first, half));
    groups_.push_back(group(g.first + half, g.count - half));
  }

  BallSums sums_;
  std::vector<std::uint32_t> order_;
  std::vector<Group> groups_;
};

/// The same parts seen from another frame.
BallSums moved(BallSums sums, const Frame& frame) {
  for (BallSum& part : sums.parts) part.center = frame.to_world(part.center);
  for (Mat3& m : sums.images) m = frame.basis * m;
  return sums;
}

class PartSearch {
public:
  PartSearch(const PartTree& a, const PartTree& b, const FarthestEffort& effort, Farthest& found)
      : a_(a), b_(b), effort_(effort), found_(found) {}

  void run() { search(0, 0); }

private:
  [[nodiscard]] double bound(std::uint32_t i, std::uint32_t j) const {
    return distance(a_[i].center, b_[j].center) + a_[i].reach + b_[j].reach;
  }

  /// Recursive: as deep as both trees are high, which is logarithmic.
  void search(std::uint32_t i, std::uint32_t j) { // NOLINT(misc-no-recursion)
    const PartTree::Group& a = a_[i];
    const PartTree::Group& b = b_[j];
    if (bound(i, j) <= found_.value) return;
    if (a.children == 0 && b.children == 0) {
      search_parts(a, b);
    } else if (b.children == 0 || (a.children != 0 && a.reach >= b.reach)) {
      const bool second = bound(a.children + 1, j) > bound(a.children, j);
      search(a.children + (second ? 1 : 0), j);
      search(a.children + (second ? 0 : 1), j);
    } else {
      const bool second = bound(i, b.children + 1) > bound(i, b.children);
      search(i, b.children + (second ? 1 : 0));
      search(i, b.children + (second ? 0 : 1));
    }
  }

  void search_parts(const PartTree::Group& a, const PartTree::Group& b) {
    for (const std::uint32_t i : a_.parts(a)) {
      for (const std::uint32_t j : b_.parts(b)) search_pair(a_.part(i), b_.part(j));
    }
  }

  void search_pair(const BallSum& a, const BallSum& b) {
    const Vec3 apart = a.center - b.center;
    const double rest = found_.value - a.reach - b.reach;
    ++found_.steps;
    if (rest > 0 && length_squared(apart) <= rest * rest) return;
    const std::span<const Mat3> of_a = a_.images_of(a);
    const std::span<const Mat3> of_b = b_.images_of(b);
    images_.assign(of_a.begin(), of_a.end());
    images_.insert(images_.end(), of_b.begin(), of_b.end());
    search_ball_sum(apart, images_, a.radius + b.radius, effort_, found_);
  }

  const PartTree& a_;
  const PartTree& b_;
  FarthestEffort effort_;
  Farthest& found_;
  std::vector<Mat3> images_;
};

Farthest farthest_difference(const CorePair& pair, const Shape& a, const Shape& b) {
  Farthest found;
  start(pair, found);
  const double accept = pair.curved() ? accepted * pair.size() : 0;
  std::optional<BallSums> parts_a = ball_sums(a);
  std::optional<BallSums> parts_b = parts_a ? ball_sums(b) : std::nullopt;
  if (parts_b) {
    const PartTree tree_a(std::move(*parts_a));
    const PartTree tree_b(moved(std::move(*parts_b), pair.b_in_a()));
    PartSearch(tree_a, tree_b, {accept, most_steps}, found).run();
  } else {
    DifferenceSearch search(pair, found);
    int cells = 0;
    found.upper = search_directions(search, accept, most_support_cells, cells);
  }
  return found;
}

// ---- the answer ----

/// A half-space has points as far from anything as one likes: down from its border.
Span unbounded(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  const auto down = [](const Shape& shape, const Pose& pose) {
    const Vec3 n = normalized(std::get<HalfSpace>(shape.core()).normal);
    return normalized(pose.frame().direction_to_world(-n));
  };
  Span s;
  s.value = s.upper_bound = INFINITY;
  s.direction = b.bounded() ? -down(a, pose_a) : down(b, pose_b);
  s.on_a = pose_a.frame().to_world(a.core_support()(a.inner_ball().center));
  s.on_b = pose_b.frame().to_world(b.core_support()(b.inner_ball().center));
  return s;
}

} // namespace

Span span(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  if (!in_range(pose_a) || !in_range(pose_b)) {
    Span bad;
    bad.status = Status::bad_input;
    return bad;
  }
  if (!a.bounded() || !b.bounded()) return unbounded(a, pose_a, b, pose_b);
  if (!a.convex() || !b.convex()) return composite_span(a, pose_a, b, pose_b);

  const CorePair pair(a, pose_a, b, pose_b);
  const Farthest found = farthest_difference(pair, a, b);
  const CorePair::Corner corner = pair.corner_toward(found.direction);
  const double cores = length(corner.difference);
  const double radius = a.rounding() + b.rounding();
  Span s;
  s.value = cores + radius;
  s.upper_bound = std::max(found.upper, cores) + 2 * pair.rounding() + radius;
  s.direction =
      pair.frame_a().direction_to_world(-normalized_or(corner.difference, found.direction));
  s.on_a = pair.frame_a().to_world(corner.on_a) - s.direction * a.rounding();
  s.on_b = pair.frame_b().to_world(corner.on_b) + s.direction * b.rounding();
  s.status = s.upper_bound - s.value <= pair.promise() ? Status::ok : Status::wide;
  s.iterations = found.steps;
  return s;
}

} // namespace carom
