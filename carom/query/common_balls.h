// A ball in each of two solids that overlap, as deep in each other as can be found. Internal to penetration.
//
// Around a point x of both, let r be its distance from the surface of A and s that from B's. No translation shorter than r + s separates the balls of these radii around x, so none separates A and B. Where
// solids only just reach into each other, at places that no larger piece inside them fills, this is what bounds their depth from below.
#pragma once

#include "carom/query/mesh_separation.h"

#include <optional>

namespace [[gnu::visibility("default")]] carom {

/// For A and B moved by t, both solid. The balls are grown away from where they touch the surfaces as far as there is room, which makes them count for other translations as well.
/// The search ends where no translation shorter than `enough` separates the balls. None where no common point was found.
[[nodiscard]] std::optional<BallPair> common_balls(const PlacedMesh& a, const PlacedMesh& b,
                                                      const Vec3& t, double enough);

} // namespace carom
