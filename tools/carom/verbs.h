// The verbs of the command: one function each, that adds it to the app. Each is in the source of its name, or of its family.
//
//   void add_count(CLI::App& app, Session& session) {
//     struct Options { std::string file; };
//     const auto options = std::make_shared<Options>();
//     CLI::App& verb = add_verb(app, session, {"count", "Count the faces of a mesh.", "  carom count rock.obj\n"});
//     verb.add_option("file", options->file, "mesh")->required();
//     verb.callback([options, &session] { ...; session.exit_code = ...; });    // throws Failure where it cannot
//   }
#pragma once

#include "tools/carom/verb.h"

#include <CLI/CLI.hpp>
