// A height field: terrain as a grid of heights, asked without ever making a list of its triangles.
//
//   HeightFieldInput input;
//   input.columns = input.rows = 4097;
//   input.spacing_x = input.spacing_y = 0.5;
//   input.samples = std::span<const float>(heights);       // row by row
//   HeightField field = HeightField::build(input).value();
//
// What it is. Sample (i, j), column i of row j, is the vertex
//   x = i * spacing_x    y = j * spacing_y    z = offset + scale * sample
// in doubles, each operation rounded, in this order: that is the definition, and everything is exact from there on. The samples themselves are kept as they are
// given, floats or 16-bit integers. Four neighbours are a cell, of two triangles. It is a surface without thickness, to be touched from both sides: nothing is solid below
// it. Normals point up, and a ray that comes down meets fronts. A cell may be a hole, where there is nothing: the edges around it belong to its neighbours.
//
// Numbers. Cell (i, j) is number j * (columns - 1) + i; its triangles have the numbers 2 * cell and 2 * cell + 1. Those of holes are never given by any query.
//
// Levels. Over the cells stands a pyramid of blocks with their least and greatest heights (height_levels.h), which is also a tree of boxes for whoever wants to walk it:
// root(), children(), box(). Rays are in height_field_rays.h, boxes and nearest points in height_field_near.h.
//
// Memory: 4 or 2 bytes a sample, 1 byte a cell where there are materials, 1/8 where there are holes, 1/3 for the levels: 5.46 bytes a cell at most, for large fields.
// A field is immutable, and any number of threads may ask it at once.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/triangle.h"
#include "carom/math/result.h"
#include "carom/shape/height_levels.h"

#include <array>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// How cells are split in two. With a = (i, j), b = (i+1, j), c = (i+1, j+1), d = (i, j+1):
enum class Diagonal : std::uint8_t {
  main,        ///< a c: the triangles a b c and a c d. As in Jolt, and in PhysX with its flag set
  other,       ///< b d: the triangles a b d and b c d. As in Bullet, and in PhysX without the flag
  alternating, ///< main where i + j is even, other where it is odd. As Bullet's diamonds
};

struct HeightFieldInput {
  /// Samples in a row, and rows of samples: at least 2 of each, and fewer than 2^31 cells.
  std::uint32_t columns = 0, rows = 0;
  /// Positive.
  double spacing_x = 1, spacing_y = 1;
  /// May be negative, or 0.
  double scale = 1;
  double offset = 0;
  /// columns * rows of them, row by row. Only read while building.
  std::variant<std::span<const float>, std::span<const std::uint16_t>> samples{};
  /// One a cell, row by row: a hole where it is not 0. May be left out.
  std::span<const std::uint8_t> holes{};
  /// One a cell, row by row: a number of the user's own. May be left out: 0.
  std::span<const std::uint8_t> materials{};
  Diagonal diagonal = Diagonal::main;
};

/// A block of 2^level x 2^level cells, cut off at the ends of the grid; (x, y) counts blocks. A block of level 0 is a cell.
struct HeightFieldNode {
  std::uint32_t level = 0, x = 0, y = 0;

  bool operator==(const HeightFieldNode&) const = default;
};

/// The cells with column <= i < end_column and row <= j < end_row.
struct CellRange {
  std::uint32_t column = 0, row = 0, end_column = 0, end_row = 0;

  bool operator==(const CellRange&) const = default;
};

class HeightField {
public:
  /// Refuses what does not fit together, numbers that are not finite, vertices out of range (coordinates are 0 or 1e-30 <= |x| <= 1e30), and a field of holes only.
  [[nodiscard]] static Result<HeightField> build(const HeightFieldInput& input);

  /// Each coordinate multiplied by its factor: the spacings, and scale and offset, are multiplied, and the field is built from them. Only by positive factors: a mirror image would have its normals
  /// down, or its origin elsewhere. Errors: not_convex, as for other shapes that are not and cannot be scaled so; out_of_range.
  [[nodiscard]] Result<HeightField> scaled(const Vec3& factors) const;

  // ---- the grid

