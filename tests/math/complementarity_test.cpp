// Solutions are multiplied out by verify, and compared with all sets of held variables there are.
#include "carom/math/complementarity.h"

#include "carom/math/random.h"
#include "carom/verify/check_complementarity.h"
#include "tests/support/property.h"

#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace carom::test {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

struct Problem {
  std::size_t n = 0;
  std::vector<double> a, b, low, high;

  [[nodiscard]] ComplementarityProblem view() const {
    return {.size = n, .matrix = a, .constant = b, .low = low, .high = high};
  }
};

/// A = J J^T, b = J c: of a rank that may be less than n. Small whole numbers, so that ties and dependent rows are exact.
Problem random_problem(Random& random, std::size_t n, std::size_t rank, bool bounded,
                       bool consistent) {
  std::vector<double> j(n * rank), c(rank);
  for (double& v : j) v = static_cast<double>(random.below(7)) - 3;
  for (double& v : c) v = static_cast<double>(random.below(9)) - 4;
  Problem p{
      .n = n, .a = std::vector<double>(n * n), .b = std::vector<double>(n), .low = {}, .high = {}};
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t k = 0; k < rank; ++k) p.b[r] += j[r * rank + k] * c[k];
    if (!consistent) p.b[r] = static_cast<double>(random.below(9)) - 4;
    for (std::size_t s = 0; s < n; ++s)
      for (std::size_t k = 0; k < rank; ++k) p.a[r * n + s] += j[r * rank + k] * j[s * rank + k];
  }
  for (std::size_t r = 0; r < n; ++r) {
    const std::uint64_t kind = bounded ? random.below(4) : 0;
    const double width = static_cast<double>(random.below(3));
    p.low.push_back(kind == 0 ? 0 : kind == 3 ? -inf : -width);
    p.high.push_back(kind == 1 ? width : inf);
  }
  return p;
}

/// w of a solution, by trying all ways to hold or free each variable: solved by elimination with the greatest pivot, zero pivots left out. None where no way works.
std::optional<std::vector<double>> by_enumeration(const Problem& p) {
  const std::size_t n = p.n;
  std::size_t ways = 1;
  for (std::size_t i = 0; i < n; ++i) ways *= 3;
  for (std::size_t way = 0; way < ways; ++way) {
    std::vector<double> x(n, 0);
    std::vector<std::size_t> free;
    std::size_t code = way;
    bool legal = true;
    for (std::size_t i = 0; i < n; ++i, code /= 3) {
      if (code % 3 == 0) free.push_back(i);
      if (code % 3 == 1) x[i] = p.low[i];
      if (code % 3 == 2) x[i] = p.high[i];
      legal = legal && std::isfinite(x[i]);
    }
    if (!legal) continue;
    const std::size_t m = free.size();
    std::vector<std::vector<double>> rows(m, std::vector<double>(m + 1));
    for (std::size_t r = 0; r < m; ++r) {
      double right = -p.b[free[r]];
      for (std::size_t j = 0; j < n; ++j) right -= p.a[free[r] * n + j] * x[j];
      for (std::size_t c = 0; c < m; ++c) rows[r][c] = p.a[free[r] * n + free[c]];
      rows[r][m] = right;
    }
    bool regular = true;
    for (std::size_t k = 0; k < m && regular; ++k) {
      std::size_t best = k;
      for (std::size_t r = k; r < m; ++r)
        if (std::fabs(rows[r][k]) > std::fabs(rows[best][k])) best = r;
      regular = std::fabs(rows[best][k]) > 1e-9;
      if (!regular) break;
      std::swap(rows[k], rows[best]);
      for (std::size_t r = 0; r < m; ++r) {
        if (r == k) continue;
        const double f = rows[r][k] / rows[k][k];
        for (std::size_t c = k; c <= m; ++c) rows[r][c] -= f * rows[k][c];
      }
    }
    // A singular set is left out: a solution with fewer free variables exists then.
    if (!regular) continue;
    for (std::size_t k = 0; k < m; ++k) x[free[k]] = rows[k][m] / rows[k][k];
    std::vector<double> w(p.b);
    bool good = true;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) w[i] += p.a[i * n + j] * x[j];
      good = good && x[i] >= p.low[i] - 1e-9 && x[i] <= p.high[i] + 1e-9;
      if (x[i] > p.low[i] + 1e-9) good = good && w[i] < 1e-7;
      if (x[i] < p.high[i] - 1e-9) good = good && w[i] > -1e-7;
    }
    if (good) return w;
  }
  return std::nullopt;
}

