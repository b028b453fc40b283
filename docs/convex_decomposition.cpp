// Decomposes meshes of $CAROM_DATA/meshes: prints the table of convex-decomposition.md, and draws convex-decomposition.svg, a mesh and its pieces moved apart, in the folder
// given as argument.
#include "carom/mesh/convex_decomposition.h"
#include "carom/mesh/mesh_file.h"
#include "carom/mesh/triangulate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace carom;

namespace {

/// Seconds of the processor: what others do at the same time counts little.
double now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double diagonal_of(const PolygonMesh& mesh) {
  Vec3 low = mesh.vertices.at(0);
  Vec3 high = low;
  for (const Vec3& v : mesh.vertices) {
    low = min(low, v);
    high = max(high, v);
  }
  return distance(low, high);
}

void print_row(const std::string& name, const PolygonMesh& mesh, std::uint32_t most) {
  const double start = now();
  const auto d = approximate_convex_pieces(mesh, {.max_pieces = most});
  const double seconds = now() - start;
  if (!d) {
    std::printf("| %s | %s |\n", name.c_str(), d.error().message.c_str());
    return;
  }
  std::size_t vertices = 0;
  for (const ConvexHull& hull : d->pieces) vertices += hull.vertices.size();
  std::printf("| %s | %zu | %u | %zu | %zu | %.3f | %.1f%% | %.0e | %.1f |\n", name.c_str(),
              mesh.face_count(), most, d->pieces.size(), vertices, d->piece_volume / d->mesh_volume,
              100 * d->error / diagonal_of(mesh), d->gap / diagonal_of(mesh), seconds);
  std::fflush(stdout);
}

/// A polygon as it is drawn.
struct Patch {
  std::vector<std::array<double, 2>> corners;
  double depth = 0;
  std::string fill;
};

/// Seen from the front right, a little from above.
class View {
public:
  explicit View(double scale) : scale_(scale) {}
  void add(std::vector<Vec3> corners, const Vec3& origin, double x, double y,
           const std::array<int, 3>& colour) {
    for (Vec3& c : corners) {
      const Vec3 p = (c - origin) * scale_;
      // Turned about the vertical, then tilted.
      const Vec3 turned{0.8 * p.x - 0.6 * p.z, p.y, 0.6 * p.x + 0.8 * p.z};
      c = {turned.x, 0.96 * turned.y - 0.28 * turned.z, 0.28 * turned.y + 0.96 * turned.z};
    }
    const Vec3 n = normalized(cross(corners[1] - corners[0], corners[2] - corners[0]));
    if (n.z <= 0) return;
    Patch patch;
    const double light = 0.45 + 0.55 * std::fmax(0, dot(n, normalized(Vec3{-0.4, 0.7, 0.6})));
    char text[16];
    const auto part = [&](int i) {
      return static_cast<int>(light * colour[static_cast<std::size_t>(i)]);
    };
    std::snprintf(text, sizeof text, "#%02x%02x%02x", part(0), part(1), part(2));
    patch.fill = text;
    for (const Vec3& c : corners) {
      patch.corners.push_back({x + c.x, y - c.y});
      patch.depth += c.z / static_cast<double>(corners.size());
    }
    patches_.push_back(std::move(patch));
  }
  void write(const std::filesystem::path& path, int width, int height) {
    std::stable_sort(patches_.begin(), patches_.end(),
                     [](const Patch& a, const Patch& b) { return a.depth < b.depth; });
    std::ofstream out(path);
    out << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << width << " " << height
        << "\" stroke-width=\"0.3\" stroke-linejoin=\"round\">\n"
        << "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
    for (const Patch& p : patches_) {
      out << "<path fill=\"" << p.fill << "\" stroke=\"" << p.fill << "\" d=\"M";
      for (const auto& [x, y] : p.corners) {
        char text[32];
        std::snprintf(text, sizeof text, "%.1f %.1f ", x, y);
        out << text;
      }
      out << "z\"/>\n";
    }
    out << "</svg>\n";
  }

private:
  double scale_;
  std::vector<Patch> patches_;
};

constexpr std::array<std::array<int, 3>, 8> colours = {{{230, 90, 80},
                                                        {80, 150, 230},
                                                        {110, 200, 110},
                                                        {240, 190, 70},
                                                        {170, 120, 220},
                                                        {90, 200, 200},
                                                        {240, 140, 190},
                                                        {160, 160, 160}}};

void draw(const PolygonMesh& mesh, const std::filesystem::path& path) {
  const ConvexDecomposition d =
      approximate_convex_pieces(mesh, {.max_pieces = 8, .vertex_limit = 48}).value();
  Vec3 low = mesh.vertices.at(0);
  Vec3 high = low;
  for (const Vec3& v : mesh.vertices) {
    low = min(low, v);
    high = max(high, v);
  }
  const Vec3 middle = low * 0.5 + high * 0.5;
  View view(300 / distance(low, high));
  const PolygonMesh triangles = triangulated(mesh);
  for (std::size_t f = 0; f < triangles.face_count(); ++f) {
    std::vector<Vec3> corners;
    for (const std::uint32_t c : triangles.face(f)) corners.push_back(triangles.vertices[c]);
    view.add(corners, middle, 170, 130, {200, 195, 185});
  }
  for (std::size_t i = 0; i < d.pieces.size(); ++i) {
    const ConvexHull& hull = d.pieces[i];
    Vec3 center;
    for (const Vec3& v : hull.vertices) center += v / static_cast<double>(hull.vertices.size());
    const Vec3 apart = (center - middle) * 0.25;
    for (std::size_t f = 0; f < hull.face_count(); ++f) {
      std::vector<Vec3> corners;
      for (const std::uint32_t c : hull.corners(f)) corners.push_back(hull.vertices[c] + apart);
      view.add(corners, middle, 520, 130, colours[i % colours.size()]);
    }
  }
  view.write(path, 720, 260);
}

} // namespace

int main(int count, char** arguments) {
  const char* data = std::getenv("CAROM_DATA");
  if (count < 2 || !data) {
    std::fprintf(stderr, "usage: CAROM_DATA=folder %s folder\n", arguments[0]);
    return 1;
  }
  const auto mesh = [&](const std::string& name) {
    return load_mesh((std::filesystem::path(data) / "meshes" / (name + ".obj")).string()).value();
  };
  draw(mesh("cow"), std::filesystem::path(arguments[1]) / "convex-decomposition.svg");
  std::printf("| mesh | faces | allowed | pieces | vertices | volume | error | gap | seconds |\n"
              "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
  for (const char* name : {"rob", "suzanne", "cow", "spot", "teapot", "homer", "fandisk",
                           "rocker-arm", "stanford-bunny"}) {
    for (const std::uint32_t most : {1u, 8u, 32u}) print_row(name, mesh(name), most);
  }
}
