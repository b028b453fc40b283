// The first look of a walk (feature_walk.h) at the features that were the nearest last time. After a small motion they still are, mostly, or their neighbours. Internal to the queries.
//
// For one look no frame need be turned into the other. The few vectors of the two features are turned into the world's axes, where the answer is wanted, and the axis back into both frames, where the neighbours
// are: four to six products with a matrix instead of ten, and A's and B's are made together (both_bodies.h).
//
// As with the walk, nothing is trusted. What proves it is that the neighbours lie behind the planes at right angles to the axis, by more than rounding (feature_walk.cpp). Where a neighbour is nearer the look says which.
// Where it cannot tell (a neighbour is level, edges are parallel, the features meet) the walk finds out.
//
// All of it is inline, so that numbers stay in registers: what is written in parts and read back as a whole waits until nothing else is under way, and that took a sixth of the time. What the answer waits for
// is the chain of matrix, points, axis and root; no decision waits for more of it than it needs.
#pragma once

#include "carom/query/both_bodies.h"
#include "carom/query/closed_forms.h"
#include "carom/query/feature_proof.h"
#include "carom/query/feature_walk.h"

#include <cmath>

namespace [[gnu::visibility("default")]] carom {

/// What a look found.
enum class Looked : std::uint8_t {
  nearest, ///< they are the nearest features, proved by their neighbours
  moved,   ///< a neighbour is nearer: look there
  unsure,  ///< nothing is said
};

/// Where a vertex is not the top of its hull along d, in its frame: up its steepest edge.
[[nodiscard]] Looked move_up(const FeatureLevel& hull, HullFeature& vertex, const Vec3& d,
                             bool to_point);
/// Where an edge is not: on to the face beside it that d leads into.
[[nodiscard]] Looked move_over(const FeatureLevel& hull, HullFeature& edge, const Vec3& d);

/// Where edges come nearest at an end of one or both: on to that vertex. The segments as in nearest_on_segments.
[[nodiscard]] Looked move_to_ends(const FeatureSide& side_a, HullFeature& a,
                                  const FeatureSide& side_b, HullFeature& b, const Vec3& w,
                                  const Vec3& u, const Vec3& v);

/// Two placed hulls and a feature of each. p is the body whose feature is named first, q the other one.
class FeatureLook {
public:
  /// The hulls and the features are referred to.
  [[gnu::always_inline]] FeatureLook(const FormPair& pair, const FeatureLevel& hull_a,
                                     HullFeature& a, const FeatureLevel& hull_b, HullFeature& b)
      : translation_(pair.translation), rounding_(pair.rounding),
        turned_(pair.pose_a.rotation, pair.pose_b.rotation), hull_{&hull_a, &hull_b}, feature_{&a,
                                                                                               &b} {
  }

  /// Whether the rotations are as to_matrix takes them.
  [[nodiscard, gnu::always_inline]] bool is_sound() const { return turned_.is_sound(); }

  /// Looks at features of these kinds. `nearest`: the answer is given. `moved`: a feature is another one now.
  template<FeatureKind kind_a, FeatureKind kind_b>
  [[nodiscard, gnu::always_inline]] Looked at(FormAnswer& answer) const {
    using Kind = FeatureKind;
    if constexpr (kind_a == Kind::vertex && kind_b == Kind::vertex) return vertex_vertex(answer);
    if constexpr (kind_a == Kind::vertex && kind_b == Kind::edge) return vertex_edge<0>(answer);
    if constexpr (kind_a == Kind::vertex && kind_b == Kind::face) return vertex_face<0>(answer);
    if constexpr (kind_a == Kind::edge && kind_b == Kind::vertex) return vertex_edge<1>(answer);
    if constexpr (kind_a == Kind::face && kind_b == Kind::vertex) return vertex_face<1>(answer);
    if constexpr (kind_a == Kind::edge && kind_b == Kind::edge) return edge_edge(answer);
    if constexpr (kind_a == Kind::edge && kind_b == Kind::face) return edge_face<0>();
    if constexpr (kind_a == Kind::face && kind_b == Kind::edge) return edge_face<1>();
    return Looked::unsure; // two faces: only a caller's own start can be that
  }
  /// After a look that moved: looks on, a few times. How many are added to `looks`.
  [[nodiscard]] Looked go_on(FormAnswer& answer, int& looks) const;

private:
  [[nodiscard, gnu::always_inline]] Looked vertex_vertex(FormAnswer& answer) const {
    const BothVec3 x = turned_.to_world(BothVec3::of(vertex(0), vertex(1)));
    const Vec3 w = x.b() - x.a() + translation_;
    const BothVec3 local = turned_.to_local(BothVec3::of(w));
    const double below = level * at_least_length(w);
    if (!is_top_vertex<0, true>(local, below)) return climb<0, true>(local, true);
    if (!is_top_vertex<1, false>(local, below)) return climb<1, false>(local, true);
    const double apart = length(w);
    return take(x.a(), w, apart, w / apart, answer);
  }

