// Contacts of every ordered pair of kinds through the checker; then the cases that everybody knows, by name. (Boxes: box_contacts_test.cpp.)
#include "carom/query/contacts.h"

#include "carom/math/random.h"
#include "carom/math/trig.h"
#include "carom/query/signed_distance.h"
#include "carom/shape/feature.h"
#include "carom/shape/support.h"
#include "carom/verify/check_contacts.h"
#include "tests/query/contact_cases.h"
#include "tests/query/pair_cases.h"
#include "tests/support/property.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace carom {
namespace {

using test::area_of;
using test::cube_corners;
using test::cubes;
using test::on_edge;
using test::PairCase;
using test::Source;
using test::turn;

class ContactPairs : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Kinds, ContactPairs, testing::Range(0, convex_kinds),
                         [](const testing::TestParamInfo<int>& kind) {
                           return std::string(name_of(static_cast<ShapeKind>(kind.param)));
                         });

TEST_P(ContactPairs, AreProved) {
  for (int other = 0; other < convex_kinds && !HasFailure(); ++other) {
    const auto kind_a = static_cast<ShapeKind>(GetParam());
    const auto kind_b = static_cast<ShapeKind>(other);
    SCOPED_TRACE(std::string(name_of(kind_a)) + " against " + name_of(kind_b));
    test::for_each_seed(test::fewer_when_sanitized(60), [&](Source& source) {
      const PairCase c = test::pair_case(source, kind_a, kind_b);
      static constexpr double margins[] = {0, 0, 1e-9, 0.01, 0.3};
      const double margin = margins[source.index(5)] * (c.a.shape.size() + c.b.shape.size());
      std::vector<Contact> all;
      const ContactManifold m =
          contacts(c.a.shape, c.a.pose, c.b.shape, c.b.pose, {.margin = margin, .all = &all});
      if (!std::isfinite(m.value)) {
        EXPECT_FALSE(c.a.shape.bounded() || c.b.shape.bounded());
        EXPECT_EQ(m.count, 0);
        return;
      }
      const auto t = test::contact_tolerance(c);
      const auto verdict = verify::check_contacts(c.a, c.b, m, margin, t);
      EXPECT_TRUE(verdict) << verdict.why << ", size " << c.size << ", value " << m.value
                           << ", count " << m.count << ", margin " << margin;
      const auto patch = verify::check_contact_points(c.a, c.b, all, m.normal, m.value, margin, t);
      EXPECT_TRUE(patch) << patch.why << ", size " << c.size << ", value " << m.value << ", all "
                         << all.size();
      EXPECT_GE(all.size(), static_cast<std::size_t>(m.count));
      for (const Contact& p : m.contacts()) {
        EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Contact& q) {
          return q.id == p.id && q.on_a == p.on_a && q.on_b == p.on_b;
        }));
      }
    });
  }
}

TEST(Contacts, OnAHalfSpace) {
  const Shape floor = Shape::half_space({0, 0, 2}, 0).value();
  const double r = 0.5;
  const Shape capsule = Shape::capsule({-1, 0, 0}, {1, 0, 0}, r).value();
  const Shape rod = Shape::cylinder(1, r).value();
  const Shape drop = Shape::tapered_capsule({-1, 0, 0.2}, 0.7, {1, 0, 0}, r).value();
  struct Case {
    Shape shape;
    Pose pose;
    int count;
  };
  const Case cases[] = {
      {Shape::box({1, 2, 3}).value(), Pose::at({5, 6, 3}), 4},
      {Shape::box({1, 1, 1}).value().rounded(r).value(), Pose::at({0, 0, 1 + r}), 4},
      {Shape::sphere(r).value(), Pose::at({1, 1, r}), 1},
      {capsule, Pose::at({1, 1, r}), 2},
      {rod, {turn({1, 0, 0}, pi / 2), {0, 0, r}}, 2},
      {rod, Pose::at({3, 3, 1}), 4},
      {drop, Pose::at({0, 0, r}), 2},
      {Shape::cone(1, r).value(), Pose::at({0, 0, 0}), 4},
      {Shape::triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0}).value(), {}, 3},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(name_of(c.shape.kind()));
    const ContactManifold up = contacts(floor, {}, c.shape, c.pose);
    const ContactManifold down = contacts(c.shape, c.pose, floor, {});
    EXPECT_EQ(up.count, c.count);
    EXPECT_EQ(down.count, c.count);
    EXPECT_EQ(up.normal, -down.normal);
    for (const Contact& p : up.contacts()) EXPECT_NEAR(p.separation, 0, 1e-14);
  }
  const ContactManifold standing = contacts(floor, {}, rod, Pose::at({3, 3, 1}));
  EXPECT_NEAR(static_cast<double>(area_of(standing.contacts())), 2 * r * r, 0.01); // a square
}

