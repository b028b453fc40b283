// From points where the surfaces meet, and corners of the triangles that do, the best goes uphill in steps of half the length each time.
#include "carom/query/common_balls.h"

#include "carom/geometry/triangle_triangle.h"
#include "carom/math/tolerance.h"
#include "carom/tree/triangle_nearest.h"
#include "carom/tree/triangle_winding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace carom {
namespace {

/// How deep a point is in a solid.
struct Depth {
  double value = 0; ///< negative outside: the distance
  Vec3 nearest;     ///< point of the surface
};

/// `surely_inside`: known to be in it, from the point before.
Depth depth_in(const PlacedMesh& mesh, const Vec3& p, bool surely_inside = false) {
  const TriangleSet& set = mesh.triangles;
  const NearTriangle near = nearest_triangle(set.tree, set.surface, p);
  if (!near) return {-INFINITY, p};
  const double rounding = 64 * tolerance::epsilon * (mesh.size + length(p));
  const double d = near.on.distance;
  if (d <= rounding) return {0, near.on.point};
  const bool inside = surely_inside || winding_around(set.tree, set.surface, p) >= 1;
  return {inside ? d - rounding : -d, near.on.point};
}

/// The ball that touches the surface at `from`, toward `center`, as large as there is room.
Sphere grown(const PlacedMesh& mesh, const Vec3& center, const Depth& depth) {
  if (!(depth.value > 0)) return {center, 0};
  const Vec3 n = normalized(center - depth.nearest);
  Sphere best{center, depth.value};
  double low = depth.value;
  double high = 2 * mesh.size + low;
  for (int i = 0; i < 24 && high > low * (1 + 0x1p-6); ++i) {
    const double r = i < 12 && high > 2 * low ? 2 * low : (low + high) / 2;
    const Vec3 c = depth.nearest + n * r;
    const NearTriangle near = nearest_triangle(mesh.triangles.tree, mesh.triangles.surface, c);
    const double rounding = 64 * tolerance::epsilon * (mesh.size + length(c));
    // It may lose as much as it can afford: a thousandth of the overlap.
    if (near && near.on.distance > r - depth.value * 0x1p-10 - rounding) {
      low = r;
      best = {c, near.on.distance - rounding};
    } else {
      high = r;
    }
  }
  return best;
}

class Climb {
public:
  Climb(const PlacedMesh& a, const PlacedMesh& b, const Frame& b_in_a)
      : a_(a), b_(b), b_in_a_(b_in_a) {}

  struct Place {
    Vec3 x;
    Depth a, b;
    double worth = -INFINITY;
  };
  /// A corner of A, or of B.
  [[nodiscard]] Place at_corner(const Vec3& x, bool of_a) const {
    Place place{x, {0, x}, {0, b_in_a_.to_local(x)}, 0};
    Depth& other = of_a ? place.b : place.a;
    other = of_a ? depth_in(b_, place.b.nearest) : depth_in(a_, x);
    place.worth = other.value;
    return place;
  }
  [[nodiscard]] Place at(const Vec3& x) const { return next_to({}, x, 0); }

