#include "carom/dynamics/contact_solver.h"

#include "carom/math/trig.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <numeric>

namespace carom {
namespace {

void set_lane(LaneRow* rows, std::size_t lane, const Vec3& v) {
  for (int i = 0; i < 3; ++i) rows[i][lane] = static_cast<float>(v[i]);
}
void set_lane(LaneRow* rows, std::size_t lane, const float* v, std::size_t count, float sign = 1) {
  for (std::size_t i = 0; i < count; ++i) rows[i][lane] = sign * v[i];
}

/// Parts of work that threads take: a microsecond or two each.
constexpr std::size_t blocks_each = 8, bodies_each = 64;

/// How fast what sticks is drawn back to where it stuck, in parts a second: slow, so that it disturbs nothing.
constexpr double undo_rate = 10;

/// With fewer sub-steps than this, the overlaps of patches are undone as wholes, too: a tower of 20 stands with four sub-steps by that. With more there is no need, and tall piles come to rest sooner without.
constexpr int many_sub_steps = 6;

/// Of the sub-steps' rate: contacts that are stiffer let piles rock themselves up; those of what bears a burden are made that soft.
constexpr double stiffest_part = 0.25, calm_part = 0.1;

SoftStep soft_step(const SolverOptions& options, double time) {
  const double frequency = std::min(options.contact_frequency, stiffest_part / time);
  SoftStep s;
  s.time = static_cast<float>(time);
  s.inverse_time = static_cast<float>(1 / time);
  s.frequency = static_cast<float>(two_pi * frequency);
  s.damping = static_cast<float>(options.contact_damping);
  s.softest = static_cast<float>(std::max(1.0, frequency * time / calm_part));
  s.push_speed = static_cast<float>(options.push_speed);
  s.bounce_speed = static_cast<float>(options.bounce_threshold);
  s.together = options.sub_steps < many_sub_steps;
  return s;
}

/// Empties what is not written by the lanes that it has, nor by prepare_block.
void clear_block(ContactBlock& block, const GraphBlock& g) {
  block.point_count = g.points;
  block.fixed = block.alone = g.fixed;
  block.rolls = block.bounces = false;
  if (g.count < lane_count) {
    std::fill_n(block.a, lane_count, 0);
    std::fill_n(block.b, lane_count, 0);
    for (LaneRow& row : block.normal) std::fill_n(row, lane_count, 0.0F);
    std::fill_n(block.friction, lane_count, 0.0F);
    std::fill_n(block.restitution, lane_count, 0.0F);
    std::fill_n(block.twist, lane_count, 0.0F);
  }
  for (std::uint32_t k = 0; k < g.points; ++k) {
    std::fill_n(block.points[k].gap, lane_count, 0.0F);
    std::fill_n(block.points[k].impulse, lane_count, 0.0F);
  }
  for (LaneRow& row : block.roll) std::fill_n(row, lane_count, 0.0F);
  std::fill_n(block.roll_limit, lane_count, 0.0F);
}

/// Whether a joint of the body bears anything. A rope that hangs loose does not.
bool bears_joints(const BodyStore& bodies, const JointStore& joints, std::uint32_t slot) {
  for (std::uint32_t j = bodies[slot].first_joint; j != no_index; j = joints.next_of(j, slot))
    if (joints[j].force != Vec3{} || joints[j].torque != Vec3{}) return true;
  return false;
}

/// A joint that began to bear while the body had a burden pulled at more than its mass: that is not what it begins with when the burden is gone.
void forget_burdened_pulls(const BodyStore& bodies, JointStore& joints, std::uint32_t slot) {
  const Body& body = bodies[slot];
  if (!(body.burden > 1) || !bears_joints(bodies, joints, slot)) return;
  for (std::uint32_t j = body.first_joint; j != no_index; j = joints.next_of(j, slot))
    joints.edit(j).impulse = {};
}

} // namespace

void ContactSolver::fill_lane(const BodyStore& bodies, const Constraint& c, ContactBlock& block,
                              LaneInput& input, std::size_t lane) const {
  Manifold& m = *c.manifold;
  const PairRecord& pair = *c.pair;
  const Frame& a = c.place_a == 0 ? bodies[pair.body_a].frame : frames_[c.place_a];
  const Frame& b = c.place_b == 0 ? bodies[pair.body_b].frame : frames_[c.place_b];
  const float sign = c.swapped ? -1.0F : 1.0F;
  const std::uint32_t other = c.swapped ? c.place_a : c.place_b;
  const Vec3 normal = a.basis * m.normal;
  const Vec3 between = b.origin - a.origin;
  block.a[lane] = c.swapped ? c.place_b : c.place_a;
  block.b[lane] = other;
  block.alone = block.alone && other == 0;
  set_lane(block.normal, lane, normal * sign);
  set_lane(input.between, lane, other == 0 ? Vec3{} : between * (c.swapped ? 1.0 : -1.0));
  Vec3 crept{};
  for (int i = 0; i < m.count; ++i) {
    const auto k = static_cast<std::size_t>(i);
    PairPoint& p = m.points[k];
    const Vec3 arm_a = a.basis * p.on_a, arm_b = b.basis * p.on_b;
    // Both impulses act in one point, halfway, so that no angular momentum is made.
    const Vec3 apart = between + (arm_b - arm_a);
    set_lane(input.arm[k], lane, c.swapped ? arm_b - apart * 0.5 : arm_a + apart * 0.5);
    input.used[k][lane] = 1;
    const double gap = dot(apart, normal);
    block.points[k].gap[lane] = static_cast<float>(gap);
    block.points[k].impulse[lane] = p.impulse;
    const Vec3 along = apart - normal * gap;
    crept += along;
    // What slips sticks anew where it is; the points of what is round are put there in time (round_points.h).
    if (m.slips && !pair.round()) p.on_b = p.on_b - transpose_mul(b.basis, along);
  }
  if (!m.slips && !pair.belt) set_lane(input.drift, lane, crept * (sign * undo_rate / m.count));
  set_lane(input.slide, lane, m.friction, 3, sign);
  block.twist[lane] = m.twist;
  block.friction[lane] = pair.friction;
  block.restitution[lane] = pair.restitution;
  block.bounces = block.bounces || pair.restitution > 0;
  if (pair.rolling_friction > 0) {
    block.rolls = true;
    block.roll_limit[lane] = pair.rolling_friction;
    set_lane(input.roll, lane, m.rolling, 3, sign);
  }
  if (pair.belt) {
    const Vec3 of_a = a.basis * bodies.shape(pair.shape_a).def.material.surface_velocity;
    const Vec3 of_b = b.basis * bodies.shape(pair.shape_b).def.material.surface_velocity;
    set_lane(input.belt, lane, (of_b - of_a) * (c.swapped ? -1.0 : 1.0));
  }
}

/// Manifolds are visited in the order of colours, which is none for memory: the next block's are on their way while this one is filled.
void ContactSolver::fetch_block(std::size_t i) const {
  const GraphBlock& g = graph_.blocks()[i];
  constexpr std::size_t line = 64;
  const std::size_t used = offsetof(Manifold, points) + g.points * sizeof(PairPoint);
  for (std::uint32_t lane = 0; lane < g.count; ++lane) {
    const Constraint& c = constraints_[graph_.order()[g.first + lane]];
    const auto* from = reinterpret_cast<const std::byte*>(c.manifold);
    for (std::size_t at = 0; at < used; at += line) __builtin_prefetch(from + at);
    __builtin_prefetch(&c.pair->friction);
  }
}

void ContactSolver::fill_block(const BodyStore& bodies, const SoftStep& soft, std::size_t i) {
  const GraphBlock& g = graph_.blocks()[i];
  ContactBlock& block = blocks_[i];
  LaneInput input{};
  clear_block(block, g);
  for (std::uint32_t lane = 0; lane < g.count; ++lane)
    fill_lane(bodies, constraints_[graph_.order()[g.first + lane]], block, input, lane);
  prepare_block(block, input, soft, states_, motions_);
}

/// A part is one thread's, from colour to colour, and it waits for nobody; where there are fewer parts than threads, they do a colour together. A thread begins with the same parts in every pass, so that they stay in its cache.
void ContactSolver::share_blocks(Team& team, FunctionRef<void(std::size_t, std::size_t)> work) {
  if (team.alone()) return work(0, blocks_.size());
  for (std::size_t i = 0; i < graph_.stages(); ++i) {
    const std::span<const GraphPart> parts = graph_.stage(i);
    if (parts.size() >= team.size()) {
      team.share(parts.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k)
          work(parts[k].first, std::size_t{parts[k].first} + parts[k].count);
      });
      continue;
    }
    for (const GraphPart& part : parts)
      for (const GraphColor& c : graph_.colors(part))
        team.share(
            c.count, c.at_once ? blocks_each : c.count,
            [&](std::size_t begin, std::size_t end) { work(c.first + begin, c.first + end); });
  }
}

