#include "carom/mesh/winding_number.h"

#include "carom/math/predicates.h"
#include "carom/mesh/mesh_edges.h"
#include "carom/mesh/solid_mass.h"
#include "tests/support/data_mesh.h"
#include "tests/support/procedural_meshes.h"
#include "tests/support/property.h"

#include <algorithm>
#include <array>
#include <numbers>

namespace carom::test {
namespace {

/// The sponge of 9^3 cells.
bool in_sponge(int x, int y, int z) {
  for (const int c : {x, y, z}) {
    if (c < 0 || c >= 9) return false;
  }
  for (int s = 0; s < 2; ++s, x /= 3, y /= 3, z /= 3) {
    if ((x % 3 == 1) + (y % 3 == 1) + (z % 3 == 1) >= 2) return false;
  }
  return true;
}

// Points on the lattice and half-way: the ray meets edges and vertices all the time.
TEST(WindingNumber, CellsOfASponge) {
  const PolygonMesh quads = sponge_mesh(2);
  const PolygonMesh triangles = fanned(quads);
  for_each_seed(fewer_when_sanitized(300), [&](Source& source) {
    std::array<int, 3> half{};
    for (int& h : half) h = source.index(22) - 1;
    const Vec3 p{half[0] * 0.5, half[1] * 0.5, half[2] * 0.5};
    // The cells that touch the point: those of one cell for each axis where it is half-way, of two where it is on the lattice.
    int filled = 0;
    int empty = 0;
    for (int i = 0; i < 8; ++i) {
      const auto cell = [&](int axis) {
        const int h = half[static_cast<std::size_t>(axis)];
        return static_cast<int>(std::floor((h - (i >> axis & 1 ? 0.5 : -0.5)) / 2.0));
      };
      ++(in_sponge(cell(0), cell(1), cell(2)) ? filled : empty);
    }
    const PointPlace expected = filled > 0 && empty > 0 ? PointPlace::on_surface
                                : filled > 0            ? PointPlace::inside
                                                        : PointPlace::outside;
    EXPECT_EQ(locate(quads.surface(), p, true), expected);
    EXPECT_EQ(locate(triangles.surface(), p, true), expected);
    EXPECT_EQ(locate(triangles.surface(), p, false), expected);
    if (expected != PointPlace::on_surface) {
      EXPECT_EQ(crossing_count(triangles.surface(), p), filled > 0 ? 1 : 0);
      EXPECT_NEAR(winding_number(triangles.surface(), p), filled > 0 ? 1 : 0, 1e-12);
    }
  });
}

/// Whether p is inside of a convex closed surface of triangles: behind all of them, exactly. 0: on the surface.
int inside_of_convex(const PolygonMesh& mesh, const Vec3& p) {
  int least = 1;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const auto c = mesh.face(f);
    least = std::min(least,
                     -orient3d(mesh.vertices[c[0]], mesh.vertices[c[1]], mesh.vertices[c[2]], p));
  }
  return least;
}

PROPERTY(WindingNumber, ExactNextToTheSurface) {
  // A tetrahedron in any position, and a point on a face, an edge, or a corner of it, moved by a hair.
  PolygonMesh mesh;
  for (int i = 0; i < 4; ++i) mesh.vertices.push_back(vec3(source));
  ASSUME(orient3d(mesh.vertices[0], mesh.vertices[1], mesh.vertices[2], mesh.vertices[3]) != 0);
  add_face(mesh, {0, 2, 1});
  add_face(mesh, {0, 1, 3});
  add_face(mesh, {1, 2, 3});
  add_face(mesh, {2, 0, 3});
  if (orient3d(mesh.vertices[0], mesh.vertices[1], mesh.vertices[2], mesh.vertices[3]) < 0) {
    std::swap(mesh.vertices[0], mesh.vertices[1]);
  }
  std::array<double, 4> weights{};
  for (double& w : weights) w = source.index(3);
  weights[static_cast<std::size_t>(source.index(4))] = 0;
  const double sum = weights[0] + weights[1] + weights[2] + weights[3];
  ASSUME(sum > 0);
  Vec3 p;
  for (std::size_t i = 0; i < 4; ++i) p += mesh.vertices[i] * (weights[i] / sum);
  const Vec3 hair = vec3(source);
  p += hair * std::ldexp(1.0, -source.index(70));
  const int inside = inside_of_convex(mesh, p);
  const bool on = is_on_surface(mesh.surface(), p);
  REQUIRE(on == (inside == 0));
  const PointPlace place = locate(mesh.surface(), p, true);
  REQUIRE((place == PointPlace::inside) == (inside == 1));
  REQUIRE((place == PointPlace::outside) == (inside == -1));
  if (on) return;
  REQUIRE(crossing_count(mesh.surface(), p) == (inside == 1 ? 1 : 0));
  // 4 angles of 2^-20 and better (see quick_terms), here mostly far better.
  note() << winding_number(mesh.surface(), p);
  REQUIRE(std::fabs(winding_number(mesh.surface(), p) - (inside == 1 ? 1 : 0)) <= 1e-8);
}

PROPERTY(WindingNumber, TheSameByBothWays) {
  const PolygonMesh kinds[] = {fanned(torus_mesh(7, 5)), sphere_mesh(2, 0.3), fanned(gear_mesh(5))};
  PolygonMesh mesh = kinds[source.index(3)];
  // Two that overlap, one of them perhaps inside out.
  const PolygonMesh other = kinds[source.index(3)];
  append(mesh, other, vec3(source));
  const std::size_t first = mesh.face_count() - other.face_count();
  const bool turned = source.chance(2);
  for (std::size_t f = first; f < mesh.face_count() && turned; ++f) turn_face(mesh, f);
  Vec3 p = vec3(source) * 2;
  if (source.chance(2)) p = mesh.vertices[source.below(mesh.vertices.size())] + p * 1e-9;
  ASSUME(!is_on_surface(mesh.surface(), p));
  const auto count = static_cast<double>(crossing_count(mesh.surface(), p));
  const double winding = winding_number(mesh.surface(), p);
  note() << count << " " << winding;
  REQUIRE(std::fabs(winding - count) <= 1e-9);
}

/// The solid angle over 4 pi, in the arithmetic of long double, by the angles of the spherical triangle.
long double share_of(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  using L = std::array<long double, 3>;
  const auto unit = [&](const Vec3& v) {
    L d = {static_cast<long double>(v.x) - p.x, static_cast<long double>(v.y) - p.y,
           static_cast<long double>(v.z) - p.z};
    const long double l = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (long double& x : d) x /= l;
    return d;
  };
  const auto dots = [](const L& u, const L& v) { return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]; };
  const auto crosses = [](const L& u, const L& v) {
    return L{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  };
  const L u = unit(a);
  const L v = unit(b);
  const L w = unit(c);
  const auto corner = [&](const L& at, const L& q, const L& r) {
    const L m = crosses(at, q);
    const L n = crosses(at, r);
    const L x = crosses(m, n);
    return std::atan2(std::sqrt(dots(x, x)), dots(m, n));
  };
  const long double excess =
      corner(u, v, w) + corner(v, w, u) + corner(w, u, v) - std::numbers::pi_v<long double>;
  return (dots(u, crosses(v, w)) > 0 ? excess : -excess) / (4 * std::numbers::pi_v<long double>);
}

PROPERTY(WindingNumber, IsTheSumOfSolidAngles) {
  PolygonMesh mesh;
  const int faces = source.index(5) + 1;
  for (int f = 0; f < faces; ++f) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (int i = 0; i < 3; ++i) mesh.vertices.push_back(vec3(source));
    add_face(mesh, {first, first + 1, first + 2});
  }
  const Vec3 p = vec3(source);
  long double sum = 0;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const auto c = mesh.face(f);
    const Vec3& a = mesh.vertices[c[0]];
    const Vec3& b = mesh.vertices[c[1]];
    const Vec3& d = mesh.vertices[c[2]];
    const double height = std::fabs(dot(normalized(cross(b - a, d - a)), p - a));
    // Where the oracle is good: not nearly edge-on, not nearly on a corner.
    ASSUME(height > 1e-2 && distance(p, a) > 1e-2 && length(cross(b - a, d - a)) > 1e-2);
    sum += share_of(p, a, b, d);
  }
  REQUIRE(std::fabs(winding_number(mesh.surface(), p) - static_cast<double>(sum)) <= 1e-13);
}

