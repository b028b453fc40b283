#include "carom/query/surface_hausdorff.h"

#include "carom/math/tolerance.h"
#include "carom/verify/check_hausdorff.h"
#include "tests/support/property.h"
#include "tests/tree/triangle_cases.h"

namespace carom::test {
namespace {

/// A surface with its tree.
struct Surface {
  Triangles triangles;
  TriangleTree tree;

  explicit Surface(Triangles t) : triangles(std::move(t)), tree(triangles.surface()) {}
  [[nodiscard]] TriangleSet set() const { return {tree, triangles.surface()}; }
  [[nodiscard]] std::vector<Triangle> placed(const Frame& frame = {}) const {
    std::vector<Triangle> list;
    const TriangleSurface surface = triangles.surface();
    for (std::size_t i = 0; i < surface.size(); ++i) {
      const Triangle t = surface[i];
      list.push_back({frame.to_world(t.a), frame.to_world(t.b), frame.to_world(t.c)});
    }
    return list;
  }
};

Surface of(const PolygonMesh& mesh) { return Surface(triangles_of(mesh)); }

double size_of(const Surface& a, const Surface& b, const Frame& frame) {
  const auto reach = [](const Surface& s) {
    const Aabb box = s.triangles.box();
    return max_abs(max(abs(box.min), abs(box.max)));
  };
  return reach(a) + reach(b) + max_abs(frame.origin);
}

/// Rounding of some hundred operations, as surface_slack allows, and as much for the checker's own.
double tolerance_of(const Surface& a, const Surface& b, const Frame& frame) {
  return 2 * surface_slack * size_of(a, b, frame);
}

Frame any_frame(Source& source, double size) {
  if (source.chance(4)) return {};
  Pose pose;
  const Vec3 axis = direction(source);
  pose.rotation = Quat::from_axis_angle(axis, source.unit() * 6);
  static constexpr double sizes[] = {0, 1e-6, 0.1, 1, 5};
  const Vec3 way = direction(source);
  pose.position = way * (size * sizes[source.index(5)]);
  return pose.frame();
}

TEST(SurfaceHausdorff, IsProved) {
  for_each_seed(fewer_when_sanitized(400), [](Source& source) {
    const Surface a(soup(source, 8));
    const Surface b(soup(source, 8));
    if (a.triangles.triangles.empty() || b.triangles.triangles.empty()) return;
    const double size = size_of(a, b, {});
    const Frame frame = any_frame(source, size);
    const HausdorffOptions options{.absolute_error = 1e-2 * size, .relative_error = 1e-2};
    const OneSidedHausdorff h = surface_hausdorff(a.set(), b.set(), frame, options);
    const double tolerance = tolerance_of(a, b, frame);
    EXPECT_EQ(h.status, Status::ok);
    EXPECT_LE(h.upper_bound - h.lower_bound,
              std::max({options.absolute_error, options.relative_error * h.value, 4 * tolerance}));
    const auto verdict =
        verify::check_hausdorff(a.placed(), b.placed(frame), h, options.absolute_error, tolerance);
    EXPECT_TRUE(verdict) << verdict.why << " value " << h.value << " bounds " << h.lower_bound
                         << " " << h.upper_bound;
  });
}

// Finer errors, closer surfaces: the same mesh moved a little, where A and B lie next to each other everywhere. Cutting along B's prisms has to keep the number of points low.
TEST(SurfaceHausdorff, CloseToEachOther) {
  for_each_seed(fewer_when_sanitized(100), [](Source& source) {
    const PolygonMesh meshes[] = {torus_mesh(7, 5), sphere_mesh(2, 0.3), gear_mesh(5), cube_mesh(),
                                  terrain_mesh(6)};
    const Surface a = of(meshes[source.index(5)]);
    Pose pose;
    const double how_much = std::ldexp(1.0, -3 - source.index(12));
    const Vec3 axis = direction(source);
    pose.rotation = Quat::from_axis_angle(axis, how_much);
    const Vec3 way = direction(source);
    pose.position = way * how_much;
    const Frame frame = pose.frame();
    const OneSidedHausdorff h =
        surface_hausdorff(a.set(), a.set(), frame, {.relative_error = 1e-3});
    EXPECT_EQ(h.status, Status::ok);
    EXPECT_LE(h.upper_bound - h.lower_bound, 1e-3 * h.value);
    EXPECT_LE(h.iterations, 100'000);
    // No vertex moves farther than this.
    EXPECT_LE(h.lower_bound, how_much * 4);
    for (const Triangle& t : a.placed()) {
      double least = INFINITY;
      for (const Triangle& other : a.placed(frame))
        least = std::min(least, verify::distance(t.a, other));
      EXPECT_LE(least, h.upper_bound + 1e-14);
    }
  });
}

TEST(SurfaceHausdorff, KnownAnswers) {
  const HausdorffOptions exact{.relative_error = 1e-12};
  // The border of a cube inside of that of a larger one: corners are farthest, in both directions.
  const Surface inner = of(cube_mesh(1));
  const Surface outer = of(cube_mesh(3));
  const Frame around{Mat3::identity(), {-1, -1, -1}};
  const OneSidedHausdorff in_out = surface_hausdorff(inner.set(), outer.set(), around, exact);
  EXPECT_NEAR(in_out.value, 1, 1e-12);
  const Frame within{Mat3::identity(), {1, 1, 1}};
  const OneSidedHausdorff out_in = surface_hausdorff(outer.set(), inner.set(), within, exact);
  EXPECT_NEAR(out_in.value, std::sqrt(3.0), 1e-12);
  EXPECT_EQ(out_in.status, Status::ok);
  // A square, and the same square moved across: everywhere as far.
  const Surface square = of(grid_mesh(1, 1, [](double u, double v) { return Vec3{u, v, 0}; }));
  const Surface fine = of(grid_mesh(9, 7, [](double u, double v) { return Vec3{u, v, 0}; }));
  for (const double height : {1.0, 1e-3, 1e-6}) {
    const Frame up{Mat3::identity(), {0, 0, height}};
    const OneSidedHausdorff h =
        surface_hausdorff(square.set(), fine.set(), up, {.relative_error = 1e-6});
    EXPECT_EQ(h.status, Status::ok);
    EXPECT_NEAR(h.value, height, 1e-6 * height);
    EXPECT_LE(h.iterations, 20'000);
  }
  // Meshes of balls of radius 1 and 2: from the outer to the inner, corner to corner.
  const Surface small = of(sphere_mesh(2));
  PolygonMesh doubled = sphere_mesh(2);
  for (Vec3& v : doubled.vertices) v *= 2.0;
  const Surface large = of(doubled);
  EXPECT_NEAR(surface_hausdorff(large.set(), small.set(), {}, {.relative_error = 1e-6}).value, 1,
              1e-6);
}

TEST(SurfaceHausdorff, SameSurface) {
  for (const PolygonMesh& mesh : {torus_mesh(20, 20), sponge_mesh(2), sphere_mesh(4, 0.1)}) {
    const Surface a = of(mesh);
    const OneSidedHausdorff h = surface_hausdorff(a.set(), a.set(), {});
    EXPECT_EQ(h.status, Status::ok);
    EXPECT_EQ(h.lower_bound, 0);
    EXPECT_LE(h.upper_bound, 1e-12 * max_abs(a.triangles.box().max));
  }
}

TEST(SurfaceHausdorff, PartOfASurface) {
  // Some triangles of B, turned about and moved with it: 0 one way.
  const Surface b = of(torus_mesh(15, 9));
  Triangles some = b.triangles;
  some.triangles.resize(60);
  const Surface a(some);
  const OneSidedHausdorff in = surface_hausdorff(a.set(), b.set(), {});
  EXPECT_EQ(in.lower_bound, 0);
  EXPECT_LE(in.upper_bound, 1e-11);
  EXPECT_GT(surface_hausdorff(b.set(), a.set(), {}).lower_bound, 3);
}

TEST(SurfaceHausdorff, BudgetEnds) {
  const Surface a = of(sphere_mesh(3, 0.1));
  const Surface b = of(torus_mesh(20, 11));
  const OneSidedHausdorff fine = surface_hausdorff(a.set(), b.set(), {}, {.relative_error = 1e-9});
  for (const int most : {0, 1, 10, 30}) {
    const OneSidedHausdorff h =
        surface_hausdorff(a.set(), b.set(), {}, {.relative_error = 1e-9, .max_points = most});
    EXPECT_EQ(h.status, Status::wide);
    EXPECT_LE(h.iterations, most + 32);
    EXPECT_LE(h.lower_bound, fine.upper_bound);
    EXPECT_GE(h.upper_bound, fine.lower_bound);
    const auto verdict = verify::check_hausdorff(a.placed(), b.placed(), h, 0.1, 1e-13);
    EXPECT_TRUE(verdict) << verdict.why;
  }
}

TEST(SurfaceHausdorff, FarAwayLargeAndTiny) {
  for (const double scale : {1e-25, 1e-3, 1e6, 1e25}) {
    for (const double far : {0.0, 1e6}) {
      PolygonMesh mesh = sphere_mesh(2, 0.3);
      PolygonMesh other = torus_mesh(9, 7);
      for (Vec3& v : mesh.vertices) v = (v + Vec3{far, far, far}) * scale;
      for (Vec3& v : other.vertices) v = (v + Vec3{far, far, far}) * scale;
      const Surface a = of(mesh);
      const Surface b = of(other);
      const OneSidedHausdorff h = surface_hausdorff(a.set(), b.set(), {}, {.relative_error = 1e-3});
      const double plain =
          surface_hausdorff(of(sphere_mesh(2, 0.3)).set(), of(torus_mesh(9, 7)).set(), {},
                            {.relative_error = 1e-3})
              .value;
      EXPECT_EQ(h.status, Status::ok);
      EXPECT_NEAR(h.value / scale, plain, 1e-3 * plain);
    }
  }
}

TEST(SurfaceHausdorff, NothingAndPoints) {
  const Surface none((Triangles()));
  const Surface square = of(grid_mesh(1, 1, [](double u, double v) { return Vec3{u, v, 0}; }));
  EXPECT_EQ(surface_hausdorff(none.set(), square.set(), {}).value, 0);
  EXPECT_EQ(surface_hausdorff(square.set(), none.set(), {}).value, INFINITY);
  Triangles t;
  add_triangle(t, {3, 0, 4}, {3, 0, 4}, {3, 0, 4});
  const Surface point(t);
  EXPECT_NEAR(surface_hausdorff(point.set(), square.set(), {}).value, std::sqrt(20.0), 1e-14);
  EXPECT_NEAR(surface_hausdorff(square.set(), point.set(), {}, {.relative_error = 1e-9}).value,
              std::sqrt(26.0), 1e-8);
  const Frame bad{Mat3::identity(), {NAN, 0, 0}};
  EXPECT_EQ(surface_hausdorff(square.set(), point.set(), bad).status, Status::bad_input);
}

} // namespace
} // namespace carom::test
