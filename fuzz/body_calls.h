// Numbers, poses, shapes, bodies and joints that the bytes choose, good and bad: for the fuzzers of worlds.
#pragma once

#include "tests/dynamics/any_joint.h"
#include "tests/dynamics/busy_scene.h"
#include "tests/support/source.h"

#include <limits>
#include <optional>
#include <vector>

namespace carom::fuzz {

using test::Source;

/// Mostly of size about 1; seldom huge, tiny, or no number.
inline double number(Source& source) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double odd[] = {nan, INFINITY, -INFINITY, 1e300, -1e30, 1e12, 1e8, 1e-30, 1e-320, 0};
  if (source.chance(40)) return odd[source.index(10)];
  if (source.chance(12)) return (source.index(255) - 127) * 3.0;
  return (source.index(255) - 127) / 50.0;
}
inline Vec3 vec(Source& source) {
  const double x = number(source);
  const double y = number(source);
  const double z = number(source);
  return {x, y, z};
}
inline Pose pose(Source& source) {
  const Vec3 at = vec(source);
  const double w = number(source);
  const Vec3 v = vec(source);
  return source.chance(3) ? Pose{{v.x, v.y, v.z, w}, at} : Pose::at(at);
}

inline const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = [] {
    Random random(1);
    std::vector<Shape> list{test::cube(0.5),
                            test::ball(0.4),
                            test::rock(random),
                            test::dumbbell(),
                            test::dented_mesh(),
                            test::hills(),
                            Shape::capsule({-1, 0, 0}, {1, 0, 0}, 0.1).value(),
                            Shape::cylinder(0.5, 0.3).value(),
                            Shape::cone(1, 0.4).value(),
                            Shape::ellipsoid({0.5, 0.3, 0.2}).value(),
                            Shape::box({2, 2, 0.0005}).value(),
                            Shape::half_space({0, 0, 1}, -1).value(),
                            Shape::triangle({}, {1, 0, 0}, {0, 1, 0}).value(),
                            Shape::segment({}, {1, 0, 0}).value(),
                            Shape::point({}).value()};
    list.push_back(Shape::sum(list[0], list[1]).value());
    const Vec3 cloud[] = {{0, 0, 0}, {0.3, 0, 0}, {0, 0.4, 0.1}};
    list.push_back(Shape::point_cloud(cloud, 0.2).value());
    return list;
  }();
  return all;
}

inline BodyShape part(Source& source) {
  BodyShape s{.shape = shapes()[source.below(shapes().size())]};
  if (source.chance(3)) s.pose = pose(source);
  if (source.chance(4)) s.density = number(source);
  if (source.chance(4)) {
    s.material.friction = number(source);
    s.material.restitution = number(source);
    s.material.rolling_friction = number(source);
    s.material.surface_velocity = vec(source);
  }
  if (source.chance(5)) s.filter = {source.below(4), source.below(4), source.index(3) - 1};
  s.sensor = source.chance(8);
  return s;
}

inline BodyDef body(Source& source) {
  BodyDef def;
  for (int i = source.chance(4) ? 3 : 1; i > 0; --i) def.shapes.push_back(part(source));
  def.pose = pose(source);
  const int kind = source.index(6);
  def.kind = kind == 0 ? BodyKind::fixed : kind == 1 ? BodyKind::kinematic : BodyKind::dynamic;
  if (source.chance(2)) {
    const double scale = source.chance(3) ? 100 : 1;
    def.velocity = vec(source) * scale;
    def.angular_velocity = vec(source) * scale;
  }
  if (source.chance(6)) {
    def.linear_damping = number(source);
    def.angular_damping = number(source);
    def.gravity_scale = number(source);
    def.locked = {source.chance(2), source.chance(2), source.chance(2), source.chance(2),
                  source.chance(2), source.chance(2)}; // NOLINT: order is fixed in braces
  }
  if (source.chance(4)) {
    const double mass = number(source);
    def.mass =
        BodyMass{.mass = mass, .center = vec(source), .inertia = Mat3::diagonal(vec(source))};
  }
  def.can_sleep = !source.chance(5);
  def.awake = !source.chance(5);
  def.continuous = source.chance(3);
  return def;
}

inline JointDef joint(Source& source, BodyId a, BodyId b) {
  return test::AnyJoint{source, [&] { return number(source); }}.joint(a, b);
}

} // namespace carom::fuzz
