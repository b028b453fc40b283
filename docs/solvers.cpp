// Runs the same scenes with the default world and the three classic solvers: prints the table of solvers.md, and draws solvers.svg, energy and overlap over time, in the folder given as argument.
#include "carom/dynamics/classic/classic_world.h"
#include "carom/dynamics/classic/touching.h"
#include "carom/math/random.h"
#include "examples/svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

using namespace carom;
using examples::Svg;

namespace {

constexpr double frame = 1.0 / 60;
constexpr Vec3 gravity{0, 0, -9.81};
const std::array<const char*, 4> solver_names{"World", "events", "resting", "penalty"};
const std::array<const char*, 4> colours{"#222", "#2b6cb0", "#2f855a", "#c05621"};

struct Scene {
  std::string name;
  std::vector<BodyDef> bodies; ///< the first is the floor
  int steps = 360;
  bool rests = true; ///< in the end: drift is asked for
};

BodyDef floor_of(const Quat& turn = {}) {
  return {.shape = Shape::box({50, 50, 0.5}).value(),
          .pose = {turn, to_matrix(turn) * Vec3{0, 0, -0.5}},
          .kind = BodyKind::fixed};
}

std::vector<Scene> scenes() {
  const Shape cube = Shape::box({0.5, 0.5, 0.5}).value();
  Scene ball{"ball", {floor_of()}, 240, false};
  ball.bodies.push_back({.shape = Shape::sphere(0.5).value(),
                         .pose = Pose::at({0, 0, 5.5}),
                         .material = {.restitution = 0.8}});
  Scene tower{"tower of 5", {floor_of()}};
  for (int i = 0; i < 5; ++i)
    tower.bodies.push_back({.shape = cube, .pose = Pose::at({0, 0, 0.5 + i})});
  // 25 degrees: the tangent is 0.47, friction 0.6.
  const Quat turn = Quat::from_axis_angle({0, 1, 0}, 0.4363323129985824);
  Scene slope{"slope", {floor_of(turn)}};
  slope.bodies.push_back({.shape = Shape::box({0.5, 0.5, 0.25}).value(),
                          .pose = {turn, to_matrix(turn) * Vec3{0, 0, 0.25}}});
  Scene heap{"heap of 20", {floor_of()}, 480};
  Random random(3);
  for (int i = 0; i < 20; ++i) {
    const Vec3 at = random.in_box({1, 1, 0});
    heap.bodies.push_back({.shape = Shape::box({0.5, 0.4, 0.3}).value(),
                           .pose = {random.rotation(), at + Vec3{0, 0, 1 + 1.5 * i}}});
  }
  return {ball, tower, slope, heap};
}

/// What is seen of a run.
struct Record {
  std::vector<double> energy, overlap; ///< after each step
  double drift = 0;                    ///< the farthest that a body moved in the last second
  double cost = 0;                     ///< milliseconds of the processor for a second of the scene
};

double energy_of(const BodyInfo& b) {
  return 0.5 * b.mass * length_squared(b.velocity) +
         0.5 * dot(b.angular_velocity, b.inertia * b.angular_velocity) -
         b.mass * dot(gravity, b.center);
}

double deepest(const BodyStore& bodies) {
  double depth = 0;
  std::vector<Aabb> boxes;
  for (std::uint32_t i = 0; i < bodies.slots(); ++i) boxes.push_back(classic::body_box(bodies, i));
  for (std::uint32_t i = 0; i < bodies.slots(); ++i)
    for (std::uint32_t j = i + 1; j < bodies.slots(); ++j)
      if (classic::boxes_meet(boxes[i], boxes[j], 0))
        depth = std::max(depth, classic::overlap_depth(bodies, i, j));
  return depth;
}

template<class AnyWorld>
void run(AnyWorld world, const Scene& scene, bool look, Record& record) {
  std::vector<BodyId> ids;
  for (const BodyDef& def : scene.bodies) ids.push_back(world.add(def).value());
  std::vector<Vec3> before;
  std::clock_t spent = 0;
  for (int i = 0; i < scene.steps; ++i) {
    const std::clock_t start = std::clock();
    world.step(frame);
    spent += std::clock() - start;
    if (!look) continue;
    double energy = 0;
    for (const BodyId id : ids)
      if (world.body(id)->kind == BodyKind::dynamic) energy += energy_of(*world.body(id));
    record.energy.push_back(energy);
    record.overlap.push_back(deepest(world.bodies()));
    if (i + 61 == scene.steps)
      for (const BodyId id : ids) before.push_back(world.pose(id)->position);
  }
  for (std::size_t k = 0; k < before.size(); ++k)
    record.drift = std::max(record.drift, distance(before[k], world.pose(ids[k])->position));
  const double cost = static_cast<double>(spent) / CLOCKS_PER_SEC * 1000 / (scene.steps * frame);
  record.cost = record.cost > 0 ? std::min(record.cost, cost) : cost;
}

void run_with(std::size_t solver, const Scene& scene, bool look, Record& record) {
  if (solver == 0) {
    WorldOptions options;
    options.gravity = gravity;
    options.sleep.enabled = false;
    run(World(options), scene, look, record);
    return;
  }
  constexpr std::array<ClassicSolver, 3> kinds{ClassicSolver::events, ClassicSolver::resting,
                                               ClassicSolver::penalty};
  run(ClassicWorld({.gravity = gravity, .solver = kinds[solver - 1]}), scene, look, record);
}

constexpr double panel_width = 3.2, panel_height = 1.9;

struct Range {
  double low, high;
};

/// One panel: four lines over time.
void draw_panel(Svg& svg, const Vec3& corner, const std::string& title, const Range& range,
                const std::array<std::vector<double>, 4>& lines, const char* unit) {
  const double height = range.high - range.low;
  const std::string grid = "stroke='#ddd' fill='none'";
  for (int k = 0; k <= 4; ++k) {
    const Vec3 at = corner + Vec3{0, panel_height * k / 4, 0};
    svg.segment(at, at + Vec3{panel_width, 0, 0}, grid);
    char text[40];
    std::snprintf(text, sizeof text, "%.3g%s", range.low + height * k / 4, unit);
    svg.text(at - Vec3{0.06, 0.04, 0}, text, 10, "end");
  }
  const double seconds = static_cast<double>(lines[0].size()) * frame;
  for (int s = 0; s <= static_cast<int>(seconds); s += 2) {
    const Vec3 at = corner + Vec3{panel_width * s / seconds, 0, 0};
    svg.segment(at, at + Vec3{0, panel_height, 0}, grid);
    svg.text(at - Vec3{0, 0.2, 0}, std::to_string(s) + " s", 10);
  }
  for (std::size_t k = 0; k < lines.size(); ++k) {
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < lines[k].size(); ++i) {
      const double x = static_cast<double>(i + 1) * frame / seconds;
      const double y = std::clamp((lines[k][i] - range.low) / height, 0.0, 1.0);
      points.push_back(corner + Vec3{x * panel_width, y * panel_height, 0});
    }
    svg.polyline(points, std::string("fill='none' stroke-width='1.5' stroke='") + colours[k] + "'");
  }
  svg.text(corner + Vec3{panel_width / 2, panel_height + 0.1, 0}, title, 12);
}

