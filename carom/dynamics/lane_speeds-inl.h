// Numbers of eight bodies, from the bodies to lanes and back: velocities above all.
//
// A body has four floats for each vector. Four of them side by side, transposed, are a row for each coordinate; with eight lanes both halves of the registers do it at once.
//
// Internal: for sources compiled once a target (foreach_target.h). Not installed.
#include "carom/dynamics/contact_lanes.h"
#include "carom/math/wide_float-inl.h"

// The per-target include guard that Highway asks for: this file is read once for each target.
#if defined(CAROM_DYNAMICS_LANE_SPEEDS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAROM_DYNAMICS_LANE_SPEEDS_INL_H_
#undef CAROM_DYNAMICS_LANE_SPEEDS_INL_H_
#else
#define CAROM_DYNAMICS_LANE_SPEEDS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

using Row3 = Float8x3;

HWY_INLINE Row3 load3(const LaneRow* rows) {
  return {load_floats(rows[0]), load_floats(rows[1]), load_floats(rows[2])};
}
HWY_INLINE void store3(const Row3& v, LaneRow* rows) {
  store_floats(v.x, rows[0]);
  store_floats(v.y, rows[1]);
  store_floats(v.z, rows[2]);
}
HWY_INLINE Row3 scaled(const Row3& m, const Row3& v) { return {m.x * v.x, m.y * v.y, m.z * v.z}; }
HWY_INLINE Float8 zero() { return all_floats(0); }
HWY_INLINE Float8 inverse_or_0(const Float8& x) {
  const FloatMask8 some = zero() < x;
  return select(some, all_floats(1) / select(some, x, all_floats(1)), zero());
}

#if HWY_TARGET != HWY_SCALAR
using Four = hn::CappedTag<float, 4>;
/// Four floats of a body; with eight lanes, those of the one four lanes on in the upper half.
template<class D>
HWY_INLINE hn::Vec<D> load_row(D lanes, const float* const* from) {
  if constexpr (hn::MaxLanes(D{}) == 8)
    return hn::Combine(lanes, hn::Load(Four{}, from[4]), hn::Load(Four{}, from[0]));
  else
    return hn::Load(lanes, from[0]);
}
template<class D>
HWY_INLINE void store_row(D, hn::Vec<D> row, float* const* to) {
  if constexpr (hn::MaxLanes(D{}) == 8) {
    hn::Store(hn::LowerHalf(Four{}, row), Four{}, to[0]);
    hn::Store(hn::UpperHalf(Four{}, row), Four{}, to[4]);
  } else {
    hn::Store(row, D{}, to[0]);
  }
}
#endif

HWY_INLINE Row3 select3(const FloatMask8& m, const Row3& yes, const Row3& no) {
  return {select(m, yes.x, no.x), select(m, yes.y, no.y), select(m, yes.z, no.z)};
}

/// Four numbers of eight bodies.
struct Row4 {
  Row3 v;
  Float8 w;
};

/// Four floats of each of eight bodies.
HWY_INLINE Row4 gather4(const float* const* from) {
#if HWY_TARGET == HWY_SCALAR
  Row4 r;
  for (std::size_t i = 0; i < lane_count; ++i) {
    const FloatRegisters<8>::Lanes one;
    r.v.x.part[i] = hn::Set(one, from[i][0]);
    r.v.y.part[i] = hn::Set(one, from[i][1]);
    r.v.z.part[i] = hn::Set(one, from[i][2]);
    r.w.part[i] = hn::Set(one, from[i][3]);
  }
  return r;
#else
  using R = FloatRegisters<8>;
  const R::Lanes lanes;
  Row4 r;
  for (std::size_t p = 0; p < R::needed; ++p) {
    const float* const* rows = from + p * R::lanes_each;
    const auto r0 = load_row(lanes, rows), r1 = load_row(lanes, rows + 1);
    const auto r2 = load_row(lanes, rows + 2), r3 = load_row(lanes, rows + 3);
    const auto even = hn::InterleaveLower(lanes, r0, r2), odd = hn::InterleaveLower(lanes, r1, r3);
    r.v.x.part[p] = hn::InterleaveLower(lanes, even, odd);
    r.v.y.part[p] = hn::InterleaveUpper(lanes, even, odd);
    const auto even_up = hn::InterleaveUpper(lanes, r0, r2),
               odd_up = hn::InterleaveUpper(lanes, r1, r3);
    r.v.z.part[p] = hn::InterleaveLower(lanes, even_up, odd_up);
    r.w.part[p] = hn::InterleaveUpper(lanes, even_up, odd_up);
  }
  return r;
#endif
}

