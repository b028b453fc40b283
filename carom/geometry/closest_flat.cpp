// Two flat convex pieces that do not meet are nearest at two edges, or at a corner of one and the inside of the other; if they meet, an edge of
// one passes through the other. So: every edge against every edge, every corner against the other's inside, and (unless a
// candidate already proves that they are apart) every edge through the other.
//
// Slivers. Each candidate's distance is good to a few epsilon of the size: edges by closest_line.h, insides by flat_frame.h. So is the least of
// them. Passing through is decided by exact predicates, since for a needle every rounded volume is noise.
//
// Early end. A candidate is the answer at once where its slab is clear: all corners but those of its own features lie on the right
// sides, by more than the rounding of the points could account for.
#include "carom/geometry/closest_flat.h"

#include "carom/geometry/closest_line.h"
#include "carom/geometry/closest_point.h"
#include "carom/geometry/flat_frame.h"
#include "carom/geometry/proven.h"
#include "carom/math/predicates.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace carom {
namespace {

/// How a point is made of corners.
using Weights = std::array<double, 4>;

/// A convex piece: a segment, a triangle, a rectangle.
struct Piece {
  std::array<Vec3, 4> corner;
  std::size_t count = 0;
  FlatFrame frame;

  [[nodiscard]] std::span<const Vec3> corners() const { return {corner.data(), count}; }
  [[nodiscard]] std::size_t edges() const { return count == 2 ? 1 : count; }
  [[nodiscard]] std::size_t after(std::size_t i) const { return i + 1 < count ? i + 1 : 0; }
  [[nodiscard]] Segment edge(std::size_t i) const { return {corner[i], corner[after(i)]}; }
};

Piece piece(const Segment& s) {
  return {{s.a, s.b}, 2, {}};
}
Piece piece(const Triangle& t) {
  return {{t.a, t.b, t.c}, 3, make_frame(t)};
}
Piece piece(const Rectangle& r) {
  return {r.vertices(), 4, make_frame(r)};
}

/// The weights at the foot of p in the piece's plane: some negative where it is outside.
Weights foot_weights(const Piece& piece, const Vec3& p) {
  if (piece.count == 3) {
    const Vec3 w = weights(piece.frame, p);
    return {w.x, w.y, w.z, 0};
  }
  const double x = piece.frame.along_e(p), y = piece.frame.along_g(p);
  if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1)) return {-1, 0, 0, 0};
  return {(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y};
}

struct Candidate {
  Vec3 on_a, on_b;
  double distance = INFINITY;
  Weights a{}, b{};
};

Candidate flipped(const Candidate& c) {
  return {c.on_b, c.on_a, c.distance, c.b, c.a};
}

/// Candidates as they come: the nearest, and among equals the one with the best proof.
class Search {
public:
  Search(const Piece& a, const Piece& b) : a_(a), b_(b) {
    for (const Vec3& v : a.corners()) size_ = max_abs(v) > size_ ? max_abs(v) : size_;
    for (const Vec3& v : b.corners()) size_ = max_abs(v) > size_ ? max_abs(v) : size_;
  }

  /// True where the candidate is the answer for certain.
  bool offer(const Candidate& c) {
    if (!(c.distance <= equal_distance(best_.distance, size_))) return false;
    const double width = clear_width(c.on_a, a_.corners(), c.on_b, b_.corners());
    const bool nearer = equal_distance(c.distance, size_) < best_.distance;
    if (nearer || width > width_) {
      best_ = c;
      width_ = width;
    }
    return apart(c);
  }

  [[nodiscard]] const Candidate& best() const { return best_; }
  [[nodiscard]] double size() const { return size_; }

private:
  /// Corners that take no part in the candidate are clear of the slab, whatever the roundings of its points (at most 4 epsilon size).
  [[nodiscard]] bool apart(const Candidate& c) const {
    const Vec3 across = c.on_b - c.on_a;
    const double margin = 16 * tolerance::epsilon * size_;
    const auto clear = [&](const Piece& piece, const Weights& w, const Vec3& on, double sign) {
      for (std::size_t i = 0; i < piece.count; ++i) {
        const Vec3 v = piece.corner[i] - on;
        if (w[i] == 0 && !(sign * dot(v, across) < -margin * max_abs(v))) return false;
      }
      return true;
    };
    return c.distance > margin && clear(a_, c.a, c.on_a, 1) && clear(b_, c.b, c.on_b, -1);
  }

  const Piece& a_;
  const Piece& b_;
  double size_ = 0, width_ = -INFINITY;
  Candidate best_;
};

bool try_edges(Search& search, const Piece& a, const Piece& b) {
  for (std::size_t i = 0; i < a.edges(); ++i) {
    for (std::size_t j = 0; j < b.edges(); ++j) {
      const ClosestLines l = closest_points(a.edge(i), b.edge(j));
      Candidate c{l.on_a, l.on_b, l.distance, {}, {}};
      c.a[i] = 1 - l.s;
      c.a[a.after(i)] = l.s;
      c.b[j] = 1 - l.t;
      c.b[b.after(j)] = l.t;
      if (search.offer(c)) return true;
    }
  }
  return false;
}

