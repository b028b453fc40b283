// What the tests of contact patches share: floors of triangles, patches and how they read.
#pragma once

#include "carom/query/contact_patches.h"
#include "tests/query/contact_cases.h"
#include "tests/support/generate_composite.h"
#include "tests/support/procedural_meshes.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace carom::test {

/// A flat square around the origin, of n by n cells of two triangles each, at height 0 before it is turned.
inline Shape flat_grid(std::uint32_t n, double half, const Quat& turned = {}) {
  return Shape::mesh(grid_mesh(n, n,
                               [&](double u, double v) {
                                 const Vec3 p{(2 * u - 1) * half, (2 * v - 1) * half, 0};
                                 return to_matrix(turned) * p;
                               }))
      .value();
}

inline std::vector<ContactPatch> patches_of(const Shape& a, const Pose& pose_a, const Shape& b,
                                            const Pose& pose_b, double margin = 0) {
  std::vector<ContactPatch> patches;
  EXPECT_EQ(contact_patches(a, pose_a, b, pose_b, patches, {.margin = margin}), Status::ok);
  return patches;
}

inline std::string described(std::span<const ContactPatch> patches) {
  std::ostringstream text;
  text.precision(17);
  for (const ContactPatch& p : patches) {
    text << "normal " << p.manifold.normal.x << ' ' << p.manifold.normal.y << ' '
         << p.manifold.normal.z << '\n';
    for (const Contact& c : p.manifold.contacts())
      text << "  " << c.on_a.x << ' ' << c.on_a.y << ' ' << c.on_a.z << " sep " << c.separation
           << '\n';
  }
  return text.str();
}

/// One patch along the plane's normal, whatever edges lie below.
inline void expect_one_flat_patch(std::span<const ContactPatch> patches, const Vec3& normal,
                                  double depth, double tolerance) {
  ASSERT_EQ(patches.size(), 1U) << described(patches);
  const ContactManifold& m = patches[0].manifold;
  EXPECT_LE(length(m.normal - normal), 1e-12) << described(patches);
  EXPECT_GE(m.count, 1);
  for (const Contact& c : m.contacts()) EXPECT_NEAR(c.separation, -depth, tolerance);
}

/// Two slopes that meet along the y axis, at `slope` on either side: a ridge where it is negative, a groove where it is positive. Of n triangles a slope and more.
inline Shape two_slopes(double slope, std::uint32_t n = 4) {
  return Shape::mesh(grid_mesh(2 * n, n,
                               [&](double u, double v) {
                                 const double x = 4 * u - 2;
                                 return Vec3{x, 4 * v - 2, slope * std::fabs(x)};
                               }))
      .value();
}

/// A box as a closed mesh, wound outward.
inline Shape solid_box(const Vec3& half) { return Shape::mesh(box_mesh(half)).value(); }

} // namespace carom::test
