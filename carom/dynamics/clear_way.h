// Whether a shape that moves through a step stays clear of something at rest: a quick look, which may not find out. Internal to the world.
//
// It takes the heights at both ends along a direction, where a time of impact takes a search: enough for nearly all that flies far from everything, slides or rolls.
#pragma once

#include "carom/dynamics/convex_form.h"
#include "carom/dynamics/near_triangles.h"
#include "carom/motion/motion.h"

#include <array>
#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Keeps its storage from call to call.
class ClearWay {
public:
  /// The form is what moves; translation and rotation go together.
  void begin(const ConvexForm& form, const Motion& motion);

  /// Whether it surely stays farther than `gap` from the other one, all the way. A negative gap: whether that is so of any part of it that is drawn in by as much all around.
  /// `near`: triangles that are known, or null.
  [[nodiscard]] bool clears_surface(const Shape& surface, const Pose& pose, double gap,
                                    const NearTriangles* near = nullptr);
  [[nodiscard]] bool clears_form(const ConvexForm& other, const Pose& pose, double gap) const;

  enum class Until : std::uint8_t {
    end,    ///< nothing is near, all the way
    time,   ///< before t nothing was as near as `gap`; at t something is, to within `error`
    unknown ///< nothing is known
  };
  struct Touch {
    Until until = Until::unknown;
    double t = 0;
    Vec3 on_form{}, on_other{}; ///< what is nearest then, in the world
    Vec3 normal{};              ///< from the form toward the other
  };
  /// Of those triangles that the last call of clears_surface found, with its surface and pose.
  [[nodiscard]] Touch first_touch(const Shape& surface, const Pose& pose, double gap,
                                  double error) const;

private:
  /// Where the form is at the ends, in the frame of what is at rest.
  struct Ends {
    Frame first, last;
    std::array<Vec3, 2> middle; ///< of the form's inner ball, at both
  };
  [[nodiscard]] Ends ends_in(const Pose& pose) const;
  [[nodiscard]] Aabb box_of(const Ends& ends) const;
  [[nodiscard]] bool finds_known(const Shape& surface, const Aabb& box, const NearTriangles* near,
                                 const Ends& ends, double gap);
  void find_near(const Shape& surface, const Aabb& box, const NearTriangles* near, const Ends& ends,
                 double gap);
  [[nodiscard]] double height(const Ends& ends, const Vec3& up) const;
  [[nodiscard]] bool clears_along_normal(const Ends& ends, const Triangle& t, double gap) const;
  [[nodiscard]] bool clears_aside(const Ends& ends, const Triangle& t, double gap) const;

  [[nodiscard]] Touch first_touch(const Triangle& t, double gap, double error, double max_t) const;

  const ConvexForm* form_ = nullptr;
  Motion motion_;
  Frame first_, last_;                ///< in the world
  double bend_ = 0;                   ///< how far a way may bend from the straight line
  double rounding_ = 0;               ///< of a height
  std::vector<std::uint32_t> found_;  ///< numbers of triangles that are not cleared, in order
  std::vector<std::uint32_t> leaves_; ///< of the surface's tree
  std::vector<std::uint32_t> groups_; ///< of triangles that are near
  std::vector<PlacedEight> eights_;   ///< beside groups_
  std::vector<std::uint8_t> low_; ///< of those, the lanes that are not cleared along their normals
};

} // namespace carom
