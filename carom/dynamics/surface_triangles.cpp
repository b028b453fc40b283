#include "carom/dynamics/surface_triangles.h"

#include "carom/geometry/overlap_box.h"
#include "carom/shape/composite.h"
#include "carom/shape/height_field_near.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom {
namespace {

/// Bit i: the box of child i meets the region.
unsigned meeting_children(const WideNode& node, const FloatBox& region) {
  int apart[8] = {};
  for (int axis = 0; axis < 3; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    const GridAxis grid = node.grid(axis);
    const float step = grid.step(), low = region.min[k], high = region.max[k];
    for (std::size_t i = 0; i < 8; ++i) {
      const float from = grid.origin + static_cast<float>(node.lower[k][i]) * step;
      const float to = grid.origin + static_cast<float>(node.upper[k][i]) * step;
      apart[i] |= static_cast<int>(high < from) | static_cast<int>(to < low);
    }
  }
  unsigned bits = 0;
  for (std::size_t i = 0; i < 8; ++i) bits |= (apart[i] == 0 ? 1U : 0U) << i;
  return bits;
}

/// visit(number of a leaf) for those whose boxes meet this one.
template<class Visit>
void visit_leaves(const WideTree& tree, const Aabb& box, const Visit& visit) {
  if (tree.empty()) return;
  const FloatBox region = float_box(tree.frame(), box);
  std::array<ChildRef, WideTree::max_waiting> waiting;
  std::size_t count = 0;
  waiting[count++] = ChildRef::node(0);
  while (count > 0) {
    const ChildRef next = waiting[--count];
    if (next.is_leaf()) {
      visit(next.number());
      continue;
    }
    const WideNode& node = tree.nodes()[next.number()];
    const unsigned meeting = meeting_children(node, region);
    for (std::size_t i = 0; i < node.count; ++i)
      if (meeting >> i & 1) waiting[count++] = node.child[i];
  }
}

} // namespace

bool is_surface(const Shape& shape) {
  if (shape.convex() || shape.rounding() > 0) return false;
  if (const auto* mesh = body_of<TriangleMesh>(shape)) return !mesh->solid();
  return body_of<HeightField>(shape) != nullptr;
}

void find_leaves(const Shape& surface, const Aabb& box, std::vector<std::uint32_t>& found) {
  found.clear();
  visit_leaves(body_of<TriangleMesh>(surface)->tree().tree(), box,
               [&](std::uint32_t leaf) { found.push_back(leaf); });
  std::sort(found.begin(), found.end());
}

void find_triangles(const Shape& surface, const Aabb& box, std::vector<std::uint32_t>& found) {
  found.clear();
  if (const auto* mesh = body_of<TriangleMesh>(surface)) {
    const WideTree& tree = mesh->tree().tree();
    visit_leaves(tree, box, [&](std::uint32_t leaf) {
      for (const std::uint32_t i : tree.leaf(leaf))
        if (i != WideTree::no_item && overlaps(bounds(mesh->triangle(i)), box)) found.push_back(i);
    });
  } else {
    visit_triangles(*body_of<HeightField>(surface), box, [&](std::uint32_t i) {
      found.push_back(i);
      return true;
    });
  }
  std::sort(found.begin(), found.end());
}

Triangle triangle_of(const Shape& surface, std::uint32_t number) {
  if (const auto* mesh = body_of<TriangleMesh>(surface)) return mesh->triangle(number);
  return body_of<HeightField>(surface)->triangle(number);
}

SurfaceTriangles::SurfaceTriangles(const Shape& surface) : field_(body_of<HeightField>(surface)) {
  if (field_ == nullptr) mesh_ = body_of<TriangleMesh>(surface)->surface();
}

Triangle SurfaceTriangles::of_field(std::uint32_t number) const { return field_->triangle(number); }

/// The nearest boxes first, so that few are opened.
double distance_from(const Shape& surface, const Aabb& box, double most) {
  const auto* mesh = body_of<TriangleMesh>(surface);
  if (mesh == nullptr) return 0;
  const WideTree& tree = mesh->tree().tree();
  if (tree.empty()) return most;
  const FloatBox region = float_box(tree.frame(), box);
  struct Waiting {
    ChildRef child;
    float square;
  };
  auto least = static_cast<float>(std::min(most * tree.frame().per_unit, 4.0)); // all are within 1
  least = least * least;
  std::array<Waiting, WideTree::max_waiting> waiting;
  std::size_t count = 0;
  waiting[count++] = {ChildRef::node(0), 0};
  while (count > 0) {
    const Waiting next = waiting[--count];
    if (!(next.square < least)) continue;
    if (next.child.is_leaf()) {
      least = next.square;
      continue;
    }
    const WideNode& node = tree.nodes()[next.child.number()];
    float squares[8] = {};
    for (int axis = 0; axis < 3; ++axis) {
      const auto k = static_cast<std::size_t>(axis);
      const GridAxis grid = node.grid(axis);
      const float step = grid.step(), low = region.min[k], high = region.max[k];
      for (std::size_t i = 0; i < 8; ++i) {
        const float before = grid.origin + static_cast<float>(node.lower[k][i]) * step - high;
        const float after = low - (grid.origin + static_cast<float>(node.upper[k][i]) * step);
        const float apart = before < after ? after : before;
        const float d = apart < 0 ? 0 : apart;
        squares[i] += d * d;
      }
    }
    const std::size_t first = count;
    for (std::size_t i = 0; i < node.count; ++i) {
      if (!(squares[i] < least)) continue;
      std::size_t at = count++;
      for (; at > first && waiting[at - 1].square < squares[i]; --at) waiting[at] = waiting[at - 1];
      waiting[at] = {node.child[i], squares[i]};
    }
  }
  // In floats: a little is taken away for their rounding.
  const double found = std::sqrt(double{least}) * (1 - 1e-6) - double{tree_slack};
  return std::max(0.0, found) * tree.frame().unit;
}

} // namespace carom
