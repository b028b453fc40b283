// Steiner's decomposition: the hull itself; on each face a prism of height r; along each edge a wedge, a sector of a disc times the edge; at each vertex
// a sector of a ball, over the spherical polygon of the normals of the faces around. They overlap nowhere and leave nothing out.
//
// All parts have positive volume and are put together with differences of centroids, so nothing cancels. Areas and normals come from
// triangle_normal, right also on slivers. The angle between two faces is measured around the edge, whose direction is known well even where the normals
// are nearly equal or nearly opposite. A flat hull has two opposite faces, and its edges half discs; no special case.
#include "carom/mesh/rounded_hull.h"

#include "carom/geometry/spherical_polygon.h"
#include "carom/geometry/triangle_normal.h"
#include "carom/math/double_double.h"
#include "carom/math/tolerance.h"
#include "carom/math/trig.h"

#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace carom {
namespace {

/// The parts so far. The volume is summed apart, with twice the digits: there may be a million parts.
struct Sum {
  Moments parts;
  DoubleDouble volume;

  void add(const Moments& part) {
    parts = parts + part;
    volume = volume + DoubleDouble{part.volume};
  }
};

/// All around vertex 0, which is the origin here.
struct Skin {
  const ConvexHull& hull;
  double radius;
  std::vector<Vec3> normals; ///< of the faces, unit vectors

  [[nodiscard]] Vec3 at(std::uint32_t vertex) const {
    return hull.vertices[vertex] - hull.vertices[0];
  }
};

Skin make_skin(const ConvexHull& hull, double radius) {
  Skin skin{hull, radius, {}};
  skin.normals.reserve(hull.face_count());
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const auto c = hull.corners(f);
    skin.normals.push_back(
        normalized(triangle_normal(hull.vertices[c[0]], hull.vertices[c[1]], hull.vertices[c[2]])));
  }
  return skin;
}

/// The prism of height r on a triangle of a face with this normal.
Moments prism(const Skin& skin, const std::array<std::uint32_t, 3>& corner, const Vec3& normal) {
  const auto vertex = [&](int i) {
    return skin.hull.vertices[corner[static_cast<std::size_t>(i)]];
  };
  const double area = length(triangle_normal(vertex(0), vertex(1), vertex(2))) / 2;
  const double r = skin.radius;
  const double volume = area * r;
  const Vec3 a = skin.at(corner[0]);
  const Vec3 b = skin.at(corner[1]);
  const Vec3 c = skin.at(corner[2]);
  const Vec3 middle = (a + b + c) / 3;
  Mat3 spread = outer(normal * r, normal * r);
  for (const Vec3& p : {a, b, c}) spread = spread + outer(p - middle, p - middle);
  return {volume, middle + normal * (r / 2), spread * (volume / 12)};
}

/// The angle at an edge, from the normal of the face on the right of half-edge h to that on its left; these turn about its direction reversed.
struct Turn {
  Vec3 from, to, axis;
  double angle;
};
Turn turn_at(const Skin& skin, std::uint32_t h) {
  const ConvexHull& hull = skin.hull;
  const Vec3 axis = normalized(hull.vertices[hull.origin[h]] - hull.vertices[hull.target(h)]);
  const Vec3 from = skin.normals[hull.face[hull.twin[h]]];
  const Vec3 to = skin.normals[hull.face[h]];
  return {from, to, axis, angle_around(axis, from, to)};
}

/// The sector of a disc, times the edge. In its plane, with t half the angle: the mean distance from the edge along the bisector is 2/3 r sin(t) / t, the mean
/// squares along and across it are r^2 / 4 (1 +- sin(2t) / 2t).
Moments wedge(const Skin& skin, std::uint32_t h, const Turn& turn) {
  if (!(turn.angle > 0)) return {};
  const Vec3 a = skin.at(skin.hull.origin[h]);
  const Vec3 b = skin.at(skin.hull.target(h));
  const double r = skin.radius;
  const Vec3 bisector = dot(turn.from, turn.to) >= 0
                            ? normalized(turn.from + turn.to)
                            : cross(normalized(turn.to - turn.from), turn.axis);
  const Vec3 across = cross(turn.axis, bisector);
  const double mean = 4 * r / 3 * sin(turn.angle / 2) / turn.angle;
  const double sinc = sin(turn.angle) / turn.angle;
  const double volume = turn.angle / 2 * r * r * length(b - a);
  const Mat3 spread = outer(b - a, b - a) * (1.0 / 12) +
                      outer(bisector, bisector) * (r * r / 4 * (1 + sinc) - mean * mean) +
                      outer(across, across) * (r * r / 4 * (1 - sinc));
  return {volume, lerp(a, b, 0.5) + bisector * mean, spread * volume};
}

