// Every ordered pair of kinds, every answer through the checker.
#include "carom/query/shape_cast.h"

#include "carom/query/signed_distance.h"
#include "carom/shape/support.h"
#include "carom/verify/check_shape_cast.h"
#include "tests/query/pair_cases.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::PairCase;
using test::Source;

/// A pair and a translation of A: toward B or past it, along a face, none at all, far too long.
struct CastCase : PairCase {
  Vec3 translation;
};

Vec3 translation_for(Source& source, const PairCase& c) {
  static constexpr double lengths[] = {1, 2, 0.5, 1, 1e-6, 1e6, 0};
  const Vec3 from = test::point_of(source, c.a);
  const Vec3 to = test::point_of(source, c.b);
  const double factor = lengths[source.index(7)];
  const double size = c.a.shape.size() + c.b.shape.size();
  switch (source.index(4)) {
  case 1: // anywhere
    return test::direction(source) * (factor * size);
  case 2: { // past it, at about a right angle to the distance
    const SignedDistance s = signed_distance(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
    const Vec3 off = test::direction(source) * std::ldexp(1.0, -source.index(60));
    return cross(s.normal, off + test::direction(source) * 1e-3) * (factor * size);
  }
  default:
    return (to - from) * factor;
  }
}

CastCase cast_case(Source& source, ShapeKind kind_a, ShapeKind kind_b) {
  CastCase c{test::pair_case(source, kind_a, kind_b), {}};
  c.translation = test::coordinates(translation_for(source, c));
  return c;
}

/// The band of pairs_test.cpp, for all the way that matters.
double band(const CastCase& c, double t) {
  const double size = c.size + t * max_abs(c.translation);
  const double brush = 64 * tolerance::epsilon * size + 10 * tolerance::coordinate_min;
  return tolerance::boolean_band * size + (c.has(ShapeKind::brush) ? brush : 0);
}

/// What answer.h promises. The points of an overlap at the start are signed_distance's own, and tested there: here it is enough that they are the same.
verify::ShapeCastTolerance tolerance_for(const CastCase& c, const ShapeCast& answer) {
  // Two half-spaces may have their common points far away.
  const double sets = band(c, answer.t) + tolerance::boolean_band * max_abs(answer.point);
  return {sets, sets + (c.polyhedral() ? 1e-13 : 1e-11) * c.size, INFINITY};
}

void expect_same(const ShapeCast& answer, const SignedDistance& s) {
  EXPECT_EQ(answer.t, 0);
  EXPECT_EQ(answer.on_a, s.on_a);
  EXPECT_EQ(answer.on_b, s.on_b);
  EXPECT_EQ(answer.normal, s.normal);
  EXPECT_EQ(answer.status, s.status);
}

class ShapeCasts : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Kinds, ShapeCasts, testing::Range(0, shape_kinds),
                         [](const testing::TestParamInfo<int>& kind) {
                           return std::string(name_of(static_cast<ShapeKind>(kind.param)));
                         });

TEST_P(ShapeCasts, AreProved) {
  int hits = 0;
  int misses = 0;
  int most = 0;
  const std::uint64_t count = std::getenv("COUNT") ? std::strtoull(std::getenv("COUNT"), nullptr, 10) : 100;
  for (int other = 0; other < shape_kinds && !HasFailure(); ++other) {
    const auto kind_a = static_cast<ShapeKind>(GetParam());
    const auto kind_b = static_cast<ShapeKind>(other);
    SCOPED_TRACE(std::string(name_of(kind_a)) + " against " + name_of(kind_b));
    test::for_each_seed(test::fewer_when_sanitized(count), [&](Source& source) {
      const CastCase c = cast_case(source, kind_a, kind_b);
      const ShapeCast answer =
          shape_cast(c.a.shape, c.a.pose, c.translation, c.b.shape, c.b.pose);
      const auto verdict = verify::check_shape_cast(c.a, c.translation, c.b, answer,
                                                    tolerance_for(c, answer));
      EXPECT_TRUE(verdict) << verdict.why << ", size " << c.size << ", hit " << answer.hit
                           << ", t " << answer.t << ", initial " << answer.initial_overlap;
      if (!c.has(ShapeKind::custom) && !answer.initial_overlap) {
        EXPECT_EQ(answer.status, Status::ok) << "iterations " << answer.iterations;
      }
      if (answer.initial_overlap)
        expect_same(answer, signed_distance(c.a.shape, c.a.pose, c.b.shape, c.b.pose));
      if (!answer.initial_overlap) ++(answer.hit ? hits : misses);
      most = std::max(most, answer.iterations);
    });
  }
  EXPECT_GT(hits, 0);
  EXPECT_GT(misses, 0);
  if (std::getenv("CAROM_FIGURES")) std::printf("hits %d misses %d most %d\n", hits, misses, most);
}

} // namespace
} // namespace carom
