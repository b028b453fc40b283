// Any number of threads may ask the same shapes at once: each gets what one alone gets, to the bit. (Under tsan: and nothing is written that others read.)
#include "carom/query/closest_point.h"
#include "carom/query/distance.h"
#include "carom/query/overlap.h"
#include "carom/query/ray_cast_all.h"
#include "carom/query/shape_cast.h"
#include "carom/query/span.h"
#include "carom/shape/support.h"
#include "tests/support/generate_composite.h"

#include <gtest/gtest.h>

#include <thread>

namespace carom {
namespace {

std::vector<Shape> shared_shapes() {
  test::RandomSource source(7);
  test::CompositeGenerator make(source, 1);
  std::vector<Shape> shapes = {Shape::mesh(test::torus_mesh(12, 8)).value(),
                               Shape::mesh(test::box_mesh({1, 1, 1})).value().rounded(0.25).value(),
                               Shape::box({1, 2, 0.5}).value(), Shape::cylinder(1, 0.5).value(),
                               Shape::half_space({0, 0, 1}, -1).value()};
  for (int i = 0; i < 3; ++i) {
    shapes.push_back(make.compound());
    shapes.push_back(make.cloud());
    shapes.push_back(make.mesh());
  }
  return shapes;
}

void add(std::vector<double>& out, const Vec3& v) { out.insert(out.end(), {v.x, v.y, v.z}); }

/// All numbers that all queries of all pairs give.
std::vector<double> ask_all(const std::vector<Shape>& shapes) {
  std::vector<double> out;
  std::vector<RayHit> hits;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const Shape& a = shapes[i];
    const Pose pose{{0.1, 0.2 * static_cast<double>(i), 0.3, 0.8}, {0.1, 0.2, 0.3}};
    for (std::size_t j = 0; j < shapes.size(); ++j) {
      const Shape& b = shapes[j];
      const Pose other = Pose::at({2 + 0.1 * static_cast<double>(j), 0.5, 0});
      const Distance d = distance(a, pose, b, other);
      out.insert(out.end(), {d.value, d.lower_bound, static_cast<double>(d.part_a.element)});
      add(out, d.on_a);
      add(out, overlap(a, pose, b, other).point);
      const ShapeCast c = shape_cast(a, pose, {3, 0.1, 0}, b, other);
      out.push_back(c.t);
      add(out, c.normal);
      if (a.bounded() && b.bounded()) out.push_back(span(a, pose, b, other).value);
    }
    const SurfacePoint s = closest_point({0.4, 0.1, 1.7}, a, pose);
    out.push_back(s.value);
    add(out, s.point);
    ray_cast_all(a, pose, Ray{{-5, 0.2, 0.3}, {1, 0.01, 0.02}}, hits);
    for (const RayHit& h : hits) out.push_back(h.t);
    out.push_back(static_cast<double>(hits.size()));
    if (a.bounded()) add(out, support_point(a, {1, 2, 3}));
  }
  return out;
}

TEST(Concurrent, ManyThreadsGetTheSameAnswers) {
  const std::vector<Shape> shapes = shared_shapes();
  const std::vector<double> expected = ask_all(shapes);
  EXPECT_GT(expected.size(), 1000u);
  std::vector<std::vector<double>> answers(4);
  std::vector<std::thread> threads;
  for (auto& own : answers) threads.emplace_back([&] { own = ask_all(shapes); });
  for (std::thread& t : threads) t.join();
  for (const auto& own : answers) EXPECT_EQ(own, expected);
}

// Handles are copied and dropped, and shapes deformed, while others ask.
TEST(Concurrent, HandlesMayComeAndGo) {
  const Shape torus = Shape::mesh(test::torus_mesh(12, 8)).value();
  const auto vertices = body_of<TriangleMesh>(torus)->vertices();
  const Shape ball = Shape::sphere(0.5).value();
  const double expected = distance(torus, {}, ball, Pose::at({4, 0, 0})).value;
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (int& own : wrong) {
    threads.emplace_back([&] {
      std::vector<Vec3> moved(vertices.begin(), vertices.end());
      Shape spent = torus;
      for (int i = 0; i < 20; ++i) {
        const Shape copy = torus;
        own += distance(copy, {}, ball, Pose::at({4, 0, 0})).value != expected;
        for (Vec3& v : moved) v.z += 0.125;
        spent = torus.deformed(moved, std::move(spent)).value();
        own += spent == torus;
        own += distance(spent, {}, ball, Pose::at({4, 0, 0.125 * (i + 1)})).value != expected;
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}

} // namespace
} // namespace carom
