// A step, in order: pairs of boxes that begin, where shapes touch now, who wakes; the solver; then poses, boxes, events and who may sleep.
#include "carom/dynamics/seams.h"
#include "carom/dynamics/world.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace carom {
namespace {

bool moves_of_itself(const Body& body) {
  return body.active_at != no_index &&
         (body.movable() || body.velocity != Vec3{} || body.angular_velocity != Vec3{});
}

} // namespace

void World::find_pairs() {
  for (const auto& [i, k] : broad_phase_.new_pairs()) {
    const PlacedShape &a = bodies_.shape(i), &b = bodies_.shape(k);
    if (pairs_.find(i, k) != no_index || !may_touch(i, k)) continue;
    const std::uint32_t pair = pairs_.add(bodies_, i, k);
    if (bodies_[a.body].active_at != no_index || bodies_[b.body].active_at != no_index)
      pairs_.activate(pair);
  }
}

/// Who is awake, whose boxes are new, where they are, and how fast.
void World::update_travels(double time) {
  ++step_;
  travels_.resize(bodies_.slots());
  for (const std::uint32_t slot : active_) {
    BodyTravel& t = travels_[slot];
    const Body& body = bodies_[slot];
    t.awake_step = step_;
    t.center = body.frame.origin;
    for (int i = 0; i < 3; ++i) t.step_way[i] = static_cast<float>(body.velocity[i] * time);
  }
  for (const std::uint32_t i : broad_phase_.moved())
    travels_[bodies_.shape(i).body].boxes_step = step_;
}

/// Whether a pair is as it was, to within what its manifolds allow. Bodies that sleep are looked at: they may have to wake.
bool World::nothing_new(const PairHead& head) const {
  const BodyTravel &a = travels_[head.body_a], &b = travels_[head.body_b];
  if (a.boxes_step == step_ || b.boxes_step == step_ || !(head.room >= 0)) return false;
  if (!(head.ground_a || a.awake_step == step_) || !(head.ground_b || b.awake_step == step_))
    return false;
  const Vec3 between = b.center - a.center;
  float moved = 0, closing = 0;
  for (int i = 0; i < 3; ++i) {
    const float d = static_cast<float>(between[i]) - head.between[i];
    const float c = b.step_way[i] - a.step_way[i];
    moved += d * d;
    closing += c * c;
  }
  const auto turned = static_cast<float>(double{head.turn_a} * a.turned +
                                         double{head.turn_b} * b.turned - head.turned);
  const float room = head.room - turned;
  return room >= 0 && moved <= room * room && closing <= head.closing * head.closing;
}

/// Brings one active pair up to date. Its bodies may wake each other.
void World::update_pair(std::size_t at, const NarrowPhaseOptions& options) {
  const std::uint32_t i = pairs_.active()[at];
  const PairRecord& p = pairs_[i];
  const PlacedShape &shape_a = bodies_.shape(p.shape_a), &shape_b = bodies_.shape(p.shape_b);
  const Body &a = bodies_[p.body_a], &b = bodies_[p.body_b];
  if (!broad_phase_.overlap(shape_a.box, a.kind != BodyKind::fixed, shape_b.box,
                            b.kind != BodyKind::fixed)) {
    gone_.push_back(i);
    return;
  }
  const double moved = narrow_phase_.update(bodies_, pairs_, i, options);
  travels_[p.body_a].center = a.frame.origin; // of bodies that are not awake, too
  travels_[p.body_b].center = b.frame.origin;
  PairHead& head = pairs_.head(at);
  NarrowPhase::set_head(bodies_, pairs_, i, moved, travels_, options, head);
  head.carries = pair_carries(pairs_, p);
  head.touching = head.touching || p.sensor;
  if (!head.carries) return;
  if (a.kind == BodyKind::fixed) grounded_.push_back(p.body_b);
  if (b.kind == BodyKind::fixed) grounded_.push_back(p.body_a);
  if (a.kind != BodyKind::fixed && b.kind != BodyKind::fixed && is_closing(bodies_, p))
    grounded_.insert(grounded_.end(), {p.body_a, p.body_a, p.body_b, p.body_b}); // worth a look
  if (a.movable() && a.active_at == no_index && moves_of_itself(b)) wake_slot(p.body_a);
  if (b.movable() && b.active_at == no_index && moves_of_itself(a)) wake_slot(p.body_b);
}