TEST(Contacts, RoundThingsOnABox) {
  const Shape box = Shape::box({3, 3, 1}).value();
  const double r = 0.5;
  const Shape capsule = Shape::capsule({-1, 0, 0}, {1, 0, 0}, r).value();
  const Shape rod = Shape::cylinder(1, r).value();
  for (const double gap : {1e-3, 0.0, -1e-3}) {
    const double z = 1 + r + gap;
    const ContactOptions options{.margin = 2e-3};
    EXPECT_EQ(contacts(box, {}, capsule, Pose::at({0.1, 0, z}), options).count, 2);
    EXPECT_EQ(contacts(capsule, Pose::at({0.1, 0, z}), box, {}, options).count, 2);
    EXPECT_EQ(contacts(box, {}, rod, {turn({1, 0, 0}, pi / 2), {0, 0, z}}, options).count, 2);
    // Half of it beyond the rim: it rests on what is left.
    const ContactManifold half = contacts(box, {}, capsule, Pose::at({3, 0, z}), options);
    ASSERT_EQ(half.count, 2);
    EXPECT_NEAR(std::fabs(half.points[0].on_a.x - half.points[1].on_a.x), 1, 1e-14);
    const ContactManifold m = contacts(box, {}, rod, Pose::at({0, 0, 2 + gap}), options);
    EXPECT_EQ(m.count, 4);
    EXPECT_NEAR(static_cast<double>(area_of(m.contacts())), 2 * r * r, 0.01);
    EXPECT_EQ(contacts(box, {}, Shape::sphere(r).value(), Pose::at({0, 0, z}), options).count, 1);
  }
}

// Round edges touch along a stretch while they are nearly parallel, exactly on both surfaces, and in a point when they cross.
TEST(Contacts, NearlyParallelCapsules) {
  const Shape capsule = Shape::capsule({-1, 0, 0}, {1, 0, 0}, 0.5).value();
  const Shape rod = Shape::of(Cylinder{{}, {1, 0, 0}, 1, 0.5}).value();
  for (const Shape& a : {capsule, rod}) {
    for (int degrees = 0; degrees <= 90; ++degrees) {
      SCOPED_TRACE(degrees);
      const Pose above{turn({0, 0, 1}, degrees * pi / 180), {0, 0, 0.99}};
      const ContactManifold m = contacts(a, {}, capsule, above, {.margin = 0.05});
      EXPECT_EQ(m.count, degrees == 0 ? 2 : degrees <= 5 ? 3 : 1);
      const verify::PlacedShape placed_a{a, {}};
      const verify::PlacedShape placed_b{capsule, above};
      const auto verdict = verify::check_contacts(placed_a, placed_b, m, 0.05,
                                                  {.points = 1e-13, .gap = 1e-11, .deepest = 1e-6});
      EXPECT_TRUE(verdict) << verdict.why;
    }
  }
}

TEST(Contacts, NeedleOnPlate) {
  const Shape needle = Shape::box({1, 1e-6, 1e-6}).value();
  const Shape plate = Shape::box({2, 2, 1e-6}).value();
  const ContactManifold m = contacts(plate, {}, needle, Pose::at({0, 0, 2e-6}));
  EXPECT_EQ(m.count, 4);
  EXPECT_NEAR(static_cast<double>(area_of(m.contacts())), 4e-6, 1e-15);
  // Without any width it is two points; standing on its tip, one.
  const Shape line = Shape::box({1, 0, 0}).value();
  EXPECT_EQ(contacts(plate, {}, line, Pose::at({0, 0, 1e-6})).count, 2);
  EXPECT_EQ(contacts(plate, {}, line, {turn({0, 1, 0}, pi / 2), {0, 0, 1 + 1e-6}}).count, 1);
}

