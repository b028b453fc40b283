// The distance from a convex set is a convex function. So over a triangle, or over a box, the distance from any one triangle of B is greatest at a corner; and the distance from B is at most that. The triangle of B
// to ask is the one nearest to the middle of the part: then the bound is never above the usual one, the distance of the middle and the radius of the part, and mostly far below it: where the part
// lies across the way to B, the bound is too large by the square of its size, not by its size.
//
// Parts of A are the nodes of its tree, then its triangles, then halves of triangles, cut at the middle of their longest side. Points of A, which prove what is reached, are the middles of triangles and their
// worst corners. Before the tree of B is asked for a part, the triangle that served the part around it is tried.
//
// Where B is filled, its triangles bound the distance still. A part whose middle is inside, and that meets none of B's triangles, is all inside.
//
// Rounding: the corners of A are taken to B's frame, and each cut rounds a point or two; the pieces cover the triangle only to within that: up to four epsilons of the greatest coordinate a cut. The point
// distances add some thirty, and the frames some ten. 512 are allowed for.
#include "carom/query/surface_hausdorff.h"

#include "carom/geometry/closest_point.h"
#include "carom/geometry/triangle_triangle.h"
#include "carom/tree/triangle_nearest.h"
#include "carom/tree/triangle_winding.h"
#include "carom/tree/volume_query.h"

#include <array>
#include <cmath>

namespace carom {
namespace {

constexpr int most_cuts = 120;

/// A node or a leaf of A's tree, or a piece of a triangle.
struct Part {
  double upper;
  std::uint32_t near; ///< the triangle of B that gave the bound
  bool is_piece;
  ChildRef child{};
  std::array<Vec3, 3> corners{}; ///< of a piece, in B's frame
  int cuts = 0;
  std::size_t worst = 0; ///< the corner farthest from that triangle
};

/// A box of A's tree, in A's frame.
struct Box {
  Vec3 center, half;
};

/// How far a point is from B's triangles, and which is the nearest.
struct Near {
  std::uint32_t triangle;
  double distance;
  Vec3 point;
};

class Search {
public:
  Search(const TriangleSet& a, const SurfaceTarget& b, HausdorffBounds& bounds)
      : a_(a), target_(b), b_(b.set), frame_(b.in_a), bounds_(bounds) {}

  void run() {
    const WideTree& tree = a_.tree.tree();
    add_point(frame_.to_local(a_.surface[tree.leaf(0)[0]].a));
    add_box(ChildRef::node(0), tree.nodes()[0].box(), INFINITY, 0);
    queue_.run(bounds_, [&](const Part& part) {
      if (part.is_piece)
        cut(part);
      else if (part.child.is_leaf())
        open_leaf(part);
      else
        open_node(part);
    });
  }

private:
  // --- Distances from B as it is: filled, and rounded.

  /// Of points that are so far from its triangles.
  [[nodiscard]] double beyond(double distance) const {
    return std::fmax(distance - target_.rounding, 0);
  }
  [[nodiscard]] bool matters(double upper) { return bounds_.matters(beyond(upper)); }
  /// Whether all points around the middle belong to B's inside. Asked only where it counts.
  [[nodiscard]] bool inside(const Vec3& middle, const Near& near, double radius) const {
    return target_.solid && radius <= near.distance &&
           locate(b_.tree, b_.surface, middle) != PointPlace::outside;
  }

  [[nodiscard]] bool meets_surface(const Triangle& t) const {
    bool met = false;
    visit_touching(b_.tree.tree(), bounds(t), [&](std::span<const std::uint32_t> triangles) {
      for (const std::uint32_t i : triangles) met = met || overlaps(t, b_.surface[i]);
      return !met;
    });
    return met;
  }

  // --- Nodes and leaves of A's tree.

  void open_node(const Part& part) {
    const WideNode& node = a_.tree.tree().nodes()[part.child.number()];
    for (int i = 0; i < node.count; ++i) add_box(node.child[i], node.box(i), part.upper, part.near);
  }

