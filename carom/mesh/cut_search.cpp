// For each direction, the part is divided into slabs by all candidate planes at once. Each slab keeps its extreme points in a fixed set of directions; those of
// everything below or above a candidate are the best of the slabs on that side. So each point is looked at once a direction, not once a candidate.
#include "carom/mesh/cut_search.h"

#include "carom/geometry/covariance.h"
#include "carom/math/eigen3.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace carom {
namespace {

/// Half of the directions in which extreme points are kept: those to the points of a lattice on the surface of a cube of five a side. The other half is opposite.
constexpr std::size_t half_count = 49;
/// As many of the first of these make a coarse estimate: the axes and diagonals of the cube.
constexpr std::size_t coarse_count = 13;
constexpr std::size_t fine_planes = 5;    ///< a direction, of which the estimate is made with all
constexpr std::size_t even_planes = 12;   ///< a direction, at even distances
constexpr std::size_t reflex_planes = 16; ///< a direction, through reflex vertices
constexpr std::size_t reflex_normals = 4; ///< directions of faces at reflex edges
/// Of more polygons than this only every second, third ... is looked at: it is an estimate.
constexpr std::size_t enough_polygons = 8192;
/// How much uneven halves cost, as a part of their difference: enough to decide between cuts that gain alike.
constexpr double uneven_cost = 0.02;
/// What it is worth to cut along all of the reflex edges, as a part of the measure of both halves.
constexpr double reflex_worth = 0.2;

std::array<Vec3, half_count> lattice_directions() {
  std::array<Vec3, half_count> out;
  std::size_t coarse = 0;
  std::size_t fine = coarse_count;
  for (int x = -2; x <= 2; ++x) {
    for (int y = -2; y <= 2; ++y) {
      for (int z = -2; z <= 2; ++z) {
        const bool surface = std::abs(x) == 2 || std::abs(y) == 2 || std::abs(z) == 2;
        const bool first = x > 0 || (x == 0 && (y > 0 || (y == 0 && z > 0)));
        if (!surface || !first) continue;
        const bool diagonal = x % 2 == 0 && y % 2 == 0 && z % 2 == 0;
        out[diagonal ? coarse++ : fine++] = normalized(
            Vec3{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)});
      }
    }
  }
  return out;
}

/// The extreme points of a set.
struct Extremes {
  std::array<double, 2 * half_count> reach;
  std::array<Vec3, 2 * half_count> at;

  Extremes() { reach.fill(-std::numeric_limits<double>::infinity()); }
  [[nodiscard]] bool empty() const {
    return !(reach[0] > -std::numeric_limits<double>::infinity());
  }
  void add(const Vec3& p, const std::array<Vec3, half_count>& directions) {
    for (std::size_t i = 0; i < half_count; ++i) {
      const double d = dot(directions[i], p);
      if (d > reach[i]) {
        reach[i] = d;
        at[i] = p;
      }
      if (-d > reach[half_count + i]) {
        reach[half_count + i] = -d;
        at[half_count + i] = p;
      }
    }
  }
  void add(const Extremes& other) {
    for (std::size_t i = 0; i < reach.size(); ++i) {
      if (other.reach[i] > reach[i]) {
        reach[i] = other.reach[i];
        at[i] = other.at[i];
      }
    }
  }
  /// Of the hull of the extreme points in the first so many directions and their opposites. Infinite where there is none.
  [[nodiscard]] double measure(double padding, std::size_t directions) const {
    std::vector<Vec3> points;
    if (empty()) return std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < directions; ++i) {
      points.push_back(at[i]);
      points.push_back(at[half_count + i]);
    }
    const Result<ConvexHull> hull = convex_hull(points);
    return hull ? hull_measure(*hull, padding) : std::numeric_limits<double>::infinity();
  }
};

