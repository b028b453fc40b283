// carom overlap: a common point, or a proof that there is none.
#include "tools/carom/pair.h"
#include "tools/carom/text.h"

#include "carom/query/overlap.h"
#include "carom/query/prove.h"
#include "carom/verify/check_composite.h"
#include "carom/verify/check_proof.h"

namespace carom::tool {
namespace {

void check(const Question& q, const ShapeOverlap& answer, Answer& out) {
  Check check;
  const double tolerance = 1e-9 * q.size();
  if (answer.hit) {
    check.in_shape("A", answer.point, q.placed_a(), tolerance);
    check.in_shape("B", answer.point, q.placed_b(), tolerance);
  } else if (q.convex()) {
    check.step("the direction separates A and B",
               verify::check_overlap(q.placed_a(), q.placed_b(), answer, tolerance));
  } else {
    check_apart(q, prove(q.a.shape, q.a.pose, q.b().shape, q.b().pose, answer), check);
  }
  check.tell(out);
}

void ask(Session& session, const Question& q, Answer& out, Drawing& drawing) {
  const ShapeOverlap answer = overlap(q.a.shape, q.a.pose, q.b().shape, q.b().pose);
  out.status(answer.status);
  out.headline(q.names() + (answer.hit ? " overlap" : " do not overlap"));
  out.json("overlaps", answer.hit);
  if (answer.hit) {
    out.point("common point", "point", answer.point);
    out.words("proof", "proof", "the point lies in both (touching counts as overlapping)");
    drawing.marks.push_back({answer.point, answer.point, "common point"});
    drawing.overlap = true;
  } else if (answer.axis != Vec3{}) {
    out.point("direction", "axis", answer.axis);
    out.words("proof", "proof",
              "a plane at right angles to the direction has A on one side and B on the other");
  } else {
    out.words("proof", "proof",
              "every part of A is separated from every part of B; --check finds the directions "
              "and confirms them");
  }
  if (q.check) check(q, answer, out);
  session.exit_code = answer.hit ? exit_answer : exit_no;
}

} // namespace

void add_overlap(CLI::App& app, Session& session) {
  add_pair_verb(app, session,
                {"overlap",
                 "Do A and B have a point in common? Touching counts. Exit code 0: yes, 1: no.",
                 "  carom overlap sphere:1 box:1,1,1 --pose-b 1.5,0,0\n"
                 "  carom overlap rock.obj hammer.stl --euler-b 0,0,45 --check\n"
                 "  carom overlap a.obj b.obj --json --svg overlap.svg\n"},
                ask);
}

} // namespace carom::tool
