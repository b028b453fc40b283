#include "carom/mesh/winding_number.h"

#include "carom/math/double_double.h"
#include "carom/math/predicates.h"
#include "carom/math/trig.h"
#include "carom/mesh/degenerate_faces.h"
#include "carom/mesh/mesh_check.h"

#include <cmath>
#include <limits>

namespace carom {
namespace {

/// body(a, b, c) for the triangles of the surface, until it returns false.
template<class Body>
void for_each_triangle(const PolygonSurface& surface, Body&& body) {
  for (std::size_t f = 0; f < face_count(surface); ++f) {
    if (!face_is_usable(surface, f)) continue;
    const auto corners = corners_of(surface, f);
    for (std::size_t i = 2; i < corners.size(); ++i) {
      if (!body(surface.vertices[corners[0]], surface.vertices[corners[i - 1]],
                surface.vertices[corners[i]])) {
        return;
      }
    }
  }
}

// --- Crossings. A ray goes straight up from the point. In the view from above it is a point q, and a triangle is crossed where its projection is
// wound around q: 1, -1 or 0 times. That is a sum over the three sides, each of which counts the same, with opposite sign, for the
// neighbour that it is a side of, too. So nothing is counted twice or missed where the ray meets an edge or a vertex: it is as if q were moved by an
// infinitesimal amount, the same for all sides. (To the right, and by far less up.)

/// What the side from u to v adds: its crossings of the ray from q to the left, as seen from above.
int side_crossing(const Vec3& u, const Vec3& v, const Vec3& q) {
  const bool u_below = u.y <= q.y;
  const bool v_below = v.y <= q.y;
  if (u_below == v_below) return 0;
  const int side = orient2d({u.x, u.y}, {v.x, v.y}, {q.x, q.y});
  // Upward with q to the right of it or on it: it passes to the left of q as it has been moved.
  if (u_below) return side <= 0 ? -1 : 0;
  return side >= 0 ? 1 : 0;
}

// --- Solid angles (Van Oosterom and Strackee 1983): with a, b, c from the point to the corners,
//   tan(angle / 2) = a.(b x c) / (|a||b||c| + (a.b)|c| + (b.c)|a| + (c.a)|b|).
// Close to an edge both terms of the quotient cancel; then they are evaluated in twice the precision.

struct Terms {
  double numerator, denominator;
};

using Row = predicate::Row3<DoubleDouble>;

DoubleDouble root(const DoubleDouble& x) {
  if (!(x.high > 0)) return {};
  const DoubleDouble s{std::sqrt(x.high)};
  return s + (x - s * s) / DoubleDouble{2 * s.high};
}

Row exact_difference(const Vec3& a, const Vec3& b) {
  const auto along = [](double x, double y) {
    const TwoDoubles d = two_diff(x, y);
    return DoubleDouble{d.value, d.error};
  };
  return {along(a.x, b.x), along(a.y, b.y), along(a.z, b.z)};
}

DoubleDouble inner(const Row& u, const Row& v) { return u.x * v.x + u.y * v.y + u.z * v.z; }

Terms precise_terms(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Row u = exact_difference(a, p);
  const Row v = exact_difference(b, p);
  const Row w = exact_difference(c, p);
  const DoubleDouble lu = root(inner(u, u));
  const DoubleDouble lv = root(inner(v, v));
  const DoubleDouble lw = root(inner(w, w));
  const DoubleDouble numerator =
      u.x * (v.y * w.z - v.z * w.y) + u.y * (v.z * w.x - v.x * w.z) + u.z * (v.x * w.y - v.y * w.x);
  const DoubleDouble denominator =
      lu * lv * lw + inner(u, v) * lw + inner(v, w) * lu + inner(w, u) * lv;
  return {numerator.high, denominator.high};
}

Terms quick_terms(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 u = a - p;
  const Vec3 v = b - p;
  const Vec3 w = c - p;
  const double lu = length(u);
  const double lv = length(v);
  const double lw = length(w);
  const double size = lu * lv * lw;
  const Terms terms = {triple(u, v, w), size + dot(u, v) * lw + dot(v, w) * lu + dot(w, u) * lv};
  // Some twenty roundings of terms of that size are 2^-48 of it; 2^-20 leaves enough digits of the angle.
  const bool cancels = std::fabs(terms.numerator) + std::fabs(terms.denominator) < 0x1p-20 * size;
  return cancels ? precise_terms(p, a, b, c) : terms;
}

/// Half the solid angle, in [-pi, pi]; positive where the back of the triangle is seen.
double half_angle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const int side = -orient3d(a, b, c, p);
  if (side == 0) return 0; // seen edge-on, or on it
  const Terms terms = quick_terms(p, a, b, c);
  const double numerator =
      std::fmax(std::fabs(terms.numerator), std::numeric_limits<double>::min());
  return side * carom::atan2(numerator, terms.denominator);
}

/// A sum that carries its rounding errors along.
struct Sum {
  double value = 0, error = 0;
  void add(double x) {
    const TwoDoubles s = two_sum(value, x);
    value = s.value;
    error += s.error;
  }
};

// --- On the surface.

bool on_segment(const Vec3& a, const Vec3& b, const Vec3& p) {
  const Vec3 low = min(a, b);
  const Vec3 high = max(a, b);
  return min(low, p) == low && max(high, p) == high && collinear(a, b, p);
}

bool on_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p) {
  // Outside of the box around it, nearly always.
  const Vec3 low = min(min(a, b), c);
  const Vec3 high = max(max(a, b), c);
  if (min(low, p) != low || max(high, p) != high) return false;
  if (orient3d(a, b, c, p) != 0) return false;
  if (on_segment(a, b, p) || on_segment(b, c, p) || on_segment(c, a, p)) return true;
  // In the plane and not on the border: on the same side of all three sides, in every view in which the triangle has area.
  for (int axis = 0; axis < 3; ++axis) {
    const auto view = [&](const Vec3& v) { return Vec2{v[(axis + 1) % 3], v[(axis + 2) % 3]}; };
    const int turn = orient2d(view(a), view(b), view(c));
    if (turn == 0) continue;
    return orient2d(view(a), view(b), view(p)) == turn &&
           orient2d(view(b), view(c), view(p)) == turn &&
           orient2d(view(c), view(a), view(p)) == turn;
  }
  return false; // a segment or a point
}

} // namespace

