// Boxes near ones first; of each the cast itself, which lowers the limit.
#include "carom/space/space_cast.h"

#include "carom/query/rounded.h"
#include "carom/shape/support.h"
#include "carom/space/candidates.h"

#include <algorithm>
#include <limits>

namespace carom {
namespace {

constexpr std::size_t all_of_them = std::numeric_limits<std::size_t>::max();

/// A cast that only looks whether an object with many parts can matter ends at this time: later than the limit by more than two casts can differ by rounding. Speeds may be zero: then there is no end.
double later_than(double limit, const Aabb& box, const Vec3& from, const Vec3& translation) {
  constexpr double much = 1e-9;
  const double size = std::max({max_abs(box.min), max_abs(box.max), max_abs(from)});
  return limit + much * (limit + size / max_abs(translation));
}

/// The first one that matters ends the search.
template<class Hit>
class AnyHit {
public:
  explicit AnyHit(double limit) : limit_(limit) {}

  void take(const Hit& hit) {
    if (!(hit.key <= limit_)) return;
    any_ = true;
    limit_ = -1;
  }
  [[nodiscard]] double limit() const { return limit_; }
  [[nodiscard]] bool any() const { return any_; }

private:
  double limit_;
  bool any_ = false;
};

// --- Rays

/// As the ray cast has it.
bool in_range(const Ray& ray) {
  const double d = max_abs(ray.direction);
  return is_finite(ray.origin) && is_finite(ray.direction) &&
         max_abs(ray.origin) <= tolerance::coordinate_max && d <= tolerance::coordinate_max &&
         (d == 0 || d >= tolerance::coordinate_min);
}

template<class Best>
Status cast_ray(const Space& space, const Ray& ray, const RayCastOptions& options,
                const Among& among, Best& best) {
  if (!in_range(ray) || std::isnan(options.max_t)) return Status::bad_input;
  if (!(options.max_t >= 0)) return Status::ok;
  const Aabb start{ray.origin, ray.origin};
  visit_swept(space, start, ray.direction, best.limit(), among,
              [&](std::uint32_t slot, double enter) {
                const SpaceObject& object = space.object_at(slot);
                if (!object.shape.convex() && best.limit() < options.max_t) {
                  RayCastOptions first = options;
                  first.max_t = std::min(options.max_t, later_than(best.limit(), space.box_at(slot),
                                                                   ray.origin, ray.direction));
                  first.any = true;
                  if (!ray_cast(object.shape, object.pose, ray, first)) return best.limit();
                }
                const RayHit hit = ray_cast(object.shape, object.pose, ray, options);
                if (hit) best.take({space.id_at(slot), hit, std::max(hit.t, enter)});
                return best.limit();
              });
  return Status::ok;
}

RayCastOptions with_any(RayCastOptions options, bool any) {
  options.any = any;
  options.prove_misses = false;
  return options;
}

// --- Shapes

/// As the shape cast has it.
bool in_range(const Vec3& translation, const ShapeCastOptions& options) {
  return is_finite(translation) && max_abs(translation) <= tolerance::coordinate_max &&
         !std::isnan(options.max_t);
}
double last_time(const ShapeCastOptions& options) { return std::clamp(options.max_t, 0.0, 1.0); }

template<class Best>
Status cast_shape(const Space& space, const Shape& shape, const Pose& pose, const Vec3& translation,
                  const ShapeCastOptions& options, const Among& among, Best& best) {
  if (!carom::in_range(pose) || !in_range(translation, options)) return Status::bad_input;
  const double last = last_time(options);
  const Aabb start = bounds(shape, pose);
  visit_swept(space, start, translation, best.limit(), among,
              [&](std::uint32_t slot, double enter) {
                const SpaceObject& object = space.object_at(slot);
                const bool convex = shape.convex() && object.shape.convex();
                // With an error allowed for, one cast may end earlier than another.
                if (!convex && best.limit() < last && !(options.absolute_error > 0)) {
                  ShapeCastOptions first = options;
                  first.max_t = std::min(last, later_than(best.limit(), space.box_at(slot),
                                                          pose.position, translation));
                  if (!shape_cast(shape, pose, translation, object.shape, object.pose, first))
                    return best.limit();
                }
                const ShapeCast cast =
                    shape_cast(shape, pose, translation, object.shape, object.pose, options);
                if (cast) best.take({space.id_at(slot), cast, std::max(cast.t, enter)});
                return best.limit();
              });
  return Status::ok;
}

} // namespace

SpaceRayHit ray_cast(const Space& space, const Ray& ray, const RayCastOptions& options,
                     const Among& among) {
  BestHit<SpaceRayHit> best(options.max_t);
  const Status status = cast_ray(space, ray, with_any(options, false), among, best);
  if (status == Status::bad_input) return {.hit = {.status = status}};
  return best.best();
}

SpaceMeets ray_cast_any(const Space& space, const Ray& ray, const RayCastOptions& options,
                        const Among& among) {
  AnyHit<SpaceRayHit> found(options.max_t);
  const Status status = cast_ray(space, ray, with_any(options, true), among, found);
  return {found.any(), status};
}

Status ray_cast_all(const Space& space, const Ray& ray, std::vector<SpaceRayHit>& hits,
                    const RayCastOptions& options, const Among& among) {
  BestHits<SpaceRayHit> best(hits, all_of_them, options.max_t);
  const Status status = cast_ray(space, ray, with_any(options, false), among, best);
  best.sort();
  return status;
}

SpaceShapeCast shape_cast(const Space& space, const Shape& shape, const Pose& pose,
                          const Vec3& translation, const ShapeCastOptions& options,
                          const Among& among) {
  BestHit<SpaceShapeCast> best(last_time(options));
  const Status status = cast_shape(space, shape, pose, translation, options, among, best);
  if (status == Status::bad_input) return {.cast = {.status = status}};
  return best.best();
}

SpaceMeets shape_cast_any(const Space& space, const Shape& shape, const Pose& pose,
                          const Vec3& translation, const ShapeCastOptions& options,
                          const Among& among) {
  AnyHit<SpaceShapeCast> found(last_time(options));
  const Status status = cast_shape(space, shape, pose, translation, options, among, found);
  return {found.any(), status};
}

Status shape_cast_all(const Space& space, const Shape& shape, const Pose& pose,
                      const Vec3& translation, std::vector<SpaceShapeCast>& casts,
                      const ShapeCastOptions& options, const Among& among) {
  BestHits<SpaceShapeCast> best(casts, all_of_them, last_time(options));
  const Status status = cast_shape(space, shape, pose, translation, options, among, best);
  best.sort();
  return status;
}

} // namespace carom
