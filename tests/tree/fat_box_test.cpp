#include "carom/tree/fat_box.h"

#include "tests/support/property.h"

namespace carom {
namespace {

using namespace carom::test;

Aabb grown(const Aabb& box, double by) {
  const Vec3 g{by, by, by};
  return {box.min - g, box.max + g};
}

Aabb moved(const Aabb& box, const Vec3& by) { return {box.min + by, box.max + by}; }

/// Inside by less than the room, all of it fits; beyond, there is a way that does not.
PROPERTY(FatBox, RoomIsHowFarSidesMayGo) {
  const FatBoxRule rule{source.uniform(0, 0.2), source.chance(2) ? 0 : source.uniform(0, 0.5),
                        source.uniform(0, 3)};
  const auto vec = [&](double least, double most) {
    return Vec3{source.uniform(least, most), source.uniform(least, most),
                source.uniform(least, most)};
  };
  const Vec3 low = vec(-2, 2), edges = vec(1e-3, 1);
  const Aabb box{low, low + edges};
  const Aabb fat = rule.around(box, vec(-3, 3));
  const double room = rule.room(fat, box);
  REQUIRE(room >= -1e-12);
  const double within = room * source.uniform(0, 0.999);
  for (const double by : {within, -within}) REQUIRE(rule.still_fits(fat, grown(box, by)));
  for (int k = 0; k < 3; ++k) {
    Vec3 way{};
    way[k] = within;
    REQUIRE(rule.still_fits(fat, moved(box, way)));
    REQUIRE(rule.still_fits(fat, moved(box, -way)));
  }
  const double beyond = room * 1.001 + 1e-9;
  REQUIRE(!rule.still_fits(fat, grown(box, beyond)) || !rule.still_fits(fat, grown(box, -beyond)));
}

} // namespace
} // namespace carom