// At an acute corner the sides cross anywhere within rounding / angle. The contact is the corner.
TEST(Contacts, AcuteCorners) {
  const Vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {1, 1e-9, 0}};
  const Shape sliver = Shape::triangle(corners[0], corners[1], corners[2]).value();
  const Shape plate = Shape::box({2, 2, 1}).value();
  const Pose turned{turn({0, 0, 1}, 0.3), {0.1, 0.2, 0.3}};
  const Frame frame = turned.frame();
  const Pose below{turn({0, 0, 1}, 1), {0, 0, 0.3 - 1}};
  const ContactManifold m = contacts(sliver, turned, plate, below);
  ASSERT_EQ(m.count, 3);
  for (const Vec3& corner : corners) {
    double nearest = INFINITY;
    for (const Contact& c : m.contacts()) {
      nearest = std::min(nearest, length(c.on_a - frame.to_world(corner)));
    }
    EXPECT_LE(nearest, 8 * tolerance::epsilon);
  }
}

TEST(Contacts, IdenticalShapesAtIdenticalPlaces) {
  for (const Shape& cube : cubes()) {
    const ContactManifold m = contacts(cube, {}, cube, {});
    EXPECT_NEAR(m.value, -2, 1e-14);
    EXPECT_EQ(m.count, 4);
  }
  test::for_each_seed(test::fewer_when_sanitized(500), [](Source& source) {
    const Shape shape = test::bounded_shape(source);
    const verify::PlacedShape placed{shape, test::pose(source)};
    const ContactManifold m = contacts(shape, placed.pose, shape, placed.pose);
    EXPECT_GE(m.count, 1) << name_of(shape.kind());
    EXPECT_LE(m.value, 1e-12 * shape.size());
  });
}

TEST(Contacts, FlatAgainstFlat) {
  const Shape a = Shape::triangle({0, 0, 0}, {4, 0, 0}, {0, 4, 0}).value();
  std::vector<Contact> all;
  ContactManifold m = contacts(a, {}, a, Pose::at({1, 1, 0}), {.all = &all});
  EXPECT_EQ(m.count, 3);
  EXPECT_NEAR(static_cast<double>(area_of(all)), 2, 1e-14); // the triangle of legs 2
  const Shape plate = Shape::box({1, 1, 0}).value();
  m = contacts(plate, {}, plate, {turn({0, 0, 1}, pi / 4), {}}, {.all = &all});
  EXPECT_EQ(m.count, 4);
  EXPECT_EQ(all.size(), 8u);
  EXPECT_NEAR(m.value, 0, 1e-15);
  const Shape disc = Shape::cylinder(0, 1).value();
  m = contacts(disc, {}, disc, Pose::at({0.5, 0, 0}));
  EXPECT_EQ(m.count, 4);
  EXPECT_NEAR(m.value, 0, 1e-12);
}

TEST(Contacts, MarginSaysHowFar) {
  const Shape cube = Shape::box({1, 1, 1}).value();
  const Shape hull = Shape::hull(cube_corners()).value();
  const Shape ball = Shape::sphere(1).value();
  const Pose apart = Pose::at({0, 0, 2.1});
  for (const Shape& b : {cube, hull, ball}) {
    EXPECT_EQ(contacts(cube, {}, b, apart).count, 0);
    EXPECT_EQ(contacts(cube, {}, b, apart, {.margin = 0.09}).count, 0);
    const ContactManifold m = contacts(cube, {}, b, apart, {.margin = 0.11});
    EXPECT_EQ(m.count, b == ball ? 1 : 4);
    for (const Contact& c : m.contacts()) EXPECT_NEAR(c.separation, 0.1, 1e-14);
  }
  // A tilted cube: of its lowest face only the corners within the margin.
  const Pose tilted{turn({0, 1, 0}, 0.01), {0, 0, 2.02}};
  for (const Shape& b : {cube, hull}) {
    EXPECT_EQ(contacts(cube, {}, b, tilted, {.margin = 0.015}).count, 2);
    EXPECT_EQ(contacts(cube, {}, b, tilted, {.margin = 0.04}).count, 4);
  }
  EXPECT_EQ(contacts(cube, {}, cube, {}, {.margin = NAN}).count, 0);
}

