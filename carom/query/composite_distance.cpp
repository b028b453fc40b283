// The nearest pair of parts. The walk begins with the pair that was nearest last time, where there is a cache.
#include "carom/query/composite_queries.h"
#include "carom/query/part_walk.h"
#include "carom/query/solid_inside.h"

#include <algorithm>

namespace carom {
namespace {

class NearestParts {
public:
  NearestParts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
               const DistanceOptions& options)
      : a_(a), b_(b), pair_(a, pose_a, b, pose_b), opened_(a, b), part_a_(a, pose_a, opened_.a),
        part_b_(b, pose_b, opened_.b), options_(options) {}

  [[nodiscard]] const PartPair& pair() const { return pair_; }

  /// Measures a pair, and keeps it where it is the nearest so far.
  void take(std::uint64_t i, std::uint64_t j) {
    part_a_.take(i);
    part_b_.take(j);
    ++tried_;
    const DistanceOptions within{.limit = any_ ? best_.value : INFINITY};
    const Distance d =
        distance(part_a_.shape(), part_a_.pose(), part_b_.shape(), part_b_.pose(), within);
    least_bound_ = std::min(least_bound_, d.lower_bound);
    if (any_ && !(d.value < best_.value)) return;
    any_ = true;
    best_ = d;
    best_.part_a = part_a_.id(d.part_a);
    best_.part_b = part_b_.id(d.part_b);
    nearest_a_ = static_cast<std::uint32_t>(i);
    nearest_b_ = static_cast<std::uint32_t>(j);
  }

  void search() {
    const auto *mesh_a = body_of<TriangleMesh>(a_), *mesh_b = body_of<TriangleMesh>(b_);
    if (mesh_a && mesh_b) {
      search_meshes(*mesh_a, *mesh_b);
    } else {
      walk_parts(
          PartTree(a_, opened_.a), PartTree(b_, opened_.b), beyond(),
          [&](const Aabb& box_a, const Aabb& box_b) { return pair_.gap(box_a, box_b); },
          [&](std::uint64_t i, std::uint64_t j, double& limit) {
            take(i, j);
            limit = beyond();
          });
    }
    // All may be beyond what was asked for.
    if (!any_) take(opened_.a ? some_part(a_) : 0, opened_.b ? some_part(b_) : 0);
  }

  /// The answer, once all pairs were measured or passed over.
  [[nodiscard]] Distance answer() const {
    Distance d = best_;
    d.iterations = tried_;
    // What was passed over is beyond that. Negative: not all was looked at, since a pair overlaps or is as near as asked for.
    const double others = beyond();
    d.lower_bound = std::max(0.0, std::min(least_bound_, others) - pair_.slack());
    const double open = d.value - d.lower_bound;
    const double size =
        pair_.size() + max_abs(pair_.frame_a().origin) + max_abs(pair_.frame_b().origin);
    if (d.status == Status::ok && stops_early() && open > 1e-12 * size) d.status = Status::stopped;
    if (d.status == Status::ok && open > 1e-10 * size) d.status = Status::wide;
    return d;
  }
  void keep(PairCache& cache) const {
    cache.id_a = a_.id();
    cache.id_b = b_.id();
    cache.count = 0;
    cache.has_features = false;
    cache.part_a = nearest_a_;
    cache.part_b = nearest_b_;
  }

private:
  [[nodiscard]] bool stops_early() const {
    return options_.absolute_error > 0 || options_.relative_error > 0 || options_.threshold > 0 ||
           options_.limit < INFINITY;
  }

  /// Pairs that are at least so far apart need not be measured; negative where none need be.
  [[nodiscard]] double beyond() const {
    // A little more than asked for, so that the bound comes out above it.
    const double more = 2 * pair_.slack();
    double limit = options_.limit >= 0 ? options_.limit + more : INFINITY;
    if (options_.threshold > 0) {
      if (any_ && best_.value < options_.threshold) return -1;
      limit = std::min(limit, options_.threshold + more);
    }
    if (!any_) return limit;
    if (!(best_.value > 0)) return -1;
    const double wanted = std::min(best_.value - std::max(options_.absolute_error, 0.0),
                                   best_.value / (1 + std::max(options_.relative_error, 0.0)));
    return std::min(limit, wanted);
  }

  void search_meshes(const TriangleMesh& mesh_a, const TriangleMesh& mesh_b) {
    const double limit = beyond();
    if (limit < 0) return;
    const double radius = a_.rounding() + b_.rounding();
    NearestOptions options;
    // Of equals, those that are measured already will do.
    options.below = limit + radius;
    options.absolute_error = std::max(options_.absolute_error, 0.0);
    options.relative_error = radius > 0 ? 0 : std::max(options_.relative_error, 0.0);
    if (any_) options.guess = {nearest_a_, nearest_b_};
    const NearestTriangles found =
        nearest_pair(mesh_a.set(), mesh_b.set(), pair_.b_in_a(), options);
    if (found) take(found.a, found.b);
  }

  const Shape &a_, &b_;
  PartPair pair_;
  Opened opened_;
  PartShape part_a_, part_b_;
  const DistanceOptions& options_;
  Distance best_;
  double least_bound_ = INFINITY; ///< of the pairs that were measured
  bool any_ = false;
  int tried_ = 0;
  std::uint32_t nearest_a_ = 0, nearest_b_ = 0;
};

Distance within(const InsidePoint& inside) {
  Distance d;
  d.on_a = d.on_b = inside.point;
  return d;
}

} // namespace

Distance composite_distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                            const DistanceOptions& options, PairCache* cache) {
  if (!parts_in_range(a, pose_a) || !parts_in_range(b, pose_b))
    return {.status = Status::bad_input};
  NearestParts nearest(a, pose_a, b, pose_b, options);
  if (const auto inside = point_inside(a, nearest.pair().frame_a(), b, pose_b)) {
    Distance d = within(*inside);
    d.part_b = inside->part;
    return d;
  }
  if (const auto inside = point_inside(b, nearest.pair().frame_b(), a, pose_a)) {
    Distance d = within(*inside);
    d.part_a = inside->part;
    return d;
  }
  if (cache && cache->id_a == a.id() && cache->id_b == b.id())
    nearest.take(cache->part_a, cache->part_b);
  nearest.search();
  if (cache) nearest.keep(*cache);
  return nearest.answer();
}

} // namespace carom
