// Which bodies came far, and what is near their ways. First each fast dynamic body is followed past what cannot be stopped: fixed and kinematic bodies. That gives each a time at which it stops, which depends on no other
// dynamic body. Then fast kinematic bodies look for what they would pass through. Then pairs of dynamic bodies of which one asks for it, the earliest first, since who is stopped meets others elsewhere. Sensors last, when
// all ways are known.
#include "carom/dynamics/continuous.h"

#include "carom/dynamics/islands.h"
#include "carom/dynamics/narrow_phase.h"
#include "carom/geometry/overlap_box.h"
#include "carom/math/tolerance.h"
#include "carom/math/trig.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace carom {
namespace {

// A body that turns oftener within a step is wherever it can reach.
constexpr double most_turns = 8;

// Radians: arms and inertias are a tenth off after half of that.
constexpr double far_turn = 0.5;

/// Of a body's inner size: what is squeezed and moves farther than that in a step is followed as well, so that it is not pressed through the floor. What is slower gets a burden in time.
constexpr double pressed_part = 0.02;

/// Parts of work that threads take: some microseconds each.
constexpr std::size_t bodies_each = 64, ways_each = 4;

Vec3 vec(const float* v) { return {v[0], v[1], v[2]}; }

/// From where the body is to where the solver has it. `turned` tells the number of turns, and which way round.
Motion motion_of(const Body& body, const Vec3& moved, const Quat& end, const Vec3& turned) {
  Motion m;
  m.start = body.pose;
  m.pivot = body.frame.origin;
  m.translation = moved;
  const Quat way = normalized(end * conjugate(body.pose.rotation));
  const double sign = way.w < 0 ? -1 : 1;
  const Vec3 v = Vec3{way.x, way.y, way.z} * sign;
  const double sine = length(v);
  const Vec3 axis = sine > 1e-6 ? v / sine : normalized_or(turned, Vec3{0, 0, 1});
  const double angle = 2 * atan2(dot(v, axis), way.w * sign);
  m.axis = axis;
  const double turns = std::floor((dot(turned, axis) - angle) / two_pi + 0.5);
  m.angle = angle + two_pi * std::clamp(turns, -most_turns, most_turns);
  if (turned == Vec3{} && v == Vec3{}) m.angle = 0;
  return m;
}

/// Around a ball of the body's reach.
Aabb box_of(const Body& body, const Motion& m) {
  const double far = body.reach * (1 + 16 * tolerance::epsilon);
  const Vec3 grow{far, far, far}, end = m.pivot + m.translation;
  return {min(m.pivot, end) - grow, max(m.pivot, end) + grow};
}

/// What touched the body in the step.
struct Touched {
  bool by_immovable = false, by_movable = false;
  /// It was near nothing but fixed bodies that do not run as belts; contacts may have come and gone within the step.
  bool near_fixed = false, near_others = false;
  [[nodiscard]] bool any() const { return by_immovable || by_movable; }
};
bool carries(const ContactStore& pairs, const PairRecord& pair) {
  for (const Manifold* m = &pair.manifold; m != nullptr; m = pairs.after(*m))
    for (int i = 0; i < m->count; ++i)
      if (m->points[static_cast<std::size_t>(i)].total > 0) return true;
  return false;
}
Touched touched_by(const ContinuousStep& step, std::uint32_t slot) {
  Touched t;
  for (const std::uint32_t at : step.pairs.carrying_of(slot)) {
    if (!step.pairs.marks(at).carries) continue;
    const PairRecord& pair = step.pairs[step.pairs.active()[at]];
    const Body& other = step.bodies[pair.body_a == slot ? pair.body_b : pair.body_a];
    const bool fixed = other.kind == BodyKind::fixed && !pair.belt;
    (fixed ? t.near_fixed : t.near_others) = true;
    if (carries(step.pairs, pair)) (other.movable() ? t.by_movable : t.by_immovable) = true;
  }
  return t;
}

} // namespace

