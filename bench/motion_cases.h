// The cases of the bench of motion, by what they are about.
#pragma once

namespace carom::bench {

/// Time of impact of turning hulls, against FCL's conservative advancement.
void add_impact_cases();
/// A walk, against Bullet's kinematic character controller; and how its cost grows with the level.
void add_mover_cases();

} // namespace carom::bench
