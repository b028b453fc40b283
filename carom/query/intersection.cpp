// Two meshes: mesh_curves.h does it all, in A's frame. Compounds: so does it for each two parts whose boxes overlap.
#include "carom/query/intersection.h"

#include "carom/query/mesh_curves.h"
#include "carom/query/part_walk.h"
#include "carom/query/rounded.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace carom {
namespace {

/// Whether all of its surface is triangles.
bool has_triangles(const Shape& shape) {
  if (shape.rounding() != 0) return false;
  if (body_of<TriangleMesh>(shape)) return true;
  const Compound* compound = body_of<Compound>(shape);
  return compound &&
         std::all_of(compound->parts().begin(), compound->parts().end(),
                     [](const CompoundPart& part) { return has_triangles(part.shape); });
}

/// From A's frame to the world, from numbers of triangles to parts.
void place(SurfaceIntersection& found, const Frame& frame_a, const PartShape& a,
           const PartShape& b) {
  const TriangleMesh &mesh_a = *body_of<TriangleMesh>(a.shape()),
                     &mesh_b = *body_of<TriangleMesh>(b.shape());
  const auto name = [&](TrianglePartPair& t) {
    t.a.material = mesh_a.material(t.a.element);
    t.b.material = mesh_b.material(t.b.element);
    t = {a.id(t.a), b.id(t.b)};
  };
  for (IntersectionCurve& c : found.curves) {
    for (Vec3& p : c.points) p = frame_a.to_world(p);
    for (TrianglePartPair& t : c.triangles) name(t);
  }
  for (TouchingPoint& p : found.points) {
    p.point = frame_a.to_world(p.point);
    name(p.triangles);
  }
  for (CoplanarOverlap& o : found.overlaps) {
    for (Vec3& p : o.points) p = frame_a.to_world(p);
    name(o.triangles);
  }
}

template<class T>
void append(std::vector<T>& to, std::vector<T>&& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

} // namespace

MeshIntersection intersection(const Shape& a, const Pose& pose_a, const Shape& b,
                              const Pose& pose_b) {
  MeshIntersection result;
  if (!in_range(pose_a) || !in_range(pose_b) || !has_triangles(a) || !has_triangles(b)) {
    result.status = Status::bad_input;
    return result;
  }
  // Meshes stay closed: their parts are not triangles here.
  const bool compound_a = a.kind() == ShapeKind::compound,
             compound_b = b.kind() == ShapeKind::compound;
  PartShape part_a(a, pose_a, compound_a), part_b(b, pose_b, compound_b);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> near;
  const PartPair boxes(a, pose_a, b, pose_b);
  walk_parts(
      PartTree(a, compound_a), PartTree(b, compound_b), 0,
      [&](const Aabb& box_a, const Aabb& box_b) { return boxes.gap(box_a, box_b); },
      [&](std::uint64_t i, std::uint64_t j, double&) { near.emplace_back(i, j); });
  std::sort(near.begin(), near.end());
  for (const auto& [i, j] : near) {
    part_a.take(i);
    part_b.take(j);
    const PartPair pair(part_a.shape(), part_a.pose(), part_b.shape(), part_b.pose());
    SurfaceIntersection found =
        surface_intersection(body_of<TriangleMesh>(part_a.shape())->set(),
                             body_of<TriangleMesh>(part_b.shape())->set(), pair.b_in_a());
    place(found, pair.frame_a(), part_a, part_b);
    append(result.curves, std::move(found.curves));
    append(result.points, std::move(found.points));
    append(result.overlaps, std::move(found.overlaps));
  }
  return result;
}

} // namespace carom
