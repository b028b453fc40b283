// Building: each builder says what it needs, checks it with the sentences below, and makes the handle.
#include "carom/shape/shape.h"

#include "carom/math/tolerance.h"
#include "carom/mesh/half_space_intersection.h"
#include "carom/shape/inner_ball.h"
#include "carom/shape/scaling.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <string>
#include <utility>

namespace carom {

namespace {

/// How far from unit length an axis, and from right angles a pair of them, may be: what a user's own rounding leaves.
constexpr double unit_slack = 1e-12;

using Check = Result<void>;

Check check_number(const char* what, double x) {
  if (!std::isfinite(x))
    return failure(ErrorCode::not_finite, std::string(what) + " is " + std::to_string(x) + ".");
  if (!tolerance::is_coordinate(x)) {
    return failure(
        ErrorCode::out_of_range,
        std::string(what) +
            " is out of range: it must be 0, or between 1e-30 and 1e30 in absolute value.");
  }
  return {};
}

Check check_point(const char* what, const Vec3& p) {
  for (const double x : {p.x, p.y, p.z}) {
    if (Check c = check_number(what, x); !c) return c;
  }
  return {};
}

Check check_length(const char* what, double x) {
  if (Check c = check_number(what, x); !c) return c;
  if (x < 0) return failure(ErrorCode::out_of_range, std::string(what) + " is negative.");
  return {};
}

Check check_lengths(const char* what, const Vec3& v) {
  for (const double x : {v.x, v.y, v.z}) {
    if (Check c = check_length(what, x); !c) return c;
  }
  return {};
}

Check check_unit(const char* what, const Vec3& v) {
  if (!is_finite(v)) return failure(ErrorCode::not_finite, std::string(what) + " is not finite.");
  if (!(std::fabs(length_squared(v) - 1) <= 2 * unit_slack))
    return failure(ErrorCode::out_of_range, std::string(what) + " is not a unit vector.");
  return {};
}

Check check_axes(const char* what, const Mat3& axes) {
  for (int i = 0; i < 3; ++i) {
    if (Check c = check_unit(what, axes[i]); !c) return c;
  }
  for (int i = 0; i < 3; ++i) {
    if (!(std::fabs(dot(axes[i], axes[(i + 1) % 3])) <= unit_slack)) {
      return failure(ErrorCode::out_of_range, std::string(what) + " are not at right angles.");
    }
  }
  return {};
}

Check check_normal(const char* what, const Vec3& n) {
  if (Check c = check_point(what, n); !c) return c;
  if (n == Vec3{}) return failure(ErrorCode::degenerate, std::string(what) + " is zero.");
  return {};
}

/// The first of the checks that failed, if any.
Check all_of(std::initializer_list<Check> checks) {
  for (const Check& c : checks) {
    if (!c) return c;
  }
  return {};
}

/// A part of a sum or a hull of two.
Check check_part(const Shape& part) {
  if (!part.bounded())
    return failure(ErrorCode::unbounded, "A half-space cannot be part of another shape.");
  if (!part.convex()) {
    return failure(ErrorCode::not_convex,
                   "A mesh, a compound or a cloud cannot be part of a sum or a hull of two.");
  }
  return {};
}

Result<Shape> check_depth(Shape shape) {
  if (shape.depth() > Shape::max_depth) {
    return failure(ErrorCode::out_of_range, "Shapes are nested too deeply: at most " +
                                                std::to_string(Shape::max_depth) + " levels.");
  }
  return shape;
}

/// Shape::size and Shape::depth of each kind of core.
struct Extent {
  double size = 0;
  int depth = 0;
};
struct ExtentOf {
  Extent operator()(const Vec3& p) const { return {max_abs(p), 0}; }
  Extent operator()(const Segment& s) const { return {std::max(max_abs(s.a), max_abs(s.b)), 0}; }
  Extent operator()(const Triangle& t) const {
    return {std::max({max_abs(t.a), max_abs(t.b), max_abs(t.c)}), 0};
  }
  Extent operator()(const Obb& b) const { return {max_abs(b.center) + length(b.half), 0}; }
  Extent operator()(const Cylinder& c) const {
    return {max_abs(c.center) + c.half_height + c.radius, 0};
  }
  Extent operator()(const Cone& c) const { return {max_abs(c.apex) + c.height + c.radius, 0}; }
  Extent operator()(const TaperedCapsule& c) const {
    return {std::max(max_abs(c.a) + c.radius_a, max_abs(c.b) + c.radius_b), 0};
  }
  Extent operator()(const Ellipsoid& e) const { return {max_abs(e.center) + max_abs(e.radii), 0}; }
  Extent operator()(const Polytope& p) const {
    return {std::max(max_abs(p.bounds().min), max_abs(p.bounds().max)), 0};
  }
  Extent operator()(const HalfSpace& h) const {
    return {std::fabs(h.offset) / length(h.normal), 0};
  }
  Extent operator()(const BrushCore& b) const { return (*this)(b.corners); }
  Extent operator()(const SumCore& s) const {
    return {s.a->size() + s.b->size(), 1 + std::max(s.a->depth(), s.b->depth())};
  }
  Extent operator()(const HullOfTwoCore& h) const {
    return {std::max(h.a->size(), h.b->size()), 1 + std::max(h.a->depth(), h.b->depth())};
  }
  Extent operator()(const CustomCore& c) const {
    double size = 0;
    for (int i = 0; i < 3; ++i) {
      for (const double sign : {1.0, -1.0}) {
        size = std::max(size, max_abs(c.support(unit_axis(i) * sign)));
      }
    }
    return {size, 0};
  }
  Extent operator()(const ScaledCore& s) const {
    return {s.shape->size() * max_abs(s.factors), 1 + s.shape->depth()};
  }
};

struct IsPolyhedral {
  template<class Core>
  bool operator()(const Core&) const {
    return std::is_same_v<Core, Vec3> || std::is_same_v<Core, Segment> ||
           std::is_same_v<Core, Triangle> || std::is_same_v<Core, Obb> ||
           std::is_same_v<Core, Polytope> || std::is_same_v<Core, BrushCore>;
  }
};

} // namespace

const char* name_of(ShapeKind kind) {
  static constexpr std::array<const char*, shape_kinds> names = {
      "point",        "segment",  "triangle",        "sphere",    "capsule", "box",
      "cylinder",     "cone",     "tapered_capsule", "ellipsoid", "hull",    "half_space",
      "brush",        "sum",      "hull_of_two",     "custom",    "scaled",  "mesh",
      "height_field", "compound", "point_cloud"};
  return names[static_cast<std::size_t>(kind)];
}

Shape::Shape(std::shared_ptr<Data> data) : data_(std::move(data)) {}

Shape::Data::Data(ShapeKind given_kind, ShapeCore given_core, double given_rounding)
    : kind(given_kind), polyhedral(std::visit(IsPolyhedral{}, given_core)),
      rounding(given_rounding), core(std::move(given_core)), support(core),
      inner_ball(carom::inner_ball(core)) {
  const Extent extent = std::visit(ExtentOf{}, core);
  depth = extent.depth;
  size = extent.size + rounding;
  id = next_id();
}

std::uint64_t Shape::Data::next_id() {
  static std::atomic<std::uint64_t> built{0};
  return ++built;
}

Shape Shape::make(ShapeKind kind, ShapeCore core, double rounding) {
  return Shape(std::make_shared<Data>(kind, std::move(core), rounding));
}

Result<Shape> Shape::point(const Vec3& at) {
  return check_point("The point", at).map([&] { return make(ShapeKind::point, at); });
}

Result<Shape> Shape::segment(const Vec3& a, const Vec3& b) {
  return all_of({check_point("The first end", a), check_point("The second end", b)}).map([&] {
    return make(ShapeKind::segment, Segment{a, b});
  });
}

Result<Shape> Shape::triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  return all_of({check_point("The first corner", a), check_point("The second corner", b),
                 check_point("The third corner", c)})
      .map([&] {
        return make(ShapeKind::triangle, Triangle{a, b, c});
      });
}

