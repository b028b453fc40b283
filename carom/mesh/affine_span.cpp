// A point; two points apart; a third off their line; a fourth off their plane. Each is the farthest found, so that they make a large simplex.
// 'Farthest' is measured in doubles: any choice is right as long as the sign that it stands for is not zero, and where the farthest one's
// sign is zero by the exact test, all points are asked.
#include "carom/mesh/affine_span.h"

#include "carom/math/predicates.h"

#include <algorithm>

namespace carom {
namespace {

constexpr std::uint32_t none = 0xffffffff;

bool lexicographically_less(const Vec3& a, const Vec3& b) {
  if (a.x != b.x) return a.x < b.x;
  if (a.y != b.y) return a.y < b.y;
  return a.z < b.z;
}

/// Along the axis; areas seen from its positive end keep their sign.
Vec2 project(const Vec3& v, int axis) {
  return axis == 0 ? Vec2{v.y, v.z} : axis == 1 ? Vec2{v.z, v.x} : Vec2{v.x, v.y};
}
/// The sign of a component of (b - a) x (c - a).
int normal_sign(const Vec3& a, const Vec3& b, const Vec3& c, int axis) {
  return orient2d(project(a, axis), project(b, axis), project(c, axis));
}
bool collinear(const Vec3& a, const Vec3& b, const Vec3& c) {
  return normal_sign(a, b, c, 0) == 0 && normal_sign(a, b, c, 1) == 0 &&
         normal_sign(a, b, c, 2) == 0;
}

/// The first of the points with the greatest measure, if `accept` takes it; else the first point that it takes; else none.
template<class Measure, class Accept>
std::uint32_t find_farthest(std::span<const Vec3> points, Measure&& measure, Accept&& accept) {
  std::size_t best = 0;
  double greatest = -1;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double m = measure(points[i]);
    if (m > greatest) {
      greatest = m;
      best = i;
    }
  }
  if (accept(points[best])) return static_cast<std::uint32_t>(best);
  const auto found = std::find_if(points.begin(), points.end(), accept);
  return found == points.end() ? none : static_cast<std::uint32_t>(found - points.begin());
}

} // namespace

AffineSpan affine_span(std::span<const Vec3> points) {
  AffineSpan span;
  const auto least = std::min_element(points.begin(), points.end(), lexicographically_less);
  const Vec3 a = *least;
  span.corner[0] = static_cast<std::uint32_t>(least - points.begin());

  span.corner[1] = find_farthest(
      points, [&](const Vec3& p) { return length_squared(p - a); },
      [&](const Vec3& p) { return p != a; });
  if (span.corner[1] == none) return span;
  span.dimension = 1;
  const Vec3 b = points[span.corner[1]];

  span.corner[2] = find_farthest(
      points, [&](const Vec3& p) { return length_squared(cross(b - a, p - a)); },
      [&](const Vec3& p) { return !collinear(a, b, p); });
  if (span.corner[2] == none) return span;
  span.dimension = 2;
  const Vec3 c = points[span.corner[2]];

  const Vec3 normal = cross(b - a, c - a);
  span.corner[3] = find_farthest(
      points, [&](const Vec3& p) { return std::fabs(dot(normal, p - a)); },
      [&](const Vec3& p) { return orient3d(a, b, c, p) != 0; });
  if (span.corner[3] != none) span.dimension = 3;
  return span;
}

int projection_axis(const Vec3& a, const Vec3& b, const Vec3& c) {
  int axis = largest_axis(cross(b - a, c - a));
  for (int i = 0; i < 3 && normal_sign(a, b, c, axis) == 0; ++i) axis = i;
  return axis;
}

} // namespace carom
