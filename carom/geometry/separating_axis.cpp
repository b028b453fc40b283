// Each axis is formed accurately, made a unit vector and used as it stands: see the header for why nothing more is needed.
// The cross products are the only delicate ones. Nearly parallel edges span a face of A - B that is long and thin; an axis that is
// off by an angle d along its length l misses the face by d l. Plain doubles give d = epsilon / sin(angle); accurate_cross gives a few
// epsilon whatever the angle.
#include "carom/geometry/separating_axis.h"

#include "carom/math/expansion.h"
#include "carom/math/tolerance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace carom {
namespace {

struct Range {
  double min = INFINITY, max = -INFINITY;
};

Range project(std::span<const Vec3> vertices, const Vec3& axis) {
  Range r;
  for (const Vec3& v : vertices) {
    const double x = dot(axis, v);
    r.min = std::min(r.min, x);
    r.max = std::max(r.max, x);
  }
  return r;
}

double greatest_coordinate(std::span<const Vec3> vertices) {
  double size = 0;
  for (const Vec3& v : vertices) size = std::max(size, max_abs(v));
  return size;
}

Vec3 mean(std::span<const Vec3> vertices) {
  Vec3 sum;
  for (const Vec3& v : vertices) sum += v / static_cast<double>(vertices.size());
  return sum;
}

class Search {
public:
  Search(const PolytopeView& a, const PolytopeView& b, bool stop_at_first)
      : a_(a), b_(b), stop_at_first_(stop_at_first),
        // A dot product of a unit vector has 3 products and 2 sums, each within half an epsilon of the sum of |terms|, at most
        // sqrt(3) sizes: 2.6 epsilon for each of A and B, and the axis may be an epsilon longer than 1.
        slack_(8 * tolerance::epsilon *
               std::max(greatest_coordinate(a.vertices), greatest_coordinate(b.vertices))) {
    best_.depth = INFINITY;
  }

  /// Tries one axis, of any length and sign; true when the search is over.
  bool try_axis(const Vec3& v, AxisKind kind, int feature_a = -1, int feature_b = -1) {
    const double l = length(v);
    if (!(l > 0 && l < INFINITY)) return false;
    const Vec3 n = v / l;
    const Range a = project(a_.vertices, n);
    const Range b = project(b_.vertices, n);
    const double forward = a.max - b.min;
    const double backward = b.max - a.min;
    const double depth = std::min(forward, backward);
    if (!(depth < best_.depth)) return false;
    best_ = {depth < -slack_, backward < forward ? -n : n, depth, kind, feature_a, feature_b};
    return stop_at_first_ && best_.separated;
  }

  [[nodiscard]] const SeparatingAxis& best() const { return best_; }

private:
  const PolytopeView& a_;
  const PolytopeView& b_;
  bool stop_at_first_;
  double slack_;
  SeparatingAxis best_;
};

bool try_normals(Search& search, std::span<const Vec3> normals, AxisKind kind) {
  for (std::size_t i = 0; i < normals.size(); ++i) {
    const int k = static_cast<int>(i);
    if (search.try_axis(normals[i], kind, kind == AxisKind::face_a ? k : -1,
                        kind == AxisKind::face_b ? k : -1)) {
      return true;
    }
  }
  return false;
}

bool try_edges(Search& search, std::span<const Vec3> edges_a, std::span<const Vec3> edges_b) {
  constexpr double parallel = 4 * tolerance::epsilon;
  for (std::size_t i = 0; i < edges_a.size(); ++i) {
    for (std::size_t j = 0; j < edges_b.size(); ++j) {
      const Vec3 axis = accurate_cross({}, edges_a[i], {}, edges_b[j]);
      if (length(axis) <= parallel * length(edges_a[i]) * length(edges_b[j])) continue;
      if (search.try_axis(axis, AxisKind::edges, static_cast<int>(i), static_cast<int>(j))) {
        return true;
      }
    }
  }
  return false;
}

/// b - a exactly: high + low.
struct Difference3 {
  Vec3 high, low;

  Difference3(const Vec3& a, const Vec3& b) {
    for (int i = 0; i < 3; ++i) {
      const TwoDoubles d = two_diff(b[i], a[i]);
      high[i] = d.value;
      low[i] = d.error;
    }
  }
};

/// u_i v_j - u_j v_i to within a few epsilon squared of the products.
double long_minor(const Difference3& u, const Difference3& v, int i, int j) {
  const TwoDoubles p = two_product(u.high[i], v.high[j]);
  const TwoDoubles q = two_product(u.high[j], v.high[i]);
  const TwoDoubles d = two_diff(p.value, q.value);
  const double mixed_p = u.high[i] * v.low[j] + u.low[i] * v.high[j];
  const double mixed_q = u.high[j] * v.low[i] + u.low[j] * v.high[i];
  return d.value + (d.error + ((p.error - q.error) + (mixed_p - mixed_q)));
}

/// The same, exact but for the last rounding.
double exact_minor(const Difference3& u, const Difference3& v, int i, int j) {
  const auto sum = [](const Difference3& d, int k) {
    return Expansion<2>(TwoDoubles{d.high[k], d.low[k]});
  };
  return (sum(u, i) * sum(v, j) - sum(u, j) * sum(v, i)).estimate();
}

} // namespace

SeparatingAxis find_separating_axis(const PolytopeView& a, const PolytopeView& b,
                                    const SeparatingAxisOptions& options) {
  if (a.vertices.empty() || b.vertices.empty()) {
    return {true, {1, 0, 0}, -INFINITY, AxisKind::centers, -1, -1};
  }
  Search search(a, b, options.stop_at_first);
  const bool done = search.try_axis(options.start, AxisKind::start) ||
                    search.try_axis(mean(b.vertices) - mean(a.vertices), AxisKind::centers) ||
                    try_normals(search, a.normals, AxisKind::face_a) ||
                    try_normals(search, b.normals, AxisKind::face_b) ||
                    try_edges(search, a.edges, b.edges);
  // Two points on each other offer no axis at all: then any will do.
  if (!done && search.best().depth == INFINITY) search.try_axis({1, 0, 0}, AxisKind::centers);
  return search.best();
}

Vec3 accurate_cross(const Vec3& u0, const Vec3& u1, const Vec3& v0, const Vec3& v1) {
  const Difference3 u(u0, u1);
  const Difference3 v(v0, v1);
  // Products to twice the length, which is enough but for sides that are parallel to the last bits.
  const Vec3 n{long_minor(u, v, 1, 2), long_minor(u, v, 2, 0), long_minor(u, v, 0, 1)};
  if (max_abs(n) > 0x1p-40 * max_abs(u.high) * max_abs(v.high)) return n;
  return {exact_minor(u, v, 1, 2), exact_minor(u, v, 2, 0), exact_minor(u, v, 0, 1)};
}

} // namespace carom
