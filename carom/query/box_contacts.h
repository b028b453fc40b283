// The contacts of two boxes, directly. Internal to the contacts.
#pragma once

#include "carom/query/contacts.h"

namespace [[gnu::visibility("default")]] carom {

enum class BoxContacts {
  done,  ///< the manifold is complete
  patch, ///< edges cross, but faces nearly meet: normal, value, bounds and points[0], the deepest, are right; the patch is to be found
  search, ///< nothing is known: within the margin, a corner or an edge is nearest to something else than a face
};

/// Both cores are boxes without rounding; the poses are in range.
[[nodiscard]] BoxContacts box_contacts(const Obb& a, const Pose& pose_a, const Obb& b,
                                       const Pose& pose_b, const ContactOptions& options,
                                       ContactManifold& manifold);

} // namespace carom
