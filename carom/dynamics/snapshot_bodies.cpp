// Bodies, their shapes and their boxes in a snapshot. What follows from the rest is not written: frames, masses' inverses, where shapes are in the world.
#include "carom/dynamics/body_store.h"
#include "carom/dynamics/broad_phase.h"
#include "carom/dynamics/snapshot.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

bool is_unit(const Quat& q) { return std::fabs(length_squared(q) - 1) < 1e-6; } // false for NaN

bool is_plain(const Pose& pose) { return pose == Pose{}; }
bool is_plain(const Material& m) {
  const Material usual;
  return m.friction == usual.friction && m.restitution == usual.restitution &&
         m.rolling_friction == usual.rolling_friction &&
         m.surface_velocity == usual.surface_velocity;
}

void put_shape(SnapshotWriter& to, const PlacedShape& s) {
  const BodyShape& def = s.def;
  to.put(s.table);
  to.put_bits({def.sensor, is_plain(def.pose), is_plain(def.material), def.filter == Filter{}});
  to.put(def.density);
  if (!is_plain(def.pose)) {
    to.put(def.pose.rotation);
    to.put(def.pose.position);
  }
  if (!is_plain(def.material)) {
    to.put(def.material.friction);
    to.put(def.material.restitution);
    to.put(def.material.rolling_friction);
    to.put(def.material.surface_velocity);
  }
  if (!(def.filter == Filter{})) {
    to.put(def.filter.category);
    to.put(def.filter.mask);
    to.put(def.filter.group);
  }
}

BodyShape get_shape(SnapshotReader& from, const Shape& shape) {
  BodyShape def{.shape = shape};
  const auto bits = from.get<std::uint8_t>();
  def.sensor = (bits & 1) != 0;
  def.density = from.get_f64();
  if ((bits & 2) == 0) {
    def.pose.rotation = from.get_quat();
    def.pose.position = from.get_vec();
  }
  if ((bits & 4) == 0) {
    def.material.friction = from.get_f64();
    def.material.restitution = from.get_f64();
    def.material.rolling_friction = from.get_f64();
    def.material.surface_velocity = from.get_vec();
  }
  if ((bits & 8) == 0) {
    def.filter.category = from.get<std::uint64_t>();
    def.filter.mask = from.get<std::uint64_t>();
    def.filter.group = from.get<std::int32_t>();
  }
  return def;
}

bool has_forces(const Body& b) { return b.force != Vec3{} || b.torque != Vec3{}; }
bool is_tuned(const Body& b) {
  const LockedAxes& l = b.locked;
  return l.x || l.y || l.z || l.turn_x || l.turn_y || l.turn_z || b.linear_damping != 0 ||
         b.angular_damping != 0 || b.gravity_scale != 1 || b.user != 0;
}

void put_body(SnapshotWriter& to, const Body& b) {
  to.put(static_cast<std::uint8_t>(b.kind));
  to.put_bits({b.frozen, b.can_sleep, b.continuous, has_forces(b), is_tuned(b), b.burden > 1});
  to.put(b.pose.rotation);
  to.put(b.pose.position);
  to.put(b.frame.origin);
  to.put(b.local_center);
  if (b.kind != BodyKind::fixed) {
    to.put(b.velocity);
    to.put(b.angular_velocity);
    to.put(b.rest_time);
  }
  if (b.kind == BodyKind::dynamic) {
    const Mat3& m = b.inertia;
    for (const double x : {b.mass, m.x.x, m.y.y, m.z.z, m.x.y, m.y.z, m.z.x}) to.put(x);
  }
  if (has_forces(b)) {
    to.put(b.force);
    to.put(b.torque);
  }
  if (is_tuned(b)) {
    const LockedAxes& l = b.locked;
    to.put_bits({l.x, l.y, l.z, l.turn_x, l.turn_y, l.turn_z});
    for (const double x : {b.linear_damping, b.angular_damping, b.gravity_scale}) to.put(x);
    to.put(b.user);
  }
  if (b.burden > 1) to.put(double{b.burden});
}

