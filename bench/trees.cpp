// Trees of every bounding volume, builder, descent rule and search, compared: the tables of docs/tree-volumes.md, in Markdown.
//
// Scenes, on the meshes of $CAROM_DATA (on made ones without it):
//   rob in env     the small mesh at random poses inside the large one (±3000): all pairs of triangles that meet; the nearest pair
//   two bunnies    turned at random, a hundredth of their radius apart: whether any pair meets (none does); the nearest pair
//   rays           from around a bunny toward points near it: the first hit
// All queries are cold, one at a time, on one core; a time is processor time, the least of three rounds over all queries (of one, where it takes
// more than a second), divided by their number.
#include "carom/math/random.h"
#include "carom/mesh/polygon_mesh.h"
#include "carom/tree/sphere_tree.h"
#include "carom/tree/triangle_pairs.h"
#include "carom/tree/triangle_rays.h"
#include "carom/tree/volume_queries.h"
#include "tests/support/data_mesh.h"
#include "tests/support/procedural_meshes.h"

#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace carom::bench {
namespace {

struct Mesh {
  std::string name;
  std::vector<Vec3> vertices;
  std::vector<IndexTriple> triangles;
  [[nodiscard]] TriangleSurface view() const { return {vertices, triangles}; }
};

Mesh load(const std::string& name, const PolygonMesh& instead) {
  const auto found = test::data_mesh(name);
  const PolygonMesh& from = found ? *found : instead;
  Mesh mesh{found ? name : "made " + name, from.vertices, {}};
  for (std::size_t f = 0; f < from.face_count(); ++f) {
    const auto c = from.face(f);
    for (std::size_t i = 2; i < c.size(); ++i) mesh.triangles.push_back({c[0], c[i - 1], c[i]});
  }
  return mesh;
}

struct Scene {
  Mesh a, b;
  std::vector<Frame> frames; // of b in a
  bool all_pairs = false;
};

struct Rays {
  Mesh mesh;
  std::vector<Ray> rays;
};

Scene rob_in_env(std::size_t poses) {
  Scene scene{load("env", test::sponge_mesh(2)), load("rob", test::gear_mesh(12)), {}, true};
  const Aabb box = fit_aabb(scene.a.vertices);
  Random random(1);
  for (std::size_t i = 0; i < poses; ++i) {
    const Vec3 at = box.center() + random.in_box(box.half());
    scene.frames.push_back(Pose{random.rotation(), at}.frame());
  }
  return scene;
}

/// From apart, straight toward each other until the gap is a hundredth of their radius: a step by the distance never goes through.
Scene two_bunnies(std::size_t poses) {
  const Mesh bunny = load("stanford-bunny", test::sphere_mesh(6, 0.2));
  Scene scene{bunny, bunny, {}, false};
  const VolumeTree<Obb> tree = build_volume_tree<Obb>(bunny.view());
  const Sphere ball = VolumeKind<Sphere>::fit({bunny.vertices, {}});
  Random random(2);
  for (std::size_t i = 0; i < poses; ++i) {
    const Mat3 turn = to_matrix(random.rotation());
    const Vec3 way = random.direction();
    double away = 2.1 * ball.radius;
    Frame frame;
    for (int step = 0; step < 100; ++step) {
      frame = {turn, ball.center + way * away - turn * ball.center};
      const double gap = nearest_triangles(tree, tree, frame).distance - 0.01 * ball.radius;
      if (gap < 0.001 * ball.radius) break;
      away -= gap;
    }
    scene.frames.push_back(frame);
  }
  return scene;
}

Rays rays_at_bunny(std::size_t count) {
  Rays scene{load("stanford-bunny", test::sphere_mesh(6, 0.2)), {}};
  const Sphere ball = VolumeKind<Sphere>::fit({scene.mesh.vertices, {}});
  Random random(3);
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 from = ball.center + random.direction() * (2 * ball.radius);
    const Vec3 to = ball.center + random.in_ball() * ball.radius;
    scene.rays.push_back({from, to - from});
  }
  return scene;
}

/// Seconds of processor time: other programs on the machine do not count.
double now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Keeps the compiler from leaving out what is measured.
double checksum = 0;

/// After this long, what is measured is not measured again.
constexpr double enough_seconds = 1;

/// One kind of query: what it costs on average.
struct Cost {
  double volumes = 0, triangles = 0, microseconds = 0;
};

template<class Query>
Cost measure(std::size_t count, Query&& query) {
  double best = INFINITY;
  VolumeTreeStats stats;
  const double begin = now();
  for (int round = 0; round < 3 && (round == 0 || now() - begin < enough_seconds); ++round) {
    stats = {};
    const double start = now();
    for (std::size_t i = 0; i < count; ++i) checksum += query(i, stats);
    best = std::min(best, now() - start);
  }
  const auto n = static_cast<double>(count);
  return {static_cast<double>(stats.volumes) / n, static_cast<double>(stats.triangles) / n,
          1e6 * best / n};
}

