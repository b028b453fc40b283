// Box against box. (Balls, planes and triangles have their own files.)
//
// B is carried into A's frame: a center c and the columns r of a matrix. From there on B is the set c + r s, |s| <=
// half_b, for just these doubles: a parallelepiped, a few epsilon from a box. The rounding has moved B by a few epsilon of the size,
// and that is the only error made. The 15 axes are those of this parallelepiped against A:
//   3  the axes of A                  e_i
//   3  the normals of B's faces       n_k = r_j x r_l       (not r_k, which is no longer quite at right angles)
//   9  the edges                      e_i x r_j
// Let n be the matrix of columns n_k. With (e_i x r_j) . r_l = e_i . (r_j x r_l), the reach of B along e_i x r_j is made of entries of n,
// each a difference of two products in which a component of the axis is a factor. So every quantity is right to within an
// epsilon of |axis| times the size. That matters for nearly parallel edges, where e_i x r_j is a few epsilon long: taking the
// entries of n from r, as for exact rotations they would be, leaves an error of an epsilon on everything, which an axis that short
// does not survive; hence the customary epsilon on |r|, and the wrong answers, at angles between epsilon and 1, that it brings.
// Here the error is relative to the axis, stands on the side of the radius, and only sorts the axes into three:
//   |c . axis| > radius + error     separated, done;
//   |c . axis| < radius - error     no separation here;
//   between                         decided exactly, in expansions, for this axis alone.
// With the exact decision the answer is right even where distances do not show on any axis: two sharp corners a distance d apart may
// overlap on all 15 axes but for a small part of d.
#include "carom/geometry/overlap_box.h"

