// Trigonometry with the same bits everywhere.
//
// The C library's functions differ in the last bit from one machine to the next. These use only + - * / and sqrt, which IEEE 754
// fixes, so that a simulation gives the same result on every compiler, optimisation level and processor, and in WebAssembly.
// They are also close to the best a double can do. An error of 0.5 ulp (units in the last place of the result) is perfect
// rounding; the tests hold the functions to a bound, and the greatest error seen in 4.5 million random arguments each is below it:
//
//                       bound       seen
//   sin cos sin_cos     0.51 ulp    0.5063    every finite argument, however large
//   tan                 0.52 ulp    0.5083    every finite argument, however large
//   asin acos atan      0.51 ulp    0.5026
//   atan2               0.51 ulp    0.5009    (1.5 million)
//
// Angles are radians. Symmetries hold to the bit: sin, tan, asin, atan are odd, cos is even, and zeros keep their sign. No result
// leaves its range: |sin| and |cos| <= 1, |asin| and |atan| <= half_pi, 0 <= acos <= pi, |atan2| <= pi. NaN in gives NaN out, always the
// same one.
//
// Inside namespace carom an unqualified sin(x) is this one. In your own code write carom::sin(x): after `using namespace carom`
// an unqualified sin(x) names both this and the C library's, and the compiler refuses it rather than choose.
#pragma once

namespace [[gnu::visibility("default")]] carom {

// The doubles nearest to the numbers. (half_pi and pi are below theirs by 6e-17 and 1.2e-16.)
inline constexpr double pi = 0x1.921fb54442d18p1;
inline constexpr double two_pi = 2 * pi;
inline constexpr double half_pi = pi / 2;
inline constexpr double quarter_pi = pi / 4;

struct SinCos {
  double sin, cos;
};

/// NaN for infinite x.
[[nodiscard]] double sin(double x);
/// NaN for infinite x.
[[nodiscard]] double cos(double x);
/// {sin(x), cos(x)}, the same bits, for the price of one.
[[nodiscard]] SinCos sin_cos(double x);
/// NaN for infinite x. Never infinite: no double is an odd multiple of pi/2.
[[nodiscard]] double tan(double x);

/// In [-half_pi, half_pi]. x is clamped to [-1, 1], because rounding carries dot products of unit vectors past 1.
[[nodiscard]] double asin(double x);
/// In [0, pi]. x is clamped to [-1, 1], as in asin.
[[nodiscard]] double acos(double x);
/// In [-half_pi, half_pi]; the ends for infinite x.
[[nodiscard]] double atan(double x);
/// The angle of the vector (x, y) from the x axis, counter-clockwise, in [-pi, pi], with the sign of y (which counts for zeros too).
/// With y = 0: 0 where x is positive or +0, pi where it is negative or -0. Infinite coordinates stand for the limit: one alone for
/// a vector along its axis, two for a diagonal.
[[nodiscard]] double atan2(double y, double x);

} // namespace carom
