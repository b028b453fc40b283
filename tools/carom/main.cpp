// The `carom` command. See docs/command.md.
#include "tools/carom/help.h"
#include "tools/carom/record_verbs.h"
#include "tools/carom/text.h"
#include "tools/carom/verbs.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

namespace carom::tool {

CLI::App& add_verb(CLI::App& app, Session& session, const VerbText& text) {
  const std::string about =
      text.details.empty() ? text.summary : text.summary + "\n" + text.details;
  CLI::App& verb = *app.add_subcommand(text.name, about)->group("Verbs");
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
void complain(const char* text) {
  std::fputs("carom: ", stderr);
  for (; *text != '\0'; ++text) std::fputc(*text == '\n' ? ' ' : *text, stderr);
  std::fputc('\n', stderr);
}

/// The verb that was being read when parsing failed, or null.
const CLI::App* verb_of(const CLI::App& app) {
  const auto verbs = app.get_subcommands();
  return verbs.empty() ? nullptr : verbs.front();
}

/// What is wrong with an option, named by CLI11's text up to the colon, that has too few or too many values.
std::string option_trouble(const CLI::App& verb, const std::string& text) {
  const std::string name(text.begin(), std::find(text.begin(), text.end(), ':'));
  const CLI::Option* option = verb.get_option_no_throw(name);
  if (option == nullptr) return text;
  if (option->count() > 1) return name + ": it is given more than once";
  return name + ": it needs a value, " + option->get_type_name();
}

/// The first word that looks like an option and is none; empty where there is no such word.
std::string unknown_option(const CLI::App& verb) {
  for (const std::string& word : verb.remaining()) {
    if (word.size() > 1 && word.front() == '-') return word;
  }
  return "";
}

/// What was typed wrong, and where help is. CLI11's own words do for what is not named here.
std::string usage_trouble(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* verb = verb_of(app);
  if (verb == nullptr) return "a verb is wanted (see carom --help)";
  std::string text = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    text = option_trouble(*verb, text);
  } else if (dynamic_cast<const CLI::RequiresError*>(&error) != nullptr) {
    const std::string words = " requires "; // "--width requires --png"
    if (const std::size_t at = text.find(words); at != std::string::npos) {
      text.replace(at, words.size(), ": it does nothing without ");
    }
  } else if (const std::string option = unknown_option(*verb); !option.empty()) {
    text = option + ": there is no such option"; // also where that is why an operand is missing
  } else if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::string extra = verb->remaining().front();
    text =
        extra + ": that is one word too many" +
        (is_number(extra) ? ": numbers that belong together have commas between, as in 1,2,3" : "");
  } else if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    const std::string words = " is required";
    if (const std::size_t at = text.find(words); at != std::string::npos) {
      text.replace(at, words.size(), ": it is missing");
    }
  }
  return text + " (see carom " + verb->get_name() + " --help)";
}

/// "distence: there is no such verb: is distance meant?"
[[noreturn]] void fail_unknown(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands({})) names.push_back(verb->get_name());
  const std::string meant = nearest(word, names);
  fail(word, "there is no such verb or option" +
                 (meant.empty() ? "" : ": is " + meant + " meant?") + " (see carom --help)");
}

bool is_known(const CLI::App& app, const std::string& word) {
  if (!word.empty() && word.front() == '-') return app.get_option_no_throw(word) != nullptr;
  return !app.get_subcommands([&](const CLI::App* verb) { return verb->get_name() == word; })
              .empty();
}

/// Also "help", and "help VERB", as people type it.
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  return words;
}

/// What the command exits with.
int run(int argc, char** argv) {
  Session session;
  CLI::App app(about, "carom");
  app.footer(examples);
  app.set_version_flag("--version", "carom " CAROM_VERSION, "print the version");
  app.require_subcommand(1);
  app.formatter(house_formatter());
  app.get_formatter()->label("SUBCOMMAND", "VERB");
  app.set_help_flag("-h,--help", "print this help");
  add_all(app, session);
  std::vector<std::string> words = words_of(argc, argv);
  if (words.empty()) throw Failure("a verb is wanted (see carom --help)");
  // Of a first word that it does not know, CLI11 would say that a verb is required.
  if (!is_known(app, words.front())) fail_unknown(app, words.front());
  try {
    std::reverse(words.begin(), words.end()); // as CLI11 wants them
    app.parse(words);
    return session.exit_code;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error); // --help, --version
    throw Failure(usage_trouble(app, error));
  }
}

} // namespace
} // namespace carom::tool

int main(int argc, char** argv) {
  using namespace carom::tool;
  std::signal(SIGXFSZ,
              SIG_IGN); // a file that may not grow so large is an error, told as others are
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    complain("there is not enough memory");
  } catch (const std::exception& error) {
    complain(error.what());
  }
  return exit_bad;
}
