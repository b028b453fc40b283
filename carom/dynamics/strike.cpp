// Gauss-Seidel over the points: each impulse brings its point to the speed wanted, none pulls, and friction is bounded by what its point carries. Few points, a dozen rounds.
#include "carom/dynamics/strike.h"

#include "carom/dynamics/surface_triangles.h"
#include "carom/query/contact_patches.h"
#include "carom/query/contacts.h"
#include "carom/query/distance.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace carom {
namespace {

constexpr int rounds = 12;
constexpr double near_part = 0.25; // of the margin: points so near are of the collision

using Point = StrikeScratch::Point;

class Struck {
public:
  Struck(const Body& body, StruckBody& state)
      : state_(state), inverse_mass_(body.inverse_mass),
        inverse_inertia_(state.frame.basis * body.inverse_inertia * transpose(state.frame.basis)),
        inertia_(state.frame.basis * body.inertia * transpose(state.frame.basis)),
        mass_(body.mass) {}

  [[nodiscard]] Vec3 speed(const Point& p) const {
    return state_.velocity + cross(state_.spin, p.arm) - p.wall;
  }
  /// The impulse along a direction that changes the speed along it by 1.
  [[nodiscard]] double mass_along(const Point& p, const Vec3& d) const {
    const Vec3 turn = cross(p.arm, d);
    return 1 / (inverse_mass_ + dot(turn, inverse_inertia_ * turn));
  }
  void push(const Point& p, const Vec3& impulse) {
    state_.velocity += impulse * inverse_mass_;
    state_.spin += inverse_inertia_ * cross(p.arm, impulse);
  }
  /// Relative to a frame that moves at these velocities about the body's centre.
  [[nodiscard]] double energy(const Vec3& v, const Vec3& w) const {
    const Vec3 a = state_.velocity - v, b = state_.spin - w;
    return 0.5 * (mass_ * length_squared(a) + dot(b, inertia_ * b));
  }
  void shrink(const Vec3& v, const Vec3& w, double factor) {
    state_.velocity = v + (state_.velocity - v) * factor;
    state_.spin = w + (state_.spin - w) * factor;
  }

private:
  StruckBody& state_;
  double inverse_mass_;
  Mat3 inverse_inertia_, inertia_;
  double mass_;
};

void add_points(const ContactManifold& m, const Vec3& center, double near,
                std::vector<Point>& points) {
  for (int i = 0; i < m.count; ++i) {
    const Contact& c = m.points[static_cast<std::size_t>(i)];
    if (dot(c.on_b - c.on_a, m.normal) > near) continue;
    points.push_back({(c.on_a + c.on_b) * 0.5 - center, -m.normal});
  }
}

/// Of a form and a surface: those of the world's contacts, which need no memory.
void add_points(const ConvexForm& form, const Pose& at, const Shape& surface, const Pose& pose,
                double near, const Vec3& center, const SurfaceForm* known, StrikeScratch& scratch) {
  const Frame own = at.frame(), other = pose.frame();
  scratch.near.surface = 0;
  scratch.mesh_contacts.find(form, surface,
                             {transpose(own.basis) * other.basis, own.to_local(other.origin)}, near,
                             scratch.near, {}, known);
  for (const MeshPatch& patch : scratch.mesh_contacts.patches())
    for (std::size_t i = 0; i < static_cast<std::size_t>(patch.count); ++i) {
      const MeetingPoint& p = patch.points[i];
      if (p.separation > near) continue;
      scratch.points.push_back(
          {own.to_world((p.on_a + p.on_b) * 0.5) - center, -own.direction_to_world(patch.normal)});
    }
}

void find_points(const BodyStore& bodies, const FormStore& forms, std::uint32_t own,
                 std::uint32_t other, const Pose& pose, double near, const StruckBody& state,
                 StrikeScratch& scratch) {
  const PlacedShape &a = bodies.shape(own), &b = bodies.shape(other);
  const Body& body = bodies[a.body];
  const Quat turned = Quat::from_matrix(state.frame.basis);
  const Pose body_pose{turned, state.frame.origin - state.frame.basis * body.local_center};
  const Pose at = body_pose * a.def.pose;
  std::vector<Point>& points = scratch.points;
  points.clear();
  if (a.def.shape.convex() && b.def.shape.convex()) {
    add_points(contacts(a.def.shape, at, b.def.shape, pose, {.margin = near}), state.frame.origin,
               near, points);
    return;
  }
  if (const ConvexForm* form = forms.made(own); form != nullptr && is_surface(b.def.shape))
    return add_points(*form, at, b.def.shape, pose, near, state.frame.origin, forms.surface(other),
                      scratch);
  contact_patches(a.def.shape, at, b.def.shape, pose, scratch.patches, {.margin = near},
                  &scratch.contacts);
  for (const ContactPatch& p : scratch.patches)
    add_points(p.manifold, state.frame.origin, near, points);
  const Distance d = distance(a.def.shape, at, b.def.shape, pose);
  if (d.value > 0 && d.value <= near)
    points.push_back({(d.on_a + d.on_b) * 0.5 - state.frame.origin, -d.normal});
}

void solve_point(Struck& body, Point& p, double friction) {
  const double change = (p.wanted - dot(body.speed(p), p.normal)) * body.mass_along(p, p.normal);
  const double carried = std::max(0.0, p.carried + change);
  body.push(p, p.normal * (carried - p.carried));
  p.carried = carried;
  const Vec3 v = body.speed(p), along = v - p.normal * dot(v, p.normal);
  const double l = length(along);
  if (!(l > 0)) return;
  const Vec3 d = along / l;
  Vec3 dragged = p.dragged - d * (l * body.mass_along(p, d));
  const double most = friction * p.carried, size = length(dragged);
  if (size > most) dragged = size > 0 ? dragged * (most / size) : Vec3{};
  body.push(p, dragged - p.dragged);
  p.dragged = dragged;
}

StrikeTold told(const std::vector<Point>& points, const Vec3& center, double approach) {
  StrikeTold t;
  for (const Point& p : points) {
    t.impulse += p.carried;
    t.point += (center + p.arm) * p.carried;
    t.normal += p.normal * p.carried;
  }
  if (!(t.impulse > 0)) return {};
  t.point = t.point / t.impulse;
  t.normal = normalized(t.normal);
  t.approach = approach;
  return t;
}

} // namespace

