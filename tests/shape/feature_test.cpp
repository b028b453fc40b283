// Features against their definition: a support face is part of the core's surface, its corners are farthest along its normal, and the numbers
// name the same thing each time.
#include "carom/shape/feature.h"

#include "carom/math/tolerance.h"
#include "carom/shape/support.h"
#include "carom/verify/shape.h"
#include "tests/support/generate_shape.h"
#include "tests/support/property.h"

#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace carom {
namespace {

using test::Source;
using tolerance::epsilon;

/// The core alone, as a shape: what is left of a shape without its rounding, for the checker. Only kinds that can be built again.
double core_support(const Shape& shape, const Vec3& d) {
  const verify::PlacedShape placed{shape, {}};
  return verify::support(placed, d) - shape.rounding() * length(d);
}

class Features : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Kinds, Features, testing::Range(0, convex_kinds),
                         [](const testing::TestParamInfo<int>& kind) {
                           return std::string(name_of(static_cast<ShapeKind>(kind.param)));
                         });

// Every corner lies in the core and is farthest along the feature's normal, and that normal is as near to d as was asked. Moved out by the rounding it lies on the shape.
TEST_P(Features, LieOnTheSurface) {
  const auto kind = static_cast<ShapeKind>(GetParam());
  if (kind == ShapeKind::half_space) return;
  test::for_each_seed(test::fewer_when_sanitized(2000), [&](Source& source) {
    const Shape shape = test::shape_of(source, kind);
    const Vec3 d = test::direction(source);
    static constexpr double cosines[] = {0.5, 0.99, 1 - 1e-12, 0.1, 2};
    const double min_cosine = cosines[source.index(5)];
    FaceStorage storage;
    const SupportFace f = support_face(shape, d, min_cosine, storage);
    ASSERT_GE(f.corners.size(), 1u);
    EXPECT_NEAR(length(f.normal), 1, 1e-12);
    if (f.corners.size() > 1) {
      EXPECT_GE(dot(f.normal, d), min_cosine - 1e-12);
    }
    if (min_cosine > 1) {
      EXPECT_EQ(f.corners.size(), 1u);
    }
    // Thin faces and sums have their own roundings; a custom shape is as convex as its function.
    if (kind == ShapeKind::custom) return;
    const double slack = 1e-12 * shape.size();
    const double reach = core_support(shape, f.normal);
    const verify::PlacedShape placed{shape, {}};
    for (const FaceCorner& c : f.corners) {
      EXPECT_NEAR(dot(f.normal, c.point), reach, slack) << name_of(shape.kind());
      EXPECT_LE(verify::distance(c.point + f.normal * shape.rounding(), placed), slack);
    }
  });
}

// Corners have different numbers, and so have the sides between them, unless they coincide.
TEST_P(Features, HaveNumbersOfTheirOwn) {
  const auto kind = static_cast<ShapeKind>(GetParam());
  test::for_each_seed(test::fewer_when_sanitized(500), [&](Source& source) {
    const Shape shape = test::shape_of(source, kind);
    FaceStorage storage;
    const SupportFace f = support_face(shape, test::direction(source), 0.5, storage);
    std::set<std::uint32_t> corners, sides;
    for (const FaceCorner& c : f.corners) {
      EXPECT_TRUE(corners.insert(packed(c.at)).second);
      EXPECT_TRUE(sides.insert(packed(c.side)).second || f.corners.size() == 2);
      EXPECT_EQ(unpacked(packed(c.at)), c.at);
    }
  });
}

using Named = std::map<std::uint32_t, Vec3>;

/// Asks in many directions, and sees that each number stands for one point, side or normal.
void expect_consistent(const Shape& shape, std::size_t vertices, std::size_t edges,
                       std::size_t faces) {
  Named corner_at, face_normal;
  std::map<std::uint32_t, std::pair<Vec3, Vec3>> edge_ends;
  test::for_each_seed(3000, [&](Source& source) {
    FaceStorage storage;
    const Vec3 d = test::direction(source);
    for (const double min_cosine : {0.5, 0.95, 2.0}) {
      const SupportFace f = support_face(shape, d, min_cosine, storage);
      if (f.feature.kind == FeatureKind::face) {
        const auto [it, fresh] = face_normal.emplace(f.feature.id, f.normal);
        EXPECT_LE(length(it->second - f.normal), 1e-12);
      }
      for (std::size_t i = 0; i < f.corners.size(); ++i) {
        const FaceCorner& c = f.corners[i];
        const auto [at, fresh] = corner_at.emplace(packed(c.at), c.point);
        EXPECT_EQ(at->second, c.point);
        if (f.corners.size() == 1) continue;
        Vec3 p = c.point;
        Vec3 q = f.corners[(i + 1) % f.corners.size()].point;
        if (std::tie(q.x, q.y, q.z) < std::tie(p.x, p.y, p.z)) std::swap(p, q);
        const auto [ends, is_new] = edge_ends.emplace(packed(c.side), std::pair{p, q});
        EXPECT_EQ(ends->second, (std::pair{p, q}));
      }
      if (f.corners.size() > 2) {
        // Counter-clockwise seen from outside.
        const Vec3 turn =
            cross(f.corners[1].point - f.corners[0].point, f.corners[2].point - f.corners[1].point);
        EXPECT_GT(dot(turn, f.normal), 0);
      }
    }
  });
  EXPECT_EQ(corner_at.size(), vertices);
  EXPECT_EQ(edge_ends.size(), edges);
  EXPECT_EQ(face_normal.size(), faces);
}

