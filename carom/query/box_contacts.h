// The two ways to contacts: that of boxes, directly, and the general one. Internal to the contacts.
#pragma once

#include "carom/query/contacts.h"

namespace [[gnu::visibility("default")]] carom {

/// As contacts() for cores that are boxes without rounding; options.all is empty.
[[nodiscard]] ContactManifold box_contacts(const Shape& a, const Pose& pose_a, const Shape& b,
                                           const Pose& pose_b, const ContactOptions& options,
                                           PairCache* cache);

/// As contacts() for any two shapes, from the signed distance; options.all is empty. Where boxes, within the margin, are nearest with a corner or an edge to something else than a face, it
/// answers for them, too.
[[nodiscard]] ContactManifold searched_contacts(const Shape& a, const Pose& pose_a, const Shape& b,
                                                const Pose& pose_b, const ContactOptions& options,
                                                PairCache* cache);

} // namespace carom
