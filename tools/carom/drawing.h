// A picture of an answer: bodies in their places, and what the answer says of them.
#pragma once

#include "carom/geometry/box.h"
#include "carom/mesh/convex_hull.h"
#include "carom/mesh/polygon_mesh.h"
#include "tools/carom/operand.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace carom::tool {

struct Drawing {
  struct Mark {
    Vec3 from, to;     ///< a line; a point where they are the same
    std::string label; ///< may be empty
  };
  /// Between the planes through two points, at right angles to the normal, there is nothing of either body.
  struct Slab {
    Vec3 from, to, normal;
  };
  struct Arrow {
    Vec3 at, along; ///< not zero
  };
  std::string title;
  std::string caption; ///< what it is about: "ray on sphere:1"
  std::vector<Operand> bodies;
  std::vector<Mark> marks;
  std::optional<Slab> slab;
  std::optional<Arrow> arrow;
  bool overlap = false; ///< the bodies have a point in common
  double value = 0;     ///< the answer
  /// Where something moves: the poses of all bodies at times with `time_step` between, the last as they are drawn.
  std::vector<std::vector<Pose>> path;
  double time_step = 0;

  /// None where it is zero: an answer without a direction.
  void set_arrow(const Vec3& at, const Vec3& along) {
    if (along != Vec3{}) arrow = {at, along};
  }
};

/// The widest slab along a direction that has all of A behind it and all of B beyond, both convex. None where the direction is zero.
[[nodiscard]] std::optional<Drawing::Slab> slab_between(const Operand& a, const Operand& b,
                                                        const Vec3& direction);

/// The options --svg and --html.
struct DrawOptions {
  std::string svg, html;
};
void add_draw_options(CLI::App& verb, DrawOptions& options);
/// Whether the files could be written: before long work.
void check_draw_options(const DrawOptions& options);
/// Writes what was asked for.
void draw(const DrawOptions& options, const Drawing& drawing);

/// The surface of a shape in its own frame, as flat polygons: that of a mesh or hull as it is, round ones as a hull of some thousand points. A half-space is a square of this half size
/// around the foot of `near`, both in the shape's frame.
[[nodiscard]] PolygonMesh surface_of(const Shape& shape, double half_size, const Vec3& near);
/// The corners of a square at right angles to a unit vector, of this half size.
[[nodiscard]] std::array<Vec3, 4> square_around(const Vec3& middle, const Vec3& normal,
                                                double half_size);
/// The faces of a hull; of a flat one, one side.
[[nodiscard]] PolygonMesh polygons_of(const ConvexHull& hull);
/// Around all bodies that are bounded, on all of their path, and all marks.
[[nodiscard]] Aabb bounds_of(const Drawing& drawing);

/// As text: seen from above and aside, x and y on the ground, z up.
[[nodiscard]] std::string svg_of(const Drawing& drawing);

} // namespace carom::tool
