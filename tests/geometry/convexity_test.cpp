#include "carom/geometry/convexity.h"

#include "carom/math/mat3.h"
#include "carom/math/tolerance.h"
#include "tests/geometry/exact_oracle.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/property.h"

#include <algorithm>

using namespace carom;
using namespace carom::test;

namespace {

mpq_class area(const std::vector<Q2>& ring) {
  mpq_class sum = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) sum += cross(ring[i], ring[(i + 1) % ring.size()]);
  return sum;
}

/// The definition, globally: every corner on one side of every edge's line, and the area that of the hull, once (winding twice doubles it).
/// On a line: the way there and back is twice the length.
Convexity oracle(const std::vector<Vec2>& polygon) {
  std::vector<Q2> ring;
  for (const Vec2& p : polygon) {
    if (ring.empty() || !(ring.back() == exact(p))) ring.push_back(exact(p));
  }
  while (ring.size() > 1 && ring.back() == ring.front()) ring.pop_back();
  if (ring.size() < 3) return Convexity::flat;
  const std::size_t n = ring.size();
  int low = 0, high = 0;
  bool straight = n != polygon.size();
  for (std::size_t i = 0; i < n; ++i) {
    straight = straight || turn(ring[i], ring[(i + 1) % n], ring[(i + 2) % n]) == 0;
    for (const Q2& p : ring) {
      const int s = sgn(turn(ring[i], ring[(i + 1) % n], p));
      low = std::min(low, s);
      high = std::max(high, s);
    }
  }
  if (low == 0 && high == 0) {
    mpq_class way = 0;
    const auto along = [](const Q2& p) {
      return mpq_class(p.x * 1000003 + p.y);
    }; // tells all of these points apart
    mpq_class least = along(ring[0]), most = least;
    for (std::size_t i = 0; i < n; ++i) {
      way += abs(along(ring[(i + 1) % n]) - along(ring[i]));
      least = std::min(least, along(ring[i]));
      most = std::max(most, along(ring[i]));
    }
    return way == 2 * (most - least) ? Convexity::flat : Convexity::not_convex;
  }
  if (low < 0 && high > 0) return Convexity::not_convex;
  // The hull by its definition: the edges (p, q) with nothing on their right, added up; straight pieces only from end to end.
  mpq_class hull = 0;
  for (const Q2& p : ring)
    for (const Q2& q : ring) {
      bool edge = !(p == q);
      for (const Q2& r : ring) {
        const int s = sgn(turn(p, q, r));
        edge = edge && (s > 0 || (s == 0 && on_segment(r, p, q)));
      }
      if (edge) {
        mpq_class copies = 1; // corners may be visited twice
        copies *= static_cast<long>(std::count(ring.begin(), ring.end(), p) *
                                    std::count(ring.begin(), ring.end(), q));
        hull += cross(p, q) / copies;
      }
    }
  if (abs(area(ring)) != hull) return Convexity::not_convex;
  return straight ? Convexity::weak : Convexity::strict;
}

std::vector<Vec2> star(int n, int step) {
  std::vector<Vec2> result;
  for (int i = 0; i < n; ++i) {
    const double a = 6.283185307179586 * (i * step % n) / n;
    result.push_back({std::cos(a), std::sin(a)});
  }
  return result;
}

/// The test that only looks at neighbours: all turns the same way.
bool locally_convex(const std::vector<Vec2>& v) {
  int low = 0, high = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const double t =
        cross(v[(i + 1) % v.size()] - v[i], v[(i + 2) % v.size()] - v[(i + 1) % v.size()]);
    low = std::min(low, t < 0 ? -1 : 0);
    high = std::max(high, t > 0 ? 1 : 0);
  }
  return low == 0 || high == 0;
}

Convexity kind(const std::vector<Vec2>& v) { return convexity(v).kind; }

} // namespace

