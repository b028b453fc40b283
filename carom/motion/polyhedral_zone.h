// The expel zone: where a moving feature stops before it meets a resting one.
//
// Features meet when a vertex reaches a polygon or an edge an edge. Arithmetic is rounded, so a body that is moved to the very meeting may end a hair inside, and what is inside
// is no longer stopped by the surface. So it stops earlier, when the two features are e apart. Within that zone a feature may only go where it does not lead to a
// meeting. As long as e is far more than all rounding, nothing that stopped in front of a surface is ever found behind it.
//
// The zone here is measured between the features themselves: it is all points within e of the polygon or the edge. So it does not reach farther at sharp edges, and open edges
// need no rule of their own. (The paper builds it of planes moved out by e, whose lines of intersection have to be pulled back at sharp edges and made up at open ones.)
//
// All rules have one form. A *gap* is measured along the normal of the meeting: it falls to 0 when they meet. `meet` is the time of that. `low` is a time before it
// from which on the gap only falls, and at which it is e, or at its greatest if it never is as much, or the start. At `low` the features may still be farther than e from each other, beside
// each other; then the time at which they are e apart is between the two, and is searched for there.
//
// A path may be so flat that it runs over a polygon for long, ever nearer, and passes its border before it meets it. That is no meeting, but it ends nowhere safe if it is cut short. So a path as flat as that (1 in 8) also
// stops if it is over the polygon when the gap is half of e.
#pragma once

#include "carom/geometry/plane.h"
#include "carom/math/vec3.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <span>

namespace [[gnu::visibility("default")]] carom {

struct ExpelZone {
  double thickness = 0; ///< e, a length
  double rounding =
      0; ///< a length that positions may be off by: what is so little behind counts as in front
  double lateral =
      0; ///< a length: what passes by so near counts as a meeting, if it comes within e

  /// For two bodies of this size together, where all coordinates (poses and motion included) are at most `all`. thickness 0: 2^-24 of the size, a few micrometres in a hall of a
  /// hundred metres. Less than 2^-34 of `all` is not taken: that is what edges that are parallel to within a thousandth need.
  [[nodiscard]] static ExpelZone of(double size, double all, double thickness = 0);
};

/// A convex polygon: its plane (unit normal) and corners, counter-clockwise seen from the front.
struct PolygonView {
  Plane plane;
  std::span<const Vec3> corners;
};

/// An edge, and the directions into its polygons (PolyhedralEdge::inward).
struct EdgeView {
  Vec3 from, to;
  std::array<Vec3, 2> inward{};
};

/// Where two features stop.
struct ZoneHit {
  bool hit = false;
  /// When they are e apart, or at once where they are nearer. Of a translation: the fraction of it. Of a rotation: tan(angle / 2).
  double at = 0;
  double meet = 0; ///< when they would meet, if not stopped; at least `at`
  Vec3
      normal{}; ///< a unit vector from the resting feature to the moving one, at right angles to both when they meet
};

/// The nearest points of a point and a polygon, or of two segments.
struct FeaturePoints {
  Vec3 on_a, on_b;
  double distance = 0;
};
[[nodiscard]] FeaturePoints nearest_points(const Vec3& point, const PolygonView& polygon);
[[nodiscard]] FeaturePoints nearest_points(const Vec3& a, const Vec3& b, const Vec3& c,
                                           const Vec3& d);

/// On which side of an edge's line a point passes that moves along `motion`: (d x motion) . (point - from), d being the edge's direction. Positive where it passes to the left of an edge of
/// the polygon that it comes to from the front, and so on its inside. Changes its sign, to the bit, when the edge is reversed.
[[nodiscard]] double passing_side(const Vec3& point, const Vec3& motion, const Vec3& from,
                                  const Vec3& to);

/// What that is for a point that passes at the zone's `lateral`, and no less than its rounding.
[[nodiscard]] inline double passing_slack(const Vec3& along, const Vec3& motion,
                                          const ExpelZone& zone) {
  return zone.lateral * length(cross(along, motion)) +
         zone.rounding * std::sqrt(length_squared(along) * length_squared(motion));
}

/// A path that falls by less than this for its length is flat; and the share of e at which it must not be over a polygon.
inline constexpr double flat_slope = 0.125, flat_share = 0.5;
/// Whether a point is over (or under) a polygon.
[[nodiscard]] bool is_over(const Vec3& point, const PolygonView& polygon);

/// The time in [low, high] at which distance(time) falls to `reach`: low where it is that near there, -1 where it is not even at `high`. To within a thousandth of the reach, from below.
template<class Distance>
[[nodiscard]] double settle(double low, double high, double reach, Distance&& distance) {
  double far = distance(low);
  if (far <= reach) return low;
  if (!(high > low)) return -1;
  double near = distance(high);
  if (!(near <= reach)) return -1;
  // False position, with the standing end's weight halved each time it stands (Illinois); every third step halves the interval, so that it ends.
  const double enough = reach * (1 - 0x1p-10);
  double weight_far = far - reach, weight_near = near - reach;
  for (int i = 0; i < 96 && near < enough; ++i) {
    const double share = i % 3 == 2 ? 0.5 : weight_far / (weight_far - weight_near);
    double middle = low + (high - low) * share;
    if (!(middle > low && middle < high)) middle = low + (high - low) * 0.5;
    if (!(middle > low && middle < high)) break;
    const double d = distance(middle);
    if (d <= reach) {
      high = middle;
      near = d;
      weight_near = d - reach * (1 - 0x1p-11);
      weight_far *= 0.5;
    } else {
      low = middle;
      far = d;
      weight_far = d - reach;
      weight_near *= 0.5;
    }
    if (!(weight_near < 0)) weight_near = -reach * 0x1p-11;
  }
  return high;
}

} // namespace carom
