// Contacts of two convex shapes along a normal that is not of their own choice: that of a surface they are parts of. Internal to the contacts.
#pragma once

#include "carom/query/contacts.h"

#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Where the features that face each other along `normal`, a unit vector from A toward B, meet: points as those of contacts(), with separations along it, up to the margin. Some may be
/// found twice. None where the shapes' shadows along it do not meet there. The shapes are convex and the poses in range.
void contacts_along(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                    const Vec3& normal, double margin, std::vector<Contact>& found);

/// How far apart the shapes are along it: negative, how far B has to move to be clear of A. Minus infinity where it never is.
[[nodiscard]] double gap_along(const Shape& a, const Pose& pose_a, const Shape& b,
                               const Pose& pose_b, const Vec3& normal);

} // namespace carom
