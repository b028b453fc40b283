#include "tools/carom/session.h"

#include <cctype>

namespace carom::tool {
namespace {

bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

/// "OBJ" and other abbreviations keep their capitals.
std::string as_reason(std::string sentence) {
  if (!sentence.empty() && sentence.back() == '.') sentence.pop_back();
  if (sentence.size() > 1 && is_upper(sentence[0]) && !is_upper(sentence[1]))
    sentence[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(sentence[0])));
  return sentence;
}

} // namespace

void fail(const std::string& what, const std::string& why) {
  throw Failure(what + ": " + as_reason(why));
}

} // namespace carom::tool
