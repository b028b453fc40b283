// Where two convex forms meet, or a form and a triangle: the manifold of the world's narrow phase. Internal to the world.
//
// What contacts() (query) answers with a proof, this answers to within a ten-thousandth of the size, several times as fast. What overlaps is never said to be apart: that takes a direction along which
// both have been measured.
#pragma once

#include "carom/dynamics/convex_form.h"
#include "carom/dynamics/face_clip.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// A triangle in the frame of the form that it is to meet.
struct PlacedTriangle {
  std::array<Vec3, 3> corners;
  Vec3 normal; ///< a unit vector

  [[nodiscard]] const Vec3& support(const Vec3& d) const {
    const double a = dot(d, corners[0]), b = dot(d, corners[1]), c = dot(d, corners[2]);
    const std::size_t of_two = b > a ? 1 : 0;
    return corners[c > std::max(a, b) ? 2 : of_two];
  }
};

/// A form in the frame of another.
struct PlacedForm {
  const ConvexForm& form;
  Frame frame;

  [[nodiscard]] Vec3 support(const Vec3& d) const {
    return frame.to_world(form.support(frame.direction_to_local(d)));
  }
};

/// A direction along which two cores have been measured: from A toward B.
struct MeetingAxis {
  Vec3 normal{1, 0, 0};
  double gap = -INFINITY; ///< between the cores: negative where they overlap along it
  Vec3 on_a{}, on_b{};    ///< what is nearest along it
};

/// All in A's frame. Keeps its storage from call to call.
class ConvexMeeting {
public:
  /// `axis`: any direction from A toward B, best one that was an answer before. False: they are farther apart than the margin, by gap() at least.
  bool find(const ConvexForm& a, const ConvexForm& b, const Frame& b_in_a, double margin,
            const Vec3& axis);
  /// The axis is the triangle's normal or its opposite.
  bool find(const ConvexForm& a, const PlacedTriangle& b, double margin, const Vec3& axis);
  /// The same along a normal that is not of their own choice; only points that face each other along it.
  bool find_along(const ConvexForm& a, const PlacedTriangle& b, double margin, const Vec3& normal);

  /// From A toward B, a unit vector.
  [[nodiscard]] const Vec3& normal() const { return axis_.normal; }
  /// Between the shapes along the normal, negative where they overlap. Not more than their distance; where they overlap, minus the least depth to within 1e-4 of the size.
  [[nodiscard]] double gap() const { return gap_; }
  [[nodiscard]] std::span<const MeetingPoint> points() const { return clip_.points(); }

private:
  template<class B>
  bool find_any(const ConvexForm& a, const B& b, double radius_b, double margin, const Vec3& axis);
  bool find_ordered(const ConvexForm& a, const PlacedForm& b, double margin, const Vec3& axis);
  bool meet_ball(const ConvexForm& a, const Vec3& ball, double radius);
  bool meet_segments(const ConvexForm& a, const PlacedForm& b);
  template<class B>
  void settle_points(const ConvexForm& a, const B& b, double radius_b, double margin);
  template<class B>
  void find_points(const ConvexForm& a, const B& b, double radius_b, double margin);

  MeetingAxis axis_;
  double gap_ = 0;
  FaceClip clip_;
};

} // namespace carom
