// What a move works in. Internal to exact polyhedral motion.
#pragma once

#include "carom/motion/polyhedral_culling.h"
#include "carom/motion/polyhedral_search.h"

#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct PolyhedralCache::Memory {
  PlacedParts moving, resting;
  SearchMemory search;
  std::vector<std::uint32_t> near;
};

/// The resting parts near a box in the body's frame, placed by `frame`. How many polygons.
std::size_t place_near(const Polyhedron& body, const Frame& frame, const Aabb& box,
                       const PolyhedralOptions& options, PolyhedralCache::Memory& memory);

/// The frame of the moving body as seen from that of the resting one.
[[nodiscard]] Frame relative_frame_of(const Frame& moving, const Frame& resting);

/// The zone of two bodies; `more` is what else coordinates are made of.
[[nodiscard]] ExpelZone zone_of(const Polyhedron& moving, const Pose& pose,
                                const Polyhedron& resting, const Pose& resting_pose, double more,
                                const PolyhedralOptions& options);

/// The contacts within `tolerance` of a moving body placed in the resting one's frame, added to the list in the world. The pair of `skip` (its kind and features) is left out.
void add_contacts(const Polyhedron& moving, const Pose& pose, const PlacedPolyhedron& resting,
                  std::uint32_t number, double tolerance, const ExpelZone& zone,
                  const PolyhedralOptions& options, PolyhedralCache::Memory& memory,
                  const PolyhedralContact* skip, std::vector<PolyhedralContact>& contacts);

/// The nearest points of two features, by their numbers.
[[nodiscard]] PolyhedralContact contact_between(const Polyhedron& moving, const Frame& moving_frame,
                                                const Polyhedron& resting,
                                                const Frame& resting_frame,
                                                PolyhedralContact::Kind kind,
                                                std::uint32_t on_moving, std::uint32_t on_resting);

} // namespace carom
