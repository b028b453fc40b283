// A byte for what the core is, then its numbers, then the rounding. Reading builds the shape as a user would: whatever the bytes are, what comes out is sound.
#include "carom/record/shape_bytes.h"

#include "carom/shape/composite.h"

#include <optional>

namespace carom {
namespace {

constexpr int deepest = 2 * Shape::max_depth;

enum class Form : std::uint8_t {
  point,
  segment,
  triangle,
  box,
  cylinder,
  cone,
  tapered_capsule,
  ellipsoid,
  hull,
  half_space,
  brush,
  sum,
  hull_of_two,
  scaled,
  mesh,
  height_field,
  compound,
  point_cloud,
  count
};

bool put_shape(ByteString& out, const Shape& shape);

void put_points(ByteString& out, std::span<const Vec3> points) {
  out.put(static_cast<std::uint64_t>(points.size()));
  for (const Vec3& p : points) out.put(p);
}

/// Each writes its form, then its numbers; false: it cannot be written.
struct CoreWriter {
  ByteString& out;

  template<class... Numbers>
  bool all(Form form, const Numbers&... numbers) const {
    out.put(static_cast<std::uint8_t>(form));
    (out.put(numbers), ...);
    return true;
  }
  bool operator()(const Vec3& p) const { return all(Form::point, p); }
  bool operator()(const Segment& s) const { return all(Form::segment, s.a, s.b); }
  bool operator()(const Triangle& t) const { return all(Form::triangle, t.a, t.b, t.c); }
  bool operator()(const Obb& b) const {
    return all(Form::box, b.center, b.axes.x, b.axes.y, b.axes.z, b.half);
  }
  bool operator()(const Cylinder& c) const {
    return all(Form::cylinder, c.center, c.axis, c.half_height, c.radius);
  }
  bool operator()(const Cone& c) const {
    return all(Form::cone, c.apex, c.axis, c.height, c.radius);
  }
  bool operator()(const TaperedCapsule& c) const {
    return all(Form::tapered_capsule, c.a, c.radius_a, c.b, c.radius_b);
  }
  bool operator()(const Ellipsoid& e) const {
    return all(Form::ellipsoid, e.center, e.axes.x, e.axes.y, e.axes.z, e.radii);
  }
  bool operator()(const HalfSpace& h) const { return all(Form::half_space, h.normal, h.offset); }
  bool operator()(const Polytope& p) const {
    all(Form::hull);
    put_points(out, p.vertices());
    return true;
  }
  bool operator()(const BrushCore& b) const {
    all(Form::brush);
    out.put(static_cast<std::uint64_t>(b.faces.size()));
    for (const HalfSpace& h : b.faces) {
      out.put(h.normal);
      out.put(h.offset);
    }
    return true;
  }
  bool operator()(const SumCore& s) const {
    all(Form::sum);
    return put_shape(out, *s.a) && put_shape(out, *s.b);
  }
  bool operator()(const HullOfTwoCore& h) const {
    all(Form::hull_of_two);
    return put_shape(out, *h.a) && put_shape(out, *h.b);
  }
  bool operator()(const CustomCore&) const { return false; }
  bool operator()(const ScaledCore& s) const {
    all(Form::scaled);
    out.put(s.factors);
    return put_shape(out, *s.shape);
  }

