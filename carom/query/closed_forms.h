// The distance of two cores without a search, for the kinds where a formula or a short walk finds it. Internal to the queries.
//
// A form proposes a point of each core and an axis. What decides is the proof: along the axis the cores are as far apart as the points are. So a form may cut corners.
// Where it fails (shapes that touch, axes that are not quite at right angles, walks that get lost) the search answers, as it would have without.
//
// All is computed along the world's axes, from A's position: so that no frame is turned into the other, and far from the world's origin nothing is lost.
#pragma once

#include "carom/math/tolerance.h"
#include "carom/query/answer.h"
#include "carom/shape/shape.h"

#include <algorithm>

namespace [[gnu::visibility("default")]] carom {

/// Two shapes for a form, bounded ones at poses in range.
struct FormPair {
  FormPair(const Shape& shape_a, const Pose& at_a, const Shape& shape_b, const Pose& at_b)
      : a(shape_a), b(shape_b), pose_a(at_a), pose_b(at_b),
        translation(at_b.position - at_a.position) {
    const double size = a.size() + b.size() + max_abs(translation);
    rounding = gap_roundings * tolerance::epsilon * size;
    const bool flat = a.polyhedral() && b.polyhedral();
    agreement = flat ? flat_agreement * rounding : curved_agreement * size;
  }

  const Shape &a, &b;
  const Pose &pose_a, &pose_b;
  Vec3 translation; ///< from A's position to B's
  double rounding;  ///< how much the gap along a unit vector may be off
  double agreement; ///< the answer is proved where its bounds are no farther apart

private:
  /// A matrix, a point turned by it, differences and products, the unit vector.
  static constexpr double gap_roundings = 16;
  /// A hundredth of what Distance promises for curved shapes.
  static constexpr double curved_agreement = 1e-12;
  /// Of flat shapes, in roundings: the bounds are one apart by themselves.
  static constexpr double flat_agreement = 2.25;
};

/// The distance of two cores that are apart, with its proof.
struct FormAnswer {
  double distance = 0; ///< of the points
  double lower = 0;    ///< above 0; the true distance is not less
  Vec3 on_a;           ///< a point of A's core, along the world's axes, from A's position
  Vec3 between;        ///< from there to a point of B's
  Vec3 normal; ///< a unit vector from A to B, along the line between the points to within rounding

  /// Room for an answer: any numbers that are at hand. (Not zeros. For so many of them g++ takes an instruction of the processor that needs a tenth of a query to begin.)
  [[nodiscard, gnu::always_inline]] static FormAnswer room(const FormPair& pair) {
    return {pair.rounding, pair.rounding, pair.translation, pair.translation, pair.translation};
  }

  /// Takes the points, `l` apart, and the axis n, along which A ends `slack_a` beyond its point and B begins `slack_b` before its own. True where that
  /// proves the distance.
  [[nodiscard]] bool take(const FormPair& pair, const Vec3& a, const Vec3& a_to_b, double l,
                          const Vec3& n, double slack_a, double slack_b) {
    // Gaps feel only the square of how far the axis is off the line.
    return take_straight(pair, a, a_to_b, l, n, slack_a, slack_b) &&
           max_abs(a_to_b - n * l) <= 4 * pair.rounding;
  }
  /// The same where n is a_to_b / l itself.
  [[nodiscard, gnu::always_inline]] bool take_straight(const FormPair& pair, const Vec3& a,
                                                       const Vec3& a_to_b, double l, const Vec3& n,
                                                       double slack_a, double slack_b) {
    distance = l;
    on_a = a;
    between = a_to_b;
    normal = n;
    // Where rounding put a point a little outside of its core, there is no slack.
    const double slack = (slack_a > 0 ? slack_a : 0) + (slack_b > 0 ? slack_b : 0);
    lower = dot(a_to_b, n) - slack - pair.rounding;
    return lower > 0 && l - lower <= pair.agreement;
  }
};

/// False, and nothing said, where there is no form for these kinds, or it proves nothing: so for all cores that overlap or touch.
using Form = bool (*)(const FormPair& pair, FormAnswer& answer);

/// The form for the kinds of these shapes' cores; null where there is none.
[[nodiscard]] Form closed_form(const Shape& a, const Shape& b);

/// The answers of distance() and signed_distance() from that of the cores. (Written in one go, for answers are large: to fill in one that was empty takes a tenth of a query.)
[[nodiscard, gnu::always_inline]] inline SignedDistance
rounded_signed_distance(const FormPair& pair, const FormAnswer& cores, int iterations = 1) {
  const double radius_a = pair.a.rounding();
  const double radius_b = pair.b.rounding();
  const double radius = radius_a + radius_b;
  const Vec3& origin = pair.pose_a.position;
  return {.value = cores.distance - radius,
          .lower_bound = cores.lower - radius,
          .upper_bound = cores.distance + pair.rounding - radius,
          .on_a = cores.on_a + cores.normal * radius_a + origin,
          .on_b = (cores.on_a + cores.between) - cores.normal * radius_b + origin,
          .normal = cores.normal,
          .status = Status::ok,
          .iterations = iterations};
}

[[nodiscard, gnu::always_inline]] inline Distance
rounded_distance(const FormPair& pair, const FormAnswer& cores, int iterations = 1) {
  const double radius_a = pair.a.rounding();
  const double radius_b = pair.b.rounding();
  const double radius = radius_a + radius_b;
  const Vec3& origin = pair.pose_a.position;
  if (radius == 0)
    return {.value = cores.distance,
            .lower_bound = cores.lower,
            .on_a = cores.on_a + origin,
            .on_b = (cores.on_a + cores.between) + origin,
            .normal = cores.normal,
            .status = Status::ok,
            .iterations = iterations};
  if (cores.distance <= radius) {
    // As the radii divide the line between the points.
    const Vec3 common = cores.on_a + cores.between * (radius_a / radius) + origin;
    return {0, 0, common, common, cores.normal, Status::ok, iterations};
  }
  return {.value = cores.distance - radius,
          .lower_bound = std::max(0.0, cores.lower - radius),
          .on_a = cores.on_a + cores.normal * radius_a + origin,
          .on_b = (cores.on_a + cores.between) - cores.normal * radius_b + origin,
          .normal = cores.normal,
          .status = Status::ok,
          .iterations = iterations};
}

} // namespace carom
