// The expanding polytope (van den Bergen), on exact signs.
//
// The least translation that separates A and B leads from the origin to the nearest point on the surface of A - B. A polytope inside A - B is kept as a
// closed surface of triangles; its face nearest to the origin is pushed out to the farthest point of A - B along the face's normal, until
// that face cannot move: then it is part of the surface of A - B. The nearest face is a lower bound of the depth all the while, because
// the polytope is inside; the support along any normal is an upper bound.
//
// What usually breaks here is the surface: a face seen from a point by one test and not by another leaves a hole. The corners
// are doubles, so whether a face sees a point has an exact answer, and orient3d gives it. A point that a face does not see is never added; where
// the face sees it strictly, no new triangle is degenerate. So the surface stays closed and convex whatever the input.
//
// Flat differences (two coplanar triangles, two crossing segments, two points) have no inside: the depth is 0, along a direction in
// which they have no extent.
#include "carom/query/expanding_polytope.h"

#include "carom/geometry/separating_axis.h"
#include "carom/math/predicates.h"
#include "carom/math/tolerance.h"

#include <algorithm>
#include <array>
#include <vector>

namespace carom {
namespace {

using Corner = CorePair::Corner;
using Index = std::uint32_t;

/// A safety net. Polytopes end before: each step adds a corner of A - B. Curved cores may go on for ever, as where all directions around an
/// axis are equally good: for them this is where the search ends, with the bounds it has.
constexpr Index max_steps = 4096;
constexpr Index max_curved_steps = 256;

struct Face {
  std::array<Index, 3> vertex{};   ///< counter-clockwise seen from outside
  std::array<Index, 3> neighbor{}; ///< across the edge from vertex[i] to vertex[i + 1]
  Vec3 normal;                     ///< a unit vector, outward
  double distance = 0;     ///< of its plane from the origin, negative where the origin is outside
  double slack = 0;        ///< how much the distance may be off
  double reach = INFINITY; ///< of A - B along the normal, once looked for
  Index seen = 0;          ///< the last step in which the new corner was found to be outside
  bool alive = true;
};

struct Edge {
  Index from, to; ///< as the visible face has it
  Index face;     ///< beyond, and which of its edges this is
  std::size_t side;
};

/// Faces, nearest first; of equals, the older.
struct Entry {
  double distance;
  Index face;

  bool operator<(const Entry& other) const {
    return distance != other.distance ? distance > other.distance : face > other.face;
  }
};

class Expansion {
public:
  explicit Expansion(const CorePair& pair) : pair_(pair) {}

  CoreDepth run(const CoreDistance& nearest, const PairCache& start) {
    if (!make_tetrahedron(start)) return flat(nearest);
    const bool curved = pair_.agreement() > pair_.tight_agreement();
    const Index most = curved ? max_curved_steps : max_steps;
    while (!heap_.empty() && steps_ < most) {
      std::pop_heap(heap_.begin(), heap_.end());
      const Index f = heap_.back().face;
      heap_.pop_back();
      if (!faces_[f].alive) continue;
      ++steps_;
      const Corner w = toward(faces_[f].normal);
      faces_[f].reach = dot(faces_[f].normal, w.difference);
      if (faces_[f].reach < least_reach_.reach) least_reach_ = faces_[f];
      if (faces_[f].reach - faces_[f].distance <= tolerance_of(faces_[f])) return finish(f);
      if (sees(f, w.difference)) {
        expand(f, w);
      } else {
        stuck_.push_back(f); // its plane is as good as doubles can say
      }
    }
    return finish_stuck();
  }

private:
  Corner toward(const Vec3& d) {
    ++result_.iterations;
    return pair_.corner_toward(d);
  }

  void lower_upper_bound(const Vec3& axis, const Corner& w) {
    const double reach = dot(axis, w.difference);
    if (!(reach < result_.upper)) return;
    result_.upper = std::max(reach, 0.0);
    result_.axis = axis;
  }

  // The first tetrahedron.

  bool make_tetrahedron(const PairCache& start) {
    for (int i = 0; i < start.count; ++i) {
      const PairCache::Corner& c = start.corners[static_cast<std::size_t>(i)];
      add_if_independent(pair_.corner(c.on_a, c.on_b));
    }
    while (corners_.size() < 4) {
      if (!add_dimension()) return false;
    }
    if (volume_sign(0, 1, 2, corners_[3].difference) > 0) std::swap(corners_[1], corners_[2]);
    make_face(0, 1, 2, {1, 2, 3});
    make_face(1, 0, 3, {0, 3, 2});
    make_face(2, 1, 3, {0, 1, 3});
    make_face(0, 2, 3, {0, 2, 1});
    return true;
  }

