#include "carom/shape/core_support.h"

#include "carom/geometry/support.h"
#include "carom/shape/support.h"

namespace carom {
namespace {

/// The farthest point of each kind of core.
template<class Primitive>
Vec3 farthest(const Primitive& primitive, const Vec3& d) {
  return support_point(primitive, d);
}
Vec3 farthest(const Polytope& p, const Vec3& d) { return p.vertices()[p.farthest(d)]; }
Vec3 farthest(const HalfSpace& h, const Vec3&) {
  return h.normal * (h.offset / length_squared(h.normal));
}
Vec3 farthest(const BrushCore& b, const Vec3& d) { return farthest(b.corners, d); }
Vec3 farthest(const SumCore& s, const Vec3& d) {
  return support_point(*s.a, d) + support_point(*s.b, d);
}
Vec3 farthest(const HullOfTwoCore& h, const Vec3& d) {
  const Vec3 on_a = support_point(*h.a, d);
  const Vec3 on_b = support_point(*h.b, d);
  return dot(on_b - on_a, d) > 0 ? on_b : on_a;
}
Vec3 farthest(const CustomCore& c, const Vec3& d) {
  if (!is_finite(d) || d == Vec3{}) return c.inside;
  const Vec3 p = c.support(d);
  return is_finite(p) ? p : c.inside;
}
Vec3 farthest(const ScaledCore& s, const Vec3& d) {
  return mul(support_point(*s.shape, mul(s.factors, d)), s.factors);
}

template<class Core>
Vec3 call(const void* core, const Vec3& d) {
  return farthest(*static_cast<const Core*>(core), d);
}

struct HowOf {
  template<class Core>
  CoreSupport::How operator()(const Core&) const {
    return CoreSupport::How::call;
  }
  CoreSupport::How operator()(const Vec3&) const { return CoreSupport::How::point; }
  CoreSupport::How operator()(const Polytope&) const { return CoreSupport::How::polytope; }
  CoreSupport::How operator()(const Obb& box) const {
    const bool plain = box.center == Vec3{} && box.axes == Mat3::identity();
    return plain ? CoreSupport::How::box : CoreSupport::How::call;
  }
};

} // namespace

CoreSupport::CoreSupport(const ShapeCore& core) : how_(std::visit(HowOf{}, core)) {
  std::visit(
      [this]<class Core>(const Core& c) {
        core_ = &c;
        function_ = &call<Core>;
      },
      core);
}

} // namespace carom