TEST(Convexity, AgreesWithTheDefinition) {
  int counts[4] = {};
  for_each_seed(8'000, [&](Source& source) {
    std::vector<Vec2> polygon;
    const int n = 1 + source.index(7), line = source.index(4);
    for (int i = 0; i < n; ++i) {
      Vec2 p = lattice_point(source, 4);
      if (line == 1) p.y = 2 * p.x; // on a line
      polygon.push_back(p);
    }
    // Mostly in the order around their middle: random orders are seldom convex.
    if (source.chance(2)) {
      Vec2 m;
      for (const Vec2& p : polygon) m += p / n;
      std::sort(polygon.begin(), polygon.end(), [&](const Vec2& a, const Vec2& b) {
        return std::atan2(a.y - m.y, a.x - m.x) < std::atan2(b.y - m.y, b.x - m.x);
      });
      if (source.chance(4)) polygon.insert(polygon.end(), polygon.begin(), polygon.begin() + n);
      if (source.chance(2)) std::reverse(polygon.begin(), polygon.end());
    }
    const Convexity truth = oracle(polygon);
    ASSERT_EQ(kind(polygon), truth);
    ++counts[static_cast<int>(truth)];
  });
  for (const int c : counts) EXPECT_GT(c, 300);
}

TEST(Convexity, Winding) {
  EXPECT_EQ(convexity(std::vector<Vec2>{{0, 0}, {1, 0}, {0, 1}}).winding, 1);
  EXPECT_EQ(convexity(std::vector<Vec2>{{0, 0}, {0, 1}, {1, 0}}).winding, -1);
}

TEST(Convexity, Pentagram) {
  EXPECT_TRUE(locally_convex(star(5, 2))) << "the test of neighbours is fooled";
  EXPECT_EQ(kind(star(5, 2)), Convexity::not_convex);
  EXPECT_EQ(kind(star(5, 1)), Convexity::strict);
  EXPECT_EQ(kind(star(7, 3)), Convexity::not_convex);
  std::vector<Vec2> twice = star(6, 1);
  twice.insert(twice.end(), twice.begin(), twice.begin() + 6);
  EXPECT_EQ(kind(twice), Convexity::not_convex);
}

TEST(Convexity, ZigzagCollinear) {
  const std::vector<Vec2> zigzag{{0, 0}, {2, 2}, {1, 1}, {3, 3}};
  EXPECT_TRUE(locally_convex(zigzag)) << "the test of neighbours is fooled";
  EXPECT_EQ(kind(zigzag), Convexity::not_convex);
  EXPECT_EQ(kind({{0, 0}, {1, 1}, {3, 3}, {2, 2}}), Convexity::flat);
  EXPECT_EQ(kind({{0, 0}, {0, 2}, {0, 1}, {0, 3}}), Convexity::not_convex); // equal x
}

TEST(Convexity, Coincident) {
  EXPECT_EQ(kind({{0, 0}, {0, 0}, {1, 0}, {1, 1}, {1, 1}, {0, 1}, {0, 0}}), Convexity::weak);
  EXPECT_EQ(kind({{1, 1}, {1, 1}, {1, 1}}), Convexity::flat);
  EXPECT_EQ(kind({}), Convexity::flat);
  // A spike: out and back.
  EXPECT_EQ(kind({{0, 0}, {1, 0}, {2, 0}, {1, 0}, {1, 1}, {0, 1}}), Convexity::not_convex);
}

// Integer points exactly on half a circle; then thousands of corners of a parabola, one of them moved by a bit.
TEST(Convexity, Cocircular) {
  std::vector<Vec2> circle;
  for (int x = -5525; x <= 5525; ++x) {
    const double y = std::sqrt(5525.0 * 5525 - 1.0 * x * x);
    if (y == std::floor(y)) circle.push_back({x * 1.0, y});
  }
  ASSERT_GT(circle.size(), 40u);
  EXPECT_EQ(kind(circle), Convexity::strict);
  const int n = 20000;
  std::vector<Vec2> exact_parabola;
  for (int i = 0; i < n; ++i) exact_parabola.push_back({i * 1.0, 1.0 * i * i});
  EXPECT_EQ(kind(exact_parabola), Convexity::strict);
  exact_parabola[n / 2].y += 1; // its neighbours' chord is one above: now straight
  EXPECT_EQ(kind(exact_parabola), Convexity::weak);
  exact_parabola[n / 2].y = std::nextafter(exact_parabola[n / 2].y, 1e300);
  EXPECT_EQ(kind(exact_parabola), Convexity::not_convex);
}

