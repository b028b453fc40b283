// Linear complementarity problems with bounds: forces that only push, or only rub so hard.
//
//   ComplementarityProblem p{.size = n, .matrix = a, .constant = b, .low = zeros, .high = infinities};
//   Complementarity c = solve_complementarity(p);
//
// Wanted: x between its bounds and w = A x + b, such that for each i
//   w_i = 0 where x_i is between its bounds,   w_i >= 0 where x_i is at the lower one,   w_i <= 0 where it is at the upper one.
// With bounds 0 and infinity that is the classical one: x >= 0, w >= 0, x . w = 0. A is symmetric and positive semidefinite; it need not be regular: four legs of a table share its weight in many ways, and
// one of them is found. Then x is a least point of x A x / 2 + b x within the bounds; w is the same for all of these.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct ComplementarityProblem {
  std::size_t size = 0;
  std::span<const double> matrix;    ///< size x size, symmetric: row after row
  std::span<const double> constant;  ///< b
  std::span<const double> low, high; ///< low <= high; may be infinite
};

enum class ComplementarityStatus : std::uint8_t {
  solved,
  none, ///< it has no solution: w can be driven down for ever, by x that no bound stops. Not where b = A y for some y
  stopped, ///< too many pivots, which only rounding can cause: x is within its bounds, and w as good as it came
  bad_input, ///< sizes that do not fit, bounds that cross, a number that is none; x is empty
};

/// What is found. The proof is x: verify::check_complementarity multiplies it out.
struct Complementarity {
  std::vector<double> x, w;
  ComplementarityStatus status = ComplementarityStatus::solved;
  int pivots = 0; ///< variables that were let go or stopped
};

/// `start` is a first guess, where it is as long as x: the nearer, the fewer pivots. The answer does not depend on it but for rounding, and the choice where several x are as good.
/// Pivots are mostly about as many as variables, and each costs `size` squared.
[[nodiscard]] Complementarity solve_complementarity(const ComplementarityProblem& problem,
                                                    std::span<const double> start = {});

} // namespace carom
