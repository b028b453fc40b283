// A walk over rolling ground of triangles a metre apart, with walls and stairs on it, against Bullet's kinematic character controller on the same ground with a capsule of the same size. Both are told the same way to go in each step: circles of
// changing size, so that the walk stays in the middle of the level, whatever its size. For growth: the same walk in levels of the same density, from a thousand to a million triangles.
#include "bench/compare.h"
#include "bench/motion_cases.h"
#include "carom/math/trig.h"
#include "carom/mover/mover.h"
#include "carom/shape/triangle_mesh.h"

#include <BulletCollision/CollisionDispatch/btGhostObject.h>
#include <BulletDynamics/Character/btKinematicCharacterController.h>
#include <btBulletCollisionCommon.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace carom::bench {
namespace {

constexpr int step_count = 1000;
constexpr double seconds = 1.0 / 60, radius = 0.3, cylinder = 1.2, step_height = 0.3;

double height_at(double x, double z) {
  return 0.6 * carom::sin(0.35 * x) * carom::cos(0.3 * z) + 0.15 * carom::sin(1.3 * x + 0.7 * z);
}

/// Ground of cells of a metre, two triangles each, and a block of two by two metres and a step's height on each fiftieth cell. About `triangles` in all.
PolygonMesh level(std::size_t triangles) {
  const auto cells = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(triangles) / 2.2));
  PolygonMesh mesh;
  const double half = 0.5 * cells;
  for (std::uint32_t j = 0; j <= cells; ++j)
    for (std::uint32_t i = 0; i <= cells; ++i) {
      const double x = i - half, z = j - half;
      mesh.vertices.push_back({x, height_at(x, z), z});
    }
  for (std::uint32_t j = 0; j < cells; ++j)
    for (std::uint32_t i = 0; i < cells; ++i) {
      const std::uint32_t a = j * (cells + 1) + i, b = a + 1, c = a + cells + 1, d = c + 1;
      mesh.add_face(std::vector{a, c, b});
      mesh.add_face(std::vector{b, c, d});
      if ((i * 7 + j * 13) % 50 != 0) continue;
      // A block: a wall, or a stair.
      const double x = i - half, z = j - half, top = height_at(x, z) + (i % 3 == 0 ? 2 : 0.25);
      const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
      for (std::uint32_t k = 0; k < 8; ++k)
        mesh.vertices.push_back({x + (k & 1), k & 2 ? top : top - 3, z + (k & 4 ? 1.0 : 0.0)});
      const std::uint32_t faces[5][4] = {
          {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}, {0, 4, 6, 2}, {1, 3, 7, 5}};
      for (const auto& f : faces) {
        mesh.add_face(std::vector{first + f[0], first + f[1], first + f[2]});
        mesh.add_face(std::vector{first + f[0], first + f[2], first + f[3]});
      }
    }
  return mesh;
}

/// The velocity of step i: circles, of 4 m/s, one way round and then the other.
Vec3 walk_at(int i) {
  const double turn = 0.02 * i + 0.5 * carom::sin(0.013 * i);
  const SinCos s = sin_cos(turn);
  return {4 * s.cos, 0, 4 * s.sin};
}

const Vec3 start{0.37, 2.5, 0.21};

class Ours {
public:
  explicit Ours(const PolygonMesh& mesh)
      : mover_(
            Mover::make(
                {.shape = Shape::capsule({0, radius, 0}, {0, radius + cylinder, 0}, radius).value(),
                 .up = {0, 1, 0},
                 .step_up = step_height,
                 .step_down = step_height})
                .value()) {
    (void)space_.add({.shape = Shape::mesh(mesh, {.body = MeshOptions::Body::surface}).value(),
                      .mobility = Mobility::fixed});
  }
  double walk() {
    MoverState state{.pose = Pose::at(start)};
    way_ = 0;
    for (int i = 0; i < step_count; ++i) {
      const MoveResult r =
          move(space_, mover_, state,
               {.walk = walk_at(i), .gravity = {0, -9.81, 0}, .seconds = seconds}, &cache_);
      way_ += length(r.moved);
    }
    return state.pose.position.x + way_;
  }
  [[nodiscard]] double way() const { return way_; }

private:
  Space space_;
  Mover mover_;
  MoverCache cache_;
  double way_ = 0;
};

