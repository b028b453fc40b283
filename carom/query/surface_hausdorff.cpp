// The distance from a convex set is a convex function. So over a triangle, or over a box, the distance from any one triangle of B is greatest at a corner; and the distance from B is at most that. The triangle of B
// to ask is the one nearest to the middle of the part: then the bound is never above the usual one, the distance of the middle and the radius of the part, and mostly far below it: where the part
// lies across the way to B, the bound is too large by the square of its size, not by its size.
//
// Parts of A are the nodes of its tree, then its triangles, then halves of triangles, cut at the middle of their longest side. Points of A, which prove what is reached, are the middles of triangles and their
// worst corners. Before the tree of B is asked for a part, the triangle that served the part around it is tried.
//
// Rounding: the corners of A are taken to B's frame, and each cut rounds one point; the pieces cover the triangle only to within that. After `most_cuts` cuts that is about as many epsilons of the greatest
// coordinate; the point distances add some thirty, and the frames some ten.
#include "carom/query/surface_hausdorff.h"

#include "carom/geometry/closest_point.h"
#include "carom/math/tolerance.h"
#include "carom/tree/triangle_nearest.h"

#include <array>
#include <cmath>

namespace carom {
namespace {

constexpr int most_cuts = 100;
constexpr double slack_factor = 256 * tolerance::epsilon;

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

class Search {
public:
  Search(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
         const HausdorffOptions& options)
      : a_(a), b_(b), frame_(b_in_a), bounds_(options, slack_factor * reach()) {}

  [[nodiscard]] OneSidedHausdorff run() {
    const WideTree& tree = a_.tree.tree();
    add_point(frame_.to_local(a_.surface[tree.leaf(0)[0]].a));
    add_box(ChildRef::node(0), tree.nodes()[0].box(), INFINITY, 0);
    while (!queue_.empty() && bounds_.matters(queue_.greatest()) && bounds_.has_budget()) {
      const Part part = queue_.pop();
      if (part.is_piece)
        cut(part);
      else if (part.child.is_leaf())
        open_leaf(part);
      else
        open_node(part);
    }
    OneSidedHausdorff result = bounds_.answer(queue_.greatest());
    result.on_a = frame_.to_world(result.on_a);
    result.on_b = frame_.to_world(result.on_b);
    return result;
  }

private:
  /// The greatest coordinate there may be, in either frame.
  [[nodiscard]] double reach() const {
    const TreeFrame& fa = a_.tree.frame();
    const TreeFrame& fb = b_.tree.frame();
    return max_abs(fa.center) + fa.unit + max_abs(fb.center) + fb.unit + max_abs(frame_.origin);
  }

  [[nodiscard]] NearTriangle nearest(const Vec3& p, double at_most = INFINITY) const {
    return nearest_triangle(b_.tree, b_.surface, p, at_most);
  }

  // --- Nodes and leaves of A's tree.

  void open_node(const Part& part) {
    const WideNode& node = a_.tree.tree().nodes()[part.child.number()];
    for (int i = 0; i < node.count; ++i)
      add_box(node.child[i], node.box(i), part.upper, part.near);
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
    if (!bounds_.matters(upper)) return;
    const NearTriangle now = nearest(middle, before.distance);
    bounds_.add_other();
    if (now) {
      near = now.triangle;
      upper = std::fmin(upper, farthest(box, now.on.point));
      if (!bounds_.matters(upper)) return;
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

  /// Every other time along the prism over the triangle of B that gave the bound: what is left inside of it is bounded by that triangle as well as can be, what is outside, by its neighbours. Where A and B lie
  /// close to each other that saves cutting down to the size of the gap all along B's edges. The other times in halves, so that pieces become small whatever happens.
  void cut(const Part& part) {
    if (part.cuts % 2 != 0 || !cut_at_prism(part)) halve(part);
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
    std::array<double, 3> side{};
    for (std::size_t i = 0; i < 3; ++i) side[i] = dot(outward, part.corners[i] - from);
    // The corner that is alone on its side.
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      const bool alone = side[i] > 0 ? side[j] < 0 && side[k] < 0 : side[i] < 0 && side[j] > 0 && side[k] > 0;
      if (!alone) continue;
      const auto& c = part.corners;
      const Vec3 to_j = c[i] + (c[j] - c[i]) * (side[i] / (side[i] - side[j]));
      const Vec3 to_k = c[i] + (c[k] - c[i]) * (side[i] / (side[i] - side[k]));
      add_cut(part, c[i], to_j, to_k);
      add_cut(part, to_j, c[j], to_k);
      add_cut(part, c[j], c[k], to_k);
      return true;
    }
    return false;
  }

  /// A point of A; the triangle of B next to it.
  std::uint32_t add_point(const Vec3& p) {
    const NearTriangle now = nearest(p);
    bounds_.add(p, now.on.point, now.on.distance);
    return now.triangle;
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
    if (!bounds_.matters(piece.upper)) return;
    bound_by(add_point((c[0] + c[1] + c[2]) * (1.0 / 3)), piece);
    if (!bounds_.matters(piece.upper)) return;
    bound_by(add_point(c[piece.worst]), piece);
    if (!bounds_.matters(piece.upper)) return;
    if (piece.cuts < most_cuts)
      queue_.push(piece);
    else
      bounds_.put_aside(piece.upper);
  }

  const TriangleSet& a_;
  const TriangleSet& b_;
  const Frame& frame_;
  HausdorffBounds bounds_;
  HausdorffQueue<Part> queue_;
};

} // namespace

OneSidedHausdorff surface_hausdorff(const TriangleSet& a, const TriangleSet& b, const Frame& b_in_a,
                                    const HausdorffOptions& options) {
  OneSidedHausdorff result;
  if (a.tree.tree().empty()) return result;
  if (b.tree.tree().empty()) {
    result.value = result.lower_bound = result.upper_bound = INFINITY;
    return result;
  }
  Search search(a, b, b_in_a, options);
  return search.run();
}

} // namespace carom
