// Half-edges are dealt out to their lower vertex by counting, then sorted there by the higher vertex. Few edges meet at a vertex of a usual
// mesh, so that is nearly linear; a vertex where all edges meet costs n log n. Each run of equal pairs is an edge.
#include "carom/mesh/mesh_edges.h"

#include "carom/mesh/mesh_check.h"

#include <algorithm>

namespace carom {
namespace {

/// Items 0 .. n-1 dealt out by key(item), ascending within each: begin has one more than keys. Items of key `none` are left out.
template<class Key>
void deal(std::size_t keys, std::size_t items, Key&& key, std::vector<std::uint32_t>& begin,
          std::vector<std::uint32_t>& dealt) {
  begin.assign(keys + 1, 0);
  for (std::uint32_t i = 0; i < items; ++i) {
    if (key(i) != MeshEdges::none) ++begin[key(i) + 1];
  }
  for (std::size_t k = 0; k < keys; ++k) begin[k + 1] += begin[k];
  dealt.resize(begin[keys]);
  std::vector<std::uint32_t> at(begin.begin(), begin.end() - 1);
  for (std::uint32_t i = 0; i < items; ++i) {
    if (key(i) != MeshEdges::none) dealt[at[key(i)]++] = i;
  }
}

/// The half-edges with their ends, sorted by (low, high, number).
struct Side {
  std::uint32_t high, half_edge;
  bool operator<(const Side& other) const {
    return high != other.high ? high < other.high : half_edge < other.half_edge;
  }
};

void number_edges(MeshEdges& e, std::size_t vertices) {
  const auto low = [&](std::uint32_t h) {
    const std::uint32_t a = e.from(h);
    const std::uint32_t b = e.to(h);
    return a == b ? MeshEdges::none : std::min(a, b);
  };
  std::vector<std::uint32_t> begin;
  deal(vertices, e.corners.size(), low, begin, e.edge_half_edges);
  e.edge_of.assign(e.corners.size(), MeshEdges::none);
  std::vector<Side> sides;
  for (std::uint32_t v = 0; v < vertices; ++v) {
    sides.clear();
    for (std::uint32_t i = begin[v]; i < begin[v + 1]; ++i) {
      const std::uint32_t h = e.edge_half_edges[i];
      sides.push_back({std::max(e.from(h), e.to(h)), h});
    }
    std::sort(sides.begin(), sides.end());
    for (std::uint32_t i = 0; i < sides.size(); ++i) {
      if (i == 0 || sides[i].high != sides[i - 1].high) {
        e.edge_begin.push_back(begin[v] + i);
        e.ends.push_back({v, sides[i].high});
      }
      e.edge_half_edges[begin[v] + i] = sides[i].half_edge;
      e.edge_of[sides[i].half_edge] = static_cast<std::uint32_t>(e.ends.size() - 1);
    }
  }
  e.edge_begin.push_back(static_cast<std::uint32_t>(e.edge_half_edges.size()));
}

/// Each edge at both its ends: as items 2 edge and 2 edge + 1, so that they come out ascending by edge.
void deal_edges(MeshEdges& e, std::size_t vertices) {
  e.vertex_edge_begin.assign(vertices + 1, 0);
  for (const MeshEdges::Ends& ends : e.ends) {
    ++e.vertex_edge_begin[ends.low + 1];
    ++e.vertex_edge_begin[ends.high + 1];
  }
  for (std::size_t v = 0; v < vertices; ++v) e.vertex_edge_begin[v + 1] += e.vertex_edge_begin[v];
  e.vertex_edges.resize(2 * e.ends.size());
  std::vector<std::uint32_t> at(e.vertex_edge_begin.begin(), e.vertex_edge_begin.end() - 1);
  for (std::uint32_t edge = 0; edge < e.ends.size(); ++edge) {
    e.vertex_edges[at[e.ends[edge].low]++] = edge;
    e.vertex_edges[at[e.ends[edge].high]++] = edge;
  }
}

} // namespace

Result<MeshEdges> mesh_edges(const PolygonSurface& surface) {
  if (const Result<void> fit = check_indices(surface); !fit) return tl::unexpected(fit.error());
  const std::size_t faces = face_count(surface);
  const std::size_t vertices = surface.vertices.size();
  MeshEdges e;
  e.face_begin.assign(surface.face_begin.begin(), surface.face_begin.end());
  if (e.face_begin.empty()) e.face_begin.push_back(0);
  e.corners.assign(surface.corners.begin(), surface.corners.end());
  e.face_of.resize(e.corners.size());
  for (std::uint32_t f = 0; f < faces; ++f) {
    for (std::uint32_t h = e.face_begin[f]; h < e.face_begin[f + 1]; ++h) e.face_of[h] = f;
  }
  number_edges(e, vertices);
  deal(
      vertices, e.corners.size(), [&](std::uint32_t h) { return e.corners[h]; }, e.vertex_begin,
      e.vertex_corners);
  deal_edges(e, vertices);
  return e;
}

std::uint32_t MeshEdges::find(std::uint32_t a, std::uint32_t b) const {
  if (a >= vertex_count() || b >= vertex_count()) return none;
  const Ends wanted{std::min(a, b), std::max(a, b)};
  const auto at = edges_at(a); // ascending by number, thus by ends
  const auto found =
      std::lower_bound(at.begin(), at.end(), wanted, [&](std::uint32_t edge, const Ends& w) {
        return ends[edge].low != w.low ? ends[edge].low < w.low : ends[edge].high < w.high;
      });
  return found != at.end() && ends[*found] == wanted ? *found : none;
}

std::int64_t MeshEdges::excess(std::size_t edge) const {
  std::int64_t sum = 0;
  for (const std::uint32_t h : half_edges(edge)) sum += ascends(h) ? 1 : -1;
  return sum;
}

bool is_closed(const MeshEdges& edges) {
  if (edges.edge_count() == 0) return false;
  for (std::size_t edge = 0; edge < edges.edge_count(); ++edge) {
    if (edges.excess(edge) != 0) return false;
  }
  return true;
}

} // namespace carom
