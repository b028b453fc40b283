// What holds contacts that rest: impulses one by one, or forces from a complementarity problem.
//
// Baraff asks for forces that leave no contact an acceleration inward. Asked for the speeds at the end of the sub-step instead, the same problem gives the same forces to what rests, and what drifts is brought back.
#include "carom/dynamics/classic/classic_world.h"
#include "carom/dynamics/classic/touching.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// Of the skin: where contacts rest.
constexpr double rest_gap = 0.5;
constexpr double most_haste = 10;
constexpr int most_rounds = 100;
/// Of what gravity does in the time: smaller changes of speed do not matter.
constexpr double good_enough = 1e-5;
/// Of the step.
constexpr double long_enough = 0.2;

const ClassicContact* same_contact(const std::vector<ClassicContact>& contacts,
                                   const classic::ContactPoint& c) {
  for (const ClassicContact& old : contacts)
    if (old.id == c.id && old.shape_a == c.shape_a && old.shape_b == c.shape_b) return &old;
  return nullptr;
}

} // namespace

/// None comes nearer; what is nearer than it should be is to rise.
std::vector<classic::ContactWish> ClassicWorld::wishes(double drive_time, double drift_time) const {
  std::vector<classic::ContactWish> all;
  for (const classic::ContactPoint& c : touching_) {
    classic::ContactWish& w = all.emplace_back();
    const double rest = rest_gap * options_.skin, lack = rest - c.gap;
    // The nearer, the faster it may rise.
    const double haste = c.gap > 0 ? std::min(rest / c.gap, most_haste) : 1;
    if (lack > 0 && drift_time > 0)
      w.speed = std::min(lack / drift_time, options_.skin / step_time_) * haste;
    if (const ClassicContact* old = same_contact(contacts_, c)) {
      const double normal = dot(old->force, c.normal);
      if (normal > 0) w.guess = old->force * drive_time;
    }
  }
  return all;
}

/// Impulses at `touching_` that leave no contact coming nearer, into `held_`. Forces acted for drive_time; flights take drift_time, 0 where there are none.
void ClassicWorld::hold(double drive_time, double drift_time) {
  const std::vector<classic::ContactWish> wished = wishes(drive_time, drift_time);
  ++counters_.solves;
  held_.assign(touching_.size(), {});
  double carried = 0, excess = 0;
  for (const std::vector<std::uint32_t>& group : classic::linked_contacts(response_, touching_)) {
    std::vector<classic::ContactPoint> some;
    std::vector<classic::ContactWish> some_wishes;
    for (const std::uint32_t i : group) {
      some.push_back(touching_[i]);
      some_wishes.push_back(wished[i]);
    }
    const double tolerance = good_enough * length(options_.gravity) * drive_time;
    const classic::ContactSolution s =
        options_.solver == ClassicSolver::resting
            ? classic::solve_at_once(response_, some, some_wishes)
            : classic::solve_one_by_one(response_, some, some_wishes, most_rounds, tolerance);
    counters_.pivots += static_cast<std::uint64_t>(s.pivots);
    counters_.rounds += static_cast<std::uint64_t>(s.rounds);
    excess = std::max(excess, s.friction_excess);
    for (std::size_t k = 0; k < group.size(); ++k) {
      held_[group[k]] = s.impulses[k];
      carried = std::max(carried, length(s.impulses[k]));
    }
  }
  if (carried > 0)
    counters_.friction_excess = std::max(counters_.friction_excess, excess / carried);
  keep_forces(drive_time);
}

/// What a moment held says little about what comes: the forces of longer parts are kept.
void ClassicWorld::keep_forces(double time) {
  if (time < long_enough * step_time_) return;
  std::erase_if(contacts_, [&](const ClassicContact& c) {
    return in_cluster_[c.a] == 2 || in_cluster_[c.b] == 2;
  });
  for (std::size_t i = 0; i < touching_.size(); ++i) {
    ClassicContact& c = contacts_.emplace_back();
    static_cast<classic::ContactPoint&>(c) = touching_[i];
    c.force = held_[i] / time;
  }
}

/// After the flights: gravity's second half has drawn resting contacts together, and is held. What came together before is left to the next step, in which it collides.
void ClassicWorld::settle_velocities() {
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < bodies_.slots(); ++i) {
    if (bodies_[i].exists) boxes_[i] = classic::body_box(bodies_, i);
    if (bodies_[i].exists && bodies_[i].movable()) all.push_back(i);
  }
  find_cluster(step_time_, all);
  const double pull = length(options_.gravity) * step_time_;
  std::erase_if(touching_, [&](const classic::ContactPoint& c) {
    return dot(relative_velocity(response_, c), c.normal) < -(pull + options_.bounce_speed);
  });
  if (touching_.empty()) {
    contacts_.clear();
    return;
  }
  hold(0.5 * step_time_, 0);
  for (const std::uint32_t slot : cluster_) take_velocities(slot);
}

} // namespace carom
