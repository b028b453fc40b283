#include "carom/tree/wide_node.h"

#include "carom/tree/tree_frame.h"

#include <algorithm>
#include <cmath>

namespace carom {

TreeFrame::TreeFrame(const Aabb& bounds) {
  if (bounds.empty()) return;
  center = bounds.center();
  const double half = max_abs(max(bounds.max - center, center - bounds.min));
  // A little less than half a unit: rounding outward stays within it. A single point is as large as it is far away.
  const double reach = half > 0 ? half / 0.46875 : max_abs(center);
  int exponent = 0;
  std::frexp(reach, &exponent);
  unit = std::ldexp(1.0, exponent);
  per_unit = std::ldexp(1.0, -exponent);
}

GridAxis GridAxis::around(float min, float max, int cells) {
  // One cell less: the origin may be rounded down by one.
  const double step = std::max((static_cast<double>(max) - min) / (cells - 1), 0x1p-24);
  int exponent = 0;
  const double part = std::frexp(step, &exponent); // part * 2^exponent, 0.5 <= part < 1
  if (part == 0.5) --exponent;
  const double grid = std::ldexp(1.0, exponent);
  return {static_cast<float>(std::floor(min / grid) * grid),
          static_cast<std::uint8_t>(127 + exponent)};
}

void WideNode::set_boxes(const FloatBox* boxes, int box_count) {
  count = static_cast<std::uint8_t>(box_count);
  FloatBox all;
  for (int i = 0; i < box_count; ++i) all.add(boxes[i]);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const GridAxis grid = GridAxis::around(all.min[axis], all.max[axis], 255);
    origin[axis] = grid.origin;
    exponent[axis] = grid.exponent;
    const double per_step = 1 / static_cast<double>(grid.step());
    for (int i = 0; i < 8; ++i) {
      const FloatBox& box = boxes[std::min(i, box_count - 1)];
      const double low = (static_cast<double>(box.min[axis]) - grid.origin) * per_step;
      const double high = (static_cast<double>(box.max[axis]) - grid.origin) * per_step;
      lower[axis][i] = static_cast<std::uint8_t>(low);
      // Rounded up: the whole part of a number that is not whole, and one.
      const auto whole = static_cast<int>(high);
      upper[axis][i] = static_cast<std::uint8_t>(whole < high ? whole + 1 : whole);
    }
  }
}

FloatBox WideNode::box(int lane) const {
  FloatBox result;
  for (int axis = 0; axis < 3; ++axis) {
    const GridAxis g = grid(axis);
    const auto at = static_cast<std::size_t>(axis);
    result.min[at] = g.origin + static_cast<float>(lower[axis][lane]) * g.step();
    result.max[at] = g.origin + static_cast<float>(upper[axis][lane]) * g.step();
  }
  return result;
}

FloatBox WideNode::box() const {
  FloatBox result;
  for (int i = 0; i < count; ++i) result.add(box(i));
  return result;
}

} // namespace carom
