// What trees of volumes are asked: which triangles of two meshes meet, which are nearest, what a ray hits, what is nearest to a point.
//
// Two meshes: A stays where it is, B is placed by a frame, given as seen from A. Its basis must be orthonormal to within rounding. A
// corner p of B is then at b_in_a.to_world(p), rounded; the answers are those for the triangles between such corners. Every answer is the
// one that comes from testing all triangles, or all pairs, one by one: bit for bit, whatever the volume, the builder and the rule. For
// that, all bounds are moved to the safe side by `slack`, which is more than what can be lost to rounding in them.
#pragma once

#include "carom/geometry/cast_box.h"
#include "carom/geometry/cast_flat.h"
#include "carom/geometry/cast_round.h"
#include "carom/geometry/cast_shell.h"
#include "carom/geometry/closest_flat.h"
#include "carom/geometry/closest_point.h"
#include "carom/geometry/ray_slabs.h"
#include "carom/geometry/triangle_triangle.h"
#include "carom/math/tolerance.h"
#include "carom/tree/volume_traversal.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Numbers of triangles in the meshes.
struct VolumeTreePair {
  std::uint32_t a = 0, b = 0;
  constexpr bool operator==(const VolumeTreePair&) const = default;
  constexpr bool operator<(const VolumeTreePair& o) const { return a != o.a ? a < o.a : b < o.b; }
};

/// The nearest points of two meshes. Where they meet, the distance is 0 and both points are one common point. Not found: infinite distance.
struct VolumeTreeNearest : ClosestPair {
  bool found = false;
  VolumeTreePair triangles;
};

struct VolumeTreeNearestOptions {
  VolumeTraversal traversal{TreeDescent::larger, TreeSearch::nearest_first};
  /// Looked at first: the nearest pair of a moment ago is nearly the nearest now. Numbers that are not triangles of the trees' meshes are passed over.
  std::optional<VolumeTreePair> guess = std::nullopt;
  /// Only pairs at this distance or nearer are looked for.
  double within = INFINITY;
};

/// The first thing a ray meets. Of equal t, the triangle with the smallest number.
struct VolumeTreeHit : TriangleHit {
  std::uint32_t triangle = 0;
};

/// The point of a mesh nearest to a given one. Not found (there are no triangles): infinite distance.
struct VolumeTreePoint : ClosestOnTriangle {
  bool found = false;
  std::uint32_t triangle = 0;
};

