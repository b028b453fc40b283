// Where the line through the nearest points of two round cores meets their axes. Internal to the queries, a part of round_forms.h.
//
// The normal of a surface of revolution meets its axis. So the line through the nearest points runs from a point of the one axis to a point of the other: along N = w + p u +
// q v, with u and v the axes and w from centre to centre. With A = N . u, B = N . v, and P, Q the lengths of N across u and v,
//   p = r_a A / P,   q = r_b B / Q   for the rims of discs, and   A = 0 or B = 0   for the side of a cylinder.
// P^2 depends on q alone and Q^2 on p alone, both by a square. Newton's method on p, q, P and Q together solves that, at a fourth of what steps with vectors take: no roots, and divisions
// that do not wait for each other. It may go astray where N is nearly along an axis.
#pragma once

#include <algorithm>
#include <cmath>

namespace [[gnu::visibility("default")]] carom {

struct AxisPoints {
  double ww, wu, wv, cosine; ///< w . w, w . u, w . v and u . v
  double p = 0, q = 0;       ///< to be found

  /// Of N, along u and along v.
  [[nodiscard]] double along_u() const { return wu + cosine * q + p; }
  [[nodiscard]] double along_v() const { return wv + cosine * p + q; }

  /// On two rims: f = p P - r_a A, g = q Q - r_b B, and what P and Q are off, are 0. (p is part of A, and q of B.) False where it went astray.
  [[nodiscard]] bool solve_rims(double ra, double rb) {
    const double sine2 = 1 - cosine * cosine;
    const double pp = ww - wu * wu;
    const double qq = ww - wv * wv;
    const double pq = wv - cosine * wu; // half of how P^2 changes with q, at 0
    const double qp = wu - cosine * wv;
    p = alone(wu, pp, ra);
    q = alone(wv, qq, rb);
    double across_u = std::sqrt(pp + q * (2 * pq + q * sine2));
    double across_v = std::sqrt(qq + p * (2 * qp + p * sine2));
    for (int i = 0; i < max_steps; ++i) {
      const double dp = pq + q * sine2;
      const double dq = qp + p * sine2;
      // Half of how far the squares are off.
      const double off_u = 0.5 * (across_u * across_u - (pp + q * (pq + dp)));
      const double off_v = 0.5 * (across_v * across_v - (qq + p * (qp + dq)));
      // All of f's equation times across_u, and of g's times across_v: so there is one division for the step.
      const double f = across_u * (p * (across_u - ra) - ra * (wu + cosine * q)) - p * off_u;
      const double g = across_v * (q * (across_v - rb) - rb * (wv + cosine * p)) - q * off_v;
      const double fp = across_u * (across_u - ra);
      const double gq = across_v * (across_v - rb);
      const double fq = p * dp - ra * cosine * across_u;
      const double gp = q * dq - rb * cosine * across_v;
      const double per = 1 / (fp * gq - fq * gp);
      const double step_p = (f * gq - g * fq) * per;
      const double step_q = (g * fp - f * gp) * per;
      p -= step_p;
      q -= step_q;
      const double moved = step_p * step_p + step_q * step_q;
      // Lengths below 0 solve the equations as well.
      if (moved <= precision * ww || ra * rb == 0) return across_u > 0 && across_v > 0;
      if (!(moved <= astray * ww)) return false;
      across_u -= (off_u + dp * step_q) * (1 / across_u);
      across_v -= (off_v + dq * step_p) * (1 / across_v);
    }
    return false;
  }

  /// A's side, a cylinder's, and B's rim: p is such that A = 0.
  [[nodiscard]] bool solve_side(double rb) {
    const double sine2 = 1 - cosine * cosine;
    const double qq = ww - wv * wv;
    const double pq = wv - cosine * wu;
    const double qp = wu - cosine * wv;
    p = -wu;
    double across_v = std::sqrt(qq + p * (2 * qp + p * sine2));
    for (int i = 0; i < max_steps; ++i) {
      const double dq = qp + p * sine2;
      const double off_v = 0.5 * (across_v * across_v - (qq + p * (qp + dq)));
      const double g = across_v * (q * across_v - rb * (pq + q * sine2)) - q * off_v;
      const double gq = across_v * (across_v - rb * sine2) - q * cosine * dq;
      const double step = g / gq;
      q -= step;
      p = -(wu + cosine * q);
      if (!(step * step <= astray * ww)) return false;
      if (step * step <= precision * ww || rb == 0) return across_v > 0;
      across_v -= (off_v - cosine * dq * step) * (1 / across_v);
    }
    return false;
  }
  /// A's rim and B's side.
  [[nodiscard]] bool solve_side_of_b(double ra) {
    AxisPoints flipped{ww, wv, wu, cosine};
    const bool found = flipped.solve_side(ra);
    p = flipped.q;
    q = flipped.p;
    return found;
  }

  /// Five are many.
  static constexpr int max_steps = 12;
  /// How far, as the square of a part of w, the last step may lead: twice as many digits are right then.
  static constexpr double precision = 1e-15;
  static constexpr double astray = 1e6;

  /// As if the other were without radius; not quite, where that would lead far away.
  static double alone(double along, double across_squared, double radius) {
    const double across = std::sqrt(across_squared);
    return radius * along / std::max(across - radius, 0.25 * across);
  }
};

} // namespace carom
