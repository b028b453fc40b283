// A step, in order: pairs of boxes that begin, where shapes touch now, who wakes; the solver; then poses, boxes, events and who may sleep.
#include "carom/dynamics/world.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace carom {
namespace {

/// Parts of work that threads take: some microseconds each.
constexpr std::size_t bodies_each = 32, stops_each = 1;

void freeze(Body& body) {
  body.frozen = true;
  body.burden = 1;
  body.velocity = body.angular_velocity = body.force = body.torque = Vec3{};
}

} // namespace

/// What froze them is not to be met again.
void World::tell_frozen() {
  for (std::size_t i = 0; i < active_.size(); ++i) {
    if (bodies_after_[i] != BodyAfter::frozen) continue;
    events_.frozen.push_back(bodies_.id_of(active_[i]));
    pairs_.forget_impulses(bodies_, active_[i]);
    joints_.forget_impulses(bodies_, active_[i]);
  }
}

/// Those whose forces would drive them beyond all bounds: before they drag others along.
void World::freeze_before_step(double time, Team& team) {
  bodies_after_.assign(active_.size(), BodyAfter::done);
  team.share(active_.size(), bodies_each, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Body& body = bodies_[active_[i]];
      if (!body.movable()) continue;
      const Vec3 v =
          body.velocity +
          (options_.gravity * body.gravity_scale + body.force * body.inverse_mass) * time;
      const Mat3& r = body.frame.basis;
      const Vec3 w =
          body.angular_velocity + r * (body.inverse_inertia * transpose_mul(r, body.torque)) * time;
      if (is_speed(v) && is_speed(w)) continue;
      freeze(body);
      bodies_after_[i] = BodyAfter::frozen;
    }
  });
  tell_frozen();
}

/// Where the body at this place of the list is now, and its boxes, each as far as it concerns nobody else.
World::BodyAfter World::finish_body(std::size_t i, double time) {
  const std::uint32_t slot = active_[i];
  Body& body = bodies_[slot];
  if (body.frozen) return BodyAfter::done;
  const SolverBody& s = solver_.state(i);
  BodyEnd end{body.frame.origin + Vec3{s.moved[0], s.moved[1], s.moved[2]},
              solver_.motion(i).rotation,
              {s.velocity[0], s.velocity[1], s.velocity[2]},
              {s.spin[0], s.spin[1], s.spin[2]}};
  if (const StoppedBody* stop = continuous_.stop_of(slot))
    end = stops_[static_cast<std::size_t>(stop - continuous_.stopped().data())];
  keep_energy(slot, end);
  if (!is_speed(end.velocity) || !is_speed(end.spin) || !is_position(end.center) ||
      !is_rotation(end.rotation)) {
    freeze(body);
    return BodyAfter::frozen;
  }
  if (body.movable()) {
    body.velocity = end.velocity;
    body.angular_velocity = end.spin;
  }
  body.force = body.torque = Vec3{};
  const Quat turn = end.rotation * conjugate(body.pose.rotation);
  const double half_sine = std::min(length(Vec3{turn.x, turn.y, turn.z}), 1.0);
  // The arc sine of x is at most x + (pi / 2 - 1) x^3.
  bodies_.travel(slot).turned += 2 * half_sine * (1 + 0.571 * half_sine * half_sine);
  bodies_.place_center(slot, end.rotation, end.center);
  bool left = false;
  for (const std::uint32_t k : body.shapes) {
    const bool leaves = !is_in_box(k, body) && leaves_box(k, body, end.velocity * time);
    bodies_.shape(k).left_box = leaves;
    left = left || leaves;
  }
  return left ? BodyAfter::left_box : BodyAfter::done;
}

/// Whether the shape is in its fat box for certain, by how far its body has gone since that was looked at.
bool World::is_in_box(std::uint32_t i, const Body& body) const {
  const PlacedShape& s = bodies_.shape(i);
  const PlacedShape::BoxRoom& r = s.box_room;
  const double gone = distance(body.frame.origin, r.center) +
                      (bodies_.travel(s.body).turned - r.turned) * s.reach +
                      std::fabs(ahead_of(s, body) - r.ahead);
  return gone <= r.room;
}

/// Looks. Both bounds of a hull may be off by a rounding of floats.
bool World::leaves_box(std::uint32_t i, const Body& body, const Vec3& displacement) {
  PlacedShape& s = bodies_.shape(i);
  const Aabb box = box_of(i, body);
  const bool leaves = broad_phase_.begin_move(s.box, box, displacement);
  s.box_room = {body.frame.origin, bodies_.travel(s.body).turned, ahead_of(s, body),
                broad_phase_.room(s.box, box) - 4e-6 * s.reach};
  return leaves;
}

