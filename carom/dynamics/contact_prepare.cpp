// What a block of contacts needs that stays as it is during a step, from the bodies and what was copied into its lanes: eight contacts at a time.
#undef HWY_TARGET_INCLUDE
#if defined(__aarch64__)
#define HWY_DISABLED_TARGETS                                                                       \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128) // vectors without a size cannot be members
#endif
#define HWY_TARGET_INCLUDE "carom/dynamics/contact_prepare.cpp"
#include <hwy/foreach_target.h>

#include "carom/dynamics/contact_lanes.h"
#include "carom/dynamics/lane_speeds-inl.h"

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace {

/// Inverse masses and inertias of a block's bodies.
struct Weights {
  Row3 mass_a, mass_b;
  Symmetric3 inertia_a, inertia_b;
};

/// A unit vector at right angles to another: crossed with the x axis, or with z where that is too near.
HWY_INLINE Row3 tangent_of(const Row3& n) {
  const FloatMask8 steep = abs(n.x) < all_floats(0.7F);
  const Float8 x = select(steep, zero(), n.y), y = select(steep, n.z, zero() - n.x),
               z = select(steep, zero() - n.y, zero());
  const Float8 l = x * x + y * y + z * z;
  const Float8 s = all_floats(1) / sqrt(max(l, all_floats(1e-12F)));
  return {x * s, y * s, z * s};
}

/// The inverse of a symmetric 2x2 matrix a b, b c; 0 where it has none.
HWY_INLINE void store_inverse2(const Float8& a, const Float8& b, const Float8& c, LaneRow* to) {
  const Float8 inverse = inverse_or_0(a * c - b * b);
  store_floats(c * inverse, to[0]);
  store_floats(zero() - b * inverse, to[1]);
  store_floats(a * inverse, to[2]);
}

HWY_INLINE void prepare_points(ContactBlock& block, const LaneInput& input, const Speeds& speeds,
                               const Weights& w, const Row3& n, const Row3& offset,
                               const Row3& middle) {
  const Float8 linear = dot(scaled(w.mass_a + w.mass_b, n), n);
  const Float8 closing = dot(n, speeds.v_b - speeds.v_a) + dot(offset, speeds.w_b);
  for (std::uint32_t i = 0; i < block.point_count; ++i) {
    PointLanes& p = block.points[i];
    const Row3 r = load3(input.arm[i]);
    const Row3 arm_a = without_dust(cross(r, n), sqrt(dot(r, r))), arm_b = arm_a + offset;
    const Row3 spin_a = w.inertia_a * arm_a, spin_b = w.inertia_b * arm_b;
    const Float8 used = load_floats(input.used[i]);
    store3(arm_a, p.arm);
    store3(spin_a, p.spin_a);
    store3(spin_b, p.spin_b);
    store_floats(inverse_or_0(linear + dot(arm_a, spin_a) + dot(arm_b, spin_b)) * used, p.mass);
    store_floats(closing + dot(arm_a, speeds.w_b - speeds.w_a), p.approach);
    const Row3 out = r - middle;
    store_floats(sqrt(dot(out, out)) * used, p.lever);
    store_floats(load_floats(p.gap), p.gap_now);
    store_floats(zero(), p.total);
  }
}

HWY_INLINE void prepare_friction(ContactBlock& block, const LaneInput& input, const Weights& w,
                                 const Row3& n, const Row3& middle) {
  const Row3 t1 = without_dust(tangent_of(n), all_floats(1)), t2 = cross(n, t1);
  const Row3 middle_b = middle + load3(input.between);
  const Float8 far_a = sqrt(dot(middle, middle)), far_b = sqrt(dot(middle_b, middle_b));
  const Row3 arm_a1 = without_dust(cross(middle, t1), far_a),
             arm_a2 = without_dust(cross(middle, t2), far_a);
  const Row3 arm_b1 = without_dust(cross(middle_b, t1), far_b),
             arm_b2 = without_dust(cross(middle_b, t2), far_b);
  const Row3 a1 = w.inertia_a * arm_a1, a2 = w.inertia_a * arm_a2;
  const Row3 b1 = w.inertia_b * arm_b1, b2 = w.inertia_b * arm_b2;
  const Row3 mass = w.mass_a + w.mass_b;
  const Row3 m1 = scaled(mass, t1), m2 = scaled(mass, t2);
  store_inverse2(dot(m1, t1) + dot(arm_a1, a1) + dot(arm_b1, b1),
                 dot(m1, t2) + dot(arm_a1, a2) + dot(arm_b1, b2),
                 dot(m2, t2) + dot(arm_a2, a2) + dot(arm_b2, b2), block.slide_mass);
  store3(t1, block.tangent);
  store3(middle, block.middle_a);
  store3(middle_b, block.middle_b);
  store3(a1, block.slide_a[0]);
  store3(a2, block.slide_a[1]);
  store3(b1, block.slide_b[0]);
  store3(b2, block.slide_b[1]);
  const Row3 slide = load3(input.slide), belt = load3(input.belt), drift = load3(input.drift);
  store_floats(dot(slide, t1), block.slide[0]);
  store_floats(dot(slide, t2), block.slide[1]);
  store_floats(dot(belt, t1), block.belt[0]);
  store_floats(dot(belt, t2), block.belt[1]);
  store_floats(dot(drift, t1), block.drift[0]);
  store_floats(dot(drift, t2), block.drift[1]);
  const Row3 twist_a = w.inertia_a * n, twist_b = w.inertia_b * n;
  store3(twist_a, block.twist_a);
  store3(twist_b, block.twist_b);
  store_floats(inverse_or_0(dot(n, twist_a) + dot(n, twist_b)), block.twist_mass);
  if (!block.rolls) return;
  store_symmetric(w.inertia_a, block.inertia_a);
  store_symmetric(w.inertia_b, block.inertia_b);
  const Row3 roll = load3(input.roll);
  const Row3 r1 = w.inertia_a * t1 + w.inertia_b * t1;
  const Row3 r2 = w.inertia_a * t2 + w.inertia_b * t2;
  store_inverse2(dot(r1, t1), dot(r1, t2), dot(r2, t2), block.roll_mass);
  store_floats(dot(roll, t1), block.roll[0]);
  store_floats(dot(roll, t2), block.roll[1]);
}

/// `burden`: the greater one of the two bodies'. In proportion to its root, frequencies are lower: so stiffness stays until it is as soft as may be, and grows with the burden from there.
HWY_INLINE void prepare_softness(ContactBlock& block, const SoftStep& soft, const Float8& burden) {
  const Float8 one = all_floats(1);
  const Float8 softer = min(sqrt(max(burden, one)), all_floats(soft.softest));
  const Float8 omega = all_floats(soft.frequency) / softer,
               turned = omega * all_floats(soft.time); // in a sub-step
  const Float8 a = all_floats(2 * soft.damping) + turned;
  const Float8 give = one / (one + turned * a);
  store_floats(omega / a, block.rate);
  store_floats(one - give, block.mass_scale);
  store_floats(give, block.impulse_scale);
}

HWY_INLINE Row3 middle_of(const ContactBlock& block, const LaneInput& input) {
  Row3 sum{zero(), zero(), zero()};
  Float8 count = zero();
  for (std::uint32_t i = 0; i < block.point_count; ++i) {
    const Float8 used = load_floats(input.used[i]);
    sum = sum + load3(input.arm[i]) * used;
    count = count + used;
  }
  return sum * inverse_or_0(count);
}

} // namespace