Result<Shape> Shape::sphere(double radius, const Vec3& center) {
  return all_of({check_length("The radius", radius), check_point("The center", center)}).map([&] {
    return make(ShapeKind::sphere, center, radius);
  });
}

Result<Shape> Shape::capsule(const Vec3& a, const Vec3& b, double radius) {
  return all_of({check_point("The first end", a), check_point("The second end", b),
                 check_length("The radius", radius)})
      .map([&] {
        return make(ShapeKind::capsule, Segment{a, b}, radius);
      });
}

Result<Shape> Shape::tapered_capsule(const Vec3& a, double radius_a, const Vec3& b,
                                     double radius_b) {
  return all_of({check_point("The first end", a), check_length("The first radius", radius_a),
                 check_point("The second end", b), check_length("The second radius", radius_b)})
      .map([&] {
        return make(ShapeKind::tapered_capsule, TaperedCapsule{a, b, radius_a, radius_b});
      });
}

Result<Shape> Shape::box(const Vec3& half) { return of(Obb{{}, Mat3::identity(), half}); }

Result<Shape> Shape::of(const Obb& box) {
  return all_of({check_point("The center", box.center), check_axes("The box's axes", box.axes),
                 check_lengths("Half an edge length", box.half)})
      .map([&] { return make(ShapeKind::box, box); });
}

