// The claim is s(y) >= L |y| for y = n + x, for all x across n with |x| <= X. Each corner j that carries n has a piece of s, of which curvature.h
// gives a floor around its own direction m:
//   piece_j(y) >= p . y + ball (|y| - m . y) - y' lost y / (2 c) + y' bowl y / (2 C),
// where c is the least m . y in the cap and C the greatest (both matrices are 0 along m). Less L |y| that is
//   f_j(x) = a_j + d_j . x + (ball_j - L) (|y| - 1) + x' R_j x / 2.
// s is at least the greatest piece, so at least any mixture of them, and the weights may depend on x: t_j(x) = w_j + g_j . x, as long as they are positive in
// the cap and add up to 1. With w the weights of the refined axis the sum of w_j d_j is about 0, and what is left is
//   a + d . x + (ball - L) (|y| - 1) + x' (R / 2 + sum of g_j d_j') x,
// where the last sum is what a kink is worth: of two corners g leads along d_1 - d_2, of three the g are such that the sum is a multiple of I.
// Both are as large as the weights allow, in proportion to 1 / X. If the whole quadratic form is at least m I, the claim holds where a >= d^2 /
// (2 m).
//
// For a ring of equally good directions (coaxial cylinders) ball = L in effect, and a cap reaches as far as the kink holds: ten of them go around.
#include "carom/query/axis_cap.h"

#include "carom/math/tolerance.h"
#include "carom/query/tangent_plane.h"

namespace carom {
namespace {

/// f_j of the head of this file.
struct Piece {
  double height = 0; ///< a
  Vec2 slope;        ///< d
  double ball = 0;
  Mat2 rest;   ///< R
  Vec2 change; ///< g
};

class Cap {
public:
  Cap(const CorePair& pair, const RefinedAxis& found, double floor)
      : pair_(pair), found_(found), floor_(floor), plane_(found.axis) {}

  bool proved(double reach, Exact exact_a, Exact exact_b) {
    exact_a_ = exact_a;
    exact_b_ = exact_b;
    for (int j = 0; j < found_.count; ++j) {
      if (!look(static_cast<std::size_t>(j), reach)) return false;
    }
    const Mat2 kink = mix_weights(reach);
    return holds(kink, reach);
  }

private:
  bool look(std::size_t j, double reach) {
    const CurvedCorner& corner = found_.corners[j];
    const Vec3& n = found_.axis;
    const Vec3& m = corner.along;
    const double cosine = dot(m, n);
    const double aside = length(cross(m, n));
    const double least = cosine - reach * aside;
    if (!(least > 0.5)) return false;
    const double around = (reach * cosine + aside) / least;
    const CurvatureFloor a = curvature_floor(pair_.core_a(), m, around, exact_a_);
    const Mat3& turn = pair_.b_in_a().basis;
    const CurvatureFloor b =
        curvature_floor(pair_.core_b(), transpose_mul(turn, -m), around, exact_b_);
    const double most = cosine + reach * aside;
    const Mat3 on_b = b.bowl * (1 / most) - b.lost * (1 / least);
    const Mat3 rest = a.bowl * (1 / most) - a.lost * (1 / least) + turn * on_b * transpose(turn);
    const double ball = a.ball + b.ball;
    const Vec3 rest_n = rest * n;
    const Vec3 slope = corner.corner.difference - m * ball + rest_n;
    Piece& piece = piece_[j];
    // 1 - cosine, without cancellation.
    piece.height = dot(corner.corner.difference, n) + 0.5 * ball * distance_squared(m, n) +
                   0.5 * dot(n, rest_n) - floor_;
    piece.slope = plane_(slope);
    piece.ball = ball;
    piece.rest = restrict_to(plane_, rest);
    return true;
  }

  /// Sets how the weights change with x, and returns what that is worth. Of three, half of each weight goes to a change in all directions, half to
  /// one along the longest side of the triangle of slopes, which may be thin.
  Mat2 mix_weights(double reach) {
    for (Piece& p : piece_) p.change = {};
    if (found_.count == 2) return change_two(0, 1, 1 / reach);
    if (found_.count < 3) return {};
    std::size_t i = 0;
    std::size_t j = 1;
    for (const std::size_t k : {0U, 1U}) {
      if (distance(piece_[k].slope, piece_[2].slope) > distance(piece_[i].slope, piece_[j].slope)) {
        i = k;
        j = 2;
      }
    }
    return change_two(i, j, 0.5 / reach) + change_three(0.5 / reach);
  }

