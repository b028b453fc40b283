#include "carom/verify/check_cast_shell.h"

#include <vector>

namespace carom::verify {
namespace {

using cast_check::free;
using cast_check::move;
using Real = long double;

// Where the line may go in or out: its ends within the outer sphere, and the roots between, in order.
std::vector<double> places(const StraightPiece& line, const SphericalShell& shell) {
  Real dd = 0, md = 0;
  Real m[3];
  for (int i = 0; i < 3; ++i) {
    m[i] = static_cast<Real>(line.origin[i]) - shell.center[i];
    md += m[i] * line.direction[i];
    dd += static_cast<Real>(line.direction[i]) * line.direction[i];
  }
  if (!(dd > 0)) return {0};
  const Real nearest = -md / dd;
  Real mm = 0, am = 0, ad = 0;
  md = 0;
  for (int i = 0; i < 3; ++i) {
    m[i] += nearest * line.direction[i];
    mm += m[i] * m[i];
    md += m[i] * line.direction[i];
    am += m[i] * shell.axis[i];
    ad += static_cast<Real>(line.direction[i]) * shell.axis[i];
  }
  const Real reach = shell.outer / std::sqrt(dd);
  const Real low = std::max<Real>(line.low, nearest - reach);
  const Real high = std::min<Real>(line.high, nearest + reach);
  if (!(low <= high)) return {};
  std::vector<double> result{static_cast<double>(low), static_cast<double>(high)};
  const auto add = [&](Real t) {
    t += nearest;
    if (t > low && t < high) result.push_back(static_cast<double>(t));
  };
  // a t^2 + 2 b t + c = 0; of a touch, rounding may leave no root: then the extremum.
  const auto solve = [&](Real a, Real b, Real c) {
    const Real root = std::sqrt(std::max<Real>(0, b * b - a * c));
    const Real q = b > 0 ? -b - root : root - b;
    if (a != 0) add(q / a);
    if (q != 0) add(c / q);
    if (a != 0) add(-b / a);
  };
  const Real k = static_cast<Real>(shell.cos_half_angle) * shell.cos_half_angle;
  solve(dd, md, mm - static_cast<Real>(shell.outer) * shell.outer);
  solve(dd, md, mm - static_cast<Real>(shell.inner) * shell.inner);
  solve(ad * ad - k * dd, am * ad - k * md, am * am - k * mm);
  std::sort(result.begin(), result.end());
  return result;
}

// A cell of the line, between two places next to each other.
std::vector<StraightPiece> cells(const StraightPiece& line, const SphericalShell& shell) {
  const std::vector<double> at = places(line, shell);
  std::vector<StraightPiece> result;
  for (std::size_t i = 0; i < at.size(); ++i) {
    for (const std::size_t j : {i, i + 1}) { // the place itself: a surface has no more
      if (j == at.size()) continue;
      StraightPiece cell = line;
      cell.low = at[i];
      cell.high = at[j];
      result.push_back(cell);
    }
  }
  return result;
}

bool is_in(const StraightPiece& cell, const SphericalShell& shell, double within) {
  return distance(cell.at(cell.low + (cell.high - cell.low) / 2), shell) <= within;
}

Verdict check_miss(const StraightPiece& line, const SphericalShell& shell, double tolerance) {
  const double within = free * tolerance;
  const auto meets = [&](const StraightPiece& moved) {
    const auto parts = cells(moved, shell);
    return std::any_of(parts.begin(), parts.end(),
                       [&](const StraightPiece& c) { return is_in(c, shell, within); });
  };
  const auto off_set = [&](const Vec3& p) { return distance(p, shell) - within; };
  for (const StraightPiece& cell : cells(line, shell)) {
    if (!is_in(cell, shell, within)) continue;
    const Vec3 middle = cell.at(cell.low + (cell.high - cell.low) / 2);
    // A single place is crossed, so it is moved as part of the whole line.
    const StraightPiece& piece = cell.low < cell.high ? cell : line;
    if (!cast_check::leaves(piece, middle, move * tolerance, meets, off_set)) {
      return Verdict::no("it runs through the shell unseen");
    }
  }
  return Verdict::yes();
}

// That a surface with this normal goes through the point, and faces the line. Normals are compared where they stand: turned by an angle, they
// move by as much at a distance of 1.
Verdict check_normal(const StraightPiece& line, const SphericalShell& shell, const Cast& answer,
                     double tolerance) {
  const Vec3 x = answer.point - shell.center;
  const double r = length(x), lean = dot(answer.normal, normalized(line.direction));
  const Vec3& n = answer.normal;
  const double c = std::min(1.0, shell.cos_half_angle);
  const double s = std::sqrt(std::max(0.0, (1 - c) * (1 + c)));
  Vec3 rho = x - shell.axis * dot(shell.axis, x);
  rho -=
      shell.axis * dot(shell.axis, rho); // next to the axis, what the first left of it is not small
  const double off_axis = length(rho);
  const auto is = [&](double off, const Vec3& expected, double radius) {
    return std::fabs(off) <= tolerance && length(n - expected) * radius <= 2 * tolerance &&
           lean * radius <= tolerance;
  };
  if (is(r - shell.outer, normalized_or(x, n), r) ||
      is(r - shell.inner, -normalized_or(x, -n), r)) {
    return Verdict::yes();
  }
  const Vec3 out = normalized_or(rho, {}) * c - shell.axis * s;
  if (!shell.all_directions() && is(dot(out, x), out, off_axis)) return Verdict::yes();
  // On the axis of a cone as thin as the tolerance, or at its apex, there are many normals.
  if (off_axis <= 4 * tolerance && lean <= 0 && (s * r <= tolerance || r <= 4 * tolerance)) {
    return Verdict::yes();
  }
  return Verdict::no("no surface with this normal goes through the point, or it does not face");
}

} // namespace

Verdict check_cast(const StraightPiece& line, const SphericalShell& shell, const Cast& answer,
                   double tolerance) {
  using namespace cast_check;
  if (!answer.hit) return verify::check_miss(line, shell, tolerance);
  if (Verdict v = check_fields(line, answer, false, tolerance); !v) return v;
  if (const double e = distance(answer.point, shell); !(e <= tolerance)) {
    return off("the point is off the shell", e, tolerance);
  }
  if (answer.inside) return Verdict::yes();
  if (Verdict v = check_normal(line, shell, answer, tolerance); !v) return v;
  StraightPiece before = line;
  // Up to where the hit itself begins.
  before.high = answer.t - move * tolerance / length(line.direction);
  return verify::check_miss(before, shell, tolerance);
}

} // namespace carom::verify
