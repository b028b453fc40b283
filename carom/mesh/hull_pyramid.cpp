// Let T be how thick the points are along the normal, and W how wide. A pyramid whose base is just below the points and whose tip is T + G
// higher must have a base wider by W T / G, to hold the points that are highest, and reaches G beyond them: least growth at
// G = sqrt(W T). Plates have small T, needles small W.
//
// The base: of the polygon around the points (seen along the normal) the corners that are farthest out, one by one; each chord
// left between two of them has the corners in between outside, and its ends are moved away from the middle as in hull_limit.cpp.
// Around a needle, whose section may be lost in rounding, a regular triangle around a circle around the points.
#include "carom/geometry/hull2.h"
#include "carom/mesh/hull_limit.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace hull_limit {
namespace {

/// Some corners of a polygon, in order, and how many times as far from the middle they must be.
struct Subset {
  Vec2 middle; ///< the mean of the corners
  std::vector<std::size_t> corner;
  std::vector<double> reach;
};

/// How far the base is below the points and the tip's section beyond them, as a part of the size: far more than vertices are off by rounding,
/// far less than matters.
constexpr double rounding_play = 0x1p-46;

/// A part of the polygon between two corners taken.
struct Chord {
  std::size_t from, to; ///< to may be beyond the last corner, by a full turn
  std::size_t farthest; ///< the corner between them that is farthest from the chord
  double height;
  bool operator<(const Chord& other) const {
    return height < other.height || (height == other.height && from > other.from);
  }
};

Chord make_chord(std::span<const Vec2> polygon, std::size_t from, std::size_t to) {
  const std::size_t n = polygon.size();
  const Vec2 a = polygon[from % n];
  const Vec2 along = polygon[to % n] - a;
  Chord chord{from, to, from, -1};
  for (std::size_t i = from + 1; i < to; ++i) {
    const double height = cross(polygon[i % n] - a, along);
    if (height > chord.height) {
      chord.height = height;
      chord.farthest = i;
    }
  }
  if (chord.height > 0) chord.height /= length(along);
  return chord;
}

Subset outermost(std::span<const Vec2> polygon, std::size_t count) {
  const std::size_t n = polygon.size();
  std::size_t far = 0;
  for (std::size_t i = 1; i < n; ++i) {
    if (length_squared(polygon[i] - polygon[0]) > length_squared(polygon[far] - polygon[0]))
      far = i;
  }
  std::vector<Chord> chords{make_chord(polygon, 0, far), make_chord(polygon, far, n)};
  std::make_heap(chords.begin(), chords.end());
  while (chords.size() < count && chords.front().farthest != chords.front().from) {
    std::pop_heap(chords.begin(), chords.end());
    const Chord split = chords.back();
    chords.back() = make_chord(polygon, split.from, split.farthest);
    std::push_heap(chords.begin(), chords.end());
    chords.push_back(make_chord(polygon, split.farthest, split.to));
    std::push_heap(chords.begin(), chords.end());
  }
  std::sort(chords.begin(), chords.end(),
            [](const Chord& a, const Chord& b) { return a.from < b.from; });

  Subset subset{{}, {}, std::vector<double>(chords.size(), 1)};
  for (const Chord& chord : chords) {
    subset.middle += polygon[chord.from] / static_cast<double>(chords.size());
  }
  for (std::size_t k = 0; k < chords.size(); ++k) {
    const Chord& chord = chords[k];
    subset.corner.push_back(chord.from);
    const Vec2 along = polygon[chord.to % n] - polygon[chord.from];
    const double below = cross(polygon[chord.from] - subset.middle, along);
    const double above = cross(polygon[chord.farthest % n] - subset.middle, along);
    const double r = below > 0 ? above / below : 1;
    for (const std::size_t end : {k, (k + 1) % chords.size()}) {
      subset.reach[end] = std::max(subset.reach[end], r);
    }
  }
  return subset;
}

/// The hull seen along a direction.
struct View {
  Vec3 origin, u, v, up;
  std::vector<Vec2> flat; ///< the vertices
  double low = 0, high = 0;
  double size = 0; ///< of the coordinates, whose rounding must not matter

