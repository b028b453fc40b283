// The names of the fields of a scene, as its reader asks for them: what the schema is held against.
#pragma once

#include <map>
#include <set>
#include <string>

namespace [[gnu::visibility("default")]] carom {

/// By type ("body"): its fields. By type and field ("body.kind"): the words it may have.
using FieldLog = std::map<std::string, std::set<std::string>>;

} // namespace carom
