#include "carom/motion/prove_impact.h"

#include "carom/math/tolerance.h"
#include "carom/motion/impact_search.h"
#include "carom/motion/moving_boxes.h"
#include "carom/query/part_halves.h"

#include <algorithm>

namespace carom {
namespace {

/// Groups are measured so often before they are halved: a claim about many is worth some looks.
constexpr int group_looks = 6;

class MotionProver {
public:
  // Groups are in the frames of the shapes; single parts are placed as they are at the start.
  MotionProver(const Shape& a, const Motion& motion_a, const Shape& b, const Motion& motion_b,
               double until, double margin, double room)
      : motion_a_(motion_a), motion_b_(motion_b), leaves_a_(a, {}), leaves_b_(b, {}),
        tree_a_(leaves_a_), tree_b_(leaves_b_), leaf_a_(a, motion_a.start),
        leaf_b_(b, motion_b.start), boxes_(a, motion_a, b, motion_b, margin + 0.25 * room),
        until_(until), margin_(margin), room_(room) {}

  std::optional<MotionProof> find() {
    proof_.until = until_;
    proof_.bound = margin_;
    const bool settled = settle_pairs(
        tree_a_, tree_b_, [&](const Halves::Node& a, const Halves::Node& b) -> std::optional<bool> {
          const auto first = static_cast<std::uint32_t>(proof_.steps.size());
          bool clear =
              boxes_.clear_until(a.box, b.box, 0, until_, group_looks, &proof_.steps) >= until_;
          const bool single = a.single() && b.single();
          if (!clear) proof_.steps.resize(first);
          if (!clear && single) clear = settle_leaves(leaves_a_[a.first], leaves_b_[b.first]);
          if (!clear) return single ? std::optional(false) : std::nullopt;
          proof_.claims.push_back({a.first, a.end, b.first, b.end, first,
                                   static_cast<std::uint32_t>(proof_.steps.size())});
          return true;
        });
    if (!settled) return {};
    proof_.parts_a = leaves_a_.ids();
    proof_.parts_b = leaves_b_.ids();
    return std::move(proof_);
  }

private:
  bool settle_leaves(const Leaf& a, const Leaf& b) {
    leaf_a_.take(a);
    leaf_b_.take(b);
    PairCache cache;
    const ImpactQuestion question{
        .margin = margin_, .error = 0.5 * room_, .until = until_, .steps = &proof_.steps};
    const TimeOfImpact i =
        convex_impact(leaf_a_.shape(), of_part(motion_a_, leaf_a_.pose()), leaf_b_.shape(),
                      of_part(motion_b_, leaf_b_.pose()), question, cache);
    return !i.hit && i.status == Status::ok;
  }

  const Motion &motion_a_, &motion_b_;
  Leaves leaves_a_, leaves_b_;
  Halves tree_a_, tree_b_;
  LeafShape leaf_a_, leaf_b_;
  MovingBoxes boxes_;
  double until_, margin_, room_;
  MotionProof proof_;
};

} // namespace

std::optional<MotionProof> prove_clear(const Shape& a, const Motion& motion_a, const Shape& b,
                                       const Motion& motion_b, double until, double margin,
                                       double room) {
  if (!in_range(motion_a) || !in_range(motion_b) || !(until >= 0 && until <= 1) ||
      !(margin >= 0 && margin <= tolerance::coordinate_max) || !(room > 0))
    return {};
  if (!a.bounded() && !b.bounded()) return {};
  return MotionProver(a, motion_a, b, motion_b, until, margin, room).find();
}

std::optional<MotionProof> prove_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                                        const Motion& motion_b, const TimeOfImpact& i,
                                        double margin, double absolute_error, double max_t) {
  if (i.initial_overlap || i.status == Status::bad_input) return {};
  // The search left half of its error as the gap.
  const double error = impact_error(a, motion_a, b, motion_b, absolute_error);
  return prove_clear(a, motion_a, b, motion_b, i.hit ? i.t : std::clamp(max_t, 0.0, 1.0), margin,
                     0.5 * error);
}

} // namespace carom