template<class V>
Cost overlap_cost(const Scene& scene, const VolumeTree<V>& a, const VolumeTree<V>& b,
                  const VolumeTraversal& options) {
  return measure(scene.frames.size(), [&](std::size_t i, VolumeTreeStats& stats) {
    if (scene.all_pairs) {
      return static_cast<double>(overlapping_pairs(a, b, scene.frames[i], options, &stats).size());
    }
    return first_overlapping_pair(a, b, scene.frames[i], options, &stats) ? 1.0 : 0.0;
  });
}

template<class V>
Cost distance_cost(const Scene& scene, const VolumeTree<V>& a, const VolumeTree<V>& b,
                   const VolumeTraversal& options) {
  return measure(scene.frames.size(), [&](std::size_t i, VolumeTreeStats& stats) {
    return nearest_triangles(a, b, scene.frames[i], {.traversal = options}, &stats).distance;
  });
}

template<class V>
Cost ray_cost(const Rays& scene, const VolumeTree<V>& tree, TreeSearch search) {
  return measure(scene.rays.size(), [&](std::size_t i, VolumeTreeStats& stats) {
    return cast(scene.rays[i], tree, INFINITY, search, &stats).t;
  });
}

/// Tables go to the screen, and as records to a file where one is asked for.
class Report {
public:
  explicit Report(std::string json) : json_(std::move(json)) {}

  void table(const std::string& title, const std::vector<std::string>& columns) {
    title_ = title;
    columns_ = columns;
    std::printf("\n### %s\n\n|", title.c_str());
    for (const std::string& c : columns) std::printf(" %s |", c.c_str());
    std::printf("\n|---|");
    for (std::size_t i = 1; i < columns.size(); ++i) std::printf("---:|");
    std::printf("\n");
  }
  void row(const std::string& name, const std::vector<double>& values) {
    std::printf("| %s |", name.c_str());
    records_ << (records_.tellp() > 0 ? ",\n" : "") << "{\"table\": \"" << title_
             << "\", \"case\": \"" << name << "\"";
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::isnan(values[i])) {
        std::printf(" |");
        continue;
      }
      std::printf(values[i] < 9.95 ? " %.1f |" : " %.0f |", values[i]);
      records_ << ", \"" << columns_[i + 1] << "\": " << values[i];
    }
    records_ << "}";
    std::printf("\n");
    std::fflush(stdout);
  }
  void write() const {
    if (!json_.empty()) std::ofstream(json_) << "[" << records_.str() << "]\n";
  }

private:
  std::string json_, title_;
  std::vector<std::string> columns_;
  std::ostringstream records_;
};

std::vector<double> joined(std::initializer_list<double> first, std::initializer_list<Cost> costs) {
  std::vector<double> values(first);
  for (const Cost& c : costs) {
    values.insert(values.end(), {c.volumes, c.triangles, c.microseconds});
  }
  return values;
}

const std::vector<std::string> pair_columns = {
    "tree",  "build ms", "bytes a triangle",  "overlap: volumes",
    "pairs", "µs",       "distance: volumes", "pairs ",
    "µs "};
constexpr VolumeTraversal overlap_search{TreeDescent::larger, TreeSearch::depth_first};
constexpr VolumeTraversal distance_search{TreeDescent::larger, TreeSearch::nearest_first};

template<class Build>
void pair_row(Report& report, const std::string& name, const Scene& scene, Build&& build) {
  const double start = now();
  const auto a = build(scene.a.view());
  const double milliseconds = 1e3 * (now() - start);
  const auto b = build(scene.b.view());
  const double bytes =
      static_cast<double>(a.bytes()) / static_cast<double>(scene.a.triangles.size());
  report.row(name, joined({milliseconds, bytes}, {overlap_cost(scene, a, b, overlap_search),
                                                  distance_cost(scene, a, b, distance_search)}));
}

template<class V>
auto builder(const VolumeTreeBuild& how) {
  return [how](const TriangleSurface& mesh) { return build_volume_tree<V>(mesh, how); };
}

auto sphere_builder(const SphereTreeBuild& how) {
  return [how](const TriangleSurface& mesh) { return build_sphere_tree(mesh, how); };
}

/// Only the time is known of the tree that queries really use.
template<class Query>
Cost measure_time(std::size_t count, Query&& query) {
  const Cost cost = measure(count, [&](std::size_t i, VolumeTreeStats&) { return query(i); });
  return {NAN, NAN, cost.microseconds};
}

