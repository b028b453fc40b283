// Nearest points of the cores first: that is all for what is apart, and for balls and capsules that overlap by less than their radii. It begins with the axis that was the answer last time: mostly, one look along it
// is enough to see that two are too far apart. Cores that overlap, or nearly, are measured along all axes that count (convex_axis.h).
//
// Then the points: the face of the one that looks along the normal, cut by the sides of the other's. Where neither has a face that way, it is one point.
#include "carom/dynamics/convex_meeting.h"

#include "carom/dynamics/convex_axis.h"
#include "carom/dynamics/core_search.h"
#include "carom/geometry/closest_line.h"

#include <algorithm>

namespace carom {
namespace {

constexpr double touching =
    1e-3; // the direction between points nearer than that is not to be trusted
constexpr double enough = 1e-4;  // by which an axis must be better than that of a face
constexpr double facing = 0.996; // cosine of 5 degrees: a face within that is what is touched
constexpr double seen = 0.5;     // of 60 degrees: a face within that may come to rest on it
constexpr double shallow =
    0.05; // of the size: overlaps less deep than that are where they seem to be
constexpr double suspicious =
    0.01; // of the size: an overlap along a given normal that is looked at again
constexpr double parallel = 0.0872; // sine of 5 degrees

void take_corners(const ConvexForm& form, const Frame* frame, FormFace& face) {
  face.corners.clear();
  for (std::uint32_t i = 0; i < form.vertices().size(); ++i) {
    const Vec3& p = form.vertices()[i];
    face.corners.push({frame ? frame->to_world(p) : p, i});
  }
}

/// The face that looks along d most nearly; of what is no solid, all of it. Returns the cosine, or -1.
double take_face(const ConvexForm& form, const Frame* frame, const Vec3& d, FormFace& face) {
  if (form.dimension() < 3) {
    take_corners(form, frame, face);
    return -1;
  }
  const std::uint32_t i = form.face_along(frame ? frame->direction_to_local(d) : d);
  const ConvexForm::Plane& plane = form.planes()[i];
  face.corners.clear();
  for (const std::uint32_t c : form.corners(i)) {
    const Vec3& p = form.vertices()[c];
    face.corners.push({frame ? frame->to_world(p) : p, c});
  }
  face.normal = frame ? frame->direction_to_world(plane.normal) : plane.normal;
  face.offset = plane.offset + (frame ? dot(face.normal, frame->origin) : 0);
  return dot(face.normal, d);
}
double take_face(const PlacedForm& b, const Vec3& d, FormFace& face) {
  return take_face(b.form, &b.frame, d, face);
}
double take_face(const PlacedTriangle& b, const Vec3& d, FormFace& face) {
  const bool front = dot(b.normal, d) >= 0;
  face.corners.clear();
  for (std::uint32_t i = 0; i < 3; ++i) {
    const std::uint32_t k = front ? i : 2 - i;
    face.corners.push({b.corners[k], k});
  }
  face.normal = front ? b.normal : -b.normal;
  face.offset = dot(face.normal, b.corners[0]);
  return dot(face.normal, d);
}

/// What of a face that is seen too much from the side reaches farthest along d: one of its sides, or a corner.
void keep_rim(FormFace& face, const Vec3& d) {
  const std::size_t count = face.corners.size();
  std::size_t far = 0;
  for (std::size_t i = 1; i < count; ++i)
    if (dot(d, face.corners[i].at) > dot(d, face.corners[far].at)) far = i;
  const FormCorner tip = face.corners[far], after = face.corners[(far + 1) % count],
                   before = face.corners[(far + count - 1) % count];
  const auto slope = [&](const FormCorner& c) {
    return -dot(d, normalized(c.at - tip.at)); // of a side, downward
  };
  const FormCorner& other = slope(after) <= slope(before) ? after : before;
  face.corners.clear();
  face.corners.push(tip);
  if (slope(other) < parallel) face.corners.push(other);
}

/// Whether the point's shadow along the normal is in the triangle.
bool is_above(const PlacedTriangle& t, const Vec3& p) {
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 &from = t.corners[i], &to = t.corners[(i + 1) % 3];
    if (dot(cross(to - from, p - from), t.normal) < 0) return false;
  }
  return true;
}

/// The point of a triangle nearest to p.
Vec3 nearest_in(const PlacedTriangle& t, const Vec3& p) {
  const Vec3 best = p - t.normal * dot(t.normal, p - t.corners[0]);
  double least = INFINITY;
  bool inside = true;
  Vec3 foot = best;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 &from = t.corners[i], &to = t.corners[(i + 1) % 3];
    const Vec3 e = to - from;
    if (!(dot(cross(e, p - from), t.normal) < 0)) continue;
    inside = false;
    const double at = std::clamp(dot(e, p - from) / dot(e, e), 0.0, 1.0);
    const Vec3 q = from + e * at;
    const double d = distance_squared(p, q);
    if (!(d < least)) continue;
    least = d;
    foot = q;
  }
  return inside ? best : foot;
}

