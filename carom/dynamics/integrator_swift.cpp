// Bodies that turn fast for a sub-step, but by less than 0.3 radians, eight at a time: the three turns of integrator.cpp one after the other, in doubles, with the series of sines and cosines instead of these.
//
// Compiled once for each instruction set (everything between the HWY_ lines), and chosen at run time. Lanes never meet, so that their number changes nothing.
#undef HWY_TARGET_INCLUDE
#if defined(__aarch64__)
#define HWY_DISABLED_TARGETS                                                                       \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128) // vectors without a size cannot be members
#endif
#define HWY_TARGET_INCLUDE "carom/dynamics/integrator_swift.cpp"
#include <hwy/foreach_target.h>

#include "carom/dynamics/integrator.h"
#include "carom/dynamics/spatial_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace {

struct Wide4 {
  Double8 x, y, z, w;
};
/// First b, then a.
HWY_INLINE Wide4 operator*(const Wide4& a, const Wide4& b) {
  return {
      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
      a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
HWY_INLINE Wide4 conjugate(const Wide4& q) {
  return {none() - q.x, none() - q.y, none() - q.z, q.w};
}
HWY_INLINE Wide4 normalized(const Wide4& q) {
  const Double8 scale = all8(1) / sqrt8(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return {q.x * scale, q.y * scale, q.z * scale, q.w * scale};
}
/// A vector turned by a unit quaternion: v + 2 (w q x v + q x (q x v)).
HWY_INLINE Vec3x8 turned(const Wide4& q, const Vec3x8& v) {
  const Vec3x8 axis{q.x, q.y, q.z}, c = cross8(axis, v), d = cross8(axis, c);
  const auto at = [&](const Double8& from, const Double8& once, const Double8& twice) HWY_ATTR {
    const Double8 half = once * q.w + twice;
    return from + (half + half);
  };
  return {at(v.x, c.x, d.x), at(v.y, c.y, d.y), at(v.z, c.z, d.z)};
}

/// 1 - s / a + s^2 / (a b) - ..., of as many terms as there are divisors.
template<std::size_t count>
HWY_INLINE Double8 falling_series(const Double8& s, const double (&divisors)[count]) {
  Double8 sum = all8(1);
  for (std::size_t i = count; i-- > 0;) sum = all8(1) - s * sum * all8(1 / divisors[i]);
  return sum;
}
// No turn is by more than twice the body's own, as no moment of inertia is above the sum of the other two. Of half angles up to 0.5, what is left out is below a rounding.
/// sin(x) / x, from the square of x.
HWY_INLINE Double8 sine_part(const Double8& s) {
  return falling_series(s, {2 * 3, 4 * 5, 6 * 7, 8 * 9, 10 * 11, 12 * 13});
}
HWY_INLINE Double8 cosine(const Double8& s) {
  return falling_series(s, {1 * 2, 3 * 4, 5 * 6, 7 * 8, 9 * 10, 11 * 12, 13 * 14});
}
/// atan(x) / x, from the square of x. Up to a quarter of 1.2 what is left out is below 1e-10.
HWY_INLINE Double8 arc_part(const Double8& s) {
  Double8 sum = all8(1 / 17.0);
  for (int odd = 15; odd > 0; odd -= 2) sum = all8(1.0 / odd) - s * sum;
  return sum;
}

/// The sine and cosine of half an angle.
struct HalfTurn {
  Double8 sine, cosine;
  HWY_INLINE explicit HalfTurn(const Double8& angle) {
    const Double8 half = angle * all8(0.5), s = half * half;
    sine = half * sine_part(s);
    cosine = HWY_NAMESPACE::cosine(s);
  }
};

/// Turns the principal frame about its third axis, and the angular momentum in it back by the same.
HWY_INLINE void turn_third(const Double8& angle, Wide4& f, Vec3x8& l) {
  const HalfTurn t(angle);
  f = {f.x * t.cosine + f.y * t.sine, f.y * t.cosine - f.x * t.sine, f.z * t.cosine + f.w * t.sine,
       f.w * t.cosine - f.z * t.sine};
  const Double8 s = t.sine * t.cosine, sine = s + s, c = t.sine * t.sine,
                cosine = all8(1) - (c + c);
  l = {cosine * l.x + sine * l.y, cosine * l.y - sine * l.x, l.z};
}
/// The same about the first one.
HWY_INLINE void turn_first(const Double8& angle, Wide4& f, Vec3x8& l) {
  const HalfTurn t(angle);
  f = {f.x * t.cosine + f.w * t.sine, f.y * t.cosine + f.z * t.sine, f.z * t.cosine - f.y * t.sine,
       f.w * t.cosine - f.x * t.sine};
  const Double8 s = t.sine * t.cosine, sine = s + s, c = t.sine * t.sine,
                cosine = all8(1) - (c + c);
  l = {l.x, cosine * l.y + sine * l.z, cosine * l.z - sine * l.y};
}

/// What is known of eight bodies.
struct alignas(64) Eight {
  LaneDoubles rotation[4], principal[4], inertia[3];

  HWY_INLINE Eight(const BodyStore& bodies, std::span<const BodyMotion> motions,
                   const std::uint32_t* places) {
    const auto put = [](LaneDoubles* to, std::size_t lane, const Quat& q) {
      to[0][lane] = q.x;
      to[1][lane] = q.y;
      to[2][lane] = q.z;
      to[3][lane] = q.w;
    };
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
      const bool some = places[lane] != 0;
      const Body* body = some ? &bodies[motions[places[lane]].slot] : nullptr;
      put(rotation, lane, some ? body->pose.rotation : Quat{});
      put(principal, lane, some ? body->principal : Quat{});
      const Vec3 moments = some ? body->principal_inertia : Vec3{1, 1, 1};
      for (int i = 0; i < 3; ++i) inertia[i][lane] = moments[i];
    }
  }
};
HWY_INLINE Wide4 load4(const LaneDoubles* rows) {
  return {load8(rows[0]), load8(rows[1]), load8(rows[2]), load8(rows[3])};
}
HWY_INLINE Row3 narrowed3(const Vec3x8& v) { return {narrowed(v.x), narrowed(v.y), narrowed(v.z)}; }

} // namespace

void integrate_eight(const BodyStore& bodies, std::span<BodyMotion> motions,
                     std::span<SolverBody> states, const std::uint32_t* places, double time) {
  const std::span<const BodyMotion> of(motions);
  const std::span<const SolverBody> at(states);
  const Eight own(bodies, of, places);
  const Row4 turn = load_row4(of, places, &BodyMotion::turn);
  const Row3 spin = load_field(at, places, &SolverBody::spin);
  const Double8 h = all8(time), half = all8(0.5 * time);
  const Double8 i1 = load8(own.inertia[0]), i2 = load8(own.inertia[1]), i3 = load8(own.inertia[2]);
  const Double8 inverse1 = all8(1) / i1, inverse2 = all8(1) / i2, inverse3 = all8(1) / i3;

  const Wide4 since =
      normalized({widened(turn.v.x), widened(turn.v.y), widened(turn.v.z), widened(turn.w)});
  const Wide4 from = load4(own.rotation) * load4(own.principal);
  Wide4 frame = since * from;
  const Vec3x8 local =
      turned(conjugate(frame), {widened(spin.x), widened(spin.y), widened(spin.z)});
  Vec3x8 l{local.x * i1, local.y * i2, local.z * i3};
  const Vec3x8 momentum = turned(frame, l);

  turn_third(half * (inverse3 - inverse2) * l.z, frame, l);
  turn_first(h * (inverse1 - inverse2) * l.x, frame, l);
  turn_third(half * (inverse3 - inverse2) * l.z, frame, l);
  const Double8 part = half * inverse2; // half a rotation vector, of the momentum
  const Double8 square = dot8(momentum, momentum) * part * part;
  const Double8 sine = sine_part(square) * part;
  frame = normalized(
      Wide4{momentum.x * sine, momentum.y * sine, momentum.z * sine, cosine(square)} * frame);

  const Wide4 end = frame * conjugate(from), way = end * conjugate(since);
  const Vec3x8 after = turned(frame, {l.x * inverse1, l.y * inverse2, l.z * inverse3});
  // The vector part is sin(a / 2), the scalar part cos(a / 2): the one by 1 plus the other is tan(a / 4).
  const Double8 below = all8(1) / (all8(1) + way.w);
  const Double8 tangent = (way.x * way.x + way.y * way.y + way.z * way.z) * below * below;
  const Double8 scale = all8(4) * below * arc_part(tangent);

  const Row3 now = narrowed3(after);
  save_field({narrowed(end.x), narrowed(end.y), narrowed(end.z)}, narrowed(end.w), motions, places,
             &BodyMotion::turn);
  save_field(load_field(of, places, &BodyMotion::base_spin) + (now - spin), zero(), motions, places,
             &BodyMotion::base_spin);
  save_field(now, zero(), states, places, &SolverBody::spin);
  const Row3 velocity = load_field(at, places, &SolverBody::velocity);
  save_field(load_field(at, places, &SolverBody::moved) +
                 velocity * all_floats(static_cast<float>(time)),
             zero(), states, places, &SolverBody::moved);
  save_field(load_field(at, places, &SolverBody::turned) +
                 narrowed3({way.x * scale, way.y * scale, way.z * scale}),
             zero(), states, places, &SolverBody::turned);
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {
HWY_EXPORT(integrate_eight);
} // namespace

void integrate_swift(const BodyStore& bodies, std::span<BodyMotion> motions,
                     std::span<SolverBody> states, const std::uint32_t* places, double time) {
  HWY_DYNAMIC_DISPATCH(integrate_eight)(bodies, motions, states, places, time);
}

} // namespace carom
#endif
