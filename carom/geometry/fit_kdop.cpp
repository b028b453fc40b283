// Each side of a DOP is the greatest of direction . x, rounded up (enclose.h).
//
// The linear program. The greatest direction . (R x + t) over the local DOP is that of (R^T direction) . x over its half-spaces, plus
// direction . t. The program's point is a vertex up to a few roundings of the offsets' size, since the directions are small integer
// vectors; a margin for those is added.
#include "carom/geometry/fit_kdop.h"

#include "carom/geometry/enclose.h"
#include "carom/math/linear_program.h"

#include <algorithm>

namespace carom {
namespace {

template<int K>
constexpr std::size_t slabs = static_cast<std::size_t>(Kdop<K>::slabs);

/// The DOP whose side in direction i is reach(direction i, 2 i), and against it reach(-direction i, 2 i + 1).
template<int K, class Reach>
Kdop<K> from_reach(Reach&& reach) {
  Kdop<K> dop;
  for (std::size_t i = 0; i < slabs<K>; ++i) {
    const Vec3 d = Kdop<K>::directions()[i];
    dop.max[i] = reach(d, 2 * i);
    dop.min[i] = -reach(-d, 2 * i + 1);
  }
  return dop;
}

double plus(double a, double b) { return rounding::add(a, b).upper(); }

/// The margin for vertices that are not exact, along a direction of at most three components of size 1.
double margin(double size) { return 96 * tolerance::epsilon * size; }

template<int K>
std::array<Constraint3, K> constraints(const Kdop<K>& dop) {
  std::array<Constraint3, K> result{};
  for (std::size_t i = 0; i < slabs<K>; ++i) {
    const Vec3 d = Kdop<K>::directions()[i];
    result[2 * i] = {d, dop.max[i]};
    result[2 * i + 1] = {-d, -dop.min[i]};
  }
  return result;
}

} // namespace

template<int K>
Kdop<K> fit_kdop(std::span<const Vec3> points) {
  Kdop<K> dop;
  for (const Vec3& p : points) {
    if (std::isnan(p.x) || std::isnan(p.y) || std::isnan(p.z)) continue;
    for (std::size_t i = 0; i < slabs<K>; ++i) {
      // The components of a direction are 0, 1 and -1: only the sums are rounded.
      const Vec3& d = Kdop<K>::directions()[i];
      const Interval sum = Interval(d.x * p.x) + Interval(d.y * p.y) + Interval(d.z * p.z);
      dop.min[i] = std::min(dop.min[i], sum.lo);
      dop.max[i] = std::max(dop.max[i], sum.hi);
    }
  }
  return dop;
}

template<int K>
Kdop<K> placed_kdop(std::span<const Vec3> local, const Frame& frame) {
  return from_reach<K>([&](const Vec3& d, std::size_t) { return enclose::reach(local, frame, d); });
}

template<int K>
Kdop<K> placed_kdop(const Kdop<K>& local, const Frame& frame) {
  double size = 0;
  for (std::size_t i = 0; i < slabs<K>; ++i) {
    if (!(local.min[i] <= local.max[i])) return {};
    size = std::max({size, std::fabs(local.min[i]), std::fabs(local.max[i])});
  }
  const std::array<Constraint3, K> sides = constraints(local);
  return from_reach<K>([&](const Vec3& d, std::size_t) {
    const Vec3 toward = transpose_mul(frame.basis, d);
    const LinearOptimum3 best = maximize(toward, sides);
    const Vec3 corner = best.status == LinearStatus::optimal
                            ? best.point
                            : Vec3{toward.x > 0 ? local.max[0] : local.min[0],
                                   toward.y > 0 ? local.max[1] : local.min[1],
                                   toward.z > 0 ? local.max[2] : local.min[2]};
    return plus(enclose::reach(corner, frame, d), margin(size));
  });
}

template<int K>
Kdop<K> placed_kdop_of_vertices(std::span<const Vec3> vertices, const Frame& frame) {
  const double size = enclose::size(vertices);
  return from_reach<K>([&](const Vec3& d, std::size_t) {
    return plus(enclose::reach(vertices, frame, d), margin(size));
  });
}

template<int K>
Kdop<K> KdopTracker<K>::update(const HullGraph& hull, const Frame& frame) {
  if (hull.vertices.empty()) return {};
  return from_reach<K>([&](const Vec3& d, std::size_t i) {
    std::uint32_t& at = touching_[i];
    at = climber_.farthest(hull, transpose_mul(frame.basis, d), at);
    return plus(enclose::reach(hull.vertices[at], frame, d), climber_.slack());
  });
}

template Kdop<6> fit_kdop(std::span<const Vec3>);
template Kdop<14> fit_kdop(std::span<const Vec3>);
template Kdop<18> fit_kdop(std::span<const Vec3>);
template Kdop<26> fit_kdop(std::span<const Vec3>);
template Kdop<6> placed_kdop(std::span<const Vec3>, const Frame&);
template Kdop<14> placed_kdop(std::span<const Vec3>, const Frame&);
template Kdop<18> placed_kdop(std::span<const Vec3>, const Frame&);
template Kdop<26> placed_kdop(std::span<const Vec3>, const Frame&);
template Kdop<6> placed_kdop(const Kdop<6>&, const Frame&);
template Kdop<14> placed_kdop(const Kdop<14>&, const Frame&);
template Kdop<18> placed_kdop(const Kdop<18>&, const Frame&);
template Kdop<26> placed_kdop(const Kdop<26>&, const Frame&);
template Kdop<6> placed_kdop_of_vertices(std::span<const Vec3>, const Frame&);
template Kdop<14> placed_kdop_of_vertices(std::span<const Vec3>, const Frame&);
template Kdop<18> placed_kdop_of_vertices(std::span<const Vec3>, const Frame&);
template Kdop<26> placed_kdop_of_vertices(std::span<const Vec3>, const Frame&);
template class KdopTracker<6>;
template class KdopTracker<14>;
template class KdopTracker<18>;
template class KdopTracker<26>;

} // namespace carom
