#include "carom/verify/check_proof.h"

#include "carom/verify/part_pairs.h"

#include <algorithm>
#include <map>
#include <string>

namespace carom::verify {
namespace {

using Claim = Proof::Claim;

/// The parts in the order of the proof; none where it does not list each once.
std::vector<const ConvexPart*> in_order(const std::vector<ConvexPart>& parts,
                                        const std::vector<PartId>& order) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, const ConvexPart*> left;
  for (const ConvexPart& part : parts) left[{part.id.part, part.id.element}] = &part;
  std::vector<const ConvexPart*> result;
  for (const PartId& id : order) {
    const auto found = left.find({id.part, id.element});
    if (found == left.end() || found->second->id.material != id.material) return {};
    result.push_back(found->second);
    left.erase(found);
  }
  return left.empty() ? result : std::vector<const ConvexPart*>();
}

/// Whether rectangles cover a whole rectangle and do not overlap: by a line that goes along A, with the intervals of B that it crosses.
Verdict check_cover(const std::vector<Claim>& claims, std::uint64_t count_a,
                    std::uint64_t count_b) {
  std::uint64_t area = 0;
  std::vector<std::pair<std::uint32_t, const Claim*>> begins, ends;
  for (const Claim& c : claims) {
    if (c.first_a >= c.end_a || c.first_b >= c.end_b || c.end_a > count_a || c.end_b > count_b)
      return Verdict::no("a claim is about no pair, or one that is not there");
    area += std::uint64_t{c.end_a - c.first_a} * (c.end_b - c.first_b);
    begins.push_back({c.first_a, &c});
    ends.push_back({c.end_a, &c});
  }
  if (area != count_a * count_b)
    return Verdict::no("the claims are not about as many pairs as there are");
  const auto by_place = [](const auto& x, const auto& y) { return x.first < y.first; };
  std::stable_sort(begins.begin(), begins.end(), by_place);
  std::stable_sort(ends.begin(), ends.end(), by_place);
  std::map<std::uint32_t, std::uint32_t> crossed; // first_b to end_b
  std::size_t ended = 0;
  for (const auto& [place, claim] : begins) {
    for (; ended < ends.size() && ends[ended].first <= place; ++ended)
      crossed.erase(ends[ended].second->first_b);
    const auto after = crossed.lower_bound(claim->first_b);
    const bool free = (after == crossed.end() || after->first >= claim->end_b) &&
                      (after == crossed.begin() || std::prev(after)->second <= claim->first_b);
    if (!free) return Verdict::no("two claims are about the same pair");
    crossed[claim->first_b] = claim->end_b;
  }
  return Verdict::yes();
}

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
  if (order_a.empty() || order_b.empty())
    return Verdict::no("the proof does not list each part once");
  if (Verdict cover = check_cover(proof.claims, order_a.size(), order_b.size()); !cover)
    return cover;
  for (const Claim& c : proof.claims)
    if (Verdict v = check_claim(c, order_a, order_b, proof, tolerance); !v) return v;
  if (Verdict outside = check_outside(a, b, tolerance); !outside) return outside;
  return check_outside(b, a, tolerance);
}

} // namespace carom::verify
