// A walk through a small level: up the stairs, down a ramp, over a gap on a moving platform, and under a low ceiling, crouching. Drawn from the side; fails unless it arrives without ever coming nearer to anything than half its skin.
//   walk [FOLDER]    writes FOLDER/walk.svg (default: out)
#include "carom/carom.h"
#include "examples/svg.h"

#include <algorithm>
#include <cstdio>
#include <vector>

using namespace carom;
using examples::Svg;

namespace {

constexpr double seconds = 1.0 / 60, end_of_level = 17;

// The level, seen from the side: each outline is two metres deep.
const std::vector<std::vector<Vec3>> outlines{
    {{-1, -0.3, 0}, {8, -0.3, 0}, {8, 0, 0}, {-1, 0, 0}},       // the floor
    {{2, 0, 0}, {5, 0, 0}, {5, 0.25, 0}, {2, 0.25, 0}},         // stairs
    {{2.4, 0.25, 0}, {5, 0.25, 0}, {5, 0.5, 0}, {2.4, 0.5, 0}}, //
    {{2.8, 0.5, 0}, {5, 0.5, 0}, {5, 0.75, 0}, {2.8, 0.75, 0}}, //
    {{3.2, 0.75, 0}, {5, 0.75, 0}, {5, 1, 0}, {3.2, 1, 0}},     //
    {{5, 0, 0}, {7, 0, 0}, {5, 1, 0}},                          // a ramp
    {{12, -0.3, 0}, {18, -0.3, 0}, {18, 0, 0}, {12, 0, 0}},     // beyond the gap
    {{14, 1.3, 0}, {16, 1.3, 0}, {16, 2.2, 0}, {14, 2.2, 0}},   // a low ceiling
};

Shape wall_of(const std::vector<Vec3>& outline) {
  std::vector<Vec3> corners;
  for (const Vec3& p : outline)
    for (const double z : {-1.0, 1.0}) corners.push_back(p + Vec3{0, 0, z});
  return Shape::hull(corners).value();
}

Mover capsule_of(double height) {
  const Shape shape = Shape::capsule({0, 0.3, 0}, {0, height - 0.3, 0}, 0.3).value();
  return Mover::make({.shape = shape, .up = {0, 1, 0}}).value();
}

} // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "out";
  Svg svg(1160, 330, 60);
  const auto seen = [](const Vec3& p) { return p - Vec3{8.5, 1, 0}; };

  Space space;
  for (const std::vector<Vec3>& outline : outlines) {
    (void)space.add({.shape = wall_of(outline), .mobility = Mobility::fixed});
    std::vector<Vec3> corners;
    for (const Vec3& p : outline) corners.push_back(seen(p));
    svg.polygon(corners, "fill='#e8edf3' stroke='#9ab'");
  }
  // The platform goes to and fro across the gap.
  const Shape slab = Shape::box({0.95, 0.1, 1}).value();
  const ObjectId platform = space.add({.shape = slab, .pose = Pose::at({9, -0.1, 0})}).value();
  ObjectVelocity speed{.linear = {1, 0, 0}};

  const Mover walker = capsule_of(1.8), crouching = capsule_of(1.1);
  const Mover* mover = &walker;
  MoverState state{.pose = Pose::at({0, 0.5, 0})};
  MoverCache cache;
  double nearest_yet = INFINITY;
  int steps = 0, climbed = 0, rides = 0, bumps = 0, sweeps = 0;
  for (; steps < 3600 && state.pose.position.x < end_of_level; ++steps) {
    Pose at = space.find(platform)->pose;
    if ((at.position.x > 11 && speed.linear.x > 0) || (at.position.x < 9 && speed.linear.x < 0))
      speed.linear = -speed.linear;
    at.position += speed.linear * seconds;
    (void)space.move(platform, at);

    // At the gap it waits for the platform, and on the platform for the other side.
    const Vec3 p = state.pose.position;
    const bool waits =
        (p.x > 7.4 && p.x < 8 && at.position.x > 9.05) ||
        (state.ground == platform && p.x > at.position.x + 0.6 && at.position.x < 10.8);
    const auto velocity_of = [&](ObjectId id) { return id == platform ? speed : ObjectVelocity{}; };
    const MoveInput input{.walk = {waits ? 0.0 : 1.5, 0, 0},
                          .gravity = {0, -9.81, 0},
                          .seconds = seconds,
                          .velocity_of = velocity_of};
    const MoveResult r = move(space, *mover, state, input, &cache);

    climbed += r.stepped ? 1 : 0;
    rides += length(r.carried) > 0 ? 1 : 0;
    sweeps += r.sweeps;
    // It bumps its head, or rather its face: down. Once it is out again: up.
    for (const MoverTouch& t : r.touches())
      if (mover == &walker && t.kind != TouchKind::ground && p.x > 13) {
        mover = &crouching;
        ++bumps;
      }
    nearest_yet =
        std::min(nearest_yet, nearest(space, mover->shape(), state.pose).distance.lower_bound);
    if (steps % 12 != 0) continue;
    const double top = mover == &walker ? 1.5 : 0.8;
    const Vec3 foot = seen(state.pose.position);
    const std::string line = "fill='none' stroke='#6b46c1' stroke-opacity='0.5'";
    svg.circle(foot + Vec3{0, 0.3, 0}, 0.3, line);
    svg.circle(foot + Vec3{0, top, 0}, 0.3, line);
    for (const double side : {-0.3, 0.3})
      svg.segment(foot + Vec3{side, 0.3, 0}, foot + Vec3{side, top, 0}, line);
    svg.dot(foot, r.carried == Vec3{} ? "#6b46c1" : "#2f855a");
  }
  const Vec3 slab_at = seen(space.find(platform)->pose.position);
  const Vec3 slab_corners[] = {slab_at + Vec3{-0.95, -0.1, 0}, slab_at + Vec3{0.95, -0.1, 0},
                               slab_at + Vec3{0.95, 0.1, 0}, slab_at + Vec3{-0.95, 0.1, 0}};
  svg.polygon(slab_corners, "fill='#d7f0d0' stroke='#2f855a'");

  std::printf("%d steps, %.2f sweeps each; %d steps climbed, carried in %d, %d bump; never nearer "
              "than %.4f; arrived at x = %.2f\n",
              steps, static_cast<double>(sweeps) / steps, climbed, rides, bumps, nearest_yet,
              state.pose.position.x);
  const bool ok = state.pose.position.x >= end_of_level && climbed > 0 && rides > 0 && bumps == 1 &&
                  nearest_yet >= walker.padding() * (1 - 1e-6);
  return svg.save(folder + "/walk.svg") && ok ? 0 : 1;
}
