// Compiled once for each instruction set, and chosen at run time. Lanes never meet, so that their number changes nothing.
#undef HWY_TARGET_INCLUDE
#if defined(__aarch64__)
#define HWY_DISABLED_TARGETS                                                                       \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128) // vectors without a size cannot be members
#endif
#define HWY_TARGET_INCLUDE "carom/dynamics/surface_sieve.cpp"
#include <hwy/foreach_target.h>

#include "carom/dynamics/surface_sieve.h"
#include "carom/math/wide_float-inl.h"

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace {

HWY_INLINE std::uint8_t bits_of(const FloatMask8& mask) {
  return static_cast<std::uint8_t>(bits(mask));
}

HWY_INLINE void sieve_one(const SurfaceGroup& group, const EightGaps& gaps,
                          const SurfaceLimits& limits, SurfaceBits& to) {
  const auto used = static_cast<std::uint8_t>((1U << group.count) - 1);
  const Float8 above = load_floats(gaps.above), beside = load_floats(gaps.beside),
               side = load_floats(gaps.side);
  const Float8 reach = all_floats(limits.reach), touching = all_floats(limits.touching);
  const FloatMask8 near = above <= reach;
  to.near = bits_of(near);
  to.in_reach = bits_of(near & (beside <= reach)) & used;
  to.touching = bits_of((above <= touching) & (beside <= touching));
  to.under = bits_of(side < all_floats(0));
  for (std::size_t k = 0; k < 3; ++k) {
    to.beyond[k] = bits_of(all_floats(limits.slack) < load_floats(gaps.beyond[k]));
    to.tip[k] = bits_of(all_floats(limits.tip) <= load_floats(gaps.tip_beyond[k]));
    const Float8 rises = load_floats(group.sides[k].height.data()) * side;
    to.falls_off[k] = bits_of(rises < all_floats(-limits.flat)) | group.ending[k];
  }
}

void sieve_all(std::span<const SurfaceGroup> all, std::span<const std::uint32_t> groups,
               std::span<const EightGaps> gaps, const SurfaceLimits& limits, SurfaceBits* to) {
  for (std::size_t i = 0; i < groups.size(); ++i) sieve_one(all[groups[i]], gaps[i], limits, to[i]);
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {

HWY_EXPORT(sieve_all);

/// The greatest float that is not above: floats compare with it as they do with the double.
float float_below(double v) {
  const auto f = static_cast<float>(v);
  return double{f} > v ? std::nextafter(f, -INFINITY) : f;
}

} // namespace

SurfaceLimits::SurfaceLimits(double reach_, double touching_, double measuring, float flat_)
    : reach(float_below(reach_)), touching(float_below(touching_)), slack(float_below(measuring)),
      tip(-static_cast<float>(measuring)), flat(flat_) {}

void sieve(std::span<const SurfaceGroup> all, std::span<const std::uint32_t> groups,
           std::span<const EightGaps> gaps, const SurfaceLimits& limits, SurfaceBits* to) {
  HWY_DYNAMIC_DISPATCH(sieve_all)(all, groups, gaps, limits, to);
}

} // namespace carom
#endif
