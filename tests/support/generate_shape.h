// Random and deliberately degenerate shapes of every kind, and poses for them.
//
// Flat boxes, discs, needles, slivers, single points, duplicates; nested, rounded, mirrored; all at one scale that may be tiny or huge.
// A shape always comes out: where a builder refuses what was drawn (a brush without inside, a product out of range), something simpler.
#pragma once

#include "carom/math/tolerance.h"
#include "carom/shape/shape.h"
#include "tests/support/generate_geometry.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace carom::test {

/// What builders accept: what is too small becomes 0.
inline double coordinate(double x) {
  if (std::fabs(x) < tolerance::coordinate_min) return 0;
  return std::clamp(x, -tolerance::coordinate_max, tolerance::coordinate_max);
}
inline Vec3 coordinates(const Vec3& v) {
  return {coordinate(v.x), coordinate(v.y), coordinate(v.z)};
}

/// Draws shapes whose lengths are about `scale`.
class ShapeGenerator {
public:
  ShapeGenerator(Source& source, double scale) : source_(source), scale_(scale) {}

  /// Of the given kind, or of one that its degenerate cases fall back to; sums, hulls of two and scalings nest to `depth` (at least 1 deep).
  /// Sometimes rounded: then a point becomes a sphere, a segment a capsule.
  Shape of_kind(ShapeKind kind, int depth = 3) {
    Shape result = plain(kind, depth);
    if (!source_.chance(4)) return result;
    return result.rounded(coordinate(length())).value_or(result);
  }
  /// Of any kind but a half-space.
  Shape bounded(int depth = 3) {
    const int nested = 4; // sum, hull of two, custom, scaled: the last ones
    const int kinds = depth > 0 ? convex_kinds : convex_kinds - nested;
    const auto kind = static_cast<ShapeKind>(source_.index(kinds));
    return of_kind(kind == ShapeKind::half_space ? ShapeKind::box : kind, depth);
  }

  /// Nested as deep as `levels`: sums, hulls of two, rounded and scaled, in turn.
  Shape tower(int levels) {
    Shape result = bounded(0);
    for (int i = 0; i < levels; ++i) {
      const Shape other = bounded(0);
      const int step = source_.index(3);
      const Shape round = result.rounded(coordinate(scale_ * source_.uniform(0.1, 1))).value();
      const Vec3 f{source_.uniform(0.5, 1.5), source_.uniform(-1.5, -0.5), 1};
      result = step == 0   ? Shape::sum(result, other).value()
               : step == 1 ? Shape::hull_of_two(other, result).value()
                           : round.scaled(f).value_or(round);
    }
    return result;
  }

private:
  Vec3 point() { return coordinates(vec3(source_) * scale_); }
  Vec3 at(const Vec3& unscaled) const { return coordinates(unscaled * scale_); }
  /// Zero, ordinary, or far smaller than the rest.
  double length() { return coordinate(radius(source_) * scale_); }
  Vec3 lengths() {
    Vec3 v{length(), length(), length()};
    if (source_.chance(4)) v[source_.index(3)] = 0;                      // a plate, a disc
    if (source_.chance(4)) v[source_.index(3)] = coordinate(v.x * 1e-6); // a thin one
    if (source_.chance(4)) v.y = v.z;                                    // round about an axis
    return v;
  }

  Shape plain(ShapeKind kind, int depth) {
    switch (kind) {
    case ShapeKind::point:
      return Shape::point(point()).value();
    case ShapeKind::segment: {
      const Segment s = segment(source_);
      return Shape::segment(at(s.a), at(s.b)).value();
    }
    case ShapeKind::triangle: {
      const Triangle t = triangle(source_);
      return Shape::triangle(at(t.a), at(t.b), at(t.c)).value();
    }
    case ShapeKind::sphere:
      return sphere();
    case ShapeKind::capsule: {
      const Segment s = segment(source_);
      return Shape::capsule(at(s.a), at(s.b), length()).value();
    }
    case ShapeKind::box:
      return box();
    case ShapeKind::cylinder: {
      const Cylinder c = cylinder_of();
      return Shape::of(c).value();
    }
    case ShapeKind::cone: {
      const Cylinder c = cylinder_of();
      return Shape::of(Cone{c.center, c.axis, c.half_height, c.radius}).value();
    }
    case ShapeKind::tapered_capsule:
      return tapered_capsule();
    case ShapeKind::ellipsoid: {
      const Vec3 radii = lengths();
      if (source_.index(2) == 0) return Shape::ellipsoid(radii).value();
      const Mat3 m = axes(source_);
      return Shape::of(Ellipsoid{point(), m, radii}).value();
    }
    case ShapeKind::hull:
      return Shape::hull(hull_points()).value();
    case ShapeKind::half_space: {
      const Vec3 n = coordinates(stretched_direction(source_));
      return Shape::half_space(n, coordinate(real(source_) * scale_)).value();
    }
    case ShapeKind::brush:
      return brush();
    default:
      return nested(kind, depth);
    }
  }