/// The point v, a corner of the one or the origin of a ray, over the inside of the piece.
Candidate over_inside(const Vec3& v, const Weights& of_v, const Piece& piece) {
  if (!piece.frame.solid) return {};
  const Weights w = foot_weights(piece, v);
  if (!(w[0] >= 0 && w[1] >= 0 && w[2] >= 0 && w[3] >= 0)) return {};
  const Vec3 foot = piece.frame.at(piece.frame.along_e(v), piece.frame.along_g(v));
  return {v, foot, length(foot - v), of_v, w};
}

Weights only(std::size_t i) {
  Weights w{};
  w[i] = 1;
  return w;
}

bool try_insides(Search& search, const Piece& a, const Piece& b) {
  for (std::size_t i = 0; i < a.count; ++i) {
    if (search.offer(over_inside(a.corner[i], only(i), b))) return true;
  }
  for (std::size_t i = 0; i < b.count; ++i) {
    if (search.offer(flipped(over_inside(b.corner[i], only(i), a)))) return true;
  }
  return false;
}

/// -1, 1: all of one sign or 0; 0: all are 0; 2: both signs.
int common_sign(int a, int b, int c) {
  const bool positive = a > 0 || b > 0 || c > 0, negative = a < 0 || b < 0 || c < 0;
  return positive && negative ? 2 : positive ? 1 : negative ? -1 : 0;
}

/// Whether the segment, which is not in the triangle's plane, has a point in it.
bool passes(const Segment& s, const Vec3& a, const Vec3& b, const Vec3& c) {
  const int from = orient3d(a, b, c, s.a), to = orient3d(a, b, c, s.b);
  if (from * to > 0 || (from == 0 && to == 0)) return false;
  return common_sign(orient3d(s.a, s.b, a, b), orient3d(s.a, s.b, b, c),
                     orient3d(s.a, s.b, c, a)) != 2;
}

bool passes(const Segment& s, const Piece& piece) {
  const auto& v = piece.corner;
  return piece.count >= 3 &&
         (passes(s, v[0], v[1], v[2]) || (piece.count == 4 && passes(s, v[0], v[2], v[3])));
}

/// Where the line origin + t direction, 0 <= t <= last, meets the plane of the piece. The height over the plane is taken again at each
/// answer: near a sliver it is good, far from it not.
double crossing(const Vec3& origin, const Vec3& direction, double least, double last,
                const FlatFrame& f) {
  const Vec3 normal = cross(f.e, f.g);
  const double rate = dot(normal, direction);
  double t = 0;
  for (int i = 0; i < 4 && rate != 0; ++i) {
    t -= dot(normal, origin + direction * t - f.origin) / rate;
    t = t < least ? least : t > last ? last : t;
  }
  return t;
}

