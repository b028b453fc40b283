// A sweep is a cast of the padded shape against each part whose box it passes and whose plane it reaches; the first contact ends it.
//
// Why the padding: its surface is round, so the first contact has one normal, and that one leads out of all parts there at once; an edge between two triangles of a floor has none but the floor's. And whatever is not met stays half a skin away, at
// whatever angle it is passed. From the contact the way goes back until the gap along the normal is a whole skin: the obstacle is convex and lies behind its plane there, so that holds for it from the start on, or from where the gap was less.
//
// A part that is nearer than the padding is no matter of casts: the direction that separates it from the shape itself decides. It is convex, so a way that does not go against that direction never gets nearer.
#include "carom/mover/surroundings.h"

#include "carom/geometry/closest_point.h"
#include "carom/geometry/fit_aabb.h"
#include "carom/geometry/overlap_box.h"
#include "carom/math/tolerance.h"
#include "carom/query/closest_point.h"
#include "carom/query/overlap.h"
#include "carom/query/shape_cast.h"
#include "carom/query/signed_distance.h"
#include "carom/shape/composite.h"
#include "carom/shape/support.h"
#include "carom/space/candidates.h"
#include "carom/space/space_overlap.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// A way within this sine of a plane runs along it.
constexpr double parallel_sine = 1e-9;
/// Faces that are flat to within this sine are flat; normals of curved contacts are known to less.
constexpr double flat_sine = 1e-6;
/// Relative to the coordinates: how far a contact's point may be off.
constexpr double point_error = 1e-9;
/// How many paddings beyond its end a way is looked at: what is met there at an angle of 30 degrees and more ends it a whole skin before.
constexpr double paddings_beyond = 2;
/// Of a way that may end anywhere before a contact: so much, and never at it.
constexpr double safe_share = 0.5;

Aabb grown(const Aabb& box, double by) {
  const Vec3 r{by, by, by};
  return {box.min - r, box.max + r};
}
bool contains(const Aabb& outer, const Aabb& inner) {
  return min(outer.min, inner.min) == outer.min && max(outer.max, inner.max) == outer.max;
}
Aabb swept(const Aabb& box, const Vec3& by) {
  return {min(box.min, box.min + by), max(box.max, box.max + by)};
}

} // namespace

void Surroundings::begin(const Space& space, const Mover& mover, const MoveInput& input) {
  space_ = &space;
  mover_ = &mover;
  input_ = &input;
  known_ = {};
  left_out_ = {};
  pass_overlaps_ = false;
}

void Surroundings::look_up(const Aabb& box) {
  if (contains(known_, box)) return;
  known_ = box;
  body_count_ = 0;
  parts_.clear();
  (void)boxes_in(*space_, box, found_, input_->among); // sorted: the same for any partition
  for (const ObjectId id : found_) {
    const SpaceObject& object = *space_->find(id);
    const auto* compound = body_of<Compound>(object.shape);
    if (!compound) {
      add_body(object.shape, object.pose, id, 0, 0);
      continue;
    }
    PartShape parts(object.shape, object.pose);
    const PartTree tree(object.shape);
    const Aabb local = grown(placed_aabb(box, inverse(object.pose).frame()), mover_->padding());
    waiting_.assign(1, tree.whole());
    std::vector<std::uint32_t> numbers;
    PartTree::Children children;
    while (!waiting_.empty()) {
      const PartGroup next = waiting_.back();
      waiting_.pop_back();
      if (!overlaps(next.box, local)) continue;
      if (next.single) {
        numbers.push_back(static_cast<std::uint32_t>(next.place));
        continue;
      }
      const std::size_t count = tree.open(next, children);
      waiting_.insert(waiting_.end(), children.begin(),
                      children.begin() + static_cast<std::ptrdiff_t>(count));
    }
    for (const std::uint32_t number : numbers) {
      parts.take(number);
      add_body(parts.shape(), parts.pose(), id, number, compound->parts()[number].material);
    }
  }
}

