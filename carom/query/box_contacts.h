// The contacts of two boxes, directly. Internal to the contacts.
#pragma once

#include "carom/query/contacts.h"

namespace [[gnu::visibility("default")]] carom {

enum class BoxAnswer {
  found,     ///< the manifold is complete
  search,    ///< within the margin, a corner or an edge is nearest to something else than a face: a search has to tell
  bad_input, ///< a pose is out of range
};

/// Both cores are boxes without rounding. The manifold is as made; unless found, it says nothing.
[[nodiscard]] BoxAnswer box_contacts(const Shape& a, const Pose& pose_a, const Shape& b,
                                     const Pose& pose_b, const ContactOptions& options,
                                     ContactManifold& manifold);

} // namespace carom
