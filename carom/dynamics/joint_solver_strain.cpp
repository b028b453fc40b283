// What the solver does about nets that cannot be closed (joint_strain.h): it finds them, keeps what their joints bear within bounds, and their energy.
#include "carom/dynamics/joint_solver.h"

#include "carom/dynamics/joint_stiffness.h"

#include <algorithm>
#include <bit>

namespace carom {
namespace {

/// Of the bodies' size, and radians: see is_open().
constexpr double open_part = 0.1;
constexpr double absurd_speed = 1e4;
/// Of trees in strained nets: a part of what their bodies alone yield.
constexpr float strained_compliance = 0.05F;
/// What is left of impulses: see ease().
constexpr double eased = 0.8;

} // namespace

/// Whether what it holds is open by a tenth of its bodies' size, or a tenth of a radian: a good joint never is. No more than is undone in a sub-step, for large bodies. Or it bore, in a sub-step, what would give its own bodies a speed that
/// no load that they can hold does.
bool JointSolver::is_open(const Acting& j, const JointRecord& record, const JointPlace& place,
                          std::span<const double> values, const BodyStore& bodies,
                          std::span<const BodyMotion> motions) const {
  double size = 0, mass = 0, inertia = 0;
  const auto weigh = [&](std::uint32_t at, const Vec3& arm) {
    const Body& body = bodies[motions[at].slot];
    size = std::max({size, length(arm), body.reach});
    mass += body.mass;
    inertia += body.principal_inertia.x + body.mass * length_squared(arm);
  };
  if (j.a_moves) weigh(j.a, place.arm_a);
  if (j.b_moves) weigh(j.b, place.arm_b);
  if (length(record.force) * time_ > absurd_speed * mass ||
      length(record.torque) * time_ > absurd_speed * inertia)
    return true;
  const double far = std::min(open_part * size, push_speed * time_ / tree_part);
  const auto beyond = [&](std::uint8_t slot, double lower, double upper) {
    const double at = slot == length_slot ? length(place.gap)
                      : slot < 3          ? dot(place.axes_a[slot], place.gap)
                                          : values[slot];
    return std::max(lower - at, at - upper) > (is_linear(slot) ? far : open_part);
  };
  const double* locked_at = locked_at_.data() + j.first_lock;
  for (unsigned left = j.tree ? j.locks : 0; left != 0; left &= left - 1, ++locked_at)
    if (beyond(static_cast<std::uint8_t>(std::countr_zero(left)), *locked_at, *locked_at))
      return true;
  for (std::uint32_t k = 0; k < j.rows; ++k) {
    const RowSpec& spec = specs_[j.first_row + k];
    if (spec.effect == JointEffect::hold && beyond(spec.slot, spec.lower, spec.upper)) return true;
  }
  return false;
}

void JointSolver::begin_strain(const BodyStore& bodies, std::span<const BodyMotion> motions) {
  const bool any = std::any_of(strain_edges_.begin(), strain_edges_.end(),
                               [](const JointStrain::Edge& e) { return e.open; });
  if (!any && !strain_.any()) return;
  if (any)
    strain_.begin(strain_edges_, bodies, motions);
  else
    strain_.clear();
  // A tree that cannot be closed may be all but straight, and no pull is great enough then: it yields, as a soft row does.
  for (const Acting& j : acting_)
    if (j.tree)
      tree_blocks_[j.tree_block].compliance[j.tree_lane] =
          any && strain_.has(j.a_moves ? j.a : j.b) ? strained_compliance : j.compliance;
  if (!any) return;
  // To steady a link costs angular momentum; and what pulls at itself does so ever harder. These are kept from shaking by their energy.
  for (const Held& h : held_)
    if (strain_.has(h.place)) has_added_[h.place] = 0;
}

/// Joints that cannot be closed would pull harder in each sub-step, for ever. So those of a strained net begin with less than they had, and with no more than undoes a few times in the whole net what a sub-step may undo.
void JointSolver::ease() {
  for (const Acting& j : acting_) {
    const std::uint32_t place = j.a_moves ? j.a : j.b;
    if (!strain_.has(place)) continue;
    const auto most_push = static_cast<float>(push_speed * strain_.mass(place) / (1 - eased)),
               most_twist = static_cast<float>(push_speed * strain_.inertia(place) / (1 - eased));
    const auto ease_one = [&](float& impulse, std::uint8_t slot, double part) {
      const float most = is_linear(slot) ? most_push : most_twist;
      impulse = std::clamp(static_cast<float>(impulse * part), -most, most);
    };
    for (std::uint32_t k = 0; k < j.rows; ++k) {
      const RowSpec& spec = specs_[j.first_row + k];
      ease_one(rows_[blocks_[j.row_block].first_row + k].impulse[j.row_lane], spec.slot,
               spec.effect == JointEffect::hold ? eased : 1);
    }
    if (!j.tree) continue;
    TreeRow* row = &tree_rows_[tree_blocks_[j.tree_block].first_row];
    for (unsigned left = j.locks; left != 0; left &= left - 1, ++row)
      ease_one(row->impulse[j.tree_lane], static_cast<std::uint8_t>(std::countr_zero(left)), eased);
  }
}

/// What motors and springs did is theirs: an impulse times the speed that it leaves. Of a spring, the impulse that its deflection gives: others that tear at it may have made it far greater.
void JointSolver::end_strain(std::span<const BodyMotion> motions, std::span<SolverBody> states) {
  for (const Acting& j : acting_)
    for (std::uint32_t k = 0; k < j.rows; ++k) {
      const JointEffect effect = specs_[j.first_row + k].effect;
      if (effect == JointEffect::hold) continue;
      const JointRow& row = rows_[blocks_[j.row_block].first_row + k];
      const std::size_t lane = j.row_lane;
      double speed = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        const SolverBody &a = states[j.a], &b = states[j.b];
        speed += double{row.n[i][lane]} * (b.velocity[i] - a.velocity[i]) +
                 double{row.turn_b[i][lane]} * b.spin[i] - double{row.turn_a[i][lane]} * a.spin[i];
      }
      const float impulse =
          effect == JointEffect::spring ? -row.mass[lane] * row.bias[lane] : row.impulse[lane];
      strain_.add_work(j.a_moves ? j.a : j.b, double{impulse} * speed);
    }
  strain_.after(motions, states, time_);
}

} // namespace carom
