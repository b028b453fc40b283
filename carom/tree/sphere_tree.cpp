// The three covers, and the tree over a cover.
//
// Pruning is a set cover: every small cube with surface in it has to be in one of the balls chosen, and each candidate ball (one about each such
// cube) covers those near it. Greedily, the ball that covers most of what is left comes next: of all simple rules the one with the best
// guarantee, ln(n) times the fewest. What a ball was going to cover only shrinks while others are chosen, so a queue by old counts, where the
// top is counted again before it is believed, finds the best. The cubes go to the first ball that covers them, and each ball is
// drawn in around its own.
#include "carom/tree/sphere_tree.h"

#include "carom/geometry/enclose.h"
#include "carom/geometry/merge.h"
#include "carom/geometry/minimum_sphere.h"
#include "carom/tree/sphere_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>

namespace carom {
namespace {

constexpr double epsilon = tolerance::epsilon;
/// Balls of a surface cover, at most: so many for each triangle.
constexpr double most_balls = 16;
/// No spacing is finer than this part of the length of the whole.
constexpr double finest = 0x1p-20;

Sphere ball_around(const Aabb& box) {
  std::array<Vec3, 8> corners;
  for (std::size_t i = 0; i < 8; ++i) corners[i] = box.corner(static_cast<int>(i));
  return {box.center(), enclose::radius(corners, box.center())};
}

/// What is to be covered, and how finely.
struct Surface {
  TriangleSurface mesh;
  UsableTriangles usable;
  Aabb bounds;
  double spacing = 0;

  Surface(const TriangleSurface& view, double wanted) : mesh(view), usable(view) {
    double area = 0;
    for (std::size_t i = 0; i < usable.numbers.size(); ++i) {
      bounds = merge(bounds, usable.boxes[i]);
      area += 0.5 * length(mesh[usable.numbers[i]].normal());
    }
    if (usable.numbers.empty()) return;
    const auto count = static_cast<double>(usable.numbers.size());
    const double length = 2 * max_abs(bounds.half());
    const double chosen = std::max(std::sqrt(area / count), length / count);
    spacing = std::max(wanted > 0 ? wanted : chosen, finest * length);
  }
};

/// A ball, and the triangles that it covers a part of.
struct Covering {
  Sphere ball;
  std::vector<std::uint32_t> triangles;
};

/// The smaller of the ball around two, and of one about the centre of the least ball around all centres below.
Sphere ball_over(const Sphere& children, std::span<const Covering> cover,
                 std::span<const std::uint32_t> below, std::vector<Vec3>& centers) {
  centers.clear();
  for (const std::uint32_t i : below) centers.push_back(cover[i].ball.center);
  Sphere direct{minimum_sphere(centers).sphere.center, 0};
  for (const std::uint32_t i : below) {
    const double reach = enclose::distance_above(direct.center, cover[i].ball.center);
    direct.radius = std::max(direct.radius, rounding::add(reach, cover[i].ball.radius).upper());
  }
  return direct.radius < children.radius ? direct : children;
}

VolumeTree<Sphere> tree_over(const Surface& surface, std::span<const Covering> cover,
                             VolumeTreeBuild how) {
  how.leaf_size = 1;
  std::vector<Aabb> boxes;
  for (const Covering& c : cover) {
    const Vec3 r = Vec3{1, 1, 1} * c.ball.radius;
    boxes.push_back({c.ball.center - r, c.ball.center + r});
  }
  const VolumeTopology topology = build_topology(boxes, how);
  VolumeTree<Sphere> tree{surface.mesh, {}, {}, surface.usable.extent};
  tree.nodes.resize(topology.nodes.size());
  std::vector<Vec3> scratch;
  for (std::size_t i = topology.nodes.size(); i-- > 0;) {
    const VolumeTopology::Node& from = topology.nodes[i];
    VolumeTree<Sphere>::Node& node = tree.nodes[i];
    const auto below = std::span(topology.order).subspan(from.first, from.count);
    if (!from.leaf()) {
      const Sphere both = merge(tree.nodes[from.child].volume, tree.nodes[from.child + 1].volume);
      node = {how.fit == NodeFit::children ? both : ball_over(both, cover, below, scratch),
              from.child, 0};
      continue;
    }
    const Covering& c = cover[below.front()];
    node = {c.ball, static_cast<std::uint32_t>(tree.triangles.size()),
            static_cast<std::uint32_t>(c.triangles.size())};
    tree.triangles.insert(tree.triangles.end(), c.triangles.begin(), c.triangles.end());
  }
  return tree;
}

VolumeTree<Sphere> octree(const Surface& surface, std::uint32_t leaf_size) {
  const SphereCellGrid grid(surface.bounds, surface.spacing);
  SphereCellTree cells =
      divide_cells(surface.mesh, surface.usable.numbers, grid, std::max(leaf_size, 1u));
  VolumeTree<Sphere> tree{surface.mesh, {}, std::move(cells.triangles), surface.usable.extent};
  for (const SphereCellTree::Node& cell : cells.nodes) {
    tree.nodes.push_back(
        {ball_around(cell.range.box(grid)), cell.child == 0 ? cell.first : cell.child, cell.count});
  }
  return tree;
}

/// A triangle under a grid of parallelograms: p + u (q - p) + v (r - p), with the longest edge from p to q cut in `along` parts and the way from
/// p to r in `across`.
struct TriangleGrid {
  Vec3 p, q, r;
  double along = 1, across = 1;

