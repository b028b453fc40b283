// carom ray: where a ray first meets a shape.
#include "tools/carom/pair.h"
#include "tools/carom/text.h"

#include "carom/query/ray_cast.h"
#include "carom/verify/check_composite.h"
#include "carom/verify/check_ray_cast.h"

#include <CLI/CLI.hpp>

#include <cmath>

namespace carom::tool {
namespace {

struct Options {
  std::string from, direction, most;
};

struct Cast {
  Ray ray;
  double max_t = INFINITY;
};

Cast parse(const Options& options) {
  Cast cast;
  cast.ray = {parse_vec3("--from", options.from), parse_vec3("--dir", options.direction)};
  if (cast.ray.direction == Vec3{}) fail("--dir", "the direction is zero");
  if (!options.most.empty()) cast.max_t = parse_number_from("--max", options.most, 0);
  return cast;
}

void ask(Session& session, const Options& options, const Question& q, Answer& out,
         Drawing& drawing) {
  const Cast cast = parse(options);
  const RayHit hit = ray_cast(q.a.shape, q.a.pose, cast.ray,
                              {.max_t = cast.max_t, .prove_misses = q.a.shape.convex()});
  out.status(hit.status);
  out.headline("the ray " + (!hit.hit     ? "misses " + q.a.name
                             : hit.inside ? "starts inside " + q.a.name
                                          : "meets " + q.a.name + " at t = " + show(hit.t)));
  out.json("hit", hit.hit);
  if (hit.hit) {
    out.number("t", "t", hit.t);
    out.point("point", "point", hit.point);
    out.json("inside", hit.inside);
    if (!hit.inside) out.point("normal", "normal", hit.normal);
    if (hit.part.element != PartId::none) {
      out.line("triangle", std::to_string(hit.part.element));
      out.json("triangle", hit.part.element);
    }
    out.words("proof", "proof",
              hit.inside ? "the start lies in the shape"
                         : "the point is on the ray and on the shape, and the plane there has what "
                           "was hit behind it");
  } else if (hit.normal != Vec3{}) {
    out.point("direction", "normal", hit.normal);
    out.words("proof", "proof", "a plane at right angles to the direction separates them");
  } else {
    out.words("proof", "proof", "a search of all parts; --check repeats it one by one");
  }
  if (q.check) {
    Check check;
    const double tolerance = 1e-9 * (q.size() + length(cast.ray.origin));
    check.step(
        hit.hit ? "the point lies on the ray and in A, and nothing is met before"
                : "the ray meets no part of A",
        q.convex()
            ? verify::check_ray_cast(q.placed_a(), cast.ray, cast.max_t, hit, tolerance)
            : verify::check_composite_ray_cast(q.placed_a(), cast.ray, cast.max_t, hit, tolerance));
    check.tell(out);
  }
  const double end = hit.hit ? hit.t : std::fmin(cast.max_t, q.size() / length(cast.ray.direction));
  drawing.marks.push_back({cast.ray.origin, cast.ray.origin + cast.ray.direction * end,
                           hit.hit ? "t = " + show(hit.t) : "miss"});
  drawing.caption = "ray on " + q.a.name;
  drawing.value = hit.t;
  if (hit.hit) drawing.set_arrow(hit.point, hit.normal); // of a miss it is no surface's
  session.exit_code = hit.hit ? exit_answer : exit_no;
}

} // namespace

void add_ray(CLI::App& app, Session& session) {
  const auto options = std::make_shared<Options>();
  CLI::App& verb =
      add_single_verb(app, session,
                      {"ray", "Where does a ray first meet A?",
                       "  carom ray sphere:1 --from -5,0,0 --dir 1,0,0\n"
                       "  carom ray rock.obj --from 0,0,10 --dir 0,0,-1 --pose-a 0,0,1 --json\n",
                       "Exit code 0: it does, 1: it misses."},
                      [options](Session& s, const Question& q, Answer& out, Drawing& drawing) {
                        ask(s, *options, q, out, drawing);
                      });
  verb.add_option("--from", options->from, "where the ray begins")->required()->type_name("x,y,z");
  verb.add_option("--dir", options->direction, "its direction, of any length; t counts in it")
      ->required()
      ->type_name("x,y,z");
  verb.add_option("--max", options->most, "the greatest t (default: no end)")->type_name("t");
}

} // namespace carom::tool
