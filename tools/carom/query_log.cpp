// carom query-log: the answers of a log, before the checker.
#include "carom/record/query_log.h"

#include "tools/carom/player.h"
#include "tools/carom/record_verbs.h"

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

namespace carom::tool {
namespace {

void query_log(const std::string& file, Session& session) {
  const Result<std::vector<LoggedQuery>> queries = read_query_log(read_whole_file(file));
  if (!queries) fail(file, queries.error().message);
  auto failed = nlohmann::ordered_json::array();
  {
    Progress progress("checking", queries->size());
    for (std::size_t i = 0; i < queries->size(); ++i) {
      const verify::Verdict verdict = check((*queries)[i]);
      if (!verdict)
        failed.push_back({{"number", i}, {"query", describe((*queries)[i])}, {"why", verdict.why}});
      progress.show(i + 1);
    }
  }
  session.exit_code = failed.empty() ? exit_answer : exit_no;
  if (session.json) {
    const nlohmann::ordered_json json{{"queries", queries->size()}, {"failed", failed}};
    std::printf("%s\n", json.dump(2).c_str());
    return;
  }
  for (const auto& f : failed)
    std::printf("%zu: %s: %s\n", f["number"].get<std::size_t>(),
                f["query"].get_ref<const std::string&>().c_str(),
                f["why"].get_ref<const std::string&>().c_str());
  std::printf("%s: %zu queries, %zu answers that do not hold\n", file.c_str(), queries->size(),
              failed.size());
}

} // namespace

void add_query_log(CLI::App& app, Session& session) {
  const auto file = std::make_shared<std::string>();
  CLI::App& verb = add_verb(app, session,
                            {"query-log",
                             "Check the answers in a log of queries (docs/recording.md); exits "
                             "with 1 where one does not hold.",
                             "  carom query-log queries.log\n"});
  verb.add_option("log", *file, "bytes of QueryLog::dump")->required();
  verb.callback([file, &session] { query_log(*file, session); });
}

} // namespace carom::tool