void prepare_one(ContactBlock& block, const LaneInput& input, const SoftStep& soft,
                 std::span<const SolverBody> bodies, std::span<const BodyMotion> motions) {
  const Speeds speeds(block, bodies);
  const auto symmetric = [&](const std::uint32_t* places) HWY_ATTR {
    return Symmetric3{load_field(motions, places, &BodyMotion::inverse_inertia),
                      load_field(motions, places, &BodyMotion::inverse_products)};
  };
  const Row4 mass_a = load_row4(motions, block.a, &BodyMotion::inverse_mass),
             mass_b = load_row4(motions, block.b, &BodyMotion::inverse_mass);
  const Weights w{mass_a.v, mass_b.v, symmetric(block.a), symmetric(block.b)};
  const Row3 n = without_dust(load3(block.normal), all_floats(1)), between = load3(input.between);
  const Row3 offset = without_dust(cross(between, n), sqrt(dot(between, between)));
  const Row3 middle = middle_of(block, input);
  store3(n, block.normal);
  store3(w.mass_a, block.mass_a);
  store3(w.mass_b, block.mass_b);
  store3(offset, block.offset);
  store_floats(zero(), block.bounced);
  prepare_softness(block, soft, max(mass_a.w, mass_b.w));
  prepare_points(block, input, speeds, w, n, offset, middle);
  prepare_friction(block, input, w, n, middle);
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {
HWY_EXPORT(prepare_one);
} // namespace

void prepare_block(ContactBlock& block, const LaneInput& input, const SoftStep& soft,
                   std::span<const SolverBody> bodies, std::span<const BodyMotion> motions) {
  HWY_DYNAMIC_DISPATCH(prepare_one)(block, input, soft, bodies, motions);
}

} // namespace carom
#endif
