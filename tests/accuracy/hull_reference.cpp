#include "tests/accuracy/hull_reference.h"

#include <algorithm>
#include <cstddef>
#include <variant>

namespace carom::accuracy {
namespace {

/// Candidates are found in doubles, right to far more than this.
constexpr double margin = 1e-8;

Real3 face_normal(const ConvexHull& mesh, const std::vector<Real3>& corners, std::size_t f) {
  const auto c = mesh.corners(f);
  return normalized(cross(corners[c[1]] - corners[c[0]], corners[c[2]] - corners[c[0]]));
}

/// The point of the hull of a few points that is nearest to the origin, which is outside: of all corners, edges and triangles whose own nearest point is between
/// their corners.
Real3 nearest(const std::vector<Real3>& p) {
  Real3 best = p.front();
  const auto take = [&](const Real3& v) {
    if (dot(v, v) < dot(best, best)) best = v;
  };
  for (std::size_t i = 0; i < p.size(); ++i) {
    take(p[i]);
    for (std::size_t j = 0; j < i; ++j) {
      const Real3 e = p[j] - p[i];
      const Real t = -dot(p[i], e) / dot(e, e);
      if (t > 0 && t < 1) take(p[i] + e * t);
      for (std::size_t k = 0; k < j; ++k) {
        const Real3 f = p[k] - p[i];
        const Real3 n = cross(e, f);
        const Real area = dot(n, n);
        const Real3 q = n * (dot(n, p[i]) / area);
        const Real u = dot(cross(q - p[i], f), n) / area;
        const Real v = dot(cross(e, q - p[i]), n) / area;
        if (u > 0 && v > 0 && u + v < 1) take(q);
      }
    }
  }
  return best;
}

/// Those that reach to within `slack` of the farthest along n.
std::vector<Real3> farthest(const std::vector<Real3>& points, const Real3& n, Real slack) {
  Real top = -INFINITY;
  for (const Real3& p : points) top = std::max(top, dot(p, n));
  std::vector<Real3> result;
  for (const Real3& p : points) {
    if (dot(p, n) >= top - slack) result.push_back(p);
  }
  return result;
}

} // namespace

HullReference::Hull::Hull(const Shape& shape) : mesh(std::get<Polytope>(shape.core()).hull()) {
  std::vector<Real3> local;
  for (const Vec3& v : mesh.vertices) local.emplace_back(v);
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const Real3 n = face_normal(mesh, local, f);
    local_normals.push_back(
        {static_cast<double>(n.x), static_cast<double>(n.y), static_cast<double>(n.z)});
  }
  for (std::uint32_t h = 0; h < mesh.twin.size(); ++h) {
    if (h < mesh.twin[h])
      edges.push_back({mesh.origin[h], mesh.target(h), mesh.face[h], mesh.face[mesh.twin[h]]});
  }
}

void HullReference::Hull::place(const Pose& pose) {
  const Frame frame = pose.frame();
  corners.clear();
  normals.clear();
  precise.clear();
  for (const Vec3& v : mesh.vertices) {
    corners.push_back(frame.to_world(v));
    precise.push_back(accuracy::to_world(frame, Real3(v)));
  }
  for (const Vec3& n : local_normals) normals.push_back(frame.direction_to_world(n));
}

HullReference::HullReference(const Shape& a, const Shape& b) : a_(a), b_(b) {}

void HullReference::place(const Pose& pose_a, const Pose& pose_b) {
  a_.place(pose_a);
  b_.place(pose_b);
}

Real HullReference::gap(const Real3& n) const {
  Real top = -INFINITY;
  for (const Real3& p : a_.precise) top = std::max(top, dot(p, n));
  Real bottom = INFINITY;
  for (const Real3& p : b_.precise) bottom = std::min(bottom, dot(p, n));
  return bottom - top;
}

Reference HullReference::apart(const Vec3& normal) const {
  const Real3 n = normalized(Real3(normal));
  Reference best{0, INFINITY};
  for (Real slack = 1e-12L; slack < 1e-4L; slack *= 100) {
    std::vector<Real3> difference;
    for (const Real3& p : farthest(a_.precise, n, slack)) {
      for (const Real3& q : farthest(b_.precise, -n, slack)) difference.push_back(q - p);
    }
    if (difference.size() > 64) break;
    const Real3 between = nearest(difference);
    const Real upper = length(between);
    const Real lower = gap(normalized(between));
    if (upper - lower < best.error) best = {upper, upper - lower};
    if (best.error < 1e-17L) break;
  }
  return best;
}

