// All that is round here is an ellipsoid, in one sense: a ball, a disc (one radius 0), the image of either under a scaling. With D the matrix that makes it
// of the unit ball, h(y) = |D y|, and with z = D n, s = |z|, the point is p = D' z / s and
//   h'' = (D' D - p p') / s.
//
// The floor. For y = n + x put D y into its part along z, of length R = s + p . x, and the rest, of square x' Q x with Q = D' D - p p'. Then
//   |D y| - p . y = sqrt(R^2 + x' Q x) - R,
// which falls as R grows, so R may be replaced by its greatest value S = s + reach |p across n|. Let q be the greatest eigenvalue of Q
// across n. The root is concave in x' Q x with a slope of at most 1 / (2 S), so
//   sqrt(S^2 + x' Q x) - S >= sqrt(S^2 + q x^2) - S - x' (q I - Q) x / (2 S),
// and with k = q / S^2 the first two terms are at least (q / S) (sqrt(1 + x^2) - 1), less (q / S) (k - 1) x^4 / 8 where k > 1. For a
// ball nothing was lost; for a disc seen from its side nothing is lost along the rim. Where k is large (a needle, a disc seen along its axis) this is
// good for tiny angles only. There the root, being concave, is at least its chord from 0 to the end of the reach:
//   sqrt(S^2 + x' Q x) - S >= x' Q x / (sqrt(S^2 + q reach^2) + S).
// Or, where the lesser eigenvalue l of Q gives a small k: as above with l in place of q, which is exact in that direction, and for x' (Q - l I) x the least slope,
// at the end of the reach.
#include "carom/shape/curvature.h"

#include "carom/geometry/support.h"
#include "carom/math/tolerance.h"
#include "carom/shape/shape.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// The part of a symmetric m across the unit vector n.
Mat3 across(const Mat3& m, const Vec3& n) {
  const Vec3 mn = m * n;
  return m - outer(mn, n) - outer(n, mn) + outer(n, n) * dot(n, mn);
}

/// The greatest eigenvalue of a symmetric matrix that is 0 along n and has no negative one: from its trace and its norm.
double greatest_across(const Mat3& m) {
  const double sum = m.x.x + m.y.y + m.z.z;
  const double squares = length_squared(m.x) + length_squared(m.y) + length_squared(m.z);
  return 0.5 * (sum + std::sqrt(std::max(0.0, 2 * squares - sum * sum)));
}

/// D' D for axes and radii.
Mat3 squared(const Mat3& axes, const Vec3& radii) {
  const Vec3 s = mul(radii, radii);
  return outer(axes.x, axes.x) * s.x + outer(axes.y, axes.y) * s.y + outer(axes.z, axes.z) * s.z;
}

/// h(y) = |D y|: `square` is D' D, `point` p and `height` s at n.
CurvatureFloor round_floor(const Mat3& square, const Vec3& point, double height, const Vec3& n,
                           double reach, Exact exact) {
  const Vec3 sideways = point - n * dot(point, n);
  const double s = height + reach * length(sideways);
  const Mat3 q = across(square - outer(point, point), n);
  const double most = greatest_across(q);
  if (!(most > 0)) return {};
  // What Q may be off by: D' D and p p' are nearly equal where the height is small.
  const double off = 16 * tolerance::epsilon * (square.x.x + square.y.y + square.z.z);
  const auto lost = [&](double eigenvalue) {
    return std::max(0.0, eigenvalue / (s * s) - 1) * reach * reach / 4;
  };
  constexpr double much = 1.0 / 16;
  const Mat3 tangent = across(Mat3::identity(), n);
  if (const double loss = lost(most); exact == Exact::along_most_curved && loss < much)
    return {most / s, (tangent * (most + off) - q) * (1 / s) + tangent * (most / s * loss)};
  const double end = std::sqrt(s * s + most * reach * reach);
  const double least = std::max(0.0, q.x.x + q.y.y + q.z.z - most);
  if (const double loss = lost(least); s > 0 && loss < much)
    return {least / s, tangent * ((off + least * loss) / s), (q - tangent * least) * (1 / end)};
  return {0, tangent * (2 * off / (end + s)), q * (2 / (end + s))};
}

