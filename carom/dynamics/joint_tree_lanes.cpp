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

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace {

/// The place of (i, k), k <= i, in a lower triangle.
constexpr std::size_t at(std::size_t i, std::size_t k) { return i * (i + 1) / 2 + k; }

/// L D L^T of the lower triangle m in place: L below, 1 / D on the diagonal. A pivot that rounding has eaten counts as none: its row is left out.
HWY_INLINE void factorize(Float8* m, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    Float8 pivot = m[at(i, i)];
    const Float8 least = pivot * all_floats(1e-6F);
    for (std::size_t k = 0; k < i; ++k) {
      Float8 x = m[at(i, k)];
      for (std::size_t j = 0; j < k; ++j) x = x - m[at(i, j)] * m[at(k, j)];
      m[at(i, k)] = x; // L D so far
    }
    for (std::size_t k = 0; k < i; ++k) {
      const Float8 l = m[at(i, k)] * m[at(k, k)];
      pivot = pivot - l * m[at(i, k)];
      m[at(i, k)] = l;
    }
    m[at(i, i)] = select(least < pivot, positive_inverse(pivot), zero());
  }
}

/// The inverse of what was factorized, as a lower triangle.
HWY_INLINE void invert6(const Float8* f, Float8* inverse) {
  Float8 l[21]; // L^-1, below the diagonal
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t k = 0; k < i; ++k) {
      Float8 x = zero() - f[at(i, k)];
      for (std::size_t j = k + 1; j < i; ++j) x = x - f[at(i, j)] * l[at(j, k)];
      l[at(i, k)] = x;
    }
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t k = 0; k <= i; ++k) {
      Float8 x = k == i ? f[at(i, i)] : l[at(i, k)] * f[at(i, i)];
      for (std::size_t j = i + 1; j < 6; ++j) x = x + l[at(j, i)] * l[at(j, k)] * f[at(j, j)];
      inverse[at(i, k)] = x;
    }
}

struct Spatial {
  Row3 linear, angular;
};
HWY_INLINE Spatial operator+(const Spatial& a, const Spatial& b) {
  return {a.linear + b.linear, a.angular + b.angular};
}
HWY_INLINE Spatial operator*(const Spatial& a, const Float8& s) {
  return {a.linear * s, a.angular * s};
}
HWY_INLINE Float8 dot(const Spatial& a, const Spatial& b) {
  return dot(a.linear, b.linear) + dot(a.angular, b.angular);
}
HWY_INLINE Spatial load6(const LaneRow* rows) { return {load3(rows), load3(rows + 3)}; }
HWY_INLINE void store6(const Spatial& v, LaneRow* rows) {
  store3(v.linear, rows);
  store3(v.angular, rows + 3);
}
HWY_INLINE Spatial times(const LaneRow* m, const Spatial& v) {
  const Float8 x[6] = {v.linear.x, v.linear.y, v.linear.z, v.angular.x, v.angular.y, v.angular.z};
  Float8 y[6];
  for (std::size_t i = 0; i < 6; ++i) {
    y[i] = load_floats(m[at(i, 0)]) * x[0];
    for (std::size_t k = 1; k < 6; ++k)
      y[i] = y[i] + load_floats(m[k <= i ? at(i, k) : at(k, i)]) * x[k];
  }
  return {{y[0], y[1], y[2]}, {y[3], y[4], y[5]}};
}
HWY_INLINE Spatial on_child(const TreeRow& row) { return {load3(row.n), load3(row.turn_b)}; }
/// The sign is the opposite one.
HWY_INLINE Spatial on_parent(const TreeRow& row) { return {load3(row.n), load3(row.turn_a)}; }

HWY_INLINE Spatial load_spatial(std::span<const TreeBody> bodies, const std::uint32_t* of,
                                float (TreeBody::*linear)[4], float (TreeBody::*angular)[4]) {
  return {load_field(bodies, of, linear), load_field(bodies, of, angular)};
}
HWY_INLINE void save_spatial(const Spatial& v, std::span<TreeBody> bodies, const std::uint32_t* of,
                             float (TreeBody::*linear)[4], float (TreeBody::*angular)[4]) {
  save_field(v.linear, bodies, of, linear);
  save_field(v.angular, bodies, of, angular);
}

