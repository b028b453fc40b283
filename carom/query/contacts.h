// Where two placed shapes touch: the contact manifold.
//
//   ContactManifold m = contacts(crate, pose_a, floor, pose_b, {.margin = 0.01});
//   for (const Contact& c : m.contacts()) push(c.on_a, c.on_b, m.normal, c.separation, c.id);
//
// The normal is that of the signed distance. Seen along it, the shapes meet in a patch: the polygon that the face of A and the face of B
// have in common, or a line, or a point. Its corners are the contacts. Four of them are chosen so that the deepest is there and
// the area is great; or all are given.
#pragma once

#include "carom/query/answer.h"
#include "carom/query/pair_cache.h"
#include "carom/shape/shape.h"

#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct ContactOptions {
  /// A length: contacts are made where the shapes are at most this far apart, and a point of the patch is one where its separation is at most
  /// this. 0: where they touch or overlap.
  double margin = 0;
  /// Where given: cleared, and filled with all corners of the patch, in the order of its outline mostly. The manifold is the same.
  std::vector<Contact>* all = nullptr;
};

/// For every ordered pair of kinds. Where a shape is not convex: the manifold of the deepest patch (contact_patches.h), and `all` is filled with the contacts of that one; its value and bounds are the separation of its first
/// point. Where there is none, the status is `stopped`, value and lower bound are the margin, and the normal says nothing. The rest is about two convex shapes.
///
/// What touches to within rounding has contacts (made unless the lower bound is above the margin). Empty for shapes
/// farther apart, and for two half-spaces that no translation separates.
///
/// The points are on the surfaces, and on_b - on_a = separation * normal, to within 1e-12 of the shapes' size and translation; the deepest of
/// curved shapes that overlap is as good as the points of the signed distance.
///
/// What is a patch: a face of the one shape within 5 degrees of the normal, against the face of the other that faces it best, within 60 degrees, or an
/// edge or corner; two edges within 5 degrees of right angles to the normal: parallel ones give two contacts, crossing ones one. The edges of
/// capsules and the sides of cylinders count as parallel up to 5 degrees: they are round, and touch along a stretch. All other pairs have
/// one contact, the deepest.
///
/// Without rounding, two boxes are answered directly: no search, no allocation. The rest allocates where a face has more than 16 corners, and where the
/// cores overlap.
[[nodiscard]] ContactManifold contacts(const Shape& a, const Pose& pose_a, const Shape& b,
                                       const Pose& pose_b, const ContactOptions& options = {},
                                       PairCache* cache = nullptr);

} // namespace carom
