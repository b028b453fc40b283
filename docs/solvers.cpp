// Runs the same scenes with the default world and the three classic solvers: prints the table of solvers.md, and draws, over time, solvers.svg (energy and overlap) and solvers-cost.svg (drift and cost), in the folder given as argument.
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
constexpr std::size_t second = 60; ///< in steps
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
  // After each step.
  std::vector<double> energy, overlap;
  std::vector<double> drift; ///< the farthest that a body moved in the second before
  std::vector<double> cost;  ///< milliseconds of the processor for the step, the least of all runs
  double total = 0;          ///< the same for a second of the scene
};

/// In milliseconds.
double processor_time() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

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

using Places = std::vector<Vec3>; ///< of all bodies

double farthest(const Places& from, const Places& to) {
  double most = 0;
  for (std::size_t k = 0; k < from.size(); ++k) most = std::max(most, distance(from[k], to[k]));
  return most;
}

template<class AnyWorld>
void run(AnyWorld world, const Scene& scene, bool look, Record& record) {
  std::vector<BodyId> ids;
  for (const BodyDef& def : scene.bodies) ids.push_back(world.add(def).value());
  const auto places = [&] {
    Places all;
    for (const BodyId id : ids) all.push_back(world.pose(id)->position);
    return all;
  };
  std::vector<Places> way{places()};
  double total = 0;
  record.cost.resize(static_cast<std::size_t>(scene.steps), INFINITY);
  for (double& cost : record.cost) {
    const double start = processor_time();
    world.step(frame);
    const double spent = processor_time() - start;
    total += spent;
    cost = std::min(cost, spent);
    if (!look) continue;
    double energy = 0;
    for (const BodyId id : ids)
      if (world.body(id)->kind == BodyKind::dynamic) energy += energy_of(*world.body(id));
    record.energy.push_back(energy);
    record.overlap.push_back(deepest(world.bodies()));
    way.push_back(places());
    record.drift.push_back(
        farthest(way[way.size() - std::min(way.size(), second + 1)], way.back()));
  }
  total /= scene.steps * frame;
  record.total = record.total > 0 ? std::min(record.total, total) : total;
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

struct Axis {
  double low, high; ///< of a logarithmic one: powers of ten
  int parts = 4;
  bool logarithmic = false;
};

using Lines = std::array<std::vector<double>, 4>; ///< by solver, a value a step

/// One panel: four lines over time.
void draw_panel(Svg& svg, const Vec3& corner, const std::string& title, const Axis& axis,
                const Lines& lines) {
  const double height = axis.high - axis.low;
  const std::string grid = "stroke='#ddd' fill='none'";
  for (int k = 0; k <= axis.parts; ++k) {
    const Vec3 at = corner + Vec3{0, panel_height * k / axis.parts, 0};
    svg.segment(at, at + Vec3{panel_width, 0, 0}, grid);
    const double value = axis.low + height * k / axis.parts;
    char text[40];
    std::snprintf(text, sizeof text, "%.3g", axis.logarithmic ? std::pow(10, value) : value);
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
      const double value = axis.logarithmic ? std::log10(lines[k][i]) : lines[k][i];
      const double y = std::clamp((value - axis.low) / height, 0.0, 1.0);
      points.push_back(corner + Vec3{x * panel_width, y * panel_height, 0});
    }
    svg.polyline(points, std::string("fill='none' stroke-width='1.5' stroke='") + colours[k] + "'");
  }
  svg.text(corner + Vec3{panel_width / 2, panel_height + 0.1, 0}, title, 12);
}

constexpr Vec3 next_panel{panel_width + 1.1, 0, 0};

void draw_physics(Svg& svg, const Vec3& corner, const Scene& scene,
                  const std::array<Record, 4>& records) {
  Lines energy, overlap;
  Axis kilojoules{INFINITY, -INFINITY}, millimetres{0, 1e-3};
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
  draw_panel(svg, corner, scene.name + ": change of energy, kJ", kilojoules, energy);
  draw_panel(svg, corner + next_panel, scene.name + ": deepest overlap, mm", millimetres, overlap);
}

