#include "carom/record/expression.h"

#include <gtest/gtest.h>

#include <cmath>

namespace carom::test {
namespace {

const Variables variables{{"i", 3}, {"k", -2}, {"i", 5}};

double value(const char* text) {
  const Result<double> result = evaluate(text, variables);
  EXPECT_TRUE(result) << text << ": " << result.error().message;
  return result ? *result : NAN;
}

TEST(Expression, HasTheUsualPrecedence) {
  EXPECT_EQ(value("1 + 2 * 3"), 7);
  EXPECT_EQ(value("(1 + 2) * 3"), 9);
  EXPECT_EQ(value("8 - 3 - 2"), 3);
  EXPECT_EQ(value("16 / 4 / 2"), 2);
  EXPECT_EQ(value("-2 * -3"), 6);
  EXPECT_EQ(value("1e3 + .5"), 1000.5);
}

TEST(Expression, TheLastVariableOfANameCounts) {
  EXPECT_EQ(value("i"), 5);
  EXPECT_EQ(value("i * k"), -10);
}

TEST(Expression, TheRemainderIsNeverNegative) {
  EXPECT_EQ(value("7 % 3"), 1);
  EXPECT_EQ(value("k % 3"), 1);
}

TEST(Expression, HasFunctions) {
  EXPECT_EQ(value("max(2, min(9, 4))"), 4);
  EXPECT_EQ(value("abs(k) + floor(2.7) + sqrt(9)"), 7);
  EXPECT_NEAR(value("sin(pi / 6)"), 0.5, 1e-15);
  EXPECT_NEAR(value("cos(pi / 3)"), 0.5, 1e-15);
}

TEST(Expression, WhatIsWrongIsToldWithItsPlace) {
  for (const char* bad : {"", "1 +", "(1", "2 * j", "tan(1)", "1 2", "min(1)", "1 / 0", "sqrt(-1)",
                          "1 % 0", "#", "sin", "--", "1e", "()"})
    EXPECT_FALSE(evaluate(bad, variables)) << bad;
  EXPECT_EQ(evaluate("2 * j", variables).error().message,
            "'2 * j': expected a variable that is known, not 'j', at character 5");
  EXPECT_FALSE(evaluate(std::string(100000, '('), variables));
  std::string signs(100000, '-');
  signs.push_back('1');
  EXPECT_FALSE(evaluate(signs, variables));
}

TEST(Expression, FillsInNames) {
  EXPECT_EQ(fill_in("link {i - 1} of {k}", variables).value(), "link 4 of -2");
  EXPECT_EQ(fill_in("{0 * k}", variables).value(), "0");
  EXPECT_EQ(fill_in("plain", variables).value(), "plain");
  EXPECT_FALSE(fill_in("{i", variables));
  EXPECT_FALSE(fill_in("{j}", variables));
}

} // namespace
} // namespace carom::test
