// The matrix of overlap tests: every ordered pair of kinds, every answer through the checker.
//
// A wrong Boolean cannot pass: a false 'separated' has no axis to show, and a false 'hit' no common point, unless the sets are within the
// tolerance of touching.
#include "carom/geometry/overlap.h"

#include "carom/math/tolerance.h"
#include "carom/verify/check.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/property.h"

#include <tuple>

namespace carom {
namespace {

using test::Source;

// x -> k x + t of each kind, and the greatest |coordinate| of any of its points (or a little more).
Sphere placed(const Sphere& s, double k, const Vec3& t) { return {s.center * k + t, s.radius * k}; }
Aabb placed(const Aabb& b, double k, const Vec3& t) { return {b.min * k + t, b.max * k + t}; }
Obb placed(const Obb& b, double k, const Vec3& t) { return {b.center * k + t, b.axes, b.half * k}; }
Capsule placed(const Capsule& c, double k, const Vec3& t) {
  return {c.a * k + t, c.b * k + t, c.radius * k};
}
Lozenge placed(const Lozenge& l, double k, const Vec3& t) {
  const Rectangle& r = l.core;
  return {{r.center * k + t, r.u, r.v, r.half_u * k, r.half_v * k}, l.radius * k};
}
Triangle placed(const Triangle& s, double k, const Vec3& t) {
  return {s.a * k + t, s.b * k + t, s.c * k + t};
}
Plane placed(const Plane& p, double k, const Vec3& t) {
  return {p.normal, p.offset * k + dot(p.normal, t)};
}
HalfSpace placed(const HalfSpace& p, double k, const Vec3& t) {
  return {p.normal, p.offset * k + dot(p.normal, t)};
}
Cone placed(const Cone& c, double k, const Vec3& t) {
  return {c.apex * k + t, c.axis, c.height * k, c.radius * k};
}
Cylinder placed(const Cylinder& c, double k, const Vec3& t) {
  return {c.center * k + t, c.axis, c.half_height * k, c.radius * k};
}
ViewFrustum placed(const ViewFrustum& f, double k, const Vec3& t) {
  return {f.eye * k + t, f.axes, f.near * k, f.far * k, f.slope_x, f.slope_y};
}

double size_of(const Sphere& s) { return max_abs(s.center) + s.radius; }
double size_of(const Aabb& b) { return std::max(max_abs(b.min), max_abs(b.max)); }
double size_of(const Obb& b) { return max_abs(b.center) + length(b.half); }
double size_of(const Capsule& c) { return std::max(max_abs(c.a), max_abs(c.b)) + c.radius; }
double size_of(const Lozenge& l) {
  return max_abs(l.core.center) + l.core.half_u + l.core.half_v + l.radius;
}
template<int K>
double size_of(const Kdop<K>& d) {
  double size = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    size = std::max({size, std::fabs(d.min[i]), std::fabs(d.max[i])});
  }
  return size;
}
double size_of(const Triangle& t) { return std::max({max_abs(t.a), max_abs(t.b), max_abs(t.c)}); }
double size_of(const Polygon& p) {
  double size = 0;
  for (const Vec3& v : p.vertices) size = std::max(size, max_abs(v));
  return size;
}
double size_of(const Plane& p) { return std::fabs(p.offset) / length(p.normal); }
double size_of(const HalfSpace& p) { return std::fabs(p.offset) / length(p.normal); }
double size_of(const Cone& c) { return max_abs(c.apex) + c.height + c.radius; }
double size_of(const Cylinder& c) { return max_abs(c.center) + c.half_height + c.radius; }
double size_of(const ViewFrustum& f) {
  return max_abs(f.eye) + f.far * (1 + f.slope_x + f.slope_y);
}

/// A set of some kind, owned.
template<class Kind>
struct Sample {
  Kind set;

  [[nodiscard]] const Kind& get() const { return set; }
  [[nodiscard]] Sample at(double k, const Vec3& t) const { return {placed(set, k, t)}; }
};
template<>
struct Sample<Polygon> {
  std::vector<Vec3> vertices;

