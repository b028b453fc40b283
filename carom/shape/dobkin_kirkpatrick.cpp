// Levels are peeled off with the exact hull code: what is left of a hull's vertices are all vertices of its hull, and its edges are those
// of convex_hull. An average vertex has fewer than six neighbours, so at least half have eight or fewer; taking them greedily
// blocks at most eight others each. At least 1/18 of the vertices go, a quarter in practice.
#include "carom/shape/dobkin_kirkpatrick.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace carom {
namespace {

constexpr std::size_t most_on_top = 8;
constexpr std::size_t greatest_degree = 8;

/// Marks of vertices to take away: no two are neighbours.
std::vector<bool> independent_set(const Neighbors& edges, std::size_t n) {
  std::vector<bool> taken(n, false), blocked(n, false);
  for (std::uint32_t v = 0; v < n; ++v) {
    if (blocked[v] || edges.of(v).size() > greatest_degree) continue;
    taken[v] = true;
    for (const std::uint32_t w : edges.of(v)) blocked[w] = true;
  }
  return taken;
}

/// A level while the hierarchy is built: what leaves it, and who of those that stay was joined to whom of those that leave.
struct Peel {
  std::vector<std::uint32_t> gone;                             ///< numbers in the given hull
  std::vector<std::pair<std::uint32_t, std::uint32_t>> joined; ///< one that stays, one that goes
};

struct Onion {
  std::vector<Peel> peels;         ///< the outermost first
  std::vector<std::uint32_t> core; ///< what is left: numbers in the given hull
};

Onion peel_off(const ConvexHull& hull, Neighbors edges) {
  Onion result;
  std::vector<std::uint32_t>& alive = result.core;
  alive.resize(hull.vertices.size());
  std::iota(alive.begin(), alive.end(), std::uint32_t{0});
  while (hull.dimension >= 2 && alive.size() > most_on_top) {
    const std::vector<bool> taken = independent_set(edges, alive.size());
    std::vector<Vec3> rest;
    std::vector<std::uint32_t> rest_number;
    Peel peel;
    for (std::uint32_t v = 0; v < alive.size(); ++v) {
      if (!taken[v]) {
        rest.push_back(hull.vertices[alive[v]]);
        rest_number.push_back(alive[v]);
        continue;
      }
      peel.gone.push_back(alive[v]);
      for (const std::uint32_t w : edges.of(v)) peel.joined.emplace_back(alive[w], alive[v]);
    }
    const Result<ConvexHull> inner = convex_hull(rest);
    if (!inner || inner->dimension != hull.dimension) break; // the rest is flat: stop before
    alive.clear();
    for (const std::uint32_t s : inner->source) alive.push_back(rest_number[s]);
    edges = edge_neighbors(*inner);
    result.peels.push_back(std::move(peel));
  }
  return result;
}

/// The pairs as lists, one for each of the first `count` vertices.
Neighbors lists_of(std::vector<std::pair<std::uint32_t, std::uint32_t>> joined, std::size_t count) {
  std::sort(joined.begin(), joined.end());
  Neighbors result;
  std::size_t at = 0;
  for (std::size_t v = 0; v < count; ++v) {
    result.first.push_back(static_cast<std::uint32_t>(at));
    while (at < joined.size() && joined[at].first == v) result.list.push_back(joined[at++].second);
  }
  result.first.push_back(static_cast<std::uint32_t>(at));
  return result;
}

} // namespace

DobkinKirkpatrick::DobkinKirkpatrick(const ConvexHull& hull) {
  const Neighbors given = edge_neighbors(hull);
  Onion onion = peel_off(hull, given);
  std::reverse(onion.peels.begin(), onion.peels.end());

  top_size_ = onion.core.size();
  number_ = onion.core;
  for (const Peel& peel : onion.peels)
    number_.insert(number_.end(), peel.gone.begin(), peel.gone.end());
  std::vector<std::uint32_t> rank(number_.size());
  for (std::uint32_t i = 0; i < number_.size(); ++i) {
    rank[number_[i]] = i;
    vertices_.push_back(hull.vertices[number_[i]]);
  }

  std::size_t size = top_size_;
  for (Peel& peel : onion.peels) {
    for (auto& [stays, goes] : peel.joined) {
      stays = rank[stays];
      goes = rank[goes];
    }
    finer_.push_back(lists_of(std::move(peel.joined), size));
    size += peel.gone.size();
  }
  for (const std::uint32_t v : number_) {
    edges_.first.push_back(static_cast<std::uint32_t>(edges_.list.size()));
    for (const std::uint32_t w : given.of(v)) edges_.list.push_back(rank[w]);
  }
  edges_.first.push_back(static_cast<std::uint32_t>(edges_.list.size()));
}

std::uint32_t DobkinKirkpatrick::farthest(const Vec3& d, HullClimber& climber) const {
  if (vertices_.empty()) return 0;
  std::uint32_t best = 0;
  double top = dot(vertices_[0], d);
  const auto offer = [&](std::uint32_t v) {
    const double height = dot(vertices_[v], d);
    if (!(height > top)) return;
    top = height;
    best = v;
  };
  for (std::uint32_t v = 1; v < top_size_; ++v) offer(v);
  for (const Neighbors& level : finer_)
    for (const std::uint32_t v : level.of(best)) offer(v);
  return number_[climber.farthest({vertices_, edges_.first, edges_.list}, d, best)];
}

} // namespace carom
