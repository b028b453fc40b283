// Does the answer of a cast against a spherical shell hold?
//
// A shell is not convex: no plane keeps it from what came before. But a line goes in and out only where it crosses one of the two
// spheres or the cone of the shell: between those places it is all in or all out. They are the roots of three quadratics, here in long
// double and from the line's nearest point to the centre.
#pragma once

#include "carom/verify/check_cast.h"
#include "carom/verify/shell.h"

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// The tolerance is in units of length, as in check_cast.h: how far the point may be off the shell, the line and the surface that the normal is
/// of. A miss, and all before a hit, is refuted where the line clearly runs through the shell (check_cast.h).
[[nodiscard]] Verdict check_cast(const StraightPiece& line, const SphericalShell& shell,
                                 const Cast& answer, double tolerance);

} // namespace verify
} // namespace carom
