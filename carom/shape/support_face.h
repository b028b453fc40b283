// What support_face (feature.h) asks of a core, and the cores that have a source of their own. Internal to the shapes.
#pragma once

#include "carom/math/tolerance.h"
#include "carom/shape/feature.h"

#include <cmath>

namespace [[gnu::visibility("default")]] carom {
namespace support_faces {

using Index = std::uint32_t;

/// How far a corner may be off a face's plane, in parts of the size, and still count as on it: a few roundings of coordinates.
inline constexpr double coplanar = 16 * tolerance::epsilon;

[[nodiscard]] constexpr Feature vertex(Index id) { return {FeatureKind::vertex, id}; }
[[nodiscard]] constexpr Feature edge(Index id) { return {FeatureKind::edge, id}; }
[[nodiscard]] constexpr Feature face(Index id) { return {FeatureKind::face, id}; }

/// The unit vector nearest to d at right angles to the unit vector u; any such where they are parallel to within rounding. Twice, because the first difference loses
/// its bits where they are nearly parallel.
[[nodiscard]] inline Vec3 across(const Vec3& u, const Vec3& d) {
  const Vec3 rest = normalized_or(d - u * dot(u, d), u);
  const Vec3 m = std::fabs(dot(u, rest)) < 0.5 ? rest : perpendicular(u);
  return normalized(m - u * dot(u, m));
}

/// The arguments of support_face, and the answers that many kinds of cores give.
struct Asked {
  const Shape& shape;
  const Vec3& d;
  double min_cosine;
  FaceStorage& storage;

  [[nodiscard]] bool faces(const Vec3& normal) const { return dot(normal, d) >= min_cosine; }

  [[nodiscard]] SupportFace point(const Vec3& p, const Feature& at) const {
    storage.few[0] = {p, at, at};
    return {at, d, std::span(storage.few).first(1)};
  }
  [[nodiscard]] SupportFace line(const FaceCorner& from, const FaceCorner& to,
                                 const Vec3& normal) const {
    storage.few[0] = from;
    storage.few[1] = to;
    return {from.side, normal, std::span(storage.few).first(2)};
  }
};

[[nodiscard]] SupportFace feature_of(const Segment& s, const Asked& ask);
[[nodiscard]] SupportFace feature_of(const Polytope& p, const Asked& ask);
[[nodiscard]] SupportFace feature_of(const Cylinder& c, const Asked& ask);
[[nodiscard]] SupportFace feature_of(const Cone& c, const Asked& ask);
[[nodiscard]] SupportFace feature_of(const TaperedCapsule& c, const Asked& ask);

} // namespace support_faces
} // namespace carom
