// The vertices that lie farthest toward the other hull are mostly corners of the nearest features, or next to them. A walk from there takes two or three steps, and ends with
// a proof that costs no further look at the hulls.
#include "carom/query/hull_walk.h"

#include <variant>

namespace carom {
namespace {

/// The lower bound that the neighbours prove: how much the points, the axis and its turn (feature_walk.cpp) may be off, in roundings of a support.
constexpr double proof_roundings = 1.5;

const Polytope* walkable(const ShapeCore& core) {
  const auto* polytope = std::get_if<Polytope>(&core);
  return polytope && !polytope->features().vertices.empty() ? polytope : nullptr;
}

} // namespace

WalkProof prove_walk(const CorePair& pair, const FeatureWalk& walk, CoreDistance& found) {
  const Vec3& axis = found.axis;
  if (walk.proved()) {
    found.lower = dot(axis, found.between) - proof_roundings * pair.rounding();
  } else {
    const CorePair::Corner corner = pair.corner_toward(axis);
    ++found.iterations;
    found.lower = -dot(axis, corner.difference) - pair.rounding();
  }
  found.answered = found.lower > 0 && found.upper - found.lower <= pair.agreement();
  if (!found.answered) return WalkProof::none;
  return walk.proved() ? WalkProof::by_neighbors : WalkProof::by_supports;
}

bool walk_hulls(const CorePair& pair, CoreDistance& found) {
  const Polytope* const a = walkable(pair.core_a());
  const Polytope* const b = walkable(pair.core_b());
  if (!a || !b) return false;
  const Vec3 apart = -pair.inner_difference();
  const std::uint32_t start_a = a->farthest(apart);
  const std::uint32_t start_b = b->farthest(-pair.b_in_a().direction_to_local(apart));
  const Vec3 between = pair.b_in_a().to_world(b->vertices()[start_b]) - a->vertices()[start_a];
  if (!(dot(apart, between) > 0)) return false;
  FeatureWalk walk(a->features(), b->features(), pair.b_in_a(), pair.rounding(), found);
  const FeatureWalk::End end =
      walk.run({FeatureKind::vertex, start_a}, {FeatureKind::vertex, start_b});
  found.iterations = walk.steps() + 1;
  return end == FeatureWalk::End::nearest && prove_walk(pair, walk, found) != WalkProof::none;
}

} // namespace carom
