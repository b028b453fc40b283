// Each scene runs, and does what it is about.
#include "tests/record/scene_files.h"

#include <map>
#include <numbers>

namespace carom::test {
namespace {

/// A scene that has run to its end, or so many seconds.
struct Ran {
  Scene scene;
  SceneRun run;
  double deepest = 0; ///< of all steps

  explicit Ran(const std::string& name, double seconds = -1)
      : scene(scene_named(name)), run(SceneRun::build(scene).value()) {
    go(seconds < 0 ? scene.seconds : seconds);
  }

  void go(double seconds) {
    const auto steps = std::lround(seconds / scene.time_step);
    for (long i = 0; i < steps; ++i) {
      run.step();
      deepest = std::max(deepest, state_of(run.world()).deepest);
    }
  }
  [[nodiscard]] BodyInfo body(const std::string& name) const {
    const auto id = run.id(name);
    EXPECT_TRUE(id) << name;
    return run.world().body(id.value_or(BodyId{})).value();
  }
  [[nodiscard]] Vec3 at(const std::string& name) const { return body(name).pose.position; }
  [[nodiscard]] Vec3 up(const std::string& name) const {
    return to_matrix(body(name).pose.rotation).z;
  }
};

/// How deep things may go into each other for a step or two, by scene, in metres: about one and a half times what was measured, and a millimetre at least.
const std::map<std::string, double> depth_allowed{{"bowl", 0.12},
                                                  {"brick_wall", 0.05},
                                                  {"bullet", 0.0075},
                                                  {"card_house", 0.014},
                                                  {"conveyor", 0.0065},
                                                  {"dominoes", 0.01},
                                                  {"friction_slope", 0.001},
                                                  {"gears", 0.001},
                                                  {"horseshoes", 0.085},
                                                  {"mass_ratio", 0.014},
                                                  {"mover_level", 0.001},
                                                  {"newtons_cradle", 0.001},
                                                  {"pyramid", 0.0033},
                                                  {"ragdolls", 0.048},
                                                  {"spinning_top", 0.013},
                                                  {"terrain", 0.044},
                                                  {"wrecking_ball", 0.018},
                                                  {"zoo", 0.08}};

class EveryScene : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(EveryScene, RunsWithoutLoss) {
  const std::string name = GetParam().stem().string();
  const Scene scene = scene_named(name);
  EXPECT_FALSE(scene.name.empty());
  EXPECT_FALSE(scene.about.empty());
  EXPECT_FALSE(scene.cameras.empty());
  SceneRun run = SceneRun::build(scene).value();
  double deepest = 0;
  const int steps = std::min(steps_of(scene), 240);
  for (int i = 0; i < steps; ++i) {
    run.step();
    const RunState state = state_of(run.world());
    ASSERT_TRUE(state.finite) << "step " << i;
    deepest = std::max(deepest, state.deepest);
  }
  ASSERT_TRUE(depth_allowed.count(name)) << deepest << " was measured";
  EXPECT_LT(deepest, depth_allowed.at(name));
  EXPECT_EQ(run.world().body_count(), run.bodies().size());
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    EXPECT_LT(length(run.world().pose(run.bodies()[i])->position), 60) << scene.bodies[i].name;
}

std::string name_of_file(const ::testing::TestParamInfo<std::filesystem::path>& info) {
  return info.param.stem().string();
}
INSTANTIATE_TEST_SUITE_P(Scenes, EveryScene, ::testing::ValuesIn(scene_files()), name_of_file);

TEST(Scenes, TheBallGoesThroughTheBricksAndTheRestStands) {
  const Ran ran("brick_wall", 4);
  EXPECT_GT(ran.at("ball").y, 3);
  int moved = 0, stands = 0;
  for (const SceneBody& b : ran.scene.bodies) {
    const double far = distance(ran.at(b.name), b.def.pose.position);
    if (b.def.kind == BodyKind::fixed || b.name == "ball") continue;
    EXPECT_GT(ran.at(b.name).z, 0.2) << b.name;
    moved += far > 1 ? 1 : 0;
    stands += far < 0.3 ? 1 : 0;
  }
  EXPECT_GT(moved, 10);
  EXPECT_GT(stands, 12);
}

TEST(Scenes, ThePyramidStands) {
  const Ran ran("pyramid");
  for (const SceneBody& b : ran.scene.bodies)
    EXPECT_LT(distance(ran.at(b.name), b.def.pose.position), 0.05) << b.name;
  EXPECT_EQ(state_of(ran.run.world()).moving, 0u);
}

TEST(Scenes, TheCardHouseStands) {
  const Ran ran("card_house");
  for (const SceneBody& b : ran.scene.bodies)
    EXPECT_LT(distance(ran.at(b.name), b.def.pose.position), 0.03) << b.name;
  // It is friction that holds it.
  Scene slippery = scene_named("card_house");
  for (SceneBody& b : slippery.bodies) b.def.material.friction = 0.1;
  SceneRun run = SceneRun::build(slippery).value();
  for (int i = 0; i < 180; ++i) run.step();
  EXPECT_LT(run.world().pose(*run.id("left 2 0"))->position.z, 1.5);
}

TEST(Scenes, AllDominoesFall) {
  const Ran ran("dominoes");
  for (int i = 0; i < 60; ++i) EXPECT_LT(ran.up("domino " + std::to_string(i)).z, 0.5) << i;
  // Not without the push.
  Scene still = scene_named("dominoes");
  still.bodies.back().def.velocity = {};
  SceneRun run = SceneRun::build(still).value();
  for (int i = 0; i < 120; ++i) run.step();
  EXPECT_GT(to_matrix(run.world().pose(*run.id("domino 30"))->rotation).z.z, 0.999);
}

TEST(Scenes, ThingsComeToRestOnTheTerrain) {
  const Ran ran("terrain");
  int awake = 0;
  for (const SceneBody& b : ran.scene.bodies) {
    if (b.def.kind == BodyKind::fixed) continue;
    const Vec3 p = ran.at(b.name);
    const double x = p.x, y = p.y;
    const double ground = 1.2 * std::sin(0.55 * x) * std::cos(0.5 * y) +
                          0.35 * std::sin(1.7 * x + 0.6) * std::sin(1.3 * y) +
                          0.015 * ((x - 16) * (x - 16) + (y - 16) * (y - 16));
    EXPECT_GT(p.z, ground) << b.name;
    EXPECT_LT(p.z, ground + 1.5) << b.name;
    awake += ran.body(b.name).awake ? 1 : 0;
  }
  EXPECT_LE(awake, 5); // of 100
}

TEST(Scenes, HorseshoesLieAroundTheStake) {
  const Ran ran("horseshoes");
  ASSERT_EQ(ran.scene.meshes.size(), 1u); // read from a file beside the scene
  EXPECT_EQ(ran.scene.meshes[0].name, "meshes/horseshoe.obj");
  for (int i = 0; i < 8; ++i) {
    const Vec3 p = ran.at("shoe " + std::to_string(i));
    EXPECT_LT(std::hypot(p.x, p.y), 0.42) << i; // the stake is within its inner radius
    EXPECT_GT(p.z, 0) << i;
    EXPECT_LT(p.z, 1.2) << i;
  }
  EXPECT_EQ(state_of(ran.run.world()).moving, 0u);
}

TEST(Scenes, TheBowlHoldsItsStones) {
  const Ran ran("bowl");
  int inside = 0;
  for (const SceneBody& b : ran.scene.bodies) {
    if (b.def.kind == BodyKind::fixed) continue;
    const Vec3 p = ran.at(b.name);
    EXPECT_GT(p.z, 0.1) << b.name;
    inside += std::hypot(p.x, p.y) < 3.4 && p.z > 0.4 ? 1 : 0;
  }
  EXPECT_GE(inside, 75); // the last ones may roll off the heap
}

TEST(Scenes, GearsTurnByTheirTeeth) {
  Ran ran("gears", 0);
  std::map<std::string, double> turned, last;
  const std::vector<std::string> names{"driver", "second", "third"};
  const auto angle = [&](const std::string& name) {
    const Vec3 x = to_matrix(ran.body(name).pose.rotation).x;
    return std::atan2(x.y, x.x);
  };
  for (const std::string& name : names) last[name] = angle(name);
  for (int i = 0; i < steps_of(ran.scene); ++i) {
    ran.run.step();
    for (const std::string& name : names) {
      const double now = angle(name);
      turned[name] += std::remainder(now - last[name], 2 * std::numbers::pi);
      last[name] = now;
    }
  }
  // 12, 18 and 12 teeth; what the teeth leave of play is about a tenth of a tooth's pitch on each side.
  EXPECT_NEAR(turned["driver"], 0.8 * 8, 1e-3);
  EXPECT_NEAR(turned["second"], -0.8 * 8 * 12 / 18, 0.15);
  EXPECT_NEAR(turned["third"], 0.8 * 8, 0.3);
  EXPECT_LT(ran.deepest, 0.01);
}

TEST(Scenes, TheTopStandsWhileItSpins) {
  Ran ran("spinning_top", 0);
  double turned = 0, last = std::atan2(ran.up("spinning").y, ran.up("spinning").x);
  for (int i = 0; i < steps_of(ran.scene); ++i) {
    ran.run.step();
    const Vec3 up = ran.up("spinning");
    ASSERT_GT(up.z, std::cos(0.35)) << i;
    const double now = std::atan2(up.y, up.x);
    turned += std::remainder(now - last, 2 * std::numbers::pi);
    last = now;
  }
  // It precesses, the way it spins, by m g l / (I w): the torque of its weight about the tip over its angular momentum.
  const BodyInfo top = ran.body("spinning");
  const Mat3 turn = to_matrix(top.pose.rotation);
  const double spin = dot(turn.z, top.angular_velocity), about = dot(turn.z, top.inertia * turn.z);
  const double lever = dot(turn.z, top.center - top.pose.position);
  // That is for a point on a spike; the tip is a ball of 3 cm that slides and brakes.
  EXPECT_NEAR(turned, 6 * top.mass * 9.81 * lever / (about * spin), 0.25 * turned);
  EXPECT_LT(ran.up("still").z, 0.8);
}

TEST(Scenes, TheConveyorFillsTheBin) {
  const Ran ran("conveyor");
  for (int i = 0; i < 6; ++i) {
    const Vec3 p = ran.at("crate " + std::to_string(i));
    EXPECT_TRUE(p.x > -0.7 && p.x < 2.5 && p.y > 5.3 && p.y < 8.5 && p.z < 1.5)
        << i << ": " << p.x << " " << p.y << " " << p.z;
  }
}

TEST(Scenes, LightBearsHeavy) {
  const Ran ran("mass_ratio");
  for (const SceneBody& b : ran.scene.bodies)
    EXPECT_LT(distance(ran.at(b.name), b.def.pose.position), 0.08) << b.name;
}

TEST(Scenes, TheMoverArrives) {
  Ran ran("mover_level", 3.2);
  EXPECT_NEAR(ran.at("mover").z, 1.22, 0.03); // on the bridge, by the stairs
  ran.go(3.3);
  EXPECT_NEAR(ran.at("mover").z, 0.02, 0.03); // down the ramp
  EXPECT_GT(ran.at("crate").x, 13.5);         // which it has pushed
  ran.go(2);
  const Vec3 boarded = ran.at("mover");
  EXPECT_NEAR(boarded.z, 0.22, 0.03); // on the platform
  ran.go(2.5);
  // It stands, and is carried at one metre a second.
  EXPECT_LT(distance(ran.at("mover"), boarded + Vec3{-2.5, 0, 0}), 0.02);
  ran.go(ran.scene.seconds - 11);
  EXPECT_NEAR(ran.at("mover").z, 0.92, 0.03); // on the block, by a jump
}

/// How far the two sides of the worst joint are apart.
double worst_joint(const SceneRun& run) {
  double worst = 0;
  for (const JointId id : run.joints()) {
    const auto joint = run.world().joint(id);
    EXPECT_TRUE(joint);
    if (joint) worst = std::max(worst, distance(joint->frame_a.position, joint->frame_b.position));
  }
  return worst;
}

TEST(Scenes, TheCradlePassesMomentumOn) {
  Ran ran("newtons_cradle", 0);
  double fastest = 0, last = 0, between = 0;
  for (int i = 0; i < 300; ++i) { // the first impact, and a quarter of a swing
    ran.run.step();
    fastest = std::max(fastest, length(ran.body("ball 0").velocity));
    last = std::max(last, length(ran.body("ball 4").velocity));
  }
  for (const char* name : {"ball 0", "ball 1", "ball 2", "ball 3"})
    between = std::max(between, length(ran.body(name).velocity));
  // From a height of 3 (1 - cos 40) on a rod, a ball being no point.
  const double fall = 3 * (1 - std::cos(40 * std::numbers::pi / 180));
  EXPECT_NEAR(fastest, std::sqrt(2 * 9.81 * fall / (1 + 0.4 * 0.25 / 9)), 0.02);
  EXPECT_NEAR(last, fastest, 0.05 * fastest);
  EXPECT_LT(between, 0.05 * fastest);
}

TEST(Scenes, TheWreckingBallBreaksTheWallAndTheChainHolds) {
  Ran ran("wrecking_ball", 0);
  double worst = 0;
  for (int i = 0; i < 300; ++i) {
    ran.run.step();
    worst = std::max(worst, worst_joint(ran.run));
  }
  EXPECT_LT(worst, 0.03);
  int moved = 0;
  for (const SceneBody& b : ran.scene.bodies)
    if (b.name.substr(0, 5) == "brick")
      moved += distance(ran.at(b.name), b.def.pose.position) > 1 ? 1 : 0;
  EXPECT_GT(moved, 10);
}

TEST(Scenes, RagdollsComeDownInOnePiece) {
  Ran ran("ragdolls", 0);
  double worst = 0;
  for (int i = 0; i < steps_of(ran.scene); ++i) {
    ran.run.step();
    worst = std::max(worst, worst_joint(ran.run));
  }
  EXPECT_LT(worst, 0.08); // where a limb hits an edge
  for (int n = 0; n < 4; ++n) {
    const Vec3 p = ran.at("torso " + std::to_string(n));
    EXPECT_LT(p.z, 3) << n;
    EXPECT_GT(p.x, 0.3) << n;
  }
  EXPECT_LT(state_of(ran.run.world()).kinetic, 50);
}

TEST(Scenes, NoBulletPasses) {
  const Ran ran("bullet");
  for (const char* name : {"ball", "slug", "chip"}) EXPECT_LT(ran.at(name).x, 0) << name;
  EXPECT_GT(ran.at("free sheet").x, 0.5); // thrown
  EXPECT_LT(ran.at("fast ball").x, ran.at("free sheet").x);
  // Without continuous collision they fly through.
  Scene blind = scene_named("bullet");
  blind.world.continuous = false;
  SceneRun run = SceneRun::build(blind).value();
  for (int i = 0; i < 30; ++i) run.step();
  EXPECT_GT(run.world().pose(*run.id("ball"))->position.x, 10);
}

TEST(Scenes, TheZooHasEveryKindThatTheReaderKnows) {
  // The reader lists them where a kind is none of them.
  const Result<Scene> unknown =
      parse_scene(R"({"carom_scene": 1, "shapes": [{"name": "x", "kind": "?"}]})");
  ASSERT_FALSE(unknown);
  const std::string words = "is none of ";
  std::string list = unknown.error().message;
  list.erase(0, list.find(words) + words.size());
  FieldLog log;
  ASSERT_TRUE(load_scene((source_dir() / "scenes/zoo.json").string(), &log));
  std::size_t kinds = 0;
  for (std::size_t begin = 0; begin < list.size(); ++kinds) {
    const std::size_t end = std::min(list.find(", ", begin), list.size());
    const std::string kind = list.substr(begin, end - begin);
    EXPECT_TRUE(log.count("shape_" + kind)) << kind;
    begin = end + 2;
  }
  EXPECT_GE(kinds, 20u);
}

TEST(Scenes, FrictionDecidesWhoSlides) {
  const Ran ran("friction_slope");
  for (int i = 0; i < 9; ++i) {
    const std::string name = "box " + std::to_string(i);
    const SceneBody& b = ran.scene.bodies[static_cast<std::size_t>(i) + 2];
    ASSERT_EQ(b.name, name);
    const double mu = 0.266 + 0.05 * i, slope = 25 * std::numbers::pi / 180;
    const double far = distance(ran.at(name), b.def.pose.position);
    // s = g (sin - mu cos) t^2 / 2
    const double expected = 0.5 * 9.81 * 16 * std::max(0.0, std::sin(slope) - mu * std::cos(slope));
    EXPECT_NEAR(far, expected, 0.02 * expected + 0.015) << name << ", friction " << mu;
  }
}

} // namespace
} // namespace carom::test
