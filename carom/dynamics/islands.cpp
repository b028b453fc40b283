// Islands are found anew in each step, by joining the bodies of all active pairs that carry: nearly linear, and nothing to be kept right when contacts come and go.
#include "carom/dynamics/islands.h"

#include <algorithm>

namespace carom {
namespace {

bool at_rest(const Body& body, double speed) {
  return length(body.velocity) + length(body.angular_velocity) * body.reach < speed;
}

/// What moves has not rested at all, which is not enough even where no time is asked for.
bool long_enough(double rest_time, const SleepOptions& options) {
  return rest_time > 0 && rest_time >= options.time;
}

} // namespace

bool pair_carries(const ContactStore& pairs, const PairRecord& pair) {
  if (pair.sensor) return false;
  for (const Manifold* m = &pair.manifold; m != nullptr; m = pairs.after(*m))
    if (m->count > 0) return true;
  return false;
}

bool count_rest(Body& body, double time, const SleepOptions& options) {
  body.rest_time = at_rest(body, options.speed) && body.can_sleep ? body.rest_time + time : 0;
  return body.movable() && long_enough(body.rest_time, options);
}

const std::vector<std::uint32_t>&
Islands::find_resting(const BodyStore& bodies, const ContactStore& pairs, const JointStore& joints,
                      std::span<const std::uint32_t> active, const SleepOptions& options) {
  found_.clear();
  sets_.reset(active.size());
  rest_.assign(active.size(), INFINITY);
  for (const std::uint32_t i : pairs.active()) {
    const PairRecord& p = pairs[i];
    const Body &a = bodies[p.body_a], &b = bodies[p.body_b];
    if (a.active_at == no_index || b.active_at == no_index || !pair_carries(pairs, p)) continue;
    if (a.movable() && b.movable()) sets_.join(a.active_at, b.active_at);
  }
  for (const std::uint32_t slot : active)
    for (std::uint32_t j = bodies[slot].first_joint; j != no_index; j = joints.next_of(j, slot)) {
      const std::uint32_t other = joints.other_of(j, slot);
      if (other == no_index || bodies[other].active_at == no_index) continue;
      if (bodies[slot].movable() && bodies[other].movable())
        sets_.join(bodies[slot].active_at, bodies[other].active_at);
    }
  for (std::uint32_t i = 0; i < active.size(); ++i)
    rest_[sets_.root(i)] = std::min(rest_[sets_.root(i)], bodies[active[i]].rest_time);
  // What is carried by a body that moves of itself is not at rest, however slow that is.
  for (const std::uint32_t i : pairs.active()) {
    const PairRecord& p = pairs[i];
    const Body &a = bodies[p.body_a], &b = bodies[p.body_b];
    if (a.active_at == no_index || b.active_at == no_index || a.movable() == b.movable()) continue;
    const Body &mover = a.movable() ? b : a, &other = a.movable() ? a : b;
    if (mover.velocity == Vec3{} && mover.angular_velocity == Vec3{}) continue;
    if (pair_carries(pairs, p)) rest_[sets_.root(other.active_at)] = 0;
  }
  for (const std::uint32_t slot : active) {
    const Body& mover = bodies[slot];
    if (mover.movable() || (mover.velocity == Vec3{} && mover.angular_velocity == Vec3{})) continue;
    for (std::uint32_t j = mover.first_joint; j != no_index; j = joints.next_of(j, slot)) {
      const std::uint32_t other = joints.other_of(j, slot);
      if (other != no_index && bodies[other].movable() && bodies[other].active_at != no_index)
        rest_[sets_.root(bodies[other].active_at)] = 0;
    }
  }
  for (std::uint32_t i = 0; i < active.size(); ++i)
    if (bodies[active[i]].movable() && long_enough(rest_[sets_.root(i)], options))
      found_.push_back(active[i]);
  return found_;
}

const std::vector<std::uint32_t>& Islands::find_around(const BodyStore& bodies,
                                                       const ContactStore& pairs,
                                                       const JointStore& joints, std::uint32_t slot,
                                                       bool awake) {
  found_.clear();
  seen_.resize(bodies.slots());
  const auto reach = [&](std::uint32_t s) {
    const Body& body = bodies[s];
    if (!body.movable() || (body.active_at != no_index) != awake || seen_[s] != 0) return;
    seen_[s] = 1;
    found_.push_back(s);
  };
  reach(slot);
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const std::uint32_t body = found_[i];
    for (std::uint32_t p = bodies[body].first_contact; p != no_index; p = pairs.next_of(p, body))
      if (pair_carries(pairs, pairs[p]))
        reach(pairs[p].body_a == body ? pairs[p].body_b : pairs[p].body_a);
    for (std::uint32_t j = bodies[body].first_joint; j != no_index; j = joints.next_of(j, body))
      if (joints.other_of(j, body) != no_index) reach(joints.other_of(j, body));
  }
  for (const std::uint32_t s : found_) seen_[s] = 0;
  return found_;
}

} // namespace carom
