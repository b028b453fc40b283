// A binary space partition of the solid by planes of its own faces.
//
// A node is a convex cell, and the polygons of the surface within. Where every polygon is behind the planes of all others, the solid is convex there: let K be what is in the cell
// and behind all of these planes. The surface lies in the boundary of K, so the inside of K has none and is all inside of the solid, as it is behind some polygon. And a face of K within the cell is
// all surface: where the surface ended in it, it would have to leave it, and there is nowhere to go. So beyond K the cell is outside.
//
// Otherwise some plane has polygons in front of it, and the cell is cut there. The polygons in that plane are then on the cells' border, and gone: a node has fewer planes than
// its parent. That ends it. A cell without polygons is inside if it is behind the polygon that bounds it.
//
// Signs are exact (plane_polygon.h). The mesh is scaled by a power of two, so that exponents are where expansions can take them.
#include "carom/mesh/exact_pieces.h"

#include "carom/math/predicates.h"
#include "carom/math/tolerance.h"
#include "carom/mesh/cut_mesh.h"
#include "carom/mesh/cut_search.h"
#include "carom/mesh/plane_polygon.h"
#include "carom/mesh/rounded_hull.h"
#include "carom/mesh/solid_mass.h"
#include "carom/mesh/triangulate.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>
#include <utility>

namespace carom {
namespace {

/// Planes with something in front that are compared with each other before a cut.
constexpr std::size_t compared_planes = 48;
/// Polygons in all nodes that are waiting; beyond that the solid is too complicated.
constexpr std::size_t most_polygons = 4'000'000;
/// A polygon cut in two costs as much as this many on the wrong side.
constexpr std::size_t split_cost = 4;

struct Facet {
  PlanePolygon polygon;
  int facing = 1; ///< 1: its outside is where the plane's normal points
};

struct Bound {
  std::uint32_t plane = 0;
  int side = 1; ///< the cell is where side * (normal . x - offset) <= 0

  bool operator==(const Bound&) const = default;
};

struct Node {
  std::vector<Facet> facets;
  std::vector<Bound> cell;
};

class Partition {
public:
  Partition(const PolygonMesh& triangles, double scale) : mesh_(triangles), scale_(scale) {
    for (const Vec3& v : triangles.vertices) space_.vertices.push_back(v * scale);
    // The walls of a box around everything.
    for (int k = 0; k < 3; ++k) {
      for (const double at : {-1.5, 1.5}) space_.planes.push_back(ExactPlane::across_axis(k, at));
    }
    triangle_of_.assign(space_.planes.size(), 0);
    Node root;
    for (std::uint32_t f = 0; f < triangles.face_count(); ++f) add_triangle(f, root);
    waiting_polygons_ = root.facets.size();
    waiting_.push_back(std::move(root));
  }

  Result<std::vector<ExactPiece>> run(std::size_t max_pieces) {
    std::vector<ExactPiece> pieces;
    while (!waiting_.empty()) {
      Node node = std::move(waiting_.back());
      waiting_.pop_back();
      waiting_polygons_ -= node.facets.size();
      const std::uint32_t plane = best_cut(node);
      if (plane != none) {
        cut(node, plane);
        if (waiting_polygons_ > most_polygons) {
          return failure(ErrorCode::out_of_range,
                         "the solid is too complicated: it has been cut into " +
                             std::to_string(waiting_polygons_) + " faces");
        }
        continue;
      }
      if (pieces.size() == max_pieces) {
        return failure(ErrorCode::out_of_range, "the solid needs more than " +
                                                    std::to_string(max_pieces) + " convex pieces");
      }
      Result<ExactPiece> piece = make_piece(node);
      if (!piece) return tl::unexpected(piece.error());
      pieces.push_back(std::move(*piece));
    }
    return pieces;
  }

private:
  static constexpr std::uint32_t none = 0xffffffff;

  using Key = std::array<std::int64_t, 4>;
  /// Equal planes have equal keys, nearly always. (Where not they are two planes in one place, which costs time and nothing else.)
  static Key key_of(const ExactPlane& plane) {
    const Vec3& n = plane.near_normal;
    const double longest = n[largest_axis(n)];
    const auto cell = [&](double x) { return std::llround(x / longest * 0x1p24); };
    return {cell(n.x), cell(n.y), cell(n.z), cell(plane.near_offset)};
  }

