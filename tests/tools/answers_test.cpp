// Every verb on small meshes: its JSON is what the library answers, and its exit code says yes or no.
#include "carom/carom.h"
#include "tests/support/procedural_meshes.h"
#include "tests/tools/run_tool.h"

namespace carom::test {
namespace {

using Words = std::vector<std::string>;
using Json = nlohmann::json;

Vec3 vec(const Json& json) { return {json[0], json[1], json[2]}; }

Words operator+(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

class Answers : public ToolTest {
protected:
  void SetUp() override {
    ToolTest::SetUp();
    save("ball.obj", sphere_mesh(4));
    save("torus.ply", torus_mesh(16, 8));
    save("cube.off", cube_mesh(1));
  }
  void save(const std::string& name, const PolygonMesh& mesh) const {
    const Result<void> saved = save_mesh(path(name), mesh);
    ASSERT_TRUE(saved) << saved.error().message;
  }
  void save_box_without_lid(const std::string& name) const {
    PolygonMesh open = cube_mesh(1);
    open.face_begin.pop_back();
    open.corners.resize(open.face_begin.back());
    save(name, open);
  }
  [[nodiscard]] Shape shape(const std::string& name) const {
    return Shape::mesh(load_mesh(path(name)).value()).value();
  }
  /// With --json, and --check where the verb has it.
  [[nodiscard]] Json ask(const Words& words, int exit_code = 0) const {
    const ToolRun result = run(words + Words{"--json"});
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    EXPECT_EQ(result.err, "");
    const Json json = result.json();
    EXPECT_FALSE(json.is_discarded()) << result.out;
    return json;
  }
};

// Quarter turns: exact, whichever way they are given.
const Words turned = {"--pose-b", "3,0.25,0.5", "--euler-b", "90,0,90"};
const Pose turned_pose{Quat::from_axis_angle({0, 0, 1}, half_pi) *
                           Quat::from_axis_angle({1, 0, 0}, half_pi),
                       {3, 0.25, 0.5}};

TEST_F(Answers, Overlap) {
  const Json apart = ask(Words{"overlap", "ball.obj", "torus.ply", "--check"} + turned, 1);
  EXPECT_FALSE(apart["overlaps"]);
  EXPECT_EQ(apart["checked"]["left_out"].size(), 0U);
  EXPECT_FALSE(overlap(shape("ball.obj"), {}, shape("torus.ply"), turned_pose).hit);
  const Json meets = ask({"overlap", "ball.obj", "torus.ply", "--pose-b", "1,0,0", "--check"});
  const ShapeOverlap own = overlap(shape("ball.obj"), {}, shape("torus.ply"), Pose::at({1, 0, 0}));
  EXPECT_TRUE(meets["overlaps"]);
  EXPECT_EQ(vec(meets["point"]), own.point);
}

TEST_F(Answers, Distance) {
  const Json json = ask(Words{"distance", "ball.obj", "torus.ply", "--check"} + turned);
  const Distance own = distance(shape("ball.obj"), {}, shape("torus.ply"), turned_pose);
  EXPECT_GT(own.value, 0);
  EXPECT_EQ(json["value"], own.value);
  EXPECT_EQ(json["lower_bound"], own.lower_bound);
  EXPECT_EQ(vec(json["on_a"]), own.on_a);
  EXPECT_EQ(vec(json["on_b"]), own.on_b);
  EXPECT_EQ(vec(json["normal"]), own.normal);
  EXPECT_EQ(json["checked"]["steps"].size(), 3U);
  EXPECT_EQ(json["checked"]["left_out"].size(), 0U);
}

TEST_F(Answers, PrimitivesAndPoses) {
  // Each 1 away from the unit ball at the origin.
  const std::vector<Words> cases = {
      {"sphere:2", "--pose-b", "4,0,0"},
      {"box:1,2,3", "--pose-b", "0,4,0"},
      {"box:1,2,3", "--pose-b", "3,0,0,0,0,0,1"},
      {"box:1,2,3", "--pose-b", "0,0,4", "--euler-b", "90,0,0"}, // y stands up
      {"box:1,2,3", "--pose-b", "3,0,0", "--euler-b", "0,0,180"},
      {"box:1,2,3", "--pose-b", "5,0,0", "--euler-b", "0,90,0"},  // z to x
      {"box:1,2,3", "--pose-b", "4,0,0", "--euler-b", "90,90,0"}, // x first: y to z, then z to x
      {"capsule:1,1", "--pose-b", "0,0,-4"},
      {"cylinder:2,1", "--pose-b", "0,0,4"},
      {"cone:3,1", "--pose-b", "0,0,-5"},
      {"ellipsoid:1,2,3", "--pose-b", "0,-4,0"},
      {"point:2,0,0"},
      {"segment:2,-5,0,2,5,0"},
      {"half-space:0,0,2,-4"},
      {"sphere:1", "--pose-b", "-3,0,0"},
      {"sphere:1", "--pose-b=-3,0,0"},
      {"sphere:1", "--pose-b", " -3, 0, 0 "},
      {"box: 1, 2, 3", "--pose-b", "3,0,0"},
      {"sphere:1", "--pose-b", "-.5,0,0", "--pose-a", "2.5,0,0"},
  };
  for (const Words& words : cases) {
    const Json json = ask(Words{"distance", "sphere:1"} + words);
    EXPECT_NEAR(json["value"].get<double>(), 1, 1e-9) << words[0] << " " << json["pose"];
  }
}

TEST_F(Answers, Penetration) {
  const Json json = ask({"penetration", "ball.obj", "cube.off", "--pose-b", "0.75,0,0", "--check"});
  const Penetration own =
      penetration(shape("ball.obj"), {}, shape("cube.off"), Pose::at({0.75, 0, 0}));
  EXPECT_GT(own.depth, 0);
  EXPECT_EQ(json["depth"], own.depth);
  EXPECT_EQ(json["lower_bound"], own.lower_bound);
  EXPECT_EQ(json["upper_bound"], own.upper_bound);
  EXPECT_EQ(vec(json["normal"]), own.normal);
  EXPECT_GE(json["checked"]["steps"].size(), 1U);
  EXPECT_EQ(ask({"penetration", "sphere:1", "sphere:1", "--pose-b", "5,0,0"})["depth"], 0);
}

TEST_F(Answers, Hausdorff) {
  const Json json = ask({"hausdorff", "ball.obj", "cube.off", "--check"});
  const Hausdorff own = hausdorff(shape("ball.obj"), {}, shape("cube.off"), {});
  EXPECT_EQ(json["value"], own.value);
  EXPECT_EQ(json["upper_bound"], own.upper_bound);
  EXPECT_EQ(json["a_from_b"]["value"], own.a_from_b.value);
  EXPECT_EQ(json["b_from_a"]["value"], own.b_from_a.value);
  const Json near = ask({"hausdorff", "ball.obj", "cube.off", "--error", "1e-6"});
  EXPECT_LE(near["upper_bound"].get<double>() - near["lower_bound"].get<double>(), 1.001e-6);
}

TEST_F(Answers, WhatIsInfiniteSaysSo) {
  const Json deep = ask({"penetration", "half-space:0,0,1,0", "half-space:0,1,0,0", "--check"});
  EXPECT_TRUE(deep["infinite"]);
  EXPECT_TRUE(deep["depth"].is_null());
  EXPECT_FALSE(deep.contains("on_a"));
  EXPECT_EQ(deep["checked"]["steps"].size(), 0U);
  // Opposite ones can be moved apart.
  const Json shallow = ask({"penetration", "half-space:0,0,1,0", "half-space:0,0,-1,2", "--check"});
  EXPECT_FALSE(shallow["infinite"]);
  EXPECT_EQ(shallow["depth"], 2);
  const Json far = ask({"hausdorff", "half-space:0,0,1,0", "sphere:1", "--check"});
  EXPECT_TRUE(far["infinite"]);
  EXPECT_TRUE(far["value"].is_null());
  EXPECT_FALSE(far.contains("on_a"));
  EXPECT_FALSE(far["a_from_b"].contains("on_a"));
  EXPECT_NEAR(far["b_from_a"]["value"].get<double>(), 1, 1e-9);
  EXPECT_EQ(far["checked"]["steps"].size(), 1U); // of B
  const std::string text = run({"hausdorff", "half-space:0,0,1,0", "sphere:1"}).out;
  EXPECT_EQ(text.find("the point named"), std::string::npos) << text;
  EXPECT_NE(text.find("infinite"), std::string::npos) << text;
}

TEST_F(Answers, Impact) {
  const Words fly = {"--pose-b", "8,0,0", "--motion-b", "move:-8,0,0"};
  const Json json = ask(Words{"impact", "ball.obj", "torus.ply", "--check"} + fly);
  const Motion motion = Motion::translation_by(Pose::at({8, 0, 0}), {-8, 0, 0});
  const TimeOfImpact own =
      time_of_impact(shape("ball.obj"), Motion::rest({}), shape("torus.ply"), motion);
  EXPECT_TRUE(json["hit"]);
  EXPECT_EQ(json["t"], own.t);
  EXPECT_EQ(vec(json["on_a"]), own.on_a);
  EXPECT_EQ(json["checked"]["left_out"].size(), 0U);
  EXPECT_FALSE(ask({"impact", "sphere:1", "sphere:1", "--pose-b", "5,0,0"}, 1)["hit"]);
  // A bar turns about its middle by half a turn: the ball, 2 from its axis, is met at the quarter, less the angle of the two sizes.
  const Json turn = ask({"impact", "box:3,0.1,0.1", "sphere:0.1", "--pose-b", "0,2,0", "--motion-a",
                         "turn:0,0,1,180"});
  EXPECT_NEAR(turn["t"].get<double>(), 0.5 - std::asin(0.2 / 2) / pi, 1e-8);
  const Json to =
      ask({"impact", "sphere:1", "sphere:1", "--pose-a", "-6,0,0", "--motion-a", "to:0,0,0"});
  EXPECT_NEAR(to["t"].get<double>(), 4.0 / 6, 1e-8);
}

TEST_F(Answers, AnImpactThatIsOneAtTheStartNamesAPointOfBoth) {
  const struct {
    std::string a, b;
    double x;
  } cases[] = {
      {"ball.obj", "cube.off", 0.75}, {"torus.ply", "ball.obj", 1}, {"cube.off", "cube.off", 0.5}};
  for (const auto& c : cases) {
    const Words place = {"--pose-b", std::to_string(c.x) + ",0,0", "--motion-b", "9,0,0"};
    const Json json = ask(Words{"impact", c.a, c.b, "--check"} + place);
    EXPECT_TRUE(json["initial_overlap"]);
    EXPECT_EQ(json["t"], 0);
    EXPECT_LT(json["distance"], 0); // the depth
    const Vec3 p = vec(json["point"]);
    EXPECT_LE(closest_point(p, shape(c.a), {}).value, 1e-9) << c.a;
    EXPECT_LE(closest_point(p, shape(c.b), Pose::at({c.x, 0, 0})).value, 1e-9) << c.b;
    EXPECT_EQ(json["checked"]["steps"],
              (Json{"the common point lies in A", "the common point lies in B"}));
    const std::string text = run(Words{"impact", c.a, c.b} + place).out;
    EXPECT_NE(text.find("common point  "), std::string::npos) << text;
  }
  // Apart by less than rounding makes of it: a hit at once, by two points so near.
  const Json touch =
      ask({"impact", "cube.off", "cube.off", "--pose-b", "1.00000000000001,0,0", "--check"});
  EXPECT_FALSE(touch["initial_overlap"]);
  EXPECT_EQ(touch["t"], 0);
  EXPECT_FALSE(touch.contains("point"));
  EXPECT_NEAR(length(vec(touch["on_a"]) - vec(touch["on_b"])), 1e-14, 1e-15);
}

TEST_F(Answers, AnImpactIsCheckedForItsGap) {
  const Json json = ask(
      {"impact", "ball.obj", "cube.off", "--pose-b", "8,0,0", "--motion-b", "-8,0,0", "--check"});
  EXPECT_NEAR(length(vec(json["on_a"]) - vec(json["on_b"])), json["distance"].get<double>(), 1e-12);
  EXPECT_EQ(json["checked"]["steps"].size(), 4U);
  EXPECT_EQ(json["checked"]["steps"][2],
            "the points are as far from each other as stated, along the direction");
}

TEST_F(Answers, RayAndClosestPoint) {
  const Json hit = ask({"ray", "torus.ply", "--from", "-9,0.1,0.2", "--dir", "2,0,0", "--check"});
  const RayHit own = ray_cast(shape("torus.ply"), {}, Ray{{-9, 0.1, 0.2}, {2, 0, 0}});
  EXPECT_EQ(hit["t"], own.t);
  EXPECT_EQ(vec(hit["normal"]), own.normal);
  EXPECT_EQ(hit["triangle"], own.part.element);
  EXPECT_FALSE(
      ask({"ray", "torus.ply", "--from", "-9,0,0", "--dir", "-1,0,0", "--check"}, 1)["hit"]);
  EXPECT_FALSE(
      ask({"ray", "sphere:1", "--from", "-9,0,0", "--dir", "1,0,0", "--max", "7"}, 1)["hit"]);
  const Json closest = ask({"closest", "torus.ply", "--point", "0.1,0.2,3", "--check"});
  const SurfacePoint surface = closest_point({0.1, 0.2, 3}, shape("torus.ply"), {});
  EXPECT_EQ(closest["value"], surface.value);
  EXPECT_EQ(vec(closest["point"]), surface.point);
  EXPECT_LT(ask({"closest", "cube.off", "--point", "0.5,0.5,0.4"})["value"], 0);
}

TEST_F(Answers, Info) {
  const Json json = ask({"info", "cube.off", "torus.ply"});
  ASSERT_EQ(json["files"].size(), 2U);
  const Json& cube = json["files"][0];
  EXPECT_EQ(cube["vertices"], 8);
  EXPECT_EQ(cube["volume"], 1);
  EXPECT_EQ(cube["area"], 6);
  EXPECT_TRUE(cube["solid"]);
  EXPECT_EQ(json["files"][1]["volume"], solid_mass(load_mesh(path("torus.ply")).value())->volume);
  // Two cubes that cut into each other, and one apart: what is wrong is told first, what is alike once.
  PolygonMesh three;
  for (const double x : {0.0, 0.5, 9.0}) append(three, cube_mesh(1), {x, 0, 0});
  save("three.obj", three);
  const std::string text = run({"info", "three.obj"}).out;
  EXPECT_NE(text.find("3 components alike, of faces 0, 6, 12: each 6 faces"), std::string::npos)
      << text;
  EXPECT_LT(text.find("faces cut into each other"), text.find("components alike"));
  EXPECT_LT(text.find("faces cut into each other"), text.find("volume  "));
  save("open.obj", grid_mesh(3, 3, [](double u, double v) { return Vec3{u, v, 0}; }));
  const Json open = ask({"info", "open.obj"})["files"][0];
  EXPECT_TRUE(open["volume"].is_null());
  EXPECT_FALSE(open["closed"]);
}

TEST_F(Answers, Repair) {
  // A cube as a soup of triangles, one of them twice, one turned over.
  PolygonMesh soup;
  const PolygonMesh cube = triangulated(cube_mesh(2));
  for (std::size_t f = 0; f < cube.face_count(); ++f) {
    std::vector<std::uint32_t> corners;
    for (const std::uint32_t v : cube.face(f)) {
      corners.push_back(static_cast<std::uint32_t>(soup.vertices.size()));
      soup.vertices.push_back(cube.vertices[v]);
    }
    if (f == 3) std::swap(corners[0], corners[1]);
    soup.add_face(corners);
    if (f == 5) soup.add_face(corners);
  }
  save("soup.obj", soup);
  const Json json = ask({"repair", "soup.obj", "clean.stl"});
  EXPECT_TRUE(json["solid"]);
  EXPECT_EQ(json["steps"]["duplicate faces removed"], 1);
  EXPECT_EQ(json["steps"]["faces turned over"], 1);
  EXPECT_EQ(json["steps"]["vertices welded"],
            36 - 8); // the double triangle has the corners of the other
  EXPECT_EQ(ask({"info", "clean.stl"})["files"][0]["volume"], 8);
}

TEST_F(Answers, HullAndPieces) {
  const Json hull = ask({"hull", "torus.ply", "hull.obj"});
  const ConvexHull own = convex_hull(load_mesh(path("torus.ply"))->vertices).value();
  EXPECT_EQ(hull["vertices"], own.vertices.size());
  EXPECT_EQ(hull["volume"], mass_properties(own).volume);
  EXPECT_EQ(load_mesh(path("hull.obj"))->face_count(), own.face_count());
  const Json few = ask({"hull", "torus.ply", "few.ply", "--vertices", "12"});
  EXPECT_LE(few["vertices"], 12);
  EXPECT_GT(few["growth"], 0);
  const Json pieces = ask({"decompose", "torus.ply", "pieces/", "--pieces", "5"});
  ASSERT_LE(pieces["pieces"].size(), 5U);
  double volume = 0;
  for (const Json& piece : pieces["pieces"]) {
    EXPECT_TRUE(std::filesystem::exists(path(piece["file"]))) << piece;
    volume += piece["volume"].get<double>();
  }
  EXPECT_NEAR(volume, pieces["piece_volume"].get<double>(), 1e-12 * volume);
}

TEST_F(Answers, PiecesOfAnOpenMeshSayThatHolesWereClosed) {
  save_box_without_lid("open.obj");
  const std::string text = run({"decompose", "open.obj", "pieces"}).out;
  EXPECT_NE(text.find("closed first, by 2 triangles"), std::string::npos) << text;
  EXPECT_EQ(ask({"decompose", "open.obj", "again"})["patches"], 2);
  EXPECT_EQ(run({"decompose", "cube.off", "whole"}).out.find("holes"), std::string::npos);
}

TEST_F(Answers, SayWhereAMeshIsASurfaceBecauseItIsOpen) {
  save_box_without_lid("open.obj");
  const std::string note = " is not closed, or not wound outward: taken as a surface";
  for (const Words& words :
       std::vector<Words>{{"overlap"},
                          {"distance"},
                          {"penetration"},
                          {"hausdorff"},
                          {"impact"},
                          {"closest", "--point", "0.5,0.5,0.5"},
                          {"ray", "--from", "0.5,0.5,0.5", "--dir", "1,0,0"}}) {
    const bool two = words.size() == 1;
    const auto about = [&](const std::string& a, const std::string& b) {
      Words all = {words[0], a};
      if (two) all.push_back(b);
      return all + Words(words.begin() + 1, words.end());
    };
    // A ball in the middle of the box, which touches it only where the box has an inside.
    const int missed = words[0] == "overlap" || words[0] == "impact" ? 1 : 0;
    const std::string ball = "sphere:0.1";
    const Words at = two ? Words{"--pose-b", "0.5,0.5,0.5"} : Words{};
    const Json open = ask(about("open.obj", ball) + at, missed);
    EXPECT_FALSE(open["a"]["solid"]) << words[0];
    EXPECT_NE(run(about("open.obj", ball) + at).out.find("A" + note), std::string::npos)
        << words[0];
    for (const std::string other : {"cube.off", "surface:open.obj", "surface:cube.off"}) {
      const ToolRun told = run(about(other, ball) + at);
      EXPECT_EQ(told.out.find(note), std::string::npos) << words[0] << other;
      const Json json = run(about(other, ball) + at + Words{"--json"}).json();
      EXPECT_EQ(json["a"]["solid"], other == "cube.off") << words[0] << other;
      if (two) {
        EXPECT_TRUE(json["b"]["solid"]) << words[0];
      }
    }
    if (!two) continue;
    EXPECT_NE(run(about(ball, "open.obj")).out.find("B" + note), std::string::npos) << words[0];
    EXPECT_FALSE(run(about(ball, "open.obj") + Words{"--json"}).json()["b"]["solid"]) << words[0];
  }
}

TEST_F(Answers, PicturesAndHelp) {
  for (const Words& words :
       std::vector<Words>{{"distance", "ball.obj", "half-space:0,0,1,-2"},
                          {"overlap", "ball.obj", "cube.off"},
                          {"penetration", "capsule:1,1", "cone:2,1"},
                          {"hausdorff", "ball.obj", "point:1,2,3"},
                          {"impact", "ball.obj", "segment:0,0,0,1,1,1", "--motion-a", "1,0,0"},
                          {"closest", "ball.obj", "--point", "3,3,3"},
                          {"ray", "ball.obj", "--from", "5,0,0.1", "--dir", "-1,0,0"}}) {
    const ToolRun result = run(words + Words{"--svg", "picture.svg"});
    EXPECT_EQ(result.exit_code, 0) << words[0] << result.err;
    const std::string svg = contents(path("picture.svg"));
    EXPECT_NE(svg.find("<polygon"), std::string::npos) << words[0];
    EXPECT_EQ(svg.find("nan"), std::string::npos) << words[0];
    EXPECT_EQ(svg.find("inf"), std::string::npos) << words[0];
    const Json data = page_of(words, 0); // the viewer's page with our data in it
    EXPECT_EQ(data["kind"], "report");
    EXPECT_EQ(data["findings"].size(), 1U);
  }
  EXPECT_EQ(run({"help"}).out, run({"--help"}).out);
  EXPECT_EQ(run({"help", "ray"}).out, run({"ray", "--help"}).out);
  EXPECT_EQ(run({"--version"}).out.rfind("carom ", 0), 0U);
}

} // namespace
} // namespace carom::test
