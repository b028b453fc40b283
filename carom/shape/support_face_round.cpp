// Solids of revolution: caps as polygons, and lines along their sides.
#include "carom/shape/support_face.h"

#include <array>

namespace carom::support_faces {
namespace {

constexpr Index rim_points = 16;

/// A disc's polygon, counter-clockwise seen from the tip of `normal`; features numbered from `base`.
SupportFace disc(const Vec3& center, const Vec3& normal, const Vec3& axis, double radius,
                 Index base, const Feature& feature, const Asked& ask) {
  // cos(k pi / 8) for k = 0 .. 4.
  static constexpr std::array<double, 5> cosine{1, 0.92387953251128674, 0.70710678118654752,
                                                0.38268343236508977, 0};
  const Vec3 u = perpendicular(axis) * radius;
  const Vec3 v = cross(axis, u);
  const auto cos_at = [](Index k) {
    const Index q = k % 16;
    const Index folded = q > 8 ? 16 - q : q;
    return folded > 4 ? -cosine[8 - folded] : cosine[folded];
  };
  const bool along = dot(normal, axis) > 0;
  for (Index i = 0; i < rim_points; ++i) {
    const Index k = along ? i : rim_points - 1 - i;
    const Index arc = along ? k : (k + rim_points - 1) % rim_points;
    ask.storage.few[i] = {center + u * cos_at(k) + v * cos_at(k + 12), vertex(base + k),
                          edge(base + arc)};
  }
  return {feature, normal, std::span(ask.storage.few)};
}

} // namespace

SupportFace feature_of(const Cylinder& c, const Asked& ask) {
  const double along = dot(c.axis, ask.d);
  const Vec3 w = across(c.axis, ask.d);
  const Index end = along > 0 ? 1 : 0;
  const Vec3 cap = c.center + c.axis * (end ? c.half_height : -c.half_height);
  const Vec3 outward = end ? c.axis : -c.axis;
  const bool cap_is_better = dot(outward, ask.d) >= dot(w, ask.d);
  if (cap_is_better && ask.faces(outward)) {
    return disc(cap, outward, c.axis, c.radius, rim_points * end, face(end), ask);
  }
  const Vec3 out = w * c.radius;
  if (ask.faces(w)) {
    SupportFace f = ask.line(
        {c.center - c.axis * c.half_height + out, vertex(2 * rim_points), edge(2 * rim_points)},
        {c.center + c.axis * c.half_height + out, vertex(2 * rim_points + 1), edge(2 * rim_points)},
        w);
    f.turn_radius = c.radius;
    return f;
  }
  return ask.point(cap + out, edge(2 * rim_points + 1 + end));
}

SupportFace feature_of(const Cone& c, const Asked& ask) {
  const double along = dot(c.axis, ask.d);
  const Vec3 w = across(c.axis, ask.d);
  const Vec3 base = c.base_center();
  const Vec3 side = normalized_or(w * c.height - c.axis * c.radius, w);
  const Vec3 out = w * c.radius;
  if (along >= dot(side, ask.d) && ask.faces(c.axis)) {
    return disc(base, c.axis, c.axis, c.radius, 0, face(0), ask);
  }
  if (ask.faces(side)) {
    return ask.line({c.apex, vertex(rim_points), edge(rim_points)},
                    {base + out, vertex(rim_points + 1), edge(rim_points)}, side);
  }
  const bool at_apex = dot(ask.d, base + out - c.apex) < 0;
  return at_apex ? ask.point(c.apex, vertex(rim_points))
                 : ask.point(base + out, edge(rim_points + 1));
}

SupportFace feature_of(const TaperedCapsule& c, const Asked& ask) {
  const Vec3 between = c.b - c.a;
  const double l = length(between);
  const double sine = (c.radius_a - c.radius_b) / l;
  if (std::fabs(sine) < 1) {
    const Vec3 u = between / l;
    const Vec3 w = across(u, ask.d);
    const Vec3 m = normalized(u * sine + w * std::sqrt((1 - sine) * (1 + sine)));
    if (ask.faces(m)) {
      return ask.line({c.a + m * c.radius_a, vertex(0), edge(0)},
                      {c.b + m * c.radius_b, vertex(1), edge(0)}, m);
    }
  }
  const bool at_b = dot(ask.d, between) + (c.radius_b - c.radius_a) > 0;
  const Vec3 p = at_b ? c.b + ask.d * c.radius_b : c.a + ask.d * c.radius_a;
  return ask.point(p, vertex(at_b ? 1 : 0));
}

} // namespace carom::support_faces
