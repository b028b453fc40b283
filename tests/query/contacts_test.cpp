// Contacts of every ordered pair of kinds through the checker; then the cases that everybody knows, by name.
#include "carom/query/contacts.h"

#include "carom/math/random.h"
#include "carom/math/trig.h"
#include "carom/query/signed_distance.h"
#include "carom/shape/feature.h"
#include "carom/shape/support.h"
#include "carom/verify/check_contacts.h"
#include "tests/query/pair_cases.h"
#include "tests/support/property.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace carom {
namespace {

using test::PairCase;
using test::Source;

/// How far the points of the signed distance are from value * normal apart.
double misfit(const PairCase& c) {
  const SignedDistance s = signed_distance(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
  return length(s.on_b - s.on_a - s.normal * s.value);
}

/// What contacts.h promises, in parts of the size; the deepest is as good as the signed distance's points.
verify::ContactTolerance tolerance_of(const PairCase& c) {
  verify::ContactTolerance t;
  t.points = 1e-12 * c.size + 10 * tolerance::coordinate_min;
  t.gap = t.points;
  const double apart = max_abs(c.b.pose.position - c.a.pose.position);
  t.same = 16 * tolerance::epsilon * (c.a.shape.size() + c.b.shape.size() + apart);
  const bool boxes = c.a.shape.kind() == ShapeKind::box && c.b.shape.kind() == ShapeKind::box;
  if (!boxes) t.deepest = t.points + misfit(c);
  return t;
}

class ContactPairs : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Kinds, ContactPairs, testing::Range(0, shape_kinds),
                         [](const testing::TestParamInfo<int>& kind) {
                           return std::string(name_of(static_cast<ShapeKind>(kind.param)));
                         });

TEST_P(ContactPairs, AreProved) {
  for (int other = 0; other < shape_kinds && !HasFailure(); ++other) {
    const auto kind_a = static_cast<ShapeKind>(GetParam());
    const auto kind_b = static_cast<ShapeKind>(other);
    SCOPED_TRACE(std::string(name_of(kind_a)) + " against " + name_of(kind_b));
    test::for_each_seed(test::fewer_when_sanitized(60), [&](Source& source) {
      const PairCase c = test::pair_case(source, kind_a, kind_b);
      static constexpr double margins[] = {0, 0, 1e-9, 0.01, 0.3};
      const double margin = margins[source.index(5)] * (c.a.shape.size() + c.b.shape.size());
      std::vector<Contact> all;
      const ContactManifold m =
          contacts(c.a.shape, c.a.pose, c.b.shape, c.b.pose, {.margin = margin, .all = &all});
      if (!std::isfinite(m.value)) {
        EXPECT_FALSE(c.a.shape.bounded() || c.b.shape.bounded());
        EXPECT_EQ(m.count, 0);
        return;
      }
      const auto t = tolerance_of(c);
      const auto verdict = verify::check_contacts(c.a, c.b, m, margin, t);
      EXPECT_TRUE(verdict) << verdict.why << ", size " << c.size << ", value " << m.value
                           << ", count " << m.count << ", margin " << margin;
      const auto patch = verify::check_contact_points(c.a, c.b, all, m.normal, m.value, margin, t);
      EXPECT_TRUE(patch) << patch.why << ", size " << c.size << ", value " << m.value << ", all "
                         << all.size();
      EXPECT_GE(all.size(), static_cast<std::size_t>(m.count));
      for (const Contact& p : m.contacts()) {
        EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Contact& q) {
          return q.id == p.id && q.on_a == p.on_a && q.on_b == p.on_b;
        }));
      }
    });
  }
}

} // namespace
} // namespace carom
