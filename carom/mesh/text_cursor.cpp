#include "carom/mesh/text_cursor.h"

#include "carom/math/decimal.h"

#include <cmath>
#include <cstring>

namespace carom {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

const char* find(const char* from, const char* end, char c) {
  if (from == end) return end;
  const void* found = std::memchr(from, c, static_cast<std::size_t>(end - from));
  return found ? static_cast<const char*>(found) : end;
}

} // namespace

std::string_view plain_text(std::string_view bytes, std::string& storage) {
  if (bytes.substr(0, 3) == "\xef\xbb\xbf") bytes.remove_prefix(3);
  if (bytes.find('\n') != std::string_view::npos || bytes.find('\r') == std::string_view::npos) {
    return bytes;
  }
  storage = bytes;
  for (char& c : storage) {
    if (c == '\r') c = '\n';
  }
  return storage;
}

std::string quoted(std::string_view word) {
  constexpr std::size_t longest = 40;
  std::string text = "'";
  for (const char c : word.substr(0, longest)) text += c >= ' ' && c <= '~' ? c : '?';
  return text + (word.size() > longest ? "...'" : "'");
}

bool same_word(std::string_view word, std::string_view lower) {
  if (word.size() != lower.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char c = word[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != lower[i]) return false;
  }
  return true;
}

std::string_view TextCursor::rest_of_line() const {
  const char* from = at_;
  const char* to = find(at_, end_, '\n');
  while (from != to && is_space(*from)) ++from;
  while (from != to && is_space(to[-1])) --to;
  return {from, static_cast<std::size_t>(to - from)};
}

void TextCursor::next_line() {
  at_ = find(at_, end_, '\n');
  if (at_ == end_) return;
  ++at_;
  ++line_;
}

bool TextCursor::word_ahead() {
  while (!word_in_line('#')) {
    if (at_end()) return false;
    next_line();
  }
  return true;
}

bool TextCursor::number(double& value, const char* what) {
  if (!word_in_line()) {
    return fail(std::string(at_end() ? "the file ends" : "the line ends") + " where " + what +
                " should be");
  }
  const ParsedDouble parsed = parse_double(rest());
  const char* const behind = at_ + parsed.length;
  if (parsed.length == 0 || (behind != end_ && !ends_word(*behind))) {
    return fail(quoted(word()) + " is not a number: it should be " + what);
  }
  if (!std::isfinite(parsed.value)) {
    return fail(quoted(word()) + " is too great for a double: it should be " + what);
  }
  value = parsed.value;
  at_ = behind;
  return true;
}

bool TextCursor::point(Vec3& value) {
  return number(value.x, "the x coordinate") && number(value.y, "the y coordinate") &&
         number(value.z, "the z coordinate");
}

bool TextCursor::integer(std::int64_t& value, const char* what, char delimiter) {
  if (!word_in_line()) {
    return fail(std::string(at_end() ? "the file ends" : "the line ends") + " where " + what +
                " should be");
  }
  const char* p = at_;
  const bool negative = *p == '-';
  if (*p == '-' || *p == '+') ++p;
  const char* const digits = p;
  constexpr std::int64_t limit = INT64_MAX / 10 - 1;
  std::int64_t n = 0;
  for (; p != end_ && is_digit(*p) && n <= limit; ++p) n = n * 10 + (*p - '0');
  if (p == digits || (p != end_ && !ends_word(*p) && (delimiter == '\0' || *p != delimiter))) {
    return fail(quoted(word()) + " is not an integer: it should be " + what);
  }
  value = negative ? -n : n;
  at_ = p;
  return true;
}

bool TextCursor::fail_at(std::size_t line, const std::string& message) {
  if (error_.empty()) error_ = "line " + std::to_string(line) + ": " + message;
  return false;
}

} // namespace carom
