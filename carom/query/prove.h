// The proof that nothing touches, where one direction cannot say it: shapes that are not convex.
//
//   Distance d = distance(statue, pose_a, statue, pose_b);
//   std::optional<Proof> proof = prove(statue, pose_a, statue, pose_b, d);   // that nothing is nearer than d.lower_bound
//   verify::check_proof({statue, pose_a}, {statue, pose_b}, *proof, tolerance);
//
// Every pair of convex parts, one of A and one of B, is in one claim: a group of parts of A, a group of B, and a direction along which the first is behind the second. The claims are found for their own sake, after the
// answer, by a search that has nothing to do with the one that found it; nobody pays for them who does not ask. (What is inside of a solid has no parts. There the proof is of the surfaces; that no surface is inside of a
// solid is for the checker to see, with one point of each.)
#pragma once

#include "carom/geometry/line.h"
#include "carom/query/answer.h"
#include "carom/query/proof.h"
#include "carom/shape/shape.h"

#include <optional>

namespace [[gnu::visibility("default")]] carom {

/// That A and B, A moved by t * translation for any t from 0 to 1, are at least `bound` apart, their surfaces in the case of solids. Nothing where it is not so: some parts are nearer, by more than 1e-12 of the size and positions (1e-10 where they are curved). Nothing for numbers out of range. Half-spaces are
/// one part, too. Takes some times as long as the query: about n log n for the parts, and a microsecond for each claim.
[[nodiscard]] std::optional<Proof> prove_apart(const Shape& a, const Pose& pose_a, const Shape& b,
                                               const Pose& pose_b, const Vec3& translation,
                                               double bound);

/// That nothing is nearer than the lower bound of the answer.
[[nodiscard]] std::optional<Proof> prove(const Shape& a, const Pose& pose_a, const Shape& b,
                                         const Pose& pose_b, const Distance& answer);
/// Where they do not overlap: that they do not.
[[nodiscard]] std::optional<Proof> prove(const Shape& a, const Pose& pose_a, const Shape& b,
                                         const Pose& pose_b, const ShapeOverlap& answer);
/// That nothing touches before the time of the answer (or at all, where it is a miss). Nothing where they overlap at the start.
[[nodiscard]] std::optional<Proof> prove(const Shape& a, const Pose& pose_a,
                                         const Vec3& translation, const Shape& b,
                                         const Pose& pose_b, const ShapeCast& answer);
/// The same of a ray: A is the point at its origin. A miss is proved up to `max_t`, which must be finite.
[[nodiscard]] std::optional<Proof> prove(const Shape& shape, const Pose& pose, const Ray& ray,
                                         const RayHit& answer, double max_t);

} // namespace carom
