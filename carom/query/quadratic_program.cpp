// The point of least norm in the hull of all differences b - a (Wolfe 1976): an active-set method. The active set, the corral, is up to four differences
// whose flat comes nearest to the origin within their hull, at x. The optimality condition: no difference is nearer to the origin along x than x
// itself. While one is, the vertices that violate it most join; then x moves toward the point of least norm of the new flat, and whenever a
// weight becomes zero on the way, its difference leaves. x gets shorter each time, so no corral comes twice.
//
// The most violating difference is made of the vertices of A and B that are farthest along x and against it, so that both are scanned, and
// never all pairs.
//
// In doubles x need not get shorter: a step by which it turns from a vertex a little along an edge changes its length by the square of that. So as long as it gets no longer, the
// search goes on, for a bounded number of steps. It may still stall before the bounds agree; then the slow search takes over.
#include "carom/query/quadratic_program.h"

#include "carom/math/solve3.h"
#include "carom/query/rounded.h"

#include <algorithm>
#include <array>
#include <vector>

namespace carom {
namespace {

using Corner = PolytopePair::Corner;

/// Ordinary pairs take about ten steps. More means that doubles turn in circles.
constexpr int max_steps = 64;

struct Corral {
  std::array<Corner, 4> corner{};
  std::array<double, 4> weight{};
  std::size_t size = 0;

  [[nodiscard]] Vec3 point() const {
    Vec3 x;
    for (std::size_t i = 0; i < size; ++i) x += corner[i].difference * weight[i];
    return x;
  }
  void drop(std::size_t i) {
    std::copy(corner.begin() + static_cast<std::ptrdiff_t>(i) + 1, corner.end(),
              corner.begin() + static_cast<std::ptrdiff_t>(i));
    std::copy(weight.begin() + static_cast<std::ptrdiff_t>(i) + 1, weight.end(),
              weight.begin() + static_cast<std::ptrdiff_t>(i));
    --size;
  }
  [[nodiscard]] bool has(const Corner& c) const {
    return std::any_of(corner.begin(), corner.begin() + static_cast<std::ptrdiff_t>(size),
                       [&](const Corner& o) { return o.a == c.a && o.b == c.b; });
  }
};

/// The point of least norm of the flat through the corral's differences: its weights (which add up to 1, and may be negative), and itself.
struct FlatPoint {
  std::array<double, 4> weight{};
  Vec3 point;
  bool found = false; ///< not where the differences lie in a smaller flat, to within rounding
};

FlatPoint least_of_flat(const Corral& c) {
  FlatPoint f;
  const Vec3 p = c.corner[0].difference;
  std::array<Vec3, 3> e{};
  for (std::size_t i = 1; i < c.size; ++i) e[i - 1] = c.corner[i].difference - p;
  if (c.size == 1) {
    f.point = p;
  } else if (c.size == 2) {
    f.weight[1] = -dot(p, e[0]) / dot(e[0], e[0]);
    f.point = p + e[0] * f.weight[1];
    // Once more at right angles: where the point is much shorter than p, rounding has turned it.
    f.point -= e[0] * (dot(f.point, e[0]) / dot(e[0], e[0]));
  } else if (c.size == 3) {
    const Vec3 n = cross(e[0], e[1]);
    const double whole = dot(n, n);
    f.weight[1] = dot(cross(e[1], p), n) / whole;
    f.weight[2] = dot(cross(p, e[0]), n) / whole;
    // Along the normal, and not summed up from the weights: those of thin triangles lose bits.
    f.point = n * (dot(p, n) / whole);
  } else {
    // All of space: the least is 0.
    const Vec3 t = solve(Mat3{e[0], e[1], e[2]}, -p).x;
    f.weight = {0, t.x, t.y, t.z};
  }
  f.weight[0] = 1 - f.weight[1] - f.weight[2] - f.weight[3];
  const double sum = std::fabs(f.weight[0]) + std::fabs(f.weight[1]) + std::fabs(f.weight[2]) +
                     std::fabs(f.weight[3]);
  f.found = sum < INFINITY;
  return f;
}

class Program {
public:
  explicit Program(const PolytopePair& pair) : pair_(pair) {
    b_.reserve(pair.b().vertices().size());
    for (const Vec3& v : pair.b().vertices()) b_.push_back(pair.b_in_a().to_world(v));
    corral_.corner[0] = scan(Vec3{});
    corral_.weight[0] = 1;
    corral_.size = 1;
    x_ = corral_.corner[0].difference;
  }

