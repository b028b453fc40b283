// Vectors of six, a linear and an angular part, and their symmetric matrices, of eight joints at once, in doubles.
//
// Internal: for sources compiled once a target (foreach_target.h). Not installed.
#include "carom/dynamics/joint_tree_lanes.h"
#include "carom/dynamics/lane_speeds-inl.h"
#include "carom/math/wide.h"

// The per-target include guard that Highway asks for: this file is read once for each target.
#if defined(CAROM_DYNAMICS_SPATIAL_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAROM_DYNAMICS_SPATIAL_LANES_INL_H_
#undef CAROM_DYNAMICS_SPATIAL_LANES_INL_H_
#else
#define CAROM_DYNAMICS_SPATIAL_LANES_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace {

/// The place of (i, k), k <= i, in a lower triangle.
constexpr std::size_t at(std::size_t i, std::size_t k) { return i * (i + 1) / 2 + k; }

HWY_INLINE Double8 none() { return all8(0); }
#if HWY_ARCH_WASM
HWY_INLINE Double8 widened(const LaneRow& row) {
  alignas(64) double wide[lane_count];
  for (std::size_t i = 0; i < lane_count; ++i) wide[i] = static_cast<double>(row[i]);
  return load8(wide);
}
HWY_INLINE Float8 narrowed(const Double8& v) {
  alignas(64) double wide[lane_count];
  alignas(64) LaneRow row;
  store8(v, wide);
  for (std::size_t i = 0; i < lane_count; ++i) row[i] = static_cast<float>(wide[i]);
  return load_floats(row);
}
#else
using NarrowLanes = hn::Rebind<float, Lanes>;
HWY_INLINE Double8 widened(const LaneRow& row) {
  Double8 r;
  for (std::size_t i = 0; i < registers_needed; ++i)
    r.part[i] = hn::PromoteTo(Lanes{}, hn::Load(NarrowLanes{}, row + i * lanes_each));
  return r;
}
HWY_INLINE Float8 narrowed(const Double8& v) {
  alignas(64) LaneRow row;
  for (std::size_t i = 0; i < registers_needed; ++i)
    hn::Store(hn::DemoteTo(NarrowLanes{}, v.part[i]), NarrowLanes{}, row + i * lanes_each);
  return load_floats(row);
}
#endif
HWY_INLINE Double8 widened(const Float8& v) {
  alignas(64) LaneRow row;
  store_floats(v, row);
  return widened(row);
}

/// A linear and an angular part.
struct Spatial {
  Double8 part[6];

  HWY_INLINE static Spatial zero() { return {{none(), none(), none(), none(), none(), none()}}; }
  HWY_INLINE static Spatial widened_from(const Row3& linear, const Row3& angular) {
    return {{widened(linear.x), widened(linear.y), widened(linear.z), widened(angular.x),
             widened(angular.y), widened(angular.z)}};
  }
  HWY_INLINE static Spatial load(const LaneDoubles* rows) {
    Spatial s;
    for (std::size_t i = 0; i < 6; ++i) s.part[i] = load8(rows[i]);
    return s;
  }
  HWY_INLINE void store(LaneDoubles* rows) const {
    for (std::size_t i = 0; i < 6; ++i) store8(part[i], rows[i]);
  }
  HWY_INLINE void add(const Spatial& other, const Double8& times) {
    for (std::size_t i = 0; i < 6; ++i) part[i] = part[i] + other.part[i] * times;
  }
  [[nodiscard]] HWY_INLINE Row3 linear() const {
    return {narrowed(part[0]), narrowed(part[1]), narrowed(part[2])};
  }
  [[nodiscard]] HWY_INLINE Row3 angular() const {
    return {narrowed(part[3]), narrowed(part[4]), narrowed(part[5])};
  }
};
HWY_INLINE Double8 dot(const Spatial& a, const Spatial& b) {
  Double8 sum = a.part[0] * b.part[0];
  for (std::size_t i = 1; i < 6; ++i) sum = sum + a.part[i] * b.part[i];
  return sum;
}
HWY_INLINE Spatial times(const LaneDoubles* m, const Spatial& v) {
  Spatial y;
  for (std::size_t i = 0; i < 6; ++i) {
    y.part[i] = load8(m[at(i, 0)]) * v.part[0];
    for (std::size_t k = 1; k < 6; ++k)
      y.part[i] = y.part[i] + load8(m[k <= i ? at(i, k) : at(k, i)]) * v.part[k];
  }
  return y;
}
/// L D L^T of the lower triangle m in place: L below, 1 / D on the diagonal. A pivot that rounding has eaten counts as none: its row is left out.
HWY_INLINE void factorize(Double8* m, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    Double8 pivot = m[at(i, i)];
    const Double8 least = pivot * all8(1e-13);
    for (std::size_t k = 0; k < i; ++k) {
      Double8 x = m[at(i, k)];
      for (std::size_t j = 0; j < k; ++j) x = x - m[at(i, j)] * m[at(k, j)];
      m[at(i, k)] = x; // L D so far
    }
    for (std::size_t k = 0; k < i; ++k) {
      const Double8 l = m[at(i, k)] * m[at(k, k)];
      pivot = pivot - l * m[at(i, k)];
      m[at(i, k)] = l;
    }
    const Mask8 good = (least < pivot) & (none() < pivot);
    m[at(i, i)] = select8(good, all8(1) / select8(good, pivot, all8(1)), none());
  }
}

/// The inverse of what was factorized, as a lower triangle.
template<std::size_t n>
HWY_INLINE void invert(const Double8* f, Double8* inverse) {
  Double8 l[at(n, 0)], scaled[at(n, 0)]; // L^-1 below the diagonal; D^-1 L^-1
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < i; ++k) {
      Double8 x = none() - f[at(i, k)];
      for (std::size_t j = k + 1; j < i; ++j) x = x - f[at(i, j)] * l[at(j, k)];
      l[at(i, k)] = x;
      scaled[at(i, k)] = x * f[at(i, i)];
    }
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = k; i < n; ++i) {
      Double8 x = k == i ? f[at(i, i)] : scaled[at(i, k)];
      for (std::size_t j = i + 1; j < n; ++j) x = x + l[at(j, i)] * scaled[at(j, k)];
      inverse[at(i, k)] = x;
    }
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
