#include "carom/verify/parts.h"

#include "carom/math/tolerance.h"
#include "carom/mesh/winding_number.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom::verify {
namespace {

using Real = long double;

/// Triangles as the functions of meshes take them.
struct Faces {
  std::vector<std::uint32_t> begin, corners;

  explicit Faces(const TriangleSurface& surface) {
    for (const auto& triangle : surface.triangles) {
      begin.push_back(static_cast<std::uint32_t>(corners.size()));
      corners.insert(corners.end(), triangle.begin(), triangle.end());
    }
    begin.push_back(static_cast<std::uint32_t>(corners.size()));
  }
};

/// The triangles of a cell, from the definition in height_field.h.
std::array<Triangle, 2> triangles_of(const HeightField& field, std::uint32_t cell) {
  const std::uint32_t i = cell % (field.columns() - 1), j = cell / (field.columns() - 1);
  const auto at = [&](std::uint32_t column, std::uint32_t row) {
    const double rise = field.scale() * field.sample(column, row);
    return Vec3{column * field.spacing_x(), row * field.spacing_y(), field.offset() + rise};
  };
  const Vec3 a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
  const bool even = (i + j) % 2 == 0;
  const bool main =
      field.diagonal() == Diagonal::alternating ? even : field.diagonal() == Diagonal::main;
  if (main) return {Triangle{a, b, c}, Triangle{a, c, d}};
  return {Triangle{a, b, d}, Triangle{b, c, d}};
}

struct NumberedTriangle {
  Triangle triangle;
  std::uint32_t number, material;
};

/// Of a mesh or a height field; none of anything else.
std::vector<NumberedTriangle> triangles_of(const Shape& shape) {
  std::vector<NumberedTriangle> triangles;
  if (const auto* mesh = body_of<TriangleMesh>(shape)) {
    for (std::uint32_t i = 0; i < mesh->surface().size(); ++i)
      triangles.push_back({mesh->surface()[i], i, mesh->material(i)});
  } else if (const auto* field = body_of<HeightField>(shape)) {
    for (std::uint32_t i = 0; i < field->triangle_count(); ++i) {
      if (!field->hole(i / 2))
        triangles.push_back({triangles_of(*field, i / 2)[i % 2], i, field->material(i)});
    }
  }
  return triangles;
}

bool has_triangles(const Shape& shape) {
  return body_of<TriangleMesh>(shape) != nullptr || body_of<HeightField>(shape) != nullptr;
}

Shape rounded_as(const Shape& whole, const Shape& part) {
  return part.rounded(whole.rounding()).value();
}

void add_parts(std::vector<ConvexPart>& parts, const PlacedShape& placed) {
  const Shape& shape = placed.shape;
  if (shape.convex()) {
    parts.push_back({placed, {}});
  } else if (has_triangles(shape)) {
    for (const auto& [t, number, material] : triangles_of(shape)) {
      const Shape triangle = Shape::triangle(t.a, t.b, t.c).value();
      parts.push_back({{rounded_as(shape, triangle), placed.pose}, {number, 0, material}});
    }
  } else if (const auto* cloud = body_of<PointCloud>(shape)) {
    for (std::uint32_t i = 0; i < cloud->points().size(); ++i) {
      const Shape point = Shape::point(cloud->points()[i]).value();
      parts.push_back({{rounded_as(shape, point), placed.pose}, {i, 0, 0}});
    }
  } else {
    const auto& compound = std::get<Compound>(shape.composite().body);
    for (std::uint32_t i = 0; i < compound.parts().size(); ++i) {
      const CompoundPart& part = compound.parts()[i];
      const std::size_t first = parts.size();
      add_parts(parts, {part.shape, pose_of_part(placed.pose, part.pose)});
      const bool own = !has_triangles(part.shape);
      for (std::size_t k = first; k < parts.size(); ++k) {
        parts[k].id.part = i;
        if (own) parts[k].id.material = part.material;
      }
    }
  }
}

/// Brought to a length between 1/2 and 2, which is exact; no rotation where it has none.
Quat of_unit_size(const Quat& q) {
  const double most =
      std::max(std::max(std::fabs(q.x), std::fabs(q.y)), std::max(std::fabs(q.z), std::fabs(q.w)));
  if (to_matrix(q) == Mat3::identity()) return {};
  int exponent = 0;
  (void)std::frexp(most, &exponent);
  const double s = std::ldexp(1.0, -exponent);
  return {q.x * s, q.y * s, q.z * s, q.w * s};
}

} // namespace

Vec3 to_local(const Frame& frame, const Vec3& p) {
  const auto column = [&](int j, int i) { return Real{frame.basis[j][i]}; };
  Real rest[3], q[3] = {0, 0, 0};
  for (int i = 0; i < 3; ++i) rest[i] = Real{p[i]} - frame.origin[i];
  for (int pass = 0; pass < 3; ++pass) {
    Real step[3];
    for (int j = 0; j < 3; ++j) {
      step[j] = column(j, 0) * rest[0] + column(j, 1) * rest[1] + column(j, 2) * rest[2];
    }
    for (int i = 0; i < 3; ++i) {
      rest[i] -= column(0, i) * step[0] + column(1, i) * step[1] + column(2, i) * step[2];
      q[i] += step[i];
    }
  }
  return {static_cast<double>(q[0]), static_cast<double>(q[1]), static_cast<double>(q[2])};
}

