#include "carom/motion/polyhedral_parts.h"

namespace carom {

void PlacedParts::start(const Polyhedron& body, const Frame& frame, bool both_sides,
                        bool skip_internal) {
  body_ = &body;
  frame_ = frame;
  both_sides_ = both_sides;
  skip_internal_ = skip_internal;
  ++stamp_;
  vertex_slots_.resize(body.vertices().size());
  edge_slots_.resize(body.edges().size());
  polygon_slots_.resize(body.polygons().size());
  vertices_.clear();
  corners_.clear();
  vertex_ids_.clear();
  sides_.clear();
  vertex_collides_.clear();
  edges_.clear();
  polygons_.clear();
}

std::uint32_t PlacedParts::vertex(std::uint32_t id) {
  Slot& slot = vertex_slots_[id];
  if (slot.stamp == stamp_) return slot.number;
  slot = {stamp_, static_cast<std::uint32_t>(vertices_.size())};
  vertices_.push_back(frame_.to_world(body_->vertices()[id]));
  vertex_ids_.push_back(id);
  vertex_collides_.push_back(!skip_internal_ || body_->collides(id, both_sides_) ? 1 : 0);
  return slot.number;
}

std::uint32_t PlacedParts::edge(std::uint32_t id) {
  Slot& slot = edge_slots_[id];
  if (slot.stamp == stamp_) return slot.number;
  const PolyhedralEdge& own = body_->edges()[id];
  slot = {stamp_, static_cast<std::uint32_t>(edges_.size())};
  const std::uint32_t from = vertex(own.from);
  const std::uint32_t to = vertex(own.to);
  const bool collides = !skip_internal_ || Polyhedron::collides(own.kind, both_sides_);
  edges_.push_back({from, to, id, collides, own.length});
  return slot.number;
}

void PlacedParts::add_polygon(std::uint32_t id) {
  if (polygon_slots_[id].stamp == stamp_) return;
  polygon_slots_[id] = {stamp_, static_cast<std::uint32_t>(polygons_.size())};
  const PolyhedralPolygon& own = body_->polygons()[id];
  Polygon p;
  p.first = static_cast<std::uint32_t>(corners_.size());
  p.count = own.count;
  p.id = id;
  for (const std::uint32_t side : body_->sides(own))
    sides_.push_back(2 * edge(side / 2) + side % 2);
  for (const std::uint32_t c : body_->corners(own)) corners_.push_back(vertices_[vertex(c)]);
  // Through the placed corners: their mean, as it was fitted.
  p.plane.normal = frame_.direction_to_world(own.plane.normal);
  Vec3 sum;
  for (std::size_t i = p.first; i < corners_.size(); ++i) sum += corners_[i];
  p.plane.offset = dot(p.plane.normal, sum / static_cast<double>(p.count));
  polygons_.push_back(p);
}

void PlacedParts::add_everything() {
  for (std::uint32_t i = 0; i < body_->polygons().size(); ++i) add_polygon(i);
  for (const std::uint32_t e : body_->loose_edges()) add_loose_edge(e);
  for (const std::uint32_t v : body_->loose_vertices()) add_loose_vertex(v);
}

} // namespace carom
