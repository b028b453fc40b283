// A sweep is a cast of the padded shape against each part whose box it passes and whose plane it reaches; the first contact ends it.
//
// Why the padding: its surface is round, so the first contact has one normal, and that one leads out of all parts there at once; an edge between two triangles of a floor has none but the floor's. And whatever is not met stays half a skin away, at
// whatever angle it is passed. From the contact the way goes back until the gap along the normal is a whole skin: the obstacle is convex and lies behind its plane there, so that holds for it from the start on, or from where the gap was less.
//
// A part that is nearer than the padding is no matter of casts: the direction that separates it from the shape itself decides. It is convex, so a way that does not go against that direction never gets nearer.
#include "carom/mover/surroundings.h"

#include "carom/geometry/closest_point.h"
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
/// Parts are looked up in a box larger than needed by this share of its size on each side: so they serve for some steps.
constexpr double room_share = 0.25;
/// Of a way that may end anywhere before a contact: so much, and never at it.
constexpr double safe_share = 0.5;

Aabb grown(const Aabb& box, double by) {
  const Vec3 r{by, by, by};
  return {box.min - r, box.max + r};
}
bool contains(const Aabb& outer, const Aabb& inner) {
  return min(outer.min, inner.min) == outer.min && max(outer.max, inner.max) == outer.max;
}
/// Whether a part that p is of, to within `within`, reaches beyond the plane through p at right angles to d.
bool convex_rises(const PartShape& part, const Vec3& p, const Vec3& d, double within) {
  const Shape& shape = part.shape();
  const Frame frame = part.pose().frame();
  if (const auto* half = std::get_if<HalfSpace>(&shape.core()))
    return max_abs(frame.direction_to_world(normalized(half->normal)) - d) > flat_sine;
  const Vec3 farthest = frame.to_world(support_point(shape, frame.direction_to_local(d))) - p;
  return dot(farthest, d) > flat_sine * max_abs(farthest) + within &&
         closest_point(p, shape, part.pose()).value <= within;
}
/// The same for a triangle, without the proof that a query would give.
bool triangle_rises(const std::array<Vec3, 3>& corners, double rounding, const Vec3& p,
                    const Vec3& d, double within) {
  const Vec3 core = p - d * rounding;
  const Vec3 a = corners[0] - core, b = corners[1] - core, c = corners[2] - core;
  const double reach = std::max({dot(a, d), dot(b, d), dot(c, d)});
  const double size = std::max({max_abs(a), max_abs(b), max_abs(c)});
  const Triangle triangle{corners[0], corners[1], corners[2]};
  return reach > flat_sine * size + within &&
         closest_point(p, triangle).distance <= rounding + within;
}
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
Aabb swept(const Aabb& box, const Vec3& by) {
  return {min(box.min, box.min + by), max(box.max, box.max + by)};
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
  for (std::size_t i = 0; i < body_count_; ++i) {
    const Body& body = *bodies_[i];
    if (body.id == left_out_) continue;
    for (const Part& part : body.parts)
      if (overlaps(part.box, box)) candidates_.push_back(&part);
  }
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

Surroundings::Facing Surroundings::facing(const Part& part, const Frame& frame) const {
  Facing f{&part, part.normal != Vec3{}, {}, {}, 0, 0};
  if (!f.flat) return f;
  const bool above = dot(part.normal, frame.origin) > part.high;
  f.normal = above ? part.normal : -part.normal;
  const Vec3 toward = frame.direction_to_local(-f.normal);
  f.tip = frame.to_world(support_point(mover_->padded(), toward));
  f.height = dot(f.normal, f.tip) - (above ? part.high : -part.low);
  f.slack = 64 * tolerance::epsilon *
            (max_abs(part.box.min) + max_abs(part.box.max) + max_abs(frame.origin));
  return f;
}

/// Whether the padded shape stays on one side of a triangle's plane all the way.
bool Surroundings::plane_excludes(const Facing& f, const Vec3& translation) {
  return f.flat && f.height + std::min(dot(f.normal, translation), 0.0) > f.slack;
}

/// The same for the plane that a ball would have: from the triangle's point that is nearest to the middle of the rounding that faces it.
bool Surroundings::nearest_excludes(const Facing& f, const Way& way) const {
  if (!f.flat) return false;
  const Shape& shape = mover_->padded();
  const auto& c = f.part->corners;
  const Vec3 middle = f.tip + f.normal * shape.rounding();
  const Vec3 axis =
      normalized_or(middle - closest_point(middle, Triangle{c[0], c[1], c[2]}).point, {});
  if (axis == Vec3{}) return false;
  const Vec3 toward = way.frame.direction_to_local(-axis);
  const double lowest = dot(axis, way.frame.to_world(support_point(shape, toward)));
  const double along = dot(axis, way.translation) * way.max_t;
  const double highest = std::max({dot(axis, c[0]), dot(axis, c[1]), dot(axis, c[2])});
  return lowest + std::min(along, 0.0) >
         highest + bodies_[f.part->body]->shape.rounding() + f.slack;
}

/// Where the point of the padded shape that reaches farthest toward a triangle's plane meets it within the triangle: that is the first contact, for the plane is not met before. False where it is not seen so easily.
bool Surroundings::meets_middle(const Facing& f, Way& way, SweepEnd& end) {
  const double speed = -dot(f.normal, way.direction);
  if (!f.flat || !(f.height > 0) || !(speed > parallel_sine)) return false;
  const double gone = f.height / speed;
  if (!(gone <= way.longer)) return false;
  const Part& part = *f.part;
  const Vec3 at = f.tip + way.direction * gone;
  const double rounding = bodies_[part.body]->shape.rounding();
  const Vec3 p = at - f.normal * rounding;
  const double room = flat_sine * max_abs(part.box.max - part.box.min);
  if (!(part.high - part.low <= 2 * rounding + room)) return false; // a sliver: it has no normal
  // Well within: on the inner side of all edges by more than rounding.
  const auto& c = part.corners;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 edge = c[(i + 1) % 3] - c[i];
    const double side = dot(cross(part.normal, edge), p - c[i]);
    if (!(side > room * max_abs(edge))) return false;
  }
  end_at(part, way, end, gone / way.longer, gone - mover_->padding() / speed, f.normal, at);
  return true;
}

