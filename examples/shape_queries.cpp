// Shapes and queries: how far apart, how deep, and the proof of each, drawn.
//   shape_queries [FOLDER]    writes FOLDER/shape_queries.svg (default: out)
#include "carom/carom.h"
#include "carom/verify/check_query.h"
#include "carom/verify/shape.h"
#include "examples/svg.h"

#include <vector>

using namespace carom;
using examples::Svg;

namespace {

const std::string outline_a = "fill='#cfe3f7' stroke='#2b6cb0' stroke-width='1.5'";
const std::string outline_b =
    "fill='#fbdcc4' fill-opacity='0.75' stroke='#c05621' stroke-width='1.5'";
const std::string moved_b = "fill='none' stroke='#c05621' stroke-dasharray='4 4'";

// The outline of a placed shape as seen along z: its support points all around.
std::vector<Vec3> outline(const Shape& shape, const Pose& pose) {
  const Frame frame = pose.frame();
  std::vector<Vec3> points;
  for (int i = 0; i < 360; ++i) {
    const SinCos turn = sin_cos(i * (two_pi / 360));
    const Vec3 d = frame.direction_to_local({turn.cos, turn.sin, 0});
    points.push_back(frame.to_world(support_point(shape, d)));
  }
  return points;
}

bool draw_pair(Svg& svg, const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
               const std::string& caption) {
  const SignedDistance s = signed_distance(a, pose_a, b, pose_b);
  svg.polygon(outline(a, pose_a), outline_a);
  svg.polygon(outline(b, pose_b), outline_b);
  if (s.value < 0) { // where B has to go
    Pose apart = pose_b;
    apart.position += s.normal * -s.value;
    svg.polygon(outline(b, apart), moved_b);
  }
  svg.segment(s.on_a, s.on_b, "stroke='#2f855a' stroke-width='2' fill='none'");
  const Vec3 along{-s.normal.y * 0.8, s.normal.x * 0.8, 0};
  for (const Vec3& p : {s.on_a, s.on_b}) {
    svg.segment(p - along, p + along, "stroke='#999' stroke-dasharray='5 4' fill='none'");
    svg.dot(p, "#2f855a");
  }
  char text[80];
  std::snprintf(text, sizeof text, "%s: %.4f", caption.c_str(), s.value);
  svg.text({pose_a.position.x + 0.5, pose_a.position.y - 1.3, 0}, text);

  // The independent checker agrees, or this example fails.
  const verify::PlacedShape placed_a{a, pose_a};
  const verify::PlacedShape placed_b{b, pose_b};
  const auto verdict = verify::check_signed_distance(placed_a, placed_b, s, 1e-10, 1e-6);
  std::printf("%-28s signed distance %.17g, between %.17g and %.17g: %s\n", caption.c_str(),
              s.value, s.lower_bound, s.upper_bound, verdict ? "confirmed" : verdict.why.c_str());
  return verdict.ok;
}

} // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "out";
  Svg svg(900, 560, 80);
  svg.text({0, 3.2, 0}, "Signed distance: nearest points, or the least way out (dashed)", 17);

  const auto turned = [](double angle, const Vec3& at) {
    return Pose{Quat::from_axis_angle({0, 0, 1}, angle), at};
  };
  const Shape box = Shape::box({0.8, 0.5, 2}).value();
  const Shape ball = Shape::sphere(0.5).value();
  const Shape capsule = Shape::capsule({-0.6, 0, 0}, {0.6, 0, 0}, 0.3).value();
  std::vector<Vec3> corners; // a prism, long enough that the shortest way out is in the picture
  for (const double z : {-2, 2}) {
    for (const Vec3& p : {Vec3{-0.7, -0.5, z}, Vec3{0.6, -0.6, z}, Vec3{0.8, 0.3, z},
                          Vec3{0, 0.8, z}, Vec3{-0.8, 0.2, z}}) {
      corners.push_back(p);
    }
  }
  const Shape hull = Shape::hull(corners).value();
  const Shape soft = hull.rounded(0.2).value();
  const Shape egg = Shape::hull_of_two(ball, Shape::sphere(0.2, {1, 0, 0}).value()).value();

  bool ok =
      draw_pair(svg, box, turned(0.5, {-4, 1.5, 0}), ball, turned(0, {-2.4, 2.1, 0}), "box, ball");
  ok &= draw_pair(svg, hull, turned(0.2, {-0.4, 1.5, 0}), capsule, turned(1.2, {1, 1.6, 0}),
                  "hull, capsule");
  ok &= draw_pair(svg, soft, turned(0, {3.2, 1.5, 0}), egg, turned(2.6, {4.7, 1.4, 0}),
                  "rounded hull, hull of two");
  ok &= draw_pair(svg, box, turned(0.5, {-4, -1.5, 0}), box, turned(1.4, {-3.2, -1.1, 0}),
                  "boxes, overlapping");
  ok &= draw_pair(svg, hull, turned(0.2, {-0.4, -1.5, 0}), capsule, turned(0.4, {0.4, -1.2, 0}),
                  "hull, capsule, overlapping");
  ok &= draw_pair(svg, capsule, turned(0.3, {3.2, -1.5, 0}), egg, turned(2.6, {4.2, -1.3, 0}),
                  "capsule, hull of two");
  return svg.save(folder + "/shape_queries.svg") && ok ? 0 : 1;
}
