// From a mesh to its parts, in steps: vertices in the same place are made one; coplanar neighbours are merged; faces that are not convex or not flat are cut into triangles;
// edges are numbered and judged by the polygons at them; vertices are judged by their edges; trees are built over the polygons' boxes.
//
// Flat is what is flat to within `flat_height` of the size, a few hundred roundings: far thinner than the expel zone, so that it is all the same whether
// a corner or the plane is touched first. An edge is flat where both polygons lie within that of each other's planes. To leave out a ridge that is higher would be to sink into it.
#include "carom/motion/polyhedral_body.h"

#include "carom/geometry/convexity.h"
#include "carom/geometry/fit_aabb.h"
#include "carom/math/eigen3.h"
#include "carom/mesh/merge_coplanar.h"
#include "carom/mesh/mesh_check.h"
#include "carom/mesh/mesh_edges.h"
#include "carom/mesh/triangulate.h"
#include "carom/mesh/weld.h"

#include <algorithm>

namespace carom {
namespace {

constexpr double flat_height = 0x1p-44;
/// The most a vertex moves when a body is shrunk, in units of what its faces do.
constexpr double most_shrink = 4;

double greatest_coordinate(std::span<const Vec3> points) {
  double size = 0;
  for (const Vec3& p : points) size = std::max(size, max_abs(p));
  return size;
}

/// The least move that takes all these planes inward by `by`, or as nearly as can be: the least-squares solution of n . move = -by.
Vec3 inward_move(std::span<const Vec3> normals, double by) {
  Mat3 matrix = Mat3::zero();
  Vec3 sum;
  for (const Vec3& n : normals) {
    matrix = matrix + outer(n, n);
    sum += n;
  }
  const Eigen3 e = symmetric_eigen(matrix);
  const double top = std::max({e.values.x, e.values.y, e.values.z});
  Vec3 move;
  for (int i = 0; i < 3; ++i)
    if (e.values[i] > 1e-9 * top)
      move -= e.vectors[i] * (dot(e.vectors[i], sum) * by / e.values[i]);
  const double far = length(move);
  return far > most_shrink * by ? move * (most_shrink * by / far) : move;
}

} // namespace

struct PolyhedronBuild {
  Polyhedron& body;
  PolygonMesh mesh;                     ///< the polygons, and what is less than a polygon
  std::vector<std::uint32_t> from_face; ///< per face of it: that of the user's mesh
  double flat = 0;

  [[nodiscard]] std::vector<Vec3> points(std::span<const std::uint32_t> corners) const {
    std::vector<Vec3> result;
    for (const std::uint32_t c : corners) result.push_back(mesh.vertices[c]);
    return result;
  }

  void add(std::span<const std::uint32_t> corners, std::uint32_t face) {
    mesh.add_face(corners);
    from_face.push_back(face);
  }

  /// The user's faces at vertices that are one where they coincide, each corner once in a row.
  Result<PolygonMesh> welded(const PolygonMesh& from) {
    const Result<Welding> welding = weld_vertices(from.vertices, 0);
    if (!welding) return tl::unexpected(welding.error());
    PolygonMesh result;
    result.vertices = from.vertices;
    std::vector<std::uint32_t> corners;
    for (std::size_t f = 0; f < from.face_count(); ++f) {
      corners.clear();
      for (const std::uint32_t c : from.face(f)) {
        const std::uint32_t v = welding->kept[c];
        if (corners.empty() || corners.back() != v) corners.push_back(v);
      }
      while (corners.size() > 1 && corners.front() == corners.back()) corners.pop_back();
      result.add_face(corners);
    }
    if (from.face_count() != 0) return result;
    for (std::uint32_t v = 0; v < from.vertices.size(); ++v)
      if (welding->kept[v] == v) result.add_face(std::array{v});
    return result;
  }

  /// Faces that are convex and flat as they are, triangles of the others.
  void cut(const PolygonMesh& from, std::span<const std::uint32_t> face_of) {
    mesh.vertices = from.vertices;
    for (std::size_t f = 0; f < from.face_count(); ++f) {
      const auto corners = from.face(f);
      if (corners.empty()) continue;
      const std::uint32_t face = face_of.empty() ? static_cast<std::uint32_t>(f) : face_of[f];
      const std::vector<Vec3> at = points(corners);
      if (corners.size() <= 3 || (convexity(at).convex() && flatness(at).height <= flat)) {
        add(corners, face);
        continue;
      }
      for (const IndexTriple& t : triangulate(at).triangles)
        add(std::array{corners[t[0]], corners[t[1]], corners[t[2]]}, face);
    }
  }

