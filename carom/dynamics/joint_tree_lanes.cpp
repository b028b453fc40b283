// The elimination of joint_tree_lanes.h in lanes. A block's joints have children and parents of their own, and come after all blocks in which these are parents, so lanes never meet.
#undef HWY_TARGET_INCLUDE
#if defined(__aarch64__)
#define HWY_DISABLED_TARGETS                                                                       \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128) // vectors without a size cannot be members
#endif
#define HWY_TARGET_INCLUDE "carom/dynamics/joint_tree_lanes.cpp"
#include <hwy/foreach_target.h>

#include "carom/dynamics/joint_slots-inl.h"
#include "carom/dynamics/joint_tree_lanes.h"
#include "carom/math/wide.h"

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace {

/// The place of (i, k), k <= i, in a lower triangle.
constexpr std::size_t at(std::size_t i, std::size_t k) { return i * (i + 1) / 2 + k; }

HWY_INLINE Double8 none() { return all8(0); }
HWY_INLINE Double8 widened(const LaneRow& row) {
  alignas(64) double wide[lane_count];
  for (std::size_t i = 0; i < lane_count; ++i) wide[i] = static_cast<double>(row[i]);
  return load8(wide);
}
HWY_INLINE Double8 widened(const Float8& v) {
  alignas(64) LaneRow row;
  store_floats(v, row);
  return widened(row);
}
HWY_INLINE Float8 narrowed(const Double8& v) {
  alignas(64) double wide[lane_count];
  alignas(64) LaneRow row;
  store8(v, wide);
  for (std::size_t i = 0; i < lane_count; ++i) row[i] = static_cast<float>(wide[i]);
  return load_floats(row);
}

/// A linear and an angular part.
struct Spatial {
  Double8 part[6];

  HWY_INLINE static Spatial zero() { return {{none(), none(), none(), none(), none(), none()}}; }
  HWY_INLINE static Spatial widened_from(const Row3& linear, const Row3& angular) {
    return {{widened(linear.x), widened(linear.y), widened(linear.z), widened(angular.x),
             widened(angular.y), widened(angular.z)}};
  }
  HWY_INLINE static Spatial load(const LaneDoubles* rows) {
    Spatial s;
    for (std::size_t i = 0; i < 6; ++i) s.part[i] = load8(rows[i]);
    return s;
  }
  HWY_INLINE void store(LaneDoubles* rows) const {
    for (std::size_t i = 0; i < 6; ++i) store8(part[i], rows[i]);
  }
  HWY_INLINE void add(const Spatial& other, const Double8& times) {
    for (std::size_t i = 0; i < 6; ++i) part[i] = part[i] + other.part[i] * times;
  }
  [[nodiscard]] HWY_INLINE Row3 linear() const {
    return {narrowed(part[0]), narrowed(part[1]), narrowed(part[2])};
  }
  [[nodiscard]] HWY_INLINE Row3 angular() const {
    return {narrowed(part[3]), narrowed(part[4]), narrowed(part[5])};
  }
};
HWY_INLINE Double8 dot(const Spatial& a, const Spatial& b) {
  Double8 sum = a.part[0] * b.part[0];
  for (std::size_t i = 1; i < 6; ++i) sum = sum + a.part[i] * b.part[i];
  return sum;
}
HWY_INLINE Spatial times(const LaneDoubles* m, const Spatial& v) {
  Spatial y;
  for (std::size_t i = 0; i < 6; ++i) {
    y.part[i] = load8(m[at(i, 0)]) * v.part[0];
    for (std::size_t k = 1; k < 6; ++k)
      y.part[i] = y.part[i] + load8(m[k <= i ? at(i, k) : at(k, i)]) * v.part[k];
  }
  return y;
}
HWY_INLINE Spatial of_rows(const LaneRow* linear, const LaneRow* angular) {
  return {{widened(linear[0]), widened(linear[1]), widened(linear[2]), widened(angular[0]),
           widened(angular[1]), widened(angular[2])}};
}
HWY_INLINE Spatial on_child(const TreeRow& row) { return of_rows(row.n, row.turn_b); }
/// The sign is the opposite one.
HWY_INLINE Spatial on_parent(const TreeRow& row) { return of_rows(row.n, row.turn_a); }

/// Numbers of eight bodies of trees, as rows, and back. Nobody is body 0, which stays as it is.
template<std::size_t count>
HWY_INLINE void gather_bodies(std::span<const TreeBody> bodies, const std::uint32_t* of,
                              std::array<double, count> TreeBody::*field, LaneDoubles* rows) {
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    const std::array<double, count>& from = bodies[of[lane]].*field;
    for (std::size_t i = 0; i < count; ++i) rows[i][lane] = from[i];
  }
}
template<std::size_t count>
HWY_INLINE void scatter_bodies(const LaneDoubles* rows, std::span<TreeBody> bodies,
                               const std::uint32_t* of,
                               std::array<double, count> TreeBody::*field) {
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    if (of[lane] == 0) continue;
    std::array<double, count>& to = bodies[of[lane]].*field;
    for (std::size_t i = 0; i < count; ++i) to[i] = rows[i][lane];
  }
}
template<std::size_t count>
HWY_INLINE void add_to_bodies(const LaneDoubles* rows, std::span<TreeBody> bodies,
                              const std::uint32_t* of, std::array<double, count> TreeBody::*field) {
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    if (of[lane] == 0) continue;
    std::array<double, count>& to = bodies[of[lane]].*field;
    for (std::size_t i = 0; i < count; ++i) to[i] += rows[i][lane];
  }
}

