// The triangles of a tree nearest to a point.
//
// Distances are those of closest_point(p, triangle) (geometry/closest_point.h), and so is what is returned of the triangle: the tree only saves asking most of
// them. Everything in the surface's own frame.
#pragma once

#include "carom/geometry/closest_point.h"
#include "carom/tree/curve_order.h"
#include "carom/tree/triangle_tree.h"

#include <cmath>
#include <span>

namespace [[gnu::visibility("default")]] carom {

struct NearTriangle {
  std::uint32_t triangle = WideTree::no_item;
  ClosestOnTriangle on; ///< its point, and how far that is

  [[nodiscard]] explicit operator bool() const { return triangle != WideTree::no_item; }
};

/// The nearest one at most max_distance away; none where there is none, and for a point that is not finite. Of those at the same distance (the nearest point is on an
/// edge) the one of the lowest number.
[[nodiscard]] NearTriangle nearest_triangle(const TriangleTree& tree,
                                            const TriangleSurface& surface, const Vec3& p,
                                            double max_distance = INFINITY);

/// The nearest ones, as many as there is room for, by distance and then by number. Returns how many there are.
std::size_t nearest_triangles(const TriangleTree& tree, const TriangleSurface& surface,
                              const Vec3& p, std::span<NearTriangle> room,
                              double max_distance = INFINITY);

/// nearest_triangle for each of many points, into the same places of `results`, to the bit: as many as both have room for. Asked in an order of its own (curve_order.h), each beginning with what the one
/// before has found: about twice as quick, from some hundred points on.
void nearest_triangle_each(const TriangleTree& tree, const TriangleSurface& surface,
                           std::span<const Vec3> points, std::span<NearTriangle> results,
                           GroupRoom& room, double max_distance = INFINITY);

} // namespace carom
