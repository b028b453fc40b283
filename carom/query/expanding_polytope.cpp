// The expanding polytope (van den Bergen), on exact signs.
//
// The least translation that separates A and B leads from the origin to the nearest point on the surface of A - B. A polytope inside A - B is kept as a
// closed surface of triangles; its face nearest to the origin is pushed out to the farthest point of A - B along the face's normal, until
// that face cannot move: then it is part of the surface of A - B. The nearest face is a lower bound of the depth all the while, because
// the polytope is inside; the support along any normal is an upper bound.
//
// Curved cores would need endless triangles. There the polytope only finds the basin; Newton's method (newton.h) finds its least reach U to rounding, and a
// proof by curvature (axis_cap.h) says that no direction within some angle of that axis n reaches less than L, just below U. That proof goes into the polytope as a corner:
// the point v = n L / cos(angle) is outside of A - B, but the directions along which v reaches L are those within that angle, and for them
// it is proved that A - B does so too. Once no face is nearer than L, every direction reaches L, by a corner or by a proof. (A corner made for one L says
// too much for a smaller one. So where a better basin turns up, the polytope starts afresh.)
//
// Flat differences (two coplanar triangles, two crossing segments, two points) have no inside: the depth is 0, along a direction in
// which they have no extent.
#include "carom/query/expanding_polytope.h"

#include "carom/geometry/separating_axis.h"
#include "carom/math/tolerance.h"
#include "carom/query/axis_cap.h"
#include "carom/query/carriers.h"
#include "carom/query/newton.h"
#include "carom/query/polytope_surface.h"

#include <algorithm>
#include <array>

namespace carom {
namespace {

using Corner = CorePair::Corner;
using Index = PolytopeSurface::Index;
using Face = PolytopeSurface::Face;

/// A safety net. Polytopes end before: each step adds a corner of A - B. Curved cores end where all is proved, but for some that nothing is known of but points.
constexpr Index max_steps = 4096;
constexpr Index max_curved_steps = 480;
constexpr int max_curved_looks = 2000;
/// Corners looked for after which no more proofs are tried: a few hundred prove a ring of directions.
constexpr int max_proof_looks = 1900;
/// How often a curved search may start afresh: each time its depth is less, to one of few minima.
constexpr int max_starts = 8;
/// Steps until the nearest face of a curved difference is in the right basin, most often.
constexpr Index first_refinement = 4;
/// What the proofs by curvature may lose, in parts of the agreement: together a fifth of what is promised.
constexpr double proof_slack = 16;
constexpr double promised = 90;

class Expansion {
public:
  /// The surface is only a place to work in.
  Expansion(const CorePair& pair, PolytopeSurface& surface) : pair_(pair), surface_(surface) {}

  CoreDepth run(const CoreDistance& nearest, const PairCache& start) {
    if (!make_tetrahedron(start)) return flat(nearest);
    return pair_.curved() ? run_curved() : run_straight();
  }

private:
  CoreDepth run_straight() {
    Face f;
    while (steps_ < max_steps && take_nearest(f)) {
      ++steps_;
      const Corner w = look_along(f);
      if (f.reach - f.distance <= agreement()) return finish(f);
      surface_.expand(w);
    }
    return finish_stuck();
  }

  CoreDepth run_curved() {
    Face f;
    while (steps_ < max_curved_steps && result_.iterations < max_curved_looks && take_nearest(f)) {
      if (floor() > 0 && f.distance >= floor())
        return finish_refined(f.distance - surface_.slack());
      ++steps_;
      const Corner w = look_along(f);
      if (f.reach - f.distance <= agreement() && !proofs_) return finish(f);
      if (promising(f) && refine(f.normal)) {
        restart();
        continue;
      }
      surface_.expand(w);
    }
    if (outdated()) restart();
    return refined_.count > 0 ? finish_refined(least_distance()) : finish_stuck();
  }

  /// False where all faces were taken, or the nearest is farther than what is reached somewhere.
  bool take_nearest(Face& f) {
    return surface_.take_nearest(f) && f.distance <= least_reach_.reach + surface_.slack();
  }

  /// What the proofs are for: a little less than the least reach.
  [[nodiscard]] double floor() const {
    return refined_.count > 0 ? refined_.reach - proof_slack * pair_.agreement() : INFINITY;
  }

