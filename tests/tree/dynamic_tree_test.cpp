#include "carom/tree/dynamic_tree.h"

#include "tests/support/property.h"
#include "tests/tree/dynamic_tree_model.h"

namespace carom {
namespace {

using namespace carom::test;

DynamicTreeOptions draw_options(Source& source, const BoxWorld& world) {
  DynamicTreeOptions options;
  static constexpr double relative[] = {0.1, 0, 0.5};
  static constexpr double predictions[] = {2, 0, 8};
  options.relative_margin = relative[source.index(3)];
  options.prediction = predictions[source.index(3)];
  if (source.chance(3)) options.margin = 0.25 * world.size;
  if (source.chance(2)) options.origin = world.center;
  return options;
}

/// A tree and its list, taken through the same changes.
struct Twin {
  DynamicTree tree;
  BoxList list;
  std::vector<BoxId> removed;

  explicit Twin(const DynamicTreeOptions& options) : tree(options) {}

  void insert(const Aabb& box) {
    const std::uint64_t user = list.items.size() * 3 + 1;
    list.items.push_back({tree.insert(box, user).value(), box, user});
  }
  void remove(std::size_t i) {
    EXPECT_TRUE(tree.remove(list.items[i].id));
    removed.push_back(list.items[i].id);
    list.items.erase(list.items.begin() + static_cast<std::ptrdiff_t>(i));
  }
  void move(std::size_t i, const Aabb& box) {
    list.items[i].box = box;
    const bool moved_before = tree.has_moved(list.items[i].id);
    const Aabb fat = tree.fat_box(list.items[i].id);
    const bool changed = tree.move(list.items[i].id, box).value();
    const Aabb now = tree.fat_box(list.items[i].id);
    EXPECT_EQ(changed || moved_before, tree.has_moved(list.items[i].id));
    EXPECT_TRUE(changed || (fat.min == now.min && fat.max == now.max));
  }
};

Aabb shifted(const Aabb& box, const Vec3& by) { return {box.min + by, box.max + by}; }

void change(Source& source, const BoxWorld& world, Twin& twin) {
  const auto any = [&] { return static_cast<std::size_t>(source.below(twin.list.items.size())); };
  const int kind = source.index(16);
  if (kind < 6 || twin.list.items.empty()) {
    twin.insert(world.box(source));
  } else if (kind < 9) {
    twin.remove(any());
  } else if (kind < 11) {
    const std::size_t i = any();
    twin.move(i, world.box(source));
  } else if (kind < 14) {
    const std::size_t i = any();
    const Vec3 by = halved_vec3(source, 6) * world.size;
    twin.move(i, shifted(twin.list.items[i].box, by));
  } else if (kind == 14) {
    twin.tree.clear_moved();
  } else if (source.chance(3)) {
    twin.tree.rebuild();
  } else {
    twin.tree.improve(static_cast<std::size_t>(source.below(20)));
  }
}

void expect_same_boxes(const Twin& twin) {
  EXPECT_EQ(wrong_in(twin.tree), "");
  EXPECT_EQ(twin.tree.size(), twin.list.items.size());
  for (const BoxList::Item& item : twin.list.items) {
    const Aabb box = twin.tree.box(item.id), fat = twin.tree.fat_box(item.id);
    EXPECT_TRUE(box.min == item.box.min && box.max == item.box.max);
    EXPECT_TRUE(min(fat.min, box.min) == fat.min && max(fat.max, box.max) == fat.max);
    EXPECT_EQ(twin.tree.user(item.id), item.user);
  }
  for (const BoxId id : twin.removed) EXPECT_FALSE(twin.tree.contains(id));
}

void expect_same_answers(Source& source, const BoxWorld& world, const Twin& twin) {
  const DynamicTree& tree = twin.tree;
  const BoxList& list = twin.list;
  for (int i = 0; i < 4; ++i) {
    const Aabb box = world.box(source);
    EXPECT_EQ(slots_in_box(tree, box), list.in_box(box));
    const Ray ray = world.ray(source);
    const double t_max = source.chance(2) ? INFINITY : 4 * source.unit();
    EXPECT_EQ(slots_on_ray(tree, ray, t_max), list.on_ray(ray, t_max));
  }
  if (!list.items.empty()) { // from the corner of one, along its faces
    const auto at = static_cast<std::size_t>(source.below(list.items.size()));
    const Aabb box = list.items[at].box;
    const Ray ray{box.corner(source.index(8)), unit_axis(source.index(3)) * world.size};
    EXPECT_EQ(slots_on_ray(tree, ray, INFINITY), list.on_ray(ray, INFINITY));
    EXPECT_EQ(slots_in_box(tree, box), list.in_box(box));
    // At a corner, from near and far: touched or missed by a rounding, which floats must not decide.
    static constexpr double distances[] = {1, 30, 1e4, 1e7};
    for (const double distance : distances) {
      const Vec3 corner = box.corner(source.index(8));
      const Vec3 d = direction(source) * (distance * world.size);
      const Ray aimed{corner - d, d};
      EXPECT_EQ(slots_on_ray(tree, aimed, INFINITY), list.on_ray(aimed, INFINITY));
      EXPECT_EQ(slots_on_ray(tree, aimed, 1), list.on_ray(aimed, 1));
      // From where floats are exact, so that only the rounding of the arithmetic is left.
      const Ray exact{tree.origin(), corner - tree.origin()};
      EXPECT_EQ(slots_on_ray(tree, exact, 1), list.on_ray(exact, 1));
    }
  }
  EXPECT_EQ(sorted_pairs([&](FoundPair found) { all_pairs(tree, found); }),
            list.pairs(tree, [](BoxId, BoxId) { return true; }));
  EXPECT_EQ(
      sorted_pairs([&](FoundPair found) { moved_pairs(tree, found); }),
      list.pairs(tree, [&](BoxId a, BoxId b) { return tree.has_moved(a) || tree.has_moved(b); }));
}

TEST(DynamicTree, AnyChangesLeaveATreeThatAnswersAsAListDoes) {
  for_each_seed(fewer_when_sanitized(1000), [](Source& source) {
    const BoxWorld world = BoxWorld::draw(source);
    Twin twin(draw_options(source, world));
    const int start = source.index(60);
    for (int i = 0; i < start; ++i) twin.insert(world.box(source));
    for (int step = 0; step < 60; ++step) {
      change(source, world, twin);
      ASSERT_EQ(wrong_in(twin.tree), "");
      if (step % 12 == 11) {
        expect_same_boxes(twin);
        expect_same_answers(source, world, twin);
        if (HasFailure()) return;
      }
    }
  });
}

TEST(DynamicTree, GrowsAndShrinksToNothing) {
  for_each_seed(fewer_when_sanitized(20), [](Source& source) {
    const BoxWorld world = BoxWorld::draw(source);
    Twin twin({});
    for (int i = 0; i < 400; ++i) twin.insert(world.box(source));
    expect_same_boxes(twin);
    while (!twin.list.items.empty()) {
      twin.remove(static_cast<std::size_t>(source.below(twin.list.items.size())));
      ASSERT_EQ(wrong_in(twin.tree), "");
    }
    EXPECT_EQ(twin.tree.height(), 0);
    twin.insert(world.box(source));
    expect_same_boxes(twin);
  });
}

PROPERTY(DynamicTree, PairsBetweenTwoTrees) {
  const BoxWorld world = BoxWorld::draw(source);
  Twin a(draw_options(source, world)), b(draw_options(source, world));
  const int in_a = source.index(80), in_b = source.index(80);
  for (int i = 0; i < in_a; ++i) a.insert(world.box(source));
  for (int i = 0; i < in_b; ++i) b.insert(world.box(source));
  if (source.chance(2)) a.tree.rebuild();
  std::vector<SlotPair> found, want;
  pairs_between(a.tree, b.tree, [&](BoxId x, BoxId y) {
    found.emplace_back(x.slot, y.slot);
    return true;
  });
  for (const auto& x : a.list.items)
    for (const auto& y : b.list.items)
      if (overlaps(a.tree.fat_box(x.id), b.tree.fat_box(y.id)))
        want.emplace_back(x.id.slot, y.id.slot);
  std::sort(found.begin(), found.end());
  std::sort(want.begin(), want.end());
  REQUIRE(found == want);
}

TEST(DynamicTree, EmptyAndOne) {
  DynamicTree tree;
  const Aabb unit{{0, 0, 0}, {1, 1, 1}};
  EXPECT_TRUE(tree.empty());
  EXPECT_TRUE(tree.bounds().empty());
  EXPECT_EQ(slots_in_box(tree, unit).size(), 0U);
  EXPECT_EQ(slots_on_ray(tree, {{0, 0, 0}, {1, 0, 0}}, INFINITY).size(), 0U);
  tree.rebuild();
  tree.improve(5);
  tree.clear_moved();
  const BoxId id = tree.insert(unit, 42).value();
  EXPECT_EQ(tree.height(), 1);
  EXPECT_EQ(tree.user(id), 42U);
  EXPECT_EQ(slots_in_box(tree, {{1, 1, 1}, {2, 2, 2}}).size(), 1U); // they touch
  EXPECT_EQ(slots_in_box(tree, {{1.05, 1, 1}, {2, 2, 2}}).size(), 0U) << "tight, not fat";
  EXPECT_EQ(slots_in_box(tree, {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, 0, 0}}).size(), 1U);
  const Vec3 beyond{INFINITY, INFINITY, INFINITY};
  EXPECT_EQ(slots_in_box(tree, {-beyond, beyond}).size(), 1U) << "lanes not in use do not count";
  EXPECT_EQ(slots_in_box(tree, {}).size(), 0U);
  const double nan = NAN;
  EXPECT_EQ(slots_in_box(tree, {{nan, 0, 0}, {1, 1, 1}}).size(), 0U);
  EXPECT_EQ(slots_on_ray(tree, {{nan, 0, 0}, {1, 1, 1}}, INFINITY).size(), 0U);
  EXPECT_EQ(slots_on_ray(tree, {{0.5, 0.5, 0.5}, {0, 0, 0}}, INFINITY).size(), 1U);
  EXPECT_EQ(slots_on_ray(tree, {{1.5, 0.5, 0.5}, {0, 0, 0}}, INFINITY).size(), 0U);
  EXPECT_EQ(slots_on_ray(tree, {{-1, 0.5, 0.5}, {1, 0, 0}}, 1).size(), 1U);
  EXPECT_EQ(slots_on_ray(tree, {{-1, 0.5, 0.5}, {1, 0, 0}}, 0.99).size(), 0U);
  EXPECT_EQ(sorted_pairs([&](FoundPair found) { all_pairs(tree, found); }).size(), 0U);
  EXPECT_EQ(sorted_pairs([&](FoundPair found) { moved_pairs(tree, found); }).size(), 0U);
  tree.rebuild();
  EXPECT_EQ(wrong_in(tree), "");
}

TEST(DynamicTree, StaleIdsAndBadBoxesAreRefused) {
  DynamicTree tree;
  const Aabb unit{{0, 0, 0}, {1, 1, 1}};
  const BoxId first = tree.insert(unit, 1).value();
  ASSERT_TRUE(tree.remove(first));
  const BoxId second = tree.insert(unit, 2).value();
  EXPECT_EQ(first.slot, second.slot);
  EXPECT_FALSE(tree.contains(first));
  EXPECT_EQ(tree.remove(first).error(), BoxError::stale_id);
  EXPECT_EQ(tree.move(first, unit).error(), BoxError::stale_id);
  EXPECT_EQ(tree.move(first, unit, {}).error(), BoxError::stale_id);
  EXPECT_EQ(tree.touch(first).error(), BoxError::stale_id);
  EXPECT_EQ(tree.touch(BoxId{}).error(), BoxError::stale_id);
  EXPECT_TRUE(tree.box(first).empty() && tree.fat_box(first).empty());
  EXPECT_EQ(tree.user(first), 0U);
  const double bad[] = {NAN, INFINITY, -INFINITY, 1.01e30};
  for (const double x : bad) {
    EXPECT_EQ(tree.insert({{x, 0, 0}, {x, 1, 1}}).error(), BoxError::bad_box);
    EXPECT_EQ(tree.move(second, {{0, x, 0}, {1, x, 1}}).error(), BoxError::bad_box);
  }
  EXPECT_EQ(tree.insert({{0, 0, 1}, {1, 1, 0}}).error(), BoxError::bad_box);
  EXPECT_EQ(tree.insert({}).error(), BoxError::bad_box);
  EXPECT_TRUE(tree.box(second).max == unit.max);
  EXPECT_EQ(tree.size(), 1U);
  tree.clear();
  EXPECT_FALSE(tree.contains(second));
  EXPECT_TRUE(tree.empty());
  EXPECT_FALSE(tree.contains(first));
  EXPECT_NE(tree.insert(unit).value(), second);
}

TEST(DynamicTree, SmallMovesCostNothingAndLooseBoxesAreTightened) {
  DynamicTreeOptions options;
  options.margin = 0.5;
  options.relative_margin = 0;
  DynamicTree tree(options);
  const Aabb unit{{0, 0, 0}, {1, 1, 1}};
  const BoxId id = tree.insert(unit).value();
  EXPECT_TRUE(tree.has_moved(id));
  tree.clear_moved();
  EXPECT_FALSE(tree.has_moved(id));
  EXPECT_FALSE(tree.move(id, shifted(unit, {0.5, 0, -0.5})).value()); // to the very border
  EXPECT_FALSE(tree.has_moved(id));
  EXPECT_TRUE(tree.move(id, shifted(unit, {0.75, 0, 0})).value());
  // 2 * 0.25 ahead in x, and 2 * 0.5 in z: no farther than an edge and the margin.
  EXPECT_EQ(tree.fat_box(id).max.x, 2.75);
  EXPECT_EQ(tree.fat_box(id).min.x, 0.25);
  EXPECT_EQ(tree.fat_box(id).max.z, 2.5);
  EXPECT_TRUE(tree.move(id, shifted(unit, {1000, 0, 0})).value());
  EXPECT_EQ(tree.fat_box(id).max.x, 1003);
  EXPECT_TRUE(tree.move(id, unit, {NAN, INFINITY, -INFINITY}).value());
  EXPECT_EQ(wrong_in(tree), "");
  EXPECT_EQ(tree.fat_box(id).max.x, 1.5);
  EXPECT_EQ(tree.fat_box(id).max.y, 3);
  EXPECT_EQ(tree.fat_box(id).min.z, -2);
  // Much smaller than before: the fat box follows.
  DynamicTree bare({.margin = 0, .relative_margin = 0.1});
  const BoxId other = bare.insert(unit).value();
  EXPECT_FALSE(bare.move(other, {Vec3{0.5, 0.5, 0.5}, Vec3{0.875, 0.875, 0.875}}, {}).value());
  EXPECT_TRUE(bare.move(other, {Vec3{0.5, 0.5, 0.5}, Vec3{0.625, 0.625, 0.625}}, {}).value());
  EXPECT_LT(bare.fat_box(other).max.x, 0.64);
  EXPECT_EQ(tree.touch(id).has_value(), true);
  EXPECT_TRUE(tree.has_moved(id));
}

/// 100,000 of them, however they come, make a tree of little depth that is right.
void expect_good(const DynamicTree& tree, std::size_t count, std::size_t most_at_once) {
  EXPECT_EQ(wrong_in(tree), "");
  EXPECT_EQ(tree.size(), count);
  EXPECT_LE(tree.height(), 10); // 4 children a node would do
  EXPECT_LE(tree.bytes(), 2 * 260 * most_at_once);
}

constexpr std::size_t many = fewer_when_sanitized(100'000);

TEST(DynamicTree, ManyIdenticalBoxes) {
  DynamicTree tree;
  const Aabb unit{{0, 0, 0}, {1, 1, 1}};
  std::vector<BoxId> ids;
  for (std::size_t i = 0; i < many; ++i) ids.push_back(tree.insert(unit).value());
  expect_good(tree, many, many);
  EXPECT_EQ(slots_in_box(tree, {{1, 1, 1}, {2, 2, 2}}).size(), many);
  std::size_t seen = 0;
  all_pairs(tree, [&](BoxId, BoxId) { return ++seen < 1000; });
  EXPECT_EQ(seen, 1000U);
  tree.rebuild();
  expect_good(tree, many, many);
  for (std::size_t i = 0; i + 10 < many; ++i) ASSERT_TRUE(tree.remove(ids[i]));
  expect_good(tree, 10, many);
}

TEST(DynamicTree, SortedInsertion) {
  DynamicTree tree;
  for (std::size_t i = 0; i < many; ++i) {
    const auto x = static_cast<double>(i);
    ASSERT_TRUE(tree.insert({{x, 0, 0}, {x + 0.5, 1, 1}}));
  }
  expect_good(tree, many, many);
  EXPECT_EQ(slots_in_box(tree, {{10, 0, 0}, {12, 1, 1}}), (std::vector<std::uint32_t>{10, 11, 12}));
  // A line of boxes is a good tree in whatever order: a query sees few of its nodes. Neighbours overlap by their margins of 0.1 at both ends: not at all.
  EXPECT_EQ(sorted_pairs([&](FoundPair found) { all_pairs(tree, found); }).size(), 0U);
  EXPECT_LT(tree.expected_cost(), 200);
}

TEST(DynamicTree, GeometricCrowding) {
  DynamicTree tree;
  std::size_t count = 0;
  for (int round = 0; round < 100; ++round)
    for (int i = -90; i < 90; ++i, ++count) {
      const double x = std::ldexp(1.0, i);
      ASSERT_TRUE(tree.insert({{x, x, x}, {2 * x, 2 * x, 2 * x}}));
    }
  expect_good(tree, count, count);
  EXPECT_EQ(slots_in_box(tree, {{1, 1, 1}, {1, 1, 1}}).size(), 200U);
}

TEST(DynamicTree, HugeTinyAndFar) {
  DynamicTree tree;
  const double huge = 1e30, tiny = 1e-30;
  const BoxId all = tree.insert({{-huge, -huge, -huge}, {huge, huge, huge}}).value();
  const BoxId point = tree.insert({{tiny, tiny, tiny}, {tiny, tiny, tiny}}).value();
  const BoxId far = tree.insert({{huge, huge, huge}, {huge, huge, huge}}).value();
  EXPECT_EQ(slots_in_box(tree, {{0, 0, 0}, {tiny, tiny, tiny}}),
            (std::vector<std::uint32_t>{all.slot, point.slot}));
  EXPECT_EQ(slots_in_box(tree, {{huge, huge, huge}, {huge, huge, huge}}),
            (std::vector<std::uint32_t>{all.slot, far.slot}));
  tree.rebuild();
  EXPECT_EQ(wrong_in(tree), "");
  EXPECT_EQ(slots_in_box(tree, {{0, 0, 0}, {tiny, tiny, tiny}}),
            (std::vector<std::uint32_t>{all.slot, point.slot}));
  EXPECT_EQ(slots_on_ray(tree, {{0, 0, 0}, {huge, huge, huge}}, 1).size(), 3U);
}

TEST(DynamicTree, RayLimitLeavesOutWhatIsFarther) {
  DynamicTree tree;
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(tree.insert({{i + 0.25, 0, 0}, {i + 0.75, 1, 1}}));
  int seen = 0;
  BoxId best;
  double t_best = INFINITY;
  find_boxes(tree, Ray{{400, 0.5, 0.5}, {1, 0, 0}}, INFINITY, [&](BoxId id, double t) {
    ++seen;
    if (t < t_best) {
      best = id;
      t_best = t;
    }
    return t_best;
  });
  EXPECT_EQ(best.slot, 400U);
  EXPECT_EQ(t_best, 0.25);
  EXPECT_LE(seen, 8);
  seen = 0;
  find_boxes(tree, Ray{{-1, 0.5, 0.5}, {1, 0, 0}}, INFINITY, [&](BoxId, double) {
    ++seen;
    return -1.0;
  });
  EXPECT_EQ(seen, 1);
}

TEST(DynamicTree, QueriesEndWhenTold) {
  DynamicTree tree, other;
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(tree.insert({{0, 0, 0}, {1, 1, 1}}));
    ASSERT_TRUE(other.insert({{0, 0, 0}, {1, 1, 1}}));
  }
  int seen = 0;
  const auto once = [&](BoxId, BoxId) { return ++seen < 3; };
  find_boxes(tree, {{0, 0, 0}, {1, 1, 1}}, [&](BoxId) { return ++seen < 3; });
  EXPECT_EQ(std::exchange(seen, 0), 3);
  all_pairs(tree, once);
  EXPECT_EQ(std::exchange(seen, 0), 3);
  moved_pairs(tree, once); // all have moved
  EXPECT_EQ(std::exchange(seen, 0), 3);
  tree.clear_moved();
  ASSERT_TRUE(tree.touch(tree.id_of(5)));
  moved_pairs(tree, once);
  EXPECT_EQ(std::exchange(seen, 0), 3);
  pairs_between(tree, other, once);
  EXPECT_EQ(std::exchange(seen, 0), 3);
}

/// All pairs in the order they come, after the same changes.
std::vector<SlotPair> trace(std::uint64_t seed) {
  RandomSource source(seed);
  const BoxWorld world;
  Twin twin({});
  std::vector<SlotPair> found;
  for (int step = 0; step < 400; ++step) {
    change(source, world, twin);
    if (step % 8 == 0)
      moved_pairs(twin.tree, [&](BoxId a, BoxId b) {
        found.emplace_back(a.slot, b.slot);
        return true;
      });
  }
  return found;
}

TEST(DynamicTree, TheSameCallsGiveTheSameTree) {
  std::uint64_t hash = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const std::vector<SlotPair> found = trace(seed);
    EXPECT_EQ(found, trace(seed));
    for (const auto& [a, b] : found) hash = mix_bits(hash, std::uint64_t{a} << 32 | b);
  }
  EXPECT_EQ(hash, 15969261008088128815U) << "on every machine";
}

TEST(DynamicTree, ImprovingAndRebuildingMakeItBetter) {
  Random random(3);
  DynamicTree tree({.margin = 0, .relative_margin = 0});
  std::vector<BoxId> ids;
  const auto somewhere = [&] {
    const Vec3 at = random.in_box({50, 50, 50});
    return Aabb{at, at + Vec3{1, 1, 1}};
  };
  for (int i = 0; i < 5000; ++i) ids.push_back(tree.insert(somewhere()).value());
  const double before = tree.expected_cost();
  for (int round = 0; round < 4; ++round) tree.improve(tree.size());
  EXPECT_EQ(wrong_in(tree), "");
  const double improved = tree.expected_cost();
  EXPECT_LT(improved, before);
  tree.rebuild();
  EXPECT_EQ(wrong_in(tree), "");
  EXPECT_LT(tree.expected_cost(), improved);
}

} // namespace
} // namespace carom
