// The proofs that JSON has are whole: read back, they pass the checker, and what is taken out of them is missed.
#include "carom/carom.h"
#include "carom/verify/check_motion.h"
#include "carom/verify/check_proof.h"
#include "tests/support/procedural_meshes.h"
#include "tests/tools/run_tool.h"

namespace carom::test {
namespace {

using Words = std::vector<std::string>;
using Json = nlohmann::json;

Vec3 vec(const Json& json) { return {json[0], json[1], json[2]}; }

std::vector<PartId> parts(const Json& list) {
  std::vector<PartId> out;
  for (const Json& part : list) {
    out.push_back({.element = part.is_null() ? PartId::none : part.get<std::uint32_t>()});
  }
  return out;
}

Proof read_proof(const Json& json) {
  Proof proof{.parts_a = parts(json["parts_a"]),
              .parts_b = parts(json["parts_b"]),
              .claims = {},
              .translation = {},
              .bound = json["bound"]};
  for (const Json& claim : json["claims"]) {
    proof.claims.push_back(
        {claim["a"][0], claim["a"][1], claim["b"][0], claim["b"][1], vec(claim["direction"])});
  }
  return proof;
}

class Certificates : public ToolTest {
protected:
  void SetUp() override {
    ToolTest::SetUp();
    ASSERT_TRUE(save_mesh(path("torus.ply"), torus_mesh(16, 8)));
    ASSERT_TRUE(save_mesh(path("ball.obj"), sphere_mesh(2)));
  }
  [[nodiscard]] Shape shape(const std::string& name) const {
    return Shape::mesh(load_mesh(path(name)).value()).value();
  }
  [[nodiscard]] Json ask(Words words, int exit_code) const {
    words.emplace_back("--json");
    const ToolRun result = run(words);
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    return result.json();
  }
};

TEST_F(Certificates, ABallInTheHoleOfATorus) {
  const verify::PlacedShape torus{shape("torus.ply"), {}};
  const verify::PlacedShape ball{Shape::sphere(0.1).value(), {}};
  for (const Words& words :
       std::vector<Words>{{"overlap", "torus.ply", "sphere:0.1"},
                          {"overlap", "torus.ply", "sphere:0.1", "--check"},
                          {"distance", "torus.ply", "sphere:0.1", "--check"}}) {
    const Json json = ask(words, words[0] == "overlap" ? 1 : 0);
    Proof proof = read_proof(json["certificate"]["apart"]);
    EXPECT_GT(proof.claims.size(), 1U); // no plane is between them
    EXPECT_EQ(proof.bound, words[0] == "overlap" ? 0 : json["lower_bound"].get<double>());
    EXPECT_TRUE(verify::check_proof(torus, ball, proof, 1e-9)) << words[0];
    proof.claims.pop_back();
    EXPECT_FALSE(verify::check_proof(torus, ball, proof, 1e-9)) << words[0];
  }
  // For people: how many, and the first of them.
  const std::string text = run({"overlap", "torus.ply", "sphere:0.1"}).out;
  EXPECT_NE(text.find(" directions between groups of triangles"), std::string::npos) << text;
  EXPECT_NE(text.find("of A behind B, along "), std::string::npos) << text;
  EXPECT_NE(text.find(" more (--json)"), std::string::npos) << text;
}

TEST_F(Certificates, MeshesThatAPlaneSeparatesNameIt) {
  const Json json = ask({"overlap", "torus.ply", "ball.obj", "--pose-b", "9,0,0"}, 1);
  EXPECT_EQ(json["certificate"]["apart"]["claims"].size(), 1U);
  EXPECT_EQ(json["axis"], json["certificate"]["apart"]["claims"][0]["direction"]);
}

TEST_F(Certificates, AMotion) {
  const Json json = ask(
      {"impact", "torus.ply", "ball.obj", "--pose-b", "9,0,0", "--motion-b", "-9,0,0", "--check"},
      0);
  const Json& told = json["certificate"]["motion"];
  EXPECT_NEAR(told["until"].get<double>(), json["t"].get<double>(), 1e-6);
  MotionProof proof{.parts_a = parts(told["parts_a"]),
                    .parts_b = parts(told["parts_b"]),
                    .claims = {},
                    .steps = {},
                    .until = told["until"],
                    .bound = told["bound"]};
  const Json carriers = {{"world", 0}, {"a", 1}, {"b", 2}};
  for (const Json& claim : told["claims"]) {
    const auto first = static_cast<std::uint32_t>(proof.steps.size());
    for (const Json& step : claim["steps"]) {
      proof.steps.push_back({step["until"], vec(step["direction"]),
                             static_cast<Carrier>(carriers[step["turns_with"]].get<int>())});
    }
    proof.claims.push_back({claim["a"][0], claim["a"][1], claim["b"][0], claim["b"][1], first,
                            static_cast<std::uint32_t>(proof.steps.size())});
  }
  EXPECT_TRUE(verify::check_motion_proof(shape("torus.ply"), Motion::rest({}), shape("ball.obj"),
                                         Motion::translation_by(Pose::at({9, 0, 0}), {-9, 0, 0}),
                                         proof, 1e-7));
}

TEST_F(Certificates, ADepthHasItsPiecesAndClaims) {
  const Json json =
      ask({"penetration", "torus.ply", "ball.obj", "--pose-b", "1,0,0", "--check"}, 0);
  const Json& depth = json["certificate"]["depth"];
  EXPECT_EQ(depth["bound"], json["lower_bound"]);
  ASSERT_GT(depth["claims"].size(), 0U);
  for (const Json& claim : depth["claims"]) {
    EXPECT_LT(claim["a"].get<std::size_t>(), depth["pieces_a"].size());
    EXPECT_LT(claim["b"].get<std::size_t>(), depth["pieces_b"].size());
    EXPECT_GT(claim["radius"].get<double>(), 0);
  }
  EXPECT_TRUE(json["certificate"].contains("apart")); // moved by the upper bound
}

TEST_F(Certificates, PicturesHaveTheSlabWhereThereIsOne) {
  const auto slabs = [&](Words words) {
    words.insert(words.end(), {"--svg", "picture.svg"});
    EXPECT_LE(run(words).exit_code, 1);
    const std::string svg = contents(path("picture.svg"));
    std::size_t count = 0;
    for (std::size_t at = svg.find("class='slab'"); at != std::string::npos;
         at = svg.find("class='slab'", at + 1)) {
      ++count;
    }
    return count;
  };
  EXPECT_EQ(slabs({"overlap", "sphere:1", "box:1,1,1", "--pose-b", "5,0,0"}), 2U);
  EXPECT_EQ(slabs({"distance", "sphere:1", "box:1,1,1", "--pose-b", "5,0,0"}), 2U);
  EXPECT_EQ(slabs({"overlap", "torus.ply", "ball.obj", "--pose-b", "9,0,0"}), 2U);
  EXPECT_EQ(slabs({"overlap", "torus.ply", "sphere:0.1"}), 0U);
  EXPECT_EQ(slabs({"overlap", "sphere:1", "box:1,1,1"}), 0U);
  EXPECT_EQ(slabs({"ray", "sphere:1", "--from", "-5,0,0", "--dir", "1,0,0"}), 0U);
}

} // namespace
} // namespace carom::test
