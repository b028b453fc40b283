#include "bench/mesh_cases.h"

#include "carom/math/random.h"
#include "carom/query/distance.h"
#include "carom/query/overlap.h"
#include "carom/query/overlapping_parts.h"
#include "carom/shape/composite.h"
#include "carom/tree/triangle_nearest.h"
#include "carom/tree/triangle_rays.h"

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Simple_cartesian.h>
#include <embree3/rtcore.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/math/bv/OBBRSS.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>
#include <xmmintrin.h>

#include <cstring>

namespace carom::bench {
namespace {

// ---- Embree

RTCDevice device() {
  static RTCDevice one = rtcNewDevice("threads=1");
  return one;
}

/// The arrays, as Embree wants them.
RTCGeometry embree_geometry(const Mesh& mesh) {
  RTCGeometry geometry = rtcNewGeometry(device(), RTC_GEOMETRY_TYPE_TRIANGLE);
  auto* to = static_cast<float*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0,
                                                         RTC_FORMAT_FLOAT3, 3 * sizeof(float),
                                                         mesh.vertices.size()));
  for (const Vec3& v : mesh.vertices)
    for (int i = 0; i < 3; ++i) *to++ = static_cast<float>(v[i]);
  void* corners = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                          sizeof(Corners), mesh.triangles.size());
  std::memcpy(corners, mesh.triangles.data(), mesh.triangles.size() * sizeof(Corners));
  rtcCommitGeometry(geometry);
  return geometry;
}

RTCScene embree_scene(RTCGeometry geometry) {
  RTCScene scene = rtcNewScene(device());
  rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
  rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_MEDIUM);
  rtcAttachGeometry(scene, geometry);
  rtcCommitScene(scene);
  return scene;
}

/// Written in place: copying it would cost Embree time that is not its own.
void set_ray(RTCRay& r, const Ray& ray) {
  r.org_x = static_cast<float>(ray.origin.x);
  r.org_y = static_cast<float>(ray.origin.y);
  r.org_z = static_cast<float>(ray.origin.z);
  r.dir_x = static_cast<float>(ray.direction.x);
  r.dir_y = static_cast<float>(ray.direction.y);
  r.dir_z = static_cast<float>(ray.direction.z);
  r.tnear = 0;
  r.tfar = INFINITY;
  r.time = 0;
  r.mask = ~0U;
  r.flags = 0;
}

/// Embree asks for very small numbers to count as zero; ours does not bear that.
class SmallIsZero {
public:
  SmallIsZero() { _mm_setcsr(before_ | 0x8040U); }
  SmallIsZero(const SmallIsZero&) = delete;
  SmallIsZero& operator=(const SmallIsZero&) = delete;
  ~SmallIsZero() { _mm_setcsr(before_); }

private:
  unsigned before_ = _mm_getcsr();
};

double closest_by_embree(RTCScene scene, const std::vector<Ray>& rays) {
  const SmallIsZero mode;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  double sum = 0;
  for (const Ray& ray : rays) {
    RTCRayHit hit;
    set_ray(hit.ray, ray);
    hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    hit.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene, &context, &hit);
    if (hit.hit.geomID != RTC_INVALID_GEOMETRY_ID) sum += static_cast<double>(hit.ray.tfar);
  }
  return sum;
}

double any_by_embree(RTCScene scene, const std::vector<Ray>& rays) {
  const SmallIsZero mode;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  double hits = 0;
  for (const Ray& ray : rays) {
    RTCRay r;
    set_ray(r, ray);
    rtcOccluded1(scene, &context, &r);
    hits += r.tfar < 0 ? 1 : 0;
  }
  return hits;
}

// ---- CGAL

using Kernel = CGAL::Simple_cartesian<double>;
using CgalTriangle = std::vector<Kernel::Triangle_3>::const_iterator;
using CgalTree =
    CGAL::AABB_tree<CGAL::AABB_traits<Kernel, CGAL::AABB_triangle_primitive<Kernel, CgalTriangle>>>;

// ---- FCL

/// FCL knows no inside.
Shape surface_shape(const Mesh& mesh) {
  PolygonMesh polygons;
  polygons.vertices = mesh.vertices;
  for (const Corners& corners : mesh.triangles) polygons.add_face(corners);
  return Shape::mesh(polygons, {.body = MeshOptions::Body::surface}).value();
}

} // namespace

