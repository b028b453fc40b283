// The faces of A - B are the faces of A, those of B turned around, and a parallelogram for each edge of A and edge of B whose arcs cross on the Gauss map (B's turned
// around). Along the normal of one of them A - B reaches least: that is the depth.
//
// Most of them need no look. Let B contain a ball of radius r around c: along n, B reaches at least r - n . c against it. So along the normal of a face of A, whose plane is at
// height d, A - B reaches at least d - n . c + r, whatever B is. Between the normals of two faces that bound is not less than at one of them, or not by more than the cosine of half the angle
// between them; lowered by that it holds for a face and all arcs to its neighbours. Where it is more than the least reach so far they are out. What is left is around the direction in which
// the hulls are pushed into each other: five or ten faces of A, and as many of B. They are measured: one vertex of the other hull is deepest below each.
//
// That vertex rules out more arcs. Let it be x for one face of an edge, and at least as far below the other face as the least reach. Then so it is along all mixtures of their normals, and A - B reaches as
// far there. Of three sides of a face, one is left mostly: two or three arcs of A, as many of B, and of the pairs of these, less than one crosses.
//
// Rounding. The reach along the axis is measured on the hulls themselves, so it is an upper bound of the depth. It is also a lower one to within the error
// of the normal: a few epsilon for faces, and as many over the sine of the angle for edges. Pairs below `least_sine` are left to the expanding polytope. What prunes must not make more of a
// rounding than it is: bounds are lowered by one before they are stretched, and heights between edges are compared as they are, not divided by the sine.
#include "carom/query/hull_depth.h"

#include "carom/query/arc_lanes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

namespace carom {
namespace {

using Corner = CorePair::Corner;
using Arc = GaussArcs::Arc;

/// A normal from two edges is off by a few epsilon over the sine of their angle, and the reach feels it only along the edges: with this, by less than a quarter of 1e-12 of
/// the size.
constexpr double least_sine = 1.0 / 128;
constexpr double normal_error = 0.25e-12;
/// More of B's edges than this are not worth it, and not their room.
constexpr std::size_t most_crossed = 128;
/// Of hulls with more vertices than this the farthest are looked up, one by one; of others they are found by a scan, eight at a time.
constexpr std::size_t most_scanned = 64;

const ArcLanes& lanes() {
  static const ArcLanes widest = ArcLanes::widest();
  return widest;
}

/// A hull, and what is known of those faces of A - B that are its own. All in its frame.
class Side {
public:
  const Polytope& hull;
  const GaussArcs& map;
  std::array<std::uint32_t, Polytope::most_edges + 8> left; ///< arcs
  std::size_t arcs_left = 0;
  std::uint32_t first_face; ///< the one of least bound

  /// The other hull, its frame in this one's, and the ball inside it.
  Side(const Polytope& own, const Polytope& other, const Frame& frame, const Sphere& ball,
       double rounding)
      : hull(own), map(own.arcs()), other_(other),
        frame_(frame), ball_{frame.to_world(ball.center), ball.radius} {
    first_face = lanes().bound_faces(map.face_blocks.data(), map.face_blocks.size(), ball_,
                                     rounding, bound_.data());
  }

  /// How far A - B reaches along the normal of a face.
  double measure(std::uint32_t f) {
    return measure(f, other_.farthest(-frame_.direction_to_local(hull.planes()[f].normal)));
  }

  /// The same for all faces for which that may be less than `reach`: take(face, how far).
  template<class Take>
  void measure_below(double reach, Take&& take) {
    measured_below_ = reach;
    measured_ = lanes().find_below(bound_.data(), map.face_blocks.size(), reach, faces_.data());
    // A block that is not full repeats its last face.
    while (measured_ > 0 && faces_[measured_ - 1] >= hull.planes().size()) --measured_;
    if (other_.vertices().size() <= most_scanned) {
      for (std::size_t i = 0; i < measured_; i += 8)
        measure_eight(std::span(faces_).subspan(i, std::min<std::size_t>(measured_ - i, 8)), take);
    } else {
      for (std::size_t i = 0; i < measured_; ++i) take(faces_[i], measure(faces_[i]));
    }
  }

