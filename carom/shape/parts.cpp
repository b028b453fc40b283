#include "carom/shape/parts.h"

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

struct Opening {
  const PartGroup& group;
  double rounding;
  PartTree::Children& children;

  std::size_t operator()(const TriangleMesh& mesh) const {
    const TriangleSurface surface = mesh.surface();
    return open_wide(mesh.tree().tree(), group, rounding, children,
                     [&](std::uint32_t i) { return bounds(surface[i]); });
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

} // namespace

PartTree::PartTree(const Shape& shape, bool opened) : shape_(shape) {
  if (shape.convex()) {
    whole_ = {bounds(shape), 0, true};
  } else {
    whole_ = {grown(bounds_of(shape.composite()), shape.rounding()), 0, !opened};
  }
}

std::size_t PartTree::open(const PartGroup& group, Children& children) const {
  return std::visit(Opening{group, shape_.rounding(), children}, shape_.composite().body);
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
  const auto* mesh = body_of<TriangleMesh>(whole_);
  if (!scratch_) {
    const double rounding = whole_.rounding();
    scratch_ = mesh ? Shape::make(ShapeKind::triangle, Triangle{}, rounding)
                    : Shape::make(ShapeKind::sphere, Vec3{}, rounding);
  }
  current_ = &*scratch_;
  Shape::Data& data = *scratch_->data_;
  double size = 0;
  if (mesh) {
    const Triangle t = mesh->surface()[number_];
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
    const bool has_triangles = body_of<TriangleMesh>(part.shape) != nullptr;
    return {within_part.element, number_, has_triangles ? within_part.material : part.material};
  }
  const auto* mesh = body_of<TriangleMesh>(whole_);
  return {number_, 0, mesh ? mesh->material(number_) : 0};
}

} // namespace carom
