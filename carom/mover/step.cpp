// A step is a few sweeps one after the other. What each leaves of its way goes on along all the planes that were met (planes.h), so two of them make a crease, and three an end.
//
// Walking. The way is level, led along the ground, and as long as was asked for. Gentle slopes lead it up; anything else is a step to climb, or else a wall: of a steep slope, its level part, so that nobody walks up there.
//
// A step is climbed by going up, over, and down again, all swept. It counts where that ends on ground.
#include "carom/mover/step.h"

#include "carom/math/trig.h"
#include "carom/motion/motion.h"
#include "carom/mover/boxes.h"
#include "carom/shape/composite.h"
#include "carom/shape/support.h"
#include "carom/space/space_overlap.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

constexpr double standing_cosine = 0.05, landing_cosine = 0.3;
/// Of the distance asked for: what is left of it is not worth another sweep.
constexpr double negligible = 1e-9;
/// Of the skin.
constexpr double noticeable = 1e-6;
/// A cosine this far below the limit's is still within it: what rounding makes of a slope built at the limit.
constexpr double slope_slack = 1e-9;
/// Walls lean by no more than this sine.
constexpr double upright = 1e-6;
/// Ground whose normal has a cosine with up that is so near to 1 is level: it needs no climbing.
constexpr double flat_share = 1e-3;
/// Climbing must lead this share of the way forward at least.
constexpr double worth_climbing = 0.01;

} // namespace

MoverStep::MoverStep(const Space& space, const Mover& mover, MoverState& state,
                     const MoveInput& input, Surroundings& around)
    : space_(space), mover_(mover), state_(state), input_(input), around_(around), up_(mover.up()),
      seconds_(input.seconds) {
  around_.begin(space, mover, state.pose.rotation, input);
}

MoveResult MoverStep::take() {
  const Vec3 from = state_.pose.position;
  be_carried();
  look_around();
  push_out();
  walk();
  if (state_.grounded && !(dot(state_.velocity, up_) > 0)) {
    stay_on_ground();
  } else {
    if (state_.grounded) leave_ground();
    fall();
  }
  state_.settled = !result_.squeezed;
  result_.moved = state_.pose.position - from;
  return result_;
}

/// All that the step is likely to come near, at once.
void MoverStep::look_around() {
  const Aabb box = around_.padded_box(state_.pose);
  const MoverSettings& s = mover_.settings();
  const double reach =
      (length(input_.walk) + length(state_.velocity) + length(input_.gravity) * seconds_ / 2) *
          seconds_ +
      2 * s.skin;
  const Vec3 above = up_ * s.step_up, below = up_ * -(s.step_down + s.skin);
  const Aabb around{min(min(box.min, box.min + above), box.min + below),
                    max(max(box.max, box.max + above), box.max + below)};
  around_.look_up(grown(around, reach));
}

SweepEnd MoverStep::sweep(const Vec3& translation) {
  ++result_.sweeps;
  const SweepEnd end = around_.sweep(state_.pose, translation);
  state_.pose.position += end.hit ? translation * end.share : translation;
  return end;
}

// --- What it has met

bool MoverStep::is_gentle(const Vec3& normal) const {
  return dot(normal, up_) >= mover_.slope_cosine() - slope_slack;
}

double MoverStep::foot() const {
  const Frame frame = state_.pose.frame();
  const Vec3 down = frame.direction_to_local(-up_);
  return dot(up_, frame.to_world(support_point(mover_.shape(), down)));
}

bool MoverStep::is_ground(const SweepEnd& end, Hold hold) {
  if (is_gentle(end.normal)) return true;
  const double cosine = dot(end.normal, up_);
  if (!(cosine > (hold == Hold::standing ? standing_cosine : landing_cosine))) return false;
  if (dot(up_, end.point) - foot() > mover_.settings().step_up) return false;
  if (around_.leads_out(end.point, up_)) return true;
  // The steepest ground that there may be, leaning as the normal does.
  const Vec3 level = normalized_or(end.normal - up_ * cosine, {});
  const double c = mover_.slope_cosine();
  const Vec3 steepest = normalized(up_ * c + level * std::sqrt(std::max(0.0, 1 - c * c)));
  return around_.leads_out(end.point, steepest);
}

