// A list of few things, in place. Internal to the world.
#pragma once

#include <array>
#include <cstddef>

namespace [[gnu::visibility("default")]] carom {

/// What is put in when it is full is left out.
template<class T, std::size_t most>
class ShortList {
public:
  ShortList() {} // NOLINT(modernize-use-equals-default): the storage is not to be cleared
  void clear() { count_ = 0; }
  void push(const T& item) { push_if(item, true); }
  /// Without a branch: where it is anybody's guess whether it is to be there.
  void push_if(const T& item, bool yes) {
    all_[count_] = item;
    count_ += static_cast<std::size_t>(yes & (count_ < most));
  }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] T& operator[](std::size_t i) { return all_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return all_[i]; }
  [[nodiscard]] const T* begin() const { return all_.data(); }
  [[nodiscard]] const T* end() const { return all_.data() + count_; }
  [[nodiscard]] T* begin() { return all_.data(); }
  [[nodiscard]] T* end() { return all_.data() + count_; }

private:
  std::array<T, most + 1> all_; ///< and a place for what is left out
  std::size_t count_ = 0;
};

} // namespace carom