/// Whether deepest_axis() goes through all axes that can keep them apart: what has no gap along them overlaps.
bool has_all_axes(const ConvexForm& a, const PlacedForm& /*b*/) { return a.dimension() == 3; }
bool has_all_axes(const ConvexForm& /*a*/, const PlacedTriangle& /*b*/) { return false; }

double size_of(const PlacedForm& b) { return b.form.size(); }
double size_of(const PlacedTriangle& b) {
  return max_abs(b.corners[1] - b.corners[0]) + max_abs(b.corners[2] - b.corners[0]);
}

} // namespace

template<class B>
void ConvexMeeting::find_points(const ConvexForm& a, const B& b, double radius_b, double margin) {
  const Vec3& n = axis_.normal;
  const double limit = margin + a.radius() + radius_b;
  const double cos_a = take_face(a, nullptr, n, clip_.a), cos_b = take_face(b, -n, clip_.b);
  if (std::max(cos_a, cos_b) >= facing) {
    if (cos_a < seen && clip_.a.corners.size() > 2) keep_rim(clip_.a, n);
    if (cos_b < seen && clip_.b.corners.size() > 2) keep_rim(clip_.b, -n);
    clip_.cut(cos_a + 1e-6 >= cos_b, n, limit);
  } else if (clip_.a.corners.size() == 2 && clip_.b.corners.size() == 2) {
    const Vec3 u = clip_.a.corners[1].at - clip_.a.corners[0].at,
               v = clip_.b.corners[1].at - clip_.b.corners[0].at;
    if (length(cross(u, v)) < parallel * length(u) * length(v)) clip_.cut_edges(n, limit);
  }
}

/// Along the axis, and where it was measured.
template<class B>
void ConvexMeeting::settle_points(const ConvexForm& a, const B& b, double radius_b, double margin) {
  find_points(a, b, radius_b, margin);
  double least = INFINITY;
  for (const MeetingPoint& p : clip_.points()) least = std::min(least, p.separation);
  if (least > axis_.gap + enough * std::min(a.size(), size_of(b)))
    clip_.add({axis_.on_a, axis_.on_b, axis_.gap, std::uint64_t{3} << 32});
  clip_.round(axis_.normal, a.radius(), radius_b);
}

template<class B>
bool ConvexMeeting::find_any(const ConvexForm& a, const B& b, double radius_b, double margin,
                             const Vec3& axis) {
  const double radii = a.radius() + radius_b, size = std::min(a.size(), size_of(b));
  clip_.clear();
  axis_ = measured(a, b, axis);
  gap_ = axis_.gap - radii;
  if (gap_ > margin) return false;
  // What overlaps along an axis that was an answer before mostly does so along all.
  const bool deep = has_all_axes(a, b) && axis_.gap < 0;
  if (deep) axis_ = deepest_axis(a, b, axis_, enough * size);
  if (!deep || axis_.gap > 0) {
    const Nearness near = search_nearest(a, b, margin + radii, touching * size, axis_);
    if (near.overlap) axis_ = deepest_axis(a, b, axis_, enough * size);
    gap_ = axis_.gap - radii;
    if (near.beyond || gap_ > margin) return false;
  }
  gap_ = axis_.gap - radii;
  settle_points(a, b, radius_b, margin);
  return true;
}

/// What is nearest to the ball's middle is one point of a segment, or of a ball, or of a face that it is above. Else it is for others to find out.
bool ConvexMeeting::meet_ball(const ConvexForm& a, const Vec3& ball, double radius) {
  const double least = touching * std::min(a.size(), 2 * radius);
  if (a.dimension() == 3) {
    const std::uint32_t i = a.face_above(ball);
    const ConvexForm::Plane& plane = a.planes()[i];
    const double height = dot(plane.normal, ball) - plane.offset;
    if (!(height > least)) return false;
    const auto corners = a.corners(i);
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const Vec3 &from = a.vertices()[corners[k]],
                 &to = a.vertices()[corners[k + 1 == corners.size() ? 0 : k + 1]];
      if (dot(cross(to - from, ball - from), plane.normal) < 0) return false;
    }
    axis_ = {plane.normal, height, ball - plane.normal * height, ball};
    return true;
  }
  Vec3 nearest = a.vertices()[0];
  if (a.dimension() == 1) {
    const Vec3 e = a.vertices()[1] - nearest;
    nearest += e * std::clamp(dot(e, ball - nearest) / dot(e, e), 0.0, 1.0);
  }
  const Vec3 between = ball - nearest;
  const double far = length(between);
  if (!(far > least)) return false;
  axis_ = {between / far, far, nearest, ball};
  return true;
}

