// The text is read twice: once by a handler that looks for what the JSON library would let pass (a name twice) or only throw about (where the text goes wrong), once into a tree. No exception is thrown,
// so it works where there are none.
#include "carom/record/scene_reader.h"

#include "carom/math/decimal.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

namespace carom {
namespace {

using Json = nlohmann::json;

constexpr std::size_t deepest = 64;

/// Accepts any text that is JSON, but for names given twice and too deep nesting.
class Inspector : public nlohmann::json_sax<Json> {
public:
  std::string error;
  std::size_t position = 0;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t value, const string_t&) override {
    return std::isfinite(value) || refuse("a number beyond all doubles");
  }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    return names_.back().insert(name).second || refuse("the name '" + name + "' twice");
  }
  bool parse_error(std::size_t at, const std::string& token,
                   const nlohmann::detail::exception& cause) override {
    position = at;
    const bool too_great = cause.id == 406;
    return refuse(too_great          ? "a number beyond all doubles"
                  : token.size() > 1 ? "no JSON at '" + token.substr(token.size() - 1) + "'"
                                     : "no JSON");
  }

private:
  bool open() {
    names_.emplace_back();
    return names_.size() <= deepest || refuse("more than 64 levels");
  }
  bool close() {
    names_.pop_back();
    return true;
  }
  bool refuse(const std::string& why) {
    if (error.empty()) error = why;
    return false;
  }
  std::vector<std::set<std::string>> names_;
};

std::string place(std::string_view text, std::size_t position) {
  std::size_t line = 1, column = 1;
  for (std::size_t i = 0; i + 1 < position && i < text.size(); ++i) {
    ++column;
    if (text[i] == '\n') {
      ++line;
      column = 1;
    }
  }
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

std::string shown(double value) { return std::string(format_double(value).view()); }

} // namespace

JsonText::JsonText() : value_(std::make_unique<Json>()) {}
JsonText::JsonText(JsonText&&) noexcept = default;
JsonText& JsonText::operator=(JsonText&&) noexcept = default;
JsonText::~JsonText() = default;

Result<JsonText> JsonText::parse(std::string_view text) {
  Inspector inspector;
  if (!Json::sax_parse(text.begin(), text.end(), &inspector)) {
    const std::string where =
        inspector.position > 0 ? place(text, inspector.position) + ": " : std::string();
    return failure(ErrorCode::bad_file, where + inspector.error);
  }
  JsonText out;
  *out.value_ = Json::parse(text.begin(), text.end(), nullptr, false);
  if (out.value_->is_discarded()) return failure(ErrorCode::bad_file, "no JSON");
  return out;
}

Reader JsonText::root(ReadContext& context) const { return {context, value_.get(), ""}; }

bool Reader::is_text() const { return *this && value_->is_string(); }
bool Reader::is_object() const { return *this && value_->is_object(); }
bool Reader::is_array() const { return *this && value_->is_array(); }

void Reader::fail(const std::string& message, ErrorCode code) const {
  if (!context_->error)
    context_->error = Error{code, path_.empty() ? message : path_ + ": " + message};
}

double Reader::number(const NumberRange& range) const {
  if (!*this) return 0;
  double value = 0;
  if (value_->is_number()) {
    value = value_->get<double>();
  } else if (value_->is_string()) {
    value = take(evaluate(value_->get_ref<const std::string&>(), context_->variables), 0.0);
  } else {
    fail("must be a number, or an expression in quotes");
  }
  if (context_->error) return 0;
  if (value < range.least || value > range.most || (range.open && value <= range.least)) {
    const std::string bound = range.open && range.least == 0 ? "positive"
                              : range.open                   ? "more than " + shown(range.least)
                              : range.most < any_number.most
                                  ? "from " + shown(range.least) + " to " + shown(range.most)
                                  : "at least " + shown(range.least);
    fail("must be " + bound + ", is " + shown(value), ErrorCode::out_of_range);
  }
  return value;
}

std::uint64_t Reader::whole(std::uint64_t least, std::uint64_t most) const {
  if (!*this) return least;
  std::uint64_t value = 0;
  bool good = true;
  if (value_->is_number_unsigned()) {
    value = value_->get<std::uint64_t>();
  } else {
    const double d = number();
    good = d >= 0 && d < 0x1p53 && std::floor(d) == d;
    if (good) value = static_cast<std::uint64_t>(d);
  }
  if (good && value >= least && value <= most) return value;
  fail(least == most
           ? "must be " + std::to_string(least)
           : "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most),
       ErrorCode::out_of_range);
  return least;
}

std::int64_t Reader::integer(std::int64_t least, std::int64_t most) const {
  if (!*this) return least;
  const double d = number();
  if (std::floor(d) == d && d >= static_cast<double>(least) && d <= static_cast<double>(most))
    return static_cast<std::int64_t>(d);
  fail("must be a whole number from " + std::to_string(least) + " to " + std::to_string(most),
       ErrorCode::out_of_range);
  return least;
}

bool Reader::boolean() const {
  if (!*this) return false;
  if (!value_->is_boolean()) {
    fail("must be true or false");
    return false;
  }
  return value_->get<bool>();
}

