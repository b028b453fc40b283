#include "carom/dynamics/surface_triangles.h"

#include "carom/geometry/overlap_box.h"
#include "carom/shape/composite.h"
#include "carom/shape/height_field_near.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom {
namespace {

bool meets(const FloatBox& a, const FloatBox& b) {
  bool meet = true;
  for (std::size_t i = 0; i < 3; ++i) meet = meet && a.min[i] <= b.max[i] && b.min[i] <= a.max[i];
  return meet;
}

void find_in_mesh(const TriangleMesh& mesh, const Aabb& box, std::vector<std::uint32_t>& found) {
  const WideTree& tree = mesh.tree().tree();
  if (tree.empty()) return;
  const FloatBox region = float_box(tree.frame(), box);
  std::array<ChildRef, WideTree::max_waiting> waiting;
  std::size_t count = 0;
  waiting[count++] = ChildRef::node(0);
  while (count > 0) {
    const ChildRef next = waiting[--count];
    if (next.is_leaf()) {
      for (const std::uint32_t i : tree.leaf(next.number()))
        if (i != WideTree::no_item && overlaps(bounds(mesh.triangle(i)), box)) found.push_back(i);
      continue;
    }
    const WideNode& node = tree.nodes()[next.number()];
    for (int i = 0; i < node.count; ++i)
      if (meets(node.box(i), region)) waiting[count++] = node.child[i];
  }
}

} // namespace

bool is_surface(const Shape& shape) {
  if (shape.convex() || shape.rounding() > 0) return false;
  if (const auto* mesh = body_of<TriangleMesh>(shape)) return !mesh->solid();
  return body_of<HeightField>(shape) != nullptr;
}

void find_triangles(const Shape& surface, const Aabb& box, std::vector<std::uint32_t>& found) {
  found.clear();
  if (const auto* mesh = body_of<TriangleMesh>(surface)) {
    find_in_mesh(*mesh, box, found);
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

double distance_from(const Shape& surface, const Aabb& box, double most) {
  const auto* mesh = body_of<TriangleMesh>(surface);
  if (mesh == nullptr) return 0;
  const WideTree& tree = mesh->tree().tree();
  if (tree.empty()) return most;
  const FloatBox region = float_box(tree.frame(), box);
  double least = most * tree.frame().per_unit;
  std::array<ChildRef, WideTree::max_waiting> waiting;
  std::size_t count = 0;
  waiting[count++] = ChildRef::node(0);
  while (count > 0) {
    const WideNode& node = tree.nodes()[waiting[--count].number()];
    for (int i = 0; i < node.count; ++i) {
      const FloatBox child = node.box(i);
      double square = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const double d = std::max({double{child.min[k]} - double{region.max[k]},
                                   double{region.min[k]} - double{child.max[k]}, 0.0});
        square += d * d;
      }
      if (!(square < least * least)) continue;
      if (node.child[i].is_leaf())
        least = std::sqrt(square);
      else
        waiting[count++] = node.child[i];
    }
  }
  return least * tree.frame().unit;
}

} // namespace carom
