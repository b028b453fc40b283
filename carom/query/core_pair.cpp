#include "carom/query/core_pair.h"

#include "carom/math/tolerance.h"
#include "carom/query/relative_frame.h"

namespace carom {
namespace {

/// The roundings of a support value: two frames into one, a direction and a point through it, the scan's products, the unit vector.
constexpr double support_roundings = 16;
/// A hundredth of what Distance promises for curved shapes.
constexpr double curved_agreement = 1e-12;

} // namespace

CorePair::CorePair(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b)
    : frame_a_(pose_a.frame()), frame_b_(pose_b.frame()), b_in_a_(seen_from(frame_a_, frame_b_)),
      support_a_(a.core_support()), support_b_(b.core_support()), core_a_(a.core()),
      core_b_(b.core()), inner_a_(a.inner_ball()), inner_b_(b.inner_ball()),
      size_(a.size() + b.size() + max_abs(b_in_a_.origin)),
      rounding_(support_roundings * tolerance::epsilon * size_),
      agreement_(a.polyhedral() && b.polyhedral() ? tight_agreement() : curved_agreement * size_),
      id_a_(a.id()), id_b_(b.id()), curved_(!a.polyhedral() || !b.polyhedral()) {}

} // namespace carom
