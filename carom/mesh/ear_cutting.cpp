// An ear is a corner v, with neighbours u and w, whose triangle lies in the polygon: it turns left, and no other corner lies in the closed
// triangle. A simple polygon of more than three corners has two ears at least, also where some of its corners are straight: take
// any triangulation without degenerate triangles (there is one), and of its tree of triangles two leaves. Asking for the *closed* triangle to be free
// keeps the rest simple. So n - 2 cuts, and no degenerate triangle.
//
// Holes are joined to the outline by bridges, edges that are walked along there and back. Then corners coincide, and polygons of users touch
// themselves, so a corner p on the border of the triangle u v w needs a closer look: it is in the way only if the outline goes from
// it into the inside of the triangle. Coincident with u or w it cannot be, for the way out would lead across the edge opposite. Where the
// outline folds back onto itself, the tip of the fold is a spike, and goes first.
//
// Whatever is cut, the triangle u v w and the rest of the outline (with the edge u w instead of u v w) wind around every point as often as
// the outline did. This makes the promises of the header for any polygon: the levels below only choose which corner to cut next.
#include "carom/mesh/ear_cutting.h"

#include "carom/math/predicates.h"

#include <algorithm>

namespace carom {
namespace {

/// How much is asked of a corner to be cut; from one level to the next where no corner does.
enum Level {
  spike, ///< it goes back where it came from, or coincides with a neighbour: a degenerate triangle
  ear,   ///< as above, while there are no spikes
  tight_ear,  ///< corners on the diagonal u w are no obstacle: degenerate triangles may follow
  straight,   ///< no turn: a degenerate triangle
  forced_ear, ///< it turns left
  forced,     ///< anything
};

/// In steps of a loop that only compares coordinates.
constexpr std::uint64_t cost_of_blocks = 15;

bool before(const Vec2& a, const Vec2& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }

/// For p on the line through a and b: strictly between them.
bool strictly_between(const Vec2& p, const Vec2& a, const Vec2& b) {
  return (before(a, p) && before(p, b)) || (before(b, p) && before(p, a));
}

/// 1 where the loop goes counter-clockwise, -1 clockwise: the turn at its least corner, which decides where it is simple. A loop without a turn there
/// is judged by its area; without area it counts as counter-clockwise.
int winding(std::span<const Vec2> loop) {
  const std::size_t n = loop.size();
  std::size_t least = 0;
  for (std::size_t i = 1; i < n; ++i) {
    if (before(loop[i], loop[least])) least = i;
  }
  std::size_t a = least, b = least;
  for (std::size_t i = 0; i < n && loop[a] == loop[least]; ++i) a = (a + n - 1) % n;
  for (std::size_t i = 0; i < n && loop[b] == loop[least]; ++i) b = (b + 1) % n;
  const int turn = orient2d(loop[a], loop[least], loop[b]);
  if (turn != 0) return turn;
  double area = 0;
  for (std::size_t i = 1; i + 1 < n; ++i) area += cross(loop[i] - loop[0], loop[i + 1] - loop[0]);
  return area < 0 ? -1 : 1;
}

} // namespace

/// Appends the loop, so that it goes round as told; returns its first corner.
EarCutter::Index EarCutter::add_loop(std::uint32_t begin, std::uint32_t end, int around) {
  const std::uint32_t n = end - begin;
  const bool reversed = winding(points_.subspan(begin, n)) != around;
  const auto first = static_cast<Index>(corners_.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    corners_.push_back(
        {reversed ? end - 1 - i : begin + i, first + (i + n - 1) % n, first + (i + 1) % n});
  }
  return first;
}

/// Whether the outline's inside lies, next to the corner, in the direction of the target.
bool EarCutter::opens_toward(Index corner, const Vec2& target) const {
  // Neighbours that coincide (with bridges of no length too) are passed over.
  Index before_it = previous(corner), behind_it = next(corner);
  while (before_it != corner && at(before_it) == at(corner)) before_it = previous(before_it);
  while (behind_it != corner && at(behind_it) == at(corner)) behind_it = next(behind_it);
  if (behind_it == corner) return true; // a hole of one point
  const Vec2 &a = at(before_it), &p = at(corner), &b = at(behind_it);
  const bool left_of_both = orient2d(a, p, target) > 0 && orient2d(p, b, target) > 0;
  if (orient2d(a, p, b) > 0) return left_of_both;
  return orient2d(a, p, target) > 0 || orient2d(p, b, target) > 0;
}

/// Whether the open segment between two corners meets no loop, and leaves both to the inside.
bool EarCutter::sees(Index from, Index to) const {
  const Vec2 &p = at(from), &q = at(to);
  if (p == q) return opens_toward(to, at(next(from))) || opens_toward(to, at(previous(from)));
  if (!opens_toward(from, q) || !opens_toward(to, p)) return false;
  for (Index c = 0; c < corners_.size(); ++c) {
    const Vec2 &a = at(c), &b = at(next(c));
    const int side_a = orient2d(p, q, a), side_b = orient2d(p, q, b);
    if (side_a == 0 && strictly_between(a, p, q)) return false;
    if (side_a == side_b) continue;
    const int side_p = orient2d(a, b, p), side_q = orient2d(a, b, q);
    if (side_a * side_b < 0 && side_p * side_q < 0) return false;
    // An end on the edge: the other must be on the edge's inside.
    if (side_p == 0 && side_q < 0 && strictly_between(p, a, b)) return false;
    if (side_q == 0 && side_p < 0 && strictly_between(q, a, b)) return false;
  }
  return true;
}

/// Whether `from` lies on the outline, at corner `to` or on the edge behind it, and its loop on the inside there.
bool EarCutter::touches(Index from, Index to) const {
  const Vec2 &p = at(from), &a = at(to), &b = at(next(to)), &c = at(previous(to));
  const bool convex = orient2d(c, a, b) > 0;
  const auto inside = [&](const Vec2& q) {
    const bool left = orient2d(a, b, q) >= 0, left_before = orient2d(c, a, q) >= 0;
    return p != a ? left : convex ? left && left_before : left || left_before;
  };
  return (p == a || (orient2d(a, b, p) == 0 && strictly_between(p, a, b))) &&
         inside(at(next(from))) && inside(at(previous(from)));
}

/// outer -> inner, all around the hole, a second inner -> a second outer.
void EarCutter::bridge(Index outer, Index inner) {
  const auto outer_again = static_cast<Index>(corners_.size());
  const Index inner_again = outer_again + 1;
  const Corner o = corners_[outer], i = corners_[inner];
  corners_.push_back({o.point, inner_again, o.next});
  corners_.push_back({i.point, i.previous, outer_again});
  corners_[o.next].previous = outer_again;
  corners_[i.previous].next = inner_again;
  corners_[outer].next = inner;
  corners_[inner].previous = outer;
}

/// From left to right, each from its least corner. All that is to the left of it belongs to the outline by then, so some corner of that can be
/// seen; the nearest such is taken.
void EarCutter::join_holes(const PolygonLoops& polygon, std::size_t outline,
                           PolygonTriangles& result) {
  holes_.clear();
  for (std::size_t l = outline + 1; l + 1 < polygon.loop_begin.size(); ++l) {
    const std::uint32_t begin = polygon.loop_begin[l], end = polygon.loop_begin[l + 1];
    if (begin >= end) continue;
    const Index first = add_loop(begin, end, -1);
    Index least = first;
    for (Index c = first; c < corners_.size(); ++c) {
      if (before(at(c), at(least))) least = c;
    }
    holes_.push_back(least);
  }
  std::sort(holes_.begin(), holes_.end(),
            [&](Index a, Index b) { return before(at(a), at(b)) || (at(a) == at(b) && a < b); });
  for (const Index hole : holes_) {
    candidates_.clear();
    Index c = 0;
    do {
      candidates_.push_back(c);
      c = next(c);
    } while (c != 0);
    const auto distance = [&](Index i) { return length_squared(at(i) - at(hole)); };
    std::sort(candidates_.begin(), candidates_.end(), [&](Index a, Index b) {
      const double da = distance(a), db = distance(b);
      return da < db || (da == db && a < b);
    });
    auto seen = std::find_if(candidates_.begin(), candidates_.end(), [&](Index i) {
      work_ += corners_.size();
      return (result.forced == 0 || work_ < budget_) && sees(hole, i);
    });
    // A hole that shares an edge with the outline may see nothing; the bridge is then along that edge.
    if (seen == candidates_.end()) {
      seen = std::find_if(candidates_.begin(), candidates_.end(),
                          [&](Index i) { return touches(hole, i); });
    }
    if (seen == candidates_.end()) force(result);
    bridge(seen != candidates_.end() ? *seen : candidates_.front(), hole);
  }
}

/// Counts a cut or bridge that is forced. From the first on the loops are known to cross, and to look for ears all around after each cut could take
/// n^3 steps: there is a budget, and when it is used up, only forced cuts.
void EarCutter::force(PolygonTriangles& result) {
  const std::uint64_t n = corners_.size();
  if (result.forced++ == 0) budget_ = work_ + 2 * n * n + (1u << 20);
}

/// Whether corner p is in the way of cutting u v w, which turns left.
bool EarCutter::blocks(Index p, Index u, Index v, Index w, bool diagonal_too) const {
  const Vec2 &a = at(u), &b = at(v), &c = at(w), &x = at(p);
  if (x == a || x == c) return false;
  const Vec2 &before_x = at(previous(p)), &behind_x = at(next(p));
  if (x == b) {
    const auto inside = [&](const Vec2& y) {
      return orient2d(a, b, y) > 0 && orient2d(b, c, y) > 0;
    };
    return inside(before_x) || inside(behind_x);
  }
  const int ab = orient2d(a, b, x), bc = orient2d(b, c, x), ca = orient2d(c, a, x);
  if (ab < 0 || bc < 0 || ca < 0) return false;
  if (ca == 0) return diagonal_too;
  if (ab == 0) return orient2d(a, b, before_x) > 0 || orient2d(a, b, behind_x) > 0;
  if (bc == 0) return orient2d(b, c, before_x) > 0 || orient2d(b, c, behind_x) > 0;
  return true;
}

bool EarCutter::clear(Index v, bool diagonal_too) {
  const Index u = previous(v), w = next(v);
  const Vec2 &a = at(u), &b = at(v), &c = at(w);
  const Vec2 low{std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y})};
  const Vec2 high{std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y})};
  for (Index p = next(w); p != u; p = next(p)) {
    ++work_;
    const Vec2& x = at(p);
    if (x.x < low.x || x.x > high.x || x.y < low.y || x.y > high.y) continue;
    work_ += cost_of_blocks;
    if (blocks(p, u, v, w, diagonal_too)) return false;
  }
  return true;
}

