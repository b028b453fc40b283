// Four doubles at once, as two pairs: what every machine with pairs of doubles does well (SSE2, NEON, WebAssembly), without a choice at run time. For work on one
// pair of boxes, which is too short for that choice. Each lane goes through the operations of the scalar form. Internal to the queries.
#pragma once

#include <cstdint>

namespace carom {

using Pair = double __attribute__((vector_size(16)));
using PairMask = std::int64_t __attribute__((vector_size(16)));

struct Lanes4 {
  Pair lo, hi;

  [[nodiscard]] double operator[](int i) const { return i < 2 ? lo[i] : hi[i - 2]; }
};
struct Mask4 {
  PairMask lo, hi;
};

inline Lanes4 all4(double x) { return {Pair{x, x}, Pair{x, x}}; }
inline Lanes4 lanes4(double a, double b, double c, double d) { return {Pair{a, b}, Pair{c, d}}; }
inline void store4(const Lanes4& v, double* to) {
  to[0] = v.lo[0];
  to[1] = v.lo[1];
  to[2] = v.hi[0];
  to[3] = v.hi[1];
}

inline Lanes4 operator+(const Lanes4& a, const Lanes4& b) { return {a.lo + b.lo, a.hi + b.hi}; }
inline Lanes4 operator-(const Lanes4& a, const Lanes4& b) { return {a.lo - b.lo, a.hi - b.hi}; }
inline Lanes4 operator*(const Lanes4& a, const Lanes4& b) { return {a.lo * b.lo, a.hi * b.hi}; }
inline Lanes4 operator/(const Lanes4& a, const Lanes4& b) { return {a.lo / b.lo, a.hi / b.hi}; }

inline Pair abs_pair(const Pair& a) {
  constexpr std::int64_t magnitude = 0x7fffffffffffffff;
  return reinterpret_cast<Pair>(reinterpret_cast<PairMask>(a) & PairMask{magnitude, magnitude});
}
inline Lanes4 abs4(const Lanes4& a) { return {abs_pair(a.lo), abs_pair(a.hi)}; }
inline Lanes4 min4(const Lanes4& a, const Lanes4& b) {
  return {a.lo < b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
}
inline Lanes4 max4(const Lanes4& a, const Lanes4& b) {
  return {a.lo > b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

inline Mask4 operator<=(const Lanes4& a, const Lanes4& b) { return {a.lo <= b.lo, a.hi <= b.hi}; }
inline Mask4 operator<(const Lanes4& a, const Lanes4& b) { return {a.lo < b.lo, a.hi < b.hi}; }
inline Mask4 operator&(const Mask4& a, const Mask4& b) { return {a.lo & b.lo, a.hi & b.hi}; }
inline Mask4 operator~(const Mask4& a) { return {~a.lo, ~a.hi}; }
inline Lanes4 select4(const Mask4& m, const Lanes4& yes, const Lanes4& no) {
  return {m.lo ? yes.lo : no.lo, m.hi ? yes.hi : no.hi};
}
/// Bit i is lane i.
inline unsigned bits4(const Mask4& m) {
  return static_cast<unsigned>((m.lo[0] & 1) | (m.lo[1] & 2) | (m.hi[0] & 4) | (m.hi[1] & 8));
}

/// Lanes i, j, k, l.
template<int i, int j, int k, int l>
Lanes4 shuffled4(const Lanes4& a) {
  return {__builtin_shufflevector(a.lo, a.hi, i, j), __builtin_shufflevector(a.lo, a.hi, k, l)};
}

} // namespace carom
