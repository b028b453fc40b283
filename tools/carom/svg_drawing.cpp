// Flat polygons, far ones first, half transparent: what is behind shows through, and the marks are drawn on top of all.
#include "tools/carom/drawing.h"

#include "carom/math/trig.h"
#include "examples/svg.h"
#include "tools/carom/text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom::tool {
namespace {

constexpr double width = 800;
constexpr double height = 600;

/// Seen from far away: x to the right, y up on the paper, z toward the eye.
struct View {
  Vec3 right, up, eye;

  [[nodiscard]] Vec3 of(const Vec3& p) const { return {dot(right, p), dot(up, p), dot(eye, p)}; }
};

View view_from(double azimuth) {
  const SinCos a = sin_cos(azimuth);
  const SinCos e = sin_cos(pi / 7); // above the ground
  const Vec3 eye{a.cos * e.cos, a.sin * e.cos, e.sin};
  const Vec3 right{-a.sin, a.cos, 0};
  return {right, cross(eye, right), eye};
}

/// Of some views, that in which the first line among the marks is longest: it is what the picture is about.
View choose_view(const Drawing& drawing) {
  View best = view_from(-pi / 3);
  double longest = -1;
  for (const double azimuth : {-pi / 3, -pi / 6, pi / 6, -pi / 9 * 7}) {
    const View view = view_from(azimuth);
    for (const Drawing::Mark& mark : drawing.marks) {
      if (mark.from == mark.to) continue;
      const Vec3 line = view.of(mark.to - mark.from);
      const double seen = std::sqrt(line.x * line.x + line.y * line.y);
      if (seen > longest * 1.01) {
        longest = seen;
        best = view;
      }
      break;
    }
  }
  return best;
}

struct Polygon {
  std::vector<Vec3> corners; ///< as seen
  double depth = 0;
  std::string style;
};

/// Newell's normal.
Vec3 normal_of(std::span<const Vec3> corners) {
  Vec3 n;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    n = n + cross(corners[i] - corners[0], corners[(i + 1) % corners.size()] - corners[0]);
  }
  const double l = length(n);
  return l > 0 ? n / l : Vec3{0, 0, 1};
}

std::string colour(const std::array<int, 3>& base, double light) {
  std::array<char, 8> text{};
  const auto shade = [&](int c) { return static_cast<int>(c * light); };
  std::snprintf(text.data(), text.size(), "#%02x%02x%02x", shade(base[0]) & 0xff,
                shade(base[1]) & 0xff, shade(base[2]) & 0xff);
  return text.data();
}

constexpr std::array<std::array<int, 3>, 2> colours = {{{0x4f, 0x8f, 0xc7}, {0xe0, 0x93, 0x4c}}};

void add_polygons(std::vector<Polygon>& polygons, const Operand& body, std::size_t number,
                  const View& view, double half_size, const Vec3& middle) {
  const Frame frame = body.pose.frame();
  const PolygonMesh mesh = surface_of(body.shape, half_size, frame.to_local(middle));
  std::vector<Vec3> seen;
  for (const Vec3& v : mesh.vertices) seen.push_back(view.of(frame.to_world(v)));
  if (mesh.face_count() == 0 && !seen.empty()) { // a point or a segment
    polygons.push_back({seen, 0, "fill='none' stroke='#444' stroke-width='2'"});
  }
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    Polygon polygon;
    for (const std::uint32_t c : mesh.face(f)) polygon.corners.push_back(seen[c]);
    for (const Vec3& p : polygon.corners) {
      polygon.depth += p.z / static_cast<double>(polygon.corners.size());
    }
    const double facing = std::fabs(normal_of(polygon.corners).z);
    const std::string fill = colour(colours[number % colours.size()], 0.55 + 0.45 * facing);
    polygon.style = "fill='" + fill + "' fill-opacity='0.45' stroke='" + fill +
                    "' stroke-width='0.6' stroke-linejoin='round'";
    polygons.push_back(std::move(polygon));
  }
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : printable(text)) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

} // namespace

std::string svg_of(const Drawing& drawing) {
  const View view = choose_view(drawing);
  const Aabb box = bounds_of(drawing);
  const Vec3 middle = box.center();
  double across = 0;
  for (int i = 0; i < 8; ++i) {
    const Vec3 p = view.of(box.corner(i) - middle);
    across = std::max({across, std::fabs(p.x) * height / width, std::fabs(p.y)});
  }
  if (across == 0) across = 1;

  std::vector<Polygon> polygons;
  for (std::size_t i = 0; i < drawing.bodies.size(); ++i) {
    add_polygons(polygons, drawing.bodies[i], i, view, across, middle);
  }
  std::stable_sort(polygons.begin(), polygons.end(),
                   [](const Polygon& a, const Polygon& b) { return a.depth < b.depth; });

  // In units of the drawing's own size: coordinates of 1e-20 and 1e20 come out alike.
  const Vec3 origin = view.of(middle);
  const auto paper = [&](const Vec3& seen) { return (seen - origin) / across; };
  examples::Svg svg(width, height, height / 2 * 0.85);
  for (Polygon& polygon : polygons) {
    for (Vec3& p : polygon.corners) p = paper(p);
    svg.polygon(polygon.corners, polygon.style);
  }
  if (drawing.slab) {
    for (const Vec3& at : {drawing.slab->from, drawing.slab->to}) {
      std::array<Vec3, 4> corners = square_around(at, drawing.slab->normal, across / 2);
      for (Vec3& p : corners) p = paper(view.of(p));
      svg.polygon(corners, "class='slab' fill='#3b82f6' fill-opacity='0.08' stroke='#3b82f6' "
                           "stroke-dasharray='6 4'");
    }
  }
  if (drawing.arrow) {
    const Vec3& along = drawing.arrow->along;
    const Vec3 tip = drawing.arrow->at + along * (across / 4 / length(along));
    svg.segment(paper(view.of(drawing.arrow->at)), paper(view.of(tip)),
                "class='normal' stroke='#3b82f6' stroke-width='2'");
  }
  for (const Drawing::Mark& mark : drawing.marks) {
    const Vec3 from = paper(view.of(mark.from));
    const Vec3 to = paper(view.of(mark.to));
    svg.segment(from, to, "stroke='#c0223b' stroke-width='2'");
    svg.dot(from, "#c0223b");
    svg.dot(to, "#c0223b");
    if (!mark.label.empty()) svg.text((from + to) / 2 + Vec3{0, 0.04, 0}, escaped(mark.label));
  }
  svg.text({0, 1.1, 0}, escaped(drawing.title), 16);
  return svg.document();
}

} // namespace carom::tool
