// Sutherland and Hodgman: the polygon is cut by the six face planes in turn. A convex polygon gains at most one corner a cut.
#include "carom/geometry/box_clip.h"

#include <array>

namespace carom {
namespace {

struct Corners {
  std::array<Vec3, 4 + 6> at;
  std::size_t size = 0;

  void add(const Vec3& p) {
    // Rounding can make a nearly straight chain cross a plane more than twice; what does not fit is lost, and is not needed.
    if (size < at.size()) at[size++] = p;
  }
};

/// Keeps sign * p[axis] <= limit.
Corners cut(const Corners& polygon, int axis, double sign, double limit) {
  Corners result;
  for (std::size_t i = 0; i < polygon.size; ++i) {
    const Vec3& p = polygon.at[i];
    const Vec3& q = polygon.at[i + 1 == polygon.size ? 0 : i + 1];
    const double dp = sign * p[axis] - limit;
    const double dq = sign * q[axis] - limit;
    if (dp <= 0) result.add(p);
    if ((dp < 0 && dq > 0) || (dp > 0 && dq < 0)) result.add(lerp(p, q, dp / (dp - dq)));
  }
  return result;
}

} // namespace

bool point_in_box(std::span<const Vec3> polygon, const Vec3& half, double slack, Vec3& point) {
  Corners corners;
  for (const Vec3& p : polygon) corners.add(p);
  for (int axis = 0; axis < 3 && corners.size > 0; ++axis) {
    corners = cut(corners, axis, 1, half[axis] + slack);
    corners = cut(corners, axis, -1, half[axis] + slack);
  }
  if (corners.size == 0) return false;
  Vec3 sum;
  for (std::size_t i = 0; i < corners.size; ++i) sum += corners.at[i];
  point = sum / static_cast<double>(corners.size);
  return true;
}

} // namespace carom
