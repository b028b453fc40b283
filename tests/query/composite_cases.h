// Pairs of placed shapes, at least one of them not convex.
#pragma once

#include "carom/verify/check_composite.h"
#include "carom/verify/parts.h"
#include "tests/query/pair_cases.h"
#include "tests/support/generate_composite.h"

#include <array>

namespace carom::test {

struct CompositeCase {
  verify::PlacedShape a, b;
  double size = 0;   ///< what rounding errors are relative to
  bool exact = true; ///< all parts are points, segments, triangles, boxes and hulls, maybe rounded
  bool searched = false; ///< a part is known by its support only: custom shapes among it

  [[nodiscard]] double band() const {
    return 2 * tolerance::boolean_band * size + 10 * tolerance::coordinate_min;
  }
  [[nodiscard]] double promised() const { return (exact ? 1e-12 : 1e-10) * size; }
};

inline void look_at_parts(CompositeCase& c, const verify::PlacedShape& placed) {
  for (const auto& part : verify::convex_parts(placed)) {
    const Shape& s = part.placed.shape;
    c.exact = c.exact && s.polyhedral() && s.kind() != ShapeKind::brush;
    c.searched = c.searched || s.depth() > 0 || s.kind() == ShapeKind::custom;
  }
}

inline CompositeCase case_of(const verify::PlacedShape& a, const verify::PlacedShape& b) {
  CompositeCase c{a, b};
  c.size = a.shape.size() + b.shape.size() + max_abs(a.pose.position) + max_abs(b.pose.position);
  look_at_parts(c, a);
  look_at_parts(c, b);
  return c;
}

/// 1e-6 to 1e6.
inline double modest_scale(Source& source) {
  static constexpr double scales[] = {1, 1, 1, 1e-6, 1e6, 1e-3, 1e3, 0x1p-10};
  return scales[source.index(8)];
}

inline CompositeCase composite_case(Source& source, ShapeKind kind_a, ShapeKind kind_b) {
  const double scale_a = modest_scale(source);
  const double scale_b = source.chance(3) ? scale_a * std::ldexp(1.0, -source.index(12)) : scale_a;
  const Shape a = CompositeGenerator(source, scale_a).of_kind(kind_a);
  const Shape b = CompositeGenerator(source, scale_b).of_kind(kind_b);
  PairCase p = placed(source, a, b, scale_a);
  if (a.bounded() && b.bounded()) {
    const Vec3 d = direction(source);
    const Vec3 e = direction(source);
    switch (source.index(5)) {
    case 0: // kissing: a corner on a corner
      p.b.pose.position += verify::farthest_point(p.a, d) - verify::farthest_point(p.b, e);
      break;
    case 1: // near
      p.b.pose.position = p.a.pose.position + d * (1.5 * scale_a);
      break;
    case 2: // the middle of B on a point of A's box
      p.b.pose.position += p.a.pose.frame().to_world(bounds(a).center()) -
                           p.b.pose.frame().to_world(bounds(b).center());
      break;
    default:
      break;
    }
    p.b.pose.position = coordinates(p.b.pose.position);
  }
  return case_of(p.a, p.b);
}

inline constexpr std::array composite_list = {ShapeKind::mesh, ShapeKind::height_field,
                                              ShapeKind::compound, ShapeKind::point_cloud};

inline ShapeKind composite_kind(Source& source) {
  return composite_list[source.below(composite_list.size())];
}

/// Of any two kinds, not both convex.
inline CompositeCase any_case(Source& source) {
  const ShapeKind composite = composite_kind(source);
  const auto other = static_cast<ShapeKind>(source.index(shape_kinds));
  return source.index(2) ? composite_case(source, composite, other)
                         : composite_case(source, other, composite);
}

/// One shape that is not convex, placed, and how large it is all together.
struct OneCase {
  verify::PlacedShape placed;
  double scale, size;
  bool searched;
};
inline OneCase one_case(Source& source) {
  const double scale = modest_scale(source);
  const Shape shape = CompositeGenerator(source, scale).any();
  const verify::PlacedShape placed{shape, shape_pose(source, scale)};
  CompositeCase parts{placed, placed};
  look_at_parts(parts, placed);
  return {placed, scale, shape.size() + max_abs(placed.pose.position), !parts.exact};
}

} // namespace carom::test
