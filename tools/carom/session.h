// What all verbs of the command share: how it talks, how it fails, how it ends.
//
// Answers go to standard output, all else to standard error. A verb that cannot answer throws a Failure; main() prints it as one line and exits with 2.
#pragma once

#include <stdexcept>
#include <string>

namespace carom::tool {

// What the command exits with.
inline constexpr int exit_answer = 0; ///< answered; 'yes' where that was the question
inline constexpr int exit_no = 1;     ///< answered: 'no'. The help of a verb says where that can be
inline constexpr int exit_bad = 2;    ///< bad usage or bad input

/// Bad usage or bad input: one sentence for a person, that names the file or the option and the reason, without a full stop.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// "rock.obj: there is no such file". Of a reason that is a sentence, as some errors of the library are, the capital and the full stop are dropped.
[[noreturn]] void fail(const std::string& what, const std::string& why);

/// One run of the command. The verb that runs sets exit_code, where it is not 0.
struct Session {
  bool json = false; ///< print one JSON object for machines, instead of lines for people
  int exit_code = exit_answer;
};

} // namespace carom::tool
