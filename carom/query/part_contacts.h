// The contacts of all pairs of parts of two shapes, each with a normal that the surfaces allow. Internal to the contacts.
#pragma once

#include "carom/math/scratch.h"
#include "carom/query/contacts.h"
#include "carom/query/outward_test.h"

#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// One of two shapes by its convex parts, down to the triangles and points of a compound's parts.
class ConvexParts {
public:
  /// Refers to the shape and the pose.
  ConvexParts(const Shape& whole, const Pose& pose) : whole_(whole), pose_(pose) {}

  /// The next part.
  void take(const PartPlace& place);
  [[nodiscard]] const PartPlace& place() const { return place_; }
  [[nodiscard]] const Shape& shape() const { return current_->elements.shape(); }
  [[nodiscard]] const Pose& pose() const { return current_->elements.pose(); }
  [[nodiscard]] PartId id() const;
  /// A number for a feature of the part, as feature.h packs it: one and the same for all triangles that share it, by their vertices' numbers. No two features have the same, but by a rare accident.
  [[nodiscard]] std::uint64_t feature(std::uint32_t packed) const;
  /// Of the compound that the part is of, or of the whole: convex, or a mesh and so on.
  [[nodiscard]] const Shape& body() const { return *current_->shape; }
  [[nodiscard]] const Pose& body_pose() const { return current_->pose; }
  /// Whether that is a solid mesh.
  [[nodiscard]] bool is_solid() const;

private:
  struct Body {
    Body(const Shape& body, const Pose& at, std::uint32_t number)
        : shape(&body), pose(at), elements(*shape, pose), part(number) {}

    const Shape* shape;
    Pose pose;
    PartShape elements;
    std::uint32_t part;
  };

  PartPlace place_;
  const Shape& whole_;
  const Pose& pose_;
  ScratchMap<std::uint32_t, Body> bodies_;
  Body* current_ = nullptr;
};

/// Where two parts touch: a normal from A to B, and contacts that have it. None where others speak for them: then the pair is still what joins those.
struct PartsTouching {
  PartPlace a, b;
  Vec3 normal;
  double value;             ///< the least separation; infinite where there is no contact
  std::size_t first, count; ///< of the contacts
  bool allowed;             ///< the normal leads out of both shapes
};

class PartContacts {
public:
  /// Refers to all of them. What is in `scratch` does not matter.
  PartContacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
               double margin, std::vector<Contact>& scratch);

  /// Those that touch, in the order of their numbers.
  [[nodiscard]] std::span<const PartsTouching> touching() const { return touching_; }
  [[nodiscard]] std::span<const Contact> contacts(const PartsTouching& t) const {
    return std::span(contacts_).subspan(t.first, t.count);
  }
  /// How far points may be off.
  [[nodiscard]] double rounding() const { return rounding_; }

  /// The contacts of two parts along a normal. They hold until the next call.
  [[nodiscard]] std::span<const Contact> along(const PartsTouching& t, const Vec3& normal);
  /// The parts themselves.
  void take(const PartsTouching& t) { take(t.a, t.b); }
  [[nodiscard]] const ConvexParts& part_a() const { return parts_a_; }
  [[nodiscard]] const ConvexParts& part_b() const { return parts_b_; }

private:
  struct Pair {
    PartPlace a, b;
    constexpr bool operator==(const Pair&) const = default;
    constexpr bool operator<(const Pair& o) const { return a == o.a ? b < o.b : a < o.a; }
  };
  /// A way out of a part that others have taken.
  struct WayOut {
    Vec3 normal;
    double value;
  };
  /// Where a pair touches that has its normal.
  struct Landmark {
    Vec3 at;
    std::size_t index;
  };
  using WaysOut = ScratchMap<PartPlace, ScratchVector<WayOut>>;

  void find_pairs();
  void find_pairs(const Pair& bodies);
  void find_inside(const Pair& bodies);
  void find_points_inside(bool a_is_solid);
  void find_body_inside(bool a_is_solid);
  void leave_solid(bool a_is_solid, const PartPlace& other, const Vec3& at,
                   const SurfacePoint& way);
  void take(const PartPlace& a, const PartPlace& b);
  void measure(const Pair& pair);
  [[nodiscard]] bool is_beyond_plane() const;
  [[nodiscard]] bool snap(Vec3& normal) const;
  [[nodiscard]] bool is_allowed(const PartPlace& a, const PartPlace& b, const Vec3& normal,
                                std::span<const Contact> contacts, OutwardTest::Own kind);
  void settle_others();
  [[nodiscard]] bool is_covered(PartsTouching& t, std::span<const WayOut> ways);
  [[nodiscard]] bool leave_by_a_face(PartsTouching& t, double factor);
  [[nodiscard]] bool leads_inward(const Vec3& normal) const;
  void put(PartsTouching& t, const Vec3& normal, std::span<const Contact> contacts);
  static void add(const PartsTouching& t, ScratchVector<WayOut>& ways);
  void remember(const PartsTouching& t);
  [[nodiscard]] double pair_size() const;
  [[nodiscard]] ScratchVector<WayOut> ways_near(const PartsTouching& t) const;

  const Shape &a_, &b_;
  const Pose &pose_a_, &pose_b_;
  double margin_, rounding_;
  ConvexParts parts_a_, parts_b_;
  OutwardTest out_of_a_, out_of_b_;
  ScratchVector<Pair> bodies_, pairs_;
  ScratchVector<PartsTouching> touching_;
  ScratchVector<Contact> contacts_;
  std::vector<Contact>& scratch_;
  WaysOut ways_a_, ways_b_;
  ScratchVector<Landmark> landmarks_;
};

} // namespace carom
