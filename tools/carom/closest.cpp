// carom closest: how far a point is from a shape, and from where on its surface.
#include "tools/carom/pair.h"
#include "tools/carom/text.h"

#include "carom/query/closest_point.h"
#include "carom/verify/check_closest_point.h"
#include "carom/verify/check_composite.h"

#include <CLI/CLI.hpp>

#include <cmath>

namespace carom::tool {
namespace {

void ask(const std::string& text, const Question& q, Answer& out, Drawing& drawing) {
  const Vec3 p = parse_vec3("--point", text);
  const SurfacePoint answer = closest_point(p, q.a.shape, q.a.pose);
  out.status(answer.status);
  const char* where = answer.value < 0 ? " inside " : answer.value > 0 ? " outside of " : " from ";
  out.headline("the point is " + show(std::fabs(answer.value)) + where + q.a.name);
  out.json("p", to_json(p));
  out.number("distance", "value", answer.value);
  out.point("nearest", "point", answer.point);
  out.point("normal", "normal", answer.normal);
  out.number("at least", "lower_bound", answer.lower_bound);
  out.number("at most", "upper_bound", answer.upper_bound);
  out.words("proof", "proof",
            q.convex() ? "the nearest point is on the shape, all of which is behind the plane there"
                       : "the nearest point is on the shape, and no part is nearer; --check looks "
                         "at all of them");
  if (q.check) {
    Check check;
    const double size = q.size() + length(p);
    check.step("the nearest point is on A, and nothing of A is nearer",
               q.convex()
                   ? verify::check_closest_point(p, q.placed_a(), answer, 1e-9 * size, 1e-6 * size)
                   : verify::check_composite_closest_point(p, q.placed_a(), answer, 1e-9 * size));
    check.tell(out);
  }
  drawing.marks.push_back({p, answer.point, show(answer.value)});
  drawing.caption = "point and " + q.a.name;
  drawing.value = answer.value;
  drawing.set_arrow(answer.point, answer.normal);
}

} // namespace

void add_closest(CLI::App& app, Session& session) {
  const auto point = std::make_shared<std::string>();
  CLI::App& verb =
      add_single_verb(app, session,
                      {"closest", "Which point of A's surface is nearest to a point, and how far?",
                       "  carom closest box:1,1,1 --point 3,0,0\n"
                       "  carom closest rock.obj --point 0,0,0 --euler-a 0,0,90 --check --json\n",
                       "Negative inside."},
                      [point](Session&, const Question& q, Answer& out, Drawing& drawing) {
                        ask(*point, q, out, drawing);
                      });
  verb.add_option("--point", *point, "the point")->required()->type_name("x,y,z");
}

} // namespace carom::tool
