// The checker of casts is checked: for every kind of set it accepts the answer, and refuses each way of spoiling it.
#include "carom/verify/check_cast_shell.h"

#include "carom/geometry/cast_box.h"
#include "carom/geometry/cast_cone.h"
#include "carom/geometry/cast_flat.h"
#include "carom/geometry/cast_polyhedron.h"
#include "carom/geometry/cast_round.h"
#include "tests/geometry/closest_check.h"

namespace carom {
namespace {

using test::Placement;
using test::Source;
using verify::StraightPiece;
using verify::Verdict;

// ---- sets and how to ask about them

template<class S>
Verdict check(const StraightPiece& line, const S& set, const Cast& answer, double tolerance) {
  return verify::check_cast(line, set, answer, tolerance);
}
template<int K>
Verdict check(const StraightPiece& line, const Kdop<K>& kdop, const Cast& answer,
              double tolerance) {
  return verify::check_faces_cast(line, verify::half_spaces(kdop), answer, tolerance);
}
Verdict check(const StraightPiece& line, const ConvexPolyhedron& solid, const Cast& answer,
              double tolerance) {
  return verify::check_faces_cast(line, solid.faces, answer, tolerance);
}

// A line through the middle of a set of size 1, from well outside. `normal` is that of a flat set: the line is not nearly in its plane.
struct Case {
  Line line;
  double size;      // of the coordinates
  double tolerance; // as the tests of casts have it

