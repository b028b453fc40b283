// The walk (feature_walk.h) finds; then the answer is proved, or not believed.
//
// The upper bound is the distance of the points. The lower one is how far the hulls are apart along the axis: where the features' neighbours prove that the points are
// the farthest of their hulls along it, it is known without looking at any other vertex; else the farthest vertices are looked up. The
// bounds agree to within a few roundings, or the search of distance() answers. So a wrong end of a walk costs time only.
#include "carom/query/vclip.h"

#include "carom/query/feature_look.h"
#include "carom/query/hull_walk.h"
#include "carom/query/rounded.h"

#include <algorithm>

namespace carom {
namespace {

/// Of the vertices of a feature, the one nearest to a point on it.
std::uint32_t nearest_vertex(const FeatureLevel& level, const HullFeature& feature, const Vec3& p) {
  if (feature.kind == FeatureKind::vertex) return feature.index;
  if (feature.kind == FeatureKind::edge) {
    const FeatureSide& side = level.sides[feature.index];
    return 2 * dot(p - level.vertices[side.origin], side.along) <= side.length ? side.origin
                                                                               : side.target;
  }
  std::uint32_t best = level.sides[level.sides_of(feature.index)[0]].origin;
  for (const std::uint32_t k : level.sides_of(feature.index)) {
    const std::uint32_t v = level.sides[k].origin;
    if (distance_squared(level.vertices[v], p) < distance_squared(level.vertices[best], p))
      best = v;
  }
  return best;
}

/// By a look at all: for the coarsest levels.
std::uint32_t farthest(const FeatureLevel& level, const Vec3& d) {
  std::uint32_t best = 0;
  for (std::uint32_t i = 1; i < level.vertices.size(); ++i)
    if (dot(d, level.vertices[i]) > dot(d, level.vertices[best])) best = i;
  return best;
}

class Tracker {
public:
  Tracker(const FeatureHull& a, const FeatureHull& b, const CorePair& cores, FeaturePair& pair)
      : a_(a), b_(b), cores_(cores), pair_(pair) {}

  /// False where the search has to answer.
  bool walk() {
    if (!start()) return false;
    FeatureWalk walk(a_.levels()[0], b_.levels()[0], cores_.b_in_a(), cores_.rounding(), result_);
    const FeatureWalk::End end = walk.run(pair_.a, pair_.b);
    result_.iterations += walk.steps();
    if (end != FeatureWalk::End::nearest || !proved(walk)) return false;
    pair_.a = walk.feature_a();
    pair_.b = walk.feature_b();
    return true;
  }

  void search() {
    const int walked = result_.iterations;
    result_ = nearest_cores(cores_, nearest_question(cores_, radius()), nullptr);
    result_.iterations += walked;
    pair_.found = FeaturePair::Found::by_search;
    pair_.meeting = !(result_.lower > 0);
    if (!pair_.meeting) start_along(result_.axis);
  }

  [[nodiscard]] const CoreDistance& result() const { return result_; }
  [[nodiscard]] double radius() const { return a_.shape().rounding() + b_.shape().rounding(); }

private:
  /// False where the cores met, so that there is nothing to walk on.
  bool start() {
    const std::uint64_t id_a = a_.shape().id(), id_b = b_.shape().id();
    if (pair_.id_a == id_a && pair_.id_b == id_b) return !pair_.meeting;
    pair_ = {};
    pair_.id_a = id_a;
    pair_.id_b = id_b;
    if (a_.levels().size() > 1 || b_.levels().size() > 1) return march();
    start_along(-cores_.inner_difference());
    return true;
  }

  void start_along(const Vec3& axis) {
    pair_.a = {FeatureKind::vertex, a_.farthest(axis)};
    pair_.b = {FeatureKind::vertex, b_.farthest(-cores_.b_in_a().direction_to_local(axis))};
  }