  bool operator()(const TriangleMesh& m) const {
    all(Form::mesh);
    out.put(std::uint8_t{m.solid()});
    out.put(std::uint8_t{!m.inner_pieces().empty()});
    put_points(out, m.vertices());
    const auto triangles = m.surface().triangles;
    out.put(static_cast<std::uint64_t>(triangles.size()));
    for (std::uint32_t i = 0; i < triangles.size(); ++i) {
      for (const std::uint32_t corner : triangles[i]) out.put(corner);
      out.put(m.material(i));
    }
    return true;
  }
  bool operator()(const HeightField& f) const {
    all(Form::height_field);
    out.put(f.columns());
    out.put(f.rows());
    for (const double x : {f.spacing_x(), f.spacing_y(), f.scale(), f.offset()}) out.put(x);
    out.put(static_cast<std::uint8_t>(f.diagonal()));
    // Samples are floats, or 16-bit numbers, which are floats, too.
    for (std::uint32_t j = 0; j < f.rows(); ++j)
      for (std::uint32_t i = 0; i < f.columns(); ++i) out.put(static_cast<float>(f.sample(i, j)));
    for (std::uint32_t cell = 0; cell < f.cell_count(); ++cell) {
      out.put(std::uint8_t{f.hole(cell)});
      out.put(f.material(2 * cell));
    }
    return true;
  }
  bool operator()(const Compound& c) const {
    all(Form::compound);
    out.put(static_cast<std::uint64_t>(c.parts().size()));
    for (const CompoundPart& part : c.parts()) {
      out.put(part.pose);
      out.put(part.material);
      if (!put_shape(out, part.shape)) return false;
    }
    return true;
  }
  bool operator()(const PointCloud& c) const {
    all(Form::point_cloud);
    put_points(out, c.points());
    return true;
  }
};

bool put_shape(ByteString& out, const Shape& shape) {
  const CoreWriter writer{out};
  const bool written = shape.convex() ? std::visit(writer, shape.core())
                                      : std::visit(writer, shape.composite().body);
  out.put(shape.rounding());
  out.put(std::uint8_t{shape.kind() == ShapeKind::sphere || shape.kind() == ShapeKind::capsule});
  return written;
}

Result<Shape> damaged() {
  return failure(ErrorCode::bad_file, "the bytes of a shape are cut short or damaged");
}

class ShapeReader {
public:
  explicit ShapeReader(std::string_view bytes) : in_(bytes) {}
  [[nodiscard]] bool done() const { return in_.ok() && in_.left() == 0; }

  Result<Shape> shape(int depth = 0) {
    const auto form = static_cast<Form>(in_.get<std::uint8_t>());
    if (depth > deepest || form >= Form::count || !in_.ok()) return damaged();
    const Result<Shape> core = this->core(form, depth);
    const double rounding = in_.get<double>();
    const bool named = in_.get<std::uint8_t>() != 0;
    if (!core) return core;
    if (!in_.ok()) return damaged();
    return rounded(form, *core, rounding, named);
  }

private:
  /// Spheres and capsules are points and segments with a radius, and have names of their own.
  Result<Shape> rounded(Form form, const Shape& core, double rounding, bool named) {
    if (named && form == Form::point) return Shape::sphere(rounding, point_);
    if (named && form == Form::segment) return Shape::capsule(segment_.a, segment_.b, rounding);
    if (rounding == 0) return core;
    return core.rounded(rounding);
  }

  Mat3 get_mat3() {
    const Vec3 x = in_.get_vec3(), y = in_.get_vec3();
    return {x, y, in_.get_vec3()};
  }
  std::vector<Vec3> points() {
    std::vector<Vec3> out(in_.get_count(24));
    for (Vec3& p : out) p = in_.get_vec3();
    return out;
  }

  Result<Shape> core(Form form, int depth) {
    switch (form) {
    case Form::point:
      point_ = in_.get_vec3();
      return Shape::point(point_);
    case Form::segment: {
      const Vec3 a = in_.get_vec3();
      segment_ = {a, in_.get_vec3()};
      return Shape::segment(segment_.a, segment_.b);
    }
    case Form::triangle: {
      const Vec3 a = in_.get_vec3(), b = in_.get_vec3();
      return Shape::triangle(a, b, in_.get_vec3());
    }
    case Form::box: {
      const Vec3 center = in_.get_vec3();
      const Mat3 axes = get_mat3();
      return Shape::of(Obb{center, axes, in_.get_vec3()});
    }
    case Form::ellipsoid: {
      const Vec3 center = in_.get_vec3();
      const Mat3 axes = get_mat3();
      return Shape::of(Ellipsoid{center, axes, in_.get_vec3()});
    }
    case Form::cylinder: {
      const Vec3 center = in_.get_vec3(), axis = in_.get_vec3();
      const double half = in_.get<double>();
      return Shape::of(Cylinder{center, axis, half, in_.get<double>()});
    }
    case Form::cone: {
      const Vec3 apex = in_.get_vec3(), axis = in_.get_vec3();
      const double height = in_.get<double>();
      return Shape::of(Cone{apex, axis, height, in_.get<double>()});
    }
    case Form::tapered_capsule: {
      const Vec3 a = in_.get_vec3();
      const double radius = in_.get<double>();
      const Vec3 b = in_.get_vec3();
      return Shape::tapered_capsule(a, radius, b, in_.get<double>());
    }
    case Form::hull:
      return Shape::hull(points());
    case Form::half_space: {
      const Vec3 normal = in_.get_vec3();
      return Shape::half_space(normal, in_.get<double>());
    }
    default:
      return composed(form, depth);
    }
  }

