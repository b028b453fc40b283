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

/// Why nothing touches in [from, to), nor at `to` where that is the end of a miss. The four points are numbered: the vertex 0 and the face 1, 2, 3; or one edge 0, 1 and the other 2, 3. The first part is A, the
/// second B. Distances up to the separation, and 2 sqrt(3) times the input error, count as contact.
struct LinearClaim {
  enum class Kind : std::uint8_t {
    /// `direction` separates at both times, and so between: direction . (b - a) is more than the distance that counts, times |direction|, for all a of A and b of B. That is linear in time.
    /// (At `to` it may be equal, unless that is the end of a miss.)
    fixed,
    /// The volume of the four points, ((x1 - x0) x (x2 - x0)) . (x3 - x0), is not zero: they are in no common plane. Only where no distance but 0 counts as contact.
    volume,
    /// A plane at right angles to the face, through its edge number `edge` (from that corner to the next, 0 to 2), has the vertex strictly on its far side; or one at right angles to both edges'
    /// common normal n, that is, along n and edge number `edge` (0 or 1), has both ends of the other edge strictly on one side. Only where no distance but 0 counts as contact.
    beyond,
  };
  Kind kind = Kind::fixed;
  double from = 0, to = 0; ///< multiples of 2^-62 in [0, 1]
  Vec3 direction;          ///< where fixed
  int edge = 0;            ///< where beyond
};

/// Claims in order of time. Where `complete`, they cover [0, t) of a hit, [0, 1] of a miss. It is not where the gap is too small for directions made of doubles, or 1,000 claims are not enough.
struct LinearImpactProof {
  std::vector<LinearClaim> claims;
  bool complete = false;
};

struct LinearOptions {
  /// A distance up to this counts as contact. >= 0.
  double separation = 0;
  /// Each coordinate may be off by this much, at both times. What may be a contact then is one. >= 0.
  double input_error = 0;
  /// Filled where not null. Costs several times as much as the answer. The time t of a hit may then be earlier by up to 2^-40, where that is what can be proved.
  LinearImpactProof* proof = nullptr;
};

enum class LinearImpactStatus : std::uint8_t {
  exact,    ///< the answer is that of the exact numbers
  tolerant, ///< a miss is one; a hit may be off by a millionth of the size: a separation or an input error was given, or tiny coordinates (below 1e-30) were too tiny to be kept
  bad_input, ///< a coordinate is not finite or above 1e30, or an option is that or negative; reported as a hit from t = 0 on, which is safe
};

/// When the parts first touch.
struct LinearImpact {
  bool hit = false;
  /// Nothing touches before it: proved. 1 where there is no hit.
  double t = 1;
  /// The first contact is in [t, t_upper]: within 2^-50, mostly. With LinearImpactStatus::tolerant, they are within the tolerance at t already, and it is equal to t.
  double t_upper = 1;
  /// Where they touch, at t, up to rounding.
  Vec3 point;
  /// The point in the four points' terms: the weights of each part add up to 1.
  std::array<double, 4> weight{};
  /// A unit vector from the first part towards the second as they were just before, up to rounding; at right angles to the face or both edges where that is defined.
  Vec3 normal;
  LinearImpactStatus status = LinearImpactStatus::exact;

  [[nodiscard]] explicit constexpr operator bool() const { return hit; }
};

/// A false hit is at most this times the size away from contact, where the size is the greatest extent of the four points along an axis. Only with LinearImpactStatus::tolerant.
inline constexpr double linear_tolerance = 5e-7;

} // namespace carom
