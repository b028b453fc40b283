#include "carom/geometry/segment2.h"

#include "carom/math/tolerance.h"
#include "tests/geometry/exact_oracle.h"
#include "tests/support/property.h"

using namespace carom;
using namespace carom::test;

namespace {

struct ExactMeeting {
  Meeting2 kind = Meeting2::none;
  Q2 from, to;
};

ExactMeeting oracle(const Segment2& s, const Segment2& t) {
  const Q2 a = exact(s.a), b = exact(s.b), c = exact(t.a), d = exact(t.b);
  const Q2 u = b - a, v = d - c;
  const mpq_class w = cross(u, v);
  if (w != 0) {
    const mpq_class x = cross(c - a, v) / w, y = cross(c - a, u) / w;
    if (x < 0 || x > 1 || y < 0 || y > 1) return {};
    const Q2 p{a.x + u.x * x, a.y + u.y * x};
    return {Meeting2::point, p, p};
  }
  // Parallel, or one is a point: what they share has ends among the four ends.
  std::vector<Q2> common;
  for (const Q2& p : {a, b, c, d}) {
    const bool in = on_segment(p, a, b) && on_segment(p, c, d);
    if (in && std::find(common.begin(), common.end(), p) == common.end()) common.push_back(p);
  }
  if (common.empty()) return {};
  if (common.size() == 1) return {Meeting2::point, common[0], common[0]};
  if (dot(common[1] - common[0], u) < 0) std::swap(common[0], common[1]);
  return {Meeting2::overlap, common[0], common[1]};
}

void check(const std::vector<Vec2>& p) {
  const Segment2 s{p[0], p[1]}, t{p[2], p[3]};
  const ExactMeeting truth = oracle(s, t);
  const SegmentMeeting2 m = intersect(s, t);
  ASSERT_EQ(m.kind, truth.kind);
  ASSERT_EQ(intersect(t, s).kind, truth.kind);
  if (!m) return;
  // The stated bound.
  const double tolerance = 4 * tolerance::epsilon * reach(p);
  for (const auto& [q, e] : {std::pair(m.from, truth.from), std::pair(m.to, truth.to)}) {
    const mpq_class dx = abs(exact(q).x - e.x), dy = abs(exact(q).y - e.y);
    ASSERT_LE(dx.get_d(), tolerance);
    ASSERT_LE(dy.get_d(), tolerance);
    for (const Vec2& end : p) {
      if (exact(end) == e) {
        ASSERT_EQ(q, end);
      }
    }
  }
}

} // namespace

TEST(Segment2, AgreesWithRationals) {
  for_each_seed(30'000, [](Source& source) { check(points2(source, 4)); });
}

// Angles down to the last bit: the crossing is ill-conditioned, but must lie on both.
TEST(Segment2, AlmostParallelCrossing) {
  for_each_seed(5'000, [](Source& source) {
    const Vec2 a = vec2(source), b = vec2(source);
    const double e = std::ldexp(1.0, -20 - source.index(32));
    check({a, b, a + Vec2{0, e}, b - Vec2{0, e * source.index(3)}});
  });
}

TEST(Segment2, Named) {
  const Segment2 s{{0, 0}, {4, 0}};
  EXPECT_EQ(intersect(s, {{1, 0}, {9, 0}}).kind, Meeting2::overlap);
  EXPECT_EQ(intersect(s, {{4, 0}, {9, 0}}).kind, Meeting2::point); // collinear, end to end
  EXPECT_EQ(intersect(s, {{5, 0}, {9, 0}}).kind, Meeting2::none);
  EXPECT_EQ(intersect(s, {{2, 0}, {2, 3}}).from, (Vec2{2, 0})); // an end on the other's inside
  EXPECT_EQ(intersect(s, {{4, 0}, {7, 3}}).kind, Meeting2::point);
  EXPECT_EQ(intersect(s, {{3, 0}, {3, 0}}).kind, Meeting2::point); // a point on it
  EXPECT_EQ(intersect({{1, 1}, {1, 1}}, {{2, 2}, {2, 2}}).kind, Meeting2::none);
  EXPECT_EQ(intersect({{1, 1}, {1, 1}}, {{1, 2}, {1, 2}}).kind, Meeting2::none);
  // Reversed: the common piece runs along the first.
  const SegmentMeeting2 m = intersect({{4, 4}, {0, 0}}, {{1, 1}, {9, 9}});
  EXPECT_EQ(m.from, (Vec2{4, 4}));
  EXPECT_EQ(m.to, (Vec2{1, 1}));
}

// An end that lies on the other's inside, where the quotient of determinants is no double: it is returned to the bit.
TEST(Segment2, TouchingEndIsReturnedExactly) {
  for_each_seed(5'000, [](Source& source) {
    const Vec2 d{1.0 + source.index(1000), 1.0 + source.index(1000)};
    const Vec2 end = d * (1.0 + source.index(9));
    check({d * -3.0, d * 11.0, end, end + vec2(source)});
    check({end, end + vec2(source), d * 11.0, d * -3.0});
  });
}

TEST(Segment2, ClosestIsOptimal) {
  for_each_seed(10'000, [](Source& source) {
    const std::vector<Vec2> v = points2(source, 3);
    const ClosestOnSegment2 c = closest_on_segment(v[0], {v[1], v[2]});
    const Q2 p = exact(v[0]), a = exact(v[1]), b = exact(v[2]);
    const mpq_class square = dot(b - a, b - a);
    mpq_class t = square == 0 ? mpq_class(0) : dot(p - a, b - a) / square;
    t = t < 0 ? mpq_class(0) : t > 1 ? mpq_class(1) : t;
    const Q2 q{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
    const double truth = std::sqrt(mpq_class(dot(p - q, p - q)).get_d());
    // A wrong choice of end or inside near the limit costs the second order only.
    EXPECT_NEAR(c.distance, truth, 8 * tolerance::epsilon * truth);
    EXPECT_NEAR(distance(v[0], c.point), truth, 8 * tolerance::epsilon * reach(v));
  });
}