#include "carom/geometry/box_clip.h"
#include "carom/math/expansion.h"
#include "carom/math/tolerance.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom {
namespace {

/// Axes 0-2: A's; 3-5: the normals of B; 6 + 3 i + j: e_i x r_j.
constexpr int axis_count = 15;

/// An axis shorter than this times its edges is left out: it costs 1e-100 of the size, and its products might underflow.
constexpr double shortest_axis = 1e-100;

struct Scan {
  int separating = -1;  ///< the first axis that separates for certain
  unsigned unsure = 0;  ///< bit k: axis k might separate
};

double sum(const Vec3& v) {
  return v.x + v.y + v.z;
}

Mat3 face_normals(const Mat3& r) {
  return {cross(r.y, r.z), cross(r.z, r.x), cross(r.x, r.y)};
}

/// Half of A's and B's lengths and the distance of the centers: what rounding errors are relative to.
double reach(const Vec3& half, const Obb& b) {
  return sum(half) + sum(b.half) + max_abs(b.center);
}

Scan scan_axes(const Vec3& half, const Obb& b) {
  const Vec3 c = b.center;
  const Mat3 r = b.axes;
  const Vec3 hb = b.half;
  const Mat3 ar = abs(r);
  Scan result;
  // Counting roundings of each term as (number) * 2^-53 * (|axis|_1 * reach): axes of A 6, cross products 7, normals of B 13. 16
  // covers them all.
  const double error = 0x1p-49 * reach(half, b);
  // Returns true when the axis separates.
  const auto compare = [&](int axis, double distance, double radius, double slack) {
    if (distance > radius + slack) {
      result.separating = axis;
      return true;
    }
    if (!(distance < radius - slack)) result.unsure |= 1u << axis;
    return false;
  };
  const Vec3 reach_b = ar * hb;
  if (compare(0, std::fabs(c.x), half.x + reach_b.x, error)) return result;
  if (compare(1, std::fabs(c.y), half.y + reach_b.y, error)) return result;
  if (compare(2, std::fabs(c.z), half.z + reach_b.z, error)) return result;

  const Mat3 n = face_normals(r);
  const Mat3 an = abs(n);
  const auto face_b = [&](int axis, const Vec3& normal, const Vec3& abs_normal, const Vec3& edge,
                          double h) {
    const double radius = dot(half, abs_normal) + h * std::fabs(dot(edge, normal));
    return compare(axis, std::fabs(dot(c, normal)), radius, error);
  };
  if (face_b(3, n.x, an.x, r.x, hb.x)) return result;
  if (face_b(4, n.y, an.y, r.y, hb.y)) return result;
  if (face_b(5, n.z, an.z, r.z, hb.z)) return result;

  // e_i x r_j has components -r_j[k] at l and r_j[l] at k, where i, l, k are cyclic.
  const auto edges_of = [&](int i, int l, int k) {
    const auto edge = [&](int j, const Vec3& rj, const Vec3& arj, double other, double other_n,
                          double another, double another_n) {
      const double distance = std::fabs(c[k] * rj[l] - c[l] * rj[k]);
      const double radius =
          half[l] * arj[k] + half[k] * arj[l] + (other * other_n + another * another_n);
      const double axis_length = arj[k] + arj[l];
      if (!(axis_length >= shortest_axis)) return false;
      return compare(6 + 3 * i + j, distance, radius, error * axis_length);
    };
    return edge(0, r.x, ar.x, hb.y, an.z[i], hb.z, an.y[i]) ||
           edge(1, r.y, ar.y, hb.z, an.x[i], hb.x, an.z[i]) ||
           edge(2, r.z, ar.z, hb.x, an.y[i], hb.y, an.x[i]);
  };
  static_cast<void>(edges_of(0, 1, 2) || edges_of(1, 2, 0) || edges_of(2, 0, 1));
  return result;
}

// The same axes, exactly.

using ExactVec3 = std::array<Expansion<4>, 3>;

ExactVec3 exact_axis(const Mat3& r, int axis) {
  ExactVec3 v;
  const auto at = [&v](int i) -> Expansion<4>& { return v[static_cast<std::size_t>(i)]; };
  if (axis < 3) {
    at(axis) = Expansion<4>(1.0);
  } else if (axis < 6) {
    const Vec3& p = r[(axis - 2) % 3];
    const Vec3& q = r[(axis - 1) % 3];
    for (int i = 0; i < 3; ++i) {
      const int l = (i + 1) % 3;
      const int k = (i + 2) % 3;
      at(i) = exact_product(p[l], q[k]) - exact_product(p[k], q[l]);
    }
  } else {
    const int i = (axis - 6) / 3;
    const Vec3& edge = r[(axis - 6) % 3];
    at((i + 1) % 3) = Expansion<4>(-edge[(i + 2) % 3]);
    at((i + 2) % 3) = Expansion<4>(edge[(i + 1) % 3]);
  }
  return v;
}

template<int N>
Expansion<N> magnitude(const Expansion<N>& x) {
  return x.sign() < 0 ? -x : x;
}

template<int N>
auto times(const Expansion<N>& x, double y) {
  return x * Expansion<1>(y);
}

auto exact_dot(const ExactVec3& v, const Vec3& p) {
  return times(v[0], p.x) + times(v[1], p.y) + times(v[2], p.z);
}

bool separates(const Vec3& half, const Obb& b, int axis) {
  const ExactVec3 v = exact_axis(b.axes, axis);
  const auto radius_a = times(magnitude(v[0]), half.x) + times(magnitude(v[1]), half.y) +
                        times(magnitude(v[2]), half.z);
  const auto radius_b = times(magnitude(exact_dot(v, b.axes.x)), b.half.x) +
                        times(magnitude(exact_dot(v, b.axes.y)), b.half.y) +
                        times(magnitude(exact_dot(v, b.axes.z)), b.half.z);
  return (magnitude(exact_dot(v, b.center)) - (radius_a + radius_b)).sign() > 0;
}

/// The number of an axis that separates, or -1.
int find_axis(const Vec3& half, const Obb& b) {
  const Scan s = scan_axes(half, b);
  if (s.separating >= 0 || s.unsure == 0) return s.separating;
  for (int axis = 0; axis < axis_count; ++axis) {
    if ((s.unsure >> axis & 1u) != 0 && separates(half, b, axis)) return axis;
  }
  return -1;
}

/// The axis as a unit vector that points from the origin toward b.
Vec3 axis_vector(const Obb& b, int axis) {
  const ExactVec3 v = exact_axis(b.axes, axis);
  const Vec3 n = normalized(Vec3{v[0].estimate(), v[1].estimate(), v[2].estimate()});
  return exact_dot(v, b.center).sign() < 0 ? -n : n;
}

/// A point of both, where they overlap. Either the surface of A meets B: then some face of A does, and the part of it in B is
/// found by clipping. Or it does not: then B, being connected and having a point in A, lies inside of A altogether, and so does its
/// center. The centers are tried first.
Vec3 common_point(const Vec3& half, const Obb& b) {
  const auto inside = [](const Vec3& p, const Vec3& h) {
    return std::fabs(p.x) <= h.x && std::fabs(p.y) <= h.y && std::fabs(p.z) <= h.z;
  };
  if (inside(b.center, half)) return b.center;
  if (inside(b.frame().to_local({}), b.half)) return {};
  const double slack = 0x1p-48 * reach(half, b); // carrying A's corners into B's frame: some 10 roundings
  for (int i = 0; i < 6; ++i) {
    Vec3 middle;
    const int axis = i / 2;
    middle[axis] = i % 2 == 0 ? half[axis] : -half[axis];
    const Vec3 u = unit_axis((axis + 1) % 3) * half[(axis + 1) % 3];
    const Vec3 v = unit_axis((axis + 2) % 3) * half[(axis + 2) % 3];
    const Frame frame = b.frame();
    const std::array<Vec3, 4> face{
        frame.to_local(middle + u + v), frame.to_local(middle - u + v),
        frame.to_local(middle - u - v), frame.to_local(middle + u - v)};
    Vec3 point;
    if (point_in_box(face, b.half, slack, point)) return frame.to_world(point);
  }
  return b.center;
}

Obb in_frame(const Frame& a, const Obb& b) {
  return {a.to_local(b.center),
          {a.direction_to_local(b.axes.x), a.direction_to_local(b.axes.y),
           a.direction_to_local(b.axes.z)},
          b.half};
}

Obb translated(const Obb& b, const Vec3& by) {
  return {b.center + by, b.axes, b.half};
}

/// The proof in the frame of the box -half <= x <= half.
Overlap overlap_centered(const Vec3& half, const Obb& b) {
  const int axis = find_axis(half, b);
  return axis < 0 ? Overlap::at(common_point(half, b)) : Overlap::separated(axis_vector(b, axis));
}

Overlap empty_overlap() {
  return Overlap::separated({1, 0, 0});
}

} // namespace

