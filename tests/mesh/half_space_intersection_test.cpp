#include "carom/mesh/half_space_intersection.h"

#include "carom/math/pose.h"
#include "carom/math/tolerance.h"
#include "tests/mesh/exact_half_spaces.h"
#include "tests/support/generate.h"
#include "tests/support/property.h"

#include <cmath>
#include <limits>

namespace carom {
namespace {

using test::Source;
using tolerance::epsilon;
using Faces = std::vector<HalfSpace>;
using Kind = test::ExactIntersection::Kind;

// --- What every result must keep to. Sums of products of doubles in 113 bits: their rounding is 2^-60 of what is asked.

using Quad = __float128;

double excess(const HalfSpace& f, const Vec3& p) {
  return static_cast<double>(Quad(f.normal.x) * p.x + Quad(f.normal.y) * p.y +
                             Quad(f.normal.z) * p.z - Quad(f.offset));
}

double size_of(const ConvexHull& hull) {
  double size = 0;
  for (const Vec3& p : hull.vertices) size = std::max(size, max_abs(p));
  return size;
}

/// An epsilon of the greatest coordinate, and what a coordinate is off where it would be below Carom's least.
double unit_of(const ConvexHull& hull) {
  return epsilon * size_of(hull) + tolerance::coordinate_min;
}

/// The greatest excess of a corner in units of |normal|.
double greatest_excess(const Faces& faces, const ConvexHull& hull) {
  double worst = -HUGE_VAL;
  for (const HalfSpace& f : faces) {
    const double unit = unit_of(hull) * length(f.normal);
    for (const Vec3& p : hull.vertices) {
      if (f.signed_distance(p) > -64 * unit) worst = std::max(worst, excess(f, p) / unit);
    }
  }
  return worst;
}

/// How far the corners of a face are off the plane that it is said to be on, in the same units; and no corner elsewhere.
double greatest_offset(const Faces& faces, const HalfSpaceIntersection& solid) {
  double worst = 0;
  for (std::size_t f = 0; f < solid.hull.face_count(); ++f) {
    if (solid.face_of[f] == faces.size()) continue;
    const HalfSpace& on = faces[solid.face_of[f]];
    const double unit = unit_of(solid.hull) * length(on.normal);
    for (const std::uint32_t v : solid.hull.corners(f))
      worst = std::max(worst, std::fabs(excess(on, solid.hull.vertices[v])) / unit);
  }
  return worst;
}

/// Twice the area of a face.
Vec3 area_of(const ConvexHull& hull, std::size_t face) {
  const auto ring = hull.corners(face);
  const auto at = [&](std::size_t i) { return hull.vertices[ring[i]]; };
  Vec3 sum;
  for (std::size_t i = 2; i < ring.size(); ++i) sum += cross(at(i - 1) - at(0), at(i) - at(0));
  return sum;
}
double longest_side(const ConvexHull& hull, std::size_t face) {
  const auto ring = hull.corners(face);
  double longest = 0;
  for (std::size_t i = 0; i < ring.size(); ++i)
    longest = std::max(
        longest, distance(hull.vertices[ring[i]], hull.vertices[ring[(i + 1) % ring.size()]]));
  return longest;
}

/// A face that only rounding made is as thin as that: its area is below a rounding times its length.
bool is_sliver(const ConvexHull& hull, std::size_t face) {
  return length(area_of(hull, face)) <= 64 * unit_of(hull) * longest_side(hull, face);
}

/// What is wrong; nothing, it is to be hoped.
std::string fault(const Faces& faces, const HalfSpaceIntersection& solid) {
  const ConvexHull& hull = solid.hull;
  if (hull.dimension != 3) return "flat";
  if (solid.face_of.size() != hull.face_count()) return "face_of has another length";
  if (greatest_excess(faces, hull) > 64) return "a corner is outside";
  if (greatest_offset(faces, solid) > 64) return "a corner is off its face's plane";
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    if (is_sliver(hull, f)) continue;
    const std::uint32_t on = solid.face_of[f];
    if (on == faces.size()) return "a face without a half-space";
    if (dot(area_of(hull, f), faces[on].normal) <= 0) return "a face that looks inward";
  }
  return {};
}

Vec3 corner_along(const ConvexHull& hull, const Vec3& d) {
  return *std::max_element(hull.vertices.begin(), hull.vertices.end(),
                           [&](const Vec3& a, const Vec3& b) { return dot(a, d) < dot(b, d); });
}

ErrorCode code_of(const Faces& faces) {
  const auto result = intersect_half_spaces(faces);
  EXPECT_FALSE(result.has_value());
  EXPECT_FALSE(result || result.error().message.empty());
  return result ? ErrorCode::bad_file : result.error().code;
}

// --- Solids.

Faces box(const Vec3& low, const Vec3& high) {
  return {{{1, 0, 0}, high.x},  {{-1, 0, 0}, -low.x}, {{0, 1, 0}, high.y},
          {{0, -1, 0}, -low.y}, {{0, 0, 1}, high.z},  {{0, 0, -1}, -low.z}};
}

/// The image of a half-space under x -> k x + t. Its plane is rounded.
HalfSpace moved(const HalfSpace& f, double k, const Vec3& t) {
  return {f.normal, f.offset * k + dot(f.normal, t)};
}

/// A point on the unit sphere, even: n of them on a spiral.
Vec3 on_spiral(int i, int n) {
  const double z = 1 - (2 * i + 1.0) / n;
  const double r = std::sqrt(1 - z * z);
  const double turn = i * 2.399963229728653;
  return {r * std::cos(turn), r * std::sin(turn), z};
}

TEST(HalfSpaceIntersection, BoxesAreExact) {
  for (const auto& [low, high] : {std::pair{Vec3{-1, -1, -1}, Vec3{1, 1, 1}},
                                  {Vec3{0.1, 0.2, 0.3}, Vec3{0.7, 1e3, 0.4}},
                                  {Vec3{1e6, 1e6, 1e6}, Vec3{1e6 + 1, 1e6 + 1e-9, 1e6 + 2}},
                                  {Vec3{0, 0, 0}, Vec3{1, 1, 1e-20}},
                                  {Vec3{-1e30, -1e30, -1e30}, Vec3{1e30, 1e30, 1e30}},
                                  {Vec3{-1e-30, -1e-30, 1e-30}, Vec3{1e-30, 1e-30, 2e-30}}}) {
    const Faces faces = box(low, high);
    const auto solid = intersect_half_spaces(faces);
    ASSERT_TRUE(solid) << solid.error().message;
    EXPECT_EQ(solid->hull.vertices.size(), 8u);
    EXPECT_EQ(solid->hull.face_count(), 6u);
    for (const Vec3& p : solid->hull.vertices)
      for (int k = 0; k < 3; ++k) EXPECT_TRUE(p[k] == low[k] || p[k] == high[k]);
    for (std::size_t f = 0; f < 6; ++f) {
      const HalfSpace& on = faces[solid->face_of[f]];
      for (const std::uint32_t v : solid->hull.corners(f))
        EXPECT_EQ(dot(on.normal, solid->hull.vertices[v]), on.offset);
    }
    EXPECT_EQ(fault(faces, *solid), "");
  }
}

TEST(HalfSpaceIntersection, AxesAndDiagonalsAreExact) {
  // An octahedron (four planes through each corner), a rhombic dodecahedron (three or four), and one with normals of odd lengths.
  Faces octahedron;
  Faces rhombic;
  Faces uneven;
  for (int i = 0; i < 8; ++i) {
    const Vec3 d{i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0};
    octahedron.push_back({d, 1});
    uneven.push_back({d * (i + 3), i + 3.0});
  }
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 4; ++i) {
      Vec3 d;
      d[k] = i & 1 ? 1 : -1;
      d[(k + 1) % 3] = i & 2 ? 1 : -1;
      rhombic.push_back({d, 2});
    }
  }
  for (const Faces& faces : {octahedron, uneven}) {
    const auto solid = intersect_half_spaces(faces);
    ASSERT_TRUE(solid);
    EXPECT_EQ(solid->hull.vertices.size(), 6u);
    EXPECT_EQ(solid->hull.face_count(), 8u);
    EXPECT_LE(greatest_excess(faces, solid->hull), 0);
    EXPECT_EQ(greatest_offset(faces, *solid), 0);
    EXPECT_EQ(fault(faces, *solid), "");
  }
  const auto solid = intersect_half_spaces(rhombic);
  ASSERT_TRUE(solid);
  EXPECT_EQ(solid->hull.vertices.size(), 14u);
  EXPECT_EQ(solid->hull.face_count(), 12u);
  EXPECT_EQ(greatest_offset(rhombic, *solid), 0);
  EXPECT_EQ(fault(rhombic, *solid), "");
}

