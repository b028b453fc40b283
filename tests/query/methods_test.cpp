#ifndef CASES
#define CASES 1000
#endif
// The classic methods for pairs of polytopes: each against the default, and every answer through the checker.
#include "carom/math/random.h"
#include "carom/math/tolerance.h"
#include "carom/math/trig.h"
#include "carom/query/chung_wang.h"
#include "carom/query/distance.h"
#include "carom/query/gauss_map_axes.h"
#include "carom/query/linear_program_overlap.h"
#include "carom/query/overlap.h"
#include "carom/query/quadratic_program.h"
#include "carom/query/signed_distance.h"
#include "carom/shape/support.h"
#include "tests/query/pair_cases.h"
#include "tests/support/property.h"

#include <vector>

namespace carom {
namespace {

using test::PairCase;
using test::Source;

const Polytope& polytope(const verify::PlacedShape& p) {
  return std::get<Polytope>(p.shape.core());
}

/// How many of a method's answers came from the slow search.
struct Counts {
  int asked = 0, settled = 0;

  void add(const MethodTrace& trace) {
    ++asked;
    settled += trace.settled ? 1 : 0;
  }
  [[nodiscard]] double share() const { return static_cast<double>(settled) / asked; }
};
struct AllCounts {
  Counts program, vector, quadratic, axes;
};

void check_overlaps(const PairCase& c, double band, double truth, AllCounts& counts) {
  const auto check = [&](const char* name, const ShapeOverlap& o) {
    SCOPED_TRACE(name);
    const auto verdict = verify::check_overlap(c.a, c.b, o, band);
    EXPECT_TRUE(verdict) << verdict.why << ", hit " << o.hit << ", signed distance " << truth;
    EXPECT_EQ(o.status, Status::ok);
    if (std::fabs(truth) > band) {
      EXPECT_EQ(o.hit, truth < 0);
    }
  };
  const Polytope& a = polytope(c.a);
  const Polytope& b = polytope(c.b);
  MethodTrace trace;
  check("linear program", overlap_by_linear_program(a, c.a.pose, b, c.b.pose, &trace));
  counts.program.add(trace);
  const ShapeOverlap o = overlap_by_separating_vector(a, c.a.pose, b, c.b.pose, {}, &trace);
  check("separating vector", o);
  counts.vector.add(trace);
  if (!o.hit) {
    const ShapeOverlap again = overlap_by_separating_vector(a, c.a.pose, b, c.b.pose, o.axis * 3);
    check("separating vector again", again);
    EXPECT_EQ(again.iterations, 0);
  }
}

/// All methods; `directions`: how thorough the checker's search for a better depth is.
void check_all(const PairCase& c, AllCounts& counts, int directions) {
  const double band = tolerance::boolean_band * c.size;
  const double promised = 1e-12 * c.size;
  const Polytope& a = polytope(c.a);
  const Polytope& b = polytope(c.b);
  const SignedDistance truth = signed_distance(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
  check_overlaps(c, band, truth.value, counts);

  MethodTrace trace;
  const Distance d = distance_by_quadratic_program(a, c.a.pose, b, c.b.pose, &trace);
  counts.quadratic.add(trace);
  const auto distance_verdict = verify::check_distance(c.a, c.b, d, band);
  EXPECT_TRUE(distance_verdict) << distance_verdict.why << ", value " << d.value;
  EXPECT_EQ(d.status, Status::ok);
  EXPECT_LE(d.value - d.lower_bound, promised);
  EXPECT_NEAR(d.value, std::max(truth.value, 0.0), promised);

  const SignedDistance s = signed_distance_by_axes(a, c.a.pose, b, c.b.pose, &trace);
  counts.axes.add(trace);
  const auto verdict =
      verify::check_signed_distance(c.a, c.b, s, band, band + promised, directions);
  EXPECT_TRUE(verdict) << verdict.why << ", value " << s.value << ", default " << truth.value;
  EXPECT_EQ(s.status, Status::ok);
  EXPECT_LE(s.upper_bound - s.lower_bound, promised);
  EXPECT_NEAR(s.value, truth.value, promised);

  // The axis by itself.
  const GaussMapAxis axis = greatest_gap_axis(a, c.a.pose, b, c.b.pose);
  EXPECT_NEAR(axis.gap, verify::gap(c.a, c.b, axis.normal), band);
  EXPECT_LE(axis.gap, truth.value + promised);
  if (truth.value < -band) {
    EXPECT_NEAR(axis.gap, truth.value, promised);
  }
}

/// The same hull without its rounding.
Shape sharp(const Shape& hull) {
  return Shape::hull(std::get<Polytope>(hull.core()).vertices()).value();
}

// Flat ones, slivers, needles, cubes, 1 to 200 points; apart, kissing, deep, in the same place, tiny, huge and far away.
TEST(ConvexMethods, AgreeOnHardPairs) {
  AllCounts counts;
  test::for_each_seed(test::fewer_when_sanitized(CASES), [&](Source& source) {
    PairCase c = test::pair_case(source, ShapeKind::hull, ShapeKind::hull);
    c.a.shape = sharp(c.a.shape);
    c.b.shape = sharp(c.b.shape);
    check_all(c, counts, 1);
  });
  test::RandomSource unused(0);
  RecordProperty("settled", std::to_string(counts.program.share()) + " " +
                                std::to_string(counts.vector.share()) + " " +
                                std::to_string(counts.quadratic.share()) + " " +
                                std::to_string(counts.axes.share()));
  std::printf("settled: %g %g %g %g\n", counts.program.share(), counts.vector.share(), counts.quadratic.share(), counts.axes.share());
}

std::vector<Vec3> sphere_points(std::size_t count, Random& random) {
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < count; ++i) points.push_back(random.direction());
  return points;
}

PairCase placed(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  return {{a, pose_a},
          {b, pose_b},
          a.size() + b.size() + max_abs(pose_a.position) + max_abs(pose_b.position)};
}

// Ordinary pairs are answered by the methods themselves: the slow search is for what rounding leaves open.
TEST(ConvexMethods, AnswerOrdinaryPairsAlone) {
  Random random(5);
  AllCounts counts;
  for (const std::size_t n : {4u, 8u, 20u, 60u, 200u}) {
    const Shape a = Shape::hull(sphere_points(n, random)).value();
    const Shape b = Shape::hull(sphere_points(n, random)).value();
    for (int i = 0; i < 12; ++i) {
      Pose pose_a;
      Pose pose_b;
      pose_a.rotation = random.rotation();
      pose_b.rotation = random.rotation();
      pose_b.position = random.direction() * (0.25 * i);
      check_all(placed(a, pose_a, b, pose_b), counts, 2);
    }
  }
  EXPECT_EQ(counts.program.settled, 0);
  EXPECT_EQ(counts.vector.settled, 0);
  EXPECT_EQ(counts.quadratic.settled, 0);
  EXPECT_EQ(counts.axes.settled, 0);
}

} // namespace
} // namespace carom
