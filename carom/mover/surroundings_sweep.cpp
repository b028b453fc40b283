// A sweep is a cast of the padded shape against each part whose box it passes and whose plane it reaches; the first contact ends it.
//
// Why the padding: its surface is round, so the first contact has one normal, and that one leads out of all parts there at once; an edge between two triangles of a floor has none but the floor's. And whatever is not met stays half a skin away, at
// whatever angle it is passed. From the contact the way goes back until the gap along the normal is a whole skin: the obstacle is convex and lies behind its plane there, so that holds for it from the start on, or from where the gap was less.
//
// A part that is nearer than the padding is no matter of casts: the direction that separates it from the shape itself decides. It is convex, so a way that does not go against that direction never gets nearer.
#include "carom/geometry/closest_point.h"
#include "carom/geometry/overlap_box.h"
#include "carom/math/tolerance.h"
#include "carom/mover/boxes.h"
#include "carom/mover/surroundings.h"
#include "carom/query/closest_point.h"
#include "carom/query/overlap.h"
#include "carom/query/shape_cast.h"
#include "carom/query/signed_distance.h"
#include "carom/shape/support.h"

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

} // namespace

Surroundings::Facing Surroundings::facing(const Part& part, const StandingShape& shape) {
  Facing f{&part, part.normal != Vec3{}, {}, {}, 0, 0};
  if (!f.flat) return f;
  const bool above = dot(part.normal, shape.origin()) > part.high;
  f.normal = above ? part.normal : -part.normal;
  f.tip = shape.farthest(-f.normal);
  f.height = dot(f.normal, f.tip) - (above ? part.high : -part.low);
  f.slack = 64 * tolerance::epsilon *
            (max_abs(part.box.min) + max_abs(part.box.max) + max_abs(shape.origin()));
  return f;
}

/// Whether the padded shape stays on one side of a triangle's plane all the way.
bool Surroundings::plane_excludes(const Facing& f, const Vec3& translation) {
  return f.flat && f.height + std::min(dot(f.normal, translation), 0.0) > f.slack;
}

/// The same for the plane that a ball would have: from the triangle's point that is nearest to the middle of the rounding that faces it.
bool Surroundings::nearest_excludes(const Facing& f, const StandingShape& shape,
                                    const Vec3& translation) const {
  if (!f.flat) return false;
  const auto& c = f.part->corners;
  const Vec3 middle = f.tip + f.normal * shape.rounding();
  const Vec3 axis =
      normalized_or(middle - closest_point(middle, Triangle{c[0], c[1], c[2]}).point, {});
  if (axis == Vec3{}) return false;
  const double lowest = dot(axis, shape.farthest(-axis));
  const double along = dot(axis, translation);
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
  const StandingShape shape(mover_->padded(), pose);
  return std::any_of(candidates_.begin(), candidates_.end(), [&](const Part* part) {
    const Facing f = facing(*part, shape);
    if (plane_excludes(f, {}) || nearest_excludes(f, shape, {})) return false;
    const PartShape& it = take(*part);
    return overlap(mover_->padded(), pose, it.shape(), it.pose()).hit;
  });
}

SweepEnd Surroundings::sweep(const Pose& pose, const Vec3& translation) {
  SweepEnd end;
  const double length = carom::length(translation);
  if (!(length > 0)) return end;
  const double longer = length + paddings_beyond * mover_->padding();
  Way way{pose,
          {mover_->padded(), pose},
          translation * (longer / length),
          translation / length,
          length,
          longer};
  const Aabb start = padded_box(pose);
  const Aabb box = swept(start, way.translation);
  look_up(box);
  find_candidates(box);
  // First what a plane answers: then less is left of the way for the others.
  facing_.clear();
  for (const Part* part : candidates_) {
    const Facing f = facing(*part, way.shape);
    if (!plane_excludes(f, way.translation) && !meets_middle(f, way, end)) facing_.push_back(f);
  }
  for (const Facing& f : facing_) {
    const Vec3 left = way.translation * way.max_t;
    if (plane_excludes(f, left) || !overlaps(f.part->box, swept(start, left)) ||
        nearest_excludes(f, way.shape, left))
      continue;
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
