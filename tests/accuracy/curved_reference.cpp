#include "tests/accuracy/curved_reference.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <variant>
#include <vector>

namespace carom::accuracy {
namespace {

struct Farthest {
  Real3 n; ///< a unit vector, in the shape's frame

  [[nodiscard]] Real3 of(std::initializer_list<Real3> points) const {
    Real3 best = *points.begin();
    for (const Real3& p : points) {
      if (dot(p - best, n) > 0) best = p;
    }
    return best;
  }
  [[nodiscard]] Real3 rim(const Vec3& axis, double radius) const {
    const Real3 u = normalized(Real3(axis));
    return normalized(n - u * dot(u, n)) * radius;
  }

  Real3 operator()(const Vec3& p) const { return Real3(p); }
  Real3 operator()(const Segment& s) const { return of({Real3(s.a), Real3(s.b)}); }
  Real3 operator()(const Triangle& t) const { return of({Real3(t.a), Real3(t.b), Real3(t.c)}); }
  Real3 operator()(const Obb& b) const {
    Real3 p(b.center);
    for (int i = 0; i < 3; ++i) {
      const Real3 axis(b.axes[i]);
      p = p + axis * (dot(axis, n) < 0 ? -b.half[i] : b.half[i]);
    }
    return p;
  }
  Real3 operator()(const Cylinder& c) const {
    const Real3 axis(c.axis);
    return Real3(c.center) + axis * (dot(axis, n) < 0 ? -c.half_height : c.half_height) +
           rim(c.axis, c.radius);
  }
  Real3 operator()(const Cone& c) const {
    const Real3 apex(c.apex);
    return of({apex, apex + Real3(c.axis) * c.height + rim(c.axis, c.radius)});
  }
  Real3 operator()(const TaperedCapsule& c) const {
    return of({Real3(c.a) + n * c.radius_a, Real3(c.b) + n * c.radius_b});
  }
  Real3 operator()(const Ellipsoid& e) const {
    const std::array axes{Real3(e.axes.x), Real3(e.axes.y), Real3(e.axes.z)};
    const Real3 u = normalized(Real3{e.radii.x * dot(axes[0], n), e.radii.y * dot(axes[1], n),
                                     e.radii.z * dot(axes[2], n)});
    return Real3(e.center) + axes[0] * (e.radii.x * u.x) + axes[1] * (e.radii.y * u.y) +
           axes[2] * (e.radii.z * u.z);
  }
  Real3 operator()(const Polytope& p) const {
    Real3 best(p.hull().vertices.front());
    for (const Vec3& v : p.hull().vertices) {
      if (dot(Real3(v) - best, n) > 0) best = Real3(v);
    }
    return best;
  }
  template<class Other>
  Real3 operator()(const Other&) const {
    return {NAN, NAN, NAN};
  }
};

/// A polytope that grows inside A - B.
class Growing {
public:
  Growing(const verify::PlacedShape& a, const verify::PlacedShape& b) : a_(a), b_(b) {
    std::vector<Real3> around; // the farthest points in 26 directions
    for (int i = 0; i < 27; ++i) {
      if (i != 13) around.push_back(look({i % 3 - 1.0L, i / 3 % 3 - 1.0L, i / 9 - 1.0L}));
    }
    // Four of them with a large volume, then the rest.
    const Real3 p = around[0];
    const auto most = [&](auto measure) {
      return *std::max_element(around.begin(), around.end(), [&](const Real3& x, const Real3& y) {
        return measure(x) < measure(y);
      });
    };
    const Real3 q = most([&](const Real3& x) { return length(x - p); });
    const Real3 r = most([&](const Real3& x) { return length(cross(q - p, x - p)); });
    const Real3 normal = cross(q - p, r - p);
    const Real3 s = most([&](const Real3& x) { return std::fabs(dot(normal, x - p)); });
    corners_ = dot(normal, s - p) > 0 ? std::vector{p, r, q, s} : std::vector{p, q, r, s};
    for (const auto& f : {std::array<std::size_t, 3>{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}})
      add_face(f);
    for (const Real3& x : around) add_corner(x);
  }

  Bracket grow(Real enough) {
    Bracket depth{0, INFINITY};
    for (int i = 0; i < most_corners; ++i) {
      const Face nearest =
          *std::min_element(faces_.begin(), faces_.end(),
                            [](const Face& x, const Face& y) { return x.height < y.height; });
      const Real3 p = look(nearest.normal);
      depth.upper = std::min(depth.upper, dot(p, nearest.normal));
      depth.lower = nearest.height;
      if (depth.upper - depth.lower <= enough || !add_corner(p)) break;
    }
    return depth;
  }

private:
  struct Face {
    std::array<std::size_t, 3> corners; ///< counter-clockwise, seen from outside
    Real3 normal;
    Real height; ///< of its plane above the origin
  };

  [[nodiscard]] Real3 look(const Real3& d) const {
    const Real3 n = normalized(d);
    return farthest_point(a_, n) - farthest_point(b_, -n);
  }

  void add_face(const std::array<std::size_t, 3>& c) {
    const Real3& p = corners_[c[0]];
    const Real3 n = normalized(cross(corners_[c[1]] - p, corners_[c[2]] - p));
    faces_.push_back({c, n, std::max({dot(n, p), dot(n, corners_[c[1]]), dot(n, corners_[c[2]])})});
  }

  /// The faces that see it are replaced by those from it to their common border. False where none does.
  bool add_corner(const Real3& p) {
    std::vector<std::array<std::size_t, 2>> border;
    std::vector<Face> kept;
    for (const Face& f : faces_) {
      if (dot(f.normal, p) <= f.height + level) {
        kept.push_back(f);
        continue;
      }
      for (std::size_t i = 0; i < 3; ++i) {
        const std::array side{f.corners[i], f.corners[(i + 1) % 3]};
        const auto back = std::find(border.begin(), border.end(), std::array{side[1], side[0]});
        if (back != border.end())
          border.erase(back);
        else
          border.push_back(side);
      }
    }
    if (border.empty() || border.size() > most_sides) return false;
    faces_ = std::move(kept);
    corners_.push_back(p);
    for (const auto& side : border) add_face({side[0], side[1], corners_.size() - 1});
    return true;
  }

  /// Points of one plane, to within rounding, do not see each other's faces: some roundings of a length of a metre.
  static constexpr Real level = 1e-18L;
  static constexpr int most_corners = 4000;
  /// More than that, and rounding has torn the surface.
  static constexpr std::size_t most_sides = 200;

  const verify::PlacedShape& a_;
  const verify::PlacedShape& b_;
  std::vector<Real3> corners_;
  std::vector<Face> faces_;
};

} // namespace

Real3 farthest_point(const verify::PlacedShape& placed, const Real3& n) {
  const Frame frame = placed.pose.frame();
  const Real3 local = normalized(direction_to_local(frame, n));
  const Real3 p = std::visit(Farthest{local}, placed.shape.core());
  return to_world(frame, p + local * placed.shape.rounding());
}

Bracket apart(const verify::PlacedShape& a, const verify::PlacedShape& b, const Distance& answer) {
  const Real3 n = normalized(Real3(answer.normal));
  const Real lower = dot(n, farthest_point(b, -n) - farthest_point(a, n));
  const Real off = Real{verify::distance(answer.on_a, a)} + verify::distance(answer.on_b, b);
  return {lower, length(Real3(answer.on_b) - Real3(answer.on_a)) + off};
}

Bracket depth(const verify::PlacedShape& a, const verify::PlacedShape& b, Real enough) {
  return Growing(a, b).grow(enough);
}

} // namespace carom::accuracy
