// Closed rooms of raw soup: nobody leaves, nobody sticks. CAROM_WALK_STEPS sets how many steps are walked; by default a few thousand.
#include "carom/shape/support.h"
#include "tests/mover/levels.h"
#include "tests/support/generate.h"
#include "tests/support/property.h"

#include <cstdlib>

namespace carom::test {
namespace {

constexpr double skin = 0.02;

std::uint64_t steps_to_walk(std::uint64_t usual) {
  const char* text = std::getenv("CAROM_WALK_STEPS");
  return text ? std::strtoull(text, nullptr, 10) : fewer_when_sanitized(usual);
}

/// A rectangle cut into triangles that do not fit together: strips of different cuts (T-junctions), slivers along some borders, some triangles twice, and some larger ones that overlap others. Together they cover it all, and nothing beyond.
void rough_wall(Source& source, Soup& soup, const Vec3& corner, const Vec3& u, const Vec3& v) {
  const auto at = [&](double s, double t) { return corner + u * s + v * t; };
  const int strips = 2 + source.index(4);
  for (int i = 0; i < strips; ++i) {
    const double low = static_cast<double>(i) / strips, high = static_cast<double>(i + 1) / strips;
    double from = 0;
    while (from < 1) {
      const double width = source.chance(4) ? 1e-6 : source.uniform(0.05, 0.5);
      const double to = from + width < 0.999 ? from + width : 1;
      soup.quad(at(from, low), at(to, low), at(to, high), at(from, high));
      if (source.chance(3)) soup.triangle(at(from, low), at(to, high), at(to, low));
      if (source.chance(5)) soup.triangle(at(from, low), at(from, high), at(from, high)); // no area
      from = to;
    }
  }
  for (int i = 0; i < 3; ++i) {
    const double a = source.unit();
    const double b = source.unit();
    const double c = source.unit();
    const double d = source.unit();
    soup.triangle(at(a, b), at(c, d), at(b, c));
  }
}

struct Room {
  Space space;
  Vec3 half{3, 2.5, 4};
};

/// Six rough walls, a few blocks in it that overlap each other and the walls, and a ramp.
Room rough_room(Source& source) {
  Room room;
  const Vec3 h = room.half;
  Soup soup;
  for (const double side : {-1.0, 1.0}) {
    rough_wall(source, soup, {-h.x, side * h.y, -h.z}, {2 * h.x, 0, 0}, {0, 0, 2 * h.z});
    rough_wall(source, soup, {side * h.x, -h.y, -h.z}, {0, 2 * h.y, 0}, {0, 0, 2 * h.z});
    rough_wall(source, soup, {-h.x, -h.y, side * h.z}, {2 * h.x, 0, 0}, {0, 2 * h.y, 0});
  }
  for (int i = 0; i < 4; ++i) {
    const double x = source.uniform(-2.5, 2.5);
    const double z = source.uniform(1, 3.8);
    const double size = source.uniform(0.2, 1);
    const double top = -h.y + source.uniform(0.05, 1.5);
    soup.box({x - size, -h.y - 0.1, z - size}, {x + size, top, z + size});
  }
  soup.quad({-3, -2.5, -4}, {3, -2.5, -2}, {3, -1.5, -4}, {-3, -1.5, -4});
  (void)room.space.add({.shape = soup.shape(), .mobility = Mobility::fixed});
  return room;
}

struct Walked {
  double asked = 0, gone = 0;
};

/// Walks about at random, jumps now and then; looks every so often whether it could get away from there.
void walk_about(Source& source, const Mover& mover, std::uint64_t steps, Walked& total) {
  const Room room = rough_room(source);
  const Vec3 inside = room.half - Vec3{skin / 4, skin / 4, skin / 4};
  MoverState state{.pose = Pose::at({0, -1, 0})};
  MoverCache cache;
  Vec3 walk{};
  double asked = 0, gone_in_all = 0;
  for (std::uint64_t i = 0; i < steps; ++i) {
    if (i % 20 == 0) {
      const double angle = source.uniform(0, two_pi);
      const double speed = source.uniform(0, 8);
      walk = {speed * std::cos(angle), 0, speed * std::sin(angle)};
    }
    if (state.grounded && source.chance(30)) state.velocity = {0, 4, 0};
    const double seconds = source.uniform(0.001, 0.05);
    const MoveResult r =
        checked_move(room.space, mover, state, {.walk = walk, .seconds = seconds}, &cache);
    asked += length(walk) * seconds;
    gone_in_all += length(r.moved - Vec3{0, r.moved.y, 0});
    const Aabb box = bounds(mover.shape(), state.pose);
    ASSERT_TRUE(min(box.min, -inside) == -inside && max(box.max, inside) == inside)
        << "left the room at step " << i;
    ASSERT_FALSE(r.squeezed) << i;
    if (i % 8 == 0) {
      ASSERT_GT(gap(room.space, mover, state), skin / 4) << "too near at step " << i;
    }
    // Nobody sticks: back to the middle of the room there is always a way, up at least.
    if (i % 200 == 199) {
      MoverState away = state;
      double gone = 0;
      for (int k = 0; k < 30 && gone < 0.1; ++k) {
        if (k % 10 == 0) away.velocity = {0, 5, 0};
        const double angle = two_pi * k / 10;
        const Vec3 from = away.pose.position;
        (void)checked_move(room.space, mover, away,
                           {.walk = {6 * std::cos(angle), 0, 6 * std::sin(angle)}}, &cache);
        gone = std::max(gone, distance(from, away.pose.position));
      }
      ASSERT_GT(gone, 0.05) << "stuck at step " << i;
    }
  }
  total.asked += asked;
  total.gone += gone_in_all;
}

class MoverRoom : public ::testing::TestWithParam<int> {};

TEST_P(MoverRoom, NobodyLeavesAndNobodySticks) {
  const Mover mover = all_movers()[static_cast<std::size_t>(GetParam())];
  const std::uint64_t steps = steps_to_walk(8000) / 4;
  constexpr std::uint64_t a_room = 1000; // then another
  Walked total;
  for_each_seed((steps + a_room - 1) / a_room,
                [&](Source& source) { walk_about(source, mover, std::min(steps, a_room), total); });
  // Against walls much of it is lost, but not nearly all. (Not so in each room: in some, blocks leave no more than a pit.)
  EXPECT_GT(total.gone, 0.3 * total.asked);
}

std::string shape_name(const ::testing::TestParamInfo<int>& info) {
  const char* names[] = {"capsule", "ellipsoid", "box", "hull"};
  return names[info.param];
}
INSTANTIATE_TEST_SUITE_P(Shapes, MoverRoom, ::testing::Range(0, 4), shape_name);

} // namespace
} // namespace carom::test
