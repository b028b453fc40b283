// Volume, centre of mass and inertia of a shape.
//
//   ShapeMass m = mass_properties(rock);
//   double mass = density * m.volume;             // and the inertia is density * m.inertia
//
// Closed forms wherever there are any: all the kinds as built, with rounding and scaling; sums, hulls of two and scalings of polytopes with any
// rounding (of equal rounding for hulls of two); a sum with a ball; the hull of two balls. A scaled shape without further rounding has the
// transformed moments of the shape inside. The rest is found numerically (mesh/support_moments.h): sums and hulls of two with curved parts, rounded
// ellipsoids (but balls), rounded scaled round things, a user's own support function. The error of the volume is bounded in either case.
#pragma once

#include "carom/mesh/mass_properties.h"
#include "carom/shape/shape.h"

namespace [[gnu::visibility("default")]] carom {

/// Volume, centroid and inertia of a solid of density 1, in the shape's own frame; moved, added and taken about other points as those of
/// any solid (mesh/mass_properties.h).
///
///   flat       a point, a segment, a disc, a flat hull ...: volume and inertia are 0; the centroid is that of the area, or of the length, or
///              the point.
///   unbounded  a half-space: the volume is infinite, centroid and inertia are 0.
///   mesh       of a solid what its triangles enclose, as mesh/mass_properties.h has it: where it overlaps itself, as often as it is wound around. A surface is flat, also one that is closed; its centroid is that of
///              its area. A rounding does not count: relative_error says how much more it may be at most (infinite for a surface).
///   height_field  a surface, like that of a mesh.
///   compound   its parts together: where they overlap, each counts. Where none has a volume, the centroid is the mean of the parts' centroids.
///   cloud      its balls together: where they overlap, each counts. Without a radius, the centroid is the mean of the points.
struct ShapeMass : MassProperties {
  /// How far `volume` may be off, as a part of itself. About 64 epsilon where there is a closed form, below 1e-3 else; more only
  /// where the shape itself is known no better (corners of thin brushes, sums that are nearly flat) or 30,000 support points do not suffice. 0
  /// for flat and unbounded shapes. Infinite where a user's support function contradicts itself.
  double relative_error = 0;
};

/// Some microseconds for closed forms (and for hulls, in proportion to their faces), up to a few hundred milliseconds (a second or two for needles and plates of 1e-10) for what is found
/// numerically.
[[nodiscard]] ShapeMass mass_properties(const Shape& shape);

} // namespace carom
