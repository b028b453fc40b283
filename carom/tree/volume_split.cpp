// A division is a mark for each item: front or not. Every rule only sets marks, so rules combine freely (an axis chosen by trying all three
// just tries, and keeps the best marks), and the items are moved once, keeping their order: the result does not depend on how a
// library sorts.
#include "carom/tree/volume_split.h"

#include "carom/geometry/covariance.h"
#include "carom/geometry/measure.h"
#include "carom/geometry/merge.h"
#include "carom/math/eigen3.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace carom {
namespace {

constexpr std::size_t most_samples = 256;

Aabb common(const Aabb& a, const Aabb& b) { return {max(a.min, b.min), min(a.max, b.max)}; }

double imbalance(std::size_t a, std::size_t b) {
  return static_cast<double>(a > b ? a - b : b - a) / static_cast<double>(a + b);
}

/// What a division into these two parts costs; `gap` is how far the second begins after the end of the first.
double goal_cost(SplitGoal goal, const Aabb& a, std::size_t count_a, const Aabb& b,
                 std::size_t count_b, double gap) {
  switch (goal) {
  case SplitGoal::weighted_area:
    return area(a) * static_cast<double>(count_a) + area(b) * static_cast<double>(count_b);
  case SplitGoal::sum_of_areas:
    return area(a) + area(b);
  case SplitGoal::greatest_area:
    return std::max(area(a), area(b));
  case SplitGoal::common_area:
    // Many divisions have nothing in common: of those, the even ones. The term is too small to matter otherwise.
    return area(common(a, b)) + 1e-9 * area(merge(a, b)) * imbalance(count_a, count_b);
  case SplitGoal::separation:
    return -gap;
  }
  return 0;
}

struct Bin {
  Aabb box;
  double low = INFINITY, high = -INFINITY; // of the boxes, along the axis
  std::size_t count = 0;

  void add(const Bin& other) {
    box = merge(box, other.box);
    low = std::min(low, other.low);
    high = std::max(high, other.high);
    count += other.count;
  }
};

/// How far a box reaches along an axis to both sides of its centre.
double reach(const Aabb& box, const Vec3& axis) { return dot(abs(axis), box.half()); }

/// The two of the points extreme along a coordinate axis that are farthest apart.
Vec3 farthest_direction(std::span<const Vec3> points) {
  Vec3 best;
  for (int i = 0; i < 3; ++i) {
    const auto less = [i](const Vec3& p, const Vec3& q) { return p[i] < q[i]; };
    const auto [low, high] = std::minmax_element(points.begin(), points.end(), less);
    const Vec3 d = *high - *low;
    if (length_squared(d) > length_squared(best)) best = d;
  }
  return normalized(best);
}

} // namespace

VolumeSplitter::VolumeSplitter(std::span<const Aabb> items, const VolumeTreeBuild& how)
    : boxes_(items), how_(how) {
  centers_.reserve(items.size());
  for (const Aabb& box : items) centers_.push_back(box.center());
}

std::size_t VolumeSplitter::split(std::span<std::uint32_t> items) {
  if (how_.axis == SplitAxis::best_of_three) {
    divide_by_best_axis(items);
  } else {
    const Vec3 axis = choose_axis(items);
    find_keys(items, axis);
    divide(items, how_.point);
  }
  for (int i = 0; i < 3 && one_sided(); ++i) {
    find_keys(items, unit_axis(i));
    divide(items, how_.point);
  }
  if (one_sided()) return split_at_median(items);
  return apply(items);
}

std::size_t VolumeSplitter::split_at_median(std::span<std::uint32_t> items) {
  Aabb box;
  for (const std::uint32_t i : items) box = merge(box, {centers_[i], centers_[i]});
  find_keys(items, unit_axis(largest_axis(box.half())));
  divide_at_median(items);
  return apply(items);
}

void VolumeSplitter::find_keys(std::span<const std::uint32_t> items, const Vec3& axis) {
  axis_ = axis;
  keys_.clear();
  for (const std::uint32_t i : items) keys_.push_back(dot(axis, centers_[i]));
  front_.assign(items.size(), 0);
}

Vec3 VolumeSplitter::choose_axis(std::span<const std::uint32_t> items) {
  points_.clear();
  for (const std::uint32_t i : items) points_.push_back(centers_[i]);
  switch (how_.axis) {
  case SplitAxis::largest_variance: {
    const Mat3 c = point_covariance(points_).covariance;
    return unit_axis(largest_axis({c.x.x, c.y.y, c.z.z}));
  }
  case SplitAxis::principal:
    return symmetric_eigen(point_covariance(points_).covariance).vectors.x;
  case SplitAxis::farthest_points:
    return farthest_direction(points_);
  case SplitAxis::longest_side:
  case SplitAxis::best_of_three:
    break;
  }
  Aabb box;
  for (const Vec3& p : points_) box = merge(box, {p, p});
  return unit_axis(largest_axis(box.half()));
}

void VolumeSplitter::divide(std::span<const std::uint32_t> items, SplitPoint point) {
  const auto [low, high] = std::minmax_element(keys_.begin(), keys_.end());
  switch (point) {
  case SplitPoint::object_median:
    return divide_at_median(items);
  case SplitPoint::object_mean:
    return divide_at(std::accumulate(keys_.begin(), keys_.end(), 0.0) /
                     static_cast<double>(keys_.size()));
  case SplitPoint::spatial_median:
    return divide_at(*low * 0.5 + *high * 0.5);
  case SplitPoint::samples:
    return divide_at_best_sample(items);
  case SplitPoint::largest_gap:
    return divide_at_largest_gap();
  case SplitPoint::growth:
    return divide_by_growth(items);
  }
}

