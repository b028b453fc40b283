// The nearest point of an intersection of half-spaces lies on at most three of their planes, and is the nearest point of just those. So all sets of up to three are tried, and the nearest point that all allow is it.
#include "carom/mover/planes.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// Planes whose normals make a smaller angle are one: a crease of theirs would be anywhere.
constexpr double parallel_sine = 1e-7;
/// Relative to the numbers at hand: what counts as on the plane. Far above rounding, far below what could be seen.
constexpr double slack_share = 1e-10;

} // namespace

void Planes::add(const Vec3& unit_normal, double bound) {
  for (std::size_t i = 0; i < count_; ++i) {
    if (max_abs(planes_[i].normal - unit_normal) > parallel_sine) continue;
    planes_[i].bound = std::max(planes_[i].bound, bound);
    return;
  }
  if (count_ < most) {
    planes_[count_++] = {unit_normal, bound};
    return;
  }
  Plane& least =
      *std::min_element(planes_.begin(), planes_.end(),
                        [](const Plane& a, const Plane& b) { return a.bound < b.bound; });
  if (least.bound <= bound) least = {unit_normal, bound};
}

bool Planes::allows(const Vec3& x, double slack) const {
  return std::all_of(planes_.begin(), planes_.begin() + count_,
                     [&](const Plane& p) { return dot(p.normal, x) >= p.bound - slack; });
}

Planes::Nearest Planes::nearest(const Vec3& x) const {
  double size = length(x);
  for (std::size_t i = 0; i < count_; ++i) size = std::max(size, std::fabs(planes_[i].bound));
  const double slack = slack_share * size;
  if (allows(x, slack)) return {x, true};
  Nearest best;
  double least = INFINITY;
  const auto consider = [&](const Vec3& p) {
    const double d = distance_squared(p, x);
    if (!(d < least) || !allows(p, slack)) return;
    best = {p, true};
    least = d;
  };
  for (std::size_t i = 0; i < count_; ++i) {
    const Plane& a = planes_[i];
    consider(x + a.normal * (a.bound - dot(a.normal, x)));
    for (std::size_t j = i + 1; j < count_; ++j) {
      const Plane& b = planes_[j];
      const Vec3 crease = cross(a.normal, b.normal);
      const double sine_squared = length_squared(crease);
      if (!(sine_squared > parallel_sine * parallel_sine)) continue;
      // The crease's own point nearest to the origin, and how far along it x is.
      const Vec3 at =
          (cross(b.normal, crease) * a.bound + cross(crease, a.normal) * b.bound) / sine_squared;
      consider(at + crease * (dot(crease, x) / sine_squared));
      for (std::size_t k = j + 1; k < count_; ++k) {
        const Plane& c = planes_[k];
        const double volume = dot(crease, c.normal);
        if (!(std::fabs(volume) > parallel_sine)) continue;
        consider((cross(b.normal, c.normal) * a.bound + cross(c.normal, a.normal) * b.bound +
                  crease * c.bound) /
                 volume);
      }
    }
  }
  return best;
}

Vec3 Planes::farthest(std::size_t rank) const {
  std::array<Plane, most> sorted = planes_;
  std::stable_sort(sorted.begin(), sorted.begin() + count_,
                   [](const Plane& a, const Plane& b) { return a.bound > b.bound; });
  return sorted[rank].normal * sorted[rank].bound;
}

} // namespace carom
