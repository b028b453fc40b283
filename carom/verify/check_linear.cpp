// Everything is a sum of products of doubles, so expansions (math/expansion.h) have its exact sign. Coordinates are multiples of 2^-200, times of 2^-62, or of 2^-122 where intervals are halved here for the
// volume, of three factors: 3 (200 + 122) < 1074. The planes through edges have four, and are halved less.
//
// A polynomial in time is positive where all its coefficients are, written by t^i (1 - t)^(n - i) with t from 0 to 1 along the interval; where they are not, the interval is halved.
#include "carom/verify/check_linear.h"

#include "carom/math/expansion.h"

#include <vector>

namespace carom::verify {
namespace {

using std::size_t;
using Number = Expansion<expansion::max_terms>;
using Coefficients = std::vector<Number>;

struct Vector {
  Number x, y, z;
};
Vector operator+(const Vector& a, const Vector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Number dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vector cross(const Vector& a, const Vector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// x[b] - x[a] at time t.
Vector difference(const LinearQuery& q, size_t a, size_t b, double t) {
  const auto along = [&](int k) -> Number {
    const Number at_0 = exact_difference(q.points[b].from[k], q.points[a].from[k]);
    const Number at_1 = exact_difference(q.points[b].to[k], q.points[a].to[k]);
    return at_0 * exact_difference(1, t) + at_1 * t;
  };
  return {along(0), along(1), along(2)};
}

/// A difference at both ends of an interval.
struct Moving {
  Vector at_0, at_1;

  Moving(const LinearQuery& q, size_t a, size_t b, double from, double to)
      : at_0(difference(q, a, b, from)), at_1(difference(q, a, b, to)) {}
};

std::array<Vector, 3> product(const Moving& a, const Moving& b) {
  return {cross(a.at_0, b.at_0), cross(a.at_0, b.at_1) + cross(a.at_1, b.at_0),
          cross(a.at_1, b.at_1)};
}
Coefficients product(const Moving& a, const std::array<Vector, 3>& n) {
  return {dot(a.at_0, n[0]), dot(a.at_0, n[1]) + dot(a.at_1, n[0]),
          dot(a.at_0, n[2]) + dot(a.at_1, n[1]), dot(a.at_1, n[2])};
}
Coefficients product(const std::array<Vector, 3>& m, const std::array<Vector, 3>& n) {
  return {dot(m[0], n[0]), dot(m[0], n[1]) + dot(m[1], n[0]),
          dot(m[0], n[2]) + dot(m[1], n[1]) + dot(m[2], n[0]), dot(m[1], n[2]) + dot(m[2], n[1]),
          dot(m[2], n[2])};
}

Coefficients volume(const LinearQuery& q, double from, double to) {
  return product(Moving(q, 0, 1, from, to),
                 product(Moving(q, 0, 2, from, to), Moving(q, 0, 3, from, to)));
}

/// How far point `end` of the other part is on the far side of an edge, times the length of what the plane is made of.
Coefficients far_side(const LinearQuery& q, int edge, size_t end, double from, double to) {
  const auto i = static_cast<size_t>(edge);
  if (q.first_part == 1) {
    const auto normal = product(Moving(q, 1, 2, from, to), Moving(q, 1, 3, from, to));
    const size_t a = 1 + i;
    const size_t b = 1 + (i + 1) % 3;
    // The far side of a b is to its right, seen against the normal.
    return product(normal, product(Moving(q, 0, b, from, to), Moving(q, 0, a, from, to)));
  }
  const auto normal = product(Moving(q, 0, 1, from, to), Moving(q, 2, 3, from, to));
  const size_t own = 2 * i;
  const size_t other = 2 - own;
  return product(normal,
                 product(Moving(q, own, own + 1, from, to), Moving(q, own, other + end, from, to)));
}

/// Whether the polynomial has the sign given in [from, to), and where `closed` at `to`. Halved where the coefficients do not tell.
template<class Polynomial>
bool has_sign(int sign, double from, double to, bool closed, const Polynomial& polynomial,
              int halvings) {
  const Coefficients c = polynomial(from, to);
  if (c.front().sign() != sign) return false;
  bool all = !closed || c.back().sign() == sign;
  for (const Number& x : c) all = all && x.sign() * sign >= 0;
  if (all) return true;
  const double middle = 0.5 * (from + to);
  if (halvings == 0 || !(from < middle && middle < to)) return false;
  return has_sign(sign, from, middle, false, polynomial, halvings - 1) &&
         has_sign(sign, middle, to, closed, polynomial, halvings - 1);
}

bool check_fixed(const LinearQuery& q, const LinearClaim& claim, bool closed) {
  const Vec3& n = claim.direction;
  for (int k = 0; k < 3; ++k)
    if (!(n[k] == 0 || (std::fabs(n[k]) > 0x1p-110 && std::fabs(n[k]) < 0x1p110))) return false;
  // 2 sqrt(3) < 3.4642: each of two points may be off by the diagonal of a cube.
  const Number distance = Number(q.separation) + exact_product(3.4642, q.input_error);
  const Number square =
      distance * distance *
      (exact_product(n.x, n.x) + exact_product(n.y, n.y) + exact_product(n.z, n.z));
  const auto first = static_cast<size_t>(q.first_part);
  for (size_t a = 0; a < first; ++a)
    for (size_t b = first; b < 4; ++b)
      for (const double t : {claim.from, claim.to}) {
        const Vector d = difference(q, a, b, t);
        const Number gap = d.x * n.x + d.y * n.y + d.z * n.z;
        const int excess = (gap * gap - square).sign();
        const bool enough = excess > 0 || (excess == 0 && t == claim.to && !closed);
        if (gap.sign() < 0 || !enough) return false;
      }
  return true;
}

bool check_claim(const LinearQuery& q, const LinearClaim& claim, bool closed) {
  const auto keeps = [&](int sign, const auto& polynomial) {
    const int halvings = claim.kind == LinearClaim::Kind::volume ? 60 : 6;
    return sign != 0 && has_sign(sign, claim.from, claim.to, closed, polynomial, halvings);
  };
  if (claim.kind == LinearClaim::Kind::fixed) return check_fixed(q, claim, closed);
  if (q.separation > 0 || q.input_error > 0) return false;
  if (claim.kind == LinearClaim::Kind::volume) {
    const auto polynomial = [&](double from, double to) { return volume(q, from, to); };
    return keeps(polynomial(claim.from, claim.to).front().sign(), polynomial);
  }
  if (claim.edge < 0 || claim.edge > (q.first_part == 1 ? 2 : 1)) return false;
  const auto side = [&](size_t end) {
    return [&q, &claim, end](double from, double to) {
      return far_side(q, claim.edge, end, from, to);
    };
  };
  if (q.first_part == 1) return keeps(1, side(0));
  const int sign = side(0)(claim.from, claim.to).front().sign();
  return keeps(sign, side(0)) && keeps(sign, side(1));
}

} // namespace

LinearQuery linear_query(const MovingPoint& vertex, const MovingFace& face) {
  return {{vertex, face[0], face[1], face[2]}, 1, 0, 0};
}
LinearQuery linear_query(const MovingEdge& a, const MovingEdge& b) {
  return {{a[0], a[1], b[0], b[1]}, 2, 0, 0};
}

Verdict check_linear_proof(const LinearQuery& query, const LinearImpact& impact,
                           const LinearImpactProof& proof) {
  double covered = 0;
  for (const LinearClaim& claim : proof.claims) {
    if (claim.from != covered || !(claim.to > claim.from) || !(claim.to <= 1))
      return Verdict::off("the claims leave a gap at", covered);
    for (const double t : {claim.from, claim.to})
      if (std::floor(t * 0x1p62) != t * 0x1p62) return Verdict::off("not a time of the grid:", t);
    const bool closed = claim.to == 1 && !impact.hit;
    if (!check_claim(query, claim, closed))
      return Verdict::off("a claim does not hold, from", claim.from);
    covered = claim.to;
  }
  const double end = impact.hit ? impact.t : 1;
  if (proof.complete && covered != end) return Verdict::off("the claims end at", covered);
  return Verdict::yes();
}

Verdict check_linear_contact(const LinearQuery& query, const LinearImpact& impact,
                             double tolerance) {
  if (!impact.hit) return Verdict::yes();
  if (!(0 <= impact.t && impact.t <= impact.t_upper && impact.t_upper <= 1))
    return Verdict::off("the times are not in order at", impact.t);
  if (!is_unit(impact.normal)) return Verdict::no("the normal is not of unit length");
  std::array<Vec3, 2> at{};
  std::array<double, 2> sum{};
  for (size_t i = 0; i < 4; ++i) {
    const size_t part = static_cast<int>(i) < query.first_part ? 0 : 1;
    const double w = impact.weight[i];
    if (!(w >= -1e-15)) return Verdict::off("a negative weight:", w);
    sum[part] += w;
    // Relative to the first point: its motion need not be small.
    const Vec3 a = query.points[i].from - query.points[0].from;
    const Vec3 b = query.points[i].to - query.points[0].to;
    at[part] += lerp(a, b, impact.t) * w;
  }
  for (const double s : sum)
    if (!(std::fabs(s - 1) <= 1e-14)) return Verdict::off("weights that add up to", s);
  const double apart = carom::distance(at[0], at[1]);
  if (!(apart <= query.separation + 3.4642 * query.input_error + tolerance))
    return Verdict::off("the points are apart by", apart);
  const Vec3 place = lerp(query.points[0].from, query.points[0].to, impact.t) + at[0];
  const double off = carom::distance(impact.point, place);
  if (!(off <= tolerance + 1e-15 * max_abs(place))) return Verdict::off("the point is off by", off);
  return Verdict::yes();
}

} // namespace carom::verify
