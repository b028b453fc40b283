// Each kind of core knows its own features. What they share: `normal . d` says how well a feature faces in the direction d, for faces and edges
// alike, and the best that is good enough is taken.
#include "carom/shape/feature.h"

#include "carom/geometry/support.h"
#include "carom/geometry/triangle_normal.h"
#include "carom/math/tolerance.h"
#include "carom/shape/support.h"

#include <algorithm>

namespace carom {
namespace {

using Index = std::uint32_t;
constexpr Index rim_points = 16;

/// How far a corner may be off a face's plane, in parts of the size, and still count as on it: a few roundings of coordinates.
constexpr double coplanar = 16 * tolerance::epsilon;

Feature vertex(Index id) { return {FeatureKind::vertex, id}; }
Feature edge(Index id) { return {FeatureKind::edge, id}; }
Feature face(Index id) { return {FeatureKind::face, id}; }

/// The unit vector nearest to d at right angles to the unit vector u; any such where they are parallel to within rounding. Twice, because the first difference loses
/// its bits where they are nearly parallel.
Vec3 across(const Vec3& u, const Vec3& d) {
  const Vec3 rest = normalized_or(d - u * dot(u, d), u);
  const Vec3 m = std::fabs(dot(u, rest)) < 0.5 ? rest : perpendicular(u);
  return normalized(m - u * dot(u, m));
}

struct Asked {
  const Shape& shape;
  const Vec3& d;
  double min_cosine;
  FaceStorage& storage;

  [[nodiscard]] bool faces(const Vec3& normal) const { return dot(normal, d) >= min_cosine; }