/// L D L^T of the lower triangle m in place: L below, 1 / D on the diagonal. A pivot that rounding has eaten counts as none: its row is left out.
HWY_INLINE void factorize(Double8* m, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    Double8 pivot = m[at(i, i)];
    const Double8 least = pivot * all8(1e-13);
    for (std::size_t k = 0; k < i; ++k) {
      Double8 x = m[at(i, k)];
      for (std::size_t j = 0; j < k; ++j) x = x - m[at(i, j)] * m[at(k, j)];
      m[at(i, k)] = x; // L D so far
    }
    for (std::size_t k = 0; k < i; ++k) {
      const Double8 l = m[at(i, k)] * m[at(k, k)];
      pivot = pivot - l * m[at(i, k)];
      m[at(i, k)] = l;
    }
    const Mask8 good = (least < pivot) & (none() < pivot);
    m[at(i, i)] = select8(good, all8(1) / select8(good, pivot, all8(1)), none());
  }
}

/// The inverse of what was factorized, as a lower triangle.
HWY_INLINE void invert6(const Double8* f, LaneDoubles* inverse) {
  Double8 l[21]; // L^-1, below the diagonal
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t k = 0; k < i; ++k) {
      Double8 x = none() - f[at(i, k)];
      for (std::size_t j = k + 1; j < i; ++j) x = x - f[at(i, j)] * l[at(j, k)];
      l[at(i, k)] = x;
    }
  for (std::size_t k = 0; k < 6; ++k)
    for (std::size_t i = k; i < 6; ++i) {
      Double8 x = k == i ? f[at(i, i)] : l[at(i, k)] * f[at(i, i)];
      for (std::size_t j = i + 1; j < 6; ++j) x = x + l[at(j, i)] * l[at(j, k)] * f[at(j, j)];
      store8(x, inverse[at(i, k)]);
    }
}

/// Rows as of child and parent, instead of B and A.
HWY_INLINE void orient(TreeRow& row, const Float8& sign) {
  const FloatMask8 other = sign < zero();
  const Row3 a = load3(row.turn_a), b = load3(row.turn_b);
  store3({select(other, b.x, a.x), select(other, b.y, a.y), select(other, b.z, a.z)}, row.turn_a);
  store3({select(other, a.x, b.x), select(other, a.y, b.y), select(other, a.z, b.z)}, row.turn_b);
}