namespace volume_query {

/// In epsilons of the size: volumes and their bounds are right to within 128, triangle tests to within 32, placed corners to within 8.
inline constexpr double slack_factor = 256;

[[nodiscard]] inline double slack(double size) { return slack_factor * tolerance::epsilon * size; }

template<class V>
[[nodiscard]] double slack(const VolumeTree<V>& a, const VolumeTree<V>& b, const Frame& b_in_a) {
  return slack(a.extent + 2 * b.extent + max_abs(b_in_a.origin));
}

[[nodiscard]] inline Triangle placed(const Triangle& t, const Frame& frame) {
  return {frame.to_world(t.a), frame.to_world(t.b), frame.to_world(t.c)};
}

/// Calls test(number, number, triangle of A, placed triangle of B) for the pairs of two leaves until it returns true, and then returns true.
template<class V, class Test>
bool any_pair(const VolumeTree<V>& tree_a, const typename VolumeTree<V>::Node& a,
              const VolumeTree<V>& tree_b, const typename VolumeTree<V>::Node& b,
              const Frame& b_in_a, VolumeTreeStats& stats, Test&& test) {
  for (const std::uint32_t j : tree_b.triangles_of(b)) {
    const Triangle other = placed(tree_b.mesh[j], b_in_a);
    for (const std::uint32_t i : tree_a.triangles_of(a)) {
      ++stats.triangles;
      if (test(VolumeTreePair{i, j}, tree_a.mesh[i], other)) return true;
    }
  }
  return false;
}

/// Calls found(pair) for each pair of triangles that meet, until it returns true. Trees with shared triangles may find a pair more than once.
template<class V, class Found>
void visit_overlaps(const VolumeTree<V>& a, const VolumeTree<V>& b, const Frame& b_in_a,
                    const VolumeTraversal& options, VolumeTreeStats& stats, Found&& found) {
  using Node = typename VolumeTree<V>::Node;
  const typename VolumeKind<V>::Relative relative(b_in_a);
  const double room = slack(a, b, b_in_a);
  const bool sorted = options.search != TreeSearch::depth_first;
  // Those that overlap most come first: by the balls around them, roughly.
  const auto bound = [&](const Node& x, const Node& y) {
    ++stats.volumes;
    if (relative.apart(x.volume, y.volume, room)) return static_cast<double>(INFINITY);
    if (!sorted) return 0.0;
    const Sphere p = VolumeKind<V>::ball(x.volume);
    const Sphere q = VolumeKind<V>::ball(y.volume);
    return distance(p.center, b_in_a.to_world(q.center)) - p.radius - q.radius;
  };
  const auto leaf = [&](const Node& x, const Node& y) {
    return any_pair(a, x, b, y, b_in_a, stats,
                    [&](const VolumeTreePair& pair, const Triangle& s, const Triangle& t) {
                      return overlaps(s, t) && found(pair);
                    });
  };
  traverse(
      a, b, options, bound, [] { return std::numeric_limits<double>::max(); }, leaf);
}

/// Where a ray enters a volume, made larger by the slack.
template<BoundingVolume V>
class Caster {
public:
  Caster(const Ray& ray, double slack) : ray_(ray), slack_(slack) {}
  [[nodiscard]] double enter(const V& volume, double t_max) const {
    const Cast c = cast(ray_, VolumeKind<V>::grown(volume, slack_), t_max);
    return c.hit ? c.t : INFINITY;
  }

private:
  Ray ray_;
  double slack_;
};

template<>
class Caster<Aabb> {
public:
  Caster(const Ray& ray, double slack) : slabs_(ray), slack_(slack) {}
  [[nodiscard]] double enter(const Aabb& box, double t_max) const {
    const double t = carom::enter(slabs_, VolumeKind<Aabb>::grown(box, slack_));
    return t <= t_max ? t : INFINITY;
  }

private:
  RaySlabs slabs_;
  double slack_;
};

} // namespace volume_query

