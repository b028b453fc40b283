// Why nothing touches before the first contact, as a list of claims that somebody else can check.
//
// An interval of time is tried whole, and halved where no claim holds all over it. Tried are the directions between the nearest points in its middle and at its ends (decided exactly: near a
// contact the gaps are tiny); the volume, whose roots are known exactly; and the planes through edges, in doubles with error bounds.
#include "carom/math/expansion.h"
#include "carom/motion/four_points.h"

#include <algorithm>

namespace carom {

namespace {

using std::size_t;

constexpr size_t most_claims = 1000;
/// Intervals are not halved below this.
constexpr double shortest = 0x1p-52;

using Number = Expansion<expansion::max_terms>;

/// A quadratic vector, by its Bernstein coefficients.
struct MovingNormal {
  Vec3 c0, c1, c2;

  MovingNormal(const Vec3& u0, const Vec3& u1, const Vec3& v0, const Vec3& v1)
      : c0(cross(u0, v0)), c1((cross(u0, v1) + cross(u1, v0)) * 0.5), c2(cross(u1, v1)) {}
};

/// 1 or -1 where m . n surely has that sign from one end to the other. Both are at most 24 S^2 long.
int sign_of_product(const MovingNormal& m, const MovingNormal& n, double size) {
  const std::array<double, 5> c{dot(m.c0, n.c0), 0.5 * (dot(m.c0, n.c1) + dot(m.c1, n.c0)),
                                (dot(m.c0, n.c2) + 4 * dot(m.c1, n.c1) + dot(m.c2, n.c0)) / 6,
                                0.5 * (dot(m.c1, n.c2) + dot(m.c2, n.c1)), dot(m.c2, n.c2)};
  const auto [low, high] = std::minmax({c[0], c[1], c[2], c[3], c[4]});
  const double error = 0x1p-41 * size * size * size * size;
  return low > error ? 1 : high < -error ? -1 : 0;
}

class Prover {
public:
  Prover(const FourPoints& points, double distance, bool hit, LinearImpactProof& proof)
      : points_(points), distance_(distance), hit_(hit), size_(reach(points)), proof_(proof) {
    if (distance_ == 0) planes_ = plane_times(points);
  }

  void run(double end) {
    struct Span {
      double from, to;
    };
    std::array<Span, 64> waiting{};
    int count = 0;
    if (end > 0) waiting[static_cast<size_t>(count++)] = {0, end};
    while (count > 0) {
      const Span span = waiting[static_cast<size_t>(--count)];
      if (proof_.claims.size() >= most_claims) return;
      if (prove(span.from, span.to)) continue;
      const double middle = std::floor(0.5 * (span.from + span.to) * 0x1p62) * 0x1p-62;
      if (span.to - span.from < shortest || count + 2 > 64) return;
      waiting[static_cast<size_t>(count++)] = {middle, span.to};
      waiting[static_cast<size_t>(count++)] = {span.from, middle};
    }
    proof_.complete = true;
  }

private:
  bool prove(double from, double to) {
    for (const double t : {0.5 * (from + to), to, from})
      if (prove_fixed(from, to, t)) return true;
    if (distance_ > 0) return false;
    if (never_in_plane(from, to)) {
      proof_.claims.push_back({LinearClaim::Kind::volume, from, to, {}, 0});
      return true;
    }
    return points_.first == 1 ? prove_beyond_face(from, to) : prove_beyond_edge(from, to);
  }

  /// The direction between the nearest points at t. It is off by a rounding over the distance, and near a contact that is too much for an edge that passes close to it: then the
  /// directions at right angles to each edge, however short, through the point of the other part.
  bool prove_fixed(double from, double to, double t) {
    const auto x = points_.around_first(t);
    const NearestParts n = nearest_parts(x, points_.first);
    const Vec3 between = n.on_second - n.on_first;
    if (separates(from, to, between)) return true;
    const auto beside = [&](size_t a, size_t b) {
      const Vec3 edge = x[b] - x[a];
      return separates(from, to, cross(cross(edge, between), edge));
    };
    return points_.first == 1 ? beside(1, 2) || beside(2, 3) || beside(3, 1)
                              : beside(0, 1) || beside(2, 3);
  }

