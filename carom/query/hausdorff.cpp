// Which search for which pair.
//
//   B convex                    each convex part of A by itself: by corners, or by directions (convex_hausdorff.cpp). What is inside of a solid mesh A does not matter, since a convex function is greatest at corners.
//   A and B meshes              triangles of A (surface_hausdorff.cpp); where A is a solid, its inside afterwards (inside_hausdorff.cpp)
//   A a compound or a cloud     part after part
//   others                      by boxes (cell_hausdorff.cpp)
//
// All parts of A add to the same bounds: the one after is only looked at where it may reach farther than those before.
#include "carom/query/hausdorff.h"

#include "carom/math/tolerance.h"
#include "carom/query/cell_hausdorff.h"
#include "carom/query/convex_hausdorff.h"
#include "carom/query/hausdorff_points.h"
#include "carom/query/hausdorff_search.h"
#include "carom/query/inside_hausdorff.h"
#include "carom/query/part_walk.h"
#include "carom/query/rounded.h"
#include "carom/query/surface_hausdorff.h"
#include "carom/shape/composite.h"
#include "carom/shape/parts.h"
#include "carom/shape/support.h"

#include <cmath>

namespace carom {
namespace {

class Search {
public:
  Search(const Shape& b, const Pose& pose_b, HausdorffBounds& bounds)
      : b_(b), pose_b_(pose_b), nearest_on_b_(b, pose_b), bounds_(bounds) {}

  /// A point of A, in the world: how far it is from B at most.
  double add_point(const Vec3& p) {
    const NearestOn::Near near = nearest_on_b_(p);
    bounds_.add(near.lower, [&] { return std::pair{p, near.point}; });
    return near.upper;
  }

  /// A part of a compound is none: the recursion ends there.
  void add(const Shape& a, const Pose& pose_a) { // NOLINT(misc-no-recursion)
    const auto* mesh_a = body_of<TriangleMesh>(a);
    const auto* mesh_b = body_of<TriangleMesh>(b_);
    if (a.convex() && b_.convex()) {
      search_convex(a, pose_a, b_, pose_b_, bounds_);
    } else if (a.convex() && std::holds_alternative<Vec3>(a.core()) && a.rounding() == 0) {
      bounds_.put_aside(add_point(pose_a.frame().to_world(std::get<Vec3>(a.core()))));
    } else if (a.kind() == ShapeKind::compound || a.kind() == ShapeKind::point_cloud ||
               b_.convex()) {
      add_parts(a, pose_a);
    } else if (mesh_a && mesh_b && a.rounding() == 0) {
      const PartPair pair(a, pose_a, b_, pose_b_);
      const TriangleSet set_b = mesh_b->set();
      const SurfaceTarget target{set_b, mesh_b->solid(), b_.rounding(), pair.b_in_a(),
                                 pair.frame_b()};
      search_surface(mesh_a->set(), target, bounds_);
      if (mesh_a->solid()) search_inside(*mesh_a, *mesh_b, target, bounds_);
    } else {
      search_cells(a, pose_a, b_, pose_b_, bounds_);
    }
  }

private:
  struct Group {
    double upper;
    PartGroup parts;
  };

  /// Those in the box that reaches farthest from B first.
  void add_parts(const Shape& a, const Pose& pose_a) { // NOLINT(misc-no-recursion)
    const Frame frame = pose_a.frame();
    const PartTree tree(a);
    PartShape part(a, pose_a);
    PartTree::Children children;
    HausdorffQueue<Group> queue;
    queue.push({INFINITY, tree.whole()});
    queue.run(bounds_, [&](const Group& group) { // NOLINT(misc-no-recursion)
      if (group.parts.single) {
        part.take(group.parts.place);
        return add(part.shape(), part.pose());
      }
      const std::size_t count = tree.open(group.parts, children);
      for (std::size_t i = 0; i < count; ++i) {
        const Vec3 center = frame.to_world(children[i].box.center());
        bounds_.add_other();
        const double upper =
            std::fmin(group.upper, nearest_on_b_(center).upper + length(children[i].box.half()));
        if (bounds_.matters(upper)) queue.push({upper, children[i]});
      }
    });
  }

