// A ray straight up from a point meets only triangles above the point's place in the view from above. They are found in a grid of that view; a triangle is in all cells
// that its bounding rectangle touches. One triangle alone counts 0 around points outside of its projection, so the sum over the cell is the sum over all.
#include "carom/mesh/winding_columns.h"

#include "carom/mesh/winding_number.h"

#include <algorithm>
#include <cmath>

namespace carom {

WindingColumns::WindingColumns(std::span<const Vec3> vertices,
                               std::span<const std::uint32_t> triangles)
    : vertices_(vertices) {
  const std::size_t n = triangles.size() / 3;
  if (n == 0) {
    column_begin_ = {0, 0};
    return;
  }
  low_ = high_ = vertices[triangles[0]];
  for (const std::uint32_t i : triangles) {
    low_ = min(low_, vertices[i]);
    high_ = max(high_, vertices[i]);
  }
  while (side_ < 256 && side_ * side_ < n) side_ *= 2;
  for (int k = 0; k < 2; ++k) {
    const double width = high_[k] - low_[k];
    scale_[k] = width > 0 ? static_cast<double>(side_) / width : 0;
  }
  const auto for_each_cell = [&](std::size_t t, auto&& body) {
    const Vec3& a = vertices[triangles[3 * t]];
    const Vec3& b = vertices[triangles[3 * t + 1]];
    const Vec3& c = vertices[triangles[3 * t + 2]];
    const Vec3 from = min(a, min(b, c));
    const Vec3 to = max(a, max(b, c));
    for (std::size_t x = cell(from.x, 0); x <= cell(to.x, 0); ++x) {
      for (std::size_t y = cell(from.y, 1); y <= cell(to.y, 1); ++y) body(x * side_ + y);
    }
  };
  column_begin_.assign(side_ * side_ + 1, 0);
  for (std::size_t t = 0; t < n; ++t) {
    for_each_cell(t, [&](std::size_t i) { ++column_begin_[i + 1]; });
  }
  std::size_t most = 0;
  for (std::size_t i = 0; i < side_ * side_; ++i) {
    most = std::max(most, column_begin_[i + 1]);
    column_begin_[i + 1] += column_begin_[i];
  }
  corners_.resize(3 * column_begin_.back());
  std::vector<std::size_t> next(column_begin_.begin(), column_begin_.end() - 1);
  for (std::size_t t = 0; t < n; ++t) {
    for_each_cell(t, [&](std::size_t i) {
      const std::size_t at = 3 * next[i]++;
      for (std::size_t k = 0; k < 3; ++k) corners_[at + k] = triangles[3 * t + k];
    });
  }
  face_begin_.resize(most + 1);
  for (std::size_t i = 0; i <= most; ++i) face_begin_[i] = static_cast<std::uint32_t>(3 * i);
}

/// Ascending in x, whatever is rounded: so a point within the range of a triangle is in the range of its cells.
std::size_t WindingColumns::cell(double x, int axis) const {
  const double i = (x - low_[axis]) * scale_[axis];
  return !(i > 0) ? 0 : std::min(side_ - 1, static_cast<std::size_t>(std::fmin(i, 1e6)));
}

std::int64_t WindingColumns::count(const Vec3& p) const {
  if (corners_.empty() || !(p.x >= low_.x && p.y >= low_.y && p.x <= high_.x && p.y <= high_.y)) {
    return 0;
  }
  const std::size_t i = cell(p.x, 0) * side_ + cell(p.y, 1);
  const std::size_t faces = column_begin_[i + 1] - column_begin_[i];
  return crossing_count({vertices_, std::span(face_begin_).first(faces + 1),
                         std::span(corners_).subspan(3 * column_begin_[i], 3 * faces)},
                        p);
}

} // namespace carom
