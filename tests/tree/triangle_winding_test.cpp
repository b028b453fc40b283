#include "carom/tree/triangle_winding.h"

#include "carom/mesh/winding_number.h"
#include "tests/support/data_mesh.h"
#include "tests/support/property.h"
#include "tests/tree/triangle_cases.h"

#include <limits>

namespace carom::test {
namespace {

/// Closed surfaces, of one part or two that overlap, perhaps one of them inside out.
PolygonMesh closed_mesh(Source& source) {
  const auto one = [&]() -> PolygonMesh {
    switch (source.index(5)) {
    case 0:
      return torus_mesh(7, 5);
    case 1:
      return sphere_mesh(2, 0.3);
    case 2:
      return gear_mesh(5);
    case 3:
      return cube_mesh();
    default:
      return sponge_mesh(1);
    }
  };
  PolygonMesh mesh = one();
  if (source.chance(2)) {
    const PolygonMesh other = one();
    const Vec3 offset = vec3(source);
    append(mesh, other, offset);
    const bool turned = source.chance(2);
    for (std::size_t f = mesh.face_count() - other.face_count(); f < mesh.face_count() && turned;
         ++f)
      turn_face(mesh, f);
  }
  const double scale = std::ldexp(1.0, source.index(3) * 40 - 40);
  const Vec3 offset = source.chance(3) ? vec3(source) * (1e6 * scale) : Vec3{};
  for (Vec3& v : mesh.vertices) {
    v = v * scale + offset;
    for (int k = 0; k < 3; ++k) v[k] = in_range(v[k]);
  }
  return fanned(mesh);
}

/// At corners, on edges and faces as good as rounding allows, straight beside them along any axis, anywhere, far away.
Vec3 point_for(Source& source, const Triangles& t) {
  const Aabb box = t.box();
  const Triangle x = t.surface()[source.below(t.triangles.size())];
  const Triangle y = t.surface()[source.below(t.triangles.size())];
  const double u = source.unit();
  const double v = source.unit();
  const Vec3 corner = x.a;
  const Vec3 on_edge = x.b + (x.c - x.b) * 0.5;
  const Vec3 on_face = x.a + (x.b - x.a) * (u * v) + (x.c - x.a) * (u * (1 - v));
  Vec3 p = on_face;
  switch (source.index(6)) {
  case 0:
    p = corner;
    break;
  case 1:
    p = on_edge;
    break;
  case 2:
    p = on_face;
    break;
  case 3: {
    const Vec3 way = direction(source);
    p = box.center() + way * max_abs(box.half()) * (2 * u);
    break;
  }
  case 4: // the coordinates of vertices mixed: rays along every axis meet vertices or edges
    p = {x.a.x, y.b.y, corner.z};
    break;
  default:
    p = box.center() + vec3(source) * 1e20;
    break;
  }
  if (source.chance(2)) p[source.index(3)] = y.a[source.index(3)];
  for (int k = 0; k < 3; ++k) p[k] = in_range(p[k]);
  return p;
}

TEST(TriangleWinding, AgreesWithAllTriangles) {
  std::array<int, 3> seen{};
  for_each_seed(fewer_when_sanitized(600), [&](Source& source) {
    const PolygonMesh mesh = closed_mesh(source);
    const Triangles t = triangles_of(mesh);
    const TriangleTree tree(t.surface());
    for (int i = 0; i < 30; ++i) {
      const Vec3 p = point_for(source, t);
      const PointPlace place = locate(mesh.surface(), p, true);
      ++seen[static_cast<std::size_t>(place)];
      EXPECT_EQ(locate(tree, t.surface(), p), place);
      EXPECT_EQ(is_on_surface(tree, t.surface(), p), place == PointPlace::on_surface);
      if (place == PointPlace::on_surface) continue;
      EXPECT_EQ(winding_around(tree, t.surface(), p), crossing_count(mesh.surface(), p));
    }
  });
  for (const int n : seen) EXPECT_GT(n, 100);
}

// Every axis and direction says the same where the point is not on the surface, and both directions of an axis always.
TEST(TriangleWinding, AnyRayWillDo) {
  for_each_seed(fewer_when_sanitized(300), [](Source& source) {
    const PolygonMesh mesh = closed_mesh(source);
    const Triangles t = triangles_of(mesh);
    const TriangleSurface surface = t.surface();
    for (int i = 0; i < 10; ++i) {
      const Vec3 p = point_for(source, t);
      const bool on = is_on_surface(mesh.surface(), p);
      std::array<std::int64_t, 6> counts{};
      for (std::size_t k = 0; k < 6; ++k) {
        const AxisRay ray{static_cast<int>(k / 2), k % 2 == 0};
        for (std::size_t j = 0; j < surface.size(); ++j) counts[k] += crossing(surface[j], p, ray);
      }
      for (std::size_t k = 0; k < 6; ++k) {
        EXPECT_EQ(counts[k], counts[k ^ 1]);
        EXPECT_TRUE(on || counts[k] == counts[0]);
      }
    }
  });
}

TEST(TriangleWinding, NothingAndNotFinite) {
  const TriangleTree none(TriangleSurface{});
  EXPECT_EQ(locate(none, {}, {0, 0, 0}), PointPlace::outside);
  EXPECT_EQ(winding_around(TriangleTree(), {}, {0, 0, 0}), 0);
  const Triangles t = triangles_of(cube_mesh());
  const TriangleTree tree(t.surface());
  for (const double bad :
       {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
        std::numeric_limits<double>::quiet_NaN()}) {
    for (int k = 0; k < 3; ++k) {
      Vec3 p{0.5, 0.5, 0.5};
      p[k] = bad;
      EXPECT_EQ(locate(tree, t.surface(), p), PointPlace::outside);
      EXPECT_EQ(winding_around(tree, t.surface(), p), 0);
      EXPECT_FALSE(is_on_surface(tree, t.surface(), p));
    }
  }
}

// A hair beside the faces of a cube, at the resolution of doubles: far below that of the tree's floats.
TEST(TriangleWinding, HairsBesideACube) {
  for (const double at : {0.0, 1e6}) {
    PolygonMesh mesh = cube_mesh();
    for (Vec3& v : mesh.vertices) v += Vec3{at, at, at};
    const Triangles t = triangles_of(mesh);
    const TriangleTree tree(t.surface());
    for (int k = 0; k < 3; ++k) {
      Vec3 p{at + 0.5, at + 0.5, at + 0.5};
      p[k] = at + 1;
      EXPECT_EQ(locate(tree, t.surface(), p), PointPlace::on_surface);
      p[k] = std::nextafter(at + 1, 0);
      EXPECT_EQ(locate(tree, t.surface(), p), PointPlace::inside);
      p[k] = std::nextafter(at + 1, INFINITY);
      EXPECT_EQ(locate(tree, t.surface(), p), PointPlace::outside);
    }
  }
}

TEST(TriangleWinding, Degenerate) {
  Triangles t;
  add_triangle(t, {0, 0, 0}, {1, 1, 1}, {3, 3, 3});
  add_triangle(t, {5, 0, 0}, {5, 0, 0}, {5, 0, 0});
  const TriangleTree tree(t.surface());
  EXPECT_TRUE(is_on_surface(tree, t.surface(), {2, 2, 2}));
  EXPECT_TRUE(is_on_surface(tree, t.surface(), {5, 0, 0}));
  EXPECT_FALSE(is_on_surface(tree, t.surface(), {2, 2, 2.5}));
  EXPECT_EQ(winding_around(tree, t.surface(), {2, 2, 1}), 0);
}

TEST(TriangleWinding, DataMeshes) {
  const auto mesh = data_mesh("cow");
  if (!mesh) GTEST_SKIP() << "no data: set CAROM_DATA";
  const Triangles t = triangles_of(*mesh);
  const TriangleTree tree(t.surface());
  RandomSource source(3);
  for (std::uint64_t i = 0; i < fewer_when_sanitized(300); ++i) {
    const Vec3 p = point_for(source, t);
    EXPECT_EQ(locate(tree, t.surface(), p), locate(mesh->surface(), p, true));
  }
}

} // namespace
} // namespace carom::test