void VolumeSplitter::divide_at(double place) {
  for (std::size_t i = 0; i < keys_.size(); ++i) front_[i] = keys_[i] < place;
}

void VolumeSplitter::divide_at_median(std::span<const std::uint32_t> items) {
  sorted_.resize(items.size());
  std::iota(sorted_.begin(), sorted_.end(), 0u);
  std::sort(sorted_.begin(), sorted_.end(), [&](std::uint32_t i, std::uint32_t j) {
    return keys_[i] != keys_[j] ? keys_[i] < keys_[j] : items[i] < items[j];
  });
  front_.assign(items.size(), 0);
  for (std::size_t i = 0; i < items.size() / 2; ++i) front_[sorted_[i]] = 1;
}

// Bins of equal width; a division lies between two bins, and the boxes of both sides are found by a sweep from either end.
void VolumeSplitter::divide_at_best_sample(std::span<const std::uint32_t> items) {
  const std::size_t count = std::clamp<std::size_t>(how_.samples, 2, most_samples);
  const auto [low, high] = std::minmax_element(keys_.begin(), keys_.end());
  const double start = *low;
  const double width = *high - start;
  if (!(width > 0)) return;
  const auto bin_of = [&](double key) {
    const double place = (key - start) / width * static_cast<double>(count);
    return std::min(static_cast<std::size_t>(place), count - 1);
  };
  std::array<Bin, most_samples> bins{};
  for (std::size_t i = 0; i < items.size(); ++i) {
    const double r = reach(boxes_[items[i]], axis_);
    bins[bin_of(keys_[i])].add({boxes_[items[i]], keys_[i] - r, keys_[i] + r, 1});
  }
  std::array<Bin, most_samples> after{};
  after[count - 1] = bins[count - 1];
  for (std::size_t k = count - 1; k-- > 0;) {
    after[k] = after[k + 1];
    after[k].add(bins[k]);
  }
  double best = INFINITY;
  std::size_t place = 0;
  Bin before;
  for (std::size_t k = 0; k + 1 < count; ++k) {
    before.add(bins[k]);
    const Bin& rest = after[k + 1];
    if (before.count == 0 || rest.count == 0) continue;
    const double c = goal_cost(how_.goal, before.box, before.count, rest.box, rest.count,
                               rest.low - before.high);
    if (c < best) {
      best = c;
      place = k;
    }
  }
  for (std::size_t i = 0; i < keys_.size(); ++i) front_[i] = bin_of(keys_[i]) <= place;
}

void VolumeSplitter::divide_at_largest_gap() {
  std::vector<double> sorted = keys_;
  std::sort(sorted.begin(), sorted.end());
  double widest = 0;
  double place = sorted.front();
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i] - sorted[i - 1] > widest) {
      widest = sorted[i] - sorted[i - 1];
      place = sorted[i];
    }
  }
  divide_at(place);
}

void VolumeSplitter::divide_by_growth(std::span<const std::uint32_t> items) {
  const auto [low, high] = std::minmax_element(keys_.begin(), keys_.end());
  if (low == high) return;
  const auto a = static_cast<std::size_t>(low - keys_.begin());
  const auto b = static_cast<std::size_t>(high - keys_.begin());
  Aabb box_a = boxes_[items[a]];
  Aabb box_b = boxes_[items[b]];
  std::ptrdiff_t more_in_a = 0;
  front_[a] = 1;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i == a || i == b) continue;
    const Aabb with_a = merge(box_a, boxes_[items[i]]);
    const Aabb with_b = merge(box_b, boxes_[items[i]]);
    const double growth_a = area(with_a) - area(box_a);
    const double growth_b = area(with_b) - area(box_b);
    const bool to_a = growth_a < growth_b || (growth_a == growth_b && more_in_a < 0);
    front_[i] = to_a;
    (to_a ? box_a : box_b) = to_a ? with_a : with_b;
    more_in_a += to_a ? 1 : -1;
  }
}

double VolumeSplitter::cost(std::span<const std::uint32_t> items) const {
  Bin part[2];
  for (std::size_t i = 0; i < items.size(); ++i) {
    const double r = reach(boxes_[items[i]], axis_);
    part[front_[i] ? 0 : 1].add({boxes_[items[i]], keys_[i] - r, keys_[i] + r, 1});
  }
  if (part[0].count == 0 || part[1].count == 0) return INFINITY;
  return goal_cost(how_.goal, part[0].box, part[0].count, part[1].box, part[1].count,
                   part[1].low - part[0].high);
}

void VolumeSplitter::divide_by_best_axis(std::span<const std::uint32_t> items) {
  double best = INFINITY;
  best_front_.assign(items.size(), 0);
  for (int i = 0; i < 3; ++i) {
    find_keys(items, unit_axis(i));
    divide(items, how_.point);
    const double c = cost(items);
    if (c < best) {
      best = c;
      best_front_ = front_;
    }
  }
  front_ = best_front_;
}

bool VolumeSplitter::one_sided() const {
  return std::find(front_.begin(), front_.end(), front_.front() ? 0 : 1) == front_.end();
}

std::size_t VolumeSplitter::apply(std::span<std::uint32_t> items) {
  scratch_.assign(items.begin(), items.end());
  std::size_t place = 0;
  for (const char part : {char{1}, char{0}}) {
    for (std::size_t i = 0; i < scratch_.size(); ++i) {
      if (front_[i] == part) items[place++] = scratch_[i];
    }
  }
  return static_cast<std::size_t>(std::count(front_.begin(), front_.end(), 1));
}

} // namespace carom
