// The matrix of overlap tests: every ordered pair of kinds, every answer through the checker.
//
// A wrong Boolean cannot pass: a false 'separated' has no axis to show, and a false 'hit' no common point, unless the sets are within the
// tolerance of touching.
//
// The pairs are walked through a table of functions and the cases are made on sets whose kind is hidden (AnySet): a template of the whole test
// for each of 256 pairs takes minutes to compile.
#include "carom/geometry/overlap.h"

#include "carom/math/tolerance.h"
#include "carom/verify/check.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/property.h"

#include <array>
#include <memory>
#include <tuple>
#include <vector>

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

/// A set that owns its data.
template<class Kind>
struct Owned {
  Kind set;

  [[nodiscard]] const Kind& get() const { return set; }
  [[nodiscard]] Owned at(double k, const Vec3& t) const { return {placed(set, k, t)}; }
};
template<>
struct Owned<Polygon> {
  std::vector<Vec3> vertices;

  [[nodiscard]] Polygon get() const { return {vertices}; }
  [[nodiscard]] Owned at(double k, const Vec3& t) const {
    Owned r = *this;
    for (Vec3& v : r.vertices) v = v * k + t;
    return r;
  }
};
/// A k-DOP around points, fitted anew wherever they go: slabs moved one by one would not fit each other any more.
template<int K>
struct Owned<Kdop<K>> {
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
  [[nodiscard]] Owned at(double k, const Vec3& t) const {
    Owned r = *this;
    for (Vec3& p : r.points) p = p * k + t;
    return r;
  }
};

template<class Kind>
constexpr bool unbounded = std::is_same_v<Kind, Plane> || std::is_same_v<Kind, HalfSpace>;

using Kinds = std::tuple<Sphere, Aabb, Obb, Capsule, Lozenge, Kdop6, Kdop14, Kdop18, Kdop26,
                         Triangle, Polygon, Plane, HalfSpace, Cone, Cylinder, ViewFrustum>;
constexpr std::size_t kinds = std::tuple_size_v<Kinds>;
constexpr std::array<const char*, kinds> names = {
    "sphere", "aabb",     "obb",     "capsule", "lozenge",    "kdop6", "kdop14",   "kdop18",
    "kdop26", "triangle", "polygon", "plane",   "half-space", "cone",  "cylinder", "view frustum"};
constexpr bool is_kdop(std::size_t kind) { return kind >= 5 && kind <= 8; }
constexpr std::size_t polygon_kind = 10, plane_kind = 11, half_space_kind = 12;

/// A set of a hidden kind: its address is what the table of overlap tests takes.
class AnySet {
public:
  virtual ~AnySet() = default;
  [[nodiscard]] virtual std::unique_ptr<AnySet> at(double k, const Vec3& t) const = 0;
  [[nodiscard]] virtual const void* address() const = 0;
  [[nodiscard]] virtual verify::SetView view() const = 0;
  [[nodiscard]] virtual double size() const = 0;
  /// The farthest point in the unit direction d; of an unbounded set, the point of its border nearest to the origin.
  [[nodiscard]] virtual Vec3 farthest(const Vec3& d) const = 0;
};

template<class Kind>
class SetOf final : public AnySet {
public:
  explicit SetOf(Owned<Kind> owned) : owned_(std::move(owned)), set_(owned_.get()) {}

  [[nodiscard]] std::unique_ptr<AnySet> at(double k, const Vec3& t) const override {
    return std::make_unique<SetOf>(owned_.at(k, t));
  }
  [[nodiscard]] const void* address() const override { return &set_; }
  [[nodiscard]] verify::SetView view() const override { return set_; }
  [[nodiscard]] double size() const override { return size_of(set_); }
  [[nodiscard]] Vec3 farthest(const Vec3& d) const override {
    if constexpr (unbounded<Kind>) {
      return set_.normal * (set_.offset / length_squared(set_.normal));
    } else {
      return support_point(core_of(set_), d) + d * core_radius(set_);
    }
  }

private:
  Owned<Kind> owned_;
  Kind set_;
};

/// A set and which of the kinds it is.
struct Sample {
  std::size_t kind;
  std::unique_ptr<AnySet> set;

  /// The unit normal of a plane or half-space, zero for the bounded kinds.
  [[nodiscard]] Vec3 normal() const {
    if (kind == plane_kind) return normalized(static_cast<const Plane*>(set->address())->normal);
    if (kind == half_space_kind)
      return normalized(static_cast<const HalfSpace*>(set->address())->normal);
    return {};
  }
  [[nodiscard]] bool is_unbounded() const { return kind == plane_kind || kind == half_space_kind; }
  [[nodiscard]] Sample at(double k, const Vec3& t) const { return {kind, set->at(k, t)}; }
};

