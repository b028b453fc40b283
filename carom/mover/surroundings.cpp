// Which objects, then which of their parts.
#include "carom/mover/surroundings.h"

#include "carom/geometry/overlap_box.h"
#include "carom/math/tolerance.h"
#include "carom/mover/boxes.h"
#include "carom/shape/composite.h"
#include "carom/shape/support.h"
#include "carom/space/space_overlap.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// Parts are looked up in a box larger than needed by this share of its size on each side: so they serve for some steps.
constexpr double room_share = 0.25;

/// A box in the frame that holds all of this one; `size` is of the coordinates there.
Aabb to_local(const Aabb& box, const Frame& frame, double size) {
  const Vec3 half = box.half();
  const Mat3& m = frame.basis;
  const Vec3 center = frame.to_local(box.center());
  const Vec3 reach{dot(abs(m.x), half), dot(abs(m.y), half), dot(abs(m.z), half)};
  const double slack =
      64 * tolerance::epsilon *
      (size + max_abs(frame.origin) + std::max(max_abs(box.min), max_abs(box.max)));
  return grown({center - reach, center + reach}, slack);
}

} // namespace

void Surroundings::begin(const Space& space, const Mover& mover, const Quat& rotation,
                         const MoveInput& input) {
  space_ = &space;
  mover_ = &mover;
  input_ = &input;
  known_ = {};
  left_out_ = {};
  pass_overlaps_ = false;
  if (box_shape_ == mover.padded().id() && box_rotation_ == rotation) return;
  box_shape_ = mover.padded().id();
  box_rotation_ = rotation;
  box_at_origin_ = bounds(mover.padded(), {rotation, {}});
}

Aabb Surroundings::padded_box(const Pose& pose) const {
  const Aabb box{box_at_origin_.min + pose.position, box_at_origin_.max + pose.position};
  return grown(box, 4 * tolerance::epsilon * (max_abs(pose.position) + mover_->padded().size()));
}

void Surroundings::look_up(const Aabb& box) {
  if (contains(known_, box)) return;
  known_ = box;
  find_bodies(box);
  around_.clear();
  for (std::size_t i = 0; i < body_count_; ++i)
    for (const Part& part : bodies_[i]->parts)
      if (overlaps(part.box, box)) around_.push_back(&part);
}

void Surroundings::find_bodies(const Aabb& box) {
  body_count_ = 0;
  (void)boxes_in(*space_, box, found_, input_->among); // sorted: the same for any partition
  for (const ObjectId id : found_) {
    const SpaceObject& object = *space_->find(id);
    if (body_of<Compound>(object.shape)) {
      find_compound_parts(object, id, box);
    } else {
      add_body(object.shape, object.pose, id, 0, 0, box);
    }
  }
}

void Surroundings::find_compound_parts(const SpaceObject& object, ObjectId id, const Aabb& box) {
  const auto& compound = *body_of<Compound>(object.shape);
  PartShape parts(object.shape, object.pose);
  const PartTree tree(object.shape);
  const Aabb local = to_local(box, object.pose.frame(), object.shape.size());
  waiting_.assign(1, tree.whole());
  PartTree::Children children;
  while (!waiting_.empty()) {
    const PartGroup next = waiting_.back();
    waiting_.pop_back();
    if (!overlaps(next.box, local)) continue;
    if (!next.single) {
      const std::size_t count = tree.open(next, children);
      waiting_.insert(waiting_.end(), children.begin(),
                      children.begin() + static_cast<std::ptrdiff_t>(count));
      continue;
    }
    const auto number = static_cast<std::uint32_t>(next.place);
    parts.take(number);
    add_body(parts.shape(), parts.pose(), id, number, compound.parts()[number].material, box);
  }
}

void Surroundings::add_body(const Shape& shape, const Pose& pose, ObjectId id, std::uint32_t part,
                            std::uint32_t material, const Aabb& box) {
  if (body_count_ == bodies_.size()) bodies_.push_back(nullptr);
  const auto number = static_cast<std::uint32_t>(body_count_++);
  std::unique_ptr<Body>& body = bodies_[number];
  if (!body || !(body->shape == shape) || !(body->pose == pose))
    body = std::make_unique<Body>(shape, pose);
  body->id = id;
  body->compound_part = part;
  body->compound_material = material;
  if (contains(body->known, box)) return;
  body->known = grown(box, room_share * max_abs(box.max - box.min));
  find_parts(*body, number);
}

void Surroundings::find_parts(Body& body, std::uint32_t number) {
  body.parts.clear();
  const PartTree tree(body.shape);
  if (body.shape.convex()) {
    add_part(body, number, tree.whole());
    return;
  }
  const Aabb box = to_local(body.known, body.frame, body.shape.size());
  // One list for all trees: a compound's walk may be waiting in it, too.
  const std::size_t others = waiting_.size();
  waiting_.push_back(tree.whole());
  PartTree::Children children;
  while (waiting_.size() > others) {
    const PartGroup next = waiting_.back();
    waiting_.pop_back();
    const std::size_t count = tree.open(next, children);
    for (std::size_t i = 0; i < count; ++i) {
      if (!overlaps(children[i].box, box)) continue;
      if (children[i].single) {
        add_part(body, number, children[i]);
      } else {
        waiting_.push_back(children[i]);
      }
    }
  }
}

void Surroundings::add_part(Body& body, std::uint32_t number, const PartGroup& single) {
  Part part{};
  part.body = number;
  part.number = static_cast<std::uint32_t>(single.place);
  body.elements.take(part.number);
  const Shape& shape = body.elements.shape();
  if (const auto* t = std::get_if<Triangle>(&shape.core()); t && !body.shape.convex()) {
    const Vec3 p = body.frame.to_world(t->a), q = body.frame.to_world(t->b),
               r = body.frame.to_world(t->c);
    const double size = std::max({max_abs(p), max_abs(q), max_abs(r)});
    part.box = grown({min(min(p, q), r), max(max(p, q), r)},
                     shape.rounding() + 16 * tolerance::epsilon * (size + shape.size()));
    part.corners = {p, q, r};
    // The normal need not be exact: that of a sliver may be any. Where the corners are along it is what counts.
    part.normal = normalized_or(cross(q - p, r - p), {});
    const double at_p = dot(part.normal, p), at_q = dot(part.normal, q), at_r = dot(part.normal, r);
    part.low = std::min({at_p, at_q, at_r}) - shape.rounding();
    part.high = std::max({at_p, at_q, at_r}) + shape.rounding();
  } else {
    part.box = bounds(shape, body.elements.pose());
  }
  body.parts.push_back(part);
}

void Surroundings::find_candidates(const Aabb& box) {
  candidates_.clear();
  for (const Part* part : around_)
    if (overlaps(part->box, box) && !(bodies_[part->body]->id == left_out_))
      candidates_.push_back(part);
}

const PartShape& Surroundings::take(const Part& part) {
  PartShape& elements = bodies_[part.body]->elements;
  elements.take(part.number);
  return elements;
}

PartId Surroundings::id_of(const Part& part) const {
  const Body& body = *bodies_[part.body];
  PartId id{body.shape.convex() ? PartId::none : part.number, body.compound_part,
            body.compound_material};
  if (const auto* mesh = body_of<TriangleMesh>(body.shape))
    id.material = mesh->material(part.number);
  if (const auto* field = body_of<HeightField>(body.shape))
    id.material = field->material(part.number);
  return id;
}

} // namespace carom
