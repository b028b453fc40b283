// Boxes: which cells they are over is found by division, and mended by comparing with the coordinates themselves. The search begins on the level where that is two by two blocks
// at most, so a small box costs the same on a field of any size.
//
// Nearest points: down the tree of blocks, nearer ones first; a block farther away than the best triangle so far is left out.
#include "carom/shape/height_field_near.h"

#include "carom/math/tolerance.h"

#include <algorithm>
#include <bit>

namespace carom {
namespace {

Aabb bounds_of(const Triangle& t) { return {min(min(t.a, t.b), t.c), max(max(t.a, t.b), t.c)}; }
bool touch(const Aabb& a, const Aabb& b) {
  return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y &&
         a.min.z <= b.max.z && b.min.z <= a.max.z;
}
bool touch(const HeightSpan& a, const Aabb& b) { return a.low <= b.max.z && b.min.z <= a.high; }

// ---- boxes

struct CellSpan {
  std::uint32_t first, end;
};

/// The cells of one axis that touch low <= x <= high; cell i is from i * spacing to (i + 1) * spacing.
CellSpan cells_between(double low, double high, double spacing, std::uint32_t count) {
  const auto near = [&](double x) {
    return static_cast<std::uint32_t>(std::clamp(x / spacing, 0.0, static_cast<double>(count)));
  };
  std::uint32_t first = near(low), end = near(high);
  while (first > 0 && first * spacing >= low) --first;
  while (first < count && (first + 1) * spacing < low) ++first;
  while (end < count && end * spacing <= high) ++end;
  while (end > 0 && (end - 1) * spacing > high) --end;
  return {first, end};
}

class BoxVisit {
public:
  BoxVisit(const HeightField& field, const Aabb& box,
           FunctionRef<bool(std::uint32_t triangle)> visit)
      : field_(field), box_(box), visit_(visit) {
    const CellSpan i = cells_between(box.min.x, box.max.x, field.spacing_x(), field.cell_columns());
    const CellSpan j = cells_between(box.min.y, box.max.y, field.spacing_y(), field.cell_rows());
    cells_ = {i.first, j.first, i.end, j.end};
  }

  bool run() {
    const auto& [column, row, end_column, end_row] = cells_;
    if (column >= end_column || row >= end_row) return true;
    const std::uint32_t apart = std::max((end_column - 1) ^ column, (end_row - 1) ^ row);
    const std::uint32_t widest = std::max(end_column - column, end_row - row);
    // Cells that share all higher bits are in one block; so many in a row are in two.
    const auto wanted = std::min(std::bit_width(apart), std::bit_width(widest - 1));
    const auto level = static_cast<std::uint32_t>(
        std::clamp(static_cast<int>(wanted), HeightLevels::first, field_.levels().top()));
    for (std::uint32_t y = row >> level; y <= (end_row - 1) >> level; ++y)
      for (std::uint32_t x = column >> level; x <= (end_column - 1) >> level; ++x)
        if (!block({level, x, y})) return false;
    return true;
  }

private:
  /// As deep as there are levels.
  bool block(const HeightFieldNode& node) {
    if (!touch(field_.span(node), box_)) return true;
    const CellRange all = field_.cells(node);
    const CellRange part{std::max(all.column, cells_.column), std::max(all.row, cells_.row),
                         std::min(all.end_column, cells_.end_column),
                         std::min(all.end_row, cells_.end_row)};
    if (part.column >= part.end_column || part.row >= part.end_row) return true;
    if (node.level == HeightLevels::first) return cells(part);
    for (std::uint32_t i = 0; i < 4; ++i) {
      const HeightFieldNode child{node.level - 1, 2 * node.x + i % 2, 2 * node.y + i / 2};
      if (child.x << child.level >= all.end_column || child.y << child.level >= all.end_row)
        continue;
      if (!block(child)) return false;
    }
    return true;
  }

