// Exact polyhedral motion: a convex body of 200 polygons in a level of 20,000.
//
// The level is hills of 100 x 100 cells of a metre, cut into triangles: no two coplanar, about as many valleys as ridges. The body is the hull of 102 points on a ball of radius 0.8. Translations are 3 m long in
// random directions (downward as a rule, as things move), from random places above the ground that do not overlap it; about half of them hit. Rotations are by 60 degrees about a random axis through a point of the body, from
// places where a translation has ended: in contact or close to it. Bullet's convexSweepTest gets the same triangles, points, poses and sweeps, in floats, with its own tree, and a margin of a millimetre; only the first
// contact is asked for, of both. Cases with `bsp`: ours with the axial BSP tree beside ours with the wide tree.
#include "bench/compare.h"
#include "bench/motion_cases.h"
#include "carom/math/random.h"
#include "carom/mesh/convex_hull.h"
#include "carom/motion/polyhedral_motion.h"

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/CollisionDispatch/btCollisionConfiguration.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionDispatch/btCollisionWorld.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btTriangleMesh.h>

#include <array>
#include <cmath>
#include <iostream>
#include <memory>
#include <vector>

namespace carom::bench {
namespace {

constexpr int cells = 100;
constexpr std::size_t sweep_count = 500;

double height(double x, double y) {
  return 1.5 * std::sin(0.35 * x) * std::cos(0.27 * y) + 0.4 * std::sin(1.3 * x + 0.7 * y);
}

PolygonMesh level_mesh() {
  PolygonMesh mesh;
  const auto at = [](int i, int j) { return static_cast<std::uint32_t>(i * (cells + 1) + j); };
  for (int i = 0; i <= cells; ++i)
    for (int j = 0; j <= cells; ++j) mesh.vertices.push_back({i - 50.0, j - 50.0, height(i, j)});
  for (int i = 0; i < cells; ++i)
    for (int j = 0; j < cells; ++j) {
      mesh.add_face(std::array{at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.add_face(std::array{at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return mesh;
}

PolygonMesh body_mesh() {
  Random random(3);
  std::vector<Vec3> points;
  for (int i = 0; i < 102; ++i) points.push_back(random.direction() * 0.8);
  const ConvexHull hull = convex_hull(points).value();
  PolygonMesh mesh;
  mesh.vertices = hull.vertices;
  for (std::size_t f = 0; f < hull.face_count(); ++f) mesh.add_face(hull.corners(f));
  return mesh;
}

struct Sweep {
  Pose from;
  Vec3 by;
  Pose turn_from; ///< where it has ended
  Vec3 axis, point;
};

btVector3 to_bullet(const Vec3& v) {
  return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)};
}
btTransform to_bullet(const Pose& pose) {
  const auto f = [](double x) { return static_cast<btScalar>(x); };
  const Quat& q = pose.rotation;
  return btTransform(btQuaternion(f(q.x), f(q.y), f(q.z), f(q.w)), to_bullet(pose.position));
}

/// The same scene in Bullet.
struct BulletScene {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btCollisionWorld world{&dispatcher, &broadphase, &configuration};
  btTriangleMesh triangles;
  std::unique_ptr<btBvhTriangleMeshShape> level;
  btCollisionObject object;
  btConvexHullShape body;

  BulletScene(const PolygonMesh& level_of, const PolygonMesh& body_of) {
    for (std::size_t f = 0; f < level_of.face_count(); ++f) {
      const auto c = level_of.face(f);
      triangles.addTriangle(to_bullet(level_of.vertices[c[0]]), to_bullet(level_of.vertices[c[1]]),
                            to_bullet(level_of.vertices[c[2]]));
    }
    level = std::make_unique<btBvhTriangleMeshShape>(&triangles, true);
    level->setMargin(0.001F);
    object.setCollisionShape(level.get());
    world.addCollisionObject(&object);
    for (const Vec3& v : body_of.vertices) body.addPoint(to_bullet(v));
    body.setMargin(0.001F);
  }
  ~BulletScene() { world.removeCollisionObject(&object); }
  BulletScene(const BulletScene&) = delete;
  BulletScene& operator=(const BulletScene&) = delete;

  [[nodiscard]] double sweep(const Sweep& s) {
    const btTransform from = to_bullet(s.from),
                      to = to_bullet(Pose{s.from.rotation, s.from.position + s.by});
    btCollisionWorld::ClosestConvexResultCallback result(from.getOrigin(), to.getOrigin());
    world.convexSweepTest(&body, from, to, result);
    return static_cast<double>(result.m_closestHitFraction);
  }
};

struct Scene {
  PolygonMesh level_of = level_mesh(), body_of = body_mesh();
  Polyhedron level = Polyhedron::build(level_of).value();
  Polyhedron body = Polyhedron::build(body_of).value();
  BulletScene bullet{level_of, body_of};
  std::vector<Sweep> sweeps;
  PolyhedralCache cache;

  [[nodiscard]] PolyhedralMove translate(const Sweep& s, const PolyhedralOptions& options) {
    const PlacedPolyhedron still{&level, Pose::identity()};
    return move_translation(body, s.from, s.by, {&still, 1}, options, &cache);
  }
  [[nodiscard]] PolyhedralMove rotate(const Sweep& s, const PolyhedralOptions& options) {
    const PlacedPolyhedron still{&level, Pose::identity()};
    return move_rotation(body, s.turn_from, s.point, s.axis, 1.0471975511965976, {&still, 1},
                         options, &cache);
  }

  Scene() {
    Random random(11);
    while (sweeps.size() < sweep_count) {
      Sweep s;
      s.from.rotation = random.rotation();
      const double x = random.uniform(-45, 45);
      const double y = random.uniform(-45, 45);
      const double up = random.uniform(0.9, 2.2);
      double ground = -INFINITY;
      for (int i = -1; i <= 1; ++i)
        for (int j = -1; j <= 1; ++j) ground = std::max(ground, height(x + 50 + i, y + 50 + j));
      s.from.position = {x, y, ground + up};
      Vec3 way = random.direction();
      way.z = -0.5 * std::fabs(way.z);
      s.by = normalized(way) * 3.0;
      s.turn_from = translate(s, {}).pose;
      s.axis = random.direction();
      s.point = s.turn_from.position + random.direction() * 0.4;
      sweeps.push_back(s);
    }
    report();
  }

  /// What the sweeps are like, and whether both agree.
  void report() {
    std::size_t hits = 0, turned = 0, near = 0, agree = 0;
    for (const Sweep& s : sweeps) {
      const PolyhedralMove m = translate(s, {});
      hits += m.hit ? 1 : 0;
      near += m.polygons;
      agree += std::fabs(m.fraction - bullet.sweep(s)) < 0.01 ? 1 : 0;
      turned += rotate(s, {}).hit ? 1 : 0;
    }
    std::cerr << body.polygons().size() << " polygons among " << level.polygons().size() << "; "
              << hits << " of " << sweeps.size() << " translations hit, " << turned
              << " rotations; " << static_cast<double>(near) / static_cast<double>(sweeps.size())
              << " polygons near; Bullet agrees to 1% in " << agree << '\n';
  }
};

} // namespace

void add_polyhedral_cases() {
  const auto scene = std::make_shared<Scene>();
  const PolyhedralOptions first{.contact_tolerance = -1};
  const auto ours = [scene](bool turn, const PolyhedralOptions& options) {
    return [scene, turn, options] {
      double sum = 0;
      for (const Sweep& s : scene->sweeps)
        sum += (turn ? scene->rotate(s, options) : scene->translate(s, options)).fraction;
      return sum;
    };
  };
  PolyhedralOptions bsp = first, all;
  bsp.culling = PolyhedralOptions::Culling::bsp;
  PolyhedralOptions no_cache = first;
  no_cache.sidedness_cache = false;
  compare("polyhedral translation", sweep_count, ours(false, first), "Bullet convexSweepTest",
          [scene] {
            double sum = 0;
            for (const Sweep& s : scene->sweeps) sum += scene->bullet.sweep(s);
            return sum;
          });
  compare("polyhedral rotation", sweep_count, ours(true, first), "our translation",
          ours(false, first));
  compare("polyhedral translation, bsp", sweep_count, ours(false, bsp), "with the wide tree",
          ours(false, first));
  compare("polyhedral translation, no sidedness cache", sweep_count, ours(false, no_cache),
          "with it", ours(false, first));
  compare("polyhedral translation, all contacts", sweep_count, ours(false, all), "the first only",
          ours(false, first));
}

} // namespace carom::bench