TEST(WindingNumber, CubeWithoutOneFace) {
  PolygonMesh mesh = cube_mesh();
  mesh.corners.resize(20);
  mesh.face_begin.pop_back();
  EXPECT_NEAR(winding_number(mesh.surface(), {0.5, 0.5, 0.5}), 5.0 / 6, 1e-15);
  EXPECT_EQ(locate(mesh.surface(), {0.5, 0.5, 0.5}, false), PointPlace::inside);
  EXPECT_EQ(locate(mesh.surface(), {0.5, 0.5, 2}, false), PointPlace::outside);
  EXPECT_EQ(locate(mesh.surface(), {0.5, 0.5, -0.1}, false), PointPlace::outside);
  EXPECT_EQ(locate(mesh.surface(), {0.5, 0.5, 0}, false), PointPlace::on_surface);
}

TEST(WindingNumber, SurfaceWithManyHoles) {
  // A tenth of the faces of a bumpy ball gone: far enough from the surface, nothing changes.
  const PolygonMesh whole = sphere_mesh(3, 0.1);
  PolygonMesh holey;
  holey.vertices = whole.vertices;
  RandomSource source(7);
  for (std::size_t f = 0; f < whole.face_count(); ++f) {
    if (!source.chance(10)) holey.add_face(whole.face(f));
  }
  for (int i = 0; i < 200; ++i) {
    const Vec3 d = direction(source);
    EXPECT_EQ(locate(holey.surface(), d * 0.7, false), PointPlace::inside);
    EXPECT_EQ(locate(holey.surface(), d * 1.35, false), PointPlace::outside);
  }
}

