// A spring and damper over one sub-step. Internal to the solver.
#pragma once

namespace [[gnu::visibility("default")]] carom {

/// The impulse of a sub-step is -mass (scale speed + rate error) - soft impulse, where `impulse` is what was applied of it so far, and is in the speed.
struct SpringStep {
  double scale = 1, soft = 0, rate = 0;
};

/// Of a frequency in Hertz and a damping ratio. Up to a twelfth of the sub-steps' rate it swings and comes to rest just as a spring does; faster ones are taken implicitly, which damps them more, and are stable.
[[nodiscard]] SpringStep spring_step(double frequency, double damping_ratio, double time);

/// e^-x for x >= 0, with the same bits everywhere, to some 1e-14.
[[nodiscard]] double decay(double x);

} // namespace carom
