// A polytope inside the set grows by the support points of its own facets' normals.
//
// Seen from a point c inside, the part of the set beyond a facet f stands in the cone over f, between its plane, at distance d from c, and
// the parallel plane that supports the set, at h. So the volume in the cone is between v and v (h / d)^3, where v is that of the cone up to f:
// a lower and an upper bound for the price of one support call a facet. That call also gives the point that improves it most. Facets are
// refined, worst first, until the bounds are close. Nothing depends on the set's proportions: a needle gets its points where its
// facets are poor.
//
// The answer is taken between the bounds: where the surface is smooth it rises above a small facet as a paraboloid does, three quarters of the height
// on average. So each cone is stretched by that much, which makes the moments an order better than either polytope's.
//
// All is done in a frame of size about 1 around a point of the set, so that products cannot vanish.
#include "carom/mesh/support_moments.h"

#include "carom/geometry/triangle_normal.h"
#include "carom/math/tolerance.h"
#include "carom/math/trig.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace carom {
namespace {

constexpr std::size_t most_points = 50'000;
constexpr int most_rounds = 40;
/// Thinner than this, relative to the size, is the rounding of a flat set's support points.
constexpr double flatness = 0x1p-46;
/// The mean height of a paraboloid over a triangle that its corners lie on, as a part of the greatest.
constexpr double mean_height = 0.75;

/// The set moved and scaled by a power of 2 to a size between 1/2 and 2 around the origin.
class Sampler {
public:
  explicit Sampler(const std::function<Vec3(const Vec3&)>& support) : support_(support) {
    Vec3 low;
    Vec3 high;
    for (int i = 0; i < 3; ++i) {
      low[i] = support_(-unit_axis(i))[i];
      high[i] = support_(unit_axis(i))[i];
    }
    origin_ = low * 0.5 + high * 0.5;
    const double size = max_abs(high * 0.5 - low * 0.5);
    valid_ = is_finite(origin_) && max_abs(low) <= 4 * tolerance::coordinate_max &&
             max_abs(high) <= 4 * tolerance::coordinate_max;
    if (valid_ && size > 0) exponent_ = std::ilogb(size);
  }
  /// The support point in the scaled frame. What vanishes beside the size is 0: no coordinate is too small for the hull.
  Vec3 operator()(const Vec3& direction) {
    const Vec3 p = support_(direction) - origin_;
    Vec3 q;
    for (int i = 0; i < 3; ++i) {
      q[i] = std::ldexp(p[i], -exponent_);
      if (std::fabs(q[i]) < 0x1p-80) q[i] = 0;
    }
    // Points far beyond the extent along the axes cannot be of the same set.
    if (!(max_abs(q) <= 16)) valid_ = false;
    return valid_ ? q : Vec3{};
  }
  [[nodiscard]] bool valid() const { return valid_; }
  [[nodiscard]] Moments unscaled(const Moments& m) const {
    const double f = std::ldexp(1.0, exponent_);
    return moved(scaled(m, {f, f, f}), origin_);
  }

private:
  const std::function<Vec3(const Vec3&)>& support_;
  Vec3 origin_;
  int exponent_ = 0;
  bool valid_ = false;
};

Moments cone_over(const Vec3& a, const Vec3& b, const Vec3& c, double volume) {
  const Vec3 centroid = (a + b + c) * 0.25;
  Mat3 second = outer(centroid, centroid);
  for (const Vec3& p : {a, b, c}) second = second + outer(p - centroid, p - centroid);
  return {volume, centroid, second * (volume / 20)};
}

/// What is known of the part of the set over one facet.
struct Facet {
  Vec3 beyond; ///< the farthest point of the set in the direction of its normal
  double inner = 0, outer = 0;
};

struct Enclosure {
  std::vector<Facet> facets;
  Moments moments; ///< of the solid in between
  double inner = 0, outer = 0;
  double area = 0;    ///< of the inner polytope
  Vec3 area_centroid; ///< of its surface
};

Vec3 unit_normal(const ConvexHull& hull, std::size_t f) {
  const auto corners = hull.corners(f);
  const auto at = [&](std::size_t i) { return hull.vertices[corners[i]]; };
  return normalized(triangle_normal(at(0), at(1), at(2)));
}

/// Adds facet f of the hull, seen from c.
void enclose(const ConvexHull& hull, std::size_t f, const Vec3& c, Sampler& set,
             Enclosure& result) {
  const auto corners = hull.corners(f);
  const Vec3 normal = unit_normal(hull, f);
  Facet facet;
  facet.beyond = set(normal);
  double near = INFINITY;
  double far = dot(normal, facet.beyond - c);
  for (const std::uint32_t v : corners) {
    const double d = dot(normal, hull.vertices[v] - c);
    near = std::min(near, d);
    far = std::max(far, d);
  }
  const double stretch = near > 0 ? far / near : INFINITY;
  const double s = std::isfinite(stretch) ? 1 + mean_height * (stretch - 1) : 1;
  const Vec3 first = hull.vertices[corners[0]];
  for (std::size_t i = 2; i < corners.size(); ++i) {
    const Vec3 p = hull.vertices[corners[i - 1]];
    const Vec3 q = hull.vertices[corners[i]];
    const Vec3 twice_area = triangle_normal(first, p, q);
    const double volume = std::max(0.0, dot(twice_area, first - c)) / 6;
    facet.inner += volume;
    result.moments =
        result.moments + cone_over((first - c) * s, (p - c) * s, (q - c) * s, volume * (s * s * s));
    const double area = length(twice_area) / 2;
    result.area += area;
    result.area_centroid += ((first - c) + (p - c) + (q - c)) * (area / 3);
  }
  facet.outer = facet.inner * (stretch * stretch * stretch);
  if (!(facet.outer < INFINITY)) facet.outer = facet.inner > 0 ? INFINITY : 0;
  result.inner += facet.inner;
  result.outer += facet.outer;
  result.facets.push_back(facet);
}

Enclosure enclose(const ConvexHull& hull, Sampler& set) {
  Vec3 c;
  for (const Vec3& v : hull.vertices) c += v / static_cast<double>(hull.vertices.size());
  Enclosure result;
  result.facets.reserve(hull.face_count());
  for (std::size_t f = 0; f < hull.face_count(); ++f) enclose(hull, f, c, set, result);
  result.moments.centroid += c;
  result.area_centroid = result.area > 0 ? c + result.area_centroid / result.area : c;
  return result;
}

/// Adds the points beyond the facets with the widest bounds: as many as it takes if the width falls as one over the number of points,
/// which it does on a smooth surface.
void refine(const Enclosure& e, double wanted_width, std::vector<Vec3>& points) {
  std::vector<std::size_t> order(e.facets.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto width = [&](std::size_t i) { return e.facets[i].outer - e.facets[i].inner; };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return width(a) != width(b) ? width(a) > width(b) : a < b;
  });
  const double growth = std::min(4.0, 1.1 * (e.outer - e.inner) / wanted_width - 1);
  const double wanted = std::max(16.0, growth * static_cast<double>(points.size()));
  const auto count = std::min({order.size(), static_cast<std::size_t>(wanted),
                               most_points - std::min(most_points, points.size())});
  for (std::size_t i = 0; i < count && width(order[i]) > 0; ++i) {
    points.push_back(e.facets[order[i]].beyond);
  }
}

