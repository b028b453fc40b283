#include "carom/verify/check_sweep.h"

namespace carom::verify::sweep_check {
namespace {

using Real = long double;

struct Long3 {
  Real x, y, z;
};
Long3 difference(const Vec3& a, const Vec3& b) {
  return {Real{a.x} - b.x, Real{a.y} - b.y, Real{a.z} - b.z};
}
Real dot(const Long3& a, const Long3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Long3 cross(const Long3& a, const Long3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

} // namespace

double point_distance(const Vec3& p, const Triangle& t) {
  double best = INFINITY;
  const Long3 normal = cross(difference(t.b, t.a), difference(t.c, t.a));
  const Real area = std::sqrt(dot(normal, normal));
  bool over = area > 0;
  for (int i = 0; i < 3; ++i) {
    const Vec3 &a = t[i], &b = t[(i + 1) % 3];
    best = std::min(best, verify::distance(p, Segment{a, b}));
    over = over && dot(cross(difference(b, a), difference(p, a)), normal) >= 0;
  }
  if (!over) return best;
  return std::min(best, static_cast<double>(std::fabs(dot(difference(p, t.a), normal)) / area));
}

double point_distance(const Vec3& p, const Polygon& polygon) {
  const std::span<const Vec3> v = polygon.vertices;
  double best = verify::distance(p, Polygon{v.first(std::min<std::size_t>(v.size(), 2))});
  for (std::size_t i = 2; i < v.size(); ++i) {
    best = std::min(best, point_distance(p, Triangle{v[0], v[i - 1], v[i]}));
  }
  return best;
}

} // namespace carom::verify::sweep_check
