// Every kind of shape against every kind that is not convex, as the checker sees their contacts.
#include "carom/shape/composite.h"
#include "carom/verify/check_contact_patches.h"
#include "tests/query/patch_cases.h"
#include "tests/support/generate_composite.h"
#include "tests/support/generate_shape.h"
#include "tests/support/property.h"

#include <algorithm>

namespace carom {
namespace {

using test::described, test::solid_box, test::Source;

/// A few parts of any kind, about two units large.
Shape shape_of_kind(Source& source, ShapeKind kind) {
  const auto somewhere = [&] {
    const double x = source.uniform(-1, 1), y = source.uniform(-1, 1), z = source.uniform(-1, 1);
    return Vec3{x, y, z};
  };
  switch (kind) {
  case ShapeKind::mesh: {
    const int choice = source.index(3);
    if (choice == 0) return solid_box({0.9, 0.6, 0.7});
    if (choice == 1) return Shape::mesh(test::sphere_mesh(1, 0.2)).value();
    for (int i = 0; i < 10; ++i)
      if (auto soup = Shape::mesh(test::soup_mesh(source))) return *soup;
    return solid_box({0.9, 0.6, 0.7});
  }
  case ShapeKind::point_cloud: {
    std::vector<Vec3> points;
    for (int i = 0; i < 12; ++i) points.push_back(somewhere());
    return Shape::point_cloud(points, source.chance(2) ? 0.2 : 0).value();
  }
  case ShapeKind::compound: {
    std::vector<CompoundPart> parts;
    for (int i = 0; i < 3; ++i) {
      const auto of = source.index(3);
      const Shape part = of == 0   ? test::ShapeGenerator(source, 0.5).bounded(0)
                         : of == 1 ? shape_of_kind(source, ShapeKind::mesh)
                                   : shape_of_kind(source, ShapeKind::point_cloud);
      const Quat turned = test::rotation(source);
      parts.push_back({part, {turned, somewhere()}, static_cast<std::uint32_t>(i)});
    }
    return Shape::compound(parts).value();
  }
  case ShapeKind::height_field:
    return test::CompositeGenerator(source, 1).of_kind(kind);
  default:
    return test::ShapeGenerator(source, 1).of_kind(kind, 1);
  }
}

/// Parts that are known by a formula or by corners: their contacts are exact.
bool is_polyhedral(const Shape& shape) {
  if (shape.convex()) return shape.polyhedral() || !shape.bounded();
  const auto* compound = body_of<Compound>(shape);
  return !compound ||
         std::all_of(compound->parts().begin(), compound->parts().end(),
                     [](const CompoundPart& part) { return is_polyhedral(part.shape); });
}

class AllKinds : public ::testing::TestWithParam<int> {};

/// Each kind against the kinds that are not convex, in both orders.
TEST_P(AllKinds, HaveSoundPatches) {
  const auto kind = static_cast<ShapeKind>(GetParam());
  int found = 0;
  test::for_each_seed(test::fewer_when_sanitized(100), [&](Source& source) {
    const auto other =
        static_cast<ShapeKind>(convex_kinds + source.index(shape_kinds - convex_kinds));
    verify::PlacedShape a{shape_of_kind(source, kind), {}}, b{shape_of_kind(source, other), {}};
    a.pose.rotation = test::rotation(source);
    b.pose.rotation = test::rotation(source);
    const double reach = source.uniform(0, 2.5);
    b.pose.position = test::direction(source) * reach;
    if (source.chance(2)) std::swap(a, b);
    const double margin = source.chance(2) ? 0 : source.uniform(0, 0.2);
    std::vector<ContactPatch> patches;
    ASSERT_EQ(contact_patches(a.shape, a.pose, b.shape, b.pose, patches, {.margin = margin}),
              Status::ok);
    const double size = a.shape.size() + b.shape.size() + reach;
    // Points of curved shapes that overlap are as good as the root of their values.
    const bool exact = is_polyhedral(a.shape) && is_polyhedral(b.shape);
    const verify::PatchTolerance tolerance{(exact ? 1e-12 : 1e-5) * size, 1e-14 * size};
    const auto verdict = verify::check_contact_patches(a, b, patches, margin, tolerance);
    EXPECT_TRUE(verdict) << verdict.why << '\n'
                         << name_of(a.shape.kind()) << ' ' << name_of(b.shape.kind()) << " margin "
                         << margin << '\n'
                         << described(patches);
    found += !patches.empty();
  });
  EXPECT_GE(found, 2);
}

INSTANTIATE_TEST_SUITE_P(ContactPatches, AllKinds, ::testing::Range(0, shape_kinds),
                         [](const auto& kind) {
                           return std::string(name_of(static_cast<ShapeKind>(kind.param)));
                         });

} // namespace
} // namespace carom