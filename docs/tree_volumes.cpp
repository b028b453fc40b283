// Draws tree-volumes.svg: three levels of trees of different volumes around one outline.
#include "carom/geometry/kdop_vertices.h"
#include "carom/geometry/spherical_shell.h"
#include "carom/geometry/support.h"
#include "carom/math/trig.h"
#include "carom/tree/sphere_tree.h"
#include "carom/tree/volume_tree.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

using namespace carom;

namespace {

struct Mesh {
  std::vector<Vec3> vertices;
  std::vector<IndexTriple> triangles;
  [[nodiscard]] TriangleSurface view() const { return {vertices, triangles}; }
};

/// A bump of height 1 around an angle.
double bump(double angle, double at, double width) {
  const double x = (angle - at) / width;
  return 1 / (1 + x * x * x * x);
}

constexpr double band_width = 0.04;

/// The outline of a head with two ears, as a band of triangles along z.
Mesh outline() {
  constexpr std::uint32_t steps = 160;
  Mesh mesh;
  for (std::uint32_t i = 0; i < steps; ++i) {
    const double a = i * two_pi / steps;
    const double r = 0.8 + 0.12 * carom::cos(2 * a) + 1.0 * bump(a, 1.2, 0.16) +
                     0.95 * bump(a, 1.95, 0.16) + 0.18 * bump(a, 5.6, 0.3);
    const Vec3 p{r * carom::cos(a), r * carom::sin(a), 0};
    mesh.vertices.push_back(p);
    mesh.vertices.push_back(p + Vec3{0, 0, band_width});
  }
  for (std::uint32_t i = 0; i < steps; ++i) {
    const std::uint32_t a = 2 * i;
    const std::uint32_t b = 2 * ((i + 1) % steps);
    mesh.triangles.push_back({a, b, a + 1});
    mesh.triangles.push_back({b, b + 1, a + 1});
  }
  return mesh;
}

constexpr double panel = 190;
constexpr double scale = 52;

/// Where a point is drawn in a panel.
struct Place {
  double left = 0, top = 0;
  [[nodiscard]] std::string operator()(const Vec3& p) const {
    char text[48];
    std::snprintf(text, sizeof text, "%.1f,%.1f ", left + 0.5 * panel + scale * p.x,
                  top + 0.68 * panel - scale * p.y);
    return text;
  }
};

/// The outline of a convex volume, seen along z. Corners, which are farthest in many directions, are written once.
template<class V>
std::vector<std::string> volume_outlines(const Place& place, const V& volume) {
  std::string points;
  std::string last;
  for (int i = 0; i < 72; ++i) {
    const double angle = i * two_pi / 72;
    const Vec3 d{carom::cos(angle), carom::sin(angle), 0};
    std::string point;
    if constexpr (requires { volume.slabs; }) {
      point = place(support_point(kdop_vertices(volume), d));
    } else {
      point = place(support_point(volume, d));
    }
    if (point != last) points += point;
    last = point;
  }
  return {points};
}

/// A shell is not convex, so it is cut: where it meets the plane in the middle of the band, by looking along rays from its centre.
std::vector<std::string> volume_outlines(const Place& place, const SphericalShell& s) {
  constexpr int rays = 90;
  constexpr int steps = 300;
  const Vec3 center{s.center.x, s.center.y, 0.5 * band_width};
  const double offset = center.z - s.center.z;
  const auto in_plane = [&](double r) { return std::sqrt(std::max(0.0, r * r - offset * offset)); };
  // In a cone that lies along the plane, only those rays.
  const bool along = s.cos_half_angle > 0 && std::fabs(s.axis.z) < 0.5;
  const double half = along ? 1.2 * carom::acos(s.cosine()) + 1e-3 : carom::pi;
  std::vector<std::string> outlines;
  std::string out;
  std::string back;
  const auto finish = [&] {
    if (!out.empty()) outlines.push_back(out + back);
    out.clear();
    back.clear();
  };
  for (int i = 0; i <= rays; ++i) {
    const double angle = carom::atan2(s.axis.y, s.axis.x) + half * (2.0 * i / rays - 1);
    const Vec3 d{carom::cos(angle), carom::sin(angle), 0};
    double near = -1;
    double far = -1;
    for (int k = 0; k <= steps && s.outer > std::fabs(offset); ++k) {
      const double r = in_plane(s.inner) + (in_plane(s.outer) - in_plane(s.inner)) * k / steps;
      const Vec3 q = center + d * r - s.center;
      if (!s.all_directions() && dot(s.axis, q) < s.cosine() * length(q)) continue;
      if (near < 0) near = r;
      far = r;
    }
    if (far < 0) {
      finish();
      continue;
    }
    out += place(center + d * far);
    back = place(center + d * near) + back;
  }
  finish();
  return outlines;
}

/// The nodes of one level, and the leaves above it.
template<class V>
std::vector<V> level_of(const VolumeTree<V>& tree, int level) {
  std::vector<std::uint32_t> nodes = {0};
  for (int i = 0; i < level; ++i) {
    std::vector<std::uint32_t> next;
    for (const std::uint32_t n : nodes) {
      const auto& node = tree.nodes[n];
      next.push_back(node.leaf() ? n : node.first);
      if (!node.leaf()) next.push_back(node.first + 1);
    }
    nodes = next;
  }
  std::vector<V> volumes;
  for (const std::uint32_t n : nodes) volumes.push_back(tree.nodes[n].volume);
  return volumes;
}

template<class V>
void draw(std::ofstream& out, const Mesh& mesh, const VolumeTree<V>& tree, const char* name,
          const char* color, int column) {
  int row = 0;
  for (const int level : {1, 3, 5}) {
    const Place place{column * panel, 26 + row++ * panel};
    out << "<g fill=\"" << color << "\" fill-opacity=\"0.12\" stroke=\"" << color << "\">\n";
    for (const V& volume : level_of(tree, level)) {
      for (const std::string& points : volume_outlines(place, volume)) {
        out << "<polygon points=\"" << points << "\"/>\n";
      }
    }
    out << "</g>\n<polygon fill=\"none\" stroke=\"#222\" stroke-width=\"1.6\" points=\"";
    for (std::size_t i = 0; i < mesh.vertices.size(); i += 2) out << place(mesh.vertices[i]);
    out << "\"/>\n";
  }
  out << "<text x=\"" << (column + 0.5) * panel << "\" y=\"20\" text-anchor=\"middle\" fill=\""
      << color << "\">" << name << "</text>\n";
}

} // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "docs";
  const Mesh mesh = outline();
  std::ofstream out(folder + "/tree-volumes.svg");
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << 7 * panel << " "
      << 26 + 3 * panel
      << "\" font-family=\"sans-serif\" font-size=\"15\">\n<rect width=\"100%\" height=\"100%\" "
         "fill=\"white\"/>\n";
  draw(out, mesh, build_volume_tree<Sphere>(mesh.view()), "balls", "#c0392b", 0);
  draw(out, mesh, build_sphere_tree(mesh.view()), "balls, octree", "#a04000", 1);
  draw(out, mesh, build_volume_tree<Aabb>(mesh.view()), "AABBs", "#1b6ca8", 2);
  draw(out, mesh, build_volume_tree<Obb>(mesh.view()), "OBBs", "#1e8449", 3);
  draw(out, mesh, build_volume_tree<Lozenge>(mesh.view()), "lozenges", "#8e44ad", 4);
  draw(out, mesh, build_volume_tree<Kdop26>(mesh.view()), "26-DOPs", "#b9770e", 5);
  draw(out, mesh, build_volume_tree<SphericalShell>(mesh.view()), "shells", "#117a65", 6);
  out << "</svg>\n";
  std::puts("tree_volumes: tree-volumes.svg");
  return 0;
}
