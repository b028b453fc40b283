// Rotation about the z axis: when a vertex meets a polygon, and an edge an edge.
//
// Everything is given in a frame whose z axis is the axis of rotation; what moves turns counter-clockwise seen from its tip (for clockwise, let z point the other way). Times are r = tan(angle / 2), which
// grows with the angle from 0 to infinity at half a turn. So meetings are ordered without an arc tangent, and sine and cosine are rational in r:
//   sin = 2 r / (1 + r^2),  cos = (1 - r^2) / (1 + r^2).
//
// A gap (of a vertex and a plane, or of two lines) goes as  v0 + v2 cos + v1 sin,  so (1 + r^2) gap = a r^2 + 2 b r + c  with  a = v0 - v2,  b = v1,  c = v0 + v2.  It is 0 at two angles a turn,
// falling at one and rising at the other. What enters, enters at the falling one:  r = (-b - sqrt(b^2 - a c)) / a,  whatever the sign of a; and c / (-b + sqrt) where b < 0, which is the same without
// cancellation. For a = 0 that is half a turn (b >= 0) or -c / (2 b). A line of edges may be passed from either side: there both angles are looked at, each as the falling one of the gap with its sign.
//
// A gap that never falls to 0 is no meeting: with the axis at right angles to the plane, or the vertex on the axis, v1 = v2 = 0.
#pragma once

#include "carom/math/plucker.h"
#include "carom/motion/polyhedral_zone.h"

#include <cmath>

namespace [[gnu::visibility("default")]] carom {

/// A rotation about z by the angle of tan(angle / 2) = r >= 0; half a turn for infinity.
struct ZTurn {
  double cos = 1, sin = 0;

  explicit ZTurn(double r) {
    if (r <= 1) {
      const double w = 1 + r * r;
      cos = (1 - r * r) / w;
      sin = 2 * r / w;
    } else {
      const double q = 1 / r, w = 1 + q * q;
      cos = (q * q - 1) / w;
      sin = 2 * q / w;
    }
  }
  [[nodiscard]] Vec3 operator()(const Vec3& p) const {
    return {p.x * cos - p.y * sin, p.x * sin + p.y * cos, p.z};
  }
  /// The opposite rotation.
  [[nodiscard]] Vec3 back(const Vec3& p) const {
    return {p.x * cos + p.y * sin, p.y * cos - p.x * sin, p.z};
  }
};

/// A gap v0 + v2 cos + v1 sin that falls to 0.
struct TurningGap {
  double low = 0, meet = 0; ///< as in polyhedral_zone.h, each a tan(angle / 2)
  double slope = 0;         ///< how fast it falls when they meet, a radian: >= 0
  double swing = 0;         ///< half the difference of its greatest and least value
  /// Whether it falls to 0, to within `rounding`, after the start and up to half a turn, with low <= limit. A start below -behind counts as behind: it comes to the front first, and
  /// meets then. `thickness` is the zone's in the unit of the gap.
  [[nodiscard]] static bool find(double v0, double v1, double v2, double rounding, double behind,
                                 double thickness, double limit, TurningGap& result);
};

/// A vertex that turns and a resting polygon, up to the angle of `end`. Hits that cannot be before `limit` need not be found: it does not change those that are.
///
/// Bounds: where the vertex is when it meets the plane must be in the polygon. Where it grazes the plane that place is uncertain, by as much as the vertex moves while the gap changes by a rounding; so much is allowed.
[[nodiscard]] ZoneHit rotate_vertex_polygon(const Vec3& vertex, const PolygonView& polygon,
                                            const ExpelZone& zone, bool both_sides, double end,
                                            double limit = INFINITY);

/// A polygon that turns and a resting vertex: in the polygon's frame the vertex turns the other way. The normal (at the meeting) still points to what moves.
[[nodiscard]] ZoneHit rotate_polygon_vertex(const PolygonView& polygon, const Vec3& vertex,
                                            const ExpelZone& zone, bool both_sides, double end,
                                            double limit = INFINITY);

/// An edge that turns and a resting one. Of the lines p and q in Plücker coordinates (d, m), side = d_p . m_q + d_q . m_p; turning acts on d_p and m_p alike.
[[nodiscard]] ZoneHit rotate_edge_edge(const EdgeView& moving, const EdgeView& still,
                                       const ExpelZone& zone, double end);

/// The steps after the coefficients are known; sign 1 or -1 is that of the gap.
[[nodiscard]] ZoneHit rotate_vertex_polygon(const Vec3& vertex, const PolygonView& polygon,
                                            double way, double sign, const TurningGap& gap,
                                            const ExpelZone& zone, double end);
[[nodiscard]] ZoneHit rotate_edge_edge(const EdgeView& moving, const EdgeView& still, double sign,
                                       const TurningGap& gap, const ExpelZone& zone, double end);

/// v0, v1, v2 of a gap.
struct TurnCoefficients {
  double v0 = 0, v1 = 0, v2 = 0;
};
/// Of a plane and a vertex that turns (way 1), or a plane that turns and a vertex (way -1).
[[nodiscard]] inline TurnCoefficients turning_gap(const Plane& plane, const Vec3& p, double way) {
  const Vec3& n = plane.normal;
  return {n.z * p.z - plane.offset, way * (n.y * p.x - n.x * p.y), n.x * p.x + n.y * p.y};
}

/// Of a line p that turns and a resting line q.
[[nodiscard]] inline TurnCoefficients turning_gap(const PluckerLine& p, const PluckerLine& q) {
  const Vec3 &d1 = p.direction, &m1 = p.moment, &d2 = q.direction, &m2 = q.moment;
  return {d1.z * m2.z + m1.z * d2.z, (d1.x * m2.y - d1.y * m2.x) + (m1.x * d2.y - m1.y * d2.x),
          (d1.x * m2.x + d1.y * m2.y) + (m1.x * d2.x + m1.y * d2.y)};
}

} // namespace carom
