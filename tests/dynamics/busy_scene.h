// A world in which much goes on: all kinds of shapes and bodies, sensors, sleep, things that come and go. For tests of what must hold at any time.
#pragma once

#include "carom/math/random.h"
#include "carom/mesh/polygon_mesh.h"
#include "carom/shape/compound.h"
#include "carom/shape/height_field.h"
#include "tests/dynamics/scenes.h"

#include <cstdint>
#include <vector>

namespace carom::test {

/// A closed mesh: a box with a dent in its upper side.
inline Shape dented_mesh(double size = 0.5) {
  PolygonMesh mesh;
  mesh.vertices = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1},
                   {1, -1, 1},   {1, 1, 1},   {-1, 1, 1}, {0, 0, 0.2}};
  for (Vec3& v : mesh.vertices) v *= size;
  for (const auto& f : std::vector<std::vector<std::uint32_t>>{{0, 3, 2, 1},
                                                               {0, 1, 5, 4},
                                                               {1, 2, 6, 5},
                                                               {2, 3, 7, 6},
                                                               {3, 0, 4, 7},
                                                               {4, 5, 8},
                                                               {5, 6, 8},
                                                               {6, 7, 8},
                                                               {7, 4, 8}})
    mesh.add_face(f);
  return Shape::mesh(mesh).value();
}

/// Hills, their middle at the origin.
inline Shape hills(double half = 10, double height = 0.6) {
  constexpr std::uint32_t n = 17;
  std::vector<float> samples;
  for (std::uint32_t i = 0; i < n * n; ++i)
    samples.push_back(static_cast<float>(height * std::sin(i % n * 0.9) * std::cos(i / n * 0.7)));
  HeightFieldInput input;
  input.columns = n;
  input.rows = n;
  input.spacing_x = input.spacing_y = 2 * half / (n - 1);
  input.samples = samples;
  const CompoundPart part{Shape::height_field(input).value(), Pose::at({-half, -half, 0})};
  return Shape::compound({&part, 1}).value();
}

inline Shape dumbbell() {
  const CompoundPart parts[] = {{ball(0.25), Pose::at({-0.4, 0, 0})},
                                {cube(0.2), Pose::at({0.4, 0, 0})},
                                {Shape::capsule({-0.4, 0, 0}, {0.4, 0, 0}, 0.08).value(), {}}};
  return Shape::compound(parts).value();
}

inline Shape rock(Random& random, double size = 0.45) {
  std::vector<Vec3> points;
  for (int k = 0; k < 12; ++k) points.push_back(random.direction() * size);
  return Shape::hull(points).value();
}

/// Its changes depend on the seed alone, so that a second one does the same.
class BusyScene {
public:
  explicit BusyScene(std::uint64_t seed) : random_(seed), world_(WorldOptions{}) {
    world_.add({.shape = hills(), .kind = BodyKind::fixed}).value();
    for (int i = 0; i < 4; ++i)
      (void)world_
          .add({.shape = Shape::box({10, 0.2, 3}).value(),
                .pose = {Quat::from_axis_angle({0, 0, 1}, 1.5707963267948966 * i),
                         i % 2 == 0 ? Vec3{0, i == 0 ? 8.0 : -8.0, 1}
                                    : Vec3{i == 1 ? 8.0 : -8.0, 0, 1}},
                .kind = BodyKind::fixed})
          .value();
    for (int i = 0; i < 5; ++i) shapes_.push_back(rock(random_));
    for (const Shape& s :
         {ball(0.35), cube(0.3), dumbbell(), dented_mesh(0.4), Shape::cylinder(0.3, 0.25).value()})
      shapes_.push_back(s);
    world_
        .add({.shape = cube(1.5),
              .pose = Pose::at({2, 2, 1}),
              .kind = BodyKind::fixed,
              .sensor = true})
        .value();
    paddle_ = world_
                  .add({.shape = Shape::box({2, 0.1, 0.4}).value(),
                        .pose = Pose::at({-3, -3, 0.8}),
                        .kind = BodyKind::kinematic,
                        .angular_velocity = {0, 0, 6}})
                  .value();
    for (int i = 0; i < 30; ++i) drop();
    for (int i = 0; i < 10; ++i) join();
  }

