// Any number of threads may ask a space at once: each gets what one alone gets, to the bit. (Under tsan: and nothing is written that others read.)
#include "tests/space/space_cases.h"

#include <gtest/gtest.h>

#include <thread>

namespace carom {
namespace {

TEST(SpaceConcurrent, ManyThreadsGetTheSameAnswers) {
  test::RandomSource source(11);
  const test::ShapePool pool(source);
  Space space;
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(space.add(test::object(source, pool)));
  (void)space.update_pairs();
  std::vector<test::Question> questions;
  for (int i = 0; i < 6; ++i) questions.push_back(test::question(source, pool));
  const auto ask_all = [&] {
    std::vector<test::Row> rows;
    for (const test::Question& q : questions) rows.push_back(test::ask(space, q));
    rows.push_back(test::ask_pairs(space, 0.25));
    return rows;
  };
  const std::vector<test::Row> expected = ask_all();
  std::vector<std::vector<test::Row>> answers(4);
  std::vector<std::thread> threads;
  for (auto& own : answers) threads.emplace_back([&] { own = ask_all(); });
  for (std::thread& t : threads) t.join();
  for (const auto& own : answers) EXPECT_TRUE(own == expected);
  std::size_t numbers = 0;
  for (const test::Row& row : expected) numbers += row.size();
  EXPECT_GT(numbers, 1000u);
}

} // namespace
} // namespace carom
