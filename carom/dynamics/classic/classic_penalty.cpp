// Springs, in sub-steps that they are stable in.
#include "carom/dynamics/classic/classic_world.h"
#include "carom/dynamics/classic/touching.h"
#include "carom/dynamics/integrator.h"

#include <algorithm>

namespace carom {
namespace {

/// Where nothing touches, the sub-step is one that a landing on so many points can stand.
constexpr std::size_t points_at_least = 4;
/// In a step: beyond, the step goes on with longer ones, which may not be stable.
constexpr double most_sub_steps = 1e5;

} // namespace

void ClassicWorld::step_springs() {
  const std::uint32_t n = bodies_.slots();
  boxes_.assign(n, {});
  std::vector<classic::PenaltyForce> forces;
  double left = step_time_;
  while (left > 0) {
    for (std::uint32_t i = 0; i < n; ++i) {
      if (!bodies_[i].exists) continue;
      boxes_[i] = classic::body_box(bodies_, i);
      response_[i] = classic::response_body(bodies_[i]);
    }
    touching_.clear();
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = i + 1; j < n; ++j)
        if (classic::boxes_meet(boxes_[i], boxes_[j], 0) && classic::may_touch(bodies_, i, j))
          classic::add_contacts(bodies_, i, j, 0, touching_);
    const std::size_t points =
        std::max(points_at_least, classic::most_points(response_, touching_));
    const double stable = options_.penalty.safety * classic::stable_step(options_.penalty, points);
    const double time = std::min(left, std::max(stable, step_time_ / most_sub_steps));
    left = time < left ? left - time : 0;
    ++counters_.sub_steps;
    classic::penalty_forces(response_, touching_, options_.penalty, time, anchors_, forces);
    for (const classic::PenaltyForce& f : forces) push(response_, f.contact, f.force * time);
    for (std::uint32_t i = 0; i < n; ++i) {
      Body& b = bodies_[i];
      if (!b.exists || b.frozen || b.kind == BodyKind::fixed) continue;
      response_[i].velocity += pull_on(i) * time;
      take_velocities(i);
      if (b.frozen) continue;
      FreeTurn turn{turned_by(b.pose.rotation, b.angular_velocity * time), b.angular_velocity, {}};
      if (b.movable()) turn = turn_freely(b, b.pose.rotation, b.angular_velocity, time);
      b.angular_velocity = turn.spin;
      bodies_.place_center(i, turn.rotation, b.frame.origin + b.velocity * time);
    }
  }
  contacts_.clear();
  for (const classic::PenaltyForce& f : forces) {
    ClassicContact& c = contacts_.emplace_back();
    static_cast<classic::ContactPoint&>(c) = f.contact;
    c.force = f.force;
  }
}

} // namespace carom
