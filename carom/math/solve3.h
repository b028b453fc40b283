// Linear systems of two and three unknowns, for every matrix: either the solution, or the exact news that there is not just one.
#pragma once

#include "carom/math/mat3.h"
#include "carom/math/vec2.h"

namespace [[gnu::visibility("default")]] carom {

enum class SolveStatus {
  unique,     ///< the determinant is not zero
  singular,   ///< the determinant is exactly zero: no solution, or infinitely many
  not_finite, ///< a number of the input is NaN or infinite
};

struct Solve3 {
  Vec3 x; ///< the solution; zero unless the status is `unique`
  SolveStatus status = SolveStatus::not_finite;
  int rank = 0; ///< the exact rank of the matrix, 0 to 3; 0 where not finite
};

struct Solve2 {
  Vec2 x; ///< the solution; zero unless the status is `unique`
  SolveStatus status = SolveStatus::not_finite;
  int rank = 0; ///< the exact rank of the matrix, 0 to 2; 0 where not finite
};

/// The x with m x = b.
///
/// Status and rank are exact for all finite doubles: `singular` means that the determinant of these very doubles is zero, and a
/// matrix however close to that is not. Never NaN. Accuracy, with u = 2^-53:
///   - always |row_i(m) . x - b_i| <= 32 u max_j |m_ij| (|x| + |y| + |z|), for each row i;
///   - where m is far from well conditioned (a pivot of the matrix with rows scaled to 1 is below 2^-26), each component has
///     a relative error below 2^-49.
/// A component beyond the range of double is an infinity, one below it is rounded to a subnormal or zero.
[[nodiscard]] Solve3 solve(const Mat3& m, const Vec3& b);

/// The (s, t) with column_0 s + column_1 t = b; the same promises.
[[nodiscard]] Solve2 solve(const Vec2& column_0, const Vec2& column_1, const Vec2& b);

} // namespace carom
