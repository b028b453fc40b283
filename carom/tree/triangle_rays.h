// Rays against the triangles of a tree.
//
// Whether a ray meets a triangle is decided exactly on the vertices as given (geometry/cast_flat.h), so nothing slips through between the
// triangles of a closed mesh. Everything in the surface's own frame.
#pragma once

#include "carom/geometry/line.h"
#include "carom/tree/triangle_tree.h"
#include "carom/tree/walk_progress.h"

#include <cmath>
#include <functional>

namespace [[gnu::visibility("default")]] carom {

/// Which triangles count: those met from the side of their normal, from the other, or all. A ray in a triangle's plane meets its front.
enum class Faces : std::uint8_t { both, front, back };

struct TriangleRay {
  Ray ray;
  double t_max = INFINITY; ///< 0 <= t <= t_max counts
  Faces faces = Faces::both;
};

struct RayTriangle {
  std::uint32_t triangle = WideTree::no_item;
  double t = INFINITY;

  [[nodiscard]] explicit operator bool() const { return triangle != WideTree::no_item; }
  bool operator==(const RayTriangle&) const = default;
};

/// The first one met. Of those met at the same t (the ray goes through an edge) the one of the lowest number.
[[nodiscard]] RayTriangle first_hit(const TriangleTree& tree, const TriangleSurface& surface,
                                    const TriangleRay& ray);
/// Whether any is met: quicker than asking for the first.
[[nodiscard]] bool any_hit(const TriangleTree& tree, const TriangleSurface& surface,
                           const TriangleRay& ray);
/// Calls `found` for each triangle met, in no order that means anything, always the same. It may return false to end the search.
void all_hits(const TriangleTree& tree, const TriangleSurface& surface, const TriangleRay& ray,
              const std::function<bool(const RayTriangle&)>& found);

/// What is known of the first hit so far: none before it, if it is not done, is not known yet.
struct FirstHitProgress : ChildProgress {
  RayTriangle first;
};
/// The next part of looking for the first hit: in the end `first` is what first_hit returns, however it is divided. True when it is done.
bool resume_first_hit(const TriangleTree& tree, const TriangleSurface& surface,
                      const TriangleRay& ray, FirstHitProgress& progress, WalkBudget budget);
/// The next part of all hits: the same in the same order, however it is divided. True when it is done. A search that `found` has ended is.
bool resume_all_hits(const TriangleTree& tree, const TriangleSurface& surface,
                     const TriangleRay& ray, ChildProgress& progress, WalkBudget budget,
                     const std::function<bool(const RayTriangle&)>& found);

} // namespace carom
