// What the scenes of whole worlds are made of, in terms that every engine can build.
#pragma once

#include "carom/mesh/polygon_mesh.h"
#include "carom/shape/shape.h"
#include "carom/shape/triangle_mesh.h"

#include <string>
#include <vector>

namespace carom::bench {

enum class Kind { box, ball, capsule, hull, mesh };

/// A shape in both engines' terms.
struct Form {
  Kind kind = Kind::box;
  Vec3 half{};              ///< box; x: radius, y: half the height of the others
  std::vector<Vec3> points; ///< hull
  PolygonMesh mesh;
};
struct Placed {
  std::size_t form = 0;
  Pose pose{};
  Vec3 velocity{};
  double density = 1000; ///< 0: fixed
  bool asleep = false;   ///< to begin with; others never sleep
};
struct Scene {
  std::string name;
  std::vector<Form> forms;
  std::vector<Placed> bodies;
  int steps = 300;
  double below = -5;  ///< what falls below this height is lost
  bool sleep = false; ///< whether what rests sleeps
};

inline Shape to_shape(const Form& f) {
  switch (f.kind) {
  case Kind::box:
    return Shape::box(f.half).value();
  case Kind::ball:
    return Shape::sphere(f.half.x).value();
  case Kind::capsule:
    return Shape::capsule({0, 0, -f.half.y}, {0, 0, f.half.y}, f.half.x).value();
  case Kind::hull:
    return Shape::hull(f.points).value();
  case Kind::mesh:
    break;
  }
  return Shape::mesh(f.mesh, {.body = MeshOptions::Body::surface}).value();
}

/// What both sides do.
class Simulation {
public:
  virtual ~Simulation() = default;
  virtual void step() = 0;
  [[nodiscard]] virtual Vec3 position(std::size_t body) const = 0;
};

} // namespace carom::bench
