// The verbs of the command, named without CLI11, which takes long to compile: for sources that add no options of their own. (verbs.h has both, and says how a verb is added.)
#pragma once

#include "tools/carom/session.h"

#include <string>

namespace CLI {
class App;
}

namespace carom::tool {

struct VerbText {
  std::string name;
  std::string summary;      ///< a sentence of at most 80 characters: the list of all verbs has it
  std::string examples;     ///< lines, each indented by two spaces; the help ends with them
  std::string details = {}; ///< more sentences, for the verb's own help
};

/// A verb with --help and --json, and its examples at the end of the help.
CLI::App& add_verb(CLI::App& app, Session& session, const VerbText& text);

// About a mesh file.
void add_info(CLI::App& app, Session& session);
void add_repair(CLI::App& app, Session& session);
void add_hull(CLI::App& app, Session& session);
void add_decompose(CLI::App& app, Session& session);

// About one or two placed shapes.
void add_overlap(CLI::App& app, Session& session);
void add_distance(CLI::App& app, Session& session);
void add_penetration(CLI::App& app, Session& session);
void add_hausdorff(CLI::App& app, Session& session);
void add_impact(CLI::App& app, Session& session);
void add_ray(CLI::App& app, Session& session);
void add_closest(CLI::App& app, Session& session);

// About an assembly.
void add_clash(CLI::App& app, Session& session);

} // namespace carom::tool
