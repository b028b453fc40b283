// Vertices, edges and triangles that move along a piece of a screw, against others at rest: which touch first. Internal.
//
// Two triangles that were apart touch first where a vertex of the one is in the other, or where two edges cross. So three kinds of pairs are looked at, each by the polynomial
//   vertex, triangle:   n . x(u) - n . a      (x: W times the vertex; n, a: of the triangle at rest)
//   triangle, vertex:   the same, seen from the body
//   edge, edge:         f . m(u) + (q x f) . e(u)      (m, e: W times moment and direction of the edge that moves; q, f: a point and the direction of the other)
// which is W times a volume: a cubic, and 0 when they are in one plane. Where it is within a band around 0, as wide as all roundings together, they may be; next to a simple root that is a moment, and where things slide along in a
// plane or edges are parallel it is all of the time. Then the distance of the two features decides: within `tolerance` is a hit; else it goes on for as long as the direction
// between the nearest points keeps them apart (the next root of another cubic), and to the next time in the band. So all cases are one, nothing is missed, and nothing is reported that is farther than the tolerance.
#pragma once

#include "carom/geometry/box.h"
#include "carom/motion/screw_path.h"
#include "carom/shape/shape.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// A convex shape with flat faces by its parts. Faces of more than three corners are cut; the cuts are not edges. A point is an edge, too, without length.
struct FeatureSet {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 2>> edges;
  std::vector<std::array<std::uint32_t, 3>> triangles;

  /// Those of the shape, in its own frame, instead of what was there. False, and nothing there, where it is not convex with flat faces, or rounded.
  bool take(const Shape& shape);
  void place(const Frame& frame) {
    for (Vec3& v : vertices) v = frame.to_world(v);
  }
};

struct ScrewContact {
  bool hit = false;
  double u = 1; ///< within the piece; where nothing was hit, as far as was asked for
  /// Nearest points of the features then, and a unit vector from A toward B.
  Vec3 on_a{}, on_b{}, normal{1, 0, 0};
  double distance = 0;
  bool sure =
      true; ///< false: too many steps; nothing touches before, but whether then is not known
};

class ScrewSearch {
public:
  /// `tolerance`: a length, at least 2^-40 of all places.
  explicit ScrewSearch(double tolerance) : tolerance_(tolerance) {}

  /// The first contact of A, which moves, and B, at rest, from one time to the other. Places as in ScrewPath, A's when the piece begins.
  [[nodiscard]] ScrewContact first_contact(const ScrewPath& path, const FeatureSet& a,
                                           const FeatureSet& b, double from, double until);

  /// Pairs whose cubic was looked at, so far.
  [[nodiscard]] std::size_t pairs() const { return pairs_; }

private:
  struct MovingVertex {
    VectorCubic path;
    Aabb box; ///< of the current window
    double bulge = 0;
  };
  struct MovingEdge {
    VectorCubic direction, moment;
    double length = 0, turning = 0;
  };
  /// What of both is near the other in the current window.
  struct Near {
    std::vector<std::uint32_t> vertices, edges, triangles;
    std::vector<Aabb> edge_boxes, triangle_boxes;
    void clear();
  };

  void prepare(const FeatureSet& a, const FeatureSet& b, double from);
  bool open_window(const FeatureSet& a, const FeatureSet& b, double from, double to);
  void search_window(const FeatureSet& a, const FeatureSet& b, double from, ScrewContact& best);
  void try_vertex(const FeatureSet& a, std::uint32_t v, const FeatureSet& b, std::uint32_t triangle,
                  double from, ScrewContact& best);
  void try_triangle(const FeatureSet& a, std::uint32_t triangle, const FeatureSet& b,
                    std::uint32_t v, double from, ScrewContact& best);
  void try_edges(const FeatureSet& a, std::uint32_t edge_a, const FeatureSet& b,
                 std::uint32_t edge_b, double from, ScrewContact& best);

  const ScrewPath* path_ = nullptr;
  double tolerance_;
  double speed_ = 0; ///< of A's vertices, at most
  std::size_t pairs_ = 0;
  std::vector<MovingVertex> vertices_;
  std::vector<MovingEdge> edges_;
  std::vector<VectorCubic> seen_; ///< B's vertices, seen from A
  Aabb box_b_;
  Near near_a_, near_b_;
};

} // namespace carom
