// Small-step oracles for the four tests between features: the motion in many short steps, each crossing found by signs alone.
#pragma once

#include "carom/geometry/closest_line.h"
#include "carom/geometry/closest_point.h"
#include "carom/motion/polyhedral_zone.h"
#include "tests/motion/polyhedral_cases.h"

#include <functional>

namespace carom::test {

/// A convex polygon of 3 to 6 corners in any plane, about one across.
struct PolygonCase {
  std::vector<Vec3> corners;
  Plane plane;
  [[nodiscard]] PolygonView view() const { return {plane, corners}; }
};

inline PolygonCase polygon_case(Source& source) {
  PolygonCase p;
  const int n = 3 + source.index(4);
  const Mat3 turn = to_matrix(any_rotation(source));
  const double first = source.uniform(0, 6);
  const double by = source.uniform(0.4, 1.2);
  const Vec3 off = vec3(source) * 0.5;
  for (int i = 0; i < n; ++i) {
    const double a = first + 2 * std::numbers::pi * i / n;
    p.corners.push_back(turn * Vec3{by * std::cos(a), by * std::sin(a), 0} + off);
  }
  p.plane = make_plane(p.corners[0], turn.z);
  return p;
}

inline EdgeView edge_case(Source& source) {
  const Vec3 a = unit_vector(source);
  const Vec3 b = unit_vector(source);
  const double far = source.uniform(0.3, 1.5);
  return {a * far, b, {}};
}

/// Where the oracle saw something: the time, and how far inside of the bounds it was (a length).
struct Crossing {
  double time = -1, inside = 0;
};

/// A point goes through a polygon's plane from the front to the back between two of `steps` steps from 0 to 1.
inline std::vector<Crossing> crossings(const std::function<Vec3(double)>& point,
                                       const PolygonCase& polygon, int steps) {
  std::vector<Crossing> found;
  Vec3 last = point(0);
  for (int i = 1; i <= steps; ++i) {
    const double t = static_cast<double>(i) / steps;
    const Vec3 now = point(t);
    const double before = polygon.plane.signed_distance(last),
                 after = polygon.plane.signed_distance(now);
    if (before >= 0 && after < 0) {
      const Vec3 at = lerp(last, now, before / (before - after));
      double inside = INFINITY;
      for (std::size_t k = 0; k < polygon.corners.size(); ++k) {
        const Vec3& c = polygon.corners[k];
        const Vec3 d = normalized(polygon.corners[(k + 1) % polygon.corners.size()] - c);
        inside = std::min(inside, dot(cross(polygon.plane.normal, d), at - c));
      }
      found.push_back({t - 1.0 / steps, inside});
    }
    last = now;
  }
  return found;
}

/// A segment goes through another one.
inline std::vector<Crossing> crossings(const std::function<EdgeView(double)>& moving,
                                       const EdgeView& still, int steps) {
  std::vector<Crossing> found;
  const auto volume = [&](const EdgeView& e) {
    return dot(cross(e.to - e.from, still.to - still.from), e.from - still.from);
  };
  EdgeView last = moving(0);
  for (int i = 1; i <= steps; ++i) {
    const double t = static_cast<double>(i) / steps;
    const EdgeView now = moving(t);
    const double before = volume(last), after = volume(now);
    if ((before > 0) != (after > 0)) {
      const double f = before / (before - after);
      const Segment a{lerp(last.from, now.from, f), lerp(last.to, now.to, f)};
      const ClosestLines c =
          closest_points(Line{a.a, a.b - a.a}, Line{still.from, still.to - still.from});
      const double first = std::min(c.s, 1 - c.s) * length(a.b - a.a);
      const double second = std::min(c.t, 1 - c.t) * distance(still.from, still.to);
      found.push_back({t - 1.0 / steps, std::min(first, second)});
    }
    last = now;
  }
  return found;
}

} // namespace carom::test
