#include "carom/query/feature_look.h"

namespace carom {
namespace {

/// After as many a walk is on its way somewhere else.
constexpr int most_looks = 5;

} // namespace

Looked FeatureLook::go_on(FormAnswer& answer, int& looks) const {
  using Kind = FeatureKind;
  while (looks < most_looks) {
    ++looks;
    const Kind a = feature_[0]->kind, b = feature_[1]->kind;
    Looked looked = Looked::unsure;
    if (a == Kind::vertex && b == Kind::vertex) looked = at<Kind::vertex, Kind::vertex>(answer);
    if (a == Kind::vertex && b == Kind::edge) looked = at<Kind::vertex, Kind::edge>(answer);
    if (a == Kind::vertex && b == Kind::face) looked = at<Kind::vertex, Kind::face>(answer);
    if (a == Kind::edge && b == Kind::vertex) looked = at<Kind::edge, Kind::vertex>(answer);
    if (a == Kind::edge && b == Kind::edge) looked = at<Kind::edge, Kind::edge>(answer);
    if (a == Kind::edge && b == Kind::face) looked = at<Kind::edge, Kind::face>(answer);
    if (a == Kind::face && b == Kind::vertex) looked = at<Kind::face, Kind::vertex>(answer);
    if (a == Kind::face && b == Kind::edge) looked = at<Kind::face, Kind::edge>(answer);
    if (looked != Looked::moved) return looked;
  }
  return Looked::unsure;
}

Looked move_up(const FeatureLevel& hull, HullFeature& vertex, const Vec3& d, bool to_point) {
  const FeatureSlope slope = steepest(hull, vertex.index, d);
  if (!(slope.rise > feature_proof::turn * length(d))) return Looked::unsure;
  vertex = climbed(hull, slope, to_point);
  return Looked::moved;
}

Looked move_over(const FeatureLevel& hull, HullFeature& edge, const Vec3& d) {
  const FeatureSide& side = hull.sides[edge.index];
  const FeatureSide& back = hull.sides[side.twin];
  const double out = dot(d, side.outward);
  const double out_back = dot(d, back.outward);
  const double least = -feature_proof::turn * length(d);
  if (!(out < least || out_back < least) || out == out_back) return Looked::unsure;
  edge = {FeatureKind::face, out < out_back ? side.face : back.face};
  return Looked::moved;
}

Looked move_to_ends(const FeatureSide& side_a, HullFeature& a, const FeatureSide& side_b,
                    HullFeature& b, const Vec3& w, const Vec3& u, const Vec3& v) {
  const EdgeCrossing at = nearest_on_segments(w, u, side_a.length, v, side_b.length, cross(u, v));
  if (at.end_s == 0 && at.end_t == 0) return Looked::unsure;
  if (at.end_s != 0) a = {FeatureKind::vertex, at.end_s < 0 ? side_a.origin : side_a.target};
  if (at.end_t != 0) b = {FeatureKind::vertex, at.end_t < 0 ? side_b.origin : side_b.target};
  return Looked::moved;
}

} // namespace carom
