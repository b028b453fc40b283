#include "carom/geometry/measure.h"
#include "carom/geometry/merge.h"
#include "carom/tree/volume_join.h"
#include "carom/tree/volume_split.h"
#include "tests/support/property.h"
#include "tests/tree/volume_cases.h"

#include <bit>

namespace carom::test {
namespace {

std::vector<Aabb> boxes_of(const TriangleMesh& mesh) { return UsableTriangles(mesh.view()).boxes; }

std::vector<Aabb> random_boxes(Source& source, int count) {
  std::vector<Aabb> boxes;
  for (int i = 0; i < count; ++i) {
    const Vec3 a = vec3(source);
    const Vec3 b = a + halved_vec3(source, 6);
    boxes.push_back({min(a, b), max(a, b)});
  }
  return boxes;
}

/// Every item in one leaf, leaves not too full, children divide their parent's items between them and come after it.
void expect_valid(const VolumeTopology& t, std::size_t items, std::uint32_t leaf_size) {
  std::vector<int> seen(items, 0);
  ASSERT_EQ(t.order.size(), items);
  for (const std::uint32_t i : t.order) ++seen.at(i);
  for (const int n : seen) EXPECT_EQ(n, 1);
  if (items == 0) {
    EXPECT_TRUE(t.nodes.empty());
    return;
  }
  EXPECT_EQ(t.nodes[0].first, 0u);
  EXPECT_EQ(t.nodes[0].count, items);
  std::vector<int> parents(t.nodes.size(), 0);
  for (std::size_t i = 0; i < t.nodes.size(); ++i) {
    const VolumeTopology::Node& n = t.nodes[i];
    EXPECT_GT(n.count, 0u);
    if (n.leaf()) {
      EXPECT_LE(n.count, leaf_size);
      continue;
    }
    EXPECT_GT(n.count, leaf_size);
    ASSERT_GT(n.child, i);
    ASSERT_LT(n.child + 1, t.nodes.size());
    ++parents[n.child];
    ++parents[n.child + 1];
    const VolumeTopology::Node& left = t.nodes[n.child];
    const VolumeTopology::Node& right = t.nodes[n.child + 1];
    EXPECT_EQ(left.first, n.first);
    EXPECT_EQ(left.first + left.count, right.first);
    EXPECT_EQ(left.count + right.count, n.count);
  }
  for (std::size_t i = 1; i < parents.size(); ++i) EXPECT_EQ(parents[i], 1);
  const double limit = 3 * std::log2(static_cast<double>(items)) + 18;
  EXPECT_LE(static_cast<double>(depth(t)), limit);
}

TEST(VolumeTopology, IsATreeOfAllItemsForEveryBuilder) {
  std::vector<TriangleMesh> meshes = plain_meshes();
  for (TriangleMesh& m : hard_meshes()) meshes.push_back(std::move(m));
  for (const TriangleMesh& mesh : meshes) {
    const std::vector<Aabb> boxes = boxes_of(mesh);
    for (NamedBuild build : all_builds()) {
      for (const std::uint32_t leaf_size : {0u, 1u, 4u}) {
        build.how.leaf_size = leaf_size;
        SCOPED_TRACE(mesh.name + ", " + build.name);
        expect_valid(build_topology(boxes, build.how), boxes.size(), std::max(leaf_size, 1u));
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(VolumeTopology, IsTheSameEachTime) {
  const std::vector<Aabb> boxes = boxes_of(random_soup(3, 80));
  for (const NamedBuild& build : all_builds()) {
    const VolumeTopology a = build_topology(boxes, build.how);
    const VolumeTopology b = build_topology(boxes, build.how);
    EXPECT_EQ(a.order, b.order) << build.name;
    ASSERT_EQ(a.nodes.size(), b.nodes.size());
  }
}

// Items whose distances double at each step: a builder that cuts off one at a time would go thousands deep.
TEST(VolumeTopology, IsNotDeepOnManyItemsInARow) {
  std::vector<Aabb> boxes;
  for (int i = 0; i < 3000; ++i) {
    const double x = std::ldexp(1.0 + i % 10 * 0.1, i / 10 % 90 - 45);
    boxes.push_back({{x, 0, 0}, {x * 1.001, 0, x * 0.001}});
  }
  for (const NamedBuild& build : few_builds()) {
    SCOPED_TRACE(build.name);
    expect_valid(build_topology(boxes, build.how), boxes.size(), std::max(build.how.leaf_size, 1u));
  }
  expect_valid(build_topology(boxes, {.point = SplitPoint::largest_gap}), boxes.size(), 1);
  expect_valid(build_topology(boxes, {.point = SplitPoint::spatial_median}), boxes.size(), 1);
}

TEST(VolumeTopology, ManyEqualItemsAreQuickAndShallow) {
  const std::vector<Aabb> boxes(fewer_when_sanitized(10000), Aabb{{1, 1, 1}, {2, 2, 2}});
  for (const NamedBuild& build : few_builds()) {
    SCOPED_TRACE(build.name);
    expect_valid(build_topology(boxes, build.how), boxes.size(), std::max(build.how.leaf_size, 1u));
  }
}

TEST(VolumeTopology, ObjectMediansAreBalanced) {
  const std::vector<Aabb> boxes = boxes_of(random_soup(9, 777));
  for (const SplitAxis axis : all_axes) {
    const VolumeTopology t =
        build_topology(boxes, {.axis = axis, .point = SplitPoint::object_median});
    EXPECT_EQ(depth(t), 10u);
  }
}

/// Splits boxes of points on the x axis, and returns those in front.
std::vector<double> split_points(const std::vector<double>& xs, VolumeTreeBuild how) {
  std::vector<Aabb> boxes;
  std::vector<std::uint32_t> order;
  for (const double x : xs) {
    order.push_back(static_cast<std::uint32_t>(boxes.size()));
    boxes.push_back({{x, 0, 0}, {x, 0.5, 0}});
  }
  VolumeSplitter splitter(boxes, how);
  const std::size_t front = splitter.split(order);
  std::vector<double> result;
  for (std::size_t i = 0; i < front; ++i) result.push_back(xs[order[i]]);
  return result;
}

TEST(VolumeSplit, EachPointRuleCutsWhereItSays) {
  const std::vector<double> xs = {0, 1, 2, 3, 4, 20, 21, 100};
  using Front = std::vector<double>;
  EXPECT_EQ(split_points(xs, {.point = SplitPoint::object_median}), (Front{0, 1, 2, 3}));
  // The mean is 18.875, the middle 50, the widest gap from 21 to 100.
  EXPECT_EQ(split_points(xs, {.point = SplitPoint::object_mean}), (Front{0, 1, 2, 3, 4}));
  EXPECT_EQ(split_points(xs, {.point = SplitPoint::spatial_median}),
            (Front{0, 1, 2, 3, 4, 20, 21}));
  EXPECT_EQ(split_points(xs, {.point = SplitPoint::largest_gap}), (Front{0, 1, 2, 3, 4, 20, 21}));
  // Flat boxes: areas are in proportion to lengths. 7 * 21 + 0 is below 5 * 4 + 3 * 80.
  EXPECT_EQ(split_points(xs, {.goal = SplitGoal::weighted_area}), (Front{0, 1, 2, 3, 4, 20, 21}));
  EXPECT_EQ(split_points({0, 1, 2, 3, 4, 5, 90, 100}, {.point = SplitPoint::growth}),
            (Front{0, 1, 2, 3, 4, 5}));
}

TEST(VolumeSplit, GoalsDiffer) {
  // One item far out in front of two crowds: cutting it off leaves the least sum; the least greater part lies between the crowds.
  const std::vector<double> xs = {0, 40, 41, 42, 43, 60, 61, 62};
  using Front = std::vector<double>;
  EXPECT_EQ(split_points(xs, {.goal = SplitGoal::sum_of_areas, .samples = 64}), (Front{0}));
  EXPECT_EQ(split_points(xs, {.goal = SplitGoal::separation, .samples = 64}), (Front{0}));
  EXPECT_EQ(split_points({0, 40, 41, 52, 53, 60, 61, 90},
                         {.goal = SplitGoal::greatest_area, .samples = 64}),
            (Front{0, 40, 41}));
  // Nothing is in common wherever it is cut: the most even.
  EXPECT_EQ(split_points(xs, {.goal = SplitGoal::common_area, .samples = 64}),
            (Front{0, 40, 41, 42}));
}

TEST(VolumeSplit, FreeAxesFollowTheItems) {
  // Along the diagonal of x and y, in two rows a little apart: a cut across the diagonal has the median between 3 and 4.
  std::vector<Aabb> boxes;
  for (int i = 0; i < 8; ++i) {
    const Vec3 p{1.0 * i, 1.0 * i + (i % 2) * 0.1, 0};
    boxes.push_back({p, p});
  }
  for (const SplitAxis axis : {SplitAxis::principal, SplitAxis::farthest_points}) {
    std::vector<std::uint32_t> order = {7, 3, 5, 1, 6, 0, 2, 4};
    VolumeSplitter splitter(boxes, {.axis = axis, .point = SplitPoint::object_median});
    ASSERT_EQ(splitter.split(order), 4u);
    EXPECT_EQ(order, (std::vector<std::uint32_t>{3, 1, 0, 2, 7, 5, 6, 4}));
  }
  // A wide range in x of few, a large variance in y of all.
  boxes.clear();
  for (int i = 0; i < 20; ++i) {
    const Vec3 p{i == 0 ? 12.0 : 0.0, i % 2 ? 10.0 : 0.0, 0};
    boxes.push_back({p, p});
  }
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < 20; ++i) order.push_back(i);
  VolumeSplitter splitter(boxes,
                          {.axis = SplitAxis::largest_variance, .point = SplitPoint::object_mean});
  ASSERT_EQ(splitter.split(order), 10u);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(order[i] % 2, 0u);
}

/// The sum of the areas of all joins: what bottom-up and inserting builders keep small.
double total_area(const JoinedTree& tree, std::span<const Aabb> items) {
  std::vector<Aabb> boxes(items.begin(), items.end());
  boxes.resize(items.size() + tree.joins.size());
  std::vector<std::uint32_t> walk = {tree.root};
  for (std::size_t i = 0; i < walk.size(); ++i) {
    if (tree.is_item(walk[i])) continue;
    walk.push_back(tree.join(walk[i]).left);
    walk.push_back(tree.join(walk[i]).right);
  }
  double sum = 0;
  for (std::size_t i = walk.size(); i-- > 0;) {
    if (tree.is_item(walk[i])) continue;
    const auto [left, right] = tree.join(walk[i]);
    boxes[walk[i]] = merge(boxes[left], boxes[right]);
    sum += area(boxes[walk[i]]);
  }
  return sum;
}

// The definition, step by step: always the pair with the smallest common box. (Without ties, which may be broken either way: sizes
// are drawn so that areas differ.)
TEST(VolumeJoin, NearestPairsAreThoseOfTheDefinition) {
  for_each_seed(fewer_when_sanitized(100), [](Source& source) {
    std::vector<Aabb> items;
    const int count = 2 + source.index(30);
    for (int i = 0; i < count; ++i) {
      const double x = source.uniform(-1, 1);
      const double y = source.uniform(-1, 1);
      const double z = source.uniform(-1, 1);
      const double s = source.uniform(0, 0.3);
      items.push_back({{x, y, z}, {x + s, y + 0.5 * s, z + 0.7 * s}});
    }
    const JoinedTree tree = join_nearest_pairs(items);
    std::vector<Aabb> boxes = items;
    std::vector<std::uint32_t> open;
    for (std::uint32_t i = 0; i < boxes.size(); ++i) open.push_back(i);
    for (const JoinedTree::Join& join : tree.joins) {
      double best = INFINITY;
      std::pair<std::uint32_t, std::uint32_t> pair;
      for (const std::uint32_t i : open) {
        for (const std::uint32_t j : open) {
          const double cost = area(merge(boxes[i], boxes[j]));
          if (i < j && cost < best) {
            best = cost;
            pair = {i, j};
          }
        }
      }
      EXPECT_EQ(join.left, pair.first);
      EXPECT_EQ(join.right, pair.second);
      std::erase(open, pair.first);
      std::erase(open, pair.second);
      open.push_back(static_cast<std::uint32_t>(boxes.size()));
      boxes.push_back(merge(boxes[pair.first], boxes[pair.second]));
      if (::testing::Test::HasFailure()) return;
    }
    EXPECT_EQ(open.size(), 1u);
  });
}

// One item after the other, beside any node that is there: the best of all places, by computing the whole tree's areas anew.
TEST(VolumeJoin, InsertionFindsTheBestPlace) {
  for_each_seed(fewer_when_sanitized(40), [](Source& source) {
    const int count = 3 + source.index(12);
    const std::vector<Aabb> items = random_boxes(source, count);
    const std::uint64_t seed = source.below(1000);
    const JoinedTree tree = insert_all(items, false, seed);
    // The last item in is a child of the last join. Taken out, its sibling is in its parent's place; every other place must be no better.
    const auto last = static_cast<std::uint32_t>(tree.items + tree.joins.size() - 1);
    const auto [sibling, item] = tree.joins.back();
    JoinedTree without = tree;
    without.joins.pop_back();
    if (without.root == last) without.root = sibling;
    for (JoinedTree::Join& j : without.joins) {
      if (j.left == last) j.left = sibling;
      if (j.right == last) j.right = sibling;
    }
    const double found = total_area(tree, items);
    std::vector<std::uint32_t> nodes = {without.root};
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (without.is_item(nodes[i])) continue;
      nodes.push_back(without.join(nodes[i]).left);
      nodes.push_back(without.join(nodes[i]).right);
    }
    for (const std::uint32_t place : nodes) {
      JoinedTree other = without;
      for (JoinedTree::Join& j : other.joins) {
        if (j.left == place) j.left = last;
        if (j.right == place) j.right = last;
      }
      if (other.root == place) other.root = last;
      other.joins.push_back({place, item});
      // Sums of some dozens of areas, each rounded.
      EXPECT_LE(found, total_area(other, items) * (1 + 1e-13));
    }
  });
}

TEST(VolumeJoin, EveryWayJoinsAllOnce) {
  for_each_seed(fewer_when_sanitized(200), [](Source& source) {
    const int count = 1 + source.index(60);
    const std::vector<Aabb> items = random_boxes(source, count);
    const std::size_t window = 1 + source.below(5);
    for (const JoinedTree& tree : {join_nearest_pairs(items), join_clusters(items, window),
                                   insert_all(items, false, 1), insert_all(items, true, 2)}) {
      EXPECT_EQ(tree.joins.size() + 1, items.size());
      std::vector<int> children(2 * items.size() - 1, 0);
      for (const JoinedTree::Join& j : tree.joins) {
        ++children.at(j.left);
        ++children.at(j.right);
      }
      EXPECT_EQ(children.at(tree.root), 0);
      EXPECT_EQ(std::count(children.begin(), children.end(), 1), std::ssize(children) - 1);
    }
  });
}

// The figure that the methods compete in. On a smooth mesh bottom up should not lose to the simplest way down.
TEST(VolumeJoin, CostsComeInTheExpectedOrder) {
  const std::vector<Aabb> items = boxes_of(triangle_mesh("sphere", sphere_mesh(4, 0.2)));
  const double pairs = total_area(join_nearest_pairs(items), items);
  const double clusters = total_area(join_clusters(items, 12), items);
  const double inserted = total_area(insert_all(items, false, 1), items);
  const double path = total_area(insert_all(items, true, 1), items);
  EXPECT_LT(pairs, 1.1 * clusters);
  EXPECT_LT(clusters, 1.2 * pairs);
  EXPECT_LT(inserted, path);
}

} // namespace
} // namespace carom::test
