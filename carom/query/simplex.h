// Up to four corners of A - B and the point of their hull that is nearest to the origin: what the search for nearest points moves. Internal to the queries.
#pragma once

#include "carom/query/core_pair.h"

#include <algorithm>
#include <cmath>

namespace [[gnu::visibility("default")]] carom {

/// Where a simplex comes nearest to the origin. The corner added last is part of every face that is looked at: without it the simplex was no nearer.
struct Nearest {
  Vec3 v;
  unsigned carriers; ///< bit i: corner i is a corner of the least face that has v
};

inline constexpr unsigned whole_tetrahedron = 0b1111;

[[nodiscard]] inline Nearest nearest_on_edge(const Vec3* points, int a, int w) {
  const Vec3 e = points[a] - points[w];
  const double along = -dot(points[w], e);
  if (!(along > 0)) return {points[w], 1u << w};
  const double whole = dot(e, e);
  const double t = along < whole ? along / whole : 1;
  return {points[w] + e * t, 1u << a | 1u << w};
}

[[nodiscard]] inline Nearest nearest_on_triangle(const Vec3* points, int a, int b, int w) {
  const Vec3 ea = points[a] - points[w];
  const Vec3 eb = points[b] - points[w];
  const Vec3 p = -points[w];
  const Vec3 n = cross(ea, eb);
  const double weight_a = dot(cross(p, eb), n);
  const double weight_b = dot(cross(ea, p), n);
  if (weight_a > 0 && weight_b > 0) {
    return {n * (dot(points[w], n) / dot(n, n)), 1u << a | 1u << b | 1u << w};
  }
  // Beyond an edge of w: on one of them. Where both edges lead toward the origin, the nearer.
  const bool toward_a = dot(p, ea) > 0;
  if (toward_a && dot(p, eb) > 0) {
    const Nearest on_a = nearest_on_edge(points, a, w);
    const Nearest on_b = nearest_on_edge(points, b, w);
    return length_squared(on_a.v) < length_squared(on_b.v) ? on_a : on_b;
  }
  return nearest_on_edge(points, toward_a ? a : b, w);
}

/// The weights of the corners at the origin; they add up to 1. Not finite where the tetrahedron is flat.
struct Weights {
  double of[4];
};

[[nodiscard]] inline Weights weights_in_tetrahedron(const Vec3* points) {
  const Vec3 ea = points[0] - points[3];
  const Vec3 eb = points[1] - points[3];
  const Vec3 ec = points[2] - points[3];
  const Vec3 p = -points[3];
  const Vec3 bc = cross(eb, ec);
  const Vec3 pa = cross(p, ea);
  const double share = 1 / dot(ea, bc);
  const double ta = dot(p, bc) * share;
  const double tb = -dot(pa, ec) * share;
  const double tc = dot(pa, eb) * share;
  return {{ta, tb, tc, 1 - ta - tb - tc}};
}

/// Of four corners, w the last.
[[nodiscard]] inline Nearest nearest_on_tetrahedron(const Vec3* points) {
  const auto [ta, tb, tc, tw] = weights_in_tetrahedron(points).of;
  if (ta >= 0 && tb >= 0 && tc >= 0 && tw >= 0) {
    return {points[0] * ta + points[1] * tb + points[2] * tc + points[3] * tw, whole_tetrahedron};
  }
  Nearest best{{}, 0};
  const auto consider = [&](int a, int b) {
    const Nearest face = nearest_on_triangle(points, a, b, 3);
    if (best.carriers == 0 || length_squared(face.v) < length_squared(best.v)) best = face;
  };
  // Beyond the faces opposite to the corners of negative weight. NaN, from a flat tetrahedron, tries all.
  if (!(ta >= 0)) consider(1, 2);
  if (!(tb >= 0)) consider(0, 2);
  if (!(tc >= 0)) consider(0, 1);
  if (best.carriers == 0) consider(0, 1); // only w's weight is negative: it did not help
  return best;
}

/// Up to four corners of A - B, and the nearest point of their hull.
class Simplex {
public:
  using Corner = CorePair::Corner;

  [[nodiscard]] int count() const { return count_; }
  /// The nearest point to the origin.
  [[nodiscard]] const Vec3& nearest() const { return v_; }
  /// Then the nearest point is 0 up to rounding.
  [[nodiscard]] bool contains_origin() const { return count_ == 4; }
  [[nodiscard]] const Vec3& on_a(int i) const { return on_a_[i]; }
  [[nodiscard]] const Vec3& on_b(int i) const { return on_b_[i]; }
  [[nodiscard]] const Vec3& difference(int i) const { return difference_[i]; }

