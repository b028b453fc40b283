// Vertex against face and edge against edge: hits, misses and times are those of exact rationals; proofs hold.
#include "carom/motion/edge_edge.h"
#include "carom/motion/four_points.h"
#include "carom/motion/vertex_face.h"
#include "tests/motion/linear_cases.h"
#include "tests/motion/linear_oracle.h"
#include "tests/support/property.h"

namespace carom::test {
namespace {

using verify::LinearQuery;

LinearImpact ask(const LinearQuery& q, LinearImpactProof* proof = nullptr) {
  const auto& p = q.points;
  const LinearOptions options{q.separation, q.input_error, proof};
  if (q.first_part == 1) return vertex_face_impact(p[0], {p[1], p[2], p[3]}, options);
  return edge_edge_impact({p[0], p[1]}, {p[2], p[3]}, options);
}

FourPoints four(const LinearQuery& q) {
  FourPoints f;
  for (std::size_t i = 0; i < 4; ++i) {
    f.from[i] = q.points[i].from;
    f.to[i] = q.points[i].to;
  }
  f.first = q.first_part;
  return f;
}

/// The first contact of the exact oracle is in [t, t_upper].
template<class Times>
bool agrees(const Times& impact, double t, double t_upper,
            const std::optional<RationalRoot>& truth) {
  if (impact.hit != truth.has_value()) return false;
  return !truth || (Rational(t) <= truth->hi && Rational(t_upper) >= truth->lo);
}

void expect_exact(const LinearQuery& q) {
  const auto truth = LinearOracle(q).first_contact();
  LinearImpactProof proof;
  const LinearImpact impact = ask(q, &proof);
  EXPECT_EQ(impact.status, LinearImpactStatus::exact);
  EXPECT_TRUE(agrees(impact, impact.t, impact.t_upper, truth))
      << text(q) << impact.hit << " at " << impact.t << " to " << impact.t_upper << ", true "
      << truth.has_value() << ' ' << (truth ? truth->lo.get_d() : 1);
  // The two stages alone: neither leans on the other.
  const ContactTime exact = exact_contact_time(four(q));
  EXPECT_TRUE(agrees(exact, exact.lo, exact.hi, truth)) << text(q) << exact.lo;
  if (const QuickContact quick = quick_contact_time(four(q)); quick.decided) {
    EXPECT_TRUE(agrees(quick.time, quick.time.lo, quick.time.hi, truth))
        << text(q) << quick.time.lo;
  }
  const verify::Verdict proved = verify::check_linear_proof(q, impact, proof);
  EXPECT_TRUE(proved) << text(q) << proved.why;
  // The points at t are those of a time within the interval: at most 2^-20 of the size away where it is as long as that.
  const double size = size_of(q);
  const double motion = max_abs(q.points[0].to - q.points[0].from) + 4 * size;
  const double tolerance = 64 * 0x1p-52 * size + 4 * (impact.t_upper - impact.t) * motion;
  const verify::Verdict contact = verify::check_linear_contact(q, impact, tolerance);
  EXPECT_TRUE(contact) << text(q) << contact.why;
}

class LinearImpactOf : public ::testing::TestWithParam<int> {};

TEST_P(LinearImpactOf, HardCasesAgreeWithRationals) {
  for_each_seed(fewer_when_sanitized(500),
                [](Source& source) { expect_exact(linear_case(source, GetParam())); });
}

/// Nearly all hits have a complete proof, and so have misses, but for those made to miss by a rounding: else checking them would mean little.
TEST_P(LinearImpactOf, ProofsAreComplete) {
  std::array<int, 2> asked{};
  std::array<int, 2> complete{};
  for_each_seed(fewer_when_sanitized(2000), [&](Source& source) {
    LinearImpactProof proof;
    const LinearImpact impact = ask(linear_case(source, GetParam()), &proof);
    ++asked[impact.hit];
    complete[impact.hit] += proof.complete ? 1 : 0;
  });
  EXPECT_GE(complete[1], 0.99 * asked[1]);
  EXPECT_GE(complete[0], 0.85 * asked[0]);
}

/// A claim that is not true is found out.
TEST_P(LinearImpactOf, CheckerRefusesFalseProofs) {
  int refused = 0;
  for_each_seed(500, [&](Source& source) {
    const LinearQuery q = linear_case(source, GetParam());
    LinearImpactProof proof;
    LinearImpact impact = ask(q, &proof);
    if (!impact.hit || impact.t_upper > 0.9) return;
    // It goes on as if nothing had been hit.
    impact.hit = false;
    for (const auto kind :
         {LinearClaim::Kind::fixed, LinearClaim::Kind::volume, LinearClaim::Kind::beyond}) {
      LinearImpactProof wrong = proof;
      wrong.claims.push_back({kind, impact.t, 1, {0.6, 0.48, 0.64}, 0});
      wrong.complete = true;
      EXPECT_FALSE(verify::check_linear_proof(q, impact, wrong));
      ++refused;
    }
    LinearImpactProof none;
    none.complete = true;
    EXPECT_FALSE(verify::check_linear_proof(q, impact, none));
  });
  EXPECT_GT(refused, 100);
}

TEST_P(LinearImpactOf, SwappingEndsOfTimeKeepsTheAnswer) {
  for_each_seed(fewer_when_sanitized(5000), [](Source& source) {
    const LinearQuery q = linear_case(source, GetParam());
    LinearQuery reversed = q;
    for (MovingPoint& p : reversed.points) std::swap(p.from, p.to);
    EXPECT_EQ(ask(q).hit, ask(reversed).hit) << text(q);
  });
}

/// Brute force over sampled times, in long double: never nearer than the separation before t; and at t, not farther than that and the tolerance.
TEST_P(LinearImpactOf, SeparationIsKept) {
  for_each_seed(fewer_when_sanitized(4000), [](Source& source) {
    LinearQuery q = linear_case(source, GetParam());
    const double size = size_of(q);
    static constexpr double fractions[] = {1e-12, 1e-6, 0.01, 0.1, 0.5};
    q.separation = size * fractions[source.index(5)];
    if (source.chance(3)) q.input_error = size * 1e-9;
    if (!(size > 0)) return;
    LinearImpactProof proof;
    const LinearImpact impact = ask(q, &proof);
    const double counts = q.separation + 3.4642 * q.input_error;
    EXPECT_EQ(impact.status, LinearImpactStatus::tolerant);
    for (int i = 0; i < 50 && impact.t > 0; ++i) {
      const double t = impact.t * (i + 0.5) / 50;
      const auto x = four(q).around_first(t);
      EXPECT_GT(nearest_parts(x, q.first_part).distance, counts - 1e-14 * size) << text(q) << t;
    }
    const verify::Verdict contact =
        verify::check_linear_contact(q, impact, 2 * linear_tolerance * size);
    EXPECT_TRUE(contact) << text(q) << contact.why;
    const verify::Verdict proved = verify::check_linear_proof(q, impact, proof);
    EXPECT_TRUE(proved) << text(q) << proved.why;
    // What touches exactly is near, too, and not later.
    LinearQuery plain = q;
    plain.separation = plain.input_error = 0;
    if (const LinearImpact exact = ask(plain); exact.hit) {
      EXPECT_TRUE(impact.hit) << text(q);
      EXPECT_LE(impact.t, exact.t_upper) << text(q);
    }
  });
}

TEST_P(LinearImpactOf, BadInputIsASafeHit) {
  for_each_seed(200, [](Source& source) {
    LinearQuery q = linear_case(source, GetParam());
    static constexpr double bad[] = {NAN, INFINITY, -INFINITY, 1e31, -1e31, 1e300, -NAN};
    MovingPoint& p = q.points[static_cast<std::size_t>(source.index(4))];
    Vec3& v = source.index(2) ? p.from : p.to;
    v[source.index(3)] = bad[source.index(7)];
    const LinearImpact impact = ask(q);
    EXPECT_EQ(impact.status, LinearImpactStatus::bad_input);
    EXPECT_TRUE(impact.hit);
    EXPECT_EQ(impact.t, 0);
    EXPECT_TRUE(is_finite(impact.point) && is_finite(impact.normal));
  });
  LinearQuery q;
  q.first_part = GetParam();
  q.separation = -1;
  EXPECT_EQ(ask(q).status, LinearImpactStatus::bad_input);
  q.separation = NAN;
  EXPECT_EQ(ask(q).status, LinearImpactStatus::bad_input);
}

/// Coordinates that should be zero and are not quite: exact where they fit, safe where not.
TEST_P(LinearImpactOf, TinyCoordinatesAreNoObstacle) {
  for_each_seed(fewer_when_sanitized(2000), [](Source& source) {
    LinearQuery q = linear_case(source, GetParam());
    if (size_of(q) < 0.1 || size_of(q) > 100) return;
    static constexpr double tinies[] = {1e-31, -3.7e-33, 1.1e-40, 1e-60, 1e-300, 5e-324};
    const double tiny = tinies[source.index(6)];
    for (MovingPoint& p : q.points)
      for (Vec3* v : {&p.from, &p.to})
        for (int k = 0; k < 3; ++k)
          if ((*v)[k] == 0 && source.index(2)) (*v)[k] = tiny;
    LinearImpactProof proof;
    const LinearImpact impact = ask(q, &proof);
    EXPECT_NE(impact.status, LinearImpactStatus::bad_input);
    if (std::fabs(tiny) > 1e-45) {
      EXPECT_EQ(impact.status, LinearImpactStatus::exact);
      EXPECT_TRUE(verify::check_linear_proof(q, impact, proof)) << text(q);
    }
    if (source.chance(10)) {
      const bool truth = LinearOracle(q).first_contact().has_value();
      EXPECT_TRUE(impact.hit || !truth) << text(q);
      if (impact.status == LinearImpactStatus::exact) {
        EXPECT_EQ(impact.hit, truth) << text(q);
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Parts, LinearImpactOf, ::testing::Values(1, 2));

} // namespace
} // namespace carom::test
