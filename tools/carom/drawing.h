// A picture of an answer: bodies in their places, and what the answer says of them.
#pragma once

#include "carom/geometry/box.h"
#include "carom/mesh/convex_hull.h"
#include "carom/mesh/polygon_mesh.h"
#include "tools/carom/operand.h"

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
  std::string title;
  std::vector<Operand> bodies;
  std::vector<Mark> marks;
  /// What the page lists, about the first two bodies: whether they overlap, how much, and which way.
  bool overlap = false;
  double value = 0;
  Vec3 normal{};

  void finding(bool overlaps, double how_much, const Vec3& way) {
    overlap = overlaps;
    value = how_much;
    normal = way;
  }
};

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
/// The faces of a hull; of a flat one, one side.
[[nodiscard]] PolygonMesh polygons_of(const ConvexHull& hull);
/// Around all bodies that are bounded and all marks.
[[nodiscard]] Aabb bounds_of(const Drawing& drawing);

/// As text: seen from above and aside, x and y on the ground, z up.
[[nodiscard]] std::string svg_of(const Drawing& drawing);

} // namespace carom::tool
