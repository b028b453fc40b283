// Logs of queries from the command: which answers hold, and what was asked and answered where one does not.
#include "carom/record/query_log.h"

#include "tests/tools/run_tool.h"

namespace carom::test {
namespace {

using Json = nlohmann::json;

class LogTest : public ToolTest {};

TEST_F(LogTest, ALogOfQueriesIsChecked) {
  const Shape box = Shape::box({1, 1, 1}).value();
  QueryLog log;
  Distance d = log.distance(box, {}, box, Pose::at({5, 0, 0}));
  write(path("good.log"), log.dump());
  const Json good = run({"query-log", "good.log", "--json"}).json();
  EXPECT_EQ(good["queries"], 1);
  EXPECT_EQ(good["failed"].size(), 0U);
  d.value += 1;
  log.record({box, box, {.a = {.start = {}}, .b = {.start = Pose::at({5, 0, 0})}}, d});
  write(path("bad.log"), log.dump());
  const ToolRun bad = run({"query-log", "bad.log"});
  EXPECT_EQ(bad.exit_code, 1) << bad.err;
  EXPECT_NE(bad.out.find("1: distance of box and box: "), std::string::npos) << bad.out;
  const Json json = run({"query-log", "bad.log", "--json"}).json();
  EXPECT_EQ(json["queries"], 2);
  ASSERT_EQ(json["failed"].size(), 1U);
  EXPECT_EQ(json["failed"][0]["number"], 1);
  // What was asked, and what was answered.
  const Json& failed = json["failed"][0];
  EXPECT_EQ(failed["a"]["kind"], "box");
  EXPECT_EQ(failed["b"]["pose"]["position"], (Json{5, 0, 0}));
  EXPECT_EQ(failed["answer"]["value"], 4);
  EXPECT_EQ(failed["answer"]["on_b"][0], 4);
  EXPECT_EQ(failed["answer"]["status"], "ok");
  const ToolRun drawn = run({"query-log", "bad.log", "--svg", "bad.svg"});
  EXPECT_NE(drawn.out.find("\n  wrote  bad.svg\n"), std::string::npos) << drawn.out;
  const std::string svg = contents(path("bad.svg"));
  EXPECT_NE(svg.find("<polygon"), std::string::npos);
  EXPECT_NE(svg.find("distance of box and box"), std::string::npos);
  // Nothing is drawn of answers that hold.
  EXPECT_EQ(run({"query-log", "good.log", "--svg", "good.svg", "--json"}).json()["wrote"],
            Json::array());
  EXPECT_FALSE(std::filesystem::exists(path("good.svg")));
  EXPECT_EQ(run({"query-log", "good.log"}).exit_code, 0);
}

/// One of each kind, each with its answer spoilt.
TEST_F(LogTest, QuestionAndAnswerOfEveryKindAreTold) {
  const Shape box = Shape::box({1, 1, 1}).value();
  const Pose near = Pose::at({1.5, 0, 0}), far = Pose::at({5, 0, 0});
  QueryLog source;
  static_cast<void>(source.overlap(box, {}, box, near));
  static_cast<void>(source.distance(box, {}, box, far));
  static_cast<void>(source.penetration(box, {}, box, near));
  static_cast<void>(source.contacts(box, {}, box, near));
  static_cast<void>(source.ray_cast(box, {}, {{-5, 0, 0}, {1, 0, 0}}));
  static_cast<void>(source.shape_cast(box, {}, {9, 0, 0}, box, far));
  static_cast<void>(source.closest_point({4, 0, 0}, box, {}));
  static_cast<void>(
      source.time_of_impact(box, Motion::translation_by({}, {9, 0, 0}), box, Motion::rest(far)));
  QueryLog spoilt;
  std::vector<LoggedQuery> queries = read_query_log(source.dump()).value();
  for (LoggedQuery& query : queries) {
    std::visit(
        [](auto& a) {
          if constexpr (requires { a.axis; }) {
            a.point.x += 9;
          } else if constexpr (requires { a.depth; }) {
            a.depth += 9;
          } else if constexpr (requires { a.t; }) {
            a.t /= 2;
          } else {
            a.value += 9;
          }
        },
        query.answer);
    spoilt.record(query);
  }
  write(path("spoilt.log"), spoilt.dump());
  const Json failed =
      run({"query-log", "spoilt.log", "--json", "--svg", "first.svg"}).json()["failed"];
  ASSERT_EQ(failed.size(), 8U);
  const char* const asked[] = {"", "", "", "margin", "ray", "translation", "point", "margin"};
  const std::vector<std::pair<std::string, double>> answered = {
      {"", 0},  {"value", 12},     {"depth", 9.5}, {"value", 8.5},
      {"t", 2}, {"t", 3.0 / 18.0}, {"value", 12},  {"t", 3.0 / 18.0}};
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(failed[i]["a"]["kind"], "box") << i;
    EXPECT_EQ(failed[i].contains("b"), i != 4 && i != 6) << i;
    if (asked[i][0] != '\0') {
      EXPECT_TRUE(failed[i].contains(asked[i])) << i;
    }
    if (i > 0) {
      EXPECT_NEAR(failed[i]["answer"][answered[i].first].get<double>(), answered[i].second, 1e-6)
          << i;
    }
    // Each of them can be drawn.
    QueryLog one;
    one.record(queries[i]);
    write(path("one.log"), one.dump());
    ASSERT_EQ(run({"query-log", "one.log", "--svg", "one.svg"}).exit_code, 1) << i;
    const std::string svg = contents(path("one.svg"));
    EXPECT_NE(svg.find("<polygon"), std::string::npos) << i;
    EXPECT_EQ(svg.find("nan"), std::string::npos) << i;
    std::filesystem::remove(path("one.svg"));
  }
  EXPECT_TRUE(failed[0]["answer"]["overlaps"]);
  EXPECT_EQ(failed[7]["a"]["motion"]["translation"], (Json{9, 0, 0}));
}

} // namespace
} // namespace carom::test
