// Things by number that can be moved about in memory, so that what is used together stands together. Internal to the world.
//
// Where a thing is matters to no result, only to time: a processor that fetches ahead what may be needed next takes it away from another one that writes it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

template<class T>
class Records {
public:
  [[nodiscard]] T& operator[](std::uint32_t number) { return things_[place_[number]]; }
  [[nodiscard]] const T& operator[](std::uint32_t number) const { return things_[place_[number]]; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(things_.size()); }
  [[nodiscard]] bool empty() const { return things_.empty(); }

  /// The new one's number is the old size.
  void emplace_back() {
    // The thing comes last: where memory runs out for it, the others are as good as before.
    place_.resize(things_.size() + 1);
    number_.resize(things_.size() + 1);
    place_.back() = number_.back() = size();
    things_.emplace_back();
  }
  void resize(std::uint32_t size) {
    while (this->size() < size) emplace_back();
  }

  /// Below size().
  [[nodiscard]] std::uint32_t place_of(std::uint32_t number) const { return place_[number]; }
  [[nodiscard]] std::uint32_t number_at(std::uint32_t place) const { return number_[place]; }
  /// Numbers stay with their things; references do not.
  void swap_places(std::uint32_t a, std::uint32_t b) {
    if (a == b) return;
    std::swap(things_[a], things_[b]);
    std::swap(number_[a], number_[b]);
    place_[number_[a]] = a;
    place_[number_[b]] = b;
  }

private:
  std::vector<T> things_;
  std::vector<std::uint32_t> place_, number_;
};

} // namespace carom
