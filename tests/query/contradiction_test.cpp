#include "carom/query/contradiction.h"

#include "tests/support/generate.h"
#include "tests/support/property.h"

#include <gmpxx.h>

#include <vector>

namespace carom {
namespace {

using test::Source;

/// Half-spaces around some point, or nearly; the greater `beyond`, the less they have in common.
std::vector<Constraint3> constraints_of(Source& source, double beyond) {
  std::vector<Constraint3> constraints;
  const Vec3 center = test::vec3(source);
  const int n = 4 + source.index(60);
  for (int i = 0; i < n; ++i) {
    const Vec3 normal = test::direction(source);
    const double offset = source.uniform(-beyond, 1);
    constraints.push_back({normal, dot(normal, center) + offset});
  }
  return constraints;
}

// What is found is a proof: summed up exactly, the normals cancel but for rounding, and the offsets do not.
TEST(Contradiction, ProvesThatNothingIsLeft) {
  int infeasible = 0;
  int found = 0;
  test::for_each_seed(test::fewer_when_sanitized(2000), [&](Source& source) {
    const double beyond = source.uniform(0, 1);
    const std::vector<Constraint3> constraints = constraints_of(source, beyond);
    const auto proof = find_contradiction(constraints);
    const LinearStatus status = maximize(Vec3{}, constraints).status;
    infeasible += status == LinearStatus::infeasible ? 1 : 0;
    if (!proof) return;
    ++found;
    EXPECT_EQ(status, LinearStatus::infeasible);
    mpq_class sum[3];
    mpq_class offset;
    double size = 0;
    for (std::size_t k = 0; k < proof->count; ++k) {
      const Constraint3& c = constraints[proof->indices[k]];
      const double m = proof->multipliers[k];
      EXPECT_GE(m, 0);
      for (int j = 0; j < 3; ++j) sum[j] += mpq_class(m) * mpq_class(c.normal[j]);
      offset += mpq_class(m) * mpq_class(c.offset);
      size += m;
    }
    // Each multiplier is a determinant of three unit vectors: some ten roundings of the terms, divided by the greatest, which may be small.
    for (const mpq_class& s : sum) EXPECT_LE(std::fabs(s.get_d()), 1e-9 * size);
    EXPECT_LT(offset.get_d(), 0);
  });
  // Many of these are degenerate on purpose: parallel planes, planes along the axes.
  EXPECT_GE(found, infeasible * 0.6) << "of " << infeasible;
  EXPECT_GE(infeasible, found);
}

TEST(Contradiction, NothingWhereThereIsNone) {
  EXPECT_FALSE(find_contradiction({}));
  const Constraint3 zero[] = {{{0, 0, 0}, -1}, {{0, 0, 0}, 1}};
  EXPECT_FALSE(find_contradiction(zero)); // for the other method
  const Constraint3 odd[] = {
      {{NAN, 0, 0}, 1}, {{1, 0, 0}, NAN}, {{INFINITY, 0, 0}, -1}, {{0, 1, 0}, -INFINITY}};
  EXPECT_FALSE(find_contradiction(odd));
}

} // namespace
} // namespace carom
