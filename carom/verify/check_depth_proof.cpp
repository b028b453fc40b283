#include "carom/verify/check_depth_proof.h"

#include "carom/mesh/convex_hull.h"
#include "carom/shape/composite.h"
#include "carom/verify/check_inner_pieces.h"
#include "carom/verify/check_query.h"
#include "carom/verify/parts.h"
#include "carom/verify/support_distance.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace carom::verify {
namespace {

bool same(const PlacedPiece& x, const PlacedShape& y) {
  return x.shape == y.shape && x.pose == y.pose;
}

/// A mesh in the arrays that other checks take.
struct Faces {
  explicit Faces(const TriangleMesh& mesh) : vertices(mesh.vertices()) {
    for (const auto& triangle : mesh.surface().triangles) {
      begin.push_back(static_cast<std::uint32_t>(corners.size()));
      corners.insert(corners.end(), triangle.begin(), triangle.end());
    }
    begin.push_back(static_cast<std::uint32_t>(corners.size()));
  }
  [[nodiscard]] PolygonSurface surface() const { return {vertices, begin, corners}; }
  std::span<const Vec3> vertices;
  std::vector<std::uint32_t> begin, corners;
};

Verdict check_ball(const PlacedShape& solid, const TriangleMesh& mesh, const Sphere& ball,
                   double tolerance) {
  if (!wound_around(solid, ball.center)) return Verdict::no("a ball has its centre outside");
  const Vec3 center = solid.pose.frame().to_local(ball.center);
  double nearest = INFINITY;
  for (std::size_t i = 0; i < mesh.surface().size(); ++i)
    nearest = std::min(nearest, distance(center, mesh.surface()[i]));
  if (nearest + solid.shape.rounding() < ball.radius - tolerance)
    return Verdict::off("a ball reaches out by", ball.radius - nearest);
  return Verdict::yes();
}

Verdict check_piece_of_mesh(const PlacedShape& shape, const TriangleMesh& mesh,
                            const PlacedPiece& piece, double tolerance) {
  const double rounding = shape.shape.rounding();
  if (const auto* t = std::get_if<Triangle>(&piece.shape.core())) {
    for (std::size_t i = 0; i < mesh.surface().size(); ++i) {
      const Triangle own = mesh.surface()[i];
      if (own.a == t->a && own.b == t->b && own.c == t->c && piece.pose == shape.pose &&
          piece.shape.rounding() <= rounding)
        return Verdict::yes();
    }
    return Verdict::no("a triangle is not one of the mesh");
  }
  if (piece.shape.kind() == ShapeKind::sphere) {
    const Sphere ball{piece.pose.frame().to_world(std::get<Vec3>(piece.shape.core())),
                      piece.shape.rounding()};
    // One within the rounding needs no inside.
    for (std::size_t i = 0; i < mesh.surface().size(); ++i) {
      const double off = distance(shape.pose.frame().to_local(ball.center), mesh.surface()[i]);
      if (off + ball.radius <= rounding + tolerance) return Verdict::yes();
    }
    return mesh.solid() ? check_ball(shape, mesh, ball, tolerance)
                        : Verdict::no("a ball is not within the rounding of a surface");
  }
  const auto* hull = std::get_if<Polytope>(&piece.shape.core());
  if (!hull || !mesh.solid()) return Verdict::no("a piece is no ball and no hull");
  if (piece.pose != shape.pose || piece.shape.rounding() > rounding)
    return Verdict::no("a hull is placed otherwise than its mesh");
  return check_inner_piece(Faces(mesh).surface(), hull->hull(), tolerance);
}

Verdict check_piece_of_cloud(const PlacedShape& shape, const PointCloud& cloud,
                             const PlacedPiece& piece, double tolerance) {
  if (piece.shape.kind() != ShapeKind::sphere) return Verdict::no("a piece of a cloud is no ball");
  const Vec3 center =
      shape.pose.frame().to_local(piece.pose.frame().to_world(std::get<Vec3>(piece.shape.core())));
  for (const Vec3& p : cloud.points()) {
    if (length(p - center) + piece.shape.rounding() <= shape.shape.rounding() + tolerance)
      return Verdict::yes();
  }
  return Verdict::no("a ball is not in one of the cloud's");
}

/// Around a triangle, no thicker than the rounding.
Verdict check_piece_of_field(const PlacedShape& shape, const PlacedPiece& piece, double tolerance) {
  if (piece.shape.kind() != ShapeKind::sphere) return Verdict::no("a piece of a field is no ball");
  const Vec3 center = piece.pose.frame().to_world(std::get<Vec3>(piece.shape.core()));
  const double reach = distance_from_triangles(center, shape) + piece.shape.rounding();
  return reach <= shape.shape.rounding() + tolerance
             ? Verdict::yes()
             : Verdict::no("a ball is not within the field's rounding");
}

/// The corners of a polyhedral piece in the world, and what else bounds it.
struct Corners {
  std::vector<Vec3> points;
  std::vector<Vec3> normals; ///< of faces
  std::vector<Vec3> edges;
  bool known = true;

