// Cut, then merge.
//
// A leaf of the tree of cuts is a cell, bounded by planes, with what the mesh has in it. Its hull is that of the clipped triangles, and of those corners of the cell that
// are inside of the solid. That is the hull of all of the solid in the cell: an extreme point of it is either on the surface, or inside of the solid; there
// it has to be an extreme point of the cell, a corner. So no caps are made where a solid is cut.
//
// The band. What is within a small distance (CutMesh::band) of a cutting plane may be on either side. So for the inside it is known only that points that are farther
// than that from all m planes are covered, or as far as such a band moves the corners of cells. Any other point of the inside has such a point near: in some direction at an angle of
// sine 1/(2 m) or more to all planes (directions closer to one plane than that are 1/(2 m) of all) the bands take up 4 m^2 times their half width at most. The way there stays
// inside or meets the surface, which is covered. That makes the `gap`.
#include "carom/math/solve3.h"
#include "carom/mesh/boundary_loops.h"
#include "carom/mesh/convex_decomposition.h"
#include "carom/mesh/cut_mesh.h"
#include "carom/mesh/cut_search.h"
#include "carom/mesh/hull_excess.h"
#include "carom/mesh/mass_properties.h"
#include "carom/mesh/mesh_check.h"
#include "carom/mesh/mesh_components.h"
#include "carom/mesh/mesh_edges.h"
#include "carom/mesh/piece_merge.h"
#include "carom/mesh/rounded_hull.h"
#include "carom/mesh/triangulate.h"
#include "carom/mesh/winding_columns.h"
#include "carom/geometry/closest_point.h"
#include "carom/geometry/triangle.h"
#include "carom/math/tolerance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace carom {
namespace {

constexpr std::uint32_t most_pieces = 1024;
/// Planes of those ranked that are tried in earnest.
constexpr std::size_t tried_cuts = 3;
/// A cut that makes the hulls smaller by less than this part of the whole is not worth a piece.
constexpr double least_gain = 1e-6;
/// Merging that adds no more than this part of the whole costs nothing.
constexpr double free_merge = 1e-9;
/// The error is found to within this part of the mesh's diagonal.
constexpr double error_resolution = 2e-3;

/// A cutting plane, and on which side of it a cell is.
struct Bound {
  Plane plane;
  bool above = false;
};

/// A part and its hull.
struct Half {
  CutPart part;
  ConvexHull hull;
  double measure = 0;
};

struct Leaf {
  Half here;
  std::vector<Bound> cell;
  std::uint32_t node = 0;
  /// The best cut; none where nothing is gained.
  double gain = 0;
  Plane plane;
  std::array<Half, 2> halves;
};

class Decomposer {
public:
  Decomposer(std::vector<Vec3> vertices, std::vector<std::uint32_t> triangles, bool solid,
             const DecompositionOptions& options)
      : vertices_(std::move(vertices)), mesh_(vertices_, std::move(triangles)),
        reflex_(reflex_edges(vertices_, mesh_.triangles())), options_(options) {
    if (solid) inside_.emplace(vertices_, mesh_.triangles());
    low_ = high_ = vertices_[mesh_.triangles()[0]];
    for (const std::uint32_t i : mesh_.triangles()) {
      low_ = min(low_, vertices_[i]);
      high_ = max(high_, vertices_[i]);
    }
    diagonal_ = distance(low_, high_);
  }