  /// Only vertices of faces stay: those that were welded or merged away would be in the way.
  void drop_unused() {
    std::vector<std::uint32_t> number(mesh.vertices.size(), Polyhedron::none);
    for (const std::uint32_t c : mesh.corners) number[c] = 0;
    std::vector<Vec3> kept;
    for (std::uint32_t v = 0; v < number.size(); ++v) {
      if (number[v] == Polyhedron::none) continue;
      number[v] = static_cast<std::uint32_t>(kept.size());
      kept.push_back(mesh.vertices[v]);
      body.mesh_vertices_.push_back(v);
    }
    for (std::uint32_t& c : mesh.corners) c = number[c];
    mesh.vertices = std::move(kept);
  }

  void make_polygons(const MeshEdges& edges, std::vector<std::uint32_t>& polygon_of) {
    for (std::size_t f = 0; f < mesh.face_count(); ++f) {
      const auto corners = mesh.face(f);
      const std::vector<Vec3> at = points(corners);
      polygon_of.push_back(Polyhedron::none);
      if (corners.size() < 3 || convexity(at).kind == Convexity::flat) continue;
      const Flatness fit = flatness(at);
      PolyhedralPolygon p{fit.plane, static_cast<std::uint32_t>(body.corners_.size()),
                          static_cast<std::uint32_t>(corners.size()), from_face[f], fit_aabb(at)};
      polygon_of.back() = static_cast<std::uint32_t>(body.polygons_.size());
      body.polygons_.push_back(p);
      for (std::uint32_t h = mesh.face_begin[f]; h < mesh.face_begin[f + 1]; ++h) {
        body.corners_.push_back(edges.from(h));
        body.sides_.push_back(2 * edges.edge_of[h] + (edges.ascends(h) ? 0U : 1U));
      }
    }
  }

  /// How far the corners of a polygon are below a plane and above it, at most.
  struct Reach {
    double below = 0, above = 0;
  };
  [[nodiscard]] Reach reach(const PolyhedralPolygon& p, const Plane& plane) const {
    Reach r;
    for (const std::uint32_t v : body.corners(p)) {
      const double h = plane.signed_distance(body.vertices_[v]);
      r.below = std::max(r.below, -h);
      r.above = std::max(r.above, h);
    }
    return r;
  }

  void judge_two(PolyhedralEdge& edge, const PolyhedralPolygon& p, const PolyhedralPolygon& q) {
    const Reach rp = reach(q, p.plane), rq = reach(p, q.plane);
    const bool same = std::max({rp.below, rp.above, rq.below, rq.above}) <= flat;
    if (same && dot(p.plane.normal, q.plane.normal) > 0) {
      edge.kind = PolyhedralEdgeKind::flat;
    } else {
      // Folded back onto itself, it is a ridge, and the sharpest.
      const bool valley = !same && rp.above > rp.below;
      edge.kind = valley ? PolyhedralEdgeKind::concave : PolyhedralEdgeKind::convex;
    }
  }

  void make_edges(const MeshEdges& edges, std::span<const std::uint32_t> polygon_of) {
    for (std::size_t i = 0; i < edges.edge_count(); ++i) {
      PolyhedralEdge e;
      e.from = edges.ends[i].low;
      e.to = edges.ends[i].high;
      const Vec3 along = body.vertices_[e.to] - body.vertices_[e.from];
      e.length = length(along);
      std::vector<std::uint32_t> around; // half-edges of polygons
      for (const std::uint32_t h : edges.half_edges(i))
        if (polygon_of[edges.face_of[h]] != Polyhedron::none) around.push_back(h);
      const auto polygon = [&](std::size_t k) -> const PolyhedralPolygon& {
        return body.polygons_[polygon_of[edges.face_of[around[k]]]];
      };
      const bool pair = around.size() == 2 && edges.ascends(around[0]) != edges.ascends(around[1]);
      if (pair) judge_two(e, polygon(0), polygon(1));
      if (around.size() == 1) e.kind = PolyhedralEdgeKind::dangling;
      if (pair || around.size() == 1) {
        for (std::size_t k = 0; k < around.size(); ++k) {
          const double way = edges.ascends(around[k]) ? 1 : -1;
          e.inward[k] = normalized_or(cross(polygon(k).plane.normal, along * way), {});
          e.polygons[k] = polygon_of[edges.face_of[around[k]]];
        }
      }
      if (around.empty()) body.loose_edges_.push_back(static_cast<std::uint32_t>(i));
      body.edges_.push_back(e);
    }
  }

