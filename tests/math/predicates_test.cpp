#include "carom/math/predicates.h"

#include "tests/math/predicate_cases.h"
#include "tests/support/property.h"

#include <cstdlib>
#include <limits>

namespace carom {
namespace {

using test::Source;

TEST(Predicates, SignConventions) {
  EXPECT_EQ(orient2d({0, 0}, {1, 0}, {0, 1}), 1); // counter-clockwise
  EXPECT_EQ(orient2d({0, 0}, {0, 1}, {1, 0}), -1);
  EXPECT_EQ(orient2d({0, 0}, {1, 1}, {3, 3}), 0);
  const Vec3 o{0, 0, 0};
  const Vec3 x{1, 0, 0};
  const Vec3 y{0, 1, 0};
  const Vec3 z{0, 0, 1};
  EXPECT_EQ(orient3d(o, x, y, z), 1); // the normal of o, x, y is z
  EXPECT_EQ(orient3d(o, x, y, -z), -1);
  EXPECT_EQ(orient3d(o, x, y, x + y), 0);
  EXPECT_EQ(in_circle({1, 0}, {0, 1}, {-1, 0}, {0, 0}), 1);
  EXPECT_EQ(in_circle({1, 0}, {0, 1}, {-1, 0}, {0, -1}), 0);
  EXPECT_EQ(in_circle({1, 0}, {0, 1}, {-1, 0}, {0, -2}), -1);
  EXPECT_EQ(in_circle({0, 1}, {1, 0}, {-1, 0}, {0, 0}), -1); // clockwise
  EXPECT_EQ(in_sphere(o, x, y, z, {0.5, 0.5, 0.5}), 1);
  EXPECT_EQ(in_sphere(o, x, y, z, {1, 1, 1}), 0);
  EXPECT_EQ(in_sphere(o, x, y, z, {1, 1, 1.5}), -1);
  EXPECT_EQ(in_sphere(x, o, y, z, {0.5, 0.5, 0.5}), -1);
  EXPECT_EQ(orient3d_direction(o, z, x, x + y), 1); // x to x + y goes counter-clockwise around z
  EXPECT_EQ(orient3d_direction(o, -z, x, x + y), -1);
  EXPECT_EQ(orient3d_direction(o, x, y + x, y), 0);
  EXPECT_EQ(compare_products(2, 3, 1, 5), 1);
  EXPECT_EQ(compare_dot(x, {2, 7, 7}, 3), -1);
  EXPECT_EQ(sign_of_dot(x, y), 0);
  EXPECT_EQ(sign_of_triple(x, y, z), 1);
  EXPECT_EQ(compare_triple_products(x, y, z, y, x, z), 1);
}

TEST(Predicates, SignsThatDoublesMiss) {
  const double big = 0x1p30;
  EXPECT_EQ(compare_products(big + 1, big + 1, big, big + 2), 1); // (n + 1)^2 = n (n + 2) + 1
  // Points of the line y = x, one of them an ulp off.
  const double up = std::nextafter(0.5, 1.0);
  EXPECT_EQ(orient2d({12, 12}, {24, 24}, {0.5, 0.5}), 0);
  EXPECT_EQ(orient2d({12, 12}, {24, 24}, {0.5, up}), 1);
  EXPECT_EQ(orient2d({12, 12}, {24, 24}, {up, 0.5}), -1);
  EXPECT_EQ(compare_dot({0.1, 0.2, 0.3}, {1, 1, 1}, 0.6), 1); // the doubles near those numbers
}

/// CAROM_PREDICATE_CASES cases (default 200,000) against integers; swaps flip the sign.
TEST(Predicates, AgreeWithIntegersOnHardCases) {
  const char* text = std::getenv("CAROM_PREDICATE_CASES");
  test::for_each_seed(text ? std::strtoull(text, nullptr, 10) : 200'000,
                      [](Source& source) { EXPECT_EQ(test::check_random_predicate(source), ""); });
}

/// An integer vector w with u . (v x w) = 1, no longer than u and v together; zero where there is none.
Vec3 completed(const Vec3& u, const Vec3& v) {
  using Integers = std::array<mpz_class, 3>;
  const Integers p{u.x, u.y, u.z};
  const Integers q{v.x, v.y, v.z};
  const auto dot = [](const Integers& a, const Integers& b) {
    return mpz_class(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
  };
  const Integers c{p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
  mpz_class two, all, s, t, x, y;
  mpz_gcdext(two.get_mpz_t(), s.get_mpz_t(), t.get_mpz_t(), c[0].get_mpz_t(), c[1].get_mpz_t());
  mpz_gcdext(all.get_mpz_t(), x.get_mpz_t(), y.get_mpz_t(), two.get_mpz_t(), c[2].get_mpz_t());
  if (all != 1) return {};
  Integers w{s * x, t * x, y};
  // Less whole multiples of u and v, as many as there are in it.
  const mpz_class pp = dot(p, p), qq = dot(q, q), pq = dot(p, q), pw = dot(p, w), qw = dot(q, w);
  const mpz_class whole = pp * qq - pq * pq;
  const mpz_class m = (pw * qq - qw * pq) / whole, n = (qw * pp - pw * pq) / whole;
  for (std::size_t i = 0; i < 3; ++i) w[i] -= m * p[i] + n * q[i];
  return {w[0].get_d(), w[1].get_d(), w[2].get_d()};
}

// The determinant is 1, each of its six products about 2^145: numbers of twice the length, 106 bits, see only noise.
TEST(Predicates, VolumesFarBelowTwiceTheLength) {
  int made = 0;
  test::for_each_seed(test::fewer_when_sanitized(5'000), [&](Source& source) {
    const auto draw = [&] { return std::floor(source.uniform(-0x1p50, 0x1p50)); };
    Vec3 rows[3];
    for (Vec3* v : {&rows[0], &rows[1]}) {
      v->x = draw();
      v->y = draw();
      v->z = draw();
    }
    const auto& [u, v, w] = rows;
    rows[2] = completed(u, v);
    if (w == Vec3{}) return;
    ++made;
    const Vec3 o{};
    EXPECT_EQ(orient3d(o, u, v, w), 1);
    EXPECT_EQ(orient3d(o, v, u, w), -1);
    EXPECT_EQ(orient3d(o, u, v, u + v), 0);
    EXPECT_EQ(exact::orient3d(o, u, v, w), 1);
  });
  EXPECT_GT(made, 500);
}

/// The generator is only as good as the share of cases it brings to the exact stage.
TEST(Predicates, TheCasesAreHard) {
  int zeros = 0;
  int undecided = 0;
  constexpr int count = 20000;
  test::for_each_seed(count, [&](Source& source) {
    using namespace predicate;
    const test::Points p = test::predicate_points(source);
    const Vec3 u = p[1] - p[0];
    const Vec3 v = p[2] - p[0];
    const Vec3 w = p[3] - p[0];
    const double value = det3(row(u), row(v), row(w));
    if (sign<8>(value, det3_magnitude(u, v, w), [] { return 0; }) == 0) ++undecided;
    if (orient3d(p[0], p[1], p[2], p[3]) == 0) ++zeros;
  });
  EXPECT_GT(undecided, count / 3);
  EXPECT_GT(zeros, count / 5);
  EXPECT_GT(undecided - zeros, count / 100); // not zero, and too small for doubles
}

/// The filter's bound holds: |value - exact| <= (roundings + 1) 2^-53 magnitude, at sizes where underflow would show.
TEST(Predicates, FilterBoundHolds) {
  test::for_each_seed(5000, [](Source& source) {
    using namespace predicate;
    const test::Points p = test::predicate_points(source);
    const auto exactly = [&p](std::size_t i) {
      const auto q = [](double a, double b) { return mpq_class(mpq_class(a) - mpq_class(b)); };
      return Row3<mpq_class>{q(p[i].x, p[4].x), q(p[i].y, p[4].y), q(p[i].z, p[4].z)};
    };
    const auto det = [](const Row3<mpq_class>& u, const Row3<mpq_class>& v,
                        const Row3<mpq_class>& w) {
      return mpq_class(u.x * (v.y * w.z - v.z * w.y) + u.y * (v.z * w.x - v.x * w.z) +
                       u.z * (v.x * w.y - v.y * w.x));
    };
    const auto lift = [](const Row3<mpq_class>& u) {
      return mpq_class(u.x * u.x + u.y * u.y + u.z * u.z);
    };
    const auto a = exactly(0);
    const auto b = exactly(1);
    const auto c = exactly(2);
    const auto d = exactly(3);
    const Vec3 s = p[0] - p[4];
    const Vec3 t = p[1] - p[4];
    const Vec3 u = p[2] - p[4];
    const Vec3 v = p[3] - p[4];
    EXPECT_LE(abs(mpq_class(det3(row(s), row(t), row(u))) - det(a, b, c)),
              mpq_class(9 * 0x1p-53) * mpq_class(det3_magnitude(s, t, u)));
    const mpq_class whole = lift(a) * det(b, c, d) - lift(b) * det(a, c, d) +
                            lift(c) * det(a, b, d) - lift(d) * det(a, b, c);
    const mpq_class error = mpq_class(lifted_det4(row(s), row(t), row(u), row(v))) - whole;
    const mpq_class l(greatest_lift(s, t, u, v));
    const mpq_class factor(17 * 4 * 0x1p-53);
    EXPECT_LE(error * error, 3 * factor * factor * l * l * l * l * l);
  });
}

/// The widest numbers of the range, all four corners of exponent and bits, in every predicate.
TEST(Predicates, EndsOfTheRange) {
  const double values[] = {0x1p-142,
                           0x1.fffffffffffffp-142,
                           0x1p201,
                           0x1.fffffffffffffp201,
                           0,
                           -0x1.fffffffffffffp-142,
                           -0x1.fffffffffffffp201};
  test::for_each_seed(1500, [&values](Source& source) {
    test::Points p;
    for (Vec3& v : p) {
      for (int i = 0; i < 3; ++i) v[i] = values[source.index(7)];
    }
    for (int which = 0; which < test::predicate_count; ++which) {
      EXPECT_EQ(test::check_predicate(which, p, values[source.index(7)]), "");
    }
  });
}

TEST(Predicates, NotFiniteReturns) {
  const double values[] = {NAN,
                           INFINITY,
                           -INFINITY,
                           std::numeric_limits<double>::max(),
                           std::numeric_limits<double>::denorm_min(),
                           0,
                           1};
  test::for_each_seed(1000, [&values](Source& source) {
    test::Points p;
    for (Vec3& v : p) {
      for (int i = 0; i < 3; ++i) v[i] = values[source.index(7)];
    }
    const auto& [a, b, c, d, e, f] = p;
    const Vec2 s{a.x, a.y};
    const Vec2 t{b.x, b.y};
    const Vec2 u{c.x, c.y};
    for (const int sign : {orient2d(s, t, u), orient3d(a, b, c, d), in_circle(s, t, u, {d.x, d.y}),
                           in_sphere(a, b, c, d, e), orient3d_direction(a, b, c, d),
                           compare_dot(a, b, c.x), compare_products(a.x, a.y, b.x, b.y),
                           sign_of_triple(a, b, c), compare_triple_products(a, b, c, d, e, f)}) {
      EXPECT_LE(std::abs(sign), 1);
    }
  });
}

} // namespace
} // namespace carom