/// Those that woke since the regions were found are in the first one.
void ContactSolver::find_regions(const Regions& regions, std::size_t bodies) {
  regions_ = regions.count();
  region_of_.assign(1, 0);
  region_of_.insert(region_of_.end(), regions.of().begin(), regions.of().end());
  region_of_.resize(bodies + 1, 0);
}

void ContactSolver::fill(const BodyStore& bodies, const SoftStep& soft, Team& team) {
  graph_.build(edges_, region_of_, regions_);
  blocks_.resize(graph_.blocks().size());
  share_blocks(team, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (i + 1 < end) fetch_block(i + 1);
      fill_block(bodies, soft, i);
    }
  });
}

void ContactSolver::pass(Team& team, FunctionRef<void(std::span<ContactBlock>)> over) {
  share_blocks(team, [&](std::size_t begin, std::size_t end) {
    over(std::span(blocks_).subspan(begin, end - begin));
  });
}

/// Of blocks of eight bodies.
void ContactSolver::move_bodies(const BodyStore& bodies, double time, std::size_t begin,
                                std::size_t end) {
  integrate_positions(motions_, states_, static_cast<float>(time), fast_, begin, end);
  std::array<std::uint32_t, lane_count> swift{};
  std::size_t count = 0;
  const auto move_swift = [&] {
    integrate_swift(bodies, motions_, states_, swift.data(), time);
    swift = {};
    count = 0;
  };
  for (std::size_t i = begin; i < end; ++i)
    for (std::uint32_t left = fast_[i]; left != 0; left &= left - 1) {
      const std::size_t place = i * lane_count + static_cast<std::size_t>(std::countr_zero(left));
      const Body& body = bodies[motions_[place].slot];
      if (!is_swift(body, motions_[place], states_[place], time)) {
        integrate_fast(body, motions_[place], states_[place], time);
        continue;
      }
      swift[count++] = static_cast<std::uint32_t>(place);
      if (count == lane_count) move_swift();
    }
  if (count > 0) move_swift();
}