  /// True where the bounds agree.
  bool run() {
    for (steps_ = 1; steps_ <= max_steps; ++steps_) {
      upper_ = length(x_);
      if (upper_ <= pair_.rounding()) return true;
      const Vec3 n = x_ / upper_;
      const Corner c = scan(n);
      lower_ = dot(n, c.difference);
      if (upper_ - lower_ <= pair_.rounding()) return true;
      const Corral before = corral_;
      const Vec3 x_before = x_;
      if (corral_.size == 4 || corral_.has(c)) return stalled();
      corral_.corner[corral_.size] = c;
      corral_.weight[corral_.size++] = 0;
      if (!settle_weights() || !(length(x_) <= upper_ + pair_.rounding())) {
        corral_ = before;
        x_ = x_before;
        return stalled();
      }
    }
    return false;
  }

  [[nodiscard]] int steps() const { return steps_; }

  [[nodiscard]] Distance answer() const {
    const PolytopePair::Points points = pair_.points(std::span(corral_.corner).first(corral_.size),
                                                     std::span(corral_.weight).first(corral_.size));
    Distance d;
    d.iterations = steps_;
    d.on_a = points.on_a;
    d.on_b = points.on_b;
    if (upper_ <= pair_.rounding()) {
      d.on_a = d.on_b = (points.on_a + points.on_b) * 0.5;
      return d;
    }
    d.value = upper_;
    d.lower_bound = std::clamp(lower_ - pair_.rounding(), 0.0, d.value);
    d.normal = pair_.frame_a().direction_to_world(x_ / upper_);
    return d;
  }

  /// Whether the weights make the point: those of a flat tetrahedron, or of a thin triangle, may not.
  [[nodiscard]] bool consistent() const {
    return max_abs(corral_.point() - x_) <= pair_.rounding();
  }

private:
  /// Doubles get no further. What is within a few roundings will do: the slow search would not gain more.
  [[nodiscard]] bool stalled() const { return upper_ - lower_ <= pair_.agreement(); }

  /// The vertex of A farthest along n, of B farthest against it; of equals the first.
  [[nodiscard]] Corner scan(const Vec3& n) const {
    const auto farthest = [](std::span<const Vec3> vertices, const Vec3& d) {
      std::size_t best = 0;
      double reach = -INFINITY;
      for (std::size_t i = 0; i < vertices.size(); ++i) {
        const double r = dot(d, vertices[i]);
        if (r > reach) {
          reach = r;
          best = i;
        }
      }
      return best;
    };
    const std::size_t i = farthest(pair_.a().vertices(), n);
    const std::size_t j = farthest(b_, -n);
    return {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j),
            b_[j] - pair_.a().vertices()[i]};
  }

  /// x moves toward the least point of the flat, as far as the weights stay positive; what becomes zero leaves, and again.
  bool settle_weights() {
    while (true) {
      const FlatPoint f = least_of_flat(corral_);
      if (!f.found) return false;
      double way = 1;
      std::size_t first = corral_.size;
      for (std::size_t i = 0; i < corral_.size; ++i) {
        if (f.weight[i] > 0) continue;
        const double until = corral_.weight[i] / (corral_.weight[i] - f.weight[i]);
        if (first == corral_.size || until < way) {
          way = until;
          first = i;
        }
      }
      if (first == corral_.size) {
        corral_.weight = f.weight;
        x_ = f.point;
        return true;
      }
      if (corral_.size == 1 || !(way >= 0)) return false;
      for (std::size_t i = 0; i < corral_.size; ++i)
        corral_.weight[i] += (f.weight[i] - corral_.weight[i]) * way;
      corral_.drop(first);
    }
  }

  const PolytopePair& pair_;
  std::vector<Vec3> b_; ///< B's vertices in A's frame
  Corral corral_;
  Vec3 x_;
  double upper_ = INFINITY, lower_ = 0;
  int steps_ = 0;
};

} // namespace

Distance distance_by_quadratic_program(const PolytopePair& pair, MethodTrace* trace) {
  Program program(pair);
  if (program.run() && program.consistent()) return program.answer();
  return settled_distance(pair, program.steps(), trace);
}

Distance distance_by_quadratic_program(const Polytope& a, const Pose& pose_a, const Polytope& b,
                                       const Pose& pose_b, MethodTrace* trace) {
  if (trace) *trace = {};
  if (!in_range(pose_a) || !in_range(pose_b)) return {.status = Status::bad_input};
  return distance_by_quadratic_program(PolytopePair(a, pose_a, b, pose_b), trace);
}

} // namespace carom
