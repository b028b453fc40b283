#include "carom/shape/parts.h"

#include "carom/math/scratch.h"
#include "carom/math/tolerance.h"
#include "carom/shape/inner_ball.h"
#include "carom/shape/support.h"

#include <algorithm>

namespace carom {
namespace {

constexpr std::uint64_t leaf_bit = std::uint64_t{1} << 32;

Aabb grown(const Aabb& box, double radius) {
  const Vec3 r{radius, radius, radius};
  return {box.min - r, box.max + r};
}

/// The box of a child of a node.
Aabb box_in_doubles(const WideTree& tree, const WideNode& node, int lane) {
  const TreeFrame& frame = tree.frame();
  const FloatBox box = node.box(lane);
  Aabb result;
  for (int k = 0; k < 3; ++k) {
    const auto at = static_cast<std::size_t>(k);
    result.min[k] = frame.center[k] + static_cast<double>(box.min[at]) * frame.unit;
    result.max[k] = frame.center[k] + static_cast<double>(box.max[at]) * frame.unit;
  }
  return result;
}

/// box_of(item) is the box of one thing.
template<class BoxOf>
std::size_t open_wide(const WideTree& tree, const PartGroup& group, double rounding,
                      PartTree::Children& children, BoxOf&& box_of) {
  std::size_t count = 0;
  if ((group.place & leaf_bit) != 0) {
    for (const std::uint32_t item : tree.leaf(static_cast<std::uint32_t>(group.place))) {
      if (item == WideTree::no_item) break;
      children[count++] = {grown(box_of(item), rounding), item, true};
    }
    return count;
  }
  const WideNode& node = tree.nodes()[group.place];
  for (int i = 0; i < node.count; ++i) {
    const ChildRef child = node.child[i];
    const std::uint64_t place = child.number() | (child.is_leaf() ? leaf_bit : 0);
    children[count++] = {grown(box_in_doubles(tree, node, i), rounding), place, false};
  }
  return count;
}

// Blocks of a height field by their level and their number on it. Those of 2 x 2 cells are opened into triangles.

std::uint64_t place_of(const HeightField& field, const HeightFieldNode& node) {
  const std::uint64_t columns = ((field.cell_columns() - 1) >> node.level) + 1;
  return std::uint64_t{node.level} << 32 | (columns * node.y + node.x);
}
HeightFieldNode node_at(const HeightField& field, std::uint64_t place) {
  const auto level = static_cast<std::uint32_t>(place >> 32);
  const std::uint32_t columns = ((field.cell_columns() - 1) >> level) + 1;
  const auto number = static_cast<std::uint32_t>(place);
  return {level, number % columns, number / columns};
}

std::size_t open_blocks(const HeightField& field, const PartGroup& group, double rounding,
                        PartTree::Children& children) {
  const HeightFieldNode node = node_at(field, group.place);
  std::size_t count = 0;
  if (node.level > 1) {
    std::array<HeightFieldNode, 4> blocks;
    const auto found = static_cast<std::size_t>(field.children(node, blocks));
    for (; count < found; ++count) {
      children[count] = {grown(field.box(blocks[count]), rounding), place_of(field, blocks[count]),
                         false};
    }
    return count;
  }
  const CellRange range = field.cells(node);
  for (std::uint32_t row = range.row; row < range.end_row; ++row) {
    for (std::uint32_t column = range.column; column < range.end_column; ++column) {
      const std::uint32_t cell = field.cell(column, row);
      if (field.hole(cell)) continue;
      const std::array<Triangle, 2> triangles = field.triangles(column, row);
      children[count++] = {grown(bounds(triangles[0]), rounding), 2 * cell, true};
      children[count++] = {grown(bounds(triangles[1]), rounding), 2 * cell + 1, true};
    }
  }
  return count;
}

struct Opening {
  const PartGroup& group;
  double rounding;
  PartTree::Children& children;

