// The primitives' questions, on sets that the bytes choose; every answer goes through the checker.
#include "carom/carom.h"
#include "carom/verify/check_cast_shell.h"
#include "tests/support/generate_geometry.h"

#include <cstdio>
#include <cstdlib>

namespace {

using namespace carom;
using test::Source;

void require(const verify::Verdict& verdict, const char* question) {
  if (verdict) return;
  std::fprintf(stderr, "%s: %s\n", question, verdict.why.c_str());
  std::abort();
}

// The sets are of size 16 at most (see the generators).
constexpr double size = 16;
// As in the tests of casts.
constexpr double cast_limit = 64;

template<class A, class B>
void ask_pair(const A& a, const B& b) {
  require(verify::check_overlap(a, b, overlap(a, b), 2 * tolerance::boolean_band * size),
          "overlap");
}

// The line, a ray and a segment of it. Where they hit far away, the coordinates there count.
template<class A>
void ask_cast(Source& source, const A& a) {
  const Line line = test::line(source);
  const auto check = [&](const verify::StraightPiece& piece, const Cast& answer) {
    const double far = answer.hit ? max_abs(line.direction * answer.t) : 0;
    require(verify::check_cast(piece, a, answer, cast_limit * tolerance::epsilon * (size + far)),
            "cast");
  };
  const Ray ray{line.origin, line.direction};
  const Segment segment{line.origin, line.origin + line.direction};
  check(line, cast(line, a));
  check(ray, cast(ray, a));
  check({ray, 0.5}, cast(ray, a, 0.5));
  check(segment, cast(segment, a));
}

// Every kind against the one given.
template<class A>
void ask(Source& source, const A& a) {
  const Vec3 p = test::vec3(source) * 2;
  const ClosestPoint near = closest_point(p, a);
  if (!(verify::distance(near.point, a) <= 64 * tolerance::epsilon * size) ||
      !(std::fabs(near.distance - verify::distance(p, a)) <= 64 * tolerance::epsilon * size)) {
    require(verify::Verdict::no("not the nearest point"), "closest_point");
  }
  ask_cast(source, a);
  switch (source.index(9)) {
  case 0:
    return ask_pair(a, test::sphere(source));
  case 1:
    return ask_pair(a, test::aabb(source));
  case 2:
    return ask_pair(a, test::obb(source));
  case 3:
    return ask_pair(a, test::capsule(source));
  case 4:
    return ask_pair(a, test::triangle(source));
  case 5:
    return ask_pair(a, test::cone(source));
  case 6:
    return ask_pair(a, test::cylinder(source));
  case 7:
    return ask_pair(a, test::plane(source));
  default:
    return ask_pair(a, test::view_frustum(source));
  }
}

SphericalShell shell(Source& source) {
  const Vec3 center = test::vec3(source), axis = test::direction(source);
  const double inner = test::radius(source), outer = inner + test::radius(source);
  return {center, axis, inner, outer, test::real(source)};
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t length) {
  test::BytesSource source(data, length);
  switch (source.index(14)) {
  case 0:
    ask(source, test::sphere(source));
    break;
  case 1:
    ask(source, test::aabb(source));
    break;
  case 2:
    ask(source, test::obb(source));
    break;
  case 3:
    ask(source, test::capsule(source));
    break;
  case 4:
    ask(source, test::triangle(source));
    break;
  case 5:
    ask(source, test::cone(source));
    break;
  case 6:
    ask(source, test::cylinder(source));
    break;
  case 7:
    ask_cast(source, test::ellipsoid(source));
    break;
  case 8:
    ask_cast(source, test::quad(source));
    break;
  case 9:
    ask_cast(source, test::rectangle(source));
    break;
  case 10:
    ask_cast(source, test::tetrahedron(source));
    break;
  case 11:
    ask_cast(source, shell(source));
    break;
  case 12:
    ask_cast(source, test::polygon(source).view());
    break;
  default:
    ask(source, test::lozenge(source));
    break;
  }
  return 0;
}