/// Candidates, ascending, none nearer to another than a little of the width.
std::vector<double> offsets_along(const CutMesh& mesh, std::span<const std::uint32_t> points,
                                  const ReflexEdges& reflex, const Vec3& direction) {
  struct Mark {
    double offset, weight;
  };
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  std::vector<Mark> marks;
  bool any_reflex = false;
  for (const std::uint32_t i : points) {
    const double d = dot(direction, mesh.point(i).at);
    low = std::fmin(low, d);
    high = std::fmax(high, d);
    if (i >= reflex.of_vertex.size()) continue;
    marks.push_back({d, reflex.of_vertex[i]});
    any_reflex = any_reflex || reflex.of_vertex[i] > 0;
  }
  // A flat sheet has no reflex edges, only corners.
  if (any_reflex) std::erase_if(marks, [](const Mark& m) { return m.weight == 0; });
  const double width = high - low;
  const double least = width * 1e-3;
  if (!(width > 16 * mesh.band())) return {};
  // Vertices at the same height, to within rounding, are one mark of their weights' sum.
  std::sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) {
    return a.offset < b.offset || (a.offset == b.offset && a.weight < b.weight);
  });
  std::vector<Mark> merged;
  for (const Mark& m : marks) {
    if (m.offset <= low + 4 * mesh.band() || m.offset >= high - 4 * mesh.band()) continue;
    if (!merged.empty() && m.offset - merged.back().offset <= mesh.band()) {
      merged.back().weight += m.weight;
    } else {
      merged.push_back(m);
    }
  }
  // The heaviest half, and an even choice of the others.
  std::vector<double> out;
  const auto clear = [&](double x) {
    return std::none_of(out.begin(), out.end(), [&](double y) { return std::fabs(x - y) < least; });
  };
  std::vector<Mark> heavy = merged;
  std::sort(heavy.begin(), heavy.end(), [](const Mark& a, const Mark& b) {
    return a.weight > b.weight || (a.weight == b.weight && a.offset < b.offset);
  });
  for (const Mark& m : heavy) {
    if (out.size() >= reflex_planes / 2) break;
    if (clear(m.offset)) out.push_back(m.offset);
  }
  const std::size_t others = reflex_planes - out.size();
  for (std::size_t i = 0; i < others && !merged.empty(); ++i) {
    const double x = merged[(2 * i + 1) * merged.size() / (2 * others)].offset;
    if (clear(x)) out.push_back(x);
  }
  for (std::size_t i = 1; i <= even_planes; ++i) {
    const double x = low + width * (static_cast<double>(i) / (even_planes + 1));
    if (clear(x)) out.push_back(x);
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// The part divided by planes at right angles to one direction.
class Slabs {
public:
  Slabs(const CutMesh& mesh, const CutPart& part, const Vec3& direction,
        std::span<const double> offsets, std::vector<std::uint32_t>& last_slab)
      : mesh_(mesh), direction_(direction), directions_(lattice_directions()), offsets_(offsets),
        slabs_(offsets.size() + 1), last_(last_slab) {
    last_.assign(mesh.point_count(), 0xffffffff);
    const std::size_t step = part.polygon_count() / enough_polygons + 1;
    for (std::size_t p = 0; p < part.polygon_count(); p += step) {
      add_polygon(part.polygon(p), mesh.normal(part.triangle[p]));
    }
    for (const std::uint32_t i : part.inner) {
      const std::size_t k = slab_of(dot(direction, mesh.point(i).at));
      add(k, i);
    }
  }

  /// The best candidates, with cost and bias. `along`: per candidate, the part of the reflex edges that it cuts along.
  [[nodiscard]] std::vector<RankedCut> best(double padding, std::span<const double> along) const {
    const std::size_t n = offsets_.size();
    std::vector<Extremes> below(n);
    std::vector<Extremes> above(n);
    for (std::size_t k = 0; k < n; ++k) {
      if (k > 0) below[k] = below[k - 1];
      below[k].add(slabs_[k]);
    }
    for (std::size_t k = n; k-- > 0;) {
      if (k + 1 < n) above[k] = above[k + 1];
      above[k].add(slabs_[k + 1]);
    }
    const auto cut = [&](std::size_t k, std::size_t directions) {
      const double low = below[k].measure(padding, directions);
      const double high = above[k].measure(padding, directions);
      RankedCut out{{direction_, offsets_[k]}, low + high, 0};
      if (!std::isfinite(out.cost)) return out;
      out.bias = uneven_cost * std::fabs(low - high) - reflex_worth * along[k] * out.cost;
      out.cost += out.bias;
      return out;
    };
    std::vector<std::pair<double, std::size_t>> coarse;
    for (std::size_t k = 0; k < n; ++k) coarse.emplace_back(cut(k, coarse_count).cost, k);
    std::sort(coarse.begin(), coarse.end());
    std::vector<RankedCut> cuts;
    for (const auto& [cost, k] : coarse) {
      if (cuts.size() == fine_planes || !std::isfinite(cost)) break;
      cuts.push_back(cut(k, half_count));
    }
    return cuts;
  }

private:
  [[nodiscard]] std::size_t slab_of(double x) const {
    return static_cast<std::size_t>(std::lower_bound(offsets_.begin(), offsets_.end(), x) -
                                    offsets_.begin());
  }
  void add(std::size_t slab, std::uint32_t point) {
    if (last_[point] == slab) return;
    last_[point] = static_cast<std::uint32_t>(slab);
    slabs_[slab].add(mesh_.point(point).at, directions_);
  }
  void add_polygon(std::span<const std::uint32_t> corners, const Vec3& normal) {
    value_.clear();
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const std::uint32_t c : corners) {
      value_.push_back(dot(direction_, mesh_.point(c).at));
      low = std::fmin(low, value_.back());
      high = std::fmax(high, value_.back());
    }
    // As a cut would do it: what does not leave the band of a plane is on one side.
    const auto first = static_cast<std::size_t>(
        std::upper_bound(offsets_.begin(), offsets_.end(), low + mesh_.band()) - offsets_.begin());
    const std::size_t last = slab_of(high - mesh_.band());
    if (first >= last) {
      const std::size_t slab = first == last ? first : dot(normal, direction_) < 0 ? first : last;
      for (const std::uint32_t c : corners) add(slab, c);
      return;
    }
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const std::size_t j = i + 1 == corners.size() ? 0 : i + 1;
      add(std::clamp(slab_of(value_[i] - mesh_.band()), first, last), corners[i]);
      add(std::clamp(slab_of(value_[i] + mesh_.band()), first, last), corners[i]);
      add_crossings(corners[i], corners[j], value_[i], value_[j]);
    }
  }
  void add_crossings(std::uint32_t a, std::uint32_t b, double at_a, double at_b) {
    if (at_a > at_b) {
      std::swap(a, b);
      std::swap(at_a, at_b);
    }
    for (std::size_t k = slab_of(at_a + mesh_.band());
         k < offsets_.size() && offsets_[k] < at_b - mesh_.band(); ++k) {
      const Vec3 p =
          lerp(mesh_.point(a).at, mesh_.point(b).at, (offsets_[k] - at_a) / (at_b - at_a));
      slabs_[k].add(p, directions_);
      slabs_[k + 1].add(p, directions_);
    }
  }

  const CutMesh& mesh_;
  Vec3 direction_;
  std::array<Vec3, half_count> directions_;
  std::span<const double> offsets_;
  std::vector<Extremes> slabs_;
  std::vector<std::uint32_t>& last_; ///< per point: the slab that it was added to last
  std::vector<double> value_;
};

