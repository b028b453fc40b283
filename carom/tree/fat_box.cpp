#include "carom/tree/fat_box.h"

#include <algorithm>

namespace carom {
namespace {

constexpr double most_length = 1e30;
/// With larger relative margins fat boxes would leave the range of floats.
constexpr double most_relative_margin = 16;

double length_option(double x) { return x > 0 ? std::min(x, most_length) : 0; }

double longest_edge(const Aabb& box) {
  const Vec3 edges = box.max - box.min;
  return std::max({edges.x, edges.y, edges.z});
}

} // namespace

FatBoxRule FatBoxRule::in_range() const {
  return {length_option(margin), std::min(length_option(relative_margin), most_relative_margin),
          length_option(prediction)};
}

double FatBoxRule::margin_for(double longest) const { return margin + relative_margin * longest; }

double FatBoxRule::room(const Aabb& fat, const Aabb& box) const {
  // What is as long as that gets a fat box half as long at most: a margin on both sides, and ahead an edge and a margin.
  const double least_edge = (0.5 * longest_edge(fat) - 3 * margin) / (2 + 3 * relative_margin);
  double least = 0.5 * (longest_edge(box) - least_edge);
  for (int i = 0; i < 3; ++i)
    least = std::min({least, box.min[i] - fat.min[i], fat.max[i] - box.max[i]});
  return least;
}

Aabb FatBoxRule::around(const Aabb& box, const Vec3& displacement) const {
  const double longest = longest_edge(box), own_margin = margin_for(longest);
  const double most = longest + own_margin;
  Aabb fat;
  for (int i = 0; i < 3; ++i) {
    const double ahead = std::clamp(prediction * displacement[i], -most, most);
    fat.min[i] = box.min[i] - own_margin;
    fat.max[i] = box.max[i] + own_margin;
    if (ahead < 0) fat.min[i] += ahead;
    if (ahead > 0) fat.max[i] += ahead;
  }
  return fat;
}

} // namespace carom
