// Eight doubles at once, whatever the machine: the lanes that batches of primitives are written in.
//
// A Double8 is one AVX-512 register, two of AVX2, four of SSE. A kernel is written once on Double8 and Mask8, compiled for
// each target by Highway, and chosen at run time. Each lane goes through exactly the operations that the scalar form does, in the
// same order, so lane i of a batch equals the scalar answer for element i to the bit. To keep that true there is no fused multiply-add,
// no approximate reciprocal and no horizontal sum here.
//
// Internal: for sources compiled once a target (foreach_target.h). Not installed.
#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#if HWY_ARCH_WASM
#include "carom/math/wide_pairs-inl.h"
#endif

// The per-target include guard that Highway asks for: this file is read once for each target.
#if defined(CAROM_MATH_WIDE_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAROM_MATH_WIDE_H_
#undef CAROM_MATH_WIDE_H_
#else
#define CAROM_MATH_WIDE_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
// Where doubles in lanes come from.
#if HWY_ARCH_WASM
namespace dn = pairs;
#else
namespace dn = hwy::HWY_NAMESPACE;
#endif

/// How many registers a batch of `count` doubles takes, of which width.
template<std::size_t count>
struct Registers {
  using Lanes = dn::CappedTag<double, count>;
  static constexpr std::size_t lanes_each = dn::MaxLanes(Lanes{});
  static constexpr std::size_t needed = count / lanes_each;
};
using Lanes = Registers<8>::Lanes;
inline constexpr std::size_t lanes_each = Registers<8>::lanes_each;
inline constexpr std::size_t registers_needed = Registers<8>::needed;

template<std::size_t count>
struct Masks {
  static constexpr std::size_t registers = Registers<count>::needed;
  dn::Mask<typename Registers<count>::Lanes> part[registers];
};
template<std::size_t count>
struct Doubles {
  static constexpr std::size_t registers = Registers<count>::needed;
  dn::Vec<typename Registers<count>::Lanes> part[registers];
};
using Mask8 = Masks<8>;
using Double8 = Doubles<8>;
using Mask4 = Masks<4>;
using Double4 = Doubles<4>;

// f(part of a, part of b ...) for each register.
template<class Result, class Function, class... Args>
HWY_INLINE Result each(Function&& f, const Args&... args) {
  Result r;
  for (std::size_t i = 0; i < Result::registers; ++i) r.part[i] = f(args.part[i]...);
  return r;
}

HWY_INLINE Double8 load8(const double* HWY_RESTRICT aligned) {
  Double8 r;
  for (std::size_t i = 0; i < registers_needed; ++i)
    r.part[i] = dn::Load(Lanes{}, aligned + i * lanes_each);
  return r;
}
HWY_INLINE void store8(const Double8& v, double* HWY_RESTRICT aligned) {
  for (std::size_t i = 0; i < registers_needed; ++i)
    dn::Store(v.part[i], Lanes{}, aligned + i * lanes_each);
}
HWY_INLINE Double8 all8(double x) {
  Double8 r;
  for (std::size_t i = 0; i < registers_needed; ++i) r.part[i] = dn::Set(Lanes{}, x);
  return r;
}