// A disc, by its rim.

struct Rim {
  Vec3 outward;  ///< from the centre to the farthest point, a unit vector; 0 along the axis
  double across; ///< the part of n across the axis
};
Rim rim_toward(const Vec3& axis, const Vec3& n) {
  const Vec3 flat = cross(cross(axis, n), axis);
  return {normalized_or(flat, Vec3{}), length(flat)};
}

CurvedSupport disc_support(const Vec3& center, const Vec3& axis, double radius, const Vec3& n) {
  const Rim rim = rim_toward(axis, n);
  if (!(rim.across > 0)) return {center};
  const Vec3 along = cross(axis, rim.outward);
  return {center + rim.outward * radius, outer(along, along) * (radius / rim.across)};
}

CurvatureFloor disc_floor(const Vec3& axis, double radius, const Vec3& n, double reach,
                          Exact exact) {
  const Rim rim = rim_toward(axis, n);
  const Mat3 square = (Mat3::identity() - outer(axis, axis)) * (radius * radius);
  return round_floor(square, rim.outward * radius, radius * rim.across, n, reach, exact);
}

CurvedSupport ball_support(const Vec3& center, double radius, const Vec3& n) {
  return {center + n * radius, (Mat3::identity() - outer(n, n)) * radius};
}

bool b_is_farther(const TaperedCapsule& c, const Vec3& n) {
  return dot(c.b - c.a, n) + c.radius_b - c.radius_a > 0;
}

/// Whether the apex is the farthest point, and not the rim of the base.
bool apex_is_farther(const Cone& c, const Vec3& n) {
  return !(c.height * dot(c.axis, n) + c.radius * rim_toward(c.axis, n).across > 0);
}

// Shapes within shapes: their rounding is part of them.

CurvedSupport shape_support(const Shape& shape, const Vec3& n) {
  CurvedSupport s = curved_support(shape.core(), n);
  if (!(shape.rounding() > 0)) return s;
  const CurvedSupport ball = ball_support(s.point, shape.rounding(), n);
  return {ball.point, s.hessian + ball.hessian};
}

CurvatureFloor shape_floor(const Shape& shape, const Vec3& n, double reach, Exact exact) {
  CurvatureFloor f = curvature_floor(shape.core(), n, reach, exact);
  f.ball += shape.rounding();
  return f;
}

bool b_is_farther(const HullOfTwoCore& h, const Vec3& n) {
  return dot(shape_support(*h.b, n).point - shape_support(*h.a, n).point, n) > 0;
}

struct SupportAlong {
  const Vec3& n;

  template<class Core>
  CurvedSupport operator()(const Core& corners) const {
    return {support_point(corners, n)};
  }
  CurvedSupport operator()(const Polytope& p) const { return {p.vertices()[p.farthest(n)]}; }
  CurvedSupport operator()(const BrushCore& b) const { return (*this)(b.corners); }
  CurvedSupport operator()(const HalfSpace& h) const {
    return {h.normal * (h.offset / length_squared(h.normal))};
  }
  CurvedSupport operator()(const Cylinder& c) const {
    const double up = dot(c.axis, n) < 0 ? -c.half_height : c.half_height;
    return disc_support(c.center + c.axis * up, c.axis, c.radius, n);
  }
  CurvedSupport operator()(const Cone& c) const {
    if (apex_is_farther(c, n)) return {c.apex};
    return disc_support(c.base_center(), c.axis, c.radius, n);
  }
  CurvedSupport operator()(const TaperedCapsule& c) const {
    return b_is_farther(c, n) ? ball_support(c.b, c.radius_b, n) : ball_support(c.a, c.radius_a, n);
  }
  CurvedSupport operator()(const Ellipsoid& e) const {
    const Vec3 z = mul(e.radii, transpose_mul(e.axes, n));
    const double height = length(z);
    if (!(height > 0)) return {e.center};
    const Vec3 p = e.axes * mul(e.radii, z / height);
    return {e.center + p, (squared(e.axes, e.radii) - outer(p, p)) * (1 / height)};
  }
  CurvedSupport operator()(const SumCore& s) const {
    const CurvedSupport a = shape_support(*s.a, n);
    const CurvedSupport b = shape_support(*s.b, n);
    return {a.point + b.point, a.hessian + b.hessian};
  }
  CurvedSupport operator()(const HullOfTwoCore& h) const {
    return shape_support(b_is_farther(h, n) ? *h.b : *h.a, n);
  }
  CurvedSupport operator()(const CustomCore& c) const {
    const Vec3 p = c.support(n);
    return {is_finite(p) ? p : c.inside};
  }
  CurvedSupport operator()(const ScaledCore& s) const {
    const Vec3 inner = mul(s.factors, n);
    const double size = length(inner);
    const CurvedSupport p = shape_support(*s.shape, inner / size);
    const Mat3 f = Mat3::diagonal(s.factors);
    return {mul(p.point, s.factors), f * p.hessian * f * (1 / size)};
  }
};