  Shape sphere() {
    const double r = length();
    return Shape::sphere(r, source_.index(2) == 0 ? Vec3{} : point()).value();
  }

  Shape box() {
    const Vec3 half = lengths();
    if (source_.index(2) == 0) return Shape::box(half).value();
    const Mat3 m = axes(source_);
    return Shape::of(Obb{point(), m, half}).value();
  }

  Cylinder cylinder_of() {
    const Vec3 sizes = lengths();
    const Vec3 axis = direction(source_);
    return {source_.index(2) == 0 ? Vec3{} : point(), axis, sizes.x, sizes.y};
  }

  /// Also balls within each other, touching from inside, and equal ones.
  Shape tapered_capsule() {
    const Segment s = segment(source_);
    const Vec3 a = at(s.a);
    Vec3 b = at(s.b);
    const double ra = length();
    double rb = length();
    switch (source_.index(6)) {
    case 1:
      rb = ra;
      break;
    case 2: // touching from inside, along an axis so that it is exact
      b = a;
      b[source_.index(3)] += rb - ra;
      break;
    case 3: { // nearly so
      const Vec3 d = direction(source_);
      b = a + d * (std::fabs(ra - rb) * (1 + std::ldexp(1.0, -source_.index(50))));
      break;
    }
    default:
      break;
    }
    return Shape::tapered_capsule(a, ra, coordinates(b), rb).value();
  }

  std::vector<Vec3> hull_points() {
    static constexpr int counts[] = {4, 8, 5, 1, 2, 3, 16, 40, 200};
    const int n = counts[source_.index(9)];
    const int form = source_.index(9);
    const Mat3 m = axes(source_);
    const Vec3 center = source_.index(2) == 0 ? Vec3{} : vec3(source_);
    const double thin = std::ldexp(1.0, -10 - source_.index(40));
    std::vector<Vec3> points;
    for (int i = 0; i < n; ++i) {
      Vec3 p = vec3(source_);
      if (form == 1 || form == 2) p.z = 0;              // flat; in a coordinate plane or turned
      if (form == 3) p = {p.x, p.x, p.x};               // collinear
      if (form == 4) p.z *= thin;                       // a sliver
      if (form == 5) p = {p.x, p.y * thin, p.z * thin}; // a needle
      if (form == 6)
        p = {i % 2 * 1.0, i / 2 % 2 * 1.0, i / 4 % 2 * 1.0}; // a cube, its corners many times
      if (form == 7) p = normalized(p);                      // near a sphere
      points.push_back(form == 1 ? p + center : m * p + center);
    }
    if (source_.chance(4)) points.insert(points.end(), points.begin(), points.end() - n / 2);
    for (Vec3& p : points) p = at(p);
    return points;
  }

  /// A box's faces, thick or thin, and more that cut it or do not; some twice, with normals of any length.
  Shape brush() {
    const Mat3 m = source_.index(2) == 0 ? Mat3::identity() : axes(source_);
    const Vec3 center = vec3(source_);
    std::vector<HalfSpace> faces;
    const auto add = [&](const Vec3& normal, double offset) {
      const double l = source_.index(2) == 0 ? 1 : positive(source_);
      faces.push_back({coordinates(normal * l), coordinate(offset * l * scale_)});
    };
    for (int i = 0; i < 3; ++i) {
      const double h = positive(source_), middle = dot(m[i], center);
      add(m[i], middle + h);
      add(-m[i], h - middle);
    }
    for (int i = source_.index(8); i > 0; --i) {
      const Vec3 n = direction(source_);
      add(n, dot(n, center) + radius(source_));
    }
    if (source_.chance(4)) faces.push_back(faces.back());
    const auto made = Shape::brush(faces);
    if (made) return *made;
    faces.resize(6);
    return Shape::brush(faces).value_or(box());
  }

