// A curved convex shape: begin with the hull of its farthest points in 26 directions. Where a face, or an edge between two faces, has the shape's surface more than the allowed gap before it, the farthest point there becomes a
// corner, too. It ends when no gap is left. The polytope is inside the shape, and its corners on the surface.
#include "carom/record/tessellate.h"

#include "carom/mesh/convex_hull.h"
#include "carom/shape/composite.h"
#include "carom/shape/parts.h"
#include "carom/shape/support.h"

#include <algorithm>
#include <array>
#include <map>

namespace carom {
namespace {

/// What is allowed inside: the directions looked at are not all there are, so a bit less than promised.
constexpr double share_of_error = 0.6;
constexpr std::size_t most_points = 20000;
constexpr int most_rounds = 24;
/// Two faces that meet at less than this are taken for one curved surface: the cosine of 25 degrees.
constexpr double crease_cosine = 0.906;

void add_hull(const ConvexHull& hull, bool curved, SurfaceMesh& out) {
  const auto first = static_cast<std::uint32_t>(out.positions.size());
  out.positions.insert(out.positions.end(), hull.vertices.begin(), hull.vertices.end());
  std::vector<Vec3> normals;
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const auto c = hull.corners(f);
    Vec3 normal{};
    for (std::size_t i = 2; i < c.size(); ++i) {
      out.triangles.insert(out.triangles.end(), {first + c[0], first + c[i - 1], first + c[i]});
      normal += cross(hull.vertices[c[i - 1]] - hull.vertices[c[0]],
                      hull.vertices[c[i]] - hull.vertices[c[0]]);
    }
    normals.push_back(normalized(normal));
  }
  for (std::uint32_t h = 0; h < hull.twin.size(); ++h) {
    const bool crease =
        !curved || dot(normals[hull.face[h]], normals[hull.face[hull.twin[h]]]) < crease_cosine;
    if (h < hull.twin[h] && crease)
      out.edges.insert(out.edges.end(), {first + hull.origin[h], first + hull.target(h)});
  }
}

/// The farthest points of the shape where it is before the hull by more than the gap; the hull's own corners first.
std::vector<Vec3> refined(const Shape& shape, const ConvexHull& hull, double gap) {
  std::vector<Vec3> points = hull.vertices;
  const auto look = [&](const Vec3& direction, const Vec3& on_hull) {
    const Vec3 d = normalized_or(direction, {});
    if (d == Vec3{}) return;
    const Vec3 p = support_point(shape, d);
    if (dot(d, p - on_hull) > gap) points.push_back(p);
  };
  std::vector<Vec3> normals;
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const auto c = hull.corners(f);
    Vec3 normal{};
    for (std::size_t i = 2; i < c.size(); ++i)
      normal += cross(hull.vertices[c[i - 1]] - hull.vertices[c[0]],
                      hull.vertices[c[i]] - hull.vertices[c[0]]);
    normals.push_back(normalized_or(normal, {}));
    look(normals.back(), hull.vertices[c[0]]);
  }
  for (std::uint32_t h = 0; h < hull.twin.size(); ++h) {
    if (h > hull.twin[h]) continue;
    const Vec3& from = hull.vertices[hull.origin[h]];
    const Vec3 normal = normals[hull.face[h]], both = normal + normals[hull.face[hull.twin[h]]];
    look(both, from);
    // Where the two are opposite, the hull is flat so far: outward within it. A segment has no normal.
    const Vec3 along = hull.vertices[hull.target(h)] - from;
    if (both == Vec3{}) look(normal == Vec3{} ? perpendicular(along) : cross(along, normal), from);
  }
  return points;
}

void add_curved(const Shape& shape, const TessellateOptions& options, SurfaceMesh& out) {
  const Aabb box = bounds(shape);
  const double size = length(box.max - box.min) / 2;
  const double gap = share_of_error * std::max(options.error, 1e-4) * size;
  std::vector<Vec3> points;
  for (int i = 0; i < 27; ++i)
    if (i != 13)
      points.push_back(
          support_point(shape, {static_cast<double>(i % 3 - 1), static_cast<double>(i / 3 % 3 - 1),
                                static_cast<double>(i / 9 - 1)}));
  Result<ConvexHull> hull = convex_hull(points);
  for (int round = 0; hull && round < most_rounds && points.size() < most_points; ++round) {
    points = refined(shape, *hull, gap);
    if (points.size() == hull->vertices.size()) break;
    hull = convex_hull(points);
  }
  if (hull) add_hull(*hull, true, out);
}

void add_half_space(const HalfSpace& half, const TessellateOptions& options, SurfaceMesh& out) {
  const Vec3 n = normalized(half.normal);
  const Vec3 u = normalized(perpendicular(n)) * options.extent, v = cross(n, u);
  const Vec3 middle = n * (half.offset / length(half.normal));
  const auto first = static_cast<std::uint32_t>(out.positions.size());
  out.positions.insert(out.positions.end(),
                       {middle - u - v, middle + u - v, middle + u + v, middle - u + v});
  for (const std::uint32_t i : {0U, 1U, 2U, 0U, 2U, 3U}) out.triangles.push_back(first + i);
}