  bool separates(double from, double to, const Vec3& along) {
    Vec3 direction = normalized_or(along, {});
    for (int k = 0; k < 3; ++k)
      if (std::fabs(direction[k]) < 0x1p-100) direction[k] = 0; // keeps the products in range
    for (size_t a = 0; a < static_cast<size_t>(points_.first); ++a)
      for (auto b = static_cast<size_t>(points_.first); b < 4; ++b)
        if (!clears(direction, a, b, from, true) || !clears(direction, a, b, to, is_end(to)))
          return false;
    proof_.claims.push_back({LinearClaim::Kind::fixed, from, to, direction, 0});
    return true;
  }

  /// The end of a miss, which is to be free of contact itself.
  [[nodiscard]] bool is_end(double t) const { return t == 1 && !hit_; }

  /// Whether the gap between two points is more than the distance, or where not `strictly`, not less.
  [[nodiscard]] bool clears(const Vec3& direction, size_t a, size_t b, double t,
                            bool strictly) const {
    const auto difference = [&](const std::array<Vec3, 4>& x) { return x[b] - x[a]; };
    const double rough = dot(direction, lerp(difference(points_.from), difference(points_.to), t));
    const double needed = distance_ * (1 + 0x1p-48);
    if (rough > needed + 0x1p-44 * size_) return true;
    if (rough < needed - 0x1p-44 * size_ || distance_ > 0) return false;
    Number gap;
    for (int k = 0; k < 3; ++k) {
      const Number at_0 = exact_difference(points_.from[b][k], points_.from[a][k]);
      const Number at_1 = exact_difference(points_.to[b][k], points_.to[a][k]);
      gap = gap + (at_0 * exact_difference(1, t) + at_1 * t) * direction[k];
    }
    return gap.sign() > 0 || (!strictly && gap.sign() == 0);
  }

  [[nodiscard]] bool never_in_plane(double from, double to) const {
    if (planes_.always || (planes_.at_start && from == 0) || (planes_.at_end && is_end(to)))
      return false;
    for (size_t i = 0; i < static_cast<size_t>(planes_.count); ++i)
      if (planes_.lo[i] < to && planes_.hi[i] >= from) return false;
    return true;
  }

  /// Beyond an edge of the face.
  bool prove_beyond_face(double from, double to) {
    const auto x = points_.around_first(from);
    const auto y = points_.around_first(to);
    const MovingNormal normal(x[2] - x[1], y[2] - y[1], x[3] - x[1], y[3] - y[1]);
    for (size_t i = 0; i < 3; ++i) {
      const size_t a = 1 + i;
      const size_t b = 1 + (i + 1) % 3;
      if (sign_of_product(normal, MovingNormal(x[a], y[a], x[b], y[b]), size_) >= 0) continue;
      proof_.claims.push_back({LinearClaim::Kind::beyond, from, to, {}, static_cast<int>(i)});
      return true;
    }
    return false;
  }

  /// Beside one of the edges.
  bool prove_beyond_edge(double from, double to) {
    const auto x = points_.around_first(from);
    const auto y = points_.around_first(to);
    const MovingNormal normal(x[1], y[1], x[3] - x[2], y[3] - y[2]);
    for (size_t i = 0; i < 2; ++i) {
      const size_t own = 2 * i;
      const size_t other = 2 - own;
      const auto side = [&](size_t end) {
        return sign_of_product(normal,
                               MovingNormal(x[own + 1] - x[own], y[own + 1] - y[own],
                                            x[other + end] - x[own], y[other + end] - y[own]),
                               size_);
      };
      if (side(0) * side(1) <= 0) continue;
      proof_.claims.push_back({LinearClaim::Kind::beyond, from, to, {}, static_cast<int>(i)});
      return true;
    }
    return false;
  }

  const FourPoints& points_;
  double distance_;
  bool hit_;
  double size_;
  LinearImpactProof& proof_;
  PlaneTimes planes_;
};

} // namespace

void prove_no_contact(const FourPoints& points, const LinearImpact& impact,
                      const LinearOptions& options, LinearImpactProof& proof) {
  proof = {};
  Prover(points, options.separation + 3.4642 * options.input_error, impact.hit, proof)
      .run(impact.t);
}

} // namespace carom