/// Cores of capsules: no search is needed, unless they touch.
bool ConvexMeeting::meet_segments(const ConvexForm& a, const PlacedForm& b) {
  const ClosestLines near = closest_points(
      Segment{a.vertices()[0], a.vertices()[1]},
      Segment{b.frame.to_world(b.form.vertices()[0]), b.frame.to_world(b.form.vertices()[1])});
  if (!(near.distance > touching * std::min(a.size(), b.form.size()))) return false;
  axis_ = {(near.on_b - near.on_a) / near.distance, near.distance, near.on_a, near.on_b};
  return true;
}

/// What has faces comes first.
bool ConvexMeeting::find_ordered(const ConvexForm& a, const PlacedForm& b, double margin,
                                 const Vec3& axis) {
  const double radius = b.form.radius();
  if (a.dimension() == 1 && b.form.dimension() == 1 && meet_segments(a, b)) {
    clip_.clear();
    gap_ = axis_.gap - a.radius() - radius;
    if (gap_ > margin) return false;
    settle_points(a, b, radius, margin);
    return true;
  }
  if (b.form.dimension() > 0 || !meet_ball(a, b.frame.to_world(b.form.vertices()[0]), radius))
    return find_any(a, b, radius, margin, axis);
  clip_.clear();
  gap_ = axis_.gap - a.radius() - radius;
  if (gap_ > margin) return false;
  clip_.add({axis_.on_a, axis_.on_b, axis_.gap, std::uint64_t{3} << 32});
  clip_.round(axis_.normal, a.radius(), radius);
  return true;
}

bool ConvexMeeting::find(const ConvexForm& a, const ConvexForm& b, const Frame& b_in_a,
                         double margin, const Vec3& axis) {
  if (a.dimension() >= b.dimension()) return find_ordered(a, {b, b_in_a}, margin, axis);
  const Frame a_in_b{transpose(b_in_a.basis), -transpose_mul(b_in_a.basis, b_in_a.origin)};
  const bool meets = find_ordered(b, {a, a_in_b}, margin, -b_in_a.direction_to_local(axis));
  axis_.normal = -b_in_a.direction_to_world(axis_.normal);
  clip_.swap(b_in_a);
  return meets;
}

/// Where what reaches deepest below the triangle's plane is under the triangle, not by far, that is where they meet.
bool ConvexMeeting::find(const ConvexForm& a, const PlacedTriangle& b, double margin,
                         const Vec3& axis) {
  const Vec3& tip = a.support(axis);
  const double gap = dot(axis, b.corners[0] - tip);
  clip_.clear();
  if (gap - a.radius() > margin) {
    axis_.normal = axis;
    gap_ = gap - a.radius();
    return false;
  }
  const double deep = a.dimension() == 0 ? 0 : -shallow * a.size();
  if (!(gap >= deep) || !is_above(b, tip)) {
    // From the middle of the form to what of the triangle is nearest to it: mostly, that shows that they are apart.
    const Vec3 nearest = nearest_in(b, a.inner().center), toward = nearest - a.inner().center;
    const double far = length(toward);
    axis_.normal = far > 0 ? toward / far : axis;
    gap_ = far - a.reach();
    if (gap_ > margin) return false;
    if (a.dimension() == 3) {
      const double beyond = a.beyond_faces(b.corners) - a.radius();
      const double rounding = 1e-6 * (a.size() + far);
      if (beyond - rounding > margin) {
        gap_ = beyond - rounding;
        return false;
      }
    }
    if (a.dimension() > 0 || !(far > 0)) return find_any(a, b, 0, margin, Vec3{axis_.normal});
    clip_.add({tip, nearest, far, std::uint64_t{3} << 32}); // a ball
    clip_.round(axis_.normal, a.radius(), 0);
    return true;
  }
  axis_ = {axis, gap, tip, tip + axis * gap};
  gap_ = gap - a.radius();
  find_points(a, b, 0, margin);
  if (clip_.points().empty()) clip_.add({tip, axis_.on_b, gap, std::uint64_t{3} << 32});
  clip_.round(axis, a.radius(), 0);
  return true;
}

bool ConvexMeeting::find_along(const ConvexForm& a, const PlacedTriangle& b, double margin,
                               const Vec3& normal) {
  clip_.clear();
  axis_ = measured(a, b, normal);
  gap_ = axis_.gap - a.radius();
  if (gap_ > margin) return false;
  find_points(a, b, 0, margin);
  clip_.round(normal, a.radius(), 0);
  double least = INFINITY;
  for (const MeetingPoint& p : clip_.points()) least = std::min(least, p.separation);
  // What is as deep below the triangle may be so without passing through it: around a corner of the surface.
  if (least < -suspicious * a.size()) {
    MeetingAxis nearest{.normal = normal};
    const Nearness near = search_nearest(a, b, INFINITY, touching * a.size(), nearest);
    if (!near.overlap && nearest.gap > a.radius()) clip_.clear();
  }
  return !clip_.points().empty();
}

} // namespace carom
