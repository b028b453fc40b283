// A logged answer before the checker. Tolerances are those of the library's own tests, ten times as wide: what is found here is wrong, not unlucky.
#include "carom/math/tolerance.h"
#include "carom/record/query_log.h"
#include "carom/verify/check_closest_point.h"
#include "carom/verify/check_composite.h"
#include "carom/verify/check_contacts.h"
#include "carom/verify/check_motion.h"
#include "carom/verify/check_query.h"
#include "carom/verify/check_ray_cast.h"
#include "carom/verify/check_shape_cast.h"
#include "carom/verify/shape.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

constexpr int directions = 32;   ///< tried against a depth
constexpr int time_samples = 32; ///< looked at before an impact

using verify::Verdict;

struct Checker {
  const LoggedQuery& query;

  [[nodiscard]] verify::PlacedShape a() const { return {query.a, query.question.a.start}; }
  [[nodiscard]] verify::PlacedShape b() const { return {*query.b, query.question.b.start}; }
  [[nodiscard]] bool convex() const { return query.a.convex() && (!query.b || query.b->convex()); }
  [[nodiscard]] bool polyhedral() const {
    return query.a.polyhedral() && query.a.rounding() == 0 &&
           (!query.b || (query.b->polyhedral() && query.b->rounding() == 0));
  }
  [[nodiscard]] double size() const {
    const Question& q = query.question;
    double s = query.a.size() + max_abs(q.a.start.position) + max_abs(q.a.translation) +
               max_abs(q.translation);
    if (query.b) s += query.b->size() + max_abs(q.b.start.position) + max_abs(q.b.translation);
    return s + 10 * tolerance::coordinate_min;
  }
  /// How far points may be off their sets, and how much two directions may differ in what they separate.
  [[nodiscard]] double sets() const { return (polyhedral() ? 1e-11 : 1e-9) * size(); }
  [[nodiscard]] double points() const { return (polyhedral() ? 4e-11 : 1e-4) * size(); }

  Verdict operator()(const ShapeOverlap& x) const {
    if (convex()) return verify::check_overlap(a(), b(), x, sets());
    return verify::check_composite_overlap(a(), b(), x, sets());
  }
  Verdict operator()(const Distance& x) const {
    if (convex()) return verify::check_distance(a(), b(), x, sets());
    return verify::check_composite_distance(a(), b(), x, sets());
  }
  Verdict operator()(const Penetration& x) const {
    const double slack =
        x.status == Status::wide ? INFINITY : points() + x.upper_bound - x.lower_bound;
    if (convex()) return verify::check_penetration(a(), b(), x, sets(), slack, directions);
    if (x.depth <= 0) return Verdict::yes();
    for (const auto& [p, set] : {std::pair{x.on_a, a()}, std::pair{x.on_b, b()}})
      if (const double off = verify::distance(p, set); !(off <= sets()))
        return Verdict::off("a point is off its shape by", off);
    const double off = length(x.on_a - x.on_b - x.normal * x.depth);
    return off <= slack ? Verdict::yes() : Verdict::off("the points and the depth differ by", off);
  }
  Verdict operator()(const ContactManifold& x) const {
    if (!convex()) return Verdict::no("contacts of shapes that are not convex");
    const verify::ContactTolerance t{.points = 1e-11 * size(),
                                     .gap = sets(),
                                     .deepest = points(),
                                     .same = 16 * tolerance::epsilon * size()};
    return verify::check_contacts(a(), b(), x, query.question.margin, t);
  }
  Verdict operator()(const RayHit& x) const {
    const Question& q = query.question;
    const double far = x.hit ? max_abs(x.point) : max_abs(q.ray.origin);
    const double off = sets() + 1e-10 * (far + max_abs(q.ray.origin));
    if (convex()) return verify::check_ray_cast(a(), q.ray, q.max_t, x, off);
    return verify::check_composite_ray_cast(a(), q.ray, q.max_t, x, off);
  }
  Verdict operator()(const ShapeCast& x) const {
    const Question& q = query.question;
    const double near = points() + q.error;
    if (convex())
      return verify::check_shape_cast(a(), q.translation, b(), x, {sets(), near, INFINITY});
    return verify::check_composite_shape_cast(a(), q.translation, b(), q.max_t, x, sets(), near);
  }
  Verdict operator()(const SurfacePoint& x) const {
    const double off = sets() + 1e-10 * max_abs(query.question.point);
    if (!convex()) return verify::check_composite_closest_point(query.question.point, a(), x, off);
    return verify::check_closest_point(query.question.point, a(), x, off,
                                       off + points() + x.upper_bound - x.lower_bound, directions);
  }
  Verdict operator()(const TimeOfImpact& x) const {
    const Question& q = query.question;
    if (x.initial_overlap) return Verdict::yes(); // a penetration, whose check needs its bounds
    const double error =
        std::max(q.error, 1e-9 * size()) * (1 + std::fabs(q.a.angle) + std::fabs(q.b.angle));
    return verify::check_impact(query.a, q.a, *query.b, q.b, x, q.margin, 4 * error, q.max_t,
                                time_samples,
                                sets() * (1 + std::fabs(q.a.angle) + std::fabs(q.b.angle)));
  }
};

} // namespace

Verdict check(const LoggedQuery& query) {
  const bool refused =
      std::visit([](const auto& x) { return x.status == Status::bad_input; }, query.answer);
  return refused ? Verdict::yes() : std::visit(Checker{query}, query.answer);
}

std::string describe(const LoggedQuery& query) {
  constexpr const char* names[] = {"overlap",  "distance",   "penetration",   "contacts",
                                   "ray cast", "shape cast", "closest point", "time of impact"};
  std::string text = std::string(names[query.answer.index()]) + " of " + name_of(query.a.kind());
  if (query.b) text += std::string(" and ") + name_of(query.b->kind());
  return text;
}

} // namespace carom