void ContactSolver::sub_step(const BodyStore& bodies, double time, const SoftStep& soft, bool first,
                             Team& team) {
  joints_.begin_sub_step(states_);
  team.share(states_.size(), bodies_each, [&](std::size_t begin, std::size_t end) {
    integrate_velocities(std::span(motions_).subspan(begin, end - begin),
                         std::span(states_).subspan(begin, end - begin), first);
  });
  joints_.warm_start(motions_, states_);
  if (first) pass(team, [&](std::span<ContactBlock> blocks) { warm_start(blocks, states_); });
  joints_.solve(motions_, states_);
  pass(team, [&](std::span<ContactBlock> blocks) { solve(blocks, states_, motions_, soft); });
  team.share(fast_.size(), bodies_each / lane_count,
             [&](std::size_t begin, std::size_t end) { move_bodies(bodies, time, begin, end); });
  joints_.relax(motions_, states_);
  pass(team, [&](std::span<ContactBlock> blocks) { relax(blocks, states_, motions_, soft); });
}

/// Of all, added up in stretches: so the sum is the same whoever does it.
double ContactSolver::weigh_bodies(const BodyStore& bodies, std::span<const std::uint32_t> active,
                                   Team& team) {
  weights_.assign((active.size() + bodies_each - 1) / bodies_each, 0);
  team.share(weights_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t part = begin; part < end; ++part)
      for (std::size_t i = part * bodies_each;
           i < std::min((part + 1) * bodies_each, active.size()); ++i)
        weights_[part] += weight_of(bodies[active[i]], motions_[i + 1]);
  });
  return std::accumulate(weights_.begin(), weights_.end(), 0.0);
}

