// Hulls of 32 points on the unit sphere that meet, from one random pose to another, up to a quarter turn apart; both to within 1e-4 of the time. Only the pairs count that FCL's conservative advancement answers as we do, to within a hundredth of the time;
// how many it does not is said.
#include "bench/compare.h"
#include "bench/motion_cases.h"
#include "carom/math/random.h"
#include "carom/math/trig.h"
#include "carom/mesh/convex_hull.h"
#include "carom/motion/time_of_impact.h"
#include "carom/query/overlap.h"

#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/continuous_collision.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

namespace carom::bench {
namespace {

constexpr std::size_t pair_count = 500;
constexpr double time_error = 1e-4;

struct Hull {
  Shape ours;
  std::shared_ptr<fcl::Convexd> theirs;
};

Hull random_hull(Random& random) {
  std::vector<Vec3> points;
  for (int i = 0; i < 32; ++i) points.push_back(random.direction());
  const ConvexHull hull = convex_hull(points).value();
  auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
  for (const Vec3& v : hull.vertices) vertices->push_back({v.x, v.y, v.z});
  auto faces = std::make_shared<std::vector<int>>();
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    faces->push_back(static_cast<int>(hull.corners(f).size()));
    for (const std::uint32_t v : hull.corners(f)) faces->push_back(static_cast<int>(v));
  }
  auto convex =
      std::make_shared<fcl::Convexd>(vertices, static_cast<int>(hull.face_count()), faces);
  convex->computeLocalAABB();
  return {Shape::hull(points).value(), convex};
}

fcl::Transform3d to_fcl(const Pose& pose) {
  fcl::Transform3d t = fcl::Transform3d::Identity();
  const Quat q = normalized(pose.rotation);
  t.linear() = fcl::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
  t.translation() = fcl::Vector3d(pose.position.x, pose.position.y, pose.position.z);
  return t;
}

struct Sweep {
  std::size_t a, b;
  Pose a0, a1, b0, b1;
};

TimeOfImpact ours(const std::vector<Hull>& hulls, const Sweep& s,
                  const ImpactOptions& options = {.time_error = time_error}) {
  return time_of_impact(hulls[s.a].ours, Motion::between(s.a0, s.a1), hulls[s.b].ours,
                        Motion::between(s.b0, s.b1), options);
}

fcl::ContinuousCollisionResultd theirs(const std::vector<Hull>& hulls, const Sweep& s) {
  fcl::ContinuousCollisionRequestd request(1000, time_error, fcl::CCDM_LINEAR, fcl::GST_LIBCCD,
                                           fcl::CCDC_CONSERVATIVE_ADVANCEMENT);
  fcl::ContinuousCollisionResultd result;
  fcl::continuousCollide(hulls[s.a].theirs.get(), to_fcl(s.a0), to_fcl(s.a1),
                         hulls[s.b].theirs.get(), to_fcl(s.b0), to_fcl(s.b1), request, result);
  return result;
}

/// Turned by up to a quarter, and moved.
Pose moved(Random& random, const Pose& from, const Vec3& way) {
  const Vec3 axis = random.direction();
  const double angle = random.uniform(0, half_pi);
  return {Quat::from_axis_angle(axis, angle) * from.rotation, from.position + way};
}

Sweep random_sweep(Random& random, const std::vector<Hull>& hulls) {
  for (;;) {
    Sweep s;
    s.a = random.below(hulls.size());
    s.b = random.below(hulls.size());
    s.a0.rotation = random.rotation();
    s.b0.rotation = random.rotation();
    for (int i = 0; i < 3; ++i) s.b0.position[i] = random.uniform(-4, 4);
    if (overlap(hulls[s.a].ours, s.a0, hulls[s.b].ours, s.b0).hit) continue;
    // Toward each other, more or less.
    const Vec3 off = random.direction();
    s.a1 = moved(random, s.a0, s.b0.position * 0.7 + off);
    s.b1 = moved(random, s.b0, s.b0.position * -0.3);
    return s;
  }
}

} // namespace

void add_impact_cases() {
  Random random(11);
  auto hulls = std::make_shared<std::vector<Hull>>();
  for (int i = 0; i < 32; ++i) hulls->push_back(random_hull(random));
  std::vector<Sweep> hits;
  int asked = 0, missed = 0, early = 0;
  while (hits.size() < pair_count) {
    const Sweep s = random_sweep(random, *hulls);
    const TimeOfImpact own = ours(*hulls, s);
    const fcl::ContinuousCollisionResultd other = theirs(*hulls, s);
    if (!own.hit) continue;
    ++asked;
    if (!other.is_collide) ++missed;
    const bool too_early = other.is_collide && other.time_of_contact < own.t - 0.01;
    if (too_early) ++early;
    if (other.is_collide && std::fabs(own.t - other.time_of_contact) < 0.01) hits.push_back(s);
  }
  std::fprintf(stderr, "FCL's advancement: of %d pairs, %d impacts missed, %d too early\n", asked,
               missed, early);
  compare(
      "impact hull32 hit", hits.size(),
      [hulls, hits] {
        double sum = 0;
        for (const Sweep& s : hits) sum += ours(*hulls, s).t;
        return sum;
      },
      "FCL advancement",
      [hulls, hits] {
        double sum = 0;
        for (const Sweep& s : hits) sum += theirs(*hulls, s).time_of_contact;
        return sum;
      });

  // Our own methods beside each other, to within 1e-4 of the size.
  const auto by = [hulls, hits](ImpactMethod method) {
    return [=] {
      double sum = 0;
      for (const Sweep& s : hits)
        sum += ours(*hulls, s, {.absolute_error = 2e-4, .method = method}).t;
      return sum;
    };
  };
  const Work directional = by(ImpactMethod::directional);
  compare("impact method 1", hits.size(), directional, "speed bound",
          by(ImpactMethod::speed_bound));
  compare("impact method 2", hits.size(), directional, "subdivision",
          by(ImpactMethod::subdivision));
  compare("impact method 3", hits.size(), directional, "bisection, 64 times",
          by(ImpactMethod::bisection));
}

} // namespace carom::bench
