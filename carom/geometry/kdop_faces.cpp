// A face is a square in its plane, larger than the DOP, cut by all other half-spaces in turn. The normals are small integer vectors, so any three
// of them that are independent have a determinant of 1 at least: all corners are well conditioned, and it is enough to compute in
// doubles. All coordinates are taken from the middle of the DOP's box, so a DOP far from the origin has a volume as exact as its offsets.
//
// A plane that only touches (a slab that an edge or a corner reaches) leaves a face without area, whose corners are the DOP's. So a face may
// not be lost to rounding: half-spaces are widened by a few epsilon while cutting. The volume is the sum of the pyramids from
// the middle: face area times distance over three.
#include "carom/geometry/kdop_faces.h"

#include "carom/math/tolerance.h"

#include <algorithm>
#include <array>

namespace carom {
namespace {

/// A convex polygon on the stack. Each cut adds one corner at most.
struct Ring {
  std::array<Vec3, 4 + 26> corner{};
  std::size_t count = 0;

  void add(const Vec3& p) {
    if (count < corner.size()) corner[count++] = p;
  }
};

/// The part of the ring with normal . x <= offset.
Ring cut(const Ring& ring, const Vec3& normal, double offset) {
  Ring result;
  for (std::size_t i = 0; i < ring.count; ++i) {
    const Vec3& p = ring.corner[i];
    const Vec3& q = ring.corner[i + 1 < ring.count ? i + 1 : 0];
    const double a = dot(normal, p) - offset;
    const double b = dot(normal, q) - offset;
    if (a <= 0) result.add(p);
    if ((a < 0 && b > 0) || (a > 0 && b < 0)) result.add(lerp(p, q, a / (a - b)));
  }
  return result;
}

Vec3 twice_area(const Ring& ring) {
  Vec3 sum;
  for (std::size_t i = 2; i < ring.count; ++i) {
    sum += cross(ring.corner[i - 1] - ring.corner[0], ring.corner[i] - ring.corner[0]);
  }
  return sum;
}

double greatest_offset(std::span<const double> low, std::span<const double> high) {
  double result = 0;
  for (std::size_t i = 0; i < low.size(); ++i) {
    result = std::max({result, std::fabs(low[i]), std::fabs(high[i])});
  }
  return result;
}

/// Calls use(ring, normal, offset) for each face, in coordinates about the middle of the box: normal . x <= offset there, the
/// normal not of unit length. Returns that middle.
template<class Use>
Vec3 for_each_face(std::span<const Vec3> directions, std::span<const double> low,
                   std::span<const double> high, Use&& use) {
  const Vec3 middle{low[0] * 0.5 + high[0] * 0.5, low[1] * 0.5 + high[1] * 0.5,
                    low[2] * 0.5 + high[2] * 0.5};
  const Vec3 half{high[0] * 0.5 - low[0] * 0.5, high[1] * 0.5 - low[1] * 0.5,
                  high[2] * 0.5 - low[2] * 0.5};
  const double slack = 8 * tolerance::epsilon * greatest_offset(low, high);
  // Half-space h is direction h / 2, forward or backward.
  const auto normal = [&](std::size_t h) {
    return h % 2 == 0 ? directions[h / 2] : -directions[h / 2];
  };
  const auto offset = [&](std::size_t h) {
    return (h % 2 == 0 ? high[h / 2] : -low[h / 2]) - dot(normal(h), middle);
  };
  const double reach = 4 * (half.x + half.y + half.z + slack);
  for (std::size_t face = 0; face < 2 * directions.size(); ++face) {
    const Vec3 n = normal(face);
    const Vec3 u = perpendicular(n);
    const Vec3 v = normalized(cross(n, u));
    const Vec3 on = n * (offset(face) / length_squared(n));
    Ring ring;
    ring.add(on - u * reach - v * reach);
    ring.add(on + u * reach - v * reach);
    ring.add(on + u * reach + v * reach);
    ring.add(on - u * reach + v * reach);
    for (std::size_t h = 0; h < 2 * directions.size() && ring.count > 0; ++h) {
      if (h / 2 != face / 2) ring = cut(ring, normal(h), offset(h) + slack);
    }
    use(ring, n, offset(face));
  }
  return middle;
}

/// Slabs that exclude each other by themselves.
template<int K>
bool is_empty(const Kdop<K>& dop) {
  for (std::size_t i = 0; i < dop.min.size(); ++i) {
    if (!(dop.min[i] <= dop.max[i])) return true;
  }
  return false;
}

} // namespace

template<int K>
double volume(const Kdop<K>& dop) {
  if (is_empty(dop)) return 0;
  double sum = 0;
  for_each_face(Kdop<K>::directions(), dop.min, dop.max,
                [&](const Ring& ring, const Vec3& n, double offset) {
                  sum += length(twice_area(ring)) / 2 * (offset / length(n));
                });
  return std::max(0.0, sum / 3);
}

template<int K>
double area(const Kdop<K>& dop) {
  if (is_empty(dop)) return 0;
  double sum = 0;
  for_each_face(
      Kdop<K>::directions(), dop.min, dop.max,
      [&](const Ring& ring, const Vec3&, double) { sum += length(twice_area(ring)) / 2; });
  return sum;
}

template double volume(const Kdop<6>&);
template double volume(const Kdop<14>&);
template double volume(const Kdop<18>&);
template double volume(const Kdop<26>&);
template double area(const Kdop<6>&);
template double area(const Kdop<14>&);
template double area(const Kdop<18>&);
template double area(const Kdop<26>&);

} // namespace carom