void wide_pair_row(Report& report, const Scene& scene) {
  const double start = now();
  const TriangleTree tree_a(scene.a.view());
  const double milliseconds = 1e3 * (now() - start);
  const TriangleTree tree_b(scene.b.view());
  const TriangleSet a{tree_a, scene.a.view()};
  const TriangleSet b{tree_b, scene.b.view()};
  const Cost overlap = measure_time(scene.frames.size(), [&](std::size_t i) {
    if (!scene.all_pairs) return any_meeting(a, b, scene.frames[i]) ? 1.0 : 0.0;
    double count = 0;
    all_meetings(a, b, scene.frames[i], [&](const TrianglePair&) {
      ++count;
      return true;
    });
    return count;
  });
  const Cost distance = measure_time(scene.frames.size(), [&](std::size_t i) {
    return nearest_pair(a, b, scene.frames[i]).closest.distance;
  });
  const double bytes =
      static_cast<double>(tree_a.bytes()) / static_cast<double>(scene.a.triangles.size());
  report.row("for comparison: the 8-way tree", joined({milliseconds, bytes}, {overlap, distance}));
}

void compare_volumes(Report& report, const std::string& title, const Scene& scene) {
  report.table("Volumes: " + title, pair_columns);
  const VolumeTreeBuild how{};
  pair_row(report, "balls", scene, builder<Sphere>(how));
  pair_row(report, "balls, octree", scene, sphere_builder({.cover = SphereCover::octree}));
  pair_row(report, "balls, surface cover", scene, sphere_builder({.cover = SphereCover::surface}));
  pair_row(report, "balls, pruned cover", scene, sphere_builder({.cover = SphereCover::pruned}));
  pair_row(report, "AABBs", scene, builder<Aabb>(how));
  pair_row(report, "OBBs", scene, builder<Obb>(how));
  pair_row(report, "lozenges", scene, builder<Lozenge>(how));
  pair_row(report, "14-DOPs", scene, builder<Kdop14>(how));
  pair_row(report, "18-DOPs", scene, builder<Kdop18>(how));
  pair_row(report, "26-DOPs", scene, builder<Kdop26>(how));
  pair_row(report, "shells", scene, builder<SphericalShell>(how));
  wide_pair_row(report, scene);
}

struct NamedBuild {
  const char* name;
  VolumeTreeBuild how;
};

const NamedBuild builds[] = {
    {"longest side, object median", {.point = SplitPoint::object_median}},
    {"longest side, object mean", {.point = SplitPoint::object_mean}},
    {"longest side, spatial median", {.point = SplitPoint::spatial_median}},
    {"longest side, largest gap", {.point = SplitPoint::largest_gap}},
    {"longest side, growth", {.point = SplitPoint::growth}},
    {"longest side, least weighted area (SAH)", {}},
    {"longest side, least sum of areas", {.goal = SplitGoal::sum_of_areas}},
    {"longest side, least greater area", {.goal = SplitGoal::greatest_area}},
    {"longest side, least common area", {.goal = SplitGoal::common_area}},
    {"longest side, widest gap", {.goal = SplitGoal::separation}},
    {"largest variance, object mean",
     {.axis = SplitAxis::largest_variance, .point = SplitPoint::object_mean}},
    {"principal axis, object mean",
     {.axis = SplitAxis::principal, .point = SplitPoint::object_mean}},
    {"farthest points, object mean",
     {.axis = SplitAxis::farthest_points, .point = SplitPoint::object_mean}},
    {"best of three, object mean",
     {.axis = SplitAxis::best_of_three, .point = SplitPoint::object_mean}},
    {"best of three, SAH", {.axis = SplitAxis::best_of_three}},
    {"best of three, SAH, volumes merged",
     {.axis = SplitAxis::best_of_three, .fit = NodeFit::children}},
    {"bottom up, nearest pair", {.method = TreeMethod::nearest_pair}},
    {"bottom up, clusters", {.method = TreeMethod::clusters}},
    {"insertion, best place", {.method = TreeMethod::insertion}},
    {"insertion, one path", {.method = TreeMethod::one_path}},
    {"SAH, 2 triangles a leaf", {.leaf_size = 2}},
    {"SAH, 4 triangles a leaf", {.leaf_size = 4}},
    {"SAH, 8 triangles a leaf", {.leaf_size = 8}},
};

template<class V>
void compare_builders(Report& report, const std::string& title, const Scene& scene) {
  report.table("Builders: " + title, pair_columns);
  for (const NamedBuild& b : builds) pair_row(report, b.name, scene, builder<V>(b.how));
}

