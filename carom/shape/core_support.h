// The support mapping of a core, ready to be called many times: the kind is looked up once, when the shape is built.
#pragma once

#include "carom/geometry/box.h"
#include "carom/shape/core.h"

namespace [[gnu::visibility("default")]] carom {

/// core_support(d) is a point of the core that lies farthest along d (support.h says the rest). Refers to the core.
class CoreSupport {
public:
  /// Which of the frequent kinds are answered in place, without a call.
  enum class How : std::uint8_t {
    point,
    box, ///< around the origin, along the axes
    polytope,
    call,
  };

  explicit CoreSupport(const ShapeCore& core);

  [[nodiscard]] Vec3 operator()(const Vec3& d) const {
    switch (how_) {
    case How::point:
      return *static_cast<const Vec3*>(core_);
    case How::box: {
      const Vec3& half = static_cast<const Obb*>(core_)->half;
      return {d.x < 0 ? -half.x : half.x, d.y < 0 ? -half.y : half.y, d.z < 0 ? -half.z : half.z};
    }
    case How::polytope: {
      const Polytope& polytope = *static_cast<const Polytope*>(core_);
      return polytope.vertices()[polytope.farthest(d)];
    }
    default:
      return function_(core_, d);
    }
  }

private:
  How how_;
  const void* core_;
  Vec3 (*function_)(const void* core, const Vec3& d);
};

} // namespace carom
