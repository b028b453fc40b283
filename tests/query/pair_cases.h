// Pairs of placed shapes for the tests of queries: apart, touching to within a hair, overlapping, one in the other, far away.
#pragma once

#include "carom/shape/support.h"
#include "carom/verify/check_contacts.h"
#include "carom/verify/check_query.h"
#include "carom/verify/shape.h"
#include "tests/support/generate_shape.h"

namespace carom::test {

struct PairCase {
  verify::PlacedShape a, b;
  double size; ///< both shapes' extents and positions: what rounding errors are relative to

  [[nodiscard]] bool polyhedral() const { return a.shape.polyhedral() && b.shape.polyhedral(); }
  /// How far points may be off and slabs too narrow: the band within which a Boolean may go either way. The corners of a brush are rounded besides, and
  /// coordinates below 1e-30 are moved to 0 or 1e-30.
  [[nodiscard]] double band() const {
    const double brush = 64 * tolerance::epsilon * size + 10 * tolerance::coordinate_min;
    return tolerance::boolean_band * size + (has(ShapeKind::brush) ? brush : 0);
  }
  /// How far apart the bounds of a distance may be, as promised.
  [[nodiscard]] double promised() const { return (polyhedral() ? 1e-12 : 1e-10) * size; }
  /// Whether either is of this kind, or has a part that is.
  [[nodiscard]] bool has(ShapeKind kind) const { return has(a.shape, kind) || has(b.shape, kind); }

private:
  static bool has(const Shape& s, ShapeKind kind) {
    if (s.kind() == kind) return true;
    if (const auto* c = std::get_if<SumCore>(&s.core()))
      return has(*c->a, kind) || has(*c->b, kind);
    if (const auto* c = std::get_if<HullOfTwoCore>(&s.core()))
      return has(*c->a, kind) || has(*c->b, kind);
    if (const auto* c = std::get_if<ScaledCore>(&s.core())) return has(*c->shape, kind);
    return false;
  }
};

/// Two half-spaces that face each other up to rounding: they meet, but too far away for a common point to be told.
inline bool nearly_facing(const PairCase& c) {
  if (c.a.shape.bounded() || c.b.shape.bounded()) return false;
  const auto normal = [](const verify::PlacedShape& p) {
    const Vec3 n = std::get<HalfSpace>(p.shape.core()).normal;
    return normalized(p.pose.frame().direction_to_world(normalized(n)));
  };
  const Vec3 sum = normal(c.a) + normal(c.b);
  return sum != Vec3{} && max_abs(sum) < 1e-12;
}

/// A point of the placed shape: a mixture of farthest points.
inline Vec3 point_of(Source& source, const verify::PlacedShape& p) {
  const Frame frame = p.pose.frame();
  Vec3 mix;
  for (int i = 0; i < 4; ++i) {
    const Vec3 d = direction(source);
    mix += frame.to_world(support_point(p.shape, frame.direction_to_local(d))) / 4;
  }
  return mix;
}

/// Shapes of the scale given, placed by chance in one of the ways that matter.
inline PairCase placed(Source& source, const Shape& a, const Shape& b, double scale_a) {
  const Pose pose_a = shape_pose(source, scale_a);
  PairCase c{{a, pose_a}, {b, shape_pose(source, scale_a)}, 0};
  static constexpr double gaps[] = {0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-6, -1e-6, 0.01, -0.01, 1};
  switch (source.index(4)) {
  case 1: // touching along some direction, more or less
    if (a.bounded() && b.bounded()) {
      const Vec3 d = direction(source);
      const double gap = gaps[source.index(10)] * (a.size() + b.size());
      c.b.pose.position += d * (gap - verify::gap(c.a, c.b, d));
    }
    break;
  case 2: // deep
    if (a.bounded() && b.bounded()) {
      const Vec3 in_a = point_of(source, c.a);
      const Vec3 in_b = point_of(source, c.b);
      c.b.pose.position += in_a - in_b;
    }
    break;
  case 3: // the same place
    c.b.pose.position = c.a.pose.position;
    if (source.index(2) == 0) c.b.pose.rotation = c.a.pose.rotation;
    break;
  default:
    break;
  }
  c.b.pose.position = coordinates(c.b.pose.position);
  c.size = a.size() + b.size() + max_abs(c.a.pose.position) + max_abs(c.b.pose.position);
  return c;
}

/// One of the kinds given, placed.
inline PairCase pair_case(Source& source, ShapeKind kind_a, ShapeKind kind_b) {
  const double scale_a = scale(source);
  const double scale_b = source.chance(4) ? scale_a * std::ldexp(1.0, -source.index(40)) : scale_a;
  const Shape a = ShapeGenerator(source, scale_a).of_kind(kind_a);
  const Shape b = ShapeGenerator(source, scale_b).of_kind(kind_b);
  return placed(source, a, b, scale_a);
}

/// A point to ask about: inside, at the surface or a hair off it, at the middle, anywhere, far away.
inline Vec3 point_for(Source& source, const verify::PlacedShape& placed, double scale) {
  static constexpr double off[] = {0, 1e-16, -1e-16, 1e-12, -1e-12, 1e-6, -1e-6, 0.1, -0.1};
  const Frame frame = placed.pose.frame();
  const Vec3 d = direction(source);
  switch (source.index(5)) {
  case 1: {
    const Vec3 top = frame.to_world(support_point(placed.shape, frame.direction_to_local(d)));
    return top + d * (off[source.index(9)] * scale);
  }
  case 2:
    return placed.pose.position;
  case 3:
    return placed.pose.position + vec3(source) * (scale * 2);
  case 4:
    return placed.pose.position + d * (scale * 1e6);
  default:
    return point_of(source, placed);
  }
}

/// A point of the shape, in its frame: mostly inside, sometimes on the border.
inline Vec3 center_in(Source& source, const Shape& shape) {
  const Vec3 d = direction(source);
  if (!shape.bounded()) {
    const Vec3 n = normalized(std::get<HalfSpace>(shape.core()).normal);
    return coordinates(support_point(shape, d) - n * (shape.size() * source.index(2)));
  }
  const Vec3 top = support_point(shape, d);
  if (source.chance(6)) return coordinates(top);
  Vec3 mix = support_point(shape, -d) * 0.5;
  for (int i = 0; i < 5; ++i) {
    const Vec3 e = direction(source);
    mix += support_point(shape, e) * 0.1;
  }
  return coordinates(mix);
}

/// What contacts.h promises, in parts of the size; the deepest is as good as the signed distance's points.
inline verify::ContactTolerance contact_tolerance(const PairCase& c) {
  verify::ContactTolerance t;
  t.points = 1e-12 * c.size + 10 * tolerance::coordinate_min;
  t.gap = (c.polyhedral() ? 1e-12 : 1e-10) * c.size + 10 * tolerance::coordinate_min;
  const double apart = max_abs(c.b.pose.position - c.a.pose.position);
  t.same = 16 * tolerance::epsilon * (c.a.shape.size() + c.b.shape.size() + apart);
  if (!c.polyhedral()) t.deepest = t.points + 1e-5 * c.size;
  return t;
}

} // namespace carom::test