bool EarCutter::is_spike(Index v) const {
  const Vec2 &a = at(previous(v)), &b = at(v), &c = at(next(v));
  return a == b || b == c || (orient2d(a, b, c) == 0 && !strictly_between(b, a, c));
}

bool EarCutter::may_cut(Index v, int level) {
  if (level == spike) return is_spike(v);
  if (level == forced) return true;
  const int turn = orient2d(at(previous(v)), at(v), at(next(v)));
  if (level == straight) return turn == 0;
  return turn > 0 && (level == forced_ear || clear(v, level == ear));
}

void EarCutter::cut_all(Index start, std::size_t count, PolygonTriangles& result) {
  Index v = start;
  int level = spike;
  std::size_t refused = 0; // in a row, at this level
  while (count > 2) {
    const bool spent = result.forced > 0 && work_ > budget_;
    if (spent && level != spike && level < forced_ear) level = forced_ear;
    const bool last = count == 3;
    const int turn = last ? orient2d(at(previous(v)), at(v), at(next(v))) : 0;
    if (!last && !may_cut(v, level)) {
      v = next(v);
      if (++refused == count) {
        ++level;
        refused = 0;
      }
      continue;
    }
    if (level >= forced_ear || turn < 0) force(result);
    const Index u = previous(v), w = next(v);
    result.triangles.push_back({corners_[u].point, corners_[v].point, corners_[w].point});
    corners_[u].next = w;
    corners_[w].previous = u;
    --count;
    const bool spikes = is_spike(u) || is_spike(w);
    v = !spikes ? next(w) : is_spike(u) ? u : w; // not w always: that would make fans of slivers
    if (level != spike) level = spikes ? spike : ear;
    refused = 0;
  }
}

void EarCutter::cut(const PolygonLoops& polygon, PolygonTriangles& result) {
  result.triangles.clear();
  result.forced = 0;
  corners_.clear();
  points_ = polygon.points;
  const auto& begin = polygon.loop_begin;
  std::size_t outline = 0;
  while (outline + 1 < begin.size() && begin[outline] >= begin[outline + 1]) ++outline;
  if (outline + 1 >= begin.size()) return;
  const std::uint32_t first = begin[outline], end = begin[outline + 1];
  work_ = 0;
  add_loop(first, end, 1);
  join_holes(polygon, outline, result);
  cut_all(0, corners_.size(), result);
  if (winding(points_.subspan(first, end - first)) < 0) {
    for (IndexTriple& t : result.triangles) std::swap(t[1], t[2]);
  }
}

PolygonTriangles cut_ears(const PolygonLoops& polygon) {
  PolygonTriangles result;
  EarCutter().cut(polygon, result);
  return result;
}

PolygonTriangles cut_ears(std::span<const Vec2> outline) {
  const std::uint32_t loop_begin[] = {0, static_cast<std::uint32_t>(outline.size())};
  return cut_ears({outline, loop_begin});
}

} // namespace carom
