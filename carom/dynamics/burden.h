// Light bodies under a great load. Internal to the solver.
//
// A contact yields by its load over the masses of its bodies, and in each sub-step pushes back no harder than these masses allow. So what is a thousand times lighter than what it carries is pressed into the floor, and
// what it carries sways and falls. But while a body is squeezed from all sides, its own inertia does not matter: it may as well be heavier to move, if only its weight stays. Its burden is that factor:
// so large that the contacts yield by no more than SolverOptions::rest_depth.
//
// The squeeze is half of what its contacts push, without what moves the body as a whole: an impact from one side is none. A burden grows by a tenth a step, so that only what rests gets one, stays as it is while the load changes little, and ends when the squeeze ends. Where no force pulls there is no load:
// there, what collides keeps its momentum to the last bit of it.
// Bodies with joints have none: their joints have means of their own (JointSolver::steady).
#pragma once

#include "carom/dynamics/body_store.h"
#include "carom/dynamics/solver_body.h"

namespace [[gnu::visibility("default")]] carom {

/// After the last sub-step, and after weigh. `least_push`: the impulse of a sub-step by which a body of mass 1 without burden yields by rest_depth.
[[nodiscard]] float next_burden(const Body& body, const BodyMotion& motion, const SolverBody& state,
                                double least_push);

} // namespace carom
