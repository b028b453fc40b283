// Let T be how thick the points are along the normal, and S how wide. A pyramid whose base is just below them and whose tip is H higher must
// have a base larger by about S T / H, to hold those that are highest, and is itself H high: least growth at H = sqrt(S T).
//
// The base: of the polygon around the points (seen along the normal) the corners that are farthest out, one by one; each chord
// left between two of them has the corners in between outside, and its ends are moved away from the middle as in hull_limit.cpp.
#include "carom/geometry/hull2.h"
#include "carom/math/tolerance.h"
#include "carom/mesh/hull_limit.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace hull_limit {
namespace {

/// Some corners of a polygon, in order, and how many times as far from the middle they must be.
struct Subset {
  std::vector<std::size_t> corner;
  std::vector<double> reach;
};

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

  Vec2 middle;
  for (const Chord& chord : chords)
    middle += polygon[chord.from] / static_cast<double>(chords.size());
  Subset subset{{}, std::vector<double>(chords.size(), 1)};
  for (std::size_t k = 0; k < chords.size(); ++k) {
    const Chord& chord = chords[k];
    subset.corner.push_back(chord.from);
    const Vec2 along = polygon[chord.to % n] - polygon[chord.from];
    const double below = cross(polygon[chord.from] - middle, along);
    const double above = cross(polygon[chord.farthest % n] - middle, along);
    const double r = below > 0 ? above / below : 1;
    for (const std::size_t end : {k, (k + 1) % chords.size()}) {
      subset.reach[end] = std::max(subset.reach[end], r);
    }
  }
  return subset;
}

} // namespace

Result<ConvexHull> pyramid_around(std::span<const Vec3> points,
                                  std::span<const std::uint32_t> source, const Vec3& normal,
                                  std::uint32_t limit) {
  const Vec3 up = normalized(normal);
  const Vec3 u = perpendicular(up);
  const Vec3 v = cross(up, u);
  const Vec3 origin = points[0];
  std::vector<Vec2> flat;
  double low = 0;
  double high = 0;
  for (const Vec3& p : points) {
    const Vec3 w = p - origin;
    flat.push_back({dot(u, w), dot(v, w)});
    low = std::min(low, dot(up, w));
    high = std::max(high, dot(up, w));
  }
  std::vector<Vec2> polygon;
  convex_hull(flat, polygon);
  if (polygon.size() < 3) {
    return failure(ErrorCode::degenerate, "no hull with so few vertices was found");
  }

  Vec2 middle;
  double width = 0;
  double size = 0; // of the coordinates, whose rounding must not matter
  for (const Vec2& p : polygon) width = std::max(width, 2 * length(p - polygon[0]));
  for (const Vec3& p : points) size = std::max(size, max_abs(p));
  const double play = std::ldexp(std::max(width, size), -46);
  const double thickness = high - low + 2 * play;
  const double height = 2 * thickness + std::sqrt(width * thickness);
  const double shrink =
      1 - thickness / height; // of the pyramid, at the height of the highest point

  const Subset subset = outermost(polygon, limit - 1);
  for (const std::size_t i : subset.corner) {
    middle += polygon[i] / static_cast<double>(subset.corner.size());
  }
  const auto find_source = [&](const Vec2& corner) {
    return static_cast<std::size_t>(std::find(flat.begin(), flat.end(), corner) - flat.begin());
  };
  const auto place = [&](const Vec2& p, double z) { return origin + u * p.x + v * p.y + up * z; };
  const auto count = static_cast<double>(subset.corner.size());
  std::vector<Candidate> candidates;
  Vec3 mean; // of the corners taken: a point of the hull, but for the rounding of so many terms
  for (std::size_t k = 0; k < subset.corner.size(); ++k) {
    const Vec2 corner = polygon[subset.corner[k]];
    const std::size_t from = find_source(corner);
    mean += points[from] / count;
    const Vec2 moved = middle + (corner - middle) * (subset.reach[k] / shrink);
    candidates.push_back({place(moved, low - play), source[from], points[from], 0});
  }
  const double slack = (count + 4) * tolerance::epsilon * size;
  candidates.push_back({place(middle, low - play + height), candidates[0].source, mean, slack});
  return confirmed(candidates, points);
}

} // namespace hull_limit
} // namespace carom