/// A quarter of a second around each value: single steps jump too much to be told apart.
std::vector<double> smoothed(const std::vector<double>& values) {
  constexpr std::size_t reach = 7;
  std::vector<double> means;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t from = i - std::min(i, reach), to = std::min(i + reach + 1, values.size());
    double sum = 0;
    for (std::size_t k = from; k < to; ++k) sum += values[k];
    means.push_back(sum / static_cast<double>(to - from));
  }
  return means;
}

void draw_costs(Svg& svg, const Vec3& corner, const Scene& scene,
                const std::array<Record, 4>& records) {
  Lines drift, cost;
  for (std::size_t k = 0; k < 4; ++k) {
    for (const double d : records[k].drift) drift[k].push_back(d * 1000);
    cost[k] = smoothed(records[k].cost);
  }
  draw_panel(svg, corner, scene.name + ": moved in the last second, mm", {-10, 5, 5, true}, drift);
  draw_panel(svg, corner + next_panel, scene.name + ": cost of a step, ms", {-4, 2, 6, true}, cost);
}

/// Two digits, without powers of ten where there are more before the point.
std::string two_digits(double value) {
  char text[40];
  std::snprintf(text, sizeof text, value >= 100 ? "%.0f" : "%.2g", value);
  return text;
}

void print_rows(const Scene& scene, const std::array<Record, 4>& records) {
  for (std::size_t k = 0; k < 4; ++k) {
    const Record& r = records[k];
    const double depth = 1000 * *std::max_element(r.overlap.begin(), r.overlap.end());
    std::printf("| %s | %s | %s | %s | %s | %s | %.4f |\n", scene.name.c_str(), solver_names[k],
                two_digits(r.total).c_str(), two_digits(r.total / records[0].total).c_str(),
                two_digits(depth).c_str(),
                scene.rests ? two_digits(1000 * r.drift.back()).c_str() : "-",
                r.energy.back() / r.energy.front());
  }
  std::fflush(stdout);
}

constexpr double width = 9.2, row = panel_height + 0.75, scale = 85;

/// An empty sheet for so many scenes, with the names of the solvers.
Svg sheet(double height) {
  Svg svg(width * scale, height * scale, scale);
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec3 at{-2.2 + 1.5 * static_cast<double>(k), height / 2 - 0.3, 0};
    svg.segment(at, at + Vec3{0.3, 0, 0},
                std::string("stroke-width='3' stroke='") + colours[k] + "'");
    svg.text(at + Vec3{0.38, -0.05, 0}, solver_names[k], 13, "start");
  }
  return svg;
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  const std::vector<Scene> all = scenes();
  const double height = row * static_cast<double>(all.size()) + 0.7;
  Svg physics = sheet(height), costs = sheet(height);
  std::printf("| scene | solver | ms for a second | of World's | deepest overlap, mm | drift in "
              "the last second, "
              "mm | energy at the end, of that at first |\n|---|---|---|---|---|---|---|\n");
  for (std::size_t s = 0; s < all.size(); ++s) {
    std::array<Record, 4> records;
    for (int round = 0; round < 3; ++round)
      for (std::size_t k = 0; k < 4; ++k) run_with(k, all[s], round == 0, records[k]);
    print_rows(all[s], records);
    const Vec3 corner{-width / 2 + 0.9, height / 2 - 0.55 - row * static_cast<double>(s + 1) + 0.35,
                      0};
    draw_physics(physics, corner, all[s], records);
    draw_costs(costs, corner, all[s], records);
  }
  const std::string folder = argv[1];
  const bool saved = physics.save(folder + "/solvers.svg");
  return costs.save(folder + "/solvers-cost.svg") && saved ? 0 : 1;
}
