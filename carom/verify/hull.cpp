// A closed surface of flat faces is convex when all its edges are, and when it goes around its inside once and not twice. For a small
// hull that is asked directly: every vertex is on the inner side of every face. For a large one, take a point o strictly inside of
// every face. Seen from o, the surface covers the directions, all of them d times, but for branchings at vertices. A surface in one piece
// with Euler's number 2 has 2 d - 2 of those (Riemann, Hurwitz): none where d = 1, and d is counted along one ray. Covered once and
// with convex edges, the surface is that of a convex body (Tietze, Nakajima: closed, in one piece and locally convex is convex).
#include "carom/verify/hull.h"

#include "carom/math/predicates.h"

#include <algorithm>
#include <string>
#include <vector>

namespace carom {
namespace verify {
namespace {

/// Vertices times faces up to which all pairs are asked.
constexpr std::size_t small_enough = 20'000'000;

Verdict fails(const char* what, std::size_t i) {
  std::string why(what);
  why.append(" ").append(std::to_string(i));
  return Verdict::no(std::move(why));
}

Vec2 drop(const Vec3& v, int axis) {
  return axis == 0 ? Vec2{v.y, v.z} : axis == 1 ? Vec2{v.z, v.x} : Vec2{v.x, v.y};
}
int turn(const Vec3& a, const Vec3& b, const Vec3& c, int axis) {
  return orient2d(drop(a, axis), drop(b, axis), drop(c, axis));
}
/// An axis along which a, b, c project to a triangle with area; 3 where they are collinear.
int open_axis(const Vec3& a, const Vec3& b, const Vec3& c) {
  int axis = 0;
  while (axis < 3 && turn(a, b, c, axis) == 0) ++axis;
  return axis;
}

/// The point against the plane of a face.
int side(const ConvexHull& hull, std::size_t face, const Vec3& p) {
  const auto corners = hull.corners(face);
  return orient3d(hull.vertices[corners[0]], hull.vertices[corners[1]], hull.vertices[corners[2]],
                  p);
}

bool sizes_fit(const ConvexHull& hull) {
  const std::size_t n = hull.origin.size();
  if (hull.source.size() != hull.vertices.size() || hull.outgoing.size() != hull.vertices.size() ||
      hull.twin.size() != n || hull.face.size() != n) {
    return false;
  }
  if (hull.dimension == 0) return hull.vertices.size() == 1 && n == 0 && hull.face_begin.empty();
  if (hull.face_begin.size() < 2 || hull.face_begin.front() != 0 || hull.face_begin.back() != n) {
    return false;
  }
  const std::uint32_t least = hull.dimension == 1 ? 2 : 3;
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    if (hull.face_begin[f + 1] < hull.face_begin[f] + least) return false;
  }
  return true;
}

Verdict check_half_edges(const ConvexHull& hull) {
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    for (std::uint32_t h = hull.face_begin[f]; h < hull.face_begin[f + 1]; ++h) {
      if (hull.face[h] != f) return fails("names another face: half-edge", h);
    }
  }
  for (std::uint32_t h = 0; h < hull.origin.size(); ++h) {
    if (hull.origin[h] >= hull.vertices.size() || hull.twin[h] >= hull.origin.size()) {
      return fails("refers to nothing: half-edge", h);
    }
    const std::uint32_t twin = hull.twin[h];
    if (twin == h || hull.twin[twin] != h) return fails("no twin:", h);
    if (hull.origin[twin] != hull.origin[hull.next(h)] || hull.origin[twin] == hull.origin[h]) {
      return fails("and its twin do not run along one edge: half-edge", h);
    }
    if (hull.dimension > 1 && hull.face[twin] == hull.face[h]) {
      return fails("has the same face on both sides: half-edge", h);
    }
  }
  return Verdict::yes();
}

/// The half-edges that leave a vertex are in one ring.
Verdict check_rings(const ConvexHull& hull) {
  std::vector<std::uint32_t> leaving(hull.vertices.size(), 0);
  std::vector<std::uint32_t> lowest(hull.vertices.size(), ConvexHull::none);
  for (std::uint32_t h = 0; h < hull.origin.size(); ++h) {
    const std::uint32_t v = hull.origin[h];
    ++leaving[v];
    lowest[v] = std::min(lowest[v], h);
  }
  if (lowest != hull.outgoing) return Verdict::no("an outgoing half-edge is not the lowest");
  for (std::size_t v = 0; v < hull.vertices.size(); ++v) {
    if (hull.dimension > 0 && leaving[v] < static_cast<std::uint32_t>(hull.dimension)) {
      return fails("too few faces at vertex", v);
    }
    std::uint32_t steps = 0;
    std::uint32_t h = lowest[v];
    while (steps < leaving[v]) {
      ++steps;
      h = hull.around(h);
      if (h == lowest[v]) break;
    }
    if (steps != leaving[v]) return fails("more than one ring at vertex", v);
  }
  return Verdict::yes();
}

/// From face 0 all others are reached.
bool in_one_piece(const ConvexHull& hull) {
  std::vector<bool> reached(hull.face_count(), false);
  std::vector<std::size_t> open{0};
  reached[0] = true;
  std::size_t count = 0;
  while (!open.empty()) {
    const std::size_t f = open.back();
    open.pop_back();
    ++count;
    for (std::uint32_t h = hull.face_begin[f]; h < hull.face_begin[f + 1]; ++h) {
      const std::uint32_t other = hull.face[hull.twin[h]];
      if (!reached[other]) open.push_back(other);
      reached[other] = true;
    }
  }
  return count == hull.face_count();
}

Verdict check_numbering(const ConvexHull& hull) {
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const auto corners = hull.corners(f);
    if (*std::min_element(corners.begin(), corners.end()) != corners[0]) {
      return fails("a face does not begin at its lowest vertex:", f);
    }
    if (f == 0) continue;
    const auto before = hull.corners(f - 1);
    if (before[0] > corners[0] || (before[0] == corners[0] && before[1] >= corners[1])) {
      return fails("faces out of order at", f);
    }
  }
  return Verdict::yes();
}

