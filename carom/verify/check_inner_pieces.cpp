#include "carom/verify/check_inner_pieces.h"

#include "carom/math/predicates.h"
#include "carom/mesh/winding_number.h"
#include "carom/verify/hull.h"
#include "carom/verify/piece_view.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace carom::verify {
namespace {

/// Whether all corners are on the outer side of one face, or in its plane: exactly.
bool is_beyond_a_face(const ConvexHull& piece, std::span<const Vec3> corners) {
  for (std::size_t f = 0; f < piece.face_count(); ++f) {
    const auto c = piece.corners(f);
    const Vec3 &p = piece.vertices[c[0]], &q = piece.vertices[c[1]], &r = piece.vertices[c[2]];
    if (std::all_of(corners.begin(), corners.end(),
                    [&](const Vec3& x) { return orient3d(p, q, r, x) >= 0; }))
      return true;
  }
  return false;
}

/// Whether something is left of a polygon once all is cut off that is not deeper than the tolerance.
bool reaches_into(const PieceView& view, std::span<const Vec3> corners, double tolerance) {
  std::vector<Vec3> left(corners.begin(), corners.end());
  for (const Plane& plane : view.planes()) {
    left = cut_polygon(left, plane, plane.offset - tolerance).below;
    if (left.empty()) return false;
  }
  return true;
}

Vec3 middle_of(const ConvexHull& piece) {
  Vec3 sum;
  for (const Vec3& v : piece.vertices) sum += v;
  return sum * (1.0 / static_cast<double>(piece.vertices.size()));
}

} // namespace

Verdict check_inner_piece(const PolygonSurface& triangles, const ConvexHull& piece,
                          double tolerance) {
  if (piece.dimension != 3) return Verdict::no("the piece is no solid");
  if (Verdict v = check_hull_shape(piece); !v) return v;
  const PieceView view(piece);
  for (std::size_t f = 0; f + 1 < triangles.face_begin.size(); ++f) {
    std::vector<Vec3> corners;
    for (std::uint32_t k = triangles.face_begin[f]; k < triangles.face_begin[f + 1]; ++k)
      corners.push_back(triangles.vertices[triangles.corners[k]]);
    if (corners.size() != 3) return Verdict::no("a face is no triangle");
    if (!is_beyond_a_face(piece, corners) && reaches_into(view, corners, tolerance))
      return Verdict::no("triangle " + std::to_string(f) + " reaches into the piece");
  }
  const Vec3 middle = middle_of(piece);
  if (!view.contains(middle)) return Verdict::no("the middle of the piece is not in it");
  if (crossing_count(triangles, middle) < 1) return Verdict::no("the piece is outside");
  return Verdict::yes();
}

Verdict check_inner_pieces(const PolygonSurface& triangles, std::span<const ConvexHull> pieces,
                           double tolerance) {
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (Verdict v = check_inner_piece(triangles, pieces[i], tolerance); !v)
      return Verdict::no("piece " + std::to_string(i) + ": " + v.why);
  }
  return Verdict::yes();
}

} // namespace carom::verify
