// Exact rationals for the tests of this folder: what the code under test must agree with.
#pragma once

#include "carom/math/vec2.h"
#include "carom/math/vec3.h"
#include "tests/support/generate.h"

#include <gmpxx.h>

#include <cmath>
#include <vector>

namespace carom::test {

struct Q2 {
  mpq_class x, y;
  bool operator==(const Q2& o) const { return x == o.x && y == o.y; }
};
struct Q3 {
  mpq_class x, y, z;
};

inline Q2 exact(const Vec2& v) { return {mpq_class(v.x), mpq_class(v.y)}; }
inline Q3 exact(const Vec3& v) { return {mpq_class(v.x), mpq_class(v.y), mpq_class(v.z)}; }
inline Q2 operator-(const Q2& a, const Q2& b) { return {a.x - b.x, a.y - b.y}; }
inline Q3 operator-(const Q3& a, const Q3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline mpq_class dot(const Q2& a, const Q2& b) { return a.x * b.x + a.y * b.y; }
inline mpq_class cross(const Q2& a, const Q2& b) { return a.x * b.y - a.y * b.x; }
inline mpq_class dot(const Q3& a, const Q3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Q3 cross(const Q3& a, const Q3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline mpq_class turn(const Q2& a, const Q2& b, const Q2& c) { return cross(b - a, c - a); }
inline mpq_class volume(const Q3& a, const Q3& b, const Q3& c, const Q3& d) {
  return dot(cross(b - a, c - a), d - a);
}
inline bool on_segment(const Q2& p, const Q2& a, const Q2& b) {
  return turn(a, b, p) == 0 && dot(p - a, p - b) <= 0;
}

/// Points that like to coincide, to be collinear, and to be so except for the last bit.
inline Vec2 lattice_point(Source& source, int n) {
  Vec2 p{1.0 + source.index(n),
         1.0 + source.index(n)}; // not 0: next to it are numbers out of range
  if (source.chance(12)) p.x = std::nextafter(p.x, 9.0);
  if (source.chance(12)) p.y = std::nextafter(p.y, -9.0);
  return p;
}
/// A whole case: small integers, halves and arbitrary numbers, moved and scaled together (which rounds, and so breaks ties).
inline std::vector<Vec2> points2(Source& source, int count) {
  std::vector<Vec2> result;
  const int style = source.index(4);
  const double s = scale(source);
  const Vec3 o = offset(source);
  for (int i = 0; i < count; ++i) {
    const Vec2 p = style == 0 ? lattice_point(source, 4) : vec2(source);
    result.push_back(style < 2 ? p : (p + Vec2{o.x, o.y}) * s);
  }
  return result;
}
inline double reach(const std::vector<Vec2>& points) {
  double r = 0;
  for (const Vec2& p : points) r = std::max({r, std::fabs(p.x), std::fabs(p.y)});
  return r;
}

} // namespace carom::test