/// Flat, and strictly convex: every corner turns to the left, and so does the fan from the first corner, so that it goes around once.
Verdict check_face(const ConvexHull& hull, std::size_t f) {
  const auto corners = hull.corners(f);
  const auto corner = [&](std::size_t i) { return hull.vertices[corners[i % corners.size()]]; };
  const int axis = open_axis(corner(0), corner(1), corner(2));
  if (axis == 3) return fails("collinear corners of face", f);
  const int left = turn(corner(0), corner(1), corner(2), axis);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (side(hull, f, corner(i)) != 0) return fails("not flat: face", f);
    const bool turns = turn(corner(i), corner(i + 1), corner(i + 2), axis) == left;
    const bool fans = i == 0 || i + 1 == corners.size() ||
                      turn(corner(0), corner(i), corner(i + 1), axis) == left;
    if (!turns || !fans) return fails("not strictly convex: face", f);
  }
  return Verdict::yes();
}

/// The corner after an edge's end in the face across is strictly inside.
bool edges_are_convex(const ConvexHull& hull) {
  for (std::uint32_t h = 0; h < hull.origin.size(); ++h) {
    const std::uint32_t beyond = hull.next(hull.next(hull.twin[h]));
    if (side(hull, hull.face[h], hull.vertices[hull.origin[beyond]]) >= 0) return false;
  }
  return true;
}

bool is_convex_by_all_pairs(const ConvexHull& hull) {
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    for (const Vec3& v : hull.vertices) {
      if (side(hull, f, v) > 0) return false;
    }
  }
  return true;
}

/// Whether the ray from o to q goes through the face: 1 yes, 0 no, -1 through its rim.
int crosses(const ConvexHull& hull, std::size_t f, const Vec3& o, const Vec3& q) {
  const auto corners = hull.corners(f);
  int least = 1;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec3& a = hull.vertices[corners[i]];
    const Vec3& b = hull.vertices[corners[i + 1 == corners.size() ? 0 : i + 1]];
    least = std::min(least, orient3d(o, a, b, q));
  }
  return least > 0 ? 1 : least == 0 ? -1 : 0;
}

Verdict check_once_around(const ConvexHull& hull) {
  const Vec3 first = hull.vertices[0];
  Vec3 sum;
  for (const Vec3& v : hull.vertices) sum += v - first;
  const Vec3 o = first + sum / static_cast<double>(hull.vertices.size());
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    if (side(hull, f, o) >= 0) {
      return is_convex_by_all_pairs(hull) ? Verdict::yes() : Verdict::no("not convex");
    }
  }
  const auto corners = hull.corners(0);
  const Vec3 q = first + ((hull.vertices[corners[1]] - first) * 0.375 +
                          (hull.vertices[corners[2]] - first) * 0.3125);
  int count = 0;
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const int c = crosses(hull, f, o, q);
    if (c < 0) return is_convex_by_all_pairs(hull) ? Verdict::yes() : Verdict::no("not convex");
    count += c;
  }
  return count == 1 ? Verdict::yes() : Verdict::no("the surface goes around more than once");
}

bool between(const Vec3& p, const Vec3& a, const Vec3& b) {
  for (int i = 0; i < 3; ++i) {
    if (p[i] < std::min(a[i], b[i]) || p[i] > std::max(a[i], b[i])) return false;
  }
  return open_axis(a, b, p) == 3;
}