MeshRef make_mesh(const PolygonMesh& polygons) {
  auto mesh = std::make_shared<Mesh>();
  mesh->vertices = polygons.vertices;
  for (std::size_t f = 0; f < polygons.face_count(); ++f) {
    const auto c = polygons.face(f);
    for (std::size_t i = 2; i < c.size(); ++i) mesh->triangles.push_back({c[0], c[i - 1], c[i]});
  }
  for (const Vec3& v : mesh->vertices) mesh->box = {min(mesh->box.min, v), max(mesh->box.max, v)};
  return mesh;
}

std::vector<Ray> incoherent_rays(const Mesh& mesh) {
  Random random(3);
  const Vec3 center = mesh.box.center(), half = mesh.box.half();
  std::vector<Ray> rays;
  for (int i = 0; i < 100'000; ++i) {
    const Vec3 origin = center + random.direction() * (1.5 * length(half));
    const Vec3 target = center + random.in_box(half);
    rays.push_back({origin, normalized(target - origin)});
  }
  return rays;
}

std::vector<Ray> camera_rays(const Mesh& mesh) {
  const Vec3 center = mesh.box.center();
  const double size = length(mesh.box.half());
  const Vec3 eye = center + Vec3{0, 0, 2.5 * size};
  constexpr int side = 316;
  std::vector<Ray> rays;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const Vec3 pixel{(x / (side - 1.0) - 0.5) * 2 * size, (y / (side - 1.0) - 0.5) * 2 * size, 0};
      rays.push_back({eye, normalized(center + pixel - eye)});
    }
  return rays;
}

void add_rays(const std::string& name, const MeshRef& mesh, std::vector<Ray> made) {
  const auto tree = std::make_shared<const TriangleTree>(mesh->surface());
  RTCScene scene = embree_scene(embree_geometry(*mesh));
  const auto rays = std::make_shared<const std::vector<Ray>>(std::move(made));
  compare(
      "ray " + name + " closest", rays->size(),
      [=] {
        double sum = 0;
        for (const Ray& ray : *rays)
          if (const RayTriangle hit = first_hit(*tree, mesh->surface(), {ray})) sum += hit.t;
        return sum;
      },
      "Embree", [=] { return closest_by_embree(scene, *rays); });
  compare(
      "ray " + name + " any", rays->size(),
      [=] {
        double hits = 0;
        for (const Ray& ray : *rays) hits += any_hit(*tree, mesh->surface(), {ray}) ? 1 : 0;
        return hits;
      },
      "Embree", [=] { return any_by_embree(scene, *rays); });
}

void add_build(const std::string& name, const MeshRef& mesh) {
  RTCGeometry geometry = embree_geometry(*mesh);
  compare(
      "build " + name, mesh->triangles.size(),
      [=] { return static_cast<double>(TriangleTree(mesh->surface()).bytes()); }, "Embree",
      [=] {
        RTCScene fresh = embree_scene(geometry);
        RTCBounds bounds;
        rtcGetSceneBounds(fresh, &bounds);
        rtcReleaseScene(fresh);
        return static_cast<double>(bounds.upper_x);
      });
}

