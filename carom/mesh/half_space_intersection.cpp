// By duality. Seen from a point c inside, the half-space n . x <= d becomes the point y = n / (d - n . c), and x - c obeys it where
// y . (x - c) <= 1. So the corners of the solid are the faces of the hull of these points: x is a corner where y . (x - c) = 1 is the plane
// of a face, whose corners are the half-spaces that meet in x. Half-spaces inside of the dual hull are redundant.
//
// The y must be rounded to double for the hull, which moves each plane by an epsilon *of the whole solid*: too much for a thin one. So they are
// taken in a frame in which the solid is round (half_space_frame.h): x = c + A u, y = A^T n / (d - n . c). There |y| < 7 and |u| < 10, so rounding
// changes y . u by 35 e at most: the solid that is found, P', and the given one, P, obey (1 - 35 e) P < P' < (1 + 35 e) P about c.
//
// From P' back to P. A dual face names half-spaces, and the point common to three of them is computed from the planes as given, exactly,
// and rounded once. That it is a corner of P is confirmed: its relative excess (n . x - d) / (d - n . c) is not positive for any half-space,
// found by climbing over the dual hull, on which it is a linear function up to rounding. If rounding has led to the wrong half-spaces
// (slivers of the dual hull), the true corner nearby is the optimum of a linear program over the half-spaces around. If that too fails, the
// corner of P' itself is taken, which is as near as promised.
//
// Last the hull of the corners as doubles, exact, and which half-space each of its faces comes from.
#include "carom/mesh/half_space_intersection.h"

#include "carom/math/linear_program.h"
#include "carom/math/tolerance.h"
#include "carom/mesh/half_space_frame.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

namespace carom {
namespace {

using half_spaces::depth;
using half_spaces::Frame;
using half_spaces::Long;
using half_spaces::LongVec3;
using half_spaces::meet;
using half_spaces::Meeting;
using half_spaces::no_inside;
using tolerance::epsilon;
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

// --- The dual.

/// |y| stays below 7 and |u| below 10 where the frame is what it should be.
constexpr double greatest_dual = 16;
constexpr double greatest_corner = 32;

struct Dual {
  std::span<const HalfSpace> faces;
  Frame frame;
  std::vector<double> depths;        // per half-space, at the center
  std::vector<Vec3> points;          // per half-space: its y
  ConvexHull hull;                   // of the points
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
  const std::size_t k = best([&](const Vec3& y) { return length_squared(cross(side, y - at(0))); });
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
  std::vector<Constraint3> near;
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
  const std::uint32_t start =
      *std::min_element(ring.begin(), ring.end(), [&](std::uint32_t a, std::uint32_t b) {
        return dual.degree[a] < dual.degree[b];
      });
  const auto [a, b, c] = spread_corners(dual, ring);

  const Meeting given =
      meet(dual.faces[dual.id(a)], dual.faces[dual.id(b)], dual.faces[dual.id(c)]);
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

/// Along the outward normal of a face.
Vec3 outward(const ConvexHull& hull, std::span<const std::uint32_t> ring) {
  const Vec3& first = hull.vertices[ring[0]];
  Vec3 sum;
  for (std::size_t i = 2; i < ring.size(); ++i)
    sum += cross(hull.vertices[ring[i - 1]] - first, hull.vertices[ring[i]] - first);
  return sum;
}

/// The first half-space through all corners of the face, and on its side; else one through most of them that is no farther than rounding
/// from the others. (The side matters at the edge of a wedge, where corners may be on both its planes.)
std::uint32_t half_space_of(std::span<const HalfSpace> faces, const ConvexHull& hull,
                            std::size_t face, const std::vector<Ids>& through, double size) {
  const auto ring = hull.corners(face);
  Ids all;
  for (const std::uint32_t v : ring) all.insert(all.end(), through[v].begin(), through[v].end());
  std::sort(all.begin(), all.end());
  std::vector<std::pair<std::size_t, std::uint32_t>>
      counted; // how many corners it lacks, and which
  for (std::size_t i = 0; i < all.size();) {
    std::size_t j = i;
    while (j < all.size() && all[j] == all[i]) ++j;
    counted.emplace_back(ring.size() - (j - i), all[i]);
    i = j;
  }
  std::sort(counted.begin(), counted.end());
  const Vec3 normal = outward(hull, ring);
  constexpr std::size_t tries = 16;
  for (std::size_t k = 0; k < std::min(tries, counted.size()); ++k) {
    const auto& [lacking, id] = counted[k];
    const HalfSpace& candidate = faces[id];
    const auto on = [&](std::uint32_t v) { return is_on(candidate, hull.vertices[v], size); };
    if (dot(candidate.normal, normal) <= 0) continue;
    if (lacking == 0 || std::all_of(ring.begin(), ring.end(), on)) return id;
  }
  return static_cast<std::uint32_t>(faces.size());
}

} // namespace

Result<HalfSpaceIntersection> intersect_half_spaces(std::span<const HalfSpace> faces) {
  if (auto error = find_bad_number(faces)) return tl::unexpected(std::move(*error));
  const auto frame = half_spaces::find_frame(faces);
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