  [[nodiscard]] SupportFace point(const Vec3& p, const Feature& at) const {
    storage.few[0] = {p, at, at};
    return {at, d, std::span(storage.few).first(1)};
  }
  [[nodiscard]] SupportFace line(const FaceCorner& from, const FaceCorner& to,
                                 const Vec3& normal) const {
    storage.few[0] = from;
    storage.few[1] = to;
    return {from.side, normal, std::span(storage.few).first(2)};
  }
};

// Points, segments and triangles.

SupportFace feature_of(const Vec3& p, const Asked& ask) { return ask.point(p, vertex(0)); }

SupportFace feature_of(const Segment& s, const Asked& ask) {
  const Vec3 u = normalized_or(s.b - s.a, {});
  const Vec3 m = across(u, ask.d);
  if (u != Vec3{} && ask.faces(m)) {
    SupportFace f = ask.line({s.a, vertex(0), edge(0)}, {s.b, vertex(1), edge(0)}, m);
    f.turn_radius = 0;
    return f;
  }
  const bool at_b = dot(u, ask.d) > 0;
  return ask.point(at_b ? s.b : s.a, vertex(at_b ? 1 : 0));
}

SupportFace feature_of(const Triangle& t, const Asked& ask) {
  const std::array<Vec3, 3> p{t.a, t.b, t.c};
  const Vec3 n = normalized_or(triangle_normal(t.a, t.b, t.c), {});
  const bool up = dot(n, ask.d) > 0;
  const Vec3 outward = up ? n : -n;
  if (n != Vec3{} && ask.faces(outward)) {
    for (Index i = 0; i < 3; ++i) {
      const Index k = up ? i : 2 - i;
      ask.storage.few[i] = {p[k], vertex(k), edge(up ? k : (k + 2) % 3)};
    }
    return {face(up ? 0 : 1), outward, std::span(ask.storage.few).first(3)};
  }
  Index v = 0;
  for (Index i = 1; i < 3; ++i) {
    if (dot(ask.d, p[i] - p[v]) > 0) v = i;
  }
  // The two edges at the farthest corner: the one that faces d better, if the third corner is behind it.
  const double slack = coplanar * ask.shape.size();
  double best = ask.min_cosine;
  Index found = 3;
  Vec3 normal;
  for (const Index k : {v, (v + 2) % 3}) {
    const Vec3 u = normalized_or(p[(k + 1) % 3] - p[k], {});
    const Vec3 m = across(u, ask.d);
    if (u == Vec3{} || !(dot(m, ask.d) >= best)) continue;
    if (dot(m, p[(k + 2) % 3] - p[v]) > slack) continue;
    best = dot(m, ask.d);
    found = k;
    normal = m;
  }
  if (found == 3) return ask.point(p[v], vertex(v));
  const Index to = (found + 1) % 3;
  return ask.line({p[found], vertex(found), edge(found)}, {p[to], vertex(to), edge(found)}, normal);
}

// Boxes.

/// The corners of a box's face, counter-clockwise from outside: along the axis after the face's, then along the one after that.
void box_face(const Obb& box, int axis, bool far_end, const Asked& ask) {
  const int u = (axis + 1) % 3;
  const int v = (axis + 2) % 3;
  const auto bit = [](int i) { return 1u << static_cast<unsigned>(i); };
  const Index base = far_end ? bit(axis) : 0;
  const std::array<Index, 4> ring{base, base | bit(u), base | bit(u) | bit(v), base | bit(v)};
  for (Index i = 0; i < 4; ++i) {
    const Index k = far_end ? i : 3 - i;
    const Index from = ring[k];
    const Index to = ring[far_end ? (k + 1) % 4 : (k + 3) % 4];
    const int along = (from ^ to) == bit(u) ? u : v;
    const Index after = from >> static_cast<unsigned>((along + 1) % 3) & 1u;
    const Index last = from >> static_cast<unsigned>((along + 2) % 3) & 1u;
    ask.storage.few[i] = {box.corner(static_cast<int>(from)), vertex(from),
                          edge(4 * static_cast<Index>(along) + after + 2 * last)};
  }
}

SupportFace feature_of(const Obb& box, const Asked& ask) {
  const Vec3 d = transpose_mul(box.axes, ask.d);
  const int axis = largest_axis(d);
  const bool far_end = d[axis] > 0;
  const Vec3 normal = far_end ? box.axes[axis] : -box.axes[axis];
  if (ask.faces(normal)) {
    box_face(box, axis, far_end, ask);
    return {face(2 * static_cast<Index>(axis) + (far_end ? 1 : 0)), normal,
            std::span(ask.storage.few).first(4)};
  }
  const int along = smallest_axis(d);
  const auto farthest =
      static_cast<Index>((d.x > 0 ? 1 : 0) | (d.y > 0 ? 2 : 0) | (d.z > 0 ? 4 : 0));
  const Vec3 m = across(box.axes[along], ask.d);
  if (!ask.faces(m)) return ask.point(box.corner(static_cast<int>(farthest)), vertex(farthest));
  const Index bit = 1u << static_cast<unsigned>(along);
  const Index from = farthest & ~bit;
  const Index after = from >> static_cast<unsigned>((along + 1) % 3) & 1u;
  const Index last = from >> static_cast<unsigned>((along + 2) % 3) & 1u;
  const Feature e = edge(4 * static_cast<Index>(along) + after + 2 * last);
  return ask.line({box.corner(static_cast<int>(from)), vertex(from), e},
                  {box.corner(static_cast<int>(from | bit)), vertex(from | bit), e}, m);
}

// Hulls.

class HullFeatures {
public:
  HullFeatures(const Polytope& polytope, const Asked& ask)
      : hull_(polytope.hull()), planes_(polytope.planes()), ask_(ask),
        slack_(coplanar * ask.shape.size()), at_(polytope.farthest(ask.d)) {}

