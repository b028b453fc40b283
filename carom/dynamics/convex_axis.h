// The direction along which two cores overlap least. Internal to the world.
#pragma once

#include "carom/dynamics/convex_meeting.h"

namespace [[gnu::visibility("default")]] carom {

/// The gap along a direction, with the points that are nearest along it. In line: else half of it would be copies.
template<class B>
[[nodiscard, gnu::always_inline]] inline MeetingAxis measured(const ConvexForm& a, const B& b,
                                                              const Vec3& n) {
  const Vec3 on_a = a.support(n), on_b = b.support(-n);
  return {n, dot(n, on_b - on_a), on_a, on_b};
}

/// The axis of greatest gap: of the faces of both, and of all pairs of their edges; not less than that of `start`. To within `enough`, edges are left out where a face does as well: faces have more points, and
/// do not change so often.
[[nodiscard]] MeetingAxis deepest_axis(const ConvexForm& a, const PlacedForm& b,
                                       const MeetingAxis& start, double enough);
[[nodiscard]] MeetingAxis deepest_axis(const ConvexForm& a, const PlacedTriangle& b,
                                       const MeetingAxis& start, double enough);

} // namespace carom
