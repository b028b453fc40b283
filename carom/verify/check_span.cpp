#include "carom/verify/check_span.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <variant>
#include <vector>

namespace carom::verify {
namespace {

// ---- all pairs of corners ----

struct Corners {
  std::vector<Vec3> operator()(const Vec3& p) const { return {p}; }
  std::vector<Vec3> operator()(const Segment& s) const { return {s.a, s.b}; }
  std::vector<Vec3> operator()(const Triangle& t) const { return {t.a, t.b, t.c}; }
  std::vector<Vec3> operator()(const Obb& b) const {
    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i) {
      const Vec3 sign{i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0};
      corners.push_back(b.center + b.axes * mul(b.half, sign));
    }
    return corners;
  }
  std::vector<Vec3> operator()(const Polytope& p) const { return p.hull().vertices; }
  std::vector<Vec3> operator()(const BrushCore& b) const { return b.corners.hull().vertices; }
  template<class Curved>
  std::vector<Vec3> operator()(const Curved&) const {
    return {};
  }
};

/// In the world; none where the core is curved or unbounded.
std::vector<Vec3> corners_of(const PlacedShape& placed) {
  std::vector<Vec3> corners = std::visit(Corners{}, placed.shape.core());
  const Frame frame = placed.pose.frame();
  for (Vec3& p : corners) p = frame.to_world(p);
  return corners;
}

double farthest_pair(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0;
  for (const Vec3& p : a) {
    for (const Vec3& q : b) most = std::max(most, length(p - q));
  }
  return most;
}

// ---- all directions ----

struct Reach {
  double along;   ///< how far B - A reaches
  double farther; ///< from the origin to the point it reaches there
};

/// The farthest that going up from n comes: a farthest point along n is no nearer than along its own direction.
double climbed(const PlacedShape& a, const PlacedShape& b, Vec3 n) {
  double most = 0;
  for (int i = 0; i < 30; ++i) {
    const Vec3 p = farthest_point(b, n) - farthest_point(a, -n);
    if (!(length(p) > most)) break;
    most = length(p);
    n = normalized_or(p, n);
  }
  return most;
}

/// Directions over one eighth of the sphere: i of n steps toward x, j toward y, the rest toward z.
class Octant {
public:
  static constexpr int steps = 16;

  Octant(const PlacedShape& a, const PlacedShape& b, const Vec3& signs) : signs_(signs) {
    for (int i = 0; i <= steps; ++i) {
      for (int j = 0; i + j <= steps; ++j) {
        const Vec3 n = direction(i, j);
        const Vec3 p = farthest_point(b, n) - farthest_point(a, -n);
        reach_.push_back({support(b, n) + support(a, -n), length(p)});
      }
    }
  }

  [[nodiscard]] Vec3 direction(int i, int j) const {
    return normalized(
        mul(signs_, Vec3{1.0 * i, 1.0 * j, 1.0 * (steps - i - j)} / static_cast<double>(steps)));
  }
  [[nodiscard]] const Reach& reach(int i, int j) const {
    const int before = i * (steps + 1) - i * (i - 1) / 2; // row i has steps + 1 - i
    return reach_[static_cast<std::size_t>(before) + static_cast<std::size_t>(j)];
  }

  /// No direction of the octant reaches farther. In a triangle of directions, n = sum of w_i v_i, the reach is at most sum of w_i reach(v_i) = g . n, where g is the point with these reaches.
  [[nodiscard]] double most() const {
    double most = -INFINITY;
    for (int i = 0; i < steps; ++i) {
      for (int j = 0; i + j < steps; ++j) {
        most = std::max(most, corner(i, j, i + 1, j, i, j + 1));
        if (i + j + 2 <= steps) most = std::max(most, corner(i + 1, j, i, j + 1, i + 1, j + 1));
      }
    }
    return most;
  }

private:
  /// The greatest g . n within the least circle around the middle of the triangle.
  [[nodiscard]] double corner(int i1, int j1, int i2, int j2, int i3, int j3) const {
    const Vec3 u = direction(i1, j1);
    const Vec3 v = direction(i2, j2);
    const Vec3 w = direction(i3, j3);
    const Vec3 scaled = cross(v, w) * reach(i1, j1).along + cross(w, u) * reach(i2, j2).along +
                        cross(u, v) * reach(i3, j3).along;
    const Vec3 g = scaled / dot(u, cross(v, w));
    const Vec3 middle = normalized(u + v + w);
    const double cosine = std::min({dot(middle, u), dot(middle, v), dot(middle, w)});
    const double sine = std::sqrt(1 - cosine * cosine);
    const double along = dot(g, middle);
    const double across = length(g - middle * along);
    if (across * cosine <= along * sine) return length(g);
    return along * cosine + across * sine;
  }

