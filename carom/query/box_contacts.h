// The contacts of two boxes, directly. Internal to the contacts.
#pragma once

#include "carom/query/contacts.h"

namespace [[gnu::visibility("default")]] carom {

/// As contacts() for cores that are boxes without rounding. `found` becomes false, and the manifold says nothing, where a search has to tell: within the margin, a corner or
/// an edge is nearest to something else than a face.
[[nodiscard]] ContactManifold box_contacts(const Shape& a, const Pose& pose_a, const Shape& b,
                                           const Pose& pose_b, const ContactOptions& options,
                                           bool& found);

} // namespace carom
