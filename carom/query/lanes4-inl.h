// Four doubles at once: one AVX register, or two pairs on machines that have only those. For work on one pair of boxes, whose axes are three.
//
// Each lane goes through the operations of the scalar form: the same bits on every machine (wide.h says more). Internal: for sources compiled once a target
// (foreach_target.h).
#include <hwy/highway.h>

#include <cstdint>

// The per-target include guard that Highway asks for: this file is read once for each target.
#if defined(CAROM_QUERY_LANES4_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAROM_QUERY_LANES4_INL_H_
#undef CAROM_QUERY_LANES4_INL_H_
#else
#define CAROM_QUERY_LANES4_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

// A register, or as many as it takes: `part` of them.
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
using Register = double __attribute__((vector_size(32)));
using RegisterMask = std::int64_t __attribute__((vector_size(32)));
inline constexpr int parts = 1;
#else
using Register = double __attribute__((vector_size(16)));
using RegisterMask = std::int64_t __attribute__((vector_size(16)));
inline constexpr int parts = 2;
#endif

struct Mask4 {
  RegisterMask part[parts];
};
struct Lanes4 {
  Register part[parts];

  HWY_INLINE double operator[](int i) const { return part[i * parts / 4][i % (4 / parts)]; }
};

template<class Result, class Function, class... Args>
HWY_INLINE Result each4(Function&& f, const Args&... args) {
  Result r;
  for (int i = 0; i < parts; ++i) r.part[i] = f(args.part[i]...);
  return r;
}

HWY_INLINE Lanes4 lanes4(double a, double b, double c, double d) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  return {Register{a, b, c, d}};
#else
  return {Register{a, b}, Register{c, d}};
#endif
}
HWY_INLINE Lanes4 all4(double x) { return lanes4(x, x, x, x); }
HWY_INLINE Lanes4 load4(const double* from) { return lanes4(from[0], from[1], from[2], from[3]); }
HWY_INLINE void store4(const Lanes4& v, double* to) {
  for (int i = 0; i < 4; ++i) to[i] = v[i];
}

HWY_INLINE Lanes4 operator+(const Lanes4& a, const Lanes4& b) {
  return each4<Lanes4>([](auto& x, auto& y) HWY_ATTR { return x + y; }, a, b);
}
HWY_INLINE Lanes4 operator-(const Lanes4& a, const Lanes4& b) {
  return each4<Lanes4>([](auto& x, auto& y) HWY_ATTR { return x - y; }, a, b);
}
HWY_INLINE Lanes4 operator*(const Lanes4& a, const Lanes4& b) {
  return each4<Lanes4>([](auto& x, auto& y) HWY_ATTR { return x * y; }, a, b);
}
HWY_INLINE Lanes4 operator/(const Lanes4& a, const Lanes4& b) {
  return each4<Lanes4>([](auto& x, auto& y) HWY_ATTR { return x / y; }, a, b);
}
HWY_INLINE Lanes4 abs4(const Lanes4& a) {
  constexpr std::int64_t magnitude = 0x7fffffffffffffff;
  return each4<Lanes4>(
      [](auto& x) HWY_ATTR {
        return reinterpret_cast<Register>(reinterpret_cast<RegisterMask>(x) & magnitude);
      },
      a);
}
HWY_INLINE Lanes4 min4(const Lanes4& a, const Lanes4& b) {
  return each4<Lanes4>([](auto& x, auto& y) HWY_ATTR { return x < y ? x : y; }, a, b);
}
HWY_INLINE Lanes4 max4(const Lanes4& a, const Lanes4& b) {
  return each4<Lanes4>([](auto& x, auto& y) HWY_ATTR { return x > y ? x : y; }, a, b);
}

HWY_INLINE Mask4 operator<=(const Lanes4& a, const Lanes4& b) {
  return each4<Mask4>([](auto& x, auto& y) HWY_ATTR { return x <= y; }, a, b);
}
HWY_INLINE Mask4 operator<(const Lanes4& a, const Lanes4& b) {
  return each4<Mask4>([](auto& x, auto& y) HWY_ATTR { return x < y; }, a, b);
}
HWY_INLINE Mask4 operator&(const Mask4& a, const Mask4& b) {
  return each4<Mask4>([](auto& x, auto& y) HWY_ATTR { return x & y; }, a, b);
}
HWY_INLINE Mask4 operator~(const Mask4& a) {
  return each4<Mask4>([](auto& x) HWY_ATTR { return ~x; }, a);
}
HWY_INLINE Lanes4 select4(const Mask4& m, const Lanes4& yes, const Lanes4& no) {
  return each4<Lanes4>([](auto& c, auto& y, auto& n) HWY_ATTR { return c ? y : n; }, m, yes, no);
}

/// Bit i is lane i.
HWY_INLINE unsigned bits4(const Mask4& m) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(m.part[0])));
#elif HWY_ARCH_X86
  return static_cast<unsigned>(_mm_movemask_pd(reinterpret_cast<__m128d>(m.part[0])) |
                               _mm_movemask_pd(reinterpret_cast<__m128d>(m.part[1])) << 2);
#else
  return static_cast<unsigned>((m.part[0][0] & 1) | (m.part[0][1] & 2) | (m.part[1][0] & 4) |
                               (m.part[1][1] & 8));
#endif
}

/// Lanes i, j, k, l.
template<int i, int j, int k, int l>
HWY_INLINE Lanes4 shuffled4(const Lanes4& a) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  return {__builtin_shufflevector(a.part[0], a.part[0], i, j, k, l)};
#else
  return {__builtin_shufflevector(a.part[0], a.part[1], i, j),
          __builtin_shufflevector(a.part[0], a.part[1], k, l)};
#endif
}

/// The greatest of the four: a maximum is the same in any order.
HWY_INLINE double greatest4(const Lanes4& a) {
  const Lanes4 pairs = max4(a, shuffled4<1, 0, 3, 2>(a));
  return max4(pairs, shuffled4<2, 3, 0, 1>(pairs))[0];
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