TouchKind MoverStep::kind_of(const SweepEnd& end) const {
  const double cosine = dot(end.normal, up_);
  if (is_gentle(end.normal)) return TouchKind::ground;
  if (cosine > upright) return TouchKind::slope;
  return cosine < -upright ? TouchKind::ceiling : TouchKind::wall;
}

Vec3 MoverStep::velocity_at(ObjectId id, const Vec3& p) const {
  const SpaceObject* object = space_.find(id);
  if (!object) return {};
  const ObjectVelocity v = input_.velocity_of(id);
  const Vec3 at = v.linear + cross(v.angular, p - object->pose.position);
  return is_finite(at) ? at : Vec3{};
}

void MoverStep::touch(const SweepEnd& end, TouchKind kind) {
  constexpr double same = 1e-6;
  for (std::size_t i = 0; i < result_.touch_count; ++i) {
    const MoverTouch& t = result_.touched[i];
    if (t.id == end.id && t.kind == kind && max_abs(t.normal - end.normal) < same) return;
  }
  if (result_.touch_count == MoveResult::max_touches) return;
  result_.touched[result_.touch_count++] = {
      end.id, end.part, end.point, end.normal, velocity_at(end.id, end.point), kind};
}

void MoverStep::land(const SweepEnd& ground) {
  state_.grounded = true;
  state_.ground = ground.id;
  state_.ground_normal = is_stair(ground) ? up_ : ground.normal;
  state_.velocity = {};
  touch(ground, TouchKind::ground);
}

/// What it stood on gives it its velocity along: from the next step on, for in this one it was carried.
void MoverStep::leave_ground() {
  inherited_ = velocity_at(state_.ground, state_.pose.position);
  state_.grounded = false;
  state_.ground = {};
  state_.ground_normal = up_;
}

// --- Carried, and pushed

void MoverStep::be_carried() {
  const SpaceObject* ground = state_.grounded ? space_.find(state_.ground) : nullptr;
  if (!ground) return;
  const ObjectVelocity v = input_.velocity_of(state_.ground);
  if (v.linear == Vec3{} && v.angular == Vec3{}) return;
  // Where the object was at the start of the step, and so where this point of it is now.
  const Motion back = Motion::velocity(ground->pose, -v.linear, -v.angular, seconds_);
  if (!in_range(back)) return;
  const Pose before = pose_at(back, 1);
  const Vec3 from = state_.pose.position;
  const Vec3 to = ground->pose.frame().to_world(before.frame().to_local(from));
  if (!is_finite(to)) return;
  around_.leave_out(state_.ground);
  slide(to - from, {}, max_step_slides);
  around_.leave_out({});
  result_.carried = state_.pose.position - from;
  result_.turned = dot(v.angular, up_) * seconds_;
}

/// Each patch of contacts within a skin: a plane to stay in front of, by as much as the skin is more than the gap. Returns a solid mesh that it is in, if any: the way out leads through its surface.
ObjectId MoverStep::find_contacts(Planes& ways) {
  ways.clear();
  ObjectId solid{};
  const double skin = mover_.settings().skin;
  std::vector<ObjectId> found;
  (void)boxes_in(space_, grown(bounds(mover_.shape(), state_.pose), skin), found, input_.among);
  std::vector<ContactPatch> patches;
  for (const ObjectId id : found) {
    const SpaceObject& object = *space_.find(id);
    contact_patches(mover_.shape(), state_.pose, object.shape, object.pose, patches,
                    {.margin = skin});
    for (const ContactPatch& patch : patches) {
      const ContactManifold& m = patch.manifold;
      if (!is_finite(m.normal) || !std::isfinite(m.value) || !(m.value < skin)) continue;
      ways.add(-m.normal, skin - m.value);
      const auto* mesh = body_of<TriangleMesh>(object.shape);
      if (mesh && mesh->solid() && m.value < 0) solid = id;
      const SweepEnd end{true, 0, 0, -m.normal, m.points[0].on_b, id, patch.part_b[0]};
      touch(end, kind_of(end));
    }
  }
  return solid;
}