  template<std::size_t p>
  [[nodiscard, gnu::always_inline]] Looked vertex_edge(FormAnswer& answer) const {
    constexpr std::size_t q = 1 - p;
    const FeatureSide& side = hull_[q]->sides[feature_[q]->index];
    const BothVec3 x = turned_.to_world(both<p>(vertex(p), hull_[q]->vertices[side.origin]));
    const Vec3 along = of<q>(turned_.to_world(both<p>({}, side.along)));
    const Vec3 r = of<p>(x) - of<q>(x) + from_other<p>();
    const double s = dot(r, along);
    if (!(s >= 0)) return move(q, FeatureKind::vertex, side.origin);
    if (!(s <= side.length)) return move(q, FeatureKind::vertex, side.target);
    Vec3 w = r - along * s;
    // Short ones are made of errors, partly.
    if (const double skew = dot(w, along); skew * skew > 0.25 * square * square * length_squared(w))
        [[unlikely]]
      w -= along * skew;
    const BothVec3 local = turned_.to_local(BothVec3::of(w));
    const double below = level * at_least_length(w);
    if (!is_top_edge<q, true>(side, local, below)) return cross_to_face<q, true>(local);
    if (!is_top_vertex<p, false>(local, below)) return climb<p, false>(local, true);
    const double apart = length(w);
    return take_from_vertex<p>(of<p>(x), w, apart, w / apart, answer);
  }

  template<std::size_t p>
  [[nodiscard, gnu::always_inline]] Looked vertex_face(FormAnswer& answer) const {
    constexpr std::size_t q = 1 - p;
    const FeatureLevel& hull = *hull_[q];
    const std::uint32_t face = feature_[q]->index;
    const Vec3& n = hull.normals[face];
    const BothVec3 world = turned_.to_world(both<p>(vertex(p), n));
    const Vec3 normal = of<q>(world);
    const BothVec3 local = turned_.to_local(both<p>(normal, of<p>(world) + from_other<p>()));
    const Vec3 x = of<q>(local);
    const std::uint32_t crossed = crossed_side(hull, face, x, slack * rounding_);
    if (crossed != FeatureSide::no_face) return move(q, FeatureKind::edge, crossed);
    if (!is_top_vertex<p, false>(local, level)) return climb<p, false>(local, false);
    const std::uint32_t first = hull.sides_of(face)[0];
    const double height = dot(n, x - hull.vertices[hull.sides[first].origin]);
    return take_from_vertex<p>(of<p>(world), normal * height, height, normal, answer);
  }

  [[nodiscard, gnu::always_inline]] Looked edge_edge(FormAnswer& answer) const {
    const FeatureSide& a = hull_[0]->sides[feature_[0]->index];
    const FeatureSide& b = hull_[1]->sides[feature_[1]->index];
    const BothVec3 origin =
        turned_.to_world(BothVec3::of(hull_[0]->vertices[a.origin], hull_[1]->vertices[b.origin]));
    const BothVec3 along = turned_.to_world(BothVec3::of(a.along, b.along));
    const Vec3 u = along.a();
    const Vec3 v = along.b();
    const Vec3 w = origin.b() - origin.a() + translation_;
    const Vec3 c = cross(u, v);
    const double cc = length_squared(c);
    // Where along each they come nearest, times cc.
    const double s = dot(w, cross(v, c));
    const double t = dot(w, cross(u, c));
    if (!(cc > parallel_squared && s >= 0 && s <= a.length * cc && t >= 0 && t <= b.length * cc))
      return move_to_ends(a, *feature_[0], b, *feature_[1], w, u, v);
    // The axis, as long as the sine of the angle.
    const double sine = std::sqrt(cc);
    const double right = square * sine;
    if (!(std::fabs(dot(c, u)) <= right && std::fabs(dot(c, v)) <= right)) return Looked::unsure;
    const Vec3 n = dot(w, c) > 0 ? c : -c;
    const BothVec3 local = turned_.to_local(BothVec3::of(n));
    if (!is_top_edge<0, true>(a, local, level * sine)) return cross_to_face<0, true>(local);
    if (!is_top_edge<1, false>(b, local, level * sine)) return cross_to_face<1, false>(local);
    const Vec3 on_a = u * (s / cc);
    const Vec3 between = w + v * (t / cc) - on_a;
    const Vec3 normal = n / sine;
    const double apart = length(between);
    // Where the edges are nearly parallel, the points may not be quite opposite.
    if (!(apart - dot(between, normal) <= 0.5 * rounding_)) return Looked::unsure;
    return take(origin.a() + on_a, between, apart, normal, answer);
  }

