// Bodies that turn slowly for a sub-step, eight at a time.
//
// Velocities come first, positions move with the new ones. The spin of a body that is not round changes without any torque, since its inertia turns with it while its angular momentum stays. In the frame that the body had when the step
// began the inertia rests and the momentum turns the other way: half a turn with the spin that it has gives the spin halfway, and a whole turn with that one the spin after it. Up to slow_turn that keeps the energy to within the
// rounding of the floats; the momentum it keeps in any case.
//
// Compiled once for each instruction set (everything between the HWY_ lines), and chosen at run time. Lanes never meet, so that their number changes nothing.
#undef HWY_TARGET_INCLUDE
#if defined(__aarch64__)
#define HWY_DISABLED_TARGETS                                                                       \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128) // vectors without a size cannot be members
#endif
#define HWY_TARGET_INCLUDE "carom/dynamics/integrator_lanes.cpp"
#include <hwy/foreach_target.h>

#include "carom/dynamics/integrator.h"
#include "carom/dynamics/lane_speeds-inl.h"

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace {

// Noise turns bodies by 1e-14 radians or so. Products of three such numbers are below all normal floats, and those cost a processor a hundred times as much: so sums are formed first.

/// A rotation as a quaternion.
struct Turn {
  Row3 v;
  Float8 w;

  [[nodiscard]] HWY_INLINE Row3 operator()(const Row3& x) const {
    const Row3 d = cross(v, x * w + cross(v, x));
    return x + (d + d);
  }
  [[nodiscard]] HWY_INLINE Turn back() const { return {v * all_floats(-1), w}; }
};

/// Along half a rotation vector, the tangent of its length.
HWY_INLINE Row3 half_tangent(const Row3& half) {
  // tan(x) / x = 1 + x^2/3 + 2x^4/15 + 17x^6/315 + ...: up to 0.1 the rest is below 1e-9 of it.
  const Float8 s = dot(half, half);
  const Float8 series =
      s * (all_floats(1 / 3.0F) + s * (all_floats(2 / 15.0F) + s * all_floats(17 / 315.0F)));
  return half * (all_floats(1) + series);
}

/// What a rotation by this vector comes to after a turn.
HWY_INLINE Turn turned_by(const Turn& q, const Row3& turn) {
  const Row3 t = half_tangent(turn * all_floats(0.5F));
  const Row3 v = q.v + t * q.w + cross(t, q.v);
  const Float8 w = q.w - dot(t, q.v);
  const Float8 scale = all_floats(1) / sqrt(dot(v, v) + w * w);
  return {v * scale, w * scale};
}

/// A vector as seen from a frame that has turned by a rotation vector of less than 0.2 radians.
HWY_INLINE Row3 turned_back(const Row3& v, const Row3& turn) {
  const Row3 t = half_tangent(turn * all_floats(-0.5F));
  // By the tangent of half the angle: v + 2 (t x (v + t x v)) / (1 + t^2).
  return v + cross(t, v + cross(t, v)) * (all_floats(2) / (all_floats(1) + dot(t, t)));
}

/// The bits of those that are too fast.
HWY_INLINE unsigned integrate_block(std::span<BodyMotion> motions, std::span<SolverBody> states,
                                    std::uint32_t first, float time) {
  std::uint32_t places[lane_count];
  bool gyroscopic = false;
  const auto end = static_cast<std::uint32_t>(states.size());
  for (std::uint32_t i = 0; i < lane_count; ++i) {
    places[i] = first + i < end ? first + i : 0;
    gyroscopic = gyroscopic || motions[places[i]].gyroscopic;
  }
  const std::span<const BodyMotion> of(motions);
  const std::span<const SolverBody> at(states);
  const Float8 h = all_floats(time);
  const Row3 before = load_field(at, places, &SolverBody::spin);
  const Row4 inertia = load_row4(of, places, &BodyMotion::inertia);
  const unsigned slow = bits(dot(before, before) <= inertia.w);
  const Row4 q = load_row4(of, places, &BodyMotion::turn);
  const Turn turn{q.v, q.w};
  Row3 spin = before;
  Row3 momentum{zero(), zero(), zero()}, mean = momentum;
  Symmetric3 inverse{momentum, momentum};
  FloatMask8 some = zero() < zero();
  if (gyroscopic) {
    const Row4 products = load_row4(of, places, &BodyMotion::products);
    some = zero() < products.w;
    inverse = {load_field(of, places, &BodyMotion::inverse_inertia),
               load_field(of, places, &BodyMotion::inverse_products)};
    const Row3 local = turn.back()(before);
    momentum = Symmetric3{inertia.v, products.v} * local;
    const Row3 half = local * (h * all_floats(0.5F));
    mean = turned_back(inverse * turned_back(momentum, half), half * all_floats(-1));
    spin = select3(some, turn(mean), before);
  }
  const Turn after = turned_by(turn, spin * h);
  for (std::uint32_t i = 0; i < lane_count; ++i)
    if ((slow >> i & 1) == 0) places[i] = 0;
  save_field(after.v, after.w, motions, places, &BodyMotion::turn);
  if (gyroscopic) {
    const Row3 changed = select3(some, after(inverse * turned_back(momentum, mean * h)), before);
    const Row3 base = load_field(of, places, &BodyMotion::base_spin);
    save_field(changed, zero(), states, places, &SolverBody::spin);
    save_field(base + (changed - before), zero(), motions, places, &BodyMotion::base_spin);
  }
  const Row3 moved = load_field(at, places, &SolverBody::moved),
             velocity = load_field(at, places, &SolverBody::velocity),
             turned = load_field(at, places, &SolverBody::turned);
  save_field(moved + velocity * h, zero(), states, places, &SolverBody::moved);
  save_field(turned + spin * h, zero(), states, places, &SolverBody::turned);
  return ~slow & 0xffU;
}

/// Zero for what is slower than anything that matters (lane_speeds-inl.h: without_dust).
HWY_INLINE Float4 without_dust(const Float4& v) {
  return select(abs(v) < all_floats<4>(1e-16F), all_floats<4>(0), v);
}

} // namespace

