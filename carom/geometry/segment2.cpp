// The four orientations of an end of one segment against the other decide everything, and they are exact (predicates.h). Segments that
// are not collinear either cross strictly inside of both (all four are nonzero, and differ in pairs), or have at most a point in common,
// which is then an end of one of them. Collinear ones are compared along the axis in which they are longest.
//
// A crossing is a + (b - a) t, where t is a quotient of two determinants. For segments almost parallel both determinants are small
// differences of large products; they are summed exactly and rounded once, so t has a relative error of a few epsilon at any angle.
#include "carom/geometry/segment2.h"

#include "carom/math/expansion.h"
#include "carom/math/predicates.h"

#include <algorithm>

namespace carom {
namespace {

bool in_box(const Vec2& p, const Segment2& s) {
  return std::min(s.a.x, s.b.x) <= p.x && p.x <= std::max(s.a.x, s.b.x) &&
         std::min(s.a.y, s.b.y) <= p.y && p.y <= std::max(s.a.y, s.b.y);
}

/// (b - a) x (c - a), rounded once.
auto exact_cross(const Vec2& a, const Vec2& b, const Vec2& c) {
  return exact_difference(b.x, a.x) * exact_difference(c.y, a.y) -
         exact_difference(b.y, a.y) * exact_difference(c.x, a.x);
}

double clamp_between(double x, double a, double b) {
  return std::clamp(x, std::min(a, b), std::max(a, b));
}

/// Known to cross inside of both.
Vec2 crossing(const Segment2& s, const Segment2& t) {
  const auto from = exact_cross(t.a, t.b, s.a);
  const auto to = exact_cross(t.a, t.b, s.b);
  const double u = from.estimate() / (from - to).estimate();
  // Start from the nearer end, so that a crossing next to an end loses nothing.
  const Vec2 p = u <= 0.5 ? s.a + (s.b - s.a) * u
                          : s.b + (s.a - s.b) * ((-to).estimate() / (from - to).estimate());
  // The true crossing lies in both boxes; moving a coordinate to the box brings it no farther from the truth.
  const Vec2 q{clamp_between(p.x, s.a.x, s.b.x), clamp_between(p.y, s.a.y, s.b.y)};
  return {clamp_between(q.x, t.a.x, t.b.x), clamp_between(q.y, t.a.y, t.b.y)};
}

/// All four ends on one line.
SegmentMeeting2 meet_on_line(const Segment2& s, Segment2 t) {
  const bool along_x = std::max(std::fabs(s.a.x - s.b.x), std::fabs(t.a.x - t.b.x)) >=
                       std::max(std::fabs(s.a.y - s.b.y), std::fabs(t.a.y - t.b.y));
  const auto at = [along_x](const Vec2& p) { return along_x ? p.x : p.y; };
  const bool forward = at(s.a) <= at(s.b);
  const auto before = [&](const Vec2& p, const Vec2& q) {
    return forward ? at(p) < at(q) : at(p) > at(q);
  };
  if (before(t.b, t.a)) std::swap(t.a, t.b);
  const Vec2 from = before(s.a, t.a) ? t.a : s.a;
  const Vec2 to = before(t.b, s.b) ? t.b : s.b;
  if (before(to, from)) return {};
  return {before(from, to) ? Meeting2::overlap : Meeting2::point, from, to};
}

} // namespace

bool on_segment(const Vec2& p, const Segment2& s) {
  return in_box(p, s) && orient2d(s.a, s.b, p) == 0;
}

SegmentMeeting2 intersect(const Segment2& s, const Segment2& t) {
  const int sa = orient2d(t.a, t.b, s.a);
  const int sb = orient2d(t.a, t.b, s.b);
  const int ta = orient2d(s.a, s.b, t.a);
  const int tb = orient2d(s.a, s.b, t.b);
  if (sa * sb > 0 || ta * tb > 0) return {};
  if (sa == 0 && sb == 0 && ta == 0 && tb == 0) {
    // Where both are points, no orientation tells whether they lie apart.
    if (s.a == s.b && t.a == t.b && s.a != t.a) return {};
    return meet_on_line(s, t);
  }
  if (sa * sb < 0 && ta * tb < 0) {
    const Vec2 p = crossing(s, t);
    return {Meeting2::point, p, p};
  }
  const auto at = [](const Vec2& p) { return SegmentMeeting2{Meeting2::point, p, p}; };
  if (sa == 0 && in_box(s.a, t)) return at(s.a);
  if (sb == 0 && in_box(s.b, t)) return at(s.b);
  if (ta == 0 && in_box(t.a, s)) return at(t.a);
  if (tb == 0 && in_box(t.b, s)) return at(t.b);
  return {};
}

ClosestOnSegment2 closest_on_segment(const Vec2& p, const Segment2& s) {
  const Vec2 along = s.b - s.a;
  const double from_a = dot(p - s.a, along);
  const double from_b = dot(p - s.b, along);
  if (!(from_a > 0)) return {s.a, distance(p, s.a), false};
  if (!(from_b < 0)) return {s.b, distance(p, s.b), false};
  const double square = length_squared(along);
  const Vec2 point =
      from_a <= -from_b ? s.a + along * (from_a / square) : s.b + along * (from_b / square);
  return {point, std::fabs(exact_cross(s.a, s.b, p).estimate()) / std::sqrt(square), true};
}

} // namespace carom
