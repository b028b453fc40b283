// The search of Gilbert, Johnson and Keerthi once more, in exact numbers. There it needs no tolerance and no care: each step comes strictly nearer, there are finitely many simplices, and the
// last of them has the nearest point, or the origin.
//
// The point of a simplex nearest to the origin is a mixture of some of its corners p_i, and Johnson's determinants are the weights: D_i(S) for a set S of corners, with D_i({i}) = 1 and
//   D_j(S + j) = sum over i in S of D_i(S) (p_i . p_k - p_i . p_j),   k any corner of S.
// The right S is the one where all D_i(S) are positive and all D_j(S + j) are not. Corners are never in one flat with the others: what is added is strictly nearer along a
// direction in which all of S is level.
//
// Points, and boxes along the axes, need no search to tell that they meet: they do where their intervals along each axis do.
//
// The corners of a box off its frame's centre are sums of two doubles. Seen from its centre they are doubles: so the centres go into the translation, which is a sum anyway.
//
// Range. Coordinates are multiples of 2^-152 below 2^103, all polynomials of degree 6 at most: expansions are exact (math/expansion.h).
#include "carom/query/exact_cores.h"

#include "carom/math/expansion.h"
#include "carom/math/predicates.h"
#include "carom/math/tolerance.h"

#include <array>
#include <bit>
#include <initializer_list>
#include <optional>
#include <span>

