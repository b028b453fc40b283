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

// Axes are numbered 0-2: A's; 3-5: the normals of B; 6 + 3 i + j: e_i x r_j.

/// Edges with an axis shorter than this are parallel and left out. That costs 1e-100 of the size, and products might underflow.
constexpr double shortest_axis = 1e-100;

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

/// What projections on an axis of length 1 may be off by. Counting roundings of each term as (number) * 2^-53 * (|axis|_1 * reach): axes of
/// A 6, cross products 7, normals of B 13. 16 covers them all.
double rounding_error(const Vec3& half, const Obb& b) {
  return 0x1p-49 * reach(half, b);
}

/// Calls group(first axis, d, e) for five groups of three axes, until it returns true: d[i] is |c . axis| - radius and e[i] its
/// rounding error. In groups, since a branch costs more than an axis.
template<class Group>
void scan_axes(const Vec3& half, const Obb& b, Group&& group) {
  const double c[3] = {b.center.x, b.center.y, b.center.z};
  const double ha[3] = {half.x, half.y, half.z};
  const double hb[3] = {b.half.x, b.half.y, b.half.z};
  const double r[3][3] = {
      {b.axes.x.x, b.axes.y.x, b.axes.z.x},
      {b.axes.x.y, b.axes.y.y, b.axes.z.y},
      {b.axes.x.z, b.axes.y.z, b.axes.z.z}}; // r[i][j]: component i of B's axis j
  const double error = rounding_error(half, b);
  double ar[3][3], n[3][3], an[3][3], d[3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) ar[i][j] = std::fabs(r[i][j]);
    d[i] = std::fabs(c[i]) - (ha[i] + (ar[i][0] * hb[0] + ar[i][1] * hb[1] + ar[i][2] * hb[2]));
  }
  const double same[3] = {error, error, error};
  if (group(0, d, same)) return;

  for (int i = 0; i < 3; ++i) {
    const int l = (i + 1) % 3, k = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int p = (j + 1) % 3, q = (j + 2) % 3;
      n[i][j] = r[l][p] * r[k][q] - r[k][p] * r[l][q];
      an[i][j] = std::fabs(n[i][j]);
    }
  }
  for (int j = 0; j < 3; ++j) {
    const double own = r[0][j] * n[0][j] + r[1][j] * n[1][j] + r[2][j] * n[2][j];
    const double distance = c[0] * n[0][j] + c[1] * n[1][j] + c[2] * n[2][j];
    d[j] = std::fabs(distance) -
           (ha[0] * an[0][j] + ha[1] * an[1][j] + ha[2] * an[2][j] + hb[j] * std::fabs(own));
  }
  if (group(3, d, same)) return;

  // e_i x r_j has components -r[k][j] at l and r[l][j] at k, where i, l, k are cyclic.
  for (int i = 0; i < 3; ++i) {
    const int l = (i + 1) % 3, k = (i + 2) % 3;
    double e[3];
    for (int j = 0; j < 3; ++j) {
      const int p = (j + 1) % 3, q = (j + 2) % 3;
      const double radius =
          (ha[l] * ar[k][j] + ha[k] * ar[l][j]) + (hb[p] * an[i][q] + hb[q] * an[i][p]);
      const double axis = ar[k][j] + ar[l][j];
      const double distance = std::fabs(c[k] * r[l][j] - c[l] * r[k][j]);
      d[j] = axis >= shortest_axis ? distance - radius : -1;
      e[j] = error * axis;
    }
    if (group(6 + 3 * i, d, e)) return;
  }
}

enum class Finding { separated, overlapping, unsure };

double greatest(double a, double b, double c) {
  const double ab = a > b ? a : b;
  return ab > c ? ab : c;
}

