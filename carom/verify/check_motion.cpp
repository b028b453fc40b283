#include "carom/verify/check_motion.h"

#include "carom/math/trig.h"
#include "carom/verify/part_cover.h"
#include "carom/verify/part_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom::verify {
namespace {

struct Shares {
  double translation, rotation;
};
/// How much of either is behind at time t.
Shares shares(const Motion& m, double t) {
  if (m.order == MotionOrder::together) return {t, t};
  return {std::min(1.0, 2 * t), std::max(0.0, 2 * t - 1)};
}

Vec3 unit_axis_of(const Motion& m) {
  const double l = length(m.axis);
  return l > 0 ? m.axis / l : Vec3{};
}

/// By a quarter of a turn and a half: turned through the angle by complex multiplication in the plane across the axis.
Vec3 turned(const Vec3& v, const Vec3& axis, double angle) {
  if (axis == Vec3{}) return v;
  const Vec3 lengthwise = axis * dot(axis, v);
  const Vec3 across = v - lengthwise;
  const SinCos s = sin_cos(angle);
  return lengthwise + across * s.cos + cross(axis, across) * s.sin;
}

Vec3 pivot_at(const Motion& m, double t) {
  return m.pivot + m.translation * shares(m, t).translation;
}

double turn_between(const Motion& m, double from, double to) {
  if (unit_axis_of(m) == Vec3{}) return 0;
  return m.angle * (shares(m, to).rotation - shares(m, from).rotation);
}

/// The velocity of the point of the body that is at x.
Vec3 velocity_of(const Motion& m, double t, const Vec3& x) {
  const Vec3 spin = cross(unit_axis_of(m) * m.angle, x - pivot_at(m, t));
  if (m.order == MotionOrder::together) return m.translation + spin;
  return t < 0.5 ? m.translation * 2 : spin * 2;
}

/// The parts of a shape, each as a shape with the pose it has at the start.
class MovingParts {
public:
  MovingParts(const Shape& shape, const Motion& motion, const std::vector<PartId>& order)
      : motion_(motion), parts_(convex_parts({shape, motion.start})),
        order_(in_order(parts_, order)) {}

  [[nodiscard]] std::size_t size() const { return order_.size(); }
  [[nodiscard]] const Motion& motion() const { return motion_; }
  /// The greatest n . x of parts first .. end at time t.
  [[nodiscard]] double reach(const Vec3& n, double t, std::uint32_t first,
                             std::uint32_t end) const {
    double most = -INFINITY;
    for (std::uint32_t i = first; i < end; ++i) {
      Motion of_part = motion_;
      of_part.start = order_[i]->placed.pose;
      most = std::max(most, support(placed_at(order_[i]->placed.shape, of_part, t), n));
    }
    return most;
  }
  /// None of them is farther from the pivot: by the boxes around each, along the axes of the whole and along its own.
  [[nodiscard]] double radius(std::uint32_t first, std::uint32_t end) const {
    const auto corner = [&](const PlacedShape& part, const Mat3& axes) {
      Vec3 far;
      for (int k = 0; k < 3; ++k) {
        const double pivot = dot(axes[k], motion_.pivot);
        far[k] = std::max(std::fabs(support(part, axes[k]) - pivot),
                          std::fabs(support(part, -axes[k]) + pivot));
      }
      return length(far);
    };
    double most = 0;
    for (std::uint32_t i = first; i < end; ++i) {
      const PlacedShape& part = order_[i]->placed;
      most = std::max(most, std::min(corner(part, motion_.start.frame().basis),
                                     corner(part, part.pose.frame().basis)));
    }
    return most;
  }

private:
  Motion motion_;
  std::vector<ConvexPart> parts_;
  std::vector<const ConvexPart*> order_;
};

/// The greatest second derivative of the place along the direction, of any point, times the square of the time: over the stretch from one time to the other, in which both motions are of one piece.
double acceleration(Carrier carrier, const MovingParts& a, const MovingParts& b,
                    const MotionProof::Claim& c, double from, double to) {
  const double turn_a = std::fabs(turn_between(a.motion(), from, to));
  const double turn_b = std::fabs(turn_between(b.motion(), from, to));
  const auto own = [](double turn, double radius) { return turn == 0 ? 0 : turn * turn * radius; };
  const auto seen = [&](const MovingParts& carried_by, double turn, const MovingParts& other,
                        double other_turn, double radius) {
    if (turn == 0) return own(other_turn, radius);
    const Vec3 first = pivot_at(other.motion(), from) - pivot_at(carried_by.motion(), from);
    const Vec3 last = pivot_at(other.motion(), to) - pivot_at(carried_by.motion(), to);
    const double farthest = std::max(length(first), length(last)) + radius;
    const double way = length(last - first) + other_turn * radius;
    return turn * turn * farthest + 2 * turn * way + own(other_turn, radius);
  };
  switch (carrier) {
  case Carrier::a:
    return seen(a, turn_a, b, turn_b, b.radius(c.first_b, c.end_b));
  case Carrier::b:
    return seen(b, turn_b, a, turn_a, a.radius(c.first_a, c.end_a));
  default:
    return own(turn_a, turn_a == 0 ? 0 : a.radius(c.first_a, c.end_a)) +
           own(turn_b, turn_b == 0 ? 0 : b.radius(c.first_b, c.end_b));
  }
}

Verdict check_step(const MovingParts& a, const MovingParts& b, const MotionProof& proof,
                   const MotionProof::Claim& c, const MotionProof::Step& step, double from,
                   double tolerance) {
  if (!is_unit(step.direction)) return Verdict::no("the direction of a step is no unit vector");
  const auto changes = [&](const Motion& m) {
    return m.order == MotionOrder::translation_first && from < 0.5 && step.until > 0.5;
  };
  if (changes(a.motion()) || changes(b.motion()))
    return Verdict::no("a step goes on from the translation into the rotation");
  const auto gap = [&](double t) {
    Vec3 n = step.direction;
    if (step.carrier != Carrier::world) {
      const Motion& m = step.carrier == Carrier::a ? a.motion() : b.motion();
      n = turned(n, unit_axis_of(m), turn_between(m, from, t));
    }
    return -b.reach(-n, t, c.first_b, c.end_b) - a.reach(n, t, c.first_a, c.end_a);
  };
  const double least = std::min(gap(from), gap(step.until)) -
                       acceleration(step.carrier, a, b, c, from, step.until) / 8;
  const double missing = proof.bound - least;
  return missing <= tolerance ? Verdict::yes() : Verdict::off("a step falls short", missing);
}

} // namespace

