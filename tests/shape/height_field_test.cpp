#include "carom/shape/height_field.h"

#include "tests/shape/height_field_cases.h"
#include "tests/support/property.h"

#include <gmpxx.h>

#include <limits>
#include <set>

namespace carom::test {
namespace {

Aabb box_of(const Triangle& t) { return {min(min(t.a, t.b), t.c), max(max(t.a, t.b), t.c)}; }
Aabb merged(const Aabb& a, const Aabb& b) { return {min(a.min, b.min), max(a.max, b.max)}; }
bool holds(const Aabb& outer, const Aabb& inner) {
  return merged(outer, inner).min == outer.min && merged(outer, inner).max == outer.max;
}

// ---- what it is made of

TEST(HeightField, VerticesAreWhatTheHeaderSays) {
  Terrain t(3, 2);
  t.shorts = {0, 1, 65535, 7, 8, 9};
  t.input.spacing_x = 0.1;
  t.input.spacing_y = 3;
  t.input.scale = 0.01;
  t.input.offset = -5;
  const HeightField field = t.build().value();
  EXPECT_EQ(field.vertex(2, 0), (Vec3{2 * 0.1, 0, -5 + 0.01 * 65535}));
  EXPECT_EQ(field.vertex(1, 1), (Vec3{0.1, 3, -5 + 0.01 * 8}));
  EXPECT_EQ(field.sample(0, 1), 7);
  EXPECT_EQ(field.cell_count(), 2u);
  EXPECT_EQ(field.triangle_count(), 4u);
  EXPECT_EQ(field.bounds().min, (Vec3{0, 0, -5}));
  EXPECT_EQ(field.bounds().max, (Vec3{0.2, 3, -5 + 0.01 * 65535}));
}

TEST(HeightField, TrianglesByDiagonal) {
  Terrain t = terrain_of(3, 3, [](std::uint32_t i, std::uint32_t j) { return i + 10.0 * j; });
  const auto corners = [](const Triangle& x) { return std::array{x.a.z, x.b.z, x.c.z}; };
  using Corners = std::array<double, 3>;
  t.input.diagonal = Diagonal::main;
  const HeightField main = t.build().value();
  EXPECT_EQ(corners(main.triangle(6)), (Corners{11, 12, 22})); // cell 3: column 1 of row 1
  EXPECT_EQ(corners(main.triangle(7)), (Corners{11, 22, 21}));
  t.input.diagonal = Diagonal::other;
  const HeightField other = t.build().value();
  EXPECT_EQ(corners(other.triangle(6)), (Corners{11, 12, 21}));
  EXPECT_EQ(corners(other.triangle(7)), (Corners{12, 22, 21}));
  t.input.diagonal = Diagonal::alternating;
  const HeightField mixed = t.build().value();
  for (std::uint32_t i = 0; i < 8; ++i) {
    const bool even = i / 2 == 0 || i / 2 == 3;
    EXPECT_EQ(corners(mixed.triangle(i)), corners((even ? main : other).triangle(i)));
  }
}

PROPERTY(HeightField, TrianglesCoverTheGridFacingUp) {
  const HeightField field = any_field(source);
  double area = 0;
  for (std::uint32_t i = 0; i < field.triangle_count(); ++i) {
    const Triangle t = field.triangle(i);
    // Seen from above, in exact numbers of cells.
    const auto at = [&](const Vec3& v) {
      return Vec2{std::round(v.x / field.spacing_x()), std::round(v.y / field.spacing_y())};
    };
    const Vec2 a = at(t.a), b = at(t.b), c = at(t.c);
    const double twice = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    REQUIRE(twice == 1);
    REQUIRE(t.normal().z > 0);
    area += twice / 2;
    const Triangle again =
        field.triangles(i / 2 % field.cell_columns(), i / 2 / field.cell_columns())[i % 2];
    REQUIRE(again.a == t.a && again.b == t.b && again.c == t.c);
  }
  REQUIRE(area == field.cell_count());
}

PROPERTY(HeightField, HolesMaterialsAndBounds) {
  Terrain t = any_terrain(source);
  const auto field = t.build();
  ASSUME(field.has_value());
  Aabb all;
  for (std::uint32_t i = 0; i < field->triangle_count(); ++i) {
    const bool hole = !t.holes.empty() && t.holes[i / 2] != 0;
    REQUIRE(field->hole(i / 2) == hole);
    REQUIRE(field->material(i) == t.materials[i / 2]);
    if (!hole) all = merged(all, box_of(field->triangle(i)));
  }
  REQUIRE(all.min == field->bounds().min && all.max == field->bounds().max);
}

// ---- the tree of blocks

void collect(const HeightField& field, const HeightFieldNode& node,
             std::multiset<std::uint32_t>& cells) {
  const Aabb box = field.box(node);
  EXPECT_FALSE(box.empty());
  EXPECT_FALSE(field.empty(node));
  if (node.level == 0) {
    const std::uint32_t cell = field.cell(node.x, node.y);
    cells.insert(cell);
    const Aabb tight =
        merged(box_of(field.triangle(2 * cell)), box_of(field.triangle(2 * cell + 1)));
    EXPECT_EQ(tight.min, box.min);
    EXPECT_EQ(tight.max, box.max);
    return;
  }
  std::array<HeightFieldNode, 4> children;
  const int count = field.children(node, children);
  EXPECT_GT(count, 0);
  for (int i = 0; i < count; ++i) {
    const HeightFieldNode& child = children[static_cast<std::size_t>(i)];
    EXPECT_EQ(child.level + 1, node.level);
    EXPECT_TRUE(holds(box, field.box(child)));
    const CellRange outer = field.cells(node), inner = field.cells(child);
    EXPECT_TRUE(outer.column <= inner.column && inner.end_column <= outer.end_column);
    EXPECT_TRUE(outer.row <= inner.row && inner.end_row <= outer.end_row);
    collect(field, child, cells);
  }
}

TEST(HeightField, TheTreeOfBlocksHasEveryCellOnce) {
  for_each_seed(fewer_when_sanitized(500), [](Source& source) {
    const HeightField field = any_field(source);
    std::multiset<std::uint32_t> found, expected;
    collect(field, field.root(), found);
    for (std::uint32_t c = 0; c < field.cell_count(); ++c)
      if (!field.hole(c)) expected.insert(c);
    EXPECT_EQ(found, expected);
    const CellRange whole = field.cells(field.root());
    EXPECT_EQ(whole, (CellRange{0, 0, field.cell_columns(), field.cell_rows()}));
  });
}

// ---- what is refused

ErrorCode code_of(Terrain t) {
  const auto field = t.build();
  EXPECT_FALSE(field.has_value());
  return field ? ErrorCode::bad_file : field.error().code;
}

TEST(HeightField, Refusals) {
  const Terrain good = terrain_of(3, 3, [](std::uint32_t, std::uint32_t) { return 1.0; });
  const auto with = [&](auto change) {
    Terrain t = good;
    change(t);
    return code_of(t);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(with([](Terrain& t) { t.input.columns = 1; }), ErrorCode::too_few);
  EXPECT_EQ(with([](Terrain& t) { t.input.rows = 0; }), ErrorCode::too_few);
  EXPECT_EQ(with([](Terrain& t) { t.floats.pop_back(); }), ErrorCode::too_few);
  EXPECT_EQ(with([](Terrain& t) { t.floats.push_back(0); }), ErrorCode::too_few);
  EXPECT_EQ(with([](Terrain& t) { t.holes = {0}; }), ErrorCode::too_few);
  EXPECT_EQ(with([](Terrain& t) { t.materials = {0, 1, 2}; }), ErrorCode::too_few);
  EXPECT_EQ(with([](Terrain& t) { t.holes = {1, 1, 1, 1}; }), ErrorCode::too_few);
  EXPECT_EQ(with([](Terrain& t) { t.input.columns = t.input.rows = 1U << 31; }),
            ErrorCode::out_of_range);
  EXPECT_EQ(with([](Terrain& t) { t.input.columns = t.input.rows = 0xffffffffU; }),
            ErrorCode::out_of_range);
  EXPECT_EQ(with([](Terrain& t) { t.floats[4] = INFINITY; }), ErrorCode::not_finite);
  EXPECT_EQ(with([&](Terrain& t) { t.floats[4] = static_cast<float>(nan); }),
            ErrorCode::not_finite);
  EXPECT_EQ(with([](Terrain& t) { t.floats[4] = 2e30F; }), ErrorCode::out_of_range);
  EXPECT_EQ(with([](Terrain& t) { t.floats[4] = 1e-32F; }), ErrorCode::out_of_range);
  EXPECT_EQ(with([](Terrain& t) { t.input.spacing_x = 0; }), ErrorCode::out_of_range);
  EXPECT_EQ(with([](Terrain& t) { t.input.spacing_y = -1; }), ErrorCode::out_of_range);
  EXPECT_EQ(with([](Terrain& t) { t.input.spacing_y = 0.9e30; }), ErrorCode::out_of_range);
  EXPECT_EQ(with([&](Terrain& t) { t.input.spacing_x = nan; }), ErrorCode::not_finite);
  EXPECT_EQ(with([](Terrain& t) { t.input.scale = INFINITY; }), ErrorCode::not_finite);
  EXPECT_EQ(with([&](Terrain& t) { t.input.offset = nan; }), ErrorCode::not_finite);
  EXPECT_EQ(with([](Terrain& t) { t.input.offset = 1e-31; }), ErrorCode::out_of_range);
  Terrain named = good;
  named.floats[5] = INFINITY;
  EXPECT_NE(named.build().error().message.find("column 2 of row 1"), std::string::npos);
  // A sample under a hole must be finite too: it is a vertex of the neighbours.
  EXPECT_EQ(with([](Terrain& t) {
              t.holes = {1, 0, 0, 0};
              t.floats[0] = INFINITY;
            }),
            ErrorCode::not_finite);
}

TEST(HeightField, ScaleMayBeNegativeOrZero) {
  Terrain t = terrain_of(3, 3, [](std::uint32_t i, std::uint32_t) { return i; });
  t.input.scale = -2;
  EXPECT_EQ(t.build().value().bounds().min.z, -4);
  t.input.scale = 0;
  t.input.offset = 3;
  EXPECT_EQ(t.build().value().bounds().min.z, 3);
  EXPECT_EQ(t.build().value().bounds().max.z, 3);
}

// ---- memory

/// With holes and materials.
template<class Fill>
double bytes_a_cell(std::uint32_t n, const Fill& fill) {
  Terrain t(n + 1, n + 1);
  fill(t);
  t.holes.assign(t.cells(), 0);
  t.holes[n / 2] = 1;
  t.materials.assign(t.cells(), 3);
  const HeightField field = t.build().value();
  EXPECT_TRUE(field.hole(n / 2));
  EXPECT_EQ(field.material(17), 3);
  return static_cast<double>(field.bytes()) / field.cell_count();
}

TEST(HeightField, LessThanSixBytesACell) {
#ifdef CAROM_SANITIZED
  constexpr std::uint32_t n = 512;
#else
  constexpr std::uint32_t n = 4096;
#endif
  const auto floats = [](Terrain& t) {
    t.floats.resize(t.samples());
    for (std::size_t i = 0; i < t.samples(); ++i) t.floats[i] = static_cast<float>(i & 1023);
  };
  const auto shorts = [](Terrain& t) { t.shorts.assign(t.samples(), 7); };
  EXPECT_LE(bytes_a_cell(n, floats), 5.49);
  EXPECT_LE(bytes_a_cell(512, shorts), 3.48);
}

} // namespace
} // namespace carom::test