  [[nodiscard]] std::uint32_t columns() const { return columns_; }
  [[nodiscard]] std::uint32_t rows() const { return rows_; }
  [[nodiscard]] std::uint32_t cell_columns() const { return columns_ - 1; }
  [[nodiscard]] std::uint32_t cell_rows() const { return rows_ - 1; }
  /// Holes included.
  [[nodiscard]] std::uint32_t cell_count() const { return cell_columns() * cell_rows(); }
  [[nodiscard]] std::uint32_t triangle_count() const { return 2 * cell_count(); }
  [[nodiscard]] double spacing_x() const { return spacing_x_; }
  [[nodiscard]] double spacing_y() const { return spacing_y_; }
  [[nodiscard]] double scale() const { return scale_; }
  [[nodiscard]] double offset() const { return offset_; }
  [[nodiscard]] Diagonal diagonal() const { return diagonal_; }

  [[nodiscard]] std::uint32_t cell(std::uint32_t column, std::uint32_t row) const {
    return row * cell_columns() + column;
  }
  /// As it was given.
  [[nodiscard]] double sample(std::uint32_t column, std::uint32_t row) const {
    const std::size_t i = std::size_t{columns_} * row + column;
    return floats_.empty() ? static_cast<double>(shorts_[i]) : static_cast<double>(floats_[i]);
  }
  [[nodiscard]] double x(std::uint32_t column) const { return column * spacing_x_; }
  [[nodiscard]] double y(std::uint32_t row) const { return row * spacing_y_; }
  [[nodiscard]] double z(double sample) const { return offset_ + scale_ * sample; }
  [[nodiscard]] double height(std::uint32_t column, std::uint32_t row) const {
    return z(sample(column, row));
  }
  [[nodiscard]] Vec3 vertex(std::uint32_t column, std::uint32_t row) const {
    return {x(column), y(row), height(column, row)};
  }

  // ---- cells and triangles

  [[nodiscard]] bool has_holes() const { return !holes_.empty(); }
  [[nodiscard]] bool hole(std::uint32_t cell) const {
    return has_holes() && (holes_[cell / 8] >> (cell % 8) & 1) != 0;
  }
  /// One that is no hole; always the same.
  [[nodiscard]] std::uint32_t some_cell() const;
  /// Of the triangle's cell.
  [[nodiscard]] std::uint8_t material(std::uint32_t triangle) const {
    return materials_.empty() ? std::uint8_t{0} : materials_[triangle / 2];
  }
  /// The two triangles of a cell, a hole or not; counter-clockwise seen from above.
  [[nodiscard]] std::array<Triangle, 2> triangles(std::uint32_t column, std::uint32_t row) const;
  [[nodiscard]] Triangle triangle(std::uint32_t index) const;

  /// The least box around all triangles that are there.
  [[nodiscard]] const Aabb& bounds() const { return bounds_; }

  // ---- the tree of blocks

  [[nodiscard]] HeightFieldNode root() const {
    return {static_cast<std::uint32_t>(levels_.top()), 0, 0};
  }
  /// The blocks that it is made of and that are not empty; returns how many. None for a cell.
  int children(const HeightFieldNode& node, std::span<HeightFieldNode, 4> out) const;
  [[nodiscard]] CellRange cells(const HeightFieldNode& node) const;
  /// Whether it has holes only.
  [[nodiscard]] bool empty(const HeightFieldNode& node) const { return span(node).empty(); }
  /// Holds all triangles of the block; as small as can be for cells and blocks of 2 x 2. Empty where the block is.
  [[nodiscard]] Aabb box(const HeightFieldNode& node) const;
  /// The heights of box().
  [[nodiscard]] HeightSpan span(const HeightFieldNode& node) const;
  /// Of the triangles in these cells, exactly. There is at least one cell.
  [[nodiscard]] HeightSpan span(const CellRange& cells) const;

  [[nodiscard]] const HeightLevels& levels() const { return levels_; }

  /// All memory it has taken.
  [[nodiscard]] std::size_t bytes() const;

private:
  HeightField() = default;

  [[nodiscard]] bool splits_main(std::uint32_t column, std::uint32_t row) const {
    return diagonal_ == Diagonal::main ||
           (diagonal_ == Diagonal::alternating && (column + row) % 2 == 0);
  }
  void set_holes(std::span<const std::uint8_t> holes);
  void set_bounds_and_levels();

  std::uint32_t columns_ = 0, rows_ = 0;
  double spacing_x_ = 1, spacing_y_ = 1, scale_ = 1, offset_ = 0;
  Diagonal diagonal_ = Diagonal::main;
  /// One of the two is empty.
  std::vector<float> floats_;
  std::vector<std::uint16_t> shorts_;
  std::vector<std::uint8_t> holes_; ///< a bit a cell; empty where there are none
  std::vector<std::uint8_t> materials_;
  Aabb bounds_;
  HeightLevels levels_;
};

} // namespace carom