  bool cells(const CellRange& range) {
    for (std::uint32_t row = range.row; row < range.end_row; ++row) {
      for (std::uint32_t column = range.column; column < range.end_column; ++column) {
        const std::uint32_t cell = field_.cell(column, row);
        if (field_.hole(cell)) continue;
        const std::array<Triangle, 2> triangles = field_.triangles(column, row);
        for (std::uint32_t i = 0; i < 2; ++i)
          if (touch(bounds_of(triangles[i]), box_) && !visit_(2 * cell + i)) return false;
      }
    }
    return true;
  }

  const HeightField& field_;
  const Aabb& box_;
  FunctionRef<bool(std::uint32_t triangle)> visit_;
  CellRange cells_;
};

// ---- nearest points

class NearestSearch {
public:
  NearestSearch(const HeightField& field, const Vec3& p, double max_distance)
      : field_(field), p_(p), limit_(max_distance) {
    const Aabb& box = field.bounds();
    const double size = std::max(max_abs(box.min), max_abs(box.max));
    far_ = max_abs(p) > 0x1p14 * size;
    // closest_point.h says 26 epsilon; and a few for the distance of the box.
    noise_ = far_ ? 0 : 0x1p-46 * std::max(max_abs(p), size);
  }

  NearTriangle run() {
    visit(field_.root());
    return best_;
  }

private:
  /// The square of a lower bound.
  [[nodiscard]] double distance_squared_to(const Aabb& box) const {
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      const double off = std::max(std::max(box.min[i] - p_[i], p_[i] - box.max[i]), 0.0);
      sum += off * off;
    }
    return sum;
  }
  [[nodiscard]] bool too_far(double squared) const {
    if (far_ && best_) return squared * (1 + 0x1p-50) >= limit_ * limit_;
    const double reach = limit_ + noise_;
    return squared > reach * reach * (1 + 0x1p-50);
  }

  /// As deep as there are levels.
  void visit(const HeightFieldNode& node) {
    if (node.level == 0) {
      at_cell(node.x, node.y);
      return;
    }
    std::array<HeightFieldNode, 4> children;
    const int count = field_.children(node, children);
    std::array<double, 4> keys{};
    std::array<int, 4> order{};
    for (int i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      keys[at] = distance_squared_to(field_.box(children[at]));
      int place = i;
      for (; place > 0; --place) {
        const int other = order[static_cast<std::size_t>(place - 1)];
        if (keys[static_cast<std::size_t>(other)] <= keys[at]) break;
        order[static_cast<std::size_t>(place)] = other;
      }
      order[static_cast<std::size_t>(place)] = i;
    }
    for (int i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(order[static_cast<std::size_t>(i)]);
      if (too_far(keys[at])) return;
      visit(children[at]);
    }
  }

  void at_cell(std::uint32_t column, std::uint32_t row) {
    const std::array<Triangle, 2> triangles = field_.triangles(column, row);
    for (std::uint32_t i = 0; i < 2; ++i) {
      const std::uint32_t number = 2 * field_.cell(column, row) + i;
      const ClosestOnTriangle on = closest_point(p_, triangles[i]);
      if (!(on.distance <= limit_)) continue;
      if (best_ && on.distance == limit_ && number > best_.triangle) continue;
      best_ = {number, on};
      limit_ = on.distance;
    }
  }

  const HeightField& field_;
  const Vec3& p_;
  double limit_;
  bool far_;
  double noise_;
  NearTriangle best_;
};

} // namespace

bool visit_triangles(const HeightField& field, const Aabb& box,
                     FunctionRef<bool(std::uint32_t triangle)> visit) {
  if (box.empty() || !touch(field.bounds(), box)) return true;
  return BoxVisit(field, box, visit).run();
}

NearTriangle nearest_triangle(const HeightField& field, const Vec3& p, double max_distance) {
  if (!is_finite(p) || max_abs(p) > 8 * tolerance::coordinate_max || !(max_distance >= 0))
    return {};
  return NearestSearch(field, p, max_distance).run();
}

} // namespace carom
