// Many placed shapes: pairs, rays and moves, against Bullet's broad phase with its shapes.
//
// Scene: boxes with edges of 0.5 to 1.5, at any angle, at random in a cube with 8 units of volume for each; one in four is fixed. Both sides hold the same boxes, ours in doubles, Bullet's in floats.
//
// 'space pairs N': all pairs that overlap, decided on the shapes themselves: ours by overlapping_pairs, with a common point of each. Bullet's: the pairs of its broad phase, that is of boxes along the axes, each decided by
// btGjkPairDetector (asked for no more than whether the shapes are apart). Bullet keeps these pairs from before; ours are found anew each time.
// 'space rays N': the first object that a ray hits, with point and normal. Bullet: rayTest of the broad phase with btSubsimplexConvexCast, as its collision world does, through rayTestSingle.
// 'space move N': one object in ten moves by 0.1 and turns a little; boxes are computed from shapes and poses, and pairs that begin and end are found. Bullet: getAabb, setAabb, calculateOverlappingPairs.
#include "bench/compare.h"
#include "carom/math/random.h"
#include "carom/space/space_cast.h"
#include "carom/space/space_pairs.h"

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionDispatch/btCollisionWorld.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace carom::bench {
namespace {

/// Where the boxes are, step by step: the same for both sides.
struct Scene {
  std::vector<Vec3> half;
  std::vector<Pose> pose;
  std::vector<Vec3> velocity;
  double reach;

  explicit Scene(std::size_t count) : reach(std::cbrt(static_cast<double>(count))) {
    Random random(11);
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3 at = random.in_box({reach, reach, reach});
      half.push_back((Vec3{1, 1, 1} + random.in_box({0.5, 0.5, 0.5})) * 0.5);
      pose.push_back({random.rotation(), at});
      velocity.push_back(random.direction() * 0.1);
    }
  }

  [[nodiscard]] static bool is_fixed(std::size_t i) { return i % 4 == 1; }

  /// Those that move: one in ten.
  template<class Move>
  void step(Move&& move) {
    const Quat turn = normalized(Quat{0.01, 0.02, 0.03, 1});
    for (std::size_t i = 0; i < pose.size(); i += 10) {
      if (is_fixed(i)) continue;
      Vec3 &p = pose[i].position, &v = velocity[i];
      for (int k = 0; k < 3; ++k)
        if (std::fabs(p[k] + v[k]) > reach) v[k] = -v[k];
      p += v;
      pose[i].rotation = normalized(turn * pose[i].rotation);
      move(i, pose[i]);
    }
  }
};

struct Ours {
  Scene scene;
  Space space;
  std::vector<ObjectId> ids;
  std::vector<SpaceOverlapPair> overlaps;

  explicit Ours(const Scene& start) : scene(start) {
    for (std::size_t i = 0; i < scene.pose.size(); ++i)
      ids.push_back(space
                        .add({.shape = Shape::box(scene.half[i]).value(),
                              .pose = scene.pose[i],
                              .mobility = Scene::is_fixed(i) ? Mobility::fixed : Mobility::moving})
                        .value());
    (void)space.update_pairs();
  }

  double pairs() {
    overlapping_pairs(space, overlaps);
    return static_cast<double>(overlaps.size());
  }
  double step() {
    scene.step([&](std::size_t i, const Pose& pose) { (void)space.move(ids[i], pose); });
    return static_cast<double>(space.update_pairs().begun.size());
  }
  double ray(const Ray& ray) const {
    const SpaceRayHit h = ray_cast(space, ray, {.max_t = 1});
    return h ? h.hit.t : 1;
  }
};

btVector3 to_bullet(const Vec3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}
btTransform to_bullet(const Pose& p) {
  const btQuaternion turn(static_cast<float>(p.rotation.x), static_cast<float>(p.rotation.y),
                          static_cast<float>(p.rotation.z), static_cast<float>(p.rotation.w));
  return btTransform(turn, to_bullet(p.position));
}

struct Bullet {
  Scene scene;
  btDbvtBroadphase broadphase;
  std::vector<std::unique_ptr<btBoxShape>> shapes;
  std::vector<std::unique_ptr<btCollisionObject>> objects;

  explicit Bullet(const Scene& start) : scene(start) {
    for (std::size_t i = 0; i < scene.pose.size(); ++i) {
      shapes.push_back(std::make_unique<btBoxShape>(to_bullet(scene.half[i])));
      objects.push_back(std::make_unique<btCollisionObject>());
      btCollisionObject& object = *objects.back();
      object.setCollisionShape(shapes.back().get());
      object.setWorldTransform(to_bullet(scene.pose[i]));
      btVector3 low, high;
      shapes[i]->getAabb(object.getWorldTransform(), low, high);
      const int group = Scene::is_fixed(i) ? 2 : 1, mask = Scene::is_fixed(i) ? 1 : 3;
      object.setBroadphaseHandle(broadphase.createProxy(low, high, shapes[i]->getShapeType(),
                                                        &object, group, mask, nullptr));
    }
    broadphase.calculateOverlappingPairs(nullptr);
  }

  double pairs() {
    double found = 0;
    btBroadphasePairArray& list = broadphase.getOverlappingPairCache()->getOverlappingPairArray();
    btVoronoiSimplexSolver simplex;
    for (int i = 0; i < list.size(); ++i) {
      const auto* a = static_cast<btCollisionObject*>(list[i].m_pProxy0->m_clientObject);
      const auto* b = static_cast<btCollisionObject*>(list[i].m_pProxy1->m_clientObject);
      btGjkPairDetector gjk(static_cast<const btConvexShape*>(a->getCollisionShape()),
                            static_cast<const btConvexShape*>(b->getCollisionShape()), &simplex,
                            nullptr);
      btGjkPairDetector::ClosestPointInput input;
      input.m_transformA = a->getWorldTransform();
      input.m_transformB = b->getWorldTransform();
      btPointCollector result;
      gjk.getClosestPoints(input, result, nullptr);
      found += !result.m_hasResult || result.m_distance <= 0 ? 1 : 0;
    }
    return found;
  }

  double step() {
    scene.step([&](std::size_t i, const Pose& pose) {
      objects[i]->setWorldTransform(to_bullet(pose));
      btVector3 low, high;
      shapes[i]->getAabb(objects[i]->getWorldTransform(), low, high);
      broadphase.setAabb(objects[i]->getBroadphaseHandle(), low, high, nullptr);
    });
    broadphase.calculateOverlappingPairs(nullptr);
    return broadphase.getOverlappingPairCache()->getNumOverlappingPairs();
  }

  /// As btCollisionWorld::rayTest does it.
  struct RayTest final : btBroadphaseRayCallback {
    btTransform from, to;
    btCollisionWorld::ClosestRayResultCallback closest;

    RayTest(const btVector3& a, const btVector3& b) : closest(a, b) {
      from.setIdentity();
      from.setOrigin(a);
      to.setIdentity();
      to.setOrigin(b);
      const btVector3 d = (b - a).normalized();
      for (int i = 0; i < 3; ++i) {
        m_rayDirectionInverse[i] = d[i] == 0 ? float{BT_LARGE_FLOAT} : 1 / d[i];
        m_signs[i] = m_rayDirectionInverse[i] < 0;
      }
      m_lambda_max = d.dot(b - a);
    }
    bool process(const btBroadphaseProxy* proxy) override {
      if (closest.m_closestHitFraction == 0) return false;
      auto* object = static_cast<btCollisionObject*>(proxy->m_clientObject);
      btCollisionWorld::rayTestSingle(from, to, object, object->getCollisionShape(),
                                      object->getWorldTransform(), closest);
      return true;
    }
  };
  double ray(const Ray& ray) {
    const btVector3 a = to_bullet(ray.origin), b = to_bullet(ray.origin + ray.direction);
    RayTest test(a, b);
    broadphase.rayTest(a, b, test);
    return static_cast<double>(test.closest.m_closestHitFraction);
  }
};

std::vector<Ray> rays_for(const Scene& scene) {
  Random random(3);
  std::vector<Ray> rays;
  for (int i = 0; i < 500; ++i) {
    const Vec3 from = random.in_box({scene.reach, scene.reach, scene.reach});
    const Vec3 to = random.in_box({scene.reach, scene.reach, scene.reach});
    rays.push_back({from, to - from});
  }
  return rays;
}

template<class Side>
double cast_all(Side& side, const std::vector<Ray>& rays) {
  double sum = 0;
  for (const Ray& ray : rays) sum += side.ray(ray);
  return sum;
}

/// Bullet's boxes have round edges as GJK sees them, so a few pairs less. (And its rays do not see what they start in.)
void check_sides(const std::string& name, const Scene& scene) {
  Ours ours(scene);
  Bullet bullet(scene);
  const double a = ours.pairs(), b = bullet.pairs();
  if (std::fabs(a - b) > 0.06 * a)
    std::fprintf(stderr, "%s: %.0f pairs, Bullet has %.0f\n", name.c_str(), a, b);
}

void compare_all(std::size_t count) {
  const Scene scene(count);
  const std::string n = std::to_string(count), peer = "Bullet btDbvtBroadphase";
  check_sides(n, scene);
  const auto ours = std::make_shared<Ours>(scene);
  const auto bullet = std::make_shared<Bullet>(scene);
  const std::vector<Ray> rays = rays_for(scene);
  compare(
      "space pairs " + n, 1, [ours] { return ours->pairs(); }, peer,
      [bullet] { return bullet->pairs(); });
  compare(
      "space rays " + n, rays.size(), [ours, rays] { return cast_all(*ours, rays); }, peer,
      [bullet, rays] { return cast_all(*bullet, rays); });
  compare(
      "space move " + n, 1, [side = std::make_shared<Ours>(scene)] { return side->step(); }, peer,
      [side = std::make_shared<Bullet>(scene)] { return side->step(); });
}

} // namespace
} // namespace carom::bench

int main(int argc, char** argv) {
  using namespace carom::bench;
  compare_all(1000);
  compare_all(10000);
  return carom::bench::main(argc, argv);
}