TEST(WindingNumber, JumpsByOneAcrossATriangle) {
  PolygonMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  add_face(mesh, {0, 1, 2});
  for (const double h : {1e-3, 1e-9, 1e-20, 1e-30}) {
    // What is missing of the half-space is in proportion to the height: about 1.5 of it here.
    EXPECT_NEAR(winding_number(mesh.surface(), {0.25, 0.25, -h}), 0.5, 2 * h + 1e-15);
    EXPECT_NEAR(winding_number(mesh.surface(), {0.25, 0.25, h}), -0.5, 2 * h + 1e-15);
    EXPECT_LT(winding_number(mesh.surface(), {1, 1, h}), 0); // a little of its front
    EXPECT_NEAR(winding_number(mesh.surface(), {1, 1, h}), 0, h);
  }
  EXPECT_EQ(winding_number(mesh.surface(), {0.25, 0.25, 0}), 0);
  EXPECT_TRUE(is_on_surface(mesh.surface(), {0.25, 0.25, 0}));
  EXPECT_FALSE(is_on_surface(mesh.surface(), {0.25, 0.25, 1e-30}));
}

TEST(WindingNumber, DegenerateTrianglesAreSegmentsAndPoints) {
  PolygonMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 1, 1}, {3, 3, 3}, {5, 0, 0}};
  add_face(mesh, {0, 1, 2});
  add_face(mesh, {3, 3, 3});
  EXPECT_TRUE(is_on_surface(mesh.surface(), {2, 2, 2}));
  EXPECT_TRUE(is_on_surface(mesh.surface(), {5, 0, 0}));
  EXPECT_FALSE(is_on_surface(mesh.surface(), {4, 4, 4}));
  EXPECT_FALSE(is_on_surface(mesh.surface(), {2, 2, 2.5}));
  EXPECT_EQ(winding_number(mesh.surface(), {2, 1, 2}), 0);
  EXPECT_EQ(locate(mesh.surface(), {NAN, 0, 0}, false), PointPlace::outside);
}

TEST(WindingNumber, DataMeshes) {
  const auto mesh = data_mesh("cow");
  if (!mesh) GTEST_SKIP() << "no data: set CAROM_DATA";
  ASSERT_TRUE(is_closed(mesh_edges(mesh->surface()).value()));
  RandomSource source(3);
  for (std::uint64_t i = 0; i < fewer_when_sanitized(50); ++i) {
    const Vec3 at = mesh->vertices[source.below(mesh->vertices.size())];
    const Vec3 p = at + direction(source) * 1e-3;
    EXPECT_NEAR(winding_number(mesh->surface(), p),
                static_cast<double>(crossing_count(mesh->surface(), p)), 1e-11);
  }
}

// --- Mass of meshes that bound a solid.

TEST(SolidMass, OfClosedMeshes) {
  EXPECT_EQ(solid_mass(cube_mesh(2))->volume, 8);
  EXPECT_NEAR(solid_mass(sponge_mesh(2))->volume, 400, 400 * 1e-15);
  PolygonMesh mesh = cube_mesh();
  mesh.corners.resize(20);
  mesh.face_begin.pop_back();
  EXPECT_EQ(solid_mass(mesh).error().code, ErrorCode::degenerate);
  mesh = cube_mesh();
  for (std::size_t f = 0; f < 6; ++f) turn_face(mesh, f);
  EXPECT_EQ(solid_mass(mesh).error().code, ErrorCode::degenerate);
  EXPECT_NE(solid_mass(mesh).error().message.find("inside out"), std::string::npos);
  mesh = cube_mesh();
  for (Vec3& v : mesh.vertices) v.z = 0;
  EXPECT_EQ(solid_mass(mesh).error().code, ErrorCode::degenerate);
  EXPECT_EQ(solid_mass({}).error().code, ErrorCode::degenerate);
  mesh.vertices[0].x = NAN;
  EXPECT_EQ(solid_mass(mesh).error().code, ErrorCode::not_finite);
}

} // namespace
} // namespace carom::test
