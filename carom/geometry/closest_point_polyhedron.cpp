// The nearest point of an intersection of half-spaces: a dual active-set method (Goldfarb and Idnani 1983) in three dimensions.
//
// With y = x - p, minimise |y|^2 subject to n_i . y <= b_i, the half-spaces seen from p. At any time y is the nearest point of the
// intersection of the *active* planes, at most three with independent normals, and y = - sum l_i n_i with all multipliers l_i >= 0: so it is
// the nearest point of the active half-spaces, too, and |y| is a lower bound of the distance. Start with none, y = 0. While some
// half-space is violated, take the one that is violated most and move onto its plane along the active ones. A multiplier that
// would turn negative on the way leaves. |y| grows with every plane taken in, so no active set comes back, and the end is the answer.
// Where there is no way to the plane (its normal is spanned by the active ones) and no multiplier to give up, there is no feasible point.
//
// y and the multipliers are computed afresh from each active set, by an orthonormal basis of its normals: errors do not pile up.
#include "carom/geometry/closest_point.h"

#include "carom/math/mat3.h"
#include "carom/math/tolerance.h"

#include <cmath>
#include <cstddef>

namespace carom {
namespace {

/// At most three planes n . y = b with independent normals, and N = Q R for the matrix N of their unit normals.
struct ActiveSet {
  int count = 0;
  Mat3 normal, basis; ///< a column each
  Vec3 offset, multiplier;
  double r[3][3] = {};

  void drop(int i) {
    for (int k = i; k + 1 < count; ++k) {
      normal[k] = normal[k + 1];
      offset[k] = offset[k + 1];
      multiplier[k] = multiplier[k + 1];
    }
    --count;
    factor();
  }
  void add(const Vec3& n, double b, double l) {
    normal[count] = n;
    offset[count] = b;
    multiplier[count] = l;
    ++count;
    factor();
  }
  /// Gram-Schmidt, twice for each vector.
  void factor() {
    for (int j = 0; j < count; ++j) {
      Vec3 v = normal[j];
      for (int i = 0; i < j; ++i) r[i][j] = 0;
      for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < j; ++i) {
          const double c = dot(v, basis[i]);
          r[i][j] += c;
          v -= basis[i] * c;
        }
      }
      r[j][j] = length(v);
      basis[j] = v / r[j][j];
    }
  }
  /// The part of n at right angles to all active normals.
  [[nodiscard]] Vec3 free_part(const Vec3& n) const {
    Vec3 v = n;
    for (int pass = 0; pass < 2; ++pass) {
      for (int i = 0; i < count; ++i) v -= basis[i] * dot(v, basis[i]);
    }
    return v;
  }
  /// R^-1 g: the weights of the normals that make up the vector of coordinates g in the basis.
  [[nodiscard]] Vec3 weights(const Vec3& g) const {
    Vec3 w;
    for (int i = count - 1; i >= 0; --i) {
      double sum = g[i];
      for (int j = i + 1; j < count; ++j) sum -= r[i][j] * w[j];
      w[i] = sum / r[i][i];
    }
    return w;
  }
  /// The nearest point to the origin of the active planes; sets the multipliers.
  [[nodiscard]] Vec3 solve() {
    Vec3 g;
    Vec3 y;
    for (int j = 0; j < count; ++j) {
      double sum = offset[j];
      for (int i = 0; i < j; ++i) sum -= r[i][j] * g[i];
      g[j] = sum / r[j][j];
      y += basis[j] * g[j];
    }
    const Vec3 w = weights(g);
    for (int i = 0; i < count; ++i) multiplier[i] = w[i] < 0 ? -w[i] : 0;
    return y;
  }
};

