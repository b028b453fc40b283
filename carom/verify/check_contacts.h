// Do contact manifolds hold? For any two sets, by their supports and by distances of points alone.
#pragma once

#include "carom/query/answer.h"
#include "carom/verify/check.h"

#include <span>

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// How far things may be off, as lengths.
struct ContactTolerance {
  double points = 0; ///< a point from its surface, along the normal and aside
  double gap = 0;    ///< the gap along the normal from the value and bounds
  /// Where the deepest contact is less exact than the others (curved shapes that overlap): its own; else as `points`.
  double deepest = 0;
  double same = 0; ///< contacts that are no farther apart than this are one and the same
};

/// One contact: the points are finite and separation * normal apart; each lies in its set, and not deep within: moved out along the normal (A's along it, B's against it) by eight times the
/// tolerance, it is outside. Points where the surface is nearly parallel to the normal cannot be told; there are none on faces within 80 degrees.
[[nodiscard]] Verdict check_contact(const SetView& a, const SetView& b, const Contact& contact,
                                    const Vec3& normal, double tolerance);

/// A list of contacts: a manifold's, or all of its patch.
///
///   - each is sound by itself;
///   - no separation is above the margin, or the value of the manifold where that is more, and none is less than the gap along the normal;
///   - no two contacts have the same id, or the same place.
[[nodiscard]] Verdict check_contact_points(const SetView& a, const SetView& b,
                                           std::span<const Contact> contacts, const Vec3& normal,
                                           double value, double margin,
                                           const ContactTolerance& tolerance);

/// The whole manifold: its points as above; the normal is a unit vector that attains the value, which lies between the bounds; there are contacts exactly where the lower bound is at
/// most the margin, and the first is the deepest and attains the value. Of an empty manifold with status `stopped`: the normal separates by more than the margin.
/// That no other direction is better than upper_bound is for check_signed_distance to say.
[[nodiscard]] Verdict check_contacts(const SetView& a, const SetView& b,
                                     const ContactManifold& manifold, double margin,
                                     const ContactTolerance& tolerance);

} // namespace verify
} // namespace carom