void velocities_of_all(std::span<BodyMotion> motions, std::span<SolverBody> states, bool first) {
  const auto change = [first](float* velocity, float* base, const float* push, float slow)
                          HWY_ATTR {
                            const Float4 old = load_floats<4>(velocity), was = load_floats<4>(base);
                            const Float4 now = (old + load_floats<4>(push)) * all_floats<4>(slow);
                            store_floats(now, base);
                            store_floats(without_dust(first ? now : now + (old - was)), velocity);
                          };
  for (std::size_t i = 0; i < states.size(); ++i) {
    BodyMotion& m = motions[i];
    change(states[i].velocity, m.base_velocity, m.push, m.slow_down);
    change(states[i].spin, m.base_spin, m.twist, m.slow_spin);
  }
}
void positions_of_all(std::span<BodyMotion> motions, std::span<SolverBody> states, float time,
                      std::span<std::uint8_t> fast, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i)
    fast[i] = static_cast<std::uint8_t>(
        integrate_block(motions, states, static_cast<std::uint32_t>(i * lane_count), time));
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {
HWY_EXPORT(velocities_of_all);
HWY_EXPORT(positions_of_all);
} // namespace

void integrate_velocities(std::span<BodyMotion> motions, std::span<SolverBody> states, bool first) {
  HWY_DYNAMIC_DISPATCH(velocities_of_all)(motions, states, first);
}
void integrate_positions(std::span<BodyMotion> motions, std::span<SolverBody> states, float time,
                         std::span<std::uint8_t> fast, std::size_t begin, std::size_t end) {
  HWY_DYNAMIC_DISPATCH(positions_of_all)(motions, states, time, fast, begin, end);
}

} // namespace carom
#endif
