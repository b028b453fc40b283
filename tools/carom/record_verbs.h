// The verbs about scenes and recordings.
#pragma once

#include "tools/carom/verbs.h"

namespace carom::tool {

void add_sim(CLI::App& app, Session& session);
void add_replay(CLI::App& app, Session& session);
void add_query_log(CLI::App& app, Session& session);

inline void add_record_verbs(CLI::App& app, Session& session) { add_sim(app, session); }

} // namespace carom::tool
