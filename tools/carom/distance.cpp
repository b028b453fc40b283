// carom distance: the nearest points, and the proof that none are nearer.
#include "tools/carom/pair.h"
#include "tools/carom/text.h"

#include "carom/query/distance.h"
#include "carom/query/prove.h"
#include "carom/verify/check_query.h"

namespace carom::tool {
namespace {

void check(const Question& q, const Distance& answer, Answer& out) {
  Check check;
  const double tolerance = 1e-9 * q.size();
  check.in_shape("the point on A lies in it", answer.on_a, q.placed_a(), tolerance);
  check.in_shape("the point on B lies in it", answer.on_b, q.placed_b(), tolerance);
  if (answer.value > 0 && q.convex()) {
    check.step("the slab between A and B is empty",
               verify::check_distance(q.placed_a(), q.placed_b(), answer, tolerance));
  } else if (answer.value > 0) {
    check_apart(q, prove(q.a.shape, q.a.pose, q.b().shape, q.b().pose, answer), check);
  }
  check.tell(out);
}

void ask(Session&, const Question& q, Answer& out, Drawing& drawing) {
  const Distance answer = distance(q.a.shape, q.a.pose, q.b().shape, q.b().pose);
  out.status(answer.status);
  const bool apart = answer.value > 0;
  out.headline(q.names() + (apart ? " are " + show(answer.value) + " apart"
                                  : " overlap or touch: the distance is 0"));
  out.json("value", answer.value);
  out.points(answer.on_a, answer.on_b);
  if (apart) out.point("direction", "normal", answer.normal);
  out.number("at least", "lower_bound", answer.lower_bound);
  out.words("proof", "proof",
            !apart ? "both points are one, in A and in B"
            : q.convex()
                ? "between A and B there is an empty slab so wide, at right angles to the direction"
                : "no part of A is nearer to one of B; --check finds the slabs between them and "
                  "confirms them");
  if (q.check) check(q, answer, out);
  drawing.marks.push_back({answer.on_a, answer.on_b, show(answer.value)});
  drawing.overlap = !apart;
  drawing.value = answer.value;
  if (apart && q.convex()) {
    drawing.slab = Drawing::Slab{answer.on_a, answer.on_b, answer.normal};
  }
}

} // namespace

void add_distance(CLI::App& app, Session& session) {
  add_pair_verb(app, session,
                {"distance", "How far apart are A and B, and where? 0 where they overlap.",
                 "  carom distance box:1,1,1 sphere:0.5 --pose-b 3,0,0\n"
                 "  carom distance rock.obj hammer.stl --pose-b 0,0,2 --euler-b 90,0,0 --check\n"
                 "  carom distance a.obj hull:b.obj --json\n"},
                ask);
}

} // namespace carom::tool
