// When two shapes meet on their ways.
//
// A body that rests on one thing, a hair deep, must not be stopped by the seam to the next, or by the floor itself. So a body that something immovable carries is followed by its inner core, which is a little smaller all around
// (inner_core.h); only if that is hit, the shape itself says when. A body in free flight is followed by its shape, or, where it touches from the start, by its core. Where even the core does, there are smaller ones, and at last a ball in its middle: what was pressed into a wall does not come out on the other side.
#include "carom/dynamics/continuous.h"

#include "carom/dynamics/surface_triangles.h"
#include "carom/query/overlap.h"
#include "carom/shape/support.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

constexpr double never = 2; // a time after the end
// How near is near enough to be stopped: of the margin, and of the inner size.
constexpr double error_of_margin = 0.005, error_of_size = 0.02;

/// The stretch of a motion between two times.
Motion part_of(const Motion& m, double from, double to) {
  Motion part = m;
  part.start = pose_at(m, from);
  part.pivot = m.pivot + m.translation * from;
  part.translation = m.translation * (to - from);
  part.angle = m.angle * (to - from);
  return part;
}

/// The same of one that has come to rest at a time.
Motion part_of(const Motion& m, double stop, double from, double to) {
  if (from >= stop) return Motion::rest(pose_at(m, stop));
  return part_of(m, from, to);
}

/// How far the cores are drawn in, one after the other.
double core_depth(const Shape& shape, double margin, int number) {
  const double size = inner_size(shape);
  if (!(size > 0)) return margin * (number == 0 ? 1 : number == 1 ? 4 : 16);
  return number == 0 ? std::min(margin, 0.25 * size) : size * (number == 1 ? 0.5 : 0.75);
}

/// How far the core is drawn in where it points in this direction, in the shape's frame.
double inset(const Shape& shape, const InnerCore& core, const Vec3& d) {
  const Vec3 far = support_point(shape, d),
             far_of_core = support_point(core.shape, d) + core.pose.position;
  return std::max(0.0, dot(far - far_of_core, d));
}

/// When the surface that is so far outside of the core was hit there: the core hits at a known speed. If that would be before the start, the surface has been in there all the time, and what counts is the core.
double surface_time(const TimeOfImpact& core, const Motion& motion, const Motion& other,
                    double depth) {
  const Vec3 closing =
      velocity_at(motion, core.t, core.on_a) - velocity_at(other, core.t, core.on_b);
  const double speed = dot(closing, core.normal);
  const double t = speed > 0 ? core.t - depth / speed : 0;
  return t > 0 ? t : core.t;
}

Motion with_start(const Motion& m, const Pose& start) {
  Motion moved = m;
  moved.start = start;
  return moved;
}

} // namespace

/// What is seen of a form's way past the other without a search for the time: nothing, where the other is not at rest, or neither a surface nor a form.
ClearWay::Touch Continuous::glance(Step step, const Follower& follower, std::uint32_t other,
                                   const Motion& other_motion, double gap, double error,
                                   Scratch& scratch) const {
  ClearWay& clear_way = scratch.clear_way;
  if (follower.form == nullptr || other_motion.angle != 0 || other_motion.translation != Vec3{})
    return {};
  const Shape& target = step.bodies.shape(other).def.shape;
  const Pose& pose = other_motion.start;
  const ClearWay::Touch none{.until = ClearWay::Until::end, .t = 1};
  clear_way.begin(*follower.form, follower.motion);
  if (is_surface(target)) {
    if (clear_way.clears_surface(target, pose, gap + error, follower.near)) return none;
    return gap > 0 ? clear_way.first_touch(target, pose, gap, error) : ClearWay::Touch{};
  }
  const ConvexForm* form = step.narrow_phase.forms().of(other, target);
  const bool clear = form && clear_way.clears_form(*form, pose, gap + error);
  return clear ? none : ClearWay::Touch{};
}

