// The character: a convex shape that walks through a space, slides along what it meets, climbs steps, stands on the ground, and is carried by what it stands on.
//
//   Mover walker = Mover::make({.shape = Shape::capsule({0, 0.3, 0}, {0, 1.5, 0}, 0.3).value()}).value();
//   MoverState state{.pose = Pose::at({0, 0.02, 0})};
//   each step:  MoveResult r = move(space, walker, state, {.walk = {3, 0, 0}, .seconds = 1.0 / 60});
//   to jump:    if (state.grounded) state.velocity = {0, 5, 0};
//
// The mover never enters what stands in the space: every way it goes is swept exactly, by the shape grown by half its skin. So a gap of half a skin at least is always kept to all that rests, and a whole skin, along the normal, to
// what it stopped at. What moves into it pushes it out again.
//
// Lengths, seconds and radians. Up is y, unless the settings say otherwise. A mover does not turn by itself: the rotation of its pose is the caller's.
#pragma once

#include "carom/query/answer.h"
#include "carom/shape/shape.h"
#include "carom/space/among.h"
#include "carom/space/space.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>

namespace [[gnu::visibility("default")]] carom {

class Surroundings;

struct MoverSettings {
  Shape shape;          ///< convex and bounded: an ellipsoid, capsule, box, hull, ...
  Vec3 up{0, 0, 1};     ///< any length but 0
  double skin = 0.02;   ///< the gap it keeps, along the normal; more than 0
  double step_up = 0.3; ///< it climbs what is no higher; 0: no steps
  double step_down =
      0.3; ///< walking, it stays on ground that falls off by no more; 0: it flies off each edge
  double slope_limit =
      0.873; ///< the steepest ground to stand on: its angle from level, 0 to a quarter turn
};

/// What moves: made once, shared, never changed.
class Mover {
public:
  /// Errors: not_convex, unbounded for a half-space, out_of_range for settings that are not as said above.
  [[nodiscard]] static Result<Mover> make(const MoverSettings& settings);

  [[nodiscard]] const MoverSettings& settings() const { return settings_; }
  [[nodiscard]] const Shape& shape() const { return settings_.shape; }
  /// Grown by half a skin: what is swept.
  [[nodiscard]] const Shape& padded() const { return padded_; }
  [[nodiscard]] double padding() const { return settings_.skin / 2; }
  /// The unit vector.
  [[nodiscard]] const Vec3& up() const { return settings_.up; }
  [[nodiscard]] double slope_cosine() const { return slope_cosine_; }

private:
  Mover(const MoverSettings& settings, const Shape& padded, double slope_cosine)
      : settings_(settings), padded_(padded), slope_cosine_(slope_cosine) {}

  MoverSettings settings_;
  Shape padded_;
  double slope_cosine_;
};

/// What a mover keeps from one step to the next. Plain data: copy it to go back in time.
struct MoverState {
  Pose pose{};
  /// Its own, in the air: from jumps, falling, and what it last stood on. Walking is not in it. On the ground it is zero; set it to something upward to jump.
  Vec3 velocity{};
  bool grounded = false;       ///< it stands on ground that is not too steep
  ObjectId ground{};           ///< what it stands on, if it does
  Vec3 ground_normal{0, 0, 1}; ///< out of the ground; up, at the edge of something level
  /// False: it may be deep in a solid, where no surface is near; the first step looks. Put it back to false when you place it anew.
  bool settled = false;
};

/// How an object moves: the velocity of its pose's position, and its angular velocity, in the world.
struct ObjectVelocity {
  Vec3 linear{}, angular{};
};
inline constexpr auto all_at_rest = [](ObjectId) { return ObjectVelocity{}; };

struct MoveInput {
  Vec3 walk{};               ///< the velocity wanted; what of it is along `up` does not count
  Vec3 gravity{0, 0, -9.81}; ///< an acceleration
  double seconds = 1.0 / 60; ///< the length of the step; 0 is legal
  /// Of the objects in the space, which stand where they are at the *end* of this step. Refers to a function of the caller.
  FunctionRef<ObjectVelocity(ObjectId)> velocity_of = all_at_rest;
  /// What it has to do with. A mover that stands in the space itself must leave itself out here.
  Among among{};
};

enum class TouchKind : std::uint8_t {
  ground,  ///< it can stand there
  slope,   ///< faces upward, but is too steep
  wall,    ///< upright, to within rounding
  ceiling, ///< faces downward
};

/// Something that the mover was stopped by, or pushed out of, on its way.
struct MoverTouch {
  ObjectId id{};
  PartId part{}; ///< of the object: triangle, part of a compound, material
  Vec3 point{};  ///< on the object
  Vec3
      normal{}; ///< a unit vector out of the object: out of its whole surface, not just of the triangle
  Vec3 velocity{}; ///< of the object, at that point
  TouchKind kind = TouchKind::wall;
};

struct MoveResult {
  static constexpr std::size_t max_touches = 16;

