// Runs a fuzz target on random bytes at full speed, where it is built without libFuzzer: many more cases, none of them guided. `./dev fuzz --fast` calls it.
//
//   fuzz_NAME [SECONDS] [SEED]
#include "carom/math/random.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 60;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  std::fprintf(stderr, "seed %llu\n", static_cast<unsigned long long>(seed));
  const auto start = std::chrono::steady_clock::now();
  carom::Random random(seed);
  std::vector<std::uint8_t> bytes;
  std::uint64_t inputs = 0;
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  for (; elapsed() < seconds; ++inputs) {
    bytes.resize(1 + random.below(512));
    for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(random.below(256));
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
  std::fprintf(stderr, "%llu inputs in %.0f s\n", static_cast<unsigned long long>(inputs),
               elapsed());
  return 0;
}