/// The way back.
HWY_INLINE void scatter(const Row3& v, const Float8& w, float* const* to) {
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t i = 0; i < lane_count; ++i) {
    to[i][0] = hn::GetLane(v.x.part[i]);
    to[i][1] = hn::GetLane(v.y.part[i]);
    to[i][2] = hn::GetLane(v.z.part[i]);
    to[i][3] = hn::GetLane(w.part[i]);
  }
#else
  using R = FloatRegisters<8>;
  const R::Lanes lanes;
  for (std::size_t p = 0; p < R::needed; ++p) {
    const auto xz_low = hn::InterleaveLower(lanes, v.x.part[p], v.z.part[p]);
    const auto xz_high = hn::InterleaveUpper(lanes, v.x.part[p], v.z.part[p]);
    const auto yw_low = hn::InterleaveLower(lanes, v.y.part[p], w.part[p]);
    const auto yw_high = hn::InterleaveUpper(lanes, v.y.part[p], w.part[p]);
    float* const* rows = to + p * R::lanes_each;
    store_row(lanes, hn::InterleaveLower(lanes, xz_low, yw_low), rows);
    store_row(lanes, hn::InterleaveUpper(lanes, xz_low, yw_low), rows + 1);
    store_row(lanes, hn::InterleaveLower(lanes, xz_high, yw_high), rows + 2);
    store_row(lanes, hn::InterleaveUpper(lanes, xz_high, yw_high), rows + 3);
  }
#endif
}

/// One of a body's rows of four, of eight bodies.
template<class Body>
HWY_INLINE Row4 load_row4(std::span<const Body> bodies, const std::uint32_t* places,
                          float (Body::*field)[4]) {
  const float* rows[lane_count];
  for (std::size_t i = 0; i < lane_count; ++i) rows[i] = bodies[places[i]].*field;
  return gather4(rows);
}
template<class Body>
HWY_INLINE Row3 load_field(std::span<const Body> bodies, const std::uint32_t* places,
                           float (Body::*field)[4]) {
  return load_row4(bodies, places, field).v;
}
/// For lanes that have a body: place 0 is nobody's, and what is meant for it goes nowhere. By an address, not by a branch: V8 computes anew, in each branch, whatever is used in several of them.
template<class Body>
HWY_INLINE void save_field(const Row3& v, const Float8& w, std::span<Body> bodies,
                           const std::uint32_t* places, float (Body::*field)[4]) {
  alignas(16) float row[4];
  float* nowhere = row;
  asm("" : "+r"(nowhere)); // else the compiler sees that nobody reads it, and makes branches
  float* rows[lane_count];
  for (std::size_t i = 0; i < lane_count; ++i)
    rows[i] = places[i] != 0 ? bodies[places[i]].*field : nowhere;
  scatter(v, w, rows);
}
using SolverField = float (SolverBody::*)[4];

/// A symmetric matrix as its diagonal and the products xy yz zx.
struct Symmetric3 {
  Row3 diagonal, products;
};
HWY_INLINE Row3 operator*(const Symmetric3& m, const Row3& v) {
  const Float8 &xy = m.products.x, &yz = m.products.y, &zx = m.products.z;
  return {m.diagonal.x * v.x + xy * v.y + zx * v.z, xy * v.x + m.diagonal.y * v.y + yz * v.z,
          zx * v.x + yz * v.y + m.diagonal.z * v.z};
}
HWY_INLINE Symmetric3 load_symmetric(const LaneRow* rows) { return {load3(rows), load3(rows + 3)}; }
HWY_INLINE void store_symmetric(const Symmetric3& m, LaneRow* rows) {
  store3(m.diagonal, rows);
  store3(m.products, rows + 3);
}

/// Components that are less than 1e-9 of a length, which is far below what floats tell of the others, are none. What rests has normals and arms with such, by noise; products of a few of them with its speeds are below all normal floats, and those cost some processors a hundred times as much.
HWY_INLINE Row3 without_dust(const Row3& v, const Float8& length) {
  const Float8 dust = length * all_floats(1e-9F), none = zero();
  return {select(abs(v.x) < dust, none, v.x), select(abs(v.y) < dust, none, v.y),
          select(abs(v.z) < dust, none, v.z)};
}

