// The signed distance of two placed curved shapes, in long double, with bounds that prove it.
//
// Overlapping: a polytope inside the difference A - B grows, corner by corner, where its nearest face is, until that face cannot move: from supports in long double, by the plainest
// means. The nearest face is a lower bound of the depth, a support along its normal an upper one.
// Apart: the gap along a normal is a lower bound, in long double; points of the shapes are an upper one, plus how far they are off the shapes as the checker says. Both come from
// the answer under test, and are proved here.
#pragma once

#include "carom/query/answer.h"
#include "carom/verify/shape.h"
#include "tests/accuracy/real3.h"

namespace carom::accuracy {

/// A point of the placed shape that is farthest along n, from the definition of its kind. Not for half-spaces, sums, hulls of two, custom and scaled shapes.
[[nodiscard]] Real3 farthest_point(const verify::PlacedShape& placed, const Real3& n);

/// The true value is between these.
struct Bracket {
  Real lower = 0, upper = 0;
};

/// Of the signed distance of shapes that are apart.
[[nodiscard]] Bracket apart(const verify::PlacedShape& a, const verify::PlacedShape& b,
                            const Distance& answer);

/// Of the depth of shapes that overlap: as near to each other as `enough`, unless 4,000 corners were too few.
[[nodiscard]] Bracket depth(const verify::PlacedShape& a, const verify::PlacedShape& b,
                            Real enough);

} // namespace carom::accuracy
