// Triangles that share an edge and a plane belong to one face: a flood over such edges finds the faces. The remaining triangle edges
// are the rims of the faces. Every face at a vertex has one rim edge leaving it, so the number of rim edges that leave a vertex is that
// of the faces around it: 0 inside a face, 2 inside an edge of the hull, 3 and more at a vertex of the hull.
//
// A side of a face may run through vertices of the second kind. All its pieces are given its number, and the twin of a piece then knows
// the number of the twin of the side.
#include "carom/mesh/hull_faces.h"

#include <algorithm>

namespace carom {
namespace {

using hull_surface::Facet;
using hull_surface::none;
using hull_surface::Surface;

constexpr std::uint32_t next3(std::uint32_t i) { return i == 2 ? 0 : i + 1; }

class Merger {
public:
  explicit Merger(const Surface& surface) : surface_(surface) {}

  ConvexHull run() {
    hull_.dimension = 3;
    find_rims();
    group_triangles();
    number_vertices();
    order_faces();
    write_faces();
    link_twins();
    link_vertices(hull_);
    return std::move(hull_);
  }

private:
  // An edge of a triangle: 3 facet + i.
  [[nodiscard]] const Facet& facet_of(std::uint32_t edge) const {
    return surface_.facets[edge / 3];
  }
  [[nodiscard]] std::uint32_t origin_of(std::uint32_t edge) const {
    return facet_of(edge).vertex[edge % 3];
  }
  [[nodiscard]] bool is_rim(std::uint32_t edge) const {
    return (rim_[edge / 3] >> edge % 3 & 1) != 0;
  }
  [[nodiscard]] std::uint32_t twin_of(std::uint32_t edge) const {
    const std::uint32_t other = facet_of(edge).neighbor[edge % 3];
    const auto& v = surface_.facets[other].vertex;
    const std::uint32_t target = facet_of(edge).vertex[next3(edge % 3)];
    return 3 * other + (v[0] == target ? 0u : v[1] == target ? 1u : 2u);
  }
  static std::uint32_t next_in_triangle(std::uint32_t edge) {
    return edge % 3 == 2 ? edge - 2 : edge + 1;
  }
  /// The rim edge after this one around its face.
  [[nodiscard]] std::uint32_t next_on_rim(std::uint32_t edge) const {
    edge = next_in_triangle(edge);
    while (!is_rim(edge)) edge = next_in_triangle(twin_of(edge));
    return edge;
  }
  /// The same, passing over vertices that are no corners.
  [[nodiscard]] std::uint32_t next_side(std::uint32_t edge) const {
    do {
      edge = next_on_rim(edge);
    } while (number_[origin_of(edge)] == none);
    return edge;
  }
  template<class Body>
  void for_each_rim_edge(Body&& body) const {
    for (std::uint32_t f = 0; f < surface_.facets.size(); ++f) {
      if (surface_.facets[f].vertex[0] == none) continue;
      for (std::uint32_t i = 0; i < 3; ++i) {
        if (is_rim(3 * f + i)) body(3 * f + i);
      }
    }
  }

  void find_rims() {
    rim_.assign(surface_.facets.size(), 0);
    for (std::uint32_t f = 0; f < surface_.facets.size(); ++f) {
      if (surface_.facets[f].vertex[0] == none) continue;
      for (std::uint32_t i = 0; i < 3; ++i) {
        if (surface_.facets[f].neighbor[i] < f || coplanar(3 * f + i)) continue;
        const std::uint32_t twin = twin_of(3 * f + i);
        rim_[f] = static_cast<std::uint8_t>(rim_[f] | 1u << i);
        rim_[twin / 3] = static_cast<std::uint8_t>(rim_[twin / 3] | 1u << twin % 3);
      }
    }
  }

  void group_triangles() {
    group_.assign(surface_.facets.size(), none);
    std::vector<std::uint32_t> open;
    for (std::uint32_t first = 0; first < surface_.facets.size(); ++first) {
      if (surface_.facets[first].vertex[0] == none || group_[first] != none) continue;
      group_[first] = first;
      open.assign(1, first);
      while (!open.empty()) {
        const std::uint32_t at = open.back();
        open.pop_back();
        for (std::uint32_t i = 0; i < 3; ++i) {
          const std::uint32_t other = surface_.facets[at].neighbor[i];
          if (is_rim(3 * at + i) || group_[other] != none) continue;
          group_[other] = first;
          open.push_back(other);
        }
      }
    }
  }
  [[nodiscard]] bool coplanar(std::uint32_t edge) const {
    const std::uint32_t apex = origin_of(next_in_triangle(next_in_triangle(twin_of(edge))));
    return hull_surface::side_of(surface_, facet_of(edge), surface_.vertices[apex]) == 0;
  }

