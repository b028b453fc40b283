// Which objects a question is about.
#pragma once

#include "carom/query/answer.h"
#include "carom/space/partition.h"

namespace [[gnu::visibility("default")]] carom {

/// Says of an object whether it counts. It must answer the same whenever asked during one question.
using ObjectTest = FunctionRef<bool(ObjectId)>;

inline constexpr auto every_object = [](ObjectId) { return true; };

/// By default: all whose category and mask are not 0.
struct Among {
  /// Of the one who asks: may_meet() with that of the object.
  Filter filter{.category = ~0ULL, .mask = ~0ULL};
  Layers layers{};
  /// Asked last, of those that the boxes leave. It refers to a function of the caller: `{.accept = [&](ObjectId id) { return id != self; }}` as an argument is fine, an Among kept in a variable
  /// needs a function that lives as long.
  ObjectTest accept = every_object;
};

/// Whether there is any. Which, would depend on where the search begins: who wants to know asks for the first.
struct SpaceMeets {
  bool any = false;
  Status status = Status::ok; ///< or bad_input

  [[nodiscard]] explicit constexpr operator bool() const { return any; }
};

} // namespace carom
