// Meetings to come, the earliest first. A meeting is void as soon as one of its bodies flies otherwise than when it was foreseen.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace [[gnu::visibility("default")]] carom {
namespace classic {

struct Meeting {
  double time = 0;
  std::uint32_t a = 0, b = 0; ///< slots of bodies
  std::uint32_t plan_a = 0, plan_b = 0;
};

class EventQueue {
public:
  void reset(std::size_t bodies) {
    heap_.clear();
    plans_.assign(bodies, 0);
  }
  /// The body flies otherwise from now on.
  void replanned(std::uint32_t body) { ++plans_[body]; }
  void foresee(double time, std::uint32_t a, std::uint32_t b) {
    heap_.push_back({time, a, b, plans_[a], plans_[b]});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }
  /// The first that holds; taken out.
  std::optional<Meeting> next() {
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end(), later);
      const Meeting m = heap_.back();
      heap_.pop_back();
      if (plans_[m.a] == m.plan_a && plans_[m.b] == m.plan_b) return m;
    }
    return std::nullopt;
  }

private:
  /// A total order, so that nothing depends on how it came about.
  static bool later(const Meeting& x, const Meeting& y) {
    if (x.time != y.time) return x.time > y.time;
    return x.a != y.a ? x.a > y.a : x.b > y.b;
  }
  std::vector<Meeting> heap_;
  std::vector<std::uint32_t> plans_; ///< by slot: how often it was planned
};

} // namespace classic
} // namespace carom
