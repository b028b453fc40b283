// When a body that moves along a screw first touches another, by roots of cubics: Redon's way. For shapes with flat faces; time_of_impact (time_of_impact.h) is for all, and all motions, and quicker for convex ones.
//
// Every vertex against every triangle, both ways, and every edge against every edge, as far as their swept boxes come near; each pair is a cubic equation (screw_features.h).
#pragma once

#include "carom/motion/answer.h"
#include "carom/motion/screw.h"
#include "carom/shape/shape.h"

namespace [[gnu::visibility("default")]] carom {

/// A moves, B rests. Both are points, segments, triangles, boxes, hulls, brushes (by their corners), meshes, height fields, clouds of points, or compounds of these, none of them rounded: `bad_input` else, and where the screw or a
/// pose is out of range.
///
/// The answer is as of time_of_impact: nothing touches before t, and at t they are no farther apart than 2^-40 (about 1e-12) of their sizes, their distance and the translation, and 2^-49 of their coordinates. So a
/// hit may be reported of shapes that pass as near as that, and none that touch are missed. The points and the normal are of the two features that meet. `iterations` is the number of pairs of features whose cubic
/// was looked at. `wide`: nothing touches before t, but whether at t is not known: 512 measurements of one pair did not tell. None of the tests gets there.
/// Where they overlap at the start, or touch: as time_of_impact says it.
[[nodiscard]] TimeOfImpact screw_impact(const Shape& a, const ScrewMotion& screw, const Shape& b,
                                        const Pose& pose_b);

/// Both move, each from one pose to another: seen from B, A moves along a screw, and B along its own. Times between are not those of two screws in the world; the ends are the same.
[[nodiscard]] TimeOfImpact screw_impact(const Shape& a, const Pose& from_a, const Pose& to_a,
                                        const Shape& b, const Pose& from_b, const Pose& to_b);

} // namespace carom