/// All pairs of triangles that meet, in ascending order, each once. Touching counts.
template<BoundingVolume V>
[[nodiscard]] std::vector<VolumeTreePair>
overlapping_pairs(const VolumeTree<V>& a, const VolumeTree<V>& b, const Frame& b_in_a,
                  const VolumeTraversal& options = {}, VolumeTreeStats* stats = nullptr) {
  VolumeTreeStats own;
  std::vector<VolumeTreePair> pairs;
  volume_query::visit_overlaps(a, b, b_in_a, options, stats ? *stats : own,
                               [&](const VolumeTreePair& pair) {
                                 pairs.push_back(pair);
                                 return false;
                               });
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

/// A pair of triangles that meet, if any do: the first that is found. Which, depends on the tree and the options.
template<BoundingVolume V>
[[nodiscard]] std::optional<VolumeTreePair>
first_overlapping_pair(const VolumeTree<V>& a, const VolumeTree<V>& b, const Frame& b_in_a,
                       const VolumeTraversal& options = {}, VolumeTreeStats* stats = nullptr) {
  VolumeTreeStats own;
  std::optional<VolumeTreePair> first;
  volume_query::visit_overlaps(a, b, b_in_a, options, stats ? *stats : own,
                               [&](const VolumeTreePair& pair) {
                                 first = pair;
                                 return true;
                               });
  return first;
}

/// Of several nearest pairs, the first that is found.
template<BoundingVolume V>
[[nodiscard]] VolumeTreeNearest
nearest_triangles(const VolumeTree<V>& a, const VolumeTree<V>& b, const Frame& b_in_a,
                  const VolumeTreeNearestOptions& options = {}, VolumeTreeStats* stats = nullptr) {
  using Node = typename VolumeTree<V>::Node;
  VolumeTreeStats own;
  VolumeTreeStats& counted = stats ? *stats : own;
  const typename VolumeKind<V>::Relative relative(b_in_a);
  const double room = volume_query::slack(a, b, b_in_a);
  VolumeTreeNearest best;
  best.distance = INFINITY;
  const auto limit = [&] { return best.found ? best.distance : options.within; };
  const auto consider = [&](const VolumeTreePair& pair, const Triangle& s, const Triangle& t) {
    const ClosestPair c = closest_points(s, t);
    if (!(c.distance <= options.within) || !(c.distance < best.distance)) return false;
    best = {c, true, pair};
    return best.distance == 0;
  };
  if (options.guess && is_usable(a.mesh, options.guess->a) && is_usable(b.mesh, options.guess->b)) {
    ++counted.triangles;
    const Triangle other = volume_query::placed(b.mesh[options.guess->b], b_in_a);
    if (consider(*options.guess, a.mesh[options.guess->a], other)) return best;
  }
  const auto bound = [&](const Node& x, const Node& y) {
    ++counted.volumes;
    return relative.distance_below(x.volume, y.volume, limit() + room) - room;
  };
  const auto leaf = [&](const Node& x, const Node& y) {
    return volume_query::any_pair(a, x, b, y, b_in_a, counted, consider);
  };
  traverse(a, b, options.traversal, bound, limit, leaf);
  return best;
}

/// The first point with 0 <= t <= t_max.
template<BoundingVolume V>
[[nodiscard]] VolumeTreeHit cast(const Ray& ray, const VolumeTree<V>& tree, double t_max = INFINITY,
                                 TreeSearch search = TreeSearch::nearest_first,
                                 VolumeTreeStats* stats = nullptr) {
  using Node = typename VolumeTree<V>::Node;
  VolumeTreeStats own;
  VolumeTreeStats& counted = stats ? *stats : own;
  const volume_query::Caster<V> caster(ray, volume_query::slack(tree.extent + max_abs(ray.origin)));
  VolumeTreeHit best;
  // Infinity is what a miss is: the limit stays below it.
  const auto limit = [&] {
    return std::min(best.hit ? best.t : t_max, std::numeric_limits<double>::max());
  };
  const auto bound = [&](const Node& node) {
    ++counted.volumes;
    return caster.enter(node.volume, limit());
  };
  const auto leaf = [&](const Node& node) {
    for (const std::uint32_t i : tree.triangles_of(node)) {
      ++counted.triangles;
      const TriangleHit h = cast(ray, tree.mesh[i], limit());
      if (!h.hit) continue;
      if (!best.hit || h.t < best.t || (h.t == best.t && i < best.triangle)) best = {h, i};
    }
    return false;
  };
  traverse(tree, search, bound, limit, leaf);
  return best;
}

/// Of several nearest triangles, the one with the smallest number.
template<BoundingVolume V>
[[nodiscard]] VolumeTreePoint closest_point(const Vec3& p, const VolumeTree<V>& tree,
                                            TreeSearch search = TreeSearch::nearest_first,
                                            VolumeTreeStats* stats = nullptr) {
  using Node = typename VolumeTree<V>::Node;
  VolumeTreeStats own;
  VolumeTreeStats& counted = stats ? *stats : own;
  const double room = volume_query::slack(tree.extent + max_abs(p));
  VolumeTreePoint best;
  best.point = p;
  best.distance = INFINITY;
  const auto limit = [&] { return best.distance; };
  const auto bound = [&](const Node& node) {
    ++counted.volumes;
    return VolumeKind<V>::distance_below(node.volume, p) - room;
  };
  const auto leaf = [&](const Node& node) {
    for (const std::uint32_t i : tree.triangles_of(node)) {
      ++counted.triangles;
      const ClosestOnTriangle c = closest_point(p, tree.mesh[i]);
      const bool better = c.distance < best.distance ||
                          (c.distance == best.distance && best.found && i < best.triangle);
      if (better) best = {c, true, i};
    }
    return false;
  };
  traverse(tree, search, bound, limit, leaf);
  return best;
}

} // namespace carom
