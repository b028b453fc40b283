// The code of docs/guide.md, in its order.
//   guide [FOLDER]      the folder is for pictures; this example makes none
#include "carom/carom.h"
#include "carom/verify/check_query.h"
#include "carom/verify/shape.h"

#include <cstdio>

using namespace carom;

namespace {

bool shapes_and_distance() {
  Shape crate = Shape::box({1, 0.5, 0.5}).value();
  Shape ball = Shape::sphere(0.5).value();
  Result<Shape> wrong = Shape::sphere(-1);
  if (!wrong) std::printf("%s\n", wrong.error().message.c_str());

  Distance d = distance(crate, Pose::at({0, 0, 0}), ball, Pose::at({3, 0, 0}));
  std::printf("%g apart, from x = %g to x = %g\n", d.value, d.on_a.x, d.on_b.x);

  verify::Verdict verdict =
      verify::check_distance(verify::PlacedShape{crate, Pose::at({0, 0, 0})},
                             verify::PlacedShape{ball, Pose::at({3, 0, 0})}, d, 1e-12);
  std::printf("%s\n", verdict ? "confirmed" : verdict.why.c_str());

  SignedDistance s = signed_distance(crate, Pose::at({0, 0, 0}), ball, Pose::at({1.25, 0, 0}));
  Vec3 out = s.normal * -s.value; // moves the ball until it just touches
  return d.value == 1.5 && verdict && out.x > 0.249 && out.x < 0.251;
}

bool meshes() {
  const char* tetrahedron =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  PolygonMesh mesh =
      read_mesh(tetrahedron, MeshFormat::obj).value(); // of a file: load_mesh("rock.obj")
  Shape rock = Shape::mesh(mesh).value();              // closed: a solid
  RayHit hit = ray_cast(rock, Pose::identity(), Ray{{0.1, 0.1, 5}, {0, 0, -1}});
  std::printf("hit at z = %g\n", hit.point.z);
  return hit.hit && hit.point.z > 0.79 && hit.point.z < 0.81;
}

bool motion() {
  Shape bar = Shape::box({2, 0.05, 0.05}).value();
  Shape post = Shape::cylinder(1, 0.1).value();
  Motion spin = Motion::rotation_about(Pose::identity(), {0, 0, 0}, {0, 0, 1}, two_pi / 2);
  TimeOfImpact i = time_of_impact(bar, spin, post, Motion::rest(Pose::at({0, 1.5, 0})));
  Pose there = pose_at(spin, i.t); // just before they touch
  std::printf("they touch at t = %.4f\n", i.t);
  return i.hit && i.t < 0.5 && overlap(bar, there, post, Pose::at({0, 1.5, 0})).hit == false;
}

bool many() {
  Space space;
  Shape pebble = Shape::sphere(0.1).value();
  for (int x = 0; x < 10; ++x)
    for (int y = 0; y < 10; ++y)
      for (int z = 0; z < 10; ++z)
        if (!space.add({.shape = pebble, .pose = Pose::at({0.3 * x, 0.3 * y, 0.3 * z})}))
          return false;
  SpaceRayHit hit = ray_cast(space, Ray{{0, 0, 10}, {0, 0, -1}}); // the topmost at x = y = 0
  std::printf("hit at z = %g\n", hit.hit.point.z);
  return hit.hit.point.z > 2.79 && hit.hit.point.z < 2.81;
}

bool world() {
  World world; // up is z, gravity is the earth's
  BodyId floor = world
                     .add({.shape = Shape::box({10, 10, 1}).value(),
                           .pose = Pose::at({0, 0, -1}),
                           .kind = BodyKind::fixed})
                     .value();
  BodyId ball =
      world.add({.shape = Shape::sphere(0.5).value(), .pose = Pose::at({0, 0, 3})}).value();
  for (int i = 0; i < 120; ++i) {
    world.step(1.0 / 60);
    for (const ContactEvent& e : world.events().contacts)
      if (e.kind == EventKind::begin && e.a == floor)
        std::printf("step %d: struck with %.0f N s\n", i, e.impulse);
  }
  double height = world.pose(ball)->position.z;
  std::printf("at rest at %.3f m\n", height);
  return height > 0.49 && height < 0.51;
}

} // namespace

int main() { return shapes_and_distance() && meshes() && motion() && many() && world() ? 0 : 1; }