TimeOfImpact Continuous::ask(Step step, const Follower& follower, std::uint32_t other,
                             const Motion& other_motion, double error, double max_t,
                             Scratch& scratch) const {
  // With a margin, nobody has to find out how deep an overlap at the start is.
  const ClearWay::Touch seen =
      glance(step, follower, other, other_motion, 0.5 * error, 0.5 * error, scratch);
  if (seen.until == ClearWay::Until::end) return {};
  // The innermost one may not go deeper at all: of that, more is to be known.
  if (seen.until == ClearWay::Until::time && (seen.t > 0 || !follower.innermost)) {
    TimeOfImpact i;
    i.hit = seen.t <= max_t;
    i.t = seen.t;
    i.on_a = seen.on_form;
    i.on_b = seen.on_other;
    i.normal = seen.normal;
    return i;
  }
  ++scratch.queries;
  return time_of_impact(follower.shape, follower.motion, step.bodies.shape(other).def.shape,
                        other_motion,
                        {.margin = 0.5 * error, .absolute_error = 0.5 * error, .max_t = max_t});
}

/// What it makes depends on the shape alone, whoever asks first.
const Continuous::Core& Continuous::core_of(Step step, const Shape& shape, std::size_t number) {
  return step.team.one_at_a_time([&]() -> const Core& {
    Core& core = cores_[shape.id()][number];
    if (core.made) return core;
    const bool last = number + 1 == core_count;
    core.made = true;
    core.inner = last ? innermost_ball(shape)
                      : inner_core(shape, core_depth(shape, step.margin, static_cast<int>(number)));
    if (core.inner) core.form = ConvexForm::to_search(core.inner->shape);
    return core;
  });
}

/// When the way's own shape hits the other: when it is to be stopped. `never`: not before max_t.
double Continuous::impact(Step step, const Way& way, const Motion& motion, std::uint32_t own,
                          const Motion& other_motion, std::uint32_t other, double max_t,
                          Scratch& scratch, const NearTriangles* near) {
  const Shape& shape = step.bodies.shape(own).def.shape;
  const double size = inner_size(shape);
  double error = error_of_margin * step.margin;
  if (size > 0) error = std::min(error, error_of_size * size);
  const Follower whole{shape, step.narrow_phase.forms().of(own, shape), motion, near};
  if (!way.resting) {
    const TimeOfImpact i = ask(step, whole, other, other_motion, error, max_t, scratch);
    if (!i.hit) return never;
    if (i.t > 0) return i.t;
  }
  // The first core is drawn in by as much all around: it need not be made to see that it is clear.
  const double inset_of_core = size > 0 ? core_depth(shape, step.margin, 0) : 0;
  if (size > 0 && glance(step, whole, other, other_motion, -inset_of_core, error, scratch).until ==
                      ClearWay::Until::end)
    return never;
  // Of what is convex and not flat, the ball is the last.
  const bool has_ball = shape.convex() && size > 0;
  const auto is_last = [&](std::size_t k) {
    if (has_ball) return k + 1 == core_count;
    while (++k < core_count)
      if (core_of(step, shape, k).inner) return false;
    return true;
  };
  for (std::size_t k = 0; k < core_count; ++k) {
    const Core& core = core_of(step, shape, k);
    if (!core.inner) continue;
    const Follower of_core{core.inner->shape, core.form.get(),
                           with_start(motion, motion.start * core.inner->pose), near, is_last(k)};
    const TimeOfImpact inner = ask(step, of_core, other, other_motion, error, max_t, scratch);
    if (!inner.hit) return never;
    if (!(inner.t > 0)) {
      // It touches from the start, too. The last one must not go any farther.
      if (!inner.separating && of_core.innermost) return 0;
      continue;
    }
    if (way.resting) {
      const TimeOfImpact i = ask(step, whole, other, other_motion, error, inner.t, scratch);
      if (i.hit && i.t > 0) return i.t;
    }
    const Vec3 d = transpose_mul(to_matrix(pose_at(motion, inner.t).rotation), inner.normal);
    return surface_time(inner, motion, other_motion, inset(shape, *core.inner, d));
  }
  return never;
}

/// Of two that may both have stopped: while both move, and while one does.
double Continuous::meeting_time(Step step, const Meeting& m) {
  const Way &a = ways_[m.way_a], &b = ways_[m.way_b];
  const Motion of_a = with_start(a.motion, step.bodies.shape(m.shape_a).world);
  const Motion of_b = with_start(b.motion, step.bodies.shape(m.shape_b).world);
  const double ends[3] = {0, std::min(a.stop, b.stop), std::max(a.stop, b.stop)};
  for (int i = 0; i < 2; ++i) {
    const double from = ends[i], to = ends[i + 1];
    if (!(to > from)) continue;
    const double t = impact(step, a, part_of(of_a, a.stop, from, to), m.shape_a,
                            part_of(of_b, b.stop, from, to), m.shape_b, 1, scratch_[0]);
    if (t <= 1) return from + t * (to - from);
  }
  return never;
}

