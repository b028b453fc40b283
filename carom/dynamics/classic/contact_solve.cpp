#include "carom/dynamics/classic/contact_solve.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::classic {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
/// Rounds in which the bounds of friction follow the normal impulses, and how near is near enough.
constexpr int friction_rounds = 8;
constexpr double friction_agrees = 1e-3;

bool can_push(const ResponseBodies& bodies, const ContactPoint& c) {
  return bodies[c.a].inverse_mass > 0 || bodies[c.b].inverse_mass > 0;
}

Vec3 along(const Vec3& v, const Vec3& n) { return v - n * dot(v, n); }

double excess(const ContactPoint& c, const Vec3& impulse) {
  const double normal = dot(impulse, c.normal);
  return length(impulse - c.normal * normal) - c.friction * normal;
}

/// One contact gets what it lacks. How much its speed changed.
double solve_contact(ResponseBodies& bodies, const ContactPoint& c, const Mat3& k,
                     const ContactWish& wish, Vec3& carried) {
  const Vec3& n = c.normal;
  const Vec3 before = carried;
  const double normal = dot(carried, n), kn = dot(n, k * n);
  const double lack = (wish.speed - dot(relative_velocity(bodies, c), n)) / kn;
  const double wanted = std::max(wish.impulse, normal + lack);
  push(bodies, c, n * (wanted - normal));
  Vec3 friction = along(carried, n);
  const Vec3 slide = along(relative_velocity(bodies, c), n);
  const double speed = length(slide);
  if (speed > 0) {
    const Vec3 s = slide / speed, old = friction;
    friction -= s * (speed / dot(s, k * s));
    const double size = length(friction), most = c.friction * wanted;
    if (size > most) friction *= size > 0 ? most / size : 0;
    push(bodies, c, friction - old);
  }
  carried = n * wanted + friction;
  return length(k * (carried - before));
}

/// Directions of a contact's rows. The first tangent is the way it slides, or would.
struct Rows {
  Vec3 direction[3];
};

Rows rows_of(const ResponseBodies& bodies, const ContactPoint& c) {
  const Vec3 slide = along(relative_velocity(bodies, c), c.normal);
  const Vec3 s = normalized_or(slide, perpendicular(c.normal));
  // At right angles to the normal to within rounding, also where the sliding is slow.
  const Vec3 t = normalized_or(cross(c.normal, s), perpendicular(c.normal));
  return {{c.normal, cross(t, c.normal), t}};
}

void fill_matrix(const ResponseBodies& bodies, std::span<const ContactPoint> contacts,
                 const std::vector<Rows>& rows, ContactSolution& out) {
  const std::size_t n = contacts.size(), size = 3 * n;
  out.matrix.assign(size * size, 0);
  out.constant.assign(size, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 v = relative_velocity(bodies, contacts[i]);
    for (std::size_t r = 0; r < 3; ++r) out.constant[3 * i + r] = dot(v, rows[i].direction[r]);
    for (std::size_t j = 0; j <= i; ++j) {
      const Mat3 k = impulse_matrix(bodies, contacts[i], contacts[j]);
      for (std::size_t s = 0; s < 3; ++s) {
        const Vec3 column = k * rows[j].direction[s];
        for (std::size_t r = 0; r < 3; ++r) {
          const double value = dot(rows[i].direction[r], column);
          out.matrix[(3 * i + r) * size + 3 * j + s] = value;
          out.matrix[(3 * j + s) * size + 3 * i + r] = value;
        }
      }
    }
  }
}

} // namespace

ContactSolution solve_one_by_one(ResponseBodies& bodies, std::span<const ContactPoint> contacts,
                                 std::span<const ContactWish> wishes, int rounds,
                                 double tolerance) {
  ContactSolution out;
  out.impulses.resize(contacts.size());
  std::vector<Mat3> k(contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!can_push(bodies, contacts[i])) continue;
    k[i] = impulse_matrix(bodies, contacts[i]);
    out.impulses[i] = wishes[i].guess;
    push(bodies, contacts[i], wishes[i].guess);
  }
  for (double change = inf; out.rounds < rounds && change > tolerance; ++out.rounds) {
    change = 0;
    for (std::size_t i = 0; i < contacts.size(); ++i)
      if (can_push(bodies, contacts[i]))
        change =
            std::max(change, solve_contact(bodies, contacts[i], k[i], wishes[i], out.impulses[i]));
  }
  for (std::size_t i = 0; i < contacts.size(); ++i)
    out.friction_excess = std::max(out.friction_excess, excess(contacts[i], out.impulses[i]));
  return out;
}

ContactSolution solve_at_once(ResponseBodies& bodies, std::span<const ContactPoint> contacts,
                              std::span<const ContactWish> wishes) {
  ContactSolution out;
  const std::size_t n = contacts.size();
  out.impulses.resize(n);
  std::vector<Rows> rows;
  for (const ContactPoint& c : contacts) rows.push_back(rows_of(bodies, c));
  fill_matrix(bodies, contacts, rows, out);
  out.low.assign(3 * n, 0);
  out.high.assign(3 * n, 0);
  std::vector<double> bound(n);
  for (std::size_t i = 0; i < n; ++i) {
    out.constant[3 * i] -= wishes[i].speed;
    out.low[3 * i] = wishes[i].impulse;
    out.high[3 * i] = inf;
    bound[i] = contacts[i].friction * dot(wishes[i].guess, contacts[i].normal);
    for (std::size_t r = 0; r < 3; ++r) out.x.push_back(dot(wishes[i].guess, rows[i].direction[r]));
  }
  // What nothing can push has a row of zeros: it is left out by bounds of 0.
  for (std::size_t i = 0; i < n; ++i)
    if (!can_push(bodies, contacts[i])) out.low[3 * i] = out.high[3 * i] = 0;
  for (out.rounds = 0; out.rounds < friction_rounds; ++out.rounds) {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t r = 1; r < 3; ++r) {
        out.low[3 * i + r] = -bound[i];
        out.high[3 * i + r] = bound[i];
      }
    Complementarity c = solve_complementarity(out.problem(), out.x);
    out.pivots += c.pivots;
    out.status = c.status;
    if (c.x.empty() || c.status == ComplementarityStatus::none) break;
    out.x = std::move(c.x);
    double change = 0, most = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double wanted = contacts[i].friction * out.x[3 * i];
      change = std::max(change, std::fabs(wanted - bound[i]));
      most = std::max(most, wanted);
      // Where the bounds do not come to rest of themselves, they are drawn there.
      bound[i] = out.rounds < 3 ? wanted : 0.5 * (bound[i] + wanted);
    }
    if (change <= friction_agrees * most) break;
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t r = 0; r < 3; ++r) out.impulses[i] += rows[i].direction[r] * out.x[3 * i + r];
    push(bodies, contacts[i], out.impulses[i]);
    out.friction_excess = std::max(out.friction_excess, excess(contacts[i], out.impulses[i]));
  }
  return out;
}

} // namespace carom::classic
