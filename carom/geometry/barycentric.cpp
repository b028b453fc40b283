// A weight is a signed area (or volume) of the shape with one corner replaced by p, over that of the shape itself. For a triangle in
// space the areas are measured along its normal n = (b - a) x (c - a), so that p need not be on the plane: the weight of b is
// ((p - a) x (c - a)) . n / n . n.
//
// In slivers n is a small difference of large products, and its rounded direction is wrong. There the formula is summed exactly
// (expansion.h) and rounded once. A triangle whose angle at a has a sine of 1/4 or more loses at most two bits to that, and is
// computed in double. Volumes are always summed exactly: one determinant for each corner.
#include "carom/geometry/barycentric.h"

#include "carom/math/expansion.h"
#include "carom/math/predicates.h"

namespace carom {
namespace {

using predicate::Row3;
using ExactVector = Row3<Expansion<2>>;

ExactVector exact_minus(const Vec3& a, const Vec3& b) {
  return {exact_difference(a.x, b.x), exact_difference(a.y, b.y), exact_difference(a.z, b.z)};
}

auto exact_cross(const ExactVector& u, const ExactVector& v) {
  using Entry = decltype(u.y * v.z - u.z * v.y);
  return Row3<Entry>{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

template<class T>
Vec3 rounded(const Row3<T>& v) {
  return {v.x.estimate(), v.y.estimate(), v.z.estimate()};
}

double volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return det3(exact_minus(d, a), exact_minus(b, a), exact_minus(c, a)).estimate();
}

Vec3 weights_by_expansions(const Vec3& p, const Triangle& t) {
  const auto n = exact_cross(exact_minus(t.b, t.a), exact_minus(t.c, t.a));
  const double square = inner(n, n).estimate();
  const auto weight = [&](const Vec3& q, const Vec3& r) {
    return inner(exact_cross(exact_minus(q, p), exact_minus(r, p)), n).estimate() / square;
  };
  const double a = weight(t.b, t.c);
  const double b = weight(t.c, t.a);
  const double c = weight(t.a, t.b);
  return {a, b, c};
}

/// Along the longest edge of three collinear corners.
Vec3 weights_on_line(const Vec3& p, const Triangle& t) {
  int from = 0;
  double longest = -1;
  for (int i = 0; i < 3; ++i) {
    const double square = distance_squared(t[i], t[(i + 1) % 3]);
    if (square > longest) {
      longest = square;
      from = i;
    }
  }
  const int to = (from + 1) % 3;
  if (!(longest > 0)) return {1, 0, 0};
  const double s = dot(p - t[from], t[to] - t[from]) / longest;
  Vec3 weights;
  weights[from] = 1 - s;
  weights[to] = s;
  return weights;
}

bool is_flat(const Triangle& t) {
  const Vec2 xy[] = {{t.a.x, t.a.y}, {t.b.x, t.b.y}, {t.c.x, t.c.y}};
  const Vec2 yz[] = {{t.a.y, t.a.z}, {t.b.y, t.b.z}, {t.c.y, t.c.z}};
  const Vec2 zx[] = {{t.a.z, t.a.x}, {t.b.z, t.b.x}, {t.c.z, t.c.x}};
  return orient2d(xy[0], xy[1], xy[2]) == 0 && orient2d(yz[0], yz[1], yz[2]) == 0 &&
         orient2d(zx[0], zx[1], zx[2]) == 0;
}

} // namespace

TriangleWeights barycentric(const Vec3& p, const Triangle& t) {
  const Vec3 ab = t.b - t.a;
  const Vec3 ac = t.c - t.a;
  const Vec3 n = cross(ab, ac);
  const double square = length_squared(n);
  // The sine of the angle at a is |n| / (|ab| |ac|).
  constexpr double least_sine_squared = 1.0 / 16;
  if (square > least_sine_squared * length_squared(ab) * length_squared(ac)) {
    const Vec3 ap = p - t.a;
    const double b = dot(cross(ap, ac), n) / square;
    const double c = dot(cross(ab, ap), n) / square;
    return {{1 - b - c, b, c}, false};
  }
  if (is_flat(t)) return {weights_on_line(p, t), true};
  return {weights_by_expansions(p, t), false};
}

double plane_distance(const Vec3& p, const Triangle& t) {
  const Vec3 n = rounded(exact_cross(exact_minus(t.b, t.a), exact_minus(t.c, t.a)));
  const double l = length(n);
  return l > 0 ? std::fabs(volume(t.a, t.b, t.c, p)) / l : 0;
}

TetrahedronWeights barycentric(const Vec3& p, const Tetrahedron& t) {
  const double whole = volume(t.a, t.b, t.c, t.d);
  if (whole != 0) {
    const double a = volume(p, t.b, t.c, t.d) / whole;
    const double b = volume(t.a, p, t.c, t.d) / whole;
    const double c = volume(t.a, t.b, p, t.d) / whole;
    const double d = volume(t.a, t.b, t.c, p) / whole;
    return {{a, b, c, d}, false};
  }
  int opposite = 0;
  double largest = -1;
  Triangle face{};
  for (int i = 0; i < 4; ++i) {
    const Triangle f{t[(i + 1) % 4], t[(i + 2) % 4], t[(i + 3) % 4]};
    const double area = length_squared(f.normal());
    if (area > largest) {
      largest = area;
      opposite = i;
      face = f;
    }
  }
  const Vec3 w = barycentric(p, face).weights;
  TetrahedronWeights result{{}, true};
  for (int i = 0; i < 3; ++i)
    result.weights[static_cast<std::size_t>((opposite + 1 + i) % 4)] = w[i];
  return result;
}

} // namespace carom
