// From the first contact to the whole answer.
#include "carom/geometry/closest_line.h"
#include "carom/geometry/closest_point.h"
#include "carom/math/tolerance.h"
#include "carom/motion/four_points.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace carom {

namespace {

using std::size_t;

/// What the coordinates are like. Their magnitudes are compared as integers, without a branch: NaN and infinity come out as the greatest.
struct Range {
  bool good = true;  ///< all are at most 1e30
  bool tiny = false; ///< some are not zero and below 1e-30

  explicit Range(const FourPoints& points) {
    constexpr auto most = std::bit_cast<std::uint64_t>(tolerance::coordinate_max);
    constexpr auto least = std::bit_cast<std::uint64_t>(tolerance::coordinate_min);
    std::uint64_t above = 0;
    std::uint64_t below = 0;
    for (const auto* frame : {&points.from, &points.to})
      for (const Vec3& v : *frame)
        for (const double x : {v.x, v.y, v.z}) {
          const std::uint64_t bits = std::bit_cast<std::uint64_t>(x) & ~(std::uint64_t{1} << 63);
          above |= bits > most ? 1U : 0U;
          below |= bits - 1 < least - 1 ? 1U : 0U; // zero wraps around
        }
    good = above == 0;
    tiny = below != 0;
  }
};

bool in_range(const LinearOptions& options) {
  const auto length = [](double x) { return x >= 0 && x <= tolerance::coordinate_max; };
  return length(options.separation) && length(options.input_error);
}

/// Coordinates below the range, such as 1e-33 left over where there should be a zero. Where all bits of all of them still fit in the integers of the exact stage (252 bits, none below 2^-200) they
/// stay. Else the tiny ones become zero, and what that changes is an error of the input.
void drop_tiny(FourPoints& points, LinearOptions& options) {
  int low = 1 << 20;
  int high = -(1 << 20);
  const auto each = [&](const auto& call) {
    for (size_t i = 0; i < 4; ++i)
      for (int k = 0; k < 3; ++k) {
        call(points.from[i][k]);
        call(points.to[i][k]);
      }
  };
  each([&](double x) {
    if (x == 0) return;
    int exponent = 0;
    const double mantissa = std::frexp(x, &exponent);
    const auto bits = static_cast<std::int64_t>(std::ldexp(mantissa, 53));
    low = std::min(low, exponent - 53 + std::countr_zero(static_cast<std::uint64_t>(bits)));
    high = std::max(high, exponent);
  });
  if (low >= -200 && high - low <= 252) return;
  each([](double& x) {
    if (std::fabs(x) < tolerance::coordinate_min) x = 0;
  });
  options.input_error += tolerance::coordinate_min;
}

/// Where and along what they touch, in doubles.
void describe_contact(const FourPoints& points, LinearImpact& impact) {
  const double t = 0.5 * (impact.t + impact.t_upper);
  const std::array<Vec3, 4> x = points.around_first(t);
  const NearestParts nearest = nearest_parts(x, points.first);
  impact.weight = nearest.weight;
  impact.point = lerp(points.from[0], points.to[0], t) + nearest.on_first;
  const Vec3 plane =
      points.first == 1 ? cross(x[2] - x[1], x[3] - x[1]) : cross(x[1] - x[0], x[3] - x[2]);
  // From the first to the second just before: as they were at half the time.
  const NearestParts before = nearest_parts(points.around_first(0.5 * impact.t), points.first);
  const Vec3 apart = before.on_second - before.on_first;
  const Vec3 normal = normalized_or(plane, normalized_or(apart, {0, 0, 1}));
  impact.normal = dot(normal, apart) < 0 ? -normal : normal;
}

/// The greatest multiple of 2^-62 that is not greater: what proofs are made of.
double on_grid(double t) { return std::floor(t * 0x1p62) * 0x1p-62; }

} // namespace

double reach(const FourPoints& points) {
  double most = 0;
  for (size_t i = 1; i < 4; ++i)
    most = std::max(
        {most, max_abs(points.from[i] - points.from[0]), max_abs(points.to[i] - points.to[0])});
  return most;
}

NearestParts nearest_parts(const std::array<Vec3, 4>& x, int first) {
  if (first == 1) {
    const ClosestOnTriangle c = closest_point(x[0], Triangle{x[1], x[2], x[3]});
    const Vec3& b = c.barycentric;
    return {x[0], c.point, c.distance, {1, b.x, b.y, b.z}};
  }
  const ClosestLines c = closest_points(Segment{x[0], x[1]}, Segment{x[2], x[3]});
  return {c.on_a, c.on_b, c.distance, {1 - c.s, c.s, 1 - c.t, c.t}};
}

namespace {

LinearImpact impact_in_range(const FourPoints& points, const LinearOptions& options) {
  LinearImpact impact;
  const bool tolerant = options.separation > 0 || options.input_error > 0;
  ContactTime time;
  if (tolerant) {
    impact.status = LinearImpactStatus::tolerant;
    time = tolerant_contact_time(points, options.separation, options.input_error);
  } else {
    const QuickContact quick = quick_contact_time(points);
    time = quick.decided ? quick.time : exact_contact_time(points);
  }
  impact.hit = time.hit;
  impact.t = on_grid(time.lo);
  impact.t_upper = time.hi;
  if (time.hit) describe_contact(points, impact);
  if (!options.proof) return impact;
  LinearImpactProof& proof = *options.proof;
  prove_no_contact(points, impact, options, proof);
  // Directions made of doubles end a little before some contacts. What is proved is the time before that.
  if (impact.hit && !proof.complete && !proof.claims.empty() &&
      impact.t - proof.claims.back().to <= 0x1p-40) {
    impact.t = proof.claims.back().to;
    proof.complete = true;
  }
  return impact;
}

} // namespace

LinearImpact linear_impact(const FourPoints& given, const LinearOptions& asked) {
  LinearImpact impact;
  if (asked.proof) *asked.proof = {};
  const Range range(given);
  if (!range.good || !in_range(asked)) {
    impact.hit = true;
    impact.t = impact.t_upper = 0;
    impact.status = LinearImpactStatus::bad_input;
    impact.normal = {0, 0, 1};
    return impact;
  }
  if (!range.tiny) return impact_in_range(given, asked);
  FourPoints points = given;
  LinearOptions options = asked;
  drop_tiny(points, options);
  return impact_in_range(points, options);
}

} // namespace carom
