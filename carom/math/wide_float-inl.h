// Eight floats at once, whatever the machine: the lanes of a tree's nodes and leaves.
//
// A Float8 is one AVX2 register, two of SSE or WebAssembly. As in wide.h each lane goes through the same operations on every machine, so that
// traversals take the same path everywhere. Floats accelerate and never decide: what is computed here is a bound, and its slack covers the rounding.
//
// Internal: for sources compiled once a target (foreach_target.h). Not installed.
#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

// The per-target include guard that Highway asks for: this file is read once for each target.
#if defined(CAROM_MATH_WIDE_FLOAT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAROM_MATH_WIDE_FLOAT_INL_H_
#undef CAROM_MATH_WIDE_FLOAT_INL_H_
#else
#define CAROM_MATH_WIDE_FLOAT_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// `count` floats: 4 or 8.
template<std::size_t count>
struct FloatRegisters {
  using Lanes = hn::CappedTag<float, count>;
  static constexpr std::size_t lanes_each = hn::MaxLanes(Lanes{});
  static constexpr std::size_t needed = count / lanes_each;
};
template<std::size_t count>
struct FloatMasks {
  static constexpr std::size_t registers = FloatRegisters<count>::needed;
  hn::Mask<typename FloatRegisters<count>::Lanes> part[registers];
};
template<std::size_t count>
struct Floats {
  static constexpr std::size_t registers = FloatRegisters<count>::needed;
  hn::Vec<typename FloatRegisters<count>::Lanes> part[registers];
};
using Float8 = Floats<8>;
using Float4 = Floats<4>;
using FloatMask8 = FloatMasks<8>;

// f(part of a, part of b ...) for each register.
template<class Result, class Function, class... Args>
HWY_INLINE Result each_float(Function&& f, const Args&... args) {
  Result r;
  for (std::size_t i = 0; i < Result::registers; ++i) r.part[i] = f(args.part[i]...);
  return r;
}

template<std::size_t n = 8>
HWY_INLINE Floats<n> all_floats(float x) {
  Floats<n> r;
  for (auto& part : r.part) part = hn::Set(typename FloatRegisters<n>::Lanes{}, x);
  return r;
}
template<std::size_t n = 8>
HWY_INLINE Floats<n> load_floats(const float* aligned) {
  using R = FloatRegisters<n>;
  Floats<n> r;
  for (std::size_t i = 0; i < R::needed; ++i)
    r.part[i] = hn::Load(typename R::Lanes{}, aligned + i * R::lanes_each);
  return r;
}
template<std::size_t n>
HWY_INLINE void store_floats(const Floats<n>& v, float* aligned) {
  using R = FloatRegisters<n>;
  for (std::size_t i = 0; i < R::needed; ++i)
    hn::Store(v.part[i], typename R::Lanes{}, aligned + i * R::lanes_each);
}
/// Put together without a way through memory, where a wide load would wait for the narrow stores.
HWY_INLINE Float4 four_floats(float x, float y, float z, float w) {
#if HWY_TARGET == HWY_SCALAR
  alignas(16) const float all[4] = {x, y, z, w};
  return load_floats<4>(all);
#else
  const FloatRegisters<4>::Lanes lanes;
  const auto all = [&](float one) HWY_ATTR { return hn::Set(lanes, one); };
  const auto low = hn::InterleaveLower(lanes, all(x), all(y));
  const auto high = hn::InterleaveLower(lanes, all(z), all(w));
  Float4 r;
  r.part[0] = hn::ConcatLowerLower(lanes, high, low);
  return r;
#endif
}
/// The whole parts.
template<std::size_t n>
HWY_INLINE void store_whole(const Floats<n>& v, std::int32_t* aligned) {
  using R = FloatRegisters<n>;
  const hn::RebindToSigned<typename R::Lanes> whole;
  for (std::size_t i = 0; i < R::needed; ++i)
    hn::Store(hn::ConvertTo(whole, v.part[i]), whole, aligned + i * R::lanes_each);
}
/// Small whole numbers, as floats.
template<class Small>
HWY_INLINE Float8 floats_of(const Small* from) {
  using R = FloatRegisters<8>;
  const hn::Rebind<Small, R::Lanes> narrow;
  const hn::RebindToSigned<R::Lanes> wide;
  Float8 r;
  for (std::size_t i = 0; i < R::needed; ++i)
    r.part[i] =
        hn::ConvertTo(R::Lanes{}, hn::PromoteTo(wide, hn::LoadU(narrow, from + i * R::lanes_each)));
  return r;
}
/// Powers of two, from their exponents as a float stores them.
HWY_INLINE Float4 powers_of_two(const std::uint8_t* exponents) {
  using R = FloatRegisters<4>;
  const hn::Rebind<std::uint8_t, R::Lanes> narrow;
  const hn::RebindToSigned<R::Lanes> wide;
  Float4 r;
  for (std::size_t i = 0; i < R::needed; ++i)
    r.part[i] = hn::BitCast(
        R::Lanes{},
        hn::ShiftLeft<23>(hn::PromoteTo(wide, hn::LoadU(narrow, exponents + i * R::lanes_each))));
  return r;
}

