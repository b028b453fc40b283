// What is seen of a way at a glance, against distances at many times.
#include "carom/dynamics/clear_way.h"
#include "carom/dynamics/mesh_contacts.h"

#include "carom/dynamics/inner_core.h"
#include "carom/math/random.h"
#include "carom/query/distance.h"
#include "carom/query/overlap.h"
#include "carom/shape/triangle_mesh.h"
#include "tests/dynamics/scenes.h"

namespace carom::test {
namespace {

constexpr int times = 64;

Shape random_form(Random& random) {
  switch (random.below(4)) {
  case 0:
    return ball(0.3);
  case 1:
    return Shape::capsule({0, 0, -0.3}, {0.1, 0, 0.3}, 0.2).value();
  case 2:
    return Shape::box({0.4, 0.3, 0.2}).value();
  default:
    break;
  }
  std::vector<Vec3> points;
  for (int i = 0; i < 12; ++i) points.push_back(random.direction() * 0.5 + Vec3{0.1, 0, 0});
  return Shape::hull(points).value();
}

/// A few triangles, some of them without area.
Shape random_surface(Random& random) {
  PolygonMesh mesh;
  for (std::uint32_t i = 0; i < 3; ++i) {
    const Vec3 at = random.in_box({0.5, 0.5, 0.5});
    for (int k = 0; k < 3; ++k)
      mesh.vertices.push_back(at + random.in_box({1, 1, 1}) * (i == 2 && k > 0 ? 0.0 : 1.0));
    mesh.add_face(std::vector<std::uint32_t>{3 * i, 3 * i + 1, 3 * i + 2});
  }
  return Shape::mesh(mesh, {.body = MeshOptions::Body::surface}).value();
}

Motion random_motion(Random& random) {
  const Quat rotation = random.rotation();
  const Pose start{rotation, random.in_box({1.5, 1.5, 1.5})};
  const double turn = random.below(4) == 0 ? 3 : 0.4;
  const Vec3 velocity = random.in_box({1, 1, 1}), spin = random.in_box({1, 1, 1}) * turn;
  return Motion::velocity(start, velocity, spin, 1, random.in_box({0.2, 0.2, 0.2}));
}

/// The least distance at times from 0 to t.
double least_distance(const Shape& a, const Motion& motion, const Shape& b, const Pose& pose,
                      double t) {
  double least = INFINITY;
  for (int i = 0; i <= times; ++i)
    least = std::min(least, distance(a, pose_at(motion, t * i / times), b, pose).value);
  return least;
}

TEST(ClearWay, IsRightAboutSurfaces) {
  constexpr double gap = 0.01, error = 0.005, rounding = 1e-5;
  ClearWay way;
  MeshContacts contacts;
  int clear = 0, at_a_glance = 0, touching = 0, at_first = 0, unknown = 0;
  for (std::uint64_t seed = 1; seed <= fewer_when_sanitized(2000) && !HasFailure(); ++seed) {
    Random random(seed);
    const Shape shape = random_form(random), surface = random_surface(random);
    const Motion motion = random_motion(random);
    const Pose pose{random.rotation(), random.in_box({0.3, 0.3, 0.3})};
    const auto form = ConvexForm::of(shape);
    way.begin(*form, motion);
    const bool clears = way.clears_surface(surface, pose, gap);
    const ClearWay::Touch touch = way.first_touch(surface, pose, gap, error);
    // What is known of triangles changes nothing.
    const Frame form_frame = motion.start.frame(), frame = pose.frame();
    NearTriangles near;
    contacts.find(*form, surface,
                  {transpose(form_frame.basis) * frame.basis, form_frame.to_local(frame.origin)},
                  random.uniform(0, 2), near);
    ASSERT_EQ(way.clears_surface(surface, pose, gap, &near), clears) << seed;
    ASSERT_EQ(way.first_touch(surface, pose, gap, error).t, touch.t) << seed;
    const auto known = SurfaceForm::of(surface);
    contacts.find(*form, surface,
                  {transpose(form_frame.basis) * frame.basis, form_frame.to_local(frame.origin)},
                  random.uniform(0, 2), near, {}, known.get());
    ASSERT_EQ(way.clears_surface(surface, pose, gap, &near), clears) << seed;
    ASSERT_EQ(way.first_touch(surface, pose, gap, error).t, touch.t) << seed;
    if (touch.until == ClearWay::Until::unknown) {
      ASSERT_FALSE(clears);
      ++unknown;
      continue;
    }
    const bool ends = touch.until == ClearWay::Until::end;
    if (clears) {
      ASSERT_TRUE(ends) << seed;
      ++at_a_glance;
    }
    ASSERT_GT(least_distance(shape, motion, surface, pose, ends ? 1 : touch.t) + rounding,
              ends || touch.t > 0 ? gap : 0)
        << seed;
    clear += ends ? 1 : 0;
    if (ends) continue;
    ++touching;
    at_first += touch.t == 0 ? 1 : 0;
    const Distance d = distance(shape, pose_at(motion, touch.t), surface, pose);
    ASSERT_LT(d.value, gap + error + rounding) << seed;
    if (!(touch.t > 0)) continue;
    ASSERT_NEAR(distance(touch.on_form, d.on_a), 0, 0.5) << seed;
    ASSERT_NEAR(length(touch.on_other - touch.on_form), d.value, 1e-4) << seed;
    ASSERT_NEAR(dot(touch.normal, touch.on_other - touch.on_form), d.value, 1e-4) << seed;
  }
  // Most of what is clear is seen without a search; and all cases were there.
  EXPECT_GT(at_a_glance, 0.7 * clear);
  EXPECT_GT(clear, touching / 4);
  EXPECT_GT(touching - at_first, touching / 8);
  EXPECT_GT(at_first, touching / 8);
  EXPECT_LT(unknown, clear / 50);
}

TEST(ClearWay, IsRightAboutWhatIsDrawnIn) {
  ClearWay way;
  const std::uint64_t cases = fewer_when_sanitized(1000);
  std::uint64_t clear = 0, outer_touches = 0;
  for (std::uint64_t seed = 1; seed <= cases && !HasFailure(); ++seed) {
    Random random(seed);
    const Shape shape = random_form(random), surface = random_surface(random);
    const Motion motion = random_motion(random);
    const auto form = ConvexForm::of(shape);
    constexpr double depth = 0.1;
    way.begin(*form, motion);
    if (!way.clears_surface(surface, {}, -depth)) continue;
    ++clear;
    outer_touches += least_distance(shape, motion, surface, {}, 1) == 0 ? 1 : 0;
    const InnerCore core = *inner_core(shape, depth);
    Motion of_core = motion;
    of_core.start = motion.start * core.pose;
    ASSERT_GT(least_distance(core.shape, of_core, surface, {}, 1), 0) << seed;
  }
  EXPECT_GT(clear, cases / 10);
  EXPECT_GT(outer_touches, cases / 200);
}

TEST(ClearWay, IsRightAboutForms) {
  ClearWay way;
  int clear = 0, found = 0;
  for (std::uint64_t seed = 1; seed <= fewer_when_sanitized(1000) && !HasFailure(); ++seed) {
    Random random(seed);
    const Shape shape = random_form(random), other = random_form(random);
    const Motion motion = random_motion(random);
    const Pose pose{random.rotation(), random.in_box({0.3, 0.3, 0.3})};
    const auto form = ConvexForm::of(shape), other_form = ConvexForm::of(other);
    constexpr double gap = 0.01;
    way.begin(*form, motion);
    const bool clears = way.clears_form(*other_form, pose, gap);
    const double least = least_distance(shape, motion, other, pose, 1);
    clear += least > gap ? 1 : 0;
    found += clears ? 1 : 0;
    if (clears) {
      ASSERT_GT(least, gap) << seed;
    }
  }
  EXPECT_GT(found, clear / 2);
}

} // namespace
} // namespace carom::test
