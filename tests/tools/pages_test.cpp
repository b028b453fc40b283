// What the pages of questions show: the answer as the one finding, and no witness where there is none.
#include "carom/carom.h"
#include "tests/support/procedural_meshes.h"
#include "tests/tools/run_tool.h"

namespace carom::test {
namespace {

using Words = std::vector<std::string>;
using Json = nlohmann::json;

Vec3 vec(const Json& json) { return {json[0], json[1], json[2]}; }

class Pages : public ToolTest {
protected:
  /// The finding of the page, which has no other.
  [[nodiscard]] Json finding(const Words& words, int exit_code = 0) const {
    const Json page = page_of(words, exit_code);
    EXPECT_EQ(page["kind"], "report");
    EXPECT_EQ(page["findings"].size(), 1U) << words[0];
    return page["findings"][0];
  }
};

TEST_F(Pages, EveryAnswerHasItsWitnessAndNoOther) {
  const struct {
    Words words;
    int exit_code;
    const char* kind;
    std::size_t points;
    bool plane, arrow;
  } cases[] = {
      {{"distance", "sphere:1", "box:1,1,1", "--pose-b", "5,0,0"}, 0, "answer", 2, true, false},
      {{"distance", "sphere:1", "box:1,1,1"}, 0, "overlap", 1, false, false},
      {{"overlap", "sphere:1", "box:1,1,1"}, 0, "overlap", 1, false, false},
      {{"overlap", "sphere:1", "box:1,1,1", "--pose-b", "5,0,0"}, 1, "answer", 0, true, false},
      {{"overlap", "half-space:0,0,1,0", "sphere:1", "--pose-b", "0,0,4"},
       1,
       "answer",
       0,
       true,
       false},
      {{"penetration", "sphere:1", "sphere:1", "--pose-b", "1,0,0"}, 0, "overlap", 2, false, false},
      {{"penetration", "sphere:1", "sphere:1", "--pose-b", "5,0,0"}, 0, "answer", 0, true, false},
      {{"hausdorff", "sphere:1", "box:1,1,1"}, 0, "answer", 2, false, false},
      {{"impact", "sphere:1", "sphere:1", "--pose-b", "5,0,0"}, 1, "answer", 0, false, false},
      {{"ray", "sphere:1", "--from", "-5,0,0", "--dir", "1,0,0"}, 0, "answer", 2, false, true},
      {{"ray", "sphere:1", "--from", "0,0,0", "--dir", "1,0,0"}, 0, "answer", 1, false, false},
      {{"ray", "sphere:1", "--from", "-5,0,0", "--dir", "0,1,0"}, 1, "answer", 2, false, false},
      {{"closest", "sphere:1", "--point", "5,0,0"}, 0, "answer", 2, false, true},
  };
  for (const auto& c : cases) {
    const Json found = finding(c.words, c.exit_code);
    const std::string line = c.words[0] + " " + found.dump();
    EXPECT_EQ(found["kind"], c.kind) << line;
    EXPECT_EQ(found["points"].size(), c.points) << line;
    EXPECT_EQ(found.contains("plane"), c.plane) << line;
    EXPECT_EQ(found.contains("arrow"), c.arrow) << line;
    for (const char* name : {"plane", "arrow"}) {
      if (found.contains(name)) {
        EXPECT_NEAR(length(vec(found[name]["direction"])), 1, 1e-9) << line;
      }
    }
  }
}

TEST_F(Pages, ThePlaneKeepsThemApart) {
  for (const char* verb : {"overlap", "distance", "penetration"}) {
    const Json found = finding({verb, "sphere:1", "box:1,1,1", "--pose-b", "5,0.5,0"},
                               verb == std::string("overlap") ? 1 : 0);
    const Vec3 normal = vec(found["plane"]["direction"]);
    const double offset = dot(normal, vec(found["plane"]["point"]));
    EXPECT_GT(offset, 1) << verb; // all of the ball is behind it
    const double beyond =
        dot(normal, {5, 0.5, 0}) - std::fabs(normal.x) - std::fabs(normal.y) - std::fabs(normal.z);
    EXPECT_LT(offset, beyond) << verb; // and all of the box beyond
  }
  // Meshes may be apart where no plane is between them.
  ASSERT_TRUE(save_mesh(path("torus.ply"), torus_mesh(16, 8)));
  const Json inside = finding({"distance", "torus.ply", "sphere:0.1"});
  EXPECT_EQ(inside["points"].size(), 2U);
  EXPECT_FALSE(inside.contains("plane"));
}

TEST_F(Pages, ARayGoesFromItsOriginToTheHit) {
  const Json ray = finding({"ray", "sphere:1", "--from", "-50,0,0", "--dir", "2,0,0"});
  EXPECT_EQ(vec(ray["points"][0]), (Vec3{-50, 0, 0}));
  EXPECT_EQ(vec(ray["points"][1]), (Vec3{-1, 0, 0}));
  EXPECT_EQ(vec(ray["arrow"]["point"]), (Vec3{-1, 0, 0}));
  EXPECT_EQ(vec(ray["arrow"]["direction"]), (Vec3{-1, 0, 0}));
  EXPECT_EQ(ray["caption"], "ray on sphere:1");
  const Json closest = finding({"closest", "sphere:1", "--point", "50,0,0"});
  EXPECT_EQ(vec(closest["points"][0]), (Vec3{50, 0, 0}));
  EXPECT_EQ(closest["caption"], "point and sphere:1");
  EXPECT_EQ(finding({"distance", "sphere:1", "sphere:2"})["caption"], "sphere:1 and sphere:2");
}

TEST_F(Pages, AnImpactPlaysUpToTheContact) {
  const Words words = {"impact", "sphere:1",   "sphere:1", "--pose-b",
                       "5,0,0",  "--motion-a", "10,0,0"};
  const Json page = page_of(words, 0);
  const double steps = page["frames"]["count"].get<double>() - 1;
  EXPECT_EQ(steps, 60);
  EXPECT_NEAR(page["frames"]["dt"].get<double>() * steps, 0.3, 1e-6);
  EXPECT_NEAR(page["findings"][0]["points"][0][0].get<double>(), 4, 1e-6);
  EXPECT_TRUE(page["findings"][0].contains("arrow"));
  // Nothing plays where they touch at the start; all of the motion where they never do.
  EXPECT_EQ(
      page_of({"impact", "sphere:1", "sphere:1", "--motion-a", "1,0,0"}, 0)["frames"]["count"], 1);
  const Json misses =
      page_of({"impact", "sphere:1", "sphere:1", "--pose-b", "5,0,0", "--motion-a", "0,9,0"}, 1);
  EXPECT_NEAR(misses["frames"]["dt"].get<double>() * 60, 1, 1e-12);
}

} // namespace
} // namespace carom::test