template<std::size_t n>
HWY_INLINE Doubles<n> operator+(const Doubles<n>& a, const Doubles<n>& b) {
  return each<Doubles<n>>([](auto x, auto y) HWY_ATTR { return dn::Add(x, y); }, a, b);
}
template<std::size_t n>
HWY_INLINE Doubles<n> operator-(const Doubles<n>& a, const Doubles<n>& b) {
  return each<Doubles<n>>([](auto x, auto y) HWY_ATTR { return dn::Sub(x, y); }, a, b);
}
template<std::size_t n>
HWY_INLINE Doubles<n> operator*(const Doubles<n>& a, const Doubles<n>& b) {
  return each<Doubles<n>>([](auto x, auto y) HWY_ATTR { return dn::Mul(x, y); }, a, b);
}
template<std::size_t n>
HWY_INLINE Doubles<n> operator/(const Doubles<n>& a, const Doubles<n>& b) {
  return each<Doubles<n>>([](auto x, auto y) HWY_ATTR { return dn::Div(x, y); }, a, b);
}
HWY_INLINE Double8 sqrt8(const Double8& a) {
  return each<Double8>([](auto x) HWY_ATTR { return dn::Sqrt(x); }, a);
}
HWY_INLINE Double8 abs8(const Double8& a) {
  return each<Double8>([](auto x) HWY_ATTR { return dn::Abs(x); }, a);
}
template<std::size_t n>
HWY_INLINE Masks<n> operator<=(const Doubles<n>& a, const Doubles<n>& b) {
  return each<Masks<n>>([](auto x, auto y) HWY_ATTR { return dn::Le(x, y); }, a, b);
}
template<std::size_t n>
HWY_INLINE Masks<n> operator<(const Doubles<n>& a, const Doubles<n>& b) {
  return each<Masks<n>>([](auto x, auto y) HWY_ATTR { return dn::Lt(x, y); }, a, b);
}
template<std::size_t n>
HWY_INLINE Masks<n> operator&(const Masks<n>& a, const Masks<n>& b) {
  return each<Masks<n>>([](auto x, auto y) HWY_ATTR { return dn::And(x, y); }, a, b);
}
template<std::size_t n>
HWY_INLINE Masks<n> operator|(const Masks<n>& a, const Masks<n>& b) {
  return each<Masks<n>>([](auto x, auto y) HWY_ATTR { return dn::Or(x, y); }, a, b);
}
/// Not a, and b.
template<std::size_t n>
HWY_INLINE Masks<n> without(const Masks<n>& b, const Masks<n>& a) {
  return each<Masks<n>>([](auto x, auto y) HWY_ATTR { return dn::AndNot(x, y); }, a, b);
}
/// Lane by lane: yes where the mask is set, else no. Like the scalar `m ? yes : no`, also for NaN.
HWY_INLINE Double8 select8(const Mask8& m, const Double8& yes, const Double8& no) {
  return each<Double8>([](auto c, auto y, auto n) HWY_ATTR { return dn::IfThenElse(c, y, n); }, m,
                       yes, no);
}
/// Bit i is lane i.
HWY_INLINE std::uint8_t bits8(const Mask8& m) {
  unsigned bits = 0;
  for (std::size_t i = 0; i < registers_needed; ++i) {
    std::uint8_t part[8] = {};
    dn::StoreMaskBits(Lanes{}, m.part[i], part);
    bits |= static_cast<unsigned>(part[0]) << (i * lanes_each);
  }
  return static_cast<std::uint8_t>(bits);
}

HWY_INLINE Double8 lesser8(const Double8& a, const Double8& b) {
  return each<Double8>([](auto x, auto y) HWY_ATTR { return dn::Min(x, y); }, a, b);
}
HWY_INLINE Double8 greater8(const Double8& a, const Double8& b) {
  return each<Double8>([](auto x, auto y) HWY_ATTR { return dn::Max(x, y); }, a, b);
}

/// f of all lanes, in all lanes: `one` of two registers, `all` of the lanes of one. For what does not depend on the order: least and greatest of numbers that are not NaN.
template<class One, class All>
HWY_INLINE Double8 of_all_lanes(const Double8& a, One&& one, All&& all) {
  dn::Vec<Lanes> best = a.part[0];
  for (std::size_t i = 1; i < registers_needed; ++i) best = one(best, a.part[i]);
  best = all(best);
  Double8 r;
  for (std::size_t i = 0; i < registers_needed; ++i) r.part[i] = best;
  return r;
}
HWY_INLINE Double8 least8(const Double8& a) {
  return of_all_lanes(
      a, [](auto x, auto y) HWY_ATTR { return dn::Min(x, y); },
      [](auto x) HWY_ATTR { return dn::MinOfLanes(Lanes{}, x); });
}
HWY_INLINE Double8 greatest8(const Double8& a) {
  return of_all_lanes(
      a, [](auto x, auto y) HWY_ATTR { return dn::Max(x, y); },
      [](auto x) HWY_ATTR { return dn::MaxOfLanes(Lanes{}, x); });
}

HWY_INLINE double first8(const Double8& a) { return dn::GetLane(a.part[0]); }

