#include "carom/shape/composite_mass.h"

#include "carom/math/tolerance.h"
#include "carom/shape/composite.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace carom {
namespace {

constexpr double closed_form_error = 64 * tolerance::epsilon;

/// All within the radius of a triangle: a slab on either side, half a tube along each edge, and a ball in all.
double rounded_volume(const Triangle& t, double radius) {
  const double edges = length(t.b - t.a) + length(t.c - t.b) + length(t.a - t.c);
  const double area = length(cross(t.b - t.a, t.c - t.a)) / 2;
  return radius * (2 * area + radius * std::numbers::pi * (edges / 2 + radius * 4 / 3));
}

/// Without the rounding; how much that may be, as the triangles have it one by one.
ShapeMass mass_of(const TriangleMesh& mesh, double rounding) {
  const TriangleSurface surface = mesh.surface();
  std::vector<std::uint32_t> corners;
  corners.reserve(surface.size() * 3);
  for (const auto& t : surface.triangles) corners.insert(corners.end(), t.begin(), t.end());
  ShapeMass mass;
  if (mesh.solid()) {
    static_cast<MassProperties&>(mass) = mass_properties(mesh.vertices(), corners);
  }
  if (!(mass.volume > 0)) { // a surface, or deformed until nothing is left
    // Each triangle there and back: it encloses nothing, and so the centroid is that of the area.
    const std::size_t count = corners.size();
    for (std::size_t i = 0; i < count; i += 3) {
      const std::uint32_t back[] = {corners[i], corners[i + 2], corners[i + 1]};
      corners.insert(corners.end(), std::begin(back), std::end(back));
    }
    mass.centroid = mass_properties(mesh.vertices(), corners).centroid;
    mass.volume = 0;
    mass.inertia = Mat3::zero();
  }
  mass.relative_error = mass.volume > 0 ? closed_form_error : 0;
  if (rounding > 0) {
    double more = 0;
    for (std::size_t i = 0; i < surface.size(); ++i) more += rounded_volume(surface[i], rounding);
    mass.relative_error +=
        mass.volume > 0 ? more / mass.volume : std::numeric_limits<double>::infinity();
  }
  return mass;
}

/// A surface: it has no volume, and the centroid is that of its area.
ShapeMass mass_of(const HeightField& field, double rounding) {
  // About the middle of the box, so that little is lost far from the origin.
  const Vec3 middle = field.bounds().center();
  double all = 0;
  Vec3 sum;
  for (std::uint32_t i = 0; i < field.triangle_count(); ++i) {
    if (field.hole(i / 2)) continue;
    const Triangle t = field.triangle(i);
    const double area = length(t.normal());
    all += area;
    sum += ((t.a - middle) + (t.b - middle) + (t.c - middle)) * (area / 3);
  }
  ShapeMass mass;
  mass.centroid = middle + sum / all;
  if (rounding > 0) mass.relative_error = std::numeric_limits<double>::infinity();
  return mass;
}

ShapeMass mass_of(const PointCloud& cloud, double rounding) {
  // About the middle of the box, so that little is lost far from the origin.
  const Vec3 middle = cloud.bounds().center();
  const auto count = static_cast<double>(cloud.points().size());
  Vec3 sum;
  for (const Vec3& p : cloud.points()) sum += p - middle;
  const Vec3 mean = sum / count;
  const double ball = 4 * std::numbers::pi / 3 * rounding * rounding * rounding;
  Vec3 squares, products; // of x x, y y, z z; of y z, z x, x y
  for (const Vec3& p : cloud.points()) {
    const Vec3 r = p - middle - mean;
    squares += mul(r, r);
    products += Vec3{r.y * r.z, r.z * r.x, r.x * r.y};
  }
  const double own = 0.4 * ball * rounding * rounding * count;
  const Vec3 main =
      Vec3{squares.y + squares.z, squares.z + squares.x, squares.x + squares.y} * ball;
  const Vec3 off = products * -ball;
  ShapeMass mass;
  mass.volume = ball * count;
  mass.centroid = middle + mean;
  mass.inertia = {
      {main.x + own, off.z, off.y}, {off.z, main.y + own, off.x}, {off.y, off.x, main.z + own}};
  mass.relative_error = mass.volume > 0 ? closed_form_error : 0;
  return mass;
}

ShapeMass mass_of(const Compound& compound, double) {
  ShapeMass all;
  Vec3 sum;
  for (const CompoundPart& part : compound.parts()) {
    const ShapeMass own = mass_properties(part.shape);
    const MassProperties placed = moved(own, part.pose.frame());
    sum += placed.centroid / static_cast<double>(compound.parts().size());
    all.relative_error = std::max(all.relative_error, own.relative_error);
    if (own.volume > 0) static_cast<MassProperties&>(all) = all.volume > 0 ? all + placed : placed;
  }
  if (!(all.volume > 0)) all.centroid = sum;
  return all;
}

} // namespace

ShapeMass composite_mass(const Shape& shape) {
  return std::visit([&](const auto& body) { return mass_of(body, shape.rounding()); },
                    shape.composite().body);
}

} // namespace carom
