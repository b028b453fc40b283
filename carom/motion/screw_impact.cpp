// Pairs of convex parts in the order of the time before which balls around groups of parts are surely clear; then their features (screw_features.h).
//
// All is done along the axes of the world, relative to the origin of A's frame as it is when a piece of the screw begins: so it does not matter how far from the world's origin that is.
#include "carom/motion/screw_impact.h"

#include "carom/math/tolerance.h"
#include "carom/motion/screw_features.h"
#include "carom/motion/time_of_impact.h"
#include "carom/query/moved_pose.h"
#include "carom/query/part_walk.h"
#include "carom/query/rounded.h"
#include "carom/shape/support.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace carom {
namespace {

/// Boxes are measured so often: then they are opened.
constexpr int box_looks = 6;
/// The tolerance: 4096 roundings of all places relative to each other, and some of the places themselves, which poses are rounded to.
constexpr double tolerance_share = 4096 * tolerance::epsilon, place_share = 8 * tolerance::epsilon;

/// The motion that begins as the screw does: what it says of a start that overlaps is true of the screw.
Motion begins_like(const ScrewMotion& screw) {
  const Vec3 velocity = velocity_at(screw, 0, screw.start.position);
  return {.start = screw.start,
          .pivot = screw.start.position,
          .translation = max_abs(velocity) <= tolerance::coordinate_max ? velocity : Vec3{},
          .axis = screw.axis,
          .angle = 2 * screw.pieces * screw.tangent};
}

/// Whether all parts are convex with flat faces.
bool has_flat_faces(const Shape& shape) {
  if (shape.rounding() != 0 || !shape.bounded()) return false;
  if (shape.convex()) return shape.polyhedral();
  const Compound* compound = body_of<Compound>(shape);
  if (!compound) return true;
  return std::all_of(compound->parts().begin(), compound->parts().end(),
                     [](const CompoundPart& p) { return has_flat_faces(p.shape); });
}

/// A piece of the motion, ready to be asked.
struct Piece {
  ScrewPath path;
  Frame frame_a, frame_b; ///< relative to A's origin when it begins; A's as it is then
};

struct Found {
  double t = 2;         ///< none
  ScrewContact contact; ///< relative to where A's origin is at the start
  PartId part_a, part_b;
};

/// A part, or all, of a shape: where it is in the frame of the whole.
struct Placed {
  const Shape& shape;
  Pose pose;
};

double tolerance_of(const Shape& a, const ScrewMotion& screw, const Shape& b, const Pose& pose_b) {
  const double reach = 2 * (a.size() + b.size()) + length(screw.translation) +
                       length(pose_b.position - screw.start.position);
  return tolerance_share * reach +
         place_share * (max_abs(screw.start.position) + max_abs(pose_b.position));
}

class Query {
public:
  Query(const Shape& a, const ScrewMotion& screw, const Shape& b, const Pose& pose_b)
      : pieces_(screw.pieces), tolerance_(tolerance_of(a, screw, b, pose_b)),
        features_(tolerance_) {
    const Frame frame_a = screw.start.frame(), frame_b = pose_b.frame();
    const Vec3 between = frame_b.origin - frame_a.origin;
    piece_.push_back({ScrewPath(screw, 0), {frame_a.basis, {}}, {frame_b.basis, between}});
    if (screw.pieces == 1) return;
    const Vec3 v = screw.axis * screw.tangent;
    const Vec3 moved = piece_[0].path.translation(1);
    piece_.push_back({ScrewPath(screw, 1),
                      {to_matrix({v.x, v.y, v.z, 1}) * frame_a.basis, {}},
                      {frame_b.basis, between - moved}});
  }

  /// The first contact from one time to the other.
  [[nodiscard]] Found search(const Placed& a, const Placed& b, double from, double until) {
    const Opened opened(a.shape, b.shape);
    PartShape part_a(a.shape, a.pose, opened.a), part_b(b.shape, b.pose, opened.b);
    const Frame in_a = a.pose.frame(), in_b = b.pose.frame();
    Found best;
    walk_parts(
        PartTree(a.shape, opened.a), PartTree(b.shape, opened.b), until,
        [&](const Aabb& box_a, const Aabb& box_b, double known) {
          return clear_until(box_a, in_a, box_b, in_b, std::max(known, from),
                             std::min(best.t, until));
        },
        [&](std::uint64_t i, std::uint64_t j, double known, double& limit) {
          part_a.take(i);
          part_b.take(j);
          const Placed next_a{part_a.shape(), part_a.pose()};
          const Placed next_b{part_b.shape(), part_b.pose()};
          const bool convex = next_a.shape.convex() && next_b.shape.convex();
          const double begin = std::max(known, from), end = std::min(best.t, until);
          const Found found = convex ? search_convex(next_a, next_b, begin, end)
                                     : search(next_a, next_b, begin, end);
          if (!(found.t < best.t)) return;
          best = found;
          best.part_a = part_a.id(found.part_a);
          best.part_b = part_b.id(found.part_b);
          limit = found.t;
        });
    return best;
  }

