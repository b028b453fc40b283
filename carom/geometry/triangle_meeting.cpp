// Whether and where a line passes through a triangle.
//
// Let A, B, C be the corners seen from the origin and d the direction. The line passes an edge A B on one side or the other by the sign of
// d . (A x B). It passes through the triangle where the three signs around it agree, zeros agreeing with both. Each sign is exact:
// in doubles where it is greater than its error bound, else by orient3d_direction (for segments, orient3d on the four points). So
// triangles with a common edge agree about it.
//
// The three numbers add up to d . n. All three zero means that the line lies in the plane, or that the triangle is degenerate and
// meets the line's direction in one plane: then the corners are sorted to the sides of the line within that plane, exactly.
//
// t = n . A / n . d cancels for slivers and grazing lines; there both are computed exactly and rounded once.
#include "carom/geometry/triangle_meeting.h"

#include "carom/math/expansion.h"
#include "carom/math/tolerance.h"

#include <algorithm>

namespace carom::cast_detail {
namespace {

using predicate::Row3;
using tolerance::epsilon;

// ---- the three signs

struct Sides {
  bool miss = true;
  int around = 0; // the sign that agrees with all three; 0 when all are zero
};

// How the line passes the three edges. In doubles, with one error bound for all three: 2 |d|_1 M^2 bounds the sum of the absolute values of
// the terms of each, and 7 roundings go into each term (differences 2, products 2, sums 3): 8 * 2^-53 of it, and some more for the
// rounding of the bound itself.
Sides pass(const Carrier& line, const Triangle& t) {
  const Vec3 a = t.a - line.origin, b = t.b - line.origin, c = t.c - line.origin;
  const Vec3& d = line.direction;
  const double reach = max_abs(max(max(abs(a), abs(b)), abs(c)));
  double bound = 9 * epsilon * (std::fabs(d.x) + std::fabs(d.y) + std::fabs(d.z)) * reach * reach;
  if (line.end) bound += bound; // the direction is a rounded difference
  const auto sign = [&](double value, const Vec3& from, const Vec3& to) {
    if (value > bound) return 1;
    if (value < -bound) return -1;
    return line.side(from, to);
  };
  const Vec3 d_a = cross(d, a);
  const int ab = sign(dot(d_a, b), t.a, t.b);
  const int ca = sign(-dot(d_a, c), t.c, t.a);
  if (ab * ca < 0) return {};
  const int bc = sign(dot(cross(d, b), c), t.b, t.c);
  if (ab * bc < 0 || ca * bc < 0) return {};
  return {false, ab != 0 ? ab : ca != 0 ? ca : bc};
}

// ---- t

template<class U, class V>
auto exact_dot(const U& u, const V& v) {
  return u.x * v.x + u.y * v.y + u.z * v.z;
}
Row3<Expansion<2>> exact_difference(const Vec3& a, const Vec3& b) {
  return {carom::exact_difference(a.x, b.x), carom::exact_difference(a.y, b.y),
          carom::exact_difference(a.z, b.z)};
}
auto exact_normal(const Triangle& t) {
  const auto u = exact_difference(t.b, t.a), v = exact_difference(t.c, t.a);
  return Row3<Expansion<16>>{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

// t where the line crosses the plane, computed exactly and rounded.
double exact_crossing(const Carrier& line, const Triangle& t) {
  const auto n = exact_normal(t);
  const double over = exact_dot(n, exact_difference(t.a, line.origin)).estimate();
  const Vec3& d = line.direction;
  const double speed = line.end ? exact_dot(n, exact_difference(*line.end, line.origin)).estimate()
                                : exact_dot(n, Row3<Expansion<1>>{d.x, d.y, d.z}).estimate();
  return over / speed;
}

// ---- in one plane

// On which side of the line each corner lies, within the plane of the line and the triangle. The plane is seen along a coordinate axis
// from which it is not edge-on: one for which some corner is off the line. Such a view is an exact sign of its own: the second
// point of `side` is put at any distance from the origin along that axis.
struct CornerSides {
  int side[3] = {0, 0, 0}; // all zero: all corners are on the line
};

CornerSides corner_sides(const Carrier& line, const Triangle& t) {
  CornerSides result;
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 up = line.origin;
    up[axis] = up[axis] >= 0 ? 2 * up[axis] + 1 : 0; // greater than it was, and in range
    bool any = false;
    for (int i = 0; i < 3; ++i) {
      result.side[i] = line.side(t[i], up);
      any = any || result.side[i] != 0;
    }
    if (any) break;
  }
  return result;
}

// Where the line crosses the segment from p to q, whose ends are on strictly opposite sides of it. The point is the mean of the two,
// weighed by their distances from the line.
double edge_crossing(const Carrier& line, const Vec3& p, const Vec3& q) {
  const Vec3& d = line.direction;
  const Vec3 from_p = p - line.origin, from_q = q - line.origin;
  const double a = length(cross(d, from_p)), b = length(cross(d, from_q));
  const double part = a + b > 0 ? a / (a + b) : 0.5;
  return dot(lerp(from_p, from_q, part), d) / length_squared(d);
}

Meeting meet_in_plane(const Carrier& line, const Triangle& t) {
  const CornerSides corners = corner_sides(line, t);
  Meeting result{false, true, 0, INFINITY, -INFINITY};
  const auto add = [&](double at) {
    result.hit = true;
    result.enter = std::min(result.enter, at);
    result.exit = std::max(result.exit, at);
  };
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    if (corners.side[i] == 0) {
      add(dot(t[i] - line.origin, line.direction) / length_squared(line.direction));
    }
    if (corners.side[i] * corners.side[j] < 0) add(edge_crossing(line, t[i], t[j]));
  }
  return result;
}

} // namespace

// In the plane of the triangle seen along an axis, or, where all views are flat, on a segment: there the box decides.
bool contains(const Triangle& t, const Vec3& p) {
  if (orient3d(t.a, t.b, t.c, p) != 0) return false;
  for (int axis = 0; axis < 3; ++axis) {
    const auto flat = [&](const Vec3& v) { return Vec2{v[(axis + 1) % 3], v[(axis + 2) % 3]}; };
    const Vec2 a = flat(t.a), b = flat(t.b), c = flat(t.c), x = flat(p);
    const int ab = orient2d(a, b, x), bc = orient2d(b, c, x), ca = orient2d(c, a, x);
    if (ab * bc < 0 || bc * ca < 0 || ca * ab < 0) return false;
  }
  const Vec3 low = min(min(t.a, t.b), t.c), high = max(max(t.a, t.b), t.c);
  return min(low, p) == low && max(high, p) == high;
}

double crossing(const Carrier& line, const Triangle& t) {
  const Vec3 u = t.b - t.a, v = t.c - t.a;
  const Vec3 n = cross(u, v);
  const double speed = dot(n, line.direction);
  // One part in 256 of the greatest it could be leaves an error of t of some 256 epsilon.
  const double greatest = max_abs(u) * max_abs(v) * max_abs(line.direction);
  if (std::fabs(speed) > greatest * 0x1p-8) return dot(n, t.a - line.origin) / speed;
  return exact_crossing(line, t);
}

Meeting meet(const Carrier& line, const Triangle& t) {
  const bool point = line.end ? *line.end == line.origin : line.direction == Vec3{};
  if (point) return {contains(t, line.origin), true, 0, -INFINITY, INFINITY};
  const Sides sides = pass(line, t);
  if (sides.miss) return {};
  if (sides.around == 0) return meet_in_plane(line, t);
  const double at = crossing(line, t);
  return {true, false, sides.around, at, at};
}

Vec3 unit_normal(const Triangle& t) {
  const Vec3 u = t.b - t.a, v = t.c - t.a;
  const Vec3 n = cross(u, v);
  if (max_abs(n) > max_abs(u) * max_abs(v) * 0x1p-6) return normalized(n);
  const auto exact = exact_normal(t);
  const Vec3 rounded{exact.x.estimate(), exact.y.estimate(), exact.z.estimate()};
  return normalized_or(rounded, {});
}

} // namespace carom::cast_detail