  /// By at most `rate` of each weight.
  Mat2 change_two(std::size_t i, std::size_t j, double rate) {
    const Vec2 between = piece_[i].slope - piece_[j].slope;
    const double l = length(between);
    if (!(l > 0)) return {};
    const Vec2 e = between / l;
    const double speed = std::min(found_.weight[i], found_.weight[j]) * rate;
    piece_[i].change += e * speed;
    piece_[j].change -= e * speed;
    return Mat2{e.x * e.x, e.x * e.y, e.y * e.y} * (2 * speed * l);
  }

  Mat2 change_three(double rate) {
    const Vec2& a = piece_[0].slope;
    const Vec2& b = piece_[1].slope;
    const Vec2& c = piece_[2].slope;
    const double area = cross(b - a, c - a);
    if (area == 0) return {};
    // How each weight changes as the mixture of slopes moves.
    const std::array<Vec2, 3> changes{-left(b - c) / area, -left(c - a) / area,
                                      -left(a - b) / area};
    double speed = INFINITY;
    for (std::size_t j = 0; j < 3; ++j)
      speed = std::min(speed, found_.weight[j] * rate / length(changes[j]));
    for (std::size_t j = 0; j < 3; ++j) piece_[j].change += changes[j] * speed;
    return Mat2::multiple_of_identity(2 * speed);
  }

  [[nodiscard]] bool holds(const Mat2& kink, double reach) const {
    Piece all;
    const auto count = static_cast<std::size_t>(found_.count);
    for (std::size_t j = 0; j < count; ++j) {
      const double w = found_.weight[j];
      all.height += piece_[j].height * w;
      all.slope += piece_[j].slope * w;
      all.ball += piece_[j].ball * w;
      all.rest = all.rest + piece_[j].rest * w;
    }
    double spread = 0; // the curvature that may be lost as the weights change
    for (std::size_t j = 0; j < count; ++j) {
      const Piece& p = piece_[j];
      all.slope += p.change * (p.height - all.height);
      const double differs = std::fabs(p.ball - all.ball) + (p.rest - all.rest).norm();
      spread += length(p.change) * reach * differs;
    }
    const double excess = all.ball - floor_;
    const double bend = excess > 0 ? excess * 2 / (std::sqrt(1 + reach * reach) + 1) : excess;
    const Mat2 whole = all.rest + kink + Mat2::multiple_of_identity(bend - spread);
    const double least = whole.least_eigenvalue();
    const double tilt = length(all.slope);
    const double room = all.height - 4 * pair_.rounding();
    if (least > 0 && tilt <= least * reach) return room >= tilt * tilt / (2 * least);
    return room >= tilt * reach - 0.5 * least * reach * reach;
  }

  const CorePair& pair_;
  const RefinedAxis& found_;
  double floor_;
  TangentPlane plane_;
  Exact exact_a_{}, exact_b_{};
  std::array<Piece, 3> piece_{};
};

} // namespace

double proved_cap(const CorePair& pair, const RefinedAxis& found, double floor) {
  double whole = 0;
  for (int j = 0; j < found.count; ++j) whole += found.weight[static_cast<std::size_t>(j)];
  if (!(std::fabs(whole - 1) <= 8 * tolerance::epsilon)) return 0; // not a mixture
  Cap cap(pair, found, floor);
  double reach = 8;
  for (int halvings = 0; halvings < 32; ++halvings) {
    reach *= 0.5;
    for (const Exact exact_a : {Exact::along_most_curved, Exact::along_least_curved}) {
      for (const Exact exact_b : {Exact::along_most_curved, Exact::along_least_curved}) {
        if (cap.proved(reach, exact_a, exact_b)) return reach;
      }
    }
  }
  return 0;
}

} // namespace carom