/// M*_p += J_p^T S^-1 J_p = Y^T D^-1 Y with Y = L^-1 J_p.
HWY_INLINE void hang_on_parent(const TreeBlock& block, std::span<const TreeRow> rows,
                               const Double8* s, std::span<TreeBody> tree_bodies) {
  Double8 m[21];
  for (Double8& x : m) x = none();
  Spatial y[6];
  for (std::size_t i = 0; i < rows.size(); ++i) {
    y[i] = on_parent(rows[i]);
    for (std::size_t j = 0; j < i; ++j) y[i].add(y[j], none() - s[at(i, j)]);
    for (std::size_t r = 0; r < 6; ++r) {
      const Double8 part = y[i].part[r] * s[at(i, i)];
      for (std::size_t c = 0; c <= r; ++c) m[at(r, c)] = m[at(r, c)] + part * y[i].part[c];
    }
  }
  alignas(64) LaneDoubles sum[21];
  for (std::size_t i = 0; i < 21; ++i) store8(m[i], sum[i]);
  add_to_bodies(sum, tree_bodies, block.parent, &TreeBody::mass);
}

HWY_INLINE void invert_mass(TreeBlock& block, std::span<const TreeBody> tree_bodies) {
  alignas(64) LaneDoubles mass[21];
  gather_bodies(tree_bodies, block.child, &TreeBody::mass, mass);
  Double8 m[21];
  for (std::size_t i = 0; i < 21; ++i) m[i] = load8(mass[i]);
  factorize(m, 6);
  invert6(m, block.inverse);
}

HWY_INLINE void refresh_block(TreeBlock& block, std::span<TreeRow> all_rows,
                              std::span<const SolverBody> states, std::span<const JointBody> bodies,
                              std::span<TreeBody> tree_bodies, bool begins) {
  const std::span<TreeRow> rows = all_rows.subspan(block.first_row, block.rows);
  invert_mass(block, tree_bodies);
  if (rows.empty()) return;
  SlotRows slots;
  put_slots(block.lanes, states, bodies, begins, slots);
  const Symmetric3 inertia_c = inverse_inertia_of(bodies, block.child_place),
                   inertia_p = inverse_inertia_of(bodies, block.parent_place);
  const Row3 mass = load3(block.mass_child) + load3(block.mass_parent);
  const Float8 sign = load_floats(block.sign), compliance = load_floats(block.compliance);
  Double8 s[21];
  for (std::size_t i = 0; i < rows.size(); ++i) {
    TreeRow& row = rows[i];
    take_slot(slots, row.slot, row, row.value);
    orient(row, sign);
    const Spatial c = on_child(row);
    times(block.inverse, c).store(row.response);
    for (std::size_t k = 0; k <= i; ++k) s[at(i, k)] = dot(c, Spatial::load(rows[k].response));
    const Row3 n = load3(row.n), turn_c = load3(row.turn_b), turn_p = load3(row.turn_a);
    const Float8 alone =
        dot(scaled(mass, n), n) + dot(inertia_c * turn_c, turn_c) + dot(inertia_p * turn_p, turn_p);
    s[at(i, i)] = s[at(i, i)] + widened(alone * compliance);
  }
  factorize(s, rows.size());
  for (std::size_t i = 0; i < at(rows.size(), 0); ++i) store8(s[i], block.factor[i]);
  hang_on_parent(block, rows, s, tree_bodies);
}

/// S^-1 y in place.
HWY_INLINE void solve_factor(const TreeBlock& block, Double8* y) {
  const std::size_t n = block.rows;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < i; ++k) y[i] = y[i] - load8(block.factor[at(i, k)]) * y[k];
  for (std::size_t i = n; i-- > 0;) {
    y[i] = y[i] * load8(block.factor[at(i, i)]);
    for (std::size_t k = i + 1; k < n; ++k) y[i] = y[i] - load8(block.factor[at(k, i)]) * y[k];
  }
}

