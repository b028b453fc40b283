// A chain of light links with a ball a thousand times as heavy at its end, a door with a motor and a stop, and a hook that breaks.
//   chain [FOLDER]      the folder is for pictures; this example makes none
#include "carom/dynamics/world.h"

#include "carom/math/trig.h"

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  using namespace carom;
  World world;

  // Ten links of 20 cm, straight down from the world itself.
  const Shape link = Shape::capsule({0, 0, -0.07}, {0, 0, 0.07}, 0.03).value();
  std::vector<BodyId> links;
  std::vector<JointId> joints;
  for (int i = 0; i < 10; ++i) {
    links.push_back(
        world.add({.shape = link, .pose = Pose::at({0, 0, 5 - 0.1 - 0.2 * i})}).value());
    JointDef joint{.b = links.back(), .frame = Pose::at({0, 0, 5 - 0.2 * i}), .kind = BallJoint{}};
    if (i > 0) joint.a = links[links.size() - 2];
    joints.push_back(world.add_joint(joint).value());
  }
  const double link_mass = world.body(links[0])->mass, load_mass = 1000 * link_mass;
  const double spin = 0.4 * load_mass * 0.25 * 0.25;
  const BodyId load =
      world
          .add({.shape = Shape::sphere(0.25).value(),
                .pose = Pose::at({0, 0, 3 - 0.25}),
                .mass = BodyMass{.mass = load_mass, .inertia = Mat3::diagonal({spin, spin, spin})}})
          .value();
  joints.push_back(
      world.add_joint({.a = links.back(), .b = load, .frame = Pose::at({0, 0, 3})}).value());

  // A door on a hinge along z, driven to its stop.
  const BodyId door = world
                          .add({.shape = Shape::box({0.4, 0.03, 1}).value(),
                                .pose = Pose::at({5.4, 0, 1}),
                                .density = 600})
                          .value();
  const Quat upright = Quat::from_axis_angle({0, 1, 0}, -half_pi); // the joint's x axis along z
  const JointId hinge =
      world
          .add_joint({.b = door,
                      .frame = {upright, {5, 0, 1}},
                      .kind = HingeJoint{.limits = JointRange{0, 1.5}, .motor = JointMotor{1, 30}}})
          .value();

  // A hook that bears 500 N, and a weight of 1000 N.
  const BodyId crate = world
                           .add({.shape = Shape::box({0.2, 0.2, 0.2}).value(),
                                 .pose = Pose::at({10, 0, 4}),
                                 .density = 1593})
                           .value();
  const JointId hook =
      world.add_joint({.b = crate, .frame = Pose::at({10, 0, 4.5}), .break_force = 500}).value();

  bool broke = false;
  for (int i = 0; i < 240; ++i) {
    world.step(1.0 / 60);
    for (const JointBreakEvent& e : world.events().breaks) {
      broke = broke || e.joint == hook;
      std::printf("after %.2f s a joint broke under %.0f N\n", (i + 1) / 60.0, e.force);
    }
  }
  const double sag = 2.75 - world.pose(load)->position.z;
  std::printf("the chain of 2 m is %.2f mm longer, and bears %.1f N of %.1f N\n", 1000 * sag,
              world.joint(joints[0])->force.z, (load_mass + 10 * link_mass) * 9.81);
  std::printf("the door stands at %.3f radians\n", world.joint(hinge)->at[3]);
  return broke && std::fabs(sag) < 0.02 && std::fabs(world.joint(hinge)->at[3] - 1.5) < 0.01 ? 0
                                                                                             : 1;
}
