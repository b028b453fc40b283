// Straight and flat sets, tetrahedra and boxes. (Round ones: closest_point_round.cpp. Half-spaces: closest_point_polyhedron.cpp.)
//
// Projections onto lines are well-conditioned: a rounded parameter moves the point along the line, where the distance is stationary.
// A triangle's nearest point is the foot of p where it lies inside (judged in coordinates that bear slivers, see flat_frame.h), else it is on
// one of the edges, and all three are tried: no regions around corners to be confused by an obtuse one. Which of them is nearest is
// decided by distance, and among equals by proof (proven.h). Where the edges meet at a, or at b, at an angle that is not sharp, there is a
// quicker way by signs, which lose nothing there.
// Whether p is in a tetrahedron is decided by exact predicates: for a needle, every rounded volume is noise.
#include "carom/geometry/closest_point.h"

#include "carom/geometry/flat_frame.h"
#include "carom/geometry/proven.h"
#include "carom/math/predicates.h"

#include <cmath>
#include <span>

namespace carom {
namespace {

ClosestPoint answer(const Vec3& p, const Vec3& point) { return {point, length(p - point)}; }
ClosestPoint empty_answer(const Vec3& p) { return {p, INFINITY}; }

double clamp(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

double parameter(const Vec3& p, const Vec3& origin, const Vec3& direction) {
  const double dd = length_squared(direction);
  return dd > 0 ? dot(p - origin, direction) / dd : 0;
}

constexpr std::size_t bit(bool b) { return static_cast<std::size_t>(b); }

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

// The quick way for a triangle whose edges u = b - a and v = c - a meet at 14 to 166 degrees.
//
// With p - a = s u + t v + a normal part, the foot of p is inside where s, t and r = 1 - s - t are not negative. Where one is negative,
// p's nearest point is on that edge (clamped to its ends). Where two are, p is beyond a corner: the nearest point is on the one of the
// corner's two edges on which p has a foot past the corner, or at the corner: not both can have one, since p = corner - (positive
// multiples of both edges), and if both dot products were positive, |e.f|^2 > |e|^2 |f|^2. So: ab where the nearest point is on it, short of a
// corner that another edge has too; else ac in the same way, and wherever else bc is not in question; else bc. At a corner each edge that may
// be taken ends there.
// Which edge it is, and whether an end of it, no processor can foretell: both are chosen by number from tables, without branches.
class QuickTriangle {
public:
  QuickTriangle(const Vec3& p, const Triangle& t)
      : p_(p), t_(t), u_(t.b - t.a), v_(t.c - t.a), uu_(dot(u_, u_)), vv_(dot(v_, v_)),
        uv_(dot(u_, v_)), area_(uu_ * vv_ - uv_ * uv_) {}

  /// Whether the angle is wide enough, by the square of its sine: errors grow as its inverse.
  [[nodiscard]] bool applies(double least = 0.0625) const { return area_ > least * (uu_ * vv_); }

  [[nodiscard]] [[gnu::always_inline]] ClosestOnTriangle find() const {
    const Vec3 w = p_ - t_.a;
    const double up = dot(u_, w), vp = dot(v_, w);
    const double s = vv_ * up - uv_ * vp, t = uu_ * vp - uv_ * up, r = area_ - s - t;
    const std::size_t s_in = bit(s >= 0), t_in = bit(t >= 0), r_in = bit(r >= 0);
    if (s_in + t_in + r_in == 3) {
      const double scale = 1 / area_;
      const Vec3 weights{r * scale, s * scale, t * scale};
      const Vec3 foot = t_.a + u_ * weights.y + v_ * weights.z;
      return {answer(p_, foot), weights, feature_of(std::array{r, s, t})};
    }
    const std::size_t on_ab = (1 - t_in) & (s_in | bit(up > 0)) & (r_in | bit(up < uu_));
    const std::size_t on_ac = r_in | ((1 - s_in) & bit(vp < vv_)); // where not on ab
    return on_edge(1 - (on_ab | on_ac), 2 - on_ab);
  }

private:
  [[nodiscard]] [[gnu::always_inline]] ClosestOnTriangle on_edge(std::size_t from,
                                                                 std::size_t to) const {
    static constexpr std::array<Vec3, 3> unit = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const std::array corner = {&t_.a, &t_.b, &t_.c};
    const Vec3 edge = *corner[to] - *corner[from];
    const double foot = dot(p_ - *corner[from], edge), squared = dot(edge, edge);
    const std::size_t at_from = bit(foot <= 0), at_to = (1 - at_from) & bit(foot >= squared);
    const std::size_t where = at_from + 2 * at_to; // 0: inside of the edge
    const double step = std::array{foot / squared, 0.0, 0.0}[where];
    const double part = std::array{step, 0.0, 1.0}[where];
    const Vec3 point = *corner[std::array{from, from, to}[where]] + edge * step; // ends are exact
    return {answer(p_, point), unit[from] * (1 - part) + unit[to] * part,
            where == 0 ? SimplexFeature::edge : SimplexFeature::vertex};
  }

  const Vec3& p_;
  const Triangle& t_;
  Vec3 u_, v_;
  double uu_, vv_, uv_;
  double area_; ///< the square of twice the area
};

/// Any triangle.
ClosestOnTriangle closest_on_thin_triangle(const Vec3& p, const Triangle& triangle) {
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

/// A triangle that is sharp at a: mostly it is wide at b, 30 to 150 degrees. Out of the way of the quick one's registers.
[[gnu::noinline]] ClosestOnTriangle closest_on_sharp_triangle(const Vec3& p, const Triangle& t) {
  const Triangle from_b{t.b, t.c, t.a};
  if (const QuickTriangle quick(p, from_b); quick.applies(0.25)) {
    ClosestOnTriangle found = quick.find();
    found.barycentric = {found.barycentric.z, found.barycentric.x, found.barycentric.y};
    return found;
  }
  return closest_on_thin_triangle(p, t);
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

ClosestOnTriangle closest_point(const Vec3& p, const Triangle& t) {
  if (const QuickTriangle quick(p, t); quick.applies()) [[likely]]
    return quick.find();
  return closest_on_sharp_triangle(p, t);
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