/// Where contacts contradict each other, each is tried alone, the deepest first: what got in at an edge gets out there. What does not help is taken back.
void MoverStep::push_out() {
  if (state_.settled && !around_.is_crowded(state_.pose)) return;
  around_.pass_overlaps(true);
  std::size_t tried = 0;
  for (int round = 0; round < max_push_rounds; ++round) {
    Planes ways;
    const ObjectId solid = find_contacts(ways);
    result_.squeezed = ways.size() > 0;
    if (!result_.squeezed) break;
    const Planes::Nearest push = ways.nearest({});
    if (!push.found && tried == ways.size()) break;
    const Vec3 from = state_.pose.position;
    around_.leave_out(solid);
    (void)sweep(push.found ? push.point : ways.farthest(tried++));
    around_.leave_out({});
    const bool is_free = solid == ObjectId{} && !around_.is_crowded(state_.pose);
    result_.squeezed = !is_free;
    if (!push.found && !is_free) {
      state_.pose.position = from;
      continue;
    }
    result_.pushed = true;
    if (is_free) break;
  }
  around_.pass_overlaps(false);
}

// --- Along what it meets

void MoverStep::slide(Vec3 translation, Planes walls, int sweeps) {
  const double least = negligible * length(translation);
  for (int i = 0; i < sweeps; ++i) {
    const Vec3 way = walls.along(translation);
    if (!(length(way) > least)) return;
    const SweepEnd end = sweep(way);
    if (!end.hit) return;
    touch(end, kind_of(end));
    translation = translation * (1 - end.share);
    add_wall(end, walls);
  }
}

/// A slope that is too steep is a wall, too: its level part, so that nobody walks up there. Itself, so that the way down along its foot does not lead into it.
void MoverStep::add_wall(const SweepEnd& end, Planes& planes) const {
  const double cosine = dot(end.normal, up_);
  const Vec3 level = normalized_or(end.normal - up_ * cosine, {});
  if (cosine > 0 && level != Vec3{} && !is_gentle(end.normal)) planes.add(level);
  planes.add(end.normal);
}

Vec3 MoverStep::along_ground(const Vec3& level, const Vec3& normal) const {
  if (!is_gentle(normal)) return level;
  return normalized_or(level - up_ * (dot(level, normal) / dot(up_, normal)), level);
}

void MoverStep::walk() {
  const Vec3 wanted = input_.walk - up_ * dot(input_.walk, up_);
  double left = length(wanted) * seconds_;
  const double least = negligible * left;
  const Vec3 level = normalized_or(wanted, {});
  if (!(left > 0) || level == Vec3{}) return;
  const bool grounded = state_.grounded;
  Planes walls;
  Vec3 heading = level;
  Vec3 ground{}; // kept to: where a wall turns it, it does not rise from it
  if (grounded) {
    heading = along_ground(level, state_.ground_normal);
    if (is_gentle(state_.ground_normal)) {
      ground = state_.ground_normal;
      walls.add(ground);
    }
  }
  bool may_climb = grounded && mover_.settings().step_up > 0;
  for (int i = 0; i < max_slides; ++i) {
    Planes planes = walls;
    if (ground != Vec3{}) planes.add(-ground);
    const Vec3 way = planes.along(heading * left);
    if (!(length(way) > least)) return;
    const SweepEnd end = sweep(way);
    if (!end.hit) return;
    touch(end, kind_of(end));
    left *= 1 - end.share;
    const bool gentle = is_gentle(end.normal);
    // The round foot of a mover finds a gentle slope at the edge of a stair, too: but over it is quicker.
    if (may_climb && (!gentle || is_stair(end))) {
      if (climb(level, left, walls)) return;
      may_climb = false;
    }
    if (gentle) {
      heading = along_ground(level, end.normal);
      walls.add(end.normal);
      if (grounded) ground = end.normal;
    } else {
      add_wall(end, walls);
    }
  }
}

