#include "carom/query/composite_penetration.h"

#include "carom/query/distance.h"
#include "carom/query/inner_pair.h"
#include "carom/query/moved_pose.h"
#include "carom/query/part_walk.h"
#include "carom/shape/composite.h"
#include "carom/shape/support.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace carom {
namespace {

/// More pieces of a compound than that are found where they are needed only.
constexpr std::size_t most_pieces = 32;

void add_pieces(const Shape& shape, const Pose& pose, std::vector<PlacedPiece>& pieces) {
  if (shape.convex()) {
    pieces.push_back({shape, pose});
  } else if (const auto* compound = body_of<Compound>(shape)) {
    for (const CompoundPart& part : compound->parts()) {
      if (pieces.size() >= most_pieces) return;
      add_pieces(part.shape, pose * part.pose, pieces);
    }
  } else if (const auto* mesh = body_of<TriangleMesh>(shape)) {
    for (const Shape& piece : mesh->inner_pieces()) {
      const auto rounded = shape.rounding() > 0 ? piece.rounded(shape.rounding()) : piece;
      if (rounded) pieces.push_back({*rounded, pose});
    }
  }
}

/// Whether it is more than a skin: then the search for its depth gets somewhere.
bool has_inside(const Shape& shape) {
  if (shape.rounding() > 0) return true;
  if (shape.convex()) return shape.inner_ball().radius > 0;
  if (const auto* mesh = body_of<TriangleMesh>(shape)) return mesh->solid();
  const auto* compound = body_of<Compound>(shape);
  return compound && std::any_of(compound->parts().begin(), compound->parts().end(),
                                 [](const CompoundPart& part) { return has_inside(part.shape); });
}

std::vector<PlacedPiece> pieces_of(const Shape& shape, const Pose& pose) {
  std::vector<PlacedPiece> pieces;
  add_pieces(shape, pose, pieces);
  return pieces;
}

/// The greatest d . x.
double reach(const Shape& shape, const Frame& frame, const Vec3& d) {
  return dot(d, frame.to_world(support_point(shape, frame.direction_to_local(d))));
}

SignedDistance from(const Distance& d) {
  SignedDistance s;
  s.value = d.value;
  s.lower_bound = d.lower_bound;
  s.upper_bound = d.value;
  s.on_a = d.on_a;
  s.on_b = d.on_b;
  s.normal = d.normal;
  s.status = d.status;
  s.iterations = d.iterations;
  return s;
}

SignedDistance from(const Penetration& p) {
  SignedDistance s;
  s.value = -p.depth;
  s.lower_bound = -p.upper_bound;
  s.upper_bound = -p.lower_bound;
  s.on_a = p.on_a;
  s.on_b = p.on_b;
  s.normal = p.normal;
  s.status = p.status;
  s.iterations = p.iterations;
  return s;
}

} // namespace

Penetration composite_penetration(const Shape& a, const Pose& pose_a, const Shape& b,
                                  const Pose& pose_b, const SolidPenetrationOptions& options,
                                  DepthProof* proof) {
  const std::vector<PlacedPiece> pieces_a = pieces_of(a, pose_a);
  const std::vector<PlacedPiece> pieces_b = pieces_of(b, pose_b);
  const Frame frame_a = pose_a.frame();
  const Frame frame_b = pose_b.frame();
  SolidPair pair;
  pair.pieces_a = pieces_a;
  pair.pieces_b = pieces_b;
  pair.size = a.size() + b.size() + length(pose_a.position) + length(pose_b.position);
  pair.apart = [&](const Vec3& t, double relative_error) {
    const Distance d = distance(a, pose_a, b, moved(pose_b, t), {.relative_error = relative_error});
    if (d.status == Status::bad_input) return Separation{};
    return Separation{d.lower_bound, d.normal, d.on_a, d.on_b};
  };
  pair.inner_pair = [&](const Vec3& t, double enough) {
    return inner_pair_at(a, pose_a, b, pose_b, t, enough);
  };
  pair.way_out = [&](const Vec3& n) { return reach(a, frame_a, n) + reach(b, frame_b, -n); };
  SolidPenetrationOptions effort = options;
  if (!has_inside(a) || !has_inside(b)) effort.most_cells /= 8;
  return solid_penetration(pair, effort, proof);
}

SignedDistance composite_signed_distance(const Shape& a, const Pose& pose_a, const Shape& b,
                                         const Pose& pose_b, const SignedDistanceOptions& options,
                                         PairCache* cache) {
  const Distance d = distance(a, pose_a, b, pose_b, {.limit = std::max(options.limit, 0.0)}, cache);
  if (d.status == Status::bad_input || d.lower_bound > 0) return from(d);
  return from(composite_penetration(a, pose_a, b, pose_b));
}

} // namespace carom
