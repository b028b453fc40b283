// Each triangle is met on its own, and then asked whether its normal is one of the whole surface. At an edge, a triangle alone has normals all around; in a floor, the only way out is up. The rule needs no adjacency: a
// direction d leads out of the surface at its point p where no triangle that has p reaches beyond the plane through p at right angles to d. So it is for a ridge between the normals of its two sides, for an edge
// in a flat only along the normal, for a valley never; alike for shared vertices, soups and T-junctions. Where the direction does not lead out, the triangle's own normal is taken, with those points that face
// the triangle along it; mostly there is none, and another triangle has it.
//
// Triangles whose normals agree to within 5 degrees make one patch, of at most four points.
#include "carom/dynamics/mesh_contacts.h"

#include "carom/dynamics/convex_axis.h"
#include "carom/geometry/closest_point.h"
#include "carom/geometry/overlap_box.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

namespace carom {
namespace {

constexpr double agreeing = 0.9962;    // cosine of 5 degrees
constexpr double own_normal = 0.99999; // of a triangle
constexpr double slack_part =
    0.15; // of a form's size: so far it may go until triangles are gathered anew
constexpr double steps_ahead = 2.25; // and so many steps along its way
constexpr double far_ahead =
    1; // but of a form's size no more than that: there are ever more triangles
constexpr double on_triangle = 1e-6; // of the size: a point that near belongs to a triangle
constexpr double rising = 1e-4;      // sine: what rises less is flat
constexpr double same_point = 1e-3;  // of the size

Aabb grown(const Aabb& box, double by) {
  const Vec3 d{by, by, by};
  return {box.min - d, box.max + d};
}

/// How far a box is from the sides of one that it is in.
double within(const Aabb& outer, const Aabb& inner) {
  const Vec3 low = inner.min - outer.min, high = outer.max - inner.max;
  return std::min({low.x, low.y, low.z, high.x, high.y, high.z});
}

/// How far two boxes are apart, at least; negative where they meet.
double between(const Aabb& a, const Aabb& b) {
  const Vec3 low = b.min - a.max, high = a.min - b.max;
  return std::max({low.x, low.y, low.z, high.x, high.y, high.z});
}

/// Without branches, of which the first two would be guessed wrong half of the time.
bool all_within(const Vec3& v, double limit) {
  return (std::fabs(v.x) <= limit) & (std::fabs(v.y) <= limit) & (std::fabs(v.z) <= limit);
}

/// The number of a triangle that is in a group.
std::uint32_t number_of(const SurfaceGroup& group, std::uint32_t item) {
  return group.items[item % 8];
}

} // namespace

void MeshContacts::place_points(const ConvexForm& form, const Frame& surface_in_form) {
  frame_ = surface_in_form;
  center_ = frame_.to_local(form.inner().center);
  box_ = Aabb{};
  const std::span<const Vec3> from = form.vertices();
  for (std::size_t i = 0; i < from.size(); ++i) {
    vertices_[i] = frame_.to_local(from[i]);
    box_.min = min(box_.min, vertices_[i]);
    box_.max = max(box_.max, vertices_[i]);
  }
}

void MeshContacts::gather(const Shape& surface, const SurfaceForm* known, const Aabb& box,
                          const Vec3& step_way, NearTriangles& near) {
  const double far = steps_ahead * length(step_way), most = far_ahead * size_;
  const Vec3 ahead =
      far > slack_part * size_ ? step_way * (steps_ahead * std::min(1.0, most / far)) : Vec3{};
  near.surface = surface.id();
  near.known = known;
  near.box =
      grown({min(box.min, box.min + ahead), max(box.max, box.max + ahead)}, slack_part * size_);
  if (known != nullptr) {
    find_leaves(surface, near.box, near.groups);
  } else {
    find_triangles(surface, near.box, found_);
    gathered_.clear();
    for (const std::uint32_t i : found_) gathered_.push_back({i, triangles_[i]});
    near.own.make(gathered_, near.box);
    near.groups.resize(near.own.groups().size());
    std::iota(near.groups.begin(), near.groups.end(), 0U);
  }
  const std::span<const SurfaceGroup> groups = near.form().groups();
  std::erase_if(near.groups,
                [&](std::uint32_t g) { return !overlaps(groups[g].bounds, near.box); });
  near.slack = measuring_slack(near.form(), near.groups, near.box);
}

/// The sides across which the direction from what is nearest may lead out. Along directions that turn from one triangle's normal to the other's, about the side between them, the gap of the form grows at first where its tip is beyond that side. It is greatest on the way, on
/// the ridge, where that is so from both ends; else it is for the other triangle alone.
MeshContacts::Ridges MeshContacts::ridges(const NearTriangles& near, std::size_t i) const {
  const SurfaceGroup& group = near.form().groups()[groups_[i]];
  const SurfaceBits& own = bits_[i];
  Ridges found;
  std::uint32_t left = 0; // eight bits for each side
  for (std::size_t k = 0; k < 3; ++k) {
    found.sides[k] = own.in_reach & own.tip[k] & own.falls_off[k];
    left |= (found.sides[k] & ~std::uint32_t{group.ending[k]}) << 8 * k;
  }
  // What is found is anybody's guess, so there are no branches.
  for (; left != 0; left &= left - 1) {
    const auto bit = static_cast<std::uint32_t>(std::countr_zero(left)), lane = bit % 8;
    const std::uint32_t next = group.sides[bit / 8].next[lane];
    std::size_t at = groups_.size(); // where it is out of reach
    for (std::size_t g = 0; g < groups_.size(); ++g) at = groups_[g] == next / 32 ? g : at;
    const SurfaceBits& other = bits_[at];
    const std::uint32_t other_lane = next / 4 % 8;
    const std::uint32_t near_it = other.near >> other_lane & 1U;
    const std::uint32_t turned = (other.under >> other_lane ^ own.under >> lane) & 1U;
    const std::uint32_t tip_beyond = other.tip[next % 4] >> other_lane & 1U;
    found.others |= near_it << lane;
    found.sides[bit / 8] ^= (1 ^ (near_it & (turned | tip_beyond))) << lane;
  }
  return found;
}

/// By the planes of triangles, as choose() has measured them.
double MeshContacts::apart(const ConvexForm& form, const NearTriangles& near) const {
  double least = std::min(within(near.box, box_), beyond_); // from those that are not in reach
  for (std::size_t i = 0; i < groups_.size(); ++i)
    for (std::size_t lane = 0; lane < near.form().groups()[groups_[i]].count; ++lane)
      least = std::min(least,
                       double{std::max(gaps_[i].above[lane], gaps_[i].beside[lane])} - near.slack);
  return least - form.radius();
}

/// Those in reach, by what all points of the form are above and beside. Where all of the form is beside a triangle, beyond a side from which others go on without falling off, the way to it from what is nearest leads across that side, and
/// those are in the way.
void MeshContacts::choose(const ConvexForm& form, double margin, const NearTriangles& near) {
  near_.clear();
  items_.clear();
  open_sides_.clear();
  rest_.clear();
  doubtful_.clear();
  const double reach = margin + form.radius() + near.slack;
  take_groups(reach, near);
  EightPoints points;
  points.set(std::span(vertices_).first(form.vertices().size()), center_, near.box.center());
  gaps_.resize(eights_.size());
  measure(eights_, points, gaps_.data());
  bits_.assign(eights_.size() + 1, {});
  const SurfaceLimits limits(reach, form.radius() + near.slack, near.slack, flat_);
  sieve(near.form().groups(), groups_, gaps_, limits, bits_.data());
  for (std::uint32_t i = 0; i < groups_.size(); ++i) choose_of(near, i);
}

void MeshContacts::take_groups(double reach, const NearTriangles& near) {
  groups_.clear();
  eights_.clear();
  beyond_ = INFINITY;
  const Vec3 middle = near.box.center();
  for (const std::uint32_t g : near.groups) {
    const SurfaceGroup& group = near.form().groups()[g];
    if (const double apart = between(group.bounds, box_); apart > reach) {
      beyond_ = std::min(beyond_, apart);
      continue;
    }
    groups_.push_back(g);
    eights_.emplace_back(group.planes, group.center, middle);
  }
}

void MeshContacts::choose_of(const NearTriangles& near, std::uint32_t i) {
  const SurfaceGroup& group = near.form().groups()[groups_[i]];
  const SurfaceBits& bits = bits_[i];
  const Ridges found = ridges(near, i);
  const std::uint32_t open = found.sides[0] | found.sides[1] | found.sides[2];
  const std::uint32_t doubtful = found.others & ~open;
  std::uint32_t beyond = 0, beyond_closed = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    // Beyond a wide corner, what is nearest may be on the next side.
    const std::uint32_t wide = std::uint32_t{group.wide[k]} | group.wide[(k + 1) % 3];
    beyond |= bits.beyond[k];
    beyond_closed |= bits.beyond[k] & ~(wide | bits.falls_off[k]);
  }
  // Where a ridge is in reach, sides count that are closed.
  const std::uint32_t across = (beyond_closed & open) | (beyond & ~open);
  for (std::uint32_t left = bits.in_reach & ~across; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if ((doubtful >> lane & 1) != 0) doubtful_.push_back(static_cast<std::uint32_t>(near_.size()));
    const std::uint32_t sides = (found.sides[0] >> lane & 1) | (found.sides[1] >> lane & 1) << 1 |
                                (found.sides[2] >> lane & 1) << 2;
    place(near, 8 * i + static_cast<std::uint32_t>(lane), static_cast<std::uint8_t>(sides));
  }
  for (std::uint32_t left = bits.in_reach & across; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    rest_.push_back(
        {8 * i + static_cast<std::uint32_t>(lane), ((bits.touching | doubtful) >> lane & 1) != 0});
  }
}

