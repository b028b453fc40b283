#include "carom/shape/scaling.h"

#include "carom/math/tolerance.h"
#include "carom/mesh/half_space_intersection.h"
#include "carom/shape/support.h"

#include <cmath>
#include <memory>
#include <optional>
#include <utility>

namespace carom {
namespace {

tl::unexpected<Error> out_of_range() {
  return failure(ErrorCode::out_of_range,
                 "Scaled, the shape is out of range: coordinates must be 0, or between 1e-30 and "
                 "1e30 in absolute value.");
}

bool in_range(const Vec3& v) {
  return tolerance::is_coordinate(v.x) && tolerance::is_coordinate(v.y) &&
         tolerance::is_coordinate(v.z);
}

/// Whether the scaled shape stays within the range, roundings aside. A half-space has none.
bool reaches_in_range(const Shape& shape, const Vec3& factors) {
  for (int i = 0; shape.bounded() && i < 3; ++i) {
    for (const double sign : {1.0, -1.0}) {
      const double reach = support_point(shape, unit_axis(i) * sign)[i] * factors[i];
      if (!(std::fabs(reach) <= tolerance::coordinate_max * (1 + 1e-12))) return false;
    }
  }
  return true;
}

/// Which coordinate axis v is, to the bit, in either direction; -1 where it is none.
int coordinate_axis(const Vec3& v) {
  for (int i = 0; i < 3; ++i) {
    if (v == unit_axis(i) || v == -unit_axis(i)) return i;
  }
  return -1;
}

/// What becomes of a core: another core of the same kind; nothing where the scaled set is of no such kind; or an error.
using Scaled = Result<std::optional<ShapeCore>>;

/// One for each kind of core. `uniform` is the common |factor|, or 0 where they differ.
struct ScaleCore {
  Vec3 factors;
  double uniform;

  [[nodiscard]] Vec3 at(const Vec3& p) const { return mul(p, factors); }
  /// A direction of a shape that keeps its form: only the signs act on it.
  [[nodiscard]] Vec3 mirrored(const Vec3& d) const {
    return {std::copysign(1.0, factors.x) * d.x, std::copysign(1.0, factors.y) * d.y,
            std::copysign(1.0, factors.z) * d.z};
  }
  [[nodiscard]] Mat3 mirrored(const Mat3& axes) const {
    return {mirrored(axes.x), mirrored(axes.y), mirrored(axes.z)};
  }

  Scaled operator()(const Vec3& p) const { return checked(at(p), at(p)); }
  Scaled operator()(const Segment& s) const {
    return checked(Segment{at(s.a), at(s.b)}, at(s.a), at(s.b));
  }
  Scaled operator()(const Triangle& t) const {
    return checked(Triangle{at(t.a), at(t.b), at(t.c)}, at(t.a), at(t.b), at(t.c));
  }
  Scaled operator()(const Obb& b) const {
    const auto half = lengths_along(b.axes, b.half);
    if (!half) return std::nullopt;
    return checked(Obb{at(b.center), mirrored(b.axes), *half}, at(b.center), *half);
  }
  Scaled operator()(const Ellipsoid& e) const {
    const auto radii = lengths_along(e.axes, e.radii);
    if (!radii) return std::nullopt;
    return checked(Ellipsoid{at(e.center), mirrored(e.axes), *radii}, at(e.center), *radii);
  }
  Scaled operator()(const Cylinder& c) const {
    const auto [along, across] = factors_about(c.axis);
    if (along == 0) return std::nullopt;
    const Vec3 sizes{c.half_height * along, c.radius * across, 0};
    return checked(Cylinder{at(c.center), mirrored(c.axis), sizes.x, sizes.y}, at(c.center), sizes);
  }
  Scaled operator()(const Cone& c) const {
    const auto [along, across] = factors_about(c.axis);
    if (along == 0) return std::nullopt;
    const Vec3 sizes{c.height * along, c.radius * across, 0};
    return checked(Cone{at(c.apex), mirrored(c.axis), sizes.x, sizes.y}, at(c.apex), sizes);
  }
  Scaled operator()(const TaperedCapsule& c) const {
    if (uniform == 0) return std::nullopt;
    const Vec3 radii{c.radius_a * uniform, c.radius_b * uniform, 0};
    return checked(TaperedCapsule{at(c.a), at(c.b), radii.x, radii.y}, at(c.a), at(c.b), radii);
  }
  Scaled operator()(const Polytope& p) const {
    std::vector<Vec3> points;
    points.reserve(p.vertices().size());
    for (const Vec3& v : p.vertices()) points.push_back(at(v));
    // Rounded products need not be coplanar where the points were, so the faces are found anew.
    return convex_hull(points).map(
        [](ConvexHull&& hull) { return std::optional<ShapeCore>(Polytope(std::move(hull))); });
  }
  Scaled operator()(const HalfSpace& h) const {
    const HalfSpace moved = at(h);
    return checked(moved, moved.normal, Vec3{moved.offset, 0, 0});
  }
  Scaled operator()(const BrushCore& b) const {
    std::vector<HalfSpace> faces;
    faces.reserve(b.faces.size());
    for (const HalfSpace& h : b.faces) faces.push_back(at(h));
    return intersect_half_spaces(faces).map([&](HalfSpaceIntersection&& found) {
      return std::optional<ShapeCore>(
          BrushCore{std::move(faces), Polytope(std::move(found.hull)), std::move(found.face_of)});
    });
  }
  Scaled operator()(const SumCore&) const { return std::nullopt; }
  Scaled operator()(const HullOfTwoCore&) const { return std::nullopt; }
  Scaled operator()(const CustomCore&) const { return std::nullopt; }
  Scaled operator()(const ScaledCore& s) const {
    return checked(ScaledCore{s.shape, at(s.factors)}, at(s.factors));
  }

private:
  /// n . x <= d becomes (n / f) . x <= d; multiplied by the greatest factor, so that the normal's length stays of the same order.
  [[nodiscard]] HalfSpace at(const HalfSpace& h) const {
    const double most = max_abs(factors);
    return {{h.normal.x * (most / factors.x), h.normal.y * (most / factors.y),
             h.normal.z * (most / factors.z)},
            h.offset * most};
  }