TEST(HalfSpaceIntersection, RegularDodecahedron) {
  const double golden = (1 + std::sqrt(5.0)) / 2;
  Faces faces;
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 4; ++i) {
      Vec3 d;
      d[k] = i & 1 ? 1 : -1;
      d[(k + 1) % 3] = i & 2 ? golden : -golden;
      faces.push_back({d, 1});
    }
  }
  const auto solid = intersect_half_spaces(faces);
  ASSERT_TRUE(solid);
  EXPECT_EQ(solid->hull.vertices.size(), 20u);
  EXPECT_EQ(fault(faces, *solid), "");
  // Three planes at each corner; rounding of coordinates is half an epsilon of each, so 3 terms of at most golden * size: below 2.
  EXPECT_LE(greatest_excess(faces, solid->hull), 2);
  std::vector<double> area(12);
  for (std::size_t f = 0; f < solid->hull.face_count(); ++f)
    if (solid->face_of[f] < 12) area[solid->face_of[f]] += length(area_of(solid->hull, f));
  for (const double a : area) EXPECT_NEAR(a, area[0], 64 * epsilon * area[0]);
}

TEST(HalfSpaceIntersection, ManyTangentPlanesOfASphere) {
  // Every tangent plane touches the unit sphere, so all are faces; three planes meet at each corner, so there are 2 n - 4.
  for (const int n : {16, 100, 1000, 2000}) {
    Faces faces;
    for (int i = 0; i < n; ++i) faces.push_back({on_spiral(i, n) * (1 + i % 7), 1.0 + i % 7});
    const auto solid = intersect_half_spaces(faces);
    ASSERT_TRUE(solid);
    EXPECT_EQ(solid->hull.vertices.size(), static_cast<std::size_t>(2 * n - 4));
    EXPECT_EQ(fault(faces, *solid), "");
    EXPECT_LE(greatest_excess(faces, solid->hull), 2);
    std::vector<double> area(faces.size());
    for (std::size_t f = 0; f < solid->hull.face_count(); ++f) {
      ASSERT_LT(solid->face_of[f], faces.size());
      area[solid->face_of[f]] += length(area_of(solid->hull, f));
    }
    // The faces share 4 pi (twice: 8 pi) evenly, more or less.
    for (const double a : area) EXPECT_GT(a, 20.0 / n);
  }
}

