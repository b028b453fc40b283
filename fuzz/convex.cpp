// Every query on pairs of convex shapes that the bytes choose, at many poses each; every answer goes through the checker. Prints how many there were.
#include "carom/query/closest_point.h"
#include "carom/query/contacts.h"
#include "carom/query/distance.h"
#include "carom/query/growth_distance.h"
#include "carom/query/overlap.h"
#include "carom/query/penetration.h"
#include "carom/query/ray_cast.h"
#include "carom/query/shape_cast.h"
#include "carom/query/signed_distance.h"
#include "carom/query/span.h"
#include "carom/verify/check_closest_point.h"
#include "carom/verify/check_contacts.h"
#include "carom/verify/check_growth_distance.h"
#include "carom/verify/check_ray_cast.h"
#include "carom/verify/check_shape_cast.h"
#include "carom/verify/check_span.h"
#include "tests/query/pair_cases.h"

#include <cstdio>
#include <cstdlib>

namespace {

using namespace carom;
using test::PairCase;

/// How many answers were confirmed.
class Tally {
public:
  ~Tally() {
    std::fprintf(stderr,
                 "%llu answers verified; %llu of them with wide bounds, all depths of curved "
                 "shapes or factors of growth of shapes on edge\n",
                 count_, wide_);
  }
  void require(const verify::Verdict& verdict, const char* query, const PairCase& c) {
    ++count_;
    if (verdict) return;
    std::fprintf(stderr, "%s of %s and %s: %s, size %g\n", query, name_of(c.a.shape.kind()),
                 name_of(c.b.shape.kind()), verdict.why.c_str(), c.size);
    std::abort();
  }
  /// The promise of the bounds, which the checker does not know.
  void require(bool kept, const char* promise, const PairCase& c) {
    if (!kept) require(verify::Verdict::no("not kept"), promise, c);
  }

