// The bodies of a world and their shapes, by slot. Internal to the world.
//
// A body's motion is about its centre of mass. Its world frame there, and the world poses of its shapes, are kept with it and made anew whenever it moves. Slots are used again,
// lowest-freed first; the generation tells a new tenant from the last.
#pragma once

#include "carom/dynamics/body.h"
#include "carom/dynamics/records.h"
#include "carom/dynamics/regions.h"
#include "carom/dynamics/shape_table.h"
#include "carom/math/result.h"
#include "carom/tree/dynamic_tree.h"

#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

class SnapshotReader;
class SnapshotWriter;

inline constexpr std::uint32_t no_index = 0xffffffffU;

/// One shape of a body. What every step reads comes first.
struct PlacedShape {
  std::uint32_t body = no_index;
  std::uint32_t number = 0; ///< among those of its body
  BoxId box{};              ///< in the tree of its body's kind
  double reach = 0;         ///< of its points from the body's centre of mass
  double half_width =
      0; ///< half the least edge of its box: what passes by at less than that cannot pass through
  Pose world{};
  Frame frame{};   ///< the same as `world`
  Frame in_body{}; ///< in its body's frame, about the centre of mass
  /// Where its body was when its fat box was looked at, all that it had turned by then, and how far the shape may go from there. It only ever saves time.
  struct BoxRoom {
    Vec3 center{};
    double turned = 0, ahead = 0, room = -1;
  };
  BoxRoom box_room{};
  bool left_box = false;   ///< in this step
  bool at_home = false;    ///< its pose in its body's frame is none: it is where its body is
  bool flat_core = false;  ///< a polytope, a segment, a point or triangles, rounded or not
  std::uint32_t table = 0; ///< the shape's number in the table
  BodyShape def;
};

/// In the order of how often it is read: one line of memory says who it is and whether it moves, the next three where it is and how it moves.
struct alignas(64) Body {
  std::uint32_t generation = 0;
  BodyKind kind = BodyKind::fixed;
  bool exists = false, frozen = false, can_sleep = true;
  bool continuous = false;    ///< BodyDef::continuous
  bool round_inertia = false; ///< the same about all axes: no gyroscopic effect
  LockedAxes locked{};
  std::uint32_t active_at = no_index;     ///< where it is in the list of active bodies
  std::uint32_t first_contact = no_index; ///< head of the list of its contacts (contact_store.h)
  std::uint32_t first_joint = no_index;   ///< the same of its joints (joint_store.h)
  float burden = 1;                       ///< how many times as heavy to move as it is (burden.h)
  double reach = 0;                       ///< of all its shapes
  double inner = 0;                       ///< the least of its shapes' inner sizes (inner_core.h)
  double rest_time = 0;                   ///< how long it has hardly moved
  double inverse_mass = 0;
  Frame frame{}; ///< at the centre of mass
  Vec3 velocity{}, angular_velocity{};
  Pose pose{};
  Vec3 local_center{}; ///< of mass
  std::vector<std::uint32_t> shapes;
  Mat3 inverse_inertia = Mat3::zero(), inertia = Mat3::zero(); ///< local, about the centre of mass
  Quat principal{}; ///< from the principal axes, the greatest inertia first, to the body's frame
  Vec3 principal_inertia{};
  double mass = 0;
  Vec3 force{}, torque{}; ///< of the next step
  double linear_damping = 0, angular_damping = 0, gravity_scale = 1;
  std::uint64_t user = 0;

  /// Whether contacts and forces move it.
  [[nodiscard]] bool movable() const { return kind == BodyKind::dynamic && !frozen; }
};

/// Where a body is now: beside each other, so that it is soon known which pairs have something new.
struct alignas(64) BodyTravel {
  Vec3 center{};
  double turned = 0;            ///< radians, all that it ever did: it only grows
  float step_way[3] = {};       ///< velocity times the step's time
  std::uint32_t boxes_step = 0; ///< the step in which its boxes were made anew
  std::uint32_t awake_step = 0; ///< the last step in which it was awake
  bool moves_far =
      false; ///< as it moves, it will come far for its size (continuous.h); not while it sleeps
};

class BodyStore {
public:
  /// Makes a body as described, without boxes. On an error nothing has changed.
  [[nodiscard]] Result<BodyId> add(const BodyDef& def);
  void remove(std::uint32_t slot);

