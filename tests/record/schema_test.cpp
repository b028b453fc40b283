// The schema against the reader: the same names, the same words, and every scene of ours is valid by both.
#include "carom/record/scene.h"
#include "tests/record/scene_files.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace carom::test {
namespace {

using Json = nlohmann::json;

Json schema() {
  static const Json parsed = Json::parse(read_file(source_dir() / "docs/scene.schema.json"));
  return parsed;
}

/// As much of JSON Schema as ours uses. Returns the first place that is wrong, or nothing.
std::string invalid(const Json& value, const Json& rule, const std::string& path);

bool is_of_type(const Json& value, const std::string& type) {
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  return type == value.type_name();
}

std::string invalid_type(const Json& value, const Json& rule, const std::string& path) {
  if (rule.contains("type")) {
    const Json types = rule["type"].is_array() ? rule["type"] : Json::array({rule["type"]});
    bool good = false;
    for (const Json& t : types) good = good || is_of_type(value, t);
    if (!good) return path + ": type";
  }
  if (rule.contains("const") && value != rule["const"]) return path + ": const";
  if (rule.contains("enum") &&
      std::find(rule["enum"].begin(), rule["enum"].end(), value) == rule["enum"].end())
    return path + ": enum";
  if (rule.contains("minimum") && value.is_number() && value < rule["minimum"])
    return path + ": minimum";
  if (rule.contains("exclusiveMinimum") && value.is_number() && value <= rule["exclusiveMinimum"])
    return path + ": exclusiveMinimum";
  return "";
}

std::string invalid_object(const Json& value, const Json& rule, const std::string& path) {
  if (rule.contains("required"))
    for (const Json& name : rule["required"])
      if (!value.contains(name.get<std::string>()))
        return path + ": misses " + name.get<std::string>();
  for (const auto& [name, member] : value.items()) {
    std::string wrong;
    if (rule.contains("properties") && rule["properties"].contains(name))
      wrong = invalid(member, rule["properties"][name], path + "." + name);
    else if (rule.contains("additionalProperties") && rule["additionalProperties"].is_object())
      wrong = invalid(member, rule["additionalProperties"], path + "." + name);
    else if (rule.contains("additionalProperties"))
      wrong = path + "." + name + ": unknown";
    if (!wrong.empty()) return wrong;
  }
  return "";
}

std::string invalid_array(const Json& value, const Json& rule, const std::string& path) {
  if (rule.contains("minItems") && value.size() < rule["minItems"]) return path + ": too short";
  if (rule.contains("maxItems") && value.size() > rule["maxItems"]) return path + ": too long";
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string at = path + "[" + std::to_string(i) + "]";
    std::string wrong;
    if (rule.contains("prefixItems") && i < rule["prefixItems"].size())
      wrong = invalid(value[i], rule["prefixItems"][i], at);
    else if (rule.contains("items"))
      wrong = invalid(value[i], rule["items"], at);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

std::string invalid(const Json& value, const Json& rule, const std::string& path) {
  if (rule.contains("$ref")) {
    const std::string name = rule["$ref"].get<std::string>().substr(8); // #/$defs/
    static const Json root = schema();
    EXPECT_TRUE(root["$defs"].contains(name)) << name;
    const std::string wrong = invalid(value, root["$defs"][name], path);
    if (!wrong.empty()) return wrong;
  }
  std::string wrong = invalid_type(value, rule, path);
  if (wrong.empty() && value.is_object()) wrong = invalid_object(value, rule, path);
  if (wrong.empty() && value.is_array()) wrong = invalid_array(value, rule, path);
  if (wrong.empty() && rule.contains("allOf"))
    for (const Json& each : rule["allOf"])
      if (wrong.empty()) wrong = invalid(value, each, path);
  if (wrong.empty() && rule.contains("anyOf")) {
    std::string all;
    bool good = false;
    for (const Json& each : rule["anyOf"]) {
      const std::string why = invalid(value, each, path);
      good = good || why.empty();
      all += why + "; ";
    }
    if (!good) wrong = path + ": none of (" + all + ")";
  }
  return wrong;
}

/// Every kind of everything, so that the reader asks for all the fields it knows.
constexpr const char* everything =
    R"({"carom_scene": 1, "world": {"solver": {}, "sleep": {}}, "materials": {"m": {}}, "cameras": [{"eye": [1, 0, 0], "target": [0, 0, 0]}],
  "shapes": [
    {"name": "a", "kind": "point", "at": [0, 0, 0]}, {"name": "b", "kind": "segment", "a": [0, 0, 0], "b": [1, 0, 0]}, {"name": "c", "kind": "triangle", "a": [0, 0, 0], "b": [1, 0, 0], "c": [0, 1, 0]},
    {"name": "d", "kind": "sphere", "radius": 1}, {"name": "e", "kind": "capsule", "a": [0, 0, 0], "b": [1, 0, 0], "radius": 1}, {"name": "f", "kind": "box", "half": [1, 1, 1]},
    {"name": "g", "kind": "cylinder", "half_height": 1, "radius": 1}, {"name": "h", "kind": "cone", "height": 1, "radius": 1}, {"name": "i", "kind": "ellipsoid", "radii": [1, 1, 1]},
    {"name": "j", "kind": "tapered_capsule", "a": [0, 0, 0], "radius_a": 1, "b": [1, 0, 0], "radius_b": 2}, {"name": "k", "kind": "hull", "scatter": {"count": 8}}, {"name": "l", "kind": "half_space", "normal": [0, 0, 1]},
    {"name": "m", "kind": "brush", "faces": [{"normal": [1, 0, 0], "offset": 1}, {"normal": [0, 1, 0], "offset": 1}, {"normal": [0, 0, 1], "offset": 1}, {"normal": [-1, -1, -1], "offset": 1}]},
    {"name": "n", "kind": "sum", "a": "f", "b": "d"}, {"name": "o", "kind": "hull_of_two", "a": "f", "b": "d"}, {"name": "p", "kind": "scaled", "shape": "h", "factors": [1, 2, 3]},
    {"name": "q", "kind": "mesh", "gear": {"teeth": 5}}, {"name": "r", "kind": "mesh", "lathe": {"segments": 5, "profile": [[0, 0], [1, 0], [0, 1]]}},
    {"name": "s", "kind": "height_field", "columns": 2, "rows": 2, "formula": 0}, {"name": "t", "kind": "compound", "parts": [{"shape": "f"}]}, {"name": "u", "kind": "point_cloud", "points": [[0, 0, 0]]}],
  "bodies": [{"name": "x", "filter": {}, "mass": {"mass": 1, "inertia": [1, 1, 1]}, "shapes": [{"shape": "f"}]}, {"bodies": [{"name": "y"}]}],
  "joints": [{"kind": "ball", "b": "x", "frame_b": {}, "spring": {}}, {"kind": "hinge", "b": "x", "motor": {"max_force": 1}}, {"kind": "slider", "b": "x"}, {"kind": "fixed", "b": "x"}, {"kind": "distance", "b": "x"},
    {"kind": "wheel", "b": "x"}, {"kind": "six_dof", "b": "x", "x": {}}],
  "mover": {"shape": "e", "walks": [{"seconds": 1}]}})";