// Shapes beyond the margin are not measured: the answer is a direction that proves it, and no more.
TEST(Contacts, StopBeyondTheMargin) {
  Random random(2);
  std::vector<Vec3> points;
  for (int i = 0; i < 40; ++i) points.push_back(random.direction());
  const Shape hull = Shape::hull(points).value();
  for (const Shape& shape :
       {hull, Shape::box({0.5, 0.5, 0.5}).value(), Shape::cone(1, 1).value()}) {
    const verify::PlacedShape a{hull, {}};
    const verify::PlacedShape b{shape, Pose::at({4, 3, 1})};
    for (const double margin : {0.0, 0.1, 1.0}) {
      const ContactManifold m = contacts(a.shape, a.pose, b.shape, b.pose, {.margin = margin});
      EXPECT_EQ(m.status, Status::stopped);
      EXPECT_EQ(m.count, 0);
      EXPECT_GT(m.lower_bound, margin);
      EXPECT_GT(verify::gap(a, b, m.normal), margin);
      EXPECT_EQ(m.upper_bound, INFINITY);
    }
    // Within it they are.
    const ContactManifold near = contacts(a.shape, a.pose, b.shape, b.pose, {.margin = 10});
    EXPECT_EQ(near.status, Status::ok);
    EXPECT_GE(near.count, 1);
  }
}

std::set<std::uint64_t> ids(std::span<const Contact> contacts) {
  std::set<std::uint64_t> result;
  for (const Contact& c : contacts) result.insert(c.id);
  return result;
}

// Along a path on which the features that meet stay the same, so do the ids, from small overlap to a small gap.
TEST(Contacts, IdsStayWhileFeaturesDo) {
  struct Case {
    Shape a, b;
    Pose pose_b; ///< touching
  };
  std::vector<Case> cases;
  for (const Shape& cube : cubes()) {
    cases.push_back({cube, cube, {turn({0, 0, 1}, 0.3), {0.2, 0.1, 2}}});
    cases.push_back({cube, cube, Pose::at({0.5, 0.5, 2})});
    cases.push_back({cube, cube, on_edge({0.5, 0, 1 + std::sqrt(2.0)}, 0.2)});
  }
  const Shape box = Shape::box({3, 3, 1}).value();
  cases.push_back({box, Shape::capsule({-1, 0, 0}, {1, 0, 0}, 0.5).value(), Pose::at({0, 0, 1.5})});
  cases.push_back({box, Shape::cylinder(1, 0.5).value(), Pose::at({0, 0, 2})});
  for (std::size_t k = 0; k < cases.size(); ++k) {
    SCOPED_TRACE(k);
    const Case& c = cases[k];
    std::set<std::uint64_t> first;
    PairCache cache;
    for (int i = 0; i <= 40; ++i) {
      Pose pose = c.pose_b;
      pose.position += Vec3{1e-3, 0.7e-3, 1e-3} * (i / 20.0 - 1);
      pose.rotation = turn({0, 0, 1}, 1e-3 * i / 40) * pose.rotation;
      std::vector<Contact> all;
      const ContactManifold m = contacts(c.a, {}, c.b, pose, {.margin = 0.01, .all = &all}, &cache);
      EXPECT_GE(m.count, 2) << i;
      if (i == 0) first = ids(all);
      EXPECT_EQ(ids(all), first) << i;
    }
  }
}

// Which of the two comes first changes the direction of the normal and nothing else.
TEST(Contacts, TheOtherWayRound) {
  for (const Shape& cube : cubes()) {
    for (int i = 0; i < 60; ++i) {
      const Pose pose{turn({0.1, 0.2, 1}, i * 0.1), {0.3, -0.2, 2 - 0.1}};
      const ContactManifold ab = contacts(cube, {}, cube, pose);
      const ContactManifold ba = contacts(cube, pose, cube, {});
      EXPECT_NEAR(ab.value, ba.value, 1e-14);
      EXPECT_LE(length(ab.normal + ba.normal), 1e-13);
      std::set<std::uint64_t> swapped;
      for (const Contact& c : ba.contacts()) swapped.insert(c.id << 32 | c.id >> 32);
      EXPECT_EQ(ids(ab.contacts()), swapped) << i;
    }
  }
}

