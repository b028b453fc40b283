// Questions about two placed shapes. Poses of A and B are in the buffer, seven numbers each, and the answer takes their place.
#include "carom/motion/time_of_impact.h"
#include "carom/query/closest_point.h"
#include "carom/query/contact_patches.h"
#include "carom/query/distance.h"
#include "carom/query/hausdorff.h"
#include "carom/query/overlap.h"
#include "carom/query/penetration.h"
#include "carom/query/ray_cast.h"
#include "carom/query/shape_cast.h"
#include "web/wasm/interface.h"

namespace carom::web {
namespace {

template<class Ask, class Tell>
int ask(int a, int b, Ask&& question, Tell&& tell) {
  const Shape* shape_a = shapes().find(a);
  const Shape* shape_b = shapes().find(b);
  if (!shape_a || !shape_b) return fail(no_shape);
  const double* in = buffer();
  const auto answer = question(*shape_a, pose_at(in), *shape_b, pose_at(in + 7));
  Writer out(buffer());
  out << static_cast<double>(answer.status);
  tell(out, answer);
  return 0;
}

} // namespace

CAROM_EXPORT int carom_overlap(int a, int b) {
  return ask(
      a, b,
      [](const Shape& s, const Pose& p, const Shape& t, const Pose& q) {
        return overlap(s, p, t, q);
      },
      [](Writer& out, const ShapeOverlap& o) { out << o.hit << o.point << o.axis; });
}

CAROM_EXPORT int carom_distance(int a, int b) {
  return ask(
      a, b,
      [](const Shape& s, const Pose& p, const Shape& t, const Pose& q) {
        return distance(s, p, t, q);
      },
      [](Writer& out, const Distance& d) {
        out << d.value << d.lower_bound << d.on_a << d.on_b << d.normal;
      });
}

CAROM_EXPORT int carom_penetration(int a, int b) {
  return ask(
      a, b,
      [](const Shape& s, const Pose& p, const Shape& t, const Pose& q) {
        return penetration(s, p, t, q);
      },
      [](Writer& out, const Penetration& d) {
        out << d.depth << d.lower_bound << d.upper_bound << d.on_a << d.on_b << d.normal;
      });
}

/// In the buffer: the pose, then the ray's origin and direction.
CAROM_EXPORT int carom_ray_cast(int shape, double max_t) {
  const Shape* found = shapes().find(shape);
  if (!found) return fail(no_shape);
  const double* in = buffer();
  const Ray ray{vec3_at(in + 7), vec3_at(in + 10)};
  const RayHit hit = ray_cast(*found, pose_at(in), ray, {.max_t = max_t});
  Writer(buffer()) << static_cast<double>(hit.status) << hit.hit << hit.inside << hit.t << hit.point
                   << hit.normal;
  return 0;
}

/// In the buffer: the poses, then A's translation.
CAROM_EXPORT int carom_shape_cast(int a, int b, double max_t) {
  return ask(
      a, b,
      [&](const Shape& s, const Pose& p, const Shape& t, const Pose& q) {
        return shape_cast(s, p, vec3_at(buffer() + 14), t, q, {.max_t = max_t});
      },
      [](Writer& out, const ShapeCast& c) {
        out << c.hit << c.initial_overlap << c.t << c.on_a << c.on_b << c.point << c.normal;
      });
}

/// In the buffer: the pose, then the point.
CAROM_EXPORT int carom_closest_point(int shape) {
  const Shape* found = shapes().find(shape);
  if (!found) return fail(no_shape);
  const SurfacePoint s = closest_point(vec3_at(buffer() + 7), *found, pose_at(buffer()));
  Writer(buffer()) << static_cast<double>(s.status) << s.value << s.lower_bound << s.upper_bound
                   << s.point << s.normal;
  return 0;
}

/// How many patches; where their list is, and the status, are in the buffer. Each: normal, how many points, and those: on A, on B, separation, id in two halves.
CAROM_EXPORT int carom_contacts(int a, int b, double margin) {
  const Shape* shape_a = shapes().find(a);
  const Shape* shape_b = shapes().find(b);
  if (!shape_a || !shape_b) return fail(no_shape);
  const double* in = buffer();
  std::vector<ContactPatch> patches;
  const Status status = contact_patches(*shape_a, pose_at(in), *shape_b, pose_at(in + 7), patches,
                                        {.margin = margin});
  std::size_t numbers = 0;
  for (const ContactPatch& p : patches) numbers += 4 + 9 * p.manifold.contacts().size();
  Writer out = list_of(numbers);
  for (const ContactPatch& p : patches) {
    out << p.manifold.normal << p.manifold.count;
    for (const Contact& c : p.manifold.contacts()) out << c.on_a << c.on_b << c.separation << c.id;
  }
  buffer()[1] = static_cast<double>(status);
  return static_cast<int>(patches.size());
}

/// How different they are: of A from B, of B from A, then the greater of both.
CAROM_EXPORT int carom_hausdorff(int a, int b, double absolute_error, double relative_error,
                                 int max_points) {
  return ask(
      a, b,
      [&](const Shape& s, const Pose& p, const Shape& t, const Pose& q) {
        return hausdorff(s, p, t, q, {absolute_error, relative_error, max_points});
      },
      [](Writer& out, const Hausdorff& h) {
        for (const OneSidedHausdorff& side : {h.a_from_b, h.b_from_a})
          out << static_cast<double>(side.status) << side.value << side.lower_bound
              << side.upper_bound << side.on_a << side.on_b;
        out << h.value << h.lower_bound << h.upper_bound << h.on_a << h.on_b;
      });
}

/// In the buffer: where A begins, where it ends, where B begins, where it ends. Both go straight and turn the shorter way.
CAROM_EXPORT int carom_time_of_impact(int a, int b) {
  const Shape* shape_a = shapes().find(a);
  const Shape* shape_b = shapes().find(b);
  if (!shape_a || !shape_b) return fail(no_shape);
  const double* in = buffer();
  const Motion motion_a = Motion::between(pose_at(in), pose_at(in + 7));
  const Motion motion_b = Motion::between(pose_at(in + 14), pose_at(in + 21));
  const TimeOfImpact t = time_of_impact(*shape_a, motion_a, *shape_b, motion_b);
  Writer(buffer()) << static_cast<double>(t.status) << t.hit << t.initial_overlap << t.t
                   << t.distance << t.on_a << t.on_b << t.normal << carom::pose_at(motion_a, t.t)
                   << carom::pose_at(motion_b, t.t);
  return 0;
}

} // namespace carom::web
