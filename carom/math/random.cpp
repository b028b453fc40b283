#include "carom/math/random.h"

namespace carom {

Vec3 Random::in_ball() {
  for (;;) {
    const Vec3 p = in_box({1, 1, 1});
    if (length_squared(p) <= 1) return p;
  }
}

Vec3 Random::direction() {
  for (;;) {
    // Points very near the centre are thrown away too: their direction has few bits.
    const Vec3 p = in_ball();
    const double l = length(p);
    if (l > 1e-3) return p / l;
  }
}

Quat Random::rotation() {
  // A uniform direction in four dimensions is a uniform rotation.
  for (;;) {
    const Vec3 v = in_box({1, 1, 1});
    const double w = uniform(-1, 1);
    const Quat q{v.x, v.y, v.z, w};
    const double l2 = length_squared(q);
    if (l2 <= 1 && l2 > 1e-6) return normalized(q);
  }
}

} // namespace carom