Pose pose_of_part(const Pose& whole, const Pose& part) {
  Pose pose = Pose{of_unit_size(whole.rotation), whole.position} *
              Pose{of_unit_size(part.rotation), part.position};
  for (int i = 0; i < 3; ++i)
    if (std::fabs(pose.position[i]) < tolerance::coordinate_min) pose.position[i] = 0;
  return pose;
}

std::vector<ConvexPart> convex_parts(const PlacedShape& placed) {
  std::vector<ConvexPart> parts;
  add_parts(parts, placed);
  return parts;
}

std::vector<PlacedShape> solid_meshes(const PlacedShape& placed) {
  std::vector<PlacedShape> solids;
  if (const auto* mesh = body_of<TriangleMesh>(placed.shape)) {
    if (mesh->solid()) solids.push_back(placed);
  } else if (const auto* compound = body_of<Compound>(placed.shape)) {
    for (const CompoundPart& part : compound->parts()) {
      const auto inner = solid_meshes({part.shape, pose_of_part(placed.pose, part.pose)});
      solids.insert(solids.end(), inner.begin(), inner.end());
    }
  }
  return solids;
}

std::vector<std::pair<PlacedShape, std::uint32_t>> components(const PlacedShape& shape) {
  const auto* compound = body_of<Compound>(shape.shape);
  if (!compound) return {{shape, 0}};
  std::vector<std::pair<PlacedShape, std::uint32_t>> result;
  for (std::uint32_t i = 0; i < compound->parts().size(); ++i) {
    const CompoundPart& part = compound->parts()[i];
    result.push_back({{part.shape, pose_of_part(shape.pose, part.pose)}, i});
  }
  return result;
}

bool wound_around(const PlacedShape& solid, const Vec3& p) {
  const auto* mesh = body_of<TriangleMesh>(solid.shape);
  const Faces faces(mesh->surface());
  const PolygonSurface surface{mesh->vertices(), faces.begin, faces.corners};
  const Vec3 local = to_local(solid.pose.frame(), p);
  return is_finite(local) && locate(surface, local, true) != PointPlace::outside;
}

double distance_from_triangles(const Vec3& p, const PlacedShape& placed) {
  const Vec3 local = to_local(placed.pose.frame(), p);
  if (!is_finite(local)) return NAN;
  double least = INFINITY;
  for (const auto& [triangle, number, material] : triangles_of(placed.shape))
    least = std::min(least, distance(local, triangle));
  return least;
}

double composite_support(const PlacedShape& placed, const Vec3& d) {
  return is_finite(d) ? dot(composite_farthest(placed, d), d) : NAN;
}

Vec3 composite_farthest(const PlacedShape& placed, const Vec3& given) {
  // Tiny and huge directions are brought to size.
  const double size = max_abs(given);
  const Vec3 d = size > 0 && size < INFINITY ? given / size : Vec3{1, 0, 0};
  Vec3 best;
  double most = -INFINITY;
  const auto consider = [&](const Vec3& p) {
    if (!(dot(p, d) > most)) return;
    most = dot(p, d);
    best = p;
  };
  if (const auto* compound = body_of<Compound>(placed.shape)) {
    for (const CompoundPart& part : compound->parts())
      consider(farthest_point({part.shape, pose_of_part(placed.pose, part.pose)}, d));
    return best;
  }
  const Frame frame = placed.pose.frame();
  if (const auto* cloud = body_of<PointCloud>(placed.shape)) {
    for (const Vec3& p : cloud->points()) consider(frame.to_world(p));
  } else {
    for (const auto& [t, number, material] : triangles_of(placed.shape)) {
      for (const Vec3& p : {t.a, t.b, t.c}) consider(frame.to_world(p));
    }
  }
  return best + normalized(d) * placed.shape.rounding();
}

double composite_distance(const Vec3& p, const PlacedShape& placed) {
  double least = INFINITY;
  if (const auto* compound = body_of<Compound>(placed.shape)) {
    for (const CompoundPart& part : compound->parts())
      least = std::min(least, distance(p, {part.shape, pose_of_part(placed.pose, part.pose)}));
    return is_finite(p) ? least : NAN;
  }
  if (const auto* cloud = body_of<PointCloud>(placed.shape)) {
    const Vec3 local = to_local(placed.pose.frame(), p);
    if (!is_finite(local)) return NAN;
    for (const Vec3& q : cloud->points()) least = std::min(least, verify::distance(local, q));
  } else {
    least = distance_from_triangles(p, placed);
    const auto* mesh = body_of<TriangleMesh>(placed.shape);
    if (mesh && mesh->solid() && least > placed.shape.rounding() && wound_around(placed, p))
      return 0;
  }
  return std::isnan(least) ? NAN : std::max(0.0, least - placed.shape.rounding());
}

} // namespace carom::verify
