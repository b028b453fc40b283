// Quickhull (Barber, Dobkin, Huhdanpaa 1996) with exact signs. Each facet keeps points that are outside of its plane. Take a facet's
// farthest point, the eye: the facets that it sees, strictly, form a disk; they are replaced by the cone of triangles from the eye to
// the rim of the disk, the horizon, and their points are handed on to the triangles of the cone, or dropped where none sees them.
//
// Why nothing can go wrong. Every sign is exact, so 'sees' is what it is for real numbers. Let the surface be the boundary of a convex
// solid, cut into triangles of positive area.
// - The eye is strictly outside. The facets strictly facing it are connected and their rim is a simple closed curve: around each
//   vertex of the solid the facing facets come in one run, as the normals there are the corners of a convex cone cut by a plane.
//   A vertex inside a face or an edge of the solid has one or two kinds of facets around it, in one run each.
// - A triangle from the eye to a horizon edge has positive area. If the eye were on the edge's line it would be on the planes of both
//   facets there, but one of them faces it strictly.
// - The new surface bounds the hull of the solid and the eye. A facet coplanar with the eye stays, and is continued by
//   triangles in its own plane: across those of its edges that the eye is strictly beyond in that plane, where the neighbour
//   faces the eye. So coplanar neighbours arise, and vertices that are no longer extreme, but never a fold.
// - A point that no triangle of the cone sees is in the new solid. Suppose that it sees a facet that stays. It saw one taken away, and
//   what it saw was connected: so it faces both facets at some horizon edge. The cone's triangle there supports the old solid along that
//   edge, its normal is a combination of those two with factors >= 0, not both 0, and so the point faces that triangle too.
//
// The hot loop hands on points: w = p - eye once, then normal . w for each triangle of the cone, whose first vertex is the eye, against
// the error bound of hull_side.h.
//
// Points stand in one store, those of a facet side by side with their coordinates, so that the loop reads memory in order. Ranges
// come in powers of two and are used again.
//
// Copies of a point go the same way, so they are always kept together, in the order of the input, and the first is taken.
#include "carom/mesh/hull_surface.h"

#include "carom/math/predicates.h"
#include "carom/mesh/hull_side.h"
#include "carom/mesh/hull_store.h"

#include <algorithm>
#include <cstddef>

namespace carom {
namespace hull_surface {
namespace {

constexpr std::uint32_t next3(std::uint32_t i) { return i == 2 ? 0 : i + 1; }

/// A triangle of the cone as the hot loop sees it.
struct ConePlane {
  Vec3 normal;
  double error = 0;
  std::uint32_t facet = 0;
  std::uint32_t count = 0;     ///< points found for it so far
  double far = 0;              ///< the greatest normal . w among them
  std::uint32_t far_place = 0; ///< it is the how manyth of them
};

struct HorizonEdge {
  std::uint32_t from, to; ///< vertices, as in the facet that is taken away
  std::uint32_t outer;    ///< the facet that stays
};

/// Which facet is next: the last come, so that the work stays in one place, and in the cache (twice as fast as the first come, for a
/// million points on a sphere); those that only have points within rounding at the end. With a limit, the one with the farthest point.
/// A facet may have gone, or its place have been used again, when its turn comes.
struct Turn {
  double height = 0;
  std::uint32_t facet = 0;
  bool operator<(const Turn& other) const {
    return height < other.height || (height == other.height && facet > other.facet);
  }
};

class Builder {
public:
  Builder(std::span<const Vec3> points, const std::array<std::uint32_t, 4>& simplex,
          std::uint32_t limit)
      : limit_(limit), extent_(extent_of(points)) {
    begin_with(points, simplex);
  }

  Surface run() {
    for (std::uint32_t facet = next_turn(); facet != none; facet = next_turn()) {
      if (limit_ != 0 && surface_.vertices.size() >= limit_) {
        list_outside();
        break;
      }
      insert(facet);
    }
    return std::move(surface_);
  }

private:
  void list_outside() {
    for (const Facet& f : surface_.facets) {
      if (f.vertex[0] == none) continue;
      for (std::uint32_t i = f.begin; i < f.begin + f.count; ++i) {
        surface_.outside.push_back(store_[i].index);
      }
    }
  }

  // The order of the facets.

  [[nodiscard]] double height(const Facet& f) const {
    return dot(f.normal, store_[f.farthest].point - surface_.vertices[f.vertex[0]]) /
           length(f.normal);
  }
  void add_turn(const ConePlane& plane) {
    if (limit_ != 0) {
      turns_.push_back({height(surface_.facets[plane.facet]), plane.facet});
      std::push_heap(turns_.begin(), turns_.end());
    } else {
      (plane.far > plane.error ? turns_ : late_turns_).push_back({0, plane.facet});
    }
  }
  std::uint32_t next_turn() {
    while (!turns_.empty() || !late_turns_.empty()) {
      if (limit_ != 0) std::pop_heap(turns_.begin(), turns_.end());
      std::vector<Turn>& from = turns_.empty() ? late_turns_ : turns_;
      const Turn turn = from.back();
      from.pop_back();
      const Facet& f = surface_.facets[turn.facet];
      if (f.vertex[0] != none && f.count > 0 && (limit_ == 0 || height(f) == turn.height)) {
        return turn.facet;
      }
    }
    return none;
  }

