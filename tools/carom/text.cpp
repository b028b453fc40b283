#include "tools/carom/text.h"

#include "carom/math/decimal.h"
#include "carom/math/tolerance.h"
#include "tools/carom/session.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace carom::tool {
namespace {

/// As a person should see it again: in quotes, short, on one line.
std::string quoted(std::string_view text) {
  constexpr std::size_t most = 40;
  const bool cut = text.size() > most;
  return "'" + printable(text.substr(0, most)) + (cut ? "..." : "") + "'";
}

/// "1, 2, 3" in quotes is as good as 1,2,3.
std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string_view::npos
             ? std::string_view{}
             : text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

/// How many characters are printed, where UTF-8 has several bytes for one.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

} // namespace

bool is_number(std::string_view text) {
  const std::size_t length = parse_double(text).length;
  return length > 0 && length == text.size();
}

double parse_number(const std::string& what, std::string_view given) {
  const std::string_view text = trimmed(given);
  const ParsedDouble parsed = parse_double(text);
  if (!is_number(text)) {
    const bool several = is_number(text.substr(0, text.find(' ')));
    fail(what, quoted(text) + " is not a number" +
                   (several ? ": several have commas between, as in 1,2,3" : ""));
  }
  if (!tolerance::is_coordinate(parsed.value)) {
    fail(what, quoted(text) + " is out of range: 0, or 1e-30 to 1e30 in absolute value");
  }
  return parsed.value;
}

std::vector<double> parse_numbers(const std::string& what, std::string_view text) {
  std::vector<double> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    numbers.push_back(parse_number(what, text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return numbers;
}

std::vector<double> parse_numbers(const std::string& what, std::string_view text, std::size_t count,
                                  const char* form) {
  std::vector<double> numbers = parse_numbers(what, text);
  if (numbers.size() != count) {
    fail(what, "needs " + counted(count, "number") + " (" + form + "), and " + quoted(text) +
                   " has " + std::to_string(numbers.size()));
  }
  return numbers;
}

Vec3 parse_vec3(const std::string& what, std::string_view text) {
  const std::vector<double> n = parse_numbers(what, text, 3, "x,y,z");
  return {n[0], n[1], n[2]};
}

double parse_number_from(const std::string& what, std::string_view text, double least) {
  const double number = parse_number(what, text);
  if (number < least) fail(what, quoted(text) + " is less than " + show(least));
  return number;
}

unsigned parse_count(const std::string& what, std::string_view text, unsigned least,
                     unsigned most) {
  const double number = parse_number(what, text);
  if (number != std::floor(number) || number < least || number > most) {
    fail(what, quoted(text) + " is not a whole number from " + std::to_string(least) + " to " +
                   std::to_string(most));
  }
  return static_cast<unsigned>(number);
}

std::string show(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.9g", value == 0 ? 0.0 : value);
  return text.data();
}

std::string show(const Vec3& v) { return show(v.x) + ", " + show(v.y) + ", " + show(v.z); }

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string printable(std::string_view text) {
  std::string shown(text);
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  }
  return shown;
}

std::string table(std::span<const std::vector<std::string>> lines,
                  std::span<const std::size_t> right) {
  std::vector<std::size_t> widths;
  for (const auto& line : lines) {
    widths.resize(std::max(widths.size(), line.size()));
    for (std::size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], width(line[c]));
  }
  std::string text;
  for (const auto& line : lines) {
    std::string row;
    for (std::size_t c = 0; c < line.size(); ++c) {
      const std::string space(widths[c] - width(line[c]), ' ');
      const bool flush_right = std::find(right.begin(), right.end(), c) != right.end();
      row += (c > 0 ? "  " : "") + (flush_right ? space + line[c] : line[c] + space);
    }
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  }
  return text;
}

} // namespace carom::tool
