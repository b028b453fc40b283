// A surface of triangles as the narrow phase reads it: in groups of eight, each beside what lies beyond its sides. Internal to the world.
//
// Of a mesh it is made once, a group for each leaf of its tree, and shared by all that is near it: some 110 bytes a triangle. Of a height field, which may be far larger than what is ever touched of it, a few groups are made around each body.
// Triangles without area are left out: their sides are those of others.
#pragma once

#include "carom/dynamics/triangle_eights.h"
#include "carom/geometry/box.h"
#include "carom/shape/shape.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Up to eight triangles; a lane each. Of what is true of some of them, bit i tells of lane i.
struct SurfaceGroup {
  /// Beyond a side: the surface ends there, or goes on in more than one way; or it was not looked at.
  static constexpr std::uint32_t ends = 0xffffffffU, unknown = 0xfffffffeU;
  /// One of the three sides of each.
  struct alignas(32) Side {
    /// How high the far corner of the triangle beyond is above this one's plane.
    std::array<float, 8> height{};
    /// That triangle, as a group times eight plus a lane, times four plus which side of it this is; or `ends`, or `unknown`.
    std::array<std::uint32_t, 8> next{ends, ends, ends, ends, ends, ends, ends, ends};
  };

  TriangleEight planes; ///< about the centre
  std::array<Side, 3> sides{};
  Vec3 center{};                        ///< of the bounds
  Aabb bounds;                          ///< around all of them
  std::array<std::uint32_t, 8> items{}; ///< numbers of triangles
  std::uint32_t count = 0;              ///< of lanes in use: the first ones
  std::array<std::uint8_t, 3> ending{}; ///< by side: whether the surface ends there
  std::array<std::uint8_t, 3> wide{};   ///< by corner: whether the angle there is above a right one
};

class SurfaceForm {
public:
  /// A triangle of the surface, in its frame.
  struct Item {
    std::uint32_t number = 0;
    Triangle corners;
  };

  /// Of a surface that is a mesh; null for all others.
  [[nodiscard]] static std::shared_ptr<const SurfaceForm> of(const Shape& shape);
  /// Of all triangles whose boxes meet this one. What is beyond their sides outside of it is unknown.
  void make(std::span<const Item> items, const Aabb& box);

  [[nodiscard]] std::span<const SurfaceGroup> groups() const { return groups_; }
  /// No triangle without area was left out.
  [[nodiscard]] bool all() const { return all_; }

private:
  /// An item with a key of the place of each corner.
  struct KeyedItem {
    Item item;
    std::array<std::uint64_t, 3> keys{};
  };
  /// A side of a triangle: those that share both ends have the same key, and are a chain.
  struct KeyedSide {
    std::uint64_t key = 0;
    std::uint32_t at = 0;   ///< the group times eight plus the lane, times four plus 0, 1 or 2
    std::uint32_t next = 0; ///< in the chain
  };
  void add_group(std::span<const KeyedItem> items);
  void chain_sides();
  void find_sides(const Aabb& box);

  std::vector<SurfaceGroup> groups_;
  bool all_ = true;
  // While it is made.
  std::vector<Triangle> corners_; ///< by group and lane
  std::vector<Vec3> normals_;     ///< beside corners_
  std::vector<KeyedSide> sides_;
  std::vector<std::uint32_t> chains_; ///< a table of their heads, by key: a power of two long
};

} // namespace carom