  TriangleGrid(const Triangle& t, double spacing) : p(t.a), q(t.b), r(t.c) {
    for (int turn = 0; turn < 2; ++turn) {
      const bool longest = distance_squared(p, q) >= distance_squared(q, r) &&
                           distance_squared(p, q) >= distance_squared(r, p);
      if (longest) break;
      const Vec3 first = p;
      p = q;
      q = r;
      r = first;
    }
    const double base = distance(p, q);
    const double height = base > 0 ? length(cross(q - p, r - p)) / base : 0;
    if (spacing > 0) {
      along = std::max(1.0, std::ceil(base / spacing));
      across = std::max(1.0, std::ceil(height / spacing));
    }
  }
  /// Half of the parallelograms, and those cut by the third edge.
  [[nodiscard]] double balls() const { return 0.5 * (along + 1) * (across + 1); }
  [[nodiscard]] Vec3 at(double u, double v) const { return p + (q - p) * u + (r - p) * v; }
};

/// The part of the parallelogram from (u0, v0) to (u1, v1) with u + v <= 1: its corners in space, at most five.
std::size_t clipped_corners(const TriangleGrid& grid, double u0, double v0, double u1, double v1,
                            std::array<Vec3, 8>& corners) {
  const std::array<std::array<double, 2>, 4> around = {{{u0, v0}, {u1, v0}, {u1, v1}, {u0, v1}}};
  std::size_t count = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto [u, v] = around[i];
    const auto [next_u, next_v] = around[(i + 1) % 4];
    const double here = 1 - u - v;
    const double next = 1 - next_u - next_v;
    if (here >= 0) corners[count++] = grid.at(u, v);
    if ((here > 0 && next < 0) || (here < 0 && next > 0)) {
      const double part = here / (here - next);
      corners[count++] = grid.at(u + (next_u - u) * part, v + (next_v - v) * part);
    }
  }
  return count;
}

std::vector<Covering> surface_cover(const Surface& surface) {
  const std::vector<std::uint32_t>& numbers = surface.usable.numbers;
  double spacing = surface.spacing;
  const auto total = [&] {
    double sum = 0;
    for (const std::uint32_t t : numbers) sum += TriangleGrid(surface.mesh[t], spacing).balls();
    return sum;
  };
  // Ends: with the spacing beyond the longest edge each triangle takes two at most.
  while (total() > most_balls * static_cast<double>(numbers.size())) spacing *= 1.5;
  const double margin = 16 * epsilon * surface.usable.extent;
  std::vector<Covering> cover;
  std::array<Vec3, 8> corners;
  for (const std::uint32_t t : numbers) {
    const TriangleGrid grid(surface.mesh[t], spacing);
    for (double i = 0; i < grid.along; ++i) {
      for (double j = 0; j < grid.across; ++j) {
        const double u = i / grid.along;
        const double v = j / grid.across;
        if (u + v >= 1) break;
        const std::size_t count =
            clipped_corners(grid, u, v, (i + 1) / grid.along, (j + 1) / grid.across, corners);
        Sphere ball = minimum_sphere(std::span(corners).first(count)).sphere;
        ball.radius += margin; // corners are rounded
        cover.push_back({ball, {t}});
      }
    }
  }
  return cover;
}

/// The smallest cubes with surface in them, in the order of their places, and which of them a ball about one covers.
class SurfaceCells {
public:
  SurfaceCells(const Surface& surface, double overshoot) : grid_(surface.bounds, surface.spacing) {
    const double diagonals = std::clamp(overshoot, 1.0, 8.0) * 0.5 * std::sqrt(3.0);
    radius_ = diagonals * grid_.side;
    reach_ = static_cast<std::uint32_t>(diagonals);
    SphereCellTree tree = divide_cells(surface.mesh, surface.usable.numbers, grid_, 0);
    triangles_ = std::move(tree.triangles);
    for (const SphereCellTree::Node& node : tree.nodes) {
      if (node.child == 0) cells_.push_back(node);
    }
    std::sort(cells_.begin(), cells_.end(),
              [](const SphereCellTree::Node& x, const SphereCellTree::Node& y) {
                return x.range.low < y.range.low;
              });
  }

