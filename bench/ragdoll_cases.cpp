// 200 ragdolls of 12 bodies each fall on a bowl of triangles, in both engines: the same capsules and boxes, masses, anchors and limits.
//
// Shoulders, hips, neck and spine are balls with a cone and a twist (Bullet: btConeTwistConstraint, whose swing spans are the cone's), elbows and knees hinges with limits (btHingeConstraint). Joined bodies
// do not touch each other. Bullet: float, 10 iterations. Sleeping off on both sides.
#include "bench/ragdoll_cases.h"
#include "bench/bowl.h"
#include "bench/compare.h"
#include "carom/dynamics/world.h"
#include "carom/math/random.h"
#include "carom/math/trig.h"
#include "carom/mesh/polygon_mesh.h"
#include "carom/shape/mass.h"
#include "carom/shape/triangle_mesh.h"

#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace carom::bench {
namespace {

constexpr int ragdolls = 200, steps = 300;
constexpr double lowest = -6;

/// A capsule along z, or a box.
struct Part {
  Vec3 at;   ///< of its centre, when the doll stands
  Vec3 half; ///< box; or x: radius, z: half the length of the axis
  bool box;
};
/// Joins `a` to `b`, whose x axis points along `axis`.
struct Bond {
  std::size_t a, b;
  Vec3 at, axis;
  bool hinge;
  double cone, lower, upper; ///< of a hinge: the limits of its angle
};

const Part parts[12] = {
    {{0, 0, 1.0}, {0.16, 0.1, 0.1}, true},    // pelvis
    {{0, 0, 1.35}, {0.18, 0.11, 0.18}, true}, // chest
    {{0, 0, 1.72}, {0.1, 0, 0.04}, false},    // head
    {{0.1, 0, 0.68}, {0.07, 0, 0.15}, false}, // thighs
    {{-0.1, 0, 0.68}, {0.07, 0, 0.15}, false},
    {{0.1, 0, 0.25}, {0.055, 0, 0.16}, false}, // shins
    {{-0.1, 0, 0.25}, {0.055, 0, 0.16}, false},
    {{0.28, 0, 1.33}, {0.05, 0, 0.11}, false}, // upper arms
    {{-0.28, 0, 1.33}, {0.05, 0, 0.11}, false},
    {{0.28, 0, 1.02}, {0.045, 0, 0.11}, false}, // forearms
    {{-0.28, 0, 1.02}, {0.045, 0, 0.11}, false},
    {{0, 0, 1.58}, {0.06, 0, 0.02}, false}, // neck
};
const Bond bonds[11] = {
    {0, 1, {0, 0, 1.13}, {0, 0, 1}, false, 0.4, -0.3, 0.3},
    {1, 11, {0, 0, 1.53}, {0, 0, 1}, false, 0.4, -0.3, 0.3},
    {11, 2, {0, 0, 1.63}, {0, 0, 1}, false, 0.4, -0.5, 0.5},
    {0, 3, {0.1, 0, 0.88}, {0, 0, -1}, false, 0.8, -0.3, 0.3},
    {0, 4, {-0.1, 0, 0.88}, {0, 0, -1}, false, 0.8, -0.3, 0.3},
    {3, 5, {0.1, 0, 0.46}, {1, 0, 0}, true, 0, 0, 2.2},
    {4, 6, {-0.1, 0, 0.46}, {1, 0, 0}, true, 0, 0, 2.2},
    {1, 7, {0.28, 0, 1.48}, {0, 0, -1}, false, 1.2, -0.6, 0.6},
    {1, 8, {-0.28, 0, 1.48}, {0, 0, -1}, false, 1.2, -0.6, 0.6},
    {7, 9, {0.28, 0, 1.18}, {1, 0, 0}, true, 0, -2.2, 0},
    {8, 10, {-0.28, 0, 1.18}, {1, 0, 0}, true, 0, -2.2, 0},
};

Shape to_shape(const Part& p) {
  return p.box ? Shape::box(p.half).value()
               : Shape::capsule({0, 0, -p.half.z}, {0, 0, p.half.z}, p.half.x).value();
}

/// Turns x to a unit vector along an axis of coordinates.
Quat turn_to(const Vec3& axis) {
  if (axis.x > 0.5) return {};
  return Quat::from_axis_angle({0, 1, 0}, axis.z > 0 ? -half_pi : half_pi);
}

Pose doll_pose(int i) {
  Random random(static_cast<std::uint64_t>(i) + 1);
  const Quat turn = random.rotation();
  return {turn, {(i % 10) * 2.2 - 9.9, (i / 10 % 10) * 2.2 - 9.9, 7 + (i / 100) * 2.5}};
}

class Ours {
public:
  explicit Ours(const PolygonMesh& ground) : world_(options()) {
    const Shape mesh = Shape::mesh(ground, {.body = MeshOptions::Body::surface}).value();
    world_.add({.shape = mesh, .kind = BodyKind::fixed, .material = {.friction = 0.5}}).value();
    for (int i = 0; i < ragdolls; ++i) add(doll_pose(i));
  }
  void step() { world_.step(1.0 / 60); }
  [[nodiscard]] std::size_t count() const { return ids_.size(); }
  [[nodiscard]] Vec3 position(std::size_t i) const { return world_.pose(ids_[i])->position; }
  [[nodiscard]] std::size_t bond_count() const { return joints_.size(); }
  [[nodiscard]] double separation(std::size_t i) const { return world_.joint(joints_[i])->length; }

private:
  static WorldOptions options() {
    WorldOptions o;
    o.sleep.enabled = false;
    return o;
  }
  void add(const Pose& pose) {
    const std::size_t first = ids_.size();
    for (const Part& p : parts)
      ids_.push_back(world_
                         .add({.shape = to_shape(p),
                               .pose = pose * Pose::at(p.at - Vec3{0, 0, 1}),
                               .material = {.friction = 0.5}})
                         .value());
    for (const Bond& b : bonds) {
      JointDef def{.a = ids_[first + b.a],
                   .b = ids_[first + b.b],
                   .frame = pose * Pose{turn_to(b.axis), b.at - Vec3{0, 0, 1}}};
      if (b.hinge)
        def.kind = HingeJoint{.limits = JointRange{b.lower, b.upper}};
      else
        def.kind = BallJoint{.cone = b.cone, .twist = JointRange{b.lower, b.upper}};
      joints_.push_back(world_.add_joint(def).value());
    }
  }
  World world_;
  std::vector<BodyId> ids_;
  std::vector<JointId> joints_;
};

btScalar real(double x) { return static_cast<btScalar>(x); }
btVector3 to_bullet(const Vec3& v) { return {real(v.x), real(v.y), real(v.z)}; }
btTransform to_bullet(const Pose& p) {
  const Quat& q = p.rotation;
  return btTransform(btQuaternion(real(q.x), real(q.y), real(q.z), real(q.w)),
                     to_bullet(p.position));
}

class Bullet {
public:
  explicit Bullet(const PolygonMesh& ground) {
    world_.setGravity({0, 0, -9.81F});
    world_.getSolverInfo().m_numIterations = 10;
    for (std::size_t i = 0; i < ground.face_count(); ++i) {
      const auto c = ground.face(i);
      triangles_.addTriangle(to_bullet(ground.vertices[c[0]]), to_bullet(ground.vertices[c[1]]),
                             to_bullet(ground.vertices[c[2]]));
    }
    mesh_ = std::make_unique<btBvhTriangleMeshShape>(&triangles_, true);
    ground_ = make(0, mesh_.get(), {});
    world_.addRigidBody(ground_.get());
    for (const Part& p : parts) {
      if (p.box)
        shapes_.push_back(std::make_unique<btBoxShape>(to_bullet(p.half)));
      else
        shapes_.push_back(std::make_unique<btCapsuleShapeZ>(real(p.half.x), real(2 * p.half.z)));
    }
    for (int i = 0; i < ragdolls; ++i) add(doll_pose(i));
  }
  ~Bullet() {
    for (auto& bond : bonds_) world_.removeConstraint(bond.get());
    for (auto& body : bodies_) world_.removeRigidBody(body.get());
    world_.removeRigidBody(ground_.get());
  }
  Bullet(const Bullet&) = delete;
  Bullet& operator=(const Bullet&) = delete;
  void step() { world_.stepSimulation(1.0F / 60, 0, 1.0F / 60); }
  [[nodiscard]] std::size_t count() const { return bodies_.size(); }
  [[nodiscard]] Vec3 position(std::size_t i) const {
    const btVector3 p = bodies_[i]->getWorldTransform().getOrigin();
    return {p.x(), p.y(), p.z()};
  }
  [[nodiscard]] std::size_t bond_count() const { return bonds_.size(); }
  [[nodiscard]] double separation(std::size_t i) const {
    const btVector3 a = bonds_[i]->getRigidBodyA().getWorldTransform() * anchors_[2 * i];
    const btVector3 b = bonds_[i]->getRigidBodyB().getWorldTransform() * anchors_[2 * i + 1];
    return (a - b).length();
  }

private:
  static std::unique_ptr<btRigidBody> make(double mass, btCollisionShape* shape, const Pose& pose) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape->calculateLocalInertia(real(mass), inertia);
    btRigidBody::btRigidBodyConstructionInfo info(real(mass), nullptr, shape, inertia);
    info.m_startWorldTransform = to_bullet(pose);
    info.m_friction = 0.7071F; // Bullet multiplies: 0.5 for a pair
    auto body = std::make_unique<btRigidBody>(info);
    body->setActivationState(DISABLE_DEACTIVATION);
    return body;
  }
  void add(const Pose& pose) {
    const std::size_t first = bodies_.size();
    for (std::size_t i = 0; i < 12; ++i) {
      const double mass = 1000 * mass_properties(to_shape(parts[i])).volume;
      bodies_.push_back(make(mass, shapes_[i].get(), pose * Pose::at(parts[i].at - Vec3{0, 0, 1})));
      world_.addRigidBody(bodies_.back().get());
    }
    for (const Bond& b : bonds) {
      btRigidBody &body_a = *bodies_[first + b.a], &body_b = *bodies_[first + b.b];
      // Bullet's hinges turn about z, cones open about x.
      const Quat turn = b.hinge ? Quat::from_axis_angle({0, 1, 0}, half_pi) : turn_to(b.axis);
      const btTransform frame_a = to_bullet(Pose{turn, b.at - parts[b.a].at}),
                        frame_b = to_bullet(Pose{turn, b.at - parts[b.b].at});
      anchors_.push_back(frame_a.getOrigin());
      anchors_.push_back(frame_b.getOrigin());
      if (b.hinge) {
        auto hinge = std::make_unique<btHingeConstraint>(body_a, body_b, frame_a, frame_b);
        hinge->setLimit(real(b.lower), real(b.upper));
        bonds_.push_back(std::move(hinge));
      } else {
        auto cone = std::make_unique<btConeTwistConstraint>(body_a, body_b, frame_a, frame_b);
        cone->setLimit(real(b.cone), real(b.cone), real(b.upper));
        bonds_.push_back(std::move(cone));
      }
      world_.addConstraint(bonds_.back().get(), true);
    }
  }
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  btTriangleMesh triangles_;
  std::unique_ptr<btBvhTriangleMeshShape> mesh_;
  std::unique_ptr<btRigidBody> ground_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> bonds_;
  std::vector<btVector3> anchors_;
};

