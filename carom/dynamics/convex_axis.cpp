// The gap of two polytopes, as a function of the direction, has its greatest value along the normal of a face of one of them, or at right angles to an edge of each, where both edges are what is farthest: where
// their arcs between the normals of the adjoining faces cross.
//
// Most of these need no look. With a ball of radius r around c in each shape, no direction n has a gap above n . (c_B - c_A) - r_A - r_B. So what does not point from the one centre to the other, within a cone
// that is the narrower the rounder the shapes are, cannot be better than the best so far.
#include "carom/dynamics/convex_axis.h"

#include <algorithm>

namespace carom {
namespace {

constexpr double least_sine = 1e-3; // of two edges: those nearly parallel have the axes of faces

/// Bounds the gap of directions from above. In floats: a little is added for their rounding.
struct GapBound {
  Vec3 between;
  double radii;
  using Faces = std::array<float, ConvexForm::most_faces>;

  /// What a direction must reach along `between` to have a gap above `gap`.
  [[nodiscard]] float least(double gap) const {
    return static_cast<float>(gap + radii - 1e-6 * (length(between) + radii));
  }
  /// Of all normals of an edge.
  [[nodiscard]] static float most(const Faces& faces, const ConvexForm::Edge& e) {
    const float farther = std::max(faces[e.left], faces[e.right]);
    return farther > 0 ? farther * e.spread : farther;
  }
};

GapBound bound_of(const ConvexForm& a, const PlacedForm& b) {
  return {b.frame.to_world(b.form.inner().center) - a.inner().center,
          a.inner().radius + b.form.inner().radius};
}

/// An edge of one of the two, in A's frame.
struct PlacedEdge {
  Vec3 from, direction, left, right;
};

/// A few that may have the axis. Beyond what there is room for, none is left out: the rest is what a form has at most.
class EdgeList {
public:
  static constexpr std::size_t most = 3 * ConvexForm::most_vertices - 6;

  EdgeList() {} // NOLINT(modernize-use-equals-default): the storage is not to be cleared
  void push(const PlacedEdge& e) { items_[count_++].edge = e; }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] const PlacedEdge& operator[](std::size_t i) const { return items_[i].edge; }

private:
  union Item {
    PlacedEdge edge;
    Item() {} // NOLINT(modernize-use-equals-default)
  };
  Item items_[most];
  std::size_t count_ = 0;
};

/// The edges of a form that may have an axis with a gap above `gap`; `faces`: how far their outward normals point along the way from the one to the other.
void list_edges(const ConvexForm& form, const Frame* frame, const GapBound::Faces& faces,
                float least, EdgeList& list) {
  for (const ConvexForm::Edge& e : form.edges()) {
    if (!(GapBound::most(faces, e) > least)) continue;
    const Vec3 &left = form.planes()[e.left].normal, &right = form.planes()[e.right].normal;
    const Vec3& from = form.vertices()[e.from];
    const Vec3 direction = normalized(form.vertices()[e.to] - from);
    if (frame)
      list.push({frame->to_world(from), frame->direction_to_world(direction),
                 frame->direction_to_world(left), frame->direction_to_world(right)});
    else
      list.push({from, direction, left, right});
  }
}

/// Where two lines come nearest to each other.
void set_points(MeetingAxis& axis, const Vec3& p, const Vec3& u, const Vec3& q, const Vec3& v) {
  const Vec3 r = p - q;
  const double uv = dot(u, v), ur = dot(u, r), vr = dot(v, r);
  const double whole = 1 - uv * uv;
  const double s = (uv * vr - ur) / whole;
  axis.on_a = p + u * s;
  axis.on_b = axis.on_a + axis.normal * axis.gap;
}

bool crosses(const Vec3& left, const Vec3& right, const Vec3& along) {
  return dot(left, along) * dot(right, along) < 0;
}

/// A unit vector at right angles to both, out of the first edge. Zero where they are nearly parallel.
Vec3 across(const PlacedEdge& e, const Vec3& other) {
  const Vec3 n = cross(e.direction, other);
  const double l = length(n);
  if (!(l > least_sine)) return {};
  return n * ((dot(n, e.left + e.right) < 0 ? -1 : 1) / l);
}

void try_faces_of_a(const ConvexForm& a, const PlacedForm& b, const GapBound& bound,
                    const GapBound::Faces& faces, MeetingAxis& best) {
  for (std::size_t i = 0; i < a.planes().size(); ++i) {
    if (!(faces[i] > bound.least(best.gap))) continue;
    const ConvexForm::Plane& p = a.planes()[i];
    const Vec3 on_b = b.support(-p.normal);
    const double gap = dot(p.normal, on_b) - p.offset;
    if (gap > best.gap) best = {p.normal, gap, on_b - p.normal * gap, on_b};
  }
}

void try_faces_of_b(const ConvexForm& a, const PlacedForm& b, const GapBound& bound,
                    const GapBound::Faces& faces, MeetingAxis& best) {
  for (std::size_t i = 0; i < b.form.planes().size(); ++i) {
    if (!(faces[i] > bound.least(best.gap))) continue;
    const ConvexForm::Plane& p = b.form.planes()[i];
    const Vec3 n = -b.frame.direction_to_world(p.normal);
    const Vec3 on_a = a.support(n);
    const double gap = dot(n, b.frame.origin) - p.offset - dot(n, on_a);
    if (gap > best.gap) best = {n, gap, on_a, on_a + n * gap};
  }
}

void try_edges(const EdgeList& of_a, const EdgeList& of_b, bool b_has_faces, double enough,
               MeetingAxis& best) {
  double least = best.gap + enough;
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    const PlacedEdge& e = of_a[i];
    for (std::size_t k = 0; k < of_b.size(); ++k) {
      const PlacedEdge& f = of_b[k];
      if (!crosses(e.left, e.right, f.direction)) continue;
      if (b_has_faces && !crosses(f.left, f.right, e.direction)) continue;
      const Vec3 n = across(e, f.direction);
      if (b_has_faces && !(dot(n, f.left + f.right) < 0)) continue;
      const double gap = dot(n, f.from - e.from);
      if (!(gap > least) || n == Vec3{}) continue;
      least = gap;
      best = {n, gap, {}, {}};
      set_points(best, e.from, e.direction, f.from, f.direction);
    }
  }
}

