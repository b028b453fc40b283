// How joints get into lanes. Which lane each has, and what its rows are to do, stays from step to step; where its frames are, and what its coordinates count from, is put there in each. Impulses stay in the lanes.
#include "carom/dynamics/joint_solver.h"

#include "carom/dynamics/joint_spring.h"

#include <algorithm>
#include <bit>

namespace carom {

void JointSolver::lay_lane(const Acting& j, std::uint32_t slots, JointLanes& lanes,
                           std::size_t lane) {
  lanes.a[lane] = j.a;
  lanes.b[lane] = j.b;
  lanes.slots |= slots;
}

namespace {

/// The numbers of one lane of a row that stay.
struct RowFiller {
  JointRow& row;
  std::size_t lane;
  double time;
  const JointStep& step;

  void limit() const {
    row.limited[lane] = 1;
    row.relax_part[lane] = 1;
  }
  void unbounded() const {
    row.low[lane] = -1e30F;
    row.high[lane] = 1e30F;
  }
  void lock() const {
    unbounded();
    row.rate[lane] = step.mass_scale * step.rate;
    row.stiff_scale[lane] = step.mass_scale;
    row.stiff_soft[lane] = step.impulse_scale;
    row.relax_part[lane] = 1;
  }
  void spring(const JointSpring& s) const {
    unbounded();
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

/// Where the frames of a lane's joint are. What cannot be moved has no arm.
void put_place(const JointPlace& place, JointLanes& lanes, std::size_t lane) {
  const auto set = [lane](LaneRow* rows, const Vec3& v) {
    for (int i = 0; i < 3; ++i) rows[i][lane] = static_cast<float>(v[i]);
  };
  set(lanes.arm_a, lanes.a[lane] == 0 ? Vec3{} : place.arm_a);
  set(lanes.arm_b, lanes.b[lane] == 0 ? Vec3{} : place.arm_b);
  set(lanes.gap, place.gap);
  set(lanes.x_a, place.axes_a.x);
  set(lanes.y_a, place.axes_a.y);
  set(lanes.x_b, place.axes_b.x);
}

/// One slot for all lanes that have a joint, or 255.
std::uint8_t common(const RowSlots& slots, std::uint32_t lanes) {
  for (std::uint32_t i = 1; i < lanes; ++i)
    if (slots.of[i] != slots.of[0]) return 255;
  return slots.of[0];
}

/// In all lanes that have a row.
bool has_turns(const RowSlots& slots) {
  return std::all_of(slots.of.begin(), slots.of.end(),
                     [](std::uint8_t s) { return s == 255 || !is_linear(s); });
}
std::uint32_t tree_number(std::uint32_t bodies, std::uint32_t lane) {
  return static_cast<std::uint32_t>(bodies * lane_count) + lane;
}
/// The TreeBodies that all parents are of, each in the lane of its child. Idle lanes have nothing to hand on.
std::uint32_t common_parents(const TreeBlock& block, std::uint32_t lanes) {
  const auto of = static_cast<std::uint32_t>(block.parent[0] / lane_count);
  for (std::uint32_t i = 0; i < lanes; ++i)
    if (block.parent[i] != (of == 0 ? 0 : tree_number(of, i))) return scattered_parents;
  return of;
}

} // namespace

void JointSolver::lay_rows(const JointStore& joints, std::span<const BodyMotion> motions) {
  one_region_.assign(motions.size(), 0);
  graph_.build(graph_edges_, one_region_, 1);
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
      Acting& j = acting_[by_rows_[graph_.order()[g.first + lane]]];
      const JointRecord& record = joints[j.joint];
      j.row_block = static_cast<std::uint32_t>(i);
      j.row_lane = static_cast<std::uint8_t>(lane);
      std::uint32_t slots = 0;
      for (std::uint32_t k = 0; k < j.rows; ++k) {
        const RowSpec& spec = specs_[j.first_row + k];
        const JointAxis& axis = record.slots[spec.slot];
        JointRow& row = rows_[block.first_row + k];
        slots |= 1U << spec.slot;
        row.slot.of[lane] = spec.slot;
        row.impulse[lane] = record.impulse[spec.slot][static_cast<std::size_t>(spec.effect)];
        const RowFiller fill{row, lane, time_, step_};
        if (spec.effect == JointEffect::motor) fill.motor(*axis.motor);
        if (spec.effect == JointEffect::spring) fill.spring(*axis.spring);
        if (spec.effect == JointEffect::hold) is_locked(axis) ? fill.lock() : fill.limit();
      }
      lay_lane(j, slots, block.lanes, lane);
    }
    for (std::uint32_t k = 0; k < block.rows; ++k) {
      JointRow& row = rows_[block.first_row + k];
      row.slot.all = common(row.slot, g.count);
    }
  }
}

void JointSolver::lay_trees(const JointStore& joints, std::span<const BodyMotion> motions) {
  tree_of_.assign(motions.size(), 0);
  tree_blocks_.assign(forest_.blocks().size(), TreeBlock{});
  tree_bodies_.assign(tree_blocks_.size() + 1, TreeBodies{});
  for (std::uint32_t i = 0; i < tree_blocks_.size(); ++i) {
    const ForestBlock& stretch = forest_.blocks()[i];
    tree_blocks_[i].children = i + 1;
    for (std::uint32_t lane = 0; lane < stretch.count; ++lane) {
      const ForestEntry& e = forest_.entries()[stretch.first + lane];
      if (e.child != 0) tree_of_[e.child] = tree_number(i + 1, lane);
    }
  }
  tree_rows_.clear();
  for (std::size_t i = 0; i < tree_blocks_.size(); ++i) {
    const ForestBlock& stretch = forest_.blocks()[i];
    TreeBlock& block = tree_blocks_[i];
    block.first_row = static_cast<std::uint32_t>(tree_rows_.size());
    block.leaves = true;
    std::fill_n(block.foreseen, lane_count, 1.0F);
    for (std::uint32_t lane = 0; lane < stretch.count; ++lane) {
      const ForestEntry& e = forest_.entries()[stretch.first + lane];
      block.leaves = block.leaves && e.leaf;
      block.parent[lane] = tree_of_[e.parent];
      block.child_place[lane] = e.child;
      block.parent_place[lane] = e.parent;
      if (e.edge == no_edge) continue;
      Acting& j = acting_[edge_of_[e.edge]];
      j.tree_block = static_cast<std::uint32_t>(i);
      j.tree_lane = static_cast<std::uint8_t>(lane);
      const bool b_is_child = e.child != 0 ? e.child == j.b : e.parent == j.a;
      block.child_place[lane] = b_is_child ? j.b : j.a;
      block.parent_place[lane] = b_is_child ? j.a : j.b;
      block.sign[lane] = b_is_child ? 1.0F : -1.0F;
      block.compliance[lane] = j.compliance = e.child != 0 ? 1e-9F : 1e-3F;
      lay_lane(j, j.locks, block.lanes, lane);
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
      }
    }
    block.parents = common_parents(block, stretch.count);
    block.point = block.rows == 3 || block.rows == 5 || block.rows == 6;
    for (std::uint32_t k = 0; k < block.rows; ++k) {
      TreeRow& row = tree_rows_[block.first_row + k];
      row.slot.all = common(row.slot, stretch.count);
      block.point = block.point && (k < 3 ? row.slot.all == k : has_turns(row.slot));
    }
  }
}