TEST(HalfSpaceIntersection, RandomTangentPlanesOfASphere) {
  test::for_each_seed(test::fewer_when_sanitized(10), [](Source& source) {
    Faces faces;
    while (faces.size() < 1000) {
      const Vec3 d{source.uniform(-1, 1), source.uniform(-1, 1), source.uniform(-1, 1)};
      if (length(d) <= 1 && length(d) > 0.1) faces.push_back({d, length(d)});
    }
    const auto solid = intersect_half_spaces(faces);
    ASSERT_TRUE(solid);
    EXPECT_EQ(solid->hull.vertices.size(), 1996u);
    EXPECT_EQ(fault(faces, *solid), "");
    EXPECT_LE(greatest_excess(faces, solid->hull), 2);
    std::vector<bool> has_face(faces.size());
    for (const std::uint32_t i : solid->face_of) has_face[i] = true;
    EXPECT_EQ(std::count(has_face.begin(), has_face.end(), false), 0);
  });
}

TEST(HalfSpaceIntersection, DuplicatesAndRedundantOnesChangeNothing) {
  test::for_each_seed(200, [](Source& source) {
    Faces faces = box({-1, -1, -1}, {1, 1, 1});
    for (int i = source.index(8); i > 0; --i) {
      const Vec3 d{source.uniform(-1, 1), source.uniform(-1, 1), source.uniform(-1, 1)};
      faces.push_back({d, source.uniform(0.6, 1.5) * length(d)});
    }
    const auto before = intersect_half_spaces(faces);
    ASSERT_TRUE(before);
    Faces more = faces;
    for (int i = 0; i < 20; ++i) {
      HalfSpace f = faces[static_cast<std::size_t>(source.below(faces.size()))];
      const double k = std::ldexp(1.0, source.index(9) - 4);
      f = {f.normal * k, f.offset * k};
      if (source.chance(2)) f.offset += 0.01 + source.unit();
      more.push_back(f);
      const Vec3 d = test::direction(source);
      more.push_back({d, dot(d, corner_along(before->hull, d)) + (source.chance(2) ? 0.01 : 1e6)});
    }
    const auto after = intersect_half_spaces(more);
    ASSERT_TRUE(after);
    const auto sorted = [](std::vector<Vec3> v) {
      std::sort(v.begin(), v.end(), [](const Vec3& a, const Vec3& b) {
        return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
      });
      return v;
    };
    EXPECT_EQ(sorted(before->hull.vertices), sorted(after->hull.vertices));
    for (const std::uint32_t i : after->face_of) EXPECT_LT(i, faces.size()); // the first of equals
  });
}