Sample sample_of(std::size_t kind, Source& source) {
  const auto held = [&]<class Kind>(Owned<Kind> owned) {
    return Sample{kind, std::make_unique<SetOf<Kind>>(std::move(owned))};
  };
  const auto some_points = [&] {
    std::vector<Vec3> points;
    for (int i = source.index(6); i >= 0; --i) points.push_back(test::vec3(source));
    return points;
  };
  switch (kind) {
  case 0:
    return held(Owned<Sphere>{test::sphere(source)});
  case 1:
    return held(Owned<Aabb>{test::aabb(source)});
  case 2:
    return held(Owned<Obb>{test::obb(source)});
  case 3:
    return held(Owned<Capsule>{test::capsule(source)});
  case 4:
    return held(Owned<Lozenge>{test::lozenge(source)});
  case 5:
    return held(Owned<Kdop6>{some_points()});
  case 6:
    return held(Owned<Kdop14>{some_points()});
  case 7:
    return held(Owned<Kdop18>{some_points()});
  case 8:
    return held(Owned<Kdop26>{some_points()});
  case 9:
    return held(Owned<Triangle>{test::triangle(source)});
  case 10: {
    const auto p = test::polygon(source);
    return held(Owned<Polygon>{{p.view().vertices.begin(), p.view().vertices.end()}});
  }
  case 11:
    return held(Owned<Plane>{test::plane(source)});
  case 12:
    return held(Owned<HalfSpace>{test::half_space(source)});
  case 13:
    return held(Owned<Cone>{test::cone(source)});
  case 14:
    return held(Owned<Cylinder>{test::cylinder(source)});
  default:
    return held(Owned<ViewFrustum>{test::view_frustum(source)});
  }
}

struct Answer {
  Overlap overlap;
  bool overlaps;
};

/// The overlap tests of all ordered pairs, by kind and kind.
using PairTest = Answer (*)(const void* a, const void* b);
template<class A, class B>
Answer ask(const void* a, const void* b) {
  return {overlap(*static_cast<const A*>(a), *static_cast<const B*>(b)),
          overlaps(*static_cast<const A*>(a), *static_cast<const B*>(b))};
}
template<class A, class... B>
constexpr std::array<PairTest, kinds> row_of(const std::tuple<B...>*) {
  return {&ask<A, B>...};
}
template<class... A>
constexpr std::array<std::array<PairTest, kinds>, kinds> table_of(const std::tuple<A...>* all) {
  return {row_of<A>(all)...};
}
constexpr auto table = table_of(static_cast<const Kinds*>(nullptr));

Answer ask(const Sample& a, const Sample& b) {
  return table[a.kind][b.kind](a.set->address(), b.set->address());
}

/// A point inside: a random mixture of farthest points.
Vec3 point_inside(Source& source, const Sample& sample) {
  if (sample.is_unbounded()) {
    return sample.set->farthest({}) - (sample.kind == half_space_kind ? sample.normal() : Vec3{});
  }
  Vec3 mix;
  for (int i = 0; i < 4; ++i) mix += sample.set->farthest(test::direction(source)) / 4;
  return mix;
}

/// How the pair is placed.
enum class Place { as_made, touching, deep, containing, far, count };

/// Moves b so that the farthest points of a and b along an axis meet, up to a small gap. The axis is the normal of what has one.
Sample touching(Source& source, const Sample& a, const Sample& b) {
  static constexpr double gaps[] = {0, 1e-15, -1e-15, 1e-13, -1e-13, 1e-9, -1e-9, 1e-3, -1e-3};
  const double gap = gaps[source.index(9)] * (a.set->size() + b.set->size());
  if (a.is_unbounded() && b.is_unbounded()) {
    // Parallel or opposite to a, that far apart.
    const double l = test::normal_length(source);
    const Vec3 n = (source.chance(2) ? -a.normal() : a.normal()) * l;
    const double offset = dot(n, a.set->farthest({})) + gap * l;
    if (b.kind == plane_kind)
      return {b.kind, std::make_unique<SetOf<Plane>>(Owned<Plane>{{n, offset}})};
    return {b.kind, std::make_unique<SetOf<HalfSpace>>(Owned<HalfSpace>{{n, offset}})};
  }
  if (a.is_unbounded() || b.is_unbounded()) {
    const Vec3 d = a.is_unbounded() ? a.normal() : -b.normal();
    return b.at(1, d * (gap - verify::gap(a.set->view(), b.set->view(), d)));
  }
  const Vec3 d = test::direction(source);
  return b.at(1, a.set->farthest(d) - b.set->farthest(-d) + d * gap);
}

