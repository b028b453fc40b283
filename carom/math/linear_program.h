// Linear programming in two and three dimensions: the greatest objective . x over the points x with
// normal . x <= offset for every constraint (an intersection of closed half-planes or half-spaces), with its proof.
//
// Among the points that are optimal, the answer is a vertex where the feasible set has any. Ties are broken by a fixed rule: the
// point farthest along the sum of all normals (each scaled by a power of two to size 1 to 2), then the one of greatest x, of
// greatest y, of greatest z. The answer does not depend on anything but the input.
//
// How exact it is. All decisions are made with 104 bits and the answer is checked before it is handed out. With e = 2^-52, and
// sizes |v| as sums of absolute components, points and multipliers rounded to double keep
//   feasibility   normal . point - offset <= 4 e (|normal| |point| + |offset|)              for every constraint;
//   optimal       |objective - sum m_i normal_i| <= 4 e (|objective| + sum m_i |normal_i|),
//                 |value - sum m_i offset_i| <= 8 e sum m_i (|offset_i| + |normal_i| |point|);
//   infeasible    |sum m_i normal_i| <= 4 e sum m_i |normal_i|, sum m_i offset_i < 4 e sum m_i |offset_i|;
//   unbounded     normal . ray <= 4 e |normal| |ray|, objective . ray > 0.
// What may go either way: status and indices are those of exact arithmetic (a checker can take the indices and solve for point and
// multipliers in rationals), except where a determinant of three normals and offsets vanishes to 2^-80 of its terms without being
// zero: then the answer is that of a system whose numbers are changed by so little. Small integers are always decided exactly. If
// no answer keeps the bounds (entries of one normal that differ by factors of 1e15 and more), the status is `undecided`.
//
// Constraints with a zero normal are legal: always true, or (offset < 0) by themselves infeasible. A zero objective asks for any
// feasible point. No constraints: unbounded, or for a zero objective optimal at the origin.
// Expected time is linear in the number of constraints; no heap.
#pragma once

#include "carom/math/vec2.h"
#include "carom/math/vec3.h"

#include <array>
#include <cstddef>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// The points with normal . x <= offset. The normal need not be of unit length.
struct Constraint2 {
  Vec2 normal;
  double offset = 0;
};
struct Constraint3 {
  Vec3 normal;
  double offset = 0;
};

enum class LinearStatus {
  optimal,    ///< `point` is feasible, and no feasible point has a greater objective
  infeasible, ///< no point satisfies all constraints
  unbounded,  ///< point + t ray is feasible for all t >= 0, and its objective grows without end
  undecided,  ///< rounding left no answer that keeps its bounds; nothing else is set
  out_of_range, ///< a number is not a coordinate (0 or 1e-30 <= |x| <= 1e30, see tolerance.h); nothing else is set
};

/// At most `Capacity` constraints, by index (ascending, each once), with multipliers >= 0.
template<std::size_t Capacity>
struct LinearProof {
  std::size_t count = 0;
  std::array<std::size_t, Capacity> indices{};
  std::array<double, Capacity> multipliers{};
};

/// What `maximize` answers, and why it is so.
///   optimal:    the proof's constraints hold with equality at `point`, and objective = sum of multiplier * normal. So for every
///               feasible x, objective . x <= sum of multiplier * offset = value. Constraints that only pin the vertex have
///               multiplier 0. Where the point is a vertex these are as many as dimensions; else fewer.
///   infeasible: the sum of multiplier * normal is 0, that of multiplier * offset is negative: added up they say 0 <= negative.
///               The greatest multiplier is 1. By Helly, dimension + 1 constraints are enough.
///   unbounded:  the proof is `point` (feasible, a vertex where there is one) and `ray`.
struct LinearOptimum2 {
  LinearStatus status = LinearStatus::out_of_range;
  Vec2 point;       ///< optimal, unbounded
  double value = 0; ///< optimal: objective . point
  Vec2 ray;         ///< unbounded: its greatest component is 1 in absolute value
  LinearProof<3> proof;
};
struct LinearOptimum3 {
  LinearStatus status = LinearStatus::out_of_range;
  Vec3 point;
  double value = 0;
  Vec3 ray;
  LinearProof<4> proof;
};

[[nodiscard]] LinearOptimum2 maximize(const Vec2& objective,
                                      std::span<const Constraint2> constraints);
[[nodiscard]] LinearOptimum3 maximize(const Vec3& objective,
                                      std::span<const Constraint3> constraints);

} // namespace gnu::visibility("default")]]carom