  /// How far p is outside of the flat of the corners so far: 0 where it is in it, to within rounding.
  [[nodiscard]] double outside(const Vec3& p) const {
    const std::size_t n = corners_.size();
    if (n == 0) return INFINITY;
    const Vec3 w = p - corners_[0].difference;
    double off = 0;
    if (n == 1) off = length(w);
    if (n == 2) off = length(cross(w, normalized(corners_[1].difference - corners_[0].difference)));
    if (n == 3) off = std::fabs(dot(w, flat_normal()));
    return off > pair_.rounding() ? off : 0;
  }

  [[nodiscard]] Vec3 flat_normal() const {
    const Vec3& o = corners_[0].difference;
    return normalized(accurate_cross(o, corners_[1].difference, o, corners_[2].difference));
  }

  bool add_if_independent(const Corner& c) {
    if (corners_.size() == 4 || !(outside(c.difference) > 0)) return false;
    corners_.push_back(c);
    return true;
  }

  /// One more corner outside of the flat of those so far: the farthest along directions at right angles to it.
  bool add_dimension() {
    std::array<Vec3, 3> directions{unit_axis(0), unit_axis(1), unit_axis(2)};
    std::size_t count = 3;
    if (corners_.size() == 2) {
      const Vec3 along = normalized(corners_[1].difference - corners_[0].difference);
      directions[0] = perpendicular(along);
      directions[1] = cross(along, directions[0]);
      count = 2;
    } else if (corners_.size() == 3) {
      directions[0] = flat_normal();
      count = 1;
    }
    Corner best{};
    double farthest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      for (const double sign : {1.0, -1.0}) {
        const Vec3 d = directions[i] * sign;
        const Corner c = toward(d);
        lower_upper_bound(d, c);
        const double off = outside(c.difference);
        if (off > farthest) {
          farthest = off;
          best = c;
        }
      }
    }
    return farthest > 0 && add_if_independent(best);
  }

  /// The difference has no inside: one of the directions just tried has no extent. The cores have the nearest points in common.
  CoreDepth flat(const CoreDistance& nearest) {
    result_.on_a = nearest.on_a;
    result_.on_b = nearest.on_b;
    result_.answered = true;
    return result_;
  }

  // The surface.

  [[nodiscard]] const Vec3& point(Index i) const { return corners_[i].difference; }
  [[nodiscard]] int volume_sign(Index a, Index b, Index c, const Vec3& p) const {
    return orient3d(point(a), point(b), point(c), p);
  }
  [[nodiscard]] bool sees(Index f, const Vec3& p) const {
    const auto& v = faces_[f].vertex;
    return volume_sign(v[0], v[1], v[2], p) > 0;
  }

  void make_face(Index a, Index b, Index c, const std::array<Index, 3>& neighbors) {
    Face face;
    face.vertex = {a, b, c};
    face.neighbor = neighbors;
    const Vec3 u = point(b) - point(a);
    const Vec3 v = point(c) - point(a);
    Vec3 n = cross(u, v);
    const double sides = std::sqrt(length_squared(u) * length_squared(v));
    // A thin triangle's normal loses bits in the products: taken exactly, it keeps them.
    constexpr double thin = 1.0 / 16;
    if (!(length(n) > thin * sides)) n = accurate_cross(point(a), point(b), point(a), point(c));
    face.normal = normalized(n);
    face.distance = dot(face.normal, point(a));
    face.slack = (16 + 8 / thin) * tolerance::epsilon * pair_.size();
    heap_.push_back({face.distance, static_cast<Index>(faces_.size())});
    std::push_heap(heap_.begin(), heap_.end());
    faces_.push_back(face);
  }

  /// Replaces the faces that see w by a fan of triangles from w to their rim.
  void expand(Index first, const Corner& w) {
    const Index corner = static_cast<Index>(corners_.size());
    corners_.push_back(w);
    collect_visible(first, w.difference);
    const Index fan = static_cast<Index>(faces_.size());
    starts_.resize(corners_.size());
    for (std::size_t i = 0; i < rim_.size(); ++i)
      starts_[rim_[i].from] = fan + static_cast<Index>(i);
    for (const Edge& e : rim_) {
      faces_[e.face].neighbor[e.side] = static_cast<Index>(faces_.size());
      make_face(e.from, e.to, corner, {e.face, starts_[e.to], 0});
    }
    for (Index f = fan; f < faces_.size(); ++f) faces_[faces_[f].neighbor[1]].neighbor[2] = f;
  }

  /// Kills the faces that see p, and lists the edges around them.
  void collect_visible(Index first, const Vec3& p) {
    rim_.clear();
    stack_.assign(1, first);
    faces_[first].seen = steps_;
    while (!stack_.empty()) {
      const Index f = stack_.back();
      stack_.pop_back();
      faces_[f].alive = false;
      for (std::size_t i = 0; i < 3; ++i) {
        const Index g = faces_[f].neighbor[i];
        if (!faces_[g].alive || faces_[g].seen == steps_) continue;
        if (sees(g, p)) {
          faces_[g].seen = steps_;
          stack_.push_back(g);
        } else {
          const Index from = faces_[f].vertex[i];
          const Index to = faces_[f].vertex[(i + 1) % 3];
          const auto& v = faces_[g].vertex;
          rim_.push_back({from, to, g,
                          static_cast<std::size_t>(v[0] == to   ? 0
                                                   : v[1] == to ? 1
                                                                : 2)});
        }
      }
    }
  }

