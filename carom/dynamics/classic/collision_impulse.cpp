// The independent variable of the collision is the normal impulse p so far. While the points slide along the unit vector s,
//   du/dp = K (n - mu s),
// which is constant as long as s is. So each piece is a straight line in u, that ends where u_n passes 0, where the work done is enough, where the sliding stops, or where s has turned by a few degrees. When it has stopped, either
// friction can hold it: then du/dp has no part along the surface; or it slides on along the one direction which it then accelerates along itself.
#include "carom/dynamics/classic/collision_impulse.h"

#include <algorithm>
#include <cmath>

namespace carom::classic {
namespace {

constexpr int most_pieces = 2000;
/// Of the speed at first: slower is no sliding.
constexpr double stopped = 1e-7;
/// Of the sliding speed: what a piece may change it by, where it turns, before s is taken anew.
constexpr double turn = 0.05;
/// Of the sliding speed: what is off the line by less where it stops has not turned.
constexpr double straight = 1e-9;

struct Surface {
  Vec3 n, s, t; ///< an orthonormal frame
};

Vec3 along(const Vec3& v, const Vec3& n) { return v - n * dot(v, n); }

/// Friction per normal impulse that lets nothing slide: K_tt f = -K_tn.
Vec3 holding_friction(const Mat3& k, const Surface& f) {
  const Vec3 ks = k * f.s, kt = k * f.t, kn = k * f.n;
  const double a = dot(f.s, ks), b = dot(f.s, kt), c = dot(f.t, kt);
  const double p = -dot(f.s, kn), q = -dot(f.t, kn), det = a * c - b * b;
  if (!(det > 0)) return {};
  return f.s * ((c * p - b * q) / det) + f.t * ((a * q - b * p) / det);
}

/// Where it slides along of itself, once it has stopped and cannot be held.
Vec3 new_direction(const PointCollision& c, const Surface& f) {
  Vec3 s = normalized_or(along(c.k * c.normal, c.normal), f.s);
  for (int i = 0; i < 30; ++i)
    s = normalized_or(along(c.k * (c.normal - s * c.friction), c.normal), s);
  return s;
}

class Collision {
public:
  explicit Collision(const PointCollision& c) : c_(c), u_(c.velocity) {
    const Vec3 s = perpendicular(c.normal);
    surface_ = {c.normal, s, cross(c.normal, s)};
    small_ = stopped * length(c.velocity);
  }

  Vec3 follow() {
    for (int i = 0; i < most_pieces && !done_; ++i)
      if (!piece()) break;
    // Only rounding keeps it from an end: what is left is brought to rest along the normal.
    if (!done_) {
      PointCollision rest = c_;
      rest.velocity = u_;
      rest.restitution = 0;
      impulse_ += newton_impulse(rest);
    }
    return impulse_;
  }

private:
  /// By which each unit of normal impulse comes with friction, if u is the velocity.
  [[nodiscard]] Vec3 friction_at(const Vec3& u) const {
    const Vec3 slide = along(u, c_.normal);
    const double speed = length(slide);
    if (speed > small_) return slide * (-c_.friction / speed);
    const Vec3 friction = holding_friction(c_.k, surface_);
    return length(friction) > c_.friction ? new_direction(c_, surface_) * -c_.friction : friction;
  }

  bool piece() {
    const Vec3 slide = along(u_, c_.normal);
    const double speed = length(slide);
    Vec3 push = c_.normal + friction_at(u_), rate = c_.k * push;
    double step = INFINITY;
    bool turns = false;
    if (speed > small_) step = until_it_turns(slide, speed, along(rate, c_.normal), turns);
    if (turns) {
      // The direction halfway stands for the piece.
      push = c_.normal + friction_at(u_ + rate * (0.5 * step));
      rate = c_.k * push;
    }
    const double un = dot(u_, c_.normal), up = dot(rate, c_.normal);
    const double end = until_it_ends(un, up);
    const bool last = end <= step;
    step = std::min(step, end);
    if (!(step < INFINITY)) return false;
    work_ += un * step + 0.5 * up * step * step;
    u_ += rate * step;
    impulse_ += push * step;
    if (last) finish_phase();
    return true;
  }

  /// How far until the sliding stops, or its direction is to be taken anew.
  [[nodiscard]] static double until_it_turns(const Vec3& slide, double speed, const Vec3& drift,
                                             bool& turns) {
    const Vec3 s = slide / speed;
    const double slowing = -dot(drift, s), across = length(drift + s * slowing);
    const double stop = slowing > 0 ? speed / slowing : INFINITY;
    turns = across * std::min(stop, speed / std::max(across, 1e-300)) > straight * speed;
    return turns ? turn * speed / std::max(across, std::fabs(slowing)) : stop;
  }

  /// How far until this phase is over: u_n = 0 in compression; then, the work is given back.
  [[nodiscard]] double until_it_ends(double un, double up) const {
    if (!compressed_) return up > 0 ? std::max(0.0, -un) / up : INFINITY;
    // work_ + un p + up p^2 / 2 = left_, on the way out.
    const double missing = left_ - work_;
    if (!(missing > 0)) return 0;
    const double square = un * un + 2 * up * missing;
    if (!(square >= 0)) return INFINITY;
    const double root = std::sqrt(square);
    if (un >= 0) return un + root > 0 ? 2 * missing / (un + root) : INFINITY;
    return up > 0 ? (root - un) / up : INFINITY;
  }

  void finish_phase() {
    if (compressed_) {
      done_ = true;
      return;
    }
    compressed_ = true;
    left_ = work_ * (1 - c_.restitution * c_.restitution);
    u_ = along(u_, c_.normal);
    done_ = !(c_.restitution > 0);
  }

  PointCollision c_;
  Vec3 u_, impulse_{};
  Surface surface_;
  double small_ = 0;
  double work_ = 0; ///< of the normal force: negative while it takes energy in
  double left_ = 0; ///< what the work shall be in the end
  bool compressed_ = false, done_ = false;
};

} // namespace

Vec3 newton_impulse(const PointCollision& c) {
  const double un = dot(c.velocity, c.normal), k = dot(c.normal, c.k * c.normal);
  if (!(un < 0) || !(k > 0)) return {};
  return c.normal * (-(1 + c.restitution) * un / k);
}

Vec3 mirtich_impulse(const PointCollision& c) {
  if (!(dot(c.velocity, c.normal) < 0) || !(dot(c.normal, c.k * c.normal) > 0)) return {};
  if (!(c.friction > 0)) return newton_impulse(c);
  return Collision(c).follow();
}

} // namespace carom::classic