/// n = side * the normal of each face of `hull`, from A to B; how far the hulls overlap along it.
void HullReference::try_faces(const Hull& hull, const Hull& other, double side,
                              std::vector<double>& overlaps, std::vector<Candidate>& found) const {
  double least = found.empty() ? INFINITY : found.front().value;
  for (std::size_t f = 0; f < hull.normals.size(); ++f) {
    const Vec3& m = hull.normals[f];
    double lowest = INFINITY;
    for (const Vec3& p : other.corners) lowest = std::min(lowest, dot(p, m));
    const double overlap = dot(m, hull.corners[hull.mesh.corners(f)[0]]) - lowest;
    overlaps.push_back(overlap);
    if (overlap > least + margin) continue;
    least = std::min(least, overlap);
    found.push_back({overlap, face_normal(hull.mesh, hull.precise, f) * Real{side}});
  }
}

/// Along the arc from face to face the overlap changes by no more than `lipschitz` times its length.
std::vector<HullReference::Edge> HullReference::near_edges(const Hull& hull,
                                                           const std::vector<double>& overlaps,
                                                           double least, double lipschitz) {
  std::vector<Edge> result;
  for (const Edge& e : hull.edges) {
    const double chord = length(hull.normals[e.left] - hull.normals[e.right]);
    const double arc = chord * 1.6; // more than that of half a circle
    const double lowest = std::min(overlaps[e.left], overlaps[e.right]) - lipschitz * arc;
    if (lowest <= least + margin) result.push_back(e);
  }
  return result;
}

void HullReference::try_edges(const std::vector<Edge>& of_a, const std::vector<Edge>& of_b,
                              std::vector<Candidate>& found) const {
  double least = INFINITY;
  for (const Candidate& c : found) least = std::min(least, c.value);
  for (const Edge& e : of_a) {
    const Vec3 u = a_.corners[e.to] - a_.corners[e.from];
    const Vec3& n0 = a_.normals[e.left];
    const Vec3& n1 = a_.normals[e.right];
    for (const Edge& f : of_b) {
      const Vec3 w = b_.corners[f.to] - b_.corners[f.from];
      if (dot(n0, w) * dot(n1, w) > 0) continue;
      const Vec3& m0 = b_.normals[f.left];
      const Vec3& m1 = b_.normals[f.right];
      if (dot(m0, u) * dot(m1, u) > 0) continue;
      Vec3 n = cross(u, w);
      if (dot(n, n0 + n1) < 0) n = -n;
      if (dot(n, m0 + m1) > 0) continue; // the arcs are on opposite sides of the sphere
      const double overlap = dot(n, a_.corners[e.from] - b_.corners[f.from]) / length(n);
      if (!(overlap <= least + margin)) continue;
      least = std::min(least, overlap);
      const Real3 exact = normalized(
          cross(a_.precise[e.to] - a_.precise[e.from], b_.precise[f.to] - b_.precise[f.from]));
      found.push_back({overlap, dot(exact, Real3(n)) < 0 ? -exact : exact});
    }
  }
}

Reference HullReference::overlapping() const {
  std::vector<Candidate> found;
  std::vector<double> overlaps_a;
  std::vector<double> overlaps_b;
  try_faces(a_, b_, 1, overlaps_a, found);
  try_faces(b_, a_, -1, overlaps_b, found);
  double least = INFINITY;
  for (const Candidate& c : found) least = std::min(least, c.value);
  // The overlap is the support function of A - B: it changes by at most the farthest distance of a point of A from one of B.
  double radius = 0;
  for (const Vec3& p : b_.corners) radius = std::max(radius, length(p - b_.corners[0]));
  double reach = 0;
  for (const Vec3& p : a_.corners) reach = std::max(reach, length(p - b_.corners[0]));
  const double lipschitz = reach + radius;
  try_edges(near_edges(a_, overlaps_a, least, lipschitz),
            near_edges(b_, overlaps_b, least, lipschitz), found);
  for (const Candidate& c : found) least = std::min(least, c.value);
  Real depth = INFINITY;
  for (const Candidate& c : found) {
    if (c.value <= least + margin) depth = std::min(depth, -gap(c.normal));
  }
  return {-depth, 1e-17L};
}

} // namespace carom::accuracy