void World::finish_bodies(double time, Team& team) {
  stops_.resize(continuous_.stopped().size());
  team.share(stops_.size(), stops_each,
             [&](std::size_t begin, std::size_t end, std::size_t thread) {
               for (std::size_t i = begin; i < end; ++i)
                 stops_[i] = end_of(continuous_.stopped()[i], scratch_[thread].strike);
             });
  rested_.resize(active_.size());
  team.share(active_.size(), bodies_each, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      bodies_after_[i] = finish_body(i, time);
      rested_[i] = count_rest(bodies_[active_[i]], time, options_.sleep) ? 1 : 0;
    }
  });
  tell_frozen();
  for (std::size_t i = 0; i < active_.size(); ++i) {
    if (bodies_after_[i] != BodyAfter::left_box) continue;
    for (const std::uint32_t k : bodies_[active_[i]].shapes)
      if (bodies_.shape(k).left_box) broad_phase_.end_move(bodies_.shape(k).box);
  }
}

void World::put_to_sleep() {
  if (!options_.sleep.enabled ||
      std::find(rested_.begin(), rested_.end(), std::uint8_t{1}) == rested_.end())
    return;
  for (const std::uint32_t slot :
       islands_.find_resting(bodies_, pairs_, joints_, active_, options_.sleep)) {
    bodies_[slot].velocity = bodies_[slot].angular_velocity = Vec3{};
    deactivate(slot);
    next_events_.sleeps.push_back({bodies_.id_of(slot), false});
  }
}

void World::sort_events() {
  // What ended between two steps may begin anew in the second: the end comes first.
  const auto key = [](const ContactEvent& e) {
    return std::tuple(e.a.slot, e.b.slot, e.shape_a, e.shape_b, e.a.generation, e.b.generation,
                      e.kind != EventKind::end);
  };
  std::sort(events_.contacts.begin(), events_.contacts.end(),
            [&](const ContactEvent& e, const ContactEvent& f) { return key(e) < key(f); });
  std::sort(events_.sensors.begin(), events_.sensors.end(),
            [](const SensorEvent& e, const SensorEvent& f) {
              return std::tuple(e.sensor.slot, e.visitor.slot, e.sensor_shape, e.visitor_shape,
                                e.sensor.generation, e.visitor.generation, e.kind) <
                     std::tuple(f.sensor.slot, f.visitor.slot, f.sensor_shape, f.visitor_shape,
                                f.sensor.generation, f.visitor.generation, f.kind);
            });
  std::sort(events_.sleeps.begin(), events_.sleeps.end(),
            [](const SleepEvent& e, const SleepEvent& f) {
              return std::tuple(e.body.slot, e.awake) < std::tuple(f.body.slot, f.awake);
            });
  std::sort(events_.frozen.begin(), events_.frozen.end(),
            [](BodyId e, BodyId f) { return e.slot < f.slot; });
}

void World::step(double time, Executor* executor) {
  if (busy_) return;
  const Busy::Scope stepping(busy_);
  events_.contacts.clear();
  events_.sensors.clear();
  events_.sleeps.clear();
  events_.frozen.clear();
  events_.breaks.clear();
  if (!(time > 0 && time < INFINITY)) return;
  last_time_ = time;
  find_pairs();
  const bool pays = executor != nullptr && pairs_.active().size() >= executor->least_pairs();
  with_team(pays ? executor : nullptr, pools_, [&](Team& team) { step_together(time, team); });
  std::swap(events_.contacts, next_events_.contacts);
  std::swap(events_.sensors, next_events_.sensors);
  std::swap(events_.sleeps, next_events_.sleeps);
  sort_events();
}

void World::step_together(double time, Team& team) {
  if (scratch_.size() < team.size()) scratch_.resize(team.size());
  update_contacts(time, team);
  freeze_before_step(time, team);
  solver_.step(bodies_, pairs_, joints_, active_, regions_, pair_order_.begins(), options_.gravity,
               time, options_.solver, team);
  stop_fast_bodies(team);
  finish_bodies(time, team);
  place_carried();
  tell_passes();
  tell_strikes();
  finish_contacts();
  break_joints();
  put_to_sleep();
}

} // namespace carom
