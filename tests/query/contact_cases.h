// Cubes of several kinds, and the areas of patches: what the tests of contacts share.
#pragma once

#include "carom/math/trig.h"
#include "carom/query/answer.h"
#include "carom/shape/shape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

namespace carom::test {

/// A point of the plane, in long double: for areas by other means than the library's.
struct Flat {
  long double x, y;
};

/// The area of the convex hull of points in convex position, in any order.
inline long double area_of(std::vector<Flat> points) {
  if (points.size() < 3) return 0;
  Flat c{0, 0};
  for (const Flat& p : points) {
    c.x += p.x / static_cast<long double>(points.size());
    c.y += p.y / static_cast<long double>(points.size());
  }
  std::sort(points.begin(), points.end(), [&](const Flat& a, const Flat& b) {
    return std::atan2(a.y - c.y, a.x - c.x) < std::atan2(b.y - c.y, b.x - c.x);
  });
  long double twice = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Flat& p = points[i];
    const Flat& q = points[(i + 1) % points.size()];
    twice += (p.x - c.x) * (q.y - c.y) - (p.y - c.y) * (q.x - c.x);
  }
  return twice / 2;
}

inline long double area_of(std::span<const Contact> contacts) {
  std::vector<Flat> points;
  for (const Contact& c : contacts) points.push_back({c.on_a.x, c.on_a.y});
  return area_of(std::move(points));
}

/// Seen along n.
inline long double area_along(const Vec3& n, std::span<const Contact> contacts) {
  const Vec3 u = perpendicular(n);
  const Vec3 v = cross(n, u);
  std::vector<Flat> points;
  for (const Contact& c : contacts) points.push_back({dot(u, c.on_a), dot(v, c.on_a)});
  return area_of(std::move(points));
}

inline std::vector<Vec3> corners_of(const Vec3& half) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) corners.push_back(Aabb{-half, half}.corner(i));
  return corners;
}

inline Quat turn(const Vec3& axis, double angle) { return Quat::from_axis_angle(axis, angle); }

inline std::vector<Vec3> cube_corners() { return corners_of({1, 1, 1}); }

/// A cube as a box, as a hull, as a brush, and as the hull of corners that were turned and rounded, so that its faces fall apart into triangles.
inline std::vector<Shape> cubes() {
  std::vector<HalfSpace> faces;
  for (int i = 0; i < 3; ++i) {
    faces.push_back({unit_axis(i), 1});
    faces.push_back({-unit_axis(i), 1});
  }
  const Mat3 there = to_matrix(turn({1, 2, 3}, 1));
  std::vector<Vec3> rounded;
  for (const Vec3& c : cube_corners()) rounded.push_back(transpose_mul(there, there * c));
  const ConvexHull broken = convex_hull(rounded).value();
  EXPECT_GT(broken.face_count(), 6u); // else the case tests nothing
  return {Shape::box({1, 1, 1}).value(), Shape::hull(cube_corners()).value(),
          Shape::brush(faces).value(), Shape::hull(rounded).value()};
}

/// A cube on its edge, which runs along x.
inline Pose on_edge(const Vec3& at, double twist) {
  return {turn({0, 0, 1}, twist) * turn({1, 0, 0}, pi / 4), at};
}

} // namespace carom::test
