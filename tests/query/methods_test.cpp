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

/// How many of a method's answers came from the slow search, and how many programs of 104 bits it needed.
struct Counts {
  int asked = 0, settled = 0, programs = 0;

  void add(const MethodTrace& trace) {
    ++asked;
    settled += trace.settled ? 1 : 0;
    programs += trace.programs;
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
    // Nearer than that, the way of the axis to the world and back may turn it too much.
    if (truth > band) {
      EXPECT_EQ(again.iterations, 1);
    }
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
  test::for_each_seed(test::fewer_when_sanitized(1000), [&](Source& source) {
    PairCase c = test::pair_case(source, ShapeKind::hull, ShapeKind::hull);
    c.a.shape = sharp(c.a.shape);
    c.b.shape = sharp(c.b.shape);
    check_all(c, counts, 1);
  });
  // What rounding leaves open is a small part even of these.
  EXPECT_LE(counts.program.share(), 0.06);
  EXPECT_LE(counts.vector.share(), 0.04);
  EXPECT_LE(counts.quadratic.share(), 0.02);
  EXPECT_LE(counts.axes.share(), 0.02);
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
  EXPECT_EQ(counts.program.programs, 0);
  EXPECT_EQ(counts.vector.programs, 0);
  EXPECT_EQ(counts.program.settled, 0);
  EXPECT_EQ(counts.vector.settled, 0);
  EXPECT_EQ(counts.quadratic.settled, 0);
  EXPECT_EQ(counts.axes.settled, 0);
}

Shape box_hull(const Vec3& half) {
  std::vector<Vec3> corners;
  for (unsigned i = 0; i < 8; ++i)
    corners.push_back(
        {i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
  return Shape::hull(corners).value();
}

Pose turned(const Vec3& axis, double angle, const Vec3& position) {
  const Vec3 v = axis * carom::sin(angle / 2);
  return {{v.x, v.y, v.z, carom::cos(angle / 2)}, position};
}

TEST(ConvexMethods, FacesOnFaces) {
  AllCounts counts;
  const Shape cube = box_hull({1, 1, 1});
  for (const double gap : {0.0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-6, -1e-6, 0.01, -0.01, 3.0}) {
    for (int i = 0; i < 6; ++i) {
      const Pose pose = turned({0, 0, 1}, i * pi / 12, {0.1 * i, 0.2, 2 + gap});
      const PairCase c = placed(cube, {}, cube, pose);
      check_all(c, counts, 1);
      const SignedDistance s = signed_distance_by_axes(polytope(c.a), {}, polytope(c.b), pose);
      EXPECT_NEAR(s.value, pose.position.z - 2, 4e-15) << gap << " " << i; // a rounding of 8
    }
  }
}

// Edges that cross at so small an angle that their cross product is taken without the test of arcs: no other axis comes near.
TEST(ConvexMethods, EdgesOnNearlyParallelEdges) {
  AllCounts counts;
  const Shape cube = box_hull({1, 1, 1});
  const Pose edge_up = turned({1, 0, 0}, pi / 4, {});
  for (const double angle : {1e-3, 1e-5, 1e-6, 1e-7, 1e-8}) {
    const double depth = 0.01 * angle;
    const Quat turn = turned({0, 0, 1}, angle, {}).rotation;
    const Pose above{turn * edge_up.rotation, {0, 0, 2 * std::sqrt(2.0) - depth}};
    const PairCase c = placed(cube, edge_up, cube, above);
    check_all(c, counts, 1);
    const GaussMapAxis axis = greatest_gap_axis(polytope(c.a), edge_up, polytope(c.b), above);
    EXPECT_EQ(axis.kind, AxisKind::edges);
    EXPECT_NEAR(axis.gap, -depth, 4e-15) << angle;
  }
}

// A vertex from which an edge leaves nearly at right angles to the way to the other polytope: the nearest point moves along the edge, and gets no nearer that doubles
// could tell. Seeds that once failed.
TEST(QuadraticProgram, TurnsWithoutGettingShorter) {
  AllCounts counts;
  for (const std::uint64_t seed : {16734u, 21865u, 38674u, 41294u}) {
    test::RandomSource source(seed);
    PairCase c = test::pair_case(source, ShapeKind::hull, ShapeKind::hull);
    c.a.shape = sharp(c.a.shape);
    c.b.shape = sharp(c.b.shape);
    check_all(c, counts, 1);
  }
  EXPECT_EQ(counts.quadratic.settled, 0);
}

// Reflections alone would creep where the hulls nearly touch; the middle of what is left does not.
TEST(SeparatingVector, DoesNotCreep) {
  Random random(12);
  int most = 0;
  for (int i = 0; i < 200; ++i) {
    const Shape a = Shape::hull(sphere_points(30, random)).value();
    const Shape b = Shape::hull(sphere_points(30, random)).value();
    Pose pose_a;
    Pose pose_b;
    pose_a.rotation = random.rotation();
    pose_b.rotation = random.rotation();
    pose_b.position = random.direction() * 3;
    const SignedDistance s = signed_distance(a, pose_a, b, pose_b);
    const double gap = i % 2 == 0 ? 1e-9 : -1e-9;
    pose_b.position -= s.normal * (s.value - gap);
    const PairCase c = placed(a, pose_a, b, pose_b);
    MethodTrace trace;
    const ShapeOverlap o =
        overlap_by_separating_vector(polytope(c.a), pose_a, polytope(c.b), pose_b, {}, &trace);
    EXPECT_EQ(o.hit, overlap(a, pose_a, b, pose_b).hit);
    EXPECT_FALSE(trace.settled);
    EXPECT_EQ(trace.programs, 0);
    most = std::max(most, o.iterations);
  }
  EXPECT_LE(most, 13);
}

// Points, segments and polygons of known distance, also where their difference has no inside.
TEST(ConvexMethods, FlatOnFlat) {
  AllCounts counts;
  const Shape square = box_hull({1, 1, 0});
  const Vec3 ends[] = {{-1, 0, 0}, {1, 0, 0}};
  const Shape segment = Shape::hull(ends).value();
  const Vec3 one[] = {{0.5, 0.5, 0}};
  const Shape point = Shape::hull(one).value();
  struct Known {
    const Shape *a, *b;
    Pose pose;
    double value;
  };
  const Pose upright = turned({1, 0, 0}, pi / 2, {0, 0, 0.5});
  const Pose across = turned({0, 0, 1}, pi / 2, {});
  const Known known[] = {
      {&square, &square, {}, 0},
      {&square, &square, Pose::at({0.5, 0, 0}), 0},
      {&square, &square, Pose::at({2, 0, 0}), 0},
      {&square, &square, Pose::at({3, 0, 0}), 1},
      {&square, &square, Pose::at({5, 6, 0}), 5},
      {&square, &square, Pose::at({0, 0, 0.25}), 0.25},
      {&square, &square, upright, -0.5},
      {&segment, &segment, {}, 0},
      {&segment, &segment, across, 0},
      {&segment, &segment, Pose::at({3, 0, 0}), 1},
      {&segment, &segment, Pose::at({0, 3, 0}), 3},
      {&segment, &segment, turned({0, 0, 1}, pi / 2, {0, 0, 2}), 2},
      {&segment, &square, Pose::at({0, 4, 0}), 3},
      {&square, &segment, turned({0, 1, 0}, pi / 2, {0.25, 0, 0.5}), -0.5},
      {&point, &square, {}, 0},
      {&point, &square, Pose::at({3, 0, 0}), 1.5},
      {&point, &segment, {}, 0.5},
      {&point, &point, {}, 0},
      {&point, &point, Pose::at({0, 3, 4}), 5},
  };
  for (const Known& k : known) {
    SCOPED_TRACE(&k - known);
    const PairCase c = placed(*k.a, {}, *k.b, k.pose);
    check_all(c, counts, 2);
    const auto s = signed_distance_by_axes(polytope(c.a), {}, polytope(c.b), k.pose);
    EXPECT_NEAR(s.value, k.value, 4e-15); // a few epsilon of sizes up to 8
    const auto d = distance_by_quadratic_program(polytope(c.a), {}, polytope(c.b), k.pose);
    EXPECT_NEAR(d.value, std::max(k.value, 0.0), 4e-15);
  }
}

/// All normals and edges, as the plain separating-axis test wants them.
struct AllAxes {
  std::vector<Vec3> vertices, normals, edges;

  AllAxes(const Polytope& p, const Frame& frame) {
    const ConvexHull& hull = p.hull();
    for (const Vec3& v : hull.vertices) vertices.push_back(frame.to_world(v));
    for (const HalfSpace& h : p.planes()) normals.push_back(frame.direction_to_world(h.normal));
    for (std::uint32_t h = 0; h < hull.twin.size(); ++h) {
      if (h < hull.twin[h])
        edges.push_back(frame.direction_to_world(hull.vertices[hull.target(h)] -
                                                 hull.vertices[hull.origin[h]]));
    }
  }
  [[nodiscard]] PolytopeView view() const { return {vertices, normals, edges}; }
};

// The arcs that do not cross are no loss: all axes of all edge pairs give no more. And the features named make the axis.
TEST(GaussMapAxes, AsGoodAsAllAxes) {
  Random random(9);
  for (int i = 0; i < 120; ++i) {
    const std::size_t n = 4 + random.below(16);
    const Shape a = Shape::hull(sphere_points(n, random)).value();
    const Shape b = Shape::hull(sphere_points(n, random)).value();
    Pose pose_a;
    Pose pose_b;
    pose_a.rotation = random.rotation();
    pose_b.rotation = random.rotation();
    pose_b.position = random.direction() * (0.02 * i);
    const PairCase c = placed(a, pose_a, b, pose_b);
    const Polytope& pa = polytope(c.a);
    const Polytope& pb = polytope(c.b);
    const AllAxes all_a(pa, pose_a.frame());
    const AllAxes all_b(pb, pose_b.frame());
    const GaussMapAxis axis = greatest_gap_axis(pa, pose_a, pb, pose_b);
    const SeparatingAxis all = find_separating_axis(all_a.view(), all_b.view());
    const std::size_t every =
        all_a.normals.size() + all_b.normals.size() + 2 * all_a.edges.size() * all_b.edges.size();
    EXPECT_LT(static_cast<std::size_t>(axis.axes), every / 2);
    const double close = 1e-14 * c.size;
    if (all.depth > 0) {
      EXPECT_NEAR(axis.gap, -all.depth, close) << i;
    } else {
      // Apart, a cross product whose arcs do not cross may do better by chance, and is no face of the difference.
      EXPECT_LE(axis.gap, -all.depth + close) << i;
      EXPECT_GT(axis.gap, 0) << i;
    }
    const auto normal_of = [](const Polytope& p, const Pose& pose, int face) {
      return pose.frame().direction_to_world(p.planes()[static_cast<std::size_t>(face)].normal);
    };
    const auto along = [&](const Polytope& p, const Pose& pose, int half_edge) {
      const auto h = static_cast<std::uint32_t>(half_edge);
      const Vec3 edge = p.vertices()[p.hull().target(h)] - p.vertices()[p.hull().origin[h]];
      return std::fabs(dot(pose.frame().direction_to_world(edge), axis.normal));
    };
    if (axis.kind == AxisKind::face_a) {
      EXPECT_NEAR(dot(axis.normal, normal_of(pa, pose_a, axis.feature_a)), 1, 1e-14);
    } else if (axis.kind == AxisKind::face_b) {
      EXPECT_NEAR(dot(axis.normal, normal_of(pb, pose_b, axis.feature_b)), -1, 1e-14);
    } else {
      ASSERT_EQ(axis.kind, AxisKind::edges);
      EXPECT_LE(along(pa, pose_a, axis.feature_a), 1e-13);
      EXPECT_LE(along(pb, pose_b, axis.feature_b), 1e-13);
    }
  }
}

TEST(ConvexMethods, RefusePosesThatAreNone) {
  const Shape cube = box_hull({1, 1, 1});
  const auto& p = std::get<Polytope>(cube.core());
  for (const double x : {double{NAN}, double{INFINITY}, 1e31, 1e-31}) {
    const Pose bad = Pose::at({0, x, 0});
    for (const auto& [pose_a, pose_b] : {std::pair{bad, Pose{}}, std::pair{Pose{}, bad}}) {
      EXPECT_EQ(overlap_by_linear_program(p, pose_a, p, pose_b).status, Status::bad_input);
      EXPECT_EQ(overlap_by_separating_vector(p, pose_a, p, pose_b).status, Status::bad_input);
      EXPECT_EQ(distance_by_quadratic_program(p, pose_a, p, pose_b).status, Status::bad_input);
      EXPECT_EQ(signed_distance_by_axes(p, pose_a, p, pose_b).status, Status::bad_input);
      EXPECT_EQ(greatest_gap_axis(p, pose_a, p, pose_b).status, Status::bad_input);
    }
  }
  // A start that is no direction is none.
  const Vec3 odd{NAN, INFINITY, 0};
  EXPECT_FALSE(overlap_by_separating_vector(p, {}, p, Pose::at({3, 0, 0}), odd).hit);
}

} // namespace
} // namespace carom
