// From event to event. Each body flies as planned until it meets another; those two, and all that touch them, respond together and are planned anew, the rest fly on.
//
// Contact begins a skin away from touch. Bodies that are that near already are watched for a part of the distance they have: so whatever the response, nothing touches before the next look, and what came too near is told to rise
// to half the skin again. (A corner that rolls comes nearer by what it turns, whatever its speed along the normal: it hops, the lower the more often.) Only what overlapped or touched when the step began is not watched: it is
// pushed out by its contacts.
#include "carom/dynamics/classic/classic_world.h"
#include "carom/dynamics/classic/touching.h"
#include "carom/dynamics/integrator.h"

#include <algorithm>

namespace carom {
namespace {

/// Of the skin: contacts are made up to here. What landed at the skin, to within the error of the landing, is among them.
constexpr double zone = 2;
/// Of the skin: from here on the skin itself is watched for.
constexpr double outside = 1.5;
/// Of the skin: nearer counts as touching.
constexpr double tiny = 1e-5;
/// Of the distance that bodies have: what is watched for where they are about where they rest, and where they are nearer.
constexpr double resting_part = 0.5, near_part = 0.95;
/// Of the way to there, and of the skin: what may be missing when they are said to be there.
constexpr double error_part = 0.4;
/// A run has so many meetings at most, and so many for each body that moves.
constexpr std::uint64_t base_meetings = 100, body_meetings = 30;

} // namespace

void ClassicWorld::place_at(std::uint32_t slot, double now) {
  if (!flights_[slot].moves || placed_[slot] == now) return;
  bodies_.place(slot, classic::pose_at_time(flights_[slot], now));
  placed_[slot] = now;
}

/// Adds the contacts between two bodies; the other joins the cluster where there are any.
void ClassicWorld::touch(double now, std::uint32_t slot, std::uint32_t other) {
  place_at(other, now);
  const std::size_t before = touching_.size();
  classic::add_contacts(bodies_, std::min(slot, other), std::max(slot, other), zone * options_.skin,
                        touching_);
  if (touching_.size() == before || in_cluster_[other] != 0) return;
  in_cluster_[other] = 1;
  cluster_.push_back(other);
}

/// All bodies that hang together with the seeds by contacts, as they are at that time, with velocities and contacts.
void ClassicWorld::find_cluster(double now, const std::vector<std::uint32_t>& seeds) {
  in_cluster_.assign(bodies_.slots(), 0);
  touching_.clear();
  cluster_ = seeds;
  for (const std::uint32_t i : seeds) in_cluster_[i] = 1;
  for (std::size_t k = 0; k < cluster_.size(); ++k) {
    const std::uint32_t slot = cluster_[k];
    place_at(slot, now);
    if (!bodies_[slot].movable()) continue;
    in_cluster_[slot] = 2;
    const Aabb box = classic::body_box(bodies_, slot);
    for (std::uint32_t other = 0; other < bodies_.slots(); ++other)
      if (in_cluster_[other] != 2 &&
          classic::boxes_meet(box, boxes_[other], zone * options_.skin) &&
          classic::may_touch(bodies_, slot, other))
        touch(now, slot, other);
  }
  for (const std::uint32_t slot : cluster_) {
    const classic::Velocities v = classic::velocities_at(flights_[slot], bodies_[slot], now);
    bodies_[slot].velocity = v.velocity;
    bodies_[slot].angular_velocity = v.spin;
    response_[slot] = classic::response_body(bodies_[slot]);
  }
}

void ClassicWorld::respond(double now, const std::vector<std::uint32_t>& seeds) {
  find_cluster(now, seeds);
  const double slow = std::max(options_.bounce_speed, length(options_.gravity) * step_time_);
  const classic::CollideCounts counts =
      classic::collide(response_, touching_, {options_.impulses, slow});
  counters_.collisions += static_cast<std::uint64_t>(counts.impulses);
  counters_.pivots += static_cast<std::uint64_t>(counts.pivots);
  plan(now);
  for (const std::uint32_t slot : cluster_)
    if (moving_[slot] != 0) queue_.replanned(slot);
  for (const std::uint32_t slot : cluster_)
    if (moving_[slot] != 0) foresee(now, slot);
}

/// New flights for the cluster, from its velocities after the collisions. First each body gets the velocities it would have without contacts: those of the middle of the flight under impulses, those of its end under forces. Then the contacts hold these.
void ClassicWorld::plan(double now) {
  const double left = step_time_ - now;
  const bool forces = options_.solver == ClassicSolver::resting;
  const double drive = forces ? left : 0.5 * left;
  std::vector<Vec3> spin_gains(cluster_.size());
  for (std::size_t k = 0; k < cluster_.size(); ++k) {
    const std::uint32_t slot = cluster_[k];
    take_velocities(slot);
    const Body& b = bodies_[slot];
    if (moving_[slot] == 0 || !b.movable() || !(left > 0)) continue;
    const FreeTurn turn = turn_freely(b, b.pose.rotation, b.angular_velocity, left);
    response_[slot].spin = forces ? turn.spin : turn.mean;
    spin_gains[k] = turn.spin - turn.mean;
    response_[slot].velocity += pull_on(slot) * drive;
  }
  held_.assign(touching_.size(), {});
  if (left > 0 && !touching_.empty()) hold(drive, left);
  std::vector<char> pushed(bodies_.slots(), 0);
  for (std::size_t i = 0; i < touching_.size(); ++i)
    // Under forces, contacts that carry nothing count as well: it is the mean of the velocities at both ends that none of them comes nearer with.
    if (forces || held_[i] != Vec3{}) pushed[touching_[i].a] = pushed[touching_[i].b] = 1;
  for (std::size_t k = 0; k < cluster_.size(); ++k) {
    const std::uint32_t slot = cluster_[k];
    const classic::ResponseBody after = response_[slot];
    if (moving_[slot] == 0) {
      // It is not its turn: it keeps what it was pushed by.
      take_velocities(slot);
      continue;
    }
    classic::Flight& flight = flights_[slot];
    const Body& b = bodies_[slot];
    if (!(left > 0) || pushed[slot] == 0 || !b.movable() || !is_speed(after.velocity) ||
        !is_speed(after.spin)) {
      flight = classic::fly_free(b, pull_on(slot), now, step_time_);
    } else if (forces) {
      flight = classic::fly_forced(b, after.velocity, after.spin, now, step_time_);
    } else {
      flight = classic::fly_held(b, after.velocity, after.spin, pull_on(slot) * drive,
                                 spin_gains[k], now, step_time_);
    }
    boxes_[slot] = classic::body_box(bodies_, slot, flight.motion);
    placed_[slot] = now;
  }
}

/// When the body, whose flight begins now, meets others.
void ClassicWorld::foresee(double now, std::uint32_t slot) {
  const double left = step_time_ - now, skin = options_.skin;
  if (!(left > 0)) return;
  for (std::uint32_t other = 0; other < bodies_.slots(); ++other) {
    // Pairs of two that are planned anew, once.
    if (in_cluster_[other] != 0 && moving_[other] != 0 && other < slot) continue;
    if (!classic::boxes_meet(boxes_[slot], boxes_[other], zone * skin) ||
        !classic::may_touch(bodies_, slot, other))
      continue;
    place_at(other, now);
    const double apart = classic::gap(bodies_, slot, other, zone * skin);
    if (!(apart > tiny * skin)) {
      // What touched when the step began is pushed out; what comes to touch now could pass, so all stop here.
      stalled_ = stalled_ || now > 0;
      continue;
    }
    const double part = apart > 0.4 * skin ? resting_part : near_part;
    const double margin = apart > outside * skin ? skin : part * apart;
    const double error = error_part * std::min(skin, apart - margin);
    ++counters_.impact_queries;
    const double t = classic::meeting_time(
        bodies_, slot, classic::motion_from(flights_[slot], bodies_[slot], now), other,
        classic::motion_from(flights_[other], bodies_[other], now), margin, error);
    if (t > 0 && t < 1) queue_.foresee(now + t * left, slot, other);
  }
}

void ClassicWorld::finish_flights(double now) {
  for (std::uint32_t slot = 0; slot < bodies_.slots(); ++slot) {
    if (!flights_[slot].moves) continue;
    place_at(slot, now);
    Body& b = bodies_[slot];
    const classic::Velocities v = classic::velocities_at(flights_[slot], b, now);
    response_[slot] = classic::response_body(b);
    response_[slot].velocity = v.velocity;
    response_[slot].spin = v.spin;
    take_velocities(slot);
    flights_[slot].moves = false;
  }
}

void ClassicWorld::run_events(const std::vector<std::uint32_t>& movers) {
  const std::uint32_t n = bodies_.slots();
  flights_.assign(n, {});
  boxes_.assign(n, {});
  placed_.assign(n, 0);
  moving_.assign(n, 0);
  queue_.reset(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    if (!bodies_[i].exists) continue;
    flights_[i] = classic::no_flight(bodies_[i], step_time_);
    boxes_[i] = classic::body_box(bodies_, i);
  }
  for (const std::uint32_t i : movers) moving_[i] = 1;
  stalled_ = false;
  respond(0, movers);
  double now = step_time_;
  const std::uint64_t most = base_meetings + body_meetings * movers.size();
  std::uint64_t count = 0;
  while (const std::optional<classic::Meeting> m = queue_.next()) {
    ++counters_.meetings;
    respond(m->time, {m->a, m->b});
    stalled_ = stalled_ || ++count == most;
    if (stalled_) {
      now = m->time;
      ++counters_.stalls;
      break;
    }
  }
  finish_flights(now);
}

} // namespace carom
