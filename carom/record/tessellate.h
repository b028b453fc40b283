// The surface of any shape as triangles, for display.
//
//   SurfaceMesh m = tessellate(rock, {.error = 0.005});
//
// Polytopes, meshes and height fields give their own faces. What is curved gives a polytope inside of it whose corners are on its surface. Points give no triangle, segments an edge only.
#pragma once

#include "carom/shape/shape.h"

#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct SurfaceMesh {
  std::vector<Vec3> positions;
  std::vector<std::uint32_t> triangles; ///< three a triangle, counter-clockwise seen from outside
  std::vector<std::uint32_t>
      edges; ///< two an edge: those worth a line, not those that only approximate a curve
};

struct TessellateOptions {
  /// Of what is curved: no point of it is farther from the triangles than this times the half diagonal of its box. From 1e-4 on.
  double error = 0.01;
  /// Of half-spaces: a square of the border is shown, this far to each side of the point nearest to the origin.
  double extent = 50;
  /// Rounded composites (a mesh, field or cloud with a radius): above so many parts, their roundings are left out.
  std::uint64_t most_rounded_parts = 2000;
};

[[nodiscard]] SurfaceMesh tessellate(const Shape& shape, const TessellateOptions& options = {});

} // namespace carom
