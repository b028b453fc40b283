// Velocities change first, v' = D v - a x, then positions, x' = x + h v'. That map has the determinant D and the trace 1 + D - h a. A true oscillator's over the time h are e^(-2 z w h) and
// 2 e^(-z w h) cos(w h sqrt(1 - z^2)) (cosh beyond critical damping). Equating both gives D and a: the spring moves exactly as it should at every sub-step.
#include "carom/dynamics/joint_spring.h"

#include "carom/math/trig.h"

#include <cmath>

namespace carom {

double decay(double x) {
  if (!(x < 700)) return 0;
  int halvings = 0;
  for (; x > 1.0 / 64; ++halvings) x *= 0.5;
  double e = 1;
  for (int i = 8; i > 0; --i) e = 1 - e * x / i;
  for (; halvings > 0; --halvings) e *= e;
  return e;
}

SpringStep spring_step(double frequency, double damping_ratio, double time) {
  const double turn = two_pi * frequency * time;
  if (turn > 0.5) {
    const double a = 2 * damping_ratio + turn, b = turn * a;
    return {b / (1 + b), 1 / (1 + b), b / (1 + b) * (two_pi * frequency) / a};
  }
  const double z = damping_ratio;
  double trace = 0;
  if (z < 1) {
    trace = 2 * decay(z * turn) * cos(turn * std::sqrt(1 - z * z));
  } else {
    const double root = std::sqrt(z * z - 1);
    trace = decay((z + root) * turn) + decay(turn / (z + root)); // z - root without cancellation
  }
  const double d = decay(2 * z * turn);
  return {1 - d, d, (1 + d - trace) / time};
}

} // namespace carom
