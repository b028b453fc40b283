// A hull that stopped at its limit, the core, has points outside. Let c be a point inside. Seen from c, each face of the core covers a cone.
// For a point p in the cone of face f, with the plane of f at height h above c, the face must be r = n.(p - c) / h times as far away to
// reach it. (Of all faces, the one whose cone holds p is that of the greatest r.) Move every vertex away from c by the greatest r
// of the faces around it. Then the face of any cone, now perhaps bent, is in no direction nearer to c than r times before: so the points
// of the cone lie between c and it, and the hull of the moved vertices holds them. Vertices around which nothing is outside stay.
//
// That holds in real numbers. In doubles a vertex is off by an ulp, so the result is tested with exact predicates, and enlarged by
// a little more each time until it passes.
#include "carom/mesh/hull_limit.h"

#include "carom/geometry/enclose.h"
#include "carom/math/interval.h"
#include "carom/math/predicates.h"
#include "carom/math/tolerance.h"

#include <algorithm>

namespace carom {
namespace {

using hull_limit::Candidate;

Vec3 mean_of(std::span<const Candidate> candidates) {
  const Vec3 first = candidates[0].at;
  Vec3 sum;
  for (const Candidate& c : candidates) sum += c.at - first;
  return first + sum / static_cast<double>(candidates.size());
}

/// Exact: whether the point is inside the solid hull, or on it. The plane first, with the error bound of predicates.h; |p - a| is
/// at most `size` in each coordinate.
bool all_inside(const ConvexHull& hull, std::span<const Vec3> points, double size) {
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const auto corners = hull.corners(f);
    const Vec3 a = hull.vertices[corners[0]];
    const Vec3 b = hull.vertices[corners[1]];
    const Vec3 c = hull.vertices[corners[2]];
    const Vec3 normal = cross(b - a, c - a);
    const Vec3 all{size, size, size};
    const double error = 9 * 0x1p-53 * predicate::det3_magnitude(all, b - a, c - a);
    for (const Vec3& p : points) {
      if (dot(normal, p - a) >= -error && orient3d(a, b, c, p) > 0) return false;
    }
  }
  return true;
}

/// An upper bound of the lengths of all p - q, in each coordinate, for p, q among the points and the vertices.
double size_of(std::span<const Vec3> points, std::span<const Vec3> vertices) {
  return 2 * std::max(enclose::size(points), enclose::size(vertices));
}

Vec3 in_range(Vec3 v) {
  for (int i = 0; i < 3; ++i) {
    if (std::fabs(v[i]) < tolerance::coordinate_min) v[i] = 0;
  }
  return v;
}

/// For every vertex of the core, how many times as far from c it must be; empty where c is not inside.
std::vector<double> reaches(const ConvexHull& core, std::span<const Vec3> outside, const Vec3& c) {
  std::vector<Vec3> scaled_normals;
  for (std::size_t f = 0; f < core.face_count(); ++f) {
    const auto corners = core.corners(f);
    const Vec3 a = core.vertices[corners[0]];
    const Vec3 normal = cross(core.vertices[corners[1]] - a, core.vertices[corners[2]] - a);
    const double height = dot(normal, a - c);
    if (!(height > 0)) return {};
    scaled_normals.push_back(normal / height);
  }
  std::vector<double> face_reach(core.face_count(), 1);
  for (const Vec3& p : outside) {
    const Vec3 w = p - c;
    std::size_t best = 0;
    double greatest = 0;
    for (std::size_t f = 0; f < scaled_normals.size(); ++f) {
      const double r = dot(scaled_normals[f], w);
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

/// Where the radial way moves a vertex by more than this part of its distance from the middle, the other way is tried as well.
constexpr double far_enough_to_ask_again = 1.125;

} // namespace

namespace hull_limit {

Result<ConvexHull> confirmed(std::span<const Candidate> candidates, std::span<const Vec3> points) {
  const Vec3 c = mean_of(candidates);
  std::vector<Vec3> vertices(candidates.size());
  // From a few roundings up to a half, by factors of four.
  for (double extra = 0; extra <= 0.5; extra = extra == 0 ? 0x1p-51 : 4 * extra) {
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const Vec3& v = candidates[i].at;
      vertices[i] = in_range(v + (v - c) * extra);
      if (!(max_abs(vertices[i]) <= tolerance::coordinate_max)) {
        return failure(ErrorCode::out_of_range,
                       "a hull with so few vertices would have to reach beyond 1e30");
      }
    }
    Result<ConvexHull> hull = convex_hull(vertices);
    if (!hull || hull->dimension != 3 || !all_inside(*hull, points, size_of(points, vertices))) {
      continue;
    }
    for (std::size_t i = 0; i < hull->vertices.size(); ++i) {
      const Candidate& from = candidates[hull->source[i]];
      const double moved = enclose::distance_above(hull->vertices[i], from.from);
      hull->growth = std::max(hull->growth, from.slack == 0 ? moved : next_up(moved + from.slack));
      hull->source[i] = from.source;
    }
    return hull;
  }
  return failure(ErrorCode::degenerate, "no hull with so few vertices was found");
}

} // namespace hull_limit

Result<ConvexHull> enclosing_hull(const ConvexHull& core, std::span<const Vec3> points,
                                  std::span<const std::uint32_t> outside, std::uint32_t limit) {
  std::vector<Vec3> to_hold = core.vertices; // then all that is in the core is held too
  std::vector<std::uint32_t> source = core.source;
  for (const std::uint32_t i : outside) to_hold.push_back(points[i]);
  source.insert(source.end(), outside.begin(), outside.end());

  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < core.vertices.size(); ++i) {
    candidates.push_back({core.vertices[i], core.source[i], core.vertices[i], 0});
  }
  const Vec3 c = mean_of(candidates);
  const std::vector<double> reach = reaches(core, to_hold, c);
  Result<ConvexHull> best = failure(ErrorCode::degenerate, "the hull is too flat");
  double greatest = 0;
  if (!reach.empty()) {
    for (std::size_t i = 0; i < reach.size(); ++i) {
      Vec3& v = candidates[i].at;
      if (reach[i] > 1) v = c + (v - c) * reach[i];
      greatest = std::max(greatest, reach[i]);
    }
    best = hull_limit::confirmed(candidates, to_hold);
  }
  if (best && greatest < far_enough_to_ask_again) return best;
  Vec3 normal; // of the largest face
  for (std::size_t f = 0; f < core.face_count(); ++f) {
    const auto corners = core.corners(f);
    const Vec3 a = core.vertices[corners[0]];
    Vec3 area;
    for (std::size_t i = 2; i < corners.size(); ++i) {
      area += cross(core.vertices[corners[i - 1]] - a, core.vertices[corners[i]] - a);
    }
    if (length_squared(area) > length_squared(normal)) normal = area;
  }
  Result<ConvexHull> pyramid = hull_limit::pyramid_around(to_hold, source, normal, limit);
  return !best || (pyramid && pyramid->growth < best->growth) ? pyramid : best;
}

Result<ConvexHull> enclosing_hull_of_polygon(const ConvexHull& polygon, std::uint32_t limit) {
  const Vec3 a = polygon.vertices[0];
  Vec3 normal;
  for (std::size_t i = 2; i < polygon.vertices.size(); ++i) {
    normal += cross(polygon.vertices[i - 1] - a, polygon.vertices[i] - a);
  }
  return hull_limit::pyramid_around(polygon.vertices, polygon.source, normal, limit);
}

} // namespace carom
