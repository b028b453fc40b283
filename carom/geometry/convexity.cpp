// An outline that only turns left, by at most half a turn at each corner, turns by half a turn for each time that its direction changes
// between 'forward' (growing x, or growing y at equal x) and 'backward'. A convex outline turns by one full turn in all: two
// changes. A pentagram has four; so has a zigzag on a line, where every turn is 0 or a half. Turns and directions are exact, hence
// so is the answer, with thousands of corners almost straight too: no angle is ever added up.
//
// An outline with a U-turn and two changes is flat: the U-turn takes a half, and what remains is a half, so all directions lie on one
// side of a line, and add up to zero only if they are all along it.
#include "carom/geometry/convexity.h"

#include "carom/math/predicates.h"
#include "carom/math/tolerance.h"

namespace carom {
namespace {

bool forward(const Vec2& a, const Vec2& b) {
  return a.x < b.x || (a.x == b.x && a.y < b.y);
}

Vec2 drop_axis(const Vec3& v, int axis) {
  return axis == 0 ? Vec2{v.y, v.z} : axis == 1 ? Vec2{v.z, v.x} : Vec2{v.x, v.y};
}

/// The test of the file's head, over corner(0) .. corner(n - 1).
template<class Corner>
PolygonConvexity classify(std::size_t n, Corner&& corner) {
  constexpr PolygonConvexity no_area{Convexity::flat, 0};
  if (n == 0) return no_area;
  std::size_t last = n - 1;
  while (last > 0 && corner(last) == corner(0)) --last;
  if (last == 0) return no_area;
  Vec2 a = corner(last);
  Vec2 b = corner(0);
  bool turns_left = false;
  bool turns_right = false;
  bool strict = true;
  int changes = 0;
  for (std::size_t i = 1; i <= n; ++i) {
    const Vec2 c = corner(i == n ? 0 : i);
    if (c == b) {
      strict = false;
      continue;
    }
    const int turn = orient2d(a, b, c);
    turns_left = turns_left || turn > 0;
    turns_right = turns_right || turn < 0;
    strict = strict && turn != 0;
    changes += forward(a, b) != forward(b, c) ? 1 : 0;
    a = b;
    b = c;
  }
  if ((turns_left && turns_right) || changes != 2) return {Convexity::not_convex, 0};
  if (!turns_left && !turns_right) return no_area;
  return {strict ? Convexity::strict : Convexity::weak, turns_left ? 1 : -1};
}

/// (b - a) x (c - a) for the first corner a, the corner b farthest from it, and the corner c that makes it longest. It does not cancel,
/// whatever the outline does. Zero for corners on a line.
Vec3 widest_normal(std::span<const Vec3> polygon) {
  Vec3 longest;
  for (const Vec3& p : polygon) {
    if (length_squared(p - polygon[0]) > length_squared(longest)) longest = p - polygon[0];
  }
  Vec3 widest;
  for (const Vec3& p : polygon) {
    const Vec3 n = cross(longest, p - polygon[0]);
    if (length_squared(n) > length_squared(widest)) widest = n;
  }
  return widest == Vec3{} ? perpendicular(longest) : widest;
}

} // namespace

PolygonConvexity convexity(std::span<const Vec2> polygon) {
  return classify(polygon.size(), [&](std::size_t i) { return polygon[i]; });
}

PolygonConvexity convexity(std::span<const Vec3> polygon) {
  if (polygon.empty()) return {Convexity::flat, 0};
  const int axis = largest_axis(widest_normal(polygon));
  return classify(polygon.size(), [&](std::size_t i) { return drop_axis(polygon[i], axis); });
}

PolygonConvexity convexity(const Quad& quad) {
  return convexity(std::span<const Vec3>(quad.vertices()));
}

Flatness flatness(std::span<const Vec3> polygon) {
  if (polygon.empty()) return {};
  Vec3 sum;
  for (const Vec3& p : polygon) sum += p - polygon[0];
  const auto count = static_cast<double>(polygon.size());
  const Vec3 mean = polygon[0] + sum / count;
  // Newell: twice the area of the outline's shadow on each coordinate plane.
  Vec3 normal;
  double magnitude = 0;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    const Vec3 n = cross(polygon[j] - mean, polygon[i] - mean);
    normal += n;
    magnitude += length(n);
  }
  // What is left of areas that cancel is rounding: an epsilon for each term, and a margin of 16.
  if (!(length(normal) > 16 * tolerance::epsilon * count * magnitude))
    normal = widest_normal(polygon);
  Flatness result{make_plane(mean, normal), 0};
  for (const Vec3& p : polygon) {
    const double height = std::fabs(dot(result.plane.normal, p - mean));
    if (height > result.height) result.height = height;
  }
  return result;
}

Flatness flatness(const Quad& quad) {
  return flatness(std::span<const Vec3>(quad.vertices()));
}

} // namespace carom
