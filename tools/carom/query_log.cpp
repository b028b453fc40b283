// carom query-log: the answers of a log, before the checker.
#include "carom/record/query_log.h"

#include "tools/carom/answer.h"
#include "tools/carom/player.h"
#include "tools/carom/progress.h"
#include "tools/carom/record_verbs.h"
#include "tools/carom/text.h"

#include <memory>

namespace carom::tool {
namespace {

void query_log(const std::string& file, Session& session) {
  const Result<std::vector<LoggedQuery>> queries = read_query_log(read_whole_file(file));
  if (!queries) fail(file, queries.error().message);
  Json failed = Json::array();
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
    return print(Json{{"verb", "query-log"}, {"queries", queries->size()}, {"failed", failed}});
  }
  std::string text;
  for (const auto& f : failed)
    text += std::to_string(f["number"].get<std::size_t>()) + ": " + f["query"].get<std::string>() +
            ": " + f["why"].get<std::string>() + "\n";
  const std::string asked =
      std::to_string(queries->size()) + (queries->size() == 1 ? " query" : " queries");
  print(text + file + ": " + asked + ", " +
        (failed.empty() ? "all answers hold"
                        : counted(failed.size(), "answer") + " that " +
                              (failed.size() == 1 ? "does" : "do") + " not hold") +
        "\n");
}

} // namespace

void add_query_log(CLI::App& app, Session& session) {
  const auto file = std::make_shared<std::string>();
  CLI::App& verb = add_verb(app, session,
                            {"query-log",
                             "Check the answers in a log of queries (docs/recording.md).",
                             "  carom query-log queries.log\n",
                             "Exit code 1: one does not hold."});
  verb.add_option("FILE", *file, "what QueryLog::dump gave")->required();
  verb.callback([file, &session] { query_log(*file, session); });
}

} // namespace carom::tool
