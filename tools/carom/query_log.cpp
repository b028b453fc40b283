// carom query-log: the answers of a log, before the checker.
#include "carom/record/query_log.h"

#include "tools/carom/answer.h"
#include "tools/carom/logged_query.h"
#include "tools/carom/output.h"
#include "tools/carom/player.h"
#include "tools/carom/progress.h"
#include "tools/carom/record_verbs.h"
#include "tools/carom/text.h"

#include <memory>

namespace carom::tool {
namespace {

struct LogOptions {
  std::string file, svg;
};

/// An answer that does not hold.
struct Failed {
  std::size_t number = 0; ///< in the log
  std::string why;
};

std::vector<Failed> check_all(const std::vector<LoggedQuery>& queries) {
  std::vector<Failed> failed;
  Progress progress("checking", queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (const verify::Verdict verdict = check(queries[i]); !verdict)
      failed.push_back({i, verdict.why});
    progress.show(i + 1);
  }
  return failed;
}

Json json_of(const std::vector<LoggedQuery>& queries, const std::vector<Failed>& failed) {
  Json json{{"verb", "query-log"}, {"queries", queries.size()}, {"failed", Json::array()}};
  for (const Failed& f : failed) {
    Json one{{"number", f.number}, {"query", describe(queries[f.number])}, {"why", f.why}};
    one.update(to_json(queries[f.number]));
    json["failed"].push_back(one);
  }
  return json;
}

std::string text_of(const std::string& file, const std::vector<LoggedQuery>& queries,
                    const std::vector<Failed>& failed) {
  std::string text;
  for (const Failed& f : failed)
    text += std::to_string(f.number) + ": " + describe(queries[f.number]) + ": " + f.why + "\n";
  const std::string asked =
      std::to_string(queries.size()) + (queries.size() == 1 ? " query" : " queries");
  return text + file + ": " + asked + ", " +
         (failed.empty() ? "all answers hold"
                         : counted(failed.size(), "answer") + " that " +
                               (failed.size() == 1 ? "does" : "do") + " not hold") +
         "\n";
}

void query_log(const LogOptions& options, Session& session) {
  check_distinct({{"FILE", options.file}, {"--svg", options.svg}});
  if (!options.svg.empty()) check_writable(options.svg);
  const Result<std::vector<LoggedQuery>> queries = read_query_log(read_whole_file(options.file));
  if (!queries) fail(options.file, queries.error().message);
  const std::vector<Failed> failed = check_all(*queries);
  const bool drawn = !options.svg.empty() && !failed.empty();
  if (drawn) write_file(options.svg, svg_of(drawing_of((*queries)[failed.front().number])));
  session.exit_code = failed.empty() ? exit_answer : exit_no;
  if (session.json) {
    Json json = json_of(*queries, failed);
    json["wrote"] = drawn ? Json::array({options.svg}) : Json::array();
    return print(json);
  }
  print(text_of(options.file, *queries, failed) + (drawn ? "  wrote  " + options.svg + "\n" : ""));
}

} // namespace

void add_query_log(CLI::App& app, Session& session) {
  const auto options = std::make_shared<LogOptions>();
  CLI::App& verb =
      add_verb(app, session,
               {"query-log", "Check the answers in a log of queries (docs/recording.md).",
                "  carom query-log queries.log\n"
                "  carom query-log queries.log --json --svg first_bad.svg\n",
                "Exit code 1: one does not hold. JSON has question and answer of each such."});
  verb.add_option("FILE", options->file, "what QueryLog::dump gave")->required();
  verb.add_option("--svg", options->svg,
                  "draw the first answer that does not hold, if there is one")
      ->type_name("FILE");
  verb.callback([options, &session] { query_log(*options, session); });
}

} // namespace carom::tool
