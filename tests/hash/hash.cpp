// Prints a hash of the bits of many results. The same number must come out of every compiler, optimisation level and SIMD width.
//   carom_hash                     print it
//   carom_hash --golden FILE       compare it with the one in the file (exit 1 where it differs)
//   carom_hash --width WIDTH       all (default), avx2, sse4 or sse2: pretend that the processor has no wider lanes
#include "carom/carom.h"
#include "tests/hash/classic_scene.h"
#include "tests/hash/world_scenes.h"

#include <hwy/targets.h>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace carom {
namespace {

class Hash {
public:
  void add(std::uint64_t bits) { value_ = mix_bits(value_, bits); }
  void add(int x) { add(static_cast<std::uint64_t>(static_cast<std::int64_t>(x))); }
  void add(double x) { add(std::bit_cast<std::uint64_t>(x)); }
  void add(const Vec3& v) {
    add(v.x);
    add(v.y);
    add(v.z);
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

private:
  std::uint64_t value_ = 0;
};

void hash_numbers(Hash& hash, Random& random) {
  for (int i = 0; i < 2000; ++i) {
    const double x = random.uniform(-10, 10) * (i % 7 == 0 ? 1e10 : 1);
    const SinCos s = sin_cos(x);
    hash.add(s.sin);
    hash.add(s.cos);
    hash.add(tan(x));
    hash.add(atan2(x, random.uniform(-10, 10)));
    hash.add(asin(s.sin));
    hash.add(acos(s.cos));
    const Quat q = Quat::from_axis_angle(random.direction(), x);
    hash.add(to_matrix(q) * random.direction());
    hash.add(Quat::from_matrix(to_matrix(q)).w);
    const Vec3 a = random.in_ball(), b = random.in_ball(), c = random.in_ball(),
               d = random.in_ball();
    hash.add(orient3d(a, b, c, i % 2 ? d : a * 0.25 + b * 0.25 + c * 0.5));
    hash.add(in_sphere(a, b, c, d, i % 2 ? -d : d));
    const Roots roots = real_roots({a.x, b.x, c.x, d.x});
    for (int k = 0; k < roots.count; ++k) hash.add(roots.root[static_cast<std::size_t>(k)].best);
    hash.add(solve_quadratic(a.x, b.x, c.x).lo);
    const Eigen3 eigen = symmetric_eigen({a, b, c});
    hash.add(eigen.values);
    hash.add(eigen.vectors.x);
    hash.add(solve(Mat3{a, b, c}, d).x);
  }
  for (int i = 0; i < 100; ++i) {
    std::vector<Constraint3> constraints;
    for (int k = 0; k < 20; ++k)
      constraints.push_back({random.direction(), random.uniform(-0.1, 1)});
    const LinearOptimum3 best = maximize(random.direction(), constraints);
    hash.add(static_cast<int>(best.status));
    hash.add(best.point);
  }
}

Shape random_shape(Random& random, int kind) {
  const auto length = [&] { return random.uniform(0.1, 1); };
  std::vector<Vec3> points;
  for (int i = 0; i < 100; ++i) points.push_back(random.direction());
  const Vec3 p = random.in_ball();
  const double a = length();
  const double b = length();
  const double c = length();
  switch (kind) {
  case 0:
    return Shape::hull(points).value();
  case 1:
    return Shape::box({a, b, c}).value();
  case 2:
    return Shape::capsule(p, -p, a).value();
  case 3:
    return Shape::cylinder(a, b).value();
  case 4:
    return Shape::cone(a, b).value().rounded(c).value();
  case 5:
    return Shape::ellipsoid({a, b, c}).value();
  case 6:
    return Shape::tapered_capsule(p, a, -p, b).value().scaled({a, b, c}).value();
  default:
    return Shape::sum(Shape::box({a, b, c}).value(), Shape::cylinder(c, a).value()).value();
  }
}

void hash_contacts(Hash& hash, const ContactManifold& m) {
  hash.add(m.count);
  hash.add(m.value);
  hash.add(m.normal);
  for (const Contact& c : m.contacts()) {
    hash.add(c.on_a);
    hash.add(c.on_b);
    hash.add(c.id);
  }
}

void hash_casts(Hash& hash, Random& random, const Shape& a, const Pose& pose_a, const Shape& b,
                const Pose& pose_b) {
  const Vec3 way = (pose_b.position - pose_a.position) * 2 + random.in_ball();
  const ShapeCast cast = shape_cast(a, pose_a, way, b, pose_b);
  hash.add(int{cast.hit});
  hash.add(cast.t);
  hash.add(cast.point);
  hash.add(cast.normal);
  const RayHit hit = ray_cast(b, pose_b, {random.in_ball() * 4, random.direction()});
  hash.add(int{hit.hit});
  hash.add(hit.t);
  hash.add(hit.normal);
  const SurfacePoint nearest = closest_point(random.in_ball() * 3, b, pose_b);
  hash.add(nearest.value);
  hash.add(nearest.point);
}

/// Boxes that touch have a method of their own, in lanes; random ones seldom do.
void hash_boxes(Hash& hash, Random& random) {
  for (int i = 0; i < 400; ++i) {
    const Vec3 half = abs(random.in_ball()) + Vec3{0.2, 0.2, 0.2};
    const Shape a = Shape::box(half).value();
    const Shape b = Shape::box({0.5, 0.5, 0.5}).value();
    const double tilt = i % 2 ? 1e-3 : 0.5;
    const Vec3 axis = random.in_ball() * tilt;
    const double turn = random.uniform(-1, 1);
    const Vec3 aside = random.in_ball() * 0.3;
    const Pose on_top{{axis.x, axis.y, turn, 1}, {aside.x, aside.y, half.z + 0.45}};
    const Pose pose{random.rotation(), random.in_ball()};
    hash_contacts(hash, contacts(a, pose, b, pose * on_top, {.margin = 0.1}));
  }
}

void hash_shapes(Hash& hash, Random& random) {
  for (int i = 0; i < 400; ++i) {
    const Shape a = random_shape(random, i % 8);
    const Shape b = random_shape(random, i / 8 % 8);
    Pose pose_a;
    Pose pose_b;
    pose_a.rotation = random.rotation();
    pose_b.rotation = random.rotation();
    pose_b.position = random.in_ball() * 3;
    const ShapeOverlap o = overlap(a, pose_a, b, pose_b);
    hash.add(int{o.hit});
    hash.add(o.hit ? o.point : o.axis);
    const SignedDistance s = signed_distance(a, pose_a, b, pose_b);
    hash.add(s.value);
    hash.add(s.lower_bound);
    hash.add(s.upper_bound);
    hash.add(s.on_a);
    hash.add(s.normal);
    hash.add(distance(a, pose_a, b, pose_b).on_b);
    hash.add(bounds(a, pose_a).max);
    hash_contacts(hash, contacts(a, pose_a, b, pose_b, {.margin = 0.3}));
    hash_casts(hash, random, a, pose_a, b, pose_b);
    if (i < 16) hash.add(mass_properties(a).inertia.x);
  }
}

struct Scene {
  Vec3 p;
  Triangle s, t;
  Segment segment;
  Ray ray;
  Obb box, crate;
  Aabb aabb;
  Sphere ball;
  Capsule capsule;
  Cylinder cylinder;
  Cone cone;
  Ellipsoid ellipsoid;
  ViewFrustum frustum;
};

Scene random_scene(Random& random) {
  Scene x;
  for (Vec3* v : {&x.p,
                  &x.s.a,
                  &x.s.b,
                  &x.s.c,
                  &x.t.a,
                  &x.t.b,
                  &x.t.c,
                  &x.segment.a,
                  &x.segment.b,
                  &x.box.center,
                  &x.box.half,
                  &x.crate.center,
                  &x.crate.half,
                  &x.aabb.min,
                  &x.ball.center,
                  &x.capsule.a,
                  &x.capsule.b,
                  &x.cylinder.center,
                  &x.cone.apex,
                  &x.ellipsoid.center,
                  &x.ellipsoid.radii,
                  &x.frustum.eye}) {
    *v = random.in_ball() * 1.5;
  }
  x.ray = {random.direction() * 3, random.direction()};
  for (Vec3* v : {&x.box.half, &x.crate.half, &x.ellipsoid.radii}) *v = abs(*v);
  x.aabb.max = x.aabb.min + abs(random.in_ball());
  for (Mat3* m : {&x.box.axes, &x.crate.axes, &x.ellipsoid.axes, &x.frustum.axes})
    *m = to_matrix(random.rotation());
  for (Vec3* v : {&x.cylinder.axis, &x.cone.axis}) *v = random.direction();
  for (double* l : {&x.ball.radius, &x.capsule.radius, &x.cylinder.radius, &x.cylinder.half_height,
                    &x.cone.radius, &x.cone.height}) {
    *l = random.uniform(0.1, 1);
  }
  return x;
}

void add(Hash& hash, const ClosestPoint& c) {
  hash.add(c.point);
  hash.add(c.distance);
}
void add(Hash& hash, const ClosestPair& c) {
  hash.add(c.on_a);
  hash.add(c.on_b);
  hash.add(c.distance);
}
void add(Hash& hash, const Overlap& o) {
  hash.add(int{o.hit});
  hash.add(o.hit ? o.point : o.axis);
}
void add(Hash& hash, const Cast& c) {
  hash.add(int{c.hit});
  hash.add(c.t);
  hash.add(c.normal);
}
void add(Hash& hash, const Sweep& s) {
  hash.add(int{s.hit});
  hash.add(s.t);
  hash.add(s.point);
}

template<class... Sets>
void hash_sets(Hash& hash, const Scene& x, const Sets&... sets) {
  (add(hash, closest_point(x.p, sets)), ...);
  (add(hash, cast(x.ray, sets)), ...);
  (add(hash, overlap(x.ball, sets)), ...);
  (add(hash, overlap(x.box, sets)), ...);
  (add(hash, overlap(x.cylinder, sets)), ...);
}

void hash_geometry(Hash& hash, Random& random) {
  for (int i = 0; i < 300; ++i) {
    const Scene x = random_scene(random);
    hash_sets(hash, x, x.t, x.crate, x.aabb, x.ball, x.capsule, x.cylinder, x.cone, x.frustum);
    add(hash, closest_point(x.p, x.ellipsoid));
    add(hash, closest_points(x.segment, Segment{x.t.a, x.t.b}));
    add(hash, closest_points(x.s, x.t));
    add(hash, overlap(x.s, x.t));
    add(hash, sweep(x.ball, x.p, x.t));
    add(hash, sweep(x.ball, x.p, x.crate));
  }
  for (int i = 0; i < 20; ++i) {
    std::vector<Vec3> points;
    for (int k = 0; k < 60; ++k) points.push_back(random.in_ball());
    hash.add(minimum_sphere(points).sphere.radius);
    hash.add(best_obb(points).half);
    hash.add(fit_kdop<26>(points).max[12]);
    hash.add(fit_capsule(points).radius);
  }
}

// One against eight, in whatever lanes the machine has.
void hash_batches(Hash& hash, Random& random) {
  for (int i = 0; i < 1000; ++i) {
    std::vector<Aabb> boxes;
    std::vector<Sphere> balls;
    std::vector<Triangle> triangles;
    Scene x;
    for (int k = 0; k < 8; ++k) {
      x = random_scene(random);
      boxes.push_back(x.aabb);
      balls.push_back(x.ball);
      triangles.push_back(x.t);
    }
    hash.add(int{overlaps(x.aabb, Aabb8(boxes))});
    hash.add(int{overlaps(x.ball, Sphere8(balls))});
    const RayBoxes8 entered = enter(RaySlabs(x.ray), Aabb8(boxes));
    const RayTriangles8 hits = cast(x.ray, Triangle8(triangles));
    for (int k = 0; k < 8; ++k) {
      hash.add(entered.t[k]);
      hash.add(hits.t[k]);
    }
  }
}

/// A bowl of triangles.
Shape random_bowl(Random& random) {
  PolygonMesh mesh;
  constexpr std::uint32_t n = 9;
  for (std::uint32_t i = 0; i < n * n; ++i) {
    const double x = i % n - 4.0, y = i / n - 4.0;
    mesh.vertices.push_back({x, y, 0.1 * (x * x + y * y) + 0.2 * random.uniform()});
  }
  for (std::uint32_t i = 0; i + 1 < n; ++i) {
    for (std::uint32_t j = 0; j + 1 < n; ++j) {
      const std::uint32_t k = i * n + j;
      mesh.add_face({{k, k + 1, k + n + 1}});
      mesh.add_face({{k, k + n + 1, k + n}});
    }
  }
  return Shape::mesh(mesh).value();
}

/// Shapes that are not convex, and shapes that move.
void hash_composites(Hash& hash, Random& random) {
  const Shape bowl = random_bowl(random);
  for (int i = 0; i < 60; ++i) {
    const Shape part = random_shape(random, i % 8);
    const Shape other = i % 3 == 0 ? random_bowl(random) : random_shape(random, i / 8 % 8);
    const Vec3 aside = random.in_ball() * 2;
    const CompoundPart parts[] = {{part, {}}, {other, Pose{random.rotation(), aside}}};
    const Shape pair = Shape::compound(parts).value();
    const Shape& moving = i % 2 ? pair : part;
    const Pose pose{random.rotation(), random.in_ball() * 4 + Vec3{0, 0, 3}};
    const Distance d = distance(moving, pose, bowl, {});
    hash.add(d.value);
    hash.add(d.on_a);
    hash.add(overlap(moving, pose, bowl, {}).point);
    hash_casts(hash, random, moving, pose, bowl, {});
    std::vector<ContactPatch> patches;
    contact_patches(moving, pose, bowl, {}, patches, {.margin = 0.2});
    for (const ContactPatch& p : patches) hash_contacts(hash, p.manifold);
    const Vec3 way = pose.position * -1.5;
    const Vec3 spin = random.in_ball() * 3;
    const TimeOfImpact t = time_of_impact(moving, Motion::velocity(pose, way, spin, 1), bowl,
                                          Motion::velocity({}, {}, random.in_ball(), 1));
    hash.add(t.t);
    hash.add(t.on_a);
    hash.add(t.normal);
  }
}

std::uint64_t hash_everything() {
  Hash hash;
  Random random(2026);
  hash_numbers(hash, random);
  hash_shapes(hash, random);
  hash_boxes(hash, random);
  hash_geometry(hash, random);
  hash_batches(hash, random);
  hash_composites(hash, random);
  hash.add(hash_of_world(random, random_bowl(random)));
  hash.add(hash_of_jointed_world(random));
  hash.add(hash_of_many(random));
  for (const ClassicSolver solver :
       {ClassicSolver::events, ClassicSolver::resting, ClassicSolver::penalty})
    hash.add(hash_of_classic(random, {.solver = solver}));
  hash.add(hash_of_classic(random, {.solver = ClassicSolver::resting,
                                    .motion = MotionMode::sequential,
                                    .impulses = ImpulseOrder::one_by_one}));
  return hash.value();
}

} // namespace
} // namespace carom

int main(int argc, char** argv) {
  const char* golden = nullptr;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (!std::strcmp(argv[i], "--golden")) golden = argv[i + 1];
    if (!std::strcmp(argv[i], "--width")) {
      const std::string width = argv[i + 1];
      std::int64_t off = 0;
      if (width != "all") off |= HWY_AVX3 | HWY_AVX3_DL;
      if (width == "sse4" || width == "sse2") off |= HWY_AVX2;
      if (width == "sse2") off |= HWY_SSE4 | HWY_SSSE3;
      hwy::DisableTargets(off);
    }
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx",
                static_cast<unsigned long long>(carom::hash_everything()));
  std::puts(text);
  if (!golden) return 0;
  std::string expected;
  std::ifstream(golden) >> expected;
  if (expected == text) return 0;
  std::fprintf(
      stderr,
      "the results' hash is %s, but %s says %s: a result changed, or is not deterministic\n", text,
      golden, expected.c_str());
  return 1;
}