/// The normals that most reflex edges have beside them, sorted into cells of a cube.
std::vector<Vec3> reflex_directions(const CutMesh& mesh, const CutPart& part,
                                    const ReflexEdges& reflex) {
  constexpr std::size_t cells = 16;
  constexpr double half = 8;
  struct Cell {
    double weight = 0, heaviest = 0;
    Vec3 normal;
  };
  std::vector<Cell> grid(3 * cells * cells);
  for (const std::uint32_t t : part.triangle) {
    const double weight = reflex.of_triangle[t];
    Vec3 n = mesh.normal(t);
    if (!(weight > 0) || n == Vec3{}) continue;
    const int axis = largest_axis(n);
    if (n[axis] < 0) n = -n;
    const auto cell = [&](double x) {
      return std::min(cells - 1, static_cast<std::size_t>((x / n[axis] + 1) * half));
    };
    const std::size_t row = static_cast<std::size_t>(axis) * cells + cell(n[(axis + 1) % 3]);
    Cell& c = grid[row * cells + cell(n[(axis + 2) % 3])];
    c.weight += weight;
    if (weight > c.heaviest) {
      c.heaviest = weight;
      c.normal = n;
    }
  }
  std::stable_sort(grid.begin(), grid.end(),
                   [](const Cell& a, const Cell& b) { return a.weight > b.weight; });
  std::vector<Vec3> out;
  for (const Cell& c : grid) {
    if (out.size() == reflex_normals || c.weight == 0) break;
    out.push_back(c.normal);
  }
  return out;
}

