#include "carom/motion/screw.h"

#include "carom/math/tolerance.h"
#include "carom/math/trig.h"
#include "carom/motion/screw_path.h"
#include "carom/query/moved_pose.h"
#include "carom/query/rounded.h"

#include <algorithm>

namespace carom {
namespace {

/// What a sum of some dozen products may be off by.
constexpr double roundings = 64 * tolerance::epsilon;

/// A time as a piece, and the time within it.
struct Moment {
  int piece;
  double u;
};
Moment moment(const ScrewMotion& screw, double t) {
  const double whole = std::clamp(t, 0.0, 1.0) * screw.pieces;
  const int piece = whole >= 1 && screw.pieces > 1 ? 1 : 0;
  return {piece, whole - piece};
}

/// The rotation since the start.
Quat turn_at(const ScrewMotion& screw, const Moment& m) {
  const auto by = [&](double r) {
    return Quat{screw.axis.x * r, screw.axis.y * r, screw.axis.z * r, 1};
  };
  const Quat now = by(screw.tangent * m.u);
  return m.piece == 0 ? now : now * by(screw.tangent);
}

Vec3 offset_at(const ScrewMotion& screw, const Moment& m) {
  const Vec3 now = ScrewPath(screw, m.piece).translation(m.u);
  return m.piece == 0 ? now : ScrewPath(screw, 0).translation(1) + now;
}

} // namespace

ScrewMotion ScrewMotion::about(const Pose& start, const Vec3& point, const Vec3& axis, double angle,
                               double pitch) {
  ScrewMotion s{.start = start};
  const Vec3 z = normalized_or(axis, {}) * (angle < 0 ? -1.0 : 1.0);
  const double turn = std::fabs(angle);
  s.translation = z * (angle < 0 ? -pitch : pitch);
  if (turn == 0 || z == Vec3{}) return s;
  s.axis = z;
  const Vec3 arm = start.position - point;
  const Vec3 across = arm - z * dot(z, arm);
  // cos - 1 without cancellation.
  const SinCos half = sin_cos(turn / 2);
  s.translation +=
      cross(z, across) * (2 * half.sin * half.cos) - across * (2 * half.sin * half.sin);
  s.pieces = turn > half_pi ? 2 : 1;
  s.tangent = turn <= pi ? std::min(tan(turn / 2 / s.pieces), 1.0) : INFINITY;
  return s;
}

double ScrewMotion::angle() const { return 2 * pieces * atan(tangent); }

ScrewMotion screw_between(const Pose& from, const Pose& to) {
  ScrewMotion s{.start = from, .translation = to.position - from.position};
  if (from.rotation == to.rotation) return s;
  const Quat way = normalized(normalized(to.rotation) * conjugate(normalized(from.rotation)));
  const Vec3 v = Vec3{way.x, way.y, way.z} * (way.w < 0 ? -1.0 : 1.0);
  const double sine = length(v), cosine = std::fabs(way.w);
  if (!(sine > 0)) return s;
  s.axis = normalized_or(v, {});
  s.pieces = sine > cosine ? 2 : 1;
  // Of a quarter of the angle where there are two.
  s.tangent = std::min(s.pieces == 2 ? sine / (1 + cosine) : sine / cosine, 1.0);
  return s;
}

bool in_range(const ScrewMotion& screw) {
  const double l = length(screw.axis);
  return in_range(screw.start) && is_finite(screw.translation) &&
         max_abs(screw.translation) <= tolerance::coordinate_max &&
         (screw.axis == Vec3{} || std::fabs(l - 1) <= 1e-12) && screw.tangent >= 0 &&
         screw.tangent <= 1 && (screw.pieces == 1 || screw.pieces == 2);
}

Pose pose_at(const ScrewMotion& screw, double t) {
  const Moment m = moment(screw, t);
  if (m.piece == 0 && m.u == 0) return screw.start;
  const bool turns = screw.tangent > 0 && !(screw.axis == Vec3{});
  const Quat rotation = turns ? turn_at(screw, m) * screw.start.rotation : screw.start.rotation;
  return moved({rotation, screw.start.position}, offset_at(screw, m));
}

Vec3 velocity_at(const ScrewMotion& screw, double t, const Vec3& x) {
  const Moment m = moment(screw, t);
  const ScrewPath path(screw, m.piece);
  // Back to where the point was when the piece began.
  const Vec3 arm = x - screw.start.position - offset_at(screw, m);
  const Quat turn{screw.axis.x * (screw.tangent * m.u), screw.axis.y * (screw.tangent * m.u),
                  screw.axis.z * (screw.tangent * m.u), 1};
  return path.velocity(transpose_mul(to_matrix(turn), arm), m.u) * screw.pieces;
}

double greatest_speed(const ScrewMotion& screw, const Sphere& ball, double from, double to) {
  const Moment first = moment(screw, from), last = moment(screw, to);
  double most = 0;
  for (int k = first.piece; k <= last.piece; ++k) {
    const Vec3 arm = screw.start.frame().direction_to_world(ball.center);
    const Vec3 p = k == 0 ? arm : to_matrix(turn_at(screw, {0, 1})) * arm;
    const double speed = ScrewPath(screw, k).speed(p, ball.radius, k == first.piece ? first.u : 0);
    most = std::max(most, speed);
  }
  const double scale =
      length(screw.translation) + screw.tangent * (length(ball.center) + ball.radius);
  return screw.pieces * (most + roundings * scale);
}

} // namespace carom
