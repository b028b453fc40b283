// How far a placed shape reaches, to a hundred digits: the oracle of the tests of supports and bounds.
//
// From the definitions of the cores, with the doubles of shape and pose taken as exact reals. A custom shape reaches as far as its function
// says, which is no more exact than a double.
#pragma once

#include "carom/math/pose.h"
#include "carom/math/tolerance.h"
#include "carom/shape/shape.h"

#include <algorithm>
#include <array>
#include <gmpxx.h>
#include <variant>
#include <vector>

namespace carom::test {

using Precise = mpf_class;
using Precise3 = std::array<Precise, 3>;

inline Precise precise(double x) { return Precise(x, 400); }
inline Precise3 precise(const Vec3& v) { return {precise(v.x), precise(v.y), precise(v.z)}; }
inline Precise dot(const Precise3& a, const Precise3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Precise3 cross(const Precise3& a, const Precise3& b) {
  return {Precise(a[1] * b[2] - a[2] * b[1]), Precise(a[2] * b[0] - a[0] * b[2]),
          Precise(a[0] * b[1] - a[1] * b[0])};
}
inline Precise3 mul(const Precise3& a, const Precise3& b) {
  return {Precise(a[0] * b[0]), Precise(a[1] * b[1]), Precise(a[2] * b[2])};
}
inline Precise3 transpose_mul(const Mat3& m, const Precise3& v) {
  return {dot(precise(m.x), v), dot(precise(m.y), v), dot(precise(m.z), v)};
}
inline Precise length(const Precise3& v) { return sqrt(dot(v, v)); }
/// Basis and origin as exact reals.
inline Precise3 to_world(const Frame& frame, const Vec3& p) {
  Precise3 result = precise(frame.origin);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      result[static_cast<std::size_t>(i)] += precise(frame.basis[j][i]) * precise(p[j]);
    }
  }
  return result;
}

/// The greatest d . x over the shape, in its frame. Not for half-spaces.
Precise precise_support(const Shape& shape, const Precise3& d);

struct PreciseSupport {
  const Precise3& d;

  Precise operator()(const Vec3& p) const { return dot(precise(p), d); }
  Precise operator()(const Segment& s) const { return std::max((*this)(s.a), (*this)(s.b)); }
  Precise operator()(const Triangle& t) const {
    return std::max({(*this)(t.a), (*this)(t.b), (*this)(t.c)});
  }
  Precise operator()(const Obb& b) const {
    Precise sum = (*this)(b.center);
    for (int i = 0; i < 3; ++i) sum += precise(b.half[i]) * abs((*this)(b.axes[i]));
    return sum;
  }
  /// A unit vector's disc of radius 1.
  [[nodiscard]] Precise disc(const Vec3& axis) const {
    return length(cross(precise(axis), d)) / length(precise(axis));
  }
  Precise operator()(const Cylinder& c) const {
    return (*this)(c.center) + precise(c.half_height) * abs((*this)(c.axis)) +
           precise(c.radius) * disc(c.axis);
  }
  Precise operator()(const Cone& c) const {
    const Precise apex = (*this)(c.apex);
    const Precise rim =
        apex + precise(c.height) * (*this)(c.axis) + precise(c.radius) * disc(c.axis);
    return std::max(apex, rim);
  }
  Precise operator()(const TaperedCapsule& c) const {
    const Precise a = (*this)(c.a) + precise(c.radius_a) * length(d);
    const Precise b = (*this)(c.b) + precise(c.radius_b) * length(d);
    return std::max(a, b);
  }
  Precise operator()(const Ellipsoid& e) const {
    return (*this)(e.center) + length(mul(precise(e.radii), transpose_mul(e.axes, d)));
  }
  Precise operator()(const Polytope& p) const {
    Precise best = (*this)(p.hull().vertices.front());
    for (const Vec3& v : p.hull().vertices) best = std::max(best, (*this)(v));
    return best;
  }
  Precise operator()(const HalfSpace&) const { return precise(0); }
  Precise operator()(const BrushCore& b) const { return (*this)(b.corners); }
  Precise operator()(const SumCore& s) const {
    return precise_support(*s.a, d) + precise_support(*s.b, d);
  }
  Precise operator()(const HullOfTwoCore& h) const {
    return std::max(precise_support(*h.a, d), precise_support(*h.b, d));
  }
  Precise operator()(const CustomCore& c) const {
    return (*this)(c.support({d[0].get_d(), d[1].get_d(), d[2].get_d()}));
  }
  Precise operator()(const ScaledCore& s) const {
    return precise_support(*s.shape, mul(precise(s.factors), d));
  }
};

inline Precise precise_support(const Shape& shape, const Precise3& d) {
  return std::visit(PreciseSupport{d}, shape.core()) + precise(shape.rounding()) * length(d);
}

/// Along world axis i, times sign.
inline Precise precise_reach(const Shape& shape, const Frame& frame, int i, int sign) {
  const Precise3 row = precise(frame.basis.row(i) * sign);
  return precise_support(shape, row) + precise(frame.origin[i] * sign);
}

/// Whether a brush is part of it.
inline bool has_brush(const Shape& shape) {
  const ShapeCore& core = shape.core();
  if (const auto* sum = std::get_if<SumCore>(&core))
    return has_brush(*sum->a) || has_brush(*sum->b);
  if (const auto* hull = std::get_if<HullOfTwoCore>(&core)) {
    return has_brush(*hull->a) || has_brush(*hull->b);
  }
  if (const auto* scaled = std::get_if<ScaledCore>(&core)) return has_brush(*scaled->shape);
  return std::holds_alternative<BrushCore>(core);
}

/// What roundings of supports and distances may come to: a few epsilon of the size for each level of nesting. A brush's corners may be 64 epsilon outside
/// of a half-space, and their coordinates below 1e-30 become 0 or 1e-30 (half_space_intersection.h).
inline double rounding_of(const Shape& shape) {
  const double few = 4 * (1 + shape.depth()) * tolerance::epsilon * shape.size();
  return has_brush(shape) ? few + 64 * tolerance::epsilon * shape.size() + 1e-29 : few;
}

} // namespace carom::test
