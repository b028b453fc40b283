// Fits every bounding volume to every mesh of $CAROM_DATA/meshes and writes what comes out: bounding-volumes.md (volumes, and what fits and
// tests cost) and bounding-volumes.svg (the outlines around one mesh) in the folder given as argument.
#include "carom/geometry/fit_aabb.h"
#include "carom/geometry/fit_capsule.h"
#include "carom/geometry/fit_kdop.h"
#include "carom/geometry/fit_obb.h"
#include "carom/geometry/fit_sphere.h"
#include "carom/geometry/kdop_faces.h"
#include "carom/geometry/kdop_vertices.h"
#include "carom/geometry/measure.h"
#include "carom/geometry/moved.h"
#include "carom/geometry/overlap.h"
#include "carom/geometry/overlap_box.h"
#include "carom/geometry/spherical_shell.h"
#include "carom/geometry/support.h"
#include "carom/math/random.h"
#include "carom/math/trig.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace carom;

namespace {

struct Mesh {
  std::string name;
  std::vector<Vec3> points;
  std::vector<IndexTriple> triangles;
};

/// The v and f lines of an OBJ file; faces with more corners are cut into fans.
Mesh read_obj(const std::filesystem::path& path) {
  Mesh mesh{path.stem().string(), {}, {}};
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "v") {
      Vec3 p;
      words >> p.x >> p.y >> p.z;
      mesh.points.push_back(p);
    } else if (kind == "f") {
      std::vector<std::uint32_t> corners;
      for (std::string word; words >> word;) {
        const long i = std::strtol(word.c_str(), nullptr, 10);
        const long n = static_cast<long>(mesh.points.size());
        corners.push_back(static_cast<std::uint32_t>(i < 0 ? n + i : i - 1));
      }
      for (std::size_t i = 2; i < corners.size(); ++i) {
        mesh.triangles.push_back({corners[0], corners[i - 1], corners[i]});
      }
    }
  }
  return mesh;
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return x[x.size() / 2];
}

/// The median of up to nine runs, fewer where they are long.
template<class Run>
double seconds(Run&& run) {
  std::vector<double> times;
  const double start = now();
  do {
    const double before = now();
    run();
    times.push_back(now() - before);
  } while (times.size() < 9 && now() - start < 0.3);
  return median(times);
}

/// Keeps the compiler from leaving out what is measured.
double checksum = 0;

/// One column of the tables: a way to fit, measured on each mesh.
struct Fit {
  double volume = 0, microseconds = 0;
};

struct Row {
  std::string name;
  std::size_t points = 0;
  std::vector<Fit> fits;
};

const std::vector<std::string> columns = {
    "AABB",       "Ritter",  "iterated", "least ball", "OBB points", "OBB surface", "OBB best",
    "OBB search", "capsule", "lozenge",  "14-DOP",     "18-DOP",     "26-DOP",      "shell"};

/// A search over orientations takes seconds on large meshes: it is done up to this many points.
constexpr std::size_t search_limit = 5000;

Row measure(const Mesh& mesh) {
  const std::vector<Vec3>& p = mesh.points;
  Row row{mesh.name, p.size(), {}};
  const double box = volume(fit_aabb(p));
  const auto add = [&](auto&& fit) {
    const double v = volume(fit());
    const double s = seconds([&] { checksum += volume(fit()); });
    row.fits.push_back({v / box, 1e6 * s});
  };
  add([&] { return fit_aabb(p); });
  add([&] { return ritter_sphere(p); });
  add([&] { return iterated_ritter_sphere(p); });
  add([&] { return minimum_sphere(p).sphere; });
  add([&] { return fit_obb(p, point_covariance(p)); });
  add([&] { return fit_obb(p, surface_covariance(p, mesh.triangles)); });
  add([&] { return best_obb(p, mesh.triangles); });
  if (p.size() <= search_limit) {
    add([&] { return search_obb(p); });
  } else {
    row.fits.push_back({});
  }
  add([&] { return fit_capsule(p); });
  add([&] { return fit_lozenge(p); });
  add([&] { return fit_kdop<14>(p); });
  add([&] { return fit_kdop<18>(p); });
  add([&] { return fit_kdop<26>(p); });
  add([&] { return fit_shell(p); });
  return row;
}