  template<class Core, class... Points>
  [[nodiscard]] static Scaled checked(Core core, const Points&... points) {
    if (!(in_range(points) && ...)) return out_of_range();
    return std::optional<ShapeCore>(std::move(core));
  }

  /// Lengths along three axes, scaled; nothing where an axis that is no coordinate axis would be sheared.
  [[nodiscard]] std::optional<Vec3> lengths_along(const Mat3& axes, const Vec3& lengths) const {
    if (uniform > 0) return lengths * uniform;
    Vec3 result;
    for (int i = 0; i < 3; ++i) {
      const int axis = coordinate_axis(axes[i]);
      if (axis < 0) return std::nullopt;
      result[i] = lengths[i] * std::fabs(factors[axis]);
    }
    return result;
  }

  struct AboutAxis {
    double along, across; ///< 0 where a circle around the axis would not stay one
  };
  [[nodiscard]] AboutAxis factors_about(const Vec3& axis) const {
    if (uniform > 0) return {uniform, uniform};
    const int i = coordinate_axis(axis);
    if (i < 0) return {0, 0};
    const double u = std::fabs(factors[(i + 1) % 3]);
    const double v = std::fabs(factors[(i + 2) % 3]);
    return u == v ? AboutAxis{std::fabs(factors[i]), u} : AboutAxis{0, 0};
  }
};

Result<ScaledParts> finished(Scaled core, ShapeKind kind, double rounding,
                             const ScaledParts& wrapped) {
  if (!core) return tl::unexpected(core.error());
  if (!*core) return wrapped;
  return ScaledParts{kind, std::move(**core), rounding};
}

} // namespace

Result<ScaledParts> scale(const Shape& shape, const Vec3& factors) {
  if (!reaches_in_range(shape, factors)) return out_of_range();
  const Vec3 size = abs(factors);
  const double uniform = size.x == size.y && size.y == size.z ? size.x : 0;
  const ScaledParts wrapped{ShapeKind::scaled, ScaledCore{std::make_shared<Shape>(shape), factors}};
  const ScaleCore scale_core{factors, uniform};
  if (shape.rounding() > 0 && uniform == 0) {
    if (const HalfSpace* h = std::get_if<HalfSpace>(&shape.core())) {
      // Its rounding is a shift of the border.
      const double offset = h->offset + shape.rounding() * length(h->normal);
      return finished(scale_core(HalfSpace{h->normal, offset}), ShapeKind::half_space, 0, wrapped);
    }
    if (shape.kind() != ShapeKind::sphere) return wrapped;
    const Vec3 center = mul(std::get<Vec3>(shape.core()), factors);
    const Vec3 radii = size * shape.rounding();
    if (!in_range(center) || !in_range(radii)) return out_of_range();
    return ScaledParts{ShapeKind::ellipsoid, Ellipsoid{center, Mat3::identity(), radii}};
  }
  const double rounding = shape.rounding() * uniform;
  if (!tolerance::is_coordinate(rounding)) return out_of_range();
  return finished(std::visit(scale_core, shape.core()), shape.kind(), rounding, wrapped);
}

} // namespace carom
