// One step of a mover, as move() says it. Internal to the mover.
#pragma once

#include "carom/mover/mover.h"
#include "carom/mover/planes.h"
#include "carom/mover/surroundings.h"
#include "carom/query/contact_patches.h"

namespace [[gnu::visibility("default")]] carom {

class MoverStep {
public:
  /// Refers to all of it.
  MoverStep(const Space& space, const Mover& mover, MoverState& state, const MoveInput& input,
            Surroundings& around);

  MoveResult take();

private:
  /// An edge is ground only where the mover stands on it, and does not hang on it: the least cosine of its normal with up. One that stands may stand on the edge of a step that it has just begun to climb.
  enum class Hold { standing, landing };

  void be_carried();
  void push_out();
  ObjectId find_contacts(Planes& ways);
  void walk();
  [[nodiscard]] bool climb(const Vec3& direction, double distance, const Planes& walls);
  void stay_on_ground();
  [[nodiscard]] bool find_ground();
  void fall();

  SweepEnd sweep(const Vec3& translation);
  /// Goes on along what it meets. Returns how much of the distance was gone, at most 1.
  void slide(Vec3 translation, Planes walls, int sweeps);
  void land(const SweepEnd& ground);
  void leave_ground();
  void add_wall(const SweepEnd& end, Planes& planes) const;
  [[nodiscard]] bool is_gentle(const Vec3& normal) const;
  /// How high the lowest point of the shape is.
  [[nodiscard]] double foot() const;
  [[nodiscard]] bool is_stair(const SweepEnd& end);
  [[nodiscard]] bool is_ground(const SweepEnd& end, Hold hold);
  /// Level direction, led along a plane.
  [[nodiscard]] Vec3 along_ground(const Vec3& level, const Vec3& normal) const;
  [[nodiscard]] Vec3 velocity_at(ObjectId id, const Vec3& p) const;
  void touch(const SweepEnd& end, TouchKind kind);
  [[nodiscard]] TouchKind kind_of(const SweepEnd& end) const;
  void look_around();

  const Space& space_;
  const Mover& mover_;
  MoverState& state_;
  const MoveInput& input_;
  Surroundings& around_;
  const Vec3 up_;
  const double seconds_;
  Vec3 inherited_{}; ///< the velocity of the ground it has left in this step
  MoveResult result_{};
};

} // namespace carom