  /// The arcs along which A - B may reach less far than `reach`, no more than last time, to within rounding. They are sides of faces that are near.
  void find_arcs(double reach) {
    for (std::size_t i = 0; i < measured_; ++i) {
      const std::uint32_t f = faces_[i];
      if (!is_near(f, reach)) continue;
      const ConvexHull& h = hull.hull();
      for (std::uint32_t k = h.face_begin[f]; k < h.face_begin[f + 1]; ++k) {
        const std::uint32_t g = h.face[h.twin[k]];
        // Without branches, which would be guessed wrong. Between two faces that are near, only the one way.
        const unsigned once = unsigned{!is_near(g, reach)} | unsigned{k < h.twin[k]};
        left[arcs_left] = map.arc_of[k];
        arcs_left += may_be_below(f, g, reach) & once;
      }
    }
  }

private:
  [[nodiscard]] bool is_near(std::uint32_t f, double reach) const { return bound_[f] < reach; }

  /// Between two faces, of which f is measured. Where the vertex of the other hull that is deepest below one of them is as deep below the other, A - B reaches as far along all
  /// of the arc: 0. Else 1.
  [[nodiscard]] unsigned may_be_below(std::uint32_t f, std::uint32_t g, double reach) const {
    const bool both = is_near(g, measured_below_);
    const unsigned below_g{depth_below(g, f) < reach};
    const unsigned below_f{depth_below(both ? f : g, both ? g : f) < reach};
    return below_g & below_f;
  }
  /// How deep the vertex is below face f that is deepest below face `of`.
  [[nodiscard]] double depth_below(std::uint32_t f, std::uint32_t of) const {
    const auto& [x, y, z] = deepest_[of];
    return -hull.planes()[f].signed_distance({x, y, z});
  }

  double measure(std::uint32_t f, std::uint32_t farthest) {
    const Vec3 p = frame_.to_world(other_.vertices()[farthest]);
    deepest_[f] = {p.x, p.y, p.z};
    return depth_below(f, f);
  }

  /// Up to eight faces, at least one.
  template<class Take>
  void measure_eight(std::span<const std::uint32_t> faces, Take&& take) {
    DirectionBlock d;
    for (std::size_t k = 0; k < 8; ++k) {
      const std::uint32_t f = faces[std::min(k, faces.size() - 1)];
      const Vec3 n = -frame_.direction_to_local(hull.planes()[f].normal);
      d.x[k] = n.x;
      d.y[k] = n.y;
      d.z[k] = n.z;
    }
    std::array<std::uint32_t, 8> farthest;
    lanes().find_farthest(d, other_.vertices().data(), other_.vertices().size(), farthest.data());
    for (std::size_t k = 0; k < faces.size(); ++k) take(faces[k], measure(faces[k], farthest[k]));
  }

  const Polytope& other_;
  Frame frame_;
  Sphere ball_;
  alignas(
      64) std::array<double, (Polytope::most_faces + 7) / 8 *
                                 8> bound_; ///< per face: not more than the reach along its normal
  /// Per measured face: the vertex of the other hull deepest below it. (Not Vec3s, which would be cleared.)
  std::array<std::array<double, 3>, Polytope::most_faces> deepest_;
  std::array<std::uint32_t, Polytope::most_faces + 8> faces_; ///< the first `measured_` are
  std::size_t measured_ = 0;
  double measured_below_ = -INFINITY; ///< all faces with lesser bounds
};

/// A's frame in B's.
Frame inverse(const Frame& b_in_a) {
  const Mat3 turned = transpose(b_in_a.basis);
  return {turned, -(turned * b_in_a.origin)};
}

class HullDepth {
public:
  HullDepth(const CorePair& pair, const Polytope& a, const Polytope& b)
      : a_(a, b, pair.b_in_a(), pair.inner_b(), pair.rounding()),
        b_(b, a, inverse(pair.b_in_a()), pair.inner_a(), pair.rounding()), pair_(pair) {}

