// How joints get into lanes: where their frames are, and what their rows are to do.
#include "carom/dynamics/joint_solver.h"

#include "carom/dynamics/joint_spring.h"

#include <algorithm>

namespace carom {

void JointSolver::fill_lane(const Acting& j, std::span<const BodyMotion> motions,
                            std::uint32_t slots, JointLanes& lanes, std::size_t lane) const {
  const auto set = [&](LaneRow* rows, const Vec3& v) {
    for (int i = 0; i < 3; ++i) rows[i][lane] = static_cast<float>(v[i]);
  };
  lanes.a[lane] = j.a;
  lanes.b[lane] = j.b;
  lanes.slots |= slots;
  set(lanes.arm_a, j.a == 0 ? Vec3{} : j.place.arm_a);
  set(lanes.arm_b, j.b == 0 ? Vec3{} : j.place.arm_b);
  set(lanes.gap, j.place.gap);
  set(lanes.x_a, j.place.axes_a.x);
  set(lanes.y_a, j.place.axes_a.y);
  set(lanes.x_b, j.place.axes_b.x);
  for (std::size_t i = 0; i < 3; ++i) {
    lanes.mass_a[i][lane] = motions[j.a].inverse_mass[i];
    lanes.mass_b[i][lane] = motions[j.b].inverse_mass[i];
  }
}

namespace {

/// The numbers of one lane of a row. Turns count from where they are now.
struct RowFiller {
  JointRow& row;
  std::size_t lane;
  double time;
  const JointStep& step;
  double from; ///< what values count from

  void limit(const JointRange& range) const {
    row.limited[lane] = 1;
    row.lower[lane] = static_cast<float>(std::max(range.lower - from, -1e30));
    row.upper[lane] = static_cast<float>(std::min(range.upper - from, 1e30));
    row.relax_part[lane] = 1;
  }
  void unbounded() const {
    row.low[lane] = -1e30F;
    row.high[lane] = 1e30F;
  }
  void lock(double at) const {
    unbounded();
    row.target[lane] = static_cast<float>(at - from);
    row.rate[lane] = step.mass_scale * step.rate;
    row.stiff_scale[lane] = step.mass_scale;
    row.stiff_soft[lane] = step.impulse_scale;
    row.relax_part[lane] = 1;
  }
  void spring(const JointSpring& s, double target) const {
    unbounded();
    row.target[lane] = static_cast<float>(target - from);
    SpringStep course{1, 0, s.stiffness / std::max(s.damping + time * s.stiffness, 1e-30)};
    if (s.frequency > 0) {
      course = spring_step(s.frequency, s.damping_ratio, time);
    } else {
      row.compliance[lane] = static_cast<float>(
          std::min(1 / (time * std::max(s.damping + time * s.stiffness, 1e-30)), 1e30));
    }
    row.rate[lane] = static_cast<float>(course.rate);
    row.stiff_scale[lane] = static_cast<float>(course.scale);
    row.stiff_soft[lane] = static_cast<float>(course.soft);
  }
  void motor(const JointMotor& m) const {
    row.high[lane] = static_cast<float>(std::min(m.max_force * time, 1e30));
    row.low[lane] = -row.high[lane];
    row.drive[lane] = static_cast<float>(-m.speed);
    row.stiff_scale[lane] = row.relax_part[lane] = 1;
  }
};

/// One slot for all lanes that have a joint, or 255.
std::uint8_t common(const RowSlots& slots, std::uint32_t lanes) {
  for (std::uint32_t i = 1; i < lanes; ++i)
    if (slots.of[i] != slots.of[0]) return 255;
  return slots.of[0];
}

} // namespace

void JointSolver::fill_rows(const JointStore& joints, std::span<const BodyMotion> motions,
                            double time) {
  graph_.build(graph_edges_, motions.size());
  blocks_.assign(graph_.blocks().size(), JointBlock{});
  rows_.clear();
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const GraphBlock& g = graph_.blocks()[i];
    JointBlock& block = blocks_[i];
    block.first_row = static_cast<std::uint32_t>(rows_.size());
    for (std::uint32_t lane = 0; lane < g.count; ++lane)
      block.rows = std::max(block.rows, acting_[by_rows_[graph_.order()[g.first + lane]]].rows);
    rows_.resize(rows_.size() + block.rows, JointRow{});
    for (std::uint32_t lane = 0; lane < g.count; ++lane) {
      const Acting& j = acting_[by_rows_[graph_.order()[g.first + lane]]];
      const JointRecord& record = joints[j.joint];
      std::uint32_t slots = 0;
      for (std::uint32_t k = 0; k < j.rows; ++k) {
        const RowSpec& spec = specs_[j.first_row + k];
        const JointAxis& axis = record.slots[spec.slot];
        JointRow& row = rows_[block.first_row + k];
        slots |= 1U << spec.slot;
        row.slot.of[lane] = spec.slot;
        row.impulse[lane] = record.impulse[spec.slot][static_cast<std::size_t>(spec.effect)];
        const RowFiller fill{row, lane, time, step_,
                             is_linear(spec.slot) ? 0 : j.values[spec.slot]};
        if (spec.effect == JointEffect::motor) fill.motor(*axis.motor);
        if (spec.effect == JointEffect::spring) fill.spring(*axis.spring, axis.target);
        if (spec.effect == JointEffect::hold)
          is_locked(axis) ? fill.lock(axis.limits->lower) : fill.limit(*axis.limits);
      }
      fill_lane(j, motions, slots, block.lanes, lane);
    }
    for (std::uint32_t k = 0; k < block.rows; ++k) {
      JointRow& row = rows_[block.first_row + k];
      row.slot.all = common(row.slot, g.count);
    }
  }
}

