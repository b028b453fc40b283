#include "carom/verify/check_cast_shell.h"

#include <vector>

namespace carom::verify {
namespace {

using cast_check::free;
using cast_check::move;
using Real = long double;

// Where the line may go in or out: its ends, or where it is well out of the outer sphere, and the roots between, in order.
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
  const Real reach = 2 * shell.outer / std::sqrt(dd);
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

// A cell of the line, between two places next to each other; or such a place itself, as a surface has no more: then `around` is both
// cells beside it.
struct Cell {
  StraightPiece piece, around;

  [[nodiscard]] bool is_place() const { return !(piece.low < piece.high); }
  [[nodiscard]] double middle() const { return piece.low + (piece.high - piece.low) / 2; }
};

StraightPiece part(const StraightPiece& line, double low, double high) {
  StraightPiece result = line;
  result.low = low;
  result.high = high;
  return result;
}

std::vector<Cell> cells(const StraightPiece& line, const SphericalShell& shell) {
  const std::vector<double> at = places(line, shell);
  std::vector<Cell> result;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const bool last = i + 1 == at.size();
    result.push_back(
        {part(line, at[i], at[i]), part(line, at[i == 0 ? 0 : i - 1], at[last ? i : i + 1])});
    if (last) break;
    const StraightPiece cell = part(line, at[i], at[i + 1]);
    result.push_back({cell, cell});
  }
  return result;
}

bool is_in(const Cell& cell, const SphericalShell& shell, double within) {
  return distance(cell.piece.at(cell.middle()), shell) <= within;
}

// Two parts of what the shell leaves free are convex: the hollow, and the opening of a cone that is no narrower than a half-space. A piece
// whose ends are both next to one of them is off the shell once the ends are moved into it. Moves of the whole piece cannot show that
// where there is no room for them.
bool is_free(const StraightPiece& piece, const SphericalShell& shell, double slack) {
  const Vec3 ends[] = {piece.at(piece.low) - shell.center, piece.at(piece.high) - shell.center};
  const auto both = [&](auto&& is_near) { return is_near(ends[0]) && is_near(ends[1]); };
  const double c = shell.cos_half_angle;
  const double s = std::sqrt(std::max(0.0, (1 - c) * (1 + c)));
  const auto to_hollow = [&](const Vec3& x) { return length(x) - shell.inner; };
  const auto to_opening = [&](const Vec3& x) {
    const double along = dot(shell.axis, x), off_axis = length(cross(shell.axis, x));
    return along * c + off_axis * s < 0 ? length(x) : along * s - off_axis * c;
  };
  return (shell.inner > 0 && both([&](const Vec3& x) { return to_hollow(x) <= slack; })) ||
         (c > -1 && c <= 0 && both([&](const Vec3& x) { return to_opening(x) <= slack; }));
}

// The cells from `first` to `last`, which are in, up to the middle of those that are off on both sides: beyond, the line may come to other
// parts of the shell, and no one move need take it off all of them.
StraightPiece with_free_sides(const std::vector<Cell>& all, const std::vector<bool>& in,
                              std::size_t first, std::size_t last) {
  while (first > 0 && (in[first] || all[first].is_place())) --first;
  while (last + 1 < all.size() && (in[last] || all[last].is_place())) ++last;
  return part(all[first].piece, all[first].middle(), all[last].middle());
}

Verdict check_miss(const StraightPiece& line, const SphericalShell& shell, double tolerance) {
  const double within = free * tolerance;
  const auto meets = [&](const StraightPiece& moved) {
    const auto parts = cells(moved, shell);
    return std::any_of(parts.begin(), parts.end(),
                       [&](const Cell& c) { return is_in(c, shell, within); });
  };
  const auto off_set = [&](const Vec3& p) { return distance(p, shell) - within; };
  const std::vector<Cell> all = cells(line, shell);
  std::vector<bool> in;
  for (const Cell& c : all) in.push_back(is_in(c, shell, within));
  for (std::size_t first = 0, next = 0; first < all.size(); first = next) {
    bool is_run_free = true;
    for (next = first; next < all.size() && in[next]; ++next) {
      is_run_free = is_run_free && is_free(all[next].around, shell, move * tolerance);
    }
    if (next == first) ++next; // it is off
    if (is_run_free) continue;
    const StraightPiece run = with_free_sides(all, in, first, next - 1);
    const Vec3 meeting = line.at(all[first].middle());
    if (!cast_check::leaves(run, meeting, move * tolerance, meets, off_set)) {
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