  [[nodiscard]] Polygon get() const { return {vertices}; }
  [[nodiscard]] Sample at(double k, const Vec3& t) const {
    Sample r = *this;
    for (Vec3& v : r.vertices) v = v * k + t;
    return r;
  }
};
/// A k-DOP around points, fitted anew wherever they go: slabs moved one by one would not fit each other any more.
template<int K>
struct Sample<Kdop<K>> {
  std::vector<Vec3> points;

  [[nodiscard]] Kdop<K> get() const {
    Kdop<K> r;
    for (std::size_t i = 0; i < Kdop<K>::slabs; ++i) {
      for (const Vec3& p : points) {
        r.min[i] = std::min(r.min[i], dot(Kdop<K>::directions()[i], p));
        r.max[i] = std::max(r.max[i], dot(Kdop<K>::directions()[i], p));
      }
    }
    return r;
  }
  [[nodiscard]] Sample at(double k, const Vec3& t) const {
    Sample r = *this;
    for (Vec3& p : r.points) p = p * k + t;
    return r;
  }
};

std::vector<Vec3> some_points(Source& source) {
  std::vector<Vec3> points;
  for (int i = source.index(6); i >= 0; --i) points.push_back(test::vec3(source));
  return points;
}

template<class Kind>
Sample<Kind> make(Source& source);
template<>
Sample<Sphere> make(Source& s) {
  return {test::sphere(s)};
}
template<>
Sample<Aabb> make(Source& s) {
  return {test::aabb(s)};
}
template<>
Sample<Obb> make(Source& s) {
  return {test::obb(s)};
}
template<>
Sample<Capsule> make(Source& s) {
  return {test::capsule(s)};
}
template<>
Sample<Lozenge> make(Source& s) {
  return {test::lozenge(s)};
}
template<>
Sample<Kdop6> make(Source& s) {
  return {some_points(s)};
}
template<>
Sample<Kdop14> make(Source& s) {
  return {some_points(s)};
}
template<>
Sample<Kdop18> make(Source& s) {
  return {some_points(s)};
}
template<>
Sample<Kdop26> make(Source& s) {
  return {some_points(s)};
}
template<>
Sample<Triangle> make(Source& s) {
  return {test::triangle(s)};
}
template<>
Sample<Polygon> make(Source& s) {
  const auto p = test::polygon(s);
  return {{p.view().vertices.begin(), p.view().vertices.end()}};
}
template<>
Sample<Plane> make(Source& s) {
  return {test::plane(s)};
}
template<>
Sample<HalfSpace> make(Source& s) {
  return {test::half_space(s)};
}
template<>
Sample<Cone> make(Source& s) {
  return {test::cone(s)};
}
template<>
Sample<Cylinder> make(Source& s) {
  return {test::cylinder(s)};
}
template<>
Sample<ViewFrustum> make(Source& s) {
  return {test::view_frustum(s)};
}

template<class Kind>
constexpr bool unbounded = std::is_same_v<Kind, Plane> || std::is_same_v<Kind, HalfSpace>;
template<class Kind>
constexpr bool is_kdop = requires {
  Kind::slabs;
};

/// A point of the set: a random mixture of farthest points, on the surface where the first weighs all.
template<class Kind>
Vec3 some_point(Source& source, const Kind& set, bool inside) {
  if constexpr (unbounded<Kind>) {
    const double height = set.offset / length(set.normal);
    return normalized(set.normal) * (height - (inside && std::is_same_v<Kind, HalfSpace> ? 1 : 0));
  } else {
    const auto& core = core_of(set);
    Vec3 mix;
    const int n = inside ? 4 : 1;
    for (int i = 0; i < n; ++i) {
      const Vec3 d = test::direction(source);
      mix += (support_point(core, d) + d * core_radius(set)) / n;
    }
    return mix;
  }
}

/// How the pair is placed.
enum class Place { as_made, touching, deep, containing, far, count };

/// A direction in which the pair may be brought to touch: the normal of what has one.
template<class A, class B>
Vec3 touching_axis(Source& source, const A& a, const B& b) {
  if constexpr (std::is_same_v<A, HalfSpace>) {
    return normalized(a.normal);
  } else if constexpr (std::is_same_v<B, HalfSpace>) {
    return -normalized(b.normal);
  } else if constexpr (unbounded<A>) {
    return normalized(a.normal);
  } else if constexpr (unbounded<B>) {
    return normalized(b.normal);
  } else {
    return test::direction(source);
  }
}

/// Moves b so that the farthest points of a and b along the axis meet, up to a small gap.
template<class A, class B>
Sample<B> touching(Source& source, const A& a, const Sample<B>& b) {
  static constexpr double gaps[] = {0, 1e-15, -1e-15, 1e-13, -1e-13, 1e-9, -1e-9, 1e-3, -1e-3};
  const double size = size_of(a) + size_of(b.get());
  const double gap = gaps[source.index(9)] * size;
  const Vec3 d = touching_axis(source, a, b.get());
  if constexpr (unbounded<A> && unbounded<B>) {
    // Parallel or opposite to a, that far apart.
    const double l = source.chance(2) ? -length(b.get().normal) : length(b.get().normal);
    return {B{d * l, (a.offset / length(a.normal) + gap) * l}};
  } else if constexpr (unbounded<A> || unbounded<B>) {
    return b.at(1, d * (gap - verify::gap(a, b.get(), d)));
  } else {
    const Vec3 pa = support_point(core_of(a), d) + d * core_radius(a);
    const Vec3 pb = support_point(core_of(b.get()), -d) - d * core_radius(b.get());
    return b.at(1, pa - pb + d * gap);
  }
}

template<class A, class B>
Sample<B> brought(Source& source, Place place, const A& a, const Sample<B>& b) {
  switch (place) {
  case Place::touching:
    return touching(source, a, b);
  case Place::deep:
  case Place::containing: {
    const double k = place == Place::deep ? 1 : std::ldexp(1.0, -source.index(30));
    const Sample<B> smaller = b.at(k, {});
    const Vec3 pa = some_point(source, a, true);
    return smaller.at(1, pa - some_point(source, smaller.get(), true));
  }
  case Place::far:
    return b.at(1, test::halved_direction(source, 20) * 0x1p19);
  default:
    return b;
  }
}

template<class A, class B>
void check_pair(Source& source) {
  const Place place = static_cast<Place>(source.index(static_cast<int>(Place::count)));
  const double k = test::scale(source);
  const Vec3 t = test::offset(source) * k;
  const Sample<A> owned_a = make<A>(source).at(k, t);
  const Sample<B> made_b = make<B>(source).at(k, t);
  const Sample<B> owned_b = brought(source, place, owned_a.get(), made_b);
  const A a = owned_a.get();
  const B b = owned_b.get();
  const Overlap answer = overlap(a, b);
  const Overlap swapped = overlap(b, a);
  double size = size_of(a) + size_of(b);
  // The common line of two planes may be far away; its points are no better than their coordinates.
  if (unbounded<A> && unbounded<B>) size += max_abs(answer.point) + max_abs(swapped.point);
  // A thin polygon whose corners were rounded far away is convex only to within that, and stays so where it is brought.
  if (std::is_same_v<B, Polygon>) size += size_of(made_b.get());
  // The checker knows a k-DOP by corners that it takes with a slack of 1e-14 of the size; at the k-DOPs' angles that is a few times as much.
  const double slack = is_kdop<A> || is_kdop<B> ? 4e-14 : 0;
  const double band = (tolerance::boolean_band + slack) * size;
  const auto verdict = verify::check_overlap(a, b, answer, band);
  EXPECT_TRUE(verdict) << verdict.why << ", band " << band << ", place " << static_cast<int>(place);
  const auto other_verdict = verify::check_overlap(b, a, swapped, band);
  EXPECT_TRUE(other_verdict) << "exchanged: " << other_verdict.why << ", band " << band;
  EXPECT_EQ(overlaps(a, b), answer.hit);
  EXPECT_EQ(overlaps(b, a), swapped.hit);
}

using Kinds = std::tuple<Sphere, Aabb, Obb, Capsule, Lozenge, Kdop6, Kdop14, Kdop18, Kdop26,
                         Triangle, Polygon, Plane, HalfSpace, Cone, Cylinder, ViewFrustum>;

template<class A, class... B>
void check_row(Source& source, const std::tuple<B...>*) {
  const auto one = [&]<class Other>(std::type_identity<Other>) {
    check_pair<A, Other>(source);
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << testing::PrintToString(typeid(A).name()) << " against "
                    << typeid(Other).name();
      return false;
    }
    return true;
  };
  (one(std::type_identity<B>{}) && ...);
}

