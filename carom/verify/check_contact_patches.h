// Do contact patches of shapes that are not convex hold? By brute force over their parts.
#pragma once

#include "carom/query/answer.h"
#include "carom/verify/check.h"
#include "carom/verify/shape.h"

#include <span>

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// How far things may be off, as lengths.
struct PatchTolerance {
  double points = 0; ///< a point from its part, along the normal and aside
  double same = 0;   ///< contacts that are no farther apart than this are one and the same
};

/// The patches of two placed shapes:
///
///   - the normals are unit vectors; each contact is sound (check_contacts.h) for the parts that it names, which exist and have the material that it says;
///   - no separation is above the margin; the first of a patch is the least, and its value to within the tolerance of points;
///   - no two contacts of a patch have the same id, or the same place;
///   - the patches come in the order of their values;
///   - each pair of parts that has a point in common is represented: by a contact no farther from them than they are large. All pairs are looked at.
[[nodiscard]] Verdict check_contact_patches(const PlacedShape& a, const PlacedShape& b,
                                            std::span<const ContactPatch> patches, double margin,
                                            const PatchTolerance& tolerance);

} // namespace verify
} // namespace carom
