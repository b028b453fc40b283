#include "carom/query/core_pair.h"

#include "carom/geometry/support.h"
#include "carom/math/tolerance.h"
#include "carom/shape/support.h"

namespace carom {
namespace {

template<class Primitive>
Vec3 primitive_point(const void* core, const Vec3& d) {
  return support_point(*static_cast<const Primitive*>(core), d);
}

Vec3 polytope_point(const void* core, const Vec3& d) {
  const Polytope& p = *static_cast<const Polytope*>(core);
  return p.vertices()[p.farthest(d)];
}

/// A box along its own axes, around the origin: what most boxes are.
Vec3 plain_box_point(const void* core, const Vec3& d) {
  const Vec3& half = static_cast<const Obb*>(core)->half;
  return {d.x < 0 ? -half.x : half.x, d.y < 0 ? -half.y : half.y, d.z < 0 ? -half.z : half.z};
}

Vec3 any_point(const void* shape, const Vec3& d) {
  return core_support_point(*static_cast<const Shape*>(shape), d);
}

struct SupportOf {
  const Shape& shape;

  template<class Primitive>
  CoreSupport operator()(const Primitive& core) const {
    if constexpr (requires { support_point(core, Vec3{}); }) {
      return {&core, primitive_point<Primitive>};
    } else {
      return {&shape, any_point};
    }
  }
  CoreSupport operator()(const Polytope& core) const { return {&core, polytope_point}; }
  CoreSupport operator()(const BrushCore& core) const { return {&core.corners, polytope_point}; }
  CoreSupport operator()(const Obb& core) const {
    const bool plain = core.center == Vec3{} && core.axes == Mat3::identity();
    return {&core, plain ? plain_box_point : primitive_point<Obb>};
  }
};

/// The farthest points are corners, so the search for the nearest ones ends.
bool is_polytope(const Shape& shape) {
  const ShapeCore& c = shape.core();
  return std::holds_alternative<Vec3>(c) || std::holds_alternative<Segment>(c) ||
         std::holds_alternative<Triangle>(c) || std::holds_alternative<Obb>(c) ||
         std::holds_alternative<Polytope>(c) || std::holds_alternative<BrushCore>(c);
}

/// The roundings of a support value: two frames into one, a direction and a point through it, the scan's products, the unit vector.
constexpr double support_roundings = 24;
/// A hundredth of what Distance promises for curved shapes.
constexpr double curved_agreement = 1e-12;

} // namespace

CoreSupport core_support(const Shape& shape) { return std::visit(SupportOf{shape}, shape.core()); }

CorePair::CorePair(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b)
    : frame_a_(pose_a.frame()),
      frame_b_(pose_b.frame()), b_in_a_{{frame_a_.direction_to_local(frame_b_.basis.x),
                                         frame_a_.direction_to_local(frame_b_.basis.y),
                                         frame_a_.direction_to_local(frame_b_.basis.z)},
                                        frame_a_.to_local(frame_b_.origin)},
      support_a_(core_support(a)), support_b_(core_support(b)),
      size_(a.size() + b.size() + max_abs(b_in_a_.origin)),
      rounding_(support_roundings * tolerance::epsilon * size_),
      agreement_(is_polytope(a) && is_polytope(b) ? 2.5 * rounding_ : curved_agreement * size_),
      id_a_(a.id()), id_b_(b.id()) {}

} // namespace carom
