// The sets overlap where the difference A - B contains the origin, and their distance is that of A - B from it. A simplex of up to four
// points of A - B is kept, together with the point v of it nearest to the origin. The point w of A - B farthest toward the origin
// (along -v) is added; v moves to the nearest point of the new simplex, and corners that do not carry it are dropped. v . w / |v| is a
// lower bound of the distance: all of A - B lies beyond that plane.
//
// Robustness. The nearest point of a simplex is found by trying all its faces and keeping the best, not by a chain of sign tests: a
// wrong sign there is how this algorithm usually fails. The iteration only goes on while v gets shorter (but for a few steps that only
// turn the direction), so it ends; the shortest v is the one returned. Points are sums of support points with weights that are
// never negative, so they lie in the sets whatever the rounding.
// Thin simplices, and a v that is a small difference of large numbers, ask for more than 53 bits. So the search runs in doubles until
// they gain no more. Where the bounds do not agree by then, it goes on from there with the same formulas in numbers of twice the
// length. The corners of the simplex carry errors of about epsilon times the size of the coordinates; a simplex of rounded corners may
// be as thin as that, and weights on it lose half of the 104 bits: what is left is enough.
#include "carom/geometry/gjk.h"

#include "carom/math/double_double.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// Never reached in the tests: polytopes need a few dozen at most, curved sets gain a fixed number of bits each time.
constexpr int max_iterations = 256;
constexpr double epsilon = 0x1p-52;
/// The bounds agree when they differ by this many epsilon of the size: the rounding of a corner, of a unit vector, of their product.
constexpr double agreement = 8 * epsilon;

/// A value of d . w, and one that is no greater than the exact d . (on_a - on_b) / |d|.
struct Bound {
  double value, proved;
};

/// For a d that was divided by its rounded length. In units of u = epsilon / 2: each component of the difference w is rounded once, then
/// its product, then two sums, together 4 u of s = sum |d_i w_i|. The length is rounded by 2.5 u (three in the square, halved, and the
/// root) and each quotient by one, so |d| <= 1 + 3.5 u. s is rounded down by 3 u of itself at most, and the last difference by one. That
/// is 8.5 u of s and terms in u^2: less than 5 epsilon.
Bound bound_along(const Vec3& d, const Vec3& w) {
  const double value = dot(d, w);
  return {value, value - 5 * epsilon * dot(abs(d), abs(w))};
}

/// How many steps may pass without a gain. In doubles one is enough to know; at full length, turning the direction may help although
/// the point does not move any more.
template<class Number>
constexpr int patience_with = 0;
template<>
constexpr int patience_with<DoubleDouble> = 8;

double value(double x) { return x; }
double value(const DoubleDouble& x) { return x.high + x.low; }

/// A vector of either kind of number.
template<class Number>
struct Vector {
  Number x, y, z;

