// carom impact: when two moving shapes first touch.
#include "tools/carom/certificate.h"
#include "tools/carom/motion_options.h"
#include "tools/carom/pair.h"
#include "tools/carom/text.h"

#include "carom/motion/prove_impact.h"
#include "carom/motion/time_of_impact.h"
#include "carom/verify/check_motion.h"

namespace carom::tool {
namespace {

struct Options {
  std::vector<std::string> motion_a, motion_b;
};

void check(const Question& q, const Motion& a, const Motion& b, const TimeOfImpact& answer,
           Answer& out) {
  Check check;
  const double tolerance = 1e-8 * (q.size() + length(a.translation) + length(b.translation));
  if (answer.hit) {
    check.in_shape("A", answer.on_a, verify::placed_at(q.a.shape, a, answer.t), tolerance);
    check.in_shape("B", answer.on_b, verify::placed_at(q.b().shape, b, answer.t), tolerance);
  }
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
void draw(const Motion& a, const Motion& b, const TimeOfImpact& answer, Drawing& drawing) {
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
  drawing.marks.push_back({answer.on_a, answer.on_b, "t = " + show(answer.t)});
  drawing.set_arrow(answer.on_a, answer.normal);
}

void ask(Session& session, const Options& options, const Question& q, Answer& out,
         Drawing& drawing) {
  const Motion a = parse_motion("--motion-a", options.motion_a, q.a.pose);
  const Motion b = parse_motion("--motion-b", options.motion_b, q.b().pose);
  const TimeOfImpact answer = time_of_impact(q.a.shape, a, q.b().shape, b);
  out.status(answer.status);
  out.headline(q.names() + (answer.initial_overlap ? " overlap or touch at the start, t = 0"
                            : answer.hit           ? " meet at t = " + show(answer.t)
                                                   : " do not meet from t = 0 to 1"));
  out.json("hit", answer.hit);
  out.json("initial_overlap", answer.initial_overlap);
  if (answer.hit) {
    out.number("t", "t", answer.t);
    out.points(answer.on_a, answer.on_b);
    out.point("direction", "normal", answer.normal);
    out.number("gap then", "distance", answer.distance);
  }
  out.words("proof", "proof",
            answer.initial_overlap ? "a point of both at the start"
            : answer.hit
                ? "at t the points are so near each other; at all times before a direction keeps A "
                  "and B apart (--check finds and confirms them)"
                : "at all times a direction keeps A and B apart (--check finds and confirms them)");
  if (q.check) check(q, a, b, answer, out);
  draw(a, b, answer, drawing);
  session.exit_code = answer.hit ? exit_answer : exit_no;
}

} // namespace

void add_impact(CLI::App& app, Session& session) {
  const auto options = std::make_shared<Options>();
  CLI::App& verb = add_pair_verb(
      app, session,
      {"impact",
       "When do A and B, moving from t = 0 to 1, first touch? Exit code 0: they do, 1: they do "
       "not.",
       "  carom impact sphere:1 box:1,1,1 --pose-a -5,0,0 --motion-a 10,0,0\n"
       "  carom impact bar.obj wall.obj --motion-a move:0,0,-3 --motion-a turn:0,0,1,720 --check\n"
       "  carom impact box:1,1,1 box:1,1,1 --pose-b 4,0,0 --motion-b to:0,0,0 --json\n"},
      [options](Session& s, const Question& q, Answer& out, Drawing& drawing) {
        ask(s, *options, q, out, drawing);
      });
  add_motion_option(verb, "--motion-a", options->motion_a, "A");
  add_motion_option(verb, "--motion-b", options->motion_b, "B");
}

} // namespace carom::tool
