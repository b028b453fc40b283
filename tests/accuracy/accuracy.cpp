// How exact the queries are: ./dev accuracy. Prints the tables of docs/accuracy.md; exits 1 where a bar is missed.
//
//   carom_accuracy [--poses N] [--curved N]      N poses for each pair of hulls (5000), and of curved shapes (1000)
#include "carom/math/random.h"
#include "carom/math/tolerance.h"
#include "carom/query/distance.h"
#include "carom/query/overlap.h"
#include "carom/query/penetration.h"
#include "carom/query/signed_distance.h"
#include "tests/accuracy/curved_reference.h"
#include "tests/accuracy/hull_reference.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace carom::accuracy {
namespace {

constexpr double polytope_bar = 1e-12;
constexpr double curved_bar = 1e-10;

/// The worst of many answers, relative to the size.
struct Worst {
  double error = 0;
  std::uint64_t seed = 0;
  std::string pair;

  void take(Real e, double size, std::uint64_t at, const std::string& of = {}) {
    const double relative = static_cast<double>(e) / size;
    if (relative <= error) return;
    error = relative;
    seed = at;
    pair = of;
  }
};

struct Row {
  int apart = 0, overlapping = 0, wrong = 0, unproved = 0, wide = 0;
  Worst distance, depth, reference;
  std::uint64_t wrong_seed = 0;

