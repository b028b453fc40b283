// The fields of the answers, one list each: what writes and reads them goes through the same. Internal to the log of queries.
#pragma once

#include "carom/motion/answer.h"
#include "carom/query/answer.h"

#include <concepts>
#include <type_traits>

namespace [[gnu::visibility("default")]] carom {

template<class T, class Answer>
concept either_const = std::same_as<std::remove_const_t<T>, Answer>;

void each_field(either_const<ShapeOverlap> auto& x, auto& f) {
  f(x.hit, x.point, x.axis, x.status, x.iterations, x.part_a, x.part_b);
}
void each_field(either_const<Distance> auto& x, auto& f) {
  f(x.value, x.lower_bound, x.on_a, x.on_b, x.normal, x.status, x.iterations, x.part_a, x.part_b);
}
void each_field(either_const<Penetration> auto& x, auto& f) {
  f(x.depth, x.lower_bound, x.upper_bound, x.normal, x.on_a, x.on_b, x.status, x.iterations);
}
void each_field(either_const<ContactManifold> auto& x, auto& f) {
  for (auto& p : x.points) f(p.on_a, p.on_b, p.separation, p.id);
  f(x.count, x.normal, x.value, x.lower_bound, x.upper_bound, x.status);
}
void each_field(either_const<RayHit> auto& x, auto& f) {
  f(x.hit, x.t, x.point, x.normal, x.inside, x.status, x.iterations, x.part, x.barycentric,
    x.front);
}
void each_field(either_const<ShapeCast> auto& x, auto& f) {
  f(x.hit, x.initial_overlap, x.t, x.on_a, x.on_b, x.point, x.normal, x.status, x.iterations,
    x.part_a, x.part_b);
}
void each_field(either_const<SurfacePoint> auto& x, auto& f) {
  f(x.value, x.lower_bound, x.upper_bound, x.point, x.normal, x.status, x.iterations, x.part);
}
void each_field(either_const<TimeOfImpact> auto& x, auto& f) {
  f(x.hit, x.initial_overlap, x.t, x.upper_t, x.distance, x.on_a, x.on_b, x.normal, x.separating,
    x.status, x.iterations, x.part_a, x.part_b);
}

} // namespace carom
