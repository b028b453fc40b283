// Recordings: what is read is what was run, replay finds the step that differs, and no damage goes unseen.
#include "carom/record/recording.h"

#include "carom/record/mesh_generators.h"
#include "tests/record/scene_files.h"
#include "tests/support/property.h"

namespace carom::test {
namespace {

struct Recorded {
  Scene scene;
  SceneRun run;
  Recorder recorder;
  std::vector<std::vector<Pose>> poses;

  Recorded(const Scene& s, int steps, const RecordingOptions& options = {})
      : scene(s), run(SceneRun::build(scene).value()), recorder(scene, run, options) {
    keep();
    for (int i = 0; i < steps; ++i) {
      run.step();
      recorder.add(run);
      keep();
    }
  }
  void keep() {
    auto& frame = poses.emplace_back();
    for (const BodyId id : run.bodies()) frame.push_back(run.world().pose(id).value());
  }
};

TEST(Recording, HasThePosesOfTheRun) {
  const Recorded r(scene_named("dominoes"), 100, {.unit = 1e-3, .keyframe_every = 7});
  const Recording read = Recording::read(r.recorder.bytes()).value();
  ASSERT_EQ(read.steps(), 100u);
  ASSERT_EQ(read.bodies(), r.scene.bodies.size());
  for (const std::uint64_t step : {99U, 0U, 50U, 6U, 7U, 8U, 100U}) {
    const RecordedFrame frame = read.frame(step);
    for (std::size_t b = 0; b < read.bodies(); ++b) {
      const Pose& was = r.poses[step][b];
      ASSERT_LE(max_abs(frame.poses[b].position - was.position), 0.5001e-3);
      const Quat &p = frame.poses[b].rotation, &q = was.rotation;
      ASSERT_LE(max_abs(Vec3{p.x - q.x, p.y - q.y, p.z - q.z}), 0x1p-14);
    }
  }
  EXPECT_EQ(read.hash(100), r.run.world().hash());
}

TEST(Recording, ReplaysToTheBit) {
  for (const char* name : {"dominoes", "mover_level", "bullet"}) {
    const Recorded r(scene_named(name), 120);
    const ReplayCheck check = run_again(Recording::read(r.recorder.bytes()).value()).value();
    EXPECT_EQ(check.steps, 120u) << name;
    EXPECT_FALSE(check.first_difference) << name;
  }
}

TEST(Recording, FindsTheFirstStepThatDiffers) {
  Scene scene = scene_named("dominoes");
  SceneRun run = SceneRun::build(scene).value();
  Recorder recorder(scene, run);
  for (int i = 0; i < 30; ++i) {
    // The solver works in floats: a change that they see.
    if (i == 20) {
      const BodyId id = *run.id("marble");
      const BodyInfo marble = run.world().body(id).value();
      Vec3 v = marble.velocity;
      v.y *= 1 + 1e-6;
      ASSERT_TRUE(run.world().set_velocity(id, v, marble.angular_velocity));
    }
    run.step();
    recorder.add(run);
  }
  const ReplayCheck check = run_again(Recording::read(recorder.bytes()).value()).value();
  ASSERT_TRUE(check.first_difference);
  EXPECT_GE(*check.first_difference, 20u);
  EXPECT_LE(*check.first_difference, 21u);
  // Another start.
  scene.bodies[1].def.pose.position.x += 1e-9;
  run = SceneRun::build(scene).value();
  const Recorder other(scene, run);
  EXPECT_EQ(run_again(Recording::read(other.bytes()).value()).value().first_difference,
            std::uint64_t{0});
}

TEST(Recording, BringsItsMeshesAlong) {
  SceneOptions options;
  options.load_mesh = [](const std::string&) { return gear_mesh({.teeth = 5}); };
  const Scene scene =
      parse_scene(
          R"({"carom_scene": 1, "bodies": [{"shape": {"kind": "mesh", "file": "gear.obj"}}]})",
          options)
          .value();
  const Recorded r(scene, 10);
  const Recording read = Recording::read(r.recorder.bytes()).value();
  EXPECT_FALSE(run_again(read).value().first_difference);
}

TEST(Recording, IsSmall) {
  const Recorded r(scene_named("pyramid"), 300);
  const double per_pose = static_cast<double>(r.recorder.bytes().size()) / (301.0 * 106);
  EXPECT_LT(per_pose, 5); // bytes; 56 as doubles
}

TEST(Recording, RefusesWhatIsCutShortOrDamaged) {
  const Recorded r(scene_named("bullet"), 20, {.keyframe_every = 5});
  const std::string good = r.recorder.bytes();
  ASSERT_TRUE(Recording::read(good));
  EXPECT_EQ(Recording::read("").error().message, "is no recording");
  for (std::size_t n = 0; n < good.size(); n += 1 + n / 40)
    EXPECT_FALSE(Recording::read(good.substr(0, n))) << n;
  for_each_seed(fewer_when_sanitized(2000), [&](Source& source) {
    std::string bad = good;
    const std::size_t at = source.below(bad.size());
    const auto flip = static_cast<char>(1 + source.below(255));
    bad[at] = static_cast<char>(bad[at] ^ flip);
    ASSERT_FALSE(Recording::read(bad)) << at;
  });
  EXPECT_FALSE(Recording::read(good + "x"));
}

/// Damage with a sum that fits: nothing is believed.
TEST(Recording, SurvivesAnyBytes) {
  const Recorded r(scene_named("bullet"), 20, {.keyframe_every = 5});
  const std::string good = r.recorder.bytes();
  const std::size_t head = good.find("\"cameras\""); // behind the most of the scene's text
  int read_well = 0;
  for_each_seed(fewer_when_sanitized(3000), [&](Source& source) {
    ByteString bad{good.substr(0, good.size() - 8)};
    const std::uint64_t changes = 1 + source.below(3);
    for (std::uint64_t i = 0; i < changes; ++i) {
      const std::size_t at = head + source.below(bad.bytes.size() - head);
      bad.bytes[at] = static_cast<char>(source.below(256));
    }
    bad.put(byte_sum(bad.bytes));
    const Result<Recording> result = Recording::read(bad.bytes);
    if (!result) return;
    ++read_well;
    for (std::uint64_t step = 0; step <= result->steps(); ++step)
      ASSERT_EQ(result->frame(step).poses.size(), result->bodies());
  });
  EXPECT_GT(read_well, 0);
}

} // namespace
} // namespace carom::test
