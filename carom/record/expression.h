// Numbers as a scene may write them where it repeats things: "0.5 + 1.1 * i", "cos(2 * pi * i / 12)".
//
//   Variables v{{"i", 3}};
//   evaluate("2 * i + 1", v).value();                    // 7
//   fill_in("link {i - 1}", v).value();                  // "link 2"
//
// + - * / and % (the remainder that is never negative), brackets, a sign; abs, floor, sqrt, sin, cos (of radians), min, max; pi; the variables. The same bits everywhere.
#pragma once

#include "carom/math/result.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// By name; the last of equal names counts.
using Variables = std::vector<std::pair<std::string, double>>;

/// The value. An error says what was expected and where; also where the value is not finite.
[[nodiscard]] Result<double> evaluate(std::string_view text, const Variables& variables);

/// The text with each {expression} replaced by its value: the shortest decimal that is read back as the same number.
[[nodiscard]] Result<std::string> fill_in(std::string_view text, const Variables& variables);

} // namespace carom
