#include "carom/mover/mover.h"

#include "carom/math/tolerance.h"
#include "carom/math/trig.h"
#include "carom/mover/step.h"
#include "carom/mover/surroundings.h"
#include "carom/query/rounded.h"

#include <optional>

namespace carom {
namespace {

bool is_length(double x) { return x >= 0 && x <= tolerance::coordinate_max; }
bool is_vector(const Vec3& v) { return is_finite(v) && max_abs(v) <= tolerance::coordinate_max; }

} // namespace

Result<Mover> Mover::make(const MoverSettings& settings) {
  if (!settings.shape.convex())
    return failure(ErrorCode::not_convex, "A mover's shape must be convex.");
  if (!settings.shape.bounded())
    return failure(ErrorCode::unbounded, "A mover's shape must not be a half-space.");
  MoverSettings own = settings;
  own.up = normalized_or(settings.up, {});
  if (own.up == Vec3{})
    return failure(ErrorCode::out_of_range, "A mover's up must be a finite vector, not zero.");
  if (!(own.skin >= tolerance::coordinate_min) || !is_length(own.skin))
    return failure(ErrorCode::out_of_range, "A mover's skin must be more than 0, and finite.");
  if (!is_length(own.step_up) || !is_length(own.step_down))
    return failure(ErrorCode::out_of_range, "A mover's steps must be 0 or more, and finite.");
  if (!(own.slope_limit >= 0 && own.slope_limit <= half_pi))
    return failure(ErrorCode::out_of_range,
                   "A mover's slope limit is an angle from 0 to a quarter turn.");
  const Result<Shape> padded = own.shape.rounded(own.skin / 2);
  if (!padded) return tl::unexpected(padded.error());
  return Mover(own, *padded, cos(own.slope_limit));
}

MoverCache::MoverCache() : surroundings_(std::make_unique<Surroundings>()) {}
MoverCache::MoverCache(MoverCache&&) noexcept = default;
MoverCache& MoverCache::operator=(MoverCache&&) noexcept = default;
MoverCache::~MoverCache() = default;

MoveResult move(const Space& space, const Mover& mover, MoverState& state, const MoveInput& input,
                MoverCache* cache) {
  const bool good = in_range(state.pose) && is_vector(state.velocity) && is_vector(input.walk) &&
                    is_vector(input.gravity) && is_vector(state.ground_normal) &&
                    input.seconds >= 0 && is_vector(input.walk * input.seconds) &&
                    is_vector(state.velocity * input.seconds) &&
                    is_vector(input.gravity * (input.seconds * input.seconds));
  if (!good) return {.status = Status::bad_input};
  std::optional<MoverCache> own;
  Surroundings& around = cache ? cache->surroundings() : own.emplace().surroundings();
  MoverState next = state;
  MoverStep step(space, mover, next, input, around);
  const MoveResult result = step.take();
  if (!in_range(next.pose) || !is_vector(next.velocity)) return {.status = Status::bad_input};
  state = next;
  return result;
}

} // namespace carom