/// The mass of a body and what hangs on it, as a lower triangle.
HWY_INLINE void load_mass(std::span<const TreeBody> bodies, const std::uint32_t* of, Float8* m) {
  const Row3 d = load_field(bodies, of, &TreeBody::linear),
             p = load_field(bodies, of, &TreeBody::linear_products),
             e = load_field(bodies, of, &TreeBody::angular),
             q = load_field(bodies, of, &TreeBody::angular_products);
  const Row3 x = load_field(bodies, of, &TreeBody::across_x),
             y = load_field(bodies, of, &TreeBody::across_y),
             z = load_field(bodies, of, &TreeBody::across_z);
  m[0] = d.x, m[1] = p.x, m[2] = d.y, m[3] = p.z, m[4] = p.y, m[5] = d.z;
  for (int i = 0; i < 3; ++i) {
    const std::size_t row = at(static_cast<std::size_t>(3 + i), 0);
    m[row] = x[i], m[row + 1] = y[i], m[row + 2] = z[i];
  }
  m[at(3, 3)] = e.x, m[at(4, 3)] = q.x, m[at(4, 4)] = e.y, m[at(5, 3)] = q.z, m[at(5, 4)] = q.y,
          m[at(5, 5)] = e.z;
}
HWY_INLINE void save_mass(const Float8* m, std::span<TreeBody> bodies, const std::uint32_t* of) {
  save_field({m[0], m[2], m[5]}, bodies, of, &TreeBody::linear);
  save_field({m[1], m[4], m[3]}, bodies, of, &TreeBody::linear_products);
  save_field({m[at(3, 3)], m[at(4, 4)], m[at(5, 5)]}, bodies, of, &TreeBody::angular);
  save_field({m[at(4, 3)], m[at(5, 4)], m[at(5, 3)]}, bodies, of, &TreeBody::angular_products);
  save_field({m[at(3, 0)], m[at(4, 0)], m[at(5, 0)]}, bodies, of, &TreeBody::across_x);
  save_field({m[at(3, 1)], m[at(4, 1)], m[at(5, 1)]}, bodies, of, &TreeBody::across_y);
  save_field({m[at(3, 2)], m[at(4, 2)], m[at(5, 2)]}, bodies, of, &TreeBody::across_z);
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
                               const Float8* s, std::span<TreeBody> tree_bodies) {
  Float8 m[21];
  load_mass(tree_bodies, block.parent, m);
  Float8 y[6][6];
  for (std::size_t i = 0; i < block.rows; ++i) {
    const Spatial p = on_parent(rows[i]);
    for (int k = 0; k < 3; ++k) {
      y[i][k] = p.linear[k];
      y[i][3 + k] = p.angular[k];
    }
    for (std::size_t j = 0; j < i; ++j)
      for (std::size_t k = 0; k < 6; ++k) y[i][k] = y[i][k] - s[at(i, j)] * y[j][k];
    for (std::size_t r = 0; r < 6; ++r) {
      const Float8 scaled_y = y[i][r] * s[at(i, i)];
      for (std::size_t c = 0; c <= r; ++c) m[at(r, c)] = m[at(r, c)] + scaled_y * y[i][c];
    }
  }
  save_mass(m, tree_bodies, block.parent);
}

HWY_INLINE void refresh_block(TreeBlock& block, std::span<TreeRow> all_rows,
                              std::span<const SolverBody> states, std::span<const JointBody> bodies,
                              std::span<TreeBody> tree_bodies, bool begins) {
  const std::span<TreeRow> rows = all_rows.subspan(block.first_row, block.rows);
  SlotRows slots;
  if (!rows.empty()) put_slots(block.lanes, states, bodies, begins, slots);
  Float8 m[21];
  load_mass(tree_bodies, block.child, m);
  factorize(m, 6);
  Float8 inverse[21];
  invert6(m, inverse);
  for (std::size_t i = 0; i < 21; ++i) store_floats(inverse[i], block.inverse[i]);
  if (rows.empty()) return;

  const Symmetric3 inertia_c = inverse_inertia_of(bodies, block.child_place),
                   inertia_p = inverse_inertia_of(bodies, block.parent_place);
  const Row3 mass = load3(block.mass_child) + load3(block.mass_parent);
  const Float8 sign = load_floats(block.sign), compliance = load_floats(block.compliance);
  Float8 s[21];
  for (std::size_t i = 0; i < rows.size(); ++i) {
    TreeRow& row = rows[i];
    take_slot(slots, row.slot, row, row.value);
    orient(row, sign);
    const Spatial c = on_child(row), p = on_parent(row);
    store6(times(block.inverse, c), row.response);
    for (std::size_t k = 0; k <= i; ++k) s[at(i, k)] = dot(c, load6(rows[k].response));
    const Float8 alone = dot(scaled(mass, c.linear), c.linear) +
                         dot(inertia_c * c.angular, c.angular) +
                         dot(inertia_p * p.angular, p.angular);
    s[at(i, i)] = s[at(i, i)] + alone * compliance;
  }
  factorize(s, rows.size());
  for (std::size_t i = 0; i < at(rows.size(), 0); ++i) store_floats(s[i], block.factor[i]);
  hang_on_parent(block, rows, s, tree_bodies);
}

/// S^-1 y in place.
HWY_INLINE void solve_factor(const TreeBlock& block, Float8* y) {
  const std::size_t n = block.rows;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < i; ++k) y[i] = y[i] - load_floats(block.factor[at(i, k)]) * y[k];
  for (std::size_t i = n; i-- > 0;) {
    y[i] = y[i] * load_floats(block.factor[at(i, i)]);
    for (std::size_t k = i + 1; k < n; ++k)
      y[i] = y[i] - load_floats(block.factor[at(k, i)]) * y[k];
  }
}

