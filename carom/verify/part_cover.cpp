#include "carom/verify/part_cover.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace carom::verify {

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

// By a line that goes along A, with the intervals of B that it crosses.
Verdict check_cover(const std::vector<PartRectangle>& claims, std::uint64_t count_a,
                    std::uint64_t count_b) {
  std::uint64_t area = 0;
  std::vector<std::pair<std::uint32_t, const PartRectangle*>> begins, ends;
  for (const PartRectangle& c : claims) {
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

} // namespace carom::verify
