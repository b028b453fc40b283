// Exact predicates against integer determinants, on cases that the bytes choose.
#include "tests/math/predicate_cases.h"

#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  carom::test::BytesSource source(data, size);
  const std::string wrong = carom::test::check_random_predicate(source);
  if (!wrong.empty()) {
    std::fputs(wrong.c_str(), stderr);
    std::abort();
  }
  return 0;
}
