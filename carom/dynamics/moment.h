// Waiting for another thread without going to sleep. Internal to the world.
#pragma once

#include <thread>

namespace [[gnu::visibility("default")]] carom {

/// Waits a little: at first only for a moment, since most waits are shorter than it takes to ask the system for anything; after some ten microseconds, others may run. `waited` is 0 at first.
inline void wait_a_moment(int& waited) {
  constexpr int moments = 1000;
  if (++waited > moments) return std::this_thread::yield();
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

} // namespace carom
