// Cells, their triangles, and the tree of blocks. The levels begin with blocks of 4 x 4 cells; the spans of smaller ones come from the samples themselves.
#include "carom/shape/height_field.h"

#include <algorithm>

namespace carom {

std::array<Triangle, 2> HeightField::triangles(std::uint32_t column, std::uint32_t row) const {
  const Vec3 a = vertex(column, row), b = vertex(column + 1, row);
  const Vec3 c = vertex(column + 1, row + 1), d = vertex(column, row + 1);
  if (splits_main(column, row)) return {Triangle{a, b, c}, Triangle{a, c, d}};
  return {Triangle{a, b, d}, Triangle{b, c, d}};
}

Triangle HeightField::triangle(std::uint32_t index) const {
  const std::uint32_t cell = index / 2;
  return triangles(cell % cell_columns(), cell / cell_columns())[index % 2];
}

std::uint32_t HeightField::some_cell() const {
  HeightFieldNode node = root();
  std::array<HeightFieldNode, 4> blocks;
  while (children(node, blocks) > 0) node = blocks[0];
  return cell(node.x, node.y);
}

CellRange HeightField::cells(const HeightFieldNode& node) const {
  const auto end = [&](std::uint32_t at, std::uint32_t most) {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>((std::uint64_t{at} + 1) << node.level, most));
  };
  return {node.x << node.level, node.y << node.level, end(node.x, cell_columns()),
          end(node.y, cell_rows())};
}

int HeightField::children(const HeightFieldNode& node, std::span<HeightFieldNode, 4> out) const {
  if (node.level == 0) return 0;
  const CellRange range = cells(node);
  const std::uint32_t level = node.level - 1;
  int count = 0;
  for (std::uint32_t i = 0; i < 4; ++i) {
    const HeightFieldNode child{level, 2 * node.x + i % 2, 2 * node.y + i / 2};
    // Half a block may lie beyond the end.
    if (std::uint64_t{child.x} << level >= range.end_column) continue;
    if (std::uint64_t{child.y} << level >= range.end_row) continue;
    if (!empty(child)) out[static_cast<std::size_t>(count++)] = child;
  }
  return count;
}

HeightSpan HeightField::span(const HeightFieldNode& node) const {
  if (node.level < HeightLevels::first) return span(cells(node));
  return levels_.heights(levels_.at(static_cast<int>(node.level), node.x, node.y));
}

// z is a monotone function of the sample, rounding included: the ends of the samples' span are those of the heights'.
HeightSpan HeightField::span(const CellRange& cells) const {
  HeightSpan samples;
  if (!has_holes()) {
    for (std::uint32_t j = cells.row; j <= cells.end_row; ++j)
      for (std::uint32_t i = cells.column; i <= cells.end_column; ++i) samples.add(sample(i, j));
  } else {
    for (std::uint32_t j = cells.row; j < cells.end_row; ++j) {
      for (std::uint32_t i = cells.column; i < cells.end_column; ++i) {
        if (hole(cell(i, j))) continue;
        samples.add(sample(i, j));
        samples.add(sample(i + 1, j));
        samples.add(sample(i, j + 1));
        samples.add(sample(i + 1, j + 1));
      }
    }
  }
  if (samples.empty()) return {};
  HeightSpan result;
  result.add(z(samples.low));
  result.add(z(samples.high));
  return result;
}

Aabb HeightField::box(const HeightFieldNode& node) const {
  const HeightSpan heights = span(node);
  if (heights.empty()) return {};
  const CellRange range = cells(node);
  return {{x(range.column), y(range.row), heights.low},
          {x(range.end_column), y(range.end_row), heights.high}};
}

std::size_t HeightField::bytes() const {
  return sizeof(HeightField) + floats_.capacity() * sizeof(float) +
         shorts_.capacity() * sizeof(std::uint16_t) + holes_.capacity() + materials_.capacity() +
         levels_.bytes();
}

} // namespace carom
