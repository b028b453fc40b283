// Convex hulls against Qhull (libqhull_r, default options), whole: from the points to the faces with their adjacency.
//
// Scenes: points in a ball (few of them extreme), on a sphere (all of them), in a cube, on the surface of a cube that was turned (coplanar
// but for the last bits: Qhull merges within a tolerance, ours is exact), on a grid (exactly coplanar). Times are for one point.
#include "bench/compare.h"
#include "carom/math/random.h"
#include "carom/mesh/convex_hull.h"

extern "C" {
#include <libqhull_r/libqhull_r.h>
#include <libqhull_r/qhull_ra.h>
}

#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace carom::bench {
namespace {

double faces_by_qhull(const std::vector<Vec3>& points) {
  std::vector<double> coordinates;
  coordinates.reserve(3 * points.size());
  for (const Vec3& p : points) coordinates.insert(coordinates.end(), {p.x, p.y, p.z});
  qhT state;
  qhT* qh = &state;
  qh_zero(qh, stderr);
  char command[] = "qhull";
  qh_new_qhull(qh, 3, static_cast<int>(points.size()), coordinates.data(), 0, command, nullptr,
               stderr);
  const double faces = qh->num_facets;
  qh_freeqhull(qh, !qh_ALL);
  int blocks = 0;
  int bytes = 0;
  qh_memfreeshort(qh, &blocks, &bytes);
  return faces;
}

using Point = std::function<Vec3(Random&, std::size_t)>;

void add_case(const std::string& kind, std::size_t count, const Point& make) {
  Random random(1);
  auto points = std::make_shared<std::vector<Vec3>>();
  for (std::size_t i = 0; i < count; ++i) points->push_back(make(random, i));
  compare(
      "hull " + kind + " " + std::to_string(count), count,
      [points] { return static_cast<double>(convex_hull(*points).value().face_count()); }, "Qhull",
      [points] { return faces_by_qhull(*points); });
}

void add_cases() {
  const Mat3 turn = to_matrix(normalized(Quat{0.1, 0.2, 0.3, 0.9}));
  for (const std::size_t count : {1000u, 100'000u, 1'000'000u}) {
    const auto side = static_cast<std::size_t>(std::lround(std::cbrt(static_cast<double>(count))));
    add_case("ball", count, [](Random& r, std::size_t) { return r.in_ball(); });
    add_case("sphere", count, [](Random& r, std::size_t) { return r.direction(); });
    add_case("cube", count, [](Random& r, std::size_t) { return r.in_box({1, 1, 1}); });
    add_case("turned cube surface", count, [turn](Random& r, std::size_t i) {
      Vec3 p = r.in_box({1, 1, 1});
      p[static_cast<int>(i % 3)] = i % 2 == 0 ? 1 : -1;
      return turn * p;
    });
    add_case("grid", count, [side](Random&, std::size_t i) {
      return Vec3{static_cast<double>(i % side), static_cast<double>(i / side % side),
                  static_cast<double>(i / side / side)};
    });
  }
}

} // namespace
} // namespace carom::bench

int main(int argc, char** argv) {
  carom::bench::add_cases();
  return carom::bench::main(argc, argv);
}
