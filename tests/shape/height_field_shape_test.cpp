// The height field as a shape: built, rounded, scaled, and walked through by its parts.
#include "carom/shape/composite.h"
#include "carom/shape/mass.h"
#include "carom/shape/parts.h"
#include "tests/shape/height_field_cases.h"
#include "tests/support/property.h"

#include <set>

namespace carom::test {
namespace {

Shape shape_of(Terrain& t) {
  EXPECT_TRUE(t.build().has_value());
  return Shape::height_field(t.input).value();
}

Terrain hills() {
  Terrain t = terrain_of(30, 21, [](std::uint32_t i, std::uint32_t j) {
    return std::sin(0.5 * i) + std::cos(0.7 * j);
  });
  for (std::size_t i = 0; i < t.cells(); ++i) {
    t.materials.push_back(static_cast<std::uint8_t>(i % 251));
    t.holes.push_back(i < 9 || i % 17 == 5 ? 1 : 0);
  }
  return t;
}

TEST(HeightFieldShape, IsASurfaceOfItsOwnKind) {
  Terrain t = hills();
  const Shape shape = shape_of(t);
  EXPECT_EQ(shape.kind(), ShapeKind::height_field);
  EXPECT_STREQ(name_of(shape.kind()), "height_field");
  EXPECT_FALSE(shape.convex());
  EXPECT_TRUE(shape.bounded());
  EXPECT_EQ(shape.size(), 29);
  const auto* field = body_of<HeightField>(shape);
  ASSERT_NE(field, nullptr);
  // Some point of it: not of a hole.
  const Vec3 point = shape.inner_ball().center;
  bool there = false;
  for (std::uint32_t i = 0; i < field->triangle_count(); ++i) {
    const Triangle x = field->triangle(i);
    there = there || (!field->hole(i / 2) && (x.a == point || x.b == point || x.c == point));
  }
  EXPECT_TRUE(there);
  t.input.spacing_x = 0;
  EXPECT_EQ(Shape::height_field(t.input).error().code, ErrorCode::out_of_range);
}

bool holds(const Aabb& outer, const Aabb& inner) {
  return min(outer.min, inner.min) == outer.min && max(outer.max, inner.max) == outer.max;
}

void collect(const PartTree& tree, const PartGroup& group, const HeightField& field,
             double rounding, std::multiset<std::uint64_t>& found) {
  if (group.single) {
    found.insert(group.place);
    const Triangle t = field.triangle(static_cast<std::uint32_t>(group.place));
    EXPECT_EQ(group.box.min, min(min(t.a, t.b), t.c) - (Vec3{rounding, rounding, rounding}));
    EXPECT_EQ(group.box.max, max(max(t.a, t.b), t.c) + (Vec3{rounding, rounding, rounding}));
    return;
  }
  PartTree::Children children;
  const std::size_t count = tree.open(group, children);
  EXPECT_GT(count, 0u);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_TRUE(holds(group.box, children[i].box) || group.place == tree.whole().place);
    collect(tree, children[i], field, rounding, found);
  }
}

TEST(HeightFieldShape, PartsAreTheTrianglesThatAreThere) {
  for_each_seed(fewer_when_sanitized(200), [](Source& source) {
    Terrain t = any_terrain(source);
    if (!t.build()) return;
    const double rounding = source.index(2) * t.input.spacing_x;
    const Shape shape = Shape::height_field(t.input).value().rounded(rounding).value();
    const HeightField& field = *body_of<HeightField>(shape);
    const PartTree tree(shape);
    std::multiset<std::uint64_t> found, expected;
    collect(tree, tree.whole(), field, rounding, found);
    for (std::uint32_t i = 0; i < field.triangle_count(); ++i)
      if (!field.hole(i / 2)) expected.insert(i);
    EXPECT_EQ(found, expected);
    EXPECT_TRUE(PartTree(shape, false).whole().single);
  });
}

TEST(HeightFieldShape, APartIsATriangleWithItsMaterial) {
  Terrain t = hills();
  const Shape shape = shape_of(t).rounded(0.25).value();
  const HeightField& field = *body_of<HeightField>(shape);
  const Pose pose = Pose::at({1, 2, 3});
  PartShape part(shape, pose);
  for (const std::uint32_t i : {100u, 31u, 1159u}) {
    part.take(i);
    EXPECT_EQ(part.shape().kind(), ShapeKind::triangle);
    EXPECT_EQ(part.shape().rounding(), 0.25);
    const auto& core = std::get<Triangle>(part.shape().core());
    const Triangle expected = field.triangle(i);
    EXPECT_TRUE(core.a == expected.a && core.b == expected.b && core.c == expected.c);
    EXPECT_EQ(part.id(), (PartId{i, 0, i / 2 % 251}));
    EXPECT_EQ(part.pose().position, pose.position);
  }
}

TEST(HeightFieldShape, InACompoundItKeepsItsMaterials) {
  Terrain t = hills();
  const Shape field = shape_of(t);
  const std::vector<CompoundPart> parts = {{Shape::sphere(1).value(), Pose::identity(), 7},
                                           {field, Pose::at({1, 0, 0}), 8}};
  const Shape compound = Shape::compound(parts).value();
  PartShape part(compound, Pose::identity());
  part.take(1);
  EXPECT_EQ(part.id({100, 0, 50}), (PartId{100, 1, 50}));
  part.take(0);
  EXPECT_EQ(part.id(), (PartId{PartId::none, 0, 7}));
}

TEST(HeightFieldShape, Scaled) {
  Terrain t = hills();
  t.input.diagonal = Diagonal::alternating;
  const Shape shape = shape_of(t);
  const Shape large = shape.scaled({2, 4, 0.5}).value();
  EXPECT_EQ(large.kind(), ShapeKind::height_field);
  const HeightField &from = *body_of<HeightField>(shape), &to = *body_of<HeightField>(large);
  for (std::uint32_t i = 0; i < from.triangle_count(); ++i) {
    EXPECT_EQ(from.hole(i / 2), to.hole(i / 2));
    EXPECT_EQ(from.material(i), to.material(i));
    for (int k = 0; k < 3; ++k) {
      const Vec3 v = from.triangle(i)[k]; // powers of two: nothing is rounded
      EXPECT_EQ(to.triangle(i)[k], (Vec3{2 * v.x, 4 * v.y, 0.5 * v.z}));
    }
  }
  EXPECT_EQ(shape.scaled({-1, 1, 1}).error().code, ErrorCode::not_convex);
  EXPECT_EQ(shape.scaled({1, 1, -1}).error().code, ErrorCode::not_convex);
  const Shape round = shape.rounded(0.5).value();
  EXPECT_EQ(round.scaled({2, 2, 2}).value().rounding(), 1);
  EXPECT_FALSE(round.scaled({2, 2, 1}).has_value());
  // 16-bit samples stay what they are.
  Terrain shorts(2, 2);
  shorts.shorts = {1, 2, 3, 4};
  EXPECT_EQ(shorts.build().value().scaled({1, 1, 3}).value().height(1, 1), 12);
}

TEST(HeightFieldShape, HasNoMass) {
  Terrain t = terrain_of(3, 2, [](std::uint32_t i, std::uint32_t) { return i; });
  t.holes = {0, 1};
  const Shape shape = shape_of(t);
  const ShapeMass mass = mass_properties(shape);
  EXPECT_EQ(mass.volume, 0);
  EXPECT_EQ(mass.inertia, Mat3::zero());
  EXPECT_EQ(mass.relative_error, 0);
  EXPECT_LT(max_abs(mass.centroid - Vec3{0.5, 0.5, 0.5}), 0x1p-51);
  EXPECT_EQ(mass_properties(shape.rounded(1).value()).relative_error, INFINITY);
}

} // namespace
} // namespace carom::test
