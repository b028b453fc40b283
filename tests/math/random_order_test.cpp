#include "carom/math/random_order.h"

#include <gtest/gtest.h>

#include <vector>

namespace carom {
namespace {

TEST(RandomOrder, VisitsEveryNumberOnce) {
  for (std::size_t n : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 100u, 1000u, 1024u, 1025u}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const RandomOrder order(n, seed);
      std::vector<int> seen(n, 0);
      for (std::size_t i = 0; i < n; ++i) ++seen.at(order[i]);
      for (const int count : seen) EXPECT_EQ(count, 1) << "n " << n << " seed " << seed;
    }
  }
}

TEST(RandomOrder, EveryNumberComesFirstEquallyOften) {
  std::vector<int> first(10, 0);
  for (std::uint64_t seed = 0; seed < 10000; ++seed) ++first.at(RandomOrder(10, seed)[0]);
  // Binomial, n = 10000, p = 0.1: the standard deviation is 30; six of them.
  for (const int count : first) EXPECT_NEAR(count, 1000, 180);
}

} // namespace
} // namespace carom