template<class V>
void compare_rules(Report& report, const std::string& title, const Scene& scene) {
  report.table("Descent and search: " + title, {"rule, search", "overlap: volumes", "pairs", "µs",
                                                "distance: volumes", "pairs ", "µs "});
  const auto a = build_volume_tree<V>(scene.a.view());
  const auto b = build_volume_tree<V>(scene.b.view());
  const char* rules[] = {"larger", "A first", "B first", "both", "alternate"};
  const char* searches[] = {"depth first", "nearest first", "best first"};
  for (const TreeSearch s :
       {TreeSearch::depth_first, TreeSearch::nearest_first, TreeSearch::best_first}) {
    for (const TreeDescent d : {TreeDescent::larger, TreeDescent::a_first, TreeDescent::b_first,
                                TreeDescent::both, TreeDescent::alternate}) {
      const std::string name =
          std::string(rules[static_cast<int>(d)]) + ", " + searches[static_cast<int>(s)];
      report.row(name, joined({}, {overlap_cost(scene, a, b, {d, s}),
                                   distance_cost(scene, a, b, {d, s})}));
    }
  }
}

template<class Build>
void ray_row(Report& report, const std::string& name, const Rays& scene, Build&& build) {
  const auto tree = build(scene.mesh.view());
  report.row(name, joined({}, {ray_cost(scene, tree, TreeSearch::depth_first),
                               ray_cost(scene, tree, TreeSearch::nearest_first)}));
}

void compare_rays(Report& report, const Rays& scene) {
  report.table("Rays at " + scene.mesh.name, {"tree", "depth first: volumes", "triangles", "µs",
                                              "nearest first: volumes", "triangles ", "µs "});
  const VolumeTreeBuild how{};
  ray_row(report, "balls", scene, builder<Sphere>(how));
  ray_row(report, "balls, octree", scene, sphere_builder({.cover = SphereCover::octree}));
  ray_row(report, "balls, surface cover", scene, sphere_builder({.cover = SphereCover::surface}));
  ray_row(report, "balls, pruned cover", scene, sphere_builder({.cover = SphereCover::pruned}));
  ray_row(report, "AABBs", scene, builder<Aabb>(how));
  ray_row(report, "AABBs, object median", scene,
          builder<Aabb>({.point = SplitPoint::object_median}));
  ray_row(report, "AABBs, clusters", scene, builder<Aabb>({.method = TreeMethod::clusters}));
  ray_row(report, "OBBs", scene, builder<Obb>(how));
  ray_row(report, "lozenges", scene, builder<Lozenge>(how));
  ray_row(report, "14-DOPs", scene, builder<Kdop14>(how));
  ray_row(report, "18-DOPs", scene, builder<Kdop18>(how));
  ray_row(report, "26-DOPs", scene, builder<Kdop26>(how));
  ray_row(report, "shells", scene, builder<SphericalShell>(how));
  const TriangleTree wide(scene.mesh.view());
  const Cost cost = measure_time(scene.rays.size(), [&](std::size_t i) {
    const RayTriangle hit = first_hit(wide, scene.mesh.view(), {scene.rays[i]});
    return hit ? hit.t : 0.0;
  });
  report.row("for comparison: the 8-way tree", joined({}, {{NAN, NAN, NAN}, cost}));
}

} // namespace
} // namespace carom::bench

int main(int argc, char** argv) {
  using namespace carom::bench;
  std::string json;
  std::string filter;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--json" && i + 1 < argc) {
      json = argv[++i];
    } else if (word == "--filter" && i + 1 < argc) {
      filter = argv[++i];
    } else {
      std::cout
          << "bench_trees [--json FILE] [--filter PART]: trees of bounding volumes, compared; "
             "volumes, rays, builders or rules alone\n";
      return word == "--help" ? 0 : 1;
    }
  }
  const auto wanted = [&](const char* part) { return filter.empty() || filter == part; };
  Report report(json);
  const Scene env = rob_in_env(500);
  const Scene bunnies = wanted("volumes") || wanted("builders") ? two_bunnies(20) : Scene{};
  const std::string env_title = env.b.name + " in " + env.a.name;
  const std::string bunny_title = "two of " + bunnies.a.name + ", nearly touching";
  if (wanted("volumes")) {
    compare_volumes(report, env_title, env);
    compare_volumes(report, bunny_title, bunnies);
  }
  if (wanted("rays")) compare_rays(report, rays_at_bunny(2000));
  if (wanted("builders")) {
    compare_builders<carom::Aabb>(report, "AABBs, " + env_title, env);
    compare_builders<carom::Obb>(report, "OBBs, " + bunny_title, bunnies);
  }
  if (wanted("rules")) compare_rules<carom::Obb>(report, "OBBs, " + env_title, env);
  report.write();
  std::printf("\n(checksum %g)\n", checksum);
  return 0;
}
