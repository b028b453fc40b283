// Assemblies: what overlaps, what touches, what is near; from several files, and from objects inside of one.
#include "carom/carom.h"
#include "carom/record/base64.h"
#include "carom/record/bytes.h"
#include "tests/support/procedural_meshes.h"
#include "tests/tools/run_tool.h"

namespace carom::test {
namespace {

using Words = std::vector<std::string>;
using Json = nlohmann::json;

/// Cubes of edge 1, by the corner of the lowest coordinates.
std::string cubes(const std::vector<std::pair<std::string, Vec3>>& places) {
  PolygonMesh mesh;
  for (const auto& [name, place] : places) {
    mesh.parts.push_back({name, static_cast<std::uint32_t>(mesh.face_count())});
    append(mesh, cube_mesh(1), place);
  }
  return write_mesh(mesh, MeshFormat::obj).value();
}

/// A tube around z, or a cylinder where the inner radius is 0.
PolygonMesh tube(double inner, double outer, double low, double high) {
  constexpr std::uint32_t n = 12;
  PolygonMesh mesh;
  for (const double z : {low, high}) {
    for (const double radius : {inner, outer}) {
      for (std::uint32_t i = 0; i < n; ++i) {
        const double angle = 2 * pi * i / n;
        // As a file of floats has it: nothing fits exactly.
        mesh.vertices.push_back({static_cast<float>(radius * std::cos(angle)),
                                 static_cast<float>(radius * std::sin(angle)), z});
      }
    }
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t j = (i + 1) % n;
    add_face(mesh, {i, j, n + j, n + i});
    add_face(mesh, {2 * n + i, 3 * n + i, 3 * n + j, 2 * n + j});
    if (inner > 0) add_face(mesh, {i, 2 * n + i, 2 * n + j, j});
    add_face(mesh, {n + i, n + j, 3 * n + j, 3 * n + i});
  }
  return mesh;
}

/// A cube of edge 1 as glTF has it: eight points of floats, then 36 corners of a byte each.
std::string cube_buffer() {
  const PolygonMesh cube = triangulated(cube_mesh(1));
  ByteString out;
  for (const Vec3& v : cube.vertices) {
    for (const double x : {v.x, v.y, v.z}) out.put(static_cast<float>(x));
  }
  for (const std::uint32_t corner : cube.corners) out.put(static_cast<std::uint8_t>(corner));
  return out.bytes;
}

class ClashTest : public ToolTest {
protected:
  [[nodiscard]] Json clash(const Words& words, int exit_code) const {
    Words all = {"clash", "--json"};
    all.insert(all.end(), words.begin(), words.end());
    const ToolRun result = run(all);
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    EXPECT_EQ(result.err, "");
    return result.json();
  }
  [[nodiscard]] Words parts_of_info(const std::string& file) const {
    return run({"info", "--json", file}).json()["files"][0]["parts"].get<Words>();
  }
};

TEST_F(ClashTest, SortsPairsByWhatTheyDo) {
  write(path("row.obj"), cubes({{"a", {0, 0, 0}},
                                {"b", {0.75, 0, 0}},  // 0.25 in a
                                {"c", {1.75, 0, 0}},  // touches b
                                {"d", {2.625, 0, 0}}, // 0.125 in c
                                {"e", {3.875, 0, 0}}, // 0.25 from d
                                {"f", {9, 0, 0}}}));
  const Json json = clash({"row.obj", "--clearance", "0.5"}, 1);
  EXPECT_EQ(json["parts"].size(), 6U);
  ASSERT_EQ(json["overlapping"].size(), 2U);
  EXPECT_EQ(json["overlapping"][0]["a"], "row.obj: a");
  EXPECT_EQ(json["overlapping"][0]["b"], "row.obj: b");
  EXPECT_NEAR(json["overlapping"][0]["depth"].get<double>(), 0.25, 1e-9);
  EXPECT_NEAR(json["overlapping"][1]["depth"].get<double>(), 0.125, 1e-9);
  ASSERT_EQ(json["touching"].size(), 1U);
  EXPECT_EQ(json["touching"][0]["b"], "row.obj: c");
  ASSERT_EQ(json["near"].size(), 1U);
  EXPECT_EQ(json["near"][0]["distance"], 0.25);
  // Threads change nothing.
  const auto text = [&](const char* threads) {
    return clash({"row.obj", "--clearance", "0.5", "--threads", threads}, 1).dump();
  };
  EXPECT_EQ(text("1"), text("4"));
  // For people: the same numbers.
  const ToolRun table = run({"clash", "row.obj", "--clearance", "0.5"});
  EXPECT_NE(table.out.find("2 overlapping, 1 touching, 1 near"), std::string::npos) << table.out;
  // An upper bound of the depth, and the lower one: the true depth is between.
  EXPECT_NE(table.out.find("  depth     at least"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("\n  <= 0.25   0.2"), std::string::npos) << table.out;
  for (const Json& found : json["overlapping"]) {
    const double depth = found["depth"].get<double>();
    EXPECT_EQ(found["upper_bound"], depth);
    EXPECT_LT(found["lower_bound"].get<double>(), depth);
    EXPECT_GT(found["lower_bound"].get<double>(), depth / 1.3);
  }
}

TEST_F(ClashTest, NothingButTouchingIsNoClash) {
  write(path("row.obj"), cubes({{"a", {0, 0, 0}}, {"b", {1, 0, 0}}, {"c", {0, 0, 1}}}));
  const Json json = clash({"row.obj"}, 0);
  EXPECT_EQ(json["touching"].size(), 3U);
  EXPECT_EQ(json["overlapping"].size(), 0U);
}

TEST_F(ClashTest, WhatTouchesIsNearerThanAnyClearance) {
  write(path("row.obj"), cubes({{"a", {0, 0, 0}}, {"b", {1, 0, 0}}, {"c", {9, 0, 0}}}));
  const Json json = clash({"row.obj", "--clearance", "0.1"}, 1);
  ASSERT_EQ(json["touching"].size(), 1U);
  EXPECT_EQ(json["touching"][0]["distance"], 0);
  const Json page = page_of({"clash", "row.obj", "--clearance", "0.1"}, 1);
  ASSERT_EQ(page["findings"].size(), 1U);
  EXPECT_EQ(page["findings"][0]["title"], "row.obj: a and row.obj: b touch");
  EXPECT_EQ(page_of({"clash", "row.obj"}, 0)["findings"].size(), 0U);
}

TEST_F(ClashTest, BoltInItsHole) {
  ASSERT_TRUE(save_mesh(path("plate.obj"), tube(1, 5, 0, 2)));
  ASSERT_TRUE(save_mesh(path("bolt.obj"), tube(0, 1, -1, 3)));
  ASSERT_TRUE(save_mesh(path("thick.obj"), tube(0, 1.01, -1, 3)));
  const Json fits = clash({"plate.obj", "bolt.obj"}, 0);
  EXPECT_EQ(fits["touching"].size(), 1U) << fits.dump();
  // The deepest vertex is none: the wall's vertices are 0.01 in the bolt, and the bolt's ends are outside.
  const Json jams = clash({"plate.obj", "thick.obj"}, 1);
  ASSERT_EQ(jams["overlapping"].size(), 1U);
  EXPECT_NEAR(jams["overlapping"][0]["deepest"].get<double>(), 0.01 * std::cos(pi / 12), 1e-6);
  // What counts as touching is up to the user.
  EXPECT_EQ(clash({"plate.obj", "thick.obj", "--touch", "0.05"}, 0)["touching"].size(), 1U);
}

TEST_F(ClashTest, CrossingBarsOverlapThoughNoVertexIsInside) {
  PolygonMesh bar = cube_mesh(1);
  for (Vec3& v : bar.vertices) v = {8 * v.x - 4, v.y, v.z};
  PolygonMesh across = cube_mesh(1);
  for (Vec3& v : across.vertices) v = {v.x, 8 * v.y - 4, v.z + 0.25};
  ASSERT_TRUE(save_mesh(path("bar.obj"), bar));
  ASSERT_TRUE(save_mesh(path("across.obj"), across));
  const Json json = clash({"bar.obj", "across.obj"}, 1);
  ASSERT_EQ(json["overlapping"].size(), 1U);
  EXPECT_NEAR(json["overlapping"][0]["depth"].get<double>(), 0.75, 1e-6);
}

TEST_F(ClashTest, ObjectsGroupsAndFiles) {
  // Object 'left' has two groups, that share an edge; 'right' overlaps nothing.
  write(path("groups.obj"), "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 5 0 0\nv 6 0 0\nv 5 1 0\n"
                            "o left\ng top\nf 1 2 3\ng side\nf 1 3 4\no right\nf 5 6 7\n");
  EXPECT_EQ(clash({"groups.obj"}, 0)["parts"].size(), 2U);
  EXPECT_EQ(clash({"groups.obj", "--split", "group"}, 1)["parts"].size(), 3U);
  EXPECT_EQ(clash({"groups.obj", "groups.obj", "--split", "file"}, 1)["parts"].size(), 2U);
  // Without objects, groups are the parts.
  write(path("only.obj"), "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 5 0 0\nv 6 0 0\nv 5 1 0\n"
                          "g one\nf 1 2 3\ng two\nf 4 5 6\n");
  const Json json = clash({"only.obj"}, 0);
  ASSERT_EQ(json["parts"].size(), 2U);
  EXPECT_EQ(json["parts"][1]["name"], "only.obj: two");
  EXPECT_FALSE(json["parts"][0]["solid"]);
}

TEST_F(ClashTest, OnePartHasNothingToBeComparedWith) {
  write(path("one.obj"), cubes({{"a", {0, 0, 0}}}));
  const ToolRun result = run({"clash", "one.obj"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "carom: one.obj: it is the only part: there is nothing to compare\n");
}

TEST_F(ClashTest, SaysHowManyPartsAreSurfaces) {
  write(path("cube.obj"), cubes({{"a", {0, 0, 0}}}));
  write(path("open.obj"), "v 5 0 0\nv 6 0 0\nv 5 1 0\nf 1 2 3\n");
  write(path("more.obj"), "v 8 0 0\nv 9 0 0\nv 8 1 0\nf 1 2 3\n");
  EXPECT_NE(
      run({"clash", "cube.obj", "open.obj"}).out.find("1 part is not closed: taken as a surface,"),
      std::string::npos);
  EXPECT_NE(run({"clash", "cube.obj", "open.obj", "more.obj"})
                .out.find("2 parts are not closed: taken as surfaces,"),
            std::string::npos);
}

TEST_F(ClashTest, NodesOfGltf) {
  // One triangle, placed by two nodes, 0.5 apart along z, the second in a parent that is moved.
  const char* const gltf = R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1]}],
    "nodes":[{"name":"low","mesh":0},{"name":"parent","translation":[0,0,1],"children":[2]},
             {"name":"high","mesh":0,"translation":[0,0,-0.5]}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],
    "bufferViews":[{"buffer":0,"byteLength":36}],
    "buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]})";
  write(path("two.gltf"), gltf);
  const Json json = clash({"two.gltf", "--clearance", "1"}, 1);
  ASSERT_EQ(json["parts"].size(), 2U);
  ASSERT_EQ(json["near"].size(), 1U);
  EXPECT_EQ(json["near"][0]["a"], "two.gltf: low");
  EXPECT_EQ(json["near"][0]["b"], "two.gltf: high");
  EXPECT_EQ(json["near"][0]["distance"], 0.5);
}

/// Two nodes named "bolt", the second moved by 0.5, of one cube of edge 1 each; `nodes` says how they hang together.
std::string bolts_gltf(const std::string& scene, const std::string& nodes) {
  return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":)" + scene + R"(}],"nodes":)" +
         nodes + R"(,"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3","min":[0,0,0],"max":[1,1,1]},
                 {"bufferView":1,"componentType":5121,"count":36,"type":"SCALAR"}],
    "bufferViews":[{"buffer":0,"byteLength":96},{"buffer":0,"byteOffset":96,"byteLength":36}],
    "buffers":[{"byteLength":132,"uri":"data:application/octet-stream;base64,)" +
         base64(cube_buffer()) + R"("}]})";
}