Continuous::Way Continuous::make_way(Step step, std::uint32_t slot) {
  const Body& body = step.bodies[slot];
  Way way;
  way.slot = slot;
  way.motion = Motion::rest(body.pose);
  way.motion.pivot = body.frame.origin;
  if (body.active_at != no_index && !body.frozen) {
    const SolverBody& s = step.solver.state(body.active_at);
    const Quat& end = step.solver.motion(body.active_at).rotation;
    if (is_rotation(end) && is_speed(vec(s.moved)) && is_finite(vec(s.turned)))
      way.motion = motion_of(body, vec(s.moved), end, vec(s.turned));
  }
  way.fast = length(way.motion.translation) + std::fabs(way.motion.angle) * body.reach >
             far_for(body, step.margin);
  way.box = box_of(body, way.motion);
  return way;
}

std::uint32_t Continuous::way_of(Step step, std::uint32_t slot) {
  if (way_at_[slot] != no_index) return way_at_[slot];
  way_at_[slot] = static_cast<std::uint32_t>(ways_.size());
  ways_.push_back(make_way(step, slot));
  return way_at_[slot];
}

/// Of the active bodies those that came far, with their ways, which come first.
void Continuous::find_fast(Step step) {
  came_far_.resize(step.active.size());
  step.team.share(step.active.size(), bodies_each, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Body& body = step.bodies[step.active[i]];
      const SolverBody& s = step.solver.state(i);
      const double moved = length(vec(s.moved)) + length(vec(s.turned)) * body.reach;
      const bool far = moved > far_for(body, step.margin) ||
                       (body.burden > 1 && moved > pressed_part * body.inner);
      came_far_[i] = far && !body.frozen && !body.shapes.empty() ? 1 : 0;
    }
  });
  for (std::size_t i = 0; i < step.active.size(); ++i) {
    if (came_far_[i] == 0) continue;
    way_at_[step.active[i]] = static_cast<std::uint32_t>(ways_.size());
    ways_.emplace_back().slot = step.active[i];
  }
  fast_ = ways_.size();
  step.team.share(fast_, ways_each, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      ways_[i] = make_way(step, ways_[i].slot);
      ways_[i].fast = true;
    }
  });
}

/// Numbers of the shapes of other bodies whose boxes the shape's way meets, sorted.
void Continuous::find_near(Step step, std::uint32_t way, std::uint32_t own,
                           std::vector<std::uint32_t>& near) const {
  const PlacedShape& shape = step.bodies.shape(own);
  Motion motion = ways_[way].motion;
  motion.start = shape.world;
  // Of one that turns all around, and of a form, of which it is soon found out what it clears, a ball will do.
  const bool ball = std::fabs(motion.angle) > two_pi ||
                    step.narrow_phase.forms().of(own, shape.def.shape) != nullptr;
  const Aabb box = ball ? ways_[way].box : swept_bounds(shape.def.shape, motion);
  const Body& body = step.bodies[shape.body];
  near.clear();
  const auto put = [&](std::uint32_t other) {
    if (step.bodies.shape(other).body != shape.body) near.push_back(other);
    return true;
  };
  step.boxes.find(box, false, put);
  if (step.moving_targets || body.continuous || body.kind == BodyKind::kinematic ||
      shape.def.sensor) {
    step.boxes.find(box, true, put);
    // Others that are fast may be met where they are not yet.
    for (const Way& w : std::span(ways_).first(fast_))
      if (w.slot != shape.body && overlaps(w.box, box))
        for (const std::uint32_t other : step.bodies[w.slot].shapes) near.push_back(other);
  }
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
}

