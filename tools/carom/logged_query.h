// A query of a log (carom/record/query_log.h), as JSON and as a picture.
#pragma once

#include "carom/record/query_log.h"
#include "tools/carom/answer.h"
#include "tools/carom/drawing.h"

namespace carom::tool {

/// The shapes with their places, what was asked of them, and what was answered.
[[nodiscard]] Json to_json(const LoggedQuery& query);

/// The shapes where they are, or come to, with the points and the direction of the answer.
[[nodiscard]] Drawing drawing_of(const LoggedQuery& query);

} // namespace carom::tool
