// Shapes as bytes, and the log of queries.
#include "carom/record/query_log.h"

#include "carom/query/overlap.h"
#include "carom/record/dump_on_abort.h"
#include "carom/record/shape_bytes.h"
#include "carom/shape/composite.h"
#include "carom/shape/support.h"
#include "carom/verify/shape.h"
#include "tests/record/scene_files.h"
#include "tests/support/generate_composite.h"
#include "tests/support/generate_shape.h"
#include "tests/support/property.h"

#include <csignal>
#include <cstdlib>
#include <unistd.h>

namespace carom::test {
namespace {

/// Everything that is told about the one is told about the other, to the bit.
void expect_same(const Shape& a, const Shape& b, Source& source) {
  ASSERT_EQ(a.rounding(), b.rounding());
  ASSERT_EQ(a.size(), b.size());
  ASSERT_EQ(a.convex(), b.convex());
  for (int i = 0; i < 10; ++i) {
    const Vec3 d = direction(source);
    ASSERT_EQ(support_point(a, d), support_point(b, d));
  }
  ASSERT_EQ(shape_bytes(a).value(), shape_bytes(b).value());
}

class ShapeBytes : public ::testing::TestWithParam<int> {};

TEST_P(ShapeBytes, AreReadBack) {
  const auto kind = static_cast<ShapeKind>(GetParam());
  for_each_seed(fewer_when_sanitized(60), [&](Source& source) {
    const Shape shape = kind < ShapeKind::mesh ? shape_of(source, kind)
                                               : CompositeGenerator(source, 1).of_kind(kind);
    const Result<std::string> bytes = shape_bytes(shape);
    if (!bytes) {
      ASSERT_EQ(bytes.error().code, ErrorCode::degenerate); // it is custom, or has one in it
      return;
    }
    const Result<Shape> same = shape_from_bytes(*bytes);
    ASSERT_TRUE(same) << same.error().message;
    const bool may_differ = kind == ShapeKind::tapered_capsule || kind == ShapeKind::scaled;
    ASSERT_TRUE(may_differ || same->kind() == shape.kind());
    expect_same(shape, *same, source);
  });
}
std::string kind_name(const ::testing::TestParamInfo<int>& info) {
  return name_of(static_cast<ShapeKind>(info.param));
}
INSTANTIATE_TEST_SUITE_P(Kinds, ShapeBytes, ::testing::Range(0, shape_kinds), kind_name);

TEST(ShapeBytes, OfAnyKindSurviveDamage) {
  for_each_seed(fewer_when_sanitized(3000), [](Source& source) {
    const auto kind = static_cast<ShapeKind>(source.below(shape_kinds));
    const Shape shape = kind < ShapeKind::mesh ? shape_of(source, kind)
                                               : CompositeGenerator(source, 1).of_kind(kind);
    Result<std::string> bytes = shape_bytes(shape);
    if (!bytes) return;
    ASSERT_FALSE(shape_from_bytes(bytes->substr(0, source.below(bytes->size()))));
    ASSERT_FALSE(shape_from_bytes(*bytes + "x"));
    const std::size_t at = source.below(bytes->size());
    (*bytes)[at] = static_cast<char>(source.below(256));
    static_cast<void>(shape_from_bytes(*bytes)); // a shape or an error, no crash
  });
}

/// Two shapes somewhere, near each other.
struct Placed {
  Shape a, b;
  Pose pose_a, pose_b;
};
Placed placed(Source& source) {
  const Shape a = bounded_shape(source);
  const Shape b = source.chance(4) ? CompositeGenerator(source, 1).of_kind(ShapeKind::compound)
                                   : bounded_shape(source);
  const Quat turn = rotation(source);
  const Vec3 way = direction(source);
  const double scale = a.size() + b.size();
  return {a, b, Pose{},
          Pose{turn, normalized(way) * (scale * static_cast<double>(source.below(3)) / 2)}};
}

void ask_all(QueryLog& log, const Placed& p, Source& source) {
  static_cast<void>(log.overlap(p.a, p.pose_a, p.b, p.pose_b));
  static_cast<void>(log.distance(p.a, p.pose_a, p.b, p.pose_b));
  static_cast<void>(log.penetration(p.a, p.pose_a, p.b, p.pose_b));
  if (p.a.convex() && p.b.convex())
    static_cast<void>(log.contacts(p.a, p.pose_a, p.b, p.pose_b, {.margin = 0.1 * p.a.size()}));
  const Vec3 way = p.pose_b.position + direction(source) * p.a.size();
  static_cast<void>(log.ray_cast(p.b, p.pose_b, Ray{-way, way}));
  static_cast<void>(log.shape_cast(p.a, p.pose_a, way, p.b, p.pose_b));
  static_cast<void>(log.closest_point(way, p.a, p.pose_a));
  static_cast<void>(
      log.time_of_impact(p.a, Motion::translation_by(p.pose_a, way), p.b, Motion::rest(p.pose_b)));
}

TEST(QueryLog, AnswersOfTheLibraryHold) {
  std::size_t checked = 0;
  for_each_seed(fewer_when_sanitized(100), [&](Source& source) {
    QueryLog log;
    ask_all(log, placed(source), source);
    const auto queries = read_query_log(log.dump());
    ASSERT_TRUE(queries) << queries.error().message;
    ASSERT_EQ(queries->size(), log.size());
    for (const LoggedQuery& query : *queries) {
      const verify::Verdict verdict = check(query);
      ASSERT_TRUE(verdict) << describe(query) << ": " << verdict.why;
      ++checked;
    }
  });
  EXPECT_GT(checked, fewer_when_sanitized(300));
}

TEST(QueryLog, WrongAnswersAreFound) {
  const Shape box = Shape::box({1, 1, 1}).value(), ball = Shape::sphere(1).value();
  const Question apart{.a = {.start = {}}, .b = {.start = Pose::at({5, 0, 0})}};
  const Question deep{.a = {.start = {}}, .b = {.start = Pose::at({1.5, 0, 0})}};
  const auto wrong = [](const LoggedQuery& q) { return !check(q).ok; };
  EXPECT_TRUE(wrong({box, ball, apart, ShapeOverlap{Overlap::at({1, 0, 0})}}));
  EXPECT_TRUE(wrong({box, ball, deep, ShapeOverlap{Overlap::separated({1, 0, 0})}}));
  Distance d = distance(box, {}, ball, Pose::at({5, 0, 0}));
  EXPECT_FALSE(wrong({box, ball, apart, d}));
  d.value += 0.01;
  EXPECT_TRUE(wrong({box, ball, apart, d}));
  QueryLog log;
  Penetration p = log.penetration(box, {}, ball, Pose::at({1.5, 0, 0}));
  p.depth *= 0.9;
  EXPECT_TRUE(wrong({box, ball, deep, p}));
  ContactManifold m = log.contacts(box, {}, ball, Pose::at({1.5, 0, 0}));
  m.points[0].on_a.y += 0.01;
  EXPECT_TRUE(wrong({box, ball, deep, m}));
  Question ray = apart;
  ray.ray = {{-5, 0, 0}, {1, 0, 0}};
  ray.max_t = INFINITY;
  RayHit hit = log.ray_cast(box, {}, ray.ray);
  EXPECT_FALSE(wrong({box, {}, ray, hit}));
  hit.t = 5;
  EXPECT_TRUE(wrong({box, {}, ray, hit}));
  EXPECT_TRUE(wrong({box, {}, ray, RayHit{}}));
  Question cast = apart;
  cast.translation = {8, 0, 0};
  ShapeCast c = log.shape_cast(box, {}, {8, 0, 0}, ball, Pose::at({5, 0, 0}));
  c.t += 0.01;
  EXPECT_TRUE(wrong({box, ball, cast, c}));
  const Motion moves = Motion::translation_by({}, {8, 0, 0});
  TimeOfImpact t = log.time_of_impact(box, moves, ball, Motion::rest(Pose::at({5, 0, 0})));
  t.t += 0.05;
  EXPECT_TRUE(wrong({box, ball, {.a = moves, .b = Motion::rest(Pose::at({5, 0, 0}))}, t}));
  SurfacePoint s = log.closest_point({3, 0, 0}, box, {});
  s.value = 1.9;
  Question near = apart;
  near.point = {3, 0, 0};
  EXPECT_TRUE(wrong({box, {}, near, s}));
}

TEST(QueryLog, KeepsToItsCap) {
  const Shape box = Shape::box({1, 1, 1}).value();
  QueryLog log(20000);
  for (int i = 0; i < 500; ++i) {
    const Shape ball = Shape::sphere(1 + i * 0.01).value(); // each its own
    static_cast<void>(log.distance(box, {}, ball, Pose::at({5.0 + i, 0, 0})));
    ASSERT_LE(log.bytes(), 20000u);
  }
  EXPECT_GT(log.size(), 20u);
  EXPECT_EQ(log.size() + log.dropped(), 500u);
  EXPECT_LT(log.dump().size(), 20000u);
  const auto queries = read_query_log(log.dump()).value();
  EXPECT_EQ(queries.back().question.b.start.position.x, 504); // the latest ones
  EXPECT_EQ(queries.front().question.b.start.position.x, 505 - static_cast<double>(log.size()));
  log.clear();
  EXPECT_EQ(log.bytes(), 0u);
  log.switch_on(false);
  EXPECT_EQ(log.distance(box, {}, box, Pose::at({3, 0, 0})).value, 1);
  EXPECT_EQ(log.size(), 0u);
  QueryLog tiny(10);
  static_cast<void>(tiny.distance(box, {}, box, Pose::at({3, 0, 0})));
  EXPECT_EQ(tiny.size(), 0u);
  EXPECT_EQ(tiny.bytes(), 0u);
}

void fail_an_assert_with(const QueryLog& log, const QueryLog& other, const std::string& path) {
  const DumpOnAbort outer(log, path);
  { const DumpOnAbort over(other, path + ".over"); }
  const DumpOnAbort inner(other, path + ".other");
  std::abort(); // what a failed assert does; NDEBUG leaves asserts out
}

TEST(QueryLogDeathTest, IsWrittenByAnAssertThatFails) {
  const Shape box = Shape::box({1, 1, 1}).value();
  QueryLog log, other;
  static_cast<void>(log.distance(box, {}, box, Pose::at({5, 0, 0})));
  static_cast<void>(log.overlap(box, {}, box, Pose::at({1, 0, 0})));
  static_cast<void>(other.distance(box, {}, box, Pose::at({7, 0, 0})));
  const std::string path = ::testing::TempDir() + "carom_assert_" + std::to_string(getpid());
  EXPECT_EXIT(fail_an_assert_with(log, other, path), ::testing::KilledBySignal(SIGABRT), "");
  EXPECT_EQ(read_file(path), log.dump());
  EXPECT_EQ(read_file(path + ".other"), other.dump());
  EXPECT_FALSE(std::filesystem::exists(path + ".over")); // its guard was gone
  std::filesystem::remove(path);
  std::filesystem::remove(path + ".other");
  // With no guard left, the signal is whose it was.
  EXPECT_EXIT(std::abort(), ::testing::KilledBySignal(SIGABRT), "");
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(QueryLog, RefusesWhatIsCutShortOrDamaged) {
  QueryLog log;
  RandomSource random(3);
  ask_all(log, placed(random), random);
  const std::string good = log.dump();
  for (std::size_t n = 0; n < good.size(); ++n)
    ASSERT_FALSE(read_query_log(good.substr(0, n))) << n;
  for_each_seed(fewer_when_sanitized(2000), [&](Source& source) {
    std::string bad = good;
    const std::size_t at = source.below(bad.size());
    const auto flip = static_cast<char>(1 + source.below(255));
    bad[at] = static_cast<char>(bad[at] ^ flip);
    ASSERT_FALSE(read_query_log(bad));
    ByteString sealed{bad.substr(0, bad.size() - 8)};
    sealed.put(byte_sum(sealed.bytes));
    static_cast<void>(read_query_log(sealed.bytes)); // no crash
  });
}

} // namespace
} // namespace carom::test