void MeshContacts::place(const NearTriangles& near, std::uint32_t item, std::uint8_t open_sides) {
  const Triangle t = triangles_[number_of(near.form().groups()[groups_[item / 8]], item)];
  const Vec3 n = cross(t.b - t.a, t.c - t.a);
  near_.push_back({{frame_.to_world(t.a), frame_.to_world(t.b), frame_.to_world(t.c)},
                   frame_.direction_to_world(n / length(n))});
  items_.push_back(item);
  open_sides_.push_back(open_sides);
}

void MeshContacts::place_rest(const NearTriangles& near) {
  for (const Rest& r : rest_) {
    if (r.doubtful) doubtful_.push_back(static_cast<std::uint32_t>(near_.size()));
    place(near, r.item, 0);
  }
  rest_.clear();
}

void MeshContacts::record(std::uint32_t at, const NearTriangles& near, std::vector<Touch>& list) {
  Touch t{at, meeting_.normal(), meeting_.gap(), points_.size(), meeting_.points().size(), false};
  const std::uint32_t number = number_of(near.form().groups()[groups_[items_[at] / 8]], items_[at]);
  for (MeetingPoint p : meeting_.points()) {
    p.id ^= std::uint64_t{number} << 34;
    points_.push_back(p);
  }
  list.push_back(t);
}

