#include "carom/tree/volume_query.h"

#include "carom/geometry/overlap.h"
#include "carom/math/random.h"
#include "tests/support/property.h"

#include <gtest/gtest.h>

#include <set>

namespace carom {
namespace {

using test::Source;

struct Scene {
  std::vector<Aabb> boxes;
  double size = 1;
  Vec3 at;
};

/// Boxes on a coarse grid (so that many touch), some flat; of any size, anywhere.
Scene random_scene(Source& source) {
  Scene s;
  const double sizes[] = {1, 1e-25, 1e25, 1};
  s.size = sizes[source.index(4)];
  const double away = source.chance(3) ? 1e6 * s.size : 0;
  s.at = {away, -away, away / 3};
  const int count = source.index(200);
  for (int i = 0; i < count; ++i) {
    Aabb box;
    for (int k = 0; k < 3; ++k) {
      const int from = source.index(32), length = source.index(4);
      box.min[k] = s.at[k] + from * s.size / 8;
      box.max[k] = s.at[k] + (from + length) * s.size / 8;
    }
    s.boxes.push_back(box);
  }
  return s;
}

/// On the scene's grid, or far larger or farther away than it.
Vec3 random_place(Source& source, const Scene& s) {
  const double far = source.chance(8) ? 1e7 : 1;
  Vec3 p = s.at;
  for (int k = 0; k < 3; ++k) p[k] += (source.index(36) - 2) * s.size / 8 * far;
  return p;
}

template<class Volume>
void expect_all_visited(const Scene& s, const Volume& volume) {
  const WideTree tree{std::span<const Aabb>(s.boxes)};
  std::set<std::uint32_t> visited;
  visit_touching(tree, volume, [&](std::span<const std::uint32_t> things) {
    for (const std::uint32_t i : things) EXPECT_TRUE(visited.insert(i).second) << "twice";
    return true;
  });
  for (std::uint32_t i = 0; i < s.boxes.size(); ++i) {
    EXPECT_TRUE(visited.contains(i) || !overlaps(volume, s.boxes[i])) << i;
  }
}

} // namespace

TEST(VolumeQuery, BoxesMissNothing) {
  test::for_each_seed(test::fewer_when_sanitized(2000), [](Source& source) {
    const Scene s = random_scene(source);
    const Vec3 p = random_place(source, s), q = random_place(source, s);
    expect_all_visited(s, Aabb{min(p, q), max(p, q)});
  });
}

TEST(VolumeQuery, TurnedBoxesMissNothing) {
  test::for_each_seed(test::fewer_when_sanitized(2000), [](Source& source) {
    const Scene s = random_scene(source);
    const Vec3 p = random_place(source, s), q = random_place(source, s);
    Random random(source.below(1000));
    const Quat turn = source.chance(3) ? Quat{} : random.rotation();
    expect_all_visited(s, Obb{p, to_matrix(turn), abs(q - p) * 0.5});
  });
}

TEST(VolumeQuery, BallsMissNothing) {
  test::for_each_seed(test::fewer_when_sanitized(2000), [](Source& source) {
    const Scene s = random_scene(source);
    const Vec3 p = random_place(source, s), q = random_place(source, s);
    expect_all_visited(s, Sphere{p, length(q - p)});
  });
}

/// It would be useless if it visited everything.
TEST(VolumeQuery, FewAreVisitedForLittle) {
  std::vector<Aabb> boxes;
  for (int i = 0; i < 32 * 32 * 32; ++i) {
    const Vec3 at{double(i % 32), double(i / 32 % 32), double(i / 1024)};
    boxes.push_back({at, at + Vec3{0.5, 0.5, 0.5}});
  }
  const WideTree tree{std::span<const Aabb>(boxes)};
  const auto visited = [&](const auto& volume) {
    std::size_t count = 0;
    visit_touching(tree, volume, [&](std::span<const std::uint32_t> things) {
      count += things.size();
      return true;
    });
    return count;
  };
  const Vec3 center{10.2, 11.3, 12.1};
  EXPECT_LE(visited(Sphere{center, 0.01}), 16u);
  EXPECT_LE(visited(Aabb{center, center}), 16u);
  EXPECT_LE(visited(Obb{center, Mat3::identity(), {0.01, 0.01, 0.01}}), 16u);
  EXPECT_EQ(visited(Sphere{{1e9, 0, 0}, 1e8}), 0u);
  EXPECT_EQ(visited(Obb{{1e9, 0, 0}, Mat3::identity(), {1e8, 1, 1}}), 0u);
  EXPECT_EQ(visited(Sphere{{1e9, 0, 0}, 2e9}), boxes.size());
  EXPECT_EQ(visited(Aabb{{-1e9, -1e9, -1e9}, {1e9, 1e9, 1e9}}), boxes.size());
  EXPECT_EQ(visited(Aabb{}), 0u);
  EXPECT_EQ(visited(Sphere{{0, 0, 0}, -1}), 0u);
}

TEST(VolumeQuery, EndsWhenToldTo) {
  const std::vector<Aabb> boxes(100, Aabb{{0, 0, 0}, {1, 1, 1}});
  const WideTree tree{std::span<const Aabb>(boxes)};
  int calls = 0;
  visit_touching(tree, Sphere{{0, 0, 0}, 1},
                 [&](std::span<const std::uint32_t>) { return ++calls < 3; });
  EXPECT_EQ(calls, 3);
}

} // namespace carom
