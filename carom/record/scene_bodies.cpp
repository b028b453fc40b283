// Bodies, and groups of them that are repeated: the variables of a repetition go up in turns, and for each the group's bodies are read again.
#include "carom/record/scene_parts.h"

#include <algorithm>
#include <array>

namespace carom {
namespace {

constexpr int deepest_group = 8;
constexpr std::array<std::uint32_t, 6> palette{0xd8a25e, 0x7fa7c9, 0xc8705a,
                                               0x8fae6b, 0xb58bb8, 0xe0c06a};
constexpr std::uint32_t fixed_colour = 0x9a9a94, kinematic_colour = 0x5b7f95;

Filter read_filter(const Reader& reader) {
  Filter filter;
  Fields in(reader, "filter");
  if (const Reader bits = in["category"]) filter.category = bits.whole(0, ~std::uint64_t{0});
  if (const Reader bits = in["mask"]) filter.mask = bits.whole(0, ~std::uint64_t{0});
  int group = 0;
  in.read("group", group, -2147483647, 2147483647);
  filter.group = group;
  in.finish();
  return filter;
}

/// What a body and each of several shapes of one have in common.
template<class Def>
void read_surface(Fields& in, Def& def, SceneReading& reading) {
  in.read("density", def.density, at_least_zero);
  in.read("sensor", def.sensor);
  if (const Reader material = in["material"]) def.material = read_material(material, reading);
  if (const Reader filter = in["filter"]) def.filter = read_filter(filter);
}

BodyMass read_mass(const Reader& reader) {
  BodyMass mass;
  if (reader && !reader.is_object())
    reader.fail("must be an object with 'mass' and 'inertia'; or leave it to the field 'density'");
  Fields in(reader, "mass");
  mass.mass = in.need("mass").number(positive);
  in.read("center", mass.center);
  const Reader inertia = in.need("inertia");
  const std::vector<double> n = inertia ? inertia.numbers() : std::vector<double>{1, 1, 1};
  if (n.size() == 3)
    mass.inertia = Mat3::diagonal({n[0], n[1], n[2]});
  else if (n.size() == 9)
    mass.inertia = {{n[0], n[3], n[6]}, {n[1], n[4], n[7]}, {n[2], n[5], n[8]}};
  else
    inertia.fail("must be 3 numbers, about the axes, or 9, row by row");
  in.finish();
  return mass;
}

LockedAxes read_locked(const Reader& reader) {
  static const std::vector<std::string> words{"x", "y", "z", "turn_x", "turn_y", "turn_z"};
  LockedAxes locked;
  std::array<bool*, 6> flags{&locked.x,      &locked.y,      &locked.z,
                             &locked.turn_x, &locked.turn_y, &locked.turn_z};
  for (const Reader& item : reader.items()) *flags[item.word(words)] = true;
  return locked;
}

void read_body_shapes(const Reader& list, BodyDef& def, SceneReading& reading) {
  for (const Reader& item : list.items()) {
    Fields in(item, "body_shape");
    const std::optional<Shape> shape = read_shape(in.need("shape"), reading);
    if (!shape) return;
    BodyShape part{.shape = *shape};
    read_pose(in, part.pose);
    read_surface(in, part, reading);
    in.finish();
    def.shapes.push_back(part);
  }
}

std::uint32_t colour_of(const BodyDef& def, std::size_t number) {
  if (def.kind == BodyKind::fixed) return fixed_colour;
  if (def.kind == BodyKind::kinematic) return kinematic_colour;
  return palette[number % palette.size()];
}

void read_body(const Reader& reader, SceneReading& reading) {
  count_work(reader);
  Fields in(reader, "body");
  SceneBody body;
  BodyDef& def = body.def;
  body.name = "body " + std::to_string(reading.scene.bodies.size());
  in.read("name", body.name);
  in.read("kind", def.kind,
          {{"fixed", BodyKind::fixed},
           {"kinematic", BodyKind::kinematic},
           {"dynamic", BodyKind::dynamic}});
  if (const Reader shape = in["shape"]) def.shape = read_shape(shape, reading);
  if (const Reader shapes = in["shapes"]) read_body_shapes(shapes, def, reading);
  read_pose(in, def.pose);
  read_surface(in, def, reading);
  in.read("velocity", def.velocity);
  in.read("angular_velocity", def.angular_velocity);
  in.read("linear_damping", def.linear_damping, at_least_zero);
  in.read("angular_damping", def.angular_damping, at_least_zero);
  in.read("gravity_scale", def.gravity_scale);
  if (const Reader locked = in["locked"]) def.locked = read_locked(locked);
  if (const Reader mass = in["mass"]) def.mass = read_mass(mass);
  in.read("can_sleep", def.can_sleep);
  in.read("awake", def.awake);
  in.read("continuous", def.continuous);
  if (const Reader user = in["user"]) def.user = user.whole(0, ~std::uint64_t{0});
  body.colour = colour_of(def, reading.scene.bodies.size());
  read_colour(in, body.colour);
  in.finish();
  if (!reader) return;
  if (!reading.names.emplace(body.name, reading.scene.bodies.size()).second)
    in["name"].fail("another body has the name '" + body.name + "'");
  const Mat3 turned = to_matrix(reading.group.rotation);
  if (reading.group != Pose{}) def.pose = reading.group * def.pose;
  def.velocity = turned * def.velocity;
  def.angular_velocity = turned * def.angular_velocity;
  reading.scene.bodies.push_back(body);
}

void read_group(Fields& group, SceneReading& reading, int depth) {
  const Pose outside = reading.group;
  Pose pose;
  read_pose(group, pose);
  if (pose != Pose{}) reading.group = outside * pose;
  if (const Reader bodies = group["bodies"]) read_bodies(bodies, reading, depth + 1);
  if (const Reader joints = group["joints"]) read_joints(joints, reading);
  reading.group = outside;
}

/// Variable by variable: [["i", 10], ["k", "i + 1"]] goes through all i from 0 to 9, and for each through all k from 0 to i.
void repeat(Fields& group, const std::vector<Reader>& loops, std::size_t loop,
            SceneReading& reading, int depth) {
  const Reader& object = group.object();
  if (!object) return;
  if (loop == loops.size()) {
    count_work(object);
    read_group(group, reading, depth);
    return;
  }
  const std::vector<Reader> parts = loops[loop].items();
  if (object && parts.size() != 2) loops[loop].fail("must be a variable and how often");
  if (!object) return;
  const std::string name = parts[0].raw_text();
  const std::uint64_t count = parts[1].whole(0, most_scene_items);
  Variables& variables = object.context().variables;
  for (std::uint64_t i = 0; i < count && object; ++i) {
    variables.emplace_back(name, static_cast<double>(i));
    repeat(group, loops, loop + 1, reading, depth);
    variables.pop_back();
  }
}

} // namespace

void count_work(const Reader& reader, std::uint64_t count) {
  std::uint64_t& work = reader.context().work;
  work += std::min(count, most_scene_items + 1); // no overflow: an error ends it
  if (work > most_scene_items)
    reader.fail("the scene has more than " + std::to_string(most_scene_items) +
                    " bodies, joints, samples and repetitions",
                ErrorCode::out_of_range);
}

Material read_material(const Reader& reader, SceneReading& reading) {
  if (reader.is_text()) {
    const std::string name = reader.text();
    const auto found = reading.materials.find(name);
    if (found != reading.materials.end()) return found->second;
    reader.fail("there is no material '" + name + "'");
    return {};
  }
  Material material;
  Fields in(reader, "material");
  in.read("friction", material.friction, at_least_zero);
  in.read("restitution", material.restitution, {0, 1});
  in.read("rolling_friction", material.rolling_friction, at_least_zero);
  in.read("surface_velocity", material.surface_velocity);
  in.finish();
  return material;
}

void read_colour(Fields& fields, std::uint32_t& colour) {
  const Reader field = fields["colour"];
  if (!field) return;
  const std::string text = field.text();
  std::uint32_t value = 0;
  bool good = text.size() == 7 && text[0] == '#';
  for (std::size_t i = 1; i < text.size() && good; ++i) {
    const std::size_t digit = std::string_view("0123456789abcdef").find(text[i]);
    good = digit != std::string_view::npos;
    value = value << 4 | static_cast<std::uint32_t>(digit & 15);
  }
  if (good)
    colour = value;
  else
    field.fail("must be a colour like #d8a25e");
}

void read_bodies(const Reader& list, SceneReading& reading, int depth) {
  if (depth > deepest_group) {
    list.fail("groups are nested too deep");
    return;
  }
  for (const Reader& item : list.items()) {
    if (!item.member("bodies") && !item.member("joints")) {
      read_body(item, reading);
      continue;
    }
    Fields group(item, "group");
    const Reader loops = group["for"];
    repeat(group, loops ? loops.items() : std::vector<Reader>(), 0, reading, depth);
    for (const char* name : {"position", "rotation", "turn", "bodies", "joints"})
      static_cast<void>(group[name]); // known also where it is repeated no time
    group.finish();
  }
}

} // namespace carom
