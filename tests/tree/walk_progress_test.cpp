// Walks that are stopped and gone on with: however the work is divided, they give what one walk gives.
#include "carom/tree/walk_progress.h"

#include "carom/tree/triangle_pairs.h"
#include "carom/tree/triangle_rays.h"
#include "carom/tree/triangle_self.h"
#include "carom/tree/volume_query.h"
#include "tests/support/property.h"
#include "tests/tree/pair_cases.h"

namespace carom {
namespace {

using namespace test;

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// None, one, a few or many steps.
WalkBudget some_steps(Source& source) {
  static constexpr std::size_t most[] = {2, 4, 20, 500};
  return {source.below(most[source.index(4)])};
}

/// Calls resume(budget) until it is done; how often that was.
template<class Resume>
int in_parts(Source& source, Resume&& resume) {
  int parts = 1;
  while (!resume(some_steps(source)) && parts < 1'000'000) ++parts;
  EXPECT_LT(parts, 1'000'000);
  return parts;
}

Pairs all_at_once(const MeshPair& p) {
  Pairs result;
  all_meetings(p.a.set(), p.b.set(), p.b_in_a, [&](const TrianglePair& pair) {
    result.emplace_back(pair.a, pair.b);
    return true;
  });
  return result;
}

TEST(WalkProgress, MeetingsInParts) {
  for_each_seed(fewer_when_sanitized(300), [](Source& source) {
    const MeshPair p = near_pair(source);
    Pairs parts;
    PairProgress progress;
    in_parts(source, [&](WalkBudget budget) {
      return resume_meetings(p.a.set(), p.b.set(), p.b_in_a, progress, budget,
                             [&](const TrianglePair& pair) {
                               parts.emplace_back(pair.a, pair.b);
                               return true;
                             });
    });
    EXPECT_EQ(parts, all_at_once(p));
    // When it is done, it stays so.
    EXPECT_TRUE(
        resume_meetings(p.a.set(), p.b.set(), p.b_in_a, progress, {100}, [](const TrianglePair&) {
          ADD_FAILURE() << "again";
          return true;
        }));
  });
}

TEST(WalkProgress, NoMoreStepsThanAllowed) {
  const MeshPair p{TreeMesh(sponge_mesh(1)), TreeMesh(sponge_mesh(1)), {}};
  PairProgress progress;
  const auto none = [](const TrianglePair&) { return true; };
  EXPECT_FALSE(resume_meetings(p.a.set(), p.b.set(), p.b_in_a, progress, {0}, none));
  EXPECT_FALSE(progress.begun);
  EXPECT_FALSE(resume_meetings(p.a.set(), p.b.set(), p.b_in_a, progress, {1}, none));
  const int after_one = progress.count;
  EXPECT_GT(after_one, 0); // the roots have been opened, and nothing else
  EXPECT_LE(after_one, 64);
  EXPECT_FALSE(resume_meetings(p.a.set(), p.b.set(), p.b_in_a, progress, {2}, none));
  EXPECT_GE(progress.count, after_one - 2);
}

TEST(WalkProgress, EndedByTheCallerIsDone) {
  const MeshPair p{TreeMesh(sponge_mesh(1)), TreeMesh(sponge_mesh(1)), {}};
  PairProgress progress;
  int calls = 0;
  EXPECT_TRUE(resume_meetings(p.a.set(), p.b.set(), p.b_in_a, progress, {1'000'000},
                              [&](const TrianglePair&) { return ++calls < 5; }));
  EXPECT_EQ(calls, 5);
}

TEST(WalkProgress, AnotherTreeBeginsAnew) {
  const MeshPair p{TreeMesh(sponge_mesh(1)), TreeMesh(gear_mesh(5)), {}};
  const MeshPair q{TreeMesh(cube_mesh()), TreeMesh(cube_mesh()), {}};
  PairProgress progress;
  const auto none = [](const TrianglePair&) { return true; };
  ASSERT_FALSE(resume_meetings(p.a.set(), p.b.set(), p.b_in_a, progress, {3}, none));
  Pairs met;
  EXPECT_TRUE(resume_meetings(q.a.set(), q.b.set(), q.b_in_a, progress, {1'000'000},
                              [&](const TrianglePair& pair) {
                                met.emplace_back(pair.a, pair.b);
                                return true;
                              }));
  EXPECT_EQ(met, all_at_once(q));
}

/// After each part the two bounds hold; in the end they are one, and the answer is that of one walk.
void expect_same_nearest(Source& source, const MeshPair& p, const NearestOptions& options) {
  const NearestTriangles right = nearest_pair(p.a.set(), p.b.set(), p.b_in_a, options);
  const double truth = distance_one_by_one(p);
  // Distances are rounded. Bounds keep away from the truth by ten times what corners may be off (pair_frame.cpp): 2^-53 (16 + 4 + 20 * 2 + 16 * 4) of the size.
  const double rounding = 64 * 0x1p-52 * p.size();
  const double kept = 10 * 124 * 0x1p-53 * p.size() + rounding;
  NearestProgress progress;
  double before = 0;
  in_parts(source, [&](WalkBudget budget) {
    const bool done = resume_nearest(p.a.set(), p.b.set(), p.b_in_a, progress, budget, options);
    EXPECT_LE(progress.at_least, truth + rounding);
    EXPECT_GE(progress.at_least, before);
    before = progress.at_least;
    if (progress.best) {
      EXPECT_GE(progress.best.closest.distance, truth);
    }
    return done;
  });
  EXPECT_EQ(progress.best.a, right.a);
  EXPECT_EQ(progress.best.b, right.b);
  EXPECT_EQ(progress.best.closest.distance, right.closest.distance);
  EXPECT_EQ(progress.best.closest.on_a, right.closest.on_a);
  if (truth == INFINITY) {
    EXPECT_EQ(progress.at_least, INFINITY);
    return;
  }
  const double known = right ? right.closest.distance : options.below;
  const double allowed =
      std::max(options.absolute_error, known - known / (1 + options.relative_error));
  EXPECT_GE(progress.at_least, known - allowed - kept);
}

TEST(WalkProgress, NearestInParts) {
  for_each_seed(fewer_when_sanitized(150), [](Source& source) {
    const MeshPair p = near_pair(source);
    NearestOptions options;
    if (source.chance(3)) options.absolute_error = source.uniform(0, 0.3);
    if (source.chance(3)) options.relative_error = source.uniform(0, 0.3);
    if (source.chance(4)) options.below = source.uniform(0, 1);
    if (source.chance(3)) options.guess = {0, 0};
    expect_same_nearest(source, p, options);
  });
}

TEST(WalkProgress, NearestInPartsFarApartAndOfAnyRatio) {
  static constexpr double ways[] = {10, 1e3, 1e8, 1e15};
  static constexpr double scales[] = {1e-12, 1e-3, 1, 1e6};
  for_each_seed(fewer_when_sanitized(60), [](Source& source) {
    const PolygonMesh mesh_a = pair_mesh(source);
    const PolygonMesh mesh_b = pair_mesh(source);
    MeshPair p{TreeMesh(mesh_a), TreeMesh(mesh_b, scales[source.index(4)]), {}};
    p.b_in_a.basis = to_matrix(rotation(source));
    const Vec3 way = direction(source);
    p.b_in_a.origin = way * ways[source.index(4)];
    expect_same_nearest(source, p, {});
  });
}

/// There is a lower bound at once, that of the boxes; and a pair that is as near as can be seen.
TEST(WalkProgress, BothBoundsFromTheFirstStep) {
  MeshPair p{TreeMesh(sphere_mesh(3)), TreeMesh(sphere_mesh(3)), {}};
  p.b_in_a.origin = {5, 0, 0};
  NearestProgress progress;
  EXPECT_FALSE(resume_nearest(p.a.set(), p.b.set(), p.b_in_a, progress, {0}));
  EXPECT_EQ(progress.at_least, 0);
  EXPECT_FALSE(resume_nearest(p.a.set(), p.b.set(), p.b_in_a, progress, {1}));
  EXPECT_TRUE(progress.best);
  EXPECT_GE(progress.best.closest.distance, 2.99);
  EXPECT_LE(progress.best.closest.distance, 3.2);
  EXPECT_GT(progress.at_least, 2.9);
  EXPECT_LE(progress.at_least, 3.01);
}

Ray ray_at(Source& source, const Aabb& box) {
  const Vec3 from = box.center() + vec3(source) * (2 * max_abs(box.half()) + 0.1);
  const Vec3 to = box.center() + vec3(source) * max_abs(box.half());
  return {from, to - from};
}

TEST(WalkProgress, RaysInParts) {
  for_each_seed(fewer_when_sanitized(300), [](Source& source) {
    const PolygonMesh mesh = pair_mesh(source);
    const TreeMesh m(mesh);
    TriangleRay ray{ray_at(source, m.box())};
    if (source.chance(3)) ray.t_max = source.uniform(-0.1, 1.5);
    if (source.chance(3)) ray.faces = source.chance(2) ? Faces::front : Faces::back;
    FirstHitProgress first;
    in_parts(source, [&](WalkBudget budget) {
      return resume_first_hit(m.tree, m.surface(), ray, first, budget);
    });
    EXPECT_EQ(first.first, first_hit(m.tree, m.surface(), ray));
    std::vector<RayTriangle> right, parts;
    all_hits(m.tree, m.surface(), ray, [&](const RayTriangle& hit) {
      right.push_back(hit);
      return true;
    });
    ChildProgress all;
    in_parts(source, [&](WalkBudget budget) {
      return resume_all_hits(m.tree, m.surface(), ray, all, budget, [&](const RayTriangle& hit) {
        parts.push_back(hit);
        return true;
      });
    });
    EXPECT_EQ(parts, right);
  });
}

template<class Volume>
void expect_same_leaves(Source& source, const WideTree& tree, const Volume& volume) {
  std::vector<std::uint32_t> right, parts;
  const auto into = [](std::vector<std::uint32_t>& to) {
    return [&](std::span<const std::uint32_t> things) {
      to.insert(to.end(), things.begin(), things.end());
      return true;
    };
  };
  visit_touching(tree, volume, into(right));
  ChildProgress progress;
  in_parts(source, [&](WalkBudget budget) {
    return resume_touching(tree, volume, progress, budget, into(parts));
  });
  EXPECT_EQ(parts, right);
}

TEST(WalkProgress, VolumesInParts) {
  for_each_seed(fewer_when_sanitized(300), [](Source& source) {
    const PolygonMesh mesh = pair_mesh(source);
    const TreeMesh m(mesh);
    const Vec3 center = vec3(source);
    const Vec3 half = abs(vec3(source));
    static constexpr double sizes[] = {0.1, 0.5, 2, 1e5};
    const double size = sizes[source.index(4)];
    expect_same_leaves(source, m.tree.tree(), Aabb{center - half * size, center + half * size});
    expect_same_leaves(source, m.tree.tree(),
                       Obb{center, to_matrix(rotation(source)), half * size});
    expect_same_leaves(source, m.tree.tree(), Sphere{center, size});
    expect_same_leaves(source, m.tree.tree(), Sphere{center, -1});
    expect_same_leaves(source, m.tree.tree(), Aabb{});
  });
}

} // namespace
} // namespace carom