HWY_INLINE Spatial motion_of(std::span<const SolverBody> states, const std::uint32_t* places) {
  return Spatial::widened_from(Speeds::load(states, places, &SolverBody::velocity),
                               Speeds::load(states, places, &SolverBody::spin));
}

/// Toward the roots.
HWY_INLINE void gather_up(TreeBlock& block, std::span<TreeRow> rows,
                          std::span<const SolverBody> states, std::span<TreeBody> tree_bodies,
                          float rate, float push_speed) {
  Spatial rest = Spatial::zero();
  if (!block.leaves) {
    alignas(64) LaneDoubles push[6];
    gather_bodies(tree_bodies, block.child, &TreeBody::push, push);
    rest = times(block.inverse, Spatial::load(push));
    Spatial::zero().store(push);
    scatter_bodies(push, tree_bodies, block.child, &TreeBody::push);
  }
  rest.store(block.rest);
  if (rows.empty()) return;
  Spatial child = motion_of(states, block.child_place);
  const Spatial parent = motion_of(states, block.parent_place);
  child.add(rest, all8(1));
  const Float8 sign = load_floats(block.sign);
  Double8 y[6];
  for (std::size_t i = 0; i < rows.size(); ++i) {
    TreeRow& row = rows[i];
    const Float8 error = (load_floats(row.value) - load_floats(row.target)) * sign;
    const Float8 bias =
        max(min(error * all_floats(rate), all_floats(push_speed)), all_floats(-push_speed));
    y[i] = (dot(on_child(row), child) - dot(on_parent(row), parent)) + widened(bias);
    store8(y[i], row.sum);
  }
  solve_factor(block, y);
  Spatial push = Spatial::zero();
  for (std::size_t i = 0; i < rows.size(); ++i) push.add(on_parent(rows[i]), y[i]);
  alignas(64) LaneDoubles pushes[6];
  push.store(pushes);
  add_to_bodies(pushes, tree_bodies, block.parent, &TreeBody::push);
}

/// Impulses act on bodies as they are.
HWY_INLINE void apply(const TreeBlock& block, std::span<const TreeRow> rows,
                      std::span<SolverBody> states, std::span<const JointBody> bodies,
                      const Float8* impulses) {
  Row3 push = zero3(), twist_c = zero3(), twist_p = zero3();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    push = push + load3(rows[i].n) * impulses[i];
    twist_c = twist_c + load3(rows[i].turn_b) * impulses[i];
    twist_p = twist_p + load3(rows[i].turn_a) * impulses[i];
  }
  const auto change = [&](const std::uint32_t* places, SolverField field, const Row3& by) HWY_ATTR {
    Speeds::save(Speeds::load(states, places, field) + by, states, places, field);
  };
  const Float8 back = all_floats(-1);
  change(block.child_place, &SolverBody::velocity, scaled(load3(block.mass_child), push));
  change(block.parent_place, &SolverBody::velocity, scaled(load3(block.mass_parent), push) * back);
  change(block.child_place, &SolverBody::spin,
         inverse_inertia_of(bodies, block.child_place) * twist_c);
  change(block.parent_place, &SolverBody::spin,
         (inverse_inertia_of(bodies, block.parent_place) * twist_p) * back);
}

/// And back.
HWY_INLINE void hand_down(TreeBlock& block, std::span<TreeRow> rows, std::span<SolverBody> states,
                          std::span<const JointBody> bodies, std::span<TreeBody> tree_bodies) {
  Spatial change = Spatial::load(block.rest);
  alignas(64) LaneDoubles changes[6];
  if (!rows.empty()) {
    gather_bodies(tree_bodies, block.parent, &TreeBody::change, changes);
    const Spatial parent = Spatial::load(changes);
    Double8 y[6];
    for (std::size_t i = 0; i < rows.size(); ++i)
      y[i] = load8(rows[i].sum) - dot(on_parent(rows[i]), parent);
    solve_factor(block, y);
    Float8 impulses[6];
    for (std::size_t i = 0; i < rows.size(); ++i) {
      TreeRow& row = rows[i];
      impulses[i] = narrowed(none() - y[i]);
      store_floats(load_floats(row.impulse) + impulses[i], row.impulse);
      change.add(Spatial::load(row.response), none() - y[i]);
    }
    apply(block, rows, states, bodies, impulses);
  }
  if (block.leaves) return;
  change.store(changes);
  scatter_bodies(changes, tree_bodies, block.child, &TreeBody::change);
}

} // namespace

