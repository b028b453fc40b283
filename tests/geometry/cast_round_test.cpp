#include "carom/geometry/cast_round.h"

#include "tests/geometry/cast_cases.h"

namespace carom {
namespace {

using test::for_each_seed;
using test::Source;

template<class Generate>
void expect_casts(std::uint64_t cases, double c, Generate&& generate) {
  for_each_seed(cases, [&](Source& source) {
    const auto set = generate(source);
    const Line line = test::aimed_line(source, test::marks(set, source));
    const double t_max = source.chance(2) ? 0.5 : test::positive(source);
    EXPECT_EQ(test::failure(line, set, c, t_max), "");
  });
}

TEST(CastRound, Sphere) { expect_casts(20'000, 64, [](Source& s) { return test::sphere(s); }); }
TEST(CastRound, Capsule) { expect_casts(20'000, 64, [](Source& s) { return test::capsule(s); }); }
TEST(CastRound, Lozenge) { expect_casts(20'000, 64, [](Source& s) { return test::lozenge(s); }); }
TEST(CastRound, Ellipsoid) { expect_casts(500, 64, [](Source& s) { return test::ellipsoid(s); }); }

} // namespace
} // namespace carom
