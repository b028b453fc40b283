// By duality. Seen from a point c inside, the half-space n . x <= d becomes the point y = n / (d - n . c), and x - c obeys it where
// y . (x - c) <= 1. So the corners of the solid are the faces of the hull of these points: x is a corner where y . (x - c) = 1 is the plane
// of a face, whose corners are the half-spaces that meet in x. Half-spaces inside of the dual hull are redundant.
//
// A frame first. The y must be rounded to double for the hull, which moves each plane by an epsilon *of the whole solid*: too much for a thin
// one. So coordinates u are taken in which the solid is round, x = c + A u, and y = A^T n / (d - n . c) is rounded there. The columns of A are
// the edges of a tetrahedron in the solid, each of its corners the farthest from those before: linear programs find them. c is its
// centroid. Then every |y| is below 7 (the tetrahedron's own planes have that distance from its centroid), every |u| in the solid below 10, and
// rounding changes y . u by 35 e at most: the solid that is found, P', and the given one, P, obey (1 - 35 e) P < P' < (1 + 35 e) P
// about c. A frame that does not keep these bounds has been found in rounding noise: then there is no inside.
//
// From P' back to P. A dual face names half-spaces, and the point common to three of them is computed from the planes as given, exactly,
// and rounded once. That it is a corner of P is confirmed: its relative excess (n . x - d) / (d - n . c) is not positive for any half-space,
// found by climbing over the dual hull, on which it is a linear function up to rounding. If rounding has led to the wrong half-spaces
// (slivers of the dual hull), the true corner nearby is the optimum of a linear program over the half-spaces around. If that too fails, the
// corner of P' itself is taken, which is as near as promised.
//
// Last the hull of the corners as doubles, exact, and which half-space each of its faces comes from.
#include "carom/mesh/half_space_intersection.h"

#include "carom/math/double_double.h"
#include "carom/math/expansion.h"
#include "carom/math/linear_program.h"
#include "carom/math/mat3.h"
#include "carom/math/predicates.h"
#include "carom/math/tolerance.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

namespace carom {
namespace {

using tolerance::epsilon;
using Long = DoubleDouble;
using LongVec3 = predicate::Row3<Long>;
using Ids = std::vector<std::uint32_t>;

std::string nth(std::size_t i) { return "half-space " + std::to_string(i); }

// --- What is given.

std::optional<Error> find_bad_number(std::span<const HalfSpace> faces) {
  if (faces.size() > max_half_spaces) {
    return Error{ErrorCode::out_of_range, "there may be at most 2^28 half-spaces"};
  }
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const auto& [n, d] = faces[i];
    if (!is_finite(n) || !std::isfinite(d)) {
      return Error{ErrorCode::not_finite, nth(i) + " has a number that is not finite"};
    }
    if (n == Vec3{}) return Error{ErrorCode::out_of_range, nth(i) + " has a zero normal"};
    for (const double x : {n.x, n.y, n.z, d}) {
      if (tolerance::is_coordinate(x)) continue;
      return Error{ErrorCode::out_of_range,
                   nth(i) + " has a number that is neither 0 nor between 1e-30 and 1e30"};
    }
  }
  return {};
}

// --- Planes and points in long numbers.

/// offset - normal . x; zero where that is rounding.
Long depth(const HalfSpace& face, const LongVec3& x) {
  const std::array<Long, 3> terms{Long{face.normal.x} * x.x, Long{face.normal.y} * x.y,
                                  Long{face.normal.z} * x.z};
  Long sum{face.offset};
  double size = std::fabs(face.offset);
  for (const Long& term : terms) {
    sum = sum + -term;
    size += std::fabs(term.high);
  }
  return std::fabs(sum.high) <= 0x1p-90 * size ? Long{} : sum;
}

Long determinant(const Vec3& a, const Vec3& b, const Vec3& c) {
  using predicate::Row3;
  using Entry = Expansion<1>;
  const auto row = [](const Vec3& v) { return Row3<Entry>{v.x, v.y, v.z}; };
  const auto exact = predicate::det3(row(a), row(b), row(c));
  Long sum;
  for (int i = 0; i < exact.size(); ++i) sum = sum + Long{exact[i]};
  return sum;
}

/// Where three planes meet, and the sign of the determinant of their normals: 0 where they do not meet in a point.
struct Meeting {
  int sign = 0;
  LongVec3 point{};
};

Meeting meet(const HalfSpace& a, const HalfSpace& b, const HalfSpace& c) {
  const Vec3 x{a.normal.x, b.normal.x, c.normal.x};
  const Vec3 y{a.normal.y, b.normal.y, c.normal.y};
  const Vec3 z{a.normal.z, b.normal.z, c.normal.z};
  const Vec3 right{a.offset, b.offset, c.offset};
  const Long whole = determinant(x, y, z);
  if (sign(whole) == 0) return {};
  return {sign(whole),
          {determinant(right, y, z) / whole, determinant(x, right, z) / whole,
           determinant(x, y, right) / whole}};
}

// --- The frame.

using Constraints = std::vector<Constraint3>;

std::string list(const LinearProof<4>& proof) {
  std::string text = proof.count == 1 ? "half-space " : "half-spaces ";
  for (std::size_t k = 0; k < proof.count; ++k) {
    if (k > 0) text += k + 1 == proof.count ? " and " : ", ";
    text += std::to_string(proof.indices[k]);
  }
  return text;
}

tl::unexpected<Error> no_inside() {
  return failure(ErrorCode::degenerate,
                 "the half-spaces have no more than a flat set in common, to within rounding");
}

/// The corner farthest along a direction, or why there is none.
Result<Vec3> farthest(const Constraints& constraints, Vec3 direction) {
  for (int k = 0; k < 3; ++k) {
    if (!tolerance::is_coordinate(direction[k])) direction[k] = 0;
  }
  const LinearOptimum3 found = maximize(direction, constraints);
  switch (found.status) {
  case LinearStatus::optimal:
    return found.point;
  case LinearStatus::infeasible:
    return failure(ErrorCode::degenerate, list(found.proof) + " have no point in common");
  case LinearStatus::unbounded:
    return failure(ErrorCode::unbounded, "the intersection reaches to infinity along (" +
                                             std::to_string(found.ray.x) + ", " +
                                             std::to_string(found.ray.y) + ", " +
                                             std::to_string(found.ray.z) + ")");
  default:
    return failure(ErrorCode::out_of_range,
                   "entries of the normals differ too much in size to decide anything");
  }
}

/// x = center + axes u.
struct Frame {
  Mat3 axes;
  LongVec3 center;
  std::array<LongVec3, 3> inverse; // of the axes, by columns

