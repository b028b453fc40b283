// Polytopes with integer corners at poses that need no rounding, and their distance in integers of any length.
//
// Such poses turn by one of the 24 rotations of a cube: a rotation whose entries are multiples of 2^-k has columns of integers whose squares add up to 4^k; squares are 0 or 1 modulo 4,
// so all three are even, and so on down to k = 0.
#pragma once

#include "carom/query/answer.h"
#include "carom/shape/shape.h"
#include "tests/support/source.h"

#include <gmpxx.h>

#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace carom::test {

/// A shape, its pose and its corners in the world, which are exact.
struct ExactPolytope {
  Shape shape;
  Pose pose;
  std::vector<Vec3> corners;
};

inline constexpr std::array exact_kinds{ShapeKind::point, ShapeKind::segment, ShapeKind::triangle,
                                        ShapeKind::box, ShapeKind::hull};

/// One of the 24.
inline Quat cube_rotation(Source& source) {
  const auto digit = [&] { return static_cast<double>(source.index(3)) - 1; };
  for (;;) {
    const double x = digit();
    const double y = digit();
    const double z = digit();
    const double w = 1 - static_cast<double>(source.index(3));
    const double squared = x * x + y * y + z * z + w * w;
    if (squared == 1 || squared == 2 || squared == 4) return {x, y, z, w};
  }
}

inline Vec3 integer_vec3(Source& source, int most) {
  const auto draw = [&] { return static_cast<double>(source.index(2 * most + 1) - most); };
  const double x = draw();
  const double y = draw();
  const double z = draw();
  return {x, y, z};
}

/// With corners from -2 to 2 and a translation from -4 to 4, times the unit, a power of 2.
inline ExactPolytope exact_polytope(Source& source, ShapeKind kind, double unit = 1) {
  std::vector<Vec3> local;
  static constexpr int hull_counts[] = {4, 5, 8, 12, 3};
  int count = kind == ShapeKind::hull ? hull_counts[source.index(5)] : static_cast<int>(kind) + 1;
  const Vec3 drawn = integer_vec3(source, 2) * unit;
  const Vec3 half = abs(drawn);
  if (kind == ShapeKind::box) {
    for (int i = 0; i < 8; ++i) local.push_back(Obb{{}, Mat3::identity(), half}.corner(i));
    count = 0;
  }
  for (; count > 0; --count) local.push_back(integer_vec3(source, 2) * unit);
  const auto made = [&] {
    switch (kind) {
    case ShapeKind::point:
      return Shape::point(local[0]);
    case ShapeKind::segment:
      return Shape::segment(local[0], local[1]);
    case ShapeKind::triangle:
      return Shape::triangle(local[0], local[1], local[2]);
    case ShapeKind::box:
      return Shape::box(half);
    default:
      return Shape::hull(local);
    }
  };
  const Quat q = cube_rotation(source);
  const Vec3 moved = integer_vec3(source, 4) * unit;
  ExactPolytope p{made().value(), {q, moved}, {}};
  const Frame frame = p.pose.frame();
  for (const Vec3& v : local) p.corners.push_back(frame.to_world(v));
  return p;
}

/// A point of it: a corner, the middle of an edge or a diagonal, or of four corners. Exact.
inline Vec3 exact_point(Source& source, const ExactPolytope& p) {
  const auto corner = [&] { return p.corners[source.below(p.corners.size())]; };
  const Vec3 a = corner();
  const Vec3 b = corner();
  const Vec3 c = corner();
  const Vec3 d = corner();
  switch (source.index(3)) {
  case 0:
    return a;
  case 1:
    return (a + b) * 0.5;
  default:
    return (a + b + c + d) * 0.25;
  }
}

/// Of two shapes, the second, moved so that they have a point in common, or miss it by the hair; or as it was.
inline ExactPolytope brought_near(Source& source, const ExactPolytope& a, ExactPolytope b,
                                  const Vec3& hair = {}) {
  const Vec3 on_a = exact_point(source, a);
  const Vec3 on_b = exact_point(source, b);
  const Vec3 way = source.chance(4) ? hair : on_a - on_b + hair;
  b.pose.position += way;
  for (Vec3& p : b.corners) p += way;
  return b;
}

/// 0, or a little along some axes.
inline Vec3 hair(Source& source) {
  const Vec3 v = integer_vec3(source, 1);
  return v * std::ldexp(1.0, -20 - 9 * source.index(4));
}

/// A vector of integers, in units of 2^-200.
struct IntegerVec3 {
  mpz_class x, y, z;