HWY_INLINE Spatial motion_of(std::span<const SolverBody> states, const std::uint32_t* places) {
  return {Speeds::load(states, places, &SolverBody::velocity),
          Speeds::load(states, places, &SolverBody::spin)};
}

/// Toward the roots.
HWY_INLINE void gather_up(TreeBlock& block, std::span<TreeRow> rows,
                          std::span<const SolverBody> states, std::span<TreeBody> tree_bodies,
                          float rate, float push_speed) {
  Spatial rest{zero3(), zero3()};
  if (!block.leaves) {
    rest = times(block.inverse,
                 load_spatial(tree_bodies, block.child, &TreeBody::push, &TreeBody::twist));
    save_spatial({zero3(), zero3()}, tree_bodies, block.child, &TreeBody::push, &TreeBody::twist);
  }
  store6(rest, block.rest);
  if (rows.empty()) return;
  const Spatial child = motion_of(states, block.child_place) + rest,
                parent = motion_of(states, block.parent_place);
  const Float8 sign = load_floats(block.sign);
  Float8 y[6];
  for (std::size_t i = 0; i < rows.size(); ++i) {
    TreeRow& row = rows[i];
    const Float8 error = (load_floats(row.value) - load_floats(row.target)) * sign;
    const Float8 bias =
        max(min(error * all_floats(rate), all_floats(push_speed)), all_floats(-push_speed));
    // Both are nearly the same: first the differences.
    y[i] = dot(load3(row.n), child.linear - parent.linear) +
           (dot(load3(row.turn_b), child.angular) - dot(load3(row.turn_a), parent.angular)) + bias;
    store_floats(y[i], row.sum);
  }
  solve_factor(block, y);
  Spatial push = load_spatial(tree_bodies, block.parent, &TreeBody::push, &TreeBody::twist);
  for (std::size_t i = 0; i < rows.size(); ++i) push = push + on_parent(rows[i]) * y[i];
  save_spatial(push, tree_bodies, block.parent, &TreeBody::push, &TreeBody::twist);
}

/// Impulses act on bodies as they are.
HWY_INLINE void apply(const TreeBlock& block, std::span<SolverBody> states,
                      std::span<const JointBody> bodies, const Spatial& on_c, const Spatial& on_p) {
  const Spatial c = motion_of(states, block.child_place), p = motion_of(states, block.parent_place);
  const Symmetric3 inertia_c = inverse_inertia_of(bodies, block.child_place),
                   inertia_p = inverse_inertia_of(bodies, block.parent_place);
  Speeds::save(c.linear + scaled(load3(block.mass_child), on_c.linear), states, block.child_place,
               &SolverBody::velocity);
  Speeds::save(c.angular + inertia_c * on_c.angular, states, block.child_place, &SolverBody::spin);
  Speeds::save(p.linear - scaled(load3(block.mass_parent), on_p.linear), states, block.parent_place,
               &SolverBody::velocity);
  Speeds::save(p.angular - inertia_p * on_p.angular, states, block.parent_place, &SolverBody::spin);
}

/// And back.
HWY_INLINE void hand_down(TreeBlock& block, std::span<TreeRow> rows, std::span<SolverBody> states,
                          std::span<const JointBody> bodies, std::span<TreeBody> tree_bodies) {
  Spatial change = load6(block.rest);
  if (!rows.empty()) {
    const Spatial parent =
        load_spatial(tree_bodies, block.parent, &TreeBody::speed, &TreeBody::spin);
    Float8 y[6];
    for (std::size_t i = 0; i < rows.size(); ++i)
      y[i] = load_floats(rows[i].sum) - dot(on_parent(rows[i]), parent);
    solve_factor(block, y);
    Spatial on_c{zero3(), zero3()}, on_p = on_c;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      TreeRow& row = rows[i];
      const Float8 impulse = zero() - y[i];
      store_floats(load_floats(row.impulse) + impulse, row.impulse);
      on_c = on_c + on_child(row) * impulse;
      on_p = on_p + on_parent(row) * impulse;
      change = change + load6(row.response) * impulse;
    }
    apply(block, states, bodies, on_c, on_p);
  }
  if (!block.leaves)
    save_spatial(change, tree_bodies, block.child, &TreeBody::speed, &TreeBody::spin);
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
    Spatial on_c{zero3(), zero3()}, on_p = on_c;
    for (const TreeRow& row : rows.subspan(block.first_row, block.rows)) {
      on_c = on_c + on_child(row) * load_floats(row.impulse);
      on_p = on_p + on_parent(row) * load_floats(row.impulse);
    }
    if (block.rows > 0) apply(block, states, bodies, on_c, on_p);
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
