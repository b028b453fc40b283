// From the point, an ellipsoid grows until it meets the surface; there a plane is laid that touches it. The plane cuts off the triangle that was met, and others with it. The ellipsoid goes on growing until
// it meets a triangle that no plane has cut off, and so on until all are: the planes are the faces of the piece. (A plane that touches a convex body where it meets
// a triangle first has all of the triangle beyond it.) At first the ellipsoid is a ball, then it has the shape of the piece that came out, which makes that longer where there is room
// (Deits and Tedrake 2015, 'Computing large convex regions of obstacle-free space').
//
// A surface that is round and finely divided would need a plane for each of its triangles. So a plane may be laid a little farther in, by a part of its distance, where it
// cuts off many at once: as little as is needed to stay within the number of faces.
#include "carom/mesh/inner_growth.h"

#include "carom/geometry/closest_point.h"
#include "carom/geometry/plane.h"
#include "carom/math/eigen3.h"
#include "carom/math/tolerance.h"
#include "carom/mesh/mass_properties.h"
#include "carom/tree/triangle_winding.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom {
namespace {

constexpr double epsilon = tolerance::epsilon;
/// How far in planes are laid, as a part of their distance: the first that needs few enough planes is taken.
constexpr std::array slacks{0.0, 1.0 / 64, 1.0 / 32, 1.0 / 16, 1.0 / 8, 3.0 / 16, 1.0 / 4};

Aabb joined(const Aabb& a, const Aabb& b) { return {min(a.min, b.min), max(a.max, b.max)}; }

/// x = center + axes u: the ellipsoid |u| <= s for each s. The axes are at right angles.
struct Metric {
  Vec3 center;
  Mat3 directions;       ///< unit vectors
  Vec3 lengths{1, 1, 1}; ///< of the axes; the longest is 1

  [[nodiscard]] Vec3 to_round(const Vec3& x) const {
    const Vec3 y = transpose_mul(directions, x - center);
    return {y.x / lengths.x, y.y / lengths.y, y.z / lengths.z};
  }
  /// The direction of a plane in x that is at right angles to u in the round space.
  [[nodiscard]] Vec3 normal(const Vec3& u) const {
    return normalized(directions * Vec3{u.x / lengths.x, u.y / lengths.y, u.z / lengths.z});
  }
  [[nodiscard]] double shortest() const { return std::min({lengths.x, lengths.y, lengths.z}); }
};

/// What is met next: triangles in a ball, by a distance they are not nearer than, or one triangle, by its distance.
struct Event {
  enum Kind : std::uint32_t { block, leaf, triangle };
  double distance;
  Kind kind;
  std::uint32_t number;

  bool operator<(const Event& other) const { // the nearest first out of a heap
    if (distance != other.distance) return distance > other.distance;
    return kind != other.kind ? kind > other.kind : number > other.number;
  }
};

class Growth {
public:
  Growth(const InnerSpace& space, const Metric& metric, double slack, std::size_t most)
      : space_(space), metric_(metric), stretch_(1 / metric.shortest()), slack_(slack),
        most_(most) {}

  /// Whether every triangle could be cut off with planes enough.
  bool run() {
    for (std::uint32_t i = 0; i < space_.blocks().size(); ++i)
      add(Event::block, i, space_.blocks()[i]);
    while (!events_.empty()) {
      std::pop_heap(events_.begin(), events_.end());
      const Event event = events_.back();
      events_.pop_back();
      if (event.kind == Event::triangle) {
        if (!is_cut_off(event.number) && !add_plane(event.number)) return false;
      } else if (event.kind == Event::leaf) {
        if (!is_cut_off(space_.leaves()[event.number])) open_leaf(event.number);
      } else if (!is_cut_off(space_.blocks()[event.number])) {
        open_block(event.number);
      }
    }
    return true;
  }