void draw_row(Svg& svg, const Vec3& corner, const Scene& scene,
              const std::array<Record, 4>& records) {
  std::array<std::vector<double>, 4> energy, overlap;
  Range kilojoules{INFINITY, -INFINITY}, millimetres{0, 1e-3};
  const double first = records[0].energy.front();
  for (std::size_t k = 0; k < 4; ++k) {
    for (const double e : records[k].energy) energy[k].push_back((e - first) / 1000);
    for (const double d : records[k].overlap) overlap[k].push_back(d * 1000);
    const auto [low, high] = std::minmax_element(energy[k].begin(), energy[k].end());
    kilojoules.low = std::min(kilojoules.low, *low);
    kilojoules.high = std::max(kilojoules.high, *high);
    millimetres.high =
        std::max(millimetres.high, *std::max_element(overlap[k].begin(), overlap[k].end()));
  }
  draw_panel(svg, corner, scene.name + ": change of energy, kJ", kilojoules, energy, "");
  draw_panel(svg, corner + Vec3{panel_width + 1.1, 0, 0}, scene.name + ": deepest overlap, mm",
             millimetres, overlap, "");
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  const std::vector<Scene> all = scenes();
  constexpr double width = 9.2, row = panel_height + 0.75, scale = 85;
  const double height = row * static_cast<double>(all.size()) + 0.7;
  Svg svg(width * scale, height * scale, scale);
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec3 at{-2.2 + 1.5 * static_cast<double>(k), height / 2 - 0.3, 0};
    svg.segment(at, at + Vec3{0.3, 0, 0},
                std::string("stroke-width='3' stroke='") + colours[k] + "'");
    svg.text(at + Vec3{0.38, -0.05, 0}, solver_names[k], 13, "start");
  }
  std::printf("| scene | solver | ms for a second | of World's | deepest overlap, mm | drift in "
              "the last second, "
              "mm | energy at the end, of that at first |\n|---|---|---|---|---|---|---|\n");
  for (std::size_t s = 0; s < all.size(); ++s) {
    std::array<Record, 4> records;
    for (int round = 0; round < 3; ++round)
      for (std::size_t k = 0; k < 4; ++k) run_with(k, all[s], round == 0, records[k]);
    for (std::size_t k = 0; k < 4; ++k) {
      const Record& r = records[k];
      char drift[40] = "-";
      if (all[s].rests) std::snprintf(drift, sizeof drift, "%.2g", 1000 * r.drift);
      std::printf("| %s | %s | %.2g | %.2g | %.2g | %s | %.4f |\n", all[s].name.c_str(),
                  solver_names[k], r.cost, r.cost / records[0].cost,
                  1000 * *std::max_element(r.overlap.begin(), r.overlap.end()), drift,
                  r.energy.back() / r.energy.front());
      std::fflush(stdout);
    }
    draw_row(svg,
             {-width / 2 + 0.9, height / 2 - 0.55 - row * static_cast<double>(s + 1) + 0.35, 0},
             all[s], records);
  }
  return svg.save(std::string(argv[1]) + "/solvers.svg") ? 0 : 1;
}
