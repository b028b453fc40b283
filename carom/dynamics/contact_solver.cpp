#include "carom/dynamics/contact_solver.h"

#include "carom/math/trig.h"

#include <algorithm>

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

/// A spring of this frequency and damping (over critical), taken implicitly over a time: as rates and scales of impulses.
SoftStep soft_step(double frequency, double damping, double time, double push_speed) {
  const double omega = two_pi * frequency;
  const double a = 2 * damping + time * omega;
  const double b = time * omega * a;
  SoftStep s;
  s.inverse_time = static_cast<float>(1 / time);
  s.rate = static_cast<float>(omega / a);
  s.mass_scale = static_cast<float>(b / (1 + b));
  s.impulse_scale = static_cast<float>(1 / (1 + b));
  s.push_speed = static_cast<float>(push_speed);
  return s;
}

} // namespace

/// Every manifold with points of which a body can be moved becomes a constraint.
void ContactSolver::collect(const BodyStore& bodies, ContactStore& pairs) {
  constraints_.clear();
  edges_.clear();
  for (std::size_t at = 0; at < pairs.active().size(); ++at) {
    if (!pairs.head(at).carries) continue;
    const std::uint32_t i = pairs.active()[at];
    PairRecord& p = pairs[i];
    if (p.sensor) continue;
    const Body &a = bodies[p.body_a], &b = bodies[p.body_b];
    const bool a_moves = a.movable() && a.active_at != no_index,
               b_moves = b.movable() && b.active_at != no_index;
    if (!a_moves && !b_moves) continue;
    for (Manifold* m = &p.manifold; m != nullptr; m = pairs.after(*m)) {
      if (m->count == 0) continue;
      const std::uint32_t first = (a_moves ? a : b).active_at + 1,
                          second = a_moves && b_moves ? b.active_at + 1 : 0;
      constraints_.push_back({i, m, !a_moves});
      edges_.push_back({first, second, static_cast<std::uint32_t>(m->count)});
    }
  }
}

void ContactSolver::fill_lane(const BodyStore& bodies, const PairRecord& pair, const Constraint& c,
                              ContactBlock& block, LaneInput& input, std::size_t lane) const {
  Manifold& m = *c.manifold;
  const Body &a = bodies[pair.body_a], &b = bodies[pair.body_b];
  const Body &own = c.swapped ? b : a, &other = c.swapped ? a : b;
  const float sign = c.swapped ? -1.0F : 1.0F;
  const std::uint32_t place_own = own.active_at + 1;
  const std::uint32_t place_other = other.active_at == no_index ? 0 : other.active_at + 1;
  const Vec3 normal = a.frame.basis * m.normal;
  const Vec3 between = b.frame.origin - a.frame.origin;
  block.a[lane] = place_own;
  block.b[lane] = place_other;
  set_lane(block.normal, lane, normal * sign);
  set_lane(block.mass_a, lane, motions_[place_own].inverse_mass, 3);
  set_lane(block.mass_b, lane, motions_[place_other].inverse_mass, 3);
  set_lane(block.inertia_a, lane, motions_[place_own].inverse_inertia, 6);
  set_lane(block.inertia_b, lane, motions_[place_other].inverse_inertia, 6);
  set_lane(input.between, lane, place_other == 0 ? Vec3{} : between * (c.swapped ? 1.0 : -1.0));
  Vec3 crept{};
  for (int i = 0; i < m.count; ++i) {
    const auto k = static_cast<std::size_t>(i);
    PairPoint& p = m.points[k];
    const Vec3 arm_a = a.frame.basis * p.on_a, arm_b = b.frame.basis * p.on_b;
    // Both impulses act in one point, halfway, so that no angular momentum is made.
    const Vec3 apart = between + (arm_b - arm_a);
    set_lane(input.arm[k], lane, c.swapped ? arm_b - apart * 0.5 : arm_a + apart * 0.5);
    input.used[k][lane] = 1;
    block.points[k].gap[lane] = static_cast<float>(dot(apart, normal));
    block.points[k].impulse[lane] = p.impulse;
    const Vec3 along = apart - normal * dot(apart, normal);
    crept += along;
    // What slips sticks anew where it is.
    if (m.slips) p.on_b = p.on_b - transpose_mul(b.frame.basis, along);
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
    const Vec3 of_a = a.frame.basis * bodies.shape(pair.shape_a).def.material.surface_velocity;
    const Vec3 of_b = b.frame.basis * bodies.shape(pair.shape_b).def.material.surface_velocity;
    set_lane(input.belt, lane, (of_b - of_a) * (c.swapped ? -1.0 : 1.0));
  }
}

