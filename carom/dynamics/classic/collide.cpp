#include "carom/dynamics/classic/collide.h"

#include "carom/dynamics/classic/collision_impulse.h"
#include "carom/mesh/union_find.h"

#include <algorithm>
#include <cmath>

namespace carom::classic {
namespace {

/// Of the greatest speed at the contacts, and of that of bounces: what comes together slower is at rest.
constexpr double at_rest = 1e-9, hardly_bounces = 1e-3;

double approach(const ResponseBodies& bodies, const ContactPoint& c) {
  return -dot(relative_velocity(bodies, c), c.normal);
}

double restitution_of(const ContactPoint& c, double speed, const CollideOptions& options) {
  return speed > options.bounce_speed ? std::clamp(c.restitution, 0.0, 1.0) : 0.0;
}

void follow_through(ResponseBodies& bodies, const ContactPoint& c, const CollideOptions& options) {
  PointCollision p{.k = impulse_matrix(bodies, c),
                   .normal = c.normal,
                   .velocity = relative_velocity(bodies, c),
                   .friction = c.friction,
                   .restitution = 0};
  p.restitution = restitution_of(c, -dot(p.velocity, c.normal), options);
  push(bodies, c, mirtich_impulse(p));
}

CollideCounts one_by_one(ResponseBodies& bodies, std::span<const ContactPoint> contacts,
                         const CollideOptions& options, double slow) {
  CollideCounts counts;
  const int most = 50 + 30 * static_cast<int>(contacts.size());
  for (;;) {
    const ContactPoint* fastest = nullptr;
    double speed = slow;
    for (const ContactPoint& c : contacts) {
      const double s = approach(bodies, c);
      if (s > speed) {
        speed = s;
        fastest = &c;
      }
    }
    if (fastest == nullptr) return counts;
    if (counts.impulses == most) break;
    follow_through(bodies, *fastest, options);
    ++counts.impulses;
  }
  // Bounces to and fro without an end: the rest is taken out.
  const std::vector<ContactWish> wishes(contacts.size());
  counts.pivots = solve_at_once(bodies, contacts, wishes).pivots;
  return counts;
}

/// What impulses do to the kinetic energy, as a change of velocities: energy(v + s d) = energy(v) + s first + s^2 second.
struct EnergyChange {
  double first = 0, second = 0;
};

/// From the velocities `from` to those of `to`. A body's energy needs its inertia; an impulse's work does not: it is the impulse times the mean of the speeds before and after.
EnergyChange work_of(const ResponseBodies& from, const ResponseBodies& to,
                     std::span<const ContactPoint> contacts, std::span<const Vec3> impulses) {
  EnergyChange e;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Vec3 v = relative_velocity(from, contacts[i]), w = relative_velocity(to, contacts[i]);
    e.first += dot(v, impulses[i]);
    e.second += 0.5 * dot(w - v, impulses[i]);
  }
  return e;
}

/// Velocities a part of the way from `from`.
void take_part(ResponseBodies& bodies, const ResponseBodies& from, double part) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    ResponseBody& b = bodies[i];
    b.velocity = from[i].velocity + (b.velocity - from[i].velocity) * part;
    b.spin = from[i].spin + (b.spin - from[i].spin) * part;
  }
}

CollideCounts at_once(ResponseBodies& bodies, std::span<const ContactPoint> contacts,
                      const CollideOptions& options) {
  CollideCounts counts;
  std::vector<double> restitution;
  bool bounces = false;
  for (const ContactPoint& c : contacts) {
    restitution.push_back(restitution_of(c, approach(bodies, c), options));
    bounces = bounces || restitution.back() > 0;
  }
  const ResponseBodies before = bodies;
  std::vector<ContactWish> wishes(contacts.size());
  const ContactSolution taken = solve_at_once(bodies, contacts, wishes);
  counts.pivots = taken.pivots;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (dot(taken.impulses[i], contacts[i].normal) > 0) ++counts.impulses;
  if (!bounces) return counts;
  const ResponseBodies compressed = bodies;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    wishes[i].impulse = restitution[i] * std::max(0.0, dot(taken.impulses[i], contacts[i].normal));
    wishes[i].guess = contacts[i].normal * wishes[i].impulse;
  }
  const ContactSolution given = solve_at_once(bodies, contacts, wishes);
  counts.pivots += given.pivots;
  // Friction may make Poisson's law give more than was taken in: then it gives back what there is.
  const EnergyChange in = work_of(before, compressed, contacts, taken.impulses);
  const EnergyChange out = work_of(compressed, bodies, contacts, given.impulses);
  const double lost = -(in.first + in.second);
  if (out.first + out.second > lost && out.second > 0) {
    const double root = std::sqrt(std::max(0.0, out.first * out.first + 4 * out.second * lost));
    take_part(bodies, compressed, std::clamp((root - out.first) / (2 * out.second), 0.0, 1.0));
  }
  return counts;
}

} // namespace

std::vector<std::vector<std::uint32_t>> linked_contacts(const ResponseBodies& bodies,
                                                        std::span<const ContactPoint> contacts) {
  UnionFind sets(bodies.size());
  for (const ContactPoint& c : contacts)
    if (bodies[c.a].inverse_mass > 0 && bodies[c.b].inverse_mass > 0) sets.join(c.a, c.b);
  std::vector<std::vector<std::uint32_t>> groups;
  std::vector<std::uint32_t> group_of(bodies.size(), no_index);
  for (std::uint32_t i = 0; i < contacts.size(); ++i) {
    const ContactPoint& c = contacts[i];
    const std::uint32_t slot = bodies[c.a].inverse_mass > 0 ? c.a : c.b;
    if (!(bodies[slot].inverse_mass > 0)) continue;
    std::uint32_t& group = group_of[sets.root(slot)];
    if (group == no_index) {
      group = static_cast<std::uint32_t>(groups.size());
      groups.emplace_back();
    }
    groups[group].push_back(i);
  }
  return groups;
}

CollideCounts collide(ResponseBodies& bodies, std::span<const ContactPoint> contacts,
                      const CollideOptions& options) {
  CollideCounts counts;
  for (const std::vector<std::uint32_t>& group : linked_contacts(bodies, contacts)) {
    std::vector<ContactPoint> some;
    double fastest = 0, scale = 0;
    for (const std::uint32_t i : group) {
      const ContactPoint& c = contacts[i];
      some.push_back(c);
      fastest = std::max(fastest, approach(bodies, c));
      scale = std::max(scale, length(relative_velocity(bodies, c)));
    }
    const double slow = std::max(at_rest * scale, hardly_bounces * options.bounce_speed);
    if (!(fastest > slow)) continue;
    CollideCounts more;
    if (some.size() == 1) {
      follow_through(bodies, some[0], options);
      more.impulses = 1;
    } else if (options.order == ImpulseOrder::one_by_one) {
      more = one_by_one(bodies, some, options, slow);
    } else {
      more = at_once(bodies, some, options);
    }
    counts.impulses += more.impulses;
    counts.pivots += more.pivots;
  }
  return counts;
}

} // namespace carom::classic