PlacedShape placed_at(const Shape& shape, const Motion& motion, double t) {
  const Vec3 axis = unit_axis_of(motion);
  const Shares now = shares(motion, t);
  const double angle = axis == Vec3{} ? 0 : motion.angle * now.rotation;
  Pose pose = motion.start;
  pose.position += motion.translation * now.translation;
  if (angle != 0) {
    const SinCos half = sin_cos(angle / 2);
    pose.rotation = Quat{axis.x * half.sin, axis.y * half.sin, axis.z * half.sin, half.cos} *
                    normalized(motion.start.rotation);
    pose.position = pivot_at(motion, t) + turned(motion.start.position - motion.pivot, axis, angle);
  }
  return {shape, pose};
}

Verdict check_impact(const Shape& a, const Motion& motion_a, const Shape& b, const Motion& motion_b,
                     const TimeOfImpact& answer, double margin, double error, double max_t,
                     int samples, double tolerance) {
  if (!(answer.t >= 0 && answer.t <= 1)) return Verdict::no("the time is not between 0 and 1");
  if (answer.hit) {
    const PlacedShape at_a = placed_at(a, motion_a, answer.t);
    const PlacedShape at_b = placed_at(b, motion_b, answer.t);
    if (!is_unit(answer.normal)) return Verdict::no("the normal is no unit vector");
    if (answer.initial_overlap) {
      return answer.t == 0 && answer.distance <= margin + tolerance
                 ? Verdict::yes()
                 : Verdict::no("this is no initial overlap");
    }
    const Vec3 way = answer.on_b - answer.on_a;
    if (const double off = length(way - answer.normal * answer.distance);
        !(off <= tolerance + 1e-6 * answer.distance))
      return Verdict::off("the points are not apart along the normal as said", off);
    if (Verdict v = check_part("on_a", answer.on_a, at_a, answer.part_a, tolerance); !v) return v;
    if (Verdict v = check_part("on_b", answer.on_b, at_b, answer.part_b, tolerance); !v) return v;
    if (answer.status == Status::ok && !(answer.distance <= margin + error + tolerance))
      return Verdict::off("the shapes are too far apart for a hit", answer.distance);
    const double parting = dot(answer.normal, velocity_of(motion_b, answer.t, answer.on_b) -
                                                  velocity_of(motion_a, answer.t, answer.on_a));
    const double doubt = tolerance * (1 + std::fabs(motion_a.angle) + std::fabs(motion_b.angle));
    if (std::fabs(parting) > doubt && answer.separating != (parting > 0))
      return Verdict::no("whether they separate is not what their velocities say");
  }
  const double end = answer.hit ? answer.t : max_t;
  for (int i = 0; i < samples && end > 0; ++i) {
    const double t = end * i / samples;
    const PlacedShape at_a = placed_at(a, motion_a, t), at_b = placed_at(b, motion_b, t);
    if (Verdict v = check_pairs_apart(at_a, {}, at_b, margin, tolerance, {}); !v) return v;
    if (i > 0) continue;
    if (Verdict v = check_outside(at_a, at_b, tolerance); !v) return v;
    if (Verdict v = check_outside(at_b, at_a, tolerance); !v) return v;
  }
  return Verdict::yes();
}

Verdict check_motion_proof(const Shape& a, const Motion& motion_a, const Shape& b,
                           const Motion& motion_b, const MotionProof& proof, double tolerance) {
  const MovingParts parts_a(a, motion_a, proof.parts_a), parts_b(b, motion_b, proof.parts_b);
  if (parts_a.size() == 0 || parts_b.size() == 0)
    return Verdict::no("the proof does not list each part once");
  std::vector<PartRectangle> rectangles;
  for (const MotionProof::Claim& c : proof.claims)
    rectangles.push_back({c.first_a, c.end_a, c.first_b, c.end_b});
  if (Verdict cover = check_cover(rectangles, parts_a.size(), parts_b.size()); !cover) return cover;
  for (const MotionProof::Claim& c : proof.claims) {
    if (c.end_step > proof.steps.size()) return Verdict::no("a claim has steps that are not there");
    double t = 0;
    for (std::uint32_t i = c.first_step; i < c.end_step; ++i) {
      const MotionProof::Step& step = proof.steps[i];
      if (!(step.until > t)) return Verdict::no("a step does not go on");
      if (Verdict v = check_step(parts_a, parts_b, proof, c, step, t, tolerance); !v) return v;
      t = step.until;
    }
    if (t < proof.until) return Verdict::no("the steps of a claim end too early");
  }
  const PlacedShape start_a{a, motion_a.start}, start_b{b, motion_b.start};
  if (Verdict outside = check_outside(start_a, start_b, tolerance); !outside) return outside;
  return check_outside(start_b, start_a, tolerance);
}

} // namespace carom::verify
