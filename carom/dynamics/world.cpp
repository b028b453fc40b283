#include "carom/dynamics/world.h"

#include "carom/math/random.h"
#include "carom/shape/support.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace carom {
namespace {

WorldOptions in_range(WorldOptions options) {
  const auto positive = [](double x, double otherwise) {
    return x > 0 && x < 1e15 ? x : otherwise;
  };
  const auto not_negative = [](double x, double otherwise) {
    return x >= 0 && x < 1e15 ? x : otherwise;
  };
  const WorldOptions usual;
  options.margin = positive(options.margin, usual.margin);
  options.solver.sub_steps = std::clamp(options.solver.sub_steps, 1, 1000);
  options.solver.contact_frequency =
      positive(options.solver.contact_frequency, usual.solver.contact_frequency);
  options.solver.contact_damping =
      not_negative(options.solver.contact_damping, usual.solver.contact_damping);
  options.solver.rest_depth = positive(options.solver.rest_depth, usual.solver.rest_depth);
  options.solver.push_speed = not_negative(options.solver.push_speed, usual.solver.push_speed);
  options.solver.bounce_threshold =
      not_negative(options.solver.bounce_threshold, usual.solver.bounce_threshold);
  options.sleep.speed = not_negative(options.sleep.speed, usual.sleep.speed);
  options.sleep.time = not_negative(options.sleep.time, usual.sleep.time);
  if (!is_speed(options.gravity)) options.gravity = usual.gravity;
  return options;
}

tl::unexpected<WorldError> out_of_range() { return tl::unexpected(WorldError::out_of_range); }

/// Impulses and forces: what they make of a velocity is looked at in the step.
bool is_force(const Vec3& v) { return max_abs(v) <= 1e30 && is_finite(v); }

bool in_tree(const Body& body) { return body.kind != BodyKind::fixed; }

} // namespace

World::World(const WorldOptions& options)
    : options_(in_range(options)), broad_phase_(options_.margin) {}

namespace {

Aabb bounds_of(const ConvexForm& form, const Frame& frame) {
  const Aabb box = form.bounds(transpose(frame.basis));
  return {box.min + frame.origin, box.max + frame.origin};
}

} // namespace

double World::ahead_of(const PlacedShape& shape, const Body& body) const {
  return options_.margin + std::min(length(body.velocity) * last_time_, 0.5 * shape.half_width);
}

/// The space that a shape may need within a step: what touches it then is a pair before.
Aabb World::box_of(std::uint32_t i, const Body& body) {
  const PlacedShape& shape = bodies_.shape(i);
  const ConvexForm* form = narrow_phase_.forms().of(i, shape.def.shape);
  const Aabb box = form ? bounds_of(*form, shape.frame) : bounds(shape.def.shape, shape.world);
  if (body.kind == BodyKind::fixed) return box;
  const double ahead = ahead_of(shape, body);
  const Vec3 grow{ahead, ahead, ahead};
  return {box.min - grow, box.max + grow};
}

void World::update_boxes(std::uint32_t slot, const Vec3& displacement) {
  const Body& body = bodies_[slot];
  for (const std::uint32_t i : body.shapes) {
    const PlacedShape& s = bodies_.shape(i);
    broad_phase_.move(s.box, box_of(i, body), displacement, in_tree(body));
    forget_room(i);
  }
}

WorldResult<std::uint32_t> World::to_change(BodyId id) const {
  if (busy_) return tl::unexpected(WorldError::busy);
  const std::uint32_t slot = bodies_.find(id);
  if (slot == no_index) return tl::unexpected(WorldError::stale_id);
  return slot;
}

Result<BodyId> World::add(const BodyDef& def) {
  if (busy_) return failure(ErrorCode::out_of_range, "a body cannot be added from inside a step");
  const std::size_t boxes = def.shapes.size() + (def.shape ? 1 : 0);
  if (broad_phase_.tree(def.kind != BodyKind::fixed).size() + boxes > DynamicTree::max_boxes)
    return failure(ErrorCode::out_of_range,
                   "a world has at most 2^28 shapes that move, and as many that are fixed");
  Result<BodyId> id = bodies_.add(def);
  if (!id) return id;
  const Body& body = bodies_[id->slot];
  for (const std::uint32_t i : body.shapes) {
    PlacedShape& s = bodies_.shape(i);
    s.box = broad_phase_.add(i, box_of(i, body), in_tree(body));
    forget_room(i);
  }
  moving_targets_ += moving_targets_of(bodies_, body);
  if (def.kind == BodyKind::kinematic || (def.kind == BodyKind::dynamic && def.awake))
    activate(id->slot);
  return id;
}

