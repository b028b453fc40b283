// With an axis fixed the best box about it is a problem of the plane, solved exactly by the rectangle of least area around the hull of the
// projected points. Everything else is a choice of axes. Boxes are compared by volume and, where that is equal (flat ones), by area.
#include "carom/geometry/fit_obb.h"

#include "carom/geometry/enclose.h"
#include "carom/geometry/hull2.h"
#include "carom/geometry/rectangle2.h"
#include "carom/math/eigen3.h"

#include <vector>

namespace carom {
namespace {

constexpr int refine_rounds = 64;
constexpr double refine_gain = 1e-6;
constexpr int polish_rounds = 256;
constexpr double polish_end = 1e-5;

double box_volume(const Obb& b) { return b.half.x * b.half.y * b.half.z; }
double box_area(const Obb& b) {
  return b.half.x * b.half.y + b.half.y * b.half.z + b.half.z * b.half.x;
}

void keep_smaller(Obb& best, const Obb& candidate) {
  const double v = box_volume(candidate);
  const double w = box_volume(best);
  if (v < w || (v == w && box_area(candidate) < box_area(best))) best = candidate;
}

/// Two unit vectors that make a right-handed system with the axis.
Mat3 basis_about(const Vec3& axis) {
  const Vec3 u = perpendicular(axis);
  return {u, normalized_or(cross(axis, u), {0, 0, 1}), axis};
}

/// Reused buffers: a search makes hundreds of projections.
class Fitter {
public:
  explicit Fitter(std::span<const Vec3> points) : points_(points) {}

  [[nodiscard]] Obb about(const Vec3& axis) {
    const Mat3 m = basis_about(axis);
    const Vec3 origin = points_[0];
    flat_.clear();
    for (const Vec3& p : points_) {
      const Vec3 q = p - origin;
      flat_.push_back({dot(q, m.x), dot(q, m.y)});
    }
    convex_hull(flat_, hull_);
    const Vec2 u = min_area_rectangle(hull_).axis;
    const Vec3 x = normalized_or(m.x * u.x + m.y * u.y, m.x);
    return fit_obb(points_, Mat3{x, normalized_or(cross(axis, x), m.y), axis});
  }

  [[nodiscard]] Obb refined(Obb best) {
    for (int round = 0; round < refine_rounds; ++round) {
      const double before = box_volume(best);
      for (int i = 0; i < 3; ++i) keep_smaller(best, about(best.axes[i]));
      if (!(box_volume(best) < before * (1 - refine_gain))) break;
    }
    return best;
  }

  /// Tilts one axis at a time a little to the four sides, by steps that are halved where none gains. A box that no turn about an
  /// axis of its own makes smaller may still be made so by a tilt: its volume has edges there.
  [[nodiscard]] Obb polished(Obb best, double step) {
    best = refined(best);
    for (int round = 0; step > polish_end && round < polish_rounds; ++round) {
      const double before = box_volume(best);
      for (int i = 0; i < 3; ++i) {
        const Mat3 axes = best.axes;
        for (const double s : {step, -step}) {
          keep_smaller(best, about(normalized(axes[i] + axes[(i + 1) % 3] * s)));
          keep_smaller(best, about(normalized(axes[i] + axes[(i + 2) % 3] * s)));
        }
      }
      if (!(box_volume(best) < before * (1 - refine_gain))) step *= 0.5;
    }
    return refined(best);
  }

private:
  std::span<const Vec3> points_;
  std::vector<Vec2> flat_;
  std::vector<Vec2> hull_;
};

Obb nothing() { return {{}, Mat3::identity(), {-1, -1, -1}}; }

} // namespace

Obb fit_obb(std::span<const Vec3> points, const Mat3& axes) {
  if (points.empty()) return nothing();
  // Middles first, from extents about a point of the set, then the halves about the centre as rounded.
  const Vec3 origin = points[0];
  Vec3 low{INFINITY, INFINITY, INFINITY};
  Vec3 high = -low;
  for (const Vec3& p : points) {
    const Vec3 q = transpose_mul(axes, p - origin);
    low = min(q, low); // a NaN is on the left: the comparison fails and the bound stays
    high = max(q, high);
  }
  if (!is_finite(low) || !is_finite(high)) return nothing();
  Obb box{origin + axes * (low * 0.5 + high * 0.5), axes, {}};
  for (int i = 0; i < 3; ++i) {
    const double up = enclose::reach(points, box.center, axes[i]);
    const double down = enclose::reach(points, box.center, -axes[i]);
    box.half[i] = up > down ? up : down;
  }
  return box;
}

Obb fit_obb_about(std::span<const Vec3> points, const Vec3& axis) {
  return points.empty() ? nothing() : Fitter(points).about(axis);
}

Obb fit_obb(std::span<const Vec3> points, const Covariance& spread, PrincipalAxes choice) {
  if (points.empty()) return nothing();
  // Eigenvalues descend: the first column is of greatest spread.
  const Mat3 axes =
      spread.weight > 0 ? symmetric_eigen(spread.covariance).vectors : Mat3::identity();
  if (choice == PrincipalAxes::all) return fit_obb(points, axes);
  return Fitter(points).about(choice == PrincipalAxes::least ? axes.z : axes.x);
}

Obb refine_obb(std::span<const Vec3> points, const Mat3& axes) {
  return points.empty() ? nothing() : Fitter(points).refined(fit_obb(points, axes));
}

Obb search_obb(std::span<const Vec3> points, int steps) {
  if (points.empty()) return nothing();
  steps = steps > 1 ? steps : 1;
  Fitter fitter(points);
  Obb best = fit_obb(points, Mat3::identity());
  // Three faces of a cube, seen from its centre: the others are their opposites.
  for (int face = 0; face < 3; ++face) {
    for (int i = 0; i < steps; ++i) {
      for (int j = 0; j < steps; ++j) {
        Vec3 d = unit_axis(face);
        d[(face + 1) % 3] = (2 * i + 1.0) / steps - 1;
        d[(face + 2) % 3] = (2 * j + 1.0) / steps - 1;
        keep_smaller(best, fitter.about(normalized(d)));
      }
    }
  }
  return fitter.polished(best, 1.0 / steps);
}

Obb best_obb(std::span<const Vec3> points, std::span<const IndexTriple> triangles) {
  if (points.empty()) return nothing();
  Obb best = fit_obb(points, Mat3::identity());
  for (const Covariance& spread : {point_covariance(points), surface_covariance(points, triangles),
                                   solid_covariance(points, triangles)}) {
    if (!(spread.weight > 0)) continue;
    for (const PrincipalAxes choice :
         {PrincipalAxes::all, PrincipalAxes::least, PrincipalAxes::greatest}) {
      keep_smaller(best, fit_obb(points, spread, choice));
    }
  }
  return Fitter(points).refined(best);
}

} // namespace carom