/// Heads first, then the pairs that need a look: so the memory of the next ones can be fetched meanwhile. Pairs may become active on the way, as bodies wake: they are at the end of the list, and come to their turn.
void World::update_contacts(double time) {
  constexpr std::size_t ahead = 4;
  constexpr std::size_t most_grounded = 4; // entries of a pair
  const NarrowPhaseOptions options{options_.margin, time, options_.continuous};
  gone_.clear();
  grounded_.clear();
  if (grounded_.capacity() < most_grounded * pairs_.active().size())
    grounded_.reserve(2 * most_grounded * pairs_.active().size());
  update_travels(time);
  const bool all_new = broad_phase_.fixed_moved();
  std::size_t next = 0;
  while (next < pairs_.active().size()) {
    to_update_.clear();
    for (; next < pairs_.active().size(); ++next) {
      const PairHead& head = pairs_.head(next);
      if (all_new || !nothing_new(head)) {
        to_update_.push_back(static_cast<std::uint32_t>(next));
        continue;
      }
      if (head.carries && head.ground_a) grounded_.push_back(head.body_b);
      if (head.carries && head.ground_b) grounded_.push_back(head.body_a);
    }
    for (std::size_t k = 0; k < to_update_.size(); ++k) {
      if (k + 2 * ahead < to_update_.size())
        narrow_phase_.prefetch_list(pairs_.active()[to_update_[k + 2 * ahead]]);
      if (k + ahead < to_update_.size()) {
        const std::uint32_t at = to_update_[k + ahead];
        pairs_.prefetch(at);
        narrow_phase_.prefetch(pairs_.active()[at]);
        bodies_.prefetch(pairs_.head(at).body_a);
        bodies_.prefetch(pairs_.head(at).body_b);
      }
      update_pair(to_update_[k], options);
    }
  }
  for (const std::uint32_t i : gone_) {
    end_contact(i);
    pairs_.remove(bodies_, i);
  }
  std::sort(grounded_.begin(), grounded_.end());
  for (std::size_t i = 1; i < grounded_.size(); ++i) {
    const bool first_of_several =
        grounded_[i] == grounded_[i - 1] && (i < 2 || grounded_[i] != grounded_[i - 2]);
    if (!first_of_several) continue;
    if (!weld_seams(bodies_, pairs_, grounded_[i], options_.margin)) continue;
    for (std::uint32_t k = bodies_[grounded_[i]].first_contact; k != no_index;
         k = pairs_.next_of(k, grounded_[i]))
      if (pairs_.active_at(k) != no_index)
        pairs_.head(pairs_.active_at(k)).carries = pair_carries(pairs_, pairs_[k]);
  }
}

void World::freeze(std::uint32_t slot) {
  Body& body = bodies_[slot];
  body.frozen = true;
  body.velocity = body.angular_velocity = body.force = body.torque = Vec3{};
  events_.frozen.push_back(bodies_.id_of(slot));
}

/// Those whose forces would drive them beyond all bounds: before they drag others along.
void World::freeze_before_step(double time) {
  for (const std::uint32_t slot : active_) {
    Body& body = bodies_[slot];
    if (!body.movable()) continue;
    const Vec3 v = body.velocity +
                   (options_.gravity * body.gravity_scale + body.force * body.inverse_mass) * time;
    const Mat3& r = body.frame.basis;
    const Vec3 w =
        body.angular_velocity + r * (body.inverse_inertia * transpose_mul(r, body.torque)) * time;
    if (!is_speed(v) || !is_speed(w)) freeze(slot);
  }
}

void World::finish_bodies(double time) {
  for (std::size_t i = 0; i < active_.size(); ++i) {
    const std::uint32_t slot = active_[i];
    Body& body = bodies_[slot];
    if (body.frozen) continue;
    const SolverBody& s = solver_.state(i);
    const Vec3 moved{s.moved[0], s.moved[1], s.moved[2]};
    Vec3 velocity{s.velocity[0], s.velocity[1], s.velocity[2]},
        spin{s.spin[0], s.spin[1], s.spin[2]};
    Vec3 center = body.frame.origin + moved;
    Quat rotation = solver_.motion(i).rotation;
    place_stopped(slot, center, rotation, velocity, spin);
    keep_energy(slot, center, rotation, velocity, spin);
    if (!is_speed(velocity) || !is_speed(spin) || !is_position(center) || !is_rotation(rotation)) {
      freeze(slot);
      continue;
    }
    if (body.movable()) {
      body.velocity = velocity;
      body.angular_velocity = spin;
    }
    body.force = body.torque = Vec3{};
    const Quat turn = rotation * conjugate(body.pose.rotation);
    const double half_sine = std::min(length(Vec3{turn.x, turn.y, turn.z}), 1.0);
    // The arc sine of x is at most x + (pi / 2 - 1) x^3.
    travels_[slot].turned += 2 * half_sine * (1 + 0.571 * half_sine * half_sine);
    bodies_.place_center(slot, rotation, center);
    update_boxes(slot, velocity * time);
  }
}

void World::end_contact(std::uint32_t pair) {
  PairRecord& p = pairs_[pair];
  if (!p.touching) return;
  p.touching = false;
  const PlacedShape &a = bodies_.shape(p.shape_a), &b = bodies_.shape(p.shape_b);
  const BodyId id_a = bodies_.id_of(a.body), id_b = bodies_.id_of(b.body);
  if (p.sensor) {
    const bool first = a.def.sensor;
    next_events_.sensors.push_back({EventKind::end, first ? id_a : id_b, first ? id_b : id_a,
                                    first ? a.number : b.number, first ? b.number : a.number});
    return;
  }
  ContactEvent e;
  e.kind = EventKind::end;
  e.a = id_a;
  e.b = id_b;
  e.shape_a = a.number;
  e.shape_b = b.number;
  e.normal = bodies_[p.body_a].frame.basis * p.manifold.normal;
  next_events_.contacts.push_back(e);
}

