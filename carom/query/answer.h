// What the queries answer, and how each answer proves itself. carom/verify confirms them knowing nothing but these.
#pragma once

#include "carom/geometry/answer.h"
#include "carom/math/vec3.h"
#include "carom/shape/part_id.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// What became of a query.
enum class Status : std::uint8_t {
  ok,      ///< the bounds are as near to each other as promised
  stopped, ///< the caller's error or threshold was reached first; the bounds hold
  wide, ///< the bounds hold, but are farther apart than promised: a custom shape whose support is not convex or not exact
  bad_input, ///< a pose is not finite or out of range (tolerance.h); the rest of the answer says nothing
};

/// How far apart two shapes are. The nearest points prove that it is not more than `value`; the normal, that it is not less than `lower_bound`: between the
/// planes at right angles to it there is a slab of that width with all of A on one side and all of B on the other. Where a shape is not convex, that slab is between the two nearest parts; that no others are
/// nearer is a matter of all of them.
struct Distance {
  /// The distance of the nearest points: 0 where the shapes overlap or touch. An upper bound of the true one.
  double value = 0;
  /// The shapes are at least this far apart: rounded down, never more than the true distance. Without an error or threshold asked for, value -
  /// lower_bound is at most 1e-12 of the shapes' size and translation, 1e-10 where one is curved; for a custom shape it is what
  /// its support function allows.
  double lower_bound = 0;
  /// Points of A and of B, in the world, `value` apart. Where the shapes overlap, both are one common point.
  Vec3 on_a{}, on_b{};
  /// A unit vector from A toward B, at right angles to the empty slab; where the value is not 0 it is along on_b - on_a to within rounding. Where the
  /// shapes overlap it proves nothing, and is some unit vector.
  Vec3 normal{1, 0, 0};
  Status status = Status::ok;
  int iterations = 0; ///< support points looked at, for those who compare methods; of shapes that are not convex, pairs of parts
  PartId part_a{}, part_b{}; ///< that the points are of
};

/// How far apart two shapes are, or how deep they reach into each other: one continuous function. Along a unit vector n the shapes are apart by gap(n) =
/// min over B of n . b - max over A of n . a, negative where they overlap along it. The signed distance is the greatest gap of any
/// direction: the distance of shapes that are apart; of shapes that overlap, minus the length of the least translation that separates them.
/// `normal` attains it, which proves that the true value is not less. That it is not more is proved by the nearest points of shapes
/// that are apart; for shapes that overlap, by points of A - B whose hull holds a ball of radius -upper_bound around the origin.
struct SignedDistance {
  /// Positive apart, 0 at touch, negative where they overlap. Minus infinity for two half-spaces that no translation separates.
  double value = 0;
  /// The true value is between these: rounded outward. At most 1e-12 of the shapes' size and translation apart for polyhedral shapes, also
  /// rounded ones; for curved ones 1e-10. (Where the status is `wide`, as near as the search came: custom shapes, and few others, such as a cone around an axis that a
  /// shape a millionth of its size is almost round about.)
  double lower_bound = 0, upper_bound = 0;
  /// Apart: the nearest points of A and B. Overlapping: the points that will touch once B has moved by -value * normal; so on_a lies inside B
  /// and on_b inside A. In both cases on_b - on_a = value * normal, to within 1e-12 of the size; for
  /// curved shapes that overlap, 1e-6 and as much as the bounds leave open.
  Vec3 on_a{}, on_b{};
  /// From A toward B, a unit vector: moving B along it by -value (where that is positive) separates the shapes. Where several directions are as good
  /// (two concentric balls), it is one of them, always the same.
  Vec3 normal{1, 0, 0};
  Status status = Status::ok;
  int iterations = 0; ///< support points looked at, for those who compare methods
};