std::int64_t crossing_count(const PolygonSurface& surface, const Vec3& point) {
  std::int64_t count = 0;
  for_each_triangle(surface, [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    const int around =
        side_crossing(a, b, point) + side_crossing(b, c, point) + side_crossing(c, a, point);
    // Wound around counter-clockwise, the triangle's front is up: it is above the point where the point is behind it.
    if (around != 0 && orient3d(a, b, c, point) == -around) count += around;
    return true;
  });
  return count;
}

double winding_number(const PolygonSurface& surface, const Vec3& point) {
  Sum sum;
  for_each_triangle(surface, [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    sum.add(half_angle(point, a, b, c));
    return true;
  });
  return (sum.value + sum.error) / two_pi;
}

bool is_on_surface(const PolygonSurface& surface, const Vec3& point) {
  bool found = false;
  for_each_triangle(surface, [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    found = on_triangle(a, b, c, point);
    return !found;
  });
  return found;
}

PointPlace locate(const PolygonSurface& surface, const Vec3& point, bool closed) {
  if (!is_finite(point)) return PointPlace::outside;
  if (is_on_surface(surface, point)) return PointPlace::on_surface;
  const bool inside =
      closed ? crossing_count(surface, point) > 0 : winding_number(surface, point) > 0.5;
  return inside ? PointPlace::inside : PointPlace::outside;
}

} // namespace carom