TEST(HalfSpaceIntersection, TouchingOnesAddNoCorner) {
  // Planes through an edge and through a corner of a cube, without cutting it: the dual points lie on edges and faces of the dual hull.
  Faces faces = box({0, 0, 0}, {1, 1, 1});
  faces.push_back({{3, 7, 0}, 10});
  faces.push_back({{1, 2, 0}, 3});
  faces.push_back({{-0.1, 0, 0.7}, 0.7});
  faces.push_back({{1, 1, 1}, 3});
  faces.push_back({{5, 1, 3}, 9});
  const auto solid = intersect_half_spaces(faces);
  ASSERT_TRUE(solid);
  EXPECT_EQ(solid->hull.vertices.size(), 8u);
  for (const std::uint32_t i : solid->face_of) EXPECT_LT(i, 6u);
}

TEST(HalfSpaceIntersection, ThinSlabsAtAnyAngle) {
  // A plate one unit wide, 1e-9 or less thick, turned: its faces are opposite exactly, and its thickness comes out to the rounding of corners.
  test::for_each_seed(500, [](Source& source) {
    const Mat3 turn = to_matrix(test::rotation(source));
    const double thickness = std::ldexp(1.0, -source.index(38));
    const Vec3 half{0.5, 0.25 + source.unit(), thickness / 2};
    Faces faces;
    for (int k = 0; k < 3; ++k) {
      faces.push_back({turn[k], half[k]});
      faces.push_back({-turn[k], half[k]});
    }
    const auto solid = intersect_half_spaces(faces);
    ASSERT_TRUE(solid) << thickness;
    EXPECT_EQ(solid->hull.vertices.size(), 8u);
    EXPECT_EQ(fault(faces, *solid), "");
    EXPECT_LE(greatest_excess(faces, solid->hull), 2);
    for (std::size_t i = 0; i < 6; ++i)
      EXPECT_GE(std::count(solid->face_of.begin(), solid->face_of.end(), i), 1);
    const double measured =
        dot(turn[2], corner_along(solid->hull, turn[2]) - corner_along(solid->hull, -turn[2]));
    EXPECT_NEAR(measured, thickness, 8 * epsilon * size_of(solid->hull));
  });
}

TEST(HalfSpaceIntersection, TheEdgeOfAWedgeKnowsItsSide) {
  // Long, thin, closed by two planes that are all but parallel and a third all but the same as one of them. Three corners lie on a plane of
  // each side to within rounding, and the face between them is on one.
  const double r = 0.70710678118654746;
  const Faces faces{
      {{0, r, -r}, 1.5e+20},
      {{0, -r, r}, 1.0807879574626569e+20},
      {{1.7184370118569124e-08, -r, 0.70710701960512656}, 1.0807879574626569e+20},
      {{1.3218573191223856e-18, r, -r}, 1.5e+20},
      {{6.1033293532030276e-05, -2.2887485074511353e-05, -0.99999999787555005},
       3.1103329353203028e+19},
      {{-0.10774934556943977, 0.37866513847111949, -0.91924033388227988}, -1.0699934556943976e+22}};
  const auto solid = intersect_half_spaces(faces);
  ASSERT_TRUE(solid);
  EXPECT_EQ(fault(faces, *solid), "");
}