void add_closest(const std::string& name, const MeshRef& mesh) {
  const auto tree = std::make_shared<const TriangleTree>(mesh->surface());
  auto points = std::make_shared<std::vector<Vec3>>();
  Random random(5);
  const Vec3 center = mesh->box.center(), half = mesh->box.half();
  for (int i = 0; i < 100'000; ++i) points->push_back(center + random.in_box(half * 1.2));

  const auto cgal = [](const Vec3& p) { return Kernel::Point_3(p.x, p.y, p.z); };
  auto triangles = std::make_shared<std::vector<Kernel::Triangle_3>>();
  for (std::size_t i = 0; i < mesh->triangles.size(); ++i) {
    const Triangle t = mesh->surface()[i];
    triangles->emplace_back(cgal(t.a), cgal(t.b), cgal(t.c));
  }
  auto theirs = std::make_shared<CgalTree>(triangles->cbegin(), triangles->cend());
  theirs->build();
  theirs->accelerate_distance_queries();
  compare(
      "closest " + name, points->size(),
      [=] {
        double sum = 0;
        for (const Vec3& p : *points)
          sum += nearest_triangle(*tree, mesh->surface(), p).on.distance;
        return sum;
      },
      "CGAL",
      [=] {
        double sum = 0;
        for (const Vec3& p : *points) {
          const Kernel::Point_3 q = cgal(p);
          sum += std::sqrt(CGAL::squared_distance(q, theirs->closest_point(q)));
          (void)triangles;
        }
        return sum;
      });
}

// ---- pairs of meshes

/// One mesh for both sides.
struct MeshForBoth {
  Shape ours;
  fcl::BVHModel<fcl::OBBRSSd> theirs;

  explicit MeshForBoth(const MeshRef& m) : ours(surface_shape(*m)) {
    std::vector<fcl::Vector3d> points;
    for (const Vec3& v : m->vertices) points.emplace_back(v.x, v.y, v.z);
    std::vector<fcl::Triangle> triangles;
    for (const auto& [a, b, c] : m->triangles) triangles.emplace_back(a, b, c);
    theirs.beginModel();
    theirs.addSubModel(points, triangles);
    theirs.endModel();
  }
};

BothRef for_both(const MeshRef& mesh) { return std::make_shared<const MeshForBoth>(mesh); }

std::vector<Pose> random_poses(std::size_t count, double reach, const Vec3& center) {
  Random random(7);
  std::vector<Pose> poses;
  for (std::size_t i = 0; i < count; ++i) {
    Pose p;
    p.rotation = random.rotation();
    for (int k = 0; k < 3; ++k) p.position[k] = center[k] + random.uniform(-reach, reach);
    poses.push_back(p);
  }
  return poses;
}

namespace {

fcl::Transform3d to_fcl(const Pose& pose) {
  fcl::Transform3d t = fcl::Transform3d::Identity();
  const Quat& q = pose.rotation;
  t.linear() = fcl::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
  t.translation() = fcl::Vector3d(pose.position.x, pose.position.y, pose.position.z);
  return t;
}

/// Asks each side once for every pose, and adds the answers up.
template<class Ours, class Theirs>
void compare_poses(const std::string& name, const std::vector<Pose>& poses, Ours ours,
                   Theirs theirs) {
  const auto sum = [poses](const auto& ask) {
    double total = 0;
    for (const Pose& p : poses) total += ask(p);
    return total;
  };
  compare(
      name, poses.size(), [=] { return sum(ours); }, "FCL OBBRSS", [=] { return sum(theirs); });
}

double fcl_contacts(const MeshForBoth& a, const MeshForBoth& b, const Pose& p, std::size_t most) {
  const fcl::CollisionRequestd request(most, most > 1);
  fcl::CollisionResultd result;
  fcl::collide(&a.theirs, fcl::Transform3d::Identity(), &b.theirs, to_fcl(p), request, result);
  return static_cast<double>(result.numContacts());
}

} // namespace

void add_overlap(const std::string& name, const BothRef& a, const BothRef& b,
                 const std::vector<Pose>& poses) {
  compare_poses(
      name + " overlap", poses,
      [=](const Pose& p) { return overlap(a->ours, {}, b->ours, p) ? 1.0 : 0.0; },
      [=](const Pose& p) { return fcl_contacts(*a, *b, p, 1); });
}

void add_contacts(const std::string& name, const BothRef& a, const BothRef& b,
                  const std::vector<Pose>& poses) {
  compare_poses(
      name + " contacts", poses,
      [=](const Pose& p) {
        return static_cast<double>(overlapping_parts(a->ours, {}, b->ours, p).size());
      },
      [=](const Pose& p) { return fcl_contacts(*a, *b, p, 100'000'000); });
}

void add_distance(const std::string& name, const BothRef& a, const BothRef& b,
                  const std::vector<Pose>& poses) {
  compare_poses(
      name + " distance", poses,
      [=](const Pose& p) { return distance(a->ours, {}, b->ours, p).value; },
      [=](const Pose& p) {
        const fcl::DistanceRequestd request(true);
        fcl::DistanceResultd result;
        return fcl::distance(&a->theirs, fcl::Transform3d::Identity(), &b->theirs, to_fcl(p),
                             request, result);
      });
}

} // namespace carom::bench