/// What a shape of a fast body has to do with one that is near its way.
void Continuous::look_at(Step step, std::uint32_t way, std::uint32_t own, std::uint32_t other,
                         Scratch& scratch) {
  const PlacedShape &a = step.bodies.shape(own), &b = step.bodies.shape(other);
  const Body &body = step.bodies[a.body], &target = step.bodies[b.body];
  const bool sensor = a.def.sensor || b.def.sensor;
  const bool pair_asks = body.continuous || target.continuous;
  if (!sensor && target.movable() && body.movable() && !pair_asks) return;
  const std::uint32_t pair = step.pairs.find(std::min(own, other), std::max(own, other));
  if (pair == no_index && !step.meet(own, other)) return;
  if (sensor) {
    const std::uint32_t second = way_at_[b.body];
    const bool seen_by_other = second != no_index && ways_[second].fast && b.body < a.body;
    if (!seen_by_other) sensors_.push_back({own, other});
    return;
  }
  if (!body.movable()) {
    // A fast kinematic body: who is fast as well has found it already.
    if (!target.movable()) return;
    const std::uint32_t pushed = way_of(step, b.body);
    if (ways_[pushed].fast) return;
    Motion motion = ways_[way].motion;
    motion.start = a.world;
    Motion of_pushed = ways_[pushed].motion;
    of_pushed.start = b.world;
    const double t =
        impact(step, ways_[pushed], of_pushed, other, motion, own, ways_[pushed].stop, scratch);
    if (t < ways_[pushed].stop) {
      ways_[pushed].stop = t;
      ways_[pushed].carrier = way;
    }
    return;
  }
  const std::uint32_t second =
      target.kind == BodyKind::fixed || target.frozen ? no_index : way_of(step, b.body);
  if (target.movable()) {
    const bool seen_by_other = ways_[second].fast && b.body < a.body;
    if (seen_by_other) return;
    see_touches(step, ways_[way]);
    if (ways_[second].fast) see_touches(step, ways_[second]);
    meetings_.push_back({way, second, own, other, 2});
    return;
  }
  Motion motion = ways_[way].motion;
  motion.start = a.world;
  if (target.kind == BodyKind::fixed) {
    const double farthest = length(motion.translation) + std::fabs(motion.angle) * body.reach;
    if (pair != no_index && farthest + step.margin < known_clearance(step.bodies, step.pairs[pair]))
      return;
  }
  see_touches(step, ways_[way]);
  Motion of_target = second == no_index ? Motion::rest(b.world) : ways_[second].motion;
  of_target.start = b.world;
  const double t = impact(step, ways_[way], motion, own, of_target, other, ways_[way].stop, scratch,
                          pair == no_index ? nullptr : step.narrow_phase.near(step.pairs[pair]));
  if (t >= ways_[way].stop) return;
  ways_[way].stop = t;
  ways_[way].own = own;
  ways_[way].other = other;
  ways_[way].other_pose = pose_at(of_target, t);
  ways_[way].carrier = second != no_index && ways_[second].fast ? second : no_index;
}

void Continuous::follow_one(Step step, std::uint32_t way) {
  const std::uint32_t slot = ways_[way].slot;
  Scratch& scratch = scratch_[0];
  for (const std::uint32_t own : step.bodies[slot].shapes) {
    find_near(step, way, own, scratch.near);
    // The list is used by nobody else until all of it was looked at.
    for (const std::uint32_t other : scratch.near) look_at(step, way, own, other, scratch);
  }
}

/// The way of a movable body, where only fixed bodies are near it: then it concerns no other way, and many threads may do this at once. False, and the way as it was, where that is not so.
bool Continuous::follow_past_fixed(Step step, std::uint32_t way, Scratch& scratch) {
  const Body& body = step.bodies[ways_[way].slot];
  const auto needs_others = [&](std::uint32_t own, std::uint32_t other) {
    const PlacedShape &a = step.bodies.shape(own), &b = step.bodies.shape(other);
    const Body& target = step.bodies[b.body];
    if (a.def.sensor || b.def.sensor) return true;
    if (target.kind != BodyKind::fixed)
      return !target.movable() || body.continuous || target.continuous;
    return step.filtered && step.pairs.find(std::min(own, other), std::max(own, other)) == no_index;
  };
  const std::size_t queries = scratch.queries;
  for (const std::uint32_t own : body.shapes) {
    find_near(step, way, own, scratch.near);
    for (const std::uint32_t other : scratch.near) {
      if (needs_others(own, other)) {
        ways_[way].stop = 1;
        ways_[way].own = ways_[way].other = no_index;
        scratch.queries = queries;
        return false;
      }
      look_at(step, way, own, other, scratch);
    }
  }
  return true;
}