  /// True bounds, but farther apart than promised.
  void count_wide() { ++wide_; }

private:
  unsigned long long count_ = 0, wide_ = 0;
};
Tally tally; // NOLINT: prints when the program ends

/// Whether their overlap is decided exactly (query/exact_cores.h).
bool is_exact(const PairCase& c) {
  const auto turned = [](const Pose& pose) {
    const Mat3 m = pose.frame().basis;
    const auto is_axis = [](const Vec3& v) {
      return (v.x == 0) + (v.y == 0) + (v.z == 0) == 2 && max_abs(v) == 1;
    };
    return is_axis(m.x) && is_axis(m.y) && is_axis(m.z);
  };
  const auto plain = [](const Shape& s) {
    const auto* box = std::get_if<Obb>(&s.core());
    return s.polyhedral() && s.rounding() == 0 && s.kind() != ShapeKind::brush &&
           (!box || (box->center == Vec3{} && box->axes == Mat3::identity()));
  };
  return plain(c.a.shape) && plain(c.b.shape) && turned(c.a.pose) && turned(c.b.pose);
}

/// All queries about how far apart the shapes are; the caches are those of the pair's last poses.
void ask(const PairCase& c, PairCache& warm) {
  if (test::nearly_facing(c)) return;
  const auto& [a, pose_a] = c.a;
  const auto& [b, pose_b] = c.b;
  const bool custom = c.has(ShapeKind::custom);
  const Distance cold = distance(a, pose_a, b, pose_b);
  // Two half-spaces may meet far away only.
  const double band = c.band() + tolerance::boolean_band * max_abs(cold.on_a);
  tally.require(verify::check_distance(c.a, c.b, cold, band), "distance", c);
  const Distance again = distance(a, pose_a, b, pose_b, {}, &warm);
  tally.require(verify::check_distance(c.a, c.b, again, band), "distance with a cache", c);
  tally.require(custom || cold.status == Status::ok, "status of the distance", c);
  tally.require(custom || cold.value - cold.lower_bound <= c.promised(), "bounds of the distance",
                c);
  const ShapeOverlap o = overlap(a, pose_a, b, pose_b, &warm);
  tally.require(verify::check_overlap(c.a, c.b, o, band), "overlap", c);
  if (is_exact(c)) {
    tally.require(o.hit == (cold.value == 0) && o.hit == (again.value == 0), "agreement", c);
    tally.require(o.hit == (signed_distance(a, pose_a, b, pose_b).value <= 0), "signs", c);
  }
  if (!a.bounded() && !b.bounded()) return;
  // The bounds of a custom shape are those of its support function, which may be off; curved ones are not known to the last bit.
  const double sets = c.band() + (custom ? 1e-6 : c.polyhedral() ? 0 : 1e-12) * c.size;
  const double slack = sets + (c.polyhedral() ? 4e-12 : 1e-5) * c.size;
  const SignedDistance s = signed_distance(a, pose_a, b, pose_b, {}, &warm);
  const double points = s.status == Status::wide ? INFINITY : slack + s.upper_bound - s.lower_bound;
  tally.require(verify::check_signed_distance(c.a, c.b, s, sets, points, 1), "signed distance", c);
  if (!custom && s.status == Status::wide) tally.count_wide();
  tally.require(!c.polyhedral() || s.status == Status::ok, "status of the signed distance", c);
  const Penetration p = penetration(a, pose_a, b, pose_b);
  const double depth_points =
      p.status == Status::wide ? INFINITY : slack + p.upper_bound - p.lower_bound;
  tally.require(verify::check_penetration(c.a, c.b, p, sets, depth_points, 1), "penetration", c);
}

/// A moves toward B or past it; a ray likewise against each of them. Tolerances as in the tests of casts.
void cast(const PairCase& c, test::Source& source) {
  if (test::nearly_facing(c)) return;
  const auto& [a, pose_a] = c.a;
  const auto& [b, pose_b] = c.b;
  const Vec3 from = test::point_of(source, c.a);
  const Vec3 to = test::point_of(source, c.b);
  const double factor = std::ldexp(1.0, source.index(8) - 3);
  const Vec3 translation = test::coordinates((to - from) * factor);
  const ShapeCast s = shape_cast(a, pose_a, translation, b, pose_b);
  if (!(s.initial_overlap && s.status == Status::wide)) {
    const double way = tolerance::boolean_band * (s.t * max_abs(translation) + max_abs(s.point));
    const double sets = 2 * c.band() + 2 * way;
    const double points = sets + (c.polyhedral() ? 1e-13 : 1e-11) * c.size;
    tally.require(verify::check_shape_cast(c.a, translation, c.b, s, {sets, points, INFINITY}),
                  "shape cast", c);
  }
  const Ray ray{test::coordinates(from), translation};
  const RayHit h = ray_cast(b, pose_b, ray, {.max_t = INFINITY, .prove_misses = true});
  const double exact = b.polyhedral() || h.iterations == 0 ? 1e-13 : 1e-11;
  const double reach = h.hit ? h.t * max_abs(translation) : 0;
  tally.require(verify::check_ray_cast(c.b, ray, INFINITY, h, exact * (c.size + reach) + c.band()),
                "ray cast", c);
}

/// Contact manifolds at some margin.
void touch(const PairCase& c, test::Source& source) {
  if (test::nearly_facing(c)) return;
  static constexpr double margins[] = {0, 0, 1e-9, 0.01, 0.3};
  const double margin = margins[source.index(5)] * (c.a.shape.size() + c.b.shape.size());
  std::vector<Contact> all;
  const ContactManifold m =
      contacts(c.a.shape, c.a.pose, c.b.shape, c.b.pose, {.margin = margin, .all = &all});
  if (!std::isfinite(m.value) || m.status == Status::wide || c.has(ShapeKind::custom)) return;
  const auto t = test::contact_tolerance(c);
  tally.require(verify::check_contacts(c.a, c.b, m, margin, t), "contacts", c);
  tally.require(verify::check_contact_points(c.a, c.b, all, m.normal, m.value, margin, t), "patch",
                c);
}

/// By how much they grow until they touch, about points of theirs.
void grow(PairCase c, test::Source& source) {
  if (test::nearly_facing(c)) return;
  const Vec3 center_a = test::center_in(source, c.a.shape);
  const Vec3 center_b = test::center_in(source, c.b.shape);
  const GrowthDistance g =
      growth_distance(c.a.shape, c.a.pose, center_a, c.b.shape, c.b.pose, center_b);
  if (g.status == Status::bad_input) return; // a centre moved to 0 or 1e-30 is outside
  // Two half-spaces may meet far away only.
  const bool far = !c.a.shape.bounded() && !c.b.shape.bounded();
  c.size += max_abs(center_a) + max_abs(center_b) + (far ? max_abs(g.on_a) : 0);
  const double points = (c.polyhedral() ? 1e-13 : 1e-11) * c.size;
  tally.require(verify::check_growth_distance({c.a, c.a.pose.frame().to_world(center_a)},
                                              {c.b, c.b.pose.frame().to_world(center_b)}, g,
                                              c.band(), c.band() + points),
                "growth distance", c);
  const bool custom = c.has(ShapeKind::custom);
  tally.require(custom || g.status == Status::ok || g.value == INFINITY, "status of the growth", c);
  if (!custom && g.status == Status::wide) tally.count_wide();
}

/// How far a point is from B.
void point(PairCase c, test::Source& source) {
  const Vec3 p = test::coordinates(test::point_for(source, c.b, c.b.shape.size()));
  const SurfacePoint s = closest_point(p, c.b.shape, c.b.pose);
  if (s.status == Status::wide) return;
  c.size += max_abs(p);
  const double open = s.upper_bound - s.lower_bound;
  const double sets = c.band() + (c.b.shape.polyhedral() ? 1e-13 : 2e-12) * c.size + open;
  // A direction that attains all but e of a distance d is within sqrt(2 e / d) of the right one.
  const double points = sets + (s.value > 0 ? std::sqrt(2 * s.value * open) : 0);
  tally.require(verify::check_closest_point(p, c.b, s, sets, points, 1), "closest point", c);
}

/// How far apart their farthest points are.
void reach(const PairCase& c) {
  const Span s = span(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
  tally.require(verify::check_span(c.a, c.b, s, c.band()), "span", c);
  const bool open = c.has(ShapeKind::custom) || s.value == INFINITY;
  tally.require(open || s.status == Status::ok, "status of the span", c);
  tally.require(open || s.upper_bound - s.value <= c.promised(), "bounds of the span", c);
}

/// All queries about one pair of poses.
void ask_all(const PairCase& c, PairCache& warm, test::Source& source) {
  ask(c, warm);
  cast(c, source);
  touch(c, source);
  grow(c, source);
  point(c, source);
  // It takes as long as all others together, and up to a hundred times as long.
  if (source.chance(64)) reach(c);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  test::BytesSource bytes(data, size);
  const auto kind_a = static_cast<ShapeKind>(bytes.index(convex_kinds));
  const auto kind_b = static_cast<ShapeKind>(bytes.index(convex_kinds));
  const PairCase first = test::pair_case(bytes, kind_a, kind_b);
  PairCache warm;
  ask_all(first, warm, bytes);
  // Shapes are dear and poses are cheap: more of them, from a seed.
  std::uint64_t seed = bytes.below(std::uint64_t{1} << 32);
  for (std::size_t i = 0; i < size; ++i) seed = seed * 31 + data[i];
  test::RandomSource random(seed);
  const double scale = first.a.shape.size() + first.b.shape.size();
  for (int i = 0; i < 32; ++i) {
    const PairCase next = test::placed(random, first.a.shape, first.b.shape, scale);
    ask_all(next, warm, random);
  }
  return 0;
}