struct FloorAlong {
  const Vec3& n;
  double reach;
  Exact exact;

  template<class Core>
  CurvatureFloor operator()(const Core&) const {
    return {}; // corners, and what is not known
  }
  CurvatureFloor operator()(const Cylinder& c) const {
    return disc_floor(c.axis, c.radius, n, reach, exact);
  }
  CurvatureFloor operator()(const Cone& c) const {
    return apex_is_farther(c, n) ? CurvatureFloor{} : disc_floor(c.axis, c.radius, n, reach, exact);
  }
  CurvatureFloor operator()(const TaperedCapsule& c) const {
    return {b_is_farther(c, n) ? c.radius_b : c.radius_a};
  }
  CurvatureFloor operator()(const Ellipsoid& e) const {
    const Vec3 z = mul(e.radii, transpose_mul(e.axes, n));
    const double height = length(z);
    if (!(height > 0)) return {};
    return round_floor(squared(e.axes, e.radii), e.axes * mul(e.radii, z / height), height, n,
                       reach, exact);
  }
  CurvatureFloor operator()(const SumCore& s) const {
    const CurvatureFloor a = shape_floor(*s.a, n, reach, exact);
    const CurvatureFloor b = shape_floor(*s.b, n, reach, exact);
    return {a.ball + b.ball, a.lost + b.lost, a.bowl + b.bowl};
  }
  CurvatureFloor operator()(const HullOfTwoCore& h) const {
    return shape_floor(b_is_farther(h, n) ? *h.b : *h.a, n, reach, exact);
  }
  /// The scaled ball is an ellipsoid. The rest, seen through the scaling: F y is along the inner direction m = F n / |F n| at least |F n| - reach
  /// |F m across n|, and at most their sum.
  CurvatureFloor operator()(const ScaledCore& s) const {
    const Vec3 image = mul(s.factors, n);
    const double size = length(image);
    const Vec3 m = image / size;
    const Vec3 pulled = mul(s.factors, m);
    const double sideways = reach * length(pulled - n * dot(pulled, n));
    const double least = size - sideways;
    if (!(least > 0)) return {};
    const CurvatureFloor inner =
        shape_floor(*s.shape, m, reach * max_abs(s.factors) / least, exact);
    const Mat3 f = Mat3::diagonal(s.factors);
    const CurvatureFloor round = round_floor(f * f * (inner.ball * inner.ball), pulled * inner.ball,
                                             size * inner.ball, n, reach, exact);
    const auto seen = [&](const Mat3& inside, double along) {
      return across(f * across(inside, m) * f * (1 / along), n);
    };
    return {round.ball, round.lost + seen(inner.lost, least),
            round.bowl + seen(inner.bowl, size + sideways)};
  }
};

} // namespace

CurvedSupport curved_support(const ShapeCore& core, const Vec3& n) {
  return std::visit(SupportAlong{n}, core);
}

CurvatureFloor curvature_floor(const ShapeCore& core, const Vec3& n, double reach, Exact exact) {
  return std::visit(FloorAlong{n, reach, exact}, core);
}

} // namespace carom
