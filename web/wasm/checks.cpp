// The certificate of an answer, checked by carom/verify, which knows nothing of how the answer was found. The query is asked again, with the same arguments as in
// queries.cpp: the same answer, to the bit. 1: the proof holds; 0: it does not; 2: no proof was found, which says nothing. Of the last two, carom_error() has the sentence.
#include "carom/motion/prove_impact.h"
#include "carom/motion/time_of_impact.h"
#include "carom/query/distance.h"
#include "carom/query/penetration.h"
#include "carom/query/prove.h"
#include "carom/query/prove_depth.h"
#include "carom/verify/check_composite.h"
#include "carom/verify/check_depth_proof.h"
#include "carom/verify/check_motion.h"
#include "carom/verify/check_proof.h"
#include "carom/verify/check_query.h"
#include "web/wasm/interface.h"

#include <algorithm>
#include <cmath>

namespace carom::web {
namespace {

enum Outcome { does_not_hold = 0, holds = 1, no_proof = 2 };

Outcome told(const verify::Verdict& verdict) {
  if (!verdict) fail(verdict.why);
  return verdict ? holds : does_not_hold;
}
Outcome unproved(const char* what) {
  fail(what);
  return no_proof;
}

struct Pair {
  verify::PlacedShape a, b;
  double tolerance = 0; ///< a length: what rounding may cost

  [[nodiscard]] bool convex() const { return a.shape.convex() && b.shape.convex(); }
};

/// The pose of B stands so far behind that of A.
std::optional<Pair> pair_of(int a, int b, int behind = 7) {
  const Shape* shape_a = shapes().find(a);
  const Shape* shape_b = shapes().find(b);
  if (!shape_a || !shape_b) return {};
  Pair pair{{*shape_a, pose_at(buffer())}, {*shape_b, pose_at(buffer() + behind)}};
  double size = 0;
  for (const verify::PlacedShape* placed : {&pair.a, &pair.b}) {
    const double extent = verify::extent(*placed);
    if (std::isfinite(extent)) size = std::max(size, extent);
  }
  pair.tolerance = 1e-9 * size;
  return pair;
}

Outcome check_distance(const Pair& p) {
  const Distance answer = distance(p.a.shape, p.a.pose, p.b.shape, p.b.pose);
  if (p.convex()) return told(verify::check_distance(p.a, p.b, answer, p.tolerance));
  if (answer.value == 0)
    return told(verify::check_composite_distance(p.a, p.b, answer, p.tolerance));
  const auto proof = prove(p.a.shape, p.a.pose, p.b.shape, p.b.pose, answer);
  if (!proof) return unproved("that nothing is nearer");
  return told(verify::check_proof(p.a, p.b, *proof, p.tolerance));
}

Outcome check_penetration(const Pair& p) {
  const Penetration answer = penetration(p.a.shape, p.a.pose, p.b.shape, p.b.pose);
  // Points of curved shapes that overlap are known to 1e-6 of their size (answer.h).
  if (p.convex())
    return told(verify::check_penetration(p.a, p.b, answer, p.tolerance, 1e4 * p.tolerance, 16));
  const auto proof = prove_depth(p.a.shape, p.a.pose, p.b.shape, p.b.pose, answer);
  if (!proof) return unproved("that nothing shorter separates them");
  return told(verify::check_depth_proof(p.a, p.b, *proof, p.tolerance));
}

} // namespace

CAROM_EXPORT int carom_check_distance(int a, int b) {
  const auto pair = pair_of(a, b);
  return pair ? check_distance(*pair) : fail(no_shape);
}
CAROM_EXPORT int carom_check_penetration(int a, int b) {
  const auto pair = pair_of(a, b);
  return pair ? check_penetration(*pair) : fail(no_shape);
}
/// An overlap at the start has no past to prove: then it is the depth there that is checked.
CAROM_EXPORT int carom_check_impact(int a, int b) {
  const auto pair = pair_of(a, b, 14);
  if (!pair) return fail(no_shape);
  const double* in = buffer();
  const Shape &s = pair->a.shape, &t = pair->b.shape;
  const Motion motion_a = Motion::between(pose_at(in), pose_at(in + 7));
  const Motion motion_b = Motion::between(pose_at(in + 14), pose_at(in + 21));
  const TimeOfImpact i = time_of_impact(s, motion_a, t, motion_b);
  if (i.initial_overlap) return check_penetration(*pair);
  const auto proof = prove_impact(s, motion_a, t, motion_b, i);
  if (!proof) return unproved("that nothing touches before");
  return told(verify::check_motion_proof(s, motion_a, t, motion_b, *proof, pair->tolerance));
}

} // namespace carom::web
