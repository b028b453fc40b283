#include "carom/dynamics/classic/response_body.h"

namespace carom::classic {
namespace {

/// What an impulse along e at arm `from` does to the velocity at arm `to`, of one body.
Vec3 answer(const ResponseBody& body, const Vec3& to, const Vec3& from, const Vec3& e) {
  return e * body.inverse_mass + cross(body.inverse_inertia * cross(from, e), to);
}

} // namespace

ResponseBody response_body(const Body& body) {
  ResponseBody r;
  r.center = body.frame.origin;
  r.velocity = body.velocity;
  r.spin = body.angular_velocity;
  if (body.movable()) {
    r.inverse_mass = body.inverse_mass;
    r.inverse_inertia = body.frame.basis * body.inverse_inertia * transpose(body.frame.basis);
  }
  return r;
}

Vec3 relative_velocity(const ResponseBodies& bodies, const ContactPoint& c) {
  const ResponseBody &a = bodies[c.a], &b = bodies[c.b];
  return (b.velocity + cross(b.spin, c.point - b.center)) -
         (a.velocity + cross(a.spin, c.point - a.center));
}

void push(ResponseBodies& bodies, const ContactPoint& c, const Vec3& impulse) {
  ResponseBody &a = bodies[c.a], &b = bodies[c.b];
  a.velocity -= impulse * a.inverse_mass;
  a.spin -= a.inverse_inertia * cross(c.point - a.center, impulse);
  b.velocity += impulse * b.inverse_mass;
  b.spin += b.inverse_inertia * cross(c.point - b.center, impulse);
}

Mat3 impulse_matrix(const ResponseBodies& bodies, const ContactPoint& to,
                    const ContactPoint& from) {
  Mat3 k = Mat3::zero();
  for (const std::uint32_t at : {to.a, to.b}) {
    if (at != from.a && at != from.b) continue;
    const ResponseBody& body = bodies[at];
    if (!(body.inverse_mass > 0)) continue;
    // The body may be the first of the one pair and the second of the other.
    const double sign = (at == to.a) == (at == from.a) ? 1 : -1;
    const Vec3 r = to.point - body.center, s = from.point - body.center;
    for (int i = 0; i < 3; ++i) k[i] += answer(body, r, s, unit_axis(i)) * sign;
  }
  return k;
}

Mat3 impulse_matrix(const ResponseBodies& bodies, const ContactPoint& c) {
  return impulse_matrix(bodies, c, c);
}

} // namespace carom::classic
