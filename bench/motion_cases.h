// The cases of the bench of motion, by what they are about.
#pragma once

namespace carom::bench {

/// Time of impact of turning hulls, against FCL's conservative advancement.
void add_impact_cases();
/// The same along screws by cubics, against our own advancement.
void add_screw_cases();
/// Linearly moving vertices, against a plain root finder.
void add_ccd_cases();
/// A convex body of 200 polygons in a level of 20,000, against Bullet's sweep.
void add_polyhedral_cases();
/// A walk, against Bullet's kinematic character controller; and how its cost grows with the level.
void add_mover_cases();

} // namespace carom::bench
