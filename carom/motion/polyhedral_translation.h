// Translation: when a vertex meets a polygon, and an edge an edge.
//
// The moving feature goes along `motion`; times are fractions of it. All functions look for a meeting at any time from now on, on the line of the motion, and report it where the features come within the
// zone before `limit` (1: within the motion). So what is in the zone already and would meet something later, is stopped at once; what would not, may pass.
//
// Bounds. A moving point passes each edge of the polygon on one side: that is the sign of the permuted inner product of two lines in Plücker coordinates, the path and
// the edge (math/plucker.h), for a motion in direction v equal to (d x v) . (a - c). A vertex meets a polygon where it passes all edges on the inside. An edge meets an edge where the ends
// of each pass the other on different sides. So the same signs serve both (PassingSides). On the line counts as both sides.
#pragma once

#include "carom/motion/polyhedral_zone.h"

namespace [[gnu::visibility("default")]] carom {

/// A gap that shrinks by `speed` in the whole motion.
struct LinearGap {
  double low = 0, meet = 0; ///< as in polyhedral_zone.h
  /// Whether there is a meeting, with low <= limit: the gap is not negative but for `behind`, and shrinks.
  [[nodiscard]] static bool find(double gap, double speed, double behind, double thickness,
                                 double limit, LinearGap& result) {
    if (!(speed > 0) || !(gap >= -behind)) return false;
    result.low = (gap - thickness) / speed;
    if (!(result.low <= limit)) return false;
    if (!(result.low > 0)) result.low = 0;
    result.meet = gap > 0 ? gap / speed : 0;
    return true;
  }
};

/// A moving vertex and a resting polygon. From the front; where `both_sides`, also from behind. The distance from the plane is alpha = n . vertex - d, its
/// change beta = n . motion; they meet at -alpha / beta. Behind the plane by more than rounding, or parallel to it or away from it: no hit.
[[nodiscard]] ZoneHit translate_vertex_polygon(const Vec3& vertex, const PolygonView& polygon,
                                               const Vec3& motion, const ExpelZone& zone,
                                               bool both_sides = false, double limit = 1);

/// A moving polygon and a resting vertex: the same with the motion reversed. The normal still points to what moves.
[[nodiscard]] ZoneHit translate_polygon_vertex(const PolygonView& polygon, const Vec3& vertex,
                                               const Vec3& motion, const ExpelZone& zone,
                                               bool both_sides = false, double limit = 1);

/// A moving edge and a resting one. N = d1 x d2, turned against the motion; the gap is N . (a - c) / |N|. No hit where the edges are parallel, or the
/// motion lies in the plane of both (there vertices meet polygons first), or where a polygon at one of the edges reaches over the plane between them: then something else has met before.
[[nodiscard]] ZoneHit translate_edge_edge(const EdgeView& moving, const EdgeView& still,
                                          const Vec3& motion, const ExpelZone& zone,
                                          double limit = 1);

/// Whether a flat path is over the polygon when the gap, `alpha` at the start, has fallen to half of e. Then that counts as the meeting.
[[nodiscard]] bool skims(const Vec3& vertex, const PolygonView& polygon, const Vec3& motion,
                         double alpha, double speed, const ExpelZone& zone, double limit,
                         LinearGap& gap);

/// Between two edges: the unit normal, or false where they are parallel.
struct EdgePairNormal {
  Vec3 normal; ///< along d1 x d2
  double behind =
      0; ///< how far behind the plane a rounded position may be: more, the more parallel they are
  [[nodiscard]] static bool find(const Vec3& d1, const Vec3& d2, const ExpelZone& zone,
                                 EdgePairNormal& result);
};
/// Whether no polygon at an edge reaches over the plane through it with this unit normal. Not strictly: features that are e apart see their normals wrong by e over their lengths, and an edge
/// that swings down onto a face must be stopped by the ridge at its border, too. To look at a pair in vain costs time only.
inline constexpr double support_slack = 0x1p-6;
[[nodiscard]] inline bool supports(const std::array<Vec3, 2>& inward, const Vec3& normal) {
  return dot(inward[0], normal) <= support_slack && dot(inward[1], normal) <= support_slack;
}

/// The last steps of the functions above, once the meeting is known to be in bounds: when they are e apart. `high` is the limit or the meeting.
[[nodiscard]] ZoneHit settle_translation(const Vec3& vertex, const PolygonView& polygon,
                                         const Vec3& motion, const LinearGap& gap,
                                         const Vec3& normal, const ExpelZone& zone, double limit);
[[nodiscard]] ZoneHit settle_translation(const EdgeView& moving, const EdgeView& still,
                                         const Vec3& motion, const LinearGap& gap,
                                         const Vec3& normal, const ExpelZone& zone, double limit);

} // namespace carom
