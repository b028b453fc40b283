// The distance and the depth of two placed hulls, to 17 digits and more, by brute force.
//
// Apart: the nearest points of the features that face each other, and the plane between them with every corner on its side: both bounds in long double, so that their
// difference says how exact the reference is. It starts from a normal that may come from the code under test, but proves what it says.
// Overlapping: each face of the Minkowski difference is a face of A, a face of B, or two edges whose arcs on the sphere of normals cross. All are tried; those that come near to
// the least are computed again in long double, with supports by scans of all corners.
#pragma once

#include "carom/shape/shape.h"
#include "tests/accuracy/real3.h"

#include <cstdint>
#include <vector>

namespace carom::accuracy {

struct Reference {
  Real value = 0; ///< the signed distance
  Real error = 0; ///< it may be off by this
};

class HullReference {
public:
  /// Both are hulls with an inside.
  HullReference(const Shape& a, const Shape& b);

  void place(const Pose& pose_a, const Pose& pose_b);
  /// For hulls that are apart, from about the normal from A to B. Not proved: an error that is not small.
  [[nodiscard]] Reference apart(const Vec3& normal) const;
  /// For hulls that overlap.
  [[nodiscard]] Reference overlapping() const;

private:
  struct Edge {
    std::uint32_t from, to, left, right; ///< corners, faces
  };
  /// A hull, and where it is.
  struct Hull {
    explicit Hull(const Shape& shape);
    void place(const Pose& pose);

    const ConvexHull& mesh;
    std::vector<Vec3> local_normals;
    std::vector<Edge> edges;
    std::vector<Vec3> corners, normals; ///< in the world
    std::vector<Real3> precise;         ///< the corners
  };
  struct Candidate {
    double value;
    Real3 normal;
  };

  /// Along a unit vector from A to B.
  [[nodiscard]] Real gap(const Real3& n) const;
  void try_faces(const Hull& hull, const Hull& other, double side, std::vector<double>& overlaps,
                 std::vector<Candidate>& found) const;
  [[nodiscard]] static std::vector<Edge>
  near_edges(const Hull& hull, const std::vector<double>& overlaps, double least, double lipschitz);
  void try_edges(const std::vector<Edge>& of_a, const std::vector<Edge>& of_b,
                 std::vector<Candidate>& found) const;

  Hull a_, b_;
};

} // namespace carom::accuracy
