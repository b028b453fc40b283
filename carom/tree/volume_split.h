// One step of building top down: a set of items divided in two.
#pragma once

#include "carom/tree/volume_topology.h"

namespace [[gnu::visibility("default")]] carom {

/// Divides ranges of an order of items, again and again. It refers to the boxes and does not own them.
class VolumeSplitter {
public:
  VolumeSplitter(std::span<const Aabb> items, const VolumeTreeBuild& how);

  /// Brings the items of one part to the front, each part in the order it had, and returns how many they are: at least one of two or more, and
  /// not all. By the rule asked for; where that leaves a part empty, by the same rule along the other axes, then by the median.
  [[nodiscard]] std::size_t split(std::span<std::uint32_t> items);
  /// Along the longest side of the centres' box: as many items in one part as in the other, or one more.
  [[nodiscard]] std::size_t split_at_median(std::span<std::uint32_t> items);

private:
  void find_keys(std::span<const std::uint32_t> items, const Vec3& axis);
  void divide(std::span<const std::uint32_t> items, SplitPoint point);
  void divide_at_median(std::span<const std::uint32_t> items);
  void divide_at(double place);
  void divide_at_best_sample(std::span<const std::uint32_t> items);
  void divide_at_largest_gap();
  void divide_by_growth(std::span<const std::uint32_t> items);
  [[nodiscard]] double cost(std::span<const std::uint32_t> items) const;
  [[nodiscard]] Vec3 choose_axis(std::span<const std::uint32_t> items);
  void divide_by_best_axis(std::span<const std::uint32_t> items);
  [[nodiscard]] bool one_sided() const;
  [[nodiscard]] std::size_t apply(std::span<std::uint32_t> items);

  std::span<const Aabb> boxes_;
  VolumeTreeBuild how_;
  std::vector<Vec3> centers_;
  // Of the items of the range at hand, by their place in it:
  Vec3 axis_;
  std::vector<double> keys_; // along the axis
  std::vector<char> front_;  // whether it goes to the first part
  std::vector<char> best_front_;
  std::vector<std::uint32_t> sorted_;
  std::vector<std::uint32_t> scratch_;
  std::vector<Vec3> points_;
};

} // namespace carom