std::string Reader::raw_text() const {
  if (!*this) return {};
  if (!value_->is_string()) {
    fail("must be a text");
    return {};
  }
  return value_->get<std::string>();
}

std::string Reader::text() const {
  const std::string raw = raw_text();
  return *this ? take(fill_in(raw, context_->variables), std::string()) : std::string();
}

Vec3 Reader::vec3() const {
  const std::vector<double> n = numbers(3);
  return n.size() == 3 ? Vec3{n[0], n[1], n[2]} : Vec3{};
}

std::vector<double> Reader::numbers(std::size_t count) const {
  std::vector<double> out;
  for (const Reader& item : items()) out.push_back(item.number());
  if (*this && count > 0 && out.size() != count)
    fail("must be " + std::to_string(count) + " numbers, is " + std::to_string(out.size()));
  return out;
}

std::vector<Vec3> Reader::points() const {
  std::vector<Vec3> out;
  for (const Reader& item : items()) out.push_back(item.vec3());
  return out;
}

std::vector<Reader> Reader::items() const {
  std::vector<Reader> out;
  if (!*this) return out;
  if (!value_->is_array()) {
    fail("must be a list");
    return out;
  }
  for (std::size_t i = 0; i < value_->size(); ++i)
    out.emplace_back(*context_, &(*value_)[i], path_ + "[" + std::to_string(i) + "]");
  return out;
}

std::vector<std::pair<std::string, Reader>> Reader::members() const {
  std::vector<std::pair<std::string, Reader>> out;
  if (!*this) return out;
  if (!value_->is_object()) {
    fail("must be an object");
    return out;
  }
  for (auto it = value_->begin(); it != value_->end(); ++it)
    out.emplace_back(it.key(), member(it.key()));
  return out;
}

Reader Reader::member(const std::string& name) const {
  const Json* found = nullptr;
  if (is_object()) {
    const auto it = value_->find(name);
    if (it != value_->end()) found = &*it;
  }
  return {*context_, found, path_.empty() ? name : path_ + "." + name};
}

std::size_t Reader::word(const std::vector<std::string>& words) const {
  const std::string given = raw_text();
  if (!*this) return 0;
  std::string all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == given) return i;
    all += (i == 0 ? "" : ", ") + words[i];
  }
  fail("'" + given + "' is none of " + all);
  return 0;
}

Fields::Fields(const Reader& object, std::string type) : object_(object), type_(std::move(type)) {
  if (object_ && !object_.is_object()) object_.fail("must be an object");
}

Reader Fields::operator[](const char* name) {
  asked_.insert(name);
  return object_.member(name);
}

Reader Fields::need(const char* name) {
  Reader field = (*this)[name];
  if (object_ && !field) object_.fail("the field '" + std::string(name) + "' is missing");
  return field;
}

void Fields::read(const char* name, double& value, const NumberRange& range) {
  if (const Reader field = (*this)[name]) value = field.number(range);
}
void Fields::read(const char* name, Vec3& value) {
  if (const Reader field = (*this)[name]) value = field.vec3();
}
void Fields::read(const char* name, bool& value) {
  if (const Reader field = (*this)[name]) value = field.boolean();
}
void Fields::read(const char* name, std::string& value) {
  if (const Reader field = (*this)[name]) value = field.text();
}
void Fields::read(const char* name, int& value, int least, int most) {
  if (const Reader field = (*this)[name]) value = static_cast<int>(field.integer(least, most));
}

void Fields::log_words(const char* name, const std::vector<std::string>& words) {
  if (FieldLog* log = object_.context().log)
    (*log)[type_ + "." + name].insert(words.begin(), words.end());
}

void Fields::finish() {
  if (FieldLog* log = object_.context().log) (*log)[type_].insert(asked_.begin(), asked_.end());
  if (!object_) return;
  for (const auto& [name, field] : object_.members())
    if (!asked_.contains(name)) field.fail("there is no such field");
}

void read_pose(Fields& fields, Pose& pose) {
  fields.read("position", pose.position);
  const Reader rotation = fields["rotation"], turn = fields["turn"];
  if (rotation && turn) turn.fail("a rotation is given as well");
  if (rotation) {
    const std::vector<double> q = rotation.numbers(4);
    if (q.size() != 4) return;
    const Quat given{q[0], q[1], q[2], q[3]};
    const double l = length_squared(given);
    if (!(l > 1e-12 && l < 1e12)) rotation.fail("must be x, y, z, w of a quaternion that is not 0");
    // One that is a unit vector to the last bits stays as it is.
    pose.rotation = std::fabs(l - 1) <= 1e-15 ? given : normalized(given);
  }
  if (turn) {
    const std::vector<double> t = turn.numbers(4);
    if (t.size() != 4) return;
    const Vec3 axis{t[0], t[1], t[2]};
    if (axis == Vec3{}) turn.fail("the axis is 0");
    pose.rotation = Quat::from_axis_angle(axis, t[3] * std::numbers::pi / 180);
  }
}

} // namespace carom
