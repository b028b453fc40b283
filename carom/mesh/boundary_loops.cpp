// Each open half-edge has two ends: 2 h at the vertex it leaves, 2 h + 1 at the one it leads to. At every fan the ends that meet there are
// paired; then a loop is walked by going to the other end of the half-edge, to the end paired with that, and so on.
#include "carom/mesh/boundary_loops.h"

#include <algorithm>
#include <utility>

namespace carom {
namespace {

constexpr std::uint32_t unpaired = 0xffffffff;

/// Per end of an open half-edge, numbered by the open edges: the end it continues at.
struct Ends {
  std::vector<std::uint32_t> open;    ///< the open half-edges, ascending
  std::vector<std::uint32_t> partner; ///< per end 2 i and 2 i + 1 of open[i]
};

Ends paired_ends(const MeshEdges& edges, const MeshFans& fans) {
  Ends ends;
  for (std::size_t edge = 0; edge < edges.edge_count(); ++edge) {
    if (edges.is_open(edge)) ends.open.push_back(edges.half_edges(edge)[0]);
  }
  std::sort(ends.open.begin(), ends.open.end());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> at_fan; // (fan, end)
  for (std::uint32_t i = 0; i < ends.open.size(); ++i) {
    const std::uint32_t h = ends.open[i];
    at_fan.emplace_back(fans.of_corner[h], 2 * i);
    at_fan.emplace_back(fans.of_corner[edges.next(h)], 2 * i + 1);
  }
  std::sort(at_fan.begin(), at_fan.end());
  ends.partner.assign(2 * ends.open.size(), unpaired);
  for (std::size_t i = 0; i + 1 < at_fan.size(); ++i) {
    if (at_fan[i].first != at_fan[i + 1].first) continue;
    ends.partner[at_fan[i].second] = at_fan[i + 1].second;
    ends.partner[at_fan[i + 1].second] = at_fan[i].second;
    ++i;
  }
  return ends;
}

/// Appends the chain that leaves by `end` until it ends or returns to half-edge `stop`; returns whether it returned.
bool walk(const Ends& ends, std::uint32_t end, std::uint32_t stop, std::vector<bool>& done,
          std::vector<std::uint32_t>& chain) {
  while (ends.partner[end] != unpaired) {
    const std::uint32_t into = ends.partner[end];
    const std::uint32_t i = into / 2;
    if (i == stop) return true;
    done[i] = true;
    chain.push_back(ends.open[i]);
    end = into ^ 1;
  }
  return false;
}

} // namespace

BoundaryLoops boundary_loops(const MeshEdges& edges, const MeshFans& fans) {
  const Ends ends = paired_ends(edges, fans);
  BoundaryLoops loops;
  std::vector<bool> done(ends.open.size());
  std::vector<std::uint32_t> chain;
  for (std::uint32_t i = 0; i < ends.open.size(); ++i) {
    if (done[i]) continue;
    done[i] = true;
    chain.assign(1, ends.open[i]);
    const bool closed = walk(ends, 2 * i + 1, i, done, chain);
    if (!closed) {
      // What comes before the first, found backwards.
      std::vector<std::uint32_t> before;
      walk(ends, 2 * i, i, done, before);
      std::reverse(before.begin(), before.end());
      loops.half_edges.insert(loops.half_edges.end(), before.begin(), before.end());
    }
    loops.half_edges.insert(loops.half_edges.end(), chain.begin(), chain.end());
    loops.loop_begin.push_back(static_cast<std::uint32_t>(loops.half_edges.size()));
    loops.closed.push_back(closed);
  }
  return loops;
}

std::vector<std::uint32_t> loop_vertices(const MeshEdges& edges, const BoundaryLoops& loops,
                                         std::size_t i) {
  const auto chain = loops.loop(i);
  // The walk leaves the first half-edge at the end that the second has too: not always its own direction, where the winding changes.
  std::vector<std::uint32_t> vertices;
  std::uint32_t at = edges.from(chain[0]);
  if (chain.size() > 1) {
    const auto touches = [&](std::uint32_t v) {
      return edges.from(chain[1]) == v || edges.to(chain[1]) == v;
    };
    if (!touches(edges.to(chain[0]))) at = edges.to(chain[0]);
  }
  for (const std::uint32_t h : chain) {
    vertices.push_back(at);
    at = edges.from(h) == at ? edges.to(h) : edges.from(h);
  }
  if (!loops.closed[i]) vertices.push_back(at);
  return vertices;
}

} // namespace carom
