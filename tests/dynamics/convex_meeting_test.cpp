// The quick manifolds of the world against the queries, which prove their answers.
#include "carom/dynamics/convex_meeting.h"

#include "carom/dynamics/mesh_contacts.h"
#include "carom/math/random.h"
#include "carom/query/contacts.h"
#include "carom/query/overlap.h"
#include "carom/query/signed_distance.h"
#include "tests/dynamics/scenes.h"

namespace carom::test {
namespace {

constexpr double margin = 0.05;
/// What is promised: 1e-4 of the smaller size, here about 0.5; for edges, which give way to faces by as much again.
constexpr double depth_tolerance = 1e-4;

Shape random_form(Random& random) {
  switch (random.below(4)) {
  case 0:
    return Shape::sphere(0.3).value();
  case 1:
    return Shape::capsule({0, 0, -0.3}, {0, 0, 0.3}, 0.2).value();
  case 2:
    return Shape::box({0.4, 0.3, 0.2}).value();
  default:
    break;
  }
  std::vector<Vec3> points;
  const auto count = 6 + random.below(20);
  for (std::uint64_t i = 0; i < count; ++i) points.push_back(random.direction() * 0.5);
  return Shape::hull(points).value();
}

/// Turned by nothing, a quarter, or anything: parallel faces and edges are as frequent as others.
Quat random_turn(Random& random) {
  const auto kind = random.below(3);
  if (kind == 0) return {};
  if (kind == 1) return normalized(Quat{0, 0, 1, 1});
  return random.rotation();
}

/// B moved along the line to it until they are as far apart as wanted, or overlap by as much.
double place_at(const Shape& a, const Shape& b, Pose& pose, double wanted) {
  for (int i = 0; i < 20; ++i) {
    const SignedDistance s = signed_distance(a, {}, b, pose);
    pose.position += s.normal * (wanted - s.value);
  }
  return signed_distance(a, {}, b, pose).value;
}

/// The gap of two shapes along a direction: not above the signed distance, whichever it is.
double gap_of(const ConvexForm& a, const ConvexForm& b, const Frame& frame, const Vec3& n) {
  double most = -INFINITY, least = INFINITY;
  for (const Vec3& v : a.vertices()) most = std::max(most, dot(n, v));
  for (const Vec3& v : b.vertices()) least = std::min(least, dot(n, frame.to_world(v)));
  return least - most - a.radius() - b.radius();
}

TEST(ConvexMeeting, IsThatOfTheQueries) {
  ConvexMeeting meeting;
  int overlapping = 0, near = 0, apart = 0;
  for_each_seed(fewer_when_sanitized(6000), [&](Source& source) {
    Random random(source.below(1ULL << 40));
    const Shape a = random_form(random), b = random_form(random);
    Pose pose{random_turn(random), random.direction() * 0.6};
    const double wanted = -0.05 + 0.02 * static_cast<double>(random.below(8));
    const double value = place_at(a, b, pose, wanted);
    const auto form_a = ConvexForm::of(a), form_b = ConvexForm::of(b);
    const Vec3 axis = random.direction();
    const Frame frame = pose.frame();
    const bool meets = meeting.find(*form_a, *form_b, frame, margin, axis);
    ASSERT_NEAR(length(meeting.normal()), 1, 1e-9);
    if (!meets) {
      // What is said to be apart is: by what it says, along the direction it names.
      ASSERT_GT(meeting.gap(), margin);
      ASSERT_LE(meeting.gap(), value + 1e-6);
      ASSERT_NEAR(gap_of(*form_a, *form_b, frame, meeting.normal()), meeting.gap(), 1e-6);
      ++apart;
      return;
    }
    ASSERT_LE(value, margin + 1e-6);
    (value < 0 ? overlapping : near)++;
    ASSERT_LE(meeting.gap(), value + 1e-6);
    ASSERT_GE(meeting.gap(), value - depth_tolerance) << "of " << value;
    ASSERT_NEAR(gap_of(*form_a, *form_b, frame, meeting.normal()), meeting.gap(), depth_tolerance);
    ASSERT_FALSE(meeting.points().empty());
    double least = INFINITY;
    for (const MeetingPoint& p : meeting.points()) {
      ASSERT_NEAR(p.separation, dot(meeting.normal(), p.on_b - p.on_a), 1e-9);
      ASSERT_LE(p.separation, margin + 1e-9);
      ASSERT_NEAR(length(p.on_b - p.on_a), std::fabs(p.separation), 1e-9);
      least = std::min(least, p.separation);
      // On the shapes, or as far off as the faces are tilted that they are on.
      ASSERT_LE(signed_distance(a, {}, Shape::point(p.on_a).value(), {}).value, 0.01);
      ASSERT_LE(signed_distance(b, pose, Shape::point(p.on_b).value(), {}).value, 0.01);
    }
    ASSERT_NEAR(least, value, 3 * depth_tolerance);
  });
  EXPECT_GT(overlapping, 100);
  EXPECT_GT(near, 100);
  EXPECT_GT(apart, 100);
}

TEST(ConvexMeeting, NeverMissesAnOverlapWhateverTheAxis) {
  ConvexMeeting meeting;
  for_each_seed(fewer_when_sanitized(6000), [&](Source& source) {
    Random random(source.below(1ULL << 40));
    const Shape a = random_form(random), b = random_form(random);
    const Pose pose{random_turn(random), random.in_box({0.8, 0.8, 0.8})};
    const auto form_a = ConvexForm::of(a), form_b = ConvexForm::of(b);
    const bool meets = meeting.find(*form_a, *form_b, pose.frame(), 0, random.direction());
    if (overlap(a, {}, b, pose).hit && signed_distance(a, {}, b, pose).value < -1e-9) {
      ASSERT_TRUE(meets);
    }
  });
}

/// A triangle near a form: random, a sliver, or with a corner, edge or face of it at right angles.
TEST(ConvexMeeting, OfATriangleIsThatOfTheQueries) {
  ConvexMeeting meeting;
  int met = 0;
  for_each_seed(fewer_when_sanitized(6000), [&](Source& source) {
    Random random(source.below(1ULL << 40));
    const Shape a = random_form(random);
    const auto form = ConvexForm::of(a);
    const double size = random.below(2) == 0 ? 0.3 : 5.0;
    std::array<Vec3, 3> c;
    const Vec3 middle = random.direction() * 0.5;
    for (Vec3& p : c) p = middle + random.in_box({size, size, random.below(2) == 0 ? size : 0.0});
    if (random.below(4) == 0) c[2] = lerp(c[0], c[1], 0.4) + random.direction() * 0.01;
    const Vec3 cross_product = cross(c[1] - c[0], c[2] - c[0]);
    if (!(length(cross_product) > 1e-6)) return;
    const PlacedTriangle triangle{c, normalized(cross_product)};
    const Shape shape = Shape::triangle(c[0], c[1], c[2]).value();
    const double value = signed_distance(a, {}, shape, {}).value;
    const bool above = dot(triangle.normal, form->inner().center - c[0]) >= 0;
    const bool meets =
        meeting.find(*form, triangle, margin, above ? -triangle.normal : triangle.normal);
    if (!meets) {
      ASSERT_GT(value, margin - 1e-6);
      ASSERT_LE(meeting.gap(), value + 1e-6);
      return;
    }
    ++met;
    ASSERT_LE(value, margin + 1e-6);
    ASSERT_LE(meeting.gap(), value + 1e-6);
    // Shallow overlaps with the inside of the triangle are along its normal, which need not be the least.
    if (value >= 0) {
      ASSERT_GE(meeting.gap(), value - 2e-3);
    }
    for (const MeetingPoint& p : meeting.points()) {
      ASSERT_NEAR(p.separation, dot(meeting.normal(), p.on_b - p.on_a), 1e-9);
      ASSERT_LE(p.separation, margin + 1e-9);
    }
  });
  EXPECT_GT(met, static_cast<int>(fewer_when_sanitized(500)));
}

} // namespace
} // namespace carom::test
