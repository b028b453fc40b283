// Walks through the text of a mesh file: words, numbers, lines, and what to say about them when they are wrong.
#pragma once

#include "carom/math/result.h"
#include "carom/math/vec3.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace [[gnu::visibility("default")]] carom {

/// Text as a reader wants it: without a byte order mark; lines end with '\n' (before it there may be a '\r', which counts as a space).
/// Where the text has '\r' alone for the end of a line, it is copied into `storage`.
[[nodiscard]] std::string_view plain_text(std::string_view bytes, std::string& storage);

/// A word as an error shows it: in quotes, cut short, without odd characters.
[[nodiscard]] std::string quoted(std::string_view word);

/// A place in a text. Functions that read return false where they cannot, and keep the first such error.
class TextCursor {
public:
  /// A cursor that stands in a line other than the first is told which.
  explicit TextCursor(std::string_view text, std::size_t line = 1)
      : at_(text.data()), end_(text.data() + text.size()), line_(line) {}

  [[nodiscard]] std::size_t line() const { return line_; }
  [[nodiscard]] std::size_t remaining() const { return static_cast<std::size_t>(end_ - at_); }
  [[nodiscard]] bool at_end() const { return at_ == end_; }
  /// The text from here on.
  [[nodiscard]] std::string_view rest() const { return {at_, remaining()}; }

  /// The rest of this line, without spaces at its ends; the cursor stays.
  [[nodiscard]] std::string_view rest_of_line() const;
  /// Goes to the start of the next line, or to the end.
  void next_line();
  /// Skips spaces; true where a word follows in this line. Where `comment` is '#', that ends the line too.
  bool word_in_line(char comment = '\0') {
    while (at_ != end_ && is_space(*at_)) ++at_;
    return at_ != end_ && *at_ != '\n' && (comment == '\0' || *at_ != comment);
  }
  /// Skips spaces and line ends, and comments from '#' on; true where a word follows.
  bool word_ahead();
  /// Takes the word here, up to the next space: empty at the end of a line.
  std::string_view word() {
    const char* const from = at_;
    while (at_ != end_ && !ends_word(*at_)) ++at_;
    return {from, static_cast<std::size_t>(at_ - from)};
  }
  /// Steps over n characters of this line.
  void step(std::size_t n) { at_ += n; }

  /// Takes a finite number in this line. `what` names it in the error: "the x coordinate".
  bool number(double& value, const char* what);
  /// Takes x, y and z.
  bool point(Vec3& value);
  /// Takes an integer. It ends at a space, or, where `delimiter` is given, at that character.
  bool integer(std::int64_t& value, const char* what, char delimiter = '\0');

  /// Keeps an error at this line (the first one stays), and returns false.
  bool fail(const std::string& message) { return fail_at(line_, message); }
  bool fail_at(std::size_t line, const std::string& message);
  [[nodiscard]] bool failed() const { return !error_.empty(); }
  /// Of code bad_file: "line 12: ...".
  [[nodiscard]] tl::unexpected<Error> error() const { return failure(ErrorCode::bad_file, error_); }

private:
  [[nodiscard]] static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r' && c != '\n');
  }
  [[nodiscard]] static bool ends_word(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

  const char* at_;
  const char* end_;
  std::size_t line_;
  std::string error_;
};

/// Whether the words are equal but for capitals. `lower` has none.
[[nodiscard]] bool same_word(std::string_view word, std::string_view lower);

} // namespace carom
