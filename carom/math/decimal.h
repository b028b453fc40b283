// Doubles as text, the same on every machine: no locale, no difference between standard libraries. (std::from_chars for doubles is
// missing from the standard libraries that Carom is built with; strtod reads '0,5' where the locale says so.)
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace [[gnu::visibility("default")]] carom {

struct ParsedDouble {
  double value = 0;
  std::size_t length = 0; ///< characters read; 0: there is no number at the start of the text
};

/// The number at the start of the text, as the double nearest to it (of two equally near, the one whose last bit is 0): for any number of
/// digits and any exponent. Too great gives an infinity, too small a zero, with the sign of the text.
///
/// A number is: perhaps a sign, digits with perhaps one point among, before or behind them, and perhaps an exponent: e or E, perhaps a sign,
/// digits. The longest such start of the text is read: of '1e+x' it is '1'. No space is skipped; 'nan', 'inf' and hexadecimal are no numbers.
[[nodiscard]] ParsedDouble parse_double(std::string_view text);

/// The text of a double, in place.
struct DecimalText {
  std::array<char, 32> text{};
  std::size_t length = 0;

  [[nodiscard]] constexpr std::string_view view() const { return {text.data(), length}; }
};

/// The shortest text that parse_double reads as the same double, to the bit; among the shortest, the nearest to it (the even one of two).
/// '0.1', '-0', '1234567', '1e+21', '2.5e-7': with an exponent where the value is below 1e-6 or from 1e21 on. At most 25 characters.
/// NaN and infinities give 'nan', 'inf' and '-inf', which parse_double does not read.
[[nodiscard]] DecimalText format_double(double value);

} // namespace carom
