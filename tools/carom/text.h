// Numbers as people type and read them. `what` names the option or the operand that a number is part of: complaints begin with it.
#pragma once

#include "carom/math/vec3.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace carom::tool {

/// "1,2.5,-3e4": decimals with commas between, and perhaps spaces around. Each is a coordinate that the library takes: 0, or 1e-30 <= |x| <= 1e30. Fails where one is not.
[[nodiscard]] std::vector<double> parse_numbers(const std::string& what, std::string_view text);
/// The same, with exactly so many. `form` says what is wanted: "x,y,z".
[[nodiscard]] std::vector<double> parse_numbers(const std::string& what, std::string_view text,
                                                std::size_t count, const char* form);
/// Whether it is one number, in range or not.
[[nodiscard]] bool is_number(std::string_view text);
[[nodiscard]] double parse_number(const std::string& what, std::string_view text);
[[nodiscard]] Vec3 parse_vec3(const std::string& what, std::string_view text);
/// One of these and at least `least`.
[[nodiscard]] double parse_number_from(const std::string& what, std::string_view text,
                                       double least);
/// A whole number in the range.
[[nodiscard]] unsigned parse_count(const std::string& what, std::string_view text, unsigned least,
                                   unsigned most);

/// Nine digits, for people. (JSON has all of them.)
[[nodiscard]] std::string show(double value);
/// "1, 2, 3".
[[nodiscard]] std::string show(const Vec3& v);
/// "1 triangle", "2 triangles".
[[nodiscard]] std::string counted(std::size_t count, const std::string& noun);
/// Control characters become '?': names come out of files.
[[nodiscard]] std::string printable(std::string_view text);

/// Lines of cells, each column as wide as its widest cell; columns named in `right` are flush right. Two spaces between, none at the ends of lines.
[[nodiscard]] std::string table(std::span<const std::vector<std::string>> lines,
                                std::span<const std::size_t> right = {});

} // namespace carom::tool