  Shape nested(ShapeKind kind, int depth) {
    const int below = std::max(depth - 1, 0);
    switch (kind) {
    case ShapeKind::sum: {
      const Shape a = bounded(below);
      const Shape b = bounded(below);
      return Shape::sum(a, b).value();
    }
    case ShapeKind::hull_of_two: {
      const Shape a = bounded(below);
      const Shape b = source_.chance(8) ? a : bounded(below);
      return Shape::hull_of_two(a, b).value();
    }
    case ShapeKind::custom:
      return custom();
    default: {
      const Shape child = bounded(below);
      return child.scaled(factors()).value_or(child);
    }
    }
  }

  Vec3 factors() {
    Vec3 f{positive(source_), positive(source_), positive(source_)};
    if (source_.chance(3)) f.y = f.z = f.x;
    for (int i = 0; i < 3; ++i) {
      if (source_.chance(3)) f[i] = -f[i];
    }
    return f;
  }

  /// A user's functions: a box by signs, an ellipsoid, a cylinder, a point; any length of d will do for them.
  Result<Shape> custom_function() {
    const Vec3 center = point();
    const Vec3 r = lengths();
    switch (source_.index(4)) {
    case 0:
      return Shape::custom([=](const Vec3& d) {
        return center +
               Vec3{std::copysign(r.x, d.x), std::copysign(r.y, d.y), std::copysign(r.z, d.z)};
      });
    case 1:
      return Shape::custom([=](const Vec3& d) {
        const Vec3 u = mul(r / std::max(max_abs(r), 1e-300), d / max_abs(d));
        return center + mul(r, normalized_or(u, {}));
      });
    case 2:
      return Shape::custom([=](const Vec3& d) {
        const Vec3 flat = normalized_or(Vec3{d.x, d.y, 0} / max_abs(d), {});
        return center + flat * r.x + Vec3{0, 0, std::copysign(r.z, d.z)};
      });
    default:
      return Shape::custom([=](const Vec3&) { return center; });
    }
  }

  /// A function whose points are out of range is refused: then the point.
  Shape custom() {
    const Result<Shape> made = custom_function();
    return made ? *made : Shape::point(point()).value();
  }

  Source& source_;
  double scale_;
};

/// Of the given kind, about 1 in size.
inline Shape shape_of(Source& source, ShapeKind kind) {
  return ShapeGenerator(source, 1).of_kind(kind);
}
/// Of any kind but a half-space.
inline Shape bounded_shape(Source& source) { return ShapeGenerator(source, 1).bounded(); }
/// Of any kind; one in 17 is a half-space.
inline Shape shape(Source& source) {
  return shape_of(source, static_cast<ShapeKind>(source.index(convex_kinds)));
}

/// A placement for shapes of size `scale`: near or far from the origin, the quaternion of any length.
inline Pose shape_pose(Source& source, double scale = 1) {
  static constexpr double distances[] = {1, 1, 1, 0, 1e3, 1e6};
  static constexpr double sizes[] = {1, 1, 1, 0.3, 7, 1e-12, 1e12};
  Quat q = rotation(source);
  const double s = sizes[source.index(7)];
  q = {q.x * s, q.y * s, q.z * s, q.w * s};
  const Vec3 at_1 = vec3(source);
  return {q, coordinates(at_1 * (distances[source.index(6)] * scale))};
}

/// A direction of any length: along an axis or nearly, any other, tiny or huge.
inline Vec3 any_direction(Source& source) {
  static constexpr double lengths[] = {1, 1, 1, 3, 1e-9, 1e9, 1e-30, 1e30, 1e-300, 1e300};
  const Vec3 d = direction(source);
  return d * lengths[source.index(10)];
}

} // namespace carom::test