  void judge_vertices(const MeshEdges& edges) {
    body.touchable_.assign(body.vertices_.size(), 0);
    for (std::uint32_t v = 0; v < body.vertices_.size(); ++v) {
      bool loose = true;
      for (const std::uint32_t e : edges.edges_at(v)) {
        const PolyhedralEdge& edge = body.edges_[e];
        if (Polyhedron::collides(edge.kind, false)) body.touchable_[v] |= 1;
        if (Polyhedron::collides(edge.kind, true)) body.touchable_[v] |= 2;
        loose = loose && std::binary_search(body.loose_edges_.begin(), body.loose_edges_.end(), e);
      }
      if (!loose) continue;
      body.touchable_[v] = 3;
      body.loose_vertices_.push_back(v);
    }
  }

  /// All vertices at once, by the planes as they were.
  void shrink(double by) {
    std::vector<std::vector<Vec3>> normals(body.vertices_.size());
    for (const PolyhedralPolygon& p : body.polygons_)
      for (const std::uint32_t v : body.corners(p)) normals[v].push_back(p.plane.normal);
    for (std::size_t v = 0; v < normals.size(); ++v)
      if (!normals[v].empty()) body.vertices_[v] += inward_move(normals[v], by);
    for (PolyhedralPolygon& p : body.polygons_) {
      std::vector<Vec3> at;
      for (const std::uint32_t v : body.corners(p)) at.push_back(body.vertices_[v]);
      p.plane = flatness(at).plane;
      p.box = fit_aabb(at);
    }
    for (PolyhedralEdge& e : body.edges_)
      e.length = distance(body.vertices_[e.from], body.vertices_[e.to]);
  }

  void finish() {
    body.bounds_ = fit_aabb(body.vertices_);
    body.size_ = greatest_coordinate(body.vertices_);
    std::vector<Aabb> boxes;
    for (const PolyhedralPolygon& p : body.polygons_) boxes.push_back(p.box);
    if (boxes.empty()) return;
    body.tree_ = WideTree(boxes);
    body.bsp_ = AxialBsp(boxes);
  }

  Result<void> run(const PolygonMesh& from, const PolyhedronOptions& options) {
    flat = flat_height * greatest_coordinate(from.vertices);
    Result<PolygonMesh> one = welded(from);
    if (!one) return tl::unexpected(one.error());
    std::vector<std::uint32_t> face_of;
    if (options.merge && from.face_count() != 0) {
      Result<MergedMesh> merged = merge_coplanar(*one, {.thickness = flat});
      if (!merged) return tl::unexpected(merged.error());
      *one = std::move(merged->mesh);
      face_of = std::move(merged->face_of);
    }
    cut(*one, face_of);
    drop_unused();
    const Result<MeshEdges> edges = mesh_edges(mesh.surface());
    if (!edges) return tl::unexpected(edges.error());
    body.vertices_ = mesh.vertices;
    std::vector<std::uint32_t> polygon_of;
    make_polygons(*edges, polygon_of);
    make_edges(*edges, polygon_of);
    judge_vertices(*edges);
    if (options.shrink > 0) shrink(options.shrink);
    finish();
    return {};
  }
};

Result<Polyhedron> Polyhedron::build(const PolygonMesh& mesh, const PolyhedronOptions& options) {
  if (const Result<void> usable = check_usable(mesh); !usable)
    return tl::unexpected(usable.error());
  if (mesh.vertices.empty()) return failure(ErrorCode::too_few, "There is no vertex to move.");
  if (!(options.shrink >= 0 && options.shrink <= tolerance::coordinate_max))
    return failure(ErrorCode::out_of_range, "A body is shrunk by a length that is not negative.");
  Polyhedron body;
  PolyhedronBuild build{body, {}, {}};
  if (const Result<void> done = build.run(mesh, options); !done)
    return tl::unexpected(done.error());
  return body;
}

} // namespace carom
