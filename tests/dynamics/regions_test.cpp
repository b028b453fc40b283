// Regions part bodies evenly and by planes, whatever their order; lists are brought into their order with all that was in them.
#include "carom/dynamics/records.h"
#include "carom/dynamics/regions.h"
#include "tests/support/property.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>

namespace carom::test {
namespace {

std::vector<RegionPoint> random_points(Source& source) {
  const std::size_t count = source.below(300);
  const int way = static_cast<int>(source.below(5));
  std::vector<RegionPoint> points(count);
  for (RegionPoint& p : points)
    for (float& x : p) {
      const double at = source.uniform(-1, 1);
      if (way == 0) x = static_cast<float>(at);
      if (way == 1) x = static_cast<float>(std::floor(3 * at));  // many in one place
      if (way == 2) x = static_cast<float>(1e12 * at * at * at); // far apart
      if (way == 4)
        x = static_cast<float>(at > 0.9 ? 1e-38 : at > 0.8 ? 1e-44 : 0); // all but one place
      if (way == 3)
        x = static_cast<float>(1e5 + 1e-3 * (at > 0.999 ? 1e6 : at)); // a cluster, and a stray
    }
  return points;
}

/// Whether a plane at right angles to an axis is between the two: touching both is fine.
bool are_parted(const std::vector<RegionPoint>& points, std::span<const std::uint8_t> of,
                std::size_t first, std::size_t count) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    float most = -INFINITY, least = INFINITY;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (of[i] < first || of[i] >= first + count) continue;
      const bool lower = of[i] < first + count / 2;
      (lower ? most : least) =
          lower ? std::max(most, points[i][axis]) : std::min(least, points[i][axis]);
    }
    if (most <= least) return true;
  }
  return false;
}

PROPERTY(Regions, HaveAsManyBodiesEachAndPlanesBetween) {
  const std::vector<RegionPoint> points = random_points(source);
  const std::size_t regions = std::size_t{1} << source.below(6);
  Regions parted;
  parted.find(points, regions);
  REQUIRE(parted.count() == regions);
  REQUIRE(parted.of().size() == points.size());
  std::vector<std::size_t> sizes(regions);
  for (const std::uint8_t r : parted.of()) {
    REQUIRE(r < regions);
    ++sizes[r];
  }
  for (const std::size_t size : sizes) {
    REQUIRE(size >= points.size() / regions);
    REQUIRE(size <= points.size() / regions + 1);
  }
  for (std::size_t count = 2; count <= regions; count *= 2)
    for (std::size_t first = 0; first < regions; first += count)
      REQUIRE(are_parted(points, parted.of(), first, count));
}

PROPERTY(Regions, DoNotDependOnTheOrderOfTheList) {
  std::vector<RegionPoint> points = random_points(source);
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end(),
                           [](const RegionPoint& a, const RegionPoint& b) {
                             return a[0] == b[0] || a[1] == b[1] || a[2] == b[2];
                           }),
               points.end());
  Regions before, after;
  before.find(points, 8);
  std::vector<std::uint32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[source.below(i)]);
  std::vector<RegionPoint> shuffled;
  for (const std::uint32_t i : order) shuffled.push_back(points[i]);
  // Equal coordinates are parted by place in the list: there are to be none along any axis.
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::vector<float> all;
    for (const RegionPoint& p : points) all.push_back(p[axis]);
    std::sort(all.begin(), all.end());
    ASSUME(std::adjacent_find(all.begin(), all.end()) == all.end());
  }
  after.find(shuffled, 8);
  for (std::size_t i = 0; i < order.size(); ++i) REQUIRE(after.of()[i] == before.of()[order[i]]);
}

TEST(Regions, AreAPowerOfTwoAndMoreForMorePairs) {
  EXPECT_EQ(Regions::wanted(0), 1u);
  EXPECT_EQ(Regions::wanted(1000), 1u);
  std::size_t last = 1;
  for (std::size_t pairs = 1; pairs < 1000000; pairs = pairs * 5 / 4 + 1) {
    const std::size_t regions = Regions::wanted(pairs);
    EXPECT_TRUE(std::has_single_bit(regions));
    EXPECT_GE(regions, last);
    last = regions;
  }
  EXPECT_EQ(last, Regions::most);
}

PROPERTY(RegionOrder, BringsAllHome) {
  const std::size_t regions = 1 + source.below(Regions::most);
  std::vector<std::uint8_t> of(source.below(200));
  for (std::uint8_t& r : of) r = static_cast<std::uint8_t>(source.below(regions));
  if (source.below(2) == 0) {
    std::sort(of.begin(), of.end());
    if (!of.empty()) {
      std::uint8_t& one = of[source.below(of.size())];
      std::swap(one, of[source.below(of.size())]);
    }
  }
  RegionOrder order;
  order.count(of, regions);
  REQUIRE(order.begins().size() == regions + 1);
  std::size_t strays = 0;
  for (std::size_t i = 0; i < of.size(); ++i) strays += order.is_home(i, of[i]) ? 0 : 1;
  REQUIRE(order.is_due(of) == (strays > RegionOrder::few(of.size())));

  const std::span<const std::uint32_t> list = order.order(of);
  for (std::size_t i = 0; i < list.size(); ++i) {
    REQUIRE(order.is_home(i, of[list[i]]));
    if (i > 0 && of[list[i]] == of[list[i - 1]]) REQUIRE(list[i - 1] < list[i]);
  }

  std::vector<std::size_t> things(of.size());
  std::iota(things.begin(), things.end(), std::size_t{0});
  const std::vector<std::uint8_t> was = of;
  std::size_t swaps = 0;
  order.settle(of, [&](std::size_t i, std::size_t k) {
    std::swap(things[i], things[k]);
    ++swaps;
  });
  REQUIRE(swaps <= strays);
  for (std::size_t i = 0; i < of.size(); ++i) {
    REQUIRE(order.is_home(i, of[i]));
    REQUIRE(was[things[i]] == of[i]);
  }
  std::sort(things.begin(), things.end());
  REQUIRE(std::adjacent_find(things.begin(), things.end()) == things.end());
}

PROPERTY(Records, KeepTheirNumbersWhereverTheyAre) {
  Records<std::string> records;
  const auto count = static_cast<std::uint32_t>(1 + source.below(30));
  records.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) records[i] = "thing " + std::to_string(i);
  for (int k = 0; k < 40; ++k) {
    const auto a = static_cast<std::uint32_t>(source.below(records.size())),
               b = static_cast<std::uint32_t>(source.below(records.size()));
    const std::uint32_t of_a = records.number_at(a), of_b = records.number_at(b);
    records.swap_places(a, b);
    REQUIRE(records.number_at(a) == of_b);
    REQUIRE(records.number_at(b) == of_a);
    if (k == 20) {
      records.emplace_back();
      records[records.size() - 1] = "thing " + std::to_string(records.size() - 1);
    }
  }
  for (std::uint32_t i = 0; i < records.size(); ++i) {
    REQUIRE(records[i] == "thing " + std::to_string(i));
    REQUIRE(records.number_at(records.place_of(i)) == i);
  }
}

} // namespace
} // namespace carom::test
