// The sets overlap where the difference A - B contains the origin, and their distance is that of A - B from it. A simplex of up to four
// points of A - B is kept, together with the point v of it nearest to the origin. The point w of A - B farthest toward the origin
// (along -v) is added; v moves to the nearest point of the new simplex, and corners that do not carry it are dropped. v . w / |v| is a
// lower bound of the distance: all of A - B lies beyond that plane.
//
// Robustness. The nearest point of a simplex is found by trying all its features from the largest on and keeping the best, not by a chain of
// sign tests: a wrong sign there is how this algorithm usually fails. The iteration only goes on while v gets strictly shorter, so it
// ends; points are sums of support points with weights that are never negative, so they lie in the sets whatever the rounding. Where the
// sets nearly touch, v is a small difference of large numbers and its direction is noise; the normal of the simplex's face, or the
// perpendicular to its edge, is not: that is the direction searched and proved.
#include "carom/geometry/gjk.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// Polytopes need a few dozen at most; curved sets gain a fixed number of bits each time. Never reached in the tests.
constexpr int max_iterations = 256;
constexpr double epsilon = 0x1p-52;

struct Corner {
  Vec3 on_a, on_b;
  Vec3 difference; ///< on_a - on_b
};

struct Simplex {
  Corner corner[4];
  double weight[4] = {1, 0, 0, 0}; ///< of the nearest point; they add up to 1
  int size = 0;

  [[nodiscard]] Vec3 nearest() const {
    Vec3 v;
    for (int i = 0; i < size; ++i) v += corner[i].difference * weight[i];
    return v;
  }
};

/// The unit vector along which the nearest face, edge or corner of the simplex faces away from the origin: the direction of v, well
/// conditioned also where v is tiny. Where it is not the direction of v to within the rounding of v, the simplex is too thin to
/// have one, and that of v it is.
Vec3 outward(const Simplex& s, const Vec3& v, double rounding) {
  const double l = length(v);
  const Vec3 along_v = v / l;
  if (s.size == 1) return along_v;
  const Vec3& p = s.corner[0].difference;
  const Vec3 edge = s.corner[1].difference - p;
  const Vec3 across =
      s.size == 2 ? cross(cross(edge, p), edge) : cross(edge, s.corner[2].difference - p);
  const Vec3 d = normalized_or(dot(across, v) < 0 ? -across : across, along_v);
  return length(d - along_v) * l <= rounding ? d : along_v;
}

/// A face of the simplex with the weights of the point of its plane (line, ...) nearest to the origin.
struct Candidate {
  double distance_squared = INFINITY;
  double weight[4] = {0, 0, 0, 0};
};

// The nearest point of the flat through the chosen corners, if it lies inside their hull, by the normal equations of the edges from the
// first corner.
class NearestOnSimplex {
public:
  NearestOnSimplex(const Simplex& s, double rounding)
      : simplex_(s), rounding_squared_(rounding * rounding) {}

  Candidate find() {
    const int all = (1 << simplex_.size) - 1;
    // Every nonempty subset of corners. The true nearest point is inside exactly one of these faces (or on the border of several).
    for (int subset = 1; subset <= all; ++subset) consider(subset);
    return best_;
  }

private:
  void consider(int subset) {
    int index[4];
    int n = 0;
    for (int i = 0; i < simplex_.size; ++i) {
      if (subset >> i & 1) index[n++] = i;
    }
    double weight[4] = {1, 0, 0, 0};
    if (n > 1 && !weights(index, n, weight)) return;
    Candidate c;
    Vec3 v;
    for (int k = 0; k < n; ++k) {
      c.weight[index[k]] = weight[k];
      v += simplex_.corner[index[k]].difference * weight[k];
    }
    c.distance_squared = length_squared(v);
    // Inside a tetrahedron the nearest point is the origin itself; anything else comes from one too flat to tell.
    if (n == 4 && c.distance_squared > rounding_squared_) return;
    // Of equals the smaller face: its points come first.
    if (c.distance_squared < best_.distance_squared) best_ = c;
  }

