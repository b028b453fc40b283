// Convex shapes against FCL with libccd (its most accurate solver): distance, overlap, depth; and with a cache against our own cold start. Contacts of boxes against
// Bullet's box-box detector.
//
// Scenes: hulls of random points on the unit sphere, and common pairs of primitives, at 5,000 random poses a case; both sides get the same
// points, quaternions and translations, and turn the quaternion into a matrix at each query. 'apart': translations uniform in ±3 on each axis,
// pairs that overlap left out; 'overlap' and 'depth': in ±1.2, mostly overlapping. Cold: no cache on either side. 'coherent': a pair that turns and drifts by 1% of its
// size a step, from apart to overlapping and back.
// Contacts: in ±1.2, those that overlap; and 'resting': one on the other, 1% deep, turned at random about the vertical and tilted by up to a
// milliradian. Bullet is Debian's, in floats; each contact is used.
#include "bench/compare.h"
#include "carom/math/random.h"
#include "carom/query/contacts.h"
#include "carom/query/distance.h"
#include "carom/query/overlap.h"
#include "carom/query/signed_distance.h"
#include "carom/query/vclip.h"

#include <BulletCollision/CollisionDispatch/btBoxBoxDetector.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <memory>
#include <vector>

namespace carom::bench {
namespace {

constexpr std::size_t pose_count = 5000;

/// A shape of ours and the same in FCL.
struct Pair {
  Shape ours;
  std::shared_ptr<fcl::CollisionGeometryd> theirs;
};

struct PosePair {
  Pose a, b;
};

fcl::Vector3d to_fcl(const Vec3& v) { return {v.x, v.y, v.z}; }

fcl::Transform3d to_fcl(const Pose& pose) {
  fcl::Transform3d t = fcl::Transform3d::Identity();
  const Quat& q = pose.rotation;
  t.linear() = fcl::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
  t.translation() = to_fcl(pose.position);
  return t;
}

Pair sphere_hull(std::size_t points, std::uint64_t seed) {
  Random random(seed);
  std::vector<Vec3> on_sphere;
  for (std::size_t i = 0; i < points; ++i) on_sphere.push_back(random.direction());
  const ConvexHull hull = convex_hull(on_sphere).value();
  auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
  for (const Vec3& v : hull.vertices) vertices->push_back(to_fcl(v));
  auto faces = std::make_shared<std::vector<int>>();
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    faces->push_back(static_cast<int>(hull.corners(f).size()));
    for (const std::uint32_t v : hull.corners(f)) faces->push_back(static_cast<int>(v));
  }
  return {Shape::hull(on_sphere).value(),
          std::make_shared<fcl::Convexd>(vertices, static_cast<int>(hull.face_count()), faces)};
}

Pair box(const Vec3& half) {
  return {Shape::box(half).value(),
          std::make_shared<fcl::Boxd>(2 * half.x, 2 * half.y, 2 * half.z)};
}
Pair capsule(double half_height, double radius) {
  return {Shape::capsule({0, 0, -half_height}, {0, 0, half_height}, radius).value(),
          std::make_shared<fcl::Capsuled>(radius, 2 * half_height)};
}
Pair cylinder(double half_height, double radius) {
  return {Shape::cylinder(half_height, radius).value(),
          std::make_shared<fcl::Cylinderd>(radius, 2 * half_height)};
}

enum class Keep { all, apart, overlapping };

std::vector<PosePair> random_poses(const Pair& a, const Pair& b, double reach, Keep keep) {
  Random random(7);
  std::vector<PosePair> poses;
  while (poses.size() < pose_count) {
    PosePair p;
    p.a.rotation = random.rotation();
    p.b.rotation = random.rotation();
    for (int i = 0; i < 3; ++i) p.b.position[i] = random.uniform(-reach, reach);
    if (keep == Keep::all || overlap(a.ours, p.a, b.ours, p.b).hit == (keep == Keep::overlapping))
      poses.push_back(p);
  }
  return poses;
}

/// The distance, or where `signed_too` the signed one.
void compare_distances(const std::string& name, const Pair& a, const Pair& b,
                       const std::vector<PosePair>& poses, bool signed_too) {
  compare(
      name, poses.size(),
      [=] {
        double sum = 0;
        for (const PosePair& p : poses)
          sum += signed_too ? signed_distance(a.ours, p.a, b.ours, p.b).value
                            : distance(a.ours, p.a, b.ours, p.b).value;
        return sum;
      },
      "FCL libccd",
      [=] {
        double sum = 0;
        fcl::DistanceRequestd request(true, signed_too);
        request.gjk_solver_type = fcl::GST_LIBCCD;
        for (const PosePair& p : poses) {
          fcl::DistanceResultd result;
          sum += fcl::distance(a.theirs.get(), to_fcl(p.a), b.theirs.get(), to_fcl(p.b), request,
                               result);
        }
        return sum;
      });
}

void compare_distance(const std::string& name, const Pair& a, const Pair& b) {
  compare_distances(name, a, b, random_poses(a, b, 3, Keep::apart), false);
}

void compare_depth(const std::string& name, const Pair& a, const Pair& b) {
  compare_distances(name, a, b, random_poses(a, b, 1.2, Keep::all), true);
}

void compare_overlap(const std::string& name, const Pair& a, const Pair& b) {
  const auto poses = random_poses(a, b, 1.2, Keep::all);
  compare(
      name, poses.size(),
      [a, b, poses] {
        double sum = 0;
        for (const PosePair& p : poses) sum += overlap(a.ours, p.a, b.ours, p.b).hit ? 1 : 0;
        return sum;
      },
      "FCL libccd",
      [a, b, poses] {
        double sum = 0;
        fcl::CollisionRequestd request(1, false);
        request.gjk_solver_type = fcl::GST_LIBCCD;
        for (const PosePair& p : poses) {
          fcl::CollisionResultd result;
          sum += fcl::collide(a.theirs.get(), to_fcl(p.a), b.theirs.get(), to_fcl(p.b), request,
                              result)
                     ? 1
                     : 0;
        }
        return sum;
      });
}

/// B flies by A on a wave, both turning; a step is 1% of the size in translation, and as much in rotation.
std::vector<PosePair> coherent_poses() {
  Random random(8);
  PosePair p;
  p.a.rotation = random.rotation();
  p.b.rotation = random.rotation();
  p.b.position = {3, 0, 0};
  const Vec3 spin_a = random.direction() * 0.005;
  const Vec3 spin_b = random.direction() * 0.005;
  std::vector<PosePair> poses;
  Vec3 velocity{-0.01, 0.002, 0.001};
  while (poses.size() < pose_count) {
    poses.push_back(p);
    p.a.rotation = Quat{spin_a.x, spin_a.y, spin_a.z, 1} * p.a.rotation;
    p.b.rotation = Quat{spin_b.x, spin_b.y, spin_b.z, 1} * p.b.rotation;
    p.a.rotation = normalized(p.a.rotation);
    p.b.rotation = normalized(p.b.rotation);
    p.b.position += velocity;
    for (int i = 0; i < 3; ++i) {
      if (std::fabs(p.b.position[i]) > 3) velocity[i] = -velocity[i];
    }
  }
  return poses;
}

void compare_coherent(const std::string& name, const Shape& a, const Shape& b) {
  const auto poses = coherent_poses();
  const auto run = [a, b, poses](bool warm) {
    double sum = 0;
    PairCache cache;
    for (const PosePair& p : poses)
      sum += distance(a, p.a, b, p.b, {}, warm ? &cache : nullptr).value;
    return sum;
  };
  compare(
      name, poses.size(), [run] { return run(true); }, "ours, cold", [run] { return run(false); });
}

/// Adds up what Bullet finds.
struct BulletSum : btDiscreteCollisionDetectorInterface::Result {
  double sum = 0;