/// From the form's side of the triangle to the other.
Vec3 MeshContacts::down_from(const ConvexForm& form, const PlacedTriangle& t) {
  return dot(t.normal, form.inner().center - t.corners[0]) >= 0 ? -t.normal : t.normal;
}

/// The middle of what the triangle has farthest along d.
Vec3 MeshContacts::middle_along(const Touch& touch, const Vec3& d) const {
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
  return p / count;
}

/// Whether a point, in the surface's frame, may be in a triangle's plane.
bool MeshContacts::may_have(const Vec3& p, std::uint32_t item, const NearTriangles& near) const {
  const SurfaceGroup& group = near.form().groups()[groups_[item / 8]];
  const TriangleEight::Plane& plane = group.planes.own;
  const std::size_t lane = item % 8;
  const Vec3 normal{double{plane.x[lane]}, double{plane.y[lane]}, double{plane.z[lane]}};
  const double off = std::fabs(dot(normal, p - group.center) - double{plane.offset[lane]});
  return off <= on_triangle * size_ + near.slack;
}

/// In the middle of what the triangle has nearest along the normal, and not where that ends.
bool MeshContacts::leads_out(const Touch& touch, const NearTriangles& near) {
  const Vec3 d = -touch.normal, p = middle_along(touch, d), in_surface = frame_.to_local(p);
  if (std::any_of(rest_.begin(), rest_.end(),
                  [&](const Rest& r) { return may_have(in_surface, r.item, near); }))
    place_rest(near);
  for (std::uint32_t k = 0; k < near_.size(); ++k) {
    if (k == touch.at) continue;
    const auto& c = near_[k].corners;
    const double reach = std::max({dot(d, c[0] - p), dot(d, c[1] - p), dot(d, c[2] - p)});
    const double off = std::fabs(dot(near_[k].normal, c[0] - p));
    if (!((reach > rising * size_) & (off <= on_triangle * size_))) continue;
    if (closest_point(p, Triangle{c[0], c[1], c[2]}).distance <= on_triangle * size_) return false;
  }
  return true;
}

