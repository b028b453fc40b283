#include "carom/geometry/moments.h"

#include "carom/math/trig.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/moments.h"
#include "tests/support/property.h"

#include <functional>
#include <vector>

namespace carom::test {
namespace {

constexpr double epsilon = 0x1p-52;
/// Some dozen roundings on the way to each number.
constexpr double few = 64 * epsilon;

using Real = long double;

/// A solid of revolution about the z axis: its outline as pieces z(t), rho(t), 0 <= t <= 1, with z'(t).
struct Outline {
  struct At {
    Real z, rho, dz;
  };
  std::vector<std::function<At(Real)>> pieces;
};

Moments integrated(const Outline& outline) {
  const auto sum = [&](auto&& f) {
    Real total = 0;
    for (const auto& piece : outline.pieces) {
      total += integrate(0, 1, 24, [&](Real t) { return f(piece(t)); });
    }
    return total;
  };
  const Real volume = sum([](const Outline::At& p) { return p.rho * p.rho * p.dz; }) * M_PIl;
  if (!(volume > 0)) return {};
  const Real z =
      sum([](const Outline::At& p) { return p.z * p.rho * p.rho * p.dz; }) * M_PIl / volume;
  const Real along = M_PIl * sum([&](const Outline::At& p) {
                       return (p.z - z) * (p.z - z) * p.rho * p.rho * p.dz;
                     });
  const Real across =
      M_PIl / 4 * sum([](const Outline::At& p) { return p.rho * p.rho * p.rho * p.rho * p.dz; });
  const auto d = [](Real x) { return static_cast<double>(x); };
  return {d(volume), {0, 0, d(z)}, Mat3::diagonal({d(across), d(across), d(along)})};
}

auto line_piece(Real z0, Real rho0, Real z1, Real rho1) {
  return [=](Real t) { return Outline::At{z0 + (z1 - z0) * t, rho0 + (rho1 - rho0) * t, z1 - z0}; };
}
auto arc_piece(Real z, Real rho, Real r, Real from, Real to) {
  return [=](Real t) {
    const Real angle = from + (to - from) * t;
    return Outline::At{z + r * std::sin(angle), rho + r * std::cos(angle),
                       r * std::cos(angle) * (to - from)};
  };
}

Moments integrated(const ConeFrustum& f, double r) {
  const Real slope = std::atan2(Real{f.radius_a} - f.radius_b, Real{f.height});
  const Real s = r * std::sin(slope);
  const Real c = r * std::cos(slope);
  return integrated(Outline{{arc_piece(0, f.radius_a, r, -M_PI_2l, slope),
                             line_piece(s, f.radius_a + c, f.height + s, f.radius_b + c),
                             arc_piece(f.height, f.radius_b, r, slope, M_PI_2l)}});
}

PROPERTY(Moments, OfRoundedFrustumsAgreeWithQuadrature) {
  const double s = scale(source);
  const ConeFrustum f{{}, {0, 0, 1}, radius(source) * s, radius(source) * s, radius(source) * s};
  const double r = radius(source) * s;
  const double size = f.height + f.radius_a + f.radius_b + r;
  const Moments m = moments(f, r);
  note() << "height " << f.height << " radii " << f.radius_a << " " << f.radius_b << " rounding "
         << r << "\n";
  const Moments expected = integrated(f, r);
  ASSUME(expected.volume > 0);
  note() << are_close(m, expected, size, few).message() << "\n";
  REQUIRE(close(m, expected, size, few));
  REQUIRE(m.second.x.y == 0 && m.second.x.z == 0 && m.second.y.z == 0);
}

// The outline itself, from nothing but its definition: the farthest from the axis at height z is the farthest of the circles of radius r around
// the points of the side and of both discs.
TEST(Moments, RoundedFrustumsHaveTheOutlineAssumed) {
  for (const ConeFrustum& f :
       {ConeFrustum{{}, {0, 0, 1}, 2, 1, 0.25}, ConeFrustum{{}, {0, 0, 1}, 1, 0, 2},
        ConeFrustum{{}, {0, 0, 1}, 0, 1, 0}, ConeFrustum{{}, {0, 0, 1}, 1, 1, 1}}) {
    const Real r = 0.5;
    const auto outline = [&](Real z) {
      Real best = 0;
      for (int i = 0; i <= 2000; ++i) {
        const Real t = i / 2000.0L;
        const Real away = z - t * f.height;
        if (std::fabs(away) > r) continue;
        best = std::max(best, f.radius_a + (f.radius_b - f.radius_a) * t +
                                  std::sqrt(r * r - away * away));
      }
      return best;
    };
    // Where a rim is nearest below or above, the disc reaches its own radius and r beyond.
    const int n = 400;
    Real volume = 0;
    const Real low = -r;
    const Real high = f.height + r;
    for (int i = 0; i < n; ++i) {
      const Real rho = outline(low + (high - low) * (i + 0.5L) / n);
      volume += M_PIl * rho * rho * (high - low) / n;
    }
    EXPECT_NEAR(static_cast<double>(volume) / moments(f, static_cast<double>(r)).volume, 1, 2e-4);
  }
}

PROPERTY(Moments, OfTaperedCapsulesAgreeWithQuadrature) {
  const double s = scale(source);
  const double l = radius(source) * s;
  const double p = radius(source) * s;
  const double q = radius(source) * s;
  note() << "length " << l << " radii " << p << " " << q << "\n";
  const Moments m = moments(TaperedCapsule{{}, {0, 0, l}, p, q});
  const Real sine = (Real{p} - q) / l;
  if (!(l > std::fabs(p - q))) {
    const Moments ball = moments(p >= q ? Sphere{{}, p} : Sphere{{0, 0, l}, q});
    REQUIRE(m.volume == ball.volume && m.centroid == ball.centroid && m.second == ball.second);
    return;
  }
  const Real angle = std::asin(sine);
  const Real c = std::cos(angle);
  const Moments expected = integrated(Outline{{arc_piece(0, 0, p, -M_PI_2l, angle),
                                               line_piece(p * sine, p * c, l + q * sine, q * c),
                                               arc_piece(l, 0, q, angle, M_PI_2l)}});
  ASSUME(expected.volume > 0);
  note() << are_close(m, expected, l + p + q, few).message() << "\n";
  REQUIRE(close(m, expected, l + p + q, few));
}

TEST(Moments, OfBallsBoxesEllipsoids) {
  const Moments ball = moments(Sphere{{1, 2, 3}, 2});
  EXPECT_TRUE(
      are_close(ball, {32 * pi / 3, {1, 2, 3}, Mat3::identity() * (128 * pi / 15)}, 2, few));
  EXPECT_TRUE(are_close(moments(Obb{{1, 2, 3}, {}, {1, 2, 3}}),
                        {48, {1, 2, 3}, Mat3::diagonal({16, 64, 144})}, 3, few));
  EXPECT_TRUE(are_close(moments(Ellipsoid{{1, 2, 3}, {}, {1, 2, 3}}),
                        {8 * pi, {1, 2, 3}, Mat3::diagonal(Vec3{1, 4, 9} * (8 * pi / 5))}, 3, few));
  // A ball's inertia is 2/5 m r^2, a long rod's 1/12 m l^2.
  EXPECT_NEAR(inertia(ball).x.x, 0.4 * ball.volume * 4, few * ball.volume * 4);
  const Moments rod = moments(Cylinder{{}, {0, 0, 1}, 500, 1e-3});
  EXPECT_NEAR(inertia(rod).x.x, rod.volume * 1e6 / 12, 1e-11 * rod.volume * 1e6);
  EXPECT_NEAR(inertia(rod).z.z, rod.volume * 1e-6 / 2, few * rod.volume * 1e-6);
}

// Almost a ball: around the upper rim the outline has an arc so short that its slab's volume is all rounding.
TEST(Moments, OfASmallFrustumRoundedMuch) {
  const ConeFrustum f{
      {}, {0, 0, 1}, 3.637978807091713e-18, 5.960464477539063e-14, 3.637978807091713e-18};
  EXPECT_TRUE(are_close(moments(f, 2.5e-7), integrated(f, 2.5e-7), 2.5e-7, few));
  EXPECT_TRUE(are_close(moments(f, 2.5e-7), moments(Sphere{{}, 2.5e-7}), 2.5e-7, 1e-6));
}

TEST(Moments, OfATetrahedron) {
  const Moments m = tetrahedron_moments({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 1.0 / 6);
  // The integrals of x^2 and x y are 1/60 and 1/120, less those of the centroid.
  const double square = 1.0 / 160;
  const double product = -1.0 / 480;
  EXPECT_TRUE(are_close(
      m,
      {1.0 / 6,
       {0.25, 0.25, 0.25},
       {{square, product, product}, {product, square, product}, {product, product, square}}},
      1, few));
}

// A rounded box is a rounded rectangle (in x, y) at every height |z| < c, and shrinks as a circle does beyond: integrated over z.
PROPERTY(Moments, OfRoundedBoxesAgreeWithQuadrature) {
  const Real a = radius(source);
  const Real b = radius(source);
  const Real c = radius(source);
  const Real r = radius(source);
  struct Section {
    Real area, xx, yy;
  };
  // The rectangle grown by t: quadrature again over x, whose half width is b + sqrt(t^2 - (|x| - a)^2).
  const auto section = [&](Real t) {
    Section s{4 * a * (b + t), 4 * a * a * a / 3 * (b + t),
              4 * a * (b + t) * (b + t) * (b + t) / 3};
    for_each_node(0, M_PI_2l, 8, [&](Real u, Real weight) {
      const Real x = a + t * std::sin(u);
      const Real half = b + t * std::cos(u);
      const Real dx = 4 * weight * t * std::cos(u);
      s = {s.area + half * dx, s.xx + x * x * half * dx, s.yy + half * half * half / 3 * dx};
    });
    return s;
  };
  Section sum{0, 0, 0};
  Real zz = 0;
  const auto add = [&](const Section& s, Real z, Real weight) {
    sum = {sum.area + weight * s.area, sum.xx + weight * s.xx, sum.yy + weight * s.yy};
    zz += weight * s.area * z * z;
  };
  const Section middle = section(r);
  add(middle, 0, 2 * c);
  zz += middle.area * 2 * c * c * c / 3;
  for_each_node(0, M_PI_2l, 8, [&](Real u, Real weight) {
    add(section(r * std::cos(u)), c + r * std::sin(u), 2 * weight * r * std::cos(u));
  });
  const auto d = [](Real x) { return static_cast<double>(x); };
  const Moments m = moments(Obb{{}, {}, {d(a), d(b), d(c)}}, d(r));
  REQUIRE(close(m, {d(sum.area), {}, Mat3::diagonal({d(sum.xx), d(sum.yy), d(zz)})},
                d(a + b + c + r), 1e-12));
}

PROPERTY(Moments, CapsulesAreCylindersBoxesAndTaperedCapsules) {
  const double h = radius(source);
  const double r = radius(source);
  const Vec3 near = vec3(source);
  const Vec3 center = near + offset(source);
  const Mat3 basis = axes(source);
  // Placed far away, the ends of a capsule are rounded: that is not a matter of moments.
  const double slack = epsilon * max_abs(center);
  ASSUME(h == 0 || h > 1e3 * slack);
  const double size = h + r + slack;
  const Vec3 a = center - basis.z * h;
  const Vec3 b = center + basis.z * h;
  const double tolerance = few + 16 * slack / (h > 0 ? h : 1);
  const Moments m = moments(Capsule{a, b, r});
  REQUIRE(close(moments(Obb{center, basis, {0, 0, h}}, r), m, size, tolerance));
  REQUIRE(close(moments(Cylinder{center, basis.z, h, 0}, r), m, size, tolerance));
  REQUIRE(close(moments(TaperedCapsule{a, b, r, r}), m, size, tolerance));
  // A slightly tapered one differs by that much.
  REQUIRE(close(moments(TaperedCapsule{a, b, r, r * (1 + 1e-9)}), m, size, tolerance + 1e-8));
}

PROPERTY(Moments, ConesAreFrustumsAndTendToCylinders) {
  const Cone c = cone(source);
  const double r = radius(source);
  const double size = c.height + c.radius + r;
  const Vec3 base = c.base_center();
  const ConeFrustum other_way{base, -c.axis, c.height, c.radius, 0};
  const double tolerance = few + 8 * epsilon * max_abs(base) / (size > 0 ? size : 1);
  REQUIRE(close(moments(other_way, r), moments(c, r), size, tolerance));
  // Cut in two across the axis, without rounding.
  ASSUME(c.height > 0 && c.radius > 0);
  const double cut = source.unit();
  const Moments tip = moments(Cone{c.apex, c.axis, c.height * cut, c.radius * cut});
  const Moments rest = moments(ConeFrustum{c.apex + c.axis * (c.height * cut), c.axis,
                                           c.height * (1 - cut), c.radius * cut, c.radius});
  REQUIRE(close(tip + rest, moments(c), size, tolerance));
}

PROPERTY(Moments, MoveAndScale) {
  const Ellipsoid e = ellipsoid(source);
  const Pose at = pose(source);
  const Frame frame = at.frame();
  const double size = max_abs(e.radii);
  const double reach = size + max_abs(e.center) + max_abs(at.position);
  const Ellipsoid placed{frame.to_world(e.center), frame.basis * e.axes, e.radii};
  const Moments m = moved(moments(e), frame);
  const Moments direct = moments(placed);
  REQUIRE(m.volume == direct.volume);
  REQUIRE(max_abs(m.centroid - direct.centroid) <= few * reach);
  REQUIRE(size_of(m.second - direct.second) <= few * m.volume * size * size);
  REQUIRE(m.second == transpose(m.second));

  // Scaled along its own axes an ellipsoid stays one; a negative factor mirrors.
  const Vec3 f{positive(source), -positive(source), positive(source)};
  const Ellipsoid along{e.center, {}, e.radii};
  const Moments grown = scaled(moments(along), f);
  const Moments expected = moments(Ellipsoid{mul(e.center, f), {}, mul(e.radii, abs(f))});
  REQUIRE(std::fabs(grown.volume - expected.volume) <= few * expected.volume);
  REQUIRE(grown.centroid == expected.centroid);
  for (int i = 0; i < 3; ++i) {
    REQUIRE(std::fabs(grown.second[i][i] - expected.second[i][i]) <= few * expected.second[i][i]);
  }
}

// The second moments of two solids together, about any point, are the sum: here about the origin, in long double.
PROPERTY(Moments, Add) {
  const Obb box = obb(source);
  const Moments a = moments(box, radius(source));
  const Moments b = moments(ellipsoid(source));
  const Moments sum = a + b;
  if (a.volume == 0 || b.volume == 0) {
    const Moments& one = b.volume == 0 ? a : b;
    REQUIRE(sum.volume == one.volume && sum.centroid == one.centroid && sum.second == one.second);
    return;
  }
  const double size = 8;
  for (int i = 0; i < 3; ++i) {
    const Real first = Real{a.volume} * a.centroid[i] + Real{b.volume} * b.centroid[i];
    REQUIRE(std::fabs(first - Real{sum.volume} * sum.centroid[i]) <= few * sum.volume * size);
    for (int j = 0; j < 3; ++j) {
      const auto about_origin = [&](const Moments& m) {
        return Real{m.second[i][j]} + Real{m.volume} * m.centroid[i] * m.centroid[j];
      };
      REQUIRE(std::fabs(about_origin(a) + about_origin(b) - about_origin(sum)) <=
              few * sum.volume * size * size);
    }
  }
}

TEST(Moments, OfFlatThings) {
  const auto expect_flat = [](const Moments& m, const Vec3& centroid) {
    EXPECT_EQ(m.volume, 0);
    EXPECT_EQ(m.centroid, centroid);
    EXPECT_EQ(m.second, Mat3::zero());
  };
  const Vec3 c{1, 2, 3};
  expect_flat(moments(Sphere{c, 0}), c);
  expect_flat(moments(Capsule{c, c + Vec3{2, 0, 0}, 0}), c + Vec3{1, 0, 0});
  expect_flat(moments(Capsule{c, c, 0}), c);
  expect_flat(moments(TaperedCapsule{c, c + Vec3{2, 0, 0}, 0, 0}), c + Vec3{1, 0, 0});
  expect_flat(moments(TaperedCapsule{c, c, 0, 0}), c);
  expect_flat(moments(Obb{c, {}, {1, 0, 1}}), c);
  expect_flat(moments(Ellipsoid{c, {}, {1, 0, 1}}), c);
  expect_flat(moments(Cylinder{c, {0, 0, 1}, 0, 1}), c);
  expect_flat(moments(Cylinder{c, {0, 0, 1}, 1, 0}), c);
  expect_flat(moments(Cone{c, {0, 0, 1}, 0, 1}), c);
  expect_flat(moments(Cone{c, {0, 0, 1}, 2, 0}), c + Vec3{0, 0, 1});
  expect_flat(moments(Cone{c, {0, 0, 1}, 0, 0}), c);
  // Negative lengths count as 0.
  expect_flat(moments(Sphere{c, -1}), c);
  expect_flat(moments(Obb{c, {}, {-1, -1, -1}}, -1), c);
}

// Nothing crashes, and nothing loops, on what is not a number.
// Numbers that are none give no moments worth having, but no negative volume either.
TEST(Moments, OfNonsenseAreNotNegative) {
  for (const double x : {static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
    EXPECT_FALSE(moments(Sphere{{x, 0, 0}, x}).volume < 0);
    EXPECT_FALSE(moments(Capsule{{x, 0, 0}, {}, x}).volume < 0);
    EXPECT_FALSE(moments(TaperedCapsule{{x, 0, 0}, {}, x, 1}).volume < 0);
    EXPECT_FALSE(moments(ConeFrustum{{x, 0, 0}, {x, 0, 0}, x, x, x}, x).volume < 0);
    EXPECT_FALSE(moments(Obb{{x, 0, 0}, {}, {x, x, x}}, x).volume < 0);
  }
}

} // namespace
} // namespace carom::test
