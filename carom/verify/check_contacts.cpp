#include "carom/verify/check_contacts.h"

#include <algorithm>
#include <cmath>

namespace carom::verify {
namespace {

/// In the set, and on its surface as seen from `outward`: a step that way leaves the set.
Verdict on_surface(const SetView& set, const Vec3& p, const Vec3& outward, double tolerance,
                   const char* which) {
  if (const double e = set.distance(p); !(e <= tolerance)) {
    return Verdict::off((std::string(which) + " is off its shape").c_str(), e);
  }
  // Beyond a surface within 80 degrees of `outward` the step leads out by more than a sixth of itself.
  const double step = 8 * tolerance;
  if (!(set.distance(p + outward * step) > 0)) {
    return Verdict::no(std::string(which) + " is deep within its shape");
  }
  return Verdict::yes();
}

} // namespace

Verdict check_contact(const SetView& a, const SetView& b, const Contact& c, const Vec3& normal,
                      double tolerance) {
  if (!is_finite(c.on_a) || !is_finite(c.on_b) || !std::isfinite(c.separation)) {
    return Verdict::no("a contact is not finite");
  }
  const Vec3 between = c.on_b - c.on_a;
  if (const double e = length(between - normal * c.separation); !(e <= tolerance)) {
    return Verdict::off("the points are not separation * normal apart", e);
  }
  const Verdict first = on_surface(a, c.on_a, normal, tolerance, "on_a");
  return first ? on_surface(b, c.on_b, -normal, tolerance, "on_b") : first;
}

Verdict check_contact_points(const SetView& a, const SetView& b, std::span<const Contact> contacts,
                             const Vec3& normal, double value, double margin,
                             const ContactTolerance& tolerance) {
  const double least_gap = gap(a, b, normal);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact& c = contacts[i];
    const bool deepest = c.separation <= value + tolerance.gap;
    const double room = deepest ? std::max(tolerance.points, tolerance.deepest) : tolerance.points;
    if (Verdict v = check_contact(a, b, c, normal, room); !v) return v;
    if (const double e = c.separation - std::max(margin, value); !(e <= tolerance.gap)) {
      return Verdict::off("a separation is above the margin", e);
    }
    if (const double e = least_gap - c.separation; !(e <= tolerance.gap)) {
      return Verdict::off("a separation is less than the gap along the normal", e);
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (contacts[k].id == c.id) return Verdict::no("two contacts have the same id");
      if (length(contacts[k].on_a - c.on_a) <= tolerance.same &&
          length(contacts[k].on_b - c.on_b) <= tolerance.same) {
        return Verdict::no("two contacts are at the same place");
      }
    }
  }
  return Verdict::yes();
}

Verdict check_contacts(const SetView& a, const SetView& b, const ContactManifold& m, double margin,
                       const ContactTolerance& tolerance) {
  if (m.count < 0 || m.count > 4) return Verdict::no("the count is none");
  if (!(std::fabs(length(m.normal) - 1) <= 1e-12)) {
    return Verdict::no("the normal is not a unit vector");
  }
  if (!(m.lower_bound <= m.value && m.value <= m.upper_bound)) {
    return Verdict::no("the bounds are not around the value");
  }
  const double attained = gap(a, b, m.normal);
  if (const double e = m.lower_bound - attained; !(e <= tolerance.gap)) {
    return Verdict::off("the sets are nearer along the normal than the lower bound", e);
  }
  if (m.count == 0) {
    return m.lower_bound > margin ? Verdict::yes()
                                  : Verdict::no("there are no contacts, and no separation");
  }
  if (m.lower_bound > margin) return Verdict::no("there are contacts beyond the margin");
  if (const double e = m.value - attained; !(std::fabs(e) <= tolerance.gap)) {
    return Verdict::off("the value is not the gap along the normal", e);
  }
  if (const double e = m.points[0].separation - m.value; !(std::fabs(e) <= tolerance.gap)) {
    return Verdict::off("the first contact does not attain the value", e);
  }
  return check_contact_points(a, b, m.contacts(), m.normal, m.value, margin, tolerance);
}

} // namespace carom::verify
