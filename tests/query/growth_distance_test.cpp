// Every ordered pair of kinds, every answer through the checker.
#include "carom/query/growth_distance.h"

#include "carom/query/signed_distance.h"
#include "carom/shape/support.h"
#include "carom/verify/check_growth_distance.h"
#include "tests/query/pair_cases.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::PairCase;
using test::Source;

/// A point of the shape, in its frame: mostly inside, sometimes on the border.
Vec3 center_in(Source& source, const Shape& shape) {
  const Vec3 d = test::direction(source);
  if (!shape.bounded()) {
    const Vec3 n = normalized(std::get<HalfSpace>(shape.core()).normal);
    return test::coordinates(support_point(shape, d) - n * (shape.size() * source.index(2)));
  }
  const Vec3 top = support_point(shape, d);
  if (source.chance(6)) return test::coordinates(top);
  Vec3 mix = support_point(shape, -d) * 0.5;
  for (int i = 0; i < 5; ++i) {
    const Vec3 e = test::direction(source);
    mix += support_point(shape, e) * 0.1;
  }
  return test::coordinates(mix);
}

struct GrowthCase : PairCase {
  Vec3 center_a, center_b;

  [[nodiscard]] Vec3 world_a() const { return a.pose.frame().to_world(center_a); }
  [[nodiscard]] Vec3 world_b() const { return b.pose.frame().to_world(center_b); }
};

GrowthCase growth_case(Source& source, ShapeKind kind_a, ShapeKind kind_b) {
  GrowthCase c{test::pair_case(source, kind_a, kind_b), {}, {}};
  c.center_a = center_in(source, c.a.shape);
  c.center_b = center_in(source, c.b.shape);
  if (source.chance(16)) // concentric, or nearly
    c.b.pose.position = test::coordinates(c.b.pose.position + c.world_a() - c.world_b());
  c.size += max_abs(c.center_a) + max_abs(c.center_b);
  return c;
}

class GrowthDistances : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Kinds, GrowthDistances, testing::Range(0, shape_kinds),
                         [](const testing::TestParamInfo<int>& kind) {
                           return std::string(name_of(static_cast<ShapeKind>(kind.param)));
                         });

TEST_P(GrowthDistances, AreProved) {
  const std::uint64_t count = std::getenv("COUNT") ? std::strtoull(std::getenv("COUNT"), nullptr, 10) : 50;
  int apart = 0, overlapping = 0, never = 0, most = 0, bad = 0;
  for (int other = 0; other < shape_kinds && !HasFailure(); ++other) {
    const auto kind_a = static_cast<ShapeKind>(GetParam());
    const auto kind_b = static_cast<ShapeKind>(other);
    SCOPED_TRACE(std::string(name_of(kind_a)) + " against " + name_of(kind_b));
    test::for_each_seed(test::fewer_when_sanitized(count), [&](Source& source) {
      const GrowthCase c = growth_case(source, kind_a, kind_b);
      const GrowthDistance g = growth_distance(c.a.shape, c.a.pose, c.center_a, c.b.shape,
                                               c.b.pose, c.center_b);
      if (g.status == Status::bad_input) { // what was drawn was moved to 0 or 1e-30
        const double off = std::max(verify::distance(c.center_a, {c.a.shape, {}}),
                                    verify::distance(c.center_b, {c.b.shape, {}}));
        const double size = std::min(c.a.shape.size(), c.b.shape.size());
        EXPECT_TRUE(off > 0.5e-12 * size || size < 1e-17) << "off " << off << ", size " << size;
        ++bad;
        return;
      }
      const double brush = c.has(ShapeKind::brush)
                               ? 64 * tolerance::epsilon * c.size + 10 * tolerance::coordinate_min
                               : 0;
      const double band = tolerance::boolean_band * c.size + brush;
      const double points = (c.polyhedral() ? 1e-13 : 1e-11) * c.size;
      const auto verdict = verify::check_growth_distance({c.a, c.world_a()}, {c.b, c.world_b()}, g,
                                                         band, band + points);
      EXPECT_TRUE(verdict) << verdict.why << ", size " << c.size << ", value " << g.value
                           << ", bounds " << g.lower_bound << " " << g.upper_bound;
      if (!c.has(ShapeKind::custom)) {
        EXPECT_EQ(g.status, Status::ok) << "iterations " << g.iterations << " value " << g.value;
      }
      ++(g.value == INFINITY ? never : g.value > 1 ? apart : overlapping);
      most = std::max(most, g.iterations);
    });
  }
  if (std::getenv("CAROM_FIGURES"))
    std::printf("apart %d overlapping %d never %d bad %d most %d\n", apart, overlapping, never, bad, most);
}

} // namespace
} // namespace carom
