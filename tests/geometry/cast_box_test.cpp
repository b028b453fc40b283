#include "carom/geometry/cast_box.h"
#include "carom/geometry/cast_polyhedron.h"

#include "tests/geometry/cast_cases.h"

#include <gmpxx.h>

#include <array>

namespace carom {
namespace {

using test::expect_casts;
using test::for_each_seed;
using test::Source;

TEST(CastBox, Aabb) {
  expect_casts(20'000, 8, [](Source& s) { return test::aabb(s); });
}
TEST(CastBox, Obb) {
  expect_casts(20'000, 32, [](Source& s) { return test::obb(s); });
}

// The exact span of a line in a box, over the rationals; empty where low > high.
struct ExactSpan {
  bool miss = false;
  mpq_class low = -1, high = 1;
  bool low_is_finite = false, high_is_finite = false;
};

ExactSpan exact_clip(const Line& line, const Aabb& box) {
  ExactSpan s;
  for (int i = 0; i < 3; ++i) {
    const mpq_class o = line.origin[i], d = line.direction[i];
    if (d == 0) {
      s.miss = s.miss || o < box.min[i] || o > box.max[i];
      continue;
    }
    mpq_class a = (mpq_class(box.min[i]) - o) / d, b = (mpq_class(box.max[i]) - o) / d;
    if (a > b) std::swap(a, b);
    if (!s.low_is_finite || a > s.low) s.low = a;
    if (!s.high_is_finite || b < s.high) s.high = b;
    s.low_is_finite = s.high_is_finite = true;
  }
  s.miss = s.miss || (s.low_is_finite && s.low > s.high);
  return s;
}

// No touch is lost, and what is a hit without being one is a near miss by a few parts in 2^52.
TEST(CastBox, AabbAgainstRationals) {
  int touches = 0;
  for_each_seed(20'000, [&](Source& source) {
    const Aabb box = test::aabb(source);
    const Line line = test::aimed_line(source, test::marks(box, source));
    const ExactSpan exact = exact_clip(line, box);
    const LineSpan span = clip(line, box);
    if (!exact.miss) {
      ASSERT_TRUE(span.hit);
      touches += exact.low_is_finite && exact.low == exact.high ? 1 : 0;
      if (exact.low_is_finite) {
        const double low = exact.low.get_d(), high = exact.high.get_d();
        EXPECT_NEAR(span.enter, low, 0x1p-50 * std::fabs(low));
        EXPECT_NEAR(span.exit, high, 0x1p-50 * std::fabs(high));
      }
    } else if (span.hit) {
      ASSERT_TRUE(exact.low_is_finite);
      const mpq_class apart = exact.low - exact.high;
      EXPECT_LE(apart.get_d(), 0x1p-49 * std::max(std::fabs(span.enter), std::fabs(span.exit)));
    }
  });
  EXPECT_GT(touches, 200); // the hard cases were there
}

template<int K>
void expect_kdop_casts() {
  for_each_seed(5'000, [](Source& source) {
    const auto kdop = test::kdop<K>(source);
    const auto faces = verify::half_spaces(kdop);
    const test::Marks marks{{test::vec3(source), {kdop.min[0], kdop.max[1], kdop.max[2]}},
                            {{1, 0, 0}, {1, 1, 0}}};
    const Line line = test::aimed_line(source, marks);
    const Ray ray{line.origin, line.direction};
    const Cast c = cast(ray, kdop);
    // Sums of three products at most, for two numbers: 16 roundings of the greatest coordinate.
    const double size = 4 + 2 * max_abs(line.origin) + (c.hit ? max_abs(line.direction * c.t) : 0);
    const auto v = verify::check_faces_cast(ray, faces, c, 16 * tolerance::epsilon * size);
    EXPECT_TRUE(v.ok) << v.why;
  });
}
TEST(CastBox, Kdop) {
  expect_kdop_casts<6>();
  expect_kdop_casts<14>();
  expect_kdop_casts<18>();
  expect_kdop_casts<26>();
}

constexpr Aabb cube{{-1, -1, -1}, {1, 1, 1}};

TEST(CastBox, SlabTmaxUpdatedWhenSmaller) {
  // x: [1, 3], y: [3.5, 5.5]: the first slab's exit comes before the second's entry.
  EXPECT_FALSE(cast(Ray{{-2, -4.5, 0}, {1, 1, 0}}, cube));
  // x: [1, 9], y: [1, 3]: the exit is the smaller.
  const LineSpan s = clip(Line{{-2, -2, 0}, {1, 1, 0}}, Aabb{{-1, -1, -1}, {7, 1, 1}});
  ASSERT_TRUE(s.hit);
  EXPECT_EQ(s.exit, 3);
  EXPECT_EQ(s.exit_normal, (Vec3{0, 1, 0}));
}

TEST(CastBox, ParallelToSlabInsideAndOutside) {
  for (const double zero : {0.0, -0.0}) {
    EXPECT_EQ(cast(Ray{{-3, 0.5, 0}, {1, zero, zero}}, cube).t, 2);
    EXPECT_EQ(cast(Ray{{-3, 1, 0}, {1, zero, zero}}, cube).t, 2);  // in the plane of a face
    EXPECT_EQ(cast(Ray{{-3, 1, -1}, {1, zero, zero}}, cube).t, 2); // along an edge
    EXPECT_FALSE(cast(Ray{{-3, std::nextafter(1.0, 2.0), 0}, {1, zero, zero}}, cube));
    EXPECT_TRUE(cast(Ray{{1, 1, 1}, {1, zero, zero}}, cube)); // leaving from a corner
    EXPECT_TRUE(cast(Ray{{1, 1, 1}, {zero, zero, zero}}, cube).inside);
    EXPECT_FALSE(cast(Ray{{1, 1, 1.5}, {zero, zero, zero}}, cube));
  }
}

TEST(CastBox, EmptyBoxIsNeverMet) {
  EXPECT_FALSE(cast(Line{{}, {1, 0, 0}}, Aabb{}));
  EXPECT_FALSE(cast(Line{{}, {}}, Aabb{}));
  EXPECT_FALSE(cast(Line{{}, {1, 2, 3}}, Kdop14{}));
}

TEST(CastBox, CutRays) {
  EXPECT_FALSE(cast(Ray{{-3, 0, 0}, {1, 0, 0}}, cube, 1.5));
  EXPECT_TRUE(cast(Ray{{-3, 0, 0}, {1, 0, 0}}, cube, 2));
  EXPECT_FALSE(cast(Ray{{0, 0, 0}, {1, 0, 0}}, cube, -1));
  EXPECT_FALSE(cast(Ray{{3, 0, 0}, {1, 0, 0}}, cube));
}

TEST(CastPolyhedron, ConvexPolyhedron) {
  for_each_seed(20'000, [](Source& source) {
    const auto solid = test::convex_polyhedron(source);
    const auto faces = solid.view().faces;
    const test::Marks marks{{test::vec3(source), faces[0].normal * faces[0].offset},
                            {faces[0].normal, faces[2].normal}};
    const Line line = test::aimed_line(source, marks);
    const Segment segment{line.origin, line.origin + line.direction};
    for (const bool whole : {true, false}) {
      const Cast c = whole ? cast(line, solid.view()) : cast(segment, solid.view());
      const double size = 8 + max_abs(line.origin) + (c.hit ? max_abs(line.direction * c.t) : 0);
      const double tolerance = 16 * tolerance::epsilon * size;
      const auto v = whole ? verify::check_faces_cast(line, faces, c, tolerance)
                           : verify::check_faces_cast(segment, faces, c, tolerance);
      EXPECT_TRUE(v.ok) << v.why;
    }
  });
}

TEST(CastPolyhedron, ViewFrustum) {
  expect_casts(5'000, 64, [](Source& s) { return test::view_frustum(s); });
}
TEST(CastPolyhedron, Tetrahedron) {
  expect_casts(10'000, 128,
               [](Source& s) { return test::tetrahedron(s); }); // cast_flat_test.cpp says why
}

TEST(CastPolyhedron, ParallelOutsidePolyhedronRejects) {
  const std::array<HalfSpace, 2> slab{HalfSpace{{0, 0, 1}, 1}, HalfSpace{{0, 0, -1}, 1}};
  const ConvexPolyhedron p{slab};
  EXPECT_FALSE(cast(Ray{{0, 0, 2}, {1, 0, 0}}, p));
  EXPECT_FALSE(cast(Ray{{0, 0, -2}, {1, 0, 0}}, p));
  EXPECT_TRUE(cast(Ray{{0, 0, 0}, {1, 0, 0}}, p).inside);
  EXPECT_TRUE(cast(Ray{{0, 0, 1}, {1, 0, 0}}, p).inside); // in the plane of a face
  EXPECT_TRUE(cast(Line{{5, 5, 5}, {}}, ConvexPolyhedron{}));
}

TEST(CastPolyhedron, HalfSpace) {
  const HalfSpace ground{{0, 0, 1}, 0};
  EXPECT_EQ(cast(Ray{{0, 0, 3}, {0, 0, -2}}, ground).t, 1.5);
  EXPECT_EQ(cast(Ray{{0, 0, 3}, {0, 0, -2}}, ground).normal, (Vec3{0, 0, 1}));
  EXPECT_FALSE(cast(Ray{{0, 0, 3}, {0, 0, 1}}, ground));
  EXPECT_TRUE(cast(Ray{{0, 0, -3}, {0, 0, 1}}, ground).inside);
  EXPECT_FALSE(cast(Ray{{0, 0, 3}, {1, 0, 0}}, ground));
  EXPECT_TRUE(cast(Ray{{0, 0, 0}, {1, 0, 0}}, ground)); // in its plane
  // A line that comes from infinity inside: the t nearest to 0 that is in.
  const Cast c = cast(Line{{0, 0, 3}, {0, 0, 1}}, ground);
  ASSERT_TRUE(c);
  EXPECT_TRUE(c.inside);
  EXPECT_EQ(c.t, -3);
}

} // namespace
} // namespace carom
