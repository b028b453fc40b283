// Eight lanes of floats or of doubles by the same names: traversals of two trees are written once for both. Internal, for sources compiled once a target.
#include "carom/math/wide.h"
#include "carom/math/wide_float-inl.h"

// The per-target include guard that Highway asks for: this file is read once for each target.
#if defined(CAROM_TREE_PAIR_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAROM_TREE_PAIR_LANES_INL_H_
#undef CAROM_TREE_PAIR_LANES_INL_H_
#else
#define CAROM_TREE_PAIR_LANES_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

HWY_INLINE Double8 abs(const Double8& a) { return abs8(a); }
HWY_INLINE Double8 min(const Double8& a, const Double8& b) { return lesser8(a, b); }
HWY_INLINE Double8 max(const Double8& a, const Double8& b) { return greater8(a, b); }
HWY_INLINE unsigned bits(const Mask8& m) { return bits8(m); }

HWY_INLINE Float8 all_lanes(float x) { return all_floats(x); }
HWY_INLINE Double8 all_lanes(double x) { return all8(x); }
HWY_INLINE Float8 load_lanes(const float* aligned) { return load_floats(aligned); }
HWY_INLINE Double8 load_lanes(const double* aligned) { return load8(aligned); }
HWY_INLINE void store_lanes(const Float8& v, float* aligned) { store_floats(v, aligned); }
HWY_INLINE void store_lanes(const Double8& v, double* aligned) { store8(v, aligned); }

template<class Real>
using Lanes8 = decltype(all_lanes(Real{}));

/// The greatest and the least lane: the same whatever the order.
HWY_INLINE float greatest_lane(const Float8& a) {
  using R = FloatRegisters<8>;
  auto most = a.part[0];
  for (std::size_t i = 1; i < R::needed; ++i) most = hn::Max(most, a.part[i]);
  return hn::GetLane(hn::MaxOfLanes(R::Lanes{}, most));
}
HWY_INLINE float least_lane(const Float8& a) {
  using R = FloatRegisters<8>;
  auto least = a.part[0];
  for (std::size_t i = 1; i < R::needed; ++i) least = hn::Min(least, a.part[i]);
  return hn::GetLane(hn::MinOfLanes(R::Lanes{}, least));
}
HWY_INLINE double greatest_lane(const Double8& a) { return first8(greatest8(a)); }
HWY_INLINE double least_lane(const Double8& a) { return first8(least8(a)); }

/// Three coordinates of eight points.
template<class Real>
struct Lanes8x3 {
  Lanes8<Real> x, y, z;

  HWY_INLINE Lanes8<Real>& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  HWY_INLINE const Lanes8<Real>& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
};
template<class Real>
HWY_INLINE Lanes8x3<Real> operator-(const Lanes8x3<Real>& a, const Lanes8x3<Real>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template<class Real>
HWY_INLINE Lanes8<Real> dot(const Lanes8x3<Real>& a, const Lanes8x3<Real>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template<class Real>
HWY_INLINE Lanes8x3<Real> all_lanes(const Real (&v)[3]) {
  return {all_lanes(v[0]), all_lanes(v[1]), all_lanes(v[2])};
}

HWY_INLINE Lanes8x3<float> all_floats(const float (&v)[3]) { return all_lanes(v); }

/// Small whole numbers.
template<class Real, class Small>
HWY_INLINE Lanes8<Real> lanes_of(const Small* from) {
  if constexpr (sizeof(Real) == sizeof(float)) {
    return floats_of(from);
  } else {
    alignas(64) double wide[8];
    for (int i = 0; i < 8; ++i) wide[i] = from[i];
    return load8(wide);
  }
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