/// The sector of a ball at a vertex. `sides` is scratch.
Moments sector(const Skin& skin, std::uint32_t vertex, std::vector<SphericalSide>& sides) {
  // Half-edges come clockwise, the sides of the polygon must run counter-clockwise.
  sides.clear();
  const std::uint32_t begin = skin.hull.outgoing[vertex];
  std::uint32_t h = begin;
  do {
    const Turn turn = turn_at(skin, h);
    sides.push_back({turn.from, turn.axis});
    h = skin.hull.around(h);
  } while (h != begin && sides.size() < skin.hull.origin.size());
  for (std::size_t i = 0, j = sides.size() - 1; i < j; ++i, --j) std::swap(sides[i], sides[j]);

  const SphericalMoments polygon = spherical_moments(sides);
  if (!(polygon.area > 0)) return {};
  const double r = skin.radius;
  const double volume = polygon.area / 3 * r * r * r;
  // No farther out than the ball, whatever rounding does to a tiny polygon.
  const Vec3 mean = length(polygon.first) <= polygon.area ? polygon.first / polygon.area
                                                          : normalized(polygon.first);
  const Vec3 centroid = mean * (0.75 * r);
  const Mat3 second = polygon.second * (r * r * r * r * r / 5) - outer(centroid, centroid) * volume;
  return {volume, skin.at(vertex) + centroid, second};
}

/// The parts of the skin, and the sum of the edges' lengths.
struct Rounding {
  Sum sum;
  double edges = 0;
};
Rounding skin_parts(const Skin& skin) {
  const ConvexHull& hull = skin.hull;
  Rounding result;
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const auto c = hull.corners(f);
    for (std::size_t i = 2; i < c.size(); ++i) {
      result.sum.add(prism(skin, {c[0], c[i - 1], c[i]}, skin.normals[f]));
    }
  }
  for (std::uint32_t h = 0; h < hull.twin.size(); ++h) {
    if (hull.twin[h] < h) continue;
    result.sum.add(wedge(skin, h, turn_at(skin, h)));
    result.edges += length(skin.at(hull.target(h)) - skin.at(hull.origin[h]));
  }
  std::vector<SphericalSide> sides;
  Moments sectors;
  for (std::uint32_t v = 0; v < hull.vertices.size(); ++v)
    sectors = sectors + sector(skin, v, sides);
  // Together they are one ball.
  sectors.volume = moments(Sphere{{}, skin.radius}).volume;
  result.sum.add(sectors);
  return result;
}

} // namespace

BoundedMoments rounded_hull_moments(const ConvexHull& hull, double radius) {
  if (!(radius > 0) || hull.vertices.empty()) return hull_moments(hull);
  constexpr double rounding = 64 * tolerance::epsilon;
  if (hull.dimension < 2)
    return {moments(Capsule{hull.vertices.front(), hull.vertices.back(), radius}), rounding};

  const BoundedMoments core = hull_moments(hull, hull.vertices[0]);
  Rounding skin = skin_parts(make_skin(hull, radius));
  skin.sum.add(core.moments);
  Moments total = moved(skin.sum.parts, hull.vertices[0]);
  total.volume = skin.sum.volume.high;
  // An angle is right to a few epsilon, not to a few of its own.
  const double angles = 4 * tolerance::epsilon * radius * radius * skin.edges;
  const double core_error = core.moments.volume > 0 ? core.relative_error * core.moments.volume : 0;
  return {total, rounding + (angles + core_error) / total.volume};
}

} // namespace carom