/// Bodies are heavier to move while they have a burden (burden.h), and joints that begin to bear then have to know it.
void JointSolver::weigh_lanes(std::span<const BodyMotion> motions) {
  for (Held& h : held_) h.burden = motions[h.place].inverse_mass[3];
  const auto put = [&](std::uint32_t place, LaneRow* rows, std::size_t lane) {
    for (std::size_t k = 0; k < 3; ++k) rows[k][lane] = motions[place].inverse_mass[k];
  };
  for (const Acting& j : acting_) {
    if (j.tree) {
      TreeBlock& block = tree_blocks_[j.tree_block];
      put(block.child_place[j.tree_lane], block.mass_child, j.tree_lane);
      put(block.parent_place[j.tree_lane], block.mass_parent, j.tree_lane);
    }
    if (j.rows == 0) continue;
    JointLanes& lanes = blocks_[j.row_block].lanes;
    put(j.a, lanes.mass_a, j.row_lane);
    put(j.b, lanes.mass_b, j.row_lane);
  }
}

/// Turns count from where they are now.
void JointSolver::place_joints(const BodyStore& bodies, JointStore& joints,
                               std::span<const BodyMotion> motions) {
  for (JointRow& row : rows_) std::fill_n(row.total, lane_count, 0.0F);
  for (TreeRow& row : tree_rows_) std::fill_n(row.total, lane_count, 0.0F);
  strain_edges_.clear();
  for (const Acting& j : acting_) {
    JointRecord& record = joints[j.joint];
    const JointPlace place = place_of(bodies, record);
    const auto values = values_of(place, record.twist, j.angles);
    record.twist = values[3];
    strain_edges_.push_back(
        {j.a, j.b, j.a_moves, j.b_moves, is_open(j, record, place, values, bodies, motions)});
    const auto from = [&](std::uint8_t slot) { return is_linear(slot) ? 0 : values[slot]; };
    if (j.a_moves) steady(j.a, place.arm_a, record.strain, bodies[motions[j.a].slot]);
    if (j.b_moves) steady(j.b, place.arm_b, record.strain, bodies[motions[j.b].slot]);
    if (j.tree) {
      TreeBlock& block = tree_blocks_[j.tree_block];
      put_place(place, block.lanes, j.tree_lane);
      std::size_t k = 0;
      for (unsigned left = j.locks; left != 0; left &= left - 1, ++k) {
        const auto slot = static_cast<std::uint8_t>(std::countr_zero(left));
        tree_rows_[block.first_row + k].target[j.tree_lane] =
            static_cast<float>(locked_at_[j.first_lock + k] - from(slot));
      }
    }
    if (j.rows == 0) continue;
    JointBlock& block = blocks_[j.row_block];
    put_place(place, block.lanes, j.row_lane);
    for (std::uint32_t k = 0; k < j.rows; ++k) {
      const RowSpec& spec = specs_[j.first_row + k];
      JointRow& row = rows_[block.first_row + k];
      const double start = from(spec.slot);
      row.target[j.row_lane] = static_cast<float>(spec.lower - start);
      row.lower[j.row_lane] = static_cast<float>(std::max(spec.lower - start, -1e30));
      row.upper[j.row_lane] = static_cast<float>(std::min(spec.upper - start, 1e30));
    }
  }
}

} // namespace carom
