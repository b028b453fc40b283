#include "tools/carom/operand.h"

#include "carom/math/trig.h"
#include "carom/shape/composite.h"
#include "tools/carom/mesh_input.h"
#include "tools/carom/progress.h"
#include "tools/carom/session.h"
#include "tools/carom/text.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

namespace carom::tool {

const char* const operand_help =
    "a mesh file (OBJ, STL, PLY, OFF; glTF, COLLADA, FBX and others by Assimp), or\n"
    "  hull:FILE        the convex hull of a mesh\n"
    "  surface:FILE     its triangles alone: a closed mesh is a solid otherwise\n"
    "  sphere:r         box:hx,hy,hz (half the edges)      ellipsoid:rx,ry,rz\n"
    "  capsule:h,r      cylinder:h,r (along z, half the height h)   cone:height,r (base at z = 0)\n"
    "  point:x,y,z      segment:ax,ay,az,bx,by,bz          half-space:nx,ny,nz,offset\n";

namespace {

using Numbers = std::vector<double>;

struct Primitive {
  std::string_view name;
  std::size_t count;
  const char* form;
  Result<Shape> (*build)(const Numbers&);
};

constexpr std::array<Primitive, 9> primitives = {{
    {"sphere", 1, "r", [](const Numbers& n) { return Shape::sphere(n[0]); }},
    {"box", 3, "hx,hy,hz",
     [](const Numbers& n) {
       return Shape::box({n[0], n[1], n[2]});
     }},
    {"capsule", 2, "half_height,r",
     [](const Numbers& n) {
       return Shape::capsule({0, 0, -n[0]}, {0, 0, n[0]}, n[1]);
     }},
    {"cylinder", 2, "half_height,r", [](const Numbers& n) { return Shape::cylinder(n[0], n[1]); }},
    {"cone", 2, "height,r", [](const Numbers& n) { return Shape::cone(n[0], n[1]); }},
    {"ellipsoid", 3, "rx,ry,rz",
     [](const Numbers& n) {
       return Shape::ellipsoid({n[0], n[1], n[2]});
     }},
    {"point", 3, "x,y,z",
     [](const Numbers& n) {
       return Shape::point({n[0], n[1], n[2]});
     }},
    {"segment", 6, "ax,ay,az,bx,by,bz",
     [](const Numbers& n) {
       return Shape::segment({n[0], n[1], n[2]}, {n[3], n[4], n[5]});
     }},
    {"half-space", 4, "nx,ny,nz,offset",
     [](const Numbers& n) {
       return Shape::half_space({n[0], n[1], n[2]}, n[3]);
     }},
}};

Shape checked(const std::string& text, Result<Shape>&& shape) {
  if (!shape) fail(text, shape.error().message);
  return std::move(*shape);
}

Shape mesh_shape(const std::string& path, MeshOptions::Body body) {
  return checked(path, Shape::mesh(read_mesh_file(path).mesh, {.body = body, .tree = {}}));
}

/// The rotation by degrees, where quarter turns are exact.
Quat turn(const Vec3& axis, double degrees) {
  const double quarters = degrees / 90;
  const bool exact = quarters == std::floor(quarters);
  return Quat::from_axis_angle(axis, exact ? quarters * half_pi : degrees * (pi / 180));
}

} // namespace

Shape load_shape(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (text.empty() || text == "hull:" || text == "surface:")
    fail("'" + text + "'", "no file is named");
  if (colon != std::string::npos) {
    const std::string kind = text.substr(0, colon);
    const std::string rest = text.substr(colon + 1);
    if (kind == "surface") return mesh_shape(rest, MeshOptions::Body::surface);
    if (kind == "hull") return checked(rest, Shape::hull(read_mesh_file(rest).mesh.vertices));
    for (const Primitive& p : primitives) {
      if (kind == p.name) return checked(text, p.build(parse_numbers(text, rest, p.count, p.form)));
    }
    std::error_code none;
    if (!std::filesystem::exists(text, none))
      fail(text, "there is no such file, and no primitive '" + printable(kind) + "' (see --help)");
  }
  return mesh_shape(text, MeshOptions::Body::automatic);
}

void add_place_options(CLI::App& verb, PlaceOptions& options, const std::string& suffix) {
  options.suffix = suffix;
  const std::string of = suffix == "a" ? "A" : "B";
  verb.add_option("--pose-" + suffix, options.pose,
                  "where " + of + " is: position, then perhaps a quaternion (of any length but 0)")
      ->type_name("x,y,z[,qx,qy,qz,qw]");
  verb.add_option("--euler-" + suffix, options.euler,
                  "how " + of + " is turned: degrees about x, then y, then z, the axes fixed")
      ->type_name("rx,ry,rz");
}

Pose parse_pose_text(const std::string& name, const std::string& text) {
  const Numbers n = parse_numbers(name, text);
  if (n.size() != 3 && n.size() != 7) {
    fail(name, "needs 3 or 7 numbers (x,y,z or x,y,z,qx,qy,qz,qw), and there are " +
                   std::to_string(n.size()));
  }
  if (n.size() == 3) return Pose::at({n[0], n[1], n[2]});
  const double most = std::fmax(std::fmax(std::fabs(n[3]), std::fabs(n[4])),
                                std::fmax(std::fabs(n[5]), std::fabs(n[6])));
  if (most == 0) fail(name, "the quaternion is zero: for no rotation write 0,0,0,1");
  return {{n[3] / most, n[4] / most, n[5] / most, n[6] / most}, {n[0], n[1], n[2]}};
}

Pose parse_pose(const PlaceOptions& options) {
  const std::string pose_name = "--pose-" + options.suffix;
  const std::string euler_name = "--euler-" + options.suffix;
  Pose pose;
  if (!options.pose.empty()) pose = parse_pose_text(pose_name, options.pose);
  if (options.euler.empty()) return pose;
  if (std::count(options.pose.begin(), options.pose.end(), ',') > 2) {
    fail(euler_name, "the rotation is already given by " + pose_name);
  }
  const Vec3 degrees = parse_vec3(euler_name, options.euler);
  pose.rotation =
      turn({0, 0, 1}, degrees.z) * turn({0, 1, 0}, degrees.y) * turn({1, 0, 0}, degrees.x);
  return pose;
}

bool Operand::solid() const {
  const auto* mesh = body_of<TriangleMesh>(shape);
  return mesh == nullptr || mesh->solid();
}

Operand load_operand(const std::string& text, const PlaceOptions& options) {
  const Pose pose = parse_pose(options);
  const Progress progress("reading");
  Operand operand{text, load_shape(text), pose};
  operand.open = !operand.solid() && text.rfind("surface:", 0) != 0;
  return operand;
}

} // namespace carom::tool