  /// The slot of an id, or no_index where it is stale.
  [[nodiscard]] std::uint32_t find(BodyId id) const {
    const bool there = id.slot < bodies_.size() && bodies_[id.slot].exists &&
                       bodies_[id.slot].generation == id.generation;
    return there ? id.slot : no_index;
  }
  [[nodiscard]] BodyId id_of(std::uint32_t slot) const { return {slot, bodies_[slot].generation}; }
  [[nodiscard]] Body& operator[](std::uint32_t slot) { return bodies_[slot]; }
  [[nodiscard]] const Body& operator[](std::uint32_t slot) const { return bodies_[slot]; }
  /// Has the memory of a body fetched, as far as contacts read it. It changes nothing.
  void prefetch(std::uint32_t slot) const {
    const auto* bytes = reinterpret_cast<const char*>(&bodies_[slot]);
    for (std::size_t i = 0; i < 256; i += 64) __builtin_prefetch(bytes + i);
  }
  /// Slots in use and free ones.
  [[nodiscard]] std::uint32_t slots() const { return bodies_.size(); }
  [[nodiscard]] std::size_t count() const { return count_; }

  [[nodiscard]] PlacedShape& shape(std::uint32_t i) { return shapes_[i].value(); }
  [[nodiscard]] const PlacedShape& shape(std::uint32_t i) const { return shapes_[i].value(); }
  [[nodiscard]] std::uint32_t shape_slots() const { return shapes_.size(); }
  [[nodiscard]] BodyTravel& travel(std::uint32_t slot) { return travels_[bodies_.place_of(slot)]; }
  [[nodiscard]] const BodyTravel& travel(std::uint32_t slot) const {
    return travels_[bodies_.place_of(slot)];
  }
  /// Moves what belongs to active bodies about in memory, so that it stands in the order of their list, and before all else. `region_of`: their regions, as many as `order` says. References to bodies and shapes end. Where all but few stand among those of
  /// their regions, nothing is done.
  void arrange(std::span<const std::uint32_t> active, std::span<const std::uint8_t> region_of,
               const RegionOrder& order);

  [[nodiscard]] bool has_shape(std::uint32_t i) const {
    return i < shapes_.size() && shapes_[i].has_value();
  }
  [[nodiscard]] ShapeTable& shapes_known() { return table_; }
  [[nodiscard]] const ShapeTable& shapes_known() const { return table_; }

  // snapshot_bodies.cpp. Into an empty store; false where the bytes are not sound: then it is not to be used. Contacts and places in lists are for others to restore.
  void save(SnapshotWriter& to) const;
  [[nodiscard]] bool load(SnapshotReader& from, const ShapeTable& table);

  /// Gives the body its new pose, and its frame and shapes theirs.
  void place(std::uint32_t slot, const Pose& pose);
  /// The same, from where its centre of mass is.
  void place_center(std::uint32_t slot, const Quat& rotation, const Vec3& center);

private:
  void place_shapes(const Body& body);
  void put_shape_at(std::uint32_t i, std::uint32_t slot, const BodyShape& def);
  Records<Body> bodies_;
  std::vector<BodyTravel> travels_; ///< beside bodies_ in memory
  Records<std::optional<PlacedShape>> shapes_;
  std::vector<std::uint32_t> free_bodies_, free_shapes_;
  ShapeTable table_;
  std::size_t count_ = 0;
};

/// Positions beyond this are out of bounds: nothing of a body's size is resolved there.
inline constexpr double farthest_position = 1e12;
/// Speeds beyond this, radians a second likewise, are out of bounds: their squares times a mass must be floats.
inline constexpr double speed_limit = 1e8;

/// What is wrong with a shape or a mass of a dynamic body, if anything.
[[nodiscard]] Result<void> check_shape(const BodyShape& shape);
[[nodiscard]] Result<void> check_mass(const BodyMass& mass);
/// Mass, centre and inertia with what follows from them.
void set_mass(Body& body, const BodyMass& mass);

[[nodiscard]] bool is_position(const Vec3& p);
[[nodiscard]] bool is_rotation(const Quat& q);
[[nodiscard]] bool is_speed(const Vec3& v);

} // namespace carom