/// Vectors of nobodies (place 0), and what comes of them: known to be none, so that nothing of them is loaded, computed or stored. They stand for Row3 and Float8 where a block's second bodies are nobodies.
struct NoRow3 {};
struct NoFloat8 {};
HWY_INLINE Row3 operator-(NoRow3, const Row3& a) { return Row3{zero(), zero(), zero()} - a; }
HWY_INLINE NoRow3 operator-(NoRow3, NoRow3) { return {}; }
HWY_INLINE NoRow3 operator+(NoRow3, NoRow3) { return {}; }
HWY_INLINE NoRow3 operator+(NoRow3, const Row3&) { return {}; }
HWY_INLINE NoRow3 operator*(NoRow3, const Float8&) { return {}; }
HWY_INLINE NoRow3 cross(NoRow3, const Row3&) { return {}; }
HWY_INLINE NoFloat8 dot(const Row3&, NoRow3) { return {}; }
HWY_INLINE Float8 operator+(const Float8& a, NoFloat8) { return a; }

/// Velocities of a block's bodies, in registers from the first impulse to the last. `Other`: Row3, or NoRow3 where the second bodies are nobodies.
template<class Other>
struct SpeedsWith {
  Row3 v_a, w_a;
  Other v_b, w_b;

  HWY_INLINE static Row3 load(std::span<const SolverBody> bodies, const std::uint32_t* places,
                              SolverField field) {
    return load_field(bodies, places, field);
  }
  /// Of second bodies.
  template<class Body>
  HWY_INLINE static Other load_other(std::span<const Body> bodies, const std::uint32_t* places,
                                     float (Body::*field)[4]) {
    if constexpr (std::is_same_v<Other, Row3>)
      return load_field(bodies, places, field);
    else
      return {};
  }
  HWY_INLINE static void save(const Row3& v, std::span<SolverBody> bodies,
                              const std::uint32_t* places, SolverField field) {
    save_field(v, zero(), bodies, places, field);
  }
  /// `Block`: has places `a` and `b`.
  template<class Block>
  HWY_INLINE SpeedsWith(const Block& block, std::span<const SolverBody> bodies)
      : v_a(load(bodies, block.a, &SolverBody::velocity)),
        w_a(load(bodies, block.a, &SolverBody::spin)),
        v_b(load_other(bodies, block.b, &SolverBody::velocity)),
        w_b(load_other(bodies, block.b, &SolverBody::spin)) {}
  /// What they would be without the impulses of the sub-step (BodyMotion).
  template<class Block>
  HWY_INLINE SpeedsWith(const Block& block, std::span<const BodyMotion> motions)
      : SpeedsWith(block, motions, &BodyMotion::base_velocity, &BodyMotion::base_spin) {}
  template<class Block>
  HWY_INLINE SpeedsWith(const Block& block, std::span<const BodyMotion> motions,
                        float (BodyMotion::*velocity)[4], float (BodyMotion::*spin)[4])
      : v_a(load_field(motions, block.a, velocity)), w_a(load_field(motions, block.a, spin)),
        v_b(load_other(motions, block.b, velocity)), w_b(load_other(motions, block.b, spin)) {}
  /// `only_a`: the others cannot be moved.
  template<class Block>
  HWY_INLINE void store(const Block& block, std::span<SolverBody> bodies, bool only_a) const {
    save(v_a, bodies, block.a, &SolverBody::velocity);
    save(w_a, bodies, block.a, &SolverBody::spin);
    if constexpr (std::is_same_v<Other, Row3>) {
      if (only_a) return;
      save(v_b, bodies, block.b, &SolverBody::velocity);
      save(w_b, bodies, block.b, &SolverBody::spin);
    }
  }
  template<class Block>
  HWY_INLINE void store(const Block& block, std::span<BodyMotion> motions, bool only_a) const {
    save_field(v_a, zero(), motions, block.a, &BodyMotion::base_velocity);
    save_field(w_a, zero(), motions, block.a, &BodyMotion::base_spin);
    if constexpr (std::is_same_v<Other, Row3>) {
      if (only_a) return;
      save_field(v_b, zero(), motions, block.b, &BodyMotion::base_velocity);
      save_field(w_b, zero(), motions, block.b, &BodyMotion::base_spin);
    }
  }
  /// By an impulse on B, and the opposite on A.
  template<class Block>
  HWY_INLINE void push(const Block& block, const Row3& impulse) {
    v_a = v_a - scaled(load3(block.mass_a), impulse);
    v_b = v_b + scaled(load3(block.mass_b), impulse);
  }
};
using Speeds = SpeedsWith<Row3>;

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
