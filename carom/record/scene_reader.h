// A JSON text read field by field: the first thing wrong is kept with its path, and everything read after it is a default. Internal to the scenes.
//
//   Fields body(reader, "body");
//   body.read("density", def.density, at_least_zero);
//   if (Reader shape = body["shape"]) ...
//   body.finish();                                       // a field that was not asked for is an error
//
// So the names of the fields stand in one place, where they are read. Where a log is given, it gets all names asked for, by the type of the object: tests hold the schema against it.
#pragma once

#include "carom/math/pose.h"
#include "carom/math/result.h"
#include "carom/record/expression.h"
#include "carom/record/scene_fields.h"

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// What all readers of a text share.
struct ReadContext {
  std::optional<Error> error{};
  Variables variables{}; ///< of the repetitions that what is read now stands in
  FieldLog* log = nullptr;
  std::uint64_t work = 0; ///< things made so far by repetition
};

/// What a number must be.
struct NumberRange {
  double least, most;
  bool open = false; ///< more than `least`, that is
};
inline constexpr NumberRange any_number{-std::numeric_limits<double>::max(),
                                        std::numeric_limits<double>::max()};
inline constexpr NumberRange positive{0, any_number.most, true};
inline constexpr NumberRange at_least_zero{0, any_number.most};

class Reader {
public:
  Reader(ReadContext& context, const nlohmann::json* value, std::string path)
      : context_(&context), value_(value), path_(std::move(path)) {}

  /// Whether there is such a value, and nothing is wrong so far.
  explicit operator bool() const { return value_ != nullptr && !context_->error; }
  [[nodiscard]] ReadContext& context() const { return *context_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool is_text() const;
  [[nodiscard]] bool is_object() const;
  [[nodiscard]] bool is_array() const;

  /// Keeps "path: message", if it is the first.
  void fail(const std::string& message, ErrorCode code = ErrorCode::bad_file) const;

  /// A number, or a text that is an expression.
  [[nodiscard]] double number(const NumberRange& range = any_number) const;
  [[nodiscard]] std::uint64_t whole(std::uint64_t least, std::uint64_t most) const;
  [[nodiscard]] std::int64_t integer(std::int64_t least, std::int64_t most) const;
  [[nodiscard]] bool boolean() const;
  /// With {expressions} filled in.
  [[nodiscard]] std::string text() const;
  /// As it stands there.
  [[nodiscard]] std::string raw_text() const;
  [[nodiscard]] Vec3 vec3() const;
  /// Exactly so many numbers; or any number of them, for 0.
  [[nodiscard]] std::vector<double> numbers(std::size_t count = 0) const;
  [[nodiscard]] std::vector<Vec3> points() const;
  /// Of an array.
  [[nodiscard]] std::vector<Reader> items() const;
  /// Of an object, in the order of their names.
  [[nodiscard]] std::vector<std::pair<std::string, Reader>> members() const;
  [[nodiscard]] Reader member(const std::string& name) const;
  /// Which of the words it is; 0 where it is none, which is an error.
  [[nodiscard]] std::size_t word(const std::vector<std::string>& words) const;

  /// The value of a result, or its error here and `otherwise`.
  template<class T>
  T take(Result<T> result, T otherwise) const {
    if (result) return std::move(*result);
    fail(result.error().message, result.error().code);
    return otherwise;
  }

private:
  ReadContext* context_;
  const nlohmann::json* value_;
  std::string path_;
};

/// The fields of one object.
class Fields {
public:
  Fields(const Reader& object, std::string type);

  /// The field, or nothing.
  [[nodiscard]] Reader operator[](const char* name);
  /// The field; that it is missing is an error.
  [[nodiscard]] Reader need(const char* name);
  [[nodiscard]] const Reader& object() const { return object_; }

  // Where the field is there, it sets the value.
  void read(const char* name, double& value, const NumberRange& range = any_number);
  void read(const char* name, Vec3& value);
  void read(const char* name, bool& value);
  void read(const char* name, std::string& value);
  void read(const char* name, int& value, int least, int most);
  template<class Enum>
  void read(const char* name, Enum& value,
            std::initializer_list<std::pair<const char*, Enum>> words) {
    std::vector<std::string> names;
    for (const auto& w : words) names.emplace_back(w.first);
    log_words(name, names);
    if (const Reader field = (*this)[name]) value = (words.begin() + field.word(names))->second;
  }
  void log_words(const char* name, const std::vector<std::string>& words);

  /// A field that nobody asked for is an error.
  void finish();

private:
  Reader object_;
  std::string type_;
  std::set<std::string> asked_;
};

/// The fields "position" and "rotation" (x, y, z, w) or "turn" (axis x, y, z, then degrees).
void read_pose(Fields& fields, Pose& pose);

/// A text of JSON, kept.
class JsonText {
public:
  JsonText();
  JsonText(JsonText&&) noexcept;
  JsonText& operator=(JsonText&&) noexcept;
  ~JsonText();
  /// Errors: what is no JSON, with line and column; a name twice in one object; more than 64 levels.
  [[nodiscard]] static Result<JsonText> parse(std::string_view text);
  [[nodiscard]] Reader root(ReadContext& context) const;

private:
  std::unique_ptr<nlohmann::json> value_;
};

} // namespace carom
