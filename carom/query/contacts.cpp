// The signed distance gives the normal and the deepest points. The features that face each other along the normal give the rest (contact_patch.h).
//
// All is computed from A's position, with the world's axes: far from the world's origin nothing is lost until the points are placed at the end.
#include "carom/query/contacts.h"

#include "carom/query/box_contacts.h"
#include "carom/query/composite_queries.h"
#include "carom/query/contact_patch.h"
#include "carom/query/contacts_along.h"
#include "carom/query/rounded.h"
#include "carom/query/signed_distance.h"
#include "carom/shape/support.h"

#include <algorithm>
#include <utility>

namespace carom {
namespace {

/// Within 2 degrees of the normal, a face is what the shape rests on.
constexpr double narrow = 0.99939;
/// Within 60 degrees, a face is what may come to rest on it. No face of a box is farther off, where one faces that way at all.
constexpr double wide = 0.5;
/// Nothing but the farthest point.
constexpr double points_only = 2;

/// In roundings: 1e-12 of the size.
constexpr double curved_agreement = 1e-12 / (16 * tolerance::epsilon);

/// A shape's feature against the normal, placed.
class Side {
public:
  /// `toward` points from this shape to the other; `origin` is what points are measured from.
  Side(const Shape& shape, const Pose& pose, const Vec3& toward, const Vec3& origin,
       double min_cosine = narrow)
      : shape_(shape), frame_{pose.frame().basis, pose.position - origin},
        local_(normalized(frame_.direction_to_local(toward))) {
    take(min_cosine);
    deepest_ = placed_.face.feature;
  }

  [[nodiscard]] const PlacedFace& placed() const { return placed_; }
  [[nodiscard]] bool is_face() const { return placed_.face.corners.size() > 2; }
  [[nodiscard]] bool is_point() const { return placed_.face.corners.size() == 1; }
  [[nodiscard]] bool is_edge() const { return placed_.face.corners.size() == 2; }
  /// What the deepest point belongs to.
  [[nodiscard]] Feature deepest() const { return deepest_; }

  /// Against a face: what faces it at all. The tilted faces of a rounded shape do not reach as deep as its edges and corners: there an edge is better.
  void widen() {
    if (is_face() || (is_edge() && shape_.rounding() > 0)) return;
    take(wide);
  }

private:
  void take(double min_cosine) {
    SupportFace& face = placed_.face;
    face = support_face(shape_, local_, min_cosine, storage_);
    const Vec3 out = face.normal * shape_.rounding();
    for (FaceCorner& c : face.corners) c.point = frame_.to_world(c.point + out);
    face.normal = frame_.direction_to_world(face.normal);
    if (face.turn_radius >= 0) placed_.turn_radius = face.turn_radius + shape_.rounding();
  }

  const Shape& shape_;
  Frame frame_;
  Vec3 local_;
  FaceStorage storage_;
  PlacedFace placed_;
  Feature deepest_;
};

/// The corners of a feature above a half-space's border: `height` is that of the border along n from A to B.
void meet_border(const PlacedFace& face, const Vec3& n, bool border_is_a, double height,
                 PatchContacts& contacts) {
  const Feature border{FeatureKind::face, 0};
  for (const FaceCorner& c : face.face.corners) {
    const double up = dot(n, c.point) - height;
    const Vec3 below = c.point - n * up;
    contacts.push(border_is_a ? Contact{below, c.point, up, contact_id(border, c.at)}
                              : Contact{c.point, below, -up, contact_id(c.at, border)});
  }
}

/// All contacts of a pair, and the choice of four.
class Manifold {
public:
  /// A contact attains the signed distance if it is within `attained` of it.
  Manifold(const SignedDistance& s, double margin, double rounding, double attained,
           const Vec3& origin)
      : s_(s), limit_(std::max(margin, s.value) + rounding), attained_(attained), origin_(origin),
        same_(4 * (rounding + tolerance::epsilon * max_abs(origin))), deepest_{s.on_a - origin,
                                                                               s.on_b - origin,
                                                                               s.value, 0} {}