/// All but its shapes.
void get_body(SnapshotReader& from, Body& b) {
  const auto kind = from.get<std::uint8_t>();
  const auto bits = from.get<std::uint8_t>();
  if (!from.need(kind <= 2)) return;
  b.exists = true;
  b.kind = static_cast<BodyKind>(kind);
  b.frozen = (bits & 1) != 0;
  b.can_sleep = (bits & 2) != 0;
  b.continuous = (bits & 4) != 0;
  b.pose.rotation = from.get_quat();
  b.pose.position = from.get_vec();
  b.frame.origin = from.get_vec();
  b.local_center = from.get_vec();
  if (b.kind != BodyKind::fixed) {
    b.velocity = from.get_vec();
    b.angular_velocity = from.get_vec();
    b.rest_time = from.get_f64();
  }
  if (b.kind == BodyKind::dynamic) {
    BodyMass m;
    m.mass = from.get_f64();
    m.center = b.local_center;
    double i[6];
    for (double& x : i) x = from.get_f64();
    m.inertia = {{i[0], i[3], i[5]}, {i[3], i[1], i[4]}, {i[5], i[4], i[2]}};
    if (from.need(from.ok() && check_mass(m).has_value())) set_mass(b, m);
  }
  if ((bits & 8) != 0) {
    b.force = from.get_vec();
    b.torque = from.get_vec();
  }
  if ((bits & 16) != 0) {
    const auto l = from.get<std::uint8_t>();
    b.locked = {(l & 1) != 0, (l & 2) != 0,  (l & 4) != 0,
                (l & 8) != 0, (l & 16) != 0, (l & 32) != 0};
    b.linear_damping = from.get_f64();
    b.angular_damping = from.get_f64();
    b.gravity_scale = from.get_f64();
    b.user = from.get<std::uint64_t>();
  }
  // A body's origin and its centre may be on different sides of the border.
  const auto is_near = [](const Vec3& p) {
    return max_abs(p) <= 4 * farthest_position && is_finite(p);
  };
  from.need(is_unit(b.pose.rotation) && is_near(b.pose.position) && is_near(b.frame.origin) &&
            is_position(b.local_center) && is_finite(b.velocity) && is_finite(b.angular_velocity) &&
            is_finite(b.force) && is_finite(b.torque) && b.rest_time >= 0 &&
            b.linear_damping >= 0 && b.angular_damping >= 0 && std::fabs(b.gravity_scale) <= 1e15);
  b.frame.basis = to_matrix(b.pose.rotation);
  if ((bits & 32) != 0) {
    b.burden = static_cast<float>(from.get_f64());
    from.need(b.burden > 1 && b.burden < INFINITY);
  }
}

} // namespace

/// First how many shapes are known, and fingerprints of those in use, so that a foreign table is found out.
void BodyStore::save(SnapshotWriter& to) const {
  std::vector<std::uint32_t> used;
  for (std::uint32_t i = 0; i < shapes_.size(); ++i)
    if (shapes_[i]) used.push_back(shapes_[i]->table);
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  to.put(used);
  for (const std::uint32_t i : used) to.put(table_.fingerprint(i));
  to.put(bodies_.size());
  to.put(shapes_.size());
  to.put(free_bodies_);
  to.put(free_shapes_);
  for (std::uint32_t slot = 0; slot < bodies_.size(); ++slot) {
    const Body& b = bodies_[slot];
    to.put(b.generation);
    to.put(static_cast<std::uint8_t>(b.exists));
    if (!b.exists) continue;
    put_body(to, b);
    to.put(b.shapes);
    for (const std::uint32_t i : b.shapes) put_shape(to, *shapes_[i]);
  }
}