Result<Shape> Shape::cylinder(double half_height, double radius) {
  return of(Cylinder{{}, {0, 0, 1}, half_height, radius});
}

Result<Shape> Shape::of(const Cylinder& cylinder) {
  return all_of({check_point("The center", cylinder.center), check_unit("The axis", cylinder.axis),
                 check_length("Half the height", cylinder.half_height),
                 check_length("The radius", cylinder.radius)})
      .map([&] { return make(ShapeKind::cylinder, cylinder); });
}

Result<Shape> Shape::cone(double height, double radius) {
  return of(Cone{{0, 0, height}, {0, 0, -1}, height, radius});
}

Result<Shape> Shape::of(const Cone& cone) {
  return all_of({check_length("The height", cone.height), check_length("The radius", cone.radius),
                 check_point("The apex", cone.apex), check_unit("The axis", cone.axis)})
      .map([&] { return make(ShapeKind::cone, cone); });
}

Result<Shape> Shape::ellipsoid(const Vec3& radii) {
  return of(Ellipsoid{{}, Mat3::identity(), radii});
}

Result<Shape> Shape::of(const Ellipsoid& ellipsoid) {
  return all_of({check_point("The center", ellipsoid.center),
                 check_axes("The ellipsoid's axes", ellipsoid.axes),
                 check_lengths("A radius", ellipsoid.radii)})
      .map([&] { return make(ShapeKind::ellipsoid, ellipsoid); });
}

Result<Shape> Shape::hull(std::span<const Vec3> points, const ConvexHullOptions& options) {
  return convex_hull(points, options).map([](ConvexHull&& hull) {
    return make(ShapeKind::hull, Polytope(std::move(hull)));
  });
}

Result<Shape> Shape::half_space(const Vec3& normal, double offset) {
  return all_of({check_normal("The normal", normal), check_number("The offset", offset)}).map([&] {
    return make(ShapeKind::half_space, HalfSpace{normal, offset});
  });
}

Result<Shape> Shape::brush(std::span<const HalfSpace> faces) {
  return intersect_half_spaces(faces).map([&](HalfSpaceIntersection&& found) {
    return make(ShapeKind::brush, BrushCore{{faces.begin(), faces.end()},
                                            Polytope(std::move(found.hull)),
                                            std::move(found.face_of)});
  });
}

Result<Shape> Shape::sum(const Shape& a, const Shape& b) {
  return all_of({check_part(a), check_part(b)}).and_then([&] {
    return check_depth(
        make(ShapeKind::sum, SumCore{std::make_shared<Shape>(a), std::make_shared<Shape>(b)}));
  });
}

Result<Shape> Shape::hull_of_two(const Shape& a, const Shape& b) {
  return all_of({check_part(a), check_part(b)}).and_then([&] {
    return check_depth(make(ShapeKind::hull_of_two,
                            HullOfTwoCore{std::make_shared<Shape>(a), std::make_shared<Shape>(b)}));
  });
}

Result<Shape> Shape::custom(std::function<Vec3(const Vec3& direction)> support) {
  if (!support) return failure(ErrorCode::too_few, "There is no support function.");
  for (int i = 0; i < 3; ++i) {
    for (const double sign : {1.0, -1.0}) {
      if (Check c = check_point("The support function's point", support(unit_axis(i) * sign)); !c)
        return tl::unexpected(c.error());
    }
  }
  const Vec3 inside = support({1, 0, 0});
  return make(ShapeKind::custom, CustomCore{std::move(support), inside});
}

Result<Shape> Shape::rounded(double radius) const {
  if (Check c = check_length("The radius", radius); !c) return tl::unexpected(c.error());
  if (radius == 0) return *this;
  const double sum = rounding() + radius;
  if (Check c = check_length("The rounding in all", sum); !c) return tl::unexpected(c.error());
  if (!convex()) return rounded_composite(radius);
  const ShapeKind round = kind() == ShapeKind::point     ? ShapeKind::sphere
                          : kind() == ShapeKind::segment ? ShapeKind::capsule
                                                         : kind();
  return make(round, core(), sum);
}

Result<Shape> Shape::scaled(const Vec3& factors) const {
  if (Check c = check_point("A factor", factors); !c) return tl::unexpected(c.error());
  if (factors.x == 0 || factors.y == 0 || factors.z == 0)
    return failure(ErrorCode::degenerate, "A factor is zero.");
  if (!convex()) return scaled_composite(factors);
  return scale(*this, factors).and_then([](ScaledParts&& parts) {
    return check_depth(make(parts.kind, std::move(parts.core), parts.rounding));
  });
}

} // namespace carom