/// Takes in a violated half-space. False where that is impossible: there is no common point.
bool take_in(ActiveSet& active, const Vec3& n, double b, const Vec3& y) {
  // Below this sine a normal counts as spanned by the others: it is of the size of their rounding errors.
  constexpr double independent = 8 * tolerance::epsilon;
  double own = 0, excess = dot(n, y) - b;
  for (int guard = 0; guard < 4; ++guard) {
    const Vec3 z = active.count < 3 ? active.free_part(n) : Vec3{};
    const double zz = length_squared(z);
    const bool free = zz > independent * independent;
    Vec3 g;
    for (int i = 0; i < active.count; ++i) g[i] = dot(active.basis[i], n);
    const Vec3 w = active.weights(g);
    double step = free ? excess / zz : INFINITY;
    int leaving = -1;
    for (int i = 0; i < active.count; ++i) {
      const double l = active.multiplier[i], rate = w[i];
      if (rate > 0 && l < step * rate) {
        step = l / rate;
        leaving = i;
      }
    }
    if (leaving < 0) {
      if (free) active.add(n, b, own + step);
      return free;
    }
    for (int i = 0; i < active.count; ++i) {
      active.multiplier[i] -= step * w[i];
    }
    own += step;
    if (free) excess -= step * zz;
    active.drop(leaving);
  }
  return false;
}

/// `face(i)` gives half-space i with a normal of any length.
template<class Faces>
ClosestPoint nearest(const Vec3& p, std::size_t count, const Faces& face) {
  constexpr double satisfied = 8 * tolerance::epsilon, empty = 64 * tolerance::epsilon;
  ActiveSet active;
  Vec3 y;
  // Few are ever needed; the bound is for what rounding might do.
  for (std::size_t step = 0; step < 32 + 4 * count; ++step) {
    double worst = 0, worst_size = 0, offset = 0;
    Vec3 normal;
    for (std::size_t i = 0; i < count; ++i) {
      const HalfSpace h = face(i);
      if (h.offset == INFINITY) continue;
      const double l = length(h.normal);
      if (!(l > 0)) {
        if (h.offset < 0) return {p, INFINITY};
        continue;
      }
      const Vec3 n = h.normal / l;
      const double d = h.offset / l, b = d - dot(n, p);
      const double size = max_abs(p) + max_abs(y) + std::fabs(d);
      const double excess = dot(n, y) - b;
      if (excess > satisfied * size && excess > worst) {
        worst = excess;
        worst_size = size;
        normal = n;
        offset = b;
      }
    }
    if (!(worst > 0)) break;
    if (!take_in(active, normal, offset, y)) {
      if (worst > empty * worst_size) return {p, INFINITY};
      break;
    }
    y = active.solve();
  }
  return {p + y, length(y)};
}

template<int K>
ClosestPoint nearest_in_kdop(const Vec3& p, const Kdop<K>& kdop) {
  for (std::size_t i = 0; i < Kdop<K>::slabs; ++i) {
    if (!(kdop.min[i] <= kdop.max[i])) return {p, INFINITY};
  }
  return nearest(p, K, [&](std::size_t i) {
    const Vec3 d = Kdop<K>::directions()[i / 2];
    return i % 2 == 0 ? HalfSpace{d, kdop.max[i / 2]} : HalfSpace{-d, -kdop.min[i / 2]};
  });
}

} // namespace

ClosestPoint closest_point(const Vec3& p, const ConvexPolyhedron& polyhedron) {
  return nearest(p, polyhedron.faces.size(), [&](std::size_t i) { return polyhedron.faces[i]; });
}
ClosestPoint closest_point(const Vec3& p, const Kdop6& kdop) {
  return nearest_in_kdop(p, kdop);
}
ClosestPoint closest_point(const Vec3& p, const Kdop14& kdop) {
  return nearest_in_kdop(p, kdop);
}
ClosestPoint closest_point(const Vec3& p, const Kdop18& kdop) {
  return nearest_in_kdop(p, kdop);
}
ClosestPoint closest_point(const Vec3& p, const Kdop26& kdop) {
  return nearest_in_kdop(p, kdop);
}

} // namespace carom
