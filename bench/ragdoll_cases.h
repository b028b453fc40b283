// Ragdolls on a mesh: the part of bench_world that is about joints.
#pragma once

namespace carom::bench {

void add_ragdoll_cases();
/// Prints how well both engines hold them together.
void ragdoll_quality();

} // namespace carom::bench