/// The earliest first; who is stopped meets others elsewhere, so those are asked about again. Each round ends one meeting.
void Continuous::settle_meetings(Step step) {
  for (Meeting& m : meetings_) m.t = meeting_time(step, m);
  for (std::size_t round = 0; round < meetings_.size(); ++round) {
    const auto first =
        std::min_element(meetings_.begin(), meetings_.end(),
                         [](const Meeting& m, const Meeting& n) { return m.t < n.t; });
    if (!(first->t <= 1)) return;
    const double t = first->t;
    const std::uint32_t both[2] = {first->way_a, first->way_b};
    bool changed[2] = {};
    for (int i = 0; i < 2; ++i) {
      Way& way = ways_[both[i]];
      if (!way.fast || !(t < way.stop)) continue;
      way.stop = t;
      way.carrier = way.own = way.other = no_index;
      changed[i] = true;
    }
    first->t = never + 1; // settled
    for (Meeting& m : meetings_) {
      if (m.t > never) continue;
      const auto is_of = [&](std::uint32_t way) { return m.way_a == way || m.way_b == way; };
      if ((changed[0] && is_of(both[0])) || (changed[1] && is_of(both[1])))
        m.t = meeting_time(step, m);
    }
  }
}

/// A body that a fast kinematic one has hit goes along with it for the rest of the step, as if it were held, as far as nothing fixed is in its way.
void Continuous::carry(Step step, std::uint32_t index) {
  const Way& way = ways_[index];
  const Motion& carrier = ways_[way.carrier].motion;
  const Pose hit = pose_at(way.motion, way.stop);
  const Pose from = pose_at(carrier, way.stop), to = pose_at(carrier, 1);
  const Pose end = to * (inverse(from) * hit);
  const Body& body = step.bodies[way.slot];
  const Motion motion = Motion::between(hit, end, body.local_center);
  Way held = way;
  held.resting = true;
  double t = 1;
  for (const std::uint32_t own : body.shapes) {
    const PlacedShape& shape = step.bodies.shape(own);
    if (shape.def.sensor) continue;
    const Motion of_shape = with_start(motion, hit * shape.def.pose);
    std::vector<std::uint32_t>& near = scratch_[0].near;
    near.clear();
    step.boxes.find(swept_bounds(shape.def.shape, of_shape), false, [&](std::uint32_t other) {
      near.push_back(other);
      return true;
    });
    std::sort(near.begin(), near.end());
    for (const std::uint32_t other : near) {
      const PlacedShape& wall = step.bodies.shape(other);
      if (wall.def.sensor || !step.meet(own, other)) continue;
      t = std::min(
          t, impact(step, held, of_shape, own, Motion::rest(wall.world), other, t, scratch_[0]));
    }
  }
  const Pose last = pose_at(motion, t);
  stopped_.push_back({way.slot, way.stop, normalized(last.rotation),
                      motion.pivot + motion.translation * t, false});
}

/// Sensors that were met on the way, and are left again at its end.
void Continuous::find_passes(Step step) {
  const auto way_until = [&](const PlacedShape& s) {
    const std::uint32_t slot = s.body;
    if (step.bodies[slot].kind == BodyKind::fixed) return Motion::rest(s.world);
    const Way& way = ways_[way_of(step, slot)];
    return part_of(with_start(way.motion, s.world), way.stop, 0, way.stop);
  };
  for (const Candidate& c : sensors_) {
    const PlacedShape &own = step.bodies.shape(c.own), &other = step.bodies.shape(c.other);
    const Shape &a = own.def.shape, &b = other.def.shape;
    const Motion of_a = way_until(own), of_b = way_until(other);
    const double touching = 1e-9 * (std::min(a.size(), 1e12) + std::min(b.size(), 1e12));
    ++scratch_[0].queries;
    const TimeOfImpact i = time_of_impact(
        a, of_a, b, of_b, {.margin = 0.5 * touching, .absolute_error = 0.5 * touching});
    if (!i.hit || i.initial_overlap) continue;
    if (overlap(a, pose_at(of_a, 1), b, pose_at(of_b, 1)).hit) continue;
    passes_.push_back(own.def.sensor ? SensorPass{c.own, c.other} : SensorPass{c.other, c.own});
  }
}

} // namespace carom
