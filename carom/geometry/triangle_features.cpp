// What two triangles have in common is convex, the hull of its extreme points. An extreme point is where a feature of the one and a feature of the other meet in just that point:
//   a vertex, wherever it lies in the other triangle;
//   two edges that cross, inside of both;
//   an edge that passes through the inside of the other triangle, from one side of its plane to the other.
// Conversely all of these are extreme points. So they are looked for one kind after the other, by exact signs, and counted: it is the same for triangles in one plane, across each other, touching, and
// for those that are segments or points.
#include "carom/geometry/triangle_features.h"

#include "carom/geometry/triangle_neighbours.h"
#include "carom/math/double_double.h"
#include "carom/math/predicates.h"

#include <bit>
#include <utility>

namespace carom {
namespace {

using Kind = TriangleIntersection::Kind;

Vec2 seen_along(const Vec3& v, int axis) { return {v[(axis + 1) % 3], v[(axis + 2) % 3]}; }

int turn(const Vec3& a, const Vec3& b, const Vec3& c, int axis) {
  return orient2d(seen_along(a, axis), seen_along(b, axis), seen_along(c, axis));
}

/// An axis along which the points do not appear collinear; -1 where they are.
int view_of(const Vec3& a, const Vec3& b, const Vec3& c) {
  for (int axis = 0; axis < 3; ++axis)
    if (turn(a, b, c, axis) != 0) return axis;
  return -1;
}

/// The order along a line.
bool before(const Vec3& a, const Vec3& b) {
  return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

/// The extreme points of a triangle: 3, or the ends of a segment, or one point.
struct Hull {
  std::array<int, 3> corner{0, 1, 2}; ///< which corners of the triangle they are
  const Triangle& triangle;
  int size = 3;
  int view = -1; ///< of 3: an axis along which they do not appear collinear

  explicit Hull(const Triangle& t) : triangle(t), view(view_of(t.a, t.b, t.c)) {
    if (view >= 0) return;
    int low = 0, high = 0;
    for (int i = 1; i < 3; ++i) {
      if (before(t[i], t[low])) low = i;
      if (before(t[high], t[i])) high = i;
    }
    corner = {low, high, high};
    size = t[low] == t[high] ? 1 : 2;
  }

  [[nodiscard]] const Vec3& operator[](int i) const {
    return triangle[corner[static_cast<std::size_t>(i % size)]];
  }
  [[nodiscard]] unsigned bit(int i) const {
    return 1U << corner[static_cast<std::size_t>(i % size)];
  }
  /// Edge i goes from vertex i to the next.
  [[nodiscard]] int edges() const { return size == 3 ? 3 : size - 1; }
  [[nodiscard]] unsigned edge_bits(int i) const { return bit(i) | bit(i + 1); }

  /// The feature that p is inside of; 0 where it is outside of the triangle. Within its plane, p is the mean of the vertices with weights that have the signs of the areas opposite to them.
  [[nodiscard]] unsigned feature_at(const Vec3& p) const {
    for (int i = 0; i < size; ++i)
      if ((*this)[i] == p) return bit(i);
    if (size == 1) return 0;
    if (size == 2) {
      const bool between = before((*this)[0], p) && before(p, (*this)[1]);
      return between && is_degenerate({(*this)[0], (*this)[1], p}) ? edge_bits(0) : 0;
    }
    const auto& [a, b, c] = triangle;
    if (orient3d(a, b, c, p) != 0) return 0;
    const int way = turn(a, b, c, view);
    unsigned feature = 0;
    for (int i = 0; i < 3; ++i) {
      const int weight = turn(triangle[(i + 1) % 3], triangle[(i + 2) % 3], p, view) * way;
      if (weight < 0) return 0;
      if (weight > 0) feature |= bit(i);
    }
    return feature;
  }

  /// Whether the segment from p to q passes through the inside, from one side to the other. Never where the triangle has no area.
  [[nodiscard]] bool is_pierced(const Vec3& p, const Vec3& q) const {
    const auto& [a, b, c] = triangle;
    if (orient3d(a, b, c, p) * orient3d(a, b, c, q) >= 0) return false;
    const int way = orient3d(p, q, a, b);
    return way != 0 && orient3d(p, q, b, c) == way && orient3d(p, q, c, a) == way;
  }
};

/// Whether the segments from p to q and from r to s cross in one point, inside of both.
bool cross_inside(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s) {
  if (orient3d(p, q, r, s) != 0) return false;
  const int view = view_of(p, q, r);
  if (view < 0) return false;
  return turn(p, q, r, view) * turn(p, q, s, view) < 0 &&
         turn(r, s, p, view) * turn(r, s, q, view) < 0;
}

/// Whether both are on one edge of a triangle.
bool on_one_edge(unsigned feature, unsigned other) { return std::popcount(feature | other) <= 2; }

class Search {
public:
  Search(const Triangle& a, const Triangle& b) : a_(a), b_(b) {}

  [[nodiscard]] TriangleFeatures find() {
    vertices();
    edges();
    const int n = found_.count;
    found_.kind = n == 0   ? Kind::none
                  : n == 1 ? Kind::point
                  : n == 2 ? Kind::segment
                           : Kind::polygon;
    if (n > 3) put_in_order();
    return found_;
  }

private:
  void add(unsigned on_a, unsigned on_b) {
    if (found_.count == 6) return; // more cannot be, but for coordinates out of range
    found_.corners[static_cast<std::size_t>(found_.count++)] = {static_cast<std::uint8_t>(on_a),
                                                                static_cast<std::uint8_t>(on_b)};
  }

  void vertices() {
    for (int i = 0; i < a_.size; ++i)
      if (const unsigned on_b = b_.feature_at(a_[i])) add(a_.bit(i), on_b);
    for (int i = 0; i < b_.size; ++i) {
      const unsigned on_a = a_.feature_at(b_[i]);
      if (on_a != 0 && !std::has_single_bit(on_a)) add(on_a, b_.bit(i)); // else it is known
    }
  }

  void edges() {
    for (int i = 0; i < a_.edges(); ++i) {
      for (int j = 0; j < b_.edges(); ++j)
        if (cross_inside(a_[i], a_[i + 1], b_[j], b_[j + 1])) add(a_.edge_bits(i), b_.edge_bits(j));
      if (b_.is_pierced(a_[i], a_[i + 1])) add(a_.edge_bits(i), 7);
    }
    for (int j = 0; j < b_.edges(); ++j)
      if (a_.is_pierced(b_[j], b_[j + 1])) add(7, b_.edge_bits(j));
  }

  /// Corners of the polygon are neighbours where they are on one edge: the polygon is on one side of it, so at most two of its corners are there. From each, go on to a
  /// neighbour not yet visited.
  void put_in_order() {
    auto& c = found_.corners;
    const auto n = static_cast<std::size_t>(found_.count);
    for (std::size_t i = 0; i + 2 < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) {
        if (!on_one_edge(c[i].on_a, c[j].on_a) && !on_one_edge(c[i].on_b, c[j].on_b)) continue;
        std::swap(c[i + 1], c[j]);
        break;
      }
    }
  }

  Hull a_, b_;
  TriangleFeatures found_;
};

/// How far p is from the plane of the triangle, times twice its area.
struct Height {
  double value = 0;
  bool accurate = false; ///< the relative error is below 2^-53
};

/// In numbers of 104 bits. The errors of its 23 operations, each 2^-100 of what it gives, come to less than 2^-95 of the sum of the |terms|.
Height height_above(const Triangle& t, const Vec3& p) {
  using Row = predicate::Row3<DoubleDouble>;
  const auto row = [&t](const Vec3& v) {
    const auto minus = [](double x, double y) {
      const TwoDoubles d = two_sum(x, -y);
      return DoubleDouble{d.value, d.error};
    };
    return Row{minus(v.x, t.a.x), minus(v.y, t.a.y), minus(v.z, t.a.z)};
  };
  const double value = predicate::det3(row(t.b), row(t.c), row(p)).high;
  const double magnitude = predicate::det3_magnitude(t.b - t.a, t.c - t.a, p - t.a);
  return {value, std::fabs(value) > 0x1p-40 * magnitude};
}

} // namespace

/// It divides the segment as the heights of its ends, the difference of two numbers of different signs: without cancellation. It is computed from the nearer end, where the rounding of the difference counts least.
Vec3 piercing_point(const Vec3& p, const Vec3& q, const Triangle& triangle) {
  const Height at_p = height_above(triangle, p), at_q = height_above(triangle, q);
  if (!at_p.accurate || !at_q.accurate) return intersect({p, q, q}, triangle).points[0];
  const double whole = at_p.value - at_q.value;
  return std::fabs(at_p.value) <= std::fabs(at_q.value) ? p + (q - p) * (at_p.value / whole)
                                                        : q - (p - q) * (at_q.value / whole);
}

TriangleFeatures meeting_features(const Triangle& a, const Triangle& b) {
  return Search(a, b).find();
}

} // namespace carom