TEST(HalfSpaceIntersection, ScaledByPowersOfTwoItIsTheSame) {
  // Scaling by a power of two rounds nothing: corners are scaled, faces the same. The ends are those of the range.
  test::for_each_seed(50, [](Source& source) {
    Faces faces;
    for (int i = 0; i < 30; ++i) {
      const Vec3 d = test::direction(source);
      faces.push_back({d * (source.unit() + 0.5), 0.5 + source.unit()});
    }
    const auto plain = intersect_half_spaces(faces);
    if (!plain) return;
    for (const int exponent : {-60, 60, 90}) {
      Faces scaled = faces;
      for (HalfSpace& f : scaled) f.offset = std::ldexp(f.offset, exponent);
      const auto solid = intersect_half_spaces(scaled);
      ASSERT_TRUE(solid);
      EXPECT_EQ(solid->face_of, plain->face_of);
      ASSERT_EQ(solid->hull.vertices.size(), plain->hull.vertices.size());
      for (std::size_t v = 0; v < plain->hull.vertices.size(); ++v)
        EXPECT_EQ(solid->hull.vertices[v], plain->hull.vertices[v] * std::ldexp(1.0, exponent));
    }
  });
}

// --- Against the oracle.

HalfSpace small_integers(Source& source) {
  const auto entry = [&](int reach) {
    return source.index(2 * reach + 1) - static_cast<double>(reach);
  };
  const double x = entry(3);
  const double y = entry(3);
  const double z = entry(3);
  const Vec3 n = x == 0 && y == 0 && z == 0 ? Vec3{0, 0, 1} : Vec3{x, y, z};
  return {n, source.chance(4) ? entry(2) : source.index(6) + 1.0};
}

/// Small integers: what it is, and every corner, are those of exact arithmetic.
PROPERTY(HalfSpaceIntersection, SmallIntegersAreExact) {
  Faces faces;
  if (source.chance(2)) {
    const double r = 1 + source.index(3);
    faces = box({-r, -r, -r}, {r, r, r});
  }
  for (int i = source.index(7); i > 0; --i) faces.push_back(small_integers(source));
  const auto oracle = test::exact_intersection(faces);
  const auto solid = intersect_half_spaces(faces);
  if (oracle.kind != Kind::solid) {
    REQUIRE(!solid);
    REQUIRE(solid.error().code ==
            (oracle.kind == Kind::unbounded ? ErrorCode::unbounded : ErrorCode::degenerate));
    return;
  }
  REQUIRE(solid.has_value());
  std::vector<Vec3> corners;
  for (const auto& p : oracle.corners) corners.push_back(test::rounded(p));
  const auto expected = convex_hull(corners);
  REQUIRE(expected.has_value());
  test::note() << solid->hull.vertices.size() << " of " << expected->vertices.size();
  REQUIRE(solid->hull.vertices.size() == expected->vertices.size());
  for (const Vec3& p : solid->hull.vertices)
    REQUIRE(std::find(corners.begin(), corners.end(), p) != corners.end());
  test::note() << fault(faces, *solid);
  REQUIRE(fault(faces, *solid).empty());
}

/// How wide the solid is across each of its half-spaces, the least of these, relative to its size.
double relative_width(const Faces& faces, const std::vector<test::ExactPoint>& corners) {
  double size = 0;
  for (const auto& p : corners) size = std::max(size, max_abs(test::rounded(p)));
  double least = HUGE_VAL;
  for (const HalfSpace& f : faces) {
    mpq_class deepest = 0;
    for (const auto& p : corners)
      deepest = std::max(deepest, mpq_class(f.offset - test::exact_dot(test::exact(f.normal), p)));
    least = std::min(least, deepest.get_d() / (length(f.normal) * size));
  }
  return least;
}