bool Surroundings::is_crowded(const Pose& pose) {
  const Aabb box = padded_box(pose);
  look_up(box);
  find_candidates(box);
  const Frame frame = pose.frame();
  return std::any_of(candidates_.begin(), candidates_.end(), [&](const Part* part) {
    if (plane_excludes(facing(*part, frame), {})) return false;
    const PartShape& it = take(*part);
    return overlap(mover_->padded(), pose, it.shape(), it.pose()).hit;
  });
}

SweepEnd Surroundings::sweep(const Pose& pose, const Vec3& translation) {
  SweepEnd end;
  const double length = carom::length(translation);
  if (!(length > 0)) return end;
  const double longer = length + paddings_beyond * mover_->padding();
  Way way{pose,   pose.frame(), translation * (longer / length), translation / length,
          length, longer};
  const Aabb start = padded_box(pose);
  Aabb box = swept(start, way.translation);
  look_up(box);
  find_candidates(box);
  // First what a plane answers: then less is left of the way for the others.
  facing_.clear();
  for (const Part* part : candidates_) {
    const Facing f = facing(*part, way.frame);
    if (!plane_excludes(f, way.translation) && !meets_middle(f, way, end)) facing_.push_back(f);
  }
  for (const Facing& f : facing_) {
    if (plane_excludes(f, way.translation * way.max_t)) continue;
    box = swept(start, way.translation * way.max_t);
    if (!overlaps(f.part->box, box) || nearest_excludes(f, way)) continue;
    cast(*f.part, way, end);
    if (end.hit && way.max_t == 0) break;
  }
  if (end.hit) end.part = id_of(*hit_part_);
  return end;
}

/// `gone` is how far the way may be gone; negative: the obstacle is too near by so much.
void Surroundings::end_at(const Part& part, Way& way, SweepEnd& end, double t, double gone,
                          const Vec3& normal, const Vec3& point) {
  if (!(gone < way.length) || (end.hit && !(t < way.max_t))) return;
  way.max_t = t;
  end = {true,
         std::max(0.0, gone / way.length),
         std::max(0.0, -gone),
         normal,
         point,
         bodies_[part.body]->id,
         {}};
  hit_part_ = &part;
}

void Surroundings::cast(const Part& part, Way& way, SweepEnd& end) {
  const PartShape& it = take(part);
  const ShapeCast c = shape_cast(mover_->padded(), way.pose, way.translation, it.shape(), it.pose(),
                                 {.max_t = way.max_t});
  if (!c.hit) return;
  if (c.initial_overlap || c.t == 0) {
    cast_near(part, way, end);
    return;
  }
  const double cosine = dot(c.normal, way.direction);
  if (!(cosine > parallel_sine)) return; // a touch in passing, half a skin away
  const double gone = c.t * way.longer - mover_->padding() / cosine;
  end_at(part, way, end, c.t, gone, -c.normal, c.on_b);
}

void Surroundings::cast_near(const Part& part, Way& way, SweepEnd& end) {
  const PartShape& it = bodies_[part.body]->elements;
  const SignedDistance s = signed_distance(mover_->shape(), way.pose, it.shape(), it.pose());
  const bool is_overlap = !(s.lower_bound > 0);
  if ((is_overlap && pass_overlaps_) || !(dot(s.normal, way.direction) > parallel_sine)) return;
  if (leads_out_but(&part, s.on_b, -s.normal)) {
    end_at(part, way, end, 0, 0, -s.normal, s.on_b);
    return;
  }
  // An edge within a surface: its neighbours say what to do. But not through it.
  if (is_overlap) return;
  take(part);
  const ShapeCast c = shape_cast(mover_->shape(), way.pose, way.translation, it.shape(), it.pose(),
                                 {.max_t = way.max_t});
  if (!c.hit) return;
  end_at(part, way, end, safe_share * c.t, safe_share * c.t * way.longer, -c.normal, c.on_b);
}

bool Surroundings::leads_out_but(const Part* except, const Vec3& p, const Vec3& d) {
  const double within = point_error * (mover_->padded().size() + max_abs(p));
  const Aabb here = grown({p, p}, within);
  const auto rises = [&](const Part& part) {
    return part.normal == Vec3{}
               ? convex_rises(take(part), p, d, within)
               : triangle_rises(part.corners, bodies_[part.body]->shape.rounding(), p, d, within);
  };
  for (std::size_t i = 0; i < body_count_; ++i) {
    const Body& body = *bodies_[i];
    if (body.id == left_out_) continue;
    for (const Part& part : body.parts)
      if (&part != except && overlaps(part.box, here) && rises(part)) return false;
  }
  return true;
}

} // namespace carom
