#include "carom/math/quat.h"

#include "carom/math/trig.h"
#include "tests/support/generate.h"
#include "tests/support/property.h"

#include <limits>

namespace carom {
namespace {

using namespace test;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// The images of the axes under quarter and half turns, exact and at compile time.
static_assert(to_matrix(Quat{}) == Mat3::identity());
static_assert(to_matrix(Quat{1e-160, 0, 0, 0}) == Mat3::identity());
static_assert(to_matrix(Quat{1e-149, 0, 0, 0}) == Mat3::diagonal({1, -1, -1}));
static_assert(to_matrix(Quat{0, 0, 1, 1}) == Mat3{{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}});
static_assert(to_matrix(Quat{1, 0, 0, 1}) == Mat3{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}});
static_assert(to_matrix(Quat{0, 1, 0, 1}) == Mat3{{0, 0, -1}, {0, 1, 0}, {1, 0, 0}});
static_assert(to_matrix(Quat{3, 0, 0, 0}) == Mat3::diagonal({1, -1, -1}));
static_assert(to_matrix(Quat{1, 1, 1, 1}) == Mat3{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}});
static_assert(Quat{1, 0, 0, 0} * Quat{0, 1, 0, 0} == Quat{0, 0, 1, 0});
static_assert(conjugate(Quat{1, 2, 3, 4}) == Quat{-1, -2, -3, 4});
static_assert(length_squared(Quat{1, 2, 3, 4}) == 30);
static_assert(to_matrix(Quat{0, 0, 0, 0}) == Mat3::identity());

double max_abs(const Mat3& m) {
  return std::fmax(std::fmax(carom::max_abs(m.x), carom::max_abs(m.y)), carom::max_abs(m.z));
}

double difference(const Quat& a, const Quat& b) {
  const double plus = length_squared(Quat{a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w});
  const double minus = length_squared(Quat{a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w});
  return std::sqrt(std::fmin(plus, minus)); // q and -q are the same rotation
}

/// The rotation matrix of q / |q| from its definition, v -> q v q*, in extended precision.
Mat3 reference(const Quat& q) {
  using Real = long double;
  const Real x = q.x, y = q.y, z = q.z, w = q.w, s = 2 / (x * x + y * y + z * z + w * w);
  Mat3 m;
  for (int i = 0; i < 3; ++i) {
    // v' = v + s (w u x v + u x (u x v)), for the vector part u.
    const Vec3 v = unit_axis(i);
    const Real cx = y * v.z - z * v.y, cy = z * v.x - x * v.z, cz = x * v.y - y * v.x;
    m[i] = {static_cast<double>(v.x + s * (w * cx + y * cz - z * cy)),
            static_cast<double>(v.y + s * (w * cy + z * cx - x * cz)),
            static_cast<double>(v.z + s * (w * cz + x * cy - y * cx))};
  }
  return m;
}

Quat quat_of_any_length(Source& source) {
  const Quat q = rotation(source);
  const double power = std::pow(10, source.index(61) - 30);
  const double factor = power * source.uniform(1, 10);
  return {q.x * factor, q.y * factor, q.z * factor, q.w * factor};
}

PROPERTY(Quat, MatrixIsTheRotationWhateverTheLength) {
  const Quat q = quat_of_any_length(source);
  const Mat3 m = to_matrix(q);
  // l2 has an error of 2 epsilon, s half more, a product one more; two products of size at most 1 each make an element, and its
  // sums another 1: 8 epsilon in all.
  REQUIRE(max_abs(m - reference(q)) <= 8 * epsilon);
  REQUIRE(max_abs(transpose(m) * m - Mat3::identity()) <= 16 * epsilon);
  REQUIRE(std::fabs(determinant(m) - 1) <= 16 * epsilon);
}

PROPERTY(Quat, LengthByPowersOfTwoChangesNoBit) {
  const Quat q = rotation(source);
  const double f = std::ldexp(1.0, source.index(200) - 100);
  REQUIRE(to_matrix(Quat{q.x * f, q.y * f, q.z * f, q.w * f}) == to_matrix(q));
}

PROPERTY(Quat, ConjugateIsTheTransposeToTheBit) {
  const Quat q = quat_of_any_length(source);
  REQUIRE(to_matrix(conjugate(q)) == transpose(to_matrix(q)));
}

PROPERTY(Quat, ProductIsTheProductOfTheMatrices) {
  const Quat a = rotation(source), b = rotation(source);
  REQUIRE(max_abs(to_matrix(a * b) - to_matrix(a) * to_matrix(b)) <= 32 * epsilon);
  const Quat none = a * conjugate(a);
  REQUIRE(max_abs(to_matrix(none) - Mat3::identity()) <= 8 * epsilon);
}

PROPERTY(Quat, NormalizedIsUnitAndTheSameRotation) {
  const Quat q = quat_of_any_length(source), n = normalized(q);
  REQUIRE(std::fabs(length_squared(n) - 1) <= 5 * epsilon);
  REQUIRE(max_abs(to_matrix(n) - to_matrix(q)) <= 20 * epsilon);
}

