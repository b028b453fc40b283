// The `carom` command. See docs/command.md.
#include "tools/carom/record_verbs.h"
#include "tools/carom/verbs.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>

namespace carom::tool {

CLI::App& add_verb(CLI::App& app, Session& session, const VerbText& text) {
  CLI::App& verb = *app.add_subcommand(text.name, text.summary);
  verb.add_flag("--json", session.json, "print JSON for machines");
  verb.footer("Examples:\n" + text.examples);
  return verb;
}

namespace {

constexpr const char* about =
    "Questions about shapes and meshes, each answer with its proof.\n"
    "Exit codes: 0 answered, 1 answered 'no' (where a verb's help says so), 2 bad usage or input.";
constexpr const char* examples = "Examples:\n"
                                 "  carom info rock.obj\n"
                                 "  carom distance box:1,1,1 sphere:0.5 --pose-b 3,0,0\n"
                                 "  carom clash assembly.obj --clearance 0.5 --html report.html\n"
                                 "  carom VERB --help          options and examples of a verb\n";

void add_all(CLI::App& app, Session& session) {
  for (const auto add :
       {add_info, add_repair, add_hull, add_decompose, add_overlap, add_distance, add_penetration,
        add_hausdorff, add_impact, add_ray, add_closest, add_clash}) {
    add(app, session);
  }
  add_record_verbs(app, session);
}

/// One line, whatever the text is.
void complain(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::fprintf(stderr, "carom: %s\n", text.c_str());
}

/// The verb that was being read when parsing failed: " distance", or nothing.
std::string verb_of(const CLI::App& app) {
  const auto verbs = app.get_subcommands();
  return verbs.empty() ? "" : " " + verbs.front()->get_name();
}

bool is_known(const CLI::App& app, const std::string& word) {
  if (!word.empty() && word.front() == '-') return app.get_option_no_throw(word) != nullptr;
  return !app.get_subcommands([&](const CLI::App* verb) { return verb->get_name() == word; })
              .empty();
}

int run(int argc, char** argv) {
  Session session;
  CLI::App app(about, "carom");
  app.footer(examples);
  app.set_version_flag("--version", "carom " CAROM_VERSION);
  app.require_subcommand(1);
  add_all(app, session);
  try {
    // Of a first word that it does not know, CLI11 would say that a verb is required.
    if (argc > 1 && !is_known(app, argv[1])) {
      fail(argv[1], "there is no such verb or option (see carom --help)");
    }
    app.parse(argc, argv);
    return session.exit_code;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error); // --help, --version
    complain(std::string(error.what()) + " (see carom" + verb_of(app) + " --help)");
  } catch (const Failure& failure) {
    complain(failure.what());
  } catch (const std::bad_alloc&) {
    complain("there is not enough memory");
  } catch (const std::exception& error) {
    complain(error.what());
  }
  return exit_bad;
}

} // namespace
} // namespace carom::tool

int main(int argc, char** argv) { return carom::tool::run(argc, argv); }