TEST(FeatureNumbers, NumbersNameTheSameThingEachTime) {
  expect_consistent(Shape::box({1, 2, 3}).value(), 8, 12, 6);
  const Mat3 turned = to_matrix(Quat::from_axis_angle({1, 2, 3}, 1));
  expect_consistent(Shape::of(Obb{{1, 0, 0}, turned, {3, 1, 2}}).value(), 8, 12, 6);
  const std::vector<Vec3> prism{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 1}, {2, 0, 1}, {0, 2, 1}};
  expect_consistent(Shape::hull(prism).value(), 6, 9, 5);
  expect_consistent(Shape::triangle({0, 0, 0}, {2, 0, 0}, {0, 1, 1}).value(), 3, 3, 2);
  expect_consistent(Shape::segment({0, 0, 0}, {2, 0, 1}).value(), 2, 1, 0);
}

// As feature.h lists them.
TEST(FeatureNumbers, AreNumberedAsDocumented) {
  FaceStorage storage;
  const Shape box = Shape::box({1, 2, 3}).value();
  const SupportFace top = support_face(box, {0, 0, 1}, 0.9, storage);
  EXPECT_EQ(top.feature, (Feature{FeatureKind::face, 5}));
  for (const FaceCorner& c : top.corners) {
    EXPECT_EQ(c.point, std::get<Obb>(box.core()).corner(static_cast<int>(c.at.id)));
  }
  // Along x, at the far end of y and z.
  const SupportFace edge = support_face(box, normalized(Vec3{0, 1, 1}), 0.9, storage);
  EXPECT_EQ(edge.feature, (Feature{FeatureKind::edge, 3}));
  EXPECT_EQ(support_face(box, normalized(Vec3{1, 1, 1}), 0.9, storage).feature,
            (Feature{FeatureKind::vertex, 7}));

  const Shape cylinder = Shape::cylinder(1, 2).value();
  const SupportFace cap = support_face(cylinder, {0, 0, -1}, 0.9, storage);
  EXPECT_EQ(cap.feature, (Feature{FeatureKind::face, 0}));
  ASSERT_EQ(cap.corners.size(), 16u);
  for (const FaceCorner& c : cap.corners) {
    EXPECT_LT(c.at.id, 16u);
    EXPECT_EQ(c.point.z, -1);
    EXPECT_NEAR(std::sqrt(c.point.x * c.point.x + c.point.y * c.point.y), 2, 4 * epsilon);
  }
  EXPECT_EQ(support_face(cylinder, {0, 0, 1}, 0.9, storage).feature.id, 1u);
  const SupportFace side = support_face(cylinder, {0, 1, 0}, 0.9, storage);
  EXPECT_EQ(side.feature, (Feature{FeatureKind::edge, 32}));
  EXPECT_EQ(side.turn_radius, 2);
  EXPECT_EQ(support_face(cylinder, normalized(Vec3{1, 0, 1}), 0.9, storage).feature,
            (Feature{FeatureKind::edge, 34}));

  const Shape cone = Shape::cone(4, 2).value(); // the base below, the apex at z = 4
  EXPECT_EQ(support_face(cone, {0, 0, -1}, 0.9, storage).feature, (Feature{FeatureKind::face, 0}));
  EXPECT_EQ(support_face(cone, {0, 0, 1}, 0.9, storage).feature,
            (Feature{FeatureKind::vertex, 16}));
  EXPECT_EQ(support_face(cone, normalized(Vec3{2, 0, 1}), 0.999, storage).feature,
            (Feature{FeatureKind::edge, 16}));
  EXPECT_EQ(support_face(Shape::ellipsoid({1, 2, 3}).value(), {1, 0, 0}, 0.9, storage).feature,
            (Feature{FeatureKind::face, 0}));
  EXPECT_TRUE(support_face(Shape::half_space({0, 0, 1}, 0).value(), {0, 0, 1}, 0.9, storage)
                  .corners.empty());
}

// Faces of more corners than fit in place, and faces that rounding broke into many: whole all the same.
TEST(FeatureNumbers, LargeAndBrokenFaces) {
  std::vector<Vec3> points;
  for (int i = 0; i < 100; ++i) {
    const double a = 2 * 3.14159265358979 * i / 100;
    points.push_back({std::cos(a), std::sin(a), 0});
    points.push_back({std::cos(a), std::sin(a), 1});
  }
  FaceStorage storage;
  const SupportFace disc = support_face(Shape::hull(points).value(), {0, 0, 1}, 0.99, storage);
  EXPECT_EQ(disc.corners.size(), 100u);

  const Mat3 there = to_matrix(Quat::from_axis_angle({1, 2, 3}, 1));
  std::vector<Vec3> turned;
  for (const Vec3& p : points) turned.push_back(there * p);
  const Shape broken = Shape::hull(turned).value();
  ASSERT_GT(std::get<Polytope>(broken.core()).hull().face_count(), 102u); // else it tests nothing
  for (const double side : {1.0, -1.0}) {
    const SupportFace f = support_face(broken, there * Vec3{0, 0, side}, 0.99, storage);
    // Corners that rounding pushed inward are no corners of the hull.
    EXPECT_GE(f.corners.size(), 90u);
    double area = 0;
    for (std::size_t i = 1; i + 1 < f.corners.size(); ++i) {
      area += dot(f.normal, cross(f.corners[i].point - f.corners[0].point,
                                  f.corners[i + 1].point - f.corners[0].point)) /
              2;
    }
    EXPECT_NEAR(area, 50 * std::sin(2 * 3.14159265358979 / 100), 1e-12);
  }
}

} // namespace
} // namespace carom