namespace {

/// Where the pair touches, and how hard.
struct Touch {
  bool touching = false;
  Vec3 point{};
  double impulse = 0, approach = 0;
};
Touch touch_of(const BodyStore& bodies, const ContactStore& pairs, const PairRecord& p) {
  Touch t;
  const Body &a = bodies[p.body_a], &b = bodies[p.body_b];
  Vec3 carried{}, all{};
  double count = 0;
  for (const Manifold* m = &p.manifold; m != nullptr; m = pairs.after(*m)) {
    for (int i = 0; i < m->count; ++i) {
      const PairPoint& point = m->points[static_cast<std::size_t>(i)];
      const Vec3 at = (a.frame.to_world(point.on_a) + b.frame.to_world(point.on_b)) * 0.5;
      t.impulse += point.total;
      carried += at * point.total;
      all += at;
      ++count;
      t.touching = t.touching || point.total > 0 || separation_now(a, b, *m, point) <= 0;
    }
    t.approach = std::max<double>(t.approach, m->approach);
  }
  t.point = t.impulse > 0 ? carried / t.impulse : all / std::max(count, 1.0);
  return t;
}

} // namespace

void World::finish_contacts() {
  for (std::size_t at = 0; at < pairs_.active().size(); ++at) {
    PairHead& head = pairs_.head(at);
    if (!head.carries && !head.touching) continue;
    if (head.carries && head.touching && !options_.persist_events) continue;
    const std::uint32_t i = pairs_.active()[at];
    PairRecord& p = pairs_[i];
    const bool carries = p.sensor ? p.manifold.count > 0 : pair_carries(pairs_, p);
    if (!carries) end_contact(i);
    // A sensor's points are no contact: it is always looked at.
    head.touching = p.sensor || p.touching;
    if (!carries) continue;
    if (p.touching && !options_.persist_events) continue;
    const PlacedShape &a = bodies_.shape(p.shape_a), &b = bodies_.shape(p.shape_b);
    const BodyId id_a = bodies_.id_of(a.body), id_b = bodies_.id_of(b.body);
    if (p.sensor) {
      if (p.touching) continue;
      p.touching = true;
      const bool first = a.def.sensor;
      next_events_.sensors.push_back({EventKind::begin, first ? id_a : id_b, first ? id_b : id_a,
                                      first ? a.number : b.number, first ? b.number : a.number});
      continue;
    }
    const Touch touch = touch_of(bodies_, pairs_, p);
    if (!p.touching && !touch.touching) continue;
    next_events_.contacts.push_back({p.touching ? EventKind::persist : EventKind::begin, id_a, id_b,
                                     a.number, b.number,
                                     bodies_[p.body_a].frame.basis * p.manifold.normal, touch.point,
                                     touch.impulse, p.touching ? 0 : touch.approach});
    p.touching = head.touching = true;
  }
}

void World::put_to_sleep(double time) {
  for (const std::uint32_t slot :
       islands_.find_resting(bodies_, pairs_, joints_, active_, time, options_.sleep)) {
    bodies_[slot].velocity = bodies_[slot].angular_velocity = Vec3{};
    deactivate(slot);
    next_events_.sleeps.push_back({bodies_.id_of(slot), false});
  }
}

void World::sort_events() {
  const auto by_shapes = [](const ContactEvent& e, const ContactEvent& f) {
    return std::tuple(e.a.slot, e.b.slot, e.shape_a, e.shape_b, e.a.generation, e.b.generation) <
           std::tuple(f.a.slot, f.b.slot, f.shape_a, f.shape_b, f.a.generation, f.b.generation);
  };
  std::sort(events_.contacts.begin(), events_.contacts.end(), by_shapes);
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
  events_.contacts.clear();
  events_.sensors.clear();
  events_.sleeps.clear();
  events_.frozen.clear();
  events_.breaks.clear();
  if (!(time > 0 && time < INFINITY)) return;
  last_time_ = time;
  find_pairs();
  update_contacts(time);
  freeze_before_step(time);
  const bool pays = executor != nullptr && pairs_.active().size() >= executor->least_pairs();
  with_team(pays ? executor : nullptr, [&](Team& team) {
    solver_.step(bodies_, pairs_, joints_, active_, options_.gravity, time, options_.solver, team);
  });
  stop_fast_bodies();
  finish_bodies(time);
  place_carried();
  tell_passes();
  finish_contacts();
  break_joints();
  put_to_sleep(time);
  std::swap(events_.contacts, next_events_.contacts);
  std::swap(events_.sensors, next_events_.sensors);
  std::swap(events_.sleeps, next_events_.sleeps);
  sort_events();
}

} // namespace carom
