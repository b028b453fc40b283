// Errors are values: what building from a user's data returns.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace [[gnu::visibility("default")]] carom {

enum class ErrorCode {
  not_finite,   ///< a number is NaN or infinite
  out_of_range, ///< a number is outside its stated range (coordinates: 0 or 1e-30 <= |x| <= 1e30)
  too_few,      ///< fewer elements than the thing needs
  degenerate,   ///< the data has fewer dimensions than the thing needs
  not_convex,
  unbounded, ///< the data describes something that reaches to infinity
  bad_file,
};

struct Error {
  ErrorCode code;
  std::string message; ///< one sentence for a person: what is wrong, where, and what would be right
};

template<class T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> failure(ErrorCode code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message)});
}

} // namespace carom
