#include "carom/dynamics/classic/penalty.h"

#include "carom/math/trig.h"

#include <algorithm>
#include <cmath>

namespace carom::classic {
namespace {

/// ln x for 0 < x <= 1, with the same bits everywhere: square roots bring x near to 1, where 2 artanh((x - 1) / (x + 1)) is a short sum.
double log_of(double x) {
  double scale = 2;
  for (int i = 0; i < 12 && x < 0.9; ++i) {
    x = std::sqrt(x);
    scale *= 2;
  }
  const double t = (x - 1) / (x + 1), s = t * t;
  double sum = 0;
  for (int k = 13; k >= 1; k -= 2) sum = sum * s + 1.0 / k;
  return scale * t * sum;
}

Vec3 along(const Vec3& v, const Vec3& n) { return v - n * dot(v, n); }

const PenaltyAnchor* find_anchor(const std::vector<PenaltyAnchor>& anchors, const ContactPoint& c) {
  for (const PenaltyAnchor& a : anchors)
    if (a.shape_a == c.shape_a && a.shape_b == c.shape_b && a.id == c.id) return &a;
  return nullptr;
}

} // namespace

double damping_of(double restitution, double most) {
  if (!(restitution > 0)) return most;
  if (restitution >= 1) return 0;
  const double l = -log_of(std::max(restitution, 1e-6));
  return std::min(most, l / std::sqrt(pi * pi + l * l));
}

double stable_step(const PenaltyOptions& options, std::size_t points) {
  const double z = options.damping, c = static_cast<double>(std::max<std::size_t>(points, 1));
  // The difference of the root and z, without cancellation.
  const double span = 2 / (c * (std::sqrt(z * z + 1 / c) + z));
  return span / (two_pi * options.frequency);
}

std::size_t most_points(const ResponseBodies& bodies, std::span<const ContactPoint> contacts) {
  std::vector<std::size_t> on(bodies.size(), 0);
  for (const ContactPoint& c : contacts) {
    ++on[c.a];
    ++on[c.b];
  }
  std::size_t most = 1;
  for (const ContactPoint& c : contacts) {
    // What cannot be pushed links nothing.
    const std::size_t a = bodies[c.a].inverse_mass > 0 ? on[c.a] : 0;
    const std::size_t b = bodies[c.b].inverse_mass > 0 ? on[c.b] : 0;
    most = std::max(most, a + b);
  }
  return most;
}

void penalty_forces(const ResponseBodies& bodies, std::span<const ContactPoint> contacts,
                    const PenaltyOptions& options, double time, std::vector<PenaltyAnchor>& anchors,
                    std::vector<PenaltyForce>& forces) {
  std::vector<PenaltyAnchor> kept;
  forces.clear();
  const double w = two_pi * options.frequency;
  for (const ContactPoint& c : contacts) {
    const Mat3 k = impulse_matrix(bodies, c);
    const double trace = k.x.x + k.y.y + k.z.z;
    if (!(trace > 0) || !(c.gap < 0)) continue;
    const double stiffness = w * w / trace;
    const double drag = 2 * damping_of(c.restitution, options.damping) * stiffness / w;
    const Vec3 v = relative_velocity(bodies, c), slide = along(v, c.normal);
    const double normal = std::max(0.0, -stiffness * c.gap - drag * dot(v, c.normal));
    // The surfaces are held together by a spring, too, which slips where it would have to pull harder than friction does.
    const PenaltyAnchor* old = find_anchor(anchors, c);
    const Vec3 stretch = (old != nullptr ? along(old->stretch, c.normal) : Vec3{}) + slide * time;
    const double hold = 2 * options.damping * stiffness / w;
    Vec3 friction = stretch * -stiffness - slide * hold;
    const double size = length(friction), most = c.friction * normal;
    Vec3 anchored = stretch;
    if (size > most) {
      friction *= most / size;
      // As far as the spring alone would pull so hard.
      const double far = most / stiffness, l = length(stretch);
      if (l > far) anchored = stretch * (far / l);
    }
    kept.push_back({c.shape_a, c.shape_b, c.id, anchored});
    forces.push_back({c, c.normal * normal + friction});
  }
  anchors = std::move(kept);
}

} // namespace carom::classic