  /// Whether Newton's method from the normal of face f may find a better axis, or another as good: it reaches less than the best, or not much more.
  [[nodiscard]] bool promising(const Face& f) const {
    if (outdated()) return true;
    // A depth that is hardly more than rounding cannot be proved by curvature, and need not be.
    if (steps_ < next_refinement_ || result_.iterations > max_proof_looks || !(floor() > 0))
      return false;
    // A search that goes on for long is about a ring of directions, all as good: there most proofs are worth their cost.
    const double share = steps_ < 32 ? 0.5 : 2;
    const double above = f.reach - refined_.reach;
    return refined_.count == 0 || above < share * (refined_.reach - f.distance);
  }

  /// Whether a face reaches less than the refined axis: then the proofs in the polytope are for too much.
  [[nodiscard]] bool outdated() const {
    return refined_.count > 0 && least_reach_.reach < refined_.reach - pair_.agreement();
  }

  /// Newton's method from a direction, and the proof around what it finds. True where the proofs in the polytope are for more than is now known to be true.
  bool refine(const Vec3& direction) {
    RefinedAxis found = refined_from(direction);
    bool better = take_if_better(found);
    if (outdated()) {
      // It ended in another basin than where the least reach was seen.
      found = refined_from(least_reach_.normal);
      better |= take_if_better(found);
    }
    if ((better && proofs_) || outdated()) return true;
    // Where it only finds what is known, it is asked less and less often.
    wait_ = add_proof(found) ? 1 : 2 * wait_;
    next_refinement_ = steps_ + wait_;
    return false;
  }

  bool take_if_better(const RefinedAxis& found) {
    if (refined_.count > 0 && !(found.reach < refined_.reach - pair_.agreement())) return false;
    refined_ = found;
    return true;
  }

  RefinedAxis refined_from(const Vec3& direction) {
    RefinedAxis found = refine_axis(pair_, direction, 0.25 * pair_.agreement());
    settle_carriers(pair_, found);
    result_.iterations += found.iterations;
    return found;
  }

  bool add_proof(const RefinedAxis& found) {
    if (!(floor() > 0)) return false;
    const double tangent = proved_cap(pair_, found, floor());
    // A corner reaches L to within slack along directions a little outside of its angle, too: they have to be among those proved.
    const double blur = 4 * surface_.slack() / floor();
    double squared = tangent * tangent - blur * (1 + tangent * tangent);
    if (!(squared > 0)) return false;
    // A smaller angle is proved as well, and the surface is made for corners that are not far outside.
    const double farthest = pair_.size() / floor();
    squared = std::min(squared, std::max(farthest * farthest - 1, 0.25));
    Corner v{};
    v.difference = found.axis * (floor() * std::sqrt(1 + squared));
    if (!surface_.expand(v)) return false;
    return proofs_ = true;
  }

  void restart() {
    surface_.start({corners_[0], corners_[1], corners_[2], corners_[3]}, pair_.size());
    proofs_ = false;
    wait_ = 1;
    ++starts_;
    if (outdated() || starts_ > max_starts) {
      // Newton's method does not get to where a face was. So be it: bounds from the polytope alone.
      refined_ = {};
      next_refinement_ = max_curved_steps;
    } else {
      add_proof(refined_);
    }
  }

  /// Looks along the normal of f, and remembers it if it reaches less than any before. Where the surface cannot be pushed out to the corner found, the plane of f is as
  /// good as doubles can say: it stays, as one that was taken.
  Corner look_along(Face& f) {
    const Corner w = toward(f.normal);
    f.reach = dot(f.normal, w.difference);
    if (f.reach < least_reach_.reach) least_reach_ = f;
    return w;
  }

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
    while (corner_count_ < 4) {
      if (!add_dimension()) return false;
    }
    surface_.start({corners_[0], corners_[1], corners_[2], corners_[3]}, pair_.size());
    return true;
  }

  /// How far p is outside of the flat of the corners so far: 0 where it is in it, to within rounding.
  [[nodiscard]] double outside(const Vec3& p) const {
    const std::size_t n = corner_count_;
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
    if (corner_count_ == 4 || !(outside(c.difference) > 0)) return false;
    corners_[corner_count_++] = c;
    return true;
  }