TEST(Schema, HasTheFieldsThatTheReaderKnows) {
  FieldLog log;
  SceneOptions options;
  options.log = &log;
  const Result<Scene> scene = parse_scene(everything, options);
  ASSERT_TRUE(scene) << scene.error().message;
  const Json defs = schema()["$defs"];
  std::set<std::string> covered;
  for (const auto& [type, names] : log) {
    const std::size_t dot = type.find('.');
    if (dot != std::string::npos) {
      const Json& field = defs[type.substr(0, dot)]["properties"][type.substr(dot + 1)];
      const auto words = field.contains("const") ? std::set<std::string>{field["const"]}
                                                 : field["enum"].get<std::set<std::string>>();
      EXPECT_EQ(words, names) << type;
      continue;
    }
    ASSERT_TRUE(defs.contains(type)) << type;
    covered.insert(type);
    std::set<std::string> known;
    for (const auto& [name, rule] : defs[type]["properties"].items()) known.insert(name);
    EXPECT_EQ(known, names) << type;
  }
  for (const auto& [type, rule] : defs.items())
    EXPECT_TRUE(!rule.contains("properties") || covered.contains(type)) << type;
  EXPECT_EQ(invalid(Json::parse(everything), schema(), ""), "");
}

TEST(Schema, AllScenesAreValid) {
  for (const auto& file : scene_files())
    EXPECT_EQ(invalid(Json::parse(read_file(file)), schema(), ""), "") << file;
}

TEST(Schema, RefusesWhatTheReaderRefuses) {
  for (const char* bad :
       {R"({"name": "no mark"})", R"({"carom_scene": 1, "bodys": []})",
        R"({"carom_scene": 1, "bodies": [{"mas": 1}]})",
        R"({"carom_scene": 1, "bodies": [{"kind": "solid"}]})",
        R"({"carom_scene": 1, "bodies": [{"shape": {"kind": "sphere", "radius": -1}}]})",
        R"({"carom_scene": 1, "bodies": [{"position": [1, 2]}]})",
        R"({"carom_scene": 1, "joints": [{"kind": "ball"}]})",
        R"({"carom_scene": 1, "world": {"solver": {"kind": "springs"}}})",
        R"({"carom_scene": 1, "world": {"solver": "events"}})",
        R"({"carom_scene": 1, "shapes": [{"kind": "sphere", "radius": 1}]})"}) {
    EXPECT_NE(invalid(Json::parse(bad), schema(), ""), "") << bad;
    EXPECT_FALSE(parse_scene(bad)) << bad;
  }
}

} // namespace
} // namespace carom::test
