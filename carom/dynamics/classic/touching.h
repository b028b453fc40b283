// Where bodies touch, how far apart they are, and when they meet: the public queries, for bodies of several shapes.
#pragma once

#include "carom/dynamics/classic/response_body.h"
#include "carom/motion/motion.h"

namespace [[gnu::visibility("default")]] carom {
namespace classic {

/// Whether they have to do with each other: one can be pushed, and some of their shapes that are no sensors may meet.
[[nodiscard]] bool may_touch(const BodyStore& bodies, std::uint32_t a, std::uint32_t b);

/// Around all shapes that are no sensors, where the body is now.
[[nodiscard]] Aabb body_box(const BodyStore& bodies, std::uint32_t slot);
/// Around its whole way.
[[nodiscard]] Aabb body_box(const BodyStore& bodies, std::uint32_t slot, const Motion& motion);
/// Whether they are nearer to each other than the margin, along each axis.
[[nodiscard]] bool boxes_meet(const Aabb& a, const Aabb& b, double margin);

/// Adds the contacts between two bodies where they are nearer than the margin.
void add_contacts(const BodyStore& bodies, std::uint32_t a, std::uint32_t b, double margin,
                  std::vector<ContactPoint>& contacts);

/// A lower bound of their distance, 0 where they touch; or some number above `limit`, where it is.
[[nodiscard]] double gap(const BodyStore& bodies, std::uint32_t a, std::uint32_t b, double limit);
/// How deep they overlap: the greatest of their shapes'.
[[nodiscard]] double overlap_depth(const BodyStore& bodies, std::uint32_t a, std::uint32_t b);

/// From 0 to 1: when the bodies, which move so, first come within the margin, or so near to it that less than `error` is missing; 1 where they do not. 0 where they are so near at first.
[[nodiscard]] double meeting_time(const BodyStore& bodies, std::uint32_t a, const Motion& motion_a,
                                  std::uint32_t b, const Motion& motion_b, double margin,
                                  double error);

} // namespace classic
} // namespace carom
