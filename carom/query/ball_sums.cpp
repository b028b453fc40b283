#include "carom/query/ball_sums.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace carom {
namespace {

constexpr std::size_t most_in_sum = 16'384;

using Found = std::optional<BallSums>;

/// No M u is longer than this for |u| <= 1: the root of a bound of the greatest eigenvalue of M' M. Exact where the columns are at right angles.
double norm_of(const Mat3& m) {
  double most = 0;
  for (int i = 0; i < 3; ++i) {
    const Vec3 row = abs(transpose_mul(m, m[i]));
    most = std::max(most, row.x + row.y + row.z);
  }
  return std::sqrt(most);
}

void add(BallSums& sums, const Vec3& center, double radius, std::span<const Mat3> images) {
  BallSum part{center, radius, radius, static_cast<std::uint32_t>(sums.images.size()), 0};
  for (const Mat3& m : images) {
    if (m == Mat3::zero()) continue;
    sums.images.push_back(m);
    part.reach += norm_of(m);
    ++part.count;
  }
  sums.parts.push_back(part);
}

Found from_points(std::span<const Vec3> points) {
  BallSums sums;
  sums.parts.reserve(points.size());
  for (const Vec3& p : points) add(sums, p, 0, {});
  return sums;
}

/// A ball of this radius, pressed flat along the axis.
Mat3 disc(const Vec3& axis, double radius) {
  const Vec3 a = normalized(axis);
  const Vec3 u = perpendicular(a);
  return {u * radius, cross(a, u) * radius, {}};
}

Found rounded_parts(const Shape& shape) {
  Found found = ball_sums(shape);
  if (!found) return found;
  for (BallSum& part : found->parts) {
    part.radius += shape.rounding();
    part.reach += shape.rounding();
  }
  return found;
}

struct PartsOf {
  Found operator()(const Vec3& p) const { return from_points(std::array{p}); }
  Found operator()(const Segment& s) const { return from_points(std::array{s.a, s.b}); }
  Found operator()(const Triangle& t) const { return from_points(std::array{t.a, t.b, t.c}); }
  Found operator()(const Obb& b) const {
    std::array<Vec3, 8> corners;
    for (std::size_t i = 0; i < 8; ++i) corners[i] = b.corner(static_cast<int>(i));
    return from_points(corners);
  }
  Found operator()(const Polytope& p) const { return from_points(p.vertices()); }
  Found operator()(const BrushCore& b) const { return (*this)(b.corners); }
  Found operator()(const HalfSpace&) const { return std::nullopt; }
  Found operator()(const CustomCore&) const { return std::nullopt; }

  Found operator()(const Cylinder& c) const {
    BallSums sums;
    const std::array rim{disc(c.axis, c.radius)};
    add(sums, c.center + c.axis * c.half_height, 0, rim);
    add(sums, c.center - c.axis * c.half_height, 0, rim);
    return sums;
  }
  Found operator()(const Cone& c) const {
    BallSums sums;
    add(sums, c.apex, 0, {});
    add(sums, c.base_center(), 0, std::array{disc(c.axis, c.radius)});
    return sums;
  }
  Found operator()(const TaperedCapsule& c) const {
    BallSums sums;
    add(sums, c.a, c.radius_a, {});
    add(sums, c.b, c.radius_b, {});
    return sums;
  }
  Found operator()(const Ellipsoid& e) const {
    BallSums sums;
    add(sums, e.center, 0, std::array{e.axes * Mat3::diagonal(e.radii)});
    return sums;
  }

  Found operator()(const SumCore& s) const {
    const Found a = rounded_parts(*s.a);
    const Found b = a ? rounded_parts(*s.b) : Found();
    if (!b || a->parts.size() * b->parts.size() > most_in_sum) return std::nullopt;
    BallSums sums;
    std::vector<Mat3> images;
    for (const BallSum& p : a->parts) {
      for (const BallSum& q : b->parts) {
        const std::span<const Mat3> of_p = a->images_of(p);
        const std::span<const Mat3> of_q = b->images_of(q);
        images.assign(of_p.begin(), of_p.end());
        images.insert(images.end(), of_q.begin(), of_q.end());
        add(sums, p.center + q.center, p.radius + q.radius, images);
      }
    }
    return sums;
  }
  Found operator()(const HullOfTwoCore& h) const {
    Found a = rounded_parts(*h.a);
    const Found b = a ? rounded_parts(*h.b) : Found();
    if (!b) return std::nullopt;
    for (const BallSum& part : b->parts) add(*a, part.center, part.radius, b->images_of(part));
    return a;
  }
  Found operator()(const ScaledCore& s) const {
    const Found unscaled = rounded_parts(*s.shape);
    if (!unscaled) return std::nullopt;
    const Mat3 scaling = Mat3::diagonal(s.factors);
    BallSums sums;
    std::vector<Mat3> images;
    for (const BallSum& part : unscaled->parts) {
      images.clear();
      for (const Mat3& m : unscaled->images_of(part)) images.push_back(scaling * m);
      images.push_back(scaling * part.radius);
      add(sums, mul(part.center, s.factors), 0, images);
    }
    return sums;
  }
};

} // namespace

std::optional<BallSums> ball_sums(const Shape& shape) {
  return std::visit(PartsOf{}, shape.core());
}

} // namespace carom