  [[nodiscard]] SupportFace find() {
    if (hull_.dimension == 0) return ask_.point(hull_.vertices[0], vertex(0));
    if (hull_.dimension == 1) {
      return feature_of(Segment{hull_.vertices[0], hull_.vertices[1]}, ask_);
    }
    if (find_face()) {
      find_largest();
      return outline();
    }
    return best_edge();
  }

private:
  /// The face at the farthest vertex that faces d best, if well enough.
  bool find_face() {
    double best = ask_.min_cosine;
    bool found = false;
    for_each_around(at_, [&](Index h) {
      const Index f = hull_.face[h];
      const double cosine = dot(planes_[f].normal, ask_.d);
      if (!(cosine >= best)) return;
      best = cosine;
      face_ = f;
      found = true;
    });
    return found;
  }

  /// Where rounding broke a face into many, slivers among them, the largest neighbour that has all of it in its plane says best what the plane is.
  void find_largest() {
    for (std::size_t step = 0; step < hull_.face_count(); ++step) {
      Index larger = face_;
      for (Index h = hull_.face_begin[face_]; h < hull_.face_begin[face_ + 1]; ++h) {
        const Index g = hull_.face[hull_.twin[h]];
        if (ask_.faces(planes_[g].normal) && in_plane(face_, g) && area(g) > area(larger))
          larger = g;
      }
      if (larger == face_) return;
      face_ = larger;
    }
  }

  /// Twice the area of a face.
  [[nodiscard]] double area(Index f) const {
    const auto c = hull_.corners(f);
    Vec3 sum;
    for (std::size_t i = 1; i + 1 < c.size(); ++i) {
      sum += cross(hull_.vertices[c[i]] - hull_.vertices[c[0]],
                   hull_.vertices[c[i + 1]] - hull_.vertices[c[0]]);
    }
    return length(sum);
  }

  /// The half-edges that leave v.
  template<class Visit>
  void for_each_around(Index v, Visit&& visit) const {
    const Index first = hull_.outgoing[v];
    Index h = first;
    do {
      visit(h);
      h = hull_.around(h);
    } while (h != first);
  }

  /// Whether all corners of face f lie in the plane of face g, to within rounding, and f is not its back.
  [[nodiscard]] bool in_plane(Index f, Index g) const {
    const HalfSpace& plane = planes_[g];
    if (!(dot(planes_[f].normal, plane.normal) > 0.5)) return false;
    const auto corners = hull_.corners(f);
    return std::all_of(corners.begin(), corners.end(), [&](Index v) {
      return plane.offset - dot(plane.normal, hull_.vertices[v]) <= slack_;
    });
  }
  /// Whether face f is part of the one that was found.
  [[nodiscard]] bool continues(Index f) const { return f == face_ || in_plane(f, face_); }

  /// Whether the outline begins with half-edge h.
  [[nodiscard]] bool on_outline(Index h) const {
    return continues(hull_.face[h]) && !continues(hull_.face[hull_.twin[h]]);
  }

  /// A half-edge of the outline. Mostly the best face has one. Where it is all among others of the same plane: from vertex to vertex, always farther along some
  /// direction in the plane, until one has a face that turns away.
  [[nodiscard]] Index outline_start() const {
    for (Index h = hull_.face_begin[face_]; h < hull_.face_begin[face_ + 1]; ++h) {
      if (on_outline(h)) return h;
    }
    const Vec3 away = perpendicular(planes_[face_].normal);
    Index v = hull_.origin[hull_.face_begin[face_]];
    for (std::size_t step = 0; step < hull_.vertices.size(); ++step) {
      Index found = ConvexHull::none;
      Index next = v;
      for_each_around(v, [&](Index h) {
        if (found == ConvexHull::none && on_outline(h)) found = h;
        const Vec3& target = hull_.vertices[hull_.target(h)];
        if (dot(away, target - hull_.vertices[next]) > 0) next = hull_.target(h);
      });
      if (found != ConvexHull::none) return found;
      if (next == v) break;
      v = next;
    }
    return ConvexHull::none;
  }

  /// The half-edge of the outline after h.
  [[nodiscard]] Index outline_next(Index h, Index& lowest_face) const {
    Index n = hull_.next(h);
    for (std::size_t step = 0; step < hull_.origin.size(); ++step) {
      lowest_face = std::min(lowest_face, hull_.face[n]);
      if (!continues(hull_.face[hull_.twin[n]])) break;
      n = hull_.around(n);
    }
    return n;
  }