namespace carom {
namespace {

using Number = Expansion<expansion::max_terms>;
using Row = predicate::Row3<Number>;

/// Each step adds a corner. No pair is known that takes a fifth of it.
constexpr int max_steps = 128;

Number dot(const Row& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vec3 estimate(const Row& v) { return {v.x.estimate(), v.y.estimate(), v.z.estimate()}; }

/// Whether each column is an axis, or opposite to one.
bool is_exact(const Mat3& m) {
  const auto is_axis = [](const Vec3& v) {
    return (v.x == 0) + (v.y == 0) + (v.z == 0) == 2 && max_abs(v) == 1;
  };
  return is_axis(m.x) && is_axis(m.y) && is_axis(m.z);
}

/// A box along the axes of its frame, or a point.
struct Extent {
  Vec3 center, half;
};
std::optional<Extent> extent_of(const ShapeCore& core) {
  if (const auto* p = std::get_if<Vec3>(&core)) return Extent{*p, {}};
  const auto* box = std::get_if<Obb>(&core);
  if (!box || !(box->axes == Mat3::identity())) return {};
  return Extent{box->center, box->half};
}

/// The transpose of a matrix of quarter turns, times v.
Row turned(const Mat3& m, const Row& v) { return {dot(v, m.x), dot(v, m.y), dot(v, m.z)}; }

Row operator+(const Row& v, const Vec3& w) {
  return {v.x + Number(w.x), v.y + Number(w.y), v.z + Number(w.z)};
}

/// From A's position to B's, in A's frame.
Row translation_of(const CorePair& pair) {
  const Vec3& from = pair.frame_a().origin;
  const Vec3& to = pair.frame_b().origin;
  return turned(pair.frame_a().basis,
                {exact_difference(to.x, from.x), exact_difference(to.y, from.y),
                 exact_difference(to.z, from.z)});
}

/// False where one of the cores is none of these, or they do not meet.
bool extents_meet(const CorePair& pair, const Row& translation) {
  const std::optional<Extent> a = extent_of(pair.core_a());
  const std::optional<Extent> b = extent_of(pair.core_b());
  if (!a || !b) return false;
  const Vec3 center = pair.b_in_a().direction_to_world(b->center);
  const Vec3 half = abs(pair.b_in_a().direction_to_world(b->half));
  const Number* along[3] = {&translation.x, &translation.y, &translation.z};
  for (int i = 0; i < 3; ++i) {
    const Number apart = exact_difference(center[i], a->center[i]) + *along[i];
    const auto reach = exact_sum(a->half[i], half[i]);
    if ((reach - apart).sign() < 0 || (reach + apart).sign() < 0) return false;
  }
  return true;
}

/// The corners of a core in its own frame.
class Corners {
public:
  explicit Corners(const ShapeCore& core) {
    if (const auto* p = std::get_if<Vec3>(&core)) take({*p});
    if (const auto* s = std::get_if<Segment>(&core)) take({s->a, s->b});
    if (const auto* t = std::get_if<Triangle>(&core)) take({t->a, t->b, t->c});
    if (const auto* b = std::get_if<Obb>(&core)) take_box(*b);
    if (const auto* p = std::get_if<Polytope>(&core)) all_ = p->vertices();
  }
  Corners(const Corners&) = delete;
  Corners& operator=(const Corners&) = delete;

  /// As seen from the origin below. None where the core has no corners, or they are no doubles even so.
  [[nodiscard]] std::span<const Vec3> all() const { return all_; }
  /// The centre of a box; 0 of other cores.
  [[nodiscard]] const Vec3& origin() const { return origin_; }

  /// The farthest along d.
  [[nodiscard]] Vec3 farthest(const Row& d) const {
    const Vec3 rough = estimate(d);
    const Vec3* best = &all_[0];
    std::optional<Number> best_reach;
    for (const Vec3& p : all_.subspan(1)) {
      // Mostly a look is enough; the error is that of a dot product of numbers of these sizes.
      const Vec3 farther = p - *best;
      const double error = 16 * tolerance::epsilon * carom::dot(abs(rough), abs(p) + abs(*best));
      const double gain = carom::dot(rough, farther);
      if (gain < -error) continue;
      if (gain <= error) {
        if (!best_reach) best_reach = dot(d, *best);
        Number reach = dot(d, p);
        if ((reach - *best_reach).sign() <= 0) continue;
        best_reach = reach;
      } else {
        best_reach.reset();
      }
      best = &p;
    }
    return *best;
  }

private:
  void take(std::initializer_list<Vec3> corners) {
    std::size_t n = 0;
    for (const Vec3& p : corners) few_[n++] = p;
    all_ = std::span(few_).first(n);
  }
  void take_box(const Obb& box) {
    if (!is_exact(box.axes)) return;
    origin_ = box.center;
    const Obb centered{{}, box.axes, box.half};
    for (int i = 0; i < 8; ++i) few_[static_cast<std::size_t>(i)] = centered.corner(i);
    all_ = few_;
  }

  std::array<Vec3, 8> few_;
  std::span<const Vec3> all_;
  Vec3 origin_;
};

/// Up to four corners of A - B, never in one flat.
class ExactSimplex {
public:
  struct Corner {
    Vec3 on_a, on_b; ///< each in its own frame, from its origin
    Row difference;  ///< in A's
  };

  void add(const Corner& c) { corners_[count_++] = c; }
  /// Leaves the corners that carry the point nearest to the origin, and finds their weights.
  void reduce();

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] const Corner& operator[](std::size_t i) const { return corners_[i]; }
  [[nodiscard]] double weight(std::size_t i) const { return weights_[i].estimate(); }
  /// The nearest point times the sum of all weights.
  [[nodiscard]] Row nearest() const {
    Row v;
    for (std::size_t i = 0; i < count_; ++i) {
      const Row& p = corners_[i].difference;
      v = {v.x + weights_[i] * p.x, v.y + weights_[i] * p.y, v.z + weights_[i] * p.z};
    }
    return v;
  }

private:
  void find_products();
  void find_determinants();
  [[nodiscard]] bool carries(unsigned set) const;

  std::array<Corner, 4> corners_;
  std::array<Number, 4> weights_;
  std::size_t count_ = 0;
  Number product_[4][4];      ///< of all differences with each other
  Number determinant_[16][4]; ///< D_i(S), S by its bits
};

void ExactSimplex::find_products() {
  for (std::size_t i = 0; i < count_; ++i) {
    for (std::size_t j = i; j < count_; ++j) {
      const Row& p = corners_[i].difference;
      const Row& q = corners_[j].difference;
      product_[i][j] = product_[j][i] = p.x * q.x + p.y * q.y + p.z * q.z;
    }
  }
}

void ExactSimplex::find_determinants() {
  for (std::size_t i = 0; i < count_; ++i) determinant_[1u << i][i] = 1.0;
  for (unsigned set = 1; set < 1u << count_; ++set) {
    const auto k = static_cast<std::size_t>(std::countr_zero(set));
    for (std::size_t j = 0; j < count_; ++j) {
      if (set >> j & 1) continue;
      Number sum;
      for (std::size_t i = 0; i < count_; ++i) {
        if (set >> i & 1) sum = sum + determinant_[set][i] * (product_[i][k] - product_[i][j]);
      }
      determinant_[set | 1u << j][j] = sum;
    }
  }
}

bool ExactSimplex::carries(unsigned set) const {
  for (std::size_t i = 0; i < count_; ++i) {
    const bool in = set >> i & 1;
    if ((determinant_[set | 1u << i][i].sign() > 0) != in) return false;
  }
  return true;
}

void ExactSimplex::reduce() {
  find_products();
  find_determinants();
  unsigned set = 1;
  while (set < (1u << count_) - 1 && !carries(set)) ++set;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    if (!(set >> i & 1)) continue;
    if (kept != i) corners_[kept] = corners_[i];
    weights_[kept++] = determinant_[set][i];
  }
  count_ = kept;
}

/// The search, in A's frame.
class ExactSearch {
public:
  /// `translation`: from A's position to B's.
  ExactSearch(const CorePair& pair, const Corners& a, const Corners& b, const Row& translation)
      : pair_(pair), a_(a), b_(b),
        translation_(translation + pair.b_in_a().direction_to_world(b.origin()) + -a.origin()) {}