template<class Kind>
class OverlapMatrix : public testing::Test {};
template<class Tuple>
struct TypesOf;
template<class... T>
struct TypesOf<std::tuple<T...>> {
  using Types = testing::Types<T...>;
};
TYPED_TEST_SUITE(OverlapMatrix, TypesOf<Kinds>::Types);

TYPED_TEST(OverlapMatrix, EveryAnswerProved) {
  test::for_each_seed(100, [](Source& source) {
    check_row<TypeParam>(source, static_cast<const Kinds*>(nullptr));
  });
}

// Empty sets meet nothing, and the axis is still a unit vector.
template<class Empty, class... B>
void expect_meets_nothing(const Empty& empty, const std::tuple<B...>*) {
  const auto one = [&](const auto& other) {
    EXPECT_FALSE(overlap(empty, other.get()).hit);
    EXPECT_FALSE(overlap(other.get(), empty).hit);
    EXPECT_FALSE(overlaps(empty, other.get()));
    EXPECT_NEAR(length(overlap(empty, other.get()).axis), 1, 1e-15);
    EXPECT_NEAR(length(overlap(other.get(), empty).axis), 1, 1e-15);
  };
  test::RandomSource source(1);
  (one(make<B>(source)), ...);
}

TEST(OverlapMatrixEmpty, MeetsNothing) {
  const Kinds* all = nullptr;
  expect_meets_nothing(Aabb{}, all);
  expect_meets_nothing(Kdop6{}, all);
  expect_meets_nothing(Kdop26{}, all);
  expect_meets_nothing(Polygon{}, all);
  expect_meets_nothing(ViewFrustum{{}, {}, 2, 1, 1, 1}, all);
}

