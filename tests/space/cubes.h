// A few objects whose answers can be told by hand.
#pragma once

#include "carom/space/space.h"

#include <vector>

namespace carom::test {

inline Shape cube() { return Shape::box({0.5, 0.5, 0.5}).value(); }
inline Shape floor_below() { return Shape::half_space({0, 0, 1}, -0.5).value(); }

inline SpaceObject cube_at(double x, double y = 0, double z = 0) {
  return {.shape = cube(), .pose = Pose::at({x, y, z})};
}

/// A row of cubes along x: each touches the next.
struct CubeRow {
  Space space;
  std::vector<ObjectId> ids;

  explicit CubeRow(int count) {
    for (int i = 0; i < count; ++i) ids.push_back(space.add(cube_at(i)).value());
  }
};

} // namespace carom::test
