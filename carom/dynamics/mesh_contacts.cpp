// Each triangle is met on its own, and then asked whether its normal is one of the whole surface. At an edge, a triangle alone has normals all around; in a floor, the only way out is up. The rule needs no adjacency: a
// direction d leads out of the surface at its point p where no triangle that has p reaches beyond the plane through p at right angles to d. So it is for a ridge between the normals of its two sides, for an edge
// in a flat only along the normal, for a valley never; alike for shared vertices, soups and T-junctions. Where the direction does not lead out, the triangle's own normal is taken, with those points that face
// the triangle along it; mostly there is none, and another triangle has it.
//
// Triangles whose normals agree to within 5 degrees make one patch, of at most four points.
#include "carom/dynamics/mesh_contacts.h"

#include "carom/dynamics/convex_axis.h"
#include "carom/dynamics/surface_triangles.h"
#include "carom/geometry/closest_point.h"
#include "carom/geometry/overlap_box.h"

#include <algorithm>

namespace carom {
namespace {

constexpr double agreeing = 0.9962;    // cosine of 5 degrees
constexpr double own_normal = 0.99999; // of a triangle
constexpr double slack_part =
    0.15; // of a form's size: so far it may go until triangles are gathered anew
constexpr double on_triangle = 1e-6; // of the size: a point that near belongs to a triangle
constexpr double rising = 1e-4;      // sine: what rises less is flat
constexpr double same_point = 1e-3;  // of the size

Aabb grown(const Aabb& box, double by) {
  const Vec3 d{by, by, by};
  return {box.min - d, box.max + d};
}

bool holds(const Aabb& outer, const Aabb& inner) {
  return outer.min.x <= inner.min.x && outer.min.y <= inner.min.y && outer.min.z <= inner.min.z &&
         outer.max.x >= inner.max.x && outer.max.y >= inner.max.y && outer.max.z >= inner.max.z;
}

/// Of a form in the frame of the surface.
Aabb box_in(const Frame& surface_in_form, const ConvexForm& form) {
  const Aabb box = form.bounds(surface_in_form.basis);
  const Vec3 from = transpose_mul(surface_in_form.basis, surface_in_form.origin);
  return {box.min - from, box.max - from};
}

} // namespace

/// Triangles without area are left out: their sides are those of others.
void MeshContacts::gather(const Shape& surface, const Aabb& box, NearTriangles& near) {
  near.surface = surface.id();
  near.box = grown(box, slack_part * size_);
  near.items.clear();
  find_triangles(surface, near.box, found_);
  for (const std::uint32_t i : found_) {
    const Triangle t = triangle_of(surface, i);
    const Vec3 n = cross(t.b - t.a, t.c - t.a);
    const double l = length(n);
    if (l > 0) near.items.push_back({i, t, n / l});
  }
}

/// Those in reach now, in the form's frame: whose planes and boxes the form comes near.
void MeshContacts::place(const ConvexForm& form, const Frame& frame, const Aabb& box, double margin,
                         const NearTriangles& near) {
  near_.clear();
  numbers_.clear();
  const Vec3 center = frame.to_local(form.inner().center);
  const double reach = form.reach() + margin;
  for (const NearTriangles::Item& item : near.items) {
    const Triangle& t = item.corners;
    if (std::fabs(dot(item.normal, center - t.a)) > reach || !overlaps(bounds(t), box)) continue;
    near_.push_back({{frame.to_world(t.a), frame.to_world(t.b), frame.to_world(t.c)},
                     frame.direction_to_world(item.normal)});
    numbers_.push_back(item.number);
  }
}

void MeshContacts::record(std::uint32_t at, std::vector<Touch>& list) {
  Touch t{at, meeting_.normal(), meeting_.gap(), points_.size(), meeting_.points().size(), false};
  for (MeetingPoint p : meeting_.points()) {
    p.id ^= std::uint64_t{numbers_[at]} << 34;
    points_.push_back(p);
  }
  list.push_back(t);
}

/// In the middle of what the triangle has nearest along the normal, and not where that ends.
bool MeshContacts::leads_out(const Touch& touch) const {
  const Vec3 d = -touch.normal;
  double most = -INFINITY, count = 0;
  Vec3 p{};
  for (std::size_t i = 0; i < touch.count; ++i)
    most = std::max(most, dot(d, points_[touch.first + i].on_b));
  for (std::size_t i = 0; i < touch.count; ++i) {
    const Vec3& q = points_[touch.first + i].on_b;
    if (dot(d, q) < most - same_point * size_) continue;
    p += q;
    ++count;
  }
  p = p / count;
  for (std::uint32_t k = 0; k < near_.size(); ++k) {
    if (k == touch.at) continue;
    const auto& c = near_[k].corners;
    const double reach = std::max({dot(d, c[0] - p), dot(d, c[1] - p), dot(d, c[2] - p)});
    if (!(reach > rising * size_)) continue;
    if (std::fabs(dot(near_[k].normal, c[0] - p)) > on_triangle * size_) continue;
    if (closest_point(p, Triangle{c[0], c[1], c[2]}).distance <= on_triangle * size_) return false;
  }
  return true;
}

void MeshContacts::look_at(const ConvexForm& form, std::uint32_t at, double margin) {
  const PlacedTriangle& t = near_[at];
  const bool above = dot(t.normal, form.inner().center - t.corners[0]) >= 0;
  const Vec3 down = above ? -t.normal : t.normal;
  if (!meeting_.find(form, t, margin, down)) return;
  std::vector<Touch>* list = &touches_;
  record(at, *list);
  const Touch found = touches_.back();
  if (std::fabs(dot(found.normal, t.normal)) > own_normal || leads_out(found)) return;
  touches_.pop_back();
  if (meeting_.find_along(form, t, margin, down))
    record(at, touches_);
  else
    refused_.push_back(found);
}

/// All that agrees with the first and has no patch yet.
void MeshContacts::gather_patch(const Touch& first, double same) {
  const Vec3 n = first.normal;
  merged_.clear();
  for (Touch& t : touches_) {
    if (t.taken || !(dot(t.normal, n) >= agreeing)) continue;
    t.taken = true;
    for (std::size_t i = 0; i < t.count; ++i) {
      MeetingPoint p = points_[t.first + i];
      p.separation = dot(n, p.on_b - p.on_a);
      p.on_b = p.on_a + n * p.separation;
      const auto known = std::find_if(merged_.begin(), merged_.end(), [&](const MeetingPoint& q) {
        return max_abs(q.on_a - p.on_a) <= same;
      });
      if (known == merged_.end())
        merged_.push_back(p);
      else if (p.separation < known->separation)
        *known = p;
    }
  }
  MeshPatch patch;
  patch.normal = n;
  const Vec3 u = perpendicular(n), v = cross(n, u);
  spots_.clear();
  for (const MeetingPoint& p : merged_)
    spots_.push_back({dot(u, p.on_a), dot(v, p.on_a), p.separation, p.id});
  const FourSpots four = choose_four(spots_, same);
  patch.count = four.count;
  for (std::size_t i = 0; i < static_cast<std::size_t>(four.count); ++i)
    patch.points[i] = merged_[four.index[i]];
  patches_.push_back(patch);
}

void MeshContacts::find(const ConvexForm& form, const Shape& surface, const Frame& surface_in_form,
                        double margin, NearTriangles& near) {
  size_ = form.size();
  patches_.clear();
  touches_.clear();
  refused_.clear();
  points_.clear();
  const Aabb box = grown(box_in(surface_in_form, form), margin + on_triangle * size_);
  if (near.surface != surface.id() || !holds(near.box, box)) gather(surface, box, near);
  clear_ = margin;
  if (near.items.empty()) {
    clear_ += distance_from(surface, box, 1e3 * size_);
    return;
  }
  place(form, surface_in_form, box, margin, near);
  for (std::uint32_t i = 0; i < near_.size(); ++i) look_at(form, i, margin);
  std::stable_sort(touches_.begin(), touches_.end(),
                   [](const Touch& x, const Touch& y) { return x.gap < y.gap; });
  // What overlaps has a contact.
  if (touches_.empty()) {
    const auto deepest =
        std::min_element(refused_.begin(), refused_.end(),
                         [](const Touch& x, const Touch& y) { return x.gap < y.gap; });
    if (deepest != refused_.end() && deepest->gap <= 0) touches_.push_back(*deepest);
  }
  for (std::size_t i = 0; i < touches_.size(); ++i)
    if (!touches_[i].taken) gather_patch(Touch{touches_[i]}, same_point * size_);
}

} // namespace carom