  [[nodiscard]] Vec3 coordinates(const LongVec3& x) const {
    const auto& [a, b, c] = inverse;
    const LongVec3 d{x.x + -center.x, x.y + -center.y, x.z + -center.z};
    return {(a.x * d.x + b.x * d.y + c.x * d.z).high, (a.y * d.x + b.y * d.y + c.y * d.z).high,
            (a.z * d.x + b.z * d.y + c.z * d.z).high};
  }
};

/// Keeps the candidate with the greatest measure.
struct Farthest {
  Vec3 point;
  double measure = 0;

  void offer(const Vec3& candidate, double m) {
    if (m > measure) *this = {candidate, m};
  }
};

Result<Frame> find_frame(const Constraints& constraints) {
  // Bounded along the axes both ways is bounded.
  std::array<Vec3, 6> ends;
  for (int k = 0; k < 6; ++k) {
    const auto end = farthest(constraints, unit_axis(k / 2) * (k % 2 == 0 ? 1.0 : -1.0));
    if (!end) return tl::unexpected(end.error());
    ends[static_cast<std::size_t>(k)] = *end;
  }
  const int longest = largest_axis(
      {ends[0].x - ends[1].x, ends[2].y - ends[3].y, ends[4].z - ends[5].z});
  const Vec3 origin = ends[static_cast<std::size_t>(2 * longest + 1)];
  Frame frame;
  frame.axes.x = ends[static_cast<std::size_t>(2 * longest)] - origin;
  if (frame.axes.x == Vec3{}) return no_inside();

  // Off the line.
  const Vec3 along = normalized(frame.axes.x);
  Farthest second;
  const Vec3 aside = perpendicular(along);
  for (const Vec3& direction : {aside, -aside, cross(along, aside), cross(aside, along)}) {
    const auto end = farthest(constraints, direction);
    if (!end) return tl::unexpected(end.error());
    second.offer(*end, length(cross(along, *end - origin)));
  }
  if (second.measure == 0) return no_inside();
  frame.axes.y = second.point - origin;

  // Off the plane. The second axis may be as good as parallel to the first; its part aside is taken in two steps, for its rounding.
  Vec3 across = frame.axes.y - along * dot(along, frame.axes.y);
  across = normalized_or(across - along * dot(along, across), aside);
  const Vec3 normal = normalized_or(cross(along, across), aside);
  Farthest third;
  for (const Vec3& direction : {normal, -normal}) {
    const auto end = farthest(constraints, direction);
    if (!end) return tl::unexpected(end.error());
    third.offer(*end, std::fabs(dot(normal, *end - origin)));
  }
  if (third.measure == 0) return no_inside();
  frame.axes.z = third.point - origin;

  const auto centroid = [&](int k) {
    const Long sum = Long{frame.axes.x[k]} + Long{frame.axes.y[k]} + Long{frame.axes.z[k]};
    return Long{origin[k]} + sum * Long{0.25};
  };
  frame.center = {centroid(0), centroid(1), centroid(2)};
  for (int k = 0; k < 3; ++k) {
    const Vec3 e = unit_axis(k);
    const Meeting column = meet({frame.axes.row(0), e.x}, {frame.axes.row(1), e.y},
                                {frame.axes.row(2), e.z});
    if (column.sign == 0) return no_inside();
    frame.inverse[static_cast<std::size_t>(k)] = column.point;
  }
  return frame;
}

// --- The dual.

/// |y| stays below 7 and |u| below 10 where the frame is what it should be.
constexpr double greatest_dual = 16;
constexpr double greatest_corner = 32;

struct Dual {
  std::span<const HalfSpace> faces;
  Frame frame;
  std::vector<double> depths; // per half-space, at the center
  std::vector<Vec3> points;   // per half-space: its y
  ConvexHull hull;            // of the points
  std::vector<std::uint32_t> degree; // per vertex of the hull

