// A number that is going to be repeated in lanes.
//
// WebAssembly can load a number into all lanes at once. The compiler that makes it so (LLVM 14, that of Debian's emscripten) loses count of what was stored meanwhile, and may load too late. So there the number is
// loaded first, and the compiler does not see where it came from. For the same reason the WebAssembly build makes no lanes of its own accord (web/wasm/CMakeLists.txt).
//
// Internal: read by the headers of lanes.
#pragma once
#include <hwy/highway.h>

namespace carom {

template<class Number>
HWY_INLINE Number settled(Number x) {
#if HWY_ARCH_WASM
  asm("" : "+r"(x));
#endif
  return x;
}

} // namespace carom
