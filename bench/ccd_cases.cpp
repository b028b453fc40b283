// Linearly moving vertices, exactly, against a plain floating-point cubic root finder: on the public data of continuous collision, which is degenerate on purpose.
//
// The peer is what physics and cloth codes commonly do: the coplanarity cubic from the positions, its critical points by the quadratic formula, the monotonic pieces between them by Newton's method kept in a
// bracket, then the inside test at each root with a tolerance of 1e-6. In doubles, no filters but the signs of the cubic at the ends of its pieces. It misses contacts and reports false ones; how many is printed
// before the times.
//
// Cases: each set of the data by kind, and 'all' of them; without the data, random queries only.
#include "bench/compare.h"
#include "bench/motion_cases.h"
#include "carom/math/random.h"
#include "carom/motion/edge_edge.h"
#include "carom/motion/mesh_ccd.h"
#include "carom/motion/vertex_face.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <vector>

namespace carom::bench {
namespace {

struct Query {
  bool face = true;
  bool truth = false;
  std::array<MovingPoint, 4> p;
};
using Queries = std::vector<Query>;

LinearImpact ours(const Query& q) {
  if (q.face) return vertex_face_impact(q.p[0], {q.p[1], q.p[2], q.p[3]});
  return edge_edge_impact({q.p[0], q.p[1]}, {q.p[2], q.p[3]});
}

// ---- the peer ----

constexpr double inside_tolerance = 1e-6;

struct Cubic {
  double a, b, c, d;
  [[nodiscard]] double at(double t) const { return ((a * t + b) * t + c) * t + d; }
  [[nodiscard]] double slope(double t) const { return (3 * a * t + 2 * b) * t + c; }
};

/// The one root in [lo, hi], where the signs differ.
double newton(const Cubic& p, double lo, double hi) {
  const bool rising = p.at(hi) > 0;
  double t = 0.5 * (lo + hi);
  for (int i = 0; i < 50; ++i) {
    const double f = p.at(t);
    (f > 0) == rising ? hi = t : lo = t;
    const double step = f / p.slope(t);
    double next = t - step;
    if (!(next > lo && next < hi)) next = 0.5 * (lo + hi);
    if (std::fabs(next - t) < 1e-14) return next;
    t = next;
  }
  return t;
}

/// Roots in [0, 1], ascending.
int roots(const Cubic& p, double* out) {
  double ends[4] = {0, 1, 1, 1};
  int pieces = 1;
  const double discriminant = p.b * p.b - 3 * p.a * p.c;
  if (discriminant > 0) {
    const double q = -(p.b + std::copysign(std::sqrt(discriminant), p.b));
    double t1 = q / (3 * p.a);
    double t2 = p.c / q;
    if (t1 > t2) std::swap(t1, t2);
    for (const double t : {t1, t2})
      if (t > 0 && t < 1) {
        ends[pieces++] = t;
        ends[pieces] = 1;
      }
  }
  int count = 0;
  for (int i = 0; i < pieces; ++i) {
    const double f0 = p.at(ends[i]);
    const double f1 = p.at(ends[i + 1]);
    if (f0 == 0)
      out[count++] = ends[i];
    else if ((f0 < 0) != (f1 < 0))
      out[count++] = newton(p, ends[i], ends[i + 1]);
  }
  return count;
}

bool inside_face(const Vec3& v, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 e1 = b - a;
  const Vec3 e2 = c - a;
  const Vec3 w = v - a;
  const double d11 = dot(e1, e1), d12 = dot(e1, e2), d22 = dot(e2, e2);
  const double w1 = dot(w, e1), w2 = dot(w, e2);
  const double det = d11 * d22 - d12 * d12;
  const double s = (d22 * w1 - d12 * w2) / det;
  const double t = (d11 * w2 - d12 * w1) / det;
  return s >= -inside_tolerance && t >= -inside_tolerance && s + t <= 1 + inside_tolerance;
}

bool edges_cross(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
  const Vec3 u = a1 - a0;
  const Vec3 v = b1 - b0;
  const Vec3 w = b0 - a0;
  const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v);
  const double wu = dot(w, u), wv = dot(w, v);
  const double det = uu * vv - uv * uv;
  const double s = (vv * wu - uv * wv) / det;
  const double t = (uv * wu - uu * wv) / det;
  const double low = -inside_tolerance, high = 1 + inside_tolerance;
  return s >= low && s <= high && t >= low && t <= high;
}

/// The time of the first contact; 2 where none is found.
double peer(const Query& q) {
  Vec3 x[4], v[4];
  for (std::size_t i = 1; i < 4; ++i) {
    x[i] = q.p[i].from - q.p[0].from;
    v[i] = (q.p[i].to - q.p[0].to) - x[i];
  }
  const Vec3 n0 = cross(x[2], x[3]);
  const Vec3 n1 = cross(x[2], v[3]) + cross(v[2], x[3]);
  const Vec3 n2 = cross(v[2], v[3]);
  const Cubic p{dot(v[1], n2), dot(v[1], n1) + dot(x[1], n2), dot(v[1], n0) + dot(x[1], n1),
                dot(x[1], n0)};
  double root[4];
  const int count = roots(p, root);
  for (int i = 0; i < count; ++i) {
    const double t = root[i];
    const Vec3 y1 = x[1] + v[1] * t;
    const Vec3 y2 = x[2] + v[2] * t;
    const Vec3 y3 = x[3] + v[3] * t;
    if (q.face ? inside_face({}, y1, y2, y3) : edges_cross({}, y1, y2, y3)) return t;
  }
  return 2;
}

// ---- the queries ----

/// The data of CAROM_DATA or ../shared/data, by set and kind. Numbers are divided in doubles, which is exact for those that are doubles.
std::map<std::string, Queries> read_data() {
  std::map<std::string, Queries> sets;
  const char* named = std::getenv("CAROM_DATA");
  const std::filesystem::path folder =
      std::filesystem::path(named ? named : "../shared/data") / "ccd";
  std::error_code none;
  if (!std::filesystem::is_directory(folder, none)) {
    std::fprintf(stderr, "no data: CAROM_DATA names no folder with ccd/\n");
    return sets;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".csv") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    const std::string kind = file.parent_path().filename().string();
    Queries& set = sets[kind + " " + file.parent_path().parent_path().filename().string()];
    std::ifstream in(file);
    std::string line;
    Query q;
    q.face = kind == "vertex-face";
    for (std::size_t row = 0; std::getline(in, line); row = (row + 1) % 8) {
      std::replace(line.begin(), line.end(), ',', ' ');
      std::istringstream fields(line);
      for (int k = 0; k < 3; ++k) {
        double numerator = 0, denominator = 1;
        fields >> numerator >> denominator;
        (row < 4 ? q.p[row % 4].from : q.p[row % 4].to)[k] = numerator / denominator;
      }
      fields >> q.truth;
      if (row == 7) set.push_back(q);
    }
  }
  return sets;
}