  static Vector of(const Vec3& v) { return {Number{v.x}, Number{v.y}, Number{v.z}}; }
  friend Vector operator+(const Vector& a, const Vector& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend Vector operator-(const Vector& a) { return {-a.x, -a.y, -a.z}; }
  friend Vector operator*(const Vector& a, const Number& s) { return {a.x * s, a.y * s, a.z * s}; }
};
template<class Number>
Number dot(const Vector<Number>& a, const Vector<Number>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template<class Number>
Vector<Number> cross(const Vector<Number>& a, const Vector<Number>& b) {
  return {a.y * b.z + -(a.z * b.y), a.z * b.x + -(a.x * b.z), a.x * b.y + -(a.y * b.x)};
}

struct Corner {
  Vec3 on_a, on_b;
  Vec3 difference; ///< on_a - on_b
};

struct Simplex {
  Corner corner[4];
  double weight[4] = {1, 0, 0, 0}; ///< of the nearest point; they add up to 1
  int size = 0;
};

/// The point of a simplex nearest to the origin.
template<class Number>
struct Nearest {
  double weight[4] = {0, 0, 0, 0}; ///< of the corners
  Vector<Number> point{Number{INFINITY}, Number{0}, Number{0}};
  Number distance_squared{INFINITY};
};

/// The weights of the nearest point of the flat through n points (2 to 4), by the normal equations of the edges from the first; false
/// where it is not inside their hull, or where they lie in a flat of fewer dimensions. `normal` is set for a triangle.
template<class Number>
bool weights_inside(const Vector<Number>* points, int n, Number* weight, Vector<Number>& normal) {
  const Vector<Number>& p = points[0];
  Vector<Number> edge[3];
  for (int k = 1; k < n; ++k) edge[k - 1] = points[k] + -p;
  Number whole;
  if (n == 2) {
    whole = dot(edge[0], edge[0]);
    weight[1] = -dot(p, edge[0]);
  } else if (n == 3) {
    normal = cross(edge[0], edge[1]);
    whole = dot(normal, normal);
    weight[1] = dot(cross(edge[1], p), normal);
    weight[2] = dot(cross(p, edge[0]), normal);
  } else {
    const Vector<Number> across = cross(edge[1], edge[2]);
    const Vector<Number> beside = cross(p, edge[0]);
    whole = dot(edge[0], across);
    weight[1] = -dot(p, across);
    weight[2] = dot(beside, edge[2]);
    weight[3] = -dot(beside, edge[1]);
  }
  weight[0] = Number{1};
  for (int k = 1; k < n; ++k) {
    weight[k] = weight[k] / whole;
    if (!(value(weight[k]) >= 0 && value(weight[k]) <= 1))
      return false; // NaN, from a flat face, fails too
    weight[0] = weight[0] + -weight[k];
  }
  return value(weight[0]) >= 0;
}

/// The weights of a thin triangle lose bits, and with them the direction of a short v. Its normal loses fewer: v is the part of any
/// corner along the normal, as long as that agrees with the weights; where not, the triangle is too thin to have a normal.
template<class Number>
Vector<Number> straightened(const Vector<Number>& v, const Vector<Number>& normal,
                            const Vector<Number>& corner, double rounding) {
  const Vector<Number> along = normal * (dot(corner, normal) / dot(normal, normal));
  const Vector<Number> change = along + -v;
  return value(dot(change, change)) <= rounding * rounding ? along : v;
}

/// The best of the faces from number `first` on; face k has the corners of the bits of k. From 1 on they are all faces, from
/// 1 << (size - 1) on those that have the last corner.
template<class Number>
Nearest<Number> nearest_of(const Simplex& simplex, int first, double rounding) {
  Nearest<Number> best;
  for (int subset = first; subset < 1 << simplex.size; ++subset) {
    Vector<Number> points[4] = {};
    int index[4];
    int n = 0;
    for (int i = 0; i < simplex.size; ++i) {
      if (!(subset >> i & 1)) continue;
      index[n] = i;
      points[n++] = Vector<Number>::of(simplex.corner[i].difference);
    }
    Number weight[4] = {Number{1}};
    Vector<Number> normal{};
    if (n > 1 && !weights_inside(points, n, weight, normal)) continue;
    Nearest<Number> found;
    found.point = points[0] * weight[0];
    for (int k = 0; k < n; ++k) found.weight[index[k]] = value(weight[k]);
    for (int k = 1; k < n; ++k) found.point = found.point + points[k] * weight[k];
    if (n == 3) found.point = straightened(found.point, normal, points[0], rounding);
    found.distance_squared = dot(found.point, found.point);
    // Inside a tetrahedron the nearest point is the origin itself; anything else comes from one too flat to tell.
    if (n == 4 && value(found.distance_squared) > rounding * rounding) continue;
    // Of equals the smaller face: its points come first.
    if (value(found.distance_squared + -best.distance_squared) < 0 || subset == first) best = found;
  }
  return best;
}

template<class Number>
void reduce(Simplex& s, const Nearest<Number>& nearest) {
  int kept = 0;
  for (int i = 0; i < s.size; ++i) {
    if (!(nearest.weight[i] > 0)) continue;
    s.corner[kept] = s.corner[i];
    s.weight[kept++] = nearest.weight[i];
  }
  s.size = kept;
}

class Search {
public:
  Search(const ConvexView& a, const ConvexView& b, double question)
      : a_(a), b_(b), question_(question) {
    simplex_.corner[0] = corner_toward({1, 0, 0});
    simplex_.size = 1;
  }

  GjkResult run() {
    if (!advance<double>()) advance<DoubleDouble>();
    ClosestPair& closest = result_.closest;
    for (int i = 0; i < best_.size; ++i) {
      closest.on_a += best_.corner[i].on_a * best_.weight[i];
      closest.on_b += best_.corner[i].on_b * best_.weight[i];
    }
    return result_;
  }

private:
  Corner corner_toward(const Vec3& d) {
    const Vec3 on_a = a_.support(d);
    const Vec3 on_b = b_.support(-d);
    size_ = std::max({size_, max_abs(on_a), max_abs(on_b)});
    return {on_a, on_b, on_a - on_b};
  }

  /// Whether the bounds answer what was asked, or the upper one is no more than rounding.
  [[nodiscard]] bool done() const {
    const double upper = result_.closest.distance;
    return upper <= question_ || result_.lower_bound > question_ || upper <= agreement * size_;
  }

  /// The simplex as it is now, and its nearest point v.
  void take_points(const Vec3& v) {
    result_.closest.distance = length(v);
    best_ = simplex_;
    best_v_ = v;
  }
  /// All of A - B lies beyond it along d.
  void take_bound(const Bound& bound, const Vec3& d) {
    if (!(bound.proved > 0)) return;
    result_.lower_bound = bound.proved;
    result_.axis = -d;
  }

  /// Steps until done (true), or until these numbers gain no more.
  template<class Number>
  bool advance() {
    if (best_.size > 0) simplex_ = best_;
    Nearest<Number> nearest = nearest_of<Number>(simplex_, 1, agreement * size_);
    reduce(simplex_, nearest);
    Number least{INFINITY}; // squared distance, in these numbers
    int patience = patience_with<Number>;
    while (result_.iterations < max_iterations) {
      const Vec3 v{value(nearest.point.x), value(nearest.point.y), value(nearest.point.z)};
      if (!(value(nearest.distance_squared + -least) >= 0)) {
        least = nearest.distance_squared;
        take_points(v);
        if (done()) return true;
      }
      const Vec3 d = normalized(v);
      const Corner w = corner_toward(-d);
      ++result_.iterations;
      const Bound bound = bound_along(d, w.difference);
      // v is the nearest point up to rounding. (Where only another direction proves its length, the distance is known, but v may be off by the
      // root of its error.)
      if (length(v) - bound.value <= agreement * size_) {
        if (max_abs(v - best_v_) > agreement * size_) take_points(v); // else the shorter one stays
        take_bound(bound, d);
        return true;
      }
      if (bound.proved > result_.lower_bound) take_bound(bound, d);
      if (done()) return true;
      // A tetrahedron around the origin is not to grow, even where its v is a rounding too long to be done.
      if (contains(w.difference) || simplex_.size == 4) return false;
      Simplex grown = simplex_;
      grown.corner[grown.size++] = w;
      // w lies before the plane through v, so the nearest point of the grown simplex needs it.
      const int with_w = 1 << (grown.size - 1);
      const Nearest<Number> next = nearest_of<Number>(grown, with_w, agreement * size_);
      if (!(value(next.distance_squared + -least) < 0) && patience-- == 0) return false;
      nearest = next;
      reduce(grown, nearest);
      simplex_ = grown;
    }
    return true;
  }

  [[nodiscard]] bool contains(const Vec3& w) const {
    return std::any_of(simplex_.corner, simplex_.corner + simplex_.size,
                       [&](const Corner& c) { return c.difference == w; });
  }

  const ConvexView &a_, &b_;
  double question_;
  double size_ = 0; ///< the greatest |coordinate| met: what rounding errors are relative to
  Simplex simplex_;
  Simplex best_; ///< the one of the answer: the nearest to the origin so far
  Vec3 best_v_;  ///< its nearest point
  GjkResult result_;
};

} // namespace

GjkResult gjk(const ConvexView& a, const ConvexView& b, double question) {
  return Search(a, b, question).run();
}

Overlap overlap(const ConvexView& a, const ConvexView& b) {
  const GjkResult r = gjk(a, b, 0);
  if (r.lower_bound > 0) return Overlap::separated(r.axis);
  return Overlap::at((r.closest.on_a + r.closest.on_b) * 0.5);
}

} // namespace carom