  explicit Corners(const PlacedPiece& piece) {
    const Frame frame = piece.pose.frame();
    const ShapeCore& core = piece.shape.core();
    std::vector<Vec3> local;
    if (const auto* p = std::get_if<Vec3>(&core)) {
      local = {*p};
    } else if (const auto* t = std::get_if<Triangle>(&core)) {
      local = {t->a, t->b, t->c};
    } else if (const auto* h = std::get_if<Polytope>(&core)) {
      local.assign(h->vertices().begin(), h->vertices().end());
    } else {
      known = false;
      return;
    }
    for (const Vec3& v : local) points.push_back(frame.to_world(v));
    const auto hull = convex_hull(local);
    if (!hull) return;
    for (std::size_t f = 0; f < hull->face_count(); ++f) {
      const auto c = hull->corners(f);
      for (std::size_t k = 0; k < c.size(); ++k)
        edges.push_back(
            frame.direction_to_world(hull->vertices[c[(k + 1) % c.size()]] - hull->vertices[c[k]]));
      if (c.size() < 3) continue;
      const Vec3 &p = hull->vertices[c[0]], &q = hull->vertices[c[1]], &r = hull->vertices[c[2]];
      normals.push_back(frame.direction_to_world(cross(q - p, r - p)));
    }
  }
  [[nodiscard]] double reach(const Vec3& d) const {
    double most = -INFINITY;
    for (const Vec3& p : points) most = std::max(most, dot(d, p));
    return most;
  }
};

/// How far the difference of two pieces reaches beyond a point, along the direction where that is least: all planes that bound it are tried.
class DifferenceDepth {
public:
  DifferenceDepth(const PlacedPiece& p, const PlacedPiece& q)
      : p_(p), q_(q), a_(p), b_(q), rounding_(p.shape.rounding() + q.shape.rounding()) {}

  [[nodiscard]] double at(const Vec3& t) const {
    if (!a_.known || !b_.known) {
      const PlacedShape a{p_.shape, p_.pose};
      const PlacedShape b{q_.shape, {q_.pose.rotation, q_.pose.position + t}};
      return -greatest_gap(a, b, 64);
    }
    double least = INFINITY;
    bool any = false;
    const auto along = [&](const Vec3& n) {
      const double size = length(n);
      if (!(size > 0)) return;
      any = true;
      const Vec3 d = n * (1 / size);
      least = std::min(least, a_.reach(d) + b_.reach(-d) - dot(d, t));
    };
    for (const Vec3& n : a_.normals) along(n);
    for (const Vec3& n : b_.normals) along(-n);
    for (const Vec3& e : a_.edges)
      for (const Vec3& f : b_.edges) {
        const Vec3 n = cross(e, f);
        if (length(n) <= 1e-9 * length(e) * length(f)) continue;
        along(n);
        along(-n);
      }
    return any ? least + rounding_ : rounding_ - distance_from_line(t);
  }

private:
  /// Of the differences of all corners, which are on one line, or one point.
  [[nodiscard]] double distance_from_line(const Vec3& t) const {
    const auto farthest = [&](const Vec3& d) {
      Vec3 best = a_.points[0] - b_.points[0];
      for (const Vec3& a : a_.points)
        for (const Vec3& b : b_.points)
          if (dot(d, a - b) > dot(d, best)) best = a - b;
      return best;
    };
    return support_distance(t, farthest).upper;
  }

  const PlacedPiece &p_, &q_;
  Corners a_, b_;
  double rounding_;
};

/// Cells that are halved until each is in one ball, or outside of what is to be covered.
class Cover {
public:
  Cover(const DepthProof& proof, double radius)
      : claims_(proof.claims), radius_(radius), used_(proof.claims.size(), false) {}