Queries random_queries(bool face) {
  Random random(5);
  Queries set(1000);
  for (Query& q : set) {
    q.face = face;
    for (MovingPoint& p : q.p)
      for (Vec3* v : {&p.from, &p.to})
        for (int k = 0; k < 3; ++k) (*v)[k] = random.uniform(-1, 1);
    q.truth = ours(q).hit;
  }
  return set;
}

void compare_queries(const std::string& name, const Queries& set) {
  compare(
      "ccd " + name, set.size(),
      [set] {
        double sum = 0;
        for (const Query& q : set) sum += ours(q).t;
        return sum;
      },
      "cubic root finder",
      [set] {
        double sum = 0;
        for (const Query& q : set) sum += peer(q);
        return sum;
      });
}

void print_errors(const std::string& name, const Queries& set) {
  int missed = 0, false_hits = 0, peer_missed = 0, peer_false = 0;
  for (const Query& q : set) {
    const bool mine = ours(q).hit;
    const bool theirs = peer(q) <= 1;
    missed += q.truth && !mine ? 1 : 0;
    false_hits += !q.truth && mine ? 1 : 0;
    peer_missed += q.truth && !theirs ? 1 : 0;
    peer_false += !q.truth && theirs ? 1 : 0;
  }
  std::fprintf(stderr, "%s: of %zu, ours misses %d and has %d false hits; the peer %d and %d\n",
               name.c_str(), set.size(), missed, false_hits, peer_missed, peer_false);
}

// ---- meshes ----

/// A cloth of n by n cells that falls over a fold of itself: between two frames, some of it touches.
struct Cloth {
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<Vec3> from, to;

  explicit Cloth(std::uint32_t n) {
    Random random(9);
    for (std::uint32_t i = 0; i <= n; ++i)
      for (std::uint32_t j = 0; j <= n; ++j) {
        const double x = 2.0 * i / n - 1, y = 2.0 * j / n - 1;
        // Folded at x = 0: one half lies over the other, a tenth of a cell above, and sinks.
        const Vec3 p{std::fabs(x), y, x < 0 ? 0 : 0.1 / n};
        from.push_back(p + random.direction() * (0.04 / n));
        to.push_back(p + Vec3{0, 0, x < 0 ? 0 : -0.05 / n} + random.direction() * (0.04 / n));
      }
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = 0; j < n; ++j) {
        const std::uint32_t a = i * (n + 1) + j;
        const std::uint32_t b = a + n + 1;
        triangles.push_back({a, b, b + 1});
        triangles.push_back({a, b + 1, a + 1});
      }
  }
  [[nodiscard]] MovingMesh mesh() const { return {triangles, from, to}; }
};

/// The whole step of a cloth: refit, then the first impact, or all of them. The peer builds the tree anew.
void compare_cloth(std::uint32_t n) {
  const auto cloth = std::make_shared<Cloth>(n);
  const auto tree = std::make_shared<SweptTree>(SweptTree::build(cloth->mesh()).value());
  compare(
      "ccd cloth of " + std::to_string(cloth->triangles.size()) + " triangles, all impacts", 1,
      [=] {
        double sum = 0;
        if (!tree->refit(cloth->mesh())) return sum;
        all_impacts(cloth->mesh(), *tree, {}, [&](const MeshImpact& m) {
          sum += m.impact.t;
          return true;
        });
        return sum;
      },
      "ours, built anew",
      [=] {
        double sum = 0;
        const auto all = mesh_impacts(cloth->triangles, cloth->from, cloth->to);
        for (const MeshImpact& m : *all) sum += m.impact.t;
        return sum;
      });
}

} // namespace

void add_ccd_cases() {
  const auto sets = read_data();
  Queries all, faces, edges;
  for (const auto& [name, set] : sets) {
    compare_queries(name, set);
    all.insert(all.end(), set.begin(), set.end());
    Queries& kind = set.empty() || set.front().face ? faces : edges;
    kind.insert(kind.end(), set.begin(), set.end());
  }
  if (!all.empty()) {
    print_errors("all data", all);
    compare_queries("vertex-face all data", faces);
    compare_queries("edge-edge all data", edges);
    compare_queries("all data", all);
  }
  compare_queries("vertex-face random", random_queries(true));
  compare_queries("edge-edge random", random_queries(false));
  compare_cloth(50);
}

} // namespace carom::bench
