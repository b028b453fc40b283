#include "carom/geometry/merge.h"

#include "carom/geometry/closest_volumes.h"
#include "carom/geometry/fit_kdop.h"
#include "carom/geometry/measure.h"
#include "carom/geometry/moved.h"
#include "carom/math/tolerance.h"
#include "carom/verify/check.h"
#include "tests/geometry/exact_enclosure.h"
#include "tests/geometry/point_clouds.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::Source;

/// Sizes up to 2 + 4 by the generators; a few dozen roundings.
constexpr double rounding = 32 * tolerance::epsilon * 8;

/// A convex set encloses another where it reaches at least as far in every direction: tried in many.
template<class Volume>
void expect_reaches(Source& source, const Volume& outer, const Volume& inner) {
  for (int i = 0; i < 40; ++i) {
    const Vec3 d = test::direction(source);
    EXPECT_GE(verify::support(outer, d), verify::support(inner, d) - rounding);
  }
}

template<class Volume>
void expect_encloses_both(Source& source, Volume (*make)(Source&)) {
  const Volume a = make(source);
  const Volume b = make(source);
  const Volume both = merge(a, b);
  expect_reaches(source, both, a);
  expect_reaches(source, both, b);
}

TEST(Merge, EnclosesBoth) {
  test::for_each_seed(500, [](Source& source) {
    expect_encloses_both(source, test::aabb);
    expect_encloses_both(source, test::sphere);
    expect_encloses_both(source, test::obb);
    expect_encloses_both(source, test::capsule);
    expect_encloses_both(source, test::lozenge);
  });
  test::for_each_seed(20, [](Source& source) { expect_encloses_both(source, test::kdop<14>); });
}

TEST(Merge, SphereEnclosesBothExactly) {
  test::for_each_seed(4000, [](Source& source) {
    const double s = test::scale(source);
    Sphere a = test::sphere(source);
    Sphere b = test::sphere(source);
    if (source.chance(4))
      b.center = a.center + test::direction(source) * std::fabs(a.radius - b.radius);
    a = {a.center * s, a.radius * s};
    b = {b.center * s, b.radius * s};
    const Sphere both = merge(a, b);
    for (const Sphere& x : {a, b}) { // |c - x.c| <= r - x.r
      const test::Exact q = test::exact(both.center) - test::exact(x.center);
      const mpq_class room = mpq_class(both.radius) - x.radius;
      EXPECT_TRUE(room >= 0 && test::dot(q, q) <= room * room);
    }
    // The least: its diameter is the farthest that two points of them are apart.
    const double least =
        std::max({a.radius, b.radius, 0.5 * (distance(a.center, b.center) + a.radius + b.radius)});
    EXPECT_LE(both.radius, least + 8 * tolerance::epsilon * 4 * s);
  });
}

TEST(Merge, SphereInSphere) {
  const Sphere great{{1, 2, 3}, 5};
  for (const Sphere& small :
       {Sphere{{1, 2, 4}, 1}, Sphere{{1, 2, 3}, 2},     // inside; about the same centre
        Sphere{{1, 2, 3}, 5}, Sphere{{1, 2, 6}, 2},     // the same; touching from inside
        Sphere{{6, 2, 3}, 0}, Sphere{{9, 9, 9}, -1}}) { // a point on it; the empty one
    for (const Sphere& both : {merge(great, small), merge(small, great)}) {
      EXPECT_EQ(both.center, great.center);
      EXPECT_EQ(both.radius, great.radius);
    }
  }
  const Sphere both = merge(Sphere{{-3, 0, 0}, 1}, Sphere{{4, 0, 0}, 2});
  EXPECT_EQ(both.center, (Vec3{1, 0, 0}));
  EXPECT_EQ(both.radius, 5);
}

TEST(Merge, OneInTheOtherIsThatOne) {
  const Obb box{{1, 1, 1}, to_matrix(Quat{1, 2, 3, 4}), {3, 2, 1}};
  const Obb inner{{1, 1, 1}, to_matrix(Quat{4, 3, 2, 1}), {0.3, 0.3, 0.3}};
  EXPECT_LE(volume(merge(box, inner)), volume(box) * (1 + 1e-12));
  EXPECT_LE(volume(merge(inner, box)), volume(box) * (1 + 1e-12));
  const Capsule capsule{{-3, 0, 0}, {3, 1, 0}, 2};
  EXPECT_LE(volume(merge(capsule, Capsule{{0, 0, 0}, {1, 0, 0}, 0.5})),
            volume(capsule) * (1 + 1e-12));
  EXPECT_LE(volume(merge(Capsule{{0, 0, 0}, {1, 0, 0}, 0.5}, capsule)),
            volume(capsule) * (1 + 1e-12));
  const Lozenge lozenge{{{}, {0.6, 0.8, 0}, {-0.8, 0.6, 0}, 3, 2}, 1};
  EXPECT_LE(volume(merge(lozenge, Lozenge{{{}, {0, 1, 0}, {0, 0, 1}, 0.5, 0.1}, 0.2})),
            volume(lozenge) * (1 + 1e-12));
  EXPECT_EQ(merge(Aabb{{0, 0, 0}, {2, 2, 2}}, Aabb{{1, 1, 1}, {2, 2, 2}}).max, (Vec3{2, 2, 2}));
}