bool overlaps_centered(const Vec3& half, const Obb& b) {
  return find_axis(half, b) < 0;
}

bool overlaps(const Aabb& a, const Obb& b) {
  return !a.empty() && overlaps_centered(a.half(), translated(b, -a.center()));
}

bool overlaps(const Obb& a, const Obb& b) {
  return overlaps_centered(a.half, in_frame(a.frame(), b));
}

Overlap overlap(const Aabb& a, const Aabb& b) {
  if (overlaps(a, b)) return Overlap::at(max(a.min, b.min));
  if (a.empty() || b.empty()) return empty_overlap();
  for (int i = 0; i < 3; ++i) {
    if (a.max[i] < b.min[i]) return Overlap::separated(unit_axis(i));
    if (b.max[i] < a.min[i]) return Overlap::separated(-unit_axis(i));
  }
  return empty_overlap();
}

Overlap overlap(const Aabb& a, const Obb& b) {
  if (a.empty()) return empty_overlap();
  Overlap o = overlap_centered(a.half(), translated(b, -a.center()));
  o.point += a.center();
  return o;
}

Overlap overlap(const Obb& a, const Obb& b) {
  const Overlap o = overlap_centered(a.half, in_frame(a.frame(), b));
  return o.hit ? Overlap::at(a.frame().to_world(o.point))
               : Overlap::separated(normalized(a.frame().direction_to_world(o.axis)));
}

SeparatingAxis least_depth_axis(const Obb& a, const Obb& b) {
  const Obb local = in_frame(a.frame(), b);
  const Mat3 normals = face_normals(local.axes);
  SeparatingAxis best;
  best.depth = INFINITY;
  const auto try_axis = [&](const Vec3& v, AxisKind kind, int feature_a, int feature_b) {
    const double l = length(v);
    if (!(l >= shortest_axis)) return; // parallel edges
    const Vec3 n = v / l;
    const double distance = dot(n, local.center);
    const double depth = dot(abs(n), a.half) + dot(abs(transpose_mul(local.axes, n)), b.half) -
                         std::fabs(distance);
    if (!(depth < best.depth)) return;
    best = {depth < 0, distance < 0 ? -n : n, depth, kind, feature_a, feature_b};
  };
  for (int i = 0; i < 3; ++i) try_axis(unit_axis(i), AxisKind::face_a, i, -1);
  for (int j = 0; j < 3; ++j) try_axis(normals[j], AxisKind::face_b, -1, j);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      try_axis(cross(unit_axis(i), local.axes[j]), AxisKind::edges, i, j);
    }
  }
  best.axis = normalized(a.frame().direction_to_world(best.axis));
  return best;
}

} // namespace carom
