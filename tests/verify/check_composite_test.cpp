// The checker of shapes that are not convex: right answers pass, each kind of wrong one does not.
#include "carom/verify/check_composite.h"

#include "carom/verify/parts.h"
#include "tests/support/generate_composite.h"

#include <gtest/gtest.h>

#include <string>

namespace carom {
namespace {

using verify::PlacedShape;
using verify::Verdict;

constexpr double tolerance = 1e-13;

Shape ball(double r) { return Shape::sphere(r).value(); }
Shape cube() { return Shape::mesh(test::box_mesh({1, 1, 1})).value(); }
/// Balls of radius 1/2 at x = 0, 2, 4, of materials 3, 4, 5.
Shape row() {
  std::vector<CompoundPart> parts;
  for (std::uint32_t i = 0; i < 3; ++i)
    parts.push_back({ball(0.5), Pose::at({2.0 * i, 0, 0}), 3 + i});
  return Shape::compound(parts).value();
}
bool says(const Verdict& v, const std::string& what) {
  return !v && v.why.find(what) != std::string::npos;
}

TEST(VerifyParts, AreAllThereIs) {
  const PlacedShape nested{Shape::compound(std::vector<CompoundPart>{{row(), Pose::at({0, 1, 0})},
                                                                     {cube(), Pose::at({0, 0, 9})}})
                               .value(),
                           Pose::at({10, 0, 0})};
  const auto parts = verify::convex_parts(nested);
  ASSERT_EQ(parts.size(), 15u);
  EXPECT_EQ(parts[1].id, (PartId{PartId::none, 1, 4}));
  EXPECT_EQ(parts[1].placed.pose.position, (Vec3{12, 1, 0}));
  EXPECT_EQ(parts[14].id, (PartId{11, 3, 0}));
  EXPECT_EQ(verify::solid_meshes(nested).size(), 1u);
  EXPECT_TRUE(verify::wound_around(verify::solid_meshes(nested)[0], {10, 0, 9}));
  EXPECT_FALSE(verify::wound_around(verify::solid_meshes(nested)[0], {10, 0, 7}));
  EXPECT_EQ(verify::distance({10, 0, 9}, nested), 0);
  EXPECT_NEAR(verify::distance({10, 0, 6}, nested), 2, 1e-15);
  EXPECT_EQ(verify::support(nested, {0, 0, 1}), 10);
  EXPECT_EQ(verify::support(nested, {0, 0, 1e-200}), 10e-200);
  EXPECT_EQ(verify::extent(nested), 14.5);
  EXPECT_TRUE(std::isnan(verify::distance({NAN, 0, 0}, nested)));
}

Distance right_distance() { // of the row and a ball of radius 1/2 at (2, 3, 0)
  Distance d;
  d.value = d.lower_bound = 2;
  d.on_a = {2, 0.5, 0};
  d.on_b = {2, 2.5, 0};
  d.normal = {0, 1, 0};
  d.part_a = {PartId::none, 1, 4};
  return d;
}

TEST(CheckCompositeDistance, RefutesWhatIsWrong) {
  const PlacedShape a{row(), {}}, b{ball(0.5), Pose::at({2, 3, 0})};
  const auto check = [&](const Distance& d) {
    return verify::check_composite_distance(a, b, d, tolerance);
  };
  EXPECT_TRUE(check(right_distance()));
  Distance d = right_distance();
  d.lower_bound = 2.1;
  EXPECT_TRUE(says(check(d), "above the value"));
  d = right_distance();
  d.part_a.material = 3;
  EXPECT_TRUE(says(check(d), "no such part"));
  d = right_distance();
  d.part_a = {PartId::none, 0, 3};
  EXPECT_TRUE(says(check(d), "on_a is off A"));
  d = right_distance();
  d.value = 2.5;
  EXPECT_TRUE(says(check(d), "not the distance of the points"));
  d = right_distance(); // true points of another part, claimed to be the nearest
  d.on_a = {0, 0.5, 0};
  d.on_b = {2, 2.5, 0};
  d.value = d.lower_bound = std::sqrt(8);
  d.part_a = {PartId::none, 0, 3};
  EXPECT_TRUE(says(check(d), "nearer than claimed"));
  d.lower_bound = 2; // an upper bound that is not tight is none the less true
  EXPECT_TRUE(check(d));
  d.normal = {0, 2, 0};
  EXPECT_TRUE(says(check(d), "unit vector"));
  d.value = NAN;
  EXPECT_FALSE(check(d));
}

TEST(CheckCompositeDistance, SeesWhatIsInside) {
  // A small ball in the middle of a solid: the surface is 0.9 away.
  const PlacedShape a{cube(), {}}, b{ball(0.1), {}};
  Distance d;
  d.value = d.lower_bound = 0.9;
  d.on_a = {1, 0, 0};
  d.on_b = {0.1, 0, 0};
  d.normal = {-1, 0, 0};
  const TriangleSurface surface = body_of<TriangleMesh>(a.shape)->surface();
  while (d.part_a.element == PartId::none ||
         verify::distance(d.on_a, surface[d.part_a.element]) > 0)
    ++d.part_a.element;
  EXPECT_TRUE(says(verify::check_composite_distance(a, b, d, tolerance), "inside of a solid"));
  std::swap(d.on_a, d.on_b);
  std::swap(d.part_a, d.part_b);
  EXPECT_TRUE(says(verify::check_composite_distance(b, a, d, tolerance), "inside of a solid"));
  const PlacedShape shell{
      Shape::mesh(test::box_mesh({1, 1, 1}), {MeshOptions::Body::surface, {}}).value(), {}};
  EXPECT_TRUE(verify::check_composite_distance(b, shell, d, tolerance));
}

TEST(CheckCompositeOverlap, RefutesWhatIsWrong) {
  const PlacedShape a{row(), {}};
  const auto check = [&](const Vec3& at, const ShapeOverlap& o) {
    return verify::check_composite_overlap(a, {ball(0.5), Pose::at(at)}, o, tolerance);
  };
  ShapeOverlap none;
  EXPECT_TRUE(check({2, 1.01, 0}, none));
  EXPECT_TRUE(check({1, 0.1, 0}, none)); // between two, off both by a hair
  EXPECT_TRUE(check({1, 0, 0}, none));   // touching: it may go either way
  EXPECT_TRUE(says(check({1.001, 0, 0}, none), "nearer than claimed"));
  EXPECT_TRUE(says(check({2, 0.99, 0}, none), "nearer than claimed"));
  ShapeOverlap hit;
  hit.hit = true;
  hit.point = {2, 0.495, 0};
  hit.part_a = {PartId::none, 1, 4};
  EXPECT_TRUE(check({2, 0.99, 0}, hit));
  EXPECT_TRUE(says(check({2, 1.01, 0}, hit), "off B"));
  hit.part_a = {PartId::none, 2, 5};
  EXPECT_TRUE(says(check({2, 0.99, 0}, hit), "off A"));
}

TEST(CheckCompositeClosestPoint, RefutesWhatIsWrong) {
  const PlacedShape a{cube(), {}};
  SurfacePoint s;
  s.value = s.lower_bound = s.upper_bound = -0.25;
  s.point = {1, 0.25, 0.5};
  s.normal = {1, 0, 0};
  s.part.element = 0;
  const TriangleSurface surface = body_of<TriangleMesh>(a.shape)->surface();
  while (verify::distance(s.point, surface[s.part.element]) > 0) ++s.part.element;
  const Vec3 p{0.75, 0.25, 0.5};
  const auto check = [&](const SurfacePoint& answer) {
    return verify::check_composite_closest_point(p, a, answer, tolerance);
  };
  EXPECT_TRUE(check(s));
  SurfacePoint outside = s;
  outside.value = outside.lower_bound = outside.upper_bound = 0.25;
  outside.normal = -s.normal;
  EXPECT_TRUE(says(check(outside), "nearer than the lower bound"));
  SurfacePoint farther = s;
  farther.value = farther.lower_bound = farther.upper_bound = -0.5;
  farther.point = {0.75, 0.25, 1};
  farther.normal = {0, 0, 1};
  farther.part.element = 0;
  while (verify::distance(farther.point, surface[farther.part.element]) > 0) ++farther.part.element;
  EXPECT_TRUE(says(check(farther), "upper bound"));
  SurfacePoint other = s;
  other.part.element = (s.part.element + 6) % 12;
  EXPECT_FALSE(check(other));
  other = s;
  other.normal = {0, 1, 0};
  EXPECT_TRUE(says(check(other), "p - value * normal"));
}

TEST(CheckCompositeRay, RefutesWhatIsWrong) {
  const PlacedShape a{cube(), {}};
  const Ray ray{{-3, 0.2, 0.3}, {1, 0, 0}};
  const auto check = [&](const Ray& from, const RayHit& h) {
    return verify::check_composite_ray_cast(a, from, INFINITY, h, tolerance);
  };
  EXPECT_TRUE(says(check(ray, {}), "unseen"));
  EXPECT_TRUE(check({{-3, 1.2, 0.3}, {1, 0, 0}}, {}));
  EXPECT_TRUE(says(check({{}, {1, 0, 0}}, {}), "inside of a solid"));
  const TriangleSurface surface = body_of<TriangleMesh>(a.shape)->surface();
  const auto hit_at = [&](double t, const Vec3& normal) {
    RayHit h{.hit = true, .t = t, .point = ray.at(t), .normal = normal};
    h.part.element = 0;
    while (h.part.element < 11 && verify::distance(h.point, surface[h.part.element]) > 0)
      ++h.part.element;
    return h;
  };
  EXPECT_TRUE(check(ray, hit_at(2, {-1, 0, 0})));
  EXPECT_TRUE(says(check(ray, hit_at(2, {1, 0, 0})), "front"));
  EXPECT_TRUE(says(check(ray, hit_at(4, {-1, 0, 0})), "unseen"));
  EXPECT_TRUE(says(check(ray, hit_at(3, {-1, 0, 0})), "off its part"));
}

TEST(CheckCompositeCast, RefutesWhatIsWrong) {
  // A ball that flies past the first of the row, into the second.
  const PlacedShape a{ball(0.5), Pose::at({0, 3, 0})}, b{row(), {}};
  const auto check = [&](const Vec3& v, const ShapeCast& c) {
    return verify::check_composite_shape_cast(a, v, b, 1, c, tolerance, tolerance);
  };
  EXPECT_TRUE(check({10, 0, 0}, {}));
  EXPECT_TRUE(says(check({0, -4, 0}, {}), "nearer than claimed"));
  EXPECT_TRUE(says(check({0, -9, 0}, {}), "nearer than claimed")); // right through
  ShapeCast c;
  c.hit = true;
  c.t = 0.5;
  c.on_a = c.on_b = c.point = {0, 0.5, 0};
  c.normal = {0, -1, 0};
  c.part_b = {PartId::none, 0, 3};
  EXPECT_TRUE(check({0, -4, 0}, c));
  c.t = 0.75;
  EXPECT_FALSE(check({0, -4, 0}, c));
  c.part_b = {PartId::none, 1, 4};
  c.t = 0.5;
  EXPECT_TRUE(says(check({0, -4, 0}, c), "off B"));
}

TEST(CheckCompositeSpan, RefutesWhatIsWrong) {
  const PlacedShape a{row(), {}}, b{Shape::point({}).value(), Pose::at({-1, 0, 0})};
  Span s;
  s.value = s.upper_bound = 5.5;
  s.on_a = {4.5, 0, 0};
  s.on_b = {-1, 0, 0};
  s.direction = {-1, 0, 0};
  const auto check = [&] { return verify::check_composite_span(a, b, s, tolerance); };
  EXPECT_TRUE(check());
  s.value = s.upper_bound = 3.5;
  s.on_a = {2.5, 0, 0};
  EXPECT_TRUE(says(check(), "farther apart than the upper bound"));
  s.upper_bound = 6;
  EXPECT_TRUE(check());
  s.on_a = {4.6, 0, 0};
  EXPECT_TRUE(says(check(), "off A"));
}

} // namespace
} // namespace carom
