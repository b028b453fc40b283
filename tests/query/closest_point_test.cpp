// Every kind, every answer through the checker.
#include "carom/query/closest_point.h"

#include "carom/query/signed_distance.h"
#include "carom/shape/support.h"
#include "carom/verify/check_closest_point.h"
#include "tests/query/pair_cases.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::Source;
using verify::PlacedShape;

struct PointCase {
  PlacedShape placed;
  Vec3 p;
  double size; ///< of the shape, its position and p: what rounding errors are relative to
};

/// Inside, at the surface or a hair off it, at the middle, anywhere, far away.
Vec3 point_for(Source& source, const PlacedShape& placed, double scale) {
  static constexpr double off[] = {0, 1e-16, -1e-16, 1e-12, -1e-12, 1e-6, -1e-6, 0.1, -0.1};
  const Frame frame = placed.pose.frame();
  const Vec3 d = test::direction(source);
  switch (source.index(5)) {
  case 1: {
    const Vec3 top = frame.to_world(support_point(placed.shape, frame.direction_to_local(d)));
    return top + d * (off[source.index(9)] * scale);
  }
  case 2:
    return placed.pose.position;
  case 3:
    return placed.pose.position + test::vec3(source) * (scale * 2);
  case 4:
    return placed.pose.position + d * (scale * 1e6);
  default:
    return test::point_of(source, placed);
  }
}

PointCase point_case(Source& source, ShapeKind kind) {
  const double scale = test::scale(source);
  const Shape shape = test::ShapeGenerator(source, scale).of_kind(kind);
  PointCase c{{shape, test::shape_pose(source, scale)}, {}, 0};
  c.p = test::coordinates(point_for(source, c.placed, scale));
  c.size = shape.size() + max_abs(c.placed.pose.position) + max_abs(c.p);
  return c;
}

bool has(const PointCase& c, ShapeKind kind) {
  return test::PairCase{c.placed, c.placed, 0}.has(kind);
}

class ClosestPoints : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Kinds, ClosestPoints, testing::Range(0, shape_kinds),
                         [](const testing::TestParamInfo<int>& kind) {
                           return std::string(name_of(static_cast<ShapeKind>(kind.param)));
                         });

TEST_P(ClosestPoints, AreProved) {
  const auto kind = static_cast<ShapeKind>(GetParam());
  const std::uint64_t count = std::getenv("COUNT") ? std::strtoull(std::getenv("COUNT"), nullptr, 10) : 300;
  int formulas = 0;
  test::for_each_seed(test::fewer_when_sanitized(count), [&](Source& source) {
    const PointCase c = point_case(source, kind);
    const SurfacePoint s = closest_point(c.p, c.placed.shape, c.placed.pose);
    const double brush = has(c, ShapeKind::brush)
                             ? 64 * tolerance::epsilon * c.size + 10 * tolerance::coordinate_min
                             : 0;
    // A formula is right to a few roundings. Else as distance and signed_distance have it.
    const bool polyhedral = c.placed.shape.polyhedral();
    const double part = s.iterations == 0 ? tolerance::boolean_band : polyhedral ? 1e-13 : 2e-12;
    const double band = part * c.size + brush;
    double points = 0;
    if (s.iterations > 0) {
      // A direction that attains all but e of a distance d is within sqrt(2 e / d) of the right one.
      const double open = s.upper_bound - s.lower_bound;
      points = s.value > 0 ? std::sqrt(2 * s.value * open) : open;
      if (s.status == Status::wide) points += 1e-6 * c.size;
    }
    const auto verdict =
        verify::check_closest_point(c.p, c.placed, s, band, band + points, 4);
    EXPECT_TRUE(verdict) << verdict.why << ", size " << c.size << ", value " << s.value
                         << ", bounds " << s.lower_bound << " " << s.upper_bound << ", iterations "
                         << s.iterations;
    formulas += s.iterations == 0;
  });
  if (std::getenv("CAROM_FIGURES")) std::printf("formulas %d\n", formulas);
}

} // namespace
} // namespace carom
