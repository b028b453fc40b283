#include "carom/tree/wide_tree.h"

#include "tests/support/generate.h"
#include "tests/support/property.h"
#include "tests/tree/tree_checks.h"

#include <cmath>
#include <limits>

namespace carom::test {
namespace {

Aabb at(const Vec3& p) { return {p, p}; }

void expect_sound(const std::vector<Aabb>& boxes, TreeBuild::Quality quality) {
  const WideTree tree(boxes, {quality});
  EXPECT_EQ(fault_of(tree, boxes.size()), "");
  EXPECT_EQ(fault_of_boxes(tree, boxes), "");
}
void expect_sound(const std::vector<Aabb>& boxes) {
  expect_sound(boxes, TreeBuild::Quality::good);
  expect_sound(boxes, TreeBuild::Quality::fast);
}

TEST(WideTree, OfNothing) {
  const WideTree tree(std::span<const Aabb>{});
  EXPECT_TRUE(tree.empty());
  EXPECT_EQ(tree.leaf_count(), 0u);
  EXPECT_EQ(tree.expected_cost(), 0);
  EXPECT_TRUE(WideTree().empty());
}

TEST(WideTree, OfFewThings) {
  for (std::size_t count = 1; count < 20; ++count) {
    std::vector<Aabb> boxes;
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3 p{static_cast<double>(i * i % 7), static_cast<double>(i % 3), 5};
      boxes.push_back({p, p + Vec3{0.5, 0.25, 0}});
    }
    expect_sound(boxes);
    EXPECT_EQ(WideTree(boxes).leaf_count() == 1, count <= 8);
  }
}

TEST(WideTree, RandomBoxes) {
  for_each_seed(fewer_when_sanitized(300), [](Source& source) {
    std::vector<Aabb> boxes;
    const int count = source.index(200);
    const double by = scale(source);
    const Vec3 to = offset(source);
    for (int i = 0; i < count; ++i) {
      const Vec3 a = vec3(source);
      const Vec3 b = vec3(source);
      const Vec3 c = a + b * std::ldexp(1.0, -source.index(30));
      const Vec3 p = (a + to) * by, q = (c + to) * by;
      boxes.push_back({min(p, q), max(p, q)});
    }
    expect_sound(boxes);
  });
}

// Each half as far from the rest as the one before: splitting at the middle of the space takes off one at a time.
TEST(WideTree, CrowdedGeometrically) {
  for (const double ratio : {0.5, 0.9, 0.1}) {
    std::vector<Aabb> boxes;
    double x = 1;
    for (int i = 0; i < 3000 && x > 1e-30; ++i, x *= ratio) boxes.push_back(at({x, x * x, 0}));
    expect_sound(boxes);
    // So that even what is left at the bottom is more than halving of 2^30 things would bear without a bound.
    for (int i = 0; i < 20'000; ++i) boxes.push_back(at({1e-30 * (1 + i % 7), 0, 0}));
    expect_sound(boxes);
  }
}

// The heuristic takes off the largest box, one at a time: a tree as deep as there are boxes, were it not bounded.
TEST(WideTree, Nested) {
  for (const double ratio : {0.5, 0.9, 0.98, 0.995}) {
    std::vector<Aabb> boxes;
    double r = 1;
    for (int i = 0; i < 4000 && r > 1e-30; ++i, r *= ratio)
      boxes.push_back({{-r, -r / 2, -r / 4}, {r * 1.3, r, r}});
    expect_sound(boxes);
  }
}

TEST(WideTree, Duplicates) {
  expect_sound(std::vector<Aabb>(1000, {{1, 2, 3}, {4, 5, 6}}));
  const std::vector<Aabb> many(fewer_when_sanitized(100'000), {{1, 2, 3}, {1, 2, 3}});
  expect_sound(many);
  // Halved all the way: full leaves at least half, and no deeper than it takes.
  const WideTree tree(many);
  EXPECT_LE(tree.leaf_count(), many.size() / 4);
  EXPECT_LE(depth_of(tree), 8);
}

TEST(WideTree, Collinear) {
  std::vector<Aabb> boxes;
  for (int i = 0; i < 5000; ++i) boxes.push_back(at(Vec3{1, 2, -3} * (i * 0.37)));
  expect_sound(boxes);
  for (Aabb& box : boxes) box = at({box.min.x, 0, 0});
  expect_sound(boxes);
}

TEST(WideTree, HugeTinyAndFarAway) {
  for (const double size : {1e30, 1e-30, 1e15, 1e-15}) {
    std::vector<Aabb> boxes, far;
    for (int i = 0; i < 1000; ++i) {
      const Vec3 p{std::sin(i * 1.7), std::cos(i * 2.3), std::sin(i * 0.7)};
      const Vec3 q = p + Vec3{0.01, 0.02, 0} * (i % 5);
      boxes.push_back({p * (size / 2), q * (size / 2)});
      // One after another in the last bits.
      const Vec3 c = Vec3{1, -1, 1} * (size / 2) + p * (size * 0x1p-50);
      far.push_back(at(c));
    }
    expect_sound(boxes);
    expect_sound(far);
  }
  // Both at once.
  std::vector<Aabb> boxes = {at({1e30, -1e30, 1e30}), at({-1e30, 1e30, 0})};
  for (int i = 0; i < 100; ++i) boxes.push_back(at({1e-30 * i, 0, 1e-30}));
  expect_sound(boxes);
  expect_sound({at({1e30, 1e30, 1e30})});
  expect_sound({at({1e-30, 0, 0})});
}

TEST(WideTree, SameTreeEveryTime) {
  std::vector<Aabb> boxes;
  RandomSource source(7);
  for (int i = 0; i < 3000; ++i) boxes.push_back(at(vec3(source)));
  for (const auto quality : {TreeBuild::Quality::good, TreeBuild::Quality::fast})
    EXPECT_TRUE(same(WideTree(boxes, {quality}), WideTree(boxes, {quality})));
}

// The heuristic's trees are the better ones: that is what they take time for.
TEST(WideTree, GoodIsBetterThanFast) {
  std::vector<Aabb> boxes;
  RandomSource source(3);
  for (int i = 0; i < 4000; ++i) {
    const double a = source.uniform(0, 6.3);
    const double h = source.uniform(0, 1);
    const Vec3 p{std::cos(a), std::sin(a), h * h * h};
    boxes.push_back({p, p + Vec3{0.02, 0.01, 0.003}});
  }
  const double good = WideTree(boxes).expected_cost();
  const double fast = WideTree(boxes, {TreeBuild::Quality::fast}).expected_cost();
  EXPECT_LT(good, fast);
}

TEST(WideTree, RefitFollowsTheThings) {
  for_each_seed(fewer_when_sanitized(100), [](Source& source) {
    std::vector<Aabb> boxes;
    const int count = source.index(300) + 1;
    for (int i = 0; i < count; ++i) boxes.push_back(at(vec3(source)));
    WideTree tree(boxes);
    const double by = scale(source);
    const Vec3 to = offset(source) * by;
    Aabb all;
    for (Aabb& box : boxes) {
      const Vec3 moved = box.min * by + vec3(source) * (by * 0.2) + to;
      box = at(moved);
      all = {min(all.min, moved), max(all.max, moved)};
    }
    const TreeFrame frame(all);
    std::vector<FloatBox> leaves(tree.leaf_count());
    for (std::uint32_t l = 0; l < leaves.size(); ++l)
      for (const std::uint32_t item : tree.leaf(l))
        if (item != WideTree::no_item) leaves[l].add(float_box(frame, boxes[item]));
    tree.refit(frame, leaves);
    EXPECT_EQ(fault_of(tree, boxes.size()), "");
    EXPECT_EQ(fault_of_boxes(tree, boxes), "");
  });
}

// The grid itself: corners are floats without rounding, and the finest that covers the interval within a factor of two.
TEST(WideNode, GridIsExactAndFine) {
  for_each_seed(fewer_when_sanitized(20'000), [](Source& source) {
    const double a = source.uniform(-0.49, 0.49);
    const double part = source.uniform(0.5, 1);
    const double length = std::ldexp(part, -source.index(30));
    const auto low = static_cast<float>(a);
    const auto high = static_cast<float>(std::min(a + length, 0.49));
    for (const int cells : {255, 65535}) {
      const GridAxis grid = GridAxis::around(low, high, cells);
      const double step = static_cast<double>(grid.step());
      EXPECT_GE(step, 0x1p-24);
      EXPECT_LE(static_cast<double>(grid.origin), static_cast<double>(low));
      EXPECT_GE(static_cast<double>(grid.origin) + cells * step, static_cast<double>(high));
      EXPECT_EQ(std::floor(static_cast<double>(grid.origin) / step) * step,
                static_cast<double>(grid.origin));
      const double most = std::max(2 * (static_cast<double>(high) - low) / (cells - 1), 0x1p-24);
      EXPECT_LE(step, most);
      for (const int q : {0, 1, cells / 2, cells}) {
        const double exact = static_cast<double>(grid.origin) + q * step;
        EXPECT_EQ(static_cast<double>(static_cast<float>(exact)), exact);
      }
    }
  });
}

} // namespace
} // namespace carom::test
