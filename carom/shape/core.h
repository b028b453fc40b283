// What a shape is made of: a core, of one of a closed set of kinds, in the shape's own frame. A shape is its core rounded by a radius:
// all points within that radius of the core.
//
// A ball is a point rounded, a capsule a segment rounded. So each question about rounded shapes is one about their cores: the signed
// distance of two shapes is that of the cores less both radii.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/cone.h"
#include "carom/geometry/ellipsoid.h"
#include "carom/geometry/line.h"
#include "carom/geometry/plane.h"
#include "carom/geometry/tapered_capsule.h"
#include "carom/geometry/triangle.h"
#include "carom/shape/polytope.h"

#include <functional>
#include <memory>
#include <variant>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

class Shape;

/// A bounded intersection of half-spaces with points in its inside. The half-spaces are the shape; the corners are where their planes meet, each
/// coordinate rounded (half_space_intersection.h says how exactly).
struct BrushCore {
  std::vector<HalfSpace>
      faces;        ///< as given: the normals need not be unit vectors, some may bound nothing
  Polytope corners; ///< the hull of the corners
  std::vector<std::uint32_t>
      face_of; ///< per face of `corners`: which of `faces` it lies on, or the number of faces for one that only rounding made
};

/// All sums of a point of the one and a point of the other.
struct SumCore {
  std::shared_ptr<const Shape> a, b;
};

/// The least convex set around both.
struct HullOfTwoCore {
  std::shared_ptr<const Shape> a, b;
};

/// A user's own bounded convex set, known by a function that gives the farthest point in a direction. It must be pure, thread-safe and
/// always give a point of the same set; any nonzero direction may be asked for, of any length.
struct CustomCore {
  std::function<Vec3(const Vec3& direction)> support;
  Vec3 inside; ///< a point of the set: the answer where the function gives none that is finite
};

/// Another shape, its rounding included, with each coordinate multiplied by a factor, none of them 0.
struct ScaledCore {
  std::shared_ptr<const Shape> shape;
  Vec3 factors;
};

using ShapeCore =
    std::variant<Vec3, Segment, Triangle, Obb, Cylinder, Cone, TaperedCapsule, Ellipsoid, Polytope,
                 HalfSpace, BrushCore, SumCore, HullOfTwoCore, CustomCore, ScaledCore>;

} // namespace carom
