// A bowl with ripples, of 2 n^2 triangles over a square of twice `half`: the ground of scenes on meshes.
#pragma once

#include "carom/math/trig.h"
#include "carom/mesh/polygon_mesh.h"

namespace carom::bench {

inline PolygonMesh bowl(std::uint32_t n, double half, double rise, double ripple) {
  PolygonMesh mesh;
  for (std::uint32_t i = 0; i <= n; ++i)
    for (std::uint32_t k = 0; k <= n; ++k) {
      const double x = (2.0 * i / n - 1) * half, y = (2.0 * k / n - 1) * half;
      const double r = (x * x + y * y) / (half * half);
      mesh.vertices.push_back({x, y, rise * r + ripple * sin(1.3 * x) * cos(1.7 * y)});
    }
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t k = 0; k < n; ++k) {
      const std::uint32_t a = i * (n + 1) + k, b = a + n + 1;
      mesh.add_face(std::vector<std::uint32_t>{a, b, b + 1});
      mesh.add_face(std::vector<std::uint32_t>{a, b + 1, a + 1});
    }
  return mesh;
}

} // namespace carom::bench