  const Shape& b_;
  const Pose& pose_b_;
  NearestOn nearest_on_b_;
  HausdorffBounds& bounds_;
};

/// A reaches to infinity. B follows it only as a half-space with the same normal.
OneSidedHausdorff of_half_space(const Shape& a, const Pose& pose_a, const Shape& b,
                                const Pose& pose_b) {
  OneSidedHausdorff result;
  struct Placed {
    Vec3 normal, border; ///< a unit vector, and a point of the border
  };
  const auto placed = [](const Shape& shape, const Pose& pose) {
    const HalfSpace& h = std::get<HalfSpace>(shape.core());
    const Frame frame = pose.frame();
    const double scale = 1 / length(h.normal);
    const Vec3 n = h.normal * scale;
    return Placed{frame.direction_to_world(n),
                  frame.to_world(n * (h.offset * scale + shape.rounding()))};
  };
  const Placed of_a = placed(a, pose_a);
  result.on_a = result.on_b = of_a.border;
  result.value = result.lower_bound = result.upper_bound = INFINITY;
  if (b.bounded()) return result;
  const Placed of_b = placed(b, pose_b);
  if (length(of_a.normal - of_b.normal) > tolerance::plane_parallel_sine) return result;
  const double slack = 64 * tolerance::epsilon * (max_abs(of_a.border) + max_abs(of_b.border));
  result.value = std::fmax(dot(of_b.normal, of_a.border - of_b.border), 0);
  result.lower_bound = std::fmax(result.value - slack, 0);
  result.upper_bound = result.value + slack;
  result.on_b = of_a.border - of_b.normal * result.value;
  return result;
}

} // namespace

OneSidedHausdorff one_sided_hausdorff(const Shape& a, const Pose& pose_a, const Shape& b,
                                      const Pose& pose_b, const HausdorffOptions& options) {
  if (!in_range(pose_a) || !in_range(pose_b)) return {.status = Status::bad_input};
  if (!a.bounded()) return of_half_space(a, pose_a, b, pose_b);
  const Vec3 some_point = pose_a.frame().to_world(support_point(a, {1, 0, 0}));
  if (a == b && pose_a == pose_b) return {.on_a = some_point, .on_b = some_point};
  const double size = a.size() + b.size() + max_abs(pose_a.position) + max_abs(pose_b.position);
  HausdorffBounds bounds(options, 2 * surface_slack * size);
  Search search(b, pose_b, bounds);
  // Some point of A, so that there is one whatever the bounds are.
  search.add_point(some_point);
  search.add(a, pose_a);
  return bounds.answer();
}

Hausdorff hausdorff(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                    const HausdorffOptions& options) {
  Hausdorff h;
  h.a_from_b = one_sided_hausdorff(a, pose_a, b, pose_b, options);
  h.b_from_a = one_sided_hausdorff(b, pose_b, a, pose_a, options);
  std::swap(h.b_from_a.on_a, h.b_from_a.on_b);
  const bool second = h.b_from_a.value > h.a_from_b.value;
  const OneSidedHausdorff& greater = second ? h.b_from_a : h.a_from_b;
  const OneSidedHausdorff& other = second ? h.a_from_b : h.b_from_a;
  h.value = greater.value;
  h.lower_bound = std::max(greater.lower_bound, other.lower_bound);
  h.upper_bound = std::max(greater.upper_bound, other.upper_bound);
  h.on_a = greater.on_a;
  h.on_b = greater.on_b;
  const bool decided = greater.status == Status::ok && other.upper_bound <= greater.upper_bound;
  h.status = greater.status == Status::bad_input || decided
                 ? greater.status
                 : std::max(greater.status, other.status);
  return h;
}

} // namespace carom
