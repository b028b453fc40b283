// Bodies moved to contact again and again never reach into each other. Each position is measured by the distance query, which knows nothing of features.
//
// CAROM_MOVES is the number of moves (default 6,000, a second): a million takes two minutes.
#include "tests/motion/polyhedral_cases.h"
#include "tests/support/property.h"

#include <cstdlib>
#include <iostream>

namespace carom {
namespace {

using namespace test;

std::uint64_t moves() {
  const char* text = std::getenv("CAROM_MOVES");
  return text ? std::strtoull(text, nullptr, 10) : fewer_when_sanitized(6000);
}

/// A body among some others, and the contact that it stopped at last.
struct Scene {
  Body body;
  std::vector<Body> others;
  std::vector<Pose> poses;
  Pose pose;
  std::vector<PlacedPolyhedron> stationary;
  PolyhedralContact last;
  bool touching = false;
  bool both_sides = false;
  PolyhedralCache cache;

  explicit Scene(Source& source) : body(random_body(source)) {
    const int count = 1 + source.index(3);
    for (int i = 0; i < count; ++i) {
      others.push_back(random_body(source));
      Pose p;
      p.rotation = any_rotation(source);
      const Vec3 towards = unit_vector(source);
      p.position = towards * source.uniform(1, 2.5);
      poses.push_back(p);
    }
    for (std::size_t i = 0; i < others.size(); ++i) {
      stationary.push_back({&others[i].parts, poses[i]});
      both_sides = both_sides || !others[i].solid;
    }
    both_sides = both_sides || !body.solid;
    do {
      pose.rotation = any_rotation(source);
      const Vec3 from = unit_vector(source);
      pose.position = from * source.uniform(0, 6);
    } while (nearest(pose) < 1e-3);
  }

  [[nodiscard]] double nearest(const Pose& at) const {
    double least = INFINITY;
    for (std::size_t i = 0; i < others.size(); ++i)
      least = std::min(least, apart(body, at, others[i], poses[i]));
    return least;
  }

  /// Toward the others, into the last contact, along it, with its spin; of all lengths.
  PolyhedralMove move(Source& source) {
    static constexpr double lengths[] = {8, 2, 0.5, 0.1, 1e-3, 1e-6, 1e-7, 1e-8, 1e-10, 1e-14};
    const double by = lengths[source.index(10)];
    const Vec3 any = unit_vector(source);
    const Vec3 home = normalized(poses[0].position + any * 0.5 - pose.position);
    const Vec3 normal = touching ? last.normal : home;
    const Vec3 along = normalized_or(cross(normal, any), any);
    const Vec3 point = touching && source.chance(2) ? last.moving_point : pose.position + any * 0.3;
    PolyhedralOptions options;
    options.both_sides = both_sides;
    const auto go = [&](const Vec3& direction) {
      return move_translation(body.parts, pose, direction * by, stationary, options, &cache);
    };
    const auto turn = [&](const Vec3& axis) {
      const double angle = (source.chance(2) ? -1 : 1) * by;
      return move_rotation(body.parts, pose, point, axis, angle, stationary, options, &cache);
    };
    // Not to be lost in the distance.
    if (!touching && distance(pose.position, poses[0].position) > 4) {
      return move_translation(body.parts, pose, home * 12, stationary, options, &cache);
    }
    switch (source.index(9)) {
    case 0:
      return go(any);
    case 1:
    case 2:
      return go(normal);
    case 3:
      return go(along);
    case 4:
      return go(normalized(along + normal * 1e-3));
    case 5:
      return turn(normal);
    case 6:
      return turn(along);
    case 7:
      return turn(any);
    default:
      return go(home);
    }
  }
};

TEST(PolyhedralFuzz, NeverInterpenetrates) {
  constexpr std::uint64_t moves_a_scene = 60;
  std::uint64_t hits = 0, total = 0, stuck = 0;
  double nearest_stop = INFINITY, nearest_share = INFINITY;
  for_each_seed(std::max<std::uint64_t>(moves() / moves_a_scene, 1), [&](Source& source) {
    Scene scene(source);
    for (std::uint64_t i = 0; i < moves_a_scene; ++i) {
      const PolyhedralMove m = scene.move(source);
      ++total;
      const double gap = scene.nearest(m.pose);
      // The promise: they do not meet.
      ASSERT_GT(gap, 0) << "move " << i << " hit " << m.hit << " fraction " << m.fraction;
      ASSERT_TRUE(m.status == Status::ok && m.fraction >= 0 && m.fraction <= 1);
      if (m.hit) {
        ++hits;
        stuck += m.fraction == 0 ? 1 : 0;
        // Nor do they stop farther than e and the rounding that is allowed for, 2^-46 of all coordinates (here about 30).
        ASSERT_LE(gap, m.expel_zone + 1e-12) << "move " << i;
        ASSERT_LE(m.contacts[0].separation, m.expel_zone + 1e-12) << "move " << i;
        nearest_stop = std::min(nearest_stop, gap);
        if (m.fraction > 0)
          nearest_share = std::min(nearest_share, m.contacts[0].separation / m.expel_zone);
        scene.last = m.contacts[0];
      }
      scene.touching = m.hit || (scene.touching && gap < 0.01);
      scene.pose = m.pose;
    }
  });
  std::cout << total << " moves, " << hits << " stopped, " << stuck
            << " of them at once; least distance " << nearest_stop
            << ", least share of e of a stop in motion " << nearest_share << '\n';
  EXPECT_GT(hits, total / 4);
}

} // namespace
} // namespace carom