/// Three coordinates of eight points.
struct Vec3x8 {
  Double8 x, y, z;
};
HWY_INLINE Vec3x8 operator-(const Vec3x8& a, const Vec3x8& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
HWY_INLINE Double8 dot8(const Vec3x8& a, const Vec3x8& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
HWY_INLINE Vec3x8 cross8(const Vec3x8& a, const Vec3x8& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Four doubles: for work on a single pair, of whose vectors each has its own register.

HWY_INLINE Double4 all4(double x) {
  Double4 r;
  for (auto& part : r.part) part = dn::Set(Registers<4>::Lanes{}, x);
  return r;
}
HWY_INLINE Double4 load4(const double* from) {
  Double4 r;
  for (std::size_t i = 0; i < Double4::registers; ++i)
    r.part[i] = dn::LoadU(Registers<4>::Lanes{}, from + i * Registers<4>::lanes_each);
  return r;
}
/// Lanes 0 to 3.
HWY_INLINE Double4 lanes4(double a, double b, double c, double d) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  const double lanes[4] = {a, b, c, d};
  return load4(lanes);
#else
  using Raw = decltype(Double4{}.part[0].raw);
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  return {{{Raw{a, b, c, d}}}};
#else
  return {{{Raw{a, b}}, {Raw{c, d}}}};
#endif
#endif
}
HWY_INLINE void store4(const Double4& v, double* to) {
  for (std::size_t i = 0; i < Double4::registers; ++i)
    dn::StoreU(v.part[i], Registers<4>::Lanes{}, to + i * Registers<4>::lanes_each);
}
HWY_INLINE Double4 abs4(const Double4& a) {
  return each<Double4>([](auto x) HWY_ATTR { return dn::Abs(x); }, a);
}
/// Like the scalar `m ? yes : no`.
HWY_INLINE Double4 select4(const Mask4& m, const Double4& yes, const Double4& no) {
  return each<Double4>([](auto c, auto y, auto n) HWY_ATTR { return dn::IfThenElse(c, y, n); }, m,
                       yes, no);
}
/// a < b ? a : b, so b where one is NaN. On x86 and in WebAssembly that is what one instruction does.
HWY_INLINE Double4 min4(const Double4& a, const Double4& b) {
#if HWY_ARCH_X86 || HWY_ARCH_WASM
  return each<Double4>([](auto x, auto y) HWY_ATTR { return dn::Min(x, y); }, a, b);
#else
  return select4(a < b, a, b);
#endif
}
/// b < a ? a : b, so b where one is NaN.
HWY_INLINE Double4 max4(const Double4& a, const Double4& b) {
#if HWY_ARCH_X86 || HWY_ARCH_WASM
  return each<Double4>([](auto x, auto y) HWY_ATTR { return dn::Max(x, y); }, a, b);
#else
  return select4(b < a, a, b);
#endif
}
/// Bit i is lane i.
HWY_INLINE unsigned bits4(const Mask4& m) {
  unsigned bits = 0;
  for (std::size_t i = 0; i < Mask4::registers; ++i) {
    std::uint8_t part[8] = {};
    dn::StoreMaskBits(Registers<4>::Lanes{}, m.part[i], part);
    bits |= static_cast<unsigned>(part[0]) << (i * Registers<4>::lanes_each);
  }
  return bits;
}
/// Lanes i, j, k, l.
template<int i, int j, int k, int l>
HWY_INLINE Double4 shuffled4(const Double4& a) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  double lanes[4];
  store4(a, lanes);
  return lanes4(lanes[i], lanes[j], lanes[k], lanes[l]);
#elif HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  return {{{__builtin_shufflevector(a.part[0].raw, a.part[0].raw, i, j, k, l)}}};
#else
  return {{{__builtin_shufflevector(a.part[0].raw, a.part[1].raw, i, j)},
           {__builtin_shufflevector(a.part[0].raw, a.part[1].raw, k, l)}}};
#endif
}
/// Lane by lane, b where the number is 1, else a.
template<int i, int j, int k, int l>
HWY_INLINE Double4 blended4(const Double4& a, const Double4& b) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  double lanes_a[4], lanes_b[4];
  store4(a, lanes_a);
  store4(b, lanes_b);
  return lanes4((i ? lanes_b : lanes_a)[0], (j ? lanes_b : lanes_a)[1], (k ? lanes_b : lanes_a)[2],
                (l ? lanes_b : lanes_a)[3]);
#elif HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  return {{{__builtin_shufflevector(a.part[0].raw, b.part[0].raw, 4 * i, 1 + 4 * j, 2 + 4 * k,
                                    3 + 4 * l)}}};
#else
  return {{{__builtin_shufflevector(a.part[0].raw, b.part[0].raw, 2 * i, 1 + 2 * j)},
           {__builtin_shufflevector(a.part[1].raw, b.part[1].raw, 2 * k, 1 + 2 * l)}}};
#endif
}
/// The last four bits of each lane replaced by a number from 0 to 15: the lane's number goes along where the greatest is sought. For finite lanes.
template<int i, int j, int k, int l>
HWY_INLINE Double4 numbered4(const Double4& a) {
  const dn::RebindToUnsigned<Registers<4>::Lanes> bits;
  alignas(32) static constexpr std::uint64_t numbers[4] = {i, j, k, l};
  Double4 r;
  for (std::size_t p = 0; p < Double4::registers; ++p) {
    const auto number = dn::Load(bits, numbers + p * Registers<4>::lanes_each);
    const auto upper = dn::AndNot(dn::Set(bits, 15), dn::BitCast(bits, a.part[p]));
    r.part[p] = dn::BitCast(Registers<4>::Lanes{}, dn::Or(upper, number));
  }
  return r;
}
/// The greatest of the four, the least: the same in any order.
HWY_INLINE Double4 greatest4(const Double4& a) {
  const Double4 pairs = max4(a, shuffled4<2, 3, 0, 1>(a));
  return max4(pairs, shuffled4<1, 0, 3, 2>(pairs));
}
HWY_INLINE Double4 least4(const Double4& a) {
  const Double4 pairs = min4(a, shuffled4<2, 3, 0, 1>(a));
  return min4(pairs, shuffled4<1, 0, 3, 2>(pairs));
}
HWY_INLINE double first4(const Double4& a) { return dn::GetLane(a.part[0]); }

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
