#include "carom/geometry/triangle_neighbours.h"

#include "carom/geometry/triangle_triangle.h"
#include "tests/support/property.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace carom {
namespace {

const Triangle flat{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};

/// The same for every order of the corners and of the triangles.
void expect_meet(const Triangle& a, const Triangle& b, bool expected) {
  int order[3] = {0, 1, 2};
  do {
    const Triangle c{b[order[0]], b[order[1]], b[order[2]]};
    EXPECT_EQ(meet_beyond_shared(a, c), expected);
    EXPECT_EQ(meet_beyond_shared(c, a), expected);
  } while (std::next_permutation(order, order + 3));
}

} // namespace

TEST(TriangleNeighbours, NothingSharedIsAnyCommonPoint) {
  expect_meet(flat, {{1, 1, -1}, {1, 1, 1}, {9, 9, 0}}, true);
  expect_meet(flat, {{1, 1, 0}, {1, 1, 1}, {9, 9, 1}}, true);   // a corner on the face
  expect_meet(flat, {{1, 1, 1}, {2, 1, 1}, {1, 2, 1}}, false);  // above it
  expect_meet(flat, {{2, -1, 0}, {2, 0, 0}, {3, -1, 0}}, true); // a corner on an edge
}

TEST(TriangleNeighbours, OneCornerShared) {
  expect_meet(flat, {{0, 0, 0}, {-4, 0, 0}, {0, -4, 0}}, false); // across the corner
  expect_meet(flat, {{0, 0, 0}, {0, 0, 4}, {-1, -1, 4}}, false);
  expect_meet(flat, {{0, 0, 0}, {1, 1, 1}, {1, 1, -1}}, true); // cuts into the face, its edge in it
  expect_meet(flat, {{0, 0, 0}, {9, 9, 1}, {9, 9, -1}}, true); // cuts through and beyond
  expect_meet(flat, {{0, 0, 0}, {1, 1, 0}, {1, 1, 3}}, true);  // stands on the face
  expect_meet(flat, {{0, 0, 0}, {2, 0, 0}, {1, -3, 0}}, true); // along half of an edge
  expect_meet(flat, {{0, 0, 0}, {4, 1, 0}, {1, 4, 0}}, true);  // in the plane, over it
  expect_meet(flat, {{0, 0, 0}, {-4, -1, 0}, {-1, -4, 0}}, false);
}

TEST(TriangleNeighbours, AnEdgeShared) {
  expect_meet(flat, {{4, 0, 0}, {0, 0, 0}, {1, -3, 0}}, false);     // side by side
  expect_meet(flat, {{4, 0, 0}, {0, 0, 0}, {1, 3, 0}}, true);       // folded over
  expect_meet(flat, {{4, 0, 0}, {0, 0, 0}, {1, 3, 1e-300}}, false); // almost
  expect_meet(flat, {{4, 0, 0}, {0, 0, 0}, {1, 3, 2}}, false);
}

TEST(TriangleNeighbours, TheSameTwice) { expect_meet(flat, flat, true); }

TEST(TriangleNeighbours, WithoutAreaNever) {
  expect_meet(flat, {{0, 0, 0}, {1, 1, 0}, {2, 2, 0}}, false);
  expect_meet(flat, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, false);
  expect_meet(flat, {{1, 1, -1}, {1, 1, 1}, {1, 1, 0}}, false);
}

TEST(TriangleNeighbours, WhereNothingIsSharedItIsOverlap) {
  test::for_each_seed(test::fewer_when_sanitized(20000), [](test::Source& source) {
    Triangle t[2];
    for (Triangle& x : t)
      for (int i = 0; i < 9; ++i) x[i / 3][i % 3] = source.index(5);
    for (int i = 0; i < 9; ++i)
      if (t[0][i / 3] == t[1][i % 3]) return;
    const auto flat_one = [](const Triangle& x) { return x.normal() == Vec3{}; };
    const bool area = !flat_one(t[0]) && !flat_one(t[1]);
    EXPECT_EQ(meet_beyond_shared(t[0], t[1]), area && overlaps(t[0], t[1]));
  });
}

/// One corner shared: pulled away from it along both triangles, what is left of one meets the other just where they meet beyond the corner.
TEST(TriangleNeighbours, OneCornerSharedByPullingAway) {
  test::for_each_seed(test::fewer_when_sanitized(20000), [](test::Source& source) {
    Triangle t[2];
    for (Triangle& x : t)
      for (int i = 3; i < 9; ++i) x[i / 3][i % 3] = 1024.0 * (source.index(7) - 3);
    const Triangle &a = t[0], &b = t[1]; // corner 0 is the origin
    if (a.normal() == Vec3{} || b.normal() == Vec3{}) return;
    for (int i = 1; i < 3; ++i)
      if (a[i] == b[1] || a[i] == b[2]) return;
    // The quad of a without the tip, as two triangles: a thousandth of the way from the corner is nearer to it than any crossing of such a grid but those that go on to the corner.
    const Vec3 p = a.b / 1024, q = a.c / 1024;
    const bool rest = overlaps({p, a.b, a.c}, b) || overlaps({p, a.c, q}, b);
    EXPECT_EQ(meet_beyond_shared(a, b), rest);
  });
}

} // namespace carom
