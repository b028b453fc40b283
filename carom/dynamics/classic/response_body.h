// What an impulse does to the bodies that touch: velocities, in doubles, at one moment.
#pragma once

#include "carom/dynamics/body_store.h"

#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {
namespace classic {

/// A body as a collision sees it. What cannot be pushed has no inverse mass.
struct ResponseBody {
  Vec3 center{};
  Vec3 velocity{}, spin{};
  double inverse_mass = 0;
  Mat3 inverse_inertia = Mat3::zero(); ///< in the world
};

[[nodiscard]] ResponseBody response_body(const Body& body);

/// Where two bodies touch, or are about to.
struct ContactPoint {
  std::uint32_t a = no_index, b = no_index; ///< slots of bodies
  Vec3 point{};
  Vec3 normal{0, 0, 1}; ///< from A toward B, a unit vector
  double gap = 0;       ///< along it; negative: they overlap
  double friction = 0, restitution = 0;
  std::uint32_t shape_a = no_index, shape_b = no_index; ///< places of shapes
  std::uint64_t id = 0;                                 ///< of the features, as in Contact
};

/// Bodies by slot.
using ResponseBodies = std::vector<ResponseBody>;

/// Velocity of B past A, at the point.
[[nodiscard]] Vec3 relative_velocity(const ResponseBodies& bodies, const ContactPoint& c);
/// An impulse on B, and its opposite on A, at the point.
void push(ResponseBodies& bodies, const ContactPoint& c, const Vec3& impulse);
/// K: an impulse j at the point changes the relative velocity by K j. Symmetric, positive definite where one of the bodies can be pushed; else zero.
[[nodiscard]] Mat3 impulse_matrix(const ResponseBodies& bodies, const ContactPoint& c);
/// The same between two contacts: an impulse at `from` changes the relative velocity at `to` by this times it. Zero where they have no body that can be pushed in common.
[[nodiscard]] Mat3 impulse_matrix(const ResponseBodies& bodies, const ContactPoint& to,
                                  const ContactPoint& from);

} // namespace classic
} // namespace carom
