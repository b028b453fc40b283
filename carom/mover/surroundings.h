// What stands around a mover, taken apart into convex parts, and where a sweep among them ends. Internal to the mover.
//
// Several sweeps a step go through the same place. So the parts there are looked up once, in the boxes of the space and the trees of the shapes, and each sweep goes through that short list. A sweep that leaves the place looks up
// another. The plane of a triangle tells of most that it is not reached.
#pragma once

#include "carom/mover/mover.h"
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
  void begin(const Space& space, const Mover& mover, const MoveInput& input);

  /// The parts in this box, unless there is more than that already.
  void look_up(const Aabb& box);

  /// Moves the padded shape. It ends where the shape itself would be a skin from the obstacle, along the normal. What is nearer than half a skin at the start stops it where it would come nearer, and else does not matter.
  [[nodiscard]] SweepEnd sweep(const Pose& pose, const Vec3& translation);

  /// Whether anything is nearer than half a skin.
  [[nodiscard]] bool is_crowded(const Pose& pose);

  /// Whether a plane through p at right angles to the unit vector d has all parts at p behind it, but for rounding. `except` is not looked at.
  static constexpr std::size_t none = ~std::size_t{0};
  [[nodiscard]] bool leads_out(const Vec3& p, const Vec3& d, std::size_t except = none);

  /// Not looked at from now on, until the next begin(): what carries the mover.
  void leave_out(ObjectId id) { left_out_ = id; }
  /// Whether sweeps go through what overlaps the shape at the start: for ways out of it.
  void pass_overlaps(bool pass) { pass_overlaps_ = pass; }

private:
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
  };
  struct Part {
    Aabb box;         ///< in the world
    Vec3 normal;      ///< of a triangle, more or less; else zero
    double low, high; ///< along that normal the triangle reaches from here to here
    std::uint32_t body, number;
  };
  /// The candidate that a sweep looks at.
  struct Way {
    Pose pose;
    Vec3 translation; ///< with a bit more, to see what is just beyond
    Vec3 direction;   ///< unit
    double length;    ///< without that bit
    double max_t;     ///< of the longer translation
  };

  void add_body(const Shape& shape, const Pose& pose, ObjectId id, std::uint32_t part,
                std::uint32_t material);
  void add_parts(std::uint32_t body, const Aabb& box);
  void add_part(std::uint32_t body, const PartGroup& single);
  [[nodiscard]] bool plane_excludes(const Part& part, const Frame& frame,
                                    const Vec3& translation) const;
  void cast(std::size_t index, Way& way, SweepEnd& end);
  void cast_near(std::size_t index, Way& way, SweepEnd& end);
  void take(const Part& part) { bodies_[part.body]->elements.take(part.number); }
  void end_at(std::size_t index, Way& way, SweepEnd& end, double t, double gone, const Vec3& normal,
              const Vec3& point) const;
  [[nodiscard]] PartId id_of(const Part& part) const;

  const Space* space_ = nullptr;
  const Mover* mover_ = nullptr;
  const MoveInput* input_ = nullptr;
  Aabb known_{};
  std::vector<std::unique_ptr<Body>> bodies_;
  std::size_t body_count_ = 0;
  std::vector<Part> parts_;
  std::vector<ObjectId> found_;
  std::vector<PartGroup> waiting_;
  ObjectId left_out_{};
  bool pass_overlaps_ = false;
};

} // namespace carom