/// The least translation that separates two shapes. That it separates them is proved by the normal: moved by upper_bound * normal, B is beyond the plane that A is behind.
struct Penetration {
  /// Its length: 0 where the shapes are apart or just touch. Infinity for two half-spaces that no translation separates.
  double depth = 0;
  /// No translation shorter than lower_bound separates them, and one of upper_bound along the normal does: rounded outward; as near to each other as the bounds of SignedDistance are.
  double lower_bound = 0, upper_bound = 0;
  /// Which way B has to move, a unit vector from A toward B. Where the shapes are apart, a direction that separates them.
  Vec3 normal{1, 0, 0};
  /// The points that will touch once B has moved by depth * normal, in the world: on_a lies inside B and on_b inside A, on_a - on_b = depth * normal. Where the shapes are apart they say
  /// nothing.
  Vec3 on_a{}, on_b{};
  Status status = Status::ok;
  int iterations = 0; ///< support points looked at, for those who compare methods
};

/// How far A reaches beyond B: the greatest distance of a point of A from B, which is the distance of that point from its nearest point of B. 0 where A lies in B. The one-sided Hausdorff distance, sup over
/// a in A of inf over b in B of |a - b|; not symmetric.
///
/// Proof that it is not less: the point on_a of A, and that no point of B is nearer to it than lower_bound. That it is not more: a search that covers A with parts, and has for each a convex piece of
/// B to which all of the part is near enough; verify::check_hausdorff repeats it its own way.
struct OneSidedHausdorff {
  /// The distance of on_a from B. Infinite where A reaches to infinity and B does not follow; then the points say nothing.
  double value = 0;
  /// The true one is between these: rounded outward. Their difference is at most what was asked for (HausdorffOptions), but not less than 1e-12 of the shapes' size and translation.
  double lower_bound = 0, upper_bound = 0;
  /// A point of A, and the nearest of B, in the world, `value` apart; to within 1e-13 of the size.
  Vec3 on_a{}, on_b{};
  /// `wide`: the budget was spent first; the bounds hold.
  Status status = Status::ok;
  int iterations = 0; ///< points whose distance from B was asked for
};

/// How different two shapes are as sets: 0 where they are the same. Both one-sided distances, and the greater of them, the (symmetric) Hausdorff distance.
struct Hausdorff {
  /// Of A from B: on_a is far from B, on_b its nearest point.
  OneSidedHausdorff a_from_b;
  /// Of B from A: on_b is far from A, on_a its nearest point.
  OneSidedHausdorff b_from_a;
  /// The greater of the two values; the true one is between the bounds.
  double value = 0, lower_bound = 0, upper_bound = 0;
  /// The points of the greater one, in the world.
  Vec3 on_a{}, on_b{};
  /// `ok` where upper_bound - lower_bound is as small as asked for, also where one of the sides did not come so far.
  Status status = Status::ok;
};

/// Whether two shapes have a point in common, with that point or a direction that separates them. Touching counts. It may go either way only where the signed distance is within 1e-14 of the shapes' size and translation;
/// not even there for points, segments, triangles, boxes and hulls that are turned by nothing but quarter turns: those are decided exactly, by all queries (by contacts of two boxes to within that band).
///
/// Where a shape is not convex, no one direction need separate them: the axis is zero then.
struct ShapeOverlap : Overlap {
  Status status = Status::ok;
  int iterations = 0; ///< support points looked at, for those who compare methods
  PartId part_a{}, part_b{}; ///< that the common point is of
};

/// When A, moved by t * translation, first touches B, which rests; t from 0 to 1. For convex shapes the gap along a fixed direction changes
/// linearly with t, so one direction proves what happens at all times.
///
/// Proof of a hit: at time t the points lie in A and B and are one, to within rounding; along the normal A and B are apart then, or touch; and
/// normal . translation > 0, so at every earlier time they were farther apart. Proof of a miss: along the normal they are apart at t = 0 and at
/// t = 1, so at all times between. Where a shape is not convex, that is so for the parts that meet first; the normal of a miss is some unit vector.
struct ShapeCast {
  bool hit = false;
  /// They touch or overlap at t = 0, to within rounding: then that is the hit, whichever way A moves.
  bool initial_overlap = false;
  /// Of the first contact. A lower bound: rounded down, nothing touches before it. 1 where they do not meet.
  double t = 1;
  /// Points of A, as it is at time t, and of B, in the world. At a contact they are one to within 1e-13 of the shapes' size and distance (1e-11
  /// where one is curved). In an overlap at the start they are as signed_distance has them.
  Vec3 on_a{}, on_b{};
  /// A point of both at time t, to within the same. At a contact, halfway between the points above.
  Vec3 point{};
  /// A unit vector from A toward B. At a contact: at right angles to the plane between them. In an overlap at the start: as
  /// signed_distance has it. Where they do not meet: the direction that separates them all the time.
  Vec3 normal{1, 0, 0};
  /// `wide`: t is a lower bound still, but whether they touch there is not known; the points are the nearest then.
  Status status = Status::ok;
  int iterations = 0; ///< support points looked at, for those who compare methods
  PartId part_a{}, part_b{}; ///< of what touches

