// What is asked about vertices that move along straight lines, and what the answer proves.
//
// A vertex is at `from` at time 0 and at `to` at time 1, and at from + t (to - from) between: exact reals, nothing is rounded. A vertex and a face, or two edges, are four such
// vertices. Touching counts as contact.
#pragma once

#include "carom/math/vec3.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct MovingPoint {
  Vec3 from; ///< at time 0
  Vec3 to;   ///< at time 1
};
using MovingEdge = std::array<MovingPoint, 2>;
using MovingFace = std::array<MovingPoint, 3>;

/// Why nothing touches in [from, to]. The four points are numbered: the vertex 0 and the face 1, 2, 3; or one edge 0, 1 and the other 2, 3. The first part is A, the second B.
struct LinearClaim {
  enum class Kind : std::uint8_t {
    /// `direction` separates at both ends, and so between: direction . (b - a) > separation |direction| for all a of A and b of B, which is linear in time.
    fixed,
    /// The volume of the four points, ((x1 - x0) x (x2 - x0)) . (x3 - x0), is never zero: they are in no common plane. Only where no separation is asked for.
    volume,
    /// The plane through edge `edge` of the face at right angles to the face (or through the first edge or the second, at right angles to both edges' common normal) has the
    /// other part strictly on its far side.
    beyond,
  };
  Kind kind = Kind::fixed;
  double from = 0, to = 0; ///< multiples of 2^-62 in [0, 1]
  Vec3 direction;          ///< where fixed
  int edge = 0;            ///< where beyond: from corner `edge` of the face to the next; or the edge of part 0 or 1
};

/// Claims in order of time. They cover [0, t) of a hit, [0, 1] of a miss, where `complete`.
struct LinearProof {
  std::vector<LinearClaim> claims;
  bool complete = false;
};

struct LinearOptions {
  /// A distance up to this counts as contact. >= 0.
  double separation = 0;
  /// Each coordinate may be off by this much, at both times. What may be a contact then is one. >= 0.
  double input_error = 0;
  /// Filled where not null. Costs several times as much as the answer.
  LinearProof* proof = nullptr;
};

enum class LinearStatus : std::uint8_t {
  exact,     ///< the answer is that of the exact numbers
  tolerant,  ///< a miss is one; a hit may be off by a millionth of the size: a separation or an input error was given
  bad_input, ///< a coordinate is not finite or out of range (tolerance.h), or an option negative; reported as a hit from t = 0 on, which is safe
};

/// When the parts first touch.
struct LinearImpact {
  bool hit = false;
  /// Nothing touches before it: proved. 1 where there is no hit.
  double t = 1;
  /// The first contact is in [t, t_upper]: within 2^-50, mostly. With LinearStatus::tolerant, they are within the tolerance at t already, and it is equal to t.
  double t_upper = 1;
  /// Where they touch, at t, up to rounding.
  Vec3 point;
  /// The point in the four points' terms: the weights of each part add up to 1.
  std::array<double, 4> weight{};
  /// A unit vector from the first part towards the second as they were just before, up to rounding; at right angles to the face or both edges where that is defined.
  Vec3 normal;
  LinearStatus status = LinearStatus::exact;

  [[nodiscard]] explicit constexpr operator bool() const { return hit; }
};

/// A false hit is at most this times the size away from contact, where the size is the greatest extent of the four points along an axis. Only with LinearStatus::tolerant.
inline constexpr double linear_tolerance = 5e-7;

} // namespace carom
