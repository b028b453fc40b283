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
  double radii, rounding;
  using Faces = std::array<float, ConvexForm::most_faces>;

  GapBound(const Vec3& way, double both_radii)
      : between(way), radii(both_radii), rounding(1e-6 * (length(way) + both_radii)) {}
  /// What a direction must reach along `between` to have a gap above `gap`.
  [[nodiscard]] float least(double gap) const { return static_cast<float>(gap + radii - rounding); }
  /// Of all normals of an edge.
  [[nodiscard]] static float most(const Faces& faces, const ConvexForm::Edge& e) {
    const float farther = std::max(faces[e.left], faces[e.right]);
    return std::max(farther, farther * e.spread); // spread is at least 1
  }
};

GapBound bound_of(const ConvexForm& a, const PlacedForm& b) {
  return {b.frame.to_world(b.form.inner().center) - a.inner().center,
          a.inner().radius + b.form.inner().radius};
}

/// An edge of one of the two, in A's frame.
struct PlacedEdge {
  Vec3 from, direction, outward;
};

PlacedEdge placed(const ConvexForm& form, std::uint8_t i, const Frame* frame) {
  const ConvexForm::Edge& e = form.edges()[i];
  const Vec3 from = form.vertices()[e.from], direction = normalized(form.vertices()[e.to] - from),
             outward = form.planes()[e.left].normal + form.planes()[e.right].normal;
  if (!frame) return {from, direction, outward};
  return {frame->to_world(from), frame->direction_to_world(direction),
          frame->direction_to_world(outward)};
}

/// Numbers of the edges of a form that may have an axis with a gap above some bound.
class EdgeList {
public:
  EdgeList() {} // NOLINT(modernize-use-equals-default): the storage is not to be cleared
  /// `faces`: how far their outward normals point along the way from the one to the other, which is to be `least` at least. Without branches: they would be guessed wrong.
  void take(const ConvexForm& form, const GapBound::Faces& faces, float least) {
    std::uint8_t number = 0;
    for (const ConvexForm::Edge& e : form.edges()) {
      items_[count_] = number++;
      count_ += GapBound::most(faces, e) > least ? 1 : 0;
    }
  }
  [[nodiscard]] std::span<const std::uint8_t> items() const { return {items_, count_}; }
  /// Below the count of items.
  [[nodiscard]] std::uint8_t operator[](std::size_t i) const {
    return items_[i]; // NOLINT(clang-analyzer-core.uninitialized.UndefReturn)
  }

private:
  std::uint8_t items_[EdgeLanes::most];
  std::size_t count_ = 0;
};

/// Where two lines come nearest to each other.
void set_points(MeetingAxis& axis, const Vec3& p, const Vec3& u, const Vec3& q, const Vec3& v) {
  const Vec3 r = p - q;
  const double uv = dot(u, v), ur = dot(u, r), vr = dot(v, r);
  const double whole = 1 - uv * uv;
  const double s = (uv * vr - ur) / whole;
  axis.on_a = p + u * s;
  axis.on_b = axis.on_a + axis.normal * axis.gap;
}

/// A unit vector at right angles to both, out of the first edge. Zero where they are nearly parallel.
Vec3 across(const PlacedEdge& e, const Vec3& other) {
  const Vec3 n = cross(e.direction, other);
  const double l = length(n);
  if (!(l > least_sine)) return {};
  return n * ((dot(n, e.outward) < 0 ? -1 : 1) / l);
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

EdgePair best_pair(const ConvexForm& a, const EdgeList& of_a, EdgeLanes& of_b,
                   const FloatPlace* place, bool b_is_solid, double least) {
  FloatEdge edges[EdgeLanes::most];
  for (std::size_t i = 0; i < of_a.items().size(); ++i) edges[i] = a.float_edge(of_a[i]);
  return EdgeSieve::best({edges, of_a.items().size()}, of_b, place, b_is_solid,
                         static_cast<float>(least));
}

/// Two edges that were found in floats.
void try_edges(const PlacedEdge& e, const Vec3& from, const Vec3& direction, double enough,
               MeetingAxis& best) {
  const Vec3 n = across(e, direction);
  const double gap = dot(n, from - e.from);
  if (!(gap > best.gap + enough) || n == Vec3{}) return;
  best = {n, gap, {}, {}};
  set_points(best, e.from, e.direction, from, direction);
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
  if (a.dimension() < b.form.dimension()) return best;
  const float least = bound.least(best.gap + enough);
  EdgeList of_a, of_b;
  of_a.take(a, of_faces_a, least);
  EdgeLanes lanes;
  const bool solid = b.form.dimension() == 3;
  if (solid) {
    of_b.take(b.form, of_faces_b, least);
    for (const std::uint8_t i : of_b.items()) lanes.push(b.form.float_edge(i));
  } else if (b.form.dimension() == 1) {
    const Vec3 from = b.form.vertices()[0] - b.form.inner().center;
    lanes.push(FloatEdge::of(from, along(b.form), {}, {}, {}));
  }
  const FloatPlace place(b.frame.basis, bound.between);
  const EdgePair pair = best_pair(a, of_a, lanes, &place, solid, best.gap + enough);
  if (!pair.found) return best;
  const PlacedEdge f = solid ? placed(b.form, of_b[pair.of_b], &b.frame)
                             : PlacedEdge{b.frame.to_world(b.form.vertices()[0]),
                                          b.frame.direction_to_world(along(b.form)),
                                          {}};
  try_edges(placed(a, of_a[pair.of_a], nullptr), f.from, f.direction, enough, best);
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
  const GapBound bound{best.on_b - a.inner().center, a.inner().radius};
  GapBound::Faces faces;
  a.faces_along(bound.between, faces);
  EdgeList edges;
  edges.take(a, faces, bound.least(best.gap + enough));
  EdgeLanes lanes;
  std::array<Vec3, 3> sides;
  for (std::size_t k = 0; k < 3; ++k) {
    sides[k] = normalized_or(c[(k + 1) % 3] - c[k], {});
    // A triangle has two faces. Sides of no length cross nothing.
    lanes.push(FloatEdge::of(c[k] - a.inner().center, sides[k], b.normal, -b.normal,
                             cross(sides[k], b.normal)));
  }
  const EdgePair pair = best_pair(a, edges, lanes, nullptr, true, best.gap + enough);
  if (pair.found)
    try_edges(placed(a, edges[pair.of_a], nullptr), c[pair.of_b], sides[pair.of_b], enough, best);
  return best;
}

} // namespace carom