  [[nodiscard]] bool keeps(double bar) const {
    return distance.error <= bar && depth.error <= bar && wrong == 0 && unproved == 0;
  }
};

Real off(Real value, const Bracket& b) {
  return std::max({value - b.lower, b.upper - value, Real{0}});
}

/// All queries of the pair against the bracket of the true signed distance.
void compare(const verify::PlacedShape& a, const verify::PlacedShape& b, const Distance& d,
             const Bracket& truth, std::uint64_t seed, const std::string& name, Row& row) {
  const double size = a.shape.size() + b.shape.size();
  const double band =
      tolerance::boolean_band * (size + max_abs(a.pose.position) + max_abs(b.pose.position));
  const SignedDistance s = signed_distance(a.shape, a.pose, b.shape, b.pose);
  const bool hit = overlap(a.shape, a.pose, b.shape, b.pose).hit;
  Worst& worst = truth.lower > 0 ? row.distance : row.depth;
  ++(truth.lower > 0 ? row.apart : row.overlapping);
  if (truth.lower > 0) {
    worst.take(off(d.value, truth), size, seed, name);
  } else {
    const Penetration p = penetration(a.shape, a.pose, b.shape, b.pose);
    worst.take(off(-p.depth, truth), size, seed, name);
  }
  worst.take(off(s.value, truth), size, seed, name);
  row.reference.take(truth.upper - truth.lower, size, seed, name);
  if (s.status != Status::ok) ++row.wide;
  const bool known = truth.lower > band || truth.upper < -band;
  if (known && (hit != (truth.upper < 0) || (s.value < 0) != (truth.upper < 0))) {
    ++row.wrong;
    row.wrong_seed = seed;
  }
}

// ---- hulls ----

Shape sphere_hull(std::size_t points, std::uint64_t seed) {
  Random random(seed);
  std::vector<Vec3> on_sphere;
  for (std::size_t i = 0; i < points; ++i) on_sphere.push_back(random.direction());
  return Shape::hull(on_sphere).value();
}

Row measure_hulls(std::size_t points, double reach, int poses) {
  const Shape a = sphere_hull(points, 1);
  const Shape b = sphere_hull(points, 2);
  HullReference reference(a, b);
  Row row;
  for (int i = 0; i < poses; ++i) {
    const auto seed = static_cast<std::uint64_t>(i);
    Random random(1000 + seed);
    verify::PlacedShape at_a{a, {}};
    verify::PlacedShape at_b{b, {}};
    at_a.pose.rotation = random.rotation();
    at_b.pose.rotation = random.rotation();
    for (int k = 0; k < 3; ++k) at_b.pose.position[k] = random.uniform(-reach, reach);
    reference.place(at_a.pose, at_b.pose);
    const Distance d = distance(a, at_a.pose, b, at_b.pose);
    Reference truth = d.value > 0 ? reference.apart(d.normal) : Reference{0, INFINITY};
    if (!(truth.error < 1e-15L)) truth = reference.overlapping();
    if (!(truth.error < 1e-15L) || (d.value > 0 && truth.value <= 0)) ++row.unproved;
    compare(at_a, at_b, d, {truth.value - truth.error, truth.value + truth.error}, seed, {}, row);
  }
  return row;
}

// ---- curved shapes ----

constexpr const char* kind_names[] = {"cylinder",        "cone",        "ellipsoid",   "capsule",
                                      "tapered capsule", "rounded box", "rounded hull"};
constexpr int kinds = 7;

/// About 20 cm long.
Shape curved(int kind, Random& random) {
  const Vec3 r{random.uniform(0.03, 0.1), random.uniform(0.03, 0.1), random.uniform(0.03, 0.1)};
  switch (kind) {
  case 0:
    return Shape::cylinder(r.x, r.y).value();
  case 1:
    return Shape::cone(2 * r.x, r.y).value();
  case 2:
    return Shape::ellipsoid(r).value();
  case 3:
    return Shape::capsule({0, 0, -r.x}, {0, 0, r.x}, 0.5 * r.y).value();
  case 4:
    return Shape::tapered_capsule({0, 0, -r.x}, 0.5 * r.y, {0, 0, r.x}, 0.5 * r.z).value();
  case 5:
    return Shape::box(r * 0.9).value().rounded(0.01).value();
  default: {
    std::vector<Vec3> points;
    for (int i = 0; i < 20; ++i) points.push_back(mul(random.direction(), r));
    return Shape::hull(points).value().rounded(0.01).value();
  }
  }
}

enum class Placing { apart, overlapping, gap, overlap };

Row measure_curved(Placing placing, int poses) {
  Row row;
  for (int k = 0; k < kinds * kinds; ++k) {
    const std::string name =
        std::string(kind_names[k / kinds]) + " against " + kind_names[k % kinds];
    for (int i = 0; i < poses; ++i) {
      const auto seed = static_cast<std::uint64_t>(k * 1'000'000 + i);
      Random random(seed);
      verify::PlacedShape a{curved(k / kinds, random), {}};
      verify::PlacedShape b{curved(k % kinds, random), {}};
      a.pose.rotation = random.rotation();
      b.pose.rotation = random.rotation();
      const double reach = placing == Placing::overlapping ? 0.06 : 0.3;
      for (int j = 0; j < 3; ++j) b.pose.position[j] = random.uniform(-reach, reach);
      if (placing == Placing::gap || placing == Placing::overlap) {
        const SignedDistance s = signed_distance(a.shape, a.pose, b.shape, b.pose);
        const double wanted = placing == Placing::gap ? 0.002 : -0.002;
        b.pose.position += s.normal * (wanted - s.value);
      }
      const Distance d = distance(a.shape, a.pose, b.shape, b.pose);
      const double size = a.shape.size() + b.shape.size();
      Bracket truth = apart(a, b, d);
      if (!(truth.lower > 0)) {
        const Bracket deep = depth(a, b, 1e-13L * size);
        truth = {-deep.upper, -deep.lower};
        if (!(deep.upper - deep.lower <= 1e-11L * size)) ++row.unproved;
      }
      compare(a, b, d, truth, seed, name, row);
    }
  }
  return row;
}

// ---- tables ----

/// Nothing where there was nothing to measure.
std::string figure(double error, int count) {
  char text[16] = "";
  if (count > 0) std::snprintf(text, sizeof text, "%.1e", error);
  return text;
}

void print(const std::string& name, const Row& r) {
  std::printf("| %s | %d | %d | %s | %s | %d | %d | %.0e |\n", name.c_str(), r.apart, r.overlapping,
              figure(r.distance.error, r.apart).c_str(),
              figure(r.depth.error, r.overlapping).c_str(), r.wrong, r.unproved, r.reference.error);
  std::fflush(stdout);
}

void explain(const std::string& name, const Row& r, double bar, bool& all) {
  if (r.keeps(bar)) return;
  all = false;
  std::fprintf(
      stderr,
      "%s misses a bar: distance %.2e at seed %llu %s, depth %.2e at seed %llu %s, %d wrong "
      "(seed %llu), %d not proved\n",
      name.c_str(), r.distance.error, static_cast<unsigned long long>(r.distance.seed),
      r.distance.pair.c_str(), r.depth.error, static_cast<unsigned long long>(r.depth.seed),
      r.depth.pair.c_str(), r.wrong, static_cast<unsigned long long>(r.wrong_seed), r.unproved);
}

bool run(int poses, int curved_poses) {
  bool all = true;
  const char* head =
      "| case | apart | overlapping | distance | depth | wrong Booleans | not proved | "
      "reference |\n|---|---:|---:|---:|---:|---:|---:|---:|\n";
  std::printf("%s", head);
  for (const std::size_t points : {16UL, 64UL, 256UL, 1024UL}) {
    for (const double reach : {3.0, 1.2}) {
      char name[64];
      std::snprintf(name, sizeof name, "hulls of %zu points, ±%g", points, reach);
      const Row row = measure_hulls(points, reach, poses);
      print(name, row);
      explain(name, row, polytope_bar, all);
    }
  }
  const struct {
    const char* name;
    Placing placing;
  } cases[] = {{"curved, ±30 cm", Placing::apart},
               {"curved, ±6 cm", Placing::overlapping},
               {"curved, 2 mm apart", Placing::gap},
               {"curved, 2 mm deep", Placing::overlap}};
  for (const auto& c : cases) {
    const Row row = measure_curved(c.placing, curved_poses);
    print(c.name, row);
    explain(c.name, row, curved_bar, all);
    if (row.wide > 0) std::fprintf(stderr, "%s: %d with wide bounds\n", c.name, row.wide);
  }
  return all;
}

} // namespace
} // namespace carom::accuracy

int main(int argc, char** argv) {
  int poses = 5000;
  int curved = 1000;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--poses") == 0) poses = std::atoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--curved") == 0) curved = std::atoi(argv[i + 1]);
  }
  return carom::accuracy::run(poses, curved) ? 0 : 1;
}