  /// Never the nearest: there is a vertex, or an edge of the face, that is as near.
  template<std::size_t p>
  [[nodiscard, gnu::always_inline]] Looked edge_face() const {
    constexpr std::size_t q = 1 - p;
    const FeatureSide& edge = hull_[p]->sides[feature_[p]->index];
    const Vec3 origin = of<p>(turned_.to_world(both<p>(hull_[p]->vertices[edge.origin], {})));
    const Vec3 along = of<p>(turned_.to_world(both<p>(edge.along, {})));
    const Vec3 local_origin = of<q>(turned_.to_local(both<p>({}, origin + from_other<p>())));
    const Vec3 local_along = of<q>(turned_.to_local(both<p>({}, along)));
    const ClippedEdge clipped =
        clip_edge(*hull_[q], feature_[q]->index, local_origin, local_along, edge.length,
                  slack * rounding_, feature_proof::touch * rounding_);
    using Where = ClippedEdge::Where;
    if (clipped.where == Where::origin) return move(p, FeatureKind::vertex, edge.origin);
    if (clipped.where == Where::target) return move(p, FeatureKind::vertex, edge.target);
    if (clipped.where == Where::side) return move(q, FeatureKind::edge, clipped.side);
    return Looked::unsure;
  }

  static constexpr double level = feature_proof::level;
  static constexpr double square = feature_proof::square;
  static constexpr double slack = feature_proof::slack;
  static constexpr double parallel_squared = feature_proof::parallel_squared;

  /// A vector for p and one for the other body.
  template<std::size_t p>
  [[nodiscard, gnu::always_inline]] static BothVec3 both(const Vec3& of_p, const Vec3& of_q) {
    return p == 0 ? BothVec3::of(of_p, of_q) : BothVec3::of(of_q, of_p);
  }
  template<std::size_t p>
  [[nodiscard, gnu::always_inline]] static Vec3 of(const BothVec3& v) {
    return p == 0 ? v.a() : v.b();
  }
  /// Up to the root of 3 times as much, and known sooner.
  [[nodiscard]] static double at_least_length(const Vec3& v) {
    return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z);
  }

  [[nodiscard]] const Vec3& vertex(std::size_t body) const {
    return hull_[body]->vertices[feature_[body]->index];
  }
  /// From the other body's position to that of p.
  template<std::size_t p>
  [[nodiscard]] Vec3 from_other() const {
    return p == 0 ? -translation_ : translation_;
  }

  /// p's direction, in its hull's axes, or where not `ahead` the opposite one.
  template<std::size_t p, bool ahead>
  [[nodiscard, gnu::always_inline]] static Vec3 direction(const BothVec3& local) {
    return ahead ? of<p>(local) : -of<p>(local);
  }
  /// Whether all edges at p's vertex lead down along its direction by more than `below`.
  template<std::size_t p, bool ahead>
  [[nodiscard, gnu::always_inline]] bool is_top_vertex(const BothVec3& local, double below) const {
    const BothVec3 d = BothVec3::of(of<p>(local));
    const StarBlock* const blocks = hull_[p]->star_blocks.data();
    const std::uint32_t* const begin = hull_[p]->star_block_begin.data() + feature_[p]->index;
    Both highest = to_both(ahead ? -INFINITY : INFINITY);
    for (const StarBlock *b = blocks + begin[0], *end = blocks + begin[1]; b != end; ++b) {
      const Both rise = Both{b->x[0], b->x[1]} * d.x + Both{b->y[0], b->y[1]} * d.y +
                        Both{b->z[0], b->z[1]} * d.z;
      highest = ahead ? greater(highest, rise) : lesser(highest, rise);
    }
    return ahead ? highest[0] < -below && highest[1] < -below
                 : highest[0] > below && highest[1] > below;
  }
  /// Whether both faces at its edge do. A segment has none.
  template<std::size_t p, bool ahead>
  [[nodiscard, gnu::always_inline]] bool is_top_edge(const FeatureSide& edge, const BothVec3& local,
                                                     double below) const {
    if (edge.face == FeatureSide::no_face) return true;
    const double out = dot(edge.outward, of<p>(local));
    const double out_back = dot(hull_[p]->sides[edge.twin].outward, of<p>(local));
    return ahead ? out > below && out_back > below : out < -below && out_back < -below;
  }

