// The joints of a world, by slot. Internal to the world.
//
// All kinds of joints come down to one form: eight coordinates, each of which may be held (locked or limited), drawn by a spring, or driven by a motor. Six are those of JointCoordinate, one is the angle
// between the x axes (a cone), one the distance of the origins.
#pragma once

#include "carom/dynamics/body_store.h"
#include "carom/dynamics/joint.h"
#include "carom/math/result.h"

#include <array>
#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

inline constexpr std::size_t joint_slots = 8;
inline constexpr std::size_t cone_slot = 6, length_slot = 7;
/// Slots along which forces act; torques act about the others.
[[nodiscard]] constexpr bool is_linear(std::size_t slot) { return slot < 3 || slot == length_slot; }

/// What acts on a coordinate: each has its own impulse.
enum class JointEffect : std::uint8_t { hold, spring, motor };
inline constexpr std::size_t joint_effects = 3;

struct JointRecord {
  std::uint32_t generation = 0;
  bool exists = false;
  bool collide_connected = false;
  std::uint8_t kind = 0;           ///< index in JointKind
  std::uint8_t own = 0;            ///< the slot that set_motor and set_limits mean
  std::uint8_t drawn = 0;          ///< the slot that set_target means
  std::uint32_t body_a = no_index; ///< no_index: the world
  std::uint32_t body_b = no_index;
  std::array<std::uint32_t, 2> next{no_index, no_index}, last{no_index, no_index};
  Pose local_a{}, local_b{}; ///< in the bodies' frames, about the centres of mass
  double break_force = INFINITY, break_torque = INFINITY;
  double twist = 0; ///< the last turn_x, whole turns included
  std::array<std::array<float, joint_effects>, joint_slots> impulse{}; ///< of a sub-step
  Vec3 force{}, torque{}; ///< on B, mean of the last step
  double strain = 0;      ///< the greatest force of late: falls by a tenth each step
  std::uint64_t user = 0;
  std::array<JointAxis, joint_slots> slots{}; ///< last: a step does without
};

/// Held at one value.
[[nodiscard]] inline bool is_locked(const JointAxis& axis) {
  return axis.limits && axis.limits->lower == axis.limits->upper;
}

/// Where a joint's two frames are in the world: the origins relative to the bodies' centres of mass, and from A's to B's, which is small, apart.
struct JointPlace {
  Vec3 arm_a{}, arm_b{};
  Vec3 gap{};
  Mat3 axes_a{}, axes_b{};
};
[[nodiscard]] JointPlace place_of(const BodyStore& bodies, const JointRecord& joint);
/// The values of slots. The twist is the one nearest to the last. `asked`: bits of those slots that are asked for, beside turn_x; the others are 0.
[[nodiscard]] std::array<double, joint_slots> values_of(const JointPlace& place, double last_twist,
                                                        unsigned asked = 255);

class JointStore {
public:
  /// On an error nothing has changed.
  [[nodiscard]] Result<JointId> add(BodyStore& bodies, const JointDef& def);
  void remove(BodyStore& bodies, std::uint32_t slot);
  /// The joints of a body bear nothing, as if new.
  void forget_impulses(const BodyStore& bodies, std::uint32_t body);

  [[nodiscard]] std::uint32_t find(JointId id) const {
    const bool there = id.slot < joints_.size() && joints_[id.slot].exists &&
                       joints_[id.slot].generation == id.generation;
    return there ? id.slot : no_index;
  }
  [[nodiscard]] JointId id_of(std::uint32_t slot) const { return {slot, joints_[slot].generation}; }
  /// For what a step leaves: impulses, forces, the twist.
  [[nodiscard]] JointRecord& operator[](std::uint32_t slot) { return joints_[slot]; }
  /// For what a joint is.
  [[nodiscard]] JointRecord& edit(std::uint32_t slot) {
    ++changes_;
    return joints_[slot];
  }
  [[nodiscard]] const JointRecord& operator[](std::uint32_t slot) const { return joints_[slot]; }
  /// Slots in use and free ones.
  [[nodiscard]] std::uint32_t slots() const { return static_cast<std::uint32_t>(joints_.size()); }
  [[nodiscard]] std::size_t count() const { return count_; }
  /// Grows whenever a joint comes, goes, or becomes another one.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }

  /// The joint's successor in the list of one of its bodies.
  [[nodiscard]] std::uint32_t next_of(std::uint32_t joint, std::uint32_t body) const {
    return joints_[joint].next[joints_[joint].body_a == body ? 0 : 1];
  }
  /// The other body of a joint; no_index: the world.
  [[nodiscard]] std::uint32_t other_of(std::uint32_t joint, std::uint32_t body) const {
    const JointRecord& j = joints_[joint];
    return j.body_a == body ? j.body_b : j.body_a;
  }
  /// Whether a joint says that these two do not touch.
  [[nodiscard]] bool forbids(const BodyStore& bodies, std::uint32_t a, std::uint32_t b) const;

  // snapshot_joints.cpp. Into an empty one; the bodies get their lists. False where the bytes are not sound.
  void save(SnapshotWriter& to, const BodyStore& bodies) const;
  [[nodiscard]] bool load(SnapshotReader& from, BodyStore& bodies);

private:
  void link(BodyStore& bodies, std::uint32_t joint, std::size_t side);
  void unlink(BodyStore& bodies, std::uint32_t joint, std::size_t side);
  std::vector<JointRecord> joints_;
  std::vector<std::uint32_t> free_;
  std::size_t count_ = 0;
  std::uint64_t changes_ = 0;
};

// Checks of what a user gives, shared with World's set_ calls.
[[nodiscard]] bool is_range(const JointRange& r);
[[nodiscard]] bool is_spring(const JointSpring& s);
[[nodiscard]] bool is_motor(const JointMotor& m);
/// Makes the common form. Errors name what is wrong with the kind. `length`: of the origins, as they are.
[[nodiscard]] Result<void> describe(const JointKind& kind, double length, JointRecord& joint);

} // namespace carom