  // The answer.

  [[nodiscard]] double tolerance_of(const Face& face) const {
    return face.slack + pair_.agreement();
  }

  struct Weighted {
    Index face;
    std::array<double, 3> weight;
  };

  /// Face f is nearest of those that could be pushed, and cannot be: it is part of the surface.
  CoreDepth finish(Index f) {
    const Weighted below = below_origin(f);
    for (std::size_t i = 0; i < 3; ++i) {
      const Corner& c = corners_[faces_[below.face].vertex[i]];
      result_.on_a += c.on_a * below.weight[i];
      result_.on_b += c.on_b * below.weight[i];
    }
    stuck_.push_back(f);
    return answer(faces_[f]);
  }

  /// No face can be pushed any more, or the steps are used up: the direction of least reach is the best that is known. The points are where
  /// the cores touch once B has moved.
  CoreDepth finish_stuck() {
    for (Index f = 0; f < faces_.size(); ++f) {
      if (faces_[f].alive) stuck_.push_back(f); // for the lower bound
    }
    const CorePair touching = pair_.moved(least_reach_.normal * least_reach_.reach);
    const CoreQuestion exactly{.agreement = pair_.tight_agreement(), .below = pair_.rounding()};
    const CoreDistance contact = nearest_cores(touching, exactly, nullptr);
    result_.iterations += contact.iterations;
    result_.on_a = contact.on_a;
    result_.on_b = contact.on_b;
    return answer(least_reach_);
  }

  /// Along the face's normal; no face that is left is nearer than the lower bound.
  CoreDepth answer(const Face& face) {
    double lower = INFINITY;
    for (const Index s : stuck_) {
      if (faces_[s].alive) lower = std::min(lower, faces_[s].distance - faces_[s].slack);
    }
    result_.axis = face.normal;
    result_.upper = std::max(face.reach, 0.0);
    result_.lower = std::clamp(lower, 0.0, result_.upper);
    result_.answered = result_.upper - result_.lower <= 2 * tolerance_of(face);
    return result_;
  }

  /// The point of face f's plane below the origin, in the triangle that has it. A face of A - B is many triangles in one plane; the point is in the
  /// one found first, or in another: toward it, from neighbour to neighbour. (It is in one of them. It belongs to A - B; were
  /// it outside of the polytope, the way to it would leave through a face nearer than f.)
  [[nodiscard]] Weighted below_origin(Index f) const {
    const Vec3 n = faces_[f].normal;
    const Vec3 foot = n * faces_[f].distance;
    Weighted best = weights_at(f, n, foot);
    double least = *std::min_element(best.weight.begin(), best.weight.end());
    Weighted here = best;
    for (std::size_t step = 0; step < faces_.size() && least < 0; ++step) {
      // The edge opposite to corner i runs from corner i + 1.
      const auto i = static_cast<std::size_t>(
          std::min_element(here.weight.begin(), here.weight.end()) - here.weight.begin());
      here = weights_at(faces_[here.face].neighbor[(i + 1) % 3], n, foot);
      const double weight = *std::min_element(here.weight.begin(), here.weight.end());
      // Around a corner of the face the normals turn away: there the walk ends.
      if (!(dot(faces_[here.face].normal, n) > 0.5)) break;
      if (weight > least) {
        least = weight;
        best = here;
      }
    }
    double whole = 0;
    for (double& w : best.weight) whole += w = std::max(w, 0.0);
    if (!(whole > 0)) return {best.face, {1, 0, 0}};
    for (double& w : best.weight) w /= whole;
    return best;
  }

  /// The weights of a point in the plane of a face at right angles to n: negative beyond an edge.
  [[nodiscard]] Weighted weights_at(Index f, const Vec3& n, const Vec3& p) const {
    const auto& v = faces_[f].vertex;
    Weighted w{f, {}};
    double whole = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      w.weight[i] = dot(n, cross(point(v[(i + 1) % 3]) - p, point(v[(i + 2) % 3]) - p));
      whole += w.weight[i];
    }
    for (double& x : w.weight) x = whole > 0 ? x / whole : -1;
    return w;
  }

  const CorePair& pair_;
  std::vector<Corner> corners_;
  std::vector<Face> faces_;
  std::vector<Entry> heap_;
  std::vector<Index> stuck_, stack_, starts_;
  std::vector<Edge> rim_;
  Face least_reach_; ///< the face whose normal gave the least reach so far
  CoreDepth result_;
  Index steps_ = 0;
};

} // namespace

CoreDepth core_depth(const CorePair& pair, const CoreDistance& nearest, const PairCache& start) {
  return Expansion(pair).run(nearest, start);
}

} // namespace carom
