// What lies within a solid mesh without touching its surface: no pair of parts tells of it.
#include "carom/geometry/triangle_normal.h"
#include "carom/query/closest_point.h"
#include "carom/query/part_contacts.h"
#include "carom/query/part_walk.h"
#include "carom/query/solid_inside.h"
#include "carom/shape/support.h"
#include "carom/tree/triangle_rays.h"

#include <algorithm>
#include <optional>

namespace carom {
namespace {

/// A step of the way out to the nearest surface; mostly one or two are enough.
constexpr int most_steps_out = 8;
/// A face that the way out meets at a smaller cosine is not what it leaves by.
constexpr double least_cosine = 0.1;

/// From a point within a solid along n, a unit vector, until it comes out of a triangle, and of the rounding around that.
std::optional<SurfacePoint> way_along(const ConvexParts& solid, const Vec3& from, const Vec3& n) {
  const auto& mesh = std::get<TriangleMesh>(solid.body().composite().body);
  const Frame frame = solid.body_pose().frame();
  const Vec3 d = frame.direction_to_local(n);
  const RayTriangle hit = first_hit(mesh.tree(), mesh.surface(), {Ray{frame.to_local(from), d}});
  if (!hit) return {};
  const Triangle t = mesh.surface()[hit.triangle];
  const double cosine = dot(d, normalized_or(triangle_normal(t.a, t.b, t.c), {}));
  if (!(cosine >= least_cosine)) return {};
  const double length = hit.t + solid.body().rounding() / cosine;
  SurfacePoint way;
  way.value = -length;
  way.normal = n;
  way.point = from + n * length;
  way.part.element = hit.triangle;
  return way;
}

} // namespace

/// The way out of a solid, from a point of the part `other` within it: a contact of its nearest surface.
void PartContacts::leave_solid(bool a_is_solid, const PartPlace& other, const Vec3& at,
                               const SurfacePoint& way) {
  const std::uint32_t solid_part = (a_is_solid ? parts_a_ : parts_b_).place().part;
  const PartPlace solid{solid_part, way.part.element};
  PartsTouching t{a_is_solid ? solid : other,
                  a_is_solid ? other : solid,
                  a_is_solid ? way.normal : -way.normal,
                  0,
                  0,
                  0,
                  true};
  const Contact c =
      a_is_solid ? Contact{way.point, at, way.value, 0} : Contact{at, way.point, way.value, 0};
  put(t, t.normal, std::span(&c, 1));
  touching_.push_back(t);
}

/// The points of a cloud within a solid that its surface does not touch, each by itself.
void PartContacts::find_points_inside(bool a_is_solid) {
  ConvexParts& solid = a_is_solid ? parts_a_ : parts_b_;
  ConvexParts& cloud = a_is_solid ? parts_b_ : parts_a_;
  ScratchVector<std::uint32_t> points, known;
  const PartPair pair(solid.body(), solid.body_pose(), cloud.body(), cloud.body_pose());
  walk_parts(
      PartTree(solid.body(), false), PartTree(cloud.body()), 0,
      [&](const Aabb& box_a, const Aabb& box_b) { return pair.gap(box_a, box_b); },
      [&](std::uint64_t, std::uint64_t i, double&) {
        points.push_back(static_cast<std::uint32_t>(i));
      });
  for (const PartsTouching& t : touching_) {
    const bool is_this = t.a.part == parts_a_.place().part && t.b.part == parts_b_.place().part;
    if (is_this) known.push_back(a_is_solid ? t.b.element : t.a.element);
  }
  std::sort(points.begin(), points.end());
  std::sort(known.begin(), known.end());
  const double radius = cloud.body().rounding();
  for (const std::uint32_t i : points) {
    if (std::binary_search(known.begin(), known.end(), i)) continue;
    const Vec3& local = std::get<PointCloud>(cloud.body().composite().body).points()[i];
    const Vec3 center = cloud.body_pose().frame().to_world(local);
    SurfacePoint way = closest_point(center, solid.body(), solid.body_pose());
    if (!(way.value < 0)) continue;
    way.value -= radius;
    leave_solid(a_is_solid, {cloud.place().part, i}, center - way.normal * radius, way);
  }
}

/// A body within a solid that it does not touch the surface of: one contact, of the point that lies deepest as seen from the nearest surface.
void PartContacts::find_body_inside(bool a_is_solid) {
  const ConvexParts& solid = a_is_solid ? parts_a_ : parts_b_;
  const ConvexParts& other = a_is_solid ? parts_b_ : parts_a_;
  const Shape& body = other.body();
  const auto inside =
      point_inside(solid.body(), solid.body_pose().frame(), body, other.body_pose());
  if (!inside) return;
  const Frame frame = other.body_pose().frame();
  const auto deepest_along = [&](const Vec3& n) {
    return frame.to_world(support_point(body, frame.direction_to_local(-n)));
  };
  Vec3 at = inside->point;
  SurfacePoint way = closest_point(at, solid.body(), solid.body_pose());
  for (int step = 0; step < most_steps_out; ++step) {
    const Vec3 next = deepest_along(way.normal);
    const SurfacePoint found = closest_point(next, solid.body(), solid.body_pose());
    // All of a convex body is inside. Of a mesh, that may be a piece only.
    const bool is_first = step == 0 && body.convex();
    if (!is_first && !(found.value < way.value)) break;
    at = next;
    way = found;
  }
  // The deepest point as seen from there may have another nearest way, and that another deepest point. Then, straight along the normal.
  if (const Vec3 next = deepest_along(way.normal); body.convex() && next != at) {
    if (const auto straight = way_along(solid, next, way.normal)) {
      at = next;
      way = *straight;
    }
  }
  PartPlace place = other.place();
  if (!body.convex()) place.element = closest_point(at, body, other.body_pose()).part.element;
  leave_solid(a_is_solid, place, at, way);
}

void PartContacts::find_inside(const Pair& bodies) {
  for (const bool a_is_solid : {true, false}) {
    take(bodies.a, bodies.b);
    const ConvexParts& solid = a_is_solid ? parts_a_ : parts_b_;
    const Shape& other = (a_is_solid ? parts_b_ : parts_a_).body();
    if (!solid.is_solid() || !other.bounded()) continue;
    if (body_of<PointCloud>(other)) {
      find_points_inside(a_is_solid);
      return;
    }
    const bool known = std::any_of(touching_.begin(), touching_.end(), [&](const PartsTouching& t) {
      return t.a.part == bodies.a.part && t.b.part == bodies.b.part;
    });
    if (!known) find_body_inside(a_is_solid);
  }
}

} // namespace carom