StrikeTold strike(const BodyStore& bodies, const FormStore& forms, std::uint32_t own,
                  std::uint32_t other, const Pose& pose, const StrikeOptions& options,
                  StruckBody& state, StrikeScratch& scratch) {
  const PlacedShape &a = bodies.shape(own), &b = bodies.shape(other);
  const Body &body = bodies[a.body], &wall = bodies[b.body];
  const LockedAxes& l = body.locked;
  if (l.x || l.y || l.z || l.turn_x || l.turn_y || l.turn_z) return {};
  find_points(bodies, forms, own, other, pose, near_part * options.margin, state, scratch);
  std::vector<Point>& points = scratch.points;
  if (points.empty()) return {};
  const PairRecord pair = new_pair(bodies, std::min(own, other), std::max(own, other));
  Struck struck(body, state);
  const Vec3 wall_spin = wall.angular_velocity,
             wall_velocity =
                 wall.velocity + cross(wall_spin, state.frame.origin - wall.frame.origin);
  double fastest = 0;
  for (Point& p : points) {
    p.wall = wall_velocity + cross(wall_spin, p.arm);
    const double approach = -dot(struck.speed(p), p.normal);
    fastest = std::max(fastest, approach);
    p.wanted = approach > options.bounce_threshold ? pair.restitution * approach : 0;
  }
  const double before = struck.energy(wall_velocity, wall_spin);
  for (int i = 0; i < rounds; ++i)
    for (Point& p : points) solve_point(struck, p, pair.friction);
  const double after = struck.energy(wall_velocity, wall_spin);
  if (after > before) struck.shrink(wall_velocity, wall_spin, std::sqrt(before / after));
  return told(points, state.frame.origin, fastest);
}

} // namespace carom
