// carom hausdorff: how different two shapes are as sets.
#include "tools/carom/pair.h"
#include "tools/carom/text.h"

#include "carom/query/hausdorff.h"
#include "carom/verify/check_hausdorff.h"

#include <CLI/CLI.hpp>

#include <cmath>

namespace carom::tool {
namespace {

/// Where it is infinite no point is the farthest: there are none, then.
Json to_json(const OneSidedHausdorff& side) {
  if (std::isinf(side.value)) {
    return {
        {"value", nullptr}, {"lower_bound", nullptr}, {"upper_bound", nullptr}, {"infinite", true}};
  }
  return {{"value", side.value},
          {"lower_bound", side.lower_bound},
          {"upper_bound", side.upper_bound},
          {"on_a", tool::to_json(side.on_a)},
          {"on_b", tool::to_json(side.on_b)},
          {"infinite", false}};
}

std::string text_of(const OneSidedHausdorff& side, const Vec3& farthest) {
  return std::isinf(side.value) ? "without end" : show(side.value) + " at " + show(farthest);
}

/// As check_hausdorff has it: the points of the side that is looked from first.
OneSidedHausdorff turned(OneSidedHausdorff side) {
  std::swap(side.on_a, side.on_b);
  return side;
}

void check(const Question& q, const Hausdorff& answer, Answer& out) {
  Check check;
  const double tolerance = 1e-9 * q.size();
  const auto side = [&](const char* what, const verify::PlacedShape& from,
                        const verify::PlacedShape& to, const OneSidedHausdorff& found) {
    if (std::isinf(found.value)) return;
    check.step(what, verify::check_hausdorff(from, to, found, {}, tolerance));
  };
  side("the farthest point of A is as far from B as stated", q.placed_a(), q.placed_b(),
       answer.a_from_b);
  side("the farthest point of B is as far from A as stated", q.placed_b(), q.placed_a(),
       turned(answer.b_from_a));
  if (std::isinf(answer.value)) {
    check.skip("that one reaches without end beyond the other: it follows from what they are");
    return check.tell(out);
  }
  check.skip("that no other points are farther (the upper bounds): a search over all of both");
  check.tell(out);
}

void ask(const std::string& error, const Question& q, Answer& out, Drawing& drawing) {
  HausdorffOptions options;
  if (!error.empty()) {
    options.absolute_error = parse_number_from("--error", error, 0);
    options.relative_error = 0;
  }
  const Hausdorff answer = hausdorff(q.a.shape, q.a.pose, q.b().shape, q.b().pose, options);
  out.status(answer.status);
  const bool endless = std::isinf(answer.value);
  out.headline(q.names() + (endless
                                ? " differ without end: the Hausdorff distance is infinite"
                                : " differ by " + show(answer.value) + " (Hausdorff distance)"));
  out.json("value", answer.value);
  out.json("infinite", endless);
  out.number("at least", "lower_bound", answer.lower_bound);
  out.number("at most", "upper_bound", answer.upper_bound);
  out.line("A beyond B", text_of(answer.a_from_b, answer.a_from_b.on_a));
  out.line("B beyond A", text_of(answer.b_from_a, answer.b_from_a.on_b));
  out.json("a_from_b", to_json(answer.a_from_b));
  out.json("b_from_a", to_json(answer.b_from_a));
  if (!endless) {
    out.json("on_a", tool::to_json(answer.on_a));
    out.json("on_b", tool::to_json(answer.on_b));
  }
  out.words(
      "proof", "proof",
      endless
          ? "a half-space has points as far as one likes from the other shape"
          : "the point named is as far from the other shape as 'at least'; a search that covers "
            "both shapes found none farther than 'at most'");
  if (q.check) check(q, answer, out);
  if (std::isfinite(answer.value)) {
    drawing.marks.push_back({answer.on_a, answer.on_b, show(answer.value)});
  }
  drawing.value = answer.value;
}

} // namespace

void add_hausdorff(CLI::App& app, Session& session) {
  const auto error = std::make_shared<std::string>();
  CLI::App& verb = add_pair_verb(
      app, session,
      {"hausdorff", "How different are A and B as sets?",
       "  carom hausdorff scan.ply model.obj\n"
       "  carom hausdorff surface:before.obj surface:after.obj --error 0.001 --json\n",
       "The greatest distance of a point of the one from the other."},
      [error](Session&, const Question& q, Answer& out, Drawing& drawing) {
        ask(*error, q, out, drawing);
      });
  verb.add_option("--error", *error, "how far apart the bounds may be (default: 1% of the value)")
      ->type_name("LENGTH");
}

} // namespace carom::tool
