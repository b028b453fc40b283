#include "carom/space/candidates.h"

#include "carom/geometry/overlap_box.h"
#include "carom/space/box_bounds.h"

namespace carom {
namespace {

bool counts(const Space& space, std::uint32_t slot, const Among& among) {
  const SpaceObject& object = space.object_at(slot);
  return among.layers.has(object.mobility) && may_meet(among.filter, object.filter) &&
         among.accept(space.id_at(slot));
}

constexpr Aabb everything{{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};

} // namespace

void visit_overlapping(const Space& space, const Aabb& box, const Among& among,
                       FunctionRef<bool(std::uint32_t)> found) {
  const auto look = [&](std::uint32_t slot) {
    return !overlaps(box, space.box_at(slot)) || !counts(space, slot, among) || found(slot);
  };
  for (const std::uint32_t slot : space.unbounded())
    if (!look(slot)) return;
  space.partition().visit(box, among.layers, look);
}

void visit_swept(const Space& space, const Aabb& box, const Vec3& translation, double t_max,
                 const Among& among, FunctionRef<double(std::uint32_t, double)> found) {
  const BoxSweep sweep(box, translation);
  const auto look = [&](std::uint32_t slot) {
    const double t = sweep.meets(space.box_at(slot), t_max);
    if (t < INFINITY && counts(space, slot, among)) t_max = found(slot, t);
    return t_max;
  };
  for (const std::uint32_t slot : space.unbounded())
    if (!(look(slot) >= 0)) return;
  if (is_finite(box.min) && is_finite(box.max)) {
    space.partition().visit_swept(box, translation, t_max, among.layers, look);
  } else {
    space.partition().visit(everything, among.layers,
                            [&](std::uint32_t slot) { return look(slot) >= 0; });
  }
}

void visit_near(const Space& space, const Aabb& box, double limit, const Among& among,
                FunctionRef<double(std::uint32_t, double)> found) {
  const auto look = [&](std::uint32_t slot) {
    const double gap = box_gap(box, space.box_at(slot));
    if (gap <= limit && counts(space, slot, among)) limit = found(slot, gap);
    return limit;
  };
  for (const std::uint32_t slot : space.unbounded())
    if (!(look(slot) >= 0)) return;
  space.partition().visit_near(box, limit, among.layers, look);
}

} // namespace carom
