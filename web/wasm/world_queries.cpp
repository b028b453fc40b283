// What a ray, a moving shape or a shape at rest meets in a world, and where its bodies touch. Each function gives how many answers there are; where they are is in the buffer.
#include "carom/dynamics/world_queries.h"
#include "carom/record/contact_points.h"
#include "web/wasm/worlds.h"

namespace carom::web {
namespace {

/// Bits of `among`: fixed, kinematic, dynamic, sensors.
WorldAmong among_of(int among, WorldShapeTest accept) {
  return {.fixed = (among & 1) != 0,
          .kinematic = (among & 2) != 0,
          .dynamic = (among & 4) != 0,
          .sensors = (among & 8) != 0,
          .accept = accept};
}

/// f(world, among, answers) fills the list; tell(writer, answer) writes so many numbers, after the body and its shape. `except`: a body that does not count, or -1.
template<class Answer, class F, class Tell>
int all_of(int world, int among, int except, std::size_t numbers, F&& f, Tell&& tell) {
  Sim* sim = sims().find(world);
  if (!sim) return fail(no_world);
  const BodyId* left_out = sim->bodies.find(except);
  const auto accept = [&](const WorldShape& s) { return !left_out || s.body != *left_out; };
  std::vector<Answer> answers;
  if (f(sim->world(), among_of(among, accept), answers) == Status::bad_input)
    return fail("A number is not finite, or out of range.");
  Writer out = list_of((2 + numbers) * answers.size());
  for (const Answer& a : answers) {
    out << sim->bodies.number_of(a.shape.body) << static_cast<int>(a.shape.shape);
    tell(out, a);
  }
  return static_cast<int>(answers.size());
}

} // namespace

/// In the buffer: origin, direction. All that the ray meets, or the first: inside, t, point, normal.
CAROM_EXPORT int carom_world_ray_cast(int world, int among, int except, double max_t, int all) {
  const Ray ray{vec3_at(buffer()), vec3_at(buffer() + 3)};
  const RayCastOptions options{.max_t = max_t};
  return all_of<WorldRayHit>(
      world, among, except, 8,
      [&](const World& w, const WorldAmong& which, std::vector<WorldRayHit>& hits) {
        if (all) return ray_cast_all(w, ray, hits, options, which);
        const WorldRayHit first = ray_cast(w, ray, options, which);
        if (first) hits.push_back(first);
        return first.hit.status;
      },
      [](Writer& out, const WorldRayHit& h) {
        out << h.hit.inside << h.hit.t << h.hit.point << h.hit.normal;
      });
}

/// In the buffer: pose, translation. All that the shape meets, or the first: initial overlap, t, points on both, common point, normal.
CAROM_EXPORT int carom_world_shape_cast(int world, int shape, int among, int except, int all) {
  const Shape* found = shapes().find(shape);
  if (!found) return fail(no_shape);
  const Pose pose = pose_at(buffer());
  const Vec3 translation = vec3_at(buffer() + 7);
  return all_of<WorldShapeCast>(
      world, among, except, 14,
      [&](const World& w, const WorldAmong& which, std::vector<WorldShapeCast>& casts) {
        if (all) return shape_cast_all(w, *found, pose, translation, casts, {}, which);
        const WorldShapeCast first = shape_cast(w, *found, pose, translation, {}, which);
        if (first) casts.push_back(first);
        return first.cast.status;
      },
      [](Writer& out, const WorldShapeCast& c) {
        out << c.cast.initial_overlap << c.cast.t << c.cast.on_a << c.cast.on_b << c.cast.point
            << c.cast.normal;
      });
}

/// In the buffer: pose. A point of both.
CAROM_EXPORT int carom_world_overlapping(int world, int shape, int among, int except) {
  const Shape* found = shapes().find(shape);
  if (!found) return fail(no_shape);
  const Pose pose = pose_at(buffer());
  return all_of<WorldOverlap>(
      world, among, except, 3,
      [&](const World& w, const WorldAmong& which, std::vector<WorldOverlap>& overlaps) {
        return overlapping(w, *found, pose, overlaps, which);
      },
      [](Writer& out, const WorldOverlap& o) { out << o.overlap.point; });
}

/// Bodies, point, normal, separation, impulse.
CAROM_EXPORT int carom_world_contacts(int world) {
  Sim* sim = sims().find(world);
  if (!sim) return fail(no_world);
  std::vector<ContactPoint> points;
  contact_points(sim->world(), points);
  Writer out = list_of(10 * points.size());
  for (const ContactPoint& p : points)
    out << sim->bodies.number_of(p.a) << sim->bodies.number_of(p.b) << p.point << p.normal
        << p.separation << p.impulse;
  return static_cast<int>(points.size());
}

} // namespace carom::web
