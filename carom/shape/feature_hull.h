// A polyhedral shape as a set of features (vertices, edges, faces), laid out for walks from feature to neighbouring feature.
//
// Built once a shape, by the caller, and shared like the shape itself. The queries that walk (query/vclip.h) read it only.
#pragma once

#include "carom/math/result.h"
#include "carom/shape/feature_level.h"
#include "carom/shape/shape.h"

#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct FeatureHullOptions {
  /// Also keep coarser hulls of the same shape, each of a quarter of the vertices of the one before, for walks from afar. A third more memory.
  bool levels = false;
};

class FeatureHull {
public:
  /// Of the core of a polyhedral shape (a point, segment, triangle, box, hull or brush; rounded or not). Time O(n log n), some 500 bytes a vertex.
  /// Errors: `degenerate` for a shape that is not polyhedral; `out_of_range` where a corner of a turned box is.
  [[nodiscard]] static Result<FeatureHull> of(const Shape& shape,
                                              const FeatureHullOptions& options = {});

  [[nodiscard]] const Shape& shape() const { return shape_; }
  /// The finest level is the shape's core, the others lie inside it; the finest first. Vertices of a hull have the numbers that they have there.
  [[nodiscard]] std::span<const FeatureLevel> levels() const { return levels_; }
  /// The vertex of the finest level farthest along d, of equals that of lowest number.
  [[nodiscard]] std::uint32_t farthest(const Vec3& d) const;

private:
  explicit FeatureHull(const Shape& shape) : shape_(shape) {}

  Shape shape_; ///< keeps alive what `polytope_` points to
  const Polytope* polytope_ = nullptr;
  std::vector<FeatureLevel> levels_;
};

} // namespace carom
