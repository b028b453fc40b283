// How a tree is built does not change what it is a tree of; with how many threads does not change it at all.
#include "carom/math/random.h"
#include "carom/tree/wide_tree.h"

#include <gtest/gtest.h>

#include <cstring>

namespace carom {
namespace {

std::vector<Aabb> random_boxes(int count, bool crowded) {
  Random random(11);
  std::vector<Aabb> boxes;
  double scale = 1;
  for (int i = 0; i < count; ++i) {
    // Crowded: toward the origin, each a little nearer than the one before.
    if (crowded) scale *= 0.9995;
    Vec3 p, q;
    for (int k = 0; k < 3; ++k) {
      p[k] = random.uniform(0.5, 1) * scale;
      q[k] = p[k] + random.uniform(0, 0.02) * scale;
    }
    boxes.push_back({p, q});
  }
  return boxes;
}

bool same(const WideTree& a, const WideTree& b) {
  if (a.nodes().size() != b.nodes().size() || a.leaf_count() != b.leaf_count()) return false;
  for (std::size_t n = 0; n < a.nodes().size(); ++n) {
    const WideNode &x = a.nodes()[n], &y = b.nodes()[n];
    if (x.count != y.count || std::memcmp(x.origin, y.origin, sizeof x.origin) != 0 ||
        std::memcmp(x.exponent, y.exponent, sizeof x.exponent) != 0 ||
        std::memcmp(x.lower, y.lower, sizeof x.lower) != 0 ||
        std::memcmp(x.upper, y.upper, sizeof x.upper) != 0)
      return false;
    for (int i = 0; i < x.count; ++i)
      if (!(x.child[i] == y.child[i])) return false;
  }
  for (std::uint32_t l = 0; l < a.leaf_count(); ++l)
    if (!std::equal(a.leaf(l).begin(), a.leaf(l).end(), b.leaf(l).begin())) return false;
  return true;
}

/// Every thing once, and inside of the box that its leaf has, in doubles.
void expect_a_tree_of(const WideTree& tree, const std::vector<Aabb>& boxes) {
  std::vector<int> seen(boxes.size(), 0);
  for (const WideNode& node : tree.nodes())
    for (int i = 0; i < node.count; ++i) {
      if (!node.child[i].is_leaf()) continue;
      const FloatBox around = node.box(i);
      for (const std::uint32_t item : tree.leaf(node.child[i].number())) {
        if (item == WideTree::no_item) continue;
        ++seen[item];
        const Vec3 low = tree.frame().to_tree(boxes[item].min);
        const Vec3 high = tree.frame().to_tree(boxes[item].max);
        for (int k = 0; k < 3; ++k) {
          const auto at = static_cast<std::size_t>(k);
          ASSERT_LE(static_cast<double>(around.min[at]), low[k]);
          ASSERT_GE(static_cast<double>(around.max[at]), high[k]);
        }
      }
    }
  for (const int times : seen) ASSERT_EQ(times, 1);
}

} // namespace

TEST(WideBuild, TheSameForAnyNumberOfThreads) {
  for (const bool crowded : {false, true}) {
    const std::vector<Aabb> boxes = random_boxes(30000, crowded);
    const WideTree one(boxes, {TreeBuild::Quality::good, 1});
    expect_a_tree_of(one, boxes);
    for (const int threads : {2, 3, 8})
      EXPECT_TRUE(same(one, WideTree(boxes, {TreeBuild::Quality::good, threads}))) << threads;
  }
}

TEST(WideBuild, TheFastOneIsATreeOfTheSame) {
  for (const bool crowded : {false, true}) {
    const std::vector<Aabb> boxes = random_boxes(30000, crowded);
    const WideTree fast(boxes, {TreeBuild::Quality::fast}), good(boxes);
    expect_a_tree_of(fast, boxes);
    // What it saves in building, it may cost in asking: but not everything.
    if (!crowded) {
      EXPECT_LT(fast.expected_cost(), 2 * good.expected_cost());
    }
  }
}

TEST(WideBuild, AllInOnePlace) {
  const std::vector<Aabb> boxes(5000, Aabb{{1, 2, 3}, {1, 2, 3}});
  for (const auto quality : {TreeBuild::Quality::fast, TreeBuild::Quality::good})
    expect_a_tree_of(WideTree(boxes, {quality}), boxes);
}

} // namespace carom