class Bullets {
public:
  explicit Bullets(const PolygonMesh& mesh)
      : dispatcher_(&configuration_), world_(&dispatcher_, &broadphase_, &configuration_),
        capsule_(btScalar(radius), btScalar(cylinder)) {
    for (std::size_t f = 0; f < mesh.face_count(); ++f) {
      const auto c = mesh.face(f);
      triangles_.addTriangle(to_bullet(mesh.vertices[c[0]]), to_bullet(mesh.vertices[c[1]]),
                             to_bullet(mesh.vertices[c[2]]));
    }
    ground_ = std::make_unique<btBvhTriangleMeshShape>(&triangles_, true);
    body_.setCollisionShape(ground_.get());
    world_.addCollisionObject(&body_, btBroadphaseProxy::StaticFilter,
                              btBroadphaseProxy::CharacterFilter |
                                  btBroadphaseProxy::DefaultFilter);
    broadphase_.getOverlappingPairCache()->setInternalGhostPairCallback(&callback_);
    ghost_.setCollisionShape(&capsule_);
    ghost_.setCollisionFlags(btCollisionObject::CF_CHARACTER_OBJECT);
    world_.addCollisionObject(&ghost_, btBroadphaseProxy::CharacterFilter,
                              btBroadphaseProxy::StaticFilter | btBroadphaseProxy::DefaultFilter);
    controller_ = std::make_unique<btKinematicCharacterController>(
        &ghost_, &capsule_, btScalar(step_height), btVector3(0, 1, 0));
    controller_->setMaxSlope(btScalar(0.873));
  }
  Bullets(const Bullets&) = delete;
  Bullets& operator=(const Bullets&) = delete;
  ~Bullets() {
    world_.removeCollisionObject(&ghost_);
    world_.removeCollisionObject(&body_);
  }
  double walk() {
    controller_->reset(&world_);
    controller_->setLinearVelocity(btVector3(0, 0, 0));
    controller_->warp(to_bullet(start + Vec3{0, radius + cylinder / 2, 0}));
    way_ = 0;
    btVector3 last = ghost_.getWorldTransform().getOrigin();
    for (int i = 0; i < step_count; ++i) {
      controller_->setWalkDirection(to_bullet(walk_at(i) * seconds));
      controller_->updateAction(&world_, btScalar(seconds));
      world_.updateSingleAabb(&ghost_);
      broadphase_.calculateOverlappingPairs(&dispatcher_);
      const btVector3 at = ghost_.getWorldTransform().getOrigin();
      way_ += static_cast<double>((at - last).length());
      last = at;
    }
    return static_cast<double>(last.x()) + way_;
  }
  [[nodiscard]] double way() const { return way_; }

private:
  static btVector3 to_bullet(const Vec3& v) {
    return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)};
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btGhostPairCallback callback_;
  btCollisionWorld world_;
  btTriangleMesh triangles_;
  std::unique_ptr<btBvhTriangleMeshShape> ground_;
  btCollisionObject body_;
  btCapsuleShape capsule_;
  btPairCachingGhostObject ghost_;
  std::unique_ptr<btKinematicCharacterController> controller_;
  double way_ = 0;
};

} // namespace

void add_mover_cases() {
  for (const std::size_t triangles : {1000U, 10000U, 100000U, 1000000U}) {
    const PolygonMesh mesh = level(triangles);
    const auto ours = std::make_shared<Ours>(mesh);
    const auto theirs = std::make_shared<Bullets>(mesh);
    (void)ours->walk();
    (void)theirs->walk();
    std::fprintf(stderr, "mover: %zu triangles, walked %.1f; Bullet %.1f\n", mesh.face_count(),
                 ours->way(), theirs->way());
    compare(
        "mover " + std::to_string(triangles), step_count, [ours] { return ours->walk(); },
        "Bullet character controller", [theirs] { return theirs->walk(); });
  }
}

} // namespace carom::bench