  /// The half-space of a vertex of the hull.
  [[nodiscard]] std::uint32_t id(std::uint32_t vertex) const { return hull.source[vertex]; }
};

Result<Dual> find_dual(std::span<const HalfSpace> faces, const Frame& frame) {
  Dual dual{faces, frame, {}, {}, {}, {}};
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const Vec3& n = faces[i].normal;
    const Long d = depth(faces[i], frame.center);
    Vec3 y;
    for (int k = 0; k < 3 && sign(d) > 0; ++k) {
      const Vec3& axis = frame.axes[k];
      const Long turned =
          Long{n.x} * Long{axis.x} + Long{n.y} * Long{axis.y} + Long{n.z} * Long{axis.z};
      y[k] = (turned / d).high;
      if (std::fabs(y[k]) < tolerance::coordinate_min) y[k] = 0;
    }
    if (sign(d) <= 0 || !(max_abs(y) <= greatest_dual)) {
      return failure(ErrorCode::degenerate,
                     "the intersection has no inside to within rounding: " + nth(i) +
                         " leaves nothing of what the others leave");
    }
    dual.depths.push_back(d.high);
    dual.points.push_back(y);
  }
  auto hull = convex_hull(dual.points);
  if (!hull) return tl::unexpected(hull.error());
  if (hull->dimension != 3) return no_inside();
  dual.hull = std::move(*hull);
  dual.degree.resize(dual.hull.vertices.size());
  for (const std::uint32_t v : dual.hull.origin) ++dual.degree[v];
  return dual;
}

/// Three corners of a dual face, in its order, far apart as seen from the center.
std::array<std::uint32_t, 3> spread_corners(const Dual& dual, std::span<const std::uint32_t> ring) {
  const auto at = [&](std::size_t i) { return dual.hull.vertices[ring[i]]; };
  const auto best = [&](auto&& measure) {
    std::size_t found = 0;
    for (std::size_t i = 1; i < ring.size(); ++i)
      if (measure(at(i)) > measure(at(found))) found = i;
    return found;
  };
  const std::size_t j = best([&](const Vec3& y) { return length_squared(y - at(0)); });
  const Vec3 side = at(j) - at(0);
  const std::size_t k =
      best([&](const Vec3& y) { return length_squared(cross(side, y - at(0))); });
  return {ring[0], ring[std::min(j, k)], ring[std::max(j, k)]};
}

