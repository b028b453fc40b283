// What tests/query/methods_test.cpp does not reach: edges at small angles, whose normals doubles know badly.
#include "carom/query/gauss_map_axes.h"

#include "carom/math/tolerance.h"
#include "carom/query/signed_distance.h"
#include "tests/query/long_depth.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::Source;

TEST(GaussMapAxes, BoundsHoldForEdgesAtSmallAngles) {
  test::for_each_seed(test::fewer_when_sanitized(1000), [](Source& source) {
    const double shorter = source.uniform(0.5, 1);
    const double sine = std::ldexp(shorter, -source.index(34));
    const test::Roofs r(source, sine);
    const auto& a = std::get<Polytope>(r.lower.core());
    const auto& b = std::get<Polytope>(r.upper.core());
    const SignedDistance s = signed_distance_by_axes(a, r.pose_a, b, r.pose_b);
    const test::LongDepth::Long truth = -test::LongDepth(a, r.pose_a, b, r.pose_b).value();
    EXPECT_LE(s.lower_bound, truth)
        << "sine " << sine << ", off by " << static_cast<double>(s.lower_bound - truth);
    EXPECT_GE(s.upper_bound, truth)
        << "sine " << sine << ", off by " << static_cast<double>(truth - s.upper_bound);
    EXPECT_LE(s.upper_bound - s.lower_bound, 1e-12 * (r.lower.size() + r.upper.size()));
    EXPECT_EQ(s.status, Status::ok);
  });
}

} // namespace
} // namespace carom