  // Facets.

  std::uint32_t add_facet(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    std::uint32_t place = 0;
    if (free_facets_.empty()) {
      place = static_cast<std::uint32_t>(surface_.facets.size());
      surface_.facets.emplace_back();
    } else {
      place = free_facets_.back();
      free_facets_.pop_back();
    }
    Facet& f = surface_.facets[place];
    f = {};
    f.vertex = {a, b, c};
    const BoundedNormal n =
        bounded_normal(surface_.vertices[a], surface_.vertices[b], surface_.vertices[c], extent_);
    f.normal = n.normal;
    f.error = n.error;
    return place;
  }

  void begin_with(std::span<const Vec3> points, std::array<std::uint32_t, 4> s) {
    if (orient3d(points[s[0]], points[s[1]], points[s[2]], points[s[3]]) > 0) std::swap(s[1], s[2]);
    for (const std::uint32_t i : s) add_vertex(points[i], i);
    static constexpr std::uint32_t corners[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    cone_.clear();
    for (const auto& c : corners) add_cone_plane(add_facet(c[0], c[1], c[2]));
    for (Facet& f : surface_.facets) {
      for (std::uint32_t i = 0; i < 3; ++i) {
        f.neighbor[i] = facet_with_edge(f.vertex[next3(i)], f.vertex[i]);
      }
    }
    targets_.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Outside item{points[i], static_cast<std::uint32_t>(i)};
      targets_[i] = find_target(item, [&](const ConePlane& plane) {
        return points[i] - surface_.vertices[surface_.facets[plane.facet].vertex[0]];
      });
    }
    make_room();
    for (std::size_t i = 0; i < points.size(); ++i) {
      place({points[i], static_cast<std::uint32_t>(i)}, targets_[i]);
    }
    add_turns();
  }
  /// Among the first four facets.
  std::uint32_t facet_with_edge(std::uint32_t from, std::uint32_t to) {
    std::uint32_t found = none;
    for (std::uint32_t f = 0; f < 4; ++f) {
      for (std::uint32_t i = 0; i < 3; ++i) {
        const auto& v = surface_.facets[f].vertex;
        if (v[i] == from && v[next3(i)] == to) found = f;
      }
    }
    return found;
  }

  std::uint32_t add_vertex(const Vec3& p, std::uint32_t index) {
    const auto vertex = static_cast<std::uint32_t>(surface_.vertices.size());
    surface_.vertices.push_back(p);
    surface_.source.push_back(index);
    facet_from_.push_back(none);
    return vertex;
  }

  // One step.

  void insert(std::uint32_t facet) {
    const Outside eye = store_[surface_.facets[facet].farthest];
    look_around(facet, eye.point);
    build_cone(add_vertex(eye.point, eye.index));
    hand_on(eye.point);
    for (const std::uint32_t gone : visible_) {
      Facet& f = surface_.facets[gone];
      if (f.count > 0) store_.give_back(f.begin, f.count);
      f.vertex[0] = none;
      f.count = 0;
      free_facets_.push_back(gone);
    }
    add_turns();
  }

  /// The facets that the eye sees, and the edges around them.
  void look_around(std::uint32_t first, const Vec3& eye) {
    search_ += 2;
    const std::uint32_t seen = search_ + 1;
    const std::uint32_t not_seen = search_;
    visible_.assign(1, first);
    horizon_.clear();
    surface_.facets[first].mark = seen;
    for (std::size_t at = 0; at < visible_.size(); ++at) {
      for (std::uint32_t i = 0; i < 3; ++i) {
        const Facet& f = surface_.facets[visible_[at]];
        Facet& other = surface_.facets[f.neighbor[i]];
        if (other.mark == seen) continue;
        if (other.mark != not_seen) {
          if (side_of(surface_, other, eye) > 0) {
            other.mark = seen;
            visible_.push_back(f.neighbor[i]);
            continue;
          }
          other.mark = not_seen;
        }
        horizon_.push_back({f.vertex[i], f.vertex[next3(i)], f.neighbor[i]});
      }
    }
  }

  void build_cone(std::uint32_t eye) {
    cone_.clear();
    for (const HorizonEdge& edge : horizon_) {
      const std::uint32_t added = add_facet(eye, edge.from, edge.to);
      surface_.facets[added].neighbor[1] = edge.outer;
      Facet& outer = surface_.facets[edge.outer];
      for (std::uint32_t i = 0; i < 3; ++i) {
        if (outer.vertex[i] == edge.to && outer.vertex[next3(i)] == edge.from) {
          outer.neighbor[i] = added;
        }
      }
      facet_from_[edge.from] = added;
      add_cone_plane(added);
    }
    for (const ConePlane& plane : cone_) {
      Facet& f = surface_.facets[plane.facet];
      f.neighbor[2] = facet_from_[f.vertex[2]];
      surface_.facets[f.neighbor[2]].neighbor[0] = plane.facet;
    }
  }
  void add_cone_plane(std::uint32_t facet) {
    const Facet& f = surface_.facets[facet];
    cone_.push_back({f.normal, f.error, facet, 0, 0, 0});
  }

