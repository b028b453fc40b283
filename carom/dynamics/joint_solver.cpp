#include "carom/dynamics/joint_solver.h"

#include "carom/math/trig.h"

#include <algorithm>
#include <bit>

namespace carom {
namespace {

// Locks outside of trees, and limits that are passed: as stiff as one pass a sub-step can hold.
constexpr double lock_frequency = 60, lock_damping = 2;
/// Of an error, how much a tree undoes in a sub-step.
constexpr double tree_part = 0.5;
/// How much heavier links must be to turn than just stays stable.
constexpr double steadiness = 2;
/// Metres or radians a second: errors are not undone faster.
constexpr double push_speed = 12;

JointStep joint_step(double time) {
  const double omega = two_pi * std::min(lock_frequency, 0.25 / time);
  const double a = 2 * lock_damping + time * omega, b = time * omega * a;
  JointStep s;
  s.inverse_time = static_cast<float>(1 / time);
  s.rate = static_cast<float>(omega / a);
  s.mass_scale = static_cast<float>(b / (1 + b));
  s.impulse_scale = static_cast<float>(1 / (1 + b));
  s.push_speed = static_cast<float>(push_speed);
  return s;
}

void put(const Vec3& v, float* to) {
  for (int i = 0; i < 3; ++i) to[i] = static_cast<float>(v[i]);
}
Mat3 inverted(const Mat3& m) {
  const Vec3 a = cross(m.y, m.z), b = cross(m.z, m.x), c = cross(m.x, m.y);
  return transpose(Mat3{a, b, c}) * (1 / dot(m.x, a));
}
void put_symmetric(const Mat3& m, float* diagonal, float* products) {
  put({m.x.x, m.y.y, m.z.z}, diagonal);
  put({m.y.x, m.z.y, m.z.x}, products);
}

} // namespace

/// All joints of which a body is active and can be moved, in the order of their slots.
void JointSolver::collect(const BodyStore& bodies, JointStore& joints,
                          std::span<const std::uint32_t> active) {
  slots_.clear();
  for (const std::uint32_t body : active)
    for (std::uint32_t j = bodies[body].first_joint; j != no_index; j = joints.next_of(j, body))
      slots_.push_back(j);
  std::sort(slots_.begin(), slots_.end());
  slots_.erase(std::unique(slots_.begin(), slots_.end()), slots_.end());
  acting_.clear();
  for (const std::uint32_t slot : slots_) {
    JointRecord& record = joints[slot];
    Acting j;
    j.joint = slot;
    const auto find = [&](std::uint32_t body, std::uint32_t& place, bool& moves) {
      if (body == no_index || bodies[body].active_at == no_index) return;
      place = bodies[body].active_at + 1;
      moves = bodies[body].movable();
    };
    find(record.body_a, j.a, j.a_moves);
    find(record.body_b, j.b, j.b_moves);
    if (!j.a_moves && !j.b_moves) continue;
    j.place = place_of(bodies, record);
    j.values = values_of(j.place, record.twist);
    record.twist = j.values[3];
    acting_.push_back(j);
  }
}

void JointSolver::find_trees(const BodyStore& bodies, const JointStore& joints,
                             std::span<const BodyMotion> motions) {
  const auto has_locked_axes = [&](std::uint32_t place, bool moves) {
    if (!moves) return false;
    const LockedAxes& l = bodies[motions[place].slot].locked;
    return l.x || l.y || l.z || l.turn_x || l.turn_y || l.turn_z;
  };
  edges_.clear();
  edge_of_.clear();
  jointed_.clear();
  masses_.assign(motions.size(), 0);
  for (std::uint32_t i = 0; i < acting_.size(); ++i) {
    Acting& j = acting_[i];
    for (const std::uint32_t place : {j.a, j.b})
      if (place != 0) jointed_.push_back(place);
    const JointRecord& record = joints[j.joint];
    unsigned locks = 0;
    for (unsigned s = 0; s < joint_slots; ++s)
      if (is_locked(record.slots[s])) locks |= 1U << s;
    j.locks = static_cast<std::uint8_t>(locks);
    // A child has six ways to move: more rows than that cannot all be held.
    j.tree = locks != 0 && std::popcount(locks) <= 6 && !has_locked_axes(j.a, j.a_moves) &&
             !has_locked_axes(j.b, j.b_moves);
    if (!j.tree) continue;
    edges_.push_back({j.a_moves ? j.a : 0, j.b_moves ? j.b : 0, locks});
    edge_of_.push_back(i);
    for (const std::uint32_t place : {edges_.back().a, edges_.back().b})
      if (place != 0) masses_[place] = static_cast<float>(bodies[motions[place].slot].mass);
  }
  std::sort(jointed_.begin(), jointed_.end());
  jointed_.erase(std::unique(jointed_.begin(), jointed_.end()), jointed_.end());
  forest_.build(edges_, masses_);
  for (const std::uint32_t edge : forest_.cut()) acting_[edge_of_[edge]].tree = false;
}

/// What is not solved in trees.
void JointSolver::list_rows(const JointStore& joints) {
  specs_.clear();
  by_rows_.clear();
  graph_edges_.clear();
  for (std::uint32_t i = 0; i < acting_.size(); ++i) {
    Acting& j = acting_[i];
    j.first_row = static_cast<std::uint32_t>(specs_.size());
    for (std::uint8_t s = 0; s < joint_slots; ++s) {
      const JointAxis& axis = joints[j.joint].slots[s];
      const bool locked = is_locked(axis);
      const bool bounded =
          axis.limits && (axis.limits->lower > -INFINITY || axis.limits->upper < INFINITY);
      if (!locked && axis.motor) specs_.push_back({s, JointEffect::motor});
      if (!locked && axis.spring &&
          axis.spring->frequency + axis.spring->stiffness + axis.spring->damping > 0)
        specs_.push_back({s, JointEffect::spring});
      if (locked ? !j.tree : bounded) specs_.push_back({s, JointEffect::hold});
    }
    j.rows = static_cast<std::uint32_t>(specs_.size()) - j.first_row;
    if (j.rows == 0) continue;
    by_rows_.push_back(i);
    const std::uint32_t first = j.a_moves ? j.a : j.b;
    const std::uint32_t second = j.a_moves && j.b_moves ? j.b : 0;
    graph_edges_.push_back({first, second, std::min(j.rows, 4U)});
  }
}

/// How heavy a link must be to turn, so that the pull on it does not shake it. A force f at an arm r turns a body back with a stiffness of |f| |r|, which acts with a sub-step's delay: that is stable
/// while inertia >= |f| |r| time^2. Links far lighter than what they carry are taken to be so heavy, about axes at right angles to the arm, as far as joints are concerned. Others are left as they are.
void JointSolver::steady(std::uint32_t place, const Vec3& arm, double force, const Body& body) {
  const double r = length(arm);
  if (!(r > 0)) return;
  const Vec3 along = arm / r, local = transpose_mul(body.frame.basis, along);
  const Mat3& i = body.inertia;
  const double across = 0.5 * (i.x.x + i.y.y + i.z.z - dot(local, i * local));
  const double lacking = steadiness * force * r * time_ * time_ - across;
  if (!(lacking > 0)) return;
  added_[place] = added_[place] + (Mat3::identity() - outer(local, local)) * lacking;
  has_added_[place] = 1;
}

void JointSolver::steady_bodies(const BodyStore& bodies, const JointStore& joints,
                                std::span<BodyMotion> motions) {
  added_.assign(motions.size(), Mat3::zero());
  has_added_.assign(motions.size(), 0);
  for (const Acting& j : acting_) {
    const double force = joints[j.joint].strain;
    if (j.a_moves) steady(j.a, j.place.arm_a, force, bodies[motions[j.a].slot]);
    if (j.b_moves) steady(j.b, j.place.arm_b, force, bodies[motions[j.b].slot]);
  }
  for (TreeBlock& block : tree_blocks_)
    for (std::size_t i = 0; i < lane_count; ++i)
      block.foreseen[i] =
          has_added_[block.child_place[i]] + has_added_[block.parent_place[i]] == 0 ? 1.0F : 0.0F;
  // For contacts as well: of two ways to weigh a body, each would undo what the other does.
  for (const std::uint32_t place : jointed_) {
    const Body& body = bodies[motions[place].slot];
    if (has_added_[place] == 0 || body.locked.turn_x || body.locked.turn_y || body.locked.turn_z)
      continue;
    const Mat3& r = body.frame.basis;
    BodyMotion& to = motions[place];
    const Mat3 inertia = body.inertia + added_[place];
    put_symmetric(r * inverted(inertia) * transpose(r), to.inverse_inertia, to.inverse_products);
    if (to.gyroscopic) put_symmetric(r * inertia * transpose(r), to.inertia, to.products);
  }
}

void JointSolver::place_bodies(const BodyStore& bodies, std::span<const BodyMotion> motions) {
  for (const std::uint32_t place : jointed_) {
    const BodyMotion& m = motions[place];
    const Body& body = bodies[m.slot];
    JointBody& to = bodies_[place];
    const float sign = m.turn[3] < 0 ? -1.0F : 1.0F;
    for (std::size_t i = 0; i < 3; ++i) to.turn[i] = m.turn[i] * sign;
    if (!body.movable()) continue;
    const bool locked = body.locked.turn_x || body.locked.turn_y || body.locked.turn_z;
    if (locked) {
      std::copy(m.inverse_inertia, m.inverse_inertia + 3, to.inverse_inertia);
      std::copy(m.inverse_products, m.inverse_products + 3, to.inverse_products);
      continue;
    }
    const Mat3 r = to_matrix(rotation_now(body, m)), back = transpose(r);
    const bool added = has_added_[place] != 0;
    const Mat3 own = added ? body.inertia + added_[place] : body.inertia;
    put_symmetric(r * (added ? inverted(own) : body.inverse_inertia) * back, to.inverse_inertia,
                  to.inverse_products);
    if (tree_of_[place] == 0) continue;
    TreeBody& tree = tree_bodies_[tree_of_[place]];
    tree = TreeBody{};
    tree.mass[0] = tree.mass[2] = tree.mass[5] = body.mass;
    const Mat3 inertia = r * own * back;
    tree.mass[9] = inertia.x.x;
    tree.mass[13] = inertia.y.x;
    tree.mass[14] = inertia.y.y;
    tree.mass[18] = inertia.z.x;
    tree.mass[19] = inertia.z.y;
    tree.mass[20] = inertia.z.z;
  }
}

void JointSolver::refresh(const BodyStore& bodies, std::span<const BodyMotion> motions,
                          std::span<const SolverBody> states, bool begins) {
  place_bodies(bodies, motions);
  refresh_trees(tree_blocks_, tree_rows_, states, bodies_, tree_bodies_, begins);
  refresh_rows(blocks_, rows_, states, bodies_, step_, begins);
}

void JointSolver::begin(const BodyStore& bodies, JointStore& joints,
                        std::span<const std::uint32_t> active, std::span<BodyMotion> motions,
                        std::span<const SolverBody> states, double time) {
  overloaded_.clear();
  acting_.clear();
  tree_blocks_.clear();
  blocks_.clear();
  if (joints.count() == 0) return;
  step_ = joint_step(time);
  time_ = time;
  collect(bodies, joints, active);
  find_trees(bodies, joints, motions);
  list_rows(joints);
  fill_trees(joints, motions);
  fill_rows(joints, motions, time);
  bodies_.resize(std::max(bodies_.size(), motions.size()));
  steady_bodies(bodies, joints, motions);
  refresh(bodies, motions, states, true);
}

/// Before joints act with the sign -1, after it with 1: so the base goes along with the velocity, and what contacts did stays the difference.
void JointSolver::leave_out(std::span<BodyMotion> motions, std::span<const SolverBody> states,
                            float sign) {
  for (const std::uint32_t place : jointed_)
    for (std::size_t i = 0; i < 3; ++i) {
      motions[place].base_velocity[i] += sign * states[place].velocity[i];
      motions[place].base_spin[i] += sign * states[place].spin[i];
    }
}

void JointSolver::begin_sub_step(std::span<const SolverBody> states) {
  foresee_drift(tree_blocks_, states, static_cast<float>(time_));
}

void JointSolver::warm_start(std::span<BodyMotion> motions, std::span<SolverBody> states) {
  if (acting_.empty()) return;
  leave_out(motions, states, -1);
  warm_start_rows(blocks_, rows_, states);
  warm_start_trees(tree_blocks_, tree_rows_, states, bodies_);
  leave_out(motions, states, 1);
}

void JointSolver::solve(std::span<BodyMotion> motions, std::span<SolverBody> states) {
  if (acting_.empty()) return;
  leave_out(motions, states, -1);
  solve_rows(blocks_, rows_, states);
  solve_trees(tree_blocks_, tree_rows_, states, bodies_, tree_bodies_,
              {static_cast<float>(tree_part / time_), step_.push_speed, 1});
  leave_out(motions, states, 1);
}

void JointSolver::relax(const BodyStore& bodies, std::span<BodyMotion> motions,
                        std::span<SolverBody> states) {
  if (acting_.empty()) return;
  refresh(bodies, motions, states, false);
  leave_out(motions, states, -1);
  relax_rows(blocks_, rows_, states);
  relax_trees(tree_blocks_, tree_rows_, states, bodies_, tree_bodies_);
  leave_out(motions, states, 1);
}

void JointSolver::finish(JointStore& joints, double time) {
  for (const Acting& j : acting_) {
    JointRecord& record = joints[j.joint];
    record.force = record.torque = Vec3{};
    record.impulse = {};
  }
  const auto bear = [&](JointRecord& record, const auto& row, std::size_t lane, std::uint8_t slot,
                        JointEffect effect, float sign) {
    record.impulse[slot][static_cast<std::size_t>(effect)] = row.impulse[lane] * sign;
    const LaneRow* along = is_linear(slot) ? row.n : row.turn_b;
    (is_linear(slot) ? record.force : record.torque) +=
        Vec3{along[0][lane], along[1][lane], along[2][lane]} *
        (static_cast<double>(row.total[lane] * sign) / time);
  };
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const GraphBlock& g = graph_.blocks()[i];
    for (std::uint32_t lane = 0; lane < g.count; ++lane) {
      const Acting& j = acting_[by_rows_[graph_.order()[g.first + lane]]];
      for (std::uint32_t k = 0; k < j.rows; ++k) {
        const RowSpec& spec = specs_[j.first_row + k];
        bear(joints[j.joint], rows_[blocks_[i].first_row + k], lane, spec.slot, spec.effect, 1);
      }
    }
  }
  for (std::size_t i = 0; i < tree_blocks_.size(); ++i) {
    const TreeBlock& block = tree_blocks_[i];
    const ForestBlock& stretch = forest_.blocks()[i];
    for (std::uint32_t lane = 0; lane < stretch.count; ++lane) {
      const std::uint32_t edge = forest_.entries()[stretch.first + lane].edge;
      if (edge == no_edge) continue;
      JointRecord& record = joints[acting_[edge_of_[edge]].joint];
      for (std::uint32_t k = 0; k < block.rows; ++k) {
        const TreeRow& row = tree_rows_[block.first_row + k];
        if (row.slot.of[lane] != 255)
          bear(record, row, lane, row.slot.of[lane], JointEffect::hold, block.sign[lane]);
      }
    }
  }
  for (const Acting& j : acting_) {
    JointRecord& record = joints[j.joint];
    record.strain = std::max(length(record.force), 0.9 * record.strain);
    if (length(record.force) > record.break_force || length(record.torque) > record.break_torque)
      overloaded_.push_back(j.joint);
  }
}

} // namespace carom
