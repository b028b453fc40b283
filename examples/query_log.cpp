// Asks by way of a log, writes it, reads it again and has each answer checked; then the same with an answer that is wrong.
//   query_log [FOLDER]    writes FOLDER/queries.log (default: out), which `carom query-log` reads, too
#include "carom/record/query_log.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

using namespace carom;

namespace {

/// How many of the answers do not hold; each is named. -1: it is no log.
int wrong_answers(const std::string& bytes) {
  const Result<std::vector<LoggedQuery>> queries = read_query_log(bytes);
  if (!queries) {
    std::printf("%s\n", queries.error().message.c_str());
    return -1;
  }
  int wrong = 0;
  for (const LoggedQuery& query : *queries) {
    const verify::Verdict verdict = check(query);
    std::printf("  %s: %s\n", describe(query).c_str(), verdict ? "holds" : verdict.why.c_str());
    wrong += verdict ? 0 : 1;
  }
  return wrong;
}

} // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "out";
  std::filesystem::create_directories(folder);
  const Shape crate = Shape::box({1, 0.5, 0.5}).value();
  const Shape tip = Shape::cone(2, 0.5).value();
  const Pose above = Pose::at({0, 3, 0});

  QueryLog log; // what is asked of it is answered as by the functions of the same names, and kept
  const Distance d = log.distance(crate, above, tip, {});
  const RayHit hit = log.ray_cast(tip, {}, {{-5, 0, 0.5}, {1, 0, 0}});
  const TimeOfImpact meets =
      log.time_of_impact(crate, Motion::translation_by(above, {0, -3, 0}), tip, Motion::rest({}));
  std::printf("distance %.6g, ray at %.6g, impact at %.6g\n", d.value, hit.t, meets.t);

  const std::string path = folder + "/queries.log";
  std::ofstream(path, std::ios::binary) << log.dump();
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::printf("%s: %zu queries\n", path.c_str(), log.size());
  const int wrong = wrong_answers(bytes);

  // What was asked otherwise is recorded with its answer; this one says a tenth too much.
  Distance bad = d;
  bad.value += 0.1;
  log.record({crate, tip, {.a = Motion::rest(above), .b = Motion::rest({})}, bad});
  std::printf("and with a wrong answer:\n");
  return wrong == 0 && wrong_answers(log.dump()) == 1 ? 0 : 1;
}