  /// The points of the visible facets go to the cone. Counted first, then moved, so that each triangle's points stand side by side.
  void hand_on(const Vec3& eye) {
    std::size_t total = 0;
    for (const std::uint32_t f : visible_) total += surface_.facets[f].count;
    if (targets_.size() < total) targets_.resize(total);
    std::size_t at = 0;
    for (const std::uint32_t from : visible_) {
      const Facet& f = surface_.facets[from];
      for (std::uint32_t i = f.begin; i < f.begin + f.count; ++i) {
        const Outside& item = store_[i];
        const Vec3 w = item.point - eye;
        targets_[at++] =
            w == Vec3{} ? none : find_target(item, [&w](const ConePlane&) { return w; });
      }
    }
    make_room();
    at = 0;
    for (const std::uint32_t from : visible_) {
      const Facet f = surface_.facets[from];
      for (std::uint32_t i = f.begin; i < f.begin + f.count; ++i) place(store_[i], targets_[at++]);
    }
  }

  /// A triangle of the cone that has the point outside, counted in; none where there is none. offset(plane) is the point - the first vertex
  /// of the triangle. First those that doubles can tell, so that the exact test is left for points that no triangle clearly sees.
  template<class Offset>
  std::uint32_t find_target(const Outside& item, Offset&& offset) {
    bool close = false;
    for (std::size_t j = 0; j < cone_.size(); ++j) {
      const ConePlane& plane = cone_[j];
      const double value = dot(plane.normal, offset(plane));
      if (value > plane.error) return count_in(j, value);
      close = close || (value >= -plane.error && plane.error != 0);
    }
    for (std::size_t j = 0; close && j < cone_.size(); ++j) {
      const ConePlane& plane = cone_[j];
      const double value = dot(plane.normal, offset(plane));
      if (value >= -plane.error && plane.error != 0 && is_outside(plane.facet, item.point)) {
        return count_in(j, value);
      }
    }
    return none;
  }
  std::uint32_t count_in(std::size_t j, double value) {
    ConePlane& plane = cone_[j];
    if (plane.count == 0 || value > plane.far) {
      plane.far = value;
      plane.far_place = plane.count;
    }
    ++plane.count;
    return static_cast<std::uint32_t>(j);
  }
  bool is_outside(std::uint32_t facet, const Vec3& p) const {
    const auto& v = surface_.facets[facet].vertex;
    return close_side(surface_.vertices[v[0]], surface_.vertices[v[1]], surface_.vertices[v[2]],
                      p) > 0;
  }

  void make_room() {
    for (ConePlane& plane : cone_) {
      if (plane.count == 0) continue;
      Facet& f = surface_.facets[plane.facet];
      f.begin = store_.take(plane.count);
      f.farthest = f.begin + plane.far_place;
    }
  }
  void place(const Outside& item, std::uint32_t target) {
    if (target == none) return;
    Facet& f = surface_.facets[cone_[target].facet];
    store_[f.begin + f.count++] = item;
  }
  void add_turns() {
    for (const ConePlane& plane : cone_) {
      if (plane.count > 0) add_turn(plane);
    }
  }

  std::uint32_t limit_;
  Extent extent_;
  Surface surface_;
  Store store_;
  std::vector<Turn> turns_;
  std::vector<Turn> late_turns_; ///< facets all of whose points are within rounding of their planes
  std::vector<std::uint32_t> free_facets_;
  std::vector<std::uint32_t>
      facet_from_; ///< per vertex: the triangle of the cone whose horizon edge leaves it
  std::uint32_t search_ = 0;
  // Work space of one step.
  std::vector<std::uint32_t> visible_;
  std::vector<HorizonEdge> horizon_;
  std::vector<ConePlane> cone_;
  std::vector<std::uint32_t> targets_;
};

} // namespace

int side_of(const Surface& surface, const Facet& facet, const Vec3& p) {
  const Vec3& a = surface.vertices[facet.vertex[0]];
  const double value = dot(facet.normal, p - a);
  if (value > facet.error) return 1;
  if (value < -facet.error) return -1;
  if (facet.error == 0) return 0;
  return close_side(a, surface.vertices[facet.vertex[1]], surface.vertices[facet.vertex[2]], p);
}

Surface build(std::span<const Vec3> points, const std::array<std::uint32_t, 4>& simplex,
              std::uint32_t vertex_limit) {
  return Builder(points, simplex, vertex_limit).run();
}

} // namespace hull_surface
} // namespace carom
