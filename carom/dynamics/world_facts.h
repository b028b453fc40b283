// What there is in a world, and how it moves: bodies, joints and contacts listed, velocities at points, energies, boxes.
//
//   std::vector<BodyId> all;
//   list_bodies(world, all);
//   std::vector<WorldContact> contacts;
//   if (contacts_of(world, foot, contacts)) for (const WorldContact& c : contacts) for (const WorldContactPoint& p : c.view()) draw(p.point, c.normal * p.impulse);
//
// Lists are filled anew, and are in an order that depends on nothing but what there is: by slots. Questions change nothing. A stale id is an error value.
#pragma once

#include "carom/dynamics/world.h"
#include "carom/geometry/box.h"

#include <array>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// All bodies, by their slots.
void list_bodies(const World& world, std::vector<BodyId>& list);
/// All joints, by their slots; and those of a body.
void list_joints(const World& world, std::vector<JointId>& list);
WorldResult<void> joints_of(const World& world, BodyId id, std::vector<JointId>& list);

struct WorldContactPoint {
  Vec3 point{};          ///< in the world, halfway between the surfaces
  double separation = 0; ///< metres between them along the normal; negative where they overlap
  double impulse = 0;    ///< newton seconds along the normal, in the last step
};
/// A patch of two shapes that are near enough to touch within a step; up to four points stand for it.
struct WorldContact {
  WorldShape own, other; ///< `own` is a shape of the body asked about
  Vec3 normal{};         ///< from own toward other
  std::array<WorldContactPoint, 4> points{};
  int count = 0;

  [[nodiscard]] std::span<const WorldContactPoint> view() const {
    return std::span(points).first(static_cast<std::size_t>(count));
  }
};
/// As the last step left them, by the other body's slot, then by shapes. Without sensors.
WorldResult<void> contacts_of(const World& world, BodyId id, std::vector<WorldContact>& list);

/// Metres a second, of the point of the body that is there in the world.
[[nodiscard]] WorldResult<Vec3> velocity_at(const World& world, BodyId id, const Vec3& point);
/// Joules, of motion and spin; 0 of bodies that are not dynamic.
[[nodiscard]] WorldResult<double> kinetic_energy(const World& world, BodyId id);
/// Joules, of all dynamic bodies: motion, spin, and height in the world's gravity above its origin. Springs of joints are not in it.
[[nodiscard]] double total_energy(const World& world);
/// Around all of the body's shapes as they are, sensors included. Empty where it has none; infinite of half-spaces.
[[nodiscard]] WorldResult<Aabb> box_of(const World& world, BodyId id);

} // namespace carom
