#include "carom/verify/check_proof.h"

#include "carom/verify/part_cover.h"
#include "carom/verify/part_pairs.h"

#include <algorithm>

namespace carom::verify {
namespace {

using Claim = Proof::Claim;

Verdict check_claim(const Claim& c, const std::vector<const ConvexPart*>& a,
                    const std::vector<const ConvexPart*>& b, const Proof& proof, double tolerance) {
  if (!is_unit(c.direction)) return Verdict::no("the direction of a claim is no unit vector");
  double end = -INFINITY, begin = INFINITY;
  for (std::uint32_t i = c.first_a; i < c.end_a; ++i)
    end = std::max(end, support(a[i]->placed, c.direction));
  for (std::uint32_t i = c.first_b; i < c.end_b; ++i)
    begin = std::min(begin, -support(b[i]->placed, -c.direction));
  const double moved = std::max(0.0, dot(c.direction, proof.translation));
  const double missing = proof.bound - (begin - (end + moved));
  return missing <= tolerance ? Verdict::yes() : Verdict::off("a claim falls short", missing);
}

} // namespace

Verdict check_proof(const PlacedShape& a, const PlacedShape& b, const Proof& proof,
                    double tolerance) {
  const std::vector<ConvexPart> parts_a = convex_parts(a), parts_b = convex_parts(b);
  const auto order_a = in_order(parts_a, proof.parts_a), order_b = in_order(parts_b, proof.parts_b);
  std::vector<PartRectangle> rectangles;
  for (const Claim& c : proof.claims)
    rectangles.push_back({c.first_a, c.end_a, c.first_b, c.end_b});
  if (order_a.empty() || order_b.empty())
    return Verdict::no("the proof does not list each part once");
  if (Verdict cover = check_cover(rectangles, order_a.size(), order_b.size()); !cover) return cover;
  for (const Claim& c : proof.claims)
    if (Verdict v = check_claim(c, order_a, order_b, proof, tolerance); !v) return v;
  if (Verdict outside = check_outside(a, b, tolerance); !outside) return outside;
  return check_outside(b, a, tolerance);
}

} // namespace carom::verify
