// Each kind of shape by a function that reads its fields. Custom shapes are functions, and cannot be written down.
#include "carom/record/scene_parts.h"

#include "carom/math/random.h"
#include "carom/record/mesh_generators.h"
#include "carom/shape/composite.h"

#include <iterator>

namespace carom {
namespace {

constexpr int deepest_shape = 16;

struct Builder {
  Fields& in;
  SceneReading& reading;
  int depth;

  [[nodiscard]] std::optional<Shape> part(const char* name) const {
    return read_shape(in.need(name), reading, depth + 1);
  }
  [[nodiscard]] bool good() const { return !in.object().context().error; }
};

using Built = std::optional<Result<Shape>>; ///< nothing where a field was bad

/// Shapes that have a frame of their own.
template<class Make>
Built placed(const Builder& b, Make make) {
  Pose pose;
  read_pose(b.in, pose);
  if (!b.good()) return {};
  return make(pose.frame());
}

double length_of(const Builder& b, const char* name) {
  return b.in.need(name).number(at_least_zero);
}

Built point(const Builder& b) { return Shape::point(b.in.need("at").vec3()); }
Built segment(const Builder& b) {
  const Vec3 a = b.in.need("a").vec3();
  return Shape::segment(a, b.in.need("b").vec3());
}
Built triangle(const Builder& b) {
  const Vec3 p = b.in.need("a").vec3(), q = b.in.need("b").vec3();
  return Shape::triangle(p, q, b.in.need("c").vec3());
}
Built sphere(const Builder& b) {
  Vec3 center;
  b.in.read("center", center);
  return Shape::sphere(length_of(b, "radius"), center);
}
Built capsule(const Builder& b) {
  const Vec3 p = b.in.need("a").vec3(), q = b.in.need("b").vec3();
  return Shape::capsule(p, q, length_of(b, "radius"));
}
Built tapered_capsule(const Builder& b) {
  const Vec3 p = b.in.need("a").vec3(), q = b.in.need("b").vec3();
  const double r = length_of(b, "radius_a");
  return Shape::tapered_capsule(p, r, q, length_of(b, "radius_b"));
}
Built box(const Builder& b) {
  const Vec3 half = b.in.need("half").vec3();
  return placed(b, [&](const Frame& f) { return Shape::of(Obb{f.origin, f.basis, half}); });
}
Built ellipsoid(const Builder& b) {
  const Vec3 radii = b.in.need("radii").vec3();
  return placed(b, [&](const Frame& f) { return Shape::of(Ellipsoid{f.origin, f.basis, radii}); });
}
Built cylinder(const Builder& b) {
  const double half = length_of(b, "half_height"), radius = length_of(b, "radius");
  return placed(b, [&](const Frame& f) {
    return Shape::of(Cylinder{f.origin, f.basis.z, half, radius});
  });
}
/// The pose is that of the base's centre.
Built cone(const Builder& b) {
  const double height = length_of(b, "height"), radius = length_of(b, "radius");
  return placed(b, [&](const Frame& f) {
    const Vec3 up = f.basis.z;
    return Shape::of(Cone{f.origin + up * height, -up, height, radius});
  });
}

/// Points on a sphere, the same for the same seed.
std::vector<Vec3> scattered(const Reader& reader) {
  Fields in(reader, "scatter");
  const std::uint64_t count = in.need("count").whole(4, 10000);
  double radius = 1;
  in.read("radius", radius, positive);
  std::uint64_t seed = 1;
  if (const Reader s = in["seed"]) seed = s.whole(0, ~std::uint64_t{0});
  in.finish();
  count_work(reader, count);
  Random random(seed);
  std::vector<Vec3> points;
  for (std::uint64_t i = 0; i < count; ++i) points.push_back(random.direction() * radius);
  return points;
}

Built hull(const Builder& b) {
  ConvexHullOptions options;
  if (const Reader limit = b.in["vertex_limit"])
    options.vertex_limit = static_cast<std::uint32_t>(limit.whole(4, 1000000));
  const Reader scatter = b.in["scatter"], given = b.in["points"];
  if (b.good() && !scatter == !given) b.in.object().fail("needs 'points' or 'scatter', not both");
  if (!b.good()) return {};
  return Shape::hull(scatter ? scattered(scatter) : given.points(), options);
}

Built half_space(const Builder& b) {
  const Vec3 normal = b.in.need("normal").vec3();
  double offset = 0;
  b.in.read("offset", offset);
  return Shape::half_space(normal, offset);
}
Built brush(const Builder& b) {
  std::vector<HalfSpace> faces;
  for (const Reader& item : b.in.need("faces").items()) {
    Fields face(item, "brush_face");
    const Vec3 normal = face.need("normal").vec3();
    const double offset = face.need("offset").number();
    face.finish();
    faces.push_back({normal, offset});
  }
  return Shape::brush(faces);
}

Built of_two(const Builder& b, Result<Shape> (*make)(const Shape&, const Shape&)) {
  const auto one = b.part("a"), other = b.part("b");
  if (!one || !other) return {};
  return make(*one, *other);
}
Built sum(const Builder& b) { return of_two(b, Shape::sum); }
Built hull_of_two(const Builder& b) { return of_two(b, Shape::hull_of_two); }
Built scaled(const Builder& b) {
  const Vec3 factors = b.in.need("factors").vec3();
  const auto shape = b.part("shape");
  if (!shape || !b.good()) return {};
  return shape->scaled(factors);
}

Result<PolygonMesh> read_gear(const Reader& reader) {
  Fields in(reader, "gear");
  GearInput gear;
  gear.teeth = static_cast<std::uint32_t>(in.need("teeth").whole(3, 1000));
  in.read("root", gear.root, positive);
  in.read("tip", gear.tip, positive);
  in.read("bore", gear.bore, positive);
  in.read("half_width", gear.half_width, positive);
  in.read("foot_share", gear.foot_share, positive);
  in.read("tip_share", gear.tip_share, positive);
  in.finish();
  count_work(reader, 16 * std::uint64_t{gear.teeth});
  return gear_mesh(gear);
}

Result<PolygonMesh> read_lathe(const Reader& reader) {
  Fields in(reader, "lathe");
  const auto segments = static_cast<std::uint32_t>(in.need("segments").whole(3, 10000));
  std::vector<Vec2> profile;
  for (const Reader& item : in.need("profile").items()) {
    const std::vector<double> p = item.numbers(2);
    if (p.size() == 2) profile.push_back({p[0], p[1]});
  }
  in.finish();
  count_work(reader, profile.size() * segments);
  if (!reader) return PolygonMesh{};
  return lathe_mesh(profile, segments);
}

Result<PolygonMesh> read_polygons(const Reader& vertices, const Reader& faces) {
  PolygonMesh mesh;
  mesh.vertices = vertices.points();
  for (const Reader& face : faces.items()) {
    std::vector<std::uint32_t> corners;
    for (const Reader& corner : face.items())
      corners.push_back(static_cast<std::uint32_t>(
          corner.whole(0, mesh.vertices.empty() ? 0 : mesh.vertices.size() - 1)));
    mesh.add_face(corners);
  }
  return mesh;
}

Built mesh(const Builder& b) {
  MeshOptions options;
  using Body = MeshOptions::Body;
  b.in.read("body", options.body,
            {{"automatic", Body::automatic}, {"surface", Body::surface}, {"solid", Body::solid}});
  if (const Reader pieces = b.in["inner_pieces"])
    options.inner_pieces = static_cast<std::uint32_t>(pieces.whole(0, 64));
  const Reader file = b.in["file"], gear = b.in["gear"], lathe = b.in["lathe"];
  const Reader vertices = b.in["vertices"], faces = b.in["faces"];
  const int given = int{bool{file}} + int{bool{gear}} + int{bool{lathe}} + int{bool{vertices}};
  if (b.good() && (given != 1 || bool{vertices} != bool{faces}))
    b.in.object().fail("needs one of 'file', 'gear', 'lathe', or 'vertices' with 'faces'");
  if (!b.good()) return {};
  Result<PolygonMesh> polygons = PolygonMesh{};
  if (gear) polygons = read_gear(gear);
  if (lathe) polygons = read_lathe(lathe);
  if (vertices) polygons = read_polygons(vertices, faces);
  if (file && !b.reading.options.load_mesh) file.fail("meshes cannot be loaded here");
  if (file) {
    const std::string name = file.text();
    if (file) polygons = b.reading.options.load_mesh(name);
    if (polygons) b.reading.scene.meshes.push_back({name, *polygons});
  }
  if (!b.good()) return {};
  if (!polygons) return tl::unexpected(polygons.error());
  return Shape::mesh(*polygons, options);
}

/// Heights by a formula of x and y, in the field's frame.
std::vector<float> heights_by_formula(const Reader& formula, const HeightFieldInput& input) {
  std::vector<float> samples;
  Variables& variables = formula.context().variables;
  const std::size_t before = variables.size();
  variables.emplace_back("x", 0.0);
  variables.emplace_back("y", 0.0);
  for (std::uint32_t j = 0; j < input.rows && formula; ++j)
    for (std::uint32_t i = 0; i < input.columns && formula; ++i) {
      variables[before].second = i * input.spacing_x;
      variables[before + 1].second = j * input.spacing_y;
      samples.push_back(static_cast<float>(formula.number({-1e30, 1e30})));
    }
  variables.resize(before);
  return samples;
}

std::vector<std::uint8_t> bytes_of(const Reader& reader) {
  std::vector<std::uint8_t> out;
  for (const Reader& item : reader.items())
    out.push_back(static_cast<std::uint8_t>(item.whole(0, 255)));
  return out;
}

Built height_field(const Builder& b) {
  HeightFieldInput input;
  input.columns = static_cast<std::uint32_t>(b.in.need("columns").whole(2, most_scene_items));
  input.rows = static_cast<std::uint32_t>(b.in.need("rows").whole(2, most_scene_items));
  if (const Reader spacing = b.in["spacing"]) {
    const std::vector<double> s = spacing.numbers(2);
    if (s.size() == 2) {
      input.spacing_x = s[0];
      input.spacing_y = s[1];
    }
  }
  b.in.read("scale", input.scale);
  b.in.read("offset", input.offset);
  b.in.read("diagonal", input.diagonal,
            {{"main", Diagonal::main},
             {"other", Diagonal::other},
             {"alternating", Diagonal::alternating}});
  const Reader samples = b.in["samples"], formula = b.in["formula"];
  const Reader holes = b.in["holes"], materials = b.in["materials"];
  if (b.good() && !samples == !formula)
    b.in.object().fail("needs 'samples' or 'formula', not both");
  if (formula) count_work(formula, std::uint64_t{input.columns} * input.rows);
  if (!b.good()) return {};
  std::vector<float> heights;
  if (formula) heights = heights_by_formula(formula, input);
  if (samples)
    for (const Reader& item : samples.items())
      heights.push_back(static_cast<float>(item.number({-1e30, 1e30})));
  const std::vector<std::uint8_t> hole_bytes =
      holes ? bytes_of(holes) : std::vector<std::uint8_t>();
  const std::vector<std::uint8_t> material_bytes =
      materials ? bytes_of(materials) : std::vector<std::uint8_t>();
  if (!b.good()) return {};
  input.samples = std::span<const float>(heights);
  input.holes = hole_bytes;
  input.materials = material_bytes;
  return Shape::height_field(input);
}

Built compound(const Builder& b) {
  std::vector<CompoundPart> parts;
  for (const Reader& item : b.in.need("parts").items()) {
    Fields in(item, "compound_part");
    const std::optional<Shape> shape = read_shape(in.need("shape"), b.reading, b.depth + 1);
    Pose pose;
    read_pose(in, pose);
    std::uint32_t material = 0;
    if (const Reader m = in["material"])
      material = static_cast<std::uint32_t>(m.whole(0, 0xffffffffU));
    in.finish();
    if (shape) parts.push_back({*shape, pose, material});
  }
  return Shape::compound(parts);
}

Built point_cloud(const Builder& b) {
  double radius = 0;
  b.in.read("radius", radius, at_least_zero);
  return Shape::point_cloud(b.in.need("points").points(), radius);
}

struct Kind {
  const char* name;
  Built (*build)(const Builder&);
};
constexpr Kind kinds[] = {{"point", point},
                          {"segment", segment},
                          {"triangle", triangle},
                          {"sphere", sphere},
                          {"capsule", capsule},
                          {"box", box},
                          {"cylinder", cylinder},
                          {"cone", cone},
                          {"tapered_capsule", tapered_capsule},
                          {"ellipsoid", ellipsoid},
                          {"hull", hull},
                          {"half_space", half_space},
                          {"brush", brush},
                          {"sum", sum},
                          {"hull_of_two", hull_of_two},
                          {"scaled", scaled},
                          {"mesh", mesh},
                          {"height_field", height_field},
                          {"compound", compound},
                          {"point_cloud", point_cloud}};

std::optional<Shape> named_shape(const Reader& reader, const SceneReading& reading) {
  const std::string name = reader.text();
  const auto found = reading.shapes.find(name);
  if (found != reading.shapes.end()) return found->second;
  reader.fail("there is no shape '" + name + "' before this");
  return {};
}

} // namespace

std::optional<Shape> read_shape(const Reader& reader, SceneReading& reading, int depth,
                                std::string* name) {
  if (!reader) return {};
  if (reader.is_text() && name == nullptr) return named_shape(reader, reading);
  if (depth > deepest_shape) {
    reader.fail("shapes are nested too deep");
    return {};
  }
  const Reader word = reader.member("kind");
  if (reader.is_object() && !word) reader.fail("the field 'kind' is missing");
  if (!reader.is_object()) reader.fail("must be a shape, or the name of one");
  std::vector<std::string> names;
  for (const Kind& k : kinds) names.emplace_back(k.name);
  const std::size_t kind = word.word(names);
  if (!reader) return {};
  Fields in(reader, "shape_" + names[kind]);
  in.log_words("kind", {names[kind]});
  static_cast<void>(in["kind"]);
  const Built built = kinds[kind].build({in, reading, depth});
  double rounding = 0;
  in.read("rounding", rounding, at_least_zero);
  if (name != nullptr) *name = in.need("name").text();
  in.finish();
  if (!reader || !built) return {};
  const Result<Shape> shape = *built && rounding > 0 ? (*built)->rounded(rounding) : *built;
  if (shape) return *shape;
  reader.fail(shape.error().message, shape.error().code);
  return {};
}

} // namespace carom