  template<std::size_t p, bool ahead>
  Looked climb(const BothVec3& local, bool to_point) const {
    return move_up(*hull_[p], *feature_[p], direction<p, ahead>(local), to_point);
  }
  template<std::size_t p, bool ahead>
  Looked cross_to_face(const BothVec3& local) const {
    return move_over(*hull_[p], *feature_[p], direction<p, ahead>(local));
  }
  Looked move(std::size_t body, FeatureKind kind, std::uint32_t index) const {
    *feature_[body] = {kind, index};
    return Looked::moved;
  }

  /// `vertex` of p is seen from p's position; `w` leads to it from the other body.
  template<std::size_t p>
  [[nodiscard, gnu::always_inline]] Looked take_from_vertex(const Vec3& vertex, const Vec3& w,
                                                            double apart, const Vec3& normal,
                                                            FormAnswer& answer) const {
    if (p == 0) return take(vertex, -w, apart, -normal, answer);
    return take(vertex + translation_ - w, w, apart, normal, answer);
  }
  [[nodiscard, gnu::always_inline]] Looked take(const Vec3& on_a, const Vec3& between, double apart,
                                                const Vec3& normal, FormAnswer& answer) const {
    answer.distance = apart;
    answer.lower = apart - feature_proof::roundings * rounding_;
    answer.on_a = on_a;
    answer.between = between;
    answer.normal = normal;
    return apart > feature_proof::touch * rounding_ ? Looked::nearest : Looked::unsure;
  }

  Vec3 translation_; ///< from A's position to B's
  double rounding_;
  BothTurned turned_;
  const FeatureLevel* hull_[2];
  HullFeature* feature_[2];
};

/// Looks at a pair of features of these kinds, then at the neighbours that are nearer, a few times. True where the nearest are found, and the answer; `looks` is how many were taken. False where
/// that is not so, a pose is out of range, or there are no such features: then the features are as good a start for a walk as before.
template<FeatureKind kind_a, FeatureKind kind_b>
[[nodiscard, gnu::always_inline]] inline bool
find_near_features(const FormPair& pair, const FeatureLevel& hull_a, HullFeature& a,
                   const FeatureLevel& hull_b, HullFeature& b, FormAnswer& answer, int& looks) {
  if (!hull_a.has({kind_a, a.index}) || !hull_b.has({kind_b, b.index})) return false;
  const FeatureLook look(pair, hull_a, a, hull_b, b);
  if (!are_coordinates(pair.pose_a.position, pair.pose_b.position) || !look.is_sound())
    return false;
  looks = 1;
  const Looked looked = look.at<kind_a, kind_b>(answer);
  if (looked != Looked::moved) [[likely]]
    return looked == Looked::nearest;
  // Copies, so that the first look is taken in registers.
  const FeatureLook second = look;
  FormAnswer found = FormAnswer::room(pair);
  int count = 1;
  if (second.go_on(found, count) != Looked::nearest) return false;
  answer = found;
  looks = count;
  return true;
}

/// Per pair of kinds a function of its own, Way::from<kind_a, kind_b>.
template<class Way>
[[nodiscard]] inline auto way_from(FeatureKind kind_a, FeatureKind kind_b) {
  using Kind = FeatureKind;
  static constexpr decltype(&Way::template from<Kind::vertex, Kind::vertex>) ways[3][3] = {
      {&Way::template from<Kind::vertex, Kind::vertex>,
       &Way::template from<Kind::vertex, Kind::edge>,
       &Way::template from<Kind::vertex, Kind::face>},
      {&Way::template from<Kind::edge, Kind::vertex>, &Way::template from<Kind::edge, Kind::edge>,
       &Way::template from<Kind::edge, Kind::face>},
      {&Way::template from<Kind::face, Kind::vertex>, &Way::template from<Kind::face, Kind::edge>,
       &Way::template from<Kind::face, Kind::face>}};
  return ways[static_cast<int>(kind_a)][static_cast<int>(kind_b)];
}

} // namespace carom