/// Whether x is in all half-spaces to within a few roundings. Climbs over the dual hull to the vertex of greatest y . u, and looks at the
/// half-space there. Neighbours may be an epsilon apart: then only their difference, which has little rounding, tells the way up. A
/// step is taken where the gain is more than its rounding, so there is no going round in circles.
bool holds_everywhere(const Dual& dual, const LongVec3& x, std::uint32_t vertex) {
  const Vec3 u = dual.frame.coordinates(x);
  if (!(max_abs(u) <= greatest_corner)) return false;
  const ConvexHull& hull = dual.hull;
  for (std::uint32_t h = hull.outgoing[vertex], first = h;;) {
    const std::uint32_t next = hull.target(h);
    const Vec3 step = hull.vertices[next] - hull.vertices[vertex];
    if (dot(step, u) > 8 * epsilon * dot(abs(step), abs(u))) {
      vertex = next;
      h = first = hull.outgoing[vertex];
      continue;
    }
    h = hull.around(h);
    if (h == first) break;
  }
  const std::uint32_t id = dual.id(vertex);
  return -depth(dual.faces[id], x).high <= 8 * epsilon * dual.depths[id];
}

// --- The corners.

/// The half-spaces of the vertices near a dual face: at most so many around each of its corners.
Ids neighbourhood(const Dual& dual, std::span<const std::uint32_t> ring) {
  constexpr int most = 32;
  Ids ids;
  for (const std::uint32_t v : ring) {
    ids.push_back(dual.id(v));
    std::uint32_t h = dual.hull.outgoing[v];
    for (int k = 0; k < most; ++k) {
      ids.push_back(dual.id(dual.hull.target(h)));
      h = dual.hull.around(h);
    }
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

/// The true corner close to a sliver of the dual hull: which half-spaces meet there, by a linear program along its middle.
std::optional<std::array<std::uint32_t, 3>> true_corner(const Dual& dual,
                                                        std::span<const std::uint32_t> ring) {
  Vec3 middle;
  for (const std::uint32_t v : ring) middle += normalized(dual.faces[dual.id(v)].normal);
  const Ids ids = neighbourhood(dual, ring);
  Constraints near;
  for (const std::uint32_t i : ids) near.push_back({dual.faces[i].normal, dual.faces[i].offset});
  for (int k = 0; k < 3; ++k) {
    if (!tolerance::is_coordinate(middle[k])) middle[k] = 0;
  }
  const LinearOptimum3 found = maximize(middle, near);
  if (found.status != LinearStatus::optimal || found.proof.count != 3) return {};
  const auto& places = found.proof.indices;
  return std::array{ids[places[0]], ids[places[1]], ids[places[2]]};
}

/// One for each face of the dual hull.
struct Corners {
  std::vector<Vec3> points;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> meeting; // a corner, a half-space through it
};

double to_coordinate(const Long& x) {
  const double a = std::fabs(x.high);
  if (a >= tolerance::coordinate_min) return x.high;
  if (a <= tolerance::coordinate_min / 2) return 0;
  return x.high > 0 ? tolerance::coordinate_min : -tolerance::coordinate_min;
}

/// The corner of a dual face; false where the face does not have the center on its inside.
bool find_corner(const Dual& dual, std::span<const std::uint32_t> ring, Corners& corners) {
  const auto name = static_cast<std::uint32_t>(corners.points.size());
  const auto add = [&](const LongVec3& x) {
    corners.points.push_back({to_coordinate(x.x), to_coordinate(x.y), to_coordinate(x.z)});
    for (const std::uint32_t v : ring) corners.meeting.emplace_back(name, dual.id(v));
  };
  const std::uint32_t start = *std::min_element(
      ring.begin(), ring.end(),
      [&](std::uint32_t a, std::uint32_t b) { return dual.degree[a] < dual.degree[b]; });
  const auto [a, b, c] = spread_corners(dual, ring);

  const Meeting given = meet(dual.faces[dual.id(a)], dual.faces[dual.id(b)], dual.faces[dual.id(c)]);
  if (given.sign != 0 && holds_everywhere(dual, given.point, start)) {
    add(given.point);
    return true;
  }
  if (const auto ids = true_corner(dual, ring)) {
    const auto& [i, j, k] = *ids;
    const Meeting found = meet(dual.faces[i], dual.faces[j], dual.faces[k]);
    if (found.sign != 0 && holds_everywhere(dual, found.point, start)) {
      add(found.point);
      for (const std::uint32_t id : *ids) corners.meeting.emplace_back(name, id);
      return true;
    }
  }
  const auto& y = dual.hull.vertices;
  const Meeting rounded = meet({y[a], 1}, {y[b], 1}, {y[c], 1});
  if (rounded.sign <= 0) return false;
  const auto& u = rounded.point;
  for (const Long& component : {u.x, u.y, u.z})
    if (!(std::fabs(component.high) <= greatest_corner)) return false;
  const auto place = [&](int k, const Long& center) {
    return center + (Long{dual.frame.axes.x[k]} * u.x + Long{dual.frame.axes.y[k]} * u.y +
                     Long{dual.frame.axes.z[k]} * u.z);
  };
  const LongVec3& center = dual.frame.center;
  add({place(0, center.x), place(1, center.y), place(2, center.z)});
  return true;
}

// --- Which half-space is a face on?

/// The half-spaces through each vertex, by vertex: those of all corners that were rounded to it.
std::vector<Ids> half_spaces_of(const ConvexHull& hull, const Corners& corners) {
  const auto less = [](const Vec3& a, const Vec3& b) {
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
  };
  std::vector<std::uint32_t> order(hull.vertices.size());
  for (std::uint32_t v = 0; v < order.size(); ++v) order[v] = v;
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return less(hull.vertices[a], hull.vertices[b]);
  });
  std::vector<Ids> through(hull.vertices.size());
  for (const auto& [corner, id] : corners.meeting) {
    const Vec3& p = corners.points[corner];
    const auto found =
        std::lower_bound(order.begin(), order.end(), p,
                         [&](std::uint32_t v, const Vec3& q) { return less(hull.vertices[v], q); });
    if (found != order.end() && hull.vertices[*found] == p) through[*found].push_back(id);
  }
  for (Ids& ids : through) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  }
  return through;
}

