// The face of a hull that faces a direction best, at its farthest vertex; then all that rounding broke off it, as one outline. Else the best edge there.
#include "carom/shape/support_face.h"

#include <algorithm>

namespace carom::support_faces {
namespace {

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

} // namespace

SupportFace feature_of(const Polytope& p, const Asked& ask) { return HullFeatures(p, ask).find(); }

} // namespace carom::support_faces