  /// A triangle with its plane, and walls through its sides along the axis that its plane is steepest to. Those without area have none.
  void add_triangle(std::uint32_t f, Node& root) {
    const auto c = mesh_.face(f);
    const auto& v = space_.vertices;
    ExactPlane plane = ExactPlane::through(v[c[0]], v[c[1]], v[c[2]]);
    if (plane.near_normal == Vec3{}) return;
    const int axis = largest_axis(plane.near_normal);
    Facet facet;
    const Key key = key_of(plane);
    std::vector<std::uint32_t>& like = planes_like_[key];
    facet.polygon.plane = none;
    for (const std::uint32_t p : like) {
      const ExactPlane& other = space_.planes[p];
      if (side_of(other, v[c[0]]) != 0 || side_of(other, v[c[1]]) != 0 ||
          side_of(other, v[c[2]]) != 0) {
        continue;
      }
      facet.polygon.plane = p;
      facet.facing = dot(plane.near_normal, other.near_normal) > 0 ? 1 : -1;
      break;
    }
    if (facet.polygon.plane == none) {
      facet.polygon.plane = static_cast<std::uint32_t>(space_.planes.size());
      like.push_back(facet.polygon.plane);
      space_.planes.push_back(std::move(plane));
      triangle_of_.push_back(f);
    }
    for (std::size_t i = 0; i < 3; ++i) {
      facet.polygon.side.push_back(static_cast<std::uint32_t>(space_.planes.size()));
      space_.planes.push_back(ExactPlane::along_axis(v[c[i]], v[c[(i + 1) % 3]], axis));
      triangle_of_.push_back(f);
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const std::array<std::uint32_t, 3> planes = {
          facet.polygon.plane, facet.polygon.side[(i + 2) % 3], facet.polygon.side[i]};
      facet.polygon.corners.push_back({planes, c[i]});
    }
    root.facets.push_back(std::move(facet));
  }

  /// A plane with polygons in front of it, or none.
  std::uint32_t best_cut(const Node& node) {
    std::vector<Bound> planes;
    for (const Facet& f : node.facets) planes.push_back({f.polygon.plane, f.facing});
    std::sort(planes.begin(), planes.end(), [](const Bound& a, const Bound& b) {
      return a.plane < b.plane || (a.plane == b.plane && a.side < b.side);
    });
    planes.erase(std::unique(planes.begin(), planes.end()), planes.end());
    std::uint32_t best = none;
    std::size_t least = std::numeric_limits<std::size_t>::max();
    std::size_t compared = 0;
    for (const Bound& p : planes) {
      if (compared == compared_planes) break;
      std::array<std::size_t, 2> count{}; // behind, in front
      std::size_t split = 0;
      for (const Facet& f : node.facets) {
        const int place = space_.classify(f.polygon, p.plane, signs_);
        if (place == 2) ++split;
        if (place == p.side) ++count[1];
        if (place == -p.side) ++count[0];
      }
      if (split + count[1] == 0) continue;
      ++compared;
      const std::size_t uneven = std::max(count[0], count[1]) - std::min(count[0], count[1]);
      const std::size_t cost = split_cost * split + uneven / 2;
      if (cost < least) {
        least = cost;
        best = p.plane;
      }
    }
    return best;
  }

  void cut(const Node& node, std::uint32_t plane) {
    std::array<Node, 2> half; // where the plane's normal does not point, and where it does
    int facing = 0;
    for (const Facet& f : node.facets) {
      const int place = space_.classify(f.polygon, plane, signs_);
      if (place == 0) facing += facing_in(f, plane);
      if (place == -1) half[0].facets.push_back(f);
      if (place == 1) half[1].facets.push_back(f);
      if (place == 2) {
        half[0].facets.push_back({space_.clipped(f.polygon, plane, -1, signs_), f.facing});
        half[1].facets.push_back({space_.clipped(f.polygon, plane, 1, signs_), f.facing});
      }
    }
    for (std::size_t i = 0; i < 2; ++i) {
      half[i].cell = node.cell;
      half[i].cell.push_back({plane, i == 0 ? 1 : -1});
      const bool inside = i == 0 ? facing > 0 : facing < 0;
      if (half[i].facets.empty() && !inside) continue;
      waiting_polygons_ += half[i].facets.size();
      waiting_.push_back(std::move(half[i]));
    }
  }

  /// 1 where the polygon, which is in the plane, faces where the plane's normal points.
  [[nodiscard]] int facing_in(const Facet& f, std::uint32_t plane) const {
    const Vec3& n = space_.planes[plane].near_normal;
    return dot(n, space_.planes[f.polygon.plane].near_normal) > 0 ? f.facing : -f.facing;
  }

