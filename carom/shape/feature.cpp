// Each kind of core knows its own features. What they share: `normal . d` says how well a feature faces in the direction d, for faces and edges
// alike, and the best that is good enough is taken. Hulls (support_face_hull.cpp) and solids of revolution (support_face_round.cpp) have files of their own.
#include "carom/shape/feature.h"

#include "carom/geometry/triangle_normal.h"
#include "carom/shape/support.h"
#include "carom/shape/support_face.h"

namespace carom {
namespace support_faces {

// Points, segments and triangles.

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

namespace {

SupportFace feature_of(const Vec3& p, const Asked& ask) { return ask.point(p, vertex(0)); }

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

// The rest.

SupportFace feature_of(const BrushCore& b, const Asked& ask) { return feature_of(b.corners, ask); }

SupportFace feature_of(const HalfSpace& h, const Asked&) {
  return {face(0), normalized(h.normal), {}};
}

/// A surface without marks.
template<class Core>
SupportFace feature_of(const Core&, const Asked& ask) {
  return ask.point(ask.shape.core_support()(ask.d), face(0));
}

SupportFace of_core(const Asked& ask) {
  return std::visit([&](const auto& core) { return feature_of(core, ask); }, ask.shape.core());
}

} // namespace
} // namespace support_faces

SupportFace support_face(const Shape& shape, const Vec3& d, double min_cosine,
                         FaceStorage& storage) {
  const support_faces::Asked ask{shape, d, min_cosine, storage};
  if (!shape.convex())
    return ask.point(support_point(shape, d) - d * shape.rounding(), support_faces::face(0));
  return support_faces::of_core(ask);
}

} // namespace carom