Sample brought(Source& source, Place place, const Sample& a, const Sample& b) {
  switch (place) {
  case Place::touching:
    return touching(source, a, b);
  case Place::deep:
  case Place::containing: {
    const double k = place == Place::deep ? 1 : std::ldexp(1.0, -source.index(30));
    const Sample smaller = b.at(k, {});
    const Vec3 in_a = point_inside(source, a);
    const Vec3 in_b = point_inside(source, smaller);
    return smaller.at(1, in_a - in_b);
  }
  case Place::far: {
    const Vec3 d = test::direction(source);
    return b.at(1, d * std::ldexp(1.0, source.index(20)));
  }
  default:
    return b.at(1, {});
  }
}

void check_pair(Source& source, std::size_t kind_a, std::size_t kind_b) {
  const Place place = static_cast<Place>(source.index(static_cast<int>(Place::count)));
  const double k = test::scale(source);
  const Vec3 t = test::offset(source) * k;
  const Sample a = sample_of(kind_a, source).at(k, t);
  const Sample made = sample_of(kind_b, source).at(k, t);
  const Sample b = brought(source, place, a, made);
  const Answer answer = ask(a, b);
  const Answer swapped = ask(b, a);
  double size = a.set->size() + b.set->size();
  // The common line of two planes may be far away; its points are no better than their coordinates.
  if (a.is_unbounded() && b.is_unbounded())
    size += max_abs(answer.overlap.point) + max_abs(swapped.overlap.point);
  // A thin polygon whose corners were rounded far away is convex only to within that, and stays so where it is brought.
  if (kind_b == polygon_kind) size += made.set->size();
  // The checker knows a k-DOP by corners that it takes with a slack of 1e-14 of the size; at the k-DOPs' angles that is a few times as much.
  const double slack = is_kdop(kind_a) || is_kdop(kind_b) ? 4e-14 : 0;
  const double band = (tolerance::boolean_band + slack) * size;
  const auto verdict = verify::check_overlap(a.set->view(), b.set->view(), answer.overlap, band);
  EXPECT_TRUE(verdict) << verdict.why << ", band " << band << ", place " << static_cast<int>(place);
  const auto other_verdict =
      verify::check_overlap(b.set->view(), a.set->view(), swapped.overlap, band);
  EXPECT_TRUE(other_verdict) << "exchanged: " << other_verdict.why << ", band " << band;
  EXPECT_EQ(answer.overlaps, answer.overlap.hit);
  EXPECT_EQ(swapped.overlaps, swapped.overlap.hit);
}

class OverlapMatrix : public testing::TestWithParam<std::size_t> {};

TEST_P(OverlapMatrix, EveryAnswerProved) {
  for (std::size_t other = 0; other < kinds && !HasFailure(); ++other) {
    SCOPED_TRACE(std::string(names[GetParam()]) + " against " + names[other]);
    test::for_each_seed(100, [&](Source& source) { check_pair(source, GetParam(), other); });
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, OverlapMatrix, testing::Range(std::size_t{0}, kinds));

// Empty sets meet nothing, and the axis is still a unit vector.
TEST(OverlapMatrixEmpty, MeetsNothing) {
  std::vector<Sample> empty_sets;
  empty_sets.push_back({1, std::make_unique<SetOf<Aabb>>(Owned<Aabb>{})});
  empty_sets.push_back({5, std::make_unique<SetOf<Kdop6>>(Owned<Kdop6>{})});
  empty_sets.push_back({8, std::make_unique<SetOf<Kdop26>>(Owned<Kdop26>{})});
  empty_sets.push_back({10, std::make_unique<SetOf<Polygon>>(Owned<Polygon>{})});
  empty_sets.push_back(
      {15, std::make_unique<SetOf<ViewFrustum>>(Owned<ViewFrustum>{{{}, {}, 2, 1, 1, 1}})});
  test::RandomSource source(1);
  for (const Sample& empty : empty_sets) {
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      SCOPED_TRACE(std::string("empty ") + names[empty.kind] + " against " + names[kind]);
      const Sample other = sample_of(kind, source);
      for (const Answer& answer : {ask(empty, other), ask(other, empty)}) {
        EXPECT_FALSE(answer.overlap.hit);
        EXPECT_FALSE(answer.overlaps);
        EXPECT_NEAR(length(answer.overlap.axis), 1, 1e-15);
      }
    }
  }
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