  std::size_t operator()(const TriangleMesh& mesh) const {
    const TriangleSurface surface = mesh.surface();
    return open_wide(mesh.tree().tree(), group, rounding, children,
                     [&](std::uint32_t i) { return bounds(surface[i]); });
  }
  std::size_t operator()(const HeightField& field) const {
    return open_blocks(field, group, rounding, children);
  }
  std::size_t operator()(const PointCloud& cloud) const {
    return open_wide(cloud.tree(), group, rounding, children, [&](std::uint32_t i) {
      return Aabb{cloud.points()[i], cloud.points()[i]};
    });
  }
  std::size_t operator()(const Compound& compound) const {
    return open_wide(compound.tree(), group, rounding, children,
                     [&](std::uint32_t i) { return compound.boxes()[i]; });
  }
};

struct NumbersEnd {
  std::uint64_t operator()(const TriangleMesh& mesh) const { return mesh.surface().size(); }
  std::uint64_t operator()(const HeightField& field) const { return field.triangle_count(); }
  std::uint64_t operator()(const PointCloud& cloud) const { return cloud.points().size(); }
  std::uint64_t operator()(const Compound& compound) const { return compound.parts().size(); }
};

bool has_triangles(const Shape& shape) {
  return body_of<TriangleMesh>(shape) != nullptr || body_of<HeightField>(shape) != nullptr;
}

} // namespace

PartTree::PartTree(const Shape& shape, bool opened) : shape_(shape) {
  if (shape.convex()) {
    whole_ = {bounds(shape), 0, true};
  } else {
    const auto* field = body_of<HeightField>(shape);
    const std::uint64_t place = field ? place_of(*field, field->root()) : 0;
    whole_ = {grown(bounds_of(shape.composite()), shape.rounding()), place, !opened};
  }
}

std::size_t PartTree::open(const PartGroup& group, Children& children) const {
  return std::visit(Opening{group, shape_.rounding(), children}, shape_.composite().body);
}

std::uint64_t part_numbers(const Shape& shape) {
  return shape.convex() ? 1 : std::visit(NumbersEnd{}, shape.composite().body);
}

bool is_part(const Shape& shape, std::uint64_t number) {
  const auto* field = body_of<HeightField>(shape);
  return !field || !field->hole(static_cast<std::uint32_t>(number / 2));
}

std::uint64_t some_part(const Shape& shape) {
  const auto* field = body_of<HeightField>(shape);
  return field ? 2 * std::uint64_t{field->some_cell()} : 0;
}

PartShape::PartShape(const Shape& whole, const Pose& pose, bool opened)
    : whole_(whole), whole_pose_(pose), opened_(opened && !whole.convex()), current_(&whole),
      pose_(pose) {}

void PartShape::take(std::uint64_t number) {
  number_ = static_cast<std::uint32_t>(number);
  if (!opened_) return;
  if (const auto* compound = body_of<Compound>(whole_)) {
    const CompoundPart& part = compound->parts()[number_];
    current_ = &part.shape;
    pose_ = part_pose(whole_pose_, part.pose);
    return;
  }
  const bool triangles = has_triangles(whole_);
  if (!scratch_) {
    const double rounding = whole_.rounding();
    const auto make = [&](ShapeKind kind, const ShapeCore& core) {
      return Shape(
          std::allocate_shared<Shape::Data>(ScratchAllocator<Shape::Data>{}, kind, core, rounding));
    };
    scratch_ = triangles ? make(ShapeKind::triangle, Triangle{}) : make(ShapeKind::sphere, Vec3{});
  }
  current_ = &*scratch_;
  Shape::Data& data = *scratch_->data_;
  double size = 0;
  if (triangles) {
    const auto* mesh = body_of<TriangleMesh>(whole_);
    const Triangle t =
        mesh ? mesh->surface()[number_] : body_of<HeightField>(whole_)->triangle(number_);
    std::get<Triangle>(data.core) = t;
    size = std::max({max_abs(t.a), max_abs(t.b), max_abs(t.c)});
  } else {
    const Vec3& p = std::get<PointCloud>(whole_.composite().body).points()[number_];
    std::get<Vec3>(data.core) = p;
    size = max_abs(p);
  }
  data.size = size + data.rounding;
  data.inner_ball = inner_ball(data.core);
}

PartId PartShape::id(const PartId& within_part) const {
  if (!opened_) return within_part;
  if (const auto* compound = body_of<Compound>(whole_)) {
    const CompoundPart& part = compound->parts()[number_];
    const bool own = has_triangles(part.shape);
    return {within_part.element, number_, own ? within_part.material : part.material};
  }
  if (const auto* mesh = body_of<TriangleMesh>(whole_))
    return {number_, 0, mesh->material(number_)};
  const auto* field = body_of<HeightField>(whole_);
  return {number_, 0, field ? field->material(number_) : std::uint32_t{0}};
}

} // namespace carom
