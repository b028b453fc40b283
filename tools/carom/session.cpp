#include "tools/carom/session.h"

namespace carom::tool {

void fail(const std::string& what, const std::string& why) { throw Failure(what + ": " + why); }

} // namespace carom::tool
