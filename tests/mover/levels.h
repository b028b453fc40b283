// Places to walk in, of raw triangles, and the movers that walk there.
#pragma once

#include "carom/math/trig.h"
#include "carom/mover/mover.h"
#include "carom/query/distance.h"
#include "carom/shape/triangle_mesh.h"
#include "carom/space/space_near.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace carom::test {

/// A soup: no vertex is shared.
class Soup {
public:
  void triangle(const Vec3& a, const Vec3& b, const Vec3& c, std::uint32_t material = 0) {
    const auto first = static_cast<std::uint32_t>(mesh_.vertices.size());
    for (const Vec3& v : {a, b, c}) mesh_.vertices.push_back(v);
    mesh_.add_face(std::array{first, first + 1, first + 2});
    mesh_.materials.push_back(material);
  }
  void quad(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d,
            std::uint32_t material = 0) {
    triangle(a, b, c, material);
    triangle(a, c, d, material);
  }
  /// An axis-parallel box, its faces outward.
  void box(const Vec3& low, const Vec3& high) {
    const auto at = [&](int i) {
      return Vec3{i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z};
    };
    quad(at(0), at(2), at(3), at(1));
    quad(at(4), at(5), at(7), at(6));
    quad(at(0), at(1), at(5), at(4));
    quad(at(2), at(6), at(7), at(3));
    quad(at(0), at(4), at(6), at(2));
    quad(at(1), at(3), at(7), at(5));
  }
  /// Level ground at the height y, from -half to half.
  void ground(double half, double y = 0) {
    quad({-half, y, -half}, {-half, y, half}, {half, y, half}, {half, y, -half});
  }
  [[nodiscard]] Shape shape() const {
    return Shape::mesh(mesh_, {.body = MeshOptions::Body::surface}).value();
  }
  [[nodiscard]] const PolygonMesh& mesh() const { return mesh_; }

private:
  PolygonMesh mesh_;
};

inline Space space_of(const Shape& shape) {
  Space space;
  (void)space.add({.shape = shape, .mobility = Mobility::fixed});
  return space;
}

inline Shape capsule() { return Shape::capsule({0, 0.3, 0}, {0, 1.5, 0}, 0.3).value(); }
/// Its foot is at the origin, as that of all of these.
inline Shape ellipsoid() {
  return Shape::of(Ellipsoid{{0, 0.9, 0}, Mat3::identity(), {0.3, 0.9, 0.3}}).value();
}
inline Shape standing_box() {
  return Shape::of(Obb{{0, 0.9, 0}, Mat3::identity(), {0.3, 0.9, 0.3}}).value();
}
inline Shape standing_hull() {
  std::vector<Vec3> points;
  for (int i = 0; i < 7; ++i) {
    const SinCos turn = sin_cos(i * two_pi / 7);
    points.push_back({0.3 * turn.cos, 0.2, 0.3 * turn.sin});
    points.push_back({0.3 * turn.cos, 1.7, 0.3 * turn.sin});
  }
  points.push_back({0, 0, 0});
  points.push_back({0, 1.8, 0});
  return Shape::hull(points).value();
}

/// In these levels up is y, which is not the mover's own idea of it.
inline constexpr Vec3 level_up{0, 1, 0}, level_gravity{0, -9.81, 0};

inline Mover mover_of(const Shape& shape) {
  return Mover::make({.shape = shape, .up = level_up}).value();
}

/// Of all kinds that the issue names.
inline std::vector<Mover> all_movers() {
  return {mover_of(capsule()), mover_of(ellipsoid()), mover_of(standing_box()),
          mover_of(standing_hull())};
}

inline double gap(const Space& space, const Mover& mover, const MoverState& state) {
  return nearest(space, mover.shape(), state.pose).distance.value;
}

/// Checks what holds after every step; the rest is the test's.
inline MoveResult checked_move(const Space& space, const Mover& mover, MoverState& state,
                               MoveInput input, MoverCache* cache = nullptr) {
  if (input.gravity == MoveInput{}.gravity) input.gravity = level_gravity;
  const MoveResult r = move(space, mover, state, input, cache);
  EXPECT_EQ(r.status, Status::ok);
  EXPECT_TRUE(is_finite(state.pose.position) && is_finite(state.velocity) && is_finite(r.moved));
  EXPECT_LE(r.sweeps, max_sweeps);
  for (const MoverTouch& t : r.touches()) {
    EXPECT_NEAR(length(t.normal), 1, 1e-12);
    EXPECT_TRUE(is_finite(t.point) && is_finite(t.velocity));
  }
  return r;
}

/// Steps until it stands, without walking.
inline MoverState standing_at(const Space& space, const Mover& mover, const Vec3& at) {
  MoverState state{.pose = Pose::at(at)};
  for (int i = 0; i < 120 && !state.grounded; ++i) (void)checked_move(space, mover, state, {});
  EXPECT_TRUE(state.grounded);
  return state;
}

} // namespace carom::test
