#include "carom/dynamics/hand_on.h"

#include <algorithm>

namespace carom {
namespace {

constexpr double agreeing = 0.9; // cosine: of two normals of one patch

} // namespace

bool hand_on(const Manifold& old, Manifold& m, double near) {
  bool any = false;
  unsigned spent = 0;
  const auto give = [&](PairPoint& p, int k) {
    p.impulse = old.points[static_cast<std::size_t>(k)].impulse;
    spent |= 1U << k;
    any = true;
  };
  unsigned without = 0;
  for (int i = 0; i < m.count; ++i) {
    PairPoint& p = m.points[static_cast<std::size_t>(i)];
    int same = -1;
    for (int k = 0; k < old.count; ++k)
      if (old.points[static_cast<std::size_t>(k)].id == p.id && !(spent >> k & 1)) same = k;
    if (same >= 0)
      give(p, same);
    else
      without |= 1U << i;
  }
  for (int i = 0; i < m.count; ++i) {
    if (!(without >> i & 1)) continue;
    PairPoint& p = m.points[static_cast<std::size_t>(i)];
    int nearest = -1;
    double least = near * near;
    for (int k = 0; k < old.count; ++k) {
      if (spent >> k & 1) continue;
      const PairPoint& q = old.points[static_cast<std::size_t>(k)];
      const double d = std::min(distance_squared(p.on_a, q.on_a), distance_squared(p.on_b, q.on_b));
      if (!(d <= least)) continue;
      least = d;
      nearest = k;
    }
    if (nearest >= 0) give(p, nearest);
  }
  return any;
}

void hand_on_friction(const Manifold& old, Manifold& m) {
  std::copy(old.friction, old.friction + 3, m.friction);
  std::copy(old.rolling, old.rolling + 3, m.rolling);
  m.twist = old.twist;
}

void hand_on_all(const std::vector<Manifold>& olds, std::vector<Manifold>& made, double near) {
  for (Manifold& m : made) {
    bool friction_known = false;
    for (const Manifold& old : olds) {
      const bool agree = dot(old.normal, m.normal) > agreeing;
      const bool same = hand_on(old, m, agree ? near : 0);
      if (same && !friction_known) hand_on_friction(old, m);
      friction_known = friction_known || same;
    }
  }
}

} // namespace carom
