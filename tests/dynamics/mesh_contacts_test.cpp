// Bodies on surfaces of triangles: nothing catches on edges that are none, and nothing falls through.
#include "tests/dynamics/scenes.h"

#include "carom/dynamics/mesh_contacts.h"
#include "carom/math/random.h"
#include "carom/mesh/polygon_mesh.h"
#include "carom/query/distance.h"
#include "carom/query/overlap.h"
#include "carom/shape/height_field.h"
#include "carom/shape/triangle_mesh.h"
#include "tests/support/procedural_meshes.h"

#include <functional>

namespace carom::test {
namespace {

Shape surface(const PolygonMesh& mesh) {
  return Shape::mesh(mesh, {.body = MeshOptions::Body::surface}).value();
}

/// What slides or rolls over a flat floor keeps its speed and its height: to a millimetre, which is a twentieth of the margin.
void expect_smooth(const Shape& floor, const Shape& shape, double half_height) {
  World world(plain());
  world.add({.shape = floor, .kind = BodyKind::fixed, .material = {.friction = 0}}).value();
  const BodyId a = world
                       .add({.shape = shape,
                             .pose = Pose::at({-8, 0.13, half_height}),
                             .material = {.friction = 0},
                             .velocity = {5, 0.1, 0}})
                       .value();
  run(world, 0.5);
  const double height = position(world, a).z;
  for (int i = 0; i < 150; ++i) {
    world.step(frame);
    ASSERT_NEAR(position(world, a).z, height, 1e-3) << "step " << i;
    ASSERT_NEAR(velocity(world, a).x, 5, 1e-3) << "step " << i;
    ASSERT_NEAR(velocity(world, a).z, 0, 0.02) << "step " << i;
  }
}

std::vector<std::pair<Shape, double>> sliders() {
  std::vector<std::pair<Shape, double>> all;
  all.emplace_back(Shape::box({0.4, 0.3, 0.2}).value(), 0.2);
  all.emplace_back(ball(0.3), 0.3);
  all.emplace_back(Shape::capsule({-0.3, 0, 0}, {0.3, 0, 0}, 0.2).value(), 0.2);
  std::vector<Vec3> prism;
  for (const double z : {-0.2, 0.2})
    for (const Vec3& p :
         {Vec3{0.4, 0, z}, Vec3{0.1, 0.3, z}, Vec3{-0.3, 0.2, z}, Vec3{-0.2, -0.3, z}})
      prism.push_back(p);
  all.emplace_back(Shape::hull(prism).value(), 0.2);
  return all;
}

TEST(MeshContacts, SlidesOverTenThousandTriangles) {
  const Shape floor = surface(fanned(grid_mesh(200, 25, [](double u, double v) {
    return Vec3{40 * u - 20, 5 * v - 2.5, 0};
  })));
  for (const auto& [shape, height] : sliders()) expect_smooth(floor, shape, height);
}

/// Strips whose vertices are not each other's: along the seam corners lie within edges.
TEST(MeshContacts, SlidesOverTJunctions) {
  PolygonMesh mesh;
  const auto strip = [&](double y0, double y1, double step) {
    for (double x = -12; x < 12; x += step) {
      const auto at = static_cast<std::uint32_t>(mesh.vertices.size());
      mesh.vertices.insert(mesh.vertices.end(),
                           {{x, y0, 0}, {x + step, y0, 0}, {x + step, y1, 0}, {x, y1, 0}});
      mesh.add_face(std::vector<std::uint32_t>{at, at + 1, at + 2});
      mesh.add_face(std::vector<std::uint32_t>{at, at + 2, at + 3});
    }
  };
  strip(-2, 0.15, 0.3);
  strip(0.15, 0.3, 0.25);
  strip(0.3, 2, 0.7);
  const Shape floor = surface(mesh);
  for (const auto& [shape, height] : sliders()) expect_smooth(floor, shape, height);
}

TEST(MeshContacts, SlidesOverAHeightField) {
  const std::vector<float> heights(81 * 9);
  HeightFieldInput input;
  input.columns = 81;
  input.rows = 9;
  input.spacing_x = input.spacing_y = 0.5;
  input.samples = std::span<const float>(heights);
  World world(plain());
  world
      .add({.shape = Shape::height_field(input).value(),
            .pose = Pose::at({-20, -2, 0}),
            .kind = BodyKind::fixed,
            .material = {.friction = 0}})
      .value();
  const BodyId a = world
                       .add({.shape = Shape::box({0.4, 0.3, 0.2}).value(),
                             .pose = Pose::at({-8, 0.13, 0.2}),
                             .material = {.friction = 0},
                             .velocity = {5, 0.1, 0}})
                       .value();
  run(world, 2);
  EXPECT_NEAR(position(world, a).z, 0.2, 1e-3);
  EXPECT_NEAR(velocity(world, a).x, 5, 1e-3);
}

/// What overlaps has a contact, whichever triangles were near before; and the memory of them changes nothing.
TEST(MeshContacts, NeverMissesAnOverlap) {
  const Shape floor = surface(fanned(grid_mesh(24, 24, [](double u, double v) {
    return Vec3{8 * u - 4, 8 * v - 4, 0.5 * std::sin(7 * u) * std::cos(9 * v)};
  })));
  MeshContacts contacts;
  int overlapping = 0;
  for (const auto& [shape, height] : sliders()) {
    const auto form = ConvexForm::of(shape);
    NearTriangles kept;
    Random random(7);
    for (int i = 0; i < 400; ++i) {
      const Quat turn = random.rotation();
      const Pose pose{turn, random.in_box({3, 3, 0.8})};
      const Frame frame = pose.frame();
      const Frame floor_in_form{transpose(frame.basis), frame.to_local({})};
      contacts.find(*form, floor, floor_in_form, 0.01, kept);
      const std::size_t patches = contacts.patches().size();
      const Vec3 normal = patches > 0 ? contacts.patches()[0].normal : Vec3{};
      NearTriangles fresh;
      contacts.find(*form, floor, floor_in_form, 0.01, fresh);
      ASSERT_EQ(contacts.patches().size(), patches);
      if (patches > 0) {
        ASSERT_EQ(contacts.patches()[0].normal, normal);
      }
      if (!overlap(shape, pose, floor, {}).hit) continue;
      ++overlapping;
      ASSERT_GT(patches, 0U);
    }
  }
  EXPECT_GT(overlapping, 400);
}

/// On a way over rough ground, in steps of some millimetres or centimetres: what is gathered ahead changes no point.
TEST(MeshContacts, WhatIsGatheredAheadChangesNothing) {
  const Shape floor = surface(fanned(grid_mesh(24, 24, [](double u, double v) {
    return Vec3{8 * u - 4, 8 * v - 4, 0.5 * std::sin(7 * u) * std::cos(9 * v)};
  })));
  MeshContacts contacts;
  int touching = 0;
  for (const auto& [shape, height] : sliders()) {
    const auto form = ConvexForm::of(shape);
    for (std::uint64_t way = 0; way < 20; ++way) {
      Random random(way);
      NearTriangles kept;
      Vec3 at = random.in_box({2, 2, 0.5});
      Quat turn = random.rotation();
      const Vec3 axis = random.direction();
      const double speed = way % 2 == 0 ? 0.004 : 0.05;
      Vec3 step = random.direction() * speed;
      step.z *= 0.3;
      for (int i = 0; i < 60; ++i) {
        const Frame frame = Pose{turn, at}.frame();
        const Frame floor_in_form{transpose(frame.basis), frame.to_local({})};
        const double margin = 0.01 + 0.02 * random.uniform();
        contacts.find(*form, floor, floor_in_form, margin, kept, step);
        const std::vector<MeshPatch> found(contacts.patches().begin(), contacts.patches().end());
        NearTriangles fresh;
        contacts.find(*form, floor, floor_in_form, margin, fresh);
        ASSERT_EQ(contacts.patches().size(), found.size());
        for (std::size_t k = 0; k < found.size(); ++k) {
          const MeshPatch& patch = contacts.patches()[k];
          ASSERT_EQ(patch.normal, found[k].normal);
          ASSERT_EQ(patch.count, found[k].count);
          for (std::size_t p = 0; p < static_cast<std::size_t>(patch.count); ++p) {
            ASSERT_EQ(patch.points[p].on_a, found[k].points[p].on_a);
            ASSERT_EQ(patch.points[p].on_b, found[k].points[p].on_b);
          }
        }
        touching += found.empty() ? 0 : 1;
        at += step;
        turn = normalized(Quat::from_axis_angle(axis, 5 * speed) * turn);
      }
    }
  }
  EXPECT_GT(touching, 500);
}

/// What has no contact is as far away as it is said to be; and mostly that is more than the margin.
TEST(MeshContacts, KnowsHowFarItIsClear) {
  constexpr double margin = 0.01;
  const Shape floor = surface(fanned(grid_mesh(24, 24, [](double u, double v) {
    return Vec3{8 * u - 4, 8 * v - 4, 0.5 * std::sin(7 * u) * std::cos(9 * v)};
  })));
  MeshContacts contacts;
  int apart = 0, far = 0;
  for (const auto& [shape, height] : sliders()) {
    const auto form = ConvexForm::of(shape);
    NearTriangles kept;
    Random random(13);
    for (std::uint64_t i = 0; i < fewer_when_sanitized(1500); ++i) {
      const Quat turn = random.rotation();
      const Pose pose{turn, random.in_box({3, 3, 1.2})};
      const Frame frame = pose.frame();
      contacts.find(*form, floor, {transpose(frame.basis), frame.to_local({})}, margin, kept);
      if (!contacts.patches().empty() || kept.groups.empty()) continue;
      ++apart;
      if (contacts.clear() > 2 * margin) ++far;
      ASSERT_LE(contacts.clear(), distance(shape, pose, floor, {}).value + 1e-6) << i;
    }
  }
  EXPECT_GT(apart, 100);
  EXPECT_GT(2 * far, apart);
}

/// Surfaces of all kinds of corners: ripples, roofs and pits with flat and with thin triangles, and a soup of them that do not share vertices.
std::vector<Shape> rough_surfaces() {
  std::vector<Shape> all;
  const auto add = [&](std::uint32_t n, const std::function<Vec3(double, double)>& at) {
    all.push_back(surface(fanned(grid_mesh(n, n, at))));
  };
  add(24, [](double u, double v) {
    return Vec3{8 * u - 4, 8 * v - 4, 0.5 * std::sin(7 * u) * std::cos(9 * v)};
  });
  add(12, [](double u, double v) { // slanted, so that angles are wide
    return Vec3{8 * u - 4 + 6 * v - 3, 8 * v - 4,
                std::fabs(std::sin(20 * u)) + 0.3 * std::cos(30 * v)};
  });
  add(16, [](double u, double v) {
    const Vec3 p{8 * u - 4, 8 * v - 4, 0};
    return p + Vec3{0, 0, 0.4 * (std::fmod(37 * u + 101 * v * v, 1.0) - 0.5)};
  });
  const PolygonMesh shared = fanned(grid_mesh(16, 16, [](double u, double v) {
    return Vec3{8 * u - 4, 8 * v - 4, 0.4 * std::sin(11 * u + 5 * v)};
  }));
  PolygonMesh soup;
  for (std::size_t f = 0; f < shared.face_count(); ++f) {
    const auto at = static_cast<std::uint32_t>(soup.vertices.size());
    for (const std::uint32_t c : shared.face(f)) soup.vertices.push_back(shared.vertices[c]);
    soup.add_face(std::vector<std::uint32_t>{at, at + 1, at + 2});
  }
  all.push_back(surface(soup));
  return all;
}

/// The way to what of a whole surface is nearest leads out of it, whatever is left out on the way to find it.
TEST(MeshContacts, HasTheNearestPoint) {
  constexpr double margin = 0.06;
  MeshContacts contacts;
  for (const Shape& floor : rough_surfaces()) {
    int near = 0;
    for (const auto& [shape, height] : sliders()) {
      const auto form = ConvexForm::of(shape);
      NearTriangles kept;
      Random random(11);
      for (std::uint64_t i = 0; i < fewer_when_sanitized(1500); ++i) {
        Pose pose{random.rotation(), random.in_box({3, 3, 1.2})};
        // From above and from below, toward the surface until it is near.
        const double wanted = random.uniform(0.001, margin);
        for (int k = 0; k < 8; ++k) {
          const Distance d = distance(shape, pose, floor, {});
          if (!(d.value > 0)) break;
          pose.position += d.normal * (d.value - wanted);
        }
        const double value = distance(shape, pose, floor, {}).value;
        if (!(value > 1e-3 && value < margin - 1e-3)) continue;
        ++near;
        const Frame frame = pose.frame();
        contacts.find(*form, floor, {transpose(frame.basis), frame.to_local({})}, margin, kept);
        double least = INFINITY;
        for (const MeshPatch& patch : contacts.patches())
          for (int k = 0; k < patch.count; ++k)
            least = std::min(least, patch.points[static_cast<std::size_t>(k)].separation);
        ASSERT_NEAR(least, value, 5e-4) << i; // of sizes of about 1
      }
    }
    EXPECT_GT(near, 500);
  }
}

TEST(MeshContacts, NothingFallsThroughABowl) {
  World world(plain());
  world
      .add({.shape = surface(fanned(grid_mesh(32, 32,
                                              [](double u, double v) {
                                                const double x = 10 * u - 5, y = 10 * v - 5;
                                                return Vec3{x, y, 0.2 * (x * x + y * y)};
                                              }))),
            .kind = BodyKind::fixed})
      .value();
  std::vector<BodyId> ids;
  Random random(3);
  for (int i = 0; i < 24; ++i) {
    const auto all = sliders();
    const Quat turn = random.rotation();
    const Vec3 at{(i % 4) * 1.1 - 1.6, (i / 4 % 3) * 1.1 - 1.1, 3.0 + i / 12};
    ids.push_back(
        world.add({.shape = all[static_cast<std::size_t>(i % 4)].first, .pose = {turn, at}})
            .value());
  }
  run(world, 4);
  for (const BodyId id : ids) {
    const Vec3 p = position(world, id);
    EXPECT_GT(p.z, 0.2 * (p.x * p.x + p.y * p.y));
    EXPECT_LT(length(velocity(world, id)), 1);
  }
}

} // namespace
} // namespace carom::test