  std::optional<CoreDepth> run() {
    const auto take_a = [&](std::uint32_t f, double reach) { take(Kind::face_a, f, reach); };
    const auto take_b = [&](std::uint32_t f, double reach) { take(Kind::face_b, f, reach); };
    take_a(a_.first_face, a_.measure(a_.first_face));
    take_b(b_.first_face, b_.measure(b_.first_face));
    // Where a plane separates them there is no depth.
    if (!(reach_ > 0 && reach_ < INFINITY)) return std::nullopt;
    a_.measure_below(reach_, take_a);
    b_.measure_below(reach_, take_b);
    if (!(reach_ > 0)) return std::nullopt;
    a_.find_arcs(reach_);
    b_.find_arcs(reach_);
    if (b_.arcs_left > most_crossed || !look_at_edges() || !settle() || !find_points())
      return std::nullopt;
    // What a face was left out by may be off by a rounding, and what it was compared with.
    const double error = normal_error * pair_.size() + 3 * pair_.rounding();
    depth_.lower = reach_ - error;
    depth_.answered = true;
    if (!(depth_.lower > error)) return std::nullopt;
    return depth_;
  }

private:
  enum class Kind : std::uint8_t { face_a, face_b, edges };

  void take(Kind kind, std::uint32_t face, double reach) {
    ++depth_.iterations;
    if (!(reach < reach_)) return;
    reach_ = reach;
    kind_ = kind;
    (kind == Kind::face_a ? feature_a_ : feature_b_) = face;
  }

  /// Along the normal of two edges: n is a unit vector in A's frame.
  void look(const Vec3& n, std::uint32_t arc_a, std::uint32_t arc_b) {
    ++depth_.iterations;
    const Corner w = pair_.corner_toward(n);
    const double reach = dot(n, w.difference);
    if (!(reach < reach_)) return;
    reach_ = reach;
    kind_ = Kind::edges;
    feature_a_ = arc_a;
    feature_b_ = arc_b;
    depth_.axis = n;
    farthest_ = w;
  }

  /// The reach along the axis itself. False where it is not what it was found to be.
  bool settle() {
    depth_.upper = reach_;
    if (kind_ == Kind::edges) return true;
    depth_.axis =
        kind_ == Kind::face_a
            ? a_.hull.planes()[feature_a_].normal
            : normalized(-pair_.b_in_a().direction_to_world(b_.hull.planes()[feature_b_].normal));
    farthest_ = pair_.corner_toward(depth_.axis);
    depth_.upper = dot(depth_.axis, farthest_.difference);
    return std::fabs(depth_.upper - reach_) <= pair_.rounding();
  }

  /// False where two edges are nearly parallel. All in B's frame.
  bool look_at_edges() {
    const Frame& frame = pair_.b_in_a();
    const std::size_t fans = fill_fans();
    for (std::size_t i = 0; i < a_.arcs_left; ++i) {
      const Arc& own = a_.map.arcs[a_.left[i]];
      const Arc a{frame.direction_to_local(own.along), frame.direction_to_local(own.left),
                  frame.direction_to_local(own.right), frame.to_local(own.from), own.length};
      for (std::size_t k = 0; k < fans; ++k) {
        unsigned bits = lanes().find_crossing(fans_[k], a, reach_, pair_.rounding());
        for (; bits != 0; bits &= bits - 1) {
          const std::size_t j = 8 * k + static_cast<std::size_t>(std::countr_zero(bits));
          if (j >= b_.arcs_left) break;
          if (!look_at_crossing(a, a_.left[i], b_.left[j])) return false;
        }
      }
    }
    return true;
  }

  bool look_at_crossing(const Arc& a, std::uint32_t index_a, std::uint32_t index_b) {
    const Vec3 c = cross(a.along, b_.map.arcs[index_b].along);
    const double sine_squared = length_squared(c);
    if (!(sine_squared > least_sine * least_sine)) return false;
    const Vec3 n = pair_.b_in_a().direction_to_world(c * (1 / std::sqrt(sine_squared)));
    // Along its arc, or against it; both where that is not clear.
    const double side = dot(a.left + a.right, c);
    if (side >= -arc_slack) look(n, index_a, index_b);
    if (side <= arc_slack) look(-n, index_a, index_b);
    return true;
  }