void add_convex(const Shape& shape, const TessellateOptions& options, SurfaceMesh& out) {
  if (const auto* half = std::get_if<HalfSpace>(&shape.core())) {
    add_half_space({half->normal, half->offset + shape.rounding() * length(half->normal)}, options,
                   out);
    return;
  }
  if (!shape.polyhedral() || shape.rounding() > 0) {
    add_curved(shape, options, out);
    return;
  }
  std::vector<Vec3> corners;
  if (const auto* p = std::get_if<Vec3>(&shape.core())) corners = {*p};
  if (const auto* s = std::get_if<Segment>(&shape.core())) corners = {s->a, s->b};
  if (const auto* t = std::get_if<Triangle>(&shape.core())) corners = {t->a, t->b, t->c};
  if (const auto* b = std::get_if<Obb>(&shape.core()))
    for (int i = 0; i < 8; ++i) corners.push_back(b->corner(i));
  if (const auto* p = std::get_if<Polytope>(&shape.core())) return add_hull(p->hull(), false, out);
  if (const auto* b = std::get_if<BrushCore>(&shape.core()))
    return add_hull(b->corners.hull(), false, out);
  // A turned box's corners are coplanar but for rounding: its hull may have triangles, whose diagonals are no edges.
  if (const Result<ConvexHull> hull = convex_hull(corners))
    add_hull(*hull, std::holds_alternative<Obb>(shape.core()), out);
}

/// Edges of a surface of triangles: where it ends, or bends.
void add_creases(SurfaceMesh& out, std::size_t first_index) {
  struct Side {
    Vec3 normal;
    int count = 0;
    bool crease = false;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Side> sides;
  for (std::size_t t = first_index; t + 2 < out.triangles.size(); t += 3) {
    const std::array<std::uint32_t, 3> c{out.triangles[t], out.triangles[t + 1],
                                         out.triangles[t + 2]};
    const Vec3 &p = out.positions[c[0]], &q = out.positions[c[1]], &r = out.positions[c[2]];
    const Vec3 normal = normalized(cross(q - p, r - p));
    for (std::size_t i = 0; i < 3; ++i) {
      Side& side = sides[std::minmax(c[i], c[(i + 1) % 3])];
      side.crease = side.crease || (side.count > 0 && dot(side.normal, normal) < crease_cosine);
      side.normal = normal;
      ++side.count;
    }
  }
  for (const auto& [ends, side] : sides)
    if (side.crease || side.count == 1)
      out.edges.insert(out.edges.end(), {ends.first, ends.second});
}

void add_mesh(const TriangleMesh& mesh, SurfaceMesh& out) {
  const auto first = static_cast<std::uint32_t>(out.positions.size());
  const std::size_t first_index = out.triangles.size();
  out.positions.insert(out.positions.end(), mesh.vertices().begin(), mesh.vertices().end());
  for (const auto& t : mesh.surface().triangles)
    out.triangles.insert(out.triangles.end(), {first + t[0], first + t[1], first + t[2]});
  add_creases(out, first_index);
}

void add_field(const HeightField& field, SurfaceMesh& out) {
  const auto first = static_cast<std::uint32_t>(out.positions.size());
  for (std::uint32_t j = 0; j < field.rows(); ++j)
    for (std::uint32_t i = 0; i < field.columns(); ++i) out.positions.push_back(field.vertex(i, j));
  const auto number = [&](const Vec3& v, std::uint32_t i, std::uint32_t j) {
    // Corners of a cell are told apart by x and y, which are exactly those of the grid.
    return first + (j + (v.y == field.y(j) ? 0 : 1)) * field.columns() + i +
           (v.x == field.x(i) ? 0 : 1);
  };
  for (std::uint32_t j = 0; j < field.cell_rows(); ++j)
    for (std::uint32_t i = 0; i < field.cell_columns(); ++i) {
      if (field.hole(field.cell(i, j))) continue;
      for (const Triangle& t : field.triangles(i, j))
        out.triangles.insert(out.triangles.end(),
                             {number(t.a, i, j), number(t.b, i, j), number(t.c, i, j)});
    }
}

void add_shape(const Shape& shape, const TessellateOptions& options, SurfaceMesh& out);

void add_placed(const Shape& shape, const Frame& frame, const TessellateOptions& options,
                SurfaceMesh& out) {
  const std::size_t first = out.positions.size();
  add_shape(shape, options, out);
  for (std::size_t i = first; i < out.positions.size(); ++i)
    out.positions[i] = frame.to_world(out.positions[i]);
}

void add_shape(const Shape& shape, const TessellateOptions& options, SurfaceMesh& out) {
  if (shape.convex()) {
    add_convex(shape, options, out);
    return;
  }
  const auto* mesh = body_of<TriangleMesh>(shape);
  const auto* field = body_of<HeightField>(shape);
  const auto* compound = body_of<Compound>(shape);
  const bool rounded = shape.rounding() > 0 || (mesh == nullptr && field == nullptr);
  const bool by_parts = compound != nullptr || part_numbers(shape) <= options.most_rounded_parts;
  if (rounded && by_parts) {
    // Of a part's own error is as much of it as of the whole, so the whole keeps it.
    PartShape part(shape, Pose{});
    for (std::uint64_t i = 0; i < part_numbers(shape); ++i) {
      if (!is_part(shape, i)) continue;
      part.take(i);
      add_placed(part.shape(), part.pose().frame(), options, out);
    }
    return;
  }
  if (mesh != nullptr) add_mesh(*mesh, out);
  if (field != nullptr) add_field(*field, out);
  if (const auto* cloud = body_of<PointCloud>(shape))
    out.positions.insert(out.positions.end(), cloud->points().begin(), cloud->points().end());
}

} // namespace

SurfaceMesh tessellate(const Shape& shape, const TessellateOptions& options) {
  SurfaceMesh out;
  add_shape(shape, options, out);
  return out;
}

} // namespace carom
