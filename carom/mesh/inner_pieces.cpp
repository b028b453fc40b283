// Where to begin: behind places of the surface, the largest ball is sought that touches it there and has nothing of the surface inside (Ma, Bae, Choi 2012, the 'shrinking ball'). Its centre is as deep inside as can
// be, also in thin parts. Of all these balls the one that is largest, and farthest out of the pieces so far, is where the next piece grows.
#include "carom/mesh/inner_pieces.h"

#include "carom/geometry/plane.h"
#include "carom/mesh/inner_growth.h"
#include "carom/tree/triangle_nearest.h"
#include "carom/tree/triangle_rays.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

struct Ball {
  Vec3 center;
  double radius = 0;
  double outside = INFINITY; ///< how far the centre is out of every piece so far
};

/// The largest ball behind the middle of a triangle, as nearly as a few steps find it. Its radius is 0 where there is none.
Ball ball_behind(const InnerSpace& space, std::uint32_t triangle) {
  const Triangle t = space.surface()[triangle];
  const Vec3 p = (t.a + t.b + t.c) * (1.0 / 3);
  const Vec3 across = cross(t.b - t.a, t.c - t.a);
  if (!(length_squared(across) > 0)) return {};
  const Vec3 n = normalized(across);
  // The ball has to end where the surface comes next, or before.
  const RayTriangle opposite =
      first_hit(space.tree(), space.surface(), {.ray = {p, -n}, .faces = Faces::back});
  if (!opposite) return {};
  double radius = opposite.t / 2;
  constexpr int steps = 16;
  for (int i = 0; i < steps; ++i) {
    const Vec3 center = p - n * radius;
    const NearTriangle near = nearest_triangle(space.tree(), space.surface(), center, radius);
    if (!near || near.on.distance >= radius * (1 - 0x1p-10)) break;
    // The ball through p, touching there, that has this point on its border instead.
    const Vec3 way = p - near.on.point;
    const double along = 2 * dot(n, way);
    const double next = along > 0 ? length_squared(way) / along : 0;
    if (!(next < radius)) break;
    radius = next;
  }
  return {p - n * radius, radius};
}

/// Behind triangles here and there: those next to each other in the tree are so in space.
std::vector<Ball> inner_balls(const InnerSpace& space, std::size_t samples) {
  std::vector<Ball> balls;
  const std::size_t leaves = space.leaves().size();
  const std::size_t count = std::min(samples, 2 * leaves);
  for (std::size_t i = 0; i < count; ++i) {
    const auto leaf = space.tree().tree().leaf(static_cast<std::uint32_t>(i * leaves / count));
    const std::uint32_t t =
        leaf[2 * leaves == count && i % 2 == 1 && leaf[1] != WideTree::no_item ? 1 : 0];
    const Ball ball = ball_behind(space, t);
    if (ball.radius > 0) balls.push_back(ball);
  }
  return balls;
}

/// The planes of its faces.
std::vector<HalfSpace> faces_of(const ConvexHull& piece) {
  std::vector<HalfSpace> faces;
  for (std::size_t f = 0; f < piece.face_count(); ++f) {
    const auto c = piece.corners(f);
    const Vec3& a = piece.vertices[c[0]];
    const Vec3 n = normalized(cross(piece.vertices[c[1]] - a, piece.vertices[c[2]] - a));
    faces.push_back({n, dot(n, a)});
  }
  return faces;
}
/// How far a point is out of a piece, at least: beyond a face. Negative inside.
double outside(std::span<const HalfSpace> faces, const Vec3& p) {
  double most = -INFINITY;
  for (const HalfSpace& h : faces) most = std::max(most, h.signed_distance(p));
  return most;
}

} // namespace

std::vector<ConvexHull> inner_pieces(const TriangleTree& tree, const TriangleSurface& surface,
                                     const InnerPieceOptions& options) {
  std::vector<ConvexHull> pieces;
  if (options.most == 0) return pieces;
  const InnerSpace space(tree, surface);
  std::vector<Ball> balls = inner_balls(space, options.samples);
  double largest = 0;
  for (const Ball& b : balls) largest = std::max(largest, b.radius);
  const auto worth = [](const Ball& b) { return std::min(b.radius, b.outside); };
  while (pieces.size() < options.most && !balls.empty()) {
    const auto best =
        std::max_element(balls.begin(), balls.end(),
                         [&](const Ball& a, const Ball& b) { return worth(a) < worth(b); });
    if (!(worth(*best) > options.least * largest)) break;
    const auto piece = grow_inside(space, best->center, {.most_faces = options.most_faces});
    best->outside = 0; // not again, whatever came of it
    if (!piece) continue;
    const std::vector<HalfSpace> faces = faces_of(*piece);
    for (Ball& b : balls) b.outside = std::min(b.outside, outside(faces, b.center));
    pieces.push_back(*piece);
  }
  return pieces;
}

} // namespace carom