void Surroundings::add_body(const Shape& shape, const Pose& pose, ObjectId id, std::uint32_t part,
                            std::uint32_t material) {
  if (body_count_ == bodies_.size()) bodies_.push_back(nullptr);
  std::unique_ptr<Body>& body = bodies_[body_count_];
  if (!body || !(body->shape == shape) || !(body->pose == pose))
    body = std::make_unique<Body>(shape, pose);
  body->id = id;
  body->compound_part = part;
  body->compound_material = material;
  const auto number = static_cast<std::uint32_t>(body_count_++);
  // Rounding of the boxes must not leave out what touches the border.
  const double slack = 64 * tolerance::epsilon *
                       (std::max(max_abs(known_.min), max_abs(known_.max)) +
                        max_abs(pose.position) + (shape.bounded() ? shape.size() : 0));
  add_parts(number,
            shape.convex() ? known_ : grown(placed_aabb(known_, inverse(pose).frame()), slack));
}

void Surroundings::add_parts(std::uint32_t body, const Aabb& box) {
  const Shape& shape = bodies_[body]->shape;
  const PartTree tree(shape);
  if (shape.convex()) {
    add_part(body, tree.whole());
    return;
  }
  waiting_.assign(1, tree.whole());
  PartTree::Children children;
  while (!waiting_.empty()) {
    const PartGroup next = waiting_.back();
    waiting_.pop_back();
    const std::size_t count = tree.open(next, children);
    for (std::size_t i = 0; i < count; ++i) {
      if (!overlaps(children[i].box, box)) continue;
      if (children[i].single) {
        add_part(body, children[i]);
      } else {
        waiting_.push_back(children[i]);
      }
    }
  }
}

void Surroundings::add_part(std::uint32_t body, const PartGroup& single) {
  Body& b = *bodies_[body];
  Part part{{}, {}, 0, 0, body, static_cast<std::uint32_t>(single.place)};
  take(part);
  const Shape& shape = b.elements.shape();
  if (const auto* t = std::get_if<Triangle>(&shape.core()); t && !b.shape.convex()) {
    const Vec3 p = b.frame.to_world(t->a), q = b.frame.to_world(t->b), r = b.frame.to_world(t->c);
    const double size = std::max({max_abs(p), max_abs(q), max_abs(r)});
    part.box = grown({min(min(p, q), r), max(max(p, q), r)},
                     shape.rounding() + 16 * tolerance::epsilon * (size + shape.size()));
    // The normal need not be exact: that of a sliver may be any. Where the corners are along it is what counts.
    part.normal = normalized_or(cross(q - p, r - p), {});
    const double at_p = dot(part.normal, p), at_q = dot(part.normal, q), at_r = dot(part.normal, r);
    part.low = std::min({at_p, at_q, at_r}) - shape.rounding();
    part.high = std::max({at_p, at_q, at_r}) + shape.rounding();
  } else {
    part.box = bounds(shape, b.elements.pose());
  }
  if (overlaps(part.box, known_)) parts_.push_back(part);
}

PartId Surroundings::id_of(const Part& part) const {
  Body& body = *bodies_[part.body];
  body.elements.take(part.number);
  PartId id = body.elements.id();
  id.part = body.compound_part;
  const bool triangles = body_of<TriangleMesh>(body.shape) || body_of<HeightField>(body.shape);
  if (!triangles) id.material = body.compound_material;
  return id;
}

/// Whether the padded shape stays on one side of a triangle's plane all the way.
bool Surroundings::plane_excludes(const Part& part, const Frame& frame,
                                  const Vec3& translation) const {
  if (part.normal == Vec3{}) return false;
  const Shape& shape = mover_->padded();
  const Vec3 local = frame.direction_to_local(part.normal);
  const double at = dot(part.normal, frame.origin);
  const double along = dot(part.normal, translation);
  const double slack = 64 * tolerance::epsilon *
                       (max_abs(part.box.min) + max_abs(part.box.max) + max_abs(frame.origin));
  if (at > part.high) {
    const double lowest = at + dot(local, support_point(shape, -local));
    return lowest + std::min(along, 0.0) > part.high + slack;
  }
  const double highest = at + dot(local, support_point(shape, local));
  return highest + std::max(along, 0.0) < part.low - slack;
}

bool Surroundings::is_crowded(const Pose& pose) {
  const Aabb box = bounds(mover_->padded(), pose);
  look_up(box);
  const Frame frame = pose.frame();
  for (const Part& part : parts_) {
    if (!overlaps(part.box, box) || bodies_[part.body]->id == left_out_) continue;
    if (plane_excludes(part, frame, {})) continue;
    take(part);
    const PartShape& it = bodies_[part.body]->elements;
    if (overlap(mover_->padded(), pose, it.shape(), it.pose())) return true;
  }
  return false;
}

