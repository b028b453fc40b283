#include "carom/dynamics/joint_solver.h"

#include "carom/dynamics/joint_stiffness.h"
#include "carom/math/trig.h"

#include <algorithm>
#include <bit>

namespace carom {
namespace {

// Locks outside of trees, and limits that are passed: as stiff as one pass a sub-step can hold.
constexpr double lock_frequency = 60, lock_damping = 2;
/// How much heavier links must be to turn than just stays stable.
constexpr double steadiness = 2;
/// Newtons, or newton metres: beyond the loads of bodies as heavy as they may be.
constexpr double absurd_force = 1e25;

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
bool locks_turns(const LockedAxes& l) { return l.turn_x || l.turn_y || l.turn_z; }
void put_symmetric(const Mat3& m, float* diagonal, float* products) {
  put({m.x.x, m.y.y, m.z.z}, diagonal);
  put({m.y.x, m.z.y, m.z.x}, products);
}

} // namespace

/// All joints of which a body is active and can be moved, in the order of their slots.
void JointSolver::collect(const BodyStore& bodies, const JointStore& joints,
                          std::span<const std::uint32_t> active) {
  slots_.clear();
  for (const std::uint32_t body : active)
    for (std::uint32_t j = bodies[body].first_joint; j != no_index; j = joints.next_of(j, body))
      slots_.push_back(j);
  std::sort(slots_.begin(), slots_.end());
  slots_.erase(std::unique(slots_.begin(), slots_.end()), slots_.end());
  acting_.clear();
  held_.clear();
  for (const std::uint32_t slot : slots_) {
    const JointRecord& record = joints[slot];
    Acting j;
    j.joint = slot;
    const auto find = [&](std::uint32_t body, std::uint32_t& place, bool& moves) {
      if (body == no_index || bodies[body].active_at == no_index) return;
      const Body& b = bodies[body];
      place = b.active_at + 1;
      moves = b.movable();
      held_.push_back({place, body, b.mass, moves, b.locked, 0, 0});
    };
    find(record.body_a, j.a, j.a_moves);
    find(record.body_b, j.b, j.b_moves);
    if (j.a_moves || j.b_moves) acting_.push_back(j);
  }
  const auto before = [](const Held& x, const Held& y) { return x.place < y.place; };
  const auto same = [](const Held& x, const Held& y) { return x.place == y.place; };
  std::sort(held_.begin(), held_.end(), before);
  held_.erase(std::unique(held_.begin(), held_.end(), same), held_.end());
}

bool JointSolver::as_laid_out(const BodyStore& bodies, const JointStore& joints,
                              std::span<const std::uint32_t> active) const {
  if (!laid_out_ || joints.changes() != changes_) return false;
  if (!std::equal(active.begin(), active.end(), active_.begin(), active_.end())) return false;
  return std::all_of(held_.begin(), held_.end(), [&](const Held& h) {
    const Body& b = bodies[h.slot];
    return b.movable() == h.movable && b.mass == h.mass && b.locked == h.locked;
  });
}

void JointSolver::lay_out(const BodyStore& bodies, const JointStore& joints,
                          std::span<const std::uint32_t> active,
                          std::span<const BodyMotion> motions) {
  active_.assign(active.begin(), active.end());
  changes_ = joints.changes();
  laid_out_ = true;
  collect(bodies, joints, active);
  find_trees(bodies, joints, motions);
  list_rows(joints);
  lay_trees(joints, motions);
  lay_rows(joints, motions);
  lay_bodies();
  bodies_.assign(motions.size(), JointBody{});
  added_.resize(motions.size());
  has_added_.assign(motions.size(), 0);
}

void JointSolver::find_trees(const BodyStore& bodies, const JointStore& joints,
                             std::span<const BodyMotion> motions) {
  const auto has_locked_axes = [&](std::uint32_t place, bool moves) {
    if (!moves) return false;
    const LockedAxes& l = bodies[motions[place].slot].locked;
    return l.x || l.y || l.z || locks_turns(l);
  };
  edges_.clear();
  edge_of_.clear();
  masses_.assign(motions.size(), 0);
  for (std::uint32_t i = 0; i < acting_.size(); ++i) {
    Acting& j = acting_[i];
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
  forest_.build(edges_, masses_);
  for (const std::uint32_t edge : forest_.cut()) acting_[edge_of_[edge]].tree = false;
}

/// What is not solved in trees.
void JointSolver::list_rows(const JointStore& joints) {
  specs_.clear();
  locked_at_.clear();
  by_rows_.clear();
  graph_edges_.clear();
  for (std::uint32_t i = 0; i < acting_.size(); ++i) {
    Acting& j = acting_[i];
    j.first_row = static_cast<std::uint32_t>(specs_.size());
    j.first_lock = static_cast<std::uint32_t>(locked_at_.size());
    j.angles = 0;
    for (std::uint8_t s = 0; s < joint_slots; ++s) {
      const JointAxis& axis = joints[j.joint].slots[s];
      const std::size_t before = specs_.size();
      const bool locked = is_locked(axis);
      const bool bounded =
          axis.limits && (axis.limits->lower > -INFINITY || axis.limits->upper < INFINITY);
      if (!locked && axis.motor) specs_.push_back({s, JointEffect::motor, 0, 0});
      if (!locked && axis.spring &&
          axis.spring->frequency + axis.spring->stiffness + axis.spring->damping > 0)
        specs_.push_back({s, JointEffect::spring, axis.target, axis.target});
      if (locked ? !j.tree : bounded)
        specs_.push_back({s, JointEffect::hold, axis.limits->lower, axis.limits->upper});
      if (locked && j.tree) locked_at_.push_back(axis.limits->lower);
      if (!is_linear(s) && (specs_.size() > before || (locked && j.tree)))
        j.angles |= static_cast<std::uint8_t>(1U << s);
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
  // Across any axis there is no less than the least inertia about any.
  const Vec3& least = body.principal_inertia;
  const double needed = steadiness * force * r * time_ * time_;
  if (!(needed > 0.999 * std::min({least.x, least.y, least.z}))) return;
  const Vec3 along = arm / r, local = transpose_mul(body.frame.basis, along);
  const Mat3& i = body.inertia;
  const double across = 0.5 * (i.x.x + i.y.y + i.z.z - dot(local, i * local));
  const double lacking = needed - across;
  if (!(lacking > 0)) return;
  const Mat3 more = (Mat3::identity() - outer(local, local)) * lacking;
  added_[place] = has_added_[place] != 0 ? added_[place] + more : more;
  has_added_[place] = 1;
  any_added_ = true;
}

void JointSolver::steady_bodies(const BodyStore& bodies, std::span<BodyMotion> motions) {
  for (TreeBlock& block : tree_blocks_)
    for (std::size_t i = 0; i < lane_count; ++i)
      block.foreseen[i] =
          has_added_[block.child_place[i]] + has_added_[block.parent_place[i]] == 0 ? 1.0F : 0.0F;
  // For contacts as well: of two ways to weigh a body, each would undo what the other does.
  for (const Held& h : held_) {
    if (has_added_[h.place] == 0 || locks_turns(h.locked)) continue;
    const Body& body = bodies[h.slot];
    const Mat3& r = body.frame.basis;
    BodyMotion& to = motions[h.place];
    const Mat3 inertia = body.inertia + added_[h.place];
    put_symmetric(r * inverted(inertia) * transpose(r), to.inverse_inertia, to.inverse_products);
    if (to.gyroscopic) put_symmetric(r * inertia * transpose(r), to.inertia, to.products);
  }
}

/// Those of trees in the lanes that they have there, then all others.
void JointSolver::lay_bodies() {
  auto at = static_cast<std::uint32_t>(tree_blocks_.size() * lane_count);
  for (Held& h : held_) {
    const std::uint32_t of = tree_of_[h.place];
    h.at = of != 0 ? of - static_cast<std::uint32_t>(lane_count) : at++;
  }
  mass_blocks_.assign((at + lane_count - 1) / lane_count, JointMass{});
  for (std::size_t i = 0; i < tree_blocks_.size(); ++i)
    if (!tree_blocks_[i].leaves) mass_blocks_[i].children = tree_blocks_[i].children;
  for (const Held& h : held_) {
    JointMass& block = mass_blocks_[h.at / lane_count];
    block.place[h.at % lane_count] = h.place;
    block.mass[h.at % lane_count] = h.mass;
    block.turns[h.at % lane_count] = locks_turns(h.locked) ? 0.0F : 1.0F;
  }
}

/// Inertias in the world as the step begins.
void JointSolver::begin_bodies(const BodyStore& bodies, std::span<const BodyMotion> motions) {
  for (const Held& h : held_) {
    const Body& body = bodies[h.slot];
    JointMass& block = mass_blocks_[h.at / lane_count];
    const std::size_t lane = h.at % lane_count;
    const auto put = [lane](LaneDoubles* to, const Mat3& m) {
      const double values[6] = {m.x.x, m.y.y, m.z.z, m.y.x, m.z.y, m.z.x};
      for (std::size_t k = 0; k < 6; ++k) to[k][lane] = values[k];
    };
    if (!h.movable) {
      put(block.inertia, Mat3::zero());
      put(block.inverse, Mat3::zero());
    } else if (locks_turns(h.locked)) {
      const BodyMotion& m = motions[h.place];
      put(block.inertia, Mat3::zero());
      for (std::size_t k = 0; k < 3; ++k) {
        block.inverse[k][lane] = static_cast<double>(m.inverse_inertia[k]);
        block.inverse[k + 3][lane] = static_cast<double>(m.inverse_products[k]);
      }
    } else {
      const Mat3 &r = body.frame.basis, back = transpose(r);
      const bool added = has_added_[h.place] != 0;
      const Mat3 own = added ? body.inertia + added_[h.place] : body.inertia;
      put(block.inertia, r * own * back);
      put(block.inverse, r * (added ? inverted(own) : body.inverse_inertia) * back);
    }
  }
}

void JointSolver::begin(const BodyStore& bodies, JointStore& joints,
                        std::span<const std::uint32_t> active, std::span<BodyMotion> motions,
                        std::span<const SolverBody> states, double time) {
  overloaded_.clear();
  if (joints.count() == 0) {
    acting_.clear();
    tree_blocks_.clear();
    blocks_.clear();
    strain_.clear();
    laid_out_ = false;
    return;
  }
  step_ = joint_step(time);
  first_ = true;
  const bool same_time = time == time_;
  time_ = time;
  const bool stays = same_time && as_laid_out(bodies, joints, active);
  if (!stays) lay_out(bodies, joints, active, motions);
  if (!stays || std::any_of(held_.begin(), held_.end(), [&](const Held& h) {
        return motions[h.place].inverse_mass[3] != h.burden;
      }))
    weigh_lanes(motions);
  const bool had_added = any_added_;
  any_added_ = false;
  if (had_added) std::fill(has_added_.begin(), has_added_.end(), 0);
  place_joints(bodies, joints, motions);
  begin_strain(bodies, motions);
  if (any_added_ || had_added) steady_bodies(bodies, motions);
  begin_bodies(bodies, motions);
  place_joint_bodies(mass_blocks_, motions, bodies_, tree_bodies_);
  refresh_trees(tree_blocks_, tree_rows_, states, bodies_, tree_bodies_, true);
  refresh_rows(blocks_, rows_, states, bodies_, step_, true);
}

/// Before joints act with the sign -1, after it with 1: so the base goes along with the velocity, and what contacts did stays the difference.
void JointSolver::leave_out(std::span<BodyMotion> motions, std::span<const SolverBody> states,
                            float sign) {
  for (const Held& h : held_) {
    BodyMotion& m = motions[h.place];
    const SolverBody& s = states[h.place];
    for (std::size_t i = 0; i < 4; ++i) m.base_velocity[i] += sign * s.velocity[i];
    for (std::size_t i = 0; i < 4; ++i) m.base_spin[i] += sign * s.spin[i];
  }
}

void JointSolver::begin_sub_step(std::span<const SolverBody> states) {
  foresee_drift(tree_blocks_, states, static_cast<float>(time_));
}

void JointSolver::warm_start(std::span<BodyMotion> motions, std::span<SolverBody> states) {
  if (acting_.empty()) return;
  if (strain_.any()) {
    strain_.before(motions, states);
    ease();
  }
  leave_out(motions, states, -1);
  warm_start_rows(blocks_, rows_, states);
  warm_start_trees(tree_blocks_, tree_rows_, states, bodies_);
  // Contacts begin between here and solve() in the first sub-step only.
  if (first_) leave_out(motions, states, 1);
}

void JointSolver::solve(std::span<BodyMotion> motions, std::span<SolverBody> states) {
  if (acting_.empty()) return;
  if (first_) leave_out(motions, states, -1);
  first_ = false;
  solve_rows(blocks_, rows_, states);
  const TreeBias bias{static_cast<float>(tree_part / time_), step_.push_speed, 1};
  for (const ForestBatch& batch : forest_.batches())
    solve_trees(blocks_of(batch), tree_rows_, states, bodies_, tree_bodies_, bias);
  leave_out(motions, states, 1);
}

void JointSolver::relax(std::span<BodyMotion> motions, std::span<SolverBody> states) {
  if (acting_.empty()) return;
  place_joint_bodies(mass_blocks_, motions, bodies_, tree_bodies_);
  refresh_rows(blocks_, rows_, states, bodies_, step_, false);
  leave_out(motions, states, -1);
  relax_rows(blocks_, rows_, states);
  for (const ForestBatch& batch : forest_.batches()) {
    refresh_trees(blocks_of(batch), tree_rows_, states, bodies_, tree_bodies_, false);
    relax_trees(blocks_of(batch), tree_rows_, states, bodies_, tree_bodies_);
  }
  if (strain_.any()) end_strain(motions, states);
  leave_out(motions, states, 1);
}

void JointSolver::finish(JointStore& joints, double time) {
  for (const Acting& j : acting_) {
    JointRecord& record = joints[j.joint];
    record.force = record.torque = Vec3{};
    record.impulse = {};
    const auto bear = [&](const auto& row, std::size_t lane, std::uint8_t slot, JointEffect effect,
                          float sign) {
      record.impulse[slot][static_cast<std::size_t>(effect)] = row.impulse[lane] * sign;
      const LaneRow* along = is_linear(slot) ? row.n : row.turn_b;
      (is_linear(slot) ? record.force : record.torque) +=
          Vec3{along[0][lane], along[1][lane], along[2][lane]} *
          (static_cast<double>(row.total[lane] * sign) / time);
    };
    for (std::uint32_t k = 0; k < j.rows; ++k) {
      const RowSpec& spec = specs_[j.first_row + k];
      bear(rows_[blocks_[j.row_block].first_row + k], j.row_lane, spec.slot, spec.effect, 1);
    }
    if (j.tree) {
      const TreeBlock& block = tree_blocks_[j.tree_block];
      const TreeRow* row = &tree_rows_[block.first_row];
      for (unsigned left = j.locks; left != 0; left &= left - 1, ++row)
        bear(*row, j.tree_lane, static_cast<std::uint8_t>(std::countr_zero(left)),
             JointEffect::hold, block.sign[j.tree_lane]);
    }
    const double force = length(record.force);
    // Bodies that were driven beyond all bounds are frozen; what did it begins anew.
    if (!(force < absurd_force && length(record.torque) < absurd_force)) {
      record.force = record.torque = Vec3{};
      record.impulse = {};
      record.strain = 0;
      laid_out_ = false;
      continue;
    }
    record.strain = std::max(force, 0.9 * record.strain);
    if (force > record.break_force || length(record.torque) > record.break_torque)
      overloaded_.push_back(j.joint);
  }
}

} // namespace carom
