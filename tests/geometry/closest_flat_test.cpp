// Nearest points of flat pieces, against exact rationals and through the checker.
#include "carom/geometry/closest_flat.h"

#include "tests/geometry/closest_check.h"
#include "tests/geometry/exact_distance.h"

#include <limits>

namespace carom {
namespace {

using test::Placement;
using test::Source;
using test::tight;

double size_of(const Placement& m) {
  return 8 * m.scale + max_abs(m.offset);
}

/// A second triangle, often coplanar with the first, parallel to it, touching it, or through it.
Triangle partner(Source& source, const Triangle& t) {
  const Triangle other = test::triangle(source);
  const auto in_plane = [&] {
    const double v = test::real(source), w = test::real(source);
    return t.at({1 - v - w, v, w});
  };
  switch (source.index(6)) {
  case 1: {
    const Vec3 a = in_plane(), b = in_plane(), c = in_plane();
    return {a, b, c};
  }
  case 2: {
    const Vec3 shift = test::vec3(source) * std::ldexp(1.0, -source.index(50));
    return {t.a + shift, t.b + shift, t.c + shift};
  }
  case 3:
    return {t[source.index(3)], other.b, other.c};
  case 4: {
    const Vec3 m = lerp(lerp(t.a, t.b, source.unit()), t.c, source.unit());
    return {m, other.b, m * 2 - other.b};
  }
  case 5: {
    const Vec3 m = lerp(t.a, t.b, source.unit());
    return {m, other.b, other.c};
  }
  default:
    return other;
  }
}

/// Common points, where the distance is 0, are one point, in both to within the tolerance.
template<class A, class B>
void check(const A& a, const B& b, const ClosestPair& c, double size) {
  const double reference = test::exact_distance(a, b);
  const verify::Verdict v = test::judge(a, b, c, reference, size);
  RC_LOG() << v.why << " (distance " << c.distance << ", exact " << reference << ")\n";
  RC_ASSERT(v.ok);
  if (c.distance == 0) RC_ASSERT(c.on_a == c.on_b);
}

PROPERTY(ClosestFlat, TriangleTriangle) {
  const Placement m = test::placement(source);
  const Triangle t = test::triangle(source);
  const Triangle a = test::moved(m, t), b = test::moved(m, partner(source, t));
  const ClosestTriangles c = closest_points(a, b);
  check(a, b, c, size_of(m));
  RC_ASSERT(distance(a.at(c.barycentric_a), c.on_a) <= tight * size_of(m));
  RC_ASSERT(distance(b.at(c.barycentric_b), c.on_b) <= tight * size_of(m));
}

PROPERTY(ClosestFlat, SegmentTriangle) {
  const Placement m = test::placement(source);
  const Triangle t = test::triangle(source), other = partner(source, t);
  const Triangle b = test::moved(m, t);
  const Segment a = test::moved(m, Segment{other.a, source.chance(8) ? other.a : other.b});
  const ClosestToTriangle c = closest_points(a, b);
  check(a, b, c, size_of(m));
  RC_ASSERT(distance(a.at(c.t), c.on_a) <= tight * size_of(m));
  RC_ASSERT(distance(b.at(c.barycentric), c.on_b) <= tight * size_of(m));
}

PROPERTY(ClosestFlat, SegmentRectangle) {
  const Placement m = test::placement(source);
  const Rectangle r = test::rectangle(source);
  const Rectangle b = test::moved(m, r);
  const Triangle other = partner(source, {r.vertices()[0], r.vertices()[1], r.vertices()[2]});
  const Segment a = test::moved(m, Segment{other.a, other.b});
  const ClosestToRectangle c = closest_points(a, b);
  check(a, b, c, size_of(m));
  RC_ASSERT(distance(a.at(c.t), c.on_a) <= tight * size_of(m));
  RC_ASSERT(distance(b.at(c.st.x, c.st.y), c.on_b) <= tight * size_of(m));
}

PROPERTY(ClosestFlat, TriangleRectangle) {
  const Placement m = test::placement(source);
  const Rectangle r = test::rectangle(source);
  const Rectangle b = test::moved(m, r);
  const Triangle a = test::moved(m, partner(source, {r.vertices()[0], r.vertices()[1], r.vertices()[2]}));
  const ClosestTriangleRectangle c = closest_points(a, b);
  check(a, b, c, size_of(m));
  RC_ASSERT(distance(a.at(c.barycentric), c.on_a) <= tight * size_of(m));
  RC_ASSERT(distance(b.at(c.st.x, c.st.y), c.on_b) <= tight * size_of(m));
}

PROPERTY(ClosestFlat, RectangleRectangle) {
  const Placement m = test::placement(source);
  const Rectangle r = test::rectangle(source);
  Rectangle other = test::rectangle(source);
  switch (source.index(4)) {
  case 1: // parallel, perhaps coplanar
    other.u = r.u;
    other.v = r.v;
    other.center = r.at(test::real(source), test::real(source)) +
                   cross(r.u, r.v) * (source.chance(2) ? 0 : test::real(source));
    break;
  case 2: // touching, or through
    other.center += r.at(r.half_u * test::real(source), r.half_v) - other.vertices()[2];
    break;
  default:
    break;
  }
  const Rectangle a = test::moved(m, r), b = test::moved(m, other);
  const ClosestRectangles c = closest_points(a, b);
  check(a, b, c, size_of(m));
  RC_ASSERT(distance(a.at(c.st_a.x, c.st_a.y), c.on_a) <= tight * size_of(m));
  RC_ASSERT(distance(b.at(c.st_b.x, c.st_b.y), c.on_b) <= tight * size_of(m));
}

template<class X>
void check_straight(const X& x, const Triangle& b, double size) {
  const ClosestToTriangle c = closest_points(x, b);
  const double slack = tight * size;
  RC_ASSERT(verify::distance(c.on_a, x) <= slack);
  RC_ASSERT(verify::distance(c.on_b, b) <= slack);
  RC_ASSERT(std::fabs(length(c.on_a - c.on_b) - c.distance) <= slack);
  RC_ASSERT(std::fabs(c.distance - test::exact_distance(x, b)) <= slack);
  RC_ASSERT(distance(x.at(c.t), c.on_a) <= slack);
  RC_ASSERT(distance(b.at(c.barycentric), c.on_b) <= slack);
}

PROPERTY(ClosestFlat, LineAndRayTriangle) {
  const Placement m = test::placement(source);
  const Triangle t = test::triangle(source), other = partner(source, t);
  const Triangle b = test::moved(m, t);
  const Segment s = test::moved(m, Segment{other.a, other.b});
  check_straight(Line{s.a, s.direction()}, b, size_of(m));
  check_straight(Ray{s.a, s.direction()}, b, size_of(m));
}

} // namespace
} // namespace carom
