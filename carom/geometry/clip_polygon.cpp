// One walk around the polygon (Sutherland and Hodgman 1974), with the corner's three classes kept apart: a cut is made only on an edge from
// strictly in front to strictly behind, or back, never next to a corner that is on the plane, so no slivers arise there.
#include "carom/geometry/clip_polygon.h"

#include <algorithm>

namespace carom {
namespace {

double between(double x, double a, double b) {
  return std::clamp(x, std::min(a, b), std::max(a, b));
}

/// Calls to_front(p) and to_back(p) with the corners of the two parts, in order.
template<class ToFront, class ToBack>
PolygonCut cut(std::span<const Vec3> polygon, const Plane& plane, double thickness,
               ToFront&& to_front, ToBack&& to_back) {
  PolygonCut result{classify(polygon, plane, thickness), 0};
  const bool has_front = result.side != PlaneSide::back;
  const bool has_back = result.side != PlaneSide::front;
  if (polygon.empty()) return result;
  const Vec3* before = &polygon.back();
  PlaneSide before_side = classify(*before, plane, thickness);
  // The last side that was left, to count a passage through corners on the plane as one.
  PlaneSide last_off = PlaneSide::on;
  for (const Vec3& p : polygon) {
    const PlaneSide s = classify(p, plane, thickness);
    if (s != PlaneSide::on) last_off = s;
  }
  for (const Vec3& p : polygon) {
    const PlaneSide side = classify(p, plane, thickness);
    if (side != PlaneSide::on && before_side != PlaneSide::on && side != before_side) {
      const bool forward = before_side == PlaneSide::front;
      const Vec3 q = forward ? cut_edge(*before, p, plane) : cut_edge(p, *before, plane);
      to_front(q);
      to_back(q);
    }
    if (side != PlaneSide::back && has_front) to_front(p);
    if (side != PlaneSide::front && has_back) to_back(p);
    if (side != PlaneSide::on && side != last_off) {
      ++result.crossings;
      last_off = side;
    }
    before = &p;
    before_side = side;
  }
  return result;
}

} // namespace

PlaneSide classify(const Vec3& corner, const Plane& plane, double thickness) {
  const double d = plane.signed_distance(corner);
  return d > thickness ? PlaneSide::front : d < -thickness ? PlaneSide::back : PlaneSide::on;
}

PlaneSide classify(std::span<const Vec3> polygon, const Plane& plane, double thickness) {
  bool front = false;
  bool back = false;
  for (const Vec3& p : polygon) {
    const PlaneSide side = classify(p, plane, thickness);
    front = front || side == PlaneSide::front;
    back = back || side == PlaneSide::back;
  }
  return front && back ? PlaneSide::straddling
         : front       ? PlaneSide::front
         : back        ? PlaneSide::back
                       : PlaneSide::on;
}

Vec3 cut_edge(const Vec3& in_front, const Vec3& behind, const Plane& plane) {
  const double above = plane.signed_distance(in_front);
  const double below = plane.signed_distance(behind);
  if (!(above > 0)) return in_front;
  if (!(below < 0)) return behind;
  const Vec3 p = in_front + (behind - in_front) * (above / (above - below));
  return {between(p.x, in_front.x, behind.x), between(p.y, in_front.y, behind.y),
          between(p.z, in_front.z, behind.z)};
}

PolygonCut split_polygon(std::span<const Vec3> polygon, const Plane& plane, double thickness,
                         std::vector<Vec3>& front, std::vector<Vec3>& back) {
  front.clear();
  back.clear();
  return cut(
      polygon, plane, thickness, [&](const Vec3& p) { front.push_back(p); },
      [&](const Vec3& p) { back.push_back(p); });
}

PolygonCut clip_polygon(std::span<const Vec3> polygon, const HalfSpace& half_space,
                        double thickness, std::vector<Vec3>& inside) {
  inside.clear();
  return cut(
      polygon, {half_space.normal, half_space.offset}, thickness, [](const Vec3&) {},
      [&](const Vec3& p) { inside.push_back(p); });
}

} // namespace carom
