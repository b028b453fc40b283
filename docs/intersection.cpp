// Draws intersection.svg, two rings and the curves in which they cut, in the folder given as argument; prints how long it takes for meshes of $CAROM_DATA/meshes.
#include "carom/query/intersection.h"

#include "carom/mesh/mesh_file.h"
#include "carom/mesh/triangulate.h"
#include "carom/shape/composite.h"
#include "examples/svg.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

using namespace carom;

namespace {

PolygonMesh ring(std::uint32_t n, std::uint32_t m, double radius, double tube) {
  PolygonMesh mesh;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < m; ++j) {
      const double a = 2 * std::numbers::pi * i / n;
      const double b = 2 * std::numbers::pi * j / m;
      const double r = radius + tube * std::cos(b);
      mesh.vertices.push_back({r * std::cos(a), r * std::sin(a), tube * std::sin(b)});
    }
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < m; ++j) {
      const std::uint32_t i1 = (i + 1) % n, j1 = (j + 1) % m;
      const std::uint32_t corners[] = {i * m + j, i1 * m + j, i1 * m + j1, i * m + j1};
      mesh.add_face(corners);
    }
  }
  return mesh;
}

/// What is drawn, from back to front.
struct Stroke {
  std::vector<Vec3> points;
  std::string style;
  double depth = 0;
};

/// From the front, a little from above and from the right.
Vec3 seen(const Vec3& p) {
  const Vec3 turned{0.85 * p.x - 0.53 * p.y, 0.53 * p.x + 0.85 * p.y, p.z};
  return {turned.x, 0.82 * turned.z + 0.57 * turned.y, 0.57 * turned.z - 0.82 * turned.y};
}

void add_faces(std::vector<Stroke>& strokes, const PolygonMesh& mesh, const Pose& pose,
               const std::array<int, 3>& colour) {
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    Stroke s;
    for (const std::uint32_t c : mesh.face(f)) {
      s.points.push_back(seen(pose.frame().to_world(mesh.vertices[c])));
      s.depth += s.points.back().z / 4;
    }
    const Vec3 n = normalized_or(cross(s.points[1] - s.points[0], s.points[2] - s.points[0]), {});
    if (n.z <= 0) continue;
    const double light = 0.5 + 0.5 * std::max(0.0, dot(n, normalized(Vec3{-0.4, 0.7, 0.6})));
    const auto part = [&](std::size_t i) { return static_cast<int>(light * colour[i]); };
    char text[96];
    std::snprintf(text, sizeof text,
                  "fill='#%02x%02x%02x' stroke='#%02x%02x%02x' stroke-width='0.4'", part(0),
                  part(1), part(2), part(0) * 9 / 10, part(1) * 9 / 10, part(2) * 9 / 10);
    s.style = text;
    strokes.push_back(std::move(s));
  }
}

bool draw(const std::filesystem::path& file) {
  const PolygonMesh mesh_a = ring(64, 24, 2, 0.6), mesh_b = ring(64, 24, 1.7, 0.5);
  const Pose pose_a{}, pose_b{normalized(Quat{0.62, 0.1, 0.05, 0.78}), {0.55, -0.2, 0.1}};
  const MeshIntersection cut =
      intersection(Shape::mesh(mesh_a).value(), pose_a, Shape::mesh(mesh_b).value(), pose_b);
  std::vector<Stroke> strokes;
  add_faces(strokes, mesh_a, pose_a, {225, 215, 190});
  add_faces(strokes, mesh_b, pose_b, {120, 170, 225});
  for (const IntersectionCurve& c : cut.curves) {
    for (std::size_t i = 0; i < c.segment_count(); ++i) {
      const Vec3 p = seen(c.begin_of(i)), q = seen(c.end_of(i));
      // In front of the faces that it lies in.
      strokes.push_back({{p, q},
                         "fill='none' stroke='#c81e1e' stroke-width='3' stroke-linecap='round'",
                         (p.z + q.z) / 2 + 0.15});
    }
  }
  std::stable_sort(strokes.begin(), strokes.end(),
                   [](const Stroke& s, const Stroke& t) { return s.depth < t.depth; });
  examples::Svg svg(720, 420, 88);
  for (const Stroke& s : strokes) svg.polygon(s.points, s.style);
  std::printf("%zu curves, %zu segments\n", cut.curves.size(), cut.segment_count());
  return svg.save(file);
}

/// Seconds of the processor.
double now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void print_row(const std::string& name, const PolygonMesh& mesh) {
  const Shape shape = Shape::mesh(mesh).value();
  const Aabb& box = body_of<TriangleMesh>(shape)->bounds();
  // Turned about its middle, and moved by a fifth of its size.
  Pose pose{normalized(Quat{0.3, -0.2, 0.1, 1}), {}};
  const Vec3 middle = box.min * 0.5 + box.max * 0.5;
  pose.position = middle - pose.frame().to_world(middle) + (box.max - box.min) * 0.2;
  constexpr int times = 20;
  MeshIntersection cut;
  const double start = now();
  for (int i = 0; i < times; ++i) cut = intersection(shape, {}, shape, pose);
  const double seconds = (now() - start) / times;
  std::size_t closed = 0;
  for (const IntersectionCurve& c : cut.curves) closed += c.closed ? 1 : 0;
  std::printf("| %s | %zu | %zu | %zu | %zu | %.2f |\n", name.c_str(),
              body_of<TriangleMesh>(shape)->surface().size(), cut.segment_count(),
              cut.curves.size(), closed, seconds * 1e3);
}

} // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::fprintf(stderr, "usage: [CAROM_DATA=folder] %s folder\n", arguments[0]);
    return 1;
  }
  if (!draw(std::filesystem::path(arguments[1]) / "intersection.svg")) return 1;
  const char* data = std::getenv("CAROM_DATA");
  if (!data) return 0;
  std::printf(
      "| mesh | triangles | segments | curves | closed | ms |\n|---|---:|---:|---:|---:|---:|\n");
  for (const char* name : {"suzanne", "cow", "spot", "homer", "rocker-arm", "stanford-bunny"})
    print_row(
        name,
        load_mesh((std::filesystem::path(data) / "meshes" / (std::string(name) + ".obj")).string())
            .value());
}
