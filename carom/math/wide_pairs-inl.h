// Two doubles in one register of WebAssembly, with the names that Highway has for them elsewhere: Debian's Highway has none there.
//
// Only what wide.h asks for. Each function does lane by lane what its namesake does on x86, to the bit, least and greatest of zeros included.
//
// Internal: read by wide.h alone.
#include <hwy/highway.h>
#include <wasm_simd128.h>

#include <cstddef>
#include <cstdint>

// The per-target include guard that Highway asks for.
#if defined(CAROM_MATH_WIDE_PAIRS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAROM_MATH_WIDE_PAIRS_INL_H_
#undef CAROM_MATH_WIDE_PAIRS_INL_H_
#else
#define CAROM_MATH_WIDE_PAIRS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace pairs {

using RawDoubles = double __attribute__((vector_size(16)));
using RawBits = std::uint64_t __attribute__((vector_size(16)));

struct DoublePair {
  RawDoubles raw;
};
struct BitsPair {
  RawBits raw;
};
/// All bits of a lane are set, or none.
struct MaskPair {
  RawBits raw;
};

// Tags, as Highway has them.
template<class T, std::size_t count>
struct CappedTag {
  static_assert(count >= 2);
};
struct BitsTag {};
template<class Tag>
using RebindToUnsigned = BitsTag;
template<class Tag>
using Vec = DoublePair;
template<class Tag>
using Mask = MaskPair;
template<class T, std::size_t count>
constexpr std::size_t MaxLanes(CappedTag<T, count>) {
  return 2;
}

template<class Tag>
HWY_INLINE DoublePair LoadU(Tag, const double* from) {
  return {reinterpret_cast<RawDoubles>(wasm_v128_load(from))};
}
template<class Tag>
HWY_INLINE DoublePair Load(Tag tag, const double* aligned) {
  return LoadU(tag, aligned);
}
HWY_INLINE BitsPair Load(BitsTag, const std::uint64_t* aligned) {
  return {reinterpret_cast<RawBits>(wasm_v128_load(aligned))};
}
template<class Tag>
HWY_INLINE void StoreU(DoublePair v, Tag, double* to) {
  wasm_v128_store(to, reinterpret_cast<v128_t>(v.raw));
}
template<class Tag>
HWY_INLINE void Store(DoublePair v, Tag tag, double* aligned) {
  StoreU(v, tag, aligned);
}
template<class Tag>
HWY_INLINE DoublePair Set(Tag, double x) {
  return {RawDoubles{x, x}};
}
HWY_INLINE BitsPair Set(BitsTag, std::uint64_t x) { return {RawBits{x, x}}; }
HWY_INLINE double GetLane(DoublePair v) { return v.raw[0]; }

HWY_INLINE DoublePair Add(DoublePair a, DoublePair b) { return {a.raw + b.raw}; }
HWY_INLINE DoublePair Sub(DoublePair a, DoublePair b) { return {a.raw - b.raw}; }
HWY_INLINE DoublePair Mul(DoublePair a, DoublePair b) { return {a.raw * b.raw}; }
HWY_INLINE DoublePair Div(DoublePair a, DoublePair b) { return {a.raw / b.raw}; }
HWY_INLINE DoublePair Sqrt(DoublePair a) {
  return {reinterpret_cast<RawDoubles>(wasm_f64x2_sqrt(reinterpret_cast<v128_t>(a.raw)))};
}
HWY_INLINE DoublePair Abs(DoublePair a) {
  return {reinterpret_cast<RawDoubles>(wasm_f64x2_abs(reinterpret_cast<v128_t>(a.raw)))};
}
/// a < b ? a : b. The instruction is b < a ? b : a, so its operands change places.
HWY_INLINE DoublePair Min(DoublePair a, DoublePair b) {
  return {reinterpret_cast<RawDoubles>(
      wasm_f64x2_pmin(reinterpret_cast<v128_t>(b.raw), reinterpret_cast<v128_t>(a.raw)))};
}
/// b < a ? a : b.
HWY_INLINE DoublePair Max(DoublePair a, DoublePair b) {
  return {reinterpret_cast<RawDoubles>(
      wasm_f64x2_pmax(reinterpret_cast<v128_t>(b.raw), reinterpret_cast<v128_t>(a.raw)))};
}
HWY_INLINE DoublePair swapped(DoublePair a) {
  return {__builtin_shufflevector(a.raw, a.raw, 1, 0)};
}
template<class Tag>
HWY_INLINE DoublePair MinOfLanes(Tag, DoublePair a) {
  return Min(a, swapped(a));
}
template<class Tag>
HWY_INLINE DoublePair MaxOfLanes(Tag, DoublePair a) {
  return Max(a, swapped(a));
}

HWY_INLINE MaskPair Lt(DoublePair a, DoublePair b) {
  return {reinterpret_cast<RawBits>(a.raw < b.raw)};
}
HWY_INLINE MaskPair Le(DoublePair a, DoublePair b) {
  return {reinterpret_cast<RawBits>(a.raw <= b.raw)};
}
HWY_INLINE MaskPair And(MaskPair a, MaskPair b) { return {a.raw & b.raw}; }
HWY_INLINE MaskPair Or(MaskPair a, MaskPair b) { return {a.raw | b.raw}; }
HWY_INLINE MaskPair AndNot(MaskPair a, MaskPair b) { return {~a.raw & b.raw}; }
HWY_INLINE DoublePair IfThenElse(MaskPair m, DoublePair yes, DoublePair no) {
  return {reinterpret_cast<RawDoubles>(wasm_v128_bitselect(reinterpret_cast<v128_t>(yes.raw),
                                                           reinterpret_cast<v128_t>(no.raw),
                                                           reinterpret_cast<v128_t>(m.raw)))};
}
template<class Tag>
HWY_INLINE void StoreMaskBits(Tag, MaskPair m, std::uint8_t* bits) {
  bits[0] = static_cast<std::uint8_t>(wasm_i64x2_bitmask(reinterpret_cast<v128_t>(m.raw)));
}

HWY_INLINE BitsPair BitCast(BitsTag, DoublePair a) { return {reinterpret_cast<RawBits>(a.raw)}; }
template<class Tag>
HWY_INLINE DoublePair BitCast(Tag, BitsPair a) {
  return {reinterpret_cast<RawDoubles>(a.raw)};
}
HWY_INLINE BitsPair Or(BitsPair a, BitsPair b) { return {a.raw | b.raw}; }
HWY_INLINE BitsPair AndNot(BitsPair a, BitsPair b) { return {~a.raw & b.raw}; }

} // namespace pairs
} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