/// The quick answer, for all pairs that are not close to touching and have no parallel edges. Here r passes for an exact rotation, so
/// that n = r; the error that this makes, and that of r as a product of two rounded rotations, is absolute, on the radius' side,
/// and generously bounded: whatever it leaves open is left to the axes above.
Finding scan_quickly(const Vec3& half, const Obb& b) {
  const Vec3 &c = b.center, &hb = b.half;
  const Vec3 &u = b.axes.x, &v = b.axes.y, &w = b.axes.z;
  const Vec3 ac = abs(c);
  const double error = 0x1p-47 * reach(half, b);
  const Vec3 au = abs(u), av = abs(v), aw = abs(w);

  // One by one: most pairs of a scene end here.
  const double x = ac.x - (half.x + (au.x * hb.x + av.x * hb.y + aw.x * hb.z));
  if (x > error) return Finding::separated;
  const double y = ac.y - (half.y + (au.y * hb.x + av.y * hb.y + aw.y * hb.z));
  if (y > error) return Finding::separated;
  const double z = ac.z - (half.z + (au.z * hb.x + av.z * hb.y + aw.z * hb.z));
  if (z > error) return Finding::separated;
  double worst = greatest(x, y, z);
  if (greatest(ac.x - half.x, ac.y - half.y, ac.z - half.z) <= 0) {
    return Finding::overlapping; // B's center is in A
  }

  const Vec3 from_b{std::fabs(dot(c, u)), std::fabs(dot(c, v)), std::fabs(dot(c, w))};
  const Vec3 faces_b = from_b - hb;
  if (greatest(faces_b.x, faces_b.y, faces_b.z) < -error)
    return Finding::overlapping; // A's center is in B
  const double beyond_b =
      greatest(faces_b.x - dot(half, au), faces_b.y - dot(half, av), faces_b.z - dot(half, aw));
  if (beyond_b > error) return Finding::separated;
  worst = beyond_b > worst ? beyond_b : worst;

  // An edge e of B with e_x, e_y and e_z; p and q are the other two edges of B.
  const auto edges = [&](const Vec3& e, const Vec3& ae, const Vec3& ap, double hp, const Vec3& aq,
                         double hq) {
    const double on_x = std::fabs(c.z * e.y - c.y * e.z) -
                        (half.y * ae.z + half.z * ae.y + (hp * aq.x + hq * ap.x));
    const double on_y = std::fabs(c.x * e.z - c.z * e.x) -
                        (half.z * ae.x + half.x * ae.z + (hp * aq.y + hq * ap.y));
    const double on_z = std::fabs(c.y * e.x - c.x * e.y) -
                        (half.x * ae.y + half.y * ae.x + (hp * aq.z + hq * ap.z));
    const double d = greatest(on_x, on_y, on_z);
    worst = d > worst ? d : worst;
    return d > error;
  };
  if (edges(u, au, av, hb.y, aw, hb.z) || edges(v, av, aw, hb.z, au, hb.x) ||
      edges(w, aw, au, hb.x, av, hb.y)) {
    return Finding::separated;
  }
  return worst < -error ? Finding::overlapping : Finding::unsure;
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

/// The number of an axis that separates, or -1: all that are not plainly overlapping are asked exactly.
int find_axis(const Vec3& half, const Obb& b) {
  int found = -1;
  scan_axes(half, b, [&](int axis, const double* d, const double* e) {
    for (int i = 0; i < 3 && found < 0; ++i) {
      if (d[i] > e[i] || (d[i] >= -e[i] && separates(half, b, axis + i))) found = axis + i;
    }
    return found >= 0;
  });
  return found;
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
  const double slack =
      0x1p-48 * reach(half, b); // carrying A's corners into B's frame: some 10 roundings
  for (int i = 0; i < 6; ++i) {
    Vec3 middle;
    const int axis = i / 2;
    middle[axis] = i % 2 == 0 ? half[axis] : -half[axis];
    const Vec3 u = unit_axis((axis + 1) % 3) * half[(axis + 1) % 3];
    const Vec3 v = unit_axis((axis + 2) % 3) * half[(axis + 2) % 3];
    const Frame frame = b.frame();
    const std::array<Vec3, 4> face{frame.to_local(middle + u + v), frame.to_local(middle - u + v),
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
  const Finding f = scan_quickly(half, b);
  return f == Finding::unsure ? find_axis(half, b) < 0 : f == Finding::overlapping;
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
    const double depth =
        dot(abs(n), a.half) + dot(abs(transpose_mul(local.axes, n)), b.half) - std::fabs(distance);
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
