// Faces. How deep a point is in an intersection of half-spaces, its least room, is a concave function of t: the greatest is how deep the line
// goes. Where that is about zero the line is moved around, as in the header.
//
// Flat sets. A line meets a convex polygon, still does so after any move shorter than r, and does not after some longer one: r is the depth of
// the line in the prism that the polygon draws along the line. The walls of the prism are the planes through an edge e and the
// direction d; corner v is d . ((v - o) x (w - o)) / |d x e| from that of the edge v w. Its ends, for rays and segments, are the
// polygon itself, moved by where the piece begins and ends.
#include "carom/verify/check_cast.h"

#include "carom/math/expansion.h"
#include "carom/math/predicates.h"

namespace carom::verify {

using tolerance::epsilon;

namespace cast_check {

Verdict check_fields(const StraightPiece& line, const Cast& answer, bool endless,
                     double tolerance) {
  if (!std::isfinite(answer.t) || !is_finite(answer.point) || !is_finite(answer.normal)) {
    return Verdict::no("the hit is not finite");
  }
  if (!(answer.t >= line.low && answer.t <= line.high)) return Verdict::no("t is out of range");
  if (const double e = length(answer.point - line.at(answer.t)); !(e <= tolerance)) {
    return off("the point is off the line", e, tolerance);
  }
  const bool point = line.direction == Vec3{}; // it is in with every t, or not at all
  if (answer.inside) {
    if (answer.normal != Vec3{}) return Verdict::no("inside, but with a normal");
    if ((!line.is_line() || point) && answer.t != 0) {
      return Verdict::no("inside, but not at the start");
    }
    if (line.is_line() && !point && !endless) {
      return Verdict::no("inside, but the set does not reach to where the line comes from");
    }
    if (answer.t == 0 && answer.point != line.origin) return Verdict::no("not the start");
    return Verdict::yes();
  }
  if (point) return Verdict::no("a point enters nowhere: it is inside or misses");
  // A length and a division by it, and as much for axes that are unit vectors up to rounding.
  if (!(std::fabs(length(answer.normal) - 1) <= 8 * epsilon)) {
    return Verdict::no("not a unit normal");
  }
  return Verdict::yes();
}

} // namespace cast_check

namespace {

using cast_check::free;
using cast_check::leaves;
using cast_check::move;
using predicate::Row3;
using Real = long double;

// ---- faces

Real room(const HalfSpace& h, const StraightPiece& line, Real t) {
  Real sum = h.offset;
  for (int i = 0; i < 3; ++i)
    sum -= static_cast<Real>(h.normal[i]) * (line.origin[i] + t * line.direction[i]);
  return sum;
}

// A hit's normal belongs to a face through the point.
bool is_on_face(const Cast& answer, std::span<const HalfSpace> faces, double tolerance) {
  return std::any_of(faces.begin(), faces.end(), [&](const HalfSpace& h) {
    return length(h.normal - answer.normal) <= 8 * epsilon &&
           std::fabs(h.signed_distance(answer.point)) <= tolerance;
  });
}

// Where the line is deepest, as far as the coordinates' own size reaches.
struct Deepest {
  Real depth = -INFINITY, t = 0;
};
Deepest deepest(const StraightPiece& line, std::span<const HalfSpace> faces) {
  const double l = length(line.direction);
  double size = length(line.origin);
  for (const HalfSpace& h : faces) size = std::max(size, std::fabs(h.offset));
  const Real reach = l > 0 ? Real{1e3} * size / l : 0;
  Real low = std::max<Real>(line.low, -reach), high = std::min<Real>(line.high, reach);
  if (!(low <= high)) return {};
  const auto least = [&](Real t) {
    Real r = INFINITY;
    for (const HalfSpace& h : faces) r = std::min(r, room(h, line, t));
    return r;
  };
  for (int i = 0; i < 200; ++i) {
    const Real a = low + (high - low) / 3, b = high - (high - low) / 3;
    (least(a) < least(b) ? low : high) = least(a) < least(b) ? a : b;
  }
  return least(low) > least(high) ? Deepest{least(low), low} : Deepest{least(high), high};
}

// A line that comes from infinity within all faces: its t is 0 where that is in, else where it leaves.
Verdict check_endless(const StraightPiece& line, std::span<const HalfSpace> faces,
                      const Cast& answer, double tolerance) {
  if (answer.t == 0) return Verdict::yes();
  const bool leaving = std::any_of(faces.begin(), faces.end(), [&](const HalfSpace& h) {
    return dot(h.normal, line.direction) > 0 &&
           std::fabs(h.signed_distance(answer.point)) <= tolerance;
  });
  if (answer.t < 0 && leaving) return Verdict::yes();
  return Verdict::no("inside, but another t in the set is nearer to 0");
}

// ---- flat sets

Row3<Expansion<2>> exact_difference(const Vec3& a, const Vec3& b) {
  return {carom::exact_difference(a.x, b.x), carom::exact_difference(a.y, b.y),
          carom::exact_difference(a.z, b.z)};
}
Row3<Expansion<1>> exact(const Vec3& v) { return {v.x, v.y, v.z}; }
template<class U, class V>
auto exact_cross(const Row3<U>& a, const Row3<V>& b) {
  using R = decltype(a.y * b.z - a.z * b.y);
  return Row3<R>{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template<class T>
Vec3 rounded(const Row3<T>& v) {
  return {v.x.estimate(), v.y.estimate(), v.z.estimate()};
}

// Of the largest triangle around the first corner, exact; null where none has an area.
struct FlatPlane {
  Row3<Expansion<16>> normal;
  double length = 0;
};
FlatPlane plane_of(std::span<const Vec3> corners) {
  FlatPlane best;
  for (std::size_t i = 2; i < corners.size(); ++i) {
    const auto n = exact_cross(exact_difference(corners[i - 1], corners[0]),
                               exact_difference(corners[i], corners[0]));
    if (const double l = length(rounded(n)); l > best.length) best = {n, l};
  }
  return best;
}

// The least distance from the walls, 0 or less where the line passes by.
double depth_in_walls(const StraightPiece& line, std::span<const Vec3> corners) {
  double left = INFINITY, right = INFINITY; // the polygon may go around the line either way
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec3 &v = corners[i], &w = corners[(i + 1) % corners.size()];
    const auto d = exact(line.direction);
    const double wide = length(rounded(exact_cross(d, exact_difference(w, v))));
    if (!(wide > 0)) continue; // no edge, or along the line: its neighbours meet there
    const auto moment =
        exact_cross(exact_difference(v, line.origin), exact_difference(w, line.origin));
    const double s = predicate::inner(d, moment).estimate() / wide;
    left = std::min(left, s);
    right = std::min(right, -s);
  }
  const double depth = std::max(left, right);
  return depth < INFINITY ? depth : 0;
}

double flat_depth(const StraightPiece& line, std::span<const Vec3> corners) {
  const FlatPlane plane = plane_of(corners);
  if (!(plane.length > 0)) return 0;
  const double speed =
      predicate::inner(plane.normal, exact(line.direction)).estimate() / plane.length;
  const double ahead =
      predicate::inner(plane.normal, exact_difference(corners[0], line.origin)).estimate() /
      plane.length;
  if (speed == 0) return 0;
  // At t the line is speed * t - ahead past the plane.
  const double way = speed > 0 ? 1 : -1;
  const double begin = line.low > -INFINITY ? (ahead - speed * line.low) * way : INFINITY;
  const double end = line.high < INFINITY ? (speed * line.high - ahead) * way : INFINITY;
  return std::min({begin, end, depth_in_walls(line, corners)});
}

// The unit direction at right angles to the line in which the corners spread, where they and the line are exactly in one plane; else
// zero.
Vec3 side_in_plane(const StraightPiece& line, std::span<const Vec3> corners) {
  const Vec3 forward = normalized_or(line.direction, {});
  Vec3 best;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec3 &v = corners[i], &w = corners[(i + 1) % corners.size()];
    if (exact::orient3d_direction(line.origin, line.direction, v, w) != 0) return {};
    const Vec3 across = cross(cross(forward, v - corners[0]), forward);
    if (length_squared(across) > length_squared(best)) best = across;
  }
  return forward == Vec3{} ? Vec3{} : normalized_or(best, {});
}

} // namespace

Verdict cast_check::check_flat_miss(const StraightPiece& line, std::span<const Vec3> corners,
                                    bool exact, double tolerance) {
  if (const double e = flat_depth(line, corners); e > tolerance) {
    return off("it runs through the set unseen", e, tolerance);
  }
  const Vec3 side = exact ? side_in_plane(line, corners) : Vec3{};
  if (side == Vec3{}) return Verdict::yes();
  const Vec3 forward = normalized(line.direction);
  const auto meets = [&](const Vec3& by) {
    return approach(line.moved(by), Polygon{corners}, free * tolerance).meets;
  };
  if (!meets({})) return Verdict::yes();
  for (int i = 0; i < 25; ++i) {
    const double x = i % 5 - 2.0, y = i / 5 - 2.0;
    const Vec3 by = normalized_or(forward * x + side * y, {}) * (move * tolerance);
    if (!meets(by)) return Verdict::yes();
  }
  return Verdict::no("it runs through the set unseen, in its plane");
}

Verdict check_faces_cast(const StraightPiece& line, std::span<const HalfSpace> faces,
                         const Cast& answer, double tolerance) {
  if (!answer.hit) {
    const double within = free * tolerance;
    const Deepest d = deepest(line, faces);
    const auto meets = [&](const StraightPiece& moved) {
      return deepest(moved, faces).depth >= -within;
    };
    const auto off_set = [&](const Vec3& p) {
      double off = -INFINITY;
      for (const HalfSpace& h : faces) off = std::max(off, h.signed_distance(p));
      return off - within;
    };
    if (d.depth < -within ||
        leaves(line, line.at(static_cast<double>(d.t)), move * tolerance, meets, off_set)) {
      return Verdict::yes();
    }
    return Verdict::no("it misses, but runs through the set");
  }
  const double level = 4 * epsilon * length(line.direction);
  const bool endless = std::all_of(faces.begin(), faces.end(), [&](const HalfSpace& h) {
    return dot(h.normal, line.direction) >= -level;
  });
  if (Verdict v = cast_check::check_fields(line, answer, endless, tolerance); !v) return v;
  for (const HalfSpace& h : faces) {
    if (const double e = h.signed_distance(answer.point); !(e <= tolerance)) {
      return cast_check::off("the point is off the set", e, tolerance);
    }
  }
  if (answer.inside) {
    return line.is_line() ? check_endless(line, faces, answer, tolerance) : Verdict::yes();
  }
  if (!is_on_face(answer, faces, tolerance)) {
    return Verdict::no("no face with this normal goes through the point");
  }
  if (!(dot(answer.normal, line.direction) <= level)) {
    return Verdict::no("the normal does not face the line");
  }
  return Verdict::yes();
}

Verdict check_cast(const StraightPiece& line, const HalfSpace& half_space, const Cast& answer,
                   double tolerance) {
  return check_faces_cast(line, std::span(&half_space, 1), answer, tolerance);
}

Verdict check_cast(const StraightPiece& line, const Plane& plane, const Cast& answer,
                   double tolerance) {
  const std::array<HalfSpace, 2> faces{HalfSpace{plane.normal, plane.offset},
                                       HalfSpace{-plane.normal, -plane.offset}};
  return check_faces_cast(line, faces, answer, tolerance);
}

} // namespace carom::verify