/// Whether a vertex is on the plane of a half-space, to within what a corner may be off.
bool is_on(const HalfSpace& face, const Vec3& p, double size) {
  const Long d = depth(face, {Long{p.x}, Long{p.y}, Long{p.z}});
  return std::fabs(d.high) <=
         length(face.normal) * (64 * epsilon * size + tolerance::coordinate_min);
}

/// The first half-space through all corners of the face; else one through most of them that is no farther than rounding from the others.
std::uint32_t half_space_of(std::span<const HalfSpace> faces, const ConvexHull& hull,
                            std::size_t face, const std::vector<Ids>& through, double size) {
  const auto ring = hull.corners(face);
  Ids all;
  for (const std::uint32_t v : ring) all.insert(all.end(), through[v].begin(), through[v].end());
  std::sort(all.begin(), all.end());
  std::vector<std::pair<std::size_t, std::uint32_t>> counted; // how many corners it lacks, and which
  for (std::size_t i = 0; i < all.size();) {
    std::size_t j = i;
    while (j < all.size() && all[j] == all[i]) ++j;
    counted.emplace_back(ring.size() - (j - i), all[i]);
    i = j;
  }
  std::sort(counted.begin(), counted.end());
  constexpr std::size_t tries = 16;
  for (std::size_t k = 0; k < std::min(tries, counted.size()); ++k) {
    const auto& [lacking, id] = counted[k];
    const HalfSpace& candidate = faces[id];
    if (lacking == 0 || std::all_of(ring.begin(), ring.end(), [&](std::uint32_t v) {
          return is_on(candidate, hull.vertices[v], size);
        }))
      return id;
  }
  return static_cast<std::uint32_t>(faces.size());
}

} // namespace

Result<HalfSpaceIntersection> intersect_half_spaces(std::span<const HalfSpace> faces) {
  if (auto error = find_bad_number(faces)) return tl::unexpected(std::move(*error));
  Constraints constraints;
  for (const HalfSpace& face : faces) constraints.push_back({face.normal, face.offset});
  const auto frame = find_frame(constraints);
  if (!frame) return tl::unexpected(frame.error());
  const auto dual = find_dual(faces, *frame);
  if (!dual) return tl::unexpected(dual.error());

  Corners corners;
  for (std::size_t f = 0; f < dual->hull.face_count(); ++f)
    if (!find_corner(*dual, dual->hull.corners(f), corners)) return no_inside();
  double size = 0;
  for (const Vec3& p : corners.points) size = std::max(size, max_abs(p));
  if (!(size <= tolerance::coordinate_max)) {
    return failure(ErrorCode::out_of_range, "a corner has a coordinate beyond 1e30");
  }

  auto hull = convex_hull(corners.points);
  if (!hull) return tl::unexpected(hull.error());
  if (hull->dimension != 3) return no_inside();
  HalfSpaceIntersection result{std::move(*hull), {}};
  const std::vector<Ids> through = half_spaces_of(result.hull, corners);
  for (std::size_t f = 0; f < result.hull.face_count(); ++f)
    result.face_of.push_back(half_space_of(faces, result.hull, f, through, size));
  return result;
}

} // namespace carom
