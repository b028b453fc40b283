// What the queries answer, and how each answer proves itself. carom/verify confirms them knowing nothing but these.
#pragma once

#include "carom/geometry/answer.h"
#include "carom/math/vec3.h"

#include <array>
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
/// planes at right angles to it there is a slab of that width with all of A on one side and all of B on the other.
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
  int iterations = 0; ///< support points looked at, for those who compare methods
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
  /// rounded ones; for curved ones that are apart, 1e-10; for curved ones that overlap, as near as the search came.
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

/// Whether two shapes have a point in common, with that point or a direction that separates them. Touching counts. It may go either way only where the signed distance is within 1e-14 of the shapes' size and translation.
struct ShapeOverlap : Overlap {
  Status status = Status::ok;
  int iterations = 0; ///< support points looked at, for those who compare methods
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

} // namespace carom