  [[nodiscard]] std::span<const HalfSpace> planes() const { return planes_; }
  /// Not less than the error of normal . x for a unit normal and a corner, or a point among them.
  [[nodiscard]] double error(const Vec3& normal) const {
    return 4 * epsilon * dot(abs(normal), space_.reach());
  }

private:
  void add(Event::Kind kind, std::uint32_t number, const InnerSpace::Group& ball) {
    const double d = length(metric_.to_round(ball.center)) - stretch_ * ball.radius;
    events_.push_back({std::max(d, 0.0), kind, number});
    std::push_heap(events_.begin(), events_.end());
  }
  void open_block(std::uint32_t block) {
    const auto all = static_cast<std::uint32_t>(space_.leaves().size());
    const std::uint32_t begin = block * InnerSpace::leaves_a_block;
    for (std::uint32_t i = begin; i < std::min(begin + InnerSpace::leaves_a_block, all); ++i) {
      if (!is_cut_off(space_.leaves()[i])) add(Event::leaf, i, space_.leaves()[i]);
    }
  }
  void open_leaf(std::uint32_t leaf) {
    for (const std::uint32_t t : space_.tree().tree().leaf(leaf)) {
      if (t == WideTree::no_item) break;
      if (is_cut_off(t)) continue;
      events_.push_back({closest_point({}, in_round(t)).distance, Event::triangle, t});
      std::push_heap(events_.begin(), events_.end());
    }
  }
  [[nodiscard]] Triangle in_round(std::uint32_t t) const {
    const Triangle x = space_.surface()[t];
    return {metric_.to_round(x.a), metric_.to_round(x.b), metric_.to_round(x.c)};
  }
  [[nodiscard]] bool is_cut_off(std::uint32_t t) const {
    const Triangle x = space_.surface()[t];
    return std::any_of(surely_.begin(), surely_.end(), [&](const HalfSpace& h) {
      return dot(h.normal, x.a) >= h.offset && dot(h.normal, x.b) >= h.offset &&
             dot(h.normal, x.c) >= h.offset;
    });
  }
  [[nodiscard]] bool is_cut_off(const InnerSpace::Group& g) const {
    return std::any_of(surely_.begin(), surely_.end(), [&](const HalfSpace& h) {
      return dot(h.normal, g.center) - g.radius >= h.offset;
    });
  }
  bool add_plane(std::uint32_t t) {
    if (planes_.size() >= most_) return false;
    const Vec3 u = closest_point({}, in_round(t)).point;
    const Vec3 n = metric_.normal(u);
    const Triangle x = space_.surface()[t];
    const double at_center = dot(n, metric_.center);
    const double at_triangle = std::min({dot(n, x.a), dot(n, x.b), dot(n, x.c)});
    const double offset = at_triangle - slack_ * (at_triangle - at_center) - 4 * error(n);
    if (!(offset > at_center + 64 * error(n))) return false; // no room
    planes_.push_back({n, offset});
    surely_.push_back({n, offset + 2 * error(n)});
    return true;
  }

  const InnerSpace& space_;
  const Metric& metric_;
  double stretch_; ///< lengths grow by no more than this in the round space
  double slack_;
  std::size_t most_;
  std::vector<Event> events_;
  std::vector<HalfSpace> planes_;
  std::vector<HalfSpace> surely_; ///< what is beyond these, as computed, is beyond the planes
};

/// What is too small for a coordinate becomes 0.
Vec3 in_range(Vec3 p) {
  for (int k = 0; k < 3; ++k)
    if (std::fabs(p[k]) < tolerance::coordinate_min) p[k] = 0;
  return p;
}

/// Corners of the piece around `center`, which is behind all planes: seen from there, planes are points n / (d - n . center), and the faces of their hull are corners. `size` is a unit of length.
std::optional<ConvexHull> corners_of(std::span<const HalfSpace> planes, const Vec3& center,
                                     double margin, double size) {
  std::vector<Vec3> points;
  for (const HalfSpace& h : planes) {
    const double depth = h.offset - margin - dot(h.normal, center);
    if (!(depth > margin)) return std::nullopt;
    points.push_back(in_range(h.normal * (size / depth)));
  }
  const auto dual = convex_hull(points);
  if (!dual || dual->dimension != 3) return std::nullopt;
  std::vector<Vec3> corners;
  for (std::size_t f = 0; f < dual->face_count(); ++f) {
    const auto c = dual->corners(f);
    const Vec3& p = dual->vertices[c[0]];
    const Vec3 n = cross(dual->vertices[c[1]] - p, dual->vertices[c[2]] - p);
    const double offset = dot(n, p);
    if (!(offset > 0)) return std::nullopt; // it reaches to infinity
    corners.push_back(in_range(center + n * (size / offset)));
  }
  auto hull = convex_hull(corners);
  if (!hull || hull->dimension != 3) return std::nullopt;
  return std::move(*hull);
}

/// The corners where the planes meet, moved in until all are behind all planes for certain.
std::optional<ConvexHull> enclosed(const Growth& growth, const Vec3& center, const Vec3& reach) {
  const double size = std::max({reach.x, reach.y, reach.z});
  const auto behind = [&](const HalfSpace& h, std::span<const Vec3> corners) {
    const double most = h.offset - growth.error(h.normal);
    return std::all_of(corners.begin(), corners.end(),
                       [&](const Vec3& v) { return dot(h.normal, v) <= most; });
  };
  double margin = 16 * epsilon * size;
  for (int i = 0; i < 10; ++i, margin *= 8) {
    auto hull = corners_of(growth.planes(), center, margin, size);
    if (!hull) return std::nullopt;
    if (std::all_of(growth.planes().begin(), growth.planes().end(),
                    [&](const HalfSpace& h) { return behind(h, hull->vertices); }))
      return hull;
  }
  return std::nullopt;
}

/// `slack`: the first of the slacks to try, and then the one that it took.
std::optional<ConvexHull> grow(const InnerSpace& space, const Metric& metric,
                               const GrowthOptions& options, std::size_t& slack) {
  for (; slack < slacks.size(); ++slack) {
    Growth growth(space, metric, slacks[slack], options.most_faces);
    if (growth.run()) return enclosed(growth, metric.center, space.reach());
  }
  return std::nullopt;
}

/// The ellipsoid with the moments of the piece, around its centre.
Metric shape_of(const MassProperties& mass) {
  const Eigen3 axes = symmetric_eigen(mass.inertia);
  // Along an axis, the integral of its coordinate squared is half of the trace less the moment about it.
  const double half = (axes.values.x + axes.values.y + axes.values.z) / 2;
  Metric metric{mass.centroid, axes.vectors};
  for (int k = 0; k < 3; ++k) metric.lengths[k] = std::sqrt(std::max(half - axes.values[k], 0.0));
  const double longest = std::max({metric.lengths.x, metric.lengths.y, metric.lengths.z});
  // Not so thin that nothing can be said about it.
  for (int k = 0; k < 3; ++k) metric.lengths[k] = std::max(metric.lengths[k] / longest, 0x1p-6);
  return metric;
}

} // namespace

