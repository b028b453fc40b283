// What a user builds once and shares: an immutable shape, copied by its handle.
//
//   Shape ball = Shape::sphere(0.5).value();
//   Shape crate = Shape::box({1, 1, 1}).value();
//   Shape rock = Shape::hull(points).value();
//   Shape pebble = rock.rounded(0.02).value();            // grown by 2 cm, all edges round
//
// Building checks what it is given and returns a Result: a shape, or an error with a code and a sentence. A shape that exists is sound, so
// asking about it cannot fail. Lengths are in the user's unit, the same for all; coordinates are in the shape's own frame, and a Pose places
// it. Numbers are kept exactly as given. Every number must be 0 or 1e-30 <= |x| <= 1e30.
//
//   Shape statue = Shape::mesh(load_mesh("statue.obj").value()).value();
//   Shape hammer = Shape::compound({{{handle, {}}, {head, Pose::at({0, 0, 0.3})}}}).value();
//
// Shapes are closed sets. Most kinds are convex; the last ones of ShapeKind are made of convex parts (composite.h). Flat ones are legal: a point, a segment, a triangle, a
// box without height, a disc, a hull of coplanar points, a mesh that encloses nothing. Any number of threads may use a shape at once; nothing is cached in it.
#pragma once

#include "carom/geometry/swept_sphere.h"
#include "carom/math/pose.h"
#include "carom/math/result.h"
#include "carom/shape/core.h"
#include "carom/shape/core_support.h"

#include <functional>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// Which builder a shape came from.
enum class ShapeKind : std::uint8_t {
  point,
  segment,
  triangle,
  sphere,  ///< the core is a point
  capsule, ///< the core is a segment
  box,
  cylinder,
  cone,
  tapered_capsule,
  ellipsoid,
  hull,
  half_space, ///< unbounded
  brush,
  sum,
  hull_of_two,
  custom,
  scaled,
  mesh, ///< from here on: not convex
  height_field,
  compound,
  point_cloud,
};
inline constexpr int convex_kinds = 17; ///< the first ones
inline constexpr int shape_kinds = 21;
/// As in the list above: "point", "hull_of_two".
[[nodiscard]] const char* name_of(ShapeKind kind);

struct Composite;
struct CompoundPart;
struct HeightFieldInput;
struct MeshOptions;
struct PolygonMesh;

class Shape {
public:
  [[nodiscard]] static Result<Shape> point(const Vec3& at);
  [[nodiscard]] static Result<Shape> segment(const Vec3& a, const Vec3& b);
  [[nodiscard]] static Result<Shape> triangle(const Vec3& a, const Vec3& b, const Vec3& c);

  /// Radius >= 0.
  [[nodiscard]] static Result<Shape> sphere(double radius, const Vec3& center = {});
  /// The points within `radius` of the segment from a to b.
  [[nodiscard]] static Result<Shape> capsule(const Vec3& a, const Vec3& b, double radius);
  /// The hull of two balls; the larger of them where it contains the other.
  [[nodiscard]] static Result<Shape> tapered_capsule(const Vec3& a, double radius_a, const Vec3& b,
                                                     double radius_b);

  /// Around the origin, along the axes; half the edge lengths, each >= 0.
  [[nodiscard]] static Result<Shape> box(const Vec3& half);
  /// Around the origin; half the height along z, and the radius, both >= 0.
  [[nodiscard]] static Result<Shape> cylinder(double half_height, double radius);
  /// The base a disc around the origin in the plane z = 0, the apex at z = height. Height and radius >= 0.
  [[nodiscard]] static Result<Shape> cone(double height, double radius);
  /// Around the origin; half the lengths along x, y and z, each >= 0.
  [[nodiscard]] static Result<Shape> ellipsoid(const Vec3& radii);

  /// The same kinds anywhere and at any angle in the shape's frame. Axes are unit vectors, at right angles, to within 1e-12.
  [[nodiscard]] static Result<Shape> of(const Obb& box);
  [[nodiscard]] static Result<Shape> of(const Cylinder& cylinder);
  [[nodiscard]] static Result<Shape> of(const Cone& cone);
  [[nodiscard]] static Result<Shape> of(const Ellipsoid& ellipsoid);

  /// The convex hull of the points, exact (mesh/convex_hull.h); it may be a solid, flat, a segment or a point.
  [[nodiscard]] static Result<Shape> hull(std::span<const Vec3> points,
                                          const ConvexHullOptions& options = {});

  /// normal . x <= offset. The normal points out of the solid and has any length but 0.
  [[nodiscard]] static Result<Shape> half_space(const Vec3& normal, double offset);
  /// The intersection of half-spaces; normals of any length but 0. Errors: `unbounded` where it reaches to infinity, `degenerate` where it is empty or
  /// has no inside.
  [[nodiscard]] static Result<Shape> brush(std::span<const HalfSpace> faces);

  /// All sums of a point of a and a point of b: a swept over b. Neither may be unbounded.
  [[nodiscard]] static Result<Shape> sum(const Shape& a, const Shape& b);
  /// The least convex shape around both. Neither may be unbounded.
  [[nodiscard]] static Result<Shape> hull_of_two(const Shape& a, const Shape& b);
  /// A convex set known by its support mapping (core.h says what the function must keep to). Tried in a few directions here.
  [[nodiscard]] static Result<Shape> custom(std::function<Vec3(const Vec3& direction)> support);

