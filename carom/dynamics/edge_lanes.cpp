// Two edges count where the arcs between the normals of their faces, one of them turned to the other side, cross. Each lane keeps its own best; of equals the first is taken, so that the number of lanes at once changes nothing.
#undef HWY_TARGET_INCLUDE
#if defined(__aarch64__)
#define HWY_DISABLED_TARGETS                                                                       \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128) // vectors without a size cannot be members
#endif
#define HWY_TARGET_INCLUDE "carom/dynamics/edge_lanes.cpp"
#include <hwy/foreach_target.h>

#include "carom/dynamics/edge_lanes.h"
#include "carom/math/wide_float-inl.h"

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace {

constexpr float least_sine = 1e-3F; // nearly parallel edges have the axes of faces

alignas(32) constexpr float eight_places[8] = {0, 1, 2, 3, 4, 5, 6, 7};

using Rows = float (*)[EdgeLanes::most];

HWY_INLINE Float8x3 load(Rows rows, std::size_t part, std::size_t k) {
  return {load_floats(rows[part] + k), load_floats(rows[part + 1] + k),
          load_floats(rows[part + 2] + k)};
}
HWY_INLINE Float8x3 everywhere(const float* v) {
  return {all_floats(v[0]), all_floats(v[1]), all_floats(v[2])};
}
HWY_INLINE Float8x3 everywhere(const FloatEdge& e, FloatEdge::Part part) {
  return everywhere(e.numbers + part);
}
HWY_INLINE Float8 flipped(const FloatMask8& flip, const Float8& v) {
  return select(flip, all_floats(0) - v, v);
}

void place_all(Rows rows, std::size_t count, const FloatPlace& place) {
  for (std::size_t k = 0; k < count; k += 8) {
    for (std::size_t part = 0; part < FloatEdge::size; part += 3) {
      const Float8x3 v = load(rows, part, k);
      for (std::size_t i = 0; i < 3; ++i) {
        Float8 turned = dot(everywhere(place.turn + 3 * i), v);
        if (part == FloatEdge::at_from) turned = turned + all_floats(place.shift[i]);
        store_floats(turned, rows[part + i] + k);
      }
    }
  }
}

/// Returns 128 times the place in the list, and the place in the lanes; or less than 0.
int best_here(std::span<const FloatEdge> a, Rows rows, std::size_t count, const FloatPlace* place,
              bool b_is_solid, float least) {
  if (place) place_all(rows, count, *place);
  const Float8 zero = all_floats(0);
  Float8 best = all_floats(least), at = all_floats(-1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const FloatEdge& e = a[i];
    const Float8x3 u = everywhere(e, FloatEdge::at_direction),
                   e_left = everywhere(e, FloatEdge::at_left),
                   e_right = everywhere(e, FloatEdge::at_right);
    for (std::size_t k = 0; k < count; k += 8) {
      const Float8x3 v = load(rows, FloatEdge::at_direction, k);
      FloatMask8 cross_each_other = dot(e_left, v) * dot(e_right, v) < zero;
      if (b_is_solid)
        cross_each_other = cross_each_other & (dot(load(rows, FloatEdge::at_left, k), u) *
                                                   dot(load(rows, FloatEdge::at_right, k), u) <
                                               zero);
      if (bits(cross_each_other) == 0) continue;
      const Float8x3 n = cross(u, v);
      const Float8 length_squared = dot(n, n);
      const FloatMask8 inward = dot(n, everywhere(e, FloatEdge::at_middle)) < zero;
      FloatMask8 count_here =
          cross_each_other & (all_floats(least_sine * least_sine) < length_squared);
      if (b_is_solid)
        count_here =
            count_here & (flipped(inward, dot(n, load(rows, FloatEdge::at_middle, k))) < zero);
      const Float8 gap = flipped(inward, dot(n, load(rows, FloatEdge::at_from, k) -
                                                    everywhere(e, FloatEdge::at_from))) /
                         sqrt(length_squared);
      const FloatMask8 better = count_here & (best < gap);
      best = select(better, gap, best);
      at = select(better, load_floats(eight_places) + all_floats(static_cast<float>(128 * i + k)),
                  at);
    }
  }
  alignas(32) float gaps[8], places[8];
  store_floats(best, gaps);
  store_floats(at, places);
  float found = -1, most = least;
  for (std::size_t i = 0; i < 8; ++i) {
    if (places[i] < 0 || gaps[i] < most || (gaps[i] == most && found >= 0 && places[i] > found))
      continue;
    most = gaps[i];
    found = places[i];
  }
  return static_cast<int>(found);
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {

HWY_EXPORT(best_here);

void put(const Vec3& v, float* to) {
  for (int i = 0; i < 3; ++i) to[i] = static_cast<float>(v[i]);
}

} // namespace

FloatEdge FloatEdge::of(const Vec3& from, const Vec3& direction, const Vec3& left,
                        const Vec3& right, const Vec3& middle) {
  FloatEdge e;
  put(from, e.numbers + FloatEdge::at_from);
  put(direction, e.numbers + FloatEdge::at_direction);
  put(left, e.numbers + FloatEdge::at_left);
  put(right, e.numbers + FloatEdge::at_right);
  put(middle, e.numbers + FloatEdge::at_middle);
  return e;
}

FloatPlace::FloatPlace(const Mat3& basis, const Vec3& origin) {
  for (int i = 0; i < 9; ++i) turn[i] = static_cast<float>(basis[i % 3][i / 3]);
  put(origin, shift);
}

void EdgeLanes::push(const FloatEdge& e) {
  for (std::size_t i = 0; i < FloatEdge::size; ++i) all_[i][count_] = e.numbers[i];
  ++count_;
}

EdgePair EdgeSieve::best(std::span<const FloatEdge> a, EdgeLanes& b, const FloatPlace* place,
                         bool b_is_solid, float least) {
  if (a.empty() || b.size() == 0) return {};
  // Places beyond the last repeat it.
  const std::size_t count = (b.size() + 7) / 8 * 8;
  for (auto& row : b.all_)
    for (std::size_t k = b.size(); k < count; ++k) row[k] = row[b.size() - 1];
  const int found = HWY_DYNAMIC_DISPATCH(best_here)(a, b.all_, count, place, b_is_solid, least);
  if (found < 0) return {};
  return {true, static_cast<std::size_t>(found / 128), static_cast<std::size_t>(found % 128)};
}

} // namespace carom
#endif
