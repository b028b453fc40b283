// What a question is about: a mesh file, or a primitive written out, and where it stands.
//
//   rock.obj            a mesh: a solid where it is closed, else a surface
//   hull:rock.obj       its convex hull
//   surface:rock.obj    its triangles alone, also where it is closed
//   sphere:r  box:hx,hy,hz  capsule:half_height,r  cylinder:half_height,r  cone:height,r  ellipsoid:rx,ry,rz  point:x,y,z  segment:ax,ay,az,bx,by,bz
//   half-space:nx,ny,nz,offset
#pragma once

#include "carom/math/pose.h"
#include "carom/shape/shape.h"

#include <string>

namespace CLI {
class App;
}

namespace carom::tool {

struct Operand {
  std::string name; ///< as it was given
  Shape shape;
  Pose pose;
  bool open =
      false; ///< a mesh file that was to be a solid, and is a surface for want of being closed

  /// Whether it has an inside that counts: all but meshes that are surfaces.
  [[nodiscard]] bool solid() const;
};

/// Fails where the text is neither a file that can be read nor a primitive.
[[nodiscard]] Shape load_shape(const std::string& text);

/// Where an operand stands, as options.
struct PlaceOptions {
  std::string suffix; ///< "a": the options are --pose-a and --euler-a
  std::string pose, euler;
};
void add_place_options(CLI::App& verb, PlaceOptions& options, const std::string& suffix);

/// "x,y,z[,qx,qy,qz,qw]": the quaternion has any length but 0.
[[nodiscard]] Pose parse_pose_text(const std::string& name, const std::string& text);
/// Position and rotation by such a text, or the rotation by degrees about x, then y, then z, the axes fixed in the world.
[[nodiscard]] Pose parse_pose(const PlaceOptions& options);

/// Both.
[[nodiscard]] Operand load_operand(const std::string& text, const PlaceOptions& options);

/// How operands are written, for the help.
extern const char* const operand_help;

} // namespace carom::tool