/// The reflex edges with both ends in a part.
std::vector<ReflexEdges::Edge> edges_of(std::span<const std::uint32_t> points,
                                        const ReflexEdges& reflex) {
  std::vector<bool> here(reflex.of_vertex.size());
  for (const std::uint32_t i : points) {
    if (i < here.size()) here[i] = true;
  }
  std::vector<ReflexEdges::Edge> out;
  for (const ReflexEdges::Edge& e : reflex.edges) {
    if (here[e.a] && here[e.b]) out.push_back(e);
  }
  return out;
}

/// Per candidate plane: the part of all reflex edges that lies in it.
std::vector<double> cut_along(const CutMesh& mesh, std::span<const ReflexEdges::Edge> edges,
                              const Vec3& direction, std::span<const double> offsets) {
  std::vector<double> along(offsets.size());
  double all = 0;
  for (const ReflexEdges::Edge& e : edges) {
    all += e.weight;
    const double a = dot(direction, mesh.point(e.a).at);
    const double b = dot(direction, mesh.point(e.b).at);
    const auto k = static_cast<std::size_t>(
        std::lower_bound(offsets.begin(), offsets.end(), a - mesh.band()) - offsets.begin());
    if (k < offsets.size() && std::fabs(a - offsets[k]) <= mesh.band() &&
        std::fabs(b - offsets[k]) <= mesh.band()) {
      along[k] += e.weight;
    }
  }
  for (double& x : along) x = all > 0 ? x / all : 0;
  return along;
}

std::vector<Vec3> cut_directions(const CutMesh& mesh, const CutPart& part,
                                 std::span<const std::uint32_t> points, const ReflexEdges& reflex) {
  std::vector<Vec3> out = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  // Directions that are nearly one taken before gain nothing, and their planes would meet far away.
  const auto add = [&](const Vec3& n) {
    for (const Vec3& d : out) {
      if (std::fabs(dot(d, n)) > 0.999) return;
    }
    out.push_back(n);
  };
  for (const Vec3& n : reflex_directions(mesh, part, reflex)) add(n);
  std::vector<Vec3> at;
  at.reserve(points.size());
  for (const std::uint32_t i : points) at.push_back(mesh.point(i).at);
  const Eigen3 axes = symmetric_eigen(point_covariance(at).covariance);
  for (int k = 0; k < 3; ++k) add(axes.vectors[k]);
  return out;
}

} // namespace

double hull_measure(const ConvexHull& hull, double padding) {
  double volume = 0;
  double area = 0;
  if (hull.vertices.empty()) return 0;
  const Vec3 origin = hull.vertices[0];
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const auto corners = hull.corners(f);
    const Vec3 a = hull.vertices[corners[0]] - origin;
    for (std::size_t i = 2; i < corners.size(); ++i) {
      const Vec3 b = hull.vertices[corners[i - 1]] - origin;
      const Vec3 c = hull.vertices[corners[i]] - origin;
      volume += triple(a, b, c);
      area += length(cross(b - a, c - a));
    }
  }
  return volume / 6 + padding * area / 2;
}

std::vector<RankedCut> rank_cuts(const CutMesh& mesh, const CutPart& part,
                                 const ReflexEdges& reflex, double padding, std::size_t count) {
  const std::vector<std::uint32_t> points = mesh.points_of(part);
  std::vector<RankedCut> cuts;
  std::vector<std::uint32_t> last_slab;
  const std::vector<ReflexEdges::Edge> edges = edges_of(points, reflex);
  for (const Vec3& direction : cut_directions(mesh, part, points, reflex)) {
    const std::vector<double> offsets = offsets_along(mesh, points, reflex, direction);
    if (offsets.empty()) continue;
    const Slabs slabs(mesh, part, direction, offsets, last_slab);
    for (const RankedCut& cut : slabs.best(padding, cut_along(mesh, edges, direction, offsets))) {
      if (std::isfinite(cut.cost)) cuts.push_back(cut);
    }
  }
  // Stable: of equals the first direction, the coordinate axes before others.
  std::stable_sort(cuts.begin(), cuts.end(),
                   [](const RankedCut& a, const RankedCut& b) { return a.cost < b.cost; });
  if (cuts.size() > count) cuts.resize(count);
  return cuts;
}

} // namespace carom
