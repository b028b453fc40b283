// How fast joints undo their errors. Internal to the solver.
#pragma once

namespace [[gnu::visibility("default")]] carom {

/// Of an error, how much a tree undoes in a sub-step.
inline constexpr double tree_part = 0.5;
/// Metres or radians a second: errors are not undone faster.
inline constexpr double push_speed = 12;

} // namespace carom