  [[nodiscard]] int pairs() const {
    return static_cast<int>(std::min(features_.pairs(), std::size_t{INT32_MAX}));
  }

private:
  [[nodiscard]] Found search_convex(const Placed& a, const Placed& b, double from, double until) {
    for (int k = piece_of(from); k < pieces_ && !(until * pieces_ < k); ++k) {
      const Piece& piece = at(k);
      if (!set_a_.take(a.shape) || !set_b_.take(b.shape)) return {};
      set_a_.place(a.pose.frame());
      set_a_.place(piece.frame_a);
      set_b_.place(b.pose.frame());
      set_b_.place(piece.frame_b);
      ScrewContact c = features_.first_contact(piece.path, set_a_, set_b_,
                                               std::clamp(from * pieces_ - k, 0.0, 1.0),
                                               std::clamp(until * pieces_ - k, 0.0, 1.0));
      if (!c.hit) continue;
      const Vec3 since = at(0).frame_b.origin - piece.frame_b.origin;
      c.on_a += since;
      c.on_b += since;
      return {(k + c.u) / pieces_, c, {}, {}};
    }
    return {};
  }

  /// How far a ball around A's box is from B's box at a time; less than 0 where it is not.
  [[nodiscard]] double gap(const Piece& piece, const Vec3& center, double radius, const Aabb& b,
                           const Frame& in_b, double u) const {
    const Vec3 q = in_b.to_local(piece.frame_b.to_local(piece.path.point_at(center, u)));
    return length(max(max(b.min - q, q - b.max), Vec3{})) - radius;
  }

  /// Not before that time do things in the boxes touch; infinite where not until `limit`.
  [[nodiscard]] double clear_until(const Aabb& a, const Frame& in_a, const Aabb& b,
                                   const Frame& in_b, double from, double limit) const {
    const Vec3 center = in_a.to_world(a.center());
    const double radius = length(a.half()) + tolerance_;
    double t = from;
    for (int look = 0; look < box_looks; ++look) {
      const int k = piece_of(t);
      const Piece& piece = at(k);
      const Vec3 p = piece.frame_a.to_world(center);
      const double u = t * pieces_ - k;
      const double open = gap(piece, p, radius, b, in_b, u);
      if (!(open > 0)) return t;
      if (t >= limit) return INFINITY;
      const double speed = piece.path.speed(p, radius, u) * pieces_;
      const double end = std::min((k + 1.0) / pieces_, limit);
      t = speed > 0 ? std::min(t + open / speed, end) : end;
    }
    return t;
  }

  [[nodiscard]] int piece_of(double t) const { return pieces_ == 2 && t >= 0.5 ? 1 : 0; }
  [[nodiscard]] const Piece& at(int k) const { return piece_[static_cast<std::size_t>(k)]; }

  int pieces_;
  double tolerance_;
  std::vector<Piece> piece_;
  FeatureSet set_a_, set_b_;
  ScrewSearch features_;
};

/// How they are at the start, computed near A's origin.
TimeOfImpact at_start(const Shape& a, const ScrewMotion& screw, const Shape& b,
                      const Pose& pose_b) {
  const Vec3& origin = screw.start.position;
  ScrewMotion near = screw;
  near.start.position = {};
  TimeOfImpact i = time_of_impact(a, begins_like(near), b, Motion::rest(moved(pose_b, -origin)),
                                  {.absolute_error = tolerance::coordinate_min, .max_t = 0});
  i.on_a += origin;
  i.on_b += origin;
  return i;
}

} // namespace

TimeOfImpact screw_impact(const Shape& a, const ScrewMotion& screw, const Shape& b,
                          const Pose& pose_b) {
  if (!in_range(screw) || !in_range(pose_b) || !has_flat_faces(a) || !has_flat_faces(b) ||
      !parts_in_range(a, screw.start) || !parts_in_range(b, pose_b))
    return {.status = Status::bad_input};
  const TimeOfImpact start = at_start(a, screw, b, pose_b);
  if (start.hit || start.status == Status::bad_input) return start;

  Query query(a, screw, b, pose_b);
  const Found found = query.search({a, {}}, {b, {}}, 0, 1);
  TimeOfImpact result;
  result.iterations = query.pairs();
  if (!found.contact.hit) return result;
  const ScrewContact& contact = found.contact;
  result.hit = true;
  result.t = found.t;
  result.distance = contact.distance;
  result.on_a = contact.on_a + screw.start.position;
  result.on_b = contact.on_b + screw.start.position;
  result.part_a = found.part_a;
  result.part_b = found.part_b;
  const Vec3 velocity = velocity_at(screw, found.t, result.on_a);
  result.normal = normalized_or(contact.normal, normalized_or(velocity, {1, 0, 0}));
  result.separating = dot(result.normal, velocity) <= 0;
  result.status = contact.sure ? Status::ok : Status::wide;
  return result;
}

TimeOfImpact screw_impact(const Shape& a, const Pose& from_a, const Pose& to_a, const Shape& b,
                          const Pose& from_b, const Pose& to_b) {
  const Pose back = inverse(from_b);
  TimeOfImpact i =
      screw_impact(a, screw_between(back * from_a, inverse(to_b) * to_a), b, Pose::identity());
  if (i.status == Status::bad_input) return i;
  const Frame then = pose_at(screw_between(from_b, to_b), i.t).frame();
  i.on_a = then.to_world(i.on_a);
  i.on_b = then.to_world(i.on_b);
  i.normal = then.direction_to_world(i.normal);
  return i;
}

} // namespace carom
