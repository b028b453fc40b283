// Linearly moving vertices that the bytes choose, hard ones and arbitrary bit patterns: answers agree with the exact oracle, proofs hold, nothing is NaN. Prints how many there were.
#include "carom/motion/edge_edge.h"
#include "carom/motion/four_points.h"
#include "carom/motion/vertex_face.h"
#include "tests/motion/linear_cases.h"
#include "tests/motion/linear_oracle.h"

#include <bit>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace carom;

struct Tally {
  unsigned long long asked = 0, by_oracle = 0, proved = 0;
  ~Tally() {
    std::fprintf(stderr, "%llu answers, %llu with complete proofs, %llu compared with rationals\n",
                 asked, proved, by_oracle);
  }
};
Tally tally; // NOLINT: prints when the program ends

LinearImpact ask(const verify::LinearQuery& q, LinearImpactProof* proof) {
  const auto& p = q.points;
  const LinearOptions options{q.separation, q.input_error, proof};
  if (q.first_part == 1) return vertex_face_impact(p[0], {p[1], p[2], p[3]}, options);
  return edge_edge_impact({p[0], p[1]}, {p[2], p[3]}, options);
}

void require(bool good, const char* what, const verify::LinearQuery& q) {
  if (good) return;
  std::fprintf(stderr, "%s: %s\n", what, test::text(q).c_str());
  std::abort();
}

void require_sane(const verify::LinearQuery& q, const LinearImpact& impact) {
  bool good = impact.t >= 0 && impact.t <= impact.t_upper && impact.t_upper <= 1;
  good = good && is_finite(impact.point) && is_finite(impact.normal);
  for (const double w : impact.weight) good = good && std::isfinite(w);
  require(good, "not sane", q);
}

void check(const verify::LinearQuery& q, bool oracle) {
  LinearImpactProof proof;
  const LinearImpact impact = ask(q, &proof);
  ++tally.asked;
  require_sane(q, impact);
  if (impact.status == LinearImpactStatus::bad_input) return;
  tally.proved += proof.complete ? 1 : 0;
  // Where tiny coordinates were dropped the proof is one of other points.
  const bool as_given = impact.status == LinearImpactStatus::exact || q.separation > 0;
  if (as_given) require(verify::check_linear_proof(q, impact, proof).ok, "the proof", q);
  if (!oracle || q.separation > 0) return;
  ++tally.by_oracle;
  const auto truth = test::LinearOracle(q).first_contact();
  require(impact.hit || !truth, "missed", q);
  if (impact.status != LinearImpactStatus::exact) return;
  require(impact.hit == truth.has_value(), "false", q);
  require(!truth || (test::Rational(impact.t) <= truth->hi &&
                     test::Rational(impact.t_upper) >= truth->lo),
          "the time", q);
}

/// Doubles of any bits, with a few exponents only, so that they have to do with each other.
double any_number(test::Source& source, bool wild) {
  const std::uint64_t mantissa = source.below(std::uint64_t{1} << 52);
  const std::uint64_t sign = source.below(2) << 63;
  const std::uint64_t any = source.below(2048);
  const std::uint64_t step = source.below(30);
  const std::uint64_t steps = source.below(4);
  const std::uint64_t exponent = wild ? any : 1023 - step * steps;
  return std::bit_cast<double>(sign | exponent << 52 | mantissa);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  test::BytesSource bytes(data, size);
  std::uint64_t seed = 1;
  for (std::size_t i = 0; i < size; ++i) seed = seed * 31 + data[i];
  test::RandomSource random(seed);
  for (int part = 1; part <= 2; ++part) {
    check(test::linear_case(bytes, part), true);
    for (int i = 0; i < 30; ++i) {
      verify::LinearQuery q = test::linear_case(random, part);
      if (random.index(4) == 3) {
        const double fraction = std::ldexp(1.0, -random.index(40));
        q.separation = test::size_of(q) * fraction;
      }
      check(q, false);
    }
    verify::LinearQuery any;
    any.first_part = part;
    const bool wild = random.index(4) == 0;
    for (MovingPoint& p : any.points)
      for (Vec3* v : {&p.from, &p.to})
        for (int k = 0; k < 3; ++k) (*v)[k] = any_number(random, wild);
    check(any, random.index(8) == 0 && !wild);
  }
  return 0;
}