bool holds(const ConvexHull& hull, const Vec3& p) {
  switch (hull.dimension) {
  case 0:
    return p == hull.vertices[0];
  case 1:
    return between(p, hull.vertices[0], hull.vertices[1]);
  case 2: {
    const std::size_t n = hull.vertices.size();
    const int axis = open_axis(hull.vertices[0], hull.vertices[1], hull.vertices[2]);
    const int left = turn(hull.vertices[0], hull.vertices[1], hull.vertices[2], axis);
    for (std::size_t i = 0; i < n; ++i) {
      if (turn(hull.vertices[i], hull.vertices[(i + 1) % n], p, axis) == -left) return false;
    }
    return side(hull, 0, p) == 0;
  }
  default:
    for (std::size_t f = 0; f < hull.face_count(); ++f) {
      if (side(hull, f, p) > 0) return false;
    }
    return true;
  }
}

bool less(const Vec3& a, const Vec3& b) {
  return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

/// Every vertex is the first input point in its place, and those of a solid come in the order of the input.
Verdict check_sources(std::span<const Vec3> points, const ConvexHull& hull) {
  std::vector<Vec3> sorted = hull.vertices;
  std::sort(sorted.begin(), sorted.end(), less);
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    return Verdict::no("two vertices in one place");
  }
  std::vector<bool> met(sorted.size(), false);
  std::vector<bool> is_first(points.size(), false);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto found = std::lower_bound(sorted.begin(), sorted.end(), points[i], less);
    if (found == sorted.end() || *found != points[i]) continue;
    const auto place = static_cast<std::size_t>(found - sorted.begin());
    is_first[i] = !met[place];
    met[place] = true;
  }
  for (std::size_t v = 0; v < hull.vertices.size(); ++v) {
    const std::uint32_t s = hull.source[v];
    if (s >= points.size() || points[s] != hull.vertices[v] || !is_first[s]) {
      return fails("is not the first input point in its place: vertex", v);
    }
    if (hull.dimension != 2 && v > 0 && hull.source[v - 1] >= s) {
      return fails("vertices out of order at", v);
    }
    if (hull.dimension == 2 && hull.source[0] > s) return Verdict::no("vertex 0 is not the first");
  }
  return Verdict::yes();
}

} // namespace

Verdict check_hull_topology(const ConvexHull& hull) {
  if (hull.dimension < 0 || hull.dimension > 3 || hull.vertices.empty() || !sizes_fit(hull)) {
    return Verdict::no("the arrays do not fit the dimension or each other");
  }
  if (hull.dimension == 0) {
    return hull.outgoing[0] == ConvexHull::none ? Verdict::yes()
                                                : Verdict::no("an edge at a point");
  }
  if (const Verdict v = check_half_edges(hull); !v) return v;
  if (const Verdict v = check_rings(hull); !v) return v;
  if (hull.vertices.size() + hull.face_count() != hull.origin.size() / 2 + 2) {
    return Verdict::no("Euler's formula fails");
  }
  if (!in_one_piece(hull)) return Verdict::no("the surface is in several pieces");
  const std::size_t faces = hull.face_count();
  if ((hull.dimension == 1 && faces != 1) || (hull.dimension == 2 && faces != 2) ||
      (hull.dimension == 3 && faces < 4)) {
    return Verdict::no("the number of faces does not fit the dimension");
  }
  return check_numbering(hull);
}

Verdict check_hull_shape(const ConvexHull& hull) {
  if (const Verdict v = check_hull_topology(hull); !v) return v;
  if (hull.dimension == 0) return Verdict::yes();
  if (hull.dimension == 1) {
    return hull.vertices[0] != hull.vertices[1] ? Verdict::yes() : Verdict::no("no length");
  }
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    if (const Verdict v = check_face(hull, f); !v) return v;
  }
  if (hull.dimension == 2) return Verdict::yes();
  if (!edges_are_convex(hull)) return Verdict::no("an edge is not strictly convex");
  if (hull.vertices.size() * hull.face_count() <= small_enough) {
    return is_convex_by_all_pairs(hull) ? Verdict::yes() : Verdict::no("not convex");
  }
  return check_once_around(hull);
}

Verdict check_hull_encloses(std::span<const Vec3> points, const ConvexHull& hull) {
  if (const Verdict v = check_hull_shape(hull); !v) return v;
  std::vector<Vec3> vertices = hull.vertices;
  std::sort(vertices.begin(), vertices.end(), less);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (std::binary_search(vertices.begin(), vertices.end(), points[i], less)) continue;
    if (!holds(hull, points[i])) return fails("outside: point", i);
  }
  return Verdict::yes();
}

Verdict check_hull(std::span<const Vec3> points, const ConvexHull& hull) {
  if (hull.growth != 0) return Verdict::no("it has grown");
  if (const Verdict v = check_hull_encloses(points, hull); !v) return v;
  return check_sources(points, hull);
}

} // namespace verify
} // namespace carom
