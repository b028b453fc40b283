// How a shape moves from t = 0 to 1, as an option that may be given more than once.
//
//   x,y,z or move:x,y,z                   a translation
//   turn:ax,ay,az,degrees[,px,py,pz]      a rotation about an axis through a point, by default the shape's position, which goes along with the translation
//   to:x,y,z[,qx,qy,qz,qw]                straight to that pose, turning the shorter way; alone
#pragma once

#include "carom/motion/motion.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace carom::tool {

void add_motion_option(CLI::App& verb, const std::string& name, std::vector<std::string>& texts,
                       const std::string& of);

/// From the pose. Fails where the texts are none of these, or more than one of a kind. No text: it rests.
[[nodiscard]] Motion parse_motion(const std::string& name, const std::vector<std::string>& texts,
                                  const Pose& start);

} // namespace carom::tool
