// Scenes that are played again and again, each with another part of a step at work: for the test that a step takes no memory once all of it was seen.
#pragma once

#include "carom/math/trig.h"
#include "tests/dynamics/crowd_scene.h"
#include "tests/support/concave_meshes.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace carom::test {

/// What a scene must show, each time it is played: else it would prove nothing.
struct Sights {
  std::size_t touches = 0, searches = 0, sensor_events = 0, woken = 0, asleep = 0, breaks = 0,
              removed = 0;
};

/// A world, its bodies where they begin, and the joints that are made anew if they broke.
class ReplayedScene {
public:
  explicit ReplayedScene(const WorldOptions& options = {}) : world_(options) {}

  BodyId add(const BodyDef& def) {
    starts_.push_back({world_.add(def).value(), def.pose, def.velocity, def.angular_velocity});
    return starts_.back().id;
  }
  void add(const JointDef& def) { joints_.push_back({def, world_.add_joint(def).value()}); }

  /// Everything where it began.
  void rewind() {
    for (const Start& s : starts_) {
      (void)world_.set_pose(s.id, s.pose);
      (void)world_.set_velocity(s.id, s.velocity, s.spin);
    }
    for (Joined& j : joints_)
      if (!world_.contains(j.id)) j.id = world_.add_joint(j.def).value();
  }
  [[nodiscard]] World& world() { return world_; }

private:
  struct Start {
    BodyId id;
    Pose pose;
    Vec3 velocity, spin;
  };
  struct Joined {
    JointDef def;
    JointId id;
  };
  World world_;
  std::vector<Start> starts_;
  std::vector<Joined> joints_;
};

/// Every kind that may be a dynamic body, about as large as a cube of half a metre.
inline std::vector<Shape> dynamic_kinds() {
  Random random(3);
  const HalfSpace faces[] = {{{1, 0, 0}, 0.25},  {{-1, 0, 0}, 0.25}, {{0, 1, 0}, 0.25},
                             {{0, -1, 0}, 0.25}, {{0, 0.3, 1}, 0.2}, {{0, 0, -1}, 0.25}};
  std::vector<Shape> kinds = {
      ball(0.25),
      cube(0.25),
      Shape::capsule({0, 0, -0.2}, {0, 0, 0.2}, 0.15).value(),
      Shape::tapered_capsule({0, 0, -0.2}, 0.2, {0, 0, 0.2}, 0.1).value(),
      Shape::cylinder(0.25, 0.2).value(),
      Shape::cone(0.5, 0.25).value(),
      Shape::ellipsoid({0.3, 0.2, 0.15}).value(),
      rock(random, 0.3),
      Shape::brush(faces).value(),
      Shape::sum(cube(0.15), ball(0.1)).value(),
      Shape::hull_of_two(ball(0.2), Shape::cylinder(0.3, 0.1).value()).value(),
      Shape::box({0.2, 0.15, 0.1}).value().rounded(0.1).value(),
      dumbbell(),
      dented_mesh(0.3),
  };
  kinds.push_back(Shape::hull_of_two(ball(0.2), cube(0.1)).value().scaled({1, 1.2, 0.8}).value());
  return kinds;
}

/// Feet that point in all directions: four legs of one compound, of which each may touch a triangle of its own.
inline Shape jack() {
  const Shape leg = Shape::capsule({0, 0, 0}, {0, 0, 0.35}, 0.07).value();
  std::vector<CompoundPart> parts;
  for (const Vec3& axis : {Vec3{1, 0, 0}, {0, 1, 0}, {-1, 0.2, 0}, {0, -1, 0.3}})
    parts.push_back({leg, {Quat::from_axis_angle(normalized(axis), 1.3), {}}});
  return Shape::compound(parts).value();
}

enum class Ground : std::uint8_t { plane, box, mesh, solid_mesh, height_field, compound };

inline void add_ground(ReplayedScene& scene, Ground ground) {
  BodyDef def{.shape = bumps(6, 24), .kind = BodyKind::fixed};
  if (ground == Ground::plane) def.shape = Shape::half_space({0, 0, 1}, 0).value();
  if (ground == Ground::box) {
    def.shape = Shape::box({8, 8, 1}).value();
    def.pose = Pose::at({0, 0, -1});
  }
  if (ground == Ground::solid_mesh) {
    def.shape = dented_mesh(5);
    def.pose = Pose::at({0, 0, -5});
  }
  if (ground == Ground::height_field) def.shape = hills(6);
  if (ground == Ground::compound) {
    const CompoundPart slabs[] = {{Shape::box({4, 8, 1}).value(), Pose::at({-4, 0, -1})},
                                  {Shape::box({4, 8, 1}).value(), Pose::at({4, 0, -0.9})}};
    def.shape = Shape::compound(slabs).value();
  }
  (void)scene.world().add(def).value();
}

/// One of each, side by side, two layers of them.
inline void drop_all(ReplayedScene& scene, const std::vector<Shape>& shapes, const Vec3& velocity,
                     bool continuous = false, int layers = 2) {
  Random random(8);
  const int count = layers * static_cast<int>(shapes.size());
  for (int i = 0; i < count; ++i)
    scene.add({.shape = shapes[static_cast<std::size_t>(i) % shapes.size()],
               .pose = {random.rotation(),
                        {0.75 * (i % 4) - 1.1, 0.75 * (i / 4 % 4) - 1.1, 2.2 + 0.8 * (i / 16)}},
               .material = {.restitution = 0.2, .rolling_friction = 0.01},
               .velocity = velocity,
               .angular_velocity = random.in_box({4, 4, 4}),
               .continuous = continuous});
}

} // namespace carom::test