void write_table(std::ostream& out, const std::vector<Row>& rows, const char* format,
                 double Fit::*value) {
  out << "| mesh | points |";
  for (const std::string& c : columns) out << " " << c << " |";
  out << "\n|---|---:|";
  for (std::size_t i = 0; i < columns.size(); ++i) out << "---:|";
  for (const Row& row : rows) {
    out << "\n| " << row.name << " | " << row.points << " |";
    for (const Fit& fit : row.fits) {
      char text[32];
      std::snprintf(text, sizeof text, format, fit.*value);
      out << " " << (fit.volume > 0 ? text : "") << " |";
    }
  }
  out << "\n\n";
}

/// A line of the table: nanoseconds for a test of two volumes, each made by at(frame), over many pairs; and how many of them meet.
template<class At, class Test>
void write_cost(std::ostream& out, const char* name, At&& at, Test&& test) {
  using Volume = decltype(at(Frame{}));
  Random random(1);
  std::vector<Volume> placed;
  for (int i = 0; i < 256; ++i) {
    const Vec3 position = random.in_box({1.2, 1.2, 1.2});
    placed.push_back(at(Pose{random.rotation(), position}.frame()));
  }
  std::size_t hits = 0;
  const double s = seconds([&] {
    hits = 0;
    for (const Volume& a : placed) {
      for (const Volume& b : placed) hits += test(a, b) ? 1u : 0u;
    }
  });
  char text[96];
  const double pairs = 256.0 * 256.0;
  std::snprintf(text, sizeof text, "| %s | %.1f | %.0f %% |\n", name, 1e9 * s / pairs,
                100 * static_cast<double>(hits) / pairs);
  out << text;
}

void write_costs(std::ostream& out) {
  const Aabb box{{-0.6, -0.4, -0.2}, {0.6, 0.4, 0.2}};
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) corners.push_back(box.corner(i));
  const auto overlapping = [](const auto& a, const auto& b) { return overlaps(a, b); };
  const auto slabs = [](const auto& a, const auto& b) { return slabs_overlap(a, b); };
  out << "| test | ns | meet |\n|---|---:|---:|\n";
  write_cost(
      out, "AABB", [&](const Frame& f) { return placed_aabb(box, f); }, overlapping);
  write_cost(
      out, "ball", [&](const Frame& f) { return moved(fit_sphere(box), f); }, overlapping);
  write_cost(
      out, "14-DOP slabs", [&](const Frame& f) { return placed_kdop<14>(corners, f); }, slabs);
  write_cost(
      out, "18-DOP slabs", [&](const Frame& f) { return placed_kdop<18>(corners, f); }, slabs);
  write_cost(
      out, "26-DOP slabs", [&](const Frame& f) { return placed_kdop<26>(corners, f); }, slabs);
  write_cost(
      out, "OBB", [&](const Frame& f) { return moved(box, f); }, overlapping);
  const Capsule capsule = fit_capsule(corners);
  write_cost(
      out, "capsule", [&](const Frame& f) { return moved(capsule, f); }, overlapping);
  const Lozenge lozenge = fit_lozenge(corners);
  write_cost(
      out, "lozenge", [&](const Frame& f) { return moved(lozenge, f); }, overlapping);
  out << "\n";
}

// The picture: the mesh and the outlines seen along x, z to the right. An outline is where support points go as the direction goes round.

struct View {
  Aabb box; ///< what is to be seen
  double scale = 1;

  [[nodiscard]] double x(const Vec3& p) const { return (p.z - box.min.z) * scale + 20; }
  [[nodiscard]] double y(const Vec3& p) const { return (box.max.y - p.y) * scale + 20; }
};

