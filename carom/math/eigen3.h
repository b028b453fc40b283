// Eigenvalues and eigenvectors of symmetric 3x3 matrices: principal axes of inertia, of a covariance, of a quadric.
#pragma once

#include "carom/math/mat3.h"

namespace [[gnu::visibility("default")]] carom {

struct Eigen3 {
  /// The eigenvalues, in descending order (of value, not of magnitude).
  Vec3 values;
  /// Column i is a unit eigenvector of values[i]. The columns form a rotation (determinant +1).
  Mat3 vectors;
  /// False where the input held a NaN or an infinity. Then `values` is zero and `vectors` the identity.
  bool finite = true;
};

/// The eigenvalues and eigenvectors of (m + transpose(m)) / 2, for every matrix m.
///
/// With n the greatest magnitude of an entry of that symmetric part S, u = 2^-53 and V = vectors:
///   every entry of  V diagonal(values) transpose(V) - S  is below 32 u n, each eigenvalue is within 32 u n of the true one,
///   and every entry of  V transpose(V) - I  is below 32 u.
/// The bounds hold at every scale where 3 n does not overflow and n is not subnormal.
///
/// Eigenvectors of a repeated eigenvalue are any orthonormal basis of its space, those of the zero matrix are the identity.
/// The result is a function of the bits of S: the first two columns have their component of greatest magnitude positive (the
/// first of equals), and the third completes the rotation. Equal eigenvalues keep the order of the axes they came from.
[[nodiscard]] Eigen3 symmetric_eigen(const Mat3& m);

} // namespace carom
