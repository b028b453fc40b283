#include "bench/ode_world.h"

#include "carom/mesh/convex_hull.h"
#include "carom/shape/mass.h"

#include <algorithm>
#include <array>

#include <ode/ode.h>

namespace carom::bench {
namespace {

/// A hull about its centre of mass, as ODE wants it: it refers to these arrays.
struct OdeHull {
  Vec3 center{};
  std::vector<dReal> planes, points;
  std::vector<unsigned> polygons;

  explicit OdeHull(const Form& f) : center(mass_properties(to_shape(f)).centroid) {
    const ConvexHull hull = convex_hull(f.points).value();
    for (const Vec3& v : hull.vertices)
      for (int i = 0; i < 3; ++i) points.push_back((v - center)[i]);
    for (std::size_t k = 0; k < hull.face_count(); ++k) {
      const auto corners = hull.corners(k);
      polygons.push_back(static_cast<unsigned>(corners.size()));
      polygons.insert(polygons.end(), corners.begin(), corners.end());
      const Vec3 a = hull.vertices[corners[0]] - center, b = hull.vertices[corners[1]] - center,
                 c = hull.vertices[corners[2]] - center;
      const Vec3 n = normalized(cross(b - a, c - a));
      planes.insert(planes.end(), {n.x, n.y, n.z, dot(n, a)});
    }
  }
};

class Ode final : public Simulation {
public:
  explicit Ode(const Scene& scene) {
    static const bool started =
        dInitODE2(0) != 0 && dAllocateODEDataForThread(dAllocateMaskAll) != 0;
    (void)started;
    world_ = dWorldCreate();
    space_ = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ);
    contacts_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, 0, 0, -9.81);
    dWorldSetQuickStepNumIterations(world_, 10);
    for (const Form& f : scene.forms)
      hulls_.push_back(f.kind == Kind::hull ? std::make_unique<OdeHull>(f) : nullptr);
    for (const Placed& p : scene.bodies) add(scene.forms[p.form], hulls_[p.form].get(), p);
  }
  ~Ode() override {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
  }
  Ode(const Ode&) = delete;
  Ode& operator=(const Ode&) = delete;

  void step() override {
    dSpaceCollide(space_, this, &Ode::near);
    dWorldQuickStep(world_, 1.0 / 60);
    dJointGroupEmpty(contacts_);
  }
  [[nodiscard]] Vec3 position(std::size_t body) const override {
    const dReal* p = dGeomGetPosition(geoms_[body]);
    return {p[0], p[1], p[2]};
  }

private:
  dGeomID geom_of(const Form& f, const OdeHull* hull) {
    switch (f.kind) {
    case Kind::ball:
      return dCreateSphere(space_, f.half.x);
    case Kind::capsule:
      return dCreateCapsule(space_, f.half.x, 2 * f.half.y);
    case Kind::hull:
      return dCreateConvex(space_, hull->planes.data(),
                           static_cast<unsigned>(hull->planes.size() / 4), hull->points.data(),
                           static_cast<unsigned>(hull->points.size() / 3), hull->polygons.data());
    default:
      return dCreateBox(space_, 2 * f.half.x, 2 * f.half.y, 2 * f.half.z);
    }
  }
  void add(const Form& f, const OdeHull* hull, const Placed& p) {
    const dGeomID geom = geom_of(f, hull);
    if (p.density > 0) {
      const dBodyID body = dBodyCreate(world_);
      const MassProperties m = mass_properties(to_shape(f));
      const Mat3& i = m.inertia;
      dMass mass;
      dMassSetParameters(&mass, p.density * m.volume, 0, 0, 0, p.density * i.x.x, p.density * i.y.y,
                         p.density * i.z.z, p.density * i.x.y, p.density * i.x.z,
                         p.density * i.y.z);
      dBodySetMass(body, &mass);
      dBodySetLinearVel(body, p.velocity.x, p.velocity.y, p.velocity.z);
      dGeomSetBody(geom, body);
    }
    const Vec3 at = p.pose.frame().to_world(hull ? hull->center : Vec3{});
    const Quat& q = p.pose.rotation;
    const dQuaternion rotation = {q.w, q.x, q.y, q.z};
    dGeomSetPosition(geom, at.x, at.y, at.z);
    dGeomSetQuaternion(geom, rotation);
    geoms_.push_back(geom);
  }

  static void near(void* data, dGeomID a, dGeomID b) {
    auto& self = *static_cast<Ode*>(data);
    const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (body_a == nullptr && body_b == nullptr) return;
    std::array<dContact, 8> contacts;
    const int count =
        dCollide(a, b, static_cast<int>(contacts.size()), &contacts[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
      dContact& c = contacts[static_cast<std::size_t>(i)];
      c.surface = {};
      c.surface.mode = dContactApprox1; // friction in proportion to the force
      c.surface.mu = 0.5;
      dJointAttach(dJointCreateContact(self.world_, self.contacts_, &c), body_a, body_b);
    }
  }

  dWorldID world_ = nullptr;
  dSpaceID space_ = nullptr;
  dJointGroupID contacts_ = nullptr;
  std::vector<std::unique_ptr<OdeHull>> hulls_; ///< one a form, or none
  std::vector<dGeomID> geoms_;                  ///< the space's
};

} // namespace

bool ode_can_build(const Scene& scene) {
  return std::none_of(scene.forms.begin(), scene.forms.end(),
                      [](const Form& f) { return f.kind == Kind::mesh; });
}

std::unique_ptr<Simulation> ode_simulation(const Scene& scene) {
  return std::make_unique<Ode>(scene);
}

} // namespace carom::bench