  void collect(std::span<const Contact> patch, std::uint64_t deepest_id) {
    double least = INFINITY;
    for (const Contact& c : patch) {
      if (c.separation <= limit_ && !is_known(c)) {
        kept_.push(c);
        least = std::min(least, c.separation);
      }
    }
    if (least <= s_.value + attained_) return;
    deepest_.id = deepest_id;
    // In the place of the one that has its id or is where it is; of both, if those are two.
    FewOrMany<Contact, 18> rest;
    std::swap(rest, kept_);
    bool placed_already = false;
    for (const Contact& c : rest.items()) {
      const bool same = c.id == deepest_id || max_abs(c.on_a - deepest_.on_a) <= same_;
      if (!same) {
        kept_.push(c);
      } else if (!placed_already) {
        kept_.push(deepest_);
        placed_already = true;
      }
    }
    if (!placed_already) kept_.push(deepest_);
  }

  void finish(std::vector<Contact>* all, ContactManifold& m) {
    const Vec3 u = perpendicular(s_.normal);
    const Vec3 v = cross(s_.normal, u);
    FewOrMany<Spot, 18> spots;
    for (const Contact& c : kept_.items()) {
      spots.push({dot(u, c.on_a), dot(v, c.on_a), c.separation, c.id});
    }
    const FourSpots four = choose_four(spots.items(), same_);
    for (std::size_t k = 0; k < static_cast<std::size_t>(four.count); ++k) {
      m.points[k] = placed(kept_.items()[four.index[k]]);
    }
    m.count = four.count;
    if (all) {
      for (const Contact& c : kept_.items()) all->push_back(placed(c));
    }
  }

private:
  /// Whether it coincides with one that was kept. Along an outline that can only be the last, or the first; short ones are searched.
  [[nodiscard]] bool is_known(const Contact& c) {
    const auto kept = kept_.items();
    const auto same = [&](const Contact& other) {
      return max_abs(c.on_a - other.on_a) <= same_ || c.id == other.id;
    };
    if (kept.size() > 16) return same(kept.front()) || same(kept.back());
    return std::any_of(kept.begin(), kept.end(), same);
  }

  [[nodiscard]] Contact placed(const Contact& c) const {
    return {c.on_a + origin_, c.on_b + origin_, c.separation, c.id};
  }