TEST_F(ClashTest, NodesOfOneNameArePartsOfTheirOwn) {
  write(path("dup.gltf"), bolts_gltf("[0,1]", R"([{"name":"bolt","mesh":0},
    {"name":"bolt","mesh":0,"translation":[0.5,0,0]}])"));
  // Under different parents, as sub-assemblies have it.
  write(path("sub.gltf"), bolts_gltf("[0,1]", R"([{"name":"left","children":[2]},
    {"name":"right","translation":[0.5,0,0],"children":[3]},
    {"name":"bolt","mesh":0},{"name":"bolt","mesh":0}])"));
  for (const std::string file : {"dup.gltf", "sub.gltf"}) {
    const Json json = clash({file}, 1);
    ASSERT_EQ(json["parts"].size(), 2U) << file;
    ASSERT_EQ(json["overlapping"].size(), 1U) << file;
    EXPECT_EQ(json["overlapping"][0]["a"], file + ": bolt");
    EXPECT_EQ(json["overlapping"][0]["b"], file + ": bolt (2)");
    EXPECT_NEAR(json["overlapping"][0]["depth"].get<double>(), 0.5, 1e-6);
    EXPECT_EQ(parts_of_info(file), (Words{"bolt", "bolt (2)"}));
  }
}

TEST_F(ClashTest, ObjectsOfOneNameArePartsOfTheirOwn) {
  write(path("dup.obj"), cubes({{"bolt", {0, 0, 0}},
                                {"plate", {9, 0, 0}},
                                {"bolt", {0.5, 0, 0}},
                                {"bolt (2)", {5, 0, 0}}}));
  const Json json = clash({"dup.obj"}, 1);
  EXPECT_EQ(json["parts"].size(), 4U);
  ASSERT_EQ(json["overlapping"].size(), 1U);
  EXPECT_EQ(json["overlapping"][0]["b"], "dup.obj: bolt (2)");
  EXPECT_EQ(parts_of_info("dup.obj"), (Words{"bolt", "plate", "bolt (2)", "bolt (2) (2)"}));
  // The same file twice is two assemblies in one place.
  EXPECT_EQ(clash({"dup.obj", "dup.obj"}, 1)["overlapping"].size(), 4U + 4U);
}

