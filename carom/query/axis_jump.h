// From two features of round cores to the axis along which they are nearest, in one jump: axis_points.h in vectors, with its proof. Internal to the queries, a part of round_forms.h.
#pragma once

#include "carom/query/axis_points.h"
#include "carom/query/closed_forms.h"
#include "carom/query/round_core.h"

#include <cmath>

namespace [[gnu::visibility("default")]] carom {

struct Jump {
  bool found = false;  ///< the equations have a solution
  bool proved = false; ///< and it is the answer
  Vec3 n;
};

/// The part of a line across an axis, of which the part along it is known to within rounding of `size`, as a square.
struct AcrossAxis {
  Vec3 part;
  double length;

  [[gnu::always_inline]] AcrossAxis(const RoundCore& core, const Vec3& line, double along,
                                    double size_squared)
      : part(line - core.axis() * along) {
    double squared = length_squared(part);
    // Of what is short, what rounding left of it along the axis counts.
    if (squared < 0.04 * size_squared) [[unlikely]] {
      part = core.flat(line);
      squared = length_squared(part);
    }
    length = std::sqrt(squared);
  }
};

/// The solution for two features.
[[gnu::always_inline]] inline Jump jump_to_axis(const FormPair& pair, const RoundCore& a,
                                                const RoundCore& b, RoundFeature on_a,
                                                RoundFeature on_b, FormAnswer& answer) {
  const bool side_a = on_a == RoundFeature::side;
  const bool side_b = on_b == RoundFeature::side;
  if ((side_a && a.lean() != 0) || (side_b && (side_a || b.lean() != 0))) return {};
  const Vec3& u = a.axis();
  const Vec3& v = b.axis();
  const Vec3& center_a = a.center(on_a);
  const Vec3& center_b = b.center(on_b);
  const Vec3 w = center_b - center_a;
  AxisPoints at{length_squared(w), dot(w, u), dot(w, v), dot(u, v)};
  const double ra = a.radius(on_a);
  const double rb = b.radius(on_b);
  const bool found = side_a   ? at.solve_side(rb)
                     : side_b ? at.solve_side_of_b(ra)
                              : at.solve_rims(ra, rb);
  if (!found) return {};
  const Vec3 line = w + u * at.p + v * at.q;
  const double line_squared = length_squared(line);
  const double per_length = 1 / std::sqrt(line_squared);
  const Vec3 n = line * per_length;
  const AcrossAxis across_a(a, line, at.along_u(), at.ww + line_squared);
  const AcrossAxis across_b(b, line, at.along_v(), at.ww + line_squared);
  Vec3 p = ra > 0 ? center_a + across_a.part * (ra / across_a.length) : center_a;
  Vec3 q = rb > 0 ? center_b - across_b.part * (rb / across_b.length) : center_b;
  bool inside = true;
  if (side_a) {
    const double up = dot(q - center_a, u);
    p += u * up;
    inside = up >= 0 && up <= a.height();
  } else if (side_b) {
    const double up = dot(p - center_b, v);
    q += v * up;
    inside = up >= 0 && up <= b.height();
  }
  const Vec3 between = q - p;
  const bool proved = inside && answer.take(pair, p, between, length(between), n,
                                            a.slack(p, n, across_a.length * per_length),
                                            b.slack(q, -n, across_b.length * per_length));
  return {true, proved, n};
}

} // namespace carom
