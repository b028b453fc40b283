// Cut, then merge.
//
// A leaf of the tree of cuts is a cell, bounded by planes, with what the mesh has in it. Its hull is that of the clipped triangles, and of those corners of the cell that
// are inside of the solid. That is the hull of all of the solid in the cell: an extreme point of it is either on the surface, or inside of the solid; there
// it has to be an extreme point of the cell, a corner. So no caps are made where a solid is cut.
//
// The band. What is within a small distance (CutMesh::band) of a cutting plane may be on either side. So cells are taken without a band of twice that half width at their
// planes, and it is known that points of the inside are covered that are outside of all bands. Any other has such a point near: in some direction at an angle of
// sine 1/(2 m) or more to all m planes (directions closer to one plane than that are 1/(2 m) of all) the bands take up 4 m^2 times their half width at most. The way there stays
// inside or meets the surface, which is covered. That makes the `gap`.
#include "carom/math/solve3.h"
#include "carom/math/tolerance.h"
#include "carom/mesh/close_holes.h"
#include "carom/mesh/convex_decomposition.h"
#include "carom/mesh/cut_mesh.h"
#include "carom/mesh/cut_search.h"
#include "carom/mesh/hull_contains.h"
#include "carom/mesh/hull_excess.h"
#include "carom/mesh/mass_properties.h"
#include "carom/mesh/mesh_check.h"
#include "carom/mesh/mesh_edges.h"
#include "carom/mesh/piece_merge.h"
#include "carom/mesh/rounded_hull.h"
#include "carom/mesh/triangulate.h"
#include "carom/mesh/winding_columns.h"

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
/// A part whose hull has less than this part of the whole too much is not worth a cut.
constexpr double least_excess = 1e-4;
/// Points of a lattice across a hull's box, a side, at which its excess is estimated.
constexpr int samples = 16;
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
  double excess = 0; ///< about how much of that is not of the mesh
};

struct Leaf {
  Half here;
  std::vector<Bound> cell;
  std::uint32_t node = 0;
  bool cuttable = false; ///< then this is the best cut:
  Plane plane;
  std::array<Half, 2> halves;
};

/// The volume of a hull without the solid, by a lattice of points in its box.
double sampled_excess(const ConvexHull& hull, const WindingColumns& inside) {
  if (hull.dimension < 3) return 0;
  Vec3 low = hull.vertices[0];
  Vec3 high = low;
  for (const Vec3& v : hull.vertices) {
    low = min(low, v);
    high = max(high, v);
  }
  std::vector<Plane> faces;
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const auto c = hull.corners(f);
    faces.push_back(make_plane(hull.vertices[c[0]], hull.vertices[c[1]], hull.vertices[c[2]]));
  }
  const Vec3 step = (high - low) / samples;
  const auto at = [&](int x, int y, int z) {
    return low + mul(step, Vec3{x + 0.5, y + 0.5, z + 0.5});
  };
  int outside = 0;
  for (int z = 0; z < samples; ++z) {
    for (int y = 0; y < samples; ++y) {
      for (int x = 0; x < samples; ++x) {
        const Vec3 p = at(x, y, z);
        if (inside.count(p) != 0) continue;
        const bool in = std::all_of(faces.begin(), faces.end(),
                                    [&](const Plane& f) { return f.signed_distance(p) <= 0; });
        outside += in ? 1 : 0;
      }
    }
  }
  return outside * (step.x * step.y * step.z);
}

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
    leaves_.push_back({std::move(*whole), {}, 0, false, {}, {}});
    find_cut(leaves_[0]);
    // Three times as many parts as wanted, or a few dozen more: the merging then has a choice.
    const std::size_t most =
        options_.max_pieces == 1
            ? 1
            : std::min<std::size_t>(3 * options_.max_pieces, options_.max_pieces + 24);
    while (leaves_.size() < most && cut_best()) {
    }
    return finish();
  }