  [[nodiscard]] explicit constexpr operator bool() const { return hit; }
};

/// Where a ray first meets a shape.
///
/// Proof of a hit: the point lies in the shape and on the ray, and the plane through it at right angles to the normal has the whole shape behind it and what
/// the ray came through before in front (direction . normal < 0). A start inside is its own proof. Proof of a miss, where asked for: the
/// normal, which has the shape behind and the whole ray in front of some plane. Where the shape is not convex, the plane is that of the part that is hit; of a miss there is no normal.
struct RayHit {
  bool hit = false;
  double t = INFINITY; ///< in multiples of the direction; infinite where it does not meet the shape
  Vec3 point{};        ///< origin + t direction
  /// A unit vector out of the shape; zero where `inside`. Of a miss: the proof, or zero where none was asked for.
  Vec3 normal{};
  /// The start lies in the shape: t = 0. On the border, to within rounding, it may be this or a hit at t = 0 with a normal.
  bool inside = false;
  Status status = Status::ok; ///< `wide`: t is a lower bound, the true hit may be later
  int iterations = 0;         ///< support points looked at; 0 where a formula gave the answer
  PartId part{};              ///< that is hit
  /// Of a triangle of a mesh: the weights of its corners at the point. Whether it is met from the side of its own normal: `normal` above is always toward the ray.
  Vec3 barycentric{};
  bool front = true;

  [[nodiscard]] explicit constexpr operator bool() const { return hit; }
};

/// How much two shapes must grow to touch. Both are scaled by s, each about a point of its own, its centre: c + s (x - c). The growth distance is the
/// least s at which they have a point in common: below 1 they overlap, at 1 they touch, above they are apart.
///
/// Proof that it is not less: along the normal, the shapes scaled by lower_bound have no point in common but one of the border. That it is not
/// more: a point of A and one of B that are one when scaled.
struct GrowthDistance {
  /// 0 where the centres coincide. Infinite where they never meet: both shapes have no extent, from their centres toward each other.
  double value = 0;
  /// The true value is not less: rounded down.
  double lower_bound = 0;
  /// It is not more, if the points below are taken to be one, as they are to within rounding.
  double upper_bound = 0;
  /// In the world, of the shapes scaled by `value`: where they touch. To within 1e-13 of their scaled size (1e-11 where one is curved) they are one.
  /// The centres themselves where the value is 0 or infinite.
  Vec3 on_a{}, on_b{};
  /// From A toward B, a unit vector at right angles to the plane that the scaled shapes touch. Where the centres coincide it
  /// proves nothing.
  Vec3 normal{1, 0, 0};
  /// `bad_input` also where a centre is outside of its shape.
  Status status = Status::ok;
  int iterations = 0; ///< support points looked at, for those who compare methods
};

/// How far apart the farthest points of two shapes are: the greatest distance of a point of A from a point of B. For the same shape in the same place, its diameter.
///
/// Proof that it is not less: the points. That it is not more is not proved by one direction, since along each, one pair of points is farthest, and the greatest of them may be anywhere. The
/// bound is what a search over all pairs of corners left open, or over all directions where the shapes are curved; verify::check_span repeats it its own way.
struct Span {
  /// The distance of the points below: a lower bound of the true one, to within rounding. Infinite where one of the shapes is a half-space.
  double value = 0;
  /// No points are farther apart: rounded up. At most 1e-12 of the shapes' size and translation above the value, 1e-10 where one is curved. Where the status is `wide`, as near as
  /// the search came: a custom shape may be known no better than to a hundredth.
  double upper_bound = 0;
  /// Points of A and of B, in the world, `value` apart. Where several pairs are as far apart (boxes side by side, two concentric balls, the same shape twice), it is one of them, always the same.
  /// Of a half-space: some point.
  Vec3 on_a{}, on_b{};
  /// A unit vector from on_a to on_b. Of all directions, it is along this one that both shapes together reach farthest, to within what the bounds leave open. Some unit vector
  /// where the value is 0: both are one point. Where a half-space makes the value infinite, a direction along which the points get as far apart as one likes.
  Vec3 direction{1, 0, 0};
  Status status = Status::ok;
  int iterations = 0; ///< support points, pairs of corners and groups of directions looked at
};

