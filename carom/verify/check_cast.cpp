#include "carom/verify/check_cast.h"

namespace carom::verify {
namespace {

using Real = long double;

Real room(const HalfSpace& h, const Vec3& origin, const Vec3& direction, Real t) {
  Real sum = h.offset;
  for (int i = 0; i < 3; ++i)
    sum -= static_cast<Real>(h.normal[i]) * (origin[i] + t * direction[i]);
  return sum;
}

// A hit's normal belongs to a face through the point.
bool is_on_face(const Cast& answer, std::span<const HalfSpace> faces, double tolerance) {
  return std::any_of(faces.begin(), faces.end(), [&](const HalfSpace& h) {
    return length(h.normal - answer.normal) <= 1e-15 * 16 &&
           std::fabs(h.signed_distance(answer.point)) <= tolerance;
  });
}

// The least room over all faces is a concave function of t: its greatest is how deep the line goes.
Real depth(const StraightPiece& line, std::span<const HalfSpace> faces, Real low, Real high) {
  const auto least = [&](Real t) {
    Real r = INFINITY;
    for (const HalfSpace& h : faces) r = std::min(r, room(h, line.origin, line.direction, t));
    return r;
  };
  for (int i = 0; i < 200; ++i) {
    const Real a = low + (high - low) / 3, b = high - (high - low) / 3;
    (least(a) < least(b) ? low : high) = least(a) < least(b) ? a : b;
  }
  return std::max(least(low), least(high));
}

} // namespace

Verdict check_faces_cast(const StraightPiece& line, std::span<const HalfSpace> faces,
                         const Cast& answer, double tolerance) {
  if (answer.hit) {
    if (Verdict v = cast_check::check_fields(line, answer, tolerance); !v) return v;
    for (const HalfSpace& h : faces) {
      if (const double e = h.signed_distance(answer.point); !(e <= tolerance)) {
        return cast_check::off("the point is off the set", e, tolerance);
      }
    }
    if (answer.inside) return Verdict::yes();
    if (!is_on_face(answer, faces, tolerance)) {
      return Verdict::no("no face with this normal goes through the point");
    }
    if (!(dot(answer.normal, line.direction) <= 4 * tolerance::epsilon * length(line.direction))) {
      return Verdict::no("the normal does not face the line");
    }
    return Verdict::yes();
  }
  // No point of the line is in by more than the tolerance, as far as the coordinates' own size reaches.
  const double l = length(line.direction);
  double size = length(line.origin);
  for (const HalfSpace& h : faces) size = std::max(size, std::fabs(h.offset));
  const Real reach = l > 0 ? Real{1e3} * size / l : 0;
  const Real low = std::max<Real>(line.low, -reach), high = std::min<Real>(line.high, reach);
  if (low <= high && depth(line, faces, low, high) > tolerance) {
    return Verdict::no("it misses, but runs through the set");
  }
  return Verdict::yes();
}

} // namespace carom::verify