void JointSolver::fill_trees(const JointStore& joints, std::span<const BodyMotion> motions) {
  tree_of_.assign(motions.size(), 0);
  std::uint32_t count = 0;
  for (const ForestEntry& e : forest_.entries())
    if (e.child != 0) tree_of_[e.child] = ++count;
  tree_bodies_.assign(count + 1, TreeBody{});
  tree_blocks_.assign(forest_.blocks().size(), TreeBlock{});
  tree_rows_.clear();
  for (std::size_t i = 0; i < tree_blocks_.size(); ++i) {
    const ForestBlock& stretch = forest_.blocks()[i];
    TreeBlock& block = tree_blocks_[i];
    block.first_row = static_cast<std::uint32_t>(tree_rows_.size());
    block.leaves = true;
    for (std::uint32_t lane = 0; lane < stretch.count; ++lane) {
      const ForestEntry& e = forest_.entries()[stretch.first + lane];
      block.leaves = block.leaves && e.leaf;
      block.child[lane] = tree_of_[e.child];
      block.parent[lane] = tree_of_[e.parent];
      block.child_place[lane] = e.child;
      block.parent_place[lane] = e.parent;
      if (e.edge == no_edge) continue;
      const Acting& j = acting_[edge_of_[e.edge]];
      const bool b_is_child = e.child != 0 ? e.child == j.b : e.parent == j.a;
      block.child_place[lane] = b_is_child ? j.b : j.a;
      block.parent_place[lane] = b_is_child ? j.a : j.b;
      block.sign[lane] = b_is_child ? 1.0F : -1.0F;
      block.compliance[lane] = e.child != 0 ? 1e-9F : 1e-3F;
      for (std::size_t k = 0; k < 3; ++k) {
        block.mass_child[k][lane] = motions[block.child_place[lane]].inverse_mass[k];
        block.mass_parent[k][lane] = motions[block.parent_place[lane]].inverse_mass[k];
      }
      fill_lane(j, motions, j.locks, block.lanes, lane);
      const JointRecord& record = joints[j.joint];
      std::uint32_t k = 0;
      for (std::uint8_t s = 0; s < joint_slots; ++s) {
        if ((j.locks >> s & 1) == 0) continue;
        if (k == block.rows) {
          tree_rows_.resize(tree_rows_.size() + 1, TreeRow{});
          ++block.rows;
        }
        TreeRow& row = tree_rows_[block.first_row + k++];
        row.slot.of[lane] = s;
        row.impulse[lane] = record.impulse[s][0] * block.sign[lane];
        row.target[lane] =
            static_cast<float>(record.slots[s].limits->lower - (is_linear(s) ? 0 : j.values[s]));
      }
    }
    for (std::uint32_t k = 0; k < block.rows; ++k) {
      TreeRow& row = tree_rows_[block.first_row + k];
      row.slot.all = common(row.slot, stretch.count);
    }
  }
}

} // namespace carom
