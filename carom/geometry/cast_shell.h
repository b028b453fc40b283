// Lines against spherical shells: pieces of thick curved surfaces. They are not convex, so a line may go in and out several times.
//
// It comes in through the outer sphere, the inner one (out of the hollow middle: all that is nearer to the centre than the inner radius) or
// the conical side, and goes out in the same ways. The hollow, the outside of the cone and what is beyond the outer sphere are
// not in the shell; their borders are. A start in the hollow is not inside: the first hit is then the inner sphere, from within, or the
// side, if the line leaves the hollow outside of the cone.
//
// Touching, parallel, points, degenerate and empty sets: as in cast.h. (Where a line hits elsewhere, a mere touch that rounding
// cannot tell from a near miss may be missed.) A shell without thickness (inner = outer) is a surface, of half angle 0 a segment.
#pragma once

#include "carom/geometry/cast.h"
#include "carom/geometry/spherical_shell.h"

#include <array>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// The parts of a line in a shell: in the order of t, apart from each other or touching, each as in cast.h but for the normals: those are
/// of the surface there, away from the shell: out of the outer sphere, toward the centre on the inner one, out of the cone on the side.
/// There are at most three: two where the cone is no wider than a half-space (it may be cut by the hollow), three where the line also goes out of a
/// wider one and comes in again.
struct ShellSpans {
  std::array<LineSpan, 3> part;
  int count = 0;

  [[nodiscard]] std::span<const LineSpan> spans() const {
    return std::span(part).first(static_cast<std::size_t>(count));
  }
};

[[nodiscard]] ShellSpans clip(const Line& line, const SphericalShell& shell);

/// The first point in the shell, as in cast.h. The normal is unit, of the surface that is met, away from the shell (see ShellSpans) and
/// against the direction.
[[nodiscard]] Cast cast(const Line& line, const SphericalShell& shell);
[[nodiscard]] Cast cast(const Ray& ray, const SphericalShell& shell, double t_max = INFINITY);
[[nodiscard]] Cast cast(const Segment& segment, const SphericalShell& shell);

} // namespace carom