  Result<ExactPiece> make_piece(const Node& node) {
    std::vector<Bound> bounds = node.cell;
    for (const Facet& f : node.facets) {
      const Bound b{f.polygon.plane, f.facing};
      if (std::find(bounds.begin(), bounds.end(), b) == bounds.end()) bounds.push_back(b);
    }
    ExactPiece piece;
    std::vector<Vec3> corners;
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      const auto c = mesh_.face(triangle_of_[bounds[i].plane]);
      piece.bounds.push_back({{c[0], c[1], c[2]}, bounds[i].side});
      add_face_corners(bounds, i, corners);
    }
    if (corners.empty()) return failure(ErrorCode::degenerate, "the surface passes through itself");
    Result<ConvexHull> hull = convex_hull(corners);
    if (!hull) return tl::unexpected(hull.error());
    piece.hull = std::move(*hull);
    return piece;
  }

  /// The corners of the face of an intersection that is in plane i: a large square in the plane, clipped by all others.
  void add_face_corners(std::span<const Bound> bounds, std::size_t i, std::vector<Vec3>& corners) {
    const std::uint32_t plane = bounds[i].plane;
    const int axis = largest_axis(space_.planes[plane].near_normal);
    const auto u = static_cast<std::uint32_t>(2 * ((axis + 1) % 3));
    const auto v = static_cast<std::uint32_t>(2 * ((axis + 2) % 3));
    PlanePolygon face;
    face.plane = plane;
    face.side = {u, v, u + 1, v + 1};
    for (std::size_t k = 0; k < 4; ++k) {
      face.corners.push_back({{plane, face.side[(k + 3) % 4], face.side[k]}});
    }
    for (const Bound& b : bounds) {
      const int place = space_.classify(face, b.plane, signs_);
      if (place == b.side) return;
      if (place == 2) face = space_.clipped(face, b.plane, -b.side, signs_);
    }
    for (const PlaneCorner& c : face.corners) {
      Vec3 p = space_.position(c) / scale_;
      for (int k = 0; k < 3; ++k) {
        // Nearer to 0 than any coordinate: 0 or the least there is.
        if (tolerance::is_coordinate(p[k])) continue;
        p[k] = std::fabs(p[k]) < 0.5 * tolerance::coordinate_min ? 0
               : p[k] > 0                                        ? coordinate_above(p[k])
                                                                 : coordinate_below(p[k]);
      }
      corners.push_back(p);
    }
  }

  const PolygonMesh& mesh_;
  double scale_;
  PlaneArrangement space_;
  std::vector<std::uint32_t> triangle_of_; ///< per plane: a triangle in it
  std::map<Key, std::vector<std::uint32_t>> planes_like_;
  std::vector<Node> waiting_;
  std::size_t waiting_polygons_ = 0;
  std::vector<int> signs_;
};

/// The power of two that brings the coordinates below 1, or 0 where their digits then go too deep.
double exact_scale(const PolygonMesh& mesh) {
  double size = 0;
  for (const Vec3& v : mesh.vertices) size = std::fmax(size, max_abs(v));
  int exponent = 0;
  (void)std::frexp(size, &exponent);
  const double scale = std::ldexp(1.0, -exponent);
  for (const Vec3& v : mesh.vertices) {
    for (int k = 0; k < 3; ++k) {
      const double units = v[k] * scale * 0x1p119;
      if (units != std::floor(units)) return 0;
    }
  }
  return scale;
}

/// Whether the hulls have the volume of the solid, as far as rounded corners allow: each is off by a few roundings, times the area of its faces.
bool volumes_agree(std::span<const ExactPiece> pieces, double volume, double size) {
  double sum = 0;
  double area = 0;
  for (const ExactPiece& piece : pieces) {
    sum += hull_moments(piece.hull, piece.hull.vertices[0]).moments.volume;
    area += hull_measure(piece.hull, 1) - hull_measure(piece.hull, 0);
  }
  return std::fabs(sum - volume) <= 64 * tolerance::epsilon * (size * area + sum + volume);
}

} // namespace

Result<ExactDecomposition> exact_convex_pieces(const PolygonMesh& mesh,
                                               const ExactPiecesOptions& options) {
  const Result<MassProperties> mass = solid_mass(mesh);
  if (!mass) return tl::unexpected(mass.error());
  const PolygonMesh triangles = triangulated(mesh);
  const double scale = exact_scale(triangles);
  if (scale == 0) {
    return failure(ErrorCode::out_of_range,
                   "coordinates differ by too much: some have digits below 2^-119 of the greatest");
  }
  Result<std::vector<ExactPiece>> pieces = Partition(triangles, scale).run(options.max_pieces);
  if (!pieces) return tl::unexpected(pieces.error());
  double size = 0;
  for (const Vec3& v : mesh.vertices) size = std::fmax(size, max_abs(v));
  const double volume = mass_properties(triangles.surface()).volume;
  if (!volumes_agree(*pieces, volume, size)) {
    return failure(ErrorCode::degenerate,
                   "the surface passes through itself: the pieces do not have its volume");
  }
  return ExactDecomposition{std::move(*pieces), volume};
}

} // namespace carom