void MeshContacts::look_all_around(const ConvexForm& form, std::uint32_t at, double margin,
                                   const NearTriangles& near) {
  const Vec3 down = down_from(form, near_[at]);
  if (!meeting_.find(form, near_[at], margin, down)) return;
  record(at, near, touches_);
  const Touch found = touches_.back();
  if (std::fabs(dot(found.normal, down)) > own_normal || leads_out(found, near)) return;
  touches_.pop_back();
  if (meeting_.find_along(form, near_[at], margin, down))
    record(at, near, touches_);
  else
    refused_.push_back(found);
}

/// Where the tip is above the triangle, or a ridge is near, all directions count; else only the triangle's own.
void MeshContacts::look_at(const ConvexForm& form, std::uint32_t at, double margin,
                           const NearTriangles& near) {
  const PlacedTriangle& t = near_[at];
  if (open_sides_[at] != 0) return look_all_around(form, at, margin, near);
  if (form.dimension() == 3 &&
      form.beyond_faces(t.corners) - form.radius() - 1e-6 * (size_ + near.slack) > margin)
    return;
  if (meeting_.find_along(form, t, margin, down_from(form, t)))
    record(at, near, touches_);
  else if (meeting_.gap() <= 0 &&
           std::find(doubtful_.begin(), doubtful_.end(), at) == doubtful_.end())
    doubtful_.push_back(at);
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
      std::size_t known = merged_.size(); // or the first that is in the same place
      for (std::size_t k = known; k-- > 0;)
        known = all_within(merged_[k].on_a - p.on_a, same) ? k : known;
      if (known == merged_.size())
        merged_.push_back(p);
      else if (p.separation < merged_[known].separation)
        merged_[known] = p;
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
                        double margin, NearTriangles& near, const Vec3& step_way,
                        const SurfaceForm* known) {
  size_ = form.size();
  flat_ = static_cast<float>(rising * size_);
  triangles_ = SurfaceTriangles(surface);
  patches_.clear();
  touches_.clear();
  refused_.clear();
  points_.clear();
  place_points(form, surface_in_form);
  const Aabb box = grown(box_, form.radius() + margin + on_triangle * size_);
  if (near.surface != surface.id() || near.known != known || !holds(near.box, box))
    gather(surface, known, box, step_way, near);
  clear_ = margin;
  if (near.groups.empty()) {
    clear_ += distance_from(surface, box, 1e3 * size_);
    return;
  }
  choose(form, margin, near);
  const std::size_t count = near_.size();
  for (std::uint32_t i = 0; i < count; ++i) look_at(form, i, margin, near);
  if (touches_.empty()) {
    place_rest(near);
    const std::vector<std::uint32_t>& again = doubtful_;
    for (std::size_t i = 0; i < again.size(); ++i) look_all_around(form, again[i], margin, near);
  }
  std::sort(touches_.begin(), touches_.end(), [](const Touch& x, const Touch& y) {
    return std::tuple(x.gap, x.first, x.at) < std::tuple(y.gap, y.first, y.at);
  });
  // What overlaps has a contact.
  if (touches_.empty()) {
    const auto deepest =
        std::min_element(refused_.begin(), refused_.end(),
                         [](const Touch& x, const Touch& y) { return x.gap < y.gap; });
    if (deepest != refused_.end() && deepest->gap <= 0) touches_.push_back(*deepest);
  }
  if (touches_.empty()) clear_ = std::max(margin, apart(form, near));
  for (std::size_t i = 0; i < touches_.size(); ++i)
    if (!touches_[i].taken) gather_patch(Touch{touches_[i]}, same_point * size_);
}

} // namespace carom
