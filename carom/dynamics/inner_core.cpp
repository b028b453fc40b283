// Boxes, cylinders, capsules and hulls are drawn in face by face, so that a long one stays long. Others become smaller as a whole: a convex set that has a ball of radius r around c in it, made smaller about c by a factor f, keeps a distance of at least (1 - f) r from its border: each supporting plane is at least r from c, and
// moves by (1 - f) of that.
#include "carom/dynamics/inner_core.h"

#include "carom/mesh/convex_hull.h"
#include "carom/shape/composite.h"
#include "carom/shape/support.h"

#include <algorithm>

namespace carom {
namespace {

constexpr double greatest_part = 0.75; // of the inner size: how far a core is drawn in at most
constexpr double ball_part = 0.25;     // of the inner size: the ball that is left at last
constexpr double least_factor = 0.5;   // of what is not convex

std::optional<InnerCore> smaller(const Shape& shape, const Vec3& about, const Vec3& factors) {
  Result<Shape> small = shape.scaled(factors);
  if (!small) return std::nullopt;
  return InnerCore{*small, Pose::at(about - mul(about, factors))};
}

InnerCore as_it_is(const Shape& shape) { return {shape, {}}; }

/// The corners of a hull whose faces are drawn in, by duality about a point that stays inside: each face is the point n / (offset - n . c), and each face of their hull a corner (mesh/half_space_intersection.h, which is exact, and takes ten
/// times as long). Nothing where rounding leaves a corner in doubt.
std::optional<Shape> hull_drawn_in(const Polytope& hull, const Vec3& inside, double depth,
                                   double size) {
  std::vector<Vec3> dual, corners;
  for (const HalfSpace& f : hull.planes()) {
    const double left = f.offset - depth - dot(f.normal, inside);
    if (!(left > 1e-9 * size)) return std::nullopt;
    dual.push_back(f.normal / left);
  }
  const Result<ConvexHull> found = convex_hull(dual);
  if (!found || found->dimension != 3) return std::nullopt;
  for (std::size_t i = 0; i < found->face_count(); ++i) {
    const auto ring = found->corners(i);
    const Vec3 &a = found->vertices[ring[0]], &b = found->vertices[ring[1]],
               &c = found->vertices[ring[2]];
    const Vec3 across = cross(b - a, c - a);
    const double along = dot(across, a);
    if (!(along > 0)) return std::nullopt;
    corners.push_back(inside + across / along);
    for (const HalfSpace& f : hull.planes())
      if (!(dot(f.normal, corners.back()) <= f.offset - depth + 1e-9 * size)) return std::nullopt;
  }
  const Result<Shape> inner = Shape::hull(corners);
  return inner ? std::optional(*inner) : std::nullopt;
}

/// Face by face, where that can be done. The rounding takes the depth where it can.
std::optional<InnerCore> drawn_in(const Shape& shape, double depth) {
  const ShapeCore& core = shape.core();
  const double rounding = shape.rounding(), of_core = std::max(0.0, depth - rounding);
  Result<Shape> inner = failure(ErrorCode::degenerate, {});
  if (const auto* s = std::get_if<Segment>(&core); s && rounding > depth) {
    inner = Shape::capsule(s->a, s->b, rounding - depth);
    return inner ? std::optional(as_it_is(*inner)) : std::nullopt;
  }
  const Vec3 by{of_core, of_core, of_core};
  if (const auto* box = std::get_if<Obb>(&core)) {
    inner = Shape::of(Obb{box->center, box->axes, max(box->half - by, Vec3{})});
  } else if (const auto* round = std::get_if<Ellipsoid>(&core)) {
    inner = Shape::of(Ellipsoid{round->center, round->axes, max(round->radii - by, Vec3{})});
  } else if (const auto* c = std::get_if<Cylinder>(&core)) {
    inner = Shape::of(Cylinder{c->center, c->axis, std::max(0.0, c->half_height - of_core),
                               std::max(0.0, c->radius - of_core)});
  } else if (const auto* hull = std::get_if<Polytope>(&core)) {
    std::vector<HalfSpace> faces(hull->planes().begin(), hull->planes().end());
    for (HalfSpace& f : faces) f.offset -= of_core * length(f.normal);
    const auto quick = of_core > 0
                           ? hull_drawn_in(*hull, shape.inner_ball().center, of_core, shape.size())
                           : std::nullopt;
    if (of_core > 0) inner = quick ? Result<Shape>(*quick) : Shape::brush(faces);
  }
  if (inner && rounding > depth) inner = inner->rounded(rounding - depth);
  return inner ? std::optional(as_it_is(*inner)) : std::nullopt;
}

std::optional<InnerCore> core_of_parts(const Compound& compound, double rounding, double depth) {
  std::vector<CompoundPart> parts;
  for (const CompoundPart& p : compound.parts()) {
    const std::optional<InnerCore> core = inner_core(p.shape, depth);
    if (!core) continue;
    parts.push_back({core->shape, part_pose(p.pose, core->pose), p.material});
  }
  if (parts.empty()) return std::nullopt;
  Result<Shape> all = Shape::compound(parts);
  if (all && rounding > 0) all = all->rounded(rounding);
  if (!all) return std::nullopt;
  return InnerCore{*all, {}};
}

} // namespace

double inner_size(const Shape& shape) {
  if (const Compound* compound = body_of<Compound>(shape)) {
    double least = 1e30;
    for (const CompoundPart& p : compound->parts()) least = std::min(least, inner_size(p.shape));
    return least + shape.rounding();
  }
  return shape.convex() && shape.bounded() ? shape.inner_ball().radius + shape.rounding() : 0;
}

std::optional<InnerCore> inner_core(const Shape& shape, double depth) {
  if (const Compound* compound = body_of<Compound>(shape))
    return core_of_parts(*compound, shape.rounding(), depth);
  if (!shape.convex()) {
    const Aabb box = bounds(shape);
    const Vec3 half = max((box.max - box.min) * 0.5, Vec3{1, 1, 1} * 1e-30);
    const auto factor = [&](double h) { return std::max(least_factor, 1 - depth / h); };
    return smaller(shape, box.center(), {factor(half.x), factor(half.y), factor(half.z)});
  }
  const double size = inner_size(shape);
  if (!(size > 0)) return std::nullopt;
  depth = std::min(depth, greatest_part * size);
  if (std::optional<InnerCore> core = drawn_in(shape, depth)) return core;
  const double factor = 1 - depth / size;
  return smaller(shape, shape.inner_ball().center, {factor, factor, factor});
}

std::optional<InnerCore> innermost_ball(const Shape& shape) {
  const double size = shape.convex() ? inner_size(shape) : 0;
  if (!(size > 0)) return std::nullopt;
  Result<Shape> ball = Shape::sphere(ball_part * size, shape.inner_ball().center);
  if (!ball) return std::nullopt;
  return InnerCore{*ball, {}};
}

} // namespace carom
