// What the standard library of Debian's emscripten (3.1.6) lacks and ours uses. Read before every source of the WebAssembly build, and of no other.
#pragma once
#include <bit>
#include <version>

#ifndef __cpp_lib_bit_cast
namespace std {
template<class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}
} // namespace std
#endif
