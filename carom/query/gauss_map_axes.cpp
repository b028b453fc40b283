// An edge's arc as a cone. Let h be a half-edge with direction e and n the normal of its face, on its left: e x n points out of the face across h.
// Directions on the arc are at right angles to e, and do not point against e x n, neither that of h nor that of its twin: between the two
// normals by the shorter way, or half around for a flat polygon, where both are the same vector. A segment has no such vectors, and all
// directions at right angles pass. Two arcs cross in the direction n = +-(e_a x e_b), if n is on A's arc and -n on B's.
//
// Pruning, from cheap to dear. An arc of B crosses the great circle at right angles to e_a only if its ends are on both sides of it: one
// product per face of B, one comparison per edge. Then the cones. Then n . (b - a) for the edges' own points: the gap is not more than that. Only what
// could be better than the best so far is made a unit vector and measured on all vertices.
//
// All these tests err to the safe side by more than their rounding, so every face of the difference is measured, among others. The rounding of e_a x e_b is that of a product of unit vectors, whatever its
// length: so heights are compared before they are divided by it.
//
// A normal that is off by an angle d misses a face of length l by d l, and what is claimed of the depth is false by that. From edges in doubles d is an epsilon over the sine of their angle. So where that is
// small, the normal is formed anew, from the corners and the matrices as given, in numbers of twice the length.
#include "carom/query/gauss_map_axes.h"

#include "carom/math/double_double.h"
#include "carom/math/tolerance.h"
#include "carom/query/quadratic_program.h"
#include "carom/query/rounded.h"

#include <algorithm>
#include <vector>

namespace carom {
namespace {

/// Unit vectors are off by a few epsilon, and by 1e6 times that where they come from edges at the least angle that is tested: far below.
constexpr double angle_slack = 1e-9;
constexpr double least_tested_sine = 1e-6;
/// Above this sine a normal of plain doubles is right to a few dozen epsilon; the gap feels them as less than a rounding.
constexpr double least_plain_sine = 1.0 / 8;

/// An edge with its arc, in A's frame.
struct Arc {
  Vec3 at;        ///< a point of the edge
  Vec3 edge;      ///< a unit vector
  Vec3 out, back; ///< the arc is where neither is negative; zero for a segment
  std::uint32_t half_edge;
  std::uint32_t face, twin_face;

  [[nodiscard]] bool has(const Vec3& n, double slack) const {
    return dot(n, out) >= -slack && dot(n, back) >= -slack;
  }
};

std::vector<Vec3> normals_in(const Frame& frame, const Polytope& p) {
  std::vector<Vec3> normals;
  normals.reserve(p.planes().size());
  for (const HalfSpace& h : p.planes()) normals.push_back(frame.direction_to_world(h.normal));
  return normals;
}

std::vector<Arc> arcs_in(const Frame& frame, const Polytope& p, std::span<const Vec3> normals) {
  const ConvexHull& hull = p.hull();
  std::vector<Arc> arcs;
  arcs.reserve(hull.twin.size() / 2);
  for (std::uint32_t h = 0; h < hull.twin.size(); ++h) {
    const std::uint32_t t = hull.twin[h];
    if (t < h) continue;
    const Vec3& from = hull.vertices[hull.origin[h]];
    const Vec3 along = normalized(hull.vertices[hull.origin[t]] - from);
    const Vec3 e = frame.direction_to_world(along);
    Arc arc{frame.to_world(from), e, {}, {}, h, hull.face[h], hull.face[t]};
    if (hull.dimension > 1) {
      arc.out = cross(e, normals[arc.face]);
      arc.back = cross(normals[arc.twin_face], e);
    }
    arcs.push_back(arc);
  }
  return arcs;
}

struct LongVec3 {
  DoubleDouble x, y, z;
};

/// A half-edge in the world.
LongVec3 long_edge(const Polytope& p, const Frame& frame, std::uint32_t half_edge) {
  const ConvexHull& hull = p.hull();
  const Vec3& from = hull.vertices[hull.origin[half_edge]];
  const Vec3& to = hull.vertices[hull.origin[hull.twin[half_edge]]];
  const auto difference = [](double a, double b) {
    const TwoDoubles d = two_diff(a, b);
    return DoubleDouble{d.value, d.error};
  };
  const LongVec3 e{difference(to.x, from.x), difference(to.y, from.y), difference(to.z, from.z)};
  const auto turned = [&](int i) {
    return DoubleDouble{frame.basis.x[i]} * e.x + DoubleDouble{frame.basis.y[i]} * e.y +
           DoubleDouble{frame.basis.z[i]} * e.z;
  };
  return {turned(0), turned(1), turned(2)};
}

Vec3 long_cross(const LongVec3& u, const LongVec3& v) {
  return {(u.y * v.z - u.z * v.y).high, (u.z * v.x - u.x * v.z).high, (u.x * v.y - u.y * v.x).high};
}

class Axes {
public:
  explicit Axes(const PolytopePair& pair) : pair_(pair) { best_.gap = -INFINITY; }

