// carom penetration: the least translation that separates.
#include "tools/carom/certificate.h"
#include "tools/carom/pair.h"
#include "tools/carom/text.h"

#include "carom/query/penetration.h"
#include "carom/query/prove.h"
#include "carom/query/prove_depth.h"
#include "carom/verify/check_depth_proof.h"
#include "carom/verify/check_query.h"

#include <cmath>

namespace carom::tool {
namespace {

/// Both bounds, each by what proves it.
void check_composite(const Question& q, const Penetration& answer, Check& check, double tolerance) {
  if (!check_is_cheap(q)) return check.skip("so many pairs of triangles would take too long");
  if (answer.lower_bound > 0) {
    const auto depth = prove_depth(q.a.shape, q.a.pose, q.b().shape, q.b().pose, answer);
    if (depth) {
      check.certificate("depth", to_json(*depth));
      check.step("no translation shorter than the lower bound separates them",
                 verify::check_depth_proof(q.placed_a(), q.placed_b(), *depth, tolerance));
    } else {
      check.skip("the lower bound: its proof was not found");
    }
  }
  Question moved = q;
  moved.second->pose.position = moved.second->pose.position + answer.normal * answer.upper_bound;
  check_apart(moved, prove_apart(q.a.shape, q.a.pose, q.b().shape, moved.second->pose, {}, 0),
              check);
}

void check(const Question& q, const Penetration& answer, Answer& out) {
  Check check;
  const double tolerance = 1e-9 * q.size();
  if (std::isinf(answer.depth)) {
    check.skip("that no translation separates them: it follows from what they are");
  } else if (q.convex()) {
    check.step(
        "moved by the depth along the direction B is beyond A, and no direction tried is "
        "shorter",
        verify::check_penetration(q.placed_a(), q.placed_b(), answer, tolerance, 1e-6 * q.size()));
  } else if (answer.depth > 0) {
    check_composite(q, answer, check, tolerance);
  } else {
    check_apart(q, prove_apart(q.a.shape, q.a.pose, q.b().shape, q.b().pose, {}, 0), check);
  }
  check.tell(out);
}

void ask(Session&, const Question& q, Answer& out, Drawing& drawing) {
  const Penetration answer = penetration(q.a.shape, q.a.pose, q.b().shape, q.b().pose);
  out.status(answer.status);
  const bool deep = answer.depth > 0;
  const bool endless = std::isinf(answer.depth);
  out.headline(q.names() + (endless ? " meet wherever they are moved: the depth is infinite"
                            : deep  ? " reach " + show(answer.depth) + " into each other"
                                    : " are apart or just touch: the depth is 0"));
  out.json("depth", answer.depth + 0.0); // no -0
  out.json("infinite", endless);
  out.number("at least", "lower_bound", answer.lower_bound);
  out.number("at most", "upper_bound", answer.upper_bound);
  if (!endless) out.point("direction", "normal", answer.normal);
  if (deep && !endless) out.points(answer.on_a, answer.on_b);
  out.words("proof", "proof",
            endless ? "half-spaces whose normals are not opposite meet wherever they are moved"
            : deep
                ? "moved by 'at most' along the direction B is clear of A; no translation shorter "
                  "than 'at least' does that"
                : "along the direction all of B is beyond all of A, or a search of all parts "
                  "found none that overlap");
  if (q.check) check(q, answer, out);
  if (deep && std::isfinite(answer.depth)) {
    drawing.marks.push_back({answer.on_b, answer.on_a, show(answer.depth)});
  }
  drawing.overlap = deep;
  drawing.value = answer.depth;
  if (!deep && q.convex()) drawing.slab = slab_between(q.a, q.b(), answer.normal);
}

} // namespace

void add_penetration(CLI::App& app, Session& session) {
  add_pair_verb(app, session,
                {"penetration", "How deep do A and B reach into each other?",
                 "  carom penetration box:1,1,1 sphere:1 --pose-b 1.5,0,0\n"
                 "  carom penetration gear.obj shaft.obj --pose-b 0,0,0.1 --json\n",
                 "The least translation of B that separates them; 0 where they are apart."},
                ask);
}

} // namespace carom::tool
