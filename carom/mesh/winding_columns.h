// How often a closed mesh is wound around points, for many points: crossing_count (winding_number.h) with the triangles sorted into columns.
#pragma once

#include "carom/math/vec3.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

class WindingColumns {
public:
  /// Three indices a triangle. The vertices outlive it.
  WindingColumns(std::span<const Vec3> vertices, std::span<const std::uint32_t> triangles);

  /// crossing_count, exactly.
  [[nodiscard]] std::int64_t count(const Vec3& p) const;

private:
  [[nodiscard]] std::size_t cell(double x, int axis) const;

  std::span<const Vec3> vertices_;
  std::size_t side_ = 1; ///< columns along x, and along y
  Vec3 low_, high_, scale_;
  std::vector<std::size_t> column_begin_;
  std::vector<std::uint32_t> corners_;    ///< of the triangles, by column
  std::vector<std::uint32_t> face_begin_; ///< 0, 3, 6, ...
};

} // namespace carom
