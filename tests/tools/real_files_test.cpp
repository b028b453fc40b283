// The verbs with --json on meshes as people have them: each answer is the library's, and passes the checker. One mesh is the repository's own, so nothing here is ever skipped.
#include "carom/carom.h"
#include "tests/support/data.h"
#include "tests/tools/run_tool.h"

namespace carom::test {
namespace {

using Words = std::vector<std::string>;
using Json = nlohmann::json;

const std::string horseshoe = CAROM_SOURCE_DIR "/scenes/meshes/horseshoe.obj";

Vec3 vec(const Json& json) { return {json[0], json[1], json[2]}; }

struct Files {
  std::string a, b;
};

/// The repository's, and the data's where they are.
std::vector<Files> pairs() {
  std::vector<Files> all = {{horseshoe, horseshoe}};
  if (const auto folder = data_folder()) {
    const auto mesh = [&](const char* name) { return (*folder / "meshes" / name).string(); };
    all.push_back({mesh("cow.obj"), mesh("spot.obj")});
  }
  return all;
}

class RealFiles : public ToolTest {
protected:
  /// With --json; and --check, of which nothing may fail.
  [[nodiscard]] Json ask(Words words, int exit_code) const {
    const std::string line = words[0] + " " + words[1];
    words.emplace_back("--json");
    const ToolRun result = run(words);
    EXPECT_EQ(result.exit_code, exit_code) << line << result.err;
    EXPECT_EQ(result.err, "") << line;
    const Json json = result.json();
    EXPECT_FALSE(json.is_discarded()) << line << result.out.substr(0, 300);
    EXPECT_EQ(json["verb"], words[0]) << line;
    return json;
  }
  [[nodiscard]] static Shape shape(const std::string& file) {
    return Shape::mesh(load_mesh(file).value()).value();
  }
};

// Beyond all of the meshes, some of which are 10 wide, and into them.
const Pose far = Pose::at({12, 0.1, 0});
const Words far_words = {"--pose-b", "12,0.1,0", "--check"};
const Pose in = Pose::at({0.1, 0.2, 0});
const Words in_words = {"--pose-b", "0.1,0.2,0", "--check"};

Words about(const char* verb, const Files& files, const Words& more) {
  Words words = {verb, files.a, files.b};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST_F(RealFiles, TwoShapes) {
  for (const Files& files : pairs()) {
    const Shape a = shape(files.a), b = shape(files.b);
    const Json meets = ask(about("overlap", files, in_words), 0);
    EXPECT_EQ(vec(meets["point"]), overlap(a, {}, b, in).point) << files.a;
    EXPECT_FALSE(ask(about("overlap", files, far_words), 1)["overlaps"]);
    const Json apart = ask(about("distance", files, far_words), 0);
    EXPECT_EQ(apart["value"], distance(a, {}, b, far).value) << files.a;
    EXPECT_EQ(apart["checked"]["left_out"].size(), 0U) << files.a;
    const Json deep = ask(about("penetration", files, in_words), 0);
    EXPECT_GT(deep["depth"], 0) << files.a;
    EXPECT_EQ(deep["depth"], penetration(a, {}, b, in).depth) << files.a;
    EXPECT_EQ(deep["checked"]["left_out"].size(), 0U) << files.a;
    Words fly = {"--pose-b", "12,0.1,0", "--motion-b", "-12,0,0"};
    const bool small =
        files.a == horseshoe; // of thousands of triangles the check takes half a minute
    if (small) fly.emplace_back("--check");
    const Json hit = ask(about("impact", files, fly), 0);
    const TimeOfImpact own =
        time_of_impact(a, Motion::rest({}), b, Motion::translation_by(far, {-12, 0, 0}));
    EXPECT_EQ(hit["t"], own.t) << files.a;
    if (small) {
      EXPECT_EQ(hit["checked"]["steps"].size(), 4U);
    }
    const Json differ = ask(about("hausdorff", files, in_words), 0);
    EXPECT_EQ(differ["value"], hausdorff(a, {}, b, in).value) << files.a;
  }
}

TEST_F(RealFiles, OneShape) {
  for (const Files& files : pairs()) {
    const Shape a = shape(files.a);
    const Vec3 inside = closest_point({}, a, {}).point; // of the surface: a ray toward it hits
    const Ray ray{{0, 0, 30}, inside - Vec3{0, 0, 30}};
    char from[200], to[200];
    std::snprintf(from, sizeof from, "%.17g,%.17g,%.17g", ray.origin.x, ray.origin.y, ray.origin.z);
    std::snprintf(to, sizeof to, "%.17g,%.17g,%.17g", ray.direction.x, ray.direction.y,
                  ray.direction.z);
    const RayHit own = ray_cast(a, {}, ray);
    const Json hit = ask({"ray", files.a, "--from", from, "--dir", to, "--check"}, 0);
    EXPECT_TRUE(own.hit) << files.a;
    EXPECT_EQ(hit["t"], own.t) << files.a;
    const Json closest = ask({"closest", files.a, "--point", "0,0,30", "--check"}, 0);
    EXPECT_EQ(closest["value"], closest_point({0, 0, 30}, a, {}).value) << files.a;
    EXPECT_TRUE(closest["a"]["solid"]) << files.a;
    const Json info = ask({"info", files.a}, 0);
    EXPECT_EQ(info["files"][0]["faces"], load_mesh(files.a)->face_count()) << files.a;
  }
}

TEST_F(RealFiles, Clashes) {
  for (const Files& files : pairs()) {
    const Json json = ask({"clash", files.a, files.b}, 1);
    ASSERT_EQ(json["overlapping"].size(), 1U) << files.a;
    const Json& found = json["overlapping"][0];
    // As `penetration` has it, to within both bounds: a clash is looked at without pieces inside the parts.
    const Penetration own = penetration(shape(files.a), {}, shape(files.b), {});
    EXPECT_GE(found["upper_bound"].get<double>(), own.lower_bound) << files.a;
    EXPECT_LE(found["lower_bound"].get<double>(), own.upper_bound) << files.a;
    const MeshOptions plain{.body = MeshOptions::Body::automatic, .tree = {}, .inner_pieces = 0};
    const auto without = [&](const std::string& file) {
      return Shape::mesh(load_mesh(file).value(), plain).value();
    };
    EXPECT_EQ(found["depth"], penetration(without(files.a), {}, without(files.b), {}).depth);
  }
}

TEST_F(RealFiles, ASceneWithAMeshOfItsOwn) {
  const std::string scene = CAROM_SOURCE_DIR "/scenes/horseshoes.json";
  const Json ran = ask({"sim", scene, "--seconds", "1", "--record", "shoes.crm"}, 0);
  EXPECT_EQ(ran["scene"], "Horseshoes");
  EXPECT_EQ(ran["bodies"], 10);
  EXPECT_TRUE(ran["finite"]);
  const Json again = ask({"replay", "shoes.crm", "--verify"}, 0);
  EXPECT_TRUE(again["same"]);
  EXPECT_EQ(again["steps"], 60);
}

} // namespace
} // namespace carom::test
