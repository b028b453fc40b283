// Prints a hash of the bits of many results. The same number must come out of every compiler, optimisation level and SIMD width.
//   carom_hash                     print it
//   carom_hash --golden FILE       compare it with the one in the file (exit 1 where it differs)
//   carom_hash --width WIDTH       all (default), avx2, sse4 or sse2: pretend that the processor has no wider lanes
#include "carom/math/eigen3.h"
#include "carom/math/linear_program.h"
#include "carom/math/pose.h"
#include "carom/math/predicates.h"
#include "carom/math/quadratic.h"
#include "carom/math/random.h"
#include "carom/math/roots.h"
#include "carom/math/solve3.h"
#include "carom/math/trig.h"

#include <hwy/targets.h>

#include <bit>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace carom {
namespace {

class Hash {
public:
  void add(std::uint64_t bits) { value_ = mix_bits(value_, bits); }
  void add(int x) { add(static_cast<std::uint64_t>(static_cast<std::int64_t>(x))); }
  void add(double x) { add(std::bit_cast<std::uint64_t>(x)); }
  void add(const Vec3& v) {
    add(v.x);
    add(v.y);
    add(v.z);
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

private:
  std::uint64_t value_ = 0;
};

void hash_numbers(Hash& hash, Random& random) {
  for (int i = 0; i < 2000; ++i) {
    const double x = random.uniform(-10, 10) * (i % 7 == 0 ? 1e10 : 1);
    const SinCos s = sin_cos(x);
    hash.add(s.sin);
    hash.add(s.cos);
    hash.add(tan(x));
    hash.add(atan2(x, random.uniform(-10, 10)));
    hash.add(asin(s.sin));
    hash.add(acos(s.cos));
    const Quat q = Quat::from_axis_angle(random.direction(), x);
    hash.add(to_matrix(q) * random.direction());
    hash.add(Quat::from_matrix(to_matrix(q)).w);
    const Vec3 a = random.in_ball(), b = random.in_ball(), c = random.in_ball(),
               d = random.in_ball();
    hash.add(orient3d(a, b, c, i % 2 ? d : a * 0.25 + b * 0.25 + c * 0.5));
    hash.add(in_sphere(a, b, c, d, i % 2 ? -d : d));
    const Roots roots = real_roots({a.x, b.x, c.x, d.x});
    for (int k = 0; k < roots.count; ++k) hash.add(roots.root[static_cast<std::size_t>(k)].best);
    hash.add(solve_quadratic(a.x, b.x, c.x).lo);
    const Eigen3 eigen = symmetric_eigen({a, b, c});
    hash.add(eigen.values);
    hash.add(eigen.vectors.x);
    hash.add(solve(Mat3{a, b, c}, d).x);
  }
  for (int i = 0; i < 100; ++i) {
    std::vector<Constraint3> constraints;
    for (int k = 0; k < 20; ++k)
      constraints.push_back({random.direction(), random.uniform(-0.1, 1)});
    const LinearOptimum3 best = maximize(random.direction(), constraints);
    hash.add(static_cast<int>(best.status));
    hash.add(best.point);
  }
}

std::uint64_t hash_everything() {
  Hash hash;
  Random random(2026);
  hash_numbers(hash, random);
  return hash.value();
}

} // namespace
} // namespace carom

int main(int argc, char** argv) {
  const char* golden = nullptr;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (!std::strcmp(argv[i], "--golden")) golden = argv[i + 1];
    if (!std::strcmp(argv[i], "--width")) {
      const std::string width = argv[i + 1];
      std::int64_t off = 0;
      if (width != "all") off |= HWY_AVX3 | HWY_AVX3_DL;
      if (width == "sse4" || width == "sse2") off |= HWY_AVX2;
      if (width == "sse2") off |= HWY_SSE4 | HWY_SSSE3;
      hwy::DisableTargets(off);
    }
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx",
                static_cast<unsigned long long>(carom::hash_everything()));
  std::puts(text);
  if (!golden) return 0;
  std::string expected;
  std::ifstream(golden) >> expected;
  if (expected == text) return 0;
  std::fprintf(
      stderr,
      "the results' hash is %s, but %s says %s: a result changed, or is not deterministic\n", text,
      golden, expected.c_str());
  return 1;
}
