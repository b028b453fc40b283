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
  place_plane(p);
  polygons_.push_back(p);
}

/// Through the placed corners: their mean, as it was fitted.
void PlacedParts::place_plane(Polygon& p) const {
  p.plane.normal = frame_.direction_to_world(body_->polygons()[p.id].plane.normal);
  Vec3 sum;
  for (std::size_t i = p.first; i < p.first + p.count; ++i) sum += corners_[i];
  p.plane.offset = dot(p.plane.normal, sum / static_cast<double>(p.count));
}

void PlacedParts::add_everything() {
  const auto count = static_cast<std::uint32_t>(body_->vertices().size());
  vertices_.resize(count);
  vertex_ids_.resize(count);
  vertex_collides_.resize(count);
  for (std::uint32_t v = 0; v < count; ++v) {
    vertices_[v] = frame_.to_world(body_->vertices()[v]);
    vertex_ids_[v] = v;
    vertex_collides_[v] = !skip_internal_ || body_->collides(v, both_sides_) ? 1 : 0;
  }
  edges_.reserve(body_->edges().size());
  for (std::uint32_t e = 0; e < body_->edges().size(); ++e) {
    const PolyhedralEdge& own = body_->edges()[e];
    const bool collides = !skip_internal_ || Polyhedron::collides(own.kind, both_sides_);
    edges_.push_back({own.from, own.to, e, collides, own.length});
  }
  polygons_.reserve(body_->polygons().size());
  for (std::uint32_t i = 0; i < body_->polygons().size(); ++i) {
    const PolyhedralPolygon& own = body_->polygons()[i];
    for (const std::uint32_t c : body_->corners(own)) corners_.push_back(vertices_[c]);
    const auto sides = body_->sides(own);
    sides_.insert(sides_.end(), sides.begin(), sides.end());
    Polygon p{{}, own.first, own.count, i};
    place_plane(p);
    polygons_.push_back(p);
  }
}

} // namespace carom
