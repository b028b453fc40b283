// Levels are peeled off with the exact hull code: what is left of a hull's vertices are all vertices of its hull, and its edges are those
// of convex_hull. An average vertex has fewer than six neighbours, so at least half have eight or fewer; taking them greedily
// blocks at most eight others each. At least 1/18 of the vertices go, a quarter in practice.
#include "carom/shape/dobkin_kirkpatrick.h"

#include <algorithm>

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

} // namespace

DobkinKirkpatrick::DobkinKirkpatrick(const ConvexHull& hull) {
  const auto n = static_cast<std::uint32_t>(hull.vertices.size());
  std::vector<std::uint32_t> alive(n); // numbers in the given hull of the vertices of the level's
  for (std::uint32_t i = 0; i < n; ++i) alive[i] = i;
  Neighbors edges = edge_neighbors(hull);
  const Neighbors given = edges;
  std::vector<Peel> peels;
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
    if (!inner || inner->dimension != hull.dimension) break; // the rest is flat: keep it as it was
    alive.clear();
    for (const std::uint32_t s : inner->source) alive.push_back(rest_number[s]);
    edges = edge_neighbors(*inner);
    peels.push_back(std::move(peel));
  }

  top_size_ = alive.size();
  number_ = alive;
  for (std::size_t i = peels.size(); i-- > 0;)
    number_.insert(number_.end(), peels[i].gone.begin(), peels[i].gone.end());
  std::vector<std::uint32_t> rank(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    rank[number_[i]] = i;
    vertices_.push_back(hull.vertices[number_[i]]);
  }

  std::size_t size = top_size_;
  for (std::size_t i = peels.size(); i-- > 0;) {
    auto& joined = peels[i].joined;
    for (auto& [stays, goes] : joined) {
      stays = rank[stays];
      goes = rank[goes];
    }
    std::sort(joined.begin(), joined.end());
    Neighbors& finer = finer_.emplace_back();
    std::size_t at = 0;
    for (std::size_t v = 0; v < size; ++v) {
      finer.first.push_back(static_cast<std::uint32_t>(at));
      while (at < joined.size() && joined[at].first == v) finer.list.push_back(joined[at++].second);
    }
    finer.first.push_back(static_cast<std::uint32_t>(at));
    size += peels[i].gone.size();
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    edges_.first.push_back(static_cast<std::uint32_t>(edges_.list.size()));
    for (const std::uint32_t w : given.of(number_[i])) edges_.list.push_back(rank[w]);
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
