// Many bodies of all kinds on a bumpy surface of triangles: so many that several threads have something to do in every part of a step.
#pragma once

#include "tests/dynamics/busy_scene.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace carom::test {

/// Two triangles for each square of a grid, not solid: a floor with bumps.
inline Shape bumps(double half = 12, int squares = 40) {
  PolygonMesh mesh;
  const auto n = static_cast<std::uint32_t>(squares);
  for (std::uint32_t i = 0; i <= n; ++i)
    for (std::uint32_t k = 0; k <= n; ++k) {
      const double x = (2.0 * i / n - 1) * half, y = (2.0 * k / n - 1) * half;
      mesh.vertices.push_back({x, y, 0.02 * (x * x + y * y) + 0.1 * ((i * 7 + k * 3) % 5)});
    }
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t k = 0; k < n; ++k) {
      const std::uint32_t a = i * (n + 1) + k, b = a + n + 1;
      mesh.add_face(std::vector<std::uint32_t>{a, b, b + 1});
      mesh.add_face(std::vector<std::uint32_t>{a, b + 1, a + 1});
    }
  return Shape::mesh(mesh, {.body = MeshOptions::Body::surface}).value();
}

struct CrowdOptions {
  int bodies = 250;
  bool sleep = true;
  bool composites = true; ///< compounds and closed meshes among the bodies
};

/// Everything falls on the bumps. There are columns that sleep until they are hit, chains, a sensor, a paddle that turns, and bodies so fast that they have to be stopped; some of them by each other.
class Crowd {
public:
  explicit Crowd(const CrowdOptions& options = {}) : world_(with_sleep(options.sleep)) {
    Random random(11);
    (void)world_.add({.shape = bumps(), .kind = BodyKind::fixed}).value();
    (void)world_
        .add({.shape = Shape::box({3, 3, 0.3}).value(),
              .pose = Pose::at({6, 6, 2.5}),
              .kind = BodyKind::fixed})
        .value();
    (void)world_
        .add({.shape = cube(2),
              .pose = Pose::at({0, 0, 2}),
              .kind = BodyKind::fixed,
              .sensor = true})
        .value();
    (void)world_
        .add({.shape = Shape::box({3, 0.1, 0.4}).value(),
              .pose = Pose::at({-4, -4, 1.5}),
              .kind = BodyKind::kinematic,
              .angular_velocity = {0, 0, 9}})
        .value();
    add_shapes(options, random);
    for (int i = 0; i < options.bodies; ++i) drop(i, random);
    if (options.sleep)
      for (int i = 0; i < 12; ++i)
        (void)world_
            .add({.shape = cube(0.3),
                  .pose = Pose::at({4.5 + 1.0 * (i / 3), 6, 3.1 + 0.6 * (i % 3)}),
                  .awake = false})
            .value();
    for (std::size_t i = 0; i + 1 < ids_.size() && i < 60; i += 2)
      (void)world_
          .add_joint({.a = ids_[i],
                      .b = ids_[i + 1],
                      .frame = {random.rotation(), position(world_, ids_[i])},
                      .kind = i % 4 == 0 ? JointKind{BallJoint{.cone = 0.8}}
                                         : JointKind{HingeJoint{.motor = JointMotor{3, 20}}}})
          .value();
  }

  void step(Executor* executor = nullptr) {
    // A body is sent off from time to time: against what sleeps, through the sensor, into the ground.
    const BodyId id = ids_[static_cast<std::size_t>(steps_ * 7) % ids_.size()];
    if (steps_ % 3 == 0)
      (void)world_.set_velocity(id, {60.0 - 40 * (steps_ % 4), 15.0 - 10 * (steps_ % 5), -30},
                                {20, 5, 0});
    ++steps_;
    world_.step(frame, executor);
  }
  [[nodiscard]] World& world() { return world_; }

private:
  static WorldOptions with_sleep(bool sleep) {
    WorldOptions options;
    options.sleep.enabled = sleep;
    options.persist_events = true;
    return options;
  }
  void add_shapes(const CrowdOptions& options, Random& random) {
    for (int i = 0; i < 6; ++i) shapes_.push_back(rock(random));
    for (const Shape& s :
         {ball(0.35), cube(0.3), Shape::capsule({0, 0, -0.3}, {0, 0, 0.3}, 0.2).value()})
      shapes_.push_back(s);
    if (!options.composites) return;
    shapes_.push_back(dumbbell());
    shapes_.push_back(dented_mesh(0.4));
    shapes_.push_back(Shape::cylinder(0.3, 0.25).value());
  }
  void drop(int i, Random& random) {
    const bool fast = i % 9 == 0;
    const Vec3 cell{0.95 * (i % 10) - 4.3, 0.95 * (i / 10 % 10) - 4.3, 2.5 + 1.0 * (i / 100)};
    ids_.push_back(world_
                       .add({.shape = shapes_[static_cast<std::size_t>(i) % shapes_.size()],
                             .pose = {random.rotation(), cell},
                             .material = {.restitution = 0.2, .rolling_friction = 0.01},
                             .velocity = fast ? Vec3{20, 10, -150} : Vec3{0, 0, -1},
                             .continuous = i % 27 == 0})
                       .value());
  }

  World world_;
  std::vector<Shape> shapes_;
  std::vector<BodyId> ids_;
  int steps_ = 0;
};

} // namespace carom::test