/// The signed distance of a point p from a shape, with the nearest point of its surface.
///
/// Proof: the point lies in the shape, and the plane through it at right angles to the normal has all of the shape behind it; so the distance
/// outside is not less, and the way out from inside not more. The rest as for SignedDistance.
///
/// Where the shape is not convex: the least value of its parts; of a solid mesh, the distance from its surface, negative inside. So it is exact outside of any shape, and inside of a
/// solid mesh that is not rounded. Inside of parts that overlap, or of roundings, the way out of the whole is at least as far.
struct SurfacePoint {
  double value = 0; ///< positive outside, 0 on the surface, negative inside
  /// The true value is between these: rounded outward. As near to each other as for SignedDistance; a formula's are within 1e-13 of the size.
  double lower_bound = 0, upper_bound = 0;
  Vec3 point{}; ///< p - value * normal, on the surface, in the world
  Vec3 normal{
      1, 0,
      0}; ///< a unit vector out of the shape; one of them, always the same, where several are as good
  Status status = Status::ok;
  int iterations = 0; ///< support points looked at; 0 where a formula gave the answer
  PartId part{};      ///< that the point is of
};

/// A point where two shapes touch, or nearly do, or reach into each other.
struct Contact {
  /// On the surfaces of A and B, in the world: on_b - on_a = separation * normal. Where they overlap, on_a lies inside B and on_b inside A.
  Vec3 on_a{}, on_b{};
  /// From on_a to on_b along the manifold's normal: negative where the shapes overlap there.
  double separation = 0;
  /// Which features meet here (shape/feature.h): packed(feature of A) in the upper half, packed(feature of B) in the lower. The same while the
  /// shapes move and the features stay, and no two contacts of a manifold share it.
  std::uint64_t id = 0;
};

/// Where two shapes touch: one normal, and up to four points that stand for the whole patch; or none where the shapes are farther apart than the margin.
struct ContactManifold {
  /// The first `count` hold. points[0] is the deepest: no point of the shapes' surfaces, seen along the normal, is deeper.
  std::array<Contact, 4> points{};
  int count = 0;
  /// From A toward B, a unit vector: that of the signed distance.
  Vec3 normal{1, 0, 0};
  /// The signed distance of the shapes, and bounds of it (SignedDistance). Where the status is `stopped` the shapes are
  /// farther apart than the margin: then value is a width by which the normal separates them, and upper_bound is infinite.
  double value = 0;
  double lower_bound = 0, upper_bound = 0;
  Status status = Status::ok;

  [[nodiscard]] std::span<const Contact> contacts() const {
    return std::span(points).first(static_cast<std::size_t>(count));
  }
};

/// Where parts of two shapes that hang together touch with one normal (contact_patches.h).
struct ContactPatch {
  /// Up to four points, chosen as contacts() does. Its `value`, and both bounds, are the separation of the first, the deepest; of two convex shapes it is all as contacts() has it.
  ///
  /// Where a shape is not convex, a contact's id is made from those of the features that touch and of their parts, mixed to 64 bits; a corner or an edge of a mesh has the same for all triangles that share
  /// it. It stays while the same features touch, and no two contacts of a patch have the same.
  ContactManifold manifold;
  /// Of each point: the parts that touch there, with their materials.
  std::array<PartId, 4> part_a{}, part_b{};
  /// Where ContactOptions::all is given: the patch's contacts there, all of them.
  std::size_t first_of_all = 0, count_of_all = 0;
};

} // namespace carom
