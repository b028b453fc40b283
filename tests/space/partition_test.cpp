// A partition may give too much, never too little: each against plain loops over exact boxes.
#include "carom/space/partition.h"

#include "carom/geometry/overlap_box.h"
#include "carom/space/box_bounds.h"
#include "tests/support/generate_shape.h"
#include "tests/support/property.h"

#include <map>
#include <set>

namespace carom {
namespace {

using test::Source;

struct Known {
  Mobility mobility;
  Aabb box;
};

/// Points, plates, boxes that touch and coincide, tiny and huge, near and far.
Aabb any_box(Source& source) {
  static constexpr double scales[] = {1, 1, 1, 1e-6, 1e5, 1e-20, 1e20, 1e29};
  static constexpr double places[] = {1, 1, 4, 4, 1e6, 1e15, 0, 1e29};
  const Vec3 at = test::vec3(source);
  const Vec3 edges = abs(test::vec3(source));
  const Vec3 low = at * places[source.index(8)];
  const Vec3 size = edges * (source.chance(6) ? 0.0 : scales[source.index(8)]);
  return {low, low + size};
}

/// Squared, exactly enough.
long double gap_squared(const Aabb& a, const Aabb& b) {
  long double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const long double gap = std::max({static_cast<long double>(b.min[i]) - a.max[i],
                                      static_cast<long double>(a.min[i]) - b.max[i], 0.0L});
    sum += gap * gap;
  }
  return sum;
}

/// Whether the moving box clearly meets the other: at one of many times, as doubles have it.
bool clearly_meets(const Aabb& a, const Vec3& v, const Aabb& b) {
  long double from = 0, to = 1;
  for (int i = 0; i < 3; ++i) {
    const long double low = static_cast<long double>(b.min[i]) - a.max[i];
    const long double high = static_cast<long double>(b.max[i]) - a.min[i];
    if (v[i] == 0) {
      if (low > 0 || high < 0) return false;
      continue;
    }
    const long double t1 = low / v[i], t2 = high / v[i];
    from = std::max(from, std::min(t1, t2));
    to = std::min(to, std::max(t1, t2));
  }
  return from <= to;
}

class Partitions : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Kinds, Partitions, testing::Bool(), [](const auto& kind) {
  return kind.param ? std::string("trees") : std::string("brute_force");
});

TEST_P(Partitions, LeaveNothingOut) {
  test::for_each_seed(test::fewer_when_sanitized(1000), [](Source& source) {
    std::unique_ptr<Partition> partition =
        GetParam() ? make_tree_partition() : make_brute_force_partition();
    std::map<std::uint32_t, Known> known;
    const int steps = 10 + source.index(150);
    for (int i = 0; i < steps; ++i) {
      const auto key = static_cast<std::uint32_t>(source.below(80));
      const Aabb box = any_box(source);
      const auto at = known.find(key);
      if (at == known.end()) {
        const Mobility mobility = source.index(2) ? Mobility::fixed : Mobility::moving;
        partition->insert(key, mobility, box);
        known[key] = {mobility, box};
      } else if (source.chance(4)) {
        partition->remove(key);
        known.erase(at);
      } else {
        partition->move(key, box);
        at->second.box = box;
      }
      if (source.chance(20)) partition->improve(source.below(10));
      if (source.chance(20)) partition->rebuild();
      if (source.chance(20)) partition = partition->clone();
    }
    const Aabb asked = any_box(source);
    const Layers layers{source.index(4) != 3, source.index(4) != 3};
    const Vec3 there = test::vec3(source);
    static constexpr double lengths[] = {1, 4, 0, 1e6, 1e-6, 1e20};
    const Vec3 v = there * lengths[source.index(6)];
    static constexpr double limits[] = {1, 4, 0, 1e6, 1e-6, 1e20, 1e29, 1e30};
    const double part = std::abs(test::real(source));
    const double near_limit = part * limits[source.index(8)];
    const double limit = source.chance(8) ? INFINITY : near_limit;
    std::set<std::uint32_t> boxes, swept, near;
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    partition->visit(asked, layers, [&](std::uint32_t key) { return boxes.insert(key).second; });
    partition->visit_swept(asked, v, 1, layers, [&](std::uint32_t key) {
      EXPECT_TRUE(swept.insert(key).second);
      return 1.0;
    });
    partition->visit_near(asked, limit, layers, [&](std::uint32_t key) {
      EXPECT_TRUE(near.insert(key).second);
      return limit;
    });
    partition->visit_pairs([&](std::uint32_t a, std::uint32_t b) {
      EXPECT_TRUE(pairs.insert(std::minmax(a, b)).second);
      return true;
    });
    for (const auto& [key, k] : known) {
      const bool counts = layers.has(k.mobility);
      for (const auto* found : {&boxes, &swept, &near})
        EXPECT_TRUE(counts || !found->contains(key));
      if (counts) {
        EXPECT_TRUE(boxes.contains(key) || !overlaps(asked, k.box));
        EXPECT_TRUE(swept.contains(key) || !clearly_meets(asked, v, k.box));
        EXPECT_TRUE(near.contains(key) ||
                    gap_squared(asked, k.box) > static_cast<long double>(limit) * limit);
      }
      for (const auto& [other, o] : known) {
        if (other <= key || !overlaps(k.box, o.box)) continue;
        const bool fixed = k.mobility == Mobility::fixed && o.mobility == Mobility::fixed;
        EXPECT_TRUE(fixed != pairs.contains({key, other}));
      }
    }
    for (const auto* found : {&boxes, &swept, &near})
      for (const std::uint32_t key : *found) EXPECT_TRUE(known.contains(key));
    partition->clear();
    partition->visit(asked, {}, [](std::uint32_t) {
      ADD_FAILURE() << "something is left";
      return false;
    });
  });
}