template<class Volume>
void write_outline(std::ostream& out, const View& view, const Volume& volume, const char* color,
                   const char* name, int place) {
  char text[128];
  out << "<polygon fill=\"none\" stroke=\"" << color << "\" stroke-width=\"2\" points=\"";
  for (int i = 0; i < 360; ++i) {
    const double angle = i * two_pi / 360;
    const Vec3 p = support_point(volume, {0, carom::sin(angle), carom::cos(angle)});
    std::snprintf(text, sizeof text, "%.1f,%.1f ", view.x(p), view.y(p));
    out << text;
  }
  std::snprintf(text, sizeof text, "\"/>\n<text x=\"20\" y=\"%d\" fill=\"%s\">%s</text>\n",
                30 + 20 * place, color, name);
  out << text;
}

void write_picture(const std::string& path, const Mesh& mesh) {
  const Sphere ball = minimum_sphere(mesh.points).sphere;
  const Vec3 r = Vec3{1, 1, 1} * (1.3 * ball.radius);
  const View view{{ball.center - r, ball.center + r}, 640 / (2 * r.x)};
  std::ofstream out(path);
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 680 680\" "
         "font-family=\"sans-serif\" "
         "font-size=\"15\">\n<rect width=\"680\" height=\"680\" fill=\"white\"/>\n<path "
         "fill=\"#bbb\" d=\"";
  for (const IndexTriple& t : mesh.triangles) {
    char text[128];
    const Vec3 &a = mesh.points[t[0]], &b = mesh.points[t[1]], &c = mesh.points[t[2]];
    if (cross(b - a, c - a).x <= 0) continue; // the far side
    std::snprintf(text, sizeof text, "M%.1f %.1fL%.1f %.1fL%.1f %.1fz", view.x(a), view.y(a),
                  view.x(b), view.y(b), view.x(c), view.y(c));
    out << text;
  }
  out << "\"/>\n";
  write_outline(out, view, fit_aabb(mesh.points), "#1b6ca8", "AABB", 0);
  write_outline(out, view, ball, "#c0392b", "least ball", 1);
  write_outline(out, view, best_obb(mesh.points, mesh.triangles), "#1e8449", "OBB", 2);
  write_outline(out, view, fit_capsule(mesh.points), "#8e44ad", "capsule", 3);
  write_outline(out, view, kdop_vertices(fit_kdop<26>(mesh.points)), "#d68910", "26-DOP", 4);
  out << "</svg>\n";
}

} // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "docs";
  const char* data = std::getenv("CAROM_DATA");
  const std::filesystem::path meshes = std::filesystem::path(data ? data : "") / "meshes";
  if (!data || !std::filesystem::is_directory(meshes)) {
    std::puts("bounding_volumes: no $CAROM_DATA/meshes; nothing written");
    return 0;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(meshes)) {
    if (entry.path().extension() == ".obj") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Row> rows;
  for (const auto& file : files) {
    const Mesh mesh = read_obj(file);
    if (mesh.points.empty()) continue;
    rows.push_back(measure(mesh));
    if (mesh.name == "spot") write_picture(folder + "/bounding-volumes.svg", mesh);
  }
  std::ofstream out(folder + "/bounding-volumes.md");
  out << "# Bounding volumes, compared\n\n"
         "Written by `docs/bounding_volumes.cpp`. Every volume encloses all vertices of its "
         "mesh.\n\n"
         "![The outlines around a mesh, seen from the side](bounding-volumes.svg)\n\n"
         "## How tight: volume over that of the AABB\n\n"
         "What the meshes are like as they lie: an OBB gains little where a mesh was modelled "
         "along the axes. "
         "*OBB search* is left out above "
      << search_limit << " points.\n\n";
  write_table(out, rows, "%.2f", &Fit::volume);
  out << "## What a fit costs: microseconds\n\n"
         "Medians of up to nine runs on one core of a shared machine: good to a factor of two.\n\n";
  write_table(out, rows, "%.0f", &Fit::microseconds);
  out << "## What a test costs: nanoseconds for a pair\n\n"
         "Turned boxes of 1.2 x 0.8 x 0.4 at random places, each in its volume; and how many pairs "
         "meet. "
         "Medians, as above. The scalar test, one pair at a time.\n\n";
  write_costs(out);
  std::printf("bounding_volumes: %zu meshes (checksum %g)\n", rows.size(), checksum);
  return 0;
}