  static mpz_class scaled(double v) { return mpz_class(mpq_class(v) << 200); }
  static IntegerVec3 of(const Vec3& v) { return {scaled(v.x), scaled(v.y), scaled(v.z)}; }
  friend IntegerVec3 operator+(const IntegerVec3& a, const IntegerVec3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend IntegerVec3 operator-(const IntegerVec3& a, const IntegerVec3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
};
inline mpz_class dot(const IntegerVec3& a, const IntegerVec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// The point of the flat through some points that is nearest to the origin, sum / weight, where it is a mixture of them.
struct FlatPoint {
  IntegerVec3 sum;
  mpz_class weight;
};

inline std::optional<FlatPoint> nearest_in_flat(const std::vector<IntegerVec3>& points) {
  // With edges e from the first point p: p + sum t e is at right angles to all e, by Cramer's rule.
  const std::size_t n = points.size() - 1;
  const IntegerVec3& p = points[0];
  mpz_class m[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, r[3] = {0, 0, 0};
  for (std::size_t i = 0; i < n; ++i) {
    const IntegerVec3 e = points[i + 1] - p;
    r[i] = -dot(e, p);
    for (std::size_t j = 0; j < n; ++j) m[i][j] = dot(e, points[j + 1] - p);
  }
  const auto det = [&](std::size_t replaced) {
    mpz_class c[3][3];
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) c[i][j] = j == replaced ? r[i] : m[i][j];
    }
    return mpz_class(c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[2][1]) -
                     c[0][1] * (c[1][0] * c[2][2] - c[1][2] * c[2][0]) +
                     c[0][2] * (c[1][0] * c[2][1] - c[1][1] * c[2][0]));
  };
  FlatPoint f{{0, 0, 0}, det(3)};
  if (f.weight == 0) return {};
  mpz_class first = f.weight;
  const auto add = [&](const mpz_class& w, const IntegerVec3& q) {
    f.sum = {f.sum.x + w * q.x, f.sum.y + w * q.y, f.sum.z + w * q.z};
  };
  for (std::size_t i = 0; i < n; ++i) {
    const mpz_class t = det(i);
    if (t < 0) return {};
    first -= t;
    add(t, points[i + 1]);
  }
  if (first < 0) return {};
  add(first, p);
  return f;
}

/// The distance of the hulls of two sets of points: 0 if and only if they have a point in common. The point of the hull of all differences that is nearest to the origin, by a search that
/// adds the farthest point and tries all subsets; integers throughout, so it ends at the truth.
inline double exact_distance(const std::vector<IntegerVec3>& a, const std::vector<IntegerVec3>& b) {
  std::vector<IntegerVec3> all, kept;
  for (const IntegerVec3& p : a) {
    for (const IntegerVec3& q : b) all.push_back(p - q);
  }
  kept.push_back(all[0]);
  for (;;) {
    std::optional<FlatPoint> best;
    std::vector<IntegerVec3> carriers;
    for (unsigned s = 1; s < 1u << kept.size(); ++s) {
      std::vector<IntegerVec3> subset;
      for (std::size_t i = 0; i < kept.size(); ++i) {
        if (s >> i & 1) subset.push_back(kept[i]);
      }
      if (subset.size() > 4) continue;
      const auto f = nearest_in_flat(subset);
      if (!f) continue;
      const bool nearer = !best || dot(f->sum, f->sum) * best->weight * best->weight <
                                       dot(best->sum, best->sum) * f->weight * f->weight;
      if (nearer) {
        best = f;
        carriers = subset;
      }
    }
    const IntegerVec3& v = best->sum;
    const mpz_class squared = dot(v, v);
    if (squared == 0) return 0;
    const IntegerVec3* lowest = &all[0];
    for (const IntegerVec3& w : all) {
      if (dot(v, w) < dot(v, *lowest)) lowest = &w;
    }
    if (dot(v, *lowest) * best->weight >= squared) {
      const mpf_class length = sqrt(mpf_class(squared, 2000)) / mpf_class(best->weight, 2000);
      return std::ldexp(mpf_class(length).get_d(), -200);
    }
    kept = carriers;
    kept.push_back(*lowest);
  }
}

inline double exact_distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  const auto integers = [](const std::vector<Vec3>& points) {
    std::vector<IntegerVec3> result;
    for (const Vec3& p : points) result.push_back(IntegerVec3::of(p));
    return result;
  };
  return exact_distance(integers(a), integers(b));
}

} // namespace carom::test