  const SignedDistance& s_;
  double limit_, attained_;
  Vec3 origin_;
  double same_; ///< nearer than this, points may be one and the same once they are placed
  Contact deepest_;
  FewOrMany<Contact, 18> kept_;
};

/// How far a point may be off by rounding.
double rounding_of(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  const double size = a.size() + b.size() + max_abs(pose_b.position - pose_a.position);
  return 16 * tolerance::epsilon * size;
}

/// A half-space has no place: what stands on it has.
const Vec3& origin_of(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  return a.bounded() || !b.bounded() ? pose_a.position : pose_b.position;
}

/// Where the features that face each other along n meet. `on_a` and `on_b` are used where they are on the border of a half-space.
void meet_sides(const Shape& a, Side& side_a, const Shape& b, Side& side_b, const Vec3& n,
                const Vec3& on_a, const Vec3& on_b, double rounding, PatchContacts& patch) {
  if (!a.bounded()) {
    if (b.bounded()) side_b.widen();
    meet_border(side_b.placed(), n, true, dot(n, on_a), patch);
  } else if (!b.bounded()) {
    side_a.widen();
    meet_border(side_a.placed(), n, false, dot(n, on_b), patch);
  } else if (side_a.is_face() || side_b.is_face()) {
    if (!side_a.is_face()) side_a.widen();
    if (!side_b.is_face()) side_b.widen();
    meet(side_a.placed(), side_b.placed(), n, rounding, patch);
  } else if (side_a.is_edge() && side_b.is_edge()) {
    meet(side_a.placed(), side_b.placed(), n, rounding, patch);
  }
}

void find_patch(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                const SignedDistance& s, const ContactOptions& options, ContactManifold& m) {
  const Vec3 origin = origin_of(a, pose_a, b, pose_b);
  Side side_a(a, pose_a, s.normal, origin);
  Side side_b(b, pose_b, -s.normal, origin);
  const double rounding = rounding_of(a, pose_a, b, pose_b);
  PatchContacts patch;
  meet_sides(a, side_a, b, side_b, s.normal, s.on_a - origin, s.on_b - origin, rounding, patch);
  // The value of curved shapes is a little above the gap along the normal, or below: as near as the search came.
  const bool polyhedral = a.polyhedral() && b.polyhedral();
  const double attained = polyhedral ? rounding : curved_agreement * rounding;
  Manifold manifold(s, options.margin, rounding, attained, origin);
  manifold.collect(patch.items(), contact_id(side_a.deepest(), side_b.deepest()));
  manifold.finish(options.all, m);
}

/// The farthest point along d, in the world's axes, from `origin`. Of a half-space, a point of its border.
Vec3 farthest(const Shape& shape, const Pose& pose, const Vec3& d, const Vec3& origin) {
  const Frame frame{pose.frame().basis, pose.position - origin};
  return frame.to_world(support_point(shape, frame.direction_to_local(d)));
}

/// A half-space can be left along its own normal only.
bool can_part_along(const Shape& shape, const Pose& pose, const Vec3& d) {
  if (shape.bounded()) return true;
  const Vec3 out = pose.frame().direction_to_world(std::get<HalfSpace>(shape.core()).normal);
  return length(normalized(out) - d) <= 1e-9;
}

bool is_plain_box(const Shape& shape) {
  return std::holds_alternative<Obb>(shape.core()) && shape.rounding() == 0;
}

} // namespace

ContactManifold searched_contacts(const Shape& a, const Pose& pose_a, const Shape& b,
                                  const Pose& pose_b, const ContactOptions& options,
                                  PairCache* cache) {
  ContactManifold m;
  // A little beyond the margin, so that the bound of shapes that are left out is above it.
  const double rounding = rounding_of(a, pose_a, b, pose_b);
  const double limit = options.margin + rounding;
  const SignedDistance s = signed_distance(a, pose_a, b, pose_b, {.limit = limit}, cache);
  m.status = s.status;
  if (s.status == Status::bad_input) return m;
  m.normal = s.normal;
  m.lower_bound = s.lower_bound;
  if (s.status == Status::stopped) {
    m.value = s.lower_bound;
    m.upper_bound = INFINITY;
    return m;
  }
  m.value = s.value;
  m.upper_bound = s.upper_bound;
  // What is apart by no more than rounding touches here, even where it is known to be apart.
  m.lower_bound = std::min(s.lower_bound, s.value - rounding);
  if (m.lower_bound <= options.margin && std::isfinite(s.value)) {
    find_patch(a, pose_a, b, pose_b, s, options, m);
  }
  return m;
}

void contacts_along(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                    const Vec3& normal, double margin, std::vector<Contact>& found) {
  found.clear();
  if (!can_part_along(a, pose_a, normal) || !can_part_along(b, pose_b, -normal)) return;
  const Vec3 origin = origin_of(a, pose_a, b, pose_b);
  const double rounding = rounding_of(a, pose_a, b, pose_b);
  Side side_a(a, pose_a, normal, origin);
  Side side_b(b, pose_b, -normal, origin);
  PatchContacts patch;
  meet_sides(a, side_a, b, side_b, normal, farthest(a, pose_a, normal, origin),
             farthest(b, pose_b, -normal, origin), rounding, patch);
  // The farthest point of a round shape is mostly no corner of its features, and may be its only one.
  if (a.bounded() && side_b.is_face() && (!a.polyhedral() || side_a.is_point())) {
    const Side tip(a, pose_a, normal, origin, points_only);
    meet_tip(tip.placed(), side_b.placed(), normal, rounding, patch);
  }
  if (b.bounded() && side_a.is_face() && (!b.polyhedral() || side_b.is_point())) {
    const Side tip(b, pose_b, -normal, origin, points_only);
    meet_tip(side_a.placed(), tip.placed(), normal, rounding, patch);
  }
  for (const Contact& c : patch.items()) {
    if (!(c.separation <= margin + rounding)) continue;
    found.push_back({c.on_a + origin, c.on_b + origin, c.separation, c.id});
  }
}

double gap_along(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                 const Vec3& normal) {
  if (!can_part_along(a, pose_a, normal) || !can_part_along(b, pose_b, -normal)) return -INFINITY;
  const Vec3 origin = origin_of(a, pose_a, b, pose_b);
  return dot(normal, farthest(b, pose_b, -normal, origin) - farthest(a, pose_a, normal, origin));
}

ContactManifold contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                         const ContactOptions& options, PairCache* cache) {
  if (options.all) options.all->clear();
  if (!a.convex() || !b.convex()) return composite_contacts(a, pose_a, b, pose_b, options);
  // With the same arguments throughout, so that nothing is copied on the way.
  return is_plain_box(a) && is_plain_box(b)
             ? box_contacts(a, pose_a, b, pose_b, options, cache)
             : searched_contacts(a, pose_a, b, pose_b, options, cache);
}

} // namespace carom
