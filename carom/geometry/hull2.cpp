// Andrew: sort by x, then y; walk to the right keeping only left turns, which gives the lower boundary, and back for the upper one. The
// turns are exact, so the result is the hull and not nearly it.
//
// Quickhull: the extreme points left and right are on the hull. To the left of a hull chord the farthest point is on the hull
// too, and splits the chord in two; what lies in the triangle is done with. 'Farthest' must be exact as well: a point only nearly the
// farthest might be no corner. Of several at the same distance, the last along the chord is a corner, and the others fall on the
// next chord or inside.
#include "carom/geometry/hull2.h"

#include "carom/math/expansion.h"
#include "carom/math/predicates.h"

#include <algorithm>

namespace carom {
namespace {

bool lexicographically_less(const Vec2& a, const Vec2& b) {
  return a.x < b.x || (a.x == b.x && a.y < b.y);
}

ScratchVector<Vec2> finite_points(std::span<const Vec2> points) {
  ScratchVector<Vec2> result;
  result.reserve(points.size());
  std::copy_if(points.begin(), points.end(), std::back_inserter(result),
               [](const Vec2& p) { return is_finite(p); });
  return result;
}

/// Appends p after taking off the corners that it makes useless. The first `fixed` corners stay.
template<class List>
void extend(List& chain, std::size_t fixed, const Vec2& p, StraightPoints straight) {
  const int least = straight == StraightPoints::keep ? 0 : 1;
  while (chain.size() > fixed && orient2d(chain[chain.size() - 2], chain.back(), p) < least) {
    chain.pop_back();
  }
  chain.push_back(p);
}

/// The signs of (b - a) x (p - q) and (b - a) . (p - q).
int compare_left(const Vec2& a, const Vec2& b, const Vec2& p, const Vec2& q) {
  const Vec2 u = b - a;
  const Vec2 v = p - q;
  const double size = std::fabs(u.x * v.y) + std::fabs(u.y * v.x);
  return predicate::sign<4>(cross(u, v), size, [&] {
    return (exact_difference(b.x, a.x) * exact_difference(p.y, q.y) -
            exact_difference(b.y, a.y) * exact_difference(p.x, q.x))
        .sign();
  });
}
int compare_along(const Vec2& a, const Vec2& b, const Vec2& p, const Vec2& q) {
  // A quarter turn makes the one the other.
  return compare_left({-a.y, a.x}, {-b.y, b.x}, p, q) * -1;
}

struct Chord {
  Vec2 a, b;
  std::vector<Vec2> left; ///< the points strictly to its left
};

Chord make_chord(const Vec2& a, const Vec2& b, std::span<const Vec2> points) {
  Chord chord{a, b, {}};
  std::copy_if(points.begin(), points.end(), std::back_inserter(chord.left),
               [&](const Vec2& p) { return orient2d(a, b, p) > 0; });
  return chord;
}

template<class List>
void monotone_chain(std::span<const Vec2> points, List& hull, StraightPoints straight) {
  ScratchVector<Vec2> sorted = finite_points(points);
  std::sort(sorted.begin(), sorted.end(), lexicographically_less);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  hull.clear();
  if (sorted.size() < 3) {
    hull.assign(sorted.begin(), sorted.end());
    return;
  }
  const bool collinear = std::all_of(sorted.begin() + 1, sorted.end(), [&](const Vec2& p) {
    return orient2d(sorted.front(), sorted.back(), p) == 0;
  });
  if (collinear) {
    if (straight == StraightPoints::drop) sorted = {sorted.front(), sorted.back()};
    hull.assign(sorted.begin(), sorted.end());
    return;
  }
  for (const Vec2& p : sorted) extend(hull, 1, p, straight);
  const std::size_t lower = hull.size();
  for (auto p = sorted.rbegin() + 1; p != sorted.rend(); ++p) extend(hull, lower, *p, straight);
  hull.pop_back(); // the way back ends where it began
}

} // namespace

void convex_hull(std::span<const Vec2> points, std::vector<Vec2>& hull, StraightPoints straight) {
  monotone_chain(points, hull, straight);
}
void convex_hull(std::span<const Vec2> points, ScratchVector<Vec2>& hull, StraightPoints straight) {
  monotone_chain(points, hull, straight);
}

std::size_t farthest_left_of(const Vec2& a, const Vec2& b, std::span<const Vec2> points) {
  std::size_t best = points.size();
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (best == points.size()) {
      if (orient2d(a, b, points[i]) > 0) best = i;
      continue;
    }
    const int farther = compare_left(a, b, points[i], points[best]);
    if (farther > 0 || (farther == 0 && compare_along(a, b, points[i], points[best]) > 0)) best = i;
  }
  return best;
}

void quickhull(std::span<const Vec2> points, std::vector<Vec2>& hull) {
  hull.clear();
  const ScratchVector<Vec2> all = finite_points(points);
  if (all.empty()) return;
  const auto ends = std::minmax_element(all.begin(), all.end(), lexicographically_less);
  const Vec2 first = *ends.first;
  const Vec2 last = *ends.second;
  if (first == last) {
    hull.push_back(first);
    return;
  }
  // Left of a chord is outside: so the hull is walked clockwise, and turned around at the end. The next chord is on top.
  std::vector<Chord> open;
  open.push_back(make_chord(last, first, all));
  open.push_back(make_chord(first, last, all));
  while (!open.empty()) {
    const Chord chord = std::move(open.back());
    open.pop_back();
    const std::size_t far = farthest_left_of(chord.a, chord.b, chord.left);
    if (far == chord.left.size()) {
      hull.push_back(chord.a);
      continue;
    }
    const Vec2 corner = chord.left[far];
    open.push_back(make_chord(corner, chord.b, chord.left));
    open.push_back(make_chord(chord.a, corner, chord.left));
  }
  std::reverse(hull.begin(), hull.end());
  std::rotate(hull.begin(), std::find(hull.begin(), hull.end(), first), hull.end());
}

} // namespace carom
