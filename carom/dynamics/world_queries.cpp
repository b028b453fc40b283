// The trees of the broad phase find shapes whose boxes may be met; the shape's own box, in doubles, decides whether it is asked about. So answers do not depend on how the trees came to be what they are. A cast
// that has found something looks no farther: what lies behind has a box that is entered later, and its key is no less than that.
#include "carom/dynamics/world_queries.h"

#include "carom/geometry/overlap_box.h"
#include "carom/query/overlap.h"
#include "carom/query/rounded.h"
#include "carom/shape/support.h"
#include "carom/space/box_bounds.h"

#include <algorithm>
#include <tuple>

namespace carom {
namespace {

WorldShape name_of(const World& world, std::uint32_t shape) {
  const PlacedShape& s = world.bodies().shape(shape);
  return {world.bodies().id_of(s.body), s.number};
}

bool counts(const World& world, std::uint32_t shape, const WorldAmong& among) {
  const PlacedShape& s = world.bodies().shape(shape);
  const BodyKind kind = world.bodies()[s.body].kind;
  const bool of_kind = kind == BodyKind::fixed       ? among.fixed
                       : kind == BodyKind::kinematic ? among.kinematic
                                                     : among.dynamic;
  return of_kind && (among.sensors || !s.def.sensor) && may_meet(among.filter, s.def.filter) &&
         among.accept(name_of(world, shape));
}

/// Calls found(shape) for those whose boxes overlap the box. It gives false to end.
void visit(const World& world, const Aabb& box, const WorldAmong& among,
           FunctionRef<bool(std::uint32_t)> found) {
  bool more = true;
  const auto look = [&](std::uint32_t shape) {
    const PlacedShape& s = world.bodies().shape(shape);
    if (overlaps(box, bounds(s.def.shape, s.world)) && counts(world, shape, among))
      more = found(shape);
    return more;
  };
  if (among.fixed) world.boxes().find(box, false, look);
  if (more && (among.kinematic || among.dynamic)) world.boxes().find(box, true, look);
}

/// Calls found(shape, t) for those whose boxes the moving box meets, with when it does. It gives the limit from there on, negative to end.
void visit_swept(const World& world, const Aabb& box, const Vec3& translation, double limit,
                 const WorldAmong& among, FunctionRef<double(std::uint32_t, double)> found) {
  const BoxSweep sweep(box, translation);
  const auto look = [&](std::uint32_t shape) {
    const PlacedShape& s = world.bodies().shape(shape);
    const double t = sweep.meets(bounds(s.def.shape, s.world), limit);
    if (t < INFINITY && counts(world, shape, among)) limit = found(shape, t);
    return limit;
  };
  const bool bounded = is_finite(box.min) && is_finite(box.max);
  for (const bool moving : {false, true}) {
    if (!(limit >= 0) || !(moving ? among.kinematic || among.dynamic : among.fixed)) continue;
    if (bounded)
      world.boxes().find_swept(box, translation, limit, moving, look);
    else
      world.boxes().find({{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}},
                         moving, [&](std::uint32_t shape) { return look(shape) >= 0; });
  }
}

auto order_of(const WorldShape& s) { return std::tuple(s.body.slot, s.shape); }

template<class Hit>
bool before(const Hit& a, const Hit& b) {
  return a.key != b.key ? a.key < b.key : order_of(a.shape) < order_of(b.shape);
}

enum class Wanted : std::uint8_t { first, any, all };

/// What is kept of the hits.
template<class Hit>
class Hits {
public:
  Hits(Wanted wanted, double limit, std::vector<Hit>& list)
      : wanted_(wanted), limit_(limit), list_(list) {
    list_.clear();
  }

