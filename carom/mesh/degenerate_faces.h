// Faces without area, exactly.
#pragma once

#include "carom/mesh/polygon_mesh.h"

#include <cstddef>

namespace [[gnu::visibility("default")]] carom {

struct FaceFaults {
  bool few_corners = false;      ///< fewer than three different vertices: a point or an edge
  bool repeated_corners = false; ///< a vertex appears more than once
  bool on_a_line =
      false; ///< all corners lie on one line, exactly (or coincide); also where few_corners

  /// Without area, in one of these ways.
  [[nodiscard]] bool degenerate() const { return few_corners || on_a_line; }
};

/// Of face f of a surface whose arrays fit together. Where a corner has a coordinate that is not a number, on_a_line is that of few_corners.
[[nodiscard]] FaceFaults face_faults(const PolygonSurface& surface, std::size_t f);

/// Whether a, b, c lie on one line, exactly; so they do where two of them coincide.
[[nodiscard]] bool collinear(const Vec3& a, const Vec3& b, const Vec3& c);

} // namespace carom
