// Draws time_of_impact.svg: a bar that spins and falls toward a ledge, the times at which it was looked at, and the direction that keeps it apart from each to the next. In the folder given as argument.
#include "carom/motion/time_of_impact.h"

#include "carom/motion/prove_impact.h"
#include "carom/verify/check_motion.h"
#include "examples/svg.h"

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

using namespace carom;
using examples::Svg;

namespace {

/// Of the picture.
constexpr Vec3 middle{-1, 1.8, 0};

void draw_box(Svg& svg, const Vec3& half, const Pose& pose, const std::string& style) {
  std::vector<Vec3> corners;
  for (const auto& [x, y] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
    corners.push_back(pose.frame().to_world({x * half.x, y * half.y, 0}));
  for (Vec3& c : corners) c -= middle;
  svg.polygon(corners, style);
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  const Vec3 bar_half{1.4, 0.12, 0.5}, ledge_half{1, 0.4, 1};
  const Shape bar = Shape::box(bar_half).value(), ledge = Shape::box(ledge_half).value();
  const Motion fall = Motion::velocity(Pose::at({-2.6, 3.2, 0}), {1.4, -3.2, 0}, {0, 0, 2.6}, 1);
  const Motion rest = Motion::rest({});
  const TimeOfImpact i = time_of_impact(bar, fall, ledge, rest);
  const auto proof = prove_impact(bar, fall, ledge, rest, i);
  if (!i.hit || !proof || !verify::check_motion_proof(bar, fall, ledge, rest, *proof, 1e-9)) {
    std::fprintf(stderr, "no impact, or no proof\n");
    return 1;
  }
  Svg svg(620, 480, 90);
  draw_box(svg, ledge_half, {}, "fill='#c9d3de' stroke='#334'");
  for (int k = 0; k <= 12; ++k)
    draw_box(svg, bar_half, pose_at(fall, i.t * k / 12), "fill='none' stroke='#bbb'");
  double from = 0;
  for (const MotionProof::Step& step : proof->steps) {
    draw_box(svg, bar_half, pose_at(fall, from), "fill='#4a7' fill-opacity='0.25' stroke='#274'");
    const Vec3 at = pose_at(fall, from).position - middle;
    svg.segment(at, at + step.direction * 0.7, "stroke='#c40' stroke-width='2'");
    from = step.until;
  }
  draw_box(svg, bar_half, pose_at(fall, i.t), "fill='#4a7' fill-opacity='0.6' stroke='#274'");
  svg.dot(i.on_b - middle, "#c40");
  std::printf("t = %.9f, %zu steps, %.1e apart\n", i.t, proof->steps.size(), i.distance);
  return svg.save(std::string(argv[1]) + "/time_of_impact.svg") ? 0 : 1;
}
