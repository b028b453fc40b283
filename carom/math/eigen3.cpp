// Cyclic Jacobi. A plane rotation in the axes (p, q) makes the entry (p, q) zero; the planes (0,1), (0,2), (1,2) take turns.
//
// Why it converges, and how fast. Let S be the sum of the squares of the three entries above the diagonal. A rotation by an angle
// of at most 45 degrees, so with cos^2 >= 1/2, removes its own entry from S and mixes the other two, (p, r) and (q, r). One of those
// two was made zero by the rotation before. So the other, of value y, becomes (y cos) in its own place and (y sin) in the place
// that was zero. In the order 01, 02, 12, 01, ... its own place is always the one whose turn is next. Hence every rotation from
// the third on removes at least half of S. Entries are at most 1 after scaling, S at most 3, so after the first two rotations
// 108 more bring S below 2^-106, which is below the rounding of the largest entry, whatever the matrix: 37 sweeps of three.
// That is the bound on the loop. Near the end convergence is quadratic, and in practice 4 to 6 sweeps do.
//
// A rotation is orthogonal to within rounding, so errors never grow: each adds a few u of the norm, which is what makes Jacobi
// better than the roots of the characteristic polynomial, where half of the digits are lost at a repeated eigenvalue.
#include "carom/math/eigen3.h"

#include <utility>

namespace carom {
namespace {

constexpr int max_sweeps = 37;

[[nodiscard]] double max_abs(const Mat3& m) {
  return carom::max_abs(Vec3{carom::max_abs(m.x), carom::max_abs(m.y), carom::max_abs(m.z)});
}

[[nodiscard]] Vec3 ldexp(const Vec3& v, int exponent) {
  return {std::ldexp(v.x, exponent), std::ldexp(v.y, exponent), std::ldexp(v.z, exponent)};
}

/// Multiplies m by a power of two that brings its greatest magnitude into [1/2, 1). Returns the exponent to undo it.
int scale_to_unit(Mat3& m) {
  int exponent = 0;
  (void)std::frexp(max_abs(m), &exponent);
  m = {ldexp(m.x, -exponent), ldexp(m.y, -exponent), ldexp(m.z, -exponent)};
  return exponent;
}

/// Makes a(p, q) zero by a rotation in the plane of p and q, r being the third axis, and applies it to the columns of v.
template<int p, int q>
void rotate(Mat3& a, Mat3& v) {
  const double off = a[p][q];
  // Dropping an entry this small moves no eigenvalue of a definite matrix by more than a rounding of that eigenvalue. The square
  // may underflow to zero: then the entry is below 1e-161 of the largest.
  if (off * off <= 0x1p-110 * std::fabs(a[p][p] * a[q][q])) {
    a[p][q] = a[q][p] = 0;
    return;
  }
  // tan(angle) is the smaller root of t^2 + 2 theta t - 1: the angle is at most 45 degrees. Where theta^2 overflows, t is 0.
  const double theta = (a[q][q] - a[p][p]) / (2 * off);
  const double root = std::fabs(theta) + std::sqrt(theta * theta + 1);
  const double t = theta < 0 ? -1 / root : 1 / root;
  const double c = 1 / std::sqrt(t * t + 1);
  const double s = t * c;
  const double tau =
      s / (1 + c); // c = 1 - s tau: updates as small corrections keep the digits of a small angle
  const auto turn = [&](double& x, double& y) {
    const double old_x = x;
    const double old_y = y;
    x = old_x - s * (old_y + tau * old_x);
    y = old_y + s * (old_x - tau * old_y);
  };
  constexpr int r = 3 - p - q;
  a[p][p] -= t * off;
  a[q][q] += t * off;
  a[p][q] = a[q][p] = 0;
  turn(a[r][p], a[r][q]);
  a[p][r] = a[r][p];
  a[q][r] = a[r][q];
  for (int i = 0; i < 3; ++i) turn(v[p][i], v[q][i]);
}

/// Descending; a swap happens only at a strict inequality, so equal values keep their order.
void sort(Eigen3& e) {
  const auto order = [&](int i, int j) {
    if (!(e.values[i] < e.values[j])) return;
    std::swap(e.values[i], e.values[j]);
    std::swap(e.vectors[i], e.vectors[j]);
  };
  order(0, 1);
  order(1, 2);
  order(0, 1);
}

void fix_signs(Mat3& v) {
  for (int i = 0; i < 2; ++i) {
    if (v[i][largest_axis(v[i])] < 0) v[i] = -v[i];
  }
  if (determinant(v) < 0) v.z = -v.z;
}

} // namespace

Eigen3 symmetric_eigen(const Mat3& m) {
  Eigen3 result;
  if (!is_finite(m.x) || !is_finite(m.y) || !is_finite(m.z)) {
    result.finite = false;
    return result;
  }
  // Scaled once so that the sum of transposed entries cannot overflow, and again because the sum may be far smaller.
  Mat3 a = m;
  int exponent = scale_to_unit(a);
  a = (a + transpose(a)) * 0.5;
  exponent += scale_to_unit(a);

  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    if (a.x.y == 0 && a.x.z == 0 && a.y.z == 0) break;
    rotate<0, 1>(a, result.vectors);
    rotate<0, 2>(a, result.vectors);
    rotate<1, 2>(a, result.vectors);
  }
  result.values = ldexp({a.x.x, a.y.y, a.z.z}, exponent);
  sort(result);
  fix_signs(result.vectors);
  return result;
}

} // namespace carom