  Result<ConvexDecomposition> run() {
    Result<Half> whole = with_hull(mesh_.whole());
    if (!whole) return tl::unexpected(whole.error());
    cuts_.push_back({});
    total_ = whole->measure;
    leaves_.push_back({std::move(*whole), {}, 0, 0, {}, {}});
    find_cut(leaves_[0]);
    // Three times as many parts as wanted, or a few dozen more: the merging then has a choice.
    const std::size_t most = options_.max_pieces == 1
                                 ? 1
                                 : std::min<std::size_t>(3 * options_.max_pieces,
                                                         options_.max_pieces + 24);
    while (leaves_.size() < most && cut_best()) {
    }
    return finish();
  }

private:
  Result<Half> with_hull(CutPart part) const {
    Result<ConvexHull> hull = convex_hull(mesh_.hull_points(part));
    if (!hull) return tl::unexpected(hull.error());
    const double measure = hull_measure(*hull, padding());
    return Half{std::move(part), std::move(*hull), measure};
  }
  [[nodiscard]] double padding() const { return 1e-3 * diagonal_; }
  [[nodiscard]] MeshBody body() const {
    return {vertices_, mesh_.triangles(), inside_ ? &*inside_ : nullptr};
  }

  void find_cut(Leaf& leaf) {
    leaf.gain = 0;
    if (options_.max_pieces == 1) return;
    if (options_.tolerance > 0 &&
        hull_excess(leaf.here.hull, body(),
                    {.absolute = options_.tolerance, .relative = 1, .most_boxes = 4096}) <=
            options_.tolerance) {
      return;
    }
    for (const RankedCut& cut :
         rank_cuts(mesh_, leaf.here.part, reflex_, padding(), tried_cuts)) {
      std::array<CutPart, 2> parts = mesh_.cut(leaf.here.part, cut.plane);
      if (parts[0].polygon_count() == 0 || parts[1].polygon_count() == 0) continue;
      for (const std::uint32_t c : corners_on(leaf.cell, cut.plane)) {
        parts[0].inner.push_back(c);
        parts[1].inner.push_back(c);
      }
      Result<Half> below = with_hull(std::move(parts[0]));
      Result<Half> above = with_hull(std::move(parts[1]));
      if (!below || !above) continue;
      const double gain = leaf.here.measure - below->measure - above->measure;
      if (gain <= leaf.gain || gain <= least_gain * total_) continue;
      leaf.gain = gain;
      leaf.plane = cut.plane;
      leaf.halves = {std::move(*below), std::move(*above)};
    }
  }

  /// Cuts the leaf that gains most. False where none gains.
  bool cut_best() {
    std::size_t best = 0;
    for (std::size_t i = 1; i < leaves_.size(); ++i) {
      if (leaves_[i].gain > leaves_[best].gain) best = i;
    }
    if (!(leaves_[best].gain > 0)) return false;
    const Leaf leaf = std::move(leaves_[best]);
    const auto first = static_cast<std::uint32_t>(cuts_.size());
    cuts_[leaf.node].normal = leaf.plane.normal;
    cuts_[leaf.node].offset = leaf.plane.offset;
    cuts_[leaf.node].child = {first, first + 1};
    cuts_.resize(cuts_.size() + 2);
    for (std::uint32_t side = 0; side < 2; ++side) {
      Leaf half{leaf.halves[side], leaf.cell, first + side, 0, {}, {}};
      half.cell.push_back({leaf.plane, side == 1});
      find_cut(half);
      if (side == 0) {
        leaves_[best] = std::move(half);
      } else {
        leaves_.push_back(std::move(half));
      }
    }
    return true;
  }

  /// The corners of a cell on a new plane through it, as far as they are inside of the solid.
  std::vector<std::uint32_t> corners_on(std::span<const Bound> cell, const Plane& plane) {
    std::vector<std::uint32_t> out;
    if (!inside_) return out;
    for (std::size_t i = 0; i < cell.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (const auto c = corner(cell, i, j, plane)) out.push_back(mesh_.add(*c));
      }
    }
    return out;
  }

