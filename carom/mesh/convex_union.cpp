// The faces around a vertex, as far as they belong to the region, are met by turning from corner to corner. At each vertex of the polygons taken, those
// of them that are taken must be one run of the turn, of at most half a circle; else the vertex is inside the union, and the whole turn is taken. A
// turn that cannot be completed (the region ends there) shows that there is no convex union.
//
// A connected set of faces that passes at every vertex has a border without a reflex corner, and no hole, since a hole has reflex corners. That
// its outline goes around once is confirmed exactly at the end: a region that overlaps itself may go around twice.
#include "carom/mesh/convex_union.h"

#include "carom/geometry/convexity.h"
#include "carom/math/predicates.h"

#include <algorithm>

namespace carom {

ConvexUnions::ConvexUnions(std::span<const Vec3> vertices, const MeshEdges& edges,
                           const CoplanarRegions& regions)
    : vertices_(vertices), edges_(edges), regions_(regions),
      twin_(edges.corners.size(), MeshEdges::none), sets_(edges.face_count()),
      border_(edges.face_count()), stamp_(edges.face_count(), 0),
      leaving_(edges.vertex_count(), MeshEdges::none) {
  for (std::size_t e = 0; e < edges.edge_count(); ++e) {
    if (!edges.is_manifold(e) || edges.excess(e) != 0) continue;
    const auto pair = edges.half_edges(e);
    const std::uint32_t f = edges.face_of[pair[0]];
    const std::uint32_t g = edges.face_of[pair[1]];
    const bool same = regions.of_face[f] == regions.of_face[g];
    if (f == g || !same || regions.of_face[f] == CoplanarRegions::none) continue;
    twin_[pair[0]] = pair[1];
    twin_[pair[1]] = pair[0];
  }
  for (std::uint32_t f = 0; f < edges.face_count(); ++f) {
    for (std::uint32_t h = edges.face_begin[f]; h < edges.face_begin[f + 1]; ++h) {
      border_[f].push_back(h);
    }
  }
}

void ConvexUnions::take(std::uint32_t polygon) {
  if (stamp_[polygon] == now_) return;
  stamp_[polygon] = now_;
  members_.push_back(polygon);
  waiting_.insert(waiting_.end(), border_[polygon].begin(), border_[polygon].end());
}

bool ConvexUnions::take_all_around(std::uint32_t corner) {
  const std::size_t limit = edges_.corners_at(edges_.from(corner)).size();
  std::uint32_t c = corner;
  for (std::size_t i = 0; i <= limit; ++i) {
    take(polygon_of(edges_.face_of[c]));
    c = turn_left(c);
    if (c == corner) return true;
    if (c == MeshEdges::none) return false;
  }
  return false;
}

bool ConvexUnions::close_at(std::uint32_t corner) {
  const auto here = edges_.corners_at(edges_.from(corner));
  // To the right end of the run, then along it.
  std::uint32_t first = corner;
  for (std::size_t i = 0; i <= here.size(); ++i) {
    const std::uint32_t c = turn_right(first);
    if (c == MeshEdges::none || !taken(c)) break;
    first = c;
    if (c == corner) return true; // all around: inside
  }
  std::uint32_t last = first;
  std::size_t run = 1;
  for (std::uint32_t c = turn_left(last); c != MeshEdges::none && c != first && taken(c);
       c = turn_left(c)) {
    last = c;
    if (++run > here.size()) return false;
  }
  std::size_t all = 0;
  for (const std::uint32_t c : here) all += taken(c) ? 1 : 0;
  const FlatView& view = regions_.view[regions_.of_face[edges_.face_of[corner]]];
  const auto at = [&](std::uint32_t v) { return view(vertices_[v]); };
  const Vec2 middle = at(edges_.from(corner));
  const Vec2 begin = at(edges_.to(first));
  const Vec2 end = at(edges_.from(edges_.previous(last)));
  const int side = orient2d(middle, begin, end);
  const Vec2 to_begin = begin - middle;
  const Vec2 to_end = end - middle;
  // Straight on: exactly opposite directions. Both the same way would be no angle or a full turn.
  const bool straight = side == 0 && (to_begin.x * to_end.x < 0 || to_begin.y * to_end.y < 0);
  if (run == all && (side > 0 || straight)) return true;
  return take_all_around(corner);
}

std::optional<std::vector<std::uint32_t>> ConvexUnions::outline() {
  std::vector<std::uint32_t> sides;
  bool simple = true;
  for (const std::uint32_t p : members_) {
    for (const std::uint32_t h : border_[p]) {
      const std::uint32_t t = twin_[h];
      if (t != MeshEdges::none && taken(t)) continue;
      sides.push_back(h);
      std::uint32_t& leaving = leaving_[edges_.from(h)];
      simple = simple && leaving == MeshEdges::none; // else it passes a vertex twice
      leaving = h;
    }
  }
  std::vector<std::uint32_t> loop;
  if (simple && !sides.empty()) {
    const std::uint32_t first = *std::min_element(sides.begin(), sides.end());
    std::uint32_t h = first;
    do {
      loop.push_back(h);
      h = leaving_[edges_.to(h)];
    } while (h != first && h != MeshEdges::none && loop.size() <= sides.size());
    simple = h == first && loop.size() == sides.size();
  }
  for (const std::uint32_t h : sides) leaving_[edges_.from(h)] = MeshEdges::none;
  if (!simple || sides.empty()) return std::nullopt;
  return loop;
}

bool ConvexUnions::goes_around_once(std::span<const std::uint32_t> outline,
                                    const FlatView& view) const {
  std::vector<Vec2> polygon;
  for (const std::uint32_t h : outline) polygon.push_back(view(vertices_[edges_.from(h)]));
  const PolygonConvexity shape = convexity(polygon);
  return shape.convex() && shape.winding > 0;
}

bool ConvexUnions::is_convex(std::uint32_t polygon) const {
  const std::uint32_t region = regions_.of_face[polygon];
  return region != CoplanarRegions::none &&
         goes_around_once(border_[polygon], regions_.view[region]);
}

bool ConvexUnions::unite(std::span<const std::uint32_t> polygons) {
  ++now_;
  members_.clear();
  waiting_.clear();
  for (const std::uint32_t p : polygons) take(p);
  while (!waiting_.empty()) {
    const std::uint32_t corner = waiting_.back();
    waiting_.pop_back();
    if (!close_at(corner)) return false;
  }
  auto loop = outline();
  const FlatView& view = regions_.view[regions_.of_face[members_[0]]];
  if (!loop || !goes_around_once(*loop, view)) return false;
  for (const std::uint32_t p : members_) {
    sets_.join(members_[0], p);
    border_[p].clear();
  }
  border_[polygon_of(members_[0])] = std::move(*loop);
  return true;
}

} // namespace carom
