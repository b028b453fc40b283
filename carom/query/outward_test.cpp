#include "carom/query/outward_test.h"

#include "carom/geometry/closest_point.h"
#include "carom/geometry/triangle_normal.h"
#include "carom/query/closest_point.h"
#include "carom/shape/support.h"

#include <algorithm>

namespace carom {
namespace {

/// Of a part's size: so far a point of it may be from where it is said to be. Those with curved shapes are searched for, and those of an edge may be in its middle where it is tilted by less.
constexpr double own_part = 2e-6;
/// Of 5 degrees.
constexpr double agreeing_cosine = 0.9962;

bool contains(const Aabb& box, const Vec3& p, double within) {
  const Vec3 room{within, within, within};
  return max(box.min - room, p) == p && min(box.max + room, p) == p;
}

} // namespace

OutwardTest::OutwardTest(const Shape& shape, const Pose& pose, double rounding)
    : shape_(shape), frame_(pose.frame()), rounding_(rounding), within_(4 * rounding),
      solid_(false), tree_(shape), part_(shape, pose) {
  if (const auto* mesh = body_of<TriangleMesh>(shape)) solid_ = mesh->solid();
}

bool OutwardTest::operator()(const PartPlace& own, const Vec3& p, const Vec3& d, Own kind) {
  if (shape_.convex()) return true;
  const bool compound = shape_.kind() == ShapeKind::compound;
  const Vec3 at = frame_.to_local(p);
  const Vec3 out = frame_.direction_to_local(d);
  outwardness_ = 0;
  waiting_.assign(1, tree_.whole());
  PartTree::Children children;
  while (!waiting_.empty()) {
    const PartGroup next = waiting_.back();
    waiting_.pop_back();
    if (!contains(next.box, at, within_)) continue;
    if (!next.single) {
      const std::size_t count = tree_.open(next, children);
      waiting_.insert(waiting_.end(), children.begin(),
                      children.begin() + static_cast<std::ptrdiff_t>(count));
      continue;
    }
    const auto number = static_cast<std::uint32_t>(next.place);
    const bool is_own = number == (compound ? own.part : own.element);
    part_.take(number);
    const Shape& part = part_.shape();
    if (!part.convex()) {
      const std::uint32_t element = is_own ? own.element : PartId::none;
      if (!OutwardTest(part, part_.pose(), rounding_)({0, element}, p, d, kind)) return false;
    } else if (!compound && std::holds_alternative<Triangle>(part.core())) {
      if (!allows_triangle(is_own, at, out, kind)) return false;
    } else if (!is_own && !allows_convex(p, d)) {
      return false;
    }
  }
  return !solid_ || outwardness_ >= -1e-9;
}

bool OutwardTest::allows_triangle(bool is_own, const Vec3& p, const Vec3& d, Own kind) {
  const auto& triangle = std::get<Triangle>(part_.shape().core());
  const Vec3 core = p - d * shape_.rounding(); // all triangles are rounded alike
  const Vec3 a = triangle.a - core, b = triangle.b - core, c = triangle.c - core;
  const double reach = std::max({dot(d, a), dot(d, b), dot(d, c)});
  const double size = std::max({max_abs(a), max_abs(b), max_abs(c)});
  const bool counts = !is_own || kind == Own::counts;
  bool rises = counts && reach > (is_own ? own_part : flat_sine) * size + within_;
  if (!rises && !solid_) return true;
  if (!is_own && !(closest_point(core, triangle).distance <= within_)) return true;
  const Vec3 normal = normalized_or(triangle_normal(triangle.a, triangle.b, triangle.c), {});
  const double cosine = dot(d, normal);
  if (is_own && std::fabs(cosine) >= agreeing_cosine) rises = false;
  if (rises) return false;
  outwardness_ += cosine;
  return true;
}

bool OutwardTest::allows_convex(const Vec3& p, const Vec3& d) const {
  const Shape& part = part_.shape();
  const Frame frame = part_.pose().frame();
  const Vec3 far = support_point(part, frame.direction_to_local(d)) - frame.to_local(p);
  const double reach = dot(frame.direction_to_local(d), far);
  if (!(reach > flat_sine * max_abs(far) + within_)) return true;
  return !(closest_point(p, part, part_.pose()).value <= within_);
}

} // namespace carom
