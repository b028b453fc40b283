// Kept vertices are more than epsilon apart, so that a cell of about that side has room for a handful of them, however many vertices fall into it.
// Each vertex is compared with the kept ones of its own cell and the 26 around it only. The cells that occur are sorted, and found
// by bisection: no hashing, and no memory for empty ones.
#include "carom/mesh/weld.h"

#include "carom/math/tolerance.h"
#include "carom/mesh/mesh_check.h"
#include "carom/mesh/mesh_duplicates.h"
#include "carom/mesh/mesh_rebuild.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace carom {
namespace {

using Cell = std::array<std::int64_t, 3>;

constexpr std::uint32_t none = 0xffffffff;

bool lower(const Vec3& a, const Vec3& b) {
  if (a.x != b.x) return a.x < b.x;
  return a.y != b.y ? a.y < b.y : a.z < b.z;
}

/// A grid of cells with what has been kept in each: a list, threaded through `next`.
class Grid {
public:
  Grid(std::span<const Vec3> points, std::span<const std::uint32_t> chosen, double reach)
      : points_(points), side_(1.5 * reach), next_(points.size(), none) {
    cells_.reserve(chosen.size());
    for (const std::uint32_t i : chosen) cells_.push_back(cell_of(points[i]));
    std::sort(cells_.begin(), cells_.end());
    cells_.erase(std::unique(cells_.begin(), cells_.end()), cells_.end());
    head_.assign(cells_.size(), none);
  }

  void keep(std::uint32_t i) {
    const std::size_t cell = find(cell_of(points_[i]));
    next_[i] = head_[cell];
    head_[cell] = i;
  }

  /// The nearest kept point within reach, the lowest by coordinates of equally near ones; or none.
  [[nodiscard]] std::uint32_t nearest(const Vec3& p, double reach) const {
    std::uint32_t best = none;
    double best_square = reach * reach;
    const Cell middle = cell_of(p);
    // Cells that differ in z stand together once sorted: nine searches for the 27.
    for (int k = 0; k < 9; ++k) {
      const Cell first = {middle[0] + k / 3 - 1, middle[1] + k % 3 - 1, middle[2] - 1};
      for (std::size_t c = find(first); c < cells_.size() && within(cells_[c], first); ++c) {
        for (std::uint32_t i = head_[c]; i != none; i = next_[i]) {
          const double square = distance_squared(points_[i], p);
          if (square > best_square) continue;
          if (best != none && square == best_square && !lower(points_[i], points_[best])) continue;
          best = i;
          best_square = square;
        }
      }
    }
    return best;
  }

private:
  // The reach is at least 2^-50 of every coordinate. So quotients are below 2^50 / 1.5, off by at most 1/12 when rounded, and those of points within
  // reach differ by at most 1/1.5 + 2/12 < 1: their cells are the same or neighbours.
  [[nodiscard]] Cell cell_of(const Vec3& p) const {
    const auto along = [&](double x) { return static_cast<std::int64_t>(std::floor(x / side_)); };
    return {along(p.x), along(p.y), along(p.z)};
  }
  /// The first cell not before this one.
  [[nodiscard]] std::size_t find(const Cell& cell) const {
    return static_cast<std::size_t>(std::lower_bound(cells_.begin(), cells_.end(), cell) -
                                    cells_.begin());
  }
  [[nodiscard]] static bool within(const Cell& cell, const Cell& first) {
    return cell[0] == first[0] && cell[1] == first[1] && cell[2] <= first[2] + 2;
  }

  std::span<const Vec3> points_;
  double side_;
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> head_; ///< per cell
  std::vector<std::uint32_t> next_; ///< per point
};

Result<void> check_epsilon(std::span<const Vec3> vertices, double epsilon) {
  if (!(epsilon >= 0 && epsilon <= tolerance::coordinate_max)) {
    return failure(ErrorCode::out_of_range,
                   "the welding distance must be a length of 0 or more, and at most 1e30");
  }
  double size = 0;
  for (const Vec3& v : vertices) size = std::max(size, max_abs(v));
  if (epsilon != 0 && epsilon < 0x1p-50 * size) {
    return failure(
        ErrorCode::out_of_range,
        "the welding distance is below the rounding of the coordinates: use 0 for vertices "
        "that are exactly equal, or at least 1e-15 of the greatest coordinate");
  }
  return {};
}

/// A face's corners once welded: equal neighbours become one, and a spike (a, b, a) becomes a. Both can uncover more of their kind, at the seam
/// of the cycle too.
void reduce_cycle(std::vector<std::uint32_t>& cycle) {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t c : cycle) {
    if (!out.empty() && out.back() == c) continue;
    if (out.size() >= 2 && out[out.size() - 2] == c) {
      out.pop_back();
      continue;
    }
    out.push_back(c);
  }
  std::size_t begin = 0;
  std::size_t end = out.size();
  // At the seam: equal ends, then spikes at the last corner and at the first. What a spike leaves are equal ends.
  while (end - begin >= 2) {
    if (out[begin] == out[end - 1] || (end - begin >= 3 && out[begin] == out[end - 2])) {
      --end;
    } else if (end - begin >= 3 && out[begin + 1] == out[end - 1]) {
      ++begin;
    } else {
      break;
    }
  }
  cycle.assign(out.begin() + static_cast<std::ptrdiff_t>(begin),
               out.begin() + static_cast<std::ptrdiff_t>(end));
}

} // namespace

