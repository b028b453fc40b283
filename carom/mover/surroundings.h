// What stands around a mover, taken apart into convex parts, and where a sweep among them ends. Internal to the mover.
//
// Several sweeps a step go through the same place. So the objects there are looked up once a step, and each sweep goes through a short list of their parts. A sweep that leaves the place looks up
// another. The parts of an object are those in a somewhat larger box: while the object stands where it stood and the mover is in that box, they serve the next step as well. They are geometry, not answers: what is found
// does not depend on which are kept.
//
// The plane of a triangle tells of most that they are not reached; and of one that is reached in its middle, when.
#pragma once

#include "carom/mover/mover.h"
#include "carom/mover/standing_shape.h"
#include "carom/shape/parts.h"

#include <memory>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Where a sweep ends.
struct SweepEnd {
  bool hit = false;
  double share = 1;    ///< of the translation, that may be gone
  double too_near = 0; ///< along the translation: how much nearer than a skin it was at the start
  Vec3 normal{};       ///< out of the obstacle
  Vec3 point{};        ///< on the obstacle, where it would be touched
  ObjectId id{};
  PartId part{};
};

class Surroundings {
public:
  /// Before anything else: whose they are. Refers to what it is given, until the next begin().
  void begin(const Space& space, const Mover& mover, const Quat& rotation, const MoveInput& input);

  /// Around the padded shape.
  [[nodiscard]] Aabb padded_box(const Pose& pose) const;

  /// The parts in this box, unless there is more than that already.
  void look_up(const Aabb& box);

  /// Moves the padded shape. It ends where the shape itself would be a skin from the obstacle, along the normal. What is nearer than half a skin at the start stops it where it would come nearer, and else does not matter.
  [[nodiscard]] SweepEnd sweep(const Pose& pose, const Vec3& translation);

  /// Whether anything is nearer than half a skin.
  [[nodiscard]] bool is_crowded(const Pose& pose);

  /// Whether a plane through p at right angles to the unit vector d has all parts at p behind it, but for rounding.
  [[nodiscard]] bool leads_out(const Vec3& p, const Vec3& d) {
    return leads_out_but(nullptr, p, d);
  }

  /// Not looked at from now on, until the next begin(): what carries the mover.
  void leave_out(ObjectId id) { left_out_ = id; }
  /// Whether sweeps go through what overlaps the shape at the start: for ways out of it.
  void pass_overlaps(bool pass) { pass_overlaps_ = pass; }

private:
  struct Part {
    Aabb box;         ///< in the world
    Vec3 normal;      ///< of a triangle, more or less; else zero
    double low, high; ///< along that normal the triangle reaches from here to here
    std::array<Vec3, 3> corners;
    std::uint32_t body, number;
  };
  /// An object, or a part of a compound.
  struct Body {
    Body(const Shape& its_shape, const Pose& its_pose)
        : shape(its_shape), pose(its_pose), frame(pose.frame()), elements(shape, pose) {}

    Shape shape;
    Pose pose;
    Frame frame;
    PartShape elements;
    ObjectId id{};
    std::uint32_t compound_part = 0, compound_material = 0;
    Aabb known{}; ///< the parts are those in this box
    std::vector<Part> parts;
  };
  struct Way {
    Pose pose;
    StandingShape shape;
    Vec3 translation; ///< with a bit more, to see what is just beyond
    Vec3 direction;   ///< unit
    double length;    ///< without that bit
    double longer;    ///< with it
    double max_t = 1; ///< of the longer translation
  };

  struct Facing {
    const Part* part;
    bool flat;     ///< a triangle: only then the rest holds
    Vec3 normal;   ///< unit, from the plane to the shape's side
    Vec3 tip;      ///< the point of the padded shape that is farthest toward the plane
    double height; ///< of the tip above all of the triangle; negative where it reaches beyond
    double slack;  ///< what rounding may make of it
  };

  void find_bodies(const Aabb& box);
  void find_compound_parts(const SpaceObject& object, ObjectId id, const Aabb& box);
  void add_body(const Shape& shape, const Pose& pose, ObjectId id, std::uint32_t part,
                std::uint32_t material, const Aabb& box);
  void find_parts(Body& body, std::uint32_t number);
  static void add_part(Body& body, std::uint32_t number, const PartGroup& single);
  /// Those of the parts around whose boxes meet this one, into candidates_.
  void find_candidates(const Aabb& box);
  /// How the padded shape stands to a triangle's plane; of other parts, nothing.
  [[nodiscard]] static Facing facing(const Part& part, const StandingShape& shape);
  [[nodiscard]] static bool plane_excludes(const Facing& facing, const Vec3& translation);
  [[nodiscard]] bool nearest_excludes(const Facing& facing, const StandingShape& shape,
                                      const Vec3& translation) const;
  [[nodiscard]] bool meets_middle(const Facing& facing, Way& way, SweepEnd& end);
  void cast(const Part& part, Way& way, SweepEnd& end);
  void cast_near(const Part& part, Way& way, SweepEnd& end);
  const PartShape& take(const Part& part);
  void end_at(const Part& part, Way& way, SweepEnd& end, double t, double gone, const Vec3& normal,
              const Vec3& point);
  [[nodiscard]] PartId id_of(const Part& part) const;
  [[nodiscard]] bool leads_out_but(const Part* except, const Vec3& p, const Vec3& d);

  const Space* space_ = nullptr;
  const Mover* mover_ = nullptr;
  const MoveInput* input_ = nullptr;
  Aabb known_{};
  std::vector<std::unique_ptr<Body>> bodies_;
  std::size_t body_count_ = 0;      ///< of those, now
  std::vector<const Part*> around_; ///< the parts in known_
  std::vector<const Part*> candidates_;
  std::vector<Facing> facing_;
  Aabb box_at_origin_{}; ///< of the padded shape, turned as it is in this step
  Quat box_rotation_{};
  std::uint64_t box_shape_ = 0;    ///< the id of that shape
  const Part* hit_part_ = nullptr; ///< of the last sweep
  std::vector<ObjectId> found_;
  std::vector<PartGroup> waiting_;
  ObjectId left_out_{};
  bool pass_overlaps_ = false;
};

} // namespace carom