  [[nodiscard]] Ray ray() const { return {line.origin, line.direction}; }
};

Case through(Source& source, const Vec3& middle, const Vec3& normal, const Placement& place) {
  Vec3 d = test::direction(source);
  if (normal != Vec3{} && std::fabs(dot(normal, d)) < 0.2) d = normalized(d + normal);
  const double speed = 0.25 + source.unit();
  const Vec3 target = middle + test::vec3(source) * 0.01;
  const Line line = test::moved(place, Line{target - d * 6, d * speed});
  const double size = max_abs(line.origin) + max_abs(place.offset) + 16 * place.scale;
  return {line, size, 32 * tolerance::epsilon * size};
}

Cast at(const Case& c, double t, const Vec3& normal) {
  return {true, t, c.line.at(t), normal, false};
}
constexpr Cast miss{};

// Each must be refused. `enter` is the true hit of the line.
template<class S>
void expect_refused(Source& source, const Case& c, const S& set, const Cast& enter, double scale) {
  const auto refused = [&](const char* what, const StraightPiece& line, const Cast& answer) {
    EXPECT_FALSE(check(line, set, answer, c.tolerance).ok) << what;
  };
  const Ray ray = c.ray();
  const Segment segment{ray.origin, ray.at(2 * enter.t)};
  refused("a line's false miss", c.line, miss);
  refused("a ray's false miss", ray, miss);
  refused("a segment's false miss", segment, miss);
  refused("a cut ray's false miss", {ray, 2 * enter.t}, miss);

  const double step = 1e-3 * scale / length(ray.direction); // of t, for a thousandth of the size
  for (const double wrong : {enter.t + step, enter.t - step}) {
    refused("a wrong time", ray, at(c, wrong, enter.normal));
    Cast point = at(c, wrong, enter.normal);
    point.t = enter.t;
    refused("a point off the line", ray, point);
    point.t = wrong;
    point.point = enter.point;
    refused("a time of another point", ray, point);
  }
  Cast slid = enter;
  slid.point += perpendicular(normalized(ray.direction)) * (1e-3 * scale);
  refused("a point beside the line", ray, slid);

  refused("the opposite normal", ray, at(c, enter.t, -enter.normal));
  refused("no normal", ray, at(c, enter.t, {}));
  refused("a long normal", ray, at(c, enter.t, enter.normal * (1 + 1e-9)));
  for (const double tilt : {0.05, 0.5}) {
    const Vec3 side =
        normalized(cross(enter.normal, test::direction(source) + Vec3{0.1, 0.2, 0.3}));
    refused("a turned normal", ray, at(c, enter.t, normalized(enter.normal + side * tilt)));
  }

  const Cast start{true, 0, ray.origin, {}, true};
  refused("inside, from outside", ray, start);
  refused("inside, not at the start", ray, {true, enter.t, enter.point, {}, true});
  refused("inside, with a normal", ray, {true, 0, ray.origin, enter.normal, true});
  refused("a line inside", c.line, {true, enter.t, enter.point, {}, true});
  refused("a hit out of range", {ray, 0.5 * enter.t}, enter);
  refused("a hit behind the ray", Ray{ray.at(2 * enter.t), ray.direction},
          {true, -enter.t, enter.point, enter.normal, false});
  refused("no point", ray, {true, enter.t, {NAN, 0, 0}, enter.normal, false});

  // A line that passes the set, and a claim to meet it where it is nearest.
  const Vec3 aside = perpendicular(normalized(ray.direction)) * (32 * scale);
  const Case off{{ray.origin + aside, ray.direction}, c.size, c.tolerance};
  EXPECT_TRUE(check(off.line, set, miss, c.tolerance).ok);
  refused("a false hit", off.line, at(off, enter.t, enter.normal));
  refused("a false hit, inside", off.ray(), {true, 0, off.ray().origin, {}, true});
}

// The start in the set: only solids have an inside that a line comes out of.
template<class S>
void expect_inside(const Case& c, const S& set, double middle) {
  const Ray from{c.line.at(middle), c.line.direction};
  const Cast inside{true, 0, from.origin, {}, true};
  EXPECT_TRUE(check(from, set, inside, c.tolerance).ok);
  EXPECT_FALSE(check(from, set, miss, c.tolerance).ok) << "a false miss from inside";
  EXPECT_FALSE(
      check(from, set, {true, 0, from.origin, -normalized(from.direction), false}, c.tolerance).ok)
      << "entering from inside";
  const LineSpan span = clip(Line{from.origin, from.direction}, set);
  EXPECT_FALSE(
      check(from, set, {true, span.exit, from.at(span.exit), span.exit_normal, false}, c.tolerance)
          .ok)
      << "where it comes out";
  EXPECT_FALSE(
      check(from, set, {true, span.exit, from.at(span.exit), -span.exit_normal, false}, c.tolerance)
          .ok)
      << "where it comes out, turned";
}

template<class S>
void expect_checked(Source& source, const S& at_rest, const Vec3& middle, const Vec3& normal) {
  const Placement place = test::placement(source);
  const S set = test::moved(place, at_rest);
  const Case c = through(source, middle, normal, place);
  const LineSpan span = clip(c.line, set);
  ASSERT_TRUE(span.hit);
  const Cast enter = at(c, span.enter, span.enter_normal);
  EXPECT_EQ(check(c.line, set, enter, c.tolerance).why, "");
  EXPECT_EQ(check(c.ray(), set, enter, c.tolerance).why, "");
  expect_refused(source, c, set, enter, place.scale);
  if (normal == Vec3{}) expect_inside(c, set, (span.enter + span.exit) / 2);
}

template<class Make>
void expect_all_checked(Make&& make) {
  test::for_each_seed(test::fewer_when_sanitized(50), [&](Source& source) { make(source); });
}

// ---- each kind

#define CHECKED(name, set, middle, normal)                                                         \
  TEST(CheckCast, name) {                                                                          \
    expect_all_checked([](Source& source) {                                                        \
      [[maybe_unused]] const Mat3 m = test::axes(source);                                          \
      expect_checked(source, set, middle, normal);                                                 \
    });                                                                                            \
  }

CHECKED(Triangle, (Triangle{m.x, m.y, m.x * -1 - m.y}), (Vec3{}), m.z)
CHECKED(Quad, (Quad{m.x, m.y, -m.x, -m.y}), (Vec3{}), m.z)
CHECKED(Rectangle, (Rectangle{{0.5, 0, 0}, m.x, m.y, 1, 0.5}), (Vec3{0.5, 0, 0}), m.z)
CHECKED(Sphere, (Sphere{{1, 2, 3}, 1}), (Vec3{1, 2, 3}), (Vec3{}))
CHECKED(Capsule, (Capsule{-m.x, m.x, 0.5}), (Vec3{}), (Vec3{}))
CHECKED(Lozenge, (Lozenge{{{}, m.x, m.y, 1, 0.5}, 0.25}), (Vec3{}), (Vec3{}))
CHECKED(Cylinder, (Cylinder{{}, m.z, 1, 0.5}), (Vec3{}), (Vec3{}))
CHECKED(Cone, (Cone{{}, m.z, 1, 1}), m.z * 0.75, (Vec3{}))
CHECKED(ConeFrustum, (ConeFrustum{{}, m.z, 1, 1, 0.5}), m.z * 0.5, (Vec3{}))
CHECKED(Ellipsoid, (Ellipsoid{{}, m, {1, 0.5, 0.25}}), (Vec3{}), (Vec3{}))
CHECKED(Aabb, (Aabb{{-1, -0.5, 0}, {1, 0.5, 0.5}}), (Vec3{0, 0, 0.25}), (Vec3{}))
CHECKED(Obb, (Obb{{}, m, {1, 0.5, 0.25}}), (Vec3{}), (Vec3{}))
CHECKED(ViewFrustum, (ViewFrustum{{}, m, 0.5, 1.5, 0.5, 0.75}), m.z, (Vec3{}))
CHECKED(Tetrahedron, (Tetrahedron{m.x, m.y, m.z, -m.x - m.y - m.z}), (Vec3{}), (Vec3{}))
CHECKED(Kdop14, (Kdop14{{-1, -1, -1, -1, -1, -1, -1}, {1, 1, 1, 1, 1, 1, 1}}), (Vec3{}), (Vec3{}))

// Flat ones of kinds that have an inside: found by moving the line, since no point of it is deep.
CHECKED(Disc, (Cylinder{{}, m.z, 0, 1}), (Vec3{}), m.z)
CHECKED(FlatCone, (Cone{{}, m.z, 0, 1}), (Vec3{}), m.z)
CHECKED(FlatEllipsoid, (Ellipsoid{{}, m, {1, 0.5, 0}}), (Vec3{}), m.z)
CHECKED(FlatAabb, (Aabb{{-1, 0, -1}, {1, 0, 1}}), (Vec3{}), (Vec3{0, 1, 0}))
CHECKED(FlatObb, (Obb{{}, m, {1, 0, 1}}), (Vec3{}), m.y)
CHECKED(FlatLozenge, (Lozenge{{{}, m.x, m.y, 1, 0.5}, 0}), (Vec3{}), m.z)

TEST(CheckCast, Polygon) {
  expect_all_checked([](Source& source) {
    const Mat3 m = test::axes(source);
    const Placement place = test::placement(source);
    const std::array<Vec3, 5> corners{place(m.x), place(m.y), place(m.x * -0.75 + m.y * 0.75),
                                      place(-m.x), place(-m.y)};
    const Polygon set{corners};
    const Case c = through(source, {}, m.z, place);
    const LineSpan span = clip(c.line, set);
    ASSERT_TRUE(span.hit);
    const Cast enter = at(c, span.enter, span.enter_normal);
    EXPECT_EQ(check(c.ray(), set, enter, c.tolerance).why, "");
    expect_refused(source, c, set, enter, place.scale);
  });
}

TEST(CheckCast, ConvexPolyhedron) {
  expect_all_checked([](Source& source) {
    const Mat3 m = test::axes(source);
    const Placement place = test::placement(source);
    std::vector<HalfSpace> faces;
    for (const Vec3& n : {m.x, m.y, m.z, -m.x, -m.y, -m.z}) {
      faces.push_back(test::moved(place, HalfSpace{n, 0.5}));
    }
    const ConvexPolyhedron set{faces};
    const Case c = through(source, {}, {}, place);
    const LineSpan span = clip(c.line, set);
    ASSERT_TRUE(span.hit);
    const Cast enter = at(c, span.enter, span.enter_normal);
    EXPECT_EQ(check(c.ray(), set, enter, c.tolerance).why, "");
    expect_refused(source, c, set, enter, place.scale);
    expect_inside(c, set, (span.enter + span.exit) / 2);
  });
}

// ---- sets without end

constexpr double tight = 32 * tolerance::epsilon;

TEST(CheckCast, HalfSpace) {
  const HalfSpace ground{{0, 0, 1}, 0};
  const Ray down{{1, 2, 3}, {0, 0, -1}};
  const Line up{{1, 2, 3}, {0, 0, 1}}, level{{1, 2, -3}, {1, 0, 0}};
  const Vec3 n{0, 0, 1};
  const auto ok = [&](const StraightPiece& line, const Cast& answer) {
    return check(line, ground, answer, tight).ok;
  };
  EXPECT_TRUE(ok(down, {true, 3, {1, 2, 0}, n, false}));
  EXPECT_FALSE(ok(down, miss));
  EXPECT_FALSE(ok(down, {true, 3.5, {1, 2, -0.5}, n, false}));
  EXPECT_FALSE(ok(down, {true, 2.5, {1, 2, 0.5}, n, false}));
  EXPECT_FALSE(ok(down, {true, 3, {1, 2, 0}, -n, false}));
  EXPECT_FALSE(ok(down, {true, 3, {1, 2, 0}, {0, 0.6, 0.8}, false}));
  EXPECT_TRUE(ok(Ray{{1, 2, 3}, {0, 0, 1}}, miss));
  EXPECT_FALSE(ok(Ray{{1, 2, 3}, {0, 0, 1}}, {true, 0, {1, 2, 3}, n, false}));
  // A line that comes from below: it is inside, at the t nearest to 0.
  EXPECT_TRUE(ok(up, {true, -3, {1, 2, 0}, {}, true}));
  EXPECT_FALSE(ok(up, {true, -4, {1, 2, -1}, {}, true}));
  EXPECT_FALSE(ok(up, {true, 0, {1, 2, 3}, {}, true}));
  EXPECT_FALSE(ok(up, miss));
  EXPECT_TRUE(ok(level, {true, 0, {1, 2, -3}, {}, true}));
  EXPECT_FALSE(ok(level, {true, 1, {2, 2, -3}, {}, true}));
  EXPECT_FALSE(ok(level, {true, -1, {0, 2, -3}, {}, true}));
  // One that comes from above is not.
  EXPECT_FALSE(ok(Line{down.origin, down.direction}, {true, 3, {1, 2, 0}, {}, true}));
  EXPECT_FALSE(ok(Line{down.origin, down.direction}, {true, 4, {1, 2, -1}, {}, true}));
}

TEST(CheckCast, Plane) {
  const Plane ground{{0, 0, 1}, 0};
  const Ray down{{1, 2, 3}, {0, 0, -1}};
  const Line level{{1, 2, 0}, {1, 0, 0}};
  const Vec3 n{0, 0, 1};
  const auto ok = [&](const StraightPiece& line, const Cast& answer) {
    return check(line, ground, answer, tight).ok;
  };
  EXPECT_TRUE(ok(down, {true, 3, {1, 2, 0}, n, false}));
  EXPECT_FALSE(ok(down, miss)); // though no point of a plane is deep
  EXPECT_TRUE(ok({down, 2.5}, miss));
  EXPECT_FALSE(ok({down, 3.5}, miss));
  EXPECT_FALSE(ok(down, {true, 3, {1, 2, 0}, -n, false}));
  EXPECT_FALSE(ok(down, {true, 2, {1, 2, 1}, n, false}));
  EXPECT_FALSE(ok(down, {true, 0, {1, 2, 3}, {}, true}));
  EXPECT_TRUE(ok(level, {true, 0, {1, 2, 0}, {}, true}));
  EXPECT_FALSE(ok(level, {true, 1, {2, 2, 0}, {}, true}));
  EXPECT_TRUE(ok(Line{{1, 2, 3}, {1, 0, 0}}, miss));
  EXPECT_FALSE(ok(Line{{1, 2, 3}, {1, 0, 0}}, {true, 0, {1, 2, 3}, {}, true}));
}

// ---- flat sets, close to the border and in their plane

constexpr Triangle half_square{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};

TEST(CheckCast, FlatMissesCloseToTheBorder) {
  const auto misses = [](const Vec3& origin, const Vec3& d) {
    return check(Line{origin, d}, half_square, miss, tight).ok;
  };
  for (const double in : {2.0, 1e3, 1e9}) {
    EXPECT_FALSE(misses({0.25, in * tight, 1}, {0, 0, -1}));
    EXPECT_TRUE(misses({0.25, -in * tight, 1}, {0, 0, -1}));
  }
  EXPECT_TRUE(misses({0.25, 0.5 * tight, 1}, {0, 0, -1})); // a touch, up to the tolerance
  // At a slant of one to a thousand, the tolerance moves the crossing a thousand times as far along it, and no farther across.
  EXPECT_TRUE(misses({500 * tight, 0.25, 0}, {1, 0, -1e-3}));
  EXPECT_FALSE(misses({2000 * tight, 0.25, 0}, {1, 0, -1e-3}));
  EXPECT_FALSE(misses({0.25, 2 * tight, 0}, {1, 0, -1e-3}));
  // Rays and segments that end short of the plane, or just beyond.
  const auto short_of = [](double end) {
    return check(Segment{{0.25, 0.25, 1}, {0.25, 0.25, end}}, half_square, miss, tight).ok;
  };
  EXPECT_TRUE(short_of(2 * tight));
  EXPECT_TRUE(short_of(-0.5 * tight));
  EXPECT_FALSE(short_of(-2 * tight));
  const Ray down{{0.25, 0.25, 1}, {0, 0, -1}}, away{{0.25, 0.25, 1}, {0, 0, 1}};
  EXPECT_TRUE(check({down, 0.5}, half_square, miss, tight).ok);
  EXPECT_TRUE(check(away, half_square, miss, tight).ok);
  EXPECT_FALSE(check(Ray{{0.25, 0.25, 2 * tight}, {0, 0, -1}}, half_square, miss, tight).ok);
  EXPECT_TRUE(check(Ray{{0.25, 0.25, -2 * tight}, {0, 0, -1}}, half_square, miss, tight).ok);
}

TEST(CheckCast, SliversAreCrossedToo) {
  // Thousand times as long as wide, and a million times.
  for (const double wide : {1e-3, 1e-6}) {
    const Triangle t{{0, 0, 0}, {1, 1, 1}, {0.5 + wide, 0.5 - wide, 0.5}};
    const Vec3 middle = (t.a + t.b + t.c) / 3;
    EXPECT_FALSE(check(Line{middle + Vec3{1, 1, -2}, {1, 1, -2}}, t, miss, tight).ok);
    EXPECT_TRUE(check(Line{middle + Vec3{wide, -wide, 0}, {1, 1, -2}}, t, miss, tight).ok);
  }
}

TEST(CheckCast, InThePlaneOfAFlatSet) {
  const std::array<Vec3, 4> square{Vec3{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const Quad quad{square[0], square[1], square[2], square[3]};
  const Ray ray{{-1, 0.25, 0}, {1, 0, 0}};
  const Vec3 n{0, 0, 1};
  const auto expect = [&](const auto& set) {
    EXPECT_TRUE(check(ray, set, {true, 1, {0, 0.25, 0}, n, false}, tight).ok);
    EXPECT_FALSE(check(ray, set, miss, tight).ok);
    EXPECT_FALSE(check(ray, set, {true, 1.5, {0.5, 0.25, 0}, n, false}, tight).ok);
    EXPECT_FALSE(check(ray, set, {true, 0.5, {-0.5, 0.25, 0}, n, false}, tight).ok);
    EXPECT_FALSE(check(ray, set, {true, 0, {-1, 0.25, 0}, {}, true}, tight).ok);
    EXPECT_TRUE(check({ray, 0.5}, set, miss, tight).ok);
    EXPECT_FALSE(check({ray, 1.5}, set, miss, tight).ok);
    EXPECT_TRUE(check(Ray{{-1, 0, 0}, {1, 0, 0}}, set, miss, tight).ok); // along the edge: a touch
    EXPECT_TRUE(check(Ray{{-1, -0.25, 0}, {1, 0, 0}}, set, miss, tight).ok);
  };
  expect(half_square);
  expect(quad);
  expect(Polygon{square});
  // Across a triangle that is a segment: in one plane with it, and through its middle.
  const Triangle segment{{0, 0, 0}, {2, 0, 0}, {1, 0, 0}};
  EXPECT_FALSE(check(Ray{{1.5, -1, 0}, {0, 1, 0}}, segment, miss, tight).ok);
  EXPECT_TRUE(check(Ray{{2.5, -1, 0}, {0, 1, 0}}, segment, miss, tight).ok);
}

// ---- shells

TEST(CheckCast, SphericalShell) {
  const SphericalShell shell{{}, {0, 0, 1}, 1, 2, 0}; // a dome
  const auto ok = [&](const StraightPiece& line, const Cast& answer) {
    return verify::check_cast(line, shell, answer, tight).ok;
  };
  // Along x at z = 0.6: in at -1.908, out at -0.8 into the hollow, in at 0.8, out at 1.908.
  const double far = std::sqrt(4 - 0.36);
  const Line line{{-3, 0, 0.6}, {1, 0, 0}};
  const Ray ray{line.origin, line.direction}, hollow{{0, 0, 0.6}, {1, 0, 0}};
  const auto hit = [&](double x, const Vec3& n) {
    return Cast{true, x + 3, {x, 0, 0.6}, n, false};
  };
  const Vec3 outer = Vec3{-far, 0, 0.6} / 2, inner{-0.8, 0, -0.6};
  EXPECT_TRUE(ok(line, hit(-far, outer)));
  EXPECT_TRUE(ok(ray, hit(-far, outer)));
  EXPECT_FALSE(ok(line, miss));
  EXPECT_FALSE(ok(ray, miss));
  EXPECT_FALSE(ok({ray, 2}, miss));
  EXPECT_TRUE(ok({ray, 1}, miss));
  EXPECT_FALSE(ok(ray, hit(-far, -outer)));
  EXPECT_FALSE(ok(ray, hit(-far, {-1, 0, 0})));
  EXPECT_FALSE(ok(ray, hit(-far + 1e-3, outer)));
  EXPECT_FALSE(ok(ray, hit(-far - 1e-3, outer)));
  EXPECT_FALSE(ok(ray, hit(-0.8, Vec3{0.8, 0, -0.6}))); // where it comes out
  EXPECT_FALSE(ok(ray, hit(0.8, inner))); // the second part, as if the first were not there
  EXPECT_TRUE(ok(hollow, {true, 0.8, {0.8, 0, 0.6}, inner, false}));
  EXPECT_FALSE(ok(hollow, {true, 0, {0, 0, 0.6}, {}, true})); // the hollow is not inside
  EXPECT_FALSE(ok(hollow, {true, 0.5, {0.5, 0, 0.6}, inner, false}));
  EXPECT_FALSE(ok(hollow, miss));
  EXPECT_FALSE(ok(line, {true, 1.5, {-1.5, 0, 0.6}, {}, true}));
  // The side, from below.
  const Ray up{{1.5, 0, -1}, {0, 0, 1}};
  EXPECT_TRUE(ok(up, {true, 1, {1.5, 0, 0}, {0, 0, -1}, false}));
  EXPECT_FALSE(ok(up, {true, 1, {1.5, 0, 0}, {0, 0, 1}, false}));
  EXPECT_FALSE(ok(up, {true, 1.25, {1.5, 0, 0.25}, {0, 0, -1}, false}));
  EXPECT_FALSE(ok(up, miss));
  EXPECT_TRUE(ok(Ray{{1.5, 0, -1}, {0, 0, -1}}, miss));
  // A surface without thickness, and without width.
  const SphericalShell surface{{}, {0, 0, 1}, 1, 1, 0};
  EXPECT_FALSE(verify::check_cast(line, surface, miss, tight).ok);
  EXPECT_TRUE(verify::check_cast(Line{{-3, 0, 1.2}, {1, 0, 0}}, surface, miss, tight).ok);
}

// The free space of a shell is not convex as a whole, and a part of it may be narrower than the tolerance: then every move out of it
// leads into the shell, though the line is off it.
TEST(CheckCast, InAHollowSmallerThanTheTolerance) {
  const SphericalShell shell{{1, 0, 0}, {0, 0, 1}, 1e-3 * tight, 0.5, -1};
  const auto ok = [&](const StraightPiece& line) {
    return verify::check_cast(line, shell, miss, tight).ok;
  };
  const Ray from_center{{1, 0, 0}, {0.6e-3 * tight, 0.8e-3 * tight, 0}};
  EXPECT_TRUE(ok({from_center, 0.5}));
  EXPECT_FALSE(ok(from_center));
  EXPECT_FALSE(ok({from_center, 1e5}));
  EXPECT_TRUE(ok(Line{{1, 0, 0}, {}}));
  EXPECT_FALSE(ok(Line{{1.25, 0, 0}, {}}));
  // Without the hollow there is no way to miss.
  const SphericalShell ball{{1, 0, 0}, {0, 0, 1}, 0, 0.5, -1};
  EXPECT_FALSE(verify::check_cast({from_center, 0.5}, ball, miss, tight).ok);
}

TEST(CheckCast, AcrossTheHollowUpToItsWallsOnBothSides) {
  const SphericalShell shell{{}, {0, 0, 1}, 1, 2, -1}, surface{{}, {0, 0, 1}, 1, 1, -1};
  const Ray ray{{-1 + 0.1 * tight, 0, 0}, {1, 0, 0}};
  for (const SphericalShell& s : {shell, surface}) {
    EXPECT_TRUE(verify::check_cast({ray, 2 - 0.2 * tight}, s, miss, tight).ok);
    EXPECT_FALSE(verify::check_cast({ray, 2 + 20 * tight}, s, miss, tight).ok);
    EXPECT_FALSE(verify::check_cast(ray, s, miss, tight).ok);
    EXPECT_FALSE(verify::check_cast(Line{ray.origin, ray.direction}, s, miss, tight).ok);
  }
}

TEST(CheckCast, DownAnOpeningNarrowerThanTheToleranceToItsTip) {
  // All of a ball but a cone about -x of half angle 5e-6.
  const SphericalShell shell{{}, {1, 0, 0}, 0, 0.25, -1 + 0x1p-36};
  const Ray ray{{-1, 0, 0}, {1, 0, 0}};
  const auto ok = [&](const Ray& r, const Cast& answer) {
    return verify::check_cast(r, shell, answer, tight).ok;
  };
  EXPECT_TRUE(ok(ray, {true, 1, {}, {-1, 0, 0}, false}));
  EXPECT_FALSE(ok(ray, miss));
  // Beside the opening the same answer is wrong: the line goes through its wall.
  EXPECT_FALSE(ok({{-1, 1e-7, 0}, {1, 0, 0}}, {true, 1, {0, 1e-7, 0}, {-1, 0, 0}, false}));
}

// A line through a thin bowl: in by the opening, next to its rim, and out through the wall. No one move takes it off the rim and keeps its end,
// just before the wall, off that.
TEST(CheckCast, InByAnOpeningNextToTheRimAndOutThroughTheWall) {
  const SphericalShell bowl{{}, {0, 0, 1}, 1, 1, -0.96};
  const Vec3 rim{-0.0784, std::sqrt(0.28 * 0.28 - 0.0784 * 0.0784), -0.96};
  const Vec3 e = normalized(Vec3{1, 0, 1e-4}), into_opening = normalized(Vec3{0, -0.96, -0.28});
  const auto accepts_the_wall = [&](double within_opening) {
    const Vec3 x = normalized(rim + into_opening * within_opening);
    const double t = -2 * dot(x, e);
    const Vec3 wall = x + e * t;
    return verify::check_cast(Line{x - e * 2, e}, bowl, {true, t + 2, wall, -wall, false}, tight)
        .ok;
  };
  for (const double depth : {1e-6, 0.1 * tight, 0.01 * tight, 0.0, -0.1 * tight}) {
    EXPECT_TRUE(accepts_the_wall(depth)) << depth;
  }
  // It meets the wall at an angle whose sine is 0.08: a move shifts the place by up to 13 times as much.
  EXPECT_FALSE(accepts_the_wall(-80 * tight));
  EXPECT_FALSE(accepts_the_wall(-1e-5));
}

// ---- points

TEST(CheckCast, APointIsInsideOrMisses) {
  const Sphere ball{{}, 1};
  const Line in{{0.5, 0, 0}, {}}, out{{1.5, 0, 0}, {}};
  EXPECT_TRUE(check(in, ball, {true, 0, in.origin, {}, true}, tight).ok);
  EXPECT_FALSE(check(in, ball, {true, 1, in.origin, {}, true}, tight).ok);
  EXPECT_FALSE(check(in, ball, {true, 0, in.origin, {1, 0, 0}, false}, tight).ok);
  EXPECT_FALSE(check(Line{{1, 0, 0}, {}}, ball, {true, 0, {1, 0, 0}, {1, 0, 0}, false}, tight).ok);
  EXPECT_FALSE(check(in, ball, miss, tight).ok);
  EXPECT_TRUE(check(out, ball, miss, tight).ok);
  EXPECT_FALSE(check(out, ball, {true, 0, out.origin, {}, true}, tight).ok);
}

} // namespace
} // namespace carom
