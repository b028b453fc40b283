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

  [[nodiscard]] How how() const { return how_; }

  [[nodiscard]] Vec3 operator()(const Vec3& d) const {
    switch (how_) {
    case How::point:
      return *static_cast<const Vec3*>(core_);
    case How::box: {
      const Vec3& half = static_cast<const Obb*>(core_)->half;
      // Without branches, which would be guessed wrong every other time.
      return {std::copysign(half.x, d.x), std::copysign(half.y, d.y), std::copysign(half.z, d.z)};
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
