// The depth of two hulls with more than thirty digits, and hulls for which that makes a difference.
#pragma once

#include "carom/shape/shape.h"
#include "tests/support/generate.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace carom::test {

/// The depth of two hulls of few corners with more than thirty digits, from the poses' matrices as they stand: the least reach along the normals of all faces of their difference.
class LongDepth {
public:
  using Long = __float128;
  struct Vector {
    Long x, y, z;
  };

  LongDepth(const Polytope& a, const Pose& pose_a, const Polytope& b, const Pose& pose_b) {
    place(a, pose_a, corners_[0], edges_[0]);
    place(b, pose_b, corners_[1], edges_[1]);
    for (const auto& edges : edges_) {
      // A face has two edges that are not parallel. Other pairs do no harm: their reach is not less than the depth.
      for (std::size_t i = 0; i < edges.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) look(cross(edges[i], edges[j]));
      }
    }
    for (const Vector& u : edges_[0]) {
      for (const Vector& v : edges_[1]) look(cross(u, v));
    }
  }
  [[nodiscard]] Long value() const { return least_; }

private:
  static Vector cross(const Vector& u, const Vector& v) {
    return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
  }
  static Long dot(const Vector& u, const Vector& v) { return u.x * v.x + u.y * v.y + u.z * v.z; }
  static Long root(Long square) {
    Long x = std::sqrt(static_cast<double>(square));
    for (int i = 0; i < 2; ++i) x = (x + square / x) / 2;
    return x;
  }
  static void place(const Polytope& p, const Pose& pose, std::vector<Vector>& corners,
                    std::vector<Vector>& edges) {
    const Frame f = pose.frame();
    const auto coordinate = [&](const Vec3& v, int i) {
      return static_cast<Long>(f.basis.x[i]) * v.x + static_cast<Long>(f.basis.y[i]) * v.y +
             static_cast<Long>(f.basis.z[i]) * v.z + f.origin[i];
    };
    for (const Vec3& v : p.vertices())
      corners.push_back({coordinate(v, 0), coordinate(v, 1), coordinate(v, 2)});
    const ConvexHull& hull = p.hull();
    for (std::uint32_t h = 0; h < hull.twin.size(); ++h) {
      const Vector& from = corners[hull.origin[h]];
      const Vector& to = corners[hull.target(h)];
      if (hull.twin[h] > h) edges.push_back({to.x - from.x, to.y - from.y, to.z - from.z});
    }
  }
  void look(const Vector& c) {
    const Long square = dot(c, c);
    if (!(square > 1e-50)) return; // parallel
    const Long l = root(square);
    Long low[2] = {1e30, 1e30}, high[2] = {-1e30, -1e30};
    for (int k = 0; k < 2; ++k) {
      for (const Vector& p : corners_[k]) {
        const Long x = dot(c, p) / l;
        low[k] = std::min(low[k], x);
        high[k] = std::max(high[k], x);
      }
    }
    least_ = std::min(least_, std::min(high[0] - low[1], high[1] - low[0]));
  }

  std::vector<Vector> corners_[2], edges_[2];
  Long least_ = 1e30;
};

/// Two roofs, ridge against ridge, that cross at a small angle: along their normal they reach least.
struct Roofs {
  Shape lower = Shape::point({}).value(), upper = lower;
  Pose pose_a, pose_b;

  Roofs(Source& source, double sine) {
    const auto roof = [&](double up) {
      std::vector<Vec3> p;
      for (const double x : {-1.0, 1.0}) {
        const double width = source.uniform(0.5, 1);
        const double height = source.uniform(0.5, 1);
        p.push_back({x, 0, 0});
        p.push_back({x, width, -up * height});
        p.push_back({x, -width, -up * height});
      }
      return p;
    };
    // Turned in its own frame: so that nothing is exact.
    const Vec3 about = direction(source);
    const double how_far = source.uniform(0.2, 1);
    const Quat q = normalized(Quat{about.x, about.y, about.z, how_far});
    const auto turned = [&](std::vector<Vec3> points) {
      for (Vec3& v : points) v = to_matrix(q) * v;
      return Shape::hull(points).value();
    };
    const std::vector<Vec3> below = roof(1);
    const std::vector<Vec3> above = roof(-1);
    lower = turned(below);
    upper = turned(above);
    const Vec3 axis = direction(source);
    const double share = source.uniform(0.1, 1);
    const Quat world = normalized(Quat{axis.x, axis.y, axis.z, share});
    // So little that the ends of one ridge are clear of the other's sides.
    const double depth = source.uniform(0.02, 0.2) * sine;
    const double aside = source.uniform(-0.5, 0.5) * sine;
    pose_a = {world * conjugate(q), {}};
    const Quat turn = normalized(Quat{0, 0, sine / 2, 1});
    pose_b = {world * turn * conjugate(q), to_matrix(world) * Vec3{0, aside, -depth}};
  }
};

} // namespace carom::test