  /// B's arcs that are left, for the lanes. The last ones are repeated. Returns how many blocks.
  std::size_t fill_fans() {
    const std::size_t count = (b_.arcs_left + 7) / 8;
    for (std::size_t j = 0; j < 8 * count; ++j) {
      const Arc& b = b_.map.arcs[b_.left[std::min(j, b_.arcs_left - 1)]];
      ArcFan& fan = fans_[j / 8];
      const std::size_t lane = j % 8;
      fan.along_x[lane] = b.along.x;
      fan.along_y[lane] = b.along.y;
      fan.along_z[lane] = b.along.z;
      fan.left_x[lane] = b.left.x;
      fan.left_y[lane] = b.left.y;
      fan.left_z[lane] = b.left.z;
      fan.right_x[lane] = b.right.x;
      fan.right_y[lane] = b.right.y;
      fan.right_z[lane] = b.right.z;
      fan.from_x[lane] = b.from.x;
      fan.from_y[lane] = b.from.y;
      fan.from_z[lane] = b.from.z;
    }
    return count;
  }

  /// Where the hulls touch once B has moved. False where that is not a corner on a face, or two edges that cross.
  bool find_points() {
    const Vec3 way = depth_.axis * depth_.upper;
    const Frame& frame = pair_.b_in_a();
    depth_.on_a = farthest_.on_a;
    depth_.on_b = farthest_.on_b;
    if (kind_ == Kind::face_a) {
      depth_.on_a = frame.to_world(farthest_.on_b) + way;
      return is_on_face(a_.hull, feature_a_, depth_.on_a);
    }
    if (kind_ == Kind::face_b) {
      depth_.on_b = frame.to_local(farthest_.on_a - way);
      return is_on_face(b_.hull, feature_b_, depth_.on_b);
    }
    const Arc& a = a_.map.arcs[feature_a_];
    const Arc& b = b_.map.arcs[feature_b_];
    const Vec3 along_b = frame.direction_to_world(b.along);
    // Two lines that meet, but for rounding.
    const Vec3 between = frame.to_world(b.from) + way - a.from;
    // Thin hulls have edges on both sides with one normal: they meet on this one, or it is not the one.
    if (std::fabs(dot(between, depth_.axis)) > normal_error * pair_.size()) return false;
    const double cosine = dot(a.along, along_b);
    const double share = 1 / (1 - cosine * cosine);
    const double x = dot(between, a.along);
    const double y = dot(between, along_b);
    const double s = (x - cosine * y) * share;
    const double t = (cosine * x - y) * share;
    depth_.on_a = a.from + a.along * s;
    depth_.on_b = b.from + b.along * t;
    return s >= 0 && s <= a.length && t >= 0 && t <= b.length;
  }

  [[nodiscard]] static bool is_on_face(const Polytope& p, std::uint32_t f, const Vec3& point) {
    const auto corners = p.hull().corners(f);
    const Vec3& n = p.planes()[f].normal;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Vec3& from = p.vertices()[corners[i]];
      const Vec3& to = p.vertices()[corners[i + 1 < corners.size() ? i + 1 : 0]];
      if (dot(cross(n, to - from), point - from) < 0) return false;
    }
    return true;
  }

  Side a_, b_;
  std::array<ArcFan, most_crossed / 8> fans_;
  const CorePair& pair_;
  Corner farthest_;
  CoreDepth depth_;
  double reach_ = INFINITY; ///< the least so far
  std::uint32_t feature_a_ = 0, feature_b_ = 0;
  Kind kind_ = Kind::face_a;
};

} // namespace

std::optional<CoreDepth> hull_depth(const CorePair& pair, const Polytope& a, const Polytope& b) {
  return HullDepth(pair, a, b).run();
}

} // namespace carom
