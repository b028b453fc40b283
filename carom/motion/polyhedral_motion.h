// Exact polyhedral motion: how far a body made of polygons can go among others, by a translation or by a rotation of any size, until it touches.
//
//   Polyhedron crate = Polyhedron::build(crate_mesh).value(), level = Polyhedron::build(level_mesh).value();
//   PolyhedralMove m = move_translation(crate, pose, {0, 0, -2}, std::array{PlacedPolyhedron{&level, Pose::identity()}});
//   pose = m.pose;                                       // at the contact, or all the way
//   for (const PolyhedralContact& c : m.contacts) ...    // where it touches then, with normals and features
//
// After J. M. P. van Waveren, Robust Continuous Collision Detection Between Arbitrary Polyhedra (2005); docs/polyhedral-motion.md says where this differs.
//
// What is promised. A body that does not reach into another does not after the move either; nothing is passed over, however fast or thin. It stops when the
// features that would meet are `expel_zone` apart (e), not farther; where they are nearer already, it does not move if that would bring them together, and moves freely if not. A body can be
// moved again and again, by any mixture of motions, for ever.
//
// A polygon is touched from its front, and with `both_sides` from either. A body that starts inside of another is free to leave it: from behind, polygons do not stop anything.
//
// Motions that turn and translate at once are to be done one after the other, first the translation, in steps as small as the path is to be followed.
#pragma once

#include "carom/motion/polyhedral_body.h"
#include "carom/query/answer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct PolyhedralOptions {
  /// The length e at which features stop. 0: 2^-24 of the size of both bodies. What is given is raised to 2^-34 of all coordinates, poses and motion included, if it is less.
  double expel_zone = 0;
  /// At the end of the move, all contacts within this length are listed. 0: twice the expel zone. Negative: none.
  double contact_tolerance = 0;
  bool both_sides = false; ///< polygons are touched from behind, too
  /// How the polygons near the motion are found: the answer is the same.
  enum class Culling : std::uint8_t {
    tree, ///< the wide tree
    bsp,  ///< the axial BSP tree
    none, ///< all polygons: for comparison
  };
  Culling culling = Culling::tree;
  bool sidedness_cache = true; ///< remember signs: the answer is the same
  bool skip_internal = true;   ///< false: look at internal edges and vertices, too; for comparison
};

/// A resting body.
struct PlacedPolyhedron {
  const Polyhedron* body = nullptr;
  Pose pose;
};

struct PolyhedralContact {
  enum class Kind : std::uint8_t {
    vertex_polygon, ///< a vertex of the moving body, a polygon of the resting one
    polygon_vertex, ///< the other way round
    edge_edge
  };
  Kind kind = Kind::vertex_polygon;
  std::uint32_t stationary = 0;                ///< which of the resting bodies
  std::uint32_t on_moving = 0, on_resting = 0; ///< which vertex, edge or polygon of each body
  /// The nearest points of the two features at the end of the move, in the world.
  Vec3 moving_point{}, resting_point{};
  /// A unit vector from the moving body toward the resting one.
  Vec3 normal{1, 0, 0};
  double separation = 0; ///< the distance of the points
};

struct PolyhedralMove {
  bool hit = false;
  /// How much of the motion was done: 1 where nothing was hit. Of a rotation: of its angle.
  double fraction = 1;
  Pose pose; ///< then
  /// Where hit: what stopped it, first; then all other contacts within the tolerance.
  std::vector<PolyhedralContact> contacts;
  double expel_zone = 0; ///< e, as it was used: the largest of the bodies met
  Status status = Status::
      ok; ///< bad_input: a pose or the motion is not finite or out of range, or a body is null; then nothing has moved
  std::size_t polygons = 0; ///< that were near the motion, for those who compare
};

/// The memory of a move, to be kept for the next: then nothing is allocated but the contacts. Not to be shared by threads.
class PolyhedralCache {
public:
  PolyhedralCache();
  ~PolyhedralCache();
  PolyhedralCache(PolyhedralCache&&) noexcept;
  PolyhedralCache& operator=(PolyhedralCache&&) noexcept;
  PolyhedralCache(const PolyhedralCache&) = delete;
  PolyhedralCache& operator=(const PolyhedralCache&) = delete;

  struct Memory;
  [[nodiscard]] Memory& memory() { return *memory_; }

private:
  std::unique_ptr<Memory> memory_;
};

/// Along a straight line.
[[nodiscard]] PolyhedralMove move_translation(const Polyhedron& moving, const Pose& pose,
                                              const Vec3& translation,
                                              std::span<const PlacedPolyhedron> stationary,
                                              const PolyhedralOptions& options = {},
                                              PolyhedralCache* cache = nullptr);

/// About an axis through a point, counter-clockwise by `angle` seen from the tip of the axis; by any angle, also negative, also many turns. The axis need not be a unit vector, but not zero: bad_input.
/// Done in parts of a quarter turn at most: half a turn is the most that tan(angle / 2) can tell, and shorter arcs have smaller boxes. Within a part, meetings are ordered by tan(angle / 2).
[[nodiscard]] PolyhedralMove move_rotation(const Polyhedron& moving, const Pose& pose,
                                           const Vec3& axis_point, const Vec3& axis, double angle,
                                           std::span<const PlacedPolyhedron> stationary,
                                           const PolyhedralOptions& options = {},
                                           PolyhedralCache* cache = nullptr);

/// All contacts of two resting bodies within a length: vertices over polygons, and edges that cross, with their gap along the common normal. In the order of kind and number.
[[nodiscard]] std::vector<PolyhedralContact>
polyhedral_contacts(const Polyhedron& moving, const Pose& pose, const Polyhedron& resting,
                    const Pose& resting_pose, double tolerance,
                    const PolyhedralOptions& options = {}, PolyhedralCache* cache = nullptr);

/// Two bodies that both move: seen from B, A moves by the difference.
struct PolyhedralPairMove {
  PolyhedralMove a; ///< its pose in the world, contacts too
  Pose pose_b;
};
[[nodiscard]] PolyhedralPairMove
move_both_translation(const Polyhedron& a, const Pose& pose_a, const Vec3& translation_a,
                      const Polyhedron& b, const Pose& pose_b, const Vec3& translation_b,
                      const PolyhedralOptions& options = {}, PolyhedralCache* cache = nullptr);
/// Both about one axis, by angles of their own. (About different axes the relative motion is no rotation: move one after the other.)
[[nodiscard]] PolyhedralPairMove
move_both_rotation(const Polyhedron& a, const Pose& pose_a, double angle_a, const Polyhedron& b,
                   const Pose& pose_b, double angle_b, const Vec3& axis_point, const Vec3& axis,
                   const PolyhedralOptions& options = {}, PolyhedralCache* cache = nullptr);

} // namespace carom
