// carom overlap: a common point, or a proof that there is none.
#include "tools/carom/certificate.h"
#include "tools/carom/pair.h"
#include "tools/carom/text.h"

#include "carom/query/overlap.h"
#include "carom/query/prove.h"
#include "carom/verify/check_composite.h"
#include "carom/verify/check_proof.h"

namespace carom::tool {
namespace {

/// Where they are not convex: the claims about their parts.
std::optional<Proof> proof_of(const Question& q, const ShapeOverlap& answer) {
  if (answer.hit || q.convex()) return std::nullopt;
  return prove(q.a.shape, q.a.pose, q.b().shape, q.b().pose, answer);
}

void check(const Question& q, const ShapeOverlap& answer, const std::optional<Proof>& proof,
           Answer& out) {
  Check check;
  const double tolerance = 1e-9 * q.size();
  if (answer.hit) {
    check.in_shape("the common point lies in A", answer.point, q.placed_a(), tolerance);
    check.in_shape("the common point lies in B", answer.point, q.placed_b(), tolerance);
  } else if (q.convex()) {
    check.step("the direction separates A and B",
               verify::check_overlap(q.placed_a(), q.placed_b(), answer, tolerance));
  } else {
    check_apart(q, proof, check);
  }
  check.tell(out);
}

/// What separates them: one direction, or many.
void tell_apart(const Question& q, const ShapeOverlap& answer, const std::optional<Proof>& proof,
                Answer& out, Drawing& drawing) {
  const bool by_one = q.convex() || (proof && proof->claims.size() == 1);
  if (by_one) {
    const Vec3 direction = q.convex() ? answer.axis : proof->claims.front().direction;
    out.point("direction", "axis", direction);
    out.words("proof", "proof",
              "a plane at right angles to the direction has A on one side and B on the other");
    drawing.slab = slab_between(q.a, q.b(), direction);
  } else if (proof) {
    out.words("proof", "proof",
              counted(proof->claims.size(), "direction") +
                  " between groups of triangles, each pair in one of them");
    tell_claims(*proof, out);
  } else {
    out.words("proof", "proof", "a search of all parts found none that overlap");
  }
  if (proof) out.json("certificate", Json{{"apart", to_json(*proof)}});
}

void ask(Session& session, const Question& q, Answer& out, Drawing& drawing) {
  const ShapeOverlap answer = overlap(q.a.shape, q.a.pose, q.b().shape, q.b().pose);
  const std::optional<Proof> proof = proof_of(q, answer);
  out.status(answer.status);
  out.headline(q.names() + (answer.hit ? " overlap" : " do not overlap"));
  out.json("overlaps", answer.hit);
  if (answer.hit) {
    out.point("common point", "point", answer.point);
    out.words("proof", "proof", "the point lies in both (touching counts as overlapping)");
    drawing.marks.push_back({answer.point, answer.point, "common point"});
    drawing.overlap = true;
  } else {
    tell_apart(q, answer, proof, out, drawing);
  }
  if (q.check) check(q, answer, proof, out);
  session.exit_code = answer.hit ? exit_answer : exit_no;
}

} // namespace

void add_overlap(CLI::App& app, Session& session) {
  add_pair_verb(app, session,
                {"overlap", "Do A and B have a point in common? Touching counts.",
                 "  carom overlap sphere:1 box:1,1,1 --pose-b 1.5,0,0\n"
                 "  carom overlap rock.obj hammer.stl --euler-b 0,0,45 --check\n"
                 "  carom overlap a.obj b.obj --json --svg overlap.svg\n",
                 "Exit code 0: yes, 1: no."},
                ask);
}

} // namespace carom::tool