void Continuous::see_touches(Step step, Way& way) const {
  if (way.seen) return;
  way.seen = true;
  const Touched touched = touched_by(step, way.slot);
  way.touched = touched.any();
  way.resting = touched.by_immovable;
  way.hit_only_fixed = touched.near_fixed && !touched.near_others;
}

const StoppedBody* Continuous::stop_of(std::uint32_t slot) const {
  const auto at =
      std::lower_bound(stopped_.begin(), stopped_.end(), slot,
                       [](const StoppedBody& s, std::uint32_t x) { return s.slot < x; });
  return at != stopped_.end() && at->slot == slot ? &*at : nullptr;
}

bool Continuous::turned_against_fixed(std::uint32_t slot) const {
  if (slot >= way_at_.size() || way_at_[slot] == no_index) return false;
  const Way& way = ways_[way_at_[slot]];
  return way.hit_only_fixed && std::fabs(way.motion.angle) > far_turn;
}

void Continuous::collect_stops() {
  for (const Way& way : ways_) {
    if (!(way.stop < 1) || way.carrier != no_index) continue;
    const Quat turn = Quat::from_axis_angle(way.motion.axis, way.motion.angle * way.stop);
    const Quat& start = way.motion.start.rotation;
    stopped_.push_back({way.slot, way.stop,
                        way.motion.angle == 0 ? start : normalized(turn * start),
                        way.motion.pivot + way.motion.translation * way.stop, !way.touched, way.own,
                        way.other, way.other_pose});
  }
  std::sort(stopped_.begin(), stopped_.end(),
            [](const StoppedBody& a, const StoppedBody& b) { return a.slot < b.slot; });
}

void Continuous::follow(Step step) {
  for (const Way& way : ways_) way_at_[way.slot] = no_index;
  way_at_.resize(step.bodies.slots(), no_index);
  ways_.clear();
  meetings_.clear();
  sensors_.clear();
  stopped_.clear();
  passes_.clear();
  if (scratch_.size() < step.team.size()) scratch_.resize(step.team.size());
  for (Scratch& scratch : scratch_) scratch.queries = 0;
  // Cores of shapes that are no more are forgotten before they are many.
  if (cores_.size() > 2 * step.bodies.shape_slots() + 64) cores_.clear();
  find_fast(step);
  const auto fast = static_cast<std::uint32_t>(fast_);
  later_.assign(fast, 0);
  if (fast > 0) step.pairs.group_carrying(step.bodies.slots());
  step.team.share(fast, ways_each, [&](std::size_t begin, std::size_t end, std::size_t thread) {
    for (auto i = static_cast<std::uint32_t>(begin); i < end; ++i) {
      if (!step.bodies[ways_[i].slot].movable()) continue;
      later_[i] = follow_past_fixed(step, i, scratch_[thread]) ? 0 : 1;
      if (std::fabs(ways_[i].motion.angle) > far_turn) see_touches(step, ways_[i]);
    }
  });
  for (std::uint32_t i = 0; i < fast; ++i)
    if (later_[i] != 0) follow_one(step, i);
  for (std::uint32_t i = 0; i < fast; ++i)
    if (!step.bodies[ways_[i].slot].movable()) follow_one(step, i);
  if (!meetings_.empty()) settle_meetings(step);
  for (std::uint32_t i = 0; i < ways_.size(); ++i)
    if (ways_[i].carrier != no_index) carry(step, i);
  collect_stops();
  if (!sensors_.empty()) find_passes(step);
  queries_ = 0;
  for (const Scratch& scratch : scratch_) queries_ += scratch.queries;
}

} // namespace carom