SweepEnd Surroundings::sweep(const Pose& pose, const Vec3& translation) {
  SweepEnd end;
  const double length = carom::length(translation);
  if (!(length > 0)) return end;
  const double longer = 1 + paddings_beyond * mover_->padding() / length;
  Way way{pose, translation * longer, translation / length, length, 1};
  const Aabb start = bounds(mover_->padded(), pose);
  look_up(swept(start, way.translation));
  const Frame frame = pose.frame();
  Aabb box = swept(start, way.translation);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    if (!overlaps(part.box, box) || bodies_[part.body]->id == left_out_) continue;
    if (plane_excludes(part, frame, way.translation * way.max_t)) continue;
    const double before = way.max_t;
    cast(i, way, end);
    if (way.max_t < before) box = swept(start, way.translation * way.max_t);
    if (end.hit && way.max_t == 0) break;
  }
  if (end.hit) end.part = id_of(parts_[static_cast<std::size_t>(end.part.element)]);
  return end;
}

/// `gone` is how far the way may be gone; negative: the obstacle is too near by so much. `end.part` holds the number in our list until the sweep is over.
void Surroundings::end_at(std::size_t index, Way& way, SweepEnd& end, double t, double gone,
                          const Vec3& normal, const Vec3& point) const {
  if (!(gone < way.length) || (end.hit && !(t < way.max_t))) return;
  way.max_t = t;
  end = {true,
         std::max(0.0, gone / way.length),
         std::max(0.0, -gone),
         normal,
         point,
         bodies_[parts_[index].body]->id,
         {}};
  end.part.element = static_cast<std::uint32_t>(index);
}

void Surroundings::cast(std::size_t index, Way& way, SweepEnd& end) {
  const Part& part = parts_[index];
  take(part);
  const PartShape& it = bodies_[part.body]->elements;
  const ShapeCast c = shape_cast(mover_->padded(), way.pose, way.translation, it.shape(), it.pose(),
                                 {.max_t = way.max_t});
  if (!c.hit) return;
  if (c.initial_overlap || c.t == 0) {
    cast_near(index, way, end);
    return;
  }
  const double cosine = dot(c.normal, way.direction);
  if (!(cosine > parallel_sine)) return; // a touch in passing, half a skin away
  const double gone = c.t * length(way.translation) - mover_->padding() / cosine;
  end_at(index, way, end, c.t, gone, -c.normal, c.on_b);
}

void Surroundings::cast_near(std::size_t index, Way& way, SweepEnd& end) {
  const Part& part = parts_[index];
  const PartShape& it = bodies_[part.body]->elements;
  const SignedDistance s = signed_distance(mover_->shape(), way.pose, it.shape(), it.pose());
  const bool is_overlap = !(s.lower_bound > 0);
  if ((is_overlap && pass_overlaps_) || !(dot(s.normal, way.direction) > parallel_sine)) return;
  if (leads_out(s.on_b, -s.normal, index)) {
    end_at(index, way, end, 0, 0, -s.normal, s.on_b);
    return;
  }
  // An edge within a surface: its neighbours say what to do. But not through it.
  if (is_overlap) return;
  take(part);
  const ShapeCast c = shape_cast(mover_->shape(), way.pose, way.translation, it.shape(), it.pose(),
                                 {.max_t = way.max_t});
  if (!c.hit) return;
  end_at(index, way, end, safe_share * c.t, safe_share * c.t * length(way.translation), -c.normal,
         c.on_b);
}

bool Surroundings::leads_out(const Vec3& p, const Vec3& d, std::size_t except) {
  const double within = point_error * (mover_->padded().size() + max_abs(p));
  const Aabb here = grown({p, p}, within);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    if (i == except || !overlaps(part.box, here) || bodies_[part.body]->id == left_out_) continue;
    take(part);
    const PartShape& it = bodies_[part.body]->elements;
    const Frame frame = it.pose().frame();
    if (const auto* half = std::get_if<HalfSpace>(&it.shape().core())) {
      const Vec3 out = frame.direction_to_world(normalized(half->normal));
      if (max_abs(out - d) > flat_sine) return false;
      continue;
    }
    const Vec3 farthest =
        frame.to_world(support_point(it.shape(), frame.direction_to_local(d))) - p;
    if (dot(farthest, d) <= flat_sine * max_abs(farthest) + within) continue;
    if (closest_point(p, it.shape(), it.pose()).value <= within) return false;
  }
  return true;
}

} // namespace carom
