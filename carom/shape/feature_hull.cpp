// A coarse level is the hull of a random quarter of the vertices: they are vertices of that hull too.
#include "carom/shape/feature_hull.h"

#include "carom/math/random_order.h"
#include "carom/math/tolerance.h"

#include <algorithm>
#include <utility>

namespace carom {
namespace {

/// A level with this many vertices is not made coarser.
constexpr std::size_t coarsest_size = 16;
constexpr std::size_t coarsening = 4;

/// The hull of a random part of the vertices; nothing where that has fewer dimensions.
std::vector<FeatureLevel> coarser_levels(const ConvexHull& hull) {
  std::vector<FeatureLevel> result;
  ConvexHull current = hull;
  while (current.vertices.size() > coarsest_size) {
    const RandomOrder order(current.vertices.size(), 1);
    std::vector<std::uint32_t> kept;
    for (std::size_t i = 0; i < current.vertices.size() / coarsening; ++i)
      kept.push_back(static_cast<std::uint32_t>(order[i]));
    std::sort(kept.begin(), kept.end());
    std::vector<Vec3> points;
    points.reserve(kept.size());
    for (const std::uint32_t v : kept) points.push_back(current.vertices[v]);
    Result<ConvexHull> coarse = convex_hull(points);
    if (!coarse || coarse->dimension != hull.dimension) break;
    FeatureLevel level = feature_level(*coarse);
    for (const std::uint32_t s : coarse->source) level.finer.push_back(kept[s]);
    result.push_back(std::move(level));
    current = std::move(*coarse);
  }
  return result;
}

/// The corners of the small kinds; none of another kind.
struct CornersOf {
  std::vector<Vec3> operator()(const Vec3& p) const { return {p}; }
  std::vector<Vec3> operator()(const Segment& s) const { return {s.a, s.b}; }
  std::vector<Vec3> operator()(const Triangle& t) const { return {t.a, t.b, t.c}; }
  std::vector<Vec3> operator()(const Obb& box) const {
    std::vector<Vec3> corners;
    corners.reserve(8);
    for (int i = 0; i < 8; ++i) corners.push_back(box.corner(i));
    return corners;
  }
  template<class Core>
  std::vector<Vec3> operator()(const Core&) const {
    return {};
  }
};

/// The hull of the corners of one of the small kinds. A turned box may have coordinates below the range, which may be large beside its others: so it is enlarged, by a
/// power of two, and then what is below the range is nothing.
Result<ConvexHull> hull_of_corners(const std::vector<Vec3>& corners) {
  double size = 0;
  for (const Vec3& c : corners) size = std::max(size, max_abs(c));
  double factor = 1;
  while (size > 0 && size * factor < 1) factor *= 2;
  std::vector<Vec3> enlarged;
  for (const Vec3& c : corners) {
    Vec3 e = c * factor;
    for (int k = 0; k < 3; ++k)
      if (std::fabs(e[k]) < tolerance::coordinate_min) e[k] = 0;
    enlarged.push_back(e);
  }
  Result<ConvexHull> hull = convex_hull(enlarged);
  if (!hull) return hull;
  for (std::size_t i = 0; i < hull->vertices.size(); ++i)
    hull->vertices[i] = corners[hull->source[i]];
  return hull;
}

} // namespace

Result<FeatureHull> FeatureHull::of(const Shape& shape, const FeatureHullOptions& options) {
  FeatureHull result(shape);
  const ShapeCore& core = result.shape_.core();
  if (const auto* polytope = std::get_if<Polytope>(&core)) result.polytope_ = polytope;
  if (const auto* brush = std::get_if<BrushCore>(&core)) result.polytope_ = &brush->corners;
  ConvexHull own;
  if (!result.polytope_) {
    const std::vector<Vec3> corners = std::visit(CornersOf{}, core);
    if (corners.empty())
      return failure(ErrorCode::degenerate,
                     "A shape that is curved, unbounded or made of others has no features to walk "
                     "on; take a point, segment, triangle, box, hull "
                     "or brush.");
    Result<ConvexHull> hull = hull_of_corners(corners);
    if (!hull) return tl::unexpected<Error>(hull.error());
    own = std::move(*hull);
  }
  const ConvexHull& hull = result.polytope_ ? result.polytope_->hull() : own;
  result.levels_.push_back(feature_level(hull));
  if (options.levels) {
    for (FeatureLevel& level : coarser_levels(hull)) result.levels_.push_back(std::move(level));
  }
  return result;
}

std::uint32_t FeatureHull::farthest(const Vec3& d) const {
  if (polytope_) return polytope_->farthest(d);
  const std::vector<Vec3>& points = levels_[0].vertices;
  std::uint32_t best = 0;
  for (std::uint32_t i = 1; i < points.size(); ++i)
    if (dot(d, points[i]) > dot(d, points[best])) best = i;
  return best;
}

} // namespace carom
