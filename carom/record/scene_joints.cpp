// Joints, by kind. They name the bodies they hold; those stand before them.
#include "carom/record/scene_parts.h"

#include <algorithm>

namespace carom {
namespace {

std::optional<JointRange> read_range(Fields& in, const char* name) {
  const Reader field = in[name];
  if (!field) return {};
  const std::vector<double> n = field.numbers(2);
  if (n.size() != 2) return {};
  if (n[0] > n[1]) field.fail("the first number is more than the second");
  return JointRange{n[0], n[1]};
}

std::optional<JointSpring> read_spring(Fields& in, const char* name) {
  const Reader field = in[name];
  if (!field) return {};
  JointSpring spring;
  Fields s(field, "spring");
  s.read("frequency", spring.frequency, at_least_zero);
  s.read("damping_ratio", spring.damping_ratio, at_least_zero);
  s.read("stiffness", spring.stiffness, at_least_zero);
  s.read("damping", spring.damping, at_least_zero);
  s.finish();
  return spring;
}

std::optional<JointMotor> read_motor(Fields& in, const char* name) {
  const Reader field = in[name];
  if (!field) return {};
  JointMotor motor;
  Fields m(field, "motor");
  m.read("speed", motor.speed);
  motor.max_force = m.need("max_force").number(at_least_zero);
  m.finish();
  return motor;
}

JointKind ball(Fields& in) {
  BallJoint j;
  if (const Reader cone = in["cone"]) j.cone = cone.number(at_least_zero);
  j.twist = read_range(in, "twist");
  in.read("friction", j.friction, at_least_zero);
  j.spring = read_spring(in, "spring");
  return j;
}

/// Hinges and sliders have the same fields.
template<class Joint>
JointKind of_one_axis(Fields& in) {
  Joint j;
  j.limits = read_range(in, "limits");
  j.motor = read_motor(in, "motor");
  j.spring = read_spring(in, "spring");
  in.read("target", j.target);
  return j;
}

JointKind fixed(Fields& in) {
  FixedJoint j;
  j.linear = read_spring(in, "linear");
  j.angular = read_spring(in, "angular");
  return j;
}

JointKind distance(Fields& in) {
  DistanceJoint j;
  j.range = read_range(in, "range");
  j.spring = read_spring(in, "spring");
  if (const Reader rest = in["rest_length"]) j.rest_length = rest.number(at_least_zero);
  j.motor = read_motor(in, "motor");
  return j;
}

JointKind wheel(Fields& in) {
  WheelJoint j;
  if (const auto spring = read_spring(in, "suspension")) j.suspension = *spring;
  in.read("rest", j.rest);
  j.travel = read_range(in, "travel");
  j.motor = read_motor(in, "motor");
  in.read("steer", j.steer);
  return j;
}

JointAxis read_axis(const Reader& reader) {
  JointAxis axis;
  Fields in(reader, "axis");
  bool free = false;
  in.read("free", free);
  const std::optional<JointRange> limits = read_range(in, "limits");
  if (free && limits) reader.fail("has limits, and is free");
  axis.limits = free ? std::nullopt : limits ? limits : axis.limits;
  axis.spring = read_spring(in, "spring");
  in.read("target", axis.target);
  axis.motor = read_motor(in, "motor");
  in.finish();
  return axis;
}

JointKind six_dof(Fields& in) {
  constexpr const char* names[] = {"x", "y", "z", "turn_x", "turn_y", "turn_z"};
  SixDofJoint j;
  for (std::size_t i = 0; i < j.axes.size(); ++i)
    if (const Reader axis = in[names[i]]) j.axes[i] = read_axis(axis);
  return j;
}

struct Kind {
  const char* name;
  JointKind (*read)(Fields&);
};
constexpr Kind kinds[] = {{"ball", ball},
                          {"hinge", of_one_axis<HingeJoint>},
                          {"slider", of_one_axis<SliderJoint>},
                          {"fixed", fixed},
                          {"distance", distance},
                          {"wheel", wheel},
                          {"six_dof", six_dof}};

std::size_t body_named(const Reader& reader, const SceneReading& reading) {
  const std::string name = reader.text();
  const auto found = reading.names.find(name);
  if (found != reading.names.end()) return found->second;
  reader.fail("there is no body '" + name + "' before this");
  return 0;
}

void read_joint(const Reader& reader, SceneReading& reading) {
  count_work(reader);
  std::vector<std::string> names;
  for (const Kind& k : kinds) names.emplace_back(k.name);
  const Reader word = reader.member("kind");
  if (reader.is_object() && !word) reader.fail("the field 'kind' is missing");
  const std::size_t kind = word.word(names);
  Fields in(reader, "joint_" + names[kind]);
  in.log_words("kind", {names[kind]});
  static_cast<void>(in["kind"]);
  SceneJoint joint;
  JointDef& def = joint.def;
  joint.name = "joint " + std::to_string(reading.scene.joints.size());
  in.read("name", joint.name);
  if (const Reader a = in["a"]) joint.a = body_named(a, reading);
  joint.b = body_named(in.need("b"), reading);
  read_pose(in, def.frame);
  if (const Reader frame = in["frame_b"]) {
    Fields f(frame, "frame");
    read_pose(f, def.frame_b.emplace());
    f.finish();
  }
  in.read("local", def.local);
  if (!def.local && reading.group != Pose{}) {
    def.frame = reading.group * def.frame;
    if (def.frame_b) def.frame_b = reading.group * *def.frame_b;
  }
  def.kind = kinds[kind].read(in);
  in.read("break_force", def.break_force, positive);
  in.read("break_torque", def.break_torque, positive);
  in.read("collide_connected", def.collide_connected);
  if (const Reader user = in["user"]) def.user = user.whole(0, ~std::uint64_t{0});
  in.finish();
  reading.scene.joints.push_back(joint);
}

} // namespace

void read_joints(const Reader& list, SceneReading& reading) {
  for (const Reader& item : list.items()) read_joint(item, reading);
}

} // namespace carom
