// The triangles of two trees, one placed in the frame of the other: which pairs meet, and which are nearest.
//
// B is placed by a frame (its rotation and translation in A's frame). Its triangles' corners are taken there in doubles, rounded once; whether two triangles meet is then decided
// exactly (geometry/triangle_triangle.h). Everything in A's frame.
#pragma once

#include "carom/geometry/closest_flat.h"
#include "carom/math/pose.h"
#include "carom/tree/triangle_tree.h"
#include "carom/tree/walk_progress.h"

#include <functional>

namespace [[gnu::visibility("default")]] carom {

/// A tree with the surface it was built from.
struct TriangleSet {
  const TriangleTree& tree;
  TriangleSurface surface;
};

struct TrianglePair {
  std::uint32_t a = WideTree::no_item, b = WideTree::no_item;

  [[nodiscard]] explicit operator bool() const { return a != WideTree::no_item; }
};

/// A pair that meets, always the same one; none where no triangles meet. A guess, that of a moment ago, is tried first, and is the answer where it meets still; numbers that are no triangles are passed over.
[[nodiscard]] TrianglePair any_meeting(const TriangleSet& a, const TriangleSet& b,
                                       const Frame& b_in_a, const TrianglePair& guess = {});
/// Calls found(pair) for each pair that meets, in no order that means anything, always the same. It may return false to end the search.
void all_meetings(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
                  const std::function<bool(const TrianglePair&)>& found);
/// The next part of the same: the same pairs in the same order, however it is divided. True when it is done. A search that `found` has ended is.
bool resume_meetings(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
                     PairProgress& progress, WalkBudget budget,
                     const std::function<bool(const TrianglePair&)>& found);

/// The nearest triangles, and their nearest points, in A's frame.
struct NearestTriangles : TrianglePair {
  ClosestTriangles closest;
};

struct NearestOptions {
  /// Only pairs nearer than this are looked for.
  double below = INFINITY;
  /// It is enough to come as near to the least distance as this.
  double absolute_error = 0, relative_error = 0;
  /// A pair to begin with: that of a moment ago.
  TrianglePair guess{};
};

/// None where no pair is nearer than asked for. Where several are equally near it is one of them, always the same.
[[nodiscard]] NearestTriangles nearest_pair(const TriangleSet& a, const TriangleSet& b,
                                            const Frame& b_in_a,
                                            const NearestOptions& options = {});

/// What is known of the nearest pair so far.
struct NearestProgress : NearPairProgress {
  /// An upper bound: none, before any was found.
  NearestTriangles best;
  /// A lower bound: no pair is nearer. In the end the distance of the best, less the errors allowed; or `below` where none is nearer.
  double at_least = 0;
};
/// The next part of the search; the first one looks for a pair to begin with, too, which is not counted. In the end `best` is what nearest_pair returns, to the bit, however it is divided. True when it is done. The options are the same each time.
bool resume_nearest(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
                    NearestProgress& progress, WalkBudget budget,
                    const NearestOptions& options = {});

} // namespace carom
