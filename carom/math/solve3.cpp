// Two ways. Elimination with complete pivoting, in plain doubles, on rows scaled by powers of two to a greatest entry in [1/2, 1).
// It is trusted where all pivots are at least 2^-26. Why that proves the matrix regular: elimination finds L and U with
// L U = scaled matrix + E, entries of E below 2^-50. Entries of L are at most 1 in magnitude, and so are those of U over their pivot,
// so the inverses of L and of U have entries of at most 2 and 2 * 2^26. Hence a change below 2^-30 cannot make L U singular.
//
// Otherwise Cramer's rule: four determinants, exact in sign and accurate in value (product_sum.h). That also decides the rank.
#include "carom/math/solve3.h"

#include "carom/math/product_sum.h"

#include <optional>
#include <utility>

namespace carom {
namespace {

constexpr double least_pivot = 0x1p-26;

struct System {
  std::array<std::array<double, 4>, 3> row{}; // a row of the matrix, then the right-hand side
};

/// 0, or so far inside the range that elimination cannot leave it.
[[nodiscard]] bool is_tame(double x) {
  const double a = std::fabs(x);
  return a == 0 || (a > 0x1p-900 && a < 0x1p900);
}

/// The system with each row scaled; none where a row is zero or a right-hand side leaves the tame range.
[[nodiscard]] std::optional<System> scaled(const Mat3& m, const Vec3& b) {
  System s;
  for (int i = 0; i < 3; ++i) {
    const Vec3 row = m.row(i);
    int exponent = 0;
    if (std::frexp(max_abs(row), &exponent) == 0) return {};
    for (int j = 0; j < 3; ++j) {
      s.row[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
          std::ldexp(row[j], -exponent);
    }
    const double right = std::ldexp(b[i], -exponent);
    if (!is_tame(right) || (right == 0 && b[i] != 0)) return {};
    s.row[static_cast<std::size_t>(i)][3] = right;
  }
  return s;
}

/// Brings the entry of greatest magnitude of the rows and columns from k on to (k, k). False where it is too small to trust.
[[nodiscard]] bool pivot(System& s, std::array<int, 3>& column, std::size_t k) {
  std::size_t r = k;
  std::size_t c = k;
  for (std::size_t i = k; i < 3; ++i) {
    for (std::size_t j = k; j < 3; ++j) {
      if (std::fabs(s.row[i][j]) > std::fabs(s.row[r][c])) {
        r = i;
        c = j;
      }
    }
  }
  std::swap(s.row[k], s.row[r]);
  std::swap(column[k], column[c]);
  for (auto& row : s.row) std::swap(row[k], row[c]);
  return std::fabs(s.row[k][k]) >= least_pivot;
}

[[nodiscard]] std::optional<Vec3> eliminate(const Mat3& m, const Vec3& b) {
  std::optional<System> system = scaled(m, b);
  if (!system) return {};
  auto& row = system->row;
  std::array<int, 3> column{0, 1, 2};
  for (std::size_t k = 0; k < 3; ++k) {
    if (!pivot(*system, column, k)) return {};
    for (std::size_t i = k + 1; i < 3; ++i) {
      const double f = row[i][k] / row[k][k];
      for (std::size_t j = k + 1; j < 4; ++j) row[i][j] -= f * row[k][j];
    }
  }
  Vec3 x;
  const double z = row[2][3] / row[2][2];
  const double y = (row[1][3] - row[1][2] * z) / row[1][1];
  x[column[2]] = z;
  x[column[1]] = y;
  x[column[0]] = (row[0][3] - row[0][1] * y - row[0][2] * z) / row[0][0];
  return x;
}

/// The six products of the determinant of the matrix with these columns.
[[nodiscard]] std::array<Product, 6> determinant_terms(const Vec3& x, const Vec3& y,
                                                       const Vec3& z) {
  return {{{1, {x.x, y.y, z.z, 1}},
           {1, {x.y, y.z, z.x, 1}},
           {1, {x.z, y.x, z.y, 1}},
           {-1, {x.x, y.z, z.y, 1}},
           {-1, {x.y, y.x, z.z, 1}},
           {-1, {x.z, y.y, z.x, 1}}}};
}

[[nodiscard]] ScaledDouble exact_determinant(const Vec3& x, const Vec3& y, const Vec3& z) {
  return sum_of_products(determinant_terms(x, y, z));
}

/// The rank of a matrix whose determinant is zero: is there a minor, or else an entry, that is not?
[[nodiscard]] int rank_below_three(const Mat3& m) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Vec3& p = m[(i + 1) % 3];
      const Vec3& q = m[(i + 2) % 3];
      const int k = (j + 1) % 3;
      const int l = (j + 2) % 3;
      const std::array<Product, 2> minor{{{1, {p[k], q[l], 1, 1}}, {-1, {p[l], q[k], 1, 1}}}};
      if (sign_of_sum(minor) != 0) return 2;
    }
  }
  return m == Mat3::zero() ? 0 : 1;
}

} // namespace

Solve3 solve(const Mat3& m, const Vec3& b) {
  if (!is_finite(m.x) || !is_finite(m.y) || !is_finite(m.z) || !is_finite(b)) return {};
  if (const std::optional<Vec3> x = eliminate(m, b)) return {*x, SolveStatus::unique, 3};
  const ScaledDouble d = exact_determinant(m.x, m.y, m.z);
  if (d.mantissa == 0) return {{}, SolveStatus::singular, rank_below_three(m)};
  const Vec3 x{quotient(exact_determinant(b, m.y, m.z), d),
               quotient(exact_determinant(m.x, b, m.z), d),
               quotient(exact_determinant(m.x, m.y, b), d)};
  return {x, SolveStatus::unique, 3};
}

Solve2 solve(const Vec2& column_0, const Vec2& column_1, const Vec2& b) {
  // A third unknown that stands alone: z = 0. It adds one to the rank, and nothing to the rest.
  const Mat3 m{{column_0.x, column_0.y, 0}, {column_1.x, column_1.y, 0}, {0, 0, 1}};
  const Solve3 s = solve(m, Vec3{b.x, b.y, 0});
  const bool finite = s.status != SolveStatus::not_finite;
  return {{s.x.x, s.x.y}, s.status, finite ? s.rank - 1 : 0};
}

} // namespace carom