TEST(ConvexQuad, DartBowtieDegenerate) {
  for_each_seed(500, [](Source& source) {
    const Mat3 m = axes(source);
    const double s = scale(source);
    const auto quad_kind = [&](Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
      const auto put = [&](const Vec2& p) { return (m.x * p.x + m.y * p.y) * s; };
      return convexity(Quad{put(a), put(b), put(c), put(d)});
    };
    EXPECT_EQ(quad_kind({0, 0}, {3, 0}, {3, 2}, {0, 2}).kind, Convexity::strict);
    EXPECT_EQ(quad_kind({0, 0}, {4, 0}, {1, 1}, {0, 4}).kind, Convexity::not_convex) << "Dart";
    EXPECT_EQ(quad_kind({0, 0}, {3, 2}, {3, 0}, {0, 2}).kind, Convexity::not_convex) << "Bowtie";
    EXPECT_EQ(quad_kind({0, 0}, {3, 2}, {3, 0}, {0, 1}).kind, Convexity::not_convex)
        << "Bowtie, lopsided";
  });
  const auto in_plane = [](Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
    return convexity(Quad{{1, a.x, a.y}, {1, b.x, b.y}, {1, c.x, c.y}, {1, d.x, d.y}}).kind;
  };
  EXPECT_EQ(in_plane({0, 0}, {2, 0}, {4, 0}, {0, 4}), Convexity::weak) << "three collinear";
  EXPECT_EQ(in_plane({0, 0}, {4, 0}, {2, 0}, {0, 4}), Convexity::not_convex)
      << "three collinear, to and fro";
  EXPECT_EQ(in_plane({0, 0}, {4, 0}, {4, 0}, {0, 4}), Convexity::weak) << "a triangle";
  EXPECT_EQ(in_plane({0, 0}, {4, 0}, {0, 0}, {4, 0}), Convexity::not_convex) << "a segment, twice";
  EXPECT_EQ(in_plane({0, 0}, {4, 0}, {4, 0}, {0, 0}), Convexity::flat) << "a segment, once";
}

TEST(ConvexPolygon3, TurnedInSpace) {
  for_each_seed(1'000, [](Source& source) {
    const Mat3 m = axes(source);
    const Vec3 o = vec3(source);
    const auto put = [&](const std::vector<Vec2>& v) {
      std::vector<Vec3> result;
      for (const Vec2& p : v) result.push_back(o + m.x * p.x + m.y * p.y);
      return result;
    };
    EXPECT_EQ(convexity(put(star(5, 1))).kind, Convexity::strict);
    EXPECT_EQ(convexity(put(star(5, 2))).kind, Convexity::not_convex);
    EXPECT_EQ(convexity(put(star(64, 1))).kind, Convexity::strict);
  });
}

TEST(Flatness, MeasuresTheHeight) {
  for_each_seed(2'000, [](Source& source) {
    const Mat3 m = axes(source);
    const double h = source.chance(3) ? 0 : positive(source), s = scale(source);
    const Vec3 o = offset(source);
    const auto put = [&](double x, double y, double z) { return (o + m * Vec3{x, y, z}) * s; };
    const Quad q{put(1, 1, h), put(-1, 1, -h), put(-1, -1, h), put(1, -1, -h)};
    const Flatness f = flatness(q);
    const double slack = 16 * tolerance::epsilon * (max_abs(o) + 2 + h) * s;
    EXPECT_NEAR(f.height, h * s,
                slack * (1 + h)); // a tilt of the normal lifts the corners by their height
    EXPECT_NEAR(dot(f.plane.normal, m.z), 1, 1e-9); // seen counter-clockwise
  });
  const Quad bowtie{{0, 0, 1}, {2, 2, 1}, {2, 0, 1}, {0, 2, 1}};
  EXPECT_EQ(flatness(bowtie).height, 0);
  EXPECT_EQ(std::fabs(flatness(bowtie).plane.normal.z), 1);
  EXPECT_EQ(flatness(Quad{}).height, 0);
  // The normal of a quad is that of its diagonals, AC x BD, not of BD x AC.
  EXPECT_EQ(flatness(Quad{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}).plane.normal,
            (Vec3{0, 0, 1}));
}
