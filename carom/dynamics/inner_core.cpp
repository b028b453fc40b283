// A convex set that has a ball of radius r around c in it, made smaller about c by a factor f, keeps a distance of at least (1 - f) r from its border: each supporting plane is at least r from c, and
// moves by (1 - f) of that.
#include "carom/dynamics/inner_core.h"

#include "carom/shape/composite.h"
#include "carom/shape/support.h"

#include <algorithm>

namespace carom {
namespace {

constexpr double greatest_part = 0.75; // of the inner size: how far a core is drawn in at most
constexpr double ball_part = 0.25;     // of the inner size: the ball that is left at last
constexpr double least_factor = 0.5;   // of what is not convex

std::optional<InnerCore> smaller(const Shape& shape, const Vec3& about, double factor) {
  Result<Shape> small = shape.scaled(Vec3{factor, factor, factor});
  if (!small) return std::nullopt;
  return InnerCore{*small, Pose::at(about * (1 - factor))};
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
  return shape.convex() && shape.bounded() ? shape.inner_ball().radius + shape.rounding() : 0;
}

std::optional<InnerCore> inner_core(const Shape& shape, double depth) {
  if (const Compound* compound = body_of<Compound>(shape))
    return core_of_parts(*compound, shape.rounding(), depth);
  if (!shape.convex()) {
    const double factor = std::max(least_factor, 1 - 2 * depth / std::max(shape.size(), 1e-30));
    return smaller(shape, bounds(shape).center(), factor);
  }
  const double size = inner_size(shape);
  if (!(size > 0)) return std::nullopt;
  return smaller(shape, shape.inner_ball().center, 1 - std::min(greatest_part, depth / size));
}

std::optional<InnerCore> innermost_ball(const Shape& shape) {
  const double size = inner_size(shape);
  if (!(size > 0)) return std::nullopt;
  Result<Shape> ball = Shape::sphere(ball_part * size, shape.inner_ball().center);
  if (!ball) return std::nullopt;
  return InnerCore{*ball, {}};
}

} // namespace carom