TEST(Complementarity, AgreesWithAllActiveSets) {
  Random random(1);
  int singular = 0, none = 0;
  const auto rounds = static_cast<int>(fewer_when_sanitized(3000));
  for (int round = 0; round < rounds; ++round) {
    const std::size_t n = 1 + random.below(5), rank = 1 + random.below(5);
    const bool bounded = random.below(2) == 0, consistent = random.below(4) != 0;
    const Problem p = random_problem(random, n, rank, bounded, consistent);
    const Complementarity c = solve_complementarity(p.view());
    const auto expected = by_enumeration(p);
    if (rank < n) ++singular;
    // Free directions without any bound may have no regular set: those are left to the next test.
    if (!expected) {
      bool all_bounded = true;
      for (std::size_t i = 0; i < n; ++i) all_bounded = all_bounded && p.low[i] > -inf;
      if (all_bounded) {
        EXPECT_EQ(c.status, ComplementarityStatus::none) << round;
        ++none;
      }
      continue;
    }
    ASSERT_EQ(c.status, ComplementarityStatus::solved) << round;
    const verify::Verdict v = verify::check_complementarity(p.view(), c.x, 1e-11);
    ASSERT_TRUE(v) << round << ": " << v.why;
    for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(c.w[i], (*expected)[i], 1e-6) << round;
  }
  EXPECT_GT(singular, rounds / 4);
  EXPECT_GT(none, 0);
}

/// Many contacts on few bodies: rank far below the size, and consistent. Solved whatever the first guess.
TEST(Complementarity, LargeAndSingular) {
  Random random(2);
  for (int round = 0; round < static_cast<int>(fewer_when_sanitized(60)); ++round) {
    const std::size_t n = 20 + random.below(60), rank = 3 + random.below(30);
    const Problem p = random_problem(random, n, rank, random.below(2) == 0, true);
    const Complementarity c = solve_complementarity(p.view());
    ASSERT_EQ(c.status, ComplementarityStatus::solved) << round;
    ASSERT_LT(c.pivots, static_cast<int>(6 * n)) << round;
    const verify::Verdict v = verify::check_complementarity(p.view(), c.x, 1e-10);
    ASSERT_TRUE(v) << round << ": " << v.why;
    std::vector<double> guess(n);
    for (double& g : guess) g = random.uniform(-2, 2);
    const Complementarity again = solve_complementarity(p.view(), guess);
    ASSERT_EQ(again.status, ComplementarityStatus::solved) << round;
    const verify::Verdict v2 = verify::check_complementarity(p.view(), again.x, 1e-10);
    ASSERT_TRUE(v2) << round << ": " << v2.why;
    for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(c.w[i], again.w[i], 1e-6) << round;
    // From the answer itself nothing is left to do.
    EXPECT_LE(solve_complementarity(p.view(), c.x).pivots, 3) << round;
  }
}

TEST(Complementarity, KnownOnes) {
  // One row: x = -b / a, or held.
  const std::vector<double> a{4}, down{-2}, up{2}, zero{0}, high{inf};
  EXPECT_EQ(solve_complementarity({1, a, down, zero, high}).x[0], 0.5);
  EXPECT_EQ(solve_complementarity({1, a, up, zero, high}).x[0], 0);
  const std::vector<double> quarter{0.25};
  EXPECT_EQ(solve_complementarity({1, a, down, zero, quarter}).x[0], 0.25);
  // Nothing can stop it: no force acts, and w < 0.
  const std::vector<double> none{0};
  EXPECT_EQ(solve_complementarity({1, none, down, zero, high}).status, ComplementarityStatus::none);
  // Two legs side by side bear a weight of 2 together.
  const std::vector<double> legs{1, 1, 1, 1}, weight{-2, -2}, zeros{0, 0}, highs{inf, inf};
  const Complementarity c = solve_complementarity({2, legs, weight, zeros, highs});
  EXPECT_NEAR(c.x[0] + c.x[1], 2, 1e-15);
  EXPECT_TRUE(solve_complementarity({0, {}, {}, {}, {}}).x.empty());
}

TEST(Complementarity, RefusesWhatIsNoProblem) {
  const std::vector<double> one{1}, zero{0}, high{inf}, bad{std::nan("")};
  using Status = ComplementarityStatus;
  EXPECT_EQ(solve_complementarity({1, bad, one, zero, high}).status, Status::bad_input);
  EXPECT_EQ(solve_complementarity({1, one, bad, zero, high}).status, Status::bad_input);
  EXPECT_EQ(solve_complementarity({1, one, one, bad, high}).status, Status::bad_input);
  EXPECT_EQ(solve_complementarity({1, one, one, high, zero}).status, Status::bad_input);
  EXPECT_EQ(solve_complementarity({2, one, one, zero, high}).status, Status::bad_input);
}

/// The checker sees what is wrong.
TEST(Complementarity, TheCheckerRefuses) {
  const std::vector<double> a{4}, b{-2}, zero{0}, high{inf};
  const ComplementarityProblem p{1, a, b, zero, high};
  for (const double x : {-0.1, 0.0, 0.49, 0.51})
    EXPECT_FALSE(verify::check_complementarity(p, std::array{x}, 1e-9)) << x;
  EXPECT_TRUE(verify::check_complementarity(p, std::array{0.5}, 1e-9));
}

} // namespace
} // namespace carom::test