  /// Weights of the nearest point; false where it is not inside.
  bool weights(const int* index, int n, double* weight) const {
    const Vec3 p = simplex_.corner[index[0]].difference;
    Vec3 edge[3];
    for (int k = 1; k < n; ++k) edge[k - 1] = simplex_.corner[index[k]].difference - p;
    double t[3];
    if (n == 2) {
      t[0] = -dot(p, edge[0]) / length_squared(edge[0]);
    } else if (n == 3) {
      const Vec3 normal = cross(edge[0], edge[1]);
      const double area = length_squared(normal);
      t[0] = dot(cross(edge[1], p), normal) / area;
      t[1] = dot(cross(p, edge[0]), normal) / area;
    } else {
      const double volume = triple(edge[0], edge[1], edge[2]);
      t[0] = -triple(p, edge[1], edge[2]) / volume;
      t[1] = -triple(edge[0], p, edge[2]) / volume;
      t[2] = -triple(edge[0], edge[1], p) / volume;
    }
    double first = 1;
    for (int k = 0; k + 1 < n; ++k) {
      if (!(t[k] >= 0 && t[k] <= 1)) return false; // NaN, from a flat face, fails too
      first -= t[k];
      weight[k + 1] = t[k];
    }
    weight[0] = first;
    return first >= 0;
  }

  const Simplex& simplex_;
  double rounding_squared_;
  Candidate best_;
};

void reduce(Simplex& s, const Candidate& nearest) {
  int kept = 0;
  for (int i = 0; i < s.size; ++i) {
    if (nearest.weight[i] > 0) {
      s.corner[kept] = s.corner[i];
      s.weight[kept++] = nearest.weight[i];
    }
  }
  s.size = kept;
}

Corner corner_toward(const ConvexView& a, const ConvexView& b, const Vec3& d) {
  const Vec3 on_a = a.support(d);
  const Vec3 on_b = b.support(-d);
  return {on_a, on_b, on_a - on_b};
}

bool contains(const Simplex& s, const Vec3& w) {
  return std::any_of(s.corner, s.corner + s.size,
                     [&](const Corner& c) { return c.difference == w; });
}

} // namespace

GjkResult gjk(const ConvexView& a, const ConvexView& b) {
  Simplex simplex;
  simplex.corner[0] = corner_toward(a, b, {1, 0, 0});
  simplex.size = 1;
  Vec3 v = simplex.nearest();
  double size =
      max_abs(simplex.corner[0].on_a) +
      max_abs(simplex.corner[0]
                  .on_b); // the greatest |coordinate| met: what rounding errors are relative to
  GjkResult result;
  for (; result.iterations < max_iterations; ++result.iterations) {
    const double l = length(v);
    if (!(l > epsilon * size)) break; // a common point
    const Vec3 d = outward(simplex, v, 16 * epsilon * size);
    const Corner w = corner_toward(a, b, -d);
    size = std::max({size, max_abs(w.on_a), max_abs(w.on_b)});
    const double bound = dot(d, w.difference);
    if (bound > result.lower_bound) {
      result.lower_bound = bound;
      result.axis = -d;
    }
    if (l - result.lower_bound <= 8 * epsilon * size || contains(simplex, w.difference)) break;
    Simplex next = simplex;
    next.corner[next.size++] = w;
    const Candidate nearest = NearestOnSimplex(next, 4 * epsilon * size).find();
    reduce(next, nearest);
    const Vec3 shorter = next.nearest();
    if (!(length_squared(shorter) < l * l)) break; // rounding lets it go no further
    simplex = next;
    v = shorter;
    if (simplex.size == 4) break; // the origin is inside the tetrahedron
  }
  Vec3 on_a, on_b;
  for (int i = 0; i < simplex.size; ++i) {
    on_a += simplex.corner[i].on_a * simplex.weight[i];
    on_b += simplex.corner[i].on_b * simplex.weight[i];
  }
  result.closest = {on_a, on_b, length(v)};
  return result;
}

Overlap overlap(const ConvexView& a, const ConvexView& b) {
  const GjkResult r = gjk(a, b);
  if (r.lower_bound > 0) return Overlap::separated(r.axis);
  return Overlap::at((r.closest.on_a + r.closest.on_b) * 0.5);
}

} // namespace carom