  void number_vertices() {
    std::vector<std::uint8_t> rims(surface_.vertices.size(), 0);
    for_each_rim_edge([&](std::uint32_t edge) {
      std::uint8_t& count = rims[origin_of(edge)];
      if (count < 3) ++count;
    });
    std::vector<std::uint32_t> by_source(
        std::size_t{*std::max_element(surface_.source.begin(), surface_.source.end())} + 1, none);
    for (std::uint32_t v = 0; v < surface_.vertices.size(); ++v) {
      if (rims[v] == 3) by_source[surface_.source[v]] = v;
    }
    number_.assign(surface_.vertices.size(), none);
    for (const std::uint32_t v : by_source) {
      if (v == none) continue;
      number_[v] = static_cast<std::uint32_t>(hull_.vertices.size());
      hull_.vertices.push_back(surface_.vertices[v]);
      hull_.source.push_back(surface_.source[v]);
    }
  }

  /// The side with which each face begins.
  struct Start {
    std::uint32_t first = none, second = none; ///< its ends, by their numbers
    std::uint32_t edge = none;
  };

  void order_faces() {
    std::vector<Start> lowest(surface_.facets.size());
    for_each_rim_edge([&](std::uint32_t edge) {
      Start& start = lowest[group_[edge / 3]];
      const std::uint32_t first = number_[origin_of(edge)];
      if (first < start.first) start = {first, none, edge};
    });
    for (Start& start : lowest) {
      if (start.edge == none) continue;
      start.second = number_[origin_of(next_side(start.edge))];
    }
    // A counting sort by the first corner; the few faces that share it are sorted by the second.
    std::vector<std::uint32_t> place(hull_.vertices.size() + 1, 0);
    for (const Start& start : lowest) {
      if (start.edge != none) ++place[start.first + 1];
    }
    for (std::size_t i = 1; i < place.size(); ++i) place[i] += place[i - 1];
    starts_.resize(place.back());
    const std::vector<std::uint32_t> begin = place;
    for (const Start& start : lowest) {
      if (start.edge != none) starts_[place[start.first]++] = start;
    }
    const auto by_second = [](const Start& a, const Start& b) { return a.second < b.second; };
    for (std::size_t v = 0; v + 1 < begin.size(); ++v) {
      std::sort(starts_.begin() + begin[v], starts_.begin() + begin[v + 1], by_second);
    }
  }

  void write_faces() {
    side_of_edge_.assign(3 * surface_.facets.size(), none);
    for (std::uint32_t f = 0; f < starts_.size(); ++f) {
      hull_.face_begin.push_back(static_cast<std::uint32_t>(hull_.origin.size()));
      std::uint32_t edge = starts_[f].edge;
      do {
        if (const std::uint32_t v = number_[origin_of(edge)]; v != none) {
          hull_.origin.push_back(v);
          hull_.face.push_back(f);
        }
        side_of_edge_[edge] = static_cast<std::uint32_t>(hull_.origin.size() - 1);
        edge = next_on_rim(edge);
      } while (edge != starts_[f].edge);
    }
    hull_.face_begin.push_back(static_cast<std::uint32_t>(hull_.origin.size()));
  }

  void link_twins() {
    hull_.twin.resize(hull_.origin.size());
    for_each_rim_edge([&](std::uint32_t edge) {
      if (facet_of(edge).neighbor[edge % 3] < edge / 3) return;
      const std::uint32_t side = side_of_edge_[edge];
      const std::uint32_t back = side_of_edge_[twin_of(edge)];
      hull_.twin[side] = back;
      hull_.twin[back] = side;
    });
  }

  const Surface& surface_;
  ConvexHull hull_;
  std::vector<std::uint8_t> rim_;    ///< per triangle: bit i where edge i is on the rim of its face
  std::vector<std::uint32_t> group_; ///< per triangle: the first triangle of its face
  std::vector<std::uint32_t> number_;       ///< per vertex: its number in the hull, or none
  std::vector<Start> starts_;               ///< the faces in order
  std::vector<std::uint32_t> side_of_edge_; ///< per rim edge: the half-edge that it is a piece of
};

} // namespace

void link_vertices(ConvexHull& hull) {
  hull.outgoing.assign(hull.vertices.size(), ConvexHull::none);
  for (auto h = static_cast<std::uint32_t>(hull.origin.size()); h-- > 0;) {
    hull.outgoing[hull.origin[h]] = h;
  }
}

ConvexHull hull_faces(const Surface& surface) { return Merger(surface).run(); }

ConvexHull flat_hull(std::vector<Vec3> corners, std::vector<std::uint32_t> source) {
  ConvexHull hull;
  const auto n = static_cast<std::uint32_t>(corners.size());
  hull.dimension = 2;
  hull.vertices = std::move(corners);
  hull.source = std::move(source);
  hull.face_begin = {0, n, 2 * n};
  hull.face.assign(n, 0);
  hull.face.resize(std::size_t{2} * n, 1);
  for (std::uint32_t i = 0; i < n; ++i) hull.origin.push_back(i);
  for (std::uint32_t i = 0; i < n; ++i) hull.origin.push_back(i == 0 ? 0 : n - i);
  // Side i runs from i to i + 1; the one back leaves i + 1, which is side n - 1 - i of the other face.
  for (std::uint32_t i = 0; i < 2 * n; ++i) hull.twin.push_back(2 * n - 1 - i);
  link_vertices(hull);
  return hull;
}

} // namespace carom