  /// Uphill, by steps along the axes and the diagonals, until `enough` is reached.
  [[nodiscard]] Place top(Place place, double step, double enough) const {
    const double least = step * 0x1p-10;
    while (step > least && place.worth < enough) {
      bool moved = false;
      for (int k = 0; k < 14 && place.worth < enough; ++k) {
        const double s = k < 8 ? step * 0.57735 : step;
        const Vec3 d = k < 8 ? Vec3{k & 1 ? s : -s, k & 2 ? s : -s, k & 4 ? s : -s}
                             : axis((k - 8) / 2) * (k % 2 == 0 ? s : -s);
        const Place next = next_to(place, place.x + d, step);
        // What gains less than a part of the step is not worth it.
        if (next.worth > place.worth + step * 0x1p-6) {
          place = next;
          moved = true;
        }
      }
      if (!moved) step /= 2;
    }
    return place;
  }

private:
  /// At a point within `step` of another.
  [[nodiscard]] Place next_to(const Place& before, const Vec3& x, double step) const {
    Place next{x, depth_in(a_, x, before.a.value > step), {}, 0};
    next.worth = next.a.value;
    if (next.worth < 0) return next;
    // B's depth changes by no more than the step.
    if (step > 0 && before.b.value >= 0 && next.a.value + before.b.value + step <= before.worth) {
      next.worth = -INFINITY;
      return next;
    }
    next.b = depth_in(b_, b_in_a_.to_local(x), before.b.value > step);
    next.worth = next.b.value < 0 ? next.b.value : next.a.value + next.b.value;
    return next;
  }
  static Vec3 axis(int k) { return {k == 0 ? 1.0 : 0, k == 1 ? 1.0 : 0, k == 2 ? 1.0 : 0}; }
  const PlacedMesh& a_;
  const PlacedMesh& b_;
  const Frame& b_in_a_;
};

Triangle placed(const Triangle& t, const Frame& f) {
  return {f.to_world(t.a), f.to_world(t.b), f.to_world(t.c)};
}

/// The best point to begin with, and how far around it to look: where triangles meet, and their corners.
struct Start {
  Climb::Place best;
  Vec3 low{INFINITY, INFINITY, INFINITY};
  Vec3 high = -low;

  void add(const Climb::Place& place) {
    if (place.worth > best.worth) best = place;
    low = min(low, place.x);
    high = max(high, place.x);
  }
  [[nodiscard]] double width() const { return length(high - low); }
};

Start start(const PlacedMesh& a, const PlacedMesh& b, const Frame& b_in_a, const Climb& climb,
            double enough) {
  constexpr std::size_t most_pairs = 192;
  constexpr std::size_t used_pairs = 12;
  std::vector<TrianglePair> pairs;
  all_meetings(a.triangles, b.triangles, b_in_a, [&](const TrianglePair& pair) {
    pairs.push_back(pair);
    return pairs.size() < most_pairs;
  });
  Start start;
  Vec3 sum;
  int met = 0;
  const std::size_t stride = pairs.size() / used_pairs + 1;
  for (std::size_t i = 0; i < pairs.size() && start.best.worth < enough; i += stride) {
    const Triangle x = a.triangles.surface[pairs[i].a];
    const Triangle y = placed(b.triangles.surface[pairs[i].b], b_in_a);
    const TriangleIntersection common = intersect(x, y);
    for (int k = 0; k < common.count; ++k) sum += common.points[static_cast<std::size_t>(k)];
    met += common.count;
    for (const Vec3& p : {x.a, x.b, x.c}) start.add(climb.at_corner(p, true));
    for (const Vec3& p : {y.a, y.b, y.c}) start.add(climb.at_corner(p, false));
  }
  if (met > 0) start.add(climb.at(sum * (1.0 / met)));
  if (pairs.empty()) {
    for (const Vec3& p : a.component_points) start.add(climb.at_corner(p, true));
    for (const Vec3& p : b.component_points)
      start.add(climb.at_corner(b_in_a.to_world(p), false));
  }
  return start;
}

} // namespace

std::optional<BallPair> common_balls(const PlacedMesh& a, const PlacedMesh& b, const Vec3& t, double enough) {
  const Frame fa = a.pose.frame();
  const Frame b_in_a = relative_frame(a, b, t);
  const Climb climb(a, b, b_in_a);
  const Start begin = start(a, b, b_in_a, climb, enough);
  if (!(begin.best.worth > -INFINITY)) return std::nullopt;
  const double room = begin.width() > 0 ? begin.width() : std::min(a.size, b.size);
  const Climb::Place best = climb.top(begin.best, room / 4, enough);
  if (!(best.worth > 0)) return std::nullopt;
  const Sphere in_a = grown(a, best.x, best.a);
  const Sphere in_b = grown(b, b_in_a.to_local(best.x), best.b);
  const Frame fb = b.pose.frame();
  return BallPair{{fa.to_world(in_a.center), in_a.radius}, {fb.to_world(in_b.center), in_b.radius}};
}

} // namespace carom
