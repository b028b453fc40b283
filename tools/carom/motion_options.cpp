#include "tools/carom/motion_options.h"

#include "carom/math/trig.h"
#include "tools/carom/operand.h"
#include "tools/carom/session.h"
#include "tools/carom/text.h"

#include <CLI/CLI.hpp>

#include <array>

namespace carom::tool {
namespace {

void turn(Motion& motion, const std::string& name, const std::string& text) {
  const std::vector<double> n = parse_numbers(name, text);
  if (n.size() != 4 && n.size() != 7) {
    fail(name, "turn: needs 4 or 7 numbers (ax,ay,az,degrees[,px,py,pz]), and there are " +
                   std::to_string(n.size()));
  }
  motion.axis = {n[0], n[1], n[2]};
  if (motion.axis == Vec3{}) fail(name, "the axis is zero");
  motion.angle = n[3] * (pi / 180);
  if (n.size() == 7) motion.pivot = {n[4], n[5], n[6]};
}

} // namespace

void add_motion_option(CLI::App& verb, const std::string& name, std::vector<std::string>& texts,
                       const std::string& of) {
  verb.add_option(
          name, texts,
          "how " + of +
              " moves from t = 0 to 1: x,y,z or move:x,y,z; turn:ax,ay,az,degrees[,px,py,pz] "
              "(about a point, by default its position); both, by giving it twice; or "
              "to:x,y,z[,qx,qy,qz,qw]")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("MOTION");
}

Motion parse_motion(const std::string& name, const std::vector<std::string>& texts,
                    const Pose& start) {
  Motion motion = Motion::rest(start);
  motion.pivot = start.position;
  std::string seen;
  for (const std::string& text : texts) {
    const std::size_t colon = text.find(':');
    const std::string kind = colon == std::string::npos ? "move" : text.substr(0, colon);
    const std::string rest = colon == std::string::npos ? text : text.substr(colon + 1);
    if (seen == kind || seen == "to" || (kind == "to" && !seen.empty())) {
      fail(name, "at most one 'move' and one 'turn', or one 'to'");
    }
    seen = kind;
    if (kind == "move") {
      motion.translation = parse_vec3(name, rest);
    } else if (kind == "turn") {
      turn(motion, name, rest);
    } else if (kind == "to") {
      motion = Motion::between(start, parse_pose_text(name, rest));
    } else {
      fail(name, "'" + printable(kind) + "' is none of move, turn, to");
    }
  }
  if (texts.size() > 2) fail(name, "at most one 'move' and one 'turn', or one 'to'");
  if (!in_range(motion)) fail(name, "the motion is out of range");
  return motion;
}

} // namespace carom::tool