  [[nodiscard]] std::size_t size() const { return cells_.size(); }
  [[nodiscard]] Aabb box(std::size_t i) const { return cells_[i].range.box(grid_); }
  [[nodiscard]] std::span<const std::uint32_t> triangles(std::size_t i) const {
    return std::span(triangles_).subspan(cells_[i].first, cells_[i].count);
  }
  /// Calls visit(j) for the cells all of whose corners are within the radius of the centre of cell i, and for i itself.
  template<class Visit>
  void each_covered(std::size_t i, Visit&& visit) const {
    const auto [x, y, z] = cells_[i].range.low;
    const Vec3 center = box(i).center();
    visit(i);
    for (std::uint32_t at_x = x - std::min(x, reach_); at_x <= x + reach_; ++at_x) {
      for (std::uint32_t at_y = y - std::min(y, reach_); at_y <= y + reach_; ++at_y) {
        for (std::size_t j = first_at({at_x, at_y, z - std::min(z, reach_)});
             j < cells_.size() && cells_[j].range.low <= std::array{at_x, at_y, z + reach_}; ++j) {
          const Aabb other = box(j);
          const Vec3 far = max(abs(other.min - center), abs(other.max - center));
          if (j != i && length_squared(far) <= radius_ * radius_) visit(j);
        }
      }
    }
  }

private:
  /// The first cell whose place is not before this one.
  [[nodiscard]] std::size_t first_at(const std::array<std::uint32_t, 3>& place) const {
    const auto before = [&](const SphereCellTree::Node& c) { return c.range.low < place; };
    return static_cast<std::size_t>(std::partition_point(cells_.begin(), cells_.end(), before) -
                                    cells_.begin());
  }
  SphereCellGrid grid_;
  std::vector<SphereCellTree::Node> cells_;
  std::vector<std::uint32_t> triangles_;
  double radius_ = 0;
  std::uint32_t reach_ = 0; // in cells
};

/// The ball around these cells, with what is in them.
Covering covering_of(const SurfaceCells& cells, std::span<const std::size_t> chosen) {
  Covering result;
  std::vector<Vec3> corners;
  for (const std::size_t i : chosen) {
    for (int k = 0; k < 8; ++k) corners.push_back(cells.box(i).corner(k));
    const auto own = cells.triangles(i);
    result.triangles.insert(result.triangles.end(), own.begin(), own.end());
  }
  std::sort(result.triangles.begin(), result.triangles.end());
  result.triangles.erase(std::unique(result.triangles.begin(), result.triangles.end()),
                         result.triangles.end());
  result.ball = minimum_sphere(corners).sphere;
  return result;
}

std::vector<Covering> pruned_cover(const Surface& surface, double overshoot) {
  struct Candidate {
    std::size_t count = 0, cell = 0;
    [[nodiscard]] bool operator<(const Candidate& c) const {
      return count != c.count ? count < c.count : cell > c.cell;
    }
  };
  const SurfaceCells cells(surface, overshoot);
  std::vector<char> done(cells.size(), 0);
  const auto left_for = [&](std::size_t i) {
    std::vector<std::size_t> left;
    cells.each_covered(i, [&](std::size_t j) {
      if (!done[j]) left.push_back(j);
    });
    return left;
  };
  std::priority_queue<Candidate> queue;
  for (std::size_t i = 0; i < cells.size(); ++i) queue.push({left_for(i).size(), i});
  std::vector<Covering> cover;
  while (!queue.empty()) {
    const Candidate top = queue.top();
    queue.pop();
    const std::vector<std::size_t> left = left_for(top.cell);
    if (left.empty()) continue;
    if (left.size() < top.count) {
      queue.push({left.size(), top.cell});
      continue;
    }
    for (const std::size_t j : left) done[j] = 1;
    cover.push_back(covering_of(cells, left));
  }
  return cover;
}

} // namespace

VolumeTree<Sphere> build_sphere_tree(const TriangleSurface& mesh, const SphereTreeBuild& how) {
  const Surface surface(mesh, how.spacing);
  if (surface.usable.numbers.empty()) return {mesh, {}, {}, 0};
  switch (how.cover) {
  case SphereCover::octree:
    break;
  case SphereCover::surface:
    return tree_over(surface, surface_cover(surface), how.tree);
  case SphereCover::pruned:
    return tree_over(surface, pruned_cover(surface, how.overshoot), how.tree);
  }
  return octree(surface, how.leaf_size);
}

} // namespace carom
