// Which objects of a space overlap a shape, a box, or what a camera sees.
//
//   std::vector<SpaceOverlap> in_reach;
//   overlapping(space, arm, pose, in_reach);
//   std::vector<ObjectId> seen;
//   boxes_in(space, view, seen);
//
// By id. Touching counts. Lists are filled anew; where they have the room, nothing is allocated but what is said below, and what a query between shapes that are not convex needs.
#pragma once

#include "carom/geometry/view_frustum.h"
#include "carom/query/answer.h"
#include "carom/space/among.h"
#include "carom/space/space.h"

#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct SpaceOverlap {
  ObjectId id;
  ShapeOverlap overlap; ///< of the shape asked about (A) and the object (B)
};

/// All that overlap the shape. A pose out of range: none, and bad_input.
Status overlapping(const Space& space, const Shape& shape, const Pose& pose,
                   std::vector<SpaceOverlap>& found, const Among& among = {});
[[nodiscard]] SpaceMeets overlapping_any(const Space& space, const Shape& shape, const Pose& pose,
                                         const Among& among = {});

/// Those whose boxes overlap the box, which may be infinite: quick, and decided exactly. An empty box, or NaN: none, and bad_input.
Status boxes_in(const Space& space, const Aabb& box, std::vector<ObjectId>& found,
                const Among& among = {});
/// Those that overlap the box themselves. A shape is made of the box, as make_shape below does it.
Status overlapping(const Space& space, const Aabb& box, std::vector<SpaceOverlap>& found,
                   const Among& among = {});

/// Those whose boxes overlap what the camera sees. An empty frustum, or numbers out of range: none, and bad_input.
Status boxes_in(const Space& space, const ViewFrustum& frustum, std::vector<ObjectId>& found,
                const Among& among = {});
/// Those that overlap it themselves. A shape is made of it, as make_shape below does it.
Status overlapping(const Space& space, const ViewFrustum& frustum, std::vector<SpaceOverlap>& found,
                   const Among& among = {});

/// A box of these corners, exactly. Errors: not_finite, out_of_range, degenerate where it is empty.
[[nodiscard]] Result<Shape> make_shape(const Aabb& box);
/// The hull of its corners. For a camera that moves: made once of the frustum with its eye at the origin, and placed by a pose. Errors as above.
[[nodiscard]] Result<Shape> make_shape(const ViewFrustum& frustum);

} // namespace carom
