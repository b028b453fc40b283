// The queries on shapes that are not convex, which the bytes choose: every answer goes through the checker, by all pairs of parts; and every proof. Prints how many there were.
#include "carom/query/closest_point.h"
#include "carom/query/distance.h"
#include "carom/query/hausdorff.h"
#include "carom/query/overlap.h"
#include "carom/query/penetration.h"
#include "carom/query/prove.h"
#include "carom/query/prove_depth.h"
#include "carom/query/ray_cast.h"
#include "carom/query/shape_cast.h"
#include "carom/query/span.h"
#include "carom/verify/check_depth_proof.h"
#include "carom/verify/check_hausdorff.h"
#include "carom/verify/check_proof.h"
#include "tests/query/composite_cases.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using namespace carom;
using test::CompositeCase;

class Tally {
public:
  ~Tally() { std::fprintf(stderr, "%llu answers verified\n", count_); }
  void require(const verify::Verdict& verdict, const char* query, const CompositeCase& c) {
    ++count_;
    if (verdict) return;
    std::fprintf(stderr, "%s of %s and %s: %s, size %g\n", query, name_of(c.a.shape.kind()),
                 name_of(c.b.shape.kind()), verdict.why.c_str(), c.size);
    std::abort();
  }

private:
  unsigned long long count_ = 0;
};
Tally tally; // NOLINT: prints when the program ends

void ask_pair(const CompositeCase& c, test::Source& source) {
  const auto& [shape_a, pose_a] = c.a;
  const auto& [shape_b, pose_b] = c.b;
  const Distance d = distance(shape_a, pose_a, shape_b, pose_b);
  tally.require(verify::check_composite_distance(c.a, c.b, d, c.band()), "distance", c);
  const ShapeOverlap o = overlap(shape_a, pose_a, shape_b, pose_b);
  tally.require(verify::check_composite_overlap(c.a, c.b, o, c.band()), "overlap", c);
  if (d.lower_bound > 0 && d.status == Status::ok && !c.searched) {
    const auto proof = prove(shape_a, pose_a, shape_b, pose_b, d);
    tally.require(proof ? verify::check_proof(c.a, c.b, *proof, c.promised() + c.band())
                        : verify::Verdict::no("no proof"),
                  "proof", c);
  }
  const Vec3 toward = pose_b.position - pose_a.position;
  const Vec3 aside = test::direction(source);
  const Vec3 translation = toward * 1.5 + aside * (0.2 * shape_a.size());
  const ShapeCast cast = shape_cast(shape_a, pose_a, translation, shape_b, pose_b);
  const double size = c.size + max_abs(translation);
  if (cast.status != Status::wide && cast.status != Status::bad_input) {
    tally.require(verify::check_composite_shape_cast(c.a, translation, c.b, 1, cast,
                                                     c.band() + 2e-14 * max_abs(translation),
                                                     (c.exact ? 1e-13 : 1e-10) * size),
                  "shape cast", c);
  }
  if (!c.searched && source.chance(4)) {
    const Span s = span(shape_a, pose_a, shape_b, pose_b);
    tally.require(verify::check_composite_span(c.a, c.b, s, c.band()), "span", c);
  }
}

/// The search for a depth takes its time: not for each.
void ask_depth(const CompositeCase& c) {
  const auto& [shape_a, pose_a] = c.a;
  const auto& [shape_b, pose_b] = c.b;
  const Penetration p = penetration(shape_a, pose_a, shape_b, pose_b);
  if (p.upper_bound == 0 || !(p.upper_bound < INFINITY) || c.searched) return;
  const double band = 1e-11 * c.size;
  Pose there = pose_b;
  there.position += p.normal * p.upper_bound;
  const auto apart = prove_apart(shape_a, pose_a, shape_b, there, {}, 0);
  tally.require(apart ? verify::check_proof(c.a, {shape_b, there}, *apart, band)
                      : verify::Verdict::no("no proof"),
                "separation", c);
  if (p.lower_bound == 0 || !shape_a.bounded() || !shape_b.bounded()) return;
  const auto deep = prove_depth(shape_a, pose_a, shape_b, pose_b, p);
  tally.require(deep ? verify::check_depth_proof(c.a, c.b, *deep, band)
                     : verify::Verdict::no("no proof"),
                "depth", c);
}

void ask_hausdorff(const CompositeCase& c, test::Source& source) {
  const OneSidedHausdorff h = one_sided_hausdorff(c.a.shape, c.a.pose, c.b.shape, c.b.pose,
                                                  {.relative_error = 0.05, .max_points = 2000});
  std::vector<Vec3> samples;
  if (c.a.shape.bounded() && c.a.shape.convex())
    for (int i = 0; i < 8; ++i) samples.push_back(test::point_of(source, c.a));
  tally.require(
      verify::check_hausdorff(c.a, c.b, h, samples, (c.exact ? 1e-12 : 1e-10) * c.size + c.band()),
      "hausdorff", c);
}

void ask_one(const CompositeCase& c, test::Source& source) {
  const double scale = c.b.shape.size();
  const Vec3 p = test::coordinates(test::point_for(source, c.b, scale));
  const Vec3 q = test::coordinates(test::point_for(source, c.b, scale));
  const double size = c.b.shape.size() + max_abs(c.b.pose.position) + max_abs(p) + max_abs(q);
  const double band = (c.exact ? 1e-13 : 1e-10) * size;
  const SurfacePoint s = closest_point(p, c.b.shape, c.b.pose);
  tally.require(verify::check_composite_closest_point(p, c.b, s, band), "closest point", c);
  const Ray ray{p, q - p};
  const RayHit h = ray_cast(c.b.shape, c.b.pose, ray);
  if (h.status == Status::wide || h.status == Status::bad_input) return;
  tally.require(verify::check_composite_ray_cast(c.b, ray, INFINITY, h,
                                                 band + (h.hit ? 1e-13 * max_abs(h.point) : 0)),
                "ray", c);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  test::BytesSource bytes(data, size);
  const auto kind_a = static_cast<ShapeKind>(bytes.index(shape_kinds));
  const auto kind_b =
      static_cast<ShapeKind>(convex_kinds + bytes.index(shape_kinds - convex_kinds));
  const CompositeCase c = test::composite_case(bytes, kind_a, kind_b);
  ask_pair(c, bytes);
  ask_one(c, bytes);
  if (bytes.chance(8)) ask_depth(c);
  if (bytes.chance(8)) ask_hausdorff(c, bytes);
  return 0;
}