TEST(Merge, TheEmptyVanishes) {
  const Aabb box{{0, 0, 0}, {1, 1, 1}};
  EXPECT_EQ(merge(box, Aabb{}).min, box.min);
  EXPECT_EQ(merge(Aabb{}, box).max, box.max);
  const Kdop14 dop = fit_kdop<14>(std::vector<Vec3>{{1, 2, 3}, {4, 5, 7}});
  EXPECT_EQ(merge(dop, Kdop14{}).min, dop.min);
  EXPECT_EQ(merge(Kdop14{}, dop).max, dop.max);
  const Capsule capsule{{}, {1, 0, 0}, 1};
  EXPECT_EQ(merge(capsule, Capsule{{}, {}, -1}).b, capsule.b);
  EXPECT_EQ(merge(Capsule{{}, {}, -1}, capsule).b, capsule.b);
  const Obb obb{{1, 2, 3}, {}, {1, 1, 1}};
  EXPECT_EQ(merge(Obb{{}, {}, {-1, -1, -1}}, obb).center, obb.center);
  EXPECT_EQ(merge(Lozenge{{}, 1}, Lozenge{{}, -1}).radius, 1);
}

TEST(Merge, SlabsStayTight) {
  test::for_each_seed(300, [](Source& source) {
    const std::vector<Vec3> a = test::cloud(source);
    const std::vector<Vec3> b = test::cloud(source);
    std::vector<Vec3> both = a;
    both.insert(both.end(), b.begin(), b.end());
    const Kdop26 merged = merge(fit_kdop<26>(a), fit_kdop<26>(b));
    EXPECT_EQ(merged.min, fit_kdop<26>(both).min);
    EXPECT_EQ(merged.max, fit_kdop<26>(both).max);
  });
}

TEST(Merge, BoxesSideBySide) {
  // Two halves of a turned box: the whole is found again.
  const Mat3 m = to_matrix(Quat{1, 2, 3, 4});
  const Obb left{m * Vec3{-1, 0, 0}, m, {1, 0.5, 0.25}};
  const Obb right{m * Vec3{1, 0, 0}, {m.y, m.z, m.x}, {0.5, 0.25, 1}};
  EXPECT_NEAR(volume(merge(left, right)), 2, 1e-12);
  // Two capsules in a row make one.
  EXPECT_NEAR(
      volume(merge(Capsule{{0, 0, 0}, {1, 2, 2}, 0.5}, Capsule{{2, 4, 4}, {1.5, 3, 3}, 0.5})),
      volume(Capsule{{0, 0, 0}, {2, 4, 4}, 0.5}), 1e-12);
}

// Moving and distances.

template<class Volume>
void expect_moves(Source& source, const Volume& volume, const Frame& frame) {
  const Volume there = moved(volume, frame);
  for (int i = 0; i < 10; ++i) {
    const Vec3 d = test::direction(source);
    const double expected =
        verify::support(volume, transpose_mul(frame.basis, d)) + dot(frame.origin, d);
    EXPECT_NEAR(verify::support(there, d), expected, rounding);
  }
}

TEST(Moved, ReachesWhereThePlacedVolumeDoes) {
  test::for_each_seed(500, [](Source& source) {
    const Frame frame = test::pose(source).frame();
    expect_moves(source, test::sphere(source), frame);
    expect_moves(source, test::obb(source), frame);
    expect_moves(source, test::capsule(source), frame);
    expect_moves(source, test::lozenge(source), frame);
  });
}

/// Sizes up to 2 + 4. The slab's direction is that of two rounded points: over a small distance it is off by their rounding over
/// that distance, and so is its width for things of size 8.
template<class Volume>
void expect_closest(Source& source, Volume (*make)(Source&)) {
  const Volume a = make(source);
  const Volume b = make(source);
  const double size = 8;
  const ClosestPair pair = closest_points(a, b);
  const double tolerance = 64 * tolerance::epsilon * size;
  const double slab =
      pair.distance > 0 ? std::min(1e-6, tolerance * (1 + size / pair.distance)) : 0;
  const verify::Verdict verdict = verify::check_closest(a, b, pair, std::max(tolerance, slab));
  EXPECT_TRUE(verdict) << verdict.why;
  EXPECT_LE(verify::distance(pair.on_a, a), tolerance);
  EXPECT_LE(verify::distance(pair.on_b, b), tolerance);
}

TEST(ClosestVolumes, PointsAndSlabProveTheDistance) {
  test::for_each_seed(1000, [&](Source& source) {
    expect_closest(source, test::sphere);
    expect_closest(source, test::aabb);
    expect_closest(source, test::capsule);
    expect_closest(source, test::lozenge);
    expect_closest(source, test::obb);
  });
  test::for_each_seed(20, [&](Source& source) { expect_closest(source, test::kdop<14>); });
}

TEST(ClosestVolumes, TheEmptyIsInfinitelyFar) {
  EXPECT_EQ(closest_points(Aabb{}, Aabb{{0, 0, 0}, {1, 1, 1}}).distance, INFINITY);
  EXPECT_EQ(closest_points(Sphere{{}, -1}, Sphere{{}, 1}).distance, INFINITY);
  EXPECT_EQ(closest_points(Kdop14{}, Kdop14{}).distance, INFINITY);
  EXPECT_EQ(closest_points(Obb{{}, {}, {-1, -1, -1}}, Obb{}).distance, INFINITY);
}

} // namespace
} // namespace carom