  /// Triangles, polygons: a surface, or a solid with all that is inside (triangle_mesh.h says which, and the errors).
  [[nodiscard]] static Result<Shape> mesh(const PolygonMesh& mesh);
  [[nodiscard]] static Result<Shape> mesh(const PolygonMesh& mesh, const MeshOptions& options);
  /// Terrain: a grid of heights along z, a surface (height_field.h).
  [[nodiscard]] static Result<Shape> height_field(const HeightFieldInput& input);
  /// Shapes with poses of their own, bounded ones of any kind (compound.h).
  [[nodiscard]] static Result<Shape> compound(std::span<const CompoundPart> parts);
  /// Balls of one radius >= 0 around points (point_cloud.h).
  [[nodiscard]] static Result<Shape> point_cloud(std::span<const Vec3> points, double radius = 0);

  /// Of a mesh: the same triangles with their vertices elsewhere. The tree is fitted, not built anew (triangle_mesh.h). Errors: those of TriangleMesh::deform; degenerate where this is no mesh.
  [[nodiscard]] Result<Shape> deformed(std::span<const Vec3> vertices) const;
  /// The same, in the storage of a shape that is done with: where `spent` is of the same triangles, and the last handle of its shape, nothing is allocated.
  [[nodiscard]] Result<Shape> deformed(std::span<const Vec3> vertices, Shape&& spent) const;

  /// All points within `radius` >= 0 of this shape.
  [[nodiscard]] Result<Shape> rounded(double radius) const;
  /// Each coordinate multiplied by its factor; factors are not 0, and may be negative: a mirror image. The rounding is scaled too. The kind stays
  /// where it can: a scaled sphere is an ellipsoid unless the factors are equal. Of a compound, factors that are not equal are refused where a part is turned, of a mesh, field or cloud where it is rounded; a height field takes positive factors only.
  [[nodiscard]] Result<Shape> scaled(const Vec3& factors) const;

  [[nodiscard]] ShapeKind kind() const { return data_->kind; }
  /// Whether every point between two of its points is in it, by its kind. A mesh never counts as convex.
  [[nodiscard]] bool convex() const { return data_->composite == nullptr; }
  /// Where it is not convex: its parts (composite.h).
  [[nodiscard]] const Composite& composite() const { return *data_->composite; }
  /// The set without its rounding. Where the shape is not convex, some point of it.
  [[nodiscard]] const ShapeCore& core() const { return data_->core; }
  [[nodiscard]] const CoreSupport& core_support() const { return data_->support; }
  /// Whether the core is the hull of finitely many known points: a point, segment, triangle, box, hull or brush.
  [[nodiscard]] bool polyhedral() const { return data_->polyhedral; }
  /// How far the shape reaches beyond its core, all around.
  [[nodiscard]] double rounding() const { return data_->rounding; }
  /// False for a half-space only.
  [[nodiscard]] bool bounded() const { return kind() != ShapeKind::half_space; }
  /// How many sums, hulls of two and scalings are nested in this shape: 0 for the others. At most max_depth.
  [[nodiscard]] int depth() const { return data_->depth; }
  static constexpr int max_depth = 16;

  /// A length that rounding errors in the shape's frame are relative to: at least the greatest |coordinate| of its points and of the parts it is
  /// computed from, and not much more. For a half-space: that of the point of its border nearest to the origin.
  [[nodiscard]] double size() const { return data_->size; }

  /// A ball inside the core, not counting the rounding (inner_ball.h); of a shape that is not convex, one of its points.
  [[nodiscard]] const Sphere& inner_ball() const { return data_->inner_ball; }

  /// Tells shapes apart for as long as the program runs: no two that were built have the same, copies do. Never 0.
  [[nodiscard]] std::uint64_t id() const { return data_->id; }

  /// Whether they are one and the same: copies of one handle.
  [[nodiscard]] bool operator==(const Shape& other) const { return data_ == other.data_; }

private:
  friend class PartShape; // parts.h: makes shapes of a composite's parts without building each

  struct Data {
    Data(ShapeKind kind, ShapeCore core, double rounding);
    Data(ShapeKind kind, std::shared_ptr<Composite> composite, double rounding);
    Data(const Data&) = delete; // the support refers to the core
    Data& operator=(const Data&) = delete;
    ~Data() = default;
    /// A new size and a new id.
    void composite_changed();
    static std::uint64_t next_id();

    ShapeKind kind;
    bool polyhedral;
    int depth;
    double rounding, size;
    std::uint64_t id;
    ShapeCore core;
    CoreSupport support; ///< refers to the core
    Sphere inner_ball;
    std::shared_ptr<Composite> composite; ///< null: convex
  };
  explicit Shape(std::shared_ptr<Data> data);
  static Shape make(ShapeKind kind, ShapeCore core, double rounding = 0);
  static Shape make(ShapeKind kind, Composite&& composite, double rounding = 0);
  [[nodiscard]] Result<Shape> rounded_composite(double radius) const;
  [[nodiscard]] Result<Shape> scaled_composite(const Vec3& factors) const;
  std::shared_ptr<Data> data_; ///< not changed by anyone while there is a second handle
};

} // namespace carom