/// The corners, edges' and faces' middles of a cube as directions.
std::vector<Vec3> first_points(Sampler& set) {
  std::vector<Vec3> points;
  for (int x = -1; x <= 1; ++x) {
    for (int y = -1; y <= 1; ++y) {
      for (int z = -1; z <= 1; ++z) {
        const Vec3 d{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
        if (d != Vec3{}) points.push_back(set(d));
      }
    }
  }
  return points;
}

/// A hull that is flat but for rounding, as its plane, or its line.
struct FlatHull {
  Vec3 normal; ///< zero where it is a segment or a point
  Vec3 along;  ///< from end to end, where it is a segment
};
FlatHull flattened(const ConvexHull& hull) {
  Vec3 low = hull.vertices[0];
  Vec3 high = low;
  for (const Vec3& v : hull.vertices) {
    low = min(low, v);
    high = max(high, v);
  }
  Vec3 normal;
  for (std::size_t f = 0; f < hull.face_count() && hull.dimension > 1; ++f) {
    const auto c = hull.corners(f);
    for (std::size_t i = 2; i < c.size(); ++i) {
      const Vec3 n =
          triangle_normal(hull.vertices[c[0]], hull.vertices[c[i - 1]], hull.vertices[c[i]]);
      if (length_squared(n) > length_squared(normal)) normal = n;
    }
  }
  if (length(normal) > flatness * distance_squared(low, high)) return {normalized(normal), {}};
  const int axis = largest_axis(high - low);
  Vec3 first = hull.vertices[0];
  Vec3 last = first;
  for (const Vec3& v : hull.vertices) {
    if (v[axis] < first[axis]) first = v;
    if (v[axis] > last[axis]) last = v;
  }
  return {{}, last - first};
}

/// Points on both sides of a flat hull, so that it has an inside if the set has.
void leave_plane(const FlatHull& flat, Sampler& set, std::vector<Vec3>& points) {
  const auto add = [&](const Vec3& d) {
    points.push_back(set(d));
    points.push_back(set(-d));
  };
  if (flat.normal != Vec3{}) return add(flat.normal);
  const Vec3 side = perpendicular(flat.along);
  add(side);
  add(normalized_or(cross(flat.along, side), {0, 0, 1}));
}

/// The set is flat: the centroid of its area, from many points of its border, or the middle of its length.
Vec3 flat_centroid(const FlatHull& flat, Sampler& set, std::vector<Vec3> points) {
  if (flat.normal == Vec3{}) {
    const Vec3 along = unit_axis(largest_axis(flat.along));
    return set(along) * 0.5 + set(-along) * 0.5;
  }
  const Vec3 u = perpendicular(flat.normal);
  const Vec3 v = normalized(cross(flat.normal, u));
  constexpr int directions = 1024;
  for (int i = 0; i < directions; ++i) {
    const SinCos t = sin_cos(two_pi * i / directions);
    points.push_back(set(u * t.cos + v * t.sin));
  }
  const Result<ConvexHull> full = convex_hull(points);
  return full ? enclose(*full, set).area_centroid : points[0];
}

} // namespace

