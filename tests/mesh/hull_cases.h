// Sets of points for hulls: generic ones, and those on which floating-point hulls fail.
#pragma once

#include "carom/math/interval.h"
#include "carom/math/vec3.h"
#include "tests/support/generate.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace carom::test {

/// Coordinates that rounding left below Carom's range are 0.
inline void into_range(std::vector<Vec3>& points) {
  for (Vec3& p : points) {
    for (int i = 0; i < 3; ++i) {
      if (std::fabs(p[i]) < 1e-30) p[i] = 0;
    }
  }
}

inline Vec3 nudged(Source& source, Vec3 p) {
  for (int i = 0; i < 3; ++i) {
    const int n = source.index(3);
    if (n == 1) p[i] = next_up(p[i]);
    if (n == 2) p[i] = next_down(p[i]);
  }
  return p;
}

/// One point of a set of the given kind; `frame` and `a` are the same for the whole set.
inline Vec3 hull_point(Source& source, int kind, const Frame& frame, const Vec3& a) {
  const auto small = [&](int n) { return static_cast<double>(source.index(n)); };
  switch (kind) {
  case 0: { // a small grid: coplanar, collinear and coincident points
    const double x = small(3);
    const double y = small(3);
    const double z = small(3);
    return {x, y, z};
  }
  case 1:
    return vec3(source);
  case 2: // on a sphere
    return direction(source);
  case 3: { // integers on the sphere x^2 + y^2 + z^2 = 9 * 49
    static constexpr double triples[][3] = {{21, 0, 0},  {20, 5, 4},  {19, 8, 4}, {18, 9, 6},
                                            {16, 13, 4}, {16, 11, 8}, {14, 14, 7}};
    const auto& t = triples[source.index(7)];
    const int first = source.index(3);
    const int step = 1 + source.index(2);
    const auto sign = [&] { return source.index(2) ? -1.0 : 1.0; };
    Vec3 p;
    p[first] = t[0] * sign();
    p[(first + step) % 3] = t[1] * sign();
    p[(first + 2 * step) % 3] = t[2] * sign();
    return p;
  }
  case 4: // a grid turned: planes and lines but for the last bits
    return frame.to_world({small(3), small(3), small(3)});
  case 5: { // a plane but for an ulp
    const double x = real(source);
    const double y = real(source);
    return nudged(source, frame.to_world({x, y, 0}));
  }
  case 6: { // on the surface of a cube
    Vec3 p = vec3(source);
    p[source.index(3)] = source.index(2) ? -1.0 : 1.0;
    return p;
  }
  case 7: // a line but for an ulp
    return nudged(source, a + frame.basis.x * real(source));
  case 8: // slivers
    return mul(vec3(source), {1, 0x1p-20, 0x1p-45});
  case 9: { // few places, many times
    const Vec3 p{small(2), small(2), small(2)};
    return a + frame.basis * p;
  }
  case 10: // exactly on a line
    return Vec3{3, -2, 5} * small(9);
  default: { // exactly in a plane
    const double s = small(7);
    const double t = small(7);
    return Vec3{1, 2, -1} * s + Vec3{-3, 1, 4} * t;
  }
  }
}

inline constexpr int hull_kinds = 12;

/// 1 to `most` points of one kind, sometimes of two; at any scale; sometimes far from the origin; some points twice.
inline std::vector<Vec3> hull_points(Source& source, int most) {
  const int kind = source.index(hull_kinds);
  const int other = source.chance(4) ? source.index(hull_kinds) : kind;
  const Frame frame = pose(source).frame();
  const Vec3 a = vec3(source);
  const int n = 1 + source.index(most);
  std::vector<Vec3> points;
  for (int i = 0; i < n; ++i) {
    points.push_back(hull_point(source, source.chance(6) ? other : kind, frame, a));
  }
  if (source.chance(3)) {
    for (int i = source.index(4); i > 0; --i) {
      points.push_back(points[static_cast<std::size_t>(source.index(n))]);
    }
  }
  const double s = scale(source);
  const Vec3 o = offset(source);
  for (Vec3& p : points) p = (p + o) * s;
  into_range(points);
  return points;
}

/// In another order.
inline std::vector<Vec3> shuffled(Source& source, std::vector<Vec3> points) {
  for (std::size_t i = points.size(); i > 1; --i) {
    std::swap(points[i - 1], points[static_cast<std::size_t>(source.below(i))]);
  }
  return points;
}

} // namespace carom::test
