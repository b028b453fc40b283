// Light bodies under a great load. Internal to the solver.
//
// A contact yields by its load over the masses of its bodies, and in each sub-step pushes back no harder than these masses allow. So what is a thousand times lighter than what it carries is pressed into the floor, and
// what it carries sways and falls. But while a body is squeezed from all sides, its own inertia does not matter: it may as well be heavier to move, if only its weight stays. Its burden is that factor:
// so large that the contacts yield by no more than SolverOptions::rest_depth, nor than a small part of the body's size: what leans by that much over its width must still be held up (docs/world.md, "Stiffness").
//
// The squeeze is half of what its contacts push, without what moves the body as a whole: an impact from one side is none. A burden grows by half a step, soon enough that a column does not give way before, but by a tenth where bodies move past each other, so that only what rests gets a great one; it stays as it is while the load changes little, and ends when the squeeze ends, or when something strikes that is more than the load: else what is struck would take too much of its momentum. What is less does not matter to a body that is held by more. Where no force pulls there is no load:
// there, what collides keeps its momentum to the last bit of it.
// What is wedged, since bodies overlap that cannot part, is squeezed by no load, and the harder, the heavier it is to move: its burden would grow without end, and the first of its contacts that went would throw whatever is beside it. So a squeeze counts up to twice the weight of all that is awake.
// Bodies whose joints bear anything have none: their joints have means of their own (JointSolver::steady).
#pragma once

#include "carom/dynamics/body_store.h"
#include "carom/dynamics/contact_lanes.h"

namespace [[gnu::visibility("default")]] carom {

/// How two bodies that touch move past each other, or come together.
struct Haste {
  bool any = false;  ///< so fast that they hardly rest on each other
  float impulse = 0; ///< by which the one would be stopped by the other; 0 where there is no haste
};
[[nodiscard]] Haste haste_of(const Body& a, const Body& b);

/// The impulse that a body with a burden withstands: a strike by a greater one ends the burden. A few times what squeezes the body in a step; 0 without a burden. `time`: of the step.
[[nodiscard]] float borne_impulse(const Body& body, double rest_depth, const SoftStep& soft,
                                  double time);

/// What forces push a body by in a sub-step, as an impulse.
[[nodiscard]] double weight_of(const Body& body, const BodyMotion& motion);

/// After the last sub-step, and after weigh. `hasty`: whether one of the body's contacts is. `weight`: of all bodies together.
[[nodiscard]] float next_burden(const Body& body, const BodyMotion& motion, const SolverBody& state,
                                bool hasty, double weight, double rest_depth, const SoftStep& soft);

} // namespace carom
