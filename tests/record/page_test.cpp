// The page's data, and pictures: read back by means of their own.
#include "carom/record/page.h"

#include "carom/record/base64.h"
#include "carom/record/contact_points.h"
#include "carom/record/png.h"
#include "carom/record/render.h"
#include "tests/record/scene_files.h"
#include "tests/support/property.h"

#include <cstring>
#include <nlohmann/json.hpp>

namespace carom::test {
namespace {

using Json = nlohmann::json;

std::string decoded(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::uint32_t bits = 0, count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<std::uint32_t>(digits.find(c));
    if ((count += 6) >= 8) out += static_cast<char>(bits >> (count -= 8) & 0xff);
  }
  return out;
}

template<class Number>
std::vector<Number> numbers(const Json& text) {
  const std::string bytes = decoded(text);
  std::vector<Number> out(bytes.size() / sizeof(Number));
  std::memcpy(out.data(), bytes.data(), out.size() * sizeof(Number));
  return out;
}

/// Frames of rows of whole numbers, from their differences: [frame][row * numbers + k].
std::vector<std::vector<std::int64_t>> rows(const Json& packed, std::size_t frames,
                                            std::size_t numbers) {
  const std::string bytes = decoded(packed["deltas"]);
  const std::size_t count = packed["rows"];
  std::size_t at = 0;
  const auto flags = [&](std::size_t size) {
    std::vector<bool> out;
    for (std::size_t i = 0; i < size; ++i)
      out.push_back((static_cast<unsigned char>(bytes.at(at + i / 8)) >> (i % 8) & 1) != 0);
    at += (size + 7) / 8;
    return out;
  };
  std::vector<std::vector<std::int64_t>> all;
  std::vector<std::int64_t> values(count * numbers);
  for (std::size_t f = 0; f < frames; ++f) {
    const std::vector<bool> changed = flags(count);
    for (std::size_t row = 0; row < count; ++row) {
      if (!changed[row]) continue;
      const std::vector<bool> others = flags(numbers);
      for (std::size_t k = 0; k < numbers; ++k) {
        if (!others[k]) continue;
        std::int64_t sum = 0, scale = 1;
        for (; static_cast<unsigned char>(bytes.at(at)) >= 128; ++at, scale *= 128)
          sum += (static_cast<unsigned char>(bytes[at]) - 128) * scale;
        sum += static_cast<unsigned char>(bytes[at++]) * scale;
        EXPECT_NE(sum, 0);
        values[row * numbers + k] += sum % 2 == 0 ? sum / 2 : -(sum + 1) / 2;
      }
    }
    all.push_back(values);
  }
  EXPECT_EQ(at, bytes.size());
  return all;
}

TEST(Base64, IsThatOfTheStandard) {
  // RFC 4648, section 10.
  const std::pair<const char*, const char*> known[] = {{"", ""},
                                                       {"f", "Zg=="},
                                                       {"fo", "Zm8="},
                                                       {"foo", "Zm9v"},
                                                       {"foob", "Zm9vYg=="},
                                                       {"fooba", "Zm9vYmE="},
                                                       {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, text] : known) EXPECT_EQ(base64(plain), text);
}

TEST(Page, HoldsWhatTheWorldHas) {
  const Scene scene = scene_named("mover_level");
  SceneRun run = SceneRun::build(scene).value();
  ScenePage page(scene, run);
  for (int i = 0; i < 60; ++i) {
    run.step();
    page.add_frame(run);
  }
  page.page().summary = {{"steps", "60"}};
  const Json json = Json::parse(page_json(page.page()));
  EXPECT_EQ(json["carom"], 1);
  EXPECT_EQ(json["kind"], "recording");
  EXPECT_EQ(json["title"], "Mover level");
  const std::size_t bodies = scene.bodies.size() + 1;
  ASSERT_EQ(json["bodies"].size(), bodies);
  EXPECT_EQ(json["bodies"][0]["name"], "floor");
  EXPECT_EQ(json["bodies"][0]["fixed"], true);
  EXPECT_EQ(json["bodies"][bodies - 1]["name"], "mover");
  EXPECT_EQ(json["bodies"][bodies - 1]["colour"], "#4f86c6");
  ASSERT_EQ(json["frames"]["count"], 61);
  const auto poses = rows(json["frames"]["poses"], 61, 7);
  ASSERT_EQ(poses[60].size(), bodies * 7);
  const double place = json["frames"]["poses"]["units"][0];
  const double turn = json["frames"]["poses"]["units"][1];
  EXPECT_LT(place, 1e-3);
  const Pose last = run.world().pose(run.bodies().back()).value();
  const std::int64_t* p = &poses[60][(bodies - 1) * 7];
  EXPECT_NEAR(static_cast<double>(p[0]) * place, last.position.x, 0.5001 * place);
  EXPECT_NEAR(static_cast<double>(p[2]) * place, last.position.z, 0.5001 * place);
  EXPECT_NEAR(static_cast<double>(p[6]) * turn, last.rotation.w, 0.5001 * turn);
  const auto asleep = rows(json["frames"]["asleep"], 61, 1);
  ASSERT_EQ(asleep[0].size(), bodies);
  EXPECT_EQ(asleep[60][0], 0);          // the floor has nothing to wake from: it is drawn as it is
  EXPECT_EQ(asleep[60][bodies - 1], 0); // the mover is awake
  const auto islands = rows(json["frames"]["islands"], 61, 1);
  ASSERT_EQ(islands[0].size(), bodies);
  EXPECT_EQ(islands[60][0], -1); // the floor gives way to nothing
  for (const Json& shape : json["shapes"]) {
    const auto positions = numbers<float>(shape["positions"]);
    for (const std::uint32_t i : numbers<std::uint32_t>(shape["indices"]))
      ASSERT_LT(3 * i, positions.size());
  }
  EXPECT_EQ(json["summary"][0][1], "60");
}

TEST(Page, HasTheContactsOfEachFrame) {
  const Scene scene = scene_named("mover_level");
  SceneRun run = SceneRun::build(scene).value();
  ScenePage page(scene, run);
  for (int i = 0; i < 40; ++i) {
    run.step();
    page.add_frame(run);
  }
  std::vector<ContactPoint> points;
  contact_points(run.world(), points);
  std::erase_if(points, [](const ContactPoint& p) { return !(p.impulse > 0); });
  ASSERT_EQ(points.size(), 4u); // the crate's
  const Json json = Json::parse(page_json(page.page()))["frames"]["contacts"];
  const double place = json["units"][0], turn = json["units"][1], zero = json["impulse_zero"];
  const auto frames = rows(json, 41, 6);
  for (const std::int64_t x : frames[0]) EXPECT_EQ(x, 0); // before the first step
  std::size_t found = 0;
  for (std::size_t i = 0; i < frames[40].size(); i += 6) {
    const std::int64_t* c = &frames[40][i];
    if (c[0] == 0) continue;
    const auto number = [&](int k) { return static_cast<double>(c[k]); };
    const Vec3 at = Vec3{number(1), number(2), number(3)} * place;
    // The octahedron folded again: here, where z is not negative, or mirrored.
    const double u = number(4) * turn, v = number(5) * turn;
    const double z = 1 - std::fabs(u) - std::fabs(v);
    for (const ContactPoint& p : points) {
      if (distance(at, p.point) > place) continue;
      ++found;
      EXPECT_NEAR(std::exp2((number(0) - zero) / 2) / p.impulse, 0.85, 0.151);
      EXPECT_NEAR(z, p.normal.z, 0.05); // up or down
    }
  }
  EXPECT_EQ(found, 4u);
  // One that stays keeps its row.
  std::map<std::uint32_t, Vec3> before;
  for (const PageContact& c : page.page().frames[39].contacts) before[c.row] = c.point;
  for (const PageContact& c : page.page().frames[40].contacts)
    EXPECT_LT(distance(before.at(c.row), c.point), 0.01);
}

TEST(Page, WithoutContactsWhereTheyAreNotWanted) {
  const Scene scene = scene_named("pyramid");
  SceneRun run = SceneRun::build(scene).value();
  ScenePage page(scene, run, false);
  run.step();
  page.add_frame(run);
  const Json json = Json::parse(page_json(page.page()))["frames"];
  EXPECT_FALSE(json.contains("contacts"));
  EXPECT_FALSE(json.contains("islands"));
  EXPECT_TRUE(json.contains("asleep"));
}

TEST(Page, ShapesAreSharedAndReportsHaveFindings) {
  const Scene scene = scene_named("pyramid");
  const SceneRun run = SceneRun::build(scene).value();
  ScenePage page(scene, run);
  EXPECT_EQ(page.page().shapes.size(), 2u);
  page.page().report = true;
  page.page().findings = {{.title = "a </script> b",
                           .caption = "",
                           .a = 1,
                           .b = 2,
                           .kind = PageFinding::Kind::near,
                           .value = 0.5,
                           .points = {Vec3{1, 2, 3}, Vec3{4, 5, 6}},
                           .plane = PageDirection{{1, 2, 3}, {0, 0, 1}},
                           .arrow = {}}};
  page.page().bodies[3].sensor = true;
  const std::string text = page_json(page.page());
  EXPECT_EQ(text.find('<'), std::string::npos);
  const Json json = Json::parse(text);
  EXPECT_EQ(json["kind"], "report");
  EXPECT_EQ(json["findings"][0]["title"], "a </script> b");
  EXPECT_EQ(json["findings"][0]["kind"], "near");
  EXPECT_EQ(json["findings"][0]["points"][1][2], 6);
  EXPECT_EQ(json["findings"][0]["plane"]["direction"][2], 1);
  EXPECT_FALSE(json["findings"][0].contains("arrow"));
  EXPECT_FALSE(json["findings"][0].contains("caption"));
  EXPECT_EQ(json["bodies"][3]["sensor"], true);
  EXPECT_FALSE(json["bodies"][2].contains("sensor"));
  // One frame is not rounded.
  const auto poses = numbers<float>(json["frames"]["poses"]);
  ASSERT_EQ(poses.size(), 7 * page.page().bodies.size());
  EXPECT_EQ(poses[7], static_cast<float>(scene.bodies[1].def.pose.position.x));
}

TEST(Page, FillsTheTemplate) {
  const std::string before = R"(<html><script id="carom-data" type="application/json">)",
                    after = "</script></html>";
  Page page;
  page.title = "\xff bytes that are no text";
  const std::string html = fill_page(before + "null" + after, page).value();
  EXPECT_EQ(html.substr(0, before.size()), before);
  EXPECT_EQ(html.substr(html.size() - after.size()), after);
  EXPECT_EQ(
      Json::parse(html.substr(before.size(), html.size() - before.size() - after.size()))["carom"],
      1);
  EXPECT_FALSE(fill_page("<html></html>", page));
  EXPECT_FALSE(fill_page(before + "{}" + after, page));
}

/// Deflate with the fixed codes, as RFC 1951 tells: enough to read what we write.
class Inflater {
public:
  explicit Inflater(const std::string& bytes) : bytes_(bytes) {}
  std::string run() {
    std::string out;
    EXPECT_EQ(bit(), 1u);
    EXPECT_EQ(bits(2), 1u);
    while (true) {
      const std::uint32_t s = symbol();
      if (s == 256) return out;
      if (s < 256) {
        out += static_cast<char>(s);
        continue;
      }
      static const int base[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
      static const int extra[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                  2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
      const std::size_t length = static_cast<std::size_t>(base[s - 257]) + bits(extra[s - 257]);
      const std::uint32_t d = code(5);
      const int more = d < 2 ? 0 : static_cast<int>(d) / 2 - 1;
      const std::size_t far = d < 2 ? d + 1 : (std::size_t{2 + d % 2} << more) + 1 + bits(more);
      if (far > out.size()) return "bad distance";
      for (std::size_t i = 0; i < length; ++i) out += out[out.size() - far];
    }
  }

private:
  std::uint32_t bit() {
    const std::uint32_t b = static_cast<std::uint8_t>(bytes_.at(at_ / 8)) >> (at_ % 8) & 1U;
    ++at_;
    return b;
  }
  std::uint32_t bits(int n) {
    std::uint32_t v = 0;
    for (int i = 0; i < n; ++i) v |= bit() << i;
    return v;
  }
  std::uint32_t code(int n) {
    std::uint32_t v = 0;
    for (int i = 0; i < n; ++i) v = v << 1 | bit();
    return v;
  }
  std::uint32_t symbol() {
    std::uint32_t v = code(7);
    if (v <= 0x17) return 256 + v;
    v = v << 1 | bit();
    if (v >= 0x30 && v <= 0xbf) return v - 0x30;
    if (v >= 0xc0 && v <= 0xc7) return 280 + v - 0xc0;
    v = v << 1 | bit();
    return 144 + v - 0x190;
  }
  const std::string& bytes_;
  std::size_t at_ = 16;
};

TEST(Png, DeflateIsReadBack) {
  for_each_seed(fewer_when_sanitized(200), [](Source& source) {
    std::string bytes;
    const std::uint64_t runs = source.below(40);
    for (std::uint64_t i = 0; i < runs; ++i) {
      if (!bytes.empty() && source.chance(2)) {
        const std::size_t from = source.below(bytes.size()), length = source.below(700);
        for (std::size_t k = 0; k < length; ++k) bytes += bytes[from + k];
      } else {
        const std::uint64_t length = source.below(50);
        for (std::uint64_t k = 0; k < length; ++k) bytes += static_cast<char>(source.below(256));
      }
    }
    ASSERT_EQ(Inflater(zlib_stream(bytes)).run(), bytes);
  });
  std::string far(40000, 'x'); // a match farther than a window may not be used
  for (std::size_t i = 0; i < far.size(); ++i) far[i] = static_cast<char>(i * i % 251 ^ i / 256);
  EXPECT_EQ(Inflater(zlib_stream(far + far)).run(), far + far);
}

TEST(Png, HasItsParts) {
  const Image image{2, 1, {255, 0, 0, 0, 0, 255}};
  const std::string file = png(image);
  EXPECT_EQ(file.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(file.substr(12, 4), "IHDR");
  EXPECT_EQ(file.substr(file.size() - 12),
            std::string("\0\0\0\0IEND\xae\x42\x60\x82", 12)); // the known check sum of an empty end
}

TEST(Render, SeesTheBallWhereItIs) {
  Scene scene;
  const auto add = [&](const char* name, BodyDef def, std::uint32_t colour) {
    scene.bodies.push_back({name, std::move(def), colour});
  };
  add("ball", {.shape = Shape::sphere(1).value(), .pose = Pose::at({0, 0, 1})}, 0xff0000);
  add("floor", {.shape = Shape::half_space({0, 0, 1}, 0).value(), .kind = BodyKind::fixed},
      0x008000);
  const SceneRun run = SceneRun::build(scene).value();
  const SceneCamera camera{"", {0, -8, 1.5}, {0, 0, 1}, 45};
  const Image image =
      render(scene, run, camera, {.width = 64, .height = 40, .to_light = {-1, 0, 0.5}});
  const auto at = [&](std::size_t x, std::size_t y) { return &image.pixels[3 * (y * 64 + x)]; };
  ASSERT_EQ(image.pixels.size(), 3u * 64 * 40);
  EXPECT_GT(at(32, 20)[0], 4 * at(32, 20)[1]); // the ball in the middle
  EXPECT_GT(at(4, 36)[1], 2 * at(4, 36)[0]);   // the floor
  EXPECT_GT(at(4, 2)[2], 150);                 // the sky
  // The light comes from the left: the shadow lies to the right of the ball, on the floor.
  EXPECT_LT(at(44, 26)[1], at(20, 26)[1] - 20);
  EXPECT_EQ(render(scene, run, camera, {.width = 0}).pixels.size(), 0u);
}

} // namespace
} // namespace carom::test