TEST(Contacts, BadPosesAreSaidToBe) {
  const Shape cube = Shape::box({1, 1, 1}).value();
  std::vector<Contact> all(3);
  const ContactManifold m = contacts(cube, Pose::at({NAN, 0, 0}), cube, {}, {.all = &all});
  EXPECT_EQ(m.status, Status::bad_input);
  EXPECT_EQ(m.count, 0);
  EXPECT_TRUE(all.empty());
}

// A capsule that is a ball but for 1e-9: its axis has a direction, of which half the bits are known.
TEST(Contacts, CapsuleOfNearlyNoLength) {
  const Shape ball =
      Shape::capsule({-0x1.56b233977c35p-3, 0x1.7f49c280b8fc8p-1, 0x1p+1},
                     {-0x1.56b233846493p-3, 0x1.7f49c27c23a24p-1, 0x1.fffffffdc0916p+0}, 1)
          .value();
  const Shape stick =
      Shape::segment({0, 1, -0x1.bcee59014e692p-1},
                     {-0x1.279a74590331dp-1, 0x1.93cd3a2c8198ep+0, -0x1.2aa7c950966eap-2})
          .value();
  const Pose pose_a = Pose::at({0, -0x1.095559612a7e1p+2, 0x1.24f34e8b20664p+2});
  const Pose pose_b =
      Pose::at({-0x1.21c304166bd4ap-2, -0x1.328cecbb4e438p+2, 0x1.d517b6c5d8ab1p+2});
  const ContactManifold m = contacts(ball, pose_a, stick, pose_b);
  ASSERT_GE(m.count, 1);
  for (const Contact& c : m.contacts())
    EXPECT_LE(length(c.on_b - c.on_a - m.normal * c.separation), 1e-13);
}

// A segment hardly longer than rounding: one of its ends is where the deepest point is, and the other has its id.
TEST(Contacts, OneContactAnId) {
  const std::vector<Vec3> corners{
      {-0x1.8511b4ad339ap-67, 0x1.79ca10c924223p-67, -0x1.a79a5e65c6b78p-66},
      {-0x1.e3b43e0ee781p-66, 0x1.594d501bd6ef9p-66, -0x1.79ca10c924223p-66},
      {-0x1.a1ade51efbb7cp-67, 0x1.77995813c888dp-67, -0x1.255081ac50ff1p-66}};
  const Shape hull = Shape::hull(corners).value();
  const Shape segment =
      Shape::segment({0x1.79ca10c924223p-80, -0x1.7cda9f63a5d0fp-82, 0x1.3aebd07a4cf0dp-83},
                     {0x1.79ca10cfa48e3p-80, -0x1.7cda9f3d8444cp-82, 0x1.3aebd08e46aabp-83})
          .value();
  const Pose pose_a{{0, 0, 0x1.b27247aff148fp-3, 0x1.b27247aff148fp-3},
                    {0, 0x1.b0c1d5d009fb8p-69, -0x1.e3ba25372abf9p-66}};
  const Pose pose_b{
      {-0x1.25f3aa6f4c758p-41, 0x1.43b46414f6b1fp-41, 0x1.e58e961f720aep-42, 0x1.026a859bdb23p-41},
      {-0x1.31ee7c8a06623p-66, -0x1.68e3f5647ec69p-66, -0x1.a42ff284762e2p-65}};
  const ContactManifold m =
      contacts(hull, pose_a, segment, pose_b, {.margin = 0x1.223c7cbab33fcp-67});
  ASSERT_GE(m.count, 1);
  for (int i = 1; i < m.count; ++i)
    EXPECT_NE(m.points[0].id, m.points[static_cast<std::size_t>(i)].id);
}

} // namespace
} // namespace carom