WorldResult<void> World::remove(BodyId id) {
  const WorldResult<std::uint32_t> found = to_change(id);
  if (!found) return tl::unexpected(found.error());
  const std::uint32_t slot = *found;
  wake_touched(slot);
  while (bodies_[slot].first_contact != no_index) {
    end_contact(bodies_[slot].first_contact);
    pairs_.remove(bodies_, bodies_[slot].first_contact);
  }
  while (bodies_[slot].first_joint != no_index) joints_.remove(bodies_, bodies_[slot].first_joint);
  for (const std::uint32_t i : bodies_[slot].shapes)
    broad_phase_.remove(bodies_.shape(i).box, in_tree(bodies_[slot]));
  moving_targets_ -= moving_targets_of(bodies_, bodies_[slot]);
  deactivate(slot);
  bodies_.remove(slot);
  return {};
}

// --- Awake and asleep

void World::activate(std::uint32_t slot) {
  Body& body = bodies_[slot];
  if (body.active_at != no_index) return;
  body.active_at = static_cast<std::uint32_t>(active_.size());
  active_.push_back(slot);
  body.rest_time = 0;
  for (std::uint32_t p = body.first_contact; p != no_index; p = pairs_.next_of(p, slot))
    pairs_.activate(p);
}

/// Pairs of which no body is active any more are not, either.
void World::deactivate(std::uint32_t slot) {
  Body& body = bodies_[slot];
  if (body.active_at == no_index) return;
  active_[body.active_at] = active_.back();
  bodies_[active_[body.active_at]].active_at = body.active_at;
  active_.pop_back();
  body.active_at = no_index;
  bodies_.travel(slot).moves_far = false;
  for (std::uint32_t p = body.first_contact; p != no_index; p = pairs_.next_of(p, slot)) {
    const PairRecord& pair = pairs_[p];
    const std::uint32_t other = pair.body_a == slot ? pair.body_b : pair.body_a;
    if (bodies_[other].active_at == no_index) pairs_.deactivate(p);
  }
}

void World::wake_slot(std::uint32_t slot) {
  const Body& body = bodies_[slot];
  if (!body.movable() || body.active_at != no_index) return;
  for (const std::uint32_t s : islands_.find_around(bodies_, pairs_, joints_, slot, false)) {
    activate(s);
    next_events_.sleeps.push_back({bodies_.id_of(s), true});
  }
}

void World::wake_touched(std::uint32_t slot) {
  for (std::uint32_t p = bodies_[slot].first_contact; p != no_index; p = pairs_.next_of(p, slot))
    if (pair_carries(pairs_, pairs_[p]))
      wake_slot(pairs_[p].body_a == slot ? pairs_[p].body_b : pairs_[p].body_a);
  for (std::uint32_t j = bodies_[slot].first_joint; j != no_index; j = joints_.next_of(j, slot))
    if (joints_.other_of(j, slot) != no_index) wake_slot(joints_.other_of(j, slot));
}

WorldResult<void> World::wake(BodyId id) {
  const WorldResult<std::uint32_t> found = to_change(id);
  if (!found) return tl::unexpected(found.error());
  const std::uint32_t slot = *found;
  wake_slot(slot);
  return {};
}

// --- Asking

WorldResult<BodyInfo> World::body(BodyId id) const {
  const std::uint32_t slot = bodies_.find(id);
  if (slot == no_index) return tl::unexpected(WorldError::stale_id);
  const Body& b = bodies_[slot];
  BodyInfo info;
  info.kind = b.kind;
  info.pose = b.pose;
  info.velocity = b.velocity;
  info.angular_velocity = b.angular_velocity;
  info.center = b.frame.origin;
  info.mass = b.mass;
  info.inertia = b.frame.basis * b.inertia * transpose(b.frame.basis);
  info.awake = b.active_at != no_index;
  info.frozen = b.frozen;
  info.user = b.user;
  return info;
}

WorldResult<Pose> World::pose(BodyId id) const {
  const std::uint32_t slot = bodies_.find(id);
  if (slot == no_index) return tl::unexpected(WorldError::stale_id);
  return bodies_[slot].pose;
}

std::uint64_t World::hash() const {
  std::uint64_t h = 0;
  const auto add = [&](double x) { h = mix_bits(h, std::bit_cast<std::uint64_t>(x)); };
  for (std::uint32_t i = 0; i < bodies_.slots(); ++i) {
    const Body& b = bodies_[i];
    if (!b.exists) continue;
    for (int k = 0; k < 3; ++k) {
      add(b.pose.position[k]);
      add(b.velocity[k]);
      add(b.angular_velocity[k]);
    }
    for (const double x :
         {b.pose.rotation.x, b.pose.rotation.y, b.pose.rotation.z, b.pose.rotation.w})
      add(x);
  }
  for (std::uint32_t i = 0; i < joints_.slots(); ++i) {
    if (!joints_[i].exists) continue;
    add(joints_[i].twist);
    for (const auto& slot : joints_[i].impulse)
      for (const float x : slot) add(static_cast<double>(x));
  }
  return h;
}

