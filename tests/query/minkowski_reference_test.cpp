// Polytopes against their exact Minkowski difference, built by brute force: the differences of all corners as rational numbers, and their convex hull by CGAL.
//
// A placed corner is its local one under the doubles of Pose::frame, taken as exact reals. The signed distance is that of the origin from the hull: an exact rational, but
// for one square root at the end.
#include "carom/query/distance.h"
#include "carom/query/overlap.h"
#include "carom/query/penetration.h"
#include "carom/query/signed_distance.h"
#include "tests/query/pair_cases.h"
#include "tests/support/property.h"

#include <CGAL/Gmpq.h>
#include <CGAL/Polyhedron_3.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/convex_hull_3.h>

#include <optional>
#include <vector>

namespace carom {
namespace {

using test::PairCase;
using test::Source;
using Rational = CGAL::Gmpq;
using Kernel = CGAL::Simple_cartesian<Rational>;
using Point = Kernel::Point_3;

std::vector<Vec3> corners_of(const Shape& shape) {
  const ShapeCore& core = shape.core();
  if (const auto* p = std::get_if<Vec3>(&core)) return {*p};
  if (const auto* s = std::get_if<Segment>(&core)) return {s->a, s->b};
  if (const auto* t = std::get_if<Triangle>(&core)) return {t->a, t->b, t->c};
  if (const auto* p = std::get_if<Polytope>(&core)) return p->hull().vertices;
  return {};
}

/// Also of boxes, whose corners are not doubles.
std::vector<Point> placed_corners(const verify::PlacedShape& placed) {
  const Frame frame = placed.pose.frame();
  const auto to_point = [](const Vec3& v) { return Point(v.x, v.y, v.z); };
  const auto image = [&](const Mat3& m, const Point& p, const Vec3& origin) {
    Rational q[3];
    for (int i = 0; i < 3; ++i)
      q[i] = Rational(m.x[i]) * p.x() + Rational(m.y[i]) * p.y() + Rational(m.z[i]) * p.z() +
             Rational(origin[i]);
    return Point(q[0], q[1], q[2]);
  };
  std::vector<Point> result;
  if (const auto* box = std::get_if<Obb>(&placed.shape.core())) {
    for (int i = 0; i < 8; ++i) {
      const Vec3 sign{i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0};
      result.push_back(image(frame.basis,
                             image(box->axes, to_point(mul(sign, box->half)), box->center),
                             frame.origin));
    }
    return result;
  }
  for (const Vec3& v : corners_of(placed.shape))
    result.push_back(image(frame.basis, to_point(v), frame.origin));
  return result;
}

double root(const Rational& square) { return std::sqrt(CGAL::to_double(square)); }

/// The signed distance of the origin from the hull of all differences of corners; nothing where they are coplanar.
std::optional<double> exact_signed_distance(const verify::PlacedShape& a,
                                            const verify::PlacedShape& b) {
  std::vector<Point> difference;
  for (const Point& p : placed_corners(a)) {
    for (const Point& q : placed_corners(b)) difference.push_back(CGAL::ORIGIN + (q - p));
  }
  CGAL::Polyhedron_3<Kernel> hull;
  CGAL::Object object;
  CGAL::convex_hull_3(difference.begin(), difference.end(), object);
  // A flat hull comes as something else, or as a single facet.
  if (!CGAL::assign(hull, object) || !hull.is_closed()) return std::nullopt;
  const Point origin(0, 0, 0);
  bool inside = true;
  std::optional<Rational> least_depth; // squared, over all planes
  std::optional<Rational> least_gap;   // squared, over all facets
  for (auto f = hull.facets_begin(); f != hull.facets_end(); ++f) {
    const auto h = f->halfedge();
    const Point& p = h->vertex()->point();
    const Point& q = h->next()->vertex()->point();
    const Point& r = h->next()->next()->vertex()->point();
    const Kernel::Vector_3 normal = CGAL::cross_product(q - p, r - p);
    const Rational height = normal * (origin - p);
    if (height > 0) inside = false;
    const Rational depth = height * height / normal.squared_length();
    if (!least_depth || depth < *least_depth) least_depth = depth;
    const Rational gap = CGAL::squared_distance(origin, Kernel::Triangle_3(p, q, r));
    if (!least_gap || gap < *least_gap) least_gap = gap;
  }
  return inside ? -root(*least_depth) : root(*least_gap);
}

/// Segments, triangles, boxes and hulls of up to 16 points, sometimes rounded, placed as pair_cases.h does: apart, deep, touching to within a hair, in the same place, far
/// away, of very different size.
PairCase polytopes(Source& source) {
  static constexpr ShapeKind kinds[] = {ShapeKind::box, ShapeKind::hull, ShapeKind::triangle,
                                        ShapeKind::segment};
  const double scale_a = test::scale(source);
  const double scale_b = source.chance(4) ? scale_a * std::ldexp(1.0, -source.index(40)) : scale_a;
  const auto shape = [&](double scale) {
    while (true) {
      const ShapeKind kind = kinds[source.index(4)];
      const Shape s = test::ShapeGenerator(source, scale).of_kind(kind);
      if (s.polyhedral() && corners_of(s).size() <= 16) return s;
    }
  };
  const Shape a = shape(scale_a);
  const Shape b = shape(scale_b);
  return test::placed(source, a, b, scale_a);
}

void compare(const PairCase& c, double exact) {
  const auto& [a, pose_a] = c.a;
  const auto& [b, pose_b] = c.b;
  // As DESIGN.md has it: both sizes and the translation between them.
  const double size = a.size() + b.size() + max_abs(pose_b.position - pose_a.position);
  const double promised = 1e-12 * size;
  const double band =
      tolerance::boolean_band * (size + max_abs(pose_a.position) + max_abs(pose_b.position));
  // The exact value, too, is a double here.
  const double ulps = 4 * tolerance::epsilon * std::fabs(exact);

  const Distance d = distance(a, pose_a, b, pose_b);
  const double apart = std::max(exact, 0.0);
  EXPECT_EQ(d.status, Status::ok);
  EXPECT_LE(std::fabs(d.value - apart), promised);
  EXPECT_LE(d.lower_bound, apart + ulps);
  const SignedDistance s = signed_distance(a, pose_a, b, pose_b);
  EXPECT_EQ(s.status, Status::ok);
  EXPECT_LE(std::fabs(s.value - exact), promised);
  EXPECT_LE(s.lower_bound, exact + ulps);
  EXPECT_GE(s.upper_bound, exact - ulps);
  const Penetration p = penetration(a, pose_a, b, pose_b);
  const double depth = std::max(-exact, 0.0);
  EXPECT_EQ(p.status, Status::ok);
  EXPECT_LE(std::fabs(p.depth - depth), promised);
  EXPECT_LE(p.lower_bound, depth + ulps);
  EXPECT_GE(p.upper_bound, depth - ulps);
  const ShapeOverlap o = overlap(a, pose_a, b, pose_b);
  if (std::fabs(exact) > band) {
    EXPECT_EQ(o.hit, exact < 0);
    EXPECT_EQ(d.value > band / 2, exact > 0);
    EXPECT_EQ(s.value > 0, exact > 0);
    EXPECT_EQ(p.depth > 0, exact < 0);
  }
  if (::testing::Test::HasFailure())
    ADD_FAILURE() << name_of(a.kind()) << " against " << name_of(b.kind()) << ", size " << size
                  << ", exact " << exact << ", distance " << d.value << ", signed " << s.value
                  << ", depth " << p.depth;
}

TEST(MinkowskiReference, RandomPolytopes) {
  int apart = 0;
  int deep = 0;
  int touching = 0;
  test::for_each_seed(test::fewer_when_sanitized(300), [&](Source& source) {
    const PairCase c = polytopes(source);
    const std::optional<double> cores = exact_signed_distance(c.a, c.b);
    if (!cores) return;
    const double exact = *cores - (c.a.shape.rounding() + c.b.shape.rounding());
    ++(std::fabs(exact) <= 1e-9 * c.size ? touching : exact > 0 ? apart : deep);
    compare(c, exact);
  });
  EXPECT_GT(apart, 0);
  EXPECT_GT(deep, 0);
  EXPECT_GT(touching, 0);
}

// Poses that need no rounding: what touches exactly is known to touch.
TEST(MinkowskiReference, CubesOnAGrid) {
  const Shape cube = Shape::box({1, 1, 1}).value();
  const Shape flat = Shape::box({1, 0, 2}).value();
  for (int i = 0; i < 27; ++i) {
    const Vec3 at{1.0 * (i % 3), 1.0 * (i / 3 % 3), 1.0 * (i / 9)};
    for (const Shape* other : {&cube, &flat}) {
      const PairCase c{{cube, {}}, {*other, Pose::at(at)}, 4};
      const std::optional<double> exact = exact_signed_distance(c.a, c.b);
      ASSERT_TRUE(exact);
      compare(c, *exact);
      EXPECT_EQ(overlap(cube, {}, *other, Pose::at(at)).hit, *exact <= 0);
    }
  }
}

} // namespace
} // namespace carom
