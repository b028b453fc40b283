// Surfaces in groups of eight: every triangle is there, with what is beyond its sides; and contacts are the same whether the whole surface is known or what is near was gathered.
#include "carom/dynamics/surface_form.h"

#include "carom/dynamics/mesh_contacts.h"
#include "carom/dynamics/surface_sieve.h"
#include "carom/math/random.h"
#include "carom/shape/triangle_mesh.h"
#include "tests/dynamics/scenes.h"
#include "tests/support/generate_composite.h"
#include "tests/support/procedural_meshes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

namespace carom::test {
namespace {

Shape surface(const PolygonMesh& mesh) {
  return Shape::mesh(mesh, {.body = MeshOptions::Body::surface}).value();
}

PolygonMesh rough(std::uint32_t n) {
  return fanned(grid_mesh(n, n, [](double u, double v) {
    return Vec3{8 * u - 4, 8 * v - 4, 0.5 * std::sin(7 * u) * std::cos(9 * v)};
  }));
}

Vec3 corner(const Triangle& t, std::size_t i) { return i == 0 ? t.a : i == 1 ? t.b : t.c; }

/// Those that share both ends of a side with it, by looking at all.
struct Beyond {
  std::uint32_t count = 0, number = 0, side = 0;
};
Beyond beyond(const TriangleMesh& mesh, std::uint32_t own, std::size_t side) {
  Beyond found;
  const Triangle t = mesh.triangle(own);
  const Vec3 p = corner(t, side), q = corner(t, (side + 1) % 3);
  for (std::uint32_t i = 0; i < mesh.surface().size(); ++i) {
    const Triangle other = mesh.triangle(i);
    if (i == own || length(cross(other.b - other.a, other.c - other.a)) == 0) continue;
    for (std::uint32_t k = 0; k < 3; ++k) {
      const Vec3 r = corner(other, k), s = corner(other, (k + 1) % 3);
      if (!((p == r && q == s) || (p == s && q == r))) continue;
      ++found.count;
      found.number = i;
      found.side = k;
    }
  }
  return found;
}

/// From which triangles of a group the surface falls off, seen from the normals' side or from the other.
std::array<std::uint8_t, 3> falling(const SurfaceForm& form, std::uint32_t group, bool under) {
  EightGaps gaps{};
  std::fill(gaps.side, gaps.side + 8, under ? -1.0F : 1.0F);
  SurfaceBits bits;
  sieve(form.groups(), std::span(&group, 1), std::span(&gaps, 1), SurfaceLimits(1, 1, 1e-6, 1e-3F),
        &bits);
  return bits.falls_off;
}

void expect_complete(const Shape& shape) {
  const TriangleMesh& mesh = *body_of<TriangleMesh>(shape);
  const auto form = SurfaceForm::of(shape);
  ASSERT_TRUE(form);
  std::set<std::uint32_t> seen;
  for (std::uint32_t g = 0; g < form->groups().size(); ++g) {
    const SurfaceGroup& group = form->groups()[g];
    const auto falls = falling(*form, g, false), falls_under = falling(*form, g, true);
    for (std::size_t lane = 0; lane < group.count; ++lane) {
      const std::uint32_t number = group.items[lane];
      ASSERT_TRUE(seen.insert(number).second) << number << " is there twice";
      const Triangle t = mesh.triangle(number);
      const Vec3 normal = normalized(cross(t.b - t.a, t.c - t.a));
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t next = group.sides[k].next[lane];
        const bool falls_off = (falls[k] >> lane & 1) != 0,
                   falls_off_under = (falls_under[k] >> lane & 1) != 0;
        const Beyond other = beyond(mesh, number, k);
        if (other.count != 1) {
          ASSERT_EQ(next, SurfaceGroup::ends) << number << " side " << k;
          ASSERT_TRUE(falls_off && falls_off_under);
          continue;
        }
        const SurfaceGroup& there = form->groups()[next / 32];
        ASSERT_EQ(there.items[next / 4 % 8], other.number) << number << " side " << k;
        ASSERT_EQ(next % 4, other.side);
        const Vec3 far = corner(mesh.triangle(other.number), (other.side + 2) % 3);
        const double height = dot(normal, far - t.a);
        ASSERT_NEAR(double{group.sides[k].height[lane]}, height, 1e-6);
        ASSERT_EQ(falls_off, height < -1e-3);
        ASSERT_EQ(falls_off_under, height > 1e-3);
      }
    }
  }
  std::size_t flat = 0;
  for (std::uint32_t i = 0; i < mesh.surface().size(); ++i) {
    const Triangle t = mesh.triangle(i);
    const bool has_area = length(cross(t.b - t.a, t.c - t.a)) > 0;
    ASSERT_EQ(seen.contains(i), has_area) << i;
    flat += has_area ? 0 : 1;
  }
  EXPECT_EQ(form->all(), flat == 0);
}

TEST(SurfaceForm, HasAllTrianglesAndWhatIsBeyondTheirSides) {
  expect_complete(surface(rough(9)));
  expect_complete(surface(with_own_corners(rough(9))));
  PolygonMesh torn = rough(6);
  // Three on one side; a copy of a triangle; some without area.
  const auto at = static_cast<std::uint32_t>(torn.vertices.size());
  torn.vertices.push_back({0, 0, 3});
  torn.add_face(std::vector<std::uint32_t>{0, 1, at});
  const auto first = torn.face(0);
  torn.add_face(std::vector<std::uint32_t>(first.begin(), first.end()));
  torn.add_face(std::vector<std::uint32_t>{3, 3, 4});
  torn.vertices.push_back(torn.vertices[0] * 0.5 + torn.vertices[1] * 0.5);
  torn.add_face(std::vector<std::uint32_t>{0, 1, at + 1});
  expect_complete(surface(torn));
}

TEST(SurfaceForm, IsOfSurfacesOfTrianglesOnly) {
  EXPECT_FALSE(SurfaceForm::of(ball(1)));
  EXPECT_FALSE(SurfaceForm::of(
      Shape::mesh(rough(3), {.body = MeshOptions::Body::surface}).value().rounded(0.1).value()));
}

/// The deepest point of each patch, and its normal.
struct Found {
  std::size_t patches = 0;
  double deepest = INFINITY;
  Vec3 normal{};
};
Found found_in(const MeshContacts& contacts) {
  Found f;
  f.patches = contacts.patches().size();
  for (const MeshPatch& patch : contacts.patches())
    for (int i = 0; i < patch.count; ++i) {
      const double s = patch.points[static_cast<std::size_t>(i)].separation;
      if (s < f.deepest - 1e-9) {
        f.deepest = s;
        f.normal = patch.normal;
      }
    }
  return f;
}

TEST(SurfaceForm, ChangesNoContact) {
  const Shape floor = surface(rough(24));
  const auto known = SurfaceForm::of(floor);
  MeshContacts contacts;
  int touching = 0;
  for (const Shape& shape :
       {Shape::box({0.4, 0.3, 0.2}).value(), ball(0.3),
        Shape::capsule({-0.3, 0, 0}, {0.3, 0, 0}, 0.2).value(),
        Shape::hull(std::vector<Vec3>{{0.4, 0, 0}, {-0.3, 0.3, 0}, {-0.3, -0.3, 0}, {0, 0, 0.6}})
            .value()}) {
    const auto form = ConvexForm::of(shape);
    ASSERT_TRUE(form);
    NearTriangles kept;
    Random random(3);
    for (int i = 0; i < 600; ++i) {
      const Quat turn = random.rotation();
      const Pose pose{turn, random.in_box({3, 3, 0.8})};
      const Frame frame = pose.frame();
      const Frame floor_in_form{transpose(frame.basis), frame.to_local({})};
      NearTriangles fresh;
      contacts.find(*form, floor, floor_in_form, 0.05, fresh);
      const Found alone = found_in(contacts);
      contacts.find(*form, floor, floor_in_form, 0.05, kept, {}, known.get());
      const Found shared = found_in(contacts);
      ASSERT_EQ(shared.patches, alone.patches) << i;
      if (alone.patches == 0) {
        ASSERT_GE(contacts.clear(), 0.05);
        continue;
      }
      ++touching;
      ASSERT_NEAR(shared.deepest, alone.deepest, 1e-9) << i;
      ASSERT_NEAR(dot(shared.normal, alone.normal), 1, 1e-9) << i;
    }
  }
  EXPECT_GT(touching, 600);
}

} // namespace
} // namespace carom::test
