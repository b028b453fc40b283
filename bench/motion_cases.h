// The cases of the bench of motion, by what they are about.
#pragma once

namespace carom::bench {

/// Time of impact of turning hulls, against FCL's conservative advancement.
void add_impact_cases();
/// Linearly moving vertices, against a plain root finder.
void add_ccd_cases();

} // namespace carom::bench