void refresh_tree_blocks(std::span<TreeBlock> blocks, std::span<TreeRow> rows,
                         std::span<const SolverBody> states, std::span<const JointBody> bodies,
                         std::span<TreeBody> tree_bodies, bool begins) {
  for (TreeBlock& block : blocks) refresh_block(block, rows, states, bodies, tree_bodies, begins);
}
void warm_tree_blocks(std::span<const TreeBlock> blocks, std::span<const TreeRow> rows,
                      std::span<SolverBody> states, std::span<const JointBody> bodies) {
  for (const TreeBlock& block : blocks) {
    if (block.rows == 0) continue;
    const std::span<const TreeRow> own = rows.subspan(block.first_row, block.rows);
    Float8 impulses[6];
    for (std::size_t i = 0; i < own.size(); ++i) impulses[i] = load_floats(own[i].impulse);
    apply(block, own, states, bodies, impulses);
  }
}
void solve_tree_blocks(std::span<TreeBlock> blocks, std::span<TreeRow> rows,
                       std::span<SolverBody> states, std::span<const JointBody> bodies,
                       std::span<TreeBody> tree_bodies, float rate, float push_speed) {
  for (TreeBlock& block : blocks)
    gather_up(block, rows.subspan(block.first_row, block.rows), states, tree_bodies, rate,
              push_speed);
  for (std::size_t i = blocks.size(); i-- > 0;)
    hand_down(blocks[i], rows.subspan(blocks[i].first_row, blocks[i].rows), states, bodies,
              tree_bodies);
}
void total_tree_rows(std::span<TreeRow> rows) {
  for (TreeRow& row : rows)
    store_floats(load_floats(row.total) + load_floats(row.impulse), row.total);
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {
HWY_EXPORT(refresh_tree_blocks);
HWY_EXPORT(warm_tree_blocks);
HWY_EXPORT(solve_tree_blocks);
HWY_EXPORT(total_tree_rows);
} // namespace

void refresh_trees(std::span<TreeBlock> blocks, std::span<TreeRow> rows,
                   std::span<const SolverBody> states, std::span<const JointBody> bodies,
                   std::span<TreeBody> tree_bodies, bool begins) {
  HWY_DYNAMIC_DISPATCH(refresh_tree_blocks)(blocks, rows, states, bodies, tree_bodies, begins);
}
void warm_start_trees(std::span<const TreeBlock> blocks, std::span<const TreeRow> rows,
                      std::span<SolverBody> states, std::span<const JointBody> bodies) {
  HWY_DYNAMIC_DISPATCH(warm_tree_blocks)(blocks, rows, states, bodies);
}
void solve_trees(std::span<TreeBlock> blocks, std::span<TreeRow> rows, std::span<SolverBody> states,
                 std::span<const JointBody> bodies, std::span<TreeBody> tree_bodies, float rate,
                 float push_speed) {
  HWY_DYNAMIC_DISPATCH(solve_tree_blocks)
  (blocks, rows, states, bodies, tree_bodies, rate, push_speed);
}
void relax_trees(std::span<TreeBlock> blocks, std::span<TreeRow> rows, std::span<SolverBody> states,
                 std::span<const JointBody> bodies, std::span<TreeBody> tree_bodies) {
  HWY_DYNAMIC_DISPATCH(solve_tree_blocks)(blocks, rows, states, bodies, tree_bodies, 0, 0);
  HWY_DYNAMIC_DISPATCH(total_tree_rows)(rows);
}

} // namespace carom
#endif