/// How far a true corner is beyond a face of the hull at most, in those units.
double greatest_loss(const ConvexHull& hull, const std::vector<test::ExactPoint>& corners) {
  double worst = 0;
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const auto ring = hull.corners(f);
    const auto at = [&](std::size_t i) { return test::exact(hull.vertices[ring[i]]); };
    const auto normal = test::exact_cross(test::exact_difference(at(1), at(0)),
                                          test::exact_difference(at(2), at(0)));
    const double length = std::sqrt(test::exact_dot(normal, normal).get_d());
    for (const auto& p : corners) {
      const mpq_class beyond = test::exact_dot(normal, test::exact_difference(p, at(0)));
      worst = std::max(worst, beyond.get_d() / (length * unit_of(hull)));
    }
  }
  return worst;
}

/// Any directions and distances, with parallel, nearly parallel, repeated and nearly repeated planes; thin, far away, large and small.
Faces hard_faces(Source& source) {
  Faces faces;
  const double k = test::scale(source);
  const Vec3 t = test::offset(source) * k;
  if (source.chance(2)) {
    for (const HalfSpace& f : box({-1, -1, -1}, {1, 1, 1})) faces.push_back(moved(f, k, t));
  }
  for (int i = source.index(6); i >= 0; --i) {
    HalfSpace f{test::direction(source), test::positive(source)};
    const int like = source.index(5);
    if (like > 0 && !faces.empty()) {
      const HalfSpace& other = faces[static_cast<std::size_t>(source.below(faces.size()))];
      const Vec3 tilt = test::halved_vec3(source, 36) * 0x1p-20;
      if (like == 1) f = {other.normal, f.offset};
      if (like == 2) f = {-other.normal, f.offset};
      if (like == 3) f.normal = other.normal + tilt;
      if (like == 4) {
        faces.push_back({other.normal + tilt, other.offset});
        continue;
      }
    }
    faces.push_back(moved(f, k, t));
  }
  for (HalfSpace& f : faces) {
    for (double* x : {&f.normal.x, &f.normal.y, &f.normal.z, &f.offset})
      if (std::fabs(*x) < tolerance::coordinate_min) *x = 0;
  }
  return faces;
}

PROPERTY(HalfSpaceIntersection, AgreesWithRationals) {
  const Faces faces = hard_faces(source);
  const auto oracle = test::exact_intersection(faces);
  const auto solid = intersect_half_spaces(faces);
  if (!solid) test::note() << solid.error().message;

  const bool unbounded = !solid && solid.error().code == ErrorCode::unbounded;
  REQUIRE(unbounded == (oracle.kind == Kind::unbounded));
  if (unbounded) return;
  if (!solid && solid.error().code == ErrorCode::out_of_range) {
    REQUIRE(!oracle.corners.empty());
    double size = 0;
    for (const auto& p : oracle.corners) size = std::max(size, max_abs(test::rounded(p)));
    REQUIRE(size > tolerance::coordinate_max);
    return;
  }
  if (!solid) {
    // Refused as flat: it is, to within some roundings.
    REQUIRE(solid.error().code == ErrorCode::degenerate);
    REQUIRE(oracle.kind != Kind::solid || relative_width(faces, oracle.corners) <= 64 * epsilon);
    return;
  }
  REQUIRE(oracle.kind == Kind::solid || oracle.kind == Kind::flat);
  test::note() << "excess " << greatest_excess(faces, solid->hull) << ", loss "
               << greatest_loss(solid->hull, oracle.corners);
  test::note() << fault(faces, *solid);
  REQUIRE(fault(faces, *solid).empty());
  REQUIRE(greatest_loss(solid->hull, oracle.corners) <= 64);
}

// --- What is no solid.

