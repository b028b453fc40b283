// Boxes around parts of two moving shapes, followed through time. Internal.
#pragma once

#include "carom/motion/clear_run.h"

namespace [[gnu::visibility("default")]] carom {

class MovingBoxes {
public:
  /// Refers to the shapes and motions. Clear: more than `least` apart.
  MovingBoxes(const Shape& a, const Motion& motion_a, const Shape& b, const Motion& motion_b,
              double least);

  /// Boxes in the frames of the shapes; that of a half-space is not used, but the half-space itself. From a time when they are clear, or may be: until when they are. Infinite where that is beyond `until`. It is measured anew `looks` times at most.
  double clear_until(const Aabb& a, const Aabb& b, double from, double until, int looks,
                     std::vector<MotionProof::Step>* steps = nullptr);

private:
  [[nodiscard]] Vec3 between(const Aabb& a, const Aabb& b) const;
  void look(double t);

  const Shape &a_, &b_;
  const Motion &motion_a_, &motion_b_;
  const MotionTerms terms_a_, terms_b_;
  double least_, slack_;
  double at_ = -1; ///< the time that the frames are of
  Frame frame_a_, frame_b_;
};

/// What a part does, which at the start is placed so: it goes along.
[[nodiscard]] inline Motion of_part(const Motion& whole, const Pose& start) {
  Motion part = whole;
  part.start = start;
  return part;
}

} // namespace carom
