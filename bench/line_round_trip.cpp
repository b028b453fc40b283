#include "bench/line_round_trip.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

namespace carom::bench {

double line_round_trip() {
  if (std::thread::hardware_concurrency() < 2) return INFINITY;
  constexpr int times = 20000;
  struct alignas(64) Line {
    std::atomic<int> number = 0;
  };
  Line there, back;
  const auto wait = [](const Line& line, int for_it) {
    while (line.number.load(std::memory_order_acquire) != for_it) {
    }
  };
  std::thread other([&] {
    for (int i = 1; i <= times; ++i) {
      wait(there, i);
      back.number.store(i, std::memory_order_release);
    }
  });
  const auto go = [&](int from, int to) {
    for (int i = from; i <= to; ++i) {
      there.number.store(i, std::memory_order_release);
      wait(back, i);
    }
  };
  go(1, times / 10); // until both are awake
  const auto begin = std::chrono::steady_clock::now();
  go(times / 10 + 1, times);
  const std::chrono::duration<double, std::nano> passed = std::chrono::steady_clock::now() - begin;
  other.join();
  return passed.count() / (times - times / 10);
}

} // namespace carom::bench
