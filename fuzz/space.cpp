// Changes of a space and questions about it, which the bytes choose: over trees and over brute force, with a list of what must be there beside. All answers must be the same to the bit. Prints how many changes and questions there were.
#include "tests/space/twins.h"

#include <cstdio>
#include <cstdlib>

namespace {

using namespace carom;

class Tally {
public:
  ~Tally() { std::fprintf(stderr, "%llu changes, %llu questions\n", changes_, questions_); }
  void require_change(const std::string& wrong) { require(++changes_, wrong); }
  void require_same(const std::string& wrong) { require(++questions_, wrong); }

private:
  static void require(unsigned long long number, const std::string& wrong) {
    if (wrong.empty()) return;
    std::fprintf(stderr, "%llu: %s\n", number, wrong.c_str());
    std::abort();
  }
  unsigned long long changes_ = 0, questions_ = 0;
};
Tally tally; // NOLINT: prints when the program ends

void ask_both(const test::Twins& twins, test::Source& source) {
  const test::Question q = test::question(source, twins.pool());
  const bool same = test::ask(twins.trees(), q) == test::ask(twins.brute(), q);
  tally.require_same(same ? "" : "answers differ");
  if (!source.chance(4)) return;
  const bool same_pairs =
      test::ask_pairs(twins.trees(), 0.25) == test::ask_pairs(twins.brute(), 0.25);
  tally.require_same(same_pairs ? "" : "pairs differ");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  test::BytesSource bytes(data, size);
  // Shapes take many choices: they come from a seed, so that the bytes last for what happens to them.
  test::RandomSource shapes(bytes.below(1 << 16));
  test::Twins twins(shapes, test::any_options(bytes));
  while (!bytes.empty()) {
    tally.require_change(twins.change(bytes));
    if (bytes.chance(6)) tally.require_same(twins.compare_pairs());
    if (bytes.chance(12)) ask_both(twins, bytes);
  }
  tally.require_same(twins.compare_objects());
  tally.require_same(twins.compare_pairs());
  ask_both(twins, bytes);
  return 0;
}