  Status status = Status::
      ok; ///< bad_input: numbers that are not finite or out of range; then nothing has changed
  Vec3 moved{};   ///< from where it was to where it is
  Vec3 carried{}; ///< by what it stands on; part of `moved`
  double turned =
      0; ///< radians by which what it stands on has turned about `up`; the pose is left as it is
  bool pushed = false;   ///< something stood nearer than it should, and it was pushed away from it
  bool squeezed = false; ///< there was not room enough: something still does
  bool stepped = false;  ///< it climbed a step
  int sweeps = 0;        ///< at most max_sweeps
  /// The first ones; each object and normal once. On the ground without anything in the way: the ground alone.
  std::array<MoverTouch, max_touches> touched{};
  std::size_t touch_count = 0;

  [[nodiscard]] std::span<const MoverTouch> touches() const {
    return std::span(touched).first(touch_count);
  }
};

// A step ends after this many sweeps, whatever happens.

inline constexpr int max_slides = 6; ///< of one way: each ends at something, and goes on along it
inline constexpr int max_step_slides = 3; ///< of the way over a step
inline constexpr int max_push_rounds = 4;
/// Carried; pushed out; walking; up, over and down a step; to the ground; falling.
inline constexpr int max_sweeps =
    max_step_slides + max_push_rounds + max_slides + (2 + max_step_slides) + 2 + max_slides;

/// Memory to work in, owned by the caller: with it a step allocates next to nothing. It holds no answers.
class MoverCache {
public:
  MoverCache();
  MoverCache(MoverCache&&) noexcept;
  MoverCache& operator=(MoverCache&&) noexcept;
  MoverCache(const MoverCache&) = delete;
  MoverCache& operator=(const MoverCache&) = delete;
  ~MoverCache();

  [[nodiscard]] Surroundings& surroundings() { return *surroundings_; }

private:
  std::unique_ptr<Surroundings> surroundings_;
};

/// One step. In this order:
///   - what it stands on carries it, along its arc where that turns;
///   - what is nearer than half a skin pushes it out to a whole skin. Where it stands in overlap it may leave, but goes no deeper;
///   - it walks: on the ground along the ground, at the speed asked for, uphill and down; in the air level. It slides along walls, and along the crease of two of them; three stop it. Too steep ground is a wall. What is no higher than a step is climbed;
///   - on the ground, it goes down to the ground again if that is no farther than a step, and does not slide there. Else it falls along its parabola, the same for any number of steps a second, and slides on what is too steep to stand on.
///
/// An edge counts as ground where level ground, or ground just not too steep, would touch the objects there at that point alone: that of a stair, not of a ridge's flank.
/// Two movers in one space see each other as objects at rest unless velocity_of says otherwise; move each one's object after its step.
MoveResult move(const Space& space, const Mover& mover, MoverState& state, const MoveInput& input,
                MoverCache* cache = nullptr);

} // namespace carom
