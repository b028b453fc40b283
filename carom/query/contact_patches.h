// Where two placed shapes of any kinds touch: patches, each with one normal.
//
//   std::vector<ContactPatch> patches;
//   contact_patches(crate, pose_a, ground, pose_b, patches, {.margin = 0.01});
//   for (const ContactPatch& p : patches)
//     for (const Contact& c : p.manifold.contacts()) push(c.on_a, c.on_b, p.manifold.normal, c.separation, c.id);
//
// Two convex shapes touch in one patch, that of contacts(). Where a shape is not convex there may be more: a ball in a groove has two. A patch is where parts that hang together touch with normals that
// agree; its contacts are those of all its parts, none of them twice.
//
// What slides over a flat mesh is not caught by the edges between the triangles: a contact's normal leads out of the whole surface, not just of the triangle (outward_test.h).
#pragma once

#include "carom/query/contacts.h"

#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// For every ordered pair of kinds. `patches` is cleared and filled, the patch with the deepest contact first. None where the shapes are farther apart than the margin. Of two shapes that are
/// not known to be apart there is at least one.
///
/// The normals. Of triangles: out of a solid; of a surface, toward the side that the other part has more of. A normal of an edge or a corner is between those of the faces that meet there. So what lies
/// within a flat surface has its normal, to within rounding, and depths along it. Deep down, where no direction is right for all, they are those along which each pair of parts is least deep, of those
/// that lead out. What is in a solid and does not touch its surface has one contact, with a part of the surface near its deepest point: as the crow flies, not the least translation (penetration()).
///
/// The points are on the surfaces of parts, as exactly as those of contacts(). A part may end within another (of a compound, or a mesh that passes through itself): then so may the points.
///
/// options.all, where given, is cleared and filled with the contacts of all patches, one patch after the other.
/// Returns bad_input where a pose is out of range; then there are no patches. Allocates, but for what there is in `storage`, a list that it may use, and in the thread's pool (math/scratch.h).
Status contact_patches(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                       std::vector<ContactPatch>& patches, const ContactOptions& options = {},
                       std::vector<Contact>* storage = nullptr);

} // namespace carom