  void setShapeIdentifiersA(int, int) override {}
  void setShapeIdentifiersB(int, int) override {}
  void addContactPoint(const btVector3&, const btVector3& point, btScalar depth) override {
    sum += static_cast<double>(depth + point.x());
  }
};

btTransform to_bullet(const Pose& pose) {
  const auto f = [](double x) { return static_cast<btScalar>(x); };
  const Quat& q = pose.rotation;
  const Vec3& p = pose.position;
  return btTransform(btQuaternion(f(q.x), f(q.y), f(q.z), f(q.w)),
                     btVector3(f(p.x), f(p.y), f(p.z)));
}

btVector3 to_bullet(const Vec3& v) {
  return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)};
}

void compare_box_contacts(const std::string& name, const Vec3& half_a, const Vec3& half_b,
                          const std::vector<PosePair>& poses) {
  const Shape a = Shape::box(half_a).value();
  const Shape b = Shape::box(half_b).value();
  compare(
      name, poses.size(),
      [a, b, poses] {
        double sum = 0;
        for (const PosePair& p : poses) {
          const ContactManifold m = contacts(a, p.a, b, p.b);
          for (const Contact& c : m.contacts()) sum += c.separation + c.on_b.x;
        }
        return sum;
      },
      "Bullet dBoxBox2",
      [half_a, half_b, poses] {
        const btBoxShape box_a(to_bullet(half_a));
        const btBoxShape box_b(to_bullet(half_b));
        BulletSum result;
        for (const PosePair& p : poses) {
          btBoxBoxDetector detector(&box_a, &box_b);
          btDiscreteCollisionDetectorInterface::ClosestPointInput input;
          input.m_transformA = to_bullet(p.a);
          input.m_transformB = to_bullet(p.b);
          detector.getClosestPoints(input, result, nullptr);
        }
        return result.sum;
      });
}