template<std::size_t n>
HWY_INLINE Floats<n> operator+(const Floats<n>& a, const Floats<n>& b) {
  return each_float<Floats<n>>([](auto x, auto y) HWY_ATTR { return hn::Add(x, y); }, a, b);
}
template<std::size_t n>
HWY_INLINE Floats<n> operator-(const Floats<n>& a, const Floats<n>& b) {
  return each_float<Floats<n>>([](auto x, auto y) HWY_ATTR { return hn::Sub(x, y); }, a, b);
}
template<std::size_t n>
HWY_INLINE Floats<n> operator*(const Floats<n>& a, const Floats<n>& b) {
  return each_float<Floats<n>>([](auto x, auto y) HWY_ATTR { return hn::Mul(x, y); }, a, b);
}
template<std::size_t n>
HWY_INLINE Floats<n> operator/(const Floats<n>& a, const Floats<n>& b) {
  return each_float<Floats<n>>([](auto x, auto y) HWY_ATTR { return hn::Div(x, y); }, a, b);
}
template<std::size_t n>
HWY_INLINE Floats<n> abs(const Floats<n>& a) {
  return each_float<Floats<n>>([](auto x) HWY_ATTR { return hn::Abs(x); }, a);
}
template<std::size_t n>
HWY_INLINE Floats<n> sqrt(const Floats<n>& a) {
  return each_float<Floats<n>>([](auto x) HWY_ATTR { return hn::Sqrt(x); }, a);
}
// a < b ? a : b, and b < a ? a : b: as on x86 also in WebAssembly, where Highway's would tell zeros apart.
template<class Vec>
HWY_INLINE Vec lesser(Vec a, Vec b) {
#if HWY_ARCH_WASM
  return Vec{wasm_f32x4_pmin(b.raw, a.raw)};
#else
  return hn::Min(a, b);
#endif
}
template<class Vec>
HWY_INLINE Vec greater(Vec a, Vec b) {
#if HWY_ARCH_WASM
  return Vec{wasm_f32x4_pmax(b.raw, a.raw)};
#else
  return hn::Max(a, b);
#endif
}
/// For lanes that are not NaN.
template<std::size_t n>
HWY_INLINE Floats<n> min(const Floats<n>& a, const Floats<n>& b) {
  return each_float<Floats<n>>([](auto x, auto y) HWY_ATTR { return lesser(x, y); }, a, b);
}
template<std::size_t n>
HWY_INLINE Floats<n> max(const Floats<n>& a, const Floats<n>& b) {
  return each_float<Floats<n>>([](auto x, auto y) HWY_ATTR { return greater(x, y); }, a, b);
}
template<std::size_t n>
HWY_INLINE FloatMasks<n> operator<(const Floats<n>& a, const Floats<n>& b) {
  return each_float<FloatMasks<n>>([](auto x, auto y) HWY_ATTR { return hn::Lt(x, y); }, a, b);
}
template<std::size_t n>
HWY_INLINE FloatMasks<n> operator<=(const Floats<n>& a, const Floats<n>& b) {
  return each_float<FloatMasks<n>>([](auto x, auto y) HWY_ATTR { return hn::Le(x, y); }, a, b);
}
template<std::size_t n>
HWY_INLINE FloatMasks<n> operator&(const FloatMasks<n>& a, const FloatMasks<n>& b) {
  return each_float<FloatMasks<n>>([](auto x, auto y) HWY_ATTR { return hn::And(x, y); }, a, b);
}
template<std::size_t n>
HWY_INLINE FloatMasks<n> operator|(const FloatMasks<n>& a, const FloatMasks<n>& b) {
  return each_float<FloatMasks<n>>([](auto x, auto y) HWY_ATTR { return hn::Or(x, y); }, a, b);
}
/// Lane by lane: yes where the mask is set, else no.
template<std::size_t n>
HWY_INLINE Floats<n> select(const FloatMasks<n>& m, const Floats<n>& yes, const Floats<n>& no) {
  return each_float<Floats<n>>(
      [](auto c, auto y, auto other) HWY_ATTR { return hn::IfThenElse(c, y, other); }, m, yes, no);
}
/// Bit i is lane i.
template<std::size_t n>
HWY_INLINE unsigned bits(const FloatMasks<n>& m) {
  using R = FloatRegisters<n>;
  unsigned result = 0;
  for (std::size_t i = 0; i < R::needed; ++i) {
    std::uint8_t part[8] = {};
    hn::StoreMaskBits(typename R::Lanes{}, m.part[i], part);
    result |= static_cast<unsigned>(part[0]) << (i * R::lanes_each);
  }
  return result;
}

/// Three coordinates of eight points.
struct Float8x3 {
  Float8 x, y, z;

  HWY_INLINE Float8& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  HWY_INLINE const Float8& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
};
HWY_INLINE Float8x3 operator+(const Float8x3& a, const Float8x3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
HWY_INLINE Float8x3 operator-(const Float8x3& a, const Float8x3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
HWY_INLINE Float8x3 operator*(const Float8x3& a, const Float8& b) {
  return {a.x * b, a.y * b, a.z * b};
}
HWY_INLINE Float8 dot(const Float8x3& a, const Float8x3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
HWY_INLINE Float8x3 cross(const Float8x3& a, const Float8x3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