  /// In A's frame.
  const GaussMapAxis& run() {
    const auto normals_a = normals_in({}, pair_.a());
    const auto normals_b = normals_in(pair_.b_in_a(), pair_.b());
    try_faces(pair_.a(), normals_a, AxisKind::face_a);
    try_faces(pair_.b(), normals_b, AxisKind::face_b);
    try_edges(arcs_in({}, pair_.a(), normals_a), arcs_in(pair_.b_in_a(), pair_.b(), normals_b),
              normals_b);
    if (best_.axes == 0) try_both(normalized(pair_.corner(0, 0).difference), AxisKind::centers);
    return best_;
  }

private:
  /// n is a unit vector.
  void measure(const Vec3& n, AxisKind kind, int feature_a = -1, int feature_b = -1) {
    ++best_.axes;
    const double gap = pair_.gap(n);
    if (!(gap > best_.gap)) return;
    best_.gap = gap;
    best_.normal = n;
    best_.kind = kind;
    best_.feature_a = feature_a;
    best_.feature_b = feature_b;
  }
  void try_both(const Vec3& n, AxisKind kind, int feature_a = -1, int feature_b = -1) {
    measure(n, kind, feature_a, feature_b);
    measure(-n, kind, feature_a, feature_b);
  }

  void try_faces(const Polytope& p, std::span<const Vec3> normals, AxisKind kind) {
    for (std::size_t f = 0; f < normals.size(); ++f) {
      const int a = kind == AxisKind::face_a ? static_cast<int>(f) : -1;
      const int b = kind == AxisKind::face_b ? static_cast<int>(f) : -1;
      const Vec3 n = normalized(normals[f]);
      // A segment's face has a normal of no meaning, and no opposite one.
      if (p.hull().dimension == 1) {
        try_both(n, kind, a, b);
      } else {
        measure(kind == AxisKind::face_a ? n : -n, kind, a, b);
      }
    }
  }

  void try_edges(const std::vector<Arc>& arcs_a, const std::vector<Arc>& arcs_b,
                 std::span<const Vec3> normals_b) {
    // On which side of A's edge each normal of B is: bit 0 where it may be before the plane, bit 1 where it may be behind. A segment's
    // normals say nothing.
    std::vector<std::uint8_t> sides(normals_b.size(), both_sides);
    std::vector<Ends> ends;
    ends.reserve(arcs_b.size());
    for (const Arc& b : arcs_b) ends.push_back({b.face, b.twin_face});
    for (const Arc& a : arcs_a) {
      if (pair_.b().hull().dimension > 1) {
        for (std::size_t f = 0; f < sides.size(); ++f) {
          const double height = dot(a.edge, normals_b[f]);
          sides[f] = static_cast<std::uint8_t>(static_cast<int>(height >= -angle_slack) |
                                               static_cast<int>(height <= angle_slack) << 1);
        }
      }
      for (std::size_t i = 0; i < ends.size(); ++i) {
        if ((sides[ends[i].face] | sides[ends[i].twin_face]) == both_sides) try_pair(a, arcs_b[i]);
      }
    }
  }

  static constexpr std::uint8_t both_sides = 3;
  /// The faces of an arc of B: all that most edge pairs are looked at for.
  struct Ends {
    std::uint32_t face, twin_face;
  };

  void try_pair(const Arc& a, const Arc& b) {
    const Vec3 c = cross(a.edge, b.edge);
    const double sine_squared = length_squared(c);
    if (!(sine_squared > least_tested_sine * least_tested_sine)) return try_nearly_parallel(a, b);
    const double slack = angle_slack; // |c| <= 1: no less than for a unit vector
    const double apart = dot(c, b.at - a.at);
    if (a.has(c, slack) && b.has(-c, slack)) try_crossing(a, b, c, sine_squared, apart);
    if (a.has(-c, slack) && b.has(c, slack)) try_crossing(a, b, -c, sine_squared, -apart);
  }

