#include "carom/motion/screw_path.h"

namespace carom {

ScrewPath::ScrewPath(const ScrewMotion& screw, int piece)
    : axis_(screw.axis), tangent_(screw.axis == Vec3{} ? 0 : screw.tangent) {
  const double along = dot(axis_, screw.translation);
  Vec3 across = screw.translation - axis_ * along;
  along_ = along / screw.pieces;
  if (screw.pieces == 2) {
    // Half-way, c is beside the middle of the chord by the height of the arc.
    const Vec3 half = across * 0.5 - cross(axis_, across) * (0.5 * tangent_);
    across = piece == 0 ? half : across - half;
  }
  const Vec3 sideways = cross(axis_, across);
  first_ = across - sideways * tangent_;
  twice_arm_ = -(across * tangent_) - sideways;
}

VectorCubic ScrewPath::point(const Vec3& p) const {
  return {{p, first_ + axis_ * along_ + cross(axis_, p) * (2 * tangent_),
           squared(p) - twice_arm_ * tangent_, axis_ * (tangent_ * tangent_ * along_)}};
}

VectorCubic ScrewPath::point_seen(const Vec3& q) const {
  return {{q, -(first_ + axis_ * along_ + cross(axis_, q) * (2 * tangent_)),
           squared(q) - twice_arm_ * tangent_, axis_ * -(tangent_ * tangent_ * along_)}};
}

VectorCubic ScrewPath::direction(const Vec3& e) const {
  return {{e, cross(axis_, e) * (2 * tangent_), squared(e), {}}};
}

// x(u) = a(u) + R p, with a the translation of c, so that the moment is R (p x e) + a x R e. Of a, the part along z gives s u z x R e. The part across is (R - 1) w, and (R w - w) x R e = R (w x e) - w x R e; times W,
// the terms without u cancel, and the others have the factor T w only: u (2 z x T w) x e + T u^2 (2 T w) x (e - 2 z (z . e)).
VectorCubic ScrewPath::moment(const Vec3& p, const Vec3& e) const {
  const Vec3 m = cross(p, e);
  const VectorCubic turned_m = direction(m), turned_e = direction(e);
  const Vec3 z = axis_ * along_;
  const Vec3 mirrored = e - axis_ * (2 * dot(axis_, e));
  return {{m, turned_m.c[1] + cross(z, e) + cross(first_, e),
           turned_m.c[2] + cross(z, turned_e.c[1]) + cross(twice_arm_, mirrored) * tangent_,
           cross(z, turned_e.c[2])}};
}

Vec3 ScrewPath::velocity(const Vec3& p, double u) const {
  const VectorCubic n = point(p);
  const double w = weight(u);
  const Vec3 rising = n.c[1] + (n.c[2] * 2 + n.c[3] * (3 * u)) * u;
  return (rising - n.at(u) * (2 * tangent_ * tangent_ * u / w)) / w;
}

double ScrewPath::speed(const Vec3& p, double radius, double u) const {
  const double circling = (swing(p) + 2 * tangent_ * radius) / weight(u);
  return std::sqrt(along_ * along_ + circling * circling);
}

double ScrewPath::turning(const Vec3& e) const {
  return 2 * tangent_ * length(cross(axis_, normalized_or(e, {})));
}

} // namespace carom
