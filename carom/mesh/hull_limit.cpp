// Quickhull on the hull's vertices, stopped at the limit, leaves a core with points outside. Let c be a point inside. Seen from c, each
// face of the core covers a cone. For a point p in the cone of face f, with the plane of f at height h above c, the face must be
// r = n.(p - c) / h times as far away to reach it. (Of all faces, the one whose cone holds p is that of the greatest r.) Move every vertex
// away from c by the greatest r of the faces around it. Then the surface over a cone, now perhaps bent, is in no direction nearer to c
// than r times before: so the points of the cone lie between c and it, and the hull of the moved vertices holds them. Vertices around
// which nothing is outside stay.
//
// Then the moved hull may have room to spare. It is shrunk about a point until a face touches: about its mean, and, where it has few
// vertices, about each of them, which draws the faces on the other side in.
//
// That holds in real numbers. In doubles a vertex is off by an ulp, so the result is tested with exact predicates, and enlarged by
// a little more each time until it passes.
#include "carom/mesh/hull_limit.h"

#include "carom/geometry/enclose.h"
#include "carom/geometry/gjk.h"
#include "carom/math/predicates.h"
#include "carom/math/tolerance.h"
#include "carom/mesh/affine_span.h"
#include "carom/mesh/hull_faces.h"
#include "carom/mesh/hull_side.h"
#include "carom/mesh/hull_surface.h"

#include <algorithm>
#include <vector>

namespace carom {
namespace hull_limit {
namespace {

/// A set of vertices for gjk.h.
struct Cloud {
  std::span<const Vec3> points;
};
Vec3 support_point(const Cloud& cloud, const Vec3& d) {
  Vec3 best = cloud.points[0];
  double greatest = dot(best, d);
  for (const Vec3& p : cloud.points) {
    const double reach = dot(p, d);
    if (reach > greatest) {
      greatest = reach;
      best = p;
    }
  }
  return best;
}

Vec3 mean_of(std::span<const Vec3> points) {
  Vec3 sum;
  for (const Vec3& p : points) sum += p - points[0];
  return points[0] + sum / static_cast<double>(points.size());
}

Vec3 area_of(const ConvexHull& hull, std::size_t face) {
  const auto corners = hull.corners(face);
  const Vec3 a = hull.vertices[corners[0]];
  Vec3 area;
  for (std::size_t i = 2; i < corners.size(); ++i) {
    area += cross(hull.vertices[corners[i - 1]] - a, hull.vertices[corners[i]] - a);
  }
  return area;
}

/// Exact: whether the points are inside the solid hull, or on it. No two of points and vertices are farther apart than `size` along an axis.
bool all_inside(const ConvexHull& hull, std::span<const Vec3> points, double size) {
  const hull_surface::Extent extent{{size, size, size}, 0};
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const auto corners = hull.corners(f);
    const Vec3 a = hull.vertices[corners[0]];
    const Vec3 b = hull.vertices[corners[1]];
    const Vec3 c = hull.vertices[corners[2]];
    const hull_surface::BoundedNormal n = hull_surface::bounded_normal(a, b, c, extent);
    for (const Vec3& p : points) {
      if (dot(n.normal, p - a) >= -n.error && orient3d(a, b, c, p) > 0) return false;
    }
  }
  return true;
}

Vec3 in_range(Vec3 v) {
  for (int i = 0; i < 3; ++i) {
    if (std::fabs(v[i]) < tolerance::coordinate_min) v[i] = 0;
  }
  return v;
}

/// For every vertex of the core, how many times as far from c it must be; empty where c is not inside.
std::vector<double> reaches(const ConvexHull& core, std::span<const Vec3> points, const Vec3& c) {
  std::vector<Vec3> scaled_normals;
  for (std::size_t f = 0; f < core.face_count(); ++f) {
    const Vec3 normal = area_of(core, f);
    const double height = dot(normal, core.vertices[core.corners(f)[0]] - c);
    if (!(height > 0)) return {};
    scaled_normals.push_back(normal / height);
  }
  std::vector<double> face_reach(core.face_count(), 1);
  for (const Vec3& p : points) {
    std::size_t best = 0;
    double greatest = 0;
    for (std::size_t f = 0; f < scaled_normals.size(); ++f) {
      const double r = dot(scaled_normals[f], p - c);
      if (r > greatest) {
        greatest = r;
        best = f;
      }
    }
    face_reach[best] = std::max(face_reach[best], greatest);
  }
  std::vector<double> reach(core.vertices.size(), 1);
  for (std::size_t h = 0; h < core.origin.size(); ++h) {
    reach[core.origin[h]] = std::max(reach[core.origin[h]], face_reach[core.face[h]]);
  }
  return reach;
}

/// Shrinks the hull about c until a face meets the points; faces through c, to within rounding, stay where they are.
void shrink(ConvexHull& hull, std::span<const Vec3> points, const Vec3& c) {
  double greatest = 0;
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const Vec3 normal = normalized(area_of(hull, f));
    const Vec3 a = hull.vertices[hull.corners(f)[0]];
    const double height = dot(normal, a - c);
    if (!(height > 0x1p-40 * max_abs(a - c))) continue;
    for (const Vec3& p : points) greatest = std::max(greatest, dot(normal, p - c) / height);
  }
  if (!(greatest < 1)) return;
  for (Vec3& v : hull.vertices) v = c + (v - c) * greatest;
}

/// Up to how many vertices the hull is shrunk about each of them.
constexpr std::size_t few = 32;

Result<ConvexHull> better(Result<ConvexHull> a, Result<ConvexHull> b) {
  if (!a || !b) return a ? a : b;
  return b->growth < a->growth ? b : a;
}

/// Where a vertex moves by more than this part of its distance from the middle, other ways are tried as well.
constexpr double far_enough_to_ask_again = 1.125;

struct Proposal {
  std::vector<Candidate> candidates; ///< none where the hull is too flat for doubles
  double reach = 1;                  ///< the greatest
};

Proposal propose(const ConvexHull& core, std::span<const Vec3> points) {
  const Vec3 c = mean_of(core.vertices);
  const std::vector<double> reach = reaches(core, points, c);
  if (reach.empty()) return {};
  std::vector<Vec3> moved = core.vertices;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    if (reach[i] > 1) moved[i] = in_range(c + (moved[i] - c) * reach[i]);
  }
  Proposal proposal{{}, *std::max_element(reach.begin(), reach.end())};
  for (std::size_t i = 0; i < moved.size(); ++i) {
    proposal.candidates.push_back({moved[i], core.source[i]});
  }
  return proposal;
}

