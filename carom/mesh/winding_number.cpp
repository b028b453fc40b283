#include "carom/mesh/winding_number.h"

#include "carom/geometry/containment.h"
#include "carom/math/double_double.h"
#include "carom/math/predicates.h"
#include "carom/math/trig.h"
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

} // namespace

std::int64_t crossing_count(const PolygonSurface& surface, const Vec3& point) {
  std::int64_t count = 0;
  for_each_triangle(surface, [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    count += crossing({a, b, c}, point);
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
  if (!is_finite(point)) return found;
  for_each_triangle(surface, [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    found = locate_in_triangle(point, {a, b, c}) != Containment::outside;
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