  [[nodiscard]] bool holds() {
    if (!(radius_ > 0)) return true;
    std::vector<std::uint32_t> all(claims_.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      all[i] = i;
      if (length(claims_[i].at) + radius_ > claims_[i].radius) continue;
      used_[i] = true; // one for all
      return true;
    }
    return covers({}, std::ldexp(1.0, std::ilogb(radius_) + 1), all, 0);
  }
  [[nodiscard]] const std::vector<bool>& used() const { return used_; }

private:
  bool covers(const Vec3& center, double half, const std::vector<std::uint32_t>& claims,
              int depth) {
    constexpr int most_depth = 24;
    const Vec3 cube{half, half, half};
    if (length(max(abs(center) - cube, Vec3{})) >= radius_) return true;
    std::vector<std::uint32_t> near;
    for (const std::uint32_t i : claims) {
      const Vec3 way = abs(center - claims_[i].at);
      if (length(way + cube) <= claims_[i].radius * (1 + 1e-12)) {
        used_[i] = true;
        return true;
      }
      if (length(max(way - cube, Vec3{})) < claims_[i].radius) near.push_back(i);
    }
    if (near.empty() || depth == most_depth) return false;
    for (int k = 0; k < 8; ++k) {
      const double h = half / 2;
      const Vec3 side{k & 1 ? h : -h, k & 2 ? h : -h, k & 4 ? h : -h};
      if (!covers(center + side, h, near, depth + 1)) return false;
    }
    return true;
  }

  std::span<const DepthProof::Claim> claims_;
  double radius_;
  std::vector<bool> used_;
};

} // namespace

Verdict check_piece_of(const PlacedShape& shape, const PlacedPiece& piece, double tolerance) {
  if (!piece.shape.convex()) return Verdict::no("a piece is not convex");
  if (shape.shape.convex())
    return same(piece, shape) ? Verdict::yes() : Verdict::no("a piece is not the convex shape");
  if (const auto* mesh = body_of<TriangleMesh>(shape.shape))
    return check_piece_of_mesh(shape, *mesh, piece, tolerance);
  if (const auto* cloud = body_of<PointCloud>(shape.shape))
    return check_piece_of_cloud(shape, *cloud, piece, tolerance);
  if (body_of<HeightField>(shape.shape)) return check_piece_of_field(shape, piece, tolerance);
  const auto* compound = body_of<Compound>(shape.shape);
  if (!compound) return Verdict::no("a shape of a kind that has no pieces");
  for (const CompoundPart& part : compound->parts()) {
    if (check_piece_of({part.shape, shape.pose * part.pose}, piece, tolerance))
      return Verdict::yes();
  }
  return Verdict::no("a piece is in no part of the compound");
}

Verdict check_depth_proof(const PlacedShape& a, const PlacedShape& b, const DepthProof& proof,
                          double tolerance) {
  Cover cover(proof, proof.bound * (1 - 1e-9) - tolerance);
  for (const DepthProof::Claim& c : proof.claims) {
    if (c.a >= proof.pieces_a.size() || c.b >= proof.pieces_b.size())
      return Verdict::no("a claim is about a piece that is not there");
    if (!is_finite(c.at) || !(c.radius >= 0)) return Verdict::no("a claim has no ball");
  }
  if (!cover.holds()) return Verdict::no("the balls do not cover the bound");
  std::vector<bool> checked_a(proof.pieces_a.size(), false),
      checked_b(proof.pieces_b.size(), false);
  for (std::size_t i = 0; i < proof.claims.size(); ++i) {
    if (!cover.used()[i]) continue;
    const DepthProof::Claim& c = proof.claims[i];
    if (!checked_a[c.a]) {
      if (Verdict v = check_piece_of(a, proof.pieces_a[c.a], tolerance); !v) return v;
    }
    if (!checked_b[c.b]) {
      if (Verdict v = check_piece_of(b, proof.pieces_b[c.b], tolerance); !v) return v;
    }
    checked_a[c.a] = checked_b[c.b] = true;
    const double depth = DifferenceDepth(proof.pieces_a[c.a], proof.pieces_b[c.b]).at(c.at);
    if (!(depth >= c.radius - tolerance))
      return Verdict::off("a claim's ball is not in the difference, by", c.radius - depth);
  }
  return Verdict::yes();
}

} // namespace carom::verify