TEST(HalfSpaceIntersection, Unbounded) {
  const Vec3 x{1, 0, 0};
  const Vec3 y{0, 1, 0};
  const Vec3 z{0, 0, 1};
  for (const Faces& faces :
       {Faces{}, Faces{{x, 1}}, Faces{{x, 1}, {-x, 1}}, Faces{{x, 1}, {y, 1}},
        Faces{{x, 1}, {-x, 1}, {y, 1}, {-y, 1}}, Faces{{x, 1}, {y, 1}, {z, 1}},
        Faces{{x, 1}, {-x, 1}, {y, 1}, {-y, 1}, {z, 1}}, Faces{{x, 0}, {-x, 0}},
        Faces{{x + y, 1}, {y - x, 1}, {-y, 1}}, Faces{{x, 1}, {x, 2}, {x, 3}, {x * 2, 9}}})
    EXPECT_EQ(code_of(faces), ErrorCode::unbounded);
  // The sentence names a direction along which it goes on.
  EXPECT_EQ(intersect_half_spaces(Faces{{x, 1}, {-x, 1}, {y, 1}, {-y, 1}, {z, 1}}).error().message,
            "the intersection reaches to infinity along (0.000000, 0.000000, -1.000000)");
}

TEST(HalfSpaceIntersection, EmptyOrFlat) {
  Faces apart = box({-1, -1, -1}, {1, 1, 1});
  apart.push_back({{-1, -1, -1}, -3.5});
  EXPECT_EQ(code_of(apart), ErrorCode::degenerate);
  EXPECT_EQ(intersect_half_spaces(apart).error().message,
            "half-spaces 0, 2, 4 and 6 have no point in common");
  apart.back().offset = -3; // a corner of the cube
  EXPECT_EQ(code_of(apart), ErrorCode::degenerate);
  EXPECT_EQ(code_of({{{1, 0, 0}, 1}, {{-1, 0, 0}, -2}}),
            ErrorCode::degenerate); // empty, if not bounded
  EXPECT_EQ(code_of(box({1, 0, 0}, {0, 1, 1})), ErrorCode::degenerate);
  EXPECT_EQ(code_of(box({0, 0, 0}, {1, 1, 0})), ErrorCode::degenerate);
  EXPECT_EQ(code_of(box({0, 0, 0}, {1, 0, 0})), ErrorCode::degenerate);
  EXPECT_EQ(code_of(box({3, 4, 5}, {3, 4, 5})), ErrorCode::degenerate);
  // Flat at an angle, and as thin as rounding.
  test::for_each_seed(200, [](Source& source) {
    const Mat3 turn = to_matrix(test::rotation(source));
    Faces faces;
    const Vec3 at = test::vec3(source) + Vec3{5, 6, 7};
    for (int k = 0; k < 3; ++k) {
      const double half = k == 2 ? (source.index(3) - 1) * 1e-17 : 1;
      faces.push_back({turn[k], dot(turn[k], at) + half});
      faces.push_back({-turn[k], half - dot(turn[k], at)});
    }
    EXPECT_EQ(code_of(faces), ErrorCode::degenerate);
  });
}

TEST(HalfSpaceIntersection, BadNumbers) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const auto& [bad, code] : {std::pair{HalfSpace{{0, 0, 0}, 1}, ErrorCode::out_of_range},
                                  {HalfSpace{{1e31, 0, 0}, 1}, ErrorCode::out_of_range},
                                  {HalfSpace{{1, 1e-31, 0}, 1}, ErrorCode::out_of_range},
                                  {HalfSpace{{1, 0, 0}, 1e-31}, ErrorCode::out_of_range},
                                  {HalfSpace{{1, 0, 0}, -1e31}, ErrorCode::out_of_range},
                                  {HalfSpace{{NAN, 0, 0}, 1}, ErrorCode::not_finite},
                                  {HalfSpace{{0, -infinity, 0}, 1}, ErrorCode::not_finite},
                                  {HalfSpace{{0, 0, 1}, infinity}, ErrorCode::not_finite},
                                  {HalfSpace{{0, 0, 1}, NAN}, ErrorCode::not_finite}}) {
    Faces faces = box({-1, -1, -1}, {1, 1, 1});
    faces.insert(faces.begin() + 2, bad);
    const auto result = intersect_half_spaces(faces);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, code);
    EXPECT_NE(result.error().message.find("half-space 2"), std::string::npos);
  }
  // A tetrahedron whose corners are beyond the range.
  EXPECT_EQ(
      code_of({{{-1e-5, 0, 0}, 1e28}, {{0, -1, 0}, 1e28}, {{0, 0, -1}, 1}, {{1, 1, 1}, 1e28}}),
      ErrorCode::out_of_range);
}

} // namespace
} // namespace carom
