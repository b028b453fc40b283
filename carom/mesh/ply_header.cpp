#include "carom/mesh/ply_header.h"

#include "carom/mesh/text_cursor.h"

#include <algorithm>
#include <array>
#include <optional>

namespace carom {
namespace {

std::optional<PlyType> type_of(std::string_view name) {
  struct Name {
    std::string_view text;
    PlyType type;
  };
  static constexpr std::array<Name, 18> names = {{{"char", PlyType::int8},
                                                  {"int8", PlyType::int8},
                                                  {"uchar", PlyType::uint8},
                                                  {"uint8", PlyType::uint8},
                                                  {"short", PlyType::int16},
                                                  {"int16", PlyType::int16},
                                                  {"ushort", PlyType::uint16},
                                                  {"uint16", PlyType::uint16},
                                                  {"int", PlyType::int32},
                                                  {"int32", PlyType::int32},
                                                  {"uint", PlyType::uint32},
                                                  {"uint32", PlyType::uint32},
                                                  {"int64", PlyType::int64},
                                                  {"uint64", PlyType::uint64},
                                                  {"float", PlyType::float32},
                                                  {"float32", PlyType::float32},
                                                  {"double", PlyType::float64},
                                                  {"float64", PlyType::float64}}};
  for (const Name& n : names) {
    if (n.text == name) return n.type;
  }
  return std::nullopt;
}

template<class Named>
bool has_name(const std::vector<Named>& list, std::string_view name) {
  return std::any_of(list.begin(), list.end(), [&](const Named& n) { return n.name == name; });
}

class PlyHeaderReader {
public:
  explicit PlyHeaderReader(std::string_view text) : cursor_(text), size_(text.size()) {}

  Result<PlyHeader> read() {
    if (next() != "ply") cursor_.fail("a PLY file begins with 'ply'");
    cursor_.next_line();
    while (!cursor_.failed() && !ended_) statement();
    if (!cursor_.failed() && !has_format_) cursor_.fail("the head has no line 'format'");
    if (cursor_.failed()) return cursor_.error();
    header_.data_line = cursor_.line();
    header_.data_byte = size_ - cursor_.remaining();
    return std::move(header_);
  }

private:
  /// The next word of the line, or nothing.
  std::string_view next() { return cursor_.word_in_line() ? cursor_.word() : std::string_view(); }

  bool statement() {
    if (cursor_.at_end()) return cursor_.fail("the file ends in its head: 'end_header' is missing");
    const std::string_view word = next();
    bool good = true;
    if (word == "format") {
      good = format();
    } else if (word == "element") {
      good = element();
    } else if (word == "property") {
      good = property();
    } else if (word == "end_header") {
      ended_ = true;
    } else if (word != "comment" && word != "obj_info" && !word.empty()) {
      good = cursor_.fail(quoted(word) + " is not known in the head of a PLY file");
    }
    if (good) cursor_.next_line();
    return good;
  }

  bool format() {
    const std::string_view name = next();
    has_format_ = true;
    header_.binary = name != "ascii";
    header_.order = name == "binary_big_endian" ? ByteOrder::big : ByteOrder::little;
    return name == "ascii" || name == "binary_little_endian" || name == "binary_big_endian" ||
           cursor_.fail(quoted(name) + " is not a format of PLY");
  }

  bool element() {
    PlyElement e;
    e.name = next();
    if (e.name.empty()) return cursor_.fail("an element has no name");
    if (has_name(header_.elements, e.name)) {
      return cursor_.fail("there are two elements " + quoted(e.name));
    }
    std::int64_t count = 0;
    if (!cursor_.integer(count, "the element's count")) return false;
    if (count < 0) return cursor_.fail("the element's count is negative");
    e.count = static_cast<std::size_t>(count);
    header_.elements.push_back(std::move(e));
    return true;
  }

  bool property() {
    if (header_.elements.empty()) return cursor_.fail("a property comes before the first element");
    PlyProperty p;
    std::string_view word = next();
    p.list = word == "list";
    if (p.list) {
      if (!type(next(), p.count_type)) return false;
      word = next();
    }
    if (!type(word, p.type)) return false;
    p.name = next();
    if (p.name.empty()) return cursor_.fail("a property has no name");
    PlyElement& owner = header_.elements.back();
    if (has_name(owner.properties, p.name)) {
      return cursor_.fail("element " + quoted(owner.name) + " has two properties " +
                          quoted(p.name));
    }
    owner.properties.push_back(std::move(p));
    return true;
  }

  bool type(std::string_view name, PlyType& into) {
    const std::optional<PlyType> found = type_of(name);
    if (found) into = *found;
    return found || cursor_.fail(quoted(name) + " is not a type of PLY");
  }

  TextCursor cursor_;
  std::size_t size_;
  PlyHeader header_;
  bool has_format_ = false, ended_ = false;
};

} // namespace

Result<PlyHeader> read_ply_header(std::string_view text) { return PlyHeaderReader(text).read(); }

} // namespace carom