  /// apart = c . (b - a): the gap along c is not more, but for rounding.
  void try_crossing(const Arc& a, const Arc& b, const Vec3& c, double sine_squared, double apart) {
    const double most = apart + pair_.rounding();
    const double needed = best_.gap;
    // most >= needed * |c|, without the root where the signs tell.
    if (needed > 0 && most < 0) return;
    const double squares = most * most - needed * needed * sine_squared;
    if (most < 0 ? squares > 0 : needed > 0 && squares < 0) return;
    Vec3 n = c / std::sqrt(sine_squared);
    if (sine_squared < least_plain_sine * least_plain_sine) {
      const Vec3 better = normal_of(a, b);
      n = dot(better, c) < 0 ? -better : better;
    }
    measure(n, AxisKind::edges, static_cast<int>(a.half_edge), static_cast<int>(b.half_edge));
  }

  void try_nearly_parallel(const Arc& a, const Arc& b) {
    const Vec3 c = accurate_cross({}, a.edge, {}, b.edge);
    if (!(length(c) > 4 * tolerance::epsilon)) return;
    try_both(normal_of(a, b), AxisKind::edges, static_cast<int>(a.half_edge),
             static_cast<int>(b.half_edge));
  }

  /// At right angles to both edges, to within a few epsilon whatever their angle. In A's frame, a unit vector.
  [[nodiscard]] Vec3 normal_of(const Arc& a, const Arc& b) const {
    const Vec3 n = long_cross(long_edge(pair_.a(), pair_.frame_a(), a.half_edge),
                              long_edge(pair_.b(), pair_.frame_b(), b.half_edge));
    return normalized(pair_.frame_a().direction_to_local(normalized(n)));
  }

  const PolytopePair& pair_;
  GaussMapAxis best_;
};

/// Deep enough that the sign is certain. `axis` is in A's frame.
SignedDistance overlapping(const PolytopePair& pair, const GaussMapAxis& axis) {
  // The points are where the polytopes touch once B has moved.
  const GjkResult contact = search_slowly(pair, pair.rounding(), axis.normal * -axis.gap);
  const Frame& frame = pair.frame_a();
  SignedDistance s;
  s.value = axis.gap;
  s.lower_bound = axis.gap - pair.rounding();
  s.upper_bound = axis.gap + 2 * pair.rounding(); // the axis itself is rounded, too
  s.normal = frame.direction_to_world(axis.normal);
  s.on_a = frame.to_world(contact.closest.on_a);
  s.on_b = frame.to_world(contact.closest.on_b + axis.normal * axis.gap);
  s.iterations = axis.axes + contact.iterations;
  return s;
}

/// Apart or touching.
SignedDistance apart(const PolytopePair& pair, const GaussMapAxis& axis, const Distance& d) {
  SignedDistance s;
  s.value = d.value;
  s.lower_bound = d.lower_bound;
  s.upper_bound = d.value + pair.rounding();
  s.normal = d.normal;
  s.on_a = d.on_a;
  s.on_b = d.on_b;
  s.status = d.status;
  s.iterations = axis.axes + d.iterations;
  if (d.value > 0) return s;
  // Touching: the axis says along what.
  s.value = std::min(axis.gap, 0.0);
  s.lower_bound = std::min(axis.gap - pair.rounding(), s.value);
  s.normal = pair.frame_a().direction_to_world(axis.normal);
  return s;
}

} // namespace

GaussMapAxis greatest_gap_axis(const Polytope& a, const Pose& pose_a, const Polytope& b,
                               const Pose& pose_b) {
  if (!in_range(pose_a) || !in_range(pose_b)) return {.status = Status::bad_input};
  const PolytopePair pair(a, pose_a, b, pose_b);
  GaussMapAxis axis = Axes(pair).run();
  axis.normal = pair.frame_a().direction_to_world(axis.normal);
  return axis;
}

SignedDistance signed_distance_by_axes(const Polytope& a, const Pose& pose_a, const Polytope& b,
                                       const Pose& pose_b, MethodTrace* trace) {
  if (trace) *trace = {};
  if (!in_range(pose_a) || !in_range(pose_b)) {
    SignedDistance bad;
    bad.status = Status::bad_input;
    return bad;
  }
  const PolytopePair pair(a, pose_a, b, pose_b);
  const GaussMapAxis axis = Axes(pair).run();
  if (axis.gap < -2 * pair.rounding()) return overlapping(pair, axis);
  return apart(pair, axis, distance_by_quadratic_program(pair, trace));
}

} // namespace carom