  std::optional<CutPoint> corner(std::span<const Bound> cell, std::size_t i, std::size_t j,
                                 const Plane& plane) {
    const Plane& p = cell[i].plane;
    const Plane& q = cell[j].plane;
    const Mat3 rows = transpose(Mat3{plane.normal, p.normal, q.normal});
    const Solve3 at = solve(rows, {plane.offset, p.offset, q.offset});
    if (at.status != SolveStatus::unique || !is_finite(at.x)) return std::nullopt;
    // How far it moves with its planes, each by two bands; rounding of a well conditioned solution is far less, of another relative to itself.
    const double volume = std::fabs(triple(plane.normal, p.normal, q.normal));
    const double sway =
        (length(cross(p.normal, q.normal)) + length(cross(q.normal, plane.normal)) +
         length(cross(plane.normal, p.normal))) *
        2 * mesh_.band() / volume;
    const double reach = 16 * tolerance::epsilon * (mesh_.size() + max_abs(at.x));
    for (int k = 0; k < 3; ++k) {
      if (at.x[k] < low_[k] - sway - reach || at.x[k] > high_[k] + sway + reach) {
        return std::nullopt;
      }
    }
    for (std::size_t b = 0; b < cell.size(); ++b) {
      if (b == i || b == j) continue;
      const double above = cell[b].plane.signed_distance(at.x);
      if ((cell[b].above ? -above : above) > sway + reach + mesh_.band()) return std::nullopt;
    }
    if (!may_be_inside(at.x, sway + reach)) return std::nullopt;
    sway_ = std::fmax(sway_, 2 * sway);
    CutPoint c;
    for (int k = 0; k < 3; ++k) {
      // A corner that has to be taken for the sway's sake may itself be off the mesh.
      const double x = std::clamp(at.x[k], low_[k], high_[k]);
      c.low[k] = std::fmax(coordinate_below(x - reach), low_[k]);
      c.high[k] = std::fmin(coordinate_above(x + reach), high_[k]);
      c.at[k] = std::fmax(coordinate_below(x), c.low[k]);
    }
    return c;
  }

  /// Whether a point within `reach` is inside.
  [[nodiscard]] bool may_be_inside(const Vec3& p, double reach) const {
    if (inside_->count(p) != 0) return true;
    const auto triangles = mesh_.triangles();
    for (std::size_t t = 0; t < triangles.size(); t += 3) {
      const Triangle s{vertices_[triangles[t]], vertices_[triangles[t + 1]],
                       vertices_[triangles[t + 2]]};
      bool apart = false;
      for (int k = 0; k < 3; ++k) {
        apart = apart || p[k] + reach < std::fmin(s.a[k], std::fmin(s.b[k], s.c[k])) ||
                p[k] - reach > std::fmax(s.a[k], std::fmax(s.b[k], s.c[k]));
      }
      if (!apart && distance(p, closest_point(p, s).point) <= 2 * reach) return true;
    }
    return false;
  }

  Result<ConvexDecomposition> finish() {
    std::vector<ConvexHull> hulls;
    double slack = 0;
    for (Leaf& leaf : leaves_) {
      for (const std::uint32_t i : mesh_.points_of(leaf.here.part)) {
        slack = std::fmax(slack, length(mesh_.point(i).high - mesh_.point(i).low));
      }
      hulls.push_back(std::move(leaf.here.hull));
    }
    const MergeLimits limits{options_.max_pieces, free_merge * total_, padding()};
    Result<MergedPieces> merged = merge_pieces(std::move(hulls), limits);
    if (!merged) return tl::unexpected(merged.error());
    ConvexDecomposition out;
    out.solid = inside_.has_value();
    out.growth = slack;
    for (std::size_t i = 0; i < leaves_.size(); ++i) cuts_[leaves_[i].node].piece = merged->of[i];
    out.pieces = std::move(merged->hulls);
    for (ConvexHull& hull : out.pieces) {
      if (options_.vertex_limit > 0) {
        const std::vector<Vec3> exact = std::move(hull.vertices);
        Result<ConvexHull> simple = convex_hull(exact, {.vertex_limit = options_.vertex_limit});
        if (!simple) return tl::unexpected(simple.error());
        hull = std::move(*simple);
        out.growth = std::fmax(out.growth, slack + hull.growth);
      }
      out.piece_volume += hull_moments(hull, low_).moments.volume;
      const double enough = std::fmax(error_resolution * diagonal_, 0.5 * options_.tolerance);
      out.error = std::fmax(out.error, hull_excess(hull, body(), {.absolute = enough}));
    }
    const auto planes = static_cast<double>(leaves_.size() - 1);
    out.plane_band = mesh_.band();
    if (out.solid) {
      out.gap = out.pieces.size() <= 3 ? 0 : 8 * planes * planes * mesh_.band() + sway_;
      out.mesh_volume = std::fabs(mass_properties(vertices_, mesh_.triangles()).volume);
    }
    out.cuts = std::move(cuts_);
    return out;
  }