  /// The nearest triangle to the box's middle bounds all of it: through its nearest point here, which is quick in the box's own axes.
  void add_box(ChildRef child, const FloatBox& float_box, double upper, std::uint32_t near) {
    const TreeFrame& frame = a_.tree.frame();
    Box box;
    for (int k = 0; k < 3; ++k) {
      const auto i = static_cast<std::size_t>(k);
      const double low = static_cast<double>(float_box.min[i]);
      const double high = static_cast<double>(float_box.max[i]);
      box.center[k] = frame.center[k] + (low + high) * 0.5 * frame.unit;
      box.half[k] = (high - low) * 0.5 * frame.unit;
    }
    const Vec3 middle = frame_.to_local(box.center);
    const ClosestOnTriangle before = closest_point(middle, b_.surface[near]);
    upper = std::fmin(upper, farthest(box, before.point));
    if (!matters(upper)) return;
    const NearTriangle now = nearest_triangle(b_.tree, b_.surface, middle, before.distance);
    bounds_.add_other();
    if (now) {
      near = now.triangle;
      upper = std::fmin(upper, farthest(box, now.on.point));
      if (!matters(upper)) return;
      if (inside(middle, {near, now.on.distance, now.on.point}, length(box.half))) return;
    }
    queue_.push({upper, near, false, child});
  }

  [[nodiscard]] double farthest(const Box& box, const Vec3& point) const {
    const Vec3 to = abs(box.center - frame_.to_world(point)) + box.half;
    return length(to);
  }

  void open_leaf(const Part& part) {
    for (const std::uint32_t i : a_.tree.tree().leaf(part.child.number())) {
      if (i == WideTree::no_item) break;
      const Triangle t = a_.surface[i];
      add_piece({part.upper,
                 part.near,
                 true,
                 {},
                 {frame_.to_local(t.a), frame_.to_local(t.b), frame_.to_local(t.c)}});
    }
  }

  // --- Pieces of triangles.

  /// Three times of four along the prism over the triangle of B that gave the bound: what is left inside of it is bounded by that triangle as well as can be, what is outside, by its neighbours. Where A and B lie
  /// close to each other that saves cutting down to the size of the gap all along B's edges. The fourth time in halves, so that pieces become small whatever happens.
  void cut(const Part& part) {
    if (part.cuts % 4 == 3 || !cut_at_prism(part)) halve(part);
  }

  void add_cut(const Part& part, const Vec3& u, const Vec3& v, const Vec3& w) {
    add_piece({part.upper, part.near, true, {}, {u, v, w}, part.cuts + 1});
  }

  void halve(const Part& part) {
    const auto& c = part.corners;
    std::size_t i = 0;
    for (std::size_t k = 1; k < 3; ++k) {
      if (distance_squared(c[k], c[(k + 1) % 3]) > distance_squared(c[i], c[(i + 1) % 3])) i = k;
    }
    const Vec3 &u = c[i], &v = c[(i + 1) % 3], &w = c[(i + 2) % 3];
    const Vec3 middle = u * 0.5 + v * 0.5;
    add_cut(part, u, middle, w);
    add_cut(part, middle, v, w);
  }

  /// By the side of the prism that the worst corner is farthest beyond. No where it is inside, or all of the piece is outside.
  bool cut_at_prism(const Part& part) {
    const Triangle t = b_.surface[part.near];
    const Vec3 normal = cross(t.b - t.a, t.c - t.a);
    const Vec3 ends[] = {t.a, t.b, t.c, t.a};
    double most = 0;
    Vec3 outward, from;
    for (int i = 0; i < 3; ++i) {
      const Vec3 out = cross(ends[i + 1] - ends[i], normal);
      const double size = length(out);
      const double beyond = dot(out, part.corners[part.worst] - ends[i]);
      if (!(beyond > most * size)) continue;
      most = beyond / size;
      outward = out;
      from = ends[i];
    }
    return cut_by_plane(part, outward, from);
  }

