// The first pair of parts that overlaps, or a point of one shape inside of the other.
#include "carom/query/composite_queries.h"
#include "carom/query/part_walk.h"
#include "carom/query/solid_inside.h"

namespace carom {
namespace {

/// A pair of triangles of two meshes that meet.
ShapeOverlap meshes_overlap(const TriangleMesh& mesh_a, const TriangleMesh& mesh_b,
                            const PartPair& pair, PartShape& part_a, PartShape& part_b) {
  ShapeOverlap result;
  const TrianglePair found = any_meeting(mesh_a.set(), mesh_b.set(), pair.b_in_a());
  if (!found) return result;
  part_a.take(found.a);
  part_b.take(found.b);
  // They meet exactly where B's corners are rounded to A's frame; seen otherwise, they may miss by a rounding.
  const Distance d = distance(part_a.shape(), part_a.pose(), part_b.shape(), part_b.pose());
  static_cast<Overlap&>(result) = Overlap::at(d.on_a + (d.on_b - d.on_a) * 0.5);
  result.part_a = part_a.id();
  result.part_b = part_b.id();
  return result;
}

ShapeOverlap within(const InsidePoint& inside) {
  ShapeOverlap result;
  static_cast<Overlap&>(result) = Overlap::at(inside.point);
  return result;
}

} // namespace

ShapeOverlap composite_overlap(const Shape& a, const Pose& pose_a, const Shape& b,
                               const Pose& pose_b) {
  if (!parts_in_range(a, pose_a) || !parts_in_range(b, pose_b)) return {{}, Status::bad_input};
  const PartPair pair(a, pose_a, b, pose_b);
  const Opened opened(a, b);
  PartShape part_a(a, pose_a, opened.a), part_b(b, pose_b, opened.b);
  ShapeOverlap result;
  const auto *mesh_a = body_of<TriangleMesh>(a), *mesh_b = body_of<TriangleMesh>(b);
  if (mesh_a && mesh_b && a.rounding() + b.rounding() == 0) {
    result = meshes_overlap(*mesh_a, *mesh_b, pair, part_a, part_b);
  } else {
    int tried = 0;
    walk_parts(
        PartTree(a, opened.a), PartTree(b, opened.b), 0,
        [&](const Aabb& box_a, const Aabb& box_b) { return pair.gap(box_a, box_b); },
        [&](std::uint64_t i, std::uint64_t j, double& limit) {
          part_a.take(i);
          part_b.take(j);
          ++tried;
          const ShapeOverlap o =
              overlap(part_a.shape(), part_a.pose(), part_b.shape(), part_b.pose());
          if (!o.hit) return;
          result = o;
          result.part_a = part_a.id(o.part_a);
          result.part_b = part_b.id(o.part_b);
          limit = -INFINITY;
        });
    result.iterations = tried;
  }
  if (result.hit) return result;
  if (const auto inside = point_inside(a, pair.frame_a(), b, pose_b)) {
    result = within(*inside);
    result.part_b = inside->part;
  } else if (const auto outside = point_inside(b, pair.frame_b(), a, pose_a)) {
    result = within(*outside);
    result.part_a = outside->part;
  }
  return result;
}

} // namespace carom