TEST(OverlapMatrixPlanes, ParallelOnesByTheirOffsets) {
  const Vec3 n = normalized(Vec3{1, 2, 3});
  EXPECT_FALSE(overlap(Plane{n, 1}, Plane{n, 2}).hit);
  EXPECT_FALSE(overlap(Plane{n, 1}, Plane{-n, 1}).hit);
  EXPECT_TRUE(overlap(Plane{n, 1}, Plane{-n, -1}).hit);
  EXPECT_TRUE(overlap(Plane{n, 1}, HalfSpace{n, 1}).hit);
  EXPECT_FALSE(overlap(Plane{n, 1.5}, HalfSpace{n, 1}).hit);
  EXPECT_TRUE(overlap(Plane{n, 1.5}, HalfSpace{-n, 1}).hit);
  EXPECT_TRUE(overlap(HalfSpace{n, 1}, HalfSpace{n, -5}).hit);
  EXPECT_TRUE(overlap(HalfSpace{n, 1}, HalfSpace{-n, -1}).hit);
  EXPECT_FALSE(overlap(HalfSpace{n, 1}, HalfSpace{-n, -1.5}).hit);
  EXPECT_TRUE(overlap(HalfSpace{n, -100}, HalfSpace{normalized(Vec3{1, 2, 3.01}), -100}).hit);
}

} // namespace
} // namespace carom
