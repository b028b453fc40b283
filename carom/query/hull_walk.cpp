// The vertices that lie farthest toward the other hull are mostly corners of the nearest features, or next to them. A walk from there takes two or three steps, and ends with
// a proof that costs no further look at the hulls.
#include "carom/query/hull_walk.h"

#include "carom/query/feature_proof.h"

#include <algorithm>
#include <variant>

namespace carom {
namespace {

/// A walk without a past begins at the farthest vertices of hulls of up to this many; larger ones are searched.
constexpr std::size_t most_cold_vertices = 256;

struct Hulls {
  const Polytope *a, *b;

  explicit Hulls(const CorePair& pair)
      : a(std::get_if<Polytope>(&pair.core_a())), b(std::get_if<Polytope>(&pair.core_b())) {}
  [[nodiscard]] bool have_features() const {
    return a && b && !a->features().vertices.empty() && !b->features().vertices.empty();
  }
  [[nodiscard]] bool are_small() const {
    return std::max(a->vertices().size(), b->vertices().size()) <= most_cold_vertices;
  }
};

struct Start {
  HullFeature a, b;
};

/// The vertices farthest along an axis, in A's frame, and against it.
Start start_along(const CorePair& pair, const Hulls& hulls, const Vec3& axis) {
  const std::uint32_t a = hulls.a->farthest(axis);
  const std::uint32_t b = hulls.b->farthest(-pair.b_in_a().direction_to_local(axis));
  return {{FeatureKind::vertex, a}, {FeatureKind::vertex, b}};
}

/// Whether a plane between these vertices, at right angles to the axis, separates the hulls.
bool separates(const CorePair& pair, const Hulls& hulls, const Start& start, const Vec3& axis) {
  const Vec3& on_a = hulls.a->vertices()[start.a.index];
  const Vec3& on_b = hulls.b->vertices()[start.b.index];
  return dot(axis, pair.b_in_a().to_world(on_b) - on_a) > 0;
}

} // namespace

WalkProof prove_walk(const CorePair& pair, const FeatureWalk& walk, CoreDistance& found) {
  const Vec3& axis = found.axis;
  if (walk.proved()) {
    found.lower = dot(axis, found.between) - feature_proof::roundings * pair.rounding();
  } else {
    const CorePair::Corner corner = pair.corner_toward(axis);
    ++found.iterations;
    found.lower = -dot(axis, corner.difference) - pair.rounding();
  }
  found.answered = found.lower > 0 && found.upper - found.lower <= pair.agreement();
  if (!found.answered) return WalkProof::none;
  return walk.proved() ? WalkProof::by_neighbors : WalkProof::by_supports;
}

bool walk_hulls(const CorePair& pair, PairCache* cache, CoreDistance& found) {
  const Hulls hulls(pair);
  if (!hulls.have_features()) return false;
  const bool known = cache && cache->id_a == pair.id_a() && cache->id_b == pair.id_b();
  if (known ? !cache->has_features : !hulls.are_small()) return false;
  FeatureWalk walk(hulls.a->features(), hulls.b->features(), pair.b_in_a(), pair.rounding(), found);
  FeatureWalk::End end;
  if (known) {
    end = walk.run(cache->feature_a, cache->feature_b);
  } else {
    const Vec3 axis = -pair.inner_difference();
    const Start start = start_along(pair, hulls, axis);
    found.iterations = 1;
    if (!separates(pair, hulls, start, axis)) return false;
    end = walk.run(start.a, start.b);
  }
  found.iterations += walk.steps();
  const bool proved =
      end == FeatureWalk::End::nearest && prove_walk(pair, walk, found) != WalkProof::none;
  if (cache) {
    cache->id_a = pair.id_a();
    cache->id_b = pair.id_b();
    cache->count = 0; // they may be of other shapes
    cache->feature_a = walk.feature_a();
    cache->feature_b = walk.feature_b();
    cache->has_features = proved;
  }
  return proved;
}

void keep_features(const CorePair& pair, const Vec3& axis, PairCache& cache) {
  const Hulls hulls(pair);
  if (!hulls.have_features()) return;
  const Start start = start_along(pair, hulls, axis);
  cache.feature_a = start.a;
  cache.feature_b = start.b;
  cache.has_features = true;
}

} // namespace carom