  void take(const Hit& hit) {
    if (!(hit.key <= limit_)) return;
    if (wanted_ == Wanted::all || list_.empty()) {
      list_.push_back(hit);
    } else if (before(hit, list_.front())) {
      list_.front() = hit;
    }
    if (wanted_ == Wanted::first) limit_ = list_.front().key;
    if (wanted_ == Wanted::any) limit_ = -1;
  }
  [[nodiscard]] double limit() const { return limit_; }
  void sort() { std::sort(list_.begin(), list_.end(), before<Hit>); }

private:
  Wanted wanted_;
  double limit_;
  std::vector<Hit>& list_;
};

Status cast_ray(const World& world, const Ray& ray, RayCastOptions options, const WorldAmong& among,
                Wanted wanted, std::vector<WorldRayHit>& list) {
  Hits<WorldRayHit> hits(wanted, options.max_t, list);
  const double d = max_abs(ray.direction);
  const bool legal = is_finite(ray.origin) && is_finite(ray.direction) &&
                     max_abs(ray.origin) <= tolerance::coordinate_max &&
                     d <= tolerance::coordinate_max && (d == 0 || d >= tolerance::coordinate_min);
  if (!legal || std::isnan(options.max_t)) return Status::bad_input;
  if (!(options.max_t >= 0)) return Status::ok;
  options.any = wanted == Wanted::any;
  options.prove_misses = false;
  visit_swept(world, {ray.origin, ray.origin}, ray.direction, hits.limit(), among,
              [&](std::uint32_t shape, double enter) {
                const PlacedShape& s = world.bodies().shape(shape);
                const RayHit hit = ray_cast(s.def.shape, s.world, ray, options);
                if (hit) hits.take({name_of(world, shape), hit, std::max(hit.t, enter)});
                return hits.limit();
              });
  hits.sort();
  return Status::ok;
}

Status cast_shape(const World& world, const Shape& shape, const Pose& pose, const Vec3& translation,
                  const ShapeCastOptions& options, const WorldAmong& among, Wanted wanted,
                  std::vector<WorldShapeCast>& list) {
  Hits<WorldShapeCast> hits(wanted, std::clamp(options.max_t, 0.0, 1.0), list);
  if (!in_range(pose) || !is_finite(translation) ||
      max_abs(translation) > tolerance::coordinate_max || std::isnan(options.max_t))
    return Status::bad_input;
  visit_swept(world, bounds(shape, pose), translation, hits.limit(), among,
              [&](std::uint32_t other, double enter) {
                const PlacedShape& s = world.bodies().shape(other);
                const ShapeCast cast =
                    shape_cast(shape, pose, translation, s.def.shape, s.world, options);
                if (cast) hits.take({name_of(world, other), cast, std::max(cast.t, enter)});
                return hits.limit();
              });
  hits.sort();
  return Status::ok;
}

} // namespace

WorldRayHit ray_cast(const World& world, const Ray& ray, const RayCastOptions& options,
                     const WorldAmong& among) {
  std::vector<WorldRayHit> list;
  const Status status = cast_ray(world, ray, options, among, Wanted::first, list);
  if (status == Status::bad_input) return {.hit = {.status = status}};
  return list.empty() ? WorldRayHit{} : list.front();
}

SpaceMeets ray_cast_any(const World& world, const Ray& ray, const RayCastOptions& options,
                        const WorldAmong& among) {
  std::vector<WorldRayHit> list;
  const Status status = cast_ray(world, ray, options, among, Wanted::any, list);
  return {!list.empty(), status};
}

Status ray_cast_all(const World& world, const Ray& ray, std::vector<WorldRayHit>& hits,
                    const RayCastOptions& options, const WorldAmong& among) {
  return cast_ray(world, ray, options, among, Wanted::all, hits);
}

WorldShapeCast shape_cast(const World& world, const Shape& shape, const Pose& pose,
                          const Vec3& translation, const ShapeCastOptions& options,
                          const WorldAmong& among) {
  std::vector<WorldShapeCast> list;
  const Status status =
      cast_shape(world, shape, pose, translation, options, among, Wanted::first, list);
  if (status == Status::bad_input) return {.cast = {.status = status}};
  return list.empty() ? WorldShapeCast{} : list.front();
}

SpaceMeets shape_cast_any(const World& world, const Shape& shape, const Pose& pose,
                          const Vec3& translation, const ShapeCastOptions& options,
                          const WorldAmong& among) {
  std::vector<WorldShapeCast> list;
  const Status status =
      cast_shape(world, shape, pose, translation, options, among, Wanted::any, list);
  return {!list.empty(), status};
}

Status shape_cast_all(const World& world, const Shape& shape, const Pose& pose,
                      const Vec3& translation, std::vector<WorldShapeCast>& casts,
                      const ShapeCastOptions& options, const WorldAmong& among) {
  return cast_shape(world, shape, pose, translation, options, among, Wanted::all, casts);
}

Status overlapping(const World& world, const Shape& shape, const Pose& pose,
                   std::vector<WorldOverlap>& found, const WorldAmong& among) {
  found.clear();
  if (!in_range(pose)) return Status::bad_input;
  visit(world, bounds(shape, pose), among, [&](std::uint32_t other) {
    const PlacedShape& s = world.bodies().shape(other);
    const ShapeOverlap o = overlap(shape, pose, s.def.shape, s.world);
    if (o) found.push_back({name_of(world, other), o});
    return true;
  });
  std::sort(found.begin(), found.end(), [](const WorldOverlap& a, const WorldOverlap& b) {
    return order_of(a.shape) < order_of(b.shape);
  });
  return Status::ok;
}

SpaceMeets overlapping_any(const World& world, const Shape& shape, const Pose& pose,
                           const WorldAmong& among) {
  if (!in_range(pose)) return {false, Status::bad_input};
  bool any = false;
  visit(world, bounds(shape, pose), among, [&](std::uint32_t other) {
    const PlacedShape& s = world.bodies().shape(other);
    any = static_cast<bool>(overlap(shape, pose, s.def.shape, s.world));
    return !any;
  });
  return {any, Status::ok};
}

Status boxes_in(const World& world, const Aabb& box, std::vector<WorldShape>& found,
                const WorldAmong& among) {
  found.clear();
  if (box.empty()) return Status::bad_input;
  visit(world, box, among, [&](std::uint32_t shape) {
    found.push_back(name_of(world, shape));
    return true;
  });
  std::sort(found.begin(), found.end(),
            [](const WorldShape& a, const WorldShape& b) { return order_of(a) < order_of(b); });
  return Status::ok;
}

} // namespace carom
