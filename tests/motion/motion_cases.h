// Motions for the tests: at rest, straight, spinning, screws, many turns, about points far away.
#pragma once

#include "carom/math/tolerance.h"
#include "carom/math/trig.h"
#include "carom/motion/motion.h"
#include "tests/support/generate_shape.h"

#include <algorithm>

namespace carom::test {

/// Of a body that starts there; `scale` is the size of things.
inline Motion motion(Source& source, const Pose& start, double scale) {
  static constexpr double angles[] = {0, 1, -1, 0.1, half_pi, pi, 7, -20, 1e-9, 3};
  const double angle = angles[source.index(10)];
  const Vec3 way = direction(source);
  static constexpr double ways[] = {1, 0, 5, 1e-3, 30};
  const Vec3 translation = coordinates(way * (ways[source.index(5)] * scale));
  const Vec3 axis = direction(source);
  const Vec3 near = direction(source);
  static constexpr double arms[] = {0, 1, 0.1, 10};
  const Vec3 point = coordinates(start.position + near * (arms[source.index(4)] * scale));
  switch (source.index(7)) {
  case 0:
    return Motion::rest(start);
  case 1:
    return Motion::translation_by(start, translation);
  case 2:
    return Motion::rotation_about(start, point, axis, angle);
  case 3:
    return Motion::translation_then_rotation(start, translation, point, axis, angle);
  case 4:
    return Motion::screw(start, point, axis * 3, angle, length(translation));
  case 5: {
    const Pose end = {rotation(source), start.position + translation};
    return Motion::between(start, end, near * (0.1 * scale));
  }
  default:
    return Motion::velocity(start, translation, axis * angle, 1, near * (0.2 * scale));
  }
}

/// What rounding errors of places are relative to.
inline double motion_size(const Motion& m) {
  return max_abs(m.start.position) + max_abs(m.pivot) + max_abs(m.translation);
}

} // namespace carom::test
