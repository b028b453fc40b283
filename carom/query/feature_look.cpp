#include "carom/query/feature_look.h"

namespace carom {

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

} // namespace carom