bool BodyStore::load(SnapshotReader& from, const ShapeTable& table) {
  table_ = table;
  const std::vector<std::uint32_t> used = from.get_list(no_index);
  for (const std::uint32_t i : used) {
    const auto print = from.get<std::uint64_t>();
    if (!from.need(table_.find(i) != nullptr && table_.fingerprint(i) == print)) return false;
  }
  const std::uint32_t slots = from.get_count(5);
  const std::uint32_t shape_slots = from.get_count(4); // used or in the list of free ones
  free_bodies_ = from.get_list(slots);
  free_shapes_ = from.get_list(shape_slots);
  if (!from.ok()) return false;
  bodies_.resize(slots);
  travels_.resize(slots);
  shapes_.resize(shape_slots);
  for (std::uint32_t slot = 0; slot < slots && from.ok(); ++slot) {
    Body& b = bodies_[slot];
    b.generation = from.get_u32();
    if (from.get<std::uint8_t>() == 0) continue;
    get_body(from, b);
    b.shapes = from.get_list(shape_slots);
    ++count_;
    for (const std::uint32_t i : b.shapes) {
      const Shape* shape = table_.find(from.get_u32());
      if (!from.need(shape != nullptr && !shapes_[i])) return false;
      const BodyShape def = get_shape(from, *shape);
      if (!from.need(check_shape(def).has_value() &&
                     (shape->bounded() || b.kind != BodyKind::dynamic)))
        return false;
      put_shape_at(i, slot, def);
    }
    if (from.ok()) place_shapes(b);
  }
  return from.ok() &&
         lists_the_free(free_bodies_, slots,
                        [&](std::uint32_t i) {
                          return bodies_[i].exists || bodies_[i].generation + 1 == 0;
                        }) &&
         lists_the_free(free_shapes_, shape_slots,
                        [&](std::uint32_t i) { return shapes_[i].has_value(); });
}

void BroadPhase::save(SnapshotWriter& to, const BodyStore& bodies) const {
  to.put(static_cast<std::uint8_t>(fixed_changed_));
  for (std::uint32_t i = 0; i < bodies.shape_slots(); ++i) {
    if (!bodies.has_shape(i)) continue;
    const PlacedShape& s = bodies.shape(i);
    const DynamicTree& tree = bodies[s.body].kind == BodyKind::fixed ? fixed_ : moving_;
    const Aabb tight = tree.box(s.box), fat = tree.fat_box(s.box);
    const bool same = tight.min == fat.min && tight.max == fat.max;
    to.put_bits({tree.has_moved(s.box), same});
    to.put(tight.min);
    to.put(tight.max);
    if (same) continue;
    to.put(fat.min);
    to.put(fat.max);
  }
}

bool BroadPhase::load(SnapshotReader& from, BodyStore& bodies) {
  fixed_changed_ = from.get<std::uint8_t>() != 0;
  std::vector<BoxId> moved[2];
  for (std::uint32_t i = 0; i < bodies.shape_slots() && from.ok(); ++i) {
    if (!bodies.has_shape(i)) continue;
    PlacedShape& s = bodies.shape(i);
    const bool moving = bodies[s.body].kind != BodyKind::fixed;
    const auto bits = from.get<std::uint8_t>();
    Aabb tight, fat;
    tight.min = from.get_vec();
    tight.max = from.get_vec();
    fat = tight;
    if ((bits & 2) == 0) {
      fat.min = from.get_vec();
      fat.max = from.get_vec();
    }
    const auto id = (moving ? moving_ : fixed_).insert_as(tight, fat, i);
    if (!from.need(id.has_value())) return false;
    s.box = *id;
    if ((bits & 1) != 0) moved[moving ? 1 : 0].push_back(*id);
  }
  fixed_.rebuild();
  moving_.rebuild();
  fixed_.clear_moved();
  moving_.clear_moved();
  for (const BoxId id : moved[0]) fixed_.touch(id);
  for (const BoxId id : moved[1]) moving_.touch(id);
  return from.ok();
}

} // namespace carom
