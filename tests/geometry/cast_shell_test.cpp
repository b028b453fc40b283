#include "carom/geometry/cast_shell.h"

#include "tests/geometry/cast_cases.h"

namespace carom {
namespace {

using test::for_each_seed;
using test::Source;

TEST(CastShell, Random) {
  test::expect_casts(20'000, 64, [](Source& s) { return test::spherical_shell(s); });
}

bool is_shallow(const Vec3& p, const SphericalShell& s, double depth) {
  for (int i = 0; i < 27; ++i) {
    const Vec3 v{i % 3 - 1.0, i / 3 % 3 - 1.0, i / 9 - 1.0};
    if (verify::distance(p + normalized_or(v, {}) * (2 * depth), s) > 0) return true;
  }
  return false;
}

// In the parts that are named, and nowhere else: at random places of the line.
TEST(CastShell, PartsAreAllOfIt) {
  int several[4] = {};
  for_each_seed(test::fewer_when_sanitized(20'000), [&](Source& source) {
    const SphericalShell s = test::spherical_shell(source);
    Line line = test::aimed_line(source, test::marks(s, source));
    line.direction = normalized(line.direction);
    const ShellSpans spans = clip(line, s);
    ++several[spans.count];
    for (int i = 1; i < spans.count; ++i) {
      EXPECT_LE(spans.part[static_cast<std::size_t>(i - 1)].exit,
                spans.part[static_cast<std::size_t>(i)].enter);
    }
    const double near = dot(s.center - line.origin, line.direction);
    const double noise =
        64 * tolerance::epsilon * (test::size_of(s) + max_abs(line.origin) + std::fabs(near));
    for (int i = 0; i < 16; ++i) {
      const double t = near + source.uniform(-1.1, 1.1) * s.outer;
      double off = INFINITY; // from the parts, along the line; negative within
      for (const LineSpan& span : spans.spans()) {
        off = std::min(off, std::max(span.enter - t, t - span.exit));
      }
      const double distance = verify::distance(line.at(t), s);
      if (off <= 0) {
        EXPECT_LE(distance, noise);
      }
      // Outside of the parts, it is out of the shell, or next to an end, or no deeper in it than rounding.
      if (off > 1e-6 * s.outer && distance == 0) {
        EXPECT_TRUE(is_shallow(line.at(t), s, noise));
      }
    }
  });
  for (const int n : several)
    EXPECT_GT(n, 5); // lines with no, one, two and three parts were there, sanitized or not
}

constexpr SphericalShell all{{}, {0, 0, 1}, 1, 2, -1};
constexpr SphericalShell dome{{}, {0, 0, 1}, 1, 2, 0};          // z >= 0
constexpr SphericalShell open_below{{}, {0, 0, 1}, 1, 2, -0.6}; // all but a cone about -z

TEST(CastShell, ThroughTheHollowMiddle) {
  const ShellSpans s = clip(Line{{-3, 0, 0}, {1, 0, 0}}, all);
  ASSERT_EQ(s.count, 2);
  EXPECT_EQ(s.part[0].enter, 1);
  EXPECT_EQ(s.part[0].exit, 2);
  EXPECT_EQ(s.part[1].enter, 4);
  EXPECT_EQ(s.part[1].exit, 5);
  EXPECT_EQ(s.part[0].enter_normal, (Vec3{-1, 0, 0}));
  EXPECT_EQ(s.part[0].exit_normal, (Vec3{1, 0, 0})); // toward the centre
  EXPECT_EQ(s.part[1].enter_normal, (Vec3{-1, 0, 0}));
  EXPECT_EQ(s.part[1].exit_normal, (Vec3{1, 0, 0}));
  EXPECT_EQ(clip(Line{{-3, 1, 0}, {1, 0, 0}}, all).count,
            1); // it touches the inner sphere: no hollow
}

TEST(CastShell, FromTheHollow) {
  const Cast c = cast(Ray{{0.5, 0, 0}, {1, 0, 0}}, all);
  ASSERT_TRUE(c);
  EXPECT_FALSE(c.inside);
  EXPECT_EQ(c.t, 0.5);
  EXPECT_EQ(c.normal, (Vec3{-1, 0, 0}));
  EXPECT_FALSE(cast(Ray{{0.5, 0, 0}, {1, 0, 0}}, all, 0.25));
  EXPECT_FALSE(cast(Ray{{0, 0, 0.5}, {0, 0, -1}}, dome)); // out of the open side
  EXPECT_TRUE(cast(Ray{{1.5, 0, 0}, {1, 0, 0}}, all).inside);
  // Behind the first part there is the second.
  EXPECT_EQ(cast(Ray{{-0.5, 0, 0}, {2, 0, 0}}, all).t, 0.75);
  EXPECT_EQ(cast(Segment{{0, 0, 0}, {2, 0, 0}}, all).t, 0.5);
  EXPECT_FALSE(cast(Segment{{-0.5, 0, 0}, {0.5, 0, 0}}, all));
}

TEST(CastShell, ThroughTheSide) {
  const Cast up = cast(Ray{{1.5, 0, -1}, {0, 0, 1}}, dome);
  ASSERT_TRUE(up);
  EXPECT_NEAR(up.t, 1, 16 * tolerance::epsilon);
  EXPECT_NEAR(up.normal.z, -1, 4 * tolerance::epsilon);
  EXPECT_FALSE(cast(Ray{{1.5, 0, -1}, {0, 0, -1}}, dome));
  EXPECT_FALSE(cast(Ray{{-3, 0, -0.5}, {1, 0, 0}}, dome));
  EXPECT_TRUE(cast(Ray{{-3, 0, 0}, {1, 0, 0}}, dome)); // in the plane of its rim
  // From below through the opening, into the roof from within.
  const Cast roof = cast(Ray{{0, 0, -3}, {0, 0, 1}}, dome);
  ASSERT_TRUE(roof);
  EXPECT_EQ(roof.t, 4);
  EXPECT_EQ(roof.normal, (Vec3{0, 0, -1}));
}

TEST(CastShell, WideConesGiveThreeParts) {
  // At z = -1.25, the opening is as wide as 1.25 * 0.8 / 0.6 = 5 / 3 > sqrt(4 - 1.25^2): nothing. Above, it is crossed.
  EXPECT_EQ(clip(Line{{-3, 0, -1.25}, {1, 0, 0}}, open_below).count, 0);
  // At z = -0.9 from x = -1.786 to -1.2 and back; the hollow is within the opening.
  const ShellSpans s = clip(Line{{-3, 0, -0.9}, {1, 0, 0}}, open_below);
  ASSERT_EQ(s.count, 2);
  EXPECT_NEAR(s.part[0].exit, 1.8, 64 * tolerance::epsilon);
  EXPECT_NEAR(s.part[0].exit_normal.x, -(-0.6), 64 * tolerance::epsilon);
  EXPECT_NEAR(s.part[1].enter, 4.2, 64 * tolerance::epsilon);
  // In a plane with the axis of a narrow opening, which is 50 degrees from the line's nearest point: in, across the opening, in, across the
  // hollow, in.
  const Vec3 n{0.766, 0, -0.643}, e{0.643, 0, 0.766};
  const SphericalShell narrow{{}, {0, 0, 1}, 0.5, 2, -0.96};
  const ShellSpans three = clip(Line{n * 0.45, e}, narrow);
  ASSERT_EQ(three.count, 3);
  EXPECT_LT(three.part[0].exit, three.part[1].enter);
  EXPECT_LT(three.part[1].exit, three.part[2].enter);
  EXPECT_EQ(cast(Ray{n * 0.45, e}, narrow).t, three.part[2].enter); // from the hollow
}

// The rest of free space may be smaller than the tolerance: exact answers, all around which is the shell.
TEST(CastShell, InATinyHollowAndDownANarrowOpening) {
  const double far = 0x1p-11;
  const SphericalShell pinhole{{far, far, far}, {0, 0, 1}, 0x1p-65, 0x1p-29, -1};
  const Line from_center{pinhole.center, {0, 0, 0x1p-65}};
  EXPECT_FALSE(cast(Ray{from_center.origin, from_center.direction}, pinhole, 0.5));
  EXPECT_EQ(cast(Ray{from_center.origin, from_center.direction}, pinhole).t, 1);
  EXPECT_EQ(test::failure(from_center, pinhole, 64, 0.5), "");
  const SphericalShell slit{{-2, -2, -2}, {1, 0, 0}, 0, 0.25, -1 + 0x1p-36};
  const Line down_the_slit{{-1, -2, -2}, {1, 0, 0}};
  EXPECT_EQ(cast(down_the_slit, slit).t, -1); // the apex, not the outer sphere at -1.25
  EXPECT_EQ(test::failure(down_the_slit, slit, 64, 0.5), "");
}

// A line almost at right angles to the axis passes the side at the height of its nearest point to the centre, but is not parallel to the side there:
// next to it means no touch with that normal.
TEST(CastShell, ANearMissOfTheSideBesideTheNearestPointToTheCentre) {
  const SphericalShell cap{{}, {0, 0, 1}, 0.5, 1.5, 0.96};
  for (const double tilt : {1e-9, -1e-9}) {
    for (int i = 0; i < 100; ++i) {
      const Vec3 e{1, 0, tilt}, on{0, 0.28, 0.96}, out{0, 0.96, -0.28};
      const Line line{on + out * (i * tolerance::epsilon) - e * 2, e};
      EXPECT_EQ(test::failure(line, cap, 64, 0.5), "") << i;
    }
  }
}

// Tangents of the side at any height, up to rounding.
TEST(CastShell, NoTangentOfTheSideIsLost) {
  for_each_seed(test::fewer_when_sanitized(20'000), [](Source& source) {
    SphericalShell s = test::spherical_shell(source);
    s.center = {}; // far from the origin, the line itself is rounded off the shell
    s.outer = std::max(s.outer, 0.5);
    s.inner = std::min(s.inner, 0.25);
    if (s.all_directions() || s.cos_half_angle < 0) s.cos_half_angle = source.unit();
    const test::Marks m = test::marks(s, source);
    const Vec3 rim = m.directions[2], level = m.directions[3];
    const Vec3 touch = s.center + rim * source.uniform(s.inner, s.outer);
    const double along = source.uniform(-9, 9);
    const Vec3 d = normalized(level + rim * along);
    const double back = source.uniform(0, 4);
    EXPECT_TRUE(cast(Line{touch - d * back, d}, s));
  });
}

// Tangents of the outer sphere, up to rounding: about half of them are outside by an epsilon or so.
TEST(CastShell, NoTangentIsLost) {
  for_each_seed(1'000, [](Source& source) {
    const Vec3 n = test::direction(source), e = perpendicular(n);
    EXPECT_TRUE(cast(Line{n * 2 - e * 3, e}, all));
  });
}

TEST(CastShell, TouchesAndDegenerateOnes) {
  EXPECT_EQ(cast(Ray{{-3, 2, 0}, {1, 0, 0}}, all).t, 3); // the outer sphere
  EXPECT_FALSE(cast(Ray{{-3, 2 + 1e-12, 0}, {1, 0, 0}}, all));
  const SphericalShell surface{{}, {0, 0, 1}, 1, 1, -1};
  EXPECT_EQ(clip(Line{{-3, 0, 0}, {1, 0, 0}}, surface).count, 2);
  EXPECT_EQ(cast(Ray{{0, 0, 0}, {1, 0, 0}}, surface).t, 1);
  const SphericalShell needle{{}, {0, 0, 1}, 1, 2, 1}; // the segment from (0, 0, 1) to (0, 0, 2)
  EXPECT_NEAR(cast(Ray{{-3, 0, 1.5}, {1, 0, 0}}, needle).t, 3, 16 * tolerance::epsilon);
  EXPECT_EQ(cast(Ray{{-3, 0, 1.5}, {1, 0, 0}}, needle).normal, (Vec3{-1, 0, 0}));
  EXPECT_FALSE(cast(Ray{{-3, 0, 0.5}, {1, 0, 0}}, needle));
  EXPECT_FALSE(cast(Ray{{-3, 1e-9, 1.5}, {1, 0, 0}}, needle));
  EXPECT_EQ(cast(Ray{{0, 0, -1}, {0, 0, 1}}, needle).t, 2);
  const SphericalShell sector{{}, {0, 0, 1}, 0, 2, 0.5};
  EXPECT_EQ(cast(Ray{{-1, 0, 0}, {1, 0, 0}}, sector).t, 1); // its apex
  EXPECT_FALSE(cast(Ray{{-1, 0, -1e-9}, {1, 0, 0}}, sector));
  EXPECT_FALSE(cast(Line{{}, {1, 0, 0}}, SphericalShell{}));
  EXPECT_TRUE(cast(Ray{{1.5, 0, 0}, {}}, all).inside);
  EXPECT_FALSE(cast(Ray{{0.5, 0, 0}, {}}, all));
  EXPECT_TRUE(cast(Line{{0, 0, 2}, {}}, dome).inside);
}

} // namespace
} // namespace carom
