#include "carom/record/draw.h"

#include "carom/record/draw_marks.h"
#include "carom/verify/part_cover.h"
#include "carom/verify/shape.h"

#include <array>

namespace carom {
namespace {

constexpr std::uint32_t way_colour = 0x808080, proof_colour = 0x20a0a0;

/// A square at right angles to the normal.
void plane_at(DebugDraw& out, const Vec3& p, const Vec3& normal, double size,
              std::uint32_t colour) {
  const Vec3 u = normalized(perpendicular(normal)) * size, v = normalized(cross(normal, u)) * size;
  const std::array<Vec3, 4> corners{p - u - v, p + u - v, p + u + v, p - u + v};
  for (std::size_t i = 0; i < 4; ++i) out.line(corners[i], corners[(i + 1) % 4], colour);
}

/// Halfway between where A ends along the direction and where B begins: the plane there has them on its two sides.
void plane_between(DebugDraw& out, const Vec3& on_a, const Vec3& on_b, const Vec3& direction,
                   double size) {
  plane_at(out, (on_a + on_b) / 2, direction, size, proof_colour);
}

/// The way of the body's own origin, up to time t.
void draw_way(const Motion& motion, double t, DebugDraw& out) {
  constexpr int pieces = 16;
  Vec3 last = motion.start.position;
  for (int i = 1; i <= pieces; ++i) {
    const Vec3 next = pose_at(motion, t * i / pieces).position;
    out.line(last, next, way_colour);
    last = next;
  }
}

using Parts = std::vector<const verify::ConvexPart*>;

/// A point of the parts first .. end that lies farthest along the direction.
Vec3 farthest(const Parts& parts, std::uint32_t first, std::uint32_t end, const Vec3& direction) {
  Vec3 best;
  double reach = -INFINITY;
  for (std::uint32_t i = first; i < end; ++i) {
    const Vec3 p = verify::farthest_point(parts[i]->placed, direction);
    if (const double along = dot(p, direction); along > reach) {
      reach = along;
      best = p;
    }
  }
  return best;
}

} // namespace

void draw(const ShapeOverlap& answer, const Shape& a, const Pose& pose_a, const Shape& b,
          const Pose& pose_b, DebugDraw& out, double size) {
  if (answer.hit) {
    cross_at(out, answer.point, size / 4, contact_colour);
  } else if (answer.axis != Vec3{}) {
    plane_between(out, verify::farthest_point({a, pose_a}, answer.axis),
                  verify::farthest_point({b, pose_b}, -answer.axis), answer.axis, size);
  }
}

void draw(const Distance& answer, DebugDraw& out, double size) {
  cross_at(out, answer.on_a, size / 4, contact_colour);
  cross_at(out, answer.on_b, size / 4, contact_colour);
  if (answer.value <= 0) return;
  out.line(answer.on_a, answer.on_b, contact_colour);
  plane_at(out, answer.on_a, answer.normal, size, proof_colour);
  plane_at(out, answer.on_a + answer.normal * answer.lower_bound, answer.normal, size,
           proof_colour);
}

void draw(const Penetration& answer, DebugDraw& out, double size) {
  cross_at(out, answer.on_a, size / 4, contact_colour);
  cross_at(out, answer.on_b, size / 4, contact_colour);
  out.line(answer.on_b, answer.on_b + answer.normal * answer.depth, normal_colour);
}

void draw(const ContactManifold& answer, DebugDraw& out, double size) {
  for (const Contact& c : answer.contacts()) {
    cross_at(out, c.on_a, size / 4, contact_colour);
    out.line(c.on_a, c.on_b, contact_colour);
    out.line(c.on_b, c.on_b + answer.normal * size, normal_colour);
  }
}

void draw(const RayHit& answer, const Ray& ray, double max_t, DebugDraw& out, double size) {
  out.line(ray.origin, ray.origin + ray.direction * (answer.hit ? answer.t : max_t), way_colour);
  if (!answer.hit) return;
  cross_at(out, answer.point, size / 4, contact_colour);
  out.line(answer.point, answer.point + answer.normal * size, normal_colour);
}

void draw(const ShapeCast& answer, const Vec3& from, const Vec3& translation, DebugDraw& out,
          double size) {
  out.line(from, from + translation * (answer.hit ? answer.t : 1), way_colour);
  if (!answer.hit) return;
  cross_at(out, answer.point, size / 4, contact_colour);
  plane_at(out, answer.point, answer.normal, size, proof_colour);
}

void draw(const SurfacePoint& answer, const Vec3& p, DebugDraw& out, double size) {
  out.line(p, answer.point, contact_colour);
  cross_at(out, answer.point, size / 4, contact_colour);
  out.line(answer.point, answer.point + answer.normal * size, normal_colour);
}

void draw(const TimeOfImpact& answer, const Motion& motion_a, const Motion& motion_b,
          DebugDraw& out, double size) {
  draw_way(motion_a, answer.t, out);
  draw_way(motion_b, answer.t, out);
  if (!answer.hit) return;
  cross_at(out, answer.on_a, size / 4, contact_colour);
  cross_at(out, answer.on_b, size / 4, contact_colour);
  plane_at(out, answer.on_a, answer.normal, size, proof_colour);
}

void draw(const Proof& proof, const Shape& a, const Pose& pose_a, const Shape& b,
          const Pose& pose_b, DebugDraw& out, double size) {
  const std::vector<verify::ConvexPart> all_a = verify::convex_parts({a, pose_a}),
                                        all_b = verify::convex_parts({b, pose_b});
  const Parts parts_a = verify::in_order(all_a, proof.parts_a),
              parts_b = verify::in_order(all_b, proof.parts_b);
  for (const Proof::Claim& c : proof.claims) {
    if (c.end_a > parts_a.size() || c.end_b > parts_b.size()) continue; // a proof of other shapes
    Vec3 end = farthest(parts_a, c.first_a, c.end_a, c.direction);
    if (dot(proof.translation, c.direction) > 0) end += proof.translation;
    plane_between(out, end, farthest(parts_b, c.first_b, c.end_b, -c.direction), c.direction, size);
  }
}

} // namespace carom