BoundedMoments support_moments(const std::function<Vec3(const Vec3&)>& support, double accuracy) {
  const BoundedMoments failed{{}, std::numeric_limits<double>::infinity()};
  Sampler set(support);
  std::vector<Vec3> points = first_points(set);
  for (int round = 0;; ++round) {
    Result<ConvexHull> hull = set.valid() ? convex_hull(points) : Result<ConvexHull>{};
    if (!set.valid() || !hull) return failed;
    const Enclosure e = hull->dimension == 3 ? enclose(*hull, set) : Enclosure{};
    if (!(e.inner > flatness * e.area)) {
      const FlatHull flat = flattened(*hull);
      if (round < 3) {
        leave_plane(flat, set, points);
        continue;
      }
      const Vec3 centroid = flat_centroid(flat, set, std::move(points));
      return set.valid() ? BoundedMoments{set.unscaled({0, centroid, Mat3::zero()}), 0} : failed;
    }
    // Each support point may be off by a few roundings of its coordinates: of the size here, and a thin layer all around.
    const double rounding = 64 * tolerance::epsilon * (1 + e.area / e.inner);
    const double volume = e.moments.volume;
    const double error = std::max(volume - e.inner, e.outer - volume) / e.inner + rounding;
    if (error <= accuracy || round == most_rounds || points.size() >= most_points) {
      return set.valid() ? BoundedMoments{set.unscaled(e.moments), error} : failed;
    }
    const std::size_t before = points.size();
    refine(e, accuracy / mean_height * e.inner, points);
    if (points.size() == before) return BoundedMoments{set.unscaled(e.moments), error};
    // What is inside is of no more use.
    points.insert(points.end(), hull->vertices.begin(), hull->vertices.end());
    points.erase(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(before));
  }
}

} // namespace carom