  [[nodiscard]] Vec3 place(const Vec2& p, double z) const {
    return origin + u * p.x + v * p.y + up * z;
  }
};

View look_along(const ConvexHull& hull, const Vec3& direction) {
  View view;
  view.origin = hull.vertices[0];
  view.up = normalized(direction);
  view.u = perpendicular(view.up);
  view.v = cross(view.up, view.u);
  for (const Vec3& p : hull.vertices) {
    const Vec3 w = p - view.origin;
    view.flat.push_back({dot(view.u, w), dot(view.v, w)});
    view.low = std::min(view.low, dot(view.up, w));
    view.high = std::max(view.high, dot(view.up, w));
    view.size = std::max(view.size, max_abs(p));
  }
  return view;
}

/// From the base below the points to the tip above, and how many times as wide as the points the base must be.
struct Pyramid {
  double base, tip, widening;
};

Pyramid pyramid_over(const View& view, double width, double play) {
  const double thickness = view.high - view.low + 2 * play;
  const double beyond = std::sqrt(width * thickness);
  const double base = view.low - play;
  return {base, base + thickness + beyond, (thickness + beyond) / beyond};
}

} // namespace

Result<ConvexHull> pyramid_around(const ConvexHull& hull, const Vec3& normal, std::uint32_t limit) {
  const View view = look_along(hull, normal);
  std::vector<Vec2> polygon;
  convex_hull(view.flat, polygon);
  if (polygon.size() < 3) return failure(ErrorCode::degenerate, "the hull is a needle");
  const Subset base = outermost(polygon, limit - 1);
  double width = 0;
  for (const Vec2& p : polygon) width = std::max(width, 2 * length(p - base.middle));
  const Pyramid pyramid = pyramid_over(view, width, rounding_play * std::max(width, view.size));

  std::vector<Candidate> candidates;
  for (std::size_t k = 0; k < base.corner.size(); ++k) {
    const Vec2 corner = polygon[base.corner[k]];
    const auto from = std::find(view.flat.begin(), view.flat.end(), corner) - view.flat.begin();
    const Vec2 moved = base.middle + (corner - base.middle) * (base.reach[k] * pyramid.widening);
    candidates.push_back(
        {view.place(moved, pyramid.base), hull.source[static_cast<std::size_t>(from)]});
  }
  candidates.push_back({view.place(base.middle, pyramid.tip), candidates[0].source});
  return confirmed(candidates, hull);
}

Result<ConvexHull> spike_around(const ConvexHull& hull) {
  Vec3 axis;
  std::size_t end = 0;
  for (std::size_t i = 0; i < hull.vertices.size(); ++i) {
    const Vec3 w = hull.vertices[i] - hull.vertices[0];
    if (length_squared(w) > length_squared(axis)) {
      axis = w;
      end = i;
    }
  }
  const View view = look_along(hull, axis);
  Vec2 middle;
  for (const Vec2& p : view.flat) middle += p / static_cast<double>(view.flat.size());
  double radius = 0;
  for (const Vec2& p : view.flat) radius = std::max(radius, length(p - middle));
  const double play = rounding_play * std::max(view.size, length(axis));
  radius += play;
  const Pyramid pyramid = pyramid_over(view, 2 * radius, play);

  constexpr double root_of_3 = 1.7320508075688772;
  constexpr Vec2 triangle[3] = {
      {2, 0}, {-1, root_of_3}, {-1, -root_of_3}}; // around the unit circle
  std::vector<Candidate> candidates;
  for (const Vec2& p : triangle) {
    const Vec2 corner = middle + p * (radius * pyramid.widening);
    candidates.push_back({view.place(corner, pyramid.base), hull.source[0]});
  }
  candidates.push_back({view.place(middle, pyramid.tip), hull.source[end]});
  return confirmed(candidates, hull);
}

} // namespace hull_limit
} // namespace carom
