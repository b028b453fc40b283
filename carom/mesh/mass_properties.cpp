// Each triangle a, b, c of the surface makes a tetrahedron with a reference point; with its sign, they add up to the solid (the divergence
// theorem). Of the tetrahedron 0, a, b, c with volume v = a.(b x c) / 6, the integral of r is v (a + b + c) / 4, and that of r r^T is
//   v / 20 (a a^T + b b^T + c c^T + s s^T),  s = a + b + c:
// the second moments of a simplex of n + 1 corners are those of its corners and its sum, over (n + 1) (n + 2).
//
// Two passes, so that nothing large cancels. Volume and centroid are taken about the middle of the box around the vertices, and the inertia
// about that centroid, both as differences from the vertices, so the distance from the origin does not matter. For a convex solid every
// term then has the same sign. Sums carry their rounding errors along, so the number of faces does not matter either.
#include "carom/mesh/mass_properties.h"

#include "carom/math/error_free.h"
#include "carom/math/tolerance.h"

namespace carom {
namespace {

/// A sum that carries its rounding errors along.
class Sum {
public:
  void add(double x) {
    const TwoDoubles s = two_sum(value_, x);
    value_ = s.value;
    error_ += s.error;
  }
  [[nodiscard]] double value() const { return value_ + error_; }

private:
  double value_ = 0, error_ = 0;
};

struct SumVec3 {
  Sum x, y, z;
  void add(const Vec3& v) {
    x.add(v.x);
    y.add(v.y);
    z.add(v.z);
  }
  [[nodiscard]] Vec3 value() const { return {x.value(), y.value(), z.value()}; }
};

/// body(a, b, c) for the triangles of the surface.
template<class Body>
void for_each_triangle(const PolygonSurface& surface, Body&& body) {
  const std::size_t n = surface.vertices.size();
  for (std::size_t f = 0; f + 1 < surface.face_begin.size(); ++f) {
    const std::size_t begin = surface.face_begin[f];
    const std::size_t end = surface.face_begin[f + 1];
    if (end > surface.corners.size() || end < begin) continue;
    const auto corners = surface.corners.subspan(begin, end - begin);
    bool in_range = true;
    for (const std::uint32_t c : corners) in_range = in_range && c < n;
    if (!in_range) continue;
    for (std::size_t i = 2; i < corners.size(); ++i) {
      body(surface.vertices[corners[0]], surface.vertices[corners[i - 1]],
           surface.vertices[corners[i]]);
    }
  }
}

Vec3 box_middle(std::span<const Vec3> points) {
  Vec3 low = points[0];
  Vec3 high = points[0];
  for (const Vec3& p : points) {
    low = min(low, p);
    high = max(high, p);
  }
  return low + (high - low) * 0.5;
}

/// Where there is no volume: the middle of the surface, or else of the vertices.
Vec3 flat_centroid(const PolygonSurface& surface, const Vec3& middle) {
  Sum area;
  SumVec3 first;
  for_each_triangle(surface, [&](const Vec3& p, const Vec3& q, const Vec3& r) {
    const double size = length(cross(q - p, r - p));
    area.add(size);
    first.add(((p - middle) + (q - middle) + (r - middle)) * (size / 3));
  });
  if (area.value() > 0) return middle + first.value() / area.value();
  SumVec3 sum;
  for (const Vec3& p : surface.vertices) sum.add(p - middle);
  return middle + sum.value() / static_cast<double>(surface.vertices.size());
}

/// tr(m) 1 - m for a symmetric m.
Mat3 inertia_of(const Vec3& squares, const Vec3& products) {
  return {{squares.y + squares.z, -products.z, -products.y},
          {-products.z, squares.z + squares.x, -products.x},
          {-products.y, -products.x, squares.x + squares.y}};
}
/// |r|^2 1 - r r^T.
Mat3 point_inertia(const Vec3& r) {
  return inertia_of(mul(r, r), {r.y * r.z, r.z * r.x, r.x * r.y});
}

/// About a point close to the centroid.
Mat3 inertia_around(const PolygonSurface& surface, const Vec3& center) {
  SumVec3 squares;  // x^2, y^2, z^2
  SumVec3 products; // y z, z x, x y
  for_each_triangle(surface, [&](const Vec3& p, const Vec3& q, const Vec3& r) {
    const Vec3 a = p - center;
    const Vec3 b = q - center;
    const Vec3 c = r - center;
    const Vec3 s = a + b + c;
    const double weight = triple(a, b, c) / 120;
    const auto moment = [&](int i, int j) {
      return weight * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s[i] * s[j]);
    };
    squares.add({moment(0, 0), moment(1, 1), moment(2, 2)});
    products.add({moment(1, 2), moment(2, 0), moment(0, 1)});
  });
  return inertia_of(squares.value(), products.value());
}

} // namespace

MassProperties mass_properties(const PolygonSurface& surface) {
  MassProperties mass;
  if (surface.vertices.empty()) return mass;
  const Vec3 middle = box_middle(surface.vertices);
  Sum volume;
  Sum magnitude;
  SumVec3 first;
  for_each_triangle(surface, [&](const Vec3& p, const Vec3& q, const Vec3& r) {
    const Vec3 a = p - middle;
    const Vec3 b = q - middle;
    const Vec3 c = r - middle;
    const double v = triple(a, b, c) / 6;
    volume.add(v);
    magnitude.add(std::fabs(v));
    first.add((a + b + c) * (v / 4));
  });
  // Each term is good to a few epsilon of itself: a sum below that says nothing.
  if (std::fabs(volume.value()) <= 8 * tolerance::epsilon * magnitude.value()) {
    mass.centroid = flat_centroid(surface, middle);
    return mass;
  }
  mass.volume = volume.value();
  mass.centroid = middle + first.value() / mass.volume;
  mass.inertia = inertia_around(surface, mass.centroid);
  return mass;
}

MassProperties mass_properties(const ConvexHull& hull) {
  return mass_properties(PolygonSurface{hull.vertices, hull.face_begin, hull.origin});
}

MassProperties mass_properties(std::span<const Vec3> vertices,
                               std::span<const std::uint32_t> triangles) {
  std::vector<std::uint32_t> face_begin;
  for (std::uint32_t i = 0; i <= triangles.size() / 3; ++i) face_begin.push_back(3 * i);
  return mass_properties(PolygonSurface{vertices, face_begin, triangles});
}

MassProperties moved(const MassProperties& mass, const Frame& frame) {
  const Mat3 turned = frame.basis * (mass.inertia * transpose(frame.basis));
  // Symmetric but for rounding: the upper half counts.
  const Mat3 symmetric{{turned.x.x, turned.y.x, turned.z.x},
                       {turned.y.x, turned.y.y, turned.z.y},
                       {turned.z.x, turned.z.y, turned.z.z}};
  return {mass.volume, frame.to_world(mass.centroid), symmetric};
}

MassProperties operator+(const MassProperties& a, const MassProperties& b) {
  const double volume = a.volume + b.volume;
  const double share = volume != 0 ? b.volume / volume : 0.5;
  const Vec3 between = b.centroid - a.centroid;
  return {volume, a.centroid + between * share,
          a.inertia + b.inertia + point_inertia(between) * (a.volume * share)};
}

Mat3 inertia_about(const MassProperties& mass, const Vec3& point) {
  return mass.inertia + point_inertia(mass.centroid - point) * mass.volume;
}

} // namespace carom