template<class Side>
double run(const PolygonMesh& ground) {
  Side side(ground);
  for (int i = 0; i < steps; ++i) side.step();
  double sum = 0;
  for (std::size_t i = 0; i < side.count(); ++i) sum += side.position(i).z;
  return sum;
}

template<class Side>
void report(const char* who, const PolygonMesh& ground) {
  Side side(ground);
  double most = 0, sum = 0;
  for (int i = 0; i < steps; ++i) {
    side.step();
    for (std::size_t k = 0; k < side.bond_count(); ++k) {
      const double apart = side.separation(k);
      most = std::max(most, apart);
      sum += apart;
    }
  }
  int lost = 0;
  for (std::size_t i = 0; i < side.count(); ++i)
    if (!(side.position(i).z > lowest)) ++lost;
  std::printf("%-11s %-7s lost %d, joints apart: most %.5f m, mean %.6f m\n", "ragdolls", who, lost,
              most, sum / (static_cast<double>(side.bond_count()) * steps));
}

} // namespace

void add_ragdoll_cases() {
  const PolygonMesh ground = bowl(96, 20, 6, 0.1);
  compare(
      "ragdolls", steps, [ground] { return run<Ours>(ground); }, "Bullet",
      [ground] { return run<Bullet>(ground); });
}

void ragdoll_quality() {
  const PolygonMesh ground = bowl(96, 20, 6, 0.1);
  report<Ours>("ours", ground);
  report<Bullet>("Bullet", ground);
}

} // namespace carom::bench
