// Where a world gets its threads from.
//
//   ThreadPool pool(4);
//   world.step(1.0 / 60, &pool);
//
// The results are the same to the bit for any number of threads, or none. A program that has threads of its own makes an Executor of them.
#pragma once

#include "carom/tree/function_ref.h"

#include <cstddef>
#include <memory>

namespace [[gnu::visibility("default")]] carom {

class Executor {
public:
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;

  /// How many calls may run at once, the caller's among them: 1 or more.
  [[nodiscard]] virtual int threads() const = 0;
  /// Calls task(0) on the calling thread, and task(1) ... task(threads() - 1) on others; returns when all have returned. The others may begin late, even after task(0) has returned: it waits
  /// for none of them to begin. They end soon after it.
  virtual void run(FunctionRef<void(int)> task) = 0;
  /// With fewer pairs of shapes near each other than this, a step is done by its caller alone: to wake others would take longer than they save. The results are the same.
  [[nodiscard]] virtual std::size_t least_pairs() const { return 1000; }
};

/// Threads that wait for work. It may serve several worlds, one at a time.
class ThreadPool final : public Executor {
public:
  /// 0 or less: as many as the machine runs at once. Where the system gives fewer threads, it has fewer.
  explicit ThreadPool(int threads = 0, std::size_t least_pairs = 1000);
  ~ThreadPool() override;

  [[nodiscard]] int threads() const override;
  void run(FunctionRef<void(int)> task) override;
  [[nodiscard]] std::size_t least_pairs() const override { return least_pairs_; }

private:
  struct State;
  std::size_t least_pairs_;
  std::unique_ptr<State> state_;
};

} // namespace carom
