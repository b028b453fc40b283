// Walls, creases, corners, ceilings; and what must not break it.
#include "tests/mover/levels.h"
#include "tests/support/generate.h"
#include "tests/support/property.h"

#include "carom/mover/planes.h"

namespace carom::test {
namespace {

constexpr double skin = 0.02;

// --- Planes: the nearest point, against its conditions.

PROPERTY(MoverPlanes, NearestIsAllowedAndNoNeighbourIsNearer) {
  Planes planes;
  std::vector<std::pair<Vec3, double>> all;
  const int count = source.index(7);
  for (int i = 0; i < count; ++i) {
    const Vec3 n = normalized(vec3(source));
    const double bound = source.chance(2) ? real(source) : 0.0;
    planes.add(n, bound);
    all.emplace_back(n, bound);
  }
  const Vec3 x = vec3(source);
  const Planes::Nearest nearest = planes.nearest(x);
  if (!nearest.found) return;
  for (const auto& [n, bound] : all) REQUIRE(dot(n, nearest.point) >= bound - 1e-6);
  // Convex: it is nearest if no allowed point is nearer.
  for (int i = 0; i < 50; ++i) {
    const Vec3 toward = vec3(source);
    const Vec3 p = source.chance(2) ? lerp(nearest.point, toward, 0.01) : toward;
    bool allowed = true;
    for (const auto& [n, bound] : all) allowed &= dot(n, p) >= bound;
    REQUIRE(!allowed || distance(p, x) >= distance(nearest.point, x) - 1e-9);
  }
}

PROPERTY(MoverPlanes, ThroughTheOriginThereIsAlwaysAWay) {
  Planes planes;
  const int count = 1 + source.index(8);
  std::vector<Vec3> normals;
  for (int i = 0; i < count; ++i) {
    normals.push_back(normalized(vec3(source)));
    planes.add(normals.back());
  }
  const Vec3 x = vec3(source);
  const Vec3 way = planes.along(x);
  REQUIRE(length(way) <= length(x) * (1 + 1e-9));
  REQUIRE(dot(way, x) >= -1e-9);
  for (const Vec3& n : normals) REQUIRE(dot(way, n) >= -1e-6);
}

// --- Walls

TEST(MoverSlide, AlongAWallAtFullSpeedOfThatDirection) {
  Soup soup;
  soup.ground(50);
  soup.quad({2, 0, -50}, {2, 0, 50}, {2, 4, 50}, {2, 4, -50});
  const Space space = space_of(soup.shape());
  for (const Mover& mover : all_movers()) {
    MoverState state = standing_at(space, mover, {0, 0.1, 0});
    MoverCache cache;
    for (int i = 0; i < 200; ++i) {
      const Vec3 walk{1.5, 0, 2};
      const MoveResult r = checked_move(space, mover, state, {.walk = walk}, &cache);
      EXPECT_NEAR(r.moved.z, 2.0 / 60, 1e-9);
      ASSERT_GE(gap(space, mover, state), skin / 2 * (1 - 1e-9)) << i;
    }
    // The skin is along the normal, whatever the angle it came at.
    EXPECT_NEAR(state.pose.position.x, 2 - 0.3 - skin, 1e-9);
    // Still touching: told, with the normal.
    const MoveResult r = checked_move(space, mover, state, {.walk = {1, 0, 0}});
    bool told = false;
    for (const MoverTouch& t : r.touches())
      told |= t.kind == TouchKind::wall && distance(t.normal, Vec3{-1, 0, 0}) < 1e-9;
    EXPECT_TRUE(told);
    EXPECT_NEAR(length(r.moved), 0, 1e-9);
  }
}

TEST(MoverSlide, GrazingDoesNotEatTheSkin) {
  Soup soup;
  soup.ground(200);
  soup.quad({2, 0, -200}, {2, 0, 200}, {2, 4, 200}, {2, 4, -200});
  const Space space = space_of(soup.shape());
  for (const Mover& mover : all_movers()) {
    for (const double into : {1e-12, 1e-6, 1e-3, 0.03, 0.3}) {
      MoverState state = standing_at(space, mover, {2 - 0.3 - skin, 0.1, 0});
      MoverCache cache;
      for (int i = 0; i < 300; ++i) {
        (void)checked_move(space, mover, state, {.walk = {into, 0, 3}}, &cache);
        ASSERT_GE(gap(space, mover, state), skin / 2 * (1 - 1e-6)) << into << " " << i;
      }
      EXPECT_NEAR(state.pose.position.z, 15, 1e-6);
    }
  }
}

/// Two walls from the z axis on, in a V of this angle that opens toward -x.
Space corner(double angle) {
  Soup soup;
  soup.ground(50);
  const SinCos a = sin_cos(angle / 2);
  for (const double side : {-1.0, 1.0}) {
    const Vec3 end{-20 * a.cos, 0, 20 * side * a.sin};
    soup.quad({}, end, end + Vec3{0, 4, 0}, {0, 4, 0});
  }
  return space_of(soup.shape());
}

TEST(MoverSlide, AcuteCornersEndItWithoutPenetrationOrJitter) {
  for (const Mover& mover : all_movers()) {
    for (const double angle : {0.1, 0.3, 1.0, 1.5, 2.5, 2.9}) {
      const Space space = corner(angle);
      MoverState state = standing_at(space, mover, {-10, 0.1, 0});
      MoverCache cache;
      Vec3 last{};
      for (int i = 0; i < 500; ++i) {
        const MoveResult r = checked_move(space, mover, state, {.walk = {3, 0, 0.2}}, &cache);
        ASSERT_GT(gap(space, mover, state), skin / 4) << angle;
        last = r.moved;
      }
      EXPECT_LE(length(last), 1e-6) << angle << " still moves in the corner";
    }
  }
}

TEST(MoverSlide, ThreePlanesStopItAndTwoMakeACrease) {
  // A groove under a slope that is no ground: gravity leads along the crease.
  Soup soup;
  const Vec3 along = normalized(Vec3{0, -1, 1});
  for (const double side : {-1.0, 1.0}) {
    const Vec3 out = Vec3{2 * side, 0.4, 0.4};
    soup.quad(along * -20, along * 20, along * 20 + out * 10, along * -20 + out * 10);
  }
  const Space space = space_of(soup.shape());
  const Mover mover =
      Mover::make({.shape = Shape::sphere(0.3).value(), .up = level_up, .slope_limit = 0.5})
          .value();
  MoverState state{.pose = Pose::at({0, 3, 0})};
  MoverCache cache;
  for (int i = 0; i < 60; ++i) (void)checked_move(space, mover, state, {}, &cache);
  const Vec3 direction = normalized(state.velocity);
  // A way at a very small angle to a plane may use up half the skin before it counts.
  EXPECT_NEAR(distance(direction, along), 0, 1e-3);
  EXPECT_NEAR(state.pose.position.x, 0, skin);
  EXPECT_FALSE(state.grounded);
}

TEST(MoverSlide, LowCeilingsStopAndSlopingOnesWedge) {
  Soup soup;
  soup.ground(30);
  soup.quad({2, 4, -20}, {2, 4, 20}, {12, 0.5, 20}, {12, 0.5, -20}); // falls off along x
  const Space space = space_of(soup.shape());
  for (const Mover& mover : all_movers()) {
    MoverState state = standing_at(space, mover, {0, 0.1, 0});
    MoverCache cache;
    for (int i = 0; i < 300; ++i) {
      (void)checked_move(space, mover, state, {.walk = {3, 0, 1}}, &cache);
      ASSERT_GT(gap(space, mover, state), skin / 4);
    }
    EXPECT_LT(state.pose.position.x, 9);
    EXPECT_GT(state.pose.position.z, 4); // it went on along the crease
    EXPECT_NEAR(state.pose.position.y, skin, 1e-3);
  }
}

TEST(MoverSlide, AJumpEndsAtTheCeiling) {
  Soup soup;
  soup.ground(10);
  soup.ground(10, 2.5);
  const Space space = space_of(soup.shape());
  for (const Mover& mover : all_movers()) {
    MoverState state = standing_at(space, mover, {0, 0.1, 0});
    state.velocity = {0, 8, 0};
    double highest = 0;
    bool told = false;
    for (int i = 0; i < 60; ++i) {
      const MoveResult r = checked_move(space, mover, state, {.walk = {1, 0, 0}});
      for (const MoverTouch& t : r.touches()) told |= t.kind == TouchKind::ceiling;
      highest = std::max(highest, state.pose.position.y);
    }
    EXPECT_TRUE(told);
    EXPECT_NEAR(highest, 2.5 - 1.8 - skin, 1e-6);
    EXPECT_TRUE(state.grounded);
  }
}

TEST(MoverSlide, TheEllipsoidSlidesByItsTrueNormal) {
  // On a sphere's side: the contact's normal is the gradient of the ellipsoid, x / a^2 and so on, and the slide is at right angles to it in the world.
  const Vec3 radii{0.8, 0.4, 0.5};
  const Shape shape = Shape::ellipsoid(radii).value();
  const Mover mover = Mover::make({.shape = shape, .skin = 1e-4, .step_up = 0}).value();
  for_each_seed(200, [&](Source& source) {
    const double px = source.uniform(-0.3, 0.3);
    const double pz = source.uniform(-0.3, 0.3);
    const Space space = space_of(Shape::sphere(0.7, {2.5, px, pz}).value());
    MoverState state;
    const MoveResult r =
        checked_move(space, mover, state, {.walk = {3, 0, 0}, .gravity = {}, .seconds = 1});
    ASSERT_GE(r.touch_count, 1U);
    const MoverTouch& t = r.touched[0];
    // Where it stood at the touch: that far along x that the point is on it, a padding and a bit away.
    const Vec3 out = normalized(t.point - Vec3{2.5, px, pz});
    EXPECT_NEAR(distance(out, t.normal), 0, 1e-6);
    // Its own point that faces it: of that normal, scaled by the radii.
    const Vec3 scaled = mul(radii, -t.normal);
    const Vec3 own = mul(radii, scaled) / length(scaled);
    const Vec3 gradient = normalized(Vec3{own.x / (radii.x * radii.x), own.y / (radii.y * radii.y),
                                          own.z / (radii.z * radii.z)});
    EXPECT_NEAR(distance(gradient, -t.normal), 0, 1e-9);
    const Vec3 center = t.point - own;
    EXPECT_NEAR(center.y, 0, 2e-4); // it came straight: y and z of its centre are still 0
    EXPECT_NEAR(center.z, 0, 2e-4);
  });
}

// --- What must not break it

TEST(MoverSlide, NothingToDoIsNothingDone) {
  const Space nowhere;
  for (const Mover& mover : all_movers()) {
    MoverState state{.pose = Pose::at({1, 2, 3})};
    const MoveResult r = checked_move(nowhere, mover, state, {.gravity = {}});
    EXPECT_EQ(state.pose.position, (Vec3{1, 2, 3}));
    EXPECT_EQ(r.touch_count, 0U);
    (void)checked_move(nowhere, mover, state, {.walk = {1, 0, 0}, .seconds = 0});
    EXPECT_EQ(state.pose.position, (Vec3{1, 2, 3}));
  }
}

TEST(MoverSlide, FreeFallIsTheParabola) {
  const Space nowhere;
  const Mover mover = mover_of(capsule());
  for (const int rate : {30, 77, 240}) {
    MoverState state{.velocity = {1, 5, 0}};
    for (int i = 0; i < rate; ++i)
      (void)checked_move(nowhere, mover, state, {.seconds = 1.0 / rate});
    EXPECT_NEAR(distance(state.pose.position, {1, 5 - 9.81 / 2, 0}), 0, 1e-11);
  }
}

TEST(MoverSlide, BadInputChangesNothing) {
  Soup soup;
  soup.ground(10);
  const Space space = space_of(soup.shape());
  const Mover mover = mover_of(capsule());
  for (const double bad : std::initializer_list<double>{NAN, INFINITY, -INFINITY, 1e200}) {
    MoverState state{.pose = Pose::at({0, 1, 0})};
    EXPECT_EQ(move(space, mover, state, {.walk = {bad, 0, 0}}).status, Status::bad_input);
    EXPECT_EQ(move(space, mover, state, {.gravity = {0, bad, 0}}).status, Status::bad_input);
    EXPECT_EQ(state.pose.position, (Vec3{0, 1, 0}));
    state.pose.position.x = bad;
    EXPECT_EQ(move(space, mover, state, {}).status, Status::bad_input);
  }
  MoverState state{.pose = Pose::at({0, 1, 0})};
  EXPECT_EQ(move(space, mover, state, {.seconds = -1}).status, Status::bad_input);
  EXPECT_EQ(move(space, mover, state, {.seconds = NAN}).status, Status::bad_input);
}

TEST(MoverSlide, SettingsAreChecked) {
  const auto code = [](const MoverSettings& s) {
    const auto made = Mover::make(s);
    return made ? -1 : static_cast<int>(made.error().code);
  };
  Soup soup;
  soup.ground(1);
  EXPECT_EQ(code({.shape = soup.shape()}), static_cast<int>(ErrorCode::not_convex));
  EXPECT_EQ(code({.shape = Shape::half_space({0, 1, 0}, 0).value()}),
            static_cast<int>(ErrorCode::unbounded));
  for (const MoverSettings& s :
       {MoverSettings{.shape = capsule(), .up = {}}, MoverSettings{.shape = capsule(), .skin = 0},
        MoverSettings{.shape = capsule(), .skin = NAN},
        MoverSettings{.shape = capsule(), .step_up = -1},
        MoverSettings{.shape = capsule(), .step_down = INFINITY},
        MoverSettings{.shape = capsule(), .slope_limit = 2}})
    EXPECT_EQ(code(s), static_cast<int>(ErrorCode::out_of_range));
}

TEST(MoverSlide, DegenerateTrianglesAndExactTouch) {
  Soup soup;
  soup.ground(10);
  soup.triangle({1, 0, 0}, {1, 1, 0}, {1, 2, 0});     // a segment
  soup.triangle({2, 1, 0}, {2, 1, 0}, {2, 1, 0});     // a point
  soup.triangle({0, 0, 2}, {0, 2, 2}, {1e-13, 1, 2}); // a sliver
  const Space space = space_of(soup.shape());
  for (const Mover& mover : all_movers()) {
    // Exactly at the skin, at half of it, touching, and a hair inside.
    for (const double height : {skin, skin / 2, 1e-12, 0.0, -1e-12}) {
      for (const Vec3& walk : {Vec3{2, 0, 0}, Vec3{0, 0, 2}, Vec3{1, 0, 1}, Vec3{}}) {
        MoverState state{.pose = Pose::at({0, height, 0})};
        MoverCache cache;
        for (int i = 0; i < 120; ++i)
          (void)checked_move(space, mover, state, {.walk = walk}, &cache);
        ASSERT_NEAR(state.pose.position.y, skin, 0.01);
        EXPECT_GE(gap(space, mover, state), skin / 2 * (1 - 1e-9));
      }
    }
    MoverState state = standing_at(space, mover, {0, 0.1, 0});
    for (int i = 0; i < 60; ++i) (void)checked_move(space, mover, state, {.walk = {2, 0, 0}});
    EXPECT_LT(state.pose.position.x, 1); // stopped by the segment
  }
}

} // namespace
} // namespace carom::test
