// The contacts of two boxes, directly. Internal to the contacts.
#pragma once

#include "carom/query/contacts.h"

namespace [[gnu::visibility("default")]] carom {

/// Both cores are boxes without rounding; the poses are in range. False where a search has to tell: within the margin, a corner or an edge is nearest to something else than a
/// face. Then the manifold says nothing.
[[nodiscard]] bool box_contacts(const Obb& a, const Pose& pose_a, const Obb& b, const Pose& pose_b,
                                const ContactOptions& options, ContactManifold& manifold);

} // namespace carom