/// Whether level ground ends there.
bool MoverStep::is_stair(const SweepEnd& end) {
  return dot(end.normal, up_) < 1 - flat_share && around_.leads_out(end.point, up_);
}

/// Up, over, and down to ground; or nothing has happened.
bool MoverStep::climb(const Vec3& direction, double distance, const Planes& walls) {
  const MoverState before = state_;
  const MoveResult so_far = result_;
  const auto undo = [&] {
    const int sweeps = result_.sweeps;
    state_ = before;
    result_ = so_far;
    result_.sweeps = sweeps;
    return false;
  };
  const Vec3 from = state_.pose.position;
  const double highest = foot() + mover_.settings().step_up;
  (void)sweep(up_ * mover_.settings().step_up);
  const double rise = dot(state_.pose.position - from, up_);
  if (!(rise > mover_.padding())) return undo();
  const Vec3 raised = state_.pose.position;
  slide(direction * distance, walls, max_step_slides);
  const Vec3 gone = state_.pose.position - raised;
  if (!(dot(gone, direction) > worth_climbing * distance)) return undo();
  const double height = dot(state_.pose.position - from, up_);
  const SweepEnd ground = sweep(up_ * -(height + mover_.padding()));
  if (!ground.hit || !(dot(up_, ground.point) <= highest) || !is_ground(ground, Hold::standing))
    return undo();
  result_.stepped = dot(state_.pose.position - from, up_) > mover_.padding();
  land(ground);
  return true;
}

// --- Down

void MoverStep::stay_on_ground() {
  if (find_ground()) return;
  leave_ground();
  fall();
}

/// One sweep down. Where a wall's foot or a steep slope is met before the ground, one more along it: it stands in the corner of both.
bool MoverStep::find_ground() {
  const MoverState before = state_;
  const Vec3 down = up_ * -(mover_.settings().step_down + mover_.padding());
  const SweepEnd end = sweep(down);
  if (end.hit && is_ground(end, Hold::standing)) {
    land(end);
    // Over an edge, level, it comes nearer than a skin.
    if (end.too_near > noticeable * mover_.settings().skin) (void)sweep(up_ * end.too_near);
    return true;
  }
  if (end.hit) {
    Planes slope;
    slope.add(end.normal);
    const Vec3 way = slope.along(normalized(down) * (2 * mover_.settings().skin));
    const Vec3 at = state_.pose.position;
    if (length(way) > 0) {
      const SweepEnd next = sweep(way);
      if (next.hit && is_ground(next, Hold::standing)) {
        state_.pose.position = at;
        touch(end, kind_of(end));
        land(next);
        return true;
      }
    }
  }
  state_ = before;
  return false;
}

void MoverStep::fall() {
  // The parabola, exactly; so that the path does not depend on how it is cut into steps.
  const Vec3 gravity = input_.gravity;
  Vec3 left = (state_.velocity + gravity * (seconds_ / 2)) * seconds_;
  state_.velocity += gravity * seconds_ + inherited_;
  const bool down = dot(left, up_) < 0;
  const double least = negligible * length(left);
  Planes walls;
  for (int i = 0; i < max_slides; ++i) {
    const Vec3 way = walls.along(left);
    if (!(length(way) > least)) break;
    const SweepEnd end = sweep(way);
    if (!end.hit) break;
    if (down && is_ground(end, Hold::landing)) {
      land(end);
      return;
    }
    touch(end, kind_of(end));
    left = left * (1 - end.share);
    walls.add(end.normal);
  }
  const double speed = length(state_.velocity);
  state_.velocity = walls.along(state_.velocity);
  // Held by two slopes or more: it rests there.
  if (down && walls.size() >= 2 && length(state_.velocity) <= negligible * speed) {
    state_.grounded = true;
    state_.ground_normal = up_;
    state_.velocity = {};
  }
}

} // namespace carom
