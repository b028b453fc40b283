#include "carom/math/fourier_motzkin.h"

#include "tests/math/linear_cases.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using namespace test;

// Triangle (1, 0), (5, -1), (4, 3) and triangle (0, 0), (4, 1), (1, 4): what they share has y from 1/3 to 2, and its top is (3, 2).
const std::vector<Constraint2> triangles{{{-1, 1}, -1}, {{-1, -4}, -1}, {{4, 1}, 19},
                                         {{-4, 1}, 0},  {{1, -4}, 0},   {{1, 1}, 5}};

TEST(FourierMotzkin, OneThirdToTwo) {
  System<2> system = exact(triangles);
  const auto found = fourier_motzkin<mpq_class, 2>(system, 1);
  ASSERT_TRUE(found.feasible);
  EXPECT_EQ(found.range.low, mpq_class(1, 3));
  EXPECT_EQ(found.range.high, 2);
  EXPECT_TRUE(feasible(system, found.point));
  // y = 2 leaves x = 3 alone.
  system.push_back({{0, -1}, -2});
  const auto top = fourier_motzkin<mpq_class, 2>(system, 0);
  ASSERT_TRUE(top.feasible);
  EXPECT_EQ(top.range.low, 3);
  EXPECT_EQ(top.range.high, 3);
  // And y > 2 nothing.
  system.back().offset = mpq_class(-2) - mpq_class(1, 1000000);
  EXPECT_FALSE((fourier_motzkin<mpq_class, 2>(system, 0).feasible));

  const Elimination2 rounded = fourier_motzkin(triangles, 1);
  EXPECT_EQ(rounded.status, EliminationStatus::feasible);
  EXPECT_EQ(rounded.range.low, 1.0 / 3);
  EXPECT_EQ(rounded.range.high, 2);
}

TEST(FourierMotzkin, NoConstraintsAndZeroNormals) {
  const Elimination3 free = fourier_motzkin(std::span<const Constraint3>{}, 2);
  EXPECT_EQ(free.status, EliminationStatus::feasible);
  EXPECT_FALSE(free.range.has_low || free.range.has_high);
  EXPECT_EQ(free.point, Vec3{});
  EXPECT_EQ(fourier_motzkin(std::vector<Constraint3>{{{}, 0}}, 0).status,
            EliminationStatus::feasible);
  EXPECT_EQ(fourier_motzkin(std::vector<Constraint3>{{{}, -1}}, 0).status,
            EliminationStatus::infeasible);
}

TEST(FourierMotzkin, SaysWhatIsOutOfRange) {
  const auto status = [](const std::vector<Constraint2>& constraints, std::size_t variable) {
    return fourier_motzkin(constraints, variable).status;
  };
  EXPECT_EQ(status(triangles, 2), EliminationStatus::out_of_range);
  EXPECT_EQ(status({{{std::nan(""), 1}, 1}}, 0), EliminationStatus::out_of_range);
  EXPECT_EQ(status({{{1, 1}, HUGE_VAL}}, 0), EliminationStatus::out_of_range);
  const std::vector<Constraint2> most(elimination_limit, {{1, 1}, 1});
  EXPECT_EQ(status(most, 0), EliminationStatus::feasible);
  const std::vector<Constraint2> more(elimination_limit + 1, {{1, 1}, 1});
  EXPECT_EQ(status(more, 0), EliminationStatus::out_of_range);
}

/// Against all vertices. A set with vertices is their hull plus rays: an end of the range is the extreme vertex, or missing.
template<std::size_t D>
std::string complaint(const System<D>& system, std::size_t variable) {
  const auto found = fourier_motzkin<mpq_class, D>(system, variable);
  std::optional<mpq_class> low;
  std::optional<mpq_class> high;
  for_each_vertex<D>(system, [&](const Rational<D>& x) {
    if (!low || x[variable] < *low) low = x[variable];
    if (!high || x[variable] > *high) high = x[variable];
  });
  if (!found.feasible) return low ? "misses a vertex" : "";
  if (!feasible(system, found.point)) return "point not feasible";
  if (!low) return "";
  if (found.range.has_low && found.range.low != *low) return "wrong low end";
  if (found.range.has_high && found.range.high != *high) return "wrong high end";
  // An end is missing only if the set goes on: a point beyond every vertex.
  for (const int way : {-1, 1}) {
    if (way < 0 ? found.range.has_low : found.range.has_high) continue;
    System<D> beyond = system;
    beyond.push_back({});
    beyond.back().normal[variable] = -way;
    beyond.back().offset = way < 0 ? mpq_class(*low - 1) : mpq_class(-*high - 1);
    const auto far = fourier_motzkin<mpq_class, D>(beyond, variable);
    if (!far.feasible || !feasible(beyond, far.point)) return "an end is missing";
  }
  return "";
}

PROPERTY(FourierMotzkin, SmallIntegersInDoubleAreExact) {
  const auto constraints = small_system<Constraint3>(source, 8, small3);
  const auto variable = static_cast<std::size_t>(source.index(3));
  const auto reference = fourier_motzkin<mpq_class, 3>(exact(constraints), variable);
  const Elimination3 found = fourier_motzkin(constraints, variable);
  REQUIRE((found.status == EliminationStatus::feasible) == reference.feasible);
  if (!reference.feasible) return;
  REQUIRE(found.range.has_low == reference.range.has_low);
  REQUIRE(found.range.has_high == reference.range.has_high);
  // Only the division at the end is rounded.
  REQUIRE(abs(found.range.low - reference.range.low) <= 0x1p-53 * abs(reference.range.low));
  REQUIRE(abs(found.range.high - reference.range.high) <= 0x1p-53 * abs(reference.range.high));
}

PROPERTY(FourierMotzkin, AgreesWithVertices2) {
  const auto constraints = small_system<Constraint2>(source, 10, small2);
  REQUIRE(complaint<2>(exact(constraints), static_cast<std::size_t>(source.index(2))) == "");
}

PROPERTY(FourierMotzkin, AgreesWithVertices3) {
  const auto constraints = small_system<Constraint3>(source, 8, small3);
  REQUIRE(complaint<3>(exact(constraints), static_cast<std::size_t>(source.index(3))) == "");
}

} // namespace
} // namespace carom
