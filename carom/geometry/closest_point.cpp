// Straight and flat sets, tetrahedra and boxes. (Round ones: closest_point_round.cpp. Half-spaces: closest_point_polyhedron.cpp.)
//
// Projections onto lines are well-conditioned: a rounded parameter moves the point along the line, where the distance is stationary.
// A triangle's nearest point is the foot of p where it lies inside (judged in coordinates that bear slivers, see flat_frame.h), else it is on
// one of the edges, and all three are tried: no regions around corners to be confused by an obtuse one. Which of them is nearest is
// decided by distance, and among equals by proof (proven.h).
// Whether p is in a tetrahedron is decided by exact predicates: for a needle, every rounded volume is noise.
#include "carom/geometry/closest_point.h"

#include "carom/geometry/flat_frame.h"
#include "carom/geometry/proven.h"
#include "carom/math/predicates.h"

#include <cmath>
#include <span>

namespace carom {
namespace {

ClosestPoint answer(const Vec3& p, const Vec3& point) {
  return {point, length(p - point)};
}
ClosestPoint empty_answer(const Vec3& p) {
  return {p, INFINITY};
}

double clamp(double x, double low, double high) {
  return x < low ? low : x > high ? high : x;
}

double parameter(const Vec3& p, const Vec3& origin, const Vec3& direction) {
  const double dd = length_squared(direction);
  return dd > 0 ? dot(p - origin, direction) / dd : 0;
}

SimplexFeature feature_of(std::span<const double> barycentric) {
  int corners = 0;
  for (const double w : barycentric) corners += w > 0 ? 1 : 0;
  return corners <= 1   ? SimplexFeature::vertex
         : corners == 2 ? SimplexFeature::edge
         : corners == 3 ? SimplexFeature::face
                        : SimplexFeature::inside;
}

double size_of(const Vec3& p, std::span<const Vec3> corners) {
  double size = max_abs(p);
  for (const Vec3& v : corners) size = max_abs(v) > size ? max_abs(v) : size;
  return size;
}

/// The nearest of `count` candidates, and among equals the one with the best proof. `candidate(i)` is asked twice.
template<class Candidate>
auto nearest_of(const Vec3& p, std::span<const Vec3> corners, std::size_t count,
                const Candidate& candidate) {
  double least = INFINITY;
  for (std::size_t i = 0; i < count; ++i) {
    const double d = candidate(i).distance;
    least = d < least ? d : least;
  }
  const double limit = equal_distance(least, size_of(p, corners));
  auto best = candidate(0);
  double proved = -INFINITY;
  for (std::size_t i = 0; i < count; ++i) {
    const auto c = candidate(i);
    if (!(c.distance <= limit)) continue;
    const double width = clear_width(p, {}, c.point, corners);
    if (width > proved) {
      proved = width;
      best = c;
    }
  }
  return best;
}

ClosestPoint closest_in_plane(const Vec3& p, const Vec3& normal, double excess) {
  const double nn = length_squared(normal);
  if (!(nn > 0)) return excess == 0 ? ClosestPoint{p, 0} : empty_answer(p);
  return {p - normal * (excess / nn), std::fabs(excess) / std::sqrt(nn)};
}

/// A frame of the polygon's plane from corners that are far apart: the first, the one farthest from it, the one farthest from their line.
FlatFrame frame_of(std::span<const Vec3> v) {
  Triangle t{v[0], v[0], v[0]};
  for (const Vec3& x : v) {
    if (distance_squared(x, t.a) > distance_squared(t.b, t.a)) t.b = x;
  }
  double farthest = 0;
  for (const Vec3& x : v) {
    const double d = length_squared(cross(x - t.a, t.b - t.a));
    if (d > farthest) {
      farthest = d;
      t.c = x;
    }
  }
  return make_frame(t);
}

/// Whether p's foot is on one and the same side of all edges, in the coordinates of the frame.
bool over(const Vec3& p, std::span<const Vec3> v, const FlatFrame& f) {
  const double x = f.along_e(p), y = f.along_g(p);
  bool left = true, right = true;
  Vec3 from = v.back();
  for (const Vec3& to : v) {
    const double from_x = f.along_e(from), from_y = f.along_g(from);
    const double side =
        (f.along_e(to) - from_x) * (y - from_y) - (f.along_g(to) - from_y) * (x - from_x);
    left = left && side >= 0;
    right = right && side <= 0;
    from = to;
  }
  return left || right;
}

ClosestPoint closest_in_polygon(const Vec3& p, std::span<const Vec3> v) {
  if (v.empty()) return empty_answer(p);
  const FlatFrame frame = frame_of(v);
  if (frame.solid && over(p, v, frame)) {
    return answer(p, frame.at(frame.along_e(p), frame.along_g(p)));
  }
  return nearest_of(p, v, v.size(), [&](std::size_t i) -> ClosestPoint {
    return closest_point(p, Segment{v[i], v[i + 1 < v.size() ? i + 1 : 0]});
  });
}

} // namespace

ClosestOnLine closest_point(const Vec3& p, const Line& line) {
  const double t = parameter(p, line.origin, line.direction);
  return {answer(p, line.at(t)), t};
}

ClosestOnLine closest_point(const Vec3& p, const Ray& ray) {
  const double t = parameter(p, ray.origin, ray.direction);
  const double ahead = t > 0 ? t : 0;
  return {answer(p, ray.at(ahead)), ahead};
}

ClosestOnLine closest_point(const Vec3& p, const Segment& segment) {
  const double t = clamp(parameter(p, segment.a, segment.direction()), 0, 1);
  return {answer(p, segment.at(t)), t};
}

ClosestPoint closest_point(const Vec3& p, const Plane& plane) {
  return closest_in_plane(p, plane.normal, plane.signed_distance(p));
}

ClosestPoint closest_point(const Vec3& p, const HalfSpace& half_space) {
  const double excess = half_space.signed_distance(p);
  return excess <= 0 ? ClosestPoint{p, 0} : closest_in_plane(p, half_space.normal, excess);
}

ClosestOnTriangle closest_point(const Vec3& p, const Triangle& triangle) {
  const FlatFrame frame = make_frame(triangle);
  if (frame.solid) {
    const Vec3 w = weights(frame, p);
    if (w.x >= 0 && w.y >= 0 && w.z >= 0) {
      return {answer(p, frame.at(frame.along_e(p), frame.along_g(p))), w,
              feature_of(std::array{w.x, w.y, w.z})};
    }
  }
  const auto edge = [&](std::size_t number) {
    const int i = static_cast<int>(number), j = (i + 1) % 3;
    const ClosestOnLine c = closest_point(p, Segment{triangle[i], triangle[j]});
    Vec3 w;
    w[i] = 1 - c.t;
    w[j] = c.t;
    return ClosestOnTriangle{c, w, feature_of(std::array{w.x, w.y, w.z})};
  };
  return nearest_of(p, std::array{triangle.a, triangle.b, triangle.c}, 3, edge);
}

ClosestOnTetrahedron closest_point(const Vec3& p, const Tetrahedron& t) {
  // The signed volumes with corner i replaced by p: p is outside of face i where its sign is not that of the whole.
  const std::array corners{t.a, t.b, t.c, t.d};
  const int whole = orient3d(t.a, t.b, t.c, t.d);
  const std::array<int, 4> part = {orient3d(p, t.b, t.c, t.d), orient3d(t.a, p, t.c, t.d),
                                   orient3d(t.a, t.b, p, t.d), orient3d(t.a, t.b, t.c, p)};
  ClosestOnTetrahedron best;
  best.point = p;
  if (whole != 0 && part[0] * whole >= 0 && part[1] * whole >= 0 && part[2] * whole >= 0 &&
      part[3] * whole >= 0) {
    const std::array<double, 4> volumes = {
        std::fabs(triple(t.b - p, t.c - p, t.d - p)), std::fabs(triple(t.a - p, t.c - p, t.d - p)),
        std::fabs(triple(t.a - p, t.b - p, t.d - p)), std::fabs(triple(t.a - p, t.b - p, t.c - p))};
    const double sum = volumes[0] + volumes[1] + volumes[2] + volumes[3];
    for (std::size_t i = 0; i < 4; ++i) {
      best.barycentric[i] = part[i] != 0 && sum > 0 ? volumes[i] / sum : 0;
    }
    best.feature = SimplexFeature::inside;
    return best;
  }
  const auto face = [&](std::size_t i) {
    ClosestOnTetrahedron c{{p, INFINITY}, {}, SimplexFeature::vertex};
    if (part[i] * whole > 0) return c; // p is behind this face
    const std::array<std::size_t, 3> corner = {(i + 1) % 4, (i + 2) % 4, (i + 3) % 4};
    const ClosestOnTriangle on =
        closest_point(p, Triangle{corners[corner[0]], corners[corner[1]], corners[corner[2]]});
    static_cast<ClosestPoint&>(c) = on;
    c.feature = on.feature;
    for (int k = 0; k < 3; ++k)
      c.barycentric[corner[static_cast<std::size_t>(k)]] = on.barycentric[k];
    return c;
  };
  return nearest_of(p, corners, 4, face);
}

ClosestPoint closest_point(const Vec3& p, const Quad& quad) {
  return closest_in_polygon(p, quad.vertices());
}

ClosestPoint closest_point(const Vec3& p, const Polygon& polygon) {
  return closest_in_polygon(p, polygon.vertices);
}

ClosestOnRectangle closest_point(const Vec3& p, const Rectangle& r) {
  const double s = clamp(dot(p - r.center, r.u), -r.half_u, r.half_u);
  const double t = clamp(dot(p - r.center, r.v), -r.half_v, r.half_v);
  return {answer(p, r.at(s, t)), s, t};
}

ClosestPoint closest_point(const Vec3& p, const Aabb& box) {
  if (box.empty()) return empty_answer(p);
  return answer(p, max(box.min, min(p, box.max)));
}

ClosestPoint closest_point(const Vec3& p, const Obb& box) {
  const Vec3 local = box.frame().to_local(p);
  const Vec3 nearest = max(-box.half, min(local, box.half));
  if (nearest == local) return {p, 0};
  return answer(p, box.frame().to_world(nearest));
}

} // namespace carom
