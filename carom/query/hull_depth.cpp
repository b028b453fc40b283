// The faces of A - B are the faces of A, those of B turned around, and a parallelogram for each edge of A and edge of B whose arcs cross on the Gauss map (B's turned
// around). Along the normal of one of them A - B reaches least: that is the depth.
//
// Most of them need no look. Let B contain a ball of radius r around c: along n, B reaches at least r - n . c against it. So along the normal of a face of A, whose plane is at
// height d, A - B reaches at least d - n . c + r, whatever B is. Where that is more than the least reach so far, the face is out; likewise an edge whose two
// faces are, nearly: between the normals of its faces the bound is not less than at one of them, or not by more than the cosine of half the angle
// between them. What is left is around the direction in which the hulls are pushed into each other, a seventh of the sphere mostly, for A and for B; of the pairs of their edges,
// few cross.
//
// Rounding. Every reach is measured on the hulls themselves, along a unit vector, so it is an upper bound of the depth. It is also a lower one to within the error
// of the normal: a few epsilon for faces, and as many over the sine of the angle for edges. Pairs below `least_sine` are left to the expanding polytope. What prunes must not make more of a
// rounding than it is: bounds of arcs are lowered by one before they are stretched, and heights between edges are compared as they are, not divided by the sine.
#include "carom/query/hull_depth.h"

#include "carom/query/arc_lanes.h"

#include <algorithm>
#include <array>
#include <bit>

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

const ArcLanes& lanes() {
  static const ArcLanes widest = ArcLanes::widest();
  return widest;
}

/// A hull, and what the ball inside the other one, seen from its frame, leaves of its faces and edges.
struct Side {
  const Polytope& hull;
  const GaussArcs& map;
  Sphere other;
  alignas(
      64) std::array<double, (Polytope::most_faces + 7) / 8 *
                                 8> bound; ///< per face: not more than the reach along its normal
  std::array<std::uint32_t, Polytope::most_edges + 8> left; ///< arcs
  std::size_t arcs_left = 0;
  std::uint32_t first_face; ///< the one of least bound

  Side(const Polytope& h, const Sphere& ball)
      : hull(h), map(h.arcs()), other(ball),
        first_face(lanes().bound_faces(map.face_blocks.data(), map.face_blocks.size(), ball,
                                       bound.data())) {}

  void find_arcs(double reach, double rounding) {
    arcs_left = lanes().find_near(map.arc_blocks.data(), map.arc_blocks.size(), other, reach,
                                  rounding, left.data());
    // A block that is not full repeats its last arc.
    while (arcs_left > 0 && left[arcs_left - 1] >= map.arcs.size()) --arcs_left;
  }
};

class HullDepth {
public:
  HullDepth(const CorePair& pair, const Polytope& a, const Polytope& b)
      : a_(a, {pair.b_in_a().to_world(pair.inner_b().center), pair.inner_b().radius}),
        b_(b, {pair.b_in_a().to_local(pair.inner_a().center), pair.inner_a().radius}), pair_(pair) {
  }

  std::optional<CoreDepth> run() {
    look_at_face_of_a(a_.first_face);
    look_at_face_of_b(b_.first_face);
    look_at_faces(a_, [&](std::uint32_t f) { look_at_face_of_a(f); });
    look_at_faces(b_, [&](std::uint32_t f) { look_at_face_of_b(f); });
    a_.find_arcs(depth_.upper, pair_.rounding());
    b_.find_arcs(depth_.upper, pair_.rounding());
    if (!(depth_.upper < INFINITY) || b_.arcs_left > most_crossed || !look_at_edges() ||
        !find_points())
      return std::nullopt;
    const double error = normal_error * pair_.size() + pair_.rounding();
    depth_.lower = depth_.upper - error;
    depth_.answered = true;
    if (!(depth_.lower > error)) return std::nullopt;
    return depth_;
  }

private:
  enum class Kind : std::uint8_t { face_a, face_b, edges };

  /// Those that may be better than the best so far.
  template<class Look>
  void look_at_faces(const Side& side, Look&& look_at) {
    std::array<std::uint32_t, Polytope::most_faces + 8> faces;
    const std::size_t count = lanes().find_below(side.bound.data(), side.map.face_blocks.size(),
                                                 depth_.upper, faces.data());
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t f = faces[i];
      // A block that is not full repeats its last face.
      if (side.bound[f] < depth_.upper && f != side.first_face && f < side.hull.planes().size())
        look_at(f);
    }
  }

  /// n is a unit vector in A's frame.
  void look(const Vec3& n, Kind kind, std::uint32_t feature_a, std::uint32_t feature_b) {
    ++depth_.iterations;
    const Corner w = pair_.corner_toward(n);
    const double reach = dot(n, w.difference);
    if (!(reach < depth_.upper)) return;
    depth_.upper = reach;
    depth_.axis = n;
    farthest_ = w;
    kind_ = kind;
    feature_a_ = feature_a;
    feature_b_ = feature_b;
  }
  void look_at_face_of_a(std::uint32_t f) { look(a_.hull.planes()[f].normal, Kind::face_a, f, 0); }
  void look_at_face_of_b(std::uint32_t f) {
    look(normalized(-pair_.b_in_a().direction_to_world(b_.hull.planes()[f].normal)), Kind::face_b,
         0, f);
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
        unsigned bits = lanes().find_crossing(fans_[k], a, depth_.upper, pair_.rounding());
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
    if (side >= -arc_slack) look(n, Kind::edges, index_a, index_b);
    if (side <= arc_slack) look(-n, Kind::edges, index_a, index_b);
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
  std::uint32_t feature_a_ = 0, feature_b_ = 0;
  Kind kind_ = Kind::face_a;
};

} // namespace

std::optional<CoreDepth> hull_depth(const CorePair& pair, const Polytope& a, const Polytope& b) {
  return HullDepth(pair, a, b).run();
}

} // namespace carom