TEST(Quat, NoRotationWhereThereIsNone) {
  for (const Quat& q : {Quat{0, 0, 0, 0}, Quat{1e-200, 0, 0, 0}, Quat{1e200, 0, 0, 1},
                        Quat{nan, 0, 0, 1}, Quat{0, infinity, 0, 1}, Quat{0, 0, 0, -infinity}}) {
    EXPECT_EQ(to_matrix(q), Mat3::identity());
    EXPECT_EQ(normalized(q), Quat::identity());
  }
  const Vec3 axis{1, 2, 3};
  for (const Vec3& bad : {Vec3{}, Vec3{nan, 0, 0}, Vec3{0, nan, 1}, Vec3{1, 0, infinity}}) {
    EXPECT_EQ(Quat::from_axis_angle(bad, 1), Quat::identity());
  }
  for (const double bad : {nan, infinity, -infinity}) {
    EXPECT_EQ(Quat::from_axis_angle(axis, bad), Quat::identity());
  }
  EXPECT_EQ(Quat::from_matrix(Mat3::identity()), Quat::identity());
  EXPECT_EQ(Quat::from_matrix({{nan, 0, 0}, {0, 1, 0}, {0, 0, 1}}), Quat::identity());
  EXPECT_EQ(Quat::from_matrix({{1, 0, 0}, {0, infinity, 0}, {0, 0, 1}}), Quat::identity());
}

/// Powers of the exact quarter turn about an axis.
Mat3 quarter_turns(int axis, int n) {
  Mat3 quarter;
  const int j = (axis + 1) % 3, k = (axis + 2) % 3;
  quarter[j] = unit_axis(k);
  quarter[k] = -unit_axis(j);
  Mat3 result;
  for (int i = 0; i < ((n % 4) + 4) % 4; ++i) result = quarter * result;
  return result;
}

TEST(Quat, QuarterTurnsAreExact) {
  for (int axis = 0; axis < 3; ++axis) {
    for (const double size : {1.0, 3.0, 1e-30, 1e30, 1e-300, 1e300, 5e-324}) {
      for (int n = -40; n <= 40; ++n) {
        const Quat q = Quat::from_axis_angle(unit_axis(axis) * size, n * half_pi);
        EXPECT_EQ(to_matrix(q), quarter_turns(axis, n)) << axis << ", " << n;
        EXPECT_EQ(to_matrix(Quat::from_matrix(quarter_turns(axis, n))), quarter_turns(axis, n));
      }
    }
    EXPECT_EQ(to_matrix(Quat::from_axis_angle(unit_axis(axis), pi)), quarter_turns(axis, 2));
    EXPECT_EQ(to_matrix(Quat::from_axis_angle(-unit_axis(axis), half_pi)), quarter_turns(axis, 3));
  }
}

PROPERTY(Quat, AxisAndAngleGiveTheHalfAngle) {
  const Vec3 axis = direction(source);
  const double angle = source.chance(4) ? source.uniform(-1e6, 1e6) : source.uniform(-7, 7);
  const double size = std::pow(10, source.index(61) - 30);
  const Quat q = Quat::from_axis_angle(axis * size, angle);
  const long double half = static_cast<long double>(angle) / 2;
  const double s = static_cast<double>(sinl(half)), c = static_cast<double>(cosl(half));
  // The direction is given to 2 epsilon, and leaves with as much.
  REQUIRE(std::fabs(q.w - c) <= epsilon);
  REQUIRE(length(Vec3{q.x, q.y, q.z} - axis * s) <= 4 * epsilon * std::fabs(s));
  REQUIRE(std::fabs(length_squared(q) - 1) <= 4 * epsilon);
}

PROPERTY(Quat, NearQuarterTurnsStayInStep) {
  // One double beside n half_pi is computed, not snapped; both must agree to the angle's rounding.
  const int n = source.index(400) - 200;
  const double angle = n * half_pi;
  const double beside = std::nextafter(angle, source.index(2) ? infinity : -infinity);
  const Quat a = Quat::from_axis_angle({1, 2, 3}, angle);
  const Quat b = Quat::from_axis_angle({1, 2, 3}, beside);
  REQUIRE(difference(a, b) <= epsilon * (2 + std::fabs(angle)));
  const Quat c = Quat::from_axis_angle({1, 2, 3}, -angle);
  REQUIRE(difference(c, conjugate(a)) == 0);
}

PROPERTY(Quat, MatrixGivesTheQuaternionBack) {
  const Quat q = normalized(quat_of_any_length(source));
  // The matrix is off by up to 8 epsilon an element; the row taken is a multiple of q of size at least 2.
  const Quat back = Quat::from_matrix(to_matrix(q));
  REQUIRE(difference(back, q) <= 16 * epsilon);
  REQUIRE(std::fabs(length_squared(back) - 1) <= 5 * epsilon);
}

PROPERTY(Quat, MatrixOfEverySignOfTrace) {
  // Half turns and nearly so, about any axis: the trace is near -1, and w near 0. Also each component as the greatest.
  const double tiny = source.chance(2) ? 0 : std::ldexp(1.0, -source.index(60));
  const Vec3 axis = direction(source);
  const Quat q = normalized(Quat{axis.x, axis.y, axis.z, tiny});
  REQUIRE(difference(Quat::from_matrix(to_matrix(q)), q) <= 16 * epsilon);
}

PROPERTY(Quat, SmallErrorsOfAMatrixStaySmall) {
  const Quat q = normalized(rotation(source));
  Mat3 m = to_matrix(q);
  const double noise = 1e-9;
  for (int i = 0; i < 3; ++i) m[i] += vec3(source) * noise; // up to 2e-9 an element
  // Elements of the row: three diagonal elements (6e-9) and three pairs (4e-9), over a size of at least 2.
  REQUIRE(difference(Quat::from_matrix(m), q) <= 5e-9);
}

} // namespace
} // namespace carom