  /// From the coarsest levels to the last but the finest; then the features of the pair are near to the nearest. False where levels meet: they are parts of
  /// the shapes.
  bool march() {
    std::size_t level_a = a_.levels().size() - 1, level_b = b_.levels().size() - 1;
    const Vec3 axis = -cores_.inner_difference();
    pair_.a.index = farthest(a_.levels()[level_a], axis);
    pair_.b.index = farthest(b_.levels()[level_b], -cores_.b_in_a().direction_to_local(axis));
    while (level_a > 0 || level_b > 0) {
      const FeatureLevel& a = a_.levels()[level_a];
      const FeatureLevel& b = b_.levels()[level_b];
      FeatureWalk walk(a, b, cores_.b_in_a(), cores_.rounding(), result_);
      const FeatureWalk::End end = walk.run(pair_.a, pair_.b);
      result_.iterations += walk.steps();
      if (end != FeatureWalk::End::nearest) return false;
      const std::uint32_t vertex_a = nearest_vertex(a, walk.feature_a(), result_.on_a);
      const std::uint32_t vertex_b = nearest_vertex(b, walk.feature_b(), result_.on_b);
      // The one with more levels first, so that they are about as coarse.
      const bool down_a = level_a >= level_b;
      const bool down_b = level_b >= level_a;
      pair_.a = {FeatureKind::vertex, down_a ? a.finer[vertex_a] : vertex_a};
      pair_.b = {FeatureKind::vertex, down_b ? b.finer[vertex_b] : vertex_b};
      level_a -= down_a ? 1 : 0;
      level_b -= down_b ? 1 : 0;
    }
    return true;
  }

  /// Takes the walk's end where both bounds agree.
  bool proved(const FeatureWalk& walk) {
    const WalkProof proof = prove_walk(cores_, walk, result_);
    pair_.found = proof == WalkProof::by_supports ? FeaturePair::Found::by_supports
                                                  : FeaturePair::Found::by_neighbors;
    return proof != WalkProof::none;
  }

  const FeatureHull &a_, &b_;
  const CorePair& cores_;
  FeaturePair& pair_;
  CoreDistance result_;
};

[[gnu::noinline]] Distance by_walk(const FeatureHull& a, const Pose& pose_a, const FeatureHull& b,
                                   const Pose& pose_b, FeaturePair& pair) {
  if (!in_range(pose_a) || !in_range(pose_b)) return {.status = Status::bad_input};
  const CorePair cores(a.shape(), pose_a, b.shape(), pose_b);
  Tracker tracker(a, b, cores, pair);
  if (!tracker.walk()) tracker.search();
  return rounded_distance(cores, tracker.result(), a.shape().rounding(), b.shape().rounding());
}

/// From features of these kinds.
struct Tracked {
  template<FeatureKind kind_a, FeatureKind kind_b>
  [[gnu::hot]] static Distance from(const FeatureHull& a, const Pose& pose_a, const FeatureHull& b,
                                    const Pose& pose_b, FeaturePair& pair) {
    const FormPair forms(a.shape(), pose_a, b.shape(), pose_b);
    FormAnswer cores;
    int looks = 0;
    if (find_near_features<kind_a, kind_b>(forms, a.levels()[0], pair.a, b.levels()[0], pair.b,
                                           cores, looks)) {
      pair.found = FeaturePair::Found::by_neighbors;
      return rounded_distance(forms, cores, looks);
    }
    return by_walk(a, pose_a, b, pose_b, pair);
  }
};

} // namespace

Distance tracked_distance(const FeatureHull& a, const Pose& pose_a, const FeatureHull& b,
                          const Pose& pose_b, FeaturePair& pair) {
  if (!pair.meeting && pair.id_a == a.shape().id() && pair.id_b == b.shape().id())
    return way_from<Tracked>(pair.a.kind, pair.b.kind)(a, pose_a, b, pose_b, pair);
  return by_walk(a, pose_a, b, pose_b, pair);
}

} // namespace carom