  /// False where it takes too long.
  bool run(CoreDistance& found) {
    simplex_.add(corner_toward({found.axis.x, found.axis.y, found.axis.z}));
    for (int step = 0; step < max_steps; ++step) {
      simplex_.reduce();
      const Row v = simplex_.nearest();
      if (estimate(v) == Vec3{}) return answer({}, found);
      const ExactSimplex::Corner w = corner_toward({-v.x, -v.y, -v.z});
      ++found.iterations;
      const Row& p = simplex_[0].difference;
      const Row& q = w.difference;
      const Number nearer = v.x * (p.x - q.x) + v.y * (p.y - q.y) + v.z * (p.z - q.z);
      if (nearer.sign() <= 0) return answer(estimate(v), found);
      simplex_.add(w);
    }
    return false;
  }

private:
  [[nodiscard]] ExactSimplex::Corner corner_toward(const Row& d) const {
    const Vec3 on_a = a_.farthest(d);
    const Vec3 on_b = b_.farthest(turned(pair_.b_in_a().basis, {-d.x, -d.y, -d.z}));
    const Vec3 b = pair_.b_in_a().direction_to_world(on_b);
    return {on_a,
            on_b,
            {exact_difference(on_a.x, b.x) - translation_.x,
             exact_difference(on_a.y, b.y) - translation_.y,
             exact_difference(on_a.z, b.z) - translation_.z}};
  }

  /// v is the nearest point times the sum of the weights.
  bool answer(const Vec3& v, CoreDistance& found) const {
    double whole = 0;
    for (std::size_t i = 0; i < simplex_.count(); ++i) whole += simplex_.weight(i);
    found.on_a = a_.origin();
    found.on_b = b_.origin();
    for (std::size_t i = 0; i < simplex_.count(); ++i) {
      const double share = simplex_.weight(i) / whole;
      found.on_a += simplex_[i].on_a * share;
      found.on_b += simplex_[i].on_b * share;
    }
    found.between = v / -whole;
    found.upper = length(found.between);
    found.lower = found.upper * (1 - 16 * tolerance::epsilon);
    found.axis = normalized_or(found.between, found.axis);
    found.sure = found.upper == 0;
    return found.answered = true;
  }

  const CorePair& pair_;
  const Corners &a_, &b_;
  Row translation_; ///< from the one origin to the other
  ExactSimplex simplex_;
};

} // namespace

void settle(const CorePair& pair, CoreDistance& found) {
  const bool open = found.lower <= 0 && !found.sure;
  if (!open || !is_exact(pair.frame_a().basis) || !is_exact(pair.frame_b().basis)) return;
  const Row translation = translation_of(pair);
  if (extents_meet(pair, translation)) {
    found.upper = 0;
    found.between = {};
    found.answered = found.sure = true;
    return;
  }
  const Corners a(pair.core_a());
  const Corners b(pair.core_b());
  if (a.all().empty() || b.all().empty()) return;
  CoreDistance exact = found;
  if (ExactSearch(pair, a, b, translation).run(exact)) found = exact;
}

} // namespace carom
