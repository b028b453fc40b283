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

using Lanes = hn::CappedTag<double, 8>;
inline constexpr std::size_t lanes_each = hn::MaxLanes(Lanes{});
inline constexpr std::size_t registers_needed = 8 / lanes_each;

struct Mask8 {
  hn::Mask<Lanes> part[registers_needed];
};

struct Double8 {
  hn::Vec<Lanes> part[registers_needed];
};

// f(part of a, part of b ...) for each register.
template<class Result, class Function, class... Args>
HWY_INLINE Result each(Function&& f, const Args&... args) {
  Result r;
  for (std::size_t i = 0; i < registers_needed; ++i) r.part[i] = f(args.part[i]...);
  return r;
}

HWY_INLINE Double8 load8(const double* HWY_RESTRICT aligned) {
  Double8 r;
  for (std::size_t i = 0; i < registers_needed; ++i)
    r.part[i] = hn::Load(Lanes{}, aligned + i * lanes_each);
  return r;
}
HWY_INLINE void store8(const Double8& v, double* HWY_RESTRICT aligned) {
  for (std::size_t i = 0; i < registers_needed; ++i)
    hn::Store(v.part[i], Lanes{}, aligned + i * lanes_each);
}
HWY_INLINE Double8 all8(double x) {
  Double8 r;
  for (std::size_t i = 0; i < registers_needed; ++i) r.part[i] = hn::Set(Lanes{}, x);
  return r;
}

HWY_INLINE Double8 operator+(const Double8& a, const Double8& b) {
  return each<Double8>([](auto x, auto y) HWY_ATTR { return hn::Add(x, y); }, a, b);
}
HWY_INLINE Double8 operator-(const Double8& a, const Double8& b) {
  return each<Double8>([](auto x, auto y) HWY_ATTR { return hn::Sub(x, y); }, a, b);
}
HWY_INLINE Double8 operator*(const Double8& a, const Double8& b) {
  return each<Double8>([](auto x, auto y) HWY_ATTR { return hn::Mul(x, y); }, a, b);
}
HWY_INLINE Double8 operator/(const Double8& a, const Double8& b) {
  return each<Double8>([](auto x, auto y) HWY_ATTR { return hn::Div(x, y); }, a, b);
}
HWY_INLINE Double8 sqrt8(const Double8& a) {
  return each<Double8>([](auto x) HWY_ATTR { return hn::Sqrt(x); }, a);
}
HWY_INLINE Double8 abs8(const Double8& a) {
  return each<Double8>([](auto x) HWY_ATTR { return hn::Abs(x); }, a);
}
HWY_INLINE Mask8 operator<=(const Double8& a, const Double8& b) {
  return each<Mask8>([](auto x, auto y) HWY_ATTR { return hn::Le(x, y); }, a, b);
}
HWY_INLINE Mask8 operator<(const Double8& a, const Double8& b) {
  return each<Mask8>([](auto x, auto y) HWY_ATTR { return hn::Lt(x, y); }, a, b);
}
HWY_INLINE Mask8 operator&(const Mask8& a, const Mask8& b) {
  return each<Mask8>([](auto x, auto y) HWY_ATTR { return hn::And(x, y); }, a, b);
}
HWY_INLINE Mask8 operator|(const Mask8& a, const Mask8& b) {
  return each<Mask8>([](auto x, auto y) HWY_ATTR { return hn::Or(x, y); }, a, b);
}
/// Lane by lane: yes where the mask is set, else no. Like the scalar `m ? yes : no`, also for NaN.
HWY_INLINE Double8 select8(const Mask8& m, const Double8& yes, const Double8& no) {
  return each<Double8>([](auto c, auto y, auto n) HWY_ATTR { return hn::IfThenElse(c, y, n); }, m,
                       yes, no);
}
/// Bit i is lane i.
HWY_INLINE std::uint8_t bits8(const Mask8& m) {
  unsigned bits = 0;
  for (std::size_t i = 0; i < registers_needed; ++i) {
    std::uint8_t part[8] = {};
    hn::StoreMaskBits(Lanes{}, m.part[i], part);
    bits |= static_cast<unsigned>(part[0]) << (i * lanes_each);
  }
  return static_cast<std::uint8_t>(bits);
}

HWY_INLINE Double8 lesser8(const Double8& a, const Double8& b) {
  return each<Double8>([](auto x, auto y) HWY_ATTR { return hn::Min(x, y); }, a, b);
}
/// The least of the lanes, in all lanes. It does not depend on the order in which they are compared, since none is NaN.
HWY_INLINE Double8 least8(const Double8& a) {
  hn::Vec<Lanes> least = a.part[0];
  for (std::size_t i = 1; i < registers_needed; ++i) least = hn::Min(least, a.part[i]);
  least = hn::MinOfLanes(Lanes{}, least);
  Double8 r;
  for (std::size_t i = 0; i < registers_needed; ++i) r.part[i] = least;
  return r;
}

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

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
