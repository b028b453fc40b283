// What a search that may stop within rounding of the farthest has to keep to.
#pragma once

#include "carom/math/tolerance.h"
#include "tests/shape/polytope_cases.h"
#include "tests/support/property.h"

#include <gmpxx.h>

#include <algorithm>
#include <span>
#include <vector>

namespace carom::test {

inline mpq_class exact_height(const Vec3& d, const Vec3& v) {
  return mpq_class(d.x) * v.x + mpq_class(d.y) * v.y + mpq_class(d.z) * v.z;
}

/// No vertex is farther than number `at` by more than 4 epsilon of size and direction, whether products are computed or exact.
inline void expect_farthest(std::span<const Vec3> vertices, const Vec3& d, std::uint32_t at,
                            bool also_exactly) {
  ASSERT_LT(at, vertices.size());
  double size = 0;
  for (const Vec3& v : vertices) size = std::max(size, max_abs(v));
  const double sum = std::fabs(d.x) + std::fabs(d.y) + std::fabs(d.z);
  const double slack = 4 * tolerance::epsilon * size * sum;
  const Vec3& best = vertices[scan(vertices, d)];
  EXPECT_LE(dot(d, best) - dot(d, vertices[at]), slack) << d.x << ' ' << d.y << ' ' << d.z;
  if (!also_exactly) return;
  mpq_class top = exact_height(d, vertices[0]);
  for (const Vec3& v : vertices) {
    // Exactly only where it may matter: a computed product is right to 2 epsilon.
    if (dot(d, v) >= dot(d, best) - 2 * slack) top = std::max(top, exact_height(d, v));
  }
  EXPECT_LE(mpq_class(top - exact_height(d, vertices[at])).get_d(), slack);
}

/// The way up begins with steps of a fifth of a rounding, and ends 1e-7 higher. Around the first point stand four others, each 2^-33 aside and one
/// double lower, a slope of 2^-20; beyond them it falls by 1.1 * 2^-20 to a far corner. A direction tilted by 1.2 * 2^-20 has its
/// farthest point there.
inline std::vector<Vec3> hidden_way_points() {
  std::vector<Vec3> points{{0.5, 0, 1}, {0.5, 0, -1}};
  for (const Vec3& way : {Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, -1, 0}}) {
    points.push_back(way * 0x1p-33 + Vec3{0.5, 0, 1 - 0x1p-53});
    points.push_back(way + Vec3{0.5, 0, 1 - 1.1 * 0x1p-20});
  }
  return points;
}
inline Vec3 hidden_way_direction(Source& source) {
  const double tilt = source.uniform(1.12, 1.3) * 0x1p-20;
  const Vec3 d{source.chance(2) ? tilt : -tilt, 0, 1};
  return d * source.uniform(0.1, 10);
}

} // namespace carom::test