  SupportFace outline() {
    const Index first = outline_start();
    if (first == ConvexHull::none) return ask_.point(hull_.vertices[at_], vertex(at_));
    Index lowest_face = face_;
    std::size_t count = 0;
    ask_.storage.many.clear();
    Index h = first;
    do {
      const FaceCorner corner{hull_.vertices[hull_.origin[h]], vertex(hull_.origin[h]), edge_of(h)};
      push(corner, count++);
      h = outline_next(h, lowest_face);
    } while (h != first && count < hull_.origin.size());
    const bool few = count <= ask_.storage.few.size();
    return {face(lowest_face), planes_[face_].normal,
            few ? std::span(ask_.storage.few).first(count) : std::span(ask_.storage.many)};
  }

  void push(const FaceCorner& corner, std::size_t count) const {
    auto& [few, many] = ask_.storage;
    if (count < few.size()) {
      few[count] = corner;
      return;
    }
    if (count == few.size()) many.assign(few.begin(), few.end());
    many.push_back(corner);
  }

  [[nodiscard]] Feature edge_of(Index h) const { return edge(std::min(h, hull_.twin[h])); }

  /// The edge at the farthest vertex that faces d best, if well enough, and if both faces beside it are behind its normal.
  SupportFace best_edge() {
    const Vec3& p = hull_.vertices[at_];
    double best = ask_.min_cosine;
    Index found = ConvexHull::none;
    Vec3 normal;
    for_each_around(at_, [&](Index h) {
      const Vec3 u = normalized(hull_.vertices[hull_.target(h)] - p);
      const Vec3 m = across(u, ask_.d);
      if (!(dot(m, ask_.d) >= best)) return;
      for (const Index side : {h, hull_.twin[h]}) {
        const Vec3& third = hull_.vertices[hull_.target(hull_.next(side))];
        if (dot(m, third - p) > slack_) return;
      }
      best = dot(m, ask_.d);
      found = h;
      normal = m;
    });
    if (found == ConvexHull::none) return ask_.point(p, vertex(at_));
    // From the origin of the lower half-edge, so that the direction does not depend on which end is farthest.
    const Index h = std::min(found, hull_.twin[found]);
    const Index from = hull_.origin[h];
    const Index to = hull_.target(h);
    return ask_.line({hull_.vertices[from], vertex(from), edge(h)},
                     {hull_.vertices[to], vertex(to), edge(h)}, normal);
  }