/// B on A's top, a little tilted; both turned by the same rotation.
std::vector<PosePair> resting_poses(double height) {
  Random random(8);
  std::vector<PosePair> poses;
  while (poses.size() < pose_count) {
    const Quat both = random.rotation();
    const double turn = random.uniform(0, 3.14);
    Quat twist = Quat::from_axis_angle({0, 0, 1}, turn);
    twist.x = random.uniform(-5e-4, 5e-4);
    twist.y = random.uniform(-5e-4, 5e-4);
    Vec3 at{0, 0, 0.99 * height};
    at.x = random.uniform(-0.3, 0.3);
    at.y = random.uniform(-0.3, 0.3);
    poses.push_back({{both, {}}, Pose{both, {}} * Pose{twist, at}});
  }
  return poses;
}

void hulls() {
  for (const std::size_t points : {16u, 64u, 256u, 1024u}) {
    const std::string name = "hull" + std::to_string(points);
    const Pair a = sphere_hull(points, 1);
    const Pair b = sphere_hull(points, 2);
    compare_distance(name + " distance", a, b);
    compare_overlap(name + " overlap", a, b);
    compare_depth(name + " depth", a, b);
    compare_coherent(name + " coherent", a.ours, b.ours);
  }
}

void primitives() {
  const Pair a_box = box({0.5, 0.4, 0.3});
  compare_overlap("box-box overlap", a_box, box({0.3, 0.6, 0.5}));
  compare_distance("box-box distance", a_box, box({0.3, 0.6, 0.5}));
  compare_distance("capsule-box distance", capsule(0.5, 0.2), a_box);
  compare_distance("cylinder-cylinder distance", cylinder(0.5, 0.3), cylinder(0.4, 0.5));
}

void box_contacts() {
  const Vec3 a{0.5, 0.4, 0.3};
  const Vec3 b{0.3, 0.6, 0.5};
  compare_box_contacts("box-box contacts", a, b,
                       random_poses(box(a), box(b), 1.2, Keep::overlapping));
  compare_box_contacts("box-box contacts, resting", a, b, resting_poses(0.8));
}

/// The coherent flight by feature tracking, and the same with features that are forgotten at each step, from the coarsest level on.
void feature_tracking() {
  const auto poses = coherent_poses();
  for (const std::size_t points : {16u, 64u, 256u, 1024u}) {
    const std::string name = "hull" + std::to_string(points);
    const Shape a = sphere_hull(points, 1).ours;
    const Shape b = sphere_hull(points, 2).ours;
    const auto tracked = [poses](const FeatureHull& on_a, const FeatureHull& on_b, bool forget) {
      double sum = 0;
      FeaturePair pair;
      for (const PosePair& p : poses) {
        if (forget) pair = {};
        sum += tracked_distance(on_a, p.a, on_b, p.b, pair).value;
      }
      return sum;
    };
    const auto cold = [a, b, poses] {
      double sum = 0;
      for (const PosePair& p : poses) sum += distance(a, p.a, b, p.b).value;
      return sum;
    };
    const FeatureHull plain_a = FeatureHull::of(a).value();
    const FeatureHull plain_b = FeatureHull::of(b).value();
    const FeatureHull levels_a = FeatureHull::of(a, {.levels = true}).value();
    const FeatureHull levels_b = FeatureHull::of(b, {.levels = true}).value();
    compare(
        name + " vclip coherent", poses.size(), [=] { return tracked(plain_a, plain_b, false); },
        "ours, cold", cold);
    compare(
        name + " vclip afresh", poses.size(), [=] { return tracked(plain_a, plain_b, true); },
        "ours, cold", cold);
    compare(
        name + " vclip levels", poses.size(), [=] { return tracked(levels_a, levels_b, true); },
        "ours, cold", cold);
  }
}

} // namespace
} // namespace carom::bench

int main(int argc, char** argv) {
  carom::bench::hulls();
  carom::bench::primitives();
  carom::bench::box_contacts();
  carom::bench::feature_tracking();
  return carom::bench::main(argc, argv);
}
