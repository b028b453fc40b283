// An answer, written once for people and for machines: a sentence, then rows. Every row has a label for the eye and a key for JSON.
#pragma once

#include "carom/math/vec3.h"
#include "carom/query/answer.h"
#include "tools/carom/operand.h"
#include "tools/carom/session.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace carom::tool {

using Json = nlohmann::ordered_json;

[[nodiscard]] Json to_json(const Vec3& v);
[[nodiscard]] Json to_json(const Pose& pose);

/// `ok`, `stopped`, `wide` or `bad_input`.
[[nodiscard]] const char* word_of(Status status);

class Answer {
public:
  explicit Answer(const std::string& verb) { json_["verb"] = verb; }

  /// What it is about: key "a" or "b". A row says so where a mesh is a surface because it is open.
  void about(const char* key, const Operand& operand);
  /// The first line.
  void headline(const std::string& sentence);
  [[nodiscard]] const std::string& headline() const { return headline_; }
  // Rows. A number that is infinite is null in JSON.
  void number(const char* label, const char* key, double value);
  void point(const char* label, const char* key, const Vec3& value);
  /// The nearest or deepest points of A and B.
  void points(const Vec3& on_a, const Vec3& on_b) {
    point("on A", "on_a", on_a);
    point("on B", "on_b", on_b);
  }
  void words(const char* label, const char* key, const std::string& value);
  /// `ok`, `stopped` or `wide`; a row only where it is not ok.
  void status(Status status);
  /// In JSON only.
  void json(const char* key, Json value) { json_[key] = std::move(value); }
  /// A line of text only.
  void line(const std::string& label, const std::string& value) { rows_.push_back({label, value}); }

  void print(const Session& session) const;

private:
  Json json_;
  std::string headline_;
  std::vector<std::vector<std::string>> rows_;
};

/// To standard output. Fails where that is closed or full.
void print(const std::string& text);
void print(const Json& json);

} // namespace carom::tool