  /// Into what is on one side of it and on the other. No where all is on one side.
  bool cut_by_plane(const Part& part, const Vec3& normal, const Vec3& from) {
    const auto& c = part.corners;
    std::array<double, 3> side{};
    for (std::size_t i = 0; i < 3; ++i) side[i] = dot(normal, c[i] - from);
    // A corner that an earlier cut has put on this plane is on it.
    const double least =
        0x1p-40 * std::max({std::fabs(side[0]), std::fabs(side[1]), std::fabs(side[2])});
    for (double& s : side) s = std::fabs(s) > least ? s : 0;
    const auto crossing = [&](std::size_t i, std::size_t j) {
      return c[i] + (c[j] - c[i]) * (side[i] / (side[i] - side[j]));
    };
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      if (side[i] == 0 && side[j] * side[k] < 0) {
        const Vec3 middle = crossing(j, k);
        add_cut(part, c[i], c[j], middle);
        add_cut(part, c[i], middle, c[k]);
        return true;
      }
      if (side[i] * side[j] < 0 && side[i] * side[k] < 0) { // alone on its side
        const Vec3 to_j = crossing(i, j), to_k = crossing(i, k);
        add_cut(part, c[i], to_j, to_k);
        add_cut(part, to_j, c[j], to_k);
        add_cut(part, c[j], c[k], to_k);
        return true;
      }
    }
    return false;
  }

  /// A point of A; the triangle of B next to it.
  Near add_point(const Vec3& p) {
    const NearTriangle now = nearest_triangle(b_.tree, b_.surface, p);
    double far = beyond(now.on.distance);
    Vec3 on_b = now.on.point;
    if (far > bounds_.found() && inside(p, {}, 0)) far = 0;
    bounds_.add(far, [&] {
      if (far > 0) on_b += (p - on_b) * (target_.rounding / now.on.distance);
      return std::pair{target_.in_world.to_world(p), target_.in_world.to_world(far > 0 ? on_b : p)};
    });
    return {now.triangle, now.on.distance, now.on.point};
  }

  /// The piece's bound by one triangle of B, if it is better; then also which corner is the farthest from it.
  void bound_by(std::uint32_t triangle, Part& piece) const {
    const Triangle t = b_.surface[triangle];
    double most = -1;
    std::size_t farthest = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double d = closest_point(piece.corners[i], t).distance;
      if (!(d > most)) continue;
      most = d;
      farthest = i;
    }
    if (!(most < piece.upper)) return;
    piece.upper = most;
    piece.near = triangle;
    piece.worst = farthest;
  }

  void add_piece(Part piece) {
    const auto& c = piece.corners;
    bound_by(piece.near, piece);
    if (!matters(piece.upper)) return;
    const Vec3 middle = (c[0] + c[1] + c[2]) * (1.0 / 3);
    const Near near = add_point(middle);
    bound_by(near.triangle, piece);
    if (!matters(piece.upper)) return;
    if (inside(middle, near, 0) && !meets_surface({c[0], c[1], c[2]})) return;
    bound_by(add_point(c[piece.worst]).triangle, piece);
    if (!matters(piece.upper)) return;
    if (piece.cuts < most_cuts)
      queue_.push(piece);
    else
      bounds_.put_aside(beyond(piece.upper));
  }

  const TriangleSet& a_;
  const SurfaceTarget& target_;
  const TriangleSet& b_;
  const Frame& frame_;
  HausdorffBounds& bounds_;
  HausdorffQueue<Part> queue_;
};

} // namespace

void search_surface(const TriangleSet& a, const SurfaceTarget& b, HausdorffBounds& bounds) {
  Search(a, b, bounds).run();
}

OneSidedHausdorff surface_hausdorff(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
                                    const HausdorffOptions& options) {
  OneSidedHausdorff result;
  if (a.tree.tree().empty()) return result;
  if (b.tree.tree().empty()) {
    result.value = result.lower_bound = result.upper_bound = INFINITY;
    return result;
  }
  const auto reach = [](const TreeFrame& f) { return max_abs(f.center) + f.unit; };
  const double size = reach(a.tree.frame()) + reach(b.tree.frame()) + max_abs(b_in_a.origin);
  if (!is_finite(b_in_a.origin) || !(size < INFINITY)) {
    result.status = Status::bad_input;
    return result;
  }
  HausdorffBounds bounds(options, surface_slack * size);
  search_surface(a, {b, false, 0, b_in_a, b_in_a}, bounds);
  return bounds.answer();
}

} // namespace carom
