// Newton's method stops when the axis is right. The corners that it holds then may be from farther away, where nothing depended on it; they need not surround
// the point below the origin on a flat face; and by symmetry one corner may carry the axis alone though it is on a kink (two equal cylinders around one
// axis: the difference of their rims is in the middle of the side). A proof needs to know the kink. So the corners are looked for once more, from the axis
// turned a little to each side.
#include "carom/query/carriers.h"

#include <algorithm>

namespace carom {
namespace {

/// How far to the side: far more than the axis is off, so little that no curvature is felt.
constexpr double beside = 1e-9;

/// The point nearest to the origin of the hull of up to three points in a plane through it.
struct FlatMixture {
  Vec3 point;
  int count = 0;
  std::array<int, 3> index{};
  std::array<double, 3> weight{};
};
FlatMixture nearest_to_origin(const std::array<Vec3, 3>& p, int count, const Vec3& normal) {
  const auto at = [&](int i) -> const Vec3& { return p[static_cast<std::size_t>(i)]; };
  FlatMixture best;
  const auto consider = [&](const FlatMixture& m) {
    if (best.count == 0 || length_squared(m.point) < length_squared(best.point)) best = m;
  };
  if (count == 3) {
    const double a = dot(normal, cross(at(1), at(2)));
    const double b = dot(normal, cross(at(2), at(0)));
    const double c = dot(normal, cross(at(0), at(1)));
    const double whole = a + b + c;
    if (whole != 0 && a / whole >= 0 && b / whole >= 0 && c / whole >= 0) {
      const std::array<double, 3> w{a / whole, b / whole, c / whole};
      consider({at(0) * w[0] + at(1) * w[1] + at(2) * w[2], 3, {0, 1, 2}, w});
    }
  }
  for (int i = 0; i < count; ++i) {
    consider({at(i), 1, {i}, {1}});
    for (int j = 0; j < i; ++j) {
      const Vec3 e = at(j) - at(i);
      const double t = -dot(at(i), e) / dot(e, e);
      if (t > 0 && t < 1) consider({at(i) + e * t, 2, {i, j}, {1 - t, t}});
    }
  }
  return best;
}

class Carriers {
public:
  Carriers(const CorePair& pair, RefinedAxis& axis) : pair_(pair), axis_(axis) {}

  void settle() {
    if (axis_.count == 1) {
      look_around();
    } else {
      renew();
    }
    complete();
  }

private:
  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(axis_.count); }
  [[nodiscard]] Vec3 across(const CurvedCorner& c) const {
    const Vec3& w = c.corner.difference;
    return w - axis_.axis * dot(w, axis_.axis);
  }
  CurvedCorner look_beside(const Vec3& side) {
    ++axis_.iterations;
    return curved_corner(pair_, normalized(axis_.axis + side * beside));
  }

  /// Each corner from its own side.
  void renew() {
    Vec3 mixture;
    for (std::size_t k = 0; k < count(); ++k) mixture += across(axis_.corners[k]) * axis_.weight[k];
    for (std::size_t k = 0; k < count(); ++k) {
      CurvedCorner& c = axis_.corners[k];
      const CurvedCorner again = look_beside(normalized_or(across(c) - mixture, Vec3{}));
      if (same_piece(pair_, c, again)) c = again;
    }
  }

  /// From one corner: is there a kink after all? Then the most balanced two or three of the corners around.
  void look_around() {
    axis_.corners[0] = look_beside({});
    axis_.weight[0] = 1;
    const Vec3 u = perpendicular(axis_.axis);
    const Vec3 v = cross(axis_.axis, u);
    std::array<CurvedCorner, 4> around;
    bool kink = false;
    for (std::size_t k = 0; k < 4; ++k) {
      around[k] = look_beside((k % 2 ? v : u) * (k < 2 ? 1.0 : -1.0));
      kink |= !same_piece(pair_, axis_.corners[0], around[k]);
    }
    if (!kink) return;
    RefinedAxis best = axis_;
    double balance = 0;
    const auto consider = [&](std::initializer_list<std::size_t> members) {
      axis_.count = 0;
      for (const std::size_t m : members) axis_.corners[count()] = around[m], ++axis_.count;
      const Vec3 off = nearest_mixture();
      const double least =
          *std::min_element(axis_.weight.begin(), axis_.weight.begin() + axis_.count);
      if (count() < members.size() || !(length(off) <= beside * pair_.size()) || !(least > balance))
        return;
      balance = least;
      best.corners = axis_.corners;
      best.weight = axis_.weight;
      best.count = axis_.count;
    };
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t j = (i + 1) % 4;
      const std::size_t k = (i + 2) % 4;
      // Two of the same piece are one.
      if (!same_piece(pair_, around[i], around[j]) && !same_piece(pair_, around[j], around[k]) &&
          !same_piece(pair_, around[k], around[i]))
        consider({i, j, k});
    }
    if (balance == 0) {
      for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = 0; j < i; ++j) consider({i, j});
      }
    }
    best.iterations = axis_.iterations;
    axis_ = best;
  }

  /// The corner farthest against the part of the mixture across the axis is added until that part is gone.
  void complete() {
    constexpr int max_looks = 12;
    for (int i = 0; i < max_looks; ++i) {
      const Vec3 off = nearest_mixture();
      const double size = length(off);
      if (size <= beside * pair_.size() || axis_.count == 3) return;
      const CurvedCorner c = look_beside(off * (-1 / size));
      if (!(dot(c.corner.difference, off) < size * size * (1 - 1e-6))) return;
      axis_.corners[count()] = c;
      ++axis_.count;
    }
  }

  /// Weighs the corners so that their mixture is as near to the axis as can be, drops those without weight, and says how far it is off.
  Vec3 nearest_mixture() {
    std::array<Vec3, 3> p{};
    for (std::size_t k = 0; k < count(); ++k) p[k] = across(axis_.corners[k]);
    const FlatMixture m = nearest_to_origin(p, axis_.count, axis_.axis);
    const auto corners = axis_.corners;
    for (std::size_t k = 0; k < static_cast<std::size_t>(m.count); ++k) {
      axis_.corners[k] = corners[static_cast<std::size_t>(m.index[k])];
      axis_.weight[k] = m.weight[k];
    }
    axis_.count = m.count;
    return m.point;
  }

  const CorePair& pair_;
  RefinedAxis& axis_;
};

} // namespace

void settle_carriers(const CorePair& pair, RefinedAxis& axis) {
  if (axis.count > 0) Carriers(pair, axis).settle();
}

} // namespace carom