  /// One more corner outside of the flat of those so far: the farthest along directions at right angles to it.
  bool add_dimension() {
    std::array<Vec3, 3> directions{unit_axis(0), unit_axis(1), unit_axis(2)};
    std::size_t count = 3;
    if (corner_count_ == 2) {
      const Vec3 along = normalized(corners_[1].difference - corners_[0].difference);
      directions[0] = perpendicular(along);
      directions[1] = cross(along, directions[0]);
      count = 2;
    } else if (corner_count_ == 3) {
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

  // The answer.

  [[nodiscard]] double agreement() const { return surface_.slack() + pair_.agreement(); }

  /// Face f is nearest of those that could be pushed, and cannot be: it is part of the surface.
  CoreDepth finish(const Face& f) {
    const PolytopeSurface::Mixture below = surface_.below_origin(f);
    Vec3 off = f.normal * f.reach;
    for (std::size_t i = 0; i < 3; ++i) {
      result_.on_a += below.corner[i]->on_a * below.weight[i];
      result_.on_b += below.corner[i]->on_b * below.weight[i];
      off -= below.corner[i]->difference * below.weight[i];
    }
    // Of slivers that are nearly in one plane, the wrong one may be nearest.
    if (!(length(off) <= 2 * agreement())) touch(f.normal, f.reach);
    return answer(f.normal, f.reach, least_taken(), 2 * agreement());
  }

  /// Along the refined axis.
  CoreDepth finish_refined(double lower) {
    Vec3 off = refined_.axis * refined_.reach;
    for (std::size_t i = 0; i < static_cast<std::size_t>(refined_.count); ++i) {
      const Corner& c = refined_.corners[i].corner;
      result_.on_a += c.on_a * refined_.weight[i];
      result_.on_b += c.on_b * refined_.weight[i];
      off -= c.difference * refined_.weight[i];
    }
    if (!(length(off) <= 0.25 * pair_.agreement())) touch(refined_.axis, refined_.reach);
    if (proofs_) lower = std::min(lower, floor());
    return answer(refined_.axis, refined_.reach, std::min(lower, least_taken()),
                  promised * pair_.agreement());
  }

  /// No face can be pushed any more, or the steps are used up: the direction of least reach is the best that is known.
  CoreDepth finish_stuck() {
    touch(least_reach_.normal, least_reach_.reach);
    return answer(least_reach_.normal, least_reach_.reach, least_distance(), 2 * agreement());
  }

  /// The points where the cores touch once B has moved.
  void touch(const Vec3& axis, double reach) {
    const CorePair touching = pair_.moved(axis * reach);
    const CoreQuestion exactly{.agreement = pair_.tight_agreement(), .below = pair_.rounding()};
    const CoreDistance contact = nearest_cores(touching, exactly, nullptr);
    result_.iterations += contact.iterations;
    result_.on_a = contact.on_a;
    result_.on_b = contact.on_b;
  }

  /// No point of the surface is nearer; none of the faces that were taken.
  [[nodiscard]] double least_distance() const {
    return surface_.least_distance() - surface_.slack();
  }
  [[nodiscard]] double least_taken() const {
    return surface_.least_taken_distance() - surface_.slack();
  }

  CoreDepth answer(const Vec3& axis, double reach, double lower, double enough) {
    result_.axis = axis;
    result_.upper = std::max(reach, 0.0);
    result_.lower = std::clamp(lower, 0.0, result_.upper);
    result_.answered = result_.upper - result_.lower <= enough;
    return result_;
  }

  const CorePair& pair_;
  PolytopeSurface& surface_;
  std::array<Corner, 4> corners_{}; ///< the first ones
  std::size_t corner_count_ = 0;
  Face least_reach_; ///< the face whose normal gave the least reach so far
  CoreDepth result_;
  Index steps_ = 0;
  // Of curved cores.
  RefinedAxis refined_; ///< the best so far
  Index next_refinement_ = first_refinement, wait_ = 1;
  int starts_ = 1;
  bool proofs_ = false; ///< whether a corner of the surface stands for a proof
};

} // namespace

CoreDepth core_depth(const CorePair& pair, const CoreDistance& nearest, const PairCache& start) {
  // Kept for the next query of this thread: to make room anew would take a tenth of the time.
  static thread_local PolytopeSurface surface;
  return Expansion(pair, surface).run(nearest, start);
}

} // namespace carom