/// The candidates' hull drawn in as far as the points allow.
std::vector<Candidate> tightened(std::span<const Candidate> candidates,
                                 std::span<const Vec3> points) {
  std::vector<Candidate> result(candidates.begin(), candidates.end());
  std::vector<Vec3> at;
  for (const Candidate& candidate : candidates) at.push_back(in_range(candidate.at));
  Result<ConvexHull> hull = convex_hull(at);
  if (!hull || hull->dimension != 3) return result;
  shrink(*hull, points, mean_of(hull->vertices));
  for (std::size_t i = 0; i < hull->vertices.size() && hull->vertices.size() <= few; ++i) {
    shrink(*hull, points, hull->vertices[i]);
  }
  result.clear();
  for (std::size_t i = 0; i < hull->vertices.size(); ++i) {
    result.push_back({hull->vertices[i], candidates[hull->source[i]].source});
  }
  return result;
}

/// An upper bound of how far the vertices are from the hull of the points: gjk's point is one of the hull to within its rounding.
double growth_of(std::span<const Vec3> vertices, std::span<const Vec3> points) {
  const Cloud inner{points};
  double growth = 0;
  for (const Vec3& v : vertices) {
    const Cloud vertex{std::span(&v, 1)};
    growth = std::max(growth, gjk(ConvexView(inner), ConvexView(vertex)).closest.distance);
  }
  const double size = std::max(enclose::size(points), enclose::size(vertices));
  return growth + 32 * tolerance::epsilon * size;
}

/// The hull of the candidates, enlarged until all of `inner` is inside.
Result<ConvexHull> enlarged(std::span<const Candidate> candidates, const ConvexHull& inner) {
  std::vector<Vec3> proposed;
  for (const Candidate& candidate : candidates) proposed.push_back(candidate.at);
  const Vec3 c = mean_of(proposed);
  // From a few roundings up to a half, by factors of four.
  for (double extra = 0; extra <= 0.5; extra = extra == 0 ? 0x1p-51 : 4 * extra) {
    std::vector<Vec3> vertices;
    for (const Vec3& v : proposed) {
      vertices.push_back(in_range(v + (v - c) * extra));
      if (!(max_abs(vertices.back()) <= tolerance::coordinate_max)) {
        return failure(ErrorCode::out_of_range,
                       "a hull with so few vertices would have to reach beyond 1e30");
      }
    }
    Result<ConvexHull> hull = convex_hull(vertices);
    const double size = 2 * std::max(enclose::size(vertices), enclose::size(inner.vertices));
    if (!hull || hull->dimension != 3 || !all_inside(*hull, inner.vertices, size)) continue;
    hull->growth = growth_of(hull->vertices, inner.vertices);
    for (std::uint32_t& source : hull->source) source = candidates[source].source;
    return hull;
  }
  return failure(ErrorCode::degenerate, "no hull with so few vertices was found");
}

} // namespace

Result<ConvexHull> confirmed(std::span<const Candidate> candidates, const ConvexHull& hull) {
  Result<ConvexHull> tight = enlarged(tightened(candidates, hull.vertices), hull);
  return tight ? tight : enlarged(candidates, hull);
}

} // namespace hull_limit

Result<ConvexHull> enclosing_hull(const ConvexHull& hull, std::uint32_t limit) {
  using namespace hull_limit;
  if (hull.dimension == 2) {
    return better(pyramid_around(hull, area_of(hull, 0), limit), spike_around(hull));
  }
  ConvexHull core =
      hull_faces(hull_surface::build(hull.vertices, affine_span(hull.vertices).corner, limit));
  for (std::uint32_t& source : core.source) source = hull.source[source];
  const Proposal proposal = propose(core, hull.vertices);
  Result<ConvexHull> best = failure(ErrorCode::degenerate, "the hull is too flat");
  if (!proposal.candidates.empty()) best = confirmed(proposal.candidates, hull);
  if (best && proposal.reach < far_enough_to_ask_again) return best;

  Vec3 normal; // of the largest face
  for (std::size_t f = 0; f < core.face_count(); ++f) {
    const Vec3 area = area_of(core, f);
    if (length_squared(area) > length_squared(normal)) normal = area;
  }
  best = better(std::move(best), pyramid_around(hull, normal, limit));
  return better(std::move(best), spike_around(hull));
}

} // namespace carom