  const ConvexHull& hull_;
  std::span<const HalfSpace> planes_;
  const Asked& ask_;
  double slack_;
  Index at_;
  Index face_ = 0;
};

SupportFace feature_of(const Polytope& p, const Asked& ask) { return HullFeatures(p, ask).find(); }
SupportFace feature_of(const BrushCore& b, const Asked& ask) { return feature_of(b.corners, ask); }

// Solids of revolution.

/// A disc's polygon, counter-clockwise seen from the tip of `normal`; features numbered from `base`.
SupportFace disc(const Vec3& center, const Vec3& normal, const Vec3& axis, double radius,
                 Index base, const Feature& feature, const Asked& ask) {
  // cos(k pi / 8) for k = 0 .. 4.
  static constexpr std::array<double, 5> cosine{1, 0.92387953251128674, 0.70710678118654752,
                                                0.38268343236508977, 0};
  const Vec3 u = perpendicular(axis) * radius;
  const Vec3 v = cross(axis, u);
  const auto cos_at = [](Index k) {
    const Index q = k % 16;
    const Index folded = q > 8 ? 16 - q : q;
    return folded > 4 ? -cosine[8 - folded] : cosine[folded];
  };
  const bool along = dot(normal, axis) > 0;
  for (Index i = 0; i < rim_points; ++i) {
    const Index k = along ? i : rim_points - 1 - i;
    const Index arc = along ? k : (k + rim_points - 1) % rim_points;
    ask.storage.few[i] = {center + u * cos_at(k) + v * cos_at(k + 12), vertex(base + k),
                          edge(base + arc)};
  }
  return {feature, normal, std::span(ask.storage.few)};
}

SupportFace feature_of(const Cylinder& c, const Asked& ask) {
  const double along = dot(c.axis, ask.d);
  const Vec3 w = across(c.axis, ask.d);
  const Index end = along > 0 ? 1 : 0;
  const Vec3 cap = c.center + c.axis * (end ? c.half_height : -c.half_height);
  const Vec3 outward = end ? c.axis : -c.axis;
  const bool cap_is_better = dot(outward, ask.d) >= dot(w, ask.d);
  if (cap_is_better && ask.faces(outward)) {
    return disc(cap, outward, c.axis, c.radius, rim_points * end, face(end), ask);
  }
  const Vec3 out = w * c.radius;
  if (ask.faces(w)) {
    SupportFace f = ask.line(
        {c.center - c.axis * c.half_height + out, vertex(2 * rim_points), edge(2 * rim_points)},
        {c.center + c.axis * c.half_height + out, vertex(2 * rim_points + 1), edge(2 * rim_points)},
        w);
    f.turn_radius = c.radius;
    return f;
  }
  return ask.point(cap + out, edge(2 * rim_points + 1 + end));
}

SupportFace feature_of(const Cone& c, const Asked& ask) {
  const double along = dot(c.axis, ask.d);
  const Vec3 w = across(c.axis, ask.d);
  const Vec3 base = c.base_center();
  const Vec3 side = normalized_or(w * c.height - c.axis * c.radius, w);
  const Vec3 out = w * c.radius;
  if (along >= dot(side, ask.d) && ask.faces(c.axis)) {
    return disc(base, c.axis, c.axis, c.radius, 0, face(0), ask);
  }
  if (ask.faces(side)) {
    return ask.line({c.apex, vertex(rim_points), edge(rim_points)},
                    {base + out, vertex(rim_points + 1), edge(rim_points)}, side);
  }
  const bool at_apex = dot(ask.d, base + out - c.apex) < 0;
  return at_apex ? ask.point(c.apex, vertex(rim_points))
                 : ask.point(base + out, edge(rim_points + 1));
}

SupportFace feature_of(const TaperedCapsule& c, const Asked& ask) {
  const Vec3 between = c.b - c.a;
  const double l = length(between);
  const double sine = (c.radius_a - c.radius_b) / l;
  if (std::fabs(sine) < 1) {
    const Vec3 u = between / l;
    const Vec3 w = across(u, ask.d);
    const Vec3 m = normalized(u * sine + w * std::sqrt((1 - sine) * (1 + sine)));
    if (ask.faces(m)) {
      return ask.line({c.a + m * c.radius_a, vertex(0), edge(0)},
                      {c.b + m * c.radius_b, vertex(1), edge(0)}, m);
    }
  }
  const bool at_b = dot(ask.d, between) + (c.radius_b - c.radius_a) > 0;
  const Vec3 p = at_b ? c.b + ask.d * c.radius_b : c.a + ask.d * c.radius_a;
  return ask.point(p, vertex(at_b ? 1 : 0));
}

// The rest.

SupportFace feature_of(const HalfSpace& h, const Asked&) {
  return {face(0), normalized(h.normal), {}};
}

/// A surface without marks.
template<class Core>
SupportFace feature_of(const Core&, const Asked& ask) {
  return ask.point(ask.shape.core_support()(ask.d), face(0));
}

} // namespace

SupportFace support_face(const Shape& shape, const Vec3& d, double min_cosine,
                         FaceStorage& storage) {
  const Asked ask{shape, d, min_cosine, storage};
  return std::visit([&](const auto& core) { return feature_of(core, ask); }, shape.core());
}

} // namespace carom