InnerSpace::InnerSpace(const TriangleTree& tree, const TriangleSurface& surface)
    : tree_(&tree), surface_(surface) {
  Vec3 low{INFINITY, INFINITY, INFINITY};
  Vec3 high = -low;
  const auto ball = [](const Aabb& box) {
    const Vec3 center = (box.min + box.max) * 0.5;
    return Group{center, length(box.max - center) * (1 + 4 * epsilon)};
  };
  const Aabb empty{low, high};
  Aabb block = empty;
  const auto leaves = static_cast<std::uint32_t>(tree.tree().leaf_count());
  for (std::uint32_t l = 0; l < leaves; ++l) {
    Aabb box = empty;
    for (const std::uint32_t t : tree.tree().leaf(l)) {
      if (t == WideTree::no_item) break;
      box = joined(box, bounds(surface[t]));
    }
    leaves_.push_back(ball(box));
    block = joined(block, box);
    if ((l + 1) % leaves_a_block != 0 && l + 1 != leaves) continue;
    blocks_.push_back(ball(block));
    low = min(low, block.min);
    high = max(high, block.max);
    block = empty;
  }
  if (leaves_.empty()) return;
  reach_ = max(abs(low), abs(high));
  diagonal_ = length(high - low);
}

std::optional<ConvexHull> grow_inside(const InnerSpace& space, const Vec3& point,
                                      const GrowthOptions& options) {
  if (space.leaves().empty() || !is_finite(point)) return std::nullopt;
  if (winding_around(space.tree(), space.surface(), point) < 1) return std::nullopt;
  std::size_t slack = 0;
  std::optional<ConvexHull> best = grow(space, {point, {}}, options, slack);
  if (!best) return std::nullopt;
  MassProperties mass = mass_properties(*best);
  for (int round = 1; round < options.rounds && mass.volume > 0; ++round) {
    std::optional<ConvexHull> next = grow(space, shape_of(mass), options, slack);
    if (!next) break;
    const MassProperties next_mass = mass_properties(*next);
    const double gain = next_mass.volume / mass.volume;
    if (gain > 1) {
      best = std::move(next);
      mass = next_mass;
    }
    if (!(gain > 1.02)) break;
  }
  // The centre of the piece is strictly in it; the solid is there, too.
  if (!(mass.volume > 0)) return std::nullopt;
  if (winding_around(space.tree(), space.surface(), mass.centroid) < 1) return std::nullopt;
  return best;
}

} // namespace carom
