// The bounds by which the search for the nearest pair rules pairs out, one by one. Compiled for one instruction set: the lanes of all are the same to the bit.
#include "carom/tree/near_walk-inl.h"

#include "tests/support/property.h"
#include "tests/tree/pair_cases.h"

namespace carom {
namespace {

using namespace test;
namespace lanes = HWY_NAMESPACE;

/// Points (triangles without size) in a patch so small that boxes around them stick out by no more than two or three bits of a float, near the corner of a tree that is much larger. `side` says
/// which corner: 1 or -1 on each axis.
PolygonMesh patch_of_points(Source& source, const Vec3& side) {
  PolygonMesh mesh;
  const auto add_point = [&](const Vec3& p) {
    const auto at = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.push_back(p);
    // As many as a leaf holds: then the box of the leaf is that of the point.
    for (int k = 0; k < 8; ++k) add_face(mesh, {at, at, at});
  };
  for (int k = 0; k < 3; ++k) { // the other corners, so that the tree's frame is a round one
    Vec3 corner = side * -0.46875;
    corner[k] = -corner[k];
    add_point(corner);
  }
  for (int i = 0; i < 24; ++i) {
    Vec3 at;
    for (int k = 0; k < 3; ++k) at[k] = std::floor(source.uniform(-100, 100)) * 0x1p-24;
    add_point(side * 0.46 + at);
  }
  return mesh;
}

struct LeafLane {
  int lane;
  Vec3 point;
};
/// The leaves below a node, each of one point.
std::vector<LeafLane> leaves_below(const TreeMesh& m, const WideNode& node) {
  std::vector<LeafLane> result;
  for (int i = 0; i < node.count; ++i) {
    if (!node.child[i].is_leaf()) continue;
    const std::uint32_t first = m.tree.tree().leaf(node.child[i].number())[0];
    result.push_back({i, m.vertices[m.triangles[first][0]]});
  }
  return result;
}

/// A pair is ruled out where the gap along the axis is not below the least distance so far, which is rounded up by 2^-20: it must not be ruled out by its own distance.
void expect_lower_bounds(const MeshPair& p, const Vec3& normal) {
  const PairFrame f(p.a.tree.frame(), p.b.tree.frame(), p.b_in_a);
  lanes::PairAxis axis;
  const Vec3 in_b = p.b_in_a.direction_to_local(normal);
  for (int k = 0; k < 3; ++k) {
    axis.in_a[k] = static_cast<float>(normal[k]);
    axis.in_b[k] = static_cast<float>(in_b[k]);
  }
  for (const WideNode& a : p.a.tree.tree().nodes()) {
    alignas(64) float ends[8];
    lanes::store_lanes(lanes::ends_of_a(axis, lanes::box_lanes<float>(a, f.scale_a)), ends);
    for (const WideNode& b : p.b.tree.tree().nodes()) {
      const auto begins = lanes::begins_of_b(f, axis, lanes::box_lanes<float>(b, f.scale_b));
      for (const LeafLane& on_a : leaves_below(p.a, a)) {
        alignas(64) float along[8];
        lanes::store_lanes(lanes::gap_along(f, ends[on_a.lane], begins), along);
        for (const LeafLane& on_b : leaves_below(p.b, b)) {
          const double apart = length(p.b_in_a.to_world(on_b.point) - on_a.point) / f.unit;
          EXPECT_LE(static_cast<double>(along[on_b.lane]), apart * (1 + 0x1p-20));
        }
      }
    }
  }
}

/// B is much smaller: its boxes stick out by next to nothing in the common unit, and floats round as for A.
TEST(NearWalk, GapsAlongAnAxisAreLowerBounds) {
  for_each_seed(fewer_when_sanitized(40), [](Source& source) {
    Vec3 side;
    for (int k = 0; k < 3; ++k) side[k] = source.chance(2) ? 1 : -1;
    const PolygonMesh mesh_a = patch_of_points(source, side);
    const PolygonMesh mesh_b = patch_of_points(source, -side);
    constexpr double small = 0x1p-4;
    MeshPair p{TreeMesh(mesh_a), TreeMesh(mesh_b, small), {}};
    for (int i = 0; i < 200; ++i) {
      const int major = source.index(3);
      Vec3 normal = unit_axis(major) * side[major];
      for (int k = 0; k < 3; ++k) normal[k] += side[k] * source.uniform(0, 0.2);
      normal = normalized(normal);
      const double apart = std::ldexp(source.uniform(0.5, 1), -9);
      p.b_in_a.basis = to_matrix(rotation(source));
      const Vec3 corner_of_b = p.b_in_a.basis * (side * (-0.46 * small));
      p.b_in_a.origin = side * 0.46 + normal * apart - corner_of_b;
      expect_lower_bounds(p, normal);
    }
  });
}

} // namespace
} // namespace carom