Result<Welding> weld_vertices(std::span<const Vec3> vertices, double epsilon,
                              std::span<const std::uint32_t> chosen) {
  if (const auto range = check_coordinates({vertices, {}, {}}); !range) {
    return tl::unexpected(range.error());
  }
  if (const auto fit = check_epsilon(vertices, epsilon); !fit) return tl::unexpected(fit.error());
  Welding welding;
  welding.kept.resize(vertices.size());
  std::iota(welding.kept.begin(), welding.kept.end(), std::uint32_t{0});
  std::vector<std::uint32_t> order(chosen.begin(), chosen.end());
  std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
    return vertices[i] == vertices[j] ? i < j : lower(vertices[i], vertices[j]);
  });
  // With epsilon 0 only equal ones are within reach, and those stand together: no cells.
  const std::span<const std::uint32_t> in_grid = order;
  Grid grid(vertices, in_grid.first(epsilon > 0 ? order.size() : 0), epsilon);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::uint32_t i = order[k];
    const bool again = k > 0 && vertices[order[k - 1]] == vertices[i];
    const std::uint32_t to = again         ? welding.kept[order[k - 1]]
                             : epsilon > 0 ? grid.nearest(vertices[i], epsilon)
                                           : none;
    if (to == none) {
      if (epsilon > 0) grid.keep(i);
      continue;
    }
    welding.kept[i] = to;
    welding.greatest_move = std::max(welding.greatest_move, distance(vertices[i], vertices[to]));
    ++welding.merged;
  }
  return welding;
}

Result<Welding> weld_vertices(std::span<const Vec3> vertices, double epsilon) {
  std::vector<std::uint32_t> all(vertices.size());
  std::iota(all.begin(), all.end(), std::uint32_t{0});
  return weld_vertices(vertices, epsilon, all);
}

WeldedMesh apply_welding(const PolygonMesh& mesh, const Welding& welding) {
  WeldedMesh welded;
  welded.merged_vertices = welding.merged;
  welded.greatest_move = welding.greatest_move;
  // Numbers in the order of the lowest vertex that goes to each.
  std::vector<std::uint32_t> number(mesh.vertices.size(), none);
  std::vector<Vec3> vertices;
  for (const std::uint32_t kept : welding.kept) {
    if (number[kept] == none) {
      number[kept] = static_cast<std::uint32_t>(vertices.size());
      vertices.push_back(mesh.vertices[kept]);
    }
    welded.vertex_of.push_back(number[kept]);
  }
  MeshRebuild rebuild(mesh);
  std::vector<std::uint32_t> cycle;
  for (std::uint32_t f = 0; f < mesh.face_count(); ++f) {
    cycle.clear();
    for (const std::uint32_t c : mesh.face(f)) cycle.push_back(welded.vertex_of[c]);
    reduce_cycle(cycle);
    if (cycle.size() < 3) { // three corners or more without spikes are at least three vertices
      ++welded.dropped_faces;
      continue;
    }
    welded.dropped_corners += mesh.face(f).size() - cycle.size();
    rebuild.add(cycle, f);
  }
  welded.face_of = rebuild.origins();
  welded.mesh = std::move(rebuild).finish();
  welded.mesh.vertices = std::move(vertices);
  return welded;
}

Result<WeldedMesh> weld(const PolygonMesh& mesh, double epsilon) {
  if (const Result<void> fit = check_indices(mesh); !fit) return tl::unexpected(fit.error());
  const Result<Welding> welding = weld_vertices(mesh.vertices, epsilon);
  if (!welding) return tl::unexpected(welding.error());
  return apply_welding(mesh, *welding);
}

} // namespace carom