  std::vector<Vec3> vertices_;
  CutMesh mesh_;
  ReflexEdges reflex_;
  DecompositionOptions options_;
  std::optional<WindingColumns> inside_;
  Vec3 low_, high_;
  double diagonal_ = 0;
  double total_ = 0; ///< the measure of the whole hull
  double sway_ = 0;  ///< the farthest that a band moves a corner that was taken
  std::vector<Leaf> leaves_;
  std::vector<CutNode> cuts_;
};

/// The triangles that close the holes of a surface, or none where they do not.
std::vector<std::uint32_t> hole_patches(const PolygonMesh& triangles, const MeshEdges& edges) {
  const BoundaryLoops loops = boundary_loops(edges, mesh_fans(edges));
  std::vector<std::uint32_t> patches;
  PolygonMesh filled = triangles;
  for (std::size_t i = 0; i < loops.count(); ++i) {
    if (!loops.closed[i]) return {};
    const std::vector<std::uint32_t> around = loop_vertices(edges, loops, i);
    for (std::size_t k = 2; k < around.size(); ++k) {
      const std::array<std::uint32_t, 3> patch = {around[0], around[k], around[k - 1]};
      patches.insert(patches.end(), patch.begin(), patch.end());
      filled.add_face(patch);
    }
  }
  const Result<MeshEdges> closed = mesh_edges(filled.surface());
  if (!closed || !is_closed(*closed)) patches.clear();
  return patches;
}

Result<void> check_options(const DecompositionOptions& options) {
  if (options.max_pieces < 1 || options.max_pieces > most_pieces) {
    return failure(ErrorCode::out_of_range,
                   "max_pieces is " + std::to_string(options.max_pieces) + ", not 1 to " +
                       std::to_string(most_pieces));
  }
  if (!(options.tolerance >= 0) || !std::isfinite(options.tolerance)) {
    return failure(ErrorCode::out_of_range, "the tolerance is not a length >= 0");
  }
  if (options.vertex_limit != 0 && options.vertex_limit < 4) {
    return failure(ErrorCode::out_of_range, "a vertex limit below 4 leaves no solid");
  }
  return {};
}

} // namespace

Result<ConvexDecomposition> approximate_convex_pieces(const PolygonMesh& mesh,
                                                      const DecompositionOptions& options) {
  if (const Result<void> good = check_options(options); !good) return tl::unexpected(good.error());
  if (const Result<void> usable = check_usable(mesh); !usable) {
    return tl::unexpected(usable.error());
  }
  PolygonMesh triangles = triangulated(mesh);
  if (triangles.face_count() == 0) {
    return failure(ErrorCode::too_few, "the mesh has no face of three corners");
  }
  const Result<MeshEdges> edges = mesh_edges(triangles.surface());
  if (!edges) return tl::unexpected(edges.error());
  bool solid = is_closed(*edges);
  std::vector<std::uint32_t> patches;
  if (!solid && options.fill_holes) {
    patches = hole_patches(triangles, *edges);
    solid = !patches.empty();
    triangles.corners.insert(triangles.corners.end(), patches.begin(), patches.end());
  }
  Decomposer decomposer(std::move(triangles.vertices), std::move(triangles.corners), solid,
                        options);
  Result<ConvexDecomposition> out = decomposer.run();
  if (out) out->patches = std::move(patches);
  return out;
}

} // namespace carom
