// carom impact: when two moving shapes first touch.
#include "tools/carom/certificate.h"
#include "tools/carom/motion_options.h"
#include "tools/carom/pair.h"
#include "tools/carom/text.h"

#include "carom/motion/prove_impact.h"
#include "carom/motion/time_of_impact.h"
#include "carom/query/distance.h"
#include "carom/verify/check_motion.h"

#include <cmath>
#include <optional>

namespace carom::tool {
namespace {

struct Options {
  std::vector<std::string> motion_a, motion_b;
};

/// Of an initial overlap: a point of both. Where the distance is 0 the nearest points are one; those of the answer are the deepest.
std::optional<Vec3> common_point(const Question& q, const Motion& a, const Motion& b,
                                 const TimeOfImpact& answer) {
  if (!answer.initial_overlap) return std::nullopt;
  return distance(q.a.shape, a.start, q.b().shape, b.start).on_a;
}

void check_hit(const Question& q, const Motion& a, const Motion& b, const TimeOfImpact& answer,
               const std::optional<Vec3>& common, double tolerance, Check& check) {
  const verify::PlacedShape at_a = verify::placed_at(q.a.shape, a, answer.t);
  const verify::PlacedShape at_b = verify::placed_at(q.b().shape, b, answer.t);
  if (common) {
    check.in_shape("the common point lies in A", *common, at_a, tolerance);
    check.in_shape("the common point lies in B", *common, at_b, tolerance);
    return;
  }
  check.in_shape("the point on A lies in it", answer.on_a, at_a, tolerance);
  check.in_shape("the point on B lies in it", answer.on_b, at_b, tolerance);
  // Without samples of times before: the proof has them all.
  check.step(
      "the points are as far from each other as stated, along the direction",
      verify::check_impact(q.a.shape, a, q.b().shape, b, answer, 0, tolerance, 1, 0, tolerance));
}

void check(const Question& q, const Motion& a, const Motion& b, const TimeOfImpact& answer,
           const std::optional<Vec3>& common, Answer& out) {
  Check check;
  const double tolerance = 1e-8 * (q.size() + length(a.translation) + length(b.translation));
  if (answer.hit) check_hit(q, a, b, answer, common, tolerance, check);
  if (answer.initial_overlap) {
    // There is no time before.
  } else if (!check_is_cheap(q)) {
    check.skip("that nothing touches before: so many pairs of triangles would take too long");
  } else if (const auto proof = prove_impact(q.a.shape, a, q.b().shape, b, answer)) {
    check.certificate("motion", to_json(*proof));
    check.step("in each of " + counted(proof->steps.size(), "period") +
                   " a direction keeps parts of A and B apart: nothing touches before",
               verify::check_motion_proof(q.a.shape, a, q.b().shape, b, *proof, tolerance));
  } else {
    check.skip("that nothing touches before: no proof was found");
  }
  check.tell(out);
}

/// As they are then, at the impact or at the end; and how they come there.
void draw(const Motion& a, const Motion& b, const TimeOfImpact& answer,
          const std::optional<Vec3>& common, Drawing& drawing) {
  const double end = answer.hit ? answer.t : 1;
  drawing.bodies[0].pose = pose_at(a, end);
  drawing.bodies[1].pose = pose_at(b, end);
  constexpr int steps = 60;
  for (int i = 0; i <= steps && end > 0; ++i) {
    const double t = i < steps ? end * i / steps : end;
    drawing.path.push_back({pose_at(a, t), pose_at(b, t)});
  }
  drawing.time_step = end / steps;
  drawing.overlap = answer.initial_overlap;
  drawing.value = answer.t;
  if (!answer.hit) return;
  drawing.marks.push_back(
      {common.value_or(answer.on_a), common.value_or(answer.on_b), "t = " + show(answer.t)});
  if (!common) drawing.set_arrow(answer.on_a, answer.normal);
}

/// In an overlap they are the deepest points, and the direction is the way out.
void tell_points(const TimeOfImpact& answer, bool overlap, Answer& out) {
  out.point(overlap ? "deepest on A" : "on A", "on_a", answer.on_a);
  out.point(overlap ? "deepest on B" : "on B", "on_b", answer.on_b);
  out.point(overlap ? "way out" : "direction", "normal", answer.normal);
  out.json("distance", answer.distance + 0.0); // no -0
  const char* depth = answer.status == Status::wide ? "depth, at most" : "depth";
  out.line(overlap ? depth : "gap then", show(std::fabs(answer.distance)));
}

void ask(Session& session, const Options& options, const Question& q, Answer& out,
         Drawing& drawing) {
  const Motion a = parse_motion("--motion-a", options.motion_a, q.a.pose);
  const Motion b = parse_motion("--motion-b", options.motion_b, q.b().pose);
  const TimeOfImpact answer = time_of_impact(q.a.shape, a, q.b().shape, b);
  const std::optional<Vec3> common = common_point(q, a, b, answer);
  out.status(answer.status);
  out.headline(q.names() + (answer.initial_overlap ? " overlap or touch at the start, t = 0"
                            : answer.hit           ? " meet at t = " + show(answer.t)
                                                   : " do not meet from t = 0 to 1"));
  out.json("hit", answer.hit);
  out.json("initial_overlap", answer.initial_overlap);
  if (answer.hit) {
    out.number("t", "t", answer.t);
    if (common) out.point("common point", "point", *common);
    tell_points(answer, common.has_value(), out);
  }
  out.words("proof", "proof",
            common ? "the common point lies in both at the start"
            : answer.hit
                ? "at t the points are so near each other; at all times before a direction keeps A "
                  "and B apart (--check finds and confirms them)"
                : "at all times a direction keeps A and B apart (--check finds and confirms them)");
  if (q.check) check(q, a, b, answer, common, out);
  draw(a, b, answer, common, drawing);
  session.exit_code = answer.hit ? exit_answer : exit_no;
}

} // namespace

void add_impact(CLI::App& app, Session& session) {
  const auto options = std::make_shared<Options>();
  CLI::App& verb = add_pair_verb(
      app, session,
      {"impact", "When do A and B, moving from t = 0 to 1, first touch?",
       "  carom impact sphere:1 box:1,1,1 --pose-a -5,0,0 --motion-a 10,0,0\n"
       "  carom impact bar.obj wall.obj --motion-a move:0,0,-3 --motion-a turn:0,0,1,720 --check\n"
       "  carom impact box:1,1,1 box:1,1,1 --pose-b 4,0,0 --motion-b to:0,0,0 --json\n",
       "Exit code 0: they do, 1: they do not."},
      [options](Session& s, const Question& q, Answer& out, Drawing& drawing) {
        ask(s, *options, q, out, drawing);
      });
  add_motion_option(verb, "--motion-a", options->motion_a, "A");
  add_motion_option(verb, "--motion-b", options->motion_b, "B");
}

} // namespace carom::tool
