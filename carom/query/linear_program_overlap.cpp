// Two programs, each of which proves one of the answers when it has no solution: by Farkas, its constraints then add up to a contradiction, and
// the multipliers of that sum are the proof (of at most four constraints).
//
// The vertices' program asks for a plane between A and B. With the origin at a point c of A, such a plane is s . x = 1, where s . a <= 1 for the vertices of A and
// s . b >= 1 for those of B. No solution: sum m_a a = sum m_b b with sum m_a <= sum m_b. Divided by the sum of the m_b, the right side is a point of
// B; the left one is a point of A, where the weights missing to 1 are those of c, the origin. A common point.
//
// The faces' program asks for a common point: n . x <= offset for the planes of both. No solution: sum m_a n_a = -sum m_b n_b = u, and the offsets add
// up to less than 0. So u . a <= sum m_a offset_a < -sum m_b offset_b <= u . b for all points of A and B. A separating direction.
//
// (Each program's solution would be a proof, too, of the other answer, but a poor one. It is a corner of all solutions: a plane that touches
// both, a point on the border of both.) Both are tried in doubles first (contradiction.h), then, if neither proof was found, in 104 bits (linear_program.h). What the
// data's own rounding leaves open has two solutions, or a proof that does not hold; then the slow search decides.
#include "carom/query/linear_program_overlap.h"

#include "carom/math/linear_program.h"
#include "carom/math/tolerance.h"
#include "carom/query/contradiction.h"
#include "carom/query/rounded.h"

#include <optional>
#include <vector>