private:
  Result<Half> with_hull(CutPart part) const {
    Result<ConvexHull> hull = convex_hull(mesh_.hull_points(part));
    if (!hull) return tl::unexpected(hull.error());
    const double measure = hull_measure(*hull, padding());
    const double excess = excess_of(part, *hull, measure);
    return Half{std::move(part), std::move(*hull), measure, excess};
  }
  /// An estimate: for a solid, the volume of the hull without the solid; for a surface, all that a flat one would not have.
  [[nodiscard]] double excess_of(const CutPart& part, const ConvexHull& hull,
                                 double measure) const {
    if (inside_) return sampled_excess(hull, *inside_);
    double area = 0;
    for (std::size_t p = 0; p < part.polygon_count(); ++p) {
      const auto corners = part.polygon(p);
      const Vec3& a = mesh_.point(corners[0]).at;
      for (std::size_t i = 2; i < corners.size(); ++i) {
        area += length(cross(mesh_.point(corners[i - 1]).at - a, mesh_.point(corners[i]).at - a));
      }
    }
    return std::fmax(0, measure - padding() * area);
  }
  [[nodiscard]] double padding() const { return 1e-3 * diagonal_; }
  [[nodiscard]] MeshBody body() const {
    return {vertices_, mesh_.triangles(), inside_ ? &*inside_ : nullptr};
  }

  void find_cut(Leaf& leaf) {
    if (options_.max_pieces == 1 || !(leaf.here.excess > least_excess * total_)) return;
    if (options_.tolerance > 0 &&
        hull_excess(leaf.here.hull, body(),
                    {.absolute = options_.tolerance, .relative = 1, .most_boxes = 4096}) <=
            options_.tolerance) {
      return;
    }
    double least = std::numeric_limits<double>::infinity();
    for (const RankedCut& cut : rank_cuts(mesh_, leaf.here.part, reflex_, padding(), tried_cuts)) {
      std::array<CutPart, 2> parts = mesh_.cut(leaf.here.part, cut.plane);
      if (parts[0].polygon_count() == 0 || parts[1].polygon_count() == 0) continue;
      for (std::size_t side = 0; side < 2; ++side) {
        std::vector<Bound> cell = leaf.cell;
        cell.push_back({cut.plane, side == 1});
        parts[side].inner = inner_corners(cell);
      }
      Result<Half> below = with_hull(std::move(parts[0]));
      Result<Half> above = with_hull(std::move(parts[1]));
      if (!below || !above) continue;
      const double cost = below->measure + above->measure + cut.bias;
      if (!(cost < least)) continue;
      least = cost;
      leaf.cuttable = true;
      leaf.plane = cut.plane;
      leaf.halves = {std::move(*below), std::move(*above)};
    }
  }

  /// Cuts the leaf that has most to gain. False where none has.
  bool cut_best() {
    const auto worth = [&](std::size_t i) {
      return leaves_[i].cuttable ? leaves_[i].here.excess : -1;
    };
    std::size_t best = 0;
    for (std::size_t i = 1; i < leaves_.size(); ++i) {
      if (worth(i) > worth(best)) best = i;
    }
    if (!leaves_[best].cuttable) return false;
    const Leaf leaf = std::move(leaves_[best]);
    const auto first = static_cast<std::uint32_t>(cuts_.size());
    cuts_[leaf.node].normal = leaf.plane.normal;
    cuts_[leaf.node].offset = leaf.plane.offset;
    cuts_[leaf.node].child = {first, first + 1};
    cuts_.resize(cuts_.size() + 2);
    for (std::uint32_t side = 0; side < 2; ++side) {
      Leaf half{leaf.halves[side], leaf.cell, first + side, false, {}, {}};
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

  /// The corners of a cell, less the bands of its planes, that are inside of the solid.
  std::vector<std::uint32_t> inner_corners(std::span<const Bound> cell) {
    std::vector<std::uint32_t> out;
    if (!inside_) return out;
    for (std::size_t i = 0; i < cell.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        for (std::size_t k = 0; k < j; ++k) {
          if (const auto c = inner_corner(cell, i, j, k)) out.push_back(mesh_.add(*c));
        }
      }
    }
    return out;
  }

  std::optional<CutPoint> inner_corner(std::span<const Bound> cell, std::size_t i, std::size_t j,
                                       std::size_t k) const {
    const double shift = 2 * mesh_.band();
    const auto inward = [&](const Bound& b) { return b.plane.offset + (b.above ? shift : -shift); };
    const Vec3& u = cell[i].plane.normal;
    const Vec3& v = cell[j].plane.normal;
    const Vec3& w = cell[k].plane.normal;
    const Solve3 at =
        solve(transpose(Mat3{u, v, w}), {inward(cell[i]), inward(cell[j]), inward(cell[k])});
    if (at.status != SolveStatus::unique || !is_finite(at.x)) return std::nullopt;
    for (int axis = 0; axis < 3; ++axis) {
      if (!(at.x[axis] >= low_[axis] && at.x[axis] <= high_[axis])) return std::nullopt;
    }
    for (std::size_t b = 0; b < cell.size(); ++b) {
      if (b == i || b == j || b == k) continue;
      const double above = dot(cell[b].plane.normal, at.x) - inward(cell[b]);
      if ((cell[b].above ? -above : above) > 0.5 * mesh_.band()) return std::nullopt;
    }
    if (inside_->count(at.x) == 0) return std::nullopt;
    // The residual of the solution, 32 roundings, and how much that matters where the planes are nearly parallel to a line. (Nearer than 2^-26 to that
    // the solution is right in all its digits.)
    const double stretch = (length(cross(u, v)) + length(cross(v, w)) + length(cross(w, u))) /
                           std::fabs(triple(u, v, w));
    const double reach =
        64 * tolerance::epsilon * mesh_.size() * std::fmin(std::fmax(stretch, 1), 0x1p28);
    CutPoint c;
    for (int axis = 0; axis < 3; ++axis) {
      c.low[axis] = std::fmax(coordinate_below(at.x[axis] - reach), low_[axis]);
      c.high[axis] = std::fmin(coordinate_above(at.x[axis] + reach), high_[axis]);
      c.at[axis] = std::fmax(coordinate_below(at.x[axis]), c.low[axis]);
    }
    return c;
  }

  /// Whether the box of every point of a leaf is in the leaf's piece, by exact signs.
  [[nodiscard]] bool encloses(std::span<const ConvexHull> pieces) const {
    return std::all_of(leaves_.begin(), leaves_.end(), [&](const Leaf& leaf) {
      const ConvexHull& piece = pieces[cuts_[leaf.node].piece];
      const std::vector<Vec3> points = mesh_.hull_points(leaf.here.part);
      return std::all_of(points.begin(), points.end(),
                         [&](const Vec3& p) { return hull_contains(piece, p); });
    });
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
    out.encloses = encloses(out.pieces);
    const auto planes = static_cast<double>(leaves_.size() - 1);
    out.plane_band = mesh_.band();
    if (out.solid) {
      out.gap = out.pieces.size() <= 3 ? 0 : 8 * planes * planes * mesh_.band();
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
  std::vector<Leaf> leaves_;
  std::vector<CutNode> cuts_;
};

Result<void> check_options(const DecompositionOptions& options) {
  if (options.max_pieces < 1 || options.max_pieces > most_pieces) {
    return failure(ErrorCode::out_of_range, "max_pieces is " + std::to_string(options.max_pieces) +
                                                ", not 1 to " + std::to_string(most_pieces));
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
  join_vertices(triangles);
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