  Vec3 signs_;
  std::vector<Reach> reach_;
};

Verdict check_all_directions(const PlacedShape& a, const PlacedShape& b, double upper,
                             double tolerance) {
  // Solving for the corners multiplies roundings, by less than a thousand.
  const double size = a.shape.size() + b.shape.size() + length(a.pose.position - b.pose.position);
  const double rough = 0.01 * size + 1000 * tolerance;
  for (int i = 0; i < 8; ++i) {
    const Octant octant(a, b, {i & 1 ? -1.0 : 1.0, i & 2 ? -1.0 : 1.0, i & 4 ? -1.0 : 1.0});
    if (const double e = octant.most() - upper; !(e <= rough))
      return Verdict::off("it is not proved, by far, that nothing exceeds the upper bound", e);
    for (int j = 0; j <= Octant::steps; ++j) {
      for (int k = 0; j + k <= Octant::steps; ++k) {
        const Reach& r = octant.reach(j, k);
        double most = std::max(r.along, r.farther);
        if (!(most < upper - rough)) most = std::max(most, climbed(a, b, octant.direction(j, k)));
        if (const double e = most - upper; !(e <= tolerance))
          return Verdict::off("points are farther apart than the upper bound", e);
      }
    }
  }
  return Verdict::yes();
}

Verdict check_unbounded(const PlacedShape& a, const PlacedShape& b, const Span& answer) {
  const double reach = support(b, answer.direction) + support(a, -answer.direction);
  if (!(answer.value == INFINITY && answer.upper_bound == INFINITY))
    return Verdict::no("the value is finite though a shape has no end, or its bound is");
  return reach == INFINITY ? Verdict::yes()
                           : Verdict::no("along the direction both shapes have an end");
}

} // namespace

Verdict check_span(const PlacedShape& a, const PlacedShape& b, const Span& answer,
                   double tolerance) {
  if (answer.status == Status::bad_input) return Verdict::no("there is no answer");
  if (!is_finite(answer.on_a) || !is_finite(answer.on_b))
    return Verdict::no("a point is not finite");
  if (!is_unit(answer.direction)) return Verdict::no("the direction is not a unit vector");
  if (const double e = distance(answer.on_a, a); !(e <= tolerance))
    return Verdict::off("on_a is off A", e);
  if (const double e = distance(answer.on_b, b); !(e <= tolerance))
    return Verdict::off("on_b is off B", e);
  if (!a.shape.bounded() || !b.shape.bounded() || answer.value == INFINITY)
    return check_unbounded(a, b, answer);
  const Vec3 between = answer.on_b - answer.on_a;
  if (const double e = length(between - answer.direction * answer.value); !(e <= tolerance))
    return Verdict::off("the points are not value * direction apart", e);
  if (!(answer.value >= 0 && answer.value <= answer.upper_bound))
    return Verdict::no("the value is negative or above the upper bound");

  const std::vector<Vec3> of_a = corners_of(a);
  const std::vector<Vec3> of_b = corners_of(b);
  if (of_a.empty() || of_b.empty())
    return check_all_directions(a, b, answer.upper_bound, tolerance);
  const double radius = a.shape.rounding() + b.shape.rounding();
  const double e = farthest_pair(of_a, of_b) + radius - answer.upper_bound;
  return e <= tolerance ? Verdict::yes()
                        : Verdict::off("corners are farther apart than the upper bound", e);
}

} // namespace carom::verify