namespace carom {
namespace {

/// The numbers are parts of the pair's size: what is below 1e-30 of it is nothing, and the program does not take it.
double part(double x) { return std::fabs(x) < tolerance::coordinate_min ? 0 : x; }
Vec3 parts(const Vec3& v) { return {part(v.x), part(v.y), part(v.z)}; }

Vec3 mean(std::span<const Vec3> vertices) {
  Vec3 sum;
  for (const Vec3& v : vertices) sum += v / static_cast<double>(vertices.size());
  return sum;
}

/// A way to find the constraints of a program that contradict each other.
using Solver = std::optional<LinearProof<4>> (*)(std::span<const Constraint3>);

std::optional<LinearProof<4>> find_surely(std::span<const Constraint3> constraints) {
  const LinearOptimum3 answer = maximize(Vec3{}, constraints);
  if (answer.status != LinearStatus::infeasible) return {};
  return answer.proof;
}

/// A common point, in the world, if the vertices' program proves one.
std::optional<Vec3> common_point(const PolytopePair& pair, Solver solver) {
  const auto a = pair.a().vertices();
  const auto b = pair.b().vertices();
  const Vec3 c = mean(a);
  const double unit = 1 / pair.size();
  std::vector<Constraint3> constraints;
  constraints.reserve(a.size() + b.size());
  for (const Vec3& v : a) constraints.push_back({parts((v - c) * unit), 1});
  for (const Vec3& v : b)
    constraints.push_back({parts((c - pair.b_in_a().to_world(v)) * unit), -1});
  const auto proof = solver(constraints);
  if (!proof) return {};

  double whole = 0; // of B's multipliers
  for (std::size_t k = 0; k < proof->count; ++k) {
    if (proof->indices[k] >= a.size()) whole += proof->multipliers[k];
  }
  Vec3 from_c;
  Vec3 on_b;
  for (std::size_t k = 0; k < proof->count; ++k) {
    const std::size_t i = proof->indices[k];
    const double weight = proof->multipliers[k] / whole;
    if (i < a.size()) {
      from_c += (a[i] - c) * weight;
    } else {
      on_b += b[i - a.size()] * weight;
    }
  }
  const Vec3 on_a = c + from_c;
  const Vec3 b_in_a = pair.b_in_a().to_world(on_b);
  if (!(max_abs(on_a - b_in_a) <= pair.rounding())) return {};
  return pair.frame_a().to_world((on_a + b_in_a) * 0.5);
}

/// The normals of planes whose half-spaces have the polytope in common, in its own frame.
std::vector<Vec3> bounding_normals(const Polytope& p) {
  const ConvexHull& hull = p.hull();
  std::vector<Vec3> normals;
  normals.reserve(p.planes().size() + 6);
  for (const HalfSpace& h : p.planes()) normals.push_back(h.normal);
  const auto add_both = [&](const Vec3& n) {
    normals.push_back(n);
    normals.push_back(-n);
  };
  if (hull.dimension == 2) {
    for (std::uint32_t h = hull.face_begin[0]; h < hull.face_begin[1]; ++h) {
      const Vec3 edge = hull.vertices[hull.target(h)] - hull.vertices[hull.origin[h]];
      normals.push_back(normalized(cross(normalized(edge), normals[0])));
    }
  } else if (hull.dimension == 1) {
    const Vec3 along = normalized(hull.vertices[1] - hull.vertices[0]);
    const Vec3 beside = perpendicular(along);
    normals.clear();
    add_both(along);
    add_both(beside);
    add_both(cross(along, beside));
  } else if (hull.dimension == 0) {
    for (int i = 0; i < 3; ++i) add_both(unit_axis(i));
  }
  return normals;
}

/// Adds the half-spaces of p, seen from the frame where p stands in `frame`, lengths in units of the pair's size.
void add_faces(std::vector<Constraint3>& constraints, const Polytope& p, const Frame& frame,
               double unit) {
  const bool solid = p.hull().dimension == 3;
  const std::vector<Vec3> normals = bounding_normals(p);
  for (std::size_t i = 0; i < normals.size(); ++i) {
    const double offset =
        solid ? p.planes()[i].offset : dot(normals[i], p.vertices()[p.farthest(normals[i])]);
    const Vec3 n = frame.direction_to_world(normals[i]);
    constraints.push_back({parts(n), part((offset + dot(n, frame.origin)) * unit)});
  }
}

/// A unit vector in A's frame, if the faces' program proves that it separates.
std::optional<Vec3> separating_axis(const PolytopePair& pair, Solver solver) {
  std::vector<Constraint3> constraints;
  constraints.reserve(pair.a().planes().size() + pair.b().planes().size());
  add_faces(constraints, pair.a(), {}, 1 / pair.size());
  const std::size_t of_a = constraints.size();
  add_faces(constraints, pair.b(), pair.b_in_a(), 1 / pair.size());
  const auto proof = solver(constraints);
  if (!proof) return {};

  // Both sides of the same equation: where one is a small difference of large normals, the other may be none.
  Vec3 from_a;
  Vec3 from_b;
  for (std::size_t k = 0; k < proof->count; ++k) {
    const std::size_t i = proof->indices[k];
    const Vec3 term = constraints[i].normal * proof->multipliers[k];
    if (i < of_a) {
      from_a += term;
    } else {
      from_b -= term;
    }
  }
  for (const Vec3& u : {normalized(from_a), normalized(from_b)}) {
    if (pair.gap(u) > pair.rounding()) return u;
  }
  return {};
}

} // namespace

ShapeOverlap overlap_by_linear_program(const Polytope& a, const Pose& pose_a, const Polytope& b,
                                       const Pose& pose_b, MethodTrace* trace) {
  if (trace) *trace = {};
  if (!in_range(pose_a) || !in_range(pose_b)) return {{}, Status::bad_input};
  const PolytopePair pair(a, pose_a, b, pose_b);
  int programs = 0;
  for (const Solver solver : {find_contradiction, find_surely}) {
    if (!(pair.size() > 0)) break;
    if (trace) trace->programs = programs;
    ++programs;
    if (const auto point = common_point(pair, solver))
      return {Overlap::at(*point), Status::ok, programs};
    ++programs;
    if (const auto axis = separating_axis(pair, solver))
      return {Overlap::separated(pair.frame_a().direction_to_world(*axis)), Status::ok, programs};
  }
  return settled_overlap(pair, programs, trace);
}

} // namespace carom