TEST_F(ClashTest, AGroupGoesOnInsideOfItsObjectOnly) {
  const std::string vertices = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
  write(path("again.obj"), vertices + "o a\ng x\nf 1 2 3\ng y\nf 1 3 4\ng x\nf 1 2 4\n"
                                      "o b\ng x\nf 2 3 4\n");
  const Json json = clash({"again.obj", "--split", "group"}, 1);
  ASSERT_EQ(json["parts"].size(), 3U);
  EXPECT_EQ(json["parts"][0]["name"], "again.obj: a/x");
  EXPECT_EQ(json["parts"][0]["triangles"], 2);
  EXPECT_EQ(json["parts"][2]["name"], "again.obj: b/x");
  // A file without objects: the same, and info agrees.
  write(path("groups.obj"), vertices + "g x\nf 1 2 3\ng y\nf 1 3 4\ng x\nf 1 2 4\n");
  EXPECT_EQ(clash({"groups.obj"}, 1)["parts"].size(), 2U);
  EXPECT_EQ(parts_of_info("groups.obj"), (Words{"x", "y"}));
}

TEST_F(ClashTest, SolidsOfOneNameOrNoneArePartsOfTheirOwn) {
  for (const std::string name : {"", "bolt"}) {
    PolygonMesh mesh;
    for (const double x : {0.0, 0.5}) {
      mesh.parts.push_back({name, static_cast<std::uint32_t>(mesh.face_count())});
      append(mesh, triangulated(cube_mesh(1)), {x, 0, 0});
    }
    write(path("solids.stl"), write_mesh(mesh, MeshFormat::stl).value());
    const Json json = clash({"solids.stl"}, 1);
    EXPECT_EQ(json["parts"].size(), 2U) << name;
    EXPECT_EQ(json["overlapping"].size(), 1U) << name;
    EXPECT_EQ(parts_of_info("solids.stl").size(), 2U) << name;
  }
}

TEST_F(ClashTest, Page) {
  write(path("row.obj"), cubes({{"a", {0, 0, 0}}, {"<b>", {0.75, 0, 0}}, {"c", {5, 0, 0}}}));
  const ToolRun none = [&] {
    setenv("CAROM_PLAYER", path("nowhere.html").c_str(), 1);
    return run({"clash", "row.obj", "--html", "report.html"});
  }();
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_EQ(none.error_lines(), 1U) << none.err;
  EXPECT_FALSE(std::filesystem::exists(path("report.html")));
  write_empty_player();
  EXPECT_EQ(run({"clash", "row.obj", "--html", "report.html"}).exit_code, 1);
  unsetenv("CAROM_PLAYER");
  const std::string html = contents(path("report.html"));
  EXPECT_EQ(html.find("<b>"), std::string::npos);
  EXPECT_NE(html.find("overlap by at most 0.25"), std::string::npos) << html.substr(0, 2000);
}

} // namespace
} // namespace carom::test