// --- Changing

WorldResult<void> World::set_pose(BodyId id, const Pose& pose) {
  const WorldResult<std::uint32_t> found = to_change(id);
  if (!found) return tl::unexpected(found.error());
  const std::uint32_t slot = *found;
  if (!is_position(pose.position) || !is_rotation(pose.rotation)) return out_of_range();
  wake_touched(slot);
  bodies_.place(slot, pose);
  pairs_.forget(bodies_, slot);
  bodies_[slot].frozen = false;
  wake_slot(slot);
  update_boxes(slot, {});
  return {};
}

WorldResult<void> World::set_velocity(BodyId id, const Vec3& velocity,
                                      const Vec3& angular_velocity) {
  const WorldResult<std::uint32_t> found = to_change(id);
  if (!found) return tl::unexpected(found.error());
  const std::uint32_t slot = *found;
  if (!is_speed(velocity) || !is_speed(angular_velocity)) return out_of_range();
  Body& body = bodies_[slot];
  if (body.kind == BodyKind::fixed) return {};
  if (body.kind == BodyKind::kinematic &&
      (body.velocity != velocity || body.angular_velocity != angular_velocity))
    wake_touched(slot);
  body.frozen = false;
  body.velocity = velocity;
  body.angular_velocity = angular_velocity;
  wake_slot(slot);
  return {};
}

WorldResult<void> World::add_force(BodyId id, const Vec3& force, const Vec3& point) {
  const WorldResult<std::uint32_t> found = to_change(id);
  if (!found) return tl::unexpected(found.error());
  const std::uint32_t slot = *found;
  if (!is_force(force) || !is_position(point)) return out_of_range();
  Body& body = bodies_[slot];
  if (!body.movable()) return {};
  body.force += force;
  body.torque += cross(point - body.frame.origin, force);
  wake_slot(slot);
  return {};
}

WorldResult<void> World::add_force(BodyId id, const Vec3& force) {
  const std::uint32_t slot = bodies_.find(id);
  return add_force(id, force, slot == no_index ? Vec3{} : bodies_[slot].frame.origin);
}

WorldResult<void> World::add_torque(BodyId id, const Vec3& torque) {
  const WorldResult<std::uint32_t> found = to_change(id);
  if (!found) return tl::unexpected(found.error());
  const std::uint32_t slot = *found;
  if (!is_force(torque)) return out_of_range();
  if (!bodies_[slot].movable()) return {};
  bodies_[slot].torque += torque;
  wake_slot(slot);
  return {};
}

WorldResult<void> World::add_impulse(BodyId id, const Vec3& impulse, const Vec3& point) {
  const WorldResult<std::uint32_t> found = to_change(id);
  if (!found) return tl::unexpected(found.error());
  const std::uint32_t slot = *found;
  if (!is_force(impulse) || !is_position(point)) return out_of_range();
  Body& body = bodies_[slot];
  if (!body.movable()) return {};
  body.velocity += impulse * body.inverse_mass;
  return add_angular_impulse(id, cross(point - body.frame.origin, impulse));
}

WorldResult<void> World::add_impulse(BodyId id, const Vec3& impulse) {
  const std::uint32_t slot = bodies_.find(id);
  return add_impulse(id, impulse, slot == no_index ? Vec3{} : bodies_[slot].frame.origin);
}

WorldResult<void> World::add_angular_impulse(BodyId id, const Vec3& impulse) {
  const WorldResult<std::uint32_t> found = to_change(id);
  if (!found) return tl::unexpected(found.error());
  const std::uint32_t slot = *found;
  if (!(max_abs(impulse) < 1e100) || !is_finite(impulse)) return out_of_range();
  Body& body = bodies_[slot];
  if (!body.movable()) return {};
  const Mat3& r = body.frame.basis;
  body.angular_velocity += r * (body.inverse_inertia * transpose_mul(r, impulse));
  wake_slot(slot);
  return {};
}

WorldResult<void> World::set_gravity(const Vec3& gravity) {
  if (busy_) return tl::unexpected(WorldError::busy);
  if (!is_speed(gravity)) return out_of_range();
  options_.gravity = gravity;
  for (std::uint32_t i = 0; i < bodies_.slots(); ++i)
    if (bodies_[i].exists) wake_slot(i);
  return {};
}

} // namespace carom
