// A difference is not computed: how deep the origin is in it is what signed_distance of the two pieces says. Boxes and balls tell which pairs are worth asking.
#include "carom/query/piece_differences.h"

#include "carom/math/tolerance.h"
#include "carom/query/moved_pose.h"
#include "carom/query/signed_distance.h"
#include "carom/shape/support.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// Beyond the best of so many, others are seldom better.
constexpr int most_tries = 12;

} // namespace

void PieceDifferences::Side::push(const PlacedPiece& piece) {
  const Shape& shape = piece.shape;
  const Sphere& ball = shape.inner_ball();
  pieces.push_back(piece);
  bounds.push_back({carom::bounds(shape, piece.pose), piece.pose.frame().to_world(ball.center),
                    ball.radius + shape.rounding(), shape.kind() == ShapeKind::sphere});
}

std::uint32_t PieceDifferences::Side::number_of(const PlacedPiece& piece) {
  const auto known = std::find_if(pieces.begin(), pieces.end(), [&](const PlacedPiece& p) {
    return p.shape == piece.shape && p.pose == piece.pose;
  });
  const auto number = static_cast<std::uint32_t>(known - pieces.begin());
  if (known == pieces.end()) push(piece);
  return number;
}

PieceDifferences::PieceDifferences(std::span<const PlacedPiece> a, std::span<const PlacedPiece> b) {
  for (const PlacedPiece& p : a) a_.push(p);
  for (const PlacedPiece& q : b) b_.push(q);
  for (std::uint32_t i = 0; i < a.size(); ++i)
    for (std::uint32_t j = 0; j < b.size(); ++j) add_pair(i, j);
}

void PieceDifferences::add_pair(std::uint32_t a, std::uint32_t b) {
  const Bounds& p = a_.bounds[a];
  const Bounds& q = b_.bounds[b];
  pairs_.push_back({a,
                    b,
                    {p.box.min - q.box.max, p.box.max - q.box.min},
                    p.center - q.center,
                    p.radius + q.radius,
                    p.is_ball && q.is_ball});
}

void PieceDifferences::add(const PlacedPiece& a, const PlacedPiece& b) {
  const auto initial_a = static_cast<std::uint32_t>(a_.pieces.size());
  const auto initial_b = static_cast<std::uint32_t>(b_.pieces.size());
  const std::uint32_t i = a_.number_of(a);
  const std::uint32_t j = b_.number_of(b);
  const auto came_before = [](const Side& side, std::uint32_t k) {
    return std::find(side.added.begin(), side.added.end(), k) != side.added.end();
  };
  const bool old_a = came_before(a_, i);
  const bool old_b = came_before(b_, j);
  const bool both_known = i < initial_a && j < initial_b;
  if (!old_a) a_.added.push_back(i);
  if (!old_b) b_.added.push_back(j);
  if (both_known && !old_a && !old_b) return; // they were given at first, as a pair
  for (const std::uint32_t k : b_.added)
    if (!old_a) add_pair(i, k);
  for (const std::uint32_t k : a_.added)
    if (!old_b && (old_a || k != i)) add_pair(k, j);
}

void PieceDifferences::measure(const Vec3& t, std::uint32_t k, Depth& best) const {
  const Pair& pair = pairs_[k];
  if (pair.is_ball) {
    const Vec3 way = t - pair.center;
    const double rounding =
        32 * tolerance::epsilon * (pair.radius + length(pair.center) + length(t));
    const double depth = pair.radius - length(way) - rounding;
    if (depth > best.value) best = {depth, k, normalized_or(way, {1, 0, 0})};
    return;
  }
  const PlacedPiece& p = a_.pieces[pair.a];
  const PlacedPiece& q = b_.pieces[pair.b];
  const SignedDistance s =
      signed_distance(p.shape, p.pose, q.shape, moved(q.pose, t), {.limit = 0});
  if (s.status == Status::bad_input || !(-s.upper_bound > best.value)) return;
  best = {-s.upper_bound, k, s.normal};
}

PieceDifferences::Depth PieceDifferences::depth(const Vec3& t, double enough, std::uint32_t hint) {
  Depth best{0, hint, {1, 0, 0}};
  if (hint < pairs_.size()) measure(t, hint, best);
  open_.clear();
  for (std::uint32_t k = 0; k < pairs_.size() && best.value < enough; ++k) {
    const Pair& pair = pairs_[k];
    const Vec3 in = min(t - pair.box.min, pair.box.max - t);
    const double most = std::min({in.x, in.y, in.z});
    if (k == hint || !(most > best.value)) continue;
    if (pair.is_ball) {
      measure(t, k, best);
    } else {
      // Between what the balls inside are sure to give, and what the boxes allow.
      const double least = pair.radius - length(t - pair.center);
      open_.push_back({least + most, most, k});
    }
  }
  std::sort(open_.begin(), open_.end(), [](const Candidate& x, const Candidate& y) {
    return x.worth != y.worth ? x.worth > y.worth : x.pair < y.pair;
  });
  int tries = most_tries;
  for (const Candidate& c : open_) {
    if (best.value >= enough || tries == 0) break;
    if (!(c.most > best.value)) continue;
    measure(t, c.pair, best);
    --tries;
  }
  return best;
}

} // namespace carom
