// The quick quadratic: real roots to within a few roundings, for ray casts and their like. Where each root must come with a proof
// (how many there are, between which doubles), see roots.h.
#pragma once

namespace [[gnu::visibility("default")]] carom {

struct QuadraticSolution {
  int count = 0; ///< 0, 1 or 2: the number of distinct real roots
  double lo = 0,
         hi = 0; ///< the roots in ascending order; equal where there is one; 0 where there is none
};

/// The real roots of a x^2 + b x + c = 0.
///
/// `count` is exact for all finite coefficients: the discriminant's sign is computed without error. Two distinct roots may round to
/// the same double. Each root has a relative error below 6 * 2^-53, also where b^2 is nearly 4 a c and where b^2 is far greater;
/// near the ends of the range of double it may overflow to an infinity, or lose digits to a subnormal.
///
/// a = 0 is the linear equation: one root. a = b = 0 gives none, also where c = 0 and every number solves it. A coefficient that is
/// NaN or infinite gives none.
[[nodiscard]] QuadraticSolution solve_quadratic(double a, double b, double c);

} // namespace carom
