// The height of a point of the body above a plane is, as a function of time, a line plus b cos(angle t + c), where b is at most its distance r from the pivot. A second derivative of at most b angle^2 takes it no farther than r angle^2 / 8 from the
// straight line between its values at the ends. So what is above a plane by h at both ends is above it by h - r angle^2 / 8 all the way.
#include "carom/dynamics/clear_way.h"

#include "carom/dynamics/core_search.h"
#include "carom/dynamics/surface_triangles.h"
#include "carom/geometry/closest_point.h"
#include "carom/geometry/overlap_box.h"
#include "carom/math/tolerance.h"
#include "carom/tree/triangle_surface.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace carom {
namespace {

Frame seen_from(const Frame& frame, const Frame& from) {
  return {transpose(from.basis) * frame.basis, from.to_local(frame.origin)};
}

/// How far below the origin of its frame a form reaches.
double lowest(const ConvexForm& form, const Frame& frame, const Vec3& up) {
  const Vec3 local = frame.direction_to_local(up);
  return dot(local, form.support(-local)) + dot(up, frame.origin) - form.radius();
}

} // namespace

void ClearWay::begin(const ConvexForm& form, const Motion& motion) {
  form_ = &form;
  motion_ = motion;
  first_ = motion.start.frame();
  last_ = pose_at(motion, 1).frame();
  const double arm = distance(first_.to_world(form.inner().center), motion.pivot) + form.reach();
  bend_ = arm * motion.angle * motion.angle / 8;
  // Vertices are chosen in floats.
  rounding_ = 1e-6 * form.size() +
              64 * tolerance::epsilon *
                  (max_abs(first_.origin) + max_abs(last_.origin) + max_abs(motion.pivot));
}

ClearWay::Ends ClearWay::ends_in(const Pose& pose) const {
  const Frame frame = pose.frame();
  Ends ends{seen_from(first_, frame), seen_from(last_, frame), {}};
  ends.middle = {ends.first.to_world(form_->inner().center),
                 ends.last.to_world(form_->inner().center)};
  return ends;
}

/// Above the origin, all the way, at least.
double ClearWay::height(const Ends& ends, const Vec3& up) const {
  return std::min(lowest(*form_, ends.first, up), lowest(*form_, ends.last, up)) - bend_ -
         rounding_;
}

bool ClearWay::clears_along_normal(const Ends& ends, const Triangle& t, double gap) const {
  const Vec3 across = cross(t.b - t.a, t.c - t.a);
  const double l = length(across);
  if (!(l > 0)) return false;
  const Vec3 up = across * ((dot(across, ends.middle[0] - t.a) < 0 ? -1 : 1) / l);
  return height(ends, up) - dot(up, t.a) > gap;
}

/// Along the way from what of the triangle is nearest to the form's middle, at either end.
bool ClearWay::clears_aside(const Ends& ends, const Triangle& t, double gap) const {
  for (const Vec3& middle : ends.middle) {
    const ClosestPoint nearest = closest_point(middle, t);
    if (!(nearest.distance > 0)) continue;
    const Vec3 up = (middle - nearest.point) / nearest.distance;
    const double top = std::max({dot(up, t.a), dot(up, t.b), dot(up, t.c)});
    if (height(ends, up) - top > gap) return true;
  }
  return false;
}

Aabb ClearWay::box_of(const Ends& ends) const {
  const auto at = [&](const Frame& frame) {
    const Aabb box = form_->bounds(transpose(frame.basis));
    return Aabb{box.min + frame.origin, box.max + frame.origin};
  };
  const Aabb first = at(ends.first), last = at(ends.last);
  const double more = bend_ + rounding_;
  const Vec3 grow{more, more, more};
  return {min(first.min, last.min) - grow, max(first.max, last.max) + grow};
}

/// Of what is known to be near, or of the surface's groups where there is more, without those that are seen to be cleared.
bool ClearWay::finds_known(const Shape& surface, const Aabb& box, const NearTriangles* near,
                           const Ends& ends, double gap) {
  const std::size_t count = form_->vertices().size();
  if (near == nullptr || near->surface != surface.id() || !near->form().all() ||
      count > EightPoints::most)
    return false;
  const bool held = holds(near->box, box);
  if (!held && near->known == nullptr) return false;
  if (!held) find_leaves(surface, box, leaves_);
  const std::span<const std::uint32_t> from = held ? near->groups : leaves_;
  const std::span<const SurfaceGroup> groups = near->form().groups();
  const Vec3 middle = held ? near->box.center() : box.center();
  const double slack = held ? near->slack : measuring_slack(near->form(), from, box);
  found_.clear();
  groups_.clear();
  eights_.clear();
  for (const std::uint32_t g : from) {
    if (!overlaps(groups[g].bounds, box)) continue;
    groups_.push_back(g);
    eights_.emplace_back(groups[g].planes, groups[g].center, middle);
  }
  if (groups_.empty()) return true;
  EightPoints points[2];
  for (std::size_t i = 0; i < 2; ++i) {
    const Frame& frame = i == 0 ? ends.first : ends.last;
    std::array<Vec3, EightPoints::most> placed;
    for (std::size_t k = 0; k < count; ++k) placed[k] = frame.to_world(form_->vertices()[k]);
    points[i].set(std::span(placed).first(count), ends.middle[i], middle);
  }
  const SurfaceTriangles triangles(surface);
  const double least = gap + form_->radius() + bend_ + rounding_ + slack;
  low_.resize(eights_.size());
  find_low(eights_, points[0], points[1], least, low_.data());
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const SurfaceGroup& group = groups[groups_[i]];
    const std::uint32_t used = (1U << group.count) - 1;
    for (std::uint32_t left = low_[i] & used; left != 0; left &= left - 1) {
      const std::uint32_t item = group.items[static_cast<std::size_t>(std::countr_zero(left))];
      const Triangle t = triangles[item];
      if (overlaps(bounds(t), box) && !clears_aside(ends, t, gap)) found_.push_back(item);
    }
  }
  std::sort(found_.begin(), found_.end());
  return true;
}

