// Triangles by the numbers of their corners: what trees over meshes are built on.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/triangle.h"

#include <array>
#include <cstdint>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// Refers to the arrays and does not own them. All corners exist, and their coordinates are in range (tolerance.h).
struct TriangleSurface {
  std::span<const Vec3> vertices;
  std::span<const std::array<std::uint32_t, 3>> triangles;

  [[nodiscard]] std::size_t size() const { return triangles.size(); }
  [[nodiscard]] Triangle operator[](std::size_t i) const {
    const auto& [a, b, c] = triangles[i];
    return {vertices[a], vertices[b], vertices[c]};
  }
};

[[nodiscard]] constexpr Aabb bounds(const Triangle& t) {
  return {min(min(t.a, t.b), t.c), max(max(t.a, t.b), t.c)};
}

} // namespace carom
