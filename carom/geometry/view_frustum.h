// What a camera sees: a pyramid cut off at a near and a far plane.
#pragma once

#include "carom/geometry/plane.h"
#include "carom/math/mat3.h"

#include <array>

namespace [[gnu::visibility("default")]] carom {

/// The points eye + axes * (x, y, z) with near <= z <= far, |x| <= slope_x z and |y| <= slope_y z. The columns of `axes` are
/// orthonormal: right, up (or down) and forward. 0 <= near <= far. A slope is the tangent of half the opening angle.
struct ViewFrustum {
  Vec3 eye;
  Mat3 axes;
  double near = 0, far = 1;
  double slope_x = 1, slope_y = 1;

  /// Corner i: bit 0 and 1 choose the greater x and y, bit 2 the far plane.
  [[nodiscard]] constexpr Vec3 corner(int i) const {
    const double z = i & 4 ? far : near;
    return eye + axes * Vec3{(i & 1 ? slope_x : -slope_x) * z, (i & 2 ? slope_y : -slope_y) * z, z};
  }
  /// Its six sides as half-spaces with unit normals: near, far, left (least x), right, bottom (least y), top.
  [[nodiscard]] std::array<HalfSpace, 6> half_spaces() const {
    const auto through = [](const Vec3& point, const Vec3& outward) {
      const Plane p = make_plane(point, outward);
      return HalfSpace{p.normal, p.offset};
    };
    return {through(eye + axes.z * near, -axes.z),      through(eye + axes.z * far, axes.z),
            through(eye, axes * Vec3{-1, 0, -slope_x}), through(eye, axes * Vec3{1, 0, -slope_x}),
            through(eye, axes * Vec3{0, -1, -slope_y}), through(eye, axes * Vec3{0, 1, -slope_y})};
  }
};

} // namespace carom