// What `found` gives ends the search, or bounds it.
TEST_P(Partitions, EndWhenTold) {
  const std::unique_ptr<Partition> partition =
      GetParam() ? make_tree_partition() : make_brute_force_partition();
  for (std::uint32_t i = 0; i < 100; ++i) {
    const double x = 3.0 * i;
    partition->insert(i, i % 2 ? Mobility::fixed : Mobility::moving, {{x, 0, 0}, {x + 1, 1, 1}});
  }
  const Aabb all{{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
  const Aabb start{{-2, 0, 0}, {-1, 1, 1}};
  int calls = 0;
  partition->visit(all, {}, [&](std::uint32_t) { return ++calls < 3; });
  EXPECT_EQ(calls, 3);
  calls = 0;
  partition->visit_swept(start, {1, 0, 0}, INFINITY, {}, [&](std::uint32_t) {
    ++calls;
    return -1.0;
  });
  EXPECT_EQ(calls, 1);
  calls = 0;
  partition->visit_near(start, INFINITY, {}, [&](std::uint32_t) {
    ++calls;
    return -1.0;
  });
  EXPECT_EQ(calls, 1);
  // Limits that come down: only what is within them is looked at, and so few.
  calls = 0;
  double t = INFINITY;
  partition->visit_swept(start, {1, 0, 0}, t, {}, [&](std::uint32_t key) {
    ++calls;
    return t = std::min(t, 3.0 * key + 1);
  });
  EXPECT_EQ(t, 1);
  EXPECT_LE(calls, 2);
  calls = 0;
  double distance = INFINITY;
  partition->visit_near(start, distance, {}, [&](std::uint32_t key) {
    ++calls;
    return distance = std::min(distance, 3.0 * key + 1);
  });
  EXPECT_EQ(distance, 1);
  EXPECT_LE(calls, 2);
}

PROPERTY(BoxBounds, GapsAreLowerBounds) {
  const Aabb a = any_box(source);
  const Aabb b = any_box(source);
  const long double true_squared = gap_squared(a, b);
  const auto gap = static_cast<long double>(box_gap(a, b));
  REQUIRE(gap * gap <= true_squared);
  REQUIRE(gap >= std::sqrt(true_squared) * (1 - 2e-15L) - 1e-150L);
  REQUIRE(box_gap(a, b) == box_gap(b, a));
}

PROPERTY(BoxBounds, SweepsMeetWhatIsMet) {
  const Aabb a = any_box(source);
  const Aabb b = any_box(source);
  const Vec3 v = test::vec3_at_any_scale(source);
  const double t = BoxSweep(a, v).meets(b, 1);
  REQUIRE(t < INFINITY || !clearly_meets(a, v, b));
  REQUIRE(t >= 0);
}

} // namespace
} // namespace carom
