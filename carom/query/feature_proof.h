// What the neighbours of two features must show to prove that the features are the nearest (feature_walk.cpp says why). Internal to the queries.
#pragma once

#include "carom/math/tolerance.h"

namespace [[gnu::visibility("default")]] carom {
namespace feature_proof {

/// A neighbour is nearer where the way to it leads down by more than the error of two unit vectors' product,
inline constexpr double turn = 8 * tolerance::epsilon;
/// and known not to be where it leads up by more than that of all of them.
inline constexpr double level = 16 * tolerance::epsilon;
/// An axis with this sine is at right angles to an edge.
inline constexpr double square = 4 * tolerance::epsilon;
/// Edges whose sine has no correct digit are parallel.
inline constexpr double parallel_squared = 64 * tolerance::epsilon * tolerance::epsilon;
/// How much the points, the axis and its turn may be off in the lower bound, in roundings of a support.
inline constexpr double roundings = 1.5;
/// Features that are nearer than this may meet, in roundings; and planes are this thick.
inline constexpr double touch = 4;
inline constexpr double slack = 0.25;

} // namespace feature_proof
} // namespace carom
