// Directions of a k-DOP made of others (volume_kind.h has the idea). A direction d is taken with components sorted and without signs,
// x >= y >= z >= 0; then with the directions that each DOP has,
//   26:  d = z (1,1,1) + (y - z) (1,1,0) + (x - y) (1,0,0)
//   18:  d = z (1,0,1) + y (1,1,0) + (x - y - z) (1,0,0)                                    where x >= y + z,
//        d = ((x+y-z) (1,1,0) + (x+z-y) (1,0,1) + (y+z-x) (0,1,1)) / 2                      else
//   14:  d = (y + z)/2 (1,1,1) + (y - z)/2 (1,1,-1) + (x - y) (1,0,0)
//    6:  d = x (1,0,0) + y (0,1,0) + z (0,0,1)
// with factors that are all >= 0. Undoing signs and order gives directions that the DOP has, or their opposites.
#include "carom/geometry/fit_kdop.h"
#include "carom/geometry/merge.h"
#include "carom/tree/volume_kind.h"

#include <algorithm>

namespace carom {
namespace {

struct Term {
  double weight = 0;
  Vec3 direction;
};

/// For sorted components without signs.
template<int K>
std::array<Term, 3> terms_of_sorted(const Vec3& d) {
  const auto [x, y, z] = d;
  if constexpr (K == 6) {
    return {{{x, {1, 0, 0}}, {y, {0, 1, 0}}, {z, {0, 0, 1}}}};
  } else if constexpr (K == 14) {
    return {{{0.5 * (y + z), {1, 1, 1}}, {0.5 * (y - z), {1, 1, -1}}, {x - y, {1, 0, 0}}}};
  } else if constexpr (K == 18) {
    if (x >= y + z) return {{{z, {1, 0, 1}}, {y, {1, 1, 0}}, {x - y - z, {1, 0, 0}}}};
    return {{{0.5 * (x + y - z), {1, 1, 0}},
             {0.5 * (x + z - y), {1, 0, 1}},
             {0.5 * (y + z - x), {0, 1, 1}}}};
  } else {
    return {{{z, {1, 1, 1}}, {y - z, {1, 1, 0}}, {x - y, {1, 0, 0}}}};
  }
}

template<int K>
std::array<Term, 3> terms_of(const Vec3& d) {
  std::array<int, 3> order = {0, 1, 2};
  std::stable_sort(order.begin(), order.end(),
                   [&](int i, int j) { return std::fabs(d[i]) > std::fabs(d[j]); });
  const Vec3 a = abs(d);
  std::array<Term, 3> terms = terms_of_sorted<K>({a[order[0]], a[order[1]], a[order[2]]});
  for (Term& term : terms) {
    Vec3 back;
    for (int i = 0; i < 3; ++i) {
      const int to = order[static_cast<std::size_t>(i)];
      back[to] = d[to] < 0 ? -term.direction[i] : term.direction[i];
    }
    term.direction = back;
  }
  return terms;
}

} // namespace

template<int K>
Kdop<K> VolumeKind<Kdop<K>>::fit(const VolumeInput& input) {
  return fit_kdop<K>(input.points);
}

template<int K>
Kdop<K> VolumeKind<Kdop<K>>::merge(const Kdop<K>& a, const Kdop<K>& b) {
  return carom::merge(a, b);
}

template<int K>
Sphere VolumeKind<Kdop<K>>::ball(const Kdop<K>& k) {
  const Aabb box{{k.min[0], k.min[1], k.min[2]}, {k.max[0], k.max[1], k.max[2]}};
  return {box.center(), length(box.half())};
}

// No direction is longer than 2.
template<int K>
Kdop<K> VolumeKind<Kdop<K>>::grown(const Kdop<K>& k, double by) {
  Kdop<K> result = k;
  for (double& x : result.min) x -= 2 * by;
  for (double& x : result.max) x += 2 * by;
  return result;
}

template<int K>
double VolumeKind<Kdop<K>>::distance_below(const Kdop<K>& k, const Vec3& p) {
  Vec3 outside; // of the box: three directions at right angles
  double bound = 0;
  for (std::size_t i = 0; i < Kdop<K>::slabs; ++i) {
    const Vec3 d = Kdop<K>::directions()[i];
    const double at = dot(d, p);
    const double gap = std::max({0.0, k.min[i] - at, at - k.max[i]});
    if (i < 3) {
      outside[static_cast<int>(i)] = gap;
    } else {
      bound = std::max(bound, gap / length(d));
    }
  }
  return std::max(bound, length(outside));
}

template<int K>
VolumeKind<Kdop<K>>::Relative::Relative(const Frame& b_in_a)
    : turned_(b_in_a), back_(Frame{transpose(b_in_a.basis), b_in_a.to_local({})}) {}

template<int K>
VolumeKind<Kdop<K>>::Relative::Turned::Turned(const Frame& frame) {
  for (std::size_t i = 0; i < Kdop<K>::slabs; ++i) {
    const Vec3 d = Kdop<K>::directions()[i];
    const std::array<Term, 3> terms = terms_of<K>(frame.direction_to_local(d));
    Direction& made = directions[i];
    made.offset = dot(d, frame.origin);
    made.inverse = 1 / length(d);
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t j = 0; j < Kdop<K>::slabs; ++j) {
        const Vec3 own = Kdop<K>::directions()[j];
        if (terms[k].direction != own && terms[k].direction != -own) continue;
        made.slab[k] = static_cast<std::uint32_t>(j);
        made.negative[k] = terms[k].direction != own;
      }
      made.weight[k] = terms[k].weight;
    }
  }
}

template<int K>
double VolumeKind<Kdop<K>>::Relative::Turned::widest_gap(const Kdop<K>& fixed, const Kdop<K>& other,
                                                         double enough) const {
  double widest = 0;
  Vec3 outside;
  for (std::size_t i = 0; i < Kdop<K>::slabs; ++i) {
    const Direction& d = directions[i];
    double low = d.offset;
    double high = d.offset;
    for (std::size_t k = 0; k < 3; ++k) {
      const double min = other.min[d.slab[k]];
      const double max = other.max[d.slab[k]];
      low += d.weight[k] * (d.negative[k] ? -max : min);
      high += d.weight[k] * (d.negative[k] ? -min : max);
    }
    const double gap = std::max({0.0, low - fixed.max[i], fixed.min[i] - high}) * d.inverse;
    if (i < 3) outside[static_cast<int>(i)] = gap;
    widest = std::max(widest, gap);
    if (widest > enough) return widest;
  }
  return std::max(widest, length(outside));
}

template struct VolumeKind<Kdop6>;
template struct VolumeKind<Kdop14>;
template struct VolumeKind<Kdop18>;
template struct VolumeKind<Kdop26>;

} // namespace carom