void ContactSolver::store_block(std::size_t i) const {
  const GraphBlock& g = graph_.blocks()[i];
  const ContactBlock& block = blocks_[i];
  for (std::uint32_t lane = 0; lane < g.count; ++lane) {
    const Constraint& c = constraints_[graph_.order()[g.first + lane]];
    Manifold& m = *c.manifold;
    const float sign = c.swapped ? -1.0F : 1.0F;
    m.approach = 0;
    for (int k = 0; k < m.count; ++k) {
      const PointLanes& p = block.points[k];
      m.points[static_cast<std::size_t>(k)].impulse = p.impulse[lane];
      m.points[static_cast<std::size_t>(k)].total = p.total[lane];
      m.approach = std::max(m.approach, -p.approach[lane]);
    }
    const float n[3] = {block.normal[0][lane], block.normal[1][lane], block.normal[2][lane]};
    const float t[3] = {block.tangent[0][lane], block.tangent[1][lane], block.tangent[2][lane]};
    const float u[3] = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2],
                        n[0] * t[1] - n[1] * t[0]};
    for (int k = 0; k < 3; ++k) {
      m.friction[k] = sign * (t[k] * block.slide[0][lane] + u[k] * block.slide[1][lane]);
      m.rolling[k] = sign * (t[k] * block.roll[0][lane] + u[k] * block.roll[1][lane]);
    }
    m.twist = block.twist[lane];
    float carried = 0;
    for (std::uint32_t k = 0; k < block.point_count; ++k) carried += block.points[k].impulse[lane];
    const float slide =
        block.slide[0][lane] * block.slide[0][lane] + block.slide[1][lane] * block.slide[1][lane];
    const float bound = block.friction[lane] * carried;
    m.slips = !(slide < 0.98F * bound * bound);
  }
}

void ContactSolver::step(BodyStore& bodies, ContactStore& pairs, JointStore& joints,
                         std::span<const std::uint32_t> active, const Regions& regions,
                         std::span<const std::size_t> pair_begins, const Vec3& gravity, double time,
                         const SolverOptions& options, Team& team) {
  const double h = time / options.sub_steps;
  states_.resize(active.size() + 1);
  motions_.resize(active.size() + 1);
  frames_.resize(active.size() + 1);
  states_[0] = {};
  motions_[0] = {};
  frames_[0] = {};
  const SoftStep soft = soft_step(options, h);
  find_regions(regions, active.size());
  collect(bodies, pairs, pair_begins, team);
  feel_strikes(bodies, active, options, soft, time, team);
  team.share(active.size(), bodies_each, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Body& body = bodies[active[i]];
      frames_[i + 1] = body.frame;
      states_[i + 1] = begin_state(body);
      motions_[i + 1] = begin_motion(body, active[i], gravity, h);
    }
  });
  fast_.resize((states_.size() + lane_count - 1) / lane_count);
  joints_.begin(bodies, joints, active, motions_, states_, h);
  fill(bodies, soft, team);
  for (int i = 0; i < options.sub_steps; ++i) sub_step(bodies, h, soft, i == 0, team);
  pass(team, [&](std::span<ContactBlock> blocks) { weigh(blocks, states_); });
  joints_.finish(joints, time);
  const double weight = weigh_bodies(bodies, active, team);
  if (joints.count() > 0)
    for (const std::uint32_t slot : active) forget_burdened_pulls(bodies, joints, slot);
  team.share(active.size(), bodies_each, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Body& body = bodies[active[i]];
      motions_[i + 1].rotation = rotation_now(body, motions_[i + 1]);
      body.burden = next_burden(body, motions_[i + 1], states_[i + 1], hasty_[i + 1] != 0, weight,
                                options.rest_depth, soft);
      if (body.burden > 1 && bears_joints(bodies, joints, active[i])) body.burden = 1;
    }
  });
  share_blocks(team, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (i + 1 < end) fetch_block(i + 1);
      store_block(i);
    }
  });
}

} // namespace carom