/// Else from the surface.
void ClearWay::find_near(const Shape& surface, const Aabb& box, const NearTriangles* near,
                         const Ends& ends, double gap) {
  if (finds_known(surface, box, near, ends, gap)) return;
  find_triangles(surface, box, found_);
  const SurfaceTriangles triangles(surface);
  std::erase_if(found_, [&](std::uint32_t i) {
    const Triangle t = triangles[i];
    return clears_along_normal(ends, t, gap) || clears_aside(ends, t, gap);
  });
}

bool ClearWay::clears_surface(const Shape& surface, const Pose& pose, double gap,
                              const NearTriangles* near) {
  const Ends ends = ends_in(pose);
  const double more = std::max(gap, 0.0);
  Aabb box = box_of(ends);
  box.min -= Vec3{more, more, more};
  box.max += Vec3{more, more, more};
  find_near(surface, box, near, ends, gap);
  return found_.empty();
}

/// Conservative advancement: along the direction between the nearest points of now the height is d, and d1 at the end. In between it is, at a part s of the way there, no less than d + (d1 - d) s - k s (1 - s) with k = r angle^2 / 2. Where that
/// comes down to the gap, the nearest points are found anew.
ClearWay::Touch ClearWay::first_touch(const Triangle& t, double gap, double error,
                                      double max_t) const {
  constexpr int most_steps = 40;
  const double least = gap + rounding_;
  double now = 0;
  MeetingAxis axis;
  for (int i = 0; i < most_steps; ++i) {
    const Frame frame = i == 0 ? first_ : pose_at(motion_, now).frame();
    const PlacedTriangle placed{{frame.to_local(t.a), frame.to_local(t.b), frame.to_local(t.c)},
                                {}};
    if (i == 0) axis.normal = normalized_or(placed.corners[0] - form_->inner().center, {1, 0, 0});
    const Nearness near = search_nearest(*form_, placed, INFINITY, rounding_, axis);
    const Vec3 up = -frame.direction_to_world(axis.normal);
    const double top = std::max({dot(up, t.a), dot(up, t.b), dot(up, t.c)});
    const double d = lowest(*form_, frame, up) - top;
    if (near.overlap || !(d > least + error))
      return {Until::time, now, frame.to_world(axis.on_a) - up * form_->radius(),
              frame.to_world(axis.on_b), -up};
    const double at_end = lowest(*form_, last_, up) - top;
    const double left = 1 - now, k = 4 * bend_ * left * left;
    // The first root of k s^2 + (d1 - d - k) s + d - least.
    const double b = at_end - d - k, c = d - least, square = b * b - 4 * k * c;
    if (b >= 0 || square < 0) return {Until::end, 1};
    now += left * (2 * c / (std::sqrt(square) - b));
    if (now >= max_t) return {Until::end, 1};
  }
  return {};
}

ClearWay::Touch ClearWay::first_touch(const Shape& surface, const Pose& pose, double gap,
                                      double error) const {
  const Frame frame = pose.frame();
  const SurfaceTriangles triangles(surface);
  Touch first{Until::end, 1};
  for (const std::uint32_t i : found_) {
    const Triangle t = triangles[i];
    const Touch here = first_touch({frame.to_world(t.a), frame.to_world(t.b), frame.to_world(t.c)},
                                   gap, error, first.t);
    if (here.until == Until::unknown) return here;
    if (here.until == Until::time && here.t < first.t) first = here;
  }
  return first;
}

/// Along the normals of the faces that the form's middle is beyond, and from middle to middle.
bool ClearWay::clears_form(const ConvexForm& other, const Pose& pose, double gap) const {
  const Ends ends = ends_in(pose);
  const Vec3& center = ends.middle[0];
  const double more = gap + other.radius() + 1e-6 * other.size();
  for (const ConvexForm::Plane& p : other.planes())
    if (dot(p.normal, center) > p.offset && height(ends, p.normal) - p.offset > more) return true;
  const Vec3 between = center - other.inner().center;
  const double l = length(between);
  if (!(l > 0)) return false;
  const Vec3 up = between / l;
  return height(ends, up) - dot(up, other.support(up)) > more;
}

} // namespace carom