  Result<Shape> composed(Form form, int depth) {
    switch (form) {
    case Form::brush: {
      std::vector<HalfSpace> faces(in_.get_count(32));
      for (HalfSpace& h : faces) {
        h.normal = in_.get_vec3();
        h.offset = in_.get<double>();
      }
      return Shape::brush(faces);
    }
    case Form::sum:
    case Form::hull_of_two: {
      const Result<Shape> a = shape(depth + 1);
      if (!a) return a;
      const Result<Shape> b = shape(depth + 1);
      if (!b) return b;
      return form == Form::sum ? Shape::sum(*a, *b) : Shape::hull_of_two(*a, *b);
    }
    case Form::scaled: {
      const Vec3 factors = in_.get_vec3();
      const Result<Shape> inner = shape(depth + 1);
      return inner ? inner->scaled(factors) : inner;
    }
    case Form::mesh:
      return mesh();
    case Form::height_field:
      return height_field();
    case Form::point_cloud:
      return Shape::point_cloud(points(), 0);
    default:
      return compound(depth);
    }
  }

  Result<Shape> mesh() {
    MeshOptions options;
    options.body =
        in_.get<std::uint8_t>() != 0 ? MeshOptions::Body::solid : MeshOptions::Body::surface;
    if (in_.get<std::uint8_t>() == 0) options.inner_pieces = 0;
    PolygonMesh mesh;
    mesh.vertices = points();
    const std::size_t count = in_.get_count(16);
    for (std::size_t i = 0; i < count; ++i) {
      std::array<std::uint32_t, 3> corners{};
      for (std::uint32_t& corner : corners) {
        corner = in_.get<std::uint32_t>();
        if (!in_.need(corner < mesh.vertices.size())) return damaged();
      }
      mesh.add_face(corners);
      mesh.materials.push_back(in_.get<std::uint32_t>());
    }
    return Shape::mesh(mesh, options);
  }

  Result<Shape> height_field() {
    HeightFieldInput input;
    input.columns = in_.get<std::uint32_t>();
    input.rows = in_.get<std::uint32_t>();
    for (double* x : {&input.spacing_x, &input.spacing_y, &input.scale, &input.offset})
      *x = in_.get<double>();
    const auto diagonal = in_.get<std::uint8_t>();
    const std::uint64_t samples = std::uint64_t{input.columns} * input.rows;
    if (!in_.need(diagonal < 3 && input.columns >= 2 && input.rows >= 2 &&
                  samples <= in_.left() / 4))
      return damaged();
    input.diagonal = static_cast<Diagonal>(diagonal);
    std::vector<float> heights(samples);
    for (float& h : heights) h = in_.get<float>();
    const std::uint64_t cells = std::uint64_t{input.columns - 1} * (input.rows - 1);
    if (!in_.need(cells <= in_.left() / 2)) return damaged();
    std::vector<std::uint8_t> holes(cells), materials(cells);
    bool any_hole = false, any_material = false;
    for (std::size_t i = 0; i < cells; ++i) {
      holes[i] = in_.get<std::uint8_t>();
      materials[i] = in_.get<std::uint8_t>();
      any_hole = any_hole || holes[i] != 0;
      any_material = any_material || materials[i] != 0;
    }
    input.samples = std::span<const float>(heights);
    if (any_hole) input.holes = holes;
    if (any_material) input.materials = materials;
    return Shape::height_field(input);
  }

  Result<Shape> compound(int depth) {
    std::vector<CompoundPart> parts;
    const std::size_t count = in_.get_count(62);
    for (std::size_t i = 0; i < count; ++i) {
      const Pose pose = in_.get_pose();
      const auto material = in_.get<std::uint32_t>();
      const Result<Shape> part = shape(depth + 1);
      if (!part) return part;
      parts.push_back({*part, pose, material});
    }
    return Shape::compound(parts);
  }

  ByteReader in_;
  Vec3 point_{};      ///< the last core that was a point
  Segment segment_{}; ///< or a segment
};

} // namespace

Result<std::string> shape_bytes(const Shape& shape) {
  ByteString out;
  if (!put_shape(out, shape))
    return failure(ErrorCode::degenerate, "a custom shape is a function, and has no bytes");
  return std::move(out.bytes);
}

Result<Shape> shape_from_bytes(std::string_view bytes) {
  ShapeReader reader(bytes);
  Result<Shape> shape = reader.shape();
  if (shape && !reader.done()) return damaged();
  return shape;
}

} // namespace carom