  /// The nearest point once w is added; it stands behind the corners until `keep` or another call. Not for a simplex that contains the origin.
  [[gnu::always_inline]] Nearest with(const Corner& w) {
    difference_[count_] = w.difference;
    on_a_[count_] = w.on_a;
    on_b_[count_] = w.on_b;
    if (count_ == 1) return nearest_on_edge(difference_, 0, 1);
    if (count_ == 2) return nearest_on_triangle(difference_, 0, 1, 2);
    return count_ == 3 ? nearest_on_tetrahedron(difference_) : Nearest{w.difference, 1};
  }

  /// Drops the corners that do not carry the nearest point.
  void keep(const Nearest& next) {
    v_ = next.v;
    int kept = count_ + 1;
    if (next.carriers == (1u << kept) - 1) {
      count_ = kept;
      return;
    }
    kept = 0;
    for (int i = 0; i <= count_; ++i) {
      if (!(next.carriers >> i & 1)) continue;
      if (i != kept) {
        difference_[kept] = difference_[i];
        on_a_[kept] = on_a_[i];
        on_b_[kept] = on_b_[i];
      }
      ++kept;
    }
    count_ = kept;
  }

  /// The corners of last time, where they are now. Mostly all of them carry the nearest point still; else it is the best of all their faces.
  void take(const PairCache& cache, const CorePair& pair) {
    const unsigned all = (1u << std::clamp(cache.count, 0, 4)) - 1;
    if (all == 0 || take_inside(all, cache, pair)) return;
    Simplex best;
    for (unsigned face = 1; face < all; ++face) {
      if (take_inside(face, cache, pair) &&
          (best.count_ == 0 || length_squared(v_) < length_squared(best.v_)))
        best = *this;
    }
    *this = best;
  }

  /// With which the corners carry the nearest point: as it was found, from the corner that was added last.
  [[nodiscard]] Weights weights() const {
    const Vec3& w = difference_[count_ - 1];
    switch (count_) {
    case 1:
      return {{1}};
    case 2: {
      const Vec3 e = difference_[0] - w;
      const double t = std::min(-dot(w, e) / dot(e, e), 1.0);
      return {{t, 1 - t}};
    }
    case 3: {
      const Vec3 ea = difference_[0] - w;
      const Vec3 eb = difference_[1] - w;
      const Vec3 n = cross(ea, eb);
      const double share = 1 / dot(n, n);
      const double ta = dot(cross(eb, w), n) * share;
      const double tb = dot(cross(w, ea), n) * share;
      return {{ta, tb, std::max(0.0, 1 - ta - tb)}};
    }
    default:
      return weights_in_tetrahedron(difference_);
    }
  }

  /// Whether a tetrahedron with these weights at the origin has it inside by more than rounding may do. The height above each face, times the weight of the corner opposite, is how far the
  /// origin is from it. Heights are the volume by the area of a face, at most 12 size^2; the weights times the volume are off by some dozen roundings.
  [[nodiscard]] bool is_deep(const Weights& weights, const CorePair& pair) const {
    const Vec3& w = difference_[3];
    const double volume = dot(difference_[0] - w, cross(difference_[1] - w, difference_[2] - w));
    const auto [a, b, c, d] = weights.of;
    const double least = std::min(std::min(a, b), std::min(c, d));
    return least * std::fabs(volume) > 64 * pair.rounding() * (pair.size() * pair.size());
  }

private:
  /// The corners whose bits are set, where the point nearest to the origin of all that they span is in their midst. Else the simplex is empty.
  bool take_inside(unsigned face, const PairCache& cache, const CorePair& pair) {
    count_ = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      if (!(face >> i & 1)) continue;
      const Corner c = pair.corner(cache.corners[i].on_a, cache.corners[i].on_b);
      difference_[count_] = c.difference;
      on_a_[count_] = c.on_a;
      on_b_[count_] = c.on_b;
      ++count_;
    }
    const Weights w = weights();
    v_ = {};
    bool inside = true;
    for (int i = 0; i < count_; ++i) {
      inside &= w.of[i] > 0;
      v_ += difference_[i] * w.of[i];
    }
    if (!inside) count_ = 0;
    return inside;
  }

  /// Only the first `count_` are set: to clear the others would be a twentieth of the time of a query.
  union {
    Vec3 difference_[4];
  };
  union {
    Vec3 on_a_[4];
  };
  union {
    Vec3 on_b_[4];
  };
  int count_ = 0;
  Vec3 v_;

public:
  Simplex() {} // NOLINT: leaves the unions alone
};

} // namespace carom
