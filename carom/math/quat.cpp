#include "carom/math/quat.h"

#include "carom/math/trig.h"

namespace carom {
namespace {

/// sin and cos of angle/2, up to a common factor near 1. The double nearest to a number n of quarter turns is not exactly that; where
/// `angle` is n half_pi as doubles have it, n quarter turns are meant, and given: then to_matrix gives zeros and ones.
SinCos half_turn(double angle) {
  const double n = std::floor(angle / half_pi + 0.5);
  if (std::fabs(n) > 0x1p20 || n * half_pi != angle) return sin_cos(angle / 2);
  const double h = std::sqrt(0.5);
  // sin and cos of n eighths of a turn.
  const double eighths[] = {0, h, 1, h, 0, -h, -1, -h};
  const unsigned i = static_cast<unsigned>(static_cast<int>(n)) % 8; // also right where n < 0
  return {eighths[i], eighths[(i + 2) % 8]};
}

} // namespace

Quat Quat::from_axis_angle(const Vec3& axis, double angle) {
  const double size = max_abs(axis);
  if (!(size > 0) || !is_finite(axis) || !std::isfinite(angle)) return {};
  const Vec3 scaled = axis / size; // so that its length neither overflows nor vanishes
  const SinCos half = half_turn(angle);
  const Vec3 v = scaled * (half.sin / length(scaled));
  return {v.x, v.y, v.z, half.cos};
}

// For a rotation by the unit quaternion q the sums below are 4 q_i q_j: a symmetric matrix of rank 1 each of whose rows is a multiple
// of q. The row with the greatest diagonal 4 q_i^2 >= 1 has the smallest relative error; no root of a small difference is taken.
// Each entry off the diagonal uses both of the matrix elements that hold it, so that opposite errors cancel.
Quat Quat::from_matrix(const Mat3& m) {
  const double xx = 1 + m.x.x - m.y.y - m.z.z;
  const double yy = 1 - m.x.x + m.y.y - m.z.z;
  const double zz = 1 - m.x.x - m.y.y + m.z.z;
  const double ww = 1 + m.x.x + m.y.y + m.z.z;
  const double xy = m.x.y + m.y.x, yz = m.y.z + m.z.y, zx = m.z.x + m.x.z;
  const double xw = m.y.z - m.z.y, yw = m.z.x - m.x.z, zw = m.x.y - m.y.x;
  if (ww >= xx && ww >= yy && ww >= zz) return normalized(Quat{xw, yw, zw, ww});
  if (xx >= yy && xx >= zz) return normalized(Quat{xx, xy, zx, xw});
  if (yy >= zz) return normalized(Quat{xy, yy, yz, yw});
  return normalized(Quat{zx, yz, zz, zw});
}

} // namespace carom