/// Where neither is a solid: all directions that it may be.
template<class B>
MeetingAxis best_of(const ConvexForm& a, const B& b, std::span<const Vec3> axes,
                    const MeetingAxis& start) {
  MeetingAxis best = start;
  for (const Vec3& axis : axes) {
    const double l = length(axis);
    if (!(l > 1e-9)) continue;
    for (const double sign : {1.0, -1.0}) {
      const MeetingAxis here = measured(a, b, axis * (sign / l));
      if (here.gap > best.gap) best = here;
    }
  }
  return best;
}

Vec3 along(const ConvexForm& form) {
  return form.dimension() == 1 ? normalized(form.vertices()[1] - form.vertices()[0]) : Vec3{};
}

} // namespace

MeetingAxis deepest_axis(const ConvexForm& a, const PlacedForm& b, const MeetingAxis& start,
                         double enough) {
  if (a.dimension() < 3 && b.form.dimension() < 3) {
    const Vec3 u = along(a), v = b.frame.direction_to_world(along(b.form));
    const std::array<Vec3, 3> axes{cross(u, v), perpendicular(u), perpendicular(v)};
    return best_of(a, b, axes, start);
  }
  MeetingAxis best = start;
  const GapBound bound = bound_of(a, b);
  GapBound::Faces of_faces_a, of_faces_b;
  a.faces_along(bound.between, of_faces_a);
  b.form.faces_along(-b.frame.direction_to_local(bound.between), of_faces_b);
  try_faces_of_a(a, b, bound, of_faces_a, best);
  try_faces_of_b(a, b, bound, of_faces_b, best);
  EdgeList of_a, of_b;
  if (a.dimension() == 3) list_edges(a, nullptr, of_faces_a, bound.least(best.gap), of_a);
  if (b.form.dimension() == 3)
    list_edges(b.form, &b.frame, of_faces_b, bound.least(best.gap), of_b);
  if (a.dimension() == 3 && b.form.dimension() == 1)
    of_b.push({b.frame.to_world(b.form.vertices()[0]),
               b.frame.direction_to_world(along(b.form)),
               {},
               {}});
  if (a.dimension() >= b.form.dimension())
    try_edges(of_a, of_b, b.form.dimension() == 3, enough, best);
  return best;
}

MeetingAxis deepest_axis(const ConvexForm& a, const PlacedTriangle& b, const MeetingAxis& start,
                         double enough) {
  const auto& c = b.corners;
  if (a.dimension() < 3) {
    const Vec3 u = along(a);
    std::array<Vec3, 7> axes{b.normal};
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 side = normalized_or(c[(i + 1) % 3] - c[i], {});
      axes[1 + i] = cross(side, u);
      axes[4 + i] = cross(side, b.normal);
    }
    return best_of(a, b, axes, start);
  }
  const std::array<Vec3, 1> own{b.normal};
  MeetingAxis best = best_of(a, b, own, start);
  for (const ConvexForm::Plane& p : a.planes()) {
    const Vec3 on_b = b.support(-p.normal);
    const double gap = dot(p.normal, on_b) - p.offset;
    if (gap > best.gap) best = {p.normal, gap, on_b - p.normal * gap, on_b};
  }
  EdgeList edges;
  const GapBound bound{best.on_b - a.inner().center, a.inner().radius};
  GapBound::Faces faces;
  a.faces_along(bound.between, faces);
  list_edges(a, nullptr, faces, bound.least(best.gap), edges);
  double least = best.gap + enough;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 side = normalized_or(c[(k + 1) % 3] - c[k], {});
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const PlacedEdge& e = edges[i];
      if (!crosses(e.left, e.right, side)) continue;
      const Vec3 n = across(e, side);
      // The corner across must not be nearer.
      const double gap = std::min(dot(n, c[k] - e.from), dot(n, c[(k + 2) % 3] - e.from));
      if (!(gap > least) || n == Vec3{}) continue;
      least = gap;
      best = {n, gap, {}, {}};
      set_points(best, e.from, e.direction, c[k], side);
    }
  }
  return best;
}

} // namespace carom