/// Weights of a point that is in the piece, up to rounding.
Weights weights_in(const Piece& piece, const Vec3& p) {
  Weights w{};
  if (piece.count == 2) {
    const double t = closest_point(p, piece.edge(0)).t;
    return {1 - t, t, 0, 0};
  }
  if (piece.count == 3) {
    const Vec3 b =
        closest_point(p, Triangle{piece.corner[0], piece.corner[1], piece.corner[2]}).barycentric;
    return {b.x, b.y, b.z, 0};
  }
  const auto clamp = [](double x) { return x > 0 ? (x < 1 ? x : 1) : 0; };
  const double x = clamp(piece.frame.along_e(p)), y = clamp(piece.frame.along_g(p));
  w = {(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y};
  return w;
}

Vec3 combine(const Piece& piece, const Weights& w) {
  Vec3 p;
  for (std::size_t i = 0; i < piece.count; ++i) p += piece.corner[i] * w[i];
  return p;
}

/// The common point of two pieces that meet: the crossing, or where the plane is too poor for one, the nearest candidate.
Candidate meeting(const Piece& a, const Piece& b, const Vec3& crossing_point,
                  const Candidate& nearest) {
  Candidate c{crossing_point, crossing_point, 0, weights_in(a, crossing_point),
              weights_in(b, crossing_point)};
  const double off_a = distance(crossing_point, combine(a, c.a));
  const double off_b = distance(crossing_point, combine(b, c.b));
  if (nearest.distance < (off_a > off_b ? off_a : off_b)) {
    c = nearest;
    c.distance = 0;
    c.on_b = c.on_a;
  }
  return c;
}

bool through(const Piece& a, const Piece& b, const Candidate& nearest, Candidate& result) {
  for (std::size_t i = 0; i < a.edges(); ++i) {
    const Segment s = a.edge(i);
    if (!passes(s, b)) continue;
    result = meeting(a, b, s.at(crossing(s.a, s.direction(), 0, 1, b.frame)), nearest);
    return true;
  }
  return false;
}

bool in_one_plane(const Piece& a, const Piece& b) {
  std::array<Vec3, 8> v{};
  std::size_t n = 0;
  for (const Vec3& x : a.corners()) v[n++] = x;
  for (const Vec3& x : b.corners()) v[n++] = x;
  for (std::size_t i = 3; i < n; ++i) {
    if (orient3d(v[i - 3], v[i - 2], v[i - 1], v[i]) != 0) return false;
  }
  return true;
}

Candidate nearest(const Piece& a, const Piece& b) {
  Search search(a, b);
  if (try_edges(search, a, b) || try_insides(search, a, b)) return search.best();
  Candidate c = search.best(), met;
  if (through(a, b, c, met)) return met;
  if (through(b, a, flipped(c), met)) return flipped(met);
  if (c.distance <= 4 * tolerance::epsilon * search.size() && in_one_plane(a, b)) {
    c.distance = 0;
    c.on_b = c.on_a;
  }
  return c;
}

ClosestPair pair_of(const Candidate& c) {
  return {c.on_a, c.on_b, c.distance};
}
Vec3 barycentric(const Weights& w) {
  return {w[0], w[1], w[2]};
}
/// From weights of the corners, in the order of Rectangle::vertices, to lengths along u and v.
Vec2 lengths(const Weights& w, const Rectangle& r) {
  return {r.half_u * (w[1] + w[2] - w[0] - w[3]), r.half_v * (w[2] + w[3] - w[0] - w[1])};
}

/// A line (least = -infinity) or ray (least = 0) and a triangle.
template<class X>
ClosestToTriangle nearest_straight(const X& x, double least, const Triangle& triangle) {
  const Piece b = piece(triangle);
  ClosestToTriangle best;
  best.distance = INFINITY;
  const auto offer = [&](const Candidate& c, double t) {
    if (c.distance < best.distance) best = {pair_of(c), t, barycentric(c.b)};
  };
  for (std::size_t i = 0; i < 3; ++i) {
    const ClosestLines l = closest_points(x, b.edge(i));
    Candidate c{l.on_a, l.on_b, l.distance, {}, {}};
    c.b[i] = 1 - l.t;
    c.b[b.after(i)] = l.t;
    offer(c, l.s);
  }
  const bool starts = least == 0 || x.direction == Vec3{}; // a ray, or a line that is a point
  if (starts) offer(over_inside(x.origin, {}, b), 0);
  const int turn = common_sign(orient3d_direction(x.origin, x.direction, triangle.a, triangle.b),
                               orient3d_direction(x.origin, x.direction, triangle.b, triangle.c),
                               orient3d_direction(x.origin, x.direction, triangle.c, triangle.a));
  if (turn == 0 || turn == 2) return best;
  // Turning clockwise it comes from the front: a ray then meets the plane where it starts in front.
  if (least == 0 && orient3d(triangle.a, triangle.b, triangle.c, x.origin) * turn > 0) return best;
  const double t = crossing(x.origin, x.direction, least, INFINITY, b.frame);
  const ClosestOnTriangle on = closest_point(x.at(t), triangle);
  if (on.distance <= best.distance) return {{x.at(t), x.at(t), 0}, t, on.barycentric};
  best.on_b = best.on_a;
  best.distance = 0;
  return best;
}

} // namespace

ClosestToTriangle closest_points(const Line& line, const Triangle& triangle) {
  return nearest_straight(line, -INFINITY, triangle);
}
ClosestToTriangle closest_points(const Ray& ray, const Triangle& triangle) {
  return nearest_straight(ray, 0, triangle);
}
ClosestToTriangle closest_points(const Segment& segment, const Triangle& triangle) {
  const Candidate c = nearest(piece(segment), piece(triangle));
  return {pair_of(c), c.a[1], barycentric(c.b)};
}
ClosestToRectangle closest_points(const Segment& segment, const Rectangle& rectangle) {
  const Candidate c = nearest(piece(segment), piece(rectangle));
  return {pair_of(c), c.a[1], lengths(c.b, rectangle)};
}
ClosestTriangles closest_points(const Triangle& a, const Triangle& b) {
  const Candidate c = nearest(piece(a), piece(b));
  return {pair_of(c), barycentric(c.a), barycentric(c.b)};
}
ClosestTriangleRectangle closest_points(const Triangle& triangle, const Rectangle& rectangle) {
  const Candidate c = nearest(piece(triangle), piece(rectangle));
  return {pair_of(c), barycentric(c.a), lengths(c.b, rectangle)};
}
ClosestRectangles closest_points(const Rectangle& a, const Rectangle& b) {
  const Candidate c = nearest(piece(a), piece(b));
  return {pair_of(c), lengths(c.a, a), lengths(c.b, b)};
}

} // namespace carom
