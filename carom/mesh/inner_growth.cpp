// From the point, an ellipsoid grows until it meets the surface; there a plane is laid that touches it. The plane cuts off the triangle that was met, and others with it. The ellipsoid goes on growing until
// it meets a triangle that no plane has cut off, and so on until all are: the planes are the faces of the piece. (A plane that touches a convex body where it meets
// a triangle first has all of the triangle beyond it.) At first the ellipsoid is a ball, then it has the shape of the piece that came out, which makes that longer where there is room
// (Deits and Tedrake 2015, 'Computing large convex regions of obstacle-free space').
//
// A surface that is round and finely divided would need a plane for each of its triangles. So a plane may be laid a little farther in, by a part of its distance, where it
// cuts off many at once: as little as is needed to stay within the number of faces.
#include "carom/mesh/inner_growth.h"

#include "carom/geometry/closest_point.h"
#include "carom/math/eigen3.h"
#include "carom/math/tolerance.h"
#include "carom/mesh/half_space_intersection.h"
#include "carom/mesh/mass_properties.h"
#include "carom/tree/triangle_winding.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom {
namespace {

constexpr double epsilon = tolerance::epsilon;
/// How far in planes are laid, as a part of their distance: the first that needs few enough planes is taken.
constexpr std::array slacks{0.0, 1.0 / 64, 1.0 / 32, 1.0 / 16, 1.0 / 8, 1.0 / 4};

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

/// What is met next: a group of triangles, by a distance it is not nearer than, or one triangle, by its distance.
struct Event {
  double distance;
  std::uint32_t number;
  bool is_triangle;

  bool operator<(const Event& other) const { // the nearest first out of a heap
    if (distance != other.distance) return distance > other.distance;
    return number != other.number ? number > other.number : is_triangle < other.is_triangle;
  }
};

class Growth {
public:
  Growth(const InnerSpace& space, const Metric& metric, double slack, std::size_t most)
      : space_(space), metric_(metric), slack_(slack), most_(most) {}

  /// Whether every triangle could be cut off with planes enough.
  bool run() {
    std::vector<Event> events;
    events.reserve(space_.groups().size());
    const double stretch = 1 / metric_.shortest();
    for (std::uint32_t i = 0; const InnerSpace::Group& g : space_.groups()) {
      const double d = length(metric_.to_round(g.center)) - stretch * g.radius;
      events.push_back({std::max(d, 0.0), i++, false});
    }
    std::make_heap(events.begin(), events.end());
    while (!events.empty()) {
      std::pop_heap(events.begin(), events.end());
      const Event event = events.back();
      events.pop_back();
      if (event.is_triangle) {
        if (!is_cut_off(event.number) && !add_plane(event.number)) return false;
      } else if (!is_cut_off(space_.groups()[event.number])) {
        open(space_.groups()[event.number].leaf, events);
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
  void open(std::uint32_t leaf, std::vector<Event>& events) const {
    for (const std::uint32_t t : space_.tree().tree().leaf(leaf)) {
      if (t == WideTree::no_item) break;
      if (is_cut_off(t)) continue;
      events.push_back({closest_point({}, in_round(t)).distance, t, true});
      std::push_heap(events.begin(), events.end());
    }
  }
  [[nodiscard]] Triangle in_round(std::uint32_t t) const {
    const Triangle x = space_.surface()[t];
    return {metric_.to_round(x.a), metric_.to_round(x.b), metric_.to_round(x.c)};
  }
  [[nodiscard]] bool is_cut_off(std::uint32_t t) const {
    const Triangle x = space_.surface()[t];
    return std::any_of(planes_.begin(), planes_.end(), [&](const HalfSpace& h) {
      const double least =
          std::min({dot(h.normal, x.a), dot(h.normal, x.b), dot(h.normal, x.c)});
      return least - error(h.normal) >= h.offset;
    });
  }
  [[nodiscard]] bool is_cut_off(const InnerSpace::Group& g) const {
    return std::any_of(planes_.begin(), planes_.end(), [&](const HalfSpace& h) {
      return dot(h.normal, g.center) - g.radius - 2 * error(h.normal) >= h.offset;
    });
  }
  bool add_plane(std::uint32_t t) {
    if (planes_.size() >= most_) return false;
    const Vec3 u = closest_point({}, in_round(t)).point;
    const Vec3 n = metric_.normal(u);
    const Triangle x = space_.surface()[t];
    const double at_center = dot(n, metric_.center);
    const double at_triangle = std::min({dot(n, x.a), dot(n, x.b), dot(n, x.c)});
    const double offset = at_triangle - slack_ * (at_triangle - at_center) - 2 * error(n);
    if (!(offset > at_center + 64 * error(n))) return false; // no room
    planes_.push_back({n, offset});
    return true;
  }

  const InnerSpace& space_;
  const Metric& metric_;
  double slack_;
  std::size_t most_;
  std::vector<HalfSpace> planes_;
};

/// The corners where the planes meet, moved in until all are behind all planes for certain.
std::optional<ConvexHull> enclosed(const Growth& growth, const Vec3& reach) {
  const double size = std::max({reach.x, reach.y, reach.z});
  for (double margin = 64 * epsilon * size; margin < 0x1p-30 * size; margin *= 16) {
    std::vector<HalfSpace> planes(growth.planes().begin(), growth.planes().end());
    for (HalfSpace& h : planes) h.offset -= margin;
    auto meeting = intersect_half_spaces(planes);
    if (!meeting) return std::nullopt;
    const bool behind = std::all_of(
        growth.planes().begin(), growth.planes().end(), [&](const HalfSpace& h) {
          return std::all_of(meeting->hull.vertices.begin(), meeting->hull.vertices.end(),
                             [&](const Vec3& v) {
                               return dot(h.normal, v) + growth.error(h.normal) <= h.offset;
                             });
        });
    if (behind) return std::move(meeting->hull);
  }
  return std::nullopt;
}

std::optional<ConvexHull> grow(const InnerSpace& space, const Metric& metric,
                               const GrowthOptions& options) {
  for (const double slack : slacks) {
    Growth growth(space, metric, slack, options.most_faces);
    if (growth.run()) return enclosed(growth, space.reach());
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
  const auto leaves = static_cast<std::uint32_t>(tree.tree().leaf_count());
  groups_.reserve(leaves);
  for (std::uint32_t l = 0; l < leaves; ++l) {
    Aabb box{{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (const std::uint32_t t : tree.tree().leaf(l)) {
      if (t == WideTree::no_item) break;
      const Aabb one = bounds(surface[t]);
      box = {min(box.min, one.min), max(box.max, one.max)};
    }
    low = min(low, box.min);
    high = max(high, box.max);
    const Vec3 center = (box.min + box.max) * 0.5;
    groups_.push_back({center, length(box.max - center) * (1 + 4 * epsilon), l});
  }
  if (groups_.empty()) return;
  reach_ = max(abs(low), abs(high));
  diagonal_ = length(high - low);
}

std::optional<ConvexHull> grow_inside(const InnerSpace& space, const Vec3& point,
                                      const GrowthOptions& options) {
  if (space.groups().empty() || !is_finite(point)) return std::nullopt;
  if (winding_around(space.tree(), space.surface(), point) < 1) return std::nullopt;
  std::optional<ConvexHull> best = grow(space, {point, {}}, options);
  if (!best) return std::nullopt;
  MassProperties mass = mass_properties(*best);
  for (int round = 1; round < options.rounds && mass.volume > 0; ++round) {
    std::optional<ConvexHull> next = grow(space, shape_of(mass), options);
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
