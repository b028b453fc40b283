#include "carom/geometry/kdop_vertices.h"

#include "carom/geometry/overlap_kdop.h"
#include "carom/math/tolerance.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::Source;

struct Cloud {
  std::vector<Vec3> points;
  double size = 0;
};

Cloud cloud(Source& source) {
  Cloud c;
  const double k = test::scale(source);
  const Vec3 t = test::offset(source) * k;
  for (int i = source.index(7); i >= 0; --i) c.points.push_back(test::vec3(source) * k + t);
  for (const Vec3& p : c.points) c.size = std::max(c.size, max_abs(p));
  return c;
}

template<int K>
Kdop<K> around(const std::vector<Vec3>& points) {
  Kdop<K> r;
  for (std::size_t i = 0; i < Kdop<K>::slabs; ++i) {
    for (const Vec3& p : points) {
      r.min[i] = std::min(r.min[i], dot(Kdop<K>::directions()[i], p));
      r.max[i] = std::max(r.max[i], dot(Kdop<K>::directions()[i], p));
    }
  }
  return r;
}

// No corner is outside of a slab, every slab is touched, and the hull of the corners reaches as far as the points in every direction: so it
// is the k-DOP, from both sides. Slabs are sums of three coordinates (3 size), and the slack of the corners is 16 epsilon of those.
template<int K>
void expect_corners(Source& source) {
  const Cloud c = cloud(source);
  const Kdop<K> k = around<K>(c.points);
  const KdopVertices<K> v = kdop_vertices(k);
  const double rounding = 64 * tolerance::epsilon * c.size;
  REQUIRE(v.count >= 1);
  for (std::size_t i = 0; i < Kdop<K>::slabs; ++i) {
    const Vec3 d = Kdop<K>::directions()[i];
    REQUIRE(std::fabs(dot(support_point(v, d), d) - k.max[i]) <= rounding);
    REQUIRE(std::fabs(dot(support_point(v, -d), d) - k.min[i]) <= rounding);
  }
  for (int i = 0; i < 8; ++i) {
    const Vec3 d = test::direction(source);
    for (const Vec3& p : c.points) REQUIRE(dot(support_point(v, d) - p, d) >= -rounding);
  }
}

PROPERTY(KdopVertices, AreThoseOfTheSlabs) {
  expect_corners<6>(source);
  expect_corners<14>(source);
  expect_corners<18>(source);
  expect_corners<26>(source);
}

TEST(KdopVertices, CountsOfKnownSolids) {
  // The unit cube; cut at its corners down to an octahedron, and cut along its edges down to a rhombic dodecahedron.
  Kdop6 cube;
  cube.min.fill(-1);
  cube.max.fill(1);
  EXPECT_EQ(kdop_vertices(cube).count, 8);
  Kdop14 octahedron;
  octahedron.min.fill(-1);
  octahedron.max.fill(1);
  EXPECT_EQ(kdop_vertices(octahedron).count, 6);
  Kdop18 dodecahedron;
  dodecahedron.min.fill(-1);
  dodecahedron.max.fill(1);
  EXPECT_EQ(kdop_vertices(dodecahedron).count, 14);
  // A cube whose corners and edges are all cut a little: 26 faces, three at each corner, so 2 * 26 - 4.
  Kdop26 all;
  for (std::size_t i = 0; i < 13; ++i) {
    all.max[i] = i < 3 ? 1 : i < 9 ? 1.75 : 2.375;
    all.min[i] = -all.max[i];
  }
  EXPECT_EQ(kdop_vertices(all).count, 48);
}

TEST(KdopVertices, NoneWhereEmpty) {
  EXPECT_EQ(kdop_vertices(Kdop26{}).count, 0);
  // Every slab has points, but they have none in common: x + y >= 3 misses the unit cube.
  Kdop18 apart;
  apart.min.fill(-1);
  apart.max.fill(1);
  apart.min[3] = 3;
  apart.max[3] = 4;
  EXPECT_EQ(kdop_vertices(apart).count, 0);
}

TEST(KdopVertices, NoneWhereASlabIsEmptyOrNotFinite) {
  for (std::size_t i = 0; i < 9; ++i) {
    Kdop18 dop;
    dop.min.fill(-1);
    dop.max.fill(1);
    Kdop18 empty = dop, below = dop, above = dop, unknown = dop;
    std::swap(empty.min[i], empty.max[i]);
    below.min[i] = -INFINITY;
    above.max[i] = INFINITY;
    unknown.max[i] = NAN;
    for (const Kdop18& k : {empty, below, above, unknown}) EXPECT_EQ(kdop_vertices(k).count, 0);
  }
}

// The segment x = y = 1, 0 <= z <= far, with a slab x + y that misses it: by rounding, or by more. Half of the miss is left to each side.
TEST(KdopVertices, SlabsMayMissEachOtherByRounding) {
  constexpr double far = 1000, unit = tolerance::epsilon * (far + 1); // the greatest offset
  const Kdop18 exact = around<18>({{1, 1, 0}, {1, 1, far}});
  for (const double sign :
       {1.0, -1.0}) { // also the mirror image, whose greatest offsets are the least
    const auto off_by = [&](double miss) {
      Kdop18 k = exact;
      k.min[3] = k.max[3] = 2 + miss;
      if (sign > 0) return k;
      Kdop18 mirrored;
      for (std::size_t i = 0; i < 9; ++i) {
        mirrored.min[i] = -k.max[i];
        mirrored.max[i] = -k.min[i];
      }
      return mirrored;
    };
    for (const double miss : {12 * unit, -12 * unit}) {
      const KdopVertices<18> v = kdop_vertices(off_by(miss));
      ASSERT_EQ(v.count, 2);
      for (const Vec3& p : v.span()) {
        for (const double off : {sign * p.x - 1, sign * p.y - 1, sign * (p.x + p.y) - 2 - miss}) {
          EXPECT_LE(std::fabs(off), 6.5 * unit);
        }
      }
    }
    for (const double miss : {64 * unit, -64 * unit}) {
      EXPECT_EQ(kdop_vertices(off_by(miss)).count, 0);
    }
  }
}

TEST(SlabsOverlap, IsOnlyABound) {
  int only_slabs = 0;
  test::for_each_seed(2000, [&](Source& source) {
    const auto segment = [&] {
      const Segment s = test::segment(source);
      return around<14>({s.a, s.b});
    };
    const Kdop14 p = segment();
    const Kdop14 q = segment();
    const bool slabs = slabs_overlap(p, q);
    const bool truly = overlap(p, q).hit;
    EXPECT_TRUE(slabs || !truly);
    only_slabs += slabs && !truly ? 1 : 0;
  });
  EXPECT_GT(only_slabs, 0); // disjoint, and the slabs do not see it
}

} // namespace
} // namespace carom
