// Many shapes in a space: which overlap, what a camera sees, what a ray and a moving ball meet first, what is nearest; drawn, and the proofs checked.
//   many_shapes [FOLDER]    writes FOLDER/many_shapes.svg (default: out)
#include "carom/carom.h"
#include "carom/verify/check_composite.h"
#include "examples/svg.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <vector>

using namespace carom;
using examples::Svg;

namespace {

// The outline of a placed shape as seen along z: its support points all around.
std::vector<Vec3> outline(const Shape& shape, const Pose& pose) {
  const Frame frame = pose.frame();
  std::vector<Vec3> points;
  for (int i = 0; i < 180; ++i) {
    const SinCos turn = sin_cos(i * (two_pi / 180));
    const Vec3 d = frame.direction_to_local({turn.cos, turn.sin, 0});
    points.push_back(frame.to_world(support_point(shape, d)));
  }
  return points;
}

// A crowd of pillars, balls, cans and rods, all at the height of the drawing; the pillars are fixed.
Space crowd(int count) {
  const Shape shapes[] = {Shape::box({0.25, 0.25, 1}).value(), Shape::sphere(0.3).value(),
                          Shape::cylinder(1, 0.22).value(),
                          Shape::capsule({-0.35, 0, 0}, {0.35, 0, 0}, 0.1).value()};
  Random random(4);
  Space space;
  for (int i = 0; i < count; ++i) {
    const Vec3 at = random.in_box({5.3, 3.1, 0});
    const double angle = random.uniform(0, two_pi);
    const auto mobility = i % 4 == 0 ? Mobility::fixed : Mobility::moving;
    const Pose pose{Quat::from_axis_angle({0, 0, 1}, angle), {at.x, at.y, 0}};
    (void)space.add({.shape = shapes[i % 4], .pose = pose, .mobility = mobility});
  }
  return space;
}

verify::PlacedShape placed(const Space& space, ObjectId id) {
  return {space.find(id)->shape, space.find(id)->pose};
}

bool confirmed(const verify::Verdict& verdict, const char* what) {
  std::printf("%s: %s\n", what, verdict ? "confirmed" : verdict.why.c_str());
  return verdict.ok;
}

} // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "out";
  const Space space = crowd(64);

  // What overlaps, and what a camera sees.
  std::vector<SpaceOverlapPair> clashes;
  overlapping_pairs(space, clashes);
  std::set<std::uint32_t> clashing;
  for (const SpaceOverlapPair& c : clashes) {
    clashing.insert(c.pair.a.slot);
    clashing.insert(c.pair.b.slot);
  }
  const ViewFrustum view{{-5.6, -3.2, 0}, // looking to the right and up
                         Mat3{{0.6, -0.8, 0}, {0, 0, 1}, {0.8, 0.6, 0}},
                         0.5,
                         5,
                         0.3,
                         0.3};
  std::vector<SpaceOverlap> seen;
  (void)overlapping(space, view, seen);

  Svg svg(1000, 640, 85);
  for (std::uint32_t slot = 0; slot < space.slot_count(); ++slot) {
    const ObjectId id = space.id_at(slot);
    const bool visible =
        std::any_of(seen.begin(), seen.end(), [&](const SpaceOverlap& s) { return s.id == id; });
    const std::string fill = clashing.contains(slot) ? "#fbdcc4" : visible ? "#d7f0d0" : "#e8edf3";
    const SpaceObject& object = *space.find(id);
    const std::string edge = object.mobility == Mobility::fixed ? "#555" : "#9ab";
    svg.polygon(outline(object.shape, object.pose), "fill='" + fill + "' stroke='" + edge + "'");
  }
  for (const SpaceOverlapPair& c : clashes) svg.dot(c.overlap.point, "#c05621");
  const Vec3 corners[] = {view.corner(0), view.corner(4), view.corner(5), view.corner(1)};
  svg.polygon(corners, "fill='none' stroke='#2f855a' stroke-dasharray='5 4'");

  // A ray: all that it meets, and the first; a ball on its way; the nearest five of a point.
  const Ray ray{{-5.6, 2.6, 0}, {11, -1.2, 0}};
  std::vector<SpaceRayHit> hits;
  (void)ray_cast_all(space, ray, hits, {.max_t = 1});
  const SpaceRayHit first = ray_cast(space, ray, {.max_t = 1});
  svg.segment(ray.origin, ray.at(1), "stroke='#2b6cb0' stroke-width='1.5' fill='none'");
  for (const SpaceRayHit& h : hits) svg.dot(h.hit.point, h.id == first.id ? "#c53030" : "#2b6cb0");

  const Shape ball = Shape::sphere(0.15).value();
  const Pose start = Pose::at({5.4, -2.4, 0});
  const Vec3 way{-9, 3.5, 0};
  const SpaceShapeCast stop = shape_cast(space, ball, start, way);
  const Vec3 end = start.position + way * stop.cast.t;
  svg.segment(start.position, end, "stroke='#6b46c1' stroke-width='1.5' fill='none'");
  for (const Vec3& p : {start.position, end})
    svg.circle(p, 0.15, "fill='none' stroke='#6b46c1' stroke-width='1.5'");

  const Vec3 here{2.6, 1.3, 0};
  std::vector<SpaceNearPoint> near;
  (void)nearest(space, here, 5, near);
  for (const SpaceNearPoint& n : near)
    svg.segment(here, n.surface.point, "stroke='#2f855a' stroke-width='1.5' fill='none'");
  svg.dot(here, "#2f855a");

  std::printf("%zu objects: %zu pairs overlap, %zu in view, the ray meets %zu, the ball stops at "
              "t = %.3f, the nearest is %.4f away\n",
              space.size(), clashes.size(), seen.size(), hits.size(), stop.cast.t,
              near.front().surface.value);

  // The independent checker agrees, or this example fails.
  bool ok = first && stop && !hits.empty() && hits.front().id == first.id && near.size() == 5;
  ok &=
      confirmed(verify::check_composite_ray_cast(placed(space, first.id), ray, 1, first.hit, 1e-11),
                "first hit");
  ok &= confirmed(verify::check_composite_shape_cast({ball, start}, way, placed(space, stop.id), 1,
                                                     stop.cast, 1e-11, 1e-9),
                  "where the ball stops");
  ok &= confirmed(verify::check_composite_closest_point(here, placed(space, near.front().id),
                                                        near.front().surface, 1e-11),
                  "nearest point");
  for (const SpaceOverlapPair& c : clashes)
    ok &= verify::check_composite_overlap(placed(space, c.pair.a), placed(space, c.pair.b),
                                          c.overlap, 1e-11)
              .ok;
  return svg.save(folder + "/many_shapes.svg") && ok ? 0 : 1;
}
