#include "tools/carom/answer.h"

#include "tools/carom/text.h"

#include <cstdio>

namespace carom::tool {

Json to_json(const Vec3& v) { return {v.x, v.y, v.z}; }

Json to_json(const Pose& pose) {
  const Quat& q = pose.rotation;
  return {{"position", to_json(pose.position)}, {"rotation", {q.x, q.y, q.z, q.w}}};
}

const char* word_of(Status status) {
  static constexpr std::array<const char*, 4> words = {"ok", "stopped", "wide", "bad_input"};
  return words[static_cast<std::size_t>(status)];
}

void Answer::about(const char* key, const Operand& operand) {
  json_[key] = {{"shape", operand.name},
                {"kind", name_of(operand.shape.kind())},
                {"solid", operand.solid()},
                {"pose", to_json(operand.pose)}};
  if (!operand.open) return;
  line("note", std::string(key[0] == 'a' ? "A" : "B") +
                   " is not closed, or not wound outward: taken as a surface, without an inside "
                   "(carom info says where)");
}

void Answer::headline(const std::string& sentence) {
  headline_ = sentence;
  json_["answer"] = sentence;
}

void Answer::number(const char* label, const char* key, double value) {
  json_[key] = value + 0.0; // no -0
  line(label, show(value));
}

void Answer::point(const char* label, const char* key, const Vec3& value) {
  json_[key] = to_json(value);
  line(label, show(value));
}

void Answer::words(const char* label, const char* key, const std::string& value) {
  json_[key] = value;
  line(label, value);
}

void Answer::status(Status status) {
  if (status == Status::bad_input) {
    throw Failure("the poses, or the shapes there, are out of the range that can be computed with");
  }
  json_["status"] = word_of(status);
  if (status == Status::wide) line("note", "the bounds hold, but are farther apart than usual");
}

void Answer::print(const Session& session) const {
  if (session.json) return tool::print(json_);
  std::vector<std::vector<std::string>> rows = rows_;
  for (auto& row : rows) row.front() = "  " + row.front();
  tool::print(headline_ + "\n" + table(rows));
}

void print(const std::string& text) {
  if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0) {
    fail("standard output", "cannot be written");
  }
}

void print(const Json& json) {
  print(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

} // namespace carom::tool