  /// Two bodies, or a body and the world, by any kind of joint; some break soon.
  void join() {
    const JointKind kinds[] = {
        BallJoint{.cone = 0.8, .twist = JointRange{-0.5, 0.5}, .friction = 0.1},
        HingeJoint{.limits = JointRange{-1, 1}, .motor = JointMotor{3, 20}},
        SliderJoint{.limits = JointRange{-0.5, 0.5}, .spring = JointSpring{.frequency = 2}},
        FixedJoint{},
        DistanceJoint{.range = JointRange{0, 2}},
        WheelJoint{.motor = JointMotor{10, 5}},
        SixDofJoint{{JointAxis::limited(-0.2, 0.2), JointAxis::locked(), JointAxis::free(),
                     JointAxis::locked(), JointAxis::limited(-0.3, 0.3), JointAxis::free()}}};
    const JointKind& kind = kinds[random_.below(std::size(kinds))];
    const BodyId b = ids_[random_.below(ids_.size())];
    const BodyId other = ids_[random_.below(ids_.size())];
    const bool to_the_world = random_.below(5) == 0, breaks = random_.below(3) == 0;
    const Quat turned = random_.rotation();
    const auto made = world_.add_joint({.a = to_the_world || other == b ? BodyId{} : other,
                                        .b = b,
                                        .frame = {turned, position(world_, b)},
                                        .kind = kind,
                                        .break_force = breaks ? 2000.0 : INFINITY});
    joints_.push_back(made.value());
  }

  void drop() {
    const Shape& shape = shapes_[random_.below(shapes_.size())];
    const bool fast = random_.below(6) == 0;
    const Vec3 at = random_.in_box({5, 5, 1}) + Vec3{0, 0, 3.5};
    const Vec3 v = random_.in_box({1, 1, 1}) * (fast ? 120.0 : 2.0);
    const double restitution = random_.uniform(0, 0.5);
    ids_.push_back(world_
                       .add({.shape = shape,
                             .pose = {random_.rotation(), at},
                             .material = {.restitution = restitution, .rolling_friction = 0.02},
                             .velocity = v,
                             .angular_velocity = random_.in_box({5, 5, 5}),
                             .continuous = fast})
                       .value());
  }

  /// Changes this and that now and then, and steps.
  void step(Executor* executor = nullptr) {
    switch (random_.below(12)) {
    case 0:
      drop();
      break;
    case 1: {
      const std::size_t i = random_.below(ids_.size());
      (void)world_.remove(ids_[i]);
      ids_.erase(ids_.begin() + static_cast<std::ptrdiff_t>(i));
      if (ids_.size() < 10) drop();
      break;
    }
    case 2: {
      const BodyId id = ids_[random_.below(ids_.size())];
      const Vec3 push = random_.in_box({100, 100, 200});
      (void)world_.add_impulse(id, push, position(world_, id));
      break;
    }
    case 3:
      (void)world_.set_velocity(paddle_, {}, {0, 0, random_.uniform(-20, 20)});
      break;
    case 4:
      join();
      break;
    case 5:
      // Stale where it broke, or its body has gone: that is an error, and nothing happens.
      if (!joints_.empty()) {
        (void)world_.remove_joint(joints_.back());
        joints_.pop_back();
      }
      break;
    default:
      break;
    }
    world_.step(frame, executor);
  }

  [[nodiscard]] World& world() { return world_; }
  [[nodiscard]] const std::vector<BodyId>& ids() const { return ids_; }

private:
  Random random_;
  World world_;
  std::vector<Shape> shapes_;
  BodyId paddle_;
  std::vector<BodyId> ids_;
  std::vector<JointId> joints_;
};

} // namespace carom::test