void ContactSolver::fill_block(const BodyStore& bodies, const ContactStore& pairs, std::size_t i) {
  const GraphBlock& g = graph_.blocks()[i];
  ContactBlock& block = blocks_[i];
  LaneInput input{};
  block = ContactBlock{};
  block.point_count = g.points;
  block.fixed = g.fixed;
  for (std::uint32_t lane = 0; lane < g.count; ++lane) {
    const Constraint& c = constraints_[graph_.order()[g.first + lane]];
    fill_lane(bodies, pairs[c.pair], c, block, input, lane);
  }
  prepare_block(block, input, states_);
}

void ContactSolver::fill(const BodyStore& bodies, const ContactStore& pairs, Team& team) {
  graph_.build(edges_, states_.size());
  blocks_.resize(graph_.blocks().size());
  team.share(blocks_.size(), blocks_each, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) fill_block(bodies, pairs, i);
  });
}

void ContactSolver::pass(Team& team, FunctionRef<void(std::span<ContactBlock>)> over) {
  const std::span<ContactBlock> all(blocks_);
  if (team.alone()) return over(all);
  for (const GraphColor& c : graph_.stretches())
    team.share(c.count, c.at_once ? blocks_each : c.count, [&](std::size_t begin, std::size_t end) {
      over(all.subspan(c.first + begin, end - begin));
    });
}

void ContactSolver::sub_step(const BodyStore& bodies, double time, const SolverOptions& options,
                             Team& team) {
  const double frequency = std::min(options.contact_frequency, 0.25 / time);
  const SoftStep soft = soft_step(frequency, options.contact_damping, time, options.push_speed);
  const std::size_t count = states_.size() - 1; // place 0 is nobody's
  team.share(count, bodies_each, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin + 1; i <= end; ++i) integrate_velocity(motions_[i], states_[i]);
  });
  joints_.warm_start(states_);
  pass(team, [&](std::span<ContactBlock> blocks) { warm_start(blocks, states_); });
  joints_.solve(states_);
  pass(team, [&](std::span<ContactBlock> blocks) { solve(blocks, states_, soft); });
  team.share(count, bodies_each, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin + 1; i <= end; ++i)
      integrate_position(bodies[motions_[i].slot], motions_[i], states_[i], time);
  });
  joints_.relax(bodies, motions_, states_);
  pass(team, [&](std::span<ContactBlock> blocks) { relax(blocks, states_, soft.inverse_time); });
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
                         std::span<const std::uint32_t> active, const Vec3& gravity, double time,
                         const SolverOptions& options, Team& team) {
  const double h = time / options.sub_steps;
  states_.clear();
  motions_.clear();
  states_.emplace_back();
  motions_.emplace_back();
  for (const std::uint32_t slot : active) {
    states_.push_back(begin_state(bodies[slot]));
    motions_.push_back(begin_motion(bodies[slot], slot, gravity, h));
  }
  joints_.begin(bodies, joints, active, motions_, states_, h);
  collect(bodies, pairs);
  fill(bodies, pairs, team);
  for (int i = 0; i < options.sub_steps; ++i) sub_step(bodies, h, options, team);
  const auto threshold = static_cast<float>(options.bounce_threshold);
  pass(team, [&](std::span<ContactBlock> blocks) { bounce(blocks, states_, threshold); });
  team.share(blocks_.size(), blocks_each, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) store_block(i);
  });
  joints_.finish(joints, time);
}

} // namespace carom
