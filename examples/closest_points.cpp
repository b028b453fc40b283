// Nearest points of pairs of shapes, with the proof drawn in: the two points (the distance is no more than this), and the empty
// slab between two parallel lines (it is no less). Overlapping pairs show a common point instead.
//   closest_points [FOLDER]    writes FOLDER/closest_points.svg (default: out)
#include "carom/geometry/gjk.h"
#include "carom/geometry/support.h"
#include "carom/math/trig.h"
#include "carom/verify/check.h"
#include "examples/svg.h"

#include <vector>

using namespace carom;
using examples::Svg;

namespace {

const std::string outline_a = "fill='#cfe3f7' stroke='#2b6cb0' stroke-width='1.5'";
const std::string outline_b = "fill='#fbdcc4' stroke='#c05621' stroke-width='1.5'";

// The outline of any convex set in the plane: its support points all around.
template<class Set>
std::vector<Vec3> outline(const Set& set) {
  std::vector<Vec3> points;
  for (int i = 0; i < 360; ++i) {
    const SinCos turn = sin_cos(i * (two_pi / 360));
    points.push_back(support_point(set, {turn.cos, turn.sin, 0}));
  }
  return points;
}

template<class A, class B>
bool draw_pair(Svg& svg, const A& a, const B& b, const std::string& caption,
               const Vec3& caption_at) {
  svg.polygon(outline(a), outline_a);
  svg.polygon(outline(b), outline_b);
  const GjkResult r = gjk(ConvexView(a), ConvexView(b));
  const ClosestPair& c = r.closest;
  if (r.lower_bound > 0) {
    const Vec3 along{-r.axis.y * 0.9, r.axis.x * 0.9, 0};
    for (const Vec3& p : {c.on_a, c.on_b}) {
      svg.segment(p - along, p + along, "stroke='#999' stroke-dasharray='5 4' fill='none'");
    }
    svg.segment(c.on_a, c.on_b, "stroke='#2f855a' stroke-width='2' fill='none'");
  }
  svg.dot(c.on_a, "#2f855a");
  svg.dot(c.on_b, "#2f855a");
  char text[80];
  std::snprintf(text, sizeof text, r.lower_bound > 0 ? "%s: %.4f" : "%s: overlapping",
                caption.c_str(), c.distance);
  svg.text(caption_at, text);

  // The independent checker agrees, or this example fails.
  const auto verdict = verify::check_closest(a, b, c, 1e-12);
  std::printf("%-22s distance %.17g, proved at least %.17g: %s\n", caption.c_str(), c.distance,
              r.lower_bound, verdict ? "confirmed" : verdict.why.c_str());
  return verdict.ok;
}

} // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "out";
  Svg svg(900, 560, 80);
  svg.text({0, 3.2, 0},
           "Every answer carries its proof: nearest points, and the empty slab between them", 17);

  const Mat3 turned = to_matrix(Quat::from_axis_angle({0, 0, 1}, pi / 6));

  bool ok = draw_pair(svg, Obb{{-4.4, 1.2, 0}, turned, {0.8, 0.5, 0}}, Sphere{{-2.7, 2.0, 0}, 0.5},
                      "box, ball", {-3.6, -0.2, 0});
  ok &= draw_pair(svg, Capsule{{-0.9, 0.6, 0}, {-0.5, 2.2, 0}, 0.35},
                  Triangle{{0.4, 0.6, 0}, {1.6, 1.0, 0}, {0.6, 2.3, 0}}, "capsule, triangle",
                  {0.2, -0.2, 0});
  ok &= draw_pair(svg, Ellipsoid{{3.2, 1.3, 0}, turned, {0.9, 0.4, 0}},
                  Obb{{4.7, 1.2, 0}, Mat3::identity(), {0.4, 0.9, 0}}, "ellipsoid, box",
                  {3.9, -0.2, 0});
  const Vec3 hexagon[] = {{-4.6, -2.4, 0}, {-3.8, -2.6, 0}, {-3.2, -2.0, 0},
                          {-3.3, -1.3, 0}, {-4.1, -1.1, 0}, {-4.7, -1.6, 0}};
  ok &= draw_pair(svg, Polygon{hexagon}, Sphere{{-2.9, -1.5, 0}, 0.55}, "polygon, ball",
                  {-3.7, -3.1, 0});
  ok &= draw_pair(svg, Triangle{{-1.2, -2.6, 0}, {0.1, -2.3, 0}, {-0.9, -1.0, 0}},
                  Triangle{{0.3, -1.2, 0}, {1.3, -0.9, 0}, {1.1, -2.5, 0}}, "triangles",
                  {0.1, -3.1, 0});
  ok &= draw_pair(svg, Capsule{{2.9, -2.5, 0}, {3.9, -1.2, 0}, 0.2},
                  Capsule{{4.2, -2.5, 0}, {4.9, -1.1, 0}, 0.25}, "capsules", {3.9, -3.1, 0});
  return svg.save(folder + "/closest_points.svg") && ok ? 0 : 1;
}
