#include "carom/dynamics/classic/classic_world.h"

#include "carom/dynamics/classic/touching.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

ClassicOptions sound(ClassicOptions o) {
  const ClassicOptions normal{};
  if (!is_speed(o.gravity)) o.gravity = normal.gravity;
  if (!(o.skin >= 1e-9 && o.skin <= 1e9)) o.skin = normal.skin;
  if (!(o.bounce_speed >= 0)) o.bounce_speed = normal.bounce_speed;
  PenaltyOptions& p = o.penalty;
  if (!(p.frequency > 0 && p.frequency <= 1e6)) p.frequency = normal.penalty.frequency;
  if (!(p.damping >= 0 && p.damping <= 100)) p.damping = normal.penalty.damping;
  if (!(p.safety > 0 && p.safety <= 1)) p.safety = normal.penalty.safety;
  return o;
}

} // namespace

ClassicWorld::ClassicWorld(const ClassicOptions& options) : options_(sound(options)) {}

Result<BodyId> ClassicWorld::add(const BodyDef& def) {
  const LockedAxes& l = def.locked;
  if (l.x || l.y || l.z || l.turn_x || l.turn_y || l.turn_z)
    return failure(ErrorCode::out_of_range, "the classic solvers know no locked axes");
  return bodies_.add(def);
}

WorldResult<void> ClassicWorld::remove(BodyId id) {
  const std::uint32_t slot = bodies_.find(id);
  if (slot == no_index) return tl::unexpected(WorldError::stale_id);
  bodies_.remove(slot);
  std::erase_if(contacts_, [&](const ClassicContact& c) { return c.a == slot || c.b == slot; });
  anchors_.clear();
  return {};
}

WorldResult<BodyInfo> ClassicWorld::body(BodyId id) const {
  const std::uint32_t slot = bodies_.find(id);
  if (slot == no_index) return tl::unexpected(WorldError::stale_id);
  const Body& b = bodies_[slot];
  const Mat3& r = b.frame.basis;
  return BodyInfo{.kind = b.kind,
                  .pose = b.pose,
                  .velocity = b.velocity,
                  .angular_velocity = b.angular_velocity,
                  .center = b.frame.origin,
                  .mass = b.mass,
                  .inertia = r * b.inertia * transpose(r),
                  .awake = b.kind != BodyKind::fixed,
                  .frozen = b.frozen,
                  .user = b.user};
}

WorldResult<Pose> ClassicWorld::pose(BodyId id) const {
  const std::uint32_t slot = bodies_.find(id);
  if (slot == no_index) return tl::unexpected(WorldError::stale_id);
  return bodies_[slot].pose;
}

WorldResult<void> ClassicWorld::set_velocity(BodyId id, const Vec3& velocity,
                                             const Vec3& angular_velocity) {
  const std::uint32_t slot = bodies_.find(id);
  if (slot == no_index) return tl::unexpected(WorldError::stale_id);
  if (!is_speed(velocity) || !is_speed(angular_velocity))
    return tl::unexpected(WorldError::out_of_range);
  Body& b = bodies_[slot];
  if (b.kind == BodyKind::fixed || b.frozen) return {};
  b.velocity = velocity;
  b.angular_velocity = angular_velocity;
  return {};
}

Vec3 ClassicWorld::pull_on(std::uint32_t slot) const {
  const Body& b = bodies_[slot];
  return b.movable() ? options_.gravity * b.gravity_scale : Vec3{};
}

/// From the response. What is out of bounds freezes: the body stands still from now on.
void ClassicWorld::take_velocities(std::uint32_t slot) {
  Body& b = bodies_[slot];
  if (!b.movable()) return;
  const classic::ResponseBody& r = response_[slot];
  if (is_speed(r.velocity) && is_speed(r.spin) && is_position(b.frame.origin)) {
    b.velocity = r.velocity;
    b.angular_velocity = r.spin;
    return;
  }
  b.frozen = true;
  b.velocity = b.angular_velocity = {};
  response_[slot] = classic::response_body(b);
}

void ClassicWorld::step(double time) {
  if (!(time > 0 && time <= 1e6)) return;
  step_time_ = time;
  const std::uint32_t n = bodies_.slots();
  response_.assign(n, {});
  if (options_.solver == ClassicSolver::penalty) {
    step_springs();
  } else {
    std::vector<std::uint32_t> movers;
    for (std::uint32_t i = 0; i < n; ++i)
      if (bodies_[i].exists && !bodies_[i].frozen && bodies_[i].kind != BodyKind::fixed)
        movers.push_back(i);
    if (options_.motion == MotionMode::simultaneous || movers.empty()) {
      run_events(movers);
    } else {
      for (const std::uint32_t i : movers) run_events({i});
    }
    if (options_.solver == ClassicSolver::events) settle_velocities();
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    Body& b = bodies_[i];
    if (!b.exists || !b.movable()) continue;
    b.velocity = b.velocity / (1 + time * b.linear_damping);
    b.angular_velocity = b.angular_velocity / (1 + time * b.angular_damping);
  }
}

double ClassicWorld::energy() const {
  double sum = 0;
  for (std::uint32_t i = 0; i < bodies_.slots(); ++i) {
    const Body& b = bodies_[i];
    if (!b.exists || b.kind != BodyKind::dynamic) continue;
    const Vec3 spin = transpose_mul(b.frame.basis, b.angular_velocity);
    sum += 0.5 * b.mass * length_squared(b.velocity) + 0.5 * dot(spin, b.inertia * spin) -
           b.mass * b.gravity_scale * dot(options_.gravity, b.frame.origin);
  }
  return sum;
}

double ClassicWorld::deepest_overlap() const {
  double depth = 0;
  const std::uint32_t n = bodies_.slots();
  std::vector<Aabb> boxes(n);
  for (std::uint32_t i = 0; i < n; ++i)
    if (bodies_[i].exists) boxes[i] = classic::body_box(bodies_, i);
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = i + 1; j < n; ++j)
      if (classic::boxes_meet(boxes[i], boxes[j], 0) && classic::may_touch(bodies_, i, j))
        depth = std::max(depth, classic::overlap_depth(bodies_, i, j));
  return depth;
}

} // namespace carom
