// Compiled once for each instruction set, and chosen at run time. Each lane keeps its own best; of those that are equally far the first is taken, so that the number of lanes at once changes nothing.
#undef HWY_TARGET_INCLUDE
#if defined(__aarch64__)
#define HWY_DISABLED_TARGETS                                                                       \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128) // vectors without a size cannot be members
#endif
#define HWY_TARGET_INCLUDE "carom/dynamics/vector_lanes.cpp"
#include <hwy/foreach_target.h>

#include "carom/dynamics/vector_lanes.h"
#include "carom/math/wide_float-inl.h"

#include <algorithm>
#include <bit>

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace {

alignas(32) constexpr float eight_numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};

/// In all lanes.
HWY_INLINE Float8 greatest_of(Float8 v) {
  const FloatRegisters<8>::Lanes lanes;
  auto top = v.part[0];
  for (std::size_t i = 1; i < Float8::registers; ++i) top = greater(top, v.part[i]);
  top = hn::MaxOfLanes(lanes, top);
  for (auto& part : v.part) part = top;
  return v;
}
HWY_INLINE float least_of(const Float8& v) {
  const FloatRegisters<8>::Lanes lanes;
  auto low = v.part[0];
  for (std::size_t i = 1; i < Float8::registers; ++i) low = lesser(low, v.part[i]);
  return hn::GetLane(hn::MinOfLanes(lanes, low));
}

std::uint32_t farthest_here(const VectorLanes::Eight* eights, std::size_t count, float x, float y,
                            float z) {
  const Float8 dx = all_floats(x), dy = all_floats(y), dz = all_floats(z);
  const auto along = [&](const VectorLanes::Eight& e) HWY_ATTR {
    return dx * load_floats(e.x) + dy * load_floats(e.y) + dz * load_floats(e.z);
  };
  const Float8 first = load_floats(eight_numbers);
  Float8 best = along(eights[0]), at = first;
  for (std::size_t k = 1; k < count; ++k) {
    const Float8 here = along(eights[k]);
    const FloatMask8 farther = best < here;
    best = select(farther, here, best);
    at = select(farther, first + all_floats(static_cast<float>(8 * k)), at);
  }
  const Float8 most = greatest_of(best);
  if (count == 1) {
    const unsigned lanes = bits(most <= best);
    return lanes == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(lanes));
  }
  const auto found =
      static_cast<std::uint32_t>(least_of(select(most <= best, at, all_floats(1e9F))));
  return found < 8 * count ? found : 0; // of a direction that is not a number, any
}

/// Nine floats of directions; three least, three greatest.
void span_here(const VectorLanes::Eight* eights, std::size_t count, const float* directions,
               float* ends) {
  const FloatRegisters<8>::Lanes lanes;
  for (std::size_t i = 0; i < 3; ++i) {
    const Float8 dx = all_floats(directions[3 * i]), dy = all_floats(directions[3 * i + 1]),
                 dz = all_floats(directions[3 * i + 2]);
    const auto along = [&](const VectorLanes::Eight& e) HWY_ATTR {
      return dx * load_floats(e.x) + dy * load_floats(e.y) + dz * load_floats(e.z);
    };
    Float8 low = along(eights[0]), high = low;
    for (std::size_t k = 1; k < count; ++k) {
      const Float8 here = along(eights[k]);
      low = min(low, here);
      high = max(high, here);
    }
    auto least = low.part[0], greatest = high.part[0];
    for (std::size_t p = 1; p < Float8::registers; ++p) {
      least = hn::Min(least, low.part[p]);
      greatest = hn::Max(greatest, high.part[p]);
    }
    ends[i] = hn::GetLane(hn::MinOfLanes(lanes, least));
    ends[i + 3] = hn::GetLane(hn::MaxOfLanes(lanes, greatest));
  }
}

float beyond_here(const VectorLanes::Eight* eights, std::size_t count, const float* offsets,
                  const float* points) {
  Float8 most = all_floats(-3e38F);
  for (std::size_t k = 0; k < count; ++k) {
    const VectorLanes::Eight& e = eights[k];
    const Float8 x = load_floats(e.x), y = load_floats(e.y), z = load_floats(e.z);
    const auto along = [&](const float* p) HWY_ATTR {
      return x * all_floats(p[0]) + y * all_floats(p[1]) + z * all_floats(p[2]);
    };
    const Float8 least = min(min(along(points), along(points + 3)), along(points + 6));
    most = max(most, least - load_floats(offsets + 8 * k));
  }
  return hn::GetLane(greatest_of(most).part[0]);
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {
HWY_EXPORT(farthest_here);
HWY_EXPORT(span_here);
HWY_EXPORT(beyond_here);
} // namespace

std::vector<VectorLanes::Eight> VectorLanes::of(std::span<const Vec3> vectors, const Vec3& origin) {
  std::vector<Eight> lanes((vectors.size() + 7) / 8);
  for (std::size_t i = 0; i < 8 * lanes.size(); ++i) {
    const Vec3 v = vectors[std::min(i, vectors.size() - 1)] - origin;
    lanes[i / 8].x[i % 8] = static_cast<float>(v.x);
    lanes[i / 8].y[i % 8] = static_cast<float>(v.y);
    lanes[i / 8].z[i % 8] = static_cast<float>(v.z);
  }
  return lanes;
}

void VectorLanes::along(const Vec3& d, float* to) const {
  const auto dx = static_cast<float>(d.x), dy = static_cast<float>(d.y),
             dz = static_cast<float>(d.z);
  for (const Eight& e : eights) {
    for (std::size_t i = 0; i < 8; ++i) to[i] = dx * e.x[i] + dy * e.y[i] + dz * e.z[i];
    to += 8;
  }
}

void VectorLanes::span(const Mat3& directions, Vec3& least, Vec3& greatest) const {
  float d[9], ends[6];
  for (int i = 0; i < 9; ++i) d[i] = static_cast<float>(directions[i / 3][i % 3]);
  HWY_DYNAMIC_DISPATCH(span_here)(eights.data(), eights.size(), d, ends);
  for (int i = 0; i < 3; ++i) {
    least[i] = static_cast<double>(ends[i]);
    greatest[i] = static_cast<double>(ends[i + 3]);
  }
}

float VectorLanes::beyond(const float* offsets, const float* points) const {
  return HWY_DYNAMIC_DISPATCH(beyond_here)(eights.data(), eights.size(), offsets, points);
}

std::uint32_t VectorLanes::farthest(const Vec3& d) const {
  return HWY_DYNAMIC_DISPATCH(farthest_here)(eights.data(), eights.size(), static_cast<float>(d.x),
                                             static_cast<float>(d.y), static_cast<float>(d.z));
}

} // namespace carom
#endif
